"""The functions of OpenCL C on all types and widths, in groups of odd size, on both devices.

`function_cases.py` says what a function is, by Python's integers, rational numbers, or numpy's
`longdouble`. By default each function meets one type; `-m slow` runs the others.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycl
from function_cases import (
    FLOATS,
    INTEGERS,
    ROWS,
    TYPES,
    Row,
    as_integer,
    rounded,
    to_integer,
)
from math_cases import Array, floats, ulp_errors
from polycl.frontends.opencl_c.builtins import TABLE

DEVICES = ("interp", "cpu")
WIDTHS = (1, 2, 3, 4, 8, 16)
GROUP, ITEMS = 7, 21
TOTAL = ITEMS * sum(WIDTHS)


def sampled(cases: Iterable[tuple[str, Any]], every: int) -> list[Any]:
    """Parameters with ids, most of them `slow`."""
    return [
        pytest.param(
            case, id=id, marks=[pytest.mark.slow] if zlib.crc32(id.encode()) % every else []
        )
        for id, case in cases
    ]


def run(source: str, outputs: list[Array], *inputs: Array) -> list[list[Array]]:
    """What a kernel `k` writes on each device."""
    kernel = polycl.load(source, options=["-cl-std=CL3.0"]).kernel("k")
    found: list[list[Array]] = []
    for device in DEVICES:
        results = [array.copy() for array in outputs]
        kernel(*inputs, *results, global_size=ITEMS, local_size=GROUP, device=device)
        found.append(results)
    return found


def numbers(type: str, count: int, seed: int) -> Array:
    """Values at the edges of a type, and random ones."""
    random = np.random.default_rng(seed)
    dtype = np.dtype(TYPES[type])
    if dtype.kind == "f":
        return random.choice(floats(dtype.type, 6 * count, seed), count)
    info = np.iinfo(dtype)
    edges = [0, 1, 2, 3, 7, 8, 9, 31, 100, info.max, info.min, info.max - 1, info.max // 3]
    edges += [-1 & info.max, info.min + 1]
    wide = random.integers(info.min, info.max, count, dtype, endpoint=True)
    return np.where(random.random(count) < 0.5, random.choice(np.array(edges, dtype), count), wide)


def kernel_text(parameters: list[str], lines: list[str]) -> str:
    """The kernel `k`; `i` is the work-item and `l` its number in its group."""
    body = "\n  ".join(["size_t i = get_global_id(0), l = get_local_id(0);", *lines])
    return f"kernel void k({', '.join(parameters)}) {{\n  {body}\n}}\n"


# Element by element


def type_of(type: str, letter: str) -> str:
    """The type of an element."""
    if letter in "TE":
        return type
    return "int" if letter in "Ii" else as_integer(type, letter)


def load(name: str, letter: str, width: int, offset: int) -> str:
    if width == 1:
        return f"{name}[{offset} + i]"
    if letter in "Ei":
        return f"{name}[{offset} + i * {width}]"
    return f"vload{width}(i, {name} + {offset})"


def element_source(row: Row, type: str) -> str:
    parameters = [f"global const {type_of(type, s)} *a{n}" for n, s in enumerate(row.arguments)]
    parameters += [f"global {type_of(type, s)} *r{n}" for n, s in enumerate(row.results)]
    lines: list[str] = []
    offset = 0
    for width in WIDTHS:
        suffix = "" if width == 1 else str(width)
        values = [load(f"a{n}", s, width, offset) for n, s in enumerate(row.arguments)]
        values += [f"&p{n}" for n in range(1, len(row.results))]
        private = [f"{type_of(type, s)}{suffix} p{n};" for n, s in enumerate(row.results) if n > 0]
        call = f"{row.name}({', '.join(values)})"
        first = type_of(type, row.results[0])
        stores = [f"{first}{suffix} p0 = {call};"]
        for n in range(len(row.results)):
            at = f"r{n} + {offset}"
            stores.append(f"({at})[i] = p{n};" if width == 1 else f"vstore{width}(p{n}, i, {at});")
        lines.append("{ " + " ".join([*private, *stores]) + " }")
        offset += ITEMS * width
    return kernel_text(parameters, lines)


def split(row: Row, arrays: list[Array]) -> Iterable[list[Array]]:
    """The arguments of each width, in rows of work-items."""
    offset = 0
    for width in WIDTHS:
        size = ITEMS * width
        parts = [array[offset : offset + size].reshape(ITEMS, width) for array in arrays]
        yield [p[:, :1] if s in "Ei" else p for p, s in zip(parts, row.arguments, strict=True)]
        offset += size


def check_elements(row: Row, got: Array, wanted: Array, arguments: list[Array]) -> None:
    """One result of one width."""
    if got.dtype.kind != "f":
        mask = (1 << 8 * got.itemsize) - 1
        pairs = zip(got.ravel().tolist(), wanted.ravel().tolist(), strict=True)
        equal = np.array([(int(a) - int(b)) & mask == 0 for a, b in pairs]).reshape(got.shape)
    elif row.ulp:
        equal = ulp_errors(got, wanted) <= row.ulp
    else:
        wanted = wanted.astype(got.dtype)
        equal = (got == wanted) & ((np.signbit(got) == np.signbit(wanted)) | (not row.signed_zeros))
        equal |= (got != got) & (wanted != wanted)
    for item, lane in np.argwhere(~equal)[:1]:
        of = [a[item, min(lane, a.shape[1] - 1)] for a in arguments]
        pytest.fail(
            f"{row.name} of {of}, width {got.shape[1]}: "
            f"expected {wanted[item, lane]!r}, got {got[item, lane]!r}"
        )


ELEMENT_CASES = [(f"{row.name}-{row.signature}-{t}", (row, t)) for row in ROWS for t in row.types]


def arguments_and_wanted(row: Row, type: str) -> tuple[list[Array], list[list[Array]], list[Any]]:
    """The arguments of a kernel, those of each width, and what the row's reference gives."""
    arrays = [numbers(type_of(type, s), TOTAL, n + 1) for n, s in enumerate(row.arguments)]
    with np.errstate(all="ignore"):
        widths = [list(row.inputs(*parts)) for parts in split(row, arrays)]
        for index, array in enumerate(arrays):
            # Arguments that are the same for all elements stay where they are read.
            parts = [
                np.broadcast_to(w[index], (ITEMS, width)).ravel()
                for w, width in zip(widths, WIDTHS, strict=True)
            ]
            arrays[index] = np.concatenate(parts).astype(array.dtype)
        return arrays, widths, [row.reference(*parts) for parts in widths]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.name}-{row.signature}")
