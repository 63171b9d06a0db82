"""Read a ruleset's files: YAML as nodes that know where they stand.

Takes a folder or a text; gives nodes with exact places, and every refusal as a problem with its
place. The only reader of ruleset files. Never runs, resolves or follows anything that a file asks
for: no tags, no anchors, no merges, and no more than the limits below.
"""

from __future__ import annotations

import hashlib
import os
import re
from bisect import bisect_right
from collections.abc import Iterator
from collections.abc import Mapping as Map
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from .diagnostics import Place, Problems, Related

FILE_BYTES = 1_000_000
ALL_BYTES = 8_000_000
FILES = 5_000  # in the folder of a ruleset
DEPTH = 40
NODES = 30_000
SCALAR_LENGTH = 100_000
DIGITS = 15

Value = None | bool | int | float | str
Lines = list[str]
ScalarStyle = Literal["plain", "quoted", "literal", "folded"]


# --- nodes --------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Node:
    place: Place


@dataclass(slots=True, eq=False)
class Scalar(Node):
    """`text` is what is written, without quotes and indentation; `value` is what it stands for.

    Where `exact`, `place_of` finds any stretch of `text` in the file, character by character.
    """

    value: Value
    text: str
    style: ScalarStyle = "plain"
    exact: bool = False
    _indent: int = 0  # characters before the text: on its line, or on each line of a literal block

    def place_of(self, line: int, column: int, end_line: int, end_column: int) -> Place:
        if not self.exact:
            return self.place
        return Place(self.place.file, *self._position(line, column), *self._position(end_line, end_column))

    def _position(self, line: int, column: int) -> tuple[int, int]:
        if self.style != "literal":
            return self.place.line, self.place.column + self._indent + column - 1
        lines = self.text.rstrip("\n").split("\n")
        # An expression over several lines is read as one: its columns go on behind the end of a line.
        while line < len(lines) and column > len(lines[line - 1]) + 1:
            line, column = line + 1, column - len(lines[line - 1]) - 1
        if line > len(lines):  # behind the last line break: the end of the last line
            return self.place.end_line, self.place.end_column
        return self.place.line + line, self._indent + column


@dataclass(slots=True, eq=False)
class Sequence(Node):
    items: list[Node] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Mapping(Node):
    entries: list[tuple[Scalar, Node]] = field(default_factory=list)

    def get(self, key: str) -> Node | None:
        return next((node for name, node in self.entries if name.text == key), None)

    def keys(self) -> list[str]:
        return [name.text for name, _ in self.entries]


# --- a text -------------------------------------------------------------------------------------


def read(file_name: str, text: str, problems: Problems) -> Node | None:
    """The tree of one YAML text; an empty text is a null. None means: see the problems."""
    return _Reading(file_name, text, problems).tree()


