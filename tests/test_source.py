"""Source: every node knows its place, and what is refused is told where it stands."""

import os

import pytest
from orrery.interpreter import source
from orrery.interpreter.diagnostics import Problems
from orrery.interpreter.source import Folder, Mapping, Scalar, Sequence, fingerprint, read


def tree(text):
    problems = Problems()
    node = read("x.yaml", text, problems)
    assert problems.sorted() == []
    return node


def refusals(text):
    problems = Problems()
    read("x.yaml", text, problems)
    return problems.sorted()


def cut(text, place):
    """What stands at a place."""
    lines = text.split("\n")
    if place.line == place.end_line:
        return lines[place.line - 1][place.column - 1 : place.end_column - 1]
    inner = lines[place.line : place.end_line - 1]
    return "\n".join(
        [lines[place.line - 1][place.column - 1 :], *inner, lines[place.end_line - 1][: place.end_column - 1]]
    )


def scalars(node):
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from scalars(item)
    else:
        for key, value in node.entries:
            yield key
            yield from scalars(value)


def assert_exact(text, scalar):
    """Every character of the scalar is found where it stands in the file."""
    assert scalar.exact
    lines = text.split("\n")
    for number, line in enumerate(scalar.text.rstrip("\n").split("\n"), 1):
        for column, letter in enumerate(line, 1):
            place = scalar.place_of(number, column, number, column + 1)
            assert (place.line, place.column + 1) == (place.end_line, place.end_column)
            assert lines[place.line - 1][place.column - 1] == letter


# --- places ---


def test_keys_and_values_stand_where_they_are_written():
    text = "cards:\n  flare:   # hot\n    cost: 2 fuel\n    'name' : \"Flare\"\n    tags: [ab, {c: d}]\n"
    root = tree(text)
    found = [(str(s.place), cut(text, s.place)) for s in scalars(root)]
    assert found == [
        ("x.yaml:1:1", "cards"),
        ("x.yaml:2:3", "flare"),
        ("x.yaml:3:5", "cost"),
        ("x.yaml:3:11", "2 fuel"),
        ("x.yaml:4:5", "'name'"),
        ("x.yaml:4:14", '"Flare"'),
        ("x.yaml:5:5", "tags"),
        ("x.yaml:5:12", "ab"),
        ("x.yaml:5:17", "c"),
        ("x.yaml:5:20", "d"),
    ]


def test_collections_reach_from_their_first_to_their_last_letter():
    text = "a:\n  b: 1\n  c: [x,\n    y]   # end\n\nd:\n- p\n- q\n"
    root = tree(text)
    assert cut(text, root.place) == text.rstrip()
    assert cut(text, root.get("a").place) == "b: 1\n  c: [x,\n    y]"
    assert cut(text, root.get("a").get("c").place) == "[x,\n    y]"
    assert cut(text, root.get("d").place) == "- p\n- q"


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a:\nb: 1\n", 1, 3),
        ("a:   # why\n\nb: 1\n", 1, 3),
        ("a :\n", 1, 4),
        ("{a: , b: 1}", 1, 4),
        ("{a}", 1, 3),
    ],
)
def test_an_empty_value_stands_right_after_the_colon(text, line, column):
    empty = tree(text).get("a")
    assert empty.value is None
    assert (empty.place.line, empty.place.column) == (line, column)
    assert (empty.place.end_line, empty.place.end_column) == (line, column)


def test_an_empty_item_stands_right_after_the_dash():
    item = tree("- a\n-\n- b\n").items[1]
    assert (item.value, item.place.line, item.place.column) == (None, 2, 2)


def test_columns_are_code_points():
    text = "日本語: {é: 🎲 dice}"
    assert [(s.place.column, s.text) for s in scalars(tree(text))] == [
        (1, "日本語"),
        (7, "é"),
        (10, "🎲 dice"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "do: gain 3 megagalax  # why\n",
        'do: "gain 3 `x`"\n',
        "do: 'gain: 3 # x'\n",
        "- [gain 3 x, 'b c']\n",
        "do: |\n  gain 3 x\n  lose 1 y\n",
        "a:\n    do: |  # why\n          gain 3 x\n\n            lose 1 y\n\n\n    b: 1\n",
        "do: |-\n  gain\n    \n  lose é 日 x",
        "do: |+\n  gain\n\n\nb: 1\n",
        "do: |2\n    indented first\n  then not\n",
        "do: |\n\n  after an empty line\n",
        "- |\n gain 3 x\n- |\n   lose\n",
    ],
)
def test_every_character_of_a_snippet_is_found(text):
    for scalar in scalars(tree(text)):
        assert_exact(text, scalar)


