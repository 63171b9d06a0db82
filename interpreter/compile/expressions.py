"""Checked expressions to Python source.

Every expression becomes one Python expression; a query with a loop becomes a function of its own
(`q7(S, you, …)`) with plain loops and early returns. Nothing of the ruleset is used as a Python name
without a prefix of ours, so no word of a designer can reach Python's own.
"""

from __future__ import annotations

import re
from typing import Any

from ..ir import E
from ..slots import (
    ACTIVE,
    CLOCK,
    EVENT,
    change_slot,
    field_name,
    game_name,
    inside_name,
    option_name,
    resource_name,
    span_name,
)
from ..types import NUMBER, Type
from .grids import GridExpressions

TEMP = re.compile(r"t\d+")
FEW = 64  # items that are searched in one step
SHORT, LONG = 40, 10**6  # parts of a value that is written where it is used
BRIEF = 6  # parts of a value that are worth repeating
PLAIN = ("local", "const", "active", "this", "piece")
SPELLED = ("sum", "count", "any", "every", "first", "the", "max", "min", "first_most", "first_least")
MANY = 150  # parts of a value whose conditions are told apart
COMPARE = {"<": "<", "<=": "<=", ">": ">", ">=": ">="}
ENDS = {"first": "[0]", "bottom": "[0]", "the": "[0]", "last": "[-1]", "top": "[-1]"}


def walk(node: Any) -> Any:
    """All expressions inside a checked tree, itself first."""
    if isinstance(node, E):
        yield node
        for part in node.a:
            yield from walk(part)
    elif isinstance(node, (tuple, list)):
        for part in node:
            yield from walk(part)


def free_names(*nodes: Any) -> list[str]:
    """Local names that an expression needs from outside, in a fixed order."""
    found: dict[str, None] = {}
    bound: set[str] = set()
    for node in nodes:
        for e in walk(node):
            if e.op == "local":
                found[e.a[0]] = None
            elif e.op == "this":
                found["this"] = None
            elif e.op in ("memory", "argument"):
                found["age"] = None
            elif e.op in ("call", "can") and getattr(e.a[0], "context", None) is not None:
                found["this"] = found["age"] = None
            elif e.op == "fold":
                bound.update(b[0] for b in e.a[1])
    return [n for n in found if n not in bound]


