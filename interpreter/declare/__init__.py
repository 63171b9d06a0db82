"""Build the model of a ruleset from its shaped files: every name declared once, with its type.

Takes schema models, gives a `Model` whose routines still hold unread snippets. Reports names that
are declared twice, types that do not exist, and cells that do not fit their column.
"""

from .whole import Declarer

__all__ = ["Declarer"]
