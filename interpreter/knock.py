"""Take one rule away, or count how often rules run.

Works on a table that is laid out but not yet played: functions are replaced, registrations skipped.
`trace` uses it to see that a scenario depends on the rule that it claims to prove.
"""

from __future__ import annotations

from typing import Any

from .runtime import MENU_BACK
from .slots import RET


def knock(table: Any, sort: str, key: Any) -> None:
    """Knocks out what cites a clause: (sort, key) as in the image's `cites`."""
    ns, image = table.ns, table.image
    if sort == "Routine":
        _routine(table, key)
    elif sort == "Rule":
        ns["KNOCKED"] = frozenset({key})
    elif sort == "Effect":
        effect = ns["EFFECT_TABLE"][key]
        ns["KNOCKED"] = frozenset(effect["rules"])
        if effect["do"] is not None:
            _routine(table, effect["do"])
    elif sort == "Component":
        info = image["components"][key]
        for number in info["does"].values():
            _routine(table, number)
        effect_number = ns["EFFECT_OF"].get(table.design_index[key])
        if effect_number is not None:
            ns["KNOCKED"] = frozenset(ns["EFFECT_TABLE"][effect_number]["rules"])
        _alter_printed(table, key)
    elif sort == "Menu":
        ns["MENUS"][key]["actions"] = []
    elif sort == "TableDecl":
        cells = ns[f"TABLE_{key}"]
        for cell, value in cells.items():
            cells[cell] = _altered(value)
    elif sort == "Span":
        span = ns["SPANS"][key]
        span["starts"] = [(slot, _altered(start)) for slot, start in span["starts"]]
    elif sort == "Resource":
        info = image["resources"][key]
        count = table.players if info["of"] == "player" else 1
        for at in range(count):
            table.start[ns[f"R_{key}"] + at] += 1
    elif sort == "Kind":
        _alter_kind(table, key)
    elif sort == "Zone":
        everyone = ns["FLIPPED"] if table.hides else 0
        for slot, (name, _) in table.zone_at.items():
            if name == key:
                ns["ZONE_SEES"][slot] ^= everyone
                ns["ZONE_REFILL"].pop(slot, None)
                ns["ZONE_LIMIT"].pop(slot, None)
                ns["ZONE_PLAY"] = ns["ZONE_PLAY"] - {slot}
    elif sort == "Option":
        ns[f"O_{key}"] = _altered(ns[f"O_{key}"])
    elif sort == "Plane":
        _plane(table, key)
    elif sort == "Board":
        _alter_board(table, key)


def _plane(table: Any, name: str) -> None:
    """Nothing is fixed or halts any more, and discs slide hardly at all."""
    plane = table.ns["PLANES"][table.ns[f"Z_{name}"]]
    plane.update(fixed=frozenset(), contact=None, reach=1)


def _altered(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, tuple):
        return ()
    return value


def _routine(table: Any, number: int) -> None:
    ns = table.ns
    routine = ns["ROUTINES"][number]
    py = routine["py"]
    if routine["what"] == "value":
        real = ns[py]
        # A truth is turned round, a number is one more, a list is empty: whoever relies on it sees it.
        kind = routine["gives"][0] if routine["gives"] else ""

        def changed(S: Any, *args: Any) -> Any:
            found = real(S, *args)
            if kind == "truth":
                return not found
            if kind == "number" and found is not None:
                return found + 1
            return () if kind == "list" else None

        ns[py] = changed
        return
    if routine["what"] == "action":
        ns[f"head_{py}"] = ns["HEADS"][number] = lambda S, *args: False
        return

    def nothing(S: Any, *args: Any) -> None:
        return None

    if routine["suspends"]:

        def skipped(S: Any, F: Any) -> Any:
            S[4] = None
            return F[1]

        skipped.span = None  # type: ignore[attr-defined]
        ns["BLOCKS"][routine["block"]] = skipped
    else:
        if py in ns:
            ns[py] = nothing
        ns["FUNCTIONS"][number] = ns["BASES"][number] = nothing


