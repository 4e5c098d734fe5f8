"""Where and with what it was measured, as pairs of name and text, and the command of the run."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.host.environment import Environment
from core.host.file_system import FileSystem
from core.language.translation import INVISIBLE
from core.language.units import show_seconds, show_size
from core.output.report.report_tables import moment
from core.plan.floor import without_bare_files
from core.result.result import Result
from core.session import Run

type Facts = tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """A machine, a file system, or the versions of libraries."""

    title: str
    facts: Facts


def places(results: Sequence[Result]) -> tuple[Provenance, ...]:
    """Machines, file systems and library versions, each listed once."""
    found: list[Provenance] = []
    for result in results:
        found.append(Provenance(title="Machine", facts=tuple(_machine(result.environment))))
        if result.file_system is not None:
            found.append(Provenance(title="File system", facts=tuple(_files(result.file_system))))
    if versions := _versions(results):
        found.append(Provenance(title="Software", facts=versions))
    order = ("Machine", "File system", "Software")
    unlike = {(place.title, place.facts): place for place in found}.values()
    return tuple(sorted(unlike, key=lambda place: order.index(place.title)))


def _machine(environment: Environment) -> Iterator[tuple[str, str]]:
    cores = f"{environment.usable_cores:g} usable of {environment.logical_cores} logical"
    if environment.physical_cores:
        cores += f", {environment.physical_cores} physical"
    yield "Processor", environment.cpu_model
    yield "Cores", cores
    yield "Memory", show_size(environment.memory_bytes)
    if environment.swap_bytes:
        used, whole = show_size(environment.swap_used_bytes), show_size(environment.swap_bytes)
        yield "Swap", f"{used} of {whole} in use"
    if environment.cpu_governor:
        yield "Governor", environment.cpu_governor
    if environment.cpu_frequency_high:
        low, high = environment.cpu_frequency_low or 0, environment.cpu_frequency_high
        yield "Clock rate", f"{low / 1e9:.1f} to {high / 1e9:.1f} GHz"
    if environment.load_average:
        yield "Load before", ", ".join(f"{one:.2f}" for one in environment.load_average)
    yield "System", f"{environment.os}, kernel {environment.kernel}, {environment.architecture}"
    inside = " in ".join(filter(None, (environment.container, environment.virtualisation)))
    if inside:
        yield "Runs in", inside
    yield "Pseudonym", environment.machine_id


def _files(system: FileSystem) -> Iterator[tuple[str, str]]:
    yield "Type", f"{system.type}{' over the network' if system.network else ''}"
    yield "Device", system.device
    yield "Mounted at", system.mount_point
    yield "Size", f"{show_size(system.total_bytes)}, {show_size(system.free_bytes)} free"
    if system.rotational is not None:
        yield "Kind of disk", "rotating, says the kernel" if system.rotational else "not rotating"
    if system.options:
        yield "Options", ", ".join(system.options)


def _versions(results: Sequence[Result]) -> Facts:
    found: dict[str, dict[str, None]] = {}
    for result in results:
        gil = "" if result.environment.gil_enabled else ", without GIL"
        found.setdefault("Python", {})[f"{result.environment.python}{gil}"] = None
        for versions in (result.environment.versions, *(t.versions for t in result.trials)):
            for name, version in versions.items():
                found.setdefault(name, {})[version] = None
    return tuple((name, ", ".join(versions)) for name, versions in found.items())


def shared_settings(results: Sequence[Result]) -> Facts:
    """The dataset, and every parameter in which the results do not differ."""
    specs = [result.spec for result in without_bare_files(results)]
    if not specs:
        return ()
    facts: dict[str, dict[str, None]] = {}
    for spec in specs:
        told = {
            "Workload": f"{spec.workload}, version {spec.version}",
            "Dataset": spec.dataset.location,
            "Kind of data": spec.dataset.kind,
            "Fingerprint": spec.dataset.fingerprint,
        }
        told |= {
            name.replace("_", " ").capitalize(): _value(value)
            for name, value in spec.values.items()
        }
        for name, text in told.items():
            facts.setdefault(name, {})[text] = None
    return tuple((name, next(iter(texts))) for name, texts in facts.items() if len(texts) == 1)


def _value(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:g}"
        case _:
            return str(value) if value != "" else "–"


def when(run: Run) -> str:
    """When a run began, and how long it took."""
    began = moment(run.started)
    return began if run.seconds is None else f"{began}, took {show_seconds(run.seconds)}"


def command_line(command: Sequence[str]) -> str:
    """The command as a shell takes it, in visible characters only."""
    return " ".join(map(_quoted, command))


def _quoted(word: str) -> str:
    if not INVISIBLE.search(word):
        return shlex.quote(word)
    # Bash, zsh and POSIX 2024 read escapes in $'…'; nothing else shows invisible characters.
    plain = word.replace("\\", "\\\\").replace("'", "\\'")
    return f"$'{INVISIBLE.sub(lambda found: _octets(found[0]), plain)}'"


def _octets(letter: str) -> str:
    return "".join(f"\\{octet:03o}" for octet in letter.encode("utf-8", "surrogateescape"))
