"""Time as game data: timers, players who are busy or wait, the order of one instant, spoilt choices, live games."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import harm
import orrery
import pytest
import trust
import veils
from memory import loaded
from memory import rules as rules_of
from orrery.interpreter.bots import make
from orrery.interpreter.live import Live
from orrery.interpreter.saves import digest
from orrery.interpreter.scenarios import run_scenarios
from orrery.interpreter.session import Session, resume

BAKERY = Path(__file__).parent / "clocked" / "bakery"
HEAD = """
ruleset: small
players: 1 to 3
resources: {gold: {start: 5}}
end: {score: you.gold}
"""
FLOW = """
flow: |
  as each players at once: open work
"""


def small(text: str) -> orrery.Rules:
    made = loaded({"ruleset.yaml": HEAD + text})
    wrong = [p for p in made.problems if p.code != "unused-declaration"]
    assert not wrong, "\n".join(map(str, wrong))
    return rules_of(made)


def keys(game: orrery.Game, player: int) -> list[str]:
    decision = next(d for d in game.decisions if d.player == player)
    return [option.key for option in decision.options]


def asked(game: orrery.Game) -> list[int]:
    return [d.player for d in game.decisions]


def same(one: orrery.Game, two: orrery.Game) -> bool:
    return digest(one) == digest(two)


# --- order and waiting ----------------------------------------------------------------------------

WORK = (
    FLOW
    + """
menus: {work: {actions: [dig, rest, ring, nothing], real_time: true}}
kinds:
  glass: {timer: true, per_player: 2}
  gong: {timer: true, count: 2}
game: {has: {heard: list of player}}
actions:
  dig: {takes: 4, do: gain 1 gold}
  rest: {takes: 0, do: gain 2 gold}
  ring:
    takes: 1
    do: |
      choose g in glass where g.owner is you and g.state is idle
      choose n in 1 to 9
      start g for n seconds
  nothing: {if: false, do: gain 1 gold}
rules:
  - {when: after ran_out, do: 'say "{it.timer} of {it.you} at {now}"'}
"""
)


def test_an_action_happens_at_its_start_and_keeps_its_player_busy() -> None:
    game = small(WORK).new(players=2, seed=1)
    assert asked(game) == [0, 1] and keys(game, 0) == ["dig", "rest", "ring", "wait"]
    game.choose("dig", 0)
    assert game.value("gold", 0) == 6 and game.busy == {0: 4} and game.now == 0
    game.choose("rest", 1)
    assert asked(game) == [1] and game.now == 0, "what takes no time keeps nobody"
    game.choose("dig", 1)
    assert game.now == 4 and asked(game) == [0, 1] and not game.busy


def test_who_is_free_longer_is_asked_first() -> None:
    game = small(WORK).new(players=3, seed=1)
    game.choose("dig", 0)
    game.choose("wait", 1)
    game.choose("ring", 2)
    game.choose("5", 2)
    assert (game.now, game.player) == (1, 2), "the waiting player is woken by nothing so far"
    game.choose("dig", 2)
    assert (game.now, game.player) == (4, 0)
    game.choose("dig", 0)  # busy until 8; the glass of player 3 drains at 5 and wakes the one who waits
    assert (game.now, asked(game)) == (5, [1, 2]), "free since 0, and free since 5"


def test_a_deed_wakes_only_those_whom_it_offers_something_else() -> None:
    rules = small(
        FLOW
        + """
menus: {work: {actions: [dig, take], real_time: true}}
kinds: {stone: {count: 3, starts: hill}}
zones: {hill: {holds: stone}, heap: {holds: stone}, bag: {of: player, holds: stone}}
actions:
  dig: {takes: 9, do: "move 1 stone from hill to heap"}
  take: {takes: 1, do: "move 1 stone from heap to you.bag"}
"""
    )
    game = rules.new(players=3, seed=1)
    game.choose("wait", 1)
    game.choose("wait", 2)
    game.choose("dig", 0)
    assert asked(game) == [1, 2] and keys(game, 1) == ["dig", "take", "wait"]
    game.choose("wait", 2)
    game.choose("take", 1)
    assert game.now == 0 and asked(game) == [2], "the heap is empty again: another menu than before"


def test_at_one_instant_timers_come_in_the_order_of_their_starts_then_players() -> None:
    rules = small(
        """
flow: |
  as each players at once: open work
