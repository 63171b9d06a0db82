"""Build the model of a ruleset from its shaped files: every name declared once, with its type.

Takes schema models, gives a `Model` whose routines still hold unread snippets. Reports names that
are declared twice, types that do not exist, and cells that do not fit their column.
"""

from __future__ import annotations

import re
from typing import Any

from . import model as m
from . import schema
from . import syntax as s
from .diagnostics import Place, Problems, suggest
from .parse import RESERVED, SyntaxProblem, parse
from .schema import Leaf
from .types import KIND, NUMBER, PLAYER, TEXT, TRUTH, UNKNOWN, Type, list_of, piece, symbol, zone

BUILT_IN = frozenset(
    (
        "you it this active none true false players opponent box game"
        " player piece number truth text kind zone list set viewer now turn_order"
    ).split()
)
PYTHON_LIKE = re.compile(r"__|\A_")
MOST_PIECES = 5_000  # of one kind, and of all kinds at one table
MOST_NAMES = 4_000
MOST_LIKES = 20  # kinds that are like kinds that are like kinds
SECTIONS = (
    "symbols", "resources", "kinds", "zones", "boards", "spans", "values", "tables", "procedures", "actions",
    "menus", "rules", "effects",
)  # fmt: skip


class Declarer:
    def __init__(self, files: list[tuple[str, schema.File]], problems: Problems) -> None:
        self.files, self.problems = files, problems
        self.model = m.Model()
        self.seen: dict[str, tuple[Place, str]] = {}
        self.counter = 0

    # ---- the table of contents ----

    def declare(self) -> m.Model:
        parts: list[tuple[schema.Part, str | None]] = []
        for _, file in self.files:
            self.header(file)
            parts.append((file, None))
            for name, module in file.modules.items():
                self.name(name, "module")
                self.model.modules[str(name)] = m.ModuleDecl(
                    str(name), name.place, str(module.text or ""), module.when, list(module.cites)
                )
                parts.append((module, str(name)))
        for part, _ in parts:
            self.symbols(part)
        for part, module_name in parts:
            self.kind_names(part, module_name)
        self.kind_lines()
        for part, _ in parts:
            self.kind_fields(part)
            self.resources(part)
        self.owners()
        for part, _ in parts:
            self.boards(part)
        for part, _ in parts:
            self.zones(part)
        for part, module_name in parts:
            self.component_names(part, module_name)
        for _, file in self.files:
            self.options(file)
        for part, module_name in parts:
            self.routines(part, module_name)
        for part, module_name in parts:
            self.component_bodies(part, module_name)
        for _, file in self.files:
            self.ends(file)
        self.count_pieces()
        return self.model

    def too_big(self) -> bool:
        """Whether there is more than anybody could play; then nothing of it is looked at."""
        total = 0
        for name, file in self.files:
            for part in (file, *file.modules.values()):
                total += sum(len(getattr(part, section)) for section in SECTIONS)
                total += sum(len(entries) for entries in part.components.values())
                total += sum(len(words) for words in part.symbols.values())
            if total > MOST_NAMES:
                self.problems.error(
                    Place.whole(name), "ruleset-too-big", f"the ruleset declares more than {MOST_NAMES:,} things"
                )
                return True
        return False

    def count_pieces(self) -> None:
        """All pieces that lie on the biggest table."""
        total = 0
        for kind in self.model.kinds.values():
            board = self.model.boards.get(kind.board or "")
            total += kind.count + kind.per_player * self.model.most
            total += sum(c.copies * (self.model.most if c.per_player else 1) for c in kind.components)
            total += board.columns * board.rows if board is not None and board.of == kind.name else 0
            if total > MOST_PIECES:
                self.problems.error(
                    kind.place, "too-many-pieces", f"too many pieces: a table has at most {MOST_PIECES} in all"
                )
                return

    # ---- small tools ----

    def fresh(self, word: str) -> str:
        self.counter += 1
        return f"n{self.counter}_{re.sub('[^a-z0-9_]', '', word)[:24]}"

    def name(self, leaf: Leaf, what: str, word: str | None = None) -> bool:
        """Declares a global name; says so when it is taken."""
        text = word or str(leaf)
        if text in BUILT_IN or text in RESERVED:
            self.problems.error(
                leaf.place, "reserved-name", f"`{text}` is a word of the language and cannot be a {what}"
            )
            return False
        if PYTHON_LIKE.search(text):
            self.problems.error(
                leaf.place,
                "bad-name",
                f"`{text}` is no name for a {what}",
                "names start with a letter and have no double underscore",
            )
            return False
        if text in self.seen:
            place, other = self.seen[text]
            self.problems.error(
                leaf.place,
                "declared-twice",
                f"`{text}` is already the name of a {other}",
                related=((place, "first declared here"),),
            )
            return False
        self.seen[text] = (leaf.place, what)
        return True

    def read(self, leaf: Leaf, start: str) -> Any:
        """Parses a snippet of a file, or reports where it fails."""
        scalar = leaf.scalar
        try:
            if not scalar.exact and isinstance(scalar.value, str):
                self.problems.error(
                    leaf.place,
                    "folded-snippet",
                    "a sentence must stand on one line or in a `|` block",
                    "then every mistake in it can be shown at its very place",
                )
                return None
            return parse(scalar.text, start)
        except SyntaxProblem as problem:
            self.problems.error(scalar.place_of(*problem.at), problem.code, problem.message, problem.hint)
            return None

    def type(self, leaf: Leaf) -> Type:
        tree = self.read(leaf, "type_")
        return UNKNOWN if tree is None else self.type_of(tree, leaf)

    def type_of(self, tree: s.TypeName, leaf: Leaf) -> Type:
        *wraps, last = tree.words
        found = self.simple_type(last)
        if found is None:
            names = [
                "number",
                "truth",
                "text",
                "player",
                "piece",
                "kind",
                "zone",
                *self.model.symbols,
                *self.model.kinds,
            ]
            self.problems.error(
                leaf.scalar.place_of(*tree.at),
                "unknown-type",
                f"no type is called `{last}`",
                suggestion=suggest(last, names),
                hint="a type is number, truth, text, player, a symbol type or a kind; `list of …` and `…?` are built from these",
            )
            return UNKNOWN
        for wrap in reversed(wraps):
            if wrap not in ("list", "set"):
                self.problems.error(
                    leaf.scalar.place_of(*tree.at),
                    "unknown-type",
                    f"`{wrap} of` is no type",
                    "write `list of …` or `set of …`",
                )
            found = list_of(found)
        return found.maybe() if tree.optional else found

    def simple_type(self, word: str) -> Type | None:
        fixed = {
            "number": NUMBER,
            "truth": TRUTH,
            "text": TEXT,
            "player": PLAYER,
            "piece": piece(),
            "kind": KIND,
            "zone": zone(),
        }
        if word in fixed:
            return fixed[word]
        if word in self.model.symbols:
            return symbol(word)
        if word in self.model.kinds:
            return piece(word)
        return None

    def params(self, signature: s.Signature, leaf: Leaf) -> list[m.Param]:
        found: list[m.Param] = []
        for param in signature.params or ():
            if param.word == "you":
                found.append(m.Param("you", PLAYER, "you"))
                continue
            if param.type is not None:
                kind = self.type_of(param.type, leaf)
            else:
                kind = self.simple_type(param.word) or UNKNOWN
                if kind is UNKNOWN:
                    self.problems.error(
                        leaf.scalar.place_of(*param.at),
                        "untyped-parameter",
                        f"the type of `{param.word}` is not said",
                        "write its type before it, as in `number amount`; a parameter named like a kind needs none",
                    )
            if any(p.name == param.word for p in found):
                self.problems.error(
                    leaf.scalar.place_of(*param.at),
                    "declared-twice",
                    f"two parameters are called `{param.word}`",
                )
            found.append(m.Param(param.word, kind, self.fresh(param.word)))
        return found

    def signature(self, leaf: Leaf) -> tuple[str, list[m.Param], bool] | None:
        tree = self.read(leaf, "signature")
        if tree is None:
            return None
        return tree.word, self.params(tree, leaf), tree.params is not None

    def fields(
        self,
        has: dict[Leaf, Leaf],
        home: str,
        owner: str,
        into: dict[str, m.FieldDecl],
        face: str | None = None,
    ) -> None:
        for leaf, kind in has.items():
            tree = self.read(leaf, "signature")
            if tree is None:
                continue
            word, key = tree.word, None
            if tree.params is not None:
                found = self.params(tree, leaf)
                key = found[0].type if len(found) == 1 else None
                if key is None or key.base != "symbol":
                    self.problems.error(
                        leaf.place,
                        "bad-key",
                        "a keyed field has one symbol type in its brackets, like `level(colour)`",
                    )
                    key = None
            if PYTHON_LIKE.search(word):
                self.problems.error(leaf.place, "bad-name", f"`{word}` is no name for a field")
                continue
            if word in into:
                self.problems.error(
                    leaf.place,
                    "declared-twice",
                    f"the field `{word}` is declared twice",
                    related=((into[word].place, "first declared here"),),
                )
                continue
            into[word] = m.FieldDecl(
                word, self.type(kind), leaf.place, home, owner, key, face, number=len(into)
            )

    # ---- header ----

    def header(self, file: schema.File) -> None:
        if file.ruleset is None:
            return
        model = self.model
        model.name, model.title = str(file.ruleset), str(file.title or file.ruleset)
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
            while current in kinds and current not in line:
                line.add(current)
                current = kinds[current].parent
            if len(line) > MOST_LIKES:
                place = kind.like_place or kind.place
                self.problems.error(place, "too-deep", f"more than {MOST_LIKES} kinds are like each other in a row")
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
            self.fields(shape.has, "kind", kind.name, kind.fields)
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
            board = m.Board(str(name), name.place, of, "graph")
            if shape.grid is not None:
                match = re.fullmatch(r"(\d{1,2}) by (\d{1,2})", shape.grid)
                if match is None or not (1 <= int(match[1]) <= 64 and 1 <= int(match[2]) <= 64):
                    self.problems.error(
                        shape.grid.place, "bad-grid", "expected columns by rows, like `7 by 6`"
                    )
                    continue
                board.sort, board.columns, board.rows = "grid", int(match[1]), int(match[2])
                for column in ("column", "row"):
                    kind.fields.setdefault(column, m.FieldDecl(column, NUMBER, name.place, "kind", of))
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
                place = text.scalar.place_of(number, len(line) - len(line.lstrip()) + 1, number, len(line) + 1)
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
            made.in_play, made.endless = (
                bool(shape.in_play and shape.in_play.value),
                bool(shape.endless and shape.endless.value),
            )
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
                self.problems.error(leaf.place, "too-many-pieces", "a component has at most 500 copies")
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
            lines = [(n, line) for n, line in enumerate(str(rows).split("\n"), 1) if line.split("#")[0].strip()]
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
            match = re.fullmatch(r"(?:(\d{1,3}) )?([a-z_][a-z0-9_]*)", str(shape.lasts).strip())
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

    def cite(self, cites: list[Leaf], what: Any) -> None:
        for clause in cites:
            self.model.cited.append((str(clause), what))
            self.model.clause_places.setdefault(str(clause), clause.place)


