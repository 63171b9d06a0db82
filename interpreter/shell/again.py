"""A game shown again: from a save or a log, decision by decision.

A log holds everything, so this is for those who may know everything.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from ..face import Game, UsageError
from ..session import read_log, retrace
from ..spoken import Viewer
from .play import show_result
from .screen import Screen, count
from .wishes import saved_game


@dataclass(frozen=True, slots=True)
class _Moment:
    """The game after a decision, and what was heard of it."""

    number: int
    game: Game
    lines: list[str]


def show_again(path: Path, step: bool, seat: int | None, save: Path | None = None) -> int:
    """Print the decisions of a log with the last table; or every table, one after the other."""
    whole, log = read_log(saved_game(path))
    rules = whole.rules
    if save is not None:
        if save.exists():
            raise UsageError(f"{save} exists already; choose another name")
        whole.save(save)
    players = int(log["players"])
    if seat is not None and not 1 <= seat <= players:
        raise UsageError(f"the seats of this game go from 1 to {players}")
    viewer = None if seat is None else seat - 1
    screen = Screen()
    screen.line((rules.title, "bold"), (f"  {count(players, 'player')}, seed {log['seed']}", "dim"))
    moments: list[_Moment] = []
    for number, (game, made) in enumerate(retrace(rules, log, [viewer]), 1):
        words = made.words if viewer is None else made.choice[viewer]
        lines = [f"Player {made.player + 1}: {words}", *made.news[viewer]]
        if step:
            moments.append(_Moment(number, game.copy(), lines))
        else:
            moments = [_Moment(number, game, lines)]
            _heard(screen, number, lines)
    if not moments:
        screen.line("Nothing was decided in this game.")
        return 0
    if step and sys.stdin.isatty() and screen.lively:
        _leaf(screen, moments, viewer)
        return 0
    for moment in moments if step else moments[-1:]:
        if step:
            screen.gap()
            screen.rule(f"{moment.number} of {len(moments)}")
            screen.lines(f"  {line}" for line in moment.lines)
        screen.gap()
        screen.picture(moment.game.drawing(viewer))
    _end(screen, moments[-1].game)
    return 0


def _heard(screen: Screen, number: int, lines: list[str]) -> None:
    for at, line in enumerate(lines):
        screen.say(line, indent=f"{number:4}  " if at == 0 else "      ", below="      ")


def _leaf(screen: Screen, moments: list[_Moment], viewer: Viewer) -> None:
    """Go through the game with the keyboard."""
    at = 0
    while True:
        moment = moments[at]
        screen.gap()
        screen.rule(f"{at + 1} of {len(moments)}")
        screen.lines(f"  {line}" for line in moment.lines)
        screen.gap()
        screen.picture(moment.game.drawing(viewer))
        if at == len(moments) - 1:
            _end(screen, moment.game)
        try:
            wish = input("Enter: next, b: back, a number: go there, q: quit > ").strip().casefold()
        except (EOFError, KeyboardInterrupt):
            screen.gap()
            return
        if wish.startswith("q") or (not wish and at == len(moments) - 1):
            return
        if wish.isdecimal():
            at = min(max(int(wish) - 1, 0), len(moments) - 1)
        elif wish.startswith("b"):
            at = max(0, at - 1)
        else:
            at = min(len(moments) - 1, at + 1)


def _end(screen: Screen, game: Game) -> None:
    screen.gap()
    if game.over:
        show_result(screen, game, [f"Player {seat + 1}" for seat in range(game.players)])
    else:
        screen.line(f"The game goes on: player {(game.player or 0) + 1} is to decide.")
