"""Scenarios: given a position, when these choices are made, then this holds.

Takes a ruleset's `scenarios/` files, gives an outcome for each. `given` and `then` are written in
the effect language, checked and compiled like any rule, and can stand only here.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from typing import Any

from . import schema
from .bind import STEPS
from .diagnostics import Diagnostic, IllegalChoice, OrreryError, Place, Problems, RuleError, suggest
from .game import RULE_FAILS, Game
from .load import usual_players
from .openings import scramble
from .runtime import END, Broken, EndGame, EndSpan, OutOfSteps
from .schema import Leaf
from .slots import CONT, FLICKED, FUEL, OPTIONS, OTHERS, OVER, PLAYER, RET, RNG
from .source import Mapping, Scalar, Sequence
from .speak import NAMES

SEATS = {name: seat for seat, name in enumerate(NAMES)}
FAR = 2_000  # decisions on the way to `at`


@dataclass(frozen=True)
class Outcome:
    name: str
    file: str
    line: int
    passed: bool
    message: str
    seconds: float
    proves: list[str]


@dataclass
class Scenario:
    """A scenario whose sentences are checked."""

    shape: schema.Scenario
    file: str
    line: int
    number: int
    given: Any = None
    then: list[tuple[Any, Any]] = field(
        default_factory=list
    )  # (what was written, checked expression or None)

    @property
    def name(self) -> str:
        return str(self.shape.scenario)


class Failed(Exception):
    """What a scenario expected and did not find."""

    def __init__(self, message: str, place: Place | None = None) -> None:
        super().__init__(message)
        self.message, self.place = message, place


class Bench:
    """A ruleset with its scenarios, compiled together."""

    def __init__(self, rules: Any) -> None:
        from .compile import Compiler
        from .load import Loaded, check_folder

        self.problems = Problems()
        folder = rules.source
        self.model = check_folder(folder, Problems())
        self.scenarios = self._read(folder)
        self.rules: Any = None
        self.game: Game | None = None  # the one that is being played, for the places of what fails
        if self.model is None or self.problems.has_errors:
            return
        compiler = Compiler(self.model, inline=False)  # so that every value can be knocked out
        image = compiler.compile()
        known = len(compiler.functions)
        for scenario in self.scenarios:
            self._compile(compiler, scenario)
        extra = "\n".join(compiler.functions[known:]) + "\n"
        image["places"], image["types"] = compiler.places, compiler.types
        code = compile(image["source"] + extra, f"<scenarios of {image['name']}>", "exec", dont_inherit=True)
        self.rules = type(rules)(Loaded(image, code, [], folder), rules.folder)
        self.rules.outside = rules.outside

    # ---- reading ----

    def _read(self, folder: Any) -> list[Scenario]:
        found: list[Scenario] = []
        names: dict[str, Place] = {}
        clauses = None
        from .load import clause_ids

        clauses = clause_ids(folder)
        for file in folder.list("scenarios", ".yaml"):
            text = folder.text(file)
            if text is None:
                continue
            from .source import read

            node = read(file, text, self.problems)
            if node is None or (isinstance(node, Scalar) and node.value is None):
                continue
            if not isinstance(node, Sequence):
                self.problems.error(
                    node.place, "wrong-shape", "expected a list of scenarios: `- scenario: …`"
                )
                continue
            for item in node.items:
                shape = schema.shape(item, schema.Scenario, self.problems)
                if shape is None:
                    continue
                made = Scenario(shape, file, item.place.line, len(found))
                if made.name in names:
                    self.problems.error(
                        shape.scenario.place,
                        "declared-twice",
                        f"two scenarios are called `{made.name}`",
                        related=((names[made.name], "first declared here"),),
                    )
                names[made.name] = shape.scenario.place
                for clause in shape.proves:
                    if clauses is not None and str(clause) not in clauses:
                        self.problems.error(
                            clause.place,
                            "unknown-clause",
                            f"no clause is called `{clause}`",
                            suggestion=suggest(clause, clauses),
                        )
                if self.model is not None:
                    self._check(made)
                found.append(made)
        return found

    def _check(self, scenario: Scenario) -> None:
        from .check import check_expression, check_scenario_given
        from .types import TRUTH

        shape, problems = scenario.shape, self.problems
        count = shape.players.value if shape.players is not None else usual_players(self.model.least, self.model.most)
        seats = dict(list(SEATS.items())[: count if isinstance(count, int) else 2])
        if shape.given is not None:
            scenario.given = check_scenario_given(self.model, shape.given, seats, problems)
            if scenario.given.suspends:
                problems.error(
                    shape.given.place, "choice-in-given", "`given` cannot ask anybody: say what is so"
                )
                scenario.given = None
        if shape.at is not None:
            known = [
                *self.model.menus,
                *self.model.actions,
                *self.model.spans,
                *self.model.procedures,
                "setup",
                "flow",
            ]
            if str(shape.at) not in known:
                problems.error(
                    shape.at.place,
                    "unknown-name",
                    f"no menu, action, span or procedure is called `{shape.at}`",
                    suggestion=suggest(shape.at, known),
                )
        for item in shape.when:
            if not isinstance(item, dict):
                problems.error(item.place, "wrong-shape", "expected who chooses what, like `- ada: draw`")
                continue
            for who, key in item.items():
                if str(who) == "wait":
                    self._seconds(key)
                elif str(who) not in seats:
                    problems.error(
                        who.place,
                        "unknown-player",
                        f"no player is called `{who}` here",
                        suggestion=suggest(who, seats),
                        hint="players are " + ", ".join(seats),
                    )
        for item in shape.then:
            if isinstance(item, Leaf):
                scenario.then.append((item, check_expression(self.model, item, seats, problems, TRUTH)))
            elif isinstance(item, dict):
                scenario.then.append((item, self._claim(item, seats)))

    def _seconds(self, key: Any) -> None:
        if not self.model.clocked:
            self.problems.error(key.place, "no-clock", "time does not pass here: this ruleset has no clock")
        elif type(key.value) is not int or not 0 <= key.value <= 100_000:
            self.problems.error(key.place, "wrong-shape", "expected seconds: `wait: 60` lets a minute pass")

    def _claim(self, item: dict[Any, Any], seats: dict[str, int]) -> Any:
        from .check import check_expression

        if len(item) != 1:
            self.problems.error(
                next(iter(item)).place, "bad-claim", "a claim has one key, like `may:` or `over:`"
            )
            return None
        key, value = next(iter(item.items()))
        if str(key) not in CLAIMS:
            self.problems.error(
                key.place,
                "bad-claim",
                f"no claim is called `{key}`",
                suggestion=suggest(str(key), CLAIMS),
                hint="known here: " + ", ".join(CLAIMS),
            )
            return None
        shape = CLAIMS[str(key)]
        parts = value if isinstance(value, list) else [value]
        if shape and (len(parts) != len(shape) or any(not isinstance(p, Leaf) for p in parts)):
            self.problems.error(key.place, "bad-claim", f"`{key}` needs [{', '.join(shape)}]")
            return None
        if shape[:1] == ("player",) and str(parts[0]) not in seats:
            self.problems.error(
                parts[0].place,
                "unknown-player",
                f"no player is called `{parts[0]}` here",
                suggestion=suggest(str(parts[0]), seats),
            )
            return None
        if str(key) in ("sees", "does_not_see"):
            return check_expression(self.model, parts[1], seats, self.problems)
        return None

    # ---- compiling ----

    def _compile(self, compiler: Any, scenario: Scenario) -> None:
        from .compile.statements import Statements

        if scenario.given is not None:
            compiler.current = scenario.given
            lines = Statements(compiler, scenario.given, compiler.x, compiler.heads).plain(["you"])
            compiler.function(f"given{scenario.number}", ["S", "you"], lines)
        compiler.current = None
        for index, (_, expression) in enumerate(scenario.then):
            if expression is not None:
                compiler.function(
                    f"then{scenario.number}_{index}", ["S"], [f"    return {compiler.x(expression)}"]
                )

    # ---- running ----

    def run(self, scenario: Scenario, knocked: Any = None) -> Outcome:
        start = time.perf_counter()
        passed, message, line = True, "", scenario.line
        try:
            self._play(scenario, knocked)
        except Failed as failure:
            passed, message = False, failure.message
            line = failure.place.line if failure.place is not None else line
        except OrreryError as error:
            passed, message = False, str(error)
        except (Broken, OutOfSteps, RecursionError, EndSpan) as error:
            passed, message = (
                False,
                f"a rule failed: {getattr(error, 'message', None) or type(error).__name__}",
            )
        except RULE_FAILS as error:  # in what is given or claimed: a choice tells it itself
            passed, message = False, f"a rule failed: {error}"
            if knocked is None and self.game is not None:
                message = f"a rule failed: {self.game._rule_error(error)}"
        except Exception as error:  # a knocked-out rule may leave anything behind; without one it is a bug
            if knocked is None:
                raise
            passed, message = False, f"{type(error).__name__}: {error}"
        proves = [str(c) for c in scenario.shape.proves]
        return Outcome(
            scenario.name, scenario.file, line, passed, message, time.perf_counter() - start, proves
        )

    def _play(self, scenario: Scenario, knocked: Any) -> None:
        shape = scenario.shape
        options = {str(k): v.value for k, v in shape.options.items()}
        players = shape.players.value if shape.players is not None else None
        table = self.rules.table(players, options, knocked)
        game = _open(self.rules, table, shape.seed.value if shape.seed is not None else 1)
        self.game = game
        walk = _Walk(game)
        walk.to(str(shape.at) if shape.at is not None else None)
        if scenario.given is not None:
            try:
                walk.give(table.ns[f"given{scenario.number}"])
            except (TypeError, KeyError, IndexError) as error:
                if knocked is not None or os.environ.get("ORRERY_DEBUG"):
                    raise
                assert shape.given is not None
                raise Failed(
                    "`given` met nothing (none) where it needs something;"
                    " does a sentence need `as ada:` around it, so that somebody is `you`?",
                    shape.given.place,
                ) from error
        game.origin = (self.rules, game.seed, game.S[:])
        for item in shape.when:
            self._when(game, item)
        table.ns.update(_asked_of(game))
        for index, (written, expression) in enumerate(scenario.then):
            if isinstance(written, Leaf):
                game.S[FUEL] = STEPS
                if not table.ns[f"then{scenario.number}_{index}"](game.S[:]):
                    raise Failed(f"this does not hold: {str(written).strip()}", written.place)
            else:
                self._then(game, written, scenario, index, expression)

    def _when(self, game: Game, item: Any) -> None:
        for who, key in item.items():
            place = key.place if isinstance(key, Leaf) else who.place
            seat = SEATS.get(str(who))
            if str(who) == "wait":
                game.advance(int(str(key)))
                continue
            if seat is None:
                raise Failed(f"no player is called `{who}`", place)
            decision = next((d for d in game.decisions if d.player == seat), None)
            if decision is None:
                asked = (
                    f"{NAMES[game.player]} is asked: {game.decision.prompt}"
                    if game.decision is not None and game.player is not None
                    else "the game is over"
                )
                raise Failed(f"{who} is not asked here; {asked}", place)
            index = _find(decision, str(key))
            if index is None:
                offered = "a number" if decision.amount else ", ".join(o.key for o in decision.options)
                raise Failed(
                    f"`{key}` is not offered to {who} ({decision.prompt}); offered: {offered}", place
                )
            try:
                game.choose(index, player=seat)
            except RuleError as error:
                raise Failed(f"the rules fail: {error}", place) from None

    def _then(
        self, game: Game, item: dict[Any, Any], scenario: Scenario, index: int, expression: Any
    ) -> None:
        key, value = next(iter(item.items()))
        place = key.place
        parts = [str(p) for p in value] if isinstance(value, list) else [str(value)]
        word = str(key)
        if word in ("may", "may_not"):
            decision = next((d for d in game.decisions if d.player == SEATS[parts[0]]), None)
            offered = [] if decision is None or decision.amount else [o.key for o in decision.options]
            is_there = decision is not None and _find(decision, parts[1]) is not None
            if is_there != (word == "may"):
                raise Failed(
                    f"`{parts[1]}` is {'not ' if word == 'may' else ''}offered to {parts[0]};"
                    f" offered: {', '.join(offered) or 'nothing'}",
                    place,
                )
        elif word == "why":
            said = " ".join(game.why(parts[1], SEATS[parts[0]]))
            if parts[2].lower() not in said.lower():
                raise Failed(f"why {parts[1]}: the answer is: {said}", place)
        elif word == "over":
            if game.over != (parts[0] == "true"):
                raise Failed("the game is " + ("over" if game.over else "not over"), place)
        elif word == "winners":
            result = game.result
            found = [] if result is None else [NAMES[w] for w in result.winners]
            if result is None or sorted(found) != sorted(parts):
                raise Failed(
                    f"the winners are: {', '.join(found) or 'nobody'}" if result else "the game is not over",
                    place,
                )
        elif word == "reason":
            said = game.result.reason if game.result is not None else ""
            if parts[0].lower() not in said.lower():
                raise Failed(f"the game ended with: {said}", place)
        elif word == "asked":
            seats = [NAMES[d.player] for d in game.decisions]
            if parts[0] not in seats:
                raise Failed(f"asked are: {', '.join(seats) or 'nobody'}", place)
        elif word == "busy":
            busy = [NAMES[seat] for seat in game.busy]
            if parts[0] not in busy:
                raise Failed(f"busy or waiting are: {', '.join(busy) or 'nobody'}", place)
        elif word == "options":
            if game.count != int(parts[0]):
                raise Failed(f"there are {game.count} options", place)
        elif word == "shown":
            drawn = "\n".join(game.drawing(SEATS[parts[0]]))
            if parts[1] not in drawn:
                raise Failed(f"the table of {parts[0]} does not show `{parts[1]}`:\n{drawn}", place)
        elif word in ("sees", "does_not_see"):
            pieces = game.table.ns[f"then{scenario.number}_{index}"](game.S[:])
            items = pieces if isinstance(pieces, tuple) else (pieces,)
            if expression is not None and expression.type.base == "zone":
                items = game.S[pieces]
            seen = [not game.table.speaker.hidden(game.S, x, SEATS[parts[0]]) for x in items if x is not None]
            if not seen:
                raise Failed("there is nothing to see: the list is empty", place)
            if (word == "sees" and not all(seen)) or (word == "does_not_see" and any(seen)):
                raise Failed(f"{parts[0]} sees {sum(seen)} of {len(seen)}", place)


CLAIMS: dict[str, tuple[str, ...]] = {
    "may": ("player", "key"),
    "may_not": ("player", "key"),
    "why": ("player", "action", "words"),
    "over": ("true or false",),
    "winners": (),
    "asked": ("player",),
    "options": ("number",),
    "sees": ("player", "pieces"),
    "does_not_see": ("player", "pieces"),
    "shown": ("player", "words"),
    "reason": ("words",),
    "busy": ("player",),
}


def _find(decision: Any, key: str) -> int | None:
    """By key, or by the only key that begins so."""
    found = decision.find(key)
    if found is not None or decision.amount:
        return found  # type: ignore[no-any-return]
    near = [o.index for o in decision.options if o.key.startswith(key)]
    return near[0] if len(near) == 1 else None


def _asked_of(game: Game) -> dict[str, Any]:
    """The functions that only scenarios know: what a player is offered, what a player sees."""

    def may_now(S: Any, player: int, key: str) -> bool:
        return any(d.player == player and _find(d, key) is not None for d in game.decisions)

    def sees(S: Any, player: int, pieces: Any) -> bool:
        return not any(game.table.speaker.hidden(S, x, player) for x in pieces)

    return {"may_now": may_now, "sees": sees}


def _open(rules: Any, table: Any, seed: int) -> Game:
    """A game that has not begun: the walk begins it, block by block."""
    game: Game = table.sort()
    game.origin, game.history = (rules, seed, None), None
    game.S = table.start[:]
    game.S[RNG] = scramble(seed)
    return game


class _Walk:
    """Runs a game up to a decision, remembering the state just before the block that asks."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.before: Any = None
        ns, image, S = game.table.ns, game.table.image, game.S
        flow = ns["ROUTINES"][image["flow"]]
        frame: Any = (flow["block"], (END, None), 0) if flow["suspends"] else None
        try:
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
        except EndGame:
            S[PLAYER], frame = None, None
        self.run(frame)

    def run(self, frame: Any) -> None:
        S, ns = self.game.S, self.game.table.ns
        S[PLAYER] = None
        S[FUEL] = STEPS
        S[FLICKED] = None
        try:
            while frame is not None:
                self.before = (S[:], frame)
                try:
                    frame = ns["BLOCKS"][frame[0]](S, frame)
                except EndSpan as end:
                    frame = ns["unwind"](S, frame, end)
        except EndGame:
            S[PLAYER], S[OTHERS], S[OPTIONS] = None, (), ()
            return
        if self.game.table.clocked:
            self.onward()
        elif S[PLAYER] is None and S[OTHERS]:
            ns["drive"](S, None)
            self.before = None
        elif S[PLAYER] is None and S[OVER] is None:
            S[OVER] = ""

    def onward(self) -> None:
        """Under a clock: until somebody is asked."""
        S, ns = self.game.S, self.game.table.ns
        alone = S[PLAYER] is not None and not S[OTHERS] and not S[ns["PARKED"]]
        try:
            ns["onward"](S)
        except EndGame:
            ns["the_end"](S)
        if not alone:
            self.before = None

    def to(self, at: str | None) -> None:
        if at is None:
            return
        game = self.game
        for _ in range(FAR):
            if game.over:
                raise Failed(f"the game was over before `{at}` came")
            if self.inside(at):
                return
            S = game.S
            values = S[OPTIONS]
            last = len(values) - 1
            index = (
                last if values[last] is None or (values[last] == 0 and tuple(values) in ((1, 0), (0,))) else 0
            )
            S[RET] = values[index]
            self.run(S[CONT])
        raise Failed(f"`{at}` did not come in {FAR} decisions")

    def inside(self, at: str) -> bool:
        """Whether the open decision belongs to the menu, action, span or procedure of that name."""
        from .runtime import MENU_BACK
        from .slots import ASK

        S, ns, image = self.game.S, self.game.table.ns, self.game.table.image
        if S[ASK] < 0 and ns["MENUS"][-1 - S[ASK]]["name"] == at:
            return True
        entries = sorted(
            (r["block"], r["name"]) for r in image["routines"] if r["suspends"] and r["block"] >= 0
        )
        frame = S[CONT]
        while frame is not None:
            if frame[0] == MENU_BACK and ns["MENUS"][frame[2]]["name"] == at:
                return True
            span = ns["BLOCKS"][frame[0]].span
            if span is not None and ns["SPANS"][span]["name"] == at:
                return True
            if frame[0] >= 12 and image["block_routines"].get(frame[0]) == at:
                return True
            frame = frame[1]
        del entries
        return False

    def give(self, given: Any) -> None:
        """Runs `given` just before the question is asked, so that it is asked of the new position."""
        game = self.game
        if self.before is None or game.over:
            given(game.S, 0)
            game._settle() if game.S[OTHERS] else None
            return
        state, frame = self.before
        game.S = state
        given(game.S, 0)
        self.run(frame)


def check_scenarios(rules: Any) -> list[Diagnostic]:
    """Problems inside the scenario files of a ruleset."""
    if not rules.source.list("scenarios", ".yaml"):
        return []
    return Bench(rules).problems.sorted()


def run_scenarios(rules: Any, names: list[str] | None = None) -> list[Outcome]:
    """Every scenario of a ruleset, or those of the given names, in file order."""
    from .diagnostics import RulesetError

    bench = Bench(rules)
    if bench.problems.has_errors:
        raise RulesetError([p.below(rules.source.shown) for p in bench.problems.sorted()])
    return [bench.run(s) for s in bench.scenarios if names is None or s.name in names]


__all__ = ["Bench", "IllegalChoice", "Mapping", "Outcome", "Scenario", "check_scenarios", "run_scenarios"]
