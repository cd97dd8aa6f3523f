"""Derived programs on a GPU against its vendor's BLAS: `python bench/lift_gpu.py FOLDER`.

FOLDER is what `python -m bench.lift_emit FOLDER` wrote on any machine: OpenCL C text, and
`programs.json` with the launches. So the machine of the GPU needs numpy and pyopencl only, and
CuPy and torch for the peers.

Our time is the sum of the kernels' own durations, by OpenCL's events. The peers' is the time
between two CUDA events, and, where torch's profiler works, the sum of their kernels' durations.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.lift_cublas import Cublas  # noqa: E402
from bench.lift_works import Array, Work, works  # noqa: E402

SAVED = 1 << 19
"""Elements of a result, its first ones."""
RUNS = 20
"""In a row, in each round."""
ROUNDS = 5

Seconds = list[float]


class Program:
    """One entry of `programs.json`: kernels, and the launches that make one result.

    An entry has `work`, `variant`, `source` (a file), `buffers` (each `{"argument": name}` or
    `{"bytes": count}`), `results` (the numbers of buffers) and `launches`: `kernel`, `global`,
    `local` and `args`, each of them `{"buffer": number}`, `{"argument": name}` for a scalar,
    `{"int": value}`, `{"long": value}` or `{"local": bytes}`.
    """

    def __init__(self, device: Any, folder: Path, entry: dict[str, Any], values: dict[str, Any]):
        self.entry = entry
        # One of its own: a program that fails takes its context along.
        context = cl.Context([device])
        profiling = cl.command_queue_properties.PROFILING_ENABLE
        self._queue = cl.CommandQueue(context, properties=profiling)
        source = (folder / entry["source"]).read_text()
        program = cl.Program(context, source).build(entry.get("options", []))
        self.buffers = [self._buffer(context, buffer, values) for buffer in entry["buffers"]]
        self._launches: list[tuple[Any, tuple[int, ...], tuple[int, ...]]] = []
        for launch in entry["launches"]:
            kernel: Any = cl.Kernel(program, launch["kernel"])
            kernel.set_args(*[self._argument(arg, values) for arg in launch["args"]])
            self._launches.append((kernel, tuple(launch["global"]), tuple(launch["local"])))

    def _buffer(self, context: Any, buffer: dict[str, Any], values: dict[str, Any]) -> Any:
        flags = cl.mem_flags.READ_WRITE
        if "bytes" in buffer:
            return cl.Buffer(context, flags, buffer["bytes"])
        host = np.ascontiguousarray(values[buffer["argument"]])
        return cl.Buffer(context, flags | cl.mem_flags.COPY_HOST_PTR, hostbuf=host)

    def _argument(self, arg: dict[str, Any], values: dict[str, Any]) -> Any:
        ((kind, value),) = arg.items()
        if kind == "buffer":
            return self.buffers[value]
        if kind == "argument":
            return values[value]
        if kind == "local":
            return cl.LocalMemory(value)
        return np.int32(value) if kind == "int" else np.int64(value)

    def run(self) -> float:
        """Seconds in kernels."""
        events = [
            cl.enqueue_nd_range_kernel(self._queue, *launch)  # pyright: ignore[reportArgumentType]
            for launch in self._launches
        ]
        self._queue.finish()
        return sum(event.profile.end - event.profile.start for event in events) * 1e-9

    def result(self, shape: tuple[int, ...]) -> NDArray[np.float32]:
        """Of the last run. The parts of tuples are the last dimension."""
        parts: list[NDArray[np.float32]] = []
        for number in self.entry["results"]:
            part = np.empty(int(np.prod(shape)) // len(self.entry["results"]), np.float32)
            cl.enqueue_copy(self._queue, part, self.buffers[number])
            parts.append(part)
        return np.stack(parts, axis=-1).reshape(shape)

    def release(self) -> None:
        for buffer in self.buffers:
            buffer.release()


@dataclass
class Row:
    work: Work
    variant: str
    ours: Seconds
    error: float
    start: Array
    """The first elements of the result."""
    peers: dict[str, Seconds]
    peer_kernels: dict[str, float | None]
    copy: float | None
    """Seconds to copy as many bytes as the work moves."""

    @property
    def ratio(self) -> float | None:
        best = min((min(times) for times in self.peers.values()), default=None)
        return best and best / min(self.ours)

    def cells(self) -> list[str]:
        best = min(self.ours)
        cells = [
            self.work.label,
            self.variant,
            f"{best * 1e6:.1f}",
            f"{np.median(self.ours) * 1e6:.1f}",
        ]
        cells.append(f"{self.work.bytes / best / 1e9:.0f}")
        cells.append(f"{self.copy / best:.0%}" if self.copy else "-")
        cells += [
            f"{n} {min(t) * 1e6:.1f} ({np.median(t) * 1e6:.1f})" for n, t in self.peers.items()
        ]
        cells += [f"{n} kernels {t * 1e6:.1f}" for n, t in self.peer_kernels.items() if t]
        cells.append(f"ratio {self.ratio:.2f}" if self.ratio else "-")
        ok = "right" if self.error <= self.work.tolerance else "WRONG"
        return [*cells, f"{ok} {self.error:.1e}"]

    def as_json(self) -> dict[str, Any]:
        return {
            "work": self.work.label,
            "variant": self.variant,
            "bytes": self.work.bytes,
            "min": min(self.ours),
            "median": float(np.median(self.ours)),
            "error": self.error,
            "right": self.error <= self.work.tolerance,
            "copy_seconds": self.copy,
            "peers": {n: [min(t), float(np.median(t))] for n, t in self.peers.items()},
            "peer_kernels": self.peer_kernels,
            "ratio": self.ratio,
        }


def measure(
    device: Any, folder: Path, entries: list[dict[str, Any]], work: Work, cublas: Cublas | None
) -> list[Row]:
    values = work.inputs()
    right = work.expected(values)
    programs: list[Program] = []
    errors: list[float] = []
    starts: list[Array] = []
    for entry in entries:
        try:
            program = Program(device, folder, entry, values)
            program.run()
        except cl.Error as error:
            print(f"{work.label} {entry['variant']}: failed: {error}")
            continue
        programs.append(program)
        found = program.result(right.shape)
        errors.append(work.error(values, right, found))
        starts.append(found.reshape(-1)[:SAVED])
    calls = cublas.calls(work, values) if cublas else {}
    ours: list[Seconds] = [[] for _ in programs]
    peers: dict[str, Seconds] = {name: [] for name in calls}
    for _ in range(ROUNDS):
        for program, times in zip(programs, ours, strict=True):
            program.run()
            times += [program.run() for _ in range(RUNS)]
        for name, call in calls.items():
            assert cublas is not None
            cublas.seconds(call)
            peers[name] += [cublas.seconds(call) for _ in range(RUNS)]
    kernels: dict[str, float | None] = {}
    for name, call in calls.items():
        assert cublas is not None
        kernels[name] = cublas.kernel_seconds(call)
    copy = cublas.copy_seconds(work.bytes) if cublas else None
    for program in programs:
        program.release()
    return [
        Row(work, program.entry["variant"], times, error, start, peers, kernels, copy)
        for program, times, error, start in zip(programs, ours, errors, starts, strict=True)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument(
        "--save", type=Path, metavar="FILE.npz", help="results, for `bench.lift_emit --check`"
    )
    parser.add_argument("--platform", default="NVIDIA", help="a part of its name")
    args = parser.parse_args()
    platforms = cl.get_platforms()
    found = [p for p in platforms if args.platform.lower() in p.name.lower()]
    if not found:
        parser.error(
            f"no platform {args.platform}; there are: {', '.join(p.name for p in platforms)}"
        )
    device = found[0].get_devices()[0]
    print(f"{device.name}, driver {device.driver_version}")
    try:
        cublas = Cublas()
    except ImportError as error:
        print(f"no peers: {error}")
        cublas = None
    entries = json.loads((args.folder / "programs.json").read_text())
    rows: list[Row] = []
    for work in works():
        mine = [entry for entry in entries if entry["work"] == work.label]
        if mine:
            rows += measure(device, args.folder, mine, work, cublas)
            for row in rows[-len(mine) :]:
                print("  ".join(row.cells()), flush=True)
    if args.save:
        results: dict[str, Any] = {row.work.label: row.start for row in rows}
        np.savez(args.save, **results)
    if args.json:
        args.json.write_text(json.dumps([row.as_json() for row in rows], indent=1) + "\n")


if __name__ == "__main__":
    main()
