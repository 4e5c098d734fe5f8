"""Cells of arrays in Zarr, HDF5 and NetCDF, from files, S3 and the web."""

from core import Entry, KindEntry
from workloads.shared.servers import LAB_S3, WIRE_COUNTERS, addresses_ending

WORKLOADS = (
    Entry(
        name="arrays",
        title="Arrays in chunks",
        purpose="Which library with how many requests at once reads my Zarr, HDF5 or NetCDF best?",
        load="workloads.arrays.array_workload:Arrays",
        place=1,
        leading=("throughput", "byte_rate"),
        counters=WIRE_COUNTERS,
        addresses=addresses_ending("zarr", reader="zarr")
        | addresses_ending("h5", "hdf5", "nc", reader="h5py"),
        servers=(LAB_S3,),
    ),
)

DATASET_KINDS = (
    KindEntry(name="zarr", title="Zarr", load="workloads.arrays.array_kinds:Zarr"),
    KindEntry(name="netcdf", title="NetCDF", load="workloads.arrays.array_kinds:NetCdf"),
    KindEntry(name="hdf5", title="HDF5", load="workloads.arrays.array_kinds:Hdf5"),
)
