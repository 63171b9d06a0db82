"""Small rulesets whose rules, woven together, once went other ways than the same rules kept apart, or nowhere."""

from __future__ import annotations

from pathlib import Path

import orrery
import pytest
from trust import woven

ODD = {
    "a set out of a zone of nobody who is at hand": """
kinds: {card: {count: 8, starts: deck}}
zones: {deck: {holds: card}, hand: {of: player, holds: card}, heap: {holds: card}}
spans: {turn(you): {}}
setup: |
  as each players: draw 3 from deck to you.hand
flow: |
  as each players:
    during turn(you):
      choose up to 2 cs in you.hand
      move cs to heap
  as last(players):
    choose up to 2 cs in you.hand
    move cs to heap
end: {score: size(you.hand)}
""",
    "a line is held or not": """
game: {has: {won: truth}}
kinds: {cell: {has: {mark: player?}}}
boards: {grid: {of: cell, grid: 4 by 4}}
flow: |
  repeat 4 times:
    as each players:
      choose c in grid
      set c.mark to you
      set won to any(line in lines_through(c, 3) where every(d in line where d.mark is you))
      if won is false: end game with "not yet"
end: {score: 1}
""",
    "a mark of somebody who is not there yet": """
game: {has: {leader: player}}
kinds: {cell: {has: {mark: player?}}}
boards: {grid: {of: cell, grid: 3 by 3}}
values:
  row(you, cell): any(line in lines_through(cell, 3) where every(c in line where c.mark is you))
flow: |
  repeat 4 times:
    as each players:
      choose c in grid
      set c.mark to leader
      say "{count(d in grid where d.mark is none)} {row(you, c)}"
      choose k in 1 to 2
      if k is 2: set leader to you
end: {score: 1}
""",
    "a question about a procedure that touches what is hidden": """
resources: {coins: {start: 1}}
kinds: {card: {count: 5, starts: deck}, cell: {has: {height: number}}}
boards: {grid: {of: cell, grid: 2 by 2}}
zones: {deck: {holds: card, seen_by: nobody}, heap: {holds: card}}
procedures:
  mix(number n): shuffle deck
flow: |
  repeat 3 times:
    as each players:
      may pay 1 coins: mix(1)
      choose k in 1 to 2
      add k to first(grid).height
      draw 1 from deck to heap
end: {score: you.coins}
""",
    "a branch that nobody reaches": """
resources: {coins: {start: 3}}
game: {has: {holder: player?}}
flow: |
  repeat 3 times:
    as each players:
      choose n in 1 to 2
      if n is 2: set holder to you
      if holder is none:
        if holder is not none: gain 1 coins
      choose k in 1 to 2
      gain k coins
end: {score: you.coins}
""",
    "a demand of somebody else's": """
resources: {coins: {start: 3}}
game: {has: {holder: player?, deep: number}}
kinds: {card: {count: 9, starts: deck}, cell: {has: {mark: player?}}}
boards: {grid: {of: cell, grid: 2 by 2}}
zones: {deck: {holds: card, refill: heap}, heap: {holds: card}, hand: {of: player, holds: card, in_play: true}}
menus: {deeds: {actions: [mark, take], picks: 2, stop: Enough}}
actions:
  mark: |
    if holder is not none:
      as holder:
        if deep > 0:
          choose x in grid where x.mark is none
          if deep > 1:
            choose y in all(y in grid where y.mark is none)
            draw 1 from deck to heap
            set y.mark to you
  take: |
    set holder to you
    add 1 to deep
flow: |
  repeat 3 times:
    as each players:
      open deeds
      move you.hand to heap
end: {score: you.coins}
""",
    "words that look like code": """
resources: {coins: {}}
game: {has: {word: text}}
flow: |
  as each players:
    set word to "len(PLAYERS) ZONE_SEES[3] NP"
    choose n in 1 to 2
    say "{word} {n}"
    gain n coins
end: {score: you.coins}
""",
    "a die with one side": """
game: {has: {found: number}}
setup: |
  roll 1d1 as n
  roll 1d2 as m
  set found to n + m
flow: |
  as each players:
    choose k in 1 to 2
    say "{found} {k}"
end: {score: found}
""",
    "the coins of nobody": """
resources: {coins: {start: 2}}
kinds: {player: {has: {rival: player?}}}
flow: |
  as each players:
    choose k in 1 to 2
    say "{k} {you.rival.coins}"
    set you.rival to you
    say "{you.rival.coins}"
end: {score: you.coins}
""",
}


@pytest.mark.parametrize("what", ODD)
def test_woven_as_apart(what: str, tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text("ruleset: odd\nplayers: 2\n" + ODD[what].lstrip())
    rules = orrery.load(tmp_path)
    for seed in range(12):
        woven(rules, 2, seed)


def test_words_stay_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text("ruleset: odd\nplayers: 2\n" + ODD["words that look like code"].lstrip())
    game = orrery.load(tmp_path).new(seed=1)
    game.choose(0)
    assert game.news() == ["len(PLAYERS) ZONE_SEES[3] NP 1"]


def test_a_game_that_asks_nobody_is_over(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(
        "ruleset: brief\nplayers: 2\nresources: {coins: {start: 2}}\nflow: end game\nend: {score: you.coins}\n"
    )
    game = orrery.load(tmp_path).new(seed=1)
    assert game.over and game.count == 0 and game.result.scores == (2, 2)
