"""Components: cards, tiles and tokens with their printed values, one by one or in tables."""

from __future__ import annotations

from typing import Any

from .. import model as m
from .. import schema
from ..diagnostics import Place, suggest
from ..schema import Leaf
from ..types import PLAYER, Type
from .cells import _cell_at, _key_place, _place_of, _scalar, _Spot
from .things import Things


class Components(Things):
    # ---- components ----

    def component_names(self, part: schema.Part, module: str | None) -> None:
        for kind_name, entries in part.components.items():
            kind = self.model.kinds.get(str(kind_name))
            if kind is None:
                self.problems.error(
                    kind_name.place,
                    "unknown-kind",
                    f"no kind is called `{kind_name}`",
                    suggestion=suggest(kind_name, self.model.kinds),
                )
                continue
            for name, shape in entries.items():
                if name == "table":
                    if shape.table is not None:
                        self.component_table(kind, shape.table, module)
                    continue
                self.component(kind, name, shape, entries, module)

    def component(
        self,
        kind: m.Kind,
        name: Leaf,
        shape: schema.Component,
        entries: dict[Leaf, schema.Component],
        module: str | None,
    ) -> None:
        if not self.name(name, kind.name):
            return
        if shape.table is not None:
            self.problems.error(name.place, "wrong-shape", f"expected `key: value` lines for `{name}`")
            return
        made = m.Component(
            str(name),
            kind.name,
            name.place,
            str(shape.name or name.replace("_", " ").capitalize()),
            str(shape.text or ""),
        )
        base = entries.get(shape.like) if shape.like is not None else None
        if base is not None and shape.text is None:
            made.text = str(base.text or "")
        if shape.like is not None and base is None:
            self.problems.error(
                shape.like.place,
                "unknown-component",
                f"no {kind.name} here is called `{shape.like}`",
                suggestion=suggest(shape.like, entries),
            )
        copies = shape.copies if shape.copies is not None else (base.copies if base else None)
        per = shape.per_player if shape.per_player is not None else (base.per_player if base else None)
        self.amounts(made, kind, copies, per)
        starts = shape.starts or (base.starts if base else None)
        made.starts = str(starts) if starts else None
        made.starts_place = starts.place if starts else None
        made.module = module
        extra = dict(base.__pydantic_extra__ or {}) if base else {}
        extra.update(shape.__pydantic_extra__ or {})
        fields, slots = self.model.fields_of(kind.name), self.slots(kind)
        places = {str(k): k for k in (shape.__pydantic_extra__ or {})}
        for key, value in extra.items():
            place = key.place if isinstance(key, Leaf) else (_place_of(value) or name.place)
            key = str(key)
            if key in slots:
                continue
            field = fields.get(key)
            faces = [f for f in kind.faces if f == key]
            if faces:
                if isinstance(value, dict):
                    for sub, cell in value.items():
                        self.print(
                            made, kind, str(sub), cell, key, cell.place if isinstance(cell, Leaf) else place
                        )
                continue
            if field is None and schema.is_split(key, value):
                self.problems.error(
                    _key_place(places.get(key), value, name),
                    "comma-in-braces",
                    "the comma before this has split a sentence in two",
                    hint=schema.IN_QUOTES,
                )
                continue
            if field is None:
                known = [*fields, *slots, *kind.faces, *schema.Component.model_fields]
                self.problems.error(
                    _key_place(places.get(key), value, name),
                    "unknown-field",
                    f"a {kind.name} has no `{key}`",
                    suggestion=suggest(key, known),
                    hint="a kind's fields are declared under `has`",
                )
                continue
            self.print(made, kind, key, value, None, place)
        self.model.components[str(name)] = made
        kind.components.append(made)
        self.cite(shape.cites, made)
        made.cites = [str(c) for c in shape.cites]

    def amounts(self, made: m.Component, kind: m.Kind, copies: Leaf | None, per: Leaf | None) -> None:
        for leaf in (copies, per):
            if leaf is not None and not 0 <= leaf.value <= 500:
                self.problems.error(leaf.place, "too-many-pieces", "a component has at least 0 and at most 500 copies")
                return
        if per is not None:
            made.copies, made.per_player = int(per.value), True
        elif copies is not None:
            made.copies = int(copies.value)
            made.per_player = bool(kind.per_player)
        elif kind.per_player:
            made.per_player, made.copies = True, kind.per_player
        if made.per_player:
            root = self.model.field_of(kind.name, "owner")
            if root is None:
                kind.fields["owner"] = m.FieldDecl("owner", PLAYER, kind.place, "kind", kind.name)

    def slots(self, kind: m.Kind) -> list[str]:
        found: list[str] = []
        current: str | None = kind.name
        while current is not None:
            found += self.model.kinds[current].does
            current = self.model.kinds[current].parent
        return found

    def component_table(self, kind: m.Kind, text: Leaf, module: str | None) -> None:
        """One component a line, columns parted by `|`, the first line with their names."""
        rows = [
            (n, line)
            for n, line in enumerate(str(text).split("\n"), 1)
            if line.strip() and not line.strip().startswith("#")
        ]
        if not rows:
            return
        head = [c.strip() for c in rows[0][1].split("|")]
        fields = self.model.fields_of(kind.name)
        fixed = ("id", "name", "copies", "per_player", "text", "starts")
        known: list[str | None] = []
        for index, column in enumerate(head):
            face, _, bare = column.rpartition(".")
            if column in fixed or (bare in fields and (not face or face in kind.faces)):
                known.append(column)
            else:
                place = text.scalar.place_of(*_cell_at(rows[0], index))
                self.problems.error(
                    place,
                    "unknown-field",
                    f"a {kind.name} has no `{column}`",
                    suggestion=suggest(column, [*fields, *fixed]),
                )
                known.append(None)
        if "id" not in head:
            self.problems.error(
                text.place, "missing-key", "the first line of a table names its columns; one of them is `id`"
            )
            return
        for row in rows[1:]:
            cells = [c.strip() for c in row[1].split("|")]
            if len(cells) != len(head):
                self.problems.error(
                    text.scalar.place_of(row[0], 1, row[0], len(row[1]) + 1),
                    "bad-row",
                    f"this line has {len(cells)} cells, but the table has {len(head)} columns",
                )
                continue
            named = dict(zip(head, cells, strict=True))
            where = {column: text.scalar.place_of(*_cell_at(row, index)) for index, column in enumerate(head)}
            word = named["id"]
            leaf = Leaf(word)
            leaf.value, leaf.scalar = word, _Spot(where["id"])  # type: ignore[assignment]
            if not schema.IDENTIFIER.match(word):
                self.problems.error(
                    where["id"], "bad-name", f"`{word}` is no name: small letters, digits and `_`"
                )
                continue
            if not self.name(leaf, kind.name):
                continue
            made = m.Component(
                word,
                kind.name,
                where["id"],
                named.get("name") or word.replace("_", " ").capitalize(),
                named.get("text", ""),
            )
            for column in ("copies", "per_player"):
                if named.get(column):
                    if not named[column].isdigit():
                        self.problems.error(where[column], "bad-cell", f"`{column}` is a whole number")
                        continue
                    number = Leaf(named[column])
                    number.value, number.scalar = int(named[column]), _Spot(where[column])  # type: ignore[assignment]
                    self.amounts(
                        made,
                        kind,
                        number if column == "copies" else None,
                        number if column == "per_player" else None,
                    )
            if kind.per_player and not named.get("copies") and not named.get("per_player"):
                self.amounts(made, kind, None, None)
            made.starts, made.starts_place = named.get("starts") or None, where.get("starts")
            made.module = module
            for shown in known:
                column = shown or ""
                if shown is None or column in fixed:
                    continue
                face, _, bare = column.rpartition(".")
                if named[column] == "":
                    continue
                cell = Leaf(named[column])
                cell.value, cell.scalar = _scalar(named[column]), _Spot(where[column])  # type: ignore[assignment]
                self.print(made, kind, bare, cell, face or None, where[column])
            self.model.components[word] = made
            kind.components.append(made)

    def print(
        self, made: m.Component, kind: m.Kind, field_name: str, value: Any, face: str | None, place: Place
    ) -> None:
        field = self.model.fields_of(kind.name).get(field_name)
        if field is None:
            self.problems.error(
                place,
                "unknown-field",
                f"a {kind.name} has no `{field_name}`",
                suggestion=suggest(field_name, self.model.fields_of(kind.name)),
            )
            return
        if field.kept:
            self.problems.error(
                place, "bad-cell", f"`{field_name}` is kept by the clock: a timer begins idle", "write `start …`"
            )
            return
        if field.face is not None and face is None:
            face = kind.faces[0]
        made.printed[(face, field_name)] = (value, field.type, place)

    def cell(self, value: Any, kind: Type, place: Place) -> Any:
        """A printed value as data: symbols by number, components by name (bound later)."""
        if kind.base == "list":
            if isinstance(value, Leaf):
                items: list[Any] = (
                    []
                    if value.value is None or not str(value).strip()
                    else [self._sub(value, w) for w in str(value).strip("[]").replace(",", " ").split()]
                )
            else:
                items = list(value) if isinstance(value, list) else [value]
            return tuple(
                self.cell(item, kind.item, item.place if isinstance(item, Leaf) else place) for item in items
            )
        if not isinstance(value, Leaf):
            self.problems.error(place, "bad-cell", f"expected a single {kind} here")
            return None
        where = value.place
        raw = value.value
        if raw is None or (kind.opt and str(value) in ("none", "-")):
            if not kind.opt:
                self.problems.error(where, "bad-cell", f"expected a {kind} here")
            return None
        if kind.base == "number":
            if type(raw) in (int, float) and (raw * 2) == int(raw * 2):
                return int(raw) if raw == int(raw) else raw
        elif kind.base == "truth":
            if isinstance(raw, bool):
                return raw
            if str(value) in ("yes", "no"):
                return str(value) == "yes"
        elif kind.base == "text":
            return str(value)
        elif kind.base == "symbol":
            words = self.model.symbols[str(kind.of)]
            if str(value) in words:
                return words.index(str(value))
            self.problems.error(
                where,
                "unknown-symbol",
                f"no {kind.of} is called `{value}`",
                suggestion=suggest(str(value), words),
            )
            return None
        elif kind.base == "piece":
            found = self.model.components.get(str(value))
            if found is not None and self.model.is_like(found.kind, kind.of):  # type: ignore[arg-type]
                if not found.single:
                    self.problems.error(
                        where,
                        "not-single",
                        f"there are several pieces called `{value}`, so it cannot stand here",
                    )
                return ("piece", found.id)
            self.problems.error(
                where,
                "unknown-component",
                f"no {kind} is called `{value}`",
                suggestion=suggest(str(value), self.model.components),
            )
            return None
        elif kind.base == "kind":
            if str(value) in self.model.kinds:
                return ("kind", str(value))
        elif kind.base == "design":
            if str(value) in self.model.components:
                return ("design", str(value))
        elif kind.base == "unknown":
            return None
        self.problems.error(where, "bad-cell", f"`{value}` is no {kind}")
        return None

    def _sub(self, whole: Leaf, word: str) -> Leaf:
        made = Leaf(word)
        made.value, made.scalar = _scalar(word), whole.scalar
        return made
