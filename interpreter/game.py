"""A running game: decisions in, choices out.

Takes a table and a seed. The whole game is one flat list of plain values (`S`), with the half-done
effect as frames, so a copy is a list copy and a save is data. Choosing by index builds no objects.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, NoReturn, Self, overload

from .bind import STEPS, Table
from .diagnostics import IllegalChoice, Place, RuleError, UnknownName, UsageError, nearest
from .runtime import END, MENU, MENU_BACK, Broken, Damaged, EndGame, EndSpan, OutOfSteps
from .slots import ASK, CONT, DEPTH, FLICKED, FUEL, NEWS, OPTIONS, OTHERS, OVER, PLAYER, RET, REVEALED, RNG

# What a rule may run into: its own limits, or nothing (none) where it needs a thing.
RULE_FAILS = (
    Broken,
    OutOfSteps,
    RecursionError,
    OverflowError,
    MemoryError,
    TypeError,
    KeyError,
    IndexError,
    ValueError,
    AttributeError,
)


class Result(NamedTuple):
    """How a game ended: the seats that won, a score for each player (or none at all), and why it ended."""

    winners: tuple[int, ...]
    scores: tuple[Any, ...]
    reason: str


class Flicked(NamedTuple):
    """A choice with which a disc was flicked, and what came of it in whole numbers: never simulated again."""

    choice: Any
    ride: tuple[Any, ...]  # rest, touched, struck, left


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a decision. The key is for answers, the label for people."""

    index: int
    key: str
    label: str


class Options(Sequence[Option]):
    """The options of a decision, built only when they are looked at."""

    def __init__(self, decision: Decision) -> None:
        self._decision = decision

    def __len__(self) -> int:
        return len(self._decision._values)

    @overload
    def __getitem__(self, index: int) -> Option: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Option]: ...
    def __getitem__(self, index: int | slice) -> Option | Sequence[Option]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(index)
        return Option(index, self._decision.key(index), self._decision.label(index))

    def __iter__(self) -> Iterator[Option]:
        return (self[i] for i in range(len(self)))

    def __contains__(self, what: object) -> bool:
        if isinstance(what, str):
            return self._decision.find(what) is not None
        return isinstance(what, Option) and 0 <= what.index < len(self) and self[what.index] == what


class Decision:
    """Who is asked, what, and the options. Valid until the next choice.

    `player` is a seat, counted from 0. `options` is lazy: `len` and an index build no list.
    """

    def __init__(self, game: Game, state: list[Any]) -> None:
        self._game, self._state = game, state
        self._values = state[OPTIONS]
        self._words: tuple[list[str], list[str]] | None = None
        self.player: int = state[PLAYER]

    @property
    def amount(self) -> bool:
        """Whether the options are a plain range of numbers, which is never listed."""
        return isinstance(self._values, range)

    @property
    def prompt(self) -> str:
        """The question, in words for whoever is asked."""
        return self._game._look(lambda S: self._game.table.speaker.prompt(S), self._state)  # type: ignore[no-any-return]

    @property
    def options(self) -> Options:
        """What may be answered, in a fixed order."""
        return Options(self)

    def _all(self) -> tuple[list[str], list[str]]:
        if self._words is None:
            self._words = self._game._look(lambda S: self._game.table.speaker.options(S), self._state)
        return self._words

    def key(self, index: int) -> str:
        """What to answer with for the option at `index`: unique, and the same in every run."""
        return str(self._values[index]) if self.amount else self._all()[0][index]

    def label(self, index: int) -> str:
        """The option at `index` in words for people."""
        return str(self._values[index]) if self.amount else self._all()[1][index]

    def find(self, key: str) -> int | None:
        """The index of the option with that key, or None."""
        if self.amount:
            try:
                return self._values.index(int(key))  # type: ignore[no-any-return]
            except ValueError:
                return self._game.table.speaker.angle(self._state, key)  # type: ignore[no-any-return]
        keys = self._all()[0]
        return keys.index(key) if key in keys else None

    def tips(self) -> list[int]:
        """Options of a flick that are worth a first look: towards other discs, and as hard as these need."""
        if not self.amount or not self._game.table.planar:
            return []
        return self._game.table.speaker.tips(self._state)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<Decision of player {self.player + 1}: {self.prompt} ({len(self._values)} options)>"


