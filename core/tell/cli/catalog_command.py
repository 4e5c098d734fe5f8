"""`list`: what can be measured, and on what; `dataset`: data shown, made, converted, adopted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.language import (
    DamagedDataset,
    Unavailable,
    UnknownName,
    show_share,
    show_size,
)
from core.run import Preset, PresetOffer
from core.tell.cli import ListedGroup
from core.tell.cli.flags import PLACE, given, json_option, options
from core.tell.cli.terminal import print_json, reported_on_terminal, say, say_on_stderr
from core.vocabulary import Choice, Kind, build, declared, registry

if TYPE_CHECKING:
    from core.vocabulary import DatasetKind


@click.command(
    "list",
    help="List workloads with their parameters, and the kinds of dataset they read.",
    epilog="\b\nExample:\n  python -m core list --json",
)
@json_option
def list_workloads(json: bool) -> None:
    """Print every workload; one whose driver is missing says how to get it."""
    listed = [_describe(name) for name in registry.workloads()]
    kinds = [
        {"name": entry.name, "title": entry.title} for entry in registry.dataset_kinds().values()
    ]
    presets = [_described_preset(one) for one in sorted(Preset.offered(), key=lambda it: it.name)]
    if json:
        print_json({"workloads": listed, "dataset_kinds": kinds, "presets": presets})
        return
    for one in listed:
        _say_workload(one)
    say("presets  Programs with their usual flags: measure command --preset NAME", bold=True)
    for preset in presets:
        say(f"  {preset['name']:<16} {preset['about']}{preset['unavailable']}")
    say("datasets", bold=True)
    for kind in kinds:
        say(f"  {kind['name']:<14} {kind['title']}")


def _say_workload(one: Mapping[str, Any]) -> None:
    say(f"{one['name']}  {one['title']}", bold=True)
    say(f"  {one['purpose']}")
    if one["unavailable"]:
        say(f"  {one['unavailable']}")
    for row in one["parameters"]:
        say(f"    {row['name']:<14} {row['default']!s:<12} {row['help']}")
        for dataset, value in row["default_by_dataset"].items():
            say(f"    {'':<14} {value!s:<12} The default for {dataset}.")
        for option in row["options"]:
            say(f"      {option['value']:<12} {option['help']}{option['unavailable']}")


def _describe(name: str) -> dict[str, Any]:
    entry = registry.workloads()[name]
    row: dict[str, Any] = {"name": entry.name, "title": entry.title, "purpose": entry.purpose}
    try:
        workload = entry.workload()
    except Unavailable as missing:
        return row | {"unavailable": str(missing), "parameters": []}
    return row | {
        "unavailable": "",
        "parameters": [_row(kind) for kind in declared(workload.parameters)],
    }


def _described_preset(one: PresetOffer) -> dict[str, Any]:
    missing = f"  (unavailable: {one.unavailable})" if one.unavailable else ""
    row: dict[str, Any] = {"name": one.name, "about": one.about, "run": one.run}
    return row | {"reads": one.reads, "unavailable": missing}


def _row(kind: Kind) -> dict[str, object]:
    choices = []
    for value, option in kind.options.items() if isinstance(kind, Choice) else ():
        hint = ""
        if (driver := option.driver) is not None and not driver.installed:
            hint = f"  (unavailable: {driver.remedy})"
        choices.append({"value": value, "help": option.help, "unavailable": hint})
    return {
        "name": kind.name,
        "default": kind.default,
        "default_by_dataset": kind.by_dataset,
        "help": kind.help,
        "options": choices,
    }


@click.group(
    "dataset",
    help="Inspect data, generate it, or catalogue what a store holds.",
    epilog="\b\nExamples:\n  python -m core dataset show genome.fa.bgz\n"
    "  python -m core dataset make fasta --help\n"
    "  python -m core dataset adopt tile-layer --help",
)
def dataset() -> None:
    """Group of the dataset commands."""


_FOLDER = "Folder to write. It must be new or empty.  [default: Sluice's cache folder]"
_ADOPT_EXAMPLE = """\b
Example:
  python -m core dataset adopt {name} --store s3 --address s3://bucket/prefix --layer landsat catalogue/"""
_STALL = 300.0
"""Seconds without a word after which adopting is given up."""


@dataset.command(
    "show",
    help="Show what is at PATH: kind, counts, fingerprint, and how much of it is in the page cache.",
    epilog="\b\nExit code 1 if the data is of a known kind, but cut off, damaged, or stored in a way that\n"
    "cannot be read; 2 if nothing usable is there.\n\n"
    "\b\nExample:\n  python -m core dataset show /data/seqrepo/2024-12-20",
)
@click.argument("path", type=PLACE)
@json_option
def show(path: Path, json: bool) -> int:
    from core.measure import Inspection

    look = Inspection.of(path)
    data = look.dataset
    facts: dict[str, int | str] = {
        "kind": data.kind,
        "location": data.location,
        "fingerprint": data.fingerprint,
        "files": look.files,
        "bytes": look.bytes,
        **look.facts,
    }
    code = DamagedDataset.exit_code if look.problem else 0
    if json:
        state = {"problem": look.problem, "passed_over": look.passed_over}
        print_json(facts | {"resident_share": look.resident or 0.0} | state)
        return code
    share = "cannot be told here" if look.resident is None else show_share(look.resident)
    rows = [
        (name, f"{value:,}" if isinstance(value, int) else value) for name, value in facts.items()
    ]
    rows += [("size", show_size(look.bytes)), ("in page cache", share)]
    if look.passed_over:
        rows.append(("passed over", f"{look.passed_over:,} that cannot be read"))
    if look.problem:
        rows[0] = ("problem", look.problem)
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        say(f"{name:<{width}}  {value}")
    return code


