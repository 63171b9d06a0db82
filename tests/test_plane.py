"""Planes in a running game: flicks that are logged and never simulated again, spots, aims, bots."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from memory import loaded, rules
from orrery.interpreter import sliding
from orrery.interpreter.bots import make
from orrery.interpreter.compass import angle_of, name_of
from orrery.interpreter.face import Game, IllegalChoice, RuleError, Rules, SaveError, load, replay, restore
from orrery.interpreter.saves import digest
from orrery.interpreter.scenarios import Bench
from orrery.interpreter.session import HUMAN, Session, UsageError, retrace
from orrery.interpreter.trace import trace

POND = """
ruleset: pond
title: Pond
players: 2
kinds:
  rock: {disc: 30}
  boat: {disc: 12, per_player: 3, starts: harbour}
  weed: {faces: {wet: {colour: hue?}, dry: {colour: hue?}}, seen_by: {dry: nobody}, disc: 8, starts: heap}
symbols:
  hue: [green, brown]
components:
  rock: {big_rock: {}, old_rock: {}}
  weed:
    table: |
      id   | copies | dry.colour
      moss | 3      | green
      reed | 3      | brown
zones:
  harbour: {of: player, holds: boat}
  heap: {holds: weed}
boards:
  pond: {plane: 800 by 600, holds: [rock, boat, weed], fixed: rock, flat: weed, reach: 700, contact: meeting}
resources:
  points: {}
values:
  meeting(boat mover, piece other):
    cites: [meet/halt]
    is: halt if other is boat and other.owner is not mover.owner else bounce
setup: |
  shuffle heap
  move big_rock to pond at spot(300, 300)
  move old_rock to pond at spot(600, 350)
  for each n in 1 to 6:
    move first(heap) to pond at spot(100 * n, 550)
  as each players:
    for each n in 1 to 3:
      move first(you.harbour) to pond at spot(100 * n, 60 if you is first(players) else 160)
flow: |
  repeat 12 times:
    as each players: open turns
menus:
  turns: {actions: [push, dive], picks: 1}
actions:
  push:
    cites: [meet/halt]
    do: |
      choose b in pond where b is boat and b.owner is you
      flick b as path
      for each gone in path.left: move gone to gone.owner.harbour
      if path.struck is not none:
        gain 1 points
        move path.struck to path.struck.owner.harbour
  dive: |
    choose b in you.harbour
    choose here in around(big_rock, b, 5)
    move b to pond at here
end: {score: you.points}
table:
  - canvas: d in pond where d is not weed
    width: 40
    mark: '"#" if d is rock else "{d.owner.points}"'
    orbit: 80 if d is big_rock else none
