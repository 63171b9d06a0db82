"""What Orrery promises of every ruleset, each promise as a trial of one game.

A trial takes rules, a number of players and a seed, and raises if the promise is broken. `make test` runs a
few of each (test_trust.py), `make soak` runs many (soak.py). The same seed is the same trial: more moments of
it are looked at in a soak, and never others. Seed 0 plays with the ruleset's options as they start; every other
seed has options of its own. Secrets are in veils.py, damage and
kills in harm.py.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import orrery
from orrery.interpreter.bind import STEPS
from orrery.interpreter.bots import at_random, derive, make
from orrery.interpreter.diagnostics import UnknownName
from orrery.interpreter.live import Live
from orrery.interpreter.saves import digest
from orrery.interpreter.session import Session
from orrery.interpreter.slots import EFFECTS, FUEL, OPTIONS, OTHERS, PLAYER, REVEALED, RNG

LONGEST = 50_000  # decisions; a random game that takes longer does not end

Watch = Callable[[orrery.Game], object]


def players_of(rules: orrery.Rules) -> range:
    return range(rules.least, rules.most + 1)


def name_of(rules: orrery.Rules) -> str:
    return rules.outside or rules.name


def some_options(rules: orrery.Rules, dice: random.Random) -> dict[str, Any]:
    """Each option as it starts, or another of its values."""
    chosen: dict[str, Any] = {}
    for name, info in rules.options.items():
        if dice.random() < 0.5:
            continue
        if info.kind == "switch":
            chosen[name] = dice.random() < 0.5
        elif info.kind == "number":
            low = info.low or 0
            chosen[name] = dice.randint(low, info.high if info.high is not None else low + 3)
        elif info.choices:
            few = dice.sample(info.choices, min(len(info.choices), dice.randrange(3)))
            chosen[name] = dice.choice(info.choices) if info.kind == "choice" else few
    return chosen


def options_of(rules: orrery.Rules, seed: int) -> dict[str, Any]:
    """The options of the game of a seed: as they start for the first one, any for the others."""
    return some_options(rules, random.Random(f"options {seed}")) if seed else {}


def begun(rules: orrery.Rules, players: int, seed: int) -> orrery.Game:
    """The game of a seed, at its first decision."""
    return rules.new(players, seed, options_of(rules, seed))


def step_of(game: orrery.Game, seed: int, at: int) -> tuple[int, int | None]:
    """Decision number `at` of the random game of a seed: any option of anyone who is asked. None: whoever is next."""
    if not game.S[OTHERS]:
        return derive(seed, at) % game.count, None
    waiting = game.decisions
    decision = waiting[derive(seed, at, 1) % len(waiting)]
    return derive(seed, at) % len(decision.options), decision.player


def random_step(game: orrery.Game, seed: int, at: int) -> None:
    game.choose(*step_of(game, seed, at))


def random_game(
    rules: orrery.Rules, players: int, seed: int, watch: Watch | None = None, most: int | None = None
) -> orrery.Game:
    """A random game to its end, or its first `most` decisions; `watch` sees it before every decision."""
    game = begun(rules, players, seed)
    for at in range(LONGEST if most is None else most):
        if game.over:
            return game
        if watch is not None:
            watch(game)
        random_step(game, seed, at)
    assert most is not None or game.over, f"the game does not end: {LONGEST} decisions"
    return game


def at_moments(
    rules: orrery.Rules, players: int, seed: int, most: int, look: Watch, past: deque[orrery.Game] | None = None
) -> int:
    """Looks at a random game before some of its decisions: all of a short game's, `most` of a long one's.

    With a higher `most` the same moments are looked at, and more. `past` has the last decisions before each.
    """
    moments = list(range(len(random_game(rules, players, seed).choices())))
    random.Random(f"moments {seed}").shuffle(moments)
    chosen, at = frozenset(moments[:most]), 0

    def watch(game: orrery.Game) -> None:
        nonlocal at
        if at in chosen:
            look(game)
        if past is not None:
            past.append(game.copy())
        at += 1

    random_game(rules, players, seed, watch)
    assert at == len(moments), "the same seed was another game"
    assert chosen, "nobody was ever asked"
    return len(chosen)


def dice_for(what: str, seed: int, game: orrery.Game) -> random.Random:
    """Chance for a trial at one moment of a game, whichever other moments are looked at."""
    return random.Random(f"{what} {seed} {len(game.choices())}")


def refused(game: orrery.Game, option: Any, player: int | None = None) -> str:
    """The words of the refusal; the game must be what it was."""
    before, log = repr(game.S), game.choices()
    try:
        game.choose(option, player)
    except orrery.OrreryError as error:
        assert repr(game.S) == before and game.choices() == log, f"{option!r} was refused, and changed the game"
        return str(error)
    raise AssertionError(f"{option!r} is not offered, and was taken")


# --- 1. nothing is lost ---------------------------------------------------------------------------


def components(game: orrery.Game) -> list[int]:
    """Every piece, as often as it lies somewhere."""
    found: list[int] = []
    for zone in game.table.zone_at:
        found += game.S[zone]
    return sorted(found)


def whole(game: orrery.Game) -> None:
    """Every piece lies in one place, and knows it."""
    at = f"at decision {len(game.choices())}"
    assert components(game) == list(range(game.table.count)), f"a piece is lost or there twice, {at}"
    for zone in game.table.zone_at:
        for piece in game.S[zone]:
            assert game.table.where(game.S, piece) == zone, f"piece {piece} is not where it lies, {at}"
    in_range(game, at)


def in_range(game: orrery.Game, at: str) -> None:
    """Nobody has more or less of a resource than its ruleset allows, nor a part of one; halves only where rules have them."""
    for name, info in game.table.image["resources"].items():
        first = game.table.ns[f"R_{name}"]
        for held in game.S[first : first + (1 if info["of"] == "game" else game.players)]:
            half = type(held) is float and has_halves(game.rules) and (2 * held).is_integer()
            assert type(held) is int or half, f"{held!r} {name}, {at}"
            assert info["low"] <= held and (info["high"] is None or held <= info["high"]), f"{held} {name}, {at}"


@cache
def has_halves(rules: orrery.Rules) -> bool:
    return any(re.search(r"\d\.5| / ", text) for text in rules.source.texts.values())


def conservation(rules: orrery.Rules, players: int, seed: int) -> int:
    """After every decision each component lies in exactly one place, each resource is in its range; the game ends."""
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
print(trust.mark_of_rules(rules))
for seed in sys.argv[4:]:
    print(trust.mark_of(rules, int(sys.argv[3]), int(seed)))
"""
LOOKS = 8  # moments of a game that are marked with all that is shown


