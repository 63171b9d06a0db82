"""What Orrery promises of every ruleset, each promise as a trial of one game.

A trial takes rules, a number of players and a seed, and raises if the promise is broken. `make test` runs a
few of each (test_rulesets.py, test_trust.py), `make soak` runs many (soak.py). The same seed is the same trial.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orrery
from orrery.interpreter.bots import make
from orrery.interpreter.knowledge import deal
from orrery.interpreter.saves import digest
from orrery.interpreter.session import Session, decide
from orrery.interpreter.slots import PLAYER

LONGEST = 50_000  # decisions; a random game that takes longer does not end

Watch = Callable[[orrery.Game], object]


def players_of(rules: orrery.Rules) -> range:
    return range(rules.least, rules.most + 1)


def random_game(rules: orrery.Rules, players: int, seed: int, watch: Watch | None = None) -> orrery.Game:
    """A random game to its end; `watch` sees it before every decision."""
    game, dice = rules.new(players=players, seed=seed), random.Random(seed)
    for _ in range(LONGEST):
        if game.over:
            return game
        if watch is not None:
            watch(game)
        game.choose(int(dice.random() * game.count))
    raise AssertionError(f"the game does not end: {rules.name}, {players} players, seed {seed}")


def take(game: orrery.Game, entry: Any) -> None:
    """A choice as it stands in a log."""
    if isinstance(entry, int):
        game.choose(entry)
    else:
        game.choose(entry[1], player=entry[0])


def refused(game: orrery.Game, option: Any, player: int | None = None) -> str:
    """The words of the refusal; the game must be what it was."""
    before, log = list(game.S), game.choices()
    try:
        game.choose(option, player)
    except orrery.OrreryError as error:
        assert list(game.S) == before and game.choices() == log, f"{option!r} was refused, and changed the game"
        return str(error)
    raise AssertionError(f"{option!r} is not offered, and was taken")


# --- 1. nothing is lost ---------------------------------------------------------------------------


def components(game: orrery.Game) -> list[int]:
    """Every piece, as often as it lies somewhere."""
    found: list[int] = []
    for zone in game.table.zone_at:
        found += game.S[zone]
    return sorted(found)


def conservation(rules: orrery.Rules, players: int, seed: int) -> int:
    """After every decision each component lies in exactly one place; the game ends, with a result."""
    everything = list(range(rules.table(players).count))

    def whole(game: orrery.Game) -> None:
        assert components(game) == everything, f"after decision {len(game.choices())}"

    game = random_game(rules, players, seed, whole)
    whole(game)
    result = game.result
    assert result is not None and len(result.scores) in (0, players)
    assert all(0 <= winner < players for winner in result.winners)
    return len(game.choices())


# --- 2. the same everywhere -----------------------------------------------------------------------

ELSEWHERE = """
import sys
sys.path.insert(0, sys.argv[1])
import orrery, trust
rules = orrery.load(sys.argv[2])
for seed in range(int(sys.argv[4]), int(sys.argv[5])):
    print(trust.mark_of(trust.random_game(rules, int(sys.argv[3]), seed)))
