"""Hooks before, after and in place of procedures; spans with their memory."""

from __future__ import annotations

from typing import Any

from ..slots import ACTIVE, EVENT, PROCEED, RET
from .effects import end_lasting
from .lent import (
    BASES,
    BLOCKS,
    FUNCTIONS,
    HOOK_SLOT,
    HOOKS,
    LEAVE,
    PROCEED_BACK,
    ROUTINES,
    RULES,
    RUN_HOOKS,
    SPANS,
    TESTS,
    Frame,
    State,
)
from .steps import spend

# ---- hooks ----


def applies(S: State, instance: Any) -> bool:
    number, owner, this, age = instance
    rule = RULES[number]
    doer = S[EVENT][0]
    if owner is None:
        owner = doer
    elif rule["whose"] == "mine":
        if doer != owner:
            return False
    elif rule["whose"] == "others" and doer == owner:
        return False
    test = TESTS.get(number)
    return test is None or bool(test(S, owner, this, age))


def hook_call(S: State, instance: Any, back: Frame) -> Frame | None:
    """Runs one hook: at once if it cannot suspend, else as the next frame."""
    number, owner, this, age = instance
    body = RULES[number]["body"]
    if owner is None:
        owner = S[EVENT][0]
    spend(S)
    if ROUTINES[body]["suspends"]:
        return (ROUTINES[body]["block"], back, owner, this, age)
    FUNCTIONS[body](S, owner, this, age)
    return back


def start_hooks(S: State, hooks: Any, event: Any, frame: Frame) -> Frame | None:
    old = S[EVENT]
    S[EVENT] = event
    return (RUN_HOOKS, frame, tuple(hooks), 0, old)


def b_run_hooks(S: State, F: Frame) -> Frame | None:
    _, K, hooks, at, old = F
    while at < len(hooks):
        instance = hooks[at]
        at += 1
        if applies(S, instance):
            return hook_call(S, instance, (RUN_HOOKS, K, hooks, at, old))
    S[EVENT] = old
    return K  # type: ignore[no-any-return]


def call_hooked(S: State, number: int, K: Frame, args: Any) -> Frame | None:
    before, instead, after = S[HOOK_SLOT[number]]
    routine = ROUTINES[number]
    if not before and not instead and not after and not routine["lasting"]:
        return (routine["block"], K, *args)
    old = (S[EVENT], S[PROCEED])
    you = args[0]
    S[EVENT] = (*args[: len(args) - (2 if routine["self"] else 0)], None)
    extra = args[len(args) - 2 :] if routine["self"] else ()
    if not before and not instead:  # straight on to the routine itself
        S[PROCEED] = (number, (), extra)
        return (routine["block"], (PROCEED_BACK, (HOOKS, K, number, 2, (), 0, old, extra, you), S[PROCEED]), *args)
    return (HOOKS, K, number, 0, before, 0, old, extra, you)


def b_hooks(S: State, F: Frame) -> Frame | None:
    _, K, number, stage, hooks, at, old, extra, you = F
    if stage == 0 or stage == 3:
        while at < len(hooks):
            instance = hooks[at]
            at += 1
            if applies(S, instance):
                return hook_call(S, instance, (HOOKS, K, number, stage, hooks, at, old, extra, you))
        if stage == 0:
            instead = tuple([i for i in reversed(S[HOOK_SLOT[number]][1]) if applies(S, i)])
            S[PROCEED] = (number, instead, extra)
            return go_on(S, (HOOKS, K, number, 2, (), 0, old, extra, you))
        result = S[EVENT][-1]
        S[EVENT], S[PROCEED] = old
        if ROUTINES[number]["lasting"]:
            end_lasting(S, ("routine", number))
        S[RET] = result
        return K  # type: ignore[no-any-return]
    S[EVENT] = (*S[EVENT][:-1], S[RET])
    return (HOOKS, K, number, 3, S[HOOK_SLOT[number]][2], 0, old, extra, you)


def go_on(S: State, back: Frame) -> Frame | None:
    """`proceed`: the next replacement, or in the end what was replaced."""
    number, instead, extra = S[PROCEED]
    frame = (PROCEED_BACK, back, S[PROCEED])
    if instead:
        S[PROCEED] = (number, instead[1:], extra)
        S[RET] = None
        return hook_call(S, instead[0], frame)
    routine = ROUTINES[number]
    args = (*S[EVENT][:-1], *extra)
    if routine["suspends"]:
        return (routine["block"], frame, *args)
    S[RET] = BASES[number](S, *args)
    return frame


