"""Angles in words: `ne`, `n30e`, `s`. 0 is up, and they go round clockwise."""

from __future__ import annotations

import re

POINTS = {"n": 0, "ne": 45, "e": 90, "se": 135, "s": 180, "sw": 225, "w": 270, "nw": 315}
NAMES = {angle: name for name, angle in POINTS.items()}
BETWEEN = re.compile(r"([nesw]) ?(\d{1,2}) ?([nesw])")


def name_of(angle: int) -> str:
    """`n30e` is 30 degrees from north towards east."""
    angle %= 360
    if angle in NAMES:
        return NAMES[angle]
    if angle < 90:
        return f"n{angle}e"
    if angle < 180:
        return f"s{180 - angle}e"
    return f"s{angle - 180}w" if angle < 270 else f"n{360 - angle}w"


def angle_of(text: str) -> int | None:
    """The angle that such a name means, or None."""
    word = " ".join(text.casefold().split())
    if word in POINTS:
        return POINTS[word]
    found = BETWEEN.fullmatch(word)
    if found is None:
        return None
    start, turn, towards = POINTS[found[1]], int(found[2]), POINTS[found[3]]
    if (start - towards) % 180 != 90 or turn > 90:
        return None
    return (start + turn if (towards - start) % 360 == 90 else start - turn) % 360
