"""What lies on a table: pieces and their fields, zones and who sees them, planes; a slot of the state for each.

Takes an image, a number of players and options; gives slots, printed values and start values. The rules that use
them are laid out by `bind`.
"""

from __future__ import annotations

from math import isqrt
from typing import Any

from . import geometry
from .canvas import draw
from .slots import FIRST_FREE, start_of


class Layout:
    """The pieces of a ruleset at a table: `ns` are the globals of its code, `start` the state before set-up."""

    modules: set[str | None]  # those that are in the game
    hides: bool  # whether anything can be hidden from anybody

    def __init__(self, image: dict[str, Any], players: int, options: dict[str, Any]) -> None:
        self.image, self.players, self.options = image, players, options
        self.ns: dict[str, Any] = {}
        self.slots = FIRST_FREE
        self.start: list[Any] = [None] * FIRST_FREE
        self.slot_types: dict[int, Any] = {}

    # ---- small tools ----

    def slot(self, count: int = 1, start: Any = None, kind: Any = None) -> int:
        first = self.slots
        self.slots += count
        self.start.extend([start] * count)
        if kind is not None:
            for i in range(first, first + count):
                self.slot_types[i] = kind
        return first

    def option(self, name: str) -> Any:
        info, value = (
            self.image["options"][name],
            self.options.get(name, self.image["options"][name]["start"]),
        )
        if info["sort"] == "choice":
            return info["choices"].index(value)
        if info["sort"] == "choices":  # rules know components by their numbers
            designs = list(self.image["components"])
            return tuple(designs.index(name) for name in value)
        return value

    def resolve(self, value: Any) -> Any:
        """Names of components and kinds in printed values become numbers."""
        if isinstance(value, tuple):
            if len(value) == 2 and value[0] in ("piece", "kind", "design") and isinstance(value[1], str):
                return self.ns[{"piece": "C_", "kind": "K_", "design": "D_"}[value[0]] + value[1]]
            return tuple(self.resolve(v) for v in value)
        return value

    # ---- pieces ----

    def pieces(self) -> None:
        ns, image = self.ns, self.image
        kinds, designs = image["kinds"], list(image["components"])
        self.kind_index = {k["name"]: i for i, k in enumerate(kinds)}
        self.design_index = {d: i for i, d in enumerate(designs)}
        self.designs = designs
        self.kind_of: list[int] = []
        self.design_of: list[Any] = []
        self.owner_at: list[Any] = []
        self.start_zone: list[str | None] = []
        low: dict[str, int] = {}
        high: dict[str, int] = {}
        ancestors: dict[str, list[str]] = {}
        for index, kind in enumerate(kinds):
            name = kind["name"]
            ancestors[name] = [name, *(ancestors[kind["parent"]] if kind["parent"] else [])]
            low[name] = len(self.kind_of)
            if kind["module"] not in self.modules or (kind["abstract"] and not kind["components"]):
                high[name] = low[name]
                for a in ancestors[name]:
                    high[a] = len(self.kind_of)
                continue

            def add(owner: Any, design: Any, starts: Any, index: int = index) -> None:
                self.kind_of.append(index)
                self.design_of.append(design)
                self.owner_at.append(owner)
                self.start_zone.append(starts)

            count, each = kind["count"], kind["per_player"]
            board = image["boards"].get(kind["board"]) if kind["board"] else None
            if board and board["sort"] == "grid" and board["of"] == name:
                size = board["columns"] * board["rows"]
                count, each = (0, size) if board["per_player"] else (size, 0)
            for component in kind["components"]:
                info = image["components"][component]
                if info["module"] not in self.modules:
                    continue
                owners = range(self.players) if info["per_player"] else (None,)
                for owner in owners:
                    for _ in range(info["copies"]):
                        add(owner, self.design_index[component], info["starts"] or kind["starts"])
            if not kind["components"]:
                for _ in range(count):
                    add(None, None, kind["starts"])
                for owner in range(self.players):
                    for _ in range(each):
                        add(owner, None, kind["starts"])
            for a in ancestors[name]:
                high[a] = len(self.kind_of)
        self.low, self.high, self.ancestors = low, high, ancestors
        self.count = len(self.kind_of)
        ns["KIND"], ns["DESIGN"] = self.kind_of, self.design_of
        ns["PIECES"] = [tuple(range(low[k["name"]], high[k["name"]])) for k in kinds]
        ns["PIECESET"] = [range(low[k["name"]], high[k["name"]]) for k in kinds]
        for index, kind in enumerate(kinds):
            name = kind["name"]
            ns[f"LO_{name}"], ns[f"HI_{name}"] = low[name], high[name]
            ns[f"P_{name}"], ns[f"K_{name}"] = ns["PIECES"][index], index
            own: list[Any] = [None] * self.players
            for x in ns["PIECES"][index]:
                if self.owner_at[x] is not None and own[self.owner_at[x]] is None:
                    own[self.owner_at[x]] = x
            ns[f"OWN_{name}"] = own
        for name in image["told_apart"]:
            ns[f"IS_{name}"] = [low[name] <= x < high[name] for x in range(self.count)]
        firsts: dict[Any, int] = {}
        for x, number in enumerate(self.design_of):
            firsts.setdefault(number, x)
        for design, number in self.design_index.items():
            ns[f"D_{design}"] = number
            ns[f"C_{design}"] = firsts.get(number)

    def hidden(self) -> bool:
        zones = any(z["seen_by"] != "all" for z in self.image["zones"].values())
        return zones or any(k["hidden_faces"] for k in self.image["kinds"])

    def fields(self) -> None:
        ns, image = self.ns, self.image
        for item in image["game"]:
            ns[item["slot"]] = self.slot(item["width"], start_of(item["type"]), item["type"])
        for name, resource in image["resources"].items():
            ns[f"R_{name}"] = self.slot(1 if resource["of"] == "game" else self.players, resource["start"])
        first, last = self.moving()
        ns["FIRST_MOVING"], ns["LAST_MOVING"] = first, last
        ns["LOC"] = self.slot(last - first, 0) - first
        if any(k["faces"] for k in image["kinds"]):
            ns["FACE"] = self.slot(last - first, 0) - first
        if self.hides:
            ns["REMEMBERED"] = self.slot(1, 0)
            ns["BITS"] = [self.everyone << x * ns["VIEWERS"] for x in range(last)]
        ns["HIDES"] = self.hides
        ns["FLIPPED"] = self.everyone
        owners: dict[int, Any] = {}
        self.field_info: dict[tuple[str, str], dict[str, Any]] = {}
        self.marks: dict[str, list[Any]] = {}  # fields that are known by bits alone, with what they are at the start
        self.way_at: dict[int, int] = {}  # where it stands to which side a tile is turned
        for field in image["fields"]:
            name, owner, width = field["slot"], field["owner"], field["width"]
            self.field_info[(owner, field["name"])] = field
            if owner == "player":
                ns[name] = self.slot(self.players * width, start_of(field["type"]), field["type"])
                ns[name + "_w"] = width
                continue
            low, high = self.low[owner], self.high[owner]
            values = [self.printed(field, x) for x in range(low, high)]
            if field["name"] == "owner" and not field["faced"]:
                owners[low] = (field, low, high)
            if name in image["tracked"]["bits"]:
                self.marks[name] = values
            elif field["changed"] or width > 1:
                base = self.slot((high - low) * width, start_of(field["type"]), field["type"])
                ns[name] = base - low * width
                ns[name + "_w"] = width
                if field["name"] == "way" and image["kinds"][self.kind_index[owner]]["sides"]:
                    self.way_at.update({x: ns[name] + x for x in range(low, high)})
                for x in range(low, high):
                    value = values[x - low]
                    if value is not None:
                        self.start[base + (x - low) * width] = value
            elif field["faced"]:
                faces = self.image["kinds"][self.kind_index[owner]]["faces"]
                ns[name] = tuple(
                    [None] * low + [self.printed(field, x, face) for x in range(low, high)] for face in faces
                )
            else:
                ns[name] = [None] * low + values
        self.owner_fields = [f for f, _, _ in owners.values()]

        def owner_of(S: Any, x: int) -> Any:
            for field, low, high in owners.values():
                if low <= x < high:
                    return S[ns[field["slot"]] + x] if field["changed"] else ns[field["slot"]][x]
            return None

        ns["OWNER_OF"], ns["OWNED"] = owner_of, bool(owners)

    def moving(self) -> tuple[int, int]:
        """The run of pieces that holds all that can ever move."""
        still = {self.kind_index[name] for name in self.image["resting"]}
        found = [x for x, kind in enumerate(self.kind_of) if kind not in still]
        return (found[0], found[-1] + 1) if found else (0, 0)

    def rests(self, x: int) -> bool:
        """Whether a piece lies in the box for ever, in the open, and the state does not say so."""
        return not self.ns["FIRST_MOVING"] <= x < self.ns["LAST_MOVING"]

    def where(self, S: Any, x: int) -> int:
        """The zone in which a piece lies."""
        return self.ns["BOX"] if self.rests(x) else S[self.ns["LOC"] + x]  # type: ignore[no-any-return]

    def held(self, S: Any, field: dict[str, Any], x: int) -> Any:
        """The value of a changing field of a piece."""
        ns, name = self.ns, field["slot"]
        if name in self.marks:
            return ns["bearer"](S, ns[self.image["tracked"]["bits"][name]], ns[f"ON_{field['owner']}"][x])
        return S[ns[name] + x]

    def indexes(self) -> None:
        """Fields of several kinds in one list; pieces of a kind by what is printed on them, in their order."""
        for name, fields in self.image["together"]:
            joined: list[Any] = [None] * self.count
            for field, kind in reversed(fields):
                for x in range(self.low[kind], self.high[kind]):
                    joined[x] = self.ns[field][x]
            self.ns[name] = joined
        for name, kind, field in self.image["indexes"]:
            found: dict[Any, tuple[int, ...]] = {}
            for x in self.ns[f"P_{kind}"]:
                value = self.ns[field][x]
                found[value] = (*found.get(value, ()), x)
            self.ns[name] = found

    def printed(self, field: dict[str, Any], x: int, face: str | None = None) -> Any:
        kind = self.image["kinds"][self.kind_of[x]]
        if field["name"] == "owner" and self.owner_at[x] is not None:
            return self.owner_at[x]
        board = self.image["boards"].get(kind["board"]) if kind["board"] else None
        if board and board["sort"] == "grid" and field["name"] in ("column", "row"):
            return geometry.spot(board, x - self.low[board["of"]])[field["name"] == "row"]
        if self.design_of[x] is not None:
            info = self.image["components"][self.designs[self.design_of[x]]]
            if (face, field["name"]) in info["printed"]:
                return self.resolve(info["printed"][(face, field["name"])])
        if kind["sides"] and field["name"] == "sides":
            return (0, 0, 0, 0)
        return start_of(field["type"]) if field["width"] == 1 else None

    def zones(self) -> None:
        ns, image = self.ns, self.image
        everyone = self.everyone
        sees: dict[int, int] = {}
        owner: dict[int, Any] = {}
        player: dict[int, Any] = {}
        play: set[int] = set()
        limit: dict[int, Any] = {}
        title: dict[int, str] = {}
        self.zone_at: dict[int, tuple[str, Any]] = {}
        ns["BOX"] = box = self.slot(1, ())
        sees[box], owner[box], player[box], title[box] = everyone, None, None, "box"
        self.zone_at[box] = ("box", None)
        holder: dict[str, dict[int, Any]] = {k["name"]: {} for k in image["kinds"]}
        holder["player"] = {}
        spans: dict[str, tuple[int, Any]] = {}
        for name, zone in image["zones"].items():
            if not zone["of"]:
                owners: Any = [None]
                base = self.slot(1, ())
                offset = 0
            elif zone["of"] == ["player"]:
                owners, offset = list(range(self.players)), 0
                base = self.slot(self.players, ())
            else:
                lows = [self.low[k] for k in zone["of"]]
                highs = [self.high[k] for k in zone["of"]]
                owners = list(range(min(lows), max(highs)))
                offset = min(lows)
                base = self.slot(len(owners), ())
            ns[f"Z_{name}"] = base - offset
            spans[name] = (base - offset, owners)
            for at, who in enumerate(owners):
                z = base + at
                self.zone_at[z] = (name, who)
                owner[z], title[z] = who, zone["title"]
                player[z] = who if zone["of"] == ["player"] else None
                sees[z] = (
                    everyone
                    if zone["seen_by"] == "all"
                    else self.public(1 << who)
                    if zone["seen_by"] == "owner" and zone["of"] == ["player"]
                    else 0
                )
                if zone["in_play"]:
                    play.add(z)
                if zone["limit"]:
                    limit[z] = ns[f"limit_{name}"]
                if zone["of"] and zone["of"] != ["player"]:
                    for a in self.ancestors[image["kinds"][self.kind_of[who]]["name"]]:
                        holder[a][z] = who
                elif zone["of"] == ["player"]:
                    holder["player"][z] = who
        refill: dict[int, int] = {}
        for name, zone in image["zones"].items():
            if zone["refill"]:
                base, owners = spans[name]
                other, others = spans[zone["refill"]]
                for who in owners:
                    refill[base + (who or 0)] = other + (who or 0) if len(others) == len(owners) else other
        top = max(self.zone_at) + 1
        for kind, found in holder.items():
            ns[f"HOLDER_{kind}"] = [found.get(z) for z in range(top)]
        ns.update(
            ZONE_SEES=[sees.get(z, 0) for z in range(top)],
            ZONE_OWNER=owner,
            ZONE_PLAYER=player,
            ZONE_PLAY=frozenset(play),
            ZONE_REFILL=refill,
            ZONE_LIMIT=limit,
            ZONE_TITLE=title,
        )
        for x in range(self.count):
            zone_slot = box
            starts = self.start_zone[x]
            if starts and starts in image["zones"]:
                zone = image["zones"][starts]
                who = self.owner_at[x] if zone["of"] == ["player"] else None
                if not zone["of"] or who is not None:
                    zone_slot = ns[f"Z_{starts}"] + (who or 0)
            self.start[zone_slot] = (*self.start[zone_slot], x)
            if self.rests(x):
                continue
            self.start[ns["LOC"] + x] = zone_slot

    @property
    def everyone(self) -> int:
        """A bit for every player, and one above them for whoever looks on."""
        return (1 << self.players + 1) - 1

    def public(self, seats: int) -> int:
        """What all players are shown, whoever looks on is shown too."""
        return self.everyone if seats == self.everyone >> 1 else seats

    def planes(self) -> None:
        """Discs, and where each of them lies; nothing at all where there is no plane."""
        ns, image = self.ns, self.image
        radii = [image["kinds"][kind]["disc"] or None for kind in self.kind_of]
        made: dict[int, Any] = {}
        home: dict[int, int] = {}
        for name, plane in image["planes"].items():
            zone = ns[f"Z_{name}"]
            made[zone] = info = dict(plane)
            info["flat"] = self.among(plane["flat"])
            info["fixed"] = self.among(plane["fixed"]) | info["flat"]
            if plane["contact"] is not None:
                info["contact"] = _late(ns, plane["contact"])
            for x in sorted(self.among(plane["holds"])):
                home.setdefault(x, zone)
        ns.update(PLANES=made, RADIUS=radii, RIMS={}, HOME=home, SLIDE=self.slide, ROOT=isqrt, CANVAS=draw)
        ns["AT"] = self.slot(self.count, None) if made else 0
        ns["ZONE_ROOMY"] = frozenset(() if made else self.zone_at) - set(ns["ZONE_LIMIT"])
        self.planar = bool(made)

    def among(self, kinds: list[str]) -> frozenset[int]:
        return frozenset(x for kind in kinds for x in range(self.low[kind], self.high[kind]))

    def slide(self, S: Any, zone: int, flicked: int, angle: int, power: int) -> Any:
        """Simulates a flick. The only way to the simulator: what is logged never comes here."""
        from . import sliding

        ns, plane = self.ns, self.ns["PLANES"][zone]
        at, radii, halts_at = ns["AT"], ns["RADIUS"], ns["halts_at"]
        discs = [
            sliding.Disc(x, S[at + x][0], S[at + x][1], radii[x], x in plane["fixed"])
            for x in S[zone]
            if S[at + x] is not None and x not in plane["flat"]
        ]
        ride = sliding.slide(
            plane["width"],
            plane["height"],
            discs,
            flicked,
            angle,
            plane["reach"] * power / 100,
            plane["bounce"] / 100,
            lambda other: halts_at(S, plane, flicked, other),
        )
        return tuple(ride)


def _late(ns: dict[str, Any], py: str) -> Any:
    """A function of the rules, looked up when it is called: it may be taken away for a trace."""
    return lambda S, *args: ns[py](S, *args)
