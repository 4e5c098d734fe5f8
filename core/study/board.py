"""The tables of a study: published figures beside those measured here, and what each program wants.

Studies of programs repeat no publication: nothing is claimed, so nothing is judged.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from core.analysis.estimation import metric_estimate, ratio, typical
from core.language.translation import capitalised, marked, tr, tr_word
from core.language.units import NOTHING, show_count, show_estimate, show_ratio
from core.result.metrics import METRICS
from core.result.outcome import ending
from core.result.result import Result
from core.study.cells import StudyCell
from core.study.preset import Study
from core.tables.result_tables import figure_cell, floor_cell

_FLOOR = "floor"
"""A column that is no metric: the share of the speed of plain reads of the same files under the
same load."""


def _title(metric: str) -> str:
    return tr("of raw") if metric == _FLOOR else tr_word(METRICS[metric].name)


def _shown(result: Result | None, metric: str, everything: Sequence[Result]) -> str:
    if result is None:
        return NOTHING
    if metric == _FLOOR:
        return floor_cell(result, everything).text
    return figure_cell(METRICS[metric], typical(result, metric)).text


def _unmeasured(study: Study, cell: StudyCell, results: Mapping[str, Result]) -> str:
    dataset = next((result.spec.dataset for result in results.values()), None)
    return (
        study.unavailable(cell)
        or (dataset and study.reason(cell, dataset))
        or tr_word("not measured")
    )


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """The study's table: published and measured figures side by side, as texts."""

    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def scoreboard(
    study: Study, results: Mapping[str, Result], everything: Sequence[Result] = ()
) -> Board:
    """One row per cell, both sides also as ratios to the study's baseline cell, or the cell's own.

    `results` by the label of their cell; `everything` that was measured, for the floor.

    A cell that did not complete, or returned wrong data, shows its ending instead of a figure.
    """
    by_label = {cell.label: cell for cell in study.cells}
    rows = []
    for cell in study.cells:
        base = by_label[cell.base or study.baseline]
        result = results.get(cell.label)
        rows.append(
            (
                cell.label,
                show_figure(cell.published) if cell.published else NOTHING,
                _published_ratio(cell.published, base.published),
                _here(study, result),
                _ratio_here(study, results.get(base.label), result),
                *(_shown(result, metric, everything) for metric in study.columns),
                ending(result) if result else _unmeasured(study, cell, results),
            )
        )
    unit = study.unit
    return Board(
        titles=(
            tr("cell"),
            tr("published {unit}", unit=study.published_unit or unit),
            "×",
            tr("here {unit}", unit=unit),
            "×",
            *(_title(metric) for metric in study.columns),
            tr("ending"),
        ),
        rows=tuple(rows),
    )


def _here(study: Study, result: Result | None) -> str:
    if result is None or not result.valid:
        return NOTHING
    found = metric_estimate(result, study.metric).scaled(1.0 / study.scale)
    return NOTHING if found.value is None else show_estimate(found.value, found.low, found.high)


def _ratio_here(study: Study, base: Result | None, result: Result | None) -> str:
    if base is None or result is None or not (base.valid and result.valid):
        return NOTHING
    found = ratio(base, result, study.metric)
    return NOTHING if found is None else show_ratio(found)


def show_figure(value: float) -> str:
    return show_count(value) if value >= 100 else marked(f"{value:.3g}")


def _published_ratio(value: float | None, to: float | None) -> str:
    return show_ratio(value / to) if value and to else NOTHING


class ProgramAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What was found about one program."""

    program: str
    threads: int | None = None
    """To use; None for a program without threads, where nothing was usable, and where it cannot be
    told."""
    sure: bool = True
    rate: str = NOTHING
    """With its interval."""
    ratio: str = NOTHING
    """To one thread, or to as few as were usable, where that is told."""
    reason: str

    @property
    def text(self) -> str:
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
        return NOTHING
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
        return ProgramAnswer(program=program, rate=_here(study, one), reason=why)
    used = next((one for one in found if advice.spec and one.spec == advice.spec), None)
    if used is None:
        return ProgramAnswer(program=program, reason=ending(found[0]), sure=False)
    gain = advice.gain if advice.gain is not None and advice.gain.differs else None
    limited = diagnose_all(found, used.spec)
    reasons = (*advice.reasons[:1], limited.sentence if limited else "")
    return ProgramAnswer(
        program=program,
        threads=None if advice.untellable else used.spec.load.threads,
        sure=advice.usable,
        rate=_here(study, used),
        ratio=NOTHING
        if gain is None or gain.ratio is None or advice.untellable
        else show_ratio(gain.ratio),
        reason=" ".join(capitalised(text) for text in reasons if text),
    )