def test_a_stretch_of_a_literal_block_may_span_lines():
    text = "do: |\n    if a:\n      b\n"
    block = tree(text).get("do")
    assert cut(text, block.place_of(1, 4, 2, 4)) == "a:\n      b"
    assert cut(text, block.place) == "|\n    if a:\n      b"


def test_the_end_of_a_literal_block_is_the_end_of_its_last_line():
    place = tree("do: |\n  gain 1\n\nb: 2\n").get("do").place_of(2, 1, 2, 1)
    assert (place.line, place.column, place.end_line, place.end_column) == (2, 9, 2, 9)


@pytest.mark.parametrize(
    "text",
    ["a: >\n  folded\n  text\n", "a: two\n  lines\n", 'a: "b\\tc"\n', "a: 'it''s'\n", 'a: "two\n  lines"\n'],
)
def test_what_has_no_simple_map_says_so_and_answers_with_the_whole(text):
    scalar = tree(text).get("a")
    assert not scalar.exact
    assert scalar.place_of(1, 2, 1, 3) == scalar.place


def test_line_ends_and_byte_order_mark_do_not_matter():
    plain = tree("a: |\n  b\n  c\nd: e\n")
    other = tree("\ufeffa: |\r\n  b\r\n  c\r\nd: e\r\n")
    assert [(s.text, s.place) for s in scalars(plain)] == [(s.text, s.place) for s in scalars(other)]


# --- values ---


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("null", None), ("~", None), ("true", True), ("False", False), ("12", 12), ("-3", -3), ("+4", 4),
        ("007", 7), ("0x1F", 31), ("0o17", 15), ("2.5", 2.5), (".5", 0.5), ("1e3", 1000.0), ("-0.25", -0.25),
        ("yes", "yes"), ("no", "no"), ("on", "on"), ("off", "off"), ("y", "y"), ("2001-01-01", "2001-01-01"),
        ("1_000", "1_000"), ("12:30", "12:30"), ("'12'", "12"), ('"true"', "true"), ("2d6", "2d6"),
        ("2 fuel", "2 fuel"), ("-x", "-x"), ("''", ""), ("+", "+"), (".", "."),
        ("999999999999999", 999999999999999),
    ],
)  # fmt: skip
def test_plain_scalars_stand_for_little(text, value):
    node = tree(f"[{text}]").items[0]
    assert (node.value, type(node.value)) == (value, type(value))


def test_text_is_kept_as_written():
    assert tree("a: 007").get("a").text == "007"


def test_styles_are_told():
    root = tree("a: b\nc: 'd'\ne: \"f\"\ng: |\n  h\ni: >\n  j\n")
    assert [value.style for _, value in root.entries] == ["plain", "quoted", "quoted", "literal", "folded"]


def test_a_mapping_is_asked_by_key():
    root = tree("a: 1\n2: b\n")
    assert root.keys() == ["a", "2"]
    assert root.get("2").text == "b"
    assert root.get("c") is None


@pytest.mark.parametrize("text", ["", "\n\n", "# only a remark\n", "---\n"])
def test_an_empty_file_is_a_null(text):
    assert tree(text).value is None


def test_one_document_may_be_announced():
    assert tree("---\na: 1\n...\n").get("a").value == 1


# --- refusals ---


