"""What is right is known before the clock, and where other output differs is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from driving import Driven, drive, open_job

from core import Command, Ran
from core.language import SluiceError
from core.run import Session
from core.tell.cli import main
from core.vocabulary import Plan, registry, specify
from workloads.command.content_comparer import ContentComparer
from workloads.command.differences import RunOutput
from workloads.command.reference import Reference

type Drive = Callable[..., Driven]

pytestmark = pytest.mark.usefixtures("folders")

SHORT = ("--duration", "0.1", "--warm-up", "0", "--no-floor", "--repeats", "1")


@pytest.fixture
def driven(data: Path) -> Drive:
    def drive_some(run: str, *, most: int = 1, **values: Any) -> Driven:
        return drive("command", data, most=most, run=run, **{"shell": True, **values})

    return drive_some


@pytest.mark.parametrize(
    ("threads", "asked", "told"),
    [
        ((2, 3), ("--repeats", "1"), "cut after 3,878 of 3,882 B"),
        (range(2, 121), ("--most-trials", "4", "--budget", "120s"), "cut after 3,410 of 3,882 B"),
    ],
)
def test_that_the_fewest_threads_are_right_whatever_comes_first(
    data: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    threads: Sequence[int],
    asked: tuple[str, ...],
    told: str,
) -> None:
    run = "head -n $((1000 - {threads})) {dataset} > {out}/n"
    session = tmp_path / "one.sluice"
    arguments = ["measure", "command", "--shell", "--run", run, *asked, "--same", "files"]
    arguments.append(f"threads={','.join(map(str, threads))}")
    arguments += ["--dataset", str(data), "--session", str(session), "--no-floor"]
    main([*arguments, "--duration", "0.1", "--warm-up", "0"])
    shown = capsys.readouterr().out
    assert f"other output than with threads=2: n: {told}" in shown
    with Session.read(session) as opened:
        wrong = {
            one.spec.load.threads: sum(trial.wrong for trial in one.trials)
            for one in opened.results()
            if one.trials
        }
    assert wrong.pop(2) == 0
    assert wrong
    assert all(wrong.values())


def test_that_each_plan_knows_the_fewest_threads_for_the_same_parameters(data: Path) -> None:
    dataset = registry.open_dataset(data)
    specs = tuple(
        specify("command", dataset, {"run": "true {threads} {level:1..9}", "level": level} | load)
        for level, load in ((1, {"threads": 4}), (1, {"threads": 2}), (2, {"threads": 3}))
    )
    slots = Plan(title="", specs=specs).slots()
    assert sorted((slot.spec.load.threads, slot.fewest) for slot in slots) == [
        (2, 2),
        (3, 3),
        (4, 2),
    ]


@pytest.mark.parametrize(
    ("run", "same", "told"),
    [
        ("date +%N", "stdout", "stdout: 1 line differs, line 1: "),
        ("date +%N > {out}/a", "files", "a: 1 line differs, line 1: "),
        ("touch {out}/a {out}/$(date +%N)", "files", " is missing"),
    ],
)
def test_that_what_differs_from_itself_is_not_compared(
    data: Path, run: str, same: str, told: str
) -> None:
    with pytest.raises(
        SluiceError, match="runs with the same setting write different output: "
    ) as raised:
        open_job("command", data, run=run, same=same, shell=True)
    assert told in str(raised.value)
    assert "--same none" in str(raised.value)


@pytest.mark.parametrize(
    ("run", "told"),
    [
        ("cat {dataset} > {out}/a; date +%N | gzip -n >> {out}/a", "--normalise, or give"),
        ("shuf {dataset} > {out}/a", "the order of lines differs: give --normalise 'LC_ALL=C sort"),
        (
            "shuf {dataset} | gzip -n > {out}/a",
            "order of lines differs: give --normalise 'gzip -dc | LC_ALL=C sort'",
        ),
        (
            '(echo "# seed $(date +%N)"; cat {dataset}) > {out}/a',
            "nothing but header lines differ: give --normalise \"sed '/^#/d'\"",
        ),
        (
            "(echo '# seed'; shuf {dataset}) | gzip -n > {out}/a",
            "give --normalise \"gzip -dc | sed '/^#/d' | LC_ALL=C sort\"",
        ),
    ],
)
def test_that_a_filter_is_named_behind_which_outputs_agree(data: Path, run: str, told: str) -> None:
    with pytest.raises(SluiceError) as raised:
        open_job("command", data, run=run, same="files", shell=True)
    assert told in str(raised.value)


@pytest.mark.parametrize(
    ("run", "same"),
    [
        ("true {out}", "files"),
        ("true {out}", "all"),
        ("echo; true {out}", "files"),
        ("mkfifo {out}/pipe", "files"),
        ("mkdir -p {out}/empty", "files"),
    ],
)
def test_that_nothing_is_not_compared_with_nothing(driven: Drive, run: str, same: str) -> None:
    with pytest.raises(SluiceError, match=r"put out nothing that could be compared .*\{out\}"):
        driven(run, same=same)


@pytest.mark.parametrize(
    ("run", "same"),
    [("touch {out}/empty", "files"), ("echo; true {out}", "all"), ("true {out}", "stdout")],
)
def test_that_an_empty_output_is_compared(driven: Drive, run: str, same: str) -> None:
    assert driven(run, same=same).clean


@pytest.mark.parametrize(
    ("run", "same", "told"),
    [
        ("echo {threads}", "stdout", "stdout: 1 line differs, line 1: 2"),
        ("echo {threads} > {out}/a", "all", "a: 1 line differs, line 1: 2"),
        ("touch {out}/a {out}/b{threads}", "files", "b1 is missing"),
        ("touch $(seq -f {out}/a%g {threads})", "files", "a2 is there in addition"),
        (
            "for i in 1 2; do echo {threads} > {out}/$i; done",
            "files",
            "1: 1 line differs, line 1: 2, and 1 more file",
        ),
        (
            "head -n $((1000 - {threads})) {dataset} | gzip -{threads} -c",
            "stdout",
            "stdout: cut after 3,882 of 3,886 B",
        ),
    ],
)
def test_that_other_output_is_told_with_its_place(
    driven: Drive, run: str, same: str, told: str
) -> None:
    assert driven(run, same=same, most=2).clean
    done = driven(run, same=same, most=2, threads=2)
    assert len(done.complaints) == 2
    for complaint in done.complaints:
        assert complaint.startswith("other output than with threads=1: ")
        assert told in complaint


class Rehearsal:
    """Makes outputs that are not measured: the numbers of the runs, or always the same."""

    def __init__(self, folder: Path, seconds: float, *, alike: bool) -> None:
        self.made = 0
        self._folder, self._seconds, self._alike = folder, seconds, alike
        comparer = ContentComparer(run_nothing, {}, folder, "")
        self.reference = Reference(folder / "cache", "run", (), self.make, comparer)

    @contextmanager
    def make(self, threads: int, number: int) -> Iterator[RunOutput]:
        self.made += 1
        yield self.output("1" if self._alike else str(self.made))

    def output(self, text: str) -> RunOutput:
        file = self._folder / f"stdout-{text}"
        file.write_text(f"{text}\n")
        return RunOutput(stdout=file, seconds=self._seconds)


def run_nothing(command: Command) -> Ran:
    raise SluiceError("no filter")


@pytest.mark.parametrize(("seconds", "made"), [(0.1, 2), (30.0, 1)])
def test_that_the_output_of_a_long_run_is_made_once(
    tmp_path: Path, seconds: float, made: int
) -> None:
    rehearsal = Rehearsal(tmp_path, seconds, alike=True)
    for _ in range(2):
        rehearsal.reference.make(1)
    assert rehearsal.made == made
    assert rehearsal.reference.known is not None
    assert rehearsal.reference.known.seconds == seconds


@pytest.mark.parametrize(
    ("alike", "threads", "told", "wrong_data"),
    [
        (True, 1, "runs with the same setting write different output: ", False),
        (False, 4, "runs with the same setting write different output: ", False),
        (True, 4, "other output than with threads=1: ", True),
    ],
)
def test_that_threads_are_not_blamed_for_what_differs_from_run_to_run(
    tmp_path: Path, alike: bool, threads: int, told: str, wrong_data: bool
) -> None:
    rehearsal = Rehearsal(tmp_path, 30.0, alike=alike)
    rehearsal.reference.make(1)
    fault = rehearsal.reference.complaint("other", threads, rehearsal.output("9"))
    rehearsal.reference.close()
    assert fault is not None
    assert fault.text.startswith(f"{told}stdout: 1 line differs, line 1: 9")
    assert ("--normalise" in fault.text) == (not wrong_data)
    assert fault.wrong_data is wrong_data


def test_that_a_long_run_is_not_repeated_to_warm_up(data: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    run = f"sh -c 'echo run >> {log}; sleep 0.5' sh {{threads}}"
    arguments = ["measure", "command", "threads=1,2", "--run", run, "--dataset", str(data)]
    arguments += ["--session", str(tmp_path / "one.sluice"), "--no-floor", "--repeats", "1"]
    main([*arguments, "--version-by", "", "--duration", "0.3", "--warm-up", "0.4"])
    # Of the first setting one to warm up, which tells how long it takes; of each one to measure.
    assert log.read_text().count("run") == 3
