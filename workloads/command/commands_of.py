"""The commands of a spec, read once: what is run, and what is run around it."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

from core import InvalidParameter, Load, listed, tr, values_of
from workloads.command.command_parameters import CommandParameters
from workloads.command.placeholders import values_in
from workloads.command.template import Template

_BEFORE = ("env", "exec")
_SETS = re.compile(r"[A-Za-z_]\w*=.*")
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
    for name in run.own:
        if name in taken_names():
            raise InvalidParameter(
                "run",
                tr("{name} is the name of a parameter", name="{" + name + "}"),
                tr("name the placeholder otherwise"),
            )
    own = dict(run.complete({name: str(value) for name, value in parameters.own.items()}))
    others: dict[str, Template] = {}
    for name in _OTHERS:
        if written := getattr(parameters, name).strip():
            others[name] = template = Template(written, shell=shell, parameter=name)
            known = {key: value for key, value in own.items() if key in template.own}
            own |= template.complete(known)
    _require_output(parameters, run)
    _require_references(parameters.secrets)
    return Asked(run, others, own)


def first_program(parameters: CommandParameters) -> str:
    """The program that the command begins with, behind variables that it sets; else empty."""
    try:
        words = shlex.split(parameters.run)
    except ValueError:
        return ""
    for word in words:
        if word not in _BEFORE and not _SETS.fullmatch(word):
            return "" if "{" in word or shutil.which(word) is None else word
    return ""


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
            tr(
                'install it, or give its path; among several commands one with a comma needs quotes: run="cut -f1,2 x",cat x'
            ),
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


@cache
def taken_names() -> frozenset[str]:
    """Names of parameters, which no placeholder of a user's own can have."""
    return frozenset({**values_of(CommandParameters()), **values_of(Load())})


def joined_axes(axes: Mapping[str, str]) -> str:
    """The values of the axis `values` that axes of own placeholders stand for, all combinations.

    `axes`: what was written behind each name, such as `1..9` or `256M,1G`.
    """
    each = [[(name, value) for value in values_in(axes[name], name)] for name in axes]
    return ",".join(
        listed(" ".join(f"{name}={shlex.quote(value)}" for name, value in chosen))
        for chosen in product(*each)
    )


def _require_output(parameters: CommandParameters, run: Template) -> None:
    """Files can only be compared where there are some, and where all runs have the same input."""
    if "each" in run.names and (parameters.same != "none" or parameters.expect):
        raise InvalidParameter(
            "same" if parameters.same != "none" else "expect",
            tr("with {each} each run has another file, and so other output", each="{each}"),
            tr("judge each run by a command: --check"),
        )
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