def mark_of_rules(rules: orrery.Rules) -> str:
    """A digest of the rules and of the code that was made of them."""
    told = repr([rules.fingerprint, rules.image["source"], [str(thing) for thing in rules.things()]])
    return hashlib.sha256(told.encode()).hexdigest()


def mark_of(rules: orrery.Rules, players: int, seed: int) -> str:
    """A digest of a random game: its log, how it ends, and now and then all that anybody is shown, and a hint."""
    told: list[Any] = []

    def look(game: orrery.Game) -> None:
        told.append([told_to(game, viewer) for viewer in [*range(players), None]])
        if len(told) <= 2 and game.player is not None:
            told.append(make("mcts:4,depth=8", seed).choose(game, game.player))

    at_moments(rules, players, seed, LOOKS, look)
    told.append(mark_of_end(random_game(rules, players, seed)))
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def mark_of_end(game: orrery.Game) -> str:
    """A digest of the log and of how the game stands."""
    return hashlib.sha256(json.dumps([game.log.data["choices"], digest(game)]).encode()).hexdigest()


def elsewhere(script: str, *words: str, hash_seed: str = "0", own_cache: bool = False) -> list[str]:
    """What a fresh process says to it."""
    with tempfile.TemporaryDirectory() as cache:
        more = {"PYTHONHASHSEED": hash_seed, **({"ORRERY_CACHE": cache} if own_cache else {})}
        done = subprocess.run(
            [sys.executable, "-c", script, str(Path(__file__).parent), *words],
            capture_output=True,
            text=True,
            env={**os.environ, **more},
        )
    assert done.returncode == 0, done.stderr.strip().splitlines()[-1:]
    return done.stdout.split()


