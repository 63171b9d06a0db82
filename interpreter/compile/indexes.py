"""Pieces by what is printed on them: `d in sundivers where d.owner is you` looks only at your own.

Takes the items of a query and its conditions, gives the text of fewer items and the conditions that are
left. The indexes are laid out with the table; nothing that is printed ever changes.
"""

from __future__ import annotations

from typing import Any

from ..ir import E
from ..slots import field_name


def _locals(node: Any) -> Any:
    if isinstance(node, E):
        if node.op == "local":
            yield node.a[0]
        for part in node.a:
            yield from _locals(part)
    elif isinstance(node, (tuple, list)):
        for part in node:
            yield from _locals(part)


class Indexes:
    def __init__(self, compiler: Any) -> None:
        self.c = compiler
        self.made: dict[tuple[str, str], str] = {}  # (kind, field): the index

    def narrow(self, x: Any, py: str, items: E, tests: list[E]) -> tuple[str, list[E]]:
        """The text of the items to look at, and the conditions to test."""
        if self.c.inline and items.op == "pieces":
            for test in tests:
                value = self.wanted(test, py)
                if value is not None:
                    field = test.a[0].a[0]
                    key = (items.a[0], field_name(field))
                    name = self.made.setdefault(key, f"BY_{len(self.made)}")
                    return f"{name}.get({x(value)}, ())", [t for t in tests if t is not test]
        return x(items), tests

    def wanted(self, test: E, py: str) -> E | None:
        """The value of `py.field is value`, where the field is printed and the value does not hang on `py`."""
        if test.op != "same":
            return None
        left, value = test.a
        if left.op != "field" or left.a[1].op != "local" or left.a[1].a[0] != py:
            return None
        field = left.a[0]
        if field.changed or field.key is not None or field.face is not None or field.home != "kind":
            return None
        if field.type.base not in ("player", "number", "symbol", "truth", "piece", "design", "kind"):
            return None
        return None if py in _locals(value) else value

    def image(self) -> list[list[str]]:
        """What binding needs to lay them out."""
        return [[name, kind, field] for (kind, field), name in self.made.items()]
