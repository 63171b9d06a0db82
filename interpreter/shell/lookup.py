"""Reference pages: what a code means, what a ruleset file looks like."""

from __future__ import annotations

import json
import re
from pathlib import Path

from ..diagnostics import suggest
from ..face import UsageError
from ..schema import json_schema
from .screen import Screen

CODES = Path(__file__).parent / "codes.md"


def codes() -> dict[str, str]:
    """Every code with its page."""
    _, *pages = re.split(r"^## (?=[a-z-]+$)", CODES.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {code: text.strip() for code, _, text in (page.partition("\n") for page in pages)}


def explain_code(code: str | None) -> None:
    screen, pages = Screen(), codes()
    if code is None:
        screen.columns([[(name, "")] for name in pages])
        return
    wanted = code.strip().strip("[]`").casefold()
    if wanted not in pages:
        near = suggest(wanted, pages) or "`orrery explain` lists them"
        raise UsageError(f"no code is called `{code}`; {near}")
    screen.line((wanted, "bold"))
    screen.gap()
    for paragraph in pages[wanted].split("\n\n"):
        if paragraph.startswith("    "):
            screen.gap()
            screen.lines(paragraph.splitlines(), "cyan")
        else:
            screen.say(paragraph.replace("\n", " "))


def print_schema(output: Path | None) -> None:
    text = json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"
    if output is None:
        print(text, end="")
    else:
        output.write_text(text, encoding="utf-8")
        Screen().line(f"Written to {output}.")
