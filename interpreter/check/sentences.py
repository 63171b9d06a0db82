"""Parts of sentences: what can be set, where things go, how much of what.

Takes arguments and tails of verbs, gives typed expressions. Marks the fields that effects change.
"""

from __future__ import annotations

from typing import Any

from .. import syntax as s
from ..ir import E, X
from ..model import Resource, Zone
from ..types import piece
from .core import article
from .grids import Grids
from .scope import At, Head, Scope
from .tables import VERBS

SETTABLE = ("local", "game", "span", "field", "fields", "resource", "memory", "it")


class Sentences(Grids):
    def shape_of(
        self, tree: s.Verb, scope: Scope, args: int, tails: str = "", must: str = "", result: bool = False
    ) -> bool:
        """Whether a sentence has the parts that its verb wants."""
        shape = VERBS[tree.word].shape
        if len(tree.args) != args:
            self.error(
                scope,
                tree.word_at,
                "wrong-count",
                f"`{tree.word}` does not go like this",
                f"it goes: {shape}",
            )
            return False
        for tail in tree.tails:
            if tail.word not in tails.split():
                self.error(
                    scope,
                    tail.at,
                    "unknown-part",
                    f"`{tree.word}` has no part `{tail.word} …`",
                    f"it goes: {shape}",
                )
                return False
        have = {t.word for t in tree.tails}
        for word in must.split():
            if word not in have:
                self.error(
                    scope,
                    tree.word_at,
                    "missing-part",
                    f"`{tree.word}` needs `{word} …`",
                    f"it goes: {shape}",
                )
                return False
        if tree.result is not None and not result:
            self.error(
                scope, tree.word_at, "unknown-part", f"`{tree.word}` has no part `as …`", f"it goes: {shape}"
            )
            return False
        return True

    def tail(self, tree: s.Verb, *words: str) -> s.Expr | s.Amount | None:
        return next((t.arg for t in tree.tails if t.word in words), None)

    def plain(self, arg: s.Expr | s.Amount | None, scope: Scope, verb: str) -> s.Expr | None:
        """An argument that has no unit."""
        if isinstance(arg, s.Amount):
            self.error(
                scope,
                arg.unit_at,
                "unknown-part",
                f"`{arg.unit}` cannot stand here",
                f"it goes: {VERBS[verb].shape}",
            )
            return None
        return arg

    def x(self, op: str, tree: s.Stmt, scope: Scope, *parts: Any) -> X:
        return X(op, parts, scope.source.place(tree.at))

    def target(self, tree: s.Expr | None, scope: Scope) -> E | None:
        """Something that can be set, marked as changed."""
        if tree is None:
            return None
        local = scope.find(tree.word) if isinstance(tree, s.Name) else None
        used = local.used if local is not None else False
        e = self.expr(tree, scope)
        if local is not None:
            local.used = used
        if e.type.base == "unknown" and e.op != "local":  # `let x be none` is told its type by the first `set`
            return None
        if e.op not in SETTABLE:
            self.error(
                scope,
                tree.at,
                "cannot-set",
                "this is reckoned or fixed, and cannot be set",
                "fields, resources, what spans and effects remember, and names made by `let` can",
            )
            return None
        if local is not None and isinstance(tree, s.Name):
            if local.sort in ("parameter", "loop"):
                what = "a parameter" if local.sort == "parameter" else "the name of a loop"
                self.error(
                    scope,
                    tree.at,
                    "set-parameter",
                    f"`{tree.word}` is {what}, and keeps its value",
                    f"name a copy first: `let x be {tree.word}`",
                )
                return None
            if scope.outside(tree.word):
                self.error(
                    scope,
                    tree.at,
                    "changed-inside-span",
                    f"`{tree.word}` was named outside of this block",
                    "a block of `during` or `at once` cannot change it: remember it in a span or a field",
                )
                return None
        elif e.op == "local":
            self.error(
                scope, tree.at, "set-parameter", "`you` cannot be set", "write `as player:` around the rest"
            )
            return None
        if e.op == "it" and not scope.it_settable:
            self.error(scope, tree.at, "set-event", "only a `before` rule may change its event")
            return None
        if e.op in ("field", "fields"):
            for field in e.a[0] if e.op == "fields" else (e.a[0],):
                if field.kept:
                    self.error(
                        scope,
                        tree.at,
                        "cannot-set",
                        f"`{field.name}` of a timer is kept by the clock, and cannot be set",
                        "write `start timer on target for 60 seconds` or `stop timer`",
                    )
                    return None
                field.changed = True
        elif e.op in ("game", "span", "memory"):
            e.a[0].changed = True
        return e

    def zone(self, tree: s.Expr, scope: Scope, kind: str | None = None, known: bool = False) -> E | None:
        """A zone; or the only fitting zone of a piece or player."""
        e = self.expr(tree, scope)
        base = e.type.base
        if base == "unknown":
            return None
        if base == "zone":
            if known and e.op == "zone" and kind is not None and not self.accepts(e.a[0], kind):
                self.wrong_zone(e.a[0], kind, scope, tree.at)
            return e
        if base not in ("piece", "player"):
            self.error(scope, tree.at, "wrong-type", f"expected a zone, but this is {article(e.type)}")
            return None
        if base == "player":
            zones = [z for z in self.model.zones.values() if "player" in z.of]
        else:
            name = str(e.type.of) if e.type.of else None
            zones = [
                z
                for z in self.model.zones.values()
                if any(o != "player" and self.related(name, o) for o in z.of)
            ]
        fitting = [z for z in zones if self.accepts(z, kind)] if known else zones
        if len(fitting) != 1:
            names = ", ".join(f"`{z.name}`" for z in (fitting or zones))
            self.error(
                scope,
                tree.at,
                "which-zone",
                f"which zone of this {e.type.sure()}?"
                if fitting or zones
                else f"{article(e.type)} has no zones",
                f"write one of {names} after a dot" if names else "",
            )
            return None
        fitting[0].used = True
        return E("zone", self.zone_type(fitting[0]), (fitting[0], e), e.place)

    def accepts(self, zone: Zone, kind: str | None) -> bool:
        return kind is None or not zone.holds or any(self.related(kind, h) for h in zone.holds)

    def wrong_zone(self, zone: Zone, kind: str, scope: Scope, at: At) -> None:
        held = " and ".join(self.model.kinds[h].many for h in zone.holds)
        self.error(
            scope, at, "wrong-zone", f"`{zone.name}` holds {held}, and no {self.model.kinds[kind].many}"
        )

    def things(self, tree: s.Expr, scope: Scope, whole: bool = True) -> E | None:
        """A piece, or several."""
        e = self.expr(tree, scope)
        if e.type.base in ("unknown", "piece"):
            return None if e.type.base == "unknown" else e
        if e.type.base in ("list", "zone") and whole:
            found = self.as_list(e, None, tree.at)
            if found is not None and (found.type.base == "unknown" or self.fits(found.type.item, piece())):
                return found
        if e.op == "design":
            self.error(
                scope, tree.at, "not-single", f"there are several pieces called `{e.a[0].id}`: which one?"
            )
        else:
            self.error(scope, tree.at, "wrong-type", f"expected a piece, but this is {article(e.type)}")
        return None

    def kind_in(self, e: E) -> str | None:
        kind = e.type.item if e.type.base == "list" else e.type
        return str(kind.of) if kind.base == "piece" and kind.of else None

    def resource(self, amount: s.Amount, scope: Scope) -> Resource | None:
        found = self.model.resources.get(amount.unit)
        if found is None:
            hint = ""
            if amount.unit in self.model.player_fields or amount.unit in self.model.game_fields:
                hint = "a field is changed with `add … to …`"
            elif amount.unit in self.model.words:
                hint = "pieces are moved: `move 2 cards from zone to zone`"
            elif self.model.resources:
                hint = f"resources are declared in {next(iter(self.model.resources.values())).place.file}"
            self.unknown(scope, amount.unit_at, "resource", amount.unit, self.model.resources, hint)
            return None
        found.used = True
        return found

    def you(self, scope: Scope, at: At) -> E:
        return self.pronoun("you", scope, at) or self.nothing(scope, at)

    def in_head(self, scope: Scope, at: At, head: Head, word: str) -> None:
        if head.open or scope.scenario:
            return
        related = ((head.ended, "the first change"),) if head.ended is not None else ()
        self.told += 1
        if word == "need":
            self.problems.error(
                scope.source.place(at),
                "late-need",
                "`need` comes too late: something was changed before it",
                "what must be true stands first; test with `if` what happens later",
                related=related,
            )
            return
        self.problems.error(
            scope.source.place(at),
            "late-payment",
            f"`{word}` comes too late: something was changed before it",
            "pay first, so that all or nothing happens; `lose` takes what there is; `may` asks anew",
            related=related,
        )
