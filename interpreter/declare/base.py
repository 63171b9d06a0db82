"""What every declaration needs: names declared once, snippets read, types, signatures and fields."""

from __future__ import annotations

import re
from typing import Any

from .. import model as m
from .. import schema
from .. import syntax as s
from ..diagnostics import Place, Problems, suggest
from ..parse import RESERVED, SyntaxProblem, parse
from ..schema import Leaf
from ..types import KIND, NUMBER, PATH, PLAYER, SPOT, TEXT, TRUTH, UNKNOWN, Type, list_of, piece, symbol, zone
from .cells import BUILT_IN, PYTHON_LIKE


class Base:
    def __init__(self, files: list[tuple[str, schema.File]], problems: Problems) -> None:
        self.files, self.problems = files, problems
        self.model = m.Model()
        self.seen: dict[str, tuple[Place, str]] = {}
        self.counter = 0
        parts = [part for _, file in files for part in (file, *file.modules.values())]
        self.planar = any(board.plane is not None for part in parts for board in part.boards.values())

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

    def declared(self, name: str, what: str, place: Place) -> None:
        """A name that comes with something else, like the event of timers."""
        if name in self.seen:
            self.problems.error(
                self.seen[name][0], "declared-twice", f"`{name}` is already the name of {what}",
                related=((place, "it comes with this"),),
            )
        self.seen[name] = (place, what)

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
        return {"spot": SPOT, "path": PATH}.get(word) if self.planar else None

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

    def cite(self, cites: list[Leaf], what: Any) -> None:
        for clause in cites:
            self.model.cited.append((str(clause), what))
            self.model.clause_places.setdefault(str(clause), clause.place)
