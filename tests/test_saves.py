"""Saves and logs as hostile input, and as what they are for: the same game, anywhere, any time.

A damaged save is refused with words. A whole one goes on in another process, in the middle of an
effect too. A damaged, stale or foreign entry of the cache is built anew, never run.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from orrery.interpreter import load as loading
from orrery.interpreter.face import Game, Rules, SaveError, UsageError, load, replay, restore
from orrery.interpreter.load import bundled
from orrery.interpreter.saves import digest
from orrery.interpreter.slots import ACTIVE

NAMES = bundled()
Json = Any


@pytest.fixture(scope="session")
def all_rules() -> dict[str, Rules]:
    return {name: load(name) for name in NAMES}


def played(rules: Rules, decisions: int, seed: int = 5, players: int | None = None) -> Game:
    rng = random.Random(seed)
    game = rules.new(players=players, seed=seed)
    for _ in range(decisions):
        if game.over:
            break
        game.choose(rng.randrange(game.count))
    return game


def saved(tmp_path: Path, name: str = "tic_tac_toe", decisions: int = 4) -> tuple[Path, Json]:
    path = tmp_path / "game.orrery-save"
    played(load(name), decisions).save(path)
    return path, json.loads(path.read_text())


def refused(path: Path) -> str:
    with pytest.raises((SaveError, UsageError)) as caught:
        restore(path)
    said = str(caught.value)
    assert len(said) > 15 and "Traceback" not in said
    return said


# --- damage ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tic_tac_toe", "lantern_market"])
def test_cut_off_anywhere(name: str, tmp_path: Path) -> None:
    path, _ = saved(tmp_path, name, 8)
    data = path.read_bytes()
    for end in [*range(0, len(data) - 2, 7), len(data) - 2]:
        path.write_bytes(data[:end])
        refused(path)


def test_flipped_bytes(tmp_path: Path) -> None:
    path, _ = saved(tmp_path, "kuhn_poker", 2)
    whole = path.read_bytes()
    rng = random.Random(3)
    survived = 0
    for _ in range(300):
        data = bytearray(whole)
        data[rng.randrange(len(data))] = rng.randrange(256)
        path.write_bytes(bytes(data))
        try:
            restore(path)
            survived += 1  # a space for a space, a word nobody reads
        except (SaveError, UsageError):
            pass
    assert survived < 60


@pytest.mark.parametrize(
    "text",
    ["", "null", "[]", "3", '"save"', "{}", "not json", "[" * 100_000, '{"orrery": 1}', "\ufeff{}", "9" * 10_000, "NaN"],
    ids=lambda text: text[:12] or "empty",
)
def test_something_else(text: str, tmp_path: Path) -> None:
    path = tmp_path / "odd"
    path.write_text(text)
    refused(path)


def test_no_file_no_text_no_end(tmp_path: Path) -> None:
    assert "cannot be read" in refused(tmp_path / "nowhere")
    refused(tmp_path)
    path = tmp_path / "odd"
    path.write_bytes(b"\xff\xfe\x00\x01" * 50)
    refused(path)
    refused(Path("a\0b"))


WRONG: list[Json] = [None, True, -1, 10**30, 1.5, "x", "", [], {}, [[1]], {"a": 1}, "\0", "x" * 5_000, "../..", "/"]


@pytest.mark.parametrize("key", ["orrery", "ruleset", "folder", "fingerprint", "players", "seed", "options", "choices"])
def test_wrong_types(key: str, tmp_path: Path) -> None:
    path, data = saved(tmp_path)
    harmless = {"folder": (None, True, -1, 10**30, 1.5, [], {}, [[1]], {"a": 1}), "options": ({},), "orrery": (True,)}
    for wrong in WRONG:
        path.write_text(json.dumps({**data, key: wrong}))
        if any(wrong is h or wrong == h for h in harmless.get(key, ())):
            continue
        refused(path)
    path.write_text(json.dumps({k: v for k, v in data.items() if k != key}))
    if key not in ("folder", "options"):
        refused(path)


@pytest.mark.parametrize("choice", [-1, 9, 10**30, True, 1.0, "0", None, [], [0], [0, 0, 0], [9, 0], [-1, 0], [True, 0], {}])
def test_choices_that_were_never_possible(choice: Json, tmp_path: Path) -> None:
    path, data = saved(tmp_path)
    path.write_text(json.dumps({**data, "choices": [choice, *data["choices"]]}))
    assert "damaged" in refused(path)


def test_choices_after_the_end(tmp_path: Path) -> None:
    path, data = saved(tmp_path, decisions=9)
    path.write_text(json.dumps({**data, "choices": [*data["choices"], 0]}))
    assert "damaged" in refused(path)


def test_other_players_other_rules_other_game(tmp_path: Path) -> None:
    path, data = saved(tmp_path, "lantern_market", 12)
    for players in (1, 5, 100):
        path.write_text(json.dumps({**data, "players": players}))
        refused(path)
    path.write_text(json.dumps({**data, "players": 3}))
    refused(path)
    path.write_text(json.dumps({**data, "fingerprint": "0" * 64}))
    assert "have changed" in refused(path)
    path.write_text(json.dumps({**data, "ruleset": "kuhn_poker"}))
    refused(path)
    path.write_text(json.dumps({**data, "seed": data["seed"] + 1}))
    refused(path)
    path.write_text(json.dumps({**data, "choices": data["choices"][:-1]}))
    assert "damaged" in refused(path)
    path.write_text(json.dumps({**data, "options": {"no_such_option": 1}}))
    refused(path)


def test_a_log_is_refused_the_same_way() -> None:
    log = dict(played(load("tic_tac_toe"), 3).log.data)
    for wrong in ({**log, "choices": [99]}, {**log, "ruleset": "nowhere"}, {}, {**log, "players": 77}):
        with pytest.raises(SaveError):
            replay(wrong)
    with pytest.raises(SaveError):
        replay([1, 2, 3])  # type: ignore[arg-type]


def test_rules_that_changed_on_disk(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    text = (loading.RULESETS / "tic_tac_toe" / "ruleset.yaml").read_text()
    (folder / "ruleset.yaml").write_text(text)
    path = tmp_path / "save"
    played(load(folder), 3).save(path)
    assert len(restore(path).choices()) == 3
    (folder / "ruleset.yaml").write_text(text.replace("repeat 5 times", "repeat 6 times"))
    assert "have changed" in refused(path)
    (folder / "ruleset.yaml").write_text(text.replace("flow:", "flwo:"))
    assert "cannot be loaded" in refused(path)
    (folder / "ruleset.yaml").unlink()
    refused(path)


def test_saving_where_nothing_can_be_saved(tmp_path: Path) -> None:
    with pytest.raises(SaveError):
        played(load("tic_tac_toe"), 2).save(tmp_path / "no" / "such" / "folder" / "file")


def test_what_a_killed_process_left_is_removed_by_the_next_save(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left = tmp_path / f".game.{gone.pid}.part"
    others = [f".game.{os.getppid()}.part", f".other.{gone.pid}.part", ".game.x.part", f".game.{gone.pid}.bak", "game.part"]
    for name in (left.name, *others):
        (tmp_path / name).write_text("half")
    played(load("tic_tac_toe"), 2).save(tmp_path / "game")
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted([*others, "game"])


# --- the same game --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_saved_looked_at_and_restored(name: str, all_rules: dict[str, Rules], tmp_path: Path) -> None:
    rules, path = all_rules[name], tmp_path / "save"
    game = played(rules, 0)
    rng = random.Random(11)
    for step in range(40):
        if game.over:
            break
        if step % 8 == 0:
            for player in range(game.players):  # looking changes nothing
                game.view(player)
                game.drawing(player)
            assert game.decision is not None and game.decision.prompt
            game.save(path)
            again = restore(path)
            assert digest(again) == digest(game)
            assert again.choices() == game.choices() and again.count == game.count
            assert digest(replay(game.log)) == digest(game)
        game.choose(rng.randrange(game.count))


@pytest.mark.parametrize("name", NAMES)
def test_copies_and_undo(name: str, all_rules: dict[str, Rules]) -> None:
    game = played(all_rules[name], 15)
    twin = game.copy()
    before = digest(game)
    rng = random.Random(2)
    for _ in range(5):
        if not twin.over:
            twin.choose(rng.randrange(twin.count))
    assert digest(game) == before
    after, done = digest(twin), twin.choices()
    back = len(done) - len(game.choices())
    twin.undo(back)
    assert digest(twin) == before
    for entry in done[len(done) - back :]:
        if isinstance(entry, tuple):
            twin.choose(entry[1], player=entry[0])
        else:
            twin.choose(entry)
    assert digest(twin) == after


SCRIPT = """
import sys
from orrery.interpreter.face import restore
from orrery.interpreter.saves import digest
for path in sys.argv[1:]:
    game = restore(path)
    print(digest(game), game.count)
