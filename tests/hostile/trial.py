"""One hostile ruleset on trial: loaded, and if it loads, played until a rule is cut short.

What must be told stands in the file: `#! words` at the end of the guilty line, or `#* words` anywhere if
the place may be any; `#* nothing` if it may be played in peace.
"""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

from big import BIG  # noqa: E402

DECISIONS = 3_000
LOOKED_AT = 12  # decisions before which everything is looked at that people and bots look at
WIDE = 1_000  # options that are told apart
NAMES = sorted([path.stem for path in HERE.glob("*.yaml")] + list(BIG))


def text_of(name: str) -> str:
    return BIG[name]() if name in BIG else (HERE / f"{name}.yaml").read_text(encoding="utf-8")


def told(folder: Path) -> list[tuple[int, str]]:
    """Lines and words of all that is wrong: from the checker, or from the rule that was cut short."""
    from orrery.interpreter.face import RuleError, RulesetError, UsageError, load

    try:
        rules = load(str(folder))
    except RulesetError as error:
        return [(p.line, f"{p.message} {p.suggestion} {p.hint}") for p in error.problems]
    try:
        rng = random.Random(1)
        game = rules.new(seed=1)
        for made in range(DECISIONS):
            if game.over:
                break
            game.drawing(0)
            if made < LOOKED_AT:
                look(game)
            game.choose(rng.randrange(min(game.count, WIDE)))
        if game.over:
            assert game.result is not None
    except RuleError as error:
        return [(error.place.line, error.message)]
    except UsageError as error:
        return [(0, str(error))]
    return [(p.line, p.message) for p in rules.warnings]


def look(game: Any) -> None:
    """All that people and bots are told: questions, options, views, reasons, and deals that somebody imagines."""
    for decision in game.decisions:
        assert decision.prompt
        for index in range(min(len(decision.options), 3)):
            assert decision.key(index) and decision.label(index)
    actions = [r["name"] for r in game.table.image["routines"] if r["what"] == "action" and not r["abstract"]]
    for viewer in (*range(min(game.players, 2)), None):
        game.view(viewer)
        game.news(viewer)
        for word in actions[:5]:
            assert game.why(word, viewer)
    game.imagine(0, 1)


def judge(name: str, folder: Path) -> None:
    """Raises AssertionError unless exactly what the file says is told, where it says so."""
    text = text_of(name)
    (folder / "ruleset.yaml").write_text(text, encoding="utf-8")
    found = told(folder)
    for number, line in enumerate(text.split("\n"), 1):
        here = re.search(r"#([!*]) (.+)$", line[-200:])
        if here is None or (here[1] == "*" and here[2] == "nothing"):
            continue
        hits = [(n, words) for n, words in found if here[2] in words and (here[1] == "*" or n == number)]
        assert hits, f"line {number}: {here[2]!r} is not told, but {[(n, w[:200]) for n, w in found[:5]]}"
    if text.rstrip().endswith("#* nothing"):
        assert not found, found[:5]


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as place:
        judge(sys.argv[1], Path(place))
