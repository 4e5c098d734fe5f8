"""`lab`: throw-away servers on loopback, for stores that have none here."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any

import click

from core.lab.keeper_messages import Doing, NotStarted, Started
from core.lab.lab_client import Lab
from core.lab.lab_folder import SILENT, ServerState
from core.lab.recipe import DEADLINE
from core.lab.servers import SERVERS, recipe_of
from core.language import UsageError
from core.measure import READY
from core.tell.cli.flags import json_option, options, settings_of, whole
from core.tell.cli.terminal import print_json, reported_on_terminal, say, say_on_stderr
from core.vocabulary import Entry, Real, Value, declared, workloads

_LINES = 50
_DEADLINE = Real(
    name="deadline",
    default=DEADLINE,
    low=0.1,
    high=86_400,
    unit="seconds",
    help="Longest wait until each server answers.",
)


@click.group(
    "lab",
    help="Start throw-away servers on this computer.",
    epilog="\b\nExamples:\n"
    "  python -m core lab start s3\n"
    "  python -m core lab start proxy --of s3 --latency 20ms --rate 200\n"
    "  python -m core lab status\n"
    "  python -m core lab stop",
)
def lab() -> None:
    """Group of the lab's commands."""


def _shared_options() -> list[click.Parameter]:
    """The flags of all servers that have some; each flag once, with what it does to each."""
    by_name: dict[str, click.Option] = {}
    for name in SERVERS:
        recipe = recipe_of(name)
        for option in options(recipe.parameters) if recipe.parameters else []:
            first = by_name.setdefault(option.name or "", option)
            before = "" if first is option else f"{first.help} "
            first.help = f"{before}{recipe.name}: {option.help}"
    return list(by_name.values())


class _StartCommand(click.Command):
    """Its flags are declared by the servers."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Those of all servers, before `--help`."""
        own = super().get_params(ctx)
        return [*own[:-1], *_shared_options(), *own[-1:]]


@lab.command(
    "start",
    cls=_StartCommand,
    help="Start servers and wait until they answer: "
    + ", ".join(SERVERS)
    + ".\n\nWhat they need is fetched and built the first time, into Sluice's cache folder. They"
    " listen on 127.0.0.1 only, have random credentials, and keep their data until they are"
    " stopped. The address goes into a workload's --address, credentials into its secrets as"
    " lab:SERVER/NAME.",
    epilog="\b\nExit code 1 if a server does not start. 130 after Ctrl+C, which stops the servers that it began.\n\n\b\nExamples:\n"
    "  python -m core lab start s3\n"
    "  python -m core lab start s3 proxy --of s3 --latency 20ms --jitter 5ms --rate 200\n"
    "  python -m core lab start proxy --of s3 --bandwidth 50MB --connections 64\n"
    "  python -m core lab start synapse --latency 20ms --unavailable 0.05",
)
@click.argument("names", metavar="SERVER...", nargs=-1, required=True)
@click.option(_DEADLINE.flag, default=_DEADLINE.default, **settings_of(_DEADLINE))
@json_option
def start(names: tuple[str, ...], deadline: float, json: bool, **values: Any) -> int:
    chosen = _by_server(names, values)
    started: list[ServerState] = []
    failed: list[NotStarted] = []
    here = Lab()
    with reported_on_terminal(quiet=json) as report:
        here.prepare(names, report)
        with closing(here.start(names, options=chosen, deadline=deadline)) as answers:
            for answer in answers:
                match answer:
                    case Started(server=server):
                        started.append(server)
                    case NotStarted():
                        failed.append(answer)
                    case Doing(doing=doing):
                        report(doing)
    _print({"servers": started, "failed": failed}, started, json=json)
    for one in failed:
        remedy = f" ({one.remedy})" if one.remedy else ""
        # With the last lines that the server wrote.
        for line in f"sluice: {one.server}: {one.cause}{remedy}".split("\n"):
            say_on_stderr(line)
    return max((one.exit_code for one in failed), default=0)