def test_references_take_all_types_and_widths(row: Row) -> None:
    for type in row.types:
        _, _, wanted = arguments_and_wanted(row, type)
        for want, width in zip(wanted, WIDTHS, strict=True):
            for reference in want if isinstance(want, tuple) else (want,):
                assert np.broadcast_shapes(reference.shape, (ITEMS, width)) == (ITEMS, width)


@pytest.mark.parametrize("case", sampled(ELEMENT_CASES, 24))
def test_elements(case: tuple[Row, str]) -> None:
    row, type = case
    arrays, widths, wanted = arguments_and_wanted(row, type)
    outputs = [np.zeros(TOTAL, TYPES[type_of(type, s)]) for s in row.results]
    for results in run(element_source(row, type), outputs, *arrays):
        offset = 0
        for parts, want, width in zip(widths, wanted, WIDTHS, strict=True):
            size = ITEMS * width
            wants = want if isinstance(want, tuple) else (want,)
            for result, reference in zip(results, wants, strict=True):
                got = result[offset : offset + size].reshape(ITEMS, width)
                check_elements(row, got, np.broadcast_to(reference, got.shape), parts)
            offset += size


# Elements together

GEOMETRIC = {
    "dot": ("VV>E", lambda a, b: (a * b).sum(1)),
    "length": ("V>E", lambda a: np.sqrt((a * a).sum(1))),
    "distance": ("VV>E", lambda a, b: np.sqrt(((a - b) ** 2).sum(1))),
    "normalize": ("V>V", lambda a: a / np.sqrt((a * a).sum(1))[:, None]),
    "cross": ("VV>V", lambda a, b: np.cross(a[:, :3], b[:, :3])),
    "mix": ("VVV>V", lambda a, b, c: a + (b - a) * c),
    "mad": ("VVV>V", lambda a, b, c: a * b + c),
}
"""The reference in `longdouble`. Numbers are of one size: the error is at most one of them."""
FAST = ("fast_length", "fast_distance", "fast_normalize")
GEOMETRIC |= {name: GEOMETRIC[name.removeprefix("fast_")] for name in FAST}
GEOMETRIC_CASES = [
    (f"{name}-{type}", (name, type))
    for name in GEOMETRIC
    for type in (("float",) if name in FAST else FLOATS)
]


