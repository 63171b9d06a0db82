"""From one decision to the next: blocks, players at once, spans that end early."""

from __future__ import annotations

from typing import Any

from ..slots import ASK, CONT, DEPTH, EVENT, GROUPS, OPTIONS, OTHERS, OVER, PLAYER, PROCEED
from .hooks import close_span
from .lent import ALONE, BLOCKS, HOOKS, JOIN, RUN_HOOKS, SPANS, Broken, EndGame, EndSpan, Frame, State
from .steps import new_age

# ---- driving ----


def run_frames(S: State, F: Frame | None) -> None:
    """Runs blocks until somebody is asked, the game is over, or this thread has nothing more to do."""
    while F is not None:
        try:
            while F is not None:
                at = F
                F = BLOCKS[F[0]](S, F)
        except EndSpan as end:
            S[DEPTH] = 0
            F = unwind(S, at, end)


def unwind(S: State, F: Frame, end: EndSpan) -> Frame | None:
    """Leaves spans up to the named one, whose closing frame runs next."""
    K: Any = F
    while K is not None:
        span = BLOCKS[K[0]].span
        if span is not None and K is not F:
            if span == end.span:
                _drop_threads(S, K)
                return K  # type: ignore[no-any-return]
            close_span(S, span, K[2])
        elif K[0] == HOOKS:
            S[EVENT], S[PROCEED] = K[6]
        elif K[0] == RUN_HOOKS:
            S[EVENT] = K[4]
        K = K[1]
    raise Broken(end.place, f"we are not in the span `{SPANS[end.span]['name']}`")


def _drop_threads(S: State, mark: Frame) -> None:
    """Open decisions inside an ended span lapse."""
    if not S[OTHERS] and not S[GROUPS]:
        return
    token = mark[3]
    kept, groups = [], set()
    for other in S[OTHERS]:
        K, inside, chain = other[2], False, []
        while K is not None:
            if BLOCKS[K[0]].span is not None and K[3] == token:
                inside = True
                break
            if K[0] == JOIN:
                chain.append(K[2])
            K = K[1]
        if inside:
            groups.update(chain)
        else:
            kept.append(other)
    S[OTHERS] = tuple(kept)
    S[GROUPS] = tuple([g for g in S[GROUPS] if g[0] not in groups and not _inside(mark, g[0], kept)])


def _inside(mark: Frame, group: int, kept: list[Any]) -> bool:
    """A group without anybody left that began after the span did."""
    return bool(group > mark[3])


def drive(S: State, F: Frame | None) -> None:
    """From one decision to the next. (A table's `step` has the same loop, without the call.)"""
    if not ALONE:
        S[PLAYER] = None
    try:
        run_frames(S, F)
    except EndGame:
        over(S)
        return
    if S[PLAYER] is None:
        nobody_asked(S)


def nobody_asked(S: State) -> None:
    """Nothing more to do, and no question: another player's is next, or the game has come to its end."""
    if S[OTHERS]:
        (S[PLAYER], S[OPTIONS], S[CONT], S[ASK]), *rest = S[OTHERS]
        S[OTHERS] = tuple(rest)
    elif S[OVER] is None:
        S[OVER] = ""
        S[CONT] = None
        S[OPTIONS] = ()


def over(S: State) -> None:
    S[PLAYER] = S[CONT] = None
    S[OTHERS] = S[GROUPS] = S[OPTIONS] = ()


def b_end(S: State, F: Frame) -> Frame | None:
    if S[OVER] is None:
        S[OVER] = ""
    raise EndGame


# ---- several players at once ----


def spawn(S: State, players: Any, block: int, values: Any, frame: Frame) -> Frame | None:
    if not players:
        return frame
    group = new_age(S)
    S[GROUPS] = (*S[GROUPS], (group, len(players)))
    join = (JOIN, frame, group)
    for player in players:
        S[PLAYER] = None
        run_frames(S, (block, join, *values, player))
        if S[PLAYER] is not None:
            S[OTHERS] = (*S[OTHERS], (S[PLAYER], S[OPTIONS], S[CONT], S[ASK]))
            S[PLAYER] = None
        if all(g[0] != group for g in S[GROUPS]):
            break  # a span around all of them has ended
    return None


def b_join(S: State, F: Frame) -> Frame | None:
    _, K, group = F
    for index, (number, left) in enumerate(S[GROUPS]):
        if number == group:
            rest = S[GROUPS][:index] + S[GROUPS][index + 1 :]
            if left == 1:
                S[GROUPS] = rest
                return K  # type: ignore[no-any-return]
            S[GROUPS] = (*rest, (group, left - 1))
    return None