"""


def mark_of(game: orrery.Game) -> str:
    """A digest of the log and of how the game stands."""
    told = json.dumps([game.log.data["choices"], digest(game)])
    return hashlib.sha256(told.encode()).hexdigest()


def elsewhere(script: str, *words: str, hash_seed: str = "0") -> list[str]:
    """What a fresh process says to it."""
    here = str(Path(__file__).parent)
    done = subprocess.run(
        [sys.executable, "-c", script, here, *words],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
    )
    assert done.returncode == 0, done.stderr.strip().splitlines()[-1:]
    return done.stdout.split()


def same_everywhere(rules: orrery.Rules, players: int, seed: int, games: int = 10) -> int:
    """The same games in this process and in others, under other hash seeds."""
    first, last = seed * games, (seed + 1) * games
    here = [mark_of(random_game(rules, players, number)) for number in range(first, last)]
    for hash_seed in ("0", "1", "4242"):
        there = elsewhere(ELSEWHERE, _name(rules), str(players), str(first), str(last), hash_seed=hash_seed)
        assert there == here, f"other games under PYTHONHASHSEED={hash_seed}, seeds {first} to {last - 1}"
    return 3 * games


def same_in_parallel(rules: orrery.Rules, players: int, seed: int, games: int = 20) -> int:
    """`simulate` gives the same figures with one process and with two."""
    from orrery.interpreter.simulate import Plan, simulate

    plan = Plan(_name(rules), players, seed, ("random",) * players, games=games)
    alone, together = simulate(plan), simulate(plan, 2)
    assert alone.rows == together.rows
    assert {rule for rule, uses in alone.uses.items() if uses} == {rule for rule, uses in together.uses.items() if uses}
    return games


def _name(rules: orrery.Rules) -> str:
    return rules.outside or rules.name


# --- 3. saves -------------------------------------------------------------------------------------

FINISH = """
import sys
sys.path.insert(0, sys.argv[1])
import json, orrery, trust
from pathlib import Path
folder = Path(sys.argv[2])
choices = json.loads((folder / "choices.json").read_text())
for path in sorted(folder.glob("save-*.json")):
    game = orrery.restore(path)
    for entry in choices[len(game.choices()):]:
        trust.take(game, entry)
    print(trust.mark_of(game))
