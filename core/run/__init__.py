"""Carries out requests: plans, turns, budgets, searches, and the session file.

The names that other floors use are listed in `__init__.pyi`.
"""

from core.lazy import face

__getattr__, __dir__, __all__ = face(__name__, __file__)
