"""Every overload of every function that clang's header declares: imported, compiled, and the same
in every bit on the interpreter and on the cpu device.

    python -m bench.overloads /usr/lib/llvm-15/lib/clang/15.0.6/include/opencl-c.h [-j 2] [NAME ...]

The header, Debian's package `libclang-common-15-dev`, is read with all its features on. For each
overload there is a kernel of eight work-items that calls it with random values. Functions of
images, samplers and events, and those that return nothing, are compiled but not run. Prints one
line for each reason of a failure, and counts.
"""

from __future__ import annotations

import argparse
import re
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from clang.cindex import Index
from numpy.typing import NDArray

import polycl
from polycl.backends.cpu.compile import compile_kernel
from polycl.backends.cpu.pipeline import cpu_pipeline
from polycl.runtime.compare import compare
from polycl.runtime.index_space import make_ndrange

ITEMS = 8
OPTIONS = ("-cl-std=CL3.0",)
EXTENSIONS = "".join(
    f"#pragma OPENCL EXTENSION {name} : enable\n" for name in ("cl_khr_fp16", "cl_khr_fp64")
)
_FEATURE = re.compile(r"\b(__opencl_c_\w+|cl_(?:khr|ext|intel)_\w+)")
_NOT_CALLED = re.compile(r"__|amd_|arm_|printf$|ndrange_|enqueue_|get_kernel_|intel_sub_group_avc_")
"""Macros' helpers, other vendors' functions, device-side enqueue, and a video encoder."""
_SCALARS = {
    "bool": "u1",
    "char": "i1",
    "uchar": "u1",
    "short": "i2",
    "ushort": "u2",
    "int": "i4",
    "uint": "u4",
    "long": "i8",
    "ulong": "u8",
    "half": "f2",
    "float": "f4",
    "double": "f8",
    "size_t": "u8",
    "ptrdiff_t": "i8",
    "intptr_t": "i8",
    "uintptr_t": "u8",
    "cl_mem_fence_flags": "u4",
}
_STORED = {"bool": "uchar", "size_t": "ulong", "uintptr_t": "ulong", "cl_mem_fence_flags": "uint"}
_STORED |= {"ptrdiff_t": "long", "intptr_t": "long"}
_SPACE = re.compile(r"\b(?:__)?(global|local|constant|private|generic)\b")
_CONSTANTS = {
    "memory_order": "memory_order_relaxed",
    "memory_scope": "memory_scope_device",
    "cl_mem_fence_flags": "CLK_LOCAL_MEM_FENCE",
}
_ELEMENTS = 256
"""Elements that each pointer argument points to."""


@dataclass(frozen=True)
class Overload:
    """One declaration of the header."""

    name: str
    result: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.result} {self.name}({', '.join(self.arguments)})"


@dataclass(frozen=True)
class Call:
    """A kernel that calls an overload."""

    text: str
    arrays: tuple[tuple[str, int], ...] | None
    """The type of a scalar and the number of scalars of each argument; None: not to be run."""


def overloads(header: Path) -> list[Overload]:
    """The functions that the header declares."""
    features = sorted(set(_FEATURE.findall(header.read_text(encoding="utf-8"))))
    flags = [f"-D{name}=1" for name in features]
    unit = Index.create().parse(
        "declarations.cl",
        ["-x", "cl", *OPTIONS, "-target", "spir64", "-w", f"-I{header.parent}", *flags],
        [("declarations.cl", '#include "opencl-c-base.h"\n#include "opencl-c.h"\n')],
    )
    return [
        Overload(
            cursor.spelling,
            _plain(cursor.result_type.spelling),
            tuple(_plain(a.spelling) for a in cursor.type.argument_types()),
        )
        for cursor in unit.cursor.get_children()
        if cursor.kind.name == "FUNCTION_DECL" and not _NOT_CALLED.match(cursor.spelling)
    ]


