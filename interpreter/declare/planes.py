"""Discs, and the planes on which they lie."""

from __future__ import annotations

import re

from .. import model as m
from .. import schema
from ..diagnostics import suggest
from ..schema import Leaf
from .base import Base

LONGEST_SIDE = 1_000_000
CONTACT = ("bounce", "halt")  # what a touch may lead to


class Planes(Base):
    def contacts(self) -> None:
        """Where there is a plane, the two outcomes of a touch are symbols, unless the ruleset has them."""
        if self.planar and not any(set(CONTACT) <= set(words) for words in self.model.symbols.values()):
            self.model.symbols.setdefault("contact_result", list(CONTACT))

    def discs(self, part: schema.Part) -> None:
        """The radius of each kind that says it is a disc."""
        for name, shape in part.kinds.items():
            kind = self.model.kinds.get(str(name))
            if kind is None or shape.disc is None:
                continue
            if not 1 <= shape.disc.value <= LONGEST_SIDE:
                self.problems.error(
                    shape.disc.place, "bad-disc", f"the radius of a disc is a number from 1 to {LONGEST_SIDE:,}"
                )
                kind.disc = 1  # it is a disc all the same
                continue
            kind.disc = shape.disc.value

    def planes(self, part: schema.Part) -> None:
        for name, shape in part.boards.items():
            if shape.plane is None or not self.name(name, "plane"):
                continue
            match = re.fullmatch(r"(\d{1,7}) by (\d{1,7})", shape.plane.strip())
            if match is None or not all(1 <= int(side) <= LONGEST_SIDE for side in match.groups()):
                self.problems.error(
                    shape.plane.place,
                    "bad-plane",
                    "expected width by height, like `6000 by 4000`",
                    f"whole numbers, at most {LONGEST_SIDE:,}; the unit is yours",
                )
                match = None  # the plane is there all the same, so that nothing else is told of it
            width, height = (int(match[1]), int(match[2])) if match else (LONGEST_SIDE, LONGEST_SIDE)
            plane = m.Plane(str(name), name.place, width, height, [])
            plane.holds = self.disc_kinds(shape.holds)
            self.without_radius(plane)
            if not shape.holds:
                self.problems.error(
                    name.place, "missing-key", "`holds` is missing here", "say which kinds of discs lie on the plane"
                )
            plane.fixed, plane.flat = self.disc_kinds(shape.fixed), self.disc_kinds(shape.flat)
            for leaf in (*shape.fixed, *shape.flat):
                known = str(leaf) in (*plane.fixed, *plane.flat)
                if known and not any(self.model.is_like(str(leaf), h) for h in plane.holds):
                    self.problems.error(
                        leaf.place,
                        "bad-plane",
                        f"`{name}` does not hold a {leaf}, so none can lie on it",
                        "list it under `holds` as well",
                    )
            self.plane_numbers(plane, shape)
            plane.contact = shape.contact
            for leaf2, word in (
                (shape.of, "of"),
                (shape.grid, "grid"),
                (shape.ring, "ring"),
                (shape.line, "line"),
                (shape.rings, "rings"),
                (shape.edges, "edges"),
                (shape.links, "links"),
            ):
                if leaf2 is not None:
                    self.problems.error(
                        leaf2.place, "bad-plane", f"a plane has no places, so `{word}` means nothing here"
                    )
            self.model.planes[str(name)] = plane
            self.model.zones[str(name)] = m.Zone(
                str(name), name.place, [], plane.holds, title=name.replace("_", " "), text=str(shape.text or ""), used=True
            )
            self.cite(shape.cites, plane)

    def without_radius(self, plane: m.Plane) -> None:
        """Kinds that the plane holds because of what they are like, and that forgot to be discs."""
        for name in dict.fromkeys(k for held in plane.holds for k in self.model.family(held)):
            kind = self.model.kinds[name]
            if not kind.abstract and not self.model.disc(name) and name not in plane.holds:
                self.problems.error(
                    kind.place,
                    "no-disc",
                    f"a {name} has no radius, and `{plane.name}` holds things like it",
                    f"give the kind a radius: `{name}: {{disc: 10}}`",
                )
                kind.disc = 1  # told once, however many planes hold it

    def plane_numbers(self, plane: m.Plane, shape: schema.Board) -> None:
        if shape.reach is not None:
            if not 1 <= shape.reach.value <= LONGEST_SIDE:
                self.problems.error(
                    shape.reach.place, "bad-plane", f"a reach is a number from 1 to {LONGEST_SIDE:,}"
                )
            else:
                plane.reach = shape.reach.value
        else:
            plane.reach = max(plane.width, plane.height)
        if shape.bounce is not None:
            if not 0 <= shape.bounce.value <= 100:
                self.problems.error(shape.bounce.place, "bad-plane", "`bounce` is a number from 0 to 100 (percent)")
            else:
                plane.bounce = shape.bounce.value

    def disc_kinds(self, leaves: list[Leaf]) -> list[str]:
        found = []
        for leaf in leaves:
            if leaf not in self.model.kinds:
                self.problems.error(
                    leaf.place,
                    "unknown-kind",
                    f"no kind is called `{leaf}`",
                    suggestion=suggest(leaf, self.model.kinds),
                )
            elif not self.model.discs(str(leaf)):
                self.problems.error(
                    leaf.place,
                    "no-disc",
                    f"a {leaf} is no disc, and cannot lie on a plane",
                    f"give the kind a radius: `{leaf}: {{disc: 10}}`",
                )
            else:
                found.append(str(leaf))
        return found
