"""How discs slide, touch, bounce and come to rest: one flick, from event to event.

Takes discs with whole-numbered places and radii, gives whole-numbered places again, what the flicked
disc touched and what left the board. Knows no game: a function that is handed in says who halts it.

A sliding disc loses speed evenly and goes straight on until something happens to it, so nothing has to
be computed between two events (a touch, a stop, an edge), and no step can jump over a thin rim. Only
+, -, *, / and the square root are used, which every machine rounds alike, and angles come from a table
of whole numbers: the same flick ends the same everywhere. The log keeps results all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import heappop, heappush
from math import sqrt
from typing import NamedTuple

from .runtime.lent import SINES

MOST_WORK = 600_000  # looks of one disc at another, in one flick; then everything stops where it is
LEAST_PART = 0.1  # the speed at which two discs part at least, so that no pair rattles without end
NEAR = 1e-7  # a gap that counts as a touch
SLOWEST = 1e-9  # an approach that is none
PATIENCE = 200  # steps of the search for the touch of two moving discs
ROUNDING = 1.5  # what two rounded places come closer at the most (the root of 2), and a little more
FAR = 40  # how far a disc is shifted at the most to lie on whole numbers and on nobody else

Halts = Callable[[int], bool]


class Disc(NamedTuple):
    """A disc on the board before a flick; `number` is its name everywhere."""

    number: int
    x: int
    y: int
    radius: int
    fixed: bool


class Ride(NamedTuple):
    """What came of a flick, in whole numbers."""

    rest: tuple[tuple[int, int, int], ...]  # disc, x, y: those that lie elsewhere now, by number
    touched: tuple[int, ...]  # by the flicked disc, each once, in order
    struck: int | None  # the disc that halted it
    left: tuple[int, ...]  # discs that left the board, in order


class _Body:
    """A disc on its way: where it was at `since`, where it was going and how fast."""

    __slots__ = ("fixed", "goes", "mass", "number", "radius", "since", "speed", "stamp", "ux", "uy", "x", "y")

    def __init__(self, disc: Disc) -> None:
        self.number, self.radius, self.fixed = disc.number, float(disc.radius), disc.fixed
        self.x, self.y = float(disc.x), float(disc.y)
        self.mass = self.radius * self.radius
        self.ux = self.uy = self.speed = self.since = 0.0
        self.stamp = 0
        self.goes = False

    def move_to(self, time: float) -> None:
        if self.goes:
            passed = time - self.since
            if passed >= self.speed:
                passed = self.speed
            way = (self.speed - passed / 2) * passed
            self.x += self.ux * way
            self.y += self.uy * way
            self.speed -= passed
        self.since = time

    def head_for(self, vx: float, vy: float) -> None:
        speed = sqrt(vx * vx + vy * vy)
        self.stamp += 1
        self.goes = speed > SLOWEST
        if self.goes:
            self.ux, self.uy, self.speed = vx / speed, vy / speed, speed
        else:
            self.speed = 0.0

    def velocity(self) -> tuple[float, float]:
        return (self.ux * self.speed, self.uy * self.speed) if self.goes else (0.0, 0.0)


class _Board:
    """The bodies of one flick and what is going to happen to them. Speed lost per unit of time: 1."""

    def __init__(self, width: int, height: int, discs: Iterable[Disc], bounce: float) -> None:
        self.width, self.height, self.bounce = float(width), float(height), bounce
        self.bodies = {disc.number: _Body(disc) for disc in sorted(discs)}
        self.time = 0.0
        # (time, first disc, its stamp, what it meets or -1, the stamp of that); old stamps are skipped
        self.events: list[tuple[float, int, int, int, int]] = []
        self.left: list[int] = []
        self.work = 0

    def plan(self, one: _Body) -> None:
        """All that can happen to a body, as it goes now."""
        now, number, stamp, events = self.time, one.number, one.stamp, self.events
        self.work += len(self.bodies)
        if not one.goes:
            for other in self.bodies.values():
                if other.goes and other is not one:
                    way = _way_to(other, one)
                    if way is not None:
                        heappush(events, (now + _time_for(other.speed, way), other.number, other.stamp, number, stamp))
            return
        speed, x, y, ux, uy = one.speed, one.x, one.y, one.ux, one.uy
        reach = speed * speed / 2
        end = speed
        edge = reach + 1.0
        if ux > 0:
            edge = min(edge, (self.width - x) / ux)
        elif ux < 0:
            edge = min(edge, x / -ux)
        if uy > 0:
            edge = min(edge, (self.height - y) / uy)
        elif uy < 0:
            edge = min(edge, y / -uy)
        if edge < reach:
            end = _time_for(speed, max(edge, 0.0))
        heappush(events, (now + end, number, stamp, -1, -1))
        radius = one.radius
        for other in self.bodies.values():
            if other.goes:
                if other is not one:
                    found = _meeting(one, other, now)
                    if found is not None:
                        heappush(events, (found, number, stamp, other.number, other.stamp))
                continue
            # The same as `_way_to`, written out: most discs are nowhere near.
            dx, dy = other.x - x, other.y - y
            along = dx * ux + dy * uy
            both = radius + other.radius
            if along <= 0 or along - both > reach:
                continue
            aside = dx * dx + dy * dy - along * along
            if aside >= both * both:
                continue
            way = along - sqrt(both * both - aside)
            if way > reach:
                continue
            if way <= 0:
                if along <= SLOWEST * both:
                    continue
                way = 0.0
            heappush(events, (now + _time_for(speed, way), number, stamp, other.number, other.stamp))

    def next(self) -> tuple[_Body, _Body | None] | None:
        """The next event that still holds; all bodies stand where they are then."""
        while self.events:
            time, number, stamp, met, met_stamp = heappop(self.events)
            one = self.bodies.get(number)
            if one is None or one.stamp != stamp:
                continue
            other = None
            if met >= 0:
                other = self.bodies.get(met)
                if other is None or other.stamp != met_stamp:
                    continue
            self.time = max(time, self.time)
            for body in self.bodies.values():
                if body.goes or body is other:
                    body.move_to(self.time)
            return one, other
        return None

    def collide(self, one: _Body, other: _Body) -> None:
        """They bounce off each other; mass goes with the square of the radius."""
        dx, dy = other.x - one.x, other.y - one.y
        apart = sqrt(dx * dx + dy * dy)
        if apart == 0.0:
            return
        nx, ny = dx / apart, dy / apart
        (ax, ay), (bx, by) = one.velocity(), other.velocity()
        closing = (ax - bx) * nx + (ay - by) * ny
        if closing <= 0:
            self.plan_pair(one, other)
            return
        change = closing + max(closing * self.bounce, min(LEAST_PART, closing))
        share = 0.0 if one.fixed else 1.0 if other.fixed else other.mass / (one.mass + other.mass)
        if not one.fixed:
            one.head_for(ax - change * share * nx, ay - change * share * ny)
        if not other.fixed:
            other.head_for(bx + change * (1 - share) * nx, by + change * (1 - share) * ny)
        self.plan(one)
        self.plan(other)

    def plan_pair(self, one: _Body, other: _Body) -> None:
        """They touched without pressing: new stamps, so that this touch is not met again."""
        for body in (one, other):
            body.stamp += 1
        for body in (one, other):
            self.plan(body)

    def stop(self, body: _Body) -> None:
        body.head_for(0.0, 0.0)
        self.plan(body)

    def inside(self, body: _Body) -> bool:
        slack = 1e-6
        return slack < body.x < self.width - slack and slack < body.y < self.height - slack


def _time_for(speed: float, way: float) -> float:
    """How long a body with this speed needs for so much of its way."""
    left = speed * speed - 2 * way
    return speed - (sqrt(left) if left > 0 else 0.0)


def _way_to(one: _Body, other: _Body) -> float | None:
    """How far a body slides until it touches one that lies still, or None."""
    dx, dy = other.x - one.x, other.y - one.y
    along = dx * one.ux + dy * one.uy
    both = one.radius + other.radius
    aside = dx * dx + dy * dy - along * along
    if along <= SLOWEST * both or aside >= both * both:
        return None
    way = along - sqrt(both * both - aside)
    return max(way, 0.0) if way <= one.speed * one.speed / 2 else None


def _meeting(one: _Body, other: _Body, now: float) -> float | None:
    """When two moving bodies touch, or None if one of them stops before.

    Their distance bends towards each other at most by the difference of their directions, so that a
    step can be taken that is surely not too far; a few of these lead to the touch.
    """
    px, py = other.x - one.x, other.y - one.y
    both = one.radius + other.radius
    far = both + (one.speed * one.speed + other.speed * other.speed) / 2
    if px > far or px < -far or py > far or py < -far:
        return None
    (ax, ay), (bx, by) = one.velocity(), other.velocity()
    wx, wy = bx - ax, by - ay
    cx, cy = other.ux - one.ux, other.uy - one.uy
    bend = sqrt(cx * cx + cy * cy)
    end = min(one.speed, other.speed)
    passed = 0.0
    for _ in range(PATIENCE):
        half = passed * passed / 2
        dx, dy = px + wx * passed - cx * half, py + wy * passed - cy * half
        apart = sqrt(dx * dx + dy * dy)
        if apart == 0.0:
            return now + passed
        gap = apart - both
        closing = -(dx * (wx - cx * passed) + dy * (wy - cy * passed)) / apart
        if gap <= NEAR:
            if closing > SLOWEST:
                return now + passed
            gap = NEAR
        if bend > SLOWEST:
            step = (sqrt(closing * closing + 2 * bend * gap) - closing) / bend
        elif closing > SLOWEST:
            step = gap / closing
        else:
            return None
        passed += max(step, 1e-6)
        if passed >= end:
            return None
    return now + passed


def slide(
    width: int,
    height: int,
    discs: Iterable[Disc],
    flicked: int,
    angle: int,
    distance: float,
    bounce: float,
    halts: Halts,
) -> Ride:
    """Flicks a disc towards `angle` (0 is up, clockwise), so hard that alone it would slide `distance`."""
    discs = sorted(discs)
    board = _Board(width, height, discs, bounce)
    mover = board.bodies[flicked]
    speed = sqrt(2 * distance)
    ux, uy = SINES[angle % 360], SINES[(angle + 90) % 360]
    length = sqrt(ux * ux + uy * uy)
    mover.head_for(ux / length * speed, uy / length * speed)
    board.plan(mover)
    touched: list[int] = []
    struck: int | None = None
    asked: dict[int, bool] = {}
    while board.work < MOST_WORK:
        event = board.next()
        if event is None:
            break
        one, other = event
        if other is None:
            if board.inside(one):
                board.stop(one)
            else:
                del board.bodies[one.number]
                board.left.append(one.number)
            continue
        if mover in (one, other):
            met = other if one is mover else one
            if met.number not in touched:
                touched.append(met.number)
            if struck is None and met.number not in asked:
                asked[met.number] = halts(met.number)
            if struck is None and asked[met.number]:
                struck = met.number
                board.stop(mover)
                continue
        board.collide(one, other)
    return Ride(_settle(board, discs), tuple(touched), struck, tuple(board.left))


def _rings() -> list[tuple[int, int]]:
    """Shifts, the nearest first, always in the same order."""
    side = range(-FAR, FAR + 1)
    found = [(dx * dx + dy * dy, dx, dy) for dx in side for dy in side if dx * dx + dy * dy <= FAR * FAR]
    return [(dx, dy) for _, dx, dy in sorted(found)]


_shifts: list[tuple[int, int]] = []


def _settle(board: _Board, discs: list[Disc]) -> tuple[tuple[int, int, int], ...]:
    """Whole-numbered places for all that has moved, each the nearest that overlaps nobody.

    Where discs lie so close that no whole numbers are left between them, a place is just rounded: two
    rims may then overlap by less than 2. So that this is always possible, nobody is shifted far onto a
    place that another, who comes later, may have to be rounded to.
    """
    if not _shifts:
        _shifts.extend(_rings())
    before = {disc.number: disc for disc in discs}
    lying: dict[int, tuple[int, int, int]] = {}
    moved: list[tuple[_Body, int, int]] = []
    for number, body in board.bodies.items():
        disc = before[number]
        x, y = round(body.x), round(body.y)
        if (x, y) == (disc.x, disc.y):
            lying[number] = (x, y, disc.radius)
        else:
            moved.append((body, x, y))
    found = []
    waiting = {body.number: (x, y, before[body.number].radius) for body, x, y in moved}
    for body, x, y in moved:
        disc = before[body.number]
        del waiting[body.number]
        near = [
            (ox, oy, both * both)
            for others, slack in ((lying, 0.0), (waiting, ROUNDING))
            for ox, oy, r in others.values()
            if abs(ox - x) <= (both := disc.radius + r - slack) + FAR and abs(oy - y) <= both + FAR
        ]
        for dx, dy in _shifts:
            px, py = x + dx, y + dy
            if not (0 < px < board.width and 0 < py < board.height):
                continue
            if all((ox - px) ** 2 + (oy - py) ** 2 >= both for ox, oy, both in near):
                x, y = px, py
                break
        lying[body.number] = (x, y, disc.radius)
        if (x, y) != (disc.x, disc.y):
            found.append((body.number, x, y))
    return tuple(found)
