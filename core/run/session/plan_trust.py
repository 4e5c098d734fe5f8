"""Which plans this user has begun or agreed to on this machine.

Everybody can write a session, and measuring what is in one runs programs.  So each plan that is
begun here is signed: a keyed digest of it stands in a list in the user's own folder of state, which
no session and no other machine has.  Jupyter trusts notebooks in this way.

Who agrees to a plan of somebody else's does not thereby own the file: that is marked apart, by when
the run began, and such a file is never written into.
"""

from __future__ import annotations

import errno
import hmac
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from core.language import NotTrusted, SluiceError, tr
from core.measure import make_private, put_in_place, state_folder, unusable
from core.run.session.rows import Run

_KEY_BYTES = 32


def is_trusted(run: Run) -> bool:
    """Whether exactly what this run measures was begun here, or agreed to."""
    with suppress(OSError, SluiceError):  # without a list, or a home for it, nothing is known
        key = _key()
        return key is not None and _signature(key, run.identity) in _listed()
    return False


def require_trust(run: Run) -> None:
    """Raise NotTrusted for a run that nobody has begun here, nor agreed to."""
    if not is_trusted(run):
        raise NotTrusted(
            tr("run {number} was not begun here by you", number=run.id),
            tr("look at what it would run, and agree to it"),
        )


def trust(run: Run) -> None:
    """From now on exactly what this run measures is trusted; raises NotWritten, Unavailable."""
    _sign(run.identity)


def agree(run: Run) -> None:
    """Trust what somebody else has begun; its file stays theirs."""
    _sign(run.identity, _of_others(run))


def keep_as_own(path: Path) -> None:
    """The file at this path is this user's own, whoever began what is in it."""
    _sign(_as_own(path))


def is_own(path: Path, first: Run | None) -> bool:
    """Whether a file is this user's: they began its first run here, and did not only agree to it.

    None: it has no run yet.
    """
    with suppress(OSError, SluiceError):
        key = _key()
        if first is None or key is None:
            return first is None
        listed = _listed()
        begun = _signature(key, first.identity) in listed
        agreed = _signature(key, _of_others(first)) in listed
        return (begun and not agreed) or _signature(key, _as_own(path)) in listed
    return False


def _of_others(run: Run) -> str:
    """What is signed besides: the same plan may be begun here later."""
    return f"{run.identity} of somebody else, begun {run.started!r}"


def _as_own(path: Path) -> str:
    return f"file {path.resolve()}"


def _sign(*texts: str) -> None:
    try:
        key = _key() or _new_key()
        listed = _listed()
        signatures = [_signature(key, text) for text in texts]
        lines = "".join(f"{one}\n" for one in signatures if one not in listed)
        if lines:
            opened = os.open(_list(), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:  # one short write at the end: other processes may sign at this moment
                os.write(opened, lines.encode())
            finally:
                os.close(opened)
    except OSError as error:
        raise unusable(error) from error


def _signature(key: bytes, text: str) -> str:
    return hmac.digest(key, text.encode("utf-8", "surrogateescape"), "sha256").hex()


def _listed() -> frozenset[str]:
    try:
        return frozenset(_list().read_text("ascii", "replace").split())
    except FileNotFoundError:
        return frozenset()


def _key() -> bytes | None:
    """This user's key; None where there is none, or one that others can read or have put there."""
    try:
        with (_folder() / "key").open("rb") as file:
            status = os.fstat(file.fileno())
            own = status.st_uid == os.geteuid() and not stat.S_IMODE(status.st_mode) & 0o077
            content = file.read(_KEY_BYTES) if own else b""
    except FileNotFoundError:
        return None
    return content if len(content) == _KEY_BYTES else None


def _new_key() -> bytes:
    place = _folder() / "key"
    make_private(place.parent)
    # One that is no key, or known to others, is replaced; what it has signed is asked about again.
    replaced = place.exists() and _key() is None
    with suppress(FileExistsError), put_in_place(place, overwrite=replaced) as new:
        new.chmod(0o600)  # still empty
        new.write_bytes(secrets.token_bytes(_KEY_BYTES))
    key = _key()
    if key is None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(place))
    return key


def _list() -> Path:
    return _folder() / "plans"


def _folder() -> Path:
    return state_folder() / "trust"
