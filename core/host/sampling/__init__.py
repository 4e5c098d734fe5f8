"""Looking at the processes of a trial from outside, ten times a second, almost for free.

Memory, CPU time and the number of open files are read every time: three small files of /proc for
each process.  After a tenth of a second of sleep all of it, the kernel's code and the
interpreter's, has left the processor's caches and takes ten times as long as when it is warm, so
that each further file, object and call counts.  What only grows (I/O, context switches, peaks) and
new processes are looked for every second or two, and figures whose cost grows with open files or
threads as often as their budget allows.
`PYTHONPATH=. python tests/benchmarks/bench_sampling.py` measures the total cost, and what three
bare reads of such files cost beside it.
"""

from core.host.sampling.readings import Reading
from core.host.sampling.sampler import Sampler

__all__ = ["Reading", "Sampler"]
