"""Compile a checked ruleset: Python source for its rules, and an image of its data.

Takes a `Model`, gives an `Image`: plain data and one source text. Binding to a number of players
and to options happens later (`bind`), so that one compiled ruleset serves every table.
"""

from __future__ import annotations

import re
from typing import Any

from ..check.hidden import reads_hidden
from ..ir import Ask, E, X
from ..model import Model, Routine
from ..slots import DEPTH, FUEL, PLAYER, change_slot, hook_slot, inside_name
from ..types import NUMBER, UNKNOWN, Type, list_of
from .bounds import Bounds
from .costs import Costs
from .expressions import Expressions, conjuncts, heavy, walk
from .grounding import grounded
from .heads import Heads, all_expressions
from .indexes import Indexes
from .inlining import Inlining, as_called
from .keeping import keeping
from .moving import Moving
from .picking import seen_by_chooser
from .reading import all_statements, needed
from .recall import BEGIN, END, Recall
from .resting import resting
from .statements import Statements
from .tracking import Tracking, unmarked
from .weave import Weave
from .whys import Whys

CALLS = re.compile(r"\w\(S\b")  # whatever may take steps is handed the state
RUNS = re.compile(
    r"( +)if not \(\((\w+) := (RUNS_\w+\[\w+\])\) is True or \(\2 and (\2\(S, \w+, \w+, None\))\)\): (continue|return False)"
)  # fmt: skip
WATCH = re.compile(r" +S\[6\] = f = S\[6\] - len\(d\)")
GENERIC_BLOCKS = 12  # the runtime's own: menus, hooks, sets, joins
TEMPORARY = re.compile(r"\bt\d+\b")
SUSPENDING = {"choose", "one", "may", "each_ordered", "open", "during", "at_once", "flick"}


def plain_type(kind: Type) -> tuple[Any, ...]:
    of = plain_type(kind.of) if isinstance(kind.of, Type) else kind.of
    return (kind.base, of, kind.opt)


