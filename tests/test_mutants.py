"""Two thousand damaged rulesets: every one is loaded or refused with a place, none with a traceback.

The same seed makes the same mutants. A mutant that is still a ruleset is played a little.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from memory import loaded, rules
from orrery.interpreter.diagnostics import OrreryError
from orrery.interpreter.game import RuleError
from orrery.interpreter.load import RULESETS, bundled

MUTANTS = 2_000
SHARES = 40  # tests, so that several workers have something to do
DECISIONS = 12
BIG = 40_000  # characters; a big ruleset takes its time, so that its turn comes seldom
SELDOM = 49

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


def originals() -> list[dict[str, str]]:
    found = []
    for name in bundled():
        folder = RULESETS / name
        found.append(
            {
                path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
                for path in sorted(folder.rglob("*.yaml"))
                if "scenarios" not in path.parts
            }
        )
    return sorted(found, key=lambda files: sum(map(len, files.values())))


def mutant(number: int, sources: list[dict[str, str]]) -> dict[str, str]:
    rng = Random(f"mutant {number}")
    small = [files for files in sources if sum(map(len, files.values())) < BIG]
    large = [files for files in sources if files not in small]
    chosen = large if large and number % SELDOM == 0 else small
    files = dict(chosen[number // (SELDOM if chosen is large else 1) % len(chosen)])
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        name = rng.choice(sorted(files))
        files[name] = rng.choice(MUTATIONS)(files[name], rng)
    return files


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
            game.drawing(0)
            game.view(0)
            game.choose(rng.randrange(game.count))
        if game.over:
            assert game.result is not None
    except RuleError as error:
        assert error.place.file in files, error
    except OrreryError:
        pass


def examine(number: int, sources: list[dict[str, str]]) -> None:
    files = mutant(number, sources)
    made = loaded(files)
    for problem in made.problems:
        assert problem.file in files or problem.file == "ruleset.yaml", problem
        lines = made.folder.texts.get(problem.file, "").split("\n")
        assert 1 <= problem.line <= len(lines), problem
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1, problem
        assert (problem.end_line, problem.end_column) >= (problem.line, problem.column), problem
        assert problem.code and problem.message, problem
    if made.image is None:
        assert any(problem.severity == "error" for problem in made.problems)
    else:
        play(files, made, number)


@pytest.mark.parametrize("share", range(SHARES))
def test_no_mutant_brings_a_traceback(share: int) -> None:
    sources = originals()
    for number in range(share, MUTANTS, SHARES):
        try:
            examine(number, sources)
        except Exception as error:
            error.add_note(f"mutant {number}")
            raise
