"""What a package of Sluice holds: distributions, modules, data, and what of these is left out.

An edition is a selection of the extras in pyproject.toml.  The whole is frozen once; another
edition is the whole without the files of the distributions that it does not require.
"""

from __future__ import annotations

import sys
import sysconfig
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
OWN_PACKAGES = ("app", "core", "workloads")


@dataclass(frozen=True, kw_only=True)
class Edition:
    name: str
    summary: str
    extras: tuple[str, ...]
    without: tuple[str, ...] = ()
    """Distributions without which the rest works, and says what is missing."""


WHOLE = Edition(
    name="sluice",
    summary="with readers of signals and tiles, and clients of stores",
    # Libraries of arrays have 151 MB on disk and GDAL 122, each for one workload, whose users have
    # a Python with them; the clients of stores have 17 for all workloads that reach one.
    extras=("app", "signal", "s3", "sparse", "tiles", "transfer", "rasters"),
    without=("rasterio",),
)
CORE = Edition(
    name="sluice-core",
    summary="without readers of signals, clients of stores and Parquet",
    extras=("app",),
    # No store asks for a password here, and the desktop's keyring takes a whole library of ciphers.
    without=("pyarrow", "secretstorage"),
)
EDITIONS = (WHOLE, CORE)

UNUSED = (
    "h5py",  # pod5's converters from fast5
    "ipython",  # SeqRepo's interactive shell
    "pip",  # a packaged Sluice asks the machine's own
    "polars",  # pod5's command line
    "setuptools",
    "vbz-h5py-plugin",
)
"""Distributions that others require but that nothing here imports."""

HIDDEN_PACKAGES = (
    "awscli",
    "biocommons.seqrepo",
    "cassandra",
    "imagecodecs",
    "synapseclient",
    "yoyo",
)
"""Packages that import parts of their own by name."""
HIDDEN_MODULES = (
    "blue_crab.blue_crab",
    "synapseutils",
)
EXCLUDED = (
    *("ensurepip", "idlelib", "lib2to3", "tkinter"),
    "readline",  # its library's licence asks for more than ours
    *("crypt", "_crypt", "nis"),  # gone in Python 3.13, and not every system has their libraries
)
"""Modules of the standard library that are not packaged, whoever imports them."""
_OF_NO_USE = (
    *EXCLUDED,
    *("*-*", "__main__", "__phello__", "lib-dynload"),
    *("test", "tests", "_*test*", "xxlimited*", "_tkinter", "turtle*", "venv"),
    *("rlcompleter", "_gdbm"),  # the first is of use with readline only, the second as readline
)
"""Parts of the standard library's modules that are not packaged, as patterns."""
WITH_DATA = ("awscli", "biocommons.seqrepo", "botocore", "synapseclient", "yoyo")
"""Packages whose data files are needed, beyond what PyInstaller knows of."""

