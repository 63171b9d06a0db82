"""Grids and tiles: geometry, shapes, sides of turned tiles, lanes, connected parts, hidden tiles, the drawing.

The geometry is compared with a second reckoning from the left and from the top, square by square.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orrery
import pytest
from orrery.interpreter.scenarios import run_scenarios
from orrery.interpreter.trace import trace

WIDE, HIGH = 4, 3
AROUND = ((0, -1), (1, 0), (0, 1), (-1, 0))  # front, right, rear, left: to the right, downwards
SMALL = ["....", ".#", "##o#"]
BIG = ["####", "#o.#", "####"]

RULES = """
ruleset: yard
players: 1 to 4
symbols:
  heading: [front, right, rear, left]
  edge: [flat, hook, ring, any_edge]
  hull: [small, big]
game:
  has: {{hull: hull}}
kinds:
  square: {{}}
  slab: {{sides: edge, starts: heap, has: {{barrel: heading?}}}}
boards:
  yard_plan:
    of: square
    grid: 4 by 3
    {board}
    headings: heading
    shapes: hull
    drawings:
      small: |
        ....
        .#
        ##o#
      big: |
        ####
        #o.#
        ####
components:
  slab:
    table: |
      id     | copies | sides                         | barrel
      corner | 6      | hook hook flat flat           | front
      pipe   | 6      | ring flat ring flat           | right
      fork   | 6      | hook ring any_edge flat       | -
      hub    | 6      | any_edge any_edge hook hook   | left
zones:
  heap: {{holds: slab, order: stack, seen_by: nobody}}
  hand: {{of: player, holds: slab, seen_by: owner}}
  bay: {{of: square, holds: slab, at_most: 1}}
  lost: {{of: player, holds: slab}}
values:
  mine(you): {mine}
  spot(you, number column, number row): place_at({mine}, column, row)
  code(square? s): 0 if s is none else s.column * 100 + s.row
  stepped(you, number column, number row, heading, number n): code(step(spot(you, column, row), heading, n))
  beyond(you, number column, number row, heading): code(step(spot(you, column, row), heading))
  towards(you, number a, number b, number c, number d): heading_to(spot(you, a, b), spot(you, c, d))
  met(you, heading, number n): distinct(code(s) for s in lane({mine}, heading, n))
  mark(you, number column, number row, hull): drawn(spot(you, column, row), hull)
  codes(you): distinct(code(s) for s in mine(you))
  steps_between(you, number a, number b, number c, number d): distance(spot(you, a, b), spot(you, c, d))
  near(you, number column, number row): distinct(code(s) for s in neighbours(spot(you, column, row)) by code(s))
  owned(you): every(s in mine(you) where {owned})
  shown(slab, heading): side(slab, heading)
  would_show(slab, heading d, heading way): side(slab, d, way)
  aims(slab): turned(slab.barrel, slab.way)
  slab_on(square? s): first(s.bay)
  laid(you): union(s.bay for s in mine(you))
  held(you): all(s in you.hand)
  links(edge a, edge b): a is not flat and b is not flat and (a is b or a is any_edge or b is any_edge)
  joined(slab a, slab b): |
    heading_to(a.square, b.square) is not none
    and links(side(a, heading_to(a.square, b.square)), side(b, heading_to(b.square, a.square)))
  joined_by_steps(slab a, slab b): |
    any(d in heading where step(a.square, d) is b.square and links(side(a, d), side(b, opposite(d))))
  joined_plainly(slab a, slab b): joined(a, b) or false
  joined_one_way(slab a, slab b): joined(a, b) and a.square.column * 10 + a.square.row > b.square.column * 10 + b.square.row
  ship_parts(you): parts(laid(you), joined)
  ship_parts_by_steps(you): parts(laid(you), joined_by_steps)
  ship_parts_plainly(you): parts(laid(you), joined_plainly)
  ship_parts_one_way(you): parts(laid(you), joined_one_way)
  square_parts(you): parts(all(s in mine(you) where size(s.bay) > 0), beside)
  beside(square a, square b): a is in neighbours(b)
  free(square): drawn(square, hull) is not none and size(square.bay) is 0
  where_is(slab): code(slab.square)
