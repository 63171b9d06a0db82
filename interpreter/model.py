"""What a ruleset declares, resolved: kinds, zones, values, procedures, effects and the rest.

Takes nothing from files itself: `declare` fills it, `check` completes the bodies, `compile` reads
it. Only data; no behaviour beyond look-ups.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .diagnostics import Place
from .types import Type


@dataclass(eq=False)
class FieldDecl:
    """A field of a kind, of players, of the game, of a span, or a standing effect's memory."""

    name: str
    type: Type
    place: Place
    home: str  # "kind", "player", "game", "span", "memory"
    owner: str  # the kind, span or effect
    key: Type | None = None  # level(colour): a number for each colour
    face: str | None = None
    changed: bool = False  # some effect sets it, so it lives in the state
    kept: bool = False  # the clock keeps it: a timer's own
    used: bool = False
    number: int = 0

    @property
    def id(self) -> str:
        return f"{self.owner}_{self.name}" + (f"_{self.face}" if self.face else "")


@dataclass(eq=False)
class Kind:
    name: str
    place: Place
    parent: str | None = None
    abstract: bool = False
    fields: dict[str, FieldDecl] = field(default_factory=dict)  # own ones
    faces: list[str] = field(default_factory=list)
    hidden_faces: set[str] = field(default_factory=set)
    does: list[str] = field(default_factory=list)
    sides: str | None = None  # the symbols on the sides of a tile
    count: int = 0
    per_player: int = 0
    timer: bool = False
    starts: str | None = None
    title: str = ""
    many: str = ""
    text: str = ""
    components: list[Component] = field(default_factory=list)
    children: list[Kind] = field(default_factory=list)
    cites: list[str] = field(default_factory=list)
    module: str | None = None
    used: bool = False
    board: str | None = None
    disc: int = 0  # the radius of its pieces, if they are discs
    number: int = 0
    like_place: Place | None = None
    starts_place: Place | None = None


@dataclass(eq=False)
class Component:
    id: str
    kind: str
    place: Place
    title: str = ""
    text: str = ""
    copies: int = 1
    per_player: bool = False
    starts: str | None = None
    printed: dict[tuple[str | None, str], Any] = field(default_factory=dict)  # (face, field) -> value
    does: dict[str, Routine] = field(default_factory=dict)
    effect: Effect | None = None
    cites: list[str] = field(default_factory=list)
    module: str | None = None
    number: int = 0
    source: str = ""
    starts_place: Place | None = None

    @property
    def single(self) -> bool:
        return self.copies == 1 and not self.per_player


@dataclass(eq=False)
class Zone:
    name: str
    place: Place
    of: list[str]  # [] the table, ["player"], or kinds
    holds: list[str]
    order: str = "set"
    at_most: Any = None
    seen_by: str = "all"
    in_play: bool = False
    refill: str | None = None
    title: str = ""
    text: str = ""
    used: bool = False
    cites: list[str] = field(default_factory=list)


@dataclass(eq=False)
class Resource:
    name: str
    place: Place
    of: str
    low: int | None
    high: int | None
    start: int
    title: str = ""
    text: str = ""
    used: bool = False
    cites: list[str] = field(default_factory=list)


@dataclass(eq=False)
class Param:
    name: str
    type: Type
    py: str


@dataclass(eq=False)
class Routine:
    """A value, a procedure, an action, a component's effect, a hook's body: anything with code."""

    name: str
    what: str  # "value", "procedure", "action", "do", "hook", "flow", "setup", "given"
    place: Place
    params: list[Param] = field(default_factory=list)
    snippet: Any = None  # the Leaf
    tree: Any = None
    code: Any = None  # the checked body: an expression for values, statements otherwise
    gives: Type | None = None
    context: Effect | None = None  # declared inside this effect: may use its memory and `this`
    this: Type | None = None
    cites: list[str] = field(default_factory=list)
    text: str = ""
    title: str = ""
    py: str = ""
    label: Any = None  # checked text of an action
    test: Any = None  # checked `if` of an action
    tests: list[tuple[Any, Any]] = field(default_factory=list)  # (condition, why) of an action
    takes: Any = None  # checked seconds of an action
    abstract: bool = False
    like: str | None = None
    like_place: Place | None = None
    suspends: bool = False
    hooks: list[Rule] = field(default_factory=list)
    changes: list[Rule] = field(default_factory=list)
    used: bool = False
    module: str | None = None
    calls: set[Any] = field(default_factory=set)
    runs: set[str] = field(default_factory=set)  # names of effect slots it may run
    asks: bool = False
    block: int = -1
    families: list[str] = field(default_factory=list)
    draws: bool = False
    source: str = ""
    reads_hidden: bool = False
    knocked: bool = False

    @property
    def id(self) -> str:
        return f"{self.what} {self.name}"


