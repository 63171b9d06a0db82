"""Who may know what: players, whoever looks on, and the deals that a player imagines."""

from __future__ import annotations

import random

import orrery
import pytest
import trust
import veils
from memory import loaded, rules
from orrery.interpreter.bots import make

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


def test_who_looks_on_is_not_told_why_from_the_hand_of_who_is_asked() -> None:
    """Whether somebody can run an errand tells what they hold."""
    game = orrery.load("lantern_market").new(seed=3)
    assert game.why("run_errand", None) == [f"It is player {game.player + 1}'s decision."]
    with pytest.raises(orrery.OrreryError, match="did you mean `run_errand`"):
        game.why("run_errands", None)


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


LEAKY = """
ruleset: leaky
players: 2 to 3
resources: {coins: {start: 3}}
kinds: {card: {has: {rank: number}, starts: pile}}
components:
  card: {ace: {copies: 3, rank: 1}, deuce: {copies: 3, rank: 2}, tray: {copies: 3, rank: 3}, four: {copies: 3, rank: 4}}
zones:
  pile: {holds: card, order: stack, seen_by: nobody}
  hand: {of: player, holds: card, seen_by: owner}
  aside: {of: player, holds: card, seen_by: nobody}
values:
  rich(): any(p in players where sum(c.rank for c in p.hand) > 6)
menus:
  day: {actions: [lay_aside, draw_one, pass], picks: 2}
  night: {actions: [brag, guess], picks: 1}
actions:
  lay_aside:
    do: |
      choose card in you.hand
      move card to you.aside
  draw_one: draw 1 from pile to you.hand
  pass: say "Well."
  brag: {do: gain 1 coins, if: rich(), why: Nobody is rich.}
  guess:
    do: |
      choose n in 1 to 4
      if first(pile).rank is n: gain 9 coins
flow: |
  shuffle pile
  as each players: draw 3 from pile to you.hand
  repeat 2 times:
    as each players: open day
  as each players: open night
end: {score: you.coins}
table:
  - "the pile is worth {sum(c.rank for c in pile)}, {first(pile)} lies first"
  - each: p in players
    lines:
      - '{p:10} {sum(c.rank for c in p.hand)} in hand: {join(p.hand, ", ")}'
"""


def by_day(game: orrery.Game) -> bool:
    return game.decision is not None and "guess" not in game.decision.options and not game.decision.amount


def test_a_ruleset_that_would_tell_secrets_is_not_let() -> None:
    """Its table adds up hidden cards, and a condition reads all hands: both are asked of what the viewer knows."""
    made = loaded({"ruleset.yaml": LEAKY})
    assert not made.problems, made.problems
    for players in (2, 3):
        for seed in range(4):
            game = rules(made).new(players, seed)
            for at in range(8 * players):
                if game.over or not by_day(game):
                    break
                for viewer in [*range(players), None]:
                    twin = veils.other_world(game, viewer, 100 + at)
                    assert trust.told_to(twin, viewer) == trust.told_to(game, viewer), (players, seed, at, viewer)
                    veils._true_to(game, viewer, f"seed {seed}, decision {at}")
                    veils._told_of_a_choice(game, viewer, random.Random(at), f"seed {seed}, decision {at}")
                trust.random_step(game, seed, at)


def test_a_search_does_not_know_what_lies_hidden() -> None:
    """Whoever saw the pile would guess its first card: the hint is the same whichever card it is."""
    made = rules(loaded({"ruleset.yaml": LEAKY}))
    for seed in range(8):
        game = made.new(2, seed)
        while by_day(game):
            game.choose("pass")
        game.choose("guess")
        worlds = [game, *[veils.other_world(game, game.player, number) for number in range(5)]]
        hints = {make("mcts:80", 1).choose(world, 0) for world in worlds}
        assert len(hints) == 1, f"seed {seed}"


HANDED_ROUND = """
ruleset: round
players: 2 to 3
kinds: {card: {has: {rank: number}, starts: pile}}
components: {card: {ace: {copies: 6, rank: 1}, deuce: {copies: 4, rank: 2}}}
zones:
  pile: {holds: card, order: stack, seen_by: nobody}
  open: {holds: card, order: stack}
  hand: {of: player, holds: card, seen_by: owner}
  aside: {of: player, holds: card, seen_by: nobody}
actions:
  take: {do: draw 1 from pile to you.hand, if: size(pile) > 0}
  take_some: {do: draw 3 from pile to you.hand, if: size(pile) > 3}
  turn_up: {do: draw 2 from pile to open, if: size(pile) > 2}
  lay_open: |
    choose card in you.hand
    move card to open
  lay_open_some: |
    choose 2 cards in you.hand
    move cards to open
  bury: |
    choose 1 to 2 cards in you.hand
    move cards to pile
  pick_up: |
    choose card in open
    move card to you.hand
  pick_up_all: {do: move open to you.hand, if: size(open) > 0}
  set_aside: |
    choose card in you.hand
    move card to you.aside
  fetch: |
    choose card in you.aside
    move card to you.hand
  pass_on: |
    choose card in you.hand, p in players where p is not you
    move card to p.hand
  show_all: {do: show you.aside, if: size(you.aside) > 0}
  show_one: {do: show you.hand to first(p in players where p is not you), if: size(you.hand) > 0}
  mix: shuffle pile
menus:
  day:
    actions: [take, take_some, turn_up, lay_open, lay_open_some, bury, pick_up, pick_up_all, set_aside, fetch, pass_on, show_all,
      show_one, mix]
    picks: 1
flow: |
  repeat 60 times:
    as each players: open day
end: {score: 0}
"""


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_who_saw_a_card_remembers_it_until_it_is_out_of_sight(seed: int, apart: bool) -> None:
    """Every card is followed beside the game, with who sees its place before and after each move."""
    made = rules(loaded({"ruleset.yaml": HANDED_ROUND}))
    game, dice = (made.apart() if apart else made).new(2 + seed % 2, seed=seed), random.Random(seed)
    ns, table = game.table.ns, game.table
    sees, everyone = ns["ZONE_SEES"], ns["FLIPPED"]
    cards = range(table.count)
    known = [0] * table.count  # all lie in the pile
    remembered = 0
    while not game.over:
        before, you = [table.where(game.S, x) for x in cards], game.player
        assert you is not None
        mine = frozenset(game.S[ns["Z_hand"] + you])
        aside = frozenset(game.S[ns["Z_aside"] + you])
        pick = dice.randrange(game.count)
        assert game.decision is not None
        deed = game.decision.key(pick)
        game.choose(pick)
        while game.decision is not None and "mix" not in game.decision.options:
            game.choose(dice.randrange(game.count))
        after = [table.where(game.S, x) for x in cards]
        for x in cards:
            if after[x] != before[x]:
                known[x] = sees[after[x]] | known[x] & sees[before[x]]
            if deed == "mix" and after[x] == ns["Z_pile"]:
                known[x] = sees[after[x]]
            if deed == "show_all" and x in aside:
                known[x] = everyone
            if deed == "show_one" and x in mine:
                known[x] |= 1 << min(p for p in range(table.players) if p != you)
        assert [trust.knowing(game.S, ns, x) for x in cards] == known, deed
        remembered += any(known[x] & ~sees[after[x]] for x in cards)
    assert remembered > 10
