"""The command line: the real command, its text and its exit codes."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import orrery
import pytest
from click.testing import CliRunner
from orrery.cli import main
from orrery.interpreter import face
from orrery.interpreter.bots import make
from orrery.interpreter.session import Session, decide, resume
from orrery.interpreter.spoken import _pieces

START = "from orrery.cli import main; main(prog_name='orrery')"
COMMANDS = ["validate", "play", "replay", "test", "trace", "simulate", "show", "explain", "schema", "new"]


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A home of its own for every test, and a terminal of a known width."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str, typed: str | None = None, code: int = 0):
    result = CliRunner().invoke(main, list(words), input=typed, prog_name="orrery")
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result


def shell(*words: str, typed: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", START, *words],
        input=typed,
        capture_output=True,
        text=True,
        env={**os.environ, **env},
        encoding="utf-8",
    )


def first_keys(name: str, count: int, **how) -> list[str]:
    """Keys that can be answered one after the other by whoever is asked, in a fixed game."""
    game = orrery.load(name).new(**how)
    keys = []
    for _ in range(count):
        keys.append(game.decision.key(0))
        game.choose(0)
    return keys


def saves(home: Path) -> list[Path]:
    return sorted((home / "state" / "orrery").glob("*"))


# --- the whole ------------------------------------------------------------------------------------


def test_help_lists_every_command():
    text = run("--help").output
    assert [
        line.split()[0] for line in text.splitlines() if line.startswith("  ") and line.split()[0] in COMMANDS
    ]
    assert all(f"\n  {command} " in text for command in COMMANDS)
    for command in COMMANDS:
        assert f"Usage: orrery {command}" in run(command, "--help").output


def test_help_imports_nothing_heavy():
    probe = (
        "import sys\nfrom orrery.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "heavy = {'rich', 'pydantic', 'lark', 'ruamel', 'joblib'}\n"
        "print(sorted(heavy & {name.split('.')[0] for name in sys.modules}))"
    )
    found = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True)
    assert found.stdout.splitlines()[-1] == "[]"


def test_version():
    assert run("--version").output == f"orrery {orrery.__version__}\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["valdate"], "Did you mean 'validate'"),
        (["validate", "--formt", "json"], "Did you mean '--format'"),
        (["validate", "--format", "xml"], "'full', 'concise', 'json'"),
        (["validate", "tic_tac_to"], "did you mean `tic_tac_toe`?"),
        (["play"], "play what?"),
        (["play", "conect_four"], "did you mean `connect_four`?"),
        (["play", "tic_tac_toe", "--seat", "2=mct"], "did you mean `mcts`?"),
        (["play", "tic_tac_toe", "--seat", "3=human"], "go from 1 to 2"),
        (["play", "tic_tac_toe", "--seat", "human"], "--seat 2=mcts"),
        (["play", "tic_tac_toe", "--players", "9"], "not for 9"),
        (["play", "tic_tac_toe", "--option", "zzz=1"], "has no option `zzz`"),
        (["play", "--resume", "nowhere.json"], "no saved game nowhere.json"),
        (["play", "--resume"], "no saved game was found"),
        (["replay", "nowhere.json"], "no saved game nowhere.json"),
        (["play", "--resume", "."], "no saved game ."),
        (["replay", "."], "no saved game ."),
        (["show", "tic_tac_toe", "zzzzzz"], "has nothing called `zzzzzz`"),
        (["simulate", "tic_tac_toe", "--games", "0"], "at least one"),
        (["simulate", "tic_tac_toe", "--longest", "0"], "at least one"),
        (["simulate", "tic_tac_toe", "--longest", "-1"], "at least one"),
        (["simulate", "tic_tac_toe", "--first", "-1"], "the first one is game 0"),
        (["simulate", "tic_tac_toe", "--bots", "mcts:" + "9" * 5_000], "a whole number from 1 to 999,999,999"),
        (["simulate", "tic_tac_toe", "--bots", "randm"], "did you mean `random`?"),
        (["simulate", "tic_tac_toe", "--bots", "random,random,random"], "3 bots were named for 2 seats"),
        (["simulate", "tic_tac_toe", "--workers", "0"], "--workers"),
        (["trace", "nothing_like_it"], "is called `nothing_like_it`"),
        (["explain", "no-such-code"], "no-such-code"),
    ],
)
def test_wrong_usage_is_exit_2_and_says_what_would_be_right(words, said):
    assert said in run(*words, code=2).output


def test_a_bug_is_called_a_bug(monkeypatch):
    def broken():
        raise ZeroDivisionError("by nought")

    monkeypatch.setattr(face, "bundled", broken)
    text = run("validate", code=3).output
    assert "this is a bug in Orrery" in text and "ZeroDivisionError: by nought" in text
    assert "ORRERY_DEBUG=1" in text


# --- validate -------------------------------------------------------------------------------------


@pytest.fixture
def faulty(home) -> Path:
    folder = home / "faulty"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text("title: Nothing much\nno_such_key: 1\n")
    return folder


def test_bundled_rulesets_are_clean():
    text = run("validate").output
    assert "no problems" in text
    for name in face.bundled():
        run("validate", name)


@pytest.mark.parametrize("style", ["full", "concise", "json"])
def test_exit_codes_do_not_depend_on_the_format(faulty, style):
    run("validate", "tic_tac_toe", "--format", style)
    run("validate", str(faulty), "--format", style, code=1)
    run("validate", "nowhere", "--format", style, code=2)


def test_problems_as_json(faulty):
    data = json.loads(run("validate", str(faulty), "--format", "json", code=1).output)
    wanted = {"file", "line", "column", "end_line", "end_column", "code", "severity", "message", "hint", "suggestion"}
    assert data["problems"] and all(set(problem) == wanted for problem in data["problems"])
    assert data["errors"] == sum(problem["severity"] == "error" for problem in data["problems"])


def test_problems_as_text_show_the_line(faulty):
    full = run("validate", str(faulty), code=1).output
    assert "no_such_key: 1" in full and "^^^^^^^^^^^" in full
    concise = run("validate", str(faulty), "--format", "concise", code=1).output
    assert all("ruleset.yaml:" in line for line in concise.splitlines())


def test_a_faulty_ruleset_cannot_be_played(faulty):
    text = run("play", str(faulty), code=1).output
    assert "ruleset.yaml:2" in text


# --- play -----------------------------------------------------------------------------------------


def test_a_game_from_a_pipe_to_its_end(home):
    name, how = "tic_tac_toe", {"seed": 5}
    typed = "".join(f"{key}\n" for key in first_keys(name, 7, **how))
    text = run("play", name, "--seed", "5", "--seat", "2=human", typed=typed).output
    assert "── Player 1 ─" in text and "── Player 2 ─" in text and "── The end ─" in text
    assert "winner" in text and "Seed 5." in text
    assert text.count("> ") >= 7
    (file,) = saves(home)
    assert orrery.restore(file).over


def test_numbers_keys_and_beginnings_mean_the_same(home):
    outcomes = set()
    game = orrery.load("connect_four").new(seed=1)
    decision = game.decision
    for typed in ("3", decision.key(2), decision.label(2)):
        run("play", "connect_four", "--seed", "1", "--save", "kept.json", typed=f"{typed}\n")
        outcomes.add(json.dumps(orrery.restore("kept.json").log.data["choices"][0]))
        os.remove("kept.json")
    assert len(outcomes) == 1


def test_wrong_answers_explain_themselves_and_ask_again():
    text = run("play", "tic_tac_toe", typed="\n# a remark\n77\nxyzzy\nhlp\nquit\n").output
    assert "there is no choice 77: the choices go from 1 to 9" in text
    assert "no choice begins with `xyzzy`" in text
    assert "did you mean `help`?" in text
    assert "Nothing was decided, so nothing was saved." in text


def test_end_of_input_says_where_the_game_is_and_how_to_go_on(home):
    key = first_keys("tic_tac_toe", 1)[0]
    text = run("play", "tic_tac_toe", "--seat", "2=mcts:5", typed=f"{key}\n").output
    (file,) = saves(home)
    assert f"The game is saved in {file}." in text
    assert f"orrery play --resume {file}\n" in text
    again = run("play", "--resume", str(file), typed="log\n").output
    assert "Player 1 (you): A1" in again and "Player 2 (mcts:5): " in again
    run("play", "tic_tac_toe", "--resume", typed="")
    assert "not of connect_four" in run("play", "connect_four", "--resume", str(file), code=1).output


def test_commands_at_the_prompt(home):
    text = run(
        "play", "tic_tac_toe", "--seed", "2", typed="help\nlook\n1\nlog\nhint\nsave copy.json\nq\n"
    ).output
    assert "take back your last decision" in text
    assert text.count("── Player 1 (you)") == 3
    assert "Perhaps: " in text
    assert "Saved in copy.json." in text
    assert orrery.restore("copy.json").log.data["choices"]


def test_rules_at_the_prompt():
    thing = orrery.load("lantern_market").things()[0]
    text = run("play", "lantern_market", typed=f"rules {thing.id}\nrules\nrules zzzzzz\n").output
    assert thing.name in text or thing.id in text
    assert "takes a word" in text and "say nothing about `zzzzzz`" in text


def test_undo_goes_back_over_the_bots(home):
    text = run("play", "tic_tac_toe", "--save", "s.json", typed="undo\n1\nundo\nundo\n2\n").output
    assert "nothing was decided yet that could be taken back" in text
    assert "2 decisions taken back." in text
    assert len(orrery.restore("s.json").log.data["choices"]) == 2


def test_a_game_that_is_there_is_not_overwritten(home):
    run("play", "tic_tac_toe", "--save", "s.json", typed="1\n")
    assert "exists already" in run("play", "tic_tac_toe", "--save", "s.json", code=2).output


def test_a_colon_means_a_command():
    assert "take back your last decision" in run("play", "tic_tac_toe", typed=":help\n").output


def test_bots_alone_need_no_keyboard():
    text = run("play", "connect_four", "--seat", "1=random", "--seed", "3").output
    assert "── The end ─" in text and "> " not in text


def test_the_seed_is_not_told_while_the_game_runs():
    text = run("play", "kuhn_poker", "--seed", "987654321", typed="look\nlog\nhelp\n").output
    assert "987654321" not in text


# --- several answers in one line ------------------------------------------------------------------


def told(*lines: str, name: str = "lantern_market", seat: str = "2=random") -> str:
    """What comes after the first table, for lines typed in a fixed game that is kept in s.json."""
    Path("s.json").unlink(missing_ok=True)
    typed = "".join(f"{line}\n" for line in lines)
    said = run("play", name, "--seed", "2", "--seat", seat, "--save", "s.json", typed=typed).output
    return said.partition("\n> ")[2]


def chosen() -> list[str]:
    return [step.words for step in resume(Path("s.json")).steps if step.player == 0]


@pytest.mark.parametrize(
    "line", ["hang moon", "hang, moon", "1 1", "1,1,", "hang lantern moon lantern", "Hang Lantern, moon_l"]
)
def test_two_answers_in_one_line(line):
    text = told(line, "log")
    assert text.count("── Player 1 (you)") == 1, "the table is drawn once, after the last answer"
    assert "Which lantern do you hang?" not in text and "not used" not in text
    assert "Player 1 (you): Hang lantern, Moon lantern" in text
    assert chosen() == ["Hang lantern", "Moon lantern"]


def test_each_answer_of_a_line_is_taken_back_for_itself():
    text = told("peddle owl", "undo", "undo")
    assert text.count("\nTaken back.") == 2
    (first, second) = text.split("Taken back.")[1:]
    assert "What do you sell?" in first and "What will you do tonight?" in second
    assert chosen() == []


def test_a_rest_that_does_not_fit_is_named_below_the_question_that_is_open():
    text = told("hang mon tower")
    assert text.count("── Player 1 (you)") == 1
    said = " ".join(text.partition("Which lantern do you hang?")[2].split())
    assert "`mon tower` was not used: no choice begins with `mon`; did you mean `moon_lantern`?" in said
    assert chosen() == ["Hang lantern"]
    assert "`undo` was not used: a command like `undo` needs a line of its own" in told("hang undo")


def test_a_rest_is_not_given_to_another_player_nor_to_a_game_that_is_over():
    text = told("a1 b2", name="tic_tac_toe", seat="2=human")
    assert "`b2` was not used: Player 2 was to decide next" in text and chosen() == ["A1"]
    text = told("a1 b2", name="tic_tac_toe")
    assert "`b2` was not used: Player 2 (random) was to decide next" in text and chosen() == ["A1"]
    *keys, last = first_keys("tic_tac_toe", 7, seed=2)
    text = told(*keys, f"{last} b2", name="tic_tac_toe", seat="2=human")
    assert "`b2` was not used: the game is over" in text.partition("── The end")[0]


def test_whoever_passes_the_keyboard_on_does_not_show_what_they_meant_to_do():
    text = told("hang moon owl lion", "close 1 2", seat="2=human")
    mine, hers, again = re.split("── Player [12] ─+", text)
    assert "not used" not in mine + hers
    assert "`lion` was not used: Player 2 was to decide next" in again


def test_one_choice_of_several_words_is_still_one_choice():
    text = told("close the stall")
    assert chosen()[0] == "Close the stall" and "not used" not in text
    text = told("close teh stall")
    assert "no choice begins with `close teh stall`; did you mean `done`?" in text and not Path("s.json").exists()
    text = told("why run errand", "rules moon lantern", "undo 2", "nonsense moon")
    assert "There is nothing to choose for `card`." in text and not Path("s.json").exists()
    assert "no choice begins with `nonsense moon`" in text


def test_a_line_whose_first_word_fits_several_choices_does_nothing():
    text = told("go", "grab", "p c8r7", name="galaxy_trucker")
    assert "`p` could be `place` or `put_back`" in text and len(chosen()) == 2


def test_a_set_in_one_line():
    told("peddle owl done")
    assert chosen()[:3] == ["Peddle", "Owl lantern", "Done"]
    told("peddle", "2, 3")  # the numbers of the list in sight, though it is shorter by then
    assert chosen()[:3] == ["Peddle", "Owl lantern", "Twin lantern"]
    told("peddle 2 2")
    assert chosen()[:3] == ["Peddle", "Owl lantern", "Owl lantern"]
    for later in ("moon", "1"):
        text = told(f"peddle owl {later}")
        assert f"`{later}` was not used: `moon_lantern` is not on offer any more;" in text


def test_a_set_that_is_over_by_itself_ends_the_line():
    text = told("peddle owl twin done")
    assert "`done` was not used: nothing more could be chosen there" in text
    assert chosen()[:3] == ["Peddle", "Owl lantern", "Twin lantern"]


def test_help_tells_of_several_answers():
    assert "may stand in one line" in " ".join(told("help").split())


# --- sessions -------------------------------------------------------------------------------------


def begun(name: str, seats: list[str], seed: int = 1, **how) -> Session:
    return Session(orrery.load(name).new(players=len(seats), seed=seed), seats, **how)


def play_on(session: Session, steps: int) -> None:
    for _ in range(steps):
        if session.over:
            return
        if session.turn_of is None:
            session.let_bot()
        else:
            session.answer(0)


def test_undo_stops_at_a_draw():
    session = begun("lantern_market", ["human", "random"])
    while not (session.steps and session.steps[-1].barrier):
        play_on(session, 1)
    before = session.game.log.data
    with pytest.raises(face.UsageError, match="cannot be taken back"):
        session.undo()
    assert session.game.log.data == before
    session.free_undo = True
    assert session.undo() == len(before["choices"]) - len(session.game.log.data["choices"])


def test_undo_leads_to_the_same_game():
    session = begun("tic_tac_toe", ["human", "mcts:5"])
    play_on(session, 4)
    log, steps = session.game.log.data, list(session.steps)
    assert session.undo(2) == 4 and not session.game.log.data["choices"] and not session.steps
    play_on(session, 4)
    assert session.game.log.data == log and session.steps == steps


def test_every_decision_is_in_the_file(home):
    session = begun("lantern_market", ["human", "random", "random"], file=home / "deep" / "game.json")
    while not session.over:
        play_on(session, 1)
        assert orrery.restore(home / "deep" / "game.json").log.data == session.game.log.data


def test_a_game_that_cannot_be_saved_goes_on(home):
    (home / "state").write_text("a file where the folder should be")
    text = run("play", "tic_tac_toe", "--seed", "1", typed="1\nsave copy.json\n1\nquit\n").output
    assert text.count("The game goes on, but it is not saved:") == 1
    assert "The game is not saved as it stands" in text and "Saved in copy.json." in text
    assert "could not be saved" in run("play", "tic_tac_toe", typed="1\nsave no/such/x.json\n").output


def test_a_game_that_was_not_saved_is_not_shown_again(home):
    (home / "state").write_text("a file where the folder should be")
    said = run("play", "tic_tac_toe", "--seed", "5", "--seat", "1=random").output.partition("── The end")[2]
    assert "Seed 5." in said and "The game is not saved as it stands" in said
    assert "See it again" not in said and "orrery replay" not in said


@pytest.mark.parametrize("who", ["mcts:999999999", "mcts:10,depth=999999", "mcts:" + "9" * 5_000, "mct", "", "random:3"])
def test_a_save_alone_seats_nobody_who_thinks_without_end(who):
    run("play", "tic_tac_toe", "--seat", "2=mcts:5", "--save", "s.json", typed="1\n")
    data = json.loads(Path("s.json").read_text())
    data["notes"]["seats"][1] = who
    Path("s.json").write_text(json.dumps(data))
    said = run("play", "--resume", "s.json", code=1).output
    assert said.startswith("Error: s.json seats nobody who can play: ") and "`--seat 2=mcts`" in said and len(said) < 300
    assert "Player 2 (mcts:7)" in run("play", "--resume", "s.json", "--seat", "2=mcts:7", typed="1\n").output


@pytest.mark.parametrize("key", ["ruleset", "folder", "options", "flicks"])
@pytest.mark.parametrize("command", [("replay", "s.json"), ("play", "--resume", "s.json")])
def test_what_a_message_cites_of_a_save_commands_no_terminal(key, command):
    run("play", "tic_tac_toe", "--save", "s.json", typed="1\n")
    data = json.loads(Path("s.json").read_text())
    name = "\x1b[31mred\x00\x9b\nError: \ud800"
    Path("s.json").write_text(json.dumps({**data, key: {name: 1} if key in ("options", "flicks") else name}))
    said = run(*command, code=1).stderr
    assert said.startswith("Error: s.json: ") and said.endswith("\n") and said[:-1].isprintable()
    assert r"\x1b[31mred\x00\x9b\nErr" in said


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "lantern_market"])
def test_a_resumed_session_knows_its_past(home, name):
    session = begun(name, ["human", "random"], seed=3, file=home / "game.json")
    play_on(session, 9)
    again = resume(home / "game.json")
    assert again.steps == session.steps and again.saved
    play_on(session, 9), play_on(again, 9)
    assert again.game.log.data == session.game.log.data


def test_a_hidden_choice_is_not_told():
    """Whoever draws from the other's words must not learn a card that only the other sees."""
    heard = 0
    for seed in range(12):
        session = begun("lantern_market", ["random", "random"], seed)
        while not session.over:
            game, player = session.game, session.game.player
            decision, rival = game.decision, 1 - player
            hidden = {
                x: game.table.speaker.title(x)
                for i in range(len(decision.options))
                for x in _pieces(game, decision, i)
                if game.table.speaker.hidden(game.S, x, rival)
            }
            index = make("random", 5).choose(game, player)
            chosen = _pieces(game, decision, index)
            step = decide(game, index, "", [0, 1, None])
            for x in chosen:
                if x in hidden and game.table.speaker.hidden(game.S, x, rival):
                    heard += 1
                    assert hidden[x].casefold() not in step.choice[rival].casefold()
                    assert hidden[x].casefold() not in step.choice[None].casefold()
                    assert hidden[x].casefold() in step.words.casefold()
    assert heard  # such choices were made


