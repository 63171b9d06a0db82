"""Random small rulesets in which an action demands several things in a row: what is offered can be carried through.

A ruleset comes of a seed: cards with prices in hands, open and aside, some of which can be run, and actions made of
choices, sets, conditions and payments that hang on each other.
"""

from __future__ import annotations

import random

from memory import loaded, rules
from trust import asked, lies

RULESET = """
ruleset: offers
players: 2
kinds:
  card: {abstract: true, starts: pile, has: {worth: number}}
  ware: {like: card, has: {price: number}}
  deed: {like: card}
components:
  ware:
    pin: {copies: 3, price: 0, worth: 0}
    pot: {copies: 3, price: 2, worth: 1}
    pan: {copies: 2, price: 5, worth: 2}
  deed:
    beg: {copies: 2, worth: 1, do: gain 1 coins}
    rob:
      copies: 3
      worth: 3
      do: |
        choose p in players where p is not you and p.coins > 1
        move 1 coins from p to you
zones:
  pile: {holds: card, order: stack, seen_by: nobody}
  open: {holds: card, order: stack}
  hand: {of: player, holds: card, seen_by: owner}
  aside: {of: player, holds: card, seen_by: SEEN}
resources: {coins: {start: 3}, luck: {start: 4LOW}}
values:
  rich(you): you.coins > 2
procedures:
  fee(card): pay card.worth coins
setup: |
  shuffle pile
  draw 3 from pile to open
  as each players: draw 3 from pile to you.hand
menus: {day: {actions: [take, MENU], picks: PICKS, stop: Rest}}
flow: |
  repeat 25 times:
    as each players: open day
end: {score: you.coins}
actions:
  take: {do: draw 1 from pile to you.hand, if: size(pile) > 0}
"""
ZONES = ("you.hand", "open", "you.aside")
GOALS = (*ZONES, "pile")
OF_ONE = (
    "", "a is ware", "a is deed", "a is ware and a.price > 1", "a is deed and can run(a)", "a.worth < you.coins + 2",
    "a is deed and a.worth is 1 and can run(a)",
)  # fmt: skip
DEMANDS_OF_ONE = (
    "need a.worth <= you.coins", 'need a.worth > you.luck, "No luck."', "pay a.worth coins", "need size(you.hand) > 2",
    "pay 1 coins", "pay a.worth luck", "need any(b in open where b.worth is a.worth)", "if a.worth > 1: pay 1 coins",
    "fee(a)", "need you.rich", "need not you.rich or a.worth > 1", "need you.coins < 3", "if you.rich: pay 1 luck",
)  # fmt: skip
HOW_MANY = ("2", "1 to 2", "1 to 3", "up to 2", "any number of", "3")
DEMANDS_OF_SETS = (
    "need sum(c.worth for c in s) >= {n}", "pay size(s) coins", "pay 2 * size(s) luck", "need every(c in s where c.worth > 0)",
    "need size(s) > 1", "need sum(c.worth for c in s) is 3", "need you.coins > 0", "need you.rich",
    "choose another in open where not any(c in s where c is another)",
)  # fmt: skip
DECISIONS = 150


def where(test: str) -> str:
    return f" where {test}" if test else ""


def action(dice: random.Random) -> list[str]:
    """The sentences of an action."""
    zone, goal, form = dice.choice(ZONES), dice.choice(GOALS), dice.choice(("one", "one", "set", "set", "two"))
    if form == "two":
        lines = [f"choose a in {zone}, b in open where b is not a and a.worth >= b.worth"]
        lines += ["need a.worth + b.worth > you.coins"] if dice.random() < 0.5 else []
        return [*lines, "move a to open", "move b to you.hand"]
    few = dice.randrange(4)
    if form == "one":
        test = dice.choice(OF_ONE)
        lines = [f"choose a in {zone}{where(test)}", *dice.sample(DEMANDS_OF_ONE, few), f"move a to {goal}"]
        return [*lines, "run a"] if "can run" in test else lines
    lines = [f"choose {dice.choice(HOW_MANY)} s in {zone}{where(dice.choice(('', 's is ware', 's.worth < 3')))}"]
    lines += [demand.format(n=dice.randint(1, 6)) for demand in dice.sample(DEMANDS_OF_SETS, few)]
    return [*lines, f"move s to {goal}", *dice.choice(([], ["gain size(s) coins"]))]


def ruleset(seed: int) -> str:
    dice = random.Random(f"offers {seed}")
    names = [f"act_{number}" for number in range(dice.randint(2, 5))]
    text = RULESET.replace("SEEN", dice.choice(("owner", "all"))).replace("LOW", dice.choice(("", ", low: -3")))
    text = text.replace("MENU", ", ".join(names)).replace("PICKS", dice.choice("12"))
    for name in names:
        text += f"  {name}: |\n" + "".join(f"    {line}\n" for line in action(dice))
    return text


def carried_through(seed: int) -> int:
    """A random ruleset is played at random, woven and with rules apart: no rule fails, and both say the same."""
    made = loaded({"ruleset.yaml": ruleset(seed)})
    assert not [p for p in made.problems if p.severity == "error"], made.problems
    both, decisions = rules(made), 0
    for number in range(3):
        woven, apart = both.new(2, number), both.apart().new(2, number)
        dice = random.Random(f"offers {seed} {number}")
        for _ in range(DECISIONS):
            assert asked(woven) == asked(apart) and lies(woven) == lies(apart), f"game {number}, decision {decisions}"
            if woven.over:
                break
            for word in ("take", "act_0", "act_1"):
                assert woven.why(word, woven.player) == apart.why(word, apart.player), f"why {word}"
            pick = dice.randrange(woven.count)
            woven.choose(pick)
            apart.choose(pick)
            decisions += 1
    return decisions
