"""Pieces on the move, dice and shuffles."""

from __future__ import annotations

from typing import Any

from ..slots import EFFECTS, FIXED, FUEL, NEWS, REVEALED, RNG
from .effects import begin_plain, end_effect
from .knowing import came, forget, remind
from .lent import (
    AT,
    BITS,
    BOX,
    CARRIED,
    DESIGN,
    EFFECT_OF,
    FACE,
    FACED,
    FEW,
    FLIPPED,
    HIDES,
    LANES,
    LOC,
    MASK,
    MOST_NEWS,
    OWNED,
    OWNER_OF,
    PIECESET,
    PLANES,
    REMEMBERED,
    ZONE_LIMIT,
    ZONE_OWNER,
    ZONE_PLAY,
    ZONE_PLAYER,
    ZONE_REFILL,
    ZONE_ROOMY,
    ZONE_SEES,
    ZONE_TITLE,
    Broken,
    NotThere,
    State,
)
from .steps import spend

# ---- chance ----


def chance(S: State, n: int) -> int:
    """A number from 0 to n-1, from the generator that is part of the game."""
    S[RNG] = s = (S[RNG] * 6364136223846793005 + 1442695040888963407) & MASK
    return (s >> 32) * n >> 32  # type: ignore[no-any-return]


def roll(S: State, count: int, sides: int, you: Any) -> int:
    total = 0
    for _ in range(count):
        if S[FIXED]:
            total += S[FIXED][0]
            S[FIXED] = S[FIXED][1:]
        else:
            total += chance(S, sides) + 1
    S[REVEALED] = True
    S[FUEL] -= count >> 2
    if len(S[NEWS]) < MOST_NEWS:
        S[NEWS] = (*S[NEWS], ("roll", you, count, sides, total))
    return total


def fix_rolls(S: State, numbers: Any) -> None:
    S[FIXED] = (*S[FIXED], *numbers)


def shuffle(S: State, zone: int) -> None:
    items = list(S[zone])
    left = len(items)
    while left > 1:
        draws = left - 1 if left <= 64 else 64
        factors, steps, highs = LANES[draws]
        s = S[RNG] * factors + steps
        S[RNG] = s >> 128 * (draws - 1) & 0xFFFFFFFFFFFFFFFF
        for high in highs(s.to_bytes(16 * draws, "little")):
            j = high * left >> 32
            left -= 1
            x = items[left]
            items[left] = items[j]
            items[j] = x
    S[zone] = tuple(items)
    S[FUEL] -= len(items)
    if HIDES and S[REMEMBERED]:
        forget(S, items)


# ---- pieces ----


def shift_piece(S: State, x: int, zone: int) -> None:
    """Moves a piece that carries no rules and is never hidden."""
    old = S[LOC + x]
    found = S[old]
    if found and found[-1] == x:
        S[old] = found[:-1]
    else:
        at = found.index(x)
        S[old] = found[:at] + found[at + 1 :]
    if len(found) > 200:
        S[FUEL] -= len(found) >> 4
    S[zone] += (x,)
    S[LOC + x] = zone


def move_one(S: State, x: Any, zone: Any, how: str, place: int) -> None:
    """Moves a piece to the top of a zone, (`under`, `first`) below all others, or (`at`) to a spot that is set later."""
    if x is None:
        raise Broken(place, "there is nothing to move (none)")
    if zone is None:
        raise Broken(place, "there is nowhere to move it to (none)")
    old = S[LOC + x]
    if zone in ZONE_LIMIT and old != zone and len(S[zone]) >= ZONE_LIMIT[zone](S, ZONE_OWNER[zone]):
        raise Broken(place, f"`{ZONE_TITLE[zone]}` is full")
    found = S[old]
    if found[-1] == x:
        S[old] = found[:-1]
    else:
        at = found.index(x)
        S[old] = found[:at] + found[at + 1 :]
    if len(found) > 200:
        S[FUEL] -= len(found) >> 4
    S[zone] = (x,) + S[zone] if how and how != "at" else S[zone] + (x,)
    S[LOC + x] = zone
    if PLANES:
        if zone not in PLANES:
            S[AT + x] = None
        elif how != "at":
            raise Broken(place, f"a disc comes onto `{ZONE_TITLE[zone]}` only with a spot")
    if HIDES and (ZONE_SEES[old] != ZONE_SEES[zone] or S[REMEMBERED] & BITS[x]):
        came(S, (x,), old, zone)
    if EFFECT_OF and (old in ZONE_PLAY) != (zone in ZONE_PLAY):
        carry_rules(S, x, zone)