"""


@pytest.fixture(scope="module")
def pond(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    folder = tmp_path_factory.mktemp("rules") / "pond"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(POND)
    return load(folder)


def played(pond: Rules, seed: int = 3, decisions: int = 60) -> Game:
    game, rng = pond.new(seed=seed), random.Random(seed)
    for _ in range(decisions):
        if not game.over:
            game.choose(rng.randrange(game.count))
    return game


def aiming(pond: Rules, boat: str = "boat_1") -> Game:
    """Player 1 is asked for an angle."""
    game = pond.new(seed=1)
    for answer in ("push", boat):
        game.choose(answer)
    return game


# ---- the log is the truth ----


def test_undo_replay_and_restore_never_simulate(pond: Rules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = played(pond)
    assert len(game.flicks()) > 10
    game.save(tmp_path / "game.json")
    log = game.log

    def slide(*args: Any) -> Any:
        raise AssertionError("a flick was simulated")

    monkeypatch.setattr(sliding, "slide", slide)
    again = replay(log.data)
    assert again.S == game.S and again.log == log and digest(again) == digest(game)
    assert restore(tmp_path / "game.json").S == game.S
    again.undo(7)
    assert again.choices() == game.choices()[:-7]
    for entry, number in zip(game.choices()[-7:], range(len(game.choices()) - 6, 10**6), strict=False):
        again.again(entry, game.flicks().get(number))
    assert again.S == game.S
    steps = list(retrace(pond, log.data, [None]))
    assert len(steps) == len(game.choices()) and steps[-1][0].S == game.S
    with pytest.raises(AssertionError, match="simulated"):  # and the wall is a wall
        played(pond)


def test_a_copy_simulates_the_same(pond: Rules) -> None:
    game = aiming(pond)
    twin = game.copy()
    for one in (game, twin):
        one.choose("n10e")
        one.choose("80")
    assert twin.S == game.S and twin.flicks() == game.flicks() != {}


def damaged(pond: Rules) -> Any:
    """A log, and the number of a flick with which something was touched."""
    game = played(pond)
    data = json.loads(json.dumps(game.log.data))
    number = next(n for n, ride in game.flicks().items() if ride[0] and ride[1])
    return data, data["flicks"][str(number)], str(number)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d, f, n: d["flicks"].pop(n), "missing"),
        (lambda d, f, n: d.pop("flicks"), "missing"),
        (lambda d, f, n: d.update(flicks=[]), "are no mapping"),
        (lambda d, f, n: d["flicks"].update({"1": f}), "no disc was flicked"),
        (lambda d, f, n: d["flicks"].update({"9999": f}), "nobody chose"),
        (lambda d, f, n: d["flicks"].update({"x": f}), "which is no flick"),
        (lambda d, f, n: d["flicks"].update({n: 7}), "which is no flick"),
        (lambda d, f, n: f.pop("rest"), "no right shape"),
        (lambda d, f, n: f.update(more=1), "no right shape"),
        (lambda d, f, n: f.update(struck="x"), "no right shape"),
        (lambda d, f, n: f["rest"][0].append(3), "no right shape"),
        (lambda d, f, n: f["rest"][0].__setitem__(1, 2.5), "no right shape"),
        (lambda d, f, n: f["rest"][0].__setitem__(1, -4), "outside of the board"),
        (lambda d, f, n: f["rest"][0].__setitem__(0, 10**6), "does not lie there"),
        (lambda d, f, n: f["rest"].append(list(f["rest"][0])), "twice"),
        (lambda d, f, n: f["rest"].append([0, 40, 40]), "a fixed disc has moved"),
        (lambda d, f, n: f["rest"].__setitem__(0, [f["rest"][0][0], 310, 310]), "on each other"),
        (lambda d, f, n: f["touched"].clear() or f.update(struck=1), "do not go together"),
        (lambda d, f, n: f["left"].append(f["rest"][0][0]), "twice"),
    ],
)
def test_a_damaged_flick_is_refused_with_words(pond: Rules, change: Any, words: str) -> None:
    data, flick, number = damaged(pond)
    change(data, flick, number)
    with pytest.raises(SaveError, match=words):
        replay(data)


def test_a_failing_choice_takes_nothing_back_but_itself(pond: Rules) -> None:
    game = played(pond, decisions=30)
    past, state = game.log, game.S[:]
    with pytest.raises(IllegalChoice):
        game.choose("no such thing")
    assert game.log == past and state == game.S


def test_at_a_table_a_flick_cannot_be_taken_back(pond: Rules) -> None:
    session = Session(pond.new(seed=1), [HUMAN, HUMAN])
    for answer in ("push", "boat_1", "n"):
        session.answer(answer)
    assert session.undo() == 1  # the angle may still be thought over
    for answer in ("s10w", 4):
        session.answer(answer)
    with pytest.raises(UsageError, match="cannot be taken back"):
        session.undo()


# ---- asking ----


def test_angles_and_powers_are_ranges_that_nobody_lists(pond: Rules) -> None:
    game = aiming(pond)
    options = game.decision.options  # type: ignore[union-attr]
    assert len(options) == 360 and options[90].key == "90" and "359" in options and "360" not in options
    game.choose(options[17])
    assert len(game.decision.options) == 100 and "0" not in game.decision.options  # type: ignore[union-attr]
    assert game.decision.options[0].key == "1"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("words", "angle"),
    [
        *(("90", 90), ("n30e", 30), ("ne", 45), ("S 10 W", 190), ("e10n", 80), ("w", 270)),
        *(("at big_rock", 40), ("at boat_bo_1", 0), ("at boat 1 of player 2", 0), ("at b", 0)),
    ],
)
def test_an_angle_may_be_said_in_words(pond: Rules, words: str, angle: int) -> None:
    game = aiming(pond)
    assert game.decision.find(words) == angle  # type: ignore[union-attr]


@pytest.mark.parametrize("words", ["n91e", "n30s", "nne", "at nobody", "at ", "x", "360", "at boat"])
def test_what_is_no_angle_is_refused(pond: Rules, words: str) -> None:
    game = aiming(pond)
    with pytest.raises(IllegalChoice):
        game.choose(words)
    game.choose("n")
    with pytest.raises(IllegalChoice):
        game.choose("ne")  # a power has no directions


def test_every_angle_has_a_name_and_every_name_its_angle() -> None:
    assert [angle_of(name_of(angle)) for angle in range(360)] == list(range(360))


def test_discs_alike_are_told_apart_where_they_lie(pond: Rules) -> None:
    game = pond.new(seed=1)
    game.choose("push")
    assert [o.key for o in game.decision.options] == ["boat_1", "boat_2", "boat_3"]  # type: ignore[union-attr]


def test_spots_are_chosen_by_their_direction(pond: Rules) -> None:
    game = played(pond, seed=3, decisions=0)
    rng = random.Random(4)
    while not game.over:
        decision = game.decision
        assert decision is not None
        if decision.prompt.startswith("Dive: choose here"):
            keys = [o.key for o in decision.options]
            assert keys[:2] == ["n", "n5e"] and len(set(keys)) == len(keys)
            return
        if "dive" in decision.options:
            game.choose("dive")
        else:
            game.choose(rng.randrange(game.count))
    pytest.fail("nobody dived")


def test_a_shot_strikes_what_it_is_aimed_at(pond: Rules) -> None:
    game = aiming(pond)
    game.choose("at boat_bo_1")
    game.choose("60")
    assert game.value("points", 0) == 1
    assert "flicks boat 1 towards n with power 60; it strikes boat 1 of player 2 and halts." in " ".join(game.news(0))


def test_whoever_aims_gets_a_map_and_may_answer_in_words(pond: Rules, tmp_path: Path) -> None:
    words = ["push", "boat_1", "nowhere", "at big", "30", "quit"]
    env = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "COLUMNS": "80"}
    command = [sys.executable, "-m", "orrery.cli", "play", str(pond.folder), "--seat", "1=human", "--seat", "2=human"]
    said = subprocess.run(command, input="\n".join(words), env=env, capture_output=True, text=True, check=True).stdout
    assert "at b     0 n          76     11  boat 1 of player 2\n" in said  # near, with a letter for the map
    assert max(len(line) for line in said.split("The game is saved")[0].split("\n")) <= 80
    assert "`nowhere` is no angle: type a number from 0 to 359, a direction like `n30e`" in said
    assert "In the way: Big rock (f), after 274 (power 40)." in said
    assert "towards n40e with power 30" in said
    assert any("@" in line and "│" in line for line in said.split("\n"))


def test_a_whole_shot_may_be_said_in_one_line(pond: Rules, tmp_path: Path) -> None:
    words = ["push boat_1 at big rock 30", "push, boat_1, S 10 W, 45", "push boat_1 n30e hard"]
    env = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "COLUMNS": "80"}
    command = [sys.executable, "-m", "orrery.cli", "play", str(pond.folder), "--seat", "1=human", "--seat", "2=human"]
    said = subprocess.run(command, input="\n".join(words), env=env, capture_output=True, text=True, check=True).stdout
    said = " ".join(said.split())
    assert "towards n40e with power 30" in said and "towards s10w with power 45" in said
    assert "`hard` was not used: `hard` is not among the amounts: type a number from 1 to 100" in said


def test_the_drawn_table_has_a_map(pond: Rules) -> None:
    lines = pond.new(seed=1).drawing(0)
    assert len(lines) == 2 + 15 and {len(line) for line in lines} == {42}
    assert lines[8].count("#") == 1 and lines[7].count("#") == 1  # (300, 300) and (600, 350) of 800 by 600
    assert lines[14].count("(0)") == 3 and "·" in "".join(lines)


# ---- rules that fail ----


def with_rule(sentence: str) -> Rules:
    text = POND.replace("menus:\n  turns: {actions: [push, dive]", "menus:\n  turns: {actions: [push, dive, wrong]")
    return rules(loaded({"ruleset.yaml": text.replace("actions:\n  push:", f"actions:\n  wrong: {sentence}\n  push:")}))


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("move first(boat) to pond at spot(900, 10)", "lies outside"),
        ("move first(boat) to pond at spot(300, 300)", "is taken"),
        ("move first(boat) to pond at first(heap).spot", "no spot"),
        ("move nth(boat, 2) to nth(boat, 1).zone", "only with a spot"),
    ],
)
def test_a_disc_that_cannot_lie_there_is_told(sentence: str, words: str) -> None:
    made = with_rule(sentence)
    game = made.new(seed=1)
    before = game.S[:]
    with pytest.raises(RuleError, match=words):
        game.choose("wrong")
    assert before == game.S


def test_two_discs_can_swap_their_places() -> None:
    made = with_rule("swap nth(boat, 1) with nth(boat, 6)")
    game = made.new(seed=1)
    at = game.table.ns["AT"]
    first, last = game.table.ns["P_boat"][0], game.table.ns["P_boat"][5]
    game.choose("wrong")
    assert (game.S[at + first], game.S[at + last]) == ((300, 160), (100, 60))


# ---- knowledge ----


def test_imagined_deals_leave_every_disc_where_it_is_seen(pond: Rules) -> None:
    game = played(pond, decisions=20)
    seen = game.view(0)
    differ = False
    for seed in range(6):
        deal = game.imagine(0, seed)
        assert deal.view(0) == seen
        differ |= [deal.S[deal.table.ns["AT"] + x] for x in game.table.ns["P_weed"]] != [
            game.S[game.table.ns["AT"] + x] for x in game.table.ns["P_weed"]
        ]
    assert differ  # which weed lies where is dealt anew
    lying = [piece["spot"] for zone in seen["zones"] if zone["zone"] == "pond" for piece in zone["pieces"]]
    assert [100, 550] in lying and [300, 300] in lying


# ---- a clock beside it ----

RINK = """
ruleset: rink
players: 2
kinds:
  puck: {disc: 10, per_player: 2, starts: hand}
  glass: {timer: true, count: 1, starts: shelf}