def test_a_choice_is_told_without_the_name_of_a_variable():
    """`choose mine in hull` is told as `Flat`, `choose bid in 1 to 5` as `bid 3`."""
    game = orrery.load("ambourella").new(seed=1)
    labels = [option.label for option in game.decision.options]
    step = decide(game, 0, "", [0, 1, None])
    assert step.words == labels[0] and set(step.choice.values()) == {labels[0]}


# --- replay, test, trace, show, … -----------------------------------------------------------------


@pytest.fixture
def finished(home) -> Path:
    run("play", "connect_four", "--seat", "1=random", "--seed", "3", "--save", "game.json")
    return home / "game.json"


def test_replay(finished):
    game = orrery.restore(finished)
    text = run("replay", str(finished)).output
    assert f"{len(game.log.data['choices']):4}  " in text and "winner" in text
    steps = run("replay", str(finished), "--step", "--seat", "1").output
    assert f"── 1 of {len(game.log.data['choices'])} ─" in steps


def test_replay_of_a_log_alone(finished):
    Path("log.json").write_text(json.dumps(orrery.restore(finished).log.data))
    assert run("replay", "log.json").output == run("replay", str(finished)).output


@pytest.mark.parametrize("text", ["", "{}", "[1]", "not json", '{"choices": 3, "players": 2}'])
def test_replay_of_nonsense(text):
    Path("wrong.json").write_text(text)
    assert "wrong.json" in run("replay", "wrong.json", code=1).output
    assert "wrong.json" in run("play", "--resume", "wrong.json", code=1).output


