"""The engine on small rulesets: hooks, spans, sets, standing effects, players at once, hidden hands."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import orrery
import pytest
from orrery.interpreter.slots import PLAYER

HEAD = """
ruleset: small
players: 2
resources:
  gold: {start: 5}
  luck: {of: game}
end:
  score: you.gold
  wins: most(p in players by p.gold)
"""


def rules(tmp_path: Path, text: str) -> orrery.Rules:
    folder = tmp_path / "small"
    folder.mkdir(exist_ok=True)
    (folder / "ruleset.yaml").write_text(HEAD + text)
    return orrery.load(folder)


def keys(game: orrery.Game) -> list[str]:
    assert game.decision is not None
    return [option.key for option in game.decision.options]


def play(game: orrery.Game, *answers: str) -> orrery.Game:
    for answer in answers:
        game.choose(answer)
    return game


HOOKS = """
procedures:
  earn(number amount): gain amount gold
  pay_out(number amount):
    do: |
      earn(amount)
      return amount
    gives: number
effects:
  doubled:
    lasts: turn
    rules:
      - {when: instead of earn, do: gain it.amount * 2 gold}
  blessed:
    lasts: turn
    rules:
      - when: before earn
        do: set it.amount to it.amount + 1
      - {when: after pay_out, do: set luck to it.result}
  asked:
    lasts: turn
    rules:
      - when: instead of earn
        do: |
          choose one:
            "Half": gain half_down(it.amount) gold
            "Whole": proceed
actions:
  work: pay_out(4)
  double: begin doubled()
  bless: begin blessed()
  ask: begin asked()
menus:
  deeds: {actions: [work, double, bless, ask], stop: "Enough"}
spans:
  turn(you): {}
flow: |
  repeat 2 times:
    as each players:
      during turn(you):
        open deeds
"""


def test_a_procedure_runs_plainly_when_nothing_hooks_it(tmp_path: Path) -> None:
    game = play(rules(tmp_path, HOOKS).new(seed=1), "work")
    assert game.value("gold", 0) == 9


def test_instead_replaces_and_before_changes_the_payload(tmp_path: Path) -> None:
    game = play(rules(tmp_path, HOOKS).new(seed=1), "double", "bless", "work")
    assert game.value("gold", 0) == 15
    assert game.value("luck") == 4


def test_effects_end_with_their_span(tmp_path: Path) -> None:
    game = play(rules(tmp_path, HOOKS).new(seed=1), "double", "done", "done", "work")
    assert game.player == 0
    assert game.value("gold", 0) == 9


def test_a_hook_may_ask_and_proceed(tmp_path: Path) -> None:
    new = rules(tmp_path, HOOKS).new
    game = play(new(seed=1), "double", "ask", "work")
    assert keys(game) == ["half", "whole"]
    assert play(game.copy(), "half").value("gold", 0) == 7
    assert play(game.copy(), "whole").value("gold", 0) == 13


def test_an_effect_concerns_its_owner_only(tmp_path: Path) -> None:
    game = play(rules(tmp_path, HOOKS).new(seed=1), "double", "done", "work")
    assert game.value("gold", 1) == 9


SETS = """
kinds:
  stone: {count: 4, starts: heap}
  card: {has: {worth: number}}
components:
  card:
    table: |
      id    | worth | starts
      ace   | 1     | row
      deuce | 2     | row
      trey  | 3     | row
zones:
  heap: {holds: stone}
  row: {holds: card}
  gone: {holds: [card, stone]}
flow: |
  as first(players):
    choose up to 2 taken in row
    gain sum(c.worth for c in taken) gold
    move taken to gone
    choose 2 stones in heap
    move stones to gone
    choose n in 1 to 100
    gain n gold
    for each c in row in any order: gain c.worth gold
