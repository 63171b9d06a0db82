"""Rules that are woven together play like the same rules kept apart, and bits say what a search would find."""

from __future__ import annotations

import random

import orrery
import pytest
from orrery.interpreter.load import bundled
from orrery.interpreter.slots import OPTIONS, OTHERS, PLAYER, REVEALED

DECISIONS = 400


def asked(game: orrery.Game) -> tuple[object, ...]:
    """Who is asked what, and what is kept for later."""
    S = game.S
    return (S[PLAYER], tuple(S[OPTIONS]), [(who, tuple(options)) for who, options, *_ in S[OTHERS]], game.news())


def lies(game: orrery.Game) -> tuple[object, ...]:
    """What lies where, who knows it, and whether something was shown."""
    S, ns, table = game.S, game.table.ns, game.table
    known = S[ns["KNOWN"] : ns["KNOWN"] + table.count] if table.hides else []
    zones = {table.zone_at[zone]: S[zone] for zone in table.zone_at}
    return (zones, [table.zone_at[S[ns["LOC"] + x]] for x in range(table.count)], known, S[REVEALED])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", bundled())
def test_the_same_game(name: str, seed: int) -> None:
    rules = orrery.load(name)
    players = rules.least + seed % (rules.most - rules.least + 1)
    woven, apart = rules.new(players, seed), rules.apart().new(players, seed)
    dice = random.Random(seed).random
    for _ in range(DECISIONS):
        assert asked(woven) == asked(apart)
        assert lies(woven) == lies(apart)
        if woven.over:
            assert woven.result == apart.result
            break
        index = int(dice() * woven.count)
        woven.choose(index)
        apart.choose(index)


BOARD = """
ruleset: fields
players: 2
kinds:
  cell: {has: {mark: player?, height: number}}
boards:
  grid: {of: cell, grid: 4 by 4}
resources: {points: {}}
values:
  free(): all(c in grid where c.mark is none)
  low(): all(c in grid where c.height < 2 and c.mark is not none)
  row(you, cell): any(line in lines_through(cell, 3) where every(c in line where c.mark is you))
flow: |
  repeat 30 times:
    as each players:
      choose one:
        "Take" if size(free()) > 0:
          choose c in free()
          set c.mark to you
          if row(you, c): gain 1 points
        "Leave" if any(c in grid where c.mark is you):
          choose c in all(c in grid where c.mark is you)
          set c.mark to none
        "Swap" if any(c in grid where c.mark is you) and count(c in grid where c.mark is none) < 16:
          choose c in all(c in grid where c.mark is you)
          choose d in grid where d is not c
          swap c.mark with d.mark
        "Grow" if size(low()) > 0:
          choose c in low()
          add 1 to c.height
        "Rest": gain 1 points
end: {score: you.points}
"""


def test_bits_are_kept_right(tmp_path: object) -> None:
    folder = tmp_path / "fields"  # type: ignore[operator]
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(BOARD)
    rules = orrery.load(folder)
    tracked = rules.image["tracked"]
    assert tracked["masks"] and tracked["holds"]
    for seed in range(20):
        game, dice = rules.new(seed=seed), random.Random(seed).random
        ns = game.table.ns
        low, high = ns["LO_cell"], ns["HI_cell"]
        apart = rules.apart().new(seed=seed)
        while not game.over:
            index = int(dice() * game.count)
            game.choose(index)
            apart.choose(index)
            assert asked(game) == asked(apart)
            marks = [game.S[ns["F_cell_mark"] + x] for x in range(low, high)]
            for slot, field, _, op, against in tracked["masks"]:
                if field == "F_cell_mark" and op == "is" and against is None:
                    assert game.S[ns[slot]] == sum(1 << i for i, mark in enumerate(marks) if mark is None)
            for slot, _, _ in tracked["holds"]:
                for seat in range(2):
                    held = sum(1 << i for i, mark in enumerate(marks) if mark == seat)
                    assert game.S[ns[slot] + seat] == held
        assert game.result == apart.result