setup: shuffle heap
flow: |
  for each h in hull:
    set hull to h
    repeat 4 times:
      as each players:
        draw 1 from heap to you.hand
        let slab be first(you.hand)
        choose "Where to?" square in mine(you), way in heading where free(square)
        turn slab to way
        move slab to square.bay
  as each players:
    draw 1 from heap to you.hand
    open turning
    let left be parts(laid(you), joined)
    if size(left) > 1:
      choose "Which part do you keep?" kept in left
      for each part in left where part is not kept: move part to you.lost
menus:
  turning: {{actions: [twist], picks: 1, stop: "Let it be"}}
actions:
  twist: |
    choose way in heading
    turn you.hand to way
end: {{score: size(laid(you))}}
tables:
  dash(edge): {{gives: text, rows: {{flat: " ", hook: "j", ring: "o", any_edge: "*"}}}}
table:
  - each: p in players
    across: "  "
    lines:
      - grid: s in mine(p) where drawn(s, hull) is not none
        lines:
          - if: slab_on(s) is none
            lines: [".  "]
          - if: slab_on(s) is not none
            lines: [" {{dash(side(slab_on(s), front))}} ", "{{dash(side(slab_on(s), left))}}+{{dash(side(slab_on(s), right))}}"]
      - '{{join(p.hand, " ")}} {{join(distinct(t.way for t in p.hand), " ")}} {{sees(viewer, p.hand)}}'
