"""Load a ruleset: read, shape, check, compile — or take all that from the cache.

Takes a bundled name or a folder, gives a compiled image or all that is wrong. The cache is private
to the user, keyed by the texts, the engine and Python, and signed: a damaged, stale or foreign entry
is rebuilt, never run.
"""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

from .diagnostics import Diagnostic, OrreryError, Problems, RulesetError, escaped, nearest, suggest
from .source import Folder, fingerprint

ENGINE = "4"  # changes whenever compiled rules or saves change their meaning
RULESETS = Path(__file__).parent.parent / "rulesets"
NOT_RULES = ("scenarios/", "clauses.yaml")


class UnknownRuleset(OrreryError):
    """Neither a bundled name nor a folder."""


@dataclass
class Loaded:
    image: dict[str, Any] | None
    code: CodeType | bytes | None  # bytes: as it comes from the cache, packed
    problems: list[Diagnostic]
    folder: Folder


def bundled() -> list[str]:
    """Names of the rulesets that come with Orrery."""
    if not RULESETS.is_dir():
        return []
    return sorted(p.name for p in RULESETS.iterdir() if (p / "ruleset.yaml").is_file())


def find(name: str | os.PathLike[str]) -> Path:
    """The folder of a bundled name or a path."""
    text = os.fspath(name)
    if text in bundled():
        return RULESETS / text
    path = Path(text)
    try:
        if path.is_dir():
            return path
        if path.is_file() and path.name == "ruleset.yaml":
            return path.parent
    except (OSError, ValueError):  # a name that no file can have
        text = text[:80]
    near = nearest(text, bundled())
    hint = f"; did you mean `{near}`?" if near else f". Bundled are: {', '.join(bundled())}"
    raise UnknownRuleset(f"no ruleset and no folder is called `{escaped(text)}`{hint}")


def usual_players(least: int, most: int) -> int:
    """How many play when nobody says: two, where two can play, for a game alone is a wish of its own."""
    return max(least, min(2, most))


def load_folder(path: Path, shown: str | None = None) -> Loaded:
    problems = Problems()
    folder = Folder.open(path, problems)
    if shown is not None:
        folder.shown = shown
    if not problems.has_errors:
        folder.text("ruleset.yaml")
    if problems.has_errors:  # no folder, or no ruleset in it: nothing else is looked at
        return Loaded(None, None, problems.sorted(), folder)
    for name in folder.list("", ".yaml"):
        if not name.startswith(NOT_RULES[0]):
            folder.text(name)
    key = _key(folder)
    cached = _cache_read(key)
    if cached is not None and not problems.has_errors:
        return Loaded(cached[0], cached[1], [], folder)
    import marshal

    made = build(folder, problems)
    if made.image is not None and not made.problems:
        _cache_write(key, (made.image, marshal.dumps(made.code)))
    return made


def load_variant(loaded: Loaded, **how: bool) -> Loaded:
    """The same rules, compiled in another way: see `Compiler`."""
    folder = loaded.folder
    key = _key(folder) + "".join(f"-{name}-{value}" for name, value in how.items())
    cached = _cache_read(key)
    if cached is not None:
        return Loaded(cached[0], cached[1], loaded.problems, folder)
    import marshal

    made = build(folder, Problems(), **how)
    assert made.image is not None and loaded.image is not None
    made.image["fingerprint"] = loaded.image["fingerprint"]
    _cache_write(key, (made.image, marshal.dumps(made.code)))
    return made


def build(folder: Folder, problems: Problems, **how: bool) -> Loaded:
    """Check and compile what the folder holds, past the cache."""
    model = check_folder(folder, problems)
    found = problems.sorted()
    if model is None or problems.has_errors:
        return Loaded(None, None, found, folder)
    from .compile import Compiler

    image = Compiler(model, **how).compile()
    code = compile(image["source"], f"<rules of {image['name']}>", "exec", dont_inherit=True, optimize=1)
    return Loaded(image, code, found, folder)


def check_folder(folder: Folder, problems: Problems) -> Any:
    """The checked model of a folder; problems are told, never raised."""
    from . import schema
    from .check import check

    files = []
    lost: set[str] = set()  # names in parts that could not be read
    blind = False  # whether a whole file is missing, so that nobody can tell what was in it
    main = folder.read("ruleset.yaml")
    shapes = Problems()
    shaped = schema.shape(main, schema.File, shapes, lost) if main is not None else None
    if shaped is None:
        _join(problems, shapes)
        return None
    files.append(("ruleset.yaml", shaped))
    for leaf in shaped.files:
        inner = folder.list(str(leaf).rstrip("/"), ".yaml") if str(leaf).endswith("/") else [str(leaf)]
        if not inner:
            near = sorted(
                {n.split("/")[0] + "/" for n in folder.list("", ".yaml") if "/" in n} - {NOT_RULES[0]}
            )
            problems.error(
                leaf.place,
                "file-missing",
                f"there is no folder `{leaf}` with files in it",
                suggestion=suggest(str(leaf), near),
            )
        for name in inner:
            node = folder.read(name, leaf.place)
            part = schema.shape(node, schema.File, shapes, lost) if node is not None else None
            if part is not None:
                files.append((name, part))
            elif name in folder.texts:
                lost |= set(re.findall(r"[a-z_][a-z0-9_]*", folder.texts[name]))
            else:
                blind = True
    _join(problems, shapes)
    found = Problems()
    model = check(files, found)
    clauses = clause_ids(folder)
    if clauses is not None:
        for clause, place in model.clause_places.items():
            if clause not in clauses:
                found.error(
                    place,
                    "unknown-clause",
                    f"no clause is called `{clause}`",
                    suggestion=suggest(clause, clauses),
                )
    if problems.has_errors:
        found.drop(lambda problem: _echo(problem, folder, lost, blind))
    _join(problems, found)
    return model