class _Refused(Exception):
    """Reading cannot go on; the problem has been told."""


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not come yet."""

    node: Mapping | Sequence
    key: Scalar | None = None  # the key that waits for its value
    seen: dict[str, Scalar] = field(default_factory=dict)


class _Reading:
    """One text on its way to a tree. Offsets count from 0, places from 1."""

    def __init__(self, file: str, text: str, problems: Problems) -> None:
        self.file = file
        self.text = clean(text)
        self.problems = problems
        self.lines = [0, *(match.end() for match in re.finditer("\n", self.text))]
        self.refused = False  # whether the text holds a part of YAML that Orrery has no use for
        self.nodes = 0

    # places

    def position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.lines, offset)
        return line, offset - self.lines[line - 1] + 1

    def place(self, start: int, end: int) -> Place:
        return Place(self.file, *self.position(start), *self.position(end))

    def word(self, offset: int) -> Place:
        """The word or sign at an offset; behind the end, the last sign of the text."""
        offset = min(offset, max(0, len(self.text.rstrip()) - 1))
        match = re.compile(r"\w+|\S|\t+|").match(self.text, offset)
        return self.place(offset, match.end() if match else offset)

    def line_of(self, line: int) -> str:
        end = self.lines[line] - 1 if line < len(self.lines) else len(self.text)
        return self.text[self.lines[line - 1] : end]

    def refuse(self, place: Place, code: str, message: str, hint: str = "") -> None:
        self.refused = True
        self.problems.error(place, code, message, hint)

    # the tree

    def tree(self) -> Node | None:
        if len(self.text.encode("utf-8", "replace")) > FILE_BYTES:
            self.refuse(
                Place.whole(self.file), "yaml-too-big", f"the file is longer than {FILE_BYTES:,} bytes"
            )
            return None
        odd = _ODD.search(self.text)
        if odd:
            self.refuse(
                self.place(odd.start(), odd.end()),
                "yaml-character",
                f"the invisible character U+{ord(odd[0]):04X} cannot stand in a ruleset",
            )
            return None
        events = _machine()(self)
        try:
            return self.build(events)
        except _Refused:
            return None
        except events.Error as error:
            if not self.refused:  # what follows a refusal may be its echo
                self.problems.error(*_explain(self, error))
            return None
        except (ValueError, OverflowError, ArithmeticError):  # an escape that is no character
            self.problems.error(self.word(events.offset), "yaml-syntax", "this escape is no character")
            return None

    def build(self, events: Iterator[Any]) -> Node:
        root: Node | None = None
        stack: list[_Open] = []
        documents = 0
        for event in events:
            kind = type(event).__name__
            if kind in ("SequenceEndEvent", "MappingEndEvent"):
                self.close(stack.pop().node, event)
            elif kind in ("ScalarEvent", "SequenceStartEvent", "MappingStartEvent"):
                above = stack[-1] if stack else None
                node = self.node(kind, event, above.key if above else None)
                if above is None:
                    root = node
                else:
                    self.attach(above, node)
                if isinstance(node, Mapping | Sequence):
                    stack.append(_Open(node))
                    if len(stack) > DEPTH:
                        self.too_deep(event.start_mark.index)
            elif kind == "DocumentStartEvent":
                documents += 1
                if documents > 1:
                    self.second_document(event)
        return root or Scalar(Place.whole(self.file), None, "")

    def node(self, kind: str, event: Any, key: Scalar | None) -> Node:
        self.nodes += 1
        start: int = event.start_mark.index
        if self.nodes > NODES:
            self.refuse(self.word(start), "yaml-too-big", f"the file holds more than {NODES:,} values")
            raise _Refused
        if kind == "ScalarEvent":
            return self.scalar(event, key)
        place = self.place(start, event.end_mark.index)
        return Sequence(place) if kind == "SequenceStartEvent" else Mapping(place)

    def attach(self, above: _Open, node: Node) -> None:
        if isinstance(above.node, Sequence):
            above.node.items.append(node)
        elif above.key is None:
            above.key = self.key(node)
        else:
            key, above.key = above.key, None
            first = above.seen.setdefault(key.text, key)
            if first is key:
                above.node.entries.append((key, node))
            else:
                self.problems.error(
                    key.place,
                    "duplicate-key",
                    f"`{key.text}` stands here twice",
                    related=((first.place, "first written here"),),
                )

    def key(self, node: Node) -> Scalar:
        if not isinstance(node, Scalar):
            self.refuse(node.place, "yaml-key", "a key is a word or a text, not a list or a mapping")
            raise _Refused
        if not node.text:
            self.refuse(node.place, "yaml-key", "a key is missing here")
        elif node.text == "<<" and node.style == "plain":
            self.refuse(
                node.place,
                "yaml-merge",
                "`<<` would merge another mapping in; rulesets do not do that",
                "write the entries out",
            )
        return node

    def close(self, node: Mapping | Sequence, event: Any) -> None:
        """A flow collection ends with its bracket, a block with its last entry."""
        start, end = event.start_mark.index, event.end_mark.index
        if end > start:
            line, column = self.position(end)
        else:
            last: Node = node
            if isinstance(node, Sequence) and node.items:
                last = node.items[-1]
            elif isinstance(node, Mapping) and node.entries:
                last = node.entries[-1][1]
            line, column = last.place.end_line, last.place.end_column
        place = node.place
        node.place = Place(place.file, place.line, place.column, line, column)

    def second_document(self, event: Any) -> None:
        self.refuse(
            self.place(event.start_mark.index, event.end_mark.index),
            "yaml-documents",
            "a file holds one document, and here a second one starts",
            "give it a file of its own, or take the `---` away",
        )
        raise _Refused

    def too_deep(self, offset: int) -> None:
        self.refuse(
            self.place(offset, offset + 1), "yaml-too-deep", f"this is nested more than {DEPTH} levels deep"
        )
        raise _Refused

    # scalars

    def scalar(self, event: Any, key: Scalar | None) -> Scalar:
        start, end = event.start_mark.index, event.end_mark.index
        text: str = event.value
        style = _STYLES[event.style]
        if len(text) > SCALAR_LENGTH:
            self.refuse(
                self.word(start), "yaml-too-big", f"this text is longer than {SCALAR_LENGTH:,} characters"
            )
            text = ""
        elif not text.isascii() and _SURROGATE.search(text):
            self.refuse(self.word(start), "yaml-syntax", "an escape in this text is no character")
            text = ""
        if style in ("literal", "folded"):
            return self.block(text, start, end, style)
        if start == end and key is not None:  # nothing written: right after the colon
            start = end = self.after_colon(key)
        place = self.place(start, end)
        if style == "quoted":
            exact = self.text[start + 1 : end - 1] == text and place.line == place.end_line
            return Scalar(place, text, text, style, exact, 1)
        exact = self.text[start:end] == text
        return Scalar(place, self.value(text, place), text, style, exact)

    def block(self, text: str, start: int, end: int, style: ScalarStyle) -> Scalar:
        end = start + len(self.text[start:end].rstrip())
        place = self.place(start, end)
        if style == "folded":
            return Scalar(place, text, text, style)
        lines = text.rstrip("\n").split("\n")
        indent = 0
        for number, line in enumerate(lines, place.line + 1):
            if line:
                indent = len(self.line_of(number)) - len(line)
                break
        exact = place.line + len(lines) <= len(self.lines) and all(
            self.line_of(number)[indent:] == line for number, line in enumerate(lines, place.line + 1)
        )
        return Scalar(place, text, text, style, exact, indent)

    def after_colon(self, key: Scalar) -> int:
        offset = self.lines[key.place.end_line - 1] + key.place.end_column - 1
        match = re.compile(r"\s*:").match(self.text, offset)
        return match.end() if match else offset

    def value(self, text: str, place: Place) -> Value:
        """What a plain scalar stands for: null, truth, number, or itself."""
        if text in _WORDS:
            return _WORDS[text]
        if text[0] not in "+-.0123456789":
            return text
        whole, broken = _WHOLE.fullmatch(text), _BROKEN.fullmatch(text)
        if not whole and not broken and not _ENDLESS.fullmatch(text):
            return text
        if whole and len(text) <= 300 and len(text.lstrip("+-0ox")) <= DIGITS:
            return int(text, 10 if text.lstrip("+-").isdigit() else 0)
        if broken and len(text) <= 300 and sum(map(str.isdigit, text)) <= DIGITS:
            number = float(text)
            if abs(number) < 10**DIGITS:
                return number
        self.refuse(
            place,
            "yaml-number",
            "this number is beyond counting",
            f"numbers have at most {DIGITS} digits; quotes make it a text",
        )
        return text


_ODD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_STYLES: dict[str | None, ScalarStyle] = {
    None: "plain",
    "": "plain",
    "'": "quoted",
    '"': "quoted",
    "|": "literal",
    ">": "folded",
}
_WORDS: dict[str, Value] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_WHOLE = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_BROKEN = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_ENDLESS = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


# --- ruamel's events, with what we refuse taken out and what is slow made fast ---------------------


@cache
def _machine() -> Any:
    """The event machine. Made when first used, since importing ruamel takes its time."""
    from ruamel.yaml.error import FileMark, YAMLError
    from ruamel.yaml.parser import Parser
    from ruamel.yaml.reader import Reader
    from ruamel.yaml.scanner import Scanner
    from ruamel.yaml.tokens import ScalarToken

    class FastReader(Reader):
        """The whole text is at hand and clean, so nothing is decoded, refilled or checked."""

        def forward(self, length: int = 1) -> None:
            start, self.pointer = self.pointer, self.pointer + length
            self.index = self.pointer
            breaks = self.buffer.count("\n", start, self.pointer)
            if breaks:
                self.line += breaks
                self.column = self.pointer - self.buffer.rindex("\n", start, self.pointer) - 1
            else:
                self.column += length

        def peek(self, index: int = 0) -> str:
            try:
                return self.buffer[self.pointer + index]
            except IndexError:
                return "\0"

        def prefix(self, length: int = 1) -> str:
            return self.buffer[self.pointer : self.pointer + length]

        def get_mark(self) -> Any:
            return FileMark("", self.index, self.line, self.column)

    class StrictScanner(Scanner):
        reader: Any = None  # in the place of a slow property, as in the parser below
        scanner_processing_version: Any = (1, 2)
        ready = False  # whether the next token is known; it stays so until it is taken

        def __init__(self, reader: Any, reading: _Reading, loader: Any) -> None:
            self.reader, self.reading = reader, reading
            super().__init__(loader)

        def check_token(self, *choices: Any) -> bool:
            token = self.peek_token()
            return token is not None and (not choices or isinstance(token, choices))

        def peek_token(self) -> Any:
            if not self.ready:
                while self.need_more_tokens():
                    self.fetch_more_tokens()
                self.ready = True
            return self.tokens[0] if self.tokens else None

        def get_token(self) -> Any:
            token = self.peek_token()
            if token is not None:
                self.ready = False
                self.tokens_taken += 1
                self.tokens.pop(0)
            return token

        def fetch_flow_collection_start(self, TokenClass: Any, to_push: str) -> None:
            if self.flow_level >= DEPTH:  # the scanner looks far ahead of the events
                self.reading.too_deep(self.reader.index)
            super().fetch_flow_collection_start(TokenClass, to_push)

        def skip(self, shape: str, code: str, message: str, hint: str) -> None:
            start = self.reader.index
            match = re.compile(shape).match(self.reader.buffer, start)
            assert match is not None
            self.reading.refuse(self.reading.place(start, match.end()), code, message.format(match[0]), hint)
            self.reader.forward(match.end() - start)

        def fetch_alias(self) -> None:
            self.save_possible_simple_key()
            self.allow_simple_key = False
            start = self.reader.get_mark()
            self.skip(
                _MARKED,
                "yaml-alias",
                "`{}` would repeat a value by YAML's alias; rulesets do not",
                "write the value out; if it is a text, put it in quotes",
            )
            self.tokens.append(ScalarToken("", True, start, self.reader.get_mark()))

        def fetch_anchor(self) -> None:
            self.skip(
                _MARKED,
                "yaml-alias",
                "`{}` would name a value by YAML's anchor; rulesets do not",
                "take it away; if it is a text, put it in quotes",
            )

        def fetch_tag(self) -> None:
            self.skip(
                _MARKED,
                "yaml-tag",
                "`{}` would be a YAML tag; rulesets have none",
                "take it away; if it is a text, put it in quotes",
            )

        def fetch_directive(self) -> None:
            self.skip(
                "[^\n\0]*",
                "yaml-directive",
                "`{}` would be an order to the YAML reader; rulesets give none",
                "take the line away",
            )

    class BareParser(Parser):
        scanner: Any = None
        resolver: Any = None

    class Events:
        """Iterates over a text's events. It is its own loader: the parts look here for settings."""

        Error = YAMLError
        comment_handling = None
        processing_version = (1, 2)

        def __init__(self, reading: _Reading) -> None:
            self.reader = FastReader(reading.text, loader=self)
            self.parser = BareParser(loader=self)
            self.parser.scanner = StrictScanner(self.reader, reading, self)
            self.parser.resolver = self

        @property
        def offset(self) -> int:
            return int(self.reader.index)

        def __iter__(self) -> Iterator[Any]:
            while self.parser.check_event():
                yield self.parser.get_event()

    return Events