"""
OWN = {"mine": "you.yard_plan", "owned": "s.owner is you"}
SHARED = {"mine": "yard_plan", "owned": "true"}


def laid_out(folder: Path, board: str = "", per_player: bool = True) -> orrery.Rules:
    made = folder / "yard"
    made.mkdir(exist_ok=True)
    keys = [*(["per_player: true"] if per_player else []), *(board.split("; ") if board else [])]
    text = RULES.format(board="\n    ".join(keys), **(OWN if per_player else SHARED))
    (made / "ruleset.yaml").write_text(text)
    return orrery.load(made)


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> orrery.Rules:
    return laid_out(tmp_path_factory.mktemp("own"), "columns: 3 to 6; rows: 5 to 7; down: true")


# The numbers of the first column and row, whether rows are counted downwards, whether everybody has a board.
BOARDS = [
    ("columns: 3 to 6; rows: 5 to 7; down: true", (3, 5), True, True, 4),
    ("columns: 3 to 6; rows: 5 to 7", (3, 5), False, True, 3),
    ("down: true", (1, 1), True, True, 2),
    ("", (1, 1), False, False, 2),
    ("rows: 0 to 2", (1, 0), False, False, 1),
]


@pytest.fixture(params=BOARDS, ids=lambda board: board[0] or "plain")
def board(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[orrery.Game, Any, int]:
    """A game, a function that gives (column, row) of a square counted from the left and the top, and a seat."""
    keys, (column, row), down, own, players = request.param
    game = laid_out(tmp_path, keys, own).new(players=players, seed=1)

    def at(x: int, y: int) -> tuple[int, int]:
        return column + x, row + (y if down else HIGH - 1 - y)

    return game, at, players - 1


def code(place: tuple[int, int]) -> int:
    return place[0] * 100 + place[1]


def inside(x: int, y: int) -> bool:
    return 0 <= x < WIDE and 0 <= y < HIGH


def squares() -> Iterator[tuple[int, int]]:
    return itertools.product(range(WIDE), range(HIGH))


def test_steps_headings_and_distances_are_those_of_squared_paper(board: Any) -> None:
    game, at, seat = board
    for x, y in squares():
        here = at(x, y)
        for heading, (dx, dy) in enumerate(AROUND):
            for n in (-2, 0, 1, 2, 5):
                goal = (x + n * dx, y + n * dy)
                wanted = code(at(*goal)) if inside(*goal) else 0
                assert game.value("stepped", seat, *here, heading, n) == wanted
            beside = (x + dx, y + dy)
            assert game.value("beyond", seat, *here, heading) == (code(at(*beside)) if inside(*beside) else 0)
        for other in squares():
            way = (other[0] - x, other[1] - y)
            wanted_heading = AROUND.index(way) if way in AROUND else None
            assert game.value("towards", seat, *here, *at(*other)) == wanted_heading
            assert game.value("steps_between", seat, *here, *at(*other)) == abs(way[0]) + abs(way[1])
        around = sorted(code(at(x + dx, y + dy)) for dx, dy in AROUND if inside(x + dx, y + dy))
        assert sorted(game.value("near", seat, *here)) == around


def test_a_lane_is_met_from_its_side(board: Any) -> None:
    game, at, seat = board
    for x in range(WIDE):
        down = tuple(code(at(x, y)) for y in range(HIGH))
        number = at(x, 0)[0]
        assert game.value("met", seat, 0, number) == down
        assert game.value("met", seat, 2, number) == down[::-1]
    for y in range(HIGH):
        across = tuple(code(at(x, y)) for x in range(WIDE))
        number = at(0, y)[1]
        assert game.value("met", seat, 3, number) == across
        assert game.value("met", seat, 1, number) == across[::-1]
    for heading in range(4):
        assert game.value("met", seat, heading, 40) == ()


def test_drawings_begin_at_the_top_left_and_may_be_smaller(board: Any) -> None:
    game, at, seat = board
    for shape, rows in enumerate((SMALL, BIG)):
        for x, y in squares():
            line = rows[y].ljust(WIDE, ".")
            assert game.value("mark", seat, *at(x, y), shape) == (None if line[x] == "." else line[x])


def test_everybody_has_the_same_squares_of_their_own(board: Any) -> None:
    game, at, seat = board
    for player in range(seat + 1):
        assert game.value("owned", player)
        assert sorted(game.value("codes", player)) == sorted(code(at(x, y)) for x, y in squares())


def test_a_tile_shows_its_printed_sides_where_it_is_turned_to(yard: orrery.Rules) -> None:
    printed = {"corner": (1, 1, 0, 0), "pipe": (2, 0, 2, 0), "fork": (1, 2, 3, 0), "hub": (3, 3, 1, 1)}
    barrels = {"corner": 0, "pipe": 1, "fork": None, "hub": 3}
    for seed in range(6):
        for way, word in enumerate(("front", "right", "rear", "left")):
            game = yard.new(players=1, seed=seed)
            (slab,) = game.value("held", 0)
            name = game.table.speaker.id(slab)
            for heading in range(4):
                assert game.value("shown", slab, heading) == printed[name][heading]
                # After so many quarter turns clockwise, the side that was printed on top looks that way.
                assert game.value("would_show", slab, (heading + way) % 4, way) == printed[name][heading]
            game.choose(0)
            game.choose(word)
            for heading in range(4):
                assert game.value("shown", slab, (heading + way) % 4) == printed[name][heading]
            aim = barrels[name]
            assert game.value("aims", slab) == (None if aim is None else (aim + way) % 4)


def test_squares_are_called_by_their_numbers_or_by_letters(yard: orrery.Rules, tmp_path: Path) -> None:
    decision = yard.new(players=2, seed=1).decision
    assert decision is not None
    assert [o.key for o in decision.options] == ["c4r6", "c3r7", "c4r7", "c5r7", "c6r7"]
    assert decision.options[0].label == "Column 4, row 6"
    plain = laid_out(tmp_path, "", False).new(players=1, seed=1).decision
    assert plain is not None
    assert [o.key for o in plain.options] == ["a1", "b1", "c1", "d1", "b2"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_tiles_go_on_the_board_of_their_player_and_shapes_change(yard: orrery.Rules, players: int) -> None:
    rng = random.Random(players)
    game = yard.new(players=players, seed=players)
    for count, size in ((5, 5), (4, 4), (3, 3)):  # the small hull fills up, whatever the others do
        for player in range(players):
            decision = game.decision
            assert decision is not None and decision.player == player
            assert len(decision.options) == size == count
            game.choose(rng.randrange(count))
            game.choose(rng.randrange(4))
            assert len(game.value("laid", player)) == 6 - count
    for _ in range(2 * players):
        game.choose(0)
    for player in range(players):  # a bigger hull, of which four squares were laid with tiles
        assert game.decision is not None and game.decision.player == player
        taken = {game.value("where_is", slab) for slab in game.value("laid", player)}
        big = {code((3 + x, 5 + y)) for x, y in squares() if BIG[y][x] != "."}
        assert len(game.decision.options) == len(big - taken)
        game.choose(0)
        game.choose(0)


def links(a: int, b: int) -> bool:
    return bool(a and b and (a == b or 3 in (a, b)))


def reckoned_parts(game: orrery.Game, player: int, own: tuple[int, ...]) -> list[list[int]]:
    """Connected parts by joining sets until nothing changes, from places and sides alone."""
    at = {slab: divmod(game.value("where_is", slab), 100) for slab in own}
    parts = [{slab} for slab in own]
    for a, b in itertools.combinations(own, 2):
        way = (at[b][0] - at[a][0], at[b][1] - at[a][1])
        if way not in AROUND:
            continue
        heading = AROUND.index(way)
        if links(game.value("shown", a, heading), game.value("shown", b, heading ^ 2)):
            one = next(p for p in parts if a in p)
            two = next(p for p in parts if b in p)
            if one is not two:
                parts.remove(two)
                one |= two
    lists = [[slab for slab in own if slab in part] for part in parts]
    return sorted(lists, key=lambda part: (-len(part), own.index(part[0])))


def test_connected_parts_are_right_however_the_relation_is_written(yard: orrery.Rules) -> None:
    rng, sizes = random.Random(3), set()
    for seed in range(25):
        game = yard.new(players=2, seed=seed)
        for _ in range(32):
            game.choose(rng.randrange(game.count))
        for player in range(2):
            own = game.value("laid", player)
            wanted = reckoned_parts(game, player, own)
            for name in ("ship_parts", "ship_parts_by_steps", "ship_parts_plainly", "ship_parts_one_way"):
                assert [list(part) for part in game.value(name, player)] == wanted, name
            sizes.add(len(wanted))
    assert len(sizes) > 3  # whole ships and torn ones


def test_parts_of_squares_are_found_too(yard: orrery.Rules) -> None:
    game = yard.new(players=1, seed=1)
    for key in ("c3r7", "front", "c5r7", "front", "c6r7", "front"):
        game.choose(key)
    spots = game.value("square_parts", 0)
    assert [[game.table.speaker.id(s) for s in part] for part in spots] == [["c5r7", "c6r7"], ["c3r7"]]


def test_one_of_several_parts_is_kept_and_the_rest_falls_off(yard: orrery.Rules) -> None:
    rng, asked = random.Random(1), 0
    for seed in range(10):
        game = yard.new(players=1, seed=seed)
        while game.decision is not None and "turning" not in game.decision.prompt.lower():
            game.choose(rng.randrange(game.count))
        parts = game.value("ship_parts", 0)
        game.choose("done")
        if len(parts) == 1:
            assert game.over
            continue
        asked += 1
        assert game.decision is not None and game.decision.prompt == "Which part do you keep?"
        assert len(game.decision.options) == len(parts)
        assert len({option.key for option in game.decision.options}) == len(parts)
        keep = rng.randrange(len(parts))
        game.choose(keep)
        assert game.value("laid", 0) == parts[keep]
    assert asked > 3


def test_a_game_is_copied_saved_and_taken_back_in_the_middle_of_a_placement(
    yard: orrery.Rules, tmp_path: Path
) -> None:
    rng = random.Random(5)
    game = yard.new(players=3, seed=5)
    halfway = 0
    while not game.over:
        before = game.S[:]
        twin = game.copy()
        choice = rng.randrange(game.count)
        game.choose(choice)
        if not game.over and game.decision is not None and game.decision.prompt == "Where to?":
            halfway += 1
            game.save(tmp_path / "save.json")
            assert orrery.restore(tmp_path / "save.json").S == game.S
        assert before == twin.S
        twin.choose(choice)
        assert twin.S == game.S
        twin.undo()
        assert before == twin.S
    assert halfway > 20
    assert orrery.replay(game.log).S == game.S


def test_hidden_tiles_look_the_same_whatever_they_are_and_however_they_lie(yard: orrery.Rules) -> None:
    """Two games that differ only in what bo holds: ada's view, table and imagined deals are the same."""
    rng = random.Random(7)
    game = yard.new(players=2, seed=7)
    while game.decision is not None and "turning" not in game.decision.prompt.lower():
        game.choose(rng.randrange(game.count))
    while game.decision is not None and game.decision.player == 0:
        game.choose("done" if "turning" in game.decision.prompt.lower() else 0)
    others = [game.imagine(0, seed) for seed in range(8)]
    assert len({twin.value("held", 1) for twin in [game, *others]}) > 1  # bo's tile is dealt anew
    for way in ("twist", "done"):
        views, tables, deals = set(), set(), set()
        for one in [game, *others]:
            twin = one.copy()
            twin.choose(way)
            if way == "twist":
                twin.choose("rear")
            views.add(repr(twin.view(0)))
            tables.add("\n".join(twin.drawing(0)))
            deals.add(repr(twin.imagine(0, 3).view(1)["zones"]))
        assert len(views) == len(tables) == len(deals) == 1
        (table,) = tables
        assert "? front no" in table  # neither which it is nor how it lies


