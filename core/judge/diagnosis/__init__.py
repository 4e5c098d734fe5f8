"""Why is it not faster?  The bottleneck of a result, from what its trials recorded.

    diagnose(result, beside)        `beside`: results of the same sweep, the raw floor, and the pair
                                    of processes and threads where they were measured
    diagnose_all(results, chosen)   the one diagnosis to show with a sweep's or a search's answer
    probe(spec)                     the specs that tell a lock from a device

The rules stand from the surest to the vaguest; the first that holds names the cause.  Where more
than TAKEN of the cores was in other programs' hands, threads that want to run are no proof that
they limit themselves.  The figures of OF_CORES would look the same, so these are not sure; waits
for a disk, a server or a lock would not.

A wrong cause is worse than none: UNKNOWN is an answer too, and lists what was seen.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Sequence

import msgspec

from core.judge.diagnosis import rules, rules_of_servers
from core.judge.diagnosis.case import (
    Case,
    Finding,
    gain_text,
    others_text,
    parts_text,
    wait_text,
)
from core.judge.diagnosis.facts import Facts, facts_of
from core.judge.estimation import typical
from core.judge.floor_share import share_of_store
from core.judge.workload_facts import shared_reader
from core.language import show_ratio, tr
from core.measure import is_bare, same_drive, without_bare_files
from core.vocabulary import (
    TAKEN,
    Cause,
    Confidence,
    Diagnosis,
    Result,
    RunSpec,
    alike_but_for,
    differing,
    distinguishing,
    label,
    settled,
)

OF_CORES = frozenset({Cause.CPU, Cause.DECOMPRESSION, Cause.PAGE_CACHE})
NO_GAIN = 1.1
"""Threads that reach less than so many times a setting's throughput do not help it."""

FAILING: tuple[Callable[[Case], Finding | None], ...] = (
    rules.shared_reader,
    rules.descriptors,
    rules_of_servers.backpressure,
)
RULES: tuple[Callable[[Case], Finding | None], ...] = (
    *FAILING,
    rules_of_servers.programs,
    rules.harness,
    rules_of_servers.pauses,
    rules_of_servers.stall,
    rules_of_servers.client,
    rules_of_servers.bandwidth,
    rules_of_servers.network,
    rules.gil,
    rules.device,
    rules.page_cache,
    rules.lock,
    rules.latency,
    rules.decompression,
    rules.cpu,
)


def diagnose(result: Result, beside: Sequence[Result] = ()) -> Diagnosis:
    """The bottleneck of one result; `beside` can hold any results, this one too."""
    return _diagnosis(result, beside, find(_case(result, beside)))


def diagnose_all(results: Sequence[Result], chosen: RunSpec | None = None) -> Diagnosis | None:
    """What limits the chosen setting, or else the leading one; None where nothing was measured.

    Few threads do not always show what keeps more of them from helping: one that computes all the
    time would gain from a second by all that is seen of it.  Where more were measured and bring
    nothing, what they show is the limit.
    """
    own = [one for one in without_bare_files(results) if one.trials]
    if not own:
        return None
    chosen_result = next((one for one in own if chosen and one.spec.digest == chosen.digest), None)
    focus = chosen_result or _leading(own)
    finding = find(_case(focus, results))
    beyond = _beyond(focus, own) if focus.valid else None
    if beyond is None or not (finding.threads_help or finding.cause is Cause.UNKNOWN):
        return _diagnosis(focus, results, finding)
    case = _case(beyond, results)
    more = find(case)
    if focus.spec.load.threads > 1 or case.gain is None or gain_text(case) not in more.evidence:
        evidence = (*more.evidence, _more_threads_text(focus, beyond))
        more = dataclasses.replace(more, evidence=evidence)
    return _diagnosis(focus, results, more)


def _leading(own: Sequence[Result]) -> Result:
    valid = [one for one in own if one.valid]
    if len(valid) < 2:
        return next(iter(valid), own[0])
    from core.judge.ranking import ranking_of

    return ranking_of(valid).leader


def _beyond(focus: Result, own: Sequence[Result]) -> Result | None:
    """More threads that bring nothing: beside one thread the fewest, beside several the most."""
    enough = NO_GAIN * (typical(focus) or 0.0)
    more = sorted(
        (
            one
            for one in own
            if one.valid
            and one.spec.load.threads > focus.spec.load.threads
            and alike_but_for(one.spec, focus.spec, ("threads",))
            and (typical(one) or 0.0) < enough
        ),
        key=lambda one: one.spec.load.threads,
    )
    if not more:
        return None
    return more[0] if focus.spec.load.threads == 1 else more[-1]


def _more_threads_text(focus: Result, beyond: Result) -> str:
    return tr(
        "{more} threads reach {ratio} the throughput of {threads}",
        more=beyond.spec.load.threads,
        ratio=show_ratio((typical(beyond) or 0.0) / (typical(focus) or math.inf)),
        threads=focus.spec.load.threads,
    )


def _case(result: Result, beside: Sequence[Result]) -> Case:
    load = result.spec.load
    workers = load.workers
    return Case(
        facts=facts_of(result),
        raw=is_bare(result),
        remote=_remote(result),
        floor=_floor(result, beside),
        single=_facts(_with(result, beside, threads=1, processes=load.processes))
        if load.threads > 1
        else None,
        spread=_facts(_with(result, beside, threads=1, processes=workers))
        if load.processes == 1 and load.threads > 1
        else None,
        shared=shared_reader(result, beside),
        gains=_gains(result, beside),
    )


