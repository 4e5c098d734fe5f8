"""What is chosen and said before signals are measured: a reader for the data, too few reads."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from signal_pairs import made_pair

from core.desk import Preflight
from core.language import InvalidParameter
from core.measure import of_little_data
from core.run import Request, task_of
from core.tell.cli import main
from core.vocabulary import Axis, Dataset, open_dataset, specify
from workloads.signal.make_signal import SignalShape

BLOW5, POD5 = "reads.zlib.blow5", "reads.pod5"
FOR_BLOW5, FOR_POD5 = "blow5-pool", "pod5-c-io"


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory, made: Callable[[str], Dataset]) -> Path:
    return made_pair(tmp_path_factory, made, SignalShape(reads=20, median_length=100))


def readers(pair: Path, file: str, **asked: Any) -> set[object]:
    """The readers of what a request plans for that file."""
    request = Request(workload="signal", floor=False, dataset=pair / file, **asked)
    return {
        spec.parameters["reader"] for spec in task_of(request, open_dataset(pair / file)).plan.specs
    }


@pytest.mark.parametrize(("file", "usual"), [(BLOW5, FOR_BLOW5), (POD5, FOR_POD5), ("", FOR_BLOW5)])
def test_that_the_usual_reader_reads_the_data(pair: Path, file: str, usual: str) -> None:
    assert readers(pair, file) == {usual}
    assert readers(pair, file, axes=(Axis("threads", (1, 2)),)) == {usual}
    searched = (Axis("threads", (1, 2)), Axis("batch_size", (1, 2)))
    assert readers(pair, file, axes=searched, search=True) == {usual}


def test_that_a_reader_that_was_named_is_kept_or_refused(pair: Path) -> None:
    assert readers(pair, POD5, values={"reader": "pod5-mmap"}) == {"pod5-mmap"}
    assert readers(pair, BLOW5, values={"reader": "blow5-c"}) == {"blow5-c"}
    with pytest.raises(InvalidParameter, match="blow5-pool does not read pod5"):
        readers(pair, POD5, values={"reader": FOR_BLOW5})
    varied = (Axis("reader", ("pod5-io", "pod5-mmap", "blow5-c")),)
    assert readers(pair, POD5, axes=varied) == {"pod5-io", "pod5-mmap"}


def test_that_pod5_is_measured_by_who_says_no_more(
    pair: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = tmp_path / "reads.sluice"
    asked = ["--dataset", str(pair / POD5), "--duration", "0.1s", "--repeats", "1", "--no-floor"]
    assert main(["measure", "signal", *asked, "--session", str(session), "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert f'"reader": "{FOR_POD5}"' in json.dumps(told)
    assert main(["measure", "signal", "--reader", FOR_BLOW5, *asked]) == 2
    assert "choose one of pod5-io" in capsys.readouterr().err


def test_that_the_list_says_which_reader_is_usual(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    assert f"{FOR_POD5}    The default for pod5." in capsys.readouterr().out
    assert main(["list", "--json"]) == 0
    assert f'"default_by_dataset":{{"pod5":"{FOR_POD5}"}}' in capsys.readouterr().out


def test_that_help_says_which_reader_is_usual(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", "signal", "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert f"[default: {FOR_BLOW5}; {FOR_POD5} for pod5]" in told


@pytest.mark.parametrize(
    ("file", "chosen", "instead"),
    [
        (POD5, FOR_BLOW5, FOR_POD5),
        (POD5, "blow5-c", FOR_POD5),
        (POD5, "pod5-mmap", ""),
        (BLOW5, "pod5-mmap", FOR_BLOW5),
        (BLOW5, "blow5-c", ""),
        ("", "pod5-mmap", ""),
    ],
)
def test_that_only_a_reader_that_cannot_read_the_data_is_replaced(
    pair: Path, file: str, chosen: str, instead: str
) -> None:
    data = open_dataset(pair / file)
    request = Request(workload="signal", values={"reader": chosen})
    assert request.values_that_fit(data) == ({"reader": instead} if instead else {})


def test_that_what_no_other_reader_would_mend_is_left(pair: Path) -> None:
    data = open_dataset(pair / POD5)
    wrong = Request(workload="signal", values={"reader": FOR_BLOW5, "batch_size": 0})
    assert not wrong.values_that_fit(data)


def test_that_of_several_readers_some_may_be_unable_to_read_the_data_but_not_all(
    pair: Path,
) -> None:
    data = open_dataset(pair / POD5)
    none = Request(workload="signal", axes=(Axis("reader", ("blow5-c", FOR_BLOW5)),))
    assert none.values_that_fit(data) == {"reader": FOR_POD5}
    some = Request(workload="signal", axes=(Axis("reader", ("blow5-c", FOR_POD5)),))
    assert not some.values_that_fit(data)


def test_that_the_line_names_the_reader_that_another_was_replaced_by(pair: Path) -> None:
    asked = Request(workload="signal", dataset=pair / POD5, values={"reader": FOR_POD5})
    assert f"--reader {FOR_POD5}" in asked.command_line()


def said(pair: Path, *threads: int, **values: Any) -> tuple[str, ...]:
    data = open_dataset(pair)
    return of_little_data(
        [specify("signal", data, {"threads": count, **values}) for count in threads]
    )


@pytest.mark.parametrize("reader", ["blow5-c", "pod5-io"])
def test_that_fewer_than_four_reads_for_each_thread_are_said(pair: Path, reader: str) -> None:
    (told,) = said(pair, 1, 8, 2, reader=reader)
    assert told == (
        "20 reads are too few to show what workers bring (8): a batch could have 1,000; "
        "take data with more reads"
    )


def test_that_enough_reads_or_a_batch_that_they_fill_is_nothing_to_say(pair: Path) -> None:
    assert said(pair, 1, 4) == ()
    assert said(pair, 8, batch_size=10) == ()


def test_that_one_thread_asks_for_no_more_reads_than_there_are(pair: Path) -> None:
    assert said(pair, 1, reads=1) == ()


@pytest.mark.parametrize(("file", "values"), [(POD5, {"reader": FOR_POD5}), (BLOW5, {})])
def test_that_who_comes_to_the_data_from_another_workload_gets_its_reader(
    pair: Path, file: str, values: dict[str, str]
) -> None:
    asked = Request(workload="fasta")
    step = Preflight.of(asked, None, pair / file).step
    assert step is not None
    assert step.request is not None
    assert (step.request.workload, step.request.values) == ("signal", values)
