"""What a checked expression is like: which names it needs, whether it can fail, what it would cost.

Takes trees, gives answers about them; writes nothing and changes nothing.
"""

from __future__ import annotations

import re
from typing import Any

from ..ir import E
from ..types import NUMBER, Type

PLAIN = ("local", "const", "active", "this", "piece")  # what may stand anywhere, as often as it likes
ENDS = {"first": "[0]", "bottom": "[0]", "the": "[0]", "last": "[-1]", "top": "[-1]"}


def walk(node: Any) -> Any:
    """All expressions inside a checked tree, itself first."""
    if isinstance(node, E):
        yield node
        for part in node.a:
            yield from walk(part)
    elif isinstance(node, (tuple, list)):
        for part in node:
            yield from walk(part)


def free_names(*nodes: Any) -> list[str]:
    """Local names that an expression needs from outside, in a fixed order."""
    found: dict[str, None] = {}
    bound: set[str] = set()
    for node in nodes:
        for e in walk(node):
            if e.op == "local":
                found[e.a[0]] = None
            elif e.op == "this":
                found["this"] = None
            elif e.op in ("memory", "argument"):
                found["age"] = None
            elif e.op in ("call", "can") and getattr(e.a[0], "context", None) is not None:
                found["this"] = found["age"] = None
            elif e.op == "fold":
                bound.update(b[0] for b in e.a[1])
    return [n for n in found if n not in bound]


def inner_search(test: E) -> bool:
    """A search that can be a loop inside another loop."""
    return bool(
        test.op == "fold" and test.a[0] in ("any", "every") and len(test.a[1]) == 1 and test.a[2] is not None
    )


def harmless(e: E) -> bool:
    """What cannot fail and is found at once, so that it may be asked earlier, or not at all."""
    if e.op in ("const", "local", "this", "option", "now", "active", "piece", "players", "symbols", "pieces"):
        return True
    if e.op in ("resource", "span", "inside", "game", "field"):
        return all(harmless(x) and not x.type.opt for x in e.a if isinstance(x, E))
    if e.op in ("content", "zone", "holder", "where", "own", "design_of", "opposite", "if"):  # of nothing: nothing
        return all(harmless(x) for x in e.a if isinstance(x, E))
    if e.op == "grid_step":
        one = e.a[2] is None or (e.a[2].op == "const" and e.a[2].a[0] == 1)
        return one and harmless(e.a[0]) and harmless(e.a[1]) and not e.a[1].type.opt
    if e.op == "function" and e.a[0] == "size":
        return harmless(e.a[1][0])
    if e.op in ("compare", "same", "not", "like", "named", "minus"):
        parts = [x for x in e.a if isinstance(x, E)]
        return all(harmless(x) for x in parts) and not (e.op == "minus" and parts[0].type.opt)
    if e.op in ("and", "or"):
        return all(harmless(x) for x in e.a[0])
    return e.op == "sum" and e.a[0] in "+-" and all(harmless(x) and x.type == NUMBER for x in e.a[1:])


def never_holds_none(items: E) -> bool:
    """The pieces of a zone, or some of them."""
    if items.op == "fold" and items.a[0] == "all" and items.a[4] is None:
        return never_holds_none(items.a[1][0][2])
    return items.op in ("content", "pieces")


def end_of(e: E) -> tuple[E | None, str]:
    """The list whose first or last this is."""
    if e.op == "function" and e.a[0] in ENDS:
        return e.a[1][0], ENDS[e.a[0]]
    if e.op == "fold" and e.a[0] in ENDS and len(e.a[1]) == 1 and e.a[2:] == (None, None, None):
        return e.a[1][0][2], ENDS[e.a[0]]
    return None, ""




def left_out(binders: Any, where: E | None, read: tuple[str, ...] = ()) -> E | None:
    """The one player who is not among the others: `all(p in players where p is not you)`.

    It is a player for sure; or else whatever is read in one of the ways of `read`.
    """
    if len(binders) != 1 or binders[0][2].op != "players" or where is None or where.op != "not":
        return None
    same = where.a[0]
    if same.op != "same" or same.a[0].op != "local" or same.a[0].a[0] != binders[0][0]:
        return None
    other = same.a[1]
    sure = other.type.base == "player" and (bool(read) or not other.type.opt)
    return other if sure and other.op in (read or ("local", "active")) and other.a != same.a[0].a else None


def conjuncts(e: E) -> list[E]:
    """`a and b and c` as a list, so that each part is tested as early as its names are known."""
    if e.op == "and":
        return [x for item in e.a[0] for x in conjuncts(item)]
    return [e]


def with_args(node: Any, names: dict[str, E]) -> Any:
    """The same tree with locals replaced."""
    if isinstance(node, E):
        if node.op == "local" and node.a[0] in names:
            return names[node.a[0]]
        return E(node.op, node.type, tuple(with_args(part, names) for part in node.a), node.place)
    if isinstance(node, tuple) and not isinstance(node, Type):
        return tuple(with_args(part, names) for part in node)
    return [with_args(part, names) for part in node] if isinstance(node, list) else node


def named_alike(free: list[str], body: list[str]) -> tuple[list[str], list[str]]:
    """A query with its parameters counted, whatever they are called where it stands: all that are alike share one."""
    text = "\n".join(body)
    if "'" in text or '"' in text or "this" in free or "age" in free:
        return ["S", *free], body  # a text might speak of them
    names = {name: f"a{at}" for at, name in enumerate(free)}
    if names:
        text = re.sub(rf"\b(?:{'|'.join(names)})\b", lambda found: names[found[0]], text)
    return ["S", *names.values()], text.split("\n")


def used_once(e: Any, name: str) -> bool:
    """Whether a name is read in one place at the most, and not again and again."""
    for fold in walk(e):
        if fold.op == "fold":
            (_, _, items), *others = fold.a[1]
            again = used_names(fold).count(name) - used_names(items).count(name)
            if again or any(name in used_names(more) for _, _, more in others):
                return False
    return used_names(e).count(name) <= 1


def itself(value: E | None, binder: Any) -> bool:
    return value is not None and value.op == "local" and bool(value.a[0] == binder[0])


def used_names(e: E) -> list[str]:
    return [x.a[0] for x in walk(e) if x.op == "local"]


def heavy(*nodes: Any) -> bool:
    return any(
        x.op in ("fold", "call", "can", "can_run") for node in nodes if node is not None for x in walk(node)
    )