def _alter_printed(table: Any, design: str) -> None:
    number = table.design_index[design]
    for (owner, _), field in table.field_info.items():
        if owner == "player" or field["changed"] or field["name"] == "owner":
            continue
        columns = table.ns[field["slot"]] if field["faced"] else [table.ns[field["slot"]]]
        for column in columns:
            for x, made in enumerate(table.design_of):
                if made != number or x >= len(column):
                    continue
                if field["type"][0] in ("number", "truth"):
                    column[x] = _altered(column[x])
                elif field["name"] == "sides" and field["type"][0] == "list":
                    symbols = len(table.image["symbols"][field["type"][1][1]])
                    column[x] = tuple([(side + 1) % symbols for side in column[x]])


def _alter_board(table: Any, name: str) -> None:
    """Its places lie beside nothing, in no row or column, and have no shape."""
    ns, board = table.ns, table.image["boards"][name]
    places = range(table.low[board["of"]], table.high[board["of"]])
    for x in places:
        for near in ("NEIGHBOURS", "RINGS", "GRIDS"):
            ns[near].pop(x, None)
    if board["sort"] == "grid":
        ns["HEADING"] = {pair: way for pair, way in ns["HEADING"].items() if pair[0] not in places}
        for x in places:
            ns["STEP"][x] = (None,) * 4
            ns["DRAWN"][x] = (None,) * len(board["drawings"])
        ns[f"LANES_{name}"] = [{} for _ in ns[f"LANES_{name}"]]
        ns[f"CELLS_{name}"] = [{} for _ in ns[f"CELLS_{name}"]]


def _alter_kind(table: Any, kind: str) -> None:
    """The pieces of a kind are not there: they stay in the box."""
    ns, S = table.ns, table.start
    for x in ns[f"P_{kind}"]:
        zone = S[ns["LOC"] + x]
        S[zone] = tuple(y for y in S[zone] if y != x)
        S[ns["BOX"]] = (*S[ns["BOX"]], x)
        S[ns["LOC"] + x] = ns["BOX"]
    ns[f"P_{kind}"] = ()


# ---- counting ----


def countable(table: Any) -> list[str]:
    """What can be counted at a table: every routine that is run, and every rule that applies."""
    image = table.image
    there = {r["do"]: c["module"] for c in image["components"].values() for r in (c["does"],) if "do" in r}
    found = [
        _routine_name(r)
        for number, r in enumerate(image["routines"])
        if r["what"] in ("procedure", "action", "do")
        and not r["abstract"]
        and r["code"]
        and {r["module"], there.get(number)} <= table.modules
    ]
    return found + [_rule_name(image, r) for r in image["rules"] if r["module"] in table.modules]


def counters(image: dict[str, Any]) -> list[str]:
    """What each counter of the compiled rules counts."""
    return [
        _routine_name(image["routines"][number]) if sort == "routine" else _rule_name(image, image["rules"][number])
        for sort, number in image["counters"]
    ]


def _routine_name(routine: dict[str, Any]) -> str:
    what = "effect" if routine["what"] == "do" else routine["what"]
    return f"{what} {routine['name']}"


def _rule_name(image: dict[str, Any], rule: dict[str, Any]) -> str:
    file, line, _ = image["places"][rule["place"]]
    return f"rule {rule['number'] + 1} ({rule['op']}) at {file}:{line}"


def count_uses(table: Any, counts: list[int]) -> None:
    """Rules count for themselves; an offer is used when what it offers is chosen."""
    ns, image = table.ns, table.image
    ns["COUNTS"] = counts
    numbers = {number: at for at, (sort, number) in enumerate(image["counters"]) if sort == "rule"}
    offers = {r["number"]: r for r in image["rules"] if r["sort"] == "offer"}
    real = ns["BLOCKS"][MENU_BACK]

    def picked(S: Any, F: Any) -> Any:
        choice, slot = S[RET], ns["MENUS"][F[2]]["slot"]
        if type(choice) is tuple and slot is not None:
            for number, owner, this, age in S[slot]:
                if (offers[number]["targets"][0], this, age) == choice and owner in (None, F[3]):
                    counts[numbers[number]] += 1
                    break
        return real(S, F)

    picked.span = getattr(real, "span", None)  # type: ignore[attr-defined]
    ns["BLOCKS"][MENU_BACK] = picked
