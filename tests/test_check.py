# ruff: noqa: E501
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
    return BASE.replace("values:\n", f"values:\n  trial(you): {text}\n").replace(
        "score: you.gold", "score: trial(you)"
    )


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
    ('say "{you.gld} gold"', "unknown-field", "gld"),
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
    assert [(p.code, p.severity, words_at(text, p)) for p in told(text)] == [
        ("unused-declaration", "warning", "idle(you)")
    ]
    text = effect("let x be 3\ngain 1 gold")
    assert [(p.code, words_at(text, p)) for p in told(text)] == [("unused-name", "x")]


def test_what_belongs_to_an_effect_stays_there() -> None:
    inner = "    memory: {seen: card?}\n    values: {secret(): seen is none}\n"
    text = BASE.replace("    memory: {seen: card?}\n", inner).replace(
        "{change: power, plus: 1}", "{change: power, if: secret(), plus: 1}"
    )
    assert [str(p) for p in told(text)] == []
    text = text.replace("if: turn.points > 0", "if: secret()")
    assert [(p.code, words_at(text, p)) for p in told(text)] == [("out-of-effect", "secret")]


def test_may_pay_is_labelled_by_its_words() -> None:
    model, found = problems_of(effect("may pay 1 gold: gain 1 heat"))
    assert model is not None and found == []
    (asked,) = model.actions["trial"].code
    assert asked.op == "may" and asked.a[1].a == (("Pay 1 gold",),)
    assert [x.op for x in asked.a[2]] == ["pay", "gain"]


def test_handing_over_is_no_payment_and_values_may_be_zones() -> None:
    assert told(effect("gain 1 heat\nfor each p in players: move 1 gold from p to you")) == []
    text = effect("for each c in mine(you): move c to mine(you.opponent)")
    assert told(text.replace("values:\n", "values:\n  mine(you): you.hand\n")) == []


def test_habits_of_other_languages_get_a_word() -> None:
    (problem,) = told(value("len(you.hand)"))
    assert problem.code == "unknown-function" and problem.suggestion == "did you mean `size`?"
    (problem,) = told(effect("as me: gain 1 gold"))
    assert problem.code == "unknown-name" and problem.suggestion == "did you mean `you`?"


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
    node = source.read(
        "s.yaml",
        "given: |\n  set bo.gold to 3\n  fix_rolls 3, 4\n  stack deck with [bolt, comet]\n",
        problems,
    )
    leaf = next(iter(schema.plain(node).values()))  # type: ignore[arg-type]
    made = check_scenario_given(model, leaf, {"ada": 0, "bo": 1}, problems)
    assert [x.op for x in made.code] == ["set", "fix_rolls", "stack"]
    assert check_expression(model, "bo.gold", {"ada": 0, "bo": 1}, problems).type == NUMBER
    check_expression(model, 'bo.gold is 3 and not may_now(ada, "act")', {"ada": 0, "bo": 1}, problems)
    assert len(problems) == 0
    check_expression(model, "boo.gold is 3", {"ada": 0, "bo": 1}, problems)
    assert [p.code for p in problems.sorted()] == ["unknown-name"]


def test_hidden_zones_are_noticed() -> None:
    model, _ = problems_of(BASE)
    assert model is not None
    names = {"ada": 0}
    assert reads_hidden(check_expression(model, "any(c in ada.hand where c.cost > 1)", names, Problems()), model)
    assert not reads_hidden(check_expression(model, "size(ada.hand)", names, Problems()), model)
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


def test_rulesets_like_the_great_ones_are_clean() -> None:
    assert [str(p) for p in told(TRADE)] == []
    assert [str(p) for p in told(SUN) if p.code != "unused-declaration"] == []


