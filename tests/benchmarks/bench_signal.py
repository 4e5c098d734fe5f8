"""Signal readers beside the published C and C++ programs on the same file, in turns.

    git clone https://github.com/hasindu2008/slow5-pod5-bench published
    git clone https://github.com/hasindu2008/slow5lib
    git clone https://github.com/nanoporetech/pod5-file-format pod5
    PYTHONPATH=. .venv/bin/python tests/benchmarks/bench_signal.py published slow5lib pod5

Needs gcc, g++, make and zstd's headers (apt-get install g++ make libzstd-dev zlib1g-dev).  The
programs are built twice for BLOW5: on the very library inside pyslow5's wheel, and on slow5lib
from source with the zstd of this machine.  A program tells how long it took to get the samples of
a file, from opening to closing; ours is a real trial over the same file from the page cache, every
read verified with the clock stopped.  The ratio is reads per second, ours ÷ the program's, in each
round; told are its median and range.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import NamedTuple

from core.measure import Cancel, find_dataset, make_dataset, run_trial
from core.vocabulary import Slot, TrialEnded, describe, specify
from workloads.signal.make_signal import SignalShape
from workloads.signal.slow5_records_oracle import records

BATCH = 1000


class Pair(NamedTuple):
    """A reader of ours and the program that it is held against."""

    reader: str
    program: str
    file: str
    goal: float = 1.0


BLOW5, POD5 = "reads.zstd.blow5", "reads.pod5"
PAIRS = (
    Pair("blow5-c", "omp-wheel", BLOW5),
    Pair("blow5-pool", "pool-wheel", BLOW5),
    Pair("blow5-zstd", "omp-zstd", BLOW5),
    Pair("blow5-zstd", "pool-zstd", BLOW5),
    Pair("pod5-c-io", "pod5-io", POD5),
    Pair("pod5-c-mmap", "pod5-mmap", POD5),
)


def run(command: Sequence[str], folder: Path | None = None) -> None:
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr[-2000:]}")


class Programs:
    """The published programs, built in a folder: NAME-sequential and NAME-random."""

    def __init__(self, published: Path, slow5lib: Path, pod5: Path, folder: Path) -> None:
        self.folder = folder
        self._published = published
        pool = f"-I{published}/pod5/cxxpool/src"
        self._blow5("wheel", slow5lib, pool, self._wheel("pyslow5"))
        copy = folder / "slow5lib"
        shutil.copytree(slow5lib, copy)
        run(["make", "slow5_mt=1", "zstd=1"], copy)
        archive = [str(copy / "lib/libslow5.a"), "-lz", "-lzstd", "-lpthread"]
        self._blow5("zstd", slow5lib, pool, archive)
        self._pod5(pod5, pool)

    def _blow5(self, name: str, slow5lib: Path, pool: str, link: list[str]) -> None:
        for order in ("sequential", "random"):
            include = f"-I{slow5lib}/include"
            source = self._published / "slow5" / order
            for kind, unit, command in (
                ("omp", f"{source}.c", "gcc"),
                ("pool", f"{source}_cxxpool.cpp", "g++"),
            ):
                out = str(self.folder / f"{kind}-{name}-{order}")
                flags = ["-O3", "-w", "-fopenmp", include, pool]
                run([command, *flags, unit, "-o", out, *link, "-lm"])

    def _pod5(self, pod5: Path, pool: str) -> None:
        headers = self.folder / "headers" / "pod5_format"
        headers.mkdir(parents=True)
        shutil.copy(pod5 / "c++/pod5_format/c_api.h", headers)
        # What CMake would write for a library whose functions are all visible.
        (headers / "pod5_format_export.h").write_text("#define POD5_FORMAT_EXPORT\n")
        plain = (
            "Pod5ReaderOptions_t options{}; options.force_disable_file_mapping = 1;"
            "Pod5FileReader_t* file = pod5_open_file_options(path.c_str(), &options);"
        )
        for order in ("sequential", "random"):
            text = (self._published / "pod5" / f"{order}.cpp").read_text()
            opened = "Pod5FileReader_t* file = pod5_open_file(path.c_str());"
            for kind, code in (("mmap", text), ("io", text.replace(opened, plain))):
                source = self.folder / f"pod5-{kind}-{order}.cpp"
                source.write_text(code)
                flags = ["-O3", "-w", "-fopenmp", f"-I{headers.parent}", pool]
                link = self._wheel("lib_pod5", "pod5_format_pybind*.so")
                out = str(source.with_suffix(""))
                run(["g++", *flags, str(source), "-o", out, *link, "-lm", "-lpthread"])

    def _wheel(self, module: str, pattern: str = "") -> list[str]:
        """How to link against the library inside a wheel, which needs Python's as well."""
        found = find_spec(module)
        assert found is not None
        assert found.origin is not None
        place = Path(found.origin)
        library = next(place.parent.glob(pattern)) if pattern else place
        python = sysconfig.get_config_var("LIBDIR")
        name = sysconfig.get_config_var("LDLIBRARY")
        folders = (library.parent, Path(python), place.parent / "pyslow5.libs")
        paths = [f"-Wl,-rpath,{folder}" for folder in folders]
        return [str(library), f"{python}/{name}", *paths, "-Wl,--allow-shlib-undefined"]

    def rate(self, pair: Pair, order: str, file: Path, ids: Path, threads: int) -> float:
        """Reads per second that a program tells of."""
        command = [str(self.folder / f"{pair.program}-{order}"), str(file)]
        command += [str(ids)] if order == "random" else []
        command += [str(threads)]
        command += [str(BATCH)] if order == "random" or pair.file == BLOW5 else []
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        reads = re.search(r"Reads: (\d+)", done.stderr)
        seconds = re.search(r"Time for getting samples .*?([\d.]+)$", done.stderr, re.MULTILINE)
        assert reads is not None
        assert seconds is not None
        return int(reads[1]) / float(seconds[1])


