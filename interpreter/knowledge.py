"""What a player may know: views, imagined deals, and the masked state that tables are drawn from.

An imagined deal depends only on what the player may see: hidden pieces are gathered, sorted and
dealt anew to the hidden places, so two games that look the same to a player give the same deals.
"""

from __future__ import annotations

from typing import Any

from .bind import STEPS
from .game import Game
from .openings import scramble
from .runtime import ALARM, BUSY, HOOKS, JOIN, MENU, MENU_BACK, PICK, PICK_BACK, PROCEED_BACK, RUN_HOOKS
from .runtime.lent import RING
from .slots import (
    ASK,
    CONT,
    EFFECTS,
    EVENT,
    FIXED,
    FLICKS,
    FUEL,
    NEWS,
    OPTIONS,
    OTHERS,
    PLAYER,
    PROCEED,
    RNG,
)

MASK = (1 << 64) - 1


def masked(game: Game, player: int | None) -> list[Any]:
    """A state that differs from the true one in nothing that the viewer may see."""
    state = game.S[:]
    state[FUEL] = STEPS
    if game.table.hides:
        deal(game, state, player, 0)
    return state


def imagine(game: Game, player: int, seed: int) -> Game:
    state = game.S[:]
    if game.table.hides:
        # Another player's open question stays a true one: what it offers is not dealt away.
        deal(game, state, player, seed, _offered(state) if state[PLAYER] != player else frozenset())
    state[RNG] = scramble(seed ^ 0x5DEECE66D)
    state[FIXED] = state[FLICKS] = ()
    if game.table.clocked:
        state[game.table.ns["LIVE"]] = None  # what one imagines does not take the time of the wall clock
    return type(game).begun(game.rules, seed, state)


def _offered(S: list[Any]) -> frozenset[int]:
    """Pieces among the options of the open decisions, numbers that may mean others included."""
    found: set[int] = set()
    for options in (S[OPTIONS], *(other[1] for other in S[OTHERS])):
        if not isinstance(options, range):
            found.update(o for o in options if type(o) is int)
            found.update(x for o in options if type(o) is tuple for x in o if type(x) is int)
    return frozenset(found)


def deal(
    game: Game, S: list[Any], player: int | None, seed: int, kept: frozenset[int] = frozenset()
) -> None:
    """Permutes what is hidden from the player, among places where it could be."""
    groups = hidden_groups(game, S, player)
    if kept:
        groups = {key: [p for p in places if p[2] not in kept] for key, places in groups.items()}
    _unturn(game, S, groups)
    swap: dict[int, int] = {}
    state = scramble(seed)
    for _, places in sorted(groups.items(), key=lambda g: repr(g[0])):
        pieces = sorted(x for _, _, x in places)
        for i in range(len(pieces) - 1, 0, -1):
            state = (state * 6364136223846793005 + 1442695040888963407) & MASK
            j = (state >> 32) * (i + 1) >> 32
            pieces[i], pieces[j] = pieces[j], pieces[i]
        for (_, _, old), new in zip(sorted(places), pieces, strict=True):
            swap[old] = new
    moved = {old: new for old, new in swap.items() if old != new}
    if moved:
        rename(game, S, moved)
        viewer = game.players if player is None else player
        S[NEWS] = tuple([_heard(item, viewer, moved) for item in S[NEWS]])


def _heard(item: Any, viewer: int, moved: dict[int, int]) -> Any:
    """What was shown to the viewer stays as it was, even if it is out of sight again."""
    if item[0] == "flick":  # discs lie in the open: whichever it is, it lies there
        rest, touched, struck, left = item[5]
        ride = (
            tuple([(moved.get(n, n), x, y) for n, x, y in rest]),
            tuple([moved.get(n, n) for n in touched]),
            moved.get(struck, struck),
            tuple([moved.get(n, n) for n in left]),
        )
        return (*item[:2], moved.get(item[2], item[2]), *item[3:5], ride)
    if item[0] != "show" or item[1] >> viewer & 1:
        return item
    return (item[0], item[1], tuple([moved.get(x, x) for x in item[2]]))


def _unturn(game: Game, S: list[Any], groups: dict[Any, list[tuple[int, int, int]]]) -> None:
    """Nobody knows how a tile lies that they do not see: it lies as at the start."""
    ways, start = game.table.way_at, game.table.start
    for (sort, *_), places in groups.items():
        for _, _, x in places:
            if sort == "back" and x in ways:
                S[ways[x]] = start[ways[x]]


