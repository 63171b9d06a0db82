"""A game at the keyboard: the table, the choices, what was typed, and what came of it.

Takes a session and lines from a keyboard or a pipe; writes to the screen. Everything it prints for a
person is what `game` tells that person's seat, so nothing hidden can be read from it.
"""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from ..aim import aid
from ..compass import angle_of, name_of
from ..diagnostics import OrreryError
from ..face import Decision, Game, IllegalChoice, RuleError, UsageError
from ..session import HUMAN, Session, Step
from ..spoken import Viewer
from .answers import COMMANDS, LISTED, Choice, Command, Puzzle, Seen, bounds, numbered, read_on, understand
from .screen import Screen, Span, count
from .show import show_word

FEW, MANY = 12, 100  # directions that are listed one by one; that are listed at all
RECENT = 20  # steps that `log` shows unless told otherwise


class Leave(Exception):
    """The person has had enough."""


class Keyboard:
    """Lines from a person, with editing and completion; or from a pipe, echoed so that both can be read."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.lively = sys.stdin.isatty()
        self._words: list[str] = []
        if self.lively:
            self._prepare()

    def _prepare(self) -> None:
        try:
            import readline
        except ImportError:
            return

        def complete(begun: str, state: int) -> str | None:
            fitting = [word for word in self._words if word.startswith(begun)]
            return fitting[state] if state < len(fitting) else None

        readline.set_completer(complete)
        readline.set_completer_delims(" ")
        readline.parse_and_bind("tab: complete")

    def read(self, words: Iterable[str] = ()) -> str | None:
        """The next line; None at the end of the input."""
        self._words = [*words, *COMMANDS]
        if self.lively:
            try:
                return input("> ")
            except EOFError:
                self.screen.gap()
                return None
        line = sys.stdin.readline()
        if not line:
            return None
        self.screen.line("> ", line.rstrip("\n"))
        return line


class Table:
    """One session at one keyboard."""

    def __init__(self, session: Session, screen: Screen, keyboard: Keyboard) -> None:
        self.session = session
        self.game = session.game
        self.screen = screen
        self.keyboard = keyboard
        self.told: dict[Viewer, int] = {}  # steps that each person has read about
        self.begun = len(session.steps)
        self.last: int | None = None  # the person who decided last
        self.page = 0
        self.warned = False  # that the game cannot be saved
        self.unsaid: dict[int, str] = {}  # what became of a person's line, for under the next question

    def play(self) -> int:
        """Until the game or the input ends. Gives the exit code."""
        self._open()
        try:
            while not self.session.over:
                player = self.session.turn_of
                if player is None:
                    self._bot()
                else:
                    self._person(player)
        except (Leave, KeyboardInterrupt) as leaving:
            if isinstance(leaving, KeyboardInterrupt):
                self.screen.gap()
            self._goodbye()
            return 0
        self._close()
        return 0

    # --- one decision -------------------------------------------------------------------------------

    def _bot(self) -> None:
        player = self.game.player
        assert player is not None
        with self._thinking(f"{self._name(player)} is thinking …"):
            try:
                self.session.let_bot()
            except RuleError as error:
                raise OrreryError(
                    f"{error}\n{self._name(player)} could not go on, and the game has stopped"
                    f" at the decision before.{self._kept()}"
                ) from error
        if not self.session.people:
            self._news(None)

    def _person(self, player: int) -> None:
        self._hand_over(player)
        self.last = player
        self.page = 0
        self._news(player)
        if self.session.trouble and not self.warned:
            self.screen.say(f"The game goes on, but it is not saved: {self.session.trouble}", "red")
            self.warned = True
        self._look(player)
        self._say_unsaid([player] if self.session.secret else self.session.people)
        while True:
            decision = self.game.decision
            assert decision is not None
            line = self.keyboard.read(_completions(decision))
            if line is None:
                raise Leave
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            meant = understand(line, decision)
            if isinstance(meant, Puzzle):
                self.screen.say(meant.text, "yellow")
            elif isinstance(meant, Command):
                if self._obey(meant, player):
                    return
            elif self._choose(meant, player):
                return

    def _choose(self, meant: Choice, player: int) -> bool:
        """Take the answers of a line, as far as the same person is asked; true if there was one."""
        before: Seen | None = None
        while True:
            decision = self._question(player)
            assert decision is not None
            seen = Seen(self.game, decision, before) if meant.rest or before else None
            try:
                self._answer(player, decision.key(meant.option))
            except (IllegalChoice, UsageError, RuleError) as error:
                if before is None:
                    self.screen.say(str(error), "red")
                    return False
                self.unsaid[player] = str(error)
                return True
            if seen is None or not meant.rest:
                return True
            following = self._read_on(meant, player, seen)
            if isinstance(following, Puzzle):
                self.unsaid[player] = f"`{meant.rest}` was not used: {following.text}"
                return True
            meant, before = following, seen

    def _answer(self, player: int, key: str) -> None:
        self.session.answer(key, player)

    def _read_on(self, meant: Choice, player: int, before: Seen) -> Choice | Puzzle:
        decision, other = self._question(player), self.game.player
        now = None if decision is None else Seen(self.game, decision, before)
        if before.ended_by_itself(meant.option, now):
            return Puzzle("nothing more could be chosen there")
        if decision is not None and now is not None:
            return read_on(meant.rest, decision, now, before)
        if self.session.over:
            return Puzzle("the game is over")
        if other is None or self.game.live is not None:
            return Puzzle("nothing was asked any more")
        return Puzzle(f"{self._name(other)} was to decide next")

    def _question(self, player: int) -> Decision | None:
        """The question that this person is to answer now."""
        decision = self.game.decision
        return decision if decision is not None and decision.player == player else None

    def _say_unsaid(self, seats: Iterable[int]) -> None:
        for seat in seats:
            if seat in self.unsaid:
                self.screen.say(self.unsaid.pop(seat), "yellow")

    # --- commands -----------------------------------------------------------------------------------

    def _obey(self, command: Command, player: int) -> bool:
        """Do what was asked; true if the game has moved, so that the table must be drawn anew."""
        try:
            match command.name:
                case "help":
                    self._help()
                case "look":
                    self._look(player, whole=True)
                case "more":
                    self._more(player)
                case "log":
                    self._log(player, command.rest)
                case "rules":
                    show_word(self.screen, self.session.rules, command.rest)
                case "why":
                    self._why(command.rest, player)
                case "hint":
                    self._hint(player)
                case "undo":
                    return self._undo(command.rest)
                case "pause":
                    self.screen.line("Only the clock of a live game can be stopped (`orrery play … --live`).")
                case "save":
                    self._save(command.rest)
                case "quit":
                    raise Leave
        except OrreryError as error:
            self.screen.say(str(error), "yellow")
        return False

    def _help(self) -> None:
        self.screen.say(
            "Answer with the number of a choice, with its name, or with any beginning that fits only one."
            " Amounts are typed as they are. Answers to questions that follow each other may stand in one line, as"
            " in `1 2` or `1, 2`."
        )
        self.screen.lines(f"  {text}" for text in COMMANDS.values())
        self.screen.say(
            "Commands may be shortened too. Where a choice and a command have the same name, the choice is"
            " taken; a colon in front always means the command, as in `:save`."
        )

    def _asked(self, player: int) -> Decision:
        return next(d for d in self.game.decisions if d.player == player)

    def _more(self, player: int) -> None:
        decision = self._asked(player)
        total = len(decision.options)
        pages = -(-total // LISTED)
        if not decision.amount and FEW < total <= MANY and _directions(decision):
            self.screen.columns([_entry(decision, at, False, 0) for at in range(total)])
            return
        if decision.amount or pages == 1:
            self.screen.line("All choices are shown.")
            return
        self.page = (self.page + 1) % pages
        self._choices(decision)

    def _log(self, player: int, rest: str) -> None:
        if rest and not rest.isdecimal():
            self.screen.say("`log` takes a number: how many steps back it should go", "yellow")
            return
        steps = self.session.steps
        first = max(0, len(steps) - int(rest or RECENT))
        if not steps:
            self.screen.line("Nothing has happened yet.")
        elif first:
            self.screen.line((f"  … {count(first, 'earlier step')}", "dim"))
        self._tell(steps[first:], player)

    def _why(self, word: str, player: int) -> None:
        if not word:
            self.screen.say("`why` takes the name of an action: why what?", "yellow")
            return
        for sentence in self.game.why(self._action(word), player):
            self.screen.say(sentence, indent="  ")

    def _action(self, word: str) -> str:
        """The action that is meant, by its name or by a beginning that fits only one."""
        wanted = word.casefold().replace(" ", "_")
        names = [thing.id for thing in self.session.rules.things() if thing.what == "action"]
        begun = [name for name in names if name.startswith(wanted)]
        return begun[0] if len(begun) == 1 and wanted not in names else wanted

    def _hint(self, player: int) -> None:
        decision = self._asked(player)
        with self._thinking("Thinking …"):
            index = self.session.hint(player)
        self.screen.line("Perhaps: ", *_entry(decision, index, True, 1)[1:])

    def _undo(self, rest: str) -> bool:
        if rest and not rest.isdecimal():
            self.screen.say("`undo` takes a number: how many of your decisions to take back", "yellow")
            return False
        back = self.session.undo(int(rest or 1))
        left = len(self.session.steps)
        self.told = {viewer: min(told, left) for viewer, told in self.told.items()}
        self.begun = min(self.begun, left)
        self.screen.line(f"{count(back, 'decision')} taken back." if back > 1 else "Taken back.")
        return True

    def _save(self, rest: str) -> None:
        file = self.session.save(Path(rest).expanduser() if rest else None)
        self.screen.line(f"Saved in {file}." if file else "This game is not kept; name a file to save it.")

    # --- what is shown ------------------------------------------------------------------------------

    def _open(self) -> None:
        rules = self.session.rules
        seats = ", ".join(f"{number}: {spec}" for number, spec in enumerate(self.session.seats, 1))
        self.screen.line((rules.title, "bold"), (f"  seats {seats}", "dim"))
        if self.session.people:
            self.screen.line(("Type a choice, or `help`.", "dim"))

    def _look(self, player: int, whole: bool = False) -> None:
        decision = self.game.decision
        assert decision is not None
        self.screen.gap()
        self.screen.rule(self._name(player))
        aiming = aid(decision, self.screen.width - 2)
        if not aiming or whole:
            self.screen.picture(self.game.drawing(player))
            if self.game.table.clocked:
                self.screen.line((clock_line(self.game), "dim"))
            self.screen.gap()
        self.screen.lines(aiming)  # whoever aims has just seen the table, and gets a map of their own
        self._choices(decision)

    def _choices(self, decision: Decision) -> None:
        total = len(decision.options)
        ask = decision.prompt
        if decision.amount:
            low, high = bounds(decision)
            self.screen.line((ask, "bold"), f"  ({low} to {high})" if low != high else f"  ({low})")
            return
        self.screen.line((ask, "bold"))
        if total > FEW and not self.page and (ways := _directions(decision)):
            self.screen.say(f"a direction: {ways} ({total} to choose from; `more` lists them)", indent="  ")
            return
        first = self.page * LISTED
        shown = range(first, min(total, first + LISTED))
        numbers = numbered(decision)
        wide = len(str(total))
        self.screen.columns([_entry(decision, index, numbers, wide) for index in shown])
        if len(shown) < total:
            rest = f"{first + 1} to {shown[-1] + 1} of {total}; `more` shows others, any name can be typed"
            self.screen.line((f"  {rest}", "dim"))

    def _news(self, viewer: Viewer) -> None:
        """What everybody, and chance, has done since this person last looked."""
        steps = self.session.steps[self.told.get(viewer, self.begun) :]
        while steps and steps[0].player == viewer and not steps[0].news[viewer]:
            del steps[0]  # this person has just typed it
        self._tell(steps, viewer)
        self.told[viewer] = len(self.session.steps)

    def _tell(self, steps: Sequence[Step], viewer: Viewer) -> None:
        """Steps in words; those of one player stand in one line as long as nothing else happens."""
        line: list[str] = []
        for at, step in enumerate(steps):
            line.append(step.choice[viewer])
            news = step.news[viewer]
            if news or at + 1 == len(steps) or steps[at + 1].player != step.player:
                words = f"{self._name(step.player)}: {', '.join(line)}"
                self.screen.say(words, indent="  ", below="      ")
                line.clear()
            for sentence in news:
                self.screen.say(sentence, indent="      ")

    def _hand_over(self, player: int) -> None:
        """Give the next person the keyboard before their cards are shown."""
        if self.last == player or len(self.session.people) < 2:
            return
        if not (self.keyboard.lively and self.screen.lively and self.session.secret):
            return
        if self.last is not None:
            self.screen.clear()
        self.screen.line(f"Pass the keyboard to player {player + 1}, who presses Enter.")
        try:
            input()
        except EOFError:
            raise Leave from None

    def _name(self, player: int) -> str:
        spec = self.session.seats[player]
        if spec != HUMAN:
            return f"Player {player + 1} ({spec})"
        return f"Player {player + 1}" if len(self.session.people) > 1 else f"Player {player + 1} (you)"

    def _thinking(self, text: str) -> AbstractContextManager[Any]:
        if not self.screen.lively:
            return nullcontext()
        return self.screen.console.status(text)

    # --- the end ------------------------------------------------------------------------------------

    def _close(self) -> None:
        people = self.session.people
        viewer = people[0] if len(people) == 1 else None
        if len(people) > 1:  # what stands on their screen is not told once more
            self.told.setdefault(None, max(self.told.get(seat, self.begun) for seat in people))
        self._news(viewer)
        self._say_unsaid(people)
        self.screen.gap()
        self.screen.rule("The end")
        self.screen.picture(self.game.drawing(viewer))
        self.screen.gap()
        show_result(self.screen, self.game, [self._name(seat) for seat in range(self.game.players)])
        again = f"orrery replay {shlex.quote(str(self.session.file))}"
        self.screen.line(
            (f"Seed {self.game.seed}." + (" See it again with:" if self.session.saved else ""), "dim")
        )
        if self.session.saved:
            self.screen.line((f"  {again}", "dim"))
        elif self.session.trouble:
            self.screen.say(self._kept().strip(), "red")

    def _goodbye(self) -> None:
        self.screen.line(self._kept().strip() or "The game was not kept.")
        if self.session.saved:
            self.screen.line("Go on with:")
            self.screen.line(f"  {self._resume_command()}")

    def _kept(self) -> str:
        if self.session.trouble:
            return f" The game is not saved as it stands: {self.session.trouble}"
        if not self.session.saved:
            return " Nothing was decided, so nothing was saved."
        return f" The game is saved in {self.session.file}." if self.session.file is not None else ""

    def _resume_command(self) -> str:
        started = sys.argv[0]
        known = shutil.which("orrery") is not None or not started.endswith("orrery")
        words = ["orrery" if known else started, "play", "--resume", str(self.session.file)]
        if self.session.free_undo:
            words.append("--free-undo")
        return shlex.join(words)


def clock_line(game: Game) -> str:
    """What time it is, who may act, and until when others are busy."""
    text = game.table.ns["clock_text"]
    free = [str(d.player + 1) for d in game.decisions]
    busy = [f"{seat + 1} until {text(game.S, until)}" for seat, until in game.busy.items() if until is not None]
    waits = [str(seat + 1) for seat, until in game.busy.items() if until is None]
    parts = [f"{word} {', '.join(who)}" for word, who in (("free:", free), ("busy:", busy), ("waiting:", waits)) if who]
    return "   ".join([f"It is {text(game.S, game.now)}.", *parts])


def show_result(screen: Screen, game: Game, names: Sequence[str]) -> None:
    """Who won, and how."""
    result = game.result
    if result is None:
        return
    if result.reason:
        screen.say(result.reason)
    rows = []
    for seat, name in enumerate(names):
        won = "winner" if len(result.winners) == 1 else "shares the win"
        score = f"{float(result.scores[seat]):g}" if seat < len(result.scores) else ""
        rows.append([name, score, won if seat in result.winners else ""])
    screen.table(("", "", ""), rows, right={1})
    if not result.winners:
        screen.line("Nobody wins.")


def _entry(decision: Decision, index: int, numbers: bool, wide: int) -> list[Span]:
    key, label = decision.key(index), decision.label(index)
    entry: list[Span] = []
    if numbers:
        entry.append((f"{index + 1:{wide}}  ", "cyan"))
    else:
        entry.append((key, "cyan"))
        if _plain(label) == _plain(key):
            return entry
        entry.append(("  ", ""))
    entry.append((label, ""))
    if numbers and not _plain(label).startswith(_plain(key)):
        entry.append((f"  [{key}]", "dim"))
    return entry


def _directions(decision: Decision) -> str:
    """Spots all around something, as stretches of directions; empty if these are others."""
    angles = [angle_of(decision.key(index)) for index in range(len(decision.options))]
    found: list[list[int]] = []
    for angle in angles:
        if angle is None:
            return ""
        if found and angle - found[-1][-1] in (1, 5):
            found[-1].append(angle)
        else:
            found.append([angle])
    words = [[name_of(angle) for angle in run] for run in found]
    return "; ".join(", ".join(run) if len(run) < 4 else f"{run[0]}, {run[1]} … {run[-1]}" for run in words)


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").split())


def _completions(decision: Decision) -> list[str]:
    if decision.amount or len(decision.options) > LISTED * 10:
        return []
    return [decision.key(index) for index in range(len(decision.options))]
