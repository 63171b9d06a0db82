"""`make soak`: it goes on where it was stopped, tells failures with a command, and leaves a report."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

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


LONG = ("--only", "conservation", "--ruleset", "tic_tac_toe,kuhn_poker", "--games", "100000")


def at_work(folder: Path, *words: str, **how: Any) -> subprocess.Popen[str]:
    """A long soak in a process group of its own, once it has kept something."""
    process = subprocess.Popen([*SOAK, "--folder", str(folder), *LONG, *words], start_new_session=True, text=True, **how)
    while not (folder / "state.json").exists():
        assert process.poll() is None, "it has ended"
        time.sleep(0.05)
    return process


def refused(folder: Path, *words: str) -> str:
    """What is said, in one sentence, of a soak that is not begun."""
    wrong = soak(folder, *words)
    assert wrong.returncode == 2 and "Traceback" not in wrong.stderr and not wrong.stdout
    return wrong.stderr.strip().splitlines()[-1]


def test_two_at_once_do_not_share_a_folder(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    first = at_work(one, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        said = refused(one, "--only", "copies", "--ruleset", "tic_tac_toe", "--games", "1")
        assert "another soak is at work in" in said and "--folder" in said
        assert soak(other, "--only", "copies", "--ruleset", "tic_tac_toe", "--games", "1").returncode == 0
        seed = soak(one, "--only", "copies", "--ruleset", "tic_tac_toe", "--games", "1", "--seed", "3")
        assert seed.returncode == 0, "a single trial keeps nothing, and may be looked at meanwhile"
        assert first.poll() is None
    finally:
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()
    assert soak(one, *LONG[:4], "--games", "1").returncode == 0, "a killed soak leaves no lock that is stuck"


def test_workers_end_with_a_soak_that_is_killed(tmp_path: Path) -> None:
    process = at_work(tmp_path, "--workers", "2", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        process.kill()
        process.communicate(timeout=60)  # the pipe ends when the last one that could write to it is gone
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"seconds": 1, "tallies": {"x": {}}}', '{"seconds": 1, "tallies": {"a / b": {"done": "1"}}}']
)
def test_a_damaged_state_is_refused_and_begun_anew_by_wish(text: str, tmp_path: Path) -> None:
    words = ("--only", "copies", "--ruleset", "tic_tac_toe", "--games", "1")
    (tmp_path / "state.json").write_text(text)
    said = refused(tmp_path, *words)
    assert "state.json is damaged" in said and "--fresh" in said
    assert (tmp_path / "state.json").read_text() == text
    assert soak(tmp_path, *words, "--fresh").returncode == 0 and done(tmp_path) == 1


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert f"nothing can be kept in {tmp_path}/file/folder: " in refused(tmp_path / "file" / "folder", "--games", "1")
    (tmp_path / "state.part").mkdir()
    stuck = soak(tmp_path, "--only", "copies", "--ruleset", "tic_tac_toe", "--games", "1")
    assert stuck.returncode == 2 and "Traceback" not in stuck.stderr and "state.json cannot be written: " in stuck.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--only", "conservatoin"), "no promise is called conservatoin; did you mean `conservation`?"),
        (("--only", ","), "names nothing"),
        (("--ruleset", "nope"), "is called `nope`"),
        (("--ruleset", "tic_tac_toe,kuhn_pokr"), "did you mean `kuhn_poker`?"),
        (("--ruleset", ","), "names nothing"),
        (("--players", "7", "--ruleset", "kuhn_poker,tic_tac_toe"), "kuhn_poker is for 2 players, not for 7"),
        (("--players", "99"), "no ruleset is for 99 players"),
        (("--players", "0"), "from 1 on"),
        (("--games", "0"), "from 1 on"),
        (("--workers", "0"), "from 1 on"),
        (("--seed", "-1"), "from 0 on"),
        (("--minutes", "-1"), "above 0"),
        (("--minutes", "nan"), "above 0"),
        (("--minutes", "soon"), "above 0"),
    ],
)
def test_a_wrong_wish_is_told_and_not_tried(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    assert said in refused(tmp_path, *words)
    assert not (tmp_path / "state.json").exists()


def test_players_choose_among_the_rulesets(tmp_path: Path) -> None:
    found = soak(tmp_path, "--only", "copies", "--games", "1", "--players", "3")
    assert found.returncode == 0, found.stdout
    kept = json.loads((tmp_path / "state.json").read_text())["tallies"]
    assert kept and not {"copies / tic_tac_toe", "copies / kuhn_poker"} & set(kept)


def test_a_report_of_nothing_says_so(tmp_path: Path) -> None:
    found = soak(tmp_path, "--only", "copies", "--ruleset", "tic_tac_toe", "--minutes", "0.0000001")
    assert "Nothing was tried." in found.stdout and "No failure" not in found.stdout
