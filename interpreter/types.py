"""Types of the effect language.

A type is a small frozen value. `opt` says that it may be none. Number, truth, text and player
stand for themselves; `of` names the symbol type, the kind of piece, or the type of a list's items.
"""

from __future__ import annotations

from typing import NamedTuple


class Type(NamedTuple):
    base: str  # number truth text player symbol piece zone kind design list spot path none record menu unknown
    of: Type | str | None = None
    opt: bool = False

    def maybe(self) -> Type:
        return self if self.base == "none" else self._replace(opt=True)

    def sure(self) -> Type:
        return self._replace(opt=False)

    @property
    def item(self) -> Type:
        """What a list holds."""
        return self.of if isinstance(self.of, Type) else UNKNOWN

    def __str__(self) -> str:
        name = {
            "symbol": f"{self.of}",
            "piece": f"{self.of or 'piece'}",
            "zone": "zone",
            "kind": "kind of piece",
            "design": "name of a component",
            "none": "none",
            "record": f"{self.of}",
            "unknown": "something unknown",
        }.get(self.base, self.base)
        if self.base == "list":
            name = f"list of {self.of}"
        return name + ("?" if self.opt else "")


NUMBER = Type("number")
TRUTH = Type("truth")
TEXT = Type("text")
PLAYER = Type("player")
KIND = Type("kind")
DESIGN = Type("design")
SPOT = Type("spot")  # a place on a plane: two whole numbers
PATH = Type("path")  # what came of a flick
NONE = Type("none", None, True)
UNKNOWN = Type("unknown")


def symbol(name: str) -> Type:
    return Type("symbol", name)


def piece(kind: str | None = None) -> Type:
    return Type("piece", kind)


def zone(kind: str | None = None) -> Type:
    return Type("zone", kind)


def list_of(item: Type) -> Type:
    return Type("list", item)
