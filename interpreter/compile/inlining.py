"""Which procedures are written into the rules that call them, and how.

Takes checked sentences, gives the same sentences with `inline` in place of some calls: the call as it
was, for whoever asks what it demands, and the sentences that stand for it. Never changes a tree.
"""

from __future__ import annotations

from typing import Any

from ..ir import Ask, E, X
from ..types import Type
from .heads import with_names
from .reading import all_statements

SHORT = 12  # sentences that are worth repeating
DEEP = 4  # procedures inside each other that are written out: a long chain of them stays a chain of calls
PLAIN = ("local", "const", "active", "this", "piece")


class Inlining:
    def __init__(self, compiler: Any) -> None:
        self.c = compiler
        self.depth = 0
        self.calls: dict[int, int] = {}  # how often each routine is called, by its id
        for routine in compiler.routines:
            if routine.what != "value":
                for st in all_statements(routine.code or []):
                    if st.op == "call":
                        self.calls[id(st.a[0])] = self.calls.get(id(st.a[0]), 0) + 1

    def __call__(self, node: Any) -> Any:
        """The same sentences, with calls written out."""
        if isinstance(node, X):
            if node.op == "call" and self.fits(*node.a):
                return X("inline", (node, self.body(*node.a)), node.place)
            return X(node.op, tuple(self(part) for part in node.a), node.place)
        if isinstance(node, Ask):
            return Ask(
                node.player, node.prompt, node.how, node.low, node.high, node.binders, node.where, node.words,
                node.may, self(node.body), self(node.otherwise), node.results,
            )  # fmt: skip
        if isinstance(node, tuple) and not isinstance(node, Type):
            return tuple(self(part) for part in node)
        return [self(part) for part in node] if isinstance(node, list) else node

    def fits(self, routine: Any, args: Any, result: str | None) -> bool:
        """A procedure that nothing hooks into, and that comes to its end in one place.

        One that may ask is written out only if nobody else calls it: its blocks are longer than its sentences.
        """
        c = self.c
        if self.depth >= DEEP or result is not None or c.hooked(routine) or c.has_self(routine):
            return False
        if routine.suspends and (routine.what != "procedure" or self.calls.get(id(routine)) != 1):
            return False
        if id(routine) in c.bounds.loops or id(routine) in c.bounds.charged:
            return False
        sentences = list(all_statements(routine.code or []))
        if any(st.op in ("return", "proceed", "use") for st in sentences):
            return False
        return len(sentences) <= SHORT or self.calls.get(id(routine)) == 1

    def body(self, routine: Any, args: Any, result: str | None) -> list[X]:
        """Its sentences, with what was handed over in place of the parameters."""
        names = self.c.params(routine)
        set_again = {
            st.a[0].a[0]
            for st in all_statements(routine.code)
            if st.op in ("set", "add", "take") and st.a[0].op == "local"
        }
        given: dict[str, E] = {}
        lets: list[X] = []
        for name, arg in zip(names, args, strict=True):
            if name == "you":
                continue
            if arg.op in PLAIN and arg.op != "active" and name not in set_again:
                given[name] = arg
            else:
                lets.append(X("let", (name, arg), arg.place))
        you = args[0]
        # `you` may be nobody in particular: a rule of the game. Then a name of its own holds that.
        py = you.a[0] if you.op == "local" else self.c.fresh("y")
        given["you"] = E("local", you.type, (py,), you.place)
        self.c.loop_types[py] = you.type
        self.depth += 1
        inside = self(with_names(list(routine.code), given))
        self.depth -= 1
        return [*lets, X("as", (py, you, inside), routine.place)]


def as_called(node: Any) -> Any:
    """The same sentences, with procedures as calls again: what they read is their own business."""
    if isinstance(node, X):
        if node.op == "inline":
            return node.a[0]
        return X(node.op, tuple(as_called(part) for part in node.a), node.place)
    if isinstance(node, tuple | list) and not isinstance(node, Type):
        return [as_called(part) for part in node]
    return node
