"""Lantern Market, tuned: cards are numbers, zones are tuples, what waits is a chain of tuples.

Options are made once, at the question, and kept for the answer. A copy is three small lists.
"""

from __future__ import annotations

import random
from typing import Any

NAMES = (
    "paper_lantern silk_lantern moon_lantern twin_lantern owl_lantern tea_lantern gossip_lantern lion_lantern "
    "pickpocket sudden_gust street_collection fortune_teller extra_hands festival_drum drizzle"
).split()
PAPER, SILK, MOON, TWIN, OWL, TEA, GOSSIP, LION = range(8)
PICKPOCKET, GUST, COLLECTION, TELLER, HANDS, DRUM, DRIZZLE = range(8, 15)
DONE = 15
COPIES = (6, 5, 3, 4, 3, 3, 3, 3, 3, 3, 2, 3, 2, 4, 2)
COST = (1, 3, 3, 2, 2, 1, 1, 2)
LIGHT = (1, 2, 1, 1, 0, 0, 0, 1)
DECK = [card for card, copies in enumerate(COPIES) for _ in range(copies)]
AFFORD = tuple(frozenset(card for card in range(8) if COST[card] <= silver) for silver in range(4))
ALWAYS = frozenset((COLLECTION, HANDS, DRUM, DRIZZLE))
ERRANDS = tuple(
    ALWAYS | {card for card, able in ((PICKPOCKET, a), (GUST, b), (TELLER, c)) if able}
    for a in (0, 1) for b in (0, 1) for c in (0, 1)
)  # fmt: skip
HANG, RUN, PEDDLE, CLOSE = range(4)
MENUS = tuple(
    tuple(move for move, able in ((HANG, a), (RUN, b), (PEDDLE, c), (CLOSE, 1)) if able)
    for a in (0, 1) for b in (0, 1) for c in (0, 1)
)  # fmt: skip
unique = dict.fromkeys
new = object.__new__


class LanternMarket:
    __slots__ = (
        "active", "answer", "coming", "data", "discards", "drums", "emptied", "goal", "hands", "options", "over", "pile",
        "player", "players", "rain", "reason", "rng", "round", "silver", "stalls", "todo", "top",
    )  # fmt: skip

    def __init__(self, players: int = 2, rng: Any = random) -> None:
        pile = DECK[:]
        rng.shuffle(pile)
        self.rng = rng
        self.players, self.goal = players, 28 - 4 * players
        self.silver = [3] * players
        self.stalls: list[tuple[int, ...]] = [()] * players
        top = len(pile)
        self.hands = []
        for _ in range(players):
            self.hands.append(tuple(pile[top - 1 : top - 6 : -1]))
            top -= 5
        self.pile, self.top = pile, top
        self.discards: tuple[int, ...] = ()
        self.emptied = self.round = self.drums = self.rain = self.coming = 0
        self.active = self.player = 0
        self.over = False
        self.reason = ""
        self.data: Any = None
        self.options: tuple[int, ...] | None = None
        self.todo: Any = None
        start_round(self, 0)
        self.go_on()

    def play(self, move: int) -> None:
        self.options = None
        self.answer(self, move)
        if self.options is None:
            self.go_on()

    def go_on(self) -> None:
        while self.options is None:
            step, value, self.todo = self.todo
            step(self, value)

    def copy(self) -> LanternMarket:
        twin = new(LanternMarket)
        twin.silver, twin.stalls, twin.hands = self.silver[:], self.stalls[:], self.hands[:]
        twin.pile, twin.top, twin.discards = self.pile, self.top, self.discards
        twin.emptied, twin.round, twin.drums = self.emptied, self.round, self.drums
        twin.rain, twin.coming, twin.active, twin.player = self.rain, self.coming, self.active, self.player
        twin.over, twin.reason, twin.data, twin.options = self.over, self.reason, self.data, self.options
        twin.answer, twin.todo, twin.rng = self.answer, self.todo, self.rng
        twin.players, twin.goal = self.players, self.goal
        return twin

    def winners(self) -> list[int]:
        ranks = [(silver, len(stall)) for silver, stall in zip(self.silver, self.stalls, strict=True)]
        best = max(ranks)
        return [player for player, rank in enumerate(ranks) if rank == best]


def start_round(g: LanternMarket, _: int) -> None:
    g.round += 1
    g.rain, g.coming = g.coming, 0
    todo: Any = (end_round, 0, None)
    for player in range(g.players - 1, -1, -1):
        todo = (start_turn, player, todo)
    g.todo = todo


