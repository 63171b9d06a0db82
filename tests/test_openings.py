"""Openings: a game that begins where another began is the same game as one that was set up from scratch."""

from __future__ import annotations

import orrery
import pytest
from orrery.interpreter.openings import Openings, scramble
from orrery.interpreter.paths import Known
from orrery.interpreter.slots import RNG

SEEDS = [*range(300), -1, -(2**70), 2**63, 2**64 - 1, 2**64, 2**64 + 5, 12345678901234567890123]


@pytest.mark.parametrize("name", ["kuhn_poker", "tic_tac_toe", "ambourella"])
def test_written_out_as_found_and_as_set_up(name: str) -> None:
    rules, fresh = orrery.load(name), orrery.load(name)
    table = fresh.table(2)
    table.openings.closed = True  # so that every game is set up
    for seed in SEEDS * 2:
        game = rules.new(2, seed)
        assert game.S == fresh.new(2, seed).S
        assert game.table.openings.find(seed) == game.S
        assert game.S is not rules.new(2, seed).S or type(game.S) is Known
        assert (game.seed, game.rules, game.history) == (seed, rules, None)
    assert table.openings.ways is None


@pytest.mark.parametrize("ways", [(2,), (3,), (4,), (5,), (7, 3), (3, 2), (4, 4, 4)])
def test_draws_by_comparison(ways: tuple[int, ...]) -> None:
    openings = Openings(True)
    openings.ways = ways
    many = 1
    for n in ways:
        many *= n
    openings.states = [[None] * RNG + [None, at] for at in range(many)]
    lines = ["def find(seed):", *openings.lines(), "return S"]
    world = {"STATES": openings.states}
    exec("\n    ".join(lines), world)
    met = set()
    for seed in SEEDS:
        found = world["find"](seed)  # type: ignore[operator]
        assert found == openings.find(seed)
        met.add(found[-1])
    assert len(met) > many // 2


def test_draws_that_hang_on_draws() -> None:
    """A game whose draws are others than those of the first game is not taken for one that is known."""
    openings = Openings(True)
    first, other = scramble(1), scramble(2)
    for seed, s, drawn in ((1, first, [(2, 0)]), (2, other, [(2, 1), (3, 1)])):
        for _ in drawn:
            s = (s * 6364136223846793005 + 1442695040888963407) & (2**64 - 1)
        openings.keep(seed, drawn, [None] * RNG + [s])
    assert openings.ways == (2,)
    assert openings.states[1] is None and not openings.closed
