"""Whether an expression touches what not everybody sees.

Takes a checked tree, gives true or false; in doubt, true.
"""

from __future__ import annotations

from typing import Any

from ..ir import Ask, E, X
from ..model import Model, Routine

_SAFE = ("const", "now", "local", "active", "this", "players", "option", "symbols", "kind", "design", "table_cell")


def reads_hidden(tree: Any, model: Model | None = None) -> bool:
    """Zones that are not open to all, and pieces that may lie in them.

    Without the model nobody can tell where pieces may lie, so that all of them count as hidden.
    """
    if isinstance(tree, E):
        return _expression(tree, model)
    if isinstance(tree, X):
        return _parts(tree.a, model)
    if isinstance(tree, Ask):
        parts = (
            tree.player,
            tree.prompt,
            tree.low,
            tree.high,
            tree.binders,
            tree.where,
            tree.body,
            tree.otherwise,
        )
        return _parts(parts, model)
    if isinstance(tree, (tuple, list)):
        return _parts(tree, model)
    if isinstance(tree, Routine):
        return tree.reads_hidden
    return False


def _only_counts(e: E) -> bool:
    """`size(you.hand)`, `count(c in you.hand)`, `any(c in you.hand)`: how many, not which."""
    if e.op == "function" and e.a[0] == "size":
        return bool(e.a[1][0].op == "content")
    if e.op == "fold" and e.a[0] in ("count", "any"):
        _, binders, where, key, value = e.a
        return len(binders) == 1 and where is key is value is None and binders[0][2].op == "content"
    return False


def _parts(parts: Any, model: Model | None) -> bool:
    return any(reads_hidden(part, model) for part in parts)


def _expression(e: E, model: Model | None) -> bool:
    if e.op in _SAFE:
        return False
    if _only_counts(e):
        return False  # everybody sees how many pieces lie somewhere
    if e.op == "zone" and e.a[0].seen_by != "all":
        return True
    if model is None:
        return (
            e.op in ("pieces", "of_kind", "face")
            or (e.op == "field" and e.a[0].face is not None)
            or _parts(e.a, None)
        )
    if e.op == "pieces" and _may_hide(e.a[0], model):
        return True
    if e.op == "of_kind":
        return any(z.seen_by != "all" for z in model.zones.values()) or _parts(e.a, model)
    # A field of a face is read from the side that lies up, which whoever sees the zone sees.
    return _parts(e.a, model)


def _may_hide(kind: str, model: Model) -> bool:
    for zone in model.zones.values():
        if zone.seen_by != "all" and any(
            model.is_like(kind, h) or model.is_like(h, kind) for h in zone.holds
        ):
            return True
    return False