class Expressions(GridExpressions):
    """Turns expressions into source; collects the functions that they need."""

    def __init__(self, compiler: Any) -> None:
        self.c = compiler
        self.you = "you"  # the python name of `you` where the code stands
        self.event: list[str] | None = None  # python names of `it` parts inside a change of a value
        self.sizes: dict[int, int] = {}  # of values, by their routine's id
        self.binders: set[str] = set()  # names that queries go through things with

    def __call__(self, e: E) -> str:
        return getattr(self, "x_" + e.op)(e, *e.a)  # type: ignore[no-any-return]

    # ---- plain things ----

    def x_const(self, e: E, value: Any) -> str:
        return repr(value)

    def x_local(self, e: E, py: str) -> str:
        return py

    def x_now(self, e: E) -> str:
        return f"S[{CLOCK}]"

    def x_left(self, e: E, timer: E) -> str:
        return self.guarded(timer, lambda o: f"left(S, {o})")

    def x_active(self, e: E) -> str:
        return f"S[{ACTIVE}]"

    def x_this(self, e: E) -> str:
        return "this"

    def x_it(self, e: E, index: int) -> str:
        if self.event is not None:
            return self.event[index]
        return f"S[{EVENT}][{index}]"

    def x_memory(self, e: E, field: Any) -> str:
        return f"memory(S, age, {field.number})"

    def x_argument(self, e: E, index: int) -> str:
        return f"argument(S, age, {index})"

    def x_option(self, e: E, name: str) -> str:
        return option_name(name)

    def x_game(self, e: E, field: Any, key: E | None = None) -> str:
        if key is not None:
            return f"S[{game_name(field)}+{self.atom(key)}]"
        return f"S[{game_name(field)}]"

    def x_resource(self, e: E, resource: Any, player: E | None) -> str:
        if player is None:
            return f"S[{resource_name(resource)}]"
        return f"S[{resource_name(resource)}+{self.atom(player)}]"

    def x_span(self, e: E, field: Any) -> str:
        return f"S[{span_name(field)}]"

    def x_inside(self, e: E, span: Any) -> str:
        return f"(S[{inside_name(span)}] > 0)"

    def atom(self, e: E) -> str:
        text = self(e)
        return text if text.isidentifier() or text.isdigit() else f"({text})"

    def guarded(self, obj: E, make: Any, fallback: str = "None") -> str:
        """None spreads through dots: the part of nothing is nothing."""
        if obj.type.opt:
            name = self.c.temp()
            items, end = end_of(self.resolved(obj)) if self.c.inline else (None, "")
            if items is not None and never_holds_none(items):
                return f"({make(name + end)} if ({name} := {self(items)}) else {fallback})"
            return f"({fallback} if ({name} := {self(obj)}) is None else {make(name)})"
        return make(self.atom(obj))  # type: ignore[no-any-return]

    def x_field(self, e: E, field: Any, obj: E, key: E | None) -> str:
        name = field_name(field)

        def make(o: str) -> str:
            if field.key is not None:
                index = f"{name}+{o}*{name}_w+{self.atom(key)}"  # type: ignore[arg-type]
                return f"S[{index}]"
            if name in self.c.tracking.bits:
                return f"bearer(S, {self.c.tracking.holds[name]}, ON_{field.owner}[{o}])"
            if field.changed:
                return f"S[{name}+{o}]"
            if field.face is not None:
                return f"{name}[S[FACE+{o}]][{o}]"
            return f"{name}[{o}]"

        return self.guarded(obj, make)

    def x_fields(self, e: E, fields: Any, obj: E, key: E | None) -> str:
        """A field that several kinds have: that of the piece's own kind, or none."""

        if self.c.inline and key is None:
            name = self.c.indexes.together(fields)
            if name is not None:
                if obj.type.opt or obj.op != "local":
                    return self.guarded(E(obj.op, obj.type.maybe(), obj.a, obj.place), lambda o: f"{name}[{o}]")
                o = self(obj)  # what is chosen may be nothing, what a query goes through is not
                return f"{name}[{o}]" if o in self.binders else f"(None if {o} is None else {name}[{o}])"

        def make(o: str) -> str:
            text = "None"
            for field in reversed(fields):
                local = E("local", obj.type.sure(), (o,), obj.place)
                text = f"({self.x_field(e, field, local, key)} if LO_{field.owner} <= {o} < HI_{field.owner} else {text})"
            return text

        return self.guarded(E(obj.op, obj.type.maybe(), obj.a, obj.place), make)

    def x_face(self, e: E, obj: E) -> str:
        return self.guarded(obj, lambda o: f"S[FACE+{o}]")

    def x_where(self, e: E, obj: E) -> str:
        return self.guarded(obj, lambda o: self.location(o, obj.type))

    def location(self, o: str, kind: Type) -> str:
        """The zone in which a piece lies: the box, if it is of a kind that never moves."""
        resting = self.c.resting
        if resting:
            family = self.c.model.family(kind.of) if kind.of else list(self.c.model.kinds)
            if resting.issuperset(family):
                return "BOX"
            if not resting.isdisjoint(family):
                return f"(S[LOC+{o}] if FIRST_MOVING <= {o} < LAST_MOVING else BOX)"
        return f"S[LOC+{o}]"

    def x_spot_of(self, e: E, obj: E) -> str:
        return self.guarded(obj, lambda o: f"S[AT+{o}]")

    def x_axis(self, e: E, spot: E, index: int) -> str:
        return self.guarded(spot, lambda s: f"{s}[{index}]")

    def x_radius(self, e: E, obj: E) -> str:
        return self.guarded(obj, lambda o: f"RADIUS[{o}]")

    def x_path_part(self, e: E, path: E, index: int) -> str:
        return self.guarded(path, lambda p: f"{p}[{index}]", "()" if e.type.base == "list" else "None")

    def x_holder(self, e: E, obj: E, kind: str) -> str:
        return self.guarded(obj, lambda o: f"HOLDER_{kind}[{self.location(o, obj.type)}]")

    def x_zone(self, e: E, zone: Any, owner: E | None) -> str:
        if owner is None:
            return f"Z_{zone.name}"
        return self.guarded(owner, lambda o: f"(Z_{zone.name}+{o})")

    def x_box(self, e: E) -> str:
        return "BOX"

    def x_content(self, e: E, zone: E) -> str:
        if zone.op == "zone" and zone.a[1] is not None:
            return self.guarded(zone.a[1], lambda o: f"S[Z_{zone.a[0].name}+{o}]", "()")
        return self.guarded(zone, lambda z: f"S[{z}]", "()")

    def x_piece(self, e: E, component: Any) -> str:
        return f"C_{component.id}"

    def x_design(self, e: E, component: Any) -> str:
        return f"D_{component.id}"

    def x_design_of(self, e: E, obj: E) -> str:
        return self.guarded(obj, lambda o: f"DESIGN[{o}]")

    def x_kind_of(self, e: E, obj: E) -> str:
        return self.guarded(obj, lambda o: f"KIND[{o}]")

    def x_kind(self, e: E, kind: str) -> str:
        return f"K_{kind}"

    def x_pieces(self, e: E, kind: str) -> str:
        return f"P_{kind}"

    def x_of_kind(self, e: E, kind: E) -> str:
        return f"PIECES[{self(kind)}]"

    def x_own(self, e: E, kind: str, player: E) -> str:
        return self.guarded(player, lambda p: f"OWN_{kind}[{p}]")

    def x_symbols(self, e: E, name: str) -> str:
        return repr(tuple(range(len(self.c.model.symbols[name]))))

    def x_players(self, e: E) -> str:
        return "PLAYERS"

    def x_opponent(self, e: E, player: E) -> str:
        return f"(1-{self.atom(player)})"

    # ---- calls ----

    def args(self, routine: Any, args: Any) -> str:
        parts = ["S", *(self(a) for a in args)]
        if routine.context is not None:
            parts += ["this", "age"]
        return ", ".join(parts)

    def x_call(self, e: E, routine: Any, args: Any) -> str:
        if (
            self.c.inline
            and not routine.changes
            and not args
            and routine.context is None
            and routine.code.op in ("const", "symbols")
        ):
            return self(routine.code)
        if self.inlined(routine, args):
            return self(_with(routine.code, dict(zip([p.py for p in routine.params], args, strict=True))))
        call = f"{routine.py}({self.args(routine, args)})"
        if self.mostly(routine, args):
            base = self(_with(routine.code, dict(zip([p.py for p in routine.params], args, strict=True))))
            return f"({call} if S[{change_slot(routine)}] else {base})"
        return call

    def mostly(self, routine: Any, args: Any) -> bool:
        """A plain value that rules may change: it stands where it is used, for as long as none of them stands."""
        return bool(
            self.c.inline
            and routine.changes
            and routine.context is None
            and id(routine) not in self.c.bounds.loops
            and all(a.op in PLAIN for a in args)
            and sum(1 for _ in walk(routine.code)) <= BRIEF
            and not heavy(routine.code)
        )

    def inlined(self, routine: Any, args: Any) -> bool:
        """Short values that nothing changes stand where they are used (not where rules are knocked out)."""
        if not self.c.inline or routine.changes or routine.context is not None or self.extent(routine) > SHORT:
            return False
        for param, arg in zip(routine.params, args, strict=True):
            plain = arg.op in PLAIN
            if not plain and not (harmless(arg) and _used_once(routine.code, param.py)):
                return False
        return True

    def extent(self, routine: Any) -> int:
        """How much is written where a value is used, with the values in it."""
        if id(routine) not in self.sizes:
            self.sizes[id(routine)] = LONG  # while it is being looked at: it may come back to itself
            watched = id(routine) in self.c.bounds.loops or id(routine) in self.c.bounds.charged
            size = 0 if not watched else LONG
            for e in walk(routine.code) if not watched else ():
                size += 1
                if e.op == "call" and not e.a[0].changes and e.a[0].context is None:
                    size += self.extent(e.a[0])
                if size > SHORT:
                    break
            self.sizes[id(routine)] = size
        return self.sizes[id(routine)]

    def resolved(self, e: E) -> E:
        """What a short value stands for."""
        while e.op == "call" and isinstance(e.a[0].code, E) and self.inlined(*e.a):
            routine, args = e.a
            e = _with(routine.code, dict(zip([p.py for p in routine.params], args, strict=True)))
        return e

    def x_can(self, e: E, routine: Any, args: Any) -> str:
        return f"head_{routine.py}({self.args(routine, args)})"

    def x_can_run(self, e: E, obj: E, slot: str, kinds: Any) -> str:
        if not self.c.inline:
            return self.guarded(obj, lambda o: f"can_run(S, {o}, {slot!r}, {self.you})", "False")
        head = self.c.temp()
        self.c.run_slots.add(slot)

        def make(o: str) -> str:
            return f"(({head} := RUNS_{slot}[{o}]) is True or ({head} and {head}(S, {self.you}, {o}, None)))"

        return self.guarded(obj, make, "False")

    def x_table(self, e: E, table: Any, args: Any) -> str:
        if len(args) == 1:
            return f"TABLE_{table.name}[{self(args[0])}]"
        return f"TABLE_{table.name}[({', '.join(self(a) for a in args)})]"

    # ---- logic and numbers ----

    def x_not(self, e: E, x: E) -> str:
        return f"(not {self(x)})"

    def x_and(self, e: E, items: Any) -> str:
        return "(" + " and ".join(self(x) for x in items) + ")"

    def x_or(self, e: E, items: Any) -> str:
        return "(" + " or ".join(self(x) for x in items) + ")"

    def x_minus(self, e: E, x: E) -> str:
        return f"(-{self.atom(x)})"

    def x_compare(self, e: E, op: str, left: E, right: E) -> str:
        if left.type.opt or right.type.opt:
            quick = self.compared(op, left, right) if self.c.inline else None
            return quick or f"compare(S, {op!r}, {self(left)}, {self(right)}, {self.c.place(e.place)})"
        if op == ">" and right.op == "const" and right.a[0] == 0:
            found = self.any_of(left)
            if found is not None:
                return found
        if right.op == "const" and (op, right.a[0]) in ((">", 0), (">=", 1)) and self.zone_size(left):
            return f"(not not {self(left.a[1][0])})"
        return f"({self(left)} {op} {self(right)})"

    def compared(self, op: str, left: E, right: E) -> str | None:
        """What may be none against what is sure to be there; none is neither more nor less."""
        right = self.resolved(right)
        if right.type.opt or not harmless(right):
            return None
        if left.op == "function" and left.a[0] == "gap" and op in ("<=", "<") and not self.c.halves:
            a, b = left.a[1]
            return f"nearer(S, {self(a)}, {self(b)}, {self(right)}{' - 1' if op == '<' else ''})"
        name = self.c.temp()
        return f"(({name} := {self(left)}) is not None and {name} {op} {self(right)})"
    def zone_size(self, size: E) -> bool:
        """Whether this is the number of pieces in a zone."""
        return bool(size.op == "function" and size.a[0] == "size" and size.a[1][0].op == "content")

    def x_same(self, e: E, left: E, right: E) -> str:
        if right.op == "const" and right.a[0] is None:
            return f"({self(left)} is None)"
        if right.op == "const" and right.a[0] == 0 and type(right.a[0]) is int:
            found = self.any_of(left)
            if found is not None:
                return f"(not {found})"
            if self.zone_size(left):
                return f"(not {self(left.a[1][0])})"
        return f"({self(left)} == {self(right)})"

    def any_of(self, size: E) -> str | None:
        """`size(all(…))` or a count against 0 asks only whether there is one: the search stops at the first."""
        size = self.resolved(size)
        if size.op == "function" and size.a[0] == "size":
            inner, word = self.resolved(size.a[1][0]), "all"
        else:
            inner, word = size, "count"
        if inner.op != "fold" or inner.a[0] != word or inner.a[2] is None:
            return None
        _, binders, where, _, _ = inner.a
        return self(E("fold", size.type, ("any", binders, where, None, None), inner.place))

    def x_like(self, e: E, obj: E, kind: str) -> str:
        if not self.c.inline:
            return self.guarded(obj, lambda o: f"(LO_{kind} <= {o} < HI_{kind})", "False")
        self.c.told_apart.add(kind)
        return self.guarded(obj, lambda o: f"IS_{kind}[{o}]", "False")

    def x_named(self, e: E, obj: E, component: Any) -> str:
        return self.guarded(obj, lambda o: f"(DESIGN[{o}] == D_{component.id})", "False")

    def x_of_type(self, e: E, obj: E, kind: E) -> str:
        return self.guarded(obj, lambda o: f"({o} in PIECESET[{self(kind)}])", "False")

    def x_member(self, e: E, item: E, items: E) -> str:
        if items.op in ("list", "range", "players", "symbols", "fold", "pieces", "own_board", "lane"):
            return f"({self(item)} in {self(items)})"  # short, or counted when it was made
        return f"member(S, {self(item)}, {self(items)})"

    def x_sum(self, e: E, op: str, left: E, right: E) -> str:
        if left.type.opt or right.type.opt:
            return f"arith(S, {op!r}, {self(left)}, {self(right)}, {self.c.place(e.place)})"
        if e.type.base == "list":
            return (
                f"unite(S, {self(left)}, {self(right)})"
                if op == "+"
                else f"without(S, {self(left)}, {self(right)})"
            )
        if op == "/" or (op == "//" and not (right.op == "const" and right.a[0])):
            return f"arith(S, {op!r}, {self(left)}, {self(right)}, {self.c.place(e.place)})"
        if op == "*" and not any(side.op == "const" and type(side.a[0]) is int for side in (left, right)):
            return f"arith(S, '*', {self(left)}, {self(right)}, {self.c.place(e.place)})"
        before = self(left)
        if op in "+-" and left.op == "sum" and left.a[0] in "+-" and before.startswith("("):
            before = before[1:-1]  # a long sum nests no brackets
        return f"({before} {op} {self(right)})"

    def some_of(self, items: E) -> str:
        """A list of which only matters whether it is empty: what is costly to list stops at the first."""
        if items.op == "function" and items.a[0] == "around":
            return f"around({', '.join(['S', *(self.whole(a) if a.type.base == 'number' else self(a) for a in items.a[1])])}, 1)"
        return self(items)

    def whole(self, e: E) -> str:
        """A number that counts something: with halves about, it is looked at first."""
        if not self.c.halves or (e.op == "const" and type(e.a[0]) is int):
            return self(e)
        return f"whole({self(e)}, {self.c.place(e.place)})"

    def x_if(self, e: E, test: E, yes: E, no: E) -> str:
        return f"({self(yes)} if {self(test)} else {self(no)})"

    def x_list(self, e: E, items: Any) -> str:
        if not items:
            return "()"
        return "(" + ", ".join(self(x) for x in items) + ",)"

    def x_range(self, e: E, low: E, high: E) -> str:
        return f"range({self.whole(low)}, {self.whole(high)} + 1)"

    def x_text(self, e: E, parts: Any) -> str:
        if not parts:
            return "''"
        made = []
        for part in parts:
            if isinstance(part, str):
                made.append(repr(part))
            elif isinstance(part, tuple) and part[0] == "pad":
                _, inner, width, align = part
                made.append(f"pad(say(S, {self(inner)}, {self.c.type_key(inner.type)}), {width}, {align!r})")
            else:
                made.append(f"say(S, {self(part)}, {self.c.type_key(part.type)})")
        said = "(" + " + ".join(made) + ")"
        inner = [p[1] if isinstance(p, tuple) else p for p in parts if not isinstance(p, str)]
        if any(p.type.base in ("text", "list", "unknown") for p in inner):
            return f"brief({said}, {self.c.place(e.place)})"  # it could hold itself
        return said

    # ---- built-in functions ----

    def x_function(self, e: E, word: str, args: Any) -> str:
        best = self.best(e)
        if best is not None:
            return self(best)
        if word in ENDS and self.c.inline:
            return self.end(args[0], ENDS[word])
        made = [self(a) for a in args]
        kind: Type = args[0].type if args else e.type
        if word == "size":
            return "NP" if args[0].op == "players" else f"len({made[0]})"
        if word == "union" and self.c.inline and len(made) > 1:
            return f"tuple(dict.fromkeys(({', '.join('*' + text for text in made)})))"
        if word in ("last", "top"):
            return f"last({made[0]})"
        if word in ("first", "bottom", "the"):
            return f"first({made[0]})"
        if word == "reverse":
            return f"backwards(S, {made[0]})"
        if word == "shift":
            return f"shift({made[0]}, {self.whole(args[1])}, {len(self.c.model.symbols[str(kind.of)])})"
        if word in ("sum", "max", "min", "distinct", "union"):
            inner = made[0] if len(made) == 1 and kind.base == "list" else "(" + ", ".join(made) + ",)"
            return f"{word}_of({inner})"
        if word in ("lines_through", "lines"):
            return f"{word}(S, {made[0]}, {self.whole(args[1])})"
        if word == "distance":
            return f"distance(S, {', '.join(made)})"
        far = args[2].a[0] if word == "step" and args[2].op == "const" else None
        if type(far) is int and self.c.inline and not args[1].type.opt:
            table = f"{self.c.indexes.stepped(far)}[{made[1]}]"
            if args[0].op == "local" and made[0] in self.binders:
                return f"{table}[{made[0]}]"
            return self.guarded(E(args[0].op, args[0].type.maybe(), args[0].a, args[0].place), lambda o: f"{table}[{o}]")
        if word == "step":
            return f"step({made[0]}, {made[1]}, {self.whole(args[2])})"
        if word in ("spot", "around"):
            return f"{word}(S, {', '.join(self.whole(a) if a.type.base == 'number' else self(a) for a in args)})"
        if word == "neighbours" and self.c.inline:
            return f"NEIGHBOURS.get({made[0]}, ())"
        if word == "edge_between" and self.c.inline:
            return f"EDGES.get(({', '.join(made)}))"
        if word in ("neighbours", "edge_between"):
            return f"{word}({', '.join(made)})"
        if word == "nth" and self.c.inline and args[0].op == "pieces":
            at, kind_name = self.c.temp(), args[0].a[0]  # pieces of a kind are one run of numbers
            low, many = f"LO_{kind_name}", f"HI_{kind_name} - LO_{kind_name}"
            return f"({low} - 1 + {at} if 0 < ({at} := {self.whole(args[1])}) <= {many} else None)"
        if word == "nth":
            return f"nth(S, {made[0]}, {self.whole(args[1])})"
        if word == "join":
            return f"join(S, {', '.join(made)}, {self.c.type_key(kind.item)})"
        return f"{word}(S, {', '.join(made)})" if made else f"{word}(S)"

    def end(self, items: E, at: str) -> str:
        """The first or the last of a list, or none."""
        name = self.c.temp()
        return f"({name}{at} if ({name} := {self(items)}) else None)"

    # ---- queries ----

    def best(self, e: E) -> E | None:
        """`first(most(…))`: only the first of those that have most is wanted, and no list of them."""
        inner = None
        if e.op == "function" and e.a[0] in ("first", "the", "bottom"):
            inner = e.a[1][0]
        elif e.op == "fold" and e.a[0] in ("first", "the") and len(e.a[1]) == 1 and e.a[2:] == (None, None, None):
            inner = e.a[1][0][2]
        if not self.c.inline or inner is None or inner.op != "fold" or inner.a[0] not in ("most", "least"):
            return None
        return E("fold", e.type, ("first_" + inner.a[0], *inner.a[1:]), e.place)

    def x_fold(self, e: E, word: str, binders: Any, where: E | None, key: E | None, value: E | None) -> str:
        best = self.best(e)
        if best is not None:
            return self(best)
        if len(binders) == 1 and where is None and key is None and value is None:
            items = self(binders[0][2])
            if word == "count":
                return f"len({items})"
            if word == "any":
                return f"(len({self.some_of(binders[0][2])}) > 0)"
            if word in ENDS and self.c.inline:
                return self.end(binders[0][2], ENDS[word])
            if word in ("first", "the"):
                return f"first({items})"
            if word == "last":
                return f"last({items})"
            if word == "all":
                if binders[0][2].op != "range":
                    return items
                return f"tuple(count_steps(S, {items}))" if self.c.counts else f"tuple({items})"
        if word == "union" and self.c.inline and where is None and _itself(value, binders[0]) and binders[0][2].op == "list":
            return f"tuple(dict.fromkeys(({', '.join('*' + self(part) for part in binders[0][2].a[0])},)))"
        if word == "all" and self.c.inline and key is None and value is None and (left := left_out(binders, where)):
            return f"RIVALS[{self(left)}]"
        if word in ("first", "the") and key is None and value is None and (left := self.left_over(binders, where)):
            return f"FIRST_BUT[{self(left)}]"
        quick: str | None = self.c.tracking.read(e, word) or self.c.tracking.in_line(e, self)
        if quick is not None:
            return quick
        free = free_names(e)
        if self.event is not None:  # parts of the event are names here, and the query needs them too
            parts = [self.event[x.a[0]] for x in walk(e) if x.op == "it"]
            free = list(dict.fromkeys([*free, *[p for p in parts if p != "None"]]))
        body = self.fold_body(word, binders, where, key, value)
        kinds = {x.a[0]: x.type for x in walk(e) if x.op == "local"}
        params = ["S", *free]
        if self.c.inline:
            params, body = _named_alike(free, body)
        name = self.c.query(params, body, e.place, [kinds.get(py) for py in free])
        return f"{name}({', '.join(['S', *free])})"

    def left_over(self, binders: Any, where: E | None) -> E | None:
        """Whom `first(p in players where p is not bettor)` leaves out, if that is just read somewhere; or none."""
        left = left_out(binders, where, ("local", "active", "game")) if self.c.inline else None
        return left if left is None or binders[0][0] not in free_names(left) else None

    # ---- queries that are written out where they are asked ----

    def leading(self, e: E, put: Any) -> E:
        """The same expression; a query that is asked before all else is written out as lines before it."""
        if not self.c.inline or self.event is not None:
            return e
        if e.op == "call" and self.inlined(*e.a):
            routine, args = e.a
            return self.leading(_with(routine.code, dict(zip([p.py for p in routine.params], args, strict=True))), put)
        best = self.best(e)
        if best is not None or e.op == "fold":
            return self.spelled(best or e, put) or e
        if e.op == "not":
            return E(e.op, e.type, (self.leading(e.a[0], put),), e.place)
        if e.op in ("and", "or"):
            return E(e.op, e.type, ((self.leading(e.a[0][0], put), *e.a[0][1:]),), e.place)
        if e.op == "same" or (e.op == "compare" and not e.a[1].type.opt and not e.a[2].type.opt):
            return E(e.op, e.type, (*e.a[:-2], self.leading(e.a[-2], put), e.a[-1]), e.place)
        return e

    def spelled(self, e: E, put: Any) -> E | None:
        """A short search as a loop that stands where it is asked; gives the name of what it finds."""
        word, binders, where, key, value = e.a
        if len(binders) != 1 or (where is None and key is None and value is None) or word not in SPELLED:
            return None
        if (key is not None) != (word in ("first_most", "first_least")):
            return None
        if word in ("first", "the") and value is None and self.left_over(binders, where) is not None:
            return None
        if self.c.tracking.query(e) is not None or self.c.tracking.lined(e) is not None:
            return None
        tests = conjuncts(where) if where is not None else []
        if any(inner_search(test) for test in tests):
            return None
        py, _, items = binders[0]
        found, lines = self.c.temp(), list[str]()
        source, here = (self(items), tests) if word == "every" else self.c.indexes.narrow(self, py, items, tests)
        if not self.small(items, self.deep(where, key, value), 0):
            source = self.charged(source, lines, "", self.c.temp())
        met = " and ".join(self(t) for t in here)
        first = word in ("first", "the")
        if first and value is None:
            found = py
        start = {"sum": "0", "count": "0", "any": "False", "every": "True"}.get(word, "None")
        if not first:
            lines.append(f"{found} = {start}")
        lines.append(f"for {py} in {source}:")
        pad = "    "
        if met and word == "every":
            met = f"not ({met})"
        if met:
            lines.append(f"{pad}if {met}:")
            pad += "    "

        def inside(part: E) -> str:
            return self(self.leading(part, lambda line: lines.append(pad + line)))

        if word == "count":
            lines.append(f"{pad}{found} += 1")
        elif word == "sum":
            assert value is not None
            lines.append(f"{pad}{found} += {inside(value)}")
        elif word in ("any", "every"):
            lines += [f"{pad}{found} = {word == 'any'}", f"{pad}break"]
        elif first:
            if value is not None:
                lines.append(f"{pad}{found} = {inside(value)}")
            lines += [f"{pad}break", f"else: {found} = None"]
        else:
            by = inside(key) if key is not None else inside(value) if value is not None else py
            best, now = (self.c.temp() if key is not None else found), by if TEMP.fullmatch(by) else self.c.temp()
            op = ">" if word in ("max", "first_most") else "<"
            take = f"{best} = {now}" if best == found else f"{best} = {now}; {found} = {py}"
            lines += [] if now == by else [f"{pad}{now} = {by}"]
            lines += [f"{pad}if {best} is None or {now} {op} {best}: {take}"]
            if best != found:
                lines.insert(0, f"{best} = None")
        for line in lines:
            put(line)
        return E("local", e.type, (found,), e.place)

    def fold_body(
        self, word: str, binders: Any, where: E | None, key: E | None, value: E | None
    ) -> list[str]:
        if word == "parts":
            assert where is not None
            return self.parts_body(binders, where)
        if word == "union" and where is None and value is not None and self.c.inline:
            zones = self.side_by_side(binders, value)
            if zones is not None:
                return [f"    return sum({zones}, ())"]
        searches = any(inner_search(t) for t in self.conditions(where))
        if word == "all" and len(binders) == 1 and key is None and value is None and not searches:
            return self.filtered(binders[0], where)
        self.binders.update(binder for binder, kind, _ in binders if not kind.opt)
        out: list[str] = []
        pad = "    "
        depth = 1
        py = binders[0][0]
        start = {
            "count": "r = 0",
            "sum": "r = 0",
            "all": "r = []",
            "max": "r = None",
            "min": "r = None",
            "last": "r = None",
            "distinct": "r = {}",
            "union": "r = {}",
            "groups": "r = {}",
            "most": "b = None; r = []",
            "least": "b = None; r = []",
            "first_most": "b = r = None",
            "first_least": "b = r = None",
        }.get(word)
        if word in ("first", "the", "last", "all") and key is not None:
            start = "r = []"
        if start:
            out.append(pad + start)
        tests = self.conditions(where)
        names = [b[0] for b in binders]
        for index, (binder, _, items) in enumerate(binders):
            later = set(names[index + 1 :])
            here = [t for t in tests if not later & set(_used(t))]
            tests = [t for t in tests if t not in here]
            if word == "every" and index == len(binders) - 1:
                source = self(items)  # its conditions are what is asked, they leave nothing out
            else:
                here, before = self.parted(here, names) if index == 0 else (here, "")
                source, here = self.c.indexes.narrow(self, binder, items, here)
                source = f"({source} if {before} else ())" if before else source
            if not self.small(items, self.deep(where, key, value), index):
                source = self.charged(source, out, pad * depth, f"d{index}")
            out.append(pad * depth + f"for {binder} in {source}:")
            depth += 1
            if word == "every" and index == len(binders) - 1:
                if here:
                    out.append(pad * depth + f"if not ({' and '.join(self(t) for t in here)}): return False")
                else:
                    out.append(pad * depth + "pass")
                continue
            for test in self.ordered(here):
                depth = self.tested(test, items, out, depth, names[: index + 1])
        line = pad * depth
        if word == "every":
            out.append("    return True")
            return out

        def inside(part: E) -> str:
            return self(self.leading(part, lambda inner: out.append(line + inner)))

        item = inside(value) if value is not None else py
        if key is not None and word in ("all", "first", "the", "last"):
            out.append(line + f"r.append(({self(key)}, len(r), {item}))")
            out.append("    r.sort()")
            pick = {"all": "tuple([x[2] for x in r])", "last": "r[-1][2] if r else None"}.get(
                word, "r[0][2] if r else None"
            )
            out.append(f"    return {pick}")
            return out
        if word == "any":
            out += [line + "return True", "    return False"]
        elif word in ("first", "the"):
            out += [line + f"return {item}", "    return None"]
        elif word == "last":
            out += [line + f"r = {item}", "    return r"]
        elif word == "count":
            out += [line + "r += 1", "    return r"]
        elif word == "sum":
            out += [line + f"r += {item}", "    return r"]
            if value is not None and len(binders) == 1:
                return self.unchanged(binders[0][2], where, value, item, out)
        elif word == "all":
            out += [line + f"r.append({item})", "    return tuple(r)"]
        elif word in ("max", "min"):
            op = ">" if word == "max" else "<"
            out += [line + f"v = {item}", line + f"if r is None or v {op} r: r = v", "    return r"]
        elif word == "distinct":
            out += [line + f"r[{item}] = None", "    return tuple(r)"]
        elif word == "union":
            out += [line + f"for v in {item}: r[v] = None", "    return tuple(r)"]
        elif word == "groups":
            by = self(key) if key is not None else "None"
            out += [
                line + f"r.setdefault({by}, []).append({item})",
                "    return tuple([tuple(x) for x in r.values()])",
            ]
        elif word in ("most", "least"):
            op = ">" if word == "most" else "<"
            by = inside(key) if key is not None else item
            out += [
                line + f"v = {by}",
                line + f"if b is None or v {op} b: b = v; r = [{py}]",
                line + f"elif v == b: r.append({py})",
                "    return tuple(r)",
            ]
        elif word in ("first_most", "first_least"):
            op = ">" if word == "first_most" else "<"
            by = inside(key) if key is not None else item
            out += [line + f"v = {by}", line + f"if b is None or v {op} b: b = v; r = {py}", "    return r"]
        else:
            raise AssertionError(word)
        return out

    def unchanged(self, items: E, where: E | None, value: E, item: str, out: list[str]) -> list[str]:
        """A sum of values that rules may change: as long as none of them stands, it is a short loop of its own."""
        if value.op != "call" or not self.mostly(*value.a) or not self.small(items, self.deep(where), 0):
            return out
        at = next(n for n, line in enumerate(out) if line.startswith("    for "))
        call, _, plain = item[1:-1].partition(f" if S[{change_slot(value.a[0])}] else ")
        begin = at - 2 if out[at - 1].endswith("raise OutOfSteps") else at
        loop = [line.replace(f"r += {item}", f"r += {plain}") for line in out[at:-1]]
        quick = [f"    if not S[{change_slot(value.a[0])}]:", *("    " + line for line in loop), "        return r"]
        rest = [line.replace(f"r += {item}", f"r += {call}") for line in out[begin:]]
        return [*out[:begin], *quick, *rest]

    def filtered(self, binder: Any, where: E | None) -> list[str]:
        """All items that meet a condition, in one go."""
        py, kind, items = binder
        if not kind.opt:
            self.binders.add(py)
        out: list[str] = []
        tracked = self.c.tracking.query(E("fold", items.type, ("all", (binder,), where, None, None), items.place))
        if tracked is not None:
            source, conditions = f"MEMBERS_{items.a[0]}[{tracked[0]}]", tracked[1]
        else:
            conditions, before = self.parted(self.conditions(where), [py])
            source, conditions = self.c.indexes.narrow(self, py, items, conditions)
            source = f"({source} if {before} else ())" if before else source
            if not self.small(items, self.deep(where), 0):
                source = self.charged(source, out, "    ", "d0")
        if ":=" in source:  # Python takes no names there
            out.append(f"    d0 = {source}")
            source = "d0"
        tests = " and ".join(self(t) for t in self.ordered(conditions))
        return [*out, f"    return tuple([{py} for {py} in {source}{' if ' + tests if tests else ''}])"]

    def conditions(self, where: E | None) -> list[E]:
        """What is to be met; a value that is a search becomes that search, so that it can be a loop in place."""
        found: list[E] = []
        for test in conjuncts(where) if where is not None else []:
            inner = self.opened(test)
            if inner is not test and inner.op == "and":
                found += self.conditions(inner)
            else:
                inner = self.resolved(test)
                found.append(inner if inner_search(inner) else test)
        return found

    def opened(self, e: E) -> E:
        """A value that is several conditions stands for them, so that each is tested as early as it can be."""
        if e.op != "call" or not self.c.inline or e.a[0].changes or e.a[0].context is not None:
            return e
        routine, args = e.a
        watched = id(routine) in self.c.bounds.loops or id(routine) in self.c.bounds.charged
        code = routine.code
        if watched or any(arg.op not in ("local", "const") for arg in args) or sum(1 for _ in walk(code)) > MANY:
            return e
        return _with(code, dict(zip([p.py for p in routine.params], args, strict=True))) if code.op == "and" else e

    def ordered(self, tests: list[E]) -> list[E]:
        """Conditions that cannot fail, the shortest first; others keep their place."""
        if not self.c.inline or len(tests) < 2:
            return tests
        made: list[E] = []
        run: list[tuple[int, int, E]] = []
        for at, test in enumerate(tests):
            inner = self.resolved(test)
            if harmless(inner):
                run.append((sum(1 for _ in walk(inner)), at, test))
            else:
                made += [t for _, _, t in sorted(run, key=lambda one: one[:2])] + [test]
                run = []
        return made + [t for _, _, t in sorted(run, key=lambda one: one[:2])]

    def parted(self, tests: list[E], names: list[str]) -> tuple[list[E], str]:
        """Conditions of each item; and the text of those that are the same for all and are asked once, before."""
        if not self.c.inline:
            return tests, ""
        once = [t for t in tests if not set(names) & set(_used(t)) and harmless(self.resolved(t))]
        return [t for t in tests if t not in once], " and ".join(self(t) for t in once)

    def side_by_side(self, binders: Any, value: E) -> str | None:
        """The zones of a run of pieces, which are a run of slots; no piece lies in two of them."""
        (py, _, items), *more = binders
        zone = value.a[0] if value.op == "content" else None
        if more or zone is None or zone.op != "zone" or zone.a[1] is None or zone.a[1].type.opt:
            return None
        if zone.a[1].op != "local" or zone.a[1].a[0] != py or not self.small(items, False, 0):
            return None
        base = f"Z_{zone.a[0].name}"
        if items.op == "pieces":
            return f"S[{base}+LO_{items.a[0]}:{base}+HI_{items.a[0]}]"
        if items.op == "own_board" and not items.a[1].type.opt:
            board = f"B_{items.a[0].name}[{self(items.a[1])}]"
            return f"S[{base}+{board}[0]:{base}+{board}[-1]+1]"
        return None

    def small(self, items: E, deep: bool, index: int) -> bool:
        """Few enough items that searching them is one step of whoever searches."""
        if deep or index:
            return False
        if items.op in ("symbols", "list"):
            many = len(self.c.model.symbols[items.a[0]] if items.op == "symbols" else items.a[0])
            return many <= FEW
        if items.op == "function":
            return items.a[0] in ("neighbours", "lines_through", "seats_from")
        if items.op == "own_board":
            return bool(items.a[0].columns * items.a[0].rows <= FEW)
        if items.op == "lane":
            return True
        if items.op == "content" and items.a[0].op == "zone" and self.c.inline:
            return bool(self.c.most_held(items.a[0].a[0]) <= FEW)
        return items.op == "players" or (items.op == "pieces" and self.c.most_pieces(items.a[0]) <= FEW)

    def deep(self, *nodes: Any) -> bool:
        """Whether these search or call, so that whoever asks them of many items must count."""
        return heavy(*nodes) and any(
            x.op in ("fold", "can", "can_run") or (x.op == "call" and not (self.inlined(*x.a) and not self.deep(x.a[0].code)))
            for node in nodes
            if node is not None
            for x in walk(node)
        )

    def charged(self, items: str, out: list[str], pad: str, name: str) -> str:
        """Steps are counted by the size of what is searched, so that no query runs away."""
        if not self.c.counts:
            return items
        out.append(pad + f"{name} = {items}")
        out += self.c.spent(f"len({name})", pad)
        return name

    def tested(self, test: E, around: E, out: list[str], depth: int, names: list[str]) -> int:
        """One condition inside a loop; a search inside it becomes an inner loop of the same function."""
        pad = "    " * depth
        if not inner_search(test) or self.c.tracking.lined(test) is not None:
            out.append(pad + f"if not {self(test)}: continue")
            return depth
        word, binders, where, _, _ = test.a
        binder, kind, items = binders[0]
        if word == "any" and self.c.inline:
            return self.searched(binder, kind, items, self.conditions(where), out, depth, names)
        within = items.op == "local" and around.op == "function"
        source = (
            self(items)
            if within or self.small(items, self.deep(where), 0)
            else self.charged(self(items), out, pad, "d")
        )
        out.append(pad + f"for {binder} in {source}:")
        if word == "every":
            out.append(pad + f"    if not {self(where)}: break")
            out.append(pad + "else:")
            return depth + 1
        out.append(pad + f"    if {self(where)}: break")
        out.append(pad + "else: continue")
        return depth


    def searched(
        self, py: str, kind: Type, items: E, tests: list[E], out: list[str], depth: int, names: list[str]
    ) -> int:
        """A search inside a loop. What does not hang on the loop's own names is sorted out once for all rounds."""
        pad = "    " * depth
        if not kind.opt:
            self.binders.add(py)
        small, around = self.small(items, self.deep(*tests), 0), set(names)
        source, tests = self.c.indexes.narrow(self, py, items, tests)
        fixed = [t for t in tests if not around & set(_used(t)) and harmless(self.resolved(t))]
        still = not around & set(_used(items)) and harmless(items)
        if fixed and still and len(fixed) < len(tests) and ":=" not in source:
            few = self.c.fresh("e")
            tests = [t for t in tests if t not in fixed]
            out.insert(0, f"    {few} = None")
            found = f"[{py} for {py} in {source} if {' and '.join(self(t) for t in fixed)}]"
            out.append(pad + f"if {few} is None: {few} = {found}")
            source, small = few, False
        if not small:
            source = self.charged(source, out, pad, "d")
        out.append(pad + f"for {py} in {source}:")
        out.append(pad + f"    if {' and '.join(self(t) for t in tests) or 'True'}: break")
        out.append(pad + "else: continue")
        return depth