def _plain(type: str) -> str:
    """A type as a program writes it."""
    type = re.sub(r"(\w+) __attribute__\(\(ext_vector_type\((\d+)\)\)\)", r"\1\2", type)
    type = re.sub(r"\bunsigned (char|short|int|long)", r"u\1", type)
    type = re.sub(r"_Atomic\((\w+)\)", r"atomic_\1", type)
    return re.sub(r"\b(__private|__attribute__\(\(aligned\(16\)\)\)|enum) ?", "", type).strip()


def _scalar(type: str) -> tuple[str, int] | None:
    """The scalar type and the width in memory of a value's type."""
    match = re.fullmatch(r"(?:atomic_)?([a-z_]+?)(2|3|4|8|16)?", type)
    if match is None or match[1] not in _SCALARS:
        return None
    return match[1], {None: 1, "3": 4}.get(match[2]) or int(match[2])


def call(overload: Overload) -> Call:
    """The kernel that calls the overload, once for each work-item."""
    parameters: list[str] = []
    before: list[str] = []
    passed: list[str] = []
    arrays: list[tuple[str, int]] | None = []
    for number, type in enumerate(overload.arguments):
        name = f"a{number}"
        if type in _CONSTANTS:
            passed.append(_CONSTANTS[type])
        elif type.endswith("*") or "*" in type:
            parameter, first, value, array = _pointer(type, name)
            parameters += parameter
            before += first
            passed.append(value)
            arrays = None if array is None or arrays is None else arrays + array
        elif scalar := _scalar(type):
            stored = _STORED.get(type, type)
            parameters.append(f"global const {stored} *{name}")
            value = _limited(overload, number) or "{}[i]"
            passed.append(f"({type})" * (stored != type) + value.format(name))
            arrays = None if arrays is None else [*arrays, (scalar[0], scalar[1] * ITEMS)]
        elif type == "event_t":
            before.append("event_t event = 0;")
            passed.append("event")
            arrays = None
        else:
            parameters.append(f"{type} {name}")
            passed.append(name)
            arrays = None
    text = f"{overload.name}({', '.join(passed)})"
    result = _scalar(overload.result)
    if overload.result == "event_t":
        text = f"event_t r = {text}; wait_group_events(1, &r)"
    elif result:
        parameters.append(f"global {_STORED.get(overload.result, overload.result)} *out")
        text = f"out[i] = {text}"
        arrays = None if arrays is None else [*arrays, (result[0], result[1] * ITEMS)]
    elif overload.result != "void":
        arrays = None
    body = " ".join([*before, f"{text};"])
    group = "__attribute__((intel_reqd_sub_group_size(8))) " * ("sub_group" in overload.name)
    kernel = f"kernel void k({', '.join(parameters)}) {{ size_t i = get_global_id(0); {body} }}\n"
    return Call(group + kernel, None if arrays is None else tuple(arrays))


def _limited(overload: Overload, number: int) -> str:
    """The form of an argument that the function defines for some values only; empty for others.

    Numbers of lanes and bits are small, those of broadcasts and clusters the same for all.
    """
    name, last = overload.name, number == len(overload.arguments) - 1
    if name.startswith("work_group_broadcast") and number > 0:
        return f"({{}}[0] % get_local_size({number - 1}))"
    if "broadcast" in name and last:
        return "({}[0] % 8)"
    if "clustered" in name and last:
        return "2u"
    is_lane = re.search(r"sub_group_(shuffle|rotate)", name) is not None and last
    is_bit = name.startswith("bitfield_") and number >= len(overload.arguments) - 2
    return "({}[i] % 4)" if is_lane or is_bit else ""