@pytest.mark.parametrize("case", sampled(GEOMETRIC_CASES, 4))
def test_geometric(case: tuple[str, str]) -> None:
    name, type = case
    signature, reference = GEOMETRIC[name]
    random = np.random.default_rng(3)
    inputs = signature.partition(">")[0]
    arrays = [random.uniform(0.5, 2, (ITEMS, 16)).astype(TYPES[type]) for _ in inputs]
    arrays = [a * random.choice([-1, 1], a.shape).astype(a.dtype) for a in arrays]
    if name in ("mix", "mad"):
        widths = WIDTHS
    else:
        widths = (3, 4) if name == "cross" else (1, 2, 3, 4)
    lines: list[str] = []
    for row, width in enumerate(widths):
        vector = "" if width == 1 else str(width)
        load = "a{0}[16 * i]" if width == 1 else f"vload{width}(0, a{{0}} + 16 * i)"
        names = ", ".join(load.format(n) for n in range(len(inputs)))
        result = vector if signature[-1] == "V" else ""
        at = f"r + {row * ITEMS * 16} + 16 * i"
        store = f"vstore{result}(x, 0, {at})" if result else f"*({at}) = x"
        lines.append(f"{{ {type}{result} x = {name}({names}); {store}; }}")
    parameters = [f"global const {type} *a{n}" for n in range(len(inputs))]
    source = kernel_text([*parameters, f"global {type} *r"], lines)
    out = np.zeros((len(widths), ITEMS, 16), TYPES[type])
    for (got,) in run(source, [out], *arrays):
        for row, width in enumerate(widths):
            want = reference(*(a[:, :width].astype(np.longdouble) for a in arrays))
            want = want.reshape(ITEMS, -1)
            found = got[row, :, : want.shape[1]].astype(np.longdouble)
            largest = 4 * width * np.finfo(out.dtype).eps * np.maximum(np.abs(want), 4)
            assert (np.abs(found - want) <= largest).all(), (width, found, want)


@pytest.mark.parametrize("type", [t for t in INTEGERS if t[0] != "u"])
def test_any_and_all(type: str) -> None:
    random = np.random.default_rng(4)
    values = random.integers(-127, 1, (ITEMS, 16)).astype(TYPES[type])
    values[random.random((ITEMS, 16)) < 0.2] = 127
    values[::2] = np.abs(values[::2])
    values[1::4] = -5
    loads = {w: "a[16 * i]" if w == 1 else f"vload{w}(0, a + 16 * i)" for w in WIDTHS}
    lines = [
        f"r[{2 * n + m} * {ITEMS} + i] = {name}({loads[w]});"
        for n, w in enumerate(WIDTHS)
        for m, name in enumerate(("any", "all"))
    ]
    source = kernel_text([f"global const {type} *a", "global int *r"], lines)
    for (got,) in run(source, [np.zeros((2 * len(WIDTHS), ITEMS), np.int32)], values):
        for n, w in enumerate(WIDTHS):
            np.testing.assert_array_equal(got[2 * n], (values[:, :w] < 0).any(1))
            np.testing.assert_array_equal(got[2 * n + 1], (values[:, :w] < 0).all(1))


# Conversions

MODES = ("", "_rte", "_rtz", "_rtp", "_rtn")


