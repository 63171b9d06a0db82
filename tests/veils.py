"""Secrets: what is hidden from a viewer is dealt anew, and nothing that the viewer is told may change.

The trial finds for itself what is hidden and permutes it; what a viewer is told is in trust.py.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any
from unittest.mock import patch

import orrery
from orrery.interpreter.bots import derive, open_decision
from orrery.interpreter.knowledge import _heard, _offered, masked, rename
from orrery.interpreter.session import Session, decide
from orrery.interpreter.slots import NEWS, RNG
from trust import (
    at_moments,
    dice_for,
    knowing,
    told_to,
)

HINTED = 0.4  # of the moments at which somebody is asked
HINT = "mcts:24,depth=30"  # the hint of a session, with less of a search

Place = tuple[int, int]  # a zone, and how far from its start
Hidden = dict[Any, list[Place]]


def hidden_places(game: orrery.Game, viewer: int | None) -> Hidden:
    """Where pieces lie that the viewer cannot tell apart, by all that is seen of them: their back, or one of two faces."""
    table, S, speaker = game.table, game.S, game.table.speaker
    zones = [zone for zone in sorted(table.zone_at) if S[zone] or table.zone_at[zone][0] != "box"]
    found: Hidden = {}
    for zone, shown in zip(zones, game.view(viewer)["zones"], strict=True):
        unseen = [] if "pieces" in shown else [at for at, x in enumerate(S[zone]) if speaker.hidden(S, x, viewer)]
        assert len(unseen) + len(shown.get("pieces", shown.get("known", []))) == shown["count"], shown["zone"]
        for at, x in enumerate(S[zone]):
            kind = table.image["kinds"][table.kind_of[x]]
            if at in unseen:
                found.setdefault(("back", table.ancestors[kind["name"]][-1], table.owner_at[x]), []).append((zone, at))
            elif kind["hidden_faces"] and not table.rests(x):
                bits = knowing(S, table.ns, x)
                if not bits >> (game.players if viewer is None else viewer) & 1:
                    found.setdefault(("face", table.kind_of[x], repr(speaker.face_values(S, x))), []).append((zone, at))
    return found


def sort_of(game: orrery.Game, place: Place) -> str:
    return "pile" if game.table.ns["ZONE_PLAYER"][place[0]] is None else "hand"


def identity(game: orrery.Game, x: int) -> Any:
    """What tells a piece from others, once all of it is seen."""
    return (game.table.speaker.id(x), *[looks[x] for looks in game.table.up_looks if x in looks])


def uncertain(game: orrery.Game, places: Hidden, kept: frozenset[int], odds: float = 0.0) -> set[str]:
    """Whether something in hands, and something in piles, may well be another piece than it is."""
    found = set()
    for group in places.values():
        known = [identity(game, game.S[zone][at]) for zone, at in group if game.S[zone][at] not in kept]
        alike = Counter(known)
        for zone, at in group:
            x = game.S[zone][at]
            if x not in kept and 1 - alike[identity(game, x)] / len(known) > odds:
                found.add(sort_of(game, (zone, at)))
    return found


def moved(game: orrery.Game, S: list[Any], places: Hidden) -> set[str]:
    """Whether other pieces lie there in hands, and in piles, in another state than in the game."""
    return {
        sort_of(game, (zone, at))
        for group in places.values()
        for zone, at in group
        if identity(game, S[zone][at]) != identity(game, game.S[zone][at])
    }


def other_world(game: orrery.Game, viewer: int | None, number: int, kept: frozenset[int] = frozenset()) -> orrery.Game:
    """The game with everything that is hidden from the viewer dealt anew, chance to come and the seed included.

    Which pieces change their places is found out here, from what the viewer is shown, and not by the engine's own
    deals, which are what is on trial. Hands and piles both become others, wherever they can.
    """
    twin = game.copy()
    twin.S = twin.S[:]
    places = hidden_places(game, viewer) if game.table.hides else {}
    can, dice = uncertain(game, places, kept), random.Random(number)
    swap: dict[int, int] = {}
    for _ in range(50):
        swap = {}
        for group in places.values():
            old = [game.S[zone][at] for zone, at in group if game.S[zone][at] not in kept]
            swap |= dict(zip(old, dice.sample(old, len(old)), strict=True))
        there = {sort_of(game, place) for group in places.values() for place in group
                 if identity(game, x := game.S[place[0]][place[1]]) != identity(game, swap.get(x, x))}  # fmt: skip
        if there == can:
            break
    swap = {old: new for old, new in swap.items() if old != new}
    if swap:
        rename(game, twin.S, swap)
        bit = game.players if viewer is None else viewer
        twin.S[NEWS] = tuple([_heard(item, bit, swap) for item in twin.S[NEWS]])
    for zone in game.table.zone_at:
        assert twin.S[zone] == tuple(swap.get(x, x) for x in game.S[zone]), "the other world is not what it should be"
    twin.S[RNG] = derive(number, 7)
    twin.origin = (twin.rules, number, twin.origin[2])
    return twin


def secrets(rules: orrery.Rules, players: int, seed: int, most: int = 25, ahead: int = 4) -> int:
    """All that is hidden from a viewer is dealt anew: nothing that the viewer is told changes, now or in the next decisions."""
    looks = 0
    can: Seen = set()  # where other deals should be imagined
    has: Seen = set()  # where they were

    def compare(game: orrery.Game) -> None:
        nonlocal looks
        dice = dice_for("secrets", seed, game)
        open_keys = [decision.key(dice.randrange(len(decision.options))) for decision in game.decisions for _ in range(3)]
        for viewer in [*range(players), None]:
            where = f"decision {len(game.choices())}, viewer {viewer}"
            twin = other_world(game, viewer, dice.randrange(10**6))
            wrong = _near_misses([game, twin], viewer, dice)
            assert told_to(twin, viewer, open_keys, wrong) == told_to(game, viewer, open_keys, wrong), where
            _same_zones(masked(game, viewer), masked(twin, viewer), game, f"what a table is drawn from, {where}")
            looks += 1
            if any(decision.player == viewer for decision in game.decisions) and dice.random() < HINTED:
                with patch("orrery.interpreter.session.HINT", HINT):
                    hints = [Session(world, ["human"] * players).hint(viewer) for world in (game, twin)]
                assert hints[0] == hints[1], f"hint, {where}"
            _true_to(game, viewer, where)
            if viewer is not None:
                _imagined(game, viewer, dice, can, has)
            looks += _go_on(game, viewer, dice, ahead, where)
            looks += _told_of_a_choice(game, viewer, dice, where)

    at_moments(rules, players, seed, most, compare)
    assert can <= has, f"nobody ever imagined anything else in {sorted(can - has)}"
    return looks


def _near_misses(worlds: list[orrery.Game], viewer: int | None, dice: random.Random) -> list[str]:
    """Words that are almost the names of pieces that are hidden, or on offer to anybody."""
    if viewer is None:
        return []
    names: set[str] = set()
    for game in worlds:
        for group in hidden_places(game, viewer).values() if game.table.hides else ():
            ends = [place for place in group if place[1] in (0, len(game.S[place[0]]) - 1)]
            few = [*ends[:40], *dice.sample(group, min(3, len(group)))]
            names |= {game.table.speaker.id(game.S[zone][at]) for zone, at in few}
    chosen = dice.sample(sorted(names), min(8, len(names)))
    for decision in worlds[0].decisions:
        if not decision.amount:
            chosen += [decision.key(dice.randrange(len(decision.options))) for _ in range(2)]
    return list(dict.fromkeys(name[:-1] if dice.random() < 0.5 else name + "x" for name in chosen))


def _same_zones(one: list[Any], other: list[Any], game: orrery.Game, what: str) -> None:
    for zone in game.table.zone_at:
        assert one[zone] == other[zone], f"{what}: {game.table.zone_at[zone]}"


Seen = set[tuple[int, str, str]]  # (viewer, hands or piles, what they may differ from)


def _imagined(game: orrery.Game, viewer: int, dice: random.Random, can: Seen, has: Seen) -> None:
    """Where a piece may well be another one, who imagines deals soon comes upon another than the true one and the first."""
    if not game.table.hides:
        return
    places, number = hidden_places(game, viewer), dice.randrange(10**6)
    sorts = uncertain(game, places, _offered(game.S), 0.25)
    from_what = {"the truth": game, "the first": game.imagine(viewer, number)}
    likely = {(viewer, sort, what) for sort in sorts for what in from_what} - has
    can |= likely
    for more in range(1, 60):
        if likely <= has:
            break
        deal = game.imagine(viewer, number + more)
        has |= {(viewer, sort, what) for what, other in from_what.items() for sort in moved(other, deal.S, places)}


def _true_to(game: orrery.Game, viewer: int | None, where: str) -> None:
    """A view names no piece that does not lie there, and counts them all."""
    speaker, zones = game.table.speaker, sorted(game.table.zone_at)
    zones = [zone for zone in zones if game.S[zone] or game.table.zone_at[zone][0] != "box"]
    for zone, shown in zip(zones, game.view(viewer)["zones"], strict=True):
        there = [speaker.id(x) for x in game.S[zone]]
        assert shown["count"] == len(there), f"{shown['zone']}, {where}"
        named = [piece["name"] for piece in shown.get("pieces", shown.get("known", [])) if "name" in piece]
        assert not Counter(named) - Counter(there), f"{shown['zone']} shows what is not in it, {where}"


def _told_of_a_choice(game: orrery.Game, viewer: int | None, dice: random.Random, where: str) -> int:
    """What another chooses is told in the same words, whichever hidden piece it is, as long as it stays hidden."""
    others = [decision for decision in game.decisions if decision.player != viewer]
    if not others:
        return 0
    decision = dice.choice(others)
    true, twin, index = game.copy(), other_world(game, viewer, dice.randrange(10**6)), dice.randrange(len(decision.options))
    twin.origin, twin.history = (twin.rules, twin.seed, twin.S[:]), None
    step = decide(true, index, "", [viewer], decision.player)
    try:
        other = decide(twin, index, "", [viewer], decision.player)
    except orrery.OrreryError:
        return 0  # what another was asked before the deal may not fit to the deal
    if true.revealed or twin.revealed:
        return 0
    assert step.choice == other.choice, f"the choice of another, {where}"
    return 1


def _go_on(game: orrery.Game, viewer: int | None, dice: random.Random, ahead: int, where: str) -> int:
    """The same choices in a game and in another that looks the same: what is told of them is the same, until a reveal."""
    true, made = game.copy(), 0
    kept = frozenset() if game.player == viewer else _offered(game.S)
    twin = other_world(game, viewer, dice.randrange(10**6), kept)
    twin.origin, twin.history = (twin.rules, twin.seed, twin.S[:]), None  # what fails in it goes back to here
    if viewer is not None:
        number = dice.randrange(10**6)
        imagined = [world.imagine(viewer, number).S for world in (true, twin)]
        _same_zones(*imagined, game, f"what is imagined, {where}")
    mine = True  # whether only the viewer has decided
    for _ in range(ahead):
        waiting = [[(decision.player, len(decision.options)) for decision in world.decisions] for world in (true, twin)]
        if not waiting[0] or waiting[0] != waiting[1]:
            break
        actor, count = dice.choice(waiting[0])
        index = dice.randrange(count)
        if actor != viewer:
            mine = False
            if open_decision(true, actor).key(index) != open_decision(twin, actor).key(index):
                break  # another choice: it may look otherwise
        steps = []
        for world in (true, twin):
            try:
                steps.append(decide(world, index, "", [viewer], actor))
            except orrery.RuleError:
                if world is true or mine:
                    raise
                return made  # what another was asked before the deal may not fit to the deal
        if actor == viewer and mine:
            assert steps[0].words == steps[1].words, f"own choice, {where}"
        if true.revealed or twin.revealed:
            break
        assert steps[0].choice == steps[1].choice, f"a choice as it is told, {where}"
        assert steps[0].news == steps[1].news, f"news, {where}"
        assert told_to(true, viewer) == told_to(twin, viewer), f"after {len(twin.choices())} more, {where}"
        made += 1
    return made
