"""Logs and saves: the log is the truth, the rest is a check.

A log has the ruleset and its fingerprint, the seed, the options and the choices. A save is a log with
a digest of the state, written to a temporary file, flushed and renamed. Restoring replays the log.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .diagnostics import OrreryError
from .game import Game, IllegalChoice, RuleError, UsageError
from .slots import FUEL

FORMAT = 1
MOST_BYTES = 64_000_000


class SaveError(OrreryError):
    """A save or log that cannot be gone on with, and why."""


@dataclass(frozen=True)
class Log:
    """A game as plain data."""

    data: dict[str, Any]

    @classmethod
    def of(cls, game: Game) -> Log:
        rules = game.rules
        return cls(
            {
                "orrery": FORMAT,
                "engine": rules.engine,
                "ruleset": rules.name,
                "folder": rules.outside,
                "fingerprint": rules.fingerprint,
                "players": game.players,
                "seed": game.seed,
                "options": {k: list(v) if isinstance(v, tuple) else v for k, v in game.options.items()},
                "choices": [list(c) if isinstance(c, tuple) else c for c in game.choices()],
            }
        )


def digest(game: Game) -> str:
    import hashlib

    state = game.S[:]
    state[FUEL] = 0  # steps are counted, but are no part of the game
    # The seed too: a game without chance keeps nothing of it in its state.
    return hashlib.sha256(repr((game.seed, state)).encode()).hexdigest()


def save(game: Game, path: str | os.PathLike[str], notes: dict[str, Any] | None = None) -> None:
    """Writes a save that is whole or not there at all."""
    if not isinstance(path, (str, os.PathLike)):
        raise SaveError(f"a game is saved to the path of a file, not to {path!r}")
    goal = Path(path)
    data = dict(game.log.data)
    data["digest"] = digest(game)
    if notes:
        data["notes"] = notes
    part = goal.with_name(f".{goal.name}.{os.getpid()}.part")
    try:
        with open(part, "w", encoding="utf-8") as out:
            json.dump(data, out)
            out.write("\n")
            out.flush()
            os.fsync(out.fileno())
        os.replace(part, goal)
        folder = os.open(goal.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise SaveError(f"the game could not be saved to {goal}: {error.strerror or error}") from None


def read(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The data of a save or log file, checked for its shape."""
    where = Path(path)
    try:
        if where.stat().st_size > MOST_BYTES:
            raise SaveError(f"{where} is too big for a save")
        data = json.loads(where.read_text(encoding="utf-8"))
    except OSError as error:
        raise SaveError(f"{where} cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise SaveError(f"{where} is no save: it is damaged or something else") from None
    if not isinstance(data, dict):
        raise SaveError(f"{where} is no save: it is damaged or something else")
    return data


def replay(log: Log | dict[str, Any], load: Any) -> Game:
    """The same game again."""
    data = log.data if isinstance(log, Log) else log
    if not isinstance(data, dict):
        raise SaveError("a log is a mapping with a ruleset, a seed and choices")
    if data.get("orrery") != FORMAT:
        raise SaveError("this is no log of Orrery, or one of a newer version")
    name, players, seed = data.get("ruleset"), data.get("players"), data.get("seed")
    options, choices = data.get("options", {}), data.get("choices")
    if (
        not isinstance(name, str)
        or type(players) is not int
        or type(seed) is not int
        or not isinstance(choices, list)
        or not isinstance(options, dict)
    ):
        raise SaveError(
            "the log is damaged: its ruleset, players, seed, options or choices are missing or wrong"
        )
    folder = data.get("folder")
    try:
        rules = load(folder if isinstance(folder, str) else name)
    except OrreryError as error:
        raise SaveError(f"the rules of this game, `{name[:80]}`, cannot be loaded: {error}") from None
    if data.get("fingerprint") != rules.fingerprint:
        raise SaveError(
            f"the rules of `{name}` have changed since this game was saved; it cannot go on under other rules"
        )
    try:
        game: Game = rules.new(players=players, seed=seed, options=options)
    except OrreryError as error:
        raise SaveError(f"the log is damaged: such a game cannot begin ({error})") from None
    for number, choice in enumerate(choices, 1):
        try:
            if isinstance(choice, list) and len(choice) == 2 and all(type(c) is int for c in choice):
                game.choose(choice[1], player=choice[0])
            elif type(choice) is int:
                game.choose(choice)
            else:
                raise SaveError(f"the log is damaged: choice {number} is no number")
        except (IllegalChoice, UsageError) as error:
            raise SaveError(f"the log is damaged: choice {number} was never possible ({error})") from None
        except RuleError as error:
            raise SaveError(f"the log is damaged: choice {number} fails ({error})") from None
    return game


def restore(path: str | os.PathLike[str], load: Any) -> Game:
    data = read(path)
    game = replay(data, load)
    if data.get("engine") == game.rules.engine and "digest" in data and data["digest"] != digest(game):
        raise SaveError(f"{path} is damaged: the game it tells of is not the game it was")
    return game
