"""Where no game can take many steps, none are counted; and what is said of a game's steps is true."""

from __future__ import annotations

import random
from pathlib import Path

import orrery
import pytest
from orrery.interpreter.bind import STEPS
from orrery.interpreter.compile.costs import SMALL
from orrery.interpreter.load import bundled
from orrery.interpreter.slots import FUEL


def counted(source: str) -> bool:
    return any(word in source for word in (f"S[{FUEL}]", "spend(S)", "count_steps", "deeper(S"))


@pytest.mark.parametrize("name", bundled())
def test_an_unwatched_game_takes_few_steps(name: str) -> None:
    """The same rules kept apart count every step: a whole game has fewer than the bound."""
    rules = orrery.load(name)
    assert rules.apart().image["watched"]
    if rules.image["watched"]:
        assert counted(rules.image["source"])
        return
    assert not counted(rules.image["source"])
    for seed in range(20):
        game, dice = rules.apart().new(seed=seed), random.Random(seed).random
        taken = STEPS - game.S[FUEL]
        while not game.over:
            game.choose(int(dice() * game.count))
            taken += STEPS - game.S[FUEL]
        assert taken < SMALL


RULES = """
ruleset: steps
players: 2 to 4
kinds:
  cell: {has: {mark: player?}}
  card: {count: 5, starts: deck}
boards:
  grid: {of: cell, grid: 4 by 4}
zones:
  deck: {holds: card}
  hand: {of: player, holds: card}
game: {has: {last: player?, seen: list of card}}
resources: {points: {}}
procedures:
  mark(cell): set cell.mark to you
values:
  held(player): player.points
flow: |
  BODY
end: {score: you.points}
"""
SHORT = {
    "a few rounds": "repeat 5 times:\n    as each players:\n      choose c in grid where c.mark is none\n      mark(c)",
    "loops in loops": "for each c in grid:\n    for each d in cards: set c.mark to none",
    "a pile": "as each players:\n    draw 1 from deck to you.hand\n    show you.hand",
    "a query": "if any(l in lines_through(first(grid), 3) where every(c in l where c.mark is none)): end game",
}
LONG = {
    "many rounds": "repeat 3000 times:\n    as each players:\n      choose c in grid where c.mark is none\n      mark(c)",
    "rounds without number": "repeat held(first(players)) times: set last to first(players)",
    "deep loops": (
        "for each a in grid:\n    for each b in grid:\n      for each c in grid:\n"
        "        for each d in grid: set d.mark to none"
    ),
    "a choice with deep demands": (
        "as first(players):\n    choose a in grid\n    choose b in grid\n    choose c in grid\n    choose d in grid\n"
        "    choose e in grid where e is not a and e is not b and e is not c and e is not d\n    mark(e)"
    ),
    "a circle": "as each players: again(first(grid))",
    "a list that grows": "for each c in cards: add c to seen",
    "a list that was kept": "for each c in seen: set last to none",
}


@pytest.mark.parametrize("what", [*SHORT, *LONG])
def test_what_may_take_long_is_watched(what: str, tmp_path: Path) -> None:
    folder = tmp_path / "steps"
    folder.mkdir()
    text = RULES.replace("BODY", {**SHORT, **LONG}[what])
    if what == "a circle":
        text = text.replace("procedures:\n", "procedures:\n  again(cell): |\n    if cell.mark is none: again(cell)\n")
    (folder / "ruleset.yaml").write_text(text)
    image = orrery.load(folder).image
    assert image["watched"] == (what in LONG)
    assert counted(image["source"]) == (what in LONG)
