"""Memory on the interpreter: layout, address arithmetic, and every way to miss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polycl.backends.device import LocalMemory
from polycl.backends.interp.buffers import NOWHERE, PAGE, AddressMap, Buffer
from polycl.dialects.ocl import AddressSpace
from polycl.errors import LaunchError

Interpret = Callable[..., None]


def _kernel(parameters: str, body: str) -> str:
    return f"ocl.kernel @k({parameters}) {{\n{body}\n  ocl.return\n}}"


_X = '%x: !ocl.ptr<i32, global> {ocl.name = "x"}'


def _fails(interpret: Interpret, text: str, *args: Any, **sizes: Any) -> str:
    with pytest.raises(LaunchError) as caught:
        interpret(text, *args, **sizes)
    return str(caught.value)


def test_read_out_of_bounds(interpret: Interpret) -> None:
    text = _kernel(
        _X, "  %i = ocl.global_id 0 : index\n  %v = ocl.load %x[%i] : !ocl.ptr<i32, global>"
    )
    message = _fails(interpret, text, np.zeros(6, "i4"), global_size=8, local_size=4)
    assert message == (
        "k.mlir:3:3: error: read of 4 bytes at byte offset 24 is out of bounds: parameter 'x' "
        "has 24 bytes; in the work-item with global id (6, 0, 0), local id (2, 0, 0) in "
        "work-group (1, 0, 0)"
    )


def test_write_before_the_start(interpret: Interpret) -> None:
    body = """
  %i = arith.constant -1 : index
  %v = arith.constant 1 : i32
  ocl.store %v, %x[%i] : !ocl.ptr<i32, global>"""
    message = _fails(interpret, _kernel(_X, body), np.zeros(4, "i4"))
    assert "write of 4 bytes at byte offset -4 is out of bounds: parameter 'x'" in message


def test_last_element_of_a_vector_load_counts(interpret: Interpret) -> None:
    body = """
  %i = arith.constant 1 : index
  %v = ocl.vload %x[%i] : !ocl.ptr<i32, global> -> vector<4xi32>"""
    assert "read of 16 bytes" in _fails(interpret, _kernel(_X, body), np.zeros(7, "i4"))
    interpret(_kernel(_X, body), np.zeros(8, "i4"))


def test_null_pointer(interpret: Interpret) -> None:
    text = _kernel(_X, "  %v = ocl.load %x : !ocl.ptr<i32, global>")
    assert "read of 4 bytes through a null pointer" in _fails(interpret, text, None)


def test_address_from_an_integer_that_is_none(interpret: Interpret) -> None:
    body = """
  %a = arith.constant 12 : i64
  %p = ocl.int_to_ptr %a : !ocl.ptr<i32, global>
  %v = ocl.load %p : !ocl.ptr<i32, global>"""
    message = _fails(interpret, _kernel(_X, body), np.zeros(1, "i4"))
    assert "at address 0xc, where there is no memory" in message


def test_misaligned(interpret: Interpret) -> None:
    body = """
  %b = ocl.cast %x : !ocl.ptr<i32, global> to !ocl.ptr<i8, global>
  %i = arith.constant 2 : index
  %c = ocl.offset %b[%i] : !ocl.ptr<i8, global>
  %d = ocl.cast %c : !ocl.ptr<i8, global> to !ocl.ptr<i32, global>
  %v = ocl.load %d : !ocl.ptr<i32, global>"""
    message = _fails(interpret, _kernel(_X, body), np.zeros(4, "i4"))
    assert "at byte offset 2 of parameter 'x' is misaligned; expected a multiple of 4" in message


_STORE = "  %v = arith.constant 1 : i32\n  ocl.store %v, %x : !ocl.ptr<i32, global>"


def test_read_only_array(interpret: Interpret) -> None:
    array = np.zeros(1, "i4")
    array.flags.writeable = False
    message = _fails(interpret, _kernel(_X, _STORE), array)
    assert "write of 4 bytes to parameter 'x', but the array passed for it is read-only" in message
    assert array[0] == 0


def test_constant_memory_through_an_integer(interpret: Interpret) -> None:
    body = """
  %a = ocl.ptr_to_int %c : !ocl.ptr<i32, constant>
  %x = ocl.int_to_ptr %a : !ocl.ptr<i32, global>
