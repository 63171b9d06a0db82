"""What compiled rules call: asking, moving pieces, hooks, spans, menus, standing effects.

Every function works on `S`, the flat list that is the whole game. The functions are bound to a
table (see `bind`), which lends them its layout as globals; the values below only say their types.
Nothing here knows a ruleset.
"""

from __future__ import annotations

from typing import Any

from .slots import (
    ACTIVE,
    AGE,
    ASK,
    CONT,
    DEPTH,
    EFFECTS,
    EVENT,
    FIXED,
    FUEL,
    GROUPS,
    NEWS,
    OPTIONS,
    OTHERS,
    OVER,
    PLAYER,
    PROCEED,
    RET,
    REVEALED,
    RNG,
)

State = list[Any]
Frame = tuple[Any, ...]

# ---- what a table lends ----
LOC = FACE = KNOWN = BOX = 0
NP = 2
PLAYERS: tuple[int, ...] = ()
BLOCKS: list[Any] = []
KIND: list[int] = []
BACK: list[int] = []  # what a hidden piece looks like: the first of its line of kinds, and whose it is
DESIGN: list[Any] = []
LOOKS: list[Any] = []
FACED: frozenset[int] = frozenset()
UP_LOOKS: list[Any] = []
PIECESET: list[Any] = []
ZONE_SEES: dict[int, int] = {}
ZONE_OWNER: dict[int, Any] = {}
ZONE_PLAYER: dict[int, Any] = {}
ZONE_PLAY: frozenset[int] = frozenset()
ZONE_REFILL: dict[int, int] = {}
ZONE_LIMIT: dict[int, Any] = {}
ZONE_STACK: frozenset[int] = frozenset()
ZONE_TITLE: dict[int, str] = {}
EFFECT_OF: dict[int, int] = {}
OWNER_OF: Any = None
ROUTINES: list[Any] = []
FUNCTIONS: list[Any] = []
HEADS: list[Any] = []
HOOK_SLOT: dict[int, int] = {}
RULES: list[Any] = []
TESTS: dict[int, Any] = {}
EFFECT_TABLE: list[Any] = []
TIMES: dict[int, Any] = {}
SPANS: list[Any] = []
MENUS: list[Any] = []
OFFER_SLOT: dict[int, int] = {}
CHANGE_SLOT: dict[int, int] = {}
ASKS: list[Any] = []
AUTO: list[bool] = []
DOES: dict[tuple[str, int], int] = {}
NEIGHBOURS: dict[int, tuple[int, ...]] = {}
RINGS: dict[int, tuple[tuple[int, ...], int]] = {}
LINES: dict[tuple[Any, int], Any] = {}
GRIDS: dict[int, Any] = {}
TWIN_FIELDS: dict[int, tuple[int, ...]] = {}
TWIN_SLOTS: dict[int, tuple[int, ...]] = {}
TWIN_ZONES: dict[int, tuple[int, ...]] = {}
OP_ORDER: dict[str, int] = {}
SPEAK: Any = None
HIDES = False
EDGES: dict[tuple[int, int], int] = {}
KNOCKED: frozenset[int] = frozenset()
STEPS = 0
DEEPEST = 100  # routines inside each other, where they can call themselves
MOST_FRAMES = 1_000  # half-done routines that wait for each other
BIGGEST = 10**15
LONGEST_TEXT = 10_000
MOST_NEWS = 500  # lines between two decisions; more are not kept
MOST_EFFECTS = 500  # that stand at the same time

MASK = (1 << 64) - 1
END, MENU, MENU_BACK, PICK, PICK_BACK, HOOKS, RUN_HOOKS, JOIN, LEAVE, AFTER_DO, PROCEED_BACK, START = range(
    12
)


class EndGame(Exception):
    """`end game`: caught by the driver."""


class OutOfSteps(Exception):
    """More steps between two decisions than any rule needs."""


class EndSpan(Exception):
    """`end turn` and the like: caught by the driver, which leaves the span."""

    def __init__(self, span: int, place: int) -> None:
        self.span, self.place = span, place


class Broken(Exception):
    """A rule that cannot be carried out; turned into a RuleError with its place."""

    def __init__(self, place: int, message: str) -> None:
        super().__init__(message)
        self.place, self.message = place, message


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
    count = 0
    while K is not None:
        count += 1
        K = K[1]
    if count > MOST_FRAMES:
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


