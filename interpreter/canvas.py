"""A plane drawn in letters: circles, discs and marks, as on a map.

Takes the size of a plane and its discs, gives lines of text. A letter counts as twice as tall as it is
wide, so that a circle looks round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, cos, pi, sin, sqrt
from typing import Any

TALL = 2  # a letter is so much taller than it is wide
ORBIT = "·"
MOST_ROWS = 200

Row = tuple[Any, int, str, Any]  # spot, radius, mark, radius of a circle around it


class Canvas:
    def __init__(self, plane: Mapping[str, Any], width: int) -> None:
        self.plane_height = plane["height"]
        self.wide = plane["width"] / width  # what one letter covers
        self.tall = self.wide * TALL
        self.columns, self.rows = width, max(1, round(plane["height"] / self.tall))
        if self.rows > MOST_ROWS:  # a strip that is far taller than wide is drawn shorter than it is
            self.rows, self.tall = MOST_ROWS, plane["height"] / MOST_ROWS
        self.letters = [[" "] * width for _ in range(self.rows)]

    def cell(self, x: float, y: float) -> tuple[int, int] | None:
        column, row = int(x // self.wide), int((self.plane_height - y) // self.tall)
        row = min(row, self.rows - 1) if y > 0 else row
        return (row, column) if 0 <= row < self.rows and 0 <= column < self.columns else None

    def put(self, x: float, y: float, letter: str, over: bool = True) -> None:
        at = self.cell(x, y)
        if at is not None and (over or self.letters[at[0]][at[1]] == " "):
            self.letters[at[0]][at[1]] = letter

    def circle(self, x: float, y: float, radius: float) -> None:
        count = min(720, max(12, ceil(2 * pi * radius / self.wide)))
        for step in range(count):
            way = 2 * pi * step / count
            self.put(x + radius * sin(way), y + radius * cos(way), ORBIT, over=False)

    def disc(self, x: float, y: float, radius: float) -> None:
        """The rim of a disc that is wider than a letter, even on all sides; what lies behind it is covered."""
        at = self.cell(x, y)
        across, up = round(radius / self.wide), round(radius / self.tall - 0.5)  # rows besides the middle one
        if at is None or radius < self.wide / 2:
            return
        across, up = max(1, min(across, 2 * self.columns)), min(up, 2 * self.rows)
        for step in range(-up, up + 1):
            half = max(1, round(across * sqrt(1 - (step / (up + 0.5)) ** 2)))
            left, fill, right = "(", " ", ")"
            if up and abs(step) == up:
                left, fill, right = (".", "-", ".") if step < 0 else ("'", "-", "'")
            self.row(at[0] + step, at[1] - half, left + fill * (2 * half - 1) + right)

    def row(self, row: int, column: int, text: str) -> None:
        if 0 <= row < self.rows:
            for index, letter in enumerate(text, column):
                if 0 <= index < self.columns:
                    self.letters[row][index] = letter

    def write(self, x: float, y: float, text: str) -> None:
        at = self.cell(x, y)
        if at is not None:
            self.row(at[0], at[1] - (len(text) - 1) // 2, text)

    def lines(self) -> list[str]:
        edge = "─" * self.columns
        return [f"┌{edge}┐", *(f"│{''.join(row)}│" for row in self.letters), f"└{edge}┘"]


def draw(
    plane: Mapping[str, Any], discs: Sequence[Row], width: int, dots: Iterable[tuple[float, float, str]] = ()
) -> list[str]:
    """Circles lie lowest, then discs, then dots (a line of fire), then marks; small discs above big ones."""
    canvas = Canvas(plane, width)
    there = [row for row in discs if row[0] is not None]
    for (x, y), _, _, orbit in there:
        if orbit is not None and orbit > 0:
            canvas.circle(x, y, orbit)
    by_size = sorted(there, key=lambda row: -row[1])
    for (x, y), radius, _, _ in by_size:
        canvas.disc(x, y, radius)
    for x, y, letter in dots:
        canvas.put(x, y, letter)
    for (x, y), _, mark, _ in by_size:
        canvas.write(x, y, mark)
    return canvas.lines()
