"""How long a test waits for what must come: generous, because others may be using the machine.

A test fails by waiting in vain, not by waiting long; how quickly something comes is a matter of
`tests/benchmarks`.
"""

PATIENCE = 120.0
"""Seconds."""
MILLISECONDS = round(1000 * PATIENCE)
"""The same for Qt."""
