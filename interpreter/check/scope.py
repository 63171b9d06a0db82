"""What a word may mean at one spot: locals, pronouns, the event, the effect whose text it is.

Takes nothing from files; looks up only what was put in. Scopes nest; a nested one sees the outer one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ..diagnostics import Place
from ..ir import E
from ..model import Effect, Routine
from ..schema import Leaf
from ..types import Type

At = tuple[int, int, int, int]


class Source(NamedTuple):
    """A stretch of a leaf that is read as a snippet; texts hold several."""

    leaf: Leaf
    line: int = 1
    column: int = 1

    def place(self, at: At) -> Place:
        line, column, end_line, end_column = at
        if line == 1:
            column += self.column - 1
        if end_line == 1:
            end_column += self.column - 1
        return self.leaf.scalar.place_of(line + self.line - 1, column, end_line + self.line - 1, end_column)


@dataclass(eq=False)
class Local:
    type: Type
    py: str
    place: Place
    sort: str = "let"  # let, choose, parameter, loop, roll
    used: bool = False


@dataclass(eq=False)
class Head:
    """Whether we are still in the part of a body that decides if it is offered."""

    open: bool = True
    ended: Place | None = None

    def end(self, place: Place) -> None:
        if self.open:
            self.open, self.ended = False, place


@dataclass(eq=False)
class Scope:
    source: Source
    routine: Routine | None = None
    you: str | None = None
    this: Type | None = None
    it: dict[str, tuple[int, Type]] | None = None
    it_settable: bool = False
    effect: Effect | None = None
    seats: dict[str, int] = field(default_factory=dict)
    scenario: bool = False
    bare: E | None = None  # whose fields may be named without a dot
    result: bool = False  # inside `instead of`: `proceed` is allowed
    proceeds: Routine | None = None
    parent: Scope | None = None
    barrier: bool = False  # the body of `during` or `at once`: outer locals cannot be set
    names: dict[str, Local] = field(default_factory=dict)
    mentions: set[str] = field(default_factory=set)

    def inner(self, barrier: bool = False) -> Scope:
        return Scope(
            self.source,
            self.routine,
            self.you,
            self.this,
            self.it,
            self.it_settable,
            self.effect,
            self.seats,
            self.scenario,
            self.bare,
            self.result,
            self.proceeds,
            self,
            barrier,
            {},
            self.mentions,
        )

    def find(self, word: str) -> Local | None:
        here: Scope | None = self
        while here is not None:
            if word in here.names:
                return here.names[word]
            here = here.parent
        return None

    def outside(self, word: str) -> bool:
        """Whether a local was declared outside of the nearest `during` or `at once`."""
        here: Scope | None = self
        while here is not None:
            if word in here.names:
                return False
            if here.barrier:
                return True
            here = here.parent
        return False

    def words(self) -> Iterator[str]:
        here: Scope | None = self
        while here is not None:
            yield from here.names
            here = here.parent
