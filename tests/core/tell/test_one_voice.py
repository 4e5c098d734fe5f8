"""All that is said of the order of settings, in every face, agrees with `compare` of their pairs.

Sessions are drawn: settings, blocks, noise, drift, failures, other programs that want the cores,
and settings that were not measured in every block.  What each face says of them is read back.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations

import building
import msgspec
import numpy as np
import pytest

from core.desk import chosen_result
from core.judge import (
    disturbances,
)
from core.judge.comparison import compare
from core.language import show_ratio
from core.tell.card_text import Progress, answer_of
from core.tell.checked import checked_in
from core.tell.cli.terminal_results import print_advice, show_headline
from core.tell.report.report_content import Chapter, card_of
from core.tell.report.report_tables import price_grid
from core.tell.result_card import _badges
from core.tell.result_figures import throughput_figure
from core.vocabulary import (
    Advice,
    Crashed,
    CurvesFigure,
    Result,
    Verdict,
    VerdictKind,
    differing,
    label,
    setting_of,
)

INJECTED = {"faster", "slower", "fastest", "the same", "as good", "not different", "grade", "price"}
FOUND = (1555,)
"""Of 2,000 sessions those in which faces contradicted each other."""
SESSIONS = int(os.environ.get("SLUICE_VOICES", "40"))
GRADES = ("leading", "surely within 10 %", "sure")
FASTER, SLOWER, SAME = VerdictKind.FASTER, VerdictKind.SLOWER, VerdictKind.SAME


@dataclass(frozen=True, kw_only=True)
class Said:
    """What all faces say of some results: texts by the name of the face, and what is drawn."""

    results: Sequence[Result]
    advice: Advice | None
    texts: Mapping[str, str]
    figure: CurvesFigure
    verdicts: Mapping[tuple[str, str], Verdict] = field(default_factory=dict)

    def of(self, baseline: str, candidate: str) -> Verdict:
        """What `compare` says of two settings by their names in texts."""
        return self.verdicts[baseline, candidate]


def drawn(rng: np.random.Generator) -> list[Result]:
    """The results of a session whose settings, noise, drift and accidents are drawn."""
    caches = ("lru", "none", "pool")[: rng.integers(1, 4)]
    some = rng.choice([1, 2, 3, 4, 8], size=rng.integers(1, 5), replace=False)
    settings = [(threads, cache) for cache in caches for threads in sorted(some.tolist())]
    if len(settings) < 2:
        settings = [(1, "lru"), (2, "lru")]
    noise, drift = rng.choice([0.001, 0.01, 0.03, 0.1]), rng.choice([0.0, 0.05, 0.2])
    equal, own = rng.random() < 0.4, rng.random(len(settings)) < 0.2
    levels = rng.normal(scale=0.01 if equal else 0.5, size=len(settings))
    blocks, busy = int(rng.integers(1, 9)), rng.random() < 0.1
    found, mood = {one: list[building.Trial]() for one in settings}, 0.0
    for block in range(blocks):
        mood += rng.normal(scale=drift)
        for at in rng.permutation(len(settings)).tolist():
            if block > 1 and rng.random() < 0.1:
                continue
            threads, cache = settings[at]
            spread = 5.0 * noise if own[at] else noise
            rate = 1000.0 * float(np.exp(levels[at] + mood + rng.normal(scale=spread)))
            index = len(settings) * block + at
            accident = {}
            if rng.random() < 0.01:
                accident = {"outcome": Crashed(stage="measuring", signal="SIGSEGV")}
            found[threads, cache].append(
                building.trial(
                    spec_of(threads, cache),
                    index=index,
                    block=block,
                    rate=rate,
                    moments=(),
                    **accident,
                )
            )
    results = [building.result(spec_of(*one), trials) for one, trials in found.items() if trials]
    return [crowded(one) for one in results] if busy else results


def spec_of(threads: int, cache: str) -> building.RunSpec:
    return building.spec(parameters={"cache": cache}, threads=threads)


def crowded(result: Result) -> Result:
    """Others took half of the time on the cores that it wanted."""
    first = msgspec.structs.replace(building.reading(0.0), queued=0.0, cpu_user=0.0, cpu_system=0.0)
    last = msgspec.structs.replace(building.reading(1.0), queued=1.0, cpu_user=1.0, cpu_system=0.0)
    trials = [msgspec.structs.replace(one, first=first, last=last) for one in result.trials]
    return msgspec.structs.replace(result, trials=tuple(trials))


def everything_said(results: Sequence[Result], printed: Callable[[], str]) -> Said:
    """What every face says; `printed` reads what was printed since it was called last."""
    answer = answer_of(results, Progress(of=len(results)))
    advice, headline = answer.advice, answer.headline
    card = card_of(Chapter(title="a run", results=tuple(results)))
    grid = price_grid(advice) if advice else None
    badges = _badges(results, answer, " ".join(disturbances(results)), checked_in(results))
    printed()
    if advice is not None:
        print_advice(advice)
    else:
        show_headline(headline, json=False)
    texts = {
        "headline": f"{headline.text} {headline.detail}",
        "badges": "\n".join(one.name for one in badges),
        "report": "\n".join((card.lead, *card.reasons)),
        "prices": "\n".join(" to ".join(row[:1]) + ": " + row[1] for row in grid.rows)
        if grid
        else "",
        "terminal": printed(),
    }
    return Said(
        results=results,
        advice=advice,
        texts=texts,
        figure=throughput_figure(results, advice),
        verdicts=_of_pairs(results),
    )


def _of_pairs(results: Sequence[Result]) -> dict[tuple[str, str], Verdict]:
    found = {}
    for one, two in permutations(results, 2):
        verdict = compare(one, two)
        for first, second in zip(_names(one, results), _names(two, results), strict=True):
            found[first, second] = verdict
    return found


def _names(result: Result, results: Sequence[Result]) -> tuple[str, str]:
    """A setting's names as advice writes them, and as labels do."""
    varied = differing([one.spec for one in results])
    values = {"threads": result.spec.load.threads, **result.spec.values}
    told = {name: values[name] for name in ("threads", *varied) if name in varied}
    return setting_of(told), label(result.spec, varied)


