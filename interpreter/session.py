"""A game at a table: who sits where, what was decided, where it is kept. No terminal.

Takes a game and its seats; gives one step after the other, saves after each of them, and goes back
over those of the bots to a person's own decision. Never goes back over a reveal or a random draw,
unless the table has agreed to it. Never prints.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .bots import Bot, SearchBot, derive, make, open_decision
from .face import Game, Rules, SaveError, UsageError, load, restore
from .saves import checked, flick_results, read
from .spoken import Spoken, Viewer

HUMAN = "human"
HINT = "mcts:200"
OPEN = ""  # a seat for which somebody must be named
MOST_BY_SAVE = 20_000  # iterations and depth of a bot that a save alone may ask for: its writer does not wait for it


@dataclass(frozen=True, slots=True)
class Step:
    """A decision that was made, and what each viewer may know of it."""

    player: int
    by: str
    barrier: bool  # something was revealed or drawn: what comes before cannot be taken back
    words: str  # the choice as the chooser knows it
    choice: Mapping[Viewer, str]
    news: Mapping[Viewer, list[str]]


class Session:
    """A running game with its seats, its file and its past."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[str],
        *,
        file: Path | None = None,
        free_undo: bool = False,
        steps: Sequence[Step] = (),
    ) -> None:
        if len(seats) != game.players:
            raise UsageError(f"{len(seats)} seats were given to a game of {game.players} players")
        self.game = game
        self.rules: Rules = game.rules
        self.seats = list(seats)
        self.file = file
        self.saved = False  # whether `file` holds the game as it stands
        self.trouble = ""  # why the last decision could not be saved
        self.free_undo = free_undo
        self.steps = list(steps)
        self._bots: dict[int, Bot] = {
            seat: make(spec, derive(game.seed, 1 + seat)) for seat, spec in enumerate(seats) if spec != HUMAN
        }

    # --- where it stands ----------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.game.over

    @property
    def people(self) -> list[int]:
        """The seats that people have taken."""
        return [seat for seat, spec in enumerate(self.seats) if spec == HUMAN]

    @property
    def secret(self) -> bool:
        """Whether some players see what others do not."""
        return bool(self.game.table.hides)

    @property
    def turn_of(self) -> int | None:
        """The person who is to decide now; None if a bot is, or if the game is over."""
        player = self.game.player
        return player if player is not None and player not in self._bots else None

    # --- going on -----------------------------------------------------------------------------------

    def answer(self, option: int | str, player: int | None = None) -> Step:
        """A person's decision. Raises IllegalChoice, and then nothing has changed."""
        return self._decide(option, HUMAN, player)

    def let_bot(self, player: int | None = None) -> Step:
        """The decision of the bot whose turn it is, or of one among several who may act."""
        player = self.game.player if player is None else player
        if player is None or player not in self._bots:
            raise UsageError("no bot is to decide now")
        bot = self._bots[player]
        return self._decide(bot.choose(self.game, player), bot.spec, player)

    def hint(self, player: int | None = None) -> int:
        """The option that a small search would take, in this seat or in that of whoever is to decide."""
        player = self.game.player if player is None else player
        if player is None:
            raise UsageError("the game is over")
        # The seed does not come from the game's own: a hint must not tell what is to come.
        return make(HINT, player).choose(self.game, player)

    def _decide(self, option: int | str, by: str, player: int | None = None) -> Step:
        step = decide(self.game, option, by, [*self.people, None], player)
        self.steps.append(step)
        self._autosave()
        return step

    # --- going back ---------------------------------------------------------------------------------

    def undo(self, times: int = 1) -> int:
        """Back to a person's own decision, `times` of them. Gives how many steps were taken back."""
        if times < 1:
            raise UsageError("undo takes a whole number from 1 on")
        if self.game.live is not None:
            raise UsageError("a live game has no undo: time cannot be taken back")
        back, mine = 0, 0
        while mine < times:
            back += 1
            if back > len(self.steps):
                raise UsageError(
                    "nothing was decided yet that could be taken back"
                    if mine == 0
                    else f"only {count(mine, 'decision')} of yours can be taken back"
                )
            step = self.steps[-back]
            if step.barrier and not self.free_undo:
                raise UsageError(
                    "that cannot be taken back: it revealed something, or drew at random"
                    " (a table that agrees may play with --free-undo)"
                )
            mine += step.by == HUMAN
        self.game.undo(back)
        del self.steps[-back:]
        self._autosave()
        return back

    # --- keeping ------------------------------------------------------------------------------------

    def save(self, copy: Path | None = None) -> Path | None:
        """Write the game to its file, or a copy of it to another. A game without a file is not kept."""
        if copy is not None:
            self.game.save(copy, {"seats": self.seats})
            return copy
        if self.file is not None and not self.saved:
            try:
                self.file.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise SaveError(f"{self.file.parent} cannot be made: {error.strerror or error}") from None
            self.game.save(self.file, {"seats": self.seats})
            self.saved = True
        return self.file

    def _autosave(self) -> None:
        """A full disk must not end a game: the trouble is kept for whoever tells it."""
        self.saved = False
        try:
            self.save()
        except SaveError as error:
            self.trouble = str(error)
        else:
            self.trouble = ""


