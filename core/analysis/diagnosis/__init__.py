"""Why is it not faster?  The bottleneck of a result, from what its trials recorded.

    diagnose(result, beside)        `beside`: results of the same sweep, the raw floor, and the pair
                                    of processes and threads where they were measured
    diagnose_all(results, chosen)   the one diagnosis to show with a sweep's or a search's answer
    probe(spec)                     the specs that tell a lock from a device

A wrong cause is worse than none: UNKNOWN is an answer too, and lists what was seen.
"""

from core.analysis.diagnosis.apply_rules import diagnose, diagnose_all, probe
from core.analysis.diagnosis.case import Cause, Confidence, Diagnosis
from core.analysis.diagnosis.facts import Facts, facts_of

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
