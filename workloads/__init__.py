"""What can be measured: one folder per workload, each knowing only core."""
