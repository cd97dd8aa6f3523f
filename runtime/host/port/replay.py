"""A recorded run, command by command, on arrays of numpy: each launch is handed to a function.

Unlike the program of host and kernels (`driver_log.py`), it has what the driver executed: the
kernels of each built program under their own names, and the bytes of each argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polycl.backends.cpu.aligned_memory import aligned_memory
from polycl.backends.device import KernelArg, LocalMemory
from polycl.errors import PolyclError, SourceError
from polycl.runtime.host.driver_log import REASONS, image_format, read_lines, refused_command
from polycl.runtime.host.run.device_memory import new_image
from polycl.runtime.icd.artifact import read_bundle
from polycl.runtime.icd.requests import import_units
from polycl.runtime.images import HEADER_BYTES, Image
from polycl.runtime.kernel import Kernel
from polycl.runtime.program import Program

Sizes = tuple[int, ...]


@dataclass(frozen=True)
class RecordedLaunch:
    """A launch of a recorded run; `local` is None where the program gave no local size."""

    program: str
    """The digest of the built program's sources."""

    kernel: Kernel
    args: tuple[KernelArg, ...]
    sizes: Sizes
    local: Sizes | None
    offset: Sizes | None


def replay(log: Path, launch: Callable[[RecordedLaunch], None]) -> None:
    """Executes the commands of a log; `launch` is called for each launch, and has to run it.

    Raises:
        PolyclError: the log cannot be read, or at its line: a command or an argument that a
            recording does not hold.
    """
    run = _Replay(log)
    for number, line in enumerate(run.lines, 1):
        try:
            run.execute(line, launch)
        except _Refused as error:
            raise SourceError(str(error), str(log), number, 1) from None


class _Refused(Exception):
    """Why a line cannot be replayed."""


class _Replay:
    def __init__(self, log: Path):
        self.lines = list(read_lines(log))
        self._folder = log.parent
        self._buffers: dict[int, NDArray[np.uint8]] = {}
        self._images: dict[int, Image] = {}
        """Those of the buffers that are the pixels of images."""

        self._programs: dict[int, tuple[str, Mapping[str, Kernel]]] = {}

    def execute(self, line: Mapping[str, Any], launch: Callable[[RecordedLaunch], None]) -> None:
        match line.get("op"):
            case "buffer":
                self._buffers[line["id"]] = self._new_buffer(line)
            case "image":
                image = self._images[line["id"]] = self._new_image(line)
                self._buffers[line["id"]] = image.storage[HEADER_BYTES:]
            case "release":
                self._buffers.pop(line["id"], None)
                self._images.pop(line["id"], None)
            case "program":
                path = self._folder / line["file"]
                digest, program = _program(path)
                program.reset_variables()
                self._programs[line["id"]] = digest, program.kernels
            case "write":
                target = self._buffers[line["buffer"]]
                rows = self._data(line["data"]).reshape(-1, line["region"][0])
                for start, row in zip(_rows(line), rows, strict=True):
                    target[start : start + row.size] = row
            case "copy":
                source, target = self._buffers[line["from"]], self._buffers[line["to"]]
                width = line["region"][0]
                for a, b in zip(_rows(line, "from_"), _rows(line, "to_"), strict=True):
                    target[b : b + width] = source[a : a + width].copy()
            case "fill":
                start, size = line["offset"], line["size"]
                pattern = np.frombuffer(bytes.fromhex(line["pattern"]), np.uint8)
                part = self._buffers[line["buffer"]][start : start + size]
                part[:] = np.tile(pattern, size // pattern.size)
            case "launch":
                launch(self._launch(line))
            case "refused":
                raise _Refused(refused_command(line["command"]))
            case _:  # a read, or an empty line
                pass

    def _new_buffer(self, line: Mapping[str, Any]) -> NDArray[np.uint8]:
        if "parent" in line:
            start = line["offset"]
            return self._buffers[line["parent"]][start : start + line["size"]]
        memory = aligned_memory(line["size"])
        if "data" in line:
            memory[:] = self._data(line["data"])
        return memory

    def _new_image(self, line: Mapping[str, Any]) -> Image:
        try:
            format = image_format(line)
        except PolyclError as error:
            raise _Refused(str(error)) from None
        image = new_image(format.kind.value, format.sizes, format.order, format.channel)
        if "data" in line:
            image.storage[HEADER_BYTES:] = self._data(line["data"])
        return image

    def _data(self, name: str) -> NDArray[np.uint8]:
        path = self._folder / f"{name}.npy"
        try:
            return np.load(path)
        except (OSError, ValueError) as error:
            raise PolyclError(f"{path}: recorded data cannot be read: {error}") from error

    def _launch(self, line: Mapping[str, Any]) -> RecordedLaunch:
        digest, kernels = self._programs[line["program"]]
        kernel = kernels[line["kernel"]]
        args = tuple(self._argument(kernel, i, text) for i, text in enumerate(line["arguments"]))
        local, offset = line.get("local"), line.get("offset")
        return RecordedLaunch(
            digest,
            kernel,
            args,
            tuple(line["global"]),
            None if local is None else tuple(local),
            tuple(offset) if offset and any(offset) else None,
        )

    def _argument(self, kernel: Kernel, position: int, text: str) -> KernelArg:
        match text[:1]:
            case "b":
                return self._buffers[int(text[1:])]
            case "l":
                return LocalMemory(int(text[1:]))
            case "i" if len(text) > 1:
                return self._images[int(text[1:])].storage
            case "v" | "s":
                return bytes.fromhex(text[1:])
            case "n":
                return None
            case kind:
                name = kernel.parameters[position].name
                raise _Refused(
                    f"kernel '{kernel.name}', parameter '{name}': {REASONS[kind]} cannot be "
                    "recorded"
                )


def _rows(line: Mapping[str, Any], side: str = "") -> Iterator[int]:
    """The first byte of each row of a transfer."""
    _, height, depth = line["region"]
    for z in range(depth):
        for y in range(height):
            yield line[f"{side}offset"] + z * line[f"{side}slice"] + y * line[f"{side}row"]


@cache
def _program(path: Path) -> tuple[str, Program]:
    """A built program, and the digest of its sources."""
    try:
        artifact = path.read_bytes()
    except OSError as error:
        raise PolyclError(f"{path}: the program cannot be read: {error}") from error
    bundle = read_bundle(artifact)
    return bundle.digest, Program(import_units(bundle.units))
