"""Grids: steps in a direction, marks of shapes, sides of turned tiles, connected parts."""

from __future__ import annotations

from typing import Any

from ..slots import FUEL
from .lent import DRAWN, MOST_LETTERS, STEP, Broken, OutOfSteps, State


def stride(x: Any, heading: Any, n: int) -> Any:
    """So many squares in a direction, backwards if it is less than none; none off the board."""
    if x is None or heading is None:
        return None
    if n < 0:
        heading, n = heading ^ 2, -n
    for _ in range(min(n, 64)):  # no grid is longer
        x = STEP[x][heading]
        if x is None:
            return None
    return x if n <= 64 else None


def mark_of(x: Any, shape: Any) -> Any:
    return None if x is None or shape is None else DRAWN[x][shape]


def turned(heading: Any, way: Any) -> Any:
    return None if heading is None or way is None else heading + way & 3


def side_of(sides: Any, heading: Any, way: Any) -> Any:
    return None if heading is None or way is None else sides[heading - way & 3]


def spend_on(S: State, items: Any) -> None:
    S[FUEL] = f = S[FUEL] - len(items)
    if f < 0:
        raise OutOfSteps


def sorted_parts(items: Any, parts: Any) -> Any:
    """The biggest part first; of equal ones that which has the first member. Inside, the order of the list."""
    if len(parts) == 1:
        return (items,)
    order = {x: at for at, x in enumerate(items)}
    made = [tuple(sorted(part, key=order.__getitem__)) for part in parts]
    made.sort(key=lambda part: (-len(part), order[part[0]]))
    return tuple(made)


def framed(cells: Any, between: str, numbers: bool, place: int) -> list[str]:
    """Blocks of lines where their places lie on a grid: (its spot, lines) for each of them.

    Rows and columns without any block are left out; places without one are blank.
    """
    if not cells:
        return []
    blocks = {spot[:2]: lines for spot, lines in cells}
    columns = sorted({column for column, _ in blocks})
    rows = sorted({row for _, row in blocks}, reverse=not cells[0][0][3])
    width = max([len(line) for lines in blocks.values() for line in lines], default=0)
    height = max([len(lines) for lines in blocks.values()])
    if (width + len(between)) * len(columns) * height * len(rows) > MOST_LETTERS:
        raise Broken(place, f"this grid is too big to be drawn: more than {MOST_LETTERS:,} letters")
    rim = max([len(str(r)) for r in rows]) if numbers else 0
    made = []
    head = between.join([str(c).center(width) for c in columns])
    if numbers:
        made.append(" " * (rim + 1) + head)
    for row in rows:
        for at in range(height):
            line = between.join([_line(blocks.get((c, row), ()), at).ljust(width) for c in columns])
            if numbers:
                number = str(row) if at == (height - 1) // 2 else ""
                line = f"{number:>{rim}} {line} {number:<{rim}}"
            made.append(line)
    if numbers:
        made.append(" " * (rim + 1) + head)
    return [line.rstrip() for line in made]


def _line(lines: Any, at: int) -> str:
    return lines[at] if at < len(lines) else ""
