"""S3: versitygw (Apache-2.0), a gateway that keeps objects as files, with real signatures.

To ask whether it serves needs AWS's signature, version 4, for requests without a body and a query:
boto3 is a driver that core does not know.
"""

from __future__ import annotations

import errno
import hashlib
import hmac
import http.client
import json
import os
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from core.lab.recipe import Kit, Recipe, Server, ServerCommand, Site
from core.language.errors import SluiceError, Unavailable
from core.language.sanitise import storable
from core.language.translation import tr
from core.language.units import Seconds
from core.measure.machine.processes.running_program import run_program
from core.measure.machine.processes.supervisor import Program
from core.measure.machine.removal import remove_tree

REGION = "us-east-1"
"""That of the lab's S3."""
_NO_BODY = hashlib.sha256(b"").hexdigest()
_SIGNED = "host;x-amz-content-sha256;x-amz-date"


def signed_headers(
    method: str, host: str, path: str, access_key: str, secret_key: str
) -> dict[str, str]:
    """The headers of a request that is signed now; `path` is quoted already.

    Source: AWS General Reference, "Create a signed AWS API request".
    """
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    scope = f"{moment[:8]}/{REGION}/s3/aws4_request"
    request = "\n".join(
        [
            method,
            path,
            "",
            f"host:{host}",
            f"x-amz-content-sha256:{_NO_BODY}",
            f"x-amz-date:{moment}",
            "",
            _SIGNED,
            _NO_BODY,
        ]
    )
    digest = hashlib.sha256(request.encode()).hexdigest()
    key = f"AWS4{secret_key}".encode()
    for part in scope.split("/"):
        key = _mac(key, part)
    signature = _mac(key, f"AWS4-HMAC-SHA256\n{moment}\n{scope}\n{digest}").hex()
    return {
        "Host": host,
        "x-amz-content-sha256": _NO_BODY,
        "x-amz-date": moment,
        "Authorization": f"AWS4-HMAC-SHA256 Credential={access_key}/{scope}, "
        f"SignedHeaders={_SIGNED}, Signature={signature}",
    }


def _mac(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


_MODULE = "github.com/versity/versitygw"
_VERSION = "v1.8.0"
_SUM = "h1:au+wI+aybno/STsQiSm35Uu6Q6iK5MWReQxgO6SEMFc="
"""Go's own digest of the module; what it depends on is pinned in it."""
_MODULES = 109_000_000
"""Bytes that the build fetches: the module, and the 74 that it is built from."""
_PROGRAM = "versitygw"
_BUCKET = "sluice"
_PATIENCE: Seconds = 5.0
_HOST = "127.0.0.1"


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
    """What Go printed; raises Unavailable with the end of what it complained.

    It is told some times a second that Go works, so that whoever hears it can give up.
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
    objects.mkdir()
    port = site.ports["main"]
    access_key, secret_key = site.secrets["access-key"], site.secrets["secret-key"]
    # Without --keep-alive it closes each connection after one answer, which S3 does not.
    command = [str(kit.folder / _PROGRAM), "--port", f"{_HOST}:{port}", "--keep-alive", "--quiet"]
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
                env={"ROOT_ACCESS_KEY": access_key, "ROOT_SECRET_KEY": secret_key},
            ),
        ),
        ready=lambda: _serves(port, access_key, secret_key),
        address=f"s3://{_BUCKET}?endpoint=http://{_HOST}:{port}",
        secrets=dict(site.secrets),
    )


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


def _serves(port: int, access_key: str, secret_key: str) -> bool:
    """Whether a signed request makes the bucket, or finds it; raises OSError."""
    host, path = f"{_HOST}:{port}", f"/{_BUCKET}"
    connection = http.client.HTTPConnection(_HOST, port, timeout=_PATIENCE)
    try:
        headers = signed_headers("PUT", host, path, access_key, secret_key)
        connection.request("PUT", path, headers=headers)
        answer = connection.getresponse()
        text = answer.read().decode("utf-8", "replace")
    except http.client.HTTPException as error:
        raise ConnectionError(str(error)) from None
    finally:
        connection.close()
    return answer.status == 200 or "BucketAlreadyOwnedByYou" in text


S3 = Recipe(
    name="s3",
    title="versitygw (S3)",
    start=_start,
    edition=f"{_VERSION} {_SUM}",
    prepare=_prepare,
    prepare_bytes=_MODULES,
    secrets=("access-key", "secret-key"),
    go=True,
)
