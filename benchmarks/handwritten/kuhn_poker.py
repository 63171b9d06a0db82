"""Kuhn poker, as one writes it on a quiet evening."""

from __future__ import annotations

import random
from typing import Any

RANKS = {"jack": 1, "queen": 2, "king": 3}


class KuhnPoker:
    def __init__(self, rng: Any = random) -> None:
        deck = ["jack", "queen", "king"]
        rng.shuffle(deck)
        self.chips = [2, 2]
        self.pot = 0
        self.hands: list[str] = []
        for player in range(2):
            self.stake(player)
            self.hands.append(deck.pop())
        self.history: list[str] = []
        self.player = 0
        self.bettor: int | None = None
        self.over = False

    def stake(self, player: int) -> None:
        self.chips[player] -= 1
        self.pot += 1

    def legal_moves(self) -> list[str]:
        if self.bettor is None:
            return ["check", "bet"]
        return ["fold", "call"]

    def play(self, move: str) -> None:
        if self.over or move not in self.legal_moves():
            raise ValueError("illegal move")
        self.history.append(move)
        if move == "bet":
            self.stake(self.player)
            self.bettor = self.player
            self.player = 1 - self.player
        elif move == "fold":
            assert self.bettor is not None
            self.take_pot(self.bettor)
        elif move == "call":
            self.stake(self.player)
            self.showdown()
        elif len(self.history) == 2:
            self.showdown()
        else:
            self.player = 1

    def showdown(self) -> None:
        first, second = (RANKS[card] for card in self.hands)
        self.take_pot(0 if first > second else 1)

    def take_pot(self, winner: int) -> None:
        self.chips[winner] += self.pot
        self.pot = 0
        self.over = True

    def copy(self) -> KuhnPoker:
        twin = KuhnPoker.__new__(KuhnPoker)
        twin.chips = self.chips[:]
        twin.pot = self.pot
        twin.hands = self.hands[:]
        twin.history = self.history[:]
        twin.player = self.player
        twin.bettor = self.bettor
        twin.over = self.over
        return twin
