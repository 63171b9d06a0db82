"""Tests whose outcome is known: whether a slot holds nothing, right after something was put into it.

Takes the lines that lead to a test, gives what it will say, or None where that cannot be told. Looks back
line by line, and gives up at whatever might change the slot.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..slots import PLAYER
from .keeping import CALL, LOOKS, OTHER_STORE, SETS, TARGETS

TEST = re.compile(r"^(?:if|elif) \((not \()?S\[([A-Z]\w*)\] is None\)?\):$")
STORE = re.compile(r"^S\[([A-Z]\w*)\] = (\w+)$")
LEAVES = ("return", "raise")


def bare(line: str) -> tuple[int, str]:
    """How deep a line stands, and what it says."""
    text = line.lstrip()
    return len(line) - len(text), text.partition("  #@")[0]


def decided(line: str, before: list[str]) -> bool | None:
    """What the test of this line will say after those lines; None if that is open, or if it is no test."""
    depth, text = bare(line)
    test = TEST.match(text)
    if test is None or text.startswith("elif"):
        return None
    empty = is_empty(test[2], before, depth)
    return None if empty is None else empty != bool(test[1])


def way_here(lines: list[str], depth: int) -> Iterator[tuple[str, bool | None]]:
    """The lines that lead to a place, the last one first; those that ask, with what they have been told.

    None marks lines that were perhaps never reached. Branches that were left for good are passed over. The
    way ends where it is no longer one way.
    """
    at = len(lines) - 1
    while at > 0:
        deep, text = bare(lines[at])
        if deep > depth:  # a branch that has been closed
            end = at + 1
            while bare(lines[at])[0] > depth:
                at -= 1
            left = leaves(lines[at + 1 : end])
            if not left:
                yield from ((bare(line)[1], None) for line in lines[at + 1 : end])
            deep, text = bare(lines[at])
            if deep < depth or not text.startswith(("if ", "else:")):
                return
            yield text, False if left else None
        elif deep < depth:  # the branch that we are in
            depth, said = deep, text != "else:"
            while text == "else:" or bare(lines[at])[0] > depth:
                at -= 1
                text = bare(lines[at])[1]
            if not text.startswith("if "):
                return
            yield text, said
        else:
            yield text, True
        at -= 1


def leaves(branch: list[str]) -> bool:
    """Whether nobody comes through to the end of a branch."""
    depth = bare(branch[0])[0]
    heads = [at for at, line in enumerate(branch) if bare(line)[0] == depth]
    text = bare(branch[heads[-1]])[1]
    if text == "else:" and bare(branch[heads[-2]])[1].startswith("if "):
        return leaves(branch[heads[-1] + 1 :]) and leaves(branch[heads[-2] + 1 : heads[-1]])
    return text.startswith(LEAVES)


def is_empty(slot: str, lines: list[str], depth: int) -> bool | None:
    """Whether a slot holds None after some lines, at this depth."""
    held = ""
    for text, said in way_here(lines, depth):
        if held:
            several = TARGETS.match(text)
            names = {found[1] for found in SETS.finditer(text)} | set(several[1].split(", ") if several else ())
            if held in names or text.startswith(("for ", "while ", "try", "except")):
                # Whoever was asked is somebody.
                return False if said and text == f"{held} = S[{PLAYER}]" else None
            continue
        test, store = TEST.match(text), STORE.match(text)
        if said is not None and test is not None and test[2] == slot:
            return said != bool(test[1])
        if said and store is not None and store[1] == slot:
            if store[2] == "None":
                return True
            held = store[2]
        elif touches(text, slot):
            return None
    return None


def touches(text: str, slot: str) -> bool:
    """Whether a line may change a slot, or comes round again."""
    if text.startswith(("for ", "while ", "try", "except")) or any(not LOOKS.match(c[1]) for c in CALL.finditer(text)):
        return True
    return any(not target.isdigit() and not re.match(rf"(?!{slot}\b)[A-Z]\w*\b", target) for target in OTHER_STORE.findall(text))
