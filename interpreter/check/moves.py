"""Verbs that touch pieces: move, draw, flip, turn, shuffle, swap, show.

Takes `Verb` nodes, gives statements.
"""

from __future__ import annotations

from .. import syntax as s
from ..ir import E, X
from ..types import KIND, NUMBER, PLAYER, SPOT, list_of, piece, symbol
from .core import article
from .scope import At, Scope
from .sentences import Sentences
from .tables import VERBS


class Moves(Sentences):
    def verb_move(self, tree: s.Verb, scope: Scope) -> X | None:
        if tree.args and isinstance(tree.args[0], s.Amount):
            return self.move_some(tree, tree.args[0], scope)
        if not self.shape_of(tree, scope, 1, "to under on at"):
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
        at = self.plain(self.tail(tree, "at"), scope, "move")
        if at is not None:
            return self.move_at(tree, at, what, zone, scope)
        if what is None or zone is None:
            return None
        self.needs_no_spot(zone, scope, goal.at)
        return self.x(
            "move", tree, scope, what, zone, "under" if self.tail(tree, "under") is not None else ""
        )

    def needs_no_spot(self, zone: E, scope: Scope, at: At) -> None:
        """Onto a plane pieces come only with a spot."""
        if zone.op == "zone" and zone.a[0].name in self.model.planes:
            self.error(
                scope,
                at,
                "no-spot",
                f"where on `{zone.a[0].name}`? A disc needs a spot there",
                f"write `move x to {zone.a[0].name} at spot(…, …)`, one disc after the other",
            )

    def move_at(self, tree: s.Verb, at: s.Expr, what: E | None, zone: E | None, scope: Scope) -> X | None:
        """`move disc to plane at spot`."""
        spot = self.typed(at, scope, SPOT)
        if what is None or zone is None:
            return None
        if zone.op != "zone" or zone.a[0].name not in self.model.planes:
            self.error(
                scope,
                at.at,
                "no-plane",
                "only a plane has spots, and this goes elsewhere",
                "leave `at …` out, or move it to one of " + ", ".join(f"`{p}`" for p in self.model.planes)
                if self.model.planes
                else "leave `at …` out",
            )
            return None
        if what.type.base == "list":
            self.error(
                scope, tree.args[0].at, "wrong-type", "only one disc can lie on a spot", "write `for each …:` around it"
            )
            return None
        return self.x("place", tree, scope, what, zone, spot)

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
        if here is not None and goal is not None:
            self.needs_no_spot(here, scope, goal.at)
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
        if there is None or here is None or goal is None:
            return None
        self.needs_no_spot(here, scope, goal.at)
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
        if what is None or arg is None or way is None:
            return None
        kind = self.kind_in(what)
        fields = self.tile_fields(kind)
        if not fields:
            self.no_sides(kind, scope, arg.at)
            self.expr(way, scope)
            return None
        direction = self.typed(way, scope, symbol(str(self.model.headings)))
        return self.x("turn", tree, scope, what, direction, tuple(way for _, way in fields))

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
