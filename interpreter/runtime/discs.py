"""Discs on a plane: where they lie, how far apart, what a flick does to them.

All in whole numbers, reckoned without floating point, so that every machine says the same. What a flick
comes to is asked from `SLIDE`, or taken from the log or from what a scenario has fixed.
"""

from __future__ import annotations

from typing import Any

from ..slots import FLICKED, FLICKS, FUEL, NEWS, REVEALED
from .lent import (
    AT,
    HOME,
    LOC,
    MOST_NEWS,
    PLANES,
    RADIUS,
    RIMS,
    ROOT,
    SINES,
    SLIDE,
    ZONE_TITLE,
    Broken,
    Damaged,
    OutOfSteps,
    State,
)
from .pieces import move_one

# ---- spots and distances ----


def spot(S: State, x: Any, y: Any) -> Any:
    return (x, y)


def spot_of(S: State, a: Any) -> Any:
    """Of a disc or a spot; none for what lies on no plane."""
    return a if a is None or type(a) is tuple else S[AT + a]


def apart(S: State, a: Any, b: Any) -> Any:
    """Between two centres, rounded; none if one of them lies on no plane."""
    one, two = spot_of(S, a), spot_of(S, b)
    if one is None or two is None:
        return None
    dx, dy = one[0] - two[0], one[1] - two[1]
    square = dx * dx + dy * dy
    root = ROOT(square)
    return root + 1 if square - root * root > root else root


def gap(S: State, a: Any, b: Any) -> Any:
    """Between two rims. Rules ask it often, so it stands here as a whole."""
    both = 0
    if type(a) is int:
        both = RADIUS[a]
        a = S[AT + a]
    if type(b) is int:
        both += RADIUS[b]
        b = S[AT + b]
    if a is None or b is None:
        return None
    dx, dy = a[0] - b[0], a[1] - b[1]
    square = dx * dx + dy * dy
    root = ROOT(square)
    return (root + 1 if square - root * root > root else root) - both


def nearer(S: State, a: Any, b: Any, most: int) -> bool:
    """Whether the gap is no more than that, without a root; false where there is none."""
    if type(a) is int:
        most += RADIUS[a]
        a = S[AT + a]
    if type(b) is int:
        most += RADIUS[b]
        b = S[AT + b]
    if a is None or b is None:
        return False
    dx = a[0] - b[0]
    if dx > most or -dx > most:
        return False
    dy = a[1] - b[1]
    both = 2 * most + 1
    return bool(4 * (dx * dx + dy * dy) < both * both)


def touching(S: State, a: Any, b: Any) -> bool:
    """The same as a gap of 0 or less, without a root."""
    both = 1
    if type(a) is int:
        both += 2 * RADIUS[a]
        a = S[AT + a]
    if type(b) is int:
        both += 2 * RADIUS[b]
        b = S[AT + b]
    if a is None or b is None:
        return False
    dx, dy = a[0] - b[0], a[1] - b[1]
    return bool(4 * (dx * dx + dy * dy) < both * both)


def bearing(S: State, a: Any, b: Any) -> Any:
    """The whole angle at which a sees b: 0 is up, clockwise. None if there is no direction."""
    one, two = spot_of(S, a), spot_of(S, b)
    if one is None or two is None or one == two:
        return None
    S[FUEL] -= 20
    dx, dy = two[0] - one[0], two[1] - one[1]
    low = 0 if dx >= 0 else 180
    # The nearest of 180 directions is the one along which the way goes farthest.
    return max(range(low, low + 181), key=lambda a: (dx * SINES[a % 360] + dy * SINES[(a + 90) % 360], -a)) % 360


def touches(S: State, here: Any, radius: int, others: Any) -> bool:
    x, y = here
    for other in others:
        there = S[AT + other]
        if there is not None:
            dx, dy, both = there[0] - x, there[1] - y, 2 * (radius + RADIUS[other]) + 1
            if 4 * (dx * dx + dy * dy) < both * both:
                return True
    return False


def free(S: State, here: Any, disc: Any) -> bool:
    """Whether a disc would lie there, wholly on its plane, and touch nothing."""
    if here is None or disc is None:
        return False
    zone = S[LOC + disc] if S[LOC + disc] in PLANES else HOME.get(disc)
    return zone is not None and fits_in(S, here, disc, zone, (disc,))


def fits_in(S: State, here: Any, disc: int, zone: int, besides: Any) -> bool:
    width, height = PLANES[zone]["width"], PLANES[zone]["height"]
    radius = RADIUS[disc]
    if not (radius <= here[0] <= width - radius and radius <= here[1] <= height - radius):
        return False
    S[FUEL] -= len(S[zone]) >> 3
    return not touches(S, here, radius, solid(S, disc, zone, besides))


