"""What a command says of a machine that other tests keep busy, left out."""

from __future__ import annotations


def without_busy(errors: str) -> str:
    """The lines of a command's standard error but the one about other programs."""
    lines = errors.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("Other programs take"))
