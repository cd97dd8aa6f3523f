"""Vectors of every type and width in private, local and global memory, in random orders.

LLVM's SROA makes registers of such memory. Its rewriting of stores that are not in the order of
their addresses must not reach the code generator, which would abort this process.
"""

from __future__ import annotations

import ctypes
import os
import random
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pytest

import polycl
from math_cases import Array
from polycl.backends.cpu.jit import native_code

FEW = int(os.environ.get("POLYCL_FUZZ_EXAMPLES", "12"))
MANY = 2000
TYPES = {
    "char": np.int8,
    "ushort": np.uint16,
    "int": np.int32,
    "ulong": np.uint64,
    "half": np.float16,
    "float": np.float32,
    "double": np.float64,
}


@dataclass(frozen=True)
class Case:
    """A kernel `k(out, data)` whose work-items permute vectors of `width` elements."""

    text: str
    element: type
    width: int
    items: int


def random_case(number: int) -> Case:
    """Each work-item stores to another slot of local memory, and to private slots in some order,
    which are read one by one, as larger vectors, or by element."""
    choose = random.Random(number)
    name = choose.choice(list(TYPES))
    width = choose.choice([2, 3, 4, 8, 16])
    items = choose.choice([2, 4, 8, 16])
    slots = choose.choice([2, 3, 4, 8])
    vector = f"{name}{width}"
    order = choose.sample(range(slots), slots)
    stores = "\n".join(f"  p[{slot}] = data[s * {slots} + {n}];" for n, slot in enumerate(order))
    larger = choose.choice([w for w in (2, 4, 8, 16) if w <= width * slots])
    vectors = (width if width != 3 else 4) * slots // larger
    reads = [
        "for (int n = 0; n < {slots}; n++) sum += p[n] * ({name})(n + 1);",
        "sum = p[{one}] - p[{other}];",
        "sum = ({vector})(p[{one}].x) + p[{other}].y;",
        "{name}{larger} w = vload{larger}({part}, (private {name} *)p); "
        "sum = ({vector})(w.x) + w.y;",
        "{name}{larger} w = *(private {name}{larger} *)p; sum = p[{one}] + w.y;",
    ]
    # A larger vector would have the undefined fourth elements of vectors of 3.
    read = choose.choice(reads[:3] if width == 3 else reads).format(
        name=name,
        vector=vector,
        slots=slots,
        one=choose.randrange(slots),
        other=choose.randrange(slots),
        larger=larger,
        part=choose.randrange(max(vectors, 1)),
    )
    step, shift = choose.choice([1, 3, 5, 7]), choose.randrange(items)
    text = f"""kernel void k(global {vector} *out, global const {vector} *data) {{
  local {vector} t[{items}];
  {vector} p[{slots}] __attribute__((aligned(128)));
  size_t i = get_local_id(0), s = (i * {step} + {shift}) % {items};
{stores}
  {vector} sum = 0;
  {read}
  t[s] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = t[i] + t[{choose.randrange(items)}];
}}"""
    return Case(text, TYPES[name], (width if width != 3 else 4) * slots, items)


def check(number: int) -> None:
    case = random_case(number)
    data = np.random.default_rng(number).integers(0, 9, case.items * case.width)
    results: list[np.ndarray] = []
    for device in (polycl.device("interp"), polycl.device("cpu", threads=1, contract=False)):
        out = np.zeros(case.items * 16, case.element)
        kernel = polycl.load(case.text, language="cl").kernel("k")
        kernel(
            out,
            data.astype(case.element),
            global_size=case.items,
            local_size=case.items,
            device=device,
        )
        results.append(out)
    np.testing.assert_array_equal(*results, err_msg=case.text)


@pytest.mark.parametrize("number", range(FEW))
def test_vector_memory(number: int) -> None:
    check(number)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(FEW, MANY))
def test_much_vector_memory(number: int) -> None:
    check(number)


def test_stores_in_another_order_than_the_addresses() -> None:
    """LLVM 22.1 aborts here if its tree-structured merge sees the local memory."""
    source = """kernel void k(global char2 *out, global const char2 *data) {
      local char2 t[8];
      size_t i = get_local_id(0), s = (i + 1) % 8;
      t[s] = data[s];
      barrier(CLK_LOCAL_MEM_FENCE);
      out[i] = t[i];
    }"""
    data, out = np.arange(16, dtype=np.int8), np.zeros(16, np.int8)
    polycl.load(source, language="cl").kernel("k")(out, data, global_size=8, local_size=8)
    np.testing.assert_array_equal(out, data)


