"""A game with a clock: choices and the passing of time, both in one log.

Takes the same table as any game. In virtual time the clock moves by itself when everybody is busy or
waits; in a live game only `advance` moves it, and the log keeps the instant of every choice.
"""

from __future__ import annotations

from typing import Any

from .bind import STEPS
from .diagnostics import IllegalChoice, UsageError
from .game import RULE_FAILS, Decision, Game, Option
from .runtime.lent import WAIT
from .slots import (
    ASK,
    CLOCK,
    CONT,
    EVENT,
    FLICKED,
    FUEL,
    NEWS,
    OPTIONS,
    OTHERS,
    OVER,
    PLAYER,
    PROCEED,
    RET,
    REVEALED,
)


class TimedGame(Game):
    """A game in which time is counted, in whole seconds."""

    __slots__ = ()

    # ---- looking ----

    @property
    def over(self) -> bool:
        """Whether nothing is left to decide. While all are busy in a live game, nobody is asked either."""
        return self.S[OVER] is not None

    @property
    def now(self) -> int:
        """Seconds since the game began."""
        return self.S[CLOCK]  # type: ignore[no-any-return]

    @property
    def next_event(self) -> int | None:
        """The instant at which something will happen by itself; None if nothing will."""
        return self.table.ns["next_instant"](self.S)  # type: ignore[no-any-return]

    @property
    def busy(self) -> dict[int, int | None]:
        """Seats that are not asked, with the instant until which they are busy; None: until something happens."""
        return {parked[0]: parked[2] for parked in self.S[self.table.ns["PARKED"]]}

    @property
    def live(self) -> tuple[int, ...] | None:
        """The seats of people in a live game; None in virtual time."""
        return self.S[self.table.ns["LIVE"]]  # type: ignore[no-any-return]

    def _not_asked(self, who: int | None) -> str:
        if who is not None and who in self.busy:
            until = self.busy[who]
            words = (
                "waits" if until is None else f"is busy until {self.table.ns['clock_text'](self.S, until)}"
            )
            return f"Player {who + 1} {words}."
        return super()._not_asked(who) if self.S[PLAYER] is not None else "Nobody is asked now."

    def _settle(self) -> None:
        self._run("settle_timed", None)

    @property
    def decisions(self) -> list[Decision]:
        """All open decisions, one a player: who is asked a question acts when it is answered."""
        first: dict[int, Decision] = {}
        for decision in super().decisions:
            first.setdefault(decision.player, decision)
        found = list(first.values())
        for decision in found[1:]:  # each with the event in which it is asked
            state, ns = decision._state, self.table.ns
            thread = ns["thread_of"](decision.player, state[ASK], state[CONT])
            state[EVENT], state[PROCEED] = ns["context"](state, thread)
        return found

    def waits(self, index: int, player: int | None = None) -> bool:
        """Whether an option only lets time pass, or leaves a menu in real time."""
        S = self.S
        options, ask = S[OPTIONS], S[ASK]
        if player is not None and player != S[PLAYER]:
            options, ask = next(((o[1], o[3]) for o in S[OTHERS] if o[0] == player), ((), 0))
        if index >= len(options):
            return False
        leaves = options[index] is None and ask < 0 and self.table.ns["MENUS"][-1 - ask]["real_time"]
        return bool(leaves) or options[index] == WAIT

    # ---- moving on ----

    def choose(self, option: int | str | Option, player: int | None = None) -> None:
        """Takes an option: its index, its key, or the option itself; `player` says whose answer it is."""
        S = self.S
        if S[PLAYER] is None and not self.over:
            raise IllegalChoice("nobody is asked now: all are busy, and time must pass")
        index = self._find(option, player)
        entry: Any = index if not S[OTHERS] else (S[PLAYER], index)
        if self.live is not None:
            entry = (S[PLAYER], index, S[CLOCK])
        S[RET] = S[OPTIONS][index]
        S[NEWS] = ()
        S[REVEALED] = False
        self._run("drive", S[CONT])
        if self.S[FLICKED] is not None:
            entry = self._flicked(entry)
        self.history = (self.history, entry)

    def step(self, index: int) -> int:
        """Takes the option at `index`, and gives the number of options that come next."""
        S = self.S
        options, who = S[OPTIONS], S[PLAYER]
        if type(index) is not int or who is None or not 0 <= index < len(options) or self.live is not None:
            self.choose(index)
            return len(self.S[OPTIONS])
        entry: Any = (who, index) if S[OTHERS] else index
        S[RET], S[NEWS], S[REVEALED] = options[index], (), False
        self._run("drive", S[CONT])
        self.history = (self.history, entry if S[FLICKED] is None else self._flicked(entry))
        return len(S[OPTIONS])

    def advance(self, seconds: int) -> None:
        """Lets so many seconds pass, whoever may act: timers run out, and those who were busy become free."""
        if type(seconds) is not int or seconds < 0:
            raise UsageError(f"time passes by a whole number of seconds from 0 on, not {seconds!r}")
        self._advance(self.S[CLOCK] + seconds)

    def _advance(self, to: int) -> None:
        if self.over:
            return
        before = self.S[:]
        self._run("advance", to)
        after = self.S
        after[FUEL] = before[FUEL] = before[CLOCK] = 0
        quiet = [*after[:CLOCK], 0, *after[CLOCK + 1 :]] == before
        if self.live is None or not quiet:  # in a live game the next choice tells the time
            self.history = (self.history, (None, to))

    def go_live(self, people: Any = ()) -> None:
        """From here on a wall clock moves time, by `advance`. What people do takes the time they need."""
        seats = tuple(sorted(people))
        for seat in seats:
            self._seat(seat)
        if self.over:
            raise UsageError("the game is over")
        self.S[self.table.ns["LIVE"]] = seats
        self.history = (self.history, (None, seats))

    def _run(self, what: str, argument: Any) -> None:
        """From here to the next question; what fails in it takes the game back."""
        self.S[FUEL] = STEPS
        now = self.S[CLOCK]
        try:
            self.table.ns[what](self.S, argument)
        except RULE_FAILS as error:
            failure = self._rule_error(error)
            self._rewind(self._past())
            if self.live is not None and what == "drive":
                self._advance(now)
            raise failure from None

    # ---- the past ----

    def _again(self, entry: Any) -> None:
        """Does once more what an entry of the log tells."""
        if not isinstance(entry, tuple | list):
            self.choose(entry)
            return
        self.let_pass(entry)
        if entry[0] is not None:
            self.choose(entry[1], player=entry[0])

    def let_pass(self, entry: Any) -> None:
        """What an entry of the log tells besides a choice: the time that passed before it, or that it is live."""
        if entry[0] is None and isinstance(entry[1], tuple | list):
            self.go_live(entry[1])
        elif entry[0] is None or len(entry) == 3:
            to = entry[1 if entry[0] is None else 2]
            if entry[0] is None or to > self.now:
                self._advance(to)

    def undo(self, n: int = 1) -> None:
        """Back to the decision before, or n decisions back; time goes back with them."""
        if self.live is not None:
            raise UsageError("a live game has no undo: time cannot be taken back")
        if type(n) is not int or n < 0:
            raise UsageError(f"decisions are undone by a number from 0 on, not {n!r}")
        done = self._past()
        made = [at for at, entry in enumerate(done) if not (isinstance(entry, tuple) and entry[0] is None)]
        if n > len(made):
            raise IllegalChoice(f"only {len(made)} decisions can be undone")
        self._rewind(done[: made[-n]] if n else done)
