"""Conditions that a machine can have, what is run under each, and what is held of it.

Each is a row.  `before` are lines of a shell that make the condition; what they mount is in a
namespace that ends with the row.  `run` is a command line of Sluice.  `after` are lines that have
to succeed then, in the same namespace.  `$W` is the row's own folder: `$W/data` is what is
measured, `$W/others` is somebody else's, which nobody may change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

type Family = Literal["calls", "limits", "places", "surroundings"]

_SHORT = "--warm-up 0 --repeats 1 --no-floor"
RAW = f"measure raw --dataset $W/data/some.bin --duration 50ms {_SHORT}"
FASTA = f"measure fasta --dataset $W/data/some.fa --duration 50ms {_SHORT}"
ONCE = f"--dataset $W/data/some.bin --duration 0s --operations 2 {_SHORT}"
COPY = f"measure command --run 'cp {{dataset}} {{out}}/copy' --processes 2 {ONCE}"
TRUE = f"measure command --run true {ONCE}"
SHELL = f"measure command --shell --run '%s' {ONCE}"
AGAIN = f"$SLUICE {TRUE}"
NOTHING_LEFT = "$SLUICE leftovers | grep -q 'nothing is left'"
OURS_ALONE = "test ! -e $W/cache/indexes/*/runs-*"
MEASURED = r"blocks/s|/run|runs/s"
MOST_LETTERS = 255

MOUNTED = r"is mounted there"


@dataclass(frozen=True, kw_only=True)
class Condition:
    name: str
    family: Family
    run: str = RAW
    program: Literal["core", "app"] = "core"
    before: str = ""
    limits: str = ""
    """Lines of the shell that becomes the command: what it and its children may have."""
    without: tuple[str, ...] = ()
    """ENOSYS or EPERM, and the system calls that are answered with that."""
    group: Mapping[str, str] = field(default_factory=dict)
    """Files of a control group that the command is in, by their names in version 2."""
    user: Literal["root", "nobody", "unknown"] = "root"
    """nobody; or a number that has no name and no home."""
    wrapper: str = ""
    """A program that starts the command."""
    streams: str = ""
    code: int = 0
    says: str = MEASURED
    """A pattern that is in what is printed."""
    after: str = ""
    needs: tuple[str, ...] = ()
    """Programs."""


def _shell(script: str, more: str = "") -> str:
    return f"{SHELL % script} {more}".rstrip()


def _refused() -> tuple[Condition, ...]:
    """Each call that there is another way for, missing or forbidden."""
    either: tuple[tuple[str, str, str], ...] = (
        ("ENOSYS", "pidfd_open", COPY),
        ("EPERM", "pidfd_open", COPY),
        ("ENOSYS", "memfd_create", COPY),
        ("EPERM", "memfd_create", RAW),
        ("EPERM", "statfs", RAW),
        ("ENOSYS", "sysinfo", RAW),
        ("EPERM", "sched_getaffinity", RAW),
        ("EPERM", "waitid", COPY),
        ("EPERM", "prctl", COPY),
        ("ENOSYS", "prlimit64", RAW),
        ("ENOSYS", "fadvise64", f"{RAW} --page-cache cold"),
        ("ENOSYS", "preadv", RAW),
        ("EPERM", "flock", COPY),
    )
    return tuple(
        Condition(
            name=f"{call} {'missing' if answer == 'ENOSYS' else 'forbidden'}",
            family="calls",
            without=(answer, call),
            run=run,
        )
        for answer, call, run in either
    )


_NEW_CALLS = [
    "cachestat",
    "clone3",
    "close_range",
    "copy_file_range",
    "io_uring_setup",
    "memfd_create",
    "openat2",
    "pidfd_open",
    "pidfd_send_signal",
    "preadv2",
    "statx",
]

_CALLS = (
    *_refused(),
    Condition(
        name="a kernel like Linux 3.10", family="calls", without=("ENOSYS", *_NEW_CALLS), run=COPY
    ),
    Condition(
        name="fasta on a kernel like Linux 3.10",
        family="calls",
        without=("ENOSYS", *_NEW_CALLS),
        run=FASTA,
        says="sequences/s|fetches/s|/s",
    ),
    Condition(
        name="doctor on a kernel like Linux 3.10",
        family="calls",
        without=("ENOSYS", *_NEW_CALLS, "statfs", "sysinfo"),
        run="doctor",
        says="room in memory",
    ),
    Condition(
        name="copies without copy_file_range and sendfile",
        family="calls",
        without=("ENOSYS", "copy_file_range", "sendfile"),
        run=COPY,
    ),
    Condition(
        name="clone3 forbidden",
        family="calls",
        without=("EPERM", "clone3"),
        code=1,
        says="forbids the system call clone3",
    ),
    Condition(
        name="fsync missing",
        family="calls",
        without=("ENOSYS", "fsync"),
        code=1,
        says="lacks the system call fsync",
    ),
)

_LIMITS = (
    Condition(
        name="16 open files", family="limits", limits="ulimit -n 16", code=1, says="ulimit -n"
    ),
    Condition(
        name="3 processes of a user",
        family="limits",
        limits="ulimit -u 3",
        user="nobody",
        code=1,
        says="at most 3 of this user.*ulimit -u",
    ),
    Condition(
        name="1 process of a user",
        family="limits",
        limits="ulimit -u 1",
        user="nobody",
        code=1,
        says="at most 1 of this user.*ulimit -u",
    ),
    Condition(
        name="files of 16 KiB, a session",
        family="limits",
        limits="ulimit -f 16",
        code=1,
        says="at most 16.0 KiB here: raise `ulimit -f`",
    ),
    Condition(
        name="files of 512 KiB, a program",
        family="limits",
        limits="ulimit -f 512",
        run=_shell("head -c 1000000 /dev/zero >{out}/large"),
        code=1,
        says="at most 512 KiB here: raise `ulimit -f`",
    ),
    Condition(
        name="files of 512 KiB, a program that is killed",
        family="limits",
        limits="ulimit -f 512",
        run=f"measure command --run 'dd if=/dev/zero of={{out}}/x bs=1M count=1' {ONCE}",
        code=1,
        says="at most 512 KiB here: raise `ulimit -f`",
    ),
    Condition(
        name="60 MB of address space",
        family="limits",
        limits="ulimit -v 60000",
        code=1,
        says="ulimit -v",
    ),
    Condition(name="a stack of 256 KiB", family="limits", limits="ulimit -s 256"),
    Condition(
        name="a third of a core (cgroup)",
        family="limits",
        group={"cpu.max": "33000 100000"},
        run="doctor",
        says="A quota allows the time of 0.33 cores",
    ),
    Condition(name="half a core (cgroup)", family="limits", group={"cpu.max": "50000 100000"}),
    Condition(
        name="300 MB of memory (cgroup)",
        family="limits",
        group={"memory.max": "300000000"},
        run="doctor",
        says="of 286 MiB available to this control group",
    ),
    Condition(
        name="a program that takes more than the control group has",
        family="limits",
        group={"memory.max": "200000000"},
        run=_shell("head -c 400000000 /dev/zero | tail -c 400000000 | wc -c"),
        code=1,
        says="control group ran out of memory",
    ),
    Condition(
        name="3 processes (cgroup)",
        family="limits",
        group={"pids.max": "3"},
        code=1,
        says=r"at most 3 in this control group.*pids.max",
    ),
    Condition(
        name="a deadline that is reached",
        family="limits",
        run=f"measure command --run 'sleep 600' {ONCE} --deadline 1s",
        code=1,
        says="not done within 1 s",
    ),
    Condition(
        name="a limit of memory that is reached",
        family="limits",
        run=_shell(
            "head -c 200000000 /dev/zero | tail -c 200000000 | (sleep 3; wc -c)",
            "--memory-limit 20MiB",
        ),
        code=1,
        says="may take 20.0 MiB",
    ),
)


def _places() -> tuple[Condition, ...]:
    """Each folder of Sluice's own on a full disk, on one without inodes, and read-only."""
    rows = []
    for name, folder, variable, run in (
        ("cache", "cache", "SLUICE_CACHE", FASTA),
        ("sessions", "sessions", "SLUICE_SESSIONS", RAW),
    ):
        mount = f"mount -t tmpfs -o size=4k,{{how}} tmpfs $W/{folder}"
        full = f"{mount.format(how='rw')}; head -c 4096 /dev/zero >$W/{folder}/full || true"
        rows += [
            Condition(
                name=f"full disk for {name}",
                family="places",
                before=full,
                run=run,
                code=1,
                says=f"No space left on device|disk is full|{variable}",
            ),
            Condition(
                name=f"read-only {name}",
                family="places",
                before=mount.format(how="ro"),
                code=1,
                says=f"Read-only file system|{variable}",
            ),
        ]
    return tuple(rows)


