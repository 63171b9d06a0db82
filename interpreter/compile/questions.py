"""Questions: what may be chosen, what of it looks alike, and who could learn something from being asked.

Takes checked questions, gives texts: the options of each as an expression or a function, and entries of the image
that say how it is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ..check.hidden import reads_hidden
from ..ir import Ask, E, X
from ..model import Model, Routine
from ..slots import PLAYER
from ..types import NUMBER, Type, list_of
from .expressions import Expressions
from .heads import Heads, all_expressions
from .inlining import as_called
from .picking import seen_by_chooser
from .reading import all_statements, needed
from .recall import BEGIN, END
from .shapes import conjuncts, heavy, walk

CALLS = re.compile(r"\w\(S\b")  # whatever may take steps is handed the state
RUNS = re.compile(
    r"( +)if not \(\((\w+) := (RUNS_\w+\[\w+\])\) is True or \(\2 and (\2\(S, \w+, \w+, None\))\)\): (continue|return False)"
)  # fmt: skip
WATCH = re.compile(r" +S\[6\] = f = S\[6\] - len\(d\)")


class Questions:
    """What the compiler knows of questions."""

    model: Model
    inline: bool
    alone: bool
    x: Expressions
    heads: Heads
    indexes: Any
    current: Routine | None
    asker: Routine | None
    asks: list[dict[str, Any]]
    failing: set[int]
    heads_made: dict[Any, str]
    kept: list[Any]
    fresh: Callable[[str], str]
    function: Callable[..., None]
    place: Callable[[Any], int]
    type_key: Callable[[Type], int]
    spent: Callable[[str, str], list[str]]
    has_self: Callable[[Routine | None], bool]

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

    def from_one_zone(self, ask: Ask) -> bool:
        """Whether a set is picked out of the pieces of one zone."""
        return ask.binders[0][1].base == "piece" and one_zone(ask.binders[0][2]) is not None

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

    def fits(self, ask: Ask, number: int, kept: list[str], rest: list[X]) -> None:
        """A function that says whether a set meets what comes after it; the frame to go on with has all that it needs."""
        self.asks[number]["fits"] = name = f"fits{number}"
        lines = [*_unpack(kept), f"    return {self.head_call(rest)}"]
        self.function(name, ["S", "F", ask.name_of_set], lines, ask.binders[0][2].place)

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
