"""Queries and functions: one binding form for all of them.

Takes folds and calls of the tree, gives `fold` and `function` expressions.
"""

from __future__ import annotations

from .. import syntax as s
from ..ir import E
from ..types import KIND, NUMBER, PLAYER, SPOT, TEXT, TRUTH, UNKNOWN, Type, list_of, piece
from .core import MOST_BINDERS, article
from .expressions import Expressions
from .scope import At, Scope
from .tables import FOLDS, FUNCTIONS, GRID_WORDS, SCENARIO_FUNCTIONS, FunctionWord

NEEDS_VALUE = ("sum", "max", "min", "distinct", "union")
Bound = tuple[tuple[str, Type, E], ...]


class Queries(Expressions):
    def grid_function(self, tree: s.Call, scope: Scope) -> E:
        raise NotImplementedError

    def binders(self, trees: tuple[s.Binder, ...], scope: Scope, sort: str) -> Bound:
        """Each name with its list; earlier names are known in later lists."""
        found = []
        if len(trees) > MOST_BINDERS:
            message = f"at most {MOST_BINDERS} names can be bound at once"
            self.error(scope, trees[MOST_BINDERS].at, "too-many-names", message, "name a value for a part of it")
            trees = trees[:MOST_BINDERS]
        for tree in trees:
            if tree.upto is not None:
                low, high = self.typed(tree.source, scope, NUMBER), self.typed(tree.upto, scope, NUMBER)
                source = E("range", list_of(NUMBER), (low, high), low.place)
            else:
                source = self.listed(tree.source, scope)
            item = source.type.item if source.type.base == "list" else UNKNOWN
            found.append((self.declare(scope, tree.word, item, tree.at, sort), item, source))
        return tuple(found)

    def fold(self, tree: s.Fold, scope: Scope) -> E:
        word = tree.word
        inner = scope.inner()
        bound = self.binders(tree.ranked.binders, inner, "loop")
        where = None if tree.ranked.where is None else self.typed(tree.ranked.where, inner, TRUTH)
        key = None if tree.ranked.key is None else self.expr(tree.ranked.key, inner)
        if word not in FOLDS:
            hint = ""
            if word in self.model.values or word in FUNCTIONS:
                hint = f"`{word}` takes plain arguments; wrap the query: `{word}(all(…))`"
            if tree.value is not None:
                self.expr(tree.value, inner)
            return self.unknown(scope, tree.word_at, "query", word, FOLDS, hint)
        value = None if tree.value is None else self.expr(tree.value, inner)
        if value is not None and word not in NEEDS_VALUE:
            assert tree.value is not None
            self.error(
                scope,
                tree.value.at,
                "no-value",
                f"`{word}` takes no value before `for`",
                f"write `{word}({tree.ranked.binders[0].word} in …)`",
            )
            value = None
        if key is not None and key.type.base in ("list", "zone", "none"):
            assert tree.ranked.key is not None
            self.error(
                scope,
                tree.ranked.key.at,
                "wrong-type",
                f"expected something to rank by, but this is {article(key.type)}",
            )
        if word in ("most", "least", "groups") and key is None:
            self.error(
                scope, tree.word_at, "missing-part", f"`{word}` needs a key", f"write `{word}(x in … by x.…)`"
            )
        if word == "every" and where is None:
            self.error(
                scope,
                tree.word_at,
                "missing-part",
                "`every` needs its claim",
                "write `every(x in … where …)`",
            )
        if word in NEEDS_VALUE and value is None and bound:
            value = E("local", bound[0][1], (bound[0][0],), bound[0][2].place)
        at = tree.value.at if tree.value is not None else tree.ranked.binders[0].at
        return self.folded(word, bound, where, key, value, scope, tree.at, at)

    def folded(
        self,
        word: str,
        bound: Bound,
        where: E | None,
        key: E | None,
        value: E | None,
        scope: Scope,
        at: At,
        value_at: At,
    ) -> E:
        item = bound[0][1] if bound else UNKNOWN
        if word == "sum" and value is not None:
            value = self.expect(value, NUMBER, scope, value_at)
        if (
            word in ("max", "min")
            and value is not None
            and value.type.base not in ("number", "symbol", "unknown")
        ):
            self.error(scope, value_at, "wrong-type", f"expected a number, but this is {article(value.type)}")
        if word == "union" and value is not None:
            value = self.as_list(value, scope, value_at) or self.nothing(scope, value_at)
        given = value.type if value is not None else UNKNOWN
        sure = len(bound) == 1 and where is None and bound[0][2].op == "list" and bound[0][2].a[0]
        best = given if sure or given.base == "unknown" else given.maybe()
        kind = {
            "all": list_of(item),
            "most": list_of(item),
            "least": list_of(item),
            "groups": list_of(list_of(item)),
            "count": NUMBER,
            "sum": NUMBER,
            "any": TRUTH,
            "every": TRUTH,
            "the": item.maybe(),
            "first": item.maybe(),
            "last": item.maybe(),
            "max": best,
            "min": best,
            "distinct": list_of(given),
            "union": given if given.base == "list" else list_of(UNKNOWN),
        }[word]
        if kind.base == "unknown" or (item.base == "unknown" and word in ("the", "first", "last")):
            kind = UNKNOWN
        return self.make("fold", kind, (word, bound, where, key, value), scope, at)

    def fold_call(self, tree: s.Call, scope: Scope) -> E:
        """`sum([1, 2])`, `min(a, b)`, `first(list)`: a query over a plain list."""
        word = tree.word
        if not tree.args:
            self.error(
                scope, tree.word_at, "wrong-count", f"`{word}` needs a list", f"write `{word}(x in …)`"
            )
            return self.nothing(scope, tree.at)
        if word in ("most", "least", "groups", "every"):
            for arg in tree.args:
                self.expr(arg, scope)
            self.error(
                scope,
                tree.word_at,
                "missing-part",
                f"`{word}` needs a query",
                f"write `{word}(x in … by x.…)`",
            )
            return self.nothing(scope, tree.at)
        if len(tree.args) == 1:
            source = self.listed(tree.args[0], scope)
        elif word in ("min", "max", "sum", "union", "distinct"):
            source = self.list_of(s.ListOf(tree.args, at=tree.at), scope, None)
        else:
            self.error(
                scope, tree.word_at, "wrong-count", f"`{word}` takes one list", f"write `{word}(x in …)`"
            )
            return self.nothing(scope, tree.at)
        if source.type.base != "list":
            return self.nothing(scope, tree.at)
        item = source.type.item
        bound: Bound = ((self.fresh("x"), item, source),)
        value = E("local", item, (bound[0][0],), source.place) if word in NEEDS_VALUE else None
        return self.folded(word, bound, None, None, value, scope, tree.at, tree.args[0].at)

    # ---- functions ----

    def function(self, tree: s.Call, scope: Scope) -> E:
        shape = FUNCTIONS.get(tree.word) or SCENARIO_FUNCTIONS[tree.word]
        if not min(shape.least, len(shape.takes)) <= len(tree.args) <= len(shape.takes):
            self.count(tree, list(shape.takes), scope)
            for arg in tree.args:
                self.expr(arg, scope)
            return self.nothing(scope, tree.at)
        if tree.word in GRID_WORDS:
            return self.grid_function(tree, scope)
        if tree.word == "distance" and self.model.planes:
            found = self.apart(tree, scope)
            if found is not None:
                return found
        args = tuple(self.argument(a, t, scope) for a, t in zip(tree.args, shape.takes, strict=False))
        if tree.word == "around" and len(args) == 2:
            args = (*args, E("const", NUMBER, (0,), args[0].place))
        if tree.word == "kind_of":
            return self.make("kind_of", KIND, (args[0],), scope, tree.at)
        return self.make("function", self.gives(shape, args), (tree.word, args), scope, tree.at)

    def apart(self, tree: s.Call, scope: Scope) -> E | None:
        """`distance` on a plane, if its arguments are no places of another board."""
        first = self.expr(tree.args[0], scope)
        kind = str(first.type.of) if first.type.of else None
        if first.type.base != "spot" and not (
            first.type.base == "piece"
            and self.model.discs(kind)
            and not (kind is not None and self.model.boards and self.on_board(kind))
        ):
            return None
        args = (first, self.argument(tree.args[1], "lying", scope))
        return self.make("function", NUMBER.maybe(), ("apart", args), scope, tree.at)

    def argument(self, tree: s.Expr, takes: str, scope: Scope) -> E:
        if takes == "list":
            return self.listed(tree, scope)
        if takes == "pieces":
            e = self.expr(tree, scope, list_of(UNKNOWN))
            if e.type.base == "piece":
                return E("list", list_of(e.type.sure()), ((e,),), e.place)
            return self.as_list(e, scope, tree.at) or self.nothing(scope, tree.at)
        simple = {"number": NUMBER, "player": PLAYER, "text": TEXT, "piece": piece(), "spot": SPOT}
        if takes in simple:
            return self.typed(tree, scope, simple[takes])
        e = self.expr(tree, scope)
        if e.type.base == "unknown" or takes == "any":
            return e
        kind = str(e.type.of) if e.type.base == "piece" and e.type.of else None
        disc = e.type.base == "piece" and bool(self.model.planes and self.model.discs(kind))
        right = {
            "disc": disc,
            "lying": disc or e.type.base == "spot",
            "symbol": e.type.base == "symbol",
            "board": (e.op == "pieces" and self.on_board(e.a[0])) or e.op == "own_board",
            "place": e.type.base == "piece" and self.on_board(str(e.type.of) if e.type.of else None),
        }[takes]
        if not right:
            wanted = {
                "place": "a place of a board",
                "board": "a board",
                "symbol": "a symbol",
                "disc": "a disc",
                "lying": "a disc or a spot",
            }[takes]
            hint = self.lies_on(e) if takes == "place" else ""
            self.error(scope, tree.at, "wrong-type", f"expected {wanted}, but this is {article(e.type)}", hint)
            return self.nothing(scope, tree.at)
        return e

    def lies_on(self, e: E) -> str:
        """Where the place of a piece is to be found, if it may lie on one."""
        for zone in self.model.zones.values():
            holds = e.type.base == "piece" and any(self.related(e.type.of, kind) for kind in zone.holds)
            places = [kind for kind in zone.of if kind != "player" and self.on_board(kind)]
            if holds and places:
                return f"the place on which a {e.type.sure()} lies is its `.{places[0]}`"
        return ""

    def on_board(self, kind: str | None) -> bool:
        if kind is None:
            return True
        boards = [b.of for b in self.model.boards.values()]
        boards += [b.edges for b in self.model.boards.values() if b.edges]
        return any(self.related(kind, of) for of in boards)

    def gives(self, shape: FunctionWord, args: tuple[E, ...]) -> Type:
        first = args[0].type if args else UNKNOWN
        if shape.gives in ("item", "list", "same", "same?", "places") and first.base == "unknown":
            return UNKNOWN
        match shape.gives:
            case "item":
                return first.item.maybe() if first.item.base != "unknown" else UNKNOWN
            case "list" | "same":
                return first.sure() if shape.gives == "list" else first
            case "same?":
                return first.maybe()
            case "players":
                return list_of(PLAYER)
            case "places":
                return list_of(first.sure())
            case "edge":
                edges = [
                    b.edges for b in self.model.boards.values() if b.edges and self.related(first.of, b.of)
                ]
                return piece(edges[0]).maybe() if len(edges) == 1 else piece().maybe()
            case "lines":
                place = first.item if first.base == "list" else first.sure()
                return list_of(list_of(place)) if place.base != "unknown" else list_of(list_of(UNKNOWN))
        return {
            "number": NUMBER,
            "number?": NUMBER.maybe(),
            "truth": TRUTH,
            "text": TEXT,
            "kind": KIND,
            "spot": SPOT,
            "spots": list_of(SPOT),
        }.get(shape.gives, UNKNOWN)
