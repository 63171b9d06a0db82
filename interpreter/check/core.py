"""The ground all passes stand on: reading snippets, telling problems, comparing types.

Takes the declared model and the list of problems. Holds what the passes share; decides no meaning.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from typing import Any

from .. import syntax as s
from ..diagnostics import Problems, suggest
from ..ir import E
from ..model import Model, Routine
from ..parse import SyntaxProblem, parse
from ..schema import Leaf
from ..types import TEXT, UNKNOWN, Type, list_of, piece
from .scope import At, Local, Scope, Source
from .tables import OTHER_FUNCTIONS, OTHER_NAMES

DEEPEST = 60  # expressions inside expressions
LONGEST_SUM = 400
LONGEST_CHAIN = 100  # values and procedures that need each other to be known
MOST_BINDERS = 8  # names of one query
FORMAT = re.compile(r"(?s)(.*):([<>^]?)(\d{1,3})\s*\Z")


class Core:
    def __init__(self, model: Model, problems: Problems, counter: int = 0) -> None:
        self.model, self.problems, self.counter = model, problems, counter
        self.depth = 0
        self.told = self.told_before = 0
        self.routines: list[Routine] = []
        self.done: set[Routine] = set()
        self.doing: list[Routine] = []
        self.ran: dict[Routine, list[tuple[E, str, tuple[str, ...]]]] = {}
        for kind in model.kinds.values():
            if kind.faces:
                model.symbols.setdefault(f"{kind.name} face", list(kind.faces))

    # ---- what other rooms of this pass give ----

    def expr(self, tree: s.Expr, scope: Scope, want: Type | None = None) -> E:
        raise NotImplementedError

    def routine(self, routine: Routine) -> None:
        raise NotImplementedError

    def fold(self, tree: s.Fold, scope: Scope) -> E:
        raise NotImplementedError

    def fold_call(self, tree: s.Call, scope: Scope) -> E:
        raise NotImplementedError

    def function(self, tree: s.Call, scope: Scope) -> E:
        raise NotImplementedError

    # ---- small tools ----

    def fresh(self, word: str) -> str:
        self.counter += 1
        return f"n{self.counter}_{re.sub('[^a-z0-9_]', '', word)[:24]}"

    def read(self, leaf: Leaf, start: str) -> Any:
        scalar = leaf.scalar
        if not scalar.exact and isinstance(scalar.value, str):
            self.problems.error(
                leaf.place,
                "folded-snippet",
                "a sentence must stand on one line or in a `|` block",
                "then every mistake in it can be shown at its very place",
            )
            return None
        return self.parse(Source(leaf), scalar.text, start)

    def parse(self, source: Source, text: str, start: str, hint: str = "") -> Any:
        try:
            return parse(text, start)
        except SyntaxProblem as problem:
            self.problems.error(source.place(problem.at), problem.code, problem.message, problem.hint or hint)
        except RecursionError:
            self.problems.error(source.leaf.place, "too-deep", "this sentence nests too deep")
        return None

    def error(
        self, scope: Scope, at: At, code: str, message: str, hint: str = "", suggestion: str = ""
    ) -> None:
        self.told += 1
        self.problems.error(scope.source.place(at), code, message, hint, suggestion=suggestion)

    def unknown(
        self,
        scope: Scope,
        at: At,
        what: str,
        word: str,
        known: Iterable[str],
        hint: str = "",
        message: str = "",
    ) -> E:
        """One sentence about a word nobody knows, with the nearest that would fit."""
        said = message or f"no {what} is called `{word}`"
        habit = {"name": OTHER_NAMES, "function": OTHER_FUNCTIONS, "query": OTHER_FUNCTIONS}.get(
            what, {}
        ).get(word)
        near = f"did you mean `{habit}`?" if habit else suggest(word, sorted(set(known)))
        self.error(scope, at, f"unknown-{what}", said, hint, near)
        return self.nothing(scope, at)

    def nothing(self, scope: Scope, at: At) -> E:
        return E("const", UNKNOWN, (None,), scope.source.place(at))

    def make(self, op: str, kind: Type, parts: tuple[Any, ...], scope: Scope, at: At) -> E:
        return E(op, kind, parts, scope.source.place(at))

    def declare(self, scope: Scope, word: str, kind: Type, at: At, sort: str) -> str:
        """A new local; a word that already means something near is refused."""
        place = scope.source.place(at)
        if word in (
            "you",
            "it",
            "this",
            "active",
            "none",
            "true",
            "false",
            "players",
            "opponent",
            "game",
            "box",
            "now",
        ):
            self.problems.error(
                place, "reserved-name", f"`{word}` is a word of the language and cannot be a name here"
            )
        before = scope.find(word)
        if before is not None:
            hint = f"`set {word} to …` changes it" if sort == "let" else "take another word"
            self.problems.error(
                place,
                "shadowed-name",
                f"`{word}` already names something here",
                hint,
                related=((before.place, "named here"),),
            )
            before.used = True
        py = self.fresh(word)
        scope.names[word] = Local(kind, py, place, sort)
        return py

    def leave(self, scope: Scope) -> None:
        """At the end of a block: names that nobody used. After an error, nobody can tell."""
        if self.told > self.told_before:
            return
        for word, local in scope.names.items():
            if not local.used and local.sort in ("let", "choose", "roll"):
                self.problems.warn(local.place, "unused-name", f"`{word}` is never used")

    # ---- types ----

    def fits(self, have: Type, want: Type) -> bool:
        if "unknown" in (have.base, want.base):
            return True
        if have.base == "none":
            return want.opt
        if have.base != want.base:
            return False
        if have.base == "piece":
            return self.related(have.of, want.of)
        if have.base == "symbol":
            return have.of == want.of
        if have.base == "list":
            return self.fits(have.item, want.item)
        return True

    def related(self, one: Any, two: Any) -> bool:
        if one is None or two is None:
            return True
        return self.model.is_like(str(one), str(two)) or self.model.is_like(str(two), str(one))

    def common(self, kinds: list[str]) -> str | None:
        """The nearest kind that all of them are like."""
        if not kinds:
            return None
        current: str | None = kinds[0]
        while current is not None:
            if all(self.model.is_like(k, current) for k in kinds):
                return current
            current = self.model.kinds[current].parent
        return None

    def unify(self, one: Type, two: Type) -> Type | None:
        if one.base == "unknown":
            return two
        if two.base == "unknown":
            return one
        if one.base == "none":
            return two.maybe()
        if two.base == "none":
            return one.maybe()
        if one.base != two.base:
            return None
        opt = one.opt or two.opt
        if one.base == "piece":
            both = None if one.of is None or two.of is None else self.common([str(one.of), str(two.of)])
            return piece(both)._replace(opt=opt)
        if one.base == "symbol" and one.of != two.of:
            return None
        if one.base == "list":
            item = self.unify(one.item, two.item)
            return None if item is None else list_of(item)._replace(opt=opt)
        return one._replace(opt=opt, of=one.of if one.of == two.of else None)

    def expect(self, e: E, want: Type, scope: Scope, at: At) -> E:
        """`e` as that type, or a problem at its place."""
        made = self.as_list(e, None, at) if want.base == "list" else e
        if made is None:
            made = e
        if not self.fits(made.type, want):
            self.error(scope, at, "wrong-type", f"expected {article(want)}, but this is {article(made.type)}")
            return self.nothing(scope, at)
        return made

    def as_list(self, e: E, scope: Scope | None, at: At) -> E | None:
        """Zones, kinds and lists as lists; None (and a problem, given a scope) for anything else."""
        base = e.type.base
        if base in ("list", "unknown"):
            return e
        if base == "zone":
            return E("content", list_of(piece(str(e.type.of) if e.type.of else None)), (e,), e.place)
        if e.op == "kind":
            return E("pieces", list_of(piece(e.a[0])), (e.a[0],), e.place)
        if base == "kind":
            return E("of_kind", list_of(piece()), (e,), e.place)
        if scope is not None:
            self.error(scope, at, "wrong-type", f"expected a list, but this is {article(e.type)}")
        return None

    # ---- texts ----

    def text(
        self, source: Source, text: str, scope: Scope, line: int = 1, column: int = 1, pads: bool = False
    ) -> E:
        """A text with {expressions}; `line` and `column` are where it starts inside its leaf."""
        parts: list[Any] = []
        start = 0
        for opened, closed in braces(text):
            if opened > start:
                parts.append(text[start:opened])
            start = closed
            inside, pad = text[opened + 1 : closed - 1], None
            found = FORMAT.match(inside) if pads else None
            if found:
                inside, pad = found[1], (int(found[3]), found[2] or "<")
            before = text[: opened + 1]
            row = line + before.count("\n")
            col = len(before) - (before.rfind("\n") + 1) + 1 + (column - 1 if "\n" not in before else 0)
            lead = len(inside) - len(inside.lstrip())
            part = Source(source.leaf, row, col + lead)
            if not inside.strip():
                self.problems.error(
                    part.place((1, 1, 1, 2)), "empty-braces", "there is no expression in these braces"
                )
                continue
            tree = self.parse(part, inside.strip(), "query", "one value stands between `{` and `}` in a text")
            if tree is None:
                continue
            nested = scope.inner()
            nested.source = part
            e = self.expr(tree, nested)
            parts.append(("pad", e, *pad) if pad is not None else e)
        if start < len(text):
            parts.append(text[start:])
        where = source.leaf.scalar.place_of(line, column, line + text.count("\n"), column + max(1, len(text)))
        return E("text", TEXT, (tuple(parts),), where)

    def said(self, leaf: Leaf, scope: Scope, pads: bool = False) -> E:
        """The text of a label, prompt or line of the file."""
        return self.text(Source(leaf), leaf.scalar.text, scope, pads=pads)


def braces(text: str) -> list[tuple[int, int]]:
    """Where expressions stand in a text. A quoted text inside of one may again have some of its own."""
    found: list[tuple[int, int, int]] = []  # from, quotes before it, to
    opened: list[tuple[int, int]] = []
    quotes = 0
    for at, letter in enumerate(text):
        if letter == '"':
            quotes += 1
        elif letter == "{":
            opened.append((at, quotes))
        elif letter == "}" and opened:
            start, before = opened.pop()
            inner = bisect_left(found, (start, 0, 0))
            if inner == len(found) or (found[inner][1] - before) % 2:
                del found[inner:]
                found.append((start, before, at + 1))
    return [(start, end) for start, _, end in found]


def article(kind: Type) -> str:
    if kind.base == "none":
        return "none"
    text = str(kind.sure())
    if kind.base in ("unknown",):
        return text
    return f"{'an' if text[:1] in 'aeiou' else 'a'} {text}"
