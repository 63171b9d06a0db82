"""Compile a checked ruleset: Python source for its rules, and an image of its data.

Takes a `Model`, gives an `Image`: plain data and one source text. Binding to a number of players
and to options happens later (`bind`), so that one compiled ruleset serves every table.
"""

from __future__ import annotations

import re
from typing import Any

from ..ir import Ask, E, X
from ..model import Model, Routine
from ..slots import DEPTH, FUEL, change_slot, hook_slot, inside_name
from ..types import NUMBER, UNKNOWN, Type, list_of
from .bounds import Bounds
from .costs import Costs
from .drawing import drawing
from .expressions import Expressions
from .gathering import Gathering
from .grounding import grounded
from .heads import Heads, all_expressions
from .indexes import Indexes
from .inlining import Inlining
from .keeping import keeping
from .moving import Moving
from .questions import Questions
from .reading import all_statements
from .recall import Recall
from .resting import resting
from .statements import Statements
from .tracking import Tracking, unmarked
from .weave import Weave
from .whys import Whys

GENERIC_BLOCKS = 12  # the runtime's own: menus, hooks, sets, joins
TEMPORARY = re.compile(r"\bt\d+\b")
FEW_CHANGES = 6  # changes of a value that are written out where it is found
SUSPENDING = {"choose", "one", "may", "each_ordered", "open", "during", "at_once", "flick"}


def plain_type(kind: Type) -> tuple[Any, ...]:
    of = plain_type(kind.of) if isinstance(kind.of, Type) else kind.of
    return (kind.base, of, kind.opt)


