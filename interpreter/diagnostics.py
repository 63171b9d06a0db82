"""Places and problems: what is wrong, where it stands, and what was probably meant.

Takes places, codes and sentences; gives diagnostics, their text and their JSON, and the nearest
known name to a misspelt one. Never reads a file: whoever renders hands over the lines.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

Severity = Literal["error", "warning"]
Style = Literal["full", "concise"]

MOST_PROBLEMS = 200  # of each severity; what comes after is counted, not kept
WIDEST_EXCERPT = 100  # columns of a source line that are shown at most
TAB = "    "


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A stretch of a file: lines and columns from 1, columns in code points, the end exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def whole(cls, file: str) -> Place:
        """The file itself, where nothing in it can be pointed at."""
        return cls(file, 1, 1, 1, 1)

    def below(self, folder: str) -> Place:
        """The same place with its file named from outside of `folder`."""
        if folder in ("", "."):
            return self
        return replace(self, file=f"{folder.rstrip('/')}/{self.file}" if self.file else folder)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


Related = tuple[tuple[Place, str], ...]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem, in the designer's words. `suggestion` stands beside the caret, `hint` below it."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    message: str
    hint: str = ""
    severity: Severity = "error"
    related: Related = ()
    suggestion: str = ""

    @classmethod
    def at(
        cls,
        place: Place,
        code: str,
        message: str,
        hint: str = "",
        *,
        severity: Severity = "error",
        related: Related = (),
        suggestion: str = "",
    ) -> Diagnostic:
        start, end = (place.line, place.column), (place.end_line, place.end_column)
        return cls(place.file, *start, *end, code, message, hint, severity, related, suggestion)

    @property
    def place(self) -> Place:
        return Place(self.file, self.line, self.column, self.end_line, self.end_column)

    def below(self, folder: str) -> Diagnostic:
        """The same problem with its files named from outside of `folder`."""
        related = tuple((place.below(folder), text) for place, text in self.related)
        return replace(self, file=self.place.below(folder).file, related=related)

    def __str__(self) -> str:
        return render(self, lambda _: None, "concise")


class OrreryError(Exception):
    """Anything that Orrery refuses to do; its message is meant for people."""


class RulesetError(OrreryError):
    """A ruleset that cannot be played, with all that is wrong in it."""

    def __init__(self, problems: Sequence[Diagnostic], message: str = "") -> None:
        self.problems = list(problems)
        errors = [problem for problem in self.problems if problem.severity == "error"]
        count = "1 error" if len(errors) == 1 else f"{len(errors)} errors"
        first = f": {errors[0]}" if errors else ""
        super().__init__(message or f"the ruleset has {count}{first}")


class IllegalChoice(OrreryError):
    """An option that is not there, a player who is not asked, or a game that is over."""


class UsageError(OrreryError):
    """A call that cannot be meant: a seat that is not there, a game that cannot be set up as asked."""


class UnknownName(OrreryError):
    """A name that the ruleset does not have."""


class RuleError(OrreryError):
    """A rule of the game could not be carried out; the game is back at the decision before.

    Its `place` is in the ruleset's folder; its words name that folder too.
    """

    def __init__(self, message: str, place: Place, folder: str = "") -> None:
        super().__init__(f"{place.below(folder)}: {message}")
        self.message, self.place = message, place


class SaveError(OrreryError):
    """A save or log that cannot be gone on with, and why."""


class Problems:
    """Collects what is wrong, each thing once, so that a pass never stops at the first error."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Place, str, str], Diagnostic] = {}
        self._count = {"error": 0, "warning": 0}
        self._left_out = {"error": 0, "warning": 0}

    def error(
        self,
        place: Place,
        code: str,
        message: str,
        hint: str = "",
        related: Related = (),
        suggestion: str = "",
    ) -> None:
        self.add(Diagnostic.at(place, code, message, hint, related=related, suggestion=suggestion))

    def warn(
        self,
        place: Place,
        code: str,
        message: str,
        hint: str = "",
        related: Related = (),
        suggestion: str = "",
    ) -> None:
        self.add(
            Diagnostic.at(
                place, code, message, hint, severity="warning", related=related, suggestion=suggestion
            )
        )

    def add(self, problem: Diagnostic) -> None:
        key = (problem.place, problem.code, problem.message)
        if key in self._kept:
            return
        if self._count[problem.severity] == MOST_PROBLEMS:
            self._left_out[problem.severity] += 1
            return
        self._count[problem.severity] += 1
        self._kept[key] = problem

    def drop(self, unwanted: Callable[[Diagnostic], bool]) -> None:
        """Takes those away that are told of elsewhere."""
        for key, problem in list(self._kept.items()):
            if unwanted(problem):
                del self._kept[key]
                self._count[problem.severity] -= 1

    def take(self, others: Problems) -> None:
        """All that another list holds, those left out included."""
        for problem in others._kept.values():
            self.add(problem)
        for severity, count in others._left_out.items():
            self._left_out[severity] += count

    @property
    def has_errors(self) -> bool:
        return self._count["error"] > 0

    def __len__(self) -> int:
        return len(self._kept)

    def sorted(self) -> list[Diagnostic]:
        """By file, line and column; at the end a word about those that were left out."""
        found = sorted(self._kept.values(), key=lambda problem: (problem.place, problem.code))
        for severity, count in self._left_out.items():
            if count:
                last = [problem for problem in found if problem.severity == severity][-1]
                message = f"{count} more {severity}{'s were' if count > 1 else ' was'} left out"
                hint = "mend some of those above, and look again"
                found.append(
                    replace(
                        last, code="too-many-problems", message=message, hint=hint, related=(), suggestion=""
                    )
                )
        return found


