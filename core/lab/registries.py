"""Where this machine gets packages from.

Sluice names no registry itself: a user's mirror, credentials and certificates are known to the
clients of the registries, so these are asked.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree

from core.errors import Unavailable
from core.host.folders import home_folder
from core.host.processes.followed import Said, run_program
from core.host.processes.supervisor import Program
from core.lab.recipe import Artefact
from core.language.sanitise import storable
from core.language.translation import tr

_PATIENCE = 120.0  # seconds for a client's answer


def http_address(artefact: Artefact) -> str:
    """The address from which an artefact is fetched; raises Unavailable."""
    scheme, _, rest = artefact.url.partition(":")
    match scheme:
        case "maven":
            return f"{maven_repository()}/{_jar(*rest.split(':'))}"
        case "pypi":
            requirement, _, file = rest.partition("/")
            return _wheel(requirement, file)
        case _:
            return artefact.url


def _jar(group: str, artifact: str, version: str, classifier: str = "") -> str:
    file = f"{artifact}-{version}{'-' + classifier if classifier else ''}.jar"
    return quote(f"{group.replace('.', '/')}/{artifact}/{version}/{file}")


@cache
def maven_repository() -> str:
    """The repository for what is in Maven's central one; raises Unavailable.

    `SLUICE_MAVEN`, or a mirror in the user's or the machine's settings, or what Maven itself uses.
    """
    home = _maven_home()
    own = home_folder()
    settings = [own / ".m2" / "settings.xml"] if own else []
    settings += [home / "conf" / "settings.xml"] if home else []
    mirrors = (mirror for path in settings for mirror in _mirrors(path))
    found = os.environ.get("SLUICE_MAVEN") or next(mirrors, "") or _built_into(home)
    if not found:
        raise Unavailable(
            tr("this machine has no known source of jars"),
            tr("install Maven, or name a repository: SLUICE_MAVEN=https://…"),
        )
    return found.rstrip("/")


def _maven_home() -> Path | None:
    program = shutil.which("mvn")
    return Path(program).resolve().parents[1] if program else None


def _mirrors(settings: Path) -> Iterator[str]:
    """Addresses of the mirrors of the central repository."""
    try:
        root = ElementTree.parse(settings).getroot()
    except (OSError, ElementTree.ParseError):
        return
    for mirror in root.iter():
        if _plain(mirror) == "mirror":
            fields = {_plain(field): (field.text or "").strip() for field in mirror}
            of = {part.strip() for part in fields.get("mirrorOf", "").split(",")}
            if of & {"*", "central", "external:*"} and "!central" not in of:
                yield fields.get("url", "")


def _built_into(home: Path | None) -> str:
    """The address in the model that every project of Maven inherits."""
    for jar in sorted((home / "lib").glob("maven-model-builder-*.jar")) if home else []:
        with zipfile.ZipFile(jar) as archive:
            root = ElementTree.fromstring(archive.read("org/apache/maven/model/pom-4.0.0.xml"))
        for repository in root.iter():
            if _plain(repository) == "repository":
                return next((one.text or "" for one in repository if _plain(one) == "url"), "")
    return ""


def _plain(element: ElementTree.Element) -> str:
    """The tag without its namespace."""
    return re.sub(r"^{[^}]*}", "", element.tag)


def _wheel(requirement: str, file: str) -> str:
    """The address of a wheel as pip finds it; raises Unavailable."""
    asked = _asked(
        *_pip(),
        *("install", "--dry-run", "--ignore-installed", "--no-deps", "--quiet"),
        *("--disable-pip-version-check", "--no-input", "--retries", "2"),
        *("--only-binary", ":all:", "--report", "-", requirement),
    )
    if not asked.well:
        said = storable(asked.complaints).strip().splitlines()
        raise Unavailable(
            tr(
                "pip does not find {requirement}: {said}",
                requirement=requirement,
                said="".join(said[-1:]),
            ),
            tr("check the network and pip's settings"),
        )
    (found,) = json.loads(asked.output)["install"]
    url: str = found["download_info"]["url"]
    if file not in url:
        raise Unavailable(
            tr("pip finds {url} for this machine instead of {file}", url=url, file=file),
            tr("run Sluice with a Python for this machine's own processor"),
        )
    return url


def _asked(*command: str) -> Said:
    """What a client answered; one that takes too long has failed."""
    return run_program(Program(arguments=command), timeout=_PATIENCE)


def _pip() -> list[str]:
    """How pip is called: that of this Python, or any; raises Unavailable."""
    mine = [] if getattr(sys, "frozen", False) else [sys.executable]
    for python in [*mine, "python3", "python"]:
        call = [python, "-m", "pip"]
        if shutil.which(python) and _asked(*call, "--version").well:
            return call
    raise Unavailable(
        tr("pip is missing"), tr("install: {command}", command="pip install sluice[tiles]")
    )
