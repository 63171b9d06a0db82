"""Data flows downwards: a room imports only rooms before it. And no room knows a game.

The table below is the order in which a ruleset becomes a game; `docs/architecture.md` tells it in words.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from orrery.interpreter.check import tables
from orrery.interpreter.face import Rules, bundled, load

ROOT = Path(__file__).parent.parent
ROOM = ROOT / "interpreter"

# From the first room to the last. A package stands behind its modules: it puts them together.
ORDER = """
    diagnostics codes source
    schema syntax parse
    types model
    declare.cells declare.base declare.grids declare.things declare.components declare.routines declare.planes
    declare.whole declare ir
    check.tables check.scope check.core check.fields check.names check.expressions check.queries
    check.grids check.sentences check.moves check.verbs check.statements check.rules check.hidden check.timing check.whole check
    slots
    compile.grids compile.shapes compile.queries compile.expressions compile.heads compile.reading compile.inlining
    compile.keeping compile.deciding compile.weave compile.whys compile.grounding compile.tracking compile.indexes
    compile.gathering
    compile.recall compile.resting compile.costs compile.moving compile.picking compile.questions
    compile.sentences compile.statements compile.bounds compile.drawing compile.image compile
    load
    runtime.lent runtime.steps runtime.effects runtime.hooks runtime.knowing runtime.asking runtime.driving runtime.menus
    runtime.pieces runtime.grids runtime.values runtime.clock runtime.discs runtime knock geometry sliding canvas
    paths openings masks fitting layout bind compass speak game aim timed driver knowledge saves
    scenarios trace
    face spoken bots simulate session live
    shell.screen shell.answers shell.show shell.lookup shell.scaffold shell.wishes shell.play shell.live shell.again
    shell.start shell.reports shell.profile shell
    cli
