"""Sentences that never wait, as plain Python statements."""

from __future__ import annotations

import re
from typing import Any

from ..ir import E, X
from ..slots import (
    ACTIVE,
    CONT,
    EVENT,
    NEWS,
    OPTIONS,
    OVER,
    PLAYER,
    RET,
    REVEALED,
    field_name,
    hook_slot,
    span_name,
)
from ..types import PLAYER as PLAYER_TYPE
from .expressions import Expressions
from .heads import Heads
from .reading import needed
from .shapes import walk
from .weave import Return


def ends(st: X) -> bool:
    """Whether nothing that stands after this sentence can ever be reached."""
    if st.op in ("inline", "as"):
        return any(ends(inner) for inner in st.a[-1])
    return st.op in ("end", "end_game")


class Sentences:
    """Writes the body of one routine, sentence by sentence."""

    def __init__(self, compiler: Any, routine: Any, expressions: Expressions, heads: Heads) -> None:
        self.c, self.r, self.x, self.heads = compiler, routine, expressions, heads
        self.out: list[str] = []
        self.depth = 1
        self.mark = f"  #@{compiler.place(routine.place)}"  # where the sentence stands that is being written
        self.x.you = "you"
        self.code: list[X] = compiler.written_out(routine.code)
        self.spans = 0  # `during`s around us in this routine
        self.marks: tuple[int, ...] = ()  # the blocks that close them, inmost first
        self.branched = False  # whether we are one of several players at once
        self.blocks = False

    @property
    def you(self) -> str:
        return self.x.you

    @you.setter
    def you(self, name: str) -> None:
        self.x.you = name

    def spend(self) -> None:
        """One step."""
        for line in self.c.spent("1", ""):
            self.put(line)

    def needed(self, *nodes: Any) -> set[str]:
        return needed(*nodes, you=self.you)

    def put(self, line: str) -> None:
        self.out.append("    " * self.depth + line + self.mark)

    def stand_at(self, st: X) -> None:
        self.mark = f"  #@{self.c.place(st.place)}"

    def plain(self, params: list[str]) -> list[str]:
        self.body(self.code)
        if not self.code or not ends(self.code[-1]):
            self.put("return None")
        return self.out

    def body(self, body: list[X]) -> None:
        for st in body:
            self.stand_at(st)
            getattr(self, "s_" + st.op)(st, *st.a)
            if ends(st):
                break
        if not body:
            self.put("pass")

    def inner(self, body: list[X]) -> None:
        self.depth += 1
        self.body(body)
        self.depth -= 1

    def this(self) -> str:
        return "this" if self.r.this is not None or self.r.context is not None else "None"

    def first(self, e: E) -> str:
        """An expression that is the first thing a sentence needs: a query in it may stand in lines of its own."""
        outer, self.mark = self.mark, f"  #@{self.c.place(e.place)}"
        made = self.x.leading(e, self.put)
        self.mark = outer
        return self.x(made)

    def s_let(self, st: X, py: str, value: E) -> None:
        self.put(f"{py} = {self.first(value)}")

    def s_need(self, st: X, test: E, text: E | None) -> None:
        said = self.x(text) if text is not None else "''"
        self.put(f"if not {self.x(test)}: broken(S, {self.c.place(st.place)}, {said})")

    def s_if(self, st: X, branches: Any, otherwise: Any) -> None:
        for number, (test, branch) in enumerate(branches):
            self.put(f"elif {self.x(test)}:" if number else f"if {self.first(test)}:")
            self.inner(list(branch))
        if otherwise:
            self.put("else:")
            self.inner(list(otherwise))

    def s_each(self, st: X, binders: Any, where: Any, key: Any, body: Any) -> None:
        names = ", ".join(b[0] for b in binders)
        if len(binders) == 1 and where is None and key is None:
            items = self.x(binders[0][2])
            source = f"count_steps(S, {items})" if self.c.counts else items
        else:
            source = self.c.items(binders, where, key)
        self.put(f"for {names} in {source}:")
        self.depth += 1
        self.spend()
        self.body(list(body))
        self.depth -= 1

    def s_repeat(self, st: X, count: E, test: E | None, body: Any) -> None:
        times, depth = self.x.whole(count), self.depth
        if test is None and self.c.moving.in_a_row(self, times, list(body)):
            self.put("else:")
            self.depth += 1
            times = "n"
        self.put(f"for _ in range({times}):")
        self.depth += 1
        self.spend()
        if test is not None:
            self.put(f"if not {self.x(test)}: break")
        self.body(list(body))
        self.depth = depth

    def s_as(self, st: X, py: str, player: E, body: Any) -> None:
        outer = self.you
        self.become(py, player)
        self.body(list(body))
        self.you = outer

    def become(self, py: str, player: E) -> None:
        """From here on `you` is another player, or the same under the same name."""
        value = self.first(player)
        self.you = py
        if value != py:
            self.put(f"{py} = {value}")

    def s_inline(self, st: X, call: X, body: Any) -> None:
        for line in self.c.use(call.a[0]):
            self.put(line)
        self.body(list(body))

    def s_as_each(self, st: X, py: str, players: E, body: Any) -> None:
        outer, self.you = self.you, py
        self.put(f"for {py} in tuple({self.x(players)}):")
        self.inner(list(body))
        self.you = outer

    def s_return(self, st: X, value: E | None) -> None:
        if self.blocks:
            self.give_back(value)
        else:
            self.put(f"return {self.x(value) if value is not None else 'None'}")

    def s_call(self, st: X, routine: Any, args: Any, py: str | None) -> None:
        given = self.x.args(routine, args)
        call = f"{routine.py}({given})"
        if self.c.mostly_free(routine) and id(routine) not in self.c.bounds.loops:
            call = f"(base_{call} if S[{hook_slot(routine)}] == NO_HOOKS else {call})"
        self.put(f"{py} = {call}" if py else call)

    # targets: where a value is kept

    def slot(self, target: E) -> str:
        op, a = target.op, target.a
        if op == "game":
            return self.x(target)
        if op == "fields":
            fields, obj, key = a
            self.put(f"o = {self.x(obj)}")
            base = "None"
            for field in reversed(fields):
                base = f"({field_name(field)} if LO_{field.owner} <= o < HI_{field.owner} else {base})"
            return f"S[{base} + o]"
        if op == "span":
            return f"S[{span_name(a[0])}]"
        if op == "resource":
            return self.x.x_resource(None, a[0], a[1])  # type: ignore[arg-type]
        if op == "field":
            field, obj, key = a
            name = field_name(field)
            index = (
                f"{name}+{self.x.atom(obj)}"
                if key is None
                else f"{name}+{self.x.atom(obj)}*{name}_w+{self.x.atom(key)}"
            )
            return f"S[{index}]"
        if op == "local":
            return str(a[0])
        raise AssertionError(op)

    def assign(self, target: E, value: str, place: Any, made: E | None = None, grew: int = 0) -> None:
        """Sets a target to a text; `made` is what was written, where the text is nothing else.

        `grew` says whether the target can only grow by it (above 0) or shrink (below).
        """
        field = target.a[0] if target.op == "field" else None
        o = ""
        if field is not None and not target.a[1].type.opt and self.c.tracking.touches(field):
            o = self.x.atom(target.a[1])
            if not o.isidentifier():
                self.put(f"o = {o}")
                o = "o"
            self.set_field(field, o, value, made)
        elif target.op == "memory":
            self.put(f"remember(S, age, {target.a[0].number}, {value})")
        elif target.op == "it":
            self.put(f"S[{EVENT}] = put_at(S[{EVENT}], {target.a[0]}, {value})")
        elif target.op == "resource":
            self.put(f"{self.slot(target)} = {self.clamp(target.a[0], value)}")
        elif target.op == "field" and target.a[1].type.opt:
            self.put(f"o = {self.x(target.a[1])}")
            self.put(f"if o is None: needs(S, o, {self.c.place(place)})")
            o = "o"
            self.set_field(target.a[0], o, value, made)
        else:
            self.put(f"{self.slot(target)} = {value}")
        if field is not None and o and field_name(field) not in self.c.tracking.bits:
            for line in self.c.tracking.after(field, o, made, grew):
                self.put(line)

    def set_field(self, field: Any, o: str, value: str, made: E | None) -> None:
        if field_name(field) in self.c.tracking.bits:
            for line in self.c.tracking.marked(field, o, value, made):
                self.put(line)
            return
        for line in self.c.tracking.before(field, o):
            self.put(line)
        self.put(f"S[{field_name(field)}+{o}] = {value}")

    def clamp(self, resource: Any, value: str) -> str:
        low, high = resource.low, resource.high
        if re.fullmatch(r"\d+", value):  # a number that the rule names
            return str(min(int(value) if high is None else high, max(int(value), low or 0)))
        if low is not None and high is not None:
            return f"min({high}, max({low}, {value}))"
        if high is not None:
            return f"min({high}, {value})"
        return f"max({low}, {value})" if low is not None else value

    def kept(self, made: str, value: E, st: X) -> str:
        """A number that is kept; where it was reckoned it may have grown."""
        grown = any(e.op in ("sum", "call", "fold", "minus") for e in walk(value))
        return f"sized({made}, {self.c.place(st.place)})" if grown else made

    def s_set(self, st: X, target: E, value: E) -> None:
        made = self.x(value)
        kept = self.kept(made, value, st) if value.type.base == "number" else made
        self.assign(target, kept, st.place, value)

    def s_add(self, st: X, target: E, value: E) -> None:
        old = self.x(target)
        if target.type.base == "list":
            more = self.x(value) if value.type.base == "list" else f"({self.x(value)},)"
            self.assign(target, f"unite(S, {old}, {more})", st.place)
        elif value.op != "const":
            self.assign(target, f"sized({old} + {self.x(value)}, {self.c.place(st.place)})", st.place)
        elif (
            target.op in ("memory", "it", "resource")
            or (target.op == "field" and target.a[1].type.opt)
            or (target.op == "field" and self.c.tracking.touches(target.a[0]))
        ):
            self.assign(target, f"({old} + {self.x(value)})", st.place, grew=value.a[0])
        else:
            self.put(f"{self.slot(target)} += {self.x(value)}")

    def s_take(self, st: X, target: E, value: E) -> None:
        old = self.x(target)
        if target.type.base == "list":
            less = self.x(value) if value.type.base == "list" else f"({self.x(value)},)"
            self.assign(target, f"without(S, {old}, {less})", st.place)
        else:
            made = f"({old} - {self.x(value)})"
            self.assign(
                target,
                made if value.op == "const" else f"sized({made}, {self.c.place(st.place)})",
                st.place,
                grew=-value.a[0] if value.op == "const" else 0,
            )

    def s_gain(self, st: X, resource: Any, player: E | None, n: E) -> None:
        slot = self.x.x_resource(None, resource, player)  # type: ignore[arg-type]
        if n.op == "const" and resource.high is None:
            self.put(f"{slot} += {self.x(n)}")
            return
        value = f"{slot} + {self.x(n)}"
        if n.op != "const":
            self.put(f"v = {value}")
            self.put(f"if not -BIGGEST < v < BIGGEST: sized(v, {self.c.place(st.place)})")
            value = "v"
        if resource.high is not None:
            value = f"min({resource.high}, {value})"
        self.put(f"{slot} = {value}")

    def s_lose(self, st: X, resource: Any, player: E | None, n: E) -> None:
        slot = self.x.x_resource(None, resource, player)  # type: ignore[arg-type]
        self.put(f"{slot} = max({resource.low or 0}, {slot} - {self.x(n)})")

    def s_pay(self, st: X, resource: Any, player: E | None, n: E) -> None:
        slot = self.x.x_resource(None, resource, player)  # type: ignore[arg-type]
        low = resource.low or 0
        self.put(f"v = {slot} - {self.x(n)}")
        self.put(f"if v < {low}: broken(S, {self.c.place(st.place)}, 'it cannot be paid')")
        self.put(f"{slot} = v")

    def s_pay_from(self, st: X, target: E, n: E) -> None:
        self.put(f"v = {self.x(target)} - {self.x(n)}")
        self.put(f"if v < 0: broken(S, {self.c.place(st.place)}, 'it cannot be paid')")
        self.assign(target, "v", st.place)

    def s_give(self, st: X, resource: Any, giver: E, taker: E, n: E) -> None:
        self.put(f"v = {self.x(n)}")
        source = self.x.x_resource(None, resource, giver)  # type: ignore[arg-type]
        goal = self.x.x_resource(None, resource, taker)  # type: ignore[arg-type]
        self.put(
            f"if {source} - v < {resource.low or 0}: broken(S, {self.c.place(st.place)}, 'it cannot be paid')"
        )
        self.put(f"{source} -= v")
        self.put(f"{goal} += v")

    def s_move(self, st: X, what: E, zone: E, how: str) -> None:
        place = self.c.place(st.place)
        goal = self.x(zone)
        if not how and self.c.moving.picked(self, st, what, zone):
            return
        if what.type.base == "list" and not how and self.c.moving.roomy(zone) and not what.type.item.opt:
            self.put(f"move_few(S, {self.x(what)}, {goal}, {place})")
        elif what.type.base == "list":
            self.put(f"move_all(S, {self.x(what)}, {goal}, {how!r}, {place})")
        elif how == "" and not what.type.opt and not self.c.watched(what.type) and not self.c.limited(zone):
            self.put(f"shift_piece(S, {self.x(what)}, {goal})")
        elif how or not self.c.moving.move(self, what, zone, place):
            self.put(f"move_one(S, {self.x(what)}, {goal}, {how!r}, {place})")

    def s_place(self, st: X, what: E, zone: E, spot: E) -> None:
        self.put(f"place_disc(S, {self.x(what)}, {self.x(zone)}, {self.x(spot)}, {self.c.place(st.place)})")

    def s_fix_flick(self, st: X, what: E, spot: E, met: E) -> None:
        self.put(f"fix_flick(S, {self.x(what)}, {self.x(spot)}, {self.x(met)})")

    def s_fix_push(self, st: X, what: E, spot: E, met: E) -> None:
        self.put(f"fix_push(S, {self.x(what)}, {self.x(spot)}, {self.c.place(st.place)})")

    def s_move_some(self, st: X, n: E, kind: E, source: E, goal: E, py: str | None) -> None:
        call = f"move_some(S, {self.x.whole(n)}, {self.x(kind)}, {self.x(source)}, {self.x(goal)}, {self.c.place(st.place)})"
        self.put(f"{py} = {call}" if py else call)

    def s_draw(self, st: X, n: E, source: E, goal: E, py: str | None) -> None:
        if self.c.moving.draw(self, n, source, goal, py, self.c.place(st.place)):
            return
        call = f"draw(S, {self.x.whole(n)}, {self.x(source)}, {self.x(goal)}, {self.c.place(st.place)})"
        self.put(f"{py} = {call}" if py else call)

    def s_flip(self, st: X, what: E) -> None:
        self.put(f"flip(S, {self.many(what)})")

    def many(self, what: E) -> str:
        return self.x(what) if what.type.base == "list" else f"some({self.x(what)})"

    def s_turn(self, st: X, what: E, direction: E, fields: Any) -> None:
        """Sets the field `way`; where several kinds have one, that of the piece's own kind."""
        place = self.c.place(st.place)
        if direction.type.opt:
            self.put(f"w = found(S, {self.x(direction)}, {place}, 'there is no direction to turn to (none)')")
        else:
            self.put(f"w = {self.x(direction)}")
        if what.type.base == "list":
            self.put(f"for v in {self.x(what)}:")
            self.depth += 1
        elif what.type.opt:
            self.put(f"v = found(S, {self.x(what)}, {place}, 'there is nothing to turn (none)')")
        else:
            self.put(f"v = {self.x(what)}")
        for field in fields:
            test = f"if LO_{field.owner} <= v < HI_{field.owner}: " if len(fields) > 1 else ""
            self.put(f"{test}S[{field_name(field)}+v] = w")
        if what.type.base == "list":
            self.depth -= 1

    def s_shuffle(self, st: X, zone: E) -> None:
        self.put(f"shuffle(S, {self.x(zone)})")

    def s_swap_zones(self, st: X, a: E, b: E) -> None:
        self.put(f"swap_zones(S, {self.x(a)}, {self.x(b)})")

    def s_swap_targets(self, st: X, a: E, b: E) -> None:
        self.put(f"v = {self.x(a)}")
        self.assign(a, self.x(b), st.place)
        self.assign(b, "v", st.place)

    def s_swap_pieces(self, st: X, a: E, b: E) -> None:
        self.put(f"swap_pieces(S, {self.x(a)}, {self.x(b)})")

    def s_show(self, st: X, what: E, players: E) -> None:
        if self.c.inline and players.op == "players":
            shown = "w" if what.op == "content" else "tuple(w)"  # what a zone holds is a tuple
            self.put(f"w = {self.many(what)}")
            self.put("if HIDES: remind(S, w, FLIPPED)")
            self.put(f"S[{REVEALED}] = True")
            self.put(f"if len(S[{NEWS}]) < MOST_NEWS: S[{NEWS}] += (('show', FLIPPED, {shown}),)")
            return
        who = self.x(players) if players.type.base == "list" else f"({self.x(players)},)"
        self.put(f"show(S, {self.many(what)}, {who})")

    def s_roll(self, st: X, count: int, sides: int, py: str, new: bool) -> None:
        self.put(f"{py} = roll(S, {count}, {sides}, {self.you})")

    def s_run(self, st: X, obj: E, slot: str, kinds: Any) -> None:
        self.put(f"run_plain(S, {self.x(obj)}, {slot!r}, {self.you}, {self.c.place(st.place)})")

    def s_begin(self, st: X, effect: Any, args: Any) -> None:
        self.put(
            f"begin_plain(S, {effect.number}, {self.you}, {self.this()}, ({''.join(self.x(a) + ', ' for a in args)}))"
        )

    def s_start(self, st: X, timer: E, target: E | None, seconds: E, you: str | None) -> None:
        goal = self.x(target) if target is not None else "None"
        who = self.you if you is not None else f"S[{ACTIVE}]"
        what = f"{self.x(timer)}, {goal}, {self.x(seconds)}, {who}"
        self.put(f"start_timer(S, {what}, {self.c.place(st.place)})")

    def s_stop(self, st: X, timer: E) -> None:
        self.put(f"stop_timer(S, {self.x(timer)}, {self.c.place(st.place)})")

    def s_end(self, st: X, span: Any) -> None:
        self.put(f"raise EndSpan({span.number}, {self.c.place(st.place)})")

    def s_end_game(self, st: X, reason: E | None) -> None:
        self.put(f"S[{OVER}] = {self.x(reason) if reason is not None else repr('')}")
        if self.blocks and self.c.alone:  # nobody else is waiting for anything: the driver just stops
            self.put(f"S[{PLAYER}] = S[{CONT}] = None")
            self.put(f"S[{OPTIONS}] = ()")
            self.put("return None")
        else:
            self.put("raise EndGame")

    def s_say(self, st: X, text: E) -> None:
        parts = text.a[0]
        if not self.c.inline or not all(isinstance(p, str) or self.c.always_said_alike(p) for p in parts):
            self.put(f"announce(S, {self.x(text)})")
            return
        # Words are made only if somebody listens; what they are about is kept.
        number = self.c.telling([p if isinstance(p, str) else self.c.type_key(p.type) for p in parts])
        about = [p for p in parts if not isinstance(p, str)]
        values = "".join(", " + self.x(p) for p in about)
        line = f"(('tell', {number}{values}),)"
        if len(about) == 1 and about[0].type == PLAYER_TYPE and about[0].op in ("local", "active"):
            line = f"TELLS_{number}[{self.x(about[0])}]"  # of whom it is said is all that can differ
        self.put(f"if not S[{NEWS}]: S[{NEWS}] = {line}")
        self.put(f"elif len(S[{NEWS}]) < MOST_NEWS: S[{NEWS}] += {line}")

    def s_use(self, st: X) -> None:
        self.put("use(S, age)")

    def s_proceed(self, st: X) -> None:
        self.put("proceed_plain(S)")

    def s_fix_rolls(self, st: X, numbers: Any) -> None:
        self.put(f"fix_rolls(S, ({''.join(self.x(n) + ', ' for n in numbers)}))")

    def s_stack(self, st: X, zone: E, items: Any) -> None:
        parts = []
        for item in items:
            made = self.x(item)
            parts.append(
                f"(0, {made})"
                if item.type.base == "design"
                else f"*{made}"
                if item.type.base == "list"
                else made
            )
        listed = "(" + "".join(part + ", " for part in parts) + ")"
        self.put(f"stack(S, {self.x(zone)}, {listed}, {self.c.place(st.place)})")

    def give_back(self, value: E | None) -> None:
        self.put(f"S[{RET}] = {self.x(value) if value is not None else 'None'}")
        for _ in range(self.spans):
            self.put("K = leave(S, K)")
        self.go_back()

    def go_back(self) -> None:
        made = Return("    " * self.depth + "return K" + self.mark)
        made.depth, made.mark = self.depth, self.mark
        self.out.append(made)