def contradictions(said: Said) -> list[str]:
    """Each statement of a face that the pairs, or another face, do not bear out."""
    found = [
        f"{face}: {why}"
        for face, text in said.texts.items()
        for why in (why for read in READERS for why in read(said, text))
    ]
    found += _of_more(said)
    found += _of_grades(said)
    found += _of_curves(said)
    return found


def _of_two(said: Said, text: str) -> Iterator[str]:
    """`A is faster than B: `, `No real difference between A and B`."""
    for (baseline, candidate), verdict in said.verdicts.items():
        for kind, words in ((FASTER, "faster"), (SLOWER, "slower")):
            if f"{candidate} is {words} than {baseline}: " in text and verdict.kind is not kind:
                yield f"{candidate} {words} than {baseline}, but {verdict.kind}"
        if (
            f"No real difference between {candidate} and {baseline}:" in text
            and verdict.kind is not SAME
        ):
            yield f"{candidate} and {baseline} the same, but {verdict.kind}"


def _of_the_fastest(said: Said, text: str) -> Iterator[str]:
    """`Fastest of 4 is A`."""
    for (baseline, candidate), verdict in said.verdicts.items():
        named = re.search(rf"Fastest of \d+ is {re.escape(candidate)}(?!\w)", text)
        if named and verdict.kind is not FASTER:
            yield f"{candidate} fastest, but {verdict.kind} to {baseline}"


