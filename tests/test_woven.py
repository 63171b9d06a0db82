"""Rules that are woven together play like the same rules kept apart, and bits say what a search would find."""

from __future__ import annotations

import random

import orrery
import pytest
from orrery.interpreter.load import bundled
from orrery.interpreter.slots import OPTIONS, OTHERS, PLAYER

DECISIONS = 400


def asked(game: orrery.Game) -> tuple[object, ...]:
    """Who is asked what, and what is kept for later."""
    S = game.S
    return (S[PLAYER], tuple(S[OPTIONS]), [(who, tuple(options)) for who, options, *_ in S[OTHERS]], game.news())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", bundled())
def test_the_same_game(name: str, seed: int) -> None:
    rules = orrery.load(name)
    players = rules.least + seed % (rules.most - rules.least + 1)
    woven, apart = rules.new(players, seed), rules.apart().new(players, seed)
    dice = random.Random(seed).random
    for _ in range(DECISIONS):
        assert asked(woven) == asked(apart)
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
