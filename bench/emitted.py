"""What polycl emits beside its source: `python bench/emitted.py [--platform NAME] [NAME...]`.

The kernels of `bench/kernels`, Rodinia and Parboil (`--suites DIR`), on an OpenCL platform: by the
platform's compiler of OpenCL C from the source, by the device `opencl` (the OpenCL C that polycl
writes), on Intel's runtime by SPIR-V, on NVIDIA's by PTX and by the device `cuda`. The source is
there twice: the second time, `again`, shows how much times differ that should be equal. Times are
those of OpenCL's events, for the device `cuda` of CUDA's. The ways take turns; each has the best of
the case's local sizes. Results are compared with those of the source.

CUDA's events are around several launches in a row, where a launch need not restore its buffers:
each time contains what is between two launches, some 2 us.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import polycl  # noqa: E402
from bench.case import Case, LocalBytes, Variant  # noqa: E402
from bench.check import Buffers, difference  # noqa: E402
from bench.own_cases import own_cases  # noqa: E402
from bench.suite_kernels import suite_cases  # noqa: E402
from polycl.backends.cuda.device import CudaExecutable  # noqa: E402
from polycl.backends.opencl_c.device import BuiltExecutable  # noqa: E402
from polycl.runtime.index_space import make_ndrange  # noqa: E402

LAUNCHES, IN_A_ROW = 6, 10
SOURCE, AGAIN = "source", "again"

Launch = Callable[[], float]
"""Runs the kernel once; the seconds that it took."""


class Way:
    """One way to compile a case and to launch it; its buffers are its own."""

    def __init__(
        self,
        launch: Launch,
        restore: Callable[[], None],
        read: Callable[[], Buffers],
        once: Callable[[], object] | None = None,
    ):
        self.launch = launch
        self.once = once or launch
        """Runs the kernel a single time, for its results."""
        self.restore = restore
        self.read = read


def launched(queue: cl.CommandQueue, kernel: cl.Kernel, *sizes: Any) -> Launch:
    """A launch of a kernel that has its arguments, the same for all ways of OpenCL."""

    def launch() -> float:
        event = cl.enqueue_nd_range_kernel(queue, kernel, *sizes)
        event.wait()
        return (event.profile.end - event.profile.start) * 1e-9

    return launch


def peer(handle: cl.Device, case: Case, variant: Variant, args: Sequence[Any]) -> Way:
    """The platform's compiler."""
    context = cl.Context([handle])
    queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
    text = case.path.read_text(errors="replace")
    kernel = cl.Kernel(cl.Program(context, text).build(list(case.forms[variant.form])), case.kernel)
    buffers = {
        i: cl.Buffer(context, cl.mem_flags.READ_WRITE, max(arg.nbytes, 1))
        for i, arg in enumerate(args)
        if isinstance(arg, np.ndarray)
    }
    values: list[Any] = [
        buffers[i]
        if i in buffers
        else cl.LocalMemory(arg.nbytes)
        if isinstance(arg, LocalBytes)
        else arg
        for i, arg in enumerate(args)
    ]
    kernel.set_args(*values)
    launch = launched(queue, kernel, case.global_size, variant.local_size)

    def restore() -> None:
        for i, buffer in buffers.items():
            cl.enqueue_copy(queue, buffer, np.ascontiguousarray(args[i]))

    def read() -> Buffers:
        found = {i: np.empty_like(np.ascontiguousarray(args[i])) for i in buffers}
        for i, array in found.items():
            cl.enqueue_copy(queue, array, buffers[i])
        return found

    return Way(launch, restore, read)


def ours(device: Any, case: Case, variant: Variant, args: Sequence[Any]) -> Way:
    """One of polycl's devices."""
    kernel = polycl.load(case.path, list(case.forms[variant.form]), language="cl").kernel(
        case.kernel
    )
    buffers = {i: device.array(arg) for i, arg in enumerate(args) if isinstance(arg, np.ndarray)}
    values = [
        buffers[i]
        if i in buffers
        else polycl.Local(arg.nbytes)
        if isinstance(arg, LocalBytes)
        else arg.tobytes()
        for i, arg in enumerate(args)
    ]
    ndrange = make_ndrange(case.kernel, case.global_size, variant.local_size, None)
    bound = kernel.bind_raw(values, ndrange, device)

    executable = bound.compiled
    if isinstance(executable, BuiltExecutable):
        arguments = executable.arguments(bound.args)
        executable.kernel.set_args(*arguments.values, *executable.more_arguments(ndrange))
        launch = launched(device.queue, executable.kernel, *executable.sizes(ndrange))
    else:
        assert isinstance(executable, CudaExecutable)
        queued = executable.prepare_queued(bound.args, ndrange)
        count = 1 if case.restore else IN_A_ROW

        def launch() -> float:
            first = device.gpu.event()
            for _ in range(count):
                queued()
            return device.gpu.seconds_between((first, device.gpu.event())) / count

    def restore() -> None:
        for i, buffer in buffers.items():
            buffer.set(np.ascontiguousarray(args[i]))

    def read() -> Buffers:
        return {i: buffer.get() for i, buffer in buffers.items()}

    return Way(launch, restore, read, bound.prepared)