def hidden_groups(game: Game, S: list[Any], player: int | None) -> dict[Any, list[tuple[int, int, int]]]:
    """Hidden pieces by what their backs (or upper faces) show: (zone, position, piece)."""
    table, ns = game.table, game.table.ns
    remembers, sees = ns["remembers"], ns["ZONE_SEES"]
    viewer = table.players if player is None else player
    groups: dict[Any, list[tuple[int, int, int]]] = {}
    for zone in table.zone_at:
        for at, x in enumerate(S[zone]):
            if table.rests(x):
                continue
            kind = table.image["kinds"][table.kind_of[x]]
            zone_seen, piece_known = bool(sees[zone] >> viewer & 1), bool(remembers(S, x, viewer))
            if kind["hidden_faces"]:
                if piece_known:
                    continue
                if zone_seen:
                    groups.setdefault(
                        ("face", table.kind_of[x], table.up_looks[S[ns["FACE"] + x]][x]), []
                    ).append((zone, at, x))
                    continue
            elif zone_seen or piece_known:
                continue
            root = table.ancestors[kind["name"]][-1]
            groups.setdefault(("back", root, table.owner_at[x]), []).append((zone, at, x))
    return groups


def rename(game: Game, S: list[Any], swap: dict[int, int]) -> None:
    """Puts each hidden piece where another was, wherever the state speaks of it."""
    table, ns = game.table, game.table.ns
    loc = ns["LOC"]
    where = {new: S[loc + old] for old, new in swap.items()}
    bits = [(new, [v for v in range(ns["VIEWERS"]) if ns["remembers"](S, old, v)]) for old, new in swap.items()]
    # A piece that shows a face keeps it; what lies hidden lies as the one before it lay.
    turned = any(k["faces"] for k in table.image["kinds"])
    faces = {new: S[ns["FACE"] + old] for old, new in swap.items() if new not in ns["FACED"]} if turned else {}
    turns = table.way_at
    ways = {new: S[turns[old]] for old, new in swap.items() if old in turns and new in turns}
    for zone in table.zone_at:
        if any(x in swap for x in S[zone]):
            S[zone] = tuple([swap.get(x, x) for x in S[zone]])
    for x, zone in where.items():
        S[loc + x] = zone
    if S[ns["REMEMBERED"]]:
        ns["forget"](S, where)
        for x, viewers in bits:
            for viewer in viewers:
                S[ns["REMEMBERED"]] |= 1 << x * ns["VIEWERS"] + viewer
    for x, face in faces.items():
        S[ns["FACE"] + x] = face
    for x, way in ways.items():
        S[turns[x]] = way
    if table.planar:
        spots = {new: S[ns["AT"] + old] for old, new in swap.items()}
        for x, spot in spots.items():
            S[ns["AT"] + x] = spot
    for slot, kind in table.slot_types.items():
        S[slot] = value(S[slot], kind, swap)
    S[EFFECTS] = tuple([_effect(table, e, swap) for e in S[EFFECTS]])
    names = _Frames(table, swap)
    S[EVENT] = names.event(S[CONT], S[EVENT])
    S[OPTIONS] = names.options(S[ASK], S[OPTIONS]) if S[PLAYER] is not None else S[OPTIONS]
    S[CONT] = names.frame(names.picking(S[CONT]))
    S[OTHERS] = tuple([(p, names.options(a, o), names.frame(c), a) for p, o, c, a in S[OTHERS]])
    if table.clocked:
        names.clock(S)
    if S[PROCEED] is not None:
        number, instead, extra = S[PROCEED]
        S[PROCEED] = (number, instead, tuple([swap.get(e, e) if i == 0 else e for i, e in enumerate(extra)]))


def value(held: Any, kind: Any, swap: dict[int, int]) -> Any:
    if kind is None or held is None:
        return held
    base, of, _ = kind
    if base == "list":
        return tuple([value(v, of, swap) for v in held]) if isinstance(held, tuple) else held
    if base == "path":
        start, end, struck, *lists = held
        return (start, end, swap.get(struck, struck), *[tuple([swap.get(x, x) for x in part]) for part in lists])
    return swap.get(held, held) if base == "piece" else held


