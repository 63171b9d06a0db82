"""Words of grids: steps and directions, rows that are shot along, shapes, sides of tiles, connected parts.

Takes calls of the tree, gives typed expressions.
"""

from __future__ import annotations

from .. import syntax as s
from ..ir import E
from ..model import Board, FieldDecl, Routine
from ..types import NUMBER, TEXT, TRUTH, UNKNOWN, Type, list_of, piece, symbol
from .core import article
from .queries import Queries
from .scope import At, Scope

Tile = tuple[FieldDecl, FieldDecl]  # its fields `sides` and `way`


class Grids(Queries):
    def grid_function(self, tree: s.Call, scope: Scope) -> E:
        method = getattr(self, f"grid_{tree.word}")
        made: E | None = method(tree, scope)
        if made is not None:
            return made
        return self.nothing(scope, tree.at)

    def heading(self, tree: s.Expr, scope: Scope) -> E | None:
        """A direction; every grid of a ruleset has the same four."""
        if self.model.headings is None:
            self.expr(tree, scope)
            self.error(
                scope,
                tree.at,
                "no-headings",
                "no board says which directions there are",
                "give a grid `headings:`, the name of four symbols",
            )
            return None
        return self.typed(tree, scope, symbol(self.model.headings))

    def place(self, tree: s.Expr, scope: Scope) -> E | None:
        e = self.argument(tree, "place", scope)
        return e if e.type.base != "unknown" else None

    def boards_under(self, e: E) -> list[Board]:
        """The boards on which a place may lie: several where their places are like one kind."""
        return [b for b in self.model.boards.values() if self.related(e.type.of, b.of)]

    def grids_under(self, e: E, scope: Scope, at: At) -> list[Board]:
        """The grids on which a place may lie; a problem if there is none."""
        found = [b for b in self.boards_under(e) if b.sort == "grid"]
        if not found:
            self.error(scope, at, "wrong-type", f"expected a place of a grid, but this is {article(e.type)}")
        return found

    def directed(self, boards: list[Board], scope: Scope, at: At) -> bool:
        """Whether these boards have directions; a problem at the first that has none."""
        for board in boards:
            if board.headings is None:
                hint = "give it `headings:`, the name of four symbols"
                self.error(scope, at, "no-headings", f"`{board.name}` has no directions", hint)
                return False
        return True

    def board(self, tree: s.Expr, scope: Scope) -> tuple[Board, E | None] | None:
        """A grid that is named: `board`, or `you.board` where everybody has one."""
        e = self.expr(tree, scope, list_of(UNKNOWN))
        if e.op == "own_board":
            return e.a[0], e.a[1]
        board = self.model.grid_of(e.a[0]) if e.op == "pieces" else None
        if board is not None and not board.per_player:
            return board, None
        if board is not None:
            hint = f"every player has a `{board.name}`: write `you.{board.name}`"
            self.error(scope, tree.at, "whose", f"the board `{board.name}` has an owner: whose?", hint)
        elif e.type.base != "unknown":
            self.error(scope, tree.at, "wrong-type", f"expected a grid, but this is {article(e.type)}")
        return None

    def rest(self, tree: s.Call, first: int, scope: Scope) -> None:
        """Looks at the other arguments all the same, so that what is wrong in them is told at once."""
        for arg in tree.args[first:]:
            self.expr(arg, scope)

    # ---- places ----

    def grid_step(self, tree: s.Call, scope: Scope) -> E | None:
        place = self.place(tree.args[0], scope)
        if place is None:
            self.rest(tree, 1, scope)
            return None
        number = self.typed(tree.args[2], scope, NUMBER) if len(tree.args) > 2 else None
        boards = self.boards_under(place)
        if not boards or any(b.sort != "grid" for b in boards):
            # Along a ring or line, any two symbols are forwards and backwards.
            way = self.argument(tree.args[1], "symbol", scope)
            count = number or self.make("const", NUMBER, (1,), scope, tree.at)
            return self.make("function", place.type.maybe(), ("step", (place, way, count)), scope, tree.at)
        if not self.directed(boards, scope, tree.args[0].at):
            self.rest(tree, 1, scope)
            return None
        heading = self.heading(tree.args[1], scope)
        if heading is None:
            return None
        return self.make("grid_step", place.type.maybe(), (place, heading, number), scope, tree.at)

    def grid_heading_to(self, tree: s.Call, scope: Scope) -> E | None:
        a, b = self.place(tree.args[0], scope), self.place(tree.args[1], scope)
        if a is None or b is None:
            return None
        boards = self.grids_under(a, scope, tree.args[0].at)
        if not boards or not self.grids_under(b, scope, tree.args[1].at):
            return None
        if not self.directed(boards, scope, tree.args[0].at):
            return None
        return self.make("heading_to", symbol(str(self.model.headings)).maybe(), (a, b), scope, tree.at)

    def grid_place_at(self, tree: s.Call, scope: Scope) -> E | None:
        found = self.board(tree.args[0], scope)
        column, row = (self.typed(a, scope, NUMBER) for a in tree.args[1:])
        if found is None:
            return None
        return self.make("place_at", piece(found[0].of).maybe(), (*found, column, row), scope, tree.at)

    def grid_lane(self, tree: s.Call, scope: Scope) -> E | None:
        found = self.board(tree.args[0], scope)
        heading = self.heading(tree.args[1], scope)
        number = self.typed(tree.args[2], scope, NUMBER)
        if found is None or heading is None or not self.directed([found[0]], scope, tree.args[0].at):
            return None
        return self.make("lane", list_of(piece(found[0].of)), (*found, heading, number), scope, tree.at)

    def grid_drawn(self, tree: s.Call, scope: Scope) -> E | None:
        place = self.place(tree.args[0], scope)
        boards = self.grids_under(place, scope, tree.args[0].at) if place is not None else []
        if place is None or not boards:
            self.rest(tree, 1, scope)
            return None
        shapes = boards[0].shapes
        for board in boards:
            if board.shapes is None or board.shapes != shapes:
                self.rest(tree, 1, scope)
                message = f"`{board.name}` has no shapes, so nothing is drawn"
                if board.shapes is not None:
                    message = f"`{board.name}` has other shapes than `{boards[0].name}`: which are meant?"
                hint = "give it `shapes:` and `drawings:`"
                self.error(scope, tree.args[0].at, "bad-drawing", message, hint)
                return None
        shape = self.typed(tree.args[1], scope, symbol(str(shapes)))
        return self.make("drawn", TEXT.maybe(), (place, shape), scope, tree.at)

    # ---- tiles ----

    def tile_fields(self, kind: str | None) -> list[Tile]:
        """The fields `sides` and `way` of a kind, or of the kinds that it may turn out to be."""
        found = []
        for sides in self.fields_named(kind, "sides"):
            owner = self.model.kinds[sides.owner]
            if owner.sides is not None:
                found.append((sides, owner.fields["way"]))
        return found

    def no_sides(self, kind: str | None, scope: Scope, at: At) -> None:
        message = f"a {kind} has no sides and cannot be turned" if kind else "no kind of piece has sides"
        self.error(scope, at, "no-sides", message, "a tile is of a kind with `sides:`")

    def grid_side(self, tree: s.Call, scope: Scope) -> E | None:
        tile = self.typed(tree.args[0], scope, piece())
        if tile.type.base == "unknown":
            self.rest(tree, 1, scope)
            return None
        kind = str(tile.type.of) if tile.type.of else None
        fields = self.tile_fields(kind)
        if not fields:
            self.no_sides(kind, scope, tree.args[0].at)
            self.rest(tree, 1, scope)
            return None
        heading = self.heading(tree.args[1], scope)
        way = self.heading(tree.args[2], scope) if len(tree.args) > 2 else None
        if heading is None or (way is None and len(tree.args) > 2):
            return None
        gives: Type | None = fields[0][0].type.item
        for sides, _ in fields[1:]:
            gives = self.unify(gives, sides.type.item) if gives is not None else None
        if gives is None:
            message = "the sides of the kinds that this may be show different symbols"
            hint = "say of which kind it is, in a declared parameter"
            self.error(scope, tree.args[0].at, "ambiguous-field", message, hint)
            return None
        sure = len(fields) == 1 and kind is not None and self.model.is_like(kind, fields[0][0].owner)
        opt = not sure or tile.type.opt or heading.type.opt or (way is not None and way.type.opt)
        return self.make(
            "side", gives.maybe() if opt else gives, (tuple(fields), sure, tile, heading, way), scope, tree.at
        )

    def grid_turned(self, tree: s.Call, scope: Scope) -> E | None:
        heading, way = (self.heading(a, scope) for a in tree.args)
        if heading is None or way is None:
            return None
        gives = symbol(str(self.model.headings))
        if heading.type.opt or way.type.opt:
            gives = gives.maybe()
        return self.make("turned", gives, (heading, way), scope, tree.at)

    def grid_opposite(self, tree: s.Call, scope: Scope) -> E | None:
        heading = self.heading(tree.args[0], scope)
        return self.make("opposite", heading.type, (heading,), scope, tree.at) if heading is not None else None

    # ---- connected parts ----

    def grid_parts(self, tree: s.Call, scope: Scope) -> E | None:
        """A query over pairs of the list; its condition is the relation."""
        items = self.listed(tree.args[0], scope)
        relation = self.relation(tree.args[1], scope)
        if relation is None or items.type.base != "list":
            return None
        item = items.type.item
        at = tree.args[1].at
        for param in relation.params:
            if not self.fits(item, param.type):
                self.error(
                    scope,
                    at,
                    "wrong-type",
                    f"`{relation.name}` joins a {relation.params[0].type} and a {relation.params[1].type},"
                    f" but the list holds {article(item)}",
                )
                return None
        self.use_value(relation, scope, at)
        gives = self.value_type(relation, scope, at)
        if gives.base not in ("truth", "unknown"):
            self.error(scope, at, "wrong-type", f"expected a truth, but `{relation.name}` is {article(gives)}")
            return None
        names = (self.fresh("a"), self.fresh("b"))
        pair = tuple(E("local", item, (name,), items.place) for name in names)
        joined = self.make("call", TRUTH, (relation, pair), scope, at)
        bound = ((names[0], item, items), (names[1], item, items))
        return self.make("fold", list_of(list_of(item)), ("parts", bound, joined, None, None), scope, tree.at)

    def relation(self, tree: s.Expr, scope: Scope) -> Routine | None:
        """A value with two parameters, named and not called."""
        hint = "name a value with two parameters, without brackets, as in `parts(tiles, joined)`"
        if not isinstance(tree, s.Name):
            self.expr(tree, scope)
            self.error(scope, tree.at, "bad-relation", "expected the name of a value", hint)
            return None
        value = self.model.values.get(tree.word)
        if value is None:
            pairs = [v.name for v in self.model.values.values() if len(v.params) == 2]
            self.unknown(scope, tree.at, "value", tree.word, pairs, hint)
            return None
        value.used = True
        if len(value.params) != 2:
            message = f"`{tree.word}` has {len(value.params)} parameters, and a relation has two"
            self.error(scope, tree.at, "bad-relation", message, hint)
            return None
        return value
