"""The device `tta`: kernels on a simulated transport-triggered processor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass

from polycl.analysis.ocl.module_parts import find_kernel, only_kernel
from polycl.backends.cpu.compile import no_collection
from polycl.backends.device import Device, NDRange
from polycl.backends.pipeline import parse_passes, run_passes
from polycl.backends.tta.cache import Cache, parse_cache
from polycl.backends.tta.choose_method import Candidate, contenders
from polycl.backends.tta.engine import Engine
from polycl.backends.tta.interpreter import Result, interpret
from polycl.backends.tta.launch import TtaExecutable
from polycl.backends.tta.limit_size import TooLargeError, inlined_size
from polycl.backends.tta.pipeline import METHODS, Legalise, WgMethod, legalised, tta_pipeline
from polycl.backends.tta.try_methods import TriedExecutable
from polycl.diagnostics import unknown_name
from polycl.dialects.tta import PRESETS, Machine, from_adf, parse_machine
from polycl.dialects.tta.core import connected_core, disconnected
from polycl.errors import ArgumentError, LaunchError
from polycl.lowering.ocl.debug_variables import erase_variables
from polycl.lowering.ocl.ocl_expand_images import expand_images
from polycl.lowering.ocl.ocl_expand_pipes import expand_pipes
from polycl.lowering.tta.memory_map import FIRST_CONSTANT
from polycl.lowering.tta.tta_expand_arith import TtaExpandArithPass
from polycl.lowering.tta.tta_schedule import Schedule, proved, schedule

ENGINES = ("compiled", "interpreter")


class TtaDevice(Device):
    """A simulated processor.

    `machine` is a preset of `ocl-run --machine-list` ("paper", "wide"), an ADF file or a `Machine`;
    `buses` is the number of buses of a preset. `wg_method` is how the work-items of a group share
    the processor ("loops", "horizontal", "replicate", "replicate-only", or "auto": the method and
    the unrolling with the fewest cycles in the first launch). `unroll` work-items are executed in
    each iteration of work-item loops. With `pipeline_loops`, the iterations of loops overlap
    (software pipelining); by default they do, unless work-items are executed one by one, the
    baseline of the methods. The `engine` "interpreter" is slower than "compiled", with the same
    results. With `memory`, say "sets=64 ways=2 line=32 miss=20", the processor waits for accesses
    that miss a cache (cache.py); without it, memory is as fast as the machine says.
    """

    name = "tta"

    def __init__(
        self,
        machine: str | Machine = "paper",
        buses: int | None = None,
        wg_method: WgMethod | Literal["auto"] = "loops",
        unroll: int = 1,
        pipeline_loops: bool | None = None,
        engine: Literal["compiled", "interpreter"] = "compiled",
        memory: str | Cache | None = None,
    ):
        if wg_method not in (*METHODS, "auto"):
            raise ArgumentError(unknown_name("wg_method", wg_method, (*METHODS, "auto")))
        if engine not in ENGINES:
            raise ArgumentError(unknown_name("engine", engine, ENGINES))
        self.engine = engine
        self.cache = parse_cache(memory) if isinstance(memory, str) else memory
        named = isinstance(machine, str)
        self.machine = named_machine(machine, buses) if isinstance(machine, str) else machine
        lacking = self.machine.lacks()
        if lacking is not None:
            what = f"machine '{machine}'" if named else "the machine"
            raise ArgumentError(f"device 'tta': {what} runs no kernel: {lacking}")
        self.core = connected_core(self.machine)
        """The part of the machine that programs use."""
        reason = disconnected(self.machine, self.core) or _narrow_port(self.core)
        if reason is not None:
            raise ArgumentError(f"device 'tta': the machine runs no kernel: {reason}")
        self.wg_method: WgMethod | Literal["auto"] = wg_method
        if unroll < 1:
            raise ArgumentError(f"device 'tta': unroll must be positive, got {unroll}")
        self.unroll = unroll
        if pipeline_loops is None:
            pipeline_loops = wg_method != "loops" or unroll > 1
        self.pipeline_loops = pipeline_loops
        self.schedule: Schedule | None = None
        """The schedule of the last compilation."""
        self.result: Result | None = None
        """The result of the last launch."""

    def own_passes(self, ndrange: NDRange) -> tuple[ModulePass, ...]:
        method: WgMethod = "loops" if self.wg_method == "auto" else self.wg_method
        return tta_pipeline(ndrange, self.core, method, self.unroll, self.pipeline_loops)

    def compile(
        self, module: ModuleOp, kernel: str, ndrange: NDRange, pipeline: str | None = None
    ) -> TtaExecutable | TriedExecutable:
        with no_collection():
            legalise, types = self.legaliser(module, kernel, ndrange)

            def executable(
                function: FuncOp, execute: Callable[[bytearray, int], Result]
            ) -> TtaExecutable:
                return TtaExecutable(function, types, ndrange, execute)

            def trial(candidate: Candidate) -> TtaExecutable:
                return executable(candidate.function, self.simulator(candidate.scheduled))

            def final(candidate: Candidate) -> TtaExecutable:
                function = candidate.function
                return executable(function, self.executor(function, candidate.scheduled))

            if pipeline is None and self.wg_method == "auto":
                of_method = self.of_method(legalise, ndrange)
                found = contenders(of_method, self.core, ndrange, self.unroll, self.pipeline_loops)
                if len(found) == 1:
                    return final(found[0])
                return TriedExecutable(found, trial, final)
            if pipeline is None:
                method: WgMethod = "loops" if self.wg_method == "auto" else self.wg_method
                function = self.of_method(legalise, ndrange)(method, self.unroll)
            else:
                function = legalise(parse_passes(pipeline), None)
            return executable(function, self.executor(function))

    def legaliser(
        self, module: ModuleOp, kernel: str, ndrange: NDRange
    ) -> tuple[Legalise, Sequence[Attribute]]:
        """A function that runs passes on a kernel, and the types of the kernel's arguments."""
        program = only_kernel(module, kernel)
        expand_images(program)
        expand_pipes(program)
        erase_variables(program)
        types = find_kernel(program, kernel).function_type.inputs.data

        def legalise(passes: tuple[ModulePass, ...], most: int | None) -> FuncOp:
            at = 0
            if most is not None:
                at = 1 + next(i for i, p in enumerate(passes) if isinstance(p, TtaExpandArithPass))

            def begun() -> ModuleOp:
                return (
                    run_passes(program.clone(), passes[:at], lambda m: m) if at else program.clone()
                )

            module = begun()
            if most is not None and (size := inlined_size(module, kernel)) > most:
                raise TooLargeError(size)
            return run_passes(module, passes[at:], lambda m: _function(m, kernel), begun)

        return legalise, types

    def of_method(self, legalise: Legalise, ndrange: NDRange) -> Callable[[WgMethod, int], FuncOp]:
        """The function of a kernel by method and unroll factor."""
        return lambda method, unroll: legalised(
            legalise, ndrange, self.core, method, unroll, self.pipeline_loops
        )

    def executor(
        self, function: FuncOp, scheduled: Schedule | None = None
    ) -> Callable[[bytearray, int], Result]:
        """A function that executes a legalised function, as `scheduled`, on the device's memory,
        for at most so many cycles. The schedule is proved right."""
        if scheduled is None:
            scheduled = schedule(function, self.core, pipeline=self.pipeline_loops)
        else:
            scheduled = proved(scheduled, function, self.core, self.pipeline_loops)
        return self.simulator(scheduled)

    def simulator(self, scheduled: Schedule) -> Callable[[bytearray, int], Result]:
        """The same for a schedule as it is."""
        program = replace(scheduled.program, machine=self.machine)
        shown = replace(scheduled, program=program)
        self.schedule = shown
        if self.engine == "compiled":
            run = Engine(program, cache=self.cache).run
        else:
            run = partial(interpret, program, cache=self.cache)

        def execute(memory: bytearray, most: int) -> Result:
            self.schedule = shown
            self.result = run(memory, max_cycles=most)
            return self.result

        return execute


