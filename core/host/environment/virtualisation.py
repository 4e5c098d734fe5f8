"""Hints that a machine is virtual or a container."""

from __future__ import annotations

from pathlib import Path

from core.host.environment import kernel_files

_CONTAINER_FILES = {
    ".dockerenv": "docker",
    "run/.containerenv": "podman",
    ".singularity.d": "apptainer",
    "run/host/container-manager": "flatpak or similar",
}
_CONTAINER_GROUPS = ("kubepods", "docker", "libpod", "lxc", "containerd")
_VENDORS = {
    "qemu": "QEMU",
    "kvm": "KVM",
    "amazon ec2": "Amazon EC2",
    "google compute": "Google Compute Engine",
    "vmware": "VMware",
    "virtualbox": "VirtualBox",
    "innotek": "VirtualBox",
    "xen": "Xen",
    "parallels": "Parallels",
    "openstack": "OpenStack",
    "virtual machine": "Hyper-V",
}


def find_container(root: Path) -> str | None:
    """What kind of container this is, or None where nothing hints at one."""
    named = kernel_files.read_text(root / "run/systemd/container")
    if named:
        return named
    for name, kind in _CONTAINER_FILES.items():
        if (root / name).exists():
            return kind
    groups = kernel_files.read_text(root / "proc/1/cgroup") or ""
    return next((kind for kind in _CONTAINER_GROUPS if kind in groups), None)


def find_virtualisation(root: Path) -> str | None:
    """What kind of virtual machine this is, or None where nothing hints at one."""
    if "microsoft" in (kernel_files.read_text(root / "proc/sys/kernel/osrelease") or "").lower():
        return "WSL"
    firmware = " ".join(
        kernel_files.read_text(root / "sys/class/dmi/id" / name) or ""
        for name in ("sys_vendor", "product_name", "bios_vendor")
    ).lower()
    for mark, kind in _VENDORS.items():
        if mark in firmware:
            return kind
    named = kernel_files.read_text(root / "sys/hypervisor/type")
    if named:
        return named
    flags = kernel_files.read_fields(root / "proc/cpuinfo").get("flags", "").split()
    return "unknown hypervisor" if "hypervisor" in flags else None
