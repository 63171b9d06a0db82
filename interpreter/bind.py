"""Lay a compiled ruleset out for a number of players and a set of options.

Takes an image, gives a `Table`: the compiled functions with their layout as globals, and the state
that every game of this table starts from. One table serves any number of games.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import isqrt
from types import CodeType, FunctionType
from typing import Any

from . import fitting, geometry, masks, runtime, slots
from .canvas import draw
from .openings import Openings
from .slots import CLOCK, EFFECTS, FIRST_FREE, FUEL, GROUPS, NEWS, OTHERS, RNG, start_of

STEPS = 200_000  # from one decision to the next
OPS = ("becomes", "plus", "times", "at_least", "at_most", "allow", "forbid")
MOMENTS = {"before": 0, "instead of": 1, "instead": 1, "after": 2}

RUNTIME = {
    name: value
    for module in runtime.MODULES
    for name, value in vars(module).items()
    if isinstance(value, FunctionType) and value.__module__ == module.__name__
}
LENT = {
    name: value
    for module in (slots, runtime.lent)
    for name, value in vars(module).items()
    if name.isupper() or (isinstance(value, type) and issubclass(value, Exception))
}


@cache
def reaching(slot: str) -> frozenset[str]:
    """The functions of the runtime that may come to a slot, themselves or through others; and its name."""
    found = {slot}
    while True:
        more = {name for name, made in RUNTIME.items() if not found.isdisjoint(made.__code__.co_names)}
        if more <= found:
            return frozenset(found)
        found |= more


BLOCKS = (
    "b_end",
    "b_menu",
    "b_menu_back",
    "b_pick",
    "b_pick_back",
    "b_hooks",
    "b_run_hooks",
    "b_join",
    "b_leave",
    "b_busy",
    "b_proceed_back",
    "b_alarm",
)
# What a game with a clock does in its own way.
TIMED_BLOCKS = {"b_menu": "b_menu_timed", "b_menu_back": "b_menu_back_timed"}
TIMED = ("drive", "unwind", "open_menu", "ask", "ask_may", "ask_if", "pick_one")


class Table:
    """A ruleset at a table: `ns` are the globals of its code, `start` the state before set-up."""

    def __init__(
        self,
        image: dict[str, Any],
        code: CodeType,
        players: int,
        options: dict[str, Any],
        knocked: Any = None,
    ) -> None:
        self.image, self.players, self.options = image, players, options
        self.ns: dict[str, Any] = {"__builtins__": _builtins()}
        self.knocked = knocked
        self.sort: Any = None  # what its games are: of those with a clock, or of those without
        self.begin: Any = None  # makes a game of rules and a seed; set with `sort`
        self.speaker: Any = None  # names things at this table; set by whoever lays it out
        self.slots = FIRST_FREE
        self.start: list[Any] = [None] * FIRST_FREE
        self.slot_types: dict[int, Any] = {}
        for name, function in RUNTIME.items():
            # Code of its own, because Python fits code to the globals that it meets.
            self.ns[name] = FunctionType(function.__code__.replace(), self.ns, name, function.__defaults__)
        for name, value in LENT.items():
            self.ns.setdefault(name, value)
        self.clocked: bool = image["clocked"]
        if self.clocked:
            for name in TIMED:
                self.ns[name] = self.ns[f"{name}_timed"]
        exec(code, self.ns)
        functions = [made for made in code.co_consts if type(made) is CodeType]
        self.openings = Openings(any(not reaching("RNG").isdisjoint(made.co_names) for made in functions))
        self.lay_out()
        if knocked is None:  # what is knocked out has other numbers than the layout says
            fitting.fit(self.ns, image["source"], image["name"])

    def lay_out(self) -> None:
        ns, image = self.ns, self.image
        ns["NP"], ns["PLAYERS"] = self.players, tuple(range(self.players))
        ns["ALONE"] = image["alone"]
        ns["RIVALS"] = [tuple(p for p in ns["PLAYERS"] if p != you) for you in ns["PLAYERS"]]
        ns["FIRST_BUT"] = {you: next((p for p in ns["PLAYERS"] if p != you), None) for you in (None, *ns["PLAYERS"])}
        for name in image["options"]:
            ns[f"O_{name}"] = self.option(name)
        self.modules = {None} | {
            name for name, tested in image["modules"].items() if not tested or ns[f"module_{name}"](None)
        }
        self.pieces()
        self.hides = self.hidden()
        self.fields()
        masks.lay_out(self, image["tracked"])
        self.indexes()
        self.zones()
        self.planes()
        self.spans()
        self.routines()
        self.effects_and_rules()
        self.menus()
        self.clock()
        self.boards()
        masks.lay_lines(self, image["tracked"])
        self.tables()
        self.twins()
        ns["LOOK"] = self.slot()
        self.header()
        self.runnable()
        self.beginnings()
        self.knock_out()
        self.begin_standing()

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
            ns["KNOWN"] = self.slot(last - first, 0) - first
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
            if self.hides and not image["kinds"][self.kind_of[x]]["hidden_faces"]:
                self.start[ns["KNOWN"] + x] = sees[zone_slot]

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

    def spans(self) -> None:
        ns = self.ns
        made: list[dict[str, Any]] = []
        lasts = {effect["lasts"] for effect in self.image["effects"]}
        for span in self.image["spans"]:
            slots, starts = [], []
            for field in span["fields"]:
                ns[field["slot"]] = at = self.slot(1, start_of(field["type"]), field["type"])
                slots.append(at)
                starts.append((at, start_of(field["type"])))
            ns[span["inside"]] = inside = self.slot(1, 0) if span["counted"] else None
            hook_slot = self.slot(1, ((), (), ())) if span["hooked"] else None
            ns[span["hook_slot"]] = hook_slot
            ns[span["lasting"]] = lasting = self.slot(1, 0) if ("span", len(made)) in lasts else None
            made.append(
                {
                    "name": span["name"],
                    "slots": slots,
                    "starts": starts,
                    "inside": inside,
                    "hook_slot": hook_slot,
                    "lasting": lasting,
                    "params": [ns[p] for p in span["params"]],
                }
            )
        ns["SPANS"] = made

    def routines(self) -> None:
        ns, image = self.ns, self.image
        lasting = {e["lasts"][1] for e in image["effects"] if e["lasts"] and e["lasts"][0] == "routine"}
        routines, functions, bases, heads = [], [], [], []
        hook_slots: dict[int, int] = {}
        change_slots: dict[int, int] = {}
        for number, routine in enumerate(image["routines"]):
            made = dict(routine)
            made["lasting"] = number in lasting
            routines.append(made)
            function = ns.get(routine["py"])
            functions.append(function)
            bases.append(ns.get(f"base_{routine['py']}", function))
            heads.append(ns.get(f"head_{routine['py']}"))
            if routine["hooked"]:
                hook_slots[number] = ns[routine["slot"]] = self.slot(1, ((), (), ()))
            if routine["change_slot"]:
                change_slots[number] = ns[routine["change_slot"]] = self.slot(1, ())
        ns.update(
            ROUTINES=routines,
            FUNCTIONS=functions,
            BASES=bases,
            HEADS=heads,
            HOOK_SLOT=hook_slots,
            CHANGE_SLOT=change_slots,
            ASKS=image["asks"],
            AUTO=[a["auto"] for a in image["asks"]],
            SET_AUTO=[bool(a.get("auto_set")) for a in image["asks"]],
            SET_PIECES=[bool(a.get("pieces")) for a in image["asks"]],
        )
        blocks: list[Any] = [ns[TIMED_BLOCKS.get(name, name) if self.clocked else name] for name in BLOCKS]
        last = max([*image["blocks"], len(blocks) - 1])
        blocks += [None] * (last + 1 - len(blocks))
        for number in image["blocks"]:
            blocks[number] = ns[f"b{number}"]
        for number, block in enumerate(blocks):
            if block is not None:
                block.span = image["block_spans"].get(number)
        ns["BLOCKS"] = self.blocks = blocks
        does: dict[tuple[str, int], int] = {}
        for design, info in image["components"].items():
            for slot, number in info["does"].items():
                does[(slot, self.design_index[design])] = number
        ns["DOES"] = does

    def effects_and_rules(self) -> None:
        ns, image = self.ns, self.image
        table: list[Any] = [None] * (max([e["number"] for e in image["effects"]], default=-1) + 1)
        effect_of: dict[int, int] = {}
        times: dict[int, Any] = {}
        for effect in image["effects"]:
            made = dict(effect)
            made["seconds"] = effect["lasts"][1] if effect["lasts"] and effect["lasts"][0] == "seconds" else None
            made["memory_start"] = tuple(start_of(f["type"]) for f in effect["memory"])
            table[effect["number"]] = made
            if effect["component"] is not None:
                effect_of[self.design_index[effect["component"]]] = effect["number"]
            if effect["times"]:
                times[effect["number"]] = ns[f"times{effect['number']}"]
        rules = []
        tests: dict[int, Any] = {}
        for rule in image["rules"]:
            made = dict(rule)
            made["moment"] = MOMENTS.get(rule["op"], 2)
            if rule["sort"] == "hook":
                if rule["span"] is not None:
                    made["slots"] = [ns[f"HK_span_{rule['span']}"]]
                else:
                    made["slots"] = [ns["HOOK_SLOT"][t] for t in rule["targets"] if t in ns["HOOK_SLOT"]]
            rules.append(made)
            if rule["tested"]:
                tests[rule["number"]] = ns[f"test{rule['number']}"]
        ns.update(
            EFFECT_TABLE=table,
            LASTS=[made["lasts"] if made is not None else None for made in table],
            LASTING=[self.lasting(made["lasts"]) if made is not None else None for made in table],
            EFFECT_OF=effect_of,
            TIMES=times,
            RULES=rules,
            TESTS=tests,
            CHANGES=[ns.get(f"change{number}") for number in range(max([r["number"] for r in rules], default=-1) + 1)],
            OP_ORDER={op: i for i, op in enumerate(OPS)},
        )

    def lasting(self, lasts: Any) -> int | None:
        return self.ns["SPANS"][lasts[1]]["lasting"] if lasts and lasts[0] == "span" else None

    def menus(self) -> None:
        ns = self.ns
        made, slots = [], {}
        for menu in self.image["menus"]:
            info = dict(menu)
            info["slot"] = self.slot(1, ()) if menu["offers"] else None
            slots[menu["number"]] = info["slot"]
            info["offered"] = ns.get(f"menu_of{menu['number']}")
            info["stop_text"] = ns.get(f"menu_stop{menu['number']}")
            info["prompt_text"] = ns.get(f"menu_prompt{menu['number']}")
            made.append(info)
        ns["MENUS"], ns["OFFER_SLOT"] = made, slots

    def clock(self) -> None:
        """Slots of a game with time in it; others have none of them."""
        ns, image = self.ns, self.image
        if not self.clocked:
            return
        self.start[CLOCK] = 0
        # Slots from the parked to the events change with the question, and are no part of the position.
        ns["ALARMS"], ns["PARKED"] = self.slot(1, ()), self.slot(1, ())
        ns["FREE"], ns["TRAILS"] = self.slot(1, (0,) * self.players), self.slot(1, (None,) * self.players)
        ns["CONTEXT"] = self.slot(1, ())
        ns["AGAIN"], ns["LIVE"] = self.slot(1, False), self.slot(1, None)
        timers: dict[int, Any] = {}
        for x in range(self.count):
            kind = image["kinds"][self.kind_of[x]]
            if kind["timer"]:
                line = self.ancestors[kind["name"]]
                parts = ("state", "target", "ends_at", "started_by")
                timers[x] = tuple(
                    next(ns[self.field_info[k, name]["slot"]] for k in line if (k, name) in self.field_info) + x
                    for name in parts
                )
        takes = {n: ns[f"takes_{r['py']}"] for n, r in enumerate(image["routines"]) if r["takes"]}
        ns.update(TIMERS=timers, TAKES=takes, RAN_OUT=image["ran_out"], STEPS=STEPS)

    # ---- boards and tables ----

    def boards(self) -> None:
        ns = self.ns
        near: dict[int, dict[int, None]] = {}
        rings: dict[int, Any] = {}
        grids: dict[int, Any] = {}
        edges: dict[tuple[int, int], int] = {}

        def link(a: int, b: int) -> None:
            near.setdefault(a, {})[b] = None
            near.setdefault(b, {})[a] = None

        ns.update(STEP=[None] * self.count, HEADING={}, DRAWN=[None] * self.count)
        for name, board in self.image["boards"].items():
            places = list(range(self.low[board["of"]], self.high[board["of"]]))
            for x in places:
                near.setdefault(x, {})
            if board["sort"] == "grid":
                for cells in self.grids(name, board, places):
                    for at, x in cells.items():
                        grids[x] = (board["columns"], board["rows"], at, cells, board)
                        for dc, dr in ((1, 0), (0, 1)):
                            other = cells.get((at[0] + dc, at[1] + dr))
                            if other is not None:
                                link(x, other)
            groups = [places] if board["sort"] in ("ring", "line") else []
            if board["sort"] == "rings":
                field = self.static(board["of"], board["rings"])
                by: dict[Any, list[int]] = {}
                for x in places:
                    by.setdefault(field[x] if field is not None else None, []).append(x)
                groups = list(by.values())
            for group in groups:
                ring = (-1, *group) if board["sort"] == "line" else tuple(group)
                for position, x in enumerate(group):
                    rings[x] = (ring, position)
                for a, b in pairwise(group):
                    link(a, b)
                if board["sort"] != "line" and len(group) > 2:
                    link(group[-1], group[0])
            if board["edges"]:
                first, second = self.static(board["edges"], "a"), self.static(board["edges"], "b")
                for e in range(self.low[board["edges"]], self.high[board["edges"]]):
                    if (
                        first is not None
                        and second is not None
                        and first[e] is not None
                        and second[e] is not None
                    ):
                        link(first[e], second[e])
                        edges[(first[e], second[e])] = edges[(second[e], first[e])] = e
            for word, others in board["links"].items():
                for other_word in others:
                    here, there = ns.get(f"C_{word}"), ns.get(f"C_{other_word}")
                    if here is not None and there is not None:
                        link(here, there)
        ns.update(
            NEIGHBOURS={x: tuple(y) for x, y in near.items()}, RINGS=rings, GRIDS=grids, EDGES=edges, LINES={}
        )
        for name, n in self.image["steps"]:
            ns[name] = [[None] * self.count for _ in range(4)]
            for way, there in enumerate(ns[name]):
                for x in (*rings, *grids):
                    there[x] = ns["step"](x, way, n)
        # What a place is called and where it is drawn does not hang on what lies beside it.
        ns["SPOTS"] = {x: (*grid[2], grid[4]["numbered"], grid[4]["down"]) for x, grid in grids.items()}

    def grids(self, name: str, board: dict[str, Any], places: list[int]) -> list[Any]:
        """Lays out the tables of a grid, for every player where each has one; gives their cells."""
        ns = self.ns
        parts = geometry.split(board, places, self.players)
        made = [geometry.grid(board, part) for part in parts]
        for one in made:
            for x, around in one.steps.items():
                ns["STEP"][x], ns["DRAWN"][x] = around, one.marks[x]
            ns["HEADING"].update(one.headings)
        ns[f"B_{name}"] = [tuple(part) for part in parts]
        ns[f"CELLS_{name}"] = [one.cells for one in made]
        ns[f"LANES_{name}"] = [one.lanes for one in made]
        return [one.cells for one in made]

    def static(self, kind: str, name: str) -> Any:
        for ancestor in self.ancestors.get(kind, []):
            field = self.field_info.get((ancestor, name))
            if field is not None:
                return None if field["changed"] else self.ns[field["slot"]]
        return None

    def tables(self) -> None:
        for name, table in self.image["tables"].items():
            cells = {
                tuple(self.resolve(k) for k in key): self.resolve(value) for key, value in table["cells"]
            }
            self.ns[f"TABLE_{name}"] = {k[0] if len(k) == 1 else k: v for k, v in cells.items()}

    def twins(self) -> None:
        """What may tell two pieces of a kind apart: printed values, fields, and who refers to them."""
        ns, image = self.ns, self.image
        looks: dict[Any, int] = {}
        made = []
        for x in range(self.count):
            kind = image["kinds"][self.kind_of[x]]["name"]
            parts: list[Any] = [self.kind_of[x], self.design_of[x], self.owner_at[x]]
            if image["kinds"][self.kind_of[x]]["board"]:
                parts.append(x)  # two places of a board are never the same
            if self.design_of[x] is None:
                for ancestor in self.ancestors[kind]:
                    for (owner, name), field in self.field_info.items():
                        if (
                            owner == ancestor
                            and not field["changed"]
                            and field["width"] == 1
                            and not field["faced"]
                        ):
                            parts.append((name, ns[field["slot"]][x]))
            made.append(looks.setdefault(tuple(parts), len(looks)))
        ns["LOOKS"] = made
        roots = [self.ancestors[image["kinds"][k]["name"]][-1] for k in self.kind_of]
        backs: dict[Any, int] = {}
        ns["BACK"] = [backs.setdefault(b, len(backs)) for b in zip(roots, self.owner_at, strict=True)]
        faced = [x for x in range(self.count) if image["kinds"][self.kind_of[x]]["hidden_faces"]]
        ns["FACED"] = frozenset(faced)
        self.up_looks: list[dict[int, int]] = []
        most = max([len(k["faces"]) for k in image["kinds"]], default=0)
        ups: dict[Any, int] = {}
        for face in range(most):
            shown: dict[int, int] = {}
            for x in faced:
                kind = image["kinds"][self.kind_of[x]]
                side = kind["faces"][face] if face < len(kind["faces"]) else None
                values = [
                    self.kind_of[x],
                    *(
                        self.printed(f, x, side)
                        for (o, _), f in self.field_info.items()
                        if o in self.ancestors[kind["name"]] and f["faced"]
                    ),
                ]
                shown[x] = ups.setdefault(tuple(values), len(ups))
            self.up_looks.append(shown)
        ns["UP_LOOKS"] = self.up_looks
        fields: dict[int, Any] = {}
        slots: dict[int, Any] = {}
        zones: dict[int, Any] = {}
        for index, kind in enumerate(image["kinds"]):
            line = self.ancestors[kind["name"]]
            found = [
                ns[f["slot"]]
                for (o, _), f in self.field_info.items()
                if o in line and f["changed"] and f["width"] == 1 and f["slot"] not in self.marks
            ]
            if kind["faces"]:
                found.append(ns["FACE"])
            if self.planar and kind["disc"]:
                found.append(ns["AT"])
            fields[index] = tuple(found)
            slots[index] = tuple(s for s, t in self.slot_types.items() if _refers(t, line))
            zones[index] = tuple(
                ns[f"Z_{n}"] for n, z in image["zones"].items() if any(k in line for k in z["of"])
            )
        ns.update(TWIN_FIELDS=fields, TWIN_SLOTS=slots, TWIN_ZONES=zones)
        ns["PIECES_REMEMBERED"] = remembered = any(
            _holds_pieces(f["type"]) for e in image["effects"] for f in e["memory"]
        )
        plain = [not remembered and not fields[k] and not slots[k] and not zones[k] for k in range(len(image["kinds"]))]
        ns["PRINTED"] = printed = [
            look if plain[kind] and x not in ns["FACED"] else None
            for x, (look, kind) in enumerate(zip(made, self.kind_of, strict=True))
        ]
        # What an option is known by among others: its print, or else the piece itself.
        ns["KEYS"] = [look if look is not None else -1 - x for x, look in enumerate(printed)]
        for kind in image["kinds"]:
            ns[f"PRINTS_{kind['name']}"] = all(printed[x] is not None for x in ns[f"P_{kind['name']}"])
        ns["SET_PLAIN"] = [False] * len(image["asks"])
        for number, ask in enumerate(image["asks"]):
            if ask.get("one_zone"):
                _, kind, _ = image["types"][ask["type"]]
                pieces = range(self.count) if kind is None else ns[f"P_{kind}"]
                ns["SET_PLAIN"][number] = all(printed[x] is not None for x in pieces)
            ns[f"PLAIN_{number}"] = ns["SET_PLAIN"][number]

    def runnable(self) -> None:
        """For every effect slot and piece: the head of what it runs, or whether it always or never can."""
        ns, image = self.ns, self.image
        effect_of, table, does = ns["EFFECT_OF"], ns["EFFECT_TABLE"], ns["DOES"]
        made: dict[str, list[Any]] = {}
        carried = [slot for info in image["components"].values() for slot in info["does"]]
        for slot in dict.fromkeys([*image["run_slots"], *carried]):
            by_design: dict[Any, Any] = {}
            for design in range(len(self.designs)):
                number = does.get((slot, design))
                if number is not None:
                    by_design[design] = ns["HEADS"][number] if image["routines"][number]["demands"] else True
                else:
                    effect = effect_of.get(design)
                    by_design[design] = effect is not None and table[effect]["lasts"] is not None
            made[slot] = [by_design.get(design, False) for design in self.design_of]
            ns[f"RUNS_{slot}"] = made[slot]
            ns[f"STARTS_{slot}"] = [self.begins(slot, design) for design in self.design_of]
        ns["RUNS"] = made

    def begins(self, slot: str, design: Any) -> int | None:
        """The first block of what a component runs, if it may ask, nothing hooks into it and no effect begins."""
        ns = self.ns
        number, effect = ns["DOES"].get((slot, design)), ns["EFFECT_OF"].get(design)
        lasting = slot == "do" and effect is not None and ns["EFFECT_TABLE"][effect]["lasts"] is not None
        if number is None or number in ns["HOOK_SLOT"] or lasting:
            return None
        routine = self.image["routines"][number]
        return routine["block"] if routine["suspends"] else None

    def beginnings(self) -> None:
        """What the beginning of an effect and the standing of a rule need, in the order in which it is read."""
        ns = self.ns
        begins: list[Any] = []
        for effect in ns["EFFECT_TABLE"]:
            if effect is None:
                begins.append(None)
                continue
            do = effect["do"]
            if do is not None and (effect["component"] is not None or ns["ROUTINES"][do]["suspends"]):
                do = None
            begins.append(
                (
                    effect["stacks"],
                    effect["times"],
                    effect["memory_start"],
                    effect["count"],
                    ns["LASTING"][effect["number"]],
                    tuple(effect["rules"]),
                    effect["seconds"],
                    do,
                    effect["place"],
                )
            )
        slots: list[Any] = [None] * len(ns["CHANGES"])
        for rule in ns["RULES"]:
            if rule["sort"] == "change":
                found = (None, (ns["CHANGE_SLOT"][rule["targets"][0]],), ns["OP_ORDER"][rule["op"]])
            elif rule["sort"] == "offer":
                found = (None, (ns["OFFER_SLOT"][rule["menu"]],), 0)
            else:
                found = (rule["moment"], tuple(rule["slots"]), 0)
            slots[rule["number"]] = found
        carried = [ns["EFFECT_OF"].get(design) for design in self.design_of]
        for x, number in enumerate(carried):
            if number is not None and (
                ns["EFFECT_TABLE"][number]["lasts"] is not None or ns["EFFECT_TABLE"][number]["always"]
            ):
                carried[x] = None
        ns.update(BEGINS=begins, RULE_SLOTS=slots, CARRIED=carried)

    # ---- the start ----

    def header(self) -> None:
        from .slots import ACTIVE, AGE, DEPTH, EVENT, FIXED, FLICKS, OVER, PROCEED, REVEALED

        start = self.start
        start[RNG], start[FUEL], start[EVENT], start[EFFECTS], start[AGE] = 0, STEPS, (), (), 0
        start[OTHERS], start[GROUPS], start[NEWS], start[FIXED], start[PROCEED] = (), (), (), (), None
        start[FLICKS] = ()
        start[OVER], start[ACTIVE], start[REVEALED], start[DEPTH] = None, 0, False, 0

    def knock_out(self) -> None:
        """Takes one rule away, so that a scenario can be seen to depend on it."""
        if self.knocked is None:
            return
        from .knock import knock

        knock(self, *self.knocked)

    def begin_standing(self) -> None:
        ns, S = self.ns, self.start
        for rule in ns["RULES"]:
            if rule["effect"] is None and rule["module"] in self.modules:
                ns["add_rule"](S, rule["number"], (rule["number"], None, None, -1 - rule["number"]))
        for effect in ns["EFFECT_TABLE"]:
            if effect is not None and effect["always"] and effect["module"] in self.modules:
                for player in range(self.players):
                    ns["begin_plain"](S, effect["number"], player, None, ())
        for z in sorted(ns["ZONE_PLAY"]):
            for x in S[z]:
                number = ns["EFFECT_OF"].get(self.design_of[x])
                if number is not None and ns["EFFECT_TABLE"][number]["lasts"] is None:
                    ns["begin_plain"](S, number, ns["player_of"](S, x, z), x, ())


def _late(ns: dict[str, Any], py: str) -> Any:
    """A function of the rules, looked up when it is called: it may be taken away for a trace."""
    return lambda S, *args: ns[py](S, *args)


def _holds_pieces(kind: Any) -> bool:
    base, of, _ = kind
    return bool(_holds_pieces(of) if base == "list" else base in ("piece", "unknown"))


def _refers(kind: Any, line: list[str]) -> bool:
    base, of, _ = kind
    if base == "list":
        return _refers(of, line)
    return base == "piece" and (of is None or of in line)


def _builtins() -> dict[str, Any]:
    """The few of Python's own that generated code needs; nothing that reaches the machine."""
    import builtins

    names = (
        "len range tuple min max reversed any all sum type int float abs str list dict zip enumerate isinstance bool next"
        " set frozenset repr sorted"
    )
    found = {name: getattr(builtins, name) for name in names.split()}
    found["__build_class__"] = builtins.__build_class__
    return found
