"""Sets whose members are told apart by what comes after: only what leads to a set that will do is offered."""

from __future__ import annotations

from pathlib import Path

import orrery
import pytest
from test_engine import keys, play

TRADES = """
ruleset: small
players: 1
kinds: {card: {has: {worth: number}, starts: pile}}
components: {card: {ace: {copies: 2, worth: 1}, two: {copies: 2, worth: 2}, five: {copies: 1, worth: 5}}}
zones:
  pile: {holds: card, order: stack}
  hand: {of: player, holds: card, seen_by: owner}
  sold: {holds: card}
resources: {coins: {start: 3}}
setup: |
  as each players: draw 5 from pile to you.hand
actions:
  trade: |
    choose 2 wares in you.hand
    need sum(w.worth for w in wares) >= LEAST, "Too little."
    move wares to sold
  bargain: |
    choose 1 to 3 wares in you.hand
    pay 2 * size(wares) coins
    move wares to sold
  rest: gain 1 coins
menus: {day: {actions: [trade, bargain, rest], picks: 1}}
flow: |
  repeat 3 times:
    as each players: open day
end: {score: you.coins}
"""


def rules(tmp_path: Path, text: str) -> orrery.Rules:
    (tmp_path / "small").mkdir(exist_ok=True)
    (tmp_path / "small" / "ruleset.yaml").write_text(text)
    return orrery.load(tmp_path / "small")


def game(tmp_path: Path, least: int) -> orrery.Game:
    text = TRADES.replace("LEAST", str(least))
    return rules(tmp_path, text).new(1, seed=1)


def test_only_picks_that_lead_to_a_set_that_will_do_are_offered(tmp_path: Path) -> None:
    """A set is picked in the order of the hand: five, two, two, ace, ace."""
    trading = play(game(tmp_path, least=4), "trade")
    assert keys(trading) == ["five", "two"], "two aces are too little"
    assert keys(play(trading.copy(), "five")) == ["two", "ace"]
    two = play(trading.copy(), "two")
    assert keys(two) == ["two"], "a two and an ace are too little"
    play(two, "two", "trade", "five", "ace")
    assert keys(two) == ["bargain", "rest"]
    assert two.why("trade", 0) == ["There are too few to choose from for `wares`."]
    with pytest.raises(orrery.IllegalChoice):
        two.choose("trade")


def test_a_set_that_nothing_can_meet_is_not_offered(tmp_path: Path) -> None:
    small = game(tmp_path, least=8)
    assert keys(small) == ["bargain", "rest"]
    assert small.why("trade", 0) == ["Too little."]
    assert "trade" in keys(game(tmp_path, least=7))


def test_what_is_paid_for_each_bounds_how_many_are_picked(tmp_path: Path) -> None:
    bargain = play(game(tmp_path, least=8), "bargain", "ace")
    assert keys(bargain) == ["done"], "three coins pay for one"
    play(bargain, "done")
    assert bargain.value("score", 0) == 1
    assert bargain.why("bargain", 0) == ["It costs 2 coins; there is 1."]


def test_rules_apart_offer_the_same(tmp_path: Path) -> None:
    text = TRADES.replace("LEAST", "6")
    made = rules(tmp_path, text)
    woven, apart = made.new(1, seed=2), made.apart().new(1, seed=2)
    for _ in range(20):
        if woven.over:
            break
        assert keys(woven) == keys(apart)
        woven.choose(keys(woven)[-1])
        apart.choose(keys(apart)[-1])
    assert woven.over and apart.over


def test_half_a_set_is_saved_and_goes_on(tmp_path: Path) -> None:
    trading = play(game(tmp_path, least=4), "trade", "two")
    trading.save(tmp_path / "half.json")
    again = orrery.restore(tmp_path / "half.json")
    assert keys(again) == ["two"] == keys(trading)


MANY = """
ruleset: small
players: 1
kinds: {card: {has: {worth: number}, starts: heap, count: 60}}
zones: {heap: {holds: card}}
actions:
  all_of_them: |
    choose 5 x in card
    need sum(c.worth for c in x) > 3, "Too little."
  rest: say "Rest."
menus: {day: {actions: [all_of_them, rest], picks: 1}}
flow: |
  repeat 2 times:
    as each players: open day
end: {score: 1}
"""


def test_too_many_sets_to_try_are_offered_and_refused_with_words(tmp_path: Path) -> None:
    """Five of sixty are five million sets: whether one of them will do is seen when they are picked."""
    game = rules(tmp_path, MANY).new(1, seed=1)
    assert keys(game) == ["all_of_them", "rest"]
    with pytest.raises(orrery.RuleError, match="Too little"):
        play(game, "all_of_them")
        while True:
            game.choose(0)
    assert keys(game), "the game goes on from the decision before"
