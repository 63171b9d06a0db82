"""A live game at the keyboard: the wall clock runs while people type.

Takes a session and single keys from a terminal, or lines from a pipe; writes to the screen. Nothing that
is printed waits for input, and what was typed so far stays in sight.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..diagnostics import OrreryError
from ..face import Decision, RuleError, UsageError
from ..live import Live
from ..session import Session
from .answers import COMMANDS, Choice, Command, Puzzle, command, understand
from .play import Keyboard, Leave, Table, clock_line
from .screen import Screen


class Keys:
    """What is typed, without waiting for it."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.file = sys.stdin.fileno()
        self.lively = sys.stdin.isatty() and screen.lively
        self.lines: list[str] = []  # finished, but not read yet
        self.typed = ""
        self.closed = False
        self.shown = ""

    @contextmanager
    def ready(self) -> Iterator[None]:
        """Keys come one by one while this lasts; the terminal is as before afterwards."""
        if not self.lively:
            yield
            return
        try:
            import termios
            import tty
        except ImportError:
            raise UsageError("a live game needs a terminal that gives its keys one by one") from None
        before = termios.tcgetattr(self.file)
        try:
            tty.setcbreak(self.file)
            yield
        finally:
            termios.tcsetattr(self.file, termios.TCSADRAIN, before)

    def line(self, seconds: float) -> str | None:
        """The next line, if one was finished; waits so many seconds for a key."""
        if not self.lines and not self.closed and select.select([self.file], [], [], seconds)[0]:
            self.take(os.read(self.file, 4096))
        if not self.lines:
            return None
        self.hide()
        self.screen.line("> ", self.lines[0])
        return self.lines.pop(0)

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return self.closed and not self.lines

    def take(self, data: bytes) -> None:
        escaped = False
        if not data:
            self.closed = True
            self.lines += [self.typed] if self.typed.strip() else []
        for key in data.decode(errors="replace"):
            if escaped:
                escaped = not key.isalpha() and key != "~"  # keys like the arrows say nothing here
            elif key in "\r\n":
                self.lines.append(self.typed)
                self.typed = ""
            elif key == "\x1b":
                escaped = True
            elif key in "\x7f\b":
                self.typed = self.typed[:-1]
            elif key == "\x15":
                self.typed = ""
            elif key == "\x04":
                self.closed = self.closed or not self.typed
            elif key.isprintable():
                self.typed += key

    def show(self, clock: str) -> None:
        """The line at the bottom: the time, and what was typed so far."""
        line = f"{clock} > {self.typed}"
        if self.lively and line != self.shown:
            self.screen.console.file.write(f"\r\x1b[K{line}")
            self.screen.console.file.flush()
            self.shown = line

    def hide(self) -> None:
        """Makes room for what is to be printed above it."""
        if self.lively and self.shown:
            self.screen.console.file.write("\r\x1b[K")
            self.screen.console.file.flush()
            self.shown = ""