def test_a_grid_is_drawn_where_it_lies_with_numbers_around_it(yard: orrery.Rules) -> None:
    """Empty squares are shown, those outside of the shape are blank, rows without any are left out."""
    game = yard.new(players=2, seed=1)
    for key in ("c4r7", "right", "c4r6", "front"):
        game.choose(key)
    board = [
        "   3  4  5  6        3  4  5  6",
        "6    .         6  6     o        6",
        "                        +",
        "7 .     .  .   7  7 .  .  .  .   7",
        "     *+j",
        "   3  4  5  6        3  4  5  6",
    ]
    assert game.drawing(0) == [*board, "Corner front yes    yes"]
    assert game.drawing(None) == [*board, "? front no          yes"]


def test_a_text_inside_of_braces_may_have_braces_of_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "braces"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text("""
ruleset: braces
players: 2
resources: {coins: {start: 2}}
flow: |
  as each players: choose n in 0 to 3
end: {score: you.coins}
table:
  - '{"{viewer.coins + 1}|{viewer}" if viewer is not none else "nobody {1 + 1}"} {{2 * 3}} {'
""")
    game = orrery.load(folder).new(seed=1)
    assert game.drawing(0) == ["3|player 1 {6} {"]
    assert game.drawing(None) == ["nobody 2 {6} {"]


