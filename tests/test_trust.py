"""The promises of trust.py in small counts; `make soak` has the large ones."""

from __future__ import annotations

import orrery
import pytest
import trust
from orrery.interpreter.load import bundled

NAMES = bundled()
LONG = ("ambourella", "sol")  # thousands of decisions: fewer of them are looked at here


@pytest.mark.parametrize("name", NAMES)
def test_the_same_game_serial_and_parallel(name: str) -> None:
    rules = orrery.load(name)
    trust.same_in_parallel(rules, rules.least, 3, games=6)


@pytest.mark.parametrize("name", NAMES)
def test_a_save_restored_in_a_fresh_process_is_finished_alike(name: str) -> None:
    rules = orrery.load(name)
    trust.saves(rules, rules.least, 1, most=25)


@pytest.mark.parametrize("name", NAMES)
def test_undo_to_the_start_and_again(name: str) -> None:
    rules = orrery.load(name)
    for players in trust.players_of(rules):
        trust.undo(rules, players, players, most=80)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_hidden_is_told(name: str) -> None:
    rules = orrery.load(name)
    if not rules.table(rules.least).hides:
        pytest.skip("nothing is hidden in this game")
    for players in [2] if name in LONG else trust.players_of(rules):
        trust.secrets(rules, players, players, most=5 if name in LONG else 12)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_offered_can_be_chosen_and_nothing_else(name: str) -> None:
    rules = orrery.load(name)
    trust.options(rules, rules.least, 7, most=20)


@pytest.mark.parametrize("name", NAMES)
def test_copies_go_their_own_way(name: str) -> None:
    rules = orrery.load(name)
    trust.copies(rules, rules.least, 8, most=6)


@pytest.mark.parametrize("name", NAMES)
def test_damaged_saves_are_refused_in_words(name: str) -> None:
    rules = orrery.load(name)
    trust.damaged_save(rules, rules.least, 1, mutants=40)


@pytest.mark.parametrize("name", NAMES)
def test_a_killed_session_goes_on(name: str) -> None:
    rules = orrery.load(name)
    trust.killed(rules, rules.least, 1, kills=2)


def test_a_killed_game_at_the_keyboard_keeps_what_was_told() -> None:
    for seed in range(3):
        trust.killed_at_the_keyboard(seed)
