"""How much work a flick is (in ms of the processor), and whether two simulators agree: our own, and pymunk as a referee.

    python benchmarks/flicks.py [--flicks 300] [--seed 1] [--dt 0.1]

Layouts: `sparse` (30 fixed discs, 36 that can move), `crowd` (the 36 close together) and `rack` (39 discs
that all touch, as in billiards). Needs pymunk (requirements-dev.txt); Orrery itself does not.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from math import cos, radians, sin, sqrt

from orrery.interpreter.sliding import Disc, slide

SIDE, REACH, BOUNCE = 6000, 5000, 0.8


def lay(rng: random.Random, layout: str) -> list[Disc]:
    if layout == "rack":
        found = [Disc(0, 3000, 1000, 80, False)]
        for row in range(9):
            for at in range(row + 1):
                if len(found) < 40:
                    found.append(Disc(len(found), 3000 + (2 * at - row) * 80, 2500 + row * 139, 80, False))
        return found
    found = []
    for number in range(66):
        fixed = number < 30
        radius = 190 if fixed else 80
        low, high = (2200, 3800) if layout == "crowd" and not fixed else (radius, SIDE - radius)
        for _ in range(10_000):
            x, y = rng.randrange(low, high), rng.randrange(low, high)
            if all((d.x - x) ** 2 + (d.y - y) ** 2 > (d.radius + radius + 1) ** 2 for d in found):
                found.append(Disc(number, x, y, radius, fixed))
                break
    return found


def referee(discs: list[Disc], flicked: int, angle: int, distance: float, dt: float = 0.02) -> dict[int, tuple[float, float]]:
    """The same flick in pymunk: a new space, bodies by number, friction by joints, a fixed step."""
    import pymunk

    space = pymunk.Space()
    space.iterations = 10
    bodies = {}
    for disc in sorted(discs):
        if disc.fixed:
            body = pymunk.Body(body_type=pymunk.Body.STATIC)
        else:
            mass = disc.radius**2 / 6400
            body = pymunk.Body(mass, float("inf"))
        body.position = disc.x, disc.y
        shape = pymunk.Circle(body, disc.radius)
        shape.elasticity, shape.friction = sqrt(BOUNCE), 0.0
        space.add(body, shape)
        if not disc.fixed:
            joint = pymunk.PivotJoint(space.static_body, body, (0, 0), (0, 0))
            joint.max_bias, joint.max_force = 0, mass
            space.add(joint)
            bodies[disc.number] = body
    speed = sqrt(2 * distance)
    bodies[flicked].velocity = sin(radians(angle)) * speed, cos(radians(angle)) * speed
    for number in range(int(speed / dt) + 50):
        space.step(dt)
        if number % 50 == 49 and all(abs(b.velocity.x) + abs(b.velocity.y) < 1e-3 for b in bodies.values()):
            break
    return {number: (body.position.x, body.position.y) for number, body in bodies.items()}


def main() -> None:
    wishes = argparse.ArgumentParser()
    wishes.add_argument("--flicks", type=int, default=300)
    wishes.add_argument("--seed", type=int, default=1)
    wishes.add_argument("--dt", type=float, default=0.1, help="the referee's step; a flick lasts about 100")
    asked = wishes.parse_args()
    for layout in ("sparse", "crowd", "rack"):
        rng = random.Random(asked.seed)
        own, other, far = [], [], []
        for number in range(asked.flicks):
            discs = lay(rng, layout)
            flicked = 0 if layout == "rack" else rng.randrange(30, len(discs))
            angle = rng.randrange(-6, 7) % 360 if layout == "rack" else rng.randrange(360)
            distance = REACH * (100 if layout == "rack" else rng.randrange(1, 101)) / 100
            start = time.process_time()
            ride = slide(SIDE, SIDE, discs, flicked, angle, distance, BOUNCE, lambda other: False)
            own.append((time.process_time() - start) * 1000)
            if number < 60:
                start = time.process_time()
                there = referee(discs, flicked, angle, distance, asked.dt)
                other.append((time.process_time() - start) * 1000)
                if not ride.left:
                    rest = {n: (x, y) for n, x, y in ride.rest}
                    ways = [(there[n][0] - x, there[n][1] - y) for n, (x, y) in rest.items()]
                    far.append(max((sqrt(dx * dx + dy * dy) for dx, dy in ways), default=0))
        apart = f"{statistics.median(far):.1f} units apart (median of {len(far)})" if far else "-"
        print(
            f"{layout:7} own: mean {statistics.fmean(own):.2f} ms, median {statistics.median(own):.2f},"
            f" max {max(own):.1f}; pymunk: mean {statistics.fmean(other):.2f} ms, max {max(other):.1f}; {apart}"
        )


if __name__ == "__main__":
    main()
