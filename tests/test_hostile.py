"""Hostile rulesets are refused, or cut by counted limits, with the place: no crash, no hang.

`benchmarks/hostile.py` measures their seconds and megabytes, each in a fresh process.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "hostile"))

from trial import NAMES, judge

GENEROUS = 20  # seconds: the benchmark is strict, this only tells a hang


@pytest.mark.parametrize("name", NAMES)
def test_it_is_refused_or_cut(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORRERY_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "rules"
    folder.mkdir()
    start = time.perf_counter()
    judge(name, folder)
    assert time.perf_counter() - start < GENEROUS
