"""The workload: reads, needs and writes of a sparse file in memory, from Python and from C++."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, override

from core import Context, Dataset, InvalidParameter, Job, Load, Workload, tr
from workloads.shared.code_templates import code_from
from workloads.sparse.sparse_datasets import INDEX
from workloads.sparse.sparse_jobs import job_of, require_mutex
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
    def admit_load(self, parameters: SparseParameters, load: Load) -> None:
        require_mutex(parameters, load.threads)

    @override
    def in_code(
        self, parameters: SparseParameters, load: Load, dataset: Dataset
    ) -> Mapping[str, str]:
        values: dict[str, object] = {"parameters": parameters, "index": str(dataset.path / INDEX)}
        if parameters.layout != "index":
            values["step"] = step_of(parameters.layout, parameters.block_size)
        if parameters.language == "cpp":
            return {"C++": code_from("sparse_cpp", load, **values)}
        return {"Python": code_from("sparse_python", load, **values)}

    @override
    def open(self, context: Context[SparseParameters]) -> Job[Any, Any]:
        """Lay the blocks out and write them, except for writes into an empty file."""
        for driver in self.drivers(context.parameters):
            driver.require()
        return job_of(context)
