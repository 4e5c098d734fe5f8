"""The commands of a spec, read once: what is run, and what is run around it."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from core import InvalidParameter, tr
from workloads.command.command_parameters import CommandParameters
from workloads.command.placeholders import values_in
from workloads.command.template import Template

_OTHERS = ("prepare", "check", "conclude")


@dataclass(frozen=True)
class Asked:
    """The commands as templates, with the values of own placeholders."""

    run: Template
    others: Mapping[str, Template]
    """Those of `prepare`, `check` and `conclude` that there are."""
    own: Mapping[str, str]


def asked_of(parameters: CommandParameters) -> Asked:
    """What the parameters ask for; raises InvalidParameter."""
    shell = parameters.shell
    run = Template(parameters.run, shell=shell)
    own = dict(run.complete(chosen_values(parameters.values)))
    others: dict[str, Template] = {}
    for name in _OTHERS:
        if written := getattr(parameters, name).strip():
            others[name] = template = Template(written, shell=shell, parameter=name)
            known = {key: value for key, value in own.items() if key in template.own}
            own |= template.complete(known)
    _require_output(parameters, run)
    _require_references(parameters.secrets)
    return Asked(run, others, own)


def require_program(template: Template, parameter: str = "run") -> None:
    """Raise InvalidParameter unless the program is there and may be run."""
    program = template.program
    if "{" in program or shutil.which(program) is not None:
        return
    path = Path(program)
    if "/" not in program:
        raise InvalidParameter(
            parameter,
            tr("no program is named {program}", program=program),
            tr("install it, or give its path"),
        )
    if path.is_dir():
        raise InvalidParameter(
            parameter, tr("{program} is a folder", program=program), tr("name a program in it")
        )
    if path.exists():
        raise InvalidParameter(
            parameter,
            tr("{program} may not be executed", program=program),
            tr("run chmod +x on it, or name its interpreter before it"),
        )
    raise InvalidParameter(
        parameter, tr("there is no {program}", program=program), tr("check the path")
    )


def chosen_values(written: str) -> Mapping[str, str]:
    """The values in `level=3 memory=256M`; raises InvalidParameter."""
    try:
        words = shlex.split(written)
    except ValueError as error:
        raise _not_values(written) from error
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not value or name in found:
            raise _not_values(written)
        found[name] = value
    return found


def joined_axes(axes: Mapping[str, str]) -> str:
    """The values of the axis `values` that axes of own placeholders stand for, all combinations.

    `axes`: what was written behind each name, such as `1..9` or `256M,1G`.
    """
    each = [[(name, value) for value in values_in(axes[name], name)] for name in axes]
    return ",".join(
        " ".join(f"{name}={shlex.quote(value)}" for name, value in chosen)
        for chosen in product(*each)
    )


def _not_values(written: str) -> InvalidParameter:
    return InvalidParameter(
        "values",
        tr("{written!r} gives no values", written=written),
        tr("write each name once, as in level=3 memory=256M"),
    )


def _require_output(parameters: CommandParameters, run: Template) -> None:
    """Files can only be compared where there are some."""
    for name, wanted in (
        ("same", parameters.same in {"files", "all"}),
        ("normalise", bool(parameters.normalise.strip())),
    ):
        if wanted and "out" not in run.names:
            raise InvalidParameter(
                name,
                tr("the command writes no files into {out}", out="{out}"),
                tr("write {out} where its output goes", out="{out}"),
            )


def _require_references(secrets: str) -> None:
    """Never repeats what was given: it may be a secret."""
    if not all(re.fullmatch(r"env:[A-Za-z_][A-Za-z0-9_]*", one) for one in secrets.split()):
        raise InvalidParameter(
            "secrets",
            tr("this is not a list of references to secrets"),
            tr("give env:NAME for each variable, never the secret itself"),
        )
