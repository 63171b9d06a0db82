"""Lantern Market, the whole game, as one writes it on a long weekend.

Everything that waits to be done is on a list; what needs a player's answer stops there. Sets of cards
are picked one by one, like cards together and in the order of the hand, so that no set is offered twice.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Lantern:
    cost: int
    light: int
    copies: int


LANTERNS = {
    "paper_lantern": Lantern(cost=1, light=1, copies=6),
    "silk_lantern": Lantern(cost=3, light=2, copies=5),
    "moon_lantern": Lantern(cost=3, light=1, copies=3),
    "twin_lantern": Lantern(cost=2, light=1, copies=4),
    "owl_lantern": Lantern(cost=2, light=0, copies=3),
    "tea_lantern": Lantern(cost=1, light=0, copies=3),
    "gossip_lantern": Lantern(cost=1, light=0, copies=3),
    "lion_lantern": Lantern(cost=2, light=1, copies=3),
}
ERRANDS = {
    "pickpocket": 3,
    "sudden_gust": 3,
    "street_collection": 2,
    "fortune_teller": 3,
    "extra_hands": 2,
    "festival_drum": 4,
    "drizzle": 2,
}
START_SILVER = 3
START_CARDS = 5
HAND_LIMIT = 5
ROOM = 4
LAST_ROUND = 100


class Player:
    def __init__(self) -> None:
        self.silver = START_SILVER
        self.hand: list[str] = []
        self.stall: list[str] = []

    @property
    def guarded(self) -> bool:
        return "lion_lantern" in self.stall

    def copy(self) -> Player:
        twin = Player.__new__(Player)
        twin.silver = self.silver
        twin.hand = self.hand[:]
        twin.stall = self.stall[:]
        return twin


def different(cards: list[str]) -> list[str]:
    return list(dict.fromkeys(cards))


class LanternMarket:
    def __init__(self, players: int = 2, rng: Any = random) -> None:
        self.rng = rng
        self.players = [Player() for _ in range(players)]
        self.goal = 28 - 4 * players
        self.pile = [name for name, lantern in LANTERNS.items() for _ in range(lantern.copies)]
        self.pile += [name for name, copies in ERRANDS.items() for _ in range(copies)]
        self.discards: list[str] = []
        rng.shuffle(self.pile)
        for player in self.players:
            for _ in range(START_CARDS):
                player.hand.append(self.pile.pop())
        self.emptied = 0  # 1: midnight, 2: dawn
        self.round = 0
        self.drums = 0  # beaten this turn
        self.drizzles = 0  # in this round
        self.coming_drizzles = 0  # in the next one
        self.active = 0  # whose turn it is
        self.player = 0  # who is asked
        self.question = ""
        self.details: tuple[Any, ...] = ()
        self.options: list[Any] = []
        self.over = False
        self.reason = ""
        self.todo: list[tuple[Any, ...]] = [("start_round",)]
        self.go_on()

    # what everybody may ask

    def legal_moves(self) -> list[Any]:
        return self.options

    def winners(self) -> list[int]:
        best = max((p.silver, len(p.stall)) for p in self.players)
        return [i for i, p in enumerate(self.players) if (p.silver, len(p.stall)) == best]

    def copy(self) -> LanternMarket:
        twin = LanternMarket.__new__(LanternMarket)
        twin.__dict__.update(self.__dict__)
        twin.players = [player.copy() for player in self.players]
        twin.pile = self.pile[:]
        twin.discards = self.discards[:]
        twin.todo = self.todo[:]
        return twin

    def play(self, move: Any) -> None:
        if self.over or move not in self.options:
            raise ValueError("illegal move")
        self.options = []
        getattr(self, "answer_" + self.question)(move, *self.details)
        self.go_on()

    # going on until somebody must be asked

    def go_on(self) -> None:
        while self.todo and not self.options and not self.over:
            step, *details = self.todo.pop()
            getattr(self, step)(*details)

    def ask(self, player: int, question: str, options: list[Any], *details: Any) -> None:
        self.player = player
        self.question = question
        self.options = options
        self.details = details

    def later(self, *steps: tuple[Any, ...]) -> None:
        self.todo.extend(reversed(steps))

    # rounds and turns

    def start_round(self) -> None:
        self.round += 1
        self.drizzles, self.coming_drizzles = self.coming_drizzles, 0
        self.later(*(("start_turn", player) for player in range(len(self.players))), ("end_round",))

    def end_round(self) -> None:
        self.drizzles = 0
        if any(player.silver >= self.goal for player in self.players):
            self.end("a fortune is made")
        elif self.emptied > 1:
            self.end("dawn has come")
        elif self.round == LAST_ROUND:
            self.end("")
        else:
            self.later(("start_round",))

    def end(self, reason: str) -> None:
        self.over = True
        self.reason = reason

    def start_turn(self, number: int) -> None:
        self.active = number
        player = self.players[number]
        self.draw_cards(player, 2 + player.stall.count("owl_lantern"))
        self.later(("work",), ("welcome_guests",), ("tidy_hand",))

    def draw_cards(self, player: Player, amount: int) -> None:
        for _ in range(amount):
            if not self.pile and self.emptied < 2:
                self.emptied += 1
            if self.emptied < 2:
                if not self.pile:
                    self.pile, self.discards = self.discards, []
                    self.rng.shuffle(self.pile)
                if self.pile:
                    player.hand.append(self.pile.pop())

    def welcome_guests(self) -> None:
        player = self.players[self.active]
        player.silver += sum(self.glow(player, lantern) for lantern in player.stall)

    def glow(self, player: Player, lantern: str) -> int:
        light = LANTERNS[lantern].light + self.drums
        if lantern == "moon_lantern" and self.emptied > 0:
            light += 2
        if lantern == "twin_lantern":
            light += player.stall.count("twin_lantern") - 1
        if self.drizzles:
            light = max(0, light - self.drizzles)
        return light

    def tidy_hand(self) -> None:
        self.drums = 0
        hand = self.players[self.active].hand
        if len(hand) > HAND_LIMIT:
            surplus = len(hand) - HAND_LIMIT
            self.ask_set("discard", surplus, surplus, sorted(hand, key=hand.index), [])

    # picking several cards

    def ask_set(self, question: str, low: int, high: int, cards: list[str], picked: list[str]) -> None:
        if len(picked) == high or not cards:
            self.set_is_picked(question, picked)
            return
        missing = low - len(picked)
        options = different(cards[: len(cards) - missing + 1] if missing > 1 else cards)
        if missing <= 0:
            options.append("done")
        self.ask(self.active, question, options, low, high, cards, picked)

    def answer_set(
        self, question: str, move: str, low: int, high: int, cards: list[str], picked: list[str]
    ) -> None:
        if move == "done":
            self.set_is_picked(question, picked)
        else:
            self.ask_set(question, low, high, cards[cards.index(move) + 1 :], [*picked, move])

    def set_is_picked(self, question: str, picked: list[str]) -> None:
        player = self.players[self.active]
        for card in picked:
            player.hand.remove(card)
            self.discards.append(card)
        if question == "peddle":
            player.silver += len(picked)

    def answer_discard(self, move: str, *details: Any) -> None:
        self.answer_set("discard", move, *details)

    def answer_peddle(self, move: str, *details: Any) -> None:
        self.answer_set("peddle", move, *details)

    # work

    def work(self) -> None:
        options = []
        if self.lanterns_to_hang():
            options.append("hang_lantern")
        if self.errands_to_run():
            options.append("run_errand")
        if self.players[self.active].hand:
            options.append("peddle")
        options.append("done")
        self.ask(self.active, "work", options)

    def lanterns_to_hang(self) -> list[str]:
        player = self.players[self.active]
        if len(player.stall) >= ROOM:
            return []
        return different(
            [card for card in player.hand if card in LANTERNS and LANTERNS[card].cost <= player.silver]
        )

    def errands_to_run(self) -> list[str]:
        hand = self.players[self.active].hand
        return different([card for card in hand if card in ERRANDS and self.can_run(card)])

    def can_run(self, errand: str) -> bool:
        if errand == "pickpocket":
            return bool(self.pockets())
        if errand == "sudden_gust":
            return bool(self.windy_stalls())
        if errand == "fortune_teller":
            return bool(self.pile)
        return True

    def rivals(self) -> list[int]:
        return [number for number in range(len(self.players)) if number != self.active]

    def pockets(self) -> list[int]:
        return [n for n in self.rivals() if self.players[n].silver > 0 and not self.players[n].guarded]

    def windy_stalls(self) -> list[int]:
        return [n for n in self.rivals() if self.players[n].stall and not self.players[n].guarded]

    def answer_work(self, move: str) -> None:
        if move == "hang_lantern":
            self.ask(self.active, "lantern", self.lanterns_to_hang())
        elif move == "run_errand":
            self.ask(self.active, "errand", self.errands_to_run())
        elif move == "peddle":
            hand = self.players[self.active].hand
            self.ask_set("peddle", 1, 2, sorted(hand, key=hand.index), [])

    def answer_lantern(self, card: str) -> None:
        player = self.players[self.active]
        player.silver -= LANTERNS[card].cost
        player.hand.remove(card)
        player.stall.append(card)
        for number in self.rivals():
            self.players[number].silver += self.players[number].stall.count("gossip_lantern")

    # errands

    def answer_errand(self, card: str) -> None:
        self.players[self.active].hand.remove(card)
        self.discards.append(card)
        self.later((card,), ("serve_tea",))

    def serve_tea(self) -> None:
        player = self.players[self.active]
        player.silver += player.stall.count("tea_lantern")

    def ask_victim(self, question: str, victims: list[int]) -> None:
        if len(victims) == 1:
            getattr(self, "answer_" + question)(victims[0])
        else:
            self.ask(self.active, question, victims)

    def pickpocket(self) -> None:
        self.ask_victim("pocket", self.pockets())

    def answer_pocket(self, victim: int) -> None:
        loot = min(2, self.players[victim].silver)
        self.players[victim].silver -= loot
        self.players[self.active].silver += loot

    def sudden_gust(self) -> None:
        self.ask_victim("gust", self.windy_stalls())

    def answer_gust(self, victim: int) -> None:
        if self.players[victim].silver >= 2:
            self.ask(victim, "shaken", ["take_down", "pay"])
        else:
            self.take_down(victim)

    def answer_shaken(self, move: str) -> None:
        victim = self.players[self.player]
        if move == "pay":
            victim.silver -= 2
            self.players[self.active].silver += 2
        else:
            self.take_down(self.player)

    def take_down(self, victim: int) -> None:
        lanterns = different(self.players[victim].stall)
        if len(lanterns) == 1:
            self.player = victim
            self.answer_take_down(lanterns[0])
        else:
            self.ask(victim, "take_down", lanterns)

    def answer_take_down(self, lantern: str) -> None:
        self.players[self.player].stall.remove(lantern)
        self.discards.append(lantern)

    def street_collection(self) -> None:
        asked = [n for n in self.rivals() if self.players[n].silver > 0 or self.players[n].hand]
        self.later(*(("pass_hat", number) for number in asked))

    def pass_hat(self, number: int) -> None:
        options = []
        if self.players[number].silver > 0:
            options.append("silver")
        if self.players[number].hand:
            options.append("card")
        self.ask(number, "hat", options)

    def answer_hat(self, move: str) -> None:
        giver = self.players[self.player]
        if move == "silver":
            giver.silver -= 1
            self.players[self.active].silver += 1
        else:
            self.ask(self.player, "gift", different(giver.hand))

    def answer_gift(self, card: str) -> None:
        self.players[self.player].hand.remove(card)
        self.discards.append(card)

    def fortune_teller(self) -> None:
        shown = [self.pile.pop() for _ in range(min(3, len(self.pile)))]
        self.ask(self.active, "fortune", different(shown), shown)

    def answer_fortune(self, card: str, shown: list[str]) -> None:
        self.players[self.active].hand.append(card)
        rest = shown[:]
        rest.remove(card)
        self.pile = rest + self.pile

    def extra_hands(self) -> None:
        self.later(("work",), ("work",))

    def festival_drum(self) -> None:
        self.drums += 1

    def drizzle(self) -> None:
        self.coming_drizzles += 1
