"""Writes each job that Snakemake names as a line of JSON, into the file that SLUICE_JOBS names."""

import json
import os
from pathlib import Path

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.settings import LogHandlerSettingsBase


class LogHandlerSettings(LogHandlerSettingsBase):
    pass


class LogHandler(LogHandlerBase):
    writes_to_stream = False
    writes_to_file = False
    has_filter = True
    has_formatter = True
    needs_rulegraph = False

    def emit(self, record):
        if str(getattr(record, "event", "")) != "job_info":
            return
        memory = getattr(record.resources, "mem_mb", None)
        job = {
            "rule": record.rule_name,
            "input": [str(file) for file in record.input],
            "output": [str(file) for file in record.output],
            "benchmark": str(record.benchmark or ""),
            "threads": record.threads,
            "mem_mb": memory if isinstance(memory, int) else 0,
            "shellcmd": record.shellcmd or "",
        }
        with Path(os.environ["SLUICE_JOBS"]).open("a", encoding="utf-8") as file:
            file.write(json.dumps(job) + "\n")
