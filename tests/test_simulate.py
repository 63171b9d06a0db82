"""Simulations: figures that do not depend on workers, and that add up."""

from __future__ import annotations

import subprocess
import sys

import orrery
import pytest
from orrery.interpreter.bots import derive
from orrery.interpreter.face import UsageError
from orrery.interpreter.simulate import Plan, Row, simulate, spread, wilson, wins_by_seat

MACHINE = ("seconds", "decisions_per_second")
GAMES = ["tic_tac_toe", "connect_four", "kuhn_poker", "lantern_market"]


def plan(name: str, bots: tuple[str, ...] = ("random", "random"), **more) -> Plan:
    return Plan(name, len(bots), more.pop("seed", 7), bots, **more)


def figures(report) -> dict:
    data = report.data()
    for name in MACHINE:
        assert data.pop(name) >= 0
    return data


@pytest.mark.parametrize("name", GAMES)
def test_figures_add_up(name):
    data = figures(simulate(plan(name, games=40)))
    assert data["games"] == data["finished"] == 40 and not data["errors"]
    assert sum(data["wins_by_seat"]) + data["no_winner"] == pytest.approx(40)
    assert data["decisions_per_game"]["mean"] * 40 == pytest.approx(data["decisions"], abs=1)
    for rate in data["win_rate_by_seat"]:
        assert 0 <= rate["low"] <= rate["share"] <= rate["high"] <= 1


def test_the_same_for_any_number_of_workers():
    one = figures(simulate(plan("kuhn_poker", games=60)))
    assert figures(simulate(plan("kuhn_poker", games=60), workers=2)) == one
    assert figures(simulate(plan("kuhn_poker", games=60, seed=8))) != one


def test_search_is_the_same_for_any_number_of_workers():
    wish = plan("tic_tac_toe", ("mcts:8", "random"), games=6)
    assert figures(simulate(wish)) == figures(simulate(wish, workers=2))


def test_one_game_of_many_again():
    many = simulate(plan("lantern_market", games=9))
    again = simulate(plan("lantern_market", games=1, first=5))
    assert again.rows == [many.rows[5]]
    assert many.rows[5].seed == derive(7, 5)
    assert "--first 5 --games 1" in many.plan.again(5)


def test_a_row_is_the_game_of_its_seed():
    row = simulate(plan("connect_four", games=1)).rows[0]
    game = orrery.load("connect_four").new(players=2, seed=row.seed)
    assert not game.over and row.finished and row.decisions >= 7


def test_counting_changes_nothing():
    counted = figures(simulate(plan("lantern_market", games=15)))
    plain = figures(simulate(plan("lantern_market", games=15, count_rules=False)))
    assert counted["uses"] and not plain["uses"]
    for name in ("uses", "never"):
        counted.pop(name), plain.pop(name)
    assert counted == plain


def test_what_never_happened_is_named():
    report = simulate(plan("tic_tac_toe", games=1))
    assert set(report.never()) == set(report.countable) - set(report.uses)


def test_a_game_without_end_is_unfinished():
    data = figures(simulate(plan("connect_four", games=5, longest=3)))
    assert (data["finished"], data["unfinished"], data["decisions"]) == (0, 5, 15)
    assert data["decisions_per_game"] is None and data["scores_by_seat"] == [None, None]


def test_progress_goes_up_to_the_end():
    told: list[int] = []
    simulate(plan("tic_tac_toe", games=30), progress=told.append)
    assert told == sorted(told) and told[-1] == 30


@pytest.mark.parametrize("wrong", [{"games": 0}, {"first": -1}, {"longest": 0}, {"options": {"no_such_option": 1}}])
def test_wrong_wishes_are_told(wrong):
    with pytest.raises(UsageError):
        simulate(plan("tic_tac_toe", **wrong))


def test_shared_wins_count_as_shares():
    rows = [Row(0, 0, 1, (0, 1), (3, 3), True), Row(1, 0, 1, (1,), (1, 2), True)]
    assert wins_by_seat(rows, 2) == [0.5, 1.5]


def test_intervals():
    low, high = wilson(50, 100)
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)  # published for 50 of 100
    assert wilson(0, 10)[0] == 0 and round(wilson(0, 10)[1], 4) == 0.2775
    assert wilson(10, 10)[1] == pytest.approx(1)
    assert wilson(0, 0) == (0, 1)