_MOUNTS = {
    "a folder of another disk is bound into {out}": (
        "mount -t tmpfs tmpfs $W/mnt; echo 1 >$W/mnt/precious",
        "mkdir {out}/m; mount --bind $W/mnt {out}/m",
        "test -s $W/mnt/precious",
    ),
    "a folder of the same disk is bound into {out}": (
        "",
        "mkdir {out}/m; mount --bind $W/others {out}/m",
        "test -s $W/others/precious",
    ),
    "a file is bound into {out}": (
        "",
        "touch {out}/f; mount --bind $W/others/precious {out}/f",
        "test -s $W/others/precious",
    ),
    "a tmpfs is mounted in {out}": (
        "",
        "mkdir {out}/m; mount -t tmpfs tmpfs {out}/m; touch {out}/m/new",
        "true",
    ),
    "others' folder is mounted over {out}": (
        "",
        "mount --bind $W/others {out}",
        "test -s $W/others/precious",
    ),
}


def _mounts() -> tuple[Condition, ...]:
    return tuple(
        Condition(
            name=name,
            family="places",
            before=before,
            run=_shell(script.replace("$W", "'$W'")),
            says=MOUNTED,
            code=0,
            after=f"{kept}\n{AGAIN}\n$SLUICE leftovers | grep -q mounted",
        )
        for name, (before, script, kept) in _MOUNTS.items()
    )