def converted(value: Any, target: str, saturate: bool, mode: str) -> Any:
    """What `convert_` is, or None where it is undefined."""
    dtype = np.dtype(TYPES[target])
    if dtype.kind == "f":
        if not np.isfinite(value):
            return dtype.type(value)
        result = rounded(Fraction(value.item()), dtype.type, mode.lstrip("_") or "rte")
        return -result if value == 0 and np.signbit(np.float64(value)) else result
    info = np.iinfo(dtype)
    if np.isnan(np.float64(value)):
        return 0 if saturate else None
    if np.isinf(np.float64(value)):
        return None if not saturate else info.max if value > 0 else info.min
    whole = to_integer(Fraction(value.item()), mode.lstrip("_") or "rtz")
    if saturate:
        return min(max(whole, info.min), info.max)
    if value.dtype.kind == "f":
        return whole if info.min <= whole <= info.max else None
    return (whole - info.min) % (1 << info.bits) + info.min


@pytest.mark.parametrize("case", sampled(((f"{s}-{t}", (s, t)) for s in TYPES for t in TYPES), 20))
def test_convert(case: tuple[str, str]) -> None:
    source_type, target = case
    values = numbers(source_type, TOTAL, 9)
    forms = [(False, m) for m in MODES]
    if target in INTEGERS:
        forms += [(True, m) for m in MODES]
    lines: list[str] = []
    for n, (saturate, mode) in enumerate(forms):
        offset = 0
        for w in WIDTHS:
            name = f"convert_{target}{'' if w == 1 else w}{'_sat' * saturate}{mode}"
            value = f"{name}({load('a', 'T', w, offset)})"
            at = f"r + {n * TOTAL + offset}"
            lines.append(f"({at})[i] = {value};" if w == 1 else f"vstore{w}({value}, i, {at});")
            offset += ITEMS * w
    source = kernel_text([f"global const {source_type} *a", f"global {target} *r"], lines)
    out = np.zeros((len(forms), TOTAL), TYPES[target])
    for (got,) in run(source, [out], values):
        for (saturate, mode), row in zip(forms, got, strict=True):
            for value, result in zip(values, row, strict=True):
                want = converted(value, target, saturate, mode)
                same = want is None or want == result or (want != want and result != result)
                if not same or (
                    want is not None
                    and out.dtype.kind == "f"
                    and np.signbit(want) != np.signbit(result)
                    and want == want
                ):
                    pytest.fail(
                        f"convert_{target}{'_sat' * saturate}{mode} of {value!r}: "
                        f"expected {want!r}, got {result!r}"
                    )


# Memory


@pytest.mark.parametrize("type", sampled(((t, t) for t in TYPES), 3))
def test_vector_memory_functions(type: str) -> None:
    """`vload` and `vstore` in each address space, asynchronous copies, and shuffles."""
    dtype = np.dtype(TYPES[type])
    mask = as_integer(type, "U")
    source = f"local {type} t[{GROUP * 16}] __attribute__((aligned(128)));\n  {type} p[18];"
    source += "\n  size_t g = get_group_id(0);"
    for n, w in enumerate(WIDTHS[1:]):
        at = [f"r + {(4 * n + m) * ITEMS * 16}" for m in range(4)]
        # Reversed in the group, one element off in private memory.
        source += f"""
  vstore{w}(vload{w}(i, a), l, t);
  barrier(CLK_LOCAL_MEM_FENCE);
  vstore{w}(vload{w}({GROUP} - 1 - l, t), 0, p + 1);
  vstore{w}(vload{w}(0, p + 1), i, {at[0]});
  barrier(CLK_LOCAL_MEM_FENCE);"""
        if w == 3:
            source += f"""
  event_t e3 = async_work_group_strided_copy(t, a + g * {GROUP * 3}, {GROUP}, 3, 0);
  wait_group_events(1, &e3);
  ({at[1]})[i] = t[l];"""
        else:
            source += f"""
  event_t e{w} = async_work_group_copy(
      (local {type}{w} *)t, (global const {type}{w} *)a + g * {GROUP}, {GROUP}, 0);
  wait_group_events(1, &e{w});
  vstore{w}(((local {type}{w} *)t)[l], i, {at[1]});
  vstore{w}(shuffle(vload{w}(i, a), vload{w}(i, m)), i, {at[2]});
  vstore{w}(shuffle2(vload{w}(i, a), vload{w}(i + 1, a), vload{w}(i, m)), i, {at[3]});"""
        source += f"\n  prefetch(a + i, {w});\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
    pointers = [f"global const {type} *a", f"global const {mask} *m", f"global {type} *r"]
    source = kernel_text(pointers, [source])
    random = np.random.default_rng(8)
    bits = random.integers(0, 100, (ITEMS + 1) * 16)
    values = bits.astype(dtype)
    masks = numbers(mask, (ITEMS + 1) * 16, 6)
    out = np.zeros((5, 4, ITEMS * 16), dtype)
    for (got,) in run(source, [out], values, masks):
        for n, w in enumerate(WIDTHS[1:]):
            rows = values[: ITEMS * w].reshape(ITEMS, w)
            backwards = rows.reshape(-1, GROUP, w)[:, ::-1].ravel()
            np.testing.assert_array_equal(got[n, 0, : ITEMS * w], backwards, f"vload{w}")
            if w == 3:
                strided = values[: ITEMS * 3].reshape(-1, GROUP * 3)[:, ::3].ravel()
                np.testing.assert_array_equal(got[n, 1, :ITEMS], strided)
                continue
            np.testing.assert_array_equal(got[n, 1, : ITEMS * w], rows.ravel(), f"copy {w}")
            both = values[: (ITEMS + 1) * w].reshape(-1, w)
            both = np.concatenate([both[:-1], both[1:]], axis=1)
            lanes = masks[: ITEMS * w].reshape(ITEMS, w)
            one = np.take_along_axis(rows, (lanes % w).astype(int), 1)
            two = np.take_along_axis(both, (lanes % (2 * w)).astype(int), 1)
            np.testing.assert_array_equal(got[n, 2, : ITEMS * w], one.ravel(), f"shuffle {w}")
            np.testing.assert_array_equal(got[n, 3, : ITEMS * w], two.ravel(), f"shuffle2 {w}")


