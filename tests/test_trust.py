"""The promises of trust.py and harm.py for every bundled ruleset, in small counts; `make soak` has the large ones.

Rulesets are found in the folder. Long games are looked at in fewer moments, so that a big ruleset costs little.
Whatever fails is told with the command that shows it again.
"""

from __future__ import annotations

from functools import cache

import harm
import orrery
import pytest
import trust
from again import shown_again
from orrery.interpreter.load import bundled

NAMES = bundled()
LONG = 500  # decisions; longer games get fewer trials
every_ruleset = pytest.mark.parametrize("name", NAMES)


@cache
def rules_of(name: str) -> orrery.Rules:
    return orrery.load(name)


@cache
def is_long(name: str) -> bool:
    rules = rules_of(name)
    return len(trust.random_game(rules, rules.most, 1).choices()) > LONG


def some_players(name: str) -> list[int]:
    """All numbers of players; of a long game, the fewest and the most."""
    many = trust.players_of(rules_of(name))
    return sorted({many[0], many[-1]}) if is_long(name) else list(many)


@every_ruleset
def test_every_component_is_somewhere_after_every_decision(name: str) -> None:
    for players in trust.players_of(rules_of(name)):
        for seed in range(1 if is_long(name) else 6):
            with shown_again("conservation", name, seed, players):
                trust.conservation(rules_of(name), players, seed)


@every_ruleset
def test_the_same_game_in_other_processes_and_under_other_hash_seeds(name: str) -> None:
    players = rules_of(name).most
    with shown_again("determinism", name, 1, players):
        trust.same_everywhere(rules_of(name), players, 1, games=1 if is_long(name) else 4)


@every_ruleset
def test_the_same_games_serial_and_parallel(name: str) -> None:
    players = rules_of(name).least
    with shown_again("parallel", name, 3, players):
        trust.same_in_parallel(rules_of(name), players, 3, games=4)


@every_ruleset
def test_a_save_restored_in_a_fresh_process_is_finished_alike(name: str) -> None:
    players = rules_of(name).least
    with shown_again("saves", name, 1, players):
        trust.saves(rules_of(name), players, 1, most=12 if is_long(name) else 60)


@every_ruleset
def test_undo_to_the_start_and_again(name: str) -> None:
    for players in some_players(name):
        with shown_again("undo", name, players, players):
            trust.undo(rules_of(name), players, players, most=LONG)


@every_ruleset
def test_nothing_hidden_is_told(name: str) -> None:
    for players in some_players(name):
        with shown_again("secrets", name, players, players):
            looks = trust.secrets(rules_of(name), players, players, most=4 if is_long(name) else 25)
            assert looks >= players + 1


@every_ruleset
def test_what_is_offered_can_be_chosen_and_nothing_else(name: str) -> None:
    for players in some_players(name):
        with shown_again("options", name, 7, players):
            assert trust.options(rules_of(name), players, 7, most=20) > 20


@every_ruleset
def test_copies_go_their_own_way(name: str) -> None:
    players = rules_of(name).most
    with shown_again("copies", name, 8, players):
        trust.copies(rules_of(name), players, 8, most=6)


@every_ruleset
def test_every_game_ends_and_what_never_happened_is_named(name: str) -> None:
    for players in some_players(name):
        with shown_again("endings", name, 1, players):
            trust.endings(rules_of(name), players, 1, games=2 if is_long(name) else 20)


@every_ruleset
def test_damaged_saves_and_logs_are_refused_with_a_place(name: str) -> None:
    players = rules_of(name).least
    with shown_again("damage", name, 1, players):
        harm.damaged_save(rules_of(name), players, 1)


@every_ruleset
def test_a_killed_session_goes_on(name: str) -> None:
    players = rules_of(name).least
    with shown_again("kills", name, 1, players):
        harm.killed(rules_of(name), players, 1, kills=3)


def test_a_killed_game_at_the_keyboard_keeps_what_was_told() -> None:
    for seed in range(3):
        with shown_again("keyboard", None, seed):
            harm.killed_at_the_keyboard(seed)
