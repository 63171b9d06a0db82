"""Play many games and count what happened.

Takes a ruleset, bots and a seed; gives a report. Game number i has a seed of its own, made from the
seed and i, and games are put together in their order: the figures are the same for any number of
workers. Only `seconds` and what follows from it depend on the machine.
"""

from __future__ import annotations

import math
import os
import random
import shlex
import signal
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from .bots import Bot, at_random, derive, make
from .diagnostics import OrreryError
from .face import Game, RuleError, Rules, UsageError, load

LONGEST = 20_000  # decisions after which a game counts as unfinished
CONFIDENCE = 1.959964  # the normal quantile of a 95 % interval
WATCH_SECONDS = 1.0  # between a worker's looks whether its parent is still there
BATCH_SECONDS = 0.5  # what a batch should roughly take, so that progress is seen


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played. Plain data, so that it can travel to a worker."""

    ruleset: str
    players: int
    seed: int
    bots: tuple[str, ...]  # one for every seat
    options: Mapping[str, Any] = field(default_factory=dict)
    first: int = 0
    games: int = 1
    longest: int = LONGEST
    count_rules: bool = True

    def again(self, game: int) -> str:
        """The command that plays one of these games once more."""
        words = ["orrery", "simulate", self.ruleset, "--players", str(self.players)]
        words += ["--seed", str(self.seed), "--first", str(game), "--games", "1"]
        if set(self.bots) != {"random"}:
            words += ["--bots", ",".join(self.bots)]
        for name, value in self.options.items():
            words += ["--option", f"{name}={_written(value)}"]
        if self.longest != LONGEST:
            words += ["--longest", str(self.longest)]
        return shlex.join(words)


@dataclass(frozen=True, slots=True)
class Row:
    """One game, in few words."""

    game: int
    seed: int
    decisions: int
    winners: tuple[int, ...] = ()
    scores: tuple[float, ...] = ()
    finished: bool = False
    error: str = ""


@dataclass(frozen=True, slots=True)
class Batch:
    rows: list[Row]
    uses: Mapping[str, int]
    stopped: bool = False  # by ctrl-C, in the game after these


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that was counted; `data()` is its JSON shape, and others rely on it."""

    rules: Rules
    plan: Plan
    rows: Sequence[Row]
    uses: Mapping[str, int]
    countable: Sequence[str]  # what could have been used
    seconds: float

    @property
    def stopped(self) -> bool:
        """Whether there are fewer games than were planned."""
        return len(self.rows) < self.plan.games

    @property
    def finished(self) -> list[Row]:
        return [row for row in self.rows if row.finished]

    @property
    def decisions(self) -> int:
        return sum(row.decisions for row in self.rows)

    def data(self) -> dict[str, Any]:
        done = self.finished
        wins = wins_by_seat(done, self.plan.players)
        return {
            "ruleset": self.rules.name,
            "version": self.rules.version,
            "fingerprint": self.rules.fingerprint,
            "players": self.plan.players,
            "seed": self.plan.seed,
            "first": self.plan.first,
            "bots": list(self.plan.bots),
            "options": dict(self.plan.options),
            "games": len(self.rows),
            "stopped": self.stopped,
            "finished": len(done),
            "unfinished": sum(1 for row in self.rows if not row.finished and not row.error),
            "failed": sum(1 for row in self.rows if row.error),
            "decisions": self.decisions,
            "seconds": round(self.seconds, 3),
            "decisions_per_second": round(self.decisions / self.seconds) if self.seconds else 0,
            "decisions_per_game": spread([row.decisions for row in done]),
            "wins_by_seat": [_tidy(share) for share in wins],
            "shared_wins": sum(1 for row in done if len(row.winners) > 1),
            "no_winner": sum(1 for row in done if not row.winners),
            "win_rate_by_seat": [_rate(share, len(done)) for share in wins],
            "scores_by_seat": [
                spread([row.scores[seat] for row in done if seat < len(row.scores)])
                for seat in range(self.plan.players)
            ],
            "uses": dict(sorted(self.uses.items())),
            "never": self.never(),
            "errors": failures(self.plan, self.rows),
        }

    def never(self) -> list[str]:
        """The rules and cards that could have been used, and never were."""
        return [rule for rule in self.countable if not self.uses.get(rule)]


