"""Fetches pinned files: several at once, resumed after a cut, kept only if they are the right ones.

Sluice names no registry itself: the clients of the registries know a user's mirror, credentials and
certificates.  Complete files are in their places; incomplete ones are in the folder `partial`,
named by their digests, and the next fetch resumes them.
"""

from __future__ import annotations

import hashlib
import json
import os
import queue
import shutil
import sys
import threading
import urllib.request
import zipfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from http.client import HTTPException
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree

from core.lab.recipe import Artefact
from core.language import (
    ReportProgress,
    Seconds,
    SluiceError,
    Unavailable,
    naming_file,
    show_size,
    storable,
    tr,
)
from core.measure import Program, ProgramOutput, home_folder, remove_tree, run_program

_PATIENCE = 120.0  # seconds for a client's answer


def http_address(artefact: Artefact) -> str:
    """The address from which an artefact is fetched; raises Unavailable."""
    scheme, _, coordinates = artefact.url.partition(":")
    match scheme:
        case "maven":
            return f"{maven_repository()}/{_jar(*coordinates.split(':'))}"
        case "pypi":
            requirement, _, file = coordinates.partition("/")
            return _wheel(requirement, file)
        case _:
            return artefact.url


def _jar(group: str, artifact: str, version: str, classifier: str = "") -> str:
    file = f"{artifact}-{version}{'-' + classifier if classifier else ''}.jar"
    return quote(f"{group.replace('.', '/')}/{artifact}/{version}/{file}")


@cache
def maven_repository() -> str:
    """The repository in place of Maven's central one; raises Unavailable.

    `SLUICE_MAVEN`, or a mirror in the user's or the machine's settings, or what Maven itself uses.
    """
    program = shutil.which("mvn")
    home = Path(program).resolve().parents[1] if program else None
    own = home_folder()
    settings = [own / ".m2" / "settings.xml"] if own else []
    settings += [home / "conf" / "settings.xml"] if home else []
    mirrors = (mirror for path in settings for mirror in _mirrors(path))
    repository = os.environ.get("SLUICE_MAVEN") or next(mirrors, "") or _built_into(home)
    if not repository:
        raise Unavailable(
            tr("this machine has no known source of jars"),
            tr("install Maven, or name a repository: SLUICE_MAVEN=https://…"),
        )
    return repository.rstrip("/")


def _mirrors(settings: Path) -> Iterator[str]:
    """Addresses of the mirrors of the central repository."""
    try:
        root = ElementTree.parse(settings).getroot()
    except (OSError, ElementTree.ParseError):
        return
    for mirror in root.iterfind(".//{*}mirror"):
        of = {part.strip() for part in mirror.findtext("{*}mirrorOf", "").split(",")}
        if of & {"*", "central", "external:*"} and "!central" not in of:
            yield mirror.findtext("{*}url", "").strip()


def _built_into(home: Path | None) -> str:
    """The address in the model that every project of Maven inherits."""
    for jar in sorted((home / "lib").glob("maven-model-builder-*.jar")) if home else []:
        with zipfile.ZipFile(jar) as archive:
            root = ElementTree.fromstring(archive.read("org/apache/maven/model/pom-4.0.0.xml"))
        return root.findtext(".//{*}repository/{*}url", "")
    return ""


def _wheel(requirement: str, file: str) -> str:
    """The address of a wheel as pip finds it; raises Unavailable."""
    answer = _run(
        *_pip(),
        *("install", "--dry-run", "--ignore-installed", "--no-deps", "--quiet"),
        *("--disable-pip-version-check", "--no-input", "--retries", "2"),
        *("--only-binary", ":all:", "--report", "-", requirement),
    )
    if not answer.well:
        complaints = storable(answer.complaints).strip().splitlines()
        raise Unavailable(
            tr(
                "pip does not find {requirement}: {said}",
                requirement=requirement,
                said="".join(complaints[-1:]),
            ),
            tr("check the network and pip's settings"),
        )
    (installed,) = json.loads(answer.output)["install"]
    url: str = installed["download_info"]["url"]
    if file not in url:
        raise Unavailable(
            tr("pip finds {url} for this machine instead of {file}", url=url, file=file),
            tr("run Sluice with a Python for this machine's own processor"),
        )
    return url


def _run(*command: str) -> ProgramOutput:
    """What a client answered; one that takes too long has failed."""
    return run_program(Program(arguments=command), timeout=_PATIENCE)


def _pip() -> list[str]:
    """How pip is called: that of this Python, or any; raises Unavailable."""
    mine = [] if getattr(sys, "frozen", False) else [sys.executable]
    for python in [*mine, "python3", "python"]:
        call = [python, "-m", "pip"]
        if shutil.which(python) and _run(*call, "--version").well:
            return call
    raise Unavailable(
        tr("pip is missing"), tr("install: {command}", command="pip install sluice[tiles]")
    )


AT_ONCE = 4
_PATIENCE_FOR_BYTES: Seconds = 30.0  # for the next bytes of a server
_TRIES = 5  # in a row that bring nothing
_PAUSE: Seconds = 0.2  # more before each further try
_PIECE = 2**18
_RESERVE = 64 * 2**20  # bytes that stay free on the disk