def inner_search(test: E) -> bool:
    """A search that can be a loop inside another loop."""
    return bool(
        test.op == "fold" and test.a[0] in ("any", "every") and len(test.a[1]) == 1 and test.a[2] is not None
    )


def harmless(e: E) -> bool:
    """What cannot fail and is found at once, so that it may be asked earlier, or not at all."""
    if e.op in ("const", "local", "this", "option", "now", "active", "piece", "players", "symbols", "pieces"):
        return True
    if e.op in ("resource", "span", "inside", "game", "field"):
        return all(harmless(x) and not x.type.opt for x in e.a if isinstance(x, E))
    if e.op in ("content", "zone", "holder", "where", "own", "design_of", "opposite", "if"):  # of nothing: nothing
        return all(harmless(x) for x in e.a if isinstance(x, E))
    if e.op == "grid_step":
        one = e.a[2] is None or (e.a[2].op == "const" and e.a[2].a[0] == 1)
        return one and harmless(e.a[0]) and harmless(e.a[1]) and not e.a[1].type.opt
    if e.op == "function" and e.a[0] == "size":
        return harmless(e.a[1][0])
    if e.op in ("compare", "same", "not", "like", "named", "minus"):
        parts = [x for x in e.a if isinstance(x, E)]
        return all(harmless(x) for x in parts) and not (e.op == "minus" and parts[0].type.opt)
    if e.op in ("and", "or"):
        return all(harmless(x) for x in e.a[0])
    return e.op == "sum" and e.a[0] in "+-" and all(harmless(x) and x.type == NUMBER for x in e.a[1:])


