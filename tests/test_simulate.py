"""Simulations: figures that do not depend on workers, and that add up."""

from __future__ import annotations

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


@pytest.mark.parametrize("wrong", [{"games": 0}, {"options": {"no_such_option": 1}}])
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
