"""The frozen tree of the effect language: what a designer wrote, and where.

Takes nothing, looks up nothing. `line` and `column` count inside the snippet (1-based); the
checker maps them to the file.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Node:
    """Any tree node. `at` is (line, column, end_line, end_column) inside its snippet."""

    at: tuple[int, int, int, int] = field(compare=False, kw_only=True, default=(1, 1, 1, 1))


class Expr(Node):
    __slots__ = ()


class Stmt(Node):
    __slots__ = ()


# ---- expressions ----


@dataclass(frozen=True, slots=True)
class Number(Expr):
    value: int | float


@dataclass(frozen=True, slots=True)
class Dice(Expr):
    count: int
    sides: int


@dataclass(frozen=True, slots=True)
class Text(Expr):
    value: str


@dataclass(frozen=True, slots=True)
class Name(Expr):
    word: str


@dataclass(frozen=True, slots=True)
class Field(Expr):
    of: Expr
    word: str
    word_at: tuple[int, int, int, int] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Call(Expr):
    word: str
    args: tuple[Expr, ...]
    word_at: tuple[int, int, int, int] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Binder(Node):
    word: str
    source: Expr
    upto: Expr | None = None


@dataclass(frozen=True, slots=True)
class Ranked(Node):
    """`x in S, y in T where … by …`"""

    binders: tuple[Binder, ...]
    where: Expr | None
    key: Expr | None


@dataclass(frozen=True, slots=True)
class Fold(Expr):
    """`count(x in S where …)`, `sum(x.worth for x in S)`"""

    word: str
    value: Expr | None
    ranked: Ranked
    word_at: tuple[int, int, int, int] = field(compare=False)


@dataclass(frozen=True, slots=True)
class ListOf(Expr):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Not(Expr):
    of: Expr


@dataclass(frozen=True, slots=True)
class Minus(Expr):
    of: Expr


@dataclass(frozen=True, slots=True)
class Can(Expr):
    call: Expr


@dataclass(frozen=True, slots=True)
class Logic(Expr):
    op: str  # "and" or "or"
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Compare(Expr):
    op: str  # "<" "<=" ">" ">=" "is" "is not" "is in" "is not in"
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Sum(Expr):
    op: str  # "+" "-" "*" "/" "//"
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Conditional(Expr):
    test: Expr
    yes: Expr
    no: Expr


# ---- statements ----


@dataclass(frozen=True, slots=True)
class Amount(Node):
    """`2 tokens`, `90 seconds`: a number with its unit."""

    number: Expr
    unit: str
    unit_at: tuple[int, int, int, int] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Tail(Node):
    word: str
    arg: Expr | Amount


@dataclass(frozen=True, slots=True)
class Verb(Stmt):
    word: str
    args: tuple[Expr | Amount, ...]
    tails: tuple[Tail, ...]
    result: str | None
    word_at: tuple[int, int, int, int] = field(compare=False)


@dataclass(frozen=True, slots=True)
class CallStmt(Stmt):
    call: Call | Fold


@dataclass(frozen=True, slots=True)
class Let(Stmt):
    word: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Need(Stmt):
    test: Expr
    text: str | None


@dataclass(frozen=True, slots=True)
class Return(Stmt):
    value: Expr | None


@dataclass(frozen=True, slots=True)
class Choose(Stmt):
    prompt: str | None
    how: str  # "one", "exactly", "up to", "between", "any"
    low: Expr | None
    high: Expr | None
    binders: tuple[Binder, ...]
    where: Expr | None
    by: Expr | None


@dataclass(frozen=True, slots=True)
class If(Stmt):
    branches: tuple[tuple[Expr, tuple[Stmt, ...]], ...]
    otherwise: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class ForEach(Stmt):
    ranked: Ranked
    any_order: bool
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Repeat(Stmt):
    count: Expr
    test: Expr | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class As(Stmt):
    each: bool
    who: Expr
    once: bool
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class During(Stmt):
    call: Call
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class May(Stmt):
    label: str | None
    head: Stmt | None  # `may choose …:` or `may pay …:`
    body: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class OneOption(Node):
    label: str
    test: Expr | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class ChooseOne(Stmt):
    prompt: str | None
    by: Expr | None
    options: tuple[OneOption, ...]


# ---- declarations written as text ----


@dataclass(frozen=True, slots=True)
class TypeName(Node):
    words: tuple[str, ...]  # ("list", "goods")
    optional: bool


@dataclass(frozen=True, slots=True)
class Param(Node):
    word: str
    type: TypeName | None


@dataclass(frozen=True, slots=True)
class Signature(Node):
    word: str
    params: tuple[Param, ...] | None  # None: written without brackets


@dataclass(frozen=True, slots=True)
class Hook(Node):
    moment: str  # "before", "after", "instead of"
    word: str
    part: str | None
    word_at: tuple[int, int, int, int] = field(compare=False)
