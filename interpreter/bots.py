"""Players that are not people: one that picks at random, one that searches.

Takes a specification (`random`, `mcts:400,depth=40`) and a seed, gives a bot whose answers depend on
these, on its seat and on the decisions made so far, on nothing else. A bot never looks at the true
game: what it may know is its own decision and the deals that `imagine` makes up for its seat.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from .diagnostics import OrreryError, suggest
from .face import Decision, Game, RuleError, UsageError

ITERATIONS = 300
DEPTH = 250  # decisions of a rollout before the score is asked instead
LONGEST = 20_000  # decisions of a rollout that nothing can judge earlier
HABIT = 0.7  # how curious the search is; rewards lie between 0 and 1
WIDE = 60  # decisions with more options than this are sampled
DOUBTS = 2  # how often a random player thinks again before it waits, or leaves a menu in real time
DIGITS = 9  # of a bot's settings
KINDS = ("random", "mcts")

_MASK = (1 << 64) - 1


def derive(seed: int, *path: int) -> int:
    """A seed for a part of something seeded: the same on every machine, below 2**53."""
    state = seed & _MASK
    for step in (*path, len(path)):
        state = (state + (step + 1) * 0x9E3779B97F4A7C15) & _MASK
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
        state ^= state >> 31
    return state >> 11


class Bot(Protocol):
    """Whoever answers for a seat."""

    spec: str

    def choose(self, game: Game, player: int) -> int:
        """The index of an option in this player's open decision. The game is left as it is."""
        ...


def make(spec: str, seed: int) -> Bot:
    """The bot that a specification names: `random`, `mcts`, `mcts:400`, `mcts:400,depth=40`."""
    name, _, rest = spec.strip().partition(":")
    if name == "random" and not rest:
        return RandomBot(seed)
    if name == "mcts":
        return SearchBot(seed, spec.strip(), **_settings(spec, rest))
    if name == "random":
        raise UsageError(f"`{spec}`: a random player takes no settings")
    hint = suggest(name, KINDS) or "it is one of random, mcts, mcts:ITERATIONS"
    raise UsageError(f"no bot is called `{name}`; {hint}")


def _settings(spec: str, rest: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for item in filter(None, (part.strip() for part in rest.split(","))):
        name, equals, number = item.rpartition("=")
        name = name.strip() if equals else "iterations"
        if name not in ("iterations", "depth"):
            raise UsageError(f"`{spec}`: mcts has no setting `{name}`; it has iterations and depth")
        number = number.strip()
        if not number.isdecimal() or len(number) > DIGITS or int(number) < 1:
            raise UsageError(
                f"`{spec[:60]}`: {name} must be a whole number from 1 to {10**DIGITS - 1:,}, not `{number[:20]}`"
            )
        found[name] = int(number)
    return found


def open_decision(game: Game, player: int) -> Decision:
    """The decision that waits for this player, also when several players may act at once."""
    if game.player == player and (first := game.decision) is not None:
        return first
    for decision in game.decisions:
        if decision.player == player:
            return decision
    raise UsageError(f"player {player + 1} has nothing to decide")


def at_random(game: Game, chance: Callable[[], float]) -> int:
    """Any option of the next decision. Under a clock, to wait or to leave must come up three times, or nobody plays."""
    index = int(chance() * game.count)
    if game.table.clocked:
        for _ in range(DOUBTS):
            if game.waits(index):
                index = int(chance() * game.count)
    return index


class RandomBot:
    """Every option is as likely as every other, but it waits and leaves less."""

    spec = "random"

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, game: Game, player: int) -> int:
        count = game.count if game.player == player else len(open_decision(game, player).options)
        made = len(game.choices())
        index = derive(self.seed, player, made) % count
        if game.table.clocked:
            for doubt in range(DOUBTS):
                if game.waits(index, player):
                    index = derive(self.seed, player, made, 1 + doubt) % count
        return index


@dataclass(slots=True)
class _Branch:
    """An answer that was tried, with what became of it, and the answers that followed."""

    index: int
    visits: int = 0
    reward: float = 0.0  # of the player who gave the answer
    offered: int = 1  # how often it could have been given here
    next: dict[tuple[int, str], _Branch] | None = None


