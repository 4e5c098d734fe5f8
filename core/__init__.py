"""The engine: plans, runs and judges measurements of scientific I/O."""