SAVES = {
    "empty": lambda save: "",
    "no JSON": lambda save: json.dumps(save)[:-9],
    "a list": lambda save: "[]",
    "another version": lambda save: json.dumps({**save, "orrery": 99}),
    "unknown rules": lambda save: json.dumps({**save, "ruleset": "nowhere"}),
    "changed rules": lambda save: json.dumps({**save, "fingerprint": "0" * 64}),
    "too many players": lambda save: json.dumps({**save, "players": 99}),
    "no seed": lambda save: json.dumps({key: save[key] for key in save if key != "seed"}),
    "an impossible choice": lambda save: json.dumps({**save, "choices": [99]}),
    "another digest": lambda save: json.dumps({**save, "digest": "0" * 64}),
    "another choice": lambda save: json.dumps({**save, "choices": [6, *save["choices"][1:]]}),
    "a choice less": lambda save: json.dumps({**save, "choices": save["choices"][:-1]}),
}


@pytest.mark.parametrize("damage", SAVES)
def test_a_wrong_save_is_told_alike_by_every_command(finished, damage):
    wrong = Path("wrong.json")
    wrong.write_text(SAVES[damage](json.loads(finished.read_text())))
    before = wrong.read_bytes()
    told = {run(*words, str(wrong), code=1).output for words in (["replay"], ["play", "--resume"])}
    assert len(told) == 1 and "wrong.json" in told.pop()
    assert wrong.read_bytes() == before