def b_proceed_back(S: State, F: Frame) -> Frame | None:
    S[PROCEED] = F[2]
    return F[1]  # type: ignore[no-any-return]


def hooked_plain(S: State, number: int, args: Any) -> Any:
    """The same for a routine that, with all its hooks, cannot suspend."""
    before, instead, after = S[HOOK_SLOT[number]]
    routine = ROUTINES[number]
    if not before and not instead and not after and not routine["lasting"]:
        return BASES[number](S, *args)
    old = (S[EVENT], S[PROCEED])
    cut = len(args) - (2 if routine["self"] else 0)
    S[EVENT] = (*args[:cut], None)
    try:
        for instance in before:
            if applies(S, instance):
                hook_call(S, instance, ())
        if before or instead:
            instead = tuple([i for i in reversed(S[HOOK_SLOT[number]][1]) if applies(S, i)])
            S[PROCEED] = (number, instead, args[cut:])
            result = proceed_plain(S)
        else:  # nothing that could change the event, or take its place
            S[PROCEED] = (number, (), args[cut:])
            result = BASES[number](S, *args)
        S[EVENT] = (*S[EVENT][:-1], result)
        for instance in S[HOOK_SLOT[number]][2]:
            if applies(S, instance):
                hook_call(S, instance, ())
    finally:
        S[EVENT], S[PROCEED] = old
    if routine["lasting"]:
        end_lasting(S, ("routine", number))
    return result


def proceed_plain(S: State) -> Any:
    number, instead, extra = S[PROCEED]
    if not instead:
        return BASES[number](S, *S[EVENT][:-1], *extra)
    kept = S[PROCEED]
    S[PROCEED] = (number, instead[1:], extra)
    instance = instead[0]
    owner = instance[1] if instance[1] is not None else S[EVENT][0]
    spend(S)
    result = FUNCTIONS[RULES[instance[0]]["body"]](S, owner, instance[2], instance[3])
    S[PROCEED] = kept
    return result


# ---- spans ----


def enter(S: State, number: int, you: Any) -> Any:
    """Opens a span: gives what its memory was before, for nested spans of one name."""
    span = SPANS[number]
    saved = (S[ACTIVE], *[S[slot] for slot in span["slots"]])
    for slot, start in span["starts"]:
        S[slot] = start
    if span["inside"] is not None:
        S[span["inside"]] += 1
    if you is not None:
        S[ACTIVE] = you
    return saved


def close_span(S: State, number: int, saved: Any) -> None:
    span = SPANS[number]
    S[ACTIVE] = saved[0]
    for slot, value in zip(span["slots"], saved[1:], strict=True):
        S[slot] = value
    if span["inside"] is not None:
        S[span["inside"]] -= 1
    if span["lasting"] is not None and S[span["lasting"]]:
        end_lasting(S, ("span", number))


def leave(S: State, K: Frame) -> Frame:
    """`return` out of a span: closes it and gives the frame around it."""
    close_span(S, BLOCKS[K[0]].span, K[2])
    return K[1]  # type: ignore[no-any-return]


def begin_span(S: State, number: int, you: Any, frame: Frame) -> Frame | None:
    slot = SPANS[number]["hook_slot"]
    hooks = S[slot][0] if slot is not None else ()
    if not hooks:
        return frame
    event = (you, *[S[s] for s in SPANS[number]["params"]], None)
    return start_hooks(S, hooks, event, frame)


def finish_span(S: State, number: int, saved: Any, frame: Frame) -> Frame | None:
    slot = SPANS[number]["hook_slot"]
    hooks = S[slot][2] if slot is not None else ()
    if not hooks:
        close_span(S, number, saved)
        return frame
    event = (S[ACTIVE], *[S[s] for s in SPANS[number]["params"]], None)
    return start_hooks(S, hooks, event, (LEAVE, frame, number, saved))


def b_leave(S: State, F: Frame) -> Frame | None:
    _, K, number, saved = F
    close_span(S, number, saved)
    return K  # type: ignore[no-any-return]