"""


def test_sets_are_picked_one_by_one_in_a_fixed_order(tmp_path: Path) -> None:
    game = rules(tmp_path, SETS).new(seed=1)
    assert keys(game) == ["ace", "deuce", "trey", "done"]
    game.choose("deuce")
    assert keys(game) == ["trey", "done"]
    game.choose("trey")
    assert game.value("gold", 0) == 10


def test_alike_pieces_are_one_option_and_amounts_are_never_listed(tmp_path: Path) -> None:
    game = play(rules(tmp_path, SETS).new(seed=1), "done")
    assert keys(game) == ["stone"]
    game = play(game, "stone", "stone")
    assert game.decision is not None and game.decision.amount
    assert game.count == 100 and "42" in game.decision.options and "101" not in game.decision.options
    game.choose("42")
    assert game.value("gold", 0) == 5 + 42


def test_a_set_without_a_choice_is_not_asked(tmp_path: Path) -> None:
    text = SETS.replace("choose 2 stones in heap", "choose 4 stones in heap")
    game = play(rules(tmp_path, text).new(seed=1), "done")
    assert game.decision is not None and game.decision.amount


def test_the_question_of_a_set_knows_the_names_of_its_effect(tmp_path: Path) -> None:
    text = SETS.replace("    choose up to 2 taken in row", """    for each c in row by -c.worth:
      choose "What goes with the {c}?" up to 2 taken in row""")
    text = text.split("    gain sum")[0]
    game = rules(tmp_path, text + "      if size(taken) > 0: move taken to gone\n").new(seed=1)
    assert game.decision is not None and game.decision.prompt == "What goes with the Trey?"
    game.choose("ace")
    assert game.decision.prompt == "What goes with the Trey?"


UNION = """
kinds:
  coin: {count: 4, starts: pouch}
  shelf: {}
components:
  shelf:
    upper: {}
    lower: {}
zones:
  pouch: {holds: coin, seen_by: nobody}
  board: {of: shelf, holds: coin}
values:
  shown(): union(s.board for s in shelf)
flow: |
  as first(players):
    move first(pouch) to upper.board
    choose taken in shown()
    move taken to pouch
    gain 1 gold
  as last(players):
    choose sure in 1 to 2
    gain sure gold
"""


def test_the_only_piece_of_several_open_zones_is_not_asked_for(tmp_path: Path) -> None:
    game = rules(tmp_path, UNION).new(players=2)
    assert game.player == 1


NOTHING_YET = """
kinds:
  coin: {count: 3, starts: purse}
zones:
  purse: {holds: coin}
flow: |
  as first(players):
    let found be none
    repeat up to 3 times while found is none:
      set found to first(purse)
    if found is not none: gain 1 gold
    choose sure in 1 to 2
    gain sure gold
"""


def test_a_name_that_begins_as_none_can_be_set(tmp_path: Path) -> None:
    game = rules(tmp_path, NOTHING_YET).new(players=2)
    assert keys(game) == ["1", "2"]
    assert play(game, "1").result.scores == (7, 5)


def test_an_illegal_choice_changes_nothing(tmp_path: Path) -> None:
    game = rules(tmp_path, SETS).new(seed=1)
    before = list(game.S)
    for wrong in (-1, 99, "four", None, 1.5, True):
        with pytest.raises(orrery.OrreryError):
            game.choose(wrong)  # type: ignore[arg-type]
    with pytest.raises(orrery.OrreryError):
        game.choose(0, player=1)
    assert before == game.S
    while not game.over:
        game.choose(game.count - 1)
    with pytest.raises(orrery.OrreryError, match="over"):
        game.choose(0)


SPANS = """
spans:
  turn(you): {has: {deeds: number}}
  journey(number steps): {has: {seen: number}}
actions:
  step:
    do: |
      pay 1 from journey.steps
      add 1 to journey.seen
      gain 1 gold
  land: end journey
  sing: gain 1 gold
  go:
    if: not tired()
    why: "You have gone already."
    do: |
      add 1 to turn.deeds
      during journey(2):
        open steps
values:
  tired(): turn.deeds > 0
menus:
  deeds: {actions: [go, sing], stop: "Enough"}
  steps: {actions: [step, land], stop: "Rest"}
flow: |
  repeat 3 times:
    as each players:
      during turn(you):
        open deeds
