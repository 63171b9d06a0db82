"""What was just put into a slot is not read back from it: it is still at hand under a name.

Takes the lines of a function, gives the same lines with fewer reads of the state. Looks at lines from the
top down and forgets what it knows where a branch ends, a loop begins, a name is set anew, or anything is
called that may change the state. Slots of different names never overlap.
"""

from __future__ import annotations

import re

SLOT = re.compile(r"\bS\[([A-Z]\w*)(?:\+([a-z]\w*))?\]")
LINE = re.compile(r"^( *)(.*?)(  #@\d+)?$", re.S)
STORE = re.compile(r"^S\[([A-Z]\w*)(?:\+([a-z]\w*))?\] (\+|-|\||&)?= (.+)$", re.S)
OTHER_STORE = re.compile(r"\bS\[([^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\] (?:[-+|&*]|//)?=(?!=)")
ENGINE_STORE = re.compile(r"^S\[\d+\] [-+]?= ")
SETS = re.compile(r"([A-Za-z_]\w*) (?::=|(?:[-+|&*]|//)?=(?!=))")
TARGETS = re.compile(r"^((?:[A-Za-z_]\w*, )+[A-Za-z_]\w*),? = ")
CALL = re.compile(r"([A-Za-z_][\w.]*)\(S\b(?!\[)")
LOOKS = re.compile(r"(?:[qho]\d+|head_\w+|broken|needs|say|compare|arith|member)$")  # change nothing, or fail
SIMPLE = re.compile(r"^[a-z]\w*$")
ATOM = re.compile(r"^[\w.]+(?:\[\w+\])?$")

Slot = tuple[str, str]


class Keeping:
    """The slots that are known, each with the name of what it holds and how deep that was put there."""

    def __init__(self, lines: list[str]) -> None:
        self.known: dict[Slot, tuple[str, int, int]] = {}  # slot: name, depth, the line that says so
        self.used: set[int] = set()  # lines whose name is read later
        self.again: dict[int, str] = {}  # rewritten lines
        for number, line in enumerate(lines):
            self.look(number, line)
        self.lines = [self.again.get(number, line) for number, line in enumerate(lines)]

    def look(self, number: int, line: str) -> None:
        found = LINE.match(line)
        assert found is not None
        pad, text, mark = found[1], found[2], found[3] or ""
        depth = len(pad)
        self.known = {slot: held for slot, held in self.known.items() if held[1] <= depth}
        if text.startswith(("for ", "while ", "def ", "try", "except")):
            self.known = {}
            return
        store = STORE.match(text) if ";" not in text else None
        made = self.read(text, store)
        self.forget(text, store)
        if store is not None:
            self.write(number, depth, made)
        if made != text:
            self.again[number] = pad + made + mark

    def read(self, text: str, store: re.Match[str] | None) -> str:
        """The same line, with names in place of slots that are known."""
        if not self.known or " for " in text or "'" in text or '"' in text:
            return text  # a search inside a line has names of its own, and words are left as they are
        start = store.start(4) if store is not None else 0

        def name(match: re.Match[str]) -> str:
            held = self.known.get((match[1], match[2] or ""))
            after = text[match.end() :]
            if held is None or match.start() < start or re.match(r" (?:[-+|&*]|//)?=(?!=)", after):
                return match[0]
            self.used.add(held[2])
            return held[0]

        return SLOT.sub(name, text)

    def forget(self, text: str, store: re.Match[str] | None) -> None:
        """What this line may change is known no longer."""
        if any(not LOOKS.match(call[1]) for call in CALL.finditer(text)):
            self.known = {}
            return
        if store is None and text.startswith("S[") and not ENGINE_STORE.match(text):
            self.known = {}
            return
        names = {m[1] for m in SETS.finditer(text)}
        targets = TARGETS.match(text)
        if targets is not None:
            names |= set(targets[1].split(", "))
        bases = set()
        for other in OTHER_STORE.finditer(text):
            slot = re.match(r"^([A-Z]\w*)(?:\+.*)?$", other[1], re.S)
            if slot is not None:
                bases.add(slot[1])
            elif not other[1].isdigit():
                self.known = {}
                return
        self.known = {
            slot: held
            for slot, held in self.known.items()
            if slot[0] not in bases and slot[1] not in names and held[0] not in names
        }

    def write(self, number: int, depth: int, text: str) -> None:
        """A line that puts something into a slot: from here on it is known."""
        now = STORE.match(text)
        assert now is not None
        base, index, op, value = now.groups()
        slot = (base, index or "")
        name = value if op is None and SIMPLE.match(value) else f"kept_{number}"
        self.known[slot] = (name, depth, number)


def keeping(lines: list[str]) -> list[str]:
    """The lines of a function, with what is put into slots under a name where it is read again."""
    made = Keeping(lines)
    again = list(made.lines)
    for number in made.used:
        found = LINE.match(again[number])
        assert found is not None
        store = STORE.match(found[2])
        assert store is not None
        base, index, op, value = store.groups()
        if op is None and SIMPLE.match(value):
            continue
        slot = f"S[{base}+{index}]" if index else f"S[{base}]"
        if op is not None:
            value = f"{slot} {op} {value if ATOM.match(value) else f'({value})'}"
        again[number] = f"{found[1]}kept_{number} = {slot} = {value}{found[3] or ''}"
    return again
