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
    FUEL,
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

FEW = 64  # items that are searched in one step
BRIEF = 6  # parts of a value that are worth repeating
PLAIN = ("local", "const", "active", "this", "piece")
COMPARE = {"<": "<", "<=": "<=", ">": ">", ">=": ">="}


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
            return f"({fallback} if ({name} := {self(obj)}) is None else {make(name)})"
        return make(self.atom(obj))  # type: ignore[no-any-return]

    def x_field(self, e: E, field: Any, obj: E, key: E | None) -> str:
        name = field_name(field)

        def make(o: str) -> str:
            if field.key is not None:
                index = f"{name}+{o}*{name}_w+{self.atom(key)}"  # type: ignore[arg-type]
                return f"S[{index}]"
            if field.changed:
                return f"S[{name}+{o}]"
            if field.face is not None:
                return f"{name}[S[FACE+{o}]][{o}]"
            return f"{name}[{o}]"

        return self.guarded(obj, make)

    def x_fields(self, e: E, fields: Any, obj: E, key: E | None) -> str:
        """A field that several kinds have: that of the piece's own kind, or none."""

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
        return self.guarded(obj, lambda o: f"S[LOC+{o}]")

    def x_spot_of(self, e: E, obj: E) -> str:
        return self.guarded(obj, lambda o: f"S[AT+{o}]")

    def x_axis(self, e: E, spot: E, index: int) -> str:
        return self.guarded(spot, lambda s: f"{s}[{index}]")

    def x_radius(self, e: E, obj: E) -> str:
        return self.guarded(obj, lambda o: f"RADIUS[{o}]")

    def x_path_part(self, e: E, path: E, index: int) -> str:
        return self.guarded(path, lambda p: f"{p}[{index}]", "()" if e.type.base == "list" else "None")

    def x_holder(self, e: E, obj: E, kind: str) -> str:
        return self.guarded(obj, lambda o: f"HOLDER_{kind}[S[LOC+{o}]]")

    def x_zone(self, e: E, zone: Any, owner: E | None) -> str:
        if owner is None:
            return f"Z_{zone.name}"
        return self.guarded(owner, lambda o: f"(Z_{zone.name}+{o})")

    def x_box(self, e: E) -> str:
        return "BOX"

    def x_content(self, e: E, zone: E) -> str:
        if zone.op == "zone" and zone.a[1] is not None and not zone.a[1].type.opt:
            return f"S[Z_{zone.a[0].name}+{self.atom(zone.a[1])}]"
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
        if not self.c.inline or routine.changes or routine.context is not None:
            return False
        if any(a.op not in PLAIN for a in args):
            return False
        return sum(1 for _ in walk(routine.code)) <= 40 and not any(
            e.op == "call" for e in walk(routine.code)
        )

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
            return f"compare(S, {op!r}, {self(left)}, {self(right)}, {self.c.place(e.place)})"
        if op == ">" and right.op == "const" and right.a[0] == 0:
            found = self.any_of(left)
            if found is not None:
                return found
        if right.op == "const" and (op, right.a[0]) in ((">", 0), (">=", 1)) and self.zone_size(left):
            return f"({self(left.a[1][0])} != ())"
        return f"({self(left)} {op} {self(right)})"

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
                return f"({self(left.a[1][0])} == ())"
        return f"({self(left)} == {self(right)})"

    def any_of(self, size: E) -> str | None:
        """`size(all(…))` against 0 asks only whether there is one: the search stops at the first."""
        inner = size.a[1][0] if size.op == "function" and size.a[0] == "size" else None
        if inner is not None and inner.op == "call" and self.inlined(*inner.a):
            routine, args = inner.a
            inner = _with(routine.code, dict(zip([p.py for p in routine.params], args, strict=True)))
        if inner is None or inner.op != "fold" or inner.a[0] != "all" or inner.a[2] is None:
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
        made = [self(a) for a in args]
        kind: Type = args[0].type if args else e.type
        if word == "size":
            return "NP" if args[0].op == "players" else f"len({made[0]})"
        if word in ("last", "top"):
            return f"last({made[0]})"
        if word in ("first", "bottom"):
            return f"first({made[0]})"
        if word == "the":
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
        if word == "step":
            return f"step({made[0]}, {made[1]}, {self.whole(args[2])})"
        if word in ("spot", "around"):
            return f"{word}(S, {', '.join(self.whole(a) if a.type.base == 'number' else self(a) for a in args)})"
        if word in ("neighbours", "edge_between"):
            return f"{word}({', '.join(made)})"
        if word == "nth" and self.c.inline and args[0].op == "pieces":
            at = self.c.temp()
            return f"({made[0]}[{at}-1] if 0 < ({at} := {self.whole(args[1])}) <= len({made[0]}) else None)"
        if word == "nth":
            return f"nth(S, {made[0]}, {self.whole(args[1])})"
        if word == "join":
            return f"join(S, {', '.join(made)}, {self.c.type_key(kind.item)})"
        return f"{word}(S, {', '.join(made)})" if made else f"{word}(S)"

    # ---- queries ----

    def x_fold(self, e: E, word: str, binders: Any, where: E | None, key: E | None, value: E | None) -> str:
        if len(binders) == 1 and where is None and key is None and value is None:
            items = self(binders[0][2])
            if word == "count":
                return f"len({items})"
            if word == "any":
                return f"(len({self.some_of(binders[0][2])}) > 0)"
            if word in ("first", "the"):
                return f"first({items})"
            if word == "last":
                return f"last({items})"
            if word == "all":
                return f"tuple(count_steps(S, {items}))" if binders[0][2].op == "range" else items
        if word == "all" and self.c.inline and key is None and value is None and (left := left_out(binders, where)):
            return f"RIVALS[{self(left)}]"
        quick: str | None = self.c.tracking.read(e, word) or self.c.tracking.in_line(e, self)
        if quick is not None:
            return quick
        free = free_names(e)
        if self.event is not None:  # parts of the event are names here, and the query needs them too
            parts = [self.event[x.a[0]] for x in walk(e) if x.op == "it"]
            free = list(dict.fromkeys([*free, *[p for p in parts if p != "None"]]))
        body = self.fold_body(word, binders, where, key, value)
        name = self.c.query(["S", *free], body, e.place)
        return f"{name}({', '.join(['S', *free])})"

    def fold_body(
        self, word: str, binders: Any, where: E | None, key: E | None, value: E | None
    ) -> list[str]:
        if word == "parts":
            assert where is not None
            return self.parts_body(binders, where)
        searches = where is not None and any(inner_search(t) for t in conjuncts(where))
        if word == "all" and len(binders) == 1 and key is None and value is None and not searches:
            return self.filtered(binders[0], where)
        out: list[str] = []
        pad = "    "
        depth = 1
        py = binders[0][0]
        item = self(value) if value is not None else py
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
        }.get(word)
        if word in ("first", "the", "last", "all") and key is not None:
            start = "r = []"
        if start:
            out.append(pad + start)
        tests = conjuncts(where) if where is not None else []
        names = [b[0] for b in binders]
        for index, (binder, _, items) in enumerate(binders):
            later = set(names[index + 1 :])
            here = [t for t in tests if not later & set(_used(t))]
            tests = [t for t in tests if t not in here]
            if word == "every" and index == len(binders) - 1:
                source = self(items)  # its conditions are what is asked, they leave nothing out
            else:
                source, here = self.c.indexes.narrow(self, binder, items, here)
            if not self.small(items, heavy(where, key, value), index):
                source = self.charged(source, out, pad * depth, f"d{index}")
            out.append(pad * depth + f"for {binder} in {source}:")
            depth += 1
            if word == "every" and index == len(binders) - 1:
                if here:
                    out.append(pad * depth + f"if not ({' and '.join(self(t) for t in here)}): return False")
                else:
                    out.append(pad * depth + "pass")
                continue
            for test in here:
                depth = self.tested(test, items, out, depth)
        line = pad * depth
        if word == "every":
            out.append("    return True")
            return out
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
            by = self(key) if key is not None else item
            out += [
                line + f"v = {by}",
                line + f"if b is None or v {op} b: b = v; r = [{py}]",
                line + f"elif v == b: r.append({py})",
                "    return tuple(r)",
            ]
        else:
            raise AssertionError(word)
        return out

    def filtered(self, binder: Any, where: E | None) -> list[str]:
        """All items that meet a condition, in one go."""
        py, _, items = binder
        out: list[str] = []
        tracked = self.c.tracking.query(E("fold", items.type, ("all", (binder,), where, None, None), items.place))
        conditions = conjuncts(where) if where is not None else []
        if tracked is not None:
            source, conditions = f"MEMBERS_{items.a[0]}[{tracked[0]}]", tracked[1]
        else:
            source, conditions = self.c.indexes.narrow(self, py, items, conditions)
            if not self.small(items, heavy(where), 0):
                source = self.charged(source, out, "    ", "d0")
        if ":=" in source:  # Python takes no names there
            out.append(f"    d0 = {source}")
            source = "d0"
        tests = " and ".join(self(t) for t in conditions)
        return [*out, f"    return tuple([{py} for {py} in {source}{' if ' + tests if tests else ''}])"]

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
        if items.op == "content" and items.a[0].op == "zone":
            return bool(self.c.most_held(items.a[0].a[0]) <= FEW)
        return items.op == "players" or (items.op == "pieces" and self.c.most_pieces(items.a[0]) <= FEW)

    def charged(self, items: str, out: list[str], pad: str, name: str) -> str:
        """Steps are counted by the size of what is searched, so that no query runs away."""
        out.append(pad + f"{name} = {items}")
        out.append(pad + f"S[{FUEL}] = f = S[{FUEL}] - len({name})")
        out.append(pad + "if f < 0: raise OutOfSteps")
        return name

    def tested(self, test: E, around: E, out: list[str], depth: int) -> int:
        """One condition inside a loop; a search inside it becomes an inner loop of the same function."""
        pad = "    " * depth
        if not inner_search(test) or self.c.tracking.lined(test) is not None:
            out.append(pad + f"if not {self(test)}: continue")
            return depth
        word, binders, where, _, _ = test.a
        binder, _, items = binders[0]
        within = items.op == "local" and around.op == "function"
        source = (
            self(items)
            if within or self.small(items, heavy(where), 0)
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


def inner_search(test: E) -> bool:
    """A search that can be a loop inside another loop."""
    return bool(
        test.op == "fold" and test.a[0] in ("any", "every") and len(test.a[1]) == 1 and test.a[2] is not None
    )


def left_out(binders: Any, where: E | None) -> E | None:
    """The one player who is not among the others: `all(p in players where p is not you)`."""
    if len(binders) != 1 or binders[0][2].op != "players" or where is None or where.op != "not":
        return None
    same = where.a[0]
    if same.op != "same" or same.a[0].op != "local" or same.a[0].a[0] != binders[0][0]:
        return None
    other = same.a[1]
    sure = other.type.base == "player" and not other.type.opt
    return other if sure and other.op in ("local", "active") and other.a != same.a[0].a else None


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


def _used(e: E) -> list[str]:
    return [x.a[0] for x in walk(e) if x.op == "local"]


def heavy(*nodes: Any) -> bool:
    return any(
        x.op in ("fold", "call", "can", "can_run") for node in nodes if node is not None for x in walk(node)
    )


__all__ = ["Expressions", "change_slot", "conjuncts", "free_names", "heavy", "walk"]