"""


def test_a_span_has_memory_and_ends_when_told(tmp_path: Path) -> None:
    game = play(rules(tmp_path, SPANS).new(seed=1), "go", "step", "step")
    assert keys(game) == ["land", "done"]
    game.choose("land")
    assert keys(game) == ["sing", "done"]
    assert game.why("go", 0) == ["You have gone already."]
    game.choose("done")
    assert game.player == 1 and keys(game) == ["go", "sing", "done"]


HIDDEN = """
kinds:
  card: {has: {worth: number}}
components:
  card:
    table: |
      id   | worth | copies | starts
      low  | 1     | 3      | deck
      high | 5     | 3      | deck
zones:
  deck: {holds: card, order: stack, seen_by: nobody}
  hand: {of: player, holds: card, seen_by: owner}
  table_top: {holds: card}
setup: |
  shuffle deck
  as each players: draw 2 from deck to you.hand
flow: |
  as each players:
    choose card in you.hand
    may choose answer in opponent.hand where answer.name is card.name by opponent
    move card to table_top
    if answer is none: gain card.worth gold
"""


def test_a_hand_is_seen_by_its_owner_alone(tmp_path: Path) -> None:
    game = rules(tmp_path, HIDDEN).new(seed=3)
    mine = next(z for z in game.view(0)["zones"] if z["zone"] == "hand" and z["of"] == 0)
    theirs = next(z for z in game.view(0)["zones"] if z["zone"] == "hand" and z["of"] == 1)
    assert len(mine["pieces"]) == 2 and "pieces" not in theirs and theirs["count"] == 2


def test_a_single_piece_of_several_open_zones_is_not_asked_for(tmp_path: Path) -> None:
    text = HIDDEN.replace("  table_top: {holds: card}", "  table_top: {holds: card}\n  shelf: {holds: card}")
    text = text.split("flow:")[0] + """
flow: |
  as first(players):
    move first(you.hand) to shelf
    choose card in union([all(c in table_top), all(c in shelf)])
    gain card.worth gold
    choose mine in union([all(c in shelf), all(c in you.hand)])
    move mine to box
"""
    game = rules(tmp_path, text).new(seed=3)
    assert game.decision is not None and "mine" in game.decision.prompt


def test_whether_an_answer_is_asked_tells_nothing(tmp_path: Path) -> None:
    """The opponent is asked even when they hold nothing that fits."""
    made = rules(tmp_path, HIDDEN)
    asked = 0
    for seed in range(30):
        game = made.new(seed=seed)
        game.choose(0)
        assert game.player == 1 and keys(game)[-1] == "pass"
        asked += game.count == 1
    assert asked > 0


def test_imagined_deals_keep_what_is_seen_and_change_what_is_not(tmp_path: Path) -> None:
    game = rules(tmp_path, HIDDEN).new(seed=5)
    hands = set()
    for seed in range(40):
        twin = game.imagine(0, seed)
        assert twin.view(0) == game.view(0)
        theirs = [p for z in twin.view(1)["zones"] if z.get("of") == 1 for p in z.get("pieces", [])]
        hands.add(tuple(sorted(str(p.get("name")) for p in theirs)))
        while not twin.over:
            twin.choose(0)
    assert len(hands) == 3


AT_ONCE = """
spans:
  race(): {has: {done: list of player}}
actions:
  run:
    do: gain 1 gold
  finish:
    do: |
      add you to race.done
      if size(race.done) is 2: end race
menus:
  track: {actions: [run, finish], picks: 3}
flow: |
  during race():
    as each players at once: open track
  as first(players):
    choose n in 1 to 3
    gain n gold