_MARKED = r"\S[^\s,\[\]{}]*"


Complaint = tuple[Place, str, str, str, Related]


def _explain(reading: _Reading, error: Any) -> Complaint:
    """ruamel's complaint in words for a designer, at the place where the mistake was made."""
    problem = str(getattr(error, "problem", None) or getattr(error, "context", None) or error)
    mark: Any = getattr(error, "problem_mark", None) or error.context_mark
    origin: Any = getattr(error, "context_mark", None) or mark
    offset = mark.index
    place = reading.word(offset)
    began: Related = ((reading.word(origin.index), "it begins here"),) if origin is not mark else ()
    sign = reading.text[offset : offset + 1]
    at_end = offset >= len(reading.text.rstrip())

    def say(message: str, hint: str = "", at: Place = place, related: Related = ()) -> Complaint:
        return at, "yaml-syntax", message, hint, related

    if "cannot start any token" in problem:
        if sign == "\t":
            return say("a tab cannot indent a line", "use spaces")
        return say(f"a text cannot begin with `{sign}`", "put the text in quotes")
    if "mapping values are not allowed" in problem:
        return say(
            "a `:` is not expected here",
            "put a text that holds `: ` in quotes, or look at the indentation of this line",
        )
    if "could not find expected ':'" in problem:
        line = origin.line + 1
        start = origin.index
        end = start + len(reading.line_of(line)[origin.column :].split(" #")[0].rstrip())
        return say(
            "a `:` is missing after this key", "an entry is written `key: value`", reading.place(start, end)
        )
    if "chomping or indentation" in problem or "comment or a line break" in problem:
        return say("nothing can follow the sign that opens a block", "its text begins on the next line")
    if "sequence entries are not allowed" in problem:
        return say("a list cannot begin here", "begin it on a line of its own, or write it in [ ]")
    if "mapping keys are not allowed" in problem:
        return say("a `?` cannot stand here", "put the text in quotes")
    if "<document start>" in problem:
        return say("this does not belong to what stands above it", "look at its indentation")
    if "document separator" in problem:
        return say("a `---` or `...` cannot stand inside of a text")
    if "more indented follow up line" in problem:
        return say("the first line of a block is the least indented", "indent this line less")
    if "unexpected end of stream" in problem:
        return say("this quote is never closed", at=reading.word(origin.index))
    if "unknown escape" in problem or "escape sequence" in problem:
        return say("this escape is not known", "in single quotes a backslash is an ordinary sign")
    bracket = {"]": ("list", "["), "}": ("mapping", "{")}.get(problem[len("expected ',' or '") :][:1])
    if problem.startswith("expected ',' or") and bracket:
        name, opening = bracket
        if at_end:
            return say(f"this `{opening}` is never closed", at=reading.word(origin.index))
        return say(
            f"expected `,` or the end of the {name}", "perhaps its bracket was not closed", related=began
        )
    if "expected <block end>" in problem:
        before = reading.line_of(mark.line + 1)[: mark.column]
        if before.strip(" -"):
            return say(
                "this is one thing too many on the line",
                "put the whole text in quotes, quotes inside it doubled",
            )
        return say("this line does not line up with those above it", "look at its indentation", related=began)
    if "expected the node content" in problem:
        return say(
            "a value is missing here" if at_end else f"a value cannot begin with `{sign}`",
            "" if at_end else "put the text in quotes",
        )
    return say(f"this is not valid YAML: {problem}")