class Compiler(Questions):
    def __init__(self, model: Model, inline: bool = True, counting: bool = False) -> None:
        self.model = model
        self.inline = inline
        self.counting = counting  # whether the rules themselves count how often they are used
        self.counters: dict[tuple[str, int], int] = {}
        self.functions: list[str] = []
        self.block_lines: dict[int, list[str]] = {}
        self.block_scopes: dict[int, list[str]] = {}
        self.block_spans: dict[int, int] = {}
        self.grounds: set[int] = set()  # blocks of the flow behind which only the end of the game stands
        self.asked: dict[int, str] = {}  # of a block that takes up an answer: out of which options
        self.rounds: dict[str, int] = {}  # of a name that counts the rounds of a loop: how many there are
        self.block_backs: dict[int, tuple[int, ...]] = {}  # of a block inside spans: what closes them, inmost first
        self.block_routines: dict[int, str] = {}
        self.function_routines: dict[str, int] = {}  # whose rule a function was made for
        self.current: Routine | None = None
        self.asker: Routine | None = None  # whose question it is that is written out in another routine
        self.next_block = GENERIC_BLOCKS
        self.counter = 0
        self.places: list[tuple[Any, ...]] = []
        self.place_index: dict[Any, int] = {}
        self.types: list[tuple[Any, ...]] = []
        self.type_index: dict[Any, int] = {}
        self.local_types: dict[str, Type] = {}
        self.queries: dict[Any, str] = {}
        self.made_queries: set[str] = set()
        self.asks: list[dict[str, Any]] = []
        self.tells: list[list[Any]] = []
        self.routines: list[Routine] = []
        self.routine_index: dict[int, int] = {}
        self.entries: dict[int, int] = {}
        self.x = Expressions(self)
        self.heads = Heads(self, self.x)
        self.whys = Whys(self, self.x)
        self.loop_types: dict[str, Type] = {}
        self.hook_targets: set[int] = set()
        self.failing: set[int] = set()
        self.heads_made: dict[Any, str] = {}
        self.kept: list[Any] = []
        self.bounds = Bounds(model, [])
        self.halves = False
        self.uncounted: set[int] = set()  # spans that no rule asks to be inside of
        self.told_apart: set[str] = set()  # kinds that some rule asks for: `card is lamp`
        self.run_slots: set[str] = set()  # effects of components that some sentence runs
        self.framed: set[int] = set()  # blocks that some frame names
        self.picks: dict[int, list[Any]] = {}  # blocks of sets: what the runtime needs to ask for the rest
        self.upright: set[int] = set()  # those that must stay even if they do nothing, so that circles grow
        self.alone = False  # whether no two players are ever asked at once
        self.lasting_spans = False  # whether no span is ever ended before its time
        self.inlining: Inlining | None = None
        self.tracking = Tracking(self)
        self.indexes = Indexes(self)
        self.gathering = Gathering(self)
        self.resting: set[str] = set()  # kinds of pieces that never move
        self.counts = True  # whether steps are counted: not where no game can take many
        self.recall = Recall()
        self.moving = Moving(self)

    # ---- names and tables ----

    def fresh(self, prefix: str) -> str:
        self.counter += 1
        return f"{prefix}{self.counter}"

    def temp(self) -> str:
        return self.fresh("t")

    def place(self, place: Any) -> int:
        key = (place.file, place.line, place.column)
        if key not in self.place_index:
            self.place_index[key] = len(self.places)
            self.places.append(key)
        return self.place_index[key]

    def type_key(self, kind: Type) -> int:
        key = plain_type(kind)
        if key not in self.type_index:
            self.type_index[key] = len(self.types)
            self.types.append(key)
        return self.type_index[key]

    def function(self, name: str, params: list[str], body: list[str], place: Any = None) -> None:
        """One function; at the end of its lines the place of the rule that they come from."""
        lines = body or ["    pass"]
        if place is not None:
            mark = f"  #@{self.place(place)}"
            lines = [line if "  #@" in line[-12:] else line + mark for line in lines]
        self.functions.append(f"def {name}({', '.join(params)}):\n" + "\n".join(lines))
        self.belongs(name)

    def query(self, params: list[str], body: list[str], place: Any, kinds: Any = (None, None)) -> str:
        """The name of a function with this body; queries that are written alike share one."""
        whose = None if self.inline else self.routine_index.get(id(self.current))
        body = alike_named(body)
        key = (tuple(params), tuple(body), self.place(place), whose)
        if key not in self.queries:
            self.queries[key] = name = self.fresh("q")
            self.made_queries.add(name)
            self.recall.offer(name, params, kinds)
            self.function(name, params, body, place)
        return self.queries[key]

    def belongs(self, name: str) -> None:
        number = self.routine_index.get(id(self.current))
        if number is not None:
            self.function_routines[name] = number

    def watched_function(self, name: str, params: list[str], routine: Routine, call: str) -> None:
        """A function that may come back to itself: its depth is counted around what it does."""
        body = [
            f"    deeper(S, {self.place(routine.place)})",
            f"    r = {call}",
            f"    S[{DEPTH}] -= 1",
            "    return r",
        ]
        self.function(name, params, body, routine.place)

    def use(self, routine: Routine) -> list[str]:
        """The line that counts a use of a routine, or of the rule whose body it is."""
        if not self.counting:
            return []
        if routine.what in ("procedure", "action", "do"):
            return [self.counted("routine", self.number(routine))]
        return [self.counted("rule", r.number) for r in self.model.rules if r.body is routine]

    def counted(self, sort: str, number: int) -> str:
        return f"COUNTS[{self.counters.setdefault((sort, number), len(self.counters))}] += 1"

    def charge(self, routine: Routine) -> list[str]:
        """The steps of a routine that calls very much."""
        steps = self.bounds.charged.get(id(routine))
        return self.spent(str(steps), "    ") if steps is not None else []

    def spent(self, steps: str, pad: str) -> list[str]:
        """Lines that take steps off what is left."""
        if not self.counts:
            return []
        return [f"{pad}S[{FUEL}] = f = S[{FUEL}] - {steps}", f"{pad}if f < 0: raise OutOfSteps"]

    def block(self, scope: list[str], span: Any = None) -> int:
        number = self.next_block
        self.next_block += 1
        self.block_scopes[number] = list(scope)
        if self.current is not None:
            self.block_routines[number] = self.current.name
            self.belongs(f"b{number}")
        if span is not None:
            self.block_spans[number] = span.number
        return number

    def open_block(self, number: int) -> list[str]:
        self.block_lines[number] = []
        return self.block_lines[number]

    def reopen(self, number: int) -> list[str]:
        return self.block_lines[number]

    # ---- routines ----

    def register(self, routine: Routine) -> None:
        self.routine_index[id(routine)] = len(self.routines)
        self.routines.append(routine)

    def number(self, routine: Routine) -> int:
        return self.routine_index[id(routine)]

    def params(self, routine: Routine) -> list[str]:
        if routine.what == "value":
            made = [p.py for p in routine.params]
        else:
            made = ["you", *(p.py for p in routine.params if p.name != "you")]
        if routine.what == "hook":
            made = ["you"]
        if self.has_self(routine):
            made += ["this", "age"]
        return made

    def has_self(self, routine: Routine | None) -> bool:
        return routine is not None and (
            routine.context is not None or routine.this is not None or routine.what == "hook"
        )

    def entry(self, routine: Routine) -> int:
        if id(routine) not in self.entries:
            self.entries[id(routine)] = number = self.block(self.params(routine))
            self.block_routines[number] = routine.name
            self.function_routines[f"b{number}"] = self.number(routine)
        return self.entries[id(routine)]

    def hooked(self, routine: Routine) -> bool:
        return id(routine) in self.hook_targets

    def mostly_free(self, routine: Routine) -> bool:
        """Whether a routine that rules hook into goes straight on while none of them stands."""
        lasting = {effect.lasts for effect in self.model.effects.values()}
        return self.inline and self.hooked(routine) and routine.name not in lasting

    def suspends(self, st: X) -> bool:
        if st.op in SUSPENDING:
            return True
        if st.op == "call":
            return bool(st.a[0].suspends)
        if st.op == "run":
            if st.a[0].op == "piece":  # a piece that is named: only its own effect counts
                body = st.a[0].a[0].does.get(st.a[1])
                return bool(body is not None and body.suspends)
            return self.run_suspends(st.a[1], st.a[2])
        if st.op == "begin":
            return bool(st.a[0].do is not None and st.a[0].do.suspends)
        if st.op == "proceed":
            return bool(self.current is not None and self.current.suspends)
        return any(self.suspends(inner) for part in st.a for inner in _direct(part))

    def run_suspends(self, slot: str, kinds: Any) -> bool:
        return any(
            c.does[slot].suspends
            for c in self.model.components.values()
            if slot in c.does and (not kinds or any(self.model.is_like(c.kind, k) for k in kinds))
        )

    # ---- the whole ----

    def compile(self) -> dict[str, Any]:
        model = self.model
        bodies = [*model.procedures.values(), *(a for a in model.actions.values())]
        for component in model.components.values():
            bodies += component.does.values()
        for effect in model.effects.values():
            if effect.do is not None and effect.do not in bodies:
                bodies.append(effect.do)
        for rule in model.rules:
            if rule.body is not None and rule.effect is not None and rule.effect.times is not None:
                rule.body.code = counted(rule.body.code or [], rule.place)
        hooks = [r.body for r in model.rules if r.body is not None]
        bodies += [h for h in hooks if h is not None]
        bodies += [r for r in (model.setup, model.flow) if r is not None]
        for routine in [
            *model.values.values(),
            *bodies,
            *(r for r in (model.score, model.wins) if r is not None),
        ]:
            self.register(routine)
        self.hook_targets = self._hook_targets()
        self._failing(bodies)
        self.bounds = Bounds(model, self.routines)
        self.halves = self._halves()
        if self.inline:
            self.alone = not self.model.clocked and not any(
                st.op == "at_once" for r in self.routines if r.what != "value" for st in all_statements(r.code)
            )
            self.lasting_spans = not any(
                st.op == "end" for r in self.routines if r.what != "value" for st in all_statements(r.code)
            )
            self.inlining = Inlining(self)
            self.tracking.look_through()
            self.resting = resting(model, self.routines)
            self.counts = not Costs(self).small()
        for routine in [*model.values.values(), *(r for r in (model.score, model.wins) if r is not None)]:
            self.value(routine)
        for routine in bodies:
            self.routine(routine)
        for rule in model.rules:
            self.rule(rule)
        self.menus_and_effects()
        self.current = None
        self.function("drawing", ["S", "viewer"], drawing(self))
        self.name_types()
        self.uncount()
        self.weave()
        from .image import image

        return image(self)

    def name_types(self) -> None:
        """The type of every local, so that a half-done effect can be told apart and dealt anew."""
        from ..types import PATH, PLAYER, piece

        kinds = self.local_types
        kinds.update(you=PLAYER, this=piece(), age=NUMBER)
        for routine in self.routines:
            for param in routine.params:
                kinds[param.py] = param.type
            if routine.what == "value":
                continue
            for st in all_statements(routine.code or []):
                if st.op == "let":
                    kinds[st.a[0]] = st.a[1].type
                elif st.op in ("as", "as_each", "at_once"):
                    kinds[st.a[0]] = PLAYER
                elif st.op in ("each", "each_ordered"):
                    kinds.update({b[0]: b[1] for b in st.a[0]})
                elif st.op == "roll":
                    kinds[st.a[2]] = NUMBER
                elif st.op in ("move_some", "draw") and st.a[-1]:
                    kinds[st.a[-1]] = list_of(piece())
                elif st.op == "call" and st.a[2]:
                    kinds[st.a[2]] = st.a[0].gives or UNKNOWN
                elif st.op == "flick":
                    kinds[st.a[1]] = PATH
                elif st.op == "choose":
                    ask = st.a[0]
                    kinds.update({b[0]: b[1] for b in ask.binders})
                    kinds.update({name: list_of(ask.binders[0][1]) for name in ask.results})
        kinds.update(self.loop_types)

    def _hook_targets(self) -> set[int]:
        found = {id(r) for r in self.routines if r.hooks}
        for action in self.model.actions.values():
            if any(self.model.actions[f].hooks for f in action.families if f in self.model.actions):
                found.add(id(action))
        lasting = {e.lasts for e in self.model.effects.values()}
        found |= {id(p) for p in self.model.procedures.values() if p.name in lasting}
        return found

    def _failing(self, bodies: list[Routine]) -> None:
        """Routines whose head can fail: a fixpoint over calls."""
        while True:
            before = len(self.failing)
            for routine in reversed(bodies):
                if id(routine) not in self.failing and self.heads.demands(routine.code or []):
                    self.failing.add(id(routine))
            if len(self.failing) == before:
                return

    def _halves(self) -> bool:
        """Whether a number of this ruleset may be a half."""
        if any(type(v) is float for c in self.model.components.values() for v in c.printed.values()):
            return True
        if any(type(v) is float for t in self.model.tables.values() for v in t.cells.values()):
            return True
        codes = [r.code for r in self.routines] + [r.amount for r in self.model.rules]
        return any(
            (e.op == "sum" and e.a[0] == "/") or (e.op == "const" and type(e.a[0]) is float)
            for e in all_expressions([c for c in codes if c is not None])
        )

    def value(self, routine: Routine) -> None:
        self.current = routine
        params = self.params(routine)
        place, args = routine.code.place, ", ".join(["S", *params])
        text, charge = self.x(routine.code), self.charge(routine)
        body = [*charge, f"    return {text}"]
        query = text.partition("(")[0]
        plain = not charge and not routine.changes and id(routine) not in self.bounds.loops
        if self.inline and plain and query in self.made_queries and text == f"{query}({args})":
            self.functions.append(f"{routine.py} = {query}")  # the value is that query, under its own name
            return
        given = text.partition("(")[2][:-1].split(", ")
        if self.inline and plain and query in self.made_queries and sorted(given) == sorted(["S", *params]):
            self.turned_round(routine.py, query, [given.index(name) for name in params])
            return
        if not routine.changes and id(routine) not in self.bounds.loops:
            self.function(routine.py, ["S", *params], body, place)
            if routine.context is None:
                self.recall.offer(routine.py, ["S", *params], [p.type for p in routine.params])
            return
        self.function(f"base_{routine.py}", ["S", *params], body, place)
        if id(routine) not in self.bounds.loops:
            self.recall.offer(routine.py, ["S", *params], [p.type for p in routine.params])
        name = f"loop_{routine.py}" if id(routine) in self.bounds.loops else routine.py
        if not routine.changes:
            body = [f"    return base_{routine.py}({args})"]
        else:
            first = text if self.inline and not charge else f"base_{routine.py}({args})"
            body = [f"    r = {first}", *self.changing(routine, params), "    return r"]
        self.function(name, ["S", *params], body, place)
        if name != routine.py:
            self.watched_function(routine.py, ["S", *params], routine, f"{name}({args})")

    def writes_changes(self, value: Routine) -> bool:
        """Whether the changes of a value are few enough to stand where it is found."""
        return self.inline and len(value.changes) <= FEW_CHANGES and not self.has_self(value)

    def changing(self, routine: Routine, params: list[str]) -> list[str]:
        """The lines that apply what changes a value; a few changes are written out right there."""
        slot = change_slot(routine)
        if not self.writes_changes(routine):
            given = "".join(", " + name for name in params)
            return [f"    for i in S[{slot}]:", f"        r = CHANGES[i[0]](S, r, i{given})"]
        lines = ["    doer = you"] if "you" in params else []
        lines.append(f"    for rule, you, this, age in S[{slot}]:")
        last = len(routine.changes) - 1
        for at, rule in enumerate(routine.changes):
            before, tests, found = self.change(rule)
            pad = "        "
            if last:
                which = f"{'elif' if at else 'if'} rule == {rule.number}:"
                lines.append(pad + (which if at < last else "else:"))
                pad += "    "
            lines += [pad + line for line in before]
            if tests:
                lines.append(f"{pad}if {' and '.join(tests)}:")
                pad += "    "
            if self.counting:
                lines.append(pad + self.counted("rule", rule.number))
            lines.append(f"{pad}r = {found}")
        return lines

    def turned_round(self, name: str, query: str, order: list[int]) -> None:
        """A value that is a query but for the order of its parameters: the same lines once more."""
        text = next(t for t in self.functions if t.startswith(f"def {query}("))
        head, _, body = text.partition("\n")
        names = head[head.index("(") + 1 : -2].split(", ")
        self.functions.append(f"def {name}({', '.join(['S', *(names[at] for at in order)])}):\n{body}")

    def routine(self, routine: Routine) -> None:
        self.current = routine
        params = self.params(routine)
        if routine.code is None:
            routine.code = []
        writer = Statements(self, routine, self.x, self.heads)
        loops, args = id(routine) in self.bounds.loops, ", ".join(["S", *params])
        if routine.suspends:
            writer.resumable(params)
        else:
            body = ["    " + line for line in self.use(routine)]
            body += [*self.charge(routine), *writer.plain(params)]
            base = f"base_{routine.py}" if loops or self.hooked(routine) else routine.py
            self.function(base, ["S", *params], body, routine.place)
            call = f"{base}({args})"
            if self.hooked(routine):
                call = f"hooked_plain(S, {self.number(routine)}, ({', '.join(params)},))"
            if loops:
                self.watched_function(routine.py, ["S", *params], routine, call)
            elif self.hooked(routine):
                lines = [f"    return {call}"]
                if self.mostly_free(routine):
                    lines.insert(0, f"    if S[{hook_slot(routine)}] == NO_HOOKS: return {base}({args})")
                self.function(routine.py, ["S", *params], lines, routine.place)
        tests = routine.tests if routine.what == "action" else ()
        head = f"head_{routine.py}"
        if loops:
            self.watched_function(head, ["S", *params], routine, f"loop_{head}({args})")
            head = f"loop_{head}"
        self.heads.function(head, ["S", *params], list(routine.code), tests, routine)
        if routine.what == "action" or (routine.what == "procedure" and self.head_of(routine)):
            self.whys.function(f"why_{routine.py}", ["S", *params], list(routine.code), tests)
            if routine.label is not None:
                self.function(f"label_{routine.py}", ["S", *params], [f"    return {self.x(routine.label)}"])

    def always_said_alike(self, part: Any) -> bool:
        """Whether a value in a text is said with the same words at any later moment."""
        kind = part.type if isinstance(part, E) else None
        if kind is None:
            return False
        if kind.base == "piece":
            family = self.model.family(str(kind.of)) if kind.of else list(self.model.kinds)
            return not any(self.model.inherited(name, "faces") for name in family)
        return kind.base in ("number", "truth", "symbol", "player", "design", "kind")

    def telling(self, parts: list[Any]) -> int:
        """The number of a line of news: its words, and the types of what is said between them."""
        if parts not in self.tells:
            self.tells.append(parts)
        return self.tells.index(parts)

    def fixed_menu(self, menu: Any) -> bool:
        """Whether a menu is the same at every table and moment, but for what its actions demand."""
        return self.alone and not menu.offers and not menu.real_time

    def menu_hidden(self, menu: Any) -> bool:
        """Whether to be asked at all may tell something."""
        actions = [self.model.actions[a] for a in menu.actions if a in self.model.actions]
        return any(self.reads_hidden([r.code, r.tests]) for r in actions)

    def written_out(self, code: list[X]) -> list[X]:
        """The sentences of a routine with short calls in them written out."""
        return list(self.inlining(code)) if self.inlining is not None else code

    def rule(self, rule: Any) -> None:
        self.current = rule.body
        if rule.sort == "change":
            target = self.model.values[rule.target]
            if self.writes_changes(target):
                return
            given = [p.py if p.name != "you" else "doer" for p in target.params]
            before, met, found = self.change(rule)
            lines = ["_, you, this, age = i", *before, *(f"if not {test}: return r" for test in met)]
            if self.counting:
                lines.append(self.counted("rule", rule.number))
            lines.append(f"return {found}")
            self.function(f"change{rule.number}", ["S", "r", "i", *given], ["    " + line for line in lines])
        else:
            if self.counting and rule.sort == "offer":
                self.counted("rule", rule.number)  # by whoever takes the offer
            self.current = Routine("rule", "hook", rule.place, context=rule.effect)
            tests = [
                t
                for t in (rule.effect.lasts_while if rule.effect is not None else None, rule.test)
                if t is not None
            ]
            if tests:
                both = " and ".join(self.x(t) for t in tests)
                self.function(f"test{rule.number}", ["S", "you", "this", "age"], [f"    return {both}"])

    def change(self, rule: Any) -> tuple[list[str], list[str], str]:
        """How a rule changes a value: what comes first, tests that have to be met, and what `r` becomes then."""
        target, outer = self.model.values[rule.target], self.current
        self.current = Routine("change", "hook", rule.place, context=rule.effect)
        doer = "doer" if any(p.name == "you" for p in target.params) else None
        # `it.x` is the value's own argument; `it.you` its doer.
        self.x.event = [doer or "None", *(p.py for p in target.params if p.name != "you")]
        before = [f"you = {doer}"] if rule.effect is None and doer is not None else []
        tests: list[str] = []
        if rule.effect is not None and doer is not None and rule.whose != "all":
            tests.append(f"(you {'==' if rule.whose == 'mine' else '!='} {doer})")
        met: list[E | None] = [rule.effect.lasts_while if rule.effect is not None else None, rule.test]
        tests += [self.x(part) for part in met if part is not None]
        amount = self.x(rule.amount) if rule.amount is not None else "True"
        many = target.gives is not None and target.gives.base == "list"
        found = {
            "becomes": amount,
            "plus": f"unite(S, r, {amount})" if many else f"r + {amount}",
            "times": f"r * {amount}",
            "at_least": f"max(r, {amount})",
            "at_most": f"min(r, {amount})",
            "allow": f"(r or {amount})",
            "forbid": f"(r and not {amount})",
        }[rule.op]
        self.x.event = None
        self.current = outer
        return before, tests, found

    def menus_and_effects(self) -> None:
        self.current = Routine("menu", "hook", self.model.flow.place if self.model.flow else None)  # type: ignore[arg-type]
        for menu in self.model.menus.values():
            if self.inline:
                self.menu(menu)
            for part in ("stop", "prompt"):
                text = getattr(menu, part)
                if isinstance(text, E):
                    self.function(f"menu_{part}{menu.number}", ["S", "you"], [f"    return {self.x(text)}"])
        for action in self.model.actions.values():
            if isinstance(action.takes, E):
                self.current = action
                self.function(
                    f"takes_{action.py}",
                    ["S", *self.params(action)],
                    [f"    return whole({self.x(action.takes)}, {self.place(action.takes.place)})"],
                    action.takes.place,
                )
        self.current = Routine("menu", "hook", self.model.flow.place if self.model.flow else None)  # type: ignore[arg-type]
        for effect in self.model.effects.values():
            if isinstance(effect.times, E):
                self.function(
                    f"times{effect.number}",
                    ["S", "you", "this", "age"],
                    [f"    return {self.x(effect.times)}"],
                )
        for zone in self.model.zones.values():
            if isinstance(zone.at_most, E):
                self.function(f"limit_{zone.name}", ["S", "owner_"], [f"    return {self.x(zone.at_most)}"])
        for module in self.model.modules.values():
            if isinstance(module.when, E):
                self.function(f"module_{module.name}", ["S"], [f"    return {self.x(module.when)}"])

    def menu(self, menu: Any) -> None:
        """The actions of a menu that can be carried through, without those that effects offer."""
        body = ["    o = []"]
        for action in [self.model.actions[name] for name in menu.actions if name in self.model.actions]:
            self.current = action
            test, add = self.heads.test(action, "you"), f"o.append({self.number(action)})"
            body.append(f"    {add}" if test == "True" else f"    if {test}: {add}")
        self.function(f"menu_of{menu.number}", ["S", "you"], [*body, "    return o"], menu.place)

    def uncount(self) -> None:
        """A span that no rule asks to be inside of need not be counted."""
        if not self.inline:
            return
        text = "\n".join([*self.functions, *(line for lines in self.block_lines.values() for line in lines)])
        for span in self.model.spans.values():
            slot = f"S[{inside_name(span)}]"
            if f"({slot} > 0)" not in text:
                self.uncounted.add(span.number)
                for lines in self.block_lines.values():
                    lines[:] = [line for line in lines if not line.lstrip().startswith(slot)]

    def weave(self) -> None:
        """Blocks that lead to each other become one, where rules need not be told apart."""
        if self.inline:
            entries = [n for n in self.entries.values() if n in self.block_lines]
            kept = {*entries, *self.block_spans, *self.upright}
            roots = kept | self.framed
            woven = Weave(self.block_lines, self.block_scopes, roots, kept, self.block_backs, set(self.asked)).made
            for block in self.asked.keys() & woven.keys():
                woven[block] = unmarked(woven[block], self.asked[block])
            for block in self.grounds & woven.keys():
                woven[block] = grounded(woven[block], self.rounds)
            self.block_lines = {block: keeping(lines) for block, lines in woven.items()}
            self.functions = ["\n".join(keeping(text.split("\n"))) for text in self.functions]

    def source(self) -> str:
        blocks = []
        for number in sorted(self.block_lines):
            blocks.append(f"def b{number}(S, F):\n" + "\n".join(self.block_lines[number]))
        functions = self.recall.over(self.functions) if self.inline else self.functions
        return "\n".join([*functions, *blocks]) + "\n"