zones:
  hand: {of: player, holds: puck}
  shelf: {holds: glass}
boards:
  rink: {plane: 400 by 300, holds: puck, reach: 300}
resources: {points: {}}
setup: |
  as each players:
    for each n in 1 to 2: move first(you.hand) to rink at spot(100 * n, 100 if you is first(players) else 200)
flow: |
  start first(glass) for 30 seconds
  as each players at once: open rush
menus:
  rush: {actions: [push], real_time: true, stop: Enough}
actions:
  push:
    takes: 3
    do: |
      choose p in rink where p.owner is you
      flick p as path
      gain size(path.touched) points
      for each gone in path.left: move gone to gone.owner.hand
end: {score: you.points}
"""


def test_flicks_under_a_clock_are_not_simulated_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "rink"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(RINK)
    game, rng = load(folder).new(seed=3), random.Random(3)
    while not game.over and len(game.choices()) < 80:
        game.choose(0 if game.count < 4 else rng.randrange(game.count))
    assert len(game.flicks()) > 5
    monkeypatch.setattr(sliding, "slide", None)
    again = replay(game.log)
    assert again.S == game.S
    again.undo(4)
    assert again.choices() == game.choices()[: len(again.choices())] != game.choices()


# ---- bots ----


def test_a_search_finds_a_shot_among_36000(pond: Rules) -> None:
    game = aiming(pond, "boat_2")
    bot = make("mcts:250,depth=1", 5)
    for _ in range(2):
        game.choose(bot.choose(game, 0))
    assert game.value("points", 0) == 1


# ---- proof ----

CLAUSES = "- {id: meet/halt, clause: A boat halts at another player's.}\n"
PROOF = """
- scenario: a boat that touches another player's halts there
  proves: [meet/halt]
  given: fix_flick nth(boat, 1) to spot(400, 400) with [big_rock, nth(boat, 4), old_rock]
  when:
    - ada: push
    - ada: boat_1
    - ada: 0
    - ada: 1
  then:
    - ada.points is 1
    - nth(boat, 1).spot is spot(400, 400) and nth(boat, 4).spot is none
