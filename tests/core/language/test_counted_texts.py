"""Texts with counts in them: none says `1 files`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import tr

ROOT = Path(__file__).parents[3]
FACES = ("core", "workloads", "app")
PLAIN = ("desk", "tell")
"""Floors of the engine that also tell people what no window translates."""
NOUNS = (
    "accessions|bases|batches|blocks|bytes|characters|claims|comparisons|configurations|cores|curves"
    "|effects|entries|errors|files|folders|groups|letters|lines|nodes|operations|pairs|parts|places"
    "|processes|programs|reads|records|results|rows|runs|samples|sequences|sessions|settings|steps"
    "|threads|tiles|times|trials|values|warnings|workers"
)
_COUNTED = re.compile(rf"\{{[^{{}}]*\}} (?:more |other |shortened )?(?:{NOUNS})\b")

NEVER_ONE = {
    # none, or more than a thousand
    "from {low} to {high} by {step} are {count:,} values",
    # of what varies, or is compared, there are two at least
    "{} pairs: {}.",
    "{} of {} results",
    "{count} operations",
    "{count} of {of} settings may be the best",
    "any of the {of} settings may be the best",
    "{count} of {of} settings still open",
    "{more} threads reach {ratio} the throughput of {threads}",
    "{count} settings in turns",
    "{} lines",
    "what {} workers did in one trial",
    "{count:,} trials: too few to tell",
    "{count} settings, {first} to {last}: {reason}",
    "the same {count:,} lines in another order, from line {place:,} on",
    "the same {count:,} records in another order, from number {place:,} on",
    "{done} of {of} configurations measured so far",
    "{trials}; measuring all {settings} settings takes {sweep}",
    "{count} results here could be meant by {name}",
    "{start} → {end} threads: {price}",
    "{threads} threads reach {ratio} what one does",
    "{processes} processes reach {ratio} what as many threads do",
    "{count} nodes need a cluster",
    "Measuring all {settings} settings takes {whole} trials; the search ends when it is sure,"
    " after {most} trials at the latest.",
    "cores busy or wanted by the client: {busy} of {cores}, with {threads} threads in all",
    "Only {count} of {cores} cores may be used.",
    "{count} cores were asked for, and {allowed} may be used here",
    "latency percentiles of {} results",
    "Bars: {} of {} results. The numbers are in the table below.",
    " The best {} of {} results.",
    # a constant, or more than a constant
    "{count} values of {parameter}",
    "Repeat it {count} times (about {time})",
    "at least {count} trials of each are needed, and there are {fewest}",
    "at least {count} trials of each are needed",
    "it needs {count} trials that all went well to deny it",
    "about {count} trials of each would tell, in {time} more",
    "there would be {count:,} trials",
    "this tree would have {files:,} files",
    "write the smaller value first, and at most {most:,} values",
    "Colours and marks repeat after {} lines.",
    "One in up to {} operations was timed on its own, drawn at random; latencies are theirs.",
    "A process may open only {count:,} files at once.",
    "All your processes together may have only {count:,} threads.",
    "up to about {whole} files will be open in a process, where {allowed} may be: lower {what}, or "
    "raise `ulimit -n`",
    "{}… ({} characters)",
    "write tcp://HOST:PORT or tls://HOST:PORT of a Dask scheduler, or local:N for up to {most} workers "
    "here",
    "was cut off after {size} of at least {whole} bytes, or damaged at byte {offset}",
    "there would be {places:,} places for {tiles:,} of them",
    "{address} has fewer workers than {nodes} nodes",
    "{} trials",
    "{} of {} runs ",
    "{} of {} runs",
    " ({} of {} settings)",
    # no plurals of what was counted
    "give {program} more threads or a faster setting: the others have time",
    "{server} runs with other options",
    "{server} runs until it is stopped: {command}",
    "{title} runs on this computer.",
    "{title} runs on this computer until it is stopped (Run menu).",
    "{path} holds {kind} values in {axes}",
    # of one setting the trials are told, and nothing is found out
    "Finding out which of {of} settings is fastest",
    # of several settings some have few trials
    # of a fraction there are always several
    "limited: {granted} of {cores} cores granted",
    "others take {taken} of {cores} cores",
    "quiet, Sluice takes {own} cores",
    "they might use {one:g} and {two:g} cores",
    "{program} ({cores} cores)",
    "A quota allows the time of {quota:g} cores, of {cores}: with more threads, all of them are "
    "stopped in every period.",
}


def texts() -> Iterator[tuple[str, str]]:
    """Every text made for people, and where, but for those that are chosen by a count."""
    for file in (file for face in FACES for file in sorted((ROOT / face).rglob("*.py"))):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case (
                    ast.Call(func=ast.Name("tr"), args=[ast.Constant(value=str(text))])
                    | ast.Call(func=ast.Attribute(attr="tr"), args=[ast.Constant(value=str(text))])
                    | ast.Call(func=ast.Name("translate"), args=[_, ast.Constant(value=str(text))])
                ):
                    yield text, f"{file.relative_to(ROOT)}:{node.lineno}"
                case ast.JoinedStr(values=parts) if file.parts[len(ROOT.parts) + 1] in PLAIN:
                    told = (
                        str(one.value) if isinstance(one, ast.Constant) else "{}" for one in parts
                    )
                    yield "".join(told), f"{file.relative_to(ROOT)}:{node.lineno}"
                case _:
                    pass


def test_that_no_text_says_several_of_one() -> None:
    counted = {text: where for text, where in texts() if _COUNTED.search(text)}
    assert {text: where for text, where in counted.items() if text not in NEVER_ONE} == {}
    assert NEVER_ONE - counted.keys() == set()


@pytest.mark.parametrize(
    ("count", "told"),
    [(0, "0 files"), (1, "1 file"), (-1, "1 file"), (2, "2 files"), (1024, "1,024 files")],
)
def test_that_one_is_told_as_one(count: int, told: str) -> None:
    assert tr("1 file", "{count:,} files", count=count) == told
