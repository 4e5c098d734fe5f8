"""The report: one self-contained HTML file, also for paper."""