def solid(S: State, disc: int, zone: int, besides: Any) -> Any:
    """The discs that this one cannot lie upon."""
    flat = PLANES[zone]["flat"]
    return () if disc in flat else [x for x in S[zone] if x not in besides and x not in flat]


def around(S: State, centre: Any, disc: Any, distance: int, most: int = 72) -> Any:
    """The free spots at which a disc lies so far from the rim of another, from north on, every 5 degrees."""
    if centre is None or disc is None or S[AT + centre] is None:
        return ()
    zone, (x, y) = S[LOC + centre], S[AT + centre]
    way = RADIUS[centre] + RADIUS[disc] + distance
    plane, radius = PLANES[zone], RADIUS[disc]
    width, height = plane["width"] - radius, plane["height"] - radius
    S[FUEL] = f = S[FUEL] - len(S[zone]) - 20
    if f < 0:
        raise OutOfSteps
    steps, far = rim(way), way + 2 + radius
    if not (far <= x <= width - way - 2 and far <= y <= height - way - 2):
        steps = [(dx, dy) for dx, dy in steps if radius <= x + dx <= width and radius <= y + dy <= height]
    # Only what lies near can be in the way of any of these spots: from the centre, and how near is too near.
    near = []
    flat = plane["flat"]
    for other in S[zone] if disc not in flat else ():
        there = S[AT + other]
        if there is not None:
            ax, ay, both = there[0] - x, there[1] - y, far + RADIUS[other]
            if -both <= ax <= both and -both <= ay <= both and other not in (disc, centre) and other not in flat:
                both = 2 * (radius + RADIUS[other]) + 1
                near.append((ax, ay, both * both - 1 >> 2))
    if most == 1 and near:
        for dx, dy in steps:
            for ax, ay, least in near:
                if (ax - dx) ** 2 + (ay - dy) ** 2 <= least:
                    break
            else:
                return ((x + dx, y + dy),)
        return ()
    for ax, ay, least in near:
        steps = [(dx, dy) for dx, dy in steps if (ax - dx) ** 2 + (ay - dy) ** 2 > least]
    return tuple([(x + dx, y + dy) for dx, dy in steps[:most]])


