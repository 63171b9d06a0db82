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
MONEY, PAID = r"(S\[(R_\w+?)(?:\+\w+)?\])", r"(?:\(None if \w+ is None else )?((?:F|ANY)_\w+)\[(\w+)\]\)?"
PRICE = re.compile(rf" +if (?:not \({MONEY} >= {PAID}\)|{MONEY} < {PAID}): continue")
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
        price: tuple[str, str] | None = None  # what it is paid from, and the list of prices
        for number, line in enumerate(lines[at + 1 : -1], at + 1):
            kind, cost, runs = KIND.fullmatch(line), PRICE.fullmatch(line), RUNS.fullmatch(line)
            if kind and kind[2] == py:
                wanted.append(kind[1])
            elif cost and price is None and (found := self.price(cost, py, wanted)) is not None:
                price = found
            elif runs and runs[3] == py and price is None and only(lines[number + 1 : -1], runs[1]):
                # Those that can be run whatever happens; only if there is none, the others are asked.
                quick = f"{pad}if not {self.name([*wanted, runs[2]], None)}.isdisjoint({source}): return True"
                return [*lines[:at], quick, *lines[at:]], False
            else:
                return lines, False
        if not wanted:
            return lines, False
        name = self.name(wanted, price[1] if price else None)
        if price is None:
            return [*lines[:at], f"{pad}return not {name}.isdisjoint({source})"], True
        bound = [f"{pad}v = {price[0]}", f"{pad}if v > {name}_MOST: v = {name}_MOST"]
        return [*lines[:at], *bound, f"{pad}return not {name}[v].isdisjoint({source})"], True

    def name(self, wanted: list[str], price: str | None) -> str:
        return self.made.setdefault((tuple(wanted), price), f"SUCH_{len(self.made)}")

    def price(self, cost: re.Match[str], py: str, wanted: list[str]) -> tuple[str, str] | None:
        """What a card is paid from and the list of prices, if all that can come of it are small whole numbers."""
        money, slot, prices, of = (one or other for one, other in zip(cost.groups()[:4], cost.groups()[4:], strict=True))
        resources = [r for r in self.c.model.resources.values() if resource_name(r) == slot]
        if of != py or self.c.halves or not resources or resources[0].low is None or resources[0].low < 0:
            return None
        model = self.c.model
        joined = next((key for key, name in self.c.indexes.joined.items() if name == prices), None)
        columns = [column for column, _ in joined] if joined is not None else [prices]
        kinds = [name.removeprefix("IS_") for name in wanted]
        for kind in model.kinds.values():
            if not any(model.is_like(k, kind.name) for k in kinds):
                continue
            for word, field in kind.fields.items():
                if field_name(field) in columns:
                    plain = not field.changed and field.face is None and field.key is None and not field.type.opt
                    found = [v for c in model.components.values() for (_, name), v in c.printed.items() if name == word]
                    if plain and all(type(v) is int and 0 <= v <= MOST for v in found):
                        return money, prices
        return None

    def image(self) -> list[list[Any]]:
        """What binding needs to lay them out."""
        return [[name, list(wanted), price] for (wanted, price), name in self.made.items()]


def only(lines: list[str], head: str) -> bool:
    """Whether nothing follows but what asks those that cannot be run whatever happens."""
    asks = re.fullmatch(rf"( +)if {head} is not True:", lines[0]) if lines else None
    return asks is not None and all(line.startswith(asks[1] + "    ") for line in lines[1:])
