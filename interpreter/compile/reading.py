"""Which locals sentences read, so that a frame keeps no more than it must."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ir import Ask, E, X
from .heads import all_expressions

After = Callable[[list[str]], None]


IMPLICIT = {
    "open",
    "run",
    "begin",
    "roll",
    "during",
    "can_run",
    "move_some",
    "draw",
    "end",
    "start",
    "proceed",
    "use",
    "each_ordered",
    "flick",
}


def needed(*nodes: Any, you: str = "you") -> set[str]:
    """Locals that sentences read; `you` is the python name of `you` where they stand."""
    found: set[str] = set()
    for node in nodes:
        _needed(node, you, found)
    return found


def _needed(node: Any, you: str, found: set[str]) -> None:
    if isinstance(node, E):
        for e in all_expressions(node):
            if e.op == "local":
                found.add(e.a[0])
            elif e.op == "this":
                found.add("this")
            elif e.op in ("memory", "argument"):
                found.add("age")
            elif e.op == "can_run":
                found.add(you)
            elif e.op in ("call", "can") and getattr(e.a[0], "context", None) is not None:
                found |= {"this", "age"}
    elif isinstance(node, X):
        if node.op == "call" and node.a[0].context is not None:
            found |= {"this", "age"}
        if node.op in IMPLICIT:
            found.add(you)
        if node.op in ("use", "begin", "set", "add", "take", "run"):
            found |= {"age", "this"}
        if node.op == "roll" and not node.a[3]:
            found.add(node.a[2])
        inner = node.a[0] if node.op in ("as", "as_each", "at_once") else you
        for part in node.a:
            _needed(part, inner, found)
    elif isinstance(node, Ask):
        for part in (
            node.player,
            node.prompt,
            node.low,
            node.high,
            node.binders,
            node.where,
            node.body,
            node.otherwise,
        ):
            _needed(part, you, found)
    elif isinstance(node, (tuple, list)):
        for part in node:
            _needed(part, you, found)


def all_statements(node: Any) -> Any:
    if isinstance(node, X):
        yield node
        for part in node.a:
            yield from all_statements(part)
    elif isinstance(node, Ask):
        yield from all_statements(node.body)
        yield from all_statements(node.otherwise)
    elif isinstance(node, (tuple, list)):
        for part in node:
            yield from all_statements(part)
