"""Names of the things that generated code reads: fixed slots of the state, and layout constants.

Slots 0 to 21 are the engine's; a ruleset's own slots follow and are known when players are.
"""

from __future__ import annotations

from typing import Any

PLAYER, OPTIONS, CONT, ASK, RET, RNG, FUEL, EVENT, EFFECTS, AGE = range(10)
OTHERS, OVER, NEWS, CLOCK, GROUPS, ACTIVE, FIXED, PROCEED, REVEALED, DEPTH = range(10, 20)
FLICKED, FLICKS = range(20, 22)  # what a flick has come to; flicks that a scenario has fixed
FIRST_FREE = 22


def field_name(field: Any) -> str:
    return f"F_{field.id}"


def game_name(field: Any) -> str:
    return f"G_{field.name}"


def resource_name(resource: Any) -> str:
    return f"R_{resource.name}"


def span_name(field: Any) -> str:
    return f"SP_{field.owner}_{field.name}"


def inside_name(span: Any) -> str:
    return f"IN_{span.name}"


def lasting_name(span: Any) -> str:
    return f"LA_{span.name}"


def option_name(name: str) -> str:
    return f"O_{name}"


def change_slot(routine: Any) -> str:
    return f"CH_{routine.py}"


def hook_slot(routine: Any) -> str:
    return f"HK_{routine.py}"


def start_of(kind: Any) -> Any:
    """What a field of this type is before anybody sets it."""
    base, _, opt = kind
    if opt:
        return None
    return {"number": 0, "truth": False, "text": "", "list": (), "symbol": 0}.get(base)