@pytest.mark.parametrize(
    ("text", "code", "at", "words"),
    [
        ("a: !x 1\n", "yaml-tag", (1, 4, 1, 6), "!x"),
        ("a: !!python/object:os.system [x]\n", "yaml-tag", (1, 4, 1, 29), "tag"),
        ("a: &x 1\n", "yaml-alias", (1, 4, 1, 6), "anchor"),
        ("a: *x\n", "yaml-alias", (1, 4, 1, 6), "alias"),
        ("<<: {a: 1}\n", "yaml-merge", (1, 1, 1, 3), "merge"),
        ("%YAML 1.1\n---\na: 1\n", "yaml-directive", (1, 1, 1, 10), "%YAML 1.1"),
        ("a: 1\n---\nb: 2\n", "yaml-documents", (2, 1, 2, 4), "second"),
        ("? [a]\n: 1\n", "yaml-key", (1, 3, 1, 4), "key"),
        (": 1\n", "yaml-key", (1, 1, 1, 1), "missing"),
        ("a: 1234567890123456\n", "yaml-number", (1, 4, 1, 20), "number"),
        ("a: " + "9" * 5000, "yaml-number", (1, 4, 1, 5004), "number"),
        ("a: 0x" + "f" * 16, "yaml-number", (1, 4, 1, 22), "number"),
        ("a: .inf\n", "yaml-number", (1, 4, 1, 8), "number"),
        ("a: 1e400\n", "yaml-number", (1, 4, 1, 9), "number"),
        ("a: b\x07c\n", "yaml-character", (1, 5, 1, 6), "U+0007"),
        ("a: b\u2028c\n", "yaml-character", (1, 5, 1, 6), "U+2028"),
        ("a: b: c\n", "yaml-syntax", (1, 5, 1, 6), "`:` is not expected"),
        ("a: 1\nbcd ef  # x\ng: 2\n", "yaml-syntax", (2, 1, 2, 7), "`:` is missing"),
        ("a:\n\tb: 1\n", "yaml-syntax", (2, 1, 2, 2), "tab"),
        ("a: @x\n", "yaml-syntax", (1, 4, 1, 5), "`@`"),
        ("a: - b\n", "yaml-syntax", (1, 4, 1, 5), "list cannot begin"),
        ('a: "x\nb: 3\n', "yaml-syntax", (1, 4, 1, 5), "quote is never closed"),
        ("a: [1, 2\n", "yaml-syntax", (1, 4, 1, 5), "`[` is never closed"),
        ("a: {b: 2\n", "yaml-syntax", (1, 4, 1, 5), "`{` is never closed"),
        ("a: [1, 2\nbc: 3\n", "yaml-syntax", (2, 3, 2, 4), "end of the list"),
        ("a: 'it's'\n", "yaml-syntax", (1, 8, 1, 9), "too many"),
        ("a:\n  b: 1\n cde: 2\n", "yaml-syntax", (3, 2, 3, 5), "line up"),
        ("a: ]\n", "yaml-syntax", (1, 4, 1, 5), "`]`"),
        ("a: |x\n", "yaml-syntax", (1, 5, 1, 6), "block"),
        ('a: "\\q"\n', "yaml-syntax", (1, 6, 1, 7), "escape"),
        ('a: "\\U99999999"\n', "yaml-syntax", (1, 7, 1, 15), "no character"),
        ('a: "\\ud800"\n', "yaml-syntax", (1, 4, 1, 5), "no character"),
    ],
)
def test_what_is_refused_is_told_where_it_stands(text, code, at, words):
    (problem,) = refusals(text)
    assert problem.code == code
    assert (problem.line, problem.column, problem.end_line, problem.end_column) == at
    assert words in problem.message


def test_a_key_that_stands_twice_shows_both_places():
    text = "a: 1\nbc: 2\nbc: 3\n"
    (problem,) = refusals(text)
    assert problem.code == "duplicate-key"
    assert str(problem.place) == "x.yaml:3:1"
    assert [(str(place), words) for place, words in problem.related] == [("x.yaml:2:1", "first written here")]
    problems = Problems()
    root = read("x.yaml", text, problems)
    assert isinstance(root, Mapping)
    assert root.keys() == ["a", "bc"]
    assert root.get("bc").value == 2


def test_all_refusals_of_a_file_are_told_and_the_rest_is_read():
    problems = Problems()
    root = read("x.yaml", "a: &x 1\nb: *x\nc: !t 3\nd: 4\n", problems)
    assert [problem.line for problem in problems.sorted()] == [1, 2, 3]
    assert [value.value for _, value in root.entries] == [1, None, 3, 4]


@pytest.mark.parametrize(
    ("text", "column"),
    [("[" * 4096, 41), ("{a: " * 1000, 161), ("- " * 2000, 81), ("[" * 41 + "]" * 41, 41)],
)
def test_deep_nesting_is_refused_at_the_first_level_too_many(text, column):
    (problem,) = refusals(text)
    assert (problem.code, problem.line, problem.column) == ("yaml-too-deep", 1, column)


def test_nesting_to_the_limit_is_read():
    assert isinstance(tree("[" * source.DEPTH + "]" * source.DEPTH), Sequence)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: " + "x" * 1_000_000, "longer than 1,000,000 bytes"),
        ("a: " + "x" * 100_001, "longer than 100,000 characters"),
        ("[" + "a," * 30_001 + "]", "more than 30,000 values"),
    ],
)
def test_what_is_too_big_is_refused(text, words):
    (problem,) = refusals(text)
    assert problem.code == "yaml-too-big"
    assert words in problem.message


# --- folders ---


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "demo"
    (root / "effects" / "deep").mkdir(parents=True)
    (root / "ruleset.yaml").write_text("name: demo\n")
    (root / "effects" / "b.yaml").write_bytes(b"b: 1\r\nc: 2\r\n")
    (root / "effects" / "deep" / "a.yaml").write_text("a: [\n")
    (root / "effects" / "notes.md").write_text("notes")
    (root / "effects" / ".hidden.yaml").write_text("h: 1")
    (tmp_path / "secret.yaml").write_text("secret: 1")
    return Folder.open(root, Problems())