""".split()

# A method of a game that opens a later room when it is called: `game.view`, `game.save` and their kin.
DOORS = {("game", "knowledge"), ("game", "saves")}

# What only these rooms may import: speed of start hangs on it.
HEAVY = {
    "lark": {"parse"},
    "pydantic": {"schema"},
    "pydantic_core": {"schema"},
    "ruamel": {"source"},
    "rich": {"shell.screen", "shell.start"},
    "joblib": {"simulate"},
    "click": {"cli"},
    "pymunk": set(),  # the referee of tests and benchmarks; games do without
}


def room_of(path: Path) -> str:
    if path == ROOT / "cli.py":
        return "cli"
    parts = path.relative_to(ROOM).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


PATHS = [p for p in sorted(ROOM.rglob("*.py")) if p != ROOM / "__init__.py" and "template" not in p.parts] + [
    ROOT / "cli.py"
]


def imported(path: Path) -> set[str]:
    """Names of the rooms that a file imports, anywhere in it."""
    package = ["orrery", *path.relative_to(ROOT).parent.parts]
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            module = [*start, *(node.module.split(".") if node.module else [])]
            found |= {".".join([*module, name.name]) for name in node.names}
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
    rooms: set[str] = set()
    for name in found:
        bare = name.removeprefix("orrery.").removeprefix("interpreter.")
        while bare and bare not in ORDER:
            bare = bare.rpartition(".")[0]
        if bare and name.startswith("orrery."):
            rooms.add(bare)
    return rooms - {room_of(path)}


@pytest.mark.parametrize("path", PATHS, ids=[room_of(p) for p in PATHS])
def test_a_room_imports_only_rooms_before_it(path: Path) -> None:
    room = room_of(path)
    assert room in ORDER, f"{room} has no place in the table of rooms"
    late = [r for r in imported(path) if ORDER.index(r) > ORDER.index(room) and (room, r) not in DOORS]
    assert not late, f"{room} imports {', '.join(sorted(late))}, which come after it"


def test_the_table_names_no_room_that_is_gone() -> None:
    assert set(ORDER) == {room_of(p) for p in PATHS}


@pytest.mark.parametrize("path", PATHS, ids=[room_of(p) for p in PATHS])
def test_heavy_libraries_stay_where_they_are_used(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [n.name for n in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and not node.level and node.module:
            names = [node.module]
        for name in names:
            allowed = HEAVY.get(name.split(".")[0])
            assert allowed is None or room_of(path) in allowed, f"{room_of(path)} imports {name}"


# ---- no room knows a game ----
#
# At play, what a ruleset declares exists only as text, so a rule of a game could only get into the
# engine as a string that equals one of its names. Therefore no string of the engine is the name of a
# thing or a deed of a bundled ruleset. Names of pieces, and names of several words, are a game's own
# more surely than others: these stand nowhere at all, not even in a comment. Free are the words that
# docs/language.md defines, and those below.

ENGINE = [
    *PATHS,
    *sorted((ROOT / "grammar").glob("*")),
    *(p for p in sorted(ROOM.rglob("*.md")) if "template" not in p.parts),
]

# Words for the engine's own parts, which a game happens to use as well. Each was looked at.
OWN = {
    "at_once": "a sentence of the tree",
    "back": "what a hidden piece shows",
    "call": "a sentence of the tree",
    "chain": "frames on the way out of a span",
    "check": "a room",
    "component": "a piece with a name, in the tree of rules",
    "d0": "a name in generated code",
    "drawing": "the table in text",
    "duplicate": "a key that stands twice",
    "effect_of": "which effect a piece carries",
    "engine": "the version that wrote a save",
    "fold": "a query of the tree",
    "fuel": "steps that are left",
    "generator": "how results of workers come back",
    "green": "a colour of the terminal",
    "heavy": "an expression that costs much",
    "human": "a player at the keyboard",
    "item": "one thing of a list",
    "items": "the things of a list",
    "load": "a function of the public face",
    "random": "a bot",
    "red": "a colour of the terminal",
    "yellow": "a colour of the terminal",
}
HABITS = {*tables.OTHER_WORDS, *tables.OTHER_NAMES, *tables.OTHER_FUNCTIONS}  # "did you mean …?"


@cache
def words_of_the_language() -> frozenset[str]:
    """All that stands in `code` in the reference, outside of its examples."""
    text = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    text = re.sub(r"(?ms)^ *(`{3,}).*?^ *\1 *$", "", text)
    spans = re.findall(r"`([^`\n]+)`", text)
    return frozenset(word for span in spans for word in re.findall(r"[a-z_]+", span))


def free() -> frozenset[str]:
    return words_of_the_language() | OWN.keys() | HABITS


def all_names(rules: Rules) -> set[str]:
    """All that a ruleset declares."""
    image = rules.image
    found = {thing.id for thing in rules.things()} | things_and_deeds(rules)
    found |= {field["name"] for field in (*image["fields"], *image["game"])}
    found |= {f["name"] for span in image["spans"] for f in span["fields"]}
    found |= {m["name"] for effect in image["effects"] for m in effect["memory"]}
    return found | {rules.name}


def things_and_deeds(rules: Rules) -> set[str]:
    """What players see and do: pieces, kinds, symbols, zones, actions, spans and the like."""
    image = rules.image
    found = {*image["components"], *image["zones"], *image["resources"], *image["boards"]}
    found |= {*image["options"], *image["modules"]}
    found |= {part["name"] for group in ("kinds", "spans", "menus") for part in image[group]}
    found |= {r["name"] for r in image["routines"] if r["what"] == "action"}
    return found | {word for words in image["symbols"].values() for word in words}


def strings_of(path: Path) -> set[str]:
    """String literals that are no docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    said = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said
    }


@pytest.mark.parametrize("name", bundled())
def test_no_word_of_a_game_stands_in_the_engine(name: str) -> None:
    rules = load(name)
    seen = things_and_deeds(rules) - free()
    proper = {n for n in all_names(rules) if "_" in n} | set(rules.image["components"])
    proper = {n for n in proper if len(n) > 2} - free()  # `a` and `b1` are nobody's words
    found = set()
    for path in ENGINE:
        text = path.read_text(encoding="utf-8")
        found |= {(path.name, word) for word in proper & set(re.findall(r"[a-z][a-z0-9_]*", text.lower()))}
        if path.suffix == ".py":
            found |= {(path.name, word) for word in seen & strings_of(path) if len(word) > 1}
        elif path.suffix == ".lark":
            found |= {(path.name, word) for word in seen if f'"{word}"' in text}
    assert not found, f"words of {name} in the engine: {sorted(found)}"


def test_the_language_does_not_define_a_game() -> None:
    """The reference could free any word by naming it; a piece of the big games it must not name."""
    pieces = {c for name in bundled() for c in load(name).image["components"] if len(c) > 2}
    assert not pieces & words_of_the_language()