_PLACES = (
    *_places(),
    Condition(
        name="full disk for temporary files",  # others are taken
        family="places",
        before="mount -t tmpfs -o size=4k tmpfs $W/tmp; head -c 4096 /dev/zero >$W/tmp/f || :",
        run=COPY,
    ),
    Condition(
        name="read-only temporary files",
        family="places",
        before="mount -t tmpfs -o ro tmpfs $W/tmp",
        run=COPY,
    ),
    Condition(
        name="full disk for state",
        family="places",
        before="mount -t tmpfs -o size=4k tmpfs $W/state; head -c 4096 /dev/zero >$W/state/f || :",
    ),
    Condition(
        name="read-only state", family="places", before="mount -t tmpfs -o ro tmpfs $W/state"
    ),
    Condition(
        name="no inodes left for sessions",
        family="places",
        before="mount -t tmpfs -o nr_inodes=1 tmpfs $W/sessions",
        code=1,
        says="No space left on device",
    ),
    Condition(
        name="no inodes left, and doctor",
        family="places",
        before="mount -t tmpfs -o nr_inodes=20 tmpfs $W/cache",
        run="doctor",
        says=r"look  room for data .* more files: .*, in .*cache  → make room there",
    ),
    Condition(
        name="a small disk, and doctor",
        family="places",
        before="mount -t tmpfs -o size=1m tmpfs $W/cache",
        run="doctor",
        says=r"look  room for data +.* of 1.0 MiB free",
    ),
    Condition(
        name="programs may not be started from the cache (noexec)",
        family="places",
        before="mount -t tmpfs -o noexec tmpfs $W/cache",
    ),
    Condition(name="no /dev/shm", family="places", before="mount -t tmpfs -o ro tmpfs /dev/shm"),
    Condition(
        name="no /dev/shm, and memfd_create missing",
        family="places",
        before="mount -t tmpfs -o ro tmpfs /dev/shm",
        without=("ENOSYS", "memfd_create"),
    ),
    Condition(
        name="data on a read-only mount",
        family="places",
        before="mount --bind $W/data $W/data; mount -o remount,ro,bind $W/data",
        run=COPY,
    ),
    Condition(
        name="data that is deleted meanwhile",
        family="places",
        before="mkdir $W/going; cp $W/data/some.bin $W/going",
        run=_shell("rm -f {dataset}; cat {dataset}").replace("$W/data", "$W/going"),
        code=1,
        says="No such file",
    ),
    *_mounts(),
    Condition(
        name="1,200 folders in each other in {out}",
        family="places",
        run=_shell("cd {out}; mkdir -p $(printf d/%.0s $(seq 1200))"),
        after=f"{OURS_ALONE}\n{NOTHING_LEFT}",
    ),
    Condition(
        name="read-only folders in {out}",
        family="places",
        run=_shell("mkdir {out}/d; touch {out}/d/f; chmod 500 {out}/d"),
        user="nobody",
        after=f"{OURS_ALONE}\n{NOTHING_LEFT}",
    ),
    Condition(
        name="a name of 255 letters in {out}",
        family="places",
        run=_shell(f"touch {{out}}/{'x' * MOST_LETTERS}"),
        after=OURS_ALONE,
    ),
    Condition(
        name="a cache whose name is too long",
        family="places",
        before=f"export SLUICE_CACHE=$W/{'c' * (MOST_LETTERS + 1)}",
        code=1,
        says="File name too long.*set SLUICE_CACHE",
    ),
)

