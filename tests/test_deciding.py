"""Tests that can be told beforehand, and frames of the flow that are constants."""

from __future__ import annotations

import pytest
from orrery.interpreter.compile.deciding import decided, leaves
from orrery.interpreter.compile.grounding import grounded

TOP = ["    _, K = F", "    me = S[0]"]


@pytest.mark.parametrize(
    ("before", "test", "said"),
    [
        (["    S[G_a] = me"], "    if (S[G_a] is None):", False),
        (["    S[G_a] = me"], "    if (not (S[G_a] is None)):", True),
        (["    S[G_a] = None"], "    if (S[G_a] is None):", True),
        (["    S[G_a] = other"], "    if (S[G_a] is None):", None),
        (["    me = found", "    S[G_a] = me"], "    if (S[G_a] is None):", None),
        (["    me, x = found, 1", "    S[G_a] = me"], "    if (S[G_a] is None):", None),
        (["    for me in o: x = 1", "    S[G_a] = me"], "    if (S[G_a] is None):", None),
        (["    S[G_a] = me", "    me = me + 1", "    S[G_b] = None"], "    if (S[G_a] is None):", False),
        (["    S[G_a] = me", "    S[G_a] = other"], "    if (S[G_a] is None):", None),
        (["    S[G_a] = me", "    run(S, 3)"], "    if (S[G_a] is None):", None),
        (["    S[G_a] = me", "    S[x] = 3"], "    if (S[G_a] is None):", None),
        (["    S[G_a] = me", "    for x in o:", "        y = x"], "    if (S[G_a] is None):", None),
        (["    S[G_a] = me", "    if y:", "        S[G_a] = None"], "    if (S[G_a] is None):", None),
        (["    S[G_a] = me", "    if y:", "        S[G_a] = None", "        return K"], "    if (S[G_a] is None):", False),
        (["    S[G_a] = me", "    if y:", "        y = 1"], "    if (S[G_a] is None):", False),
        (["    if (S[G_a] is None):"], "        if (S[G_a] is None):", True),
        (["    if (S[G_a] is None):", "        y = 1", "    else:"], "        if (S[G_a] is None):", False),
        (["    if (S[G_a] is None):", "        return K"], "    if (S[G_a] is None):", False),
        (["    if (S[G_a] is None):", "        y = 1"], "    if (S[G_a] is None):", None),
        (["    for x in o:", "        S[G_a] = None"], "        if (S[G_a] is None):", True),
        (["    S[G_a] = None", "    for x in o:"], "        if (S[G_a] is None):", None),
        (["    if y:", "        S[G_a] = me", "    else:"], "        if (S[G_a] is None):", None),
        (["    S[G_a] = me", "    if y:", "        z = 1", "    else:"], "        if (S[G_a] is None):", False),
        (["    S[G_a] = me"], "    if (S[G_b] is None):", None),
        (["    S[G_a] = me"], "    if (S[G_a] == 3):", None),
    ],
)
def test_told_beforehand(before: list[str], test: str, said: bool | None) -> None:
    assert decided(test + "  #@7", [*TOP, *(line + "  #@7" for line in before)]) is said


def test_who_leaves() -> None:
    assert leaves(["    return K"])
    assert leaves(["    if a:", "        return K", "    else:", "        raise EndGame"])
    assert not leaves(["    if a:", "        return K"])
    assert not leaves(["    if a:", "        return K", "    else:", "        b = 1"])
    assert not leaves(["    for a in b:", "        return K", "    else:", "        return K"])


def test_constants_for_what_stands_behind() -> None:
    lines = ["    _, K, you, at1 = F", "    v = 'you and K'", "    S[2] = (7, K, at1)", "    return (9, K, you)"]
    assert grounded(lines, {"at1": 2}) == [
        "    v = 'you and K'",
        "    S[2] = ((7, (0, None), 0), (7, (0, None), 1),)[F[3]]",
        "    return (9, (0, None), 0)",
    ]
    moved = ["    _, K, you = F", "    K, you = (3, K), x", "    return (9, K, you)"]
    assert grounded(moved, {}) == ["    _, K, you = F", *moved[1:]]


def test_a_local_is_read_late_only_where_it_is_what_it_was() -> None:
    body = ["    if a:", "        at1 = at1 + 1", "        return (9, at1)", "    return (8, at1)"]
    assert grounded(["    _, K, at1 = F", *body], {}) == [
        "    if a:",
        "        at1 = F[2] + 1",
        "        return (9, at1)",
        "    return (8, F[2])",
    ]
    open_end = ["    if a:", "        at1 = at1 + 1", "    return (8, at1)"]
    assert grounded(["    _, K, at1 = F", *open_end], {}) == ["    at1 = F[2]", *open_end]
    loop = ["    for x in y:", "        at1 = at1 + 1", "    return (8, at1)"]
    assert grounded(["    _, K, at1 = F", *loop], {}) == ["    at1 = F[2]", *loop]
