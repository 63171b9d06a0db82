"""The image of a compiled ruleset: everything that playing needs, as plain data.

No object of the earlier rooms is in it, so it can be kept in a cache and read back without them.
"""

from __future__ import annotations

from typing import Any

from ..check.hidden import head_tells
from ..ir import E
from ..slots import change_slot, field_name, game_name, hook_slot, inside_name, lasting_name, span_name
from ..types import Type


def plain_type(kind: Type) -> tuple[Any, ...]:
    of = plain_type(kind.of) if isinstance(kind.of, Type) else kind.of
    return (kind.base, of, kind.opt)


def image(c: Any) -> dict[str, Any]:
    made = _image(c)
    made["fingerprint"] = _fingerprint(c, made)
    made["things"] = things(c)
    made["function_routines"] = dict(c.function_routines)
    return made


NO_RULES = ("title", "text", "many", "place", "things", "places", "cites")


def _fingerprint(c: Any, made: dict[str, Any]) -> str:
    """Of the rules alone: labels, prompts, drawings and the places of lines do not count."""
    import hashlib
    import re

    source = "\n".join(
        part
        for part in re.split(r"(?m)^(?=def )", re.sub(r"(?m)  #@\d+$", "", made["source"]))
        if not re.match(r"def (labels\d|prompt\d|drawing\b|why_|label_|menu_stop|menu_prompt|w\d)", part)
    )

    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            return {str(k): bare(v) for k, v in value.items() if k not in NO_RULES}
        return [bare(v) for v in value] if isinstance(value, (list, tuple)) else value

    rest = {
        k: v
        for k, v in made.items()
        if k not in ("source", "places", "cites", "title", "about", "version", "types", "tells")
    }
    return hashlib.sha256((source + repr(bare(rest))).encode()).hexdigest()


def things(c: Any) -> list[dict[str, Any]]:
    """A catalogue of all that is declared, for people who look things up."""
    m = c.model
    found: list[dict[str, Any]] = []
    cites: dict[int, list[str]] = {}
    for clause, what in m.cited:
        cites.setdefault(id(what), []).append(clause)

    def add(name: str, what: str, thing: Any, title: str = "", text: str = "", changed: Any = ()) -> None:
        found.append(
            {
                "id": name,
                "what": what,
                "name": title or name.replace("_", " ").capitalize(),
                "text": text,
                "file": thing.place.file,
                "line": thing.place.line,
                "cites": cites.get(id(thing), []),
                "changed_by": [_source_of(r) for r in changed],
            }
        )

    for x in m.components.values():
        add(x.id, m.kinds[x.kind].title, x, x.title, x.text)
    for group, what in ((m.actions, "action"), (m.values, "value"), (m.procedures, "procedure")):
        for r in group.values():
            offers = [o for menu in m.menus.values() for o in menu.offers if o.target == r.name]
            add(r.name, what, r, r.title, r.text, [*r.changes, *r.hooks, *offers])
    for e in m.effects.values():
        if e.component is None:
            add(e.name, "effect", e, e.title, e.text)
    for group2, what in (
        (m.menus, "menu"),
        (m.spans, "span"),
        (m.zones, "zone"),
        (m.kinds, "kind"),
        (m.resources, "resource"),
        (m.tables, "table"),
        (m.boards, "board"),
        (m.planes, "board"),
    ):
        for name, thing in group2.items():
            if what == "zone" and name in m.planes:
                continue
            add(
                name,
                what,
                thing,
                getattr(thing, "title", ""),
                getattr(thing, "text", ""),
                getattr(thing, "offers", None) or getattr(thing, "hooks", ()),
            )
    return found


def _source_of(rule: Any) -> str:
    who = f"`{rule.effect.name}`" if rule.effect is not None else "a rule"
    return f"{who} ({rule.op}), {rule.place.file}:{rule.place.line}"


