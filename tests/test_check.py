"""Wrong rulesets are told what is wrong, at the very word; right ones become checked trees."""

from __future__ import annotations

import pytest
from orrery.interpreter import schema, source
from orrery.interpreter.check import check, check_expression, check_scenario_given, reads_hidden
from orrery.interpreter.diagnostics import Diagnostic, Problems
from orrery.interpreter.model import Model
from orrery.interpreter.types import NUMBER

BASE = """\
ruleset: demo
players: 2
symbols:
  colour: [red, blue]
  mood: [calm, blue]
game:
  has: {first_player: player}
resources:
  gold: {of: player}
  heat: {of: game}
kinds:
  player: {has: {"level(colour)": number, mate: player?}}
  ship: {per_player: 1, has: {speed: number}}
  card: {has: {cost: number, shade: colour, loaded: truth}, starts: deck, does: [used]}
  gem: {count: 5, starts: bag}
components:
  card:
    bolt:
      copies: 4
      cost: 1
      shade: red
      do: gain this.cost gold
    comet:
      cost: 2
      shade: blue
      used: lose 1 heat
zones:
  deck: {holds: card, order: stack, seen_by: nobody}
  bag: {holds: gem}
  hand: {of: player, holds: card, seen_by: owner}
  shelf: {of: player, holds: gem}
  cargo: {of: ship, holds: gem}
spans:
  turn(you): {has: {points: number, shown: list of card}}
tables:
  price(colour): {rows: {red: 1, blue: 2}}
values:
  power(you): 2
  costs(card): card.cost + price(card.shade)
  open_now(): true
procedures:
  earn(number amount): gain amount gold
  pick():
    do: |
      choose one_card in you.hand
      return one_card
actions:
  act:
    if: turn.points > 0
    why: "You have {turn.points} points."
    do: |
      pay power(you) from turn.points
      let won be pick()
      earn(costs(won))
      run won
      run won.used
menus:
  main: {actions: [act], stop: "Stop"}
effects:
  spree:
    lasts: turn
    memory: {seen: card?}
    rules:
      - {change: power, plus: 1}
flow: |
  repeat 10 times:
    as each seats_from(first_player):
      during turn(you):
        add top(deck) to turn.shown
        draw 1 from deck to you.hand
        move 1 gem from bag to you.ship as won
        if open_now() and size(won) > 0 and size(you.shelf) is 0: begin spree()
        open main
setup: shuffle deck
end:
  score: you.gold
"""


def problems_of(text: str) -> tuple[Model | None, list[Diagnostic]]:
    problems = Problems()
    file = schema.shape(source.read("ruleset.yaml", text, problems), schema.File, problems)
    model = check([("ruleset.yaml", file)], problems) if file is not None else None
    return model, problems.sorted()


def told(text: str) -> list[Diagnostic]:
    return problems_of(text)[1]


def effect(body: str) -> str:
    """The demo with one more action, whose effect is `body`."""
    lines = "\n".join(f"      {line}" for line in body.strip("\n").split("\n"))
    text = BASE.replace("menus:\n", f"  trial:\n    do: |\n{lines}\nmenus:\n")
    return text.replace("[act]", "[act, trial]")


def value(text: str) -> str:
    return BASE.replace("values:\n", f"values:\n  trial(you): {text}\n").replace("score: you.gold", "score: trial(you)")


def words_at(text: str, problem: Diagnostic) -> str:
    return text.split("\n")[problem.line - 1][problem.column - 1 : problem.end_column - 1]


def test_the_demo_is_clean() -> None:
    model, found = problems_of(BASE)
    assert [str(p) for p in found] == []
    assert model is not None
    assert model.procedures["pick"].suspends and not model.procedures["earn"].suspends
    assert model.actions["act"].suspends
    assert str(model.procedures["pick"].gives) == "card"
    assert model.values["costs"].gives == NUMBER


