"""Logs and saves: the log is the truth, the rest is a check.

A log has the ruleset and its fingerprint, the seed, the options and the choices. A save is a log with
a digest of the state, written to a temporary file, flushed and renamed. Restoring replays the log.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .diagnostics import IllegalChoice, OrreryError, RuleError, SaveError, UsageError, escaped
from .game import Game
from .runtime import Damaged
from .runtime.lent import LATEST
from .slots import FUEL
from .timed import TimedGame

FORMAT = 1
MOST_BYTES = 64_000_000


@dataclass(frozen=True)
class Log:
    """A game as plain data."""

    data: dict[str, Any]

    @classmethod
    def of(cls, game: Game) -> Log:
        rules = game.rules
        flicks = {str(n): _told(ride) for n, ride in game.flicks().items()} if game.table.planar else None
        made = cls(
            {
                "orrery": FORMAT,
                "engine": rules.engine,
                "ruleset": rules.name,
                "folder": rules.outside,
                "fingerprint": rules.fingerprint,
                "players": game.players,
                "seed": game.seed,
                "options": {k: list(v) if isinstance(v, tuple) else v for k, v in game.options.items()},
                "choices": [_listed(c) for c in game.choices()],
                **({"flicks": flicks} if flicks is not None else {}),
            }
        )
        if game.live is not None:
            made.data["now"] = game.now
        return made


def _told(ride: tuple[Any, ...]) -> dict[str, Any]:
    """The result of a flick as JSON has it."""
    rest, touched, struck, left = ride
    return {"rest": [list(r) for r in rest], "touched": list(touched), "struck": struck, "left": list(left)}


def flick_results(data: dict[str, Any]) -> dict[int, tuple[Any, ...]]:
    """The results of all flicks of a log, by the number of the choice; refused if their shape is wrong."""
    flicks = data.get("flicks", {})
    if not isinstance(flicks, dict):
        raise SaveError("the log is damaged: its `flicks` are no mapping")
    found = {}
    for number, ride in flicks.items():
        if not str(number).isdecimal() or not isinstance(ride, dict):
            raise SaveError(f"the log is damaged: its `flicks` have {escaped(str(number)[:20])}, which is no flick")
        rest, touched, left = (ride.get(key, ()) for key in ("rest", "touched", "left"))
        struck = ride.get("struck", "missing")
        if (
            len(ride) != 4
            or not all(isinstance(part, list) for part in (rest, touched, left))
            or not all(isinstance(r, list) and len(r) == 3 and all(type(n) is int for n in r) for r in rest)
            or not all(type(n) is int for n in (*touched, *left))
            or not (struck is None or type(struck) is int)
        ):
            raise SaveError(f"the log is damaged: its `flicks` tell of choice {number} in no right shape")
        found[int(number)] = (tuple(tuple(r) for r in rest), tuple(touched), struck, tuple(left))
    return found


def _listed(entry: Any) -> Any:
    return [_listed(part) for part in entry] if isinstance(entry, tuple) else entry


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
        _sweep(goal)
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


def _sweep(goal: Path) -> None:
    """Removes what processes left behind that were killed while they saved this game."""
    with os.scandir(goal.parent) as files:
        names = [file.name for file in files if file.name.startswith(f".{goal.name}.")]
    for name in names:
        writer = name.removeprefix(f".{goal.name}.").removesuffix(".part")
        if name.endswith(".part") and writer.isdecimal() and len(writer) < 10 and not _runs(int(writer)):
            goal.with_name(name).unlink(missing_ok=True)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's
        return True
    return True


def read(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The data of a save or log file, checked for its shape."""
    where = Path(path)
    try:
        if where.stat().st_size > MOST_BYTES:
            raise SaveError(f"{where} is too big for a save")
        written = where.read_bytes()
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or error
        raise SaveError(f"{where} cannot be read: {why}") from None
    try:
        data = json.loads(written.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        line, column = _place(error, written)
        raise SaveError(f"{where}:{line}:{column}: this is no save: it is damaged or something else") from None
    if not isinstance(data, dict):
        raise SaveError(f"{where}:1:1: this is no save: it is damaged or something else")
    return data


def _place(error: Exception, written: bytes) -> tuple[int, int]:
    """Where a text stops being JSON: line and column, from 1 on."""
    if isinstance(error, json.JSONDecodeError):
        return error.lineno, error.colno
    if isinstance(error, UnicodeDecodeError):
        at = error.start
    else:  # a number without end, or brackets within brackets
        found = re.search(rb"\d{1000,}|([\[{]\s*){200,}", written)
        at = found.start() if found else 0
    before = written[:at]
    start = before.rfind(b"\n") + 1
    return before.count(b"\n") + 1, len(before[start:].decode("utf-8", "replace")) + 1


KINDS = {"ruleset": str, "players": int, "seed": int, "options": dict, "choices": list}


def replay(log: Log | dict[str, Any], load: Any) -> Game:
    """The same game again."""
    data = log.data if isinstance(log, Log) else log
    if not isinstance(data, dict):
        raise SaveError("a log is a mapping with a ruleset, a seed and choices")
    if data.get("orrery") != FORMAT:
        raise SaveError(f"this is no log of Orrery, or one of another version: its `orrery` is not {FORMAT}")
    data = {"options": {}, **data}
    for key, kind in KINDS.items():
        if type(data.get(key)) is not kind:
            raise SaveError(f"the log is damaged: its `{key}` is {'wrong' if key in data else 'missing'}")
    name, folder = data["ruleset"], data.get("folder")
    try:
        rules = load(folder if isinstance(folder, str) else name)
    except OrreryError as error:
        why = escaped(str(error))
        raise SaveError(f"the rules of this game, `ruleset` {escaped(name[:80])}, cannot be loaded: {why}") from None
    if data.get("fingerprint") != rules.fingerprint:
        raise SaveError(
            f"the rules of `{escaped(name[:80])}` have changed since this game was saved (another `fingerprint`);"
            " it cannot go on under other rules"
        )
    try:
        game: Game = rules.new(players=data["players"], seed=data["seed"], options=data["options"])
    except OrreryError as error:
        raise SaveError(
            f"the log is damaged: such a game cannot begin; `players`, `seed` or `options` is wrong ({escaped(str(error))})"
        ) from None
    flicks = flick_results(data)
    if any(number > len(data["choices"]) for number in flicks) or (flicks and not game.table.planar):
        raise SaveError("the log is damaged: it has `flicks` that nobody chose")
    for number, choice in enumerate(data["choices"], 1):
        try:
            two = isinstance(choice, list) and len(choice) == 2 and all(type(c) is int for c in choice)
            if game.table.clocked and isinstance(choice, list):
                _timed(game, choice, number)
            elif not two and type(choice) is not int:
                raise SaveError(f"the log is damaged: choice {number} is no number")
            game.again(choice, flicks.get(number))
        except Damaged as error:
            raise SaveError(f"the log is damaged: its `flicks` tell of choice {number} what cannot have been: {error}") from None
        except (IllegalChoice, UsageError) as error:
            raise SaveError(f"the log is damaged: choice {number} was never possible ({error})") from None
        except RuleError as error:
            raise SaveError(f"the log is damaged: choice {number} fails ({error})") from None
    now = data.get("now")
    if isinstance(game, TimedGame) and now is not None:
        if type(now) is not int or not game.now <= now < LATEST:
            raise SaveError("the log is damaged: `now` is no time that can follow")
        if now > game.now:
            game.advance(now - game.now)
    return game


def _timed(game: Game, entry: list[Any], number: int) -> None:
    """Checks an entry of a game with a clock: a choice, perhaps with its instant; time that passed; or that it is live."""
    assert isinstance(game, TimedGame)
    if not entry:
        raise SaveError(f"the log is damaged: choice {number} is no choice")
    first, *rest = entry
    seats = rest[0] if first is None and len(rest) == 1 and isinstance(rest[0], list) else None
    numbers = seats if seats is not None else rest if first is None else entry
    wanted = (1,) if first is None else (2, 3)
    if not all(type(n) is int for n in numbers) or (seats is None and len(numbers) not in wanted):
        raise SaveError(f"the log is damaged: choice {number} is no choice")
    instant = None if seats is not None else rest[0] if first is None else rest[1] if len(rest) == 2 else None
    if instant is not None and not game.now <= instant < LATEST:
        raise SaveError(f"the log is damaged: at choice {number} time would run backwards")


def restore(path: str | os.PathLike[str], load: Any) -> Game:
    """The game of a save. A log alone has nothing that could tell whether it is whole, and is refused."""
    data = read(path)
    if "digest" not in data and data.get("orrery") == FORMAT:
        raise SaveError(
            f"{path} has no `digest`, so that nobody could tell whether it is whole. If you trust it,"
            f" `orrery replay {path} --save NEW` makes a save of it"
        )
    return checked(data, path, load)


def checked(data: dict[str, Any], path: str | os.PathLike[str], load: Any) -> Game:
    """The game that a file tells of, and that it is the game it was, as far as the file can tell."""
    try:
        game = replay(data, load)
    except SaveError as error:
        raise SaveError(f"{path}: {error}") from None
    if "digest" in data and data.get("engine") == game.rules.engine and data["digest"] != digest(game):
        raise SaveError(
            f"{path} is damaged: the game it tells of is not the game it was (another `digest`)"
        )
    return game