@dataclass(eq=False)
class TableDecl:
    name: str
    place: Place
    params: list[Param]
    gives: Type
    cells: dict[tuple[Any, ...], Any]
    cites: list[str] = field(default_factory=list)
    text: str = ""
    used: bool = False
    cell_places: dict[tuple[Any, ...], Place] = field(default_factory=dict)


@dataclass(eq=False)
class Span:
    name: str
    place: Place
    params: list[Param]
    fields: dict[str, FieldDecl]
    number: int = 0
    cites: list[str] = field(default_factory=list)
    text: str = ""
    hooks: list[Rule] = field(default_factory=list)
    used: bool = False

    @property
    def has_you(self) -> bool:
        return any(p.name == "you" for p in self.params)


@dataclass(eq=False)
class Menu:
    name: str
    place: Place
    actions: list[str]
    picks: Any = None
    stop: Any = None
    prompt: Any = None
    real_time: bool = False
    offers: list[Rule] = field(default_factory=list)
    cites: list[str] = field(default_factory=list)
    text: str = ""
    number: int = 0
    used: bool = False


@dataclass(eq=False)
class Rule:
    """One entry of `rules`: a change of a value, a hook on a procedure, or an offer in a menu."""

    sort: str  # "change", "hook", "offer"
    place: Place
    effect: Effect | None  # None: always in force
    target: str
    op: str = ""  # becomes plus times at_least at_most allow forbid; before after instead; offer
    menu: str | None = None
    whose: str = "mine"
    test: Any = None  # checked `if`
    amount: Any = None  # checked operand of a change
    body: Routine | None = None
    cites: list[str] = field(default_factory=list)
    number: int = 0
    shape: Any = None  # the schema's rule
    module: str | None = None
    params: list[Param] = field(default_factory=list)

    @property
    def id(self) -> str:
        return f"rule {self.op} {self.target} at {self.place.file}:{self.place.line}"


@dataclass(eq=False)
class Effect:
    """Something that may stand: declared under `effects`, or the rules of a component."""

    name: str
    place: Place
    params: list[Param] = field(default_factory=list)
    component: Component | None = None
    kind: str | None = None  # the kind of `this`
    lasts: str | None = None  # a span, a procedure, `game` or `seconds`
    count: int = 1  # `lasts: 2 cards`, or the seconds
    lasts_while: Any = None
    times: Any = None
    stacks: bool = True
    memory: dict[str, FieldDecl] = field(default_factory=dict)
    rules: list[Rule] = field(default_factory=list)
    do: Routine | None = None
    cites: list[str] = field(default_factory=list)
    text: str = ""
    title: str = ""
    number: int = 0
    used: bool = False
    module: str | None = None
    shape: Any = None
    source: str = ""


@dataclass(eq=False)
class Option:
    name: str
    place: Place
    sort: str  # "switch", "number", "choice", "choices"
    start: Any
    text: str = ""
    choices: list[str] = field(default_factory=list)
    low: int | None = None
    high: int | None = None
    kind: str | None = None
    used: bool = False
    cites: list[str] = field(default_factory=list)


@dataclass(eq=False)
class ModuleDecl:
    name: str
    place: Place
    text: str = ""
    when: Any = None
    cites: list[str] = field(default_factory=list)


@dataclass(eq=False)
class Board:
    name: str
    place: Place
    of: str
    sort: str  # "grid", "ring", "line", "rings", "graph"
    columns: int = 0
    rows: int = 0
    per_player: bool = False
    first_column: int = 1
    first_row: int = 1
    numbered: bool = False  # its places are called by their numbers, else `a1`
    down: bool = False  # whether rows are counted from the top
    headings: str | None = None
    shapes: str | None = None
    drawings: dict[str, tuple[str, ...]] = field(default_factory=dict)  # rows from the top
    rings: str | None = None
    edges: str | None = None
    links: dict[str, list[str]] = field(default_factory=dict)
    link_places: dict[str, Place] = field(default_factory=dict)
    word_place: Place | None = None  # of its `edges` or `rings`
    of_place: Place | None = None
    cites: list[str] = field(default_factory=list)


@dataclass(eq=False)
class Plane:
    """A board on which discs lie anywhere. It is a zone too, of the same name."""

    name: str
    place: Place
    width: int
    height: int
    holds: list[str]
    fixed: list[str] = field(default_factory=list)
    flat: list[str] = field(default_factory=list)  # no obstacle to others
    reach: int = 0
    contact: Any = None  # a Leaf, then the Routine of the value
    bounce: int = 80
    cites: list[str] = field(default_factory=list)