def end_round(g: LanternMarket, _: int) -> None:
    g.rain = 0
    if max(g.silver) >= g.goal:
        g.reason = "a fortune is made"
    elif g.emptied > 1:
        g.reason = "dawn has come"
    elif g.round < 100:
        start_round(g, 0)
        return
    g.over, g.options = True, ()


def start_turn(g: LanternMarket, player: int) -> None:
    g.active = player
    stall = g.stalls[player]
    amount = 2 + stall.count(OWL) if stall else 2
    top = g.top
    if top >= amount:
        g.hands[player] += (g.pile[top - 1], g.pile[top - 2]) if amount == 2 else tuple(g.pile[top - amount : top][::-1])
        g.top = top - amount
    else:
        draw(g, player, amount)
    g.todo = (welcome_guests, 0, g.todo)
    work(g, 0)


def draw(g: LanternMarket, player: int, amount: int) -> None:
    for _ in range(amount):
        if not g.top and g.emptied < 2:
            g.emptied += 1
        if g.emptied < 2:
            if not g.top:
                g.pile, g.discards = list(g.discards), ()
                g.rng.shuffle(g.pile)
                g.top = len(g.pile)
            if g.top:
                g.top -= 1
                g.hands[player] += (g.pile[g.top],)


def welcome_guests(g: LanternMarket, _: int) -> None:
    player = g.active
    stall = g.stalls[player]
    if stall:
        light = [LIGHT[card] + g.drums for card in stall]
        if MOON in stall and g.emptied:
            light = [shine + 2 if card == MOON else shine for shine, card in zip(light, stall, strict=True)]
        twins = stall.count(TWIN) - 1
        if twins > 0:
            light = [shine + twins if card == TWIN else shine for shine, card in zip(light, stall, strict=True)]
        if g.rain:
            light = [max(0, shine - g.rain) for shine in light]
        g.silver[player] += sum(light)
    g.drums = 0
    hand = g.hands[player]
    surplus = len(hand) - 5
    if surplus > 0:
        pick(g, sort(hand), surplus, surplus, ())


# sets, picked one by one


def sort(hand: tuple[int, ...]) -> tuple[int, ...]:
    """Like cards together, in the order of the hand."""
    return hand if len(set(hand)) == len(hand) else tuple(sorted(hand, key=hand.index))


def pick(g: LanternMarket, cards: tuple[int, ...], low: int, high: int, picked: tuple[int, ...]) -> None:
    missing = low - len(picked)
    shown = cards[: len(cards) - missing + 1] if missing > 1 else cards
    g.options = (*unique(shown), DONE) if missing <= 0 else tuple(unique(shown))
    g.player, g.answer, g.data = g.active, picked_one, (cards, low, high, picked)


def picked_one(g: LanternMarket, move: int) -> None:
    cards, low, high, picked = g.data
    if move != DONE:
        picked += (move,)
        cards = cards[cards.index(move) + 1 :]
        if len(picked) < high and cards:
            pick(g, cards, low, high, picked)
            return
    player = g.active
    hand = g.hands[player]
    for card in picked:
        at = hand.index(card)
        hand = hand[:at] + hand[at + 1 :]
    g.hands[player] = hand
    g.discards += picked
    if low != high:
        g.silver[player] += len(picked)


# work


def work(g: LanternMarket, _: int) -> None:
    player = g.active
    hand, silver = g.hands[player], g.silver[player]
    hang = ()
    if len(g.stalls[player]) < 4:
        afford = AFFORD[silver] if silver < 3 else AFFORD[3]
        hang = tuple(unique([card for card in hand if card in afford]))
    pocket = windy = 0
    for rival in range(g.players):
        if rival != player and LION not in g.stalls[rival]:
            if g.silver[rival]:
                pocket = 4
            if g.stalls[rival]:
                windy = 2
    able = ERRANDS[pocket + windy + (g.top > 0)]
    run = tuple(unique([card for card in hand if card in able]))
    g.options = MENUS[(4 if hang else 0) + (2 if run else 0) + (1 if hand else 0)]
    g.player, g.answer, g.data = player, chose_work, (hang, run)


def chose_work(g: LanternMarket, move: int) -> None:
    if move == HANG:
        g.options, g.answer = g.data[0], hung
    elif move == RUN:
        g.options, g.answer = g.data[1], ran
    elif move == PEDDLE:
        pick(g, sort(g.hands[g.active]), 1, 2, ())


