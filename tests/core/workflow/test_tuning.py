"""A recorded run of small real steps, made by hand: what is measured, advised and left alone."""

from __future__ import annotations

from pathlib import Path

import building
import pytest

from core.language import UsageError
from core.vocabulary import Failed
from core.workflow import (
    grouped,
    measurements,
    sandbox_main,
    states_of,
    use_of,
    workflow_answer,
    write_overlay,
)
from core.workflow.recorded import Recorded, Step
from core.workflow.sandbox import recipe_of
from core.workflow.sandbox_main import main, version
from core.workflow.simulation import delay_of, jobs_of, makespan
from core.workflow.step_answer import Option, StepAnswer, step_answer, untold

needs_landlock = pytest.mark.skipif(version() < 1, reason="this kernel has no Landlock")


def step(
    name: str = "copy",
    template: str = "cat in.txt > out.txt; : {threads}",
    *,
    threads: int = 2,
    at: tuple[float, float] = (0.0, 10.0),
    folder: Path = Path("/nowhere"),
    after: tuple[int, ...] = (),
) -> Step:
    return Step(
        name=name,
        command=template.replace("{threads}", str(threads)),
        template=template if "{threads}" in template else "",
        threads=threads,
        inputs=(Path("in.txt"),),
        outputs=(Path("out.txt"),),
        folder=folder,
        started=at[0],
        ended=at[1],
        after=after,
    )


def run_of(*steps: Step, cores: int = 4, manager: str = "snakemake") -> Recorded:
    return Recorded(manager=manager, source=Path("Snakefile"), steps=steps, cores=cores)


def cheaper(one: Step, steps: Recorded, time: float) -> StepAnswer:
    """A step that takes that much longer with one thread."""
    group = next(group for group in grouped(steps) if group.name == one.name)
    stays = untold(group, "").options[0]
    fewer = Option(threads=1, granted=group.granted, time=time, low=time, high=time, peak=150e6)
    return StepAnswer(group=group, options=(stays, fewer), advised=stays)


def test_that_the_steps_with_most_core_hours_are_heavy_until_nine_tenths_are_covered() -> None:
    recorded = run_of(
        step("small", at=(0, 4)), step("large", at=(0, 80)), step("middle", at=(0, 16))
    )
    assert [(one.name, one.heavy) for one in grouped(recorded)] == [
        ("large", True), ("middle", True), ("small", False)
    ]  # fmt: skip


def test_that_the_typical_run_of_a_step_is_that_of_median_length() -> None:
    recorded = run_of(*(step(at=(0, seconds)) for seconds in (9, 1, 5)))
    (group,) = grouped(recorded)
    assert group.typical.ended == 5


def test_that_a_step_with_one_thread_or_without_a_number_stays_and_says_why() -> None:
    recorded = run_of(step("one", threads=1), step("none", "cat in.txt > out.txt", at=(0, 12)))
    reasons = {
        one.group.name: one.why_not for one in measurements(recorded, grouped(recorded), 600)
    }
    assert "1 thread already" in reasons["one"]
    assert "no number of threads" in reasons["none"]


def test_that_a_step_waits_for_cores_and_for_those_before_it() -> None:
    recorded = run_of(step(), step(), step(), step("last", after=(0, 1, 2)), cores=4)
    assert makespan(recorded, jobs_of(recorded), 4) == 30.0
    assert makespan(recorded, jobs_of(recorded), 6) == 20.0


def test_that_the_simulation_of_the_recorded_run_takes_as_long_as_the_run_did() -> None:
    recorded = run_of(step(at=(0, 10)), step("last", at=(12, 22), after=(0,)))
    delay, off = delay_of(recorded)
    assert delay == pytest.approx(1.0)
    assert off == pytest.approx(0.0, abs=1e-6)


def test_that_fewer_threads_are_advised_where_more_steps_then_run_at_once() -> None:
    steps = [step(at=(0, 10)), step(at=(0, 10)), step(at=(10, 20)), step(at=(10, 20))]
    recorded = run_of(*steps, cores=4)
    answer = workflow_answer(recorded, [cheaper(steps[0], recorded, 1.2)], 4)
    assert answer.steps[0].advised.threads == 1
    assert answer.before == pytest.approx(20.0)
    assert answer.after == pytest.approx(12.0)
    assert answer.core_seconds_after[0] == pytest.approx(48.0)


def test_that_threads_stay_where_the_run_would_end_later() -> None:
    recorded = run_of(step(), cores=4)
    answer = workflow_answer(recorded, [cheaper(recorded.steps[0], recorded, 1.2)], 4)
    assert answer.changes == ()


