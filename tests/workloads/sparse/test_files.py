"""Sparse files of both languages against a bytearray, their memory law, and the known fault."""

from collections.abc import Callable
from typing import Any

import pytest
from driving import need_drivers
from hypothesis import given, settings
from hypothesis import strategies as st

from workloads.sparse.drivers import NATIVE
from workloads.sparse.sparse_files import NativeError, NativeFile, Pieces, PythonFile, needed
from workloads.sparse.sparse_oracle import Lacking, Range, SparseBlocks, blocks_of
from workloads.sparse.sparse_remote import PAGE, coalescing_fault, pages

_END = 400

type Make = Callable[[], Any]


def _python() -> PythonFile:
    return PythonFile(compare=True, in_system=False)


def _in_system() -> PythonFile:
    return PythonFile(compare=True, in_system=True)


def _native() -> NativeFile:
    return NativeFile(mutex=False, compare=True, in_system=False)


def _locked() -> NativeFile:
    return NativeFile(mutex=True, compare=True, in_system=True)


@pytest.fixture(params=[_python, _in_system, _native, _locked])
def make(request: pytest.FixtureRequest) -> Make:
    made: Make = request.param
    request.getfixturevalue("native" if made in (_native, _locked) else "svfsc")
    return made


def _write(file: Any, blocks: SparseBlocks) -> None:
    file.write(Pieces(blocks.pieces), blocks.source) if isinstance(
        file, NativeFile
    ) else file.write(blocks)


@st.composite
def separate_blocks(draw: st.DrawFn) -> SparseBlocks:
    """Blocks in order, some touching, never overlapping."""
    steps = draw(
        st.lists(st.tuples(st.integers(0, 9), st.integers(1, 12)), min_size=1, max_size=30)
    )
    pieces, position = [], 0
    for gap, length in steps:
        position += gap
        pieces.append((position, length))
        position += length
    return SparseBlocks(
        pieces, draw(st.randoms(use_true_random=False)).randbytes(sum(n for _, n in steps))
    )


def _modelled(blocks: SparseBlocks) -> tuple[bytearray, bytearray]:
    """What a plain file would hold, and which of its bytes were written."""
    held, written = bytearray(_END * 2), bytearray(_END * 2)
    for (position, length), data in zip(blocks.pieces, blocks.data, strict=True):
        held[position : position + length] = data
        written[position : position + length] = b"\1" * length
    return held, written


def test_that_files_hold_what_a_bytearray_holds(make: Make) -> None:
    @settings(max_examples=60, deadline=None)
    @given(blocks=separate_blocks())
    def holds(blocks: SparseBlocks) -> None:
        file = make()
        _write(file, blocks)
        held, written = _modelled(blocks)
        assert file.bytes == sum(written)
        assert file.blocks == len(blocks.merged)
        assert file.gathered(blocks) == blocks.source
        for position, length in blocks.merged:
            one = SparseBlocks([(position, length)], bytes(length))
            assert file.gathered(one) == held[position : position + length]
        file.close()

    holds()


@settings(max_examples=200, deadline=None)
@given(
    blocks=separate_blocks(),
    position=st.integers(0, _END),
    length=st.integers(1, 80),
)
def test_that_what_a_file_lacks_is_what_a_bytearray_never_got(
    blocks: SparseBlocks, position: int, length: int
) -> None:
    _, written = _modelled(blocks)
    lacking = [
        place
        for start, missing in Lacking(blocks.merged).need(position, length)
        for place in range(start, start + missing)
    ]
    assert lacking == [place for place in range(position, position + length) if not written[place]]


def test_that_need_answers_as_modelled_with_and_without_greed(make: Make) -> None:
    request = st.tuples(st.integers(0, _END), st.integers(1, 80))

    @settings(max_examples=60, deadline=None)
    @given(
        blocks=separate_blocks(), requests=st.lists(request, min_size=1), greedy=st.integers(0, 200)
    )
    def answers(blocks: SparseBlocks, requests: list[Range], greedy: int) -> None:
        file = make()
        _write(file, blocks)
        right = [Lacking(blocks.merged).need(*request, greedy) for request in requests]
        if isinstance(file, NativeFile):
            asked = Pieces(requests)
            assert file.need(asked.address, asked.count, greedy) == needed(right)
        else:
            assert [file.need(*request, greedy) for request in requests] == right
        file.close()

    answers()