def test_a_save_without_a_digest_is_refused_with_a_way_out(finished):
    save = json.loads(finished.read_text())
    save["choices"], _ = save["choices"][:4], save.pop("digest")
    Path("log.json").write_text(json.dumps(save))
    said = run("play", "--resume", "log.json", code=1).output
    assert "log.json has no `digest`" in said and "orrery replay log.json --save" in said
    with pytest.raises(orrery.SaveError, match="digest"):
        orrery.restore("log.json")
    run("replay", "log.json", "--save", "mended.json")
    assert orrery.restore("mended.json").choices() == save["choices"]
    assert "exists already" in run("replay", "log.json", "--save", "mended.json", code=2).output


def test_problems_of_scenarios_end_with_a_summary(home):
    run("new", "mine")
    file = next(Path("mine/scenarios").glob("*.yaml"))
    file.write_text(file.read_text() + "\n- scenario: odd\n  when: [draw]\n  then:\n    - {over: true}\n    - nonsense is 1\n")
    said = run("test", "mine", code=1).output
    assert "expected who chooses what, like `- ada: draw`" in said
    assert "1 ruleset: 2 errors." in said and "`orrery explain wrong-shape` says more about the first." in said


def test_simulate_tells_how_far_it_is_in_a_pipe(monkeypatch):
    from orrery.interpreter.shell import start

    monkeypatch.setattr(start, "EVERY", 1e9)
    quiet = run("simulate", "tic_tac_toe", "--games", "40", "--fast", "--format", "json")
    assert quiet.stderr == ""
    monkeypatch.setattr(start, "EVERY", 0.0)
    told = run("simulate", "tic_tac_toe", "--games", "40", "--fast", "--format", "json")
    lines = told.stderr.splitlines()
    assert lines and all(re.fullmatch(r"\d+ of 40 games", line) for line in lines)
    assert json.loads(told.stdout)["games"] == 40


