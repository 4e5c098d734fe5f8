"""The workload: reads, needs and writes of a sparse file in memory, from Python and from C++."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, override

from core import Context, Dataset, InvalidParameter, Job, Load, Workload, tr
from workloads.shared.threads import in_threads
from workloads.sparse.sparse_datasets import INDEX
from workloads.sparse.sparse_jobs import job_of
from workloads.sparse.sparse_oracle import step_of
from workloads.sparse.sparse_parameters import SparseParameters


class Sparse(Workload[SparseParameters]):
    """Calls on a sparse file whose blocks and bytes are known beforehand.

    In Python an operation is a call.  In C++ the engine times runs of calls; each call counts as an
    operation, without a latency.  A write is timed as part of its pass over all blocks.
    """

    name = "sparse"
    unit = "call"
    parameters = SparseParameters
    important = ("threads", "block_size", "operation", "language", "layout")
    dataset_kinds = ("sparse-index",)

    @override
    def admit(self, parameters: SparseParameters, dataset: Dataset) -> None:
        if parameters.operation != "write" and parameters.layout == "overwrite":
            raise InvalidParameter(
                "layout",
                tr("only writes can overwrite"),
                tr("choose contiguous, which has the same blocks"),
            )

    @override
    def in_code(
        self, parameters: SparseParameters, load: Load, dataset: Dataset
    ) -> Mapping[str, str]:
        index = str(dataset.path / INDEX)
        if parameters.language == "cpp":
            return {"C++": _in_cpp(parameters, load, index)}
        return {"Python": _in_python(parameters, load, index)}

    @override
    def open(self, context: Context[SparseParameters]) -> Job[Any, Any]:
        """Lay the blocks out and write them, except for writes into an empty file."""
        for driver in self.drivers(context.parameters):
            driver.require()
        return job_of(context)


def _in_python(parameters: SparseParameters, load: Load, index: str) -> str:
    p, system = parameters, parameters.holder == "file-system"
    name = '"mine", ' if system else ""
    made = f"cSVFS(compare_for_diff={p.compare})"
    if not system:
        made = f'cSVF("mine", 0.0, compare_for_diff={p.compare})'
    write = f"file.write({name}at, bytes(length))"
    lines = [
        "import svfsc",
        "from concurrent.futures import ThreadPoolExecutor",
        "",
        f"pieces = {_pieces_in_python(p, index)}",
        f"file = svfsc.{made}",
        *(['file.insert("mine", 0.0)'] if system else []),
    ]
    if p.operation != "write" or p.layout == "overwrite":
        lines += ["for at, length in pieces:", f"    {write}  # your data", ""]
    if p.operation == "read":
        timed = in_threads(f"len(file.read({name}at, length))", "at, length", "pieces", load)
    elif p.operation == "write":
        whole = load.threads > 1 and p.sharing == "whole"
        all_of_it = f"pieces * {load.threads}" if whole else "pieces"
        timed = in_threads(f"{write} or length", "at, length", all_of_it, load)
    else:
        at = {"start": "[0]", "middle": "[512 << 10]"}.get(p.need_at)
        starts = at or f"[*range(0, sum(pieces[-1]), {p.need_size})]"
        need = f"len(file.need({name}at, {p.need_size}, {p.greedy_length}))"
        timed = in_threads(need, "at", starts, load, 'print({}, "ranges")')
    return "\n".join((*lines, timed))


def _pieces_in_python(parameters: SparseParameters, index: str) -> str:
    if parameters.layout == "index":
        return f'[tuple(map(int, line.split())) for line in open({index!r}) if line[0] != "#"]'
    block, size = parameters.block_size, parameters.size
    step = step_of(parameters.layout, block)
    last = f"min({block}, {size} - n * {block})" if size % block else str(block)
    return f"[(n * {step}, {last}) for n in range({-(-size // block)})]"


_CPP = """\
// c++ -O2 -std=c++17 -DNDEBUG{mutex} mine.cpp svf.cpp svfs.cpp -lpthread
#include "svfs.h"
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <thread>
#include <vector>

int main() {{
    std::vector<std::pair<uint64_t, uint64_t>> pieces;
    uint64_t longest = 1;
    {pieces}
    for (auto [at, length] : pieces) longest = std::max(longest, length);
    SVFS::tSparseVirtualFileConfig config{{false, {compare}}};
    {made}
    std::string data(longest, 0);
    {fill}std::atomic<size_t> next{{0}}, sum{{0}};
    std::vector<std::thread> threads;
    for (int thread = 0; thread < {threads}; ++thread)
        threads.emplace_back([&] {{
            std::string data(longest, 0);
            for (size_t n; (n = next++) < {count};) {{
                {call}
            }}
        }});
    for (auto &thread : threads) thread.join();
    std::printf("%zu {unit}\\n", sum.load());
}}
"""


def _in_cpp(parameters: SparseParameters, load: Load, index: str) -> str:
    p, system = parameters, parameters.holder == "file-system"
    file = 'files.at("mine")' if system else "file"
    made = 'SVFS::SparseVirtualFile file("mine", 0.0, config);'
    if system:
        made = 'SVFS::SparseVirtualFileSystem files(config);\n    files.insert("mine", 0.0);'
    write = f"{file}.write(at, data.data(), length);"
    filled = p.operation != "write" or p.layout == "overwrite"
    count = "pieces.size()"
    if p.operation == "write":
        call = f"{_PIECE}{write}\n                sum += length;"
        count += f" * {load.threads}" if load.threads > 1 and p.sharing == "whole" else ""
    elif p.operation == "read":
        call = f"{_PIECE}{file}.read(at, length, data.data());\n                sum += length;"
    else:
        end = "(pieces.back().first + pieces.back().second - 1)"
        at = {"start": "0", "middle": "512 << 10"}.get(p.need_at)
        count = "1" if at else f"{end} / {p.need_size} + 1"
        start = at or f"n * {p.need_size}"
        call = f"sum += {file}.need({start}, {p.need_size}, {p.greedy_length}).size();"
    return _CPP.format(
        mutex=" -DSVF_THREAD_SAFE -DSVFS_THREAD_SAFE" if p.mutex else "",
        pieces=_pieces_in_cpp(p, index),
        compare=str(p.compare).lower(),
        made=made,
        fill=f"for (auto [at, length] : pieces) {write}  // your data\n    " if filled else "",
        threads=load.threads,
        count=count,
        call=call,
        unit="ranges" if p.operation == "need" else "bytes",
    )


_PIECE = "auto [at, length] = pieces[n % pieces.size()];\n                "


def _pieces_in_cpp(parameters: SparseParameters, index: str) -> str:
    if parameters.layout == "index":
        return f"""\
std::ifstream index({json.dumps(index)});
    std::string head;
    std::getline(index, head);
    for (uint64_t at, length; index >> at >> length;) pieces.push_back({{at, length}});"""
    block, size = parameters.block_size, parameters.size
    return f"""\
for (uint64_t n = 0; n * {block} < {size}; ++n)
        pieces.push_back({{n * {step_of(parameters.layout, block)},
                          std::min<uint64_t>({block}, {size} - n * {block})}});"""
