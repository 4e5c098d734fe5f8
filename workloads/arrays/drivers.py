"""The libraries that read arrays, all of one extra."""

from __future__ import annotations

from core import Driver

_INSTALL = 'make .venv EXTRAS="arrays"'
ZARR = Driver(module="zarr", distribution="zarr", install=_INSTALL)
ZARRS = Driver(module="zarrs", distribution="zarrs", install=_INSTALL)
TENSORSTORE = Driver(module="tensorstore", distribution="tensorstore", install=_INSTALL)
H5PY = Driver(module="h5py", distribution="h5py", install=_INSTALL)
NETCDF4 = Driver(module="netCDF4", distribution="netCDF4", install=_INSTALL)
OBSTORE = Driver(module="obstore", distribution="obstore", install=_INSTALL)
