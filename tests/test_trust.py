"""The promises of trust.py and harm.py for every bundled ruleset, in small counts; `make soak` has the large ones.

Rulesets are found in the folder. Long games are looked at in fewer moments, so that a big ruleset costs little.
Whatever fails is told with the command that shows it again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import harm
import offers
import orrery
import pytest
import trust
import veils
from again import shown_again
from orrery.interpreter.load import bundled
from orrery.interpreter.session import Session

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


@cache
def unusual(name: str) -> int:
    """The first seed whose game has other options than the ruleset starts with, if it has any options."""
    rules = rules_of(name)
    start = {option: info.start for option, info in rules.options.items()}
    seeds = (seed for seed in range(1, 100) if start | trust.options_of(rules, seed) != start)
    return next(seeds) if start else 1


def seeds_by_players(name: str, players: list[int]) -> list[tuple[int, int]]:
    """(players, seed): one game of the fewest with the options as they start, the others with other options."""
    return [(players[0], 0), *[(many, unusual(name)) for many in players[1:] or players]]


@every_ruleset
def test_every_component_is_somewhere_after_every_decision(name: str) -> None:
    many = list(trust.players_of(rules_of(name)))
    games = seeds_by_players(name, many)
    if not is_long(name):
        games += [(players, seed) for players in many for seed in range(6) if (players, seed) not in games]
    for players, seed in games:
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
    players, seed = rules_of(name).least, unusual(name)
    with shown_again("saves", name, seed, players):
        trust.saves(rules_of(name), players, seed, most=12 if is_long(name) else 60)


@every_ruleset
def test_undo_to_the_start_and_again(name: str) -> None:
    for players, seed in seeds_by_players(name, some_players(name)):
        with shown_again("undo", name, seed, players):
            trust.undo(rules_of(name), players, seed, most=LONG)


@every_ruleset
def test_nothing_hidden_is_told(name: str) -> None:
    for players, seed in seeds_by_players(name, some_players(name)):
        with shown_again("secrets", name, seed, players):
            looks = veils.secrets(rules_of(name), players, seed, most=4 if is_long(name) else 12)
            assert looks >= players + 1


@every_ruleset
def test_what_is_offered_can_be_chosen_and_nothing_else(name: str) -> None:
    for players in some_players(name):
        with shown_again("options", name, 7, players):
            assert trust.options(rules_of(name), players, 7, most=20) > 20


@pytest.mark.parametrize("seed", range(20))
def test_what_random_rulesets_offer_can_be_carried_through(seed: int) -> None:
    with shown_again("offers", None, seed):
        offers.carried_through(seed)


@every_ruleset
def test_copies_go_their_own_way(name: str) -> None:
    players = rules_of(name).most
    with shown_again("copies", name, 1, players):
        trust.copies(rules_of(name), players, 1, most=6)


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
    for seed in range(len(harm.AT_THE_KEYBOARD)):
        with shown_again("keyboard", None, seed):
            harm.killed_at_the_keyboard(seed)


def test_a_soak_looks_at_more_moments_of_a_game_and_never_at_others(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: set[str] = set()

    def watched(what: str, real: Any, mark: Callable[..., object]) -> Any:
        def call(*args: Any, **more: Any) -> Any:
            looked.add(f"{what} {mark(*args)}")
            return real(*args, **more)

        return call

    def game_and(*args: Any) -> object:
        return (trust.mark_of_end(args[0]), args[1:])

    for where, what in ((trust, "told_to"), (veils, "told_to"), (trust, "refused"), (veils, "other_world")):
        monkeypatch.setattr(where, what, watched(what, getattr(where, what), game_and))
    monkeypatch.setattr(trust, "mark_of", watched("mark", trust.mark_of, lambda rules, *which: which))
    monkeypatch.setattr(trust, "elsewhere", lambda script, *words, **more: here(*words))
    hint = watched("hint", Session.hint, lambda session, who: game_and(session.game, who))
    monkeypatch.setattr(Session, "hint", hint)

    def here(name: str, players: str, *seeds: str) -> list[str]:
        return [trust.mark_of_rules(rules), *[trust.mark_of(rules, int(players), int(seed)) for seed in seeds]]

    rules = rules_of("lantern_market")
    games = type(rules.new(3, 1))
    monkeypatch.setattr(games, "undo", watched("undo", games.undo, lambda game, n=1: len(game.choices()) - n))
    few_and_many: list[tuple[Callable[..., object], dict[str, int]]] = [
        (trust.same_everywhere, {"games": 1}),
        (veils.secrets, {"most": 3}),
        (trust.options, {"most": 3}),
        (trust.copies, {"most": 3}),
        (trust.undo, {"most": 40}),
    ]
    for trial, few in few_and_many:
        looks = []
        for count in (few, {}):
            looked.clear()
            trial(rules, 3, 5, **count)
            looks.append(set(looked))
        assert looks[0] < looks[1], f"{trial.__name__}: {sorted(looks[0] - looks[1])[:3]}"
