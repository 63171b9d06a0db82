# ruff: noqa: E501
"""Hostile files that are too big to keep: each is made when it is needed."""

from __future__ import annotations

from collections.abc import Callable

TAIL = "flow: end game\nend: {wins: players}\n"


def deep_lists() -> str:
    return "ruleset: deep\nsymbols: {a: " + "[" * 50_000 + "]" * 50_000 + "}  #! nested more than\n" + TAIL


def deep_block() -> str:
    rungs = "".join(" " * n + f"k{n}:\n" for n in range(1, 40))
    return "ruleset: deep\ngame:\n" + rungs + " " * 40 + "k40: 1  #! nested more than\n" + TAIL


def huge_scalar() -> str:
    return f"ruleset: huge\nabout: {'x' * 150_000}  #! longer than\n{TAIL}"


def huge_file() -> str:
    return "ruleset: huge  #! longer than\n" + "# padding\n" * 200_000 + TAIL


def many_values() -> str:
    return "ruleset: many\nsymbols: {a: [" + "x, " * 250_000 + "]}  #! holds more than\n" + TAIL


def many_entries() -> str:
    rows = "".join(f"  v{n}(): {n}\n" for n in range(12_000))
    return "ruleset: many\nvalues:\n" + rows + TAIL + "#* declares more than\n"


def digits() -> str:
    return f"ruleset: digits\nresources: {{gold: {{start: {'9' * 50_000}}}}}  #! beyond counting\n{TAIL}"


def digits_in_a_sentence() -> str:
    return f"ruleset: digits\nvalues:\n  big(): 1 + {'9' * 5_000}  #! too long: at most 12 digits\n{TAIL}"


def long_sum() -> str:
    return "ruleset: sum\nvalues:\n  much(): " + "1 + " * 20_000 + "1  #! too long\n" + TAIL


def longest_sum() -> str:
    return "ruleset: sum\nvalues:\n  much(): " + "1+" * 2_900 + "1  #! sum is too long\n" + TAIL


def sum_that_fits() -> str:
    return "ruleset: sum\nflow: |\n  if much() > 3: end game\nvalues:\n  much(): " + "size(players) + " * 350 + "1\nend: {wins: players}\n#* nothing\n"


def long_condition() -> str:
    words = " and ".join(["size(players) > 1"] * 200)
    return f"ruleset: both\nflow: |\n  if much(): end game\nvalues:\n  much(): {words}\nend: {{wins: players}}\n#* nothing\n"


def deep_brackets() -> str:
    return "ruleset: deep\nvalues:\n  much(): " + "(" * 2_500 + "1" + ")" * 2_500 + "  #! nest more than\n" + TAIL


def brackets_that_fit() -> str:
    return "ruleset: deep\nflow: |\n  if much() > 3: end game\nvalues:\n  much(): " + "-(" * 55 + "size(players)" + ")" * 55 + "\nend: {wins: players}\n#* nothing\n"


def deep_not() -> str:
    return "ruleset: deep\nvalues:\n  much(): " + "not " * 1_400 + "true  #! more than 60 times\n" + TAIL


def deep_if() -> str:
    tests = "1 if size(players) > 3 else " * 200
    return f"ruleset: deep\nflow: |\n  if much() > 3: end game\nvalues:\n  much(): {tests}2  #! nests too deep\nend: {{wins: players}}\n"


def deep_dots() -> str:
    return "ruleset: deep\nvalues:\n  much(you): you" + ".opponent" * 600 + "  #! nests too deep\n" + TAIL


def deep_blocks() -> str:
    rungs = "".join("  " * n + "if 1 > 2:" + ("  #! blocks nest\n" if n == 31 else "\n") for n in range(1, 60))
    return "ruleset: deep\nflow: |\n" + rungs + "  " * 60 + "end game\nend: {wins: players}\n"


def deep_likes() -> str:
    kinds = "".join(f"  k{n}: {{like: k{n + 1}}}\n" for n in range(3_000))
    return "ruleset: deep\nkinds:\n" + kinds + "  k3000: {count: 1}\n" + TAIL + "#* like each other in a row\n"


def many_names() -> str:
    names = "".join(f"    let x{n} be {n}\n" for n in range(250))
    uses = " + ".join(f"x{n}" for n in range(250))
    return f"ruleset: names\nresources: {{gold: {{}}}}\nflow: |\n  as each players:\n{names}    choose y in 1 to 2\n    gain y + {uses} gold\nend: {{score: you.gold}}\n#* nothing\n"


def chain_of_values() -> str:
    rows = "".join(f"  v{n}(): v{n + 1}() + 1\n" for n in range(1_500))
    return "ruleset: chain\nflow: |\n  if v0() > 3: end game\nvalues:\n" + rows + "  v1500(): size(players)\nend: {wins: players}\n#* need each other\n"


def chain_of_procedures() -> str:
    rows = "".join(f"  p{n}(): p{n + 1}()\n" for n in range(1_000))
    return "ruleset: chain\nresources: {gold: {}}\nflow: |\n  as each players: p0()\nprocedures:\n" + rows + "  p1000(): gain 1 gold\nend: {score: you.gold}\n#* nothing\n"


def many_symbols() -> str:
    words = ", ".join(f"s{n}" for n in range(3_000))
    return f"ruleset: many\nsymbols: {{shade: [{words}]}}\nflow: |\n  if crowded(): end game\nvalues:\n  crowded(): any(a in shade, b in shade, c in shade where a is b and b is c and a is not c)  #! does not come to an end\nend: {{wins: players}}\n"


def too_many_symbols() -> str:
    words = ", ".join(f"s{n}" for n in range(9_000))
    return f"ruleset: many  #! declares more than\nsymbols: {{shade: [{words}]}}\n{TAIL}"


def many_options() -> str:
    rows = "".join(f'      "Option {n}": gain {n} gold\n' for n in range(150))
    head = "ruleset: many\nresources: {gold: {}}\nflow: |\n  as each players: pick()\nprocedures:\n  pick(): |\n"
    return f"{head}    choose one:\n{rows}end: {{score: you.gold}}\n#* nothing\n"


BIG: dict[str, Callable[[], str]] = {
    made.__name__: made
    for made in (
        deep_lists, deep_block, huge_scalar, huge_file, many_values, many_entries, digits, digits_in_a_sentence, long_sum,
        longest_sum, sum_that_fits, long_condition, deep_brackets, brackets_that_fit, deep_not, deep_if, deep_dots, deep_blocks,
        deep_likes, many_names, chain_of_values, chain_of_procedures, many_symbols, too_many_symbols, many_options,
    )
}  # fmt: skip
