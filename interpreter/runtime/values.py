"""Lists, numbers, boards and words."""

from __future__ import annotations

from typing import Any

from ..slots import FUEL, NEWS
from .grids import stride
from .lent import (
    EDGES,
    GRIDS,
    LINES,
    LONGEST_TEXT,
    MOST_NEWS,
    NEIGHBOURS,
    PLAYERS,
    RINGS,
    SPEAK,
    Broken,
    OutOfSteps,
    State,
)

# ---- lists and numbers ----


def member(S: State, x: Any, items: Any) -> bool:
    S[FUEL] -= len(items) >> 3
    return x in items


def backwards(S: State, items: Any) -> Any:
    S[FUEL] -= len(items) >> 3
    return tuple(items)[::-1]


def unite(S: State, a: Any, b: Any) -> Any:
    S[FUEL] = f = S[FUEL] - (len(a) * len(b) >> 3)
    if f < 0:
        raise OutOfSteps
    return (*a, *[x for x in b if x not in a])


def without(S: State, a: Any, b: Any) -> Any:
    S[FUEL] = f = S[FUEL] - (len(a) * len(b) >> 3)
    if f < 0:
        raise OutOfSteps
    left = list(a)
    for x in b:
        if x in left:
            left.remove(x)
    return tuple(left)


def found(S: State, x: Any, place: int, message: str) -> Any:
    """A thing that a sentence cannot do without."""
    if x is None:
        raise Broken(place, message)
    return x


def first(items: Any) -> Any:
    return items[0] if items else None


def last(items: Any) -> Any:
    return items[-1] if items else None


def nth(S: State, items: Any, n: int) -> Any:
    return items[n - 1] if 0 < n <= len(items) else None


def shift(value: Any, n: int, count: int) -> Any:
    made = value + n
    return made if 0 <= made < count else None


def sum_of(items: Any) -> Any:
    return sum(items)


def max_of(items: Any) -> Any:
    return max(items) if items else None


def min_of(items: Any) -> Any:
    return min(items) if items else None


def distinct_of(items: Any) -> Any:
    return tuple(dict.fromkeys(items))


def union_of(items: Any) -> Any:
    return tuple(dict.fromkeys([x for part in items for x in part]))


def half_up(S: State, n: Any) -> int:
    return int(-(-n // 2))


def half_down(S: State, n: Any) -> int:
    return int(n // 2)


def seats_from(S: State, player: int) -> Any:
    return PLAYERS[player:] + PLAYERS[:player]


def compare(S: State, op: str, a: Any, b: Any, place: int) -> bool:
    if a is None or b is None:
        return False
    return bool(a < b if op == "<" else a <= b if op == "<=" else a > b if op == ">" else a >= b)


def arith(S: State, op: str, a: Any, b: Any, place: int) -> Any:
    if a is None or b is None:
        raise Broken(place, "this sum has a part that is none")
    if op == "+":
        return a + b
    if op == "-":
        return a - b
    if op == "*":
        made = a * b
    elif b == 0:
        raise Broken(place, "nothing can be divided by 0")
    elif op == "//":
        return int(a // b)
    else:
        made = a / b
        if made == int(made):
            return int(made)
    if abs(made) > 10**15:
        raise Broken(place, "this number is too big")
    if made * 2 != int(made * 2):
        raise Broken(place, f"{a} {op} {b} is neither a whole number nor a half")
    return made


# ---- boards ----


def neighbours(x: Any) -> Any:
    return NEIGHBOURS.get(x, ())


def step(x: Any, way: Any, n: Any) -> Any:
    """Along the ring or line of a place: way 0 is forwards, 1 is backwards."""
    if x is None or x not in RINGS:
        return stride(x, way, n) if x in GRIDS else None
    places, at = RINGS[x]
    at += n if way == 0 else -n
    if places[0] == -1:
        return places[at + 1] if 0 <= at < len(places) - 1 else None
    return places[at % len(places)]


def bearer(S: State, base: int, bit: int) -> int | None:
    """The player who has this bit; nobody: none."""
    for player in PLAYERS:
        if S[base + player] & bit:
            return player
    return None


def strip(S: State, base: int, others: int) -> None:
    """Nobody has the bit any more that is not among the others."""
    for player in PLAYERS:
        S[base + player] &= others


def lines_through(S: State, x: Any, n: int) -> Any:
    if n > 8:
        S[FUEL] -= n * n
    made = LINES.get((x, n))
    return made if made is not None else LINES_OF(x, n)


def LINES_OF(x: Any, n: int) -> Any:
    grid = GRIDS.get(x)
    if grid is None:
        return ()
    columns, rows, at, cells, _ = grid
    if n > max(columns, rows):
        return ()
    column, row = at
    found = []
    for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for back in range(n):
            run = tuple([cells.get((column + dc * (i - back), row + dr * (i - back))) for i in range(n)])
            if None not in run:
                found.append(run)
    LINES[(x, n)] = made = tuple(found)
    return made


def lines(S: State, items: Any, n: int) -> Any:
    S[FUEL] = f = S[FUEL] - len(items) * max(1, n * n >> 1)
    if f < 0:
        raise OutOfSteps
    return tuple(dict.fromkeys([line for x in items for line in lines_through(S, x, n)]))


def distance(S: State, a: Any, b: Any) -> Any:
    """Steps from place to place; none if there is no way."""
    here, there = GRIDS.get(a), GRIDS.get(b)
    if here is not None and there is not None and here[4]["plain"]:
        (column, row), (other_column, other_row) = here[2], there[2]
        return abs(column - other_column) + abs(row - other_row) if here[3] is there[3] else None
    seen, edge, steps = {a}, [a], 0
    while edge:
        if b in edge:
            return steps
        edge = list(dict.fromkeys([y for x in edge for y in NEIGHBOURS.get(x, ()) if y not in seen]))
        seen.update(edge)
        steps += 1
        S[FUEL] = f = S[FUEL] - len(edge)
        if f < 0:
            raise OutOfSteps
    return None


def edge_between(a: Any, b: Any) -> Any:
    return EDGES.get((a, b))


# ---- words ----


def announce(S: State, text: str) -> None:
    if len(S[NEWS]) < MOST_NEWS:
        S[NEWS] = (*S[NEWS], ("say", text))


def say(S: State, value: Any, kind: int) -> str:
    return str(SPEAK(S, value, kind))


def join(S: State, items: Any, between: str, kind: int, place: int) -> str:
    S[FUEL] = f = S[FUEL] - len(items)
    if f < 0:
        raise OutOfSteps
    left, parts = LONGEST_TEXT + len(between), []
    for x in items:
        parts.append(part := str(SPEAK(S, x, kind)))
        left -= len(part) + len(between)
        if left < 0:
            raise Broken(place, f"this text is longer than {LONGEST_TEXT} characters")
    return between.join(parts)


def costs(n: Any, have: Any, unit: str) -> str:
    price, there = (int(x) if x == int(x) else x for x in (n, have))
    return f"It costs {price}{' ' + unit if unit else ''}; there is {there}."


def pad(text: str, width: int, align: str) -> str:
    return text.rjust(width) if align == ">" else text.center(width) if align == "^" else text.ljust(width)


def beside(columns: Any, between: str) -> list[str]:
    """Blocks of lines side by side."""
    height = max([len(c) for c in columns], default=0)
    widths = [max([len(line) for line in c], default=0) for c in columns]
    return [
        between.join(
            [(c[i] if i < len(c) else "").ljust(w) for c, w in zip(columns, widths, strict=True)]
        ).rstrip()
        for i in range(height)
    ]
