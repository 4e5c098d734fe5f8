"""Looking at the processes of a trial from outside, ten times a second, almost for free.

Cheap figures (memory, CPU, I/O, the number of open files) are read every time.  Figures whose cost
grows with open files or threads are read as often as their budget allows;
`PYTHONPATH=. python tests/benchmarks/bench_sampling.py` measures the total cost.
"""

from core.host.sampling.readings import Reading
from core.host.sampling.sampler import Sampler

__all__ = ["Reading", "Sampler"]
