"""What the fuzzers throw at the loader and at the effect parser, and what may come back: problems with a place.

    python tests/fuzz.py parser|loader [SECONDS] [FOLDER]      # atheris, guided by coverage
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

STARTS = ("effect", "query")
WORDS = (
    "choose for each in where by may as you it this repeat times if else end game move to from pay gain lose draw 1 2 3 pile "
    'hand silver players card let be is not and or any all count sum most of first ( ) [ ] { } : , . + - * / < > = "x" "{you}" '
    "set add open during begin run need say shuffle roll 2d6 one up proceed return none true false \n  \n    \t # é \u2028"
).split(" ")
RULESET = """ruleset: fuzz
players: 2
resources: {silver: {start: 3}}
kinds: {card: {has: {worth: number}, starts: pile}}
components: {card: {ace: {copies: 2, worth: 1}, deuce: {worth: 2}}}
zones: {pile: {holds: card, order: stack, seen_by: nobody}, hand: {of: player, holds: card, seen_by: owner}}
values: {wealth(you): you.silver}
end: {score: you.silver}
"""


def try_parser(text: str, start: str = "effect") -> bool:
    """Whether it is a sentence. Anything but a SyntaxProblem is a fault of Orrery's."""
    from orrery.interpreter.parse import SyntaxProblem, parse

    try:
        parse(text, start)
    except SyntaxProblem:
        return False
    return True


def try_loader(text: str) -> bool:
    """Whether it is a ruleset; if so, it is played a little."""
    from memory import loaded, rules
    from orrery.interpreter.diagnostics import OrreryError

    made = loaded({"ruleset.yaml": text})
    lines = made.folder.texts["ruleset.yaml"].split("\n")
    for problem in made.problems:
        assert 1 <= problem.line <= len(lines), problem
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1, problem
        assert problem.code and problem.message, problem
    if made.image is None:
        assert made.problems
        return False
    try:
        game = rules(made).new(seed=1)
        for _ in range(10):
            if game.over:
                break
            game.choose(0)
    except OrreryError:
        pass
    return True


def with_effect(text: str) -> str:
    """A ruleset whose flow is this text."""
    return RULESET + "flow: |\n" + "".join(f"  {line}\n" for line in text.split("\n"))


def soup(numbers: bytes) -> str:
    """Bytes as words of the language: most of a fuzzer's bytes are no letters."""
    return " ".join(WORDS[number % len(WORDS)] for number in numbers)


def main(what: str, seconds: int, folder: str) -> None:
    import atheris

    with atheris.instrument_imports(include=["orrery"]):
        import orrery.interpreter.check
        import orrery.interpreter.parse
        import orrery.interpreter.source  # noqa: F401

    def parser(data: bytes) -> None:
        if len(data) > 1:
            start = STARTS[data[0] % len(STARTS)]
            try_parser(soup(data[1:]) if data[0] & 2 else data[1:].decode("utf-8", "replace"), start)

    def loader(data: bytes) -> None:
        if len(data) > 1:
            text = data[1:].decode("utf-8", "replace")
            try_loader(with_effect(soup(data[1:])) if data[0] & 1 else text)

    Path(folder).mkdir(parents=True, exist_ok=True)
    atheris.Setup(
        ["fuzz", f"-max_total_time={seconds}", "-max_len=300", "-timeout=20", f"-artifact_prefix={folder}/", folder],
        parser if what == "parser" else loader,
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 60, sys.argv[3] if len(sys.argv) > 3 else "build/fuzz")