def test_a_sum_of_vectors_that_were_put_together() -> None:
    """Two passes of LLVM together took x + shuffle(x) for x + x."""
    # As convert-to-llvm writes it: without the marker LLVM's SROA aborts.
    memory = "%{0} = alloca [16 x i8], align 2\ncall void @llvm.lifetime.start.p0(ptr %{0})"
    lines = ["define void @f(ptr noalias %out, ptr noalias %in) {", memory.format("t")]
    for n in range(8):
        lines += [
            f"%from{n} = getelementptr [2 x i8], ptr %in, i64 {n}",
            f"%part{n} = load <2 x i8>, ptr %from{n}, align 1",
            f"%slot{n} = getelementptr [2 x i8], ptr %t, i64 {(n + 6) % 8}",
            f"store <2 x i8> %part{n}, ptr %slot{n}, align 2",
        ]
    lines += [
        "%x = load <16 x i8>, ptr %t, align 2",
        _shuffle("even", 16, "x", "x", range(0, 16, 2)),
        _shuffle("odd", 16, "x", "x", range(1, 16, 2)),
        _shuffle("one", 16, "x", "x", [2 * n + (n + 1) % 2 for n in range(8)]),
        "%a = add <8 x i8> %even, %one",
        "%b = add <8 x i8> %odd, %one",
        _shuffle("sum", 8, "a", "b", [n // 2 + n % 2 * 8 for n in range(16)]),
        memory.format("u"),
        "store <16 x i8> %sum, ptr %u, align 2",
    ]
    for n in range(8):
        lines += [
            f"%of{n} = getelementptr [2 x i8], ptr %u, i64 {n}",
            f"%pair{n} = load <2 x i8>, ptr %of{n}, align 2",
            f"%to{n} = getelementptr [2 x i8], ptr %out, i64 {2 * n}",
            f"store <2 x i8> %pair{n}, ptr %to{n}, align 1",
        ]
    lines += ["ret void", "}", "declare void @llvm.lifetime.start.p0(ptr)"]
    code = native_code("\n".join(lines), ["f"], 3)
    data = np.arange(1, 17, dtype=np.uint8)
    out = np.zeros((8, 4), np.uint8)
    ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(code.addresses["f"])(
        out.ctypes.data, data.ctypes.data
    )
    pairs = np.roll(data.reshape(8, 2), -2, axis=0)
    other = pairs[np.arange(8), (np.arange(8) + 1) % 2]
    np.testing.assert_array_equal(out[:, :2], pairs + other[:, None])


def _shuffle(name: str, width: int, first: str, second: str, places: Iterable[int]) -> str:
    """An instruction that chooses elements of two vectors."""
    mask = ", ".join(f"i32 {place}" for place in places)
    vectors = f"<{width} x i8> %{first}, <{width} x i8> %{second}"
    return f"%{name} = shufflevector {vectors}, <{mask.count('i32')} x i32> <{mask}>"


@pytest.mark.parametrize(("at", "to"), [(1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2)])
@pytest.mark.parametrize("types", [("double", "long"), ("float", "int"), ("long", "double")])
def test_elements_that_move_in_a_vector_of_other_type(
    types: tuple[str, str], at: int, to: int
) -> None:
    """LLVM 22 takes element 0 of a double3 that was a long3 where element 1 moves to place 0."""
    type, other = types
    change = "+ (double3)1" if other == "double" else f"^ ({other}3)4"
    text = f"""kernel void k(global {type} *out, global const {type} *in) {{
  size_t l = get_local_id(0);
  {type}3 p[3];
  for (int n = 0; n < 3; n++) p[n] = vload3(l + n, in);
  {type}3 a = as_{type}3(as_{other}3(p[(l + 7) % 3]) {change});
  a.s{to} = a.s{at};
  vstore3(a, l, out);
}}"""
    dtype = TYPES.get(other, np.int64)
    numbers = np.random.default_rng(1).uniform(1, 99, 30).astype(dtype)
    found: list[Array] = []
    for device in ("interp", "cpu"):
        out = np.zeros(24, dtype)
        views = [a.view(TYPES.get(type, np.int64)) for a in (out, numbers)]
        polycl.load(text).kernel("k")(*views, global_size=8, device=device)
        found.append(out)
    np.testing.assert_array_equal(found[0], found[1])
