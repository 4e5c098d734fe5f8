"""One row for each trial, as Parquet, with the columns of the CSV export and their types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

from core.host.program import sluice_version
from core.output.export.trial_rows import columns_of
from core.result.result import Result


def write(results: Sequence[Result], stream: BinaryIO) -> None:
    """Write the table; a cell without a value is null."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {int: pa.int64(), float: pa.float64(), str: pa.string(), bool: pa.bool_()}
    columns = columns_of(results)
    schema = pa.schema(
        [pa.field(column.name, types[column.kind]) for column in columns],
        metadata={"sluice": sluice_version()},
    )
    trials = [(result, trial) for result in results for trial in result.trials]
    arrays = [
        pa.array([column.look(result, trial) for result, trial in trials], types[column.kind])
        for column in columns
    ]
    pq.write_table(pa.table(arrays, schema=schema), stream)