_SERVICES = ("s3", "signin", "sso", "sso-oidc", "sts")
"""What storing in S3 and logging in take."""
_RENAMED = ("codedeploy", "config", "sagemaker-runtime", "sdb", "sms-voice")
"""Services whose commands `aws` renames at each start, so it wants them to be there."""
LEFT_OUT = (
    "*.pyi",
    "*.pxd",
    "*.pxi",
    "*.pyx",
    "*.h",
    "*.hpp",
    "*.cmake",
    # Where and when what was installed, which PyInstaller takes along: other bytes each time.
    "*.dist-info/INSTALLER",
    "*.dist-info/RECORD",
    "*.dist-info/REQUESTED",
    "*.dist-info/direct_url.json",
    "*.dist-info/uv_*.json",
    "*/tests/*",
    "*/test/*",
    "awscli/examples/*",
    "awscli/topics/*",
    "cassandra/cqlengine/*",
    "docutils/writers/*/*",  # `aws help` makes manual pages only
    "imagecodecs/_[a-z]*",
    "imagecodecs/numcodecs*",
    "imagecodecs/zarr*",
    "pandas/_libs/sas*",
    "pandas/io/formats/style*",
    "pandas/plotting/_matplotlib/*",
    "PIL/_avif*",
    "PIL/_imagingcms*",
    "PIL/_imagingft*",
    "PIL/_imagingtk*",
    "PIL/_webp*",
    "pyarrow/include/*",
    "pyarrow/src/*",
    "pyarrow/*flight*",
    "pyarrow/*orc*",
    *(f"pyarrow/_{name}*" for name in ("acero", "dataset", "parquet_encryption", "substrait")),
    *(f"pyarrow/_{name}*" for name in ("azurefs", "gcsfs", "hdfs", "pyarrow_cpp_tests")),
    "PySide6/Qt/lib/libQt6EglF*",
    "PySide6/Qt/lib/libQt6Network*",
    "PySide6/Qt/lib/libQt6Test*",
    "PySide6/QtDBus*",
    "PySide6/QtNetwork*",
    "PySide6/QtTest*",
    "PySide6/Qt/plugins/egldeviceintegrations/*",
    "PySide6/Qt/plugins/generic/*",
    "PySide6/Qt/plugins/imageformats/*",
    "PySide6/Qt/plugins/networkinformation/*",
    "PySide6/Qt/plugins/platforminputcontexts/libqtvirtualkeyboard*",
    "PySide6/Qt/plugins/platforms/libqeglfs*",
    "PySide6/Qt/plugins/platforms/libqlinuxfb*",
    "PySide6/Qt/plugins/platforms/libqminimalegl*",
    "PySide6/Qt/plugins/platforms/libqvkkhrdisplay*",
    "PySide6/Qt/plugins/platforms/libqvnc*",
    "PySide6/Qt/plugins/platformthemes/libqgtk3*",
    "PySide6/Qt/plugins/tls/*",
    "PySide6/Qt/qml/*",
    "pygments/lexers/[a-z]*",
    "pygments/lexers/_*_builtins*",
    *(f"pyqtgraph/{part}/*" for part in ("console", "dockarea", "flowchart", "icons/peegee")),
    # Of SciPy least squares are used, and what its `optimize` imports.
    *(f"scipy/{part}/*" for part in ("integrate", "interpolate", "ndimage", "signal", "stats")),
    "scipy/_external/cobyqa/*",
    "scipy/sparse/csgraph/*",
    "scipy/special/cython_special*",
    "synapseclient/extensions/*",
)
"""Files that nothing here opens, as patterns of their places."""
_CODECS_OF_TIFF = (
    *("ccitt", "deflate", "imcd", "jpeg2k", "jpeg8", "jpegxl", "jpegxr", "lerc", "ljpeg", "lzma"),
    *("png", "shared", "shared_cython", "webp", "zlib", "zstd"),
)
"""Modules of imagecodecs that tifffile loads, whatever an image is compressed by."""
KEPT = (
    *("core/__init__.pyi", "core/*/__init__.pyi", "workloads/*", "resources/*", "share/svfsc/*"),
    *(f"imagecodecs/_{name}.*" for name in _CODECS_OF_TIFF),
    "PySide6/Qt/plugins/imageformats/libqsvg*",  # PNG is in Qt itself
)

LANGUAGES = ("de", "en")
"""Those of Qt's own translations that are kept; `resources/translations` has the first."""


def required(edition: Edition) -> dict[str, metadata.Distribution]:
    """The distributions that an edition needs, by normalised name; Sluice itself is one."""
    distributions: dict[str, metadata.Distribution] = {}
    extras = ",".join(edition.extras)
    waiting = [Requirement(f"{PROJECT['name']}[{extras}]")]
    left_out = {*UNUSED, *edition.without}
    followed: set[tuple[str, str]] = set()
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        key = (name, ",".join(sorted(requirement.extras)))
        if name in left_out or key in followed:
            continue
        followed.add(key)
        distributions[name] = metadata.distribution(name)
        for line in distributions[name].requires or ():
            inner = Requirement(line)
            if _applies(inner, requirement.extras):
                inner.marker = None
                waiting.append(inner)
    return dict(sorted(distributions.items()))


def _applies(requirement: Requirement, extras: Iterable[str]) -> bool:
    """Whether a requirement holds on this platform, with these extras."""
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras))


def unwanted_modules(distributions: Iterable[str]) -> list[str]:
    """Modules that are installed here but belong to none of the wanted distributions."""
    kept = set(distributions)
    return sorted(
        module
        for module, owners in metadata.packages_distributions().items()
        if not kept & {canonicalize_name(owner) for owner in owners}
        and module not in (*OWN_PACKAGES, "resources")
        and module.isidentifier()
    )


def own_modules() -> list[str]:
    """Every module of Sluice, since many are imported by name."""
    files = [file for package in OWN_PACKAGES for file in (ROOT / package).rglob("*.py")]
    places = (file.relative_to(ROOT).with_suffix("").parts for file in files)
    return sorted(".".join(parts).removesuffix(".__init__") for parts in places)


def standard_modules() -> list[str]:
    """The standard library, since modules of the users' own may import any of it."""
    folder = Path(sysconfig.get_path("stdlib"))
    pure = (file.relative_to(folder).with_suffix("").parts for file in folder.rglob("*.py"))
    native = ((file.name.partition(".")[0],) for file in folder.glob("lib-dynload/*.so"))
    return sorted(
        ".".join(parts).removesuffix(".__init__")
        for parts in (*pure, *native)
        if not any(fnmatch(part, pattern) for part in parts for pattern in _OF_NO_USE)
    )


