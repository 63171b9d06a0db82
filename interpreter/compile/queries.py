"""Queries to Python source: loops with early returns, in functions of their own or where a sentence asks them.

Conditions are tested as early as their names are known, the cheap ones first; what can be read off an index or off
bits is not searched for. Steps are counted by the size of what is searched.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ..ir import E
from ..slots import change_slot
from ..types import Type
from .shapes import (
    ENDS,
    conjuncts,
    free_names,
    harmless,
    heavy,
    inner_search,
    itself,
    left_out,
    named_alike,
    used_names,
    walk,
    with_args,
)

TEMP = re.compile(r"t\d+")
FEW = 64  # items that are searched in one step
MANY = 150  # parts of a value whose conditions are told apart
SPELLED = ("sum", "count", "any", "every", "first", "the", "max", "min", "first_most", "first_least")


class Queries:
    """The queries among the expressions; `c` is the compiler."""

    c: Any
    you: str
    event: list[str] | None
    binders: set[str]
    atom: Callable[[E], str]
    some_of: Callable[[E], str]
    end: Callable[[E, str], str]
    inlined: Callable[[Any, Any], bool]
    mostly: Callable[[Any, Any], bool]
    resolved: Callable[[E], E]
    parts_body: Callable[..., list[str]]

    def __call__(self, e: E) -> str:
        raise NotImplementedError

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
        if word == "union" and self.c.inline and where is None and itself(value, binders[0]) and binders[0][2].op == "list":
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
            params, body = named_alike(free, body)
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
            return self.leading(with_args(routine.code, dict(zip([p.py for p in routine.params], args, strict=True))), put)
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
            here = [t for t in tests if not later & set(used_names(t))]
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
        return with_args(code, dict(zip([p.py for p in routine.params], args, strict=True))) if code.op == "and" else e

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
        once = [t for t in tests if not set(names) & set(used_names(t)) and harmless(self.resolved(t))]
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
        fixed = [t for t in tests if not around & set(used_names(t)) and harmless(self.resolved(t))]
        still = not around & set(used_names(items)) and harmless(items)
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