def test_a_scenario_that_meets_nothing_fails_where_the_rule_stands(tmp_path: Path) -> None:
    """A value that is asked about none, where its parameter does not say that it may be."""
    folder = tmp_path / "traced"
    (folder / "scenarios").mkdir(parents=True)
    loose = "  off(square): any(d in heading where step(square, d) is none)\nflow:"
    (folder / "ruleset.yaml").write_text(TRACED.replace("flow:", loose, 1))
    beyond = "off(step(place_at(ada.plan, 1, 1), left))"
    (folder / "scenarios" / "all.yaml").write_text(
        f"- {{scenario: claimed, then: ['{beyond}']}}\n"
        f"- scenario: given\n  given: |\n    if {beyond}: shuffle heap\n  then: [{{over: false}}]\n"
    )
    line = (folder / "ruleset.yaml").read_text().split("\n").index(loose.split("\n")[0]) + 1
    claimed, given = run_scenarios(orrery.load(folder))
    assert not claimed.passed and f"ruleset.yaml:{line}:" in claimed.message
    assert not given.passed and "none" in given.message


TRACED = """
ruleset: traced
players: 2
symbols:
  heading: [front, right, rear, left]
  edge: [flat, hook]
  hull: [raft]
kinds:
  square: {}
  slab: {sides: edge, starts: heap}
boards:
  plan:
    cites: [plan/shape]
    of: square
    per_player: true
    grid: 2 by 2
    headings: heading
    shapes: hull
    drawings: {raft: "##"}
components:
  slab:
    plug: {cites: [plug/hooks], copies: 2, sides: [hook, hook, flat, flat]}
    lid: {copies: 2, sides: [flat, flat, flat, flat]}
zones:
  heap: {holds: slab}
  bay: {of: square, holds: slab, at_most: 1}
values:
  laid(you): union(s.bay for s in you.plan)
  joined(slab a, slab b):
    cites: [join/hooks]
    is: |
      any(d in heading where step(a.square, d) is b.square and side(a, d) is hook and side(b, opposite(d)) is hook)
flow: |
  as each players: open laying
menus:
  laying: {actions: [lay], picks: 1}
actions:
  lay:
    do: |
      choose way in heading, square in you.plan where drawn(square, raft) is not none and size(square.bay) is 0
      let slab be first(s in heap where s is plug)
      turn slab to way
      move slab to square.bay
end:
  score: size(parts(laid(you), joined))
"""
CLAUSES = """
- {id: plan/shape, clause: A raft is two squares side by side.}
- {id: plug/hooks, clause: A plug has two hooks.}
- {id: join/hooks, clause: Hooks join.}
"""
SCENARIOS = """
- scenario: a raft has two squares
  proves: [plan/shape]
  when: [{ada: lay}, {ada: rear}]
  then: [{options: 2}]
- scenario: two plugs join where their hooks meet
  proves: [plug/hooks, join/hooks]
  given: |
    let plugs be all(s in heap where s is plug)
    turn first(plugs) to right
    move first(plugs) to place_at(ada.plan, 1, 2).bay
    turn last(plugs) to rear
    move last(plugs) to place_at(ada.plan, 1, 1).bay
  then:
    - count(s in laid(ada) where side(s, rear) is hook) is 2
    - count(s in laid(ada) where side(s, front) is hook) is 0
    - size(parts(laid(ada), joined)) is 2
- scenario: two plugs hold together
  proves: [join/hooks, plug/hooks]
  given: |
    let plugs be all(s in heap where s is plug)
    turn first(plugs) to right
    move first(plugs) to place_at(ada.plan, 1, 2).bay
    move last(plugs) to place_at(ada.plan, 1, 1).bay
  then:
    - size(parts(laid(ada), joined)) is 1
"""


def test_rules_of_a_grid_can_be_taken_away(tmp_path: Path) -> None:
    folder = tmp_path / "traced"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "ruleset.yaml").write_text(TRACED)
    (folder / "clauses.yaml").write_text(CLAUSES)
    (folder / "scenarios" / "all.yaml").write_text(SCENARIOS)
    found = trace(orrery.load(folder))["clauses"]
    assert [(c["id"], c["status"], c["why"]) for c in found] == [
        ("plan/shape", "proven", ""),
        ("plug/hooks", "proven", ""),
        ("join/hooks", "proven", ""),
    ]
