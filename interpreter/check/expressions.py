"""Expressions: trees in, typed and resolved expressions out.

Takes one tree node and a scope. An expression of unknown type never causes a second problem.
"""

from __future__ import annotations

from .. import syntax as s
from ..ir import E
from ..model import Routine, TableDecl
from ..types import DESIGN, KIND, NONE, NUMBER, TEXT, TRUTH, UNKNOWN, Type, list_of, piece
from .core import DEEPEST, LONGEST_SUM, article
from .names import Names
from .scope import At, Scope
from .tables import FOLDS, FUNCTIONS, SCENARIO_FUNCTIONS


class Expressions(Names):
    def expr(self, tree: s.Expr, scope: Scope, want: Type | None = None) -> E:
        self.depth += 1
        try:
            if self.depth > DEEPEST:
                self.error(scope, tree.at, "too-deep", "this nests too deep")
                return self.nothing(scope, tree.at)
            return self._expr(tree, scope, want)
        finally:
            self.depth -= 1

    def typed(self, tree: s.Expr, scope: Scope, want: Type) -> E:
        return self.expect(self.expr(tree, scope, want), want, scope, tree.at)

    def listed(self, tree: s.Expr, scope: Scope, want: Type | None = None) -> E:
        local = scope.find(tree.word) if isinstance(tree, s.Name) else None
        if (
            local is not None
            and isinstance(tree, s.Name)
            and local.type.base in ("piece", "symbol", "player")
        ):
            # A parameter named like its kind: where a list is wanted, the kind is meant.
            meant = self.meaning(tree.word, scope, tree.at, list_of(local.type))
            found = self.as_list(meant, None, tree.at) if meant is not None else None
            if found is not None:
                return found
        e = self.expr(tree, scope, want or list_of(UNKNOWN))
        return self.as_list(e, scope, tree.at) or self.nothing(scope, tree.at)

    def _expr(self, tree: s.Expr, scope: Scope, want: Type | None) -> E:
        at = tree.at
        match tree:
            case s.Number():
                return self.make("const", NUMBER, (tree.value,), scope, at)
            case s.Text():
                if "{" in tree.value:
                    line, column = scope.source.line + at[0] - 1, at[1] + 1
                    if at[0] == 1:
                        column += scope.source.column - 1
                    return self.text(scope.source, tree.value, scope, line, column)
                return self.make("const", TEXT, (tree.value,), scope, at)
            case s.Name():
                return self.name(tree, scope, want)
            case s.Field():
                return self.field(tree, scope)
            case s.Call():
                return self.call(tree, scope, want)
            case s.Fold():
                return self.fold(tree, scope)
            case s.ListOf():
                return self.list_of(tree, scope, want)
            case s.Not():
                return self.make("not", TRUTH, (self.typed(tree.of, scope, TRUTH),), scope, at)
            case s.Minus():
                return self.make("minus", NUMBER, (self.typed(tree.of, scope, NUMBER),), scope, at)
            case s.Logic():
                items = tuple(self.typed(i, scope, TRUTH) for i in tree.items)
                return self.make(tree.op, TRUTH, (items,), scope, at)
            case s.Can():
                return self.can(tree, scope)
            case s.Compare():
                return self.compare(tree, scope)
            case s.Sum():
                return self.sum(tree, scope)
            case s.Conditional():
                return self.conditional(tree, scope, want)
            case s.Dice():
                self.error(
                    scope,
                    at,
                    "dice-in-expression",
                    "dice are rolled, not reckoned with",
                    "write `roll 2d6 as hit`, then use `hit`",
                )
        return self.nothing(scope, at)

    # ---- sums, lists, conditions ----

    def sum(self, tree: s.Sum, scope: Scope) -> E:
        """A long sum hangs to the left, and is gone through without going down."""
        parts = [tree]
        while isinstance(parts[-1].left, s.Sum):
            parts.append(parts[-1].left)
        if len(parts) > LONGEST_SUM:
            self.error(scope, tree.at, "too-deep", f"this sum is too long: at most {LONGEST_SUM} parts")
            return self.nothing(scope, tree.at)
        left = self.part(parts[-1].left, parts[-1].op, scope)
        for part in reversed(parts):
            right = self.part(part.right, part.op, scope)
            left = self.make("sum", NUMBER, (part.op, left, right), scope, part.at)
        return left

    def part(self, side: s.Expr, op: str, scope: Scope) -> E:
        e = self.expr(side, scope, NUMBER)
        if e.type.base in ("list", "zone") and op in ("+", "-"):
            self.error(
                scope,
                side.at,
                "wrong-type",
                f"expected a number, but this is {article(e.type)}",
                "`union([a, b])` joins lists; `all(x in a where x is not in b)` leaves some out",
            )
            e = self.nothing(scope, side.at)
        return self.expect(e, NUMBER, scope, side.at)

    def list_of(self, tree: s.ListOf, scope: Scope, want: Type | None) -> E:
        inner = want.item if want is not None and want.base == "list" else None
        items = [self.expr(item, scope, inner) for item in tree.items]
        kind: Type = UNKNOWN
        for item, node in zip(items, tree.items, strict=True):
            both = self.unify(kind, item.type)
            if both is None:
                self.error(
                    scope,
                    node.at,
                    "wrong-type",
                    f"this is {article(item.type)}, but the list holds {article(kind)} before it",
                )
                return self.make("list", list_of(UNKNOWN), (tuple(items),), scope, tree.at)
            kind = both
        return self.make("list", list_of(kind), (tuple(items),), scope, tree.at)

    def conditional(self, tree: s.Conditional, scope: Scope, want: Type | None) -> E:
        test = self.typed(tree.test, scope, TRUTH)
        yes = self.expr(tree.yes, scope, want)
        no = self.expr(tree.no, scope, want or yes.type)
        if "list" in (yes.type.base, no.type.base) or (want is not None and want.base == "list"):
            yes, no = self.as_list(yes, None, tree.at) or yes, self.as_list(no, None, tree.at) or no
        kind = self.unify(yes.type, no.type)
        if kind is None:
            self.error(
                scope,
                tree.no.at,
                "wrong-type",
                f"this is {article(no.type)}, but otherwise it is {article(yes.type)}",
            )
            kind = UNKNOWN
        return self.make("if", kind, (test, yes, no), scope, tree.at)

    # ---- comparing ----

    def compare(self, tree: s.Compare, scope: Scope) -> E:
        if tree.op in ("<", "<=", ">", ">="):
            left = self.expr(tree.left, scope)
            right = self.expr(tree.right, scope, left.type)
            if left.type.base == "symbol":
                right = self.expect(right, left.type, scope, tree.right.at)
            else:
                left = self.expect(left, NUMBER, scope, tree.left.at)
                right = self.expect(right, NUMBER, scope, tree.right.at)
            return self.make("compare", TRUTH, (tree.op, left, right), scope, tree.at)
        if tree.op in ("is in", "is not in"):
            e = self.is_in(tree, scope)
        else:
            e = self.is_same(tree.left, tree.right, scope, tree.at)
        return E("not", TRUTH, (e,), e.place) if "not" in tree.op else e

    def is_same(self, left_tree: s.Expr, right_tree: s.Expr, scope: Scope, at: At) -> E:
        for one, two in ((left_tree, right_tree), (right_tree, left_tree)):
            if isinstance(one, s.Name) and isinstance(two, s.Name) and two.word == "none":
                span = self.model.spans.get(one.word)
                if span is not None and scope.find(one.word) is None:
                    span.used = True
                    inside = self.make("inside", TRUTH, (span,), scope, at)
                    return self.make("not", TRUTH, (inside,), scope, at)
        if (
            isinstance(left_tree, s.Name)
            and isinstance(right_tree, s.Name)
            and left_tree.word == right_tree.word
            and left_tree.word in self.model.words
            and scope.find(left_tree.word) is not None
        ):
            # Nobody asks whether a thing is itself: `ship is ship`, of a name like its kind, asks for the kind.
            left = self.expr(left_tree, scope)
            kind = self.meaning(right_tree.word, scope, right_tree.at, KIND)
            return self.same(left, kind if kind is not None else left, scope, at, right_tree.at)
        if self.loose(left_tree, scope) and not self.loose(right_tree, scope):
            right = self.expr(right_tree, scope)
            left = self.expr(left_tree, scope, right.type)
        else:
            left = self.expr(left_tree, scope)
            right = self.expr(right_tree, scope, left.type)
        return self.same(left, right, scope, at, right_tree.at)

    def loose(self, tree: s.Expr, scope: Scope) -> bool:
        """A word whose meaning hangs on what it is compared with."""
        return (
            isinstance(tree, s.Name)
            and scope.find(tree.word) is None
            and (
                any(tree.word in words for words in self.model.symbols.values())
                or tree.word in self.model.components
                or tree.word in self.model.words
            )
        )

    def same(self, left: E, right: E, scope: Scope, at: At, right_at: At) -> E:
        if "unknown" in (left.type.base, right.type.base):
            return self.make("same", TRUTH, (left, right), scope, at)
        for one, two in ((left, right), (right, left)):
            if one.type.base != "piece":
                continue
            if two.op == "kind":
                if not self.related(one.type.of, two.a[0]):
                    self.never(one.type, piece(two.a[0]), scope, right_at)
                return self.make("like", TRUTH, (one, two.a[0]), scope, at)
            if two.op == "design":
                if not self.related(one.type.of, two.a[0].kind):
                    self.never(one.type, piece(two.a[0].kind), scope, right_at)
                return self.make("named", TRUTH, (one, two.a[0]), scope, at)
            if two.type.base == "kind":
                return self.make("of_type", TRUTH, (one, two), scope, at)
            if two.type.base == "design":
                return self.make("same", TRUTH, (E("design_of", DESIGN, (one,), one.place), two), scope, at)
        if left.type.base == "design" and right.op == "piece":
            right = E("design", DESIGN, right.a, right.place)
        if right.type.base == "design" and left.op == "piece":
            left = E("design", DESIGN, left.a, left.place)
        if left.type.base == "list" and right.type.base == "zone":
            right = self.as_list(right, None, at) or right
        if right.type.base == "list" and left.type.base == "zone":
            left = self.as_list(left, None, at) or left
        if NONE not in (left.type, right.type) and not self.fits(left.type.sure(), right.type.sure()):
            self.never(left.type, right.type, scope, right_at)
        return self.make("same", TRUTH, (left, right), scope, at)

    def never(self, left: Type, right: Type, scope: Scope, at: At) -> None:
        self.error(scope, at, "never-equal", f"{article(left)} and {article(right)} can never be the same")

    def is_in(self, tree: s.Compare, scope: Scope) -> E:
        left = self.expr(tree.left, scope)
        if left.type.base == "piece" and isinstance(tree.right, s.ListOf):
            items = [self.expr(item, scope, left.type) for item in tree.right.items]
            if any(i.op in ("kind", "design") or i.type.base == "kind" for i in items):
                tests = tuple(
                    self.same(left, i, scope, tree.at, node.at)
                    for i, node in zip(items, tree.right.items, strict=True)
                )
                return self.make("or", TRUTH, (tests,), scope, tree.at)
        right = self.expr(tree.right, scope, list_of(left.type))
        if left.type.base == "zone" and right.type.base == "zone":
            self.error(
                scope,
                tree.right.at,
                "wrong-type",
                "a zone lies in no other zone",
                "write `is`, or ask about the piece",
            )
            return self.make("member", TRUTH, (left, right), scope, tree.at)
        if right.op == "kind" and left.type.base == "piece":
            return self.same(left, right, scope, tree.at, tree.right.at)
        found = self.as_list(right, scope, tree.right.at)
        if found is None:
            return self.nothing(scope, tree.at)
        if found.type.base == "list":
            item = found.type.item
            if item.base == "design" and left.type.base == "piece":
                left = E("design_of", DESIGN, (left,), left.place)
            if left.type.base != "none" and not self.fits(left.type.sure(), item.sure()):
                self.never(left.type, item, scope, tree.right.at)
        return self.make("member", TRUTH, (left, found), scope, tree.at)

    # ---- calls ----

    def call(self, tree: s.Call, scope: Scope, want: Type | None) -> E:
        word, model = tree.word, self.model
        target: Routine | TableDecl | None = model.values.get(word) or model.tables.get(word)
        if target is not None:
            target.used = True
            args = self.arguments(tree, target, scope)
            if args is None:
                if isinstance(target, Routine):
                    self.use_value(target, scope, tree.word_at)
                return self.nothing(scope, tree.at)
            if isinstance(target, TableDecl):
                return self.make("table", target.gives, (target, args), scope, tree.at)
            self.use_value(target, scope, tree.word_at)
            return self.make(
                "call", self.value_type(target, scope, tree.word_at), (target, args), scope, tree.at
            )
        keyed = self.keyed(tree, scope)
        if keyed is not None:
            return keyed
        if word in FOLDS:
            return self.fold_call(tree, scope)
        drawn = word == "sees" and scope.find("viewer") is not None  # a drawing shows what is seen
        if word in FUNCTIONS or (word in SCENARIO_FUNCTIONS and (scope.scenario or drawn)):
            return self.function(tree, scope)
        if word in model.procedures:
            model.procedures[word].used = True
            self.error(
                scope,
                tree.word_at,
                "procedure-in-expression",
                f"`{word}` is a procedure, and no part of an expression",
                f"write `let x be {word}(…)` first: a choice inside an expression could not be asked",
            )
            return self.nothing(scope, tree.at)
        if word in SCENARIO_FUNCTIONS:
            self.error(scope, tree.word_at, "scenario-only", f"`{word}` may only be asked in scenarios")
            return self.nothing(scope, tree.at)
        for arg in tree.args:
            self.expr(arg, scope)
        known = [*model.values, *model.tables, *FOLDS, *FUNCTIONS]
        hint = ""
        if word in model.zones or word in model.player_fields or word in model.resources:
            hint = f"write it with a dot: `you.{word}`"
        return self.unknown(
            scope, tree.word_at, "function", word, known, hint, f"no value or function is called `{word}`"
        )

    def arguments(self, tree: s.Call, target: Routine | TableDecl, scope: Scope) -> tuple[E, ...] | None:
        params = target.params
        if len(tree.args) != len(params):
            self.count(tree, [p.name for p in params], scope)
            for arg in tree.args:
                self.expr(arg, scope)
            return None
        return tuple(self.typed(a, scope, p.type) for a, p in zip(tree.args, params, strict=True))

    def count(self, tree: s.Call, names: list[str], scope: Scope) -> None:
        """How many arguments there should be. The last ones of some functions may be left out."""
        wanted = (
            "no arguments" if not names else "1 argument" if len(names) == 1 else f"{len(names)} arguments"
        )
        self.error(
            scope,
            tree.word_at,
            "wrong-count",
            f"`{tree.word}` takes {wanted}, but here it is given {len(tree.args)}",
            f"write `{tree.word}({', '.join(names)})`",
        )

    def keyed(self, tree: s.Call, scope: Scope) -> E | None:
        """`level(you, blue)`: a field with one value for every symbol."""
        word, model = tree.word, self.model
        field = model.game_fields.get(word)
        if field is not None and field.key is not None:
            field.used = True
            if len(tree.args) != 1:
                self.count(tree, [str(field.key.of)], scope)
                return self.nothing(scope, tree.at)
            key = self.typed(tree.args[0], scope, field.key)
            return self.make("game", field.type, (field, key), scope, tree.at)
        on_player = model.player_fields.get(word)
        kinds = [k for k in model.kinds.values() if word in k.fields and k.fields[word].key is not None]
        if not kinds and (on_player is None or on_player.key is None):
            return None
        if len(tree.args) != 2:
            owner = "player" if on_player is not None else kinds[0].name
            field = on_player if on_player is not None else kinds[0].fields[word]
            field.used = True
            self.count(tree, [owner, str(field.key.of) if field.key else "key"], scope)
            return self.nothing(scope, tree.at)
        of = self.expr(tree.args[0], scope)
        fields = [on_player] if on_player is not None and of.type.base == "player" else []
        if of.type.base == "piece":
            fields = list(self.fields_named(str(of.type.of) if of.type.of else None, word, keyed=True))
        if of.type.base == "unknown":
            self.expr(tree.args[1], scope)
            return self.nothing(scope, tree.at)
        if not fields:
            self.error(scope, tree.args[0].at, "unknown-field", f"{article(of.type)} has no `{word}`")
            return self.nothing(scope, tree.at)
        for found in fields:
            found.used = True
        first = fields[0]
        key = self.typed(tree.args[1], scope, first.key or UNKNOWN)
        name = str(of.type.of) if of.type.base == "piece" and of.type.of else None
        if of.type.base == "piece" and (
            len(fields) > 1 or name is None or not model.is_like(name, first.owner)
        ):
            return self.make("fields", first.type.maybe(), (tuple(fields), of, key), scope, tree.at)
        return self.make("field", first.type, (first, of, key), scope, tree.at)

    def can(self, tree: s.Can, scope: Scope) -> E:
        call = tree.call
        if not isinstance(call, s.Call):
            self.error(scope, tree.at, "unknown-procedure", "`can` asks about a procedure or an action")
            return self.nothing(scope, tree.at)
        if call.word == "run":
            if len(call.args) != 1:
                self.count(call, ["piece"], scope)
                return self.nothing(scope, tree.at)
            found = self.slot(call.args[0], scope)
            return (
                self.nothing(scope, tree.at)
                if found is None
                else self.make("can_run", TRUTH, found, scope, tree.at)
            )
        target = self.model.procedures.get(call.word) or self.model.actions.get(call.word)
        if target is None:
            known = [*self.model.procedures, *self.model.actions, "run"]
            hint = "a value is asked directly, without `can`" if call.word in self.model.values else ""
            return self.unknown(scope, call.word_at, "procedure", call.word, known, hint)
        target.used = True
        if not self.inside(target, scope, call.word_at):
            return self.nothing(scope, tree.at)
        args = self.procedure_arguments(call, target, scope)
        return (
            self.nothing(scope, tree.at)
            if args is None
            else self.make("can", TRUTH, (target, args), scope, tree.at)
        )

    def procedure_arguments(self, call: s.Call, target: Routine, scope: Scope) -> tuple[E, ...] | None:
        """The doer first, then what is written."""
        params = [p for p in target.params if p.name != "you"]
        written = list(call.args)
        explicit = len(params) < len(target.params) and len(written) == len(target.params)
        if not explicit and len(written) != len(params):
            self.count(call, [p.name for p in params], scope)
            for arg in written:
                self.expr(arg, scope)
            return None
        if explicit:
            index = next(i for i, p in enumerate(target.params) if p.name == "you")
            you = self.typed(written.pop(index), scope, target.params[index].type)
        else:
            you = self.doer(scope, call.word_at)
        return (you, *(self.typed(a, scope, p.type) for a, p in zip(written, params, strict=True)))

    def doer(self, scope: Scope, at: At) -> E:
        """Whoever is `you`, or none in setup and flow."""
        scope.mentions.add("you")
        if scope.you is None:
            return self.make("const", NONE, (None,), scope, at)
        return self.make("local", Type("player"), (scope.you,), scope, at)

    def slot(self, tree: s.Expr, scope: Scope) -> tuple[E, str, tuple[str, ...]] | None:
        """`x` or `x.slot` of `run`: the piece, the slot, and the kinds it may be."""
        name = "do"
        if isinstance(tree, s.Field):
            slots = {slot for kind in self.model.kinds.values() for slot in kind.does}
            if tree.word in slots:
                name, tree = tree.word, tree.of
        e = self.expr(tree, scope)
        if e.type.base == "unknown":
            return None
        if e.type.base != "piece":
            self.error(scope, tree.at, "wrong-type", f"expected a piece, but this is {article(e.type)}")
            return None
        kind = str(e.type.of) if e.type.of else None
        kinds = self.model.family(kind) if kind is not None else list(self.model.kinds)
        if not any(name in c.does for k in kinds for c in self.model.kinds[k].components):
            what = "effect (`do`)" if name == "do" else f"`{name}`"
            self.error(
                scope,
                tree.at,
                "unknown-effect",
                f"no {kind or 'piece'} carries an {what}".replace("an `", "a `"),
            )
            return None
        return e, name, tuple(kinds)
