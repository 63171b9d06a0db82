"""The big rulesets alone: speed, copies, sizes, load times, and how they grow with players and workers."""

from __future__ import annotations

import gc
import marshal
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from random import random
from typing import Any

Aim = tuple[str, str, str, bool]  # what, the aim, what was found, whether it is reached


def say(text: str = "") -> None:
    print(text, flush=True)


def play(rules: Any, players: int, seed: int) -> int:
    game = rules.new(players, seed)
    count, made = game.count, 0
    if game.table.clocked:  # in a game with a clock, whoever always waits waits for ever
        from orrery.interpreter.bots import at_random

        while not game.over:
            game.choose(at_random(game, random))
            made += 1
        return made
    while count:
        count = game.step(int(random() * count))
        made += 1
    return made


def walk(rules: Any, players: int, seed: int) -> list[Any]:
    """A game at each of its decisions."""
    from orrery.interpreter.bots import at_random

    game, found = rules.new(players, seed), []
    while not game.over:
        found.append(game.copy())
        game.choose(at_random(game, random) if game.table.clocked else int(random() * game.count))
    return found


def bytes_of(game: Any) -> int:
    return len(marshal.dumps([list(part) if isinstance(part, range) else part for part in game.S]))


def speed(rules: Any, players: int, seconds: float) -> tuple[float, float]:
    """Decisions and games for each second of processor time."""
    gc.collect()
    games = made = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        made += play(rules, players, games)
        games += 1
    taken = time.process_time() - start
    return made / taken, games / taken


def copy_cost(found: list[Any], seconds: float) -> float:
    """Microseconds for one copy, over the states of whole games."""
    gc.collect()
    gc.disable()
    try:
        count = 0
        start = time.process_time()
        while time.process_time() - start < seconds:
            for game in found:
                game.copy()
            count += len(found)
        return (time.process_time() - start) / count * 1e6
    finally:
        gc.enable()


