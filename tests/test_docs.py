"""Every example of the documents is carried out, and the reference is complete.

How a fenced block is read is said at the top of `docs/language.md`; the first words after its fence
decide. Blocks that stand alone are tests of their own; commands, files and Python of one document are
carried out in their order, in a folder made for it.
"""

from __future__ import annotations

import doctest
import os
import random
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from memory import loaded, rules
from orrery.interpreter import bind, parse, runtime, schema, source
from orrery.interpreter.check import statements, tables
from orrery.interpreter.declare import cells
from orrery.interpreter.diagnostics import Problems
from orrery.interpreter.face import Rules
from orrery.interpreter.scenarios import CLAIMS, Bench

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LONGEST = 3_000  # decisions of a random game
GAMES = 3  # random games for each number of players and each option
SILENT = ("", "text", "sh", "json")  # fences that are only looked at
IN_ORDER = ("console", "python", "yaml file")


@dataclass(frozen=True)
class Block:
    """A fenced block: what stands behind its fence, its lines, and where they begin."""

    document: Path
    line: int
    info: str
    text: str

    @property
    def id(self) -> str:
        return f"{self.document.relative_to(ROOT)}:{self.line}: {self.info}"

    def __str__(self) -> str:
        return self.id


def blocks(document: Path) -> Iterator[Block]:
    fence, info, kept, start = "", "", list[str](), 0
    for number, line in enumerate(document.read_text(encoding="utf-8").split("\n"), 1):
        opened = re.match(r"( *)(`{3,})(.*)", line)
        if not fence and opened:
            fence, info, kept, start = opened[2], opened[3].strip(), [], number + 1
        elif fence and line.strip() == fence:
            yield Block(document, start, info, textwrap.dedent("\n".join(kept)) + "\n")
            fence = ""
        elif fence:
            kept.append(line)
    assert not fence, f"{document}: a fence is not closed"


ALL = [block for document in DOCUMENTS if document.is_file() for block in blocks(document)]


# ---- rulesets of the documents ----

Files = dict[str, str]


def with_part(files: Files, part: str) -> Files:
    """A ruleset with one more file, as a designer would add it."""
    name = f"part{len(files)}.yaml"
    main = files["ruleset.yaml"]
    listed = re.search(r"(?m)^files: \[(.*)\]$", main)
    if listed:
        main = main.replace(listed[0], f"files: [{listed[1]}, {name}]")
    else:
        main += f"files: [{name}]\n"
    return {**files, "ruleset.yaml": main, name: part}


def with_effect(files: Files, sentences: str) -> Files:
    """The sentences as an action that a rule offers in the ruleset's first menu."""
    menu = re.search(r"(?m)^menus:\n  ([a-z_]+):", files["ruleset.yaml"])
    assert menu, "the ruleset has no menu to offer the sentences in"
    body = textwrap.indent(sentences, "      ")
    rule = f"rules:\n  - {{offers: example, in: {menu[1]}}}\n"
    return with_part(files, f"actions:\n  example:\n    do: |\n{body}{rule}")


def collect() -> dict[tuple[Path, str], Files]:
    """The named rulesets of all documents, each as its files."""
    found: dict[tuple[Path, str], Files] = {}
    for block in ALL:
        document = block.document
        if match := re.fullmatch(r"yaml ruleset (\w+)", block.info):
            found[document, match[1]] = {"ruleset.yaml": block.text}
        elif match := re.fullmatch(r"yaml part of (\w+) as (\w+)", block.info):
            found[document, match[2]] = with_part(found[document, match[1]], block.text)
    return found


NAMED = collect()


def named(block: Block, name: str) -> Files:
    assert (block.document, name) in NAMED, f"{block}: no ruleset of this document is called {name}"
    return NAMED[block.document, name]


def clean(files: Files, block: Block) -> Rules:
    made = loaded(files)
    assert not made.problems, f"{block}:\n" + "\n".join(map(str, made.problems))
    return rules(made)


