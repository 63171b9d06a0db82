"""The games that `make bench` measures Orrery against are the same games, decision by decision."""

from __future__ import annotations

import importlib
import random
import sys
from pathlib import Path
from typing import Any

import orrery
import pytest
from orrery.interpreter.openings import scramble

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))

CLASSES = {
    "tic_tac_toe": "TicTacToe",
    "connect_four": "ConnectFour",
    "kuhn_poker": "KuhnPoker",
    "lantern_market": "LanternMarket",
}
TUNED = ["tic_tac_toe", "connect_four", "lantern_market"]
CHANCE = {"kuhn_poker", "lantern_market"}
SEATS = {"lantern_market"}
GAMES = 150


class Dice:
    """Shuffles as Orrery does, so that both games are dealt alike."""

    def __init__(self, seed: int) -> None:
        self.state = scramble(seed)

    def shuffle(self, items: list[Any]) -> None:
        for i in range(len(items) - 1, 0, -1):
            self.state = (self.state * 6364136223846793005 + 1442695040888963407) & (1 << 64) - 1
            j = (self.state >> 32) * (i + 1) >> 32
            items[i], items[j] = items[j], items[i]


def peer(folder: str, name: str, players: int, seed: int) -> Any:
    made = getattr(importlib.import_module(f"{folder}.{name}"), CLASSES[name])
    return made(*([players] if name in SEATS else []), *([Dice(seed)] if name in CHANCE else []))


def moves(other: Any) -> Any:
    if hasattr(other, "legal_moves"):
        return other.legal_moves()
    return other.moves if hasattr(other, "moves") else other.options


@pytest.mark.parametrize(
    ("folder", "name"), [("handwritten", name) for name in CLASSES] + [("tuned", name) for name in TUNED]
)
def test_a_peer_plays_the_same_game(folder: str, name: str) -> None:
    rules = orrery.load(name)
    for seed in range(GAMES):
        players = rules.least + seed % (rules.most - rules.least + 1)
        game, other, dice = rules.new(players, seed), peer(folder, name, players, seed), random.Random(seed)
        hands = None  # whose extra hands are at work
        while not game.over:
            while name not in CHANCE and len(moves(other)) == 1:
                other.play(moves(other)[0])  # Orrery makes the only move there is without asking
            where = f"{name}, {players} players, seed {seed}, decision {len(game.choices())}"
            assert (other.player, len(moves(other)), other.over) == (game.player, game.count, False), where
            if dice.random() < 0.1:
                other = other.copy()
            index = int(dice.random() * game.count)
            if name == "lantern_market":
                decision = game.decision
                assert decision is not None
                key = decision.key(index)
                hands = game.player if key == "extra_hands" or hands == game.player else None
                if key == "tea_lantern" and hands is not None:
                    break  # whether it serves tea for the errand that hung it, the rulebook leaves open
            game.choose(index)
            other.play(moves(other)[index])
        if not game.over:
            continue
        while name not in CHANCE and not other.over:
            other.play(moves(other)[0])
        assert other.over, (name, players, seed)
        result = game.result
        assert result is not None
        if hasattr(other, "winners"):
            assert (tuple(other.winners()), other.reason) == (result.winners, result.reason)
        elif hasattr(other, "winner"):
            assert (() if other.winner is None else (other.winner,)) == result.winners
        else:
            assert tuple(chips - 2 for chips in other.chips) == result.scores
