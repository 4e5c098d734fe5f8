"""The card of results: one number, its price, how far to trust it, and what to do next."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

import building
import msgspec
import pytest
from msgspec.structs import replace
from parsing import parsed

from core import Headline, Load, Result, build
from core.desk import Act, Next, next_steps
from core.run import request_of
from core.tell.card_text import answer_of, progress_of
from core.tell.card_values import ResultCard
from core.tell.result_card import in_code, result_card
from core.tell.result_figures import Inside
from core.vocabulary import Cancelled, Dataset, specify
from core.vocabulary.registry import load_workload


def told(results: Sequence[Result], earlier: int = 0) -> tuple[ResultCard, Next]:
    """The card and the steps after a run with these results."""
    plan = building.plan([result.spec for result in results], repeats=3)
    run = building.run(plan, 9)
    answer = answer_of(results, progress_of(run, len(results), run.trials))
    return result_card(run, results, answer), next_steps(
        run, results, answer.advice, earlier=earlier
    )


def sweep(rates: dict[int, tuple[float, ...]]) -> list[Result]:
    return [
        building.good(building.spec(threads=threads), *values, first=10 * threads)
        for threads, values in rates.items()
    ]


SURE = {1: (1000.0, 1001.0, 1002.0), 4: (3000.0, 3001.0, 3002.0)}
UNSURE = {1: (1000.0, 1500.0, 700.0), 4: (1100.0, 800.0, 1600.0)}


def test_that_the_card_of_a_program_has_its_seconds_and_its_bytes() -> None:
    spec = building.spec("command", parameters={"run": "gzip {dataset}"})
    trials = [
        building.trial(spec, index=at, rate=1 / seconds, unit="run")
        for at, seconds in enumerate((2.0, 2.01, 2.02))
    ]
    card, _ = told([building.result(spec, trials)])
    assert (card.number, card.unit, card.interval) == ("2.0", "s/run", "± 5.74 % (99.75 %)")
    assert card.headline.text == "2.0 ± 0.1 s/run"
    assert card.figures[0].title == "Bytes"


def test_that_the_card_shows_the_best_setting_with_its_price() -> None:
    card, _ = told(sweep(SURE))
    assert card.number == "3,001"
    assert card.unit == "sequences/s"
    assert card.interval.startswith("± 0.")
    assert card.setting == "4 threads"
    assert [figure.title for figure in card.figures] == ["p99", "Open files", "Peak memory"]
    assert card.headline.mood == "good"
    assert card.reason.startswith("Use 4 threads: 3.00× 1 thread")


def test_that_a_single_run_says_its_figure_once() -> None:
    card, _ = told(sweep({4: SURE[4]}))
    assert card.number == "3,001"
    assert not card.reason
    assert not card.detail


@pytest.mark.parametrize("rate", [1000.0, 0.0], ids=["measured", "without a throughput"])
def test_that_what_trials_noted_is_below_the_answer_once(rate: float) -> None:
    of, note = building.spec(threads=4), "left out: /data/>.fa is no FASTA"
    trials = [
        building.trial(of, index=index, rate=rate or 1000.0, wrong=not rate, notes=(note,))
        for index in range(3)
    ]
    card, _ = told([building.result(of, trials)])
    assert card.detail.count(note) == 1


def test_that_badges_say_what_was_verified_and_what_was_wrong() -> None:
    card, _ = told(sweep(SURE))
    sure, verified, quiet = card.badges
    assert sure.text == "✓ sure"
    done = sum(trial.operations for result in sweep(SURE) for trial in result.trials)
    assert verified.text == f"✓ {done:,} sequences compared, all right"
    assert card.compared is not None
    assert card.compared.own
    assert quiet.text == "✓ machine quiet"
    of = building.spec(threads=2)
    wrong = building.result(of, [building.trial(of, wrong=3)])
    card, _ = told([wrong])
    assert card.badges[0].trust == "contradicted"
    assert card.badges[0].text.startswith("≠ 3 of ")
    assert not card.number


def test_that_a_badge_says_that_a_figure_is_doubtful() -> None:
    swept = sweep(SURE)
    *others, last = swept[-1].trials
    doubted = replace(last, doubt="It took more CPU time than there is.")
    swept[-1] = replace(swept[-1], trials=(*others, doubted))
    card, _ = told(swept)
    (badge,) = [one for one in card.badges if one.name == "figures doubtful"]
    assert badge.trust == "open"
    assert badge.help == doubted.doubt
    assert "hold the figure against another program" in card.text
    assert card.headline.mood == "open"


def test_that_the_text_says_data_machine_and_date_but_no_folders() -> None:
    card, _ = told(sweep(SURE))
    lines = card.text.splitlines()
    assert lines[0].startswith("3,001 sequences/s · ± ")
    assert lines[-1].startswith("snapshot (")
    assert "Ryzen 9, 8 cores" in lines[-1]
    assert " · 2026-02-02 02:40 UTC · " in lines[-1]
    assert "/data" not in card.text


def names(steps: Next) -> list[str]:
    return [step.name for step in steps.steps]


def test_that_what_is_open_leads_to_measuring_until_sure() -> None:
    card, steps = told(sweep(UNSURE))
    assert card.headline.mood == "open"
    first = steps.steps[0]
    assert first.name == "until sure"
    assert first.act is Act.MEASURE
    assert first.request is not None
    assert 0.0 < first.request.budget <= 600.0
    assert [axis.name for axis in first.request.axes] == ["threads"]
    assert "until sure" not in names(told(sweep(SURE))[1])


def test_that_the_sentence_of_what_leads_says_what_leads() -> None:
    card, _ = told(sweep(UNSURE))
    assert card.headline.text.startswith(f"{card.sentence}; ")
    assert re.fullmatch(r"Leading so far: \d threads?", card.sentence)


def test_that_a_run_that_was_measured_once_is_to_be_repeated() -> None:
    _, steps = told(sweep({4: (3000.0,)}))
    assert steps.steps[0].text.startswith("Repeat it 3 times (about ")
    assert steps.steps[0].request is not None
    assert steps.steps[0].request.repeats == 3
    _, steps = told(sweep({4: SURE[4]}))
    assert not {"until sure", "repeat"} & set(names(steps))


def test_that_the_best_setting_can_be_used_as_a_run_of_its_own() -> None:
    _, steps = told(sweep(SURE))
    (use,) = [step for step in steps.steps if step.name == "use"]
    assert use.act is Act.FILL
    assert use.request is not None
    assert use.request.values["threads"] == 4
    assert not use.request.axes
    assert "use" not in names(told(sweep({4: SURE[4]}))[1])


def test_that_where_workers_had_nothing_to_do_more_data_is_asked_for() -> None:
    def alone(result: Result) -> Result:
        first, *others = result.trials[0].workers
        workers = (first, *(msgspec.structs.replace(one, operations=0) for one in others))
        trials = [msgspec.structs.replace(trial, workers=workers) for trial in result.trials]
        return building.result(result.spec, trials)

    card, steps = told([alone(one) for one in sweep(SURE)])
    assert card.sentence == "Take more data"
    assert card.why.startswith("4 threads: 1 of 4 workers had work. How many are best cannot")
    assert card.headline.grade is None
    assert card.badges[0].bars == 0
    assert card.idle is not None
    assert [done > 0 for done in card.idle.idle] == [True, False, False, False]
    assert names(steps)[0] == "more data"


def test_that_beside_programs_that_take_the_cores_what_is_shown_is_for_now() -> None:
    def beside(result: Result) -> Result:
        first = msgspec.structs.replace(building.reading(0.0), queued=0.0, cpu_user=0.0)
        last = msgspec.structs.replace(building.reading(1.0), queued=0.6, cpu_user=0.4)
        trials = [msgspec.structs.replace(trial, first=first, last=last) for trial in result.trials]
        return building.result(result.spec, trials)

    card, steps = told([beside(one) for one in sweep(SURE)])
    assert card.number
    assert card.headline.beside
    assert "for now; on a quiet machine that cannot be told yet" in card.reason
    now, quiet, *_ = card.badges
    assert now.name.endswith(" for now")
    assert (now.trust, quiet.name) == ("open", "not told for quiet")
    assert {"wait", "use", "again"} <= {*names(steps)}


@pytest.mark.parametrize(("earlier", "offered"), [(0, False), (2, True)])
def test_that_only_a_second_run_is_compared_with_the_last(earlier: int, offered: bool) -> None:
    _, steps = told(sweep(SURE), earlier)
    assert ("compare" in names(steps)) is offered


def test_that_threads_which_wait_for_a_lock_lead_to_processes() -> None:
    one, four = (building.spec(threads=threads) for threads in (1, 4))
    results = [building.good(one, 1000.0, 1001.0, 1002.0), held_by_the_gil(four)]
    _, steps = told(results)
    (other,) = [step for step in steps.steps if step.name == "processes"]
    assert other.request is not None
    assert other.request.values["threads"] == 1
    assert other.request.axes[0].name == "processes"
    assert other.request.axes[0].values[:3] == (1, 2, 4)
    alike = {one.spec.digest: "" for one in results}
    why = Inside.of(results[1], results[0], alike, results).why
    assert why.startswith("Python's global lock lets one thread run at a time.")


def held_by_the_gil(of: building.RunSpec) -> Result:
    """A result whose processes were nearly always kept waiting for Python's global lock."""
    import msgspec

    trials = []
    for index in range(3):
        made = building.trial(of, index=20 + index, rate=1000.0 + index)
        workers = tuple(
            msgspec.structs.replace(worker, gil_looks=100, gil_held=95) for worker in made.workers
        )
        trials.append(msgspec.structs.replace(made, workers=workers))
    return building.result(of, trials)


