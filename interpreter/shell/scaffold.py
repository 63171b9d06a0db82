"""Begin a ruleset: copy the template under a name of its own."""

from __future__ import annotations

import re
from pathlib import Path

from ..face import UsageError, bundled
from .screen import Screen

TEMPLATE = Path(__file__).parent / "template"
NAME, TITLE = "my_game", "My game"  # as they stand in the template


def begin(name: str, folder: Path) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise UsageError(f"`{name}` cannot be the name of a ruleset; write it in snake_case, like {NAME}")
    if name in bundled():
        raise UsageError(f"a ruleset called `{name}` comes with Orrery; choose another name")
    goal = folder / name
    if goal.exists():
        raise UsageError(f"{goal} exists already; choose another name or another folder")
    screen = Screen()
    title = name.replace("_", " ").capitalize()
    for file in sorted(file for file in TEMPLATE.rglob("*") if file.suffix in (".yaml", ".md")):
        text = file.read_text(encoding="utf-8").replace(TITLE, title).replace(NAME, str(goal))
        if file.suffix == ".yaml":
            text = text.replace(f"ruleset: {goal}", f"ruleset: {name}")
        made = goal / file.relative_to(TEMPLATE)
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_text(text, encoding="utf-8")
        screen.line(f"  {made}")
    screen.gap()
    screen.line(f"{title} is ready. Try it:")
    for command in ("play", "validate", "test"):
        screen.line(f"  orrery {command} {goal}")