def _effect(table: Any, effect: Any, swap: dict[int, int]) -> Any:
    info = table.ns["EFFECT_TABLE"][effect[1]]
    memory = tuple([value(v, f["type"], swap) for v, f in zip(effect[5], info["memory"], strict=True)])
    args = tuple([value(v, t, swap) for v, t in zip(effect[4], info["args"], strict=True)])
    return (effect[0], effect[1], effect[2], swap.get(effect[3], effect[3]), args, memory, *effect[6:])


class _Frames:
    """Half-done effects speak of pieces too."""

    def __init__(self, table: Any, swap: dict[int, int]) -> None:
        self.table, self.swap = table, swap
        self.types, self.asks = table.image["types"], table.image["asks"]

    def options(self, ask: int, options: Any) -> Any:
        if ask is None or isinstance(options, range):
            return options
        if ask < 0:
            return tuple(
                [o if not isinstance(o, tuple) else (o[0], self.swap.get(o[1], o[1]), o[2]) for o in options]
            )
        info = self.asks[ask]
        if info["sort"] in ("may", "one"):
            return options
        return tuple([value(o, self.types[info["type"]], self.swap) for o in options])

    def frame(self, F: Any) -> Any:
        if F is None:
            return None
        block, parent, *rest = F
        parent = self.frame(parent)
        if block >= 12:
            kinds = self.table.image["blocks"][block]
            return (block, parent, *[value(v, k, self.swap) for v, k in zip(rest, kinds, strict=True)])
        if block in (PICK, PICK_BACK):
            kind = self.types[self.asks[rest[1]]["type"]]
            items, chosen = (tuple([value(v, kind, self.swap) for v in part]) for part in rest[4:6])
            return (block, parent, *rest[:4], items, chosen)
        if block == BUSY:
            return (block, parent, *rest[:-1], self.options(-1, rest[-1:])[0])
        if block == ALARM:
            return (block, parent, self.swap.get(rest[0], rest[0]), *rest[1:])
        if block in (HOOKS, RUN_HOOKS, JOIN, MENU, MENU_BACK, PROCEED_BACK):
            return (block, parent, *rest)
        return (block, parent, *rest)

    def picking(self, F: Any) -> Any:
        """Half a set that was dealt anew: which pieces look alike has changed, so that the runtime asks for the rest."""
        if F is None or F[0] not in self.table.image["picks"]:
            return F
        block, number, kept, *parts = self.table.image["picks"][F[0]]
        player, low, high, items, taken = (F[at + 2] if named else at for named, at in parts)
        left = self.table.ns["left_after"](items, taken)
        if all(x not in self.swap for x in left):
            return F
        return (PICK_BACK, (block, F[1], *F[2 : kept + 2]), player, number, low, high, left, taken)

    def clock(self, S: list[Any]) -> None:
        """Timers that run, and the half-done deeds of those who are busy or wait."""
        ns = self.table.ns
        alarms, parked, trails = ns["ALARMS"], ns["PARKED"], ns["TRAILS"]
        S[trails] = tuple([self.trail(trail) for trail in S[trails]])
        asked = {ns["thread_of"](who, ask, F): F for who, _, F, ask in S[OTHERS]}
        if S[PLAYER] is not None:
            asked[ns["thread_of"](S[PLAYER], S[ASK], S[CONT])] = S[CONT]
        S[ns["CONTEXT"]] = tuple(
            [(thread, self.event(asked.get(thread), event), on) for thread, event, on in S[ns["CONTEXT"]]]
        )
        S[parked] = tuple(
            [(w[0], self.frame(w[1]), w[2], w[3] and self.options(-1, w[3]), w[4]) for w in S[parked]]
        )
        S[alarms] = tuple(
            [(*a[:3], self.swap.get(a[3], a[3]), a[4]) if a[2] == RING else a for a in S[alarms]]
        )

    def trail(self, trail: Any) -> Any:
        if trail is None:
            return None
        answers = [(ask, self.options(ask, (answer,))[0]) for ask, answer in trail[1]]
        return (self.options(-1, (trail[0],))[0], tuple(answers))

    def event(self, F: Any, event: Any) -> Any:
        """The current event belongs to the innermost hooked call."""
        while F is not None:
            if F[0] == HOOKS:
                params = self.table.ns["ROUTINES"][F[2]]["params"]
                kinds = [None, *[t for n, t in params if n != "you"]]
                return tuple(
                    [value(v, kinds[i] if i < len(kinds) else None, self.swap) for i, v in enumerate(event)]
                )
            F = F[1]
        return event


