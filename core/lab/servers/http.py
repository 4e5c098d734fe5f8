"""Plain http: nginx, which serves a folder with ranges, lists it as JSON and takes PUT and DELETE.

It is the machine's own nginx; on Debian and Ubuntu without one their package is fetched and
unpacked, which needs no rights and installs nothing.  Its log is exact: `lab status` counts by it.
"""

from __future__ import annotations

import grp
import os
import pwd
import shutil
from dataclasses import dataclass
from pathlib import Path

from core.lab.recipe import Kit, Recipe, Server, ServerCommand, Site, local_answer
from core.language import Unavailable, UsageError, storable, tr
from core.measure import Program, remove_tree, run_program
from core.vocabulary import flag, location

_PACKAGES = ("nginx", "nginx-core")
"""Debian's has the program itself; in older Ubuntus it is in the second."""
_PACKAGE_BYTES = 600_000
_PLACES = "/usr/sbin:/usr/local/sbin:/opt/homebrew/bin"
"""Where it may be beside PATH, which of users often lacks `sbin`."""
_HOST = "127.0.0.1"
_HEALTH = "/.health"


@dataclass(frozen=True, kw_only=True)
class HttpOptions:
    """What the server does besides serving."""

    folder: str = location(
        "",
        help="Folder to serve, which stays as it is; empty = one of the server's own, which takes PUT and DELETE.",
    )
    access_log: bool = flag(
        False,
        help="Write a line for each request, and count requests, bytes and connections in `lab status`.",
    )


def _own() -> Path | None:
    program = shutil.which("nginx") or shutil.which("nginx", path=_PLACES)
    return Path(program) if program else None


def _unpacked(kit: Kit) -> Path:
    return kit.folder / "nginx" / "usr" / "sbin" / "nginx"


def _prepare(kit: Kit) -> None:
    if _own() or _unpacked(kit).exists():
        return
    for package in _PACKAGES:
        _unpack(kit, package)
        if _unpacked(kit).exists():
            return
    raise _missing(tr("the packages {names} have none", names=", ".join(_PACKAGES)))


def _unpack(kit: Kit, package: str) -> None:
    """Fetch a package by apt, which checks its signature, and unpack it; raises Unavailable."""
    if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        raise _missing(tr("this system has no apt to fetch it with"))
    fetched = kit.folder / "fetched"
    remove_tree(fetched)
    fetched.mkdir()
    _run(kit, "apt-get", "download", package, cwd=fetched)
    for archive in fetched.glob("*.deb"):
        _run(kit, "dpkg-deb", "-x", archive.name, str(kit.folder / "nginx"), cwd=fetched)
    remove_tree(fetched)


def _run(kit: Kit, *command: str, cwd: Path) -> None:
    """Run a program; `report` may cancel by raising.  Raises Unavailable with its last line."""
    run = run_program(
        Program(arguments=command, cwd=cwd), wanted=lambda: kit.report(tr("fetching nginx"))
    )
    if not run.well:
        lines = storable(run.complaints).strip().splitlines()
        raise _missing("".join(lines[-1:]))


def _missing(why: str) -> Unavailable:
    return Unavailable(
        tr("nginx is not on this machine: {why}", why=why),
        tr("install: {command}", command="apt install nginx"),
    )


def _start(kit: Kit, site: Site) -> Server:
    program = _own() or _unpacked(kit)
    if not program.exists():
        raise _missing(tr("what was fetched is gone"))
    port, folder = site.ports["main"], str(site.options.get("folder", ""))
    root = site.folder / "root"
    (site.folder / "temporary").mkdir()
    if folder:
        _require_folder(Path(folder))
        root.symlink_to(folder)  # a path may have letters that mean something to nginx
    else:
        root.mkdir()
    logged = bool(site.options.get("access_log"))
    text = _configuration(port, writable=not folder, logged=logged)
    (site.folder / "nginx.conf").write_text(text)
    place = f"{site.folder}/"
    return Server(
        commands=(
            ServerCommand(
                name="nginx",
                argv=(str(program), "-p", place, "-c", f"{place}nginx.conf", "-e", "stderr"),
            ),
        ),
        ready=lambda: bool(local_answer(port, _HEALTH)),
        address=f"http://{_HOST}:{port}/",
        status=(lambda: _counted(site.folder / "access.log")) if logged else None,
    )


def _require_folder(folder: Path) -> None:
    if not folder.is_absolute() or not folder.is_dir():
        raise UsageError(
            tr("{path} is no folder to serve", path=folder),
            tr("give the whole path of a folder that is there"),
        )


_LOG = "$status $request_length $bytes_sent $body_bytes_sent $connection $request_method $uri"


def _configuration(port: int, *, writable: bool, logged: bool) -> str:
    """All paths are below the folder that `-p` names.  A root's workers would be nobody's else."""
    names = pwd.getpwuid(os.getuid()).pw_name, grp.getgrgid(os.getgid()).gr_name
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"  {kind}_temp_path temporary/{kind};\n" for kind in kinds)
    takes = "dav_methods PUT DELETE; create_full_put_path on;" if writable else ""
    return f"""\
{"user {} {};".format(*names) if os.geteuid() == 0 else ""}
daemon off;
pid nginx.pid;
error_log stderr warn;
worker_processes auto;
worker_rlimit_nofile 8192;
events {{ worker_connections 4096; }}
http {{
{temporary}  default_type application/octet-stream;
  log_format counted '{_LOG}';
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  client_max_body_size 0;
  server {{
    listen {_HOST}:{port} backlog=1024;
    access_log {"access.log counted" if logged else "off"};
    location = {_HEALTH} {{ access_log off; return 200 "serves"; }}
    location / {{ root root; autoindex on; autoindex_format json; {takes} }}
  }}
}}
"""


def _counted(log: Path) -> dict[str, int | float | str]:
    """As clients see it: what they receive is on the wire, what they send is their requests."""
    requests = sent = received = bodies = 0
    connections: set[bytes] = set()
    with log.open("rb") as lines:
        for line in lines:
            _, length, whole, body, connection, _ = line.split(b" ", 5)
            requests += 1
            sent, received, bodies = sent + int(length), received + int(whole), bodies + int(body)
            connections.add(connection)
    return {
        "requests": requests,
        "wire bytes": received,
        "body bytes": bodies,
        "sent bytes": sent,
        "connections": len(connections),
    }


HTTP = Recipe(
    name="http",
    title="nginx (plain http)",
    start=_start,
    edition="1",
    prepare=_prepare,
    prepare_bytes=_PACKAGE_BYTES,
    parameters=HttpOptions,
)
