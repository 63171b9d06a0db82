"""The public face of Orrery: load, validate, restore, replay, and what they give.

Small and stable. Everything else is private.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .diagnostics import (
    Diagnostic,
    IllegalChoice,
    OrreryError,
    RuleError,
    RulesetError,
    SaveError,
    UnknownName,
    UsageError,
    nearest,
)
from .load import (
    ENGINE,
    RULESETS,
    Loaded,
    UnknownRuleset,
    bundled,
    find,
    known_clean,
    load_folder,
    load_variant,
    refuse,
    remember_clean,
    usual_players,
)

if TYPE_CHECKING:
    from .game import Decision, Game, Option, Result
    from .saves import Log

# Whoever only looks at a ruleset needs no game: these are fetched from their rooms when they are used.
LATER = {"Decision": "game", "Game": "game", "Option": "game", "Result": "game", "Log": "saves"}


def __getattr__(name: str) -> Any:
    if name not in LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{LATER[name]}", __package__), name)


@dataclass(frozen=True)
class OptionInfo:
    """An option of a ruleset: a switch, a number, a choice or several choices."""

    name: str
    text: str
    start: Any
    kind: str
    choices: list[str] | None
    low: int | None
    high: int | None


@dataclass(frozen=True)
class Thing:
    """Anything that a ruleset declares, for `show` and `rules`."""

    id: str
    what: str
    name: str
    text: str
    file: str
    line: int
    source: str = ""
    cites: list[str] = field(default_factory=list)
    changed_by: list[str] = field(default_factory=list)


class Rules:
    """A compiled ruleset, made by `load`. `new` starts games.

    `name`, `title`, `about` and `version` are what it says of itself; `least` to `most` can play; the
    `fingerprint` changes with the rules, not with labels or drawings.
    """

    engine = ENGINE

    def __init__(self, loaded: Loaded, path: Path) -> None:
        assert loaded.image is not None and loaded.code is not None
        self.image, self._code, self.folder = loaded.image, loaded.code, path
        self.source = loaded.folder
        self.warnings = [p.below(loaded.folder.shown) for p in loaded.problems]
        image = self.image
        self.name: str = image["name"]
        self.title: str = image["title"]
        self.about: str = image["about"]
        self.version: str = image["version"]
        self.least: int = image["least"]
        self.most: int = image["most"]
        self.fingerprint: str = image["fingerprint"]
        self.outside: str | None = None if path.parent == RULESETS else str(path.resolve())
        self.counts: list[int] = [0] * len(image["counters"])  # uses of rules, where they are counted
        self._tables: dict[Any, Any] = {}
        self._usual: dict[Any, Any] = {}  # tables without options, for quick starts

    @property
    def code(self) -> Any:
        """The compiled rules; from the cache they come packed, and are unpacked for the first table."""
        if isinstance(self._code, bytes):
            import marshal

            self._code = marshal.loads(self._code)
        return self._code

    def __repr__(self) -> str:
        return f"<Rules of {self.title}, {self.least} to {self.most} players>"

    @property
    def options(self) -> dict[str, OptionInfo]:
        """The options that a game of it may be given, by name."""
        found = {}
        for name, info in self.image["options"].items():
            choices = list(info["choices"])
            if info["sort"] == "choices":
                choices = [
                    c for c, x in self.image["components"].items() if self._is_like(x["kind"], info["kind"])
                ]
            found[name] = OptionInfo(
                name, info["text"], info["start"], info["sort"], choices or None, info["low"], info["high"]
            )
        return found

    def _is_like(self, kind: str | None, other: str) -> bool:
        parents = {k["name"]: k["parent"] for k in self.image["kinds"]}
        while kind is not None:
            if kind == other:
                return True
            kind = parents[kind]
        return False

    def new(
        self, players: int | None = None, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> Game:
        """A new game, at its first decision.

        Without `players` as few as may play, without `seed` a random one, without `options` as they
        start. Raises UsageError for what the ruleset does not have. Same arguments and choices: same game.
        """
        usual = self._usual
        if type(seed) is not int:
            seed = self._seed(seed)
        table = usual[players] if not options and players in usual else self.table(players, options)
        begin = table.begin
        return begin(self, seed)  # type: ignore[no-any-return]

    def _seed(self, seed: int | None) -> int:
        if seed is None:
            import secrets

            return secrets.randbits(32)
        if type(seed) is not int:
            raise UsageError("a seed is a whole number")
        return seed

    def table(
        self, players: int | None = None, options: dict[str, Any] | None = None, knocked: Any = None
    ) -> Any:
        """The ruleset laid out for these players and options."""
        from .bind import Table
        from .driver import seat
        from .speak import Speaker

        if not options and knocked is None and players in self._usual:
            return self._usual[players]
        count = usual_players(self.least, self.most) if players is None else players
        if type(count) is not int or not self.least <= count <= self.most:
            many = (
                f"{self.least} players" if self.least == self.most else f"{self.least} to {self.most} players"
            )
            raise UsageError(f"{self.title} is for {many}, not {count}")
        chosen = self._options(options or {})
        key = (count, repr(sorted(chosen.items())), knocked)
        if key not in self._tables:
            table = Table(self.image, self.code, count, chosen, knocked)
            table.speaker = Speaker(table)
            seat(table)
            if self.counts:
                from .knock import count_uses

                count_uses(table, self.counts)
                table.openings.closed = True  # so that set-up is counted in every game
            if len(self._tables) > 64:
                self._tables.clear()
            self._tables[key] = table
        if not options and knocked is None:
            self._usual[players] = self._tables[key]
        return self._tables[key]

    def _options(self, given: dict[str, Any]) -> dict[str, Any]:
        known = self.options
        chosen = {name: info.start for name, info in known.items()}
        for name, value in given.items():
            info = known.get(name)
            if info is None:
                near = nearest(str(name), known)
                has = f" Its options are: {', '.join(known)}." if known else " It has none."
                raise UsageError(
                    f"{self.title} has no option `{name}`." + (f" Did you mean `{near}`?" if near else has)
                )
            chosen[name] = self._option(info, value)
        return chosen

    def _option(self, info: OptionInfo, value: Any) -> Any:
        if info.kind == "switch":
            words = {
                "true": True,
                "yes": True,
                "on": True,
                "1": True,
                "false": False,
                "no": False,
                "off": False,
                "0": False,
            }
            if isinstance(value, bool):
                return value
            if str(value).lower() in words:
                return words[str(value).lower()]
            raise UsageError(f"the option `{info.name}` is true or false, not {value!r}")
        if info.kind == "number":
            try:
                made = int(str(value))
            except ValueError:
                raise UsageError(f"the option `{info.name}` is a whole number, not {value!r}") from None
            if not (info.low or 0) <= made <= (info.high if info.high is not None else made):
                raise UsageError(f"the option `{info.name}` goes from {info.low} to {info.high}, not {made}")
            return made
        names = (
            [str(value)]
            if info.kind == "choice"
            else (
                [v.strip() for v in value.split(",") if v.strip()]
                if isinstance(value, str)
                else [str(v) for v in (value if isinstance(value, list | tuple | set) else [value])]
            )
        )
        for name in names:
            if name not in (info.choices or []):
                near = nearest(name, info.choices or [])
                raise UsageError(
                    f"the option `{info.name}` has no choice `{name}`."
                    + (f" Did you mean `{near}`?" if near else "")
                )
        return names[0] if info.kind == "choice" else tuple(names)

    def counting(self) -> Rules:
        """A twin whose games count how often each rule ran: see `uses`."""
        return self._twin(counting=True)

    def apart(self) -> Rules:
        """A twin with every rule in a function of its own, so that each can be clocked or taken away."""
        return self._twin(inline=False)

    def _twin(self, **how: bool) -> Rules:
        loaded = load_variant(Loaded(self.image, self.code, [], self.source), **how)
        twin = Rules(loaded, self.folder)
        twin.outside, twin.warnings = self.outside, self.warnings
        return twin

    def uses(self) -> dict[str, int]:
        """How often each rule ran, in the games of a twin that counts; what never ran is not there."""
        from .knock import counters

        return {name: n for name, n in zip(counters(self.image), self.counts, strict=True) if n}

    def countable(self, players: int, options: dict[str, Any]) -> list[str]:
        """The rules that a game with these players and options could use."""
        from .knock import countable

        return countable(self.table(players, options))

    def things(self) -> list[Thing]:
        """All that the ruleset declares, with its text, its source and what can change it."""
        found = []
        for item in self.image["things"]:
            lines = self.source.lines(item["file"]) or []
            found.append(Thing(**item, source=_excerpt(lines, item["line"])))
        return found


def _excerpt(lines: list[str], line: int) -> str:
    """An entry of a YAML file: its line and the deeper ones below it."""
    if not 1 <= line <= len(lines):
        return ""
    first = lines[line - 1]
    depth = len(first) - len(first.lstrip())
    kept = [first]
    for text in lines[line:]:
        if text.strip() and len(text) - len(text.lstrip()) <= depth:
            break
        kept.append(text)
    while kept and not kept[-1].strip():
        kept.pop()
    return "\n".join(t[depth:] for t in kept)


_loaded: dict[str, Rules] = {}


def _path(name: Any) -> str:
    """A name or path as text; anything else is told so."""
    text = os.fspath(name) if isinstance(name, (str, os.PathLike)) else None
    if not isinstance(text, str) or not text:
        raise UsageError(f"expected the name of a ruleset or the path of a file, not {name!r}")
    return text


def load(name: str | os.PathLike[str]) -> Rules:
    """A ruleset by its bundled name or its folder.

    Raises RulesetError with all that is wrong in it, and UnknownRuleset if there is no such ruleset.
    """
    path = find(_path(name))
    loaded = load_folder(path, _shown(name, path))
    refuse(loaded)
    return Rules(loaded, path)


def validate(name: str | os.PathLike[str]) -> list[Diagnostic]:
    """All that is wrong with a ruleset and its scenarios, in file order; empty if it is clean.

    Errors keep it from being played, warnings do not.
    """
    path = find(_path(name))
    loaded = load_folder(path, _shown(name, path))
    problems = [p.below(loaded.folder.shown) for p in loaded.problems]
    if loaded.image is not None and not known_clean(loaded.folder):
        from .scenarios import check_scenarios

        found = check_scenarios(Rules(loaded, path))
        problems += [p.below(loaded.folder.shown) for p in found]
        if not problems:
            remember_clean(loaded.folder)
    return problems


def _shown(name: str | os.PathLike[str], path: Path) -> str:
    text = os.fspath(name)
    return f"rulesets/{text}" if path.parent == RULESETS and text == path.name else str(path)


def restore(path: str | os.PathLike[str]) -> Game:
    """A saved game, at the decision where it was saved.

    Raises SaveError, in words for people, if the file is damaged or the rules have changed since.
    """
    from .saves import restore as restore_file

    return restore_file(_path(path), load)


def replay(log: Log | dict[str, Any]) -> Game:
    """The same game again, from its log: a `Log`, or the mapping in it."""
    from .saves import replay as replay_log

    return replay_log(log, load)


__all__ = [
    "Decision",
    "Diagnostic",
    "Game",
    "IllegalChoice",
    "Log",
    "Option",
    "OptionInfo",
    "OrreryError",
    "Result",
    "RuleError",
    "Rules",
    "RulesetError",
    "SaveError",
    "Thing",
    "UnknownName",
    "UnknownRuleset",
    "UsageError",
    "bundled",
    "load",
    "replay",
    "restore",
    "validate",
]