def test_scenarios():
    text = run("test", "tic_tac_toe", "kuhn_poker").output
    assert "passed" in text and "kuhn_poker" in text
    data = json.loads(run("test", "tic_tac_toe", "--format", "json").output)
    assert data["failed"] == 0 and data["passed"] == data["scenarios"] > 0


def test_trace():
    data = json.loads(run("trace", "tic_tac_toe", "--format", "json").output)
    for clause in data["clauses"]:
        assert {"id", "status", "rules", "scenarios"} <= set(clause)
        assert clause["status"] in ("proven", "unproven")
    assert "tic_tac_toe" in run("trace", "tic_tac_toe").output


def test_simulate():
    data = json.loads(run("simulate", "kuhn_poker", "--games", "20", "--format", "json").stdout)
    assert {"games", "finished", "decisions", "seconds", "decisions_per_second", "wins_by_seat"} <= set(data)
    text = run("simulate", "kuhn_poker", "--games", "20").output
    assert "20 of 20 games finished (100.0 %)" in text and "95 % interval" in text


def test_show():
    shelf = run("show").output
    assert all(name in shelf for name in face.bundled())
    rules = orrery.load("lantern_market")
    assert rules.title in run("show", "lantern_market").output
    for thing in rules.things():
        text = run("show", "lantern_market", thing.id).output
        assert f"{thing.file}:{thing.line}" in text
    data = json.loads(run("show", "lantern_market", "--format", "json").output)
    assert len(data["things"]) == len(rules.things())