# ---- asking ----


def ask(S: State, player: int, options: Any, number: int, frame: Frame) -> Frame | None:
    count = len(options)
    if count < 2 and (count == 0 or AUTO[number]):
        S[RET] = options[0] if count else None
        return frame
    S[PLAYER] = player
    S[OPTIONS] = options
    S[CONT] = frame
    S[ASK] = number
    return None


def ask_may(S: State, player: int, options: Any, number: int, frame: Frame, hidden: bool) -> Frame | None:
    if not options and not hidden:
        S[RET] = None
        return frame
    S[PLAYER] = player
    S[OPTIONS] = (*options, None)
    S[CONT] = frame
    S[ASK] = number
    return None


def ask_if(S: State, player: int, possible: bool, number: int, frame: Frame, hidden: bool) -> Frame | None:
    if not possible and not hidden:
        S[RET] = 0
        return frame
    S[PLAYER] = player
    S[OPTIONS] = (1, 0) if possible else (0,)
    S[CONT] = frame
    S[ASK] = number
    return None


def pick_set(
    S: State, player: int, items: Any, number: int, low: Any, high: Any, frame: Frame
) -> Frame | None:
    """A set, picked one by one in a fixed order, so that no set can be picked in two ways."""
    items = _twins_together(S, tuple(items), player) if ASKS[number]["pieces"] else tuple(items)
    top = len(items) if high is None else min(high, len(items))
    return (PICK, frame, player, number, min(low, len(items)), top, items, ())


def b_pick(S: State, F: Frame) -> Frame | None:
    _, K, player, number, low, high, items, chosen = F
    if len(chosen) >= high or not items:
        S[RET] = chosen
        return K  # type: ignore[no-any-return]
    short = low - len(chosen)
    if short > 0 and short == len(items) and AUTO_SET(number):
        S[RET] = chosen + items
        return K  # type: ignore[no-any-return]
    open_items = items if short <= 1 else items[: len(items) - short + 1]
    options = alike(S, open_items, player) if ASKS[number]["pieces"] else open_items
    S[PLAYER] = player
    S[OPTIONS] = (*options, None) if short <= 0 else options
    S[CONT] = (PICK_BACK, *F[1:])
    S[ASK] = number
    return None


def AUTO_SET(number: int) -> bool:
    return bool(ASKS[number].get("auto_set"))


def b_pick_back(S: State, F: Frame) -> Frame | None:
    _, K, player, number, low, high, items, chosen = F
    picked = S[RET]
    if picked is None:
        S[RET] = chosen
        return K  # type: ignore[no-any-return]
    at = items.index(picked)
    return (PICK, K, player, number, low, high, items[at + 1 :], (*chosen, picked))


def look(S: State, x: int, player: int) -> Any:
    """What the chooser sees of a piece: two with the same look are one option."""
    zone = S[LOC + x]
    if HIDES and not (ZONE_SEES[zone] >> player & 1) and not (S[KNOWN + x] >> player & 1):
        return (BACK[x], zone)
    kind = KIND[x]
    parts = [LOOKS[x], zone]
    if x in FACED and not (S[KNOWN + x] >> player & 1):
        parts[0] = -1 - UP_LOOKS[S[FACE + x]][x]
    for base in TWIN_FIELDS[kind]:
        parts.append(S[base + x])
    for slot in TWIN_SLOTS[kind]:
        held = S[slot]
        parts.append(held == x if not isinstance(held, tuple) else x in held)
    for base in TWIN_ZONES[kind]:
        parts.append(tuple([LOOKS[y] for y in S[base + x]]))
    if S[EFFECTS]:
        for effect in S[EFFECTS]:
            for held in effect[5]:
                parts.append(held == x if not isinstance(held, tuple) else x in held)
    return tuple(parts)


def alike(S: State, items: Any, player: int) -> Any:
    if len(items) < 2:
        return items
    seen: dict[Any, int] = {}
    for x in items:
        key = look(S, x, player) if type(x) is int else x
        if key not in seen:
            seen[key] = x
    return items if len(seen) == len(items) else tuple(seen.values())