HANDS = """
ruleset: hands
players: 2 to 3
kinds:
  card: {abstract: true, starts: pile}
  red:  {like: card}
  blue: {like: card, has: {worth: number}}
zones:
  pile:   {holds: card, order: stack, seen_by: nobody, refill: waste}
  waste:  {holds: card, order: stack}
  secret: {holds: card, order: stack, seen_by: nobody}
  hand:   {of: player, holds: card, seen_by: owner}
  row:    {of: player, holds: card, order: line, in_play: true}
resources: {points: {}}
components:
  red:
    rose: {copies: 4}
    ruby: {copies: 3}
    rust: {copies: 2, rules: [{change: room, plus: 1}]}
  blue:
    sky: {copies: 5, worth: 1}
    sea: {copies: 3, worth: 2, rules: [{when: after lay, do: gain 1 points}]}
values:
  room(you): 2
procedures:
  lay(card):
    do: |
      move card to you.row
      gain 1 points
setup: |
  shuffle pile
  as each players: draw 3 from pile to you.hand
flow: |
  repeat 12 times:
    as each players:
      repeat 3 times: draw 1 from pile to you.hand
      choose one:
        "Lay" if size(you.row) < you.room and size(you.hand) > 0:
          choose card in you.hand
          lay(card)
        "Sell":
          choose 1 to 3 wares in you.hand
          move wares to waste
          gain size(wares) points
        "Hide":
          choose up to 2 things in you.hand where things is blue
          move things to secret
        "Swap" if size(you.row) > 0:
          choose card in you.row
          move card to you.hand
        "Show": show you.hand to players
      let surplus be size(you.hand) - 5
      if surplus > 0:
        choose surplus unwanted in you.hand
        move unwanted to waste
      if size(secret) > 3: draw 1 from secret to pile
end: {score: you.points}
"""


def test_sets_and_moves_are_the_same(tmp_path: object) -> None:
    """What is written out does what the runtime does, in imagined deals too."""
    folder = tmp_path / "hands"  # type: ignore[operator]
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(HANDS)
    rules = orrery.load(folder)
    assert rules.image["picks"], "sets are picked in blocks of their own"
    for seed in range(12):
        game, apart = rules.new(2 + seed % 2, seed), rules.apart().new(2 + seed % 2, seed)
        dice = random.Random(seed)
        while not game.over:
            assert asked(game) == asked(apart)
            assert lies(game) == lies(apart)
            viewer = dice.randrange(game.players)
            dream, other = game.imagine(viewer, seed), apart.imagine(viewer, seed)
            for _ in range(6):
                assert asked(dream)[:3] == asked(other)[:3]
                assert lies(dream) == lies(other)
                if dream.over:
                    break
                index = dice.randrange(dream.count)
                dream.choose(index)
                other.choose(index)
            index = dice.randrange(game.count)
            game.choose(index)
            apart.choose(index)
        assert game.result == apart.result


SPANS = """
ruleset: ended
players: 2
resources: {points: {}, luck: {}}
spans:
  round: A round.
  turn(you): A turn.
flow: |
  repeat 8 times:
    during round:
      as each players:
        during turn(you):
          gain 1 points
          if you.points is 3: end turn
          if you.points is 5 and you is first(players): end round
          choose one:
            "Go on": gain 1 luck
            "Stop":
              if you.points > 1: end turn
              gain 2 luck
          gain 1 luck
end: {score: you.points + 10 * you.luck}
"""


@pytest.mark.parametrize("ends", [True, False])
def test_spans_that_end_at_once(tmp_path: object, ends: bool) -> None:
    folder = tmp_path / "ended"  # type: ignore[operator]
    folder.mkdir()
    text = SPANS if ends else SPANS.replace("end turn", "gain 3 luck").replace("end round", "gain 4 luck")
    (folder / "ruleset.yaml").write_text(text)
    rules = orrery.load(folder)
    for seed in range(5):
        game, apart, dice = rules.new(seed=seed), rules.apart().new(seed=seed), random.Random(seed)
        while not game.over:
            assert asked(game) == asked(apart)
            index = dice.randrange(game.count)
            game.choose(index)
            apart.choose(index)
        assert game.result == apart.result
