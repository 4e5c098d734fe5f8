"""What is told of a bug in Sluice, fit to be passed on."""

from __future__ import annotations

import platform
import re
from collections.abc import Mapping

from core.host.folders import home_folder
from core.host.program import sluice_version
from core.language.invisible import one_line
from core.language.sanitise import remembered, safe

_SECRET_NAME = re.compile("key|token|secret|passw|credential|auth", re.IGNORECASE)
_SHORTEST_SECRET = 6


def crash_report(trace: str, environment: Mapping[str, str]) -> str:
    """Versions and the trace; secrets and the user's own folder are left out."""
    named = {
        value: name
        for name, value in environment.items()
        if _SECRET_NAME.search(name) and len(value) >= _SHORTEST_SECRET
    }
    text = safe(trace, {**named, **remembered()})
    text = re.sub(r"(\w+://)[^/\s:@]+:[^/\s@]+@", r"\1<credentials>@", text)
    home = str(home_folder() or "")
    text = text.replace(home, "~") if len(home) > 1 else text
    about = (
        f"Sluice {sluice_version()}, Python {platform.python_version()}, {platform.platform()}\n"
    )
    return about + "\n".join(one_line(line) for line in text.splitlines())
