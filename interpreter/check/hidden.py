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


# ---- whether it can be told from an action's being offered ----


def head_tells(routine: Routine, model: Model) -> bool:
    """Whether somebody who sees an action offered, or not, could tell by it what lies hidden."""
    if any(reads_hidden(test, model) for test, _ in routine.tests):
        return True
    return _Head(model).tells(routine.code if isinstance(routine.code, list) else [], set(), ())


class _Head:
    """Walks through the first sentences of an action, those that decide whether it is offered."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def reads(self, e: Any, secret: set[str]) -> bool:
        return reads_hidden(e, self.model) or _names(e, secret)

    def tells(self, body: list[X], secret: set[str], inside: tuple[Routine, ...]) -> bool:
        for st in body:
            op, a = st.op, st.a
            if op in ("say", "use"):
                continue
            if op == "let":
                if self.reads(a[1], secret):
                    secret.add(a[0])
            elif op in ("need", "pay", "give", "pay_from", "move_some"):
                if any(self.reads(part, secret) for part in a if isinstance(part, E)):
                    return True
            elif op == "choose" and not a[0].may:
                if self.choice(a[0], secret):
                    return True
            elif op == "one":
                return any(
                    (test is not None and self.reads(test, secret)) or self.tells(list(branch), set(secret), inside)
                    for _, test, branch in a[2]
                )
            elif op == "if":
                bodies = [*(branch for _, branch in a[0]), a[1]]
                if any(self.reads(test, secret) for test, _ in a[0]):
                    return True
                return any(self.tells(list(branch), set(secret), inside) for branch in bodies)
            elif op == "call" and a[0] not in inside:
                given = set(secret) | {
                    param.py
                    for param, arg in zip([p for p in a[0].params if p.name != "you"], a[1][1:], strict=False)
                    if self.reads(arg, secret)
                }
                return self.tells(a[0].code if isinstance(a[0].code, list) else [], given, (*inside, a[0]))
            elif op == "as":
                return self.tells(list(a[2]), secret, inside)
            else:
                return False
        return False

    def choice(self, ask: Ask, secret: set[str]) -> bool:
        for py, _, items in ask.binders:
            if items.op == "content" and items.a[0].op == "zone":
                if items.a[0].a[0].seen_by != "all":  # how many there are is no secret; which they are is one
                    secret |= {py, *ask.results}
            elif self.reads(items, secret):
                return True
        return ask.where is not None and self.reads(ask.where, secret)


def _names(node: Any, words: set[str]) -> bool:
    if isinstance(node, E):
        return (node.op == "local" and node.a[0] in words) or any(_names(part, words) for part in node.a)
    return isinstance(node, (tuple, list)) and any(_names(part, words) for part in node)
