"""The engine's front door: every public name, and nothing else; `__init__.pyi` lists them."""

from core.lazy import face

__getattr__, __dir__, __all__ = face(__name__, __file__)
