"""What is found once, sorted out before or not looked at is the same as what a plain search finds."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import orrery
import pytest
from orrery.interpreter.load import bundled
from orrery.interpreter.slots import OPTIONS, PLAYER

MARKET = """
ruleset: stalls
players: 3
symbols: {hue: [red, green, blue]}
kinds:
  ware: {abstract: true}
  cloth: {like: ware, has: {hue: hue, worth: number}, starts: store}
  spice: {like: ware, has: {hue: hue?, worth: number}, starts: store}
  crate: {like: ware, count: 4, starts: store}
  stall: {has: {rank: number}}
components:
  cloth: {table: "id | copies | hue | worth\\nsilk | 5 | red | 3\\nwool | 6 | green | 1\\n"}
  spice: {table: "id | copies | hue | worth\\nsalt | 4 | none | 2\\nmint | 4 | green | 1\\n"}
boards:
  row: {of: stall, grid: 5 by 1}
zones:
  store: {holds: ware}
  bag: {of: player, holds: ware}
  shelf: {of: stall, holds: ware}
resources: {points: {}}
values:
  laid(): union(s.shelf for s in row)
  bagged(you): all(w in you.bag)
  own(you): union(x for x in [bagged(you), laid()])
  green(): all(w in ware where w.hue is green)
  near(you): all(s in row where any(w in ware where w.hue is green and w.zone is you.bag and good(w, s)))
  good(ware, stall): ware.worth > stall.rank and size(stall.shelf) < 3
  last_of(stall): last(stall.shelf).hue
  poor(you): count(w in own(you) where w.worth < 2)
  can_lay(you, ware, stall): good(ware, stall) and size(you.bag) > 1 and (ware.hue is not none or stall.rank is 0)
actions:
  lay:
    do: |
      choose w in you.bag, s in row where can_lay(you, w, s)
      need poor(you) < 9
      pay 1 points
      move w to s.shelf
  sell:
    do: |
      need size(near(you)) > 0
      choose w in own(you) where w.hue is last_of(first(row))
      move w to store
      gain poor(you) points
  pass:
    do: gain 1 points
menus: {turn: {actions: [lay, sell, pass]}}
setup: |
  shuffle store
  let n be 0
  for each s in row:
    set s.rank to n
    add 1 to n
flow: |
  repeat 40 times:
    as each players:
      if size(store) > 0: draw 1 from store to you.bag
      open turn
      say "{size(laid())} laid, {size(own(you))} yours, {size(green())} green, {last_of(first(row))}."
end: {score: you.points}
"""


def told(game: orrery.Game) -> tuple[object, ...]:
    return (game.S[PLAYER], tuple(game.S[OPTIONS]), game.news())


def test_the_same_with_every_shape_of_question(tmp_path: Any) -> None:
    (tmp_path / "stalls").mkdir()
    (tmp_path / "stalls" / "ruleset.yaml").write_text(MARKET)
    rules = orrery.load(tmp_path / "stalls")
    source = rules.image["source"]
    assert "def fresh_" in source and "ANY_" in source, "nothing is kept, nothing is joined: this proves nothing"
    laid = 0
    for seed in range(12):
        game, apart, dice = rules.new(3, seed), rules.apart().new(3, seed), random.Random(seed).random
        while not game.over:
            assert told(game) == told(apart)
            index = int(dice() * game.count)
            game.choose(index)
            apart.choose(index)
            laid = max(laid, len(game.value("laid")))
        assert game.result == apart.result
    assert laid > 3


@pytest.mark.parametrize("name", bundled())
def test_nothing_is_kept_from_one_decision_to_the_next(name: str) -> None:
    rules = orrery.load(name)
    game, dice = rules.new(seed=3), random.Random(3).random
    look = game.table.ns["LOOK"]
    for _ in range(150):
        assert game.S[look] is None
        if game.over:
            break
        game.choose(int(dice() * game.count))


def later(name: str, seed: int, decisions: int) -> orrery.Game:
    game, dice = orrery.load(name).new(seed=seed), random.Random(seed).random
    for _ in range(decisions):
        if not game.over:
            game.choose(int(dice() * game.count))
    return game


@pytest.mark.parametrize("seed", range(4))
def test_gaps_and_free_spots(seed: int) -> None:
    game, dice = later("ascending_empires", seed, 300), random.Random(seed)
    S, ns = game.S, game.table.ns
    plane = ns["Z_galaxy"]
    discs = [x for x in range(len(ns["RADIUS"])) if ns["RADIUS"][x] is not None]
    for _ in range(3_000):
        a, b, most = dice.choice(discs), dice.choice([*discs, (dice.randrange(6_000), dice.randrange(6_000))]), 0
        gap = ns["gap"](S, a, b)
        most = dice.randrange(-400, 4_000) if gap is None or dice.random() < 0.5 else gap + dice.randrange(-1, 2)
        assert ns["nearer"](S, a, b, most) == (gap is not None and gap <= most)
    width, height = ns["PLANES"][plane]["width"], ns["PLANES"][plane]["height"]
    for _ in range(200):
        centre, disc, far = dice.choice(S[plane]), dice.choice(discs), dice.randrange(0, 400)
        x, y = S[ns["AT"] + centre]
        radius = ns["RADIUS"][disc]
        others = ns["solid"](S, disc, plane, (disc, centre))
        wanted = []
        for dx, dy in ns["rim"](ns["RADIUS"][centre] + radius + far):
            here = (x + dx, y + dy)
            inside = radius <= here[0] <= width - radius and radius <= here[1] <= height - radius
            if inside and not ns["touches"](S, here, radius, others):
                wanted.append(here)
        assert ns["around"](S, centre, disc, far) == tuple(wanted)
        assert ns["around"](S, centre, disc, far, 1) == tuple(wanted[:1])


@pytest.mark.parametrize("name", bundled())
def test_pieces_that_look_alike(name: str) -> None:
    for seed in range(3):
        game, dice = later(name, seed, 120), random.Random(seed)
        S, ns = game.S, game.table.ns
        for _ in range(60):
            items = tuple(dice.sample(range(len(ns["KIND"])), min(len(ns["KIND"]), dice.randrange(2, 9))))
            player = dice.randrange(game.players)
            seen: dict[Any, int] = {}
            for x in items:
                seen.setdefault(ns["look"](S, x, player), x)
            assert ns["alike"](S, items, player) == tuple(seen.values())


BACKS = """
ruleset: backs
players: 2
kinds: {card: {starts: row}}
components: {card: {ace: {}, king: {copies: 2}}}
zones: {row: {holds: card, seen_by: nobody}}
flow: |
  as first(players):
    show ace to you
    choose c in row
