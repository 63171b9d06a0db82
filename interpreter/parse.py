"""Parse snippets of the effect language into trees.

Takes text (one line, or a block), gives a tree or a `SyntaxProblem` with the place inside the
snippet. Looks up no name. The Lark parser is built once, on first use.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from . import syntax as s

GRAMMAR = Path(__file__).parent.parent / "grammar" / "effect.lark"
LONGEST = 6_000  # characters of one snippet
DEEPEST = 60  # nesting of one snippet

RESERVED = frozenset(
    (
        "if else for each in any order repeat up to times while as at once during may choose"
        " one by let be need return where is not and or can number of with on from under"
    ).split()
)
# Words that may still name things where no sentence form begins with them.
SOFT = frozenset(
    ["number", "order", "times", "once", "one", "each", "of", "up", "at", "on", "from", "with", "under"]
)


class SyntaxProblem(Exception):
    """A snippet that is not a sentence: where, what, and what to write instead."""

    def __init__(
        self, at: tuple[int, int, int, int], message: str, hint: str = "", code: str = "syntax"
    ) -> None:
        super().__init__(message)
        self.at, self.message, self.hint, self.code = at, message, hint, code


@lru_cache(maxsize=1)
def _parser() -> Any:
    from lark import Lark, Token
    from lark.indenter import Indenter

    class Blocks(Indenter):
        NL_type = "_NL"
        OPEN_PAREN_types = ["LPAR", "LSQB"]  # noqa: RUF012
        CLOSE_PAREN_types = ["RPAR", "RSQB"]  # noqa: RUF012
        INDENT_type = "_INDENT"
        DEDENT_type = "_DEDENT"
        tab_len = 8

    def build() -> Any:
        return Lark(
            GRAMMAR.read_text(encoding="utf-8"),
            parser="lalr",
            start=["effect", "query", "signature", "hook", "type_"],
            postlex=Blocks(),
            maybe_placeholders=True,
            transformer=_builder(Token),
        )

    return build()


def _builder(token_type: type) -> Any:
    from lark import Transformer

    def at(children: Any) -> tuple[int, int, int, int]:
        """From the first to the last part that has a place (keywords leave none)."""
        places = [x for x in (_place(c) for c in children) if x is not None]
        if not places:
            return (1, 1, 1, 1)
        return (*places[0][:2], *places[-1][2:])

    def tok(token: Any) -> tuple[int, int, int, int]:
        return (token.line, token.column, token.end_line, token.end_column)

    def word(token: Any) -> str:
        text = str(token)
        if text in RESERVED and text not in SOFT:
            raise SyntaxProblem(tok(token), f"`{text}` is a word of the language and cannot be a name here")
        return text

    def string(token: Any) -> str | None:
        return None if token is None else str(token)[1:-1]

    def block(suite: Any) -> tuple[s.Stmt, ...]:
        return tuple(suite)

    class Build(Transformer):  # type: ignore[type-arg]
        def effect(self, c: list[Any]) -> tuple[s.Stmt, ...]:
            return tuple(_statement(x) for x in c)

        def suite(self, c: list[Any]) -> tuple[s.Stmt, ...]:
            return tuple(_statement(x) for x in c)

        def if_(self, c: list[Any]) -> s.Stmt:
            test, body, *rest = c
            otherwise = rest.pop()
            branches = [(test, block(body)), *rest]
            return s.If(tuple(branches), otherwise or (), at=at(c))

        def elif_(self, c: list[Any]) -> Any:
            return (c[0], block(c[1]))

        def else_(self, c: list[Any]) -> Any:
            return block(c[0])

        def in_any_order(self, c: list[Any]) -> bool:
            return True

        up_to_word = each_word = at_once = in_any_order

        def for_each(self, c: list[Any]) -> s.Stmt:
            return s.ForEach(c[0], bool(c[1]), block(c[2]), at=at(c))

        def repeat(self, c: list[Any]) -> s.Stmt:
            return s.Repeat(c[1], c[2], block(c[3]), at=at(c))

        def as_(self, c: list[Any]) -> s.Stmt:
            return s.As(bool(c[0]), c[1], bool(c[2]), block(c[3]), at=at(c))

        def during(self, c: list[Any]) -> s.Stmt:
            call = c[0]
            if isinstance(call, s.Name):
                call = s.Call(call.word, (), call.at, at=call.at)
            return s.During(call, block(c[1]), at=at(c))

        def may(self, c: list[Any]) -> s.Stmt:
            head, body, otherwise = c
            if isinstance(head, token_type):
                return s.May(string(head), None, block(body), otherwise or (), at=at(c))
            return s.May(None, _statement(head), block(body), otherwise or (), at=at(c))

        def may_choose(self, c: list[Any]) -> s.Stmt:
            return s.May(None, c[0], (), (), at=at(c))

        def choose_one(self, c: list[Any]) -> s.Stmt:
            return s.ChooseOne(string(c[0]), c[1], tuple(c[2:]), at=at(c))

        def option(self, c: list[Any]) -> s.OneOption:
            return s.OneOption(string(c[0]) or "", c[1], block(c[2]), at=tok(c[0]))

        def choose(self, c: list[Any]) -> s.Stmt:
            how, low, high = c[1] or ("one", None, None)
            plain: s.Ranked = c[2]
            return s.Choose(string(c[0]), how, low, high, plain.binders, plain.where, c[3], at=at(c))

        def any_number(self, c: list[Any]) -> Any:
            return ("any", None, None)

        def up_to(self, c: list[Any]) -> Any:
            return ("up to", None, c[0])

        def exactly(self, c: list[Any]) -> Any:
            return ("exactly", c[0], c[0])

        def between(self, c: list[Any]) -> Any:
            return ("between", c[0], c[1])

        def let(self, c: list[Any]) -> s.Stmt:
            return s.Let(word(c[0]), c[1], at=at(c))

        def need(self, c: list[Any]) -> s.Stmt:
            return s.Need(c[0], string(c[1]), at=at(c))

        def return_(self, c: list[Any]) -> s.Stmt:
            return s.Return(c[0], at=at(c))

        def action(self, c: list[Any]) -> s.Stmt:
            verb, *rest = c
            result = rest.pop()
            args = tuple(x for x in rest if x is not None and not isinstance(x, s.Tail))
            tails = tuple(x for x in rest if isinstance(x, s.Tail))
            return s.Verb(
                str(verb), args, tails, None if result is None else word(result), tok(verb), at=at(c)
            )

        def tail(self, c: list[Any]) -> s.Tail:
            return s.Tail(str(c[0]), c[1], at=at(c))

        def prep(self, c: list[Any]) -> Any:
            return c[0]  # the token, for its place

        def amount(self, c: list[Any]) -> s.Amount:
            return s.Amount(c[0], str(c[1]), tok(c[1]), at=at(c))

        def plain(self, c: list[Any]) -> s.Ranked:
            return s.Ranked(tuple(c[:-1]), c[-1], None, at=at(c))

        def ranked(self, c: list[Any]) -> s.Ranked:
            return s.Ranked(tuple(c[:-2]), c[-2], c[-1], at=at(c))

        def binding(self, c: list[Any]) -> s.Binder:
            return s.Binder(word(c[0]), c[1], c[2], at=tok(c[0]))

        def conditional(self, c: list[Any]) -> s.Expr:
            return s.Conditional(c[1], c[0], c[2], at=at(c))

        def either(self, c: list[Any]) -> s.Expr:
            return s.Logic("or", tuple(c), at=at(c))

        def both(self, c: list[Any]) -> s.Expr:
            return s.Logic("and", tuple(c), at=at(c))

        def negate(self, c: list[Any]) -> s.Expr:
            return s.Not(c[0], at=at(c))

        def compare(self, c: list[Any]) -> s.Expr:
            return s.Compare(str(c[1]), c[0], c[2], at=at(c))

        def is_(self, c: list[Any]) -> s.Expr:
            return s.Compare("is", c[0], c[1], at=at(c))

        def is_not(self, c: list[Any]) -> s.Expr:
            return s.Compare("is not", c[0], c[1], at=at(c))

        def is_in(self, c: list[Any]) -> s.Expr:
            return s.Compare("is in", c[0], c[1], at=at(c))

        def is_not_in(self, c: list[Any]) -> s.Expr:
            return s.Compare("is not in", c[0], c[1], at=at(c))

        def added(self, c: list[Any]) -> s.Expr:
            left = c[0]
            for op, right in zip(c[1::2], c[2::2], strict=True):
                left = s.Sum(str(op), left, right, at=(*left.at[:2], *right.at[2:]))
            return left  # type: ignore[no-any-return]

        multiplied = added

        def minus(self, c: list[Any]) -> s.Expr:
            return s.Minus(c[0], at=at(c))

        def can(self, c: list[Any]) -> s.Expr:
            return s.Can(c[0], at=at(c))

        def number(self, c: list[Any]) -> s.Expr:
            text = str(c[0])
            if len(text) > 12:
                raise SyntaxProblem(
                    tok(c[0]), "this number is too long: at most 12 digits", code="number-too-big"
                )
            if "." in text and text.split(".")[1].strip("0") not in ("", "5"):
                raise SyntaxProblem(
                    tok(c[0]),
                    f"`{text}` is neither a whole number nor a half",
                    "numbers are whole, or end in .5",
                    "not-a-half",
                )
            number = float(text) if "." in text else int(text)
            return s.Number(int(number) if number == int(number) else number, at=tok(c[0]))

        def dice(self, c: list[Any]) -> s.Expr:
            count, sides = (int(x) for x in str(c[0]).split("d"))
            if not 1 <= count <= 100 or not 1 <= sides <= 1000:
                raise SyntaxProblem(
                    tok(c[0]), f"`{c[0]}`: roll 1 to 100 dice with 1 to 1000 sides", code="bad-dice"
                )
            return s.Dice(count, sides, at=tok(c[0]))

        def text(self, c: list[Any]) -> s.Expr:
            return s.Text(str(c[0])[1:-1], at=tok(c[0]))

        def name(self, c: list[Any]) -> s.Expr:
            return s.Name(word(c[0]), at=tok(c[0]))

        def field(self, c: list[Any]) -> s.Expr:
            return s.Field(c[0], str(c[1]), tok(c[1]), at=at(c))

        def list_(self, c: list[Any]) -> s.Expr:
            return s.ListOf(tuple(x for x in c if x is not None), at=at(c))

        def call(self, c: list[Any]) -> s.Expr:
            return s.Call(str(c[0]), tuple(x for x in c[1:] if x is not None), tok(c[0]), at=at(c))

        def fold(self, c: list[Any]) -> s.Expr:
            return s.Fold(str(c[0]), None, c[1], tok(c[0]), at=at(c))

        def fold_of(self, c: list[Any]) -> s.Expr:
            return s.Fold(str(c[0]), c[1], c[2], tok(c[0]), at=at(c))

        def signature(self, c: list[Any]) -> s.Signature:
            params = tuple(x for x in c[1:] if x is not None)
            bare = len(c) == 1
            return s.Signature(word(c[0]), None if bare else params, at=tok(c[0]))

        def bare_param(self, c: list[Any]) -> s.Param:
            return s.Param(word(c[0]), None, at=tok(c[0]))

        def typed_param(self, c: list[Any]) -> s.Param:
            return s.Param(word(c[1]), c[0], at=at(c))

        def type_(self, c: list[Any]) -> s.TypeName:
            *words, maybe = c
            return s.TypeName(tuple(str(w) for w in words), maybe is not None, at=at(c))

        def hook(self, c: list[Any]) -> s.Hook:
            moment = re.sub(" +", " ", str(c[0]))
            part = str(c[2]) if len(c) > 2 and c[2] is not None else None
            return s.Hook(moment, str(c[1]), part, tok(c[1]), at=at(c))

    return Build()


def _place(part: Any) -> tuple[int, int, int, int] | None:
    if isinstance(part, s.Node):
        return part.at
    if isinstance(part, tuple):
        found = [x for x in (_place(p) for p in part) if x is not None]
        return (*found[0][:2], *found[-1][2:]) if found else None
    line = getattr(part, "line", None)
    return None if line is None else (line, part.column, part.end_line, part.end_column)


def _statement(node: Any) -> s.Stmt:
    if isinstance(node, (s.Call, s.Fold)):
        return s.CallStmt(node, at=node.at)
    return node  # type: ignore[no-any-return]


def parse(text: str, start: str) -> Any:
    """The tree of one snippet; raises `SyntaxProblem`."""
    if len(text) > LONGEST:
        raise SyntaxProblem(
            (1, 1, 1, 2), f"this snippet is too long: at most {LONGEST} characters", code="snippet-too-long"
        )
    _refuse_deep(text)
    return _parse(text, start)


@lru_cache(maxsize=20_000)
def _parse(text: str, start: str) -> Any:
    from lark.exceptions import UnexpectedInput, VisitError
    from lark.indenter import DedentError

    source = text + "\n" if start == "effect" else text.rstrip("\n").replace("\n", " ")
    try:
        return _parser().parse(source, start=start)
    except SyntaxProblem:
        raise
    except VisitError as error:
        if isinstance(error.orig_exc, SyntaxProblem):
            raise error.orig_exc from None
        raise
    except DedentError:
        raise SyntaxProblem(
            _bad_indent(text),
            "this line is indented to no level above it",
            "indent every block by two spaces",
        ) from None
    except UnexpectedInput as error:
        raise _explain(error, text, start) from None


def _bad_indent(text: str) -> tuple[int, int, int, int]:
    levels = [0]
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        indent = len(line) - len(line.lstrip())
        while levels and indent < levels[-1]:
            levels.pop()
        if indent > (levels[-1] if levels else 0):
            if (
                levels
                and number > 1
                and indent not in levels
                and not text.split("\n")[number - 2].rstrip().endswith(":")
            ):
                return (number, indent + 1, number, len(line) + 1)
            levels.append(indent)
    return (1, 1, 1, 2)


def _refuse_deep(text: str) -> None:
    depth = 0
    line, start = 1, 0
    for index, char in enumerate(text):
        if char in "([":
            depth += 1
            if depth > DEEPEST:
                column = index - start + 1
                raise SyntaxProblem(
                    (line, column, line, column + 1),
                    f"brackets nest more than {DEEPEST} deep",
                    code="too-deep",
                )
        elif char in ")]":
            depth -= 1
        elif char == "\n":
            line, start = line + 1, index + 1
    for word in ("not", "-"):
        run = re.search(rf"(?:\b{word} +){{{DEEPEST},}}" if word == "not" else r"(?:- *){60,}", text)
        if run:
            before = text[: run.start()].split("\n")
            place = (len(before), len(before[-1]) + 1)
            raise SyntaxProblem(
                (*place, place[0], place[1] + 3),
                f"`{word}` repeats more than {DEEPEST} times",
                code="too-deep",
            )


WRITE_INSTEAD = {
    "+=": "write `gain 2 …`, `add 2 to x` or `set x to x + 2`",
    "-=": "write `lose 2 …` or `set x to x - 2`",
    "\u201c": 'use straight quotes: "…"',
    "\u201d": 'use straight quotes: "…"',
    "\u2018": 'use straight quotes: "…"',
    "\u2019": 'use straight quotes: "…"',
    "\u00a0": "this is a space of another sort (non-breaking): write an ordinary one",
    '"': "this quote is never closed on its line",
    "else": "there is no `if` (or `may`) right above this `else`",
    "==": "write `is`",
    "=": "write `is` to compare, `set x to …` to change, `let x be …` to name",
    "!=": "write `is not`",
    "!": "write `not`",
    "&": "write `and`",
    "|": "write `or`",
    "'": 'texts stand in double quotes: "…"',
    "{": "lists stand in square brackets: [a, b]",
    ";": "write one sentence a line",
    "%": "there is no remainder: use `//` and `-`",
}

PIECES = {
    "_NL": "the end of the line",
    "$END": "the end",
    "NAME": "a name",
    "CALL": "a name with `(`",
    "NUMBER": "a number",
    "STRING": "a text",
    "COLON": "`:`",
    "RPAR": "`)`",
    "RSQB": "`]`",
    "COMMA": "`,`",
    "DOT": "`.`",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "IN": "`in`",
    "BE": "`be`",
    "TO": "`to`",
}
EXPRESSION_STARTS = {"NUMBER", "DICE", "STRING", "NAME", "CALL", "LPAR", "LSQB", "MINUS", "NOT", "CAN", "ADD"}


def _explain(error: Any, text: str, start: str) -> SyntaxProblem:
    """One kind sentence about what stands where no sentence can go on."""
    lines = text.split("\n")
    line = max(1, min(getattr(error, "line", 1) or 1, len(lines)))
    column = getattr(error, "column", 1) or 1
    here = lines[line - 1][column - 1 :] if 0 < column <= len(lines[line - 1]) else ""
    token = getattr(error, "token", None)
    expected = set(
        getattr(error, "accepts", None)
        or getattr(error, "expected", None)
        or getattr(error, "allowed", None)
        or ()
    )
    if not here or (token is not None and token.type in ("_NL", "$END", "_DEDENT", "_INDENT")):
        if token is not None and token.type == "_INDENT":
            inner = next((n for n in range(line + 1, len(lines) + 1) if _written(lines[n - 1])), len(lines))
            width = len(lines[inner - 1]) - len(lines[inner - 1].lstrip())
            return SyntaxProblem(
                (inner, width + 1, inner, len(lines[inner - 1]) + 1),
                "this line is indented, but the line before opens no block",
                "a block follows a line that ends with `:`",
            )
        while line > 1 and not lines[line - 1].strip():
            line -= 1
        end = len(_uncommented(lines[line - 1])) + 1
        wants = _wanted(expected)
        return SyntaxProblem(
            (line, end, line, end + 1),
            f"the sentence stops too early{': expected ' + wants if wants else ''}",
        )
    match = re.match(r"==|!=|[+-]=|[a-z0-9_]+|.", here)
    found = match.group(0) if match else here[:1]
    hint = WRITE_INSTEAD.get(found, "")
    if found[:1].isupper():
        hint = "names are written in small letters: `snake_case`"
    if found == "\t":
        hint = "indent with spaces"
    if re.search(r"(^|[\s:])for +$", lines[line - 1][: column - 1]):
        hint = f"a loop begins with `for each`: write `for each {found} in …`"
    wants = _wanted(expected)
    message = f"`{found}` cannot stand here"
    if wants and not hint:
        message += f": expected {wants}"
    return SyntaxProblem((line, column, line, column + len(found)), message, hint)


def _uncommented(line: str) -> str:
    return re.sub(r'("[^"]*")|#.*', lambda hit: hit[1] or "", line).rstrip()


def _written(line: str) -> bool:
    return bool(_uncommented(line).strip())


def _wanted(expected: set[str]) -> str:
    if not expected:
        return ""
    shown = []
    if expected >= {"NUMBER", "LPAR"}:
        shown.append("an expression")
        expected = expected - EXPRESSION_STARTS
    for name in sorted(expected):
        if name in PIECES:
            shown.append(PIECES[name])
        elif name.isupper() and name.lower() in RESERVED:
            shown.append(f"`{name.lower()}`")
    shown = [x for x in shown if x not in ("the end of the block",)]
    if len(shown) > 6:
        return ""
    return " or ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
