"""Hostile rulesets are refused, or cut by counted limits, with the place: no crash, no hang, no flood of memory.

`benchmarks/hostile.py` measures their seconds and megabytes, each in a fresh process.
"""

from __future__ import annotations

import re
import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "hostile"))

from trial import NAMES, judge

GENEROUS = 60  # seconds: the benchmark is strict, this only tells a hang
MEGABYTES = 200  # that a ruleset may take more than there was before it
FLOOD = 1_000  # megabytes after which there is no more, so that a ruleset that grows for ever does not fill the machine

AGAIN = "again: .venv/bin/python benchmarks/hostile.py"


def hangs(*_: object) -> None:
    raise AssertionError(f"it does not come to an end; {AGAIN} NAME ({GENEROUS} s)")


def megabytes(what: str) -> float | None:
    """What Linux tells of this process: VmSize, VmRSS, or VmHWM, the peak. None where it is not told."""
    try:
        found = re.search(rf"{what}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    except OSError:
        return None
    return int(found[1]) / 1024 if found else None


@contextmanager
def little_memory(name: str) -> Iterator[None]:
    """Fails if what is done inside takes too much memory at any moment."""
    limit, size = resource.getrlimit(resource.RLIMIT_AS), megabytes("VmSize")
    if size is not None:
        resource.setrlimit(resource.RLIMIT_AS, (int(size + FLOOD) << 20, limit[1]))
    try:
        Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
        before = megabytes("VmRSS")
    except OSError:
        before = None
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limit)
    peak = megabytes("VmHWM")
    if before is not None and peak is not None:
        assert peak - before <= MEGABYTES, f"it took {peak - before:.0f} MB; {AGAIN} {name}"


@pytest.mark.parametrize("name", NAMES)
def test_it_is_refused_or_cut(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORRERY_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "rules"
    folder.mkdir()
    signal.signal(signal.SIGALRM, hangs)
    signal.alarm(GENEROUS)
    try:
        with little_memory(name):
            judge(name, folder)
    finally:
        signal.alarm(0)
