"""The LAUNCH lines of a kernel file: the sizes and arguments with which tests run its kernels.

    // LAUNCH: kernel=saxpy global=256 local=64 args: x=rand:f32:256 y=zeros:f32:256 a=2.5
    // LAUNCH: global=16x8 local=4x8 offset=16x0 options="-DN=4 -DT=float" tolerance=4ulp
    //     args: in=rand:f32:128 out=zeros:f32:128

- `kernel` may be left out where the file has one kernel;
- `global`, `local` (default: the runtime chooses), `offset` are sizes of 1 to 3 dimensions;
- `options` are build options; `-I.` is the kernel's folder in any case;
- `tolerance` is the largest difference to the judge's floats (default: not a bit), for functions
  whose precision OpenCL leaves open; polycl's own devices always agree in every bit;
- `args:` is followed by one `NAME=SPEC` for each parameter, as `ocl-run --arg` takes them:
  see `polycl.runtime.dataspec`.

A directive continues in the comment lines after it that start with three spaces or more.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from xdsl.dialects.builtin import ModuleOp

import polycl
from polycl.backends.device import NDRange
from polycl.runtime.dataspec import parse_data
from polycl.runtime.modules import LateModule, Signature
from polycl.runtime.program import Program

Size = tuple[int, ...]

_DIRECTIVE = re.compile(r"^//[ ]LAUNCH:(?P<text>.*(?:\n//[ ]{3,}.*)*)", re.M)
_KERNEL = re.compile(r"^\s*(?:__)?kernel\b[^;{]*?\bvoid\s+(\w+)\s*\(", re.M)


@dataclass(frozen=True)
class Launch:
    """One LAUNCH line."""

    path: Path
    line: int
    kernel: str
    specs: dict[str, str]
    """Argument name -> specification, in the parameters' order."""

    global_size: Size
    local_size: Size | None = None
    global_offset: Size | None = None
    options: tuple[str, ...] = ()
    tolerance: int = 0
    """ULP that a float may be off the judge's."""

    @property
    def source(self) -> bytes:
        return self.path.read_bytes()

    @property
    def build_options(self) -> list[str]:
        return [*self.options, "-I", str(self.path.parent)]

    def load(self) -> Program:
        """A new program, of a module that was imported before where it can be: tests of one file
        come after each other, and its module must not be changed."""
        module, signatures, content = _imported(self.path, tuple(self.build_options))
        return Program(LateModule(lambda: module, signatures, content), str(self.path))

    def values(self) -> dict[str, Any]:
        """Fresh arguments by name."""
        return {n: parse_data(s, n, self.path.parent) for n, s in self.specs.items()}

    def bound(self, device: polycl.Device, pipeline: str | None = None) -> polycl.BoundKernel:
        """The kernel with fresh arguments on a device."""
        kernel = self.load().kernel(self.kernel)
        return kernel.bind(
            **self.values(),
            global_size=self.global_size,
            local_size=self.local_size,
            global_offset=self.global_offset,
            device=device,
            pipeline=pipeline,
        )

    def ndrange(self, kernel: polycl.Kernel) -> NDRange:
        """The index space for the kernel."""
        return kernel.index_space(self.global_size, self.local_size, self.global_offset)

    def __str__(self) -> str:
        return f"{self.path.stem}:{self.line}"


@lru_cache(maxsize=32)
def _imported(path: Path, options: tuple[str, ...]) -> tuple[ModuleOp, tuple[Signature, ...], str]:
    """What `LateModule` takes."""
    late = polycl.load(path, options)._module
    content = late.content()
    return late.get(), late.signatures, content


def launches_of(path: Path) -> list[Launch]:
    """The LAUNCH lines of a file. Raises ValueError, with the line, where one is malformed."""
    text = path.read_bytes().decode("latin-1").replace("\r\n", "\n")
    kernels = _KERNEL.findall(text)
    result: list[Launch] = []
    for match in _DIRECTIVE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        try:
            result.append(_launch(path, line, match["text"].replace("\n//", " "), kernels))
        except ValueError as error:
            raise ValueError(f"{path}:{line}: {error}") from None
    return result


def all_launches(*folders: Path) -> list[Launch]:
    """The LAUNCH lines of all kernel files in `folders`, in a fixed order."""
    return [
        launch
        for folder in folders
        for path in sorted(folder.glob("*.cl"))
        for launch in launches_of(path)
    ]


def sampled(cases: Sequence[Any], every: int, first: int = 0) -> list[Any]:
    """The cases of a test: one of `every` runs by default, from `first` on, all with `-m ""`."""
    return [
        pytest.param(
            case,
            id=case.stem if isinstance(case, Path) else str(case),
            marks=[] if number % every == first else [pytest.mark.slow],
        )
        for number, case in enumerate(cases)
    ]


def _launch(path: Path, line: int, text: str, kernels: list[str]) -> Launch:
    head, _, arguments = text.partition("args:")
    settings = dict(_pair(word) for word in shlex.split(head))
    if "kernel" not in settings and len(kernels) != 1:
        raise ValueError(f"say which kernel of {', '.join(kernels)}")
    kernel = settings.pop("kernel", kernels[0] if kernels else "")
    if "global" not in settings:
        raise ValueError("the global size is missing")
    tolerance = re.fullmatch(r"(\d+)ulp", settings.pop("tolerance", "0ulp"))
    if tolerance is None:
        raise ValueError("expected tolerance=Nulp")
    launch = Launch(
        path,
        line,
        kernel,
        dict(_pair(word) for word in arguments.split()),
        _size(settings.pop("global")),
        _size(settings.pop("local")) if "local" in settings else None,
        _size(settings.pop("offset")) if "offset" in settings else None,
        tuple(shlex.split(settings.pop("options", ""))),
        int(tolerance[1]),
    )
    if settings:
        raise ValueError(f"unknown setting '{next(iter(settings))}'")
    return launch


def _pair(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals:
        raise ValueError(f"expected NAME=VALUE, got '{word}'")
    return name, value


def _size(text: str) -> Size:
    return tuple(int(part) for part in text.split("x"))
