"""The jobs: what is timed, and how results are checked against blocks with known bytes.

files       new sparse files, filled ones, and what they hold
account     the memory of a file: by its own account, by the law, and as resident
filled      the common base of all jobs on a filled file
reading, needing, writing    the operations, from Python and from C++
"""

from __future__ import annotations

from typing import Any

from core import Context, InvalidParameter, Job
from workloads.sparse.jobs.needs_job import NativeNeedJob, NeedJob
from workloads.sparse.jobs.read_job import NativeReadJob, ReadJob
from workloads.sparse.jobs.writing import WriteJob
from workloads.sparse.layouts import blocks_of
from workloads.sparse.sparse_datasets import read_index
from workloads.sparse.sparse_parameters import SparseParameters


def job_of(context: Context[SparseParameters]) -> Job[Any, Any]:
    """The job that the parameters ask for; raises InvalidParameter where threads need a mutex."""
    parameters, threads = context.parameters, context.load.threads
    if parameters.language == "cpp" and threads > 1 and not parameters.mutex:
        raise InvalidParameter(
            "mutex", "threads would damage the file that they share", "add --mutex"
        )
    index = read_index(context.dataset.path) if parameters.layout == "index" else ()
    blocks = blocks_of(
        parameters.layout, parameters.block_size, parameters.size, index, context.load.seed
    )
    if parameters.operation == "write":
        return WriteJob(parameters, blocks, threads)
    native = parameters.language == "cpp"
    if parameters.operation == "read":
        return NativeReadJob(parameters, blocks) if native else ReadJob(parameters, blocks)
    return NativeNeedJob(parameters, blocks) if native else NeedJob(parameters, blocks)
