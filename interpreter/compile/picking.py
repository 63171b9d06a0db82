"""A set that is picked one by one, where nothing but what is printed tells the pieces apart.

Such a question has a block of its own. Its frame keeps the pieces that the set comes from, and the first of
each look among those that may still be picked, so that the options of the next pick are a slice of those of
the last. Where any of this may not hold, the runtime's `pick_set` asks instead.
"""

from __future__ import annotations

from typing import Any

from ..ir import Ask, E, X
from ..slots import ASK, CONT, OPTIONS, PLAYER, RET
from ..types import NUMBER, list_of
from .reading import After


def seen_by_chooser(zone: E, player: E) -> bool:
    """Whether whoever chooses always sees what lies in a zone."""
    declared, owner = zone.a
    if declared.seen_by == "all":
        return True
    mine = owner is not None and owner.op == player.op == "local" and owner.a == player.a
    return bool(declared.seen_by == "owner" and declared.of == ["player"] and mine)


class Picking:
    """Writes one such question; `w` writes the blocks of the routine around it."""

    def __init__(self, w: Any, ask: Ask, kept: list[str], number: int) -> None:
        self.w, self.ask, self.kept, self.number = w, ask, kept, number
        fresh, types = w.c.fresh, w.c.loop_types
        self.items, self.firsts, self.taken = fresh("items"), fresh("firsts"), fresh("taken")
        types.update(dict.fromkeys([self.items, self.firsts, self.taken], list_of(ask.binders[0][1])))
        self.own = [self.items, self.firsts, self.taken]
        self.player = self.named(w.x(ask.player), kept, "who", ask.player.type)
        self.low = self.counted(ask.low) if ask.low is not None else "0"
        same = ask.low is not None and ask.high is not None and w.x.whole(ask.low) == w.x.whole(ask.high)
        self.high = self.low if same else self.counted(ask.high) if ask.high is not None else ""
        self.exact = bool(self.low) and self.low == self.high
        self.auto = w.c.asks[number]["auto_set"]

    def named(self, text: str, known: list[str], prefix: str, kind: Any) -> str:
        """A name for a value that every pick needs; it becomes part of the frame unless it is there already."""
        if text in known or text.isdigit():
            return text
        name: str = self.w.c.fresh(prefix)
        self.w.c.loop_types[name] = kind
        self.w.put(f"{name} = {text}")
        self.own.append(name)
        return name

    def counted(self, n: E) -> str:
        text: str = self.w.x.whole(n)
        if n.op != "local" or text != n.a[0]:
            return self.named(text, [], "n", NUMBER)
        if text not in self.kept:
            self.own.append(text)
        return text

    def found(self, text: str) -> tuple[bool, int | None]:
        """Whether a value is part of the frame, and its place there; else what it is."""
        if not text or text.isdigit():
            return (False, int(text) if text else None)
        return (True, [*self.kept, *self.own].index(text))

    def write(self, block: int, zone: E, rest: list[X], then: After) -> None:
        """From here to what follows; `block` takes the set from `pick_set`, `zone` is where its pieces lie."""
        w, items, firsts, taken = self.w, self.items, self.firsts, self.taken
        result = self.ask.name_of_set
        w.put(f"{items} = {w.c.candidates(self.ask)}")
        tests = [f"PLAIN_{self.number}", f"len({items}) > {self.low}"]
        if self.high and not (self.high.isdigit() and self.high != "0"):
            tests.append(f"{self.high} > 0")
        asked = f"{self.player}, {items}, {self.number}, {self.low}, {self.high or None}"
        w.put(f"if not ({' and '.join(tests)}): return pick_set(S, {asked}, {w.frame(block, self.kept)})")
        w.put(f"{firsts} = firsts_of({items})")
        w.put(f"{taken} = ()")
        back = w.c.block([*self.kept, *self.own])
        w.c.picks[back] = [block, self.number, len(self.kept)]
        w.c.picks[back] += [self.found(text) for text in (self.player, self.low, self.high, items, taken)]
        self.next(back, self.low)
        self.answered(back)
        done = w.c.block([*self.kept, result])
        w.jump(done, [*self.kept, taken])
        w.start(block, self.kept, f"{result} = S[{RET}]")
        w.jump(done, [*self.kept, result])
        w.start(done, [*self.kept, result])
        if rest:
            whose = zone.a[1]
            at_hand = whose is None or (whose.op == "local" and whose.a[0] in self.kept)
            w.c.moving.fresh = (rest[0], result, zone, at_hand)
        then([*self.kept, result])

    def next(self, back: int, short: str) -> None:
        """Asks for the next piece; `short` is how many are still missing."""
        w, items, firsts = self.w, self.items, self.firsts
        options = firsts
        if not short.isdigit() or int(short) > 1:
            options = f"{firsts} if {short} < 2 else within({items}, {firsts}, {short})"
        if short == "0":
            options = f"(*{options}, None)"
        elif not short.isdigit() and not self.exact:
            options = f"(*{firsts}, None) if {short} < 1 else {options}"
        w.put(f"S[{PLAYER}] = {self.player}")
        w.put(f"S[{OPTIONS}] = {options}")
        w.put(f"S[{CONT}] = {w.frame(back, [*self.kept, *self.own])}")
        w.put(f"S[{ASK}] = {self.number}")
        w.put("return None")

    def answered(self, back: int) -> None:
        """One more piece is picked, or it is enough; goes on after the last."""
        w, items, firsts, taken, low = self.w, self.items, self.firsts, self.taken, self.low
        w.start(back, [*self.kept, *self.own], f"v = S[{RET}]")
        if not self.exact:
            w.put("if v is not None:")
            w.depth += 1
        w.put(f"{taken} += (v,)")
        if self.high == "1":  # one at the most
            w.depth = 1
            return
        if self.high:
            w.put(f"if len({taken}) < {self.high}:")
            w.depth += 1
        few = low.isdigit() and int(low) < 2
        if not few:
            w.put(f"n = {low} - len({taken})")
            if self.auto:
                w.put(f"d = left_after({items}, {taken})")
                w.put(f"if n == len(d): {taken} += d")
                w.put("else:")
                w.depth += 1
        w.put(f"{firsts} = firsts_after({items}, {firsts}, v)")
        if not self.exact:  # else enough are left, or the last one would have been no option
            w.put(f"if {firsts}:")
            w.depth += 1
        self.next(back, "0" if few else "n")
        w.depth = 1