# ---- views ----


def view(game: Game, player: int | None) -> dict[str, Any]:
    table, ns, S = game.table, game.table.ns, masked(game, player)
    image, speaker = table.image, table.speaker
    made: dict[str, Any] = {
        "ruleset": image["name"],
        "seat": player,
        "players": table.players,
        "over": game.over,
        "resources": {},
        "fields": {},
        "zones": [],
    }
    if table.clocked:
        made["now"] = game.now
        made["busy"] = {str(seat): until for seat, until in game.busy.items()}
    decision = game.decision
    if decision is not None:
        asked: dict[str, Any] = {"player": decision.player}
        if decision.player == player:
            asked["prompt"] = decision.prompt
            asked["options"] = (
                {"from": decision._values[0], "to": decision._values[-1]}
                if decision.amount
                else [{"key": o.key, "label": o.label} for o in decision.options]
            )
        made["decision"] = asked
    for name, resource in image["resources"].items():
        base = ns[f"R_{name}"]
        made["resources"][name] = (
            S[base] if resource["of"] == "game" else [S[base + p] for p in range(table.players)]
        )
    for item in image["game"]:
        made["fields"][item["name"]] = plain(speaker, S, S[ns[item["slot"]]], item["type"], player)
    for field in image["fields"]:
        if field["owner"] == "player" and field["width"] == 1:
            made["fields"][field["name"]] = [
                plain(speaker, S, S[ns[field["slot"]] + p], field["type"], player) for p in range(table.players)
            ]
    for zone, (name, owner) in sorted(table.zone_at.items()):
        if name == "box" and not S[zone]:
            continue
        entry: dict[str, Any] = {"zone": name, "count": len(S[zone])}
        if owner is not None:
            entry["of"] = owner if ns["ZONE_PLAYER"][zone] is not None else speaker.id(owner)
            if ns["ZONE_PLAYER"][zone] is None and table.owner_at[owner] is not None:
                entry["player"] = table.owner_at[owner]
        if all(not speaker.hidden(S, x, player) for x in S[zone]):
            entry["pieces"] = [_piece(game, S, x, player) for x in S[zone]]
        elif any(not speaker.hidden(S, x, player) for x in S[zone]):
            entry["known"] = [_piece(game, S, x, player) for x in S[zone] if not speaker.hidden(S, x, player)]
        made["zones"].append(entry)
    return made


def _piece(game: Game, S: list[Any], x: int, player: int | None) -> dict[str, Any]:
    table, ns = game.table, game.table.ns
    kind = table.image["kinds"][table.kind_of[x]]
    faced = bool(kind["hidden_faces"])
    entry: dict[str, Any] = {"kind": kind["name"]}
    if table.design_of[x] is not None and not faced:
        entry["name"] = table.speaker.id(x)
    fields = {}
    for ancestor in table.ancestors[kind["name"]]:
        for (owner, name), field in table.field_info.items():
            if owner != ancestor or field["width"] > 1:
                continue
            if field["changed"]:
                held = table.held(S, field, x)
            elif field["faced"]:
                held = ns[field["slot"]][S[ns["FACE"] + x]][x]
            else:
                held = ns[field["slot"]][x]
            fields[name] = plain(table.speaker, S, held, field["type"], player)
    if fields:
        entry["fields"] = fields
    if table.planar and S[ns["AT"] + x] is not None:
        entry["spot"] = list(S[ns["AT"] + x])
    return entry


def plain(speaker: Any, S: Any, held: Any, kind: Any, player: int | None) -> Any:
    """A value as JSON-able data: names instead of numbers."""
    base, of, _ = kind
    if held is None or base in ("number", "truth", "text", "player"):
        return held
    if base == "symbol":
        return speaker.image["symbols"][of][held]
    if base == "piece":
        if speaker.hidden(S, held, player):
            own = speaker.image["kinds"][speaker.table.kind_of[held]]["name"]
            return speaker.table.ancestors[own][-1]
        return speaker.id(held)
    if base == "list":
        return [plain(speaker, S, v, of, player) for v in held]
    if base == "spot":
        return list(held)
    return speaker.words(S, held, kind)