def codes(folder):
    return [problem.code for problem in folder.problems.sorted()]


def test_a_folder_reads_what_it_is_asked_for(folder):
    assert folder.name == "demo"
    assert folder.read("ruleset.yaml").get("name").value == "demo"
    assert folder.read("effects/b.yaml").get("c").place.file == "effects/b.yaml"
    assert folder.texts == {"ruleset.yaml": "name: demo\n", "effects/b.yaml": "b: 1\nc: 2\n"}
    assert folder.lines("effects/b.yaml") == ["b: 1", "c: 2", ""]
    assert folder.lines(f"{folder.shown}/effects/b.yaml") == ["b: 1", "c: 2", ""]
    assert folder.lines("effects/deep/a.yaml") is None
    assert codes(folder) == []


def test_a_folder_lists_its_files(folder):
    assert folder.list("effects") == ["effects/b.yaml", "effects/deep/a.yaml"]
    assert folder.list("", ".md") == ["effects/notes.md"]
    assert folder.list("nowhere") == []
    assert folder.list("..") == []


def test_problems_name_the_file_inside_of_the_folder(folder):
    assert folder.read("effects/deep/a.yaml") is None
    (problem,) = folder.problems.sorted()
    assert str(problem.place) == "effects/deep/a.yaml:1:4"
    assert str(problem.below("demo").place) == "demo/effects/deep/a.yaml:1:4"


@pytest.mark.parametrize(
    "name",
    ["../secret.yaml", "effects/../../secret.yaml", "/etc/passwd", "a\\b.yaml", "a\0b", "link.yaml", "out/x"],
)
def test_nothing_outside_of_the_folder_is_read(folder, name):
    (folder.root / "link.yaml").symlink_to(folder.root.parent / "secret.yaml")
    (folder.root / "out").symlink_to(folder.root.parent)
    assert folder.read(name) is None
    assert codes(folder) == ["file-outside"]


def test_links_in_a_circle_lead_nowhere(folder):
    (folder.root / "loop.yaml").symlink_to(folder.root / "loop.yaml")
    assert folder.read("loop.yaml") is None
    assert len(codes(folder)) == 1


def test_a_missing_file_is_blamed_on_whoever_asked(folder):
    asked = folder.read("ruleset.yaml").get("name").place
    assert folder.read("gone.yaml", asked) is None
    assert folder.read("effects") is None
    assert [(p.code, str(p.place)) for p in folder.problems.sorted()] == [
        ("file-missing", "effects:1:1"),
        ("file-missing", "ruleset.yaml:1:7"),
    ]


def test_a_file_that_is_no_text_is_refused_at_its_first_wrong_byte(folder):
    (folder.root / "latin.yaml").write_bytes("a: é\nbé: ".encode() + b"\xe9\n")
    assert folder.read("latin.yaml") is None
    (problem,) = folder.problems.sorted()
    assert (problem.code, problem.line, problem.column) == ("not-text", 2, 5)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="may read everything")
def test_an_unreadable_file_is_told(folder):
    (folder.root / "ruleset.yaml").chmod(0)
    assert folder.read("ruleset.yaml") is None
    assert codes(folder) == ["file-unreadable"]


def test_a_file_or_a_ruleset_may_be_too_big(folder):
    (folder.root / "big.yaml").write_bytes(b"#" * (source.FILE_BYTES + 1))
    assert folder.read("big.yaml") is None
    assert codes(folder) == ["yaml-too-big"]
    for number in range(8):
        (folder.root / f"{number}.yaml").write_bytes(b"#" * source.FILE_BYTES)
    assert [folder.text(f"{number}.yaml") is None for number in range(8)] == [False] * 6 + [True] * 2


@pytest.mark.parametrize("path", ["nowhere", "secret.yaml"])
def test_a_ruleset_is_a_folder(tmp_path, path):
    (tmp_path / "secret.yaml").write_text("")
    folder = Folder.open(tmp_path / path, Problems())
    assert codes(folder) == ["folder-missing"]
    assert folder.list() == []


def test_the_fingerprint_depends_on_names_and_contents_only():
    one = fingerprint({"a": "1", "b": "2"})
    assert one == fingerprint({"b": "2", "a": "1"})
    assert len(one) == 64
    assert (
        len({one, fingerprint({"a": "12", "b": ""}), fingerprint({"a": "1"}), fingerprint({"ab": "12"})}) == 4
    )