def _image(c: Any) -> dict[str, Any]:
    m = c.model
    return {
        "name": m.name,
        "title": m.title,
        "about": m.about,
        "version": m.version,
        "least": m.least,
        "most": m.most,
        "source": c.source(),
        "places": c.places,
        "types": c.types,
        "asks": c.asks,
        "tells": c.tells,
        "tracked": c.tracking.image(),
        "indexes": c.indexes.image(),
        "resting": sorted(c.resting),
        "watched": c.counts,
        "together": c.indexes.joined_image(),
        "gathered": c.gathering.image(),
        "steps": [[name, n] for n, name in c.indexes.steps.items()],
        "blocks": {n: [_local_type(c, v) for v in c.block_scopes[n]] for n in c.block_lines},
        "block_spans": dict(c.block_spans),
        "told_apart": sorted(c.told_apart),
        "run_slots": sorted(c.run_slots),
        "picks": {n: at for n, at in c.picks.items() if n in c.block_lines},
        "block_routines": dict(c.block_routines),
        "symbols": {k: list(v) for k, v in m.symbols.items()},
        "kinds": _kinds(m),
        "components": _components(c),
        "fields": _fields(m),
        "zones": _zones(m),
        "resources": {
            r.name: {"of": r.of, "low": r.low, "high": r.high, "start": r.start, "title": r.title}
            for r in m.resources.values()
        },
        "spans": [_span(c, s) for s in m.spans.values()],
        "game": [
            {
                "slot": game_name(f),
                "type": plain_type(f.type),
                "name": f.name,
                "width": len(m.symbols[f.key.of]) if f.key is not None else 1,
            }
            for f in m.game_fields.values()
        ],
        "boards": {
            b.name: {
                "of": b.of,
                "sort": b.sort,
                "columns": b.columns,
                "rows": b.rows,
                "per_player": b.per_player,
                "first": (b.first_column, b.first_row),
                "numbered": b.numbered,
                "plain": not b.edges and not b.links,  # no way but from square to square
                "down": b.down,
                "headings": b.headings,
                "drawings": [b.drawings.get(s, ()) for s in m.symbols.get(b.shapes or "", ())],
                "rings": b.rings,
                "edges": b.edges,
                "links": b.links,
            }
            for b in m.boards.values()
        },
        "planes": {p.name: _plane(c, p) for p in m.planes.values()},
        "tables": {t.name: _table(t) for t in m.tables.values()},
        "routines": [_routine(c, r) for r in c.routines],
        "rules": [_rule(c, r) for r in m.rules],
        "effects": [_effect(c, e) for e in m.effects.values()],
        "menus": [_menu(c, x) for x in m.menus.values()],
        "options": {
            o.name: {
                "sort": o.sort,
                "start": o.start,
                "text": o.text,
                "choices": o.choices,
                "low": o.low,
                "high": o.high,
                "kind": o.kind,
            }
            for o in m.options.values()
        },
        "clocked": m.clocked,
        "alone": c.alone,
        "counters": [[sort, number] for sort, number in c.counters],
        "ran_out": c.number(m.procedures["ran_out"]) if "ran_out" in m.procedures else None,
        "modules": {x.name: isinstance(x.when, E) for x in m.modules.values()},
        "setup": c.number(m.setup) if m.setup is not None else None,
        "flow": c.number(m.flow),
        "score": c.number(m.score) if m.score is not None else None,
        "wins": c.number(m.wins) if m.wins is not None else None,
        "cites": _cites(c),
    }


def _local_type(c: Any, name: str) -> Any:
    kind = c.local_types.get(name)
    return plain_type(kind) if kind is not None else None


def _kinds(m: Any) -> list[dict[str, Any]]:
    """Parents before children, so that the pieces of a kind and its likes are one run of numbers."""
    found: list[dict[str, Any]] = []

    def add(kind: Any) -> None:
        found.append(
            {
                "name": kind.name,
                "parent": kind.parent,
                "count": kind.count,
                "per_player": kind.per_player,
                "starts": m.inherited(kind.name, "starts"),
                "title": kind.title,
                "many": kind.many,
                "text": kind.text,
                "faces": list(m.inherited(kind.name, "faces")),
                "hidden_faces": sorted(m.inherited(kind.name, "hidden_faces")),
                "module": kind.module,
                "components": [x.id for x in kind.components],
                "board": m.inherited(kind.name, "board"),
                "timer": m.is_timer(kind.name),
                "abstract": kind.abstract,
                "sides": m.inherited(kind.name, "sides"),
                "disc": m.disc(kind.name),
            }
        )
        for child in kind.children:
            add(child)

    for kind in m.kinds.values():
        if kind.parent is None:
            add(kind)
    return found