"""


def saves(rules: orrery.Rules, players: int, seed: int, most: int = 60) -> int:
    """Saved at every decision (of a long game, at `most` of them), restored in a fresh process, finished."""
    length = len(random_game(rules, players, seed).choices())
    chosen = set(range(length) if length <= most else random.Random(seed).sample(range(length), most))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)

        at = 0

        def keep(game: orrery.Game) -> None:
            nonlocal at
            if at in chosen:
                game.save(folder / f"save-{at:06}.json")
            at += 1

        game = random_game(rules, players, seed, keep)
        (folder / "choices.json").write_text(json.dumps(game.log.data["choices"]))
        marks = elsewhere(FINISH, str(folder))
    assert len(marks) == len(chosen)
    assert set(marks) <= {mark_of(game)}, "a restored game went on as another"
    return len(chosen)


# --- 4. undo --------------------------------------------------------------------------------------


def undo(rules: orrery.Rules, players: int, seed: int, most: int = 400) -> int:
    """Undone step by step and at once, to the start; done again; a session stops at what was revealed."""
    game, dice = rules.new(players=players, seed=seed), random.Random(seed)
    states = [list(game.S)]
    while not game.over and len(states) <= most:
        game.choose(int(dice.random() * game.count))
        states.append(list(game.S))
    choices, end = game.choices(), len(states) - 1
    for _ in range(min(3, end)):
        game.undo()
        assert states[len(game.choices())] == game.S
    for at in sorted(dice.sample(range(end + 1), min(4, end + 1)), reverse=True):
        if at <= len(game.choices()):
            game.undo(len(game.choices()) - at)
            assert states[at] == game.S, f"undone to decision {at}"
    game.undo(len(game.choices()))
    assert states[0] == game.S
    try:
        game.undo()
        raise AssertionError("there was nothing to undo, and something was undone")
    except orrery.OrreryError:
        pass
    for at, entry in enumerate(choices):
        take(game, entry)
        assert states[at + 1] == game.S, f"done again, decision {at + 1}"
    session = Session(rules.new(players=players, seed=seed), ["human"] * players)
    for entry in choices[:60]:
        if not isinstance(entry, int):
            break
        step = session.answer(entry)
        if step.barrier:
            before = list(session.game.S)
            try:
                session.undo()
                raise AssertionError("a session went back over what was revealed or drawn")
            except orrery.OrreryError:
                assert before == session.game.S
    return end


# --- 5. secrets -----------------------------------------------------------------------------------


def told_to(game: orrery.Game, player: int | None) -> list[Any]:
    """Everything that a viewer is shown or can ask."""
    found: list[Any] = [
        json.dumps(game.view(player), sort_keys=True),
        game.drawing(player),
        game.over,
        [d.player for d in game.decisions],
    ]
    actions = [r["name"] for r in game.table.image["routines"] if r["what"] == "action" and not r["abstract"]]
    if player is None:
        return found
    found.append([(word, game.why(word, player)) for word in actions])
    for decision in game.decisions:
        if decision.player == player:
            found.append(decision.prompt)
            if not decision.amount:
                found.append([(o.key, o.label) for o in decision.options])
            found.append(len(decision.options))
            found += [refused(game, "no such key", player), refused(game, len(decision.options), player)]
        else:
            found.append(refused(game, 0, (decision.player + 1) % game.players) if game.players > 2 else "")
    return found


def secrets(rules: orrery.Rules, players: int, seed: int, share: float = 0.1, hints: float = 0.02) -> int:
    """All that is hidden from a viewer is dealt anew: nothing that the viewer is told changes."""
    if not rules.table(players).hides:
        return 0
    dice, looks = random.Random(f"secrets {seed}"), 0

    def compare(game: orrery.Game) -> None:
        nonlocal looks
        if dice.random() > share:
            return
        for player in [*range(players), None]:
            twin = game.copy()
            deal(twin, twin.S, player, dice.randrange(10**6))
            where = f"decision {len(game.choices())}, player {player}"
            assert told_to(twin, player) == told_to(game, player), where
            looks += 1
            if player is None or game.S[PLAYER] != player:
                continue
            if dice.random() < hints:
                bots = [make("mcts:6,depth=8", seed) for _ in range(2)]
                assert bots[0].choose(game, player) == bots[1].choose(twin, player), f"hint, {where}"
            index, true = int(dice.random() * game.count), game.copy()
            steps = [decide(world, index, "", [player]) for world in (true, twin)]
            assert steps[0].words == steps[1].words, where
            if not true.revealed and not twin.revealed and true.player == twin.player == player:
                assert steps[0].choice == steps[1].choice and steps[0].news == steps[1].news, where
                assert true.count == twin.count, where

    random_game(rules, players, seed, compare)
    return looks


# --- 6. options -----------------------------------------------------------------------------------


def options(rules: orrery.Rules, players: int, seed: int, share: float = 0.2, most: int = 25) -> int:
    """Every offered option can be chosen, by index and by key; nothing else can, and trying changes nothing."""
    dice, checks = random.Random(f"options {seed}"), 0
    past: list[str] = []

    def compare(game: orrery.Game) -> None:
        nonlocal checks, past
        if dice.random() > share:
            return
        decision = game.decision
        assert decision is not None and decision.prompt
        count = game.count
        for index in range(count) if count <= most else sorted(dice.sample(range(count), most)):
            twin = game.copy()
            twin.choose(index)
            checks += 1
        for wrong in (count, -1, count + 1000, "no such key", None, 1.5):
            refused(game, wrong)
            checks += 1
        if players > 1 and len(game.decisions) == 1:
            refused(game, 0, (decision.player + 1) % players)
        if decision.amount:
            return
        keys = [option.key for option in decision.options]
        assert len(set(keys)) == len(keys), f"two options have one key: {decision.prompt} {keys}"
        index = dice.randrange(count)
        one, other = game.copy(), game.copy()
        one.choose(index)
        other.choose(keys[index])
        assert one.S == other.S
        for key in past:
            if key not in keys:
                refused(game, key)
                checks += 1
        past = dice.sample(keys, min(3, len(keys)))

    random_game(rules, players, seed, compare)
    return checks


# --- 7. copies ------------------------------------------------------------------------------------


def copies(rules: orrery.Rules, players: int, seed: int, share: float = 0.05) -> int:
    """A copy goes its own way, and the same way if the same is chosen."""
    dice, made = random.Random(f"copies {seed}"), 0

    def compare(game: orrery.Game) -> None:
        nonlocal made
        if dice.random() > share:
            return
        before, log = repr(game.S), game.choices()
        twin, other = game.copy(), game.copy()
        for _ in range(30):
            if twin.over:
                break
            index = int(dice.random() * twin.count)
            twin.choose(index)
            other.choose(index)
            assert twin.S == other.S
        twin.undo(len(twin.choices()) - len(log))
        assert repr(game.S) == before and game.choices() == log, "a copy moved the game"
        assert repr(twin.S) == before, "a copy that was taken back is another game"
        made += 1

    random_game(rules, players, seed, compare)
    return made


# --- 8. endings -----------------------------------------------------------------------------------


def endings(rules: orrery.Rules, players: int, seed: int, games: int = 50) -> tuple[int, list[str]]:
    """Every game ends, without an error; and what never happened in them, by name."""
    from orrery.interpreter.simulate import Plan, simulate

    report = simulate(Plan(_name(rules), players, seed, ("random",) * players, games=games, longest=LONGEST))
    for row in report.rows:
        assert not row.error, f"{row.error}; again: {report.plan.again(row.game)}"
        assert row.finished, f"it does not end; again: {report.plan.again(row.game)}"
    return games, report.never()


# --- 9. damaged saves and logs --------------------------------------------------------------------


def damaged_save(rules: orrery.Rules, players: int, seed: int, mutants: int = 40) -> int:
    """A save with its bytes or its fields changed is refused in words, or is still the same game."""
    dice = random.Random(f"damage {seed}")
    game = rules.new(players=players, seed=seed)
    for _ in range(dice.randrange(25)):
        if not game.over:
            game.choose(int(dice.random() * game.count))
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "save.json")
        game.save(path)
        text = path.read_bytes()
        for number in range(mutants):
            path.write_bytes(_damaged(text, dice))
            try:
                again = orrery.restore(path)
            except orrery.OrreryError as error:
                assert str(error), f"damage {number} of seed {seed}"
                continue
            assert again.decision is not None or again.over
            with contextlib.suppress(orrery.OrreryError):
                orrery.replay(json.loads(path.read_text()))
    return mutants


STRANGE = [None, True, -1, 0, 1.5, 10**30, "", "x", "../x", "\u2028", [], [[]], [0, 1, 2], {}, {"a": []}, "NaN", [True], 2**63]


def _damaged(text: bytes, dice: random.Random) -> bytes:
    if dice.random() < 0.5:
        data = json.loads(text)
        key = dice.choice([*data, "nothing"])
        how = dice.randrange(4)
        if how == 0:
            data.pop(key, None)
        elif how == 1 and data.get("choices"):
            data["choices"][dice.randrange(len(data["choices"]))] = dice.choice(STRANGE)
        elif how == 2:
            data["choices"] = [*data["choices"], *[dice.randrange(4) for _ in range(3)]]
        else:
            data[key] = dice.choice(STRANGE)
        return json.dumps(data).encode()
    at = dice.randrange(len(text))
    how = dice.randrange(4)
    if how == 0:
        return text[:at]
    if how == 1:
        return text[:at] + bytes([dice.randrange(256)]) + text[at + 1 :]
    if how == 2:
        return text[:at] + text[at + dice.randrange(1, 9) :]
    return text[:at] + dice.choice([b"[" * 5000, b"{", b'"', b"\x00", b"\xff\xfe", b"1e999", b"-", b"9" * 5000]) + text[at:]


# --- 11. kill -9 ----------------------------------------------------------------------------------

DRIVER = """
import sys, orrery
from pathlib import Path
from orrery.interpreter.session import Session, resume
name, players, seed, path = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])
if path.exists():
    session = resume(path)