"""


def test_restored_in_another_process(all_rules: dict[str, Rules], tmp_path: Path) -> None:
    wanted, paths = [], []
    for name in NAMES:
        for decisions in (1, 7, 23):
            game = played(all_rules[name], decisions, seed=decisions)
            path = tmp_path / f"{name}-{decisions}"
            game.save(path)
            wanted.append(f"{digest(game)} {game.count}")
            paths.append(str(path))
    environment = {**os.environ, "PYTHONHASHSEED": "77"}
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, *paths], capture_output=True, text=True, env=environment, check=True
    )
    assert run.stdout.split("\n")[:-1] == wanted


def test_in_the_middle_of_an_effect(tmp_path: Path) -> None:
    """Somewhere in these games a victim chooses while another player's errand is half done."""
    rules, path = load("lantern_market"), tmp_path / "save"
    rng = random.Random(4)
    found = 0
    for seed in range(30):
        game = rules.new(players=3, seed=seed)
        while not game.over and found < 3:
            if game.player != game.S[ACTIVE]:
                game.save(path)
                again = restore(path)
                assert digest(again) == digest(game)
                for one in (game, again):
                    one.choose(0)
                assert digest(again) == digest(game)
                found += 1
                continue
            game.choose(rng.randrange(game.count))
    assert found == 3