class SearchBot:
    """Single-observer information-set tree search.

    Every iteration deals anew what this player cannot see. Answers are known by their keys, so that
    different deals share branches. Amounts and very wide choices are widened bit by bit.
    """

    def __init__(
        self, seed: int, spec: str = "mcts", iterations: int = ITERATIONS, depth: int = DEPTH
    ) -> None:
        self.seed = seed
        self.spec = spec
        self.iterations = iterations
        self.depth = depth

    def choose(self, game: Game, player: int) -> int:
        decision = open_decision(game, player)
        if len(decision.options) == 1:
            return 0
        # Only random() of Python's generator is promised to stay the same in all versions.
        chance = random.Random(derive(self.seed, player, len(game.choices()))).random
        root = _Branch(0, next={})
        for _ in range(self.iterations):
            self._try(root, game.imagine(player, int(chance() * 2**48)), player, chance)
        tried = list((root.next or {}).values())
        if not tried:
            return 0
        best = max(tried, key=lambda branch: (branch.visits, branch.reward, -branch.index))
        return best.index

    def _try(self, root: _Branch, world: Game, player: int, chance: Callable[[], float]) -> None:
        """One iteration: down the tree, one new branch, to the end at random, and back up."""
        branch, fresh = root, False
        path: list[tuple[_Branch, int]] = [(root, player)]
        mover = player
        try:
            while not (fresh or world.over):
                decision = open_decision(world, mover)
                if len(decision.options) == 1:
                    world.choose(0, mover)
                else:
                    branch, fresh = _step(branch, decision, chance)
                    path.append((branch, mover))
                    world.choose(branch.index, mover)
                mover = world.player if world.player is not None else player
            self._play_on(world, chance)
        except RuleError:
            pass  # a rule of the game failed and took its choice back: judge what is there
        rewards = judge(world)
        for branch, mover in path:
            branch.visits += 1
            branch.reward += rewards[mover]

    def _play_on(self, world: Game, chance: Callable[[], float]) -> None:
        step, count, left, clocked = world.step, world.count, self.depth, world.table.clocked
        while count:
            if left == 0:
                if scores(world) is not None:
                    return
                left = LONGEST  # nothing can judge it before the end
            left -= 1
            count = step(at_random(world, chance) if clocked else int(chance() * count))


def _step(branch: _Branch, decision: Decision, chance: Callable[[], float]) -> tuple[_Branch, bool]:
    """The branch to follow from here, and whether it is new."""
    if branch.next is None:
        branch.next = {}
    count = len(decision.options)
    if decision.amount or count > WIDE:
        offered, new = _sample(branch, decision, count, chance)
    else:
        offered, new = _all(branch.next, decision, count, chance)
    if new is not None:
        child = branch.next[decision.player, decision.key(new)] = _Branch(new)
        return child, True
    return max(offered, key=_promise), False


def _all(
    known: dict[tuple[int, str], _Branch], decision: Decision, count: int, chance: Callable[[], float]
) -> tuple[list[_Branch], int | None]:
    """The known branches that this deal offers; and one that is not known yet, if there is any."""
    offered, fresh = [], []
    for index in range(count):
        child = known.get((decision.player, decision.key(index)))
        if child is None:
            fresh.append(index)
        else:
            child.index = index  # the same answer may stand elsewhere in another deal
            child.offered += 1
            offered.append(child)
    return offered, fresh[int(chance() * len(fresh))] if fresh else None


def _sample(
    branch: _Branch, decision: Decision, count: int, chance: Callable[[], float]
) -> tuple[list[_Branch], int | None]:
    """The same for a choice that is too wide to be listed: it widens with the visits."""
    known = branch.next or {}
    offered = []
    for (mover, key), child in known.items():
        if mover == decision.player and child.index < count and decision.key(child.index) == key:
            child.offered += 1
            offered.append(child)
    if offered and len(offered) >= 2 * math.sqrt(branch.visits + 1):
        return offered, None
    tips = decision.tips()  # of a flick: towards something
    if tips:
        firsts = [tips[int(chance() * len(tips))] for _ in range(3)]
    else:
        firsts = [count - 1, 0] if decision.amount else []  # all and nothing are tried first
    for index in (*firsts, *(int(chance() * count) for _ in range(4))):
        if (decision.player, decision.key(index)) not in known:
            return offered, index
    return offered, None if offered else int(chance() * count)


def _promise(branch: _Branch) -> float:
    visits = branch.visits or 1  # a branch whose choice failed in every deal
    return branch.reward / visits + HABIT * math.sqrt(math.log(branch.offered + 1) / visits)


# --- who stands how well --------------------------------------------------------------------------


def judge(game: Game) -> Sequence[float]:
    """For every player a reward from 0 to 1: the share of the win, or of what promises to be one."""
    points: Sequence[float] | None = None
    result = game.result
    if game.players == 1:
        points = result.scores if result is not None else scores(game)
        if not points:
            return (1.0 if result is not None and result.winners else 0.0,)
        return (0.5 + 0.5 * points[0] / (abs(points[0]) + 20),)
    if result is not None:
        winners = result.winners or range(game.players)
        return [1 / len(winners) if seat in winners else 0.0 for seat in range(game.players)]
    points = scores(game)
    if points is None:
        return [1 / game.players] * game.players
    best = max(points)
    scale = max(1.0, sum(abs(score) for score in points) / len(points) / 4)
    weights = [math.exp((score - best) / scale) for score in points]
    return [weight / sum(weights) for weight in weights]


def scores(game: Game) -> list[float] | None:
    """What the ruleset's own `score` says of every player now, if it has one."""
    try:
        return [float(game.value("score", seat)) for seat in range(game.players)]
    except (OrreryError, TypeError, ValueError):
        return None
