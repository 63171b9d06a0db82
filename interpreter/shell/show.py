"""What a ruleset holds: an overview, one of its things, or what its rules say about a word.

Takes rules and a name; writes to the screen. Reads nothing but what `things()` gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..diagnostics import suggest
from ..face import OptionInfo, Rules, Thing, UsageError, bundled, load
from .screen import Screen, count, print_json

MOST_FOUND = 12  # things that are shown in short when a word means several


def overview(screen: Screen, rules: Rules) -> None:
    """The ruleset on one page."""
    screen.line((rules.title, "bold"), (f"  {rules.name} {rules.version}".rstrip(), "dim"))
    if rules.about:
        screen.say(rules.about)
    screen.line(f"{players(rules)} player{'s' if rules.most > 1 else ''}")
    if rules.options:
        screen.gap()
        screen.line(("Options", "bold"))
        screen.table(
            ("", "", ""),
            [(option.name, allowed(option), option.text) for option in rules.options.values()],
        )
    for what, things in _by_kind(rules.things()):
        screen.gap()
        screen.line((f"{what[:1].upper()}{what[1:]} ({len(things)})", "bold"))
        screen.columns([[(thing.name or thing.id, "")] for thing in things], most=6)
    screen.gap()
    screen.line((f"orrery show {rules.name} ID shows one of them.", "dim"))


def shelf(screen: Screen, *, as_json: bool = False) -> None:
    """The rulesets that come with Orrery."""
    rulesets = [load(name) for name in bundled()]
    if as_json:
        print_json({"rulesets": [data(rules, ()) for rules in rulesets]})
        return
    screen.table(
        ("name", "players", ""), [(rules.name, players(rules), rules.title) for rules in rulesets], right={1}
    )


def found(rules: Rules, word: str) -> list[Thing]:
    """The things of that name; a UsageError with the nearest name if there are none."""
    things = rules.things()
    fitting = named(things, word)
    if not fitting:
        near = suggest(word, (name for thing in things for name in _names(thing)))
        raise UsageError(f"{rules.name} has nothing called `{word}`" + (f"; {near}" if near else ""))
    return fitting


def one(screen: Screen, rules: Rules, word: str) -> None:
    """Everything about one thing. Several things of that name are shown one after the other."""
    for number, thing in enumerate(found(rules, word)):
        if number:
            screen.gap()
        whole(screen, rules, thing)


def whole(screen: Screen, rules: Rules, thing: Thing) -> None:
    screen.line((thing.name or thing.id, "bold"), f"  {thing.what} {thing.id}")
    if thing.text:
        screen.say(thing.text, indent="  ")
    screen.line((f"  {rules.source.shown}/{thing.file}:{thing.line}", "dim"))
    screen.gap()
    screen.lines((f"    {line}" for line in thing.source.rstrip().splitlines()), "cyan")
    for head, lines in (("Changed by", thing.changed_by), ("Cites", thing.cites)):
        if lines:
            screen.gap()
            screen.line((head, "bold"))
            screen.lines(f"  {line}" for line in lines)


def show_word(screen: Screen, rules: Rules, word: str) -> None:
    """What the rules say about a word, for somebody who plays."""
    if not word:
        screen.say(
            "`rules` takes a word: the name of a card, an action or anything else in the game", "yellow"
        )
        return
    things = rules.things()
    fitting = named(things, word) or mentioning(things, word)
    if not fitting:
        near = suggest(word, (name for thing in things for name in _names(thing)))
        screen.say(f"the rules say nothing about `{word}`" + (f"; {near}" if near else ""), "yellow")
    elif len(fitting) == 1:
        whole(screen, rules, fitting[0])
    else:
        for thing in fitting[:MOST_FOUND]:
            screen.line((thing.name or thing.id, "bold"), (f"  {thing.what} {thing.id}", "dim"))
            if thing.text:
                screen.say(thing.text, indent="    ")
        if len(fitting) > MOST_FOUND:
            screen.line((f"  … and {count(len(fitting) - MOST_FOUND, 'other')}", "dim"))


def named(things: Iterable[Thing], word: str) -> list[Thing]:
    """The things of that id or name; failing that, those whose id or name begins so."""
    things, wanted = list(things), _plain(word)
    exact = [thing for thing in things if wanted in map(_plain, _names(thing))]
    if exact:
        return exact
    begun = [thing for thing in things if any(_plain(name).startswith(wanted) for name in _names(thing))]
    return begun if len(begun) == 1 else []


def mentioning(things: Iterable[Thing], word: str) -> list[Thing]:
    wanted = _plain(word)
    return [thing for thing in things if wanted in _plain(" ".join((*_names(thing), thing.text)))]


def data(rules: Rules, things: Sequence[Thing]) -> dict[str, Any]:
    """The same for programs."""
    return {
        "ruleset": rules.name,
        "title": rules.title,
        "about": rules.about,
        "version": rules.version,
        "fingerprint": rules.fingerprint,
        "players": {"least": rules.least, "most": rules.most},
        "options": [
            {
                "name": option.name,
                "text": option.text,
                "start": option.start,
                "kind": option.kind,
                "choices": option.choices,
                "low": option.low,
                "high": option.high,
            }
            for option in rules.options.values()
        ],
        "things": [
            {
                "id": thing.id,
                "what": thing.what,
                "name": thing.name,
                "text": thing.text,
                "file": thing.file,
                "line": thing.line,
                "source": thing.source,
                "cites": list(thing.cites),
                "changed_by": list(thing.changed_by),
            }
            for thing in things
        ],
    }


def allowed(option: OptionInfo) -> str:
    """What may be given for an option, and what it is if nothing is."""
    if option.kind == "switch":
        values = "yes, no"
    elif option.kind == "number":
        values = f"{option.low} to {option.high}" if option.low is not None else "a number"
    else:
        values = ", ".join(option.choices or [])
    return f"{values} (usually {written(option.start)})"


def players(rules: Rules) -> str:
    return str(rules.least) if rules.least == rules.most else f"{rules.least} to {rules.most}"


def written(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value)) or "none"
    return str(value)


def _by_kind(things: Iterable[Thing]) -> list[tuple[str, list[Thing]]]:
    kinds: dict[str, list[Thing]] = {}
    for thing in things:
        kinds.setdefault(thing.what, []).append(thing)
    return list(kinds.items())


def _names(thing: Thing) -> list[str]:
    return [thing.id, thing.name] if thing.name else [thing.id]


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").replace("-", " ").split())
