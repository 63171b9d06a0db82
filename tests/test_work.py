"""A guard against slow drift: work is counted, not timed.

The figure is the number of bytecode instructions that Python carries out for each decision of a fixed game,
and for a copy of it. It is the same on every machine, for one version of Python and one text of the rules.

    python tests/test_work.py --update     # after a change that is meant; say in the commit why
"""

from __future__ import annotations

import gc
import hashlib
import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orrery
import pytest
from orrery.interpreter.load import bundled

STORED = Path(__file__).parent / "work.json"
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
DECISIONS = 200
MARGIN = 0.02
SEED = 5


def instructions(work: Callable[[], object]) -> int:
    """How many bytecode instructions it takes, in all functions that it calls."""
    count = 0

    def each(frame: Any, event: str, _: Any) -> Any:
        nonlocal count
        if event == "call":
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
        elif event == "opcode":
            count += 1
        return each

    before = sys.gettrace()
    gc.collect()
    gc.disable()  # others may have asked to be told of collections, in Python
    sys.settrace(each)
    try:
        work()
    finally:
        sys.settrace(before)
        gc.enable()
    return count


def play(rules: orrery.Rules, decisions: int) -> int:
    made, seed = 0, SEED
    dice = random.Random(SEED).random
    while made < decisions:
        game = rules.new(seed=seed)
        game.S = game.S[:]  # off the known paths: what is guarded is the work of the rules
        while made < decisions and not game.over:
            game.choose(int(dice() * game.count))
            made += 1
        seed += 1
    return made


def text_of(rules: orrery.Rules) -> str:
    """Changes with the rules, not with their scenarios or the engine."""
    made = hashlib.sha256()
    for path in sorted(Path(rules.folder).rglob("*.yaml")):
        if "scenarios" not in path.parts and path.name not in ("clauses.yaml", "table.yaml"):
            made.update(path.read_bytes())
    return made.hexdigest()[:16]


def measure(name: str) -> dict[str, Any]:
    rules = orrery.load(name)
    play(rules, DECISIONS)  # whatever is made on first use has been made
    game = rules.new(seed=SEED)
    game.S = game.S[:]
    return {
        "rules": text_of(rules),
        "a decision": round(instructions(lambda: play(rules, DECISIONS)) / DECISIONS, 1),
        "a copy": instructions(lambda: game.copy()),
    }


@pytest.mark.parametrize("name", bundled())
def test_no_decision_costs_more_than_it_did(name: str) -> None:
    stored = json.loads(STORED.read_text())
    if VERSION not in stored:
        pytest.skip(f"no figures are kept for Python {VERSION}; `python tests/test_work.py --update` keeps them")
    before = stored[VERSION].get(name)
    assert before is not None, f"there is no figure of {name}: run `python tests/test_work.py --update`, and commit it"
    now = measure(name)
    assert now == measure(name), "the same work was counted twice, and differs"
    assert now["rules"] == before["rules"], (
        f"the rules of {name} have changed, and its figure has not: run `python tests/test_work.py --update`, "
        "and commit the new figure with them"
    )
    for what in ("a decision", "a copy"):
        change = now[what] / before[what] - 1
        assert abs(change) <= MARGIN, (
            f"{what} of {name} takes {now[what]} instructions, {100 * change:+.1f} % against the {before[what]} in "
            f"tests/{STORED.name}. If that is meant, run `python tests/test_work.py --update`, commit the new figure "
            "with the change, and say in the commit what it is for."
        )


def main(words: list[str]) -> None:
    stored = json.loads(STORED.read_text()) if STORED.exists() else {}
    found = stored.setdefault(VERSION, {})
    for name in bundled():
        now, before = measure(name), found.get(name, {})
        was = before.get("a decision")
        more = f"  ({100 * (now['a decision'] / was - 1):+.1f} %)" if was else ""
        print(f"{name:16} {now['a decision']:9} instructions a decision, {now['a copy']:4} a copy{more}")
        found[name] = now
    if "--update" in words:
        STORED.write_text(json.dumps(stored, indent=2) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
