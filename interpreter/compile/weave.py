"""Weave blocks together: where one block leads to another that is known, its code stands right there.

Takes the lines of all blocks, gives those of the blocks that are left: the ones that a frame can name.
A jump that is woven in costs no frame and no turn of the driver's loop. What grows too long, or comes
back to itself, stays a frame.
"""

from __future__ import annotations

import re

from ..slots import ASK, CONT, RET
from .deciding import bare, decided

SHORT = 24  # lines of a block that are worth repeating
LONG = 66  # lines of a block beyond which nothing more is woven in
NOWHERE = 10**6
DEEP = 12  # levels of indentation


class Jump(str):
    """`return (block, parent, values …)`: the frame of a block that is known."""

    block: int
    values: list[str]
    parent: str  # "K", or the text of a frame
    back: int | None  # the block of that frame
    depth: int
    mark: str


class Return(str):
    """`return K`: back to whoever called."""

    depth: int
    mark: str


WORD = re.compile(r"\w+")
FRAME = re.compile(r"\((\d+), K((?:, \w+)*)\)")


def forwarded(lines: dict[int, list[str]], scopes: dict[int, list[str]], kept: set[int]) -> dict[int, int | None]:
    """Blocks that do nothing: where they lead instead. None stands for the frame they would return to."""
    found: dict[int, int | None] = {}
    for block, (_, *body) in lines.items():
        if len(body) != 1 or block in kept:
            continue
        line = body[0]
        if isinstance(line, Return):
            found[block] = None
        elif isinstance(line, Jump) and line.parent == "K" and line.values == scopes[block] == scopes[line.block]:
            found[block] = line.block
    for block in found:
        way, goal = [block], found[block]
        while goal is not None and goal in found and goal not in way:
            way.append(goal)
            goal = found[goal]
        found[block] = goal
    return found


def straighten(
    lines: dict[int, list[str]], scopes: dict[int, list[str]], framed: set[int], kept: set[int]
) -> set[int]:
    """Frames name the block that does something, not one that only leads there; gives those they name now."""
    leads = forwarded(lines, scopes, kept)

    def goal(match: re.Match[str]) -> str:
        block = int(match[1])
        if block not in leads:
            return match[0]
        return "K" if leads[block] is None else f"({leads[block]}, K{match[2]})"

    def straight(text: str) -> str:
        while True:
            made = FRAME.sub(goal, text)
            if made == text:
                return made
            text = made

    for found in lines.values():
        for at, line in enumerate(found):
            if isinstance(line, Jump):
                if line.parent != "K":
                    line.parent = straight(line.parent)
                    line.back = leads.get(line.back, line.back) if line.back is not None else None
                line.block = leads.get(line.block) or line.block
            elif not isinstance(line, Return):
                found[at] = straight(line)
    named = {leads.get(block, block) for block in framed}
    return {block for block in named if block is not None}


def steady(block: int, lines: list[str]) -> None:
    """Where a block asks again and its frame would hold what it held before, the same frame stays."""
    names = lines[0].partition(" = F")[0].split(", ")[1:]
    again = f"S[{CONT}] = ({block}, {', '.join(names)})"
    held, changed = set(names), set[str]()
    branches: list[tuple[int, set[str]]] = []  # how deep each begins, and what had changed before it
    before = ""
    for at, line in enumerate(lines[1:], 1):
        text = line.lstrip()
        while branches and len(line) - len(text) <= branches[-1][0]:
            _, outside = branches.pop()
            if before.startswith(("return", "raise")):
                changed = outside  # whoever changed something has left
        if text.startswith(again) and not changed:
            lines[at] = line.replace(again, f"S[{CONT}] = F", 1)
        head, _, mark = text.rpartition("  #@")
        if (head or mark).endswith(":"):
            branches.append((len(line) - len(text), set(changed)))
        for part in text.split(" = ")[:-1]:
            changed |= held & set(WORD.findall(part))
        before = text


def numbered(block: int, lines: list[str]) -> list[str]:
    """Where a block asks its own question again, its number stands in the state already, and so may its frame."""
    frames = (f"S[{CONT}] = F", f"S[{CONT}] = ({block}, ")
    texts = [line.lstrip().partition("  #@")[0] for line in lines]
    again = {at for at, text in enumerate(texts) if text.startswith(f"S[{ASK}] = ") and texts[at - 1].startswith(frames)}
    # Another question that answered itself on the way has left its own number.
    last = {text for at, text in enumerate(texts) if text.startswith(f"S[{ASK}] = ") and texts[at + 1] != "return None"}
    if last - {texts[at] for at in again}:
        return lines
    again |= {at - 1 for at in again if texts[at - 1] == frames[0]}
    return [line for at, line in enumerate(lines) if at not in again]