def _join(problems: Problems, later: Problems) -> None:
    """Adds what a later pass found, but not about a line that an earlier one could not read."""
    told = {(problem.file, problem.line) for problem in problems.sorted()}
    later.drop(lambda problem: (problem.file, problem.line) in told)
    problems.take(later)


def _echo(problem: Diagnostic, folder: Folder, lost: set[str], blind: bool) -> bool:
    """Whether a problem may come only from a part that could not be read, and was told of."""
    if problem.code in ("missing-flow", "missing-end", "missing-key"):
        return blind or bool(lost & {"flow", "end", "score", "wins", "ruleset"})
    if problem.severity == "warning":
        return True
    if not problem.code.startswith("unknown-") and problem.code not in (
        "untyped-parameter",
        "which-zone",
        "no-it",
    ):
        return False
    lines = folder.lines(problem.file) or []
    text = lines[problem.line - 1] if problem.line <= len(lines) else ""
    end = problem.end_column - 1 if problem.end_line == problem.line else len(text)
    return blind or bool(lost & set(re.findall(r"[a-z_][a-z0-9_]*", text[problem.column - 1 : end])))


def clause_ids(folder: Folder) -> dict[str, str] | None:
    """Clauses of the rulebook by id, or None if the ruleset has no list of them."""
    from .source import Mapping, Scalar, Sequence, read

    text = folder.texts.get("clauses.yaml")
    if text is None:
        return None
    node = read("clauses.yaml", text, Problems())
    found: dict[str, str] = {}
    if isinstance(node, Sequence):
        for item in node.items:
            if isinstance(item, Mapping):
                key, clause = item.get("id"), item.get("clause")
                if isinstance(key, Scalar):
                    found[key.text] = clause.text if isinstance(clause, Scalar) else ""
    return found


# ---- the cache ----


def _key(folder: Folder) -> str:
    return fingerprint({**folder.texts, "": f"{ENGINE} {sys.version} {_own_version()}"})


def known_clean(folder: Folder) -> bool:
    """Whether exactly these texts, scenarios included, were found without problems before."""
    for name in folder.list("", ".yaml"):
        folder.text(name)
    return bool(_cache_read(_key(folder) + "-clean") == ("clean", folder.name))


def remember_clean(folder: Folder) -> None:
    _cache_write(_key(folder) + "-clean", ("clean", folder.name))


@cache
def _own_version() -> str:
    """Changes with the engine's own source, so that a developer never meets a stale cache.

    Asked once: a process that runs on while its source is changed still is what it was when it began.
    """
    here = Path(__file__).parent
    newest = 0
    for path in [here.parent / "grammar" / "effect.lark", *here.glob("*.py"), *here.glob("*/*.py")]:
        try:
            newest = max(newest, path.stat().st_mtime_ns)
        except OSError:
            continue
    return str(newest)


def cache_folder() -> Path:
    base = os.environ.get("ORRERY_CACHE") or os.environ.get("XDG_CACHE_HOME")
    if os.environ.get("ORRERY_CACHE"):
        return Path(str(base))
    return (Path(base) if base else Path.home() / ".cache") / "orrery"


def _secret(make: bool) -> bytes | None:
    path = cache_folder() / "key"
    try:
        found = path.read_bytes()
        if len(found) == 32:
            return found
    except OSError:
        pass
    if not make:
        return None
    import secrets

    made = secrets.token_bytes(32)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as out:
            out.write(made)
    except OSError:
        return None
    return made


def _sign(secret: bytes, key: str, body: bytes) -> bytes:
    """Of what it is and of what it is for, so that no entry can stand in for another."""
    import hmac

    return hmac.digest(secret, key.encode() + b"\0" + body, "sha256")


def _cache_read(key: str) -> Any:
    import hmac
    import marshal

    secret = _secret(False)
    if secret is None:
        return None
    try:
        data = (cache_folder() / f"{key}.rules").read_bytes()
    except OSError:
        return None
    if len(data) < 32 or not hmac.compare_digest(_sign(secret, key, data[32:]), data[:32]):
        return None
    try:
        image, code = marshal.loads(data[32:])
    except (ValueError, EOFError, TypeError):
        return None
    return image, code


def _cache_write(key: str, what: Any) -> None:
    import marshal

    secret = _secret(True)
    if secret is None:
        return
    body = marshal.dumps(what)
    path = cache_folder() / f"{key}.rules"
    part = path.with_suffix(f".{os.getpid()}")
    try:
        part.write_bytes(_sign(secret, key, body) + body)
        os.replace(part, path)
        _trim()
    except OSError:
        part.unlink(missing_ok=True)


def _trim() -> None:
    """Keeps the newest hundred entries."""
    found = sorted(cache_folder().glob("*.rules"), key=lambda p: p.stat().st_mtime, reverse=True)
    for old in found[100:]:
        old.unlink(missing_ok=True)


def refuse(loaded: Loaded) -> None:
    errors = [p.below(loaded.folder.shown) for p in loaded.problems]
    if loaded.image is None:
        raise RulesetError(errors)
