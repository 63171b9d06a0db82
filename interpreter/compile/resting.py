"""Which kinds of pieces never move: they lie in the box for ever, and the state need not say so.

Takes the checked routines, gives the kinds. The places of a board are the most common: no zone can hold
them, and no sentence moves, shows or turns over anything that could be one of them.
"""

from __future__ import annotations

from typing import Any

from ..ir import E
from ..model import Model, Routine
from ..types import Type
from .heads import all_expressions
from .reading import all_statements

# Sentences that read or change where pieces are or who knows them, and which of their parts say what they touch.
TOUCHES = {
    "move": (0,),
    "place": (0,),
    "move_some": (1,),
    "draw": (1,),
    "flip": (0,),
    "flick": (0,),
    "show": (0,),
    "shuffle": (0,),
    "stack": (0, 1),
    "swap_zones": (0, 1),
    "swap_pieces": (0, 1),
    "fix_flick": (0,),
    "fix_push": (0,),
}
GOALS = {"move": 1, "place": 1, "move_some": 3, "draw": 2}  # where pieces go: nothing there is touched
PICKS = ("first", "the", "last", "all", "most", "least")  # queries whose answer is among what they search
ROUNDS = 4  # names that are made of names
LIST_PICKS = ("first", "the", "last", "top", "bottom", "nth", "reverse")


def resting(model: Model, routines: list[Routine]) -> set[str]:
    """The kinds whose pieces stay where they are."""
    found = set(model.kinds)
    for zone in model.zones.values():
        found -= {k for held in zone.holds for k in model.family(held)} if zone.holds else found
    found -= {k for k in found if model.inherited(k, "faces") or model.discs(k) or starts(model, k)}
    if not found:
        return found
    sentences = [st for r in routines if r.what != "value" for st in all_statements(r.code or [])]
    boxed = box_is_a_value(model, routines, sentences, found)
    known = named_elsewhere(sentences, boxed)
    for st in sentences:
        parts = [st.a[at] for at in TOUCHES.get(st.op, ())]
        if st.op == "move_some":  # so many of a kind, from a zone
            parts = [] if lies_elsewhere(st.a[2], boxed, known) else parts[:1]
        for part in parts:
            if not lies_elsewhere(part, boxed, known):
                found -= touched(model, part)
    return found


def named_elsewhere(sentences: list[Any], boxed: bool) -> set[str]:
    """Names that stand only for what lies in zones that were declared."""
    made_of: dict[str, list[Any]] = {}
    for st in sentences:
        if st.op == "let":
            made_of.setdefault(st.a[0], []).append(st.a[1])
        elif st.op in ("set", "add", "swap_targets"):
            for target, value in (st.a, (*st.a[1::-1],)) if st.op == "swap_targets" else (st.a,):
                if target.op == "local":
                    made_of.setdefault(target.a[0], []).append(value)
        elif st.op in ("each", "each_ordered", "choose"):
            for name, _, items in st.a[0].binders if st.op == "choose" else st.a[0]:
                made_of.setdefault(name, []).append(items)
    found: set[str] = set()
    for _ in range(ROUNDS):
        before = len(found)
        found |= {n for n, made in made_of.items() if all(lies_elsewhere(e, boxed, found) for e in made)}
        if len(found) == before:
            break
    return found


def starts(model: Model, kind: str) -> bool:
    """Whether a piece of the kind may begin elsewhere than in the box."""
    zones = {model.inherited(kind, "starts"), *(c.starts for c in model.kinds[kind].components)}
    return not zones <= {None, "", "box"}


def box_is_a_value(model: Model, routines: list[Routine], sentences: list[Any], found: set[str]) -> bool:
    """Whether a name may stand for the box: then a zone that is not named may be it."""
    codes = [[r.code, [test for test, _ in r.tests]] for r in routines]
    rules = [[rule.test, rule.amount] for rule in model.rules]
    named = 0
    for e in all_expressions([codes, rules]):
        named += e.op == "box"
        if e.op == "where" and not found.isdisjoint(touched(model, e.a[0])):
            return True
    return bool(named > sum(st.a[GOALS[st.op]].op == "box" for st in sentences if st.op in GOALS))


def lies_elsewhere(what: Any, boxed: bool, known: set[str]) -> bool:
    """Whether what is touched surely lies in a zone that was declared; none of them holds what rests."""
    if not isinstance(what, E):
        return False
    if what.op == "zone" or (what.type.base == "zone" and what.op != "box" and not boxed):
        return True
    source = None
    if what.op == "content":
        source = what.a[0]
    elif what.op == "fold" and what.a[0] in PICKS and what.a[4] is None:
        source = what.a[1][0][2]
    elif what.op == "function" and what.a[0] in LIST_PICKS:
        source = what.a[1][0]
    elif what.op == "local":
        return what.a[0] in known
    return source is not None and lies_elsewhere(source, boxed, known)


def touched(model: Model, what: Any) -> set[str]:
    """The kinds of which a piece may be among what such a part says."""
    if not isinstance(what, E):
        return set(model.kinds)
    if what.op == "kind":
        return set(model.family(what.a[0]))
    kind: Type = what.type.item if what.type.base == "list" else what.type
    sure = kind.base in ("piece", "zone") and isinstance(kind.of, str) and kind.of in model.kinds
    return set(model.family(str(kind.of))) if sure else set(model.kinds)
