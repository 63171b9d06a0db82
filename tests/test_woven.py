"""Rules that are woven together play like the same rules kept apart, and bits say what a search would find."""

from __future__ import annotations

import random
from pathlib import Path

import orrery
import pytest
from again import shown_again
from orrery.interpreter.load import bundled
from orrery.interpreter.slots import RNG
from trust import asked, lies, woven

DECISIONS = 400


def written(folder: Path, text: str) -> orrery.Rules:
    """A ruleset of one file."""
    (folder / "ruleset.yaml").write_text(text)
    return orrery.load(folder)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", bundled())
def test_the_same_game(name: str, seed: int) -> None:
    rules = orrery.load(name)
    players = rules.least + seed % (rules.most - rules.least + 1)
    with shown_again("woven", name, seed, players):
        woven(rules, players, seed, DECISIONS)


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


def test_bits_are_kept_right(tmp_path: Path) -> None:
    rules = written(tmp_path, BOARD)
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


RESTING = """
ruleset: rests
players: 2
kinds:
  site: {has: {number: number}}
  stone: {count: 6, starts: bag}
  flag: {count: 3}
boards:
  ground: {of: site, grid: 3 by 2}
zones:
  bag: {holds: stone, seen_by: nobody}
  lying: {of: site, holds: stone}
values:
  home(piece x): x.zone is box
flow: |
  repeat 3 times:
    as each players:
      choose s in ground where home(s)
      draw 1 from bag to s.lying
      choose f in flags where home(f)
      choose k in all(k in stones where not home(k))
      say "{size(all(x in box where x is site))} sites, {size(box)} in the box, {k}"
end: {score: 1}
"""


def test_pieces_that_never_move_have_no_slots(tmp_path: Path) -> None:
    """Places and flags lie in the box for ever; whoever asks is told so, and nothing of the game changes."""
    rules = written(tmp_path, RESTING)
    assert rules.image["resting"] == ["flag", "site"]
    for seed in range(5):
        woven, apart = rules.new(seed=seed), rules.apart().new(seed=seed)
        assert len(woven.S) == len(apart.S) - 9  # where it is
        dice = random.Random(seed).random
        while not woven.over:
            for game in (woven, apart):
                for zone in game.table.zone_at:
                    assert all(game.table.where(game.S, x) == zone for x in game.S[zone])
            assert woven.view(0) == apart.view(0) and woven.view(None) == apart.view(None)
            assert woven.imagine(0, seed).view(1) == apart.imagine(0, seed).view(1)
            assert [o.key for o in woven.decision.options] == [o.key for o in apart.decision.options]
            index = int(dice() * woven.count)
            woven.choose(index)
            apart.choose(index)
            assert asked(woven) == asked(apart)


MOVES = {
    "a piece of any kind": ("choose x in all(x in box)", "move x to bag", []),
    "the whole box": ("let n be 1", "shuffle box", []),
    "one of them": ("choose x in flags", "show x", ["site"]),
    "from a zone": ("choose x in bag", "move x to box", ["flag", "site"]),
    "so many from a zone": ("let n be 1", "move 1 stones from bag to box", ["flag", "site"]),
    "so many from the box": ("let n be 1", "move 1 flags from box to box", ["site"]),
}


@pytest.mark.parametrize("what", MOVES)
def test_what_may_move_has_slots(what: str, tmp_path: Path) -> None:
    first, second, resting = MOVES[what]
    text = RESTING[: RESTING.index("flow:")].replace("holds: stone, seen_by: nobody", "holds: stone")
    made = written(tmp_path, text + f"flow: |\n  as each players:\n    {first}\n    {second}\nend: {{score: 1}}\n")
    assert made.image["resting"] == resting


GRIDS = [(3, 3, 3), (7, 6, 4), (3, 4, 2), (5, 1, 3), (8, 8, 5), (4, 4, 6), (2, 9, 8)]
LINES = """
ruleset: lines
players: 3
kinds:
  cell: {has: {mark: player?, height: number}}
boards:
  grid: {of: cell, grid: COLUMNS by ROWS}
resources: {points: {}}
values:
  free(): all(c in grid where c.mark is none)
  row(you, cell): any(line in lines_through(cell, LONG) where every(c in line where c.mark is you))
  low(): all(c in grid where c.height < 1)
  high(): all(c in grid where c.height >= 2)
  flat(): all(c in grid where c.height <= 0)
  tall(): all(c in grid where c.height > 1)
flow: |
  repeat 20 times:
    as each players:
      choose c in grid
      if c.mark is none: set c.mark to you
      else: set c.mark to none
      if row(you, c): gain 1 points
      if any(d in grid where d.mark is not none and row(d.mark, d)): gain 2 points
      choose nth in 1 to 5
      choose d in [nth(grid, nth), nth(grid, 0 - nth)] where d is not none
      choose one:
        "Up": add 1 to d.height
        "Up two": add 2 to d.height
        "Down": remove 1 from d.height
        "So high": set d.height to nth
      say "{size(low())} {size(high())} {size(flat())} {size(tall())} {size(free())}"
end: {score: you.points}
"""


@pytest.mark.parametrize("size", GRIDS, ids=str)
def test_lines_and_heights_are_found_as_by_a_search(size: tuple[int, int, int], tmp_path: Path) -> None:
    text = LINES
    for word, number in zip(("COLUMNS", "ROWS", "LONG"), size, strict=True):
        text = text.replace(word, str(number))
    rules = written(tmp_path, text)
    assert rules.image["tracked"]["lines"] == [size[2]] and len(rules.image["tracked"]["masks"]) == 5
    for seed in range(4):
        woven, apart = rules.new(seed=seed), rules.apart().new(seed=seed)
        dice = random.Random(seed).random
        while not woven.over:
            index = int(dice() * woven.count)
            woven.choose(index)
            apart.choose(index)
            assert asked(woven) == asked(apart)
        assert woven.result == apart.result


