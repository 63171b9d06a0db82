"""Standing effects: how they begin, what they change, and how they end."""

from __future__ import annotations

from typing import Any

from ..slots import CLOCK, EFFECTS
from .lent import (
    ALARMS,
    CHANGE_SLOT,
    EFFECT_TABLE,
    FUNCTIONS,
    KNOCKED,
    LAPSE,
    LASTING,
    LASTS,
    MOST_EFFECTS,
    OFFER_SLOT,
    OP_ORDER,
    ROUTINES,
    RULES,
    TIMES,
    Broken,
    Frame,
    State,
)
from .steps import new_age

# ---- standing effects: (age, effect, owner, this, arguments, memory, uses left, times still to last) ----


def begin_plain(S: State, number: int, owner: Any, this: Any, args: Any) -> int:
    effect = EFFECT_TABLE[number]
    if not effect["stacks"] and any(e[1] == number and e[2] == owner and e[6] != 0 for e in S[EFFECTS]):
        return -1
    if len(S[EFFECTS]) >= MOST_EFFECTS:
        raise Broken(effect["place"], f"more than {MOST_EFFECTS} standing effects at the same time")
    age = new_age(S)
    uses = TIMES[number](S, owner, this, age) if effect["times"] else None
    S[EFFECTS] = (
        *S[EFFECTS],
        (age, number, owner, this, tuple(args), effect["memory_start"], uses, effect["count"]),
    )
    slot = LASTING[number]
    if slot is not None:
        S[slot] += 1
    for rule in effect["rules"]:
        add_rule(S, rule, (rule, owner, this, age))
    if effect["seconds"] is not None:
        set_alarm(S, S[CLOCK] + effect["seconds"], LAPSE, age, effect["place"])
    do = effect["do"]
    if do is not None and effect["component"] is None and not ROUTINES[do]["suspends"]:
        FUNCTIONS[do](S, owner, *args, this, age)
    return age


# ---- alarms: (instant, order, what, which, place), the next one first ----


def set_alarm(S: State, instant: int, what: int, which: int, place: int) -> None:
    """At one instant, what was set first comes first."""
    found = S[ALARMS]
    at = len(found)
    while at and found[at - 1][0] > instant:
        at -= 1
    S[ALARMS] = (*found[:at], (instant, new_age(S), what, which, place), *found[at:])


def begin_effect(S: State, number: int, owner: Any, this: Any, args: Any, frame: Frame) -> Frame | None:
    age = begin_plain(S, number, owner, this, args)
    do = EFFECT_TABLE[number]["do"]
    if age < 0 or do is None:
        return frame
    return (ROUTINES[do]["block"], frame, owner, *args, this, age)


def add_rule(S: State, number: int, instance: Any) -> None:
    if number in KNOCKED:
        return
    rule = RULES[number]
    if rule["sort"] == "change":
        slot = CHANGE_SLOT[rule["targets"][0]]
        key = OP_ORDER[rule["op"]]
        found = S[slot]
        at = len(found)
        while at and OP_ORDER[RULES[found[at - 1][0]]["op"]] > key:
            at -= 1
        S[slot] = (*found[:at], instance, *found[at:])
    elif rule["sort"] == "offer":
        slot = OFFER_SLOT[rule["menu"]]
        S[slot] = (*S[slot], instance)
    else:
        moment = rule["moment"]
        for slot in rule["slots"]:
            parts = list(S[slot])
            parts[moment] = (*parts[moment], instance)
            S[slot] = tuple(parts)


def end_effect(S: State, age: int) -> None:
    effect = next((e for e in S[EFFECTS] if e[0] == age), None)
    if effect is None:
        return
    S[EFFECTS] = tuple([e for e in S[EFFECTS] if e[0] != age])
    slot = LASTING[effect[1]]
    if slot is not None:
        S[slot] -= 1
    lay_down(S, effect)


def lay_down(S: State, effect: Any) -> None:
    """The rules of an effect stand no longer."""
    age = effect[0]
    for number in EFFECT_TABLE[effect[1]]["rules"]:
        rule = RULES[number]
        if rule["sort"] == "change":
            slots = [CHANGE_SLOT[rule["targets"][0]]]
        elif rule["sort"] == "offer":
            slots = [OFFER_SLOT[rule["menu"]]]
        else:
            for slot in rule["slots"]:
                S[slot] = tuple([tuple([i for i in part if i[3] != age]) for part in S[slot]])
            continue
        for slot in slots:
            S[slot] = tuple([i for i in S[slot] if i[3] != age])


def end_lasting(S: State, what: Any) -> None:
    for effect in S[EFFECTS]:
        if LASTS[effect[1]] == what:
            left = effect[7] - 1
            if left <= 0:
                end_effect(S, effect[0])
            else:
                S[EFFECTS] = tuple([(*e[:7], left) if e[0] == effect[0] else e for e in S[EFFECTS]])


def use(S: State, age: Any) -> None:
    """One of an effect's times is used up. After the last its rules are gone, its memory is still there."""
    for effect in S[EFFECTS]:
        if effect[0] == age and effect[6] is not None:
            S[EFFECTS] = tuple([(*e[:6], e[6] - 1, e[7]) if e[0] == age else e for e in S[EFFECTS]])
            if effect[6] == 1:
                lay_down(S, effect)
            return


def memory(S: State, age: Any, index: int) -> Any:
    for effect in S[EFFECTS]:
        if effect[0] == age:
            return effect[5][index]
    return None


def argument(S: State, age: Any, index: int) -> Any:
    for effect in S[EFFECTS]:
        if effect[0] == age:
            return effect[4][index]
    return None


def remember(S: State, age: Any, index: int, value: Any) -> None:
    S[EFFECTS] = tuple(
        [(*e[:5], put_at(e[5], index, value), *e[6:]) if e[0] == age else e for e in S[EFFECTS]]
    )


def put_at(items: Any, index: int, value: Any) -> Any:
    return (*items[:index], value, *items[index + 1 :])
