"""Asking: one option, a set, yes or no; and which pieces look alike to the one who is asked."""

from __future__ import annotations

from typing import Any

from ..slots import ASK, CONT, EFFECTS, OPTIONS, PLAYER, RET
from .knowing import remembers
from .lent import (
    AUTO,
    BACK,
    BOX,
    FACE,
    FACED,
    FIRST_MOVING,
    FITS,
    HIDES,
    KIND,
    LAST_MOVING,
    LOC,
    LOOK,
    LOOKS,
    MOST_SETS,
    PICK_BACK,
    PIECES_REMEMBERED,
    PRINTED,
    SET_AUTO,
    SET_PIECES,
    SET_PLAIN,
    TWIN_FIELDS,
    TWIN_SLOTS,
    TWIN_ZONES,
    UP_LOOKS,
    ZONE_SEES,
    Frame,
    State,
)
from .steps import spend

# ---- asking ----


def ask(S: State, player: int, options: Any, number: int, frame: Frame) -> Frame | None:
    count = len(options)
    if count < 2 and (count == 0 or AUTO[number]):
        S[RET] = options[0] if count else None
        return frame
    S[PLAYER] = player
    S[OPTIONS] = options
    S[CONT] = frame
    S[ASK] = number
    return None


def ask_may(S: State, player: int, options: Any, number: int, frame: Frame, hidden: bool) -> Frame | None:
    if not options and not hidden:
        S[RET] = None
        return frame
    S[PLAYER] = player
    S[OPTIONS] = (*options, None)
    S[CONT] = frame
    S[ASK] = number
    return None


def ask_if(S: State, player: int, possible: bool, number: int, frame: Frame, hidden: bool) -> Frame | None:
    if not possible and not hidden:
        S[RET] = 0
        return frame
    S[PLAYER] = player
    S[OPTIONS] = (1, 0) if possible else (0,)
    S[CONT] = frame
    S[ASK] = number
    return None


def pick_set(
    S: State, player: int, items: Any, number: int, low: Any, high: Any, frame: Frame
) -> Frame | None:
    """A set, picked one by one in a fixed order, so that no set can be picked in two ways."""
    items = tuple(items)
    count = len(items)
    if SET_PIECES[number] and count > 2:
        plain = SET_PLAIN[number] and (not HIDES or ZONE_SEES[S[LOC + items[0]]] >> player & 1)
        items = _prints_together(items) if plain else _twins_together(S, items, player)
    if high is None or high > count:
        high = count
    return pick_one(S, frame, player, number, low if low < count else count, high, items, ())


def pick_one(
    S: State, K: Frame, player: int, number: int, low: int, high: int, items: Any, chosen: Any
) -> Frame | None:
    """Asks for the next of a set, or goes on where nothing is left to ask."""
    count = len(chosen)
    if count >= high or not items:
        S[RET] = chosen
        return K
    short = low - count
    if short > 0 and short == len(items) and SET_AUTO[number]:
        S[RET] = chosen + items
        return K
    options = items if short <= 1 else items[: len(items) - short + 1]
    if SET_PIECES[number] and len(options) > 1:
        if SET_PLAIN[number] and (not HIDES or ZONE_SEES[S[LOC + options[0]]] >> player & 1):
            # Twins lie together, so each that looks like the one before is left out.
            last, found = None, []
            for x in options:
                key = PRINTED[x]
                if key != last:
                    found.append(x)
                    last = key
            options = tuple(found)
        else:
            options = alike(S, options, player)
    enough, fits = short <= 0, FITS[number]
    if fits is not None:  # what leads to no set that will do is no option
        enough = enough and fits(S, K, chosen)
        looks, most = PRINTED if SET_PLAIN[number] else None, MOST_SETS // len(options)
        options = tuple([
            x
            for x in options
            if some_set(S, K, fits, low, high, items[items.index(x) + 1 :], (*chosen, x), looks, most)
        ])
        if not options and not enough:  # nothing will do: what comes next says why
            S[RET] = chosen
            return K
    S[PLAYER] = player
    S[OPTIONS] = (*options, None) if enough else options
    S[CONT] = (PICK_BACK, K, player, number, low, high, items, chosen)
    S[ASK] = number
    return None


def some_set(S: State, K: Any, fits: Any, low: int, high: Any, items: Any, chosen: Any, looks: Any, most: int) -> bool:
    """Whether what is chosen, with more of the items or without, is a set that meets what comes after it.

    `looks` says by piece what twins have in common, where nothing but print can tell them apart; else none. Where
    none of the first `most` sets will do, some other may.
    """
    many, first = len(items), len(chosen)
    if high is None:
        high = first + many
    taken, way, at = list(chosen), list[int](), 0
    while True:
        spend(S)
        if len(taken) >= low:
            if not most or fits(S, K, tuple(taken)):
                return True
            most -= 1
        while len(taken) >= high or many - at < max(1, low - len(taken)):  # no way on: the last one was none of it
            if not way:
                return False
            at = way.pop() + 1
            last = taken.pop()
            while looks is not None and at < many and looks[last] is not None and looks[items[at]] == looks[last]:
                at += 1  # its twin would do no better
        way.append(at)
        taken.append(items[at])
        at += 1


def having_paid(S: State, n: Any, giver: int, taker: int | None, then: Any) -> Any:
    """What `then` says once so much has been paid; after that all is as it was."""
    found, S[LOOK] = S[LOOK], None  # what was found before may hang on what is paid
    S[giver] -= n
    if taker is not None:
        S[taker] += n
    try:
        return then()
    finally:
        S[giver] += n
        if taker is not None:
            S[taker] -= n
        S[LOOK] = found


pick_one_untimed = pick_one  # a table with a clock puts its own in place of the first, which calls this


