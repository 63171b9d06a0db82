"""The command line: words in, text out, exit codes.

0 all is well, 1 something is wrong with a ruleset, a game or a save, 2 wrong usage, 3 a bug in Orrery;
as for every command, 130 stopped by ctrl-C, 141 nobody reads any more.
Every command fetches what it needs when it runs, so that `orrery --help` costs next to nothing.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from .interpreter.diagnostics import Diagnostic

FINE, FAULTY, WRONG_USAGE, BUG = 0, 1, 2, 3
STOPPED, UNREAD = 130, 141  # as a shell tells of SIGINT and SIGPIPE

F = TypeVar("F", bound=Callable[..., Any])


class _Commands(click.Group):
    """A group that lists its commands as they are written here, and never shows a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # an old terminal gets question marks, not an error
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except EOFError:
            raise
        except KeyboardInterrupt:
            click.echo("\nStopped.", err=True)
            ctx.exit(STOPPED)
        except BrokenPipeError:  # whoever read has seen enough, as in `orrery show | head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is not written yet
            ctx.exit(UNREAD)
        except Exception as error:
            if os.environ.get("ORRERY_DEBUG"):
                raise
            ctx.exit(_explain(error))


def _explain(error: Exception) -> int:
    """Say what went wrong in one clear piece; give the exit code."""
    from .interpreter.diagnostics import OrreryError, RulesetError

    if isinstance(error, RulesetError):
        _print_problems(error)
        return FAULTY
    if isinstance(error, OrreryError):
        from .interpreter.face import UnknownRuleset, UsageError

        _tell(f"Error: {error}")
        return WRONG_USAGE if isinstance(error, (UsageError, UnknownRuleset)) else FAULTY
    if isinstance(error, OSError) and error.filename is not None:
        _tell(f"Error: {error.filename}: {error.strerror or error}")
        return FAULTY
    last = f"{type(error).__name__}: {error}".splitlines()[0]
    _tell(
        f"Error: this is a bug in Orrery, not in what you wrote or typed.\n  {last}\n"
        "Run the same command with ORRERY_DEBUG=1 to see where it happened, and report it, please."
    )
    return BUG


def _tell(message: str) -> None:
    """A message on the error stream. What it cites of a file must not command the terminal."""
    from .interpreter.diagnostics import escaped

    click.echo("\n".join(map(escaped, message.split("\n"))), err=True)


def _print_problems(error: Any) -> None:
    from .interpreter.shell import reports
    from .interpreter.shell.screen import Screen

    screen = Screen(sys.stderr)
    wrong = [problem for problem in error.problems if problem.severity == "error"]
    if wrong:
        reports.problems(screen, wrong, "full")
        reports.verdict(screen, wrong, 1)
    else:
        screen.line(f"Error: {error}")


def _format(*names: str) -> Callable[[F], F]:
    return click.option(
        "--format",
        "style",
        type=click.Choice(names),
        default=names[0],
        show_default=True,
        help="How to print it.",
    )


def _ruleset_options(command: F) -> F:
    for option in reversed(
        (
            click.option("--players", type=int, metavar="N", help="How many play. Usually as few as may."),
            click.option(
                "--option", "wishes", multiple=True, metavar="KEY=VALUE", help="An option of the ruleset."
            ),
        )
    ):
        command = option(command)
    return command


def _version(ctx: click.Context, _option: click.Parameter, wished: bool) -> None:
    if wished:
        from . import __version__

        click.echo(f"orrery {__version__}")
        ctx.exit()


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="NAME is a bundled ruleset or the path of a ruleset's folder.",
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Print the version."
)
def main() -> None:
    """Orrery runs board games that are written as data."""


@main.command(short_help="Check rulesets and report all that is wrong.")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@_format("full", "concise", "json")
@click.option("--strict", is_flag=True, help="Let warnings fail too.")
def validate(names: tuple[str, ...], style: str, strict: bool) -> None:
    """Check rulesets and report all that is wrong. Without a NAME: all bundled ones.

    Exit code 0 if there are no errors, 1 if there are, 2 for wrong usage; the same in every format.
    """
    from .interpreter import face
    from .interpreter.shell import reports
    from .interpreter.shell.screen import Screen, print_json
    from .interpreter.shell.wishes import known

    chosen = [known(name) for name in names] or face.bundled()
    found: list[Diagnostic] = [problem for name in chosen for problem in face.validate(name)]
    if style == "json":
        print_json(reports.problems_data(found, chosen))
    else:
        screen = Screen()
        reports.problems(screen, found, style)
        if style == "full":
            reports.verdict(screen, found, len(chosen))
    errors, warnings = reports.tally(found)
    sys.exit(FAULTY if errors or (strict and warnings) else FINE)


