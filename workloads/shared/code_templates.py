"""Code that *Copy for my code* offers, from templates in `resources/code`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from core import Load, resources_folder

if TYPE_CHECKING:
    import jinja2

_MOST_NAMED = 16
"""Files that are all named in code."""


def code_from(template: str, load: Load, **values: object) -> str:
    """The code of a template, for a load and values that the template names."""
    return _templates().get_template(f"{template}.jinja").render(load=load, **values)


def paths_in_code(place: Path, files: Sequence[Path]) -> str:
    """The files of a dataset in Python; of many, how they are found."""
    if len(files) <= _MOST_NAMED:
        return f"[{', '.join(f'Path({str(file)!r})' for file in files)}]"
    endings = tuple(sorted({file.suffix for file in files}))
    every = f"sorted(Path({str(place)!r}).rglob('*'))"
    return f"[file for file in {every} if file.is_file() and file.suffix in {endings!r}]"


@cache
def _templates() -> jinja2.Environment:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(resources_folder() / "code"),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        lstrip_blocks=True,
        trim_blocks=True,
    )
    environment.filters |= {"json": json.dumps, "repr": repr, "secret": _secret_in_code}
    return environment


def _secret_in_code(reference: str, usual: str) -> str:
    """A secret as code reads it: never the secret itself."""
    place, _, name = reference.partition(":")
    return f'os.environ["{name if place == "env" else usual}"]'
