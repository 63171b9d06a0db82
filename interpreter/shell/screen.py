"""Lines on a terminal or into a pipe: styles, columns, tables, wrapped text.

Takes text and gives it to standard output. Colours only where a person reads them: not in a pipe, not
under NO_COLOR. Text from rulesets is printed as it is, never read as markup, and what could command a
terminal is taken out.
"""

from __future__ import annotations

import json
import os
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from rich.cells import cell_len

if TYPE_CHECKING:
    from rich.console import Console

WIDEST = 100  # columns of running text
Span = tuple[str, str]  # text, style


class Screen:
    """Where a command writes to."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream
        self.made: Console | None = None
        # Into a pipe goes plain text, for which nobody needs to load a console.
        self.lively = _terminal(stream or sys.stdout) and bool(self.console.is_terminal)
        self.width = self.console.width if self.lively else int(os.environ.get("COLUMNS") or 80)

    @property
    def console(self) -> Console:
        """The console of rich, for colours and for what moves."""
        if self.made is None:
            from rich.console import Console

            plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
            self.made = Console(
                file=self.stream,
                color_system=None if plain else "auto",
                highlight=False,
                markup=False,
                emoji=False,
            )
        return self.made

    def line(self, *spans: str | Span) -> None:
        """One line, made of plain text and styled pieces. Never broken: a terminal may do that."""
        if not self.lively:
            texts = [visible(span if isinstance(span, str) else span[0]) for span in spans]
            print("".join(texts), file=self.stream or sys.stdout, flush=True)
            return
        from rich.text import Text

        text = Text()
        for span in spans:
            words, style = (span, "") if isinstance(span, str) else span
            text.append(visible(words), style or None)
        self.console.print(text, soft_wrap=True)

    def lines(self, lines: Iterable[str], style: str = "") -> None:
        for line in lines:
            self.line((line, style))

    def picture(self, lines: Iterable[str]) -> None:
        """A drawn table. On a terminal, what is too wide goes on below, between two words."""
        for line in lines:
            if not self.lively or cell_len(line) <= self.width:
                self.line(line)
                continue
            indent = " " * (len(line) - len(line.lstrip()))
            self.lines(
                textwrap.wrap(line, self.width, subsequent_indent=indent + "    ", break_on_hyphens=False)
            )

    def say(self, text: str, style: str = "", indent: str = "", below: str | None = None) -> None:
        """Running text, wrapped; its own paragraphs are kept."""
        for paragraph in text.splitlines() or [""]:
            wrapped = textwrap.wrap(
                visible(paragraph),
                min(self.width, WIDEST),
                initial_indent=indent,
                subsequent_indent=indent if below is None else below,
                break_long_words=False,
                break_on_hyphens=False,
            )
            self.lines(wrapped or [""], style)

    def rule(self, title: str) -> None:
        width = min(self.width, 80)
        self.line((f"── {title} ".ljust(width, "─"), "dim"))

    def gap(self) -> None:
        self.line("")

    def table(self, heads: Sequence[str], rows: Sequence[Sequence[str]], right: Iterable[int] = ()) -> None:
        """Aligned columns; the last one runs on."""
        right = set(right)
        every = [list(map(visible, row)) for row in ([heads, *rows] if any(heads) else rows)]
        if not every:
            return
        wide = widths(every)
        for number, row in enumerate(every):
            cells = [pad(cell, wide[at], at in right) for at, cell in enumerate(row)]
            style = "bold" if number == 0 and any(heads) else ""
            self.line(("  " + "  ".join(cells).rstrip(), style))

    def columns(self, entries: Sequence[Sequence[Span]], most: int = 4) -> None:
        """Short entries beside each other, read down the columns, as many as fit."""
        if not entries:
            return
        widest = max(sum(cell_len(words) for words, _ in entry) for entry in entries) + 3
        across = max(1, min(most, (self.width - 2) // widest, (len(entries) + 3) // 4))
        down = -(-len(entries) // across)
        for row in range(down):
            spans: list[Span] = [("  ", "")]
            for at in range(row, len(entries), down):
                entry = entries[at]
                spans.extend(entry)
                if at + down < len(entries):
                    spans.append((" " * (widest - sum(cell_len(words) for words, _ in entry)), ""))
            self.line(*spans)

    def clear(self) -> None:
        """Wipe what can be scrolled back to as well: the next person must not read it."""
        if self.lively:
            self.console.file.write("\x1b[2J\x1b[3J\x1b[H")
            self.console.file.flush()


def _terminal(stream: TextIO) -> bool:
    """Whether it may be one: somebody may also say that it is."""
    if any(os.environ.get(name) for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")):
        return True
    return bool(hasattr(stream, "isatty") and stream.isatty())


def pad(text: str, width: int, right: bool = False) -> str:
    room = " " * max(0, width - cell_len(text))
    return room + text if right else text + room


def widths(rows: Iterable[Sequence[str]]) -> list[int]:
    """How wide each column of these rows is."""
    return [max(map(cell_len, column)) for column in zip(*rows, strict=True)]


def visible(text: str) -> str:
    """Text without anything that could command a terminal."""
    if text.isprintable():
        return text
    return "".join(
        "    " if c == "\t" else c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text
    )


def print_json(data: Any) -> None:
    sys.stdout.write(json.dumps(data, indent=2, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def count(number: int, noun: str, nouns: str = "") -> str:
    return f"{number} {noun}" if number == 1 else f"{number:,} {nouns or noun + 's'}"
