"""Texts that no one would write: the parser and the loader answer each of them with words and a place.

The texts are the same in every run: hypothesis is told to derive them from the test, and not from chance.
"""

from __future__ import annotations

from again import shown_by
from fuzz import RULESET, STARTS, WORDS, try_loader, try_parser, with_effect
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

HERE = "tests/test_trust_fuzz.py"
quiet = settings(deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
soup = st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join)
lines = st.lists(st.tuples(st.integers(0, 3), soup), max_size=6).map(
    lambda found: "\n".join("  " * depth + text for depth, text in found)
)
SECTIONS = "kinds zones values actions menus flow end setup spans effects components game boards table options"
KEYS = st.sampled_from(SECTIONS.split())
plain = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-5, 99), soup, st.text(max_size=12)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.one_of(soup, st.text(max_size=6)), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(quiet, max_examples=400)
@given(st.one_of(st.text(max_size=80), lines), st.sampled_from(STARTS))
def test_the_parser_answers_anything(text: str, start: str) -> None:
    with shown_by(f"{HERE}::test_the_parser_answers_anything", f"{text!r} as {start}"):
        try_parser(text, start)


@settings(quiet, max_examples=80)
@given(lines)
def test_the_loader_answers_any_effect(text: str) -> None:
    with shown_by(f"{HERE}::test_the_loader_answers_any_effect", repr(text)):
        try_loader(with_effect(text))


@settings(quiet, max_examples=80)
@given(st.text(max_size=200))
def test_the_loader_answers_any_text(text: str) -> None:
    with shown_by(f"{HERE}::test_the_loader_answers_any_text", repr(text)):
        try_loader(text)


@settings(quiet, max_examples=120)
@given(KEYS, plain)
def test_the_loader_answers_any_shape(key: str, value: object) -> None:
    import json

    text = "\n".join(line for line in RULESET.split("\n") if not line.startswith(f"{key}:"))
    text += f"{key}: {json.dumps(value)}\n" + ("" if key == "flow" else "flow: end game\n")
    with shown_by(f"{HERE}::test_the_loader_answers_any_shape", f"{key}: {value!r}"):
        try_loader(text)