def test_that_a_profile_without_a_change_is_one_that_snakemake_reads(tmp_path: Path) -> None:
    recorded = run_of(step(), cores=4)
    answer = workflow_answer(recorded, [cheaper(recorded.steps[0], recorded, 1.2)], 4)
    # It refuses one that is a comment alone: a profile has to be a mapping.
    assert write_overlay(answer, tmp_path).read_text().splitlines()[-1] == "{}"


@pytest.mark.parametrize(
    ("manager", "name", "lines"),
    [
        ("snakemake", "config.yaml", ("  copy: 1", "    mem_mb: 200")),
        ("nextflow", "sluice.config", ("withName: 'copy' { cpus = 1; memory = '200 MB' }",)),
    ],
)
def test_that_an_overlay_says_threads_and_memory_and_replaces_no_file_of_the_users(
    manager: str, name: str, lines: tuple[str, ...], tmp_path: Path
) -> None:
    steps = [step() for _ in range(4)]
    recorded = run_of(*steps, cores=4, manager=manager)
    answer = workflow_answer(recorded, [cheaper(steps[0], recorded, 1.2)], 4)
    path = write_overlay(answer, tmp_path)
    assert path.name == name
    assert all(line in path.read_text() for line in lines)
    assert str(tmp_path) in use_of(answer, tmp_path)
    write_overlay(answer, tmp_path)
    path.write_text("mine")
    with pytest.raises(Exception, match="has not written it"):
        write_overlay(answer, tmp_path)
    assert path.read_text() == "mine"


def sandboxed(template: str, folder: Path) -> tuple[int, Path]:
    """The exit code of a step with 1 thread, and where its output is."""
    (folder / "in.txt").write_text("of the user")
    (folder / "out.txt").write_text("of the recorded run")
    (group,) = grouped(run_of(step(template=template, folder=folder)))
    path = folder.parent / "recipe.json"
    recipe = recipe_of(group, (1,), "snakemake")
    written = recipe.written()
    path.write_bytes(written.read_bytes())
    out = folder.parent / "out"
    out.mkdir()
    before = states_of(group.steps)
    assert main(["stage", str(path), str(out)]) == 0
    code = main(["run", str(path), str(out), "1"])
    assert states_of(group.steps) == before
    assert (folder / "in.txt").read_text() == "of the user"
    assert (folder / "out.txt").read_text() == "of the recorded run"
    return code, out / "out.txt"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "it's a $run\n{threads}"
    place.mkdir()
    return place


@needs_landlock
@pytest.mark.parametrize(
    "harm",
    [
        "rm in.txt",
        "echo changed >> in.txt",
        "touch -d 2001-01-01 in.txt; chmod 600 in.txt; printf %s \"$HOME 'quoted'\n\"",
        "echo to a log 2> log.txt",
    ],
)
def test_that_a_step_has_its_own_input_to_change_and_leaves_the_users(
    harm: str, folder: Path
) -> None:
    code, output = sandboxed(f"echo {{threads}} > out.txt; {harm}", folder)
    assert code == 0
    assert output.read_text() == "1\n"


@needs_landlock
def test_that_a_step_cannot_write_elsewhere_and_fails(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, _ = sandboxed(f"echo {{threads}} > {tmp_path}/elsewhere; echo > out.txt", folder)
    assert code != 0
    assert "Permission denied" in capfd.readouterr().err
    assert not (tmp_path / "elsewhere").exists()


@needs_landlock
def test_that_a_step_without_its_output_fails(folder: Path) -> None:
    code, _ = sandboxed("rm -f out.txt; : {threads}", folder)
    assert code != 0


def test_that_a_step_that_fails_says_so_in_its_own_words() -> None:
    """Not where it was run, nor by what."""
    why = "/opt/python ended with 1: /home/me/0.tree/../../outside.txt: Permission denied"
    of = building.spec(threads=2)
    trial = building.trial(of, outcome=Failed(stage="prepare", error="Unavailable", message=why))
    (group,) = grouped(run_of(step()))
    answer = step_answer(group, [building.result(of, [trial])], compared=True)
    assert answer.why_not == "../../outside.txt: Permission denied"


def test_that_no_step_is_run_where_nothing_keeps_it_from_writing_elsewhere(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox_main, "version", lambda: 0)
    (folder / "in.txt").touch()
    (group,) = grouped(run_of(step(folder=folder)))
    with pytest.raises(UsageError, match="Landlock"):
        recipe_of(group, (1, 2), "snakemake")
