"""The window: the only place where Qt exists."""

import os

EAGER = {"PYSIDE6_OPTION_LAZY": "0"}
"""For PySide6, before it is imported: to make all its classes at once.

It would make each one when that is first asked for, and has crashed where threads did so together:
one start in twelve on a busy machine, while the pool imported pyqtgraph, which asks for them all.
"""
os.environ |= EAGER