@pytest.mark.parametrize("type", ["float", "double"])
def test_halves_in_memory(type: str) -> None:
    """`vload_half`, `vloada_half`, and each rounding of `vstore_half` and `vstorea_half`."""
    values = numbers(type, ITEMS * 16, 5)
    lines: list[str] = []
    names: list[tuple[int, str, bool]] = []
    for w in WIDTHS:
        v = "" if w == 1 else str(w)
        value = load("a", "T", w, 0)
        for a in ("", "a") if w > 1 else ("",):
            for mode in MODES:
                at = f"(r + {len(names)} * {ITEMS} * 16)"
                lines.append(f"vstore{a}_half{v}{mode}({value}, i, {at});")
                names.append((w, mode, bool(a)))
    for n, w in enumerate(WIDTHS):
        v = "" if w == 1 else str(w)
        # What this work-item stored before.
        at = f"(r + {names.index((w, '', False))} * {ITEMS} * 16)"
        loads = [f"vload_half{v}(i, {at})"]
        if w > 1:
            aligned = f"(r + {names.index((w, '', True))} * {ITEMS} * 16)"
            loads.append(f"vloada_half{v}(i, {aligned})")
        for m, value in enumerate(loads):
            to = f"f + {2 * n + m} * {ITEMS} * 16"
            lines.append(f"({to})[i] = {value};" if w == 1 else f"vstore{w}({value}, i, {to});")
    parameters = [f"global const {type} *a", "global half *r", "global float *f"]
    source = kernel_text(parameters, lines)
    halves = np.zeros((len(names), ITEMS * 16), np.float16)
    wide = np.zeros((2 * len(WIDTHS), ITEMS * 16), np.float32)
    for got, back in run(source, [halves, wide], values):
        for (w, mode, aligned), row in zip(names, got, strict=True):
            step = 4 if w == 3 and aligned else w
            found = row[: ITEMS * step].reshape(ITEMS, step)[:, :w].ravel()
            want = np.array([converted(x, "half", False, mode) for x in values[: ITEMS * w]])
            np.testing.assert_array_equal(found, want, f"vstore_half{w}{mode} {aligned}")
        for n, w in enumerate(WIDTHS):
            want = np.array([converted(x, "half", False, "") for x in values[: ITEMS * w]])
            for m in range(2 if w > 1 else 1):
                np.testing.assert_array_equal(back[2 * n + m, : ITEMS * w], want.astype("f4"))


# Atomics of OpenCL C 1.x


