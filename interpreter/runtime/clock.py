"""Time as game data: timers, players who are busy or wait, and what happens when nobody is left to ask.

Time stands still while somebody may act, and moves to the next instant at which something happens when
everybody is busy or waits. At one instant, what was set first runs out first; then players become
free, by since when they are free and by seat. Under a wall clock only `advance` moves time.
"""

from __future__ import annotations

from typing import Any

from ..slots import (
    ASK,
    CLOCK,
    CONT,
    EFFECTS,
    EVENT,
    FIRST_FREE,
    FUEL,
    GROUPS,
    OPTIONS,
    OTHERS,
    OVER,
    PLAYER,
    PROCEED,
    RET,
    RNG,
)
from .asking import pick_one_untimed
from .driving import over, run_frames
from .effects import end_effect, set_alarm, use
from .hooks import call_hooked, close_span
from .lent import (
    AGAIN,
    ALARM,
    ALARMS,
    AUTO,
    BLOCKS,
    BUSY,
    CONTEXT,
    FAILS,
    FREE,
    FUNCTIONS,
    HOOK_SLOT,
    HOOKS,
    IDLE,
    LAPSE,
    LATEST,
    LIVE,
    LOOK,
    MENU,
    MENU_BACK,
    MENUS,
    NO_EVENT,
    OWNER_OF,
    PARKED,
    PATIENCE,
    PICK_BACK,
    RAN_OUT,
    RING,
    ROUTINES,
    RUN_HOOKS,
    RUNNING,
    SET_AUTO,
    SHORTEST,
    SPANS,
    STEPS,
    TAKES,
    TIMERS,
    TRAILS,
    USABLE,
    WAIT,
    Broken,
    EndGame,
    EndSpan,
    Frame,
    OutOfSteps,
    State,
)
from .menus import action_call, b_menu, b_menu_back, offered
from .steps import new_age, spend, whole
from .values import announce

# ---- timers ----


def start_timer(S: State, x: Any, target: Any, seconds: Any, you: Any, place: int) -> None:
    if x is None:
        raise Broken(place, "there is no timer here to start (none)")
    if x not in TIMERS:
        raise Broken(place, "this piece is no timer")
    seconds = whole(seconds, place)
    if seconds is None or not 0 <= seconds < LATEST:
        raise Broken(place, f"a timer cannot run for {seconds} seconds")
    state, goal, ends, by = TIMERS[x]
    if S[state] == RUNNING:
        forget_alarm(S, RING, x)
    S[state], S[goal], S[ends], S[by] = RUNNING, target, S[CLOCK] + seconds, you
    set_alarm(S, S[CLOCK] + seconds, RING, x, place)


def stop_timer(S: State, x: Any, place: int) -> None:
    if x is None:
        raise Broken(place, "there is no timer here to stop (none)")
    if x not in TIMERS:
        raise Broken(place, "this piece is no timer")
    state, goal, ends, by = TIMERS[x]
    if S[state] == RUNNING:
        forget_alarm(S, RING, x)
    S[state], S[goal], S[ends], S[by] = IDLE, None, None, None


def forget_alarm(S: State, what: int, which: int) -> None:
    S[ALARMS] = tuple([a for a in S[ALARMS] if a[2] != what or a[3] != which])


def left(S: State, x: int) -> int:
    slots = TIMERS.get(x)
    if slots is None or S[slots[0]] != RUNNING:
        return 0
    return max(0, S[slots[2]] - S[CLOCK])  # type: ignore[no-any-return]


def clock_text(S: State, seconds: Any) -> str:
    minutes, rest = int(seconds) // 60, int(seconds) % 60
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"


# ---- menus under the clock ----


def open_menu_timed(S: State, number: int, you: int, picks: Any, frame: Frame) -> Frame | None:
    if MENUS[number]["real_time"]:
        free_since(S, you, S[CLOCK])
    return (MENU, frame, number, you, picks)


def free_since(S: State, you: int, instant: int) -> None:
    S[FREE] = (*S[FREE][:you], instant, *S[FREE][you + 1 :])