"""


def test_several_players_decide_at_once(tmp_path: Path) -> None:
    game = rules(tmp_path, AT_ONCE).new(seed=1)
    assert [d.player for d in game.decisions] == [0, 1]
    before = list(game.S)
    for wrong in ("fly", 9, -1):
        with pytest.raises(orrery.OrreryError):
            game.choose(wrong, player=1)
    assert before == game.S
    game.choose("run", player=1)
    game.choose("run", player=1)
    assert game.value("gold", 1) == 7
    game.choose("finish", player=0)
    assert [d.player for d in game.decisions] == [0, 1]
    game.choose("finish", player=1)
    assert [d.player for d in game.decisions] == [0] and game.decision is not None and game.decision.amount
    twin = orrery.replay(game.log)
    assert twin.S == game.S


def test_errors_inside_a_rule_put_the_game_back(tmp_path: Path) -> None:
    text = """
kinds:
  stone: {count: 1}
zones:
  a: {holds: stone, at_most: 0}
actions:
  fine: gain 1 gold
  bad:
    do: |
      gain 1 gold
      move first(stone) to a
menus:
  deeds: {actions: [fine, bad], stop: "Enough"}
flow: |
  as first(players): open deeds
"""
    game = play(rules(tmp_path, text).new(seed=1), "fine")
    before = list(game.S)
    with pytest.raises(orrery.OrreryError, match=r"ruleset.yaml:\d+:\d+: `a` is full"):
        game.choose("bad")
    assert before == game.S
    assert play(game, "fine").value("gold", 0) == 7


@pytest.mark.parametrize("text", [HOOKS, SETS, SPANS, HIDDEN, AT_ONCE])
def test_copies_saves_undo_and_replay_give_the_same_game(tmp_path: Path, text: str) -> None:
    made = rules(tmp_path, text)
    for seed in range(5):
        game, dice = made.new(seed=seed), random.Random(seed)
        states = [list(game.S)]
        while not game.over and len(states) < 40:
            twin = game.copy()
            index = dice.randrange(game.count)
            game.choose(index)
            assert list(twin.S) == states[-1]
            twin.choose(index)
            assert twin.S == game.S
            states.append(list(game.S))
        game.save(tmp_path / "save.json")
        assert orrery.restore(tmp_path / "save.json").S == game.S
        for state in reversed(states[:-1]):
            game.undo()
            assert state == game.S


def test_a_save_is_restored_in_another_process_in_the_middle_of_an_effect(tmp_path: Path) -> None:
    game = play(rules(tmp_path, HOOKS).new(seed=1), "double", "ask", "work")
    game.save(tmp_path / "save.json")
    code = "import orrery, sys; g = orrery.restore(sys.argv[1]); g.choose('whole'); print(g.value('gold', 0))"
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "save.json")], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "13"
    assert json.loads((tmp_path / "save.json").read_text())["choices"]
    assert game.S[PLAYER] == 0


def test_seats_and_numbers_that_are_not_there_are_refused_in_words(tmp_path: Path) -> None:
    game = rules(tmp_path, HIDDEN).new(seed=1)
    before = list(game.S)
    calls: list[object] = []
    for seat in (-1, 2, 99, "0", 1.5, True, []):
        calls += [
            lambda seat=seat: game.view(seat), lambda seat=seat: game.drawing(seat), lambda seat=seat: game.news(seat),
            lambda seat=seat: game.imagine(seat, 1), lambda seat=seat: game.value("gold", seat),
            lambda seat=seat: game.choose(0, player=seat),
        ]
    calls += [
        lambda: game.undo("1"), lambda: game.undo(-1), lambda: game.imagine(0, None), lambda: game.imagine(None, 1),
        lambda: game.save(None), lambda: orrery.load(None), lambda: orrery.load(""), lambda: orrery.restore(None),
        lambda: game.value("gold"), lambda: game.value("no such thing"),
    ]
    for call in calls:
        with pytest.raises(orrery.OrreryError):
            call()  # type: ignore[operator]
    assert before == game.S


def test_dice_of_nobody_are_told(tmp_path: Path) -> None:
    """In set-up nobody is `you`, but everybody reads what was rolled."""
    text = """
setup: draw_lots()
procedures:
  draw_lots(): |
    roll 1d6 as n
    set luck to n
flow: |
  as each players: choose n in 1 to 2
"""
    game = rules(tmp_path, text).new()
    assert game.news() == [f"The roll is {game.view(0)['resources']['luck']}."]
