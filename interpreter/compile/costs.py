"""How many steps a whole game can take at the most, where that can be said at all.

Takes the checked model, gives a number: a step for every turn of a loop and for every call, as if nobody
were ever asked and every branch were taken. Where it is small, nothing can run away, and the code needs no watch.
What is not known here (rules that change rules, clocks, planes, lists that grow) has no bound.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..ir import Ask, E, X
from ..model import Model, Routine

BOUNDLESS = 10**9
SMALL = 20_000  # steps of a whole game that need no watch; between two decisions there may be ten times as many
SHORT_LINE = 8
DEEP = 40  # routines inside each other that are looked through
PLAIN_SENTENCES = (
    "let", "need", "set", "gain", "lose", "pay", "pay_from", "give", "return", "end", "end_game", "say", "turn",
)  # fmt: skip
HEAD_SENTENCES = ("let", "need", "pay", "pay_from", "give", "say", "use")
PLAIN_FUNCTIONS = ("size", "first", "last", "top", "bottom", "the", "nth", "half_up", "half_down", "shift", "step")
SEARCHING_FUNCTIONS = ("sum", "max", "min", "join", "reverse")


class Costs:
    def __init__(self, compiler: Any) -> None:
        self.c = compiler
        self.model: Model = compiler.model
        self.sizes: dict[str, int] = {}  # of lists that have a name
        self.turned: dict[int, int] = {}  # how often loops go round, by the id of what they bind
        self.depth = 0
        self.known: dict[tuple[str, int], int] = {}  # what a routine or its head takes; boundless while it is looked at
        self.pieces: int = sum(compiler.most_pieces(k) for k, kind in self.model.kinds.items() if kind.parent is None)

    def small(self) -> bool:
        """Whether the whole game, and whatever may be asked about it at any time, takes few steps."""
        m = self.model
        if m.clocked or m.planes or m.rules or m.effects or any(menu.offers for menu in m.menus.values()):
            return False
        if any(span.hooks for span in m.spans.values()) or self.c.bounds.loops:
            return False
        game = sum(self.routine(r) for r in (m.setup, m.flow) if r is not None)
        asked = [self.routine(r) for r in (m.score, m.wins) if r is not None]
        asked += [self.head(r) for r in (*m.actions.values(), *m.procedures.values())]
        asked += [self.routine(r) for r in m.values.values()]
        asked += [self.drawing(m.drawing)]
        asked += [self.expressions([a.label, a.takes]) for a in m.actions.values()]
        asked += [self.expressions([menu.stop, menu.prompt]) for menu in m.menus.values()]
        asked += [self.expressions(zone.at_most) * self.pieces for zone in m.zones.values()]
        return game < SMALL and all(cost < SMALL for cost in asked)

    def routine(self, routine: Routine) -> int:
        """What a call takes."""
        if ("all", id(routine)) not in self.known:
            self.known["all", id(routine)] = BOUNDLESS
            if self.depth < DEEP:
                self.depth += 1
                code = routine.code if routine.code is not None else []
                made = self.expression(code) if isinstance(code, E) else self.body(code)
                self.depth -= 1
                self.known["all", id(routine)] = capped(1 + made + self.expressions([t for t, _ in routine.tests]))
        return self.known["all", id(routine)]

    def head(self, routine: Routine) -> int:
        """What it takes to say whether a routine can be run."""
        if ("head", id(routine)) not in self.known:
            self.known["head", id(routine)] = BOUNDLESS
            if self.depth < DEEP:
                self.depth += 1
                made = self.demands(routine.code or []) + self.expressions([t for t, _ in routine.tests])
                self.depth -= 1
                self.known["head", id(routine)] = capped(1 + made)
        return self.known["head", id(routine)]

    # ---- sentences ----

    def body(self, body: Iterable[X]) -> int:
        rest = list(body)
        total = 0
        while rest:
            st = rest.pop(0)
            total = capped(total + self.sentence(st, rest))
        return total

    def sentence(self, st: X, rest: list[X]) -> int:
        if st.op in PLAIN_SENTENCES:
            if st.op == "let" and st.a[1].type.base == "list":
                self.sizes[st.a[0]] = max(self.size(st.a[1]), self.sizes.get(st.a[0], 0))
            if st.op == "set" and st.a[0].op == "local" and st.a[0].type.base == "list":
                return BOUNDLESS  # a loop before this may go round more often than it did
            return self.expressions(st.a)
        made = getattr(self, "c_" + st.op, None)
        return capped(made(st, rest)) if made is not None else BOUNDLESS

    def c_add(self, st: X, rest: list[X]) -> int:
        return BOUNDLESS if st.a[0].type.base == "list" else self.expressions(st.a)

    c_take = c_add

    def c_choose(self, st: X, rest: list[X]) -> int:
        ask: Ask = st.a[0]
        follow = [*ask.body, *rest] if ask.may else rest
        follow = follow if self.c.heads.demands(follow) else []
        if ask.how == "set" and self.c.heads.tells_sets_apart(ask, follow):
            return BOUNDLESS  # there may be very many sets
        picks = 1 + (self.turns(ask.binders) if ask.how == "set" else len(ask.binders))
        inside = self.expressions(ask.prompt) + self.body(ask.body) + self.body(ask.otherwise)
        return capped(self.demands([st, *follow]) * picks + inside)

    def c_one(self, st: X, rest: list[X]) -> int:
        return self.expressions(st.a[1]) + sum(
            self.expressions([label, test]) + self.demands(branch) + self.body(branch) for label, test, branch in st.a[2]
        )

    def c_may(self, st: X, rest: list[X]) -> int:
        return self.expressions(st.a[1]) + self.demands(st.a[2]) + self.body(st.a[2]) + self.body(st.a[3])

    def c_if(self, st: X, rest: list[X]) -> int:
        return sum(self.expression(test) + self.body(branch) for test, branch in st.a[0]) + self.body(st.a[1])

    def c_each(self, st: X, rest: list[X]) -> int:
        binders, where, key, body = st.a
        return self.turns(binders) * (1 + self.expressions([where, key]) + self.body(body))

    def c_repeat(self, st: X, rest: list[X]) -> int:
        count, test, body = st.a
        if count.op != "const" or type(count.a[0]) is not int:
            return BOUNDLESS
        return int(1 + max(0, count.a[0])) * (1 + self.expressions(test) + self.body(body))

    def c_as(self, st: X, rest: list[X]) -> int:
        return self.expression(st.a[1]) + self.body(st.a[2])

    def c_as_each(self, st: X, rest: list[X]) -> int:
        return self.expression(st.a[1]) + self.size(st.a[1]) * (1 + self.body(st.a[2]))

    def c_during(self, st: X, rest: list[X]) -> int:
        return 1 + self.expressions(st.a[1]) + self.body(st.a[2])

    def c_call(self, st: X, rest: list[X]) -> int:
        return self.expressions(st.a[1]) + self.routine(st.a[0])

    def c_open(self, st: X, rest: list[X]) -> int:
        menu = st.a[0]
        picks = menu.picks.a[0] if menu.picks is not None and menu.picks.op == "const" else None
        if picks is None and menu.picks is None and menu.stop is None:
            picks = 1
        if type(picks) is not int:
            return BOUNDLESS
        actions = [self.model.actions[name] for name in menu.actions if name in self.model.actions]
        return capped((1 + picks) * (1 + sum(self.head(a) + self.routine(a) for a in actions)))

    def c_move(self, st: X, rest: list[X]) -> int:
        return self.expressions(st.a) + (self.pieces * 2 if st.a[0].type.base == "list" else 1)

    def c_shuffle(self, st: X, rest: list[X]) -> int:
        return self.expressions(st.a) + self.pieces

    def c_move_some(self, st: X, rest: list[X]) -> int:
        if st.a[4]:
            self.sizes[st.a[4]] = self.pieces
        return self.expressions(st.a) + self.pieces * 2

    c_flip = c_show = c_swap_zones = c_swap_pieces = c_shuffle

    def c_draw(self, st: X, rest: list[X]) -> int:
        number = st.a[0].a[0] if st.a[0].op == "const" else BOUNDLESS
        if st.a[3]:
            self.sizes[st.a[3]] = self.pieces
        return capped(self.expressions(st.a) + (number * (1 + 2 * self.pieces) if type(number) is int else BOUNDLESS))

    def c_roll(self, st: X, rest: list[X]) -> int:
        return int(st.a[0])

    def demands(self, body: Iterable[X]) -> int:
        """What the head of sentences takes: a choice among them is tried with all that follows."""
        total, times = 0, 1
        for st in body:
            if st.op == "choose":
                ask: Ask = st.a[0]
                times = capped(times * self.turns(ask.binders))
                total += times * (1 + self.expressions([ask.where, ask.low, ask.high]))
            elif st.op == "call":
                total += times * (self.expressions(st.a[1]) + self.head(st.a[0]))
            elif st.op == "if":
                total += times * sum(self.expression(test) + self.demands(branch) for test, branch in st.a[0])
                total += times * self.demands(st.a[1])
            elif st.op == "one":
                total += times * sum(self.expressions(test) + self.demands(branch) for _, test, branch in st.a[2])
            elif st.op == "as":
                total += times * (self.expression(st.a[1]) + self.demands(st.a[2]))
            elif st.op in HEAD_SENTENCES:
                total += times * self.sentence(st, [])
            elif st.op == "move_some":
                total += times * (self.expressions(st.a) + self.pieces)
            else:
                break  # what changes something ends the head
            total = capped(total)
        return total

    # ---- expressions ----

    def expressions(self, node: Any) -> int:
        if isinstance(node, E):
            return self.expression(node)
        if isinstance(node, (tuple, list)):
            return capped(sum(self.expressions(part) for part in node))
        return 0

    def expression(self, e: E) -> int:
        if e.op == "fold":
            word, binders, where, key, value = e.a
            if word in ("parts", "union"):
                return BOUNDLESS
            return capped(self.turns(binders) * (1 + self.expressions([where, key, value])))
        if e.op == "call":
            return capped(self.expressions(e.a[1]) + self.routine(e.a[0]))
        if e.op == "can":
            return capped(self.expressions(e.a[1]) + self.head(e.a[0]))
        if e.op == "member":
            return capped(self.expressions(e.a) + self.size(e.a[1]))
        if e.op == "function":
            return self.function(e)
        if e.op in ("can_run", "memory", "argument", "it", "left", "path_part") or (e.op == "sum" and e.type.base == "list"):
            return BOUNDLESS
        return self.expressions(e.a)

    def function(self, e: E) -> int:
        word, args = e.a
        cost = self.expressions(args)
        if word in PLAIN_FUNCTIONS:
            return cost
        if word in SEARCHING_FUNCTIONS:
            return capped(cost + sum(self.size(a) for a in args if a.type.base == "list"))
        if word in ("lines_through", "seats_from"):
            return capped(cost + self.size(e))
        return BOUNDLESS

    def turns(self, binders: Any) -> int:
        """How often a loop over all these names goes round, with what it takes to find its items."""
        if id(binders) not in self.turned:
            times, cost = 1, 0
            for py, kind, items in binders:
                cost += times * self.expression(items)
                times = capped(times * max(1, self.size(items)))
                if kind.base == "list":
                    self.sizes[py] = self.inner(items)
            self.turned[id(binders)] = capped(times + cost)
        return self.turned[id(binders)]

    def size(self, e: E) -> int:
        """How many items a list can have."""
        op, a = e.op, e.a
        if op == "players":
            return self.model.most
        if op == "pieces":
            return int(self.c.most_pieces(a[0]))
        if op == "symbols":
            return len(self.model.symbols[a[0]])
        if op == "list":
            return len(a[0])
        if op in ("content", "of_kind"):
            return self.pieces
        if op == "own_board":
            return int(a[0].columns * a[0].rows)
        if op == "lane":
            return int(max(a[0].columns, a[0].rows))
        if op == "range":
            ends = [x.a[0] for x in a if x.op == "const" and type(x.a[0]) is int]
            return max(0, int(ends[1] - ends[0]) + 1) if len(ends) == 2 else BOUNDLESS
        if op == "local":
            return self.sizes.get(a[0], BOUNDLESS)
        if op == "if":
            return max(self.size(a[1]), self.size(a[2]))
        if op == "call" and isinstance(a[0].code, E) and self.routine(a[0]) < BOUNDLESS:
            return self.size(a[0].code)
        if op == "fold" and a[0] in ("all", "most", "least", "distinct", "groups"):
            return self.turns(a[1])
        if op == "function":
            return self.listed(e)
        return BOUNDLESS

    def listed(self, e: E) -> int:
        word, args = e.a
        if word == "reverse":
            return self.size(args[0])
        if word == "seats_from":
            return self.model.most
        if word == "lines_through" and args[1].op == "const" and 0 < args[1].a[0] <= SHORT_LINE:
            return int(4 * args[1].a[0])
        return BOUNDLESS

    def inner(self, items: E) -> int:
        """How many items a list in a list can have."""
        if items.op == "function" and items.a[0] == "lines_through" and self.listed(items) < BOUNDLESS:
            return SHORT_LINE
        return BOUNDLESS

    # ---- the table as it is drawn ----

    def drawing(self, items: Any) -> int:
        total = 0
        for item in items or ():
            if item[0] == "line":
                total += self.expression(item[1])
            elif item[0] == "if":
                total += self.expression(item[1]) + self.drawing(item[2])
            elif item[0] in ("each", "grid"):
                _, binders, where, key, inner, *_ = item
                total += self.turns(binders) * (1 + self.expressions([where, key]) + self.drawing(inner))
            else:
                return BOUNDLESS
            total = capped(total)
        return total


def capped(cost: int) -> int:
    return min(cost, BOUNDLESS)

