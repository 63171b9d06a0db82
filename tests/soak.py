"""The long proof: the promises of trust.py, in large counts, over every bundled ruleset.

    python tests/soak.py [--ruleset NAME]... [--only PROMISE]... [--games N] [--minutes M] [--workers W]

Goes on where it was stopped, as long as neither engine nor rulesets have changed (build/soak has the state).
Every failure comes with its seed and the one command that shows it again.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent
BUILD = ROOT / "build" / "soak"
sys.path.insert(0, str(HERE))

import trust  # noqa: E402

ALL = "all rulesets"
GRACE = 20.0  # seconds that a trial may go on when the time is over
STEP = 2.0  # seconds that one piece of work should take, so that the bar moves and little is lost


@dataclass(frozen=True)
class Promise:
    """What is tried, how often for each ruleset, and in which unit it is counted."""

    number: int
    words: str
    unit: str
    games: int  # trials for each ruleset, or in all
    trial: Callable[[str, int, int], Any]  # (ruleset, players or 0 for each in turn, seed)
    each: bool = True  # for every ruleset
    first: int = 1  # how many trials the first piece of work has


@dataclass
class Tally:
    done: int = 0  # trials
    checks: int = 0  # what was counted in them
    failures: list[dict[str, str]] = field(default_factory=list)
    notes: dict[str, Any] = field(default_factory=dict)


_rules: dict[str, Any] = {}


def rules_of(name: str) -> Any:
    import orrery

    if name not in _rules:
        _rules[name] = orrery.load(name)
    return _rules[name]


def seats(name: str, players: int, seed: int) -> int:
    many = list(trust.players_of(rules_of(name)))
    return players or many[seed % len(many)]


def of_game(trial: Callable[..., Any], **more: Any) -> Callable[[str, int, int], Any]:
    return lambda name, players, seed: trial(rules_of(name), seats(name, players, seed), seed, **more)


def mutant(name: str, players: int, seed: int) -> int:
    import test_mutants

    if not hasattr(mutant, "sources"):
        mutant.sources = test_mutants.originals()  # type: ignore[attr-defined]
    test_mutants.examine(seed, mutant.sources)  # type: ignore[attr-defined]
    return 1


def scenario_mutant(name: str, players: int, seed: int) -> int:
    """A scenario file with a few things changed: told with a place, or run."""
    import random

    import test_mutants
    from memory import loaded, rules
    from orrery.interpreter.diagnostics import OrreryError
    from orrery.interpreter.scenarios import check_scenarios, run_scenarios

    folder = Path(rules_of(name).folder)
    files = {path.relative_to(folder).as_posix(): path.read_text() for path in sorted(folder.rglob("*.yaml"))}
    cases = [path for path in files if path.startswith("scenarios/")]
    if not cases:
        return 0
    dice = random.Random(f"scenario {seed}")
    chosen = dice.choice(cases)
    # One file, and only the first of it: it is the checker that is tried, not the rules.
    files = {path: text for path, text in files.items() if path == chosen or path not in cases}
    lines = files[chosen].split("\n")
    starts = [at for at, line in enumerate(lines) if line.startswith("- scenario")]
    if len(starts) > 3:
        at = dice.randrange(len(starts) - 2)
        files[chosen] = "\n".join(lines[starts[at] : starts[at + 2]]) + "\n"
    key = (name, "made")
    if key not in _rules:
        _rules[key] = loaded({path: text for path, text in files.items() if path not in cases})  # type: ignore[index]
    made = _rules[key]  # type: ignore[index]
    text = files[chosen]
    for _ in range(dice.choice([1, 1, 2, 3])):
        text = dice.choice(test_mutants.MUTATIONS)(text, dice)
    made.folder.files = {**{p: t for p, t in files.items() if p not in cases}, chosen: text}
    made.folder.texts = {**{p: t for p, t in made.folder.texts.items() if p not in cases}, chosen: text}
    bench = rules(made)
    try:
        problems = check_scenarios(bench)
        for problem in problems:
            length = len(text.split("\n"))
            assert problem.file != chosen or 1 <= problem.line <= length, problem
        if not any(problem.severity == "error" for problem in problems):
            run_scenarios(bench)
    except OrreryError as error:
        assert str(error)
    return 1


def bomb(name: str, players: int, seed: int) -> int:
    """A hostile ruleset in a fresh process: cut within its seconds and megabytes."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    import hostile

    which = hostile.NAMES[seed % len(hostile.NAMES)]
    with tempfile.TemporaryDirectory() as cache:
        seconds, megabytes, wrong = hostile.measure(which, cache)
    assert not wrong, f"{which}: {wrong}"
    cut = seconds <= hostile.SECONDS and megabytes <= hostile.MEGABYTES
    assert cut, f"{which}: {seconds:.2f} s, {megabytes:.0f} MB"
    return 1


