"""The table of contents: everything declared, in an order in which names are known when they are needed."""

from __future__ import annotations

from .. import model as m
from .. import schema
from ..diagnostics import Place
from .cells import MOST_NAMES, MOST_PIECES, SECTIONS
from .planes import Planes
from .routines import Routines


class Declarer(Planes, Routines):
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
        self.contacts()
        for part, module_name in parts:
            self.kind_names(part, module_name)
        self.kind_lines()
        self.headings([part for part, _ in parts])
        self.timers()
        for part, _ in parts:
            self.kind_fields(part)
            self.resources(part)
        self.owners()
        for part, _ in parts:
            self.discs(part)
        for part, _ in parts:
            self.boards(part)
            self.planes(part)
        for part, _ in parts:
            self.zones(part)
        for part, module_name in parts:
            self.component_names(part, module_name)
        for _, file in self.files:
            self.options(file)
        self.ran_out()
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
                    Place.whole(name),
                    "ruleset-too-big",
                    f"the ruleset declares more than {MOST_NAMES:,} things",
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
            if board is not None and board.of == kind.name:
                total += board.columns * board.rows * (self.model.most if board.per_player else 1)
            if total > MOST_PIECES:
                self.problems.error(
                    kind.place,
                    "too-many-pieces",
                    f"too many pieces: a table has at most {MOST_PIECES} in all",
                )
                return
