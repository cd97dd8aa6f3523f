"""Builds a program, and maps the platform's messages to the source of the kernels."""

from __future__ import annotations

import os
import re
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from polycl.backends.opencl_c.write_module import Emission
from polycl.errors import LaunchError

if TYPE_CHECKING:
    import pyopencl as cl

    from polycl.backends.opencl_c.device import OpenclDevice

_MESSAGE = re.compile(r"^(?P<file>.*?):(?P<line>\d+):(?P<col>\d+): (?P<text>\w[\w ]*:.*)$")

_VERSIONS = {"CL1.2": 1 << 10 | 2, "CL2.0": 2 << 10}
"""As CL_DEVICE_OPENCL_C_ALL_VERSIONS has them, apart from the patch (OpenCL 3.0, table 5)."""


def build(device: OpenclDevice, emission: Emission) -> cl.Program:
    """The program. Raises LaunchError with the platform's messages and their source lines."""
    import pyopencl as cl

    options = [f"-cl-std={_standard_of(device.handle, emission.standard)}", *device.options]
    try:
        return cl.Program(device.context, emission.text).build(options)
    except cl.Error as error:
        raise LaunchError(
            f"device '{device.title}' rejects the OpenCL C that was written for it:\n"
            f"{located(str(error), emission)}\n"
            f"the OpenCL C is in {_keep(emission.text)}, built with {' '.join(options)}"
        ) from None


def _standard_of(handle: cl.Device, wanted: str) -> str:
    """OpenCL 3.0 where a device has what OpenCL 2.0 added, but not OpenCL 2.0."""
    if "OpenCL 3" not in handle.version:
        return wanted
    versions = {version.version >> 12 for version in handle.opencl_c_all_versions}
    return wanted if _VERSIONS[wanted] in versions else "CL3.0"


def located(log: str, emission: Emission) -> str:
    """A platform's log. The source line is before each message, and the written line after it."""
    lines = emission.text.split("\n")
    shown: list[str] = []
    for message in log.split("\n"):
        match = _MESSAGE.match(message)
        number = int(match["line"]) - 1 if match else -1
        if match is None or not 0 <= number < len(emission.locations):
            shown.append(message)
            continue
        where = _origin(emission, number)
        place = f"{where[0]}:{where[1]}:{where[2]}: " if where else ""
        shown.append(f"{place}{match['text']} (line {number + 1} of the OpenCL C)")
        shown.append(f"  {lines[number].strip()}")
    return "\n".join(shown)


def _origin(emission: Emission, line: int) -> tuple[str, int, int] | None:
    """The location of a line, or of the nearest line above it that has a location."""
    return next(filter(None, reversed(emission.locations[: line + 1])), None)


def _keep(text: str) -> Path:
    """Writes the text to a file whose name depends only on the text."""
    path = Path(tempfile.gettempdir(), f"polycl-{sha256(text.encode()).hexdigest()[:16]}.cl")
    fresh = path.with_suffix(f".{os.getpid()}")
    fresh.write_text(text)
    fresh.replace(path)
    return path