def never_holds_none(items: E) -> bool:
    """The pieces of a zone, or some of them."""
    if items.op == "fold" and items.a[0] == "all" and items.a[4] is None:
        return never_holds_none(items.a[1][0][2])
    return items.op in ("content", "pieces")


def end_of(e: E) -> tuple[E | None, str]:
    """The list whose first or last this is."""
    if e.op == "function" and e.a[0] in ENDS:
        return e.a[1][0], ENDS[e.a[0]]
    if e.op == "fold" and e.a[0] in ENDS and len(e.a[1]) == 1 and e.a[2:] == (None, None, None):
        return e.a[1][0][2], ENDS[e.a[0]]
    return None, ""




def left_out(binders: Any, where: E | None, read: tuple[str, ...] = ()) -> E | None:
    """The one player who is not among the others: `all(p in players where p is not you)`.

    It is a player for sure; or else whatever is read in one of the ways of `read`.
    """
    if len(binders) != 1 or binders[0][2].op != "players" or where is None or where.op != "not":
        return None
    same = where.a[0]
    if same.op != "same" or same.a[0].op != "local" or same.a[0].a[0] != binders[0][0]:
        return None
    other = same.a[1]
    sure = other.type.base == "player" and (bool(read) or not other.type.opt)
    return other if sure and other.op in (read or ("local", "active")) and other.a != same.a[0].a else None