def same_everywhere(rules: orrery.Rules, players: int, seed: int, games: int = 4) -> int:
    """The same rules and games in this process and in others, which read and compile them anew under other hash seeds."""
    numbers = [derive(seed, more) if more else seed for more in range(games)]
    here = [mark_of_rules(rules), *[mark_of(rules, players, number) for number in numbers]]
    for hash_seed in ("1", "4242"):
        words = (name_of(rules), str(players), *map(str, numbers))
        there = elsewhere(ELSEWHERE, *words, hash_seed=hash_seed, own_cache=True)
        assert there[0] == here[0], f"other rules under PYTHONHASHSEED={hash_seed}"
        assert there == here, f"other games under PYTHONHASHSEED={hash_seed}, seeds {numbers}"
    return 2 * games


def same_in_parallel(rules: orrery.Rules, players: int, seed: int, games: int = 20) -> int:
    """`simulate` gives the same figures with one process and with two."""
    from orrery.interpreter.simulate import Plan, simulate

    plan = Plan(name_of(rules), players, seed, ("random",) * players, options_of(rules, seed), games=games)
    alone, together = simulate(plan), simulate(plan, 2)
    assert alone.rows == together.rows
    assert alone.uses == together.uses and alone.never() == together.never()
    return games


# --- 3. saves -------------------------------------------------------------------------------------

FINISH = """
import sys
sys.path.insert(0, sys.argv[1])
import orrery, trust
from pathlib import Path
for path in sorted(Path(sys.argv[2]).glob("save-*.json")):
    game = orrery.restore(path)
    at = len(game.choices())
    assert at == int(path.stem[5:])
    while not game.over:
        trust.random_step(game, int(sys.argv[3]), at)
        at += 1
    print(trust.mark_of_end(game))
"""


