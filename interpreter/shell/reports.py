"""Reports as text: problems, scenarios, clauses, simulations.

Takes what the rooms before have found out; writes to the screen. The JSON of each report is made here
too, so that both say the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..diagnostics import Diagnostic, as_json, render
from .screen import Screen, count

if TYPE_CHECKING:
    from ..face import Rules
    from ..scenarios import Outcome
    from ..simulate import Report

MOST_NEVER = 30  # unused rules that the text report names


# --- validate -------------------------------------------------------------------------------------


def problems(screen: Screen, found: Sequence[Diagnostic], style: str) -> None:
    for problem in found:
        text = render(problem, _lines_of, "concise" if style == "concise" else "full")
        first, *rest = text.split("\n")
        screen.line((first, "bold red" if problem.severity == "error" else "bold yellow"))
        screen.lines(rest)
        if style == "full":
            screen.gap()


def verdict(screen: Screen, found: Sequence[Diagnostic], rulesets: int) -> None:
    errors, warnings = tally(found)
    where = count(rulesets, "ruleset")
    if not found:
        screen.line((f"{where}: no problems.", "green"))
        return
    said = " and ".join(
        words
        for number, words in ((errors, count(errors, "error")), (warnings, count(warnings, "warning")))
        if number
    )
    screen.line((f"{where}: {said}.", "bold"))
    if errors:
        screen.line((f"`orrery explain {found[0].code}` says more about the first.", "dim"))


def problems_data(found: Sequence[Diagnostic], rulesets: Sequence[str]) -> dict[str, Any]:
    errors, warnings = tally(found)
    return {
        "format_version": 1,
        "rulesets": list(rulesets),
        "errors": errors,
        "warnings": warnings,
        "problems": [as_json(problem) for problem in found],
    }


def tally(found: Iterable[Diagnostic]) -> tuple[int, int]:
    severities = [problem.severity for problem in found]
    return severities.count("error"), severities.count("warning")


def _lines_of(file: str) -> list[str] | None:
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return None


# --- test -----------------------------------------------------------------------------------------


def outcomes(screen: Screen, rules: Rules, found: Sequence[Outcome], every: bool = False) -> None:
    """The scenarios of one ruleset: those that failed, with their place; all of them if wished."""
    failed = [outcome for outcome in found if not outcome.passed]
    seconds = sum(outcome.seconds for outcome in found)
    if not found:
        screen.line((rules.name, "bold"), ("  no scenarios", "yellow"))
        return
    mark = (
        (f"  {len(failed)} of {len(found)} failed", "bold red")
        if failed
        else (f"  {count(len(found), 'scenario')} passed", "green")
    )
    screen.line((rules.name, "bold"), mark, (f"  {seconds:.2f} s", "dim"))
    for outcome in found:
        if not outcome.passed:
            screen.line(
                ("  ✗ ", "red"), f"{rules.source.shown}/{outcome.file}:{outcome.line}: {outcome.name}"
            )
            screen.lines(f"      {line}" for line in outcome.message.splitlines())
        elif every:
            screen.line(("  ✓ ", "green"), outcome.name)


def outcomes_data(found: Mapping[str, Sequence[Outcome]]) -> dict[str, Any]:
    every = [outcome for some in found.values() for outcome in some]
    return {
        "scenarios": len(every),
        "passed": sum(outcome.passed for outcome in every),
        "failed": sum(not outcome.passed for outcome in every),
        "rulesets": {
            ruleset: [
                {
                    "name": outcome.name,
                    "file": outcome.file,
                    "line": outcome.line,
                    "passed": outcome.passed,
                    "message": outcome.message,
                    "proves": list(outcome.proves),
                    "seconds": round(outcome.seconds, 4),
                }
                for outcome in some
            ]
            for ruleset, some in found.items()
        },
    }


# --- trace ----------------------------------------------------------------------------------------


def clauses(screen: Screen, ruleset: str, traced: Mapping[str, Any], every: bool = True) -> None:
    found: Sequence[Mapping[str, Any]] = traced["clauses"]
    open_ = [clause for clause in found if clause["status"] != "proven"]
    for clause in found if every else open_:
        proven = clause["status"] == "proven"
        screen.line(("✓ ", "green") if proven else ("✗ ", "red"), (clause["id"], "bold"))
        if clause["rules"]:
            screen.line(("    rules      ", "dim"), ", ".join(clause["rules"]))
        if clause["scenarios"]:
            screen.line(("    scenarios  ", "dim"), ", ".join(clause["scenarios"]))
        if not proven and clause.get("why"):
            why = clause["why"]
            screen.say(why if isinstance(why, str) else "; ".join(why), indent="    ")
    if not found:
        screen.line(f"{ruleset} lists no clauses.")
        return
    share = 100 * (len(found) - len(open_)) / len(found)
    screen.line(
        (
            f"{ruleset}: {len(found) - len(open_)} of {count(len(found), 'clause')} proven ({share:.0f} %)",
            "bold",
        )
    )


# --- simulate -------------------------------------------------------------------------------------


def simulation(screen: Screen, report: Report) -> None:
    data = report.data()
    plan = report.plan
    screen.line(
        (report.rules.title, "bold"),
        (
            f"  {report.rules.version}  {count(plan.players, 'player')}, seed {plan.seed}".replace(
                "   ", "  "
            ),
            "dim",
        ),
    )
    screen.gap()
    games = data["games"]
    if report.stopped:
        stopped(screen, games, plan.games)
        if not games:
            return
    finished = (
        f"{data['finished']:,} of {count(games, 'game')} finished ({_percent(data['finished'], games)})"
    )
    if data["unfinished"]:
        finished += f", {data['unfinished']:,} stopped after {plan.longest:,} decisions"
    screen.line(finished)
    screen.line(
        f"{count(data['decisions'], 'decision')} in {data['seconds']:.2f} s,"
        f" {data['decisions_per_second']:,} a second"
    )
    _spread_line(screen, "Decisions per game", data["decisions_per_game"])
    if data["finished"]:
        screen.gap()
        screen.table(
            ("seat", "bot", "wins", "share", "95 % interval", "score", "deviation", "least", "most"),
            [_seat_row(data, seat) for seat in range(plan.players)],
            right={2, 3, 5, 6, 7, 8},
        )
        extra = []
        if data["shared_wins"]:
            extra.append(f"{count(data['shared_wins'], 'win')} shared")
        if data["no_winner"]:
            extra.append(f"{count(data['no_winner'], 'game')} without a winner")
        if extra:
            screen.line(("  " + ", ".join(extra), "dim"))
    _never(screen, report)
    failures(screen, data["errors"])


def stopped(screen: Screen, games: int, planned: int) -> None:
    """That ctrl-C came before the end."""
    words = f"Stopped after {games:,} of {count(planned, 'game')}." if games else "Stopped before a game was finished."
    screen.line((words, "bold yellow"))


def failures(screen: Screen, errors: Sequence[Mapping[str, Any]]) -> None:
    """The games that failed, for each cause the first of them."""
    causes: dict[str, list[Mapping[str, Any]]] = {}
    for error in errors:
        causes.setdefault(str(error["message"]), []).append(error)
    for message, (first, *others) in causes.items():
        screen.gap()
        where = f"Game {first['game']} (seed {first['seed']}) failed after {count(first['decisions'], 'decision')}:"
        screen.line((where, "bold red"))
        screen.lines(f"  {line}" for line in message.splitlines())
        screen.line("  again: ", (first["again"], "bold"))
        if others:
            screen.line((f"  {count(len(others), 'other game')} failed in the same way", "dim"))


def _seat_row(data: Mapping[str, Any], seat: int) -> list[str]:
    rate, score = data["win_rate_by_seat"][seat], data["scores_by_seat"][seat]
    row = [
        str(seat + 1),
        data["bots"][seat],
        f"{data['wins_by_seat'][seat]:,.10g}",
        f"{100 * rate['share']:.1f} %",
        f"{100 * rate['low']:.1f} to {100 * rate['high']:.1f} %",
    ]
    if score is None:
        return [*row, "", "", "", ""]
    return [*row, f"{score['mean']:.2f}", f"{score['sd']:.2f}", f"{score['min']:g}", f"{score['max']:g}"]


def _spread_line(screen: Screen, what: str, numbers: Mapping[str, float] | None) -> None:
    if numbers is not None:
        screen.line(
            f"{what}: {numbers['mean']:.1f} ± {numbers['sd']:.1f},"
            f" from {numbers['min']:g} to {numbers['max']:g}, median {numbers['median']:g}"
        )


def _never(screen: Screen, report: Report) -> None:
    if not report.plan.count_rules:
        return
    never, all_ = report.never(), report.countable
    screen.gap()
    if not never:
        screen.line(f"All {count(len(all_), 'rule')} were used.")
        return
    screen.line(f"{len(never)} of {count(len(all_), 'rule')} never used:")
    screen.columns([[(rule, "")] for rule in never[:MOST_NEVER]])
    if len(never) > MOST_NEVER:
        screen.line(
            (f"  … and {count(len(never) - MOST_NEVER, 'other')}; --format json lists them all", "dim")
        )


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"
