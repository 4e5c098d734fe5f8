"""S3: versitygw (Apache-2.0), a gateway that keeps objects as files, with real signatures."""

from __future__ import annotations

import errno
import json
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from core.lab.recipe import Kit, Recipe, Server, ServerCommand, Site, local_answer
from core.language import SluiceError, Unavailable, storable, tr
from core.measure import Program, remove_tree, run_program
from core.vocabulary import flag

REGION = "us-east-1"
"""That of the lab's S3."""
_MODULE = "github.com/versity/versitygw"
_VERSION = "v1.8.0"
_SUM = "h1:au+wI+aybno/STsQiSm35Uu6Q6iK5MWReQxgO6SEMFc="
"""Go's own digest of the module, which pins its dependencies."""
_MODULES = 109_000_000
"""Bytes that the build fetches: the module, and the 74 that it is built from."""
_PROGRAM = "versitygw"
_BUCKET = "sluice"
_HEALTH = "/health"
"""Where it answers a client without keys; a path that no bucket has."""
_HOST = "127.0.0.1"


@dataclass(frozen=True, kw_only=True)
class S3Options:
    """What the server does besides serving."""

    access_log: bool = flag(
        False, help="Write a line for each request, and count them in `lab status`."
    )


def _prepare(kit: Kit) -> None:
    program = kit.folder / _PROGRAM
    if program.exists():
        return
    work = kit.folder / "go"  # kept after a cut, so that modules are not fetched again
    go = {
        **os.environ,
        "GOPATH": str(work / "path"),
        "GOBIN": str(work / "bin"),
        "GOCACHE": str(work / "cache"),
        "GOTOOLCHAIN": "local",
        "GOFLAGS": "-modcacherw -buildvcs=false",
        "CGO_ENABLED": "0",
    }
    fetched = json.loads(_run(kit, go, "mod", "download", "-json", f"{_MODULE}@{_VERSION}"))
    if fetched["Sum"] != _SUM:
        raise SluiceError(
            tr(
                "{name} is another module than expected: {digest}",
                name=_MODULE,
                digest=fetched["Sum"],
            ),
            tr("start again; if it stays so, something between here and its server changes files"),
        )
    _run(kit, go, "install", "-trimpath", "-ldflags=-s -w", f"{_MODULE}/cmd/{_PROGRAM}@{_VERSION}")
    (work / "bin" / _PROGRAM).replace(program)
    remove_tree(work)


def _run(kit: Kit, environment: dict[str, str], *arguments: str) -> str:
    """Go's output; raises Unavailable with the end of its complaints.

    The kit's `report` is called some times a second, and may cancel by raising.
    """
    (kit.folder / "go").mkdir(exist_ok=True)
    run = run_program(
        Program(arguments=[kit.go(), *arguments], environment=environment, cwd=kit.folder),
        wanted=lambda: kit.report(tr("building versitygw with Go, one to three minutes")),
    )
    if not run.well:
        complaints = storable(run.complaints).strip().splitlines()
        raise Unavailable(
            tr("versitygw could not be built: {said}", said="\n".join(complaints[-10:])),
            tr("check the network and Go's settings, and start again"),
        )
    return run.output


def _start(kit: Kit, site: Site) -> Server:
    objects, aside = site.folder / "objects", site.folder / "metadata"
    (objects / _BUCKET).mkdir(parents=True)  # a bucket is a folder
    port = site.ports["main"]
    # Without --keep-alive it closes each connection after one answer, which S3 does not.
    command = [str(kit.folder / _PROGRAM), "--port", f"{_HOST}:{port}", "--keep-alive", "--quiet"]
    command += ["--health", _HEALTH]
    log = site.folder / "access.log"
    if logs := bool(site.options.get("access_log")):
        command += ["--access-log", str(log)]
    command += ["posix"]
    if not _has_attributes(site.folder):
        aside.mkdir()
        command += ["--sidecar", str(aside)]
    return Server(
        commands=(
            ServerCommand(
                name=_PROGRAM,
                argv=(*command, str(objects)),
                # Its flags --access and --secret would show in the list of processes.
                env={
                    "ROOT_ACCESS_KEY": site.secrets["access-key"],
                    "ROOT_SECRET_KEY": site.secrets["secret-key"],
                },
            ),
        ),
        ready=lambda: bool(local_answer(port, _HEALTH)),
        address=f"s3://{_BUCKET}?endpoint=http://{_HOST}:{port}",
        secrets=dict(site.secrets),
        status=(lambda: {"requests": _requests_in(log)}) if logs else None,
    )


def _requests_in(log: Path) -> int:
    """Its first line says when it begins."""
    with log.open("rb") as lines:
        return sum(not line.startswith(b"log starts ") for line in lines)


def _has_attributes(folder: Path) -> bool:
    """Whether files in the folder can have extended attributes, where metadata is kept."""
    if sys.platform != "linux":
        return True
    with tempfile.NamedTemporaryFile(dir=folder) as probe:
        try:
            os.setxattr(probe.name, "user.sluice", b"1")
        except OSError as error:
            if error.errno in (errno.ENOTSUP, errno.EPERM, errno.ENOSPC):
                return False
            raise
    return True


S3 = Recipe(
    name="s3",
    title="versitygw (S3)",
    start=_start,
    edition=f"{_VERSION} {_SUM}",
    prepare=_prepare,
    prepare_bytes=_MODULES,
    secrets=("access-key", "secret-key"),
    parameters=S3Options,
    go=True,
)
