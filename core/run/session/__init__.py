"""The `.sluice` file: every run, trial and note of a session, in one SQLite file.

Trials are appended as they end, each in its own transaction with its time series and histogram.  A
trial that has ended is never changed or removed; the row of a running trial is replaced as it
grows.  A session that is killed at any moment keeps every trial whose `append` has returned.

The journal is a rollback journal, not a write-ahead log (WAL).  With WAL the newest trials live in
a second file until a checkpoint, and for good after a kill -9, so that a copied or mailed `.sluice`
would lack them.  WAL readers need to write a third file beside it, which a read-only folder
refuses, and its shared memory does not work over a network file system.  WAL is better for many
small writes beside readers, which a session does not do.

    with Session.create(Path("fasta.sluice")) as session:
        run = session.begin_run(plan, environment, file_systems, sys.argv)
        session.append(run, trial)
        session.end_run(run, "completed")
    with Session.read(Path("fasta.sluice")) as session:
        results = session.results()
"""

from core.run.session.rows import How, Note, Run
from core.run.session.schema import FORMAT_VERSION
from core.run.session.session_file import Session

__all__ = ["FORMAT_VERSION", "How", "Note", "Run", "Session"]