def _twins_together(S: State, items: Any, player: int) -> Any:
    if len(items) < 3 or type(items[0]) is not int or S[LOC : LOC + 1] == [] or items[0] >= len(KIND):
        return items
    groups: dict[Any, list[Any]] = {}
    for x in items:
        groups.setdefault(look(S, x, player), []).append(x)
    return tuple([x for group in groups.values() for x in group])


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
    """From one decision to the next."""
    S[PLAYER] = None
    try:
        while F is not None:
            at = F
            F = BLOCKS[F[0]](S, F)
    except EndGame:
        over(S)
        return
    except EndSpan as end:
        try:
            run_frames(S, unwind(S, at, end))
        except EndGame:
            over(S)
            return
    if S[PLAYER] is None:
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


# ---- spans ----


def new_age(S: State) -> int:
    S[AGE] = age = S[AGE] + 1
    return age  # type: ignore[no-any-return]


def enter(S: State, number: int, you: Any) -> Any:
    """Opens a span: gives what its memory was before, for nested spans of one name."""
    span = SPANS[number]
    saved = (S[ACTIVE], *[S[slot] for slot in span["slots"]])
    for slot, start in span["starts"]:
        S[slot] = start
    S[span["inside"]] += 1
    if you is not None:
        S[ACTIVE] = you
    return saved


def close_span(S: State, number: int, saved: Any) -> None:
    span = SPANS[number]
    S[ACTIVE] = saved[0]
    for slot, value in zip(span["slots"], saved[1:], strict=True):
        S[slot] = value
    S[span["inside"]] -= 1
    if S[EFFECTS]:
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


BASES: list[Any] = []


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
        S[PROCEED] = (
            number,
            tuple([i for i in reversed(S[HOOK_SLOT[number]][1]) if applies(S, i)]),
            args[cut:],
        )
        result = proceed_plain(S)
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
    for rule in effect["rules"]:
        add_rule(S, rule, (rule, owner, this, age))
    do = effect["do"]
    if do is not None and effect["component"] is None and not ROUTINES[do]["suspends"]:
        FUNCTIONS[do](S, owner, *args, this, age)
    return age


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
        if EFFECT_TABLE[effect[1]]["lasts"] == what:
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
    number = DOES.get((slot, DESIGN[x]))
    if number is None:
        effect = EFFECT_OF.get(DESIGN[x])
        return effect is not None and EFFECT_TABLE[effect]["lasts"] is not None
    return bool(HEADS[number](S, you, x, None))


# ---- menus ----


def open_menu(S: State, number: int, you: int, picks: Any, frame: Frame) -> Frame | None:
    return (MENU, frame, number, you, picks)


def b_menu(S: State, F: Frame) -> Frame | None:
    _, K, number, you, picks = F
    spend(S)
    if picks is not None and picks <= 0:
        return K  # type: ignore[no-any-return]
    menu = MENUS[number]
    options: list[Any] = [a for a in menu["actions"] if HEADS[a](S, you)]
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
            if ROUTINES[action]["self"] or all(
                o != action and (type(o) is int or o[0] != action) for o in options
            ):
                options.append(option)
    if not options and (not menu["stop"] or not menu["hidden"]):
        return K  # type: ignore[no-any-return]
    if menu["stop"]:
        options.append(None)
    S[PLAYER] = you
    S[OPTIONS] = tuple(options)
    S[CONT] = (MENU_BACK, *F[1:])
    S[ASK] = -1 - number
    return None


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


# ---- chance ----


def chance(S: State, n: int) -> int:
    """A number from 0 to n-1, from the generator that is part of the game."""
    S[RNG] = s = (S[RNG] * 6364136223846793005 + 1442695040888963407) & MASK
    return (s >> 32) * n >> 32  # type: ignore[no-any-return]


def roll(S: State, count: int, sides: int, you: Any) -> int:
    total = 0
    for _ in range(count):
        if S[FIXED]:
            total += S[FIXED][0]
            S[FIXED] = S[FIXED][1:]
        else:
            total += chance(S, sides) + 1
    S[REVEALED] = True
    S[FUEL] -= count >> 3
    if len(S[NEWS]) < MOST_NEWS:
        S[NEWS] = (*S[NEWS], ("roll", you, count, sides, total))
    return total


