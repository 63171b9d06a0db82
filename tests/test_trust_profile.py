"""`orrery profile`: every rule that runs is found, under its own line, and the shares make a whole."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import orrery
import pytest
from again import shown_by
from orrery.interpreter.load import bundled
from orrery.interpreter.shell.profile import ENGINE, profile

SEED = 1
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
    test = f"'tests/test_trust_profile.py::test_shares_make_a_whole[{name}]'"
    with shown_by(test, f"2 games of {name}, {rules.least} players, seed {SEED}"):
        found = profile(rules, rules.least, 2, SEED, {})
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


# --- what goes wrong ------------------------------------------------------------------------------

COMMAND = [sys.executable, "-m", "orrery.cli"]
IN_PLAY = """
ruleset: cracks
players: 2
kinds: {card: {starts: pile}}
components: {card: {ace: {copies: 3}}}
zones: {pile: {holds: card, order: stack}, heap: {holds: card}}
actions:
  take: move first(pile) to heap
  rest: shuffle pile
menus: {day: {actions: [take, rest], picks: 1, prompt: "Take one."}}
flow: |
  repeat 3 times:
    as each players: open day
end: {score: 0}
"""
IN_SET_UP = IN_PLAY.replace("flow: |", "setup: |\n  repeat 4 times: move first(pile) to heap\nflow: |")


def run(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **more}
    return subprocess.run([*COMMAND, *words], capture_output=True, text=True, cwd=folder, env=environment)


@pytest.mark.parametrize("command", ["simulate", "profile"])
@pytest.mark.parametrize("text", [IN_PLAY, IN_SET_UP], ids=["in play", "in set-up"])
def test_games_that_fail_are_told_with_what_was_played(command: str, text: str, tmp_path: Path) -> None:
    """The first of each cause, with the path of the file, its seed and the command that shows it again."""
    (tmp_path / "cracks").mkdir()
    (tmp_path / "cracks" / "ruleset.yaml").write_text(text)
    found = run(tmp_path, command, "cracks", "--games", "20", "--seed", "3", "--format", "json")
    assert found.returncode == 1 and not found.stderr
    data = json.loads(found.stdout)
    errors = data["errors"]
    assert data["games"] == 20 and not data["stopped"]
    assert 0 < len(errors) < 20 if text == IN_PLAY else len(errors) == 20
    assert data["decisions"] >= sum(error["decisions"] for error in errors)
    if command == "profile":
        simulated = run(tmp_path, "simulate", "cracks", "--games", "20", "--seed", "3", "--format", "json").stdout
        assert errors == json.loads(simulated)["errors"], "these are the games that simulate plays"
    (message,) = {error["message"] for error in errors}
    assert message.startswith("cracks/ruleset.yaml:")
    told = run(tmp_path, command, "cracks", "--games", "20", "--seed", "3").stdout
    assert told.count(message) == 1 and f"{len(errors) - 1} other games failed in the same way" in told
    assert f"Game {errors[0]['game']} (seed {errors[0]['seed']}) failed after" in told and errors[0]["again"] in told
    again = run(tmp_path, *errors[0]["again"].split()[1:])
    assert again.returncode == 1 and message in again.stdout and f"(seed {errors[0]['seed']})" in again.stdout


def interrupted(
    folder: Path, *words: str, how: int = signal.SIGINT, whom: Callable[[int, int], None] = os.killpg
) -> tuple[int, str, str]:
    """A command that is stopped once it has told that games are finished; usually by ctrl-C, with all its workers."""
    start = "import sys; from orrery.interpreter.shell import start; start.EVERY = 0.0; from orrery.cli import main; main()"
    command = [sys.executable, "-c", start, *words]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder, start_new_session=True
    )
    assert process.stderr is not None
    assert process.stderr.readline()
    whom(process.pid, how)
    said, wrong = process.communicate(timeout=120)
    return process.returncode, said, wrong


@pytest.mark.parametrize("more", [(), ("--workers", "2"), ("--bots", "mcts:5")])
def test_ctrl_c_keeps_the_figures_of_the_games_that_were_played(more: tuple[str, ...], tmp_path: Path) -> None:
    words = ("simulate", "lantern_market", "--games", "1000000", *more)
    code, said, wrong = interrupted(tmp_path, *words)
    assert code == 130 and "Traceback" not in wrong and "Aborted" not in wrong
    assert " of 1,000,000 games." in said and "(100.0 %)" in said and "95 % interval" in said
    code, said, _ = interrupted(tmp_path, *words, "--format", "json")
    data = json.loads(said)
    assert code == 130 and data["stopped"] and 0 < data["games"] == data["finished"] < 1_000_000
    whole = json.loads(run(tmp_path, *words[:3], str(data["games"]), *more, "--format", "json").stdout)
    assert not whole["stopped"]
    for key in ("decisions", "uses", "wins_by_seat"):
        assert whole[key] == data[key], "as if no more games had been asked for"


def test_workers_end_with_a_simulation_that_is_killed(tmp_path: Path) -> None:
    words = ("simulate", "lantern_market", "--games", "1000000", "--workers", "2")
    code, _, _ = interrupted(tmp_path, *words, how=signal.SIGKILL, whom=os.kill)
    assert code == -signal.SIGKILL  # and the pipes that the workers hold too were read to their end


def test_ctrl_c_ends_a_profile_with_what_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = orrery.load("kuhn_poker")
    real, begun = type(rules).new, []

    def new(*wishes: object) -> object:
        begun.append(wishes)
        if len(begun) == 7:  # the first is the table that is laid out before
            os.kill(os.getpid(), signal.SIGINT)
        return real(*wishes)

    monkeypatch.setattr(type(rules), "new", new)
    found = profile(rules, 2, 50, 1, {})
    assert found.stopped and found.games == 5 and found.decisions >= 10
    assert sum(row.own for row in found.rows) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("width", [40, 44, 60, 200])
@pytest.mark.parametrize("name", ["kuhn_poker", "galaxy_trucker"])
def test_a_profile_fits_the_terminal(name: str, width: int, tmp_path: Path) -> None:
    text = run(tmp_path, "profile", name, "--games", "1", "--top", "12", COLUMNS=str(width)).stdout
    assert all(len(line) <= width for line in text.splitlines()), text
    data = json.loads(run(tmp_path, "profile", name, "--games", "1", "--format", "json").stdout)
    assert all(word in text.split() for word in ("own", "with", ENGINE.split()[-1]))
    assert sum(row["place"] in text for row in data["rules"]) >= 9
