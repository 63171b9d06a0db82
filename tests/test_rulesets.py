"""Every bundled ruleset, by name: clean and proven. What is promised of every game is in test_trust.py."""

from __future__ import annotations

from pathlib import Path

import orrery
import pytest
from orrery.interpreter.load import bundled
from orrery.interpreter.scenarios import run_scenarios
from orrery.interpreter.trace import trace

NAMES = bundled()


@pytest.mark.parametrize("name", NAMES)
def test_it_is_clean(name: str) -> None:
    assert [str(problem) for problem in orrery.validate(name)] == []


@pytest.mark.parametrize("name", NAMES)
def test_its_scenarios_pass(name: str) -> None:
    assert [f"{o.file}:{o.line}: {o.name}: {o.message}" for o in run_scenarios(orrery.load(name)) if not o.passed] == []


@pytest.mark.parametrize("name", NAMES)
def test_its_clauses_are_proven(name: str) -> None:
    open_clauses = [f"{c['id']}: {c['why']}" for c in trace(orrery.load(name))["clauses"] if c["status"] != "proven"]
    known = Path(orrery.load(name).folder, "unproven.txt")
    expected = known.read_text().split() if known.exists() else []
    assert [clause for clause in open_clauses if clause.split(":")[0] not in expected] == []
