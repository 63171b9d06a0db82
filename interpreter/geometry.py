"""The geometry of grids, reckoned once for a table: who lies beside whom, rows and columns, shapes.

Takes the board of an image and its places, gives plain tables. Nothing in them changes during a game.
"""

from __future__ import annotations

from typing import Any, NamedTuple

At = tuple[int, int]  # column and row


class Grid(NamedTuple):
    """One grid: that of the table, or that of one player."""

    cells: dict[At, int]  # the place in a column and row
    steps: dict[int, tuple[int | None, ...]]  # the places around a place, by heading
    headings: dict[tuple[int, int], int]  # from a place to the one beside it
    lanes: dict[At, tuple[int, ...]]  # heading and number: the places that something from there meets
    marks: dict[int, tuple[str | None, ...]]  # the marks of a place, by shape


def split(board: dict[str, Any], places: list[int], players: int) -> list[list[int]]:
    """The places of every player in turn, or all of them."""
    if not board["per_player"]:
        return [places]
    size = board["columns"] * board["rows"]
    return [places[p * size : (p + 1) * size] for p in range(players)]


def spot(board: dict[str, Any], at: int) -> At:
    """Column and row of the place with that number, counted from 0 on every player's board anew."""
    at %= board["columns"] * board["rows"]
    column, row = board["first"]
    return column + at % board["columns"], row + at // board["columns"]


def grid(board: dict[str, Any], places: list[int]) -> Grid:
    cells = {spot(board, at): x for at, x in enumerate(places)}
    up = -1 if board["down"] else 1
    ways = ((0, up), (1, 0), (0, -up), (-1, 0))
    steps = {
        x: tuple([cells.get((column + dc, row + dr)) for dc, dr in ways]) for (column, row), x in cells.items()
    }
    headings = {
        (x, other): heading
        for x, around in steps.items()
        for heading, other in enumerate(around)
        if other is not None
    }
    return Grid(cells, steps, headings, lanes(board, cells), marks(board, cells))


def lanes(board: dict[str, Any], cells: dict[At, int]) -> dict[At, tuple[int, ...]]:
    """From the top and from below along columns, from left and right along rows."""
    found: dict[At, list[int]] = {}
    for (column, row), x in sorted(cells.items()):
        top_first = 0 if board["down"] else 2
        found.setdefault((top_first, column), []).append(x)
        found.setdefault((3, row), []).append(x)
    for (heading, number), line in list(found.items()):
        found[(heading ^ 2, number)] = line[::-1]
    return {key: tuple(line) for key, line in found.items()}


def marks(board: dict[str, Any], cells: dict[At, int]) -> dict[int, tuple[str | None, ...]]:
    first_column, first_row = board["first"]

    def mark(rows: tuple[str, ...], column: int, row: int) -> str | None:
        from_top = row - first_row if board["down"] else board["rows"] - 1 - (row - first_row)
        line = rows[from_top] if from_top < len(rows) else ""
        at = column - first_column
        return line[at] if at < len(line) and line[at] not in ". " else None

    return {
        x: tuple([mark(rows, column, row) for rows in board["drawings"]]) for (column, row), x in cells.items()
    }
