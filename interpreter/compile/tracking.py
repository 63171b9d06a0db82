"""Conditions on the pieces of a board that are kept up as bits, so that nobody searches for them.

`all(c in cells where c.mark is none)` is asked again and again, and changes only where a mark is set. For
each such condition the state has a number with one bit for each piece; sentences that set the field keep
it right, and queries read it. `every(c in line where c.mark is you)` is read off the bits of a player.

Takes the checked routines, gives texts. Only what everybody sees is tracked: bits need no dealing anew.
"""

from __future__ import annotations

import re
from typing import Any

from ..ir import Ask, E, X
from ..model import FieldDecl
from ..slots import RET, field_name
from ..types import Type
from .heads import all_expressions
from .reading import all_statements
from .shapes import conjuncts, walk

MOST = 64  # pieces, one bit each
TABLE = 12  # pieces of which every set of bits can be looked up
LONGEST = 8  # cells in a line
TESTS = ("same", "compare")
Key = tuple[str, str, Any]  # the field, the comparison, what it is compared with


class Tracking:
    def __init__(self, compiler: Any) -> None:
        self.c = compiler
        self.masks: dict[Key, str] = {}
        self.holds: dict[str, str] = {}  # fields of players: the bits of each
        self.fields: dict[str, Any] = {}
        self.lengths: dict[int, None] = {}  # of lines
        self.on = False
        self.barred: set[str] = set()
        self.bits: set[str] = set()  # fields that are known by their bits alone, and have no slots

    def look_through(self) -> None:
        """Finds what is worth tracking in all that was checked."""
        c = self.c
        codes: list[Any] = [r.code for r in c.routines] + [[t for t, _ in r.tests] for r in c.routines]
        codes += [[r.test, r.amount] for r in c.model.rules]
        for routine in c.routines:
            for st in all_statements(routine.code if routine.what != "value" else []):
                for part in st.a:
                    if isinstance(part, E) and part.op == "fields" and st.op in WRITES:
                        self.barred.update(field_name(f) for f in part.a[0])
                    # A sentence that names fields sets them in a way of its own.
                    named = part if isinstance(part, (tuple, list)) else (part,)
                    self.barred.update(field_name(f) for f in named if isinstance(f, FieldDecl))
        self.on = True
        for e in all_expressions([code for code in codes if code is not None]):
            if e.op == "fold":
                self.query(e)
                self.lined(e)
        read = Reads(self).found
        self.bits = {name for name in self.holds if name not in read and self.can_do_without(self.fields[name])}

    def can_do_without(self, field: Any) -> bool:
        """Whether the bits of players can stand for the field: it is soon said whether anybody has a piece's bit."""
        model = self.c.model
        soon = model.least == model.most == 2 or (field_name(field), "is", None) in self.masks
        return bool(soon and field.type.opt and field.name != "owner" and model.grid_of(field.owner) is not None)

    # ---- what can be tracked ----

    def fits(self, field: Any, kind: Any) -> bool:
        return bool(
            field.changed
            and not field.kept
            and field.key is None
            and field.face is None
            and field.owner == kind
            and field_name(field) not in self.barred
            and 0 < self.c.most_pieces(kind) <= MOST
            and not self.c.hideable(Type("piece", kind))
        )

    def test(self, test: E, py: str, kind: str) -> str | None:
        """The slot of the bits for a test of the piece `py`, if it is one that can be tracked."""
        if test.op not in TESTS:
            return None
        op = "is" if test.op == "same" else test.a[0]
        left, right = test.a[-2:]
        if left.op != "field" or right.op != "const" or left.a[1].op != "local" or left.a[1].a[0] != py:
            return None
        field, value = left.a[0], right.a[0]
        if not self.fits(field, kind) or (op != "is" and left.type.opt):
            return None
        if value is not None and type(value) not in (int, bool):
            return None
        if value is not None and field.type.base not in ("number", "truth", "symbol", "player"):
            return None
        key = (field_name(field), op, value)
        if key not in self.masks:
            self.masks[key] = f"M_{len(self.masks)}"
            self.fields[key[0]] = field
        return self.masks[key]

    def query(self, e: E) -> tuple[str, list[E]] | None:
        """The bits of the items of a query, and the conditions that are left to test."""
        _, binders, where, _, _ = e.a
        if not self.on or len(binders) != 1 or where is None or binders[0][2].op != "pieces":
            return None
        py, _, items = binders[0]
        found, left = [], []
        for test in conjuncts(where):
            slot = self.test(test, py, items.a[0])
            if slot is None:
                left.append(test)
            else:
                found.append(f"S[{slot}]")
        return (" & ".join(found), left) if found else None

    def lined(self, e: E) -> tuple[Any, int, E, E, E] | None:
        """`any(line in lines_through(x, n) where every(c in line where c.field is y))`, taken apart."""
        word, binders, where, _, _ = e.a
        if not self.on or word != "any" or len(binders) != 1 or where is None or where.op != "fold":
            return None
        line, _, items = binders[0]
        if items.op != "function" or items.a[0] != "lines_through":
            return None
        x, n = items.a[1]
        inner, cells, test, _, _ = where.a
        if inner != "every" or len(cells) != 1 or test is None or test.op != "same" or n.op != "const":
            return None
        py, _, source = cells[0]
        left, right = test.a
        if source.op != "local" or source.a[0] != line or left.op != "field" or left.a[1].op != "local":
            return None
        field = left.a[0]
        if left.a[1].a[0] != py or not somebody(right) or field.type.base != "player":
            return None
        if any(part.op == "local" and part.a[0] in (py, line) for part in walk(right)):
            return None
        if not self.fits(field, x.type.of) or type(n.a[0]) is not int or not 2 <= n.a[0] <= LONGEST:
            return None
        name = field_name(field)
        self.holds.setdefault(name, f"MV_{len(self.holds)}")
        self.fields[name] = field
        self.lengths[n.a[0]] = None
        return field, n.a[0], x, right, where

    # ---- texts ----

    def read(self, e: E, word: str) -> str | None:
        """A query as a text that reads bits; None if it is searched for."""
        found = self.query(e)
        if found is None or found[1] or e.a[3] is not None or e.a[4] is not None:
            return None
        bits, kind = found[0], e.a[1][0][2].a[0]
        if word == "any":
            return f"({bits} > 0)" if " & " not in bits else f"(({bits}) > 0)"
        if word == "count":
            return f"({bits}).bit_count()"
        return f"MEMBERS_{kind}[{bits}]" if word == "all" else None

    def in_line(self, e: E, x: Any) -> str | None:
        """Whether a player holds a whole line through a piece."""
        found = self.lined(e)
        if found is None:
            return None
        field, n, piece, who, _ = found
        bits, cell = f"S[{self.holds[field_name(field)]}+{x.atom(who)}]", x(piece)
        sure = ""
        if not cell.isidentifier():
            name = self.c.temp()
            sure, cell = f"({name} := {cell}) is not None and ", name
        elif piece.type.opt:
            sure = f"{cell} is not None and "
        if self.c.most_pieces(field.owner) <= TABLE:
            return f"({sure}HELD_{field.owner}_{n}[{cell}][{bits}])"
        # Few neighbours are held, and so few lines need a look: most often none.
        held, lines = self.c.temp(), self.c.temp()
        body = [
            "    for line in lines:",
            "        if bits & line == line: return True",
            "    return False",
        ]
        name = self.c.query(["bits", "lines"], body, e.place)
        near = f"({held} := {bits}) & NEAR_{field.owner}_{n}[{cell}]"
        return f"({sure}({lines} := BEGUN_{field.owner}_{n}[{cell}][{near}]) != () and {name}({held}, {lines}))"

    def touches(self, field: Any) -> bool:
        """Whether setting this field changes bits."""
        name = field_name(field)
        return self.on and (name in self.holds or any(key[0] == name for key in self.masks))

    def before(self, field: Any, o: str) -> list[str]:
        """Lines to stand before the field of piece `o` is set."""
        slot = self.holds.get(field_name(field)) if self.on else None
        if slot is None:
            return []
        return [
            f"w = S[{field_name(field)}+{o}]",
            f"if w is not None: S[{slot}+w] &= OFF_{field.owner}[{o}]",
        ]

    def after(self, field: Any, o: str, value: E | None, grew: int = 0) -> list[str]:
        """Lines to stand after it was set to `value` (None: to something that was reckoned).

        `grew` is above 0 if it can only have grown, and below if it can only have shrunk.
        """
        if not self.on:
            return []
        name, on, off = field_name(field), f"ON_{field.owner}[{o}]", f"OFF_{field.owner}[{o}]"
        now = f"S[{name}+{o}]"
        made = []
        for (tracked, op, against), slot in self.masks.items():
            if tracked != name:
                continue
            if op == "is" and against is None and sure(value):
                made.append(f"S[{slot}] &= {off}")
            else:
                test = f"{now} is None" if against is None else f"{now} {'==' if op == 'is' else op} {against!r}"
                if grew and op in ("<", "<=", ">", ">="):  # then it can only have come to be true, or to be false
                    true = (grew < 0) == (op in ("<", "<="))
                    made.append(f"if {test}: S[{slot}] |= {on}" if true else f"if not {test}: S[{slot}] &= {off}")
                    continue
                made.append(f"S[{slot}] = S[{slot}] | {on} if {test} else S[{slot}] & {off}")
        slot_of = self.holds.get(name)
        if slot_of is not None:
            if value is not None and sure(value):
                made.append(f"S[{slot_of}+{value.a[0] if value.op == 'local' else now}] |= {on}")
            else:
                made += [f"w = {now}", f"if w is not None: S[{slot_of}+w] |= {on}"]
        return made

    def marked(self, field: Any, o: str, value: str, made: E | None) -> list[str]:
        """Lines that set a field which has no slots to the player that the text `value` gives."""
        name, on, off = field_name(field), f"ON_{field.owner}[{o}]", f"OFF_{field.owner}[{o}]"
        slot, is_sure = self.holds[name], sure(made)
        lines = []
        if not value.isidentifier() or value == "None":
            lines.append(f"w = {value}")
            value = "w"
        free = self.masks.get((name, "is", None))
        held = f"not S[{free}] & {on}" if free is not None else f"(S[{slot}] | S[{slot}+1]) & {on}"
        lines.append(f"if {held}: strip(S, {slot}, {off})")
        for (tracked, _, against), mask in self.masks.items():
            if tracked == name and against is None and is_sure:
                lines.append(f"S[{mask}] &= {off}")
            elif tracked == name:
                test = f"{value} is None" if against is None else f"{value} == {against!r}"
                lines.append(f"S[{mask}] = S[{mask}] | {on} if {test} else S[{mask}] & {off}")
        lines.append(f"{'' if is_sure else f'if {value} is not None: '}S[{slot}+{value}] |= {on}")
        return lines

    def image(self) -> dict[str, Any]:
        """What binding needs to lay the bits out."""
        return {
            "masks": [[slot, field, self.fields[field].owner, op, value] for (field, op, value), slot in self.masks.items()],
            "holds": [[slot, field, self.fields[field].owner] for field, slot in self.holds.items()],
            "lines": list(self.lengths),
            "bits": {name: self.holds[name] for name in sorted(self.bits)},
            "few": sorted({f.owner for f in self.fields.values() if self.c.most_pieces(f.owner) <= TABLE}),
        }