@pytest.mark.parametrize(
    ("prefix", "type"),
    [
        *(("atomic", type) for type in ("int", "uint")),
        *(("atom", type) for type in ("int", "uint", "long", "ulong")),
    ],
)
def test_old_atomics(prefix: str, type: str) -> None:
    names = {
        "add": lambda x, y: x + y,
        "sub": lambda x, y: x - y,
        "and": lambda x, y: x & y,
        "or": lambda x, y: x | y,
        "xor": lambda x, y: x ^ y,
        "min": np.minimum,
        "max": np.maximum,
        "xchg": lambda x, y: y,
        "inc": lambda x, y: x + 1,
        "dec": lambda x, y: x - 1,
        "cmpxchg": lambda x, y: np.where(x == y, x + 7, x),
    }
    lines = [f"local {type} t[{GROUP}];"]
    for n, name in enumerate(names):
        more = {"inc": "", "dec": "", "cmpxchg": ", b[i], a[i] + 7"}.get(name, ", b[i]")
        for m, cell in enumerate((f"now[{2 * n * ITEMS} + i]", "t[l]")):
            at = (2 * n + m) * ITEMS
            lines.append(f"{cell} = a[i];")
            lines.append(f"old[{at} + i] = {prefix}_{name}(&{cell}{more});")
            lines.append(f"now[{at} + i] = {cell};" if m else "")
    parameters = [f"global const {type} *{name}" for name in "ab"]
    parameters += [f"global {type} *{name}" for name in ("old", "now")]
    source = kernel_text(parameters, lines)
    a, b = numbers(type, ITEMS, 1), numbers(type, ITEMS, 2)
    b[::3] = a[::3]
    empty = np.zeros((2 * len(names), ITEMS), TYPES[type])
    with np.errstate(over="ignore"):
        wanted = [function(a, b) for function in names.values() for _ in range(2)]
    for old, now in run(source, [empty, empty], a, b):
        np.testing.assert_array_equal(old, np.tile(a, (len(old), 1)))
        np.testing.assert_array_equal(now, wanted)


# Nothing is left out

ELSEWHERE = {
    "test_collectives.py": (
        r"(intel_)?sub_group_|work_group_(?!barrier)|get_(max_|enqueued_)?(num_)?sub_group"
    ),
    "test_index_spaces.py": r"get_(global|local|group|num_groups|work_dim|enqueued_local)",
    "test_integer_extensions.py": r"bitfield_|dot_(acc_sat|4x8)",
    "test_c11_atomics.py": r"atomic_(fetch|exchange|load|store|compare|flag|init|work_item)",
    "test_images.py": r"(read|write)_image|get_image",
    "test_image_kinds.py": r"(read|write)_image",
    "frontends/test_generic_pointers.py": r"to_(global|local|private)|get_fence",
    "frontends/test_compiler_builtins.py": r"__builtin_",
    "test_pipes.py": r"(work_group_|sub_group_)?(reserve|commit)_(read|write)_pipe|"
    r"(read|write)_pipe|get_pipe|is_valid_reserve_id|__polycl_pipe",
    "backends/test_printf.py": r"printf",
    "backends/interp/test_barrier.py": r"(work_group_)?barrier|mem_fence|(read|write)_mem_fence",
}
"""Files of tests, and the functions that these compare."""
HERE = (
    r"prefetch$|convert_|(any|all)$|v(load|store)a?_half|v(load|store)\d|async_work_group|wait_group_events|"
    r"shuffle2?$|atom(ic)?_(add|sub|and|or|xor|min|max|xchg|inc|dec|cmpxchg)$"
)


def test_every_function_has_a_family() -> None:
    own = {row.name for row in ROWS} | set(GEOMETRIC)
    patterns = [*ELSEWHERE.values(), HERE]
    missing = [
        name
        for name in TABLE
        if name not in own and not any(re.match(pattern, name) for pattern in patterns)
    ]
    assert not missing, "give these a row in function_cases.py, or a test in HERE or ELSEWHERE"
    for file, pattern in ELSEWHERE.items():
        text = (Path(__file__).parent / file).read_text(encoding="utf-8")
        assert re.search(pattern, text), f"{file} does not test {pattern}"
    assert own <= set(TABLE)