def by_players(name: str, seconds: float) -> None:
    import orrery

    rules = orrery.load(name)
    say(f"## {rules.title}, at random")
    say()
    say("| players | decisions/s | games/s | decisions a game | µs a copy | bytes a game |")
    say("| --: | --: | --: | --: | --: | --: |")
    for players in range(rules.least, rules.most + 1):
        play(rules, players, 0)
        decisions, games = speed(rules, players, 4 * seconds)
        states = walk(rules, players, 1)
        size = statistics.fmean(map(bytes_of, states[:: max(1, len(states) // 50)]))
        say(
            f"| {players} | {decisions:,.0f} | {games:,.1f} | {decisions / games:,.0f} "
            f"| {copy_cost(states, seconds):.2f} | {size:,.0f} |"
        )
    say()


def copies(names: list[str], rounds: int, seconds: float) -> list[Aim]:
    """A copy against an average decision, in the same rounds; the states are those of whole games."""
    import orrery

    say("## A copy against a decision of random play")
    say()
    say("| ruleset | players | µs a decision | µs a copy | copy ÷ decision | spread |")
    say("| --- | --: | --: | --: | --: | --- |")
    aims: list[Aim] = []
    for name in names:
        rules = orrery.load(name)
        for players in dict.fromkeys((rules.least, rules.most)):
            states = walk(rules, players, 2)
            found = []
            for _ in range(rounds):
                decision = 1e6 / speed(rules, players, seconds)[0]
                found.append((decision, copy_cost(states, seconds / 2)))
            ratios = [copy / decision for decision, copy in found]
            middle = statistics.median(ratios)
            say(
                f"| {name} | {players} | {statistics.median(d for d, _ in found):.1f} "
                f"| {statistics.median(c for _, c in found):.2f} | {middle:.3f} "
                f"| {min(ratios):.3f} … {max(ratios):.3f} |"
            )
            if name == "sol":
                aims.append((f"copy ÷ decision, sol, {players} players", "≤ 0.333", f"{middle:.3f}", middle <= 1 / 3))
    say()
    return aims


# --- starting -------------------------------------------------------------------------------------

LOAD = """
import sys, time, orrery
start, wall = time.process_time(), time.perf_counter()
rules = orrery.load(sys.argv[1])
print(time.process_time() - start, time.perf_counter() - wall)
"""


def _load(name: str, cache: str) -> tuple[float, float]:
    done = subprocess.run(
        [sys.executable, "-c", LOAD, name], capture_output=True, text=True, check=True, env={**os.environ, "ORRERY_CACHE": cache}
    )
    cpu, wall = map(float, done.stdout.split())
    return cpu, wall


def cold_and_warm(names: list[str]) -> list[Aim]:
    say("## Loading, in a fresh process")
    say()
    say("| ruleset | cold, s of processor | cold, s by the clock | warm, ms of processor | warm, ms by the clock |")
    say("| --- | --: | --: | --: | --: |")
    aims: list[Aim] = []
    for name in names:
        cold, warm = [], []
        for _ in range(3):
            with tempfile.TemporaryDirectory() as cache:
                cold.append(_load(name, cache))
                warm += [_load(name, cache) for _ in range(2)]
        c, cw = (statistics.median(part) for part in zip(*cold, strict=True))
        w, ww = (statistics.median(part) for part in zip(*warm, strict=True))
        say(f"| {name} | {c:.2f} | {cw:.2f} | {w * 1000:.1f} | {ww * 1000:.1f} |")
        if name == "sol":
            aims.append(("cold load of sol", "≤ 1.5 s", f"{c:.2f} s", c <= 1.5))
    say()
    return aims


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# Python keeps the byte code of what it has imported, unless it is told not to; users do not tell it.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _run(command: list[str]) -> tuple[float, float]:
    before, wall = _children(), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
    return time.perf_counter() - wall, _children() - before


def starts(name: str, rounds: int) -> list[Aim]:
    """`orrery show NAME` from the cache, over a Python that does nothing."""
    orrery = os.path.join(os.path.dirname(sys.executable), "orrery")
    show = [orrery, "show", name] if os.path.exists(orrery) else [sys.executable, "-m", "orrery.cli", "show", name]
    bare = [sys.executable, "-c", "pass"]
    for command in (show, bare):
        _run(command)
    found = []
    for _ in range(3 * rounds):
        (bare_wall, bare_cpu), (show_wall, show_cpu) = _run(bare), _run(show)
        found.append((show_wall - bare_wall, show_cpu - bare_cpu, bare_wall))
    wall, cpu, floor = (statistics.median(part) * 1000 for part in zip(*found, strict=True))
    say(f"## A warm start: `orrery show {name}` over bare Python")
    say()
    say(f"{cpu:.0f} ms of processor time, {wall:.0f} ms by the clock (bare Python: {floor:.0f} ms), {3 * rounds} pairs.")
    say()
    return [(f"warm `orrery show {name}` over bare Python", "≤ 60 ms", f"{cpu:.0f} ms", cpu <= 60)]


# --- workers --------------------------------------------------------------------------------------


def workers(names: list[str], rounds: int) -> list[Aim]:
    """Simulating with one process and with two, by the clock: this needs two free cores to mean anything."""
    import orrery
    from orrery.interpreter.simulate import Plan, simulate

    say("## Simulating with two workers, by the clock")
    say()
    say("| ruleset | games | 1 worker, games/s | 2 workers, games/s | ratio | spread |")
    say("| --- | --: | --: | --: | --: | --- |")
    aims: list[Aim] = []
    for name in names:
        rules = orrery.load(name)
        one = Plan(name, rules.least, 1, ("random",) * rules.least, games=20, count_rules=False)
        simulate(one, 2)  # the workers are there, and have loaded the rules
        games = max(20, round(20 * 4 / max(simulate(one).seconds, 0.01)))
        plan = Plan(name, rules.least, 1, ("random",) * rules.least, games=games, count_rules=False)
        found = [(simulate(plan).seconds, simulate(plan, 2).seconds) for _ in range(rounds)]
        ratios = [a / b for a, b in found]
        middle = statistics.median(ratios)
        say(
            f"| {name} | {games} | {games / statistics.median(a for a, _ in found):,.0f} "
            f"| {games / statistics.median(b for _, b in found):,.0f} | {middle:.2f} | {min(ratios):.2f} … {max(ratios):.2f} |"
        )
        aims.append((f"two workers against one, {name}", "≥ 1.8", f"{middle:.2f}", middle >= 1.8))
    busy = os.getloadavg()[0]
    say()
    say(f"(The machine has {os.cpu_count()} cores; {busy:.1f} processes wanted them in the last minute.)")
    say()
    return aims