def missing(artefacts: Sequence[Artefact], folder: Path) -> list[Artefact]:
    return [one for one in artefacts if not (folder / one.name).exists()]


def fetch(
    artefacts: Sequence[Artefact],
    folder: Path,
    *,
    report: ReportProgress,
    title: str,
) -> None:
    """Put all artefacts below the folder; raises SluiceError, and keeps all bytes so far.

    `report` hears the size of all before the first byte, and then how much has arrived.
    """
    lacking = missing(artefacts, folder)
    if not lacking:
        return
    (folder / "partial").mkdir(parents=True, exist_ok=True)
    size = sum(one.bytes for one in lacking)
    _require_room(folder, size)
    doing = tr("fetching {title}: {size}", title=title, size=show_size(size))
    _Fetching(lacking, folder, lambda arrived: report(doing, arrived, size, "bytes")).run()
    remove_tree(folder / "partial")


def _require_room(folder: Path, size: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < size + _RESERVE:
        raise Unavailable(
            tr("{size} do not fit into {folder}", size=show_size(size), folder=folder),
            tr("make room there, or name another folder: SLUICE_CACHE"),
        )


class _Fetching:
    """Some threads that fetch files until all are there, or one cannot be fetched."""

    def __init__(
        self,
        artefacts: Sequence[Artefact],
        folder: Path,
        arrived: Callable[[int], None],
    ) -> None:
        self._folder = folder
        self._arrived = arrived
        self._done: dict[str, int] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._ended: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
        self._threads = min(AT_ONCE, len(artefacts))
        # One iterator for all threads: each takes what no other has taken.
        self._artefacts = iter(sorted(artefacts, key=lambda one: -one.bytes))

    def run(self) -> None:
        """Return when all are there; raises the first failure of any thread."""
        self._report("", 0)
        # Daemons, so that Ctrl+C need not wait for a server that says nothing.
        for _ in range(self._threads):
            threading.Thread(target=self._work, daemon=True).start()
        try:
            for _ in range(self._threads):
                if (failure := self._ended.get()) is not None:
                    raise failure
        finally:
            self._stop.set()

    def _work(self) -> None:
        failure: Exception | None = None
        try:
            for artefact in self._artefacts:
                if self._stop.is_set():
                    break
                self._fetch(artefact)
        except (SluiceError, OSError) as error:
            failure = error
        self._ended.put(failure)

    def _fetch(self, artefact: Artefact) -> None:
        part = self._folder / "partial" / artefact.sha256
        url = http_address(artefact)
        tries = 0
        while (had := _size(part)) < artefact.bytes and not self._stop.is_set():
            try:
                self._receive(artefact, url, part)
                problem = tr("it ended too early")
            except (OSError, HTTPException) as error:
                _refuse_full_disk(error)
                problem = str(error) or type(error).__name__
            tries = 0 if _size(part) > had else tries + 1
            self._stop.wait(_PAUSE * tries)
            if tries == _TRIES:
                raise Unavailable(
                    tr(
                        "{name} could not be fetched: {problem}",
                        name=artefact.name,
                        problem=problem,
                    ),
                    tr("check the network and start again: what has arrived is kept"),
                )
        if not self._stop.is_set():
            _keep(part, artefact, self._folder / artefact.name)

    def _receive(self, artefact: Artefact, url: str, part: Path) -> None:
        """Take one answer to its end, from where the last one was cut; raises OSError."""
        had = _size(part)
        request = urllib.request.Request(url, headers={"Range": f"bytes={had}-"} if had else {})
        with urllib.request.urlopen(request, timeout=_PATIENCE_FOR_BYTES) as answer:
            # A server may not know ranges: then all comes again.
            goes_on = had and answer.status == 206
            with part.open("ab" if goes_on else "wb") as file:
                while not self._stop.is_set() and (piece := answer.read(_PIECE)):
                    file.write(piece)
                    self._report(artefact.name, file.tell())
                    if file.tell() > artefact.bytes:
                        return

    def _report(self, name: str, size: int) -> None:
        with self._lock:
            self._done[name] = size
            self._arrived(sum(self._done.values()))


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _refuse_full_disk(error: Exception) -> None:
    """Raise SluiceError if the disk is full, for then no further try succeeds."""
    if isinstance(error, OSError) and error.errno == 28:  # ENOSPC
        raise SluiceError(str(error), tr("make room, or name another folder: SLUICE_CACHE"))


def _keep(part: Path, artefact: Artefact, target: Path) -> None:
    """Put a file in its place if it is the pinned one, else remove it and raise SluiceError."""
    with naming_file(part), part.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != artefact.sha256 or _size(part) != artefact.bytes:
        part.unlink()
        raise SluiceError(
            tr(
                "{name} is another file than expected: its SHA-256 is {digest}",
                name=artefact.name,
                digest=digest,
            ),
            tr("start again; if it stays so, something between here and its server changes files"),
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    part.replace(target)
