"""Secrets: what a reference to one stands for, and which of them this process knows."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

from core.language import Unavailable, command_text, remember, remembered, tr
from core.measure.machine.lab_records import lab_secret
from core.vocabulary import RunSpec


def reveal(reference: str, *, in_header: bool = False) -> str:
    """The secret behind a reference to one (see `Secret`), kept as `keep_secret` says.

    Raises Unavailable without one, and where `keep_secret` does.
    """
    place, _, name = reference.partition(":")
    secret: str | None = None
    if place == "env":
        secret = os.environ.get(name)
    elif place == "keyring":
        import keyring

        secret = keyring.get_password(*name.split("/", 1))
    elif place == "lab":
        secret = lab_secret(name)
    if secret is None:
        start = command_text("lab", "start", name.partition("/")[0])
        raise Unavailable(
            tr("there is no secret at {place}", place=reference),
            tr("start the server: {command}", command=start)
            if place == "lab"
            else tr("set it before the run"),
        )
    keep_secret(secret, reference, in_header=in_header)
    return secret


def keep_secret(secret: str, reference: str, *, in_header: bool = False) -> None:
    """From now on it is replaced in every text that the process sends, stores or shows.

    Raises Unavailable for one that is to go into a header and that no header takes: drivers put its
    letters into errors.
    """
    remember(secret, reference)
    if not in_header or (secret.isascii() and secret.isprintable()):
        return
    if secret.splitlines() not in ([secret], []):
        raise Unavailable(
            tr("the secret at {place} has a line break in it", place=reference),
            tr("remove it: a token is one line"),
        )
    raise Unavailable(
        tr("the secret at {place} has letters outside ASCII, or of control", place=reference),
        tr("look for an accent, an odd space or a tab in it"),
    )


def secrets_of(specs: Iterable[RunSpec]) -> Mapping[str, str]:
    """The secrets that the specs refer to and this process knows, each with its reference.

    A keyring is not read, because it can prompt the user.  Others are known
    once a trial's child has told them: from a keyring, or from a driver's own chain of places.
    """
    secrets = dict(remembered())
    for spec in specs:
        for value in spec.parameters.values():
            if not isinstance(value, str):
                continue
            if re.fullmatch(r"env:[A-Za-z_][A-Za-z0-9_]*", value):
                secrets[os.environ.get(value.removeprefix("env:"), "")] = value
            elif re.fullmatch(r"lab:[\w-]+/[\w-]+", value):
                secrets[lab_secret(value.removeprefix("lab:")) or ""] = value
    return secrets