class _Only:
    def __init__(self, **parts: Any) -> None:
        self.values = parts.get("values", {})
        self.procedures: dict[Any, Any] = {}
        self.actions: dict[Any, Any] = {}


class _Spot:
    """Stands for the scalar of a cell: a place, and nothing inside it."""

    exact = True

    def __init__(self, place: Place) -> None:
        self.place = place

    def place_of(self, line: int, column: int, end_line: int, end_column: int) -> Place:
        start = self.place.column + column - 1
        return Place(self.place.file, self.place.line, start, self.place.line, start + end_column - column)


def _cell_at(row: tuple[int, str], index: int) -> tuple[int, int, int, int]:
    number, line = row
    cells = line.split("|")
    start = sum(len(c) + 1 for c in cells[:index])
    text = cells[index]
    lead = len(text) - len(text.lstrip())
    width = max(1, len(text.strip()))
    return (number, start + lead + 1, number, start + lead + 1 + width)


def _scalar(text: str) -> Any:
    if re.fullmatch(r"-?\d{1,12}", text):
        return int(text)
    if re.fullmatch(r"-?\d{1,12}\.\d{1,3}", text):
        return float(text)
    if text in ("true", "false"):
        return text == "true"
    return text if text else None


def _plural(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "ch", "sh")):
        return word + "es"
    return word + "s"


def _place_of(value: Any) -> Place | None:
    if isinstance(value, Leaf):
        return value.place
    if isinstance(value, dict):
        for key in value:
            return key.place if isinstance(key, Leaf) else None
    if isinstance(value, list) and value:
        return _place_of(value[0])
    return None


def _key_place(key: Any, value: Any, name: Leaf) -> Place:
    if isinstance(key, Leaf):
        return key.place
    if isinstance(value, Leaf) and value.key is not None:
        return value.key.place
    return _place_of(value) or name.place