def test_spread():
    assert spread([]) is None
    assert spread([1, 2, 6]) == {"mean": 3.0, "sd": 2.646, "min": 1, "median": 2, "max": 6}
    assert spread([2.5]) == {"mean": 2.5, "sd": 0.0, "min": 2.5, "median": 2.5, "max": 2.5}



ORCHARD = """
ruleset: orchard
players: 2
resources: {apples: {start: 0}}
kinds: {drop: {starts: sky}, flake: {starts: cellar}}
components:
  drop: {rain: {copies: 2, do: "as each players: gain 1 apples"}}
  flake: {frost: {copies: 2, do: "as each players: lose 1 apples"}}
zones: {sky: {holds: drop}, cellar: {holds: flake}}
values: {yield(you): 1, cold(): false}
procedures:
  harvest(): gain 5 apples
  sow(): gain 1 apples
menus:
  day: {actions: [pick, flood, waste], picks: 1}
actions:
  pick: gain you.yield apples
  flood: {do: harvest(), if: you.apples > 90}
  waste: lose you.apples apples
  steal: gain 3 apples
  starve: lose you.apples apples
effects:
  luck:
    lasts: game
    rules:
      - {offers: steal, in: day}
      - {offers: starve, in: day, if: cold()}
  doom:
    lasts: game
    rules: [{change: yield, plus: 1}, {when: after sow, do: gain 1 apples}]
flow: |
  as each players: sow()
  for each card in sky:
    run card
  if cold():
    for each card in cellar:
      run card
    begin doom
  as each players: begin luck
  as each players: open day
end: {score: you.apples}
"""


@pytest.fixture
def orchard(tmp_path):
    folder = tmp_path / "orchard"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(ORCHARD)
    return folder


def line(words: str) -> int:
    return next(number for number, text in enumerate(ORCHARD.split("\n"), 1) if words in text)


def test_what_never_happened_is_named_and_nothing_else(orchard):
    """An effect that nobody played, a procedure, an action and rules that never ran, offers that were never taken."""
    report = simulate(plan(str(orchard), games=40))
    never = [name for name in report.never() if "rule" not in name]
    assert sorted(never) == ["action flood", "action starve", "effect frost", "procedure harvest"]
    at = [int(name.rpartition(":")[2]) for name in report.never() if "rule" in name]
    rest = line("change: yield")
    assert sorted(at) == [line("offers: starve"), rest, rest], report.never()


def test_figures_are_the_same_whatever_was_played_before(orchard):
    wish = plan(str(orchard), games=12)
    first = figures(simulate(wish))
    assert figures(simulate(wish)) == first == figures(simulate(wish, workers=2))
    assert first["uses"]["procedure sow"] == 24 and first["uses"]["effect rain"] == 24


def test_what_a_bot_only_imagined_did_not_happen(orchard):
    report = simulate(plan(str(orchard), ("mcts:30", "mcts:30"), games=4))
    assert "action waste" in report.never()
    assert report.uses["action steal"] == 8


def test_the_command_names_what_never_happened(orchard):
    command = [sys.executable, "-m", "orrery.cli", "simulate", str(orchard), "--games", "30"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "never used" in done.stdout and "effect frost" in done.stdout and "action flood" in done.stdout
    assert "effect rain" not in done.stdout


CELLAR = """
ruleset: cellar
players: 2
resources: {wine: {start: 3}}
options:
  frost: {start: false, text: It freezes.}
values:
  yield(you): 1
flow: |
  repeat 3 times:
    as each players: open night
menus:
  night: {actions: [press, rest]}
actions:
  press: gain you.yield wine
  rest: lose 1 wine
rules:
  - {change: yield, if: you.wine > 90, plus: 1}
  - {change: yield, if: you.wine > 0, plus: 1}
modules:
  winter:
    when: frost
    rules:
      - {change: yield, plus: -1}
end: {score: you.wine}
"""


def test_a_change_is_used_where_it_applies_and_what_an_option_excludes_is_not_missed(tmp_path):
    (tmp_path / "ruleset.yaml").write_text(CELLAR)
    mild, cold = (
        simulate(plan(str(tmp_path), games=20, options={"frost": frost})) for frost in (False, True)
    )
    never = "rule 1 (plus) at ruleset.yaml:18"
    winter = "rule 3 (plus) at ruleset.yaml:24"
    assert mild.never() == cold.never() == [never]
    assert winter not in mild.countable and cold.uses[winter] == cold.uses["action press"]
