"""Sets of pieces as bits: which pieces a number stands for, and which lines it holds.

Tables that fill up as they are asked, and start again when they have grown too long. They are shared by
all games of a table and hold nothing of any game.
"""

from __future__ import annotations

from typing import Any

MOST = 5_000  # entries of one table
FEW = 9  # pieces of which all sets are listed at once


def members(first: int, bits: int) -> tuple[int, ...]:
    return tuple([first + i for i in range(bits.bit_length()) if bits >> i & 1])


class Members(dict[int, Any]):
    """The pieces whose bits are set, in their order."""

    def __init__(self, first: int) -> None:
        super().__init__()
        self.first = first

    def __missing__(self, bits: int) -> Any:
        if len(self) >= MOST:
            self.clear()
        self[bits] = made = members(self.first, bits)
        return made


def all_held(count: int, lines: tuple[int, ...]) -> list[bool]:
    """For all sets of so many pieces: whether they hold one of some lines."""
    made = [False] * (1 << count)
    for line in lines:
        more = free = (1 << count) - 1 ^ line
        while True:  # every set that has the line in it
            made[line | more] = True
            if not more:
                break
            more = more - 1 & free
    return made


class Held(dict[int, bool]):
    """Whether the bits hold one of some lines."""

    def __init__(self, lines: tuple[int, ...]) -> None:
        super().__init__()
        self.lines = lines

    def __missing__(self, bits: int) -> bool:
        self[bits] = made = any(bits & line == line for line in self.lines)
        return made


def meets(value: Any, op: str, against: Any) -> bool:
    """Whether a field that has this value at the start is among the tracked."""
    if against is None or op == "is":
        return bool(value == against and (value is None) == (against is None))
    return bool(
        value < against if op == "<" else value <= against if op == "<=" else value > against if op == ">" else value >= against
    )


def lay_out(table: Any, tracked: dict[str, Any]) -> None:
    """Slots for the bits, as they are at the start, and the tables that read them."""
    ns = table.ns
    owners = dict.fromkeys(part[2] for part in (*tracked["masks"], *tracked["holds"]))
    for kind in owners:
        low, high = table.low[kind], table.high[kind]
        ns[f"ON_{kind}"] = [0] * low + [1 << i for i in range(high - low)]
        ns[f"OFF_{kind}"] = [0] * low + [~(1 << i) for i in range(high - low)]
        few = high - low <= FEW
        ns[f"MEMBERS_{kind}"] = [members(low, bits) for bits in range(1 << high - low)] if few else Members(low)
    for slot, field, kind, op, against in tracked["masks"]:
        bits = sum(1 << at for at, value in enumerate(at_start(table, field, kind)) if meets(value, op, against))
        ns[slot] = table.slot(1, bits)
    for slot, field, kind in tracked["holds"]:
        ns[slot] = first = table.slot(table.players, 0)
        for at, player in enumerate(at_start(table, field, kind)):
            if player is not None:
                table.start[first + player] |= 1 << at


def at_start(table: Any, field: str, kind: str) -> list[Any]:
    """What a field is before set-up, for all pieces of a kind."""
    if field in table.marks:
        return list(table.marks[field])
    base = table.ns[field]
    return [table.start[base + x] for x in range(table.low[kind], table.high[kind])]


def lay_lines(table: Any, tracked: dict[str, Any]) -> None:
    """The lines of grids as bits, once boards are there."""
    ns = table.ns
    for n in tracked["lines"]:
        for kind in dict.fromkeys(part[2] for part in tracked["holds"]):
            low, high = table.low[kind], table.high[kind]
            through = [ns["LINES_OF"](cell, n) for cell in range(low, high)]
            lines = [tuple([sum(1 << x - low for x in line) for line in found]) for found in through]
            if kind in tracked["few"]:
                few = high - low <= FEW
                held = [all_held(high - low, found) if few else Held(found) for found in lines]
                ns[f"HELD_{kind}_{n}"] = [None] * low + held
                continue
            near = [beside(cell - low, found, low) for cell, found in enumerate(through, low)]
            ns[f"NEAR_{kind}_{n}"] = [0] * low + near
            ns[f"BEGUN_{kind}_{n}"] = [None] * low + [begun(*pair) for pair in zip(near, lines, strict=True)]


def beside(at: int, lines: Any, low: int) -> int:
    """The bits of the cells next to this one, in any line through it."""
    found = 0
    for line in lines:
        here = line.index(low + at)
        for x in line[max(0, here - 1) : here + 2]:
            found |= 1 << x - low
    return found & ~(1 << at)


def begun(near: int, lines: tuple[int, ...]) -> dict[int, tuple[int, ...]]:
    """For whichever neighbours are held: the lines that they leave possible."""
    needs: dict[int, tuple[int, ...]] = {}
    for line in lines:
        needs[line & near] = (*needs.get(line & near, ()), line)
    made = {0: needs.pop(0, ())}
    while near:
        one = near & -near
        near ^= one
        more = [(need, some) for need, some in needs.items() if need & one]
        for held, found in tuple(made.items()):
            held |= one
            for need, some in more:
                if need & held == need:
                    found += some
            made[held] = found
    return made
