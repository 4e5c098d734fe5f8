"""The machine: its environment, page cache and processes, and Sluice's own files."""
