"""`dataset show`, `dataset make`, `dataset adopt` and `dataset convert`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from core.catalog import registry
from core.cli.flags import PLACE, options, shape_from
from core.cli.terminal import print_json, say, say_on_stderr, told_on_terminal
from core.errors import DamagedDataset, UnknownName
from core.language.units import show_share, show_size


@click.group(
    "dataset",
    help="Inspect data, generate it, or catalogue what a store holds.",
    epilog="\b\nExamples:\n  python -m core dataset show genome.fa.bgz\n"
    "  python -m core dataset make fasta --help\n"
    "  python -m core dataset adopt tile-layer --help",
)
def dataset() -> None:
    """Group of the dataset commands."""


@dataset.command(
    "show",
    help="Show what is at PATH: kind, counts, fingerprint, and how much of it is in the page cache.",
    epilog="\b\nExit code 1 if the data is of a known kind, but cut off, damaged, or stored in a way that\n"
    "cannot be read; 2 if nothing usable is there.\n\n"
    "\b\nExample:\n  python -m core dataset show /data/seqrepo/2024-12-20",
)
@click.argument("path", type=PLACE)
@click.option("--json", is_flag=True, help="Print as JSON.")
def show(path: Path, json: bool) -> int:
    """Print facts about a dataset, and return the exit code; changes nothing."""
    from core.catalog.local_datasets import Inspection

    look = Inspection.of(path)
    found = look.dataset
    facts: dict[str, int | str] = {
        "kind": found.kind,
        "location": found.location,
        "fingerprint": found.fingerprint,
        "files": look.files,
        "bytes": look.bytes,
        **look.facts,
    }
    code = DamagedDataset.exit_code if look.problem else 0
    if json:
        print_json(
            facts
            | {
                "resident_share": look.resident or 0.0,
                "problem": look.problem,
                "passed_over": look.passed_over,
            }
        )
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
@click.option(
    "--folder",
    type=PLACE,
    help="Folder to write. It must be new or empty.  [default: Sluice's cache folder]",
)
def convert(path: Path, to: str, folder: Path | None) -> None:
    """Convert a dataset; changes nothing at the path."""
    from core.catalog.local_datasets import convert_dataset

    with told_on_terminal(quiet=False) as tell:
        made = convert_dataset(path, to, folder, tell)
    say(made.location)


class _KindGroup(click.Group):
    """One subcommand per dataset kind that can be generated."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the kinds with a shape."""
        return [
            name
            for name, entry in registry.dataset_kinds().items()
            if entry.kind().shape is not None
        ]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command that generates one kind; raises UnknownName."""
        if name not in self.list_commands(ctx):
            raise UnknownName(
                "dataset kind that can be generated", name, tuple(self.list_commands(ctx))
            )
        kind = registry.dataset_kind(name)
        assert kind.shape is not None
        room = kind.room(kind.shape())
        size = f", by default about {show_size(room)} on disk" if room else ""
        folder = click.Option(
            ["--folder"],
            type=PLACE,
            help="Folder to write. It must be new or empty.  [default: Sluice's cache folder]",
        )
        return click.Command(
            name,
            params=[*options(kind.shape), folder],
            callback=_make,
            short_help=f"Generate a {kind.title}.",
            help=f"Generate a {kind.title}{size}: the same bytes for the same shape; reused when it "
            "is there already.",
            epilog=f"\b\nExample:\n  python -m core dataset make {name}",
        )


@dataset.group(
    "make",
    cls=_KindGroup,
    help="Generate seeded data of a chosen shape.",
    epilog="\b\nExample:\n  python -m core dataset make seqrepo",
)
def make() -> None:
    """Group of one command per kind."""


@click.pass_context
def _make(ctx: click.Context, /, folder: Path | None, **values: Any) -> None:
    from core.catalog.local_datasets import make_dataset

    name = ctx.info_name or ""
    shape_class = registry.dataset_kind(name).shape
    assert shape_class is not None
    with told_on_terminal(quiet=False) as tell:
        made = make_dataset(name, shape_from(shape_class, values), folder, tell)
    say(made.location)


class _AdoptionGroup(click.Group):
    """One subcommand per dataset kind of which a user's own data can be adopted."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the kinds that say where they find data."""
        return [
            name
            for name, entry in registry.dataset_kinds().items()
            if entry.kind().adoption is not None
        ]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command that adopts data of one kind; raises UnknownName."""
        if name not in self.list_commands(ctx):
            raise UnknownName(
                "dataset kind that can be adopted", name, tuple(self.list_commands(ctx))
            )
        kind = registry.dataset_kind(name)
        assert kind.adoption is not None
        return click.Command(
            name,
            params=[
                *options(kind.adoption),
                click.Argument(["folder"], type=PLACE),
            ],
            callback=_adopt,
            short_help=f"Catalogue a {kind.title} of your own.",
            help=f"Catalogue a {kind.title} of your own in FOLDER, which must not exist or be empty. "
            "It is read once and stays where it is; trials read it there, and nothing is written.",
            epilog=f"\b\nExample:\n  python -m core dataset adopt {name} --store s3"
            " --address s3://bucket/prefix --layer landsat catalogue/",
        )


@dataset.group(
    "adopt",
    cls=_AdoptionGroup,
    help="Catalogue data of your own that is in a store, so that trials can read it there.",
    epilog="\b\nExample:\n  python -m core dataset adopt tile-layer --store s3"
    " --address s3://bucket/prefix --layer landsat catalogue/",
)
def adopt() -> None:
    """Group of one command per kind."""


_STALL = 300.0
"""Seconds without a word after which adopting is given up."""


@click.pass_context
def _adopt(ctx: click.Context, /, folder: Path, **values: Any) -> int:
    from core.trial.cancel import cancelled_by_signal
    from core.trial.helper_process import Adoption, NotAdoptedError

    name = ctx.info_name or ""
    declaring = registry.dataset_kind(name).adoption
    assert declaring is not None
    adoption = Adoption(name, shape_from(declaring, values), folder)
    with cancelled_by_signal() as asked:
        try:
            with told_on_terminal(quiet=False) as tell:
                for word in adoption.run(asked.cancel, stall=_STALL):
                    tell(word.detail or word.phase, word.done, word.total, word.unit)
        except NotAdoptedError:
            if not asked.by:
                raise
            say_on_stderr("interrupted; nothing was catalogued")
            return asked.code
    assert adoption.dataset is not None
    say(adoption.dataset.location)
    return 0
