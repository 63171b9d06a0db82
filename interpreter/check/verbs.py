"""Verbs: one method for each word of the table, from sentence to checked statement.

Takes `Verb` nodes, gives statements. Marks the fields that effects change.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import syntax as s
from ..diagnostics import nearest, suggest
from ..ir import E, X
from ..model import Resource, Zone
from ..types import KIND, NUMBER, PLAYER, UNKNOWN, Type, list_of, piece
from .core import article
from .queries import Queries
from .scope import At, Head, Scope
from .tables import OTHER_WORDS, VERBS

SETTABLE = ("local", "game", "span", "field", "fields", "resource", "memory", "it")


class Verbs(Queries):
    def verb(self, tree: s.Verb, scope: Scope, head: Head) -> list[X]:
        word = tree.word
        shape = VERBS.get(word)
        if shape is None or (shape.scenario and not scope.scenario):
            return self.unknown_verb(tree, scope)
        for tail in tree.tails:
            if sum(1 for t in tree.tails if t.word == tail.word) > 1:
                self.error(
                    scope, tail.at, "wrong-count", f"`{tail.word}` stands twice", f"it goes: {shape.shape}"
                )
                return []
        method: Callable[[s.Verb, Scope], X | list[X] | None] = getattr(self, f"verb_{word}")
        made = method(tree, scope)
        found = made if isinstance(made, list) else [made] if made is not None else []
        place = scope.source.place(tree.word_at)
        for x in found:
            if x.op in ("pay", "pay_from", "give"):
                self.in_head(scope, tree.word_at, head, word)
            elif x.op in ("set", "add", "take") and x.a[0].op == "local":
                continue
            elif x.op not in (
                "move_some",
                "say",
                "run",
                "proceed",
                "call",
                "end",
                "end_game",
                "fix_rolls",
                "stack",
            ):
                head.end(place)
        return found

    def in_head(self, scope: Scope, at: At, head: Head, word: str) -> None:
        if head.open or scope.scenario:
            return
        related = ((head.ended, "the first change"),) if head.ended is not None else ()
        self.told += 1
        if word == "need":
            self.problems.error(
                scope.source.place(at),
                "late-need",
                "`need` comes too late: something was changed before it",
                "what must be true stands first; test with `if` what happens later",
                related=related,
            )
            return
        self.problems.error(
            scope.source.place(at),
            "late-payment",
            f"`{word}` comes too late: something was changed before it",
            "pay first, so that all or nothing happens; `lose` takes what there is; `may` asks anew",
            related=related,
        )

    def unknown_verb(self, tree: s.Verb, scope: Scope) -> list[X]:
        word, model = tree.word, self.model
        known = [v for v, shape in VERBS.items() if scope.scenario or not shape.scenario]
        hint = ""
        if word in model.procedures:
            model.procedures[word].used = True
            hint = f"`{word}` is a procedure: write `{word}(…)`"
            suggestion = ""
        elif word in OTHER_WORDS:
            instead = OTHER_WORDS[word]
            suggestion = f"did you mean `{instead}`?" if instead else ""
            hint = f"it goes: {VERBS[instead].shape}" if instead in VERBS else ""
        else:
            suggestion = suggest(word, [*known, *model.procedures])
            near = nearest(word, known)
            hint = f"it goes: {VERBS[near].shape}" if near and f"`{near}`" in suggestion else ""
        self.error(scope, tree.word_at, "unknown-verb", f"no verb is called `{word}`", hint, suggestion)
        return []

    # ---- parts of sentences ----

    def shape_of(
        self, tree: s.Verb, scope: Scope, args: int, tails: str = "", must: str = "", result: bool = False
    ) -> bool:
        """Whether a sentence has the parts that its verb wants."""
        shape = VERBS[tree.word].shape
        if len(tree.args) != args:
            self.error(
                scope,
                tree.word_at,
                "wrong-count",
                f"`{tree.word}` does not go like this",
                f"it goes: {shape}",
            )
            return False
        for tail in tree.tails:
            if tail.word not in tails.split():
                self.error(
                    scope,
                    tail.at,
                    "unknown-part",
                    f"`{tree.word}` has no part `{tail.word} …`",
                    f"it goes: {shape}",
                )
                return False
        have = {t.word for t in tree.tails}
        for word in must.split():
            if word not in have:
                self.error(
                    scope,
                    tree.word_at,
                    "missing-part",
                    f"`{tree.word}` needs `{word} …`",
                    f"it goes: {shape}",
                )
                return False
        if tree.result is not None and not result:
            self.error(
                scope, tree.word_at, "unknown-part", f"`{tree.word}` has no part `as …`", f"it goes: {shape}"
            )
            return False
        return True

    def tail(self, tree: s.Verb, *words: str) -> s.Expr | s.Amount | None:
        return next((t.arg for t in tree.tails if t.word in words), None)

    def plain(self, arg: s.Expr | s.Amount | None, scope: Scope, verb: str) -> s.Expr | None:
        """An argument that has no unit."""
        if isinstance(arg, s.Amount):
            self.error(
                scope,
                arg.unit_at,
                "unknown-part",
                f"`{arg.unit}` cannot stand here",
                f"it goes: {VERBS[verb].shape}",
            )
            return None
        return arg

    def x(self, op: str, tree: s.Stmt, scope: Scope, *parts: Any) -> X:
        return X(op, parts, scope.source.place(tree.at))

    def target(self, tree: s.Expr | None, scope: Scope) -> E | None:
        """Something that can be set, marked as changed."""
        if tree is None:
            return None
        local = scope.find(tree.word) if isinstance(tree, s.Name) else None
        used = local.used if local is not None else False
        e = self.expr(tree, scope)
        if local is not None:
            local.used = used
        if e.type.base == "unknown":
            return None
        if e.op not in SETTABLE:
            self.error(
                scope,
                tree.at,
                "cannot-set",
                "this is reckoned or fixed, and cannot be set",
                "fields, resources, what spans and effects remember, and names made by `let` can",
            )
            return None
        if local is not None and isinstance(tree, s.Name):
            if local.sort in ("parameter", "loop"):
                what = "a parameter" if local.sort == "parameter" else "the name of a loop"
                self.error(
                    scope,
                    tree.at,
                    "set-parameter",
                    f"`{tree.word}` is {what}, and keeps its value",
                    f"name a copy first: `let x be {tree.word}`",
                )
                return None
            if scope.outside(tree.word):
                self.error(
                    scope,
                    tree.at,
                    "changed-inside-span",
                    f"`{tree.word}` was named outside of this block",
                    "a block of `during` or `at once` cannot change it: remember it in a span or a field",
                )
                return None
        elif e.op == "local":
            self.error(
                scope, tree.at, "set-parameter", "`you` cannot be set", "write `as player:` around the rest"
            )
            return None
        if e.op == "it" and not scope.it_settable:
            self.error(scope, tree.at, "set-event", "only a `before` rule may change its event")
            return None
        if e.op in ("field", "fields"):
            for field in e.a[0] if e.op == "fields" else (e.a[0],):
                field.changed = True
        elif e.op in ("game", "span", "memory"):
            e.a[0].changed = True
        return e

    def zone(self, tree: s.Expr, scope: Scope, kind: str | None = None, known: bool = False) -> E | None:
        """A zone; or the only fitting zone of a piece or player."""
        e = self.expr(tree, scope)
        base = e.type.base
        if base == "unknown":
            return None
        if base == "zone":
            if known and e.op == "zone" and kind is not None and not self.accepts(e.a[0], kind):
                self.wrong_zone(e.a[0], kind, scope, tree.at)
            return e
        if base not in ("piece", "player"):
            self.error(scope, tree.at, "wrong-type", f"expected a zone, but this is {article(e.type)}")
            return None
        if base == "player":
            zones = [z for z in self.model.zones.values() if "player" in z.of]
        else:
            name = str(e.type.of) if e.type.of else None
            zones = [
                z
                for z in self.model.zones.values()
                if any(o != "player" and self.related(name, o) for o in z.of)
            ]
        fitting = [z for z in zones if self.accepts(z, kind)] if known else zones
        if len(fitting) != 1:
            names = ", ".join(f"`{z.name}`" for z in (fitting or zones))
            self.error(
                scope,
                tree.at,
                "which-zone",
                f"which zone of this {e.type.sure()}?"
                if fitting or zones
                else f"{article(e.type)} has no zones",
                f"write one of {names} after a dot" if names else "",
            )
            return None
        fitting[0].used = True
        return E("zone", self.zone_type(fitting[0]), (fitting[0], e), e.place)

    def accepts(self, zone: Zone, kind: str | None) -> bool:
        return kind is None or not zone.holds or any(self.related(kind, h) for h in zone.holds)

    def wrong_zone(self, zone: Zone, kind: str, scope: Scope, at: At) -> None:
        held = " and ".join(self.model.kinds[h].many for h in zone.holds)
        self.error(
            scope, at, "wrong-zone", f"`{zone.name}` holds {held}, and no {self.model.kinds[kind].many}"
        )

    def things(self, tree: s.Expr, scope: Scope, whole: bool = True) -> E | None:
        """A piece, or several."""
        e = self.expr(tree, scope)
        if e.type.base in ("unknown", "piece"):
            return None if e.type.base == "unknown" else e
        if e.type.base in ("list", "zone") and whole:
            found = self.as_list(e, None, tree.at)
            if found is not None and (found.type.base == "unknown" or self.fits(found.type.item, piece())):
                return found
        if e.op == "design":
            self.error(
                scope, tree.at, "not-single", f"there are several pieces called `{e.a[0].id}`: which one?"
            )
        else:
            self.error(scope, tree.at, "wrong-type", f"expected a piece, but this is {article(e.type)}")
        return None

    def kind_in(self, e: E) -> str | None:
        kind = e.type.item if e.type.base == "list" else e.type
        return str(kind.of) if kind.base == "piece" and kind.of else None

    def resource(self, amount: s.Amount, scope: Scope) -> Resource | None:
        found = self.model.resources.get(amount.unit)
        if found is None:
            hint = ""
            if amount.unit in self.model.player_fields or amount.unit in self.model.game_fields:
                hint = "a field is changed with `add … to …`"
            elif amount.unit in self.model.words:
                hint = "pieces are moved: `move 2 cards from zone to zone`"
            elif self.model.resources:
                hint = f"resources are declared in {next(iter(self.model.resources.values())).place.file}"
            self.unknown(scope, amount.unit_at, "resource", amount.unit, self.model.resources, hint)
            return None
        found.used = True
        return found

    def you(self, scope: Scope, at: At) -> E:
        return self.pronoun("you", scope, at) or self.nothing(scope, at)

    # ---- resources ----

    def verb_gain(self, tree: s.Verb, scope: Scope) -> X | None:
        if not self.shape_of(tree, scope, 1):
            return None
        arg = tree.args[0]
        if not isinstance(arg, s.Amount):
            self.error(
                scope,
                arg.at,
                "missing-part",
                f"`{tree.word}` needs an amount and a resource",
                f"it goes: {VERBS[tree.word].shape}",
            )
            return None
        n, resource = self.typed(arg.number, scope, NUMBER), self.resource(arg, scope)
        if resource is None:
            return None
        player = self.you(scope, tree.word_at) if resource.of == "player" else None
        return self.x(tree.word, tree, scope, resource, player, n)

    verb_lose = verb_gain

    def verb_pay(self, tree: s.Verb, scope: Scope) -> X | None:
        if self.tail(tree, "from") is None or (tree.args and isinstance(tree.args[0], s.Amount)):
            return self.verb_gain(tree, scope)
        if not self.shape_of(tree, scope, 1, "from", "from"):
            return None
        number = self.plain(tree.args[0], scope, "pay")
        n = self.typed(number, scope, NUMBER) if number is not None else None
        place = self.plain(self.tail(tree, "from"), scope, "pay")
        target = self.target(place, scope)
        if target is None or n is None or place is None:
            return None
        return self.x("pay_from", tree, scope, self.expect(target, NUMBER, scope, place.at), n)

    # ---- pieces ----

    def verb_move(self, tree: s.Verb, scope: Scope) -> X | None:
        if tree.args and isinstance(tree.args[0], s.Amount):
            return self.move_some(tree, tree.args[0], scope)
        if not self.shape_of(tree, scope, 1, "to under on"):
            return None
        goal = self.plain(self.tail(tree, "to", "under", "on"), scope, "move")
        if goal is None:
            if not tree.tails:
                self.error(
                    scope,
                    tree.word_at,
                    "missing-part",
                    "`move` needs `to …`",
                    f"it goes: {VERBS['move'].shape}",
                )
            return None
        assert not isinstance(tree.args[0], s.Amount)
        what = self.things(tree.args[0], scope)
        zone = self.zone(goal, scope, self.kind_in(what) if what is not None else None, what is not None)
        if what is None or zone is None:
            return None
        return self.x(
            "move", tree, scope, what, zone, "under" if self.tail(tree, "under") is not None else ""
        )

    def move_some(self, tree: s.Verb, amount: s.Amount, scope: Scope) -> X | None:
        resource = self.model.resources.get(amount.unit)
        local = scope.find(amount.unit)
        if resource is not None and local is None:
            resource.used = True
            if not self.shape_of(tree, scope, 1, "from to", "from to"):
                return None
            n = self.typed(amount.number, scope, NUMBER)
            ends = [self.plain(self.tail(tree, w), scope, "move") for w in ("from", "to")]
            players = [self.typed(end, scope, PLAYER) for end in ends if end is not None]
            return self.x("give", tree, scope, resource, *players, n) if len(players) == 2 else None
        if not self.shape_of(tree, scope, 1, "from to under", "" if scope.scenario else "from", result=True):
            return None
        n = self.typed(amount.number, scope, NUMBER)
        name = self.model.words.get(amount.unit)
        kind: E | None = None
        if local is not None:
            local.used = True
            kind = self.make("local", local.type, (local.py,), scope, amount.unit_at)
            kind = self.expect(kind, KIND, scope, amount.unit_at)
            name = None
        elif name is not None:
            self.model.kinds[name].used = True
            kind = self.make("kind", KIND, (name,), scope, amount.unit_at)
        elif scope.effect is not None and any(p.name == amount.unit for p in scope.effect.params):
            kind = self.typed(s.Name(amount.unit, at=amount.unit_at), scope, KIND)
        else:
            known = [*self.model.words, *self.model.resources]
            self.unknown(
                scope, amount.unit_at, "kind", amount.unit, known, "count pieces by kind, or a resource"
            )
        start = self.plain(self.tail(tree, "from"), scope, "move")
        goal = self.plain(self.tail(tree, "to", "under"), scope, "move")
        if goal is None and not any(t.word in ("to", "under") for t in tree.tails):
            self.error(
                scope, tree.word_at, "missing-part", "`move` needs `to …`", f"it goes: {VERBS['move'].shape}"
            )
        there = self.zone(start, scope, name, kind is not None) if start is not None else None
        here = self.zone(goal, scope, name, kind is not None) if goal is not None else None
        py = None
        if tree.result is not None:
            py = self.declare(scope, tree.result, list_of(piece(name)), tree.word_at, "let")
        if kind is None or here is None or (there is None and start is not None):
            return None
        return self.x("move_some", tree, scope, n, kind, there, here, py)

    def verb_draw(self, tree: s.Verb, scope: Scope) -> X | None:
        if not self.shape_of(tree, scope, 1, "from to", "from to", result=True):
            return None
        arg = tree.args[0]
        number = arg.number if isinstance(arg, s.Amount) else arg
        if isinstance(arg, s.Amount) and arg.unit not in self.model.words:
            self.unknown(scope, arg.unit_at, "kind", arg.unit, self.model.words)
        n = self.typed(number, scope, NUMBER)
        start = self.plain(self.tail(tree, "from"), scope, "draw")
        goal = self.plain(self.tail(tree, "to"), scope, "draw")
        there = self.zone(start, scope) if start is not None else None
        kind = str(there.type.of) if there is not None and there.type.of else None
        here = self.zone(goal, scope, kind, there is not None) if goal is not None else None
        py = None
        if tree.result is not None:
            py = self.declare(scope, tree.result, list_of(piece(kind)), tree.word_at, "let")
        if there is None or here is None:
            return None
        if scope.routine is not None:
            scope.routine.draws = True
        return self.x("draw", tree, scope, n, there, here, py)

    def verb_flip(self, tree: s.Verb, scope: Scope) -> X | None:
        if not self.shape_of(tree, scope, 1):
            return None
        arg = self.plain(tree.args[0], scope, "flip")
        what = self.things(arg, scope) if arg is not None else None
        if what is None or arg is None:
            return None
        kind = self.kind_in(what)
        if (
            kind is not None
            and self.faced(kind) is None
            and not any(self.model.kinds[k].faces for k in self.model.family(kind))
        ):
            self.error(scope, arg.at, "no-faces", f"a {kind} has no faces to flip")
        return self.x("flip", tree, scope, what)

    def verb_turn(self, tree: s.Verb, scope: Scope) -> X | None:
        if not self.shape_of(tree, scope, 1, "to", "to"):
            return None
        arg, way = self.plain(tree.args[0], scope, "turn"), self.plain(self.tail(tree, "to"), scope, "turn")
        what = self.things(arg, scope) if arg is not None else None
        direction = self.expr(way, scope) if way is not None else None
        return (
            self.x("turn", tree, scope, what, direction)
            if what is not None and direction is not None
            else None
        )

    def verb_shuffle(self, tree: s.Verb, scope: Scope) -> X | None:
        if not self.shape_of(tree, scope, 1):
            return None
        arg = self.plain(tree.args[0], scope, "shuffle")
        zone = self.zone(arg, scope) if arg is not None else None
        return self.x("shuffle", tree, scope, zone) if zone is not None else None

    def verb_swap(self, tree: s.Verb, scope: Scope) -> X | None:
        if not self.shape_of(tree, scope, 1, "with", "with"):
            return None
        one, two = self.plain(tree.args[0], scope, "swap"), self.plain(self.tail(tree, "with"), scope, "swap")
        if one is None or two is None:
            return None
        a = self.expr(one, scope)
        if a.type.base == "zone":
            b: E | None = self.expr(two, scope)
            assert b is not None
            if b.type.base not in ("zone", "unknown"):
                self.error(scope, two.at, "wrong-type", f"expected a zone, but this is {article(b.type)}")
                return None
            return self.x("swap_zones", tree, scope, a, b)
        if a.type.base == "piece" and a.op not in ("field", "fields", "game", "span", "memory"):
            return self.x("swap_pieces", tree, scope, a, self.typed(two, scope, piece()))
        first = self.target(one, scope) if a.type.base != "unknown" else None
        b = self.target(two, scope)
        if first is None or b is None:
            return None
        return self.x("swap_targets", tree, scope, first, self.expect(b, first.type, scope, two.at))

    def verb_show(self, tree: s.Verb, scope: Scope) -> X | None:
        if not self.shape_of(tree, scope, 1, "to"):
            return None
        arg, who = self.plain(tree.args[0], scope, "show"), self.plain(self.tail(tree, "to"), scope, "show")
        what = self.things(arg, scope) if arg is not None else None
        players = self.make("players", list_of(PLAYER), (), scope, tree.word_at)
        if who is not None:
            e = self.expr(who, scope)
            if e.type.base == "player":
                players = E("list", list_of(PLAYER), ((e,),), e.place)
            else:
                players = self.expect(e, list_of(PLAYER), scope, who.at)
        return self.x("show", tree, scope, what, players) if what is not None else None

    # ---- values of fields ----

    def verb_set(self, tree: s.Verb, scope: Scope) -> list[X]:
        if not self.shape_of(tree, scope, 1, "to", "to"):
            return []
        goal, value = self.plain(tree.args[0], scope, "set"), self.plain(self.tail(tree, "to"), scope, "set")
        target = self.target(goal, scope)
        if value is None:
            return []
        if (
            isinstance(value, s.Call)
            and value.word in self.model.procedures
            and value.word not in self.model.values
        ):
            call, kind = self.procedure_call(value, scope, self.fresh(value.word), True)
            if call is None or target is None:
                return []
            local = E("local", kind, (call.a[2],), call.place)
            return [
                call,
                self.x("set", tree, scope, target, self.expect(local, target.type, scope, value.at)),
            ]
        e = self.expr(value, scope, target.type if target is not None else None)
        if target is None:
            return []
        name = goal.word if isinstance(goal, s.Name) else None
        local_name = scope.find(name) if name is not None and target.op == "local" else None
        if local_name is not None:  # a local takes on what it is set to
            kind2 = self.unify(target.type, e.type)
            if kind2 is not None:
                local_name.type = kind2
                return [self.x("set", tree, scope, target, e)]
        return [self.x("set", tree, scope, target, self.expect(e, target.type, scope, value.at))]

    def verb_add(self, tree: s.Verb, scope: Scope) -> X | None:
        word = "to" if tree.word == "add" else "from"
        if tree.word == "remove" and not tree.tails:
            self.error(
                scope,
                tree.word_at,
                "missing-part",
                "`remove` needs `from …`",
                "to take a piece out of the game write `move x to box`",
            )
            return None
        if not self.shape_of(tree, scope, 1, word, word):
            return None
        item, goal = (
            self.plain(tree.args[0], scope, tree.word),
            self.plain(self.tail(tree, word), scope, tree.word),
        )
        if goal is None or item is None:
            return None
        local = scope.find(goal.word) if isinstance(goal, s.Name) else None
        target = self.target(goal, scope)
        wanted = target.type.item if target is not None and target.type.base == "list" else None
        e = self.expr(item, scope, wanted or (target.type if target is not None else None))
        if target is None:
            return None
        op = "add" if tree.word == "add" else "take"
        if target.type.base == "list":
            if e.type.base == "list":
                e = self.expect(e, target.type, scope, item.at)
            elif target.type.item.base == "unknown" and local is not None:
                local.type = list_of(e.type)
            else:
                e = self.expect(e, target.type.item, scope, item.at)
            return self.x(op, tree, scope, target, e)
        if target.type.base != "number":
            self.error(
                scope,
                goal.at,
                "wrong-type",
                f"expected a number or a list, but this is {article(target.type)}",
                "write `set … to …`",
            )
            return None
        return self.x(op, tree, scope, target, self.expect(e, NUMBER, scope, item.at))

    verb_remove = verb_add

    def verb_roll(self, tree: s.Verb, scope: Scope) -> X | None:
        if not self.shape_of(tree, scope, 1, result=True):
            return None
        dice = tree.args[0]
        if not isinstance(dice, s.Dice) or tree.result is None:
            self.error(
                scope,
                tree.word_at,
                "missing-part",
                "`roll` needs dice and a name",
                f"it goes: {VERBS['roll'].shape}",
            )
            return None
        local = scope.find(tree.result)
        if local is None:
            py = self.declare(scope, tree.result, NUMBER, tree.word_at, "roll")
            return self.x("roll", tree, scope, dice.count, dice.sides, py, True)
        used = local.used
        target = self.target(s.Name(tree.result, at=tree.word_at), scope)
        local.used = used
        if target is None:
            return None
        self.expect(target, NUMBER, scope, tree.word_at)
        return self.x("roll", tree, scope, dice.count, dice.sides, local.py, False)

    # ---- effects, spans, menus ----

    def verb_run(self, tree: s.Verb, scope: Scope) -> X | None:
        if not self.shape_of(tree, scope, 1):
            return None
        arg = self.plain(tree.args[0], scope, "run")
        found = self.slot(arg, scope) if arg is not None else None
        if found is None:
            return None
        if scope.routine is not None:
            scope.routine.runs.add(found[1])
            self.ran.setdefault(scope.routine, []).append((found[2], found[1]))
        return self.x("run", tree, scope, *found)

    def verb_begin(self, tree: s.Verb, scope: Scope) -> X | None:
        if not self.shape_of(tree, scope, 1):
            return None
        arg = self.plain(tree.args[0], scope, "begin")
        if isinstance(arg, s.Name):
            arg = s.Call(arg.word, (), arg.at, at=arg.at)
        if not isinstance(arg, s.Call):
            if arg is not None:
                self.error(
                    scope, arg.at, "unknown-effect", "expected an effect", f"it goes: {VERBS['begin'].shape}"
                )
            return None
        effect = self.model.effects.get(arg.word)
        if effect is None or effect.component is not None:
            known = [e.name for e in self.model.effects.values() if e.component is None]
            hint = "the effect of a piece is carried out with `run`" if effect is not None else ""
            self.unknown(scope, arg.word_at, "effect", arg.word, known, hint)
            return None
        effect.used = True
        if len(arg.args) != len(effect.params):
            self.count(arg, [p.name for p in effect.params], scope)
            return None
        args = tuple(self.typed(a, scope, p.type) for a, p in zip(arg.args, effect.params, strict=True))
        if effect.do is not None and scope.routine is not None:
            scope.routine.calls.add(effect.do)
        return self.x("begin", tree, scope, effect, args)

    def verb_end(self, tree: s.Verb, scope: Scope) -> X | None:
        if not self.shape_of(tree, scope, 1, "with"):
            return None
        arg, said = self.plain(tree.args[0], scope, "end"), self.plain(self.tail(tree, "with"), scope, "end")
        if not isinstance(arg, s.Name):
            if arg is not None:
                self.error(scope, arg.at, "unknown-span", "expected a span", f"it goes: {VERBS['end'].shape}")
            return None
        if arg.word == "game":
            reason = self.label(said.value, scope, said.at) if isinstance(said, s.Text) else None
            if said is not None and reason is None:
                self.error(scope, said.at, "wrong-type", "the reason is a text in double quotes")
            return self.x("end_game", tree, scope, reason)
        if said is not None:
            self.error(scope, said.at, "unknown-part", "only the game ends with a reason")
        span = self.model.spans.get(arg.word)
        if span is None:
            self.unknown(scope, arg.at, "span", arg.word, [*self.model.spans, "game"])
            return None
        span.used = True
        return self.x("end", tree, scope, span)

    def label(self, text: str, scope: Scope, at: At) -> E:
        """A quoted text of a sentence; `at` starts at its first quote."""
        column = at[1] + 1 + (scope.source.column - 1 if at[0] == 1 else 0)
        return self.text(scope.source, text, scope, scope.source.line + at[0] - 1, column)

    def verb_open(self, tree: s.Verb, scope: Scope) -> X | None:
        if not self.shape_of(tree, scope, 1):
            return None
        arg = self.plain(tree.args[0], scope, "open")
        menu = self.model.menus.get(arg.word) if isinstance(arg, s.Name) else None
        if arg is None:
            return None
        if menu is None:
            self.unknown(scope, arg.at, "menu", arg.word if isinstance(arg, s.Name) else "", self.model.menus)
            return None
        menu.used = True
        self.you(scope, tree.word_at)
        self.asks(scope)
        return self.x("open", tree, scope, menu)

    def asks(self, scope: Scope) -> None:
        if scope.routine is not None:
            scope.routine.suspends = scope.routine.asks = True

    def verb_proceed(self, tree: s.Verb, scope: Scope) -> X | None:
        if not self.shape_of(tree, scope, 0):
            return None
        if not scope.result:
            self.error(
                scope,
                tree.word_at,
                "no-proceed",
                "only an `instead of` rule can proceed with what it replaced",
            )
            return None
        if scope.proceeds is not None and scope.routine is not None:
            scope.routine.calls.add(scope.proceeds)
        elif scope.proceeds is None:
            self.asks(scope)
        return self.x("proceed", tree, scope)

    def verb_say(self, tree: s.Verb, scope: Scope) -> X | None:
        if not self.shape_of(tree, scope, 1):
            return None
        arg = tree.args[0]
        if not isinstance(arg, s.Text):
            self.error(
                scope,
                arg.at,
                "wrong-type",
                "expected a text in double quotes",
                f"it goes: {VERBS['say'].shape}",
            )
            return None
        return self.x("say", tree, scope, self.label(arg.value, scope, arg.at))

    # ---- timers, discs, scenarios ----

    def verb_start(self, tree: s.Verb, scope: Scope) -> X | None:
        if not self.shape_of(tree, scope, 1, "at on for", "for"):
            return None
        arg, where = (
            self.plain(tree.args[0], scope, "start"),
            self.plain(self.tail(tree, "at", "on"), scope, "start"),
        )
        time = self.tail(tree, "for")
        if isinstance(time, s.Amount) and time.unit not in ("seconds", "second"):
            self.unknown(scope, time.unit_at, "unit", time.unit, ["seconds"])
        number = time.number if isinstance(time, s.Amount) else time
        seconds = self.typed(number, scope, NUMBER) if number is not None else None
        timer = self.typed(arg, scope, piece()) if arg is not None else None
        target = self.typed(where, scope, piece()) if where is not None else None
        return self.x("start", tree, scope, timer, target, seconds) if timer is not None else None

    def verb_stop(self, tree: s.Verb, scope: Scope) -> X | None:
        if not self.shape_of(tree, scope, 1):
            return None
        arg = self.plain(tree.args[0], scope, "stop")
        return self.x("stop", tree, scope, self.typed(arg, scope, piece())) if arg is not None else None

    def verb_flick(self, tree: s.Verb, scope: Scope) -> X | None:
        if not self.shape_of(tree, scope, 1, result=True):
            return None
        arg = self.plain(tree.args[0], scope, "flick")
        what = self.typed(arg, scope, piece()) if arg is not None else None
        py = self.declare(scope, tree.result, UNKNOWN, tree.word_at, "loop") if tree.result else None
        self.asks(scope)
        return self.x("flick", tree, scope, what, py) if what is not None else None

    def verb_fix_rolls(self, tree: s.Verb, scope: Scope) -> X | None:
        if not tree.args:
            self.error(
                scope, tree.word_at, "wrong-count", "`fix_rolls` needs numbers", "it goes: fix_rolls 3, 4"
            )
            return None
        args = [self.plain(a, scope, "fix_rolls") for a in tree.args]
        return self.x(
            "fix_rolls", tree, scope, tuple(self.typed(a, scope, NUMBER) for a in args if a is not None)
        )

    def verb_stack(self, tree: s.Verb, scope: Scope) -> X | None:
        if not self.shape_of(tree, scope, 1, "with", "with"):
            return None
        pile, what = (
            self.plain(tree.args[0], scope, "stack"),
            self.plain(self.tail(tree, "with"), scope, "stack"),
        )
        if pile is None or what is None:
            return None
        zone = self.zone(pile, scope)
        items: list[E] = []
        for tree_item in what.items if isinstance(what, s.ListOf) else (what,):
            e = self.expr(tree_item, scope, Type("design"))
            if e.type.base in ("design", "piece", "list", "unknown"):
                items.append(e)
            else:
                self.error(
                    scope, tree_item.at, "wrong-type", f"expected a piece, but this is {article(e.type)}"
                )
        return self.x("stack", tree, scope, zone, tuple(items)) if zone is not None else None

    # ---- calls of procedures ----

    def procedure_call(
        self, call: s.Call, scope: Scope, py: str | None, result: bool
    ) -> tuple[X | None, Type]:
        target = self.model.procedures[call.word]
        target.used = True
        args = self.procedure_arguments(call, target, scope)
        kind = UNKNOWN
        if scope.routine is not None:
            scope.routine.calls.add(target)
        if result:
            if target not in self.doing:
                self.routine(target)
                if target.gives is None and target.code is not None:
                    self.error(
                        scope,
                        call.word_at,
                        "no-result",
                        f"`{call.word}` gives nothing back",
                        "a procedure gives what it returns: `return x`",
                    )
            kind = target.gives or UNKNOWN
        if args is None:
            return None, kind
        return X("call", (target, args, py), scope.source.place(call.at)), kind
