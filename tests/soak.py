"""The long proof: the promises of trust.py, in large counts, over every bundled ruleset.

    python tests/soak.py [--minutes M] [--only PROMISE,…] [--ruleset NAME,…] [--games N] [--workers W]

Goes on where it was stopped, by ctrl-C, by a kill or by its minutes: build/soak has the state, and the report.
What was tried counts as long as the engine and that ruleset are the same; a new ruleset is picked up by itself.
Every failure comes with its seed and the one command that shows it again.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import fcntl
import hashlib
import importlib.util
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent
BUILD = ROOT / "build" / "soak"
sys.path.insert(0, str(HERE))

import harm  # noqa: E402
import trust  # noqa: E402
import veils  # noqa: E402
from again import command  # noqa: E402

ALL = "all rulesets"
GRACE = 20.0  # seconds that a trial may go on when the time is over
PATIENCE = 600  # seconds after which a trial hangs
LINE = 10.0  # seconds between two lines of progress where there is no terminal
WINS = 90  # of a hundred games that the search bot has to win
STEP = 2.0  # seconds that one piece of work should take, so that the bar moves and little is lost


class Refused(Exception):
    """A soak that cannot be begun, or not be kept, and why."""


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
    of: str = ""  # which engine and rules it is of
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


def of_ruleset(trial: Callable[[str, int], Any]) -> Callable[[str, int, int], Any]:
    return lambda name, players, seed: trial(name, seed)


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
    return harm.killed_at_the_keyboard(seed)


def offers(name: str, players: int, seed: int) -> int:
    from offers import carried_through

    return carried_through(seed)


def sentences(name: str, players: int, seed: int) -> int:
    """What stands in for atheris: random words and letters, a thousand to a trial."""
    import random

    import fuzz

    dice = random.Random(f"fuzz {seed}")
    for _ in range(1_000):
        text = fuzz.soup(dice.randbytes(dice.randrange(1, 60)))
        if dice.random() < 0.3:
            text = "".join(chr(dice.choice([dice.randrange(32, 127), dice.randrange(0x3000)])) for _ in range(40))
        if dice.random() < 0.9:
            fuzz.try_parser(text, dice.choice(fuzz.STARTS))
        else:
            fuzz.try_loader(fuzz.with_effect(text))
    return 1_000


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
            5, "what is hidden is dealt anew, and nobody is told a difference", "looks", 40, of_game(veils.secrets)
        ),
        "options": each(6, "what is offered can be chosen, and nothing else", "checks", 60, of_game(trust.options)),
        "offers": once(
            6, "in random rulesets too, what is offered can be carried through", "decisions", 1_000, offers
        ),
        "copies": each(7, "copies are independent", "copies", 40, of_game(trust.copies)),
        "endings": each(8, "every game ends; what never happened is named", "games", 25, endings),
        "mutants": each(
            9, "damaged rulesets are refused with a place", "mutants", 600, of_ruleset(harm.ruleset_mutant), 10
        ),
        "scenarios": each(
            9, "damaged scenarios are refused with a place", "mutants", 150, of_ruleset(harm.scenario_mutant), 5
        ),
        "damage": each(9, "damaged saves and logs are refused with a place", "mutants", 40, of_game(harm.damaged_save)),
        "bombs": once(10, "hostile rulesets are cut in time and memory", "rulesets", bombs(), bomb),
        "kills": each(11, "sessions that are killed lose nothing that was told", "kills", 30, of_game(harm.killed)),
        "keyboard": once(11, "`orrery play`, killed at a pipe, loses nothing that was told", "kills", 60, keyboard),
        "live": each(
            14, "live games under a stumbling wall clock are the same from their log", "choices", 200, of_game(trust.live)
        ),
        "woven": each(
            15, "rules woven together play like the same rules kept apart, with any options", "decisions", 60,
            of_game(trust.woven)
        ),
        "sentences": once(12, "parser and loader answer random words (without atheris)", "texts", 60, sentences),
    }  # fmt: skip
    if importlib.util.find_spec("atheris") is not None:
        found["fuzz_parser"] = once(12, "the effect parser answers anything (atheris)", "texts", 4, fuzz("parser"))
        found["fuzz_loader"] = once(12, "the loader answers anything (atheris)", "texts", 4, fuzz("loader"))
    found["strength"] = once(
        13, f"mcts:40,depth=50 wins {WINS} of 100 games against random play at Ambourella", "games", 100, strength
    )
    return found


# --- pieces of work -------------------------------------------------------------------------------


class Hangs(Exception):
    """A trial that does not come to an end."""


def _ring(*_: object) -> None:
    raise Hangs(f"more than {PATIENCE} seconds")


def workers(many: int) -> concurrent.futures.ProcessPoolExecutor:
    from orrery.interpreter.simulate import end_with_the_parent

    return concurrent.futures.ProcessPoolExecutor(many, initializer=end_with_the_parent)


def work(promise: str, name: str, first: int, count: int, players: int) -> Tally:
    """Trials first … first + count - 1, in a worker; gives up its piece early if it takes too long."""
    what, tally = promises()[promise], Tally()
    own = name if name != ALL else "ambourella"
    start = time.monotonic()
    signal.signal(signal.SIGALRM, _ring)
    for seed in range(first, first + count):
        signal.alarm(PATIENCE)
        try:
            found = what.trial(own, players, seed)
            checks, notes = found if isinstance(found, tuple) else (found, {})
            tally.checks += checks
            for key, value in notes.items():
                tally.notes[key] = merged(key, tally.notes.get(key), value)
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            words = f"{type(error).__name__}: {error}".strip()[:600] + f" ({Path(last.filename).name}:{last.lineno})"
            tally.failures.append(failed(promise, name, seed, players, words))
        finally:
            signal.alarm(0)
        tally.done += 1
        if time.monotonic() - start > 3 * STEP:
            break
    return tally


def failed(promise: str, name: str, seed: int, players: int, what: str) -> dict[str, str]:
    again = command(promise, None if name == ALL else name, seed, players or None)
    return {"seed": str(seed), "what": what, "again": again}


def merged(key: str, before: Any, now: Any) -> Any:
    if before is None:
        return now
    if key.startswith("never"):
        return [rule for rule in before if rule in now]
    return before + now


# --- state ----------------------------------------------------------------------------------------


def mark(*folders: str) -> str:
    """Of all code and rules in these folders."""
    made = hashlib.sha256()
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".yaml", ".lark"):
                made.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return made.hexdigest()[:16]


@cache
def mark_of(promise: str, name: str) -> str:
    """What a tally is of: the engine and the ruleset; those that are of no ruleset, of the engine alone."""
    if promise == "strength":
        name = "ambourella"
    return mark("interpreter", "grammar", *([f"rulesets/{name}"] if name != ALL else []))


class State:
    """What was tried so far. Kept after every piece of work; whole or not at all."""

    def __init__(self, path: Path, fresh: bool) -> None:
        self.path = path
        self.tallies: dict[str, Tally] = {}
        self.seconds = 0.0
        self.resumed = False
        if path.exists() and not fresh:
            tallies, seconds = kept_in(path)
            self.tallies = {key: tally for key, tally in tallies.items() if tally.of == mark_of(*key.split(" / "))}
            self.resumed = bool(self.tallies)
            self.seconds = seconds if self.resumed else 0.0

    def of(self, promise: str, name: str) -> Tally:
        return self.tallies.setdefault(f"{promise} / {name}", Tally(mark_of(promise, name)))

    def add(self, promise: str, name: str, more: Tally) -> None:
        tally = self.of(promise, name)
        tally.done += more.done
        tally.checks += more.checks
        tally.failures += more.failures
        for key, value in more.notes.items():
            tally.notes[key] = merged(key, tally.notes.get(key), value)

    def keep(self) -> None:
        part = self.path.with_suffix(".part")
        tallies = {key: vars(value) for key, value in self.tallies.items() if value.done}
        try:
            part.write_text(json.dumps({"seconds": self.seconds, "tallies": tallies}, indent=1))
            os.replace(part, self.path)
        except OSError as error:
            raise Refused(f"{self.path} cannot be written: {error.strerror or error}") from None


def kept_in(path: Path) -> tuple[dict[str, Tally], float]:
    """The tallies of a state that was kept, and the seconds it took. What is damaged is not guessed at."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        tallies = {key: Tally(**value) for key, value in kept["tallies"].items()}
        whole = isinstance(kept["seconds"], (int, float)) and all(
            key.count(" / ") == 1
            and isinstance(tally.of, str)
            and type(tally.done) is type(tally.checks) is int
            and all(failure.keys() == {"seed", "what", "again"} for failure in tally.failures)
            and isinstance(tally.notes, dict)
            for key, tally in tallies.items()
        )
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        whole = False
    if not whole:
        raise Refused(f"{path} is damaged, so that nobody knows what was tried; --fresh begins anew")
    return tallies, float(kept["seconds"])


