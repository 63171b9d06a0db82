"""Values, procedures, actions, menus, spans, tables, effects and rules: the verbs of a ruleset."""

from __future__ import annotations

import re
from typing import Any

from .. import model as m
from .. import schema
from ..diagnostics import Place
from ..schema import Leaf
from ..types import NUMBER, PLAYER, Type, piece
from .cells import _cell_at, _Only, _place_of, _scalar, _Spot
from .components import Components
from .things import RAN_OUT


class Routines(Components):
    # ---- routines ----

    def routine(
        self,
        leaf: Leaf,
        what: str,
        shape: Any,
        body: Leaf | None,
        context: m.Effect | None = None,
        this: Type | None = None,
    ) -> m.Routine | None:
        found = self.signature(leaf)
        if found is None:
            return None
        word, params, _ = found
        if not self.name(leaf, what, word):
            return None
        made = m.Routine(
            word, what, leaf.place, params, body, context=context, this=this, text=str(shape.text or "")
        )
        made.cites = [str(c) for c in shape.cites]
        made.title = word.replace("_", " ").capitalize()
        made.py = self.fresh(word)
        self.cite(shape.cites, made)
        if getattr(shape, "gives", None) is not None:
            made.gives = self.type(shape.gives)
        return made

    def routines(
        self, part: schema.Part, module: str | None, context: m.Effect | None = None, this: Type | None = None
    ) -> None:
        self.callables(part, module, context, this)
        for leaf, shape in part.spans.items():
            found = self.signature(leaf)
            if found is None or not self.name(leaf, "span", found[0]):
                continue
            fields: dict[str, m.FieldDecl] = {}
            for param in found[1]:
                if param.name != "you":
                    fields[param.name] = m.FieldDecl(
                        param.name, param.type, leaf.place, "span", found[0], number=len(fields), changed=True
                    )
            self.fields(shape.has, "span", found[0], fields)
            span = m.Span(
                found[0], leaf.place, found[1], fields, len(self.model.spans), text=str(shape.text or "")
            )
            self.model.spans[found[0]] = span
            self.cite(shape.cites, span)
        for leaf, table in part.tables.items():
            self.table(leaf, table)
        for name, menu in part.menus.items():
            if self.name(name, "menu"):
                made = m.Menu(
                    str(name),
                    name.place,
                    [str(x) for x in menu.actions],
                    menu.picks,
                    menu.stop,
                    menu.prompt,
                    bool(menu.real_time and menu.real_time.value),
                )
                made.number, made.text = len(self.model.menus), str(menu.text or "")
                made.action_leaves = list(menu.actions)  # type: ignore[attr-defined]
                self.model.menus[str(name)] = made
                self.cite(menu.cites, made)
        for leaf, effect in part.effects.items():
            self.effect(leaf, effect, module)
        for rule in part.rules:
            self.rule(rule, None, module)

    def ran_out(self) -> None:
        """The event of timers: a procedure that does nothing by itself, for rules to stand before and after."""
        timers = [kind.name for kind in self.model.kinds.values() if kind.timer]
        if not timers:
            return
        roots = {self.root(name) for name in timers}
        kind = piece(timers[0] if len(timers) == 1 else roots.pop() if len(roots) == 1 else None)
        made = m.Routine(RAN_OUT, "procedure", self.model.kinds[timers[0]].place)
        made.params = [m.Param("timer", kind, self.fresh("timer"))]
        made.py, made.title, made.used, made.code = self.fresh(RAN_OUT), "Ran out", True, []
        self.model.procedures[RAN_OUT] = made

    def root(self, kind: str) -> str:
        parent = self.model.kinds[kind].parent
        return kind if parent is None else self.root(parent)

    def callables(self, part: Any, module: str | None, context: m.Effect | None, this: Type | None) -> None:
        for leaf, shape in part.values.items():
            made = self.routine(leaf, "value", shape, shape.is_, context, this)
            if made is not None:
                made.module = module
                self.model.values[made.name] = made
        for leaf, shape in part.procedures.items():
            made = self.routine(leaf, "procedure", shape, shape.do, context, this)
            if made is not None:
                made.module = module
                self.model.procedures[made.name] = made
        for leaf, shape in part.actions.items():
            made = self.routine(leaf, "action", shape, shape.do, context, this)
            if made is None:
                continue
            if made.params:
                self.problems.error(
                    leaf.place,
                    "action-parameters",
                    "an action has no parameters: it asks for what it needs with `choose`",
                )
            made.module, made.abstract = module, bool(shape.abstract and shape.abstract.value)
            made.like_place = shape.like.place if shape.like else None
            made.like, made.label, made.takes = (
                (str(shape.like) if shape.like else None),
                shape.label,
                shape.takes,
            )
            made.test = (shape.if_, shape.why) if shape.if_ is not None else None
            if shape.why is not None and shape.if_ is None:
                self.problems.error(
                    shape.why.place, "why-without-if", "`why` answers for an `if`, and there is none"
                )
            if shape.do is None and not made.abstract:
                self.problems.error(leaf.place, "missing-key", "`do` is missing here")
            self.model.actions[made.name] = made

    def table(self, leaf: Leaf, shape: schema.Table) -> None:
        found = self.signature(leaf)
        if found is None or not self.name(leaf, "table", found[0]):
            return
        word, params, _ = found
        gives = self.type(shape.gives) if shape.gives is not None else NUMBER
        made = m.TableDecl(word, leaf.place, params, gives, {}, text=str(shape.text or ""))
        self.model.tables[word] = made
        self.cite(shape.cites, made)
        made.shape = shape  # type: ignore[attr-defined]
        made.declarer = self  # type: ignore[attr-defined]

    def fill_tables(self) -> None:
        """Cells name components, so tables are filled when all of these are known."""
        for table in self.model.tables.values():
            self._fill(table, table.shape)  # type: ignore[attr-defined]
        for component in self.model.components.values():
            for key, (value, kind, place) in list(component.printed.items()):
                component.printed[key] = self.cell(value, kind, place)
                if key == (None, "sides") and self.model.inherited(component.kind, "sides"):
                    self.four_sides(component.printed[key], place)
        self.tiles_without_sides()

    def _fill(self, made: m.TableDecl, shape: schema.Table) -> None:
        rows = shape.rows
        if isinstance(rows, dict):
            if len(made.params) != 1:
                self.problems.error(
                    made.place, "bad-table", "a table with one line of cells has one parameter"
                )
                return
            for key, value in rows.items():
                index = self.cell(key, made.params[0].type, key.place)
                made.cells[(index,)] = self.cell(value, made.gives, value.place)
        elif isinstance(rows, list):
            for number, value in enumerate(rows, 1):
                made.cells[(number,)] = self.cell(value, made.gives, value.place)
        else:
            lines = [
                (n, line) for n, line in enumerate(str(rows).split("\n"), 1) if line.split("#")[0].strip()
            ]
            if not lines or len(made.params) != 2:
                self.problems.error(
                    made.place,
                    "bad-table",
                    "a table of rows and columns has two parameters: rows, then columns",
                )
                return
            head = [c.strip() for c in lines[0][1].split("|")]
            columns = [
                self.cell(self._at(rows, lines[0], i, c), made.params[1].type, rows.place)
                for i, c in enumerate(head)
                if i
            ]
            for line in lines[1:]:
                cells = [c.strip() for c in line[1].split("|")]
                if len(cells) != len(head):
                    self.problems.error(
                        rows.scalar.place_of(line[0], 1, line[0], len(line[1]) + 1),
                        "bad-row",
                        f"this line has {len(cells)} cells, but the table has {len(head)} columns",
                    )
                    continue
                row = self.cell(self._at(rows, line, 0, cells[0]), made.params[0].type, rows.place)
                for index, cell in enumerate(cells[1:], 1):
                    made.cells[(row, columns[index - 1])] = self.cell(
                        self._at(rows, line, index, cell), made.gives, rows.place
                    )

    def _at(self, whole: Leaf, row: tuple[int, str], index: int, text: str) -> Leaf:
        made = Leaf(text)
        made.value, made.scalar = _scalar(text), _Spot(whole.scalar.place_of(*_cell_at(row, index)))  # type: ignore[assignment]
        return made

    # ---- effects and rules ----

    def effect(self, leaf: Leaf, shape: schema.Effect, module: str | None, kind: str | None = None) -> None:
        found = self.signature(leaf)
        if found is None or not self.name(leaf, "effect", found[0]):
            return
        made = m.Effect(
            found[0],
            leaf.place,
            found[1],
            kind=kind,
            title=str(shape.name or found[0].replace("_", " ").capitalize()),
        )
        self.model.effects[found[0]] = made
        self.standing(made, shape, module)
        if shape.lasts is None and shape.lasts_while is None:
            self.problems.error(
                leaf.place,
                "effect-without-end",
                f"`{found[0]}` does not say how long it stands",
                "add `lasts: turn` (a span or a procedure), `lasts: game` or `lasts_while: …`",
            )

    def standing(self, made: m.Effect, shape: Any, module: str | None) -> None:
        made.shape, made.module, made.text = shape, module, str(shape.text or "")
        made.number = len(self.model.effects)
        made.cites = [str(c) for c in shape.cites]
        made.stacks = not (shape.stacks is not None and shape.stacks.value is False)
        self.cite(shape.cites, made)
        self.fields(shape.memory, "memory", made.name, made.memory)
        this = piece(made.kind) if made.kind else None
        if shape.lasts is not None:
            match = re.fullmatch(r"(?:(\d{1,5}) )?([a-z_][a-z0-9_]*)", str(shape.lasts).strip())
            if match is None:
                self.problems.error(
                    shape.lasts.place, "bad-lasts", "expected a span or a procedure, like `turn` or `2 cards`"
                )
            else:
                made.count, made.lasts = int(match[1] or 1), match[2]
        if shape.do is not None:
            made.do = m.Routine(
                made.name,
                "do",
                shape.do.place,
                list(made.params),
                shape.do,
                context=made,
                this=this,
                py=self.fresh(made.name),
            )
            made.do.title = made.title
        self.callables(shape, module, made, this)
        for rule in shape.rules:
            self.rule(rule, made, module)

    def component_bodies(self, part: schema.Part, module: str | None) -> None:
        for kind_name, entries in part.components.items():
            kind = self.model.kinds.get(str(kind_name))
            for name, shape in entries.items():
                made = self.model.components.get(str(name))
                if kind is None or made is None or made.kind != kind.name or name == "table":
                    continue
                base = entries.get(shape.like) if shape.like is not None else None
                this = piece(kind.name)
                stands = bool(shape.rules or shape.memory or shape.lasts is not None)
                inner = stands or shape.actions or shape.procedures or shape.values
                if inner:
                    effect = m.Effect(made.id, made.place, component=made, kind=kind.name, title=made.title)
                    made.effect = self.model.effects[made.id] = effect
                    self.standing(effect, shape, module)
                    if effect.do is not None:
                        made.does["do"] = effect.do
                for leaf, sub in shape.effects.items():
                    self.effect(leaf, sub, module, kind.name)
                bodies = {"do": shape.do if shape.do is not None or base is None else base.do}
                extra = dict((base.__pydantic_extra__ or {}) if base else {})
                extra.update(shape.__pydantic_extra__ or {})
                for slot in self.slots(kind):
                    bodies[slot] = extra.get(slot)
                for slot, body in bodies.items():
                    if body is None or slot in made.does:
                        continue
                    if not isinstance(body, Leaf):
                        self.problems.error(
                            _place_of(body) or name.place,
                            "wrong-shape",
                            "expected a sentence of the effect language",
                        )
                        continue
                    routine = m.Routine(
                        f"{made.id}" if slot == "do" else f"{made.id}.{slot}",
                        "do",
                        body.place,
                        [],
                        body,
                        context=made.effect,
                        this=this,
                        py=self.fresh(made.id),
                    )
                    routine.title = made.title
                    made.does[slot] = routine

    def rule(self, shape: schema.Rule, effect: m.Effect | None, module: str | None) -> None:
        first = shape.change or shape.when or shape.offers
        given = [k for k in ("change", "when", "offers") if getattr(shape, k) is not None]
        if first is None or len(given) != 1:
            place = shape.do or shape.if_ or (shape.cites[0] if shape.cites else None) or first
            where = (
                place.place
                if place is not None
                else (effect.place if effect else Place.whole("ruleset.yaml"))
            )
            self.problems.error(where, "bad-rule", "a rule has one of `change:`, `when:` and `offers:`")
            return
        made = m.Rule(
            "", first.place, effect, "", shape=shape, module=module, whose=str(shape.whose or "mine")
        )
        made.number = len(self.model.rules)
        made.cites = [str(c) for c in shape.cites]
        self.model.rules.append(made)
        if effect is not None:
            effect.rules.append(made)
        self.cite(shape.cites, made)

    def ends(self, file: schema.File) -> None:
        for what, shape in (("setup", file.setup), ("flow", file.flow)):
            if shape is None:
                continue
            if getattr(self.model, what) is not None:
                self.problems.error(
                    shape.do.place,
                    "declared-twice",
                    f"`{what}` is declared twice",
                    related=((getattr(self.model, what).place, "first declared here"),),
                )
                continue
            made = m.Routine(
                what, what, shape.do.place, [], shape.do, py=self.fresh(what), text=str(shape.text or "")
            )
            made.cites = [str(c) for c in shape.cites]
            setattr(self.model, what, made)
            self.cite(shape.cites, made)
        if file.end is not None:
            self.callables(_Only(values=file.end.values), None, None, None)
            for what, leaf in (("score", file.end.score), ("wins", file.end.wins)):
                if leaf is None:
                    continue
                params = [m.Param("you", PLAYER, "you")] if what == "score" else []
                made = m.Routine(what, "value", leaf.place, params, leaf, py=self.fresh(what))
                made.cites = [str(c) for c in file.end.cites]
                made.used = True
                setattr(self.model, what, made)
                self.cite(file.end.cites, made)
        if file.table:
            self.model.drawing = [*(self.model.drawing or []), *file.table]
