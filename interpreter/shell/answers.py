"""What a person typed at the prompt: a choice, a command, or something to be asked again.

Takes a line and a decision; gives a Choice, a Command or a Puzzle with words for the person.

In this order: the exact key or label of a choice; the number that stands before a choice; the exact
name of a command; an unambiguous beginning of a choice; an unambiguous beginning of a command. A
colon in front always means a command.

A line that is none of these may be several answers, one after the other: the longest beginning that is a
choice, and a rest that is kept for the next question. Whether that one takes it, `read_on` tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..diagnostics import nearest
from ..face import Decision, Game
from ..spoken import perhaps_skipped, question

COMMANDS = {
    "help": "help             this page",
    "look": "look             draw the table and the choices again",
    "more": "more             show the choices that did not fit",
    "log": "log [N]          what happened so far, or in the last N steps",
    "rules": "rules WORD       what the rules say about a word",
    "why": "why ACTION       why something is not on offer",
    "hint": "hint             what a small search would do",
    "undo": "undo [N]         take back your last decision, or the last N of them",
    "pause": "pause            stop the clock of a live game until you go on",
    "save": "save [FILE]      save now, or save a copy to a file",
    "quit": "quit             stop; the game can be resumed",
}

ALONE = {"help", "look", "more", "hint", "pause", "quit"}  # commands that take no word
LISTED = 60  # more choices than this are shown page by page
DONE = "done"  # the key that ends a set
MANY = 400  # more options than this are not searched for near misses


@dataclass(frozen=True, slots=True)
class Choice:
    option: int
    rest: str = ""  # of the line, for the questions after this one


@dataclass(frozen=True, slots=True)
class Command:
    name: str
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """Nothing that could be understood; `text` says why, and what would be."""

    text: str


class Seen:
    """A question as it was when it was answered: the rest of the line goes on from there."""

    def __init__(self, game: Game, decision: Decision, before: Seen | None = None) -> None:
        self.ask: dict[str, Any] | None = question(game, decision)
        self.of_set = self.ask is not None and self.ask["sort"] == "set"
        many = 0 if decision.amount else len(decision.options)
        self.keys: list[str] = [decision.key(index) for index in range(many)]
        # Whoever picks a set in one line reads the numbers of all from the list in sight, which gets shorter.
        self.listed: list[str] = before.listed if before is not None and self.goes_on(before) else self.keys

        self.next_in_line = before is None or (
            self.ask is not None and not perhaps_skipped(game, before.ask, self.ask)
        )

    def goes_on(self, before: Seen) -> bool:
        """Whether another piece of the same set is asked for."""
        return self.of_set and self.ask is before.ask

    def ended_by_itself(self, answer: int, now: Seen | None) -> bool:
        """Whether this was a set that could have gone on for all that its chooser knew."""
        open_end = self.of_set and DONE in self.keys and self.keys[answer] != DONE
        return open_end and (now is None or not now.goes_on(self))


def understand(line: str, decision: Decision) -> Choice | Command | Puzzle:
    text = " ".join(line.split())
    if text.startswith(":"):
        return _command(text[1:].strip()) or Puzzle(f"no command begins with `{text}`; try `help`")
    if text == "?":
        return Command("help")
    exact = _exact(text, decision)
    if exact is not None:
        return exact
    word, _, rest = text.partition(" ")
    if word.casefold() in COMMANDS and not (
        rest and not decision.amount and len(_begun(text, decision)) == 1
    ):
        return Command(word.casefold(), rest)
    if decision.amount:
        return _several(text, decision) or Puzzle(_amount_wanted(text, decision))
    if text.isdecimal() and numbered(decision):
        return Puzzle(f"there is no choice {text}: the choices go from 1 to {len(decision.options)}")
    begun = _begun(text, decision)
    if len(begun) == 1:
        return Choice(begun[0])
    if begun:
        return Puzzle(_ambiguous(text, begun, decision))
    return _several(text, decision) or Puzzle(_unknown(text, decision))


def _several(text: str, decision: Decision) -> Choice | Command | Puzzle | None:
    meant = _command(text)
    if meant is None or (meant.rest and meant.name in ALONE):
        return _first(text, decision) or meant
    return meant


def read_on(rest: str, decision: Decision, now: Seen, before: Seen) -> Choice | Puzzle:
    """The answer with which the rest of a line goes on, or why it does not."""
    word, after = next(_splits(rest, longest=False))
    if word.isdecimal() and numbered(decision):
        if now.goes_on(before):
            key = before.listed[int(word) - 1] if 1 <= int(word) <= len(before.listed) else ""
            if key in now.keys:
                return Choice(now.keys.index(key), after)
            return Puzzle(_passed_over(key) if key else f"there was no choice {word}")
        if not now.next_in_line:
            return Puzzle("not every question is always asked, and a number could be meant for another; type a name")
    found = _first(rest, decision)
    if found is not None:
        return found
    if now.goes_on(before):
        earlier = [key for key in before.listed if key.casefold().startswith(word.casefold())]
        if len(earlier) == 1 and earlier[0] not in now.keys:
            return Puzzle(_passed_over(earlier[0]))
    if word.casefold() in COMMANDS:
        return Puzzle(f"a command like `{word}` needs a line of its own")
    if decision.amount:
        return Puzzle(_amount_wanted(word, decision))
    return Puzzle(_unknown(word, decision, brief=True))


def _passed_over(key: str) -> str:
    return f"`{key}` is not on offer any more; what is chosen together is named in the order of the list"


def _first(text: str, decision: Decision) -> Choice | Puzzle | None:
    """The longest beginning of a line that is an answer, with the rest; or that could be several."""
    for head, rest in _splits(text):
        exact = _exact(head, decision)
        if exact is not None:
            return Choice(exact.option, rest)
        if decision.amount or (head.isdecimal() and numbered(decision)):
            continue
        begun = _begun(head, decision)
        if begun:
            return Choice(begun[0], rest) if len(begun) == 1 else Puzzle(_ambiguous(head, begun, decision))
        if _slip(head, decision):
            return Puzzle(_unknown(head, decision))
    return None


def _splits(text: str, longest: bool = True) -> Iterator[tuple[str, str]]:
    """A line cut in two, at every gap and comma."""
    text = text.strip(" ,")
    cuts = [(gap.start(), gap.end()) for gap in re.finditer(r"[ ,]+", text)]
    cuts.append((len(text), len(text)))
    for start, end in reversed(cuts) if longest else cuts:
        if start:
            yield text[:start], text[end:]


def _slip(text: str, decision: Decision) -> bool:
    """Whether words are those of one choice with a slip in them: then no part of them is an answer."""
    words = text.casefold().split()
    if len(words) < 2 or "," in text:
        return False
    for index in range(min(len(decision.options), MANY)):
        for name in (decision.label(index), decision.key(index).replace("_", " ")):
            known = name.casefold().split()
            if len(known) == len(words) and all(a == b or nearest(a, [b]) for a, b in zip(words, known, strict=True)):
                return True
    return False


def numbered(decision: Decision) -> bool:
    """Whether choices have numbers in front. Where a key is itself a number, only that one counts."""
    if decision.amount:
        return False
    return not any(decision.key(index).lstrip("-").isdecimal() for index in range(len(decision.options)))


def listed(words: Sequence[str], last: str = "and") -> str:
    quoted = [f"`{word}`" for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} {last} {quoted[-1]}"


def bounds(decision: Decision) -> tuple[str, str]:
    """The least and the greatest amount, as they are typed."""
    return decision.key(0), decision.key(len(decision.options) - 1)


def _exact(text: str, decision: Decision) -> Choice | None:
    count = len(decision.options)
    if decision.amount:
        return _amount(text, decision)
    plain = text.casefold()
    same_key = [index for index in range(count) if decision.key(index).casefold() == plain]
    for index in same_key:
        if decision.key(index) == text:
            return Choice(index)
    if len(same_key) == 1:
        return Choice(same_key[0])
    if text.isdecimal() and numbered(decision) and 1 <= int(text) <= count:
        return Choice(int(text) - 1)
    same_label = [index for index in range(count) if decision.label(index).casefold() == plain]
    return Choice(same_label[0]) if len(same_label) == 1 else None


def _amount(text: str, decision: Decision) -> Choice | None:
    """An amount is typed as its value. The range is never listed: its ends and its steps tell the place."""
    last = len(decision.options) - 1
    if not text.lstrip("+-").isdecimal():
        for index in (0, last):
            if decision.key(index) == text:
                return Choice(index)
        named = decision.find(text)  # an angle has names too
        return None if named is None else Choice(named)
    wanted = str(int(text))
    low, high = 0, last
    rising = last == 0 or _number(decision.key(0)) < _number(decision.key(last))
    while low <= high:
        middle = (low + high) // 2
        key = decision.key(middle)
        if key == wanted:
            return Choice(middle)
        if (_number(key) < int(text)) == rising:
            low = middle + 1
        else:
            high = middle - 1
    return None


def _number(key: str) -> float:
    try:
        return float(key.replace("½", ".5"))
    except ValueError:
        return 0.0


def _begun(text: str, decision: Decision) -> list[int]:
    """The choices whose key begins so; or else those whose label does."""
    plain = text.casefold()
    under = plain.replace(" ", "_")
    indexes = range(len(decision.options))
    keys = [index for index in indexes if decision.key(index).casefold().startswith((plain, under))]
    if keys:
        return keys
    return [index for index in indexes if decision.label(index).casefold().startswith(plain)]


def command(text: str) -> Command | None:
    """A command by its name or an unambiguous beginning, with or without a colon in front."""
    return Command("help") if text == "?" else _command(text.removeprefix(":").strip())


def _command(text: str) -> Command | None:
    word, _, rest = text.partition(" ")
    if word.casefold() in COMMANDS:
        return Command(word.casefold(), rest)
    begun = [name for name in COMMANDS if word and name.startswith(word.casefold())]
    if len(word) == 1:
        begun = begun[:1]  # `h` is help, `l` is look: the first in the list
    return Command(begun[0], rest) if len(begun) == 1 else None


def _amount_wanted(text: str, decision: Decision) -> str:
    low, high = bounds(decision)
    if decision.find("n") is not None:  # an angle
        more = ", a direction like `n30e`, or `at` and the name of a disc"
        return f"`{text}` is no angle: type a number from {low} to {high}{more}"
    return f"`{text}` is not among the amounts: type a number from {low} to {high}"


def _ambiguous(text: str, begun: Sequence[int], decision: Decision) -> str:
    some = [decision.key(index) for index in begun[:8]]
    tail = " …" if len(begun) > 8 else ""
    return f"`{text}` could be {listed(some, 'or')}{tail}"


def _unknown(text: str, decision: Decision, brief: bool = False) -> str:
    indexes = range(min(len(decision.options), MANY))
    names: dict[str, str] = {} if brief else {name: name for name in COMMANDS}
    for index in indexes:
        names[decision.label(index)] = decision.key(index)
        names[decision.key(index)] = decision.key(index)
    word = text.partition(" ")[0]
    begun = {name.partition(" ")[0]: key for name, key in reversed(names.items())}  # `mon` is near `Moon lantern`
    near = nearest(text, names) or nearest(word, names)
    if near is None and (near := nearest(word, begun)) is not None:
        names = begun
    if near is not None:
        return f"no choice begins with `{text}`; did you mean `{names[near]}`?"
    if brief:
        return f"no choice begins with `{text}`"
    how = f"a number from 1 to {len(decision.options)}, " if numbered(decision) else ""
    return f"no choice begins with `{text}`; type {how}a choice's name or its beginning, or `help`"