TRADE = """\
ruleset: small_ambourella
players: 2
symbols:
  place: [surface, orbit]
game:
  has: {youngest: player, first_player: player}
resources:
  megagalax: {of: player, low: 0, high: 70}
kinds:
  planet: {has: {rank: number, dots_outside: number}}
  ship: {per_player: 1, has: {at: planet, height: place}}
  goods:
    many: goods
    count: 30
    starts: goods_pile
    faces: {upper: {destination: planet, worth: number}, lower: {destination: planet, worth: number}}
    seen_by: {upper: all, lower: nobody}
  card: {abstract: true, has: {owner: player, destination: planet?, neutralisable: truth}}
  technology: {like: card}
  intervention: {like: card}
  container: {like: technology}
components:
  planet:
    table: |
      id        | name      | rank | dots_outside
      coronis   | Coronis   | 1    | 1
      naginther | Naginther | 2    | 1
      dahkit    | Dahkit    | 3    | 0
  container:
    crate: {copies: 3}
  technology:
    replenishment: {copies: 3}
    orbital_station:
      rules:
        - change: can_act_here
          allow: you.ship.height is orbit and turn.from_orbit is 0
        - when: after planetary_action
          do: |
            if you.ship.height is orbit: add 1 to turn.from_orbit
    hyperjump_inward:
      rules:
        - {offers: hyperjump_in, in: turn_start}
  intervention:
    passenger:
      copies: 6
      neutralisable: false
      do: |
        need you.ship.at is this.destination and you.ship.height is surface, "Passenger: be on its planet {this.destination}."
        earn(3)
    agent_infiltration: {do: begin extra_planetary()}
    on_board_transmitter:
      do: |
        choose mine in you.containers, theirs in opponent.containers where size(mine.cargo) > 0 and size(theirs.cargo) > 0
        swap mine.cargo with theirs.cargo
    transmitter_gate:
      do: |
        swap you.ship.at with opponent.ship.at
        swap you.ship.height with opponent.ship.height
        if flight is not none and you.ship.height is surface: end flight
    hyperstorm_release:
      do: |
        move you.hand to you.discard_pile
        move you.discard_pile to you.draw_pile
        shuffle you.draw_pile
        draw 5 from you.draw_pile to you.hand
        end turn
    sun_tunneling:
      do: |
        need flight is not none, "Only during a flight."
        need you.ship.height is orbit and you.ship.at is innermost()
        pay 1 from flight.energy
        set you.ship.at to outermost()
effects:
  extra_planetary:
    lasts: turn
    rules:
      - {change: planetary_limit, plus: 1}
zones:
  goods_pile: {holds: goods, order: stack, seen_by: nobody}
  draw_pile: {of: player, holds: card, order: stack, seen_by: nobody, refill: discard_pile}
  hand:      {of: player, holds: card, seen_by: owner}
  discard_pile: {of: player, holds: card, order: stack, seen_by: all}
  technologies: {of: player, holds: technology, seen_by: all, in_play: true}
  goods_here:   {of: planet, holds: goods, seen_by: all, at_most: rank + 10}
  cargo:        {of: container, holds: goods, seen_by: all}
spans:
  turn(you): {has: {flights: number, planetary: number, interventions: number, price: number, from_orbit: number}}
  flight(number energy): {}
values:
  planets_in_row(): all(p in planet by p.rank)
  innermost(): first(planets_in_row())
  outermost(): last(planets_in_row())
  next_in(planet): the(p in planet where p.rank is planet.rank - 1)
  next_out(planet): the(p in planet where p.rank is planet.rank + 1)
  containers(you): all(c in container where c.zone is you.technologies)
  replenishments(you): 1 + count(t in you.technologies where t.name is replenishment)
  flight_limit(you): 1
  planetary_limit(you): 2
  intervention_limit(you): 2
  can_act_here(you): {is: you.ship.height is surface}
  outward_cost(planet): {is: 1 + planet.dots_outside}
procedures:
  earn(number amount):
    do: |
      gain amount megagalax
      if you.megagalax is 70: end game
  load_at(planet):
    do: |
      choose box_card in you.containers where count(g in box_card.cargo) is 0
      choose heap in groups(g in planet.goods_here by g.destination)
      move heap to box_card.cargo
  unload(container):
    do: |
      let here be you.ship.at
      let load be all(g in container.cargo)
      let bonus be size(load) if size(here.goods_here) is 0 else 0
      earn(sum(g.worth for g in load) + bonus)
      flip load
      move load to here.goods_here
      remove_pair(load)
  remove_pair(set of goods turned):
    do: |
      let pairs be all(heap in groups(g in turned by g.destination) where size(heap) >= 2)
      if size(pairs) > 0:
        choose heap in pairs
        choose 2 gone in heap
        move gone to box
        if count(g in goods where g.zone is not box) is 0: end game with "No goods are left."
  play(intervention card):
    do: |
      move card to you.discard_pile
      if card.neutralisable:
        may choose answer in opponent.hand where answer.name is card.name by opponent
        if answer is not none:
          move answer to opponent.discard_pile
          return
      run card
actions:
  fly:
    if: turn.flights < you.flight_limit
    do: |
      add 1 to turn.flights
      roll 1d6 as energy
      let latest be energy
      repeat up to 60 times while latest is 1:
        roll 1d6 as latest
        set energy to energy + latest
      during flight(energy):
        open flight_steps
  lift_off:
    if: you.ship.height is surface
    do: |
      pay 1 from flight.energy
      set you.ship.height to orbit
  inward:
    if: you.ship.height is orbit and next_in(you.ship.at) is not none
    do: |
      pay 1 from flight.energy
      set you.ship.at to next_in(you.ship.at)
  outward:
    if: you.ship.height is orbit and next_out(you.ship.at) is not none
    do: |
      pay outward_cost(you.ship.at) from flight.energy
      set you.ship.at to next_out(you.ship.at)
  load:
    like: planetary_action
    do: load_at(you.ship.at)
  unload_container:
    like: planetary_action
    do: |
      choose crate in you.containers where any(g in crate.cargo where g.destination is you.ship.at)
      unload(crate)
  buy:
    like: planetary_action
    do: |
      choose card in you.hand where card is technology
      pay turn.price megagalax
      move card to you.technologies
  planetary_action:
    abstract: true
    if: you.can_act_here and turn.planetary < you.planetary_limit
    why: "You have taken {turn.planetary} of {you.planetary_limit} planetary actions."
  intervene:
    if: turn.interventions < you.intervention_limit
    do: |
      choose card in you.hand where card is intervention and can run(card)
      add 1 to turn.interventions
      play(card)
  hyperjump_in:
    do: |
      set you.ship.at to innermost()
      set you.ship.height to orbit
menus:
  flight_steps: {actions: [lift_off, inward, outward, intervene, load, unload_container, buy], stop: "Stop here"}
  turn_actions: {actions: [fly, load, unload_container, buy, intervene], stop: "End the turn"}
  turn_start:   {actions: [], picks: 1, stop: "No hyperjump"}
rules:
  - when: after planetary_action
    do: |
      add 1 to turn.planetary
      if flight is not none: end flight
flow: |
  repeat 200 times:
    as each seats_from(first_player):
      during turn(you):
        set turn.price to size(you.technologies)
        open turn_start
        open turn_actions
        choose any number of unwanted in you.hand
        move unwanted to you.discard_pile
        draw min([you.replenishments, 5 - size(you.hand)]) from you.draw_pile to you.hand
setup: |
  for each p in planet:
    draw 5 from goods_pile to p.goods_here
    for each g in p.goods_here where g.destination is p: flip g
  as each players:
    shuffle you.draw_pile
    draw 5 from you.draw_pile to you.hand
  let chooser be youngest
  choose one by youngest:
    "Take the first turn":
      set first_player to youngest
      set chooser to the(p in players where p is not youngest)
    "Choose the planet":
      set first_player to the(p in players where p is not youngest)
  choose start_planet in planet by chooser
  for each s in ship:
    set s.at to start_planet
end:
  score: you.megagalax
  wins: most(p in most(p in players by p.megagalax) by size(p.technologies))
table:
  - "Megagalax: {viewer.megagalax:>4}"
  - each: p in planets_in_row() where p.rank > 0
    lines: ["{p:12} {size(p.goods_here)}"]
"""

