"""Openings: a game's state at its first decision, kept for each of the few ways that chance can lead there.

Takes what set-up drew at random and the state that came of it; gives that state again to the next game
that draws the same. Where chance has many ways (a pile of cards), nothing is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .paths import Known, Paths
from .slots import RNG

MOST = 64  # ways that are worth keeping
FACTOR, STEP, MASK = 6364136223846793005, 1442695040888963407, (1 << 64) - 1  # the generator of the runtime
SPREAD = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


def scramble(seed: int) -> int:
    """Spreads a seed over 64 bits (splitmix), so that near seeds give far games."""
    x = (seed + SPREAD[0]) & MASK
    x = ((x ^ (x >> 30)) * SPREAD[1]) & MASK
    x = ((x ^ (x >> 27)) * SPREAD[2]) & MASK
    return x ^ (x >> 31)


class Openings:
    """States at the first decision, by what was drawn on the way there; None where nobody has been yet."""

    def __init__(self, chance: bool, later: bool = True) -> None:
        self.ways: tuple[int, ...] | None = None  # out of how many each draw was; None until a game has begun
        self.states: list[list[Any] | None] = []
        self.closed = False
        self.chance = chance  # whether anything is ever drawn at random; if not, the generator is never set
        self.later = later  # whether anything is drawn after set-up; if not, the generator ends with it
        self.paths: Paths | None = None  # where games go from here, if that is remembered

    def begin(self, seed: int) -> int:
        """The generator at the start of a game."""
        return scramble(seed) if self.chance else 0

    def find(self, seed: int) -> list[Any] | None:
        """The state at the first decision of this seed's game, if another game has led there."""
        if self.ways is None:
            return None
        s, at = self.begin(seed), 0
        for ways in self.ways:
            s = (s * FACTOR + STEP) & MASK
            at = at * ways + ((s >> 32) * ways >> 32)
        state = self.states[at]
        if state is None or type(state) is Known:
            return state
        found = state[:]
        found[RNG] = s if self.later else 0
        return found

    def lines(self) -> Iterator[str]:
        """`find`, written out: every game of a short ruleset begins here. Leaves the state in `S`."""
        assert self.ways is not None
        where = "0"
        if self.chance:
            yield f"s = (seed + {SPREAD[0]}) & {MASK}"
            yield f"s = ((s ^ (s >> 30)) * {SPREAD[1]}) & {MASK}"
            yield f"s = ((s ^ (s >> 27)) * {SPREAD[2]}) & {MASK}"
            yield "s ^= s >> 31"
        for number, ways in enumerate(self.ways):
            yield f"s = (s * {FACTOR} + {STEP}) & {MASK}"
            drawn = f"(s >> 32) * {ways} >> 32"
            if ways < 5:  # a few comparisons with what each of them begins at are quicker
                drawn = " + ".join(f"(s >= {-(-(at << 32) // ways) << 32})" for at in range(1, ways)) or "0"
            where = f"at * {ways} + ({drawn})" if number else drawn
            if number < len(self.ways) - 1:
                yield f"at = {where}"
        yield f"S = STATES[{where}]"
        yield "if S is None: return Own.begun(rules, seed)"
        if self.paths is not None:
            yield "if S.__class__ is list: S = S.copy()"
        else:
            yield "S = S.copy()"
            if self.chance and self.later:
                yield f"S[{RNG}] = s"

    def watched(self, ns: dict[str, Any], run: Callable[[], None]) -> list[tuple[int, int]]:
        """Runs a set-up; gives what it drew: out of how many ways, and which. Draws beyond MOST are not told.

        The generator has gone further then, so that nothing is kept.
        """
        drawn: list[tuple[int, int]] = []
        chance, shuffle = ns["chance"], ns["shuffle"]

        def counted(S: list[Any], n: int) -> int:
            found: int = chance(S, n)
            if len(drawn) <= MOST:
                drawn.append((n, found))
            return found

        def shuffled(S: list[Any], zone: int) -> None:
            at = S[RNG]
            for ways in range(len(S[zone]), 1, -1):
                if len(drawn) > MOST:
                    break
                at = (at * FACTOR + STEP) & MASK
                drawn.append((ways, (at >> 32) * ways >> 32))
            shuffle(S, zone)

        ns["chance"], ns["shuffle"] = counted, shuffled
        try:
            run()
        finally:
            ns["chance"], ns["shuffle"] = chance, shuffle
        return drawn

    def keep(self, seed: int, drawn: list[tuple[int, int]], S: list[Any]) -> None:
        """Remembers where these draws led, unless there are too many ways to be here again."""
        s, product = self.begin(seed), 1
        for ways, _ in drawn:
            s = (s * FACTOR + STEP) & MASK
            product *= ways
            if product > MOST:
                break
        if product > MOST or s != S[RNG]:  # something else was drawn that nobody told us of
            self.ways, self.closed = None, True
            return
        ways_now = tuple(ways for ways, _ in drawn)
        if self.ways is None:
            self.ways, self.states = ways_now, [None] * product
        if ways_now == self.ways:  # where draws hang on draws, those like the first game's are kept
            at = 0
            for ways, which in drawn:
                at = at * ways + which
            S = S[:]
            if not self.later:
                S[RNG] = 0
            self.states[at] = (self.paths and self.paths.position(S)) or S
