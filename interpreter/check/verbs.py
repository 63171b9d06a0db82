"""Verbs: one method for each word of the table, from sentence to checked statement.

Takes `Verb` nodes, gives statements; those about pieces are in `moves`.
"""

from __future__ import annotations

from collections.abc import Callable

from .. import syntax as s
from ..diagnostics import nearest, suggest
from ..ir import E, X
from ..schema import Leaf
from ..types import NUMBER, PATH, SPOT, UNKNOWN, Type, list_of, piece
from .core import article
from .moves import Moves
from .scope import At, Head, Scope
from .tables import OTHER_WORDS, VERBS


class Verbs(Moves):
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
            if x.op in ("pay", "pay_from"):
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
                "fix_flick",
                "fix_push",
                "stack",
            ):
                head.end(place)
        return found

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
            kind2 = self.unify(target.type, e.type) if target.type.base != "unknown" else e.type.maybe()
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
            self.ran.setdefault(scope.routine, []).append(found)
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
            self.unknown(scope, time.unit_at, "unit", time.unit, ["seconds"], "time is counted in seconds")
        elif not isinstance(time, s.Amount) and time is not None:
            self.error(scope, time.at, "missing-part", "seconds of what?", f"it goes: {VERBS['start'].shape}")
        number = time.number if isinstance(time, s.Amount) else time
        seconds = self.typed(number, scope, NUMBER) if number is not None else None
        timer = self.timer(arg, scope) if arg is not None else None
        if timer is None:
            return None
        target = None
        if where is not None:
            fields = self.fields_named(str(timer.type.of) if timer.type.of else None, "target")
            kind = fields[0].type.sure() if len(fields) == 1 else piece()
            target = self.typed(where, scope, kind)
        return self.x("start", tree, scope, timer, target, seconds, scope.you)

    def timer(self, arg: s.Expr, scope: Scope) -> E | None:
        """A piece that is a timer, or may be one."""
        e = self.typed(arg, scope, piece())
        if e.type.base == "unknown":
            return None
        kind = str(e.type.of) if e.type.of else None
        timers = [k.name for k in self.model.kinds.values() if self.model.is_timer(k.name)]
        if not any(self.related(kind, name) for name in timers):
            known = ", ".join(f"`{name}`" for name in timers)
            self.error(
                scope,
                arg.at,
                "no-timer",
                f"{article(e.type)} is no timer",
                f"timers are {known}" if known else "a kind of timers says so: `glass: {timer: true}`",
            )
            return None
        return e

    def verb_stop(self, tree: s.Verb, scope: Scope) -> X | None:
        if not self.shape_of(tree, scope, 1):
            return None
        arg = self.plain(tree.args[0], scope, "stop")
        timer = self.timer(arg, scope) if arg is not None else None
        return self.x("stop", tree, scope, timer) if timer is not None else None

    def verb_flick(self, tree: s.Verb, scope: Scope) -> X | None:
        if not self.shape_of(tree, scope, 1, result=True):
            return None
        arg = self.plain(tree.args[0], scope, "flick")
        what = self.disc(arg, scope, loose=True) if arg is not None else None
        self.you(scope, tree.word_at)
        py = self.declare(scope, tree.result, PATH, tree.word_at, "let") if tree.result else self.fresh("path")
        self.asks(scope)
        if what is None:
            return None
        for plane in self.model.planes.values():
            if plane.contact is not None and scope.routine is not None:
                value = self.model.values.get(str(plane.contact)) if isinstance(plane.contact, Leaf) else plane.contact
                if value is not None:
                    scope.routine.calls.add(value)
        return self.x("flick", tree, scope, what, py)

    def disc(self, tree: s.Expr, scope: Scope, loose: bool = False) -> E | None:
        """A disc; `loose`: one that is not fixed wherever it may lie."""
        what = self.typed(tree, scope, piece())
        if what.type.base == "unknown":
            return None
        if not self.model.planes:
            self.error(
                scope, tree.at, "no-plane", "there is no plane on which a disc could lie", "declare one under `boards`"
            )
            return None
        name = str(what.type.of) if what.type.of else None
        kinds = self.model.discs(name)
        if not kinds:
            self.error(
                scope,
                tree.at,
                "no-disc",
                f"{article(what.type)} is no disc",
                "a kind of discs says its radius: `disc: 10`",
            )
            return None
        planes = self.model.planes.values()
        if loose and all(
            self.fixed(k, [*p.fixed, *p.flat]) or not self.fixed(k, p.holds) for k in kinds for p in planes
        ):
            self.error(
                scope, tree.at, "fixed-disc", f"{article(what.type)} is fixed on every plane, and cannot be flicked"
            )
            return None
        return what

    def fixed(self, kind: str, among: list[str]) -> bool:
        return any(self.model.is_like(kind, other) for other in among)

    def verb_fix_flick(self, tree: s.Verb, scope: Scope) -> X | None:
        if not self.shape_of(tree, scope, 1, "to with", "to"):
            return None
        arg = self.plain(tree.args[0], scope, tree.word)
        goal = self.plain(self.tail(tree, "to"), scope, tree.word)
        touched = self.plain(self.tail(tree, "with"), scope, tree.word)
        what = self.disc(arg, scope, loose=True) if arg is not None else None
        spot = self.typed(goal, scope, SPOT.maybe()) if goal is not None else None
        met = self.make("list", list_of(UNKNOWN), ((),), scope, tree.word_at)
        if touched is not None:
            e = self.expr(touched, scope)
            met = (
                E("list", list_of(e.type), ((e,),), e.place)
                if e.type.base == "piece"
                else self.expect(e, list_of(piece()), scope, touched.at)
            )
        return self.x(tree.word, tree, scope, what, spot, met) if what is not None and spot is not None else None

    def verb_fix_push(self, tree: s.Verb, scope: Scope) -> X | None:
        if not self.shape_of(tree, scope, 1, "to", "to"):
            return None
        return self.verb_fix_flick(tree, scope)

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
        if not self.inside(target, scope, call.word_at):
            return None, UNKNOWN
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
