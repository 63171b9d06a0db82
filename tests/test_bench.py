"""The bench: what its last line says of a run. In a process of its own, whose modules have names that tests use too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
AIMS = "[(peer, mode, game) for peer, mode, games, aim in run.TARGETS for game in games]"


def last_line(found: str, more: str) -> tuple[str, int, int]:
    """Of a run that found this; the aims it names as not measured; and how many aims there are."""
    probe = f"import run; print(run.in_all(*run.aims({found}, {more}))); print(len({AIMS}))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, cwd=BENCHMARKS, check=True)
    *table, last, aims = done.stdout.splitlines()
    return last, sum("not measured" in line for line in table), int(aims)


def test_a_run_of_some_sections_does_not_pass_for_a_whole_one() -> None:
    last, unmeasured, aims = last_line("{}", "[('copies of sol', '1', '2', True)]")
    assert last == f"Nothing missed; {aims} not measured." and unmeasured == aims > 0


def test_a_whole_run_counts_what_it_missed() -> None:
    last, unmeasured, _ = last_line(f"dict.fromkeys({AIMS}, [1000.0])", "[]")
    assert last == "Nothing missed." and not unmeasured
    last, unmeasured, aims = last_line(f"dict.fromkeys({AIMS}, [0.0])", "[('copies of sol', '1', '2', False)]")
    assert last == f"{aims + 1} missed." and not unmeasured
