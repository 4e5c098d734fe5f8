"""What results say: statistics, comparisons, scaling, causes, advice, published studies.

The names that other floors use are listed in `__init__.pyi`.
"""

from core.lazy import face

__getattr__, __dir__, __all__ = face(__name__, __file__)
