"""`polycl.distribute`: a kernel whose launches run on the workers of a dask cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from typing import Any

import numpy as np
from xdsl.dialects.builtin import UnitAttr
from xdsl.printer import Printer

from polycl.analysis.ocl.module_parts import only_kernel
from polycl.backends.device import KernelArg, NDRange
from polycl.backends.pipeline import run_passes
from polycl.dialects import ocl
from polycl.dialects.inside import functions_of
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.ocl.kernel import NON_UNIFORM
from polycl.dialects.ocl.layout import stride_of
from polycl.errors import ArgumentError
from polycl.lowering.ocl.inline_functions import InlineFunctionsPass
from polycl.lowering.ocl.lift_cf_to_scf import LiftCfToScfPass
from polycl.lowering.ocl.ocl_rebase_arguments import OclRebaseArgumentsPass
from polycl.runtime.arguments import match_arguments, to_kernel_arg
from polycl.runtime.assumptions import check_launch
from polycl.runtime.kernel import Kernel
from polycl.runtime.poly.distribute.arrays import ClusterArray, Home, home_of
from polycl.runtime.poly.distribute.footprint import Footprint, integers_of
from polycl.runtime.poly.distribute.launch import Cluster, Launch, Report
from polycl.runtime.poly.distribute.plan import Plan, plan_launch


def distribute(
    kernel: Kernel,
    client: Any = None,
    *,
    device: str = "cpu",
    workers: int | None = None,
    memory: int | None = None,
    progress: bool = False,
) -> DistributedKernel:
    """A kernel whose launches run on the workers of a dask cluster; see `DistributedKernel`.

    Raises:
        ArgumentError: `kernel` is no kernel.
    """
    if not isinstance(kernel, Kernel):
        raise ArgumentError(f"expected a kernel of a program, got {kernel!r}")
    return DistributedKernel(
        kernel, client, device=device, workers=workers, memory=memory, progress=progress
    )


@dataclass(frozen=True, eq=False)
class _Arguments:
    """The arguments of a launch by the position of the parameter."""

    values: Mapping[int, KernelArg]
    """Those that are no buffers."""
    homes: Mapping[int, Home | ClusterArray]
    """The buffers that have bytes."""
    ndrange: NDRange
    footprint: Footprint


class DistributedKernel:
    """A kernel whose launches are cut into chunks for the workers of a dask cluster.

    It is called as a kernel is, with numpy arrays, memory-mapped files, dask arrays, zarr arrays or
    `ClusterArray`s as buffers. All but dask arrays are updated in place. The result has the
    written arrays by the names of their parameters: the same objects, and for dask arrays new ones.
    """

    def __init__(
        self,
        kernel: Kernel,
        client: Any = None,
        *,
        device: str = "cpu",
        workers: int | None = None,
        memory: int | None = None,
        progress: bool = False,
    ):
        """`client` is a `distributed.Client`; without one, launches can only be planned.

        `device` is the workers' device, `workers` how many of them are used at most (default: all),
        `memory` the bytes that a chunk may take (default: a
        quarter of what a worker has for each thread), and `progress` shows a bar.
        """
        self.kernel = kernel
        self.client = client
        self.device = device
        self.workers = workers
        self.memory = memory
        self.progress = progress
        self.report: Report | None = None
        """What the last launch moved, and how long its chunks took."""
        self._footprints: dict[Any, Footprint] = {}

    def plan(
        self,
        *args: Any,
        global_size: int | Sequence[int],
        local_size: int | Sequence[int] | None = None,
        global_offset: int | Sequence[int] | None = None,
        workers: int | None = None,
        **named: Any,
    ) -> Plan:
        """The cut of a launch for a number of workers (default: those of the client).

        Nothing is run, and arrays are not read.

        Raises:
            ArgumentError: an argument or a size does not fit.
            PolyclError: located: the launch cannot be cut.
        """
        ready = self._ready(args, named, (global_size, local_size, global_offset))
        if workers is None:
            workers = len(Cluster(self._client(), self.workers).workers)
        if workers < 1:
            raise ArgumentError(f"expected at least one worker, got {workers}")
        return plan_launch(ready.footprint, workers, memory=self.memory)

    def __call__(
        self,
        *args: Any,
        global_size: int | Sequence[int],
        local_size: int | Sequence[int] | None = None,
        global_offset: int | Sequence[int] | None = None,
        **named: Any,
    ) -> dict[str, Any]:
        """Launch once and wait.

        Raises:
            ArgumentError: an argument or a size does not fit; nothing was run or written.
            PolyclError: located: the launch cannot be cut, and nothing was run; or a chunk failed.
        """
        ready = self._ready(args, named, (global_size, local_size, global_offset))
        cluster = Cluster(self._client(), self.workers)
        launch = Launch(self, cluster, ready.homes, ready.values, ready.footprint)
        written = launch.run()
        self.report = launch.report
        return written

    def _client(self) -> Any:
        if self.client is None:
            raise ArgumentError(
                f"kernel '{self.kernel.name}' is distributed without a client: only "
                "plan(..., workers=N) works"
            )
        return self.client

    @cached_property
    def buffers(self) -> tuple[int, ...]:
        """The positions of the pointers to global and constant memory."""
        spaces = (AddressSpace.GLOBAL, AddressSpace.CONSTANT)
        return tuple(i for i, p in enumerate(self.kernel.parameters) if p.space in spaces)

    @cached_property
    def units(self) -> Mapping[int, int]:
        """The bytes of an element of each buffer."""
        return {i: max(1, stride_of(self.kernel.parameters[i].pointee)) for i in self.buffers}

    @cached_property
    def text(self) -> str:
        """The module that workers compile: its kernel takes the starts of its windows."""
        module = only_kernel(self.kernel.module, self.kernel.name)
        names = tuple(self.kernel.parameters[position].name for position in self.buffers)
        # Inlined first, so that the indices in functions are rebased and not their pointers.
        run_passes(
            module, (LiftCfToScfPass(), InlineFunctionsPass(), OclRebaseArgumentsPass(names))
        )
        for function in functions_of(module, ocl.KernelOp):
            # Code for parts of a launch reads the id of the first group.
            function.attributes[NON_UNIFORM] = UnitAttr()
        stream = StringIO()
        Printer(stream, print_generic_format=True, print_debuginfo=True).print_op(module)
        return stream.getvalue()

    def _ready(
        self, args: Sequence[Any], named: Mapping[str, Any], sizes: tuple[Any, Any, Any]
    ) -> _Arguments:
        kernel = self.kernel
        ordered = match_arguments(kernel.name, kernel.parameters, args, named)
        values: dict[int, KernelArg] = {}
        shapes: list[KernelArg] = []
        homes: dict[int, Home | ClusterArray] = {}
        share_files = self.client is not None and _is_local(self.client)
        for position, (parameter, value) in enumerate(zip(kernel.parameters, ordered, strict=True)):
            home = value if isinstance(value, ClusterArray) else None
            if home is None and position in self.buffers:
                home = home_of(value, share_files)
            if home is None:
                values[position] = to_kernel_arg(parameter, value)
                shapes.append(values[position])
                continue
            # The type and the shape are checked on memory that nothing touches.
            shapes.append(
                to_kernel_arg(
                    parameter,
                    value if isinstance(value, np.ndarray) else np.empty(home.shape, home.dtype),
                )
            )
            if home.nbytes:
                homes[position] = home
            else:
                values[position] = None
        self._check_distinct(homes)
        local = [p.name for p in kernel.parameters if p.space is AddressSpace.LOCAL]
        ndrange = kernel.index_space(
            *sizes, f"parameter '{local[0]}' is local memory" if local else ""
        )
        check_launch(kernel.name, kernel.assumptions, kernel.parameters, shapes, ndrange)
        kernel.check_arrays(shapes, ndrange)
        scalars = {i: v for i, v in values.items() if isinstance(v, bytes)}
        integers = integers_of(kernel, scalars)
        nbytes = {position: home.nbytes for position, home in homes.items()}
        key = ndrange, tuple(integers.items()), tuple(nbytes.items())
        if key not in self._footprints:
            self._footprints[key] = Footprint(kernel, ndrange, integers, nbytes)
        footprint = self._footprints[key]
        for position in footprint.written:
            home = homes[position]
            if isinstance(home, Home) and home.is_read_only:
                raise kernel.parameters[position].error(
                    "the array is read-only, and the kernel writes it; open it for writing"
                )
        return _Arguments(values, homes, ndrange, footprint)

    def _check_distinct(self, homes: Mapping[int, Home | ClusterArray]) -> None:
        """Two parameters of the same array would not see each other's writes."""
        parameters = self.kernel.parameters
        positions = list(homes)
        for i, one in enumerate(positions):
            for two in positions[i + 1 :]:
                a, b = _array(homes[one]), _array(homes[two])
                same = a is b
                if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
                    same = np.may_share_memory(a, b)
                if same and not (parameters[one].const and parameters[two].const):
                    raise parameters[two].error(
                        f"the array shares memory with that of '{parameters[one].name}'; "
                        "distributed launches need distinct arrays"
                    )


def _array(home: Home | ClusterArray) -> Any:
    return home.array if isinstance(home, Home) else home


def _is_local(client: Any) -> bool:
    """Whether the workers run on this machine."""
    address = str(client.scheduler.address)
    return address.startswith("inproc:") or "//127.0.0.1:" in address
