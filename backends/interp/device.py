"""The device `interp`: executes a module as it is, one work-item at a time.

It is slow and obviously right: every other device is compared with it. It runs kernels of the
levels `ocl` (work-items take turns at barriers) and `wg`, structured or not, so a module can be
executed before and after each pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute

from polycl.analysis.ocl.module_parts import find_kernel, only_kernel
from polycl.backends.device import Device, Executable, KernelArg, LocalMemory, NDRange, Size3
from polycl.backends.interp.buffers import NULL, PAGE, AddressMap, Buffer, Unset, WriteOnly
from polycl.backends.interp.checks import (
    CHECKED_HANDLERS,
    Check,
    CheckedLaunch,
    CheckError,
    Finding,
    Findings,
    checked_kinds,
    run_checked_launch,
)
from polycl.backends.interp.codec import codec_of
from polycl.backends.interp.constants import program_constants
from polycl.backends.interp.ops import HANDLERS
from polycl.backends.interp.schedule import run_launch
from polycl.backends.interp.state import Budget, Launch
from polycl.backends.interp.translate import Handlers, Program
from polycl.backends.pipeline import parse_passes, run_passes
from polycl.dialects import wg
from polycl.dialects.ocl import AddressSpace, KernelLike, PtrType, sub_group_size_of
from polycl.dialects.ocl.kernel import PARAM_VARIABLES
from polycl.errors import ArgumentError, LaunchError
from polycl.lowering.ocl.ocl_expand_images import expand_images
from polycl.lowering.ocl.ocl_expand_pipes import expand_pipes


class InterpDevice(Device):
    """Executes kernels directly on numpy buffers.

    A launch that executes more than `max_steps` operations raises `StepLimit`.

    With `check`, a launch continues after an error of the kernel where it can, and raises one
    `CheckError` with all findings at its end (docs/oracle.md), or those of some kinds
    (`check=["race"]`). With `check="strict"` warnings are errors.
    """

    name = "interp"
    finds_bounds = True

    def __init__(self, max_steps: int | None = None, check: Check = False):
        checked_kinds(check)
        self.check = check
        if max_steps is not None and max_steps < 1:
            raise ArgumentError(f"device 'interp': max_steps must be at least 1, got {max_steps}")
        self.max_steps = max_steps

    def address_of_variables(self, memory: NDArray[np.uint8]) -> int:
        # They are the first buffer of each launch.
        return PAGE

    def compile(
        self, module: ModuleOp, kernel: str, ndrange: NDRange, pipeline: str | None = None
    ) -> Executable:
        def copy() -> ModuleOp:
            # The code refers to the operations: the caller may change its module later.
            program = only_kernel(module, kernel)
            expand_images(program)
            expand_pipes(program)
            return program

        program = copy()
        if pipeline:
            run_passes(program, parse_passes(pipeline), again=copy)
        return InterpExecutable(program, find_kernel(program, kernel), self.max_steps, self.check)


class InterpExecutable(Executable):
    """One translated kernel."""

    def __init__(
        self,
        module: ModuleOp,
        kernel: KernelLike,
        max_steps: int | None = None,
        check: Check = False,
        handlers: Handlers | None = None,
    ):
        """`handlers` replace those of a launch without checks."""
        self._check = check
        self._kinds = checked_kinds(check)
        self.findings: tuple[Finding, ...] = ()
        """The findings of the last launch, warnings included."""
        self.left_out = 0
        """The number of its findings of kinds that are not checked."""
        self._kernel = kernel
        self._module = module
        self._budget = None if max_steps is None else Budget(max_steps)
        handlers = handlers or (CHECKED_HANDLERS if self._kinds else HANDLERS)
        self._code = Program(handlers, self._budget).function(kernel, kernel)

    def run(
        self,
        args: Sequence[KernelArg],
        ndrange: NDRange,
        groups: Sequence[Size3] | None = None,
    ) -> None:
        """Launch once: all groups, or some `groups` only."""
        kernel = self._kernel
        if len(args) != len(kernel.args):
            raise ArgumentError(
                f"kernel '{kernel.sym_name.data}' takes {len(kernel.args)} arguments, "
                f"got {len(args)}"
            )
        _check_local_size(kernel, ndrange)
        if self._budget is not None:
            self._budget.reset()
        constants, addresses = program_constants(self._module), AddressMap()
        if self._kinds:
            findings = Findings(self._check == "strict", self._kinds)
            launch = CheckedLaunch(ndrange, constants, addresses, findings)
        else:
            launch = Launch(ndrange, constants, addresses)
        launch.sub_group_size = sub_group_size_of(kernel)
        types = [argument.type for argument in kernel.args]
        fixed = [
            None if isinstance(arg, LocalMemory) else _value(f"parameter '{name}'", type, arg)
            for name, type, arg in zip(kernel.param_names, types, args, strict=True)
        ]
        # Arguments and constants keep their addresses during the whole launch, and the program's
        # variables, which come first, in all launches.
        in_order = sorted(
            zip(kernel.param_attrs, fixed, types, strict=True),
            key=lambda parameter: PARAM_VARIABLES not in parameter[0],
        )
        pointers = [value for _, value, type in in_order if isinstance(type, PtrType)]
        for pointer in (*pointers, *((buffer, 0) for buffer in launch.constants.values())):
            if pointer is not None:
                launch.addresses.address(pointer)

        names, new_local = kernel.param_names, launch.new_local

        def arguments() -> list[Any]:
            return [
                (new_local(name, arg.nbytes), 0) if isinstance(arg, LocalMemory) else value
                for name, arg, value in zip(names, args, fixed, strict=True)
            ]

        if not isinstance(launch, CheckedLaunch):
            run_launch(launch, kernel, self._code, arguments, groups)
            return
        for name, type, arg, value in zip(names, types, args, fixed, strict=True):
            if isinstance(arg, np.ndarray) and value is not None and _is_shared(type):
                launch.watch_argument(name, value, arg.ctypes.data)
                buffer: Buffer = value[0]
                if isinstance(arg, Unset):
                    buffer.valid = bytearray(buffer.size)
                elif isinstance(arg, WriteOnly):
                    buffer.readable_size = 0
        run_checked_launch(launch, kernel, self._code, arguments, groups)
        self.findings = tuple(launch.findings.found.values())
        self.left_out = launch.findings.left_out
        if launch.findings.of("error"):
            raise CheckError(launch.findings)


def _is_shared(type: Attribute) -> bool:
    """Whether work-items may write what the parameter points to."""
    return isinstance(type, PtrType) and type.address_space != AddressSpace.CONSTANT


def _check_local_size(kernel: KernelLike, ndrange: NDRange) -> None:
    """A function that a pass has specialised for one local size works for that one only."""
    if not isinstance(kernel, wg.FuncOp) or kernel.local_size is None:
        return
    size = tuple(int(n) for n in kernel.local_size.get_values())
    if size != ndrange.local_size or not ndrange.is_uniform:
        raise LaunchError(
            f"kernel '{kernel.sym_name.data}' is specialised for local size {size}, "
            f"got {ndrange.local_size}"
        )


def _value(what: str, type: Attribute, arg: KernelArg) -> Any:
    """The value of a parameter."""
    match arg:
        case None if isinstance(type, PtrType):
            return NULL
        case np.ndarray() if isinstance(type, PtrType):
            if not arg.flags.c_contiguous:
                raise ArgumentError(f"{what}: expected a C-contiguous array")
            constant = type.address_space == AddressSpace.CONSTANT
            return Buffer.of_array(what, arg, "constant memory is read-only" if constant else ""), 0
        case bytes() if not isinstance(type, PtrType):
            codec = codec_of(type)
            if len(arg) != codec.size:
                raise ArgumentError(f"{what}: expected {codec.size} bytes, got {len(arg)}")
            return codec.read(bytearray(arg), 0, AddressMap())
        case _:
            raise ArgumentError(f"{what}: an argument {arg!r:.60} does not fit its type {type}")
