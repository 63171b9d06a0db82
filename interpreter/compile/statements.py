"""Checked sentences to Python source.

A routine that cannot reach a choice becomes one plain function. A routine that can becomes blocks:
`b12(S, F)` runs from one choice (or call that may choose) to the next and returns the frame to run
after it, or None when somebody has been asked. A frame is plain data: (block, frame to return to,
the locals still needed).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ir import Ask, E, X
from ..slots import (
    ACTIVE,
    AGE,
    ASK,
    CONT,
    OPTIONS,
    PLAYER,
    RET,
    hook_slot,
    inside_name,
    lasting_name,
    span_name,
    start_of,
)
from ..types import NUMBER, list_of
from ..types import PLAYER as PLAYER_TYPE
from .picking import Picking
from .reading import After
from .sentences import Sentences, ends
from .weave import Jump

MANY = 4  # actions whose presence is worth a table of all menus that may come of it


def offered(offers: list[tuple[str, str]], last: list[str]) -> str:
    """The text of a tuple of options, each with the test that lets it in ("True": always)."""
    if sum(test != "True" for _, test in offers) > MANY:
        made = "".join(f"*(({value},) if {test} else ()), " if test != "True" else f"{value}, " for value, test in offers)
        return f"({made}{''.join(x + ', ' for x in last)})"

    def choose(at: int, found: list[str]) -> str:
        if at == len(offers):
            return f"({''.join(x + ', ' for x in [*found, *last])})"
        value, test = offers[at]
        with_it = choose(at + 1, [*found, value])
        return with_it if test == "True" else f"({with_it} if {test} else {choose(at + 1, found)})"

    return choose(0, [])


class Statements(Sentences):
    """Writes the blocks of a routine that may wait for an answer."""

    def resumable(self, params: list[str]) -> int:
        """Writes the blocks; gives the number of the first."""
        self.blocks = True
        entry: int = self.c.entry(self.r)
        self.start(entry, params)
        for line in self.c.use(self.r):
            self.put(line)
        self.out += self.c.charge(self.r)
        if id(self.r) in self.c.bounds.loops:
            self.put(f"fathom(S, K, {self.c.place(self.r.place)})")
        self.run(self.code, params, set(), lambda scope: self.go_back())
        return entry

    def start(self, block: int, scope: list[str], extra: str = "") -> None:
        self.out = self.c.open_block(block)
        self.depth = 1
        if self.marks and self.c.lasting_spans:
            self.c.block_backs[block] = self.marks
        if self.r is self.c.model.flow and not self.marks and not self.branched:
            self.c.grounds.add(block)
        self.put(f"_, K{''.join(', ' + v for v in scope)} = F" if scope else "_, K = F")
        if extra:
            self.put(extra)

    def frame(self, block: int, values: list[str], parent: str = "K") -> str:
        """A frame as data: whoever holds it may go on with it at any time."""
        self.c.framed.add(block)
        return f"({block}, {parent}{''.join(', ' + v for v in values)})"

    def jump(self, block: int, values: list[str], parent: str = "K", back: int | None = None) -> None:
        """Leads on to a block that is known; it may be woven in here."""
        text = f"return ({block}, {parent}{''.join(', ' + v for v in values)})"
        made = Jump("    " * self.depth + text + self.mark)
        made.block, made.values, made.parent, made.back = block, values, parent, back
        made.depth, made.mark = self.depth, self.mark
        self.out.append(made)

    def keep(self, scope: list[str], *what: Any, more: Any = ()) -> list[str]:
        """The locals of the scope that are read later on."""
        wanted = set(more)
        for part in what:
            wanted |= part if isinstance(part, set) else self.needed(part)
        return [v for v in scope if v in wanted]

    def run(self, body: list[X], scope: list[str], needs: set[str], after: After) -> None:
        """Writes `body`, then what `after` writes; `needs` are the locals which that reads."""
        scope = list(scope)
        for index, st in enumerate(body):
            rest = list(body[index + 1 :])
            self.stand_at(st)
            if st.op == "return":
                self.give_back(st.a[0])
                return
            if self.c.suspends(st):

                def then(now: list[str], rest: list[X] = rest) -> None:
                    self.run(rest, now, needs, after)

                getattr(self, "r_" + st.op)(st, rest, scope, needs | self.needed(rest), then, *st.a)
                return
            getattr(self, "s_" + st.op)(st, *st.a)
            if ends(st):
                return
            for name in self.declares(st):
                if name not in scope:
                    scope.append(name)
        after(scope)

    def declares(self, st: X) -> list[str]:
        if st.op == "let":
            return [st.a[0]]
        if st.op == "roll":
            return [st.a[2]]
        if st.op in ("move_some", "draw") and st.a[-1]:
            return [st.a[-1]]
        if st.op == "call" and st.a[2]:
            return [st.a[2]]
        return []

    def join(
        self, scope: list[str], needs: set[str], then: After
    ) -> tuple[int, list[str], Callable[[list[str]], None]]:
        """A block for what follows; branches end by returning its frame."""
        kept = [v for v in scope if v in needs]
        block = self.c.block(kept)

        def go(now: list[str]) -> None:
            self.jump(block, kept)

        return block, kept, go

    def seated(self, player: str, kept: list[str]) -> tuple[list[str], str]:
        """What the frame of a question keeps: not the seat that is asked, where nobody else is at the same time.

        It stands in the state until the answer comes; the second part is its name, or nothing.
        """
        if not self.c.alone or player not in kept:
            return kept, ""
        return [v for v in kept if v != player], player

    def take_up(self, block: int, kept: list[str], answer: str, seat: str) -> None:
        """The block that goes on with an answer."""
        self.start(block, kept, f"{answer} = S[{RET}]")
        if seat:
            self.put(f"{seat} = S[{PLAYER}]")

    def ask(self, player: str, options: str, ask_id: int, block: int, kept: list[str], seat: str = "") -> None:
        """Asks, or answers by itself where there is nothing to choose."""
        auto, timed = self.c.asks[ask_id]["auto"], self.c.model.clocked
        self.put(f"o = {options}")
        test = "len(o) > 1" if auto else "o"
        self.put(f"if {test} or (o and S[AGAIN]):" if auto and timed else f"if {test}:")
        self.put(f"    S[{PLAYER}] = {player}")
        self.put(f"    S[{OPTIONS}] = o")
        self.put(f"    S[{CONT}] = {self.frame(block, kept)}")
        self.put(f"    S[{ASK}] = {ask_id}")
        self.put("    return None")
        if timed:  # an answer that nobody gave is an answer too
            self.put(f"return noted(S, {player}, {ask_id}, o, {self.frame(block, kept)})")
            return
        if self.c.alone:
            self.c.asked[block] = options
            # As if somebody had been asked: whoever goes on with an answer finds both there.
            self.put(f"S[{CONT}] = {self.frame(block, kept)}")
            self.put(f"S[{ASK}] = {ask_id}")
        self.put(f"S[{RET}] = o[0] if o else None")
        if seat:
            self.put(f"S[{PLAYER}] = {seat}")
        self.jump(block, kept)

    def r_choose(
        self, st: X, rest: list[X], scope: list[str], needs: set[str], then: After, ask: Ask
    ) -> None:
        player = self.x(ask.player)
        texts = self.needed(ask.prompt) if ask.prompt is not None else set()
        inner = self.needed(ask.body) | self.needed(ask.otherwise)
        if ask.how == "set":
            kept = self.keep(scope, needs | inner | texts)
            block = self.c.block(kept)
            ask_id = self.c.ask(ask, st, kept, ask.binders[0], 0)
            low = self.x.whole(ask.low) if ask.low is not None else "0"
            high = self.x.whole(ask.high) if ask.high is not None else "None"
            follow = [*ask.body, *rest] if ask.may else rest
            fits = self.heads.tells_sets_apart(ask, follow)
            if fits:
                self.c.fits(ask, ask_id, kept, follow)
            zone = None if fits else self.c.printed_set(ask)
            if zone is not None:
                Picking(self, ask, kept, ask_id).write(block, zone, rest, then)
                return
            self.put(
                f"return pick_set(S, {player}, {self.c.candidates(ask)}, {ask_id}, {low}, {high}, {self.frame(block, kept)})"
            )
            result = ask.name_of_set
            self.start(block, kept, f"{result} = S[{RET}]")
            then([*kept, result])
            return
        names = [b[0] for b in ask.binders]
        for index, binder in enumerate(ask.binders):
            options = self.c.options(
                ask, index, [] if ask.may and not ask.body else (list(ask.body) + rest if ask.may else rest)
            )
            later = [ask.binders[index + 1 :], ask.where] if index + 1 < len(ask.binders) else []
            more = self.needed(ask.where) if ask.where is not None else set()
            kept = self.keep(
                scope,
                needs
                | inner
                | texts
                | self.needed(later)
                | (more if later else set())
                | (self.needed(ask.player) if later else set()),
            )
            held, seat = (kept, "") if ask.may and index == 0 else self.seated(player, kept)
            block = self.c.block(held)
            ask_id = self.c.ask(ask, st, held, binder, index, seat)
            if ask.may and index == 0:
                hidden = self.c.hidden(ask)
                self.put(
                    f"return ask_may(S, {player}, {options}, {ask_id}, {self.frame(block, kept)}, {hidden})"
                )
            else:
                self.ask(player, options, ask_id, block, held, seat)
            self.take_up(block, held, binder[0], seat)
            scope = [*kept, binder[0]]
            player = self.x(ask.player)
            if ask.may and index == 0:
                end, ended, go = self.join([*scope, *names[1:]], needs, then)
                self.put(f"if {binder[0]} is None:")
                self.depth += 1
                for name in names[1:]:
                    self.put(f"{name} = None")
                self.run(ask.otherwise, [*scope, *names[1:]], needs, go)
                self.depth = 1
                self.out = self.c.reopen(block)
        if ask.may:
            self.run(ask.body, scope, needs, go)
            self.start(end, ended)
            then(ended)
        else:
            then(scope)

    def r_one(
        self,
        st: X,
        rest: list[X],
        scope: list[str],
        needs: set[str],
        then: After,
        player: E,
        prompt: E | None,
        options: Any,
    ) -> None:
        parts = []
        for number, (_, test, branch) in enumerate(options):
            made = [self.x(test)] if test is not None else []
            if self.heads.demands(branch):
                made.append(self.c.head_call(branch))
            parts.append((number, " and ".join(made)))
        names = (
            self.needed([b for _, _, b in options])
            | self.needed([label for label, _, _ in options])
            | (self.needed(prompt) if prompt is not None else set())
        )
        kept = self.keep(scope, needs | names)
        held, seat = self.seated(self.x(player), kept)
        block = self.c.block(held)
        ask_id = self.c.ask_one(st, held, prompt, options, seat)
        if any(test for _, test in parts):
            self.put("o = []")
            for number, test in parts:
                self.put(f"if {test}: o.append({number})" if test else f"o.append({number})")
            choices = "tuple(o)"
        else:
            choices = repr(tuple(n for n, _ in parts))
        self.ask(self.x(player), choices, ask_id, block, held, seat)
        self.take_up(block, held, "v", seat)
        end, ended, go = self.join(kept, needs, then)
        for number, (_, _, branch) in enumerate(options):
            self.put(f"if v == {number}:")
            self.depth += 1
            self.run(list(branch), kept, needs, go)
            self.depth = 1
            self.out = self.c.reopen(block)
        go(kept)
        self.start(end, ended)
        then(ended)

    def r_may(
        self,
        st: X,
        rest: list[X],
        scope: list[str],
        needs: set[str],
        then: After,
        player: E,
        label: E,
        body: Any,
        otherwise: Any,
    ) -> None:
        names = self.needed(body) | self.needed(otherwise) | self.needed(label)
        kept = self.keep(scope, needs | names)
        block = self.c.block(kept)
        ask_id = self.c.ask_may(st, kept, label)
        if self.heads.demands(body):
            test = self.c.head_call(list(body))
            hidden = self.c.reads_hidden(body)
            self.put(
                f"return ask_if(S, {self.x(player)}, {test}, {ask_id}, {self.frame(block, kept)}, {hidden})"
            )
        else:
            self.ask(self.x(player), "(1, 0)", ask_id, block, kept)
        self.start(block, kept, f"v = S[{RET}]")
        end, ended, go = self.join(kept, needs, then)
        self.put("if v:")
        self.depth += 1
        self.run(list(body), kept, needs, go)
        self.depth = 1
        self.out = self.c.reopen(block)
        self.run(list(otherwise), kept, needs, go)
        self.start(end, ended)
        then(ended)

    def r_if(
        self,
        st: X,
        rest: list[X],
        scope: list[str],
        needs: set[str],
        then: After,
        branches: Any,
        otherwise: Any,
    ) -> None:
        end, ended, go = self.join(scope, needs, then)
        out, depth = self.out, self.depth
        for number, (test, branch) in enumerate(branches):
            self.put(f"elif {self.x(test)}:" if number else f"if {self.first(test)}:")
            self.depth += 1
            self.run(list(branch), scope, needs, go)
            self.out, self.depth = out, depth
        self.put("else:")
        self.depth += 1
        self.run(list(otherwise), scope, needs, go)
        self.out, self.depth = out, depth
        self.start(end, ended)
        then(ended)

    def loop(
        self,
        scope: list[str],
        needs: set[str],
        body: Any,
        kind: Any,
        items: str,
        bind: Callable[[str, str], list[str]],
        then: After,
        seat: str = "",
    ) -> None:
        """A loop that may suspend: its items and position are part of the frame.

        All players are no part of it, for they never change: `seat` is the name that counts through them.
        """
        fixed = bool(seat) and items == "tuple(PLAYERS)"
        it, at = ("PLAYERS", seat) if fixed else (self.c.fresh("items"), self.c.fresh("at"))
        if kind is not None and not fixed:
            self.c.loop_types[it] = kind
        own = [at] if fixed else [it, at]
        kept = [v for v in scope if v in needs | self.needed(body)]
        head = self.c.block([*kept, *own])
        # There is always a first player, so the first round needs no test.
        turn = self.c.block([*kept, *own]) if fixed else head
        if not fixed:
            self.put(f"{it} = {items}")
        self.jump(turn, [*kept, *own[:-1], "0"])
        self.start(head, [*kept, *own])
        self.put(f"if {at} >= {'NP' if fixed else f'len({it})'}:")
        end, ended, go = self.join(kept, needs, then)
        self.depth += 1
        go(kept)
        self.depth = 1
        if fixed:
            self.jump(turn, [*kept, *own])
            self.start(turn, [*kept, *own])
        extra = bind(it, at)
        # The body may itself make blocks, so it carries the loop's own place in its scope.
        self.run(
            list(body),
            [*kept, *own, *extra],
            needs | set(own) | set(kept),
            lambda now: self.jump(head, [*kept, *own[:-1], at + " + 1"]),
        )
        self.start(end, ended)
        then(ended)

    def r_each(
        self,
        st: X,
        rest: list[X],
        scope: list[str],
        needs: set[str],
        then: After,
        binders: Any,
        where: Any,
        key: Any,
        body: Any,
    ) -> None:
        names = [b[0] for b in binders]

        def bind(it: str, at: str) -> list[str]:
            self.put(f"{', '.join(names)} = {it}[{at}]")
            return names

        kind = list_of(binders[0][1]) if len(binders) == 1 else None
        self.loop(scope, needs, body, kind, self.c.items(binders, where, key), bind, then)

    def r_each_ordered(
        self,
        st: X,
        rest: list[X],
        scope: list[str],
        needs: set[str],
        then: After,
        binders: Any,
        where: Any,
        key: Any,
        body: Any,
        you: str,
    ) -> None:
        name = binders[0][0]
        it = self.c.fresh("items")
        self.c.loop_types[it] = list_of(binders[0][1])
        kept = self.keep(scope, needs, body, more={you})
        loop, chosen = self.c.block([*kept, it]), self.c.block([*kept, it])
        ask_id = self.c.ask_next(st, [*kept, it], binders[0])
        self.put(f"{it} = {self.c.items(binders, where, key)}")
        self.jump(loop, [*kept, it])
        self.start(loop, [*kept, it])
        self.put(f"if not {it}:")
        end, ended, go = self.join(kept, needs, then)
        self.depth += 1
        go(kept)
        self.depth = 1
        self.put(f"return ask(S, {you}, {it}, {ask_id}, {self.frame(chosen, [*kept, it])})")
        self.start(chosen, [*kept, it], f"{name} = S[{RET}]")
        self.put(f"{it} = without(S, {it}, ({name},))")
        self.run(
            list(body),
            [*kept, it, name],
            needs | {it} | set(kept),
            lambda now: self.jump(loop, [*kept, it]),
        )
        self.start(end, ended)
        then(ended)

    def r_repeat(
        self,
        st: X,
        rest: list[X],
        scope: list[str],
        needs: set[str],
        then: After,
        count: E,
        test: E | None,
        body: Any,
    ) -> None:
        it, at = self.c.fresh("items"), self.c.fresh("at")
        kept = [
            v
            for v in scope
            if v in needs | self.needed(body) | (self.needed(test) if test is not None else set())
        ]
        times = self.x.whole(count)
        own = [it, at]
        if times.isdigit():  # as often as the rule says, whatever happens: no part of the frame
            it, own = times, [at]
            self.c.rounds[at] = int(times)
        block = self.c.block([*kept, *own])
        if it != times:
            self.put(f"{it} = {times}")
        self.jump(block, [*kept, *own[:-1], "0"])
        self.start(block, [*kept, *own])
        end, ended, go = self.join(kept, needs, then)
        self.spend()
        stop = f"{at} >= {it}" + (f" or not {self.x(test)}" if test is not None else "")
        self.put(f"if {stop}:")
        self.depth += 1
        go(kept)
        self.depth = 1
        self.run(
            list(body),
            [*kept, *own],
            needs | set(own) | set(kept),
            lambda now: self.jump(block, [*kept, *own[:-1], at + " + 1"]),
        )
        self.start(end, ended)
        then(ended)

    def r_as(
        self,
        st: X,
        rest: list[X],
        scope: list[str],
        needs: set[str],
        then: After,
        py: str,
        player: E,
        body: Any,
    ) -> None:
        outer = self.you
        self.become(py, player)
        here = list(scope)

        def back(now: list[str]) -> None:
            self.you = outer
            then(list(now))

        self.run(list(body), here if py in here else [*here, py], needs, back)
        self.you = outer

    def r_inline(
        self, st: X, rest: list[X], scope: list[str], needs: set[str], then: After, call: X, body: Any
    ) -> None:
        for line in self.c.use(call.a[0]):
            self.put(line)
        outer, self.c.asker = self.c.asker, call.a[0]

        def back(now: list[str]) -> None:
            self.c.asker = outer
            then(now)

        self.run(list(body), scope, needs, back)
        self.c.asker = outer

    def r_as_each(
        self,
        st: X,
        rest: list[X],
        scope: list[str],
        needs: set[str],
        then: After,
        py: str,
        players: E,
        body: Any,
    ) -> None:
        outer = self.you

        def bind(it: str, at: str) -> list[str]:
            self.you = py
            if at == py:
                return []
            self.put(f"{py} = {it}[{at}]")
            return [py]

        def back(now: list[str]) -> None:
            self.you = outer
            then(now)

        self.loop(scope, needs, body, None, f"tuple({self.x(players)})", bind, back, py)
        self.you = outer

    def r_at_once(
        self,
        st: X,
        rest: list[X],
        scope: list[str],
        needs: set[str],
        then: After,
        py: str,
        players: E,
        body: Any,
    ) -> None:
        kept = self.keep(scope, needs)
        inside = self.keep(scope, body)
        after, start = self.c.block(kept), self.c.block([*inside, py])
        self.c.framed.add(start)
        values = ", ".join(inside)
        self.put(
            f"return spawn(S, tuple({self.x(players)}), {start}, ({values + ',' if inside else ''}), {self.frame(after, kept)})"
        )
        outer, self.you = self.you, py
        spans, self.spans = self.spans, 0
        marks, self.marks = self.marks, ()
        branched, self.branched = self.branched, True
        self.start(start, [*inside, py])
        self.run(list(body), [*inside, py], set(), lambda now: self.go_back())
        self.you, self.spans, self.marks, self.branched = outer, spans, marks, branched
        self.start(after, kept)
        then(kept)

    def r_during(
        self,
        st: X,
        rest: list[X],
        scope: list[str],
        needs: set[str],
        then: After,
        span: Any,
        args: Any,
        body: Any,
    ) -> None:
        kept = self.keep(scope, needs)
        inside = self.keep(scope, body)
        mark = self.c.block(["saved", "token", *kept], span=span)
        start = self.c.block(inside)
        after = self.c.block(kept)
        # The arguments are read before the span's own memory is laid out.
        params = [p for p in span.params if p.name != "you"]
        for number, value in enumerate(args):
            self.put(f"a{number} = {self.x(value)}")
        self.enter(span)
        for number, param in enumerate(params):
            self.put(f"S[{span_name(span.fields[param.name])}] = a{number}")
        # Its age tells it from others of its name, if it can be ended from inside.
        token = "0" if self.c.alone and self.c.lasting_spans else "token"
        if token == "token":
            self.put(f"S[{AGE}] = token = S[{AGE}] + 1")
        closing = self.frame(mark, ["saved", token, *kept])
        hooked = f"if S[HK_span_{span.name}][%d]: " if span.hooks else ""
        if hooked:
            begin = f"begin_span(S, {span.number}, {self.you}, {self.frame(start, inside, closing)})"
            self.put(f"{hooked % 0}return {begin}")
        if self.c.lasting_spans:
            self.jump(start, inside, closing, mark)
        else:  # whoever ends the span looks for it in the frames
            self.put(f"return {self.frame(start, inside, closing)}")
        self.start(mark, ["saved", "token", *kept])
        if hooked:
            self.put(f"{hooked % 2}return finish_span(S, {span.number}, saved, {self.frame(after, kept)})")
        self.close(span)
        self.jump(after, kept)
        self.spans += 1
        outer, self.marks = self.marks, (mark, *self.marks)
        self.start(start, inside)
        self.run(list(body), inside, set(), lambda now: self.go_back())
        self.spans -= 1
        self.marks = outer
        self.start(after, kept)
        then(kept)

    def r_flick(
        self, st: X, rest: list[X], scope: list[str], needs: set[str], then: After, what: E, py: str
    ) -> None:
        """Two questions, how and how hard; then the disc slides."""
        disc, angle = self.c.fresh("disc"), self.c.fresh("angle")
        self.c.loop_types.update({disc: what.type, angle: NUMBER})
        place = self.c.place(st.place)
        kept = self.keep(scope, needs, more={self.you})
        aimed, pushed = [*kept, disc], [*kept, disc, angle]
        first, second = self.c.block(aimed), self.c.block(pushed)
        how = self.c.ask_flick(st, aimed, "angle", f"({disc}, None)")
        hard = self.c.ask_flick(st, pushed, "power", f"({disc}, {angle})")
        self.put(f"{disc} = lying(S, {self.x(what)}, {place})")
        self.put(f"return ask(S, {self.you}, ANGLES, {how}, {self.frame(first, aimed)})")
        self.start(first, aimed, f"{angle} = S[{RET}]")
        self.put(f"return ask(S, {self.you}, POWERS, {hard}, {self.frame(second, pushed)})")
        self.start(second, pushed, f"{py} = flick(S, {self.you}, {disc}, {angle}, S[{RET}], {place})")
        then([*kept, py])

    def enter(self, span: Any) -> None:
        """Opens a span: what its memory was before is kept in `saved`."""
        if not self.c.inline:
            self.put(f"saved = enter(S, {span.number}{', ' + self.you if span.has_you else ', None'})")
            return
        slots = [span_name(field) for field in span.fields.values()]
        self.put(f"saved = (S[{ACTIVE}], {''.join(f'S[{slot}], ' for slot in slots)})")
        for field in span.fields.values():
            self.put(f"S[{span_name(field)}] = {start_of(field.type)!r}")
        self.put(f"S[{inside_name(span)}] += 1")
        if span.has_you:
            self.put(f"S[{ACTIVE}] = {self.you}")

    def close(self, span: Any) -> None:
        """Closes a span that no rule hooks into."""
        if not self.c.inline:
            self.put(f"close_span(S, {span.number}, saved)")
            return
        slots = [span_name(field) for field in span.fields.values()]
        self.put(f"S[{ACTIVE}], {''.join(f'S[{slot}], ' for slot in slots)} = saved")
        self.put(f"S[{inside_name(span)}] -= 1")
        if any(effect.lasts == span.name for effect in self.c.model.effects.values()):
            self.put(f"if S[{lasting_name(span)}]: end_lasting(S, ('span', {span.number}))")

    def r_call(
        self,
        st: X,
        rest: list[X],
        scope: list[str],
        needs: set[str],
        then: After,
        routine: Any,
        args: Any,
        py: str | None,
    ) -> None:
        kept = self.keep(scope, needs)
        block = self.c.block(kept)
        made = [self.x(a) for a in args]
        if routine.context is not None:
            made += ["this", "age"]
        back = self.frame(block, kept)
        if id(routine) in self.c.bounds.loops:
            self.c.upright.add(block)
        if self.c.hooked(routine):
            free = f"if S[{hook_slot(routine)}] != NO_HOOKS: " if self.c.mostly_free(routine) else ""
            self.put(f"{free}return call_hooked(S, {self.c.number(routine)}, {back}, ({', '.join(made)},))")
        if not self.c.hooked(routine) or self.c.mostly_free(routine):
            self.jump(self.c.entry(routine), made, back, block)
        self.start(block, kept, f"{py} = S[{RET}]" if py else "")
        then([*kept, py] if py and py not in kept else kept)

    def r_run(
        self,
        st: X,
        rest: list[X],
        scope: list[str],
        needs: set[str],
        then: After,
        obj: E,
        slot: str,
        kinds: Any,
    ) -> None:
        kept = self.keep(scope, needs)
        block = self.c.block(kept)
        self.c.upright.add(block)
        back, made = self.frame(block, kept), self.x(obj)
        if self.c.inline and obj.type.base == "piece":
            self.c.run_slots.add(slot)
            if not made.isidentifier():
                self.put(f"v = {made}")
                made = "v"
            self.put(f"if {made} is not None and (n := STARTS_{slot}[{made}]):")
            self.depth += 1
            self.spend()
            self.put(f"return (n, {back}, {self.you}, {made}, None)")
            self.depth -= 1
        self.put(f"return run_slot(S, {made}, {slot!r}, {self.you}, {back}, {self.c.place(st.place)})")
        self.start(block, kept)
        then(kept)

    def r_begin(
        self, st: X, rest: list[X], scope: list[str], needs: set[str], then: After, effect: Any, args: Any
    ) -> None:
        kept = self.keep(scope, needs)
        block = self.c.block(kept)
        given = "".join(self.x(a) + ", " for a in args)
        what = f"{effect.number}, {self.you}, {self.this()}, ({given})"
        self.c.upright.add(block)
        self.put(f"return begin_effect(S, {what}, {self.frame(block, kept)})")
        self.start(block, kept)
        then(kept)

    def r_open(self, st: X, rest: list[X], scope: list[str], needs: set[str], then: After, menu: Any) -> None:
        endless = menu.stop is not None or menu.real_time
        picks = self.x(menu.picks) if menu.picks is not None else "None" if endless else "1"
        if picks == "1" and self.c.fixed_menu(menu):
            self.open_once(st, scope, needs, then, menu)
            return
        kept = self.keep(scope, needs)
        block = self.c.block(kept)
        self.put(f"return open_menu(S, {menu.number}, {self.you}, {picks}, {self.frame(block, kept)})")
        self.start(block, kept)
        then(kept)

    def open_once(self, st: X, scope: list[str], needs: set[str], then: After, menu: Any) -> None:
        """A menu that is always the same, for one pick: what is picked goes on right here."""
        kept = self.keep(scope, needs, more={self.you})
        held, seat = self.seated(self.you, kept)
        picked = self.c.block(held)
        actions = [self.c.model.actions[name] for name in menu.actions if name in self.c.model.actions]
        after, ended, go = self.join(kept, needs, then)
        last = ["None"] if menu.stop is not None else []
        offers = [(str(self.c.number(a)), self.heads.test(a, self.you)) for a in actions]
        options = offered(offers, last)
        if all(test != "True" for _, test in offers) and not (last and self.c.menu_hidden(menu)):
            self.put(f"o = {options}")
            self.put(f"if len(o) == {len(last)}:")
            self.depth += 1
            go(kept)
            self.depth -= 1
            options = "o"
        self.c.asked[picked] = options
        self.put(f"S[{PLAYER}] = {self.you}")
        self.put(f"S[{OPTIONS}] = {options}")
        self.put(f"S[{CONT}] = {self.frame(picked, held)}")
        self.put(f"S[{ASK}] = {-1 - menu.number}")
        self.put("return None")
        self.take_up(picked, held, "v", seat)
        you = E("local", PLAYER_TYPE, (self.you,), st.place)
        for action in actions:
            self.put(f"if v == {self.c.number(action)}:")
            self.depth += 1
            self.run(self.c.written_out([X("call", (action, (you,), None), st.place)]), kept, needs, go)
            self.depth = 1
            self.out = self.c.reopen(picked)
            self.stand_at(st)
        go(kept)
        self.start(after, ended)
        then(ended)

    def r_proceed(self, st: X, rest: list[X], scope: list[str], needs: set[str], then: After) -> None:
        kept = self.keep(scope, needs)
        block = self.c.block(kept)
        self.c.upright.add(block)
        self.put(f"return go_on(S, {self.frame(block, kept)})")
        self.start(block, kept)
        then(kept)
