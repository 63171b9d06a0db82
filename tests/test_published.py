"""Counts that others have published: the rules of the primers are the rules of the games."""

from __future__ import annotations

import orrery
import pytest


def sequences(game: orrery.Game, depth: int) -> int:
    """Move sequences of that length from here."""
    if depth == 0:
        return 1
    total = 0
    for index in range(0 if game.over else game.count):
        twin = game.copy()
        twin.choose(index)
        total += sequences(twin, depth - 1)
    return total


def endings(game: orrery.Game) -> int:
    if game.over:
        return 1
    total = 0
    for index in range(game.count):
        twin = game.copy()
        twin.choose(index)
        total += endings(twin)
    return total


def test_tic_tac_toe_by_depth() -> None:
    game = orrery.load("tic_tac_toe").new(seed=1)
    assert [sequences(game, depth) for depth in range(1, 7)] == [9, 72, 504, 3024, 15120, 54720]


def test_tic_tac_toe_has_255168_games() -> None:
    assert endings(orrery.load("tic_tac_toe").new(seed=1)) == 255_168


@pytest.mark.parametrize(("depth", "count"), list(enumerate([7, 49, 343, 2401, 16807, 117649, 823536], 1)))
def test_connect_four_by_depth(depth: int, count: int) -> None:
    assert sequences(orrery.load("connect_four").new(seed=1), depth) == count


def test_kuhn_poker_has_thirty_endings_over_the_six_deals() -> None:
    rules = orrery.load("kuhn_poker")
    deals: dict[str, orrery.Game] = {}
    for seed in range(200):
        game = rules.new(seed=seed)
        hands = [z["pieces"] for p in (0, 1) for z in game.view(p)["zones"] if z["zone"] == "hand" and z["of"] == p]
        deals.setdefault(repr(hands), game)
    assert len(deals) == 6
    assert sum(endings(game) for game in deals.values()) == 30
