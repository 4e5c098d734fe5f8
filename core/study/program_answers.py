"""Which number of threads each program of a study wants here: a row for each, its reason in words.

For studies of programs, which repeat no publication: nothing is claimed, so nothing is judged.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from core.analysis.estimation import metric_estimate, typical
from core.language.translation import tr, tr_word
from core.language.units import show_estimate, show_ratio
from core.result.ending import ending
from core.result.result import Result
from core.study.board import Board
from core.study.preset import Study


class ProgramAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What was found about one program."""

    program: str
    threads: int | None = None
    """To use; None for a program without threads, where nothing was usable, and where it cannot be
    told."""
    sure: bool = True
    rate: str = "–"
    """With its interval."""
    ratio: str = "–"
    """To one thread, or to as few as were usable, where that is told."""
    reason: str

    @property
    def told(self) -> str:
        """`zstd 4 threads`, `xz perhaps 2 threads`; empty where there is no number."""
        if self.threads is None:
            return ""
        count = tr("1 thread", "{count} threads", count=self.threads)
        return f"{self.program} {count if self.sure else _leading(count)}"


def program_answers(
    study: Study, results: Mapping[str, Result]
) -> tuple[tuple[ProgramAnswer, ...], tuple[str, ...]]:
    """A row for each program that is here or was measured; what is to be said of the others.

    `results` by the label of their cell.
    """
    answers: list[ProgramAnswer] = []
    missing: list[str] = []
    for program in study.programs:
        found = [
            results[cell.label]
            for cell in study.cells
            if cell.program == program and cell.label in results
        ]
        if found:
            answers.append(_answer(study, program, found))
        elif shutil.which(program) is None:
            missing.append(program)
        elif program not in study.elsewhere:
            answers.append(ProgramAnswer(program=program, reason=tr_word("not measured")))
    return tuple(answers), tuple(_remarks(study, missing))


def board_of_programs(study: Study, answers: Sequence[ProgramAnswer]) -> Board:
    """The answers as a table of texts."""
    return Board(
        titles=(
            tr("program"),
            tr("threads"),
            tr("here {unit}", unit=study.unit),
            tr("× 1 thread"),
            tr("reason"),
        ),
        rows=tuple(
            (one.program, _threads(one), one.rate, one.ratio, one.reason) for one in answers
        ),
    )


def _threads(one: ProgramAnswer) -> str:
    if one.threads is None:
        return "–"
    return str(one.threads) if one.sure else _leading(str(one.threads))


def _leading(threads: str) -> str:
    return tr("{threads} (leading)", threads=threads)


def _remarks(study: Study, missing: Sequence[str]) -> Iterator[str]:
    if missing:
        yield tr("not installed: {programs}", programs=", ".join(missing))
    for program, why in study.elsewhere.items():
        if program not in missing:
            yield f"{program}: {tr_word(why)}"


def _answer(study: Study, program: str, found: Sequence[Result]) -> ProgramAnswer:
    from core.analysis.advisor import advise
    from core.analysis.diagnosis import diagnose_all

    advice = advise(found)
    if advice is None:
        (one, *_) = found
        why = tr("it has no threads: for comparison") if one.valid else ending(one)
        return ProgramAnswer(program=program, rate=_rate(study, one), reason=why)
    used = next((one for one in found if advice.spec and one.spec == advice.spec), None)
    if used is None:
        return ProgramAnswer(program=program, reason=ending(found[0]), sure=False)
    gain = advice.gain if advice.gain is not None and advice.gain.told else None
    limited = diagnose_all(found, used.spec)
    reasons = (*advice.reasons[:1], limited.sentence if limited else "")
    return ProgramAnswer(
        program=program,
        threads=None if advice.untellable else used.spec.load.threads,
        sure=advice.usable,
        rate=_rate(study, used),
        ratio="–"
        if gain is None or gain.ratio is None or advice.untellable
        else show_ratio(gain.ratio),
        reason=" ".join(f"{text[:1].upper()}{text[1:]}" for text in reasons if text),
    )


def _rate(study: Study, result: Result) -> str:
    if not result.valid or typical(result, study.metric) is None:
        return "–"
    found = metric_estimate(result, study.metric).scaled(1.0 / study.scale)
    return "–" if found.value is None else show_estimate(found.value, found.low, found.high)