def unmarked(lines: list[str], options: str) -> list[str]:
    """The lines that go on with an answer; what was offered because it bears no mark need not lose one."""
    offered = re.fullmatch(r"MEMBERS_(\w+)\[S\[(\w+)\]\]", options)
    if offered is None:
        return lines
    answer = ""
    for at, line in enumerate(lines):
        text = line.strip()
        if text.startswith(f"if not S[{offered[2]}] & ON_{offered[1]}[{answer}]: strip("):
            return lines[:at] + lines[at + 1 :]
        taken = re.match(r"(\w+) = S\[(\d+)\](?:  #|$)", text)
        if taken is not None and taken[2] == str(RET):
            answer = taken[1]
        elif taken is None and " = F" not in text:
            return lines
    return lines


class Reads:
    """The fields that the rules of a game read otherwise than through bits; what only drawings read does not count."""

    def __init__(self, tracking: Tracking) -> None:
        self.tracking = tracking
        self.found: set[str] = set()
        self.seen: set[int] = set()
        model = tracking.c.model
        for routine in tracking.c.routines:
            if routine.what != "value" or routine in (model.score, model.wins):
                self.routine(routine)
        self.look([[r.test, r.amount] for r in model.rules])
        self.look([[effect.times, effect.lasts_while] for effect in model.effects.values()])
        self.look([[menu.stop, menu.prompt] for menu in model.menus.values()])
        self.look([zone.at_most for zone in model.zones.values()])

    def routine(self, routine: Any) -> None:
        if id(routine) not in self.seen:
            self.seen.add(id(routine))
            self.look([routine.code, [test for test, _ in routine.tests], routine.label, routine.takes])

    def look(self, node: Any) -> None:
        todo = [node]
        while todo:
            node = todo.pop()
            if isinstance(node, E):
                todo += self.parts(node)
            elif isinstance(node, X):
                target = node.a[0] if node.op == "set" else None
                if isinstance(target, E) and target.op == "field":
                    todo += [target.a[1:], node.a[1:]]
                else:
                    todo += node.a
                if node.op == "call":
                    self.routine(node.a[0])
            elif isinstance(node, Ask):
                todo += [node.player, node.prompt, node.low, node.high, node.where, node.body, node.otherwise]
                todo += node.binders
            elif isinstance(node, (tuple, list)) and not isinstance(node, Type):
                todo += node

    def parts(self, e: E) -> list[Any]:
        """What is left to look at in an expression."""
        if e.op == "fold":
            if self.tracking.read(e, e.a[0]) is not None:
                return []
            lined = self.tracking.lined(e)
            if lined is not None:
                return [lined[2], lined[3]]
        elif e.op == "field":
            self.found.add(field_name(e.a[0]))
        elif e.op == "fields":
            self.found.update(field_name(field) for field in e.a[0])
        elif e.op in ("call", "can"):
            self.routine(e.a[0])
        return list(e.a)


WRITES = ("set", "add", "take", "pay_from", "swap_targets")


def somebody(e: E) -> bool:
    """A player who is sure to be there: one who acts. A name or a field of that type may not have been set yet."""
    acts = e.op == "active" or (e.op == "local" and (e.a[0] == "you" or e.a[0].endswith("_you")))
    return acts and e.type == Type("player")


def sure(value: E | None) -> bool:
    """Whether what a field is set to cannot be none."""
    if value is None or value.type.opt:
        return False
    return somebody(value) if value.type.base == "player" else value.type.base != "piece"
