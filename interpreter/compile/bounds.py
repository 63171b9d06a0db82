"""Which routines need a watch: those that can call themselves, and those that call very much.

Takes the checked routines, gives the few at which steps and depth are counted. All others end by
themselves within a bound, so their code carries no watch and stays fast.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..model import Model, Routine
from .heads import all_expressions
from .reading import all_statements

MUCH = 64  # calls inside calls that go without a step
UTMOST = 10**9


class Bounds:
    def __init__(self, model: Model, routines: list[Routine]) -> None:
        self.model = model
        self.called = {id(r): list(self.callees(r)) for r in routines}
        self.loops: set[int] = set()  # one routine at least of every circle
        self.charged: dict[int, int] = {}  # steps to take at the start
        done: dict[int, int] = {}  # what a call costs at the most; 0 while it is being looked at
        for routine in routines:
            self.visit(routine, done)

    # ---- who calls whom ----

    def callees(self, routine: Routine) -> Iterable[Routine]:
        """Everything that may run or be asked before the routine is over, as often as it is written."""
        model = self.model
        parts: list[Any] = [routine.code, [test for test, _ in routine.tests]]
        for rule in routine.changes:
            parts += [rule.test, rule.amount, rule.effect.lasts_while if rule.effect is not None else None]
        yield from self.bodies(routine.hooks)
        for name in routine.families:
            if name in model.actions:
                yield from self.bodies(model.actions[name].hooks)
        for e in all_expressions([p for p in parts if p is not None]):
            if e.op in ("call", "can"):
                yield e.a[0]
            elif e.op == "can_run":
                yield from self.carried(e.a[1], e.a[2])
        for st in all_statements(routine.code if routine.what != "value" else []):
            if st.op == "call":
                yield st.a[0]
            elif st.op == "run":
                yield from self.carried(st.a[1], st.a[2])
            elif st.op == "begin" and st.a[0].do is not None:
                yield st.a[0].do
            elif st.op == "open":
                yield from (model.actions[name] for name in st.a[0].actions if name in model.actions)
                yield from (model.actions[o.target] for o in st.a[0].offers if o.target in model.actions)
            elif st.op == "during":
                yield from self.bodies(st.a[0].hooks)
            elif st.op == "proceed":
                yield from (r for r in self.replaced(routine))

    def bodies(self, rules: Any) -> Iterable[Routine]:
        for rule in rules:
            if rule.body is not None:
                yield rule.body
            if rule.test is not None:
                yield from (e.a[0] for e in all_expressions(rule.test) if e.op == "call")

    def carried(self, slot: str, kinds: Any) -> Iterable[Routine]:
        for component in self.model.components.values():
            if slot in component.does and (
                not kinds or any(self.model.is_like(component.kind, k) for k in kinds)
            ):
                yield component.does[slot]

    def replaced(self, hook: Routine) -> Iterable[Routine]:
        name = hook.name.split(" ", 1)[-1]
        for table in (self.model.procedures, self.model.actions):
            if name in table:
                yield table[name]

    # ---- circles, and what a call costs ----

    def visit(self, start: Routine, done: dict[int, int]) -> None:
        if id(start) in done:
            return
        done[id(start)] = 0
        way: list[tuple[Routine, Any]] = [(start, iter(self.called[id(start)]))]
        while way:
            routine, rest = way[-1]
            for callee in rest:
                if id(callee) not in self.called:
                    continue
                if id(callee) not in done:
                    done[id(callee)] = 0
                    way.append((callee, iter(self.called[id(callee)])))
                    break
                if not done[id(callee)]:
                    self.loops.add(id(callee))
            else:
                way.pop()
                called = self.called[id(routine)]
                cost = 1 + sum(done.get(id(c), 0) or 1 for c in called)
                if cost > MUCH:
                    self.charged[id(routine)] = len(called)
                    cost = 1 + len(called)  # the rest is counted where it happens
                done[id(routine)] = min(cost, UTMOST)
