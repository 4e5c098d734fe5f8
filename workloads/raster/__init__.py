"""Windows of GeoTIFFs, cloud-optimised or not, read by GDAL from files, S3 and http."""

from core import Counter, Entry, KindEntry, ServerUse
from workloads.shared.servers import LAB_S3, WIRE_COUNTERS, addresses_ending

WORKLOADS = (
    Entry(
        name="raster",
        title="Windows of a raster",
        purpose="How many threads and which settings of GDAL read windows of a GeoTIFF best?",
        load="workloads.raster.raster_workload:RasterWindows",
        counters=(
            Counter(name="requests to open"),
            *WIRE_COUNTERS,
        ),
        servers=(
            LAB_S3,
            ServerUse(server="http", at={"store": "http"}),
        ),
        addresses=addresses_ending("tif", "tiff"),
    ),
)

DATASET_KINDS = (
    KindEntry(name="raster", title="TIFF raster", load="workloads.raster.raster_datasets:Raster"),
)
