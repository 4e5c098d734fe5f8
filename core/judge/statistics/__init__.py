"""Estimates, intervals and tests for what was measured: pure functions on numbers.

Nothing here reads files or prints.

The unit of replication is the trial, not the sample: samples of one trial share its memory layout,
its cache state and its scheduling, so a thousand of them are still one draw (Kalibera & Jones,
"Rigorous benchmarking in reasonable time", ISMM 2013).  All take one figure per trial.
"""
