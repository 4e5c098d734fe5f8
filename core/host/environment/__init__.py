"""The machine a result was measured on, and what about it disturbs a measurement.

Nothing here names the machine, its network, its users or the contents of environment variables:
a result can be shown to anybody.
"""

from core.host.environment.file_system import FileSystem, describe_file_system, effects
from core.host.environment.machine import Environment, describe_environment, digest
from core.host.environment.machine_warnings import (
    ResourceLimits,
    Warning,  # noqa: A004
    describe_limits,
    lasting,
    warnings,
)
from core.host.environment.processor import copy_speed, usable_cores

__all__ = [
    "Environment",
    "FileSystem",
    "ResourceLimits",
    "Warning",
    "copy_speed",
    "describe_environment",
    "describe_file_system",
    "describe_limits",
    "digest",
    "effects",
    "lasting",
    "usable_cores",
    "warnings",
]
