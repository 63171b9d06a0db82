"""Where the time of a ruleset goes: a profiler for designers.

Takes rules, plays random games under Python's own profiler, and gives what each rule cost, by its line in
the ruleset. What the engine does for a rule (a draw, a shuffle, a look for options) counts as the rule's;
what no rule asked for is the engine's own.
"""

from __future__ import annotations

import cProfile
import random
import re
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ..bots import at_random, derive
from ..face import RuleError, Rules
from ..simulate import LONGEST, Plan, failures
from ..simulate import Row as Played
from . import reports
from .screen import Screen, count, pad, widths

ENGINE = "the engine itself"
PASSES = 30  # how deep the engine's own calls are handed on to the rule that caused them
FIGURES = ("own", "with calls", "calls a decision")
NAMES = {"do": "effect", "hook": "rule"}


@dataclass(frozen=True, slots=True)
class Row:
    """A rule and what it cost."""

    what: str
    name: str
    place: str
    own: float  # share of all time, without the rules that it calls
    total: float  # with them
    calls: float  # for each decision


@dataclass(frozen=True, slots=True)
class Profile:
    rules: Rules
    plan: Plan
    games: int  # that were played, to their end or until a rule failed
    decisions: int
    seconds: float
    rows: list[Row]
    failed: list[Played]

    @property
    def stopped(self) -> bool:
        """Whether there are fewer games than were planned."""
        return self.games < self.plan.games

    def data(self) -> dict[str, Any]:
        return {
            "ruleset": self.rules.name,
            "players": self.plan.players,
            "games": self.games,
            "stopped": self.stopped,
            "decisions": self.decisions,
            "seconds": round(self.seconds, 3),
            "rules": [
                {
                    "what": row.what,
                    "name": row.name,
                    "place": row.place,
                    "own": round(row.own, 5),
                    "total": round(row.total, 5),
                    "calls_per_decision": round(row.calls, 4),
                }
                for row in self.rows
            ],
            "errors": failures(self.plan, self.failed),
        }


def profile(rules: Rules, players: int, games: int, seed: int, options: Mapping[str, Any]) -> Profile:
    """Plays the games that `simulate` would play, and puts the costs together. Ctrl-C ends it early."""
    named = rules.name if rules.outside is None else rules.source.shown
    plan = Plan(named, players, seed, ("random",) * players, dict(options), games=games)
    rules = rules.apart()  # rules that are written into others could not be told from them
    clock = cProfile.Profile(time.process_time, builtins=False)  # others may use the machine too
    played = decisions = 0
    failed: list[Played] = []
    with suppress(RuleError):  # of the set-up: every game will tell
        rules.new(players, 0, dict(options))  # laying the table out is no rule's cost
    with suppress(KeyboardInterrupt):
        for number in range(games):
            own = derive(seed, number)
            chance = random.Random(derive(own, 0)).random
            made = 0
            clock.enable()
            try:
                game = rules.new(players, own, dict(options))
                while made < LONGEST and not game.over:
                    game.choose(at_random(game, chance))
                    made += 1
            except RuleError as error:
                failed.append(Played(number, own, made, error=str(error)))
            finally:
                clock.disable()
                decisions += made
            played += 1
    entries: list[Any] = clock.getstats()
    seconds, rows = attribute(rules, entries, decisions)
    return Profile(rules, plan, played, decisions, seconds, rows, failed)


def attribute(rules: Rules, entries: list[Any], decisions: int) -> tuple[float, list[Row]]:
    """The profiler's entries, by rule. An engine's function hands its time to those who called it."""
    owner = _Owners(rules)
    own: dict[Any, float] = defaultdict(float)  # by rule; None is the engine
    total: dict[Any, float] = defaultdict(float)
    calls: dict[Any, dict[bool, int]] = defaultdict(lambda: {True: 0, False: 0})
    waiting: dict[Any, float] = {}  # time of engine functions that is not handed on yet
    callers: dict[Any, dict[Any, float]] = defaultdict(dict)
    seconds = 0.0
    for entry in entries:
        whose = owner.of(entry.code)
        seconds += entry.inlinetime
        if whose is None:
            waiting[entry.code] = entry.inlinetime
        else:
            own[whose] += entry.inlinetime
        for call in entry.calls or ():
            called = owner.of(call.code)
            callers[call.code][entry.code] = callers[call.code].get(entry.code, 0.0) + call.totaltime
            if called is not None and called == whose:
                total[called] -= call.totaltime  # a rule inside itself counts once
        if whose is not None:
            total[whose] += entry.totaltime
            door = owner.entry(entry.code)
            calls[whose][door] = max(calls[whose][door], entry.callcount)
    for _ in range(PASSES):
        passed: dict[Any, float] = defaultdict(float)
        for code, spent in waiting.items():
            shares = callers.get(code, {})
            whole = sum(shares.values())
            if not whole or not spent:
                own[None] += spent
                continue
            for caller, part in shares.items():
                whose = owner.of(caller)
                if whose is not None:
                    own[whose] += spent * part / whole
                else:
                    passed[caller] += spent * part / whole
        waiting = passed
    own[None] += sum(waiting.values())
    seconds = seconds or 1e-9
    many = decisions or 1
    rows = [
        Row(
            *owner.names(whose),
            spent / seconds,
            max(total[whose], spent) / seconds,
            (calls[whose][True] or calls[whose][False]) / many,
        )
        for whose, spent in own.items()
        if whose is not None
    ]
    rows.sort(key=lambda row: -row.own)
    rows.append(Row("", ENGINE, "", own[None] / seconds, 1.0, 0.0))
    return seconds, rows