def test_that_nothing_measured_offers_nothing() -> None:
    plan = building.plan([building.spec()])
    answer = answer_of((), progress_of(building.run(plan, 0), 0, 0))
    assert next_steps(building.run(plan, 0), (), answer.advice) == Next()
    card = result_card(building.run(plan, 0), (), answer)
    assert card.headline == Headline(
        mood="open", text="Not yet", detail="Nothing is measured so far."
    )
    assert not card.badges


def test_that_a_run_cancelled_before_anything_was_measured_offers_first_to_measure_again() -> None:
    of = building.spec()
    cut = building.trial(of, outcome=Cancelled(stage="measuring"))
    _, steps = told([building.result(of, [cut])])
    assert [step.name for step in steps.steps] == ["again", "report"]


def test_that_a_plan_leads_back_to_what_was_asked() -> None:
    specs = [building.spec(threads=threads) for threads in (1, 2, 8)]
    asked = request_of(building.plan(specs, repeats=5, budget=30.0, terms={"most_files": 7}))
    assert (asked.workload, asked.repeats, asked.budget) == ("fasta", 5, 30.0)
    assert [(axis.name, axis.values) for axis in asked.axes] == [("threads", (1, 2, 8))]
    assert asked.terms == {"most_files": 7}
    assert str(asked.dataset) == "/data/snapshot"
    searched = request_of(building.plan(specs, adaptive=True))
    assert searched.search


