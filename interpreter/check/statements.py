"""Statements: bodies of procedures, actions, effects and hooks.

Takes statement trees and a scope, gives checked statements; keeps watch over heads and local names.
"""

from __future__ import annotations

from typing import Any

from .. import syntax as s
from ..ir import Ask, E, X
from ..model import Routine
from ..schema import Leaf
from ..types import NUMBER, PLAYER, TRUTH, UNKNOWN, Type, list_of
from .core import LONGEST_CHAIN
from .scope import At, Head, Local, Scope, Source
from .tables import FOLDS, FUNCTIONS
from .verbs import Verbs

DEEPEST_BLOCK = 30


class Statements(Verbs):
    returned: list[tuple[Type | None, E | None]]
    blocks = 0
    chain_told = False
    assigned: frozenset[str] = frozenset()

    # ---- routines ----

    def routine(self, routine: Routine) -> None:
        """Checks one routine, once; values and procedures are checked when first needed."""
        if routine in self.done or routine in self.doing:
            return
        self.done.add(routine)
        self.routines.append(routine)
        if not isinstance(routine.snippet, Leaf):
            return
        self.body_of(routine, self.scope_of(routine, routine.snippet))

    def scope_of(self, routine: Routine, leaf: Leaf) -> Scope:
        scope = Scope(Source(leaf), routine, this=routine.this, effect=routine.context)
        if routine.what in ("procedure", "action", "do", "hook", "given"):
            scope.you = "you"
        for param in routine.params:
            if param.name == "you":
                scope.you = "you"
            else:
                scope.names[param.name] = Local(param.type, param.py, routine.place, "parameter")
        return scope

    def body_of(self, routine: Routine, scope: Scope) -> None:
        start = "query" if routine.what == "value" else "effect"
        tree = self.read(scope.source.leaf, start)
        if tree is None:
            routine.gives = routine.gives or (UNKNOWN if routine.what in ("value", "procedure") else None)
            routine.code = None if routine.what == "value" else []
            return
        routine.tree = tree
        if len(self.doing) > LONGEST_CHAIN:
            if not self.chain_told:
                self.problems.error(routine.place, "too-deep", f"more than {LONGEST_CHAIN} rules need each other here")
            self.chain_told = True
            routine.gives = routine.gives or UNKNOWN
            routine.code = None if routine.what == "value" else []
            return
        self.doing.append(routine)
        depth, self.depth = self.depth, 0
        before, self.told_before = self.told_before, self.told
        returned, self.returned = getattr(self, "returned", []), []
        blocks, self.blocks = self.blocks, 0
        assigned, self.assigned = self.assigned, assigned_words(tree) if start == "effect" else frozenset()
        try:
            if routine.what == "value":
                e = self.expr(tree, scope)
                routine.code, routine.gives = e, e.type
            else:
                routine.code = self.block(tree, scope.inner(), Head())
                self.result_of(routine)
        except RecursionError:
            self.problems.error(routine.place, "too-deep", f"`{routine.name}` nests too deep")
            routine.gives = routine.gives or UNKNOWN
            routine.code = routine.code if routine.code is not None else []
        finally:
            self.doing.pop()
            self.depth = depth
            self.told_before, self.returned, self.blocks = before, returned, blocks
            self.assigned = assigned

    def result_of(self, routine: Routine) -> None:
        """The type that the returns agree on."""
        if routine.what not in ("procedure", "hook"):
            return
        declared, kind = routine.gives, None
        given = [(t, e) for t, e in self.returned if e is not None]
        for t, e in given:
            assert t is not None and e is not None
            if declared is not None:
                if not self.fits(t, declared):
                    self.problems.error(e.place, "wrong-type", f"expected {declared}, but this is {t}")
                continue
            both = t if kind is None else self.unify(kind, t)
            if both is None:
                self.problems.error(
                    e.place, "mixed-returns", f"this returns {t}, but before it {kind} was returned"
                )
                both = UNKNOWN
            kind = both
        if given and len(given) < len(self.returned):
            kind = kind.maybe() if kind is not None else None
        if declared is None:
            routine.gives = kind

    # ---- blocks ----

    def block(self, trees: tuple[s.Stmt, ...], scope: Scope, head: Head) -> list[X]:
        """The statements of one block, in a scope of its own that the caller made."""
        found: list[X] = []
        self.blocks += 1
        if self.blocks > DEEPEST_BLOCK:
            if trees:
                self.error(scope, trees[0].at, "too-deep", f"blocks nest more than {DEEPEST_BLOCK} deep")
        else:
            ended = False
            for tree in trees:
                if ended:
                    self.problems.warn(scope.source.place(tree.at), "never-reached", "this is never reached")
                    ended = False
                found += self.statement(tree, scope, head)
                ended = isinstance(tree, s.Return) or (
                    isinstance(tree, s.Verb) and tree.word == "end" and tree is not trees[-1]
                )
        self.blocks -= 1
        self.leave(scope)
        return found

    def statement(self, tree: s.Stmt, scope: Scope, head: Head) -> list[X]:
        match tree:
            case s.Verb():
                return self.verb(tree, scope, head)
            case s.CallStmt():
                return self.call_statement(tree, scope)
            case s.Let():
                return self.let(tree, scope)
            case s.Need():
                self.in_head(scope, tree.at, head, "need")
                test = self.typed(tree.test, scope, TRUTH)
                text = None
                if tree.text is not None:
                    end = (tree.at[2], tree.at[3] - len(tree.text) - 2, *tree.at[2:])
                    text = self.label(tree.text, scope, end)
                return [self.x("need", tree, scope, test, text)]
            case s.Return():
                return self.return_(tree, scope)
            case s.Choose():
                return [self.x("choose", tree, scope, self.choose(tree, scope, scope, False))]
            case s.ChooseOne():
                return self.choose_one(tree, scope, head)
            case s.May():
                return self.may(tree, scope, head)
            case s.If():
                return self.if_(tree, scope, head)
            case s.ForEach():
                return self.for_each(tree, scope, head)
            case s.Repeat():
                count = self.typed(tree.count, scope, NUMBER)
                again = None if tree.test is None else self.typed(tree.test, scope, TRUTH)
                body = self.block(tree.body, scope.inner(), self.closed(tree, scope, head))
                return [self.x("repeat", tree, scope, count, again, body)]
            case s.As():
                return self.as_(tree, scope, head)
            case s.During():
                return self.during(tree, scope, head)
        return []

    def closed(self, tree: s.Stmt, scope: Scope, head: Head) -> Head:
        """Loops, spans and others' doings are no part of a head."""
        head.end(scope.source.place(tree.at))
        return Head(False, head.ended)

    def call_statement(self, tree: s.CallStmt, scope: Scope) -> list[X]:
        call, model = tree.call, self.model
        if isinstance(call, s.Call) and call.word in model.procedures:
            made, _ = self.procedure_call(call, scope, None, False)
            return [made] if made is not None else []
        word = call.word
        if word in model.values or word in model.tables or word in FOLDS or word in FUNCTIONS:
            self.expr(call, scope)
            self.error(
                scope,
                call.word_at,
                "value-as-sentence",
                f"`{word}` is reckoned, but nothing is done with it",
                f"name it with `let x be {word}(…)`, or test it with `need` or `if`",
            )
            return []
        if isinstance(call, s.Call):
            for arg in call.args:
                self.expr(arg, scope)
        hint = ""
        if word in model.actions:
            model.actions[word].used = True
            hint = "an action is chosen from a menu: `open menu`"
        elif word in model.effects:
            hint = f"an effect begins with `begin {word}(…)`"
        elif word in model.spans:
            hint = f"a span is opened with `during {word}(…):`"
        self.unknown(scope, call.word_at, "procedure", word, model.procedures, hint)
        return []

    def let(self, tree: s.Let, scope: Scope) -> list[X]:
        at = self.word_at(tree.at, tree.word)
        value = tree.value
        if (
            isinstance(value, s.Call)
            and value.word in self.model.procedures
            and value.word not in self.model.values
        ):
            call, kind = self.procedure_call(value, scope, None, True)
            py = self.declare(scope, tree.word, kind, at, "let")
            if call is None:
                return []
            return [X("call", (call.a[0], call.a[1], py), call.place)]
        e = self.expr(value, scope)
        kind = e.type if e.type.base != "none" else UNKNOWN
        if tree.word in self.assigned and kind.base in ("piece", "player", "symbol", "design", "kind"):
            kind = kind.maybe()  # it may be set to none later, and a loop may come back here
        py = self.declare(scope, tree.word, kind, at, "let")
        return [self.x("let", tree, scope, py, e)]

    def word_at(self, at: At, word: str) -> At:
        return (at[0], at[1], at[0], at[1] + len(word))

    def return_(self, tree: s.Return, scope: Scope) -> list[X]:
        routine = scope.routine
        want = routine.gives if routine is not None and routine.what == "procedure" else None
        value = None
        if tree.value is not None:
            value = self.expr(tree.value, scope, want)
            if value.type.base in ("zone", "kind") and want is not None and want.base == "list":
                value = self.as_list(value, None, tree.value.at) or value
            if routine is not None and routine.what not in ("procedure", "hook"):
                self.error(scope, tree.value.at, "return-value", "only a procedure can give something back")
        self.returned.append((value.type if value is not None else None, value))
        return [self.x("return", tree, scope, value)]

    # ---- choices ----

    def chooser(self, by: s.Expr | None, scope: Scope, at: At) -> E:
        self.asks(scope)
        if by is not None:
            return self.typed(by, scope, PLAYER)
        if scope.you is None:
            self.error(scope, at, "no-you", "who chooses? Nobody is `you` here", "add `by player` at the end")
            return self.nothing(scope, at)
        return self.doer(scope, at)

    def choose(self, tree: s.Choose, scope: Scope, into: Scope, may: bool, body: bool = False) -> Ask:
        player = self.chooser(tree.by, scope, tree.at)
        prompt = self.label(tree.prompt, scope, tree.at) if tree.prompt is not None else None
        words = tuple(b.word for b in tree.binders)
        if tree.how == "one":
            bound = self.binders(tree.binders, into, "choose")
            where = self.typed(tree.where, into, TRUTH) if tree.where is not None else None
            if may and not body:
                for word in words:
                    local = into.names.get(word)
                    if local is not None and local.type.base != "unknown":
                        local.type = local.type.maybe()
            return Ask(player, prompt, "one", None, None, bound, where, words, may)
        low = self.typed(tree.low, scope, NUMBER) if tree.low is not None else None
        high = (
            low
            if tree.high is tree.low
            else self.typed(tree.high, scope, NUMBER)
            if tree.high is not None
            else None
        )
        inner = scope.inner()
        bound = self.binders(tree.binders, inner, "loop")
        where = self.typed(tree.where, inner, TRUTH) if tree.where is not None else None
        if len(bound) > 1:
            self.error(
                scope,
                tree.binders[1].at,
                "too-many-names",
                "several things are chosen at once only from one list",
                "write one `choose` after the other",
            )
        first = tree.binders[0]
        kind = list_of(bound[0][1])
        result = self.declare(into, first.word, kind, first.at, "choose")
        return Ask(player, prompt, "set", low, high, bound[:1], where, words[:1], may, results=(result,))

    def choose_one(self, tree: s.ChooseOne, scope: Scope, head: Head) -> list[X]:
        player = self.chooser(tree.by, scope, tree.at)
        prompt = self.label(tree.prompt, scope, tree.at) if tree.prompt is not None else None
        options = []
        for option in tree.options:
            label = self.label(option.label, scope, option.at)
            test = self.typed(option.test, scope, TRUTH) if option.test is not None else None
            options.append((label, test, self.block(option.body, scope.inner(), Head())))
        head.end(scope.source.place(tree.at))
        return [self.x("one", tree, scope, player, prompt, tuple(options))]

    def may(self, tree: s.May, scope: Scope, head: Head) -> list[X]:
        place = scope.source.place(tree.at)
        if isinstance(tree.head, s.Choose):
            bare = not tree.body and not tree.otherwise
            inner = scope if bare else scope.inner()
            ask = self.choose(tree.head, scope, inner, True, body=not bare)
            if not bare:
                ask.body = self.block(tree.body, inner, Head())
                head.end(place)
                ask.otherwise = self.block(tree.otherwise, scope.inner(), Head(False, place))
            return [self.x("choose", tree, scope, ask)]
        player = self.chooser(None, scope, tree.at)
        inner, inside = scope.inner(), Head()
        first: list[X] = []
        if tree.head is not None:
            label = self.words_of(tree.head, scope)
            first = self.statement(tree.head, inner, inside)
        else:
            label = self.label(tree.label or "", scope, tree.at)
        body = first + self.block(tree.body, inner, inside)
        head.end(place)
        otherwise = self.block(tree.otherwise, scope.inner(), Head(False, place))
        return [self.x("may", tree, scope, player, label, body, otherwise)]

    def words_of(self, tree: s.Stmt, scope: Scope) -> E:
        """The label of `may pay 1 fuel:`, from its own words."""
        lines = scope.source.leaf.scalar.text.split("\n")
        line, column, _, end = tree.at
        text = lines[line - 1][column - 1 : end - 1] if line <= len(lines) else ""
        said = (text[:1].upper() + text[1:]).replace("{", "(").replace("}", ")").strip()
        return E("text", Type("text"), ((said or "Do it",),), scope.source.place(tree.at))

    # ---- blocks that branch, loop or change the doer ----

    def if_(self, tree: s.If, scope: Scope, head: Head) -> list[X]:
        branches, heads = [], []
        for test, body in tree.branches:
            checked = self.typed(test, scope, TRUTH)
            inside = Head(head.open, head.ended)
            branches.append((checked, self.block(body, scope.inner(), inside)))
            heads.append(inside)
        inside = Head(head.open, head.ended)
        otherwise = self.block(tree.otherwise, scope.inner(), inside)
        for one in [*heads, inside]:
            if not one.open and one.ended is not None:
                head.end(one.ended)
        return [self.x("if", tree, scope, tuple(branches), otherwise)]

    def for_each(self, tree: s.ForEach, scope: Scope, head: Head) -> list[X]:
        inner = scope.inner()
        bound = self.binders(tree.ranked.binders, inner, "loop")
        where = None if tree.ranked.where is None else self.typed(tree.ranked.where, inner, TRUTH)
        key = None if tree.ranked.key is None else self.expr(tree.ranked.key, inner)
        inside = self.closed(tree, scope, head)
        if tree.any_order:
            self.chooser(None, scope, tree.at)
            body = self.block(tree.body, inner, inside)
            return [self.x("each_ordered", tree, scope, bound, where, key, body, scope.you)]
        return [self.x("each", tree, scope, bound, where, key, self.block(tree.body, inner, inside))]

    def as_(self, tree: s.As, scope: Scope, head: Head) -> list[X]:
        inner = scope.inner(barrier=tree.once)
        inner.you = self.fresh("you")
        inside = self.closed(tree, scope, head)
        if not tree.each:
            who = self.expr(tree.who, scope, PLAYER)
            if who.type.base in ("list", "kind", "zone"):
                self.error(
                    scope,
                    tree.who.at,
                    "wrong-type",
                    f"expected a player, but this is a {who.type}",
                    "write `as each …:` for several players",
                )
                who = self.nothing(scope, tree.who.at)
            who = self.expect(who, PLAYER, scope, tree.who.at)
            if tree.once:
                self.error(scope, tree.who.at, "missing-part", "`at once` goes with `as each`")
            return [self.x("as", tree, scope, inner.you, who, self.block(tree.body, inner, inside))]
        who = self.typed(tree.who, scope, list_of(PLAYER))
        if tree.once:
            self.asks(scope)
        body = self.block(tree.body, inner, inside)
        return [self.x("at_once" if tree.once else "as_each", tree, scope, inner.you, who, body)]

    def during(self, tree: s.During, scope: Scope, head: Head) -> list[X]:
        call = tree.call
        span = self.model.spans.get(call.word)
        inside = self.closed(tree, scope, head)
        self.asks(scope)
        args: tuple[E, ...] | None = ()
        if span is None:
            self.unknown(scope, call.word_at, "span", call.word, self.model.spans)
            for arg in call.args:
                self.expr(arg, scope)
        else:
            span.used = True
            args = self.span_arguments(call, [(p.name, p.type) for p in span.params], scope)
        body = self.block(tree.body, scope.inner(barrier=True), inside)
        if span is None or args is None:
            return []
        return [self.x("during", tree, scope, span, args, body)]

    def span_arguments(
        self, call: s.Call, params: list[tuple[str, Type]], scope: Scope
    ) -> tuple[E, ...] | None:
        """Arguments for all but `you`, which must be whoever is `you` here."""
        written = list(call.args)
        index = next((i for i, p in enumerate(params) if p[0] == "you"), None)
        if index is not None:
            self.pronoun("you", scope, call.word_at)
            if len(written) == len(params):
                given = written.pop(index)
                if not (isinstance(given, s.Name) and given.word == "you"):
                    self.error(
                        scope,
                        given.at,
                        "wrong-type",
                        "here stands `you`",
                        "write `as player:` around the span",
                    )
        rest = [p for p in params if p[0] != "you"]
        if len(written) != len(rest):
            self.count(call, [p[0] for p in params], scope)
            for arg in written:
                self.expr(arg, scope)
            return None
        return tuple(self.typed(a, scope, p[1]) for a, p in zip(written, rest, strict=True))


def assigned_words(trees: Any) -> frozenset[str]:
    """Names that some `set` of a body changes."""
    found: set[str] = set()
    left: list[Any] = [trees]
    while left:
        node = left.pop()
        if isinstance(node, s.Verb):
            found |= {a.word for a in node.args[:1] if node.word == "set" and isinstance(a, s.Name)}
        elif isinstance(node, tuple):
            left += node
        elif isinstance(node, s.Stmt | s.OneOption):
            left += [getattr(node, part, ()) for part in ("body", "otherwise", "branches", "options")]
    return frozenset(found)