def test_schema(home):
    schema = json.loads(run("schema").output)
    assert schema["type"] == "object" and schema["properties"]
    run("schema", "--output", "schema.json")
    assert json.loads(Path("schema.json").read_text()) == schema


def test_explain_knows_every_code(faulty):
    listed = run("explain").output.split()
    room = Path(face.__file__).parent
    used = set()
    for file in (file for file in room.rglob("*.py") if "shell" not in file.parts):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                used.update(re.findall(r"\A[a-z]+(?:-[a-z]+)+\Z", node.value))
    assert not used - set(listed), "codes without a page in shell/codes.md"
    for code in listed:
        assert run("explain", code).output.startswith(f"{code}\n\n")
    assert "did you mean `unknown-zone`?" in run("explain", "unknown-zon", code=2).output


def test_a_new_ruleset_works_at_once(home):
    text = run("new", "my_game").output
    assert "orrery play my_game" in text
    assert "no problems" in run("validate", "my_game", "--strict").output
    assert "passed" in run("test", "my_game").output
    assert "── The end ─" in run("play", "my_game", "--seat", "1=random").output
    assert json.loads(run("simulate", "my_game", "--games", "9", "--format", "json").stdout)["finished"] == 9
    assert "exists" in run("new", "my_game", code=2).output
    assert "snake_case" in run("new", "My Game", code=2).output
    run("new", "other", "--folder", "games")
    run("validate", "games/other")


