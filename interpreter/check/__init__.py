"""Check a ruleset: parse every snippet, resolve every name, type every expression.

Takes shaped files, gives the completed model and all problems. Never stops at the first error,
never changes a file, carries out nothing.
"""

from __future__ import annotations

import sys

from .. import schema
from ..declare import Declarer
from ..diagnostics import Place, Problems
from ..ir import E
from ..model import Model, Routine
from ..schema import Leaf
from ..types import NONE, Type
from .hidden import reads_hidden
from .scope import Scope, Source
from .whole import Whole

__all__ = ["check", "check_expression", "check_scenario_given", "reads_hidden"]

DEEP = 12_000  # Python frames: the checker's own bounds come first
LATER = 1_000_000  # where the names of snippets that come after the ruleset begin


class _Line:
    """Stands for the scalar of a text that is in no file."""

    exact = True

    def __init__(self, text: str) -> None:
        self.text = self.value = text
        self.place = Place("expression", 1, 1, 1, len(text) + 1)

    def place_of(self, line: int, column: int, end_line: int, end_column: int) -> Place:
        return Place("expression", line, column, end_line, end_column)


def check(files: list[tuple[str, schema.File]], problems: Problems) -> Model:
    """The whole of a ruleset. With errors among the problems, the model is not to be played."""
    _room()
    declarer = Declarer(files, problems)
    if declarer.too_big():
        return Model()
    model = declarer.declare()
    declarer.fill_tables()
    return Whole(model, problems, declarer.counter).check()


def check_scenario_given(model: Model, leaf: Leaf, names: dict[str, int], problems: Problems) -> Routine:
    """The `given` of a scenario, as a routine without parameters; seats are players' names."""
    _room()
    checker = Whole(model, problems, LATER)
    made = Routine("given", "given", leaf.place, snippet=leaf, py=checker.fresh("given"))
    scope = Scope(Source(leaf), made, None, seats=dict(names), scenario=True)
    checker.routines.append(made)
    checker.body_of(made, scope)
    checker.suspension()
    return made


def check_expression(
    model: Model,
    leaf_or_text: Leaf | str,
    names: dict[str, int],
    problems: Problems,
    want: Type | None = None,
) -> E:
    """One expression of a scenario or of a caller; of unknown type where it has problems."""
    _room()
    if isinstance(leaf_or_text, Leaf):
        leaf = leaf_or_text
    else:
        leaf = Leaf(leaf_or_text)
        leaf.value, leaf.scalar = str(leaf_or_text), _Line(str(leaf_or_text))  # type: ignore[assignment]
    checker = Whole(model, problems, LATER)
    scope = Scope(Source(leaf), None, None, seats=dict(names), scenario=True)
    tree = checker.read(leaf, "query")
    if tree is None:
        return E("const", NONE, (None,), leaf.place)
    if want is not None:
        return checker.typed(tree, scope, want)
    return checker.expr(tree, scope)


def _room() -> None:
    if sys.getrecursionlimit() < DEEP:
        sys.setrecursionlimit(DEEP)
