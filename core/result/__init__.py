"""What was measured: trials, their moments and latencies, how they ended."""
