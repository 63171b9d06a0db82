"""The bench: what its last line says of a run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
from run import TARGETS, aims, in_all


def test_a_run_of_some_sections_does_not_pass_for_a_whole_one(capsys: pytest.CaptureFixture[str]) -> None:
    missed, unmeasured = aims({}, [("copies of sol", "1", "2", True)])
    table = capsys.readouterr().out
    assert table.count("not measured") == unmeasured == sum(len(games) for _, _, games, _ in TARGETS)
    assert in_all(missed, unmeasured) == f"Nothing missed; {unmeasured} not measured."


def test_a_whole_run_counts_what_it_missed(capsys: pytest.CaptureFixture[str]) -> None:
    everything = {(peer, mode, game): [aim] for peer, mode, games, aim in TARGETS for game in games}
    assert in_all(*aims(everything, [])) == "Nothing missed."
    missed, unmeasured = aims({key: [0.0] for key in everything}, [("copies of sol", "1", "2", False)])
    assert in_all(missed, unmeasured) == f"{len(everything) + 1} missed."
    assert "not measured" not in capsys.readouterr().out