class LiveTable(Table):
    """One session at one keyboard, under the wall clock."""

    def __init__(
        self, session: Session, screen: Screen, keys: Keys, clock: Callable[[], float] | None = None
    ) -> None:
        super().__init__(session, screen, Keyboard(screen))
        self.keys = keys
        self.live = Live(session, clock) if clock is not None else Live(session)
        self.heard = 0  # lines of news since the last choice that were told
        self.offered: dict[int, list[str]] = {}  # what each person was last shown

    def play(self) -> int:
        self._open()
        self.screen.line(("The clock runs. `pause` stops it, ctrl-C saves and leaves.", "dim"))
        try:
            with self.keys.ready():
                for seat in self.session.people:
                    self._look(seat)
                while not self.session.over:
                    self._happen()
                    self._offers()
                    if self.session.over:
                        break
                    self._say_unsaid(self.session.people)
                    self.keys.show(self._time())
                    line = self.keys.line(min(0.25, self.live.patience))
                    if line is not None:
                        self._line(line.strip())
                    if self.keys.ended:
                        raise Leave
        except (Leave, KeyboardInterrupt):
            self.keys.hide()
            self.live.keep()
            self._goodbye()
            return 0
        self.keys.hide()
        self._close()
        return 0

    def _time(self) -> str:
        return str(self.game.table.ns["clock_text"](self.game.S, self.game.now))

    # --- what happens by itself ---------------------------------------------------------------------

    def _happen(self) -> None:
        """Time passes and bots act; what a person may hear of it is told."""
        try:
            self.live.catch_up()
            self._tell_news()
            steps = self.live.let_bots()
            if steps:
                self.keys.hide()
                self._tell(steps, self._viewer())
                self.heard = len(self.game.news(self._viewer()))
        except RuleError as error:
            raise OrreryError(f"{error}\nThe game has stopped at {self._time()}.{self._kept()}") from error

    def _tell_news(self) -> None:
        news = self.game.news(self._viewer())
        for sentence in news[self.heard :]:
            self.keys.hide()
            self.screen.say(sentence, indent=f"{self._time():>7}  ")
        self.heard = len(news)

    def _viewer(self) -> int | None:
        people = self.session.people
        return people[0] if len(people) == 1 else None

    def _offers(self) -> None:
        """Tells people what they may do, when that is something else than before."""
        open_now = {d.player: d for d in reversed(self.game.decisions) if d.player in self.session.people}
        for seat in self.session.people:
            decision = open_now.get(seat)
            keys = [] if decision is None else ["#"] if decision.amount else decision._all()[0]
            shown = [decision.prompt if decision is not None and decision.amount else "", *keys]
            if shown == self.offered.get(seat):
                continue
            self.offered[seat] = shown
            self.keys.hide()
            if decision is None:
                self.screen.line((f"{self._time():>7}  {self._name(seat)} waits.", "dim"))
                continue
            if len(self.session.people) > 1:
                self.screen.line((f"{self._name(seat)} (answer with `{seat + 1}: …`)", "dim"))
            self._choices(decision)

    # --- what people type ---------------------------------------------------------------------------

    def _line(self, line: str) -> None:
        if not line or line.startswith("#"):
            return
        seat, text = self._whose(line)
        if seat is None:
            self.screen.say(text, "yellow")
            return
        self.live.catch_up()
        decision = self._question(seat)
        if decision is None:
            meant: Choice | Command | Puzzle = command(text) or Puzzle(
                f"{self._name(seat)} has nothing to decide now; commands like `look` can be typed"
            )
        else:
            meant = understand(text, decision)
        if isinstance(meant, Puzzle):
            self.screen.say(meant.text, "yellow")
        elif isinstance(meant, Command):
            self._order(meant, seat)
        else:
            self._choose(meant, seat)

    def _answer(self, player: int, key: str) -> None:
        try:
            self.live.answer(player, key)
        finally:
            self.heard = 0
            self.offered.pop(player, None)
            self._tell_news()

    def _question(self, player: int) -> Decision | None:
        return next((d for d in self.game.decisions if d.player == player), None)

    def _whose(self, line: str) -> tuple[int | None, str]:
        people = self.session.people
        number, colon, rest = line.partition(":")
        if colon and number.strip().isdecimal() and rest.strip():
            seat = int(number) - 1
            if seat in people:
                return seat, rest.strip()
            return None, f"nobody at this keyboard has seat {number.strip()}"
        if len(people) == 1:
            return people[0], line
        if line.split()[0].casefold() in COMMANDS:
            return people[0], line
        return None, "who? Write the seat before it, as in `2: wait`"

    def _order(self, meant: Command, seat: int) -> None:
        if meant.name == "pause":
            self._pause()
        elif meant.name in ("hint", "more") and all(d.player != seat for d in self.game.decisions):
            self.screen.line(f"{self._name(seat)} has nothing to decide now.")
        else:
            self._obey(meant, seat)

    def _pause(self) -> None:
        self.live.pause()
        self.live.keep()
        self.screen.line(f"The clock stands at {self._time()}. Press Enter to go on.")
        while not self.keys.ended and self.keys.line(1.0) is None:
            self.keys.show(f"{self._time()} (paused)")
        self.live.go_on()

    def _look(self, player: int, whole: bool = False) -> None:
        self.screen.gap()
        self.screen.rule(f"{self._name(player)}")
        self.screen.picture(self.game.drawing(player))
        self.screen.line((clock_line(self.game), "dim"))
        self.offered.pop(player, None)
