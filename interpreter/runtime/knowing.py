"""Who remembers a piece: whoever knows it without seeing where it lies.

Everybody knows what lies where they see it. Only what goes beyond that is written down, in the bits of one number:
for each piece as many as there are viewers, the last of them for whoever looks on. Of pieces with hidden faces these
bits are all that is known, wherever they lie.
"""

from __future__ import annotations

from typing import Any

from ..slots import REVEALED
from .lent import BITS, FACED, FIRST_MOVING, LAST_MOVING, LOC, REMEMBERED, VIEWERS, ZONE_SEES, State


def remembers(S: State, x: int, viewer: int) -> int:
    """Whether the bit of a piece and a viewer is set."""
    return S[REMEMBERED] >> x * VIEWERS + viewer & 1  # type: ignore[no-any-return]


def came(S: State, items: Any, old: int, zone: int) -> None:
    """Pieces have come from one zone to another.

    Who saw where they were remembers them; who saw neither that nor sees where they are loses track of them.
    """
    if old == zone:
        return
    before, sees = ZONE_SEES[old], ZONE_SEES[zone]
    left, new = before & ~sees, sees & ~before
    remembered = kept = S[REMEMBERED]
    for x in items:
        if x in FACED:
            if new:
                S[REVEALED] = True
            continue
        known = kept & BITS[x]
        if known:
            kept ^= known
            if new & ~(known >> x * VIEWERS):
                S[REVEALED] = True
        elif new:
            S[REVEALED] = True
        if left:
            kept |= left << x * VIEWERS
    if kept != remembered:
        S[REMEMBERED] = kept


def forget(S: State, items: Any) -> None:
    """Nobody remembers these any more."""
    remembered = S[REMEMBERED]
    for x in items:
        known = remembered & BITS[x]
        if known:
            S[REMEMBERED] = remembered = remembered ^ known


def remind(S: State, items: Any, viewers: int) -> None:
    """These viewers know the pieces from now on."""
    for x in items:
        if FIRST_MOVING <= x < LAST_MOVING:
            new = viewers if x in FACED else viewers & ~ZONE_SEES[S[LOC + x]]
            S[REMEMBERED] |= new << x * VIEWERS
