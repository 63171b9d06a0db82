"""Who may know what: players, whoever looks on, and the deals that a player imagines."""

from __future__ import annotations

import orrery
import pytest
from memory import loaded, rules

PEEKS = """
ruleset: peeks
players: 2
kinds: {card: {has: {rank: number}, starts: pile}}
components: {card: {ace: {rank: 1}, deuce: {rank: 2}, tray: {rank: 3}, four: {rank: 4}}}
zones: {pile: {holds: card, order: stack, seen_by: nobody}}
actions:
  peek: show first(pile) to you
  turn_up: show first(pile)
  wait: say "Nothing."
menus: {day: {actions: [peek, turn_up, wait], picks: 1}}
flow: |
  shuffle pile
  repeat 3 times:
    as each players: open day
end: {score: 0}
"""


def played(*choices: str) -> orrery.Game:
    made = loaded({"ruleset.yaml": PEEKS})
    assert not made.problems, made.problems
    game = rules(made).new(seed=3)
    for choice in choices:
        game.choose(choice)
    return game


def known(game: orrery.Game, viewer: int | None) -> int:
    (pile,) = [zone for zone in game.view(viewer)["zones"] if zone["zone"] == "pile"]
    return len(pile.get("known", []))


def test_what_all_are_shown_whoever_looks_on_is_shown_too() -> None:
    game = played("turn_up")
    assert [known(game, viewer) for viewer in (0, 1, None)] == [1, 1, 1]
    assert game.news(None) == game.news(0) == game.news(1) != []


def test_what_each_has_looked_at_alone_is_no_news_to_whoever_looks_on() -> None:
    game = played("peek", "peek")
    assert [known(game, viewer) for viewer in (0, 1, None)] == [1, 1, 0]
    assert game.news(1) and not game.news(None) and not game.news(0)


@pytest.mark.parametrize("choices", [["turn_up"], ["peek"], ["peek", "peek"], ["wait"]])
def test_an_imagined_game_has_the_same_news_for_its_player(choices: list[str]) -> None:
    game = played(*choices)
    for player in (0, 1):
        for seed in range(12):
            assert game.imagine(player, seed).news(player) == game.news(player)


def test_a_showdown_is_seen_by_all() -> None:
    """Kuhn poker: cards that are compared are shown; a fold shows nothing."""
    rules = orrery.load("kuhn_poker")
    for seed in range(6):
        game = rules.new(seed=seed)
        game.choose("bet")
        folded = game.copy()
        folded.choose("fold")
        game.choose("call")
        for viewer in (0, 1, None):
            hands = [zone for zone in game.view(viewer)["zones"] if zone["zone"] == "hand"]
            assert all(len(hand["pieces"]) == 1 for hand in hands)
            assert "?" not in "".join(game.drawing(viewer))
            assert game.news(viewer) == game.imagine(0, seed).news(viewer)
            hidden = [zone for zone in folded.view(viewer)["zones"] if zone["zone"] == "hand" and "pieces" not in zone]
            assert len(hidden) == (2 if viewer is None else 1)
