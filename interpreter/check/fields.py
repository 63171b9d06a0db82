"""What words after a dot mean: fields, resources, zones, holders, and values of one thing.

Takes fields of the tree, gives typed expressions.
"""

from __future__ import annotations

from .. import syntax as s
from ..ir import E
from ..model import FieldDecl, Kind, Routine, TableDecl, Zone
from ..types import DESIGN, NUMBER, PLAYER, SPOT, TEXT, UNKNOWN, Type, list_of, piece, symbol
from ..types import zone as zone_type
from .core import Core, article
from .scope import At, Scope

# What is known of a flick, in the order in which its path holds it.
PATH_PARTS = {
    "from": SPOT,
    "to": SPOT.maybe(),
    "struck": piece().maybe(),
    "touched": list_of(piece()),
    "left": list_of(piece()),
    "moved": list_of(piece()),
}


class Fields(Core):
    def event_parts(self, scope: Scope) -> str:
        return "its parts: " + ", ".join(f"`it.{w}`" for w in scope.it or ())

    def zone_type(self, zone: Zone) -> Type:
        return zone_type(self.common(zone.holds))

    def path_type(self, word: str) -> Type:
        """The type of a part of a path: pieces in it are of the kinds that lie on planes."""
        kind = PATH_PARTS[word]
        discs = piece(self.common([h for plane in self.model.planes.values() for h in plane.holds]))
        return list_of(discs) if kind.base == "list" else discs.maybe() if kind.base == "piece" else kind

    # ---- values ----

    def inside(self, routine: Routine, scope: Scope, at: At) -> bool:
        """What is declared inside an effect is known only there: it needs the effect's memory."""
        if routine.context is None or routine.context is scope.effect:
            return True
        self.error(
            scope,
            at,
            "out-of-effect",
            f"`{routine.name}` belongs to the effect `{routine.context.name}` and is not known here",
            f"to use it elsewhere, declare it among the {routine.what}s of the ruleset",
        )
        return False

    def use_value(self, value: Routine, scope: Scope, at: At) -> None:
        value.used = True
        self.inside(value, scope, at)
        if scope.routine is not None:
            scope.routine.calls.add(value)

    def value_type(self, value: Routine, scope: Scope, at: At) -> Type:
        if value in self.doing:
            if value.what == "value":
                names = [r.name for r in self.doing[self.doing.index(value) :] if r.what == "value"]
                way = " → ".join(f"`{n}`" for n in [*names, value.name])
                self.error(scope, at, "circular-value", f"`{value.name}` is defined through itself: {way}")
            return UNKNOWN
        self.routine(value)
        return value.gives or UNKNOWN

    # ---- dotted words ----

    def field(self, tree: s.Field, scope: Scope) -> E:
        word, at, model = tree.word, tree.word_at, self.model
        if isinstance(tree.of, s.Name) and scope.find(tree.of.word) is None:
            base = tree.of.word
            if base == "it" and scope.it is not None:
                scope.mentions.add("it")
                if word not in scope.it:
                    return self.unknown(
                        scope,
                        at,
                        "field",
                        word,
                        scope.it,
                        self.event_parts(scope),
                        f"this event has no part `{word}`",
                    )
                index, kind = scope.it[word]
                return self.make("it", kind, (index,), scope, tree.at)
            if base == "game":
                if word in model.game_fields:
                    model.game_fields[word].used = True
                    return self.make(
                        "game", model.game_fields[word].type, (model.game_fields[word],), scope, tree.at
                    )
                resource = model.resources.get(word)
                if resource is not None and resource.of == "game":
                    resource.used = True
                    return self.make("resource", NUMBER, (resource, None), scope, tree.at)
                known = [*model.game_fields, *(r.name for r in model.resources.values() if r.of == "game")]
                return self.unknown(scope, at, "field", word, known, message=f"the game has no `{word}`")
            span = model.spans.get(base)
            if span is not None:
                span.used = True
                if word not in span.fields:
                    return self.unknown(
                        scope,
                        at,
                        "field",
                        word,
                        span.fields,
                        "what a span remembers is declared under its `has`",
                        f"the span `{base}` remembers no `{word}`",
                    )
                span.fields[word].used = True
                return self.make("span", span.fields[word].type, (span.fields[word],), scope, tree.at)
        of = self.expr(tree.of, scope)
        if of.type.base == "unknown":
            return self.nothing(scope, tree.at)
        found = self.member(of, word, scope, tree.at)
        if found is not None:
            return found
        if word in model.procedures:
            model.procedures[word].used = True
            self.error(
                scope,
                at,
                "procedure-in-expression",
                f"`{word}` is a procedure, and no part of an expression",
                f"write `{word}(…)` as a sentence of its own",
            )
            return self.nothing(scope, at)
        return self.unknown(
            scope, at, "field", word, self.members(of.type), message=f"{article(of.type)} has no `{word}`"
        )

    def member(self, of: E, word: str, scope: Scope, at: At) -> E | None:
        """`of.word`, or None if there is no such thing."""
        found = self.own_member(of, word, scope, at)
        if found is None:
            found = self.by_value(of, word, scope, at)
        if found is not None and of.type.opt and found.type.base not in ("unknown", "list"):
            found = E(found.op, found.type.maybe(), found.a, found.place)
        return found

    def own_member(self, of: E, word: str, scope: Scope, at: At) -> E | None:
        model, base = self.model, of.type.base
        if of.op == "design":
            single = of.a[0].single
            if not single:
                return None
        if base == "player":
            if word in model.player_fields and model.player_fields[word].key is None:
                field = model.player_fields[word]
                field.used = True
                return self.make("field", field.type, (field, of, None), scope, at)
            resource = model.resources.get(word)
            if resource is not None and resource.of == "player":
                resource.used = True
                return self.make("resource", NUMBER, (resource, of), scope, at)
            zone = model.zones.get(word)
            if zone is not None and "player" in zone.of:
                zone.used = True
                return self.make("zone", self.zone_type(zone), (zone, of), scope, at)
            kind = model.kinds.get(word)
            if kind is not None and self.one_each(kind):
                kind.used = True
                return self.make("own", piece(word), (word, of), scope, at)
            board = model.boards.get(word)
            if board is not None and board.per_player:
                return self.make("own_board", list_of(piece(board.of)), (board, of), scope, at)
            if word == "opponent" and model.most == 2:
                return self.make("opponent", PLAYER, (of,), scope, at)
            if word == "name":
                return self.make("text", TEXT, ((of,),), scope, at)
            return None
        if base == "path" and word in PATH_PARTS:
            return self.make("path_part", self.path_type(word), (of, list(PATH_PARTS).index(word)), scope, at)
        if base == "spot" and word in ("x", "y"):
            return self.make("axis", NUMBER, (of, "xy".index(word)), scope, at)
        if base != "piece":
            return None
        name = str(of.type.of) if of.type.of else None
        fields = self.fields_named(name, word)
        if len(fields) == 1 and name is not None and self.model.is_like(name, fields[0].owner):
            fields[0].used = True
            return self.make("field", fields[0].type, (fields[0], of, None), scope, at)
        if fields:
            return self.many_fields(fields, of, word, scope, at)
        zone = model.zones.get(word)
        if zone is not None and any(o != "player" and self.related(name, o) for o in zone.of):
            zone.used = True
            return self.make("zone", self.zone_type(zone), (zone, of), scope, at)
        if word in ("x", "y", "spot", "radius") and self.model.planes and self.model.discs(name):
            if word == "radius":
                return self.make("radius", NUMBER, (of,), scope, at)
            spot = self.make("spot_of", SPOT.maybe(), (of,), scope, at)
            return spot if word == "spot" else self.make("axis", NUMBER.maybe(), (spot, "xy".index(word)), scope, at)
        if word == "left" and self.may_be_timer(name):
            return self.make("left", NUMBER, (of,), scope, at)
        if word == "zone":
            return self.make("where", zone_type(), (of,), scope, at)
        if word == "name":
            return self.make("design_of", DESIGN, (of,), scope, at)
        if word == "face":
            faced = self.faced(name)
            if faced is not None:
                return self.make("face", symbol(f"{faced} face"), (of,), scope, at)
            return None
        if word == "player":
            return self.make("holder", PLAYER.maybe(), (of, "player"), scope, at)
        if word in model.kinds:
            model.kinds[word].used = True
            return self.make("holder", piece(word).maybe(), (of, word), scope, at)
        return None

    def many_fields(self, fields: list[FieldDecl], of: E, word: str, scope: Scope, at: At) -> E | None:
        kind: Type | None = fields[0].type
        for field in fields:
            field.used = True
            kind = self.unify(kind, field.type) if kind is not None else None
        if kind is None:
            self.error(
                scope,
                at,
                "ambiguous-field",
                f"`{word}` has different types in the kinds that this may be",
                "say of which kind it is, in a declared parameter",
            )
            return self.nothing(scope, at)
        if kind.base not in ("list", "unknown"):
            kind = kind.maybe()
        return self.make("fields", kind, (tuple(fields), of, None), scope, at)

    def fields_named(self, kind: str | None, word: str, keyed: bool = False) -> list[FieldDecl]:
        """The field of that kind, or those of the kinds it may turn out to be."""
        if kind is not None:
            field = self.model.field_of(kind, word)
            if field is not None:
                return [field] if (field.key is not None) == keyed else []
        family = self.model.family(kind) if kind is not None else list(self.model.kinds)
        found = [self.model.kinds[k].fields.get(word) for k in family]
        return [f for f in found if f is not None and (f.key is not None) == keyed]

    def may_be_timer(self, kind: str | None) -> bool:
        if self.model.is_timer(kind):
            return True
        family = self.model.family(kind) if kind is not None else list(self.model.kinds)
        return any(self.model.kinds[k].timer for k in family)

    def faced(self, kind: str | None) -> str | None:
        current = kind
        while current is not None:
            if self.model.kinds[current].faces:
                return current
            current = self.model.kinds[current].parent
        family = self.model.family(kind) if kind is not None else list(self.model.kinds)
        faced = [k for k in family if self.model.kinds[k].faces]
        return faced[0] if len(faced) == 1 else None

    def one_each(self, kind: Kind) -> bool:
        if kind.components:
            return (
                len(kind.components) == 1 and kind.components[0].per_player and kind.components[0].copies == 1
            )
        return kind.per_player == 1

    def by_value(self, of: E, word: str, scope: Scope, at: At) -> E | None:
        """`p.movement` for `movement(p)`."""
        target: Routine | TableDecl | None = self.model.values.get(word) or self.model.tables.get(word)
        if target is None or not target.params or not self.fits(of.type.sure(), target.params[0].type):
            return None
        target.used = True
        if len(target.params) > 1:
            rest = ", ".join(["…", *(p.name for p in target.params[1:])])
            self.error(
                scope, at, "wrong-count", f"`{word}` needs more than one argument", f"write `{word}({rest})`"
            )
            return self.nothing(scope, at)
        if isinstance(target, TableDecl):
            return self.make("table", target.gives, (target, (of,)), scope, at)
        self.use_value(target, scope, at)
        return self.make("call", self.value_type(target, scope, at), (target, (of,)), scope, at)

    def members(self, kind: Type) -> list[str]:
        """All that may stand after a dot, for suggestions."""
        model, found = self.model, list[str]()
        if kind.base == "player":
            found += [
                *model.player_fields,
                *(r.name for r in model.resources.values() if r.of == "player"),
                "name",
            ]
            found += [z.name for z in model.zones.values() if "player" in z.of]
            found += [k.name for k in model.kinds.values() if self.one_each(k)]
            found += [b.name for b in model.boards.values() if b.per_player]
        elif kind.base == "piece":
            name = str(kind.of) if kind.of else None
            kinds = [name, *model.family(name)] if name is not None else list(model.kinds)
            for k in kinds:
                found += [*model.fields_of(k), *(z.name for z in model.zones_of(k))]
                found += ["left"] if model.is_timer(k) else []
            found += ["zone", "name", "face", "player", *model.kinds]
            found += ["x", "y", "spot", "radius"] if model.planes and model.discs(name) else []
        elif kind.base == "path":
            found += PATH_PARTS
        elif kind.base == "spot":
            found += ["x", "y"]
        for group in (model.values, model.tables):
            found += [
                v.name for v in group.values() if len(v.params) == 1 and self.fits(kind, v.params[0].type)
            ]
        return found
