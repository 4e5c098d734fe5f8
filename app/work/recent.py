"""Places that were used before, kept in the settings."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings


class Recent:
    """The last few places under one key, the newest first."""

    def __init__(self, settings: QSettings, key: str, most: int) -> None:
        self._settings = settings
        self._key = key
        self._most = most

    def places(self) -> list[Path]:
        """The places, whether or not they still exist."""
        kept = self._settings.value(self._key, [])
        # Qt returns a list of one text as that text.
        texts = [kept] if isinstance(kept, str) else kept if isinstance(kept, list) else []
        return [Path(str(text)) for text in texts]

    def add(self, place: Path) -> None:
        """Put a place first."""
        others = [str(one) for one in self.places() if one != place]
        self._settings.setValue(self._key, [str(place), *others][: self._most])
