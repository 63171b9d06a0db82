"""Small readers: cells of tables, plurals, and places of values."""

from __future__ import annotations

import re
from typing import Any

from ..diagnostics import Place
from ..schema import Leaf

BUILT_IN = frozenset(
    (
        "you it this active none true false players opponent box game"
        " player piece number truth text kind zone list set viewer now seconds turn_order"
    ).split()
)
PYTHON_LIKE = re.compile(r"__|\A_")
MOST_PIECES = 5_000  # of one kind, and of all kinds at one table
MOST_NAMES = 4_000
MOST_LIKES = 20  # kinds that are like kinds that are like kinds
SECTIONS = (
    "symbols", "resources", "kinds", "zones", "boards", "spans", "values", "tables", "procedures", "actions",
    "menus", "rules", "effects",
)  # fmt: skip


class _Only:
    def __init__(self, **parts: Any) -> None:
        self.values = parts.get("values", {})
        self.procedures: dict[Any, Any] = {}
        self.actions: dict[Any, Any] = {}


class _Spot:
    """Stands for the scalar of a cell: a place, and nothing inside it."""

    exact = True

    def __init__(self, place: Place) -> None:
        self.place = place

    def place_of(self, line: int, column: int, end_line: int, end_column: int) -> Place:
        start = self.place.column + column - 1
        return Place(self.place.file, self.place.line, start, self.place.line, start + end_column - column)


def _cell_at(row: tuple[int, str], index: int) -> tuple[int, int, int, int]:
    number, line = row
    cells = line.split("|")
    start = sum(len(c) + 1 for c in cells[:index])
    text = cells[index]
    lead = len(text) - len(text.lstrip())
    width = max(1, len(text.strip()))
    return (number, start + lead + 1, number, start + lead + 1 + width)


def _scalar(text: str) -> Any:
    if re.fullmatch(r"-?\d{1,12}", text):
        return int(text)
    if re.fullmatch(r"-?\d{1,12}\.\d{1,3}", text):
        return float(text)
    if text in ("true", "false"):
        return text == "true"
    return text if text else None


def _plural(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "ch", "sh")):
        return word + "es"
    return word + "s"


def _place_of(value: Any) -> Place | None:
    if isinstance(value, Leaf):
        return value.place
    if isinstance(value, dict):
        for key in value:
            return key.place if isinstance(key, Leaf) else None
    if isinstance(value, list) and value:
        return _place_of(value[0])
    return None


def _key_place(key: Any, value: Any, name: Leaf) -> Place:
    if isinstance(key, Leaf):
        return key.place
    if isinstance(value, Leaf) and value.key is not None:
        return value.key.place
    return _place_of(value) or name.place
