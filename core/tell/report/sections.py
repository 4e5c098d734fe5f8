"""What the templates of a report need: chapters with their plots, tables and facts, as sections."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.desk import chosen_result
from core.judge import diagnose_all
from core.language import INVISIBLE, NOTHING, show_seconds, show_size
from core.measure import without_bare_files
from core.run import Run
from core.tell.report import report_tables
from core.tell.report.gallery import MOST_OVER_TIME, plots_of, strips_of
from core.tell.report.report_content import (
    Chapter,
    Report,
    card_of,
    caveats,
    key_figures,
)
from core.tell.report.report_tables import Grid, moment
from core.tell.result_figures import names_by_digest
from core.vocabulary import Environment, FileSystem, Result, show_setting

type Details = tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """A machine, a file system, or the versions of libraries."""

    title: str
    facts: Details


def places(results: Sequence[Result]) -> tuple[Provenance, ...]:
    """Machines, file systems and library versions, each listed once."""
    provenances: list[Provenance] = []
    for result in results:
        provenances.append(Provenance(title="Machine", facts=tuple(_machine(result.environment))))
        if result.file_system is not None:
            provenances.append(
                Provenance(title="File system", facts=tuple(_files(result.file_system)))
            )
    if versions := _versions(results):
        provenances.append(Provenance(title="Software", facts=versions))
    order = ("Machine", "File system", "Software")
    unlike = {(place.title, place.facts): place for place in provenances}.values()
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
    if system.total_bytes:
        yield "Size", f"{show_size(system.total_bytes)}, {show_size(system.free_bytes)} free"
    if system.rotational is not None:
        yield "Kind of disk", "rotating, says the kernel" if system.rotational else "not rotating"
    if system.options:
        yield "Options", ", ".join(system.options)


def _versions(results: Sequence[Result]) -> Details:
    by_name: dict[str, dict[str, None]] = {}
    for result in results:
        gil = "" if result.environment.gil_enabled else ", without GIL"
        by_name.setdefault("Python", {})[f"{result.environment.python}{gil}"] = None
        for versions in (result.environment.versions, *(t.versions for t in result.trials)):
            for name, version in versions.items():
                by_name.setdefault(name, {})[version] = None
    return tuple((name, ", ".join(versions)) for name, versions in by_name.items())


def shared_settings(results: Sequence[Result]) -> Details:
    """The dataset, and every parameter in which the results do not differ."""
    specs = [result.spec for result in without_bare_files(results)]
    if not specs:
        return ()
    facts: dict[str, dict[str, None]] = {}
    for spec in specs:
        texts_by_name = {
            "Workload": f"{spec.workload}, version {spec.version}",
            "Dataset": spec.dataset.location,
            "Kind of data": spec.dataset.kind,
            "Fingerprint": spec.dataset.fingerprint,
        }
        texts_by_name |= {
            name.replace("_", " ").capitalize(): show_setting(name, value) or NOTHING
            for name, value in spec.values.items()
        }
        for name, text in texts_by_name.items():
            facts.setdefault(name, {})[text] = None
    return tuple((name, next(iter(texts))) for name, texts in facts.items() if len(texts) == 1)


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


type Section = Mapping[str, Any]
"""A chapter as the templates need it: `_section` tells what is in it."""


def sections_of(report: Report) -> tuple[Section, ...]:
    """One section for each chapter."""
    return tuple(
        _section(chapter, f"c{number}") for number, chapter in enumerate(report.chapters, 1)
    )


def paragraphs(notes: Iterable[str]) -> tuple[str, ...]:
    """The lines of notes that say something."""
    return tuple(line for note in notes for line in note.splitlines() if line.strip())


def _section(chapter: Chapter, key: str) -> Section:
    results, run = without_bare_files(chapter.results), chapter.run
    names = names_by_digest(chapter.results, chapter.cells)
    card = card_of(chapter)
    # Of several programs none is the chosen one, and none explains another.
    one_answer = chapter.study is None or not chapter.study.programs
    best = chosen_result(results, card.advice) if one_answer else None
    price = str(run.plan.terms.get("price", "")) if run else ""
    strips = tuple(strips_of(results, names))
    judged = chapter.reproduction.judged if chapter.reproduction else ()
    return {
        "key": key,
        "title": chapter.title,
        "when": when(run) if run else "",
        "card": card,
        "facts": key_figures(chapter.results, best, price) if results else (),
        "facts_of": names[best.spec.digest] if best and len(results) > 1 else "",
        "scoreboard": _scoreboard(chapter),
        "claims": report_tables.claims_grid(judged) if judged else None,
        "about": _about(chapter),
        "plots": tuple(plots_of(chapter, results, names, card.advice)),
        "results": report_tables.results_grid(chapter.results, results) if results else None,
        "diagnosis": diagnose_all(chapter.results, card.advice.spec if card.advice else None)
        if one_answer
        else None,
        "caveats": caveats(chapter, names),
        "phases": report_tables.phases_grid(results, names) if results else None,
        "price": report_tables.price_grid(card.advice) if card.advice else None,
        "complaints": report_tables.complaints_grid(chapter.results, names),
        "strips": strips,
        "strips_left_out": max(len(results) - MOST_OVER_TIME, 0),
        "trials": report_tables.trials_grid(chapter.results, names) if results else None,
        "nodes": report_tables.nodes_grid(chapter.results),
        "settings": shared_settings(chapter.results),
        "places": places(chapter.results),
        "command": command_line(run.command) if run else "",
        "notes": paragraphs(chapter.notes),
    }


def _scoreboard(chapter: Chapter) -> Grid | None:
    reproduction = chapter.reproduction
    if reproduction is None:
        return None
    if reproduction.study.programs:
        caption = "; ".join(("The threads that each program wants here", *reproduction.remarks))
        return report_tables.board_grid(reproduction.board, f"{caption}.", ())
    return report_tables.board_grid(
        reproduction.board,
        "Published figures and those measured here, each also as a ratio to "
        f"“{reproduction.study.baseline}” on its own side.",
        [chapter.cells.get(cell.label) for cell in reproduction.study.cells],
    )


def _about(chapter: Chapter) -> tuple[str, ...]:
    study = chapter.study
    if study is None:
        return ()
    published = f"Published: {study.source}; {study.machine}."
    return (study.about,) if study.programs else (study.about, published)