class Stopped(KeyboardInterrupt):
    """By ctrl-C, with a report of the games that were played by then."""

    def __init__(self, report: Report) -> None:
        super().__init__()
        self.report = report


def failures(plan: Plan, rows: Iterable[Row]) -> list[dict[str, Any]]:
    """The games in which a rule failed, each with the command that plays it again."""
    return [
        {
            "game": row.game,
            "seed": row.seed,
            "decisions": row.decisions,
            "message": row.error,
            "again": plan.again(row.game),
        }
        for row in rows
        if row.error
    ]


def simulate(
    plan: Plan,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Play what the plan says; `progress` is told how many games have been played so far.

    Ctrl-C raises Stopped, which has the report of what was played by then.
    """
    rules = load(plan.ruleset)
    if plan.games < 1:
        raise UsageError(f"{plan.games} games cannot be played; ask for at least one")
    if plan.first < 0:
        raise UsageError(f"there is no game {plan.first}: the first one is game 0")
    if plan.longest < 1:
        raise UsageError(f"a game cannot be given up after {plan.longest} decisions; let it have at least one")
    with suppress(RuleError):  # of the set-up: every game will tell
        rules.new(plan.players, plan.seed, dict(plan.options))  # a wrong wish is told once, and here
    for spec in plan.bots:
        make(spec, 0)
    batches: list[Batch] = []
    started = time.perf_counter()
    try:
        for batch in _batches(plan, workers):
            batches.append(batch)
            if batch.stopped:
                raise KeyboardInterrupt
            if progress is not None:
                progress(sum(len(batch.rows) for batch in batches))
    except KeyboardInterrupt:
        raise Stopped(_report(rules, plan, batches, time.perf_counter() - started)) from None
    return _report(rules, plan, batches, time.perf_counter() - started)


def _report(rules: Rules, plan: Plan, batches: Sequence[Batch], seconds: float) -> Report:
    uses: Counter[str] = Counter()
    for batch in batches:
        uses.update(batch.uses)
    countable = rules.countable(plan.players, dict(plan.options)) if plan.count_rules else []
    return Report(rules, plan, [row for batch in batches for row in batch.rows], uses, countable, seconds)


def _batches(plan: Plan, workers: int) -> Iterator[Batch]:
    if workers == 1 or plan.games == 1:
        yield from _here(plan)
        return
    import joblib  # type: ignore[import-untyped]

    size = max(1, min(250, math.ceil(plan.games / (16 * abs(workers)))))
    numbers = range(plan.first, plan.first + plan.games)
    parts = [numbers[at : at + size] for at in range(0, plan.games, size)]
    pool = joblib.Parallel(n_jobs=workers, return_as="generator", initializer=_in_a_worker)
    yield from pool(joblib.delayed(play_batch)(plan, part) for part in parts)


def _in_a_worker() -> None:
    """A terminal sends ctrl-C to all; the parent ends its workers, and tells what they have played."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_the_parent()


def end_with_the_parent() -> None:
    """Of a worker: a parent that is killed cannot end its workers, so they look for it themselves."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(WATCH_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _here(plan: Plan) -> Iterator[Batch]:
    """In this process, in batches that grow until progress is shown about twice a second."""
    numbers = range(plan.first, plan.first + plan.games)
    at, size = 0, 1
    while at < plan.games:
        started = time.perf_counter()
        yield play_batch(plan, numbers[at : at + size])
        at += size
        size = size * 2 if time.perf_counter() - started < BATCH_SECONDS / 2 else size


_loaded: dict[tuple[str, bool], Rules] = {}  # of this process, so that a worker loads once


def play_batch(plan: Plan, numbers: Iterable[int]) -> Batch:
    """The unit of work that a worker is sent. Ctrl-C ends it after the last whole game."""
    key = (plan.ruleset, plan.count_rules)
    if key not in _loaded:
        rules = load(plan.ruleset)
        _loaded[key] = rules.counting() if plan.count_rules else rules
    rules = _loaded[key]
    rules.counts[:] = [0] * len(rules.counts)
    rows: list[Row] = []
    for number in numbers:
        before = rules.counts[:]
        try:
            rows.append(play_one(rules, plan, number))
        except KeyboardInterrupt:
            rules.counts[:] = before
            return Batch(rows, rules.uses(), stopped=True)
    return Batch(rows, rules.uses())


def play_one(rules: Rules, plan: Plan, number: int) -> Row:
    """Game number `number`, to its end, or to the first thing that goes wrong."""
    seed = derive(plan.seed, number)
    made = 0
    try:
        game = rules.new(plan.players, seed, dict(plan.options))
        if set(plan.bots) == {"random"}:
            made = _at_random(game, random.Random(derive(seed, 0)).random, plan.longest)
        else:
            bots = [make(spec, derive(seed, 1 + seat)) for seat, spec in enumerate(plan.bots)]
            made = _with(game, bots, plan.longest)
    except _Broken as broken:
        return Row(number, seed, broken.made, error=broken.message)
    except OrreryError as error:
        return Row(number, seed, made, error=str(error))
    result = game.result
    if result is None:
        return Row(number, seed, made)
    return Row(number, seed, made, tuple(result.winners), tuple(result.scores), finished=True)


class _Broken(Exception):
    def __init__(self, made: int, error: OrreryError) -> None:
        self.made = made
        self.message = str(error)


def _at_random(game: Game, chance: Callable[[], float], longest: int) -> int:
    """The fast way: only `count` and `step`."""
    step, made, clocked, count = game.step, 0, game.table.clocked, game.count
    try:
        while made < longest and count:
            count = step(at_random(game, chance) if clocked else int(chance() * count))
            made += 1
    except OrreryError as error:
        raise _Broken(made, error) from error
    return made


def _with(game: Game, bots: Sequence[Bot], longest: int) -> int:
    made = 0
    try:
        while made < longest and not game.over:
            player = game.player
            assert player is not None
            game.choose(_thought(game, bots[player], player), player)
            made += 1
    except OrreryError as error:
        raise _Broken(made, error) from error
    return made


def _thought(game: Game, bot: Bot, player: int) -> int:
    """What a bot chooses. What it only imagined on the way has not happened, and does not count."""
    counts = game.rules.counts
    before = counts[:]
    index = bot.choose(game, player)
    counts[:] = before
    return index


# --- figures --------------------------------------------------------------------------------------


def wins_by_seat(rows: Iterable[Row], players: int) -> list[float]:
    """How many games each seat won; a shared win counts as its share."""
    wins = [0.0] * players
    for row in rows:
        for seat in row.winners:
            wins[seat] += 1 / len(row.winners)
    return wins


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share, also right near 0 and 1."""
    if games == 0:
        return 0.0, 1.0
    share, z = wins / games, CONFIDENCE
    middle = share + z * z / (2 * games)
    reach = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    below = 1 + z * z / games
    return max(0.0, (middle - reach) / below), min(1.0, (middle + reach) / below)


def spread(numbers: Sequence[float]) -> dict[str, float] | None:
    """Mean, deviation, least, median and most; None of nothing."""
    if not numbers:
        return None
    return {
        "mean": round(statistics.fmean(numbers), 3),
        "sd": round(statistics.stdev(numbers), 3) if len(numbers) > 1 else 0.0,
        "min": _tidy(min(numbers)),
        "median": _tidy(statistics.median(numbers)),
        "max": _tidy(max(numbers)),
    }


def _rate(wins: float, games: int) -> dict[str, float]:
    low, high = wilson(wins, games)
    share = wins / games if games else 0.0
    return {"share": round(share, 4), "low": round(low, 4), "high": round(high, 4)}


def _tidy(number: float) -> float:
    number = round(float(number), 4)
    return int(number) if number.is_integer() else number


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value)