def b_menu_timed(S: State, F: Frame) -> Frame | None:
    _, K, number, you, picks = F
    menu = MENUS[number]
    if not menu["real_time"]:
        return b_menu(S, F)
    spend(S)
    if picks is not None and picks <= 0:
        return K  # type: ignore[no-any-return]
    options = offered(S, menu, you)
    more = may_happen(S)
    if not options and not menu["closed"]:  # else it is asked anyway: to be passed over would tell something
        if not more:
            return K  # type: ignore[no-any-return]
        park(S, you, F, None, ())
        return None
    if more:
        options.append(WAIT)
    if menu["stop"]:
        options.append(None)
    if not options:
        return K  # type: ignore[no-any-return]
    S[PLAYER] = you
    S[OPTIONS] = tuple(options)
    S[CONT] = (MENU_BACK, *F[1:])
    S[ASK] = -1 - number
    return None


def may_happen(S: State) -> bool:
    """Whether anything can still happen that one could wait for."""
    return bool(S[ALARMS]) or any(g[1] > 1 for g in S[GROUPS])


def park(S: State, you: int, frame: Frame, until: int | None, seen: Any = None) -> None:
    """Busy until an instant; or (None) waiting until something happens, not wanting what was seen on the menu."""
    S[PARKED] = (*S[PARKED], (you, frame, until, seen, False))


def wake(S: State) -> None:
    """A timer has run out, or somebody's menu is closed: whoever waits looks again."""
    S[PARKED] = tuple([(*w[:2], S[CLOCK], *w[3:]) if w[2] is None else w for w in S[PARKED]])


def stir(S: State) -> None:
    """Somebody has acted: those who wait look again if they are offered something else than before."""
    if any(w[2] is None for w in S[PARKED]):
        S[LOOK] = {}
        S[PARKED] = tuple([w if w[2] is not None else _stirred(S, w) for w in S[PARKED]])
        S[LOOK] = None


def _stirred(S: State, w: Any) -> Any:
    who, frame, _, seen, _ = w
    same = openly(offered(S, MENUS[frame[2]], who), MENUS[frame[2]]) == seen
    return (who, frame, None if same else S[CLOCK], seen, True)


def openly(options: Any, menu: Any) -> Any:
    """What anybody could know to be offered: to be asked again must not tell what lies hidden."""
    return tuple([o for o in options if (o[0] if type(o) is tuple else o) not in menu["closed"]])


def b_menu_back_timed(S: State, F: Frame) -> Frame | None:
    _, K, number, you, picks = F
    if not MENUS[number]["real_time"]:
        return b_menu_back(S, F)
    picked = S[RET]
    if picked == WAIT:
        seen = [o for o in S[OPTIONS] if o is not None and o != WAIT]  # still true: else they had been asked afresh
        park(S, you, (MENU, *F[1:]), None, openly(seen, MENUS[number]))
        return None
    if picked is None:
        wake(S)
        return K  # type: ignore[no-any-return]
    action: int = picked[0] if type(picked) is tuple else picked
    args: tuple[Any, ...] = (you, *picked[1:]) if ROUTINES[action]["self"] else (you,)
    takes = TAKES.get(action)
    seconds = 1 if takes is None else takes(S, *args)
    if seconds is None or not 0 <= seconds < LATEST:
        raise Broken(ROUTINES[action]["place"], f"an action cannot take {seconds} seconds")
    before, instead, _ = S[HOOK_SLOT[action]] if action in HOOK_SLOT else ((), (), ())
    # Where rules stand before an action, they are its first change, and it is not gone over again.
    set_trail(S, you, None if before or instead else (picked, ()))
    back = (BUSY, K, number, you, None if picks is None else picks - 1, seconds, picked)
    return action_call(S, action, back, args)


def b_busy(S: State, F: Frame) -> Frame | None:
    """An action has happened; its player is busy with it for the seconds that it takes."""
    _, K, number, you, picks, seconds, picked = F
    if type(picked) is tuple:
        use(S, picked[2])
    set_trail(S, you, None)
    stir(S)
    if not seconds or (S[LIVE] is not None and you in S[LIVE]):
        return (MENU, K, number, you, picks)
    free_since(S, you, S[CLOCK] + seconds)
    park(S, you, (MENU, K, number, you, picks), S[CLOCK] + seconds)
    return None


