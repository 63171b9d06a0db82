"""A picture to aim by: the plane, the line that a shot would take, and what lies where.

Takes a decision about a flick, gives lines of text made from what everybody sees. For any other
decision it gives none.
"""

from __future__ import annotations

from typing import Any

from .canvas import draw
from .compass import name_of
from .game import Decision
from .runtime.lent import SINES
from .slots import PLAYER

LISTED = 14  # discs in the table of bearings
WIDE = 72


def aid(decision: Decision, width: int = WIDE) -> list[str]:
    """Lines for whoever is asked for an angle or a power; none where nobody aims."""
    table, S = decision._game.table, decision._state
    shot = table.speaker.shot(S) if table.planar else None
    if shot is None:
        return []
    disc, angle = shot
    ns = table.ns
    plane = ns["PLANES"][S[ns["LOC"] + disc]]
    width = max(20, min(width, WIDE))
    if plane["height"] > plane["width"]:  # a tall board would run off the screen
        width = max(20, width * plane["width"] // plane["height"])
    near = nearest(table, S, disc)
    rows = [(S[ns["AT"] + x], ns["RADIUS"][x], mark or "*", None) for _, x, mark in near]
    rows.append((S[ns["AT"] + disc], ns["RADIUS"][disc], "@", None))
    if angle is None:
        return [*draw(plane, rows, width), *bearings(table, S, disc, near)]
    return [*draw(plane, rows, width, line_of(S, ns, disc, angle, plane)), *prospects(table, S, disc, angle, near)]


def nearest(table: Any, S: Any, disc: int) -> list[tuple[int, int, str]]:
    """The other discs: how far from rim to rim, which, and its mark on the map; nearest first."""
    marks = {x: mark for mark, x in table.speaker.marks(S, disc).items()}
    others = table.speaker.targets(S, disc).values()
    return sorted((table.ns["gap"](S, disc, x), x, marks.get(x, "")) for x in others)


def bearings(table: Any, S: Any, disc: int, near: list[tuple[int, int, str]]) -> list[str]:
    """What lies around, each with the angle and the power that lead there."""
    ns = table.ns
    reach = ns["PLANES"][S[ns["LOC"] + disc]]["reach"]
    lines = ["       angle        away  power  disc"]
    for gap, x, mark in near[:LISTED]:
        angle = ns["bearing"](S, disc, x)
        where = "here" if angle is None else f"{angle:3} {name_of(angle)}"
        power = -(-max(gap, 0) * 100 // reach)
        hard = f"{max(power, 1):5}" if power <= 100 else "    -"
        lines.append(f"at {mark:3} {where:10} {gap:6}  {hard}  {table.speaker.disc_title(S, x, S[PLAYER])}")
    if len(near) > LISTED:
        lines.append(f"       … and {len(near) - LISTED} farther away")
    lines.append("Type an angle (0 is up, 90 right), a direction (n30e), or `at` and a name.")
    return lines


def line_of(S: Any, ns: Any, disc: int, angle: int, plane: Any) -> list[tuple[float, float, str]]:
    """Dots along the line of the shot, with a digit wherever ten more of power lead to."""
    x, y = S[ns["AT"] + disc]
    ux, uy = SINES[angle] / 10**9, SINES[(angle + 90) % 360] / 10**9
    found = []
    for percent in range(1, 101):
        way = plane["reach"] * percent / 100
        letter = "X" if percent == 100 else str(percent // 10) if percent % 10 == 0 else "."
        found.append((x + ux * way, y + uy * way, letter))
    return sorted(found, key=lambda dot: dot[2] != ".")  # digits over dots


def prospects(table: Any, S: Any, disc: int, angle: int, near: list[tuple[int, int, str]]) -> list[str]:
    """What the shot would meet if it went straight on, and where it would leave the board."""
    ns, speaker = table.ns, table.speaker
    plane = ns["PLANES"][S[ns["LOC"] + disc]]
    reach = plane["reach"]
    marks = {other: mark for _, other, mark in near}
    x, y = S[ns["AT"] + disc]
    ux, uy = SINES[angle] / 10**9, SINES[(angle + 90) % 360] / 10**9
    edges = [(plane["width"] - x) / ux if ux > 0 else x / -ux] if ux else []
    edges += [(plane["height"] - y) / uy if uy > 0 else y / -uy] if uy else []
    edge = min(edges)
    lines = [f"Towards {name_of(angle)} ({angle}). On the line, 3 is where power 30 leads."]
    for way, other in speaker.in_the_way(S, disc, angle)[:3]:
        if way <= min(reach, edge):
            name, mark = speaker.disc_title(S, other, S[PLAYER]), marks[other]
            name += f" ({mark})" if mark and mark != name else ""
            lines.append(f"  In the way: {name}, after {way} (power {-(-way * 100 // reach) or 1}).")
    if edge < reach:
        lines.append(f"  Off the board after {int(edge)} (power {int(edge * 100 // reach) + 1}).")
    return lines