def bombs() -> int:
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        import hostile
    except ImportError:
        return 0
    return len(hostile.NAMES)


def fuzz(what: str) -> Callable[[str, int, int], int]:
    def trial(name: str, players: int, seed: int) -> int:
        """Half a minute of atheris; its findings stay in build/fuzz and are where the next one starts."""
        folder = ROOT / "build" / "fuzz" / what
        command = [sys.executable, str(HERE / "fuzz.py"), what, "30", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
        runs = re.search(r"Done (\d+) runs", done.stderr)
        assert done.returncode == 0 and runs, "\n".join((done.stderr or done.stdout).strip().splitlines()[-12:])
        return int(runs[1])

    return trial


def endings(name: str, players: int, seed: int) -> tuple[int, dict[str, Any]]:
    many = seats(name, players, seed)
    games, never = trust.endings(rules_of(name), many, seed, games=20)
    return games, {f"never, {many} players": never}


def keyboard(name: str, players: int, seed: int) -> int:
    return trust.killed_at_the_keyboard(seed)


def strength(name: str, players: int, seed: int) -> tuple[int, dict[str, Any]]:
    won, seconds = trust.strength(rules_of(name), seed)
    return 1, {"won": int(won), "seconds a decision": [round(seconds, 4)]}


def promises() -> dict[str, Promise]:
    def each(number: int, words: str, unit: str, games: int, trial: Any, first: int = 1) -> Promise:
        return Promise(number, words, unit, games, trial, True, first)

    def once(number: int, words: str, unit: str, games: int, trial: Any, first: int = 1) -> Promise:
        return Promise(number, words, unit, games, trial, False, first)

    found = {
        "conservation": each(
            1, "every component is somewhere after every decision; games end", "decisions", 400, of_game(trust.conservation)
        ),
        "determinism": each(
            2, "the same games in other processes, under other hash seeds", "games", 12, of_game(trust.same_everywhere)
        ),
        "parallel": each(
            2, "simulate gives the same with one process and with two", "games", 4, of_game(trust.same_in_parallel)
        ),
        "saves": each(
            3, "saved at every decision, restored in a fresh process, finished alike", "saves", 12, of_game(trust.saves)
        ),
        "undo": each(4, "undone to the start and done again", "decisions", 60, of_game(trust.undo)),
        "secrets": each(
            5, "what is hidden is dealt anew, and nobody is told a difference", "looks", 40, of_game(trust.secrets)
        ),
        "options": each(
            6, "what is offered can be chosen, and nothing else", "checks", 60, of_game(trust.options)
        ),
        "copies": each(7, "copies are independent", "copies", 40, of_game(trust.copies)),
        "endings": each(8, "every game ends; what never happened is named", "games", 25, endings),
        "mutants": once(9, "damaged rulesets are refused with a place", "mutants", 8_000, mutant, 20),
        "scenarios": each(9, "damaged scenarios are refused with a place", "mutants", 150, scenario_mutant, 5),
        "damage": each(9, "damaged saves and logs are refused in words", "mutants", 40, of_game(trust.damaged_save)),
        "bombs": once(10, "hostile rulesets are cut in time and memory", "rulesets", bombs(), bomb),
        "kills": each(11, "sessions that are killed lose nothing that was told", "kills", 40, of_game(trust.killed)),
        "keyboard": once(11, "`orrery play`, killed at a pipe, loses nothing that was told", "kills", 60, keyboard),
        "strength": once(13, "mcts:40,depth=50 wins 90 of 100 games against random play at Ambourella", "games", 100, strength),
    }  # fmt: skip
    if importlib.util.find_spec("atheris") is not None:
        found["fuzz_parser"] = once(12, "the effect parser answers anything (atheris)", "texts", 4, fuzz("parser"))
        found["fuzz_loader"] = once(12, "the loader answers anything (atheris)", "texts", 4, fuzz("loader"))
    return found


# --- pieces of work -------------------------------------------------------------------------------


def again(promise: str, name: str, seed: int, players: int) -> str:
    words = f"python tests/soak.py --only {promise} --seed {seed} --games 1"
    return words + (f" --ruleset {name}" if name != ALL else "") + (f" --players {players}" if players else "")


def work(promise: str, name: str, first: int, count: int, players: int) -> Tally:
    """Trials first … first + count - 1, in a worker; gives up its piece early if it takes too long."""
    what, tally = promises()[promise], Tally()
    own = name if name != ALL else "ambourella"
    start = time.monotonic()
    for seed in range(first, first + count):
        try:
            found = what.trial(own, players, seed)
            checks, notes = found if isinstance(found, tuple) else (found, {})
            tally.checks += checks
            for key, value in notes.items():
                tally.notes[key] = merged(key, tally.notes.get(key), value)
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            words = f"{type(error).__name__}: {error}".strip()[:600] + f" ({Path(last.filename).name}:{last.lineno})"
            tally.failures.append({"seed": str(seed), "what": words, "again": again(promise, name, seed, players)})
        tally.done += 1
        if time.monotonic() - start > 3 * STEP:
            break
    return tally


def merged(key: str, before: Any, now: Any) -> Any:
    if before is None:
        return now
    if key.startswith("never"):
        return [rule for rule in before if rule in now]
    return before + now


# --- state ----------------------------------------------------------------------------------------


def fingerprint() -> str:
    """Of the engine and all rulesets: a soak of other code is another soak."""
    made = hashlib.sha256()
    for folder in ("interpreter", "rulesets", "grammar"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".yaml", ".lark"):
                made.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return made.hexdigest()[:16]


class State:
    def __init__(self, path: Path, mark: str, fresh: bool) -> None:
        self.path, self.mark = path, mark
        self.tallies: dict[str, Tally] = {}
        self.seconds = 0.0
        self.resumed = False
        if path.exists() and not fresh:
            kept = json.loads(path.read_text())
            if kept["of"] == mark:
                self.tallies = {key: Tally(**value) for key, value in kept["tallies"].items()}
                self.seconds, self.resumed = kept["seconds"], True

    def of(self, promise: str, name: str) -> Tally:
        return self.tallies.setdefault(f"{promise} / {name}", Tally())

    def add(self, promise: str, name: str, more: Tally) -> None:
        tally = self.of(promise, name)
        tally.done += more.done
        tally.checks += more.checks
        tally.failures += more.failures
        for key, value in more.notes.items():
            tally.notes[key] = merged(key, tally.notes.get(key), value)

    def keep(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = self.path.with_suffix(".part")
        tallies = {key: vars(value) for key, value in self.tallies.items()}
        part.write_text(json.dumps({"of": self.mark, "seconds": self.seconds, "tallies": tallies}, indent=1))
        os.replace(part, self.path)


# --- the run --------------------------------------------------------------------------------------


class Job:
    """A promise for a ruleset: how far it is, and how big its next piece should be."""

    def __init__(self, promise: str, name: str, goal: int, start: int, players: int, base: int, first: int) -> None:
        self.promise, self.name, self.goal, self.players, self.base = promise, name, goal, players, base
        self.next, self.size = start, first

    def piece(self) -> tuple[str, str, int, int, int] | None:
        count = min(self.size, self.goal - self.next)
        if count <= 0:
            return None
        made = (self.promise, self.name, self.base + self.next, count, self.players)
        self.next += count
        return made

    def took(self, seconds: float, done: int, wanted: int) -> None:
        self.next -= wanted - done  # a piece that was given up is done next
        self.size = max(1, min(500, round(max(1, done) * STEP / max(seconds, 0.01))))


def jobs(wish: argparse.Namespace, state: State) -> Iterator[Job]:
    from orrery.interpreter.load import bundled

    names = wish.ruleset or bundled()
    for key, promise in promises().items():
        if wish.only and key not in wish.only:
            continue
        if key == "strength" and "ambourella" not in bundled():
            continue
        for name in names if promise.each else [ALL]:
            goal = wish.games or promise.games
            if key == "bombs":
                goal = min(goal, promise.games)
            single = wish.seed is not None
            start = 0 if single else state.of(key, name).done
            yield Job(key, name, goal, start, wish.players or 0, wish.seed if single else 0, promise.first)


def run(wish: argparse.Namespace, state: State) -> None:
    """One piece at a time of every job, in turn, so that a short soak has seen a little of everything."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    todo = list(jobs(wish, state))
    total = sum(job.goal for job in todo)
    begun, before = time.monotonic(), state.seconds
    deadline = begun + wish.minutes * 60 if wish.minutes else None
    columns = (TextColumn("{task.description:30}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with (
        concurrent.futures.ProcessPoolExecutor(wish.workers) as pool,
        Progress(*columns, console=Console(stderr=True), transient=True) as bar,
    ):
        shown = bar.add_task("", total=total, completed=sum(min(job.next, job.goal) for job in todo))
        running: dict[Any, tuple[Job, float, int]] = {}
        waiting = list(todo)
        while waiting or running:
            late = deadline is not None and time.monotonic() > deadline
            if deadline is not None and time.monotonic() > deadline + GRACE:
                for process in list((pool._processes or {}).values()):
                    process.terminate()  # what they were at is begun again by the next soak
                break
            while waiting and len(running) < wish.workers and not late:
                job = waiting.pop(0)
                piece = job.piece()
                if piece is not None:
                    running[pool.submit(work, *piece)] = (job, time.monotonic(), piece[3])
            if late:
                waiting = []
            if not running:
                break
            done, _ = concurrent.futures.wait(running, 1, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                job, started, wanted = running.pop(future)
                found = future.result()
                job.took(time.monotonic() - started, found.done, wanted)
                waiting.append(job)
                state.add(job.promise, job.name, found)
                state.seconds = before + time.monotonic() - begun
                if wish.seed is None:
                    state.keep()
                bar.update(shown, advance=found.done, description=f"{job.promise} {job.name}")
                for failure in found.failures:
                    where = f"{job.promise}, {job.name}, seed {failure['seed']}"
                    for line in (f"{where}: {failure['what']}", f"  again: {failure['again']}"):
                        bar.console.print(line, markup=False, highlight=False, soft_wrap=True)


def report(wish: argparse.Namespace, state: State) -> int:
    known = promises()
    print(f"# Soak of {state.mark}, {state.seconds / 60:.1f} minutes" + (" (resumed)" if state.resumed else ""))
    print()
    print("| point | promise | trials | counted | failures |")
    print("| --: | --- | --: | --- | --: |")
    failures = unfinished = 0
    for key, promise in known.items():
        tallies = {name.partition(" / ")[2]: t for name, t in state.tallies.items() if name.partition(" / ")[0] == key}
        done, checks = sum(t.done for t in tallies.values()), sum(t.checks for t in tallies.values())
        failed = sum(len(t.failures) for t in tallies.values())
        failures += failed
        if done:
            short = sum(promise.games - t.done for t in tallies.values() if t.done < promise.games)
            unfinished += short > 0
            point = promise.number if promise.number <= 12 else "–"
            print(f"| {point} | {promise.words} | {done:,} | {checks:,} {promise.unit} | {failed} |")
    print()
    for key, tally in state.tallies.items():
        never = {k: v for k, v in tally.notes.items() if k.startswith("never")}
        common = set.intersection(*(set(v) for v in never.values())) if never else set()
        if common:
            name = key.partition(" / ")[2]
            print(f"Never happened in {tally.checks:,} random games of {name}: {', '.join(sorted(common))}.")
        if "won" in tally.notes:
            seconds = tally.notes["seconds a decision"]
            slow = f"{max(seconds):.3f} s of processor for a decision in its slowest game"
            print(f"The search bot won {tally.notes['won']} of {tally.done} games, {slow}.")
    if importlib.util.find_spec("atheris") is None:
        print("Fuzzing guided by coverage was left out: atheris is not installed (requirements-bench.txt).")
    for key, tally in state.tallies.items():
        for failure in tally.failures[:10]:
            print(f"\nFAILED {key}, seed {failure['seed']}: {failure['what']}\n  again: {failure['again']}")
    if unfinished:
        print(f"\n{unfinished} of {len(known)} promises have fewer trials than they should; the next soak goes on with them.")
    print(f"\n{failures} failures." if failures else "\nNo failure.")
    return 1 if failures else 0


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--ruleset", action="append", help="only this ruleset (may be repeated)")
    parser.add_argument("--only", action="append", choices=list(promises()), help="only this promise (may be repeated)")
    parser.add_argument("--games", type=int, help="trials of each promise for each ruleset")
    parser.add_argument("--minutes", type=float, help="stop after so long; the next run goes on")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (usually one a core)")
    parser.add_argument("--players", type=int, help="only games of so many")
    parser.add_argument("--seed", type=int, help="begin with this seed, and leave the kept state alone")
    parser.add_argument("--fresh", action="store_true", help="forget what was done before")
    wish = parser.parse_args(words)
    os.environ.setdefault("PYTHONWARNINGS", "ignore:resource_tracker")  # of a pool inside a pool
    state = State(BUILD / "state.json", fingerprint(), wish.fresh or wish.seed is not None)
    if state.resumed:
        print("Going on where the last soak stopped; --fresh begins anew.", file=sys.stderr)
    try:
        run(wish, state)
    except KeyboardInterrupt:
        print("Stopped; the next soak goes on from here.", file=sys.stderr)
    return report(wish, state)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
