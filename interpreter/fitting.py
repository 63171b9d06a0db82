"""Cut the code of a table to its measure: where the layout has a name, the code gets the number itself.

Takes a table that is laid out, gives its functions new code; they stay the same objects, so that whoever
holds one holds the new one. No line moves, so that the place of a rule is found as before.
"""

from __future__ import annotations

import re
import warnings
from types import CodeType
from typing import Any

# A text is a token of its own: nothing in it is a name of ours.
TEXT = r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*\""""
TOKEN = re.compile(TEXT + r"|len\(PLAYERS\)|[A-Za-z_]\w*")
SEEN = re.compile(TEXT + r"|\bZONE_SEES\[\(?(\d+)\)?\]")  # who sees a zone that is the same for all


def fit(ns: dict[str, Any], source: str, name: str) -> None:
    """Compiles the rules once more, with what this table has fixed written into them."""
    known = {word: repr(value) for word, value in ns.items() if word[0].isupper() and _fixed(value)}
    known["PLAYERS"], known["len(PLAYERS)"] = repr(ns["PLAYERS"]), repr(ns["NP"])
    text = TOKEN.sub(lambda found: known.get(found[0], found[0]), source)
    text = SEEN.sub(lambda found: str(ns["ZONE_SEES"][int(found[1])]) if found[1] else found[0], text)
    with warnings.catch_warnings():  # `if 3 is None` is no slip, where 3 was the name of a piece
        warnings.simplefilter("ignore", SyntaxWarning)
        code = compile(text, f"<rules of {name}>", "exec", dont_inherit=True, optimize=1)
    for made in code.co_consts:
        if type(made) is CodeType:
            ns[made.co_name].__code__ = made


def _fixed(value: Any) -> bool:
    return value is None or type(value) is int or type(value) is bool
