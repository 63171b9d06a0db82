"""What an action demands is asked in its order: what was paid is gone when the next demand is met."""

from __future__ import annotations

from pathlib import Path

import orrery
import pytest
from test_engine import keys, play

DEMANDS = """
ruleset: demands
players: 2
resources: {coins: {start: 2}}
values:
  poor(you): you.coins < 2
procedures:
  toll(): pay 1 coins
actions:
  keep_two: |
    pay 1 coins
    need you.coins > 1, "Too few are left."
    gain 9 coins
  grow_poor: |
    pay 1 coins
    need you.poor
    gain 1 coins
  twice: |
    toll()
    if you.coins > 0: pay 1 coins
    toll()
    gain 9 coins
  earn: gain 1 coins
menus: {day: {actions: [keep_two, grow_poor, twice, earn], picks: 1, stop: Rest}}
flow: |
  repeat 2 times:
    as each players: open day
end: {score: you.coins}
"""


@pytest.mark.parametrize("apart", [False, True])
def test_what_was_paid_is_gone_for_the_next_demand(tmp_path: Path, apart: bool) -> None:
    (tmp_path / "ruleset.yaml").write_text(DEMANDS)
    made = orrery.load(tmp_path)
    game = (made.apart() if apart else made).new(seed=1)
    assert keys(game) == ["grow_poor", "earn", "done"], "two coins pay for no more"
    assert game.why("keep_two", 0) == ["Too few are left."]
    play(game, "earn", "earn")
    assert keys(game) == ["keep_two", "twice", "earn", "done"], "with three, nobody is poor after one of them"
    play(game, "twice")
    assert game.value("score", 0) == 9