def _components(c: Any) -> dict[str, dict[str, Any]]:
    return {
        x.id: {
            "kind": x.kind,
            "title": x.title,
            "text": x.text,
            "copies": x.copies,
            "per_player": x.per_player,
            "starts": x.starts,
            "printed": dict(x.printed),
            "module": x.module,
            "effect": x.effect.number if x.effect is not None else None,
            "does": {slot: c.number(r) for slot, r in x.does.items()},
        }
        for x in c.model.components.values()
    }


def _fields(m: Any) -> list[dict[str, Any]]:
    found = []
    for kind in m.kinds.values():
        for name, field in kind.fields.items():
            found.append(_field(m, field, kind.name, name))
    for name, field in m.player_fields.items():
        found.append(_field(m, field, "player", name))
    return found


def _field(m: Any, field: Any, owner: str, name: str) -> dict[str, Any]:
    return {
        "slot": field_name(field),
        "owner": owner,
        "name": name,
        "type": plain_type(field.type),
        "changed": field.changed,
        "faced": field.face is not None,
        "width": len(m.symbols[field.key.of]) if field.key is not None else 1,
        "keyed": str(field.key.of) if field.key is not None else None,
    }


def _zones(m: Any) -> dict[str, dict[str, Any]]:
    return {
        z.name: {
            "of": z.of,
            "holds": z.holds,
            "order": z.order,
            "limit": isinstance(z.at_most, E),
            "seen_by": z.seen_by,
            "in_play": z.in_play,
            "refill": z.refill,
            "title": z.title,
        }
        for z in m.zones.values()
    }


def _span(c: Any, span: Any) -> dict[str, Any]:
    return {
        "name": span.name,
        "counted": span.number not in c.uncounted,
        "inside": inside_name(span),
        "lasting": lasting_name(span),
        "has_you": span.has_you,
        "fields": [
            {"slot": span_name(f), "type": plain_type(f.type), "name": f.name} for f in span.fields.values()
        ],
        "hooked": bool(span.hooks),
        "params": [span_name(span.fields[p.name]) for p in span.params if p.name != "you"],
        "hook_slot": f"HK_span_{span.name}",
    }


def _plane(c: Any, plane: Any) -> dict[str, Any]:
    words = c.model.symbols[str(plane.contact.gives.of)] if plane.contact is not None else []
    return {
        "width": plane.width,
        "height": plane.height,
        "holds": plane.holds,
        "fixed": plane.fixed,
        "flat": plane.flat,
        "reach": plane.reach,
        "bounce": plane.bounce,
        "contact": plane.contact.py if plane.contact is not None else None,
        "halt": words.index("halt") if words else None,
    }


def _table(table: Any) -> dict[str, Any]:
    return {"cells": list(table.cells.items()), "params": len(table.params)}


def _routine(c: Any, r: Any) -> dict[str, Any]:
    return {
        "name": r.name,
        "what": r.what,
        "py": r.py,
        "suspends": r.suspends,
        "block": c.entries.get(id(r), -1),
        "demands": r.what != "value" and c.head_of(r),  # whether its head can fail
        "title": r.title,
        "text": r.text,
        "hooked": c.hooked(r),
        "slot": hook_slot(r),
        "change_slot": change_slot(r) if r.changes else None,
        "params": [[p.name, plain_type(p.type)] for p in r.params],
        "gives": plain_type(r.gives) if r.gives is not None else None,
        "labelled": r.label is not None,
        "self": c.has_self(r),
        "families": list(r.families),
        "place": c.place(r.place),
        "module": r.module,
        "abstract": r.abstract,
        "code": r.what != "value" and bool(r.code),
        "takes": isinstance(r.takes, E),
    }


