"""Heads: whether what a routine demands first can be met, derived from its own sentences.

The leading let, need, choose, pay, counted move, and the ifs and calls made of these, become a
function that says yes or no and changes nothing. The same code prunes dead ends from every choice.
"""

from __future__ import annotations

from typing import Any

from ..ir import Ask, E, X
from ..types import PLAYER, Type
from .expressions import Expressions
from .shapes import conjuncts, harmless, heavy, walk

DEMANDS = {"need", "choose", "pay", "pay_from", "move_some", "one", "give"}
QUIET = {"let", "say", "use"}
DEEP = 3  # heads of procedures inside each other that are written out
PLAIN = ("local", "const", "this", "piece")
DEEPEST = 8  # loops inside loops in one function


class Heads:
    def __init__(self, compiler: Any, expressions: Expressions) -> None:
        self.c, self.x = compiler, expressions
        self.depth = 0  # procedures inside each other whose heads are written out
        self.whole: dict[int, bool] = {}  # routines that are known to be wholly head, or not
        self.known: list[str] = []  # what was tested before the loops that are being written
        self.readers: dict[tuple[int, int], bool] = {}  # whether a routine reads a resource

    def function(
        self, name: str, params: list[str], body: list[X], tests: Any = (), routine: Any = None
    ) -> None:
        """`def name(S, …)`: True if the head of `body` can be met."""
        out: list[str] = self.c.charge(routine) if routine is not None else []
        for test, _ in tests:
            out.append(f"    if not {self.x(test)}: return False")
        self.lines(list(body), out, 1, "return False", {})
        if not out or not out[-1].strip().startswith("return"):
            out.append("    return False" if out and out[-1].startswith("        ") else "    return True")
        self.c.function(name, params, out, body[0].place if body else None)

    def test(self, routine: Any, you: str) -> str:
        """The text of a test whether an action's head can be met; "True" if it always can."""
        found = None
        if not routine.tests and not self.c.has_self(routine) and id(routine) not in self.c.bounds.loops:
            me = E("local", PLAYER, (you,), routine.place)
            found = self.condition(with_names(self.c.written_out(routine.code or []), {"you": me}))
        if found is not None:
            return " and ".join(found) or "True"
        return f"head_{routine.py}(S, {you})"

    def condition(self, body: list[X]) -> list[str] | None:
        """The head of these sentences as tests to be met together; None if it takes more than that."""
        made: list[str] = []
        paid: dict[str, list[str]] = {}
        for at, st in enumerate(body):
            if st.op == "choose" and st.a[0].how == "set" and self.tells_sets_apart(st.a[0], body[at + 1 :]):
                return None
            if self.pays_for(st, body[at + 1 :], paid):
                return None
            if not self._condition(st, made, paid):
                return None
            if not self.wholly([st]):
                return made
        return made

    def _condition(self, st: X, made: list[str], paid: dict[str, list[str]]) -> bool:
        """Adds the tests of one sentence; False if they are no plain tests."""
        if not self.demands([st]):
            return st.op != "let"  # a name that what follows may need
        if st.op == "inline":
            lets = [inner for inner in st.a[1] if inner.op == "let"]
            inside = st.a[1][-1]
            if lets or not (inside.a[1].op == "local" and inside.a[1].a[0] == inside.a[0]):
                return self._condition(st.a[0], made, paid)
            outer, self.x.you = self.x.you, inside.a[0]
            try:
                for inner in inside.a[2]:
                    if not self._condition(inner, made, paid):
                        return False
                    if not self.wholly([inner]):
                        break
                return True
            finally:
                self.x.you = outer
        if st.op == "need":
            made.append(self.x(st.a[0]))
        elif st.op in ("pay", "give"):
            resource, player, n = st.a[0], st.a[1], st.a[-1]
            have = self.x.x_resource(None, resource, player)  # type: ignore[arg-type]
            low = resource.low or 0
            paid.setdefault(have, []).append(self.x(n))
            made.append(f"({have if not low else f'({have} - {low})'} >= {' + '.join(paid[have])})")
        elif st.op == "pay_from":
            have = self.x(st.a[0])
            paid.setdefault(have, []).append(self.x(st.a[1]))
            made.append(f"({have} >= {' + '.join(paid[have])})")
        elif st.op == "call":
            made += self.call(st.a[0], st.a[1])
        elif st.op == "choose" and not st.a[0].may and st.a[0].how == "set" and st.a[0].low is not None:
            items, low_count = self.c.candidates(st.a[0]), self.x(st.a[0].low)
            zone = st.a[0].where is None and st.a[0].binders[0][2].op == "content"
            made.append(f"(not not {items})" if zone and low_count == "1" else f"(len({items}) >= {low_count})")
        else:
            return False
        return True

    def call(self, routine: Any, args: Any) -> list[str]:
        """The tests of a call: those of a short procedure stand where it is called."""
        watched = id(routine) in self.c.bounds.loops or id(routine) in self.c.bounds.charged
        short = self.c.inline and not routine.tests and not self.c.has_self(routine) and self.depth < DEEP
        known = bool(args) and args[0].op == "local" and all(arg.op in PLAIN for arg in args)
        if short and known and not watched:
            self.depth += 1
            outer, self.x.you = self.x.you, args[0].a[0]
            given = dict(zip(self.c.params(routine), args, strict=True))
            found = self.condition(with_names(list(routine.code or []), given))
            self.x.you = outer
            self.depth -= 1
            if found is not None and len(found) <= DEEP:
                return found
        return [f"head_{routine.py}({self.x.args(routine, args)})"]

    def demands(self, body: list[X]) -> bool:
        """Whether the head of these sentences can fail at all."""
        for st in map(as_written, body):
            if st.op in QUIET:
                continue
            if st.op == "choose":
                return not st.a[0].may
            if st.op in DEMANDS:
                return True
            if st.op == "call":
                return bool(self.c.head_of(st.a[0]))
            if st.op == "if":
                return any(self.demands(b) for _, b in st.a[0]) or self.demands(st.a[1])
            if st.op == "as":
                return self.demands(st.a[2])
            return False
        return False

    def wholly(self, body: list[X]) -> bool:
        """Only conditions and payments without choices, so that what follows still is the head."""
        for st in map(as_written, body):
            if st.op in ("let", "say", "use", "need", "pay", "pay_from", "move_some", "give"):
                continue
            if (
                st.op == "call"
                and st.a[2] is None
                and not st.a[0].suspends
                and id(st.a[0]) not in self.c.bounds.loops
                and self.wholly_head(st.a[0])
            ):
                continue
            if st.op == "if" and all(self.wholly(b) for _, b in st.a[0]) and self.wholly(st.a[1]):
                continue
            return False
        return True

    def wholly_head(self, routine: Any) -> bool:
        if id(routine) not in self.whole:
            self.whole[id(routine)] = self.wholly(routine.code or [])
        return self.whole[id(routine)]

    def lines(self, body: list[X], out: list[str], depth: int, fail: str, paid: dict[str, list[str]]) -> None:
        pad = "    " * depth
        for index, st in enumerate(map(as_written, body)):
            rest = body[index + 1 :]
            if st.op == "let":
                out.append(pad + f"{st.a[0]} = {self.x(st.a[1])}")
            elif st.op in ("say", "use"):
                continue
            elif st.op == "need":
                out.append(pad + f"if not {self.x(st.a[0])}: {fail}")
            elif st.op in ("pay", "give"):
                resource, player, n = st.a[0], st.a[1], st.a[-1]
                have = self.x.x_resource(None, resource, player)  # type: ignore[arg-type]
                low = resource.low or 0
                self.enough(have if not low else f"({have} - {low})", self.x(n), out, pad, fail, paid)
                if self.reads(rest, resource):  # what comes next is asked of what is left then
                    out += [pad + f"if not {self.having_paid(st, self.c.head_call(rest))}: {fail}", pad + "return True"]
                    return
            elif st.op == "pay_from":
                self.enough(self.x(st.a[0]), self.x(st.a[1]), out, pad, fail, paid)
            elif st.op == "move_some":
                n, kind, source = st.a[0], st.a[1], st.a[2]
                have = f"count_kind(S, {self.x(source)}, {self.x(kind)})"
                self.enough(have, self.x(n), out, pad, fail, paid)
            elif st.op == "choose" and not st.a[0].may:
                ask: Ask = st.a[0]
                if ask.how == "set":
                    low_count = self.x(ask.low) if ask.low is not None else "0"
                    have = f"len({self.c.candidates(ask)})"
                    if low_count != "0":
                        out.append(pad + f"if {have} < {low_count}: {fail}")
                    if self.tells_sets_apart(ask, rest):
                        out.append(pad + f"if not {self.some_set(ask, rest)}: {fail}")
                    elif self.demands(rest):
                        continue
                    out.append(pad + "return True")
                    return
                early = [t for t in self.early(ask, rest) if t not in self.known] if self.c.inline else []
                out += [pad + f"if not {test}: {fail}" for test in early]
                self.known += early
                made: list[str] = []
                inner = self.loops(ask, made, depth, rest)
                if inner > DEEPEST and self.demands(rest):  # Python nests no more than twenty loops
                    made.append("    " * inner + f"if {self.c.head_call(rest)}: return True")
                else:
                    self.lines(rest, made, inner, "continue", paid)
                made = self.c.unwatched(ask.binders[0][2], made)
                told = False
                if self.c.inline and fail == "return False":
                    made, told = self.c.gathering.looked(made)
                out += made
                del self.known[len(self.known) - len(early) :]
                if not told:
                    out.append(pad + fail)
                return
            elif st.op == "one":
                parts = []
                for _, test, branch in st.a[2]:
                    made = [self.x(test)] if test is not None else []
                    if self.demands(branch):
                        made.append(self.c.head_call(branch))
                    parts.append("(" + " and ".join(made) + ")" if made else "True")
                if "True" not in parts:
                    out.append(pad + f"if not ({' or '.join(parts)}): {fail}")
                out.append(pad + "return True")
                return
            elif st.op == "if" and self.pays_for(st, rest, paid) and depth < DEEPEST:
                word = "if"
                for test, branch in st.a[0]:
                    out.append(pad + f"{word} {self.x(test)}:")
                    self.lines([*branch, *rest], out, depth + 1, fail, {have: list(n) for have, n in paid.items()})
                    word = "elif"
                out.append(pad + "else:")
                self.lines([*st.a[1], *rest], out, depth + 1, fail, {have: list(n) for have, n in paid.items()})
                return
            elif st.op == "call" and self.pays_for(st, rest, paid) and depth < DEEPEST:
                given = dict(zip(self.c.params(st.a[0]), st.a[1], strict=True))
                self.lines([*with_names(list(st.a[0].code or []), given), *rest], out, depth, fail, paid)
                return
            elif st.op == "if":
                word = "if"
                for test, branch in st.a[0]:
                    out.append(pad + f"{word} {self.x(test)}:")
                    need = f"if not {self.c.head_call(branch)}: {fail}" if self.demands(branch) else "pass"
                    out.append(pad + "    " + need)
                    word = "elif"
                if st.a[1] and self.demands(st.a[1]):
                    out.append(pad + "else:")
                    out.append(pad + f"    if not {self.c.head_call(st.a[1])}: {fail}")
                if not self.wholly([st]):
                    out.append(pad + "return True")
                    return
            elif st.op == "call":
                routine, args, _ = st.a
                if self.c.head_of(routine):
                    for test in self.call(routine, args):
                        out.append(pad + f"if not {test}: {fail}")
                if not self.wholly([st]):
                    out.append(pad + "return True")
                    return
            elif st.op == "as":
                py, player, branch = st.a
                out.append(pad + f"{py} = {self.x(player)}")
                outer, self.x.you = self.x.you, py
                self.lines(list(branch), out, depth, fail, paid)
                self.x.you = outer
                return
            else:
                out.append(pad + "return True")
                return
        out.append(pad + "return True")

    def tells_sets_apart(self, ask: Ask, rest: list[X]) -> bool:
        """Whether what comes after a set demands something of it, so that not every set will do."""
        return self.demands(rest) and uses(rest, (ask.name_of_set,))

    def some_set(self, ask: Ask, rest: list[X]) -> str:
        """The text of a test whether any set meets what comes after it."""
        low = self.x.whole(ask.low) if ask.low is not None else "0"
        high = self.x.whole(ask.high) if ask.high is not None else "None"
        test = f"lambda S, F, {ask.name_of_set}: {self.c.head_call(rest)}"
        looks = "PRINTED" if self.c.from_one_zone(ask) else "None"
        return f"some_set(S, None, {test}, {low}, {high}, tuple({self.c.candidates(ask)}), (), {looks}, MOST_SETS)"

    def pays_for(self, st: X, rest: list[X], paid: dict[str, list[str]]) -> bool:
        """Whether a sentence of a head pays something that other demands are about: they must know what is left."""
        st = as_written(st)
        if st.op in ("pay", "give"):
            return self.reads(rest, st.a[0])
        if st.op not in ("if", "call") or not self.wholly([st]):
            return False
        if st.op == "call":
            routine, args, result = st.a
            mine = bool(args) and args[0].op == "local" and args[0].a[0] == self.x.you
            if not mine or result is not None or self.c.has_self(routine):
                return False
        spent = self.paid_in([st])
        if not spent:
            return False
        later = self.paid_in(rest)
        return bool(paid) or any(resource in later or self.reads(rest, resource) for resource in spent)

    def having_paid(self, st: X, then: str) -> str:
        """The text of what `then` says once a payment is made."""
        slots = [self.x.x_resource(None, st.a[0], who)[2:-1] for who in st.a[1:-1]]  # type: ignore[arg-type]
        giver, taker = slots if len(slots) > 1 else (*slots, "None")
        return f"having_paid(S, {self.x(st.a[-1])}, {giver}, {taker}, lambda: {then})"

    def paid_in(self, body: list[X]) -> list[Any]:
        """The resources that are paid in these sentences of a head."""
        found: list[Any] = []
        for st in map(as_written, body):
            if st.op in ("pay", "give"):
                found.append(st.a[0])
            elif st.op == "if":
                found += [r for _, branch in st.a[0] for r in self.paid_in(list(branch))] + self.paid_in(list(st.a[1]))
            elif st.op == "call" and self.wholly([st]):
                found += self.paid_in(list(st.a[0].code or []))
        return found

    def reads(self, node: Any, resource: Any) -> bool:
        """Whether demands ask how much somebody has of a resource. What cannot be told beforehand may."""
        for e in all_expressions(demanding(node)):
            if e.op in ("can", "can_run") or (e.op == "resource" and e.a[0] is resource):
                return True
            if e.op == "call" and (e.a[0].changes or self.routine_reads(e.a[0], resource)):
                return True
        return any(
            st.op == "call" and self.routine_reads(st.a[0], resource)
            for st in map(as_written, demanding(node))
            if isinstance(st, X)
        )

    def routine_reads(self, routine: Any, resource: Any) -> bool:
        key = (id(routine), id(resource))
        if key not in self.readers:
            self.readers[key] = False  # while it is looked at
            code = routine.code
            self.readers[key] = self.reads([code] if isinstance(code, E) else list(code or []), resource)
        return self.readers[key]

    def early(self, ask: Ask, rest: list[X]) -> list[str]:
        """Demands that do not hang on what is chosen: where they are not met, nobody needs to look for it."""
        bound = {b[0] for b in ask.binders}
        found: list[str] = []
        spent: list[Any] = []

        def add(text: str, *parts: E) -> None:
            sure = all(harmless(self.x.resolved(part)) for part in parts)
            if sure and not bound & {x.a[0] for x in all_expressions(list(parts)) if x.op == "local"}:
                found.append(text)

        for st in map(as_written, rest):
            if st.op == "let":
                bound.add(st.a[0])
            elif st.op == "need":
                for test in conjuncts(st.a[0]):
                    if not any(self.reads([test], resource) for resource in spent):  # else it speaks of what is left then
                        add(self.x(test), test)
            elif st.op in ("pay", "give") and st.a[1] is not None and not st.a[1].type.opt:
                spent.append(st.a[0])
                have, low = self.x.x_resource(None, st.a[0], st.a[1]), st.a[0].low or 0  # type: ignore[arg-type]
                add(f"({have if not low else f'({have} - {low})'} >= {self.x(st.a[-1])})", st.a[1], st.a[-1])
            elif st.op == "pay_from":
                add(f"({self.x(st.a[0])} >= {self.x(st.a[1])})", st.a[0], st.a[1])
            elif st.op == "choose" and not st.a[0].may and st.a[0].how == "one":
                bound |= {b[0] for b in st.a[0].binders}
            elif st.op not in QUIET:
                break
        return found

    def enough(
        self, have: str, n: str, out: list[str], pad: str, fail: str, paid: dict[str, list[str]]
    ) -> None:
        """Two payments of one thing must be met together."""
        before = paid.setdefault(have, [])
        before.append(n)
        out.append(pad + f"if {have} < {' + '.join(before)}: {fail}")

    def loops(self, ask: Ask, out: list[str], depth: int, rest: list[X]) -> int:
        """Nested loops over the binders, each condition tested as early as its names are known."""
        tests = self.x.conditions(ask.where)
        names = [b[0] for b in ask.binders]
        for index, (py, _, items) in enumerate(ask.binders):
            pad = "    " * depth
            read = [x.a[0] for x in all_expressions([ask.binders[index + 1 :], ask.where, rest]) if x.op == "local"]
            later = set(names[index + 1 :])
            here = [t for t in tests if not later & {x.a[0] for x in walk(t) if x.op == "local"}]
            tests = [t for t in tests if t not in here]
            fewer, here = self.c.indexes.narrow(self.x, py, items, here)
            source = fewer if py in read else self.x.some_of(items)
            last = index + 1 == len(ask.binders) and not rest and depth == 1
            if not (last and self.x.small(items, heavy(*here), 0)):
                source = self.x.charged(source, out, pad, "d")
            out.append(pad + f"for {py} in {source}:")
            depth += 1
            for test in self.x.ordered(here):
                out.append("    " * depth + f"if not {self.x(test)}: continue")
        return depth