@main.command(short_help="Play a game, against bots or each other.")
@click.argument("name", required=False)
@_ruleset_options
@click.option(
    "--seat", "seats", multiple=True, metavar="N=WHO", help="human, random, mcts or mcts:ITERATIONS."
)
@click.option("--seed", type=int, help="For the same game again.")
@click.option(
    "--save", "file", type=click.Path(dir_okay=False, path_type=Path), help="Keep the game in this file."
)
@click.option(
    "--resume",
    is_flag=False,
    flag_value="",
    metavar="[FILE]",
    help="Go on with a saved game; usually the latest.",
)
@click.option("--free-undo", is_flag=True, help="Undo over reveals and random draws too.")
@click.option("--live", is_flag=True, help="Under the wall clock, in games that have one; no undo.")
def play(
    name: str | None,
    players: int | None,
    wishes: tuple[str, ...],
    seats: tuple[str, ...],
    seed: int | None,
    file: Path | None,
    resume: str | None,
    free_undo: bool,
    live: bool,
) -> None:
    """Play a game at the keyboard, against bots or each other.

    You have seat 1 and bots that play at random have the others, unless --seat says otherwise. The game
    is saved after every decision. With --live the wall clock runs while you think.
    """
    from .interpreter.shell import start

    if resume is not None:
        if players is not None or wishes or seed is not None:
            raise click.UsageError("a resumed game has its players, options and seed already")
        session = start.again(name, resume, seats, file, free_undo)
    elif name is None:
        raise click.UsageError("play what? Give the name of a ruleset; `orrery show` lists them")
    else:
        session = start.anew(name, players, seed, wishes, seats, file, free_undo)
    sys.exit(start.at_keyboard(session, live))


@main.command(short_help="Show a saved game again, decision by decision.")
@click.argument("log", type=click.Path(path_type=Path))
@click.option(
    "--step", is_flag=True, help="Draw the table after every decision; at a keyboard, wait for Enter."
)
@click.option("--seat", type=int, metavar="N", help="See it from this seat.")
@click.option(
    "--save", type=click.Path(dir_okay=False, path_type=Path), help="Make a save of a log, to go on with."
)
def replay(log: Path, step: bool, seat: int | None, save: Path | None) -> None:
    """Show a saved game or a log again, decision by decision."""
    from .interpreter.shell.again import show_again

    sys.exit(show_again(log, step, seat, save))


@main.command(short_help="Run the scenarios of rulesets.")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--only", metavar="TEXT", help="Only scenarios with this in their name.")
@click.option("-v", "--verbose", is_flag=True, help="Name the scenarios that passed too.")
@_format("text", "json")
def test(names: tuple[str, ...], only: str | None, verbose: bool, style: str) -> None:
    """Run the scenarios of rulesets. Without a NAME: of all bundled ones."""
    from .interpreter import face
    from .interpreter.scenarios import run_scenarios
    from .interpreter.shell import reports
    from .interpreter.shell.screen import Screen, print_json
    from .interpreter.shell.wishes import rules_named

    screen = Screen()
    found = {}
    for name in names or face.bundled():
        rules = rules_named(name)
        some = [one for one in run_scenarios(rules) if only is None or only.casefold() in one.name.casefold()]
        found[rules.name] = some
        if style == "text":
            reports.outcomes(screen, rules, some, verbose)
    if style == "json":
        print_json(reports.outcomes_data(found))
    sys.exit(FINE if all(one.passed for some in found.values() for one in some) else FAULTY)


@main.command(short_help="Show what carries and what proves each clause of the rulebook.")
@click.argument("name")
@click.option("--open", "only_open", is_flag=True, help="Only the clauses that are not proven.")
@click.option("--strict", is_flag=True, help="Exit code 1 if a clause is not proven.")
@_format("text", "json")
def trace(name: str, only_open: bool, strict: bool, style: str) -> None:
    """Show for every clause of the rulebook which rules carry it and which scenarios prove it."""
    from .interpreter.shell import reports
    from .interpreter.shell.screen import Screen, print_json
    from .interpreter.shell.wishes import rules_named
    from .interpreter.trace import trace as traced

    rules = rules_named(name)
    found = traced(rules)
    if style == "json":
        print_json(found)
    else:
        reports.clauses(Screen(), rules.name, found, every=not only_open)
    unproven = any(clause["status"] != "proven" for clause in found["clauses"])
    sys.exit(FAULTY if strict and unproven else FINE)


