"""Rules that stand: changes of values, hooks on procedures, offers in menus, and how long they last.

Takes the rules of the model with their shapes, fills them in, and hangs each on what it touches.
"""

from __future__ import annotations

from typing import Any

from ..ir import E
from ..model import Effect, Param, Routine, Rule, Span
from ..parse import SyntaxProblem, parse
from ..schema import Leaf
from ..types import NUMBER, TRUTH, UNKNOWN, Type, piece
from .scope import Scope, Source
from .statements import Statements

CHANGES = ("becomes", "plus", "times", "at_least", "at_most", "allow", "forbid")


class Rules(Statements):
    def rule(self, rule: Rule) -> None:
        shape = rule.shape
        if shape.change is not None:
            self.change(rule, shape)
        elif shape.when is not None:
            self.hook(rule, shape)
        elif shape.offers is not None:
            self.offer(rule, shape)

    def rule_scope(self, rule: Rule, leaf: Leaf) -> Scope:
        this = piece(rule.effect.kind) if rule.effect is not None and rule.effect.kind else None
        return Scope(Source(leaf), None, "you", this, None, effect=rule.effect)

    def event(self, params: list[Param], doer: bool) -> dict[str, tuple[int, Type]]:
        """`it`: its doer is 0, its arguments are counted from 1."""
        found: dict[str, tuple[int, Type]] = {"you": (0, Type("player"))} if doer else {}
        for index, param in enumerate((p for p in params if p.name != "you"), 1):
            found[param.name] = (index, param.type)
        return found

    def expression(self, leaf: Leaf, scope: Scope, want: Type) -> E | None:
        tree = self.read(leaf, "query")
        if tree is None:
            return None
        scope.source = Source(leaf)
        try:
            return self.typed(tree, scope, want)
        except RecursionError:
            self.problems.error(leaf.place, "too-deep", "this nests too deep")
            return None

    # ---- changes ----

    def change(self, rule: Rule, shape: Any) -> None:
        rule.sort, rule.target = "change", str(shape.change)
        self.extra(shape, ("do", "in_"), "a rule with `change:`")
        given = [k for k in CHANGES if getattr(shape, k) is not None]
        value = self.model.values.get(rule.target)
        scope = self.rule_scope(rule, shape.change)
        if value is None:
            hint = ""
            if rule.target in self.model.procedures or rule.target in self.model.actions:
                hint = f"`{rule.target}` is done, not reckoned: write `when: instead of {rule.target}`"
            self.unknown(scope, self.whole(shape.change), "value", rule.target, self.model.values, hint)
            return
        value.used = True
        if len(given) != 1:
            said = "says nothing about how" if not given else "says more than one thing: " + ", ".join(given)
            self.problems.error(
                shape.change.place,
                "bad-rule",
                f"a change of `{rule.target}` {said}",
                f"write one of {', '.join(CHANGES)}",
            )
        kind = self.value_type(value, scope, self.whole(shape.change))
        rule.params = value.params
        has_you = any(p.name == "you" for p in value.params)
        scope.it = self.event(value.params, has_you)
        if rule.effect is None and not has_you:
            scope.you = None
        if shape.if_ is not None:
            rule.test = self.expression(shape.if_, scope, TRUTH)
        for op in given[:1]:
            rule.op = op
            leaf = getattr(shape, op)
            rule.amount = self.expression(leaf, scope, self.operand(op, kind, leaf))
        silent = not scope.mentions & {"you", "this", "it"}
        if rule.effect is not None and not has_you and shape.whose is None and silent and given:
            self.problems.error(
                shape.change.place,
                "whose-missing",
                f"`{rule.target}` has no `you`, so this changes it for everybody",
                "write `whose: all` if that is meant, or a test with `you` or `it`",
            )
        if given:
            value.changes.append(rule)

    def operand(self, op: str, kind: Type, leaf: Leaf) -> Type:
        base = kind.base
        if base == "unknown":
            return UNKNOWN
        wrong = ""
        if op in ("allow", "forbid"):
            if base != "truth":
                wrong = "only a value that is true or false can be allowed or forbidden"
            result = TRUTH
        elif op in ("times", "at_least", "at_most"):
            if base != "number":
                wrong = f"`{op}` changes numbers only, and this value is a {kind}"
            result = NUMBER
        elif op == "plus":
            if base not in ("number", "list"):
                wrong = f"`plus` changes numbers and lists only, and this value is a {kind}"
            result = kind
        else:
            return kind
        if wrong:
            self.problems.error(leaf.place, "wrong-type", wrong)
            return UNKNOWN
        return result

    def extra(self, shape: Any, keys: tuple[str, ...], what: str) -> None:
        for key in keys:
            leaf = getattr(shape, key)
            if leaf is not None:
                self.problems.error(leaf.place, "bad-rule", f"`{key.rstrip('_')}` cannot stand in {what}")

    def whole(self, leaf: Leaf) -> tuple[int, int, int, int]:
        return (1, 1, 1, len(leaf) + 1)

    # ---- hooks ----

    def hook(self, rule: Rule, shape: Any) -> None:
        rule.sort = "hook"
        self.extra(shape, (*CHANGES, "in_"), "a rule with `when:`")
        scope = self.rule_scope(rule, shape.when)
        tree = self.hook_tree(shape.when, scope)
        if tree is None:
            return
        rule.op = tree.moment.split()[0]
        rule.target = tree.word if tree.part is None else f"{tree.word}.{tree.part}"
        target = self.hooked(tree, scope)
        if target is None:
            return
        target.used = True
        if isinstance(target, Span) and rule.op == "instead":
            self.error(
                scope,
                tree.at,
                "bad-hook",
                f"`{target.name}` is a span: rules stand before or after it, not in its place",
                f"`end {target.name}` in a `before` rule skips the rest of it",
            )
            return
        rule.params = target.params
        scope.it = self.event(target.params, True)
        if isinstance(target, Routine) and target.what == "procedure" and rule.op == "after":
            self.routine(target)
            if target.gives is not None:
                scope.it["result"] = (-1, target.gives)
        if shape.if_ is not None:
            rule.test = self.expression(shape.if_, scope, TRUTH)
        if shape.do is None:
            self.problems.error(shape.when.place, "missing-key", "`do` is missing here")
            return
        body = Routine(
            f"{rule.op} {rule.target}", "hook", shape.do.place, snippet=shape.do, context=rule.effect
        )
        body.this, body.py, body.module = scope.this, self.fresh(f"{rule.op}_{tree.word}"), rule.module
        body.cites, body.used = rule.cites, True
        rule.body = body
        inner = self.scope_of(body, shape.do)
        inner.it, inner.it_settable = scope.it, rule.op == "before"
        inner.result = rule.op == "instead"
        inner.proceeds = target if isinstance(target, Routine) else None
        self.done.add(body)
        self.routines.append(body)
        self.body_of(body, inner)
        target.hooks.append(rule)

    def hook_tree(self, leaf: Leaf, scope: Scope) -> Any:
        try:
            return parse(leaf.scalar.text, "hook")
        except SyntaxProblem as problem:
            self.problems.error(
                scope.source.place(problem.at),
                "bad-hook",
                "expected `before …`, `after …` or `instead of …`",
                "…: the name of a procedure, an action or a span",
            )
        return None

    def hooked(self, tree: Any, scope: Scope) -> Routine | Span | None:
        model, word = self.model, tree.word
        component = model.components.get(word)
        if tree.part is not None or (component is not None and word not in model.procedures):
            slot = tree.part or "do"
            if component is None:
                self.unknown(scope, tree.word_at, "component", word, model.components)
                return None
            if slot not in component.does:
                self.unknown(
                    scope, tree.word_at, "effect", slot, component.does, "", f"`{word}` carries no `{slot}`"
                )
                return None
            return component.does[slot]
        found: Routine | Span | None = (
            model.procedures.get(word) or model.actions.get(word) or model.spans.get(word)
        )
        if found is None and word == "setup":
            found = model.setup
        if found is None:
            hint = (
                "a value is changed: `change: …` with `becomes`, `plus` and so on"
                if word in model.values
                else ""
            )
            known = [*model.procedures, *model.actions, *model.spans, "setup"]
            self.unknown(
                scope,
                tree.word_at,
                "procedure",
                word,
                known,
                hint,
                f"no procedure, action or span is called `{word}`",
            )
        return found

    # ---- offers ----

    def offer(self, rule: Rule, shape: Any) -> None:
        rule.sort, rule.op, rule.target = "offer", "offer", str(shape.offers)
        self.extra(shape, (*CHANGES, "do"), "a rule with `offers:`")
        scope = self.rule_scope(rule, shape.offers)
        action = self.model.actions.get(rule.target)
        if action is None:
            self.unknown(scope, self.whole(shape.offers), "action", rule.target, self.model.actions)
        else:
            action.used = True
            self.inside(action, scope, self.whole(shape.offers))
            if action.abstract:
                self.problems.error(
                    shape.offers.place,
                    "abstract-action",
                    f"`{rule.target}` is abstract and cannot be offered",
                )
        if shape.if_ is not None:
            rule.test = self.expression(shape.if_, scope, TRUTH)
        if shape.in_ is None:
            self.problems.error(
                shape.offers.place, "missing-key", "`in` is missing here: the menu of the offer"
            )
            return
        rule.menu = str(shape.in_)
        menu = self.model.menus.get(rule.menu)
        if menu is None:
            scope.source = Source(shape.in_)
            self.unknown(scope, self.whole(shape.in_), "menu", rule.menu, self.model.menus)
        elif action is not None:
            menu.offers.append(rule)

    # ---- how long ----

    def effect(self, effect: Effect) -> None:
        shape = effect.shape
        if shape is None:
            return
        this = piece(effect.kind) if effect.kind else None
        if shape.lasts is not None and effect.lasts is not None:
            self.lasts(effect, shape.lasts)
        scope = Scope(Source(shape.lasts or shape.lasts_while or shape.times or Leaf("")), None, "you", this)
        scope.effect = effect
        if shape.lasts_while is not None:
            effect.lasts_while = self.expression(shape.lasts_while, scope, TRUTH)
        if shape.times is not None:
            effect.times = self.expression(shape.times, scope, NUMBER)
        if effect.do is not None:
            self.routine(effect.do)

    def lasts(self, effect: Effect, leaf: Leaf) -> None:
        word, model = str(effect.lasts), self.model
        known: dict[str, Any] = {**model.spans, **model.procedures}
        forms = [word, word.removesuffix("s"), word.removesuffix("es")]
        forms.append(word.removesuffix("ies") + "y" if word.endswith("ies") else word)
        if word == "game" or (word in ("second", "seconds") and not known.keys() & set(forms)):
            effect.lasts = "seconds" if word != "game" else word
            return
        for form in forms:
            if form in known:
                effect.lasts = form
                known[form].used = True
                return
        text = str(leaf)
        start = text.find(word) + 1
        scope = Scope(Source(leaf))
        self.unknown(
            scope,
            (1, start, 1, start + len(word)),
            "span",
            word,
            [*known, "game", "seconds"],
            "an effect lasts for a span, until a procedure was carried out, for `20 seconds`, or for the whole `game`",
        )
