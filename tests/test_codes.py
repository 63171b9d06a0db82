"""Every code that can be reported has a page, every page a code, an explanation and an example."""

from __future__ import annotations

import pytest
from orrery.interpreter.codes import explain, pages
from used_codes import used_codes


def test_every_code_is_described_and_nothing_else() -> None:
    assert sorted(used_codes() - set(pages())) == []
    assert sorted(set(pages()) - used_codes()) == []


def test_pages_are_sorted() -> None:
    assert list(pages()) == sorted(pages())


@pytest.mark.parametrize("code", sorted(pages()))
def test_a_page_says_why_and_shows_how(code: str) -> None:
    words, _, example = pages()[code].partition("\n\n    ")
    assert len(words) > 30 and words.rstrip().endswith((".", ":")), words
    assert example.strip()


def test_a_code_is_found_however_it_is_written() -> None:
    assert explain("[Unknown-Resource]") == explain("unknown-resource") == pages()["unknown-resource"]
    assert explain("no-such-code") is None
