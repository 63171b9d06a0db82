"""The whole ruleset: every pass in its order, then what can only be seen from above.

Takes the declared model, gives it back complete. Suspension, hidden reads, unused and missing things.
"""

from __future__ import annotations

from typing import Any

from ..diagnostics import Place, suggest
from ..ir import E
from ..model import Kind, Model, Plane, Routine, Rule
from ..schema import Drawn, Leaf
from ..types import NUMBER, PLAYER, TRUTH, UNKNOWN, Type, piece
from .core import article
from .hidden import reads_hidden
from .rules import Rules
from .scope import At, Local, Scope, Source
from .timing import check_timing


class Whole(Rules):
    told_circles: frozenset[Routine] = frozenset()  # actions that are in the end like themselves

    def check(self) -> Model:
        model = self.model
        self.modules()
        for value in [*model.values.values(), *(r for r in (model.score, model.wins) if r is not None)]:
            self.routine(value)
        for procedure in model.procedures.values():
            self.routine(procedure)
        for action in model.actions.values():
            self.action(action)
        for effect in list(model.effects.values()):
            self.effect(effect)
        for component in model.components.values():
            for routine in component.does.values():
                self.routine(routine)
        for whole in (model.setup, model.flow):
            if whole is not None:
                self.routine(whole)
        for rule in model.rules:
            self.rule(rule)
        self.replacements()
        self.menus()
        self.zones()
        self.boards()
        self.planes()
        model.drawing = self.drawing(model.drawing or [])
        self.starts()
        self.fields()
        self.suspension()
        self.hidden()
        if not self.problems.has_errors:
            check_timing(model, self.problems)
        self.ends()
        if not self.problems.has_errors:
            self.unused()
        return model

    def modules(self) -> None:
        for module in self.model.modules.values():
            if isinstance(module.when, Leaf):
                module.when = self.expression(module.when, Scope(Source(module.when)), TRUTH)

    # ---- actions ----

    def action(self, action: Routine) -> None:
        self.routine(action)
        line = self.line_of(action)
        action.families = [a.name for a in line[1:]]
        for one in reversed(line):
            own = one.test if isinstance(one.test, tuple) else getattr(one, "own_test", None)
            if own is None:
                continue
            one.own_test = own  # type: ignore[attr-defined]
            leaf, why = own
            scope = self.scope_of(one, leaf)
            test = self.expression(leaf, scope, TRUTH)
            text = self.said(why, scope) if why is not None else None
            if test is not None:
                action.tests.append((test, text))
            if one is action:
                action.test = test
        if isinstance(action.label, Leaf):
            action.label = self.said(action.label, self.scope_of(action, action.label))
        if isinstance(action.takes, Leaf):
            action.takes = self.expression(action.takes, self.scope_of(action, action.takes), NUMBER)

    def line_of(self, action: Routine) -> list[Routine]:
        """An action and those it is like, nearest first."""
        line = [action]
        while line[-1].like is not None:
            parent = self.model.actions.get(line[-1].like)
            if parent is None:
                self.told += 1
                self.problems.error(
                    line[-1].like_place or line[-1].place,
                    "unknown-action",
                    f"`{line[-1].name}` is like `{line[-1].like}`, but no action is called so",
                    suggestion=suggest(line[-1].like, self.model.actions),
                )
                break
            if parent in line:
                if not self.told_circles & set(line):
                    place = action.like_place or action.place
                    self.problems.error(place, "circular-action", f"`{action.name}` is in the end like itself")
                self.told_circles |= set(line)
                break
            parent.used = True
            line.append(parent)
        return line

    def replacements(self) -> None:
        """Two modules that put something else in the place of one value."""
        first: dict[str, list[Rule]] = {}
        for rule in self.model.rules:
            if rule.effect is not None or rule.op != "becomes" or rule.shape.if_ is not None:
                continue
            for other in first.setdefault(rule.target, []):
                if not self.exclusive(rule, other):
                    self.problems.error(
                        rule.place,
                        "two-replacements",
                        f"`{rule.target}` is replaced twice, and nothing says which wins",
                        "give one of them an `if`",
                        related=((other.place, "the other replacement"),),
                    )
                    break
            first[rule.target].append(rule)

    def exclusive(self, one: Rule, two: Rule) -> bool:
        tests = [
            self.model.modules[r.module].when if r.module in self.model.modules else None for r in (one, two)
        ]
        a, b = tests
        if not isinstance(a, E) or not isinstance(b, E) or a.op != "same" or b.op != "same":
            return False
        (x, y), (u, v) = a.a, b.a
        return bool(x.op == u.op == "option" and x.a == u.a and y.op == v.op == "const" and y.a != v.a)

    # ---- menus, zones, boards ----

    def menus(self) -> None:
        for menu in self.model.menus.values():
            for leaf in getattr(menu, "action_leaves", []):
                action = self.model.actions.get(str(leaf))
                scope = Scope(Source(leaf), None, "you")
                if action is None:
                    self.unknown(scope, self.whole(leaf), "action", str(leaf), self.model.actions)
                    continue
                action.used = True
                self.inside(action, scope, self.whole(leaf))
                if action.abstract:
                    self.problems.error(
                        leaf.place, "abstract-action", f"`{leaf}` is abstract and stands in no menu"
                    )
                if menu.real_time and str(leaf) == "wait":
                    self.problems.error(
                        leaf.place, "reserved-name", "every real-time menu has `wait` already: name it otherwise"
                    )
            if isinstance(menu.picks, Leaf):
                menu.picks = self.expression(menu.picks, Scope(Source(menu.picks), None, "you"), NUMBER)
            for key in ("stop", "prompt"):
                leaf = getattr(menu, key)
                if isinstance(leaf, Leaf):
                    setattr(menu, key, self.said(leaf, Scope(Source(leaf), None, "you")))

    def zones(self) -> None:
        for zone in self.model.zones.values():
            if not isinstance(zone.at_most, Leaf):
                continue
            scope = Scope(Source(zone.at_most))
            if zone.of == ["player"]:
                scope.you = "owner_"
                scope.bare = E("local", PLAYER, ("owner_",), zone.at_most.place)
            elif zone.of:
                kinds = [k for k in zone.of if k != "player"]
                kind = piece(self.common(kinds)) if len(kinds) == len(zone.of) else UNKNOWN
                for name in zone.of:
                    scope.names[name] = Local(kind, "owner_", zone.place, "parameter")
                scope.bare = (
                    E("local", kind, ("owner_",), zone.at_most.place) if kind.base == "piece" else None
                )
            zone.at_most = self.expression(zone.at_most, scope, NUMBER)

    def boards(self) -> None:
        model = self.model
        for board in model.boards.values():
            if board.rings is not None:
                field = model.field_of(board.of, board.rings)
                if field is None:
                    self.problems.error(
                        board.word_place or board.place,
                        "unknown-field",
                        f"`{board.name}` has rings by `{board.rings}`, but a {board.of} has no such field",
                        suggestion=suggest(board.rings, model.fields_of(board.of)),
                    )
                    board.rings, board.sort = None, "graph"
                else:
                    field.used = True
            places = [c.id for k in model.family(board.of) for c in model.kinds[k].components]
            if board.sort == "grid" and places:
                self.problems.error(
                    board.of_place or board.place,
                    "bad-grid",
                    f"a grid makes its places itself, but there is a {board.of} called `{places[0]}`",
                    "places with names lie on other boards: `links:` or `edges:` say which are neighbours",
                )
            for name, others in board.links.items():
                for word in (name, *others):
                    if word not in places:
                        self.problems.error(
                            board.link_places.get(word, board.place),
                            "unknown-component",
                            f"`{board.name}` links `{word}`, but no {board.of} is called so",
                            suggestion=suggest(word, places),
                        )
            if board.edges is not None:
                fields = [model.fields_of(board.edges).get(end) for end in ("a", "b")]
                for field in fields:
                    if field is not None:
                        field.used = True
                if not all(f and f.type.base == "piece" and self.related(f.type.of, board.of) for f in fields):
                    self.problems.error(
                        board.word_place or board.place,
                        "bad-edges",
                        f"a {board.edges} joins two places: it needs the fields `a` and `b`, both a {board.of}",
                    )

    def planes(self) -> None:
        """What happens at a touch is a value of two discs that gives `bounce` or `halt`."""
        for plane in self.model.planes.values():
            leaf = plane.contact
            if not isinstance(leaf, Leaf):
                continue
            value, plane.contact = self.model.values.get(str(leaf)), None
            if value is None:
                self.unknown(Scope(Source(leaf)), self.whole(leaf), "value", str(leaf), self.model.values)
                continue
            value.used = True
            words = self.model.symbols.get(str(value.gives.of), []) if value.gives is not None else []
            if value.gives is None or value.gives.base == "unknown":
                continue  # it has problems of its own
            if not self.takes_discs(value, plane) or not {"bounce", "halt"} <= set(words):
                self.problems.error(
                    leaf.place,
                    "bad-contact",
                    f"`{leaf}` cannot say what happens when discs touch",
                    "it is a value of two discs, `contact(ship mover, piece other)`, that gives `bounce` or `halt`",
                    related=((value.place, "declared here"),),
                )
                continue
            plane.contact = value

    def takes_discs(self, value: Routine, plane: Plane) -> bool:
        """Whether a value can be asked of every disc that may move there, and every one it may touch."""
        discs = [k for kind in plane.holds for k in self.model.discs(kind)]
        held = [k for k in discs if not self.fixed(k, plane.flat)]
        loose = [k for k in held if not self.fixed(k, [*plane.fixed, *plane.flat])]
        return len(value.params) == 2 and all(
            param.type.base == "piece"
            and (param.type.of is None or all(self.model.is_like(k, str(param.type.of)) for k in kinds))
            for param, kinds in zip(value.params, (loose, held), strict=True)
        )

    def starts(self) -> None:
        things: list[Any] = [*self.model.kinds.values(), *self.model.components.values()]
        for thing in things:
            if not thing.starts or thing.starts == "box":
                continue
            zone = self.model.zones.get(thing.starts)
            if zone is None:
                self.problems.error(
                    thing.starts_place or thing.place,
                    "unknown-zone",
                    f"no zone is called `{thing.starts}`",
                    suggestion=suggest(thing.starts, self.model.zones),
                )
                thing.starts = None
                continue
            zone.used = True
            if zone.name in self.model.planes:
                self.problems.error(
                    thing.starts_place or thing.place,
                    "no-spot",
                    f"nothing can start on `{zone.name}`: nobody could tell where on it",
                    f"place it in `setup`: `move x to {zone.name} at spot(…, …)`",
                )
                continue
            kind = thing.name if isinstance(thing, Kind) else thing.kind
            if not self.accepts(zone, kind):
                place = thing.starts_place or thing.place
                self.problems.error(place, "wrong-zone", f"`{zone.name}` cannot hold a {kind}")

    # ---- the table ----

    def drawing(self, items: list[Any], scope: Scope | None = None) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = []
        for item in items:
            if not isinstance(item, Drawn):
                continue
            leaf = next((x for x in (item.line, item.each, item.grid, item.canvas, item.if_) if x is not None), None)
            if leaf is None:
                continue
            if scope is None:
                here = Scope(Source(leaf), None, "viewer")
                here.names["viewer"] = Local(PLAYER.maybe(), "viewer", leaf.place, "parameter")
            else:
                here = scope.inner()
            here.source = Source(leaf)
            made = self.drawn(item, here)
            if made is not None:
                found.append(made)
        return found

    def drawn(self, item: Drawn, scope: Scope) -> tuple[Any, ...] | None:
        if item.line is not None:
            return ("line", self.said(item.line, scope, pads=True))
        if item.canvas is not None:
            return self.canvas(item, item.canvas, scope)
        leaf = item.each if item.each is not None else item.grid
        if leaf is not None:
            found = self.bound(leaf, scope)
            if found is None:
                return None
            bound, where, key, source_at = found
            across = str(item.across) if item.across is not None else None
            if item.grid is not None:
                place = E("local", bound[0][1], (bound[0][0],), leaf.place)
                grids = self.grids_under(place, scope, source_at)
                inner = self.drawing(item.lines, scope)
                numbers = item.numbers is None or bool(item.numbers.value)
                return ("grid", bound, where, key, inner, across or "", numbers) if grids else None
            return ("each", bound, where, key, self.drawing(item.lines, scope), across)
        if item.if_ is not None:
            test = self.expression(item.if_, scope, TRUTH)
            return ("if", test, self.drawing(item.lines, scope)) if test is not None else None
        return None

    def bound(self, leaf: Leaf, scope: Scope) -> tuple[Any, E | None, E | None, At] | None:
        """A binding of the drawn table: names with their lists, a condition, a key; and where the list stands."""
        source = Source(leaf, 1, -3)  # the words stand behind `all(`
        tree = self.parse(source, f"all({leaf.scalar.text.strip()})", "query")
        ranked = getattr(tree, "ranked", None)
        if ranked is None:
            if tree is not None:
                self.problems.error(leaf.place, "bad-each", "expected a binding, like `p in players`")
            return None
        scope.source = source
        bound = self.binders(ranked.binders, scope, "loop")
        where = None if ranked.where is None else self.typed(ranked.where, scope, TRUTH)
        key = None if ranked.key is None else self.expr(ranked.key, scope)
        return bound, where, key, ranked.binders[0].source.at

    def canvas(self, item: Drawn, leaf: Leaf, scope: Scope) -> tuple[Any, ...] | None:
        """A plane as a map."""
        found = self.bound(leaf, scope)
        if found is None:
            return None
        bound, where, key, _ = found
        items = bound[0][2]
        zone = items.a[0] if items.op == "content" else None
        if len(bound) > 1 or zone is None or zone.op != "zone" or zone.a[0].name not in self.model.planes:
            self.problems.error(
                leaf.place, "bad-canvas", "a canvas draws the discs of one plane", "write `canvas: d in plane where …`"
            )
            return None
        width = item.width.value if item.width is not None else 72
        if not 20 <= width <= 300:
            place = item.width.place if item.width is not None else leaf.place
            self.problems.error(place, "bad-canvas", "a canvas is 20 to 300 letters wide")
        mark = self.expression(item.mark, scope, UNKNOWN) if item.mark is not None else None
        orbit = self.expression(item.orbit, scope, NUMBER.maybe()) if item.orbit is not None else None
        return ("canvas", bound, where, key, zone.a[0].name, width, mark, orbit)

    # ---- seen from above ----

    def fields(self) -> None:
        """Fields that no component prints live in the state."""
        for kind in self.model.kinds.values():
            printed = {
                name
                for k in self.model.family(kind.name)
                for c in self.model.kinds[k].components
                for _, name in c.printed
            }
            for field in kind.fields.values():
                fixed = field.name == "owner" or (kind.board and field.name in ("column", "row"))
                if field.name not in printed and not fixed and not (kind.sides and field.name == "sides"):
                    field.changed = True
        for fields in (self.model.game_fields, self.model.player_fields):
            for field in fields.values():
                field.changed = True

    def suspension(self) -> None:
        """A routine that may wait for an answer, by itself or through others."""
        moving, order = True, self.routines[::-1]
        while moving:
            moving = False
            for routine in order:
                if not routine.suspends and self.waits(routine):
                    routine.suspends = moving = True
            order.reverse()
        setup, flow = self.model.setup, self.model.flow
        if setup is not None and flow is not None and setup.suspends:
            flow.suspends = True  # it is gone on with after an answer

    def waits(self, routine: Routine) -> bool:
        if any(h.body is not None and h.body.suspends for h in self.hooks_of(routine)):
            return True  # a rule before or after it may ask
        for callee in routine.calls:
            if callee.suspends:
                return True
        for what, slot, kinds in self.ran.get(routine, ()):
            named = [c for kind in kinds for c in self.model.kinds[kind].components]
            for component in [what.a[0]] if what.op == "piece" else named:
                body = component.does.get(slot)
                if body is not None and body.suspends:
                    return True
        return False

    def hooks_of(self, routine: Routine) -> list[Rule]:
        """The rules on a routine, and on the actions that it is like."""
        line = [self.model.actions[f] for f in routine.families if f in self.model.actions]
        return [h for one in (routine, *line) for h in one.hooks]

    def hidden(self) -> None:
        moving, order = True, self.routines[::-1]
        while moving:
            moving = False
            order.reverse()
            for routine in order:
                if not routine.reads_hidden and reads_hidden(routine.code, self.model):
                    routine.reads_hidden = moving = True

    def ends(self) -> None:
        model = self.model
        where = model.place or Place.whole("ruleset.yaml")
        if not model.name:
            self.problems.error(
                Place.whole("ruleset.yaml"), "missing-key", "`ruleset: name` is missing"
            )
        if model.flow is None:
            self.problems.error(where, "missing-flow", "there is no `flow`: nothing says how the game goes")
        if model.score is None and model.wins is None:
            self.problems.error(
                where,
                "missing-end",
                "there is no `end` with `score` or `wins`: nobody can win",
                "write `end: {score: …}` for points, or `end: {wins: …}` for whoever wins",
            )
        if model.score is not None and isinstance(model.score.code, E):
            self.end_type(model.score, NUMBER)
        if model.wins is not None and isinstance(model.wins.code, E):
            code = model.wins.code
            if not (code.type.base in ("player", "unknown") or self.fits(code.type, Type("list", PLAYER))):
                self.problems.error(
                    code.place, "wrong-type", f"expected players, but this is {article(code.type)}"
                )

    def end_type(self, routine: Routine, want: Type) -> None:
        if not self.fits(routine.code.type, want):
            self.problems.error(
                routine.code.place,
                "wrong-type",
                f"expected {article(want)}, but this is {article(routine.code.type)}",
            )

    def unused(self) -> None:
        model = self.model
        groups: list[tuple[str, Any]] = [
            ("value", model.values.values()),
            ("procedure", model.procedures.values()),
            ("table", model.tables.values()),
            ("action", model.actions.values()),
            ("menu", model.menus.values()),
            ("zone", model.zones.values()),
            ("resource", model.resources.values()),
            ("option", model.options.values()),
            ("span", model.spans.values()),
            ("effect", [e for e in model.effects.values() if e.component is None]),
            ("kind", [k for k in model.kinds.values() if not self.kind_used(k)]),
        ]
        used = {z.refill for z in model.zones.values()}
        for what, things in groups:
            for thing in things:
                if getattr(thing, "lasts_while", None) is not None and thing.lasts is None:
                    continue  # it begins by itself
                if not thing.used and thing.name not in used:
                    self.problems.warn(
                        thing.place, "unused-declaration", f"the {what} `{thing.name}` is never used"
                    )

    def kind_used(self, kind: Kind) -> bool:
        model = self.model
        if kind.used or kind.components or kind.children or kind.count or kind.per_player:
            return True
        return any(kind.name in (*z.of, *z.holds) for z in model.zones.values()) or any(
            kind.name in (b.of, b.edges) for b in model.boards.values()
        )