@main.command(short_help="Let bots play many games and count what happens.")
@click.argument("name")
@click.option("--games", type=int, default=100, show_default=True, help="How many games.")
@_ruleset_options
@click.option("--seed", type=int, default=1, show_default=True, help="Same seed, same figures.")
@click.option(
    "--bots", "who", default="random", show_default=True, metavar="BOT,...", help="One for every seat."
)
@click.option("--workers", type=int, default=1, show_default=True, help="Processes; -1 for one per core.")
@click.option("--first", type=int, default=0, help="The number of the first game, to play one of many again.")
@click.option("--longest", type=int, help="Decisions after which a game is given up.")
@click.option("--fast", is_flag=True, help="Do not count which rules were used.")
@_format("text", "json")
def simulate(
    name: str,
    games: int,
    players: int | None,
    wishes: tuple[str, ...],
    seed: int,
    who: str,
    workers: int,
    first: int,
    longest: int | None,
    fast: bool,
    style: str,
) -> None:
    """Let bots play many games, and report what happened in them."""
    from .interpreter.shell import reports, start
    from .interpreter.shell.screen import Screen, print_json
    from .interpreter.simulate import Stopped

    plan = start.plan(name, games, players, seed, wishes, who, first, longest, count_rules=not fast)
    try:
        report = start.watch(plan, workers)
    except Stopped as stop:
        report = stop.report
    if style == "json":
        print_json(report.data())
    else:
        reports.simulation(Screen(), report)
    sys.exit(STOPPED if report.stopped else FAULTY if any(row.error for row in report.rows) else FINE)


@main.command(short_help="Show which rules cost the most time.")
@click.argument("name")
@click.option("--games", type=click.IntRange(1), default=20, show_default=True, help="How many games.")
@_ruleset_options
@click.option("--seed", type=int, default=1, show_default=True, help="Same seed, same games.")
@click.option("--top", type=click.IntRange(1), default=25, show_default=True, help="How many rules to list.")
@_format("text", "json")
def profile(
    name: str, games: int, players: int | None, wishes: tuple[str, ...], seed: int, top: int, style: str
) -> None:
    """Play random games and show where their time goes, by rule: its share without and with the rules
    that it calls, and how often it runs for each decision."""
    from .interpreter.shell import profile as profiler
    from .interpreter.shell.screen import Screen, print_json
    from .interpreter.shell.wishes import options, players_of, rules_named

    rules = rules_named(name)
    found = profiler.profile(rules, players_of(rules, players), games, seed, options(rules, wishes))
    if style == "json":
        print_json(found.data())
    else:
        profiler.show(Screen(), found, top)
    sys.exit(STOPPED if found.stopped else FAULTY if found.failed else FINE)


@main.command(short_help="Show a ruleset, or one card, action, value … of it.")
@click.argument("name", required=False)
@click.argument("word", required=False, metavar="[ID]")
@_format("text", "json")
def show(name: str | None, word: str | None, style: str) -> None:
    """Show a ruleset, or one card, action, value or procedure of it with what changes it.

    Without a NAME: the bundled rulesets.
    """
    from .interpreter.shell import show as pages
    from .interpreter.shell.screen import Screen, print_json
    from .interpreter.shell.wishes import rules_named

    if name is None:
        pages.shelf(Screen(), as_json=style == "json")
        return
    rules = rules_named(name)
    if style == "json":
        print_json(pages.data(rules, pages.found(rules, word) if word else rules.things()))
    elif word:
        pages.one(Screen(), rules, word)
    else:
        pages.overview(Screen(), rules)


@main.command(short_help="Say more about the code of a problem.")
@click.argument("code", required=False)
def explain(code: str | None) -> None:
    """Say more about the CODE of a problem, with an example. Without a CODE: list them all."""
    from .interpreter.shell.lookup import explain_code

    explain_code(code)


@main.command()
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write it to this file.")
def schema(output: Path | None) -> None:
    """Print the JSON Schema of ruleset files, for editors."""
    from .interpreter.shell.lookup import print_schema

    print_schema(output)


@main.command(short_help="Begin a ruleset with a small game that works.")
@click.argument("name")
@click.option(
    "--folder", type=click.Path(file_okay=False, path_type=Path), default=Path("."), help="Where to put it."
)
def new(name: str, folder: Path) -> None:
    """Begin a ruleset: a small game that validates, plays and has a passing scenario."""
    from .interpreter.shell.scaffold import begin

    begin(name, folder)


if __name__ == "__main__":
    main()