def fix_rolls(S: State, numbers: Any) -> None:
    S[FIXED] = (*S[FIXED], *numbers)


def shuffle(S: State, zone: int) -> None:
    items = list(S[zone])
    s = S[RNG]
    for i in range(len(items) - 1, 0, -1):
        s = (s * 6364136223846793005 + 1442695040888963407) & MASK
        j = (s >> 32) * (i + 1) >> 32
        items[i], items[j] = items[j], items[i]
    S[RNG] = s
    S[zone] = tuple(items)
    S[FUEL] -= len(items)
    if HIDES:
        sees = ZONE_SEES[zone]
        for x in items:
            S[KNOWN + x] = sees if x not in FACED else 0


# ---- pieces ----


def shift_piece(S: State, x: int, zone: int) -> None:
    """Moves a piece that carries no rules and is never hidden."""
    old = S[LOC + x]
    found = S[old]
    if found and found[-1] == x:
        S[old] = found[:-1]
    else:
        at = found.index(x)
        S[old] = found[:at] + found[at + 1 :]
    if len(found) > 200:
        S[FUEL] -= len(found) >> 4
    S[zone] = (*S[zone], x)
    S[LOC + x] = zone


def move_one(S: State, x: Any, zone: Any, how: str, place: int) -> None:
    if x is None:
        raise Broken(place, "there is nothing to move (none)")
    if zone is None:
        raise Broken(place, "there is nowhere to move it to (none)")
    limit = ZONE_LIMIT.get(zone)
    old = S[LOC + x]
    if limit is not None and old != zone and len(S[zone]) >= limit(S, ZONE_OWNER[zone]):
        raise Broken(place, f"`{ZONE_TITLE[zone]}` is full")
    found = S[old]
    at = found.index(x)
    if len(found) > 200:
        S[FUEL] -= len(found) >> 4
    S[old] = found[:at] + found[at + 1 :]
    S[zone] = (x, *S[zone]) if how in ("under", "first") else (*S[zone], x)
    S[LOC + x] = zone
    if HIDES and old != zone:
        sees = ZONE_SEES[zone]
        if x in FACED:
            if sees & ~ZONE_SEES[old]:
                S[REVEALED] = True
        else:
            known = S[KNOWN + x]
            if sees & ~known:
                S[REVEALED] = True
            # Who sees neither where it was nor where it goes loses track of it.
            S[KNOWN + x] = known & (ZONE_SEES[old] | sees) | sees
    if EFFECT_OF and (old in ZONE_PLAY) != (zone in ZONE_PLAY):
        effect = EFFECT_OF.get(DESIGN[x])
        if (
            effect is not None
            and EFFECT_TABLE[effect]["lasts"] is None
            and not EFFECT_TABLE[effect]["always"]
        ):
            if zone in ZONE_PLAY:
                begin_plain(S, effect, player_of(S, x, zone), x, ())
            else:
                for standing in S[EFFECTS]:
                    if standing[1] == effect and standing[3] == x:
                        end_effect(S, standing[0])


def player_of(S: State, x: int, zone: int) -> Any:
    """Whose a piece is: by its owner field, else by whose zone it is in."""
    owner = OWNER_OF(S, x)
    return owner if owner is not None else ZONE_PLAYER[zone]


def move_all(S: State, items: Any, zone: Any, how: str, place: int) -> None:
    S[FUEL] -= len(items)
    for x in reversed(items) if how in ("under", "first") else tuple(items):
        move_one(S, x, zone, how, place)


def count_kind(S: State, zone: int, kind: int) -> int:
    members = PIECESET[kind]
    return len([1 for x in S[zone] if x in members])


def move_some(S: State, n: int, kind: int, source: int, goal: Any, place: int) -> Any:
    if n <= 0:
        return ()
    members = PIECESET[kind]
    found = [x for x in reversed(S[source]) if x in members][:n]
    if len(found) < n:
        raise Broken(place, f"there are only {len(found)} of {n} in `{ZONE_TITLE[source]}`")
    for x in found:
        move_one(S, x, goal, "", place)
    return tuple(found)