def _narrow_port(machine: Machine) -> str | None:
    """The port of a load or store whose addresses end before a kernel's arguments, for messages."""
    needed = FIRST_CONSTANT.bit_length()
    for name in ("ld32", "st32"):
        for unit in machine.units_with(name):
            operation = unit.operation(name)
            port = None if operation is None else unit.port(operation.inputs[0])
            if port is not None and port.width < needed:
                return (
                    f"addresses at the port '{unit.name}.{port.name}' have {port.width} bits; "
                    f"expected at least {needed}, as arguments are at {FIRST_CONSTANT}"
                )
    return None


def named_machine(name: str, buses: int | None = None) -> Machine:
    """A preset, or the machine of an ADF file. Raises ArgumentError."""
    try:
        if not name.endswith(".adf"):
            return parse_machine(name if buses is None else f"{name} buses={buses}")
        if buses is not None:
            raise ArgumentError("device 'tta': the ADF file specifies the buses")
        return from_adf(Path(name).read_text(encoding="utf-8"), name)
    except OSError as error:
        raise ArgumentError(f"device 'tta': cannot open '{name}': {error.strerror}") from error
    except ValueError as error:
        if name.split()[:1] == [name] and name not in PRESETS:
            known = ", ".join(PRESETS)
            raise ArgumentError(
                f"device 'tta': there is no machine '{name}'; expected {known}, or the name of "
                "an .adf file"
            ) from error
        raise ArgumentError(f"device 'tta': machine: {error}") from error


def _function(module: ModuleOp, name: str) -> FuncOp:
    for op in module.ops:
        if isinstance(op, FuncOp) and op.sym_name.data == name:
            return op
    raise LaunchError(
        f"the pipeline did not make a function of kernel '{name}'; it must end in wg-to-launch, "
        "scf-to-cf, tta-legalize"
    )
