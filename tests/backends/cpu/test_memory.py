"""What native code touches in memory: vectors of 3, packed structs, large local memory."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from polycl.backends.device import LocalMemory

Run = Callable[..., None]


@pytest.mark.parametrize("element", ["i8", "i16", "f32", "f64"])
def test_a_store_of_three_elements_leaves_the_fourth(run: Run, element: str):
    dtype = {"i8": "i1", "i16": "i2", "f32": "f4", "f64": "f8"}[element]
    source = np.arange(32).astype(dtype)
    target = np.full(32, 99, dtype)
    text = f"""
    ocl.kernel @k(%a: !ocl.ptr<vector<3x{element}>, global> {{ocl.name = "a"}},
                  %b: !ocl.ptr<vector<3x{element}>, global> {{ocl.name = "b"}}) {{
      %i = ocl.global_id 0 : index
      %v = ocl.load %a[%i] : !ocl.ptr<vector<3x{element}>, global>
      ocl.store %v, %b[%i] : !ocl.ptr<vector<3x{element}>, global>
      ocl.return
    }}"""
    run(text, source, target, global_size=8, local_size=4)
    expected = source.copy()
    expected[3::4] = 99
    assert np.array_equal(target, expected)


def test_vload3_and_vstore3_have_a_stride_of_three_elements(run: Run):
    source = np.arange(24, dtype="i4")
    target = np.full(25, -1, "i4")
    text = """
    ocl.kernel @k(%a: !ocl.ptr<i32, global> {ocl.name = "a"},
                  %b: !ocl.ptr<i32, global> {ocl.name = "b"}) {
      %i = ocl.global_id 0 : index
      %v = ocl.vload %a[%i] : !ocl.ptr<i32, global> -> vector<3xi32>
      ocl.vstore %v, %b[%i] : vector<3xi32>, !ocl.ptr<i32, global>
      ocl.return
    }"""
    run(text, source, target, global_size=8, local_size=8)
    assert np.array_equal(target[:24], source)
    assert target[24] == -1


def test_buffers_need_no_more_alignment_than_numpy_gives(run: Run):
    """A double16 has 128 bytes; numpy aligns its memory to 16, a slice to one element."""
    source = np.arange(65, dtype="f8")[1:]
    target = np.zeros(65, "f8")[1:]
    text = """
    ocl.kernel @k(%a: !ocl.ptr<vector<16xf64>, global> {ocl.name = "a"},
                  %b: !ocl.ptr<vector<16xf64>, global> {ocl.name = "b"}) {
      %i = ocl.global_id 0 : index
      %v = ocl.load %a[%i] : !ocl.ptr<vector<16xf64>, global>
      ocl.store %v, %b[%i] : !ocl.ptr<vector<16xf64>, global>
      ocl.return
    }"""
    run(text, source, target, global_size=4, local_size=2)
    assert np.array_equal(target, source)


def test_packed_structs_and_unions_by_value_and_in_buffers(run: Run):
    record = np.dtype({"names": ["tag", "size", "bits"], "formats": ["i1", "f8", "u4"],
                       "offsets": [0, 1, 9], "itemsize": 13})  # fmt: skip
    data = np.zeros(4, record)
    data["tag"], data["size"], data["bits"] = [1, 2, 3, 4], [1.5, 2.5, 3.5, 4.5], 0x3F800000
    value = data[2:3].tobytes()
    out = np.zeros(4, record)
    union = '!ocl.union<"b", {u: i32, f: f32} packed>'
    struct = f'!ocl.struct<"r", {{tag: i8, size: f64, bits: {union}}} packed>'
    text = f"""
    ocl.kernel @k(%s: {struct} {{ocl.name = "s"}},
                  %a: !ocl.ptr<{struct}, global> {{ocl.name = "a"}},
                  %o: !ocl.ptr<{struct}, global> {{ocl.name = "o"}}) {{
      %i = ocl.global_id 0 : index
      %mine = ocl.load %a[%i] : !ocl.ptr<{struct}, global>
      %x = ocl.extract %mine["size"] : {struct} -> f64
      %y = ocl.extract %s["size"] : {struct} -> f64
      %z = arith.addf %x, %y : f64
      %new = ocl.insert %z, %mine["size"] : f64, {struct}
      ocl.store %new, %o[%i] : !ocl.ptr<{struct}, global>
      ocl.return
    }}"""
    run(text, value, data, out, global_size=4, local_size=2)
    expected = data.copy()
    expected["size"] += 3.5
    assert out.tobytes() == expected.tobytes()


REVERSE = """
ocl.kernel @k(%x: !ocl.ptr<i32, global> {{ocl.name = "x"}}{parameter}) {{
  {allocation}
  %i = ocl.global_id 0 : index
  %l = ocl.local_id 0 : index
  %v = ocl.load %x[%i] : !ocl.ptr<i32, global>
  ocl.store %v, %tile[%l] : !ocl.ptr<i32, local>
  ocl.barrier local
  %c1 = arith.constant 1 : index
  %n = ocl.local_size 0 : index
  %last = arith.subi %n, %c1 : index
  %other = arith.subi %last, %l : index
  %w = ocl.load %tile[%other] : !ocl.ptr<i32, local>
  ocl.store %w, %x[%i] : !ocl.ptr<i32, global>
  ocl.return
}}"""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("elements", [16, 100_000])
def test_local_memory_on_the_stack_and_off_it(run: Run, elements: int, threads: int):
    allocation = (
        f"%t = ocl.local_alloc : !ocl.ptr<!ocl.array<{elements} x i32>, local>\n"
        f"%tile = ocl.cast %t : !ocl.ptr<!ocl.array<{elements} x i32>, local> "
        "to !ocl.ptr<i32, local>"
    )
    x = np.arange(160, dtype="i4")
    text = REVERSE.format(parameter="", allocation=allocation)
    run(text, x, global_size=160, local_size=16, threads=threads)
    assert np.array_equal(x, np.arange(160).reshape(10, 16)[:, ::-1].ravel())


@pytest.mark.parametrize("threads", [1, 2])
def test_local_pointer_parameters_are_memory_of_the_group(run: Run, threads: int):
    parameter = (
        ', %tile: !ocl.ptr<i32, local> {ocl.name = "t"}, '
        '%more: !ocl.ptr<vector<16xf64>, local> {ocl.name = "m"}'
    )
    store = (
        "%z = arith.constant dense<0.0> : vector<16xf64>\n"
        "ocl.store %z, %more : !ocl.ptr<vector<16xf64>, local>"
    )
    x = np.arange(160, dtype="i4")
    text = REVERSE.format(parameter=parameter, allocation=store)
    local = (LocalMemory(64), LocalMemory(128))
    run(text, x, *local, global_size=160, local_size=16, threads=threads)
    assert np.array_equal(x, np.arange(160).reshape(10, 16)[:, ::-1].ravel())


def test_null_pointers(run: Run):
    out = np.zeros(1, "i8")
    text = """
    ocl.kernel @k(%p: !ocl.ptr<f32, global> {ocl.name = "p"},
                  %out: !ocl.ptr<i64, global> {ocl.name = "out"}) {
      %a = ocl.ptr_to_int %p : !ocl.ptr<f32, global>
      %c1 = arith.constant 1 : i64
      %b = arith.addi %a, %c1 : i64
      ocl.store %b, %out : !ocl.ptr<i64, global>
      ocl.return
    }"""
    run(text, None, out)
    assert out[0] == 1