def draw(S: State, n: int, source: int, goal: int, place: int) -> Any:
    """From the top; a pile that runs dry is refilled from the pile it names."""
    drawn = []
    for _ in range(n):
        if not S[source]:
            other = ZONE_REFILL.get(source)
            if other is None or not S[other]:
                break
            move_all(S, S[other], source, "", place)
            shuffle(S, source)
            spend(S)
        x = S[source][-1]
        move_one(S, x, goal, "", place)
        drawn.append(x)
    if drawn:
        S[REVEALED] = True
    return tuple(drawn)


def stack(S: State, zone: int, items: Any, place: int) -> None:
    """Scenarios: puts pieces on top of a pile, the first one uppermost; in a player's pile, pieces of theirs."""
    whose, placed = ZONE_PLAYER[zone], set[int]()
    for item in reversed(items):
        x = item
        if type(item) is tuple:  # the name of a component with several copies
            named = [y for y in range(len(DESIGN)) if DESIGN[y] == item[1] and y not in placed]
            if whose is not None:
                named = [y for y in named if OWNER_OF(S, y) in (None, whose)]
            here = [y for y in named if S[LOC + y] == zone] or named
            if not here:
                raise Broken(place, "no such piece is left")
            x = here[0]
        placed.add(x)
        move_one(S, x, zone, "", place)


def flip(S: State, items: Any) -> None:
    for x in items:
        S[FACE + x] = 1 - S[FACE + x]
        S[REVEALED] = True
        if HIDES:
            S[KNOWN + x] |= ZONE_SEES[S[LOC + x]]


FLIPPED = 0


def turn(S: State, items: Any, direction: int) -> None:
    for x in items:
        S[FACE + x] = direction


def swap_zones(S: State, a: int, b: int) -> None:
    first_items, second_items = S[a], S[b]
    for x in first_items:
        move_one(S, x, b, "", 0)
    for x in second_items:
        move_one(S, x, a, "", 0)


def swap_pieces(S: State, a: int, b: int) -> None:
    za, zb = S[LOC + a], S[LOC + b]
    move_one(S, a, BOX, "", 0)
    move_one(S, b, za, "", 0)
    move_one(S, a, zb, "", 0)


def show(S: State, items: Any, players: Any) -> None:
    mask = sum(1 << p for p in players)
    for x in items:
        S[KNOWN + x] |= mask
    S[REVEALED] = True
    if len(S[NEWS]) < MOST_NEWS:
        S[NEWS] = (*S[NEWS], ("show", mask, tuple(items)))


def some(x: Any) -> Any:
    return () if x is None else (x,)


# ---- lists and numbers ----


def member(S: State, x: Any, items: Any) -> bool:
    S[FUEL] -= len(items) >> 3
    return x in items


def backwards(S: State, items: Any) -> Any:
    S[FUEL] -= len(items) >> 3
    return tuple(items)[::-1]


def unite(S: State, a: Any, b: Any) -> Any:
    S[FUEL] = f = S[FUEL] - (len(a) * len(b) >> 3)
    if f < 0:
        raise OutOfSteps
    return (*a, *[x for x in b if x not in a])


def without(S: State, a: Any, b: Any) -> Any:
    S[FUEL] = f = S[FUEL] - (len(a) * len(b) >> 3)
    if f < 0:
        raise OutOfSteps
    left = list(a)
    for x in b:
        if x in left:
            left.remove(x)
    return tuple(left)


def first(items: Any) -> Any:
    return items[0] if items else None


def last(items: Any) -> Any:
    return items[-1] if items else None


def nth(S: State, items: Any, n: int) -> Any:
    return items[n - 1] if 0 < n <= len(items) else None


def shift(value: Any, n: int, count: int) -> Any:
    made = value + n
    return made if 0 <= made < count else None


def sum_of(items: Any) -> Any:
    return sum(items)


def max_of(items: Any) -> Any:
    return max(items) if items else None


def min_of(items: Any) -> Any:
    return min(items) if items else None


def distinct_of(items: Any) -> Any:
    return tuple(dict.fromkeys(items))


def union_of(items: Any) -> Any:
    return tuple(dict.fromkeys([x for part in items for x in part]))


