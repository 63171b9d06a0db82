"""Standing effects: how they begin, what they change, and how they end."""

from __future__ import annotations

from typing import Any

from ..slots import AGE, CLOCK, EFFECTS
from .lent import (
    ALARMS,
    BEGINS,
    EFFECT_TABLE,
    FUNCTIONS,
    KNOCKED,
    LAPSE,
    LASTING,
    LASTS,
    MOST_EFFECTS,
    ROUTINES,
    RULE_SLOTS,
    TIMES,
    Broken,
    Frame,
    State,
)
from .steps import new_age

# ---- standing effects: (age, effect, owner, this, arguments, memory, uses left, times still to last) ----


def begin_plain(S: State, number: int, owner: Any, this: Any, args: Any) -> int:
    stacks, times, memory, count, slot, rules, seconds, do, place = BEGINS[number]
    standing = S[EFFECTS]
    if not stacks and any(e[1] == number and e[2] == owner and e[6] != 0 for e in standing):
        return -1
    if len(standing) >= MOST_EFFECTS:
        raise Broken(place, f"more than {MOST_EFFECTS} standing effects at the same time")
    S[AGE] = age = S[AGE] + 1
    uses = TIMES[number](S, owner, this, age) if times else None
    S[EFFECTS] += ((age, number, owner, this, tuple(args), memory, uses, count),)
    if slot is not None:
        S[slot] += 1
    for rule in rules:
        add_rule(S, rule, (rule, owner, this, age))
    if seconds is not None:
        set_alarm(S, S[CLOCK] + seconds, LAPSE, age, place)
    if do is not None:
        FUNCTIONS[do](S, owner, *args, this, age)
    return age  # type: ignore[no-any-return]


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
    moment, slots, rank = RULE_SLOTS[number]
    own = (instance,)
    for slot in slots:
        found = S[slot]
        if moment is not None:
            parts = list(found)
            parts[moment] += own
            S[slot] = tuple(parts)
            continue
        at = len(found)
        while at and RULE_SLOTS[found[at - 1][0]][2] > rank:
            at -= 1
        S[slot] = found[:at] + own + found[at:]


def end_effect(S: State, age: int) -> None:
    standing = S[EFFECTS]
    for at, effect in enumerate(standing):
        if effect[0] == age:
            S[EFFECTS] = standing[:at] + standing[at + 1 :]
            slot = LASTING[effect[1]]
            if slot is not None:
                S[slot] -= 1
            lay_down(S, effect)
            return


def lay_down(S: State, effect: Any) -> None:
    """The rules of an effect stand no longer."""
    age = effect[0]
    for number in BEGINS[effect[1]][5]:
        moment, slots, _ = RULE_SLOTS[number]
        for slot in slots:
            found = S[slot]
            if moment is None:
                S[slot] = without_age(found, age)
            else:
                parts = list(found)
                parts[moment] = without_age(found[moment], age)
                S[slot] = tuple(parts)


def without_age(found: Any, age: int) -> Any:
    """What is left of rules that stand when those of one effect are gone."""
    if len(found) == 1:
        return () if found[0][3] == age else found
    return tuple([i for i in found if i[3] != age])


def end_lasting(S: State, what: Any) -> None:
    for effect in S[EFFECTS]:
        lasts = LASTS[effect[1]]
        if lasts is not None and lasts == what:
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
