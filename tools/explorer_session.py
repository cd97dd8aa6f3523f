"""What `polycl explorer` was told, and pages of it: of the file as it is, or of an edited text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

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


@dataclass(frozen=True)
class Session:
    """The choices of a user."""

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
            return explored(program, source, name, launch, self.device, self.check)
        except ParseError as error:
            raise from_parse_error(error) from error
        except DiagnosticException as error:
            raise PolyclError(str(error)) from error

    def _with_arguments(self, launch: Launch, kernel: Kernel) -> Launch:
        texts = named_specs("--arg", self.arguments, kernel)
        count = math.prod(self.global_size or (1024,))
        return replace(launch, values=read_arguments(kernel, self.arguments, count), texts=texts)


def three_ids(ids: Size | None) -> Size3:
    """The ids of a work-group, 0 where they are left out."""
    x, y, z = (*(ids or ()), 0, 0, 0)[:3]
    return x, y, z