menus: {work: {actions: [dig], real_time: true}}
kinds: {gong: {timer: true}}
components: {gong: {late_gong: {}, early_gong: {}, third_gong: {}}}
setup: |
  start late_gong for 6 seconds
  start early_gong for 6 seconds
actions: {dig: {takes: 6, do: gain 1 gold}}
rules:
  - {when: after ran_out, do: 'say "{it.timer} with {first(players).gold}"'}
"""
    )
    game = rules.new(players=1, seed=1)
    game.choose("dig")
    assert game.now == 6
    assert game.news(0) == ["Late gong with 6", "Early gong with 6"]
    game.undo()
    assert game.now == 0 and game.value("gold", 0) == 5


def test_menus_close_when_everybody_waits_and_nothing_can_happen() -> None:
    game = small(WORK + "\n").new(players=2, seed=1)
    game.choose("wait", 0)
    game.choose("dig", 1)
    game.choose("wait", 1)
    assert not game.over and asked(game) == [0], "who waited through a deed is asked once more"
    game.choose("wait", 0)
    assert game.over and game.now == 4


def test_there_is_nothing_to_wait_for_alone_without_timers() -> None:
    game = small(WORK).new(players=1, seed=1)
    assert keys(game, 0) == ["dig", "rest", "ring"]
    game.choose("ring")
    game.choose("3")
    assert keys(game, 0) == ["dig", "rest", "ring", "wait"]
    game.choose("wait")
    assert game.now == 3 and "wait" not in keys(game, 0)


def test_a_timer_is_started_stopped_and_started_anew() -> None:
    rules = small(
        """
flow: |
  as each players at once: open work
menus: {work: {actions: [hasten, halt, idle_about], real_time: true, stop: Enough}}
kinds: {gong: {timer: true, count: 1}, rock: {count: 1}}
actions:
  hasten: {takes: 2, do: start first(gong) on first(rock) for 5 seconds}
  halt: {takes: 1, do: stop first(gong)}
  idle_about: {takes: 3, do: gain 1 gold}
values:
  state(): first(gong).state
  remaining(): first(gong).left
  stands(): first(gong).target is first(rock)
  instant(): first(gong).ends_at
"""
    )
    game = rules.new(players=1, seed=1)
    idle, running, usable = range(3)
    assert game.value("state") == idle and game.value("remaining") == 0 and not game.value("stands")
    game.choose("hasten")
    assert (game.value("state"), game.value("remaining"), game.value("instant")) == (running, 3, 5)
    game.choose("hasten")
    assert (game.now, game.value("remaining")) == (4, 5 - 2), "it begins from anew"
    game.choose("idle_about")
    assert (game.now, game.value("state"), game.value("stands")) == (7, usable, True)
    game.choose("halt")
    assert game.value("state") == idle and not game.value("stands") and game.value("instant") is None
    game.choose("done")
    assert game.over


# --- what is spoilt -------------------------------------------------------------------------------

HEAP = (
    FLOW
    + """
menus: {work: {actions: [grab, sort, burn], real_time: true}}
kinds: {tile: {starts: heap}, sand: {timer: true, count: 1}}
components: {tile: {red_tile: {}, blue_tile: {}, green_tile: {}, white_tile: {}}}
zones: {heap: {holds: tile}, ship: {of: player, holds: tile}}
setup: start first(sand) for 99 seconds
actions:
  grab:
    takes: 2
    do: |
      choose tile in heap
      choose n in 1 to 3
      move tile to you.ship
      gain n gold
  sort:
    takes: 2
    do: |
      choose 2 tiles in heap
      choose n in 1 to 2
      move tiles to you.ship
      gain n gold
  burn:
    takes: 1
    do: |
      need size(heap) > 1
      choose n in 1 to 2
      move top(heap) to box
      lose n gold
