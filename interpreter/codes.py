"""What the codes of problems mean, for designers: one page each, with an example.

Takes a code, gives its page. The pages stand in `codes.md`, so that people can read them there too.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

PAGES = Path(__file__).parent / "codes.md"


@cache
def pages() -> dict[str, str]:
    """Every code with its page, in the order of the alphabet."""
    _, *found = re.split(r"^## (?=[a-z-]+$)", PAGES.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {code: text.strip() for code, _, text in (page.partition("\n") for page in found)}


def explain(code: str) -> str | None:
    """The page of a code, or None if there is no such code."""
    return pages().get(code.strip().strip("[]`").casefold())
