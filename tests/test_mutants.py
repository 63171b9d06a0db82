"""Two thousand damaged rulesets, and scenarios: refused with a place, or played; none with a traceback.

The same number makes the same mutant. A mutant that is still a ruleset is played a little.
"""

from __future__ import annotations

import harm
import pytest
from again import shown_again
from orrery.interpreter.load import bundled

BIG = 40_000  # characters; a big ruleset takes its time, so that it has fewer mutants here
SHARE = 50  # mutants of a small one in a test, so that several workers have something to do
SHARES = 11
FEW, SCENARIOS = 12, 15


def shares() -> list[tuple[str, int, int]]:
    found = []
    for name in bundled():
        big = sum(map(len, harm.files_of(name).values())) > BIG
        found += [(name, 0, FEW)] if big else [(name, at * SHARE, SHARE) for at in range(SHARES)]
    return found


@pytest.mark.parametrize(("name", "first", "count"), shares())
def test_no_mutant_of_a_ruleset_brings_a_traceback(name: str, first: int, count: int) -> None:
    for number in range(first, first + count):
        with shown_again("mutants", name, number):
            harm.ruleset_mutant(name, number)


@pytest.mark.parametrize("name", bundled())
def test_no_mutant_of_a_scenario_brings_a_traceback(name: str) -> None:
    for number in range(SCENARIOS):
        with shown_again("scenarios", name, number):
            harm.scenario_mutant(name, number)
