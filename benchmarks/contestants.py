"""Who plays: every contestant is a function that plays so many games and says how many decisions they had.

Each is driven as its users drive it, with nothing in the loop that its interface does not ask for. All
choose at random with the same generator. `plain` moves one game on; `search` copies it before each move.
"""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from random import random
from typing import Any

Play = Callable[[int], int]

HERE = Path(__file__).parent
BUILD = HERE.parent / "build" / "bench"
GAMES = ("tic_tac_toe", "connect_four", "kuhn_poker", "lantern_market")
MODES = ("plain", "search")
CLASSES = {
    "tic_tac_toe": "TicTacToe",
    "connect_four": "ConnectFour",
    "kuhn_poker": "KuhnPoker",
    "lantern_market": "LanternMarket",
}


class Missing(Exception):
    """A peer that is not here, and why."""


def orrery(game: str, mode: str) -> Play:
    import orrery

    new = orrery.load(game).new
    seeds = iter(range(1, 1 << 60))

    def plain(games: int) -> int:
        made = 0
        for _ in range(games):
            play = new(2, next(seeds))
            step, count = play.step, play.count
            while count:
                count = step(int(random() * count))
                made += 1
        return made

    def search(games: int) -> int:
        made = 0
        for _ in range(games):
            play = new(2, next(seeds))
            count = play.count
            while count:
                play = play.copy()
                count = play.step(int(random() * count))
                made += 1
        return made

    return plain if mode == "plain" else search


def handwritten(game: str, mode: str) -> Play:
    new = getattr(importlib.import_module(f"handwritten.{game}"), CLASSES[game])

    def plain(games: int) -> int:
        made = 0
        for _ in range(games):
            play = new()
            while not play.over:
                moves = play.legal_moves()
                play.play(moves[int(random() * len(moves))])
                made += 1
        return made

    def search(games: int) -> int:
        made = 0
        for _ in range(games):
            play = new()
            while not play.over:
                play = play.copy()
                moves = play.legal_moves()
                play.play(moves[int(random() * len(moves))])
                made += 1
        return made

    return plain if mode == "plain" else search


def tuned(game: str, mode: str) -> Play:
    if not (HERE / "tuned" / f"{game}.py").exists():
        raise Missing("nobody has tuned it")
    new = getattr(importlib.import_module(f"tuned.{game}"), CLASSES[game])
    if game == "lantern_market":

        def plain(games: int) -> int:
            made = 0
            for _ in range(games):
                play = new()
                while not play.over:
                    moves = play.options
                    play.play(moves[int(random() * len(moves))])
                    made += 1
            return made

        def search(games: int) -> int:
            made = 0
            for _ in range(games):
                play = new()
                while not play.over:
                    play = play.copy()
                    moves = play.options
                    play.play(moves[int(random() * len(moves))])
                    made += 1
            return made

    else:

        def plain(games: int) -> int:
            made = 0
            for _ in range(games):
                play = new()
                while not play.over:
                    moves = play.moves
                    play.play(moves[int(random() * len(moves))])
                    made += 1
            return made

        def search(games: int) -> int:
            made = 0
            for _ in range(games):
                play = new()
                while not play.over:
                    play = play.copy()
                    moves = play.moves
                    play.play(moves[int(random() * len(moves))])
                    made += 1
            return made

    return plain if mode == "plain" else search


def open_spiel(game: str, mode: str) -> Play:
    return _open_spiel(game, game, mode)


def open_spiel_python(game: str, mode: str) -> Play:
    if game not in ("tic_tac_toe", "kuhn_poker"):
        raise Missing("it has no such game")
    return _open_spiel(f"python_{game}", game, mode)


def _open_spiel(name: str, game: str, mode: str) -> Play:
    if game == "lantern_market":
        raise Missing("it has no such game")
    try:
        import pyspiel

        if name.startswith("python_"):
            importlib.import_module(f"open_spiel.python.games.{game}")  # it registers itself
    except ImportError:
        raise Missing("open_spiel is not installed") from None
    made_game = pyspiel.load_game(name)
    new = made_game.new_initial_state
    deals = 2 if game == "kuhn_poker" else 0  # cards that chance deals, every one of them as likely

    def plain(games: int) -> int:
        made = 0
        for _ in range(games):
            state = new()
            for _ in range(deals):
                actions = state.legal_actions()
                state.apply_action(actions[int(random() * len(actions))])
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(random() * len(actions))])
                made += 1
        return made

    def search(games: int) -> int:
        made = 0
        for _ in range(games):
            state = new()
            for _ in range(deals):
                actions = state.legal_actions()
                state.apply_action(actions[int(random() * len(actions))])
            while not state.is_terminal():
                state = state.clone()
                actions = state.legal_actions()
                state.apply_action(actions[int(random() * len(actions))])
                made += 1
        return made

    return plain if mode == "plain" else search


def pettingzoo(game: str, mode: str) -> Play:
    names = {"tic_tac_toe": "tictactoe_v3", "connect_four": "connect_four_v3"}
    if game not in names:
        raise Missing("it has no such game")
    if mode == "search":
        raise Missing("its games have no copy")
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        env = importlib.import_module(f"pettingzoo.classic.{names[game]}").raw_env()
    except ImportError:
        raise Missing("pettingzoo is not installed") from None

    def plain(games: int) -> int:
        made = 0
        for _ in range(games):
            env.reset()
            while True:
                seen, _, ended, cut, _ = env.last()
                if ended or cut:
                    break
                actions = seen["action_mask"].nonzero()[0]
                env.step(actions[int(random() * len(actions))])
                made += 1
        return made

    return plain


_node: dict[str, Any] = {}


def boardgame_io(game: str, mode: str) -> Play:
    """Its own process; the seconds are its own processor time, so `cost` must be asked, not the clock here."""
    if mode == "search":
        raise Missing("its states are never changed, so none is copied")
    if shutil.which("node") is None:
        raise Missing("node is not installed")
    if not (BUILD / "node_modules" / "boardgame.io").is_dir():
        raise Missing("the npm package boardgame.io is not installed")
    if game not in _node:
        _node[game] = subprocess.Popen(
            ["node", str(HERE / "boardgame_io" / "runner.js"), str(BUILD)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "NODE_ENV": "production"},
        )
    process = _node[game]

    def plain(games: int) -> int:
        process.stdin.write(f"{game} {games}\n")
        process.stdin.flush()
        answer = process.stdout.readline().split()
        if len(answer) != 2:
            raise Missing("its process has stopped")
        plain.seconds = float(answer[0])  # type: ignore[attr-defined]
        return int(answer[1])

    plain.seconds = 0.0  # type: ignore[attr-defined]
    return plain


PEERS: dict[str, Callable[[str, str], Play]] = {
    "hand-written Python": handwritten,
    "tuned Python": tuned,
    "OpenSpiel, C++": open_spiel,
    "OpenSpiel, Python": open_spiel_python,
    "PettingZoo raw": pettingzoo,
    "boardgame.io": boardgame_io,
}


def cost(play: Play, games: int) -> tuple[float, int]:
    """Seconds of processor time, and decisions."""
    start = time.process_time()
    made = play(games)
    seconds = time.process_time() - start
    return getattr(play, "seconds", seconds), made


def stop() -> None:
    for process in _node.values():
        process.stdin.close()
        process.wait()
    _node.clear()
