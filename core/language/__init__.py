"""Text for people: errors, quantities, translation, text from outside.

The names that other floors use are listed in `__init__.pyi`.
"""

from core.lazy import face

__getattr__, __dir__, __all__ = face(__name__, __file__)
