"""The frames of the flow are known but for a few locals: nobody calls the flow but the beginning of a game.

Takes the lines of a block of the flow, gives the same lines with constants for the frame behind it and for
the seat that it began with. A frame in which nothing else stands need not be built, nor taken apart.
"""

from __future__ import annotations

import re

from ..slots import CONT
from .deciding import bare, leaves

BEHIND = "(0, None)"  # the frame that ends the game
FEW = 3  # places where a local is read that may as well read the frame
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
        late = read_late(body, read[0], f"F[{names.index(read[0])}]")
        return late or [f"    {read[0]} = F[{names.index(read[0])}]{mark}", *body]
    return [f"    {', '.join(name if name in read else '_' for name in names)} = F{mark}", *body]


def is_set(name: str, text: str) -> bool:
    """Whether some line gives a name another value."""
    return bool(re.search(rf"\b{name}\b[\w, ]* [-+|&*:/]*=(?!=)|\bfor (?:\w+, )*{name}\b[\w, ]* in ", text))


def read_late(body: list[str], name: str, source: str) -> list[str] | None:
    """The lines with what a name stands for in its place, where these are few; None if it cannot be done.

    A branch that gives the name another value must not come back.
    """
    made: list[str] = []
    own, places = len(body), 0  # where the branch began in which the name is set
    for at, line in enumerate(body):
        deep, text = bare(line)
        if at > own and deep < bare(body[own])[0]:
            if not leaves(body[own:at]):
                return None
            own = len(body)
        if at > own or name not in TOKEN.findall(line):
            made.append(line)
            continue
        start = ""
        if is_set(name, text):
            start, line = f"{' ' * deep}{name} = ", line.lstrip().removeprefix(f"{name} = ")
            own = at
            if is_set(name, line) or text == line or any(bare(other)[1].startswith(("for ", "while ")) for other in body):
                return None
        places += 1
        made.append(start + TOKEN.sub(lambda found: source if found[0] == name else found[0], line))
    return made if places <= FEW else None


def laid_out(found: re.Match[str], rounds: dict[str, int]) -> str:
    """The frame of a question in a loop: one constant for every round."""
    start, block, name = found.groups()
    if rounds.get(name, MANY + 1) > MANY:
        return found[0]
    frames = ", ".join(f"({block}, {BEHIND}, {at})" for at in range(rounds[name]))
    return f"{start}({frames},)[{name}]"