# ---- choices that somebody else's deed may spoil ----
# While an action has changed nothing, its trail keeps what was picked and every answer since, those that
# the engine gave too. When something has happened, the way is gone over again on a copy of the state.


def set_trail(S: State, you: int, trail: Any) -> None:
    S[TRAILS] = (*S[TRAILS][:you], trail, *S[TRAILS][you + 1 :])


def note(S: State, player: Any, number: int, answer: Any) -> None:
    trail = S[TRAILS][player] if player is not None else None
    if trail is not None:
        set_trail(S, player, (trail[0], (*trail[1], (number, answer))))


def noted(S: State, player: Any, number: int, options: Any, frame: Frame) -> Frame:
    """A question that nobody needs to be asked."""
    if options:
        note(S, player, number, options[0])
    S[RET] = options[0] if options else None
    return frame


def ask_timed(S: State, player: int, options: Any, number: int, frame: Frame) -> Frame | None:
    if not options or (len(options) == 1 and AUTO[number] and not S[AGAIN]):
        return noted(S, player, number, options, frame)
    S[PLAYER], S[OPTIONS], S[CONT], S[ASK] = player, options, frame, number
    return None


def ask_may_timed(
    S: State, player: int, options: Any, number: int, frame: Frame, hidden: bool
) -> Frame | None:
    if not options and not hidden and not S[AGAIN]:
        return noted(S, player, number, (None,), frame)
    S[PLAYER], S[OPTIONS], S[CONT], S[ASK] = player, (*options, None), frame, number
    return None


def ask_if_timed(
    S: State, player: int, possible: bool, number: int, frame: Frame, hidden: bool
) -> Frame | None:
    if not possible and not hidden and not S[AGAIN]:
        return noted(S, player, number, (0,), frame)
    S[PLAYER], S[OPTIONS], S[CONT], S[ASK] = player, (1, 0) if possible else (0,), frame, number
    return None


def pick_one_timed(
    S: State, K: Frame, player: int, number: int, low: int, high: int, items: Any, chosen: Any
) -> Frame | None:
    short = low - len(chosen)
    if len(chosen) < high and items and short > 0 and short == len(items) and SET_AUTO[number]:
        if S[AGAIN]:  # one by one, as they were noted
            frame = (PICK_BACK, K, player, number, low, high, items, chosen)
            S[PLAYER], S[OPTIONS], S[CONT], S[ASK] = player, items[:1], frame, number
            return None
        for x in items:
            note(S, player, number, x)
    return pick_one_untimed(S, K, player, number, low, high, items, chosen)


def doing(K: Any) -> Frame | None:
    """The frame of the action that a thread is in the middle of, under the clock."""
    while K is not None and K[0] != BUSY:
        K = K[1]
    return K  # type: ignore[no-any-return]


def go_over(S: State, who: Any, deed: Frame) -> Any:
    """A half-done action's open question, asked afresh; None if the way to it is spoilt."""
    _, _, number, you, _, _, picked = deed
    probe = S[:]
    probe[AGAIN], probe[OTHERS], probe[TRAILS] = True, (), (None,) * len(S[TRAILS])
    action: int = picked[0] if type(picked) is tuple else picked
    args: tuple[Any, ...] = (you, *picked[1:]) if ROUTINES[action]["self"] else (you,)
    try:
        if picked not in offered(probe, MENUS[number], you):
            return None
        frame = action_call(probe, action, deed, args)
        for asked, answer in (*S[TRAILS][you][1], (None, None)):
            probe[PLAYER] = None
            run_frames(probe, frame)
            if probe[PLAYER] is None or doing(probe[CONT]) is not deed:
                return None  # it would be over without another question
            if asked is None:
                return (probe[PLAYER], probe[OPTIONS], probe[CONT], probe[ASK])
            if probe[ASK] != asked or answer not in probe[OPTIONS]:
                return None
            probe[RET], frame = answer, probe[CONT]
    except (Broken, EndGame, EndSpan, *FAILS):
        return None
    finally:
        S[FUEL] = probe[FUEL]
    return None