@pytest.mark.parametrize("block_size", [1, 256, 4096])
def test_that_memory_follows_the_law_exactly(make: Make, block_size: int) -> None:
    blocks = blocks_of("gap", block_size, 4096, (), 1)
    file = make()
    _write(file, blocks)
    with_mutex = 40 if make is _locked else 0
    assert file.own_size == 40 * len(blocks.pieces) + 192 + with_mutex + len("id") + 4096
    file.close()


def test_that_threads_write_what_one_would(make: Make) -> None:
    if make is _native:
        pytest.skip("without a mutex threads would damage it")
    blocks = blocks_of("gap", 8, 8192, (), 1)
    for split in (False, True):
        file = make()
        work = Pieces(blocks.pieces), blocks.source
        file.write_threads(*(work if isinstance(file, NativeFile) else (blocks,)), 4, split=split)
        assert file.gathered(blocks) == blocks.source
        assert file.bytes == 8192
        file.close()


def test_that_other_bytes_over_written_ones_are_refused(make: Make) -> None:
    file = make()
    _write(file, SparseBlocks([(0, 4)], b"abcd"))
    with pytest.raises((NativeError, OSError, RuntimeError)):
        _write(file, SparseBlocks([(0, 4)], b"Xbcd"))
    file.close()


def test_that_this_svfsc_drops_other_bytes_that_begin_alike(make: Make) -> None:
    file = make()
    for data in (b"abcd", b"abXd"):
        _write(file, SparseBlocks([(0, 4)], data))
    assert file.gathered(SparseBlocks([(0, 4)], b"abcd")) == b"abcd"
    file.close()


def test_that_a_read_beyond_what_is_held_is_an_error(make: Make) -> None:
    file = make()
    _write(file, SparseBlocks([(0, 4)], b"abcd"))
    with pytest.raises((NativeError, OSError)):
        file.gathered(SparseBlocks([(2, 8)], bytes(8)))
    file.close()


def test_that_the_minimal_case_shows_the_fault_of_this_svfsc(svfsc: None) -> None:
    assert coalescing_fault()


@settings(max_examples=100, deadline=None)
@given(
    accesses=st.lists(st.tuples(st.integers(0, 9 * PAGE), st.integers(1, 2 * PAGE)), max_size=30)
)
def test_that_whole_pages_are_never_denied(accesses: list[Range]) -> None:
    need_drivers("sparse")
    end = 11 * PAGE - 7
    held = bytes(place * 31 % 251 for place in range(end))
    file = PythonFile(compare=True, in_system=False)
    for position, wanted in accesses:
        length = min(wanted, end - position)
        for page, size in pages(position, length, end):
            for start, missing in file.need(page, size):
                file.write(SparseBlocks([(start, missing)], held[start : start + missing]))
            assert file.read(page, size) == held[page : page + size]


def test_that_both_harnesses_are_what_they_say(native: None) -> None:
    from workloads.sparse.sparse_files import library

    assert [library(mutex).sparse_thread_safe() for mutex in (False, True)] == [0, 1]


def test_that_missing_sources_are_unavailable_with_a_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from core.language.errors import Unavailable

    monkeypatch.setattr("sys.prefix", "/nowhere")
    monkeypatch.delenv("SLUICE_SVFSC_SOURCES", raising=False)
    with pytest.raises(Unavailable, match="sources of svfsc are missing") as told:
        NATIVE.require()
    assert "make .venv" in str(told.value) + told.value.remedy


@pytest.mark.parametrize(
    "other",
    [
        [[(8, 4), (0, 4)]],
        [[(0, 4), (9, 4)]],
        [[(0, 5), (8, 3)]],
        [[(0, 4)]],
        [[(0, 4), (8, 4), (8, 0)]],
        [],
    ],
)
def test_that_what_answers_amount_to_tells_others_apart(other: list[list[Range]]) -> None:
    assert needed(other) != needed([[(0, 4), (8, 4)]])
