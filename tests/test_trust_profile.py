"""`orrery profile`: every rule that runs is found, under its own line, and the shares make a whole."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import orrery
import pytest
from orrery.interpreter.load import bundled
from orrery.interpreter.shell.profile import ENGINE, profile

RULES = """
ruleset: mill
players: 2
resources:
  flour: {start: 0}
values:
  busy(you): sum(n for n in 1 to 400 where n * n > 20) > 0
  idle(you): false
procedures:
  grind(): gain 1 flour
actions:
  work:
    if: busy(you)
    do: grind()
  rest: set you.flour to 0
menus:
  day: {actions: [work, rest], picks: 1}
flow: |
  repeat 10 times:
    as each players: open day
end:
  score: you.flour
"""


def test_the_dear_rule_is_on_top_with_its_line(tmp_path: Path) -> None:
    folder = tmp_path / "mill"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(RULES)
    found = profile(orrery.load(folder), 2, 5, 1, {})
    assert found.decisions == 5 * 20
    top = found.rows[0]
    assert (top.what, top.name) in (("value", "busy"), ("action", "work"))
    assert top.own > 0.5
    # A value that is used in one place may be written into the rule that uses it, and counts there.
    start = "  busy(you)" if top.name == "busy" else "  work:"
    line = next(number for number, text in enumerate(RULES.split("\n"), 1) if text.startswith(start))
    assert top.place == f"ruleset.yaml:{line}"
    grind = next(row for row in found.rows if row.name == "grind")
    assert 0.2 < grind.calls < 0.8


@pytest.mark.parametrize("name", bundled())
def test_shares_make_a_whole(name: str) -> None:
    rules = orrery.load(name)
    found = profile(rules, rules.least, 2, 1, {})
    assert sum(row.own for row in found.rows) == pytest.approx(1, abs=0.01)
    assert found.rows[-1].name == ENGINE
    for row in found.rows[:-1]:
        assert 0 <= row.own <= row.total + 1e-9 and row.total <= 1.01, row
        file, _, line = row.place.partition(":")
        assert (rules.source.lines(file) or [])[int(line) - 1].strip(), row
    assert found.rows[0].calls >= 0


def test_the_command(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "orrery.cli", "profile", "kuhn_poker", "--games", "3"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "stake" in text and "ruleset.yaml:" in text and ENGINE in text
    told = json.loads(subprocess.run([*command, "--format", "json"], capture_output=True, check=True).stdout)
    assert told["games"] == 3 and told["rules"][0]["place"].startswith("ruleset.yaml:")
    wrong = subprocess.run([*command, "--players", "9"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "2 players" in wrong.stderr