def own_data() -> list[Path]:
    """Files of Sluice that are no modules, relative to the checkout."""
    folders = [ROOT / name for name in (*OWN_PACKAGES, "resources")]
    files = (
        file.relative_to(ROOT)
        for folder in folders
        for file in folder.rglob("*")
        if file.is_file() and file.suffix not in (".py", ".pyc", ".ts")
    )
    return sorted(files)


def native_sources() -> list[tuple[Path, str]]:
    """Svfsc's C++ sources as set-up keeps them: (file, folder); workloads/sparse compiles them."""
    kept = Path(sys.prefix, "share", "svfsc")
    sources = sorted(kept.glob("src/cpp/*"))
    return [(file, f"share/svfsc/{file.parent.relative_to(kept)}") for file in sources]


def is_left_out(location: str) -> bool:
    """Whether a bundled file, relative to where all of them are, is one that nothing opens."""
    if any(fnmatch(location, pattern) for pattern in KEPT):
        return False
    if any(fnmatch(location, pattern) for pattern in LEFT_OUT):
        return True
    path = PurePosixPath(location)
    if path.match("PySide6/Qt/translations/*.qm"):
        return not any(path.name == f"qtbase_{language}.qm" for language in LANGUAGES)
    return _is_of_other_service(path)


def _is_of_other_service(path: PurePosixPath) -> bool:
    """Whether it describes a service of AWS that nothing here talks to."""
    parts = path.parts
    if not {"boto3", "botocore"} & {*parts} or "data" not in parts:
        return False
    below = parts[parts.index("data") + 1 :]
    return len(below) > 1 and below[0] not in (*_SERVICES, *_RENAMED)


class Owners:
    def __init__(self, distributions: Mapping[str, metadata.Distribution]) -> None:
        self._by_place: dict[str, str] = {}
        self._by_top: dict[str, set[str]] = {}
        for name, distribution in distributions.items():
            for location in _places(distribution):
                self._by_place[location] = name
                self._by_top.setdefault(location.partition("/")[0], set()).add(name)

    def of(self, location: str) -> str | None:
        """The distribution's name; None for what comes from none or could come from several."""
        exact = self._by_place.get(
            location.removesuffix("c") if location.endswith(".pyc") else location
        )
        if exact:
            return exact
        several = self._by_top.get(location.partition("/")[0], set())
        return next(iter(several)) if len(several) == 1 else None


def _places(distribution: metadata.Distribution) -> Iterator[str]:
    for file in distribution.files or ():
        if file.parts[0] != ".." and "__pycache__" not in file.parts:
            yield file.as_posix()


def metadata_files(distribution: metadata.Distribution) -> list[tuple[Path, str]]:
    """What is bundled of a distribution's description: (file, folder), and its licences.

    Not the record of what was installed where, nor the place that it came from.
    """
    files = []
    for file in distribution.files or ():
        folder = PurePosixPath(file.as_posix()).parent
        top = folder.parts[0] if folder.parts else ""
        if not top.endswith((".dist-info", ".egg-info")):
            continue
        if file.name in ("METADATA", "PKG-INFO", "entry_points.txt") or is_licence(file.name):
            files.append((Path(str(file.locate())), folder.as_posix()))
    return sorted(files)


def is_licence(name: str) -> bool:
    return name.upper().startswith(("LICEN", "COPYING", "NOTICE", "AUTHORS", "COPYRIGHT"))


SESSION_TYPE = "sluice.session"


def bundle_options() -> dict[str, Any]:
    """What PyInstaller's BUNDLE is told of Sluice.app besides its content."""
    return {
        "name": "Sluice.app",
        # PyInstaller makes an .icns of it by Pillow.
        "icon": str(ROOT / "resources" / "icons" / "sluice-512.png"),
        "bundle_identifier": "sluice.Sluice",
        "version": PROJECT["version"],
        "info_plist": information(),
    }


def information() -> dict[str, Any]:
    """Info.plist, beyond what PyInstaller writes by itself."""
    return {
        "CFBundleDisplayName": "Sluice",
        "LSApplicationCategoryType": "public.app-category.developer-tools",
        "LSBackgroundOnly": False,  # which PyInstaller sets for programs that have a console
        "LSMinimumSystemVersion": "13.0",  # as Qt 6.12's wheels ask for
        "NSHighResolutionCapable": True,
        "NSHumanReadableCopyright": "The Sluice authors, MIT licence",
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": "Sluice session",
                "CFBundleTypeRole": "Editor",
                "LSHandlerRank": "Owner",
                "LSItemContentTypes": [SESSION_TYPE],
            }
        ],
        "UTExportedTypeDeclarations": [
            {
                "UTTypeIdentifier": SESSION_TYPE,
                "UTTypeDescription": "Sluice session",
                "UTTypeConformsTo": ["public.database", "public.data"],
                "UTTypeTagSpecification": {
                    "public.filename-extension": ["sluice"],
                    "public.mime-type": ["application/vnd.sluice.session"],
                },
            }
        ],
    }