def drop(g: LanternMarket, player: int, card: int) -> None:
    hand = g.hands[player]
    at = hand.index(card)
    g.hands[player] = hand[:at] + hand[at + 1 :]


def hung(g: LanternMarket, card: int) -> None:
    player = g.active
    drop(g, player, card)
    g.silver[player] -= COST[card]
    g.stalls[player] += (card,)
    for rival, stall in enumerate(g.stalls):
        if rival != player and GOSSIP in stall:
            g.silver[rival] += stall.count(GOSSIP)


def ran(g: LanternMarket, card: int) -> None:
    drop(g, g.active, card)
    g.discards += (card,)
    g.todo = (serve_tea, 0, g.todo)
    DO[card](g)


def serve_tea(g: LanternMarket, _: int) -> None:
    g.silver[g.active] += g.stalls[g.active].count(TEA)


def rivals(g: LanternMarket) -> list[int]:
    return [player for player in range(g.players) if player != g.active]


def pickpocket(g: LanternMarket) -> None:
    victim(g, [p for p in rivals(g) if g.silver[p] and LION not in g.stalls[p]], robbed)


def gust(g: LanternMarket) -> None:
    victim(g, [p for p in rivals(g) if g.stalls[p] and LION not in g.stalls[p]], shaken)


def victim(g: LanternMarket, players: list[int], answer: Any) -> None:
    if len(players) == 1:
        answer(g, players[0])
    else:
        g.player, g.answer, g.options = g.active, answer, tuple(players)


def robbed(g: LanternMarket, player: int) -> None:
    loot = min(2, g.silver[player])
    g.silver[player] -= loot
    g.silver[g.active] += loot


def shaken(g: LanternMarket, player: int) -> None:
    if g.silver[player] >= 2:
        g.player, g.answer, g.options = player, paid_or_not, (0, 1)
    else:
        take_down(g, player)


def paid_or_not(g: LanternMarket, move: int) -> None:
    if move:
        g.silver[g.player] -= 2
        g.silver[g.active] += 2
    else:
        take_down(g, g.player)


def take_down(g: LanternMarket, player: int) -> None:
    lanterns = tuple(unique(g.stalls[player]))
    g.player = player
    if len(lanterns) == 1:
        taken_down(g, lanterns[0])
    else:
        g.answer, g.options = taken_down, lanterns


def taken_down(g: LanternMarket, card: int) -> None:
    stall = g.stalls[g.player]
    at = stall.index(card)
    g.stalls[g.player] = stall[:at] + stall[at + 1 :]
    g.discards += (card,)


def collection(g: LanternMarket) -> None:
    for player in reversed(rivals(g)):
        if g.silver[player] or g.hands[player]:
            g.todo = (pass_hat, player, g.todo)


def pass_hat(g: LanternMarket, player: int) -> None:
    g.options = ((0, 1) if g.hands[player] else (0,)) if g.silver[player] else (1,)
    g.player, g.answer = player, gave


def gave(g: LanternMarket, move: int) -> None:
    if move == 0:
        g.silver[g.player] -= 1
        g.silver[g.active] += 1
    else:
        g.options, g.answer = tuple(unique(g.hands[g.player])), gave_card


def gave_card(g: LanternMarket, card: int) -> None:
    drop(g, g.player, card)
    g.discards += (card,)


def teller(g: LanternMarket) -> None:
    top = g.top
    shown = tuple(g.pile[max(0, top - 3) : top][::-1])
    g.top = top - len(shown)
    g.player, g.answer, g.options, g.data = g.active, told, tuple(unique(shown)), shown


def told(g: LanternMarket, card: int) -> None:
    g.hands[g.active] += (card,)
    rest = list(g.data)
    rest.remove(card)
    g.pile = rest + g.pile[: g.top]
    g.top = len(g.pile)


def hands(g: LanternMarket) -> None:
    g.todo = (work, 0, (work, 0, g.todo))


def drum(g: LanternMarket) -> None:
    g.drums += 1


def drizzle(g: LanternMarket) -> None:
    g.coming += 1


DO = {
    PICKPOCKET: pickpocket,
    GUST: gust,
    COLLECTION: collection,
    TELLER: teller,
    HANDS: hands,
    DRUM: drum,
    DRIZZLE: drizzle,
}