class Compiler:
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

    # ---- choices ----

    def fold_all(self, binders: Any, where: E | None, key: E | None = None) -> str:
        place = binders[0][2].place
        return self.x(E("fold", list_of(binders[0][1]), ("all", binders, where, key, None), place))

    def candidates(self, ask: Ask) -> str:
        return self.fold_all(ask.binders, ask.where)

    def items(self, binders: Any, where: E | None, key: E | None) -> str:
        """The items of a loop, fixed at its start; tuples of items where it binds several names."""
        if len(binders) == 1:
            made = self.fold_all(binders, where, key)
            return f"tuple({made})" if binders[0][2].op in ("range",) and where is None else made
        name = self.fresh("q")
        names = ", ".join(b[0] for b in binders)
        pseudo = E("text", UNKNOWN, ((),), binders[0][2].place)
        del pseudo
        body = self.x.fold_body("all", binders, where, key, None)
        body = [
            line.replace(f"r.append({binders[0][0]})", f"r.append(({names}))").replace(
                f", len(r), {binders[0][0]}))", f", len(r), ({names})))"
            )
            for line in body
        ]
        free = self.free([X("each", (binders, where, key, ()), binders[0][2].place)])
        self.function(name, ["S", *free], body)
        return f"{name}({', '.join(['S', *free])})"

    def options(self, ask: Ask, index: int, rest: list[X]) -> str:
        py, kind, source = ask.binders[index]
        tests = conjuncts(ask.where) if ask.where is not None else []
        before = {b[0] for b in ask.binders[: index + 1]}
        names = {b[0] for b in ask.binders}
        known = [
            t
            for t in tests
            if not ((_locals(t) & names) - before)
            and (py in _locals(t) or (index == 0 and not (_locals(t) & names)))
        ]
        later = ask.binders[index + 1 :]
        follow = list(rest)
        if later:
            open_tests = [t for t in tests if (_locals(t) & names) - before]
            where = E("and", tests[0].type, (tuple(open_tests),), tests[0].place) if open_tests else None
            inner = Ask(ask.player, None, "one", None, None, later, where, ask.words[index + 1 :])
            follow = [X("choose", (inner,), source.place), *rest]
        demanded = bool(later) or self.heads.demands(follow)
        twins = kind.base == "piece" and self.twins(kind.of)
        if not known and not demanded:
            made = self.x(source)
        else:
            name = self.fresh("o")
            all_known = known
            fewer, known = self.indexes.narrow(self.x, py, source, known)
            body = ["    r = []"]
            if demanded or not self.x.small(source, heavy(*known), 0):
                fewer = self.x.charged(fewer, body, "    ", "d")
            body += [BEGIN, f"    for {py} in {fewer}:"]
            body += [f"        if not {self.x(t)}: continue" for t in self.x.ordered(known)]
            outer = self.free([X("let", ("_", source), source.place), X("each", (tuple(all_known),), source.place)])
            if demanded:
                head = self.heads.condition(follow) if self.inline else None
                if head is None:
                    head = [self.head_call(follow)]
                body += [f"        if not {test}: continue" for test in head]
                outer = [*outer, *(n for n in self.free(follow) if n not in outer)]
            zone = one_zone(source)
            apart = twins and self.inline and zone is not None and kind.of and seen_by_chooser(zone, ask.player)
            if apart:  # of those that look the same, the first
                player = self.x(ask.player)
                outer = [*outer, *([player] if player.isidentifier() and player not in outer else [])]
                body[0] = "    r = {}"
                body += [
                    f"        if (k := KEYS[{py}]) not in r: r[k] = {py}",
                    END,
                    f"    return tuple(r.values()) if PRINTS_{kind.of} else alike(S, tuple(r.values()), {player})",
                ]
            else:
                body += [f"        r.append({py})", END, "    return tuple(r)"]
            body = [body[0], *self.unwatched(source, body[1:-1]), body[-1]]
            free = [n for n in outer if n != py]
            self.function(name, ["S", *free], body)
            made = f"{name}({', '.join(['S', *free])})"
            if apart:
                return made
        if twins:
            zone = one_zone(source)
            if zone is not None:
                return f"one_of_each(S, {made}, {self.x(ask.player)}, {self.x(zone)})"
            made = f"alike(S, {made}, {self.x(ask.player)})"
        return made

    def printed_set(self, ask: Ask) -> E | None:
        """The one zone that a set comes from, if whoever picks it sees it and nobody acts in between."""
        zone = one_zone(ask.binders[0][2])
        if not self.inline or not self.alone or ask.binders[0][1].base != "piece" or zone is None:
            return None
        return zone if seen_by_chooser(zone, ask.player) else None

    def twins(self, kind: Any) -> bool:
        """Whether two pieces of the kind may look the same."""
        for name in self.model.family(kind) if kind else list(self.model.kinds):
            made = self.model.kinds[name]
            if made.count > 1 or made.per_player > 1 or any(c.copies > 1 for c in made.components):
                return True
        return kind is None

    def most_pieces(self, kind: str) -> int:
        """How many pieces of a kind there are at the most."""
        total = 0
        for name in self.model.family(kind):
            made = self.model.kinds[name]
            total += made.count + made.per_player * self.model.most
            total += sum(x.copies * (self.model.most if x.per_player else 1) for x in made.components)
            board = self.model.boards.get(made.board or "")
            if board is not None and board.of == name:
                total += board.columns * board.rows * (self.model.most if board.per_player else 1)
        return total

    def most_held(self, zone: Any) -> int:
        """How many pieces a zone can hold at the most: all of their kinds that there are."""
        kinds = zone.holds or [name for name, kind in self.model.kinds.items() if kind.parent is None]
        return sum(self.most_pieces(kind) for kind in dict.fromkeys(kinds))

    def unwatched(self, items: E, loop: list[str]) -> list[str]:
        """A loop over a few items whose lines call nothing and search nothing is no step of its own.

        If all that they call is what a piece does, such a call is a step, where there is one.
        """
        calls = [line for line in loop if CALLS.search(line) and not RUNS.fullmatch(line)]
        watch = len(calls) > 0 or sum(" for " in line for line in loop) > 1
        if not self.inline or watch or not self.x.small(items, False, 0) or not WATCH.fullmatch(loop[1]):
            return loop
        return [loop[0], *(made for line in loop[3:] for made in self.run_tested(line))]

    def run_tested(self, line: str) -> list[str]:
        """The test whether a piece can be run: most can or cannot whatever happens, the others are asked."""
        found = RUNS.fullmatch(line)
        if found is None:
            return [line]
        pad, head, runs, call, otherwise = found.groups()
        more = [f"if not {head}: {otherwise}", *self.spent("1", ""), f"if not {call}: {otherwise}"]
        return [f"{pad}{head} = {runs}", f"{pad}if {head} is not True:", *(f"{pad}    {made}" for made in more)]

    def free(self, body: list[X]) -> list[str]:
        """Locals that sentences need from outside them, in a fixed order."""
        found = needed(body, you=self.x.you)
        declared: set[str] = set()
        for e in all_expressions(body):
            if e.op == "fold":
                declared |= {b[0] for b in e.a[1]}
        for st in all_statements(body):
            if st.op == "as" and st.a[1].op == "local" and st.a[1].a[0] == st.a[0]:
                continue  # `you` stays who it was, under the same name
            if st.op in ("let", "as", "as_each", "at_once"):
                declared.add(st.a[0])
            elif st.op in ("each", "each_ordered"):
                if st.a[0] and isinstance(st.a[0][0], tuple):
                    declared |= {b[0] for b in st.a[0]}
            elif st.op == "roll":
                declared.add(st.a[2])
            elif st.op == "choose":
                declared |= {b[0] for b in st.a[0].binders} | set(st.a[0].results)
            elif st.op == "call" and st.a[2]:
                declared.add(st.a[2])
            elif st.op == "flick":
                declared.add(st.a[1])
            elif st.op in ("move_some", "draw") and st.a[-1]:
                declared.add(st.a[-1])
        found -= declared
        if not self.has_self(self.current):
            found -= {"this", "age"}
        return sorted(found)

    def head_call(self, body: list[X]) -> str:
        key = (*map(id, body), id(self.current), self.x.you, id(self.x.event))
        if key not in self.heads_made:
            name = self.fresh("h")
            free = self.free(body)
            self.heads_made[key] = f"{name}({', '.join(['S', *free])})"
            self.kept.append(body)  # so that no other gets its ids
            self.heads.function(name, ["S", *free], list(body))
        return self.heads_made[key]

    def head_of(self, routine: Routine) -> bool:
        """Whether the routine's head can fail, so that callers ask for it."""
        if routine.what == "action" and routine.tests:
            return True
        return id(routine) in self.failing

    def hidden(self, ask: Ask) -> bool:
        parts = [ask.binders[0][2], ask.where]
        kind = ask.binders[0][1]
        if any(p is not None and reads_hidden(p, self.model) for p in parts):
            return True
        return self.hideable(kind) and not self.in_the_open(ask.binders[0][2])

    def in_the_open(self, items: E) -> bool:
        """Whether all these pieces lie in zones that everybody sees."""
        if items.type.base == "list" and items.type.item.base == "piece" and not self.hideable(items.type.item):
            return True
        if items.op == "content":
            zone = items.a[0]
            return bool(zone.op == "zone" and zone.a[0].seen_by == "all")
        if items.op == "fold" and items.a[0] in ("all", "most", "least"):
            return self.in_the_open(items.a[1][0][2])
        if items.op == "fold" and items.a[0] == "union":
            _, binders, _, _, value = items.a
            if value.op == "local" and binders[0][2].op == "list":
                return all(self.in_the_open(part) for part in binders[0][2].a[0])
            return self.in_the_open(value)
        if items.op == "call":
            value = items.a[0]
            return not value.changes and isinstance(value.code, E) and self.in_the_open(value.code)
        return False

    def hideable(self, kind: Type) -> bool:
        if kind.base != "piece":
            return False
        family = set(self.model.family(kind.of)) if kind.of else set(self.model.kinds)  # type: ignore[arg-type]
        for zone in self.model.zones.values():
            if zone.seen_by == "all":
                continue
            holds = (
                {k for h in zone.holds for k in self.model.family(h)} if zone.holds else set(self.model.kinds)
            )
            if holds & family:
                return True
        return any(self.model.inherited(k, "hidden_faces") for k in family)

    def reads_hidden(self, body: Any) -> bool:
        return any(reads_hidden(e, self.model) for e in all_expressions(as_called(body)))

    def watched(self, kind: Type) -> bool:
        """Whether moving such a piece must be noticed: it may be hidden, or carry rules."""
        if self.hideable(kind) or self.model.discs(str(kind.of) if kind.of else None):
            return True
        family = set(self.model.family(kind.of)) if kind.of else set(self.model.kinds)  # type: ignore[arg-type]
        return any(c.effect is not None and c.kind in family for c in self.model.components.values())

    def limited(self, zone: E) -> bool:
        return zone.type.opt or zone.op != "zone" or zone.a[0].at_most is not None

    def _ask(self, made: dict[str, Any], kept: list[str], prompt: E | None, seat: str = "") -> int:
        number = len(self.asks)
        made["prompt"] = None
        if prompt is not None:
            made["prompt"] = f"prompt{number}"
            self.function(made["prompt"], ["S", "F"], [*_unpack(kept, seat), f"    return {self.x(prompt)}"])
        asker = self.asker or self.current
        made["routine"] = asker.title if asker is not None else ""
        self.asks.append(made)
        return number

    def ask(self, ask: Ask, st: X, kept: list[str], binder: Any, index: int, seat: str = "") -> int:
        auto = not ask.may and ask.how == "one" and not self.hidden(ask)
        where = "set" if ask.how == "set" else "choose"
        made = {
            "sort": where,
            "type": self.type_key(binder[1]),
            "word": ask.words[index],
            "may": ask.may,
            "auto": auto,
            "auto_set": ask.how == "set" and not self.hidden(ask),
            "pieces": binder[1].base == "piece",
            "one_zone": one_zone(binder[2]) is not None,
            "place": self.place(st.place),
        }
        return self._ask(made, kept, ask.prompt, seat)

    def ask_one(self, st: X, kept: list[str], prompt: E | None, options: Any, seat: str = "") -> int:
        hidden = any(
            (t is not None and reads_hidden(t, self.model)) or self.reads_hidden(b) for _, t, b in options
        )
        made = {
            "sort": "one",
            "type": 0,
            "word": "",
            "may": False,
            "auto": not hidden,
            "place": self.place(st.place),
        }
        number = len(self.asks)
        made["labels"] = f"labels{number}"
        lines = _unpack(kept, seat)
        for index, (label, _, _) in enumerate(options):
            lines.append(f"    if v == {index}: return {self.x(label)}")
        self.function(str(made["labels"]), ["S", "F", "v"], lines)
        return self._ask(made, kept, prompt, seat)

    def ask_may(self, st: X, kept: list[str], label: E) -> int:
        made = {
            "sort": "may",
            "type": 0,
            "word": "",
            "may": True,
            "auto": False,
            "place": self.place(st.place),
        }
        return self._ask(made, kept, label)

    def ask_next(self, st: X, kept: list[str], binder: Any) -> int:
        made = {
            "sort": "choose",
            "type": self.type_key(binder[1]),
            "word": "next",
            "may": False,
            "auto": True,
            "place": self.place(st.place),
        }
        return self._ask(made, kept, None)

    def ask_flick(self, st: X, kept: list[str], word: str, shot: str) -> int:
        """The angle or the power of a flick; `shot` says whose, and towards where."""
        made = {
            "sort": "choose",
            "type": self.type_key(NUMBER),
            "word": word,
            "may": False,
            "auto": False,
            "place": self.place(st.place),
            "shot": f"shot{len(self.asks)}",
        }
        self.function(str(made["shot"]), ["S", "F"], [*_unpack(kept), f"    return {shot}"])
        return self._ask(made, kept, None)

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
        self.drawing()
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
        self.function(
            name,
            ["S", *params],
            [
                f"    r = {text}" if self.inline and not charge else f"    r = base_{routine.py}({args})",
                f"    for i in S[{change_slot(routine)}]:",
                f"        r = CHANGES[i[0]](S, r, i{', ' + ', '.join(params) if params else ''})",
                "    return r",
            ]
            if routine.changes
            else [f"    return base_{routine.py}({args})"],
            place,
        )
        if name != routine.py:
            self.watched_function(routine.py, ["S", *params], routine, f"{name}({args})")

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
            args = [p.py for p in target.params]
            self.current = Routine("change", "hook", rule.place, context=rule.effect)
            names = [p.py if p.name != "you" else "doer" for p in target.params]
            doer = next((n for n, p in zip(names, target.params, strict=True) if p.name == "you"), None)
            # `it.x` is the value's own argument; `it.you` its doer.
            self.x.event = [
                doer or "None",
                *(n for n, p in zip(names, target.params, strict=True) if p.name != "you"),
            ]
            lines = ["    _, you, this, age = i"]
            if rule.effect is None and doer is not None:
                lines.append(f"    you = {doer}")
            elif doer is not None and rule.whose != "all":
                lines.append(f"    if you {'!=' if rule.whose == 'mine' else '=='} {doer}: return r")
            if rule.effect is not None and rule.effect.lasts_while is not None:
                lines.append(f"    if not {self.x(rule.effect.lasts_while)}: return r")
            if rule.test is not None:
                lines.append(f"    if not {self.x(rule.test)}: return r")
            amount = self.x(rule.amount) if rule.amount is not None else "True"
            many = target.gives is not None and target.gives.base == "list"
            if self.counting:
                lines.append("    " + self.counted("rule", rule.number))
            lines.append(
                "    return "
                + {
                    "becomes": amount,
                    "plus": f"unite(S, r, {amount})" if many else f"r + {amount}",
                    "times": f"r * {amount}",
                    "at_least": f"max(r, {amount})",
                    "at_most": f"min(r, {amount})",
                    "allow": f"(r or {amount})",
                    "forbid": f"(r and not {amount})",
                }[rule.op]
            )
            self.function(f"change{rule.number}", ["S", "r", "i", *names], lines)
            self.x.event = None
            del args
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

    def drawing(self) -> None:
        out: list[str] = ["    you = viewer", "    r = []"]
        self.current = None

        def put(items: Any, depth: int, into: str) -> None:
            pad = "    " * depth
            if not items:
                out.append(pad + "pass")
            for item in items:
                if item[0] == "line":
                    mark = f"  #@{self.place(item[1].place)}"
                    out.append(pad + f"{into}.extend(({self.x(item[1])}).split('\\n')){mark}")
                elif item[0] == "if":
                    out.append(pad + f"if {self.x(item[1])}:  #@{self.place(item[1].place)}")
                    put(item[2], depth + 1, into)
                elif item[0] == "grid":
                    _, binders, where, key, inner, across, numbers = item
                    rows, cell, name = self.fresh("r"), self.fresh("r"), binders[0][0]
                    mark = f"  #@{self.place(binders[0][2].place)}"
                    out.append(pad + f"{rows} = []")
                    out.append(pad + f"for {name} in {self.items(binders, where, key)}:{mark}")
                    out.extend([pad + f"    spend(S){mark}"] if self.counts else [])
                    out.append(pad + f"    {cell} = []")
                    put(inner, depth + 1, cell)
                    out.append(pad + f"    {rows}.append((SPOTS[{name}], {cell}))")
                    out.append(pad + f"{into}.extend(framed({rows}, {across!r}, {numbers}, {self.place(binders[0][2].place)}))")
                elif item[0] == "each":
                    _, binders, where, key, inner, across = item
                    names = ", ".join(b[0] for b in binders)
                    rows = self.fresh("r")
                    if across is not None:
                        out.append(pad + f"{rows} = []")
                    mark = f"  #@{self.place(binders[0][2].place)}"
                    out.append(pad + f"for {names} in {self.items(binders, where, key)}:{mark}")
                    out.extend([pad + f"    spend(S){mark}"] if self.counts else [])
                    if across is not None:
                        cell = self.fresh("r")
                        out.append(pad + f"    {cell} = []")
                        put(inner, depth + 1, cell)
                        out.append(pad + f"    {rows}.append({cell})")
                        out.append(pad + f"{into}.extend(beside({rows}, {across!r}))")
                    else:
                        put(inner, depth + 1, into)
                elif item[0] == "canvas":
                    _, binders, where, key, plane, width, sign, orbit = item
                    disc, rows = binders[0][0], self.fresh("r")
                    mark = f"  #@{self.place(binders[0][2].place)}"
                    said = f"say(S, {self.x(sign)}, {self.type_key(sign.type)})" if sign is not None else "'o'"
                    ring = self.x(orbit) if orbit is not None else "None"
                    out.append(pad + f"{rows} = []")
                    out.append(pad + f"for {disc} in {self.items(binders, where, key)}:{mark}")
                    out.extend([pad + f"    spend(S){mark}"] if self.counts else [])
                    out.append(pad + f"    {rows}.append((S[AT+{disc}], RADIUS[{disc}], {said}, {ring})){mark}")
                    out.append(pad + f"{into}.extend(CANVAS(PLANES[Z_{plane}], {rows}, {width})){mark}")

        if self.model.drawing:
            put(self.model.drawing, 1, "r")
        out.append("    return r")
        self.function("drawing", ["S", "viewer"], out)

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


def one_zone(items: E) -> E | None:
    """The zone whose content these items are, if they are just that."""
    if items.op == "fold" and items.a[0] == "all" and items.a[4] is None and len(items.a[1]) == 1:
        return one_zone(items.a[1][0][2])
    if items.op != "content" or items.a[0].op != "zone" or items.a[0].type.opt:
        return None
    owner = items.a[0].a[1]
    return items.a[0] if owner is None or not owner.type.opt else None


def _unpack(kept: list[str], seat: str = "") -> list[str]:
    """The lines that take locals out of a frame; the seat that is asked stands in the state."""
    found = [f"    _, K{''.join(', ' + v for v in kept)} = F[:{len(kept) + 2}]"]
    return [*found, f"    {seat} = S[{PLAYER}]"] if seat else found


def _locals(e: E) -> set[str]:
    return {x.a[0] for x in walk(e) if x.op == "local"}


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
