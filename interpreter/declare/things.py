"""Symbols, kinds, resources, boards, zones and options: the nouns of a ruleset."""

from __future__ import annotations

import re

from .. import model as m
from .. import schema
from ..diagnostics import suggest
from ..parse import RESERVED
from ..schema import Leaf
from ..types import NUMBER, PLAYER, Type, piece, symbol
from .cells import BUILT_IN, MOST_LIKES, MOST_PIECES, _plural
from .grids import Grids

TIMER_STATE, RAN_OUT = "timer_state", "ran_out"
TIMER_FIELDS: dict[str, Type] = {
    "state": symbol(TIMER_STATE),
    "target": piece().maybe(),
    "ends_at": NUMBER.maybe(),
    "started_by": PLAYER.maybe(),
}


class Things(Grids):
    # ---- header ----

    def header(self, file: schema.File) -> None:
        if file.ruleset is None:
            return
        model = self.model
        model.name, model.title = str(file.ruleset), str(file.title or file.ruleset)
        model.place = file.ruleset.place
        model.about, model.version = str(file.about or ""), str(file.version or "1")
        if file.players is not None:
            match = re.fullmatch(r"(\d+)(?: to (\d+))?", str(file.players).strip())
            if match and 1 <= int(match[1]) <= int(match[2] or match[1]) <= 16:
                model.least, model.most = int(match[1]), int(match[2] or match[1])
            else:
                self.problems.error(
                    file.players.place,
                    "bad-players",
                    "expected a number of players, like `2` or `2 to 5` (16 at the most)",
                )

    # ---- symbols, kinds, resources ----

    def symbols(self, part: schema.Part) -> None:
        for name, words in part.symbols.items():
            if self.name(name, "symbol type"):
                self.model.symbols[str(name)] = []
                self.model.symbol_places[str(name)] = name.place
                for word in words:
                    if word in BUILT_IN or word in RESERVED:
                        self.problems.error(
                            word.place,
                            "reserved-name",
                            f"`{word}` is a word of the language and cannot be a symbol",
                        )
                    elif word in self.model.symbols[str(name)]:
                        self.problems.error(
                            word.place, "declared-twice", f"`{word}` stands twice in `{name}`"
                        )
                    else:
                        self.model.symbols[str(name)].append(str(word))
                if not words:
                    self.problems.error(name.place, "empty-list", f"`{name}` has no symbols")

    def kind_names(self, part: schema.Part, module: str | None) -> None:
        if part.game is not None:
            pass
        for name, kind in part.kinds.items():
            if name == "player":
                continue
            if not self.name(name, "kind"):
                continue
            made = m.Kind(
                str(name),
                name.place,
                str(kind.like) if kind.like else None,
                bool(kind.abstract and kind.abstract.value),
            )
            made.count = int(kind.count.value) if kind.count is not None else 0
            made.per_player = int(kind.per_player.value) if kind.per_player is not None else 0
            for leaf in (kind.count, kind.per_player):
                if leaf is not None and not 0 <= leaf.value <= MOST_PIECES:
                    self.problems.error(
                        leaf.place, "too-many-pieces", f"a kind has at most {MOST_PIECES} pieces"
                    )
                    made.count = made.per_player = 0
            made.timer = bool(kind.timer and kind.timer.value)
            made.starts, made.does = (str(kind.starts) if kind.starts else None), [str(x) for x in kind.does]
            made.starts_place = kind.starts.place if kind.starts else None
            made.like_place = kind.like.place if kind.like else None
            made.title = str(kind.name or name.replace("_", " "))
            made.many = str(kind.many or _plural(str(name)))
            made.text, made.cites, made.module = str(kind.text or ""), [str(c) for c in kind.cites], module
            self.cite(kind.cites, made)
            self.model.kinds[str(name)] = made
        for name in part.kinds:
            made2 = self.model.kinds.get(str(name))
            if made2 is not None:
                self.model.words[made2.many.replace(" ", "_")] = made2.name
                self.model.words[made2.name] = made2.name

    def kind_lines(self) -> None:
        kinds = self.model.kinds
        for kind in kinds.values():
            if kind.parent is None:
                continue
            if kind.parent not in kinds:
                self.problems.error(
                    kind.like_place or kind.place,
                    "unknown-kind",
                    f"`{kind.name}` is like `{kind.parent}`, but no kind is called so",
                    suggestion=suggest(kind.parent, kinds),
                )
                kind.parent = None
                continue
            line: set[str] = {kind.name}
            current: str | None = kind.parent
            while current in kinds and current not in line and len(line) <= MOST_LIKES:
                line.add(current)
                current = kinds[current].parent
            if len(line) > MOST_LIKES:
                place = kind.like_place or kind.place
                self.problems.error(
                    place, "too-deep", f"more than {MOST_LIKES} kinds are like each other in a row"
                )
                kind.parent = None
            elif current in line:
                place = kind.like_place or kind.place
                self.problems.error(place, "circular-kind", f"`{kind.name}` is in the end like itself")
                kind.parent = None
        for kind in kinds.values():
            if kind.parent is not None:
                kinds[kind.parent].children.append(kind)

    def kind_fields(self, part: schema.Part) -> None:
        if part.game is not None:
            self.fields(part.game.has, "game", "game", self.model.game_fields)
        for name, shape in part.kinds.items():
            if name == "player":
                self.fields(shape.has, "player", "player", self.model.player_fields)
                continue
            kind = self.model.kinds.get(str(name))
            if kind is None:
                continue
            if kind.per_player and "owner" not in shape.has:
                kind.fields["owner"] = m.FieldDecl("owner", PLAYER, kind.place, "kind", kind.name)
            if shape.sides is not None:
                self.sides(kind, shape.sides)
            narrow = next((leaf for leaf in shape.has if leaf == "target" and kind.fields.get("target")), None)
            if narrow is not None:
                del kind.fields["target"]  # it says of which kind a timer's target is
            self.fields(shape.has, "kind", kind.name, kind.fields)
            if narrow is not None:
                self.target(kind, narrow)
            for face, has in shape.faces.items():
                kind.faces.append(str(face))
                faced: dict[str, m.FieldDecl] = {}
                self.fields(has, "kind", kind.name, faced, str(face))
                for field in faced.values():
                    if field.name not in kind.fields:
                        kind.fields[field.name] = field
            if kind.faces and len(kind.faces) < 2:
                self.problems.error(name.place, "bad-faces", "a kind with faces has at least two of them")
            for face, who in shape.seen_by.items():
                if face not in kind.faces or who not in ("all", "nobody"):
                    self.problems.error(
                        who.place,
                        "bad-seen-by",
                        "here a face is seen by `all` or by `nobody` while it lies down",
                    )
                elif who == "nobody":
                    kind.hidden_faces.add(str(face))

    def timers(self) -> None:
        """Timers have a state, a target and an instant at which they run out; the clock keeps them."""
        found = [kind for kind in self.model.kinds.values() if kind.timer]
        if not found:
            return
        place = found[0].place
        for name, what in ((TIMER_STATE, "symbol type"), (RAN_OUT, "procedure")):
            self.declared(name, what, place)
        self.model.symbols[TIMER_STATE] = ["idle", "running", "usable"]
        self.model.symbol_places[TIMER_STATE] = place
        for kind in found:
            if kind.parent is not None and self.model.is_timer(kind.parent):
                continue  # it has them from there
            for name, of in TIMER_FIELDS.items():
                kind.fields[name] = m.FieldDecl(
                    name, of, kind.place, "kind", kind.name, changed=True, kept=True, used=True
                )

    def target(self, kind: m.Kind, leaf: Leaf) -> None:
        """A timer's own `target`: a piece of some kind, or none."""
        field = kind.fields["target"]
        if field.type.base != "unknown" and not (field.type.base == "piece" and field.type.opt):
            self.problems.error(
                leaf.place,
                "bad-target",
                "the target of a timer is a piece of some kind, or none",
                "write `target: card?` with the kind on which it may stand",
            )
            field.type = TIMER_FIELDS["target"]
        field.changed = field.kept = field.used = True

    def owners(self) -> None:
        """A kind that is like one with an owner has that owner, and no second one."""
        for kind in self.model.kinds.values():
            own = kind.fields.get("owner")
            if (
                own is not None
                and own.place == kind.place
                and self.model.field_of(kind.parent, "owner") is not None
            ):
                del kind.fields["owner"]

    def resources(self, part: schema.Part) -> None:
        for name, shape in part.resources.items():
            if not self.name(name, "resource"):
                continue
            of = str(shape.of or "player")
            if of not in ("player", "game"):
                self.problems.error(
                    (shape.of or name).place, "bad-owner", "a resource is of `player` or of `game`"
                )
                of = "player"
            low = shape.low.value if shape.low is not None else 0
            high = shape.high.value if shape.high is not None else None
            start = shape.start.value if shape.start is not None else max(low, 0)
            made = m.Resource(
                str(name),
                name.place,
                of,
                low,
                high,
                start,
                str(shape.name or name.replace("_", " ")),
                str(shape.text or ""),
            )
            self.model.resources[str(name)] = made
            self.cite(shape.cites, made)

    def boards(self, part: schema.Part) -> None:
        for name, shape in part.boards.items():
            if shape.plane is not None:
                continue  # it has no places; see `planes`
            if not self.name(name, "board"):
                continue
            of = str(shape.of) if shape.of else ""
            kind = self.model.kinds.get(of)
            if kind is None:
                place = shape.of.place if shape.of else name.place
                self.problems.error(
                    place,
                    "unknown-kind",
                    f"the places of `{name}` are of no known kind",
                    "say `of:` with the kind of its places",
                    suggestion=suggest(of, self.model.kinds),
                )
                continue
            other = self.model.boards.get(kind.board or "")
            if other is not None:
                self.problems.error(
                    shape.of.place if shape.of else name.place,
                    "declared-twice",
                    f"the pieces of the kind `{of}` are the places of `{other.name}` already",
                    "a board has a kind of places of its own",
                    related=((other.place, "the other board"),),
                )
                continue
            board = m.Board(str(name), name.place, of, "graph")
            board.of_place = shape.of.place if shape.of else name.place
            if shape.grid is None:
                self.grid_keys(shape)
            if shape.grid is not None:
                if not self.grid(board, shape, kind):
                    continue
            elif shape.ring is not None:
                board.sort = "ring"
            elif shape.line is not None:
                board.sort = "line"
            elif shape.rings is not None:
                board.sort, board.rings = "rings", str(shape.rings)
            board.edges = str(shape.edges) if shape.edges else None
            if board.edges and board.edges not in self.model.kinds:
                self.problems.error(
                    (shape.edges or name).place,
                    "unknown-kind",
                    f"no kind is called `{board.edges}`",
                    suggestion=suggest(board.edges, self.model.kinds),
                )
                board.edges = None
            board.word_place = (shape.edges or shape.rings or name).place
            if shape.links is not None:
                self.links(board, shape.links)
            kind.board = str(name)
            self.model.boards[str(name)] = board
            self.cite(shape.cites, board)

    def links(self, board: m.Board, text: Leaf) -> None:
        """One place a line, its neighbours behind a colon."""
        for number, line in enumerate(text.split("\n"), 1):
            left, colon, right = line.split("#")[0].partition(":")
            if not (left + colon).strip():
                continue
            for word in re.finditer(r"\S+", f"{left} {right}"):
                place = text.scalar.place_of(number, word.start() + 1, number, word.end() + 1)
                board.link_places.setdefault(word[0], place)
            board.links[left.strip()] = right.split()
            if not left.strip() or not right.strip():
                place = text.scalar.place_of(
                    number, len(line) - len(line.lstrip()) + 1, number, len(line) + 1
                )
                self.problems.error(place, "bad-links", "expected `place: its neighbours`")
                board.links.pop(left.strip())

    def zones(self, part: schema.Part) -> None:
        for name, shape in part.zones.items():
            if str(name) == "box":
                self.problems.error(
                    name.place, "reserved-name", "`box` is always there: the place for pieces out of the game"
                )
                continue
            taken = self.seen.get(str(name))
            if taken is not None and not shape.of:
                self.name(name, "zone")
                continue
            if not self.name(name, "zone"):
                continue
            made = m.Zone(str(name), name.place, [str(x) for x in shape.of], [str(x) for x in shape.holds])
            for leaf in [*shape.of, *shape.holds]:
                if leaf != "player" and leaf not in self.model.kinds:
                    self.problems.error(
                        leaf.place,
                        "unknown-kind",
                        f"no kind is called `{leaf}`",
                        suggestion=suggest(leaf, [*self.model.kinds, "player"]),
                    )
            made.of = [x for x in made.of if x == "player" or x in self.model.kinds]
            made.holds = [x for x in made.holds if x in self.model.kinds]
            made.order = shape.order or "set"
            made.at_most, made.refill = shape.at_most, (str(shape.refill) if shape.refill else None)
            made.seen_by = str(shape.seen_by or "all")
            if made.seen_by not in ("all", "owner", "nobody"):
                self.problems.error(
                    (shape.seen_by or name).place,
                    "bad-seen-by",
                    "a zone is seen by `all`, by its `owner` or by `nobody`",
                    suggestion=suggest(made.seen_by, ["all", "owner", "nobody"]),
                )
                made.seen_by = "all"
            if made.seen_by == "owner" and not made.of:
                self.problems.error(
                    (shape.seen_by or name).place, "bad-seen-by", f"`{name}` has no owner: say `of: player`"
                )
                made.seen_by = "nobody"
            made.in_play = bool(shape.in_play and shape.in_play.value)
            made.title, made.text = str(shape.name or name.replace("_", " ")), str(shape.text or "")
            self.model.zones[str(name)] = made
            self.cite(shape.cites, made)
        for name, shape in part.zones.items():
            if shape.refill is not None and shape.refill not in self.model.zones:
                self.problems.error(
                    shape.refill.place,
                    "unknown-zone",
                    f"no zone is called `{shape.refill}`",
                    suggestion=suggest(shape.refill, self.model.zones),
                )
                if str(name) in self.model.zones:
                    self.model.zones[str(name)].refill = None

    def options(self, file: schema.File) -> None:
        for name, shape in file.options.items():
            if not self.name(name, "option"):
                continue
            value = shape.start.value if shape.start is not None else None
            made = m.Option(str(name), name.place, "switch", bool(value), str(shape.text or ""))
            if shape.one_of is not None:
                made.sort, made.choices = "choice", [str(x) for x in shape.one_of]
                made.start = str(value) if value is not None else (made.choices[0] if made.choices else "")
                if made.start not in made.choices:
                    self.problems.error(
                        (shape.start or name).place,
                        "bad-start",
                        "the start of an option must be one of its choices",
                    )
                self.model.symbols.setdefault(f"{name}_option", made.choices)
            elif shape.some_of is not None:
                made.sort, made.kind, made.start = "choices", str(shape.some_of), ()
                if made.kind not in self.model.kinds:
                    self.problems.error(
                        shape.some_of.place,
                        "unknown-kind",
                        f"no kind is called `{made.kind}`",
                        suggestion=suggest(made.kind, self.model.kinds),
                    )
                    continue
            elif isinstance(value, int) and not isinstance(value, bool):
                made.sort, made.start = "number", value
                made.low = shape.low.value if shape.low is not None else 0
                made.high = shape.high.value if shape.high is not None else 1_000_000
            elif value is not None and not isinstance(value, bool):
                self.problems.error(
                    (shape.start or name).place,
                    "bad-start",
                    "an option starts as true, false or a whole number, or has `one_of`",
                )
            self.model.options[str(name)] = made
            self.cite(shape.cites, made)
