"""Any program of the user's own, run as an operation."""

from core import Counter, Entry

WORKLOADS = (
    Entry(
        name="command",
        title="Any program",
        purpose="How many threads does my own tool want on my own data?",
        load="workloads.command.command_workload:AnyProgram",
        place=1,
        leading=("time_each", "byte_rate"),
        counters=(
            Counter(name="processes at most"),
            Counter(name="bytes written", per="operation"),
            Counter(name="wall seconds", per="operation", better="less"),
            Counter(name="CPU seconds", per="operation", better="less"),
        ),
    ),
)
