"""Paths: a game that walks along positions that others came to is the same game as one that works out every step."""

from __future__ import annotations

import random
from typing import Any

import orrery
import pytest
from orrery.interpreter import paths
from orrery.interpreter.paths import Known, Paths
from orrery.interpreter.saves import digest

WALKERS = ["tic_tac_toe", "connect_four", "kuhn_poker"]


def walked(game: Any) -> bool:
    return type(game.S) is Known


def state_of(game: Any) -> tuple[Any, ...]:
    return repr(game.S), game.choices(), game.count, game.over, game.news(), digest(game), game.result


@pytest.mark.parametrize("name", WALKERS)
def test_a_known_path_leads_where_the_rules_lead(name: str) -> None:
    """Both ways side by side to the end; and most steps of a small game are taken on a path in the end."""
    rules, dice, known, steps = orrery.load(name), random.Random(7), 0, 0
    for number in range(400):
        game = rules.new(2, number % 40)
        apart = rules.new(2, number % 40)
        apart.S = apart.S[:]  # a state of its own never comes back to a path
        while not game.over:
            assert not walked(apart)
            if number % 5 == 0:
                assert state_of(game) == state_of(apart)
                assert game.view(0) == apart.view(0) and game.drawing(1) == apart.drawing(1)
                assert game.decision.prompt == apart.decision.prompt
                assert [o.key for o in game.decision.options] == [o.key for o in apart.decision.options]
            index, steps, known = int(dice.random() * game.count), steps + 1, known + walked(game)
            assert game.step(index) == apart.step(index)
        assert state_of(game) == state_of(apart)
    assert known > steps * {"tic_tac_toe": 0.3, "connect_four": 0.1, "kuhn_poker": 0.9}[name]


@pytest.mark.parametrize("name", WALKERS)
def test_games_on_a_path_are_independent(name: str) -> None:
    rules = orrery.load(name)
    for _ in range(3):
        game = rules.new(2, 3)
        twin, third = game.copy(), game.copy()
        before = repr(game.S)
        twin.choose(twin.decision.options[1])
        third.choose(third.decision.key(0), player=third.player)
        assert repr(game.S) == before and twin.choices() == [1] and third.choices() == [0]
        twin.undo()
        assert repr(twin.S) == before and twin.choices() == []
        assert twin.step(1) and orrery.replay(twin.log).S == twin.S


@pytest.mark.parametrize("name", WALKERS)
def test_what_is_not_offered_is_refused_on_a_path(name: str) -> None:
    game = orrery.load(name).new(2, 3)
    game = game.rules.new(2, 3)
    assert walked(game)
    before = state_of(game)
    for wrong in (-1, game.count, -game.count, 2 * game.count - 1, 99, None, "no such key", 1.0):
        for way in (game.step, game.choose, game.copy().step):
            with pytest.raises(orrery.IllegalChoice):
                way(wrong)  # type: ignore[arg-type]
            assert state_of(game) == before
    with pytest.raises(orrery.IllegalChoice):
        game.choose(0, player=1)
    assert state_of(game) == before
    game.step(True)  # whatever Python takes as an index
    assert game.choices() == [1]


def test_a_shared_position_cannot_be_changed() -> None:
    game = orrery.load("tic_tac_toe").new()
    game = game.rules.new()
    with pytest.raises(AssertionError, match="never changed"):
        game.S[0] = 1
    assert type(game.S[:]) is list and type(game.S.copy()) is list


def test_chance_and_many_beginnings_have_no_paths() -> None:
    """Where every game is another, nothing is remembered."""
    for name in ("lantern_market", "ambourella", "sol"):
        rules = orrery.load(name)
        assert not walked(rules.new(2, 1)) and rules.table(2).openings.paths is None


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "MOST", 5_000)
    rules, dice = orrery.load("connect_four"), random.Random(1)
    for _ in range(200):
        game = rules.new()
        while not game.over:
            game.step(int(dice.random() * game.count))
    kept = rules.table(2).openings.paths
    assert kept is not None and 3 < len(kept.positions) < 30
    assert sum(map(len, kept.positions)) <= 5_000


def test_truths_numbers_and_halves_are_told_apart() -> None:
    kept = Paths()
    states = [[0, (1, 2), value] for value in (1, True, 1.0, 0, False, None)]
    assert len({id(kept.position(state)) for state in states}) == len(states)
    assert kept.position([0, (1, 2), True]) is kept.position([0, (1, 2), True])
    assert kept.position([0, range(9), True]) is None