class Game:
    """One game, at a decision or over. `choose` and `undo` move it; everything else only looks.

    Made by `Rules.new`, `restore`, `replay`, `copy` and `imagine`. Players are seats, counted from 0.
    """

    # A copy shares `origin`: the rules, the seed, and the state where `undo` begins (None: the seed's start).
    __slots__ = ("S", "history", "origin")
    table: ClassVar[Table]  # every table has its own class of games

    S: list[Any]
    history: Any  # (the one before, choice): shared with copies, never copied
    origin: tuple[Any, int, Any]

    @classmethod
    def begun(cls, rules: Any, seed: int, state: list[Any] | None = None) -> Self:
        """A game at its first decision, or at the one where this state stands."""
        game = cls()
        game.history, game.origin = None, (rules, seed, None if state is None else state[:])
        game.S = game._opened(seed) if state is None else state
        return game

    def _opened(self, seed: int) -> list[Any]:
        """The state at the first decision."""
        table, openings = self.table, self.table.openings
        found = openings.find(seed)
        if found is not None:
            return found
        self.S = S = table.start[:]
        S[RNG] = openings.begin(seed)
        if openings.closed:
            self._begin()
        else:
            openings.keep(seed, openings.watched(table.ns, self._begin), S)
        if not openings.later:
            S[RNG] = 0
        return S

    @property
    def rules(self) -> Any:
        """The rules of this game."""
        return self.origin[0]

    @property
    def seed(self) -> int:
        """What its chance began with."""
        return self.origin[1]

    def _begin(self) -> None:
        S, ns, image = self.S, self.table.ns, self.table.image
        flow = ns["ROUTINES"][image["flow"]]
        try:
            frame: Any = None
            if flow["suspends"]:
                frame = (flow["block"], (END, None), 0)
            if image["setup"] is not None:
                setup = ns["ROUTINES"][image["setup"]]
                if setup["suspends"]:
                    back = frame or (END, None)
                    hooked = image["setup"] in ns["HOOK_SLOT"]
                    frame = (
                        ns["call_hooked"](S, image["setup"], back, (0,))
                        if hooked
                        else (setup["block"], back, 0)
                    )
                else:
                    ns["FUNCTIONS"][image["setup"]](S, 0)
            if frame is not None:
                ns["drive"](S, frame)
            elif not flow["suspends"]:
                ns["FUNCTIONS"][image["flow"]](S, 0)
                S[OVER] = S[OVER] or ""
        except EndGame:
            S[PLAYER] = None
            S[OPTIONS] = ()
        except RULE_FAILS as error:
            raise self._rule_error(error) from None
        S[FUEL] = STEPS  # what set-up took is no choice's concern, and not every table begins them anew

    # ---- looking ----

    @property
    def now(self) -> int:
        """Seconds since the game began; 0 in a game without a clock."""
        return 0

    @property
    def next_event(self) -> int | None:
        """The instant at which something will happen by itself; None if nothing will."""
        return None

    @property
    def busy(self) -> dict[int, int | None]:
        """Seats that are not asked, with the instant until which they are busy; None: until something happens."""
        return {}

    @property
    def live(self) -> tuple[int, ...] | None:
        """The seats of people in a live game; None in virtual time."""
        return None

    @property
    def players(self) -> int:
        """How many play."""
        return self.table.players

    @property
    def options(self) -> dict[str, Any]:
        """The options of the ruleset as they were chosen for this game."""
        return dict(self.table.options)

    @property
    def over(self) -> bool:
        """Whether nothing is left to decide."""
        return self.S[PLAYER] is None

    @property
    def player(self) -> int | None:
        """Who decides next; None when the game is over."""
        return self.S[PLAYER]  # type: ignore[no-any-return]

    @property
    def count(self) -> int:
        """The number of options, without building any."""
        return len(self.S[OPTIONS])

    @property
    def decision(self) -> Decision | None:
        """The next decision; None when the game is over."""
        return None if self.S[PLAYER] is None else Decision(self, self.S)

    @property
    def decisions(self) -> list[Decision]:
        """All open decisions; several only where players act at once."""
        if self.S[PLAYER] is None:
            return []
        found = [Decision(self, self.S)]
        for other in self.S[OTHERS]:
            state = self.S[:]
            state[PLAYER], state[OPTIONS], state[CONT], state[ASK] = other
            found.append(Decision(self, state))
        return found

    @property
    def result(self) -> Result | None:
        """Winners, scores and reason; None until the game is over."""
        if not self.over:
            return None
        return self._look(self._result)  # type: ignore[no-any-return]

    def _result(self, probe: list[Any]) -> Result:
        ns, image = self.table.ns, self.table.image
        routines = image["routines"]
        scores: tuple[Any, ...] = ()
        if image["score"] is not None:
            scores = tuple(ns[routines[image["score"]]["py"]](probe, p) for p in range(self.players))
        if image["wins"] is not None:
            found = ns[routines[image["wins"]]["py"]](probe)
            winners = tuple(found) if isinstance(found, tuple) else () if found is None else (found,)
        else:
            winners = tuple(p for p in range(self.players) if scores and scores[p] == max(scores))
        return Result(winners, scores, self.S[OVER] or "")

    @property
    def revealed(self) -> bool:
        """Whether the last choice showed something new or drew at random."""
        return bool(self.S[REVEALED])

    # ---- moving on ----

    def choose(self, option: int | str | Option, player: int | None = None) -> None:
        """Takes an option: its index, its key, or the option itself.

        `player` says whose answer it is where several may act at once. Raises IllegalChoice if it is not
        on offer, and RuleError if a rule fails; either way the game stands where it stood.
        """
        S = self.S
        index = self._find(option, player)
        entry = (S[PLAYER], index) if S[OTHERS] else index
        S[RET], S[FUEL], S[NEWS], S[REVEALED] = S[OPTIONS][index], STEPS, (), False
        try:
            self.table.ns["drive"](S, S[CONT])
        except RULE_FAILS as error:
            self._fail(error)
        self.history = (self.history, entry if S[FLICKED] is None else self._flicked(entry))
        if S[OTHERS]:
            self._settle()

    def step(self, index: int) -> int:
        """Takes the option at `index`, and gives the number of options that come next: 0 when it is over.

        The short way for search and simulation; the same as `choose(index)` and `count`.
        """
        self.choose(index)
        return self.count

    def _leave(self, frame: Any, end: EndSpan) -> None:
        """A rule has ended a span early; the game goes on behind it."""
        ns = self.table.ns
        try:
            self.S[DEPTH] = 0
            ns["drive"](self.S, ns["unwind"](self.S, frame, end))
        except RULE_FAILS as error:
            self._fail(error)

    def _fail(self, error: Exception) -> NoReturn:
        """A rule has failed: the game goes back to the decision before."""
        failure = self._rule_error(error)
        self._rewind(self._past())
        raise failure from None

    def _find(self, option: Any, player: int | None) -> int:
        """The index of an option; another player's decision becomes the current one if it is there."""
        S = self.S
        self._seat(player)
        before = (S[PLAYER], S[OPTIONS], S[CONT], S[ASK], S[OTHERS])
        if player is not None and player != S[PLAYER]:
            self._turn_to(player)
        try:
            if type(option) is not int:
                return self._index(option)
            if not 0 <= option < len(S[OPTIONS]):
                self._refuse(option)
            return option
        except IllegalChoice:
            if S[OTHERS]:  # where one player is asked, nothing was turned; and that state may be shared
                S[PLAYER], S[OPTIONS], S[CONT], S[ASK], S[OTHERS] = before
            raise

    def _turn_to(self, player: int) -> None:
        """Makes another player's open decision the current one."""
        S = self.S
        if S[PLAYER] is None:
            raise IllegalChoice("the game is over: there is nothing to choose")
        for index, other in enumerate(S[OTHERS]):
            if other[0] == player:
                mine = (S[PLAYER], S[OPTIONS], S[CONT], S[ASK])
                S[OTHERS] = (*S[OTHERS][:index], mine, *S[OTHERS][index + 1 :])
                S[PLAYER], S[OPTIONS], S[CONT], S[ASK] = other
                return
        raise IllegalChoice(f"player {player + 1} is not asked now; it is player {S[PLAYER] + 1}'s decision")

    def _settle(self) -> None:
        """Several open decisions: the lowest seat comes first, menus are offered afresh."""
        S = self.S
        waiting = sorted([(S[PLAYER], S[OPTIONS], S[CONT], S[ASK]), *S[OTHERS]], key=lambda w: w[0])
        fresh = []
        b_menu = self.table.ns["b_menu"]
        for who in waiting:
            if who[2][0] == MENU_BACK:
                S[PLAYER] = None
                b_menu(S, (MENU, *who[2][1:]))
                if S[PLAYER] is not None:
                    who = (S[PLAYER], S[OPTIONS], S[CONT], S[ASK])
            fresh.append(who)
        S[PLAYER], S[OPTIONS], S[CONT], S[ASK] = fresh[0]
        S[OTHERS] = tuple(fresh[1:])

    def _refuse(self, option: Any) -> None:
        if self.S[PLAYER] is None:
            raise IllegalChoice("the game is over: there is nothing to choose")
        raise IllegalChoice(f"there is no option {option}: the options are 0 to {len(self.S[OPTIONS]) - 1}")

    def _index(self, option: Any) -> int:
        decision = self.decision
        if decision is None:
            raise IllegalChoice("the game is over: there is nothing to choose")
        if isinstance(option, Option):
            if option not in decision.options:
                raise IllegalChoice(f"`{option.key}` is not offered now")
            return option.index
        if isinstance(option, str):
            found = decision.find(option)
            if found is None:
                near = None if decision.amount else nearest(option, decision._all()[0])
                raise IllegalChoice(
                    f"`{option}` is not offered now" + (f"; did you mean `{near}`?" if near else "")
                )
            return found
        raise IllegalChoice(f"an option is an index, a key or an Option, not {type(option).__name__}")

    def _look(self, what: Any, state: list[Any] | None = None) -> Any:
        """Carries out what only looks, on a copy with fresh steps; what fails in it is a RuleError."""
        probe = (self.S if state is None else state)[:]
        probe[FUEL] = STEPS
        try:
            return what(probe)
        except RULE_FAILS as error:
            raise self._rule_error(error) from None

    def _rule_error(self, error: Exception) -> RuleError:
        return RuleError(*self._what_failed(error), self.rules.source.shown)

    def _what_failed(self, error: Exception) -> tuple[str, Place]:
        """What a rule could not do, in words, and where it stands."""
        places = self.table.image["places"]
        if isinstance(error, Broken):
            file, line, column = places[error.place]
            return error.message, Place(file, line, column, line, column + 1)
        place = self._running()
        if isinstance(error, OutOfSteps):
            return f"this rule does not come to an end: more than {STEPS} steps without a decision", place
        if isinstance(error, RecursionError):
            return "rules set each other off without end", place
        if isinstance(error, (OverflowError, MemoryError)):
            return "a number or a list grew too big", place
        if os.environ.get("ORRERY_DEBUG"):
            raise error
        if isinstance(error, KeyError):
            return "a table has no such cell", place
        if "float" in str(error):
            return "a whole number is needed here, and this is a half", place
        return "this rule met nothing (none) where it needs something", place

    def _running(self) -> Place:
        """The rule that was running when the steps ran out."""
        import sys

        trace = sys.exc_info()[2]
        lines = self.table.image["source"].split("\n")
        spot = None
        step = trace
        while step is not None:  # the innermost line of the rules that says where it comes from
            if step.tb_frame.f_code.co_filename.startswith("<") and step.tb_lineno <= len(lines):
                mark = lines[step.tb_lineno - 1].rpartition("  #@")[2]
                spot = int(mark) if mark.isdigit() else spot
            step = step.tb_next
        if spot is not None:
            file, line, column = self.table.image["places"][spot]
            return Place(file, line, column, line, column + 1)
        routines = {r["py"]: r for r in self.table.image["routines"]}
        found = None
        while trace is not None:
            name = trace.tb_frame.f_code.co_name
            for prefix in ("base_", "head_", "why_", ""):
                if name.startswith(prefix) and name[len(prefix) :] in routines:
                    found = routines[name[len(prefix) :]]
            block = name[1:] if name.startswith("b") and name[1:].isdigit() else None
            if block is not None:
                for routine in routines.values():
                    first = routine["block"]
                    if 0 <= first <= int(block) and (found is None or first >= found["block"]):
                        found = routine
            trace = trace.tb_next
        file, line, column = self.table.image["places"][found["place"]] if found else ("ruleset.yaml", 1, 1)
        return Place(file, line, column, line, column + 1)

    def advance(self, seconds: int) -> None:
        """Lets time pass, in a game with a clock."""
        raise UsageError("this game has no clock")

    def waits(self, index: int, player: int | None = None) -> bool:
        """Whether an option only lets time pass, or leaves a menu in real time."""
        return False

    def let_pass(self, entry: Any) -> None:
        """What an entry of the log tells besides a choice: the time that passed before it."""

    def go_live(self, people: Any = ()) -> None:
        """From here on a wall clock moves time, in a game with a clock."""
        raise UsageError("this game has no clock, so it cannot be played live")

    # ---- the past ----

    def choices(self) -> list[Any]:
        """All choices so far, oldest first: indexes, or (seat, index) where several could act."""
        return [entry.choice if type(entry) is Flicked else entry for entry in self._past()]

    def flicks(self) -> dict[int, tuple[Any, ...]]:
        """What came of each flick, by the number of its choice (from 1)."""
        return {n: e.ride for n, e in enumerate(self._past(), 1) if type(e) is Flicked}

    def _flicked(self, entry: Any) -> Any:
        """The choice that has just been made, with the result of its flick."""
        made, self.S[FLICKED] = self.S[FLICKED], None
        if made[0] == "missing":
            return entry
        if made[0] == "log":
            raise Damaged("no disc was flicked there")
        return Flicked(entry, made)

    def again(self, choice: Any, ride: tuple[Any, ...] | None) -> None:
        """A choice of the past once more. Its flick is not simulated: `ride` is what came of it then."""
        if self.table.planar:
            self.S[FLICKED] = ("missing",) if ride is None else ("log", ride)
        self._again(choice)
        if self.S[FLICKED] is not None:  # nothing was chosen there: time has passed
            self._flicked(None)

    def _again(self, entry: Any) -> None:
        """Does once more what an entry of the log tells."""
        if isinstance(entry, tuple | list):
            self.choose(entry[1], player=entry[0])
        else:
            self.choose(entry)

    def _past(self) -> list[Any]:
        """All choices so far, with the results of flicks."""
        found = []
        step = self.history
        while step is not None:
            step, entry = step
            # `step` takes whatever Python takes as an index; what is kept of it is the number.
            found.append(entry if isinstance(entry, int | tuple) and entry.__class__ is not bool else int(entry))
        return found[::-1]

    def _rewind(self, choices: list[Any]) -> None:
        self.history = None
        _, seed, base = self.origin
        self.S = self._opened(seed) if base is None else base[:]
        for entry in choices:
            if type(entry) is Flicked:
                self.again(entry.choice, entry.ride)
            else:
                self.again(entry, None)

    def undo(self, n: int = 1) -> None:
        """Back to the decision before, or n decisions back, whoever made them."""
        if type(n) is not int or n < 0:
            raise UsageError(f"decisions are undone by a number from 0 on, not {n!r}")
        done = self._past()
        if n > len(done):
            raise IllegalChoice(f"only {len(done)} decisions can be undone")
        self._rewind(done[: len(done) - n])

    def copy(self) -> Game:
        """An independent twin at the same decision; a flat list is copied, the past is shared."""
        twin = type(self)()
        twin.S = self.S.copy()
        twin.history = self.history
        twin.origin = self.origin
        return twin

    # ---- for people ----

    def drawing(self, player: int | None = None) -> list[str]:
        """The table in text, as this player (or a spectator) may see it."""
        from .knowledge import masked

        self._seat(player)
        state = masked(self, player)
        self.table.speaker.viewer = player
        try:
            lines = self._look(lambda S: self.table.ns["drawing"](S, player), state)
            return [line.rstrip() for line in lines]
        finally:
            self.table.speaker.viewer = ...

    def why(self, word: str, player: int | None = None) -> list[str]:
        """Why an action is not offered to a player now, in the ruleset's words: sentences, one at least.

        Whoever looks on (`player` is none) is told whose decision it is, and nothing of what that player could do.
        """
        from .knowledge import masked

        self._seat(player)
        ns = self.table.ns
        actions = {
            r["name"]: (n, r)
            for n, r in enumerate(ns["ROUTINES"])
            if r["what"] == "action" and not r["abstract"]
        }
        if word not in actions:
            near = nearest(word, actions)
            raise UnknownName(f"no action is called `{word}`" + (f"; did you mean `{near}`?" if near else ""))
        _, routine = actions[word]
        who = player
        if who is None:
            return ["The game is over." if self.over else self._not_asked(None)]
        state = masked(self, who)
        offered = any(
            word == d.key(i)
            for d in self.decisions
            if d.player == who and not d.amount
            for i in range(len(d.options))
        )
        if offered:
            return [f"`{word}` is offered now."]
        if self.over:
            return ["The game is over."]
        found = []
        if not any(d.player == who for d in self.decisions):
            found.append(self._not_asked(who))
        said = None if routine["self"] else self._look(lambda S: ns[f"why_{routine['py']}"](S, who), state)
        if said is not None:
            found.append(said)
        elif not found:
            found.append("It cannot be chosen at this point of the game.")
        return found

    def _not_asked(self, who: int | None) -> str:
        return f"It is player {self.S[PLAYER] + 1}'s decision."

    def news(self, player: int | None = None) -> list[str]:
        """What happened since the previous decision, as this viewer may know it."""
        self._seat(player)
        found = []
        for item in self.S[NEWS]:
            if item[0] == "roll":
                _, who, count, _, total = item
                doing = "The roll is" if who is None else f"Player {who + 1} rolls"
                found.append(f"{doing} {total}" + (f" with {count} dice." if count > 1 else "."))
            elif item[0] == "say":
                found.append(item[1])
            elif item[0] == "tell":
                found.append(self.table.speaker.told(self.S, item[1], item[2:]))
            elif item[0] == "show":
                names = ", ".join(self.table.speaker.title(x) for x in item[2])
                if item[1] >> (self.players if player is None else player) & 1:
                    found.append(f"Shown: {names}.")
            elif item[0] == "flick":
                found.append(self.table.speaker.flick(self.S, item))
        return found

    def value(self, name: str, *args: Any) -> Any:
        """Any named value of the ruleset, or a resource of a player or of the game."""
        return self._look(lambda S: self._value(S, name, args))

    def _value(self, probe: list[Any], name: str, args: tuple[Any, ...]) -> Any:
        ns, image = self.table.ns, self.table.image
        for routine in image["routines"]:
            if routine["what"] == "value" and routine["name"] == name and not routine["self"]:
                if len(args) != len(routine["params"]):
                    raise UnknownName(f"`{name}` takes {len(routine['params'])} arguments, not {len(args)}")
                for (_, kind), arg in zip(routine["params"], args, strict=True):
                    if kind[0] == "player":
                        self._seat(arg)
                return ns[routine["py"]](probe, *args)
        if name in image["resources"]:
            wanted = 1 if image["resources"][name]["of"] == "player" else 0
            if len(args) != wanted or None in args:
                raise UnknownName(
                    f"`{name}` is asked for {'a player' if wanted else 'the game'}: {wanted} arguments"
                )
            for arg in args:
                self._seat(arg)
            return probe[ns[f"R_{name}"] + (args[0] if wanted else 0)]
        near = nearest(
            name, [r["name"] for r in image["routines"] if r["what"] == "value"] + list(image["resources"])
        )
        raise UnknownName(f"no value is called `{name}`" + (f"; did you mean `{near}`?" if near else ""))

    def view(self, player: int | None) -> dict[str, Any]:
        """What that player (None: a spectator) may see, as data that JSON can hold.

        `decision` (with options if it is theirs), `resources`, `fields`, and `zones`: each with `pieces`
        if all are seen, `known` if some are, and always a `count`.
        """
        from .knowledge import view

        self._seat(player)
        return view(self, player)

    def imagine(self, player: int, seed: int) -> Game:
        """A game that this player cannot tell from this one: what is hidden from them is dealt anew.

        Half-done effects included; chance to come is another. The same seed gives the same deal.
        """
        from .knowledge import imagine

        if player is None:
            raise UsageError("a deal is imagined for a player: name a seat")
        self._seat(player)
        if type(seed) is not int:
            raise UsageError(f"a seed is a whole number, not {seed!r}")
        return imagine(self, player, seed)

    def _seat(self, player: Any) -> None:
        """None is a spectator; anything else must be a seat of this table."""
        if player is not None and (type(player) is not int or not 0 <= player < self.players):
            raise UsageError(f"the seats of this game are 0 to {self.players - 1}, not {player!r}")

    # ---- saves ----

    @property
    def log(self) -> Any:
        """The truth about this game: ruleset, fingerprint, players, seed, options and choices."""
        from .saves import Log

        return Log.of(self)

    def save(self, path: Any, notes: dict[str, Any] | None = None) -> None:
        """Writes the game to a file, whole or not at all; `restore` reads it back."""
        from .saves import save

        save(self, path, notes)
