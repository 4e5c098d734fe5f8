"""A machine is described without naming it, and what would disturb measurements is said."""

from __future__ import annotations

import getpass
import os
import platform
import resource
import sys
from pathlib import Path

import msgspec
import pytest

from core.measure import (
    describe_environment,
    describe_file_system,
    describe_limits,
    digest,
    warnings,
)
from core.measure.machine.environment import ResourceLimits
from core.vocabulary import Environment

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")

CPU = "sys/devices/system/cpu"
LAPTOP = {
    "etc/machine-id": "0123456789abcdef0123456789abcdef\n",
    "etc/os-release": 'NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n',
    "proc/sys/kernel/osrelease": "6.1.0-28-amd64\n",
    "proc/cpuinfo": "processor\t: 0\nmodel name\t: Some CPU @ 2.50GHz\nflags\t\t: fpu sse\n",
    "proc/meminfo": "MemTotal:  16303428 kB\nSwapTotal: 2097148 kB\nSwapFree:  1048576 kB\n",
    "proc/loadavg": "0.25 0.50 0.75 1/234 5678\n",
    "proc/self/status": "Name:\tpython\nCpus_allowed_list:\t0-2\n",
    "proc/self/cgroup": "0::/user/job\n",
    f"{CPU}/online": "0-3\n",
    f"{CPU}/cpu0/topology/core_cpus_list": "0,2\n",
    f"{CPU}/cpu1/topology/core_cpus_list": "1,3\n",
    f"{CPU}/cpu2/topology/core_cpus_list": "0,2\n",
    f"{CPU}/cpu3/topology/core_cpus_list": "1,3\n",
    f"{CPU}/cpu0/cpufreq/scaling_governor": "powersave\n",
    f"{CPU}/cpu0/cpufreq/cpuinfo_min_freq": "800000\n",
    f"{CPU}/cpu0/cpufreq/cpuinfo_max_freq": "3500000\n",
    "sys/fs/cgroup/user/job/cpu.max": "max 100000\n",
    "sys/fs/cgroup/user/job/memory.max": "max\n",
    "sys/fs/cgroup/user/cpu.max": "150000 100000\n",
    "sys/fs/cgroup/user/memory.max": "4294967296\n",
}


def plant(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.fixture
def laptop(tmp_path: Path) -> Path:
    return plant(tmp_path, LAPTOP)


def calm(**changes: object) -> Environment:
    """A machine nothing is wrong with, but for the changes."""
    environment = Environment(
        machine_id="0123456789abcdef",
        os="Debian GNU/Linux 12 (bookworm)",
        kernel="6.1.0-28-amd64",
        architecture="x86_64",
        cpu_model="Some CPU",
        logical_cores=4,
        physical_cores=2,
        affinity_cores=4,
        quota_cores=None,
        memory_bytes=16 << 30,
        swap_bytes=0,
        swap_used_bytes=0,
        cpu_governor="performance",
        cpu_frequency_low=None,
        cpu_frequency_high=None,
        load_average=(0.1, 0.1, 0.1),
        container=None,
        virtualisation=None,
        python="CPython 3.12.1",
        gil_enabled=True,
        versions={},
    )
    return msgspec.structs.replace(environment, **changes)


def generous(**changes: int) -> ResourceLimits:
    """Limits that disturb nothing, but for the changes."""
    limits = ResourceLimits(open_files_soft=4096, open_files_hard=1 << 20)
    return msgspec.structs.replace(limits, **changes)


class TestThisMachine:
    def test_that_it_agrees_with_what_python_knows(self) -> None:
        seen = describe_environment(["msgspec", "surely-not-installed"])
        assert seen.logical_cores == os.cpu_count()
        assert seen.kernel == platform.release()
        assert seen.python.endswith(platform.python_version())
        assert seen.memory_bytes == pytest.approx(
            os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"), rel=0.01
        )
        assert seen.versions == {"msgspec": msgspec.__version__}
        assert 0 < seen.usable_cores <= seen.affinity_cores <= seen.logical_cores
        assert seen.physical_cores is None or 0 < seen.physical_cores <= seen.logical_cores

    @linux_only
    def test_that_affinity_is_respected(self) -> None:
        everywhere = os.sched_getaffinity(0)
        try:
            os.sched_setaffinity(0, {min(everywhere)})
            assert describe_environment().affinity_cores == 1
        finally:
            os.sched_setaffinity(0, everywhere)
        assert describe_environment().affinity_cores == len(everywhere)

    def test_that_limits_are_those_of_this_process(self) -> None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(200, hard), hard))
            assert describe_limits().open_files_soft == min(200, hard)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    def test_that_two_descriptions_of_it_have_one_digest(self) -> None:
        assert digest(describe_environment()) == digest(describe_environment(["msgspec"]))

    def test_that_neither_its_name_nor_its_user_nor_variables_are_told(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "do-not-tell-this")
        told = msgspec.json.encode((describe_environment(["msgspec"]), describe_limits())).decode()
        assert "do-not-tell-this" not in told
        for name in (platform.node(), getpass.getuser()):
            assert f'"{name}"' not in told

    def test_that_it_survives_a_round_through_json(self) -> None:
        seen = describe_environment(["msgspec"])
        assert msgspec.json.decode(msgspec.json.encode(seen), type=Environment) == seen


