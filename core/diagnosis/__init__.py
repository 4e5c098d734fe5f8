"""Why is it not faster?  The bottleneck of a result, from what was recorded of it.

    diagnose(result, beside)        `beside`: results of the same sweep, the raw floor, and the pair
                                    of processes and threads where they were measured
    diagnose_all(results, chosen)   the one diagnosis to show with a sweep's or a search's answer
    probe(spec)                     the specs that tell a lock from a device

A wrong name is worse than none: UNKNOWN is an answer, with what was seen.
"""

from core.diagnosis.causes import Cause, Confidence, Diagnosis
from core.diagnosis.facts import Facts, facts_of
from core.diagnosis.finding import diagnose, diagnose_all, probe

__all__ = [
    "Cause",
    "Confidence",
    "Diagnosis",
    "Facts",
    "diagnose",
    "diagnose_all",
    "facts_of",
    "probe",
]
