"""What to do about failures that several servers know."""

from __future__ import annotations

from core import tr


def look_at_server() -> str:
    """Where a server has gone, or says that something in it went wrong."""
    return tr("look whether the server still runs, and into its log")


def wait_longer() -> str:
    """Where an answer did not come in time."""
    return tr("look whether the server is overloaded; use fewer threads, or a longer timeout")


def make_room() -> str:
    """Where a disk is full or a quota used up."""
    return tr("make room where the store keeps its data")
