"""What can be measured: workloads, their parameters, the data they work on."""
