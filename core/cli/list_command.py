"""`list`: what can be measured, and on what."""

from __future__ import annotations

from typing import Any

import click

from core.catalog import registry
from core.catalog.declarations import declared
from core.catalog.parameters import Choice, Kind
from core.cli.terminal import print_json, say
from core.errors import Unavailable


@click.command(
    "list",
    help="List workloads with their parameters, and the kinds of dataset they read.",
    epilog="\b\nExample:\n  python -m core list --json",
)
@click.option("--json", is_flag=True, help="Print as JSON.")
def list_workloads(json: bool) -> None:
    """Print every workload; one whose driver is missing says how to get it."""
    listed = [_describe(name) for name in registry.workloads()]
    kinds = [
        {"name": entry.name, "title": entry.title} for entry in registry.dataset_kinds().values()
    ]
    if json:
        print_json({"workloads": listed, "dataset_kinds": kinds})
        return
    for one in listed:
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
    say("datasets", bold=True)
    for kind in kinds:
        say(f"  {kind['name']:<14} {kind['title']}")


def _describe(name: str) -> dict[str, Any]:
    entry = registry.workloads()[name]
    told: dict[str, Any] = {"name": entry.name, "title": entry.title, "purpose": entry.purpose}
    try:
        workload = entry.workload()
    except Unavailable as missing:
        return told | {"unavailable": str(missing), "parameters": []}
    return told | {
        "unavailable": "",
        "parameters": [_row(kind) for kind in declared(workload.parameters)],
    }


def _row(kind: Kind) -> dict[str, object]:
    choices = []
    if isinstance(kind, Choice):
        for value, option in kind.options.items():
            missing = option.driver is not None and not option.driver.installed
            hint = (
                f"  (unavailable: install {option.driver.install})"
                if missing and option.driver
                else ""
            )
            choices.append({"value": value, "help": option.help, "unavailable": hint})
    return {
        "name": kind.name,
        "default": kind.default,
        "default_by_dataset": kind.by_dataset,
        "help": kind.help,
        "options": choices,
    }