@linux_only
class TestEnvironment:
    def test_that_a_machine_is_read_from_its_small_files(self, laptop: Path) -> None:
        seen = describe_environment(root=laptop)
        assert seen.os == "Debian GNU/Linux 12 (bookworm)"
        assert seen.kernel == "6.1.0-28-amd64"
        assert seen.cpu_model == "Some CPU @ 2.50GHz"
        assert (seen.logical_cores, seen.physical_cores, seen.affinity_cores) == (4, 2, 3)
        assert seen.memory_bytes == 16303428 * 1024
        assert (seen.swap_bytes, seen.swap_used_bytes) == (2097148 * 1024, 1048572 * 1024)
        assert seen.cpu_governor == "powersave"
        assert (seen.cpu_frequency_low, seen.cpu_frequency_high) == (800_000_000, 3_500_000_000)
        assert seen.load_average == (0.25, 0.5, 0.75)
        assert (seen.container, seen.virtualisation) == (None, None)

    def test_that_more_free_swap_than_there_is_counts_as_none_in_use(self, tmp_path: Path) -> None:
        told = "MemTotal: 1024 kB\nSwapTotal: 0 kB\nSwapFree: 18446744073709551612 kB\n"
        seen = describe_environment(root=plant(tmp_path, LAPTOP | {"proc/meminfo": told}))
        assert (seen.swap_bytes, seen.swap_used_bytes) == (0, 0)
        assert msgspec.json.decode(msgspec.json.encode(seen), type=Environment) == seen

    def test_that_the_tightest_control_group_on_the_way_up_counts(self, laptop: Path) -> None:
        seen = describe_environment(root=laptop)
        assert seen.quota_cores == 1.5
        assert seen.usable_cores == 1.5
        assert describe_limits(root=laptop).group_memory == 4 << 30

    def test_that_a_quota_that_is_as_good_as_none_can_be_kept(self, tmp_path: Path) -> None:
        told = {"sys/fs/cgroup/user/cpu.max": f"{10**15} 100000\n"}
        seen = describe_environment(root=plant(tmp_path, LAPTOP | told))
        assert seen.usable_cores == seen.affinity_cores
        assert msgspec.json.decode(msgspec.json.encode(seen), type=Environment) == seen

    def test_that_control_groups_of_version_1_count_too(self, tmp_path: Path) -> None:
        groups = "sys/fs/cgroup"
        files = {
            "proc/self/cgroup": "5:cpu,cpuacct:/docker/abc\n4:memory:/docker/abc\n0::/\n",
            f"{groups}/cpu,cpuacct/cpu.cfs_quota_us": "50000\n",
            f"{groups}/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
            f"{groups}/memory/memory.limit_in_bytes": "9223372036854771712\n",
            f"{groups}/memory/docker/abc/memory.limit_in_bytes": "1073741824\n",
        }
        root = plant(tmp_path, LAPTOP | files)
        assert describe_environment(root=root).quota_cores == 0.5
        assert describe_limits(root=root).group_memory == 1 << 30

    def test_that_a_system_without_any_of_the_files_is_described_nonetheless(
        self, tmp_path: Path
    ) -> None:
        seen = describe_environment(root=tmp_path)
        assert seen.logical_cores == os.cpu_count()
        assert seen.cpu_model
        assert seen.memory_bytes > 0
        assert seen.cpu_governor is None

    @pytest.mark.parametrize(
        ("name", "text", "container"),
        [
            (".dockerenv", "", "docker"),
            ("run/.containerenv", "", "podman"),
            ("run/systemd/container", "systemd-nspawn\n", "systemd-nspawn"),
            ("proc/1/cgroup", "0::/kubepods/burstable/pod1\n", "kubepods"),
        ],
    )
    def test_that_containers_are_recognised(
        self, laptop: Path, name: str, text: str, container: str
    ) -> None:
        plant(laptop, {name: text})
        assert describe_environment(root=laptop).container == container

    @pytest.mark.parametrize(
        ("name", "text", "virtualisation"),
        [
            ("sys/class/dmi/id/sys_vendor", "QEMU\n", "QEMU"),
            ("sys/class/dmi/id/product_name", "VMware Virtual Platform\n", "VMware"),
            ("proc/cpuinfo", "flags\t: fpu hypervisor\n", "unknown hypervisor"),
            ("proc/sys/kernel/osrelease", "5.15.90-microsoft-standard-WSL2\n", "WSL"),
        ],
    )
    def test_that_virtual_machines_are_recognised(
        self, laptop: Path, name: str, text: str, virtualisation: str
    ) -> None:
        plant(laptop, {name: text})
        assert describe_environment(root=laptop).virtualisation == virtualisation

    def test_that_an_arm_machine_without_a_model_name_has_a_model(self, laptop: Path) -> None:
        plant(laptop, {"proc/cpuinfo": "CPU implementer\t: 0x41\nCPU part\t: 0xd0c\n"})
        assert describe_environment(root=laptop).cpu_model == "ARM 0x41 0xd0c"