def unasked(lines: list[str], repeated: set[int]) -> list[str]:
    """A question that answers itself leaves its frame and number only where somebody relies on them."""
    dropped = set[int]()
    for at, line in enumerate(lines):
        if line.lstrip().startswith(f"S[{RET}] = o[0] if o"):
            for back in (at - 1, at - 2):
                found = re.match(rf" *S\[{CONT}\] = \((\d+), ", lines[back])
                if found and int(found[1]) not in repeated:
                    dropped |= set(range(back, at))
    return [line for at, line in enumerate(lines) if at not in dropped]


class Weave:
    def __init__(
        self,
        lines: dict[int, list[str]],
        scopes: dict[int, list[str]],
        framed: set[int],
        kept: set[int],
        backs: dict[int, tuple[int, ...]],
        asked: set[int],
    ) -> None:
        roots = straighten(lines, scopes, framed, kept) | kept
        self.lines, self.scopes = lines, scopes
        self.backs = backs  # blocks inside a span return to the one that closes it
        self.made: dict[int, list[str]] = {}
        self.seen: dict[int, int] = {}  # how many jumps lead to a block
        for found in lines.values():
            for line in found:
                if isinstance(line, Jump):
                    self.seen[line.block] = self.seen.get(line.block, 0) + 1
        self.open = sorted(roots, reverse=True)
        self.framed = roots
        while self.open:
            block = self.open.pop()
            if block not in self.made:
                self.made[block] = out = [lines[block][0]]
                self.expand(lines[block][1:], out, 0, (block,), backs.get(block, ()))
                steady(block, out)
        repeated = set[int]()  # blocks that rely on what whoever asked has left
        for block in asked & self.made.keys():
            lines_now = numbered(block, self.made[block])
            if lines_now != self.made[block]:
                self.made[block] = lines_now
                repeated.add(block)
        self.made = {block: unasked(found, repeated) for block, found in self.made.items()}

    def expand(
        self,
        lines: list[str],
        out: list[str],
        shift: int,
        inside: tuple[int, ...],
        backs: tuple[int, ...],
        sure: bool = False,
    ) -> None:
        """Writes lines of a block; `backs` are the blocks of the frames that `K` is known to lead to.

        `sure`: some test on the way here could be told beforehand.
        """
        pad = "    " * shift
        told: dict[int, bool] = {}  # by depth: what a test says that could be told beforehand
        skipped = NOWHERE  # lines deeper than this are never reached
        for line in lines:
            deep, text = bare(line)
            if deep > skipped:
                continue
            skipped = NOWHERE
            told = {depth: said for depth, said in told.items() if depth < deep or (depth == deep and text == "else:")}
            said = not told[deep] if deep in told else decided(pad + line, out)
            if said is not None:
                told[deep] = said
                skipped = NOWHERE if said else deep
                if said:
                    out.append(pad + line.replace(text, "if True:", 1))
                elif text != "else:":  # so that whatever stands around it has something in it
                    out.append(pad + " " * deep + "pass")
                continue
            if isinstance(line, Jump):
                self.jump(line, out, shift, inside, backs, sure or bool(told))
            elif isinstance(line, Return) and backs and self.fits(backs[0], out, shift + line.depth, inside, 0):
                names = "".join(", " + name for name in self.scopes[backs[0]])
                out.append(f"{pad}{'    ' * line.depth}_, K{names} = K{line.mark}")
                body = self.lines[backs[0]][1:]
                self.expand(body, out, shift + line.depth - 1, (*inside, backs[0]), backs[1:])
            else:
                out.append(pad + line)

    def jump(
        self, line: Jump, out: list[str], shift: int, inside: tuple[int, ...], backs: tuple[int, ...], sure: bool
    ) -> None:
        only = 1 if line.block not in self.framed else 0
        # Where a loop comes round with something known, less of it may be left.
        once_more = sure and inside.count(line.block) == 1
        if not self.fits(line.block, out, shift + line.depth, () if once_more else inside, only):
            values = "".join(", " + v for v in line.values)
            text = f"return ({line.block}, {line.parent}{values}){line.mark}"
            out.append("    " * (shift + line.depth) + text)
            self.leave(line.block)
            return
        pad = "    " * (shift + line.depth)
        moves = [(n, v) for n, v in zip(self.scopes[line.block], line.values, strict=True) if n != v]
        if line.parent != "K":
            moves.insert(0, ("K", line.parent))
        if moves:
            names, values = ", ".join(n for n, _ in moves), ", ".join(v for _, v in moves)
            out.append(f"{pad}{names} = {values}{line.mark}")
        known = (line.back, *backs) if line.back is not None else () if line.parent != "K" else backs
        known = known or self.backs.get(line.block, ())
        self.expand(self.lines[line.block][1:], out, shift + line.depth - 1, (*inside, line.block), known, sure)

    def fits(self, block: int, out: list[str], depth: int, inside: tuple[int, ...], only: int) -> bool:
        if depth > DEEP or len(out) > LONG or block in inside:
            return False
        if only and self.seen.get(block) == 1:
            return True  # nobody else comes this way
        return len(self.lines[block]) <= SHORT

    def leave(self, block: int) -> None:
        """A block that some frame names after all."""
        if block not in self.framed:
            self.framed.add(block)
            self.open.append(block)