@lab.command(
    "status",
    help="Ask which servers run and answer, and show their addresses and what they counted.",
    epilog="\b\nExit code 1 if a server has exited on its own, or does not answer.\n\n"
    "\b\nExample:\n  python -m core lab status --json",
)
@json_option
def status(json: bool) -> int:
    servers = Lab().servers()
    _print({"servers": servers}, servers, json=json)
    return 1 if any(one.state in ("ended", SILENT) for one in servers) else 0


@lab.command(
    "stop",
    help="Stop servers, all of them if none is named, and remove their data.",
    epilog="\b\nExamples:\n  python -m core lab stop\n  python -m core lab stop proxy",
)
@click.argument("names", metavar="[SERVER]...", nargs=-1)
@json_option
def stop(names: tuple[str, ...], json: bool) -> None:
    stopped = Lab().stop([recipe_of(name).name for name in names])
    if json:
        print_json({"stopped": stopped})
        return
    for name in stopped:
        say(f"{name} stopped")
    if not stopped:
        say("nothing was running")


@lab.command(
    "logs",
    help="Print the last lines of the servers' logs, also of stopped servers.",
    epilog="\b\nExample:\n  python -m core lab logs s3 --lines 200",
)
@click.argument("names", metavar="[SERVER]...", nargs=-1)
@click.option(
    "--lines",
    metavar="N",
    type=whole("lines", low=1),
    default=_LINES,
    show_default=True,
    help="Lines of each server.",
)
@json_option
def logs(names: tuple[str, ...], lines: int, json: bool) -> None:
    place = Lab().place
    servers = [recipe_of(name).name for name in names] or place.logged()
    tails = {
        f"{name}/{path.name.removesuffix('.log')}": path.read_text("utf-8", "replace").splitlines()[
            -lines:
        ]
        for name in servers
        for path in place.log_files(name)
    }
    if json:
        print_json({"logs": tails})
        return
    for title, last in tails.items():
        say(f"== {title} ==")
        for line in last:
            say(line)


def _by_server(names: Iterable[str], values: Mapping[str, Any]) -> dict[str, dict[str, Value]]:
    """The flags that were given, by the server that they belong to; raises UsageError."""
    flags = {name: value for name, value in values.items() if value is not None}
    chosen: dict[str, dict[str, Value]] = {}
    for name in names:
        recipe = recipe_of(name)
        own = [kind.name for kind in declared(recipe.parameters)] if recipe.parameters else []
        chosen[recipe.name] = {one: flags[one] for one in own if one in flags}
    used = {one for values in chosen.values() for one in values}
    for name in flags.keys() - used:
        raise UsageError(f"--{name} belongs to none of the servers named")
    return {name: values for name, values in chosen.items() if values}


def _print(whole: Mapping[str, object], servers: Sequence[ServerState], *, json: bool) -> None:
    if json:
        print_json(whole)
        return
    addresses = {one.name: one.address for one in servers if one.state == READY}
    for one in servers:
        say(f"{one.name:<10} {one.state:<9} {one.address}")
        for label, text in (
            ("secrets", ", ".join(one.secrets)),
            *(("use", text) for text in _uses(one.name, addresses)),
            ("options", _pairs(one.options)),
            ("counted", _pairs(one.counted)),
            ("problem", one.problem),
        ):
            if text:
                say(f"{'':<10} {label + ':':<9} {text}")
    if not servers and "failed" not in whole:
        say("nothing is running")


def _uses(server: str, addresses: Mapping[str, str]) -> Iterator[str]:
    """The arguments by which workloads use that server, if it is among those that serve."""
    if server not in addresses:
        return
    for entry in workloads().values():
        for use in entry.servers:
            in_front = use.in_front == server and use.server in addresses
            if use.server == server or (
                # It is asked instead of the one that is used.
                in_front and use.found(addresses)[use.parameter] == addresses[server]
            ):
                where = use.found({use.server: addresses[server]})
                yield shlex.join(["measure", entry.name, *_flags(entry, {**use.at, **where})])


def _flags(entry: Entry, values: Mapping[str, Value]) -> Iterator[str]:
    kinds = {kind.name: kind for kind in declared(entry.workload().parameters)}
    for name, value in values.items():
        yield from (kinds[name].flag, str(value))


def _pairs(values: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())