_SURROUNDINGS = (
    Condition(
        name="a user without a name and a home",
        family="surroundings",
        before="unset HOME SLUICE_CACHE SLUICE_STATE SLUICE_SESSIONS",
        user="unknown",
        code=1,
        says=r"there is no home folder \(set HOME or SLUICE_",
    ),
    Condition(
        name="a window of a user without a name and a home",
        family="surroundings",
        before="unset HOME SLUICE_CACHE SLUICE_STATE SLUICE_SESSIONS",
        user="unknown",
        program="app",
        run="",
        code=1,
        says=r"there is no home folder \(set HOME or SLUICE_",
    ),
    Condition(
        name="a window without /proc",
        family="surroundings",
        before="mount -t tmpfs tmpfs /proc",
        program="app",
        run="",
        code=1,
        says="/proc is missing.*mount -t proc",
    ),
    Condition(name="nobody", family="surroundings", user="nobody", run=COPY),
    Condition(
        name="no /proc",
        family="surroundings",
        before="mount -t tmpfs tmpfs /proc",
        code=1,
        says="/proc is missing.*mount -t proc",
    ),
    Condition(
        name="processes of others are hidden (hidepid)",
        family="surroundings",
        before="mount -t proc -o hidepid=2 proc /proc",
        user="nobody",
        run=COPY,
    ),
    Condition(name="no network", family="surroundings", wrapper="unshare -n", run=COPY),
    Condition(
        name="clocks since boot a day ahead (time namespace)",
        family="surroundings",
        wrapper="unshare --fork -T --monotonic 86400 --boottime 86400",
        run=COPY,
    ),
    Condition(name="LANG=C", family="surroundings", before="export LANG=C LC_ALL=C"),
    Condition(name="no PATH", family="surroundings", before="export PATH=/nowhere"),
    Condition(name="stdin closed", family="surroundings", streams="<&-"),
    Condition(
        name="stdout closed", family="surroundings", streams=">&-", code=1, says="cannot be written"
    ),
    Condition(
        name="stdout is a full disk",
        family="surroundings",
        streams=">/dev/full",
        code=1,
        says="standard output cannot be written: No space left on device",
    ),
    Condition(
        name="a terminal of 20 columns",
        family="surroundings",
        wrapper="script -qec",
        needs=("script",),
        says="blocks",
    ),
    Condition(name="umask 077", family="surroundings", before="umask 077", run=COPY),
    Condition(
        name="umask 000",
        family="surroundings",
        before="umask 000",
        run=COPY,
        after='test -z "$(find $W/cache $W/sessions -mindepth 1 -perm -o+w -not -type l)"',
    ),
)

CONDITIONS = (*_CALLS, *_LIMITS, *_PLACES, *_SURROUNDINGS)