def _of_the_advised(said: Said, text: str) -> Iterator[str]:
    """`Use A: 2.00× 1 thread`, `1.20× (1.10× to 1.30×) the best of B`."""
    if (advice := said.advice) is None or not advice.values:
        return
    used, base = setting_of(advice.values), setting_of(advice.baseline)
    for ratio in re.findall(
        rf"(?:Use|^) ?{re.escape(used)}(?: are enough)?: ([\d.,]+×) {base}", text
    ):
        verdict = said.of(base, used)
        if verdict.kind is not FASTER or show_ratio(verdict.ratio or 0.0) != ratio:
            yield f"{ratio} {base}, but {verdict.kind} {verdict.ratio}"
    for other in re.findall(r"faster than the next, ([^;\n]+);", text):
        if said.of(other, used).kind is not FASTER:
            yield f"faster than {other}, but {said.of(other, used).kind}"
    for figures, other in re.findall(r"([\d.,]+×) \([^)]*\) the best of ([^.\n]+)", text):
        verdict = said.of(other, used)
        if not verdict.differs or show_ratio(verdict.ratio or 0.0) != figures:
            yield f"{figures} the best of {other}, but {verdict.kind}"


def _of_lists(said: Said, text: str) -> Iterator[str]:
    """`As good within 5 %: A.`, `Not measurably different: A and B.`"""
    used = _first(said)
    for words, kinds in (
        (r"As good within 5 %", {SAME}),
        (r"Not measurably different", {VerdictKind.UNDECIDED, SAME}),
    ):
        for names in re.findall(rf"{words}: ([^.\n]+)\.", text):
            for name in re.split(r"; | and |, (?=\d+ thread)", names):
                if (used, name) in said.verdicts and said.of(used, name).kind not in kinds:
                    yield f"{words} {name}, but {said.of(used, name).kind} to {used}"


def _of_shares(said: Said, text: str) -> Iterator[str]:
    """`surely 97 % of any other`, `surely no other is faster`, `surely within 10 %`."""
    used = _first(said)
    least = [float(one) / 100.0 for one in re.findall(r"surely (\d+) % of any", text)]
    least += [1.0] if "surely no other" in text else []
    least += [0.9] if "surely within 10 %" in text else []
    for (baseline, candidate), verdict in said.verdicts.items():
        if baseline == used and verdict.kind is FASTER and verdict.low:
            for share in least:
                if verdict.low > 1.0 / share + 1e-9:
                    yield f"surely {share} of any other, but {candidate} is {verdict.figures}"


def _first(said: Said) -> str:
    """The name of the advised setting, or of the leading one."""
    if said.advice and said.advice.values:
        return setting_of(said.advice.values)
    best = chosen_result(said.results, None)
    return "" if best is None else _names(best, said.results)[1]


def _of_steps(said: Said, text: str) -> Iterator[str]:
    """`2 → 4 threads: +92 % throughput`, `2 to 4: throughput not measurably different`."""
    advice = said.advice
    if advice is None or not advice.values:
        return
    for start, end, told in re.findall(r"(\d+) (?:→|to) (\d+)(?: threads)?: ([^,\n]+)", text):
        names = [setting_of({**advice.values, "threads": int(one)}) for one in (start, end)]
        verdict = said.of(names[0], names[1])
        if gain := re.match(r"([+-]\d+) % throughput", told):
            if not verdict.differs or f"{100 * ((verdict.ratio or 0.0) - 1):+.0f}" != gain[1]:
                yield f"{start} → {end} {told}, but {verdict.kind} {verdict.ratio}"
        elif ("the same" in told and verdict.kind is not SAME) or (
            "not measurably" in told and verdict.differs
        ):
            yield f"{start} → {end} {told}, but {verdict.kind}"


def _of_the_cheapest(said: Said, text: str) -> Iterator[str]:
    """What is not measurably different from the advised setting needs no fewer threads."""
    advice = said.advice
    if advice is None or "threads" not in advice.values:
        return
    threads = int(str(advice.values["threads"]))
    for names in re.findall(r"Not measurably different: ([^.\n]+)\.", text):
        for fewer in re.findall(r"(?:^|; | and |, )(\d+) thread", names):
            if int(fewer) < threads:
                yield f"{threads} threads advised, but {fewer} are not measurably different"


