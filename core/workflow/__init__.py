"""A recorded run of a workflow, its heavy steps measured, and the run with better threads.

The names that other floors use are listed in `__init__.pyi`.
"""

from core.lazy import face

__getattr__, __dir__, __all__ = face(__name__, __file__)
