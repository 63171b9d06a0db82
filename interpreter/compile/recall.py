"""Values that are found once while options are looked for.

The heads of a menu ask the same things again and again (`stores(you)`), and while they only look, nothing
changes. So whoever looks lays a table into the slot `LOOK`, and values that search much keep there what they
found. Outside of a look the slot holds none, and every value is found afresh.

Takes the functions of a ruleset, gives them with the few that are worth it put behind such a table.
"""

from __future__ import annotations

import re
from typing import Any

from ..types import Type

MOST = 1  # things that a value may hang on
KEYS = ("player", "symbol")

CALL = re.compile(r"\b([a-z]\w*)\(")
MUCH = re.compile(r"\b(?:q\d+\(|n\d+_\w+\(|P_\w+|B_\w+|BY_\d+|fromkeys)|S\[Z_\w+\]")
SPOKEN = re.compile(r"def (?:w\d+|why_|label_|labels\d|prompt\d|shot\d|menu_|drawing)")
BEGIN, END = "    # look", "    # seen"  # lines of a function that looks


class Recall:
    def __init__(self) -> None:
        self.offers: dict[str, list[str]] = {}  # functions that depend on little: their parameters

    def offer(self, name: str, params: list[str], kinds: list[Type | None]) -> None:
        if len(kinds) <= MOST and all(kind is not None and kind.base in KEYS for kind in kinds):
            self.offers[name] = params

    def over(self, functions: list[str]) -> list[str]:
        """The same functions, some of them kept."""
        calls = {name: CALL.findall(text) for name, text in map(_named, functions) if name}
        uses: dict[str, int] = {}
        for text in functions:
            if SPOKEN.match(text):
                continue
            for line in text.split("\n")[1:]:  # what stands in a loop is asked more than once
                often = 2 if line.startswith("        ") or " for " in line else 1
                for other in CALL.findall(line):
                    uses[other] = uses.get(other, 0) + often
        for text in functions:  # a value under the name of its query is used as often as that
            name, equals, query = text.partition(" = ")
            if equals and "\n" not in text:
                uses[query] = uses.get(query, 0) + uses.get(name, 0)
        kept: dict[str, int] = {}
        made: list[Any] = []
        for text in functions:
            name = _named(text)[0]
            body = text.partition("\n")[2]
            if name in self.offers and uses.get(name, 0) > 1 and MUCH.search(body):
                kept[name] = len(kept)
                made.append(text.replace(f"def {name}(", f"def fresh_{name}(", 1))
                made.append(self.kept(name, self.offers[name], kept[name]))
            else:
                made.append(text)
        reached = set(kept) | {text.partition(" = ")[0] for text in functions if text.rpartition(" = ")[2] in kept}
        while True:
            more = {name for name, called in calls.items() if name not in reached and not reached.isdisjoint(called[1:])}
            if not more:
                break
            reached |= more
        return [_looking(text, not reached.isdisjoint(calls.get(_named(text)[0], [])[1:])) for text in made]

    def kept(self, name: str, params: list[str], number: int) -> str:
        key = ", ".join([str(number), *params[1:]])
        args = ", ".join(params)
        return "\n".join([
            f"def {name}({args}):",
            "    m = S[LOOK]",
            f"    if m is None: return fresh_{name}({args})",
            f"    r = m.get(({key}), m)",
            f"    if r is m: m[{key}] = r = fresh_{name}({args})",
            "    return r",
        ])  # fmt: skip


def _named(text: str) -> tuple[str, str]:
    return (text[4 : text.index("(")], text) if text.startswith("def ") else ("", text)


def _looking(text: str, worth: bool) -> str:
    """A function that looks lays the table before its search, and takes it away after it, where that is worth it."""
    if BEGIN not in text:
        return text
    lines = []
    for line in text.split("\n"):
        if line.startswith((BEGIN, END)):
            if not worth:
                continue
            line = "    S[LOOK] = " + ("{}" if line.startswith(BEGIN) else "None")
        lines.append(line)
    return "\n".join(lines)
