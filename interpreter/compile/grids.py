"""Words of grids to Python source: geometry is a look-up in tables that a table lays out once.

Headings are 0 to 3, clockwise, so that turning is adding and a side is one index away.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ir import E


class GridExpressions:
    c: Any
    atom: Callable[[E], str]
    guarded: Callable[..., str]
    x_field: Callable[..., str]
    whole: Callable[[E], str]

    def __call__(self, e: E) -> str:
        raise NotImplementedError

    def x_own_board(self, e: E, board: Any, player: E) -> str:
        return self.guarded(player, lambda p: f"B_{board.name}[{p}]", "()")

    def x_grid_step(self, e: E, place: E, heading: E, number: E | None) -> str:
        one = number is None or (number.op == "const" and number.a[0] == 1)
        if one and not heading.type.opt:
            return self.guarded(place, lambda x: f"STEP[{x}][{self(heading)}]")
        count = "1" if number is None else self.whole(number)
        return f"stride(S, {self(place)}, {self(heading)}, {count})"

    def x_heading_to(self, e: E, a: E, b: E) -> str:
        return f"HEADING.get(({self(a)}, {self(b)}))"

    def x_place_at(self, e: E, board: Any, player: E | None, column: E, row: E) -> str:
        cell = f".get(({self(column)}, {self(row)}))"
        if player is None:
            return f"CELLS_{board.name}[0]{cell}"
        return self.guarded(player, lambda p: f"CELLS_{board.name}[{p}]{cell}")

    def x_lane(self, e: E, board: Any, player: E | None, heading: E, number: E) -> str:
        rest = f".get(({self(heading)}, {self(number)}), ())"
        if player is None:
            return f"LANES_{board.name}[0]{rest}"
        return self.guarded(player, lambda p: f"LANES_{board.name}[{p}]{rest}", "()")

    def x_drawn(self, e: E, place: E, shape: E) -> str:
        if shape.type.opt:
            return f"mark_of({self(place)}, {self(shape)})"
        return self.guarded(place, lambda x: f"DRAWN[{x}][{self(shape)}]")

    def x_opposite(self, e: E, heading: E) -> str:
        return self.guarded(heading, lambda d: f"({d} ^ 2)")

    def x_turned(self, e: E, heading: E, way: E) -> str:
        if heading.type.opt or way.type.opt:
            return f"turned({self(heading)}, {self(way)})"
        return f"({self.atom(heading)} + {self.atom(way)} & 3)"

    def x_side(self, e: E, fields: Any, sure: bool, tile: E, heading: E, way: E | None) -> str:
        """What lies at the printed side that has been turned to where we look."""

        def of(o: str, sides: Any, turn: Any) -> str:
            local = E("local", tile.type.sure(), (o,), tile.place)
            shown = self.x_field(e, sides, local, None)
            now = self.atom(way) if way is not None else self.x_field(e, turn, local, None)
            if heading.type.opt or (way is not None and way.type.opt):
                return f"side_of({shown}, {self(heading)}, {now})"
            return f"{shown}[{self.atom(heading)} - {now} & 3]"

        def make(o: str) -> str:
            if sure:
                return of(o, *fields[0])
            text = "None"
            for sides, turn in reversed(fields):
                text = f"({of(o, sides, turn)} if LO_{sides.owner} <= {o} < HI_{sides.owner} else {text})"
            return text

        return self.guarded(tile if sure else E(tile.op, tile.type.maybe(), tile.a, tile.place), make)

    # ---- connected parts ----

    def parts_body(self, binders: Any, joined: E) -> list[str]:
        """Each part grows from its first member; who is in a part is not looked at again."""
        (a, _, items), (b, _, _) = binders
        return [
            f"    d = tuple(dict.fromkeys({self(items)}))",
            "    left, r = d, []",
            "    while left:",
            "        part, left = [left[0]], left[1:]",
            f"        for {a} in part:",
            "            rest = []",
            "            spend_on(S, left)",
            f"            for {b} in left:",
            f"                if {self(joined)} or {self(_turned_round(joined))}: part.append({b})",
            f"                else: rest.append({b})",
            "            left = rest",
            "        r.append(part)",
            "    return sorted_parts(d, r)",
        ]


def _turned_round(joined: E) -> E:
    """The relation asked from the other side: parts hold together whichever way it is true."""
    relation, (a, b) = joined.a
    return E("call", joined.type, (relation, (b, a)), joined.place)
