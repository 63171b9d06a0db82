"""Fewer reads of the state, and the same state: lines before and after are run side by side."""

from __future__ import annotations

from typing import Any

import pytest
from orrery.interpreter.compile.keeping import keeping

LAYOUT = {"A": 0, "B": 4, "M_0": 8, "LO_x": 0, "HI_x": 4}
LINES = {
    "read again": ("S[M_0] |= 6", "r.append(S[M_0])", "kept_"),
    "set twice": ("S[M_0] = 1\nS[M_0] += 4", "r.append(S[M_0])", "kept_"),
    "a name": ("S[A+you] = v", "r.append(S[A+you])", "append(v)"),
    "a name that changes": ("S[A+you] = v\nv = v + 1", "r.append(S[A+you])", ""),
    "another of the same": ("S[A+you] = v * 2\nS[A+other] = 9", "r.append(S[A+you])", ""),
    "the index changes": ("S[A+you] = v * 2\nyou = other", "r.append(S[A+you])", ""),
    "the index changes in a test": ("S[A+you] = v * 2\nif (you := other) > 9: pass", "r.append(S[A+you])", ""),
    "several names at once": ("S[A+you] = v * 2\nv, you = you, other", "r.append(S[A+you])", ""),
    "one line with a test": ("S[A+you] = v * 2\nif v: S[A+other] = 7", "r.append(S[A+you])", ""),
    "a branch": ("if v > 3:\n    S[M_0] = v * 3\n    r.append(S[M_0])\nelse:\n    r.append(S[M_0])", "r.append(S[M_0])", "kept_"),
    "a branch that changes it": (
        "S[M_0] = v * 3\nif v > 3:\n    S[M_0] = 1\n    r.append(S[M_0])",
        "r.append(S[M_0])",
        "kept_",
    ),
    "a loop": ("S[M_0] = v * 3\nfor i in (1, 2):\n    r.append(S[M_0])\n    S[M_0] += i", "r.append(S[M_0])", ""),
    "a call": ("S[M_0] = v * 3\nalter(S)", "r.append(S[M_0])", ""),
    "a call with a look": ("S[M_0] = v * 3\nr.append(q1(S))", "r.append(S[M_0])", "kept_"),
    "a tuple": ("S[M_0] = v * 3\nS[4], S[M_0] = 1, 2", "r.append(S[M_0])", ""),
    "a place that is reckoned": ("S[A+you] = v * 3\nS[(A if v else B) + you] = 2", "r.append(S[A+you])", ""),
    "words": ("S[M_0] = v * 3", "r.append('S[M_0]')", ""),
    "a search": ("S[M_0] = v * 3", "r.append([x for x in (1, 2) if x < S[M_0]])", ""),
    "a test": ("S[A+you] = 1 if S[A+you] > 2 else S[A+you] + 2", "if S[A+you] == 1: r.append(v)", "kept_"),
    "a number is no name": ("S[M_0] = 5", "if S[M_0] is None: r.append(v)", "kept_0 is None"),
    "brackets": ("S[M_0] &= v + 1", "r.append(S[M_0])", "& (v + 1)"),
}


def run(lines: list[str], you: int, other: int, v: int) -> tuple[list[Any], list[Any]]:
    space: dict[str, Any] = {
        **LAYOUT,
        "alter": lambda S: S.__setitem__(8, 77),
        "q1": lambda S: S[8],
    }
    exec("\n".join(["def f(S, you, other, v, r):", *lines]), space)
    S, r = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3], list[Any]()
    space["f"](S, you, other, v, r)
    return S, r


@pytest.mark.parametrize("what", LINES)
def test_the_state_is_the_same(what: str) -> None:
    first, last, sign = LINES[what]
    lines = [f"    {line}  #@7" for line in [*first.split("\n"), last]]
    made = keeping(lines)
    assert (made != lines) == bool(sign) and sign in "\n".join(made)
    assert all(line.endswith("  #@7") for line in made)
    for you in range(3):
        for other in range(3):
            for v in range(6):
                assert run(lines, you, other, v) == run(made, you, other, v)