def _rule(c: Any, rule: Any) -> dict[str, Any]:
    m = c.model
    targets: list[int] = []
    span = None
    if rule.sort == "change":
        targets = [c.number(m.values[rule.target])]
    elif rule.sort == "hook":
        if rule.target in m.spans:
            span = rule.target
        elif rule.target in m.procedures:
            targets = [c.number(m.procedures[rule.target])]
        elif rule.target.partition(".")[0] in m.components:
            name, _, slot = rule.target.partition(".")
            targets = [c.number(m.components[name].does[slot or "do"])]
        elif rule.target == "setup" and m.setup is not None:
            targets = [c.number(m.setup)]
        else:
            targets = [
                c.number(a) for a in m.actions.values() if a.name == rule.target or rule.target in a.families
            ]
    elif rule.sort == "offer":
        targets = [c.number(m.actions[rule.target])]
    tested = rule.test is not None or (rule.effect is not None and rule.effect.lasts_while is not None)
    return {
        "sort": rule.sort,
        "op": rule.op,
        "targets": targets,
        "span": span,
        "menu": m.menus[rule.menu].number if rule.menu else None,
        "whose": rule.whose,
        "effect": rule.effect.number if rule.effect is not None else None,
        "tested": tested and rule.sort != "change",
        "body": c.number(rule.body) if rule.body is not None else None,
        "module": rule.module,
        "place": c.place(rule.place),
        "number": rule.number,
    }


def _effect(c: Any, e: Any) -> dict[str, Any]:
    lasts: Any = None
    if e.lasts is not None:
        if e.lasts == "seconds":
            lasts = ("seconds", e.count)
        elif e.lasts in c.model.spans:
            lasts = ("span", c.model.spans[e.lasts].number)
        elif e.lasts in c.model.procedures:
            lasts = ("routine", c.number(c.model.procedures[e.lasts]))
        else:
            lasts = ("game", 0)
    return {
        "name": e.name,
        "number": e.number,
        "place": c.place(e.place),
        "component": e.component.id if e.component is not None else None,
        "lasts": lasts,
        "count": e.count,
        "always": e.lasts_while is not None and e.lasts is None and e.component is None,
        "times": isinstance(e.times, E),
        "stacks": e.stacks,
        "memory": [{"name": f.name, "type": plain_type(f.type)} for f in e.memory.values()],
        "args": [plain_type(p.type) for p in e.params],
        "rules": [r.number for r in e.rules],
        "do": c.number(e.do) if e.do is not None else None,
        "title": e.title,
        "module": e.module,
    }


def _closed(c: Any, menu: Any) -> list[int]:
    """Actions whose being offered could tell others what lies hidden."""
    names = [*menu.actions, *(rule.target for rule in menu.offers)]
    actions = [c.model.actions[name] for name in dict.fromkeys(names) if name in c.model.actions]
    return [c.number(action) for action in actions if head_tells(action, c.model)]


def _menu(c: Any, menu: Any) -> dict[str, Any]:
    actions = [c.number(c.model.actions[a]) for a in menu.actions if a in c.model.actions]
    return {
        "name": menu.name,
        "actions": actions,
        "stop": isinstance(menu.stop, E),
        "prompt": isinstance(menu.prompt, E),
        "number": menu.number,
        "real_time": menu.real_time,
        "hidden": c.menu_hidden(menu),
        "closed": _closed(c, menu) if menu.real_time else [],
        "offers": [r.number for r in menu.offers],
        "title": menu.name.replace("_", " ").capitalize(),
    }


def _cites(c: Any) -> list[tuple[str, str, Any, str, int]]:
    """(clause, sort, what, file, line) of everything that cites a clause, for `trace`."""
    found = []
    for clause, what in c.model.cited:
        sort = type(what).__name__
        if sort == "Routine":
            key: Any = c.routine_index.get(id(what))
        elif sort in ("Rule", "Effect", "Menu", "Span"):
            key = what.number
        elif sort == "Component":
            key = what.id
        else:
            key = what.name
        if key is not None:
            found.append((clause, sort, key, what.place.file, what.place.line))
    return found