# --- pipes and terminals --------------------------------------------------------------------------


def test_the_real_command_in_a_pipe():
    done = shell("play", "tic_tac_toe", "--seed", "1", typed="1\nquit\n")
    assert done.returncode == 0 and not done.stderr
    assert "\x1b" not in done.stdout
    assert shell("nonsense").returncode == 2


def test_colour_only_where_it_is_wanted():
    assert "\x1b" in shell("show", "tic_tac_toe", FORCE_COLOR="1").stdout
    assert "\x1b" not in shell("show", "tic_tac_toe", FORCE_COLOR="1", NO_COLOR="1").stdout


def test_a_closed_pipe_is_no_disaster():
    command = [sys.executable, "-c", START, "schema"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.read(1)
    process.stdout.close()
    assert "Traceback" not in process.stderr.read()
    process.wait()


def test_whoever_reads_may_stop_reading():
    """As `| head` does: nothing is said, and the exit code is that of a shell's own commands."""
    for words in (["show", "lantern_market"], ["profile", "tic_tac_toe", "--games", "1"], ["simulate", "tic_tac_toe"]):
        reading, writing = os.pipe()
        os.close(reading)
        command = [sys.executable, "-c", START, *words]
        done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True)
        os.close(writing)
        assert (done.returncode, done.stderr) == (141, ""), words


def test_an_old_terminal_gets_what_it_can_show():
    done = shell("play", "tic_tac_toe", "--seed", "1", typed="1\n", PYTHONIOENCODING="ascii")
    assert done.returncode == 0 and "Traceback" not in done.stderr
