"""What was asked for on the command line, turned into what the rooms before take.

Takes words such as `my_game`, `2=mcts:400`, `long=yes`; gives rules, seats, options and bots. A wrong
word becomes a UsageError that names the nearest right one.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..diagnostics import suggest
from ..face import OptionInfo, Rules, UnknownRuleset, UsageError, load
from ..load import find, usual_players

YES = ("yes", "true", "on", "1")
NO = ("no", "false", "off", "0")


def known(name: str) -> str:
    """The name of a bundled ruleset or the path of a folder, once it is sure to be one."""
    try:
        find(name)
    except UnknownRuleset as error:
        raise UsageError(str(error)) from None
    return name


def rules_named(name: str) -> Rules:
    return load(known(name))


def options(rules: Rules, wishes: Sequence[str]) -> dict[str, Any]:
    """`key=value` for each option; a switch may be named alone."""
    found: dict[str, Any] = {}
    for wish in wishes:
        name, equals, value = (part.strip() for part in wish.partition("="))
        option = rules.options.get(name)
        if option is None:
            near = suggest(name, rules.options)
            others = f"it has {', '.join(rules.options)}" if rules.options else "it has none"
            raise UsageError(f"{rules.name} has no option `{name}`; {near or others}")
        if not equals and option.kind != "switch":
            raise UsageError(f"the option `{name}` takes a value: {name}=…, {_allowed(option)}")
        found[name] = _value(option, value if equals else "yes")
    return found


def _value(option: OptionInfo, word: str) -> Any:
    plain = word.casefold()
    if option.kind == "switch":
        if plain in YES or plain in NO:
            return plain in YES
    elif option.kind == "number":
        if word.lstrip("+-").isdecimal():
            number = int(word)
            if not (option.low is not None and number < option.low) and not (
                option.high is not None and number > option.high
            ):
                return number
    elif option.kind == "choice":
        if option.choices is None or word in option.choices:
            return word
    else:
        words = [item.strip() for item in word.split(",") if item.strip()]
        wrong = [item for item in words if option.choices is not None and item not in option.choices]
        if not wrong:
            return words
        word = wrong[0]
    near = suggest(word, option.choices or ())
    raise UsageError(f"the option `{option.name}` cannot be `{word}`; {near or _allowed(option)}")


def _allowed(option: OptionInfo) -> str:
    if option.kind == "switch":
        return "it is yes or no"
    if option.kind == "number":
        if option.low is not None and option.high is not None:
            return f"it is a number from {option.low} to {option.high}"
        return "it is a number"
    several = "any of" if option.kind == "choices" else "one of"
    return f"it is {several} {', '.join(option.choices or ())}"


def seats(players: int, wishes: Sequence[str], usual: Sequence[str] | None = None) -> list[str]:
    """`1=human`, `2=mcts:400`, `2,3=random`: who sits where; the others sit as usual."""
    from ..session import HUMAN, usual_seats

    found = list(usual or usual_seats(players))
    for wish in wishes:
        where, equals, who = (part.strip() for part in wish.partition("="))
        if not equals or not who:
            raise UsageError(f"`--seat {wish}`: write a seat and who takes it, as in `--seat 2=mcts`")
        if who != HUMAN:
            _check_bot(who)
        for number in where.split(","):
            if not number.strip().isdecimal() or not 1 <= int(number) <= players:
                raise UsageError(f"`--seat {wish}`: the seats of this game go from 1 to {players}")
            found[int(number) - 1] = who
    return found


def _check_bot(spec: str) -> None:
    from .. import bots
    from ..session import HUMAN

    name = spec.partition(":")[0]
    if name not in bots.KINDS:
        known_seats = (HUMAN, *bots.KINDS)
        hint = suggest(name, known_seats) or f"it is one of {', '.join(known_seats)}"
        raise UsageError(f"nobody called `{name}` can take a seat; {hint}")
    bots.make(spec, 0)


def bots_for(players: int, wish: str) -> tuple[str, ...]:
    """`random,mcts:200,depth=40`: a bot for every seat; fewer are dealt out again and again."""
    from .. import bots

    specs: list[str] = []
    for part in (part.strip() for part in wish.split(",")):
        if "=" in part and ":" not in part and specs:
            specs[-1] += f",{part}"  # a setting of the bot before
        elif part:
            specs.append(part)
    if not specs:
        raise UsageError("`--bots` takes names of bots, as in `--bots random,mcts:200`")
    if len(specs) > players:
        raise UsageError(f"{len(specs)} bots were named for {players} seats")
    for spec in specs:
        bots.make(spec, 0)
    return tuple(specs[seat % len(specs)] for seat in range(players))


def players_of(rules: Rules, wish: int | None) -> int:
    """As many as wished; or two, where two can play."""
    if wish is None:
        return usual_players(rules.least, rules.most)
    if not rules.least <= wish <= rules.most:
        many = str(rules.least) if rules.least == rules.most else f"{rules.least} to {rules.most}"
        raise UsageError(f"{rules.name} is for {many} players, not for {wish}")
    return wish


def saved_game(path: Path) -> Path:
    """The path of a save or a log; a wrong one is wrong usage, in every command."""
    try:
        there = path.is_file()
    except (OSError, ValueError):
        there = False
    if not there:
        raise UsageError(f"there is no saved game {path}")
    return path