def half_up(S: State, n: Any) -> int:
    return int(-(-n // 2))


def half_down(S: State, n: Any) -> int:
    return int(n // 2)


def seats_from(S: State, player: int) -> Any:
    return PLAYERS[player:] + PLAYERS[:player]


def compare(S: State, op: str, a: Any, b: Any, place: int) -> bool:
    if a is None or b is None:
        return False
    return bool(a < b if op == "<" else a <= b if op == "<=" else a > b if op == ">" else a >= b)


def arith(S: State, op: str, a: Any, b: Any, place: int) -> Any:
    if a is None or b is None:
        raise Broken(place, "this sum has a part that is none")
    if op == "+":
        return a + b
    if op == "-":
        return a - b
    if op == "*":
        made = a * b
    elif b == 0:
        raise Broken(place, "nothing can be divided by 0")
    elif op == "//":
        return int(a // b)
    else:
        made = a / b
        if made == int(made):
            return int(made)
    if abs(made) > 10**15:
        raise Broken(place, "this number is too big")
    if made * 2 != int(made * 2):
        raise Broken(place, f"{a} {op} {b} is neither a whole number nor a half")
    return made


# ---- boards ----


def neighbours(x: Any) -> Any:
    return NEIGHBOURS.get(x, ())


def step(x: Any, way: Any, n: Any) -> Any:
    """Along the ring or line of a place: way 0 is forwards, 1 is backwards."""
    if x is None or x not in RINGS:
        return None
    places, at = RINGS[x]
    at += n if way == 0 else -n
    if places[0] == -1:
        return places[at + 1] if 0 <= at < len(places) - 1 else None
    return places[at % len(places)]


def lines_through(S: State, x: Any, n: int) -> Any:
    if n > 8:
        S[FUEL] -= n * n
    made = LINES.get((x, n))
    return made if made is not None else LINES_OF(x, n)


def LINES_OF(x: Any, n: int) -> Any:
    grid = GRIDS.get(x)
    if grid is None:
        return ()
    columns, rows, at, cells = grid
    if n > max(columns, rows):
        return ()
    column, row = at
    found = []
    for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for back in range(n):
            run = tuple([cells.get((column + dc * (i - back), row + dr * (i - back))) for i in range(n)])
            if None not in run:
                found.append(run)
    LINES[(x, n)] = made = tuple(found)
    return made


def lines(S: State, items: Any, n: int) -> Any:
    S[FUEL] = f = S[FUEL] - len(items) * max(1, n * n >> 2)
    if f < 0:
        raise OutOfSteps
    return tuple(dict.fromkeys([line for x in items for line in lines_through(S, x, n)]))


def distance(S: State, a: Any, b: Any) -> Any:
    """Steps from place to place; none if there is no way."""
    seen, edge, steps = {a}, [a], 0
    while edge:
        if b in edge:
            return steps
        edge = list(dict.fromkeys([y for x in edge for y in NEIGHBOURS.get(x, ()) if y not in seen]))
        seen.update(edge)
        steps += 1
        S[FUEL] = f = S[FUEL] - len(edge)
        if f < 0:
            raise OutOfSteps
    return None


def edge_between(a: Any, b: Any) -> Any:
    return EDGES.get((a, b))


# ---- words ----


def announce(S: State, text: str) -> None:
    if len(S[NEWS]) < MOST_NEWS:
        S[NEWS] = (*S[NEWS], ("say", text))


def say(S: State, value: Any, kind: int) -> str:
    return str(SPEAK(S, value, kind))


def join(S: State, items: Any, between: str, kind: int) -> str:
    S[FUEL] = f = S[FUEL] - len(items)
    if f < 0:
        raise OutOfSteps
    return between.join([str(SPEAK(S, x, kind)) for x in items])


def costs(n: Any, have: Any, unit: str) -> str:
    price, there = (int(x) if x == int(x) else x for x in (n, have))
    return f"It costs {price}{' ' + unit if unit else ''}; there is {there}."


def pad(text: str, width: int, align: str) -> str:
    return text.rjust(width) if align == ">" else text.center(width) if align == "^" else text.ljust(width)


def beside(columns: Any, between: str) -> list[str]:
    """Blocks of lines side by side."""
    height = max([len(c) for c in columns], default=0)
    widths = [max([len(line) for line in c], default=0) for c in columns]
    return [
        between.join(
            [(c[i] if i < len(c) else "").ljust(w) for c, w in zip(columns, widths, strict=True)]
        ).rstrip()
        for i in range(height)
    ]
