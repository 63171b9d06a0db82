"""What single words and dotted words mean.

Takes names and fields of the tree, gives typed expressions. Tells unknown words, with the nearest one.
"""

from __future__ import annotations

from typing import Any

from .. import syntax as s
from ..ir import E
from ..model import FieldDecl, Kind, Routine, TableDecl, Zone
from ..types import DESIGN, KIND, NONE, NUMBER, PLAYER, TEXT, TRUTH, UNKNOWN, Type, list_of, piece, symbol
from ..types import zone as zone_type
from .core import Core, article
from .scope import At, Scope

PRONOUNS = ("you", "it", "this", "active", "opponent", "players", "none", "true", "false", "game", "box")
BOX = Type("zone", None)


class Names(Core):
    # ---- bare words ----

    def name(self, tree: s.Name, scope: Scope, want: Type | None) -> E:
        word, at = tree.word, tree.at
        local = scope.find(word)
        if local is not None:
            local.used = True
            return self.make("local", local.type, (local.py,), scope, at)
        pronoun = self.pronoun(word, scope, at)
        if pronoun is not None:
            return pronoun
        if scope.bare is not None:
            found = self.member(scope.bare, word, scope, at)
            if found is not None:
                return found
        found = self.meaning(word, scope, at, want)
        return found if found is not None else self.unknown_name(word, scope, at)

    def pronoun(self, word: str, scope: Scope, at: At) -> E | None:
        if word == "you":
            scope.mentions.add("you")
            if scope.you is None:
                self.error(
                    scope,
                    at,
                    "no-you",
                    "nobody is `you` here",
                    "give the value a parameter `you`, or write `as each players:` around this",
                )
                return self.nothing(scope, at)
            return self.make("local", PLAYER, (scope.you,), scope, at)
        if word == "this":
            scope.mentions.add("this")
            if scope.this is None:
                self.error(
                    scope, at, "no-this", "`this` is the piece whose text it is, and this text has none"
                )
                return self.nothing(scope, at)
            return self.make("this", scope.this, (), scope, at)
        if word == "it":
            scope.mentions.add("it")
            if scope.it is None:
                self.error(scope, at, "no-it", "`it` is the event of a rule, and there is none here")
            else:
                self.error(scope, at, "bare-it", "`it` is the event: name a part of it", self.parts(scope))
            return self.nothing(scope, at)
        if word in ("true", "false"):
            return self.make("const", TRUTH, (word == "true",), scope, at)
        if word == "none":
            return self.make("const", NONE, (None,), scope, at)
        if word == "active":
            return self.make("active", PLAYER, (), scope, at)
        if word == "players":
            return self.make("players", list_of(PLAYER), (), scope, at)
        if word == "box":
            return self.make("box", BOX, (), scope, at)
        if word == "opponent":
            if self.model.most != 2:
                self.error(
                    scope,
                    at,
                    "no-opponent",
                    "`opponent` is only known in games for two",
                    "ask with `choose p in players where p is not you`",
                )
                return self.nothing(scope, at)
            you = self.pronoun("you", scope, at)
            if you is None or you.type.base == "unknown":
                return self.nothing(scope, at)
            return self.make("opponent", PLAYER, (you,), scope, at)
        return None

    def parts(self, scope: Scope) -> str:
        return "its parts: " + ", ".join(f"`it.{w}`" for w in scope.it or ())

    def meaning(self, word: str, scope: Scope, at: At, want: Type | None) -> E | None:
        found = self.meanings(word, scope, at)
        if not found:
            return None
        chosen = None
        if want is not None and want.base != "unknown":
            chosen = next((m for m in found if self.suits(m[0], want)), None)
        if chosen is None:
            symbols = [m for m in found if m[0].type.base == "symbol" and m[0].op == "const"]
            if len(symbols) > 1 and found[0] in symbols:
                types = " and ".join(f"`{m[0].type.of}`" for m in symbols)
                self.error(
                    scope,
                    at,
                    "ambiguous-symbol",
                    f"`{word}` is a symbol of {types}: nothing here tells which",
                )
                return self.nothing(scope, at)
            chosen = found[0]
        e, owner = chosen
        if owner is not None:
            owner.used = True
        if e.op == "call":
            self.use_value(e.a[0], scope)
            return E("call", self.value_type(e.a[0], scope, at), e.a, e.place)
        if e.op == "design" and (want is None or want.base != "design") and e.a[0].single:
            return E("piece", piece(e.a[0].kind), e.a, e.place)
        return e

    def suits(self, e: E, want: Type) -> bool:
        if want.base == "list" and e.type.base in ("zone", "kind"):
            return True
        if want.base == "piece" and e.op == "design":
            return e.a[0].single and self.fits(piece(e.a[0].kind), want)
        if e.type.base == "unknown":
            return False
        return self.fits(e.type, want)

    def meanings(self, word: str, scope: Scope, at: At) -> list[tuple[E, Any]]:
        """All that a word may mean, in the order in which they win, each with what it uses."""
        model, found = self.model, list[tuple[E, Any]]()

        def add(op: str, kind: Type, parts: tuple[Any, ...], owner: Any = None) -> None:
            found.append((self.make(op, kind, parts, scope, at), owner))

        if word in scope.seats:
            add("const", PLAYER, (scope.seats[word],))
        if scope.effect is not None:
            if word in scope.effect.memory:
                field = scope.effect.memory[word]
                add("memory", field.type, (field,), field)
            for index, param in enumerate(scope.effect.params):
                if param.name == word:
                    add("argument", param.type, (index,))
        if word in model.game_fields:
            field = model.game_fields[word]
            if field.key is None:
                add("game", field.type, (field,), field)
        if word in model.options:
            option = model.options[word]
            kinds = {
                "switch": TRUTH,
                "number": NUMBER,
                "choice": symbol(f"{word}_option"),
                "choices": list_of(DESIGN),
            }
            add("option", kinds[option.sort], (word,), option)
        for name, words in model.symbols.items():
            if word in words and " " not in name:
                add("const", symbol(name), (words.index(word),))
        for name, words in model.symbols.items():
            if word in words and " " in name:
                found_face = self.make("const", symbol(name), (words.index(word),), scope, at)
                found.append((found_face, None))
        if word in model.components:
            add("design", DESIGN, (model.components[word],))
        kind = model.kinds.get(model.words.get(word, word))
        if kind is not None:
            add("kind", KIND, (kind.name,), kind)
        if word in model.symbols:
            add("symbols", list_of(symbol(word)), (word,))
        zone = model.zones.get(word)
        if zone is not None and not zone.of:
            add("zone", self.zone_type(zone), (zone, None), zone)
        resource = model.resources.get(word)
        if resource is not None and resource.of == "game":
            add("resource", NUMBER, (resource, None), resource)
        value = model.values.get(word)
        if value is not None and not value.params:
            add("call", UNKNOWN, (value, ()), value)
        if word in model.modules:
            when = model.modules[word].when
            if isinstance(when, E):
                found.append((when, None))
            elif when is None:
                add("const", TRUTH, (True,))
        if word in model.boards:
            add("pieces", list_of(piece(model.boards[word].of)), (model.boards[word].of,))
        return found

    def unknown_name(self, word: str, scope: Scope, at: At) -> E:
        model = self.model
        if word in model.spans:
            self.error(
                scope,
                at,
                "span-as-value",
                f"`{word}` is a span: it is no thing by itself",
                f"ask `{word} is not none`, or name what it remembers: `{word}.…`",
            )
            model.spans[word].used = True
            return self.nothing(scope, at)
        if word in model.procedures:
            self.error(
                scope,
                at,
                "procedure-in-expression",
                f"`{word}` is a procedure, and no part of an expression",
                f"write `{word}()` as a sentence of its own, or `let x be {word}()`",
            )
            model.procedures[word].used = True
            return self.nothing(scope, at)
        for what, table in (("value", model.values), ("table", model.tables)):
            if word in table:
                params = ", ".join(p.name for p in table[word].params)
                self.error(
                    scope,
                    at,
                    "wrong-count",
                    f"the {what} `{word}` needs its arguments",
                    f"write `{word}({params})`",
                )
                table[word].used = True
                return self.nothing(scope, at)
        owned = model.zones.get(word) or model.resources.get(word) or model.player_fields.get(word)
        if owned is not None:
            owned.used = True
            owner = "you" if not isinstance(owned, Zone) or "player" in owned.of else owned.of[0]
            what = "zone" if isinstance(owned, Zone) else "resource" if word in model.resources else "field"
            self.error(
                scope, at, "whose", f"the {what} `{word}` has an owner: whose?", f"write `{owner}.{word}`"
            )
            return self.nothing(scope, at)
        known = [
            *scope.words(),
            *PRONOUNS,
            *scope.seats,
            *model.game_fields,
            *model.options,
            *model.components,
        ]
        known += [*model.words, *model.symbols, *model.boards, *model.spans, *model.modules]
        known += [w for words in model.symbols.values() for w in words]
        known += [z.name for z in model.zones.values() if not z.of]
        known += [r.name for r in model.resources.values() if r.of == "game"]
        known += [v.name for v in model.values.values() if not v.params]
        if scope.effect is not None:
            known += [*scope.effect.memory, *(p.name for p in scope.effect.params)]
        if scope.bare is not None:
            known += self.members(scope.bare.type)
        return self.unknown(scope, at, "name", word, known, message=f"nothing here is called `{word}`")

    def zone_type(self, zone: Zone) -> Type:
        return zone_type(self.common(zone.holds))

    # ---- values ----

    def use_value(self, value: Routine, scope: Scope) -> None:
        value.used = True
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
                        self.parts(scope),
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
            if word == "opponent" and model.most == 2:
                return self.make("opponent", PLAYER, (of,), scope, at)
            if word == "name":
                return self.make("text", TEXT, ((of,),), scope, at)
            return None
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
        self.use_value(target, scope)
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
        elif kind.base == "piece":
            name = str(kind.of) if kind.of else None
            kinds = [name, *model.family(name)] if name is not None else list(model.kinds)
            for k in kinds:
                found += [*model.fields_of(k), *(z.name for z in model.zones_of(k))]
            found += ["zone", "name", "face", "player", *model.kinds]
        for group in (model.values, model.tables):
            found += [
                v.name for v in group.values() if len(v.params) == 1 and self.fits(kind, v.params[0].type)
            ]
        return found