READERS = (
    _of_two,
    _of_the_fastest,
    _of_the_advised,
    _of_lists,
    _of_shares,
    _of_steps,
    _of_the_cheapest,
)


def _of_more(said: Said) -> Iterator[str]:
    """`more threads are slower`, and what else is said of them."""
    advice = said.advice
    if advice is None or not advice.confident:
        return
    used = setting_of(advice.values)
    numbers = {one.spec.load.threads for one in said.results}
    more = [
        said.verdicts[used, name]
        for threads in numbers
        if threads > int(str(advice.values["threads"]))
        and (used, name := setting_of({**advice.values, "threads": threads})) in said.verdicts
    ]
    more = [one for one in more if one.kind is not VerdictKind.INVALID]
    for face in ("headline", "report", "terminal"):
        text = said.texts[face]
        if "more threads are slower" in text and {one.kind for one in more} != {SLOWER}:
            yield f"{face}: more threads slower, but {[one.kind for one in more]}"
        if "not measurably faster" in text and FASTER in {one.kind for one in more}:
            yield f"{face}: more threads not faster, but {[one.kind for one in more]}"
        for share in re.findall(r"more threads gain less than (\d+) %", text):
            if any((one.low or 0.0) > 1.0 + int(share) / 100.0 for one in more):
                yield f"{face}: gain less than {share} %, but {[one.figures for one in more]}"


def _of_grades(said: Said) -> Iterator[str]:
    """The grade is one and the same on badge, in the sentence and in the plot."""
    (badge,) = [one for one in said.texts["badges"].splitlines() if one in GRADES] or [""]
    lead = said.texts["headline"]
    for face in ("headline", "report", "terminal"):
        text = said.texts[face]
        if "for now: surely within 10 %" in text and badge != "surely within 10 %":
            yield f"{face}: surely within 10 %, but {badge!r}"
        if re.search(r"^Leading", text) and badge == "surely within 10 %":
            yield f"{face}: leading, but {badge!r}"
        if text.startswith("None of the other") and badge != "sure":
            yield f"{face}: none is faster, but {badge!r}"
        if text.startswith("Fastest of") and badge != "sure":
            yield f"{face}: fastest, but {badge!r}"
    told = said.figure.advised
    if told.startswith("leading") and badge != "leading":
        yield f"plot: {told!r}, but {badge!r}"
    if told.startswith("use") and not lead.startswith(("Use", told[4:])) and not badge:
        yield f"plot: {told!r}, but {lead!r}"


def _of_curves(said: Said) -> Iterator[str]:
    """What a step is told to bring or cost is what its pair says."""
    for curve in said.figure.curves:
        for price in curve.prices:
            names = [
                f"{one} threads" if one > 1 else "1 thread" for one in (price.start, price.end)
            ]
            names = [f"{one} with {curve.name}" if curve.name else one for one in names]
            if tuple(names) in said.verdicts and said.of(*names).kind is not price.verdict.kind:
                yield f"plot: {price.sentence}, but {said.of(*names).kind}"


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Callable[[], str]:
    return lambda: capsys.readouterr().out


@pytest.mark.parametrize("part", range(4))
def test_that_no_face_contradicts_another_or_the_pairs(
    part: int, printed: Callable[[], str]
) -> None:
    found = Counter[str]()
    for seed in (*range(part, SESSIONS, 4), *FOUND[part::4]):
        results = drawn(np.random.default_rng(seed))
        said = everything_said(results, printed)
        assert contradictions(said) == [], f"session {seed}"
        for name, (face, text) in injected(said).items():
            assert contradictions(with_said(said, face, text)), f"session {seed}: {name}, {text}"
            found[name] += 1
    print(f"{len(range(part, SESSIONS, 4))} sessions, found of what was injected: {dict(found)}")
    assert found.keys() >= INJECTED


def with_said(said: Said, face: str, text: str) -> Said:
    return replace(said, texts={**said.texts, face: text})