def _gains(result: Result, beside: Sequence[Result]) -> bool:
    alike = [
        one
        for one in beside
        if one.valid and alike_but_for(one.spec, result.spec, ("threads",)) and one is not result
    ]
    threads, rate = result.spec.load.threads, typical(result) or 0.0
    fewer = [typical(one) or 0.0 for one in alike if one.spec.load.threads < threads]
    most = all(one.spec.load.threads <= threads for one in alike)
    return bool(fewer) and most and rate >= NO_GAIN * max(fewer)


def _diagnosis(result: Result, beside: Sequence[Result], finding: Finding) -> Diagnosis:
    kin = [one.spec for one in beside if one.spec.workload == result.spec.workload]
    names = distinguishing([result.spec, *kin])
    return Diagnosis(
        cause=finding.cause,
        confidence=finding.confidence,
        of=label(result.spec, names or ("threads",)),
        evidence=(*finding.evidence, *filter(None, [share_of_store(result, beside)])),
        advice=finding.advice,
    )


def probe(spec: RunSpec) -> tuple[RunSpec, ...]:
    """What to measure beside a setting to see why its threads wait: one, threads, processes."""
    count = max(2, spec.load.threads)
    loads = ((1, 1), (count, 1), (1, count))
    specs = (
        settled(
            msgspec.structs.replace(
                spec,
                load=dataclasses.replace(spec.load, threads=threads, processes=processes),
            )
        )
        for threads, processes in loads
    )
    return tuple({one.digest: one for one in specs}.values())


def _with(
    result: Result, beside: Sequence[Result], *, threads: int, processes: int
) -> Result | None:
    """The valid result that has these threads and processes and is otherwise alike.

    Prefers one whose items were drawn alike and whose failures were handled alike.
    """
    matches = [
        one
        for one in beside
        if one.valid
        and (one.spec.load.threads, one.spec.load.processes) == (threads, processes)
        and alike_but_for(one.spec, result.spec, ("threads", "processes"))
    ]
    return min(matches, key=lambda one: len(differing([one.spec, result.spec])), default=None)


def _facts(result: Result | None) -> Facts | None:
    return facts_of(result) if result is not None else None


def _remote(result: Result) -> str:
    values = result.spec.parameters.values()
    if not result.spec.dataset.local or any(map(_is_server, values)):
        return tr("the data is on a server")
    system = result.file_system
    if system is None or not system.network:
        return ""
    return tr("the data is on a network file system ({type})", type=system.type)


def _is_server(value: object) -> bool:
    """Whether a parameter is the address of a store elsewhere, such as `s3://bucket`."""
    return isinstance(value, str) and bool(re.match(r"(?!file:)[a-z][a-z0-9+.-]*://", value))


def _floor(result: Result, beside: Sequence[Result]) -> float | None:
    """Bytes per second of the fastest plain reads of the same data with the same load."""
    load = result.spec.load
    rates = [
        rate
        for one in beside
        if is_bare(one)
        and one.spec.dataset.location == result.spec.dataset.location
        and same_drive(one.spec.load, load)
        and (rate := typical(one, "byte_rate"))
    ]
    return max(rates, default=None)


def find(case: Case) -> Finding:
    """The first rule that holds, or UNKNOWN with what was seen.

    Where no trial went well, only what can make operations fail is a cause: what the others saw of
    an ended program says nothing of one that does its work.
    """
    for rule in RULES if case.facts.rate is not None else FAILING:
        if finding := rule(case):
            return _with_parts(case.facts, _beside_others(case, finding))
    unknown = Finding(cause=Cause.UNKNOWN, confidence=Confidence.NONE, evidence=_evidence(case))
    return _with_parts(case.facts, unknown)


def _with_parts(facts: Facts, finding: Finding) -> Finding:
    """The same, with the parts of an operation that is the whole of a program or a client."""
    if facts.busy is None and not facts.client:
        return finding
    return dataclasses.replace(finding, evidence=(*finding.evidence, *parts_text(facts)))


def _beside_others(case: Case, finding: Finding) -> Finding:
    """The same, but not sure where other programs had cores that the threads wanted."""
    if finding.cause not in OF_CORES or case.facts.taken <= TAKEN:
        return finding
    quiet = tr("wait until the machine is quiet, then measure again")
    return dataclasses.replace(
        finding,
        confidence=Confidence.LIKELY,
        evidence=tuple(dict.fromkeys((*finding.evidence, others_text(case.facts)))),
        advice=quiet if finding.cause is Cause.CPU else finding.advice,
    )


def _evidence(case: Case) -> tuple[str, ...]:
    """What was seen, for results that fit no rule."""
    facts, observations = case.facts, []
    if facts.rate is None:
        observations.append(tr("no trial went well"))
    if facts.waiting is not None:
        observations.append(wait_text(facts.waiting))
    if case.threads > 1 and case.gain is not None:
        observations.append(gain_text(case))
    if facts.waiting is not None and facts.waiting >= rules.WAITS and case.apart is None:
        observations.append(tr("whether processes would do better was not measured"))
    return tuple(observations)