class TestDigest:
    @pytest.mark.parametrize(
        "change",
        [
            {"cpu_model": "Other CPU"},
            {"logical_cores": 8},
            {"physical_cores": None},
            {"memory_bytes": 32 << 30},
            {"os": "Debian GNU/Linux 13 (trixie)"},
            {"kernel": "6.12.0-1-amd64"},
            {"machine_id": "fedcba9876543210"},
        ],
    )
    def test_that_another_machine_has_another_digest(self, change: dict[str, object]) -> None:
        assert digest(calm(**change)) != digest(calm())

    @pytest.mark.parametrize(
        "change",
        [
            {"kernel": "6.1.9-31-amd64"},
            {"memory_bytes": (16 << 30) - 5_000_000},
            {"load_average": (9.0, 9.0, 9.0)},
            {"swap_used_bytes": 1},
            {"python": "CPython 3.13.0"},
            {"versions": {"numpy": "2.0"}},
            {"affinity_cores": 1},
        ],
    )
    def test_that_what_changes_from_day_to_day_leaves_the_digest(
        self, change: dict[str, object]
    ) -> None:
        assert digest(calm(**change)) == digest(calm())

    @linux_only
    def test_that_the_machine_id_itself_is_not_told(self, laptop: Path) -> None:
        told = describe_environment(root=laptop).machine_id
        assert len(told) == 16
        assert told not in LAPTOP["etc/machine-id"]