# --- the nearest name ---------------------------------------------------------------------------


def nearest(word: str, names: Iterable[str]) -> str | None:
    """The name that was most likely meant by `word`, or None if none comes near."""
    wanted = _plain(word)
    if not wanted:
        return None
    best: str | None = None
    best_rank = (1.0, 0)
    for name in names:
        if name == word:
            continue
        known = _plain(name)
        rank = (_remoteness(wanted, known), wanted[:1] != known[:1])
        if rank[0] < 1 and rank < best_rank:
            best, best_rank = name, rank
    return best


def suggest(word: str, names: Iterable[str]) -> str:
    """``did you mean `x`?``, or nothing."""
    name = nearest(word, names)
    return f"did you mean `{name}`?" if name else ""


def _plain(word: str) -> str:
    return "_".join(word.casefold().replace("-", " ").replace("_", " ").split())


def _singular(word: str) -> str:
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x")):
        if word.endswith(ending):
            return word[: -len(ending)] + instead
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _remoteness(word: str, name: str) -> float:
    """0 for the same word; below 1 for a likely slip; 1 for anything else."""
    if word == name:
        return 0
    if _singular(word) == _singular(name):
        return 0.01
    if sorted(word.split("_")) == sorted(name.split("_")):
        return 0.02
    longest = max(len(word), len(name))
    allowed = 1 if longest < 6 else longest // 3
    if abs(len(word) - len(name)) <= allowed:
        edits = _edits(word, name)
        if edits <= allowed and edits < min(len(word), len(name)):
            return edits / (longest + 1)
    if len(word) >= 3 and (name.startswith(word) or word in name.split("_")):
        return 0.9
    return 1


def _edits(one: str, two: str) -> int:
    """Letters to insert, drop, replace, or swap with their neighbour."""
    before: list[int] = []
    row = list(range(len(two) + 1))
    for i, a in enumerate(one, 1):
        earlier, before, row = before, row, [i]
        for j, b in enumerate(two, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == two[j - 2] and b == one[i - 2]:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
    return row[-1]


def escaped(text: str) -> str:
    """A name as it is, but of one line, and with nothing in it that could command a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


# --- for people, and for programs ---------------------------------------------------------------


def render(
    problem: Diagnostic,
    lines_of_file: Callable[[str], list[str] | None],
    style: Style = "full",
) -> str:
    """The problem as text: one line, or with the guilty line, a caret, hint and second places."""
    head = f"{_visible(str(problem.place))}: {problem.severity}: {_visible(problem.message)}"
    suggestion, code = _visible(problem.suggestion), f"[{problem.code}]"
    if style == "concise":
        return f"{head}; {suggestion} {code}" if suggestion else f"{head} {code}"
    text = [f"{head} {code}", *_excerpt(problem.place, lines_of_file, suggestion)]
    for place, remark in problem.related:
        text.append(f"  {_visible(str(place))}: {_visible(remark)}")
        text.extend(_excerpt(place, lines_of_file))
    if problem.hint:
        text.append(f"hint: {_visible(problem.hint)}")
    return "\n".join(text)


def as_json(problem: Diagnostic) -> dict[str, Any]:
    """The problem as plain data; what stands beside the caret leads the hint."""
    return {
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "end_line": problem.end_line,
        "end_column": problem.end_column,
        "code": problem.code,
        "severity": problem.severity,
        "message": problem.message,
        "suggestion": problem.suggestion,
        "hint": " ".join(filter(None, (problem.suggestion, problem.hint))),
    }


def _excerpt(place: Place, lines_of_file: Callable[[str], list[str] | None], remark: str = "") -> list[str]:
    lines = lines_of_file(place.file)
    if lines is None or not 1 <= place.line <= len(lines):
        return [f"      | {remark}"] if remark else []
    line = lines[place.line - 1].rstrip("\r\n")
    start = min(place.column - 1, len(line))
    end = place.end_column - 1 if place.end_line == place.line else len(line.rstrip())
    start, end, line = _trim(start, min(max(end, start + 1), max(len(line), start + 1)), line)
    before, marked = _visible(line[:start]), _visible(line[start:end])
    gutter = " " * max(5, len(str(place.line)))
    caret = " " * _width(before) + "^" * max(1, _width(marked))
    return [
        f"{place.line:5} | {before}{marked}{_visible(line[end:])}".rstrip(),
        f"{gutter} | {caret} {remark}".rstrip(),
    ]


def _trim(start: int, end: int, line: str) -> tuple[int, int, str]:
    """Cut a very long line down to what surrounds the marked part."""
    if len(line) <= WIDEST_EXCERPT:
        return start, end, line
    end = min(end, start + WIDEST_EXCERPT // 2)
    first = max(0, min(start - WIDEST_EXCERPT // 4, len(line) - WIDEST_EXCERPT))
    last = first + WIDEST_EXCERPT
    head, tail = "…" if first else "", "…" if last < len(line) else ""
    shift = first - len(head)
    return start - shift, end - shift, head + line[first:last] + tail


def _visible(text: str) -> str:
    """Tabs become spaces, and what could command a terminal becomes a sign."""
    if text.isprintable():
        return text
    return "".join(TAB if c == "\t" else c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def _width(text: str) -> int:
    """Columns on a terminal: wide letters take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )
