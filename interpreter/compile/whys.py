"""Why an action is not offered: the first of its demands that nothing can meet, in words.

The same walk as `heads`, but giving the sentence of what is in the way instead of yes or no.
"""

from __future__ import annotations

from typing import Any

from ..ir import Ask, X
from .expressions import Expressions
from .heads import as_written


class Whys:
    def __init__(self, compiler: Any, expressions: Expressions) -> None:
        self.c, self.x = compiler, expressions

    def function(self, name: str, params: list[str], body: list[X], tests: Any = ()) -> None:
        """`def name(S, …)`: None if nothing is in the way, else a sentence."""
        out: list[str] = []
        for test, text in tests:
            said = self.x(text) if text is not None else repr(f"It needs: {self.words(test)}.")
            out.append(f"    if not {self.x(test)}: return {said}")
        self.lines(body, out)
        self.c.function(name, params, out)

    def words(self, test: Any) -> str:
        text = (
            self.c.model.texts.get((test.place.file, test.place.line, test.place.column))
            if hasattr(self.c.model, "texts")
            else None
        )
        return text or "its condition"

    def call(self, body: list[X]) -> str:
        name = self.c.fresh("w")
        free = self.c.free(body)
        self.function(name, ["S", *free], list(body))
        return f"{name}({', '.join(['S', *free])})"

    def lines(self, body: list[X], out: list[str]) -> None:
        pad = "    "
        for index, st in enumerate(map(as_written, body)):
            rest = body[index + 1 :]
            if st.op == "let":
                out.append(pad + f"{st.a[0]} = {self.x(st.a[1])}")
            elif st.op == "say":
                continue
            elif st.op == "need":
                said = self.x(st.a[1]) if st.a[1] is not None else repr(f"It needs: {self.words(st.a[0])}.")
                out.append(pad + f"if not {self.x(st.a[0])}: return {said}")
            elif st.op in ("pay", "give"):
                have = self.x.x_resource(None, st.a[0], st.a[1])  # type: ignore[arg-type]
                n, low = self.x(st.a[-1]), st.a[0].low or 0
                said = f"costs({n}, {have}, {st.a[0].title!r})"
                out.append(pad + f"if {have} - {low} < {n}: return {said}")
                if self.c.heads.reads(rest, st.a[0]):
                    out.append(pad + f"return {self.c.heads.having_paid(st, self.call(rest))}")
                    return
            elif st.op == "pay_from":
                have, n = self.x(st.a[0]), self.x(st.a[1])
                out.append(pad + f"if {have} < {n}: return costs({n}, {have}, '')")
            elif st.op == "move_some":
                have = f"count_kind(S, {self.x(st.a[2])}, {self.x(st.a[1])})"
                out.append(
                    pad
                    + f"if {have} < {self.x(st.a[0])}: return 'There are too few pieces where they would come from.'"
                )
            elif st.op == "choose" and not st.a[0].may:
                ask: Ask = st.a[0]
                word = ask.words[0].replace("_", " ")
                if ask.how == "set":
                    if ask.low is not None:
                        said = repr(f"There are too few to choose from for `{word}`.")
                        have = f"len({self.c.candidates(ask)})"
                        out.append(pad + f"if {have} < {self.x(ask.low)}: return {said}")
                    if self.c.heads.tells_sets_apart(ask, rest):
                        few = f"max(1, {self.x(ask.low)})" if ask.low is not None else "1"
                        none = repr(f"No choice for `{word}` meets what comes after it.")
                        out.append(pad + f"{ask.name_of_set} = tuple({self.c.candidates(ask)})[:{few}]")
                        out.append(pad + f"if not {self.c.heads.some_set(ask, rest)}: return {self.call(rest)} or {none}")
                    out.append(pad + "return None")
                    return
                first = Ask(ask.player, None, "one", None, None, ask.binders[:1], None, ask.words[:1])
                out.append(pad + f"d = {self.c.options(ask, 0, [])}")
                out.append(pad + f"if not d: return {f'There is nothing to choose for `{word}`.'!r}")
                if len(ask.binders) == 1 and rest:
                    py = ask.binders[0][0]
                    out.append(pad + "said = None")
                    out.append(pad + f"for {py} in d:")
                    out.append(pad + f"    w = {self.call(rest)}")
                    out.append(pad + "    if w is None: return None")
                    out.append(pad + "    said = said or w")
                    out.append(pad + "return said")
                else:
                    out.append(pad + "return None")
                del first
                return
            elif st.op == "call" and self.c.head_of(st.a[0]):
                routine, args, _ = st.a
                given, said = self.x.args(routine, args), repr(f"`{routine.title}` is not possible now.")
                if routine.what == "procedure":
                    out.append(pad + f"w = why_{routine.py}({given})")
                    out.append(pad + "if w is not None: return w")
                out.append(pad + f"if not head_{routine.py}({given}): return {said}")
            else:
                out.append(pad + "return None")
                return
        out.append(pad + "return None")
