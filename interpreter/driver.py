"""The games of a table: a class of its own, whose `step` does only what the table's rules can make necessary.

Takes a table, gives a class. Most rulesets never ask two players at once, flick nothing, or tell no news; then
`step` has no line about it. Whatever is out of the ordinary is left to `Game.choose`, which can do everything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from .bind import STEPS, Table, reaching
from .game import RULE_FAILS, Game, Option
from .paths import Known, Paths
from .runtime import EndGame, EndSpan
from .slots import CONT, FLICKED, FUEL, NEWS, OPTIONS, OTHERS, PLAYER, RET, REVEALED
from .timed import TimedGame

# Functions that only look, on a copy of the state: what they leave behind is gone.
ONLY_LOOK = ("drawing", "prompt", "labels", "label_", "menu_prompt", "menu_stop", "why_", "shot")


class Quick(Game):
    """A game without a clock: an index goes the short way."""

    __slots__ = ()

    def choose(self, option: int | str | Option, player: int | None = None) -> None:
        """Takes an option: its index, its key, or the option itself; see `Game.choose`."""
        if player is None and type(option) is int and not self.S[OTHERS]:
            self.step(option)
        else:
            Game.choose(self, option, player)


class Walker(Quick):
    """A game that may stand on a known path: then its state is shared, and every choice is a step."""

    __slots__ = ()

    def choose(self, option: int | str | Option, player: int | None = None) -> None:
        """Takes an option: its index, its key, or the option itself; see `Game.choose`."""
        self.step(option if player is None and type(option) is int else self._find(option, player))


def seat(table: Table) -> None:
    """Gives a table the class of its games, and what begins one."""
    table.sort = sort_of_game(table)

    def first(rules: Any, seed: int) -> Game:
        """A game of a table whose openings are not known yet."""
        game: Game = table.sort.begun(rules, seed)
        if table.openings.closed:
            table.begin = table.sort.begun
        elif table.openings.ways is not None:
            table.begin = beginning(table)
        return game

    table.begin = first


def beginning(table: Table) -> Any:
    """What begins a game of a table: as `Game.begun`, but what other games have led to is at hand."""
    world = {"STATES": table.openings.states, "Own": table.sort}
    exec("\n    ".join(["def begin(rules, seed):", *table.openings.lines(), *BEGIN]), world)
    return world["begin"]


def sort_of_game(table: Table) -> type[Game]:
    """The class of a table's games."""
    if table.clocked:
        return _class(TimedGame, table, {})
    if table.knocked is not None:
        return _class(Game, table, {})
    world: dict[str, Any] = {
        "BLOCKS": table.blocks, "EndGame": EndGame, "EndSpan": EndSpan, "RULE_FAILS": RULE_FAILS, "Game": Game,
        "nobody_asked": table.ns["nobody_asked"], "over": table.ns["over"],
    }  # fmt: skip
    base: type[Game] = Quick
    if returning(table):
        base, table.openings.paths = Walker, Paths()
        world["Known"], world["tread"] = Known, table.openings.paths.tread
        exec("\n".join(step(table)), world)
        world["walk"] = world["step"]  # the same on a state of one's own
        exec("\n".join([*step(table, WALK), *SHARE]), world)
    else:
        exec("\n".join([*step(table), *COPY]), world)
    world["Own"] = made = _class(base, table, {"step": world["step"], "copy": world["copy"]})
    return made


def returning(table: Table) -> bool:
    """Whether games of a table come by the same positions: what happens hangs on the choices alone."""
    return bool(table.image["alone"] and not table.planar and not table.openings.later)


def _class(base: type[Game], table: Table, methods: dict[str, Any]) -> type[Game]:
    for name, method in methods.items():
        method.__doc__ = getattr(Game, name).__doc__
    about = {"__slots__": (), "table": table, "__module__": base.__module__, "__doc__": base.__doc__, **methods}
    return type(base.__name__, (base,), about)


BEGIN = [
    "game = Own()",
    "game.S = S",
    "game.history = None",
    "game.origin = (rules, seed, None)",
    "return game",
]
COPY = [
    "def copy(self):",
    "    twin = Own()",
    "    twin.S = self.S.copy()",
    "    twin.history = self.history",
    "    twin.origin = self.origin",
    "    return twin",
]


# On a known path. An index out of range, below 0 or of a strange type is left to the step that looks at everything.
WALK = [
    "    if S.__class__ is Known:",
    "        try:",
    "            S = S.leads[index]",
    "        except (IndexError, TypeError):",
    "            S = None",
    "        if S is None: return tread(self, index, walk)",
    "        self.S = S",
    "        self.history = (self.history, index)",
    "        return S.ways",
]
SHARE = [
    "def copy(self):",
    "    twin = Own()",
    "    S = self.S",
    "    twin.S = S if S.__class__ is Known else S.copy()",
    "    twin.history = self.history",
    "    twin.origin = self.origin",
    "    return twin",
]


def step(table: Table, first: Sequence[str] = ()) -> Iterator[str]:
    """The lines of `step`, with some that come first."""
    alone = table.image["alone"]
    yield "def step(self, index):"
    yield "    S = self.S"
    yield from first
    yield "    try:"
    yield f"        if index < 0{'' if alone else f' or S[{OTHERS}]'}: raise IndexError"
    yield f"        S[{RET}] = S[{OPTIONS}][index]"
    yield "    except (IndexError, TypeError):"
    yield "        Game.choose(self, index)"
    yield f"        return len(self.S[{OPTIONS}])"
    if not alone:  # whoever is asked writes the seat here; so does the end of a game
        yield f"    S[{PLAYER}] = None"
    used = touched(table)
    for slot, fresh in ((FUEL, str(STEPS)), (NEWS, "()"), (REVEALED, "False")):
        if slot in used:
            yield f"    S[{slot}] = {fresh}"
    yield f"    frame = S[{CONT}]"
    yield "    try:"
    yield "        frame = BLOCKS[frame[0]](S, frame)"  # whoever has an option has a frame to go on with
    yield "        while frame is not None:"
    yield "            frame = BLOCKS[frame[0]](S, frame)"
    if not alone:
        yield f"        if S[{PLAYER}] is None: nobody_asked(S)"
    yield "    except EndGame:"
    yield "        over(S)"
    yield "    except EndSpan as end:"
    yield "        self._leave(frame, end)"
    yield "    except RULE_FAILS as error:"
    yield "        self._fail(error)"
    if table.planar:
        yield f"    if S[{FLICKED}] is not None: index = self._flicked(index)"
    yield "    self.history = (self.history, index)"
    if not alone:
        yield f"    if S[{OTHERS}]: self._settle()"
    yield f"    return len(S[{OPTIONS}])"


def touched(table: Table) -> set[int]:
    """Which of the slots that every choice begins anew the rules of a table can write to."""
    found = {FUEL} if table.image["watched"] else set()
    parts = re.split(r"^def ", table.image["source"], flags=re.MULTILINE)[1:]
    parts = [part for part in parts if not part.startswith(ONLY_LOOK)]
    names = {name for part in parts for name in table.ns[part.partition("(")[0]].__code__.co_names}
    for slot, name in ((NEWS, "NEWS"), (REVEALED, "REVEALED")):
        if not reaching(name).isdisjoint(names) or any(f"S[{slot}]" in part for part in parts):
            found.add(slot)
    return found
