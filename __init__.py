"""Orrery runs board games that are written as data.

The public face, and nothing else: each name is fetched from its room when it is first used, so that
`import orrery` costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # so spelt, it saves the import of typing; type checkers know it
if TYPE_CHECKING:
    from .interpreter.diagnostics import Diagnostic, OrreryError, RulesetError
    from .interpreter.face import (
        Game,
        IllegalChoice,
        RuleError,
        Rules,
        SaveError,
        UsageError,
        load,
        replay,
        restore,
        validate,
    )

__version__ = "0.1.0"

__all__ = [
    "Diagnostic",
    "Game",
    "IllegalChoice",
    "OrreryError",
    "RuleError",
    "Rules",
    "RulesetError",
    "SaveError",
    "UsageError",
    "load",
    "replay",
    "restore",
    "validate",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    room = "diagnostics" if name in ("Diagnostic", "OrreryError", "RulesetError") else "face"
    value: object = getattr(import_module(f".interpreter.{room}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