def take_back(S: State, deed: Frame) -> None:
    """Back to the menu, with a word."""
    _, K, number, you, picks, _, picked = deed
    set_trail(S, you, None)
    title = ROUTINES[picked[0] if type(picked) is tuple else picked]["title"]
    announce(S, f"Player {you + 1} must choose again: `{title}` is no longer possible that way.")
    run_thread(S, (MENU, K, number, you, None if picks is None else picks + 1))


# ---- from one decision to the next ----


def drive_timed(S: State, F: Frame | None) -> None:
    deed = doing(F) if S[ASK] is not None and S[ASK] >= 0 else None
    you = deed[3] if deed is not None else F[3] if F is not None and F[0] == MENU_BACK else None
    if deed is not None:
        note(S, you, S[ASK], S[RET])
    if S[PLAYER] is not None:
        if S[CONTEXT]:
            thread = thread_of(S[PLAYER], S[ASK], S[CONT])
            S[EVENT], S[PROCEED] = context(S, thread)
            keep_context(S, thread, *NO_EVENT)
        else:
            S[EVENT], S[PROCEED] = NO_EVENT
    before = S[:]
    S[PLAYER] = None
    try:
        run_frames(S, F)
        dirty = changed(before, S)
        if dirty and you is not None and S[TRAILS][you] is not None and S[PLAYER] is not None:
            set_trail(S, you, None)  # from here on nothing can be taken back
        onward(S, dirty)
    except EndGame:
        the_end(S)


def changed(before: State, after: State) -> bool:
    """Whether more is different than who is asked what, and who waits; `before` is not to be used after that."""
    if before[RNG] != after[RNG] or before[EFFECTS] != after[EFFECTS] or before[GROUPS] != after[GROUPS]:
        return True
    before[:FIRST_FREE] = after[:FIRST_FREE]
    # What lies between: the parked, since when they are free, trails, and the events of questions.
    before[PARKED : CONTEXT + 1] = after[PARKED : CONTEXT + 1]
    return before != after


def settle_timed(S: State, _: Any = None) -> None:
    """After the position was changed from outside: everybody looks again."""
    try:
        lay_aside(S)
        wake(S)
        onward(S)
    except EndGame:
        the_end(S)


def the_end(S: State) -> None:
    over(S)
    S[ALARMS] = S[PARKED] = ()


def onward(S: State, dirty: bool = True) -> None:
    """Until somebody is asked: what is due happens, and time moves where nobody is left to act.

    Where nothing but the question is another one, open questions are still true.
    """
    moment(S, dirty)
    patience = PATIENCE * STEPS
    while S[PLAYER] is None and S[OVER] is None:
        if not S[PARKED]:
            S[OVER], S[CONT], S[OPTIONS], S[ALARMS] = "", None, (), ()
            return
        instant = next_instant(S)
        if instant is None:
            last_look(S)
        elif S[LIVE] is not None:
            return  # the wall clock will move it
        else:
            S[CLOCK], S[FUEL] = instant, STEPS
        moment(S)
        patience -= max(SHORTEST, STEPS - S[FUEL])
        if patience < 0:
            raise OutOfSteps


def next_instant(S: State) -> int | None:
    """When something will happen by itself."""
    found = [a[0] for a in S[ALARMS][:1]] + [w[2] for w in S[PARKED] if w[2] is not None]
    return min(found) if found else None


def advance(S: State, to: int) -> None:
    """Lets time pass to an instant, though somebody may act."""
    try:
        while S[OVER] is None:
            instant = next_instant(S)
            if instant is None or instant > to:
                break
            S[CLOCK], S[FUEL] = instant, STEPS
            lay_aside(S)
            moment(S)
        if S[OVER] is None:
            lay_aside(S)
            S[CLOCK], S[FUEL] = max(to, S[CLOCK]), STEPS
            onward(S)
    except EndGame:
        the_end(S)


