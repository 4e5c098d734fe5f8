"""A command as workflow managers and schedulers take it: its threads are those granted to it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from workloads.command.template import Template

FOLDER = "out"
"""What `{out}` stands for: a manager gives each run a folder of its own."""

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


@dataclass(frozen=True)
class Inputs:
    """What runs have: one of them the whole dataset, or each a file of a folder."""

    place: str
    variable: str = "dataset"
    """What the command calls it."""
    patterns: str = ""
    """Of the names of files, between spaces; empty = all."""
    count: int = 0
    """How many files; 0 = the dataset as a whole."""
    at_once: int = 1

    @property
    def globs(self) -> Sequence[str]:
        return self.patterns.split() or ["*"]


def workflow_code(
    line: str, template: Template, grant: Grant, inputs: Inputs
) -> Iterator[tuple[str, str]]:
    """By manager; `line`: the command for a shell that has set `threads`, `out` and what it reads.

    Without `{out}` in the command, what it prints goes there.
    """
    name = re.sub(r"\W", "_", Path(template.program).name.lower(), flags=re.ASCII) or "command"
    is_folder = "out" in template.names
    printed = line if is_folder else f'{line} > "$out"'
    output = FOLDER if is_folder else f"{name}.out"
    yield "Snakemake", _snakemake(name, printed, grant, inputs, is_folder=is_folder)
    yield "Nextflow", _nextflow(name.upper(), printed, grant, inputs, output)
    yield "SLURM", _slurm(name, line, grant, inputs)
    memory = grant.memory_as("    mem: {gibibytes}")
    yield "TPV (Galaxy)", f"tools:\n  .*/{name}/.*:\n    cores: {grant.threads}\n{memory}"


_SNAKEMAKE_FILES = """\
# So many at once: snakemake --cores {cores}
from pathlib import Path

FOLDER = {folder!r}
FILES = [
    str(one.relative_to(FOLDER))
    for pattern in {globs!r}
    for one in sorted(Path(FOLDER).rglob(pattern))
    if one.is_file()
]

rule all:
    input: expand("{output}", file=FILES)

"""


def _snakemake(name: str, line: str, grant: Grant, inputs: Inputs, *, is_folder: bool) -> str:
    output, place, before = FOLDER if is_folder else f"{name}.out", _doubled(inputs.place), ""
    if inputs.count:
        output, place = f"{name}/{{file}}" + (".out" * (not is_folder)), f"{place}/{{file}}"
        cores = grant.threads * inputs.at_once
        before = _SNAKEMAKE_FILES.format(
            cores=cores, folder=inputs.place, globs=[*inputs.globs], output=output
        )
    set_up = f"threads={{threads}}; {inputs.variable}={{input:q}}; out={{output:q}}"
    shell = f"{set_up}; {_doubled(line)}"
    memory = grant.memory_as("    resources: mem_mb={mebibytes}")
    made = f'directory("{output}")' if is_folder else f'"{output}"'
    return (
        f"{before}rule {name}:\n    input: {place!r}\n    output: {made}\n"
        f"    threads: {grant.threads}\n{memory}    shell: {shell!r}\n"
    )


def _doubled(text: str) -> str:
    """With no braces that would be a wildcard."""
    return text.replace("{", "{{").replace("}", "}}")


def _nextflow(name: str, line: str, grant: Grant, inputs: Inputs, output: str) -> str:
    escaped = re.sub(r'([\\$"])', r"\\\1", line)
    memory = grant.memory_as("    memory '{mebibytes} MB'", "//")
    forks = f"    maxForks {inputs.at_once}\n" if inputs.count else ""
    return f'''process {name} {{
    cpus {grant.threads}
{memory}{forks}
    input:
    path dataset

    output:
    path '{output}'

    script:
    """
    threads=${{task.cpus}}; {inputs.variable}=${{dataset}}; out={output}
    {escaped}
    """
}}

workflow {{
    {name}({_channel(inputs)})
}}
'''


def _channel(inputs: Inputs) -> str:
    if not inputs.count:
        return f"Channel.fromPath({_groovy(inputs.place)}, type: 'any', glob: false)"
    folder = re.sub(r"([\\*?{}\[\]])", r"\\\1", inputs.place)
    places = ", ".join(_groovy(f"{folder}/{{,**/}}{one}") for one in inputs.globs)
    return f"Channel.fromPath([{places}])"


def _groovy(text: str) -> str:
    return "'" + re.sub(r"([\\'])", r"\\\1", text) + "'"


def _slurm(name: str, line: str, grant: Grant, inputs: Inputs) -> str:
    # Without a comment: sbatch would take it for an argument.
    memory = f"#SBATCH --mem={-(-grant.memory // _MEBIBYTE)}M\n" if grant.memory else ""
    array, before = "", f"{inputs.variable}={shlex.quote(inputs.place)} out={FOLDER}\n"
    if inputs.count:
        array = f"#SBATCH --array=0-{inputs.count - 1}%{inputs.at_once}\n"
        before = (
            f'{inputs.variable}="${{files[SLURM_ARRAY_TASK_ID]}}"'
            f' out={FOLDER}/"$SLURM_ARRAY_TASK_ID"\n'
        )
        found = found_files(inputs.place, inputs.patterns)
        array_of_files = f"mapfile -d '' files < <({found})\n"
        before = array_of_files + before
    return (
        f"#!/bin/bash\n#SBATCH --job-name={name}\n#SBATCH --ntasks=1\n"
        f"#SBATCH --cpus-per-task={grant.threads}\n{memory}{array}"
        f'threads="$SLURM_CPUS_PER_TASK"\n{before}{line}\n'
    )


def found_files(folder: str, patterns: str) -> str:
    """What prints the paths of the files of a folder, in order, each ended by a zero byte."""
    names = " -o ".join(f"-name {shlex.quote(one)}" for one in patterns.split())
    which = f"-type f \\( {names} \\) " if names else "-type f "
    return f"find {shlex.quote(folder)} {which}-print0 | sort -z"
