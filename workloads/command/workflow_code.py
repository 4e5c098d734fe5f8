"""A command as workflow managers and schedulers take it: its threads are those granted to it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from workloads.command.template import Template

FOLDER = "out"
"""What `{out}` stands for: a manager gives each run a folder of its own."""
VARIABLES = frozenset({"threads", "dataset"})
"""What a manager says: how many threads, and where its data is."""


def workflow_code(
    line: str, template: Template, threads: int, dataset: str
) -> Iterator[tuple[str, str]]:
    """By manager; `line`: the command for a shell that has set the `VARIABLES`."""
    name = re.sub(r"\W", "_", Path(template.program).name.lower(), flags=re.ASCII) or "command"
    output = FOLDER if "out" in template.names else f"{name}.out"
    to = "" if output == FOLDER else f" > {output}"
    yield "Snakemake", _snakemake(name, line + to, threads, dataset, output)
    yield "Nextflow", _nextflow(name.upper(), line + to, threads, dataset, output)
    yield "SLURM", _slurm(name, line, threads, dataset)
    yield "TPV (Galaxy)", f"tools:\n  .*/{name}/.*:\n    cores: {threads}\n"


def _snakemake(name: str, line: str, threads: int, dataset: str, output: str) -> str:
    shell = f"threads={{threads}}; dataset={{input:q}}; {_doubled(line)}"
    made = f'directory("{output}")' if output == FOLDER else f'"{output}"'
    return (
        f"rule {name}:\n    input: {_doubled(dataset)!r}\n    output: {made}\n"
        f"    threads: {threads}\n    shell: {shell!r}\n"
    )


def _doubled(text: str) -> str:
    """With no braces that would be a wildcard."""
    return text.replace("{", "{{").replace("}", "}}")


def _nextflow(name: str, line: str, threads: int, dataset: str, output: str) -> str:
    escaped = re.sub(r'([\\$"])', r"\\\1", line)
    place = re.sub(r"([\\'])", r"\\\1", dataset)
    return f'''process {name} {{
    cpus {threads}

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


def _slurm(name: str, line: str, threads: int, dataset: str) -> str:
    return (
        f"#!/bin/bash\n#SBATCH --job-name={name}\n#SBATCH --ntasks=1\n"
        f"#SBATCH --cpus-per-task={threads}\n"
        f'threads="$SLURM_CPUS_PER_TASK" dataset={shlex.quote(dataset)}\n{line}\n'
    )
