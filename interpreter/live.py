"""A game under the wall clock. No terminal.

Takes a session and a clock that tells seconds; lets game time follow it, second by second, and lets bots
act when they are free. People answer whenever they like. What happened is in the game's log with its
instants, so that the same game can be had again without any clock.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from .session import Session, Step

MOST_DEEDS = 50  # of bots, between two looks at the clock


class Live:
    """A session whose time is that of a wall clock."""

    def __init__(self, session: Session, clock: Callable[[], float] = time.monotonic) -> None:
        self.session, self.game, self.clock = session, session.game, clock
        if self.game.live is None or set(self.game.live) != set(session.people):
            self.game.go_live(session.people)
        self._zero = clock() - self.game.now  # when the game began, as if it had never been put aside
        self._stopped: float | None = None

    # --- the clock ----------------------------------------------------------------------------------

    @property
    def now(self) -> int:
        """The second that it is. A wall clock that is set back does not turn back the game."""
        at = self.clock() if self._stopped is None else self._stopped
        return max(self.game.now, math.floor(at - self._zero))

    @property
    def paused(self) -> bool:
        return self._stopped is not None

    def pause(self) -> None:
        """Time stands still until `go_on`."""
        if self._stopped is None:
            self._stopped = self.clock()

    def go_on(self) -> None:
        if self._stopped is not None:
            self._zero += self.clock() - self._stopped
            self._stopped = None

    @property
    def patience(self) -> float:
        """Wall seconds until game time is a second further."""
        return 1.0 if self.paused else max(0.0, self._zero + self.game.now + 1 - self.clock())

    # --- what happens -------------------------------------------------------------------------------

    def catch_up(self) -> None:
        """Lets the game's time follow the clock: what is due happens."""
        seconds = self.now - self.game.now
        if seconds > 0 and not self.game.over:
            self.game.advance(seconds)

    def answer(self, seat: int, option: int | str) -> Step:
        """A person's decision, at this second. Raises IllegalChoice if it is not on offer any more."""
        self.catch_up()
        return self.session.answer(option, seat)

    def let_bots(self) -> list[Step]:
        """Bots that are free decide; what they do keeps them busy, as in virtual time."""
        steps: list[Step] = []
        while len(steps) < MOST_DEEDS and not self.game.over:
            seat = next((d.player for d in self.game.decisions if d.player not in self.session.people), None)
            if seat is None:
                break
            steps.append(self.session.let_bot(seat))
        return steps

    def keep(self) -> None:
        """Saves the game as it stands, its time included."""
        self.session.saved = False
        self.session.save()
