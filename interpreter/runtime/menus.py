"""Menus: which actions are offered, and what follows; and running the effects of components."""

from __future__ import annotations

from typing import Any

from ..slots import ASK, CONT, FUEL, OPTIONS, PLAYER, RET
from .effects import begin_plain, use
from .hooks import call_hooked
from .lent import (
    DESIGN,
    DOES,
    EFFECT_OF,
    EFFECT_TABLE,
    FUNCTIONS,
    HEADS,
    HOOK_SLOT,
    LOOK,
    MENU,
    MENU_BACK,
    MENUS,
    ROUTINES,
    RULES,
    RUNS,
    TESTS,
    Broken,
    Frame,
    OutOfSteps,
    State,
)
from .steps import spend

# ---- menus ----


def open_menu(S: State, number: int, you: int, picks: Any, frame: Frame) -> Frame | None:
    return (MENU, frame, number, you, picks)


def b_menu(S: State, F: Frame) -> Frame | None:
    _, K, number, you, picks = F
    S[FUEL] = f = S[FUEL] - 1
    if f < 0:
        raise OutOfSteps
    if picks is not None and picks <= 0:
        return K  # type: ignore[no-any-return]
    menu = MENUS[number]
    options = offered(S, menu, you)
    if not options and (not menu["stop"] or not menu["hidden"]):
        return K  # type: ignore[no-any-return]
    if menu["stop"]:
        options.append(None)
    S[PLAYER] = you
    S[OPTIONS] = tuple(options)
    S[CONT] = (MENU_BACK, K, number, you, picks)
    S[ASK] = -1 - number
    return None


def offered(S: State, menu: Any, you: int) -> list[Any]:
    """The actions of a menu that can be carried through, and those that effects offer."""
    seen = S[LOOK]
    if seen is None:
        S[LOOK] = {}  # nothing changes until all are looked through
    if menu["offered"] is not None:
        options: list[Any] = menu["offered"](S, you)
    else:
        options = [a for a in menu["actions"] if HEADS[a](S, you)]
    for instance in S[menu["slot"]] if menu["slot"] is not None else ():
        rule, owner, this, age = instance
        if owner is not None and owner != you:
            continue
        test = TESTS.get(rule)
        if test is not None and not test(S, you, this, age):
            continue
        action = RULES[rule]["targets"][0]
        head = HEADS[action]
        if head(S, you, this, age) if ROUTINES[action]["self"] else head(S, you):
            option = (action, this, age)
            if ROUTINES[action]["self"] or not _among(action, options):
                options.append(option)
    S[LOOK] = seen
    return options


def _among(action: int, options: list[Any]) -> bool:
    return action in options or action in [o[0] for o in options if type(o) is tuple]


def b_menu_back(S: State, F: Frame) -> Frame | None:
    _, K, number, you, picks = F
    picked = S[RET]
    if picked is None:
        return K  # type: ignore[no-any-return]
    back = (MENU, K, number, you, None if picks is None else picks - 1)
    if type(picked) is int:
        return action_call(S, picked, back, (you,))
    action, this, age = picked
    use(S, age)
    return action_call(S, action, back, (you, this, age) if ROUTINES[action]["self"] else (you,))


def action_call(S: State, number: int, back: Frame, args: Any) -> Frame | None:
    routine = ROUTINES[number]
    if not routine["suspends"]:
        FUNCTIONS[number](S, *args)
        return back
    if number in HOOK_SLOT:
        return call_hooked(S, number, back, args)
    return (routine["block"], back, *args)


# ---- effects of components ----


def _do(S: State, x: Any, slot: str, place: int) -> int | None:
    if x is None:
        raise Broken(place, "there is nothing here to run (none)")
    if isinstance(x, tuple):
        return None
    return DOES.get((slot, DESIGN[x]))


def run_slot(S: State, x: Any, slot: str, you: int, frame: Frame, place: int) -> Frame | None:
    number = _do(S, x, slot, place)
    spend(S)
    age = None
    effect = EFFECT_OF.get(DESIGN[x]) if slot == "do" else None
    if effect is not None and EFFECT_TABLE[effect]["lasts"] is not None:
        age = begin_plain(S, effect, you, x, ())
    if number is None:
        return frame
    routine = ROUTINES[number]
    if not routine["suspends"]:
        FUNCTIONS[number](S, you, x, age)
        return frame
    if number in HOOK_SLOT:
        return call_hooked(S, number, frame, (you, x, age))
    return (routine["block"], frame, you, x, age)


def run_plain(S: State, x: Any, slot: str, you: int, place: int) -> None:
    run_slot(S, x, slot, you, (), place)


def can_run(S: State, x: int, slot: str, you: int) -> bool:
    head = RUNS[slot][x]
    return head if type(head) is bool else bool(head(S, you, x, None))
