"""Read the launch that a file of `kernels/` describes."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.case import Arg, LocalBytes
from bench.protocol import Build

KERNELS = Path(__file__).parent / "kernels"

_KERNEL = re.compile(r"\b(?:__)?kernel\b(?:\s*__attribute__\s*\(\(.*?\)\))*\s*void\s+(\w+)", re.S)


@dataclass(frozen=True)
class EverydayLaunch:
    """One launch of one kernel."""

    path: Path
    kernel: str
    global_size: tuple[int, ...]
    local_size: tuple[int, ...]
    arguments: tuple[str, ...]
    data: tuple[str, ...] = ()
    options: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.path.parent.name}/{self.path.name}"

    def args(self) -> list[Arg]:
        """New arguments, the same in each call. Raises what the expressions raise."""
        names: dict[str, Any] = {
            "np": np,
            "r": np.random.default_rng(0),
            "LocalBytes": LocalBytes,
        }
        for text in self.data:
            name, _, expression = text.partition("=")
            names[name.strip()] = eval(expression.strip(), names)
        return [eval(expression, names) for expression in self.arguments]

    def build(self, without: tuple[str, ...] = ()) -> Build:
        return Build(
            str(self.path), self.options, self.kernel, self.global_size, self.local_size, without
        )


def read_launch(path: Path) -> EverydayLaunch:
    """Raises ValueError: the file does not describe a launch."""
    text = path.read_text()
    given: dict[str, list[str]] = {}
    for line in re.findall(r"^//:\s*(.*?)\s*$", text, re.M):
        key, _, rest = line.partition(" ")
        given.setdefault(key, []).append(rest.strip())
    if unknown := set(given) - {"global", "local", "arg", "kernel", "options", "data"}:
        raise ValueError(f"{path}: '//: {sorted(unknown)[0]}' is not known")
    kernels = given.get("kernel") or _KERNEL.findall(text)
    if len(kernels) != 1:
        raise ValueError(f"{path}: expected one kernel, or '//: kernel NAME'; found {kernels}")
    if len(given.get("global", ())) != 1 or len(given.get("local", ())) != 1:
        raise ValueError(f"{path}: expected one '//: global SIZES' and one '//: local SIZES'")
    return EverydayLaunch(
        path,
        kernels[0],
        tuple(map(int, given["global"][0].split())),
        tuple(map(int, given["local"][0].split())),
        tuple(given.get("arg", ())),
        tuple(given.get("data", ())),
        tuple(shlex.split(" ".join(given.get("options", ())))),
    )


def launches(folder: Path = KERNELS, name: str = "") -> Iterator[EverydayLaunch]:
    """Of all files whose path in `folder` contains `name`. Raises ValueError, see `read_launch`."""
    for path in sorted(folder.rglob("*.cl")):
        if name in str(path.relative_to(folder)):
            yield read_launch(path)