def carry_rules(S: State, x: int, zone: int) -> None:
    """A piece comes into play, or leaves it: its rules begin to stand, or stand no longer."""
    effect = CARRIED[x]
    if effect is None:
        return
    if zone in ZONE_PLAY:
        begin_plain(S, effect, player_of(S, x, zone), x, ())
        return
    for standing in S[EFFECTS]:
        if standing[1] == effect and standing[3] == x:
            end_effect(S, standing[0])


def player_of(S: State, x: int, zone: int) -> Any:
    """Whose a piece is: by its owner field, else by whose zone it is in."""
    owner = OWNER_OF(S, x) if OWNED else None
    return owner if owner is not None else ZONE_PLAYER[zone]


def move_all(S: State, items: Any, zone: Any, how: str, place: int) -> None:
    S[FUEL] -= len(items)
    if not how and zone in ZONE_ROOMY and items and items[0] is not None:
        old = S[LOC + items[0]]
        if zone != old and (old in ZONE_PLAY) == (zone in ZONE_PLAY):
            if items is S[old]:
                pour(S, old, zone)
                return
            if len(items) <= FEW and sort_out(S, items, old, zone):
                return
    for x in reversed(items) if how else tuple(items):
        move_one(S, x, zone, how, place)


def move_few(S: State, items: Any, zone: int, place: int) -> None:
    """`move_all` to the top of a zone that has room, without planes and hidden faces: mostly a few out of one hand."""
    if 0 < len(items) <= FEW:
        old = S[LOC + items[0]]
        if old != zone and (old in ZONE_PLAY) == (zone in ZONE_PLAY) and len(S[old]) <= 200:
            left = list(S[old])
            try:
                for x in items:
                    left.remove(x)
            except NotThere:  # they do not all lie there
                move_all(S, items, zone, "", place)
                return
            S[FUEL] -= len(items)
            S[old] = tuple(left)
            S[zone] += tuple(items)
            arrive(S, items, old, zone)
            return
    move_all(S, items, zone, "", place)


def pour(S: State, old: int, zone: int) -> None:
    """All pieces of one zone into another that has room, where no rule comes into play or leaves it."""
    items = S[old]
    S[old] = ()
    S[zone] += items
    if len(items) > 200:
        S[FUEL] -= len(items) * len(items) >> 5
    arrive(S, items, old, zone)


def sort_out(S: State, items: Any, old: int, zone: int) -> bool:
    """A few pieces of one zone into such another; False, and nothing done, if not all of them lie there."""
    rest = S[old]
    try:
        for x in items:
            at = rest.index(x)
            rest = rest[:at] + rest[at + 1 :]
    except NotThere:
        return False
    if len(rest) >= 200:
        found = S[old]
        if len(found) > 200:
            S[FUEL] -= len(items) * (len(found) >> 4)
    S[old] = rest
    S[zone] += tuple(items)
    arrive(S, items, old, zone)
    return True


def arrive(S: State, items: Any, old: int, zone: int) -> None:
    """Pieces have come from one zone to another: where they are, and who knows them now."""
    for x in items:
        S[LOC + x] = zone
    if HIDES and (ZONE_SEES[old] != ZONE_SEES[zone] or S[REMEMBERED]):
        came(S, items, old, zone)


def count_kind(S: State, zone: int, kind: int) -> int:
    members = PIECESET[kind]
    return len([1 for x in S[zone] if x in members])


def move_some(S: State, n: int, kind: int, source: int, goal: Any, place: int) -> Any:
    if n <= 0:
        return ()
    members = PIECESET[kind]
    found = [x for x in reversed(S[source]) if x in members][:n]
    if len(found) < n:
        raise Broken(place, f"there are only {len(found)} of {n} in `{ZONE_TITLE[source]}`")
    for x in found:
        move_one(S, x, goal, "", place)
    return tuple(found)