def b_pick(S: State, F: Frame) -> Frame | None:
    return pick_one(S, *F[1:])


def b_pick_back(S: State, F: Frame) -> Frame | None:
    _, K, player, number, low, high, items, chosen = F
    picked = S[RET]
    if picked is None:
        S[RET] = chosen
        return K  # type: ignore[no-any-return]
    return pick_one(S, K, player, number, low, high, items[items.index(picked) + 1 :], (*chosen, picked))


def look(S: State, x: int, player: int) -> Any:
    """What the chooser sees of a piece: two with the same look are one option."""
    zone = S[LOC + x] if FIRST_MOVING <= x < LAST_MOVING else BOX
    if HIDES and not (ZONE_SEES[zone] >> player & 1) and not remembers(S, x, player):
        return (None, BACK[x], zone)  # nothing that is seen looks like it
    kind = KIND[x]
    shown = LOOKS[x] if x not in FACED or remembers(S, x, player) else -1 - UP_LOOKS[S[FACE + x]][x]
    parts = [shown, zone, *[S[base + x] for base in TWIN_FIELDS[kind]]]
    if TWIN_SLOTS[kind]:
        # Which of them hold it: two pieces are held by the same ones, or differ.
        parts.append(tuple([at for at in TWIN_SLOTS[kind] if (held := S[at]) == x or (type(held) is tuple and x in held)]))
    for base in TWIN_ZONES[kind]:
        parts.append(tuple([LOOKS[y] for y in S[base + x]]))
    if S[EFFECTS] and PIECES_REMEMBERED:
        for effect in S[EFFECTS]:
            for held in effect[5]:
                parts.append(held == x if not isinstance(held, tuple) else x in held)
    return tuple(parts)


def prints(S: State, items: Any, player: int) -> list[Any]:
    """What each look begins with: pieces that differ in this need no closer look."""
    if not HIDES:
        return [LOOKS[x] for x in items]
    found = []
    for x in items:
        if not FIRST_MOVING <= x < LAST_MOVING:
            found.append(LOOKS[x])
        elif not (ZONE_SEES[S[LOC + x]] >> player & 1) and not remembers(S, x, player):
            found.append((BACK[x],))
        elif x in FACED and not remembers(S, x, player):
            found.append(-1 - UP_LOOKS[S[FACE + x]][x])
        else:
            found.append(LOOKS[x])
    return found


def alike(S: State, items: Any, player: int) -> Any:
    """One of each that look the same to the chooser."""
    if len(items) < 2:
        return items
    if None in items:
        begin = [x if x is None else prints(S, (x,), player)[0] for x in items]
    else:
        begin = prints(S, items, player)
    many: dict[Any, int] = {}
    for first in begin:
        many[first] = many.get(first, 0) + 1
    if len(many) == len(items):
        return items
    found, seen = [], set()
    for x, first in zip(items, begin, strict=True):
        key = look(S, x, player) if x is not None and many[first] > 1 else x
        if key not in seen:
            seen.add(key)
            found.append(x)
    return items if len(found) == len(items) else tuple(found)


def one_of_each(S: State, items: Any, player: int, zone: int) -> Any:
    """The same where all of them lie in one zone."""
    if len(items) < 2:
        return items
    if HIDES and not ZONE_SEES[zone] >> player & 1:
        return alike(S, items, player)
    seen: dict[Any, int] = {}
    for x in items:
        key = PRINTED[x]
        if key not in seen:
            seen[key] = x
    if None in seen:
        return alike(S, items, player)
    return items if len(seen) == len(items) else tuple(seen.values())


def _prints_together(items: Any) -> Any:
    """Twins side by side, where nothing but what is printed tells pieces apart."""
    groups: dict[Any, Any] = {}
    for x in items:
        key = PRINTED[x]
        if key in groups:
            groups[key] += (x,)
        else:
            groups[key] = (x,)
    return items if len(groups) == len(items) else sum(groups.values(), ())


def firsts_of(items: Any) -> Any:
    """The first of each look, where nothing but what is printed tells pieces apart."""
    first: dict[Any, int] = {}
    for x in items:
        key = PRINTED[x]
        if key not in first:
            first[key] = x
    return items if len(first) == len(items) else tuple(first.values())


def firsts_after(items: Any, firsts: Any, picked: int) -> Any:
    """The first of each look that may be picked next: a twin of the last one, then what comes after it."""
    after = firsts[firsts.index(picked) + 1 :]
    key = PRINTED[picked]
    for x in items[items.index(picked) + 1 :]:
        if PRINTED[x] == key:
            return (x, *after)
    return after


def within(items: Any, firsts: Any, short: int) -> Any:
    """The first of each look after which enough are left for a set that is `short` of so many."""
    if short == 2:
        last = firsts[-1]
        if last == items[-1]:
            return firsts[:-1]
        key = PRINTED[last]
        for x in items[items.index(last) + 1 :]:
            if PRINTED[x] == key:
                return firsts
        return firsts[:-1]
    left = _prints_together(items)
    early = frozenset(left[left.index(firsts[0]) : 1 - short])
    return tuple([x for x in firsts if x in early])


def left_after(items: Any, taken: Any) -> Any:
    """What may still be picked, twins side by side."""
    left = _prints_together(items)
    return left[left.index(taken[-1]) + 1 :] if taken else left


def _twins_together(S: State, items: Any, player: int) -> Any:
    if len(items) < 3 or type(items[0]) is not int or items[0] >= len(KIND):
        return items
    groups: dict[Any, list[Any]] = {}
    for x in items:
        groups.setdefault(look(S, x, player), []).append(x)
    if len(groups) == len(items):
        return items
    return tuple([x for group in groups.values() for x in group])
