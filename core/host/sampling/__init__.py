"""Looking at the processes of a trial from outside, ten times a second, almost for free.

What costs little (memory, CPU, I/O, the number of open files) is read every time.
What costs much with many open files or threads is read as often as its budget allows;
`PYTHONPATH=. python tests/benchmarks/bench_sampling.py` measures the sum of it all.
"""

from core.host.sampling.readings import Reading
from core.host.sampling.sampler import Sampler

__all__ = ["Reading", "Sampler"]
