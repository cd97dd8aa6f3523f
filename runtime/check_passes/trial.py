"""One launch on which a module is judged."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeAlias

from polycl.runtime.check_passes.inputs import Input
from polycl.runtime.dataspec import parse_data

Size: TypeAlias = tuple[int, ...]


class Trial(Protocol):
    """A launch: of which kernel, over what, with what."""

    @property
    def kernel(self) -> str: ...
    @property
    def global_size(self) -> Size: ...
    @property
    def local_size(self) -> Size | None: ...
    @property
    def offset(self) -> Size | None: ...

    @property
    def texts(self) -> Mapping[str, str]:
        """Parameter name -> its argument as `ocl-run --arg` takes it."""
        ...

    def values(self) -> dict[str, Any]:
        """Fresh arguments by name."""
        ...

    def smaller(self) -> Iterator[Trial]:
        """Launches that are smaller or simpler, the smallest first."""
        ...


@dataclass(frozen=True)
class GivenTrial:
    """The launch that somebody asked for."""

    kernel: str
    global_size: Size
    local_size: Size | None
    offset: Size | None
    texts: Mapping[str, str]
    arguments: Mapping[str, Any]

    def values(self) -> dict[str, Any]:
        """Copies of the arguments."""
        return {k: v.copy() if hasattr(v, "copy") else v for k, v in self.arguments.items()}

    def smaller(self) -> Iterator[Trial]:
        """Nothing: it is this launch that was asked about."""
        return iter(())


@dataclass(frozen=True)
class GeneratedTrial:
    """A launch that was made up."""

    kernel: str
    groups: Size
    local_size: Size
    inputs: tuple[tuple[str, Input], ...]
    offset: Size | None = None
    fixed_local_size: bool = False
    """Whether the kernel or the pipeline works for this local size only."""

    @property
    def global_size(self) -> Size:
        return tuple(n * size for n, size in zip(self.groups, self.local_size, strict=True))

    @property
    def texts(self) -> Mapping[str, str]:
        return {name: data.text for name, data in self.inputs}

    def values(self) -> dict[str, Any]:
        """The arguments that the texts describe."""
        return {name: parse_data(data.text, name) for name, data in self.inputs}

    def smaller(self) -> Iterator[GeneratedTrial]:
        """Fewer groups, then a smaller local size, fewer elements, simpler values."""
        for groups in _smaller_sizes(self.groups):
            yield replace(self, groups=groups)
        if not self.fixed_local_size:
            for local_size in _smaller_sizes(self.local_size):
                yield replace(self, local_size=local_size)
        if self.offset is not None:
            yield replace(self, offset=None)
        for limit in (1, 2, 4, 8, 16):
            # Sizes and what they are the sizes of.
            inputs = tuple((name, data.at_most(limit)) for name, data in self.inputs)
            if inputs != self.inputs:
                yield replace(self, inputs=inputs)
        for i, (name, data) in enumerate(self.inputs):
            for less in data.smaller():
                yield self._with(i, name, less)
        for i, (name, data) in enumerate(self.inputs):
            for plain in data.simpler():
                yield self._with(i, name, plain)

    def _with(self, i: int, name: str, data: Input) -> GeneratedTrial:
        return replace(self, inputs=(*self.inputs[:i], (name, data), *self.inputs[i + 1 :]))


def _smaller_sizes(sizes: Size) -> Iterator[Size]:
    """Each dimension cut to 1, to its half, and by one."""
    for dim, size in enumerate(sizes):
        for cut in sorted({1, size // 2, size - 1}):
            if 0 < cut < size:
                yield (*sizes[:dim], cut, *sizes[dim + 1 :])


def options_of(trial: Trial) -> str:
    """The options of ocl-run that launch `trial`."""
    words = ["--kernel", trial.kernel, "--global", _sizes(trial.global_size)]
    if trial.local_size is not None:
        words += ["--local", _sizes(trial.local_size)]
    if trial.offset is not None:
        words += ["--offset", _sizes(trial.offset)]
    for name, text in trial.texts.items():
        words += ["--arg", f"{name}={text}"]
    return shlex.join(words)


def _sizes(sizes: Size) -> str:
    return "x".join(map(str, sizes))
