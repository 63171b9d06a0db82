"""Reference pages: what a code means, what a ruleset file looks like."""

from __future__ import annotations

import json
from pathlib import Path

from .. import codes
from ..diagnostics import suggest
from ..face import UsageError
from ..schema import json_schema
from .screen import Screen


def explain_code(code: str | None) -> None:
    screen, pages = Screen(), codes.pages()
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
