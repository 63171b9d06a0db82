"""Wrong rulesets: every mistake is told once, at its very place, under its code, in kind words.

A file of `wrong/` is added to the ruleset in `wrong/base`, or is one by itself if it has a `title:` or
`ruleset:`; `scenario_…` files are scenarios of the base. The guilty line says what is expected at its
end, `#! 14 code: words` (the column may be left out), or on a line of its own below, `#^ …`. The words
stand in the message, the suggestion or the hint. Nothing else may be reported.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from orrery.interpreter.diagnostics import MOST_PROBLEMS, Diagnostic
from orrery.interpreter.face import validate
from used_codes import used_codes

HERE = Path(__file__).parent / "wrong"
CASES = sorted(HERE.glob("*.yaml"))
MARK = re.compile(r"#([!^]) (?:(\d+) )?([a-z-]+): (.+?)\s*$")


class Expected(NamedTuple):
    line: int
    column: int | None
    code: str
    words: str


def expected(text: str) -> list[Expected]:
    found = []
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        mark = MARK.search(line)
        if mark is None:
            continue
        guilty = number
        if mark[1] == "^":
            guilty -= 1
            while MARK.search(lines[guilty - 1]) and lines[guilty - 1].lstrip().startswith("#^"):
                guilty -= 1
        found.append(Expected(guilty, int(mark[2]) if mark[2] else None, mark[3], mark[4]))
    return found


def text_of(case: Path) -> str:
    data = case.read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError:  # one of them is no text
        return data.decode("latin-1")


def lay_out(case: Path, folder: Path) -> str:
    """Writes the ruleset of a case; gives the name of the case's own file in it."""
    data = case.read_bytes()
    if re.search(rb"(?m)^(ruleset|title):", data):
        (folder / "ruleset.yaml").write_bytes(data)
        return "ruleset.yaml"
    for part in (HERE / "base").iterdir():
        (folder / part.name).write_bytes(part.read_bytes())
    if case.name.startswith("scenario_"):
        (folder / "case.yaml").write_text("title: Base\n")
        (folder / "scenarios").mkdir()
        (folder / "scenarios" / "case.yaml").write_bytes(data)
        return "scenarios/case.yaml"
    (folder / "case.yaml").write_bytes(data)
    return "case.yaml"


def told(folder: Path) -> list[Diagnostic]:
    return validate(str(folder))


@pytest.fixture(autouse=True)
def no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORRERY_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_every_mistake_is_told_at_its_place(case: Path, tmp_path: Path) -> None:
    folder = tmp_path / "rules"
    folder.mkdir()
    file = lay_out(case, folder)
    wanted = expected(text_of(case))
    assert wanted, "the case expects nothing"
    found = told(folder)
    shown = "\n".join(f"{p} | {p.suggestion} | {p.hint}" for p in found)
    left = list(found)
    for want in wanted:
        hit = next((p for p in left if (p.line, p.code) == (want.line, want.code)), None)
        assert hit is not None, f"missing {want}; told:\n{shown}"
        left.remove(hit)
        assert Path(hit.file).as_posix().endswith(file)
        assert want.column in (None, hit.column), f"column {hit.column} instead of {want.column}:\n{shown}"
        said = " ".join((hit.message, hit.suggestion, hit.hint))
        assert want.words in said, f"{want.words!r} is not said:\n{shown}"
    assert not left, f"told besides:\n{shown}"


def test_the_base_is_right(tmp_path: Path) -> None:
    for part in (HERE / "base").iterdir():
        (tmp_path / part.name).write_bytes(part.read_bytes())
    (tmp_path / "case.yaml").write_text("title: Base\n")
    assert told(tmp_path) == []


# --- mistakes that are too big for a file, or no file at all ---------------------------------------


def one(folder: Path, case: str) -> Diagnostic:
    for part in (HERE / "base").iterdir():
        (folder / part.name).write_bytes(part.read_bytes())
    (folder / "case.yaml").write_text(case, encoding="utf-8")
    (found,) = told(folder)
    return found


def snippet_too_long(folder: Path) -> Diagnostic:
    return one(folder, "values:\n  long(): " + "1 + " * 2_000 + "1\n")


def ruleset_too_big(folder: Path) -> Diagnostic:
    return one(folder, "values:\n" + "".join(f"  v{n}(): 1\n" for n in range(5_000)))


def yaml_too_big(folder: Path) -> Diagnostic:
    return one(folder, "values:\n  long(): " + "x" * 200_000 + "\n")


def too_many_problems(folder: Path) -> Diagnostic:
    for part in (HERE / "base").iterdir():
        (folder / part.name).write_bytes(part.read_bytes())
    lines = "".join(f"  wrong_{n}(): gorld\n" for n in range(MOST_PROBLEMS + 7))
    (folder / "case.yaml").write_text("values:\n" + lines)
    found = told(folder)
    assert len(found) == MOST_PROBLEMS + 1 and "7 more errors were left out" in found[-1].message
    return found[-1]


def folder_missing(folder: Path) -> Diagnostic:
    from orrery.interpreter.load import load_folder

    (found,) = load_folder(folder / "nowhere").problems
    return found


def file_unreadable(folder: Path) -> Diagnostic:
    path = folder / "ruleset.yaml"
    path.write_text("ruleset: secret\n")
    real = Path.open

    def refuse(self: Path, *args: object, **kwargs: object) -> object:
        if self == path:
            raise PermissionError(13, os.strerror(13))
        return real(self, *args, **kwargs)  # type: ignore[call-overload]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "open", refuse)
        found = told(folder)
    return found[0]


BIG: list[Callable[[Path], Diagnostic]] = [
    snippet_too_long, ruleset_too_big, yaml_too_big, too_many_problems, folder_missing, file_unreadable,
]  # fmt: skip


@pytest.mark.parametrize("make", BIG, ids=lambda make: make.__name__)
def test_what_no_small_file_shows(make: Callable[[Path], Diagnostic], tmp_path: Path) -> None:
    folder = tmp_path / "rules"
    folder.mkdir()
    found = make(folder)
    assert found.code == make.__name__.replace("_", "-")
    assert found.severity == "error" and found.message


def test_every_code_has_a_wrong_ruleset() -> None:
    shown = {want.code for case in CASES for want in expected(text_of(case))}
    shown |= {make.__name__.replace("_", "-") for make in BIG}
    assert sorted(used_codes() - shown) == []
    assert sorted(shown - used_codes()) == []
    assert len(CASES) >= 60
