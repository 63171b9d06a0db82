"""Lay a compiled ruleset out for a number of players and a set of options.

Takes an image, gives a `Table`: the compiled functions with their layout as globals, and the state
that every game of this table starts from. One table serves any number of games.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from types import CodeType, FunctionType
from typing import Any

from . import fitting, geometry, masks, runtime, slots
from .layout import Layout
from .openings import Openings
from .slots import CLOCK, EFFECTS, FUEL, GROUPS, NEWS, OTHERS, RNG, start_of

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


class Table(Layout):
    """A ruleset at a table: `ns` are the globals of its code, `start` the state before set-up."""

    def __init__(
        self,
        image: dict[str, Any],
        code: CodeType,
        players: int,
        options: dict[str, Any],
        knocked: Any = None,
    ) -> None:
        super().__init__(image, players, options)
        self.ns["__builtins__"] = _builtins()
        self.knocked = knocked
        self.sort: Any = None  # what its games are: of those with a clock, or of those without
        self.begin: Any = None  # makes a game of rules and a seed; set with `sort`
        self.speaker: Any = None  # names things at this table; set by whoever lays it out
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
        drawing = [made.co_name for made in functions if not reaching("RNG").isdisjoint(made.co_names)]
        setup = None if image["setup"] is None else image["routines"][image["setup"]]["py"]
        self.openings = Openings(bool(drawing), later=drawing not in ([], [setup]))
        self.lay_out()
        if knocked is None:  # what is knocked out has other numbers than the layout says
            fitting.fit(self.ns, image["source"], image["name"])

    def lay_out(self) -> None:
        ns, image = self.ns, self.image
        ns["NP"], ns["PLAYERS"] = self.players, tuple(range(self.players))
        ns["VIEWERS"] = self.players + 1
        ns["ALONE"] = image["alone"]
        ns["RIVALS"] = [tuple(p for p in ns["PLAYERS"] if p != you) for you in ns["PLAYERS"]]
        for number in range(len(image["tells"])):
            ns[f"TELLS_{number}"] = tuple([(("tell", number, p),) for p in ns["PLAYERS"]])
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
        self.gathered()
        self.beginnings()
        self.knock_out()
        self.begin_standing()

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
            FITS=[ns.get(a.get("fits")) for a in image["asks"]],
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

    def gathered(self) -> None:
        """Pieces with the right things printed on them; those that cost no more than each price."""
        ns = self.ns
        for name, wanted, price in self.image["gathered"]:
            found = [x for x in range(self.count) if all(ns[test][x] is True for test in wanted)]
            if price is None:
                ns[name] = frozenset(found)
                continue
            prices = ns[price]
            ns[f"{name}_MOST"] = most = max((prices[x] for x in found), default=0)
            ns[name] = [frozenset(x for x in found if prices[x] <= n) for n in range(most + 1)]

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
        from .slots import ACTIVE, AGE, DEPTH, EVENT, FIXED, FLICKS, OPTIONS, OVER, PROCEED, REVEALED

        start = self.start
        start[RNG], start[FUEL], start[EVENT], start[EFFECTS], start[AGE] = 0, STEPS, (), (), 0
        start[OPTIONS] = ()  # a game may end before anybody was asked
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