end: {score: 1}
"""


def test_a_card_that_is_known_does_not_look_like_a_back(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(BACKS)
    for rules in (orrery.load(tmp_path), orrery.load(tmp_path).apart()):
        game = rules.new(seed=1)
        assert [o.label for o in game.decision.options] == ["Ace", "A hidden card"]


SHOP = """
ruleset: shop
players: 2
kinds:
  card: {abstract: true, starts: pile}
  ware: {like: card, has: {price: number}}
  deed: {like: card, has: {noise: number}}
components:
  ware: {pin: {copies: 3, price: 0}, pot: {copies: 3, price: 2}, pan: {copies: 3, price: 5}}
  deed:
    beg: {copies: 2, noise: 1, do: gain 1 coins}
    rob:
      copies: 3
      noise: 2
      do: |
        choose "Whom?" p in players where p is not you and p.coins > 1
        move 1 coins from p to you
zones:
  pile: {holds: card, order: stack, seen_by: nobody, refill: done}
  hand: {of: player, holds: card, seen_by: owner}
  done: {holds: card}
resources: {coins: RESOURCE}
setup: shuffle pile
actions:
  buy: |
    choose w in you.hand where w is ware
    pay w.price coins
    move w to done
  act: |
    choose d in you.hand where d is deed and can run(d)
    move d to done
    run d
  shout: |
    choose d in you.hand where d is deed and can run(d)
    need d.noise > you.coins, "Not loud enough."
    move d to done
    run d
  throw: |
    choose c in you.hand
    move c to done
menus: {day: {actions: [buy, act, shout, throw], stop: Rest, picks: 1}}
flow: |
  repeat 60 times:
    as each players:
      draw 1 from pile to you.hand
      open day
end: {score: you.coins}
"""
PRICES = {"pin": 0, "pot": 2, "pan": 5}


@pytest.mark.parametrize(("resource", "looked"), [("{start: 3}", True), ("{start: 3, low: -9}", False)])
def test_what_can_be_paid_and_run_is_one_look_into_a_set(tmp_path: Path, resource: str, looked: bool) -> None:
    """The menu says what a plain search through the hand says; a debt is no place in a row of prices."""
    (tmp_path / "ruleset.yaml").write_text(SHOP.replace("RESOURCE", resource))
    rules = orrery.load(tmp_path)
    assert any(price for _, _, price in rules.image["gathered"]) == looked
    seen: dict[str, int] = {}
    for seed in range(6):
        game, dice = rules.new(seed=seed), random.Random(seed)
        ns, low = game.table.ns, 0 if looked else -9
        while not game.over:
            decision, you = game.decision, game.player
            assert decision is not None and you is not None
            offered = [o.key for o in decision.options]
            if offered[-1] == "done":
                hand = [game.table.designs[game.table.design_of[x]] for x in game.S[ns["Z_hand"] + you]]
                coins = [game.value("score", p) for p in (0, 1)]
                buys = any(name in PRICES and coins[you] - low >= PRICES[name] for name in hand)
                acts = "beg" in hand or ("rob" in hand and coins[1 - you] > 1)
                loud = (coins[you] < 1 and "beg" in hand) or (coins[you] < 2 and "rob" in hand and coins[1 - you] > 1)
                wanted = [("buy", buys), ("act", acts), ("shout", loud), ("throw", bool(hand)), ("done", True)]
                assert offered == [key for key, can in wanted if can]
                for key, can in wanted:
                    seen[f"{key} {can}"] = seen.get(f"{key} {can}", 0) + 1
            game.choose(dice.randrange(game.count))
    assert {"buy True", "buy False", "act True", "act False", "shout True", "shout False"} <= set(seen)