@dataset.command(
    "convert",
    help="Convert the data at PATH to another format, and check the result.",
    epilog="\b\nExample:\n  python -m core dataset convert reads.pod5 --to blow5",
)
@click.argument("path", type=PLACE)
@click.option("--to", required=True, help="Format to convert to, such as blow5 or pod5.")
@click.option("--folder", type=PLACE, help=_FOLDER)
def convert(path: Path, to: str, folder: Path | None) -> None:
    from core.measure import convert_dataset

    with reported_on_terminal(quiet=False) as report:
        made = convert_dataset(path, to, folder, report)
    say(made.location)


def _one(kind: DatasetKind) -> str:
    return f"{'an' if kind.title[0] in 'aeiou' else 'a'} {kind.title}"


def _by_kind(
    declaring: Callable[[DatasetKind], type | None],
    command: Callable[[str, DatasetKind, type], click.Command],
    *,
    can: str,
    line: str,
    **settings: Any,
) -> ListedGroup:
    """One subcommand for each dataset kind that declares what `declaring` gives.

    `can`: what can be done with these kinds, in the error about others; `line`: of help.
    """

    def listed() -> dict[str, str]:
        kinds = {name: entry.kind() for name, entry in registry.dataset_kinds().items()}
        return {
            name: line.format(one=_one(kind)) for name, kind in kinds.items() if declaring(kind)
        }

    def of_kind(name: str) -> click.Command:
        names = tuple(listed())
        if name not in names:
            raise UnknownName(f"dataset kind that can be {can}", name, names)
        kind = registry.dataset_kind(name)
        declared = declaring(kind)
        assert declared is not None
        return command(name, kind, declared)

    return ListedGroup(listed, of_kind, **settings)


def _make_command(name: str, kind: DatasetKind, shape: type) -> click.Command:
    room = kind.room(shape())
    size = f", by default about {show_size(room)} on disk" if room else ""

    def make(folder: Path | None, **values: Any) -> None:
        from core.measure import make_dataset

        with reported_on_terminal(quiet=False) as report:
            made = make_dataset(name, build(shape, given(values, shape)), folder, report)
        say(made.location)

    return click.Command(
        name,
        params=[*options(shape), click.Option(["--folder"], type=PLACE, help=_FOLDER)],
        callback=make,
        short_help=f"Generate {_one(kind)}.",
        help=f"Generate {_one(kind)}{size}: the same bytes for the same shape; reused when it "
        "is there already.",
        epilog=f"\b\nExample:\n  python -m core dataset make {name}",
    )


def _adopt_command(name: str, kind: DatasetKind, adoption: type) -> click.Command:
    return click.Command(
        name,
        params=[*options(adoption), click.Argument(["folder"], type=PLACE)],
        callback=lambda folder, **values: _adopt(
            name, build(adoption, given(values, adoption)), folder
        ),
        short_help=f"Catalogue {_one(kind)} of your own.",
        help=f"Catalogue {_one(kind)} of your own in FOLDER, which must not exist or be empty. "
        "It is read once and stays where it is; trials read it there, and nothing is written.",
        epilog=_ADOPT_EXAMPLE.format(name=name),
    )


def _adopt(name: str, wishes: Any, folder: Path) -> int:
    from core.measure import Adoption, NotAdoptedError, cancelled_by_signal

    adoption = Adoption(name, wishes, folder)
    with cancelled_by_signal() as stop:
        try:
            with reported_on_terminal(quiet=False) as report:
                for word in adoption.run(stop.cancel, stall=_STALL):
                    report(word.detail or word.phase, word.done, word.total, word.unit)
        except NotAdoptedError:
            if not stop.by:
                raise
            say_on_stderr("interrupted; nothing was catalogued")
            return stop.code
    assert adoption.dataset is not None
    say(adoption.dataset.location)
    return 0


dataset.add_command(
    _by_kind(
        lambda kind: kind.shape,
        _make_command,
        can="generated",
        line="Generate {one}.",
        name="make",
        help="Generate seeded data of a chosen shape.",
        epilog="\b\nExample:\n  python -m core dataset make seqrepo",
    )
)
dataset.add_command(
    _by_kind(
        lambda kind: kind.adoption,
        _adopt_command,
        can="adopted",
        line="Catalogue {one} of your own.",
        name="adopt",
        help="Catalogue data of your own that is in a store, so that trials can read it there.",
        epilog=_ADOPT_EXAMPLE.format(name="tile-layer"),
    )
)
