"""What single words mean.

Takes names of the tree, gives typed expressions. Tells unknown words, with the nearest one.
"""

from __future__ import annotations

from typing import Any

from .. import syntax as s
from ..ir import E
from ..model import Zone
from ..types import DESIGN, KIND, NONE, NUMBER, PLAYER, TRUTH, UNKNOWN, Type, list_of, piece, symbol
from .fields import Fields
from .scope import At, Scope

PRONOUNS = (
    "you", "it", "this", "active", "opponent", "players", "none", "true", "false", "game", "box", "now"
)  # fmt: skip
BOX = Type("zone", None)


class Names(Fields):
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
                self.error(
                    scope, at, "bare-it", "`it` is the event: name a part of it", self.event_parts(scope)
                )
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
        if word == "now":
            return self.make("now", NUMBER, (), scope, at)
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
            self.use_value(e.a[0], scope, at)
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
