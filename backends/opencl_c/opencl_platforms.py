"""The OpenCL platforms of this machine, and the device that a text like `intel` or `0:0` names.

Platforms are those of the system's loader (on Linux: the files in /etc/OpenCL/vendors) and Intel's
CPU runtime, if it is installed as a Python package. If `OCL_ICD_VENDORS` is set, only the platforms
that it names are used.
"""

from __future__ import annotations

import ctypes
import os
import tempfile
import warnings
from functools import cache
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import TYPE_CHECKING

from polycl.errors import ArgumentError

if TYPE_CHECKING:
    import pyopencl as cl

_VENDORS = "OCL_ICD_VENDORS"
_SYSTEM = Path("/etc/OpenCL/vendors")
_INTEL = {
    "intel-cmplr-lib-rt": ("libimf.so", "libintlc.so.5", "libirng.so", "libsvml.so"),
    "tbb": ("libtbb.so.12", "libtbbmalloc.so.2"),
}
"""The libraries that Intel's runtime needs, by distribution, in the order of loading."""
_ALIASES = {"pocl": "portable computing language"}
INSTALL = "pip install 'polycl[opencl]'"


@cache
def opencl_devices() -> tuple[tuple[str, cl.Device], ...]:
    """Every device with its number, `PLATFORM:DEVICE`.

    Raises:
        ArgumentError: pyopencl is not installed.
    """
    _show_intel()
    # The key of pyopencl's cache lacks the variables that choose the runtime.
    os.environ.setdefault("PYOPENCL_NO_CACHE", "1")
    # PoCL 7.2 reads local memory again after a barrier, instead of keeping the value read before:
    # merged look-ups in a B+ tree crashed.
    os.environ.setdefault("POCL_PREGION_VALUE_REMAT", "0")
    try:
        import pyopencl as cl
    except ImportError as error:
        raise ArgumentError(f"device 'opencl' needs pyopencl ({error}): {INSTALL}") from None
    warnings.simplefilter("ignore", cl.CompilerWarning)
    try:
        platforms = cl.get_platforms()
    except cl.Error:
        # The loader fails if there is no platform.
        return ()
    return tuple(
        (f"{p}:{d}", device)
        for p, platform in enumerate(platforms)
        for d, device in enumerate(_devices(platform))
    )


def _devices(platform: cl.Platform) -> list[cl.Device]:
    import pyopencl as cl

    try:
        return platform.get_devices()
    except cl.Error:
        return []


def platform_list() -> str:
    """The devices as a table, one per line, or a hint where there is none."""
    rows = [f"  opencl:{number}  {describe(device)}" for number, device in opencl_devices()]
    return "\n".join(rows) or (
        "  there is no OpenCL platform; install one, say pocl-opencl-icd (Debian), the driver of "
        "the graphics card, or the Python package intel-opencl-rt"
    )


def describe(device: cl.Device) -> str:
    """The platform and the name of a device."""
    return f"{device.platform.name.strip()}: {device.name.strip()}"


def find(selection: str) -> cl.Device:
    """The first device that `selection` names: a part of the platform's or vendor's name, or a
    platform's number, with a colon and the number of a device if wanted. "" is the first device.

    Raises:
        ArgumentError: there is no such device; the message lists the devices.
    """
    name, _, index = selection.partition(":")
    wanted = _ALIASES.get(name.lower(), name.lower())
    found: list[cl.Device] = []
    for number, device in opencl_devices():
        platform = device.platform
        names = f"{platform.name} {platform.vendor}".lower()
        if (name == number.split(":")[0]) if name.isdigit() else wanted in names:
            found.append(device)
    position = int(index) if index.isdigit() else 0
    if position < len(found) and (index.isdigit() or not index):
        return found[position]
    asked = f"'opencl:{selection}'" if selection else "'opencl'"
    raise ArgumentError(f"no device {asked}; the OpenCL devices here:\n{platform_list()}")


def _show_intel() -> None:
    """Let the loader find Intel's runtime where pip has installed it: the .icd file of the package
    has a wrong path, and the loader does not search the folders of the libraries."""
    if _VENDORS in os.environ:
        return
    library = _library("intel-opencl-rt", "libintelocl.so")
    if library is None:
        return
    for distribution, names in _INTEL.items():
        for name in names:
            path = _library(distribution, name)
            if path is None:
                return
            ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
    folder = Path(_folder().name)
    for icd in _SYSTEM.glob("*.icd") if _SYSTEM.is_dir() else ():
        (folder / icd.name).write_text(icd.read_text())
    (folder / "intel.icd").write_text(f"{library}\n")
    os.environ[_VENDORS] = str(folder)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """A folder that exists as long as the process."""
    return tempfile.TemporaryDirectory(prefix="polycl-icd-")


def _library(distribution: str, name: str) -> Path | None:
    try:
        found = [f for f in files(distribution) or () if f.name == name]
    except PackageNotFoundError:
        return None
    return Path(str(found[0].locate())).resolve() if found else None
