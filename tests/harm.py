"""Harm of every kind: damaged rulesets, scenarios, saves and logs, and processes that are killed.

The same number makes the same damage. What comes back must be words with a place, or the game as it was;
what is killed must have kept all that it told.
"""

from __future__ import annotations

import copy
import json
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import orrery
from memory import loaded, rules
from orrery.interpreter.load import RULESETS
from orrery.interpreter.saves import digest
from orrery.interpreter.scenarios import Bench
from orrery.interpreter.session import HUMAN, resume, retrace
from trust import name_of, random_game

WAIT = 60  # seconds for a session to tell of its first decisions
DECISIONS = 12  # that a damaged ruleset is played, if it can be

Random = random.Random
Mutation = Callable[[str, Random], str]

TOKEN = re.compile(r'"[^"\n]*"|[A-Za-z_]\w*|\d+|[^\w\s]')
KEY = re.compile(r"(?m)^([ \-]*)([\w\"() ,]+):(?=[ \n])")
STRANGE = [
    "__class__", "import", "lambda", "exec", "none", "you", "it", "this", "megagalax", "0", "-1", "99999999999", "1.5", "2d6",
    '"', "'", "[", "]", "{", "}", "(", ")", ":", ",", ".", "|", "#", "*x", "&x", "!!int 3", "~", "true", "players", "game",
    "box", "\t", "\u2028", "é", "\U0001f600", "list of number", "player?", "if", "for each", "repeat", "is", "to", "in", "where",
]  # fmt: skip
VALUES = ["3", "true", "null", "[]", "{}", "[1, 2]", "{a: b}", "some words here", '""', "-5", "2.5", "|\n      x", "> x", "9e99"]


def any_match(pattern: re.Pattern[str], text: str, rng: Random) -> re.Match[str] | None:
    found = list(pattern.finditer(text))
    return rng.choice(found) if found else None


def drop_line(text: str, rng: Random) -> str:
    lines = text.split("\n")
    del lines[rng.randrange(len(lines))]
    return "\n".join(lines)


def repeat_line(text: str, rng: Random) -> str:
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    return "\n".join([*lines[:at], lines[at], *lines[at:]])


