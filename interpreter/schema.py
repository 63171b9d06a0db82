"""The shapes of ruleset files, as strict pydantic models.

Takes the nodes that `source` read, gives models whose leaves still know their place. Knows which
keys may stand where; knows no game, looks up no name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    GetJsonSchemaHandler,
    PlainValidator,
    ValidationError,
    WithJsonSchema,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from .diagnostics import Place, Problems, suggest
from .source import Mapping, Node, Scalar, Sequence


class Leaf(str):
    """A scalar of a file: its text, its YAML value and its node (with the place)."""

    value: Any  # None, bool, int, float or str: the shapes have checked which
    scalar: Scalar
    key: Leaf | None = None  # the key that it is the value of

    @property
    def place(self) -> Place:
        return self.scalar.place


def leaf(scalar: Scalar) -> Leaf:
    made = Leaf(scalar.text)
    made.value, made.scalar = scalar.value, scalar
    return made


def plain(node: Node) -> Any:
    """Nodes as dicts and lists, for pydantic; scalars stay leaves."""
    if isinstance(node, Mapping):
        made = {leaf(key): plain(value) for key, value in node.entries}
        for key, value in made.items():
            if isinstance(value, Leaf):
                value.key = key
        return made
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    assert isinstance(node, Scalar)
    return leaf(node)


def _leaf_type(what: str, fits: Callable[[Leaf], bool], schema: dict[str, Any]) -> Any:
    def check(value: Any) -> Leaf:
        if not isinstance(value, Leaf) or not fits(value):
            raise PydanticCustomError("shape", f"expected {what}")
        return value

    return Annotated[Leaf, PlainValidator(check), WithJsonSchema(schema)]


MOST_ATTEMPTS = 6  # to find out what is left of a file when the wrong parts are taken away
IDENTIFIER = re.compile(r"[a-z][a-z0-9_]*\Z")

if TYPE_CHECKING:
    Word = Leaf
    Said = Leaf
    Whole = Leaf
    Truth = Leaf
    Snippet = Leaf
    Cell = Leaf
else:
    Word = _leaf_type(
        "a name in small letters, like `snow_drop`",
        lambda x: isinstance(x.value, str) and bool(IDENTIFIER.match(x)),
        {"type": "string", "pattern": "^[a-z][a-z0-9_]*$"},
    )
    Said = _leaf_type("a text", lambda x: isinstance(x.value, str), {"type": "string"})
    Whole = _leaf_type("a whole number", lambda x: type(x.value) is int, {"type": "integer"})
    Truth = _leaf_type("true or false", lambda x: isinstance(x.value, bool), {"type": "boolean"})
    Snippet = _leaf_type(
        "a sentence of the effect language",
        lambda x: x.value is not None,
        {"type": ["string", "number", "boolean"]},
    )
    Cell = _leaf_type("a single value", lambda x: True, {"type": ["string", "number", "boolean", "null"]})


class Shape(BaseModel):
    model_config = ConfigDict(
        extra="forbid", strict=True, arbitrary_types_allowed=True, use_attribute_docstrings=True
    )


class _Short:
    """Lets a bare scalar stand for a mapping with one key: `movement(you): 3` for `{is: 3}`."""

    def __init__(self, key: str) -> None:
        self.key = key

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {"anyOf": [handler(core), {"type": ["string", "number", "boolean", "null"]}]}


def _wrap(key: str) -> BeforeValidator:
    def wrap(value: Any) -> Any:
        if isinstance(value, Leaf):
            return {key: value} if value.value is not None else {}
        return value

    return BeforeValidator(wrap)


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, Leaf) else value


Words = Annotated[list[Word], BeforeValidator(_listed)]
Cites = Annotated[list[Said], BeforeValidator(_listed)]
Fields = dict[Said, Snippet]


class Cited(Shape):
    cites: Cites = []
    """Clauses of the rulebook that this rule carries out."""
    text: Said | None = None
    """What it means, in words for people."""


class Option(Cited):
    start: Cell | None = None
    """What it is when nobody says otherwise."""
    low: Whole | None = None
    high: Whole | None = None
    one_of: Words | None = None
    """The names to choose one from."""
    some_of: Word | None = None
    """A kind whose named components are listed, separated by commas."""


class Resource(Cited):
    of: Word | None = None
    """`player` (the default) or `game`."""
    low: Whole | None = None
    high: Whole | None = None
    start: Whole | None = None
    name: Said | None = None


class Kind(Cited):
    like: Word | None = None
    abstract: Truth | None = None
    has: Fields = {}
    """Fields and their types. A printed field gets its value from the component."""
    faces: dict[Word, Fields] = {}
    """Faces of a two-sided piece, each with fields of its own."""
    seen_by: dict[Word, Word] = {}
    """Who sees which face while it lies down: all or nobody."""
    does: Words = []
    """Named effects that components of this kind may carry, like `used` or `built`."""
    sides: Word | None = None
    """Symbols of which a tile shows one on each of its four sides; it can be turned."""
    count: Whole | None = None
    per_player: Whole | None = None
    timer: Truth | None = None
    """Whether its pieces are timers: idle, running or usable, perhaps on a target."""
    starts: Word | None = None
    """The zone in which its pieces begin."""
    disc: Whole | None = None
    """Its pieces are discs of this radius and may lie on a plane."""
    name: Said | None = None
    many: Said | None = None
    """The plural, where it is not the kind with an s."""


class Component(Cited):
    model_config = ConfigDict(
        extra="allow", strict=True, arbitrary_types_allowed=True, use_attribute_docstrings=True
    )

    table: Said | None = None
    name: Said | None = None
    like: Word | None = None
    copies: Whole | None = None
    per_player: Whole | None = None
    starts: Word | None = None
    do: Snippet | None = None
    rules: list[Rule] = []
    lasts: Snippet | None = None
    lasts_while: Snippet | None = None
    times: Snippet | None = None
    stacks: Truth | None = None
    memory: Fields = {}
    actions: dict[Said, ShortAction] = {}
    procedures: dict[Said, ShortProcedure] = {}
    values: dict[Said, ShortValue] = {}
    effects: dict[Said, Effect] = {}


class Zone(Cited):
    of: Words = []
    """Whose it is: player, or kinds of pieces that carry one each."""
    holds: Words = []
    order: Literal["set", "stack", "line"] | None = None
    at_most: Snippet | None = None
    seen_by: Word | None = None
    """all (the default), owner, or nobody."""
    in_play: Truth | None = None
    """Whether the rules of the pieces in it stand."""
    refill: Word | None = None
    """The pile that is shuffled into this one when it runs dry."""
    name: Said | None = None


class Board(Cited):
    of: Word | None = None
    """The kind whose pieces are the places of this board."""
    grid: Said | None = None
    """Its size, like `7 by 6`: columns and rows."""
    per_player: Truth | None = None
    """Whether every player has such a grid."""
    columns: Snippet | None = None
    """The numbers of its columns from the left, like `3 to 11`."""
    rows: Snippet | None = None
    """The numbers of its rows from below, or from the top with `down: true`."""
    down: Truth | None = None
    headings: Word | None = None
    """Four symbols, clockwise, the first one upwards: the directions on this grid."""
    shapes: Word | None = None
    """Symbols, each of which is a shape that is drawn under `drawings`."""
    drawings: dict[Word, Said] = {}
    """For each shape its rows from the top, a letter a square; `.` is no part of it."""
    ring: Truth | None = None
    line: Truth | None = None
    rings: Word | None = None
    """A field: places with the same value in it form a ring, in their order."""
    edges: Word | None = None
    """The kind whose pieces join two places (fields `a` and `b`)."""
    links: Said | None = None
    """Lines of neighbours: `rome: pisa ostia`."""
    plane: Cell | None = None
    """Its size, like `6000 by 4000`: width and height of a board on which discs lie anywhere."""
    holds: Words = []
    """The kinds of discs that may lie on a plane."""
    fixed: Words = []
    """Those of them that never move."""
    flat: Words = []
    """Those of them that are no obstacle: others slide over them and may lie on them."""
    reach: Whole | None = None
    """How far a disc alone slides when it is flicked with power 100."""
    contact: Word | None = None
    """A value of the flicked disc and the disc it touches: does it bounce or halt?"""
    bounce: Whole | None = None
    """Percent of the speed with which discs part after a touch; 80 if left out."""


class Span(Cited):
    has: Fields = {}


class Value(Cited):
    is_: Snippet
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
        validate_by_alias=True,
        alias_generator=lambda name: name.rstrip("_"),
    )


class Table(Cited):
    gives: Said | None = None
    """The type of its cells; number if left out."""
    rows: Said | dict[Word, Cell] | list[Cell]


class Procedure(Cited):
    do: Snippet
    gives: Said | None = None
    """The type of what it returns."""


class Action(Cited):
    model_config = Value.model_config
    if_: Snippet | None = None
    why: Said | None = None
    """The answer when somebody asks why `if` keeps it off the menu."""
    do: Snippet | None = None
    like: Word | None = None
    abstract: Truth | None = None
    label: Said | None = None
    takes: Snippet | None = None
    """Seconds that its player is busy with it in a real-time menu; 1 if left out."""


class Menu(Cited):
    actions: Words
    picks: Snippet | None = None
    stop: Said | None = None
    """The label of the choice that closes the menu; without it a menu closes after its picks."""
    prompt: Said | None = None
    real_time: Truth | None = None
    """Whether everybody who is not busy may act, under the clock."""


class Rule(Cited):
    model_config = Value.model_config
    change: Word | None = None
    becomes: Snippet | None = None
    plus: Snippet | None = None
    times: Snippet | None = None
    at_least: Snippet | None = None
    at_most: Snippet | None = None
    allow: Snippet | None = None
    forbid: Snippet | None = None
    when: Snippet | None = None
    do: Snippet | None = None
    offers: Word | None = None
    in_: Word | None = None
    if_: Snippet | None = None
    whose: Literal["mine", "others", "all"] | None = None


class Effect(Cited):
    do: Snippet | None = None
    rules: list[Rule] = []
    lasts: Snippet | None = None
    lasts_while: Snippet | None = None
    times: Snippet | None = None
    stacks: Truth | None = None
    memory: Fields = {}
    name: Said | None = None
    actions: dict[Said, ShortAction] = {}
    procedures: dict[Said, ShortProcedure] = {}
    values: dict[Said, ShortValue] = {}


class End(Cited):
    score: Snippet | None = None
    wins: Snippet | None = None
    values: dict[Said, ShortValue] = {}


class Drawn(Shape):
    model_config = Value.model_config
    line: Said | None = None
    each: Snippet | None = None
    """A binding, like `p in planets_in_row()`."""
    if_: Snippet | None = None
    lines: list[ShortDrawn] = []
    across: Said | None = None
    """Joins what `each` gives side by side, with this text between."""
    grid: Snippet | None = None
    """A binding of places of a grid, each drawn by `lines` where it lies."""
    numbers: Truth | None = None
    """Whether a drawn grid has the numbers of its rows and columns around it; true if left out."""
    canvas: Snippet | None = None
    """A binding over a plane, like `d in galaxy`: its discs are drawn as on a map."""
    width: Whole | None = None
    """How many letters wide the map is; 72 if left out."""
    mark: Snippet | None = None
    """What is written where a disc lies, an expression."""
    orbit: Snippet | None = None
    """The radius of a circle around a disc, an expression; none: no circle."""


class Game(Shape):
    has: Fields = {}


ShortValue = Annotated[Value, _wrap("is"), _Short("is")]
ShortProcedure = Annotated[Procedure, _wrap("do"), _Short("do")]
ShortAction = Annotated[Action, _wrap("do"), _Short("do")]
ShortDrawn = Annotated[Drawn, _wrap("line"), _Short("line")]
ShortKind = Annotated[Kind, _wrap("like"), _Short("like")]
ShortSpan = Annotated[Span, _wrap("text"), _Short("text")]
ShortComponent = Annotated[Component, _wrap("table"), _Short("table")]
ShortTable = Annotated[Table, _wrap("rows"), _Short("rows")]
ShortDo = Annotated[Procedure, _wrap("do"), _Short("do")]
ShortResource = Annotated[Resource, _wrap("text"), _Short("text")]
ShortZone = Annotated[Zone, _wrap("text"), _Short("text")]


class Part(Shape):
    """The sections that any file of a ruleset, and any module, may have."""

    symbols: dict[Word, Words] = {}
    game: Game | None = None
    resources: dict[Word, ShortResource] = {}
    kinds: dict[Word, ShortKind] = {}
    components: dict[Word, dict[Word, ShortComponent]] = {}
    zones: dict[Word, ShortZone] = {}
    boards: dict[Word, Board] = {}
    spans: dict[Said, ShortSpan] = {}
    values: dict[Said, ShortValue] = {}
    tables: dict[Said, ShortTable] = {}
    procedures: dict[Said, ShortProcedure] = {}
    actions: dict[Said, ShortAction] = {}
    menus: dict[Word, Menu] = {}
    rules: list[Rule] = []
    effects: dict[Said, Effect] = {}


class Module(Part):
    text: Said | None = None
    when: Snippet | None = None
    """The switch (an option) that brings the module into the game."""
    cites: Cites = []


class File(Part):
    """Any file of a ruleset; the first one, `ruleset.yaml`, also has the header."""

    ruleset: Word | None = None
    title: Said | None = None
    about: Said | None = None
    version: Cell | None = None
    players: Snippet | None = None
    files: list[Said] = []
    options: dict[Word, Option] = {}
    modules: dict[Word, Module] = {}
    setup: ShortDo | None = None
    flow: ShortDo | None = None
    end: End | None = None
    table: list[ShortDrawn] = []


class Clause(Shape):
    model_config = ConfigDict(extra="allow", strict=True, arbitrary_types_allowed=True)
    id: Said
    clause: Said


class Scenario(Shape):
    model_config = Value.model_config
    scenario: Said
    proves: Cites = []
    players: Whole | None = None
    seed: Whole | None = None
    options: dict[Word, Cell] = {}
    at: Word | None = None
    """The menu, action, span or procedure at whose first decision it starts."""
    given: Snippet | None = None
    when: list[dict[Word, Cell] | Said] = []
    then: list[Snippet | dict[Word, Any]] = []


for _model in (Component, Effect, Rule, Part, Module, File, Drawn, End):
    _model.model_rebuild()


def shape(node: Node | None, model: type[Shape], problems: Problems, lost: set[str] | None = None) -> Any:
    """The model of a file, with problems told where they stand.

    What has no right shape is left out, so that the rest can still be checked; the names that went
    with it are added to `lost`. None if nothing is left.
    """
    if node is None:
        return None
    if not isinstance(node, Mapping):
        problems.error(node.place, "wrong-shape", "expected sections here, like `kinds:` and `actions:`")
        return None
    for attempt in range(MOST_ATTEMPTS):
        try:
            return model.model_validate(plain(node))
        except ValidationError as error:
            items = error.errors(include_url=False)
            if not attempt:
                _report(items, node, model, problems)
            if lost is None or not _leave_out(items, node, lost):
                return None
    return None


IN_QUOTES = "inside `{ }` a sentence with a comma stands in quotes, or write it as a block"
MEANT = {"minus": "to take away, write `plus: -…`", "less": "to take away, write `plus: -…`"}


def is_split(key: str, value: Any) -> bool:
    """Whether a key is the rest of a sentence that a comma inside `{ }` has cut in two: words, and no value."""
    cut = key.count(")") > key.count("(") or key.count("]") > key.count("[")
    held = getattr(value, "scalar", value)
    return cut or (" " in key and isinstance(held, Scalar) and held.value is None and not held.text)


def _report(items: list[Any], node: Node, model: type[BaseModel], problems: Problems) -> None:
    """One problem for each thing of a wrong shape, however many shapes it could have had."""
    wanted: dict[Place, list[str]] = {}
    for item in items:
        found, key = _find(node, item["loc"])
        kind, last = item["type"], str(item["loc"][-1]) if item["loc"] else ""
        if kind == "extra_forbidden":
            known = sorted(_keys_at(model, item["loc"][:-1]))
            if is_split(last, found):
                problems.error(
                    key.place if key is not None else found.place,
                    "comma-in-braces",
                    "the comma before this has split a sentence in two",
                    hint=IN_QUOTES,
                )
                continue
            problems.error(
                key.place if key is not None else found.place,
                "unknown-key",
                f"nothing here is called `{last}`",
                hint=MEANT.get(last, "") or _listing(known),
                suggestion=suggest(last, known),
            )
        elif kind == "missing":
            problems.error(_head(found), "missing-key", f"`{last}` is missing here")
        else:
            message = str(item["msg"]) if kind == "shape" else _plain_words(kind, item)
            wanted.setdefault(_head(found), []).append(message)
    for place, messages in wanted.items():
        shapes = list(dict.fromkeys(m.removeprefix("expected ") for m in messages))
        one = len(shapes) == 1 or any(not m.startswith("expected ") for m in messages)
        problems.error(place, "wrong-shape", messages[0] if one else f"expected {' or '.join(shapes)}")


def _leave_out(items: list[Any], node: Mapping, lost: set[str]) -> bool:
    """Takes away what was told of, or what lacks a part."""
    for item in items:
        way = _way(node, item["loc"])
        if item["type"] != "missing" and len(way) < 2:
            return False
        above, below = (way[-2], way[-1]) if len(way) > 1 else (None, way[-1])
        if isinstance(above, Mapping):
            lost |= {n for key, value in above.entries if value is below for n in _names(key.text, value)}
            above.entries = [entry for entry in above.entries if entry[1] is not below]
        elif isinstance(above, Sequence):
            lost |= _names("", below)
            above.items = [other for other in above.items if other is not below]
        else:
            return False
    return True


def _way(node: Node, loc: tuple[Any, ...]) -> list[Node]:
    found = [node]
    for step in loc:
        below, _ = _find(found[-1], (step,))
        if below is not found[-1]:
            found.append(below)
    return found


def _names(key: str, node: Node) -> set[str]:
    """Names that are declared in a part: the words before brackets and colons."""
    found = {key.split("(")[0]} if key else set()
    if isinstance(node, Mapping):
        for inner, value in node.entries:
            found |= _names(inner.text, value)
    elif isinstance(node, Sequence):
        for item in node.items:
            found |= _names("", item)
    elif isinstance(node, Scalar):
        found |= set(re.findall(r"[a-z_][a-z0-9_]*", node.text[:5_000]))
    return found


def _head(node: Node) -> Place:
    if isinstance(node, Mapping) and node.entries:
        return node.entries[0][0].place
    return node.place


def _listing(known: list[str]) -> str:
    return "known here: " + ", ".join(known) if known else ""


def _plain_words(kind: str, item: Any) -> str:
    if kind in ("model_type", "dict_type", "model_attributes_type"):
        return "expected `key: value` lines here"
    if kind == "list_type":
        return "expected a list here"
    if kind == "literal_error":
        return "expected " + str(item.get("ctx", {}).get("expected", "another word")).replace("'", "`")
    return "this cannot stand here: " + str(item["msg"]).lower()


def _find(node: Node, loc: tuple[Any, ...]) -> tuple[Node, Scalar | None]:
    """The node at a pydantic `loc`, which also holds names of types that are in no file."""
    key: Scalar | None = None
    for step in loc:
        if isinstance(node, Mapping):
            hit = next(((k, v) for k, v in node.entries if k.text == str(step)), None)
            if hit is not None:
                key, node = hit
        elif isinstance(node, Sequence) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
    return node, key


def _keys_at(model: type[BaseModel], loc: tuple[Any, ...]) -> list[str]:
    """Which keys could stand where an unknown one stood."""
    current: Any = model
    for step in loc:
        nxt = None
        if isinstance(current, type) and issubclass(current, BaseModel):
            for name, info in current.model_fields.items():
                if (info.alias or name) == str(step):
                    nxt = info.annotation
            current = nxt if nxt is not None else current
        if not (isinstance(current, type) and issubclass(current, BaseModel)):
            current = _inner(current)
    while current is not None and not (isinstance(current, type) and issubclass(current, BaseModel)):
        current = _inner(current)
    if current is None:
        return []
    return [info.alias or name for name, info in current.model_fields.items()]


def _inner(annotation: Any) -> Any:
    for part in reversed(getattr(annotation, "__args__", ())):
        if isinstance(part, type) and issubclass(part, BaseModel):
            return part
        if getattr(part, "__args__", None):
            return part
    return None


def json_schema() -> dict[str, Any]:
    """JSON Schema of ruleset files, for editors."""
    schema = File.model_json_schema(by_alias=True)
    schema["title"] = "Orrery ruleset"
    return schema