"""
)


def test_a_choice_that_somebody_spoils_is_taken_back_with_a_word() -> None:
    game = small(HEAP).new(players=3, seed=1)
    for player in (0, 1, 2):
        game.choose("grab", player)
        game.choose("red_tile", player)
    game.choose("1", 1)
    assert game.news(0) == [
        "Player 1 must choose again: `Grab` is no longer possible that way.",
        "Player 3 must choose again: `Grab` is no longer possible that way.",
    ]
    assert keys(game, 0) == ["grab", "sort", "burn", "wait"] == keys(game, 2)
    assert same(game.copy(), game)


def test_what_is_still_possible_is_not_disturbed_and_is_asked_afresh() -> None:
    game = small(HEAP).new(players=3, seed=1)
    game.choose("grab", 0)
    game.choose("green_tile", 0)
    game.choose("grab", 1)
    game.choose("grab", 2)
    game.choose("blue_tile", 2)
    game.choose("2", 2)
    assert keys(game, 0) == ["1", "2", "3"], "green is still there"
    assert keys(game, 1) == ["red_tile", "green_tile", "white_tile"], "blue is gone"
    assert game.news(0) == []
    game.choose("3", 0)
    assert game.value("gold", 0) == 8


def test_a_set_that_was_picked_is_spoilt_too_and_the_last_two_need_no_question() -> None:
    game = small(HEAP).new(players=2, seed=1)
    game.choose("sort", 0)
    game.choose("red_tile", 0)
    game.choose("white_tile", 0)
    game.choose("burn", 1)
    game.choose("1", 1)  # the white tile is on top
    assert keys(game, 0) == ["grab", "sort", "burn", "wait"]
    game.choose("grab", 0)
    game.choose("red_tile", 0)
    game.choose("1", 0)
    game.choose("sort", 1)
    assert keys(game, 1) == ["1", "2"], "two of two tiles"
    game.choose("1", 1)
    assert game.value("gold", 1) == 5 - 1 + 1


@pytest.mark.parametrize("more", ["", "      choose n in 1 to 2\n      gain n gold\n"])
def test_a_set_that_nothing_can_be_added_to_goes_on_or_back(more: str) -> None:
    head, tail = HEAP.replace("[grab, sort, burn]", "[grab, hoard]").split("  sort:\n")
    assert tail
    hoard = f"  hoard:\n    takes: 0\n    do: |\n      choose 1 to 4 tiles in heap\n{more}      move tiles to you.ship\n"
    game = small(head + hoard).new(players=2, seed=1)
    for player, key in ((0, "red_tile"), (1, "blue_tile")):
        game.choose("grab", player)
        game.choose(key, player)
        game.choose("1", player)
    game.choose("hoard", 0)
    game.choose("green_tile", 0)
    game.choose("grab", 1)
    game.choose("white_tile", 1)
    game.choose("1", 1)  # the white tile was all that could have been added
    trust.asked_as_it_stands(game)
    if more:
        assert keys(game, 0) == ["1", "2"] and game.news(0) == [], "there is another question to go on with"
        return
    assert game.news(0) == ["Player 1 must choose again: `Hoard` is no longer possible that way."]
    assert keys(game, 0) == ["grab", "hoard", "wait"]


def test_an_offer_that_is_taken_back_can_still_be_taken() -> None:
    rules = small(
        FLOW
        + """
menus: {work: {actions: [pass_on, eat], real_time: true}}
kinds: {plum: {count: 2, starts: bowl}}
zones: {bowl: {holds: plum}, belly: {of: player, holds: plum}}
actions:
  pass_on: |
    choose friend in players where friend is not you
    as friend: begin gift
  eat:
    takes: 1
    do: |
      need size(bowl) > 1
      move top(bowl) to you.belly
effects:
  gift:
    lasts: game
    times: 1
    rules: [{offers: take_both, in: work}]
    actions:
      take_both: |
        choose n in 1 to 2 where n <= size(bowl)
        gain n gold
"""
    )
    game = rules.new(players=2, seed=1)
    game.choose("pass_on", 0)
    game.choose("take_both", 1)
    assert keys(game, 1) == ["1", "2"]
    game.choose("2", 1)
    assert game.value("gold", 1) == 7 and game.now == 1
    assert "take_both" not in keys(game, 1), "it could be taken once"


# --- spans, effects, limits -----------------------------------------------------------------------


def test_a_timer_ends_a_span_that_players_are_in() -> None:
    rules = small(
        """
spans: {day(): {has: {seen: number}}}
kinds: {gong: {timer: true, count: 1}}
flow: |
  start first(gong) for 10 seconds
  during day():
    as each players at once: open work
  as each players: gain 100 gold
menus: {work: {actions: [dig, ponder], real_time: true}}
actions:
  dig: {takes: 30, do: gain 1 gold}
  ponder: |
    choose n in 1 to 3
    gain n gold