def only_one(folder: Path) -> Any:
    """The lock of a folder, held as long as this process lives: two soaks would overwrite each other's state.

    It is the process that holds it, not the file that is there: a killed soak leaves nothing that is stuck.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = open(folder / "lock", "a")  # noqa: SIM115
    except OSError as error:
        raise Refused(f"nothing can be kept in {folder}: {error.strerror or error}") from None
    try:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise Refused(
            f"another soak is at work in {folder}; wait for its end, or give this one a folder of its own by --folder"
        ) from None
    return lock


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
        for name in names if promise.each else [ALL]:
            goal = wish.games or promise.games
            if key == "bombs":
                goal = min(goal, promise.games)
            single = wish.seed is not None
            start = 0 if single else state.of(key, name).done
            yield Job(key, name, goal, start, wish.players or 0, wish.seed if single else 0, promise.first)


class Watched:
    """A bar where somebody looks, a line every few seconds where it goes into a file."""

    def __init__(self, total: int, done: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description:30}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self.total, self.done, self.told, self.begun = total, done, time.monotonic(), time.monotonic()
        self.bar = Progress(*columns, console=Console(stderr=True), transient=True) if sys.stderr.isatty() else None
        if self.bar is not None:
            self.bar.start()
            self.task = self.bar.add_task("", total=total, completed=done)

    def advance(self, more: int, what: str) -> None:
        self.done += more
        if self.bar is not None:
            self.bar.update(self.task, advance=more, description=what)
        elif time.monotonic() - self.told >= LINE:
            self.told = time.monotonic()
            self.say(f"{self.done:,} of {self.total:,} trials, {self.told - self.begun:.0f} s: {what}")

    def say(self, line: str) -> None:
        if self.bar is not None:
            self.bar.console.print(line, markup=False, highlight=False, soft_wrap=True)
        else:
            print(line, file=sys.stderr, flush=True)

    def stop(self) -> None:
        if self.bar is not None:
            self.bar.stop()


def run(wish: argparse.Namespace, state: State) -> None:
    """One piece at a time of every job, in turn, so that a short soak has seen a little of everything."""
    todo = list(jobs(wish, state))
    begun, before = time.monotonic(), state.seconds
    deadline = begun + wish.minutes * 60 if wish.minutes else float("inf")
    watched = Watched(sum(job.goal for job in todo), sum(min(job.next, job.goal) for job in todo))
    pool = workers(wish.workers)
    running: dict[Any, tuple[Job, float, tuple[Any, ...]]] = {}
    waiting = list(todo)
    try:
        while waiting or running:
            now = time.monotonic()
            while waiting and len(running) < wish.workers and now < deadline:
                job = waiting.pop(0)
                piece = job.piece()
                if piece is not None:
                    running[pool.submit(work, *piece)] = (job, now, piece)
            if not running or now > deadline + GRACE:
                break
            done, _ = concurrent.futures.wait(running, 1, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                job, started, piece = running.pop(future)
                found = result_of(future, piece)
                if future.exception() is not None:
                    pool, running = workers(wish.workers), {}
                    waiting += [other for other in todo if other not in (*waiting, job)]
                    for other in todo:  # what else was at work is begun again
                        other.next = max(other.next if other is job else 0, state.of(other.promise, other.name).done)
                job.took(time.monotonic() - started, found.done, piece[3])
                waiting.append(job)
                state.add(job.promise, job.name, found)
                state.seconds = before + time.monotonic() - begun
                if wish.seed is None:
                    state.keep()
                watched.advance(found.done, f"{job.promise} {job.name}")
                for failure in found.failures:
                    watched.say(f"{job.promise}, {job.name}, seed {failure['seed']}: {failure['what']}")
                    watched.say(f"  again: {failure['again']}")
    finally:
        watched.stop()
        for process in list((pool._processes or {}).values()):
            process.terminate()  # what they were at is begun again by the next soak
        pool.shutdown(cancel_futures=True)


def result_of(future: Any, piece: tuple[Any, ...]) -> Tally:
    """What a piece of work found; a worker that died is a failure of its piece."""
    error = future.exception()
    if error is None:
        return future.result()  # type: ignore[no-any-return]
    promise, name, first, count, players = piece
    what = f"a worker died in one of {count} trials from this seed on ({type(error).__name__})"
    return Tally(done=count, failures=[failed(promise, name, first, players, what)])


# --- the report -----------------------------------------------------------------------------------


def report(state: State) -> tuple[str, int]:
    """The report as Markdown, and how many trials failed."""
    known, lines, failures, unfinished = promises(), list[str](), 0, 0
    minutes = f"{state.seconds / 60:.1f} minutes" + (", resumed" if state.resumed else "")
    lines += [f"# Soak of {mark('interpreter', 'grammar')}, {minutes}", ""]
    lines += ["| point | promise | rulesets | trials | counted | failures |", "| --: | --- | --: | --: | --- | --: |"]
    for key, promise in known.items():
        tallies = {name.partition(" / ")[2]: t for name, t in state.tallies.items() if name.partition(" / ")[0] == key}
        tallies = {name: tally for name, tally in tallies.items() if tally.done}
        wrong = sum(len(t.failures) for t in tallies.values())
        failures += wrong
        unfinished += any(t.done < promise.games for t in tallies.values()) or not tallies
        if tallies:
            point = promise.number if promise.number <= 12 else "–"
            done, checks = sum(t.done for t in tallies.values()), sum(t.checks for t in tallies.values())
            many = len(tallies) if promise.each else "–"
            lines.append(f"| {point} | {promise.words} | {many} | {done:,} | {checks:,} {promise.unit} | {wrong} |")
    lines.append("")
    for key, tally in state.tallies.items():
        never = [set(v) for k, v in tally.notes.items() if k.startswith("never")]
        common = sorted(set.intersection(*never)) if never else []
        if common:
            name = key.partition(" / ")[2]
            lines.append(f"Never happened in {tally.checks:,} random games of {name}: {', '.join(common)}.")
        if "won" in tally.notes:
            seconds = tally.notes["seconds a decision"]
            slow = f"{max(seconds):.3f} s of processor for a decision in its slowest game"
            lines.append(f"The search bot won {tally.notes['won']} of {tally.done} games, {slow}.")
            if tally.done - tally.notes["won"] > 100 - WINS:
                failures += 1
                lines.append(f"FAILED: it has to win {WINS} of 100.")
    if importlib.util.find_spec("atheris") is None:
        lines.append("Fuzzing guided by coverage was left out: atheris is not installed (requirements-soak.txt).")
    for key, tally in state.tallies.items():
        for failure in tally.failures[:10]:
            lines += ["", f"FAILED {key}, seed {failure['seed']}: {failure['what']}", f"  again: {failure['again']}"]
    if unfinished:
        lines += ["", f"{unfinished} of {len(known)} promises have fewer trials than they should; the next soak goes on."]
    tried = any(tally.done for tally in state.tallies.values())
    lines += ["", f"{failures} failures." if failures else "No failure." if tried else "Nothing was tried."]
    return "\n".join(lines) + "\n", failures


def whole_number(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or len(text) > 18 or int(text) < least:
            raise argparse.ArgumentTypeError(f"it is a whole number from {least} on, not {text}")
        return int(text)

    return number


def minutes(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not (found > 0 and math.isfinite(found)):
        raise argparse.ArgumentTypeError(f"it is a number above 0, not {text}")
    return found


def names_in(text: str) -> list[str]:
    names = text.replace(",", " ").split()
    if not names:
        raise argparse.ArgumentTypeError("it names nothing")
    return names


def some_promises(text: str) -> list[str]:
    from orrery.interpreter.diagnostics import suggest

    known, names = list(promises()), names_in(text)
    if wrong := [name for name in names if name not in known]:
        near = suggest(wrong[0], known) or f"there are {', '.join(known)}"
        raise argparse.ArgumentTypeError(f"no promise is called {', '.join(wrong)}; {near}")
    return names


def some_rulesets(text: str) -> list[str]:
    from orrery.interpreter.face import UsageError
    from orrery.interpreter.shell.wishes import known

    try:
        return [known(name) for name in text.split(",") if name] or names_in("")
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def of_so_many(names: list[str] | None, players: int) -> list[str]:
    """The rulesets that are for so many players. One that was named and is not for them is refused."""
    from orrery.interpreter.face import RulesetError, UsageError
    from orrery.interpreter.load import bundled
    from orrery.interpreter.shell.wishes import players_of

    found = []
    for name in names or bundled():
        try:
            players_of(rules_of(name), players)
        except UsageError as error:
            if names:
                raise Refused(str(error)) from None
            continue
        except RulesetError:
            pass  # its trials will tell what is wrong with it
        found.append(name)
    if not found:
        raise Refused(f"no ruleset is for {players} players")
    return found


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=minutes, help="stop after so long; the next run goes on")
    parser.add_argument(
        "--only", type=some_promises, metavar="PROMISE,…", help=f"only these: {', '.join(promises())}"
    )
    parser.add_argument("--ruleset", type=some_rulesets, metavar="NAME,…", help="only these rulesets")
    parser.add_argument("--games", type=whole_number(1), help="trials of each promise for each ruleset")
    parser.add_argument(
        "--workers", type=whole_number(1), default=os.cpu_count() or 1, help="processes (usually one a core)"
    )
    parser.add_argument("--players", type=whole_number(1), help="only games of so many")
    parser.add_argument("--seed", type=whole_number(0), help="begin with this seed, and leave the kept state alone")
    parser.add_argument("--fresh", action="store_true", help="forget what was done before")
    parser.add_argument("--folder", type=Path, default=BUILD, help="where state and report are kept")
    wish = parser.parse_args(words)
    os.environ.setdefault("PYTHONWARNINGS", "ignore:resource_tracker")  # of a pool inside a pool
    try:
        return soak(wish)
    except Refused as why:
        print(f"Error: {why}", file=sys.stderr)
        return 2


def soak(wish: argparse.Namespace) -> int:
    if wish.players is not None:
        wish.ruleset = of_so_many(wish.ruleset, wish.players)
    single = wish.seed is not None
    lock = None if single else only_one(wish.folder)
    state = State(wish.folder / "state.json", wish.fresh or single)
    if state.resumed:
        print("Going on where the last soak stopped; --fresh begins anew.", file=sys.stderr)
    try:
        run(wish, state)
    except KeyboardInterrupt:
        print("Stopped; the next soak goes on from here.", file=sys.stderr)
    text, failures = report(state)
    print(text, end="")
    if lock is not None:
        where = wish.folder / "report.md"
        try:
            where.write_text(text)
        except OSError as error:
            raise Refused(f"{where} cannot be written: {error.strerror or error}") from None
        print(f"The report is in {os.path.relpath(where)}.", file=sys.stderr)
        lock.close()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