def rate_of_ours(
    pair: Pair, order: str, file: Path, ids: Path, threads: int, length: float
) -> float:
    """Reads per second of a real trial."""
    wanted = {
        "reader": pair.reader,
        "access": order,
        "batch_size": BATCH,
        "threads": threads,
        "duration": length,
        "warm_up": 0.5,
        "page_cache": "warm",
        **({"read_list": str(ids)} if order == "random" else {}),
    }
    spec = specify("signal", find_dataset("signal", file), wanted)
    for event in run_trial(Slot(0, 0, spec), "bench", Cancel()):
        if isinstance(event, TrialEnded):
            trial = event.trial
            if trial.throughput is None:
                raise SystemExit(f"{pair.reader}: {describe(trial.outcome)}")
            assert trial.wrong == 0
            return trial.throughput
    raise AssertionError("a trial ends with TrialEnded")


def cases(orders: Sequence[str]) -> Iterator[tuple[Pair, str, int]]:
    for order in orders:
        for pair in PAIRS:
            for threads in (1, 2):
                yield pair, order, threads


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("published", type=Path)
    parser.add_argument("slow5lib", type=Path)
    parser.add_argument("pod5", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--reads", type=int, default=12_000)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--orders", default="sequential,random")
    parser.add_argument("--only", default="", help="readers whose names begin so")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        programs = Programs(asked.published, asked.slow5lib, asked.pod5, folder)
        shape = SignalShape(reads=asked.reads, variants=False)
        data = make_dataset("signal", shape, folder / "data").path
        ids = folder / "ids.txt"
        found = [r.read.read_id for r in records(data / BLOW5, 10**9) if r.read is not None]
        random.Random(1).shuffle(found)
        ids.write_text("\n".join(found))
        rates: dict[tuple[Pair, str, int], list[tuple[float, float]]] = {}
        wanted = [
            one for one in cases(asked.orders.split(",")) if one[0].reader.startswith(asked.only)
        ]
        for number in range(asked.rounds):
            for pair, order, threads in wanted:
                given = (pair, order, data / pair.file, ids, threads)
                first = number % 2
                theirs = programs.rate(*given) if first else 0.0
                ours = rate_of_ours(*given, asked.seconds)
                theirs = theirs or programs.rate(*given)
                rates.setdefault((pair, order, threads), []).append((ours, theirs))
        for (pair, order, threads), each in rates.items():
            ratios = [ours / theirs for ours, theirs in each]
            print(
                f"{pair.reader} ÷ {pair.program}, {order}, {threads} threads:"
                f" {median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}),"
                f" {median(o for o, _ in each):,.0f} against {median(t for _, t in each):,.0f}/s"
            )


if __name__ == "__main__":
    os.environ.setdefault("SLUICE_CACHE", tempfile.mkdtemp())
    main()
