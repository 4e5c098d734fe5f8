"""Rooms that several workloads share, because they reach the same servers.

They know no workload, have no tables, and import nothing heavy before it is used.
"""
