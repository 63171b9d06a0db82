"""Diagnostics: what a designer reads, to the letter."""

import json

import pytest
from orrery.interpreter.diagnostics import (
    MOST_PROBLEMS,
    Diagnostic,
    OrreryError,
    Place,
    Problems,
    RulesetError,
    as_json,
    nearest,
    render,
    suggest,
)

FILE = "cards/market.yaml"


def place(line, column, end_column, file=FILE, end_line=None):
    return Place(file, line, column, end_line or line, end_column)


def shown(problem, *lines, style="full"):
    return render(problem, lambda file: list(lines) if file == FILE else None, style)


def test_a_mistake_is_answered_as_the_style_guide_shows():
    problem = Diagnostic.at(
        place(14, 14, 22),
        "unknown-resource",
        "no resource is called `megagalx`",
        "resources are declared in rulesets/demo/resources.yaml",
        suggestion=suggest("megagalx", ["energy", "megagalax"]),
    ).below("rulesets/demo")
    lines = [""] * 13 + ["      gain 3 megagalx"]
    text = render(problem, lambda file: lines if file == f"rulesets/demo/{FILE}" else None)
    assert text == (
        "rulesets/demo/cards/market.yaml:14:14: error: no resource is called `megagalx` [unknown-resource]\n"
        "   14 |       gain 3 megagalx\n"
        "      |              ^^^^^^^^ did you mean `megagalax`?\n"
        "hint: resources are declared in rulesets/demo/resources.yaml"
    )


def test_the_second_place_is_shown_too():
    problem = Diagnostic.at(
        place(2, 1, 6), "duplicate-key", "`flare` stands here twice",
        related=((place(1, 1, 6), "first written here"),),
    )  # fmt: skip
    assert shown(problem, "flare: 1", "flare: 2") == (
        "cards/market.yaml:2:1: error: `flare` stands here twice [duplicate-key]\n"
        "    2 | flare: 2\n"
        "      | ^^^^^\n"
        "  cards/market.yaml:1:1: first written here\n"
        "    1 | flare: 1\n"
        "      | ^^^^^"
    )


def test_a_concise_answer_is_one_line():
    problem = Diagnostic.at(
        place(1, 4, 5),
        "unused",
        "`x` is never used",
        "why?",
        severity="warning",
        suggestion="did you mean `y`?",
    )
    assert shown(problem, "a: x", style="concise") == (
        "cards/market.yaml:1:4: warning: `x` is never used; did you mean `y`? [unused]"
    )
    assert str(problem) == shown(problem, style="concise")


@pytest.mark.parametrize(
    ("line", "column", "end", "excerpt", "carets"),
    [
        ("\tgain x", 7, 8, "    gain x", "         ^"),
        ("日本: x", 5, 6, "日本: x", "      ^"),
        ("e\u0301: x", 5, 6, "e\u0301: x", "   ^"),
        ("a:", 3, 3, "a:", "  ^"),
        ("a: \x1b[31mred", 4, 5, "a: \ufffd[31mred", "   ^"),
        ("", 1, 1, "", "^"),
    ],
)
def test_the_caret_stands_under_the_very_word(line, column, end, excerpt, carets):
    _, source, mark = shown(Diagnostic.at(place(1, column, end), "x", "x"), line).split("\n")
    assert source == f"    1 | {excerpt}".rstrip()
    assert mark == f"      | {carets}"


def test_a_very_long_line_is_trimmed_around_the_word():
    line = "a " * 400 + "word" + " b" * 400
    _, source, mark = shown(Diagnostic.at(place(1, 801, 805), "x", "x"), line).split("\n")
    assert len(source) <= 110
    assert source.startswith("    1 | …") and source.endswith("…")
    assert source[mark.index("^") : mark.rindex("^") + 1] == "word"


def test_a_place_over_several_lines_is_marked_to_the_end_of_the_first():
    assert shown(Diagnostic.at(place(1, 4, 3, end_line=2), "x", "x"), "a: [1,", "  2]").endswith(
        "\n      |    ^^^"
    )


def test_a_large_line_number_keeps_the_gutter_straight():
    _, source, mark = shown(Diagnostic.at(place(123456, 1, 2), "x", "x"), *["a"] * 123456).split("\n")
    assert source == "123456 | a"
    assert mark == "       | ^"


def test_without_the_file_the_suggestion_is_still_told():
    problem = Diagnostic.at(place(1, 1, 2, "gone.yaml"), "x", "y", suggestion="did you mean `z`?")
    assert shown(problem) == "gone.yaml:1:1: error: y [x]\n      | did you mean `z`?"


def test_json_has_every_part():
    problem = Diagnostic.at(place(3, 4, 7), "c", "m", "h", suggestion="did you mean `z`?")
    assert json.loads(json.dumps(as_json(problem))) == {
        "file": FILE, "line": 3, "column": 4, "end_line": 3, "end_column": 7,
        "code": "c", "severity": "error", "message": "m", "suggestion": "did you mean `z`?", "hint": "did you mean `z`? h",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("word", "names", "meant"),
    [
        ("megagalx", ["megagalax", "energy"], "megagalax"),
        ("enregy", ["energy", "enemy"], "energy"),
        ("station", ["nation", "stations"], "stations"),
        ("cities", ["cites", "city"], "city"),
        ("Solar-Flare", ["solar_flare"], "solar_flare"),
        ("flare_solar", ["solar_flare", "flare"], "solar_flare"),
        ("momen", ["momentum", "movement"], "momentum"),
        ("fule", ["fuel", "file"], "fuel"),
        ("ab", ["xy", "cd"], None),
        ("x", ["y"], None),
        ("crew", ["shield", "battery"], None),
        ("", ["a"], None),
    ],
)
def test_the_nearest_name(word, names, meant):
    assert nearest(word, names) == meant
    assert suggest(word, names) == (f"did you mean `{meant}`?" if meant else "")


def test_problems_come_in_file_order_and_once():
    problems = Problems()
    problems.warn(Place("b.yaml", 1, 1, 1, 2), "w", "later file")
    problems.error(Place("a.yaml", 2, 1, 2, 2), "e", "second line")
    problems.error(Place("a.yaml", 1, 5, 1, 6), "e", "second column")
    problems.error(Place("a.yaml", 1, 1, 1, 2), "e", "first")
    problems.error(Place("a.yaml", 1, 1, 1, 2), "e", "first")
    assert [problem.message for problem in problems.sorted()] == [
        "first", "second column", "second line", "later file",
    ]  # fmt: skip
    assert problems.has_errors


def test_warnings_are_no_errors():
    problems = Problems()
    problems.warn(place(1, 1, 2), "w", "only a warning")
    assert not problems.has_errors


def test_too_many_problems_are_counted_not_listed():
    problems = Problems()
    for line in range(1, MOST_PROBLEMS + 4):
        problems.error(place(line, 1, 2), "e", "wrong")
    found = problems.sorted()
    assert len(found) == MOST_PROBLEMS + 1
    assert found[-1].code == "too-many-problems"
    assert found[-1].message == "3 more errors were left out"


def test_a_ruleset_error_says_what_comes_first():
    error = RulesetError([Diagnostic.at(place(1, 1, 2), "c", "wrong")])
    assert isinstance(error, OrreryError)
    assert str(error) == "the ruleset has 1 error: cards/market.yaml:1:1: error: wrong [c]"
    assert [problem.code for problem in error.problems] == ["c"]