SUN = """\
ruleset: small_sol
players: 2 to 5
symbols:
  layer: [outer, inner, convective, radiative, core, heart]
  suit: [flare, compression, emanation]
  ring_way: [clockwise, counterclockwise]
game: {has: {first_player: player}}
resources:
  energy: {of: player}
  momentum: {of: player}
  instability: {of: game, start: 13}
options:
  vestigial: {start: false}
kinds:
  space: {has: {layer: layer}, many: spaces}
  eye: {has: {beside: list of space}}
  barrier: {has: {a: space, b: space, wall: truth}}
  sundiver: {per_player: 13, starts: reserve}
  station:  {has: {owner: player}, abstract: true}
  node:     {like: station, per_player: 3, starts: reserve}
  foundry:  {like: station, per_player: 3, starts: reserve}
  tower:    {like: station, per_player: 3, starts: reserve}
  gate:     {per_player: 5, starts: reserve}
  mothership: {per_player: 1}
  card: {has: {suit: suit}, starts: deck}
  effect_card: {has: {suit: suit}}
components:
  space:
    table: |
      id | layer
      s1 | outer
      s2 | inner
      s3 | core
  eye:
    e1: {beside: [s1]}
    e2: {beside: [s2]}
  barrier:
    table: |
      id | a | b | wall
      b1 | s1 | s2 | true
      b2 | s2 | s3 | false
  card:
    flare_card: {suit: flare, copies: 13}
  effect_card:
    accelerate:
      suit: compression
      do: |
        choose n in 1 to size(orbit) - 1
        for each m in mothership: move m to step(m.eye, counterclockwise, n)
    augment: {suit: emanation, do: begin augmenting()}
    chain:
      suit: emanation
      do: |
        let links be pick_chain()
        let odd be true
        for each link in links:
          as link.owner: gain 1 momentum
          if odd: recall(link)
          set odd to not odd
      procedures:
        pick_chain():
          do: |
            choose d in sundiver where d.space is not none
            let links be [d]
            repeat up to 65 times:
              may choose next in sundiver where next.space is in neighbours(last(links).space) and not any(l in links where l.space is next.space):
                add next to links
              else: return links
            return links
    cascade:
      suit: compression
      do: |
        during extra_convert():
          begin recalled_instead()
          open conversions
    tribute:
      suit: compression
      do: |
        choose s in stations_of(you)
        for each d in s.space.divers where d.owner is not you:
          move_energy(d.owner)
    procreate:
      suit: compression
      do: |
        let sites be all(s in spaces where count(d in s.divers where d.owner is you) >= 2)
        need size(sites) > 0 and count(d in you.reserve where d is sundiver) >= size(sites), "One sundiver for every such space, or none."
        for each s in sites: move 1 sundiver from you.reserve to s
    invade:
      suit: compression
      do: |
        choose target in station where target.space is not none and target.owner is not you
        let price be 3 if target is tower else 2
        let site be target.space
        choose price spent in site.divers where spent.owner is you
        choose mine in you.reserve where kind_of(mine) is kind_of(target)
        for each d in spent: sacrifice(d)
        move target to target.owner.reserve
        move mine to site.stations
        as target.owner:
          move min([price, count(d in you.reserve where d is sundiver)]) sundivers from you.reserve to you.hold
        owe(cards_for(site.layer))
zones:
  hold:    {of: player, holds: [sundiver, card]}
  reserve: {of: player, holds: [sundiver, station, gate]}
  deck:    {holds: card, order: stack, seen_by: nobody}
  discards: {holds: card, order: stack}
  drawn:   {of: player, holds: card}
  divers: {of: space, holds: sundiver}
  stations: {of: space, holds: station, at_most: 1}
  gates: {of: barrier, holds: gate, at_most: 1}
  docked: {of: eye, holds: mothership}
boards:
  sun: {of: space, rings: layer, edges: barrier}
  orbit: {of: eye, ring: true}
tables:
  base(kind, layer):
    rows: |
      kind    | outer | inner | convective | radiative | core
      node    | 1     | 1     | 2          | 3         | 5
      foundry | 1     | 1     | 2          | 3         | 5
      tower   | 1     | 1     | 2          | 3         | 5
  cards_for(layer): {rows: {outer: 0, inner: 0, convective: 1, radiative: 2, core: 3}}
  augment_step(layer): {rows: {outer: 1, inner: 1, convective: 1, radiative: 2, core: 3}}
spans:
  turn(you): {has: {due: number, hurled: number, tolls: set of player, converted: station?, activated: set of station, played: truth}}
  move_phase(number points): {}
  extra_convert(): {}
values:
  divers_of(you): all(d in sundiver where d.owner is you and d.space is not none)
  stations_of(you): all(s in station where s.owner is you and s.space is not none)
  holds_layer(you, layer): any(s in stations_of(you) where s.space.layer is layer)
  movement_points(you): 3 + count(l in [outer, inner, convective, radiative, core] where holds_layer(you, l))
  below(layer): shift(layer, 1)
  inward(space): all(s in neighbours(space) where s.layer is below(space.layer))
  border(space a, space b): the(e in barrier where a is in [e.a, e.b] and b is in [e.a, e.b])
  gate_between(space a, space b): the(g in border(a, b).gates)
  blocked(you, space a, space b): {is: "border(a, b) is not none and border(a, b).wall"}
  gate_used(you, space a, space b): gate_between(a, b) if blocked(you, a, b) else none
  passable(you, piece, space goal): not blocked(you, piece.space, goal) or gate_between(piece.space, goal) is not none
  flyers(you): divers_of(you)
  may_fly(you, piece): true
  steps_from(you, space): all(s in neighbours(space) where s.layer is not heart)
  step_cost(you, piece, space goal): 1
  base_reward(you, station): base(kind_of(station), station.space.layer)
  cards_due(you, station): cards_for(station.space.layer)
  activation_types(you): 1
  suits_in_deck(): {is: size(players) + (0 if vestigial else 1)}
procedures:
  recall(sundiver diver): move diver to diver.owner.hold
  sacrifice(sundiver diver): {do: move diver to diver.owner.reserve}
  vaporise(piece): {do: move piece to box}
  owe(number cards): add cards to turn.due
  move_energy(player): move min([1, player.energy]) energy from player to you
  fly(piece, space goal):
    do: |
      let used be gate_used(you, piece.space, goal)
      move piece to goal.divers
      if used is not none: cross(piece, used)
  cross(piece, gate):
    do: |
      if gate.owner is not you and gate.owner is not in turn.tolls:
        add gate.owner to turn.tolls
        as gate.owner: gain 1 energy
  hurl(piece):
    do: |
      vaporise(piece)
      gain 2 momentum
      owe(1)
      add 1 to turn.hurled
  raise(kind type, space site):
    do: |
      need size(site.stations) is 0, "One station per space."
      move 1 type from you.reserve to site.stations as built
      owe(cards_for(site.layer))
      set turn.converted to first(built)
  serve(station, number amount):
    do: |
      if station is node:
        gain amount energy
      else if station is foundry:
        pay amount energy
        build_divers(amount)
      else:
        pay amount energy
        gain amount momentum
  build_divers(number amount): move amount sundivers from you.reserve to you.hold
  activate(station):
    do: |
      need station is not in turn.activated, "Each station once per turn."
      serve(station, base_reward(you, station))
      add station to turn.activated
      offer_bonus(station)
  offer_bonus(station):
    do: |
      let amount be base_reward(you, station)
      let taken be false
      as station.owner:
        may "Take the bonus of {amount}":
          serve(station, amount)
          set taken to true
      if not taken and station.owner is not you:
        may "Take the bonus that {station.owner} left": serve(station, amount)
  draw_card():
    do: |
      let card be top(deck)
      move card to you.drawn
      if card.suit is flare:
        if turn.hurled > 0: gain 1 momentum
        burst()
      if turn.hurled > 0: add -1 to turn.hurled
      return card
  draw_due():
    do: |
      repeat turn.due times:
        draw_card()
      if size(you.drawn) > 0:
        choose kept in you.drawn
        move kept to you.hold
        move you.drawn to discards
  burst():
    do: |
      add -1 to instability
      as each seats_from(active):
        if you.energy >= 13: lose half_down(you.energy) energy
      as each seats_from(active):
        for each s in stations_of(you) where s.space.layer is outer in any order:
          may "Orbital activation of {s}":
            serve(s, base_reward(you, s))
            offer_bonus(s)
      if instability is 0: end game
actions:
  move_action:
    do: |
      during move_phase(you.movement_points):
        open move_steps
  fly_piece:
    do: |
      choose piece in flyers(you), goal in steps_from(you, piece.space) where may_fly(you, piece) and passable(you, piece, goal)
      pay step_cost(you, piece, goal) from move_phase.points
      fly(piece, goal)
  hurl_piece:
    do: |
      choose piece in flyers(you) where piece.space.layer is core and may_fly(you, piece)
      pay 1 from move_phase.points
      hurl(piece)
  convert_action: {do: open conversions}
  convert_node:
    do: |
      choose a in divers_of(you), b in divers_of(you) where b.space is step(a.space, clockwise, 2)
      raise(node, step(a.space, clockwise, 1))
      sacrifice(a)
      sacrifice(b)
  convert_foundry:
    do: |
      choose a in divers_of(you), b in divers_of(you), site in [a.space, b.space] where b.space is step(a.space, clockwise, 1)
      raise(foundry, site)
      sacrifice(a)
      sacrifice(b)
  convert_tower:
    do: |
      choose a in divers_of(you), b in divers_of(you), c in divers_of(you) where b.space is in inward(a.space) and c.space is in inward(b.space)
      raise(tower, c.space)
      for each d in [a, b, c]: sacrifice(d)
  activate_action:
    do: |
      choose up to activation_types(you) types in [node, foundry, tower]
      for each s in station where kind_of(s) is in types and s.space is not none in any order:
        may "Activate {s}":
          choose diver in s.space.divers where diver.owner is you
          recall(diver)
          activate(s)
          owe(cards_due(you, s))
  play_card:
    if: not turn.played
    do: |
      choose card in you.hold, effect in effect_card where card is card and effect.suit is card.suit and can run(effect)
      set turn.played to true
      move card to discards
      run effect
menus:
  main_actions: {actions: [move_action, convert_action, activate_action], picks: 1}
  move_steps:   {actions: [fly_piece, hurl_piece, play_card], stop: "Stop moving"}
  conversions:  {actions: [convert_node, convert_foundry, convert_tower], picks: 1}
flow: |
  repeat 1000 times:
    as each seats_from(first_player):
      during turn(you):
        if not any(d in sundiver where d.owner is you and d.zone is not you.reserve and d.zone is not box):
          let old be first(stations_of(you))
          move old to you.reserve
        open main_actions
        draw_due()
      move you.mothership to step(you.mothership.eye, counterclockwise, 1)
setup: |
  shuffle deck
modules:
  vestiges:
    when: vestigial
    rules:
      - when: after setup
        do: |
          as each seats_from(first_player):
            choose a in spaces, b in inward(a) where a.layer is inner and gate_between(a, b) is none
            move 1 gate from you.reserve to border(a, b)
            choose piece in you.reserve, site in spaces where piece is station and site.layer is in [outer, inner, convective] and size(site.stations) is 0
            move piece to site.stations
effects:
  augmenting:
    lasts: turn
    memory: {target: station?}
    rules:
      - when: before activate
        if: target is none
        do: |
          may "Augment {it.station}": set target to it.station
      - change: base_reward
        if: it.station is target
        plus: size(it.station.space.divers) * augment_step(it.station.space.layer)
  recalled_instead:
    lasts: extra_convert
    rules:
      - {when: instead of sacrifice, do: recall(it.diver)}
  catapult:
    lasts: turn
    memory: {flung: set of sundiver}
    rules:
      - change: step_cost
        if: it.piece is not in flung and gate_used(you, it.piece.space, it.goal) is not none
        becomes: 0
      - {when: after cross, do: add it.piece to flung}
  hyperdrive:
    lasts: turn
    memory: {mover: sundiver?, flown: number}
    rules:
      - {change: movement_points, times: 2}
      - {change: may_fly, forbid: mover is not none and it.piece is not mover}
      - {change: flyers, if: mover is not none, becomes: "[]"}
      - when: after fly
        do: |
          set mover to it.piece
          add 1 to flown
      - {when: after move_phase, do: gain flown // 3 energy}
  metamorphosis:
    lasts: 2 turns
    times: 1
    rules:
      - when: after activate
        if: it.station.owner is you
        do: |
          may choose other in you.reserve where other is station and kind_of(other) is not kind_of(it.station):
            swap it.station with other
  pillar:
    lasts: turn
    memory: {called: suit?}
    rules:
      - when: before draw_due
        do: |
          choose s in suit
          set called to s
      - {when: after draw_card, if: it.result.suit is called, do: gain 3 momentum}
  portal:
    lasts: turn
    values:
      linked(): union(m.eye.beside for m in mothership)
    rules:
      - {change: steps_from, if: it.space is in linked(), plus: linked()}
  squeeze:
    lasts: turn
    memory: {squeezed: station?, doubled: truth}
    rules:
      - {change: base_reward, if: it.station is squeezed and doubled, times: 2}
      - {change: cards_due, if: it.station is squeezed, becomes: 0}
      - when: instead of activate
        if: it.station.owner is you and squeezed is none
        do: |
          choose one:
            "Squeeze {it.station}":
              let flares be 0
              repeat cards_for(it.station.space.layer) times:
                let card be draw_card()
                if card.suit is flare: add 1 to flares
              set squeezed to it.station
              if flares > 0:
                serve(it.station, base_reward(you, it.station))
                move it.station to you.reserve
              else:
                set doubled to true
                proceed
            "Activate as usual": proceed
  fuel:
    lasts: turn
    times: 3
    rules:
      - {offers: burn, in: move_steps}
    actions:
      burn:
        do: |
          pay 1 energy
          add 3 to move_phase.points
end:
  score: you.momentum
"""
