"""Reference pages: what a code means, what a ruleset file looks like."""

from __future__ import annotations

import json
from pathlib import Path

from ..schema import json_schema
from .screen import Screen


def print_schema(output: Path | None) -> None:
    text = json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"
    if output is None:
        print(text, end="")
    else:
        output.write_text(text, encoding="utf-8")
        Screen().line(f"Written to {output}.")