def last_look(S: State) -> None:
    """Everybody waits and nothing can happen any more: the menus close by themselves.

    But whoever has waited through a deed of somebody else is asked once more.
    """
    if any(w[4] for w in S[PARKED]):
        S[PARKED] = tuple([(*w[:2], S[CLOCK], *w[3:]) if w[4] else w for w in S[PARKED]])
        return
    waiting = sorted(S[PARKED], key=lambda w: (S[FREE][w[0]], w[0]))
    S[PARKED] = ()
    for w in waiting:
        if S[OVER] is None:
            run_thread(S, w[1][1])


def run_thread(S: State, F: Frame | None) -> None:
    """Runs on beside the open decisions, perhaps to a decision of its own."""
    S[PLAYER] = None
    run_frames(S, F)
    lay_aside(S)


def thread_of(player: int, ask: int, K: Any) -> Any:
    """What tells an open question from others: the timer that set it off, or its player, and whether it is a menu."""
    while K is not None:
        if K[0] == ALARM:
            return K[3]
        K = K[1]
    return (player, ask < 0)


def context(S: State, thread: Any) -> Any:
    """The event in which a question is asked, and what `proceed` leads to."""
    return next((c[1:] for c in S[CONTEXT] if c[0] == thread), NO_EVENT)


def keep_context(S: State, thread: Any, event: Any, go_on: Any) -> None:
    rest = [c for c in S[CONTEXT] if c[0] != thread]
    if (event, go_on) != NO_EVENT:
        rest.append((thread, event, go_on))
    # In a fixed order, so that it does not matter who was laid aside last.
    S[CONTEXT] = tuple(sorted(rest, key=lambda c: repr(c[0])))


def lay_aside(S: State) -> None:
    """An open question waits, with the event in which it is asked, while others go on."""
    who = S[PLAYER]
    if who is not None:
        S[OTHERS] = ((who, S[OPTIONS], S[CONT], S[ASK]), *S[OTHERS])
        if S[CONTEXT] or (S[EVENT], S[PROCEED]) != NO_EVENT:
            keep_context(S, thread_of(who, S[ASK], S[CONT]), S[EVENT], S[PROCEED])
        S[PLAYER] = None
    S[EVENT], S[PROCEED] = NO_EVENT


def moment(S: State, dirty: bool = True) -> None:
    """All that happens at this instant, in its order; then the first of those who may act is asked."""
    asked = S[PLAYER] is not None
    lay_aside(S)
    newest = [S[OTHERS][0]] if asked else []  # what was asked of this very position
    fresh = False
    while not fresh:
        now = S[CLOCK]
        if S[ALARMS] and S[ALARMS][0][0] <= now:
            ring(S)
            dirty, newest = True, []
            continue
        freed = [w for w in S[PARKED] if w[2] is not None and w[2] <= now]
        if freed:
            first = freed[0] if len(freed) == 1 else min(freed, key=lambda w: (S[FREE][w[0]], w[0]))
            S[PARKED] = tuple([w for w in S[PARKED] if w is not first])
            onto = BLOCKS[MENU](S, first[1])  # whoever is parked goes on with their menu
            if onto is None:
                if S[PLAYER] is not None:
                    lay_aside(S)
                    newest.append(S[OTHERS][0])
                continue
            before = S[:]
            run_thread(S, onto)
            if changed(before, S):
                dirty, newest = True, []
            continue
        fresh = not dirty or look_again(S, newest)
        dirty, newest = True, []
    if S[OTHERS]:
        # A question to somebody who could also act comes before their menu.
        first, *rest = sorted(S[OTHERS], key=lambda w: (S[FREE][w[0]], w[0], w[3] < 0))
        S[PLAYER], S[OPTIONS], S[CONT], S[ASK] = first
        S[OTHERS] = tuple(rest)
        S[EVENT], S[PROCEED] = context(S, thread_of(first[0], first[3], first[2])) if S[CONTEXT] else NO_EVENT


def ring(S: State) -> None:
    """The first thing that is due."""
    (_, _, what, which, place), *rest = S[ALARMS]
    S[ALARMS] = tuple(rest)
    S[FUEL] = f = S[FUEL] - 20
    if f < 0:
        raise Broken(place, "timers set each other off without end, and no time passes")
    wake(S)
    if what == LAPSE:
        end_effect(S, which)
    else:
        run_thread(S, (ALARM, None, which, new_age(S)))