def resume(
    path: Path,
    seats: Callable[[int, Sequence[str]], Sequence[str]] | None = None,
    *,
    free_undo: bool = False,
) -> Session:
    """Go on with a saved game, its past included, and save to the same file.

    `seats` is asked who sits where, told the number of players and who sat there before.
    """
    game = restore(path)
    before, refusals = _seats_before(path, game.players)
    chosen = list(seats(game.players, before) if seats is not None else before)
    for seat, who in enumerate(chosen):
        if who == OPEN:
            raise SaveError(
                f"{path} seats nobody who can play: {refusals[seat]}. Say who sits there, as in `--seat {seat + 1}=mcts`"
            )
    session = Session(game, chosen, file=path, free_undo=free_undo)
    viewers: list[Viewer] = [*session.people, None]
    session.steps = [step for _, step in retrace(game.rules, game.log.data, viewers, chosen)]
    session.saved = True
    return session


def _seats_before(path: Path, players: int) -> tuple[list[str], dict[int, str]]:
    """Who sat where when the game was saved, as far as the save tells; and why a seat is OPEN, though it does tell."""
    notes = read(path).get("notes")
    found = notes.get("seats") if isinstance(notes, dict) else None
    if not (isinstance(found, list) and len(found) == players and all(isinstance(who, str) for who in found)):
        return usual_seats(players), {}
    refusals: dict[int, str] = {}
    for seat, who in enumerate(found):
        if who == HUMAN:
            continue
        try:
            bot = make(who, 0)
        except UsageError as error:
            refusals[seat] = str(error)
            continue
        if isinstance(bot, SearchBot) and max(bot.iterations, bot.depth) > MOST_BY_SAVE:
            refusals[seat] = f"`{who}` would think for too long; a save alone may ask for {MOST_BY_SAVE:,} at most"
    return [OPEN if seat in refusals else who for seat, who in enumerate(found)], refusals


def retrace(
    rules: Rules, log: Mapping[str, Any], viewers: Sequence[Viewer], seats: Sequence[str] = ()
) -> Iterator[tuple[Game, Step]]:
    """The game of a log after each of its decisions. It is one game: copy what is to be kept."""
    game = rules.new(log["players"], log["seed"], log.get("options", {}))
    flicks = flick_results(dict(log))
    for number, choice in enumerate(log["choices"], 1):
        if game.table.clocked and isinstance(choice, list):
            game.let_pass(choice)
            if choice[0] is None:
                continue
            choice = choice[:2]
        player, index = choice if isinstance(choice, list) else (game.player or 0, choice)
        by = seats[player or 0] if seats else ""
        yield game, decide(game, index, by, viewers, player, flicks.get(number))
    if game.live is not None and log["now"] > game.now:
        game.advance(log["now"] - game.now)  # what passed since the last decision


def decide(
    game: Game,
    option: int | str,
    by: str,
    viewers: Sequence[Viewer],
    player: int | None = None,
    ride: tuple[Any, ...] | None = None,
) -> Step:
    """Choose, and keep what each viewer may know of it. What goes wrong changes nothing."""
    who = game.player if player is None else player
    if who is None:
        raise UsageError("the game is over")
    decision = open_decision(game, who)
    index = decision.find(option) if isinstance(option, str) else option
    if index is None or not 0 <= index < len(decision.options):
        game.choose(option, who)  # says what is wrong with it
        raise UsageError(f"`{option}` is not offered")
    own = Spoken(game, decision, index, who)
    spoken = {viewer: Spoken(game, decision, index, viewer) for viewer in viewers}
    if ride is not None:
        game.again((who, index), ride)
    else:
        game.choose(index, who)
    return Step(
        who,
        by,
        game.revealed,
        own.text(game),
        {viewer: words.text(game) for viewer, words in spoken.items()},
        {viewer: list(game.news(viewer)) for viewer in viewers},
    )


def read_log(path: Path) -> tuple[Game, Mapping[str, Any]]:
    """The log in a file, whether it is a save or a log alone, and its game; checked by playing it."""
    log = read(path)
    return checked(log, path, load), log


def usual_seats(players: int) -> list[str]:
    """A person in the first seat, and nobody who thinks in the others."""
    return [HUMAN] + ["random"] * (players - 1)


# --- the user's folder ----------------------------------------------------------------------------


def state_folder() -> Path:
    """Where games are kept: $XDG_STATE_HOME/orrery, or ~/.local/state/orrery."""
    base = os.environ.get("XDG_STATE_HOME", "")
    root = Path(base) if os.path.isabs(base) else Path.home() / ".local" / "state"
    return root / "orrery"


def fresh_file(rules: Rules) -> Path:
    """A name for a new game that no other game has taken."""
    name = re.sub(r"\W+", "-", rules.name).strip("-") or "game"
    stem = f"{name}-{time.strftime('%Y%m%d-%H%M%S')}"
    file, number = state_folder() / f"{stem}.json", 1
    while file.exists():
        number += 1
        file = state_folder() / f"{stem}-{number}.json"
    return file


def latest_file(name: str | None = None) -> Path | None:
    """The game that was last saved in the user's folder, of one ruleset or of any."""
    found = [
        (file.stat().st_mtime_ns, file)
        for file in state_folder().glob("*.json")
        if name is None or re.fullmatch(re.escape(name) + r"-\d{8}-\d{6}(-\d+)?", file.stem)
    ]
    return max(found)[1] if found else None


def count(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"
