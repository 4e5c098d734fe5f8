"""A proxy that makes a server on this machine behave like one that is far away and busy.

It adds latency, limits bandwidth and connections, and answers `503 SlowDown` above a rate.
"""
