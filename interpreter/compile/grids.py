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
        return f"stride({self(place)}, {self(heading)}, {count})"

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
        test = f"{self(joined)} or {self(_turned_round(joined))}"
        start = [f"    d = tuple(dict.fromkeys({self(items)}))", "    spend_on(S, d)"]
        where = _beside(joined, a, b) if self.c.inline else None  # a rule that is taken away may not be relied on
        if where is None:
            return [
                *start,
                "    left, r = d, []",
                "    while left:",
                "        part, left = [left[0]], left[1:]",
                f"        for {a} in part:",
                "            rest = []",
                "            spend_on(S, left)",
                f"            for {b} in left:",
                f"                if {test}: part.append({b})",
                f"                else: rest.append({b})",
                "            left = rest",
                "        r.append(part)",
                "    return sorted_parts(d, r)",
            ]
        here = self(where)
        return [
            *start,
            "    lying, seen, r = {}, set(), []",
            f"    for {a} in d: lying.setdefault({here}, []).append({a})",
            f"    for {a} in d:",
            f"        if {a} in seen: continue",
            f"        seen.add({a})",
            f"        part = [{a}]",
            f"        for {a} in part:",
            f"            for place in NEIGHBOURS.get({here}, ()):",
            "                near = lying.get(place, ())",
            "                spend_on(S, near)",
            f"                for {b} in near:",
            f"                    if {b} not in seen and ({test}):",
            f"                        seen.add({b})",
            f"                        part.append({b})",
            "        r.append(part)",
            "    return sorted_parts(d, r)",
        ]


def _turned_round(joined: E) -> E:
    """The relation asked from the other side: parts hold together whichever way it is true."""
    relation, (a, b) = joined.a
    return E("call", joined.type, (relation, (b, a)), joined.place)


# ---- relations that only neighbours can have ----


def _beside(e: E, a: str, b: str) -> E | None:
    """Where `a` lies, if `e` can only be true for two things that lie on neighbouring places.

    Then a part is found by going from place to place, without comparing everything with everything.
    """
    if e.op == "call":
        relation, args = e.a
        if relation.changes or relation.context is not None or any(x.op != "local" for x in args):
            return None
        names = {p.py: x.a[0] for p, x in zip(relation.params, args, strict=True)}
        inner = {py for py, name in names.items() if name == a}, {py for py, name in names.items() if name == b}
        if len(inner[0]) != 1 or len(inner[1]) != 1:
            return None
        here = _beside(relation.code, *inner[0], *inner[1])
        return None if here is None else _renamed(here, a)
    if e.op == "and":
        return next((x for x in (_beside(item, a, b) for item in e.a[0]) if x is not None), None)
    if e.op == "or":
        found = [_beside(item, a, b) for item in e.a[0]]
        forms = {_form(x) for x in found}
        return found[0] if len(forms) == 1 else None
    if e.op == "if":
        test, yes, no = e.a
        if _never(no):
            return _beside(test, a, b) or _beside(yes, a, b)
        if _never(yes):
            return _beside(no, a, b) or (_heading(test.a[0], a, b) if test.op == "same" and _none(test.a[1]) else None)
        return None
    if e.op == "fold" and e.a[0] == "any" and e.a[2] is not None:
        return _beside(e.a[2], a, b)
    if e.op == "not" and e.a[0].op == "same" and _none(e.a[0].a[1]):
        return _heading(e.a[0].a[0], a, b)
    if e.op == "same":
        left, right = e.a
        for one, two in ((left, right), (right, left)):
            if one.op == "heading_to" and not two.type.opt:
                return _heading(one, a, b)
            if one.op == "grid_step" and (one.a[2] is None or one.a[2].a == (1,)):
                return _places(one.a[0], two, a, b)
    if e.op == "member" and e.a[1].op == "function" and e.a[1].a[0] == "neighbours":
        return _places(e.a[0], e.a[1].a[1][0], a, b)
    return None


def _heading(heading: E, a: str, b: str) -> E | None:
    return _places(heading.a[0], heading.a[1], a, b) if heading.op == "heading_to" else None


def _places(one: E, two: E, a: str, b: str) -> E | None:
    """Two places that are told in the same way by `a` and by `b`: that of `a`."""
    if _form(one) is None or _form(one) != _form(two) or {_name(one), _name(two)} != {a, b}:
        return None
    return one if _name(one) == a else two


def _form(place: E | None) -> Any:
    if place is None:
        return None
    if place.op == "local":
        return ("itself",)
    return ("holder", place.a[1]) if place.op == "holder" and place.a[0].op == "local" else None


def _name(place: E) -> Any:
    return place.a[0] if place.op == "local" else place.a[0].a[0]


def _renamed(place: E, name: str) -> E:
    if place.op == "local":
        return E("local", place.type, (name,), place.place)
    return E(place.op, place.type, (_renamed(place.a[0], name), place.a[1]), place.place)


def _never(e: E) -> bool:
    return e.op == "const" and e.a[0] is False


def _none(e: E) -> bool:
    return e.op == "const" and e.a[0] is None
