"""`make soak`: it goes on where it was stopped, tells failures with a command, and leaves a report."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

SOAK = [sys.executable, str(Path(__file__).parent / "soak.py"), "--workers", "1"]
BAD = """
ruleset: bad
players: 2
kinds: {card: {starts: pile}}
components: {card: {ace: {copies: 2}}}
zones: {pile: {holds: card, order: stack}, heap: {holds: card}}
actions:
  take: move first(pile) to heap
menus: {day: {actions: [take], picks: 1, prompt: "Take one."}}
flow: |
  repeat 4 times:
    as each players: open day
end: {score: 0}
"""


def soak(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*SOAK, "--folder", str(folder), *words], capture_output=True, text=True)


def done(folder: Path) -> int:
    return sum(tally["done"] for tally in json.loads((folder / "state.json").read_text())["tallies"].values())


def test_it_goes_on_where_it_stopped(tmp_path: Path) -> None:
    words = ("--only", "copies,options", "--ruleset", "kuhn_poker,tic_tac_toe")
    first = soak(tmp_path, *words, "--games", "2")
    assert first.returncode == 0 and "No failure." in first.stdout, first.stderr
    assert (tmp_path / "report.md").read_text() == first.stdout
    assert done(tmp_path) == 2 * 2 * 2
    more = soak(tmp_path, *words, "--games", "3")
    assert "Going on where the last soak stopped" in more.stderr and done(tmp_path) == 2 * 2 * 3
    assert "| 7 | copies are independent | 2 | 6 |" in more.stdout
    again = soak(tmp_path, *words, "--games", "1", "--fresh")
    assert "Going on" not in again.stderr and done(tmp_path) == 2 * 2 * 1


def test_a_kill_loses_little(tmp_path: Path) -> None:
    words = ["--folder", str(tmp_path), "--only", "conservation", "--ruleset", "tic_tac_toe,kuhn_poker", "--games", "100000"]
    process = subprocess.Popen([*SOAK, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        while not (tmp_path / "state.json").exists():
            assert process.poll() is None, "it has ended"
            time.sleep(0.05)
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # its own group: the soak and its workers
        process.wait()
    before = done(tmp_path)
    assert before > 0
    soak(tmp_path, "--only", "conservation", "--ruleset", "tic_tac_toe,kuhn_poker", "--games", str(before + 1))
    assert done(tmp_path) > before


def test_a_failure_comes_with_its_command(tmp_path: Path) -> None:
    folder = tmp_path / "bad"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(BAD)
    found = soak(tmp_path, "--only", "conservation", "--ruleset", str(folder), "--games", "1")
    assert found.returncode == 1 and "1 failures." in found.stdout
    command = f".venv/bin/python tests/soak.py --only conservation --seed 0 --games 1 --ruleset {folder}"
    assert command in found.stdout and command in found.stderr
    assert "ruleset.yaml:8:" in found.stdout
    shown = soak(tmp_path, *command.split()[2:])
    assert shown.returncode == 1 and command in shown.stdout


def test_a_wrong_wish_is_told(tmp_path: Path) -> None:
    wrong = soak(tmp_path, "--only", "conservatoin")
    assert wrong.returncode == 2 and "no promise is called conservatoin" in wrong.stderr
