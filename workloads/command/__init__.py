"""Any program of the user's own, run as an operation."""

from core import Entry

WORKLOADS = (
    Entry(
        name="command",
        title="Any program",
        purpose="How many threads does my own tool want on my own data?",
        load="workloads.command.command_workload:AnyProgram",
        place=1,
        counters=(
            "per run seconds",
            "per run CPU seconds",
            "bytes written per run",
            "open files at most",
            "processes at most",
        ),
    ),
)