def injected(said: Said) -> dict[str, tuple[str, str]]:
    """A false statement of each kind, as far as the session has what it is false about."""
    return {**_of_pairs_injected(said), **_of_used_injected(said), **_of_advice_injected(said)}


def _of_pairs_injected(said: Said) -> dict[str, tuple[str, str]]:
    pairs = {one.kind: names for names, one in said.verdicts.items()}
    found = {}
    if names := pairs.get(VerdictKind.UNDECIDED) or pairs.get(SAME):
        one, two = names
        found["faster"] = "headline", f"{two} is faster than {one}: 1.20× (1.10× to 1.30×)."
        found["slower"] = "terminal", f"{two} is slower than {one}: 0.80× (0.70× to 0.90×)."
        found["fastest"] = "headline", f"Fastest of 3 is {two}: 1,720 sequences/s"
    if names := pairs.get(VerdictKind.UNDECIDED) or pairs.get(FASTER):
        found["the same"] = "report", f"No real difference between {names[1]} and {names[0]}: 1.00×"
    return found


def _of_used_injected(said: Said) -> dict[str, tuple[str, str]]:
    used, found = _first(said), {}
    for (base, name), one in said.verdicts.items():
        if base != used or "," in name:
            continue
        if one.kind is VerdictKind.UNDECIDED:
            found["as good"] = "report", f"As good within 5 %: {name}."
        if one.differs:
            found["not different"] = "report", f"Not measurably different: {name}."
        if one.kind is FASTER and one.low and one.low > 1.01:
            found["no other"] = "terminal", "the best measured; surely no other is faster."
    return found


def _of_advice_injected(said: Said) -> dict[str, tuple[str, str]]:
    found, advice = {}, said.advice
    if advice is None or not advice.values:
        return found
    used, threads = setting_of(advice.values), int(str(advice.values["threads"]))
    if advice.confident and not _all_slower(advice):
        found["more threads"] = "headline", f"Use {used}; more threads are slower."
    if "surely within 10 %" not in said.texts["badges"]:
        found["grade"] = "report", f"Use {used} for now: surely within 10 % of anything measured."
    if threads > 1:
        found["cheapest"] = "terminal", "Not measurably different: 1 thread."
    for one in advice.steps[:1]:
        text = f"  price    {one.start} → {one.end} threads: +9999 % throughput"
        found["price"] = "terminal", text
    return found


def _all_slower(advice: Advice) -> bool:
    return {one.kind for one in advice.beyond} == {SLOWER}


STEP = {1: (1000.0, 1010.0, 990.0), 2: (1700.0, 1760.0, 1710.0), 4: (1650.0, 1800.0, 1560.0)}


@pytest.fixture
def plain(printed: Callable[[], str]) -> Said:
    """What is said of a sweep in which 4 threads cannot be told from 2."""
    results = [
        building.good(spec_of(threads, "lru"), *(2 * rates)) for threads, rates in STEP.items()
    ]
    said = everything_said(results, printed)
    assert contradictions(said) == []
    assert said.of("2 threads", "4 threads").kind is VerdictKind.UNDECIDED
    return said


@pytest.mark.parametrize(
    ("face", "text"),
    [
        ("headline", "2 threads: 1.72× 1 thread; more threads are slower."),
        ("headline", "Fastest of 3 is 2 threads: 1,720 sequences/s"),
        ("terminal", "price 1 → 2 threads: +95 % throughput"),
        ("terminal", "price 2 → 4 threads: -3 % throughput"),
        ("report", "As good within 5 %: 4 threads."),
        ("report", "Not measurably different: 1 thread."),
        ("terminal", "4 threads is slower than 2 threads: 0.95× (0.90× to 1.00×)"),
        ("badges", "sure\nleading"),
    ],
)
def test_that_a_contradiction_is_found(plain: Said, face: str, text: str) -> None:
    said = replace(plain, texts={**plain.texts, face: text})
    if face == "badges":
        with pytest.raises(ValueError, match="too many values"):
            contradictions(said)
    else:
        assert contradictions(said)
