"""The portable OpenCL of bench/kernels/lift_naive.cl: on PoCL, and on our cpu device."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import polycl
from bench.lift_contender import Contender, huge_array
from bench.lift_works import Work
from bench.runtimes import POCL, ROOT

_SOURCE = ROOT / "bench" / "kernels" / "lift_naive.cl"
_GROUPS, _LOCAL = 256, 256

Launch = Callable[..., Callable[[], object]]
"""Of a kernel: `launch(name, global_size, local_size, *args)`, where bytes of local memory are a
`polycl.Local`; what it returns launches and waits."""


def naive_contender(
    name: str, launch: Launch, work: Work, values: dict[str, Any]
) -> Contender | None:
    """`work` by the naive kernels, launched by `launch`."""
    v = values
    if work.name in ("asum", "dot"):
        sums = huge_array((_GROUPS,), np.float32)
        buffers = [v["x"]] if work.name == "asum" else [v["x"], v["y"]]
        rest = (sums, np.uint32(work.sizes["N"]), polycl.Local(4 * _LOCAL))
        call = launch(f"naive_{work.name}", (_GROUPS * _LOCAL,), (_LOCAL,), *buffers, *rest)
        return Contender(name, call, lambda: sums.sum(keepdims=True), slow=True)
    if work.name == "scal":
        call = launch("naive_scal", (work.sizes["N"],), (1024,), v["x"], v["a"])
        return Contender(name, call, lambda: v["x"])
    if work.name == "gemv":
        m, k = work.sizes["M"], np.uint32(work.sizes["K"])
        found = huge_array((m,), np.float32)
        args = (v["A"], v["x"], v["y"], found, k, v["a"], v["b"])
        return Contender(name, launch("naive_gemv", (m,), (64,), *args), lambda: found, slow=True)
    if work.name == "matmul":
        m, k, n = (work.sizes[size] for size in "MKN")
        product = huge_array((m, n), np.float32)
        args = (v["A"], v["B"], product, np.uint32(k))
        call = launch("naive_matmul", (n, m), (64, 1), *args)
        return Contender(name, call, lambda: product, slow=True)
    return None


def our_launch(device: polycl.Device) -> Launch:
    module = polycl.load(_SOURCE)

    def launch(name: str, global_size: Any, local_size: Any, *args: Any) -> Callable[[], object]:
        sizes = {"global_size": global_size, "local_size": local_size}
        return module.kernel(name).bind(*args, **sizes, device=device).launch

    return launch


def pocl_launch(threads: int) -> Launch:
    """Raises RuntimeError: it is not there."""
    if not POCL.is_file():
        raise RuntimeError(f"there is no {POCL}")
    # No other runtime is loaded into this process.
    os.environ.update(
        OCL_ICD_VENDORS=str(POCL), POCL_MAX_PTHREAD_COUNT=str(threads), PYOPENCL_NO_CACHE="1"
    )
    try:
        import pyopencl as cl
    except ImportError as error:
        raise RuntimeError(str(error)) from None
    context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
    queue = cl.CommandQueue(context)
    program = cl.Program(context, _SOURCE.read_text()).build()

    def argument(value: Any) -> Any:
        if isinstance(value, polycl.Local):
            return cl.LocalMemory(value.nbytes)
        if not isinstance(value, np.ndarray):
            return value
        host: NDArray[Any] = value
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR
        return cl.Buffer(context, flags, hostbuf=host)

    def launch(name: str, global_size: Any, local_size: Any, *args: Any) -> Callable[[], object]:
        kernel: Any = cl.Kernel(program, name)
        # A kernel does not keep its buffers alive.
        kept = [argument(arg) for arg in args]
        kernel.set_args(*kept)

        def call(_: object = kept) -> None:
            cl.enqueue_nd_range_kernel(queue, kernel, global_size, local_size)
            queue.finish()

        return call

    return launch
