"""Pieces that go to a zone which is known: what the runtime would find out each time, found out once.

Takes the sentence `move` or `draw`, gives lines that do the same as `move_one` and `draw` where the zone has
room for all, pieces have no spots, and no face is hidden. Who sees a zone is looked up in the table.
"""

from __future__ import annotations

from typing import Any

from ..ir import E, X
from ..slots import FUEL, REVEALED
from ..types import Type
from .queries import FEW
from .shapes import conjuncts, walk

LONG = 200  # pieces in a zone, beyond which moving one of them takes steps of its own

STILL = ("const", "local", "game", "resource", "option", "compare", "same", "not", "and", "or", "sum")  # no card is in it


class Moving:
    def __init__(self, compiler: Any) -> None:
        self.c, self.model = compiler, compiler.model
        hidden = any(self.model.inherited(kind, "hidden_faces") for kind in self.model.kinds)
        self.hides = hidden or any(zone.seen_by != "all" for zone in self.model.zones.values())
        # The sentence right after a set was picked, the name of the set, where its pieces lie, and whether it is known there.
        self.fresh: tuple[X, str, E, bool] | None = None
        self.plain = compiler.inline and not hidden and not self.model.planes

    def roomy(self, zone: E) -> bool:
        """A zone that is there for sure, and never full."""
        return bool(self.plain and not self.c.limited(zone) and (zone.a[1] is None or not zone.a[1].type.opt))

    def kinds(self, kind: Type) -> list[str]:
        return list(self.model.family(str(kind.of)) if kind.of else self.model.kinds)

    def carries(self, kinds: list[str]) -> bool:
        """Whether such a piece may have rules that stand while it is in play."""
        return any(
            c.effect is not None and c.effect.lasts is None and c.kind in kinds
            for c in self.model.components.values()
        )

    def long(self) -> bool:
        """Whether a zone may ever hold so many pieces that moving one must be counted."""
        roots = [name for name, kind in self.model.kinds.items() if kind.parent is None]
        return bool(sum(self.c.most_pieces(name) for name in roots) > LONG)

    # ---- move ----

    def move(self, w: Any, what: E, zone: E, place: int) -> bool:
        """Writes `move what to zone`; False if it takes more than that."""
        kinds = self.kinds(what.type)
        if not self.roomy(zone) or what.type.opt:
            return False
        declared = zone.a[0]
        v, z = self.name(w, "v", w.x(what)), self.name(w, "z", w.x(zone))
        w.put(f"if {v} is None: move_one(S, {v}, {z}, '', {place})")
        w.put(f"o = S[LOC+{v}]")
        w.put("d = S[o]")
        w.put(f"S[o] = d[:-1] if d[-1] == {v} else d[:(at := d.index({v}))] + d[at+1:]")
        self.count(w, "d")
        w.put(f"S[{z}] += ({v},)")
        w.put(f"S[LOC+{v}] = {z}")
        if self.c.hideable(what.type):
            self.tell(w, declared, v, z)
        if self.carries(kinds):
            there = "not in" if declared.in_play else "in"
            w.put(f"if o {there} ZONE_PLAY: carry_rules(S, {v}, {z})")
        return True

    def picked(self, w: Any, st: X, what: E, zone: E) -> bool:
        """Writes `move what to zone` for a set that was just picked out of one zone; False if it is none."""
        if self.fresh is None or self.fresh[0] is not st or what.op != "local" or what.a[0] != self.fresh[1]:
            return False
        source = self.fresh[2]
        if not self.roomy(source) or not self.roomy(zone) or self.c.most_held(source.a[0]) > FEW:
            return False
        if source.a[0] is zone.a[0] or source.a[0].in_play != zone.a[0].in_play or zone.a[0].seen_by != "all":
            return False
        chosen, z = what.a[0], self.name(w, "z", w.x(zone))
        # Whose zone it was need not be at hand any more: then they know where they lie.
        o = self.name(w, "o", w.x(source) if self.fresh[3] else f"S[LOC+{chosen}[0]] if {chosen} else {z}")
        w.put(f"d = list(S[{o}])")
        w.put(f"for v in {chosen}:")
        w.depth += 1
        w.put("d.remove(v)")
        w.put(f"S[LOC+v] = {z}")
        w.depth -= 1
        w.put(f"S[{o}] = tuple(d)")
        w.put(f"S[{z}] += {chosen}")
        if self.hides:
            self.shown(w, source.a[0], chosen, o, z)
        return True

    def tell(self, w: Any, declared: Any, v: str, z: str) -> None:
        """Who knows a piece that has come from `o`, and whether that shows it to somebody."""
        told = f"came(S, ({v},), o, {z})"
        if declared.seen_by == "all":
            w.put(f"if S[REMEMBERED] and S[REMEMBERED] & BITS[{v}]: {told}")
            w.put(f"elif ZONE_SEES[o] != FLIPPED: S[{REVEALED}] = True")
            return
        w.put(f"n = ZONE_SEES[{z}]")
        w.put(f"if ZONE_SEES[o] & ~n or S[REMEMBERED] & BITS[{v}]: {told}")
        w.put(f"elif n & ~ZONE_SEES[o]: S[{REVEALED}] = True")

    def shown(self, w: Any, source: Any, chosen: str, o: str, z: str) -> None:
        """The same for a set that goes out of one zone to where all see it."""
        w.put(f"if S[REMEMBERED]: came(S, {chosen}, {o}, {z})")
        if source.seen_by != "all":
            w.put(f"elif {chosen}: S[{REVEALED}] = True")

    def drew(self, w: Any, source: Any, items: str, o: str, z: str) -> None:
        """Who knows cards that were drawn: whoever sees where they are, and whoever saw them on the pile."""
        if not self.hides:
            return
        w.put(f"if S[REMEMBERED]: forget(S, {items})" if source.seen_by == "nobody" else f"came(S, {items}, {o}, {z})")

    # ---- draw ----

    def drawn(self, source: E, goal: E) -> bool:
        """Whether cards go from here to there without more ado."""
        if not self.roomy(source) or not self.roomy(goal):
            return False
        return source.a[0] is not goal.a[0] and source.a[0].in_play == goal.a[0].in_play

    def many_drawn(self, w: Any, n: E, source: E, goal: E, py: str | None, place: int) -> bool:
        if self.long():
            return False
        many = str(w.x.whole(n))
        if not (many.isdigit() and many != "0"):
            w.put(f"n = {many}")
            many = "n"
        o, z = self.several(w, many, source, goal, [], py)
        w.put(f"else: {py + ' = ' if py else ''}draw(S, {many}, {o}, {z}, {place})")
        return True

    def draw(self, w: Any, n: E, source: E, goal: E, py: str | None, place: int) -> bool:
        """Writes `draw n from source to goal`; False if it takes more than that."""
        if not self.drawn(source, goal):
            return False
        if n.op != "const" or n.a[0] != 1:
            return self.many_drawn(w, n, source, goal, py, place)
        o, z = self.name(w, "o", w.x(source)), self.name(w, "z", w.x(goal))
        w.put(f"d = S[{o}]")
        w.put("if d:")
        w.depth += 1
        w.put("v = d[-1]")
        w.put(f"S[{o}] = d[:-1]")
        self.count(w, "d")
        w.put(f"S[{z}] += (v,)")
        w.put(f"S[LOC+v] = {z}")
        self.drew(w, source.a[0], "(v,)", o, z)
        w.put(f"S[{REVEALED}] = True")
        if py:
            w.put(f"{py} = (v,)")
        w.depth -= 1
        w.put(f"else: {py + ' = ' if py else ''}draw(S, 1, {o}, {z}, {place})")
        return True

    def in_a_row(self, w: Any, times: str, body: list[X]) -> bool:
        """Writes `repeat …: draw 1` as one draw for where the pile has enough; the loop is for where it has not.

        Sentences about an empty pile do not come to pass then, and conditions that no card changes hold for all.
        A few cards are no more than one step of whoever draws them.
        """
        row = self.row(w, list(body)) if body and self.plain and not self.long() else None
        if row is None:
            return False
        source, goal, tests = row
        w.put(f"n = {times}")
        self.several(w, "n", source, goal, [w.x(test) for test in tests])
        return True

    def several(self, w: Any, n: str, source: E, goal: E, tests: list[str], py: str | None = None) -> tuple[str, str]:
        """Writes what happens if a pile has `n` cards or more; gives the names of both zones."""
        o, z = self.name(w, "o", w.x(source)), self.name(w, "z", w.x(goal))
        at = py or "at"
        w.put(f"d = S[{o}]")
        w.put(f"if {' and '.join([f'0 < {n} <= len(d)' if n == 'n' else f'len(d) >= {n}', *tests])}:")
        w.depth += 1
        w.put(f"{at} = d[:-{n}-1:-1]")
        w.put(f"S[{o}] = d[:-{n}]")
        w.put(f"S[{z}] += {at}")
        w.put(f"for v in {at}: S[LOC+v] = {z}")
        self.drew(w, source.a[0], at, o, z)
        w.put(f"S[{REVEALED}] = True")
        w.depth -= 1
        return o, z

    def row(self, w: Any, body: list[X]) -> tuple[E, E, list[E]] | None:
        """Where cards are drawn from and to in a loop that does nothing else, and on what conditions."""
        tests: list[E] = []
        *before, last = body
        while last.op == "if" and len(last.a[0]) == 1 and not last.a[1] and len(last.a[0][0][1]) == 1:
            tests += conjuncts(last.a[0][0][0])
            last = last.a[0][0][1][0]
        if last.op != "draw" or last.a[3]:
            return None
        n, source, goal, _ = last.a
        if n.op != "const" or n.a[0] != 1 or not self.drawn(source, goal):
            return None
        for st in before:
            if st.op != "if" or len(st.a[0]) != 1 or st.a[1] or not self.dry(w, st.a[0][0][0], source):
                return None
        few = self.c.most_held(source.a[0]) <= FEW
        return (source, goal, tests) if few and all(self.still(w, test) for test in tests) else None

    def dry(self, w: Any, test: E, pile: E) -> bool:
        """A condition that holds only where a pile is empty."""
        for part in conjuncts(test):
            if part.op == "same" and part.a[1].op == "const" and part.a[1].a[0] == 0 and w.x.zone_size(part.a[0]):
                zone = part.a[0].a[1][0].a[0]
                if zone.op == "zone" and zone.a[0] is pile.a[0] and zone.a[1] is None and pile.a[1] is None:
                    return True
        return False

    def still(self, w: Any, test: E) -> bool:
        """A condition that stays as it is while cards are drawn."""
        return all(
            x.op in STILL or (x.op == "call" and w.x.inlined(*x.a) and self.still(w, x.a[0].code))
            for x in walk(test)
        )

    # ---- small tools ----

    def name(self, w: Any, name: str, text: str) -> str:
        """A name that stands for a text, unless it is one already."""
        if text.isidentifier():
            return text
        w.put(f"{name} = {text}")
        return name

    def count(self, w: Any, found: str) -> None:
        if self.long():
            w.put(f"if len({found}) > {LONG}: S[{FUEL}] -= len({found}) >> 4")