def demanding(body: list[Any]) -> list[Any]:
    """The sentences that may be demands: up to the first that does something."""
    for at, st in enumerate(body):
        if isinstance(st, X) and as_written(st).op not in (*DEMANDS, *QUIET, "if", "call", "as"):
            return body[:at]
    return body


def with_names(node: Any, names: dict[str, E]) -> Any:
    """The same sentences with locals replaced."""
    if isinstance(node, E):
        if node.op == "local" and node.a[0] in names:
            return names[node.a[0]]
        return E(node.op, node.type, tuple(with_names(part, names) for part in node.a), node.place)
    if isinstance(node, X):
        parts = tuple(with_names(part, names) for part in node.a)
        if node.op == "as" and node.a[0] in names and names[node.a[0]].op == "local":
            parts = (names[node.a[0]].a[0], *parts[1:])  # `you` under the name it had
        return X(node.op, parts, node.place)
    if isinstance(node, Ask):
        asked = (
            node.player, node.prompt, node.how, node.low, node.high, node.binders, node.where, node.words,
            node.may, node.body, node.otherwise, node.results,
        )  # fmt: skip
        return Ask(*(with_names(part, names) for part in asked))
    if isinstance(node, tuple) and not isinstance(node, Type):
        return tuple(with_names(part, names) for part in node)
    return [with_names(part, names) for part in node] if isinstance(node, list) else node


def as_written(st: X) -> X:
    """A call that is written out in place is still a call to whoever asks what it demands."""
    return st.a[0] if st.op == "inline" else st


def uses(body: list[X], names: Any) -> bool:
    return any(x.a[0] in names for x in all_expressions(body) if x.op == "local")


def all_expressions(node: Any) -> Any:
    """Every expression inside statements, in order."""
    if isinstance(node, E):
        yield from walk(node)
    elif isinstance(node, X):
        for part in node.a:
            yield from all_expressions(part)
    elif isinstance(node, Ask):
        for part in (
            node.player,
            node.prompt,
            node.low,
            node.high,
            node.binders,
            node.where,
            node.body,
            node.otherwise,
        ):
            yield from all_expressions(part)
    elif isinstance(node, (tuple, list)):
        for part in node:
            yield from all_expressions(part)
