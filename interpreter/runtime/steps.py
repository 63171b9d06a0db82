"""Steps and bounds: what keeps any rule from running away."""

from __future__ import annotations

from typing import Any

from ..slots import AGE, DEPTH, FUEL
from .lent import BIGGEST, DEEPEST, LONGEST_TEXT, MOST_FRAMES, Broken, OutOfSteps, State

# ---- steps ----


def spend(S: State) -> None:
    S[FUEL] = f = S[FUEL] - 1
    if f < 0:
        raise OutOfSteps


def count_steps(S: State, items: Any) -> Any:
    S[FUEL] = f = S[FUEL] - len(items)
    if f < 0:
        raise OutOfSteps
    return items


def broken(S: State, place: int, message: str) -> None:
    raise Broken(place, message or "a condition of this rule does not hold")


def deeper(S: State, place: int) -> None:
    """One more routine inside another; whoever calls this takes the step back."""
    S[FUEL] = f = S[FUEL] - 1
    if f < 0:
        raise OutOfSteps
    S[DEPTH] = d = S[DEPTH] + 1
    if d > DEEPEST:
        raise Broken(place, f"rules set each other off without end: {DEEPEST} of them inside each other")


def fathom(S: State, K: Any, place: int) -> None:
    """The same for routines that may ask: counts the frames below."""
    S[FUEL] = f = S[FUEL] - 1
    if f < 0:
        raise OutOfSteps
    for _ in range(MOST_FRAMES):
        if K is None:
            return
        K = K[1]
    if K is not None:
        raise Broken(place, f"rules set each other off without end: {MOST_FRAMES} are waiting for each other")


def whole(n: Any, place: int) -> Any:
    if type(n) is float:
        if n != int(n):
            raise Broken(place, f"a whole number is needed here, and this is {n}")
        return int(n)
    return n


def sized(n: Any, place: int) -> Any:
    """A number that is kept; it must stay countable."""
    if n is not None and not -BIGGEST < n < BIGGEST:
        raise Broken(place, "this number grows too big")
    return n


def brief(text: str, place: int) -> str:
    if len(text) > LONGEST_TEXT:
        raise Broken(place, f"this text is longer than {LONGEST_TEXT} characters")
    return text


def needs(S: State, thing: Any, place: int) -> Any:
    if thing is None:
        raise Broken(place, "there is nothing here to work on (none)")
    return thing


def new_age(S: State) -> int:
    S[AGE] = age = S[AGE] + 1
    return age  # type: ignore[no-any-return]