rules: [{when: after ran_out, do: end day}]
values: {in_day(): day is not none}
"""
    )
    game = rules.new(players=3, seed=1)
    game.choose("dig", 0)
    game.choose("ponder", 1)
    game.choose("wait", 2)
    assert game.value("in_day") and asked(game) == [1]
    game.advance(10)
    assert game.over and not game.value("in_day")
    assert [game.value("gold", p) for p in range(3)] == [106, 105, 105] and not game.busy


def test_effects_lapse_and_seconds_are_whole() -> None:
    rules = small(
        FLOW
        + """
menus: {work: {actions: [hurry, dig, halve], real_time: true}}
values: {pace(you): 1}
effects: {haste: {lasts: 20 seconds, rules: [{change: pace, plus: 4}]}}
kinds: {gong: {timer: true, count: 1}}
actions:
  hurry: {takes: 0, do: begin haste}
  dig: {takes: 10, do: gain pace(you) gold}
  halve: start first(gong) for 5 / 2 seconds
"""
    )
    game = rules.new(players=1, seed=1)
    game.choose("hurry")
    assert game.value("pace", 0) == 5 and game.next_event == 20
    game.choose("dig")
    game.choose("dig")
    assert game.now == 20 and game.value("pace", 0) == 1 and game.value("gold", 0) == 15
    with pytest.raises(orrery.OrreryError, match="whole number is needed"):
        game.choose("halve")
    assert game.now == 20, "and nothing has happened"


@pytest.mark.parametrize("seconds", [0, 1])
def test_timers_that_set_each_other_off_are_cut_with_their_place(seconds: int) -> None:
    rules = small(
        f"""
kinds: {{gong: {{timer: true, count: 1}}}}
flow: |
  as each players at once: open work
menus: {{work: {{actions: [light, never], real_time: true}}}}
actions:
  light: {{takes: 0, do: "start first(gong) for 3 seconds", if: first(gong).state is idle}}
  never: {{if: false, do: gain 1 gold}}
rules:
  - when: after ran_out
    do: start it.timer for {seconds} seconds
"""
    )
    game = rules.new(players=2, seed=1)
    before = list(game.S)
    with pytest.raises(orrery.OrreryError, match=r"without end|does not come to an end"):
        game.choose("light", 0)
    assert list(game.S) == before


def test_rules_that_ask_when_a_timer_runs_out_do_not_mix_their_events() -> None:
    rules = small(
        FLOW
        + """
menus: {work: {actions: [light], real_time: true}}
kinds: {wick: {timer: true, per_player: 1}}
actions:
  light: {takes: 0, if: you.wick.state is idle, do: start you.wick for 3 seconds}
rules:
  - when: after ran_out
    do: |
      choose "How bright?" n in 1 to 9
      as it.timer.owner: gain n gold
      stop it.timer
