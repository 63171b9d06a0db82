"""A ruleset that lives in memory: for tests that need thousands of them."""

from __future__ import annotations

from pathlib import Path

from orrery.interpreter.diagnostics import Problems
from orrery.interpreter.face import Rules
from orrery.interpreter.load import Loaded, build
from orrery.interpreter.source import Folder, clean


class Shelf(Folder):
    """A folder whose files are a dictionary."""

    def __init__(self, files: dict[str, str], problems: Problems) -> None:
        super().__init__(Path("/nowhere"), "shelf", problems)
        self.files = files
        self.texts = {name: clean(text) for name, text in files.items()}

    def list(self, subfolder: str = "", suffix: str = ".yaml") -> list[str]:
        below = f"{subfolder.rstrip('/')}/" if subfolder else ""
        return sorted(name for name in self.files if name.startswith(below) and name.endswith(suffix))


def loaded(files: dict[str, str]) -> Loaded:
    problems = Problems()
    return build(Shelf(files, problems), problems)


def rules(made: Loaded) -> Rules:
    return Rules(made, Path("/nowhere"))
