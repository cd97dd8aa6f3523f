"""Kernels that can be called: `kernel(x, y, 2.0, global_size=1024)`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.dialects.builtin import IntegerType, ModuleOp

from polycl.backends.device import (
    ArgumentFacts,
    Device,
    DeviceArray,
    Executable,
    KernelArg,
    LocalMemory,
    NDRange,
    Size3,
    constants_of,
    facts_of,
    images_of,
)
from polycl.backends.limits import max_ops_now
from polycl.backends.phases import add_phases
from polycl.deep_calls import deep_calls
from polycl.diagnostics import unknown_name
from polycl.dialects.ocl import ImageType, SamplerType
from polycl.dialects.ocl.assumptions import AssumptionError, check_assumption
from polycl.errors import ArgumentError
from polycl.notebooks import table, titled
from polycl.remarks import remarks_wanted
from polycl.runtime.arguments import match_arguments, to_kernel_arg
from polycl.runtime.array_sizes import SizeLimits, check_sizes
from polycl.runtime.assumptions import check_launch, integer_names
from polycl.runtime.compiler_server import ServerProgram
from polycl.runtime.devices import default_device
from polycl.runtime.index_space import in_best_groups, make_ndrange
from polycl.runtime.modules import LateModule, Signature, with_assumptions
from polycl.runtime.observers import OBSERVERS
from polycl.runtime.parameters import Parameter
from polycl.runtime.program_memory import ProgramMemory
from polycl.runtime.repeated import Refillable, RepeatedCall, repeated_call

if TYPE_CHECKING:
    from polycl.runtime.explain import Explanation

_MOST_REPEATED = 64
"""The number of sizes and devices for which a kernel keeps prepared calls."""


class _Parts(Executable):
    """A kernel compiled for each part of a launch whose groups have several sizes."""

    def __init__(self, parts: Sequence[tuple[Executable, NDRange]]):
        self._parts = tuple(parts)

    def run(self, args: Sequence[KernelArg], ndrange: NDRange) -> None:
        for executable, part in self._parts:
            executable.run(args, part)


class _InGroups(Executable):
    """A kernel compiled for other groups than those that launches are given."""

    def __init__(self, executable: Executable, ndrange: NDRange):
        self.executable = executable
        self.ndrange = ndrange
        """The launch in the groups that it is compiled for."""
        prepare = getattr(executable, "prepare", None)
        if prepare is not None:
            self.prepare: Callable[[Sequence[KernelArg], NDRange], Any]
            self.prepare = lambda args, _: prepare(args, ndrange)

    def run(self, args: Sequence[KernelArg], ndrange: NDRange) -> None:
        self.executable.run(args, self.ndrange)


class BoundKernel:
    """A kernel with its arguments, sizes and device: `launch()` handles no arguments.

    A launch reads and writes the arrays that were bound.
    """

    def __init__(
        self,
        executable: Executable,
        args: Sequence[KernelArg],
        ndrange: NDRange,
        kernel: Kernel | None = None,
        device: Device | None = None,
        pipeline: str | None = None,
    ):
        self.executable = executable
        self.args = tuple(args)
        self.ndrange = ndrange
        self._kernel = kernel
        self._device = device
        self._pipeline = pipeline
        self.compiled = executable.executable if isinstance(executable, _InGroups) else executable
        """What the device has compiled."""
        # Some devices prepare launches.
        prepare: Callable[[Sequence[KernelArg], NDRange], Callable[[], None]] | None
        prepare = getattr(executable, "prepare", None)
        self.prepared: Callable[[], None]
        """`launch` calls it; some devices can replace its arguments."""
        if prepare is None:
            self.prepared = lambda: executable.run(self.args, self.ndrange)
        else:
            self.prepared = prepare(self.args, self.ndrange)

    def explain(self) -> Explanation:
        """Why a launch takes its time: what each access and branch does and costs, what bounds the
        kernel, and what to change (docs/explain.md). Nothing runs, but for what measures the
        machine's limits once.

        Raises:
            ArgumentError: the device is not `cpu`.
        """
        # Late: few programs need it.
        from polycl.runtime.explain import explain

        assert self._kernel is not None and self._device is not None
        return explain(
            self._kernel,
            self.args,
            self.in_groups,
            self._device,
            pipeline=self._pipeline,
            keeps_groups=self._kernel.keeps_groups,
        )

    @property
    def in_groups(self) -> NDRange:
        """The index space in the groups that were compiled for."""
        own = self.executable
        return own.ndrange if isinstance(own, _InGroups) else self.ndrange

    def launch(self) -> None:
        """Run once; returns when every work-item has finished."""
        if OBSERVERS and self._kernel is not None:
            args = self.args[: len(self._kernel.parameters)]
            OBSERVERS[-1].launch(self._kernel, args, self.ndrange, True, self.prepared)
            return
        self.prepared()


class Kernel:
    """One kernel of a program."""

    def __init__(
        self,
        module: LateModule,
        signature: Signature,
        pipeline: str | None = None,
        memory: ProgramMemory | None = None,
    ):
        self.name = signature.name
        self.parameters: tuple[Parameter, ...] = signature.parameters
        self.required_local_size: Size3 | None = signature.required_local_size
        """`reqd_work_group_size` of the source, or the local size of a `wg.func`."""
        self.local_size_hint: Size3 | None = signature.hint
        """`work_group_size_hint` of the source."""
        self.uniform = signature.uniform
        """Whether the local size of a launch must divide the global size."""
        self.assumptions = signature.assumptions
        """Assumptions such as "width >= 64"; launches for which one does not hold are refused."""
        self._signature = signature
        self._module = module
        self._memory = memory or ProgramMemory()
        self._pipeline = pipeline
        self._executables: dict[tuple[Any, ...], Executable] = {}
        self._repeated: dict[tuple[Any, ...], RepeatedCall] = {}

    def __call__(
        self,
        *args: Any,
        global_size: int | Sequence[int],
        local_size: int | Sequence[int] | None = None,
        global_offset: int | Sequence[int] | None = None,
        device: Device | str | None = None,
        pipeline: str | None = None,
        **named: Any,
    ) -> None:
        """Launch once and wait. Arrays are buffers and are updated in place.

        Arguments are given in order or by the parameters' names; `polycl.runtime.arguments`
        documents which argument fits which parameter. A size is an integer or 1 to 3 integers.
        Without `local_size`, `reqd_work_group_size` is taken or a size is chosen. `device` is a
        device or its name (default: "cpu" with all cores); `pipeline` replaces its passes, in the
        syntax of `ocl-opt -p`.

        Raises:
            ArgumentError: an argument or a size does not fit; nothing was run or written.
            PolyclError: the device cannot compile the kernel (nothing was run), or it failed.
        """
        sizes = (global_size, local_size, global_offset)
        if OBSERVERS:
            executable, values, ndrange = self._ready(args, named, sizes, device, pipeline)
            own = values[: len(self.parameters)]
            has_local = local_size is not None
            OBSERVERS[-1].launch(
                self, own, ndrange, has_local, lambda: executable.run(values, ndrange)
            )
            return
        key = None
        if not named:
            key = (*sizes, device, pipeline)
            try:
                repeated = self._repeated.get(key)
            except TypeError:
                # For example a list.
                key = repeated = None
            if repeated is not None and repeated(args):
                return
        executable, values, ndrange = self._ready(args, named, sizes, device, pipeline)
        prepare = getattr(executable, "prepare", None)
        if prepare is None:
            executable.run(values, ndrange)
            return
        launch = prepare(values, ndrange)
        launch()
        if key is not None and hasattr(launch, "forget_arguments"):
            self._repeat(key, args, values, ndrange, lambda args: prepare(args, ndrange), launch)

    def bind(
        self,
        *args: Any,
        global_size: int | Sequence[int],
        local_size: int | Sequence[int] | None = None,
        global_offset: int | Sequence[int] | None = None,
        device: Device | str | None = None,
        pipeline: str | None = None,
        constants: bool = False,
        **named: Any,
    ) -> BoundKernel:
        """Check and compile everything now, for any number of launches; see `__call__`.

        With `constants`, the code is for these values of integer arguments only: this pays where a
        kernel with loops over arguments is launched often.
        """
        sizes = (global_size, local_size, global_offset)
        ready = self._ready(args, named, sizes, device, pipeline, constants)
        on = (
            default_device(device or "cpu") if device is None or isinstance(device, str) else device
        )
        return BoundKernel(*ready, self, on, pipeline or self._pipeline)

    def bind_raw(
        self,
        args: Sequence[KernelArg],
        ndrange: NDRange,
        device: Device,
        pipeline: str | None = None,
        constants: Sequence[int] = (),
    ) -> BoundKernel:
        """As `bind`, with the arguments of a device, whose types are not checked; the code is for
        the values of the arguments at the positions `constants` only."""
        if self.assumptions:
            check_launch(self.name, self.assumptions, self.parameters, args, ndrange)
        args = [*args, *self._program_variables(device)]
        facts = replace(self._facts(args), constants=constants_of(args, constants))
        ndrange = replace(ndrange, facts=facts)
        executable = self._compile(device, ndrange, pipeline or self._pipeline)
        return BoundKernel(executable, args, ndrange)

    def assuming(self, *assumptions: str) -> Kernel:
        """This kernel with further assumptions, for example "width >= 64".

        A launch for which one does not hold is refused. `polycl.dialects.ocl.assumptions`
        documents what can be assumed.

        Raises:
            ArgumentError: one is malformed, or names no integer argument.
        """
        for text in assumptions:
            try:
                check_assumption(text, integer_names(self.parameters))
            except AssumptionError as error:
                raise ArgumentError(f"kernel '{self.name}': {error}") from None
        if not assumptions:
            return self
        together = (*self.assumptions, *assumptions)
        signature = replace(self._signature, assumptions=together)
        module = with_assumptions(self._module, self.name, together)
        return Kernel(module, signature, self._pipeline, self._memory)

    def check_arrays(self, values: Sequence[KernelArg], ndrange: NDRange) -> None:
        """Raises ArgumentError if a launch certainly accesses bytes outside of its arrays."""
        check_sizes(self._signature.accesses, self.parameters, values, ndrange)

    @property
    def keeps_groups(self) -> bool:
        """Whether it always runs in the groups of the launch, as it sees them."""
        return self.best_group is None

    @property
    def best_group(self) -> Size3 | None:
        """The local size that suits it, if it does the same in groups of any size: 0 in dimensions
        whose ids it does not read."""
        return self._signature.best_group

    @property
    def has_variables(self) -> bool:
        """Whether it uses program-scope variables, which keep their values between launches."""
        return bool(self._signature.variables)

    @property
    def module(self) -> ModuleOp:
        """The module of the kernel."""
        return self._module.hand_out()

    def parameter(self, name: str) -> Parameter:
        """The parameter `name`. Raises ArgumentError where there is none."""
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        names = [p.name for p in self.parameters]
        raise ArgumentError(
            f"kernel '{self.name}': {unknown_name('parameter', name, names)} "
            f"(its parameters: {', '.join(names) or 'none'})"
        )

    def dtype(self, parameter: str) -> np.dtype[Any]:
        """The numpy type of a buffer's element or of a value: `np.zeros(n, kernel.dtype("x"))`.

        A structure is a structured type with C's offsets and size; a vector is a subarray
        type, so that an array of it has a trailing dimension.
        """
        return self.parameter(parameter).dtype

    def __repr__(self) -> str:
        parameters = ", ".join(f"{p.type_text} {p.name}" for p in self.parameters)
        return f"<polycl.Kernel {self.name}({parameters})>"

    def index_space(
        self,
        global_size: Any,
        local_size: Any = None,
        global_offset: Any = None,
        needs_local_size: str = "",
    ) -> NDRange:
        """The index space of a launch: `make_ndrange` with the kernel's own sizes. Raises
        ArgumentError."""
        return make_ndrange(
            self.name,
            global_size,
            local_size,
            global_offset,
            required=self.required_local_size,
            hint=self.local_size_hint,
            needs_local_size=needs_local_size,
            uniform=self.uniform,
        )

    def _repr_html_(self) -> str:
        title = f"kernel {self.name}"
        if self.required_local_size is not None:
            title += f", local size {'x'.join(map(str, self.required_local_size))}"
        rows = [[p.name, p.type_text, p.dtype_text] for p in self.parameters]
        assumes = table(["assumes"], [[text] for text in self.assumptions])
        parts = table(["parameter", "type", "takes"], rows), assumes if self.assumptions else ""
        return titled(title, "".join(parts))

    def _ready(
        self,
        args: Sequence[Any],
        named: dict[str, Any],
        sizes: tuple[Any, Any, Any],
        device: Device | str | None,
        pipeline: str | None,
        constants: bool = False,
    ) -> tuple[Executable, list[KernelArg], NDRange]:
        """Checks everything, in the order of the call's arguments."""
        ordered = match_arguments(self.name, self.parameters, args, named)
        values: list[KernelArg] = [
            to_kernel_arg(p, v) for p, v in zip(self.parameters, ordered, strict=True)
        ]
        ndrange = self.index_space(*sizes, self._why_local_size(values))
        if self.assumptions:
            check_launch(self.name, self.assumptions, self.parameters, values, ndrange)
        if device is None or isinstance(device, str):
            device = default_device(device or "cpu")
        elif not isinstance(device, Device):
            raise ArgumentError(f"device must be a polycl.Device or a name, got {device!r}")
        for parameter, value in zip(self.parameters, values, strict=True):
            if isinstance(value, DeviceArray) and value.device is not device:
                raise parameter.error(
                    f"the array is in the memory of another device, {value.device.name!r}; "
                    "launch there, or pass what its get() returns"
                )
        if not device.finds_bounds:
            self.check_arrays(values, ndrange)
        values += self._program_variables(device)
        facts = self._facts(values)
        if constants:
            integers = [i for i, p in enumerate(self.parameters) if isinstance(p.type, IntegerType)]
            facts = replace(facts, constants=constants_of(values, integers))
        if self._signature.has_atomics and device.runs_alone:
            facts = replace(facts, alone=True)
        ndrange = replace(ndrange, facts=facts)
        return self._compile(device, ndrange, pipeline or self._pipeline), values, ndrange

    def _facts(self, values: Sequence[KernelArg]) -> ArgumentFacts:
        images = [
            i for i, p in enumerate(self.parameters) if isinstance(p.type, ImageType | SamplerType)
        ]
        return replace(facts_of(values), images=images_of(values, images))

    def _program_variables(self, device: Device) -> list[KernelArg]:
        return [self._memory.array(device, *variables) for variables in self._signature.variables]

    def _repeat(
        self,
        key: tuple[Any, ...],
        args: Sequence[Any],
        values: Sequence[KernelArg],
        ndrange: NDRange,
        prepare: Callable[[Sequence[KernelArg]], Refillable],
        launch: Refillable,
    ) -> None:
        """Keep the prepared launch, which has run, for later calls with the same `key`."""
        if len(args) != len(self.parameters) or self._signature.variables or self.assumptions:
            return
        accesses = self._signature.accesses
        limits = SizeLimits(accesses, self.parameters, values, ndrange) if accesses else None
        repeated = repeated_call(self.parameters, args, values, prepare, launch, limits)
        if repeated is not None:
            if len(self._repeated) >= _MOST_REPEATED:
                self._repeated.clear()
            self._repeated[key] = repeated

    def _why_local_size(self, values: Sequence[KernelArg]) -> str:
        """The reason not to choose a local size: the size of local memory depends on it."""
        for parameter, value in zip(self.parameters, values, strict=True):
            if isinstance(value, LocalMemory):
                return (
                    f"parameter '{parameter.name}' is local memory, whose size goes with the "
                    "work-group's; pass local_size"
                )
        return ""

    def _compile(self, device: Device, ndrange: NDRange, pipeline: str | None) -> Executable:
        is_free = ndrange.part is None and ndrange.guarded is None
        if device.chooses_groups and pipeline is None and is_free:
            chosen = in_best_groups(ndrange, self._signature.best_group, device.threads)
            if chosen is not ndrange:
                return _InGroups(self._compile_for(device, chosen, None), chosen)
        return self._compile_for(device, ndrange, pipeline)

    def _compile_for(self, device: Device, ndrange: NDRange, pipeline: str | None) -> Executable:
        parts = ndrange.parts(device.most_groups) if device.compiles_parts else (ndrange,)
        if parts != (ndrange,):
            return _Parts([(self._compile_for(device, part, pipeline), part) for part in parts])
        uniform = ndrange.is_uniform or device.compiles_parts
        sizes = (ndrange.groups.size, ndrange.local_size, ndrange.wide_ids, uniform)
        key = (device, sizes, ndrange.guarded, ndrange.is_uniform_part, ndrange.facts, pipeline)
        executable = self._executables.get(key)
        if executable is None:
            executable = self._make(device, ndrange, pipeline)
            if self._signature.has_atomics and not ndrange.facts.alone:
                facts = replace(ndrange.facts, alone=True)
                own = replace(ndrange, facts=facts)
                device.with_own_form(executable, lambda: self._compile_for(device, own, pipeline))
            self._executables[key] = executable
        return executable

    @deep_calls()
    def _make(self, device: Device, ndrange: NDRange, pipeline: str | None) -> Executable:
        module = self._module_for(ndrange)
        if pipeline is not None:
            # The passes may be of other projects: their result is not cached.
            return device.compile(module.get(), self.name, ndrange, pipeline)
        kept = device.kept(module.content, self.name, ndrange)
        if kept is not None:
            return kept
        executable = _from_server(module.server, device, self.name, ndrange)
        if executable is None:
            executable = device.compile(module.get(), self.name, ndrange)
        device.keep(executable, module.content, self.name, ndrange)
        return executable

    def _module_for(self, ndrange: NDRange) -> LateModule:
        if not ndrange.wide_ids:
            return self._module
        wide = self._module.wide()
        if wide is None:
            raise ArgumentError(
                f"kernel '{self.name}': global ids reach 2^31, but its module was made for ids "
                "below; launch a kernel of OpenCL C, whose `module` was not asked for, or in parts"
            )
        return wide


def _from_server(
    server: ServerProgram | None, device: Device, kernel: str, ndrange: NDRange
) -> Executable | None:
    """The kernel as the compiler's server has compiled it. What it cannot do is done here."""
    if server is None or not device.is_remote or remarks_wanted():
        return None
    compiled = server.compile(device, kernel, ndrange, max_ops_now())
    if compiled is None:
        return None
    data, seconds = compiled
    add_phases(seconds)
    return device.restore(data)