"""
    text = _kernel('%c: !ocl.ptr<i32, constant> {ocl.name = "c"}', body + _STORE)
    message = _fails(interpret, text, np.zeros(1, "i4"))
    assert "to parameter 'c', but constant memory is read-only" in message


def test_private_memory_names_its_allocation(interpret: Interpret) -> None:
    body = """
  %p = ocl.alloca : !ocl.ptr<!ocl.array<4 x i32>, private>
  %q = ocl.cast %p : !ocl.ptr<!ocl.array<4 x i32>, private> to !ocl.ptr<i32, private>
  %i = arith.constant 4 : index
  %v = ocl.load %q[%i] : !ocl.ptr<i32, private>"""
    message = _fails(interpret, _kernel(_X, body), np.zeros(1, "i4"))
    assert message.startswith("k.mlir:6:3: error: ")
    assert "the private memory allocated at k.mlir:3:3 has 16 bytes" in message


def test_private_memory_is_new_for_each_work_item(interpret: Interpret) -> None:
    body = """
  %i = ocl.global_id 0 : index
  %p = ocl.alloca : !ocl.ptr<i32, private>
  %old = ocl.load %p : !ocl.ptr<i32, private>
  %one = arith.constant 1 : i32
  %new = arith.addi %old, %one : i32
  ocl.store %new, %p : !ocl.ptr<i32, private>
  %r = ocl.load %p : !ocl.ptr<i32, private>
  ocl.store %r, %x[%i] : !ocl.ptr<i32, global>"""
    x = np.zeros(4, "i4")
    interpret(_kernel(_X, body), x, global_size=4, local_size=2)
    assert x.tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize("as_parameter", [False, True])
def test_local_memory_is_shared_and_new_for_each_group(
    interpret: Interpret, as_parameter: bool
) -> None:
    declaration = "" if as_parameter else "  %t = ocl.local_alloc : !ocl.ptr<i32, local>"
    parameters = _X + (', %t: !ocl.ptr<i32, local> {ocl.name = "t"}' if as_parameter else "")
    body = """
  %i = ocl.global_id 0 : index
  %one = arith.constant 1 : i32
  %old = ocl.atomic_rmw add %t, %one : !ocl.ptr<i32, local>
  ocl.store %old, %x[%i] : !ocl.ptr<i32, global>"""
    x = np.zeros(6, "i4")
    args = (x, LocalMemory(4)) if as_parameter else (x,)
    interpret(_kernel(parameters, declaration + body), *args, global_size=6, local_size=3)
    assert x.tolist() == [0, 1, 2, 0, 1, 2]


def test_address_arithmetic_and_pointer_difference(interpret: Interpret) -> None:
    body = """
  %three = arith.constant 3 : index
  %p = ocl.offset %x[%three] : !ocl.ptr<i32, global>
  %minus = arith.constant -2 : index
  %q = ocl.offset %p[%minus] : !ocl.ptr<i32, global>
  %a = ocl.ptr_to_int %q : !ocl.ptr<i32, global>
  %b = ocl.ptr_to_int %x : !ocl.ptr<i32, global>
  %d = arith.subi %a, %b : i64
  %r = arith.trunci %d : i64 to i32
  %back = ocl.int_to_ptr %a : !ocl.ptr<i32, global>
  ocl.store %r, %back : !ocl.ptr<i32, global>"""
    x = np.zeros(4, "i4")
    interpret(_kernel(_X, body), x)
    assert x.tolist() == [0, 4, 0, 0]


def test_pointers_are_storable(interpret: Interpret) -> None:
    body = """
  %s = ocl.alloca : !ocl.ptr<!ocl.ptr<i32, global>, private>
  ocl.store %x, %s : !ocl.ptr<!ocl.ptr<i32, global>, private>
  %n = ocl.alloca : !ocl.ptr<!ocl.ptr<i32, private>, private>
  %p = ocl.load %n : !ocl.ptr<!ocl.ptr<i32, private>, private>
  %a = ocl.ptr_to_int %p : !ocl.ptr<i32, private>
  %r = arith.trunci %a : i64 to i32
  %q = ocl.load %s : !ocl.ptr<!ocl.ptr<i32, global>, private>
  ocl.store %r, %q : !ocl.ptr<i32, global>"""
    x = np.ones(1, "i4")
    interpret(_kernel(_X, body), x)
    assert x.tolist() == [0]


_BODY_T = '!ocl.struct<"body", {pos: vector<4xf32>, id: i32, tag: i8}>'


def test_struct_by_value_and_in_memory(interpret: Interpret) -> None:
    dtype = np.dtype(
        {"names": ["pos", "id", "tag"], "formats": [("f4", (4,)), "i4", "i1"],
         "offsets": [0, 16, 20], "itemsize": 32}
    )  # fmt: skip
    body = f"""
  %one = arith.constant 1 : index
  %id = ocl.extract %s["id"] : {_BODY_T} -> i32
  %two = arith.constant 2 : i32
  %twice = arith.muli %id, %two : i32
  %t = ocl.insert %twice, %s["id"] : i32, {_BODY_T}
  ocl.store %t, %p[%one] : !ocl.ptr<{_BODY_T}, global>
  %q = ocl.member %p["tag"] : !ocl.ptr<{_BODY_T}, global> -> !ocl.ptr<i8, global>
  %seven = arith.constant 7 : i8
  ocl.store %seven, %q : !ocl.ptr<i8, global>"""
    parameters = (
        f'%p: !ocl.ptr<{_BODY_T}, global> {{ocl.name = "p"}}, %s: {_BODY_T} {{ocl.name = "s"}}'
    )
    value = np.zeros(1, dtype)
    value["pos"], value["id"], value["tag"] = (1, 2, 3, 4), 21, -1
    bodies = np.zeros(2, dtype)
    interpret(_kernel(parameters, body), bodies, value.tobytes())
    assert bodies["id"].tolist() == [0, 42]
    assert bodies["tag"].tolist() == [7, -1]
    assert bodies["pos"][1].tolist() == [1, 2, 3, 4]


def test_union_shares_its_bytes(interpret: Interpret) -> None:
    union = '!ocl.union<"bits", {f: f32, u: i32}>'
    body = f"""
  %m = ocl.alloca : !ocl.ptr<{union}, private>
  %f = ocl.member %m["f"] : !ocl.ptr<{union}, private> -> !ocl.ptr<f32, private>
  %u = ocl.member %m["u"] : !ocl.ptr<{union}, private> -> !ocl.ptr<i32, private>
  %one = arith.constant 1.0 : f32
  ocl.store %one, %f : !ocl.ptr<f32, private>
  %r = ocl.load %u : !ocl.ptr<i32, private>
  ocl.store %r, %x : !ocl.ptr<i32, global>"""
    x = np.zeros(1, "i4")
    interpret(_kernel(_X, body), x)
    assert x[0] == 0x3F800000


def test_vectors_of_three_take_four_places_but_vload3_three(interpret: Interpret) -> None:
    body = """
  %one = arith.constant 1 : index
  %p = ocl.cast %x : !ocl.ptr<i32, global> to !ocl.ptr<vector<3xi32>, global>
  %v = ocl.load %p[%one] : !ocl.ptr<vector<3xi32>, global>
  %w = ocl.vload %x[%one] : !ocl.ptr<i32, global> -> vector<3xi32>
  %s = arith.muli %v, %w : vector<3xi32>
  ocl.store %s, %p : !ocl.ptr<vector<3xi32>, global>"""
    x = np.arange(8, dtype="i4")
    interpret(_kernel(_X, body), x)
    assert x.tolist() == [4 * 3, 5 * 4, 6 * 5, 3, 4, 5, 6, 7]


def test_program_scope_constants(interpret: Interpret) -> None:
    table = '!ocl.array<2 x !ocl.struct<"p", {a: i8, v: vector<2xi32>}>>'
    struct = '!ocl.struct<"p", {a: i8, v: vector<2xi32>}>'
    text = (
        f"ocl.constant @t : {table} = "
        "[[1 : i8, [2 : i32, -3 : i32]], [4 : i8, [5 : i32, 6 : i32]]]\n"
    )
    body = f"""
  %c = ocl.address_of @t : !ocl.ptr<{table}, constant>
  %p = ocl.cast %c : !ocl.ptr<{table}, constant> to !ocl.ptr<{struct}, constant>
  %i = ocl.global_id 0 : index
  %s = ocl.load %p[%i] : !ocl.ptr<{struct}, constant>
  %v = ocl.extract %s["v"] : {struct} -> vector<2xi32>
  %e = vector.extract %v[1] : i32 from vector<2xi32>
  ocl.store %e, %x[%i] : !ocl.ptr<i32, global>"""
    x = np.zeros(2, "i4")
    interpret(text + _kernel(_X, body), x, global_size=2)
    assert x.tolist() == [-3, 6]


def _buffer(what: str, size: int) -> Buffer:
    return Buffer.allocate(what, size, AddressSpace.GLOBAL)


def test_addresses_are_distinct_pages_and_resolve() -> None:
    addresses = AddressMap()
    a, b = _buffer("a", PAGE), _buffer("b", 1)
    first, second = addresses.address((a, 0)), addresses.address((b, 0))
    assert first % PAGE == second % PAGE == 0
    assert 0 < first < first + PAGE < second
    assert addresses.pointer(first + PAGE) == (a, PAGE)
    assert addresses.pointer(second + 1) == (b, 1)
    assert addresses.pointer(second + 2) == (NOWHERE, second + 2)
    assert addresses.pointer(0) == (NOWHERE, 0)


def test_addresses_end_with_their_memory() -> None:
    addresses = AddressMap()
    a, b = _buffer("a", 8), _buffer("b", 8)
    addresses.address((a, 0))
    mark = addresses.mark()
    address = addresses.address((b, 4))
    assert addresses.pointer(address) == (b, 4)
    addresses.forget(mark)
    assert addresses.pointer(address) == (NOWHERE, address)
    assert addresses.address((_buffer("c", 8), 4)) == address


def test_an_address_may_leave_its_buffer_and_come_back(interpret: Interpret) -> None:
    body = """
  %far = arith.constant -4000 : i64
  %a = ocl.ptr_to_int %x : !ocl.ptr<i32, global>
  %b = arith.addi %a, %far : i64
  %p = ocl.int_to_ptr %b : !ocl.ptr<i32, global>
  %i = arith.constant 1001 : index
  %v = arith.constant 5 : i32
  ocl.store %v, %p[%i] : !ocl.ptr<i32, global>"""
    x = np.zeros(2, "i4")
    interpret(_kernel(_X, body), x)
    assert x.tolist() == [0, 5]


def test_empty_array(interpret: Interpret) -> None:
    text = _kernel(_X, "  %v = ocl.load %x : !ocl.ptr<i32, global>")
    assert "parameter 'x' has 0 bytes" in _fails(interpret, text, np.zeros(0, "i4"))
