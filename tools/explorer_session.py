"""What `polycl explorer` was told, and pages of it: of the file as it is, or of an edited text."""

from __future__ import annotations

import math
import shlex
from argparse import ArgumentTypeError
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from xdsl.utils.exceptions import DiagnosticException, ParseError

from polycl.backends.device import Device, Size3
from polycl.deep_calls import deep_calls
from polycl.diagnostics import from_parse_error
from polycl.errors import PolyclError
from polycl.runtime.check_passes.trial import Size
from polycl.runtime.explorer.launches import Launch
from polycl.runtime.explorer.page import Page, explored
from polycl.runtime.kernel import Kernel
from polycl.runtime.program import load_text
from polycl.tools.run_arguments import named_specs, read_arguments
from polycl.tools.run_options import sizes


class Shown(Protocol):
    """What the explorer shows: pages of texts that a user may have edited."""

    @property
    def file(self) -> str:
        """The name of the text."""
        ...

    def page(self, source: str) -> Page:
        """The page of a text. Raises PolyclError."""
        ...

    def with_form(self, form: Mapping[str, str]) -> Shown:
        """The same with what the form of a page says. Raises PolyclError."""
        ...


@dataclass(frozen=True)
class Session:
    """A kernel, and the choices of a user."""

    file: str
    language: str
    options: Sequence[str]
    device: Device
    kernel: str | None = None
    global_size: Size | None = None
    local_size: Size | None = None
    offset: Size | None = None
    arguments: Sequence[str] = ()
    """Texts `NAME=SPEC`."""
    group: Size3 = (0, 0, 0)
    check: bool = False
    pipeline: str | None = None

    @deep_calls()
    def page(self, source: str) -> Page:
        """The page of `source`, with the levels up to an error in it.

        Raises:
            PolyclError: the source is not read, or the launch does not fit it.
        """
        try:
            program = load_text(source.encode(), self.file, self.language, self.options)
            name = self.kernel or next(iter(program.kernels), None)
            launch = Launch(self.global_size, self.local_size, self.offset, group=self.group)
            if self.arguments and name is not None:
                launch = self._with_arguments(launch, program.kernel(name))
            return explored(program, source, name, launch, self.device, self.check, self.pipeline)
        except ParseError as error:
            raise from_parse_error(error) from error
        except DiagnosticException as error:
            raise PolyclError(str(error)) from error

    def with_form(self, form: Mapping[str, str]) -> Session:
        def size(name: str) -> Size | None:
            text = form.get(name, "").strip()
            try:
                return sizes(text) if text else None
            except ArgumentTypeError as error:
                raise PolyclError(f"{name} size: {error}") from error

        try:
            arguments = shlex.split(form.get("args", ""))
        except ValueError as error:
            raise PolyclError(f"arguments: {error}") from error
        return replace(
            self,
            kernel=form.get("kernel") or None,
            global_size=size("global"),
            local_size=size("local"),
            arguments=arguments,
            group=three_ids(size("group")),
            check=form.get("check") == "True",
        )

    def _with_arguments(self, launch: Launch, kernel: Kernel) -> Launch:
        texts = named_specs("--arg", self.arguments, kernel)
        count = math.prod(self.global_size or (1024,))
        return replace(launch, values=read_arguments(kernel, self.arguments, count), texts=texts)


def three_ids(ids: Size | None) -> Size3:
    """The ids of a work-group, 0 where they are left out."""
    x, y, z = (*(ids or ()), 0, 0, 0)[:3]
    return x, y, z


def text_of(path: Path) -> str:
    """The content of a file. Raises PolyclError."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise PolyclError(f"cannot open '{path}': {error.strerror}") from error
