"""Lines with placeholders, as the shells that are installed here carry them out."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping

from workloads.command.shells import TELLS
from workloads.command.template import Template

SHELLS = [shell for shell in ("sh", "dash", "bash") if shutil.which(shell)]
ODD = (
    *("", " ", "a b", " lead", "'", '"', 'it\'s "so"', "`id`", "$HOME", "$(touch x)", "${x", "\\"),
    *("end\\", "-rf", "--", "a\nb", "\n", "\t", "*", "?", "[a]", "~", "#", "; rm x", "&", "|"),
    *(
        ">x",
        "{dataset}",
        "{{n}}",
        "$((1",
        "))",
        "!x",
        "a=b",
        "é",
        "\udcff",
        "a\udc81b",
        "\x01",
        "\x7f",
    ),
)


def ran(shell: str, line: str, variables: Mapping[str, str]) -> tuple[bytes, int]:
    """What a shell writes and its exit code, where it is used in place of /bin/sh."""
    done = subprocess.run(
        [shell, "-c", line.removeprefix(TELLS)],
        env={**os.environ, **variables},
        check=False,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        cwd="/",
        timeout=60,
    )
    return done.stdout, done.returncode


def handed_over(written: str, values: Mapping[str, str]) -> tuple[str, Mapping[str, str]]:
    """What a shell gets for a line, and the variables with it; raises InvalidParameter."""
    template = Template(written, shell=True)
    template.complete({name: values[name] for name in template.own})
    return template.arguments(values)[-1], template.variables(values)


def said(written: str, **values: str) -> list[str]:
    """What every shell makes of a command that ends each of its words with NUL."""
    found = {ran(shell, *handed_over(written, values)) for shell in SHELLS}
    ((output, code),) = found
    assert code == 0
    return [os.fsdecode(word) for word in output.split(b"\0")[:-1]]
