"""The table that people see: its lines, rows of blocks, grids and maps, as one function that draws.

Takes the checked drawing of a ruleset, gives the lines of that function.
"""

from __future__ import annotations

from typing import Any


def drawing(c: Any) -> list[str]:
    """Writes for compiler `c`; the function takes the state and who looks at it."""
    out: list[str] = ["    you = viewer", "    r = []"]

    def put(items: Any, depth: int, into: str) -> None:
        pad = "    " * depth
        if not items:
            out.append(pad + "pass")
        for item in items:
            if item[0] == "line":
                mark = f"  #@{c.place(item[1].place)}"
                out.append(pad + f"{into}.extend(({c.x(item[1])}).split('\\n')){mark}")
            elif item[0] == "if":
                out.append(pad + f"if {c.x(item[1])}:  #@{c.place(item[1].place)}")
                put(item[2], depth + 1, into)
            elif item[0] == "grid":
                _, binders, where, key, inner, across, numbers = item
                rows, cell, name = c.fresh("r"), c.fresh("r"), binders[0][0]
                mark = f"  #@{c.place(binders[0][2].place)}"
                out.append(pad + f"{rows} = []")
                out.append(pad + f"for {name} in {c.items(binders, where, key)}:{mark}")
                out.extend([pad + f"    spend(S){mark}"] if c.counts else [])
                out.append(pad + f"    {cell} = []")
                put(inner, depth + 1, cell)
                out.append(pad + f"    {rows}.append((SPOTS[{name}], {cell}))")
                out.append(pad + f"{into}.extend(framed({rows}, {across!r}, {numbers}, {c.place(binders[0][2].place)}))")
            elif item[0] == "each":
                _, binders, where, key, inner, across = item
                names = ", ".join(b[0] for b in binders)
                rows = c.fresh("r")
                if across is not None:
                    out.append(pad + f"{rows} = []")
                mark = f"  #@{c.place(binders[0][2].place)}"
                out.append(pad + f"for {names} in {c.items(binders, where, key)}:{mark}")
                out.extend([pad + f"    spend(S){mark}"] if c.counts else [])
                if across is not None:
                    cell = c.fresh("r")
                    out.append(pad + f"    {cell} = []")
                    put(inner, depth + 1, cell)
                    out.append(pad + f"    {rows}.append({cell})")
                    out.append(pad + f"{into}.extend(beside({rows}, {across!r}))")
                else:
                    put(inner, depth + 1, into)
            elif item[0] == "canvas":
                _, binders, where, key, plane, width, sign, orbit = item
                disc, rows = binders[0][0], c.fresh("r")
                mark = f"  #@{c.place(binders[0][2].place)}"
                said = f"say(S, {c.x(sign)}, {c.type_key(sign.type)})" if sign is not None else "'o'"
                ring = c.x(orbit) if orbit is not None else "None"
                out.append(pad + f"{rows} = []")
                out.append(pad + f"for {disc} in {c.items(binders, where, key)}:{mark}")
                out.extend([pad + f"    spend(S){mark}"] if c.counts else [])
                out.append(pad + f"    {rows}.append((S[AT+{disc}], RADIUS[{disc}], {said}, {ring})){mark}")
                out.append(pad + f"{into}.extend(CANVAS(PLANES[Z_{plane}], {rows}, {width})){mark}")

    if c.model.drawing:
        put(c.model.drawing, 1, "r")
    out.append("    return r")
    return out