else:
    session = Session(orrery.load(name).new(players, seed), ["random"] * players, file=path)
    session.save()
print("ready", len(session.game.choices()), flush=True)
while not session.over:
    session.let_bot()
    assert not session.trouble, session.trouble
    print("decided", len(session.game.choices()), flush=True)
print("over", len(session.game.choices()), flush=True)
"""


def killed(rules: orrery.Rules, players: int, seed: int, kills: int = 5) -> int:
    """A session is killed at any moment, and goes on from its save: readable, and nothing told is lost."""
    dice = random.Random(f"kill {seed}")
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "game.json")
        told, done = 0, 0
        for _ in range(kills):
            process = subprocess.Popen(
                [sys.executable, "-c", DRIVER, _name(rules), str(players), str(seed), str(path)],
                stdout=subprocess.PIPE,
                text=True,
            )
            told = _until_killed(process, dice, told, ("ready", "decided", "over"))
            done += 1
            if not path.exists():
                assert told == 0
                continue
            game = orrery.restore(path)
            assert len(game.choices()) >= told, f"{told} decisions were told, {len(game.choices())} are kept"
            if game.over:
                break
            told = len(game.choices())
        left = [file.name for file in Path(place).iterdir() if file.name != "game.json"]
        assert all(name.endswith(".part") for name in left), left
    return done


def _until_killed(process: Any, dice: random.Random, told: int, words: tuple[str, ...]) -> int:
    """Reads what a process tells, and kills it at a moment of no one's choosing. Gives the last number told."""
    lines = dice.randrange(1, 40)
    try:
        for line in process.stdout:
            word, _, number = line.partition(" ")
            if word in words and number.strip().isdigit():
                told = max(told, int(number))
            lines -= 1
            if lines <= 0:
                time.sleep(dice.random() * 0.004)
                break
    finally:
        process.send_signal(signal.SIGKILL)
    for line in process.stdout:  # what it had told before it died
        word, _, number = line.partition(" ")
        if word in words and line.endswith("\n") and number.strip().isdigit():
            told = max(told, int(number))
    process.stdout.close()
    process.wait()
    return told


