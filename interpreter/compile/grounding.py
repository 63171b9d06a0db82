"""The frames of the flow are known but for a few locals: nobody calls the flow but the beginning of a game.

Takes the lines of a block of the flow, gives the same lines with constants for the frame behind it and for
the seat that it began with. A frame in which nothing else stands need not be built, nor taken apart.
"""

from __future__ import annotations

import re

from ..slots import CONT

BEHIND = "(0, None)"  # the frame that ends the game
MANY = 64  # rounds of a loop whose frames are worth being laid out beforehand
# A text is a token of its own: nothing in it is a name of ours.
TOKEN = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[A-Za-z_]\w*""")
ASKED = re.compile(rf"^( *S\[{CONT}\] = )\((\d+), \(0, None\), (\w+)\)")


def grounded(lines: list[str], rounds: dict[str, int]) -> list[str]:
    """`rounds` says of names that count the rounds of a loop how many there are."""
    first, body = lines[0], lines[1:]
    names = first.partition(" = F")[0].strip().split(", ")
    text = "\n".join(body)
    known = {name: value for name, value in (("K", BEHIND), ("you", "0")) if not is_set(name, text)}
    body = [TOKEN.sub(lambda found: known.get(found[0], found[0]), line) for line in body]
    body = [ASKED.sub(lambda found: laid_out(found, rounds), line) for line in body]
    used = {word for line in body for word in TOKEN.findall(line)}
    mark = first.partition(" = F")[2]
    read = [name for name in names[1:] if name in used and name not in known]
    if not read:
        return body
    if len(read) == 1:
        return [f"    {read[0]} = F[{names.index(read[0])}]{mark}", *body]
    return [f"    {', '.join(name if name in read else '_' for name in names)} = F{mark}", *body]


def is_set(name: str, text: str) -> bool:
    """Whether some line gives a name another value."""
    return bool(re.search(rf"\b{name}\b[\w, ]* [-+|&*:/]*=(?!=)|\bfor (?:\w+, )*{name}\b[\w, ]* in ", text))


def laid_out(found: re.Match[str], rounds: dict[str, int]) -> str:
    """The frame of a question in a loop: one constant for every round."""
    start, block, name = found.groups()
    if rounds.get(name, MANY + 1) > MANY:
        return found[0]
    frames = ", ".join(f"({block}, {BEHIND}, {at})" for at in range(rounds[name]))
    return f"{start}({frames},)[{name}]"