def written(workload: str, kind: str, **values: object) -> dict[str, str]:
    dataset = Dataset(kind=kind, location="/data/reads one", fingerprint="00ff")
    loaded = load_workload(workload)
    threads = values.pop("threads", 1)
    load = build(Load, {"threads": threads})
    return dict(loaded.in_code(build(loaded.parameters, values), load, dataset))


def test_that_a_program_is_its_own_command_with_the_values_filled_in() -> None:
    found = written(
        "command", "files", run=r"samtools sort -@ {threads} -l {level:1..9} {dataset}",
        level="6", threads=2,
    )  # fmt: skip
    assert found["Shell"] == "samtools sort -@ 2 -l 6 '/data/reads one'"
    assert 'samtools sort -@ "${{threads}}" -l 6 "${{dataset}}"' in found["Snakemake"]


@pytest.mark.parametrize(("access", "rw"), [("random", "randread"), ("sequential", "read")])
def test_that_fio_gets_the_same_reads_of_a_file_whose_name_it_would_split(
    tmp_path: Path, access: str, rw: str
) -> None:
    file = tmp_path / "reads:1"
    file.write_bytes(bytes(8192))
    dataset = Dataset(kind="files", location=str(file), fingerprint="00ff")
    raw = load_workload("raw")
    values = build(raw.parameters, {"access": access, "block_size": 4096})
    load = build(Load, {"threads": 2, "processes": 3, "page_cache": "cold"})
    found = shlex.split(dict(raw.in_code(values, load, dataset))["Shell"])
    name = f"filename={tmp_path}/reads\\:1"
    wanted = [name, f"rw={rw}", "bs=4096", "numjobs=6", "invalidate=1"]
    assert [one for one in wanted if f"--{one}" not in found] == []


def test_that_workflows_json_and_the_command_line_have_it_too(tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(bytes(8192))
    from core.vocabulary.registry import open_dataset

    spec = specify("raw", open_dataset(tmp_path / "data"), {"threads": 2, "processes": 2})
    found = {one.where: one.text for one in in_code(spec)}
    assert found["Snakemake"] == "threads: 4"
    assert found["Nextflow"] == "cpus 4"
    assert '"threads":2' in found["JSON"]
    assert parsed(found["Sluice"]).values["threads"] == 2


def test_that_a_setting_of_an_unknown_workload_has_what_needs_no_knowledge() -> None:
    spec = building.spec(threads=3, parameters={"another": 1})
    assert {one.where for one in in_code(spec)} >= {"Snakemake", "Nextflow", "JSON"}