class TestFileSystem:
    def test_that_this_one_has_room_and_a_type(self, tmp_path: Path) -> None:
        seen = describe_file_system(tmp_path)
        assert 0 < seen.free_bytes <= seen.total_bytes
        assert seen.type not in ("", "unknown")

    def test_that_a_path_not_made_yet_lies_where_its_nearest_folder_does(
        self, tmp_path: Path
    ) -> None:
        missing = describe_file_system(tmp_path / "not" / "yet")
        assert missing.mount_point == describe_file_system(tmp_path).mount_point

    @linux_only
    def test_that_the_innermost_and_latest_mount_is_found(self, tmp_path: Path) -> None:
        here = str(tmp_path / "with space").replace(" ", "\\040")
        root = mounts(
            tmp_path,
            "1 0 8:1 / / rw - ext4 /dev/nosuch1 rw",
            f"2 1 8:2 / {here} rw,noatime - xfs /dev/nosuch2 rw,logbufs=8",
            f"3 1 8:3 / {here} rw,noatime - btrfs /dev/nosuch3 rw,subvol=/home/ada",
        )
        (tmp_path / "with space" / "data").mkdir(parents=True)
        seen = describe_file_system(tmp_path / "with space" / "data", root=root)
        assert (seen.type, seen.device) == ("btrfs", "/dev/nosuch3")
        assert seen.options == ("rw", "noatime")
        assert describe_file_system(tmp_path, root=root).type == "ext4"

    @linux_only
    @pytest.mark.parametrize(
        ("kind", "network"),
        [("nfs4", True), ("fuse.sshfs", True), ("ext4", False), ("fuse.ntfs", False)],
    )
    def test_that_network_file_systems_are_told_from_local_ones(
        self, tmp_path: Path, kind: str, network: bool
    ) -> None:
        root = mounts(tmp_path, f"1 0 0:50 / / rw - {kind} somewhere rw")
        assert describe_file_system(tmp_path, root=root).network is network

    @linux_only
    def test_that_no_host_user_or_password_of_a_mount_is_told(self, tmp_path: Path) -> None:
        line = (
            "1 0 0:50 / / rw - cifs //fileserver/ada "
            "rw,vers=3.1.1,username=ada,password=secret,addr=10.0.0.7,rsize=4194304"
        )
        told = describe_file_system(tmp_path, root=mounts(tmp_path, line))
        assert told.options == ("rw", "vers=3.1.1", "rsize=4194304")
        encoded = msgspec.json.encode(told).decode()
        for word in ("ada", "secret", "10.0.0.7", "fileserver"):
            assert word not in encoded

    @linux_only
    @pytest.mark.parametrize(("answer", "rotational"), [("1\n", True), ("0\n", False)])
    def test_that_a_partition_rotates_if_its_disk_does(
        self, tmp_path: Path, answer: str, rotational: bool
    ) -> None:
        root = mounts(tmp_path, "1 0 8:1 / / rw - ext4 /dev/nosuch1 rw")
        plant(
            tmp_path,
            {"sys/devices/sda/queue/rotational": answer, "sys/devices/sda/sda1/partition": "1\n"},
        )
        link = tmp_path / "sys/dev/block/8:1"
        link.parent.mkdir(parents=True)
        link.symlink_to(tmp_path / "sys/devices/sda/sda1")
        assert describe_file_system(tmp_path, root=root).rotational is rotational


def mounts(folder: Path, *lines: str) -> Path:
    return plant(folder, {"proc/self/mountinfo": "\n".join(lines) + "\n"})


class TestWarnings:
    def test_that_a_calm_machine_gives_none(self) -> None:
        assert warnings(generous(), calm()) == []

    @pytest.mark.parametrize(
        ("limits", "machine", "text", "remedy"),
        [
            ({"open_files_soft": 256}, {}, "only 256 files", "ulimit -n 4096"),
            ({"open_files_soft": 256, "open_files_hard": 1024}, {}, "256", "ulimit -n 1024 ("),
            ({"processes_soft": 100}, {}, "100 threads", "ulimit -u"),
            ({"address_space_soft": 1 << 30}, {}, "1.0 GiB", "ulimit -v"),
            ({"group_memory": 1 << 30}, {}, "1.0 GiB of 16.0 GiB", "more memory"),
            ({}, {"quota_cores": 1.5}, "1.5 cores", "cpuset"),
            ({}, {"affinity_cores": 2}, "Only 2 of 4", "taskset"),
            ({}, {"cpu_governor": "performance,powersave"}, "powersave", "cpupower"),
            ({}, {"swap_used_bytes": 1 << 29}, "512 MiB of swap", "swapoff"),
        ],
    )
    def test_that_what_disturbs_is_said_with_its_remedy(
        self, limits: dict[str, int], machine: dict[str, object], text: str, remedy: str
    ) -> None:
        (warning,) = warnings(generous(**limits), calm(**machine))
        assert text in warning.text
        assert remedy in warning.remedy