def saves(rules: orrery.Rules, players: int, seed: int, most: int = 60) -> int:
    """Saved at every decision (of a long game, at `most` of them), restored in a fresh process, finished."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        count = at_moments(
            rules, players, seed, most, lambda game: game.save(folder / f"save-{len(game.choices()):06}.json")
        )
        marks = elsewhere(FINISH, str(folder), str(seed))
    assert len(marks) == count > 0
    true = mark_of_end(random_game(rules, players, seed))
    assert set(marks) == {true}, f"{sum(mark != true for mark in marks)} of {count} restored games went on as others"
    return count


# --- 4. undo --------------------------------------------------------------------------------------

AT_A_TABLE = 60  # decisions that a session takes back one by one


def undo(rules: orrery.Rules, players: int, seed: int, most: int = LONGEST) -> int:
    """Undone step by step and at once, to the start; done again; a session stops at what was revealed."""
    states: list[list[Any]] = []
    game = random_game(rules, players, seed, lambda game: states.append(game.S[:]), most)
    states.append(game.S[:])
    choices, end = game.choices(), len(states) - 1
    for at in sorted(_moments_to_go_back_to(seed, end) + [end] * game.over, reverse=True):
        game.undo(max(0, len(game.choices()) - at))
        assert states[len(game.choices())] == game.S, f"undone to decision {at}"
        for _ in range(min(3, len(game.choices()))):
            game.undo()
            assert states[len(game.choices())] == game.S, f"undone step by step from decision {at}"
    game.undo(len(game.choices()))
    assert states[0] == game.S and not game.choices(), "undone to the start"
    try:
        game.undo()
    except orrery.OrreryError:
        assert states[0] == game.S
    else:
        raise AssertionError("there was nothing to undo, and something was undone")
    for at in range(end):
        random_step(game, seed, at)
        assert states[at + 1] == game.S, f"done again, decision {at + 1}"
    assert game.choices() == choices, "done again, it has another log"
    _undo_at_a_table(rules, players, seed, states)
    _nothing_learned(game, seed, states)
    return end


def _moments_to_go_back_to(seed: int, end: int) -> list[int]:
    """A few moments of the first 32 decisions, one of the next 32, of the next 64, of the next 128, and so on.

    Whoever plays less of a game goes back to the same moments as far as it was played.
    """
    dice = random.Random(f"undo {seed}")
    found, low, high = [dice.randrange(32) for _ in range(2)], 32, 64
    while low <= end:
        found.append(dice.randrange(low, high))
        low, high = high, 2 * high
    return [at for at in found if at <= end]


def _undo_at_a_table(rules: orrery.Rules, players: int, seed: int, states: list[list[Any]]) -> None:
    """A session goes back over nothing that was revealed or drawn, unless the table agrees; then to the start."""
    strict, free = (
        Session(begun(rules, players, seed), ["human"] * players, free_undo=agreed) for agreed in (False, True)
    )
    for at in range(min(AT_A_TABLE, len(states) - 1)):
        answer = step_of(strict.game, seed, at)
        free.answer(*answer)
        barrier = strict.answer(*answer).barrier
        if barrier:
            try:
                strict.undo()
            except orrery.OrreryError:
                assert states[at + 1] == strict.game.S
            else:
                raise AssertionError("a session went back over what was revealed or drawn")
        else:
            strict.undo()
            assert states[at] == strict.game.S, f"a session took back decision {at + 1}"
            strict.answer(*answer)
    while free.steps:
        free.undo()
        assert states[len(free.steps)] == free.game.S


def _nothing_learned(game: orrery.Game, seed: int, states: list[list[Any]]) -> None:
    """Whatever can be taken back has told nobody anything, by what everybody is shown.

    Before and after a choice nothing that the chooser did not know is named, and where chance was asked, the same choice
    with other luck looks the same. To shuffle what nobody sees tells nothing, and can be taken back.
    """
    for at, (state, after) in enumerate(pairwise(states)):
        drawn = state[RNG] != after[RNG]
        if after[REVEALED] or not (drawn or at < AT_A_TABLE):
            continue
        worlds = [game.copy() for _ in range(2)]
        for world, luck in zip(worlds, (state[RNG], derive(seed, at, 2)), strict=True):
            world.S = state[:]
            world.S[RNG] = luck
        answer = step_of(worlds[0], seed, at)
        seats = [worlds[0].player if answer[1] is None else answer[1], *range(game.players), None]
        before = [worlds[0].view(viewer) for viewer in seats]
        told = []
        for world in worlds[: 1 + drawn]:
            world.choose(*answer)
            told.append([(world.view(viewer), world.news(viewer)) for viewer in seats])
        new = shown_anew(before, [view for view, _ in told[0]])
        assert not new, f"decision {at + 1} revealed something, and can be taken back"
        assert told[0] == told[-1], f"decision {at + 1} is seen to depend on chance, and can be taken back"


def shown_anew(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> bool:
    """Whether a view names a piece that it did not name before a choice, and that the chooser did not see either.

    The chooser's own view is the first of each list. What the chooser knew may be put where others see it.
    """
    known = named_in(before[0])
    return any(named_in(is_now) - (named_in(was) | known) for was, is_now in zip(before, after, strict=True))


def named_in(view: dict[str, Any]) -> Counter[str]:
    """How often a view names each piece."""
    shown = [piece for zone in view["zones"] for piece in zone.get("pieces", zone.get("known", []))]
    return Counter(piece["name"] for piece in shown if "name" in piece)


# --- what a viewer is told ------------------------------------------------------------------------


MEANT = re.compile(r"did you mean `(.+?)`")


def told_to(game: orrery.Game, player: int | None, asked: Sequence[str] = (), wrong: Sequence[str] = ()) -> list[Any]:
    """Everything that a viewer is shown or can ask: why of each action and of the words `asked`, what is wrong with `wrong`."""
    found: list[Any] = [
        json.dumps(game.view(player), sort_keys=True),
        game.drawing(player),
        game.over,
        game.news(player),
        [d.player for d in game.decisions],
    ]
    actions = [r["name"] for r in game.table.image["routines"] if r["what"] == "action" and not r["abstract"]]
    found.append([(word, why(game, word, player)) for word in dict.fromkeys([*actions, *asked])])
    if player is None:
        return found
    mine = [decision for decision in game.decisions if decision.player == player]
    for decision in mine:
        found.append(decision.prompt)
        if not decision.amount:
            found.append([(o.key, o.label) for o in decision.options])
        found.append(len(decision.options))
        for option in ("no such key", len(decision.options), *wrong):
            if type(option) is int or decision.find(option) is None:
                found.append(words := refused(game, option, player))
                meant = MEANT.search(words)
                assert meant is None or decision.find(meant[1]) is not None, f"{option} was refused, but {words}"
    if not mine:
        found += [refused(game, option, player) for option in (0, *wrong)]
    return found


def why(game: orrery.Game, word: str, player: int | None) -> list[str]:
    try:
        return game.why(word, player)
    except UnknownName as error:
        return [str(error)]


# --- 6. options -----------------------------------------------------------------------------------


def options(rules: orrery.Rules, players: int, seed: int, most: int = 60, widest: int = 60) -> int:
    """Every offered option can be chosen, by index and by key; nothing else can, and trying changes nothing."""
    checks = 0
    past: deque[orrery.Game] = deque(maxlen=4)

    def compare(game: orrery.Game) -> None:
        nonlocal checks
        dice = dice_for("options", seed, game)
        before = [decision for earlier in past if (decision := earlier.decision) is not None and not decision.amount]
        old = [decision.options[dice.randrange(len(decision.options))] for decision in before]
        for decision in game.decisions:
            assert decision.prompt
            checks += _offered_can_be_chosen(game, decision, dice, widest) + _nothing_else_can(game, decision, dice)
        asked = {decision.player for decision in game.decisions}
        for player in [player for player in range(players) if player not in asked]:
            refused(game, 0, player)
            checks += 1
        for option in old:
            if not any(option in decision.options for decision in game.decisions):
                refused(game, option)
                checks += 1

    at_moments(rules, players, seed, most, compare, past)
    return checks


def _offered_can_be_chosen(game: orrery.Game, decision: Any, dice: random.Random, widest: int) -> int:
    count, player, before = len(decision.options), decision.player, repr(game.S)
    chosen = range(count) if count <= widest else sorted(dice.sample(range(count), widest))
    for index in chosen:
        twin = game.copy()
        twin.choose(index, player)
        assert twin.over or twin.count > 0, f"option {index} of `{decision.prompt}` leads to a question without answers"
        other = game.copy()
        other.choose(decision.key(index), player)
        assert twin.S == other.S, f"key {decision.key(index)} of `{decision.prompt}` is not its index {index}"
    if not decision.amount:
        keys = [option.key for option in decision.options]
        assert len(set(keys)) == len(keys), f"two options have one key: {decision.prompt} {keys}"
    assert repr(game.S) == before, "choosing in a copy changed the game"
    return 2 * len(chosen)


def _nothing_else_can(game: orrery.Game, decision: Any, dice: random.Random) -> int:
    count, player = len(decision.options), decision.player
    wrong: list[Any] = [count, -1, count + 1000, 10**30, "no such key", "", None, 1.0, True, [0], (player, 0), b"0"]
    names = [r["name"] for r in game.table.image["routines"]] + list(game.table.image["components"])
    names = [name for name in names if decision.find(name) is None]
    wrong += dice.sample(names, min(6, len(names)))
    for option in wrong:
        refused(game, option, player)
        if game.player == player:
            refused(game, option)
    for seat in (-1, game.players, True, 0.0, "0"):
        refused(game, 0, seat)  # type: ignore[arg-type]
    return len(wrong) + 5


# --- 7. copies ------------------------------------------------------------------------------------


def copies(rules: orrery.Rules, players: int, seed: int, most: int = 20, ahead: int = 30) -> int:
    """A copy goes its own way, and the same way if the same is chosen; so does the game it was copied from."""

    def compare(game: orrery.Game) -> None:
        before, log = repr(game.S), game.choices()
        kept, twin, other = game.copy(), game.copy(), game.copy()
        for at in range(len(log), len(log) + ahead):
            if twin.over:
                break
            random_step(twin, seed + 1, at)
            random_step(other, seed + 1, at)
            assert twin.S == other.S, "two copies went other ways"
        assert repr(game.S) == before and game.choices() == log, "a copy moved the game"
        assert repr(kept.S) == before and kept.choices() == log, "a copy moved another copy"
        twin.undo(len(twin.choices()) - len(log))
        assert repr(twin.S) == before, "a copy that was taken back is another game"
        for viewer in [*range(players), None]:
            assert told_to(game, viewer) == told_to(kept, viewer)
        moved = game.copy()
        kept_aside = moved.copy()
        random_step(moved, seed + 2, len(log))
        assert repr(kept_aside.S) == before and kept_aside.choices() == log, "a game moved its copy"

    return at_moments(rules, players, seed, most, compare)


# --- 8. endings -----------------------------------------------------------------------------------

CALLED = 3  # games in which what ran is found out in another way, too


def endings(rules: orrery.Rules, players: int, seed: int, games: int = 50) -> tuple[int, list[str]]:
    """Every game ends, without an error; and what never happened in them, by name."""
    from orrery.interpreter.simulate import Plan, simulate

    chosen = options_of(rules, seed)
    report = simulate(Plan(name_of(rules), players, seed, ("random",) * players, chosen, games=games, longest=LONGEST))
    for row in report.rows:
        assert not row.error, f"{row.error}; again: {report.plan.again(row.game)}"
        assert row.finished, f"it does not end; again: {report.plan.again(row.game)}"
    assert report.uses, "no rule was ever used"
    few = replace(report.plan, games=min(games, CALLED))
    told, called = simulate(few), _called(rules, few)
    for name in told.countable:
        if not name.startswith("rule "):  # what a rule alters is no function of its own
            never = name in told.never()
            assert never != (name in called), f"{name} is {'' if never else 'not '}told never to have happened, falsely"
    assert set(told.never()) <= set(told.countable)
    return games, report.never()


def _called(rules: orrery.Rules, plan: Any) -> set[str]:
    """The procedures, actions and effects that ran, by the functions that Python called: no counter of the rules is asked."""
    apart = rules.apart()
    apart.table(plan.players, dict(plan.options)).openings.closed = True  # so that set-up is carried out, not remembered
    functions: set[str] = set()

    def note(frame: Any, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith("<"):
            functions.add(frame.f_code.co_name)

    for number in range(plan.games):
        seed = derive(plan.seed, number)
        chance = random.Random(derive(seed, 0)).random
        before = sys.getprofile()
        sys.setprofile(note)
        try:
            game = apart.new(plan.players, seed, dict(plan.options))
            while not game.over:
                game.choose(at_random(game, chance))
        finally:
            sys.setprofile(before)
    return {
        f"{'effect' if routine['what'] == 'do' else routine['what']} {routine['name']}"
        for routine in apart.image["routines"]
        if functions & {routine["py"], f"base_{routine['py']}", f"b{routine['block']}"}
    }


# --- the search bot -------------------------------------------------------------------------------


def strength(rules: orrery.Rules, seed: int, bot: str = "mcts:40,depth=50") -> tuple[bool, float]:
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


# --- 14. live -------------------------------------------------------------------------------------


def live(rules: orrery.Rules, players: int, seed: int) -> int:
    """A game under a wall clock that stumbles, stops and jumps, with late and simultaneous answers: the same from its log."""
    if not rules.table(players).clocked:
        return 0
    dice, wall = random.Random(f"live {seed}"), [dice_start(seed)]
    seats = ["human" if seat == 0 or dice.random() < 0.6 else "random" for seat in range(players)]
    session = Session(begun(rules, players, seed), seats)
    table, game = Live(session, lambda: wall[0]), session.game
    made, old = 0, ["wait"]
    for _ in range(LONGEST):
        if game.over:
            break
        wall[0] += dice.choice((0, 0, 0.01, 0.4, 1, 1, 2.5, 6 * dice.random(), 30 * dice.random() ** 3, -0.3))
        if dice.random() < 0.02:
            table.pause()
            wall[0] += 500
            table.go_on()
        table.catch_up()
        made += len(table.let_bots())
        for seat in dice.sample(session.people, len(session.people)):
            decision = next((d for d in game.decisions if d.player == seat), None)
            if decision is None or dice.random() < 0.4:
                continue
            key = "wait" if decision.amount else decision.key(0)
            late = dice.random() < 0.1  # an answer to what was offered some time ago
            before = game.S[:]
            try:
                table.answer(seat, dice.choice(old) if late else dice.randrange(len(decision.options)))
            except orrery.OrreryError as error:
                assert late and before == game.S, f"what is offered was refused: {error}"
            else:
                made += 1
            old = [*old[-8:], key]
        asked_as_it_stands(game)
        if dice.random() < 0.03 or game.over:
            again = orrery.replay(json.loads(json.dumps(game.log.data)))
            assert digest(again) == digest(game), f"another game from its log, after {made} choices"
    else:
        raise AssertionError("the game does not end")
    again = orrery.replay(game.log)
    assert digest(again) == digest(game) and again.result == game.result and again.now == game.now
    return made


def asked_as_it_stands(game: orrery.Game) -> None:
    """Every open question of a game with a clock is what would be asked if everybody looked again."""
    if not game.over:
        state, ns = game.S[:], game.table.ns
        state[FUEL] = STEPS
        ns["lay_aside"](state)
        ns["onward"](state)
        state[FUEL] = game.S[FUEL]
        assert state == game.S, f"a question is out of date at {game.now} seconds"


def dice_start(seed: int) -> float:
    """Wall clocks begin anywhere."""
    return seed * 7919.37 % 100_000


# --- 15. rules that are woven together ------------------------------------------------------------


def asked(game: orrery.Game) -> tuple[object, ...]:
    """Who is asked what, and what was told. Effects are told by their place in the row: ages are only numbers."""
    S = game.S
    row = {effect[0]: at for at, effect in enumerate(S[EFFECTS])}

    def seen(options: Any) -> list[Any]:
        return [(*o[:2], row.get(o[2])) if isinstance(o, tuple) and len(o) == 3 else o for o in options]

    return (S[PLAYER], seen(S[OPTIONS]), [(who, seen(options)) for who, options, *_ in S[OTHERS]], game.news())


def knowing(S: Any, ns: Any, x: int) -> int:
    """Who knows a piece: a bit for each viewer."""
    remembering = sum(ns["remembers"](S, x, viewer) << viewer for viewer in range(ns["VIEWERS"]))
    return remembering if x in ns["FACED"] else remembering | ns["ZONE_SEES"][S[ns["LOC"] + x]]


def lies(game: orrery.Game) -> tuple[object, ...]:
    """What lies where, who knows it, and whether something was shown."""
    S, ns, table = game.S, game.table.ns, game.table
    everyone = ns["FLIPPED"]
    known = [everyone if table.rests(x) else knowing(S, ns, x) for x in range(table.count)] if table.hides else []
    zones = {table.zone_at[zone]: S[zone] for zone in table.zone_at}
    return (zones, [table.zone_at[table.where(S, x)] for x in range(table.count)], known, S[REVEALED])


def woven(rules: orrery.Rules, players: int, seed: int, most: int = LONGEST) -> int:
    """A game of the rules as they are compiled for play, and the same with every rule in a function of its own."""
    dice = random.Random(f"woven {seed}")
    options = some_options(rules, dice)
    games = [twin.new(players, seed, options) for twin in (rules, rules.apart())]
    for at in range(most):
        one, other = games
        assert asked(one) == asked(other), f"another question at decision {at}, with {options}"
        if not at % 20 or one.over:
            assert lies(one) == lies(other), f"another table at decision {at}, with {options}"
            assert one.view(None) == other.view(None), f"another view at decision {at}, with {options}"
        if one.over:
            assert one.result == other.result, f"another end, with {options}"
            return at
        for game in games:
            random_step(game, seed, at)
    return most
