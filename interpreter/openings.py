"""Openings: a game's state at its first decision, kept for each of the few ways that chance can lead there.

Takes what set-up drew at random and the state that came of it; gives that state again to the next game
that draws the same. Where chance has many ways (a pile of cards), nothing is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from .slots import RNG

MOST = 64  # ways that are worth keeping
FACTOR, STEP, MASK = 6364136223846793005, 1442695040888963407, (1 << 64) - 1  # the generator of the runtime


def scramble(seed: int) -> int:
    """Spreads a seed over 64 bits (splitmix), so that near seeds give far games."""
    x = (seed + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


class Openings:
    """A tree: a state, or (how many ways, what follows each), or None where nobody has been yet."""

    def __init__(self, chance: bool) -> None:
        self.root: Any = None
        self.closed = False
        self.chance = chance  # whether anything is ever drawn at random; if not, the generator is never set

    def begin(self, seed: int) -> int:
        """The generator at the start of a game."""
        return scramble(seed) if self.chance else 0

    def find(self, seed: int) -> list[Any] | None:
        """The state at the first decision of this seed's game, if another game has led there."""
        node = self.root
        if not self.chance:
            return None if node is None else node[:]
        if node is None:
            return None
        # `scramble` and the runtime's `chance`, written out: every game of a short ruleset begins here.
        s = (seed + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        s = ((s ^ (s >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        s = ((s ^ (s >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        s ^= s >> 31
        while type(node) is tuple:
            ways, following = node
            s = (s * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
            node = following[(s >> 32) * ways >> 32]
        if node is None:
            return None
        found: list[Any] = node[:]
        found[RNG] = s
        return found

    def watched(self, ns: dict[str, Any], run: Callable[[], None]) -> list[tuple[int, int]]:
        """Runs a set-up; gives what it drew: out of how many ways, and which."""
        drawn: list[tuple[int, int]] = []
        chance, shuffle = ns["chance"], ns["shuffle"]

        def counted(S: list[Any], n: int) -> int:
            found: int = chance(S, n)
            drawn.append((n, found))
            return found

        def shuffled(S: list[Any], zone: int) -> None:
            at = S[RNG]
            for ways in range(len(S[zone]), 1, -1):
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
            self.root, self.closed = None, True
            return
        if not drawn:
            self.root = S[:]
            return
        if self.root is None:
            self.root = (drawn[0][0], [None] * drawn[0][0])
        node = self.root
        for (_, which), (ways, _) in pairwise(drawn):
            if node[1][which] is None:
                node[1][which] = (ways, [None] * ways)
            node = node[1][which]
        node[1][drawn[-1][1]] = S[:]