MARKS = """
ruleset: marks
players: PLAYERS
kinds:
  cell: {has: {mark: player?}}
boards:
  grid: {of: cell, grid: 4 by 4}
resources: {points: {}}
values:
  row(you, cell): any(line in lines_through(cell, 3) where every(c in line where c.mark is you))
  whose(cell): '"." if cell.mark is none else "{cell.mark}"'
flow: |
  repeat 12 times:
    as each players:
      choose c in grid
      choose one:
        "Mine": set c.mark to you
        "Nobody's": set c.mark to none
        "Of the first": set c.mark to first(p in players where p is not you)
      if row(you, c): gain 1 points
      FREE
end: {score: you.points}
table:
  - each: c in grid
    lines: ["{whose(c)}"]
"""


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("free", ["gain 0 points", "if size(all(d in grid where d.mark is none)) > 3: gain 1 points"])
def test_marks_without_slots(players: int, free: str, tmp_path: Path) -> None:
    """Where the rules ask only for lines and free cells, bits say all: views and drawings are the same."""
    rules = written(tmp_path, MARKS.replace("PLAYERS", str(players)).replace("FREE", free))
    bits = "size" in free or players == 2
    assert rules.image["tracked"]["bits"] == ({"F_cell_mark": "MV_0"} if bits else {})
    for seed in range(4):
        woven, apart = rules.new(seed=seed), rules.apart().new(seed=seed)
        dice = random.Random(seed).random
        while not woven.over:
            index = int(dice() * woven.count)
            woven.choose(index)
            apart.choose(index)
            assert asked(woven) == asked(apart)
            assert woven.view(0) == apart.view(0)
            assert woven.drawing() == apart.drawing()
        assert woven.result == apart.result
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


def test_sets_and_moves_are_the_same(tmp_path: Path) -> None:
    """What is written out does what the runtime does, in imagined deals too."""
    rules = written(tmp_path, HANDS)
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
def test_spans_that_end_at_once(tmp_path: Path, ends: bool) -> None:
    text = SPANS if ends else SPANS.replace("end turn", "gain 3 luck").replace("end round", "gain 4 luck")
    rules = written(tmp_path, text)
    for seed in range(5):
        game, apart, dice = rules.new(seed=seed), rules.apart().new(seed=seed), random.Random(seed)
        while not game.over:
            assert asked(game) == asked(apart)
            index = dice.randrange(game.count)
            game.choose(index)
            apart.choose(index)
        assert game.result == apart.result


ROWS = """
ruleset: rows
players: 2 to 3
game: {has: {dry: number}}
kinds: {card: {starts: pile}}
zones:
  pile:  {holds: card, order: stack, seen_by: nobody, refill: waste}
  waste: {holds: card, order: stack}
  store: {holds: card, order: stack}
  hand:  {of: player, holds: card, seen_by: owner}
resources: {points: {start: 2}}
components:
  card: {fox: {copies: 9}, hen: {copies: 8}}
values:
  late(): dry > 2
procedures:
  refresh(number amount):
    do: |
      repeat amount times:
        if size(pile) is 0 and not late(): add 1 to dry
        if not late(): draw 1 from pile to you.hand
setup: |
  shuffle pile
  as each players: draw 2 from pile to you.hand
flow: |
  repeat 9 times:
    as each players:
      refresh(you.points - 1)
      repeat 4 times:
        if size(you.hand) < 5: draw 1 from pile to you.hand
      repeat size(store) times: draw 1 from store to you.hand
      choose one:
        "More": gain 1 points
        "Less" if you.points > 0: lose 1 points
        "Rest" if size(you.hand) > 0:
          choose 1 to 2 wares in you.hand
          move wares to store
      draw you.points from pile to you.hand as drawn
      gain size(drawn) points
      lose size(drawn) points
      if size(you.hand) > 6:
        choose 3 unwanted in you.hand
        move unwanted to waste
end: {score: you.points}
"""


def test_cards_in_a_row(tmp_path: Path) -> None:
    """Cards that are drawn at once are those that would have been drawn one by one."""
    rules = written(tmp_path, ROWS)
    for seed in range(20):
        game, apart = rules.new(2 + seed % 2, seed), rules.apart().new(2 + seed % 2, seed)
        dice = random.Random(seed)
        while not game.over:
            assert asked(game) == asked(apart)
            assert lies(game) == lies(apart)
            index = dice.randrange(game.count)
            game.choose(index)
            apart.choose(index)
        assert game.result == apart.result


@pytest.mark.parametrize("cards", [0, 1, 2, 3, 46, 64, 65, 66, 129, 130, 300])
def test_a_shuffle_draws_like_chance(cards: int) -> None:
    """Numbers that are drawn at once are those that come one by one."""
    game = orrery.load("lantern_market").new(2, cards)
    ns, pile = game.table.ns, game.table.ns["Z_pile"]
    S = game.S[:]
    S[pile] = tuple([x % game.table.count for x in range(cards)])
    one_by_one, items = S[:], list(S[pile])
    for left in range(cards, 1, -1):
        at = ns["chance"](one_by_one, left)
        items[left - 1], items[at] = items[at], items[left - 1]
    ns["shuffle"](S, pile)
    assert list(S[pile]) == items
    assert S[RNG] == one_by_one[RNG]
