"""Every bundled ruleset, by name: clean, proven, ending, conserving, repeatable, and secret where it must be."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import orrery
import pytest
from orrery.interpreter.knowledge import deal
from orrery.interpreter.load import bundled
from orrery.interpreter.scenarios import run_scenarios
from orrery.interpreter.slots import PLAYER
from orrery.interpreter.trace import trace
from trust import components, players_of, random_game

NAMES = bundled()
GAMES = 6  # random games for each number of players; `make soak` plays many more


@pytest.mark.parametrize("name", NAMES)
def test_it_is_clean(name: str) -> None:
    assert [str(problem) for problem in orrery.validate(name)] == []


@pytest.mark.parametrize("name", NAMES)
def test_its_scenarios_pass(name: str) -> None:
    assert [f"{o.file}:{o.line}: {o.name}: {o.message}" for o in run_scenarios(orrery.load(name)) if not o.passed] == []


@pytest.mark.parametrize("name", NAMES)
def test_its_clauses_are_proven(name: str) -> None:
    open_clauses = [f"{c['id']}: {c['why']}" for c in trace(orrery.load(name))["clauses"] if c["status"] != "proven"]
    known = Path(orrery.load(name).folder, "unproven.txt")
    expected = known.read_text().split() if known.exists() else []
    assert [clause for clause in open_clauses if clause.split(":")[0] not in expected] == []


@pytest.mark.parametrize("name", NAMES)
def test_random_games_end_and_nothing_is_lost(name: str) -> None:
    rules = orrery.load(name)
    for players in players_of(rules):
        everything = list(range(rules.table(players).count))

        def whole(game: orrery.Game, everything: list[int] = everything) -> None:
            assert components(game) == everything

        for seed in range(GAMES):
            game = random_game(rules, players, seed, whole)
            assert game.result is not None
            whole(game)


@pytest.mark.parametrize("name", NAMES)
def test_every_offered_option_can_be_chosen_and_nothing_else(name: str) -> None:
    rules = orrery.load(name)

    def choose_each(game: orrery.Game) -> None:
        for index in {0, game.count // 2, game.count - 1}:
            twin = game.copy()
            twin.choose(index)
        before = list(game.S)
        with pytest.raises(orrery.OrreryError):
            game.choose(game.count)
        with pytest.raises(orrery.OrreryError):
            game.choose("no such key")
        assert before == game.S

    random_game(rules, rules.least, 1, choose_each)


@pytest.mark.parametrize("name", NAMES)
def test_keys_are_unique_and_choose_the_same(name: str) -> None:
    rules = orrery.load(name)
    game, dice = rules.new(seed=2), random.Random(2)
    for _ in range(150):
        if game.over:
            break
        decision = game.decision
        assert decision is not None and decision.prompt
        if not decision.amount:
            keys = [option.key for option in decision.options]
            assert len(set(keys)) == len(keys), (decision.prompt, keys)
        index = int(dice.random() * game.count)
        twin = game.copy()
        twin.choose(decision.key(index))
        game.choose(index)
        assert twin.S == game.S


@pytest.mark.parametrize("name", NAMES)
def test_undo_goes_back_to_the_start_and_redo_comes_again(name: str) -> None:
    rules = orrery.load(name)
    game = rules.new(seed=4)
    start, dice = list(game.S), random.Random(4)
    for _ in range(60):
        if not game.over:
            game.choose(int(dice.random() * game.count))
    end, choices = list(game.S), game.choices()
    for _ in range(3):
        if game.choices():
            game.undo()
    game.undo(len(game.choices()))
    assert start == game.S
    for entry in choices:
        game.choose(entry) if isinstance(entry, int) else game.choose(entry[1], player=entry[0])
    assert end == game.S


@pytest.mark.parametrize("name", NAMES)
def test_what_is_hidden_shows_nowhere(name: str) -> None:
    """Everything hidden from a player is dealt anew: view, options, prompts, news, why and drawing stay the same."""
    rules = orrery.load(name)
    if not rules.table(rules.least).hides:
        pytest.skip("nothing is hidden in this game")
    for seed in range(3):
        seen = random.Random(seed)

        def compare(game: orrery.Game, seen: random.Random = seen) -> None:
            if seen.random() > 0.25:
                return
            for player in [*range(game.players), None]:
                twin = game.copy()
                deal(twin, twin.S, player, seen.randrange(10**6))
                assert twin.view(player) == game.view(player)
                assert twin.drawing(player) == game.drawing(player)
                assert [d.player for d in twin.decisions] == [d.player for d in game.decisions]
                if player is not None and game.S[PLAYER] == player:
                    mine, other = game.decision, twin.decision
                    assert mine is not None and other is not None and mine.prompt == other.prompt
                    if not mine.amount:
                        assert [o.key for o in mine.options] == [o.key for o in other.options]

        random_game(rules, rules.least, seed, compare)


@pytest.mark.parametrize("name", NAMES)
def test_options_do_not_depend_on_what_is_hidden(name: str) -> None:
    """The same choices in a game that differs only in hidden things offer the deciding player the same."""
    rules = orrery.load(name)
    if not rules.table(rules.least).hides:
        pytest.skip("nothing is hidden in this game")
    for seed in range(4):
        game, dice = rules.new(seed=seed), random.Random(seed)
        for _ in range(40):
            if game.over:
                break
            who = game.player
            assert who is not None
            twin = game.imagine(who, seed=dice.randrange(10**6))
            index = int(dice.random() * game.count)
            game.choose(index)
            twin.choose(index)
            if game.player == who and twin.player == who and not game.revealed and not twin.revealed:
                assert game.count == twin.count


SCRIPT = """
import hashlib, random, sys, orrery
rules = orrery.load(sys.argv[1])
out = hashlib.sha256()
for seed in range(3):
    game, dice = rules.new(players=rules.most, seed=seed), random.Random(seed)
    for _ in range(200):
        if game.over:
            break
        game.choose(int(dice.random() * game.count))
    out.update(repr(game.S).encode())
print(out.hexdigest())
"""


@pytest.mark.parametrize("name", NAMES)
def test_the_same_game_in_other_processes_and_under_other_hash_seeds(name: str) -> None:
    digests = set()
    for hash_seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, name], capture_output=True, text=True, check=True, env=environment
        )
        digests.add(done.stdout)
    assert len(digests) == 1


@pytest.mark.parametrize("name", NAMES)
def test_a_save_at_any_decision_goes_on_as_the_same_game(name: str, tmp_path: Path) -> None:
    rules = orrery.load(name)
    game, dice = rules.new(seed=9), random.Random(9)
    for step in range(40):
        if game.over:
            break
        if step % 8 == 0:
            game.save(tmp_path / "game.json")
            assert orrery.restore(tmp_path / "game.json").S == game.S
        game.choose(int(dice.random() * game.count))
