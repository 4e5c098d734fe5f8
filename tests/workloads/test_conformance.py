"""What every workload and every kind of dataset must fulfil, whoever wrote it."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from driving import drive, need_drivers, open_job, small

from core.language import InvalidParameter, report_to_nobody
from core.measure.trial.counters import MOST_TALLIES
from core.run import Request
from core.vocabulary import (
    Choice,
    Dataset,
    Job,
    Kind,
    Load,
    Workload,
    build,
    declared,
    draft,
    load_kinds,
    registry,
    values_of,
)
from core.vocabulary.declarations import defaults_for

WORKLOADS = list(registry.workloads())
KINDS = list(registry.dataset_kinds())
MADE = [kind for kind in KINDS if registry.dataset_kind(kind).shape is not None]
_OF_LOAD = {kind.name for kind in declared(Load)}


def _texts(kinds: tuple[Kind, ...]) -> list[str]:
    options = [o.help for kind in kinds if isinstance(kind, Choice) for o in kind.options.values()]
    return [kind.help for kind in kinds] + options


def _parameters(name: str) -> tuple[Kind, ...]:
    cls: type = registry.load_workload(name).parameters
    return declared(cls)


def _a_kind_for(name: str) -> str:
    wanted = registry.load_workload(name).dataset_kinds or ("fasta-folder",)
    found = next((kind for kind in wanted if kind in MADE), "")
    assert found, f"{name}: none of its dataset_kinds has a `shape`, so no data can be generated"
    return found


@pytest.mark.parametrize("name", WORKLOADS)
def test_that_a_workload_is_what_its_table_says(name: str) -> None:
    entry = registry.workloads()[name]
    workload = registry.load_workload(name)
    assert workload.name == name == entry.name
    assert entry.title
    assert entry.purpose.endswith("?")
    assert set(workload.dataset_kinds) <= set(KINDS)


@pytest.mark.parametrize("name", WORKLOADS)
def test_that_an_answer_can_be_copied_as_code(name: str, made: Callable[[str], Dataset]) -> None:
    workload = registry.load_workload(name)
    given = {"run": "cat {dataset}"} if name == "command" else {}
    parameters = build(workload.parameters, given)
    code = workload.in_code(parameters, Load(threads=7), made(_a_kind_for(name)))
    assert code, f"{name}: `Workload.in_code` says nothing"
    assert all(text.strip() for text in code.values())
    compile(code.get("Python", ""), "copied", "exec")


@pytest.mark.parametrize("name", WORKLOADS)
def test_that_help_is_one_or_two_sentences(name: str) -> None:
    for text in _texts(_parameters(name)):
        assert text.endswith(".")
        assert 1 <= text.count(". ") + 1 <= 2


@pytest.mark.parametrize("kind", MADE)
def test_that_help_of_shapes_is_one_or_two_sentences(kind: str) -> None:
    shape = registry.dataset_kind(kind).shape
    assert shape is not None
    for text in _texts(declared(shape)):
        assert text.endswith(".")


@pytest.mark.parametrize("name", WORKLOADS)
def test_that_parameters_and_loads_have_no_name_in_common(name: str) -> None:
    assert not {kind.name for kind in _parameters(name)} & _OF_LOAD


@pytest.mark.parametrize("name", WORKLOADS)
def test_that_defaults_are_valid(name: str) -> None:
    cls = registry.load_workload(name).parameters
    assert values_of(build(cls, values_of(cls()))) == values_of(cls())


@pytest.mark.parametrize("name", WORKLOADS)
def test_that_its_usual_load_is_what_a_user_gets_who_says_nothing_of_it(name: str) -> None:
    workload = registry.load_workload(name)
    kinds = load_kinds(workload.usual_load())
    told = values_of(draft(name, Dataset(kind="files", location="/data", fingerprint="f"), {}).load)
    assert told == {kind.name: kind.default for kind in kinds}
    asked = Request(workload=name, dataset=Path("/data"), values=dict(workload.usual_load()))
    assert not any(kind.flag in asked.command_line().split() for kind in kinds)


def _refused(workload: Workload[Any], data: str, values: Mapping[str, object]) -> str:
    """The parameter with which data of that kind is refused; empty if it is not."""
    dataset = Dataset(kind=data, location="/data", fingerprint="f")
    try:
        workload.admit(build(workload.parameters, values), dataset)
    except InvalidParameter as refusal:
        return refusal.name
    return ""


@pytest.mark.parametrize("name", WORKLOADS)
def test_that_its_defaults_suit_every_kind_of_data_that_it_reads(name: str) -> None:
    workload = registry.load_workload(name)
    refused = set()
    for data in workload.dataset_kinds:
        dataset = Dataset(kind=data, location="/data", fingerprint="f")
        refused.add(_refused(workload, data, draft(name, dataset, {}).parameters))
    # An address that is always missing is the same for all of them.
    assert len(refused) <= 1


@pytest.mark.parametrize("name", WORKLOADS)
def test_that_a_kind_of_data_has_a_default_of_its_own_only_in_place_of_one_it_refuses(
    name: str,
) -> None:
    # A command line leaves out what is as declared, so that must never mean something else.
    workload = registry.load_workload(name)
    for kind in _parameters(name):
        for data in kind.by_dataset:
            suited = defaults_for(workload.parameters, data)
            assert data in workload.dataset_kinds
            assert _refused(workload, data, {**suited, kind.name: kind.default}) == kind.name
            assert _refused(workload, data, suited) != kind.name


@pytest.mark.parametrize("name", WORKLOADS)
def test_that_a_floor_is_a_raw_read(name: str) -> None:
    workload = registry.load_workload(name)
    floor = workload.floor(workload.parameters())
    if floor is not None:
        build(registry.load_workload("raw").parameters, floor)


def _each_choice(name: str) -> Iterator[Any]:
    """The parameters with every option of every choice, one at a time."""
    cls = registry.load_workload(name).parameters
    yield cls()
    for kind in _parameters(name):
        for option in kind.options if isinstance(kind, Choice) else ():
            yield build(cls, {kind.name: option})


@pytest.mark.parametrize("name", WORKLOADS)
def test_that_irrelevant_are_parameters_of_the_load_but_never_threads(name: str) -> None:
    workload = registry.load_workload(name)
    for parameters in _each_choice(name):
        assert workload.irrelevant(parameters) <= _OF_LOAD - {"threads"}


@pytest.mark.parametrize("name", WORKLOADS)
def test_that_what_leaves_something_can_remove_it(name: str) -> None:
    workload = registry.load_workload(name)
    if any(workload.leaves(parameters) for parameters in _each_choice(name)):
        assert type(workload).remove_leftovers is not Workload.remove_leftovers


@pytest.mark.parametrize("name", WORKLOADS)
def test_that_what_has_an_answer_of_its_own_is_a_parameter_of_the_workload(name: str) -> None:
    lines = registry.load_workload(name).lines
    assert set(lines) <= {kind.name for kind in _parameters(name)}
    assert len(set(lines)) == len(lines)


@pytest.mark.parametrize("name", WORKLOADS)
def test_that_the_files_that_are_read_are_there_and_sorted(
    name: str, made: Callable[[str], Dataset]
) -> None:
    workload = registry.load_workload(name)
    dataset = made(_a_kind_for(name))
    own = workload.files(workload.parameters(), dataset)
    files = list(registry.dataset_kind(dataset.kind).files(dataset.path) if own is None else own)
    assert files == sorted(files)
    assert all(file.is_file() for file in files)


@pytest.mark.parametrize("name", WORKLOADS)
def test_that_a_job_judges_results_counts_little_and_finds_nothing_wrong_before_it_began(
    name: str, made: Callable[[str], Dataset]
) -> None:
    need_drivers(name)
    job = open_job(name, made(_a_kind_for(name)).path)
    assert type(job).check is not Job.check or type(job).faults is not Job.faults
    assert len(set(job.tallies)) == len(job.tallies) <= MOST_TALLIES
    assert not (job.metered and registry.load_workload(name).turns)
    assert list(job.audit(report_to_nobody)) == []
    job.close()


def test_that_tables_and_declarations_import_no_driver() -> None:
    asked = (
        "import sys; from core.vocabulary import registry;"
        "[registry.load_workload(n).parameters for n in registry.workloads()];"
        "[registry.dataset_kind(n) for n in registry.dataset_kinds()];"
        "heavy = {'pysam', 'pyfaidx', 'biocommons', 'pod5', 'pyslow5', 'numpy', 'scipy', 'PySide6'} & set(sys.modules);"
        "sys.exit(' '.join(heavy) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", asked], check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", WORKLOADS)
def test_that_every_operation_on_generated_data_is_right(
    name: str, made: Callable[[str], Dataset], untouched: Callable[[Path], None]
) -> None:
    need_drivers(name)
    dataset = made(_a_kind_for(name))
    untouched(dataset.path)
    driven = drive(name, dataset.path, most=200)
    assert driven.clean
    if not driven.job.metered:
        weight = driven.job.weigh([result for _, result in driven.results])
        assert weight.operations >= len(driven.results)
        assert weight.bytes > 0


@pytest.mark.parametrize("name", WORKLOADS)
def test_that_an_item_is_described_in_a_line(name: str, made: Callable[[str], Dataset]) -> None:
    need_drivers(name)
    job = open_job(name, made(_a_kind_for(name)).path)
    told = {job.describe(job.items[place]) for place in (0, len(job.items) - 1)}
    job.close()
    for text in told:
        assert 0 < len(text) <= 200, text
        assert text.isprintable()
    assert len(told) == min(2, len(job.items))


class _Rows(list[Any]):
    """A result of rows that a test makes up; of signals they are reads."""

    def reads(self, _sums: object) -> Iterator[Any]:
        return iter(self)


def _cut_short(result: Any) -> Any:
    return result[:-1] if isinstance(result, str | bytes | memoryview) else _Rows([*result][:-1])


def _flipped(result: Any) -> Any:
    """The result with its first letter, byte or row changed."""
    if isinstance(result, str):
        return result[:1].swapcase() + result[1:]
    if isinstance(result, bytes | memoryview):
        return bytes([result[0] ^ 1]) + result[1:]
    first, *rest = result
    return _Rows([first[::-1], *rest])


@pytest.mark.parametrize("name", WORKLOADS)
def test_that_a_result_cut_short_or_flipped_is_wrong(
    name: str, made: Callable[[str], Dataset]
) -> None:
    need_drivers(name)
    job = open_job(name, made(_a_kind_for(name)).path)
    with job.worker(0) as steps:
        value = item = job.items[0]
        for step in steps:
            value = step.perform(value)
    assert job.check(item, value) == ""
    assert not list(job.faults(item, value))
    assert list(job.faults(item, _cut_short(value)))
    assert job.check(item, _cut_short(value))
    assert job.check(item, _flipped(value))
    job.close()


@pytest.mark.parametrize("kind", MADE)
def test_that_a_generated_dataset_is_recognised_as_its_kind(
    kind: str, made: Callable[[str], Dataset]
) -> None:
    dataset = made(kind)
    assert registry.open_dataset(dataset.path) == dataset
    assert dataset.kind == kind
    files = registry.dataset_kind(kind).files(dataset.path)
    assert list(files) == sorted(files)
    assert set(registry.dataset_kind(kind).content(dataset.path)) <= set(files)
    assert registry.dataset_kind(kind).facts(dataset.path)["files"]


@pytest.mark.parametrize("kind", MADE)
def test_that_the_same_shape_gives_the_same_bytes(
    kind: str, made: Callable[[str], Dataset], tmp_path: Path
) -> None:
    first = made(kind)
    cls = registry.dataset_kind(kind).shape
    assert cls is not None
    again = tmp_path / "again"
    again.mkdir()
    path = registry.dataset_kind(kind).make(small(cls), again, lambda *_: None)
    root = first.path if first.path.is_dir() else first.path.parent
    for file in again.rglob("*"):
        if file.is_file():
            assert file.read_bytes() == (root / file.relative_to(again)).read_bytes()
    assert registry.dataset_kind(kind).open(path).fingerprint == first.fingerprint


@pytest.mark.parametrize("kind", KINDS)
def test_that_nothing_is_recognised_in_an_empty_folder(kind: str, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert not registry.dataset_kind(kind).recognises(empty)