# --- a folder -----------------------------------------------------------------------------------


def clean(text: str) -> str:
    """The text with line breaks of one kind, and without a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def fingerprint(texts: Map[str, str]) -> str:
    """One number for many texts: the same for the same names and contents, in whatever order."""
    digest = hashlib.sha256()
    for name in sorted(texts):
        for part in (name.encode(), texts[name].encode("utf-8", "replace")):
            digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


class Folder:
    """A ruleset's folder. Files are named relative to it, with `/`; nothing outside of it is read."""

    def __init__(self, root: Path, shown: str, problems: Problems) -> None:
        self.root = root
        self.name = root.name
        self.shown = shown  # the folder as its user wrote it: what `Diagnostic.below` wants
        self.texts: dict[str, str] = {}
        self.problems = problems
        self._bytes = 0
        self._true_root: Path | None = None  # without links, once it has been asked for

    @classmethod
    def open(cls, path: str | os.PathLike[str], problems: Problems) -> Folder:
        shown = PurePosixPath(Path(path).as_posix()).as_posix()
        folder = cls(Path(os.path.abspath(path)), shown, problems)
        if folder.root.is_file():
            problems.error(Place.whole(""), "folder-missing", "a ruleset is a folder, and this is a file")
        elif not folder.root.is_dir():
            problems.error(Place.whole(""), "folder-missing", "there is no such folder")
        return folder

    def list(self, subfolder: str = "", suffix: str = ".yaml") -> Lines:
        """The files at any depth below a subfolder, sorted; hidden ones are passed over."""
        start = self._inside(subfolder)
        if start is None:
            return []
        found: Lines = []
        looked_at = 0
        for parent, folders, files in os.walk(start):
            looked_at += len(folders) + len(files)
            if looked_at > FILES:
                self.problems.error(
                    Place.whole(subfolder), "ruleset-too-big", f"the folder holds more than {FILES:,} files"
                )
                return []
            folders[:] = [name for name in folders if not name.startswith(".")]
            below = Path(parent).relative_to(self.root)
            found += [
                (below / name).as_posix()
                for name in files
                if name.endswith(suffix) and not name.startswith(".")
            ]
        return sorted(found)

    def read(self, name: str, asked: Place | None = None) -> Node | None:
        """The tree of a file; `asked` is the place that names it, to blame if it is not there."""
        text = self.text(name, asked)
        return None if text is None else read(name, text, self.problems)

    def text(self, name: str, asked: Place | None = None) -> str | None:
        """A file's text, read once."""
        if name in self.texts:
            return self.texts[name]
        blame = asked or Place.whole(name)
        path = self._inside(name)
        if path is None:
            self.problems.error(
                blame,
                "file-outside",
                f"`{name}` is not inside of the ruleset's folder",
                "files are named from the folder down, without `..`",
            )
            return None
        if not path.is_file():
            self.problems.error(blame, "file-missing", f"there is no file `{name}`")
            return None
        try:
            with path.open("rb") as file:
                data = file.read(FILE_BYTES + 1)
        except OSError as error:
            self.problems.error(blame, "file-unreadable", f"`{name}` cannot be read: {error.strerror}")
            return None
        self._bytes += len(data)
        if len(data) > FILE_BYTES:
            self.problems.error(
                Place.whole(name), "yaml-too-big", f"the file is longer than {FILE_BYTES:,} bytes"
            )
            return None
        if self._bytes > ALL_BYTES:
            self.problems.error(
                blame, "yaml-too-big", f"the ruleset's files are longer than {ALL_BYTES:,} bytes"
            )
            return None
        try:
            text = clean(data.decode())
        except UnicodeDecodeError as error:
            before = clean(data[: error.start].decode())
            line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
            self.problems.error(
                Place(name, line, column, line, column + 1),
                "not-text",
                "this is not UTF-8 text",
                "save the file as UTF-8",
            )
            return None
        self.texts[name] = text
        return text

    def lines(self, file: str) -> Lines | None:
        """The lines of a file that was read, named from inside or from outside of the folder."""
        text = self.texts.get(file, self.texts.get(file.removeprefix(self.shown + "/")))
        return None if text is None else text.split("\n")

    def _inside(self, name: str) -> Path | None:
        parts = PurePosixPath(name)
        if parts.is_absolute() or ".." in parts.parts or "\\" in name or "\0" in name:
            return None
        path = self.root / parts
        try:
            self._true_root = self._true_root or self.root.resolve()
            inside = path.resolve().is_relative_to(self._true_root)
        except (OSError, RuntimeError):  # links that lead in circles
            return None
        return path if inside else None
