"""Pieces by what is printed on them: `t in tokens where t.owner is you` looks only at your own.

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
        self.joined: dict[tuple[tuple[str, str], ...], str] = {}  # (field, kind) …: one list of them all
        self.steps: dict[int, str] = {}  # steps along boards

    def together(self, fields: Any) -> str | None:
        """The name of a list that has a field of several kinds for every piece, where it is printed on all."""
        if any(f.changed or f.key is not None or f.face is not None or f.home != "kind" for f in fields):
            return None
        key = tuple((field_name(f), str(f.owner)) for f in fields)
        return self.joined.setdefault(key, f"ANY_{len(self.joined)}")

    def stepped(self, n: int) -> str:
        """The name of a table: for each way, where so many steps lead from every piece."""
        return self.steps.setdefault(n, f"ALONG_{len(self.steps)}")

    def narrow(self, x: Any, py: str, items: E, tests: list[E]) -> tuple[str, list[E]]:
        """The text of the items to look at, and the conditions to test."""
        if self.c.inline and items.op == "pieces":
            for test in tests:
                value = self.wanted(test, py)
                if value is not None:
                    field = test.a[0].a[0]
                    many = test.a[0].op == "fields"
                    key = (items.a[0], str(self.together(field)) if many else field_name(field))
                    name = self.made.setdefault(key, f"BY_{len(self.made)}")
                    return f"{name}.get({x(value)}, ())", [t for t in tests if t is not test]
        return x(items), tests

    def wanted(self, test: E, py: str) -> E | None:
        """The value of `py.field is value`, where the field is printed and the value does not hang on `py`."""
        if test.op != "same":
            return None
        left, value = test.a
        if left.op not in ("field", "fields") or left.a[1].op != "local" or left.a[1].a[0] != py:
            return None
        if left.op == "fields" and (left.a[2] is not None or self.together(left.a[0]) is None):
            return None
        field = left.a[0] if left.op == "field" else left.a[0][0]
        if field.changed or field.key is not None or field.face is not None or field.home != "kind":
            return None
        if field.type.base not in ("player", "number", "symbol", "truth", "piece", "design", "kind"):
            return None
        return None if py in _locals(value) else value

    def image(self) -> list[list[str]]:
        """What binding needs to lay them out."""
        return [[name, kind, field] for (kind, field), name in self.made.items()]

    def joined_image(self) -> list[list[Any]]:
        return [[name, [list(part) for part in key]] for key, name in self.joined.items()]