def settings(made: Rules) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each number of players; then each option once in another way."""
    for players in range(made.least, made.most + 1):
        yield players, {}
    for name, option in made.options.items():
        if option.kind == "switch":
            yield made.least, {name: not option.start}
        elif option.kind == "number":
            yield made.least, {name: option.low}
        elif option.kind == "choice":
            yield from ((made.least, {name: choice}) for choice in option.choices or [])
        else:
            yield made.most, {name: option.choices}


def play(made: Rules, block: Block, wanted: str = "") -> None:
    """Random games to their end; pieces are never lost, and `wanted` is chosen where it is offered."""
    seen = not wanted
    for players, options in settings(made):
        for seed in range(GAMES):
            game, rng = made.new(players, seed, options), random.Random(seed)
            for _ in range(LONGEST):
                if game.over:
                    break
                decision = game.decision
                assert decision is not None and decision.prompt is not None
                found = decision.find(wanted) if wanted else None
                seen = seen or found is not None
                game.choose(found if found is not None and rng.random() < 0.5 else rng.randrange(game.count))
                held = [x for zone in game.table.zone_at for x in game.S[zone]]
                assert sorted(held) == list(range(game.table.count)), f"{block}: a piece is lost"
            assert game.over, f"{block}: a game did not end"
            assert game.result is not None
            for viewer in (None, *range(players)):
                game.view(viewer), game.drawing(viewer)
    assert seen, f"{block}: the sentences were never offered"


ALONE = [
    block for block in ALL if block.info.split(" ")[0] not in SILENT and not block.info.startswith(IN_ORDER)
]


@pytest.mark.parametrize("block", ALONE, ids=[b.id for b in ALONE])
def test_example(block: Block) -> None:
    info = block.info
    if match := re.fullmatch(r"yaml ruleset \w+", info):
        play(clean({"ruleset.yaml": block.text}, block), block)
    elif match := re.fullmatch(r"yaml part of (\w+)( as \w+)?", info):
        play(clean(with_part(named(block, match[1]), block.text), block), block)
    elif match := re.fullmatch(r"effect in (\w+)", info):
        play(clean(with_effect(named(block, match[1]), block.text), block), block, "example")
    elif match := re.fullmatch(r"yaml wrong ([a-z-]+)(?: in (\w+))?", info):
        files = with_part(named(block, match[2]), block.text) if match[2] else {"ruleset.yaml": block.text}
        found = [problem.code for problem in loaded(files).problems]
        assert set(found) == {match[1]}, f"{block}: {found}"
    elif match := re.fullmatch(r"wrong ([a-z-]+) in (\w+)", info):
        found = [problem.code for problem in loaded(with_effect(named(block, match[2]), block.text)).problems]
        assert set(found) == {match[1]}, f"{block}: {found}"
    elif match := re.fullmatch(r"yaml scenarios of (\w+)", info):
        scenarios({**named(block, match[1]), "scenarios/these.yaml": block.text}, block)
    elif match := re.fullmatch(r"claims of (\w+)", info):
        lines = [line for line in block.text.split("\n") if line.strip() and not line.startswith("#")]
        claims = "".join(f"    - |\n      {line}\n" for line in lines)
        story = f"- scenario: what holds at the first decision\n  then:\n{claims}"
        scenarios({**named(block, match[1]), "scenarios/these.yaml": story}, block)
    elif info == "yaml clauses":
        problems = Problems()
        listed = source.read("clauses.yaml", block.text, problems)
        assert isinstance(listed, source.Sequence) and listed.items
        assert all(schema.shape(item, schema.Clause, problems) for item in listed.items)
    else:
        raise AssertionError(f"{block}: nobody knows what to do with this block")


def scenarios(files: Files, block: Block) -> None:
    base = clean({k: v for k, v in files.items() if not k.startswith("scenarios/")}, block)
    base.source = type(base.source)(files, base.source.problems)  # type: ignore[call-arg, arg-type]
    bench = Bench(base)
    assert not bench.problems.sorted(), f"{block}:\n" + "\n".join(map(str, bench.problems.sorted()))
    for scenario in bench.scenarios:
        outcome = bench.run(scenario)
        assert outcome.passed, f"{block}: {outcome.name}: line {outcome.line}: {outcome.message}"


# ---- what a document does in its order ----

STORIES = [d for d in DOCUMENTS if any(b.document == d and b.info.startswith(IN_ORDER) for b in ALL)]


@pytest.mark.parametrize("document", STORIES, ids=[str(d.relative_to(ROOT)) for d in STORIES])
def test_story(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block in (b for b in ALL if b.document == document and b.info.startswith(IN_ORDER)):
        if match := re.fullmatch(r"yaml file (\S+)", block.info):
            path = tmp_path / match[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.info == "python":
            python(block, names)
        elif block.info == "console":
            console(block, tmp_path)
        else:
            raise AssertionError(f"{block}: nobody knows what to do with this block")


def python(block: Block, names: dict[str, Any]) -> None:
    test = doctest.DocTestParser().get_doctest(block.text, names, block.id, block.id, block.line)
    if not test.examples:
        exec(compile(block.text, block.id, "exec"), names)
        return
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=told.append, clear_globs=False)
    names.update(test.globs)
    assert not runner.failures, "".join(told)


def console(block: Block, folder: Path) -> None:
    """`$ command`, then what it prints; what is typed stands behind `> `, and `…` is anything."""
    steps = re.split(r"(?m)^\$ ", block.text)
    assert not steps[0].strip(), f"{block}: the first line is a command"
    for step in steps[1:]:
        command, _, wanted = step.partition("\n")
        typed = "".join(f"{line[2:]}\n" for line in wanted.split("\n") if line.startswith("> "))
        words = command.split(" #")[0].strip()
        given = {"NO_COLOR": "1", "COLUMNS": "80", "HOME": str(folder), "XDG_DATA_HOME": str(folder / "kept")}
        where = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        done = subprocess.run(
            words,
            shell=True,
            cwd=folder,
            input=typed,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            env={**os.environ, **given, "PATH": where},
        )
        # How far a slow machine has come is told in lines of their own.
        said = done.stdout + re.sub(r"(?m)^[\d,]+ of [\d,]+ games\n", "", done.stderr)
        pattern = ".*?".join(re.escape(part) for part in _squeezed(wanted).split("…"))
        assert re.fullmatch(pattern, _squeezed(said), re.DOTALL), f"{block}: $ {command}\n{said}"


def _squeezed(text: str) -> str:
    """Without blanks at the ends of lines, and without empty lines around the whole."""
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")


# ---- links and tables ----


def prose(document: Path) -> str:
    """A document without its fenced blocks."""
    return re.sub(r"(?ms)^ *(`{3,}).*?^ *\1 *$", "", document.read_text(encoding="utf-8"))


def anchors(document: Path) -> set[str]:
    heads = re.findall(r"(?m)^#+ (.+)$", prose(document))
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


WRITTEN = [document for document in DOCUMENTS if document.is_file()]


@pytest.mark.parametrize("document", WRITTEN, ids=[str(d.relative_to(ROOT)) for d in WRITTEN])
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(document)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        goal = (document.parent / path).resolve() if path else document
        assert goal.exists(), f"{document}: {target}"
        if anchor:
            assert anchor in anchors(goal), f"{document}: {target}"


@pytest.mark.parametrize("document", WRITTEN, ids=[str(d.relative_to(ROOT)) for d in WRITTEN])
def test_tables_have_even_rows(document: Path) -> None:
    columns = 0
    for line in prose(document).split("\n"):
        cells = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
        assert not (columns and cells) or cells == columns, f"{document}: {line}"
        columns = cells


# ---- the reference is complete ----

LANGUAGE = ROOT / "docs" / "language.md"
LIMITS = [
    bind.STEPS,
    runtime.lent.DEEPEST,
    runtime.lent.MOST_EFFECTS,
    source.FILE_BYTES,
    source.ALL_BYTES,
    source.DEPTH,
    source.NODES,
    parse.LONGEST,
    parse.DEEPEST,
    statements.DEEPEST_BLOCK,
    cells.MOST_PIECES,
]


def test_limits_are_told_as_they_are() -> None:
    told = re.search(r"(?s)\| Limit \|.*?\n\n", prose(LANGUAGE))
    assert told
    missing = [f"{limit:,}" for limit in LIMITS if not re.search(rf"(?<![\d,]){limit:,}(?![\d,])", told[0])]
    assert not missing, f"docs/language.md does not tell these limits: {missing}"


def codes_of(text: str) -> set[str]:
    """Every word that stands in `code`."""
    return {word for span in re.findall(r"`([^`\n]+)`", text) for word in re.findall(r"[a-z_]+", span)}


def keys_of_schema() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, model in vars(schema).items():
        if isinstance(model, type) and issubclass(model, schema.Shape) and model is not schema.Shape:
            found[name] = [info.alias or key for key, info in model.model_fields.items()]
    return found


@pytest.mark.parametrize(
    ("what", "words"),
    [
        *((f"the keys of {name}", keys) for name, keys in keys_of_schema().items()),
        ("verbs", tables.VERBS),
        ("queries", tables.FOLDS),
        ("functions", tables.FUNCTIONS),
        ("functions of scenarios", tables.SCENARIO_FUNCTIONS),
        ("claims", CLAIMS),
        ("reserved words", parse.RESERVED),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_reference_is_complete(what: str, words: Any) -> None:
    known = codes_of(prose(LANGUAGE))
    missing = [word for word in words if word not in known]
    assert not missing, f"docs/language.md does not speak of {what}: {', '.join(missing)}"
