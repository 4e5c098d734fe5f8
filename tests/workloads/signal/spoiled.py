"""A workload whose file is damaged after the oracle has read it, so that only readers see it."""

from typing import override

from core import Context, Job
from workloads.signal import slow5_records_oracle
from workloads.signal.signal_jobs import BatchResult, ReadRequest
from workloads.signal.signal_parameters import SignalParameters
from workloads.signal.signal_workload import ReadSignals

PLACE = 250
"""Number of the record that is damaged, from 0."""


class Spoiled(ReadSignals):
    @override
    def open(self, context: Context[SignalParameters]) -> Job[ReadRequest, BatchResult]:
        job = super().open(context)
        path = context.dataset.path
        record = list(slow5_records_oracle.records(path, 0))[PLACE]
        with path.open("r+b") as file:
            file.seek(record.offset + 8)
            file.write(bytes(record.size - 8))
        return job
