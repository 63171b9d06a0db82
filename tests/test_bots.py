"""Bots: what they may know, that they are the same twice, and that the search is worth its time."""

from __future__ import annotations

import orrery
import pytest
from orrery.interpreter import bots
from orrery.interpreter.face import UsageError

GAMES = ["tic_tac_toe", "connect_four", "kuhn_poker", "lantern_market"]


def playout(name: str, specs: list[str], seed: int) -> orrery.Game:
    game = orrery.load(name).new(players=2, seed=seed)
    seats = [bots.make(spec, bots.derive(seed, seat)) for seat, spec in enumerate(specs)]
    while not game.over:
        game.choose(seats[game.player].choose(game, game.player), game.player)
    return game


def points(name: str, specs: list[str], games: int) -> float:
    """The share of the wins that the first seat's bot takes, in either seat."""
    total = 0.0
    for seed in range(games):
        for seat in (0, 1):
            winners = playout(name, specs if seat == 0 else specs[::-1], seed).result.winners
            total += 0.5 if not winners else (seat in winners) / len(winners)
    return total / (2 * games)


def test_derived_seeds_are_fixed_for_ever():
    assert bots.derive(0) == 7956156453446585  # these are in logs and reports: never change them
    assert bots.derive(7, 0) == 5852016415240665
    assert bots.derive(7, 1) == 6766775593185252
    assert len({bots.derive(1, game) for game in range(10_000)}) == 10_000


@pytest.mark.parametrize("spec", ["random", "mcts", "mcts:5", "mcts:5,depth=3", " mcts:5 "])
def test_specifications(spec):
    assert bots.make(spec, 1).spec == spec.strip()


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("rando", "did you mean `random`?"),
        ("zzz", "one of random, mcts"),
        ("random:5", "takes no settings"),
        ("mcts:0", "whole number from 1"),
        ("mcts:many", "whole number from 1"),
        ("mcts:5,width=3", "no setting `width`"),
    ],
)
def test_wrong_specifications(spec, words):
    with pytest.raises(UsageError, match=None) as error:
        bots.make(spec, 1)
    assert words in str(error.value)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("spec", ["random", "mcts:12,depth=10"])
def test_a_bot_answers_and_leaves_the_game_alone(name, spec):
    game = orrery.load(name).new(players=2, seed=3)
    bot = bots.make(spec, 5)
    for _ in range(6):
        if game.over:
            break
        before = game.log.data
        view = game.view(None)
        chosen = bot.choose(game, game.player)
        assert 0 <= chosen < game.count
        assert game.log.data == before and game.view(None) == view
        assert bot.choose(game, game.player) == chosen == bots.make(spec, 5).choose(game, game.player)
        game.choose(chosen)


@pytest.mark.parametrize("name", GAMES)
def test_same_seed_same_game(name):
    logs = [playout(name, ["mcts:10", "random"], 4).log.data["choices"] for _ in range(2)]
    assert logs[0] == logs[1]


def test_the_search_sees_only_imagined_deals(monkeypatch):
    """A search that is denied `imagine` does nothing at all, and nothing else is copied or read."""
    game = orrery.load("kuhn_poker").new(players=2, seed=1)
    seen: list[tuple[int, int]] = []
    honest = type(game).imagine

    def imagine(self, player, seed):
        seen.append((player, seed))
        return honest(self, player, seed)

    def forbidden(self, *_):
        raise AssertionError("the true game was touched")

    monkeypatch.setattr(type(game), "imagine", imagine)
    monkeypatch.setattr(type(game), "copy", forbidden)
    bots.make("mcts:25", 1).choose(game, game.player)
    assert len(seen) == 25 and {player for player, _ in seen} == {game.player}
    assert len({seed for _, seed in seen}) == 25


def test_the_search_takes_a_win_and_stops_one():
    assert points("tic_tac_toe", ["mcts:150", "random"], 8) > 0.85


def test_the_search_beats_chance_at_cards():
    assert points("lantern_market", ["mcts:60", "random"], 10) > 0.55


def test_more_iterations_play_better():
    assert points("connect_four", ["mcts:120", "mcts:6"], 5) > 0.6


def test_rewards_are_shares():
    for name in GAMES:
        game = orrery.load(name).new(players=2, seed=2)
        assert sum(bots.judge(game)) == pytest.approx(1)
        while not game.over:
            game.choose(0)
        assert sum(bots.judge(game)) == pytest.approx(1)
        assert all(0 <= reward <= 1 for reward in bots.judge(game))
