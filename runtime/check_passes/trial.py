"""One launch on which a module is judged."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from polycl.runtime.check_passes.inputs import Input, smaller_sizes
from polycl.runtime.dataspec import parse_data

Size: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class GivenTrial:
    """The launch of a command line."""

    kernel: str
    global_size: Size
    local_size: Size | None
    offset: Size | None
    texts: Mapping[str, str]
    """Parameter name -> its argument as `ocl-run --arg` takes it."""
    arguments: Mapping[str, Any]

    def values(self) -> dict[str, Any]:
        """Copies of the arguments by name."""
        return {k: v.copy() if hasattr(v, "copy") else v for k, v in self.arguments.items()}

    def smaller(self) -> Iterator[Trial]:
        """No launch: the finding is to be about this one."""
        return iter(())


@dataclass(frozen=True)
class GeneratedTrial:
    """A generated launch."""

    kernel: str
    groups: Size
    local_size: Size
    inputs: tuple[tuple[str, Input], ...]
    offset: Size | None = None
    fixed_local_size: bool = False
    """Whether the kernel or the pipeline needs this local size."""

    @property
    def global_size(self) -> Size:
        return tuple(n * size for n, size in zip(self.groups, self.local_size, strict=True))

    @property
    def texts(self) -> Mapping[str, str]:
        return {name: data.text for name, data in self.inputs}

    def values(self) -> dict[str, Any]:
        """New arguments by name."""
        return {name: parse_data(data.text, name) for name, data in self.inputs}

    def smaller(self) -> Iterator[GeneratedTrial]:
        """Fewer groups, then a smaller local size, fewer elements, simpler values.

        The smallest of each come first.
        """
        for groups in smaller_sizes(self.groups):
            yield replace(self, groups=groups)
        if not self.fixed_local_size:
            for local_size in smaller_sizes(self.local_size):
                yield replace(self, local_size=local_size)
        if self.offset is not None:
            yield replace(self, offset=None)
        for limit in (1, 2, 4, 8, 16):
            # Sizes together with the arrays that have them.
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


Trial: TypeAlias = GivenTrial | GeneratedTrial


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
