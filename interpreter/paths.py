"""Paths: positions that games of a table have come to before, and where each option led from there.

Takes states as games come to them; gives the one that the same option led to last time. A small game soon walks
along known paths alone, and a copy of it shares its position. Meant for games that have no chance after set-up;
what is kept is bounded, and holds nothing of any single game but what all that come by have in common.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import index as whole
from typing import Any, NoReturn

from .slots import OPTIONS

MOST = 4_000_000  # letters of all positions that are kept, written down: bounds their number and their size alike


class Known(list[Any]):
    """A state that games share. Whoever changes a state takes a copy first, which is a plain list."""

    __slots__ = ("leads", "ways")

    ways: int  # options
    leads: list[Known | None]  # where each of them leads; behind them None for each again, which an index below 0 finds

    def __setitem__(self, at: Any, value: Any) -> NoReturn:
        raise AssertionError("a position that games share is never changed")


class Paths:
    """The known positions of a table."""

    def __init__(self) -> None:
        self.positions: dict[str, Known] = {}
        self.room = MOST

    def position(self, state: list[Any]) -> Known | None:
        """The position of a state; None if it is new and there is no room for it, or if it asks for a number."""
        if isinstance(state[OPTIONS], range):  # too many ways lead on for anybody to come by again
            return None
        text = repr(state)  # tells truths, whole numbers and halves apart, which equality does not
        found = self.positions.get(text)
        if found is None:
            self.room -= len(text)
            if self.room < 0:
                return None
            self.positions[text] = found = Known(state)
            found.ways = len(state[OPTIONS])
            found.leads = [None] * (2 * found.ways)
        return found

    def tread(self, game: Any, index: Any, walk: Callable[[Any, Any], int]) -> int:
        """Takes a step that nobody has taken yet, on a state of the game's own, and remembers where it led.

        A game that finds a new position goes on alone: so each adds one at the most, and those that many games
        come by are found first.
        """
        here = game.S
        game.S = here.copy()
        count = walk(game, index)
        if self.room > 0:
            many = len(self.positions)
            here.leads[whole(index)] = there = self.position(game.S)
            if there is not None and len(self.positions) == many:
                game.S = there
        return count