def conjuncts(e: E) -> list[E]:
    """`a and b and c` as a list, so that each part is tested as early as its names are known."""
    if e.op == "and":
        return [x for item in e.a[0] for x in conjuncts(item)]
    return [e]


def _with(node: Any, names: dict[str, E]) -> Any:
    """The same tree with locals replaced."""
    if isinstance(node, E):
        if node.op == "local" and node.a[0] in names:
            return names[node.a[0]]
        return E(node.op, node.type, tuple(_with(part, names) for part in node.a), node.place)
    if isinstance(node, tuple) and not isinstance(node, Type):
        return tuple(_with(part, names) for part in node)
    return [_with(part, names) for part in node] if isinstance(node, list) else node


def _named_alike(free: list[str], body: list[str]) -> tuple[list[str], list[str]]:
    """A query with its parameters counted, whatever they are called where it stands: all that are alike share one."""
    text = "\n".join(body)
    if "'" in text or '"' in text or "this" in free or "age" in free:
        return ["S", *free], body  # a text might speak of them
    names = {name: f"a{at}" for at, name in enumerate(free)}
    if names:
        text = re.sub(rf"\b(?:{'|'.join(names)})\b", lambda found: names[found[0]], text)
    return ["S", *names.values()], text.split("\n")


def _used_once(e: Any, name: str) -> bool:
    """Whether a name is read in one place at the most, and not again and again."""
    for fold in walk(e):
        if fold.op == "fold":
            (_, _, items), *others = fold.a[1]
            again = _used(fold).count(name) - _used(items).count(name)
            if again or any(name in _used(more) for _, _, more in others):
                return False
    return _used(e).count(name) <= 1


def _itself(value: E | None, binder: Any) -> bool:
    return value is not None and value.op == "local" and bool(value.a[0] == binder[0])


def _used(e: E) -> list[str]:
    return [x.a[0] for x in walk(e) if x.op == "local"]


def heavy(*nodes: Any) -> bool:
    return any(
        x.op in ("fold", "call", "can", "can_run") for node in nodes if node is not None for x in walk(node)
    )


__all__ = ["Expressions", "change_slot", "conjuncts", "free_names", "harmless", "heavy", "walk"]