@dataclass(eq=False)
class Model:
    name: str = ""
    place: Place | None = None  # of its name
    title: str = ""
    about: str = ""
    version: str = ""
    least: int = 2
    most: int = 2
    symbols: dict[str, list[str]] = field(default_factory=dict)
    symbol_places: dict[str, Place] = field(default_factory=dict)
    headings: str | None = None  # the four directions of all grids
    game_fields: dict[str, FieldDecl] = field(default_factory=dict)
    player_fields: dict[str, FieldDecl] = field(default_factory=dict)
    resources: dict[str, Resource] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)
    components: dict[str, Component] = field(default_factory=dict)
    zones: dict[str, Zone] = field(default_factory=dict)
    boards: dict[str, Board] = field(default_factory=dict)
    planes: dict[str, Plane] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)
    values: dict[str, Routine] = field(default_factory=dict)
    tables: dict[str, TableDecl] = field(default_factory=dict)
    procedures: dict[str, Routine] = field(default_factory=dict)
    actions: dict[str, Routine] = field(default_factory=dict)
    menus: dict[str, Menu] = field(default_factory=dict)
    effects: dict[str, Effect] = field(default_factory=dict)  # declared ones and those of components
    rules: list[Rule] = field(default_factory=list)
    options: dict[str, Option] = field(default_factory=dict)
    modules: dict[str, ModuleDecl] = field(default_factory=dict)
    setup: Routine | None = None
    flow: Routine | None = None
    score: Routine | None = None
    wins: Routine | None = None
    drawing: Any = None
    clauses: dict[str, Any] = field(default_factory=dict)
    cited: list[tuple[str, Any]] = field(default_factory=list)  # clause id, what cites it
    clause_places: dict[str, Place] = field(default_factory=dict)  # where each is first cited
    words: dict[str, str] = field(default_factory=dict)  # plural -> kind

    @property
    def clocked(self) -> bool:
        """Whether time is a part of this game."""
        return (
            any(kind.timer for kind in self.kinds.values())
            or any(menu.real_time for menu in self.menus.values())
            or any(effect.lasts == "seconds" for effect in self.effects.values())
        )

    def is_timer(self, kind: str | None) -> bool:
        current = kind
        while current is not None:
            if self.kinds[current].timer:
                return True
            current = self.kinds[current].parent
        return False

    def family(self, kind: str) -> list[str]:
        """A kind and all kinds that are like it."""
        found = [kind]
        for child in self.kinds[kind].children:
            found += self.family(child.name)
        return found

    def is_like(self, kind: str, other: str | None) -> bool:
        current: str | None = kind
        while current is not None:
            if current == other:
                return True
            current = self.kinds[current].parent if current in self.kinds else None
        return other is None

    def field_of(self, kind: str | None, name: str) -> FieldDecl | None:
        current = kind
        while current is not None:
            found = self.kinds[current].fields.get(name)
            if found is not None:
                return found
            current = self.kinds[current].parent
        return None

    def fields_of(self, kind: str) -> dict[str, FieldDecl]:
        found: dict[str, FieldDecl] = {}
        current: str | None = kind
        while current is not None:
            found = {**self.kinds[current].fields, **found}
            current = self.kinds[current].parent
        return found

    def inherited(self, kind: str, what: str) -> Any:
        """The nearest non-empty attribute up the line of kinds."""
        current: str | None = kind
        while current is not None:
            found = getattr(self.kinds[current], what)
            if found:
                return found
            current = self.kinds[current].parent
        return getattr(self.kinds[kind], what)

    def grid_of(self, kind: str | None) -> Board | None:
        """The grid whose places are of this kind, if they are."""
        board = self.boards.get(self.inherited(kind, "board") or "") if kind in self.kinds else None
        return board if board is not None and board.sort == "grid" else None

    def disc(self, kind: str) -> int:
        """The radius of the pieces of a kind; 0 if they are no discs."""
        return int(self.inherited(kind, "disc"))

    def discs(self, kind: str | None) -> list[str]:
        """The kinds of discs that a piece of this kind (None: of any) may be."""
        family = self.family(kind) if kind is not None else list(self.kinds)
        return [k for k in family if self.disc(k)]

    def zones_of(self, kind: str) -> list[Zone]:
        return [z for z in self.zones.values() if any(self.is_like(kind, o) for o in z.of if o != "player")]