"""


def test_a_fixed_flick_proves_a_rule_and_fails_without_it() -> None:
    files = {"ruleset.yaml": POND, "clauses.yaml": CLAUSES, "scenarios/proof.yaml": PROOF}
    made = rules(loaded(files))
    made.source = type(made.source)(files, made.source.problems)  # type: ignore[call-arg]
    bench = Bench(made)
    assert not bench.problems.sorted()
    (outcome,) = [bench.run(s) for s in bench.scenarios]
    assert outcome.passed, outcome.message
    contact = next(n for n, r in enumerate(bench.rules.image["routines"]) if r["name"] == "meeting")
    assert not bench.run(bench.scenarios[0], ("Routine", contact)).passed
    assert trace(made)["clauses"][0]["status"] == "proven"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("fix_flick nth(boat, 1) to spot(300, 300)", "on each other"),
        ("fix_flick nth(boat, 2) to spot(400, 400)", "another disc"),
        ("fix_push nth(boat, 2) to spot(400, 400)", "belongs to a `fix_flick`"),
    ],
)
def test_a_fixed_flick_that_cannot_be_is_told(given: str, words: str) -> None:
    scenario = PROOF.replace("fix_flick nth(boat, 1) to spot(400, 400) with [big_rock, nth(boat, 4), old_rock]", given)
    files = {"ruleset.yaml": POND, "clauses.yaml": CLAUSES, "scenarios/proof.yaml": scenario}
    made = rules(loaded(files))
    made.source = type(made.source)(files, made.source.problems)  # type: ignore[call-arg]
    bench = Bench(made)
    (outcome,) = [bench.run(s) for s in bench.scenarios]
    assert not outcome.passed and words in outcome.message


# ---- the map ----


def test_a_circle_is_round_and_lies_where_it_should() -> None:
    from orrery.interpreter.canvas import draw

    lines = draw({"width": 400, "height": 400}, [((200, 200), 10, "X", 150)], 40)
    assert len(lines) == 22 and all(len(line) == 42 for line in lines)
    rows = [(n, line) for n, line in enumerate(lines) if "·" in line]
    assert rows[0][0] == 3 and rows[-1][0] == 18  # 150 of 400, a letter being 10 wide and 20 tall
    assert any((line.index("·"), line.rindex("·")) == (6, 35) for _, line in rows)
    (row,) = [n for n, line in enumerate(lines) if "X" in line]
    assert row == 11 and lines[row].index("X") == 21


def test_a_disc_is_drawn_as_big_as_it_is() -> None:
    from orrery.interpreter.canvas import draw

    plane = {"width": 400, "height": 400}  # a letter is 10 wide and 20 tall
    small = draw(plane, [((200, 190), 12, "X", None)], 40)
    assert [line.strip("│ ") for line in small[1:-1] if line.strip("│ ")] == ["(X)"]
    big = draw(plane, [((200, 190), 25, "X", None)], 40)
    assert [line.strip("│ ") for line in big[1:-1] if line.strip("│ ")] == [".-.", "( X )", "'-'"]


# ---- what the language learnt on the way ----


def test_a_name_like_its_kind_can_be_asked_for_its_kind() -> None:
    made = with_rule("gain count(boat in pond where boat is boat) points")
    game = made.new(seed=1)
    game.choose("wrong")
    assert game.value("points", 0) == 6  # not the rocks and weeds


def test_sentences_of_given_that_need_somebody_say_so() -> None:
    text = POND.replace("menus:\n", "procedures:\n  earn(number n): gain n points\nmenus:\n").replace("gain 1 points", "earn(1)")
    scenario = PROOF.replace("given: fix_flick", "given: earn(2)  # fix_flick")
    files = {"ruleset.yaml": text, "clauses.yaml": CLAUSES, "scenarios/proof.yaml": scenario}
    made = rules(loaded(files))
    made.source = type(made.source)(files, made.source.problems)  # type: ignore[call-arg]
    bench = Bench(made)
    (outcome,) = [bench.run(s) for s in bench.scenarios]
    assert not outcome.passed and "`as ada:` around it" in outcome.message


def test_a_plane_can_be_taken_away_for_a_trace() -> None:
    text = POND.replace("contact: meeting}", "contact: meeting, cites: meet/halt}")
    scenario = """
- scenario: a rock throws a boat back beyond where it came from
  proves: [meet/halt]
  given: move nth(boat, 6) to box
  when:
    - ada: push
    - ada: boat_3
    - ada: n
    - ada: 80
  then:
    - nth(boat, 3).y < 40
"""
    files = {"ruleset.yaml": text, "clauses.yaml": CLAUSES, "scenarios/proof.yaml": scenario}
    made = rules(loaded(files))
    made.source = type(made.source)(files, made.source.problems)  # type: ignore[call-arg]
    bench = Bench(made)
    assert not bench.problems.sorted()
    outcome = bench.run(bench.scenarios[0])
    assert outcome.passed, outcome.message
    assert not bench.run(bench.scenarios[0], ("Plane", "pond")).passed