def b_alarm(S: State, F: Frame) -> Frame | None:
    """A timer has run out: it can be used, and rules may stand before and after that."""
    x = F[2]
    if x is None:
        return None  # all that it set off is done
    state, _, _, by = TIMERS[x]
    S[state] = USABLE
    if RAN_OUT is None or RAN_OUT not in HOOK_SLOT:
        return None
    owner = OWNER_OF(S, x)
    args = (owner if owner is not None else S[by], x)
    if ROUTINES[RAN_OUT]["suspends"]:
        return call_hooked(S, RAN_OUT, (ALARM, None, None, F[3]), args)
    FUNCTIONS[RAN_OUT](S, *args)
    return None


def look_again(S: State, newest: Any) -> bool:
    """Asks open questions afresh; false if somebody had to go on or back, so that more may have happened."""
    waiting, S[OTHERS] = S[OTHERS], ()
    seen: dict[Any, Any] = {}  # menus change nothing, so that all of them are one look
    for at, who in enumerate(waiting):
        if any(who is other for other in newest):
            S[OTHERS] = (*S[OTHERS], who)
            continue
        if who[2][0] != MENU_BACK:
            deed = doing(who[2])
            if deed is not None and S[TRAILS][deed[3]] is not None:
                again = go_over(S, who, deed)
                if again is None:
                    S[OTHERS] = (*S[OTHERS], *waiting[at + 1 :])
                    take_back(S, deed)
                    return False
                who = again
            S[OTHERS] = (*S[OTHERS], who)
            continue
        S[PLAYER], S[LOOK] = None, seen
        onto = BLOCKS[MENU](S, (MENU, *who[2][1:]))
        S[LOOK] = None
        if onto is not None:
            S[OTHERS] = (*S[OTHERS], *waiting[at + 1 :])
            run_thread(S, onto)
            return False
        lay_aside(S)
    return True


# ---- spans that end early ----


def unwind_timed(S: State, F: Frame, end: EndSpan) -> Frame | None:
    """As `unwind`; and what a timer sets off may end a span that players are in."""
    threads = [other[2] for other in S[OTHERS]] + [parked[1] for parked in S[PARKED]]
    found = [m for m in (_mark(K, end.span) for K in (F[1], *threads)) if m is not None]
    if not found:
        raise Broken(end.place, f"we are not in the span `{SPANS[end.span]['name']}`")
    mark = found[0]
    token: int = mark[3]
    inner: dict[int, Any] = {}
    K: Any = F
    while K is not None and K is not mark:
        if K[0] == HOOKS:
            S[EVENT], S[PROCEED] = K[6]
        elif K[0] == RUN_HOOKS:
            S[EVENT] = K[4]
        K = K[1]
    for K in (F[1], *[thread for thread in threads if _within(thread, token)]):
        while K is not None and not (BLOCKS[K[0]].span is not None and K[3] == token):
            if BLOCKS[K[0]].span is not None:
                inner[K[3]] = (BLOCKS[K[0]].span, K[2])
            K = K[1]
    for _, (span, saved) in sorted(inner.items(), reverse=True):
        close_span(S, span, saved)
    for thread in (F, *threads):
        deed = doing(thread)
        if deed is not None and (thread is F or _within(thread, token)):
            set_trail(S, deed[3], None)
    S[OTHERS] = tuple([other for other in S[OTHERS] if not _within(other[2], token)])
    S[PARKED] = tuple([parked for parked in S[PARKED] if not _within(parked[1], token)])
    S[GROUPS] = tuple([group for group in S[GROUPS] if group[0] <= token])
    return mark


def _mark(K: Any, span: int) -> Frame | None:
    """The frame that closes the innermost span of that number around a thread."""
    while K is not None and BLOCKS[K[0]].span != span:
        K = K[1]
    return K  # type: ignore[no-any-return]


def _within(K: Any, token: int) -> bool:
    while K is not None:
        if BLOCKS[K[0]].span is not None and K[3] == token:
            return True
        K = K[1]
    return False