def _pointer(
    type: str, name: str
) -> tuple[list[str], list[str], str, list[tuple[str, int]] | None]:
    """Parameters, statements, the value to pass, and the arrays of a pointer argument."""
    base = type.replace("*", "").strip()
    space = _SPACE.search(base)
    where = space[1] if space else "generic"
    element = re.sub(r"\b(?:__)?(volatile|restrict)\b ?", "", _SPACE.sub("", base)).strip()
    plain = element.removeprefix("const ").strip()
    scalar = _scalar(plain)
    if scalar is None:
        if plain == "event_t":
            return [], [f"event_t {name} = 0;"], f"&{name}", None
        if plain == "void":
            return [], [f"int {name}[4] = {{1, 2, 3, 4}};"], name, None
        return [f"global {plain} *{name}"], [], name, None
    array = [(scalar[0], scalar[1] * _ELEMENTS)]
    if where in ("global", "constant"):
        return [f"{where} {element} *{name}"], [], name, array
    if where == "generic" and plain.startswith("atomic_"):
        return [f"global {plain} *{name}"], [], name, array
    if where == "local":
        # All work-items write the same, and read what they wrote.
        first = f"local {plain} {name}[{_ELEMENTS}];"
        return [], [first], name, None
    copies = (
        f"{plain} {name}[{_ELEMENTS}]; "
        f"for (int j = 0; j < {_ELEMENTS}; j++) {name}[j] = {name}_in[j];"
    )
    return [f"global const {plain} *{name}_in"], [copies], name, array


def values(arrays: Iterable[tuple[str, int]], seed: int) -> list[NDArray[Any]]:
    """Random values: small ones, so that they are indices and shifts, too."""
    random = np.random.default_rng(seed)
    return [
        random.integers(0, 8, count).astype(_SCALARS[scalar])
        if np.dtype(_SCALARS[scalar]).kind != "f"
        else random.uniform(0.25, 2, count).astype(_SCALARS[scalar])
        for scalar, count in arrays
    ]


def verdict(overload: Overload) -> str:
    """`""`, `not run`, or what is wrong."""
    made = call(overload)
    try:
        program = polycl.load(EXTENSIONS + made.text, list(OPTIONS))
        if made.arrays is None:
            ndrange = make_ndrange("k", ITEMS, ITEMS)
            compile_kernel(program.module, "k", ndrange, cpu_pipeline(ndrange, contract=False))
            return "not run"
        kernel = program.kernel("k")
        seed = zlib.crc32(str(overload).encode())
        found = values(made.arrays, seed)
        expected = [array.copy() for array in found]
        cpu = polycl.device("cpu", threads=1, contract=False)
        kernel(*found, global_size=ITEMS, local_size=ITEMS, device=cpu)
        formulas = "inline-functions,expand-math{fused=true}"
        kernel(
            *expected,
            global_size=ITEMS,
            local_size=ITEMS,
            device=polycl.device("interp"),
            pipeline=formulas,
        )
    except polycl.PolyclError as error:
        return re.sub(r"^.*?error: ", "", str(error).partition("\n")[0])
    except Exception as error:  # noqa: BLE001 A traceback is what the tool looks for.
        return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
    pairs = zip(found, expected, strict=True)
    wrong = [difference for left, right in pairs if (difference := compare(left, right))]
    return f"the devices differ: {wrong[0]}" if wrong else ""


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("header", type=Path, metavar="opencl-c.h")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these functions")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--each", type=int, default=1, metavar="N", help="one overload of N")
    args = parser.parse_args(argv)
    chosen = [o for o in overloads(args.header) if not args.names or o.name in args.names]
    chosen = chosen[:: args.each]
    reasons: defaultdict[str, list[Overload]] = defaultdict(list)
    counts: Counter[str] = Counter()
    with ProcessPoolExecutor(args.jobs) as pool:
        for overload, found in zip(chosen, pool.map(verdict, chosen, chunksize=16), strict=True):
            counts[{"": "equal", "not run": "compiled"}.get(found, "failed")] += 1
            if found not in ("", "not run"):
                reasons[found].append(overload)
    for reason, failed in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"{len(failed):>5} {reason}: {failed[0]}")
    print(f"{len({o.name for o in chosen})} functions, {len(chosen)} overloads:", dict(counts))
    sys.exit(bool(reasons))


if __name__ == "__main__":
    main()
