"""The readers that need this machine's zstd, which macOS may lack; Debian always has it."""

from workloads.signal.signal_parameters import ZSTD_DRIVER

BY_ZSTD = ("blow5-zstd",) if ZSTD_DRIVER.installed else ()