WRONG_EFFECTS = [
    ("gain 3 golde", "unknown-resource", "golde"),
    ("gian 3 gold", "unknown-verb", "gian"),
    ('print "x"', "unknown-verb", "print"),
    ("discard comet", "unknown-verb", "discard"),
    ("earn(1, 2)", "wrong-count", "earn"),
    ("earn(you)", "wrong-type", "you"),
    ("ern(1)", "unknown-procedure", "ern"),
    ("power(you)", "value-as-sentence", "power"),
    ("gain pick() gold", "procedure-in-expression", "pick"),
    ("set you.golds to 3", "unknown-field", "golds"),
    ("set power(you) to 3", "cannot-set", "power(you"),
    ("set turn.pints to 3", "unknown-field", "pints"),
    ("set first_player to 3", "wrong-type", "3"),
    ("open mian", "unknown-menu", "mian"),
    ("end trun", "unknown-span", "trun"),
    ("during trun: gain 1 gold", "unknown-span", "trun"),
    ("begin spre()", "unknown-effect", "spre"),
    ("proceed", "no-proceed", "proceed"),
    ("need you is 3", "never-equal", "3"),
    ("need comet is gem", "never-equal", "gem"),
    ("let b be blue\nneed b is red", "ambiguous-symbol", "blue"),
    ("move comet to you.shelf", "wrong-zone", "you.shelf"),
    ("move comet to you.ship", "which-zone", "you.ship"),
    ("move 2 gms from bag to you.shelf", "unknown-kind", "gms"),
    ("move bolt to you.hand", "not-single", "bolt"),
    ("shuffle you", "which-zone", "you"),
    ("flip comet", "no-faces", "comet"),
    ("gain 1 gold\npay 1 gold", "late-payment", "pay"),
    ('gain 1 gold\nneed you.gold > 1, "Gold."', "late-need", 'you.gold > 1, "Gold."'),
    ("for each p in players: pay 1 gold", "late-payment", "pay"),
    ("let x be 1\nlet x be 2\ngain x gold", "shadowed-name", "x"),
    ("let x be 1\nduring turn(you): set x to 2\ngain x gold", "changed-inside-span", "x"),
    ("for each p in players: set p to you", "set-parameter", "p"),
    ("say \"{you.gld} gold\"", "unknown-field", "gld"),
    ("return 3", "return-value", "3"),
    ("choose a, b in you.hand", "syntax", ","),
    ("choose 2 a in you.hand, b in you.hand", "too-many-names", "b"),
    ("as players: gain 1 gold", "wrong-type", "players"),
    ("remove comet", "missing-part", "remove"),
    ("level(you, calm)", "unknown-procedure", "level"),
    ("add 1 to level(you, calm)", "wrong-type", "calm"),
    ("roll 2d6 as hit\nif hit > comet: gain 1 gold", "wrong-type", "comet"),
    ("fix_rolls 3", "unknown-verb", "fix_rolls"),
    ("gain 2d6 gold", "dice-in-expression", "2d6"),
    ("run you", "wrong-type", "you"),
    ("let x be earn(1)", "no-result", "earn"),
    ("move comet to hand", "whose", "hand"),
]


@pytest.mark.parametrize(("body", "code", "word"), WRONG_EFFECTS)
def test_one_cause_one_diagnostic_at_its_word(body: str, code: str, word: str) -> None:
    text = effect(body)
    found = [p for p in told(text) if p.severity == "error"]
    assert [(p.code, words_at(text, p)) for p in found] == [(code, word)]


WRONG_VALUES = [
    ("you.gold + you", "wrong-type", "you"),
    ("sum(c.cost in you.hand)", "syntax", "in"),
    ("sum(c.cots for c in you.hand)", "unknown-field", "cots"),
    ("size(most(c in you.hand))", "missing-part", "most"),
    ("sise(you.hand)", "unknown-function", "sise"),
    ("trial(you) + 1", "circular-value", "trial"),
    ("this.cost", "no-this", "this"),
    ("it.cost", "no-it", "it"),
    ("count(c in you)", "wrong-type", "you"),
    ("1 if you.gold else 2", "wrong-type", "you.gold"),
    ("1 if you.gold > 0 else you", "wrong-type", "you"),
    ("size([1, you])", "wrong-type", "you"),
    ("may_now(you, \"x\")", "scenario-only", "may_now"),
]  # fmt: skip


@pytest.mark.parametrize(("is_", "code", "word"), WRONG_VALUES)
def test_values(is_: str, code: str, word: str) -> None:
    text = value("'" + is_ + "'")
    found = [p for p in told(text) if p.severity == "error"]
    assert [(p.code, words_at(text, p)) for p in found] == [(code, word)]


RULES = [
    ("change: powr\n  plus: 1", "unknown-value"),
    ("change: power\n  plus: true", "wrong-type"),
    ("change: power\n  allow: true", "wrong-type"),
    ("change: power", "bad-rule"),
    ("when: after ern\n  do: gain 1 heat", "unknown-procedure"),
    ("when: during earn\n  do: gain 1 heat", "bad-hook"),
    ("when: after earn\n  do: set it.amount to 1", "set-event"),
    ("when: after earn\n  do: gain it.amont heat", "unknown-field"),
    ("offers: at\n  in: main", "unknown-action"),
    ("offers: act\n  in: man", "unknown-menu"),
    ("change: power\n  becomes: 1\n- change: power\n  becomes: 2", "two-replacements"),
]


@pytest.mark.parametrize(("rule", "code"), RULES)
def test_rules(rule: str, code: str) -> None:
    text = BASE + "rules:\n- " + rule + "\n"
    assert [p.code for p in told(text) if p.severity == "error"] == [code]


