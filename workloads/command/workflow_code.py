"""A command as workflow managers and schedulers take it: its threads are those granted to it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from workloads.command.template import Template

FOLDER = "out"
"""What `{out}` stands for: a manager gives each run a folder of its own."""
VARIABLES = frozenset({"threads", "dataset"})
"""What a manager says: how many threads, and where its data is."""


_MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class Grant:
    """What a run asks of a manager; `memory` in bytes, 0 = not known."""

    threads: int
    memory: int

    def memory_as(self, written: str, comment: str = "#") -> str:
        """A line with `{mebibytes}` or `{gibibytes}` filled in; empty where it is not known."""
        if not self.memory:
            return ""
        size = -(-self.memory // _MEBIBYTE)
        line = written.format(mebibytes=size, gibibytes=f"{size / 1024:.3g}")
        return f"{line}  {comment} the peak that was measured, and a quarter more\n"


def workflow_code(
    line: str, template: Template, grant: Grant, dataset: str
) -> Iterator[tuple[str, str]]:
    """By manager; `line`: the command for a shell that has set the `VARIABLES`."""
    name = re.sub(r"\W", "_", Path(template.program).name.lower(), flags=re.ASCII) or "command"
    output = FOLDER if "out" in template.names else f"{name}.out"
    to = "" if output == FOLDER else f" > {output}"
    yield "Snakemake", _snakemake(name, line + to, grant, dataset, output)
    yield "Nextflow", _nextflow(name.upper(), line + to, grant, dataset, output)
    yield "SLURM", _slurm(name, line, grant, dataset)
    memory = grant.memory_as("    mem: {gibibytes}")
    yield "TPV (Galaxy)", f"tools:\n  .*/{name}/.*:\n    cores: {grant.threads}\n{memory}"


def _snakemake(name: str, line: str, grant: Grant, dataset: str, output: str) -> str:
    shell = f"threads={{threads}}; dataset={{input:q}}; {_doubled(line)}"
    memory = grant.memory_as("    resources: mem_mb={mebibytes}")
    made = f'directory("{output}")' if output == FOLDER else f'"{output}"'
    return (
        f"rule {name}:\n    input: {_doubled(dataset)!r}\n    output: {made}\n"
        f"    threads: {grant.threads}\n{memory}    shell: {shell!r}\n"
    )


def _doubled(text: str) -> str:
    """With no braces that would be a wildcard."""
    return text.replace("{", "{{").replace("}", "}}")


def _nextflow(name: str, line: str, grant: Grant, dataset: str, output: str) -> str:
    escaped = re.sub(r'([\\$"])', r"\\\1", line)
    place = re.sub(r"([\\'])", r"\\\1", dataset)
    memory = grant.memory_as("    memory '{mebibytes} MB'", "//")
    return f'''process {name} {{
    cpus {grant.threads}
{memory}
    input:
    path dataset

    output:
    path '{output}'

    script:
    """
    threads=${{task.cpus}}; dataset=${{dataset}}
    {escaped}
    """
}}

workflow {{
    {name}(Channel.fromPath('{place}', type: 'any', glob: false))
}}
'''


def _slurm(name: str, line: str, grant: Grant, dataset: str) -> str:
    # Without a comment: sbatch would take it for an argument.
    memory = f"#SBATCH --mem={-(-grant.memory // _MEBIBYTE)}M\n" if grant.memory else ""
    return (
        f"#!/bin/bash\n#SBATCH --job-name={name}\n#SBATCH --ntasks=1\n"
        f"#SBATCH --cpus-per-task={grant.threads}\n{memory}"
        f'threads="$SLURM_CPUS_PER_TASK" dataset={shlex.quote(dataset)}\n{line}\n'
    )