# --- the cache ------------------------------------------------------------------------------------


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ORRERY_CACHE", str(tmp_path / "cache"))
    load("tic_tac_toe")
    return tmp_path / "cache"


def entries(cache: Path) -> list[Path]:
    return sorted(cache.glob("*.rules"))


def builds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Counts how often a ruleset is built in spite of the cache."""
    counted: list[int] = []
    real = loading.build

    def build(*args: Any) -> Any:
        counted.append(1)
        return real(*args)

    monkeypatch.setattr(loading, "build", build)
    return counted


def test_a_good_entry_is_used(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = builds(monkeypatch)
    assert entries(cache)
    assert played(load("tic_tac_toe"), 3).count == 6
    assert not counted


@pytest.mark.parametrize("damage", ["empty", "short", "flipped", "foreign code", "other secret", "no secret", "short secret"])
def test_a_bad_entry_is_built_anew(damage: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import marshal

    counted = builds(monkeypatch)
    for entry in entries(cache):
        data = bytearray(entry.read_bytes())
        if damage == "empty":
            entry.write_bytes(b"")
        elif damage == "short":
            entry.write_bytes(data[: len(data) // 2])
        elif damage == "flipped":
            data[len(data) // 2] ^= 1
            entry.write_bytes(bytes(data))
        elif damage == "foreign code":
            evil = compile("raise SystemExit('run!')", "evil", "exec")
            entry.write_bytes(bytes(data[:32]) + marshal.dumps(({}, evil)))
    if damage == "other secret":
        (cache / "key").write_bytes(bytes(range(32)))
    elif damage == "no secret":
        (cache / "key").unlink()
    elif damage == "short secret":
        (cache / "key").write_bytes(b"short")
    assert played(load("tic_tac_toe"), 3).count == 6
    assert counted
    counted.clear()
    load("tic_tac_toe")
    assert not counted  # and it is mended


def test_an_entry_cannot_stand_in_for_another(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = {entry.name for entry in entries(cache)}
    load("kuhn_poker")
    (other,) = [entry for entry in entries(cache) if entry.name not in mine]
    for entry in entries(cache):
        if entry.name in mine:
            entry.write_bytes(other.read_bytes())
    counted = builds(monkeypatch)
    assert load("tic_tac_toe").name == "tic_tac_toe"
    assert counted


def test_a_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("ORRERY_CACHE", str(blocked / "cache"))
    assert load("tic_tac_toe").name == "tic_tac_toe"


def test_changed_texts_are_never_answered_from_the_cache(cache: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    text = (loading.RULESETS / "tic_tac_toe" / "ruleset.yaml").read_text()
    (folder / "ruleset.yaml").write_text(text)
    assert load(folder).title == "Tic-tac-toe"
    (folder / "ruleset.yaml").write_text(text.replace("title: Tic-tac-toe", "title: Noughts and crosses"))
    assert load(folder).title == "Noughts and crosses"
