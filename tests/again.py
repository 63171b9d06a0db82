"""The one command that shows a failed trial again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

PYTHON = ".venv/bin/python"


def command(promise: str, name: str | None, seed: int, players: int | None = None) -> str:
    words = f"{PYTHON} tests/soak.py --only {promise} --seed {seed} --games 1"
    return words + (f" --ruleset {name}" if name else "") + (f" --players {players}" if players else "")


@contextmanager
def shown_again(promise: str, name: str | None, seed: int, players: int | None = None) -> Iterator[None]:
    """Whatever fails inside is told with the command that shows it again."""
    try:
        yield
    except Exception as error:
        error.add_note(f"{promise} of {name or 'all rulesets'}, seed {seed}; again:\n  {command(promise, name, seed, players)}")
        raise


@contextmanager
def shown_by(test: str, what: str = "") -> Iterator[None]:
    """Whatever fails inside, without chance or with the chance of a fixed seed, is told with the one test that shows it."""
    try:
        yield
    except Exception as error:
        error.add_note(f"{what + '; ' if what else ''}again:\n  {PYTHON} -m pytest -q {test}")
        raise