def counted(body: list[X], place: Any) -> list[X]:
    """Uses up one of an effect's times: where its offer is taken, else when its hook runs."""
    use = X("use", (), place)
    if len(body) == 1 and body[0].op == "may":
        player, label, inner, otherwise = body[0].a
        return [X("may", (player, label, [use, *inner], otherwise), body[0].place)]
    if len(body) == 1 and body[0].op == "choose" and body[0].a[0].may:
        body[0].a[0].body.insert(0, use)
        return body
    return [use, *body]


def alike_named(body: list[str]) -> list[str]:
    """The same lines with their temporary names counted from 1, so that queries which are alike look alike."""
    text = "\n".join(body)
    if "'" in text or '"' in text:
        return body  # a text might speak of them
    names: dict[str, str] = {}
    for name in TEMPORARY.findall(text):
        names.setdefault(name, f"t{len(names) + 1}")
    return TEMPORARY.sub(lambda found: names[found[0]], text).split("\n")


def _direct(part: Any) -> Any:
    """The statements directly inside a part of a statement."""
    if isinstance(part, X):
        yield part
    elif isinstance(part, Ask):
        yield from _direct(part.body)
        yield from _direct(part.otherwise)
    elif isinstance(part, (tuple, list)):
        for item in part:
            yield from _direct(item)


__all__ = ["Compiler", "hook_slot", "plain_type"]