def rim(way: int) -> Any:
    """The whole-numbered steps that lead so far, every 5 degrees from north on; kept, for they never change."""
    found = RIMS.get(way)
    if found is None:
        # Three quarters more than wanted, so that rounding never brings rims closer.
        more, whole = 4 * way + 3, 4 * 10**9
        found = []
        for angle in range(0, 360, 5):
            dx, dy = more * SINES[angle], more * SINES[(angle + 90) % 360]
            found.append(((2 * dx + whole) // (2 * whole), (2 * dy + whole) // (2 * whole)))
        if len(RIMS) < 1_000:
            RIMS[way] = found
    return found


# ---- placing ----


def place_disc(S: State, x: Any, zone: int, here: Any, place: int) -> None:
    if x is None:
        raise Broken(place, "there is nothing to move (none)")
    if here is None:
        raise Broken(place, "there is no spot to move it to (none)")
    plane = PLANES[zone]
    S[FUEL] = f = S[FUEL] - (len(S[zone]) >> 3)
    if f < 0:
        raise OutOfSteps
    if not (0 < here[0] < plane["width"] and 0 < here[1] < plane["height"]):
        raise Broken(place, f"the spot {here[0]}, {here[1]} lies outside of `{ZONE_TITLE[zone]}`")
    if overlapped(S, x, here, zone) is not None:
        raise Broken(
            place, f"the spot {here[0]}, {here[1]} is taken: two discs cannot overlap (`free` asks before)"
        )
    S[AT + x] = here
    move_one(S, x, zone, "at", place)


def overlapped(S: State, x: int, here: Any, zone: int) -> Any:
    """A disc on the plane that lies over this one, or none."""
    for other in solid(S, x, zone, (x,)):
        there = S[AT + other]
        if there is not None:
            both = RADIUS[x] + RADIUS[other]
            if (there[0] - here[0]) ** 2 + (there[1] - here[1]) ** 2 < both * both:
                return other
    return None


# ---- flicks ----


def lying(S: State, x: Any, place: int) -> Any:
    """A disc that can be flicked, or an error before anybody is asked."""
    if x is None:
        raise Broken(place, "there is nothing to flick (none)")
    plane = PLANES.get(S[LOC + x])
    if plane is None or S[AT + x] is None:
        raise Broken(place, "this disc lies on no plane, and cannot be flicked")
    if x in plane["fixed"]:
        raise Broken(place, "this disc is fixed, and cannot be flicked")
    return x


def flick(S: State, you: Any, x: int, angle: int, power: int, place: int) -> Any:
    """Carries a flick out, and gives its path: from, to, struck, touched, left, moved."""
    lying(S, x, place)  # others may have acted since it was chosen
    zone = S[LOC + x]
    plane, given, fixed = PLANES[zone], S[FLICKED], S[FLICKS]
    start = S[AT + x]
    S[FUEL] -= 50 + len(S[zone])
    if fixed:
        S[FLICKS] = fixed[1:]
    if given is not None:
        if given[0] == "missing":
            raise Damaged("its result is missing")
        ride = given[1]
        wrong = flaw(S, x, zone, ride)
        if wrong:
            raise Damaged(wrong)
    elif fixed:
        ride = fixed_ride(S, x, plane, fixed[0], place)
        wrong = flaw(S, x, zone, ride)
        if wrong:
            raise Broken(place, f"the flick that the scenario has fixed cannot be: {wrong}")
    else:
        ride = SLIDE(S, zone, x, angle, power)
    S[FLICKED] = ride
    rest, touched, struck, left = ride
    for n, px, py in rest:
        S[AT + n] = (px, py)
    for n in left:
        S[AT + n] = None
    S[REVEALED] = True
    if len(S[NEWS]) < MOST_NEWS:
        S[NEWS] = (*S[NEWS], ("flick", you, x, angle, power, ride))
    return (start, S[AT + x], struck, touched, left, tuple([n for n, _, _ in rest if n != x]))


def halts_at(S: State, plane: Any, x: int, other: int) -> bool:
    contact = plane["contact"]
    return contact is not None and contact(S, x, other) == plane["halt"]


def fixed_ride(S: State, x: int, plane: Any, fixed: Any, place: int) -> Any:
    """What a scenario has said; whether a touch halts the disc is still for the rules to say."""
    disc, here, met, pushed = fixed
    if disc != x:
        raise Broken(place, "the scenario has fixed the flick of another disc")
    touched: list[int] = []
    struck = None
    for other in met:
        touched.append(other)
        if halts_at(S, plane, x, other):
            struck = other
            break
    ends = sorted([(disc, here), *pushed])
    return (
        tuple([(n, *to) for n, to in ends if to is not None and to != S[AT + n]]),
        tuple(touched),
        struck,
        tuple([n for n, to in ends if to is None]),
    )


def fix_flick(S: State, disc: Any, here: Any, met: Any) -> None:
    S[FLICKS] = (*S[FLICKS], (disc, here, tuple(met), ()))


def fix_push(S: State, disc: Any, here: Any, place: int) -> None:
    if not S[FLICKS]:
        raise Broken(place, "`fix_push` belongs to a `fix_flick` before it")
    flicked, to, met, pushed = S[FLICKS][-1]
    S[FLICKS] = (*S[FLICKS][:-1], (flicked, to, met, (*pushed, (disc, here))))


def flaw(S: State, x: int, zone: int, ride: Any) -> str:
    """What cannot be right about the result of a flick; an empty text if it can."""
    plane, there = PLANES[zone], S[zone]
    rest, touched, struck, left = ride
    moved = [n for n, _, _ in rest] + list(left)
    lies = {n: S[AT + n] for n in there if S[AT + n] is not None and n not in plane["flat"]}
    if any(n not in lies for n in (*moved, *touched)):
        return "it speaks of a disc that does not lie there"
    if len(set(moved)) < len(moved) or len(set(touched)) < len(touched):
        return "a disc is told of twice"
    if any(n in plane["fixed"] for n in moved):
        return "a fixed disc has moved"
    if x in touched or (struck is not None and struck not in touched):
        return "what it touched and what it struck do not go together"
    if any(not (0 < px < plane["width"] and 0 < py < plane["height"]) for _, px, py in rest):
        return "a disc came to rest outside of the board"
    lies.update({n: (px, py) for n, px, py in rest})
    for n in left:
        del lies[n]
    for n, px, py in rest:
        for other, (ox, oy) in lies.items():
            # In a tight crowd, rounding may bring rims together by less than 2.
            if other != n and (ox - px) ** 2 + (oy - py) ** 2 < max(0, RADIUS[n] + RADIUS[other] - 2) ** 2:
                return "two discs came to rest on each other"
    return ""