def swap_lines(text: str, rng: Random) -> str:
    lines = text.split("\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return "\n".join(lines)


def indent_line(text: str, rng: Random) -> str:
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    lines[at] = "  " + lines[at] if rng.random() < 0.5 else lines[at].removeprefix("  ")
    return "\n".join(lines)


def rename_key(text: str, rng: Random) -> str:
    hit = any_match(KEY, text, rng)
    if hit is None:
        return text
    word = hit[2]
    other = any_match(KEY, text, rng)
    changed = rng.choice([word[:-1] or "x", word + "s", word.upper(), "".join(reversed(word)), other[2] if other else "x"])
    return text[: hit.start(2)] + changed + text[hit.end(2) :]


def drop_key(text: str, rng: Random) -> str:
    hit = any_match(KEY, text, rng)
    return text if hit is None else text[: hit.start(2)] + text[hit.end() :].lstrip(" ")


def change_value(text: str, rng: Random) -> str:
    hit = any_match(re.compile(r"(?<=: )[^\n|>]+"), text, rng)
    return text if hit is None else text[: hit.start()] + rng.choice(VALUES) + text[hit.end() :]


def change_token(text: str, rng: Random) -> str:
    hit = any_match(TOKEN, text, rng)
    return text if hit is None else text[: hit.start()] + rng.choice(STRANGE) + text[hit.end() :]


def swap_tokens(text: str, rng: Random) -> str:
    found = list(TOKEN.finditer(text))
    if len(found) < 2:
        return text
    at = rng.randrange(len(found) - 1)
    a, b = found[at], found[min(len(found) - 1, at + rng.randint(1, 6))]
    if a is b:
        return text
    return text[: a.start()] + b[0] + text[a.end() : b.start()] + a[0] + text[b.end() :]


def borrow_token(text: str, rng: Random) -> str:
    a, b = any_match(TOKEN, text, rng), any_match(TOKEN, text, rng)
    return text if a is None or b is None else text[: a.start()] + b[0] + text[a.end() :]


def drop_token(text: str, rng: Random) -> str:
    hit = any_match(TOKEN, text, rng)
    return text if hit is None else text[: hit.start()] + text[hit.end() :]


def misspell(text: str, rng: Random) -> str:
    hit = any_match(re.compile(r"[a-z]{4,}"), text, rng)
    if hit is None:
        return text
    at = rng.randrange(hit.start(), hit.end())
    return text[:at] + rng.choice("abcxyz_") + text[at + 1 :]


def truncate(text: str, rng: Random) -> str:
    return text[: rng.randrange(len(text) + 1)]


def delete_bytes(text: str, rng: Random) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + text[at + rng.randint(1, 8) :]


def insert_bytes(text: str, rng: Random) -> str:
    at = rng.randrange(len(text) + 1)
    more = rng.choice([rng.choice(STRANGE), chr(rng.randrange(32, 127)), chr(rng.randrange(0x300)), "\n", "\n  "])
    return text[:at] + more + text[at:]


def change_number(text: str, rng: Random) -> str:
    hit = any_match(re.compile(r"\b\d+\b"), text, rng)
    if hit is None:
        return text
    return text[: hit.start()] + rng.choice(["0", "1", "7", "-3", "100000", "12345678901234567890", "0.25"]) + text[hit.end() :]


MUTATIONS: list[Mutation] = [
    drop_line, repeat_line, swap_lines, indent_line, rename_key, drop_key, change_value, change_token, swap_tokens, borrow_token,
    borrow_token, drop_token, misspell, truncate, delete_bytes, insert_bytes, change_number,
]  # fmt: skip


@cache
def files_of(name: str) -> dict[str, str]:
    """The texts of a bundled ruleset."""
    folder = RULESETS / name
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.yaml"))}


def has_a_place(problem: Any, files: dict[str, str], texts: dict[str, str]) -> None:
    assert problem.file in files or problem.file == "ruleset.yaml", problem
    lines = texts.get(problem.file, "").split("\n")
    assert 1 <= problem.line <= len(lines), problem
    assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1, problem
    assert (problem.end_line, problem.end_column) >= (problem.line, problem.column), problem
    assert problem.code and problem.message, problem


# --- rulesets -------------------------------------------------------------------------------------


def ruleset_mutant(name: str, number: int) -> int:
    """A ruleset with a few things changed is refused with places, or can be played; never a traceback."""
    dice = Random(f"mutant {name} {number}")
    files = {path: text for path, text in files_of(name).items() if not path.startswith("scenarios/")}
    for _ in range(dice.choice([1, 1, 1, 2, 3])):
        path = dice.choice(sorted(files))
        files[path] = dice.choice(MUTATIONS)(files[path], dice)
    made = loaded(files)
    for problem in made.problems:
        has_a_place(problem, files, made.folder.texts)
    if made.image is None:
        assert any(problem.severity == "error" for problem in made.problems)
    else:
        play(files, made, number)
    return 1


def play(files: dict[str, str], made: object, number: int) -> None:
    rng = Random(number)
    game_rules = rules(made)  # type: ignore[arg-type]
    try:
        game = game_rules.new(seed=number)
        for _ in range(DECISIONS):
            if game.over:
                break
            decision = game.decision
            assert decision is not None and decision.prompt is not None
            assert len(decision.options) == 0 or decision.options[0].label is not None
            for viewer in (0, None):
                game.drawing(viewer)
                game.view(viewer)
            game.choose(rng.randrange(game.count))
        if game.over:
            assert game.result is not None
    except orrery.RuleError as error:
        lines = files.get(error.place.file, "").split("\n")
        assert error.place.file in files and 1 <= error.place.line <= len(lines), error
    except orrery.OrreryError:
        pass


# --- scenarios ------------------------------------------------------------------------------------


@cache
def _without_scenarios(name: str) -> Any:
    return loaded({path: text for path, text in files_of(name).items() if not path.startswith("scenarios/")})


def scenario_mutant(name: str, number: int) -> int:
    """A scenario file with a few things changed is told with places, or is run; never a traceback."""
    cases = {path: text for path, text in files_of(name).items() if path.startswith("scenarios/")}
    if not cases:
        return 0
    dice = Random(f"scenario {name} {number}")
    path = dice.choice(sorted(cases))
    # Two of a file's scenarios, so that a trial is short: it is the checker that is tried, not the rules.
    lines = cases[path].split("\n")
    starts = [at for at, line in enumerate(lines) if line.startswith("- scenario")]
    if len(starts) > 3:
        at = dice.randrange(len(starts) - 2)
        lines = lines[starts[at] : starts[at + 2]]
    text = "\n".join(lines) + "\n"
    for _ in range(dice.choice([1, 1, 2, 3])):
        text = dice.choice(MUTATIONS)(text, dice)
    made = copy.copy(_without_scenarios(name))
    made.folder = copy.copy(made.folder)
    made.folder.files = {**made.folder.files, path: text}
    made.folder.texts = {**made.folder.texts, path: text}
    bench = Bench(rules(made))
    for problem in bench.problems.sorted():
        has_a_place(problem, made.folder.files, made.folder.texts)
    if not bench.problems.has_errors:
        for scenario in bench.scenarios:
            told = bench.run(scenario)
            assert told.passed or (told.file == path and 1 <= told.line <= text.count("\n") + 1 and told.message), told
    return 1


# --- saves and logs -------------------------------------------------------------------------------

# What tells where: a line of the file, one of its keys, or the number of a choice.
SAVE_PLACE = re.compile(r":\d+:\d+: |`(orrery|ruleset|fingerprint|players|seed|options|choices|digest|flicks)`|choice \d+")


def damaged_save(made: orrery.Rules, players: int, seed: int, mutants: int = 40) -> int:
    """A save or a log with its bytes or its fields changed is refused with a place, or is the same game."""
    dice = Random(f"damage {seed}")
    game = random_game(made, players, seed, most=dice.randrange(1, 25))
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "save.json")
        game.save(path, {"seats": [HUMAN, *["random"] * (players - 1)], "more": {"of": [1, None]}})
        text = path.read_bytes()
        for number in range(mutants):
            path.write_bytes(_damaged(text, dice))
            _restored_or_refused(path, game, number)
            if number % 20 == 0:
                _told_by_the_command(path, number)
        for number in range(mutants // 4):  # each is a game that is told again
            path.write_text(json.dumps(_other_notes(json.loads(text), dice)))
            assert _restored_or_refused(path, game, number), f"notes {number}: they are no part of the game, and it is refused"
    for number in range(mutants):
        _log_replayed_or_refused(game, dice, number)
    return 2 * mutants + mutants // 4


def _restored_or_refused(path: Path, game: orrery.Game, number: int) -> bool:
    try:
        again = orrery.restore(path)
    except orrery.SaveError as error:
        assert str(path) in str(error) and SAVE_PLACE.search(str(error)), f"damage {number}: {error}"
        return False
    else:
        assert digest(again) == digest(game), f"damage {number} was not seen, and the game is another"
        assert again.choices() == game.choices()
        # Whatever the notes say, the same can sit down again, or the usual ones; or a bot that nobody knows is told of.
        try:
            seats = resume(path).seats
        except orrery.SaveError as error:
            assert str(error).startswith(f"{path} seats nobody who can play: ") and "`--seat" in str(error), error
            seats = resume(path, lambda players, before: ["random"] * players).seats
        assert len(seats) == game.players and all(isinstance(seat, str) for seat in seats), f"damage {number}: {seats}"
        return True


def _told_by_the_command(path: Path, number: int) -> None:
    command = [sys.executable, "-m", "orrery.cli", "replay", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode in (0, 1), f"damage {number}: {done.stderr[-300:]}"
    assert "Traceback" not in done.stderr and (done.returncode == 0 or "save.json" in done.stderr), done.stderr[-300:]


def _log_replayed_or_refused(game: orrery.Game, dice: random.Random, number: int) -> None:
    """A log has no digest: what can be played is played. Anything else is refused with its key or its choice."""
    data = _changed(json.loads(json.dumps(game.log.data)), dice)
    try:
        again = orrery.replay(data)
    except orrery.SaveError as error:
        assert SAVE_PLACE.search(str(error)), f"log {number}: {error}"
    else:
        assert digest(orrery.replay(again.log)) == digest(again), f"log {number} is another game when it is told again"


STRANGE_DATA = [
    None, True, -1, 0, 1.5, 10**30, "", "x", "../x", "\u2028", [], [[]], [0, 1, 2], {}, {"a": []}, "NaN", [True], 2**63, "\ud800",
]  # fmt: skip
STRANGE_SEATS = ["human", "mcts:5", "mcts:0", "mcts:", "mcts:5,depth=x", "random:1", "HUMAN", "nobody", "mcts:5,iterations=-1"]
STRANGE_BYTES = [b"[" * 5000, b"{", b'"', b"\x00", b"\xff\xfe", b"1e999", b"-", b"9" * 5000, b"NaN", b"\n\n", b"\\"]


def _changed(data: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """One thing of it is another."""
    key = dice.choice([*data, "nothing"])
    how = dice.randrange(5)
    if how == 0:
        data.pop(key, None)
    elif how == 1 and data.get("choices"):
        data["choices"][dice.randrange(len(data["choices"]))] = dice.choice(STRANGE_DATA)
    elif how == 2:
        data["choices"] = [*data["choices"], *[dice.randrange(4) for _ in range(3)]]
    elif how == 3:
        data["choices"] = data["choices"][: dice.randrange(len(data["choices"]) + 1)]
    else:
        data[key] = dice.choice(STRANGE_DATA)
    return data


def _other_notes(data: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """Something inside the notes of a save is another."""
    strange = [*STRANGE_DATA, *STRANGE_SEATS, [], [HUMAN] * 99, [HUMAN]]
    if dice.random() < 0.4:
        data["notes"]["seats"][dice.randrange(len(data["notes"]["seats"]))] = dice.choice(strange)
    elif dice.random() < 0.7:
        data["notes"]["seats"] = dice.choice(strange)
    else:
        data["notes"][dice.choice(["more", "nothing"])] = dice.choice(strange)
    return data


def _damaged(text: bytes, dice: random.Random) -> bytes:
    if dice.random() < 0.5:
        return json.dumps(_changed(json.loads(text), dice)).encode()
    at = dice.randrange(len(text))
    how = dice.randrange(4)
    if how == 0:
        return text[:at]
    if how == 1:
        return text[:at] + bytes([dice.randrange(256)]) + text[at + 1 :]
    if how == 2:
        return text[:at] + text[at + dice.randrange(1, 9) :]
    return text[:at] + dice.choice(STRANGE_BYTES) + text[at:]


# --- kill -9 --------------------------------------------------------------------------------------

DRIVER = """
import sys, orrery
from pathlib import Path
from orrery.interpreter.session import Session, resume
name, players, seed, path = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])
if path.exists():
    session = resume(path)
else:
    session = Session(orrery.load(name).new(players, seed), ["random"] * players, file=path)
    session.save()
print("ready", len(session.game.choices()), flush=True)
while not session.over:
    session.let_bot()
    assert not session.trouble, session.trouble
    print("decided", len(session.game.choices()), flush=True)
print("over", len(session.game.choices()), flush=True)
"""


def killed(made: orrery.Rules, players: int, seed: int, kills: int = 5) -> int:
    """A session is killed at any moment, and goes on from its save: readable, and nothing told is lost."""
    dice = Random(f"kill {seed}")
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "game.json")
        kept: list[Any] = []
        done = 0
        for _ in range(kills):
            process = subprocess.Popen(
                [sys.executable, "-c", DRIVER, name_of(made), str(players), str(seed), str(path)],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            told = _until_killed(process, dice)
            done += 1
            if not path.exists():
                assert told < 0, "a game was told to be there, and is not"
                continue
            game = orrery.restore(path)
            now = game.choices()
            assert len(now) >= told, f"{told} decisions were told, {len(now)} are kept"
            assert now[: len(kept)] == kept, "what was kept before is not kept any more"
            kept = now
            if game.over:
                break
        left = [file.name for file in Path(place).iterdir() if file.name != "game.json"]
        assert all(name.endswith(".part") for name in left), left
    return done


def _until_killed(process: Any, dice: random.Random) -> int:
    """Reads what a process tells, and kills it at a moment of no one's choosing. Gives the last number told."""
    told, lines = -1, dice.choice([0, dice.randrange(1, 4), dice.randrange(1, 40), dice.randrange(1, 40)])
    if lines == 0:
        time.sleep(dice.random() * 0.3)  # while it begins
    for _ in range(lines):
        told = _number(process.stdout.readline(), told)
    time.sleep(dice.random() * 0.004)
    process.send_signal(signal.SIGKILL)
    for line in process.stdout:  # what it had told before it died
        told = _number(line, told)
    wrong = process.stderr.read()
    process.stdout.close()
    process.stderr.close()
    assert process.wait() in (0, -signal.SIGKILL), wrong[-400:]
    return told


def _number(line: str, before: int) -> int:
    word, _, number = line.partition(" ")
    return int(number) if word in ("ready", "decided", "over") and line.endswith("\n") else before


# Two people in the open; a person against bots with hidden hands; the same under a clock, with several asked at once.
AT_THE_KEYBOARD = ("connect_four", "lantern_market", "space_dealer", "kuhn_poker")


def killed_at_the_keyboard(seed: int) -> int:
    """The real command with a real pipe: every answer that was told back is in the save."""
    dice, name = Random(f"keyboard {seed}"), AT_THE_KEYBOARD[seed % len(AT_THE_KEYBOARD)]
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "game.json")
        second = "human" if name == "connect_four" else "random"
        command = [sys.executable, "-m", "orrery.cli", "play", name, "--seat", f"2={second}"]
        process = subprocess.Popen(
            [*command, "--seed", str(seed), "--save", str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert process.stdin is not None and process.stdout is not None
        told, wanted = list[str](), dice.randrange(1, 12)
        process.stdin.write("".join(f"{dice.randrange(1, 6)}\n" for _ in range(42 if name == "connect_four" else 400)))
        process.stdin.flush()
        deadline = threading.Timer(WAIT, process.kill)  # a session that never tells fails, it does not hang
        deadline.start()
        for line in process.stdout:
            told += _told_at_the_keyboard(line)
            if len(told) >= wanted:
                time.sleep(dice.random() * 0.004)
                break
        process.send_signal(signal.SIGKILL)
        for line in process.stdout:
            told += _told_at_the_keyboard(line)
        deadline.cancel()
        process.stdin.close()
        process.stdout.close()
        process.wait()
        assert told, f"nothing was told in {WAIT} seconds"
        game = orrery.restore(path)
        steps = [step for _, step in retrace(game.rules, game.log.data, [0])]
        kept = [part for step in steps for part in (step.choice[0] if step.player else step.words).split(", ")]
        rest = iter(kept)
        for number, words in enumerate(told, 1):
            assert words in rest, f"choice {number} of {len(told)}, {words!r}, was told and is not kept"
    return 1


def _told_at_the_keyboard(line: str) -> list[str]:
    """What the line tells that somebody has chosen, one thing after the other. Lines that the kill has cut are not told."""
    found = re.fullmatch(r"  Player \d+[^:]*: (.+)\n", line)
    return found[1].split(", ") if found else []
