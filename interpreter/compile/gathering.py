"""Searches that are one look into a set: whether a zone holds a card with the right things printed on it.

Takes the lines of a head that goes through a zone and says yes at the first card that meets all tests, gives
fewer lines where what never changes decides. The sets are laid out with the table.
"""

from __future__ import annotations

import re
from typing import Any

from ..slots import field_name, resource_name

MOST = 64  # the highest price for which there is a set of all that cost no more
HEADER = re.compile(r"( +)for (\w+) in (.+):")
KIND = re.compile(r" +if not (IS_\w+)\[(\w+)\]: continue")
PRICE = re.compile(r" +if not \((S\[(R_\w+?)(?:\+\w+)?\]) >= (F_\w+)\[(\w+)\]\): continue")
RUNS = re.compile(r" +(t\d+) = (RUNS_\w+)\[(\w+)\]")


class Gathering:
    def __init__(self, compiler: Any) -> None:
        self.c = compiler
        self.made: dict[tuple[tuple[str, ...], str | None], str] = {}  # (lists that say yes or no, prices): the set

    def looked(self, lines: list[str]) -> tuple[list[str], bool]:
        """The lines of a search that ends in `return True`; and whether they say no as well by now."""
        at = next((at for at, line in enumerate(lines) if HEADER.fullmatch(line)), None)
        if at is None or lines[-1].strip() != "return True" or any(" for " in line for line in lines[at + 1 :]):
            return lines, False
        header = HEADER.fullmatch(lines[at])
        assert header is not None
        pad, py, source = header.groups()
        wanted: list[str] = []
        price: re.Match[str] | None = None
        for line in lines[at + 1 : -1]:
            kind, cost, runs = KIND.fullmatch(line), PRICE.fullmatch(line), RUNS.fullmatch(line)
            if kind and kind[2] == py:
                wanted.append(kind[1])
            elif cost and cost[4] == py and price is None and self.priced(cost[2], cost[3]):
                price = cost
            elif runs and runs[3] == py and price is None:
                # Those that can be run whatever happens; only if there is none, the others are asked.
                quick = f"{pad}if not {self.name([*wanted, runs[2]], None)}.isdisjoint({source}): return True"
                return [*lines[:at], quick, *lines[at:]], False
            else:
                return lines, False
        if not wanted:
            return lines, False
        name = self.name(wanted, price[3] if price else None)
        if price is None:
            return [*lines[:at], f"{pad}return not {name}.isdisjoint({source})"], True
        bound = [f"{pad}v = {price[1]}", f"{pad}if v > {name}_MOST: v = {name}_MOST"]
        return [*lines[:at], *bound, f"{pad}return not {name}[v].isdisjoint({source})"], True

    def name(self, wanted: list[str], price: str | None) -> str:
        return self.made.setdefault((tuple(wanted), price), f"SUCH_{len(self.made)}")

    def priced(self, slot: str, prices: str) -> bool:
        """Whether what is printed as a price are small whole numbers, and what they are paid from is one too."""
        resources = [r for r in self.c.model.resources.values() if resource_name(r) == slot]
        if self.c.halves or not resources or resources[0].low is None or resources[0].low < 0:
            return False
        for kind in self.c.model.kinds.values():
            for name, field in kind.fields.items():
                if field_name(field) == prices:
                    plain = not field.changed and field.face is None and field.key is None and not field.type.opt
                    found = [v for c in self.c.model.components.values() for (_, of), v in c.printed.items() if of == name]
                    return plain and all(type(v) is int and 0 <= v <= MOST for v in found)
        return False

    def image(self) -> list[list[Any]]:
        """What binding needs to lay them out."""
        return [[name, list(wanted), price] for (wanted, price), name in self.made.items()]
