"""The codes that the interpreter's source can report, found by reading that source."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOMS = Path(__file__).parent.parent / "interpreter"
CODE = re.compile(r"[a-z]+(-[a-z]+)*")
POSITION = {"error": 1, "warn": 1, "refuse": 1, "skip": 1, "at": 1}  # of the code among the arguments


@cache
def used_codes() -> frozenset[str]:
    found: set[str] = set()
    for path in sorted(ROOMS.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            found |= _codes_of(node)
    return frozenset(found)


def _codes_of(node: ast.AST) -> set[str]:
    if isinstance(node, ast.FunctionDef) and node.name == "__init__":  # a default: `code: str = "syntax"`
        names = [a.arg for a in node.args.args][-len(node.args.defaults) :] if node.args.defaults else []
        return {d.value for n, d in zip(names, node.args.defaults, strict=True) if n == "code" and _is_code(d)}  # type: ignore[attr-defined, misc]
    if isinstance(node, ast.FunctionDef) and node.name == "say":  # what YAML itself refuses
        return {"yaml-syntax"} if "yaml-syntax" in ast.unparse(node) else set()
    if not isinstance(node, ast.Call):
        return set()
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    found = {k.value.value for k in node.keywords if k.arg == "code" and _is_code(k.value)}  # type: ignore[attr-defined]
    if name == "unknown":
        found |= {f"unknown-{a.value}" for a in node.args[2:3] if _is_code(a)}  # type: ignore[attr-defined]
    elif name in ("error", "warn", "refuse", "skip", "at", "SyntaxProblem"):
        found |= {a.value for a in node.args[1:4] if _is_code(a) and _looks_like_one(a.value)}  # type: ignore[attr-defined]
    return found  # type: ignore[return-value]


def _is_code(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(CODE.fullmatch(node.value))


def _looks_like_one(text: object) -> bool:
    return "-" in str(text) or str(text) in ("syntax", "whose")
