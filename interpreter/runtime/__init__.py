"""What compiled rules call: asking, moving pieces, hooks, spans, menus, standing effects.

Every function works on `S`, the flat list that is the whole game. The functions are bound to a
table (see `bind`), which lends them its layout as globals. Nothing here knows a ruleset.
"""

from __future__ import annotations

from . import (
    asking,
    clock,
    discs,
    driving,
    effects,
    grids,
    hooks,
    knowing,
    lent,
    menus,
    pieces,
    steps,
    values,
)
from .lent import (
    ALARM,
    BUSY,
    END,
    HOOKS,
    JOIN,
    MENU,
    MENU_BACK,
    PICK,
    PICK_BACK,
    PROCEED_BACK,
    RUN_HOOKS,
    Broken,
    Damaged,
    EndGame,
    EndSpan,
    OutOfSteps,
)

MODULES = (steps, effects, hooks, knowing, asking, driving, menus, clock, pieces, grids, values, discs)

__all__ = [
    "ALARM",
    "BUSY",
    "END",
    "HOOKS",
    "JOIN",
    "MENU",
    "MENU_BACK",
    "MODULES",
    "PICK",
    "PICK_BACK",
    "PROCEED_BACK",
    "RUN_HOOKS",
    "Broken",
    "Damaged",
    "EndGame",
    "EndSpan",
    "OutOfSteps",
    "lent",
]
