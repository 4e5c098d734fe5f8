"""Random fetches from FASTA: SeqRepo snapshots, FASTA files, folders of them."""

from core import Entry, KindEntry

WORKLOADS = (
    Entry(
        name="fasta",
        title="Random FASTA fetches",
        purpose="How many threads and which cache of open files serve random sequence fetches best?",
        load="workloads.fasta.fasta_workload:RandomFetch",
    ),
)

DATASET_KINDS = (
    KindEntry(
        name="seqrepo", title="SeqRepo snapshot", load="workloads.fasta.fasta_datasets:Seqrepo"
    ),
    KindEntry(name="fasta", title="FASTA file", load="workloads.fasta.fasta_datasets:Fasta"),
    KindEntry(
        name="fasta-folder",
        title="folder of FASTA files",
        load="workloads.fasta.fasta_datasets:FastaFolder",
    ),
)
