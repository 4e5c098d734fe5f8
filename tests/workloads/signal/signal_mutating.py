"""Families of small signal files, and ways to damage them that a seed decides."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import numpy as np
from signal_writing import PRESSES, File, Written, write_pod5

RICH = {
    "channel_number": "char*",
    "median_before": "double",
    "read_number": "int32_t",
    "start_mux": "uint8_t",
    "start_time": "uint64_t",
    "end_reason": "enum{unknown,mux_change,signal_positive}",
    "open_levels": "float*",
    "flags": "uint8_t*",
    "letter": "char",
}
RUNS = {
    "run_id": ["5f0c8e3a", "7d1b46e2"],
    "experiment_name": ["one", "."],
    "flow_cell_id": ["PAK00001", "PAK00002"],
    "sequencer_position": ["1A", "2B"],
    "acquisition_start_time": ["2024-01-01T00:00:00Z", "."],
    "note": ["", "some text, with spaces"],
}


def signals(seed: int, count: int = 12) -> list[list[int]]:
    """Noisy steps of different lengths, none and few samples among them."""
    drawn = np.random.default_rng(seed)
    lengths = [0, 1, 4, *drawn.integers(5, 220, count - 3).tolist()]
    found = []
    for length in lengths:
        steps = np.repeat(drawn.integers(200, 900, length // 9 + 1), 9)[:length]
        found.append((steps + drawn.normal(0, 6, length)).astype(int).tolist())
    return found


def reads(seed: int) -> list[Written]:
    """Reads of two groups; calibrations of all kinds that slow5lib can write."""
    drawn = random.Random(seed)
    return [
        Written(
            read_id=str(UUID(int=drawn.getrandbits(128), version=4))
            if number % 4
            else f"r{number}",
            group=number % 2,
            offset=-240.0 + number,
            samples=samples,
            fields={
                "channel_number": str(drawn.randint(1, 3000)),
                "median_before": 220.5,
                "read_number": 2**31 - 1 if number == 7 else number,
                "start_mux": 1 + number % 4,
                "start_time": 1000 * number,
                "end_reason": number % 3,
                "open_levels": [1.5, 2.25][: number % 3],
                "flags": list(range(number % 4)),
                "letter": "x",
            },
        )
        for number, samples in enumerate(signals(seed))
    ]


def rich(seed: int, **how: object) -> File:
    """A file with two read groups and fields of every sort."""
    return File(types=RICH, attributes=RUNS, groups=2, reads=reads(seed), **how)  # type: ignore[arg-type]


def pod5(path: Path, seed: int, *, packed: bool) -> None:
    """A POD5 file of such signals."""
    drawn, samples = random.Random(seed), signals(seed)
    ids = [UUID(int=drawn.getrandbits(128), version=4) for _ in samples]
    write_pod5(path, samples, ids, unknown=(3,), packed=packed)


FAMILIES: Mapping[str, Callable[[Path], object]] = {
    "zstd.blow5": lambda path: path.write_bytes(rich(1).blow5()),
    "zlib.blow5": lambda path: path.write_bytes(rich(2, press="zlib").blow5()),
    "none.blow5": lambda path: path.write_bytes(rich(3, press="none", svb=False).blow5()),
    "text.slow5": lambda path: path.write_bytes(rich(4).slow5()),
    "none.pod5": lambda path: pod5(path, 5, packed=False),
    "vbz.pod5": lambda path: pod5(path, 6, packed=True),
}


# Damages.


def flip(data: bytearray, drawn: random.Random) -> None:
    place = drawn.randrange(len(data))
    data[place] ^= 1 << drawn.randrange(8)


def flip_at_an_end(data: bytearray, drawn: random.Random) -> None:
    place = drawn.randrange(min(700, len(data)))
    data[place if drawn.random() < 0.6 else -1 - place // 2] ^= 1 << drawn.randrange(8)


def overwrite(data: bytearray, drawn: random.Random) -> None:
    place, size = drawn.randrange(len(data)), drawn.randint(1, 9)
    data[place : place + size] = drawn.randbytes(len(data[place : place + size]))


def put_a_number(data: bytearray, drawn: random.Random) -> None:
    """A number at which programs go wrong."""
    form, size = drawn.choice((("<H", 2), ("<I", 4), ("<Q", 8)))
    most = 256**size - 1
    number = drawn.choice((0, 1, most, most >> 1, (most >> 1) + 1, len(data), drawn.randint(0, 64)))
    place = drawn.randrange(len(data) - size)
    data[place : place + size] = struct.pack(form, min(number, most))


def insert(data: bytearray, drawn: random.Random) -> None:
    place = drawn.randrange(len(data))
    data[place:place] = drawn.randbytes(drawn.randint(1, 9))


def delete(data: bytearray, drawn: random.Random) -> None:
    place = drawn.randrange(len(data))
    del data[place : place + drawn.randint(1, 9)]


def repeat(data: bytearray, drawn: random.Random) -> None:
    place, size = drawn.randrange(len(data)), drawn.randint(1, 400)
    data[place:place] = data[place : place + size]


def cut(data: bytearray, drawn: random.Random) -> None:
    del data[drawn.randrange(1, len(data)) :]


def append(data: bytearray, drawn: random.Random) -> None:
    data += drawn.randbytes(drawn.choice((1, 1, 3, 8, 24, 100)))


def blank(data: bytearray, drawn: random.Random) -> None:
    place, size = drawn.randrange(len(data)), drawn.choice((1, 8, 64, 512))
    data[place : place + size] = bytes(len(data[place : place + size]))


def write_a_sign(data: bytearray, drawn: random.Random) -> None:
    """A letter that numbers are written with, or that ends something."""
    data[drawn.randrange(len(data))] = drawn.choice(b"0123456789+-.,eExinfa_ \t\n\r\0@#{}*")


DAMAGES: tuple[Callable[[bytearray, random.Random], None], ...] = (
    flip,
    flip,
    flip,
    flip_at_an_end,
    overwrite,
    put_a_number,
    insert,
    delete,
    repeat,
    cut,
    append,
    blank,
    write_a_sign,
    write_a_sign,
)


def mutation(family: str, data: bytes, seed: int) -> tuple[str, bytes]:
    """The damage of a seed, by name and done; the same for the same file."""
    drawn = random.Random(f"{family} {seed}")
    press = family.partition(".")[0]
    if family.endswith("blow5") and press in PRESSES and drawn.random() < 0.3:
        return "within a record", _within_a_record(family, drawn)
    damage = drawn.choice(DAMAGES)
    damaged = bytearray(data)
    damage(damaged, drawn)
    return damage.__name__, bytes(damaged)


def _within_a_record(family: str, drawn: random.Random) -> bytes:
    """Damage that compression does not notice, because it was there before."""
    press = family.partition(".")[0]
    _, pack = PRESSES[press]
    chosen = drawn.randrange(12)
    damage = drawn.choice(DAMAGES)

    def spoilt(number: int, content: bytes) -> bytes:
        told = bytearray(content)
        if number == chosen:
            damage(told, drawn)
        return pack(bytes(told))

    seeds = {"zstd": 1, "zlib": 2, "none": 3}
    file = rich(seeds[press], press=press, svb=press != "none")
    return replace(file, pack=spoilt).blow5()
