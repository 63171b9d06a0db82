"""The beginnings of `play` and `simulate`: from words on the command line to a session or a report."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from ..face import SaveError, UsageError
from ..session import Session, fresh_file, latest_file, resume
from ..simulate import LONGEST, Plan, Report, simulate
from . import wishes
from .play import Keyboard, Table
from .screen import Screen

EVERY = 5.0  # seconds between two lines of progress


def anew(
    name: str,
    players: int | None,
    seed: int | None,
    options: Sequence[str],
    seats: Sequence[str],
    file: Path | None,
    free_undo: bool,
) -> Session:
    """A game that begins."""
    rules = wishes.rules_named(name)
    if file is not None and file.exists():
        raise UsageError(f"{file} exists already; go on with it by --resume, or choose another name")
    many = wishes.players_of(rules, players)
    sitting = wishes.seats(many, seats)
    game = rules.new(many, secrets.randbelow(2**32) if seed is None else seed, wishes.options(rules, options))
    return Session(game, sitting, file=file or fresh_file(rules), free_undo=free_undo)


def again(name: str | None, wish: str, seats: Sequence[str], file: Path | None, free_undo: bool) -> Session:
    """A game that goes on. Without a file: the one that was last played."""
    path = Path(wish) if wish else latest_file(wishes.rules_named(name).name if name else None)
    if path is None:
        raise UsageError("no saved game" + (f" of `{name}`" if name else "") + " was found")
    session = resume(wishes.saved_game(path), lambda players, before: wishes.seats(players, seats, before), free_undo=free_undo)
    if name is not None and wishes.rules_named(name).name != session.rules.name:
        raise SaveError(f"{path} is a game of {session.rules.name}, not of {name}")
    if file is not None:
        session.file, session.saved = file, False
    return session


def at_keyboard(session: Session, live: bool = False) -> int:
    screen = Screen()
    if live or session.game.live is not None:
        if not session.game.table.clocked:
            raise UsageError(f"{session.rules.title} has no clock, so it cannot be played live")
        from .live import Keys, LiveTable

        return LiveTable(session, screen, Keys(screen)).play()
    return Table(session, screen, Keyboard(screen)).play()


def plan(
    name: str,
    games: int,
    players: int | None,
    seed: int,
    options: Sequence[str],
    who: str,
    first: int,
    longest: int | None,
    *,
    count_rules: bool,
) -> Plan:
    rules = wishes.rules_named(name)
    many = wishes.players_of(rules, players)
    return Plan(
        name,
        many,
        seed,
        wishes.bots_for(many, who),
        wishes.options(rules, options),
        first,
        games,
        LONGEST if longest is None else longest,
        count_rules,
    )


def watch(plan: Plan, workers: int) -> Report:
    """Play the plan; where somebody is watching, with a bar that goes forward, otherwise with a line now and then."""
    if workers == 0 or workers < -1:
        raise UsageError("`--workers` is a number from 1 on, or -1 for one per core")
    if not sys.stderr.isatty():
        return simulate(plan, workers, _lines(plan.games))
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task("games", total=plan.games)
        return simulate(plan, workers, lambda done: bar.update(task, completed=done))


def _lines(total: int) -> Callable[[int], None]:
    """Tells how far it is, in a line every few seconds: a log has no use for a bar."""
    told = time.monotonic()

    def progress(done: int) -> None:
        nonlocal told
        if done < total and time.monotonic() - told >= EVERY:
            told = time.monotonic()
            print(f"{done:,} of {total:,} games", file=sys.stderr, flush=True)

    return progress