class _Owners:
    """Which rule a function was made for: ("routine", number), ("rule", number), or None for the engine."""

    def __init__(self, rules: Rules) -> None:
        self.image = rules.image
        self.file = f"<rules of {rules.image['name']}>"
        self.bodies = {rule["body"]: rule["number"] for rule in self.image["rules"] if rule["body"] is not None}
        self.effects = {effect["number"]: effect["name"] for effect in self.image["effects"]}
        self.rules = {rule["number"]: rule for rule in self.image["rules"]}
        self.known: dict[Any, Any] = {}

    def of(self, code: Any) -> Any:
        if code not in self.known:
            self.known[code] = self._of(code)
        return self.known[code]

    def _of(self, code: Any) -> Any:
        if getattr(code, "co_filename", None) != self.file:
            return None
        name = code.co_name
        rule = re.fullmatch(r"(?:change|test)(\d+)", name)
        if rule is not None:
            return ("rule", int(rule[1]))
        number = self.image["function_routines"].get(name)
        if number is None:
            return None
        return ("rule", self.bodies[number]) if number in self.bodies else ("routine", number)

    def entry(self, code: Any) -> bool:
        """Whether a call of this function is a use of the rule, and not a look at a part of it."""
        name = code.co_name
        if re.fullmatch(r"change\d+", name):
            return True
        number = self.image["function_routines"].get(name)
        if number is None:
            return False
        routine = self.image["routines"][number]
        return name in (f"b{routine['block']}", routine["py"], f"base_{routine['py']}")

    def names(self, whose: Any) -> tuple[str, str, str]:
        sort, number = whose
        if sort == "rule":
            rule = self.rules[number]
            routines = self.image["routines"]
            source = self.effects.get(rule["effect"], "a rule")
            goal = rule["span"] or ", ".join(dict.fromkeys(routines[t]["name"] for t in rule["targets"]))
            return "rule", f"{source}: {rule['op']} {goal}".rstrip(), self._place(rule["place"])
        routine = self.image["routines"][number]
        what = NAMES.get(routine["what"], routine["what"])
        return what, routine["name"], self._place(routine["place"])

    def _place(self, number: int) -> str:
        file, line, _ = self.image["places"][number]
        return f"{file}:{line}"


def show(screen: Screen, found: Profile, most: int) -> None:
    title, how = found.rules.title, f"{count(found.plan.players, 'player')}, {count(found.games, 'game')} at random"
    if sum(widths([(title, "  ", how)])) <= screen.width:
        screen.line((title, "bold"), (f"  {how}", "dim"))
    else:
        screen.say(title, "bold")
        screen.say(how, "dim")
    if found.stopped:
        reports.stopped(screen, found.games, found.plan.games)
    screen.say(
        f"{count(found.decisions, 'decision')} in {found.seconds:.2f} s under the profiler, which slows them down;"
        " the shares tell more."
    )
    screen.gap()
    rules = [row for row in found.rows if row.name != ENGINE or row.what]
    _table(screen, [*rules[:most], *[row for row in found.rows if row not in rules]])
    if len(rules) > most:
        rest = sum(row.own for row in rules[most:])
        screen.say(f"and {count(len(rules) - most, 'rule')} more with {100 * rest:.1f} % together", "dim", "  ")
    reports.failures(screen, failures(found.plan, found.failed))


def _figures(row: Row) -> tuple[str, str, str]:
    if not row.place:
        return f"{100 * row.own:.1f} %", "", ""
    return f"{100 * row.own:.1f} %", f"{100 * row.total:.1f} %", f"{row.calls:.2f}"


def _table(screen: Screen, rows: Sequence[Row]) -> None:
    """A line for each rule; where that is too wide, its figures, and below them its name and its place."""
    figures = widths([FIGURES, *map(_figures, rows)])
    names = widths([("", "rule", "place"), *((row.what, row.name, row.place) for row in rows if row.place)])
    narrow = sum(figures) + sum(names) + 2 * len(figures + names) > screen.width

    def line(cells: Sequence[str], style: str = "") -> None:
        padded = [pad(cell, width, at < 3) for at, (cell, width) in enumerate(zip(cells, figures + names, strict=False))]
        screen.line(("  " + "  ".join(padded).rstrip(), style))

    line(FIGURES if narrow else (*FIGURES, "", "rule", "place"), "bold")
    for row in rows:
        if not narrow:
            line((*_figures(row), row.what, row.name, row.place))
            continue
        line(_figures(row))
        for words in filter(None, (f"{row.what} {row.name}".strip(), row.place)):
            screen.say(words, indent="    ", below="      ")
