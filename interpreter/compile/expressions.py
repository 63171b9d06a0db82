"""Checked expressions to Python source.

Every expression becomes one Python expression; a query with a loop becomes a function of its own
(`q7(S, you, …)`) with plain loops and early returns. Nothing of the ruleset is used as a Python name
without a prefix of ours, so no word of a designer can reach Python's own.
"""

from __future__ import annotations

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
from ..types import Type
from .grids import GridExpressions
from .queries import Queries
from .shapes import ENDS, PLAIN, end_of, harmless, heavy, never_holds_none, used_once, walk, with_args

SHORT, LONG = 40, 10**6  # parts of a value that is written where it is used
BRIEF = 6  # parts of a value that are worth repeating
COMPARE = {"<": "<", "<=": "<=", ">": ">", ">=": ">="}


class Expressions(GridExpressions, Queries):
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
        if e is not None and player.type.opt:
            return self.guarded(player, lambda who: f"S[{resource_name(resource)}+{who}]")
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
            return self(with_args(routine.code, dict(zip([p.py for p in routine.params], args, strict=True))))
        call = f"{routine.py}({self.args(routine, args)})"
        if self.mostly(routine, args):
            base = self(with_args(routine.code, dict(zip([p.py for p in routine.params], args, strict=True))))
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
            if not plain and not (harmless(arg) and used_once(routine.code, param.py)):
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
            e = with_args(routine.code, dict(zip([p.py for p in routine.params], args, strict=True)))
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
            return f"join(S, {', '.join(made)}, {self.c.type_key(kind.item)}, {self.c.place(e.place)})"
        return f"{word}(S, {', '.join(made)})" if made else f"{word}(S)"

    def end(self, items: E, at: str) -> str:
        """The first or the last of a list, or none."""
        name = self.c.temp()
        return f"({name}{at} if ({name} := {self(items)}) else None)"
