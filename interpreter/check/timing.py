"""Actions under the clock: a choice that others could spoil comes before the first change.

Takes the checked actions of real-time menus, gives problems. While an action has changed nothing it can
be taken back; after that, its player may choose only among what others cannot take away.
"""

from __future__ import annotations

from typing import Any

from ..diagnostics import Place, Problems
from ..ir import Ask, E, X
from ..model import Model, Routine

QUIET = {"let", "need", "say", "use", "fix_rolls", "return", "end", "end_game", "proceed"}
FIXED = ("number", "truth", "symbol", "player", "kind", "design", "text", "unknown")
ASKING = {"choose", "one", "may", "each_ordered", "open"}


class Timing:
    """Walks through one action as it would be carried out."""

    def __init__(self, model: Model, problems: Problems, action: Routine) -> None:
        self.model, self.problems, self.action = model, problems, action
        self.inside: list[Routine] = []
        self.told: set[Place] = set()
        self.own: dict[str, bool] = {}  # lists under a name: whether they are things of `you`

    def check(self) -> None:
        self.walk(self.action.code or [], "you", None)

    def walk(self, body: list[X], you: str | None, changed: Place | None) -> Place | None:
        """Gives the first change, if there was one; `you` is None where somebody else does it."""
        for st in body:
            changed = self.statement(st, you, changed)
        return changed

    def statement(self, st: X, you: str | None, changed: Place | None) -> Place | None:
        op, a = st.op, st.a
        if op == "let":
            self.own[a[0]] = self.owned(a[1], you)
            return changed
        if op in QUIET or (op in ("set", "add", "take") and a[0].op == "local"):
            return changed
        if op in ASKING and you is None:
            self.others(st.place)
            return changed
        if op == "choose":
            return self.choose(st, a[0], you, changed)
        if op == "one":
            return self.branches([body for _, _, body in a[2]], you, changed)
        if op == "may":
            return self.branches([a[2], a[3]], you, changed)
        if op == "if":
            return self.branches([*(body for _, body in a[0]), a[1]], you, changed)
        if op in ("each", "each_ordered", "repeat"):
            body = a[3] if op != "repeat" else a[2]
            first = self.walk(body, you, changed)
            return self.walk(body, you, first) if first is not changed else first
        if op in ("as", "as_each", "at_once"):
            same = op == "as" and a[1].op == "local" and a[1].a[0] == you
            return self.walk(a[2], a[0] if same else None, changed)
        if op == "during":
            return self.walk(a[2], you, changed)
        if op == "call":
            for param, arg in zip([p for p in a[0].params if p.name != "you"], a[1][1:], strict=False):
                self.own[param.py] = self.owned(arg, you)
            return self.routine(a[0], you, changed)
        if op == "run":
            found = changed
            for component in self.model.components.values():
                body = component.does.get(a[1])
                kinds = a[2]
                if body is not None and (not kinds or any(self.model.is_like(component.kind, k) for k in kinds)):
                    found = self.routine(body, you, changed) or found
            return found
        if op == "begin" and a[0].do is not None:
            self.routine(a[0].do, you, changed or st.place)
        if op in ("draw", "move_some") and a[-1]:
            self.own[a[-1]] = self.owned(a[-2], you)
        return changed or (st.place if op != "open" else None)

    def branches(self, bodies: list[Any], you: str | None, changed: Place | None) -> Place | None:
        found = changed
        for body in bodies:
            found = self.walk(list(body), you, changed) or found
        return found

    def routine(self, routine: Routine, you: str | None, changed: Place | None) -> Place | None:
        if routine in self.inside or not isinstance(routine.code, list):
            return changed
        self.inside.append(routine)
        # Inside, the doer is called `you` again.
        found = self.walk(routine.code, "you" if you is not None else None, changed)
        self.inside.pop()
        return found

    def choose(self, st: X, ask: Ask, you: str | None, changed: Place | None) -> Place | None:
        if not self.is_you(ask.player, you):
            self.others(st.place)
        for py, kind, items in ask.binders:
            mine = kind.base in FIXED or self.owned(items, you) or self.tied(ask.where, py, you)
            self.own[py] = self.owned(items, you) or self.tied(ask.where, py, you)
            if changed is not None and not mine:
                self.late(st.place, changed)
        for result in ask.results:
            self.own[result] = self.owned(ask.binders[0][2], you)
        return self.branches([ask.body, ask.otherwise], you, changed)

    # ---- whose things these are ----

    def is_you(self, e: E, you: str | None) -> bool:
        return bool(e.op == "local" and e.a[0] == you)

    def owned(self, e: Any, you: str | None) -> bool:
        """Whether nobody else is likely to take these away: things in `you`'s own places, or named after `you`."""
        if not isinstance(e, E):
            return False
        if e.op in ("this", "range", "symbols", "const") or self.is_you(e, you):
            return True
        if e.op == "local":
            return self.own.get(e.a[0], True)
        if e.op == "content":
            return self.owned(e.a[0], you)
        if e.op == "zone":
            return e.a[1] is not None and self.owned(e.a[1], you)
        if e.op in ("field", "fields", "own", "resource"):
            return self.owned(e.a[1], you)
        if e.op == "holder":
            return self.owned(e.a[0], you)
        if e.op in ("call", "function", "table"):
            return any(self.owned(arg, you) for arg in e.a[1])
        if e.op == "list":
            return all(self.owned(item, you) for item in e.a[0])
        if e.op == "if":
            return self.owned(e.a[1], you) and self.owned(e.a[2], you)
        if e.op == "fold":
            _, binders, where, _, _ = e.a
            return all(self.owned(items, you) or self.tied(where, py, you) for py, _, items in binders)
        return False

    def tied(self, where: E | None, py: str, you: str | None) -> bool:
        """`n.owner is you`, `n.planet is you.planet`, `fits(you, n)`: a test that ties a thing to its chooser."""
        for test in self.tests(where):
            if test.op == "same" and any(
                self.mentions(one, py) and not self.mentions(two, py) and self.after(two, you)
                for one, two in (test.a, test.a[::-1])
            ):
                return True
            if test.op == "member" and self.mentions(test.a[0], py) and self.owned(test.a[1], you):
                return True
            if (
                test.op == "call"
                and any(self.mentions(x, py) for x in test.a[1])
                and any(self.is_you(x, you) for x in test.a[1])
            ):
                return True
        return False

    def tests(self, where: E | None) -> list[E]:
        if where is None:
            return []
        if where.op == "and":
            return [test for part in where.a[0] for test in self.tests(part)]
        return [where]

    def after(self, e: E, you: str | None) -> bool:
        return you is not None and self.mentions(e, you)

    def mentions(self, node: Any, py: str) -> bool:
        if isinstance(node, E):
            return (node.op == "local" and node.a[0] == py) or any(self.mentions(part, py) for part in node.a)
        return isinstance(node, (tuple, list)) and any(self.mentions(part, py) for part in node)

    # ---- problems ----

    def late(self, place: Place, changed: Place) -> None:
        if place in self.told:
            return
        self.told.add(place)
        self.problems.error(
            place,
            "late-choice",
            f"others could spoil this choice of `{self.action.name}`: something was changed before it",
            "under the clock, choose first and change then; only things of `you` may be chosen from later",
            related=((changed, "the first change"),),
        )

    def others(self, place: Place) -> None:
        if place in self.told:
            return
        self.told.add(place)
        self.problems.error(
            place,
            "asks-another",
            f"`{self.action.name}` would ask somebody else, who may be busy: under the clock only `you` are asked",
            "let an effect of theirs begin that offers an action: `as partner: begin proposal(…)`",
        )


def check_timing(model: Model, problems: Problems) -> None:
    """Every action that a real-time menu may offer."""
    told: set[Place] = set()
    done: set[str] = set()
    for menu in model.menus.values():
        if not menu.real_time:
            continue
        for name in [*menu.actions, *(rule.target for rule in menu.offers)]:
            action = model.actions.get(name)
            if action is None or name in done:
                continue
            done.add(name)
            timing = Timing(model, problems, action)
            timing.told = told
            timing.check()