def test_a_change_for_everybody_must_say_whose() -> None:
    text = BASE.replace("{change: power, plus: 1}", "{change: open_now, forbid: true}")
    assert "whose-missing" in [p.code for p in told(text)]
    text = BASE.replace("{change: power, plus: 1}", "{change: open_now, forbid: true, whose: all}")
    assert [p.code for p in told(text)] == []


def test_lasts() -> None:
    assert [p.code for p in told(BASE.replace("lasts: turn", "lasts: 2 turns"))] == []
    assert [p.code for p in told(BASE.replace("lasts: turn", "lasts: trun"))] == ["unknown-span"]


def test_a_before_rule_may_set_its_event() -> None:
    text = BASE + "rules:\n- when: before earn\n  do: set it.amount to it.amount + 1\n"
    model, found = problems_of(text)
    assert found == [] and model is not None
    assert [r.op for r in model.procedures["earn"].hooks] == ["before"]


def test_hooks_and_slots_carry_suspension() -> None:
    text = BASE + 'rules:\n- when: after earn\n  do: |\n    may "More": gain 1 gold\n'
    model, _ = problems_of(text.replace("pay power(you) from turn.points", "earn(1)"))
    assert model is not None and model.actions["act"].suspends
    other = BASE.replace("used: lose 1 heat", 'used: |\n        may "Cool": lose 1 heat')
    extra = "procedures:\n  burn(card): run card.used\n"
    model, _ = problems_of(other.replace("procedures:\n", extra))
    assert model is not None and model.procedures["burn"].suspends


def test_unused_things_are_warned_of() -> None:
    text = BASE.replace("values:\n", "values:\n  idle(you): 3\n")
    assert [(p.code, p.severity, words_at(text, p)) for p in told(text)] == [("unused-declaration", "warning", "idle(you)")]
    text = effect("let x be 3\ngain 1 gold")
    assert [(p.code, words_at(text, p)) for p in told(text)] == [("unused-name", "x")]


def test_essentials() -> None:
    text = BASE[: BASE.index("flow:")]
    assert sorted(p.code for p in told(text)) == ["missing-end", "missing-flow"]


def test_inherited_conditions_come_first() -> None:
    text = BASE.replace("menus:\n", "  family:\n    abstract: true\n    if: you.gold > 1\nmenus:\n")
    text = text.replace("  act:\n", "  act:\n    like: family\n")
    model, found = problems_of(text)
    assert model is not None and [str(p) for p in found] == []
    act = model.actions["act"]
    assert act.families == ["family"] and len(act.tests) == 2
    assert act.tests[0][0].place.line > act.tests[1][0].place.line


def test_scenarios() -> None:
    model, _ = problems_of(BASE)
    assert model is not None
    problems = Problems()
    node = source.read("s.yaml", "given: |\n  set bo.gold to 3\n  fix_rolls 3, 4\n  stack deck with [bolt, comet]\n", problems)
    leaf = next(iter(schema.plain(node).values()))  # type: ignore[arg-type]
    made = check_scenario_given(model, leaf, {"ada": 0, "bo": 1}, problems)
    assert [x.op for x in made.code] == ["set", "fix_rolls", "stack"]
    assert check_expression(model, "bo.gold", {"ada": 0, "bo": 1}, problems).type == NUMBER
    check_expression(model, "bo.gold is 3 and not may_now(ada, \"act\")", {"ada": 0, "bo": 1}, problems)
    assert len(problems) == 0
    check_expression(model, "boo.gold is 3", {"ada": 0, "bo": 1}, problems)
    assert [p.code for p in problems.sorted()] == ["unknown-name"]


def test_hidden_zones_are_noticed() -> None:
    model, _ = problems_of(BASE)
    assert model is not None
    names = {"ada": 0}
    assert reads_hidden(check_expression(model, "size(ada.hand)", names, Problems()), model)
    assert not reads_hidden(check_expression(model, "size(ada.shelf)", names, Problems()), model)


def test_set_fields_live_in_the_state() -> None:
    model, _ = problems_of(effect("for each c in you.hand: set c.cost to 3"))
    assert model is not None
    fields = model.kinds["card"].fields
    assert fields["cost"].changed and not fields["shade"].changed and fields["loaded"].changed


def test_nothing_makes_it_fall() -> None:
    deep = " + ".join(["1"] * 1500)
    assert "too-deep" in [p.code for p in told(value(f"'{deep}'"))]
    nested = "\n".join("  " * n + "if open_now():" for n in range(40)) + "\n" + "  " * 40 + "gain 1 gold"
    assert "too-deep" in [p.code for p in told(effect(nested))]
    chain = "".join(f"  v{n}(): v{n + 1}()\n" for n in range(900)) + "  v900(): v0()\n"
    codes = [p.code for p in told(BASE.replace("values:\n", "values:\n" + chain))]
    assert codes and set(codes) <= {"too-deep", "circular-value", "unused-declaration"}
