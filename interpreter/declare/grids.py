"""Grids and the tiles that lie on them: numbers of rows and columns, directions, shapes and sides."""

from __future__ import annotations

import re

from .. import model as m
from .. import schema
from ..diagnostics import Place, suggest
from ..schema import Leaf
from ..types import NUMBER, PLAYER, list_of, symbol
from .base import Base

ONLY_GRIDS = ("per_player", "columns", "rows", "down", "headings", "shapes", "drawings")
NOTHING = ". "  # marks of a drawing that are no part of its shape


class Grids(Base):
    # ---- directions ----

    def headings(self, parts: list[schema.Part]) -> None:
        """The four directions, known before any kind with sides: all grids have the same ones."""
        first: Leaf | None = None
        for part in parts:
            for shape in part.boards.values():
                leaf = shape.headings
                if leaf is None:
                    continue
                words = self.model.symbols.get(str(leaf))
                if words is None:
                    self.no_symbols(leaf)
                elif len(words) != 4:
                    self.problems.error(
                        leaf.place,
                        "bad-headings",
                        f"`{leaf}` has {len(words)} symbols, but a square has four sides",
                        "four directions, clockwise, the first one upwards: `[north, east, south, west]`",
                    )
                elif first is not None and leaf != first:
                    self.problems.error(
                        leaf.place,
                        "bad-headings",
                        f"another grid has the directions `{first}`: all grids of a ruleset share them",
                        related=((first.place, "the other directions"),),
                    )
                else:
                    first = leaf
                    self.model.headings = str(leaf)

    def no_symbols(self, leaf: Leaf) -> None:
        self.problems.error(
            leaf.place,
            "unknown-type",
            f"no symbols are called `{leaf}`",
            "symbol types are declared under `symbols`",
            suggestion=suggest(leaf, self.model.symbols),
        )

    # ---- tiles ----

    def sides(self, kind: m.Kind, leaf: Leaf) -> None:
        """A printed field `sides`, and a living one, `way`: the direction to which its top looks."""
        if leaf not in self.model.symbols:
            self.no_symbols(leaf)
            return
        if self.model.headings is None:
            self.problems.error(
                leaf.place,
                "no-headings",
                f"a {kind.name} has four sides, but no board says which directions there are",
                "give the grid on which it lies `headings:`, the name of four symbols",
            )
            return
        above = kind.parent
        while above is not None:
            if self.model.kinds[above].sides is not None:
                self.problems.error(
                    leaf.place, "declared-twice", f"a {kind.name} already has the sides of a {above}"
                )
                return
            above = self.model.kinds[above].parent
        kind.sides = str(leaf)
        for word, held in (("sides", list_of(symbol(str(leaf)))), ("way", symbol(self.model.headings))):
            kind.fields[word] = m.FieldDecl(word, held, leaf.place, "kind", kind.name, number=len(kind.fields))
        kind.fields["way"].changed = True

    def four_sides(self, sides: tuple[object, ...], place: Place) -> None:
        if len(sides) != 4:
            words = ", ".join(self.model.symbols[str(self.model.headings)])
            self.problems.error(
                place, "bad-sides", f"a tile has four sides, but here are {len(sides)}", f"in this order: {words}"
            )

    def tiles_without_sides(self) -> None:
        """A tile with a name shows its sides; those without a name show the first symbol all around."""
        for component in self.model.components.values():
            if self.model.inherited(component.kind, "sides") and (None, "sides") not in component.printed:
                self.problems.error(
                    component.place,
                    "bad-sides",
                    f"`{component.id}` is a tile, but nothing says what its sides show",
                    f"write `sides:` with four words of `{self.model.inherited(component.kind, 'sides')}`",
                )

    # ---- boards ----

    def grid_keys(self, shape: schema.Board) -> None:
        """Keys that only a grid has."""
        for key in ONLY_GRIDS:
            held = getattr(shape, key)
            if not held:
                continue
            leaf = next(iter(held)) if isinstance(held, dict) else held.key or held
            self.problems.error(
                leaf.place, "bad-grid", f"only a grid has `{key}`", "say its size: `grid: 7 by 6`"
            )

    def grid(self, board: m.Board, shape: schema.Board, kind: m.Kind) -> bool:
        """Its size, its numbers and its shapes; False if nothing can be made of it."""
        assert shape.grid is not None
        match = re.fullmatch(r"(\d{1,2}) by (\d{1,2})", shape.grid)
        if match is None or not (1 <= int(match[1]) <= 64 and 1 <= int(match[2]) <= 64):
            self.problems.error(shape.grid.place, "bad-grid", "expected columns by rows, like `7 by 6`")
            return False
        board.sort, board.columns, board.rows = "grid", int(match[1]), int(match[2])
        board.per_player = bool(shape.per_player and shape.per_player.value)
        board.down = bool(shape.down and shape.down.value)
        board.first_column = self.numbers(shape.columns, "columns", board.columns)
        board.first_row = self.numbers(shape.rows, "rows", board.rows)
        board.numbered = shape.columns is not None or shape.rows is not None
        board.headings = str(shape.headings) if shape.headings is not None else None
        for word in ("column", "row"):
            kind.fields.setdefault(word, m.FieldDecl(word, NUMBER, board.place, "kind", kind.name))
        if board.per_player and self.model.field_of(kind.name, "owner") is None:
            kind.fields["owner"] = m.FieldDecl("owner", PLAYER, board.place, "kind", kind.name)
        self.shapes(board, shape)
        return True

    def numbers(self, leaf: Leaf | None, what: str, count: int) -> int:
        """The first number of `3 to 11`, which must be as many as there are."""
        if leaf is None:
            return 1
        match = re.fullmatch(r"(\d{1,3}) to (\d{1,3})", str(leaf).strip())
        if match is None:
            self.problems.error(
                leaf.place, "bad-grid", f"expected the numbers of the {what}, like `1 to {count}`"
            )
            return 1
        first, last = int(match[1]), int(match[2])
        if last - first + 1 != count:
            self.problems.error(
                leaf.place,
                "bad-grid",
                f"the grid has {count} {what}, but `{leaf}` are {max(0, last - first + 1)} numbers",
                f"write `{first} to {first + count - 1}`",
            )
        return first

    def shapes(self, board: m.Board, shape: schema.Board) -> None:
        if shape.shapes is None:
            for name in list(shape.drawings)[:1]:
                self.problems.error(
                    name.place,
                    "bad-drawing",
                    "this grid has drawings, but no `shapes`",
                    "say `shapes:`, the name of symbols, one for each drawing",
                )
            return
        words = self.model.symbols.get(str(shape.shapes))
        if words is None:
            self.no_symbols(shape.shapes)
            return
        board.shapes = str(shape.shapes)
        for name, text in shape.drawings.items():
            if name not in words:
                self.problems.error(
                    name.place,
                    "unknown-symbol",
                    f"no {board.shapes} is called `{name}`",
                    suggestion=suggest(name, words),
                )
                continue
            board.drawings[str(name)] = self.drawing_of(board, text)
        missing = [w for w in words if w not in {str(n) for n in shape.drawings}]
        if missing:
            self.problems.error(
                shape.shapes.place,
                "bad-drawing",
                f"there is no drawing of `{missing[0]}`",
                "every shape has its rows under `drawings:`, a letter a square, `.` where there is none",
            )

    def drawing_of(self, board: m.Board, text: Leaf) -> tuple[str, ...]:
        """The rows of a drawing from the top; it may be smaller than the grid, never bigger."""
        lines = str(text).rstrip("\n").split("\n")
        for number, line in enumerate(lines, 1):
            if number > board.rows or len(line.rstrip()) > board.columns:
                start = 1 if number > board.rows else board.columns + 1
                self.problems.error(
                    text.scalar.place_of(number, start, number, max(start, len(line)) + 1),
                    "bad-drawing",
                    f"this is outside of the grid, which is {board.columns} by {board.rows}",
                )
                break
        return tuple(line.rstrip() for line in lines)
