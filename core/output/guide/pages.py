"""The pages of the guide, with their lists filled in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from core.host.folders import resources_folder
from core.language.translation import translated_by
from core.output.guide.lists import LISTS

_LIST = re.compile(r"^\{\{([a-z]+)((?: [\w-]+)*)\}\}$", re.MULTILINE)


@dataclass(frozen=True)
class GuidePage:
    file: Path
    """Beside it are the others, and its pictures are named from there."""
    source: str
    """Markdown as it is written, with the names of lists in place of them."""

    @property
    def name(self) -> str:
        """That of its file without the ending, by which other pages link to it."""
        return self.file.stem

    @property
    def title(self) -> str:
        """Its heading."""
        return self.source.partition("\n")[0].removeprefix("# ")

    @property
    def text(self) -> str:
        """Markdown of GitHub's dialect, in English; links to pages are `NAME.md#HEADING`."""
        with translated_by(None):
            return _LIST.sub(lambda found: LISTS[found[1]](*found[2].split()), self.source)

    @staticmethod
    def slug(heading: str) -> str:
        """A heading as links name it, behind the `#`: `All parameters: x` → `all-parameters-x`."""
        return re.sub(r"[^\w-]", "", heading.strip().lower().replace(" ", "-"))

    @staticmethod
    def all() -> tuple[GuidePage, ...]:
        """All pages in their order; what they list is looked up when their text is read."""
        files = sorted((resources_folder() / "guide").glob("*.md"))
        return tuple(GuidePage(file, file.read_text("utf-8")) for file in files)
