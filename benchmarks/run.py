"""The bench: Orrery beside its peers, its big rulesets alone, and what was aimed at beside what was reached.

    python benchmarks/run.py [--rounds N] [--seconds S] [--section NAME]... [--no-setup]

Only ratios taken in one run mean anything. Every round plays each contestant once, in another order,
and Orrery twice; a ratio is Orrery's games per second of processor time over the peer's, in that round.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import contestants  # noqa: E402
from big import by_players, cold_and_warm, copies, starts, workers  # noqa: E402
from contestants import BUILD, GAMES, MODES, PEERS, Missing, cost  # noqa: E402

SECTIONS = ("peers", "big", "start", "workers", "hostile")
SMALL = ("tic_tac_toe", "connect_four", "kuhn_poker")  # every other ruleset stands in the tables of big ones
BOARD, CARD = ("tic_tac_toe", "connect_four"), ("lantern_market",)

# (peer, mode, games, the ratio to reach)
TARGETS: list[tuple[str, str, tuple[str, ...], float]] = [
    ("hand-written Python", "plain", GAMES, 1.5),
    ("hand-written Python", "search", GAMES, 1.8),
    ("tuned Python", "plain", ("lantern_market",), 0.8),
    ("tuned Python", "plain", ("connect_four",), 0.8),
    ("tuned Python", "plain", ("tic_tac_toe",), 0.5),
    ("tuned Python", "search", ("lantern_market",), 0.9),
    ("tuned Python", "search", ("connect_four",), 0.8),
    ("tuned Python", "search", ("tic_tac_toe",), 0.5),
    ("OpenSpiel, C++", "plain", ("connect_four", "tic_tac_toe", "kuhn_poker"), 1.1),
    ("OpenSpiel, C++", "search", ("connect_four", "tic_tac_toe", "kuhn_poker"), 1.2),
    ("boardgame.io", "plain", CARD, 40),
    ("boardgame.io", "plain", BOARD, 90),
    ("PettingZoo raw", "plain", BOARD, 20),
]


def say(text: str = "") -> None:
    print(text, flush=True)


def set_up() -> None:
    """The optional peers, as far as they can be had here. What cannot is said in the table."""
    try:
        import pettingzoo  # noqa: F401
        import pyspiel  # noqa: F401
    except ImportError:
        say("Fetching the Python peers of requirements-bench.txt …")
        wanted = str(HERE.parent / "requirements-bench.txt")
        quiet = ["--quiet", "--disable-pip-version-check"]
        done = subprocess.run(
            [sys.executable, "-m", "pip", "install", *quiet, "-r", wanted], capture_output=True, text=True
        )
        if done.returncode:
            say("  not to be had: " + (done.stderr.strip().splitlines() or ["pip failed"])[-1])
    if shutil.which("npm") and not (BUILD / "node_modules" / "boardgame.io").is_dir():
        say("Fetching boardgame.io …")
        BUILD.mkdir(parents=True, exist_ok=True)
        shutil.copy(HERE / "boardgame_io" / "package.json", BUILD)
        lean = ["--no-audit", "--no-fund", "--omit=dev", "--omit=peer", "--omit=optional"]
        done = subprocess.run(["npm", "install", *lean], cwd=BUILD, capture_output=True, text=True)
        if done.returncode:
            say("  not to be had: " + (done.stderr.strip().splitlines() or ["npm failed"])[-1])


# --- side by side ---------------------------------------------------------------------------------


def enough(play: Any, seconds: float) -> int:
    """How many games take about so long."""
    games = 1
    while True:
        taken, _ = cost(play, games)
        if taken > seconds / 4:
            return max(1, round(games * seconds / taken))
        games *= 4


def side_by_side(game: str, mode: str, rounds: int, seconds: float) -> dict[str, Any]:
    """Ratios and speeds of every peer that can be had; for the others, why not."""
    plays: dict[str, Any] = {"Orrery": contestants.orrery(game, mode)}
    absent: dict[str, str] = {}
    for name, make in PEERS.items():
        try:
            plays[name] = make(game, mode)
        except Missing as why:
            absent[name] = str(why)
    games = {name: enough(play, seconds) for name, play in plays.items()}
    speeds: dict[str, list[float]] = {name: [] for name in plays}
    lengths: dict[str, float] = {}
    for number in range(rounds):
        names = [name for name in plays if name != "Orrery"]
        names = names[number % len(names) :] + names[: number % len(names)]
        own = []
        for name in ["Orrery", *names, "Orrery"]:
            gc.collect()
            taken, made = cost(plays[name], games[name])
            lengths[name] = made / games[name]
            (own if name == "Orrery" else speeds[name]).append(games[name] / taken)
        speeds["Orrery"].append(statistics.fmean(own))
    ratios = {
        name: [mine / theirs for mine, theirs in zip(speeds["Orrery"], speeds[name], strict=True)]
        for name in plays
        if name != "Orrery"
    }
    return {"speeds": speeds, "ratios": ratios, "lengths": lengths, "absent": absent}


def compare(rounds: int, seconds: float) -> dict[tuple[str, str, str], list[float]]:
    say(f"## Side by side: {rounds} rounds, medians of the ratios of each round, least to most")
    say()
    say("A ratio says how many games Orrery plays while the other plays one.")
    say()
    say("| game | mode | against | ratio | spread | games/s | Orrery's | decisions a game |")
    say("| --- | --- | --- | --: | --- | --: | --: | --: |")
    found: dict[tuple[str, str, str], list[float]] = {}
    for game in GAMES:
        for mode in MODES:
            made = side_by_side(game, mode, rounds, seconds)
            own = statistics.median(made["speeds"]["Orrery"])
            for name in PEERS:
                if name in made["absent"]:
                    say(f"| {game} | {mode} | {name} | – | {made['absent'][name]} | | | |")
                    continue
                ratios = made["ratios"][name]
                found[name, mode, game] = ratios
                say(
                    f"| {game} | {mode} | {name} | {statistics.median(ratios):.2f} | "
                    f"{min(ratios):.2f} … {max(ratios):.2f} | {statistics.median(made['speeds'][name]):,.0f} | "
                    f"{own:,.0f} | {made['lengths'][name]:.1f} |"
                )
    contestants.stop()
    say()
    return found


# --- aims -----------------------------------------------------------------------------------------


def verdict(reached: bool) -> str:
    return "reached" if reached else "MISSED"


def aims(found: dict[tuple[str, str, str], list[float]], more: list[tuple[str, str, str, bool]]) -> tuple[int, int]:
    """What was aimed at beside what was reached; how many were missed, and how many not measured."""
    say("## What was aimed at")
    say()
    say("| against | mode | game | aim | here | |")
    say("| --- | --- | --- | --: | --: | --- |")
    missed = unmeasured = 0
    for peer, mode, games, aim in TARGETS:
        for game in games:
            ratios = found.get((peer, mode, game))
            if ratios is None:
                say(f"| {peer} | {mode} | {game} | {aim:g} | – | not measured |")
                unmeasured += 1
                continue
            here = statistics.median(ratios)
            missed += here < aim
            say(f"| {peer} | {mode} | {game} | {aim:g} | {here:.2f} | {verdict(here >= aim)} |")
    for what, aim_words, here_words, reached in more:
        missed += not reached
        say(f"| {what} | | | {aim_words} | {here_words} | {verdict(reached)} |")
    say()
    return missed, unmeasured


def in_all(missed: int, unmeasured: int) -> str:
    """The last line: a run of some sections must not pass for a whole one."""
    said = f"{missed} missed" if missed else "Nothing missed"
    return f"{said}; {unmeasured} not measured." if unmeasured else f"{said}."


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=7, help="rounds of the comparison (usually 7)")
    parser.add_argument("--seconds", type=float, default=0.25, help="of each contestant in each round")
    parser.add_argument("--section", action="append", choices=SECTIONS, help="only this (may be repeated)")
    parser.add_argument("--no-setup", action="store_true", help="fetch nothing")
    parser.add_argument("--json", type=Path, help="keep the ratios in this file")
    wish = parser.parse_args(words)
    sections = wish.section or SECTIONS
    if not wish.no_setup and "peers" in sections:
        set_up()
    say(f"# Bench: Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores, "
        f"{time.strftime('%Y-%m-%d')}")  # fmt: skip
    say()
    from orrery.interpreter.load import bundled

    big = [name for name in bundled() if name not in SMALL]
    found: dict[tuple[str, str, str], list[float]] = {}
    more: list[tuple[str, str, str, bool]] = []
    if "peers" in sections:
        found = compare(wish.rounds, wish.seconds)
    if "big" in sections:
        for name in big:
            by_players(name, wish.seconds)
        more += copies(big, wish.rounds, wish.seconds)
    if "start" in sections:
        more += cold_and_warm(big)
        more += starts("sol" if "sol" in big else big[-1], wish.rounds)
    if "workers" in sections:
        more += workers(big, min(wish.rounds, 3))
    missed, unmeasured = aims(found, more)
    if "hostile" in sections and (HERE / "hostile.py").exists():
        say("## Hostile rulesets")
        say()
        subprocess.run([sys.executable, str(HERE / "hostile.py")], check=False)
        say()
    if wish.json:
        wish.json.write_text(json.dumps({" / ".join(key): ratios for key, ratios in found.items()}, indent=1))
    say(in_all(missed, unmeasured))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
