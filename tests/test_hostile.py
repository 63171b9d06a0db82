"""Hostile rulesets are refused, or cut by counted limits, with the place: no crash, no hang.

`benchmarks/hostile.py` measures their seconds and megabytes, each in a fresh process.
"""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "hostile"))

from trial import NAMES, judge

GENEROUS = 60  # seconds: the benchmark is strict, this only tells a hang


def hangs(*_: object) -> None:
    raise AssertionError(f"it does not come to an end; again: .venv/bin/python benchmarks/hostile.py NAME ({GENEROUS} s)")


@pytest.mark.parametrize("name", NAMES)
def test_it_is_refused_or_cut(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORRERY_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "rules"
    folder.mkdir()
    signal.signal(signal.SIGALRM, hangs)
    signal.alarm(GENEROUS)
    try:
        judge(name, folder)
    finally:
        signal.alarm(0)