def measure(case: Case, handle: cl.Device, devices: dict[str, Any], rounds: int) -> dict[str, Any]:
    """The least seconds of each way, and what differs from the results of the source by more than
    the case's tolerance. A variant that does not build does not count."""
    args = case.args()
    makers: dict[str, Callable[[Variant], Way]] = {SOURCE: lambda v: peer(handle, case, v, args)}
    for name, device in devices.items():
        makers[name] = lambda v, device=device: ours(device, case, v, args)
    makers[AGAIN] = makers[SOURCE]
    row: dict[str, Any] = {"wrong": {}, "seconds": {}, "errors": {}, "compile": {}}
    times: dict[str, dict[str, list[float]]] = {}
    for variant in case.variants():
        ways: dict[str, Way] = {}
        expected: Buffers | None = None
        for name, maker in makers.items():
            start = time.perf_counter()
            try:
                way = maker(variant)
                way.restore()
                way.once()
                row["compile"].setdefault(name, time.perf_counter() - start)
                found = way.read()
            except Exception as error:  # A case that fails must not end the run.
                row["errors"][f"{name} {variant}"] = str(error)[:300]
                continue
            if name == SOURCE:
                expected = found
            elif expected is not None:
                wrong = difference(expected, found, case.tolerance)
                if wrong:
                    row["wrong"][f"{name} {variant}"] = wrong
            ways[name] = way
        for _ in range(rounds):
            for name, way in ways.items():
                way.restore()
                for _ in range(LAUNCHES):
                    if case.restore:
                        way.restore()
                    times.setdefault(name, {}).setdefault(str(variant), []).append(way.launch())
    for name, by_variant in times.items():
        row["seconds"][name] = min(min(seconds) for seconds in by_variant.values())
        row.setdefault("variants", {})[name] = {v: min(s) for v, s in by_variant.items()}
    return row


def devices_of(platform: str) -> dict[str, Any]:
    """The ways from a kernel to `platform` that polycl has, by the names of columns."""
    found: dict[str, Any] = {"opencl": polycl.device(f"opencl:{platform}", profile=True)}
    if platform == "nvidia":
        found["ptx"] = polycl.device("opencl:nvidia", via="ptx", profile=True)
        found["cuda"] = polycl.device("cuda")
    if platform == "intel":
        found["spirv"] = polycl.device("opencl:intel", via="spirv", profile=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--platform", default="nvidia", help="as in the device opencl:NAME")
    parser.add_argument("--suites", type=Path, help="folder of rodinia and parboil")
    parser.add_argument("--rounds", type=int, default=4, help="each with six launches of each way")
    parser.add_argument("--json", type=Path)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    devices = devices_of(options.platform)
    handle = devices["opencl"].handle
    columns = [*devices, AGAIN]
    print(handle.name, handle.driver_version)
    cases = [*own_cases(), *(suite_cases(options.suites) if options.suites else ())]
    rows: dict[str, Any] = {}
    print(f"| kernel | source, us | {' | '.join(columns)} |\n|{'---|' * (2 + len(columns))}")
    for case in cases:
        if options.names and not any(name in case.name for name in options.names):
            continue
        try:
            row = rows[case.name] = measure(case, handle, devices, options.rounds)
        except Exception as error:  # As above.
            print(f"{case.name}: {error!s:.200}", flush=True)
            continue
        base = row["seconds"].get(SOURCE)
        shown = [
            f"{row['seconds'][name] / base:.2f}" if base and name in row["seconds"] else "-"
            for name in columns
        ]
        source_time = f"{base * 1e6:.1f}" if base else "-"
        print(f"| {case.name} | {source_time} | {' | '.join(shown)} |", flush=True)
        for problem in (*row["wrong"].items(), *row["errors"].items()):
            print(f"  {problem[0]}: {problem[1]}".replace("\n", " "), flush=True)
    for name in columns:
        ratios = [
            row["seconds"][name] / row["seconds"][SOURCE]
            for row in rows.values()
            if {name, SOURCE} <= row["seconds"].keys()
        ]
        if ratios:
            mean, middle = statistics.geometric_mean(ratios), statistics.median(ratios)
            print(
                f"{name}: geometric mean {mean:.3f}, median {middle:.3f}, "
                f"most {max(ratios):.2f}, {len(ratios)} kernels"
            )
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