def draw(S: State, n: int, source: int, goal: int, place: int) -> Any:
    """From the top; a pile that runs dry is refilled from the pile it names."""
    plain = goal not in ZONE_LIMIT and goal != source and not PLANES
    if plain and 0 < n <= len(S[source]) and (source in ZONE_PLAY) == (goal in ZONE_PLAY):
        return draw_plainly(S, n, source, goal)
    drawn = []
    for _ in range(n):
        if not S[source]:
            other = ZONE_REFILL.get(source)
            if other is None or not S[other]:
                break
            refill(S, source, other, place)
        x = S[source][-1]
        move_one(S, x, goal, "", place)
        drawn.append(x)
    if drawn:
        S[REVEALED] = True
    return tuple(drawn)


def refill(S: State, source: int, other: int, place: int) -> None:
    """The discards become the pile."""
    items = S[other]
    if FACED or source == other or source not in ZONE_ROOMY or (source in ZONE_PLAY) != (other in ZONE_PLAY):
        move_all(S, items, source, "", place)
    else:  # who knows them is forgotten by the shuffle
        S[FUEL] -= len(items) if len(items) <= 200 else len(items) + (len(items) * len(items) >> 5)
        S[other] = ()
        S[source] = items
        for x in items:
            S[LOC + x] = source
    shuffle(S, source)
    spend(S)


def draw_plainly(S: State, n: int, source: int, goal: int) -> Any:
    """The same where the pile has enough, there is room, and no rule comes into play: all at once."""
    pile = S[source]
    drawn = pile[: -n - 1 : -1]
    S[source] = pile[:-n]
    S[goal] += drawn
    if len(pile) > 200:
        S[FUEL] -= n * (len(pile) >> 4)
    for x in drawn:
        S[LOC + x] = goal
    if HIDES:
        came(S, drawn, source, goal)
    S[REVEALED] = True
    return drawn


def stack(S: State, zone: int, items: Any, place: int) -> None:
    """Scenarios: puts pieces on top of a pile, the first one uppermost; in a player's pile, pieces of theirs."""
    whose, placed = ZONE_PLAYER[zone], set[int]()
    for item in reversed(items):
        x = item
        if type(item) is tuple:  # the name of a component with several copies
            named = [y for y in range(len(DESIGN)) if DESIGN[y] == item[1] and y not in placed]
            if whose is not None:
                named = [y for y in named if OWNER_OF(S, y) in (None, whose)]
            here = [y for y in named if S[LOC + y] == zone] or named
            if not here:
                raise Broken(place, "no such piece is left")
            x = here[0]
        placed.add(x)
        move_one(S, x, zone, "", place)


def flip(S: State, items: Any) -> None:
    for x in items:
        S[FACE + x] = 1 - S[FACE + x]
        S[REVEALED] = True
        if HIDES:
            remind(S, (x,), ZONE_SEES[S[LOC + x]])


def swap_zones(S: State, a: int, b: int) -> None:
    first_items, second_items = S[a], S[b]
    for x in first_items:
        move_one(S, x, b, "", 0)
    for x in second_items:
        move_one(S, x, a, "", 0)


def swap_pieces(S: State, a: int, b: int) -> None:
    za, zb = S[LOC + a], S[LOC + b]
    here, there = (S[AT + a], S[AT + b]) if PLANES else (None, None)
    move_one(S, a, BOX, "", 0)
    if here is not None:
        S[AT + b] = here
    move_one(S, b, za, "at" if za in PLANES else "", 0)
    if there is not None:
        S[AT + a] = there
    move_one(S, a, zb, "at" if zb in PLANES else "", 0)


def show(S: State, items: Any, players: Any) -> None:
    mask = sum(1 << p for p in players)
    if mask == FLIPPED >> 1:
        mask = FLIPPED  # all players: whoever looks on too
    if HIDES:
        remind(S, items, mask)
    S[REVEALED] = True
    if len(S[NEWS]) < MOST_NEWS:
        S[NEWS] = (*S[NEWS], ("show", mask, tuple(items)))


def some(x: Any) -> Any:
    return () if x is None else (x,)
