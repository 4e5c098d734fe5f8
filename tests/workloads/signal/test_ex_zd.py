"""Signals that slow5lib has compressed with ex-zd are as whole as others."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from driving import need_drivers
from signal_writing import File, write

from core.language import DamagedDataset, DatasetError
from core.vocabulary import registry
from workloads.signal import slow5_records_oracle
from workloads.signal.codec_oracle import ex_zd
from workloads.signal.reads import Undecodable, sample_facts


def signals() -> list[Any]:
    """With no, one and many steps that need more than a byte, and in multiples of 1 to 32."""
    draw = np.random.default_rng(4)
    found = []
    for number, size in enumerate((2, 3, 5, 8, 50, 400, 400, 400, 2000, 2000)):
        signal = 500 + np.cumsum(draw.integers(-5, 6, size))
        signal[draw.random(size) < (0, 0.02, 0.1)[number % 3]] = 20_000
        if number in (3, 7):
            signal[size // 2] = -32_768
        found.append((signal << number % 6).astype(np.int16))
    return found


def written_by_slow5lib(path: Path, signals: Sequence[Any]) -> Path:
    need_drivers("signal")
    import pyslow5

    file = pyslow5.Open(str(path), "w", rec_press="zlib", sig_press="ex_zd")
    file.write_header(dict.fromkeys(file.get_empty_header(aux=False), "x"))
    for number, signal in enumerate(signals):
        record = file.get_empty_record(aux=False)
        record |= {"read_id": f"read_{number}", "read_group": 0, "digitisation": 8192.0}
        record |= {"offset": 6.0, "range": 1467.6, "sampling_rate": 4000.0}
        record |= {"len_raw_signal": len(signal), "signal": signal}
        file.write_record(record)
    file.close()
    return path


def test_that_what_slow5lib_wrote_is_decoded(tmp_path: Path) -> None:
    wanted = signals()
    path = written_by_slow5lib(tmp_path / "x.blow5", wanted)
    found = [record.read for record in slow5_records_oracle.records(path, 100) if record.read]
    assert [(one.length, one.sum, one.crc) for one in found] == list(map(sample_facts, wanted))
    facts = registry.dataset_kind("blow5").facts(path)
    assert (facts["compression"], facts["blow5 reads"]) == ("zlib/ex-zd", len(wanted))


PACKED = bytes.fromhex("000400000000000000000a0001000000010000002c0100000203")
"""Four samples: first step 10, one exception (300 + 256) at place 1 of the rest, bytes 2 and 3."""


def test_that_its_bytes_are_read_as_slow5lib_lays_them_out() -> None:
    assert ex_zd(PACKED).tolist() == [5, 6, 6 + 278, 6 + 278 - 2]


@pytest.mark.parametrize(
    "data",
    [
        *(PACKED[:size] for size in (0, 4, 15, 20, 24, len(PACKED) - 1)),
        PACKED + b"\0",
        PACKED[:1] + b"\0" + PACKED[2:],
        PACKED[:1] + b"\xff" * 8 + PACKED[9:],
        PACKED[:9] + b"\6" + PACKED[10:],
        PACKED[:16] + b"\3" + PACKED[17:],
    ],
)
def test_that_damage_in_it_is_noticed(data: bytes) -> None:
    with pytest.raises(Undecodable):
        ex_zd(data)


def test_that_a_newer_version_is_no_damage_and_has_a_remedy(tmp_path: Path) -> None:
    path = write(tmp_path / "x.blow5", File())
    content = bytearray(path.read_bytes())
    content[14] = 9
    path.write_bytes(content)
    with pytest.raises(DatasetError, match=r"number 9, which is not known.*-s svb-zd") as refused:
        slow5_records_oracle.read_header(path)
    assert not isinstance(refused.value, DamagedDataset)