"""
    )
    game = rules.new(players=3, seed=1)
    for player in range(3):
        game.choose("light", player)
    assert game.now == 3 and sorted(asked(game)) == [0, 1, 2]
    for player, n in ((2, "3"), (0, "1"), (1, "2")):
        game.choose(n, player)
    assert [game.value("gold", p) for p in range(3)] == [6, 7, 8]


# --- the bakery -----------------------------------------------------------------------------------


def test_the_scenarios_of_the_bakery() -> None:
    outcomes = run_scenarios(orrery.load(BAKERY))
    assert len(outcomes) >= 9
    assert [(o.name, o.message) for o in outcomes if not o.passed] == []


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_promises_hold_under_a_clock(players: int) -> None:
    rules = orrery.load(BAKERY)
    trust.conservation(rules, players, 10 + players)
    trust.undo(rules, players, players, most=60)
    trust.options(rules, players, players, most=12)
    trust.copies(rules, players, players, most=6)


def test_saved_at_its_decisions_and_finished_alike() -> None:
    trust.saves(orrery.load(BAKERY), 3, 5, most=25)


def test_nobody_is_told_what_is_hidden() -> None:
    veils.secrets(orrery.load(BAKERY), 3, 2, most=12)


def test_the_search_plays_under_a_clock() -> None:
    rules = orrery.load(BAKERY)
    won = 0
    for seed in range(4):
        game = rules.new(players=2, seed=seed)
        bots = [make("mcts:30,depth=60", seed), make("random", seed)]
        while not game.over:
            assert game.player is not None
            game.choose(bots[game.player].choose(game, game.player), game.player)
        assert game.result is not None
        won += game.result.winners == (0,)
    assert won >= 3


# --- live -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(24))
def test_a_live_game_is_the_same_from_its_log(seed: int) -> None:
    trust.live(orrery.load(BAKERY), 1 + seed % 4, seed)


def test_a_live_game_follows_the_wall_clock_and_does_not_wait_for_people() -> None:
    wall = [50.0]
    session = Session(small(WORK).new(players=2, seed=1), ["human", "human"])
    live, game = Live(session, lambda: wall[0]), session.game
    live.answer(0, "dig")
    assert asked(game) == [0, 1], "a person takes the time that they need"
    wall[0] += 7.9
    live.catch_up()
    assert game.now == 7
    live.answer(1, "ring")
    live.answer(1, "3")
    wall[0] -= 5
    live.catch_up()
    assert game.now == 7, "a clock that is set back turns nothing back"
    wall[0] += 8.2
    live.answer(0, "rest")
    assert game.now == 11
    live.pause()
    wall[0] += 1000
    live.go_on()
    live.catch_up()
    assert game.now == 11
    assert game.log.data["choices"] == [
        [None, [0, 1]],
        [0, 0, 0],
        [1, 2, 7],
        [1, 2, 7],
        [None, 11],
        [0, 1, 11],
    ]
    with pytest.raises(orrery.OrreryError, match="a live game has no undo"):
        session.undo()


def test_bots_take_their_time_in_a_live_game() -> None:
    wall = [0.0]
    session = Session(small(WORK).new(players=2, seed=3), ["human", "random"])
    live, game = Live(session, lambda: wall[0]), session.game
    deeds = 0
    for _ in range(60):
        deeds += len(live.let_bots())
        assert 1 not in asked(game)
        wall[0] += 1
        live.catch_up()
    assert game.now == 60 and deeds < 200


def test_a_live_game_is_put_aside_and_goes_on(tmp_path: Path) -> None:
    wall = [0.0]
    file = tmp_path / "game.json"
    session = Session(orrery.load(BAKERY).new(players=2, seed=3), ["human", "random"], file=file)
    live = Live(session, lambda: wall[0])
    dice = random.Random(1)
    for _ in range(40):
        wall[0] += dice.random() * 3
        live.catch_up()
        live.let_bots()
        mine = next((d for d in session.game.decisions if d.player == 0), None)
        if mine is not None:
            live.answer(0, dice.randrange(len(mine.options)))
    wall[0] += 5
    live.catch_up()
    live.keep()
    again = resume(file)
    assert same(again.game, session.game) and again.game.now == session.game.now > 30
    assert [step.words for step in again.steps] == [step.words for step in session.steps]
    later = Live(again, lambda: 1e6)
    later.catch_up()
    assert again.game.now == session.game.now, "the time in between does not count"


START = "from orrery.cli import main; main(prog_name='orrery')"


def typed(*words: str, lines: str, folder: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "XDG_STATE_HOME": str(folder), "COLUMNS": "90"}
    return subprocess.run(
        [sys.executable, "-c", START, "play", *words],
        input=lines, capture_output=True, text=True, env=env, cwd=folder, timeout=60,
    )  # fmt: skip


def test_a_live_game_at_a_pipe_tells_what_it_offers_saves_and_goes_on(tmp_path: Path) -> None:
    lines = "bake\niron\nrye\nundo\nnonsense\nlook\nwhy fetch\n"
    done = typed(str(BAKERY), "--live", "--seed", "3", "--save", "game.json", lines=lines, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    for words in (
        "The clock runs.",
        "Bake: choose oven",
        "a live game has no undo: time cannot be taken back",
        "no choice begins with `nonsense`",
        "It is 0:0",
        "There is nothing to choose for `glass`.",
        "Go on with:",
    ):
        assert words in done.stdout, done.stdout
    saved = orrery.restore(tmp_path / "game.json")
    assert saved.live == (0,) and saved.value("heat_of_the_first_glass") == 20
    assert [c[0] for c in saved.log.data["choices"] if len(c) == 3 and c[0] == 0] == [0, 0, 0]
    again = typed("--resume", "game.json", lines="pause\n\n2: bake\n", folder=tmp_path)
    assert again.returncode == 0 and "The clock stands at" in again.stdout, again.stdout
    assert "nobody at this keyboard has seat 2" in again.stdout


def test_several_people_at_a_live_keyboard_say_who_they_are(tmp_path: Path) -> None:
    lines = "bake\n2: bake\n2: clay\n2: oat\n1: bake\n1: iron\n1: rye\n"
    done = typed(str(BAKERY), "--live", "--seat", "2=human", "--save", "game.json", lines=lines, folder=tmp_path)
    assert "who? Write the seat before it" in done.stdout, done.stdout
    assert len(orrery.restore(tmp_path / "game.json").choices()) == 7


def test_a_hint_at_a_live_keyboard_is_for_the_seat_that_asks(tmp_path: Path) -> None:
    lines = "2: bake\n2: hint\n"  # the second seat is asked for an oven, the first still for its first deed
    done = typed(str(BAKERY), "--live", "--seat", "2=human", "--seed", "3", lines=lines, folder=tmp_path)
    hint = next(line for line in done.stdout.splitlines() if "Perhaps:" in line)
    assert "iron" in hint.lower() or "clay" in hint.lower(), done.stdout


def test_several_answers_in_one_line_at_a_live_keyboard(tmp_path: Path) -> None:
    lines = "2: bake clay oat\n1: bake, iron, rye, 1\n1: bake 1\n1: wheat nonsense\n"
    done = typed(str(BAKERY), "--live", "--seat", "2=human", "--save", "game.json", lines=lines, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Bake: choose oven" not in done.stdout, "what is answered in the same line is not asked"
    # After the last there is a menu again; and the only oven that is left is taken without a question.
    assert done.stdout.count("`1` was not used: not every question is always asked") == 2, done.stdout
    assert "`nonsense` was not used: no choice begins with `nonsense`" in done.stdout
    choices = orrery.restore(tmp_path / "game.json").log.data["choices"]
    assert [c[0] for c in choices if c[0] is not None] == [1, 1, 1, 0, 0, 0, 0, 0]


def test_a_game_without_a_clock_is_not_played_live(tmp_path: Path) -> None:
    done = typed("tic_tac_toe", "--live", lines="", folder=tmp_path)
    assert done.returncode == 2 and "has no clock" in done.stderr


def test_in_virtual_time_the_prompt_tells_who_is_free_busy_and_waiting(tmp_path: Path) -> None:
    lines = "bake\nclay\nrye\nwait\npause\nwait\n"
    done = typed(str(BAKERY), "--seat", "2=human", "--seat", "3=human", "--players", "3", lines=lines, folder=tmp_path)
    assert "It is 0:00.   free: 2, 3   busy: 1 until 0:03" in done.stdout, done.stdout
    assert "It is 0:00.   free: 3   busy: 1 until 0:03   waiting: 2" in done.stdout
    assert "It is 0:03.   free: 1   waiting: 2, 3" in done.stdout
    assert "Only the clock of a live game can be stopped" in done.stdout


def test_damaged_logs_of_games_with_a_clock_are_refused_in_words() -> None:
    rules = orrery.load(BAKERY)
    harm.damaged_save(rules, 2, 5)
    game = rules.new(players=2, seed=1)
    game.go_live([0, 1])
    game.choose("bake", 0)
    game.advance(5)
    game.choose(0, 0)
    good = game.log.data
    assert same(orrery.replay(good), game)
    for choices in (
        [[None, [0, 7]]],
        [[None, [0, 1]], [0, 0, 5], [0, 0, 3]],
        [[None, "soon"]],
        [[None, -4]],
        [[None, 10**12]],
        [[None]],
        [[]],
        [[0, 0, 1, 2]],
        [[None, [0, 1]], [0, 0, "now"]],
    ):
        with pytest.raises(orrery.OrreryError, match="damaged"):
            orrery.replay({**good, "choices": choices})
    for now in (-1, "late", 3, 10**12):
        with pytest.raises(orrery.OrreryError, match="damaged"):
            orrery.replay({**good, "now": now})


def test_only_games_with_a_clock_are_live() -> None:
    game = orrery.load("tic_tac_toe").new()
    for what in (lambda: game.advance(3), lambda: game.go_live([0])):
        with pytest.raises(orrery.OrreryError, match="no clock"):
            what()
    assert game.now == 0 and game.busy == {} and game.next_event is None and game.live is None