def killed_at_the_keyboard(seed: int, name: str = "connect_four") -> int:
    """The real command with a real pipe: every answer that was told back is in the save."""
    dice = random.Random(f"keyboard {seed}")
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "game.json")
        command = [sys.executable, "-m", "orrery.cli", "play", name, "--seat", "2=human"]
        process = subprocess.Popen(
            [*command, "--seed", str(seed), "--save", str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert process.stdin is not None and process.stdout is not None
        told, wanted = 0, dice.randrange(1, 12)
        process.stdin.write("".join(f"{dice.randrange(1, 6)}\n" for _ in range(42)))
        process.stdin.flush()
        for line in process.stdout:
            told += line.startswith("  Player ") and ": " in line
            if told >= wanted:
                time.sleep(dice.random() * 0.004)
                break
        process.send_signal(signal.SIGKILL)
        told += sum(line.startswith("  Player ") and line.endswith("\n") for line in process.stdout)
        process.stdin.close()
        process.stdout.close()
        process.wait()
        if told:
            kept = len(orrery.restore(path).choices())
            assert kept >= told, f"{told} decisions were told, {kept} are kept"
    return 1


# --- 3 of another issue: the search bot -----------------------------------------------------------


def strength(rules: orrery.Rules, seed: int, bot: str = "mcts:100,depth=50") -> tuple[bool, float]:
    """One game of a search bot against a random one: whether it wins, and its seconds of processor for a decision."""
    seat = seed % 2
    game = rules.new(players=2, seed=seed)
    players = [make(bot if player == seat else "random", seed + player) for player in range(2)]
    spent, made = 0.0, 0
    while not game.over:
        player = game.player
        assert player is not None
        start = time.process_time()
        index = players[player].choose(game, player)
        if player == seat:
            spent += time.process_time() - start
            made += 1
        game.choose(index, player)
    result = game.result
    assert result is not None
    return result.winners == (seat,), spent / max(1, made)


def by_players(rules: orrery.Rules) -> Iterator[tuple[int, int]]:
    """(players, seed) without end: every number of players in turn."""
    many = list(players_of(rules))
    number = 0
    while True:
        yield many[number % len(many)], number
        number += 1
