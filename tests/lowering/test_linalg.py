"""Functions on memrefs (linalg, affine, loops, launches) compute what numpy does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import polycl
from polycl.errors import PolyclError, SourceError

RNG = np.random.default_rng(1)

Case = tuple[str, Sequence[Any], Callable[..., Sequence[Any]]]


def floats(*shape: int) -> Any:
    return RNG.random(shape, dtype=np.float32)


def zeros(*shape: int) -> Any:
    return np.zeros(shape, np.float32)


def convolved(x: Any, w: Any, y: Any) -> list[Any]:
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], (2, 3))
    return [x, w, y + np.einsum("ncijkl,fckl->nfij", windows, w)]


def relaxed(x: Any, y: Any, steps: int) -> list[Any]:
    x, y = x.copy(), y.copy()
    for _ in range(steps):
        y[1:-1] = (x[:-2] + x[2:]) * np.float32(0.5)
        x[:] = y
    return [x, y]


def function(parameters: str, body: str) -> str:
    start = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
    return f"func.func @f({parameters}) {{\n{start}{body}\nfunc.return\n}}"


def generic(maps: Sequence[str], kinds: Sequence[str], operands: str, body: str) -> str:
    texts = ", ".join(f"affine_map<{text}>" for text in maps)
    kinds_text = ", ".join(f'"{kind}"' for kind in kinds)
    return (
        f"linalg.generic {{indexing_maps = [{texts}], iterator_types = [{kinds_text}]}} "
        f"{operands} {{\n{body}\n}}"
    )


F1, F2 = "memref<?xf32>", "memref<?x?xf32>"
SUM = "^bb0(%v: f32, %s: f32):\n%t = arith.addf %s, %v : f32\nlinalg.yield %t : f32"

CASES: dict[str, Case] = {
    "elementwise": (
        function(
            f"%x: {F2}, %y: {F2}",
            f"linalg.mul ins(%x, %y : {F2}, {F2}) outs(%x : {F2})\n"
            f"linalg.sub ins(%x, %y : {F2}, {F2}) outs(%y : {F2})",
        ),
        [floats(5, 7), floats(5, 7)],
        lambda x, y: [x * y, x * y - y],
    ),
    "fill and matmul": (
        function(
            f"%A: {F2}, %B: {F2}, %C: {F2}",
            "%zero = arith.constant 0.0 : f32\n"
            f"linalg.fill ins(%zero : f32) outs(%C : {F2})\n"
            f"linalg.matmul ins(%A, %B : {F2}, {F2}) outs(%C : {F2})",
        ),
        [floats(37, 19), floats(19, 23), floats(37, 23)],
        lambda a, b, c: [a, b, a @ b],
    ),
    "two products": (
        function(
            f"%A: {F2}, %B: {F2}, %C: {F2}, %D: {F2}",
            f"%n = memref.dim %A, %c0 : {F2}\n%m = memref.dim %B, %c1 : {F2}\n"
            f"%t = memref.alloc(%n, %m) : {F2}\n%zero = arith.constant 0.0 : f32\n"
            f"linalg.fill ins(%zero : f32) outs(%t : {F2})\n"
            f"linalg.matmul ins(%A, %B : {F2}, {F2}) outs(%t : {F2})\n"
            f"linalg.matmul ins(%t, %C : {F2}, {F2}) outs(%D : {F2})\nmemref.dealloc %t : {F2}",
        ),
        [floats(5, 4), floats(4, 6), floats(6, 3), zeros(5, 3)],
        lambda a, b, c, d: [a, b, c, a @ b @ c],
    ),
    "sums of rows": (
        function(
            f"%x: {F2}, %y: {F1}",
            generic(
                ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)"],
                ["parallel", "reduction"],
                f"ins(%x : {F2}) outs(%y : {F1})",
                SUM,
            ),
        ),
        [floats(5, 7), zeros(5)],
        lambda x, y: [x, x.sum(1)],
    ),
    "sums of columns, the reduction first": (
        function(
            f"%x: {F2}, %y: {F1}",
            generic(
                ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d1)"],
                ["reduction", "parallel"],
                f"ins(%x : {F2}) outs(%y : {F1})",
                SUM,
            ),
        ),
        [floats(5, 7), zeros(7)],
        lambda x, y: [x, x.sum(0)],
    ),
    "sum of all": (
        function(
            f"%x: {F1}, %y: memref<f32>",
            generic(
                ["(d0) -> (d0)", "(d0) -> ()"],
                ["reduction"],
                f"ins(%x : {F1}) outs(%y : memref<f32>)",
                SUM,
            ),
        ),
        [floats(50), zeros(1)],
        lambda x, y: [x, [x.sum()]],
    ),
    "convolution of one dimension": (
        function(
            f"%x: {F1}, %w: {F1}, %y: {F1}",
            generic(
                ["(d0, d1) -> (d0 + d1)", "(d0, d1) -> (d1)", "(d0, d1) -> (d0)"],
                ["parallel", "reduction"],
                f"ins(%x, %w : {F1}, {F1}) outs(%y : {F1})",
                "^bb0(%a: f32, %b: f32, %s: f32):\n%p = arith.mulf %a, %b : f32\n"
                "%t = arith.addf %s, %p : f32\nlinalg.yield %t : f32",
            ),
        ),
        [floats(20), floats(3), zeros(18)],
        lambda x, w, y: [x, w, np.correlate(x, w)],
    ),
    "convolution": (
        function(
            "%x: memref<2x3x8x9xf32>, %w: memref<4x3x3x3xf32>, %y: memref<2x4x6x7xf32>",
            "linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : "
            "tensor<2xi64>} ins(%x, %w : memref<2x3x8x9xf32>, memref<4x3x3x3xf32>) "
            "outs(%y : memref<2x4x6x7xf32>)",
        ),
        [floats(2, 3, 8, 9), floats(4, 3, 3, 3), zeros(2, 4, 6, 7)],
        convolved,
    ),
    "pooling": (
        function(
            "%x: memref<1x1x4x4xf32>, %k: memref<2x2xf32>, %y: memref<1x1x3x3xf32>",
            "linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<1> : "
            "vector<2xi64>} ins(%x, %k : memref<1x1x4x4xf32>, memref<2x2xf32>) "
            "outs(%y : memref<1x1x3x3xf32>)",
        ),
        [floats(1, 1, 4, 4), floats(2, 2), zeros(1, 1, 3, 3)],
        lambda x, k, y: [
            x,
            k,
            np.lib.stride_tricks.sliding_window_view(x, (2, 2), (2, 3)).max((4, 5)),
        ],
    ),
    "reduce, transpose, broadcast": (
        function(
            "%x: memref<4x6xf32>, %y: memref<6xf32>, %t: memref<6x4xf32>, %b: memref<3x6xf32>",
            "linalg.reduce ins(%x:memref<4x6xf32>) outs(%y:memref<6xf32>) dimensions = [0]\n"
            "(%v: f32, %s: f32) {\n%m = arith.maximumf %s, %v : f32\nlinalg.yield %m : f32\n}\n"
            "linalg.transpose ins(%x:memref<4x6xf32>) outs(%t:memref<6x4xf32>) "
            "permutation = [1, 0]\n"
            "linalg.broadcast ins(%y:memref<6xf32>) outs(%b:memref<3x6xf32>) dimensions = [0]",
        ),
        [floats(4, 6), zeros(6), zeros(6, 4), zeros(3, 6)],
        lambda x, y, t, b: [x, x.max(0), x.T, np.tile(x.max(0), (3, 1))],
    ),
    "index": (
        function(
            "%y: memref<?x?xi32>",
            generic(
                ["(d0, d1) -> (d0, d1)"],
                ["parallel", "parallel"],
                "outs(%y : memref<?x?xi32>)",
                "^bb0(%s: i32):\n%i = linalg.index 0 : index\n%j = linalg.index 1 : index\n"
                "%k = arith.addi %i, %j : index\n%t = arith.index_cast %k : index to i32\n"
                "linalg.yield %t : i32",
            ),
        ),
        [np.zeros((3, 4), np.int32)],
        lambda y: [np.add.outer(np.arange(3), np.arange(4))],
    ),
    "a part of an array": (
        function(
            "%x: memref<8x8xf32>, %y: memref<4x4xf32>",
            "%v = memref.subview %x[2, 2] [4, 4] [1, 1] : memref<8x8xf32> to "
            "memref<4x4xf32, strided<[8, 1], offset: 18>>\n"
            "memref.copy %v, %y : memref<4x4xf32, strided<[8, 1], offset: 18>> to memref<4x4xf32>",
        ),
        [floats(8, 8), zeros(4, 4)],
        lambda x, y: [x, x[2:6, 2:6]],
    ),
    "scf.parallel with a step": (
        function(
            f"%x: {F1}, %a: f32",
            f"%n = memref.dim %x, %c0 : {F1}\n%c2 = arith.constant 2 : index\n"
            "scf.parallel (%i) = (%c1) to (%n) step (%c2) {\n"
            f"%v = memref.load %x[%i] : {F1}\n%w = arith.mulf %v, %a : f32\n"
            f"memref.store %w, %x[%i] : {F1}\n}}",
        ),
        [floats(11), 3.0],
        lambda x, a: [np.where(np.arange(11) % 2 == 1, np.float32(3) * x, x)],
    ),
    "scf.reduce": (
        function(
            f"%x: {F1}, %y: memref<f32>",
            f"%n = memref.dim %x, %c0 : {F1}\n%zero = arith.constant 0.0 : f32\n"
            "%s = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> f32 {\n"
            f"%v = memref.load %x[%i] : {F1}\nscf.reduce(%v : f32) {{\n^bb0(%a: f32, %b: f32):\n"
            "%t = arith.addf %a, %b : f32\nscf.reduce.return %t : f32\n}\n}\n"
            "memref.store %s, %y[] : memref<f32>",
        ),
        [floats(33), zeros(1)],
        lambda x, y: [x, [x.sum()]],
    ),
    "a nest of loops": (
        function(
            f"%x: {F2}, %y: {F2}",
            f"%n = memref.dim %x, %c0 : {F2}\n%m = memref.dim %x, %c1 : {F2}\n"
            "scf.for %i = %c0 to %n step %c1 {\nscf.for %j = %c0 to %m step %c1 {\n"
            f"%v = memref.load %x[%i, %j] : {F2}\nmemref.store %v, %y[%j, %i] : {F2}\n}}\n}}",
        ),
        [floats(5, 9), zeros(9, 5)],
        lambda x, y: [x, x.T],
    ),
    "loops that depend on one another": (
        function(
            f"%x: {F2}",
            f"%n = memref.dim %x, %c0 : {F2}\n%m = memref.dim %x, %c1 : {F2}\n"
            "scf.for %i = %c1 to %n step %c1 {\n%k = arith.subi %i, %c1 : index\n"
            "scf.for %j = %c1 to %m step %c1 {\n%l = arith.subi %j, %c1 : index\n"
            f"%a = memref.load %x[%k, %j] : {F2}\n%b = memref.load %x[%i, %l] : {F2}\n"
            f"%s = arith.addf %a, %b : f32\nmemref.store %s, %x[%i, %j] : {F2}\n}}\n}}",
        ),
        [np.ones((5, 6), np.float32)],
        lambda x: [pascal(5, 6)],
    ),
    "affine.for": (
        function(
            f"%x: {F1}, %y: {F1}",
            f"%n = memref.dim %x, %c0 : {F1}\n"
            "affine.for %i = 1 to affine_map<()[s0] -> (s0 - 1)>()[%n] {\n"
            f"%a = affine.load %x[%i - 1] : {F1}\n%b = affine.load %x[%i + 1] : {F1}\n"
            f"%s = arith.addf %a, %b : f32\naffine.store %s, %y[%i] : {F1}\n}}",
        ),
        [floats(12), zeros(12)],
        lambda x, y: [x, np.pad(x[:-2] + x[2:], 1)],
    ),
    "affine.parallel and affine.if": (
        function(
            "%x: memref<8x9xf32>, %v: f32",
            "affine.parallel (%i, %j) = (0, 1) to (8, 9) step (2, 1) {\n"
            "affine.if affine_set<(d0, d1) : (d1 - d0 >= 0, -d1 + 6 >= 0)>(%i, %j) {\n"
            "affine.store %v, %x[%i, %j] : memref<8x9xf32>\n} else {\n%w = arith.negf %v : f32\n"
            "affine.store %w, %x[%i, %j] : memref<8x9xf32>\n}\n}",
        ),
        [zeros(8, 9), 2.0],
        lambda x, v: [
            np.fromfunction(
                lambda i, j: np.where(
                    (i % 2 == 0) & (j > 0), np.where((j >= i) & (j <= 6), 2, -2), 0
                ),
                (8, 9),
            )
        ],
    ),
    "steps of the host": (
        function(
            f"%x: {F1}, %y: {F1}, %steps: index",
            f"%n = memref.dim %x, %c0 : {F1}\n%e = arith.subi %n, %c1 : index\n"
            "%half = arith.constant 0.5 : f32\nscf.for %t = %c0 to %steps step %c1 {\n"
            "scf.parallel (%i) = (%c1) to (%e) step (%c1) {\n"
            "%l = arith.subi %i, %c1 : index\n%r = arith.addi %i, %c1 : index\n"
            f"%a = memref.load %x[%l] : {F1}\n%b = memref.load %x[%r] : {F1}\n"
            "%s = arith.addf %a, %b : f32\n%h = arith.mulf %s, %half : f32\n"
            f"memref.store %h, %y[%i] : {F1}\nscf.reduce\n}}\n"
            f"memref.copy %y, %x : {F1} to {F1}\n}}",
        ),
        [floats(12), zeros(12), 3],
        relaxed,
    ),
    "branches between blocks": (
        function(
            f"%x: {F1}, %c: i1",
            f"cf.cond_br %c, ^1, ^2\n^1:\n%z = arith.constant 7.0 : f32\n"
            f"linalg.fill ins(%z : f32) outs(%x : {F1})\ncf.br ^2\n^2:",
        ),
        [floats(6), True],
        lambda x, c: [np.full(6, 7)],
    ),
    "gpu.launch": (
        function(
            f"%x: {F1}, %sums: {F1}",
            f"%c4 = arith.constant 4 : index\n%n = memref.dim %x, %c0 : {F1}\n"
            "%g = arith.ceildivsi %n, %c4 : index\n"
            "gpu.launch blocks(%bx, %by, %bz) in (%gx = %g, %gy = %c1, %gz = %c1)\n"
            "threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {\n"
            "%b = arith.muli %bx, %sx : index\n%i = arith.addi %b, %tx : index\n"
            "%in = arith.cmpi slt, %i, %n : index\n%zero = arith.constant 0.0 : f32\n"
            f"%v = scf.if %in -> (f32) {{\n%w = memref.load %x[%i] : {F1}\nscf.yield %w : f32\n"
            "} else {\nscf.yield %zero : f32\n}\n"
            "%s = gpu.all_reduce add %v {} : (f32) -> (f32)\n"
            f"memref.store %s, %sums[%bx] : {F1}\ngpu.terminator\n}}",
        ),
        [np.arange(10, dtype=np.float32), zeros(3)],
        lambda x, sums: [x, [6, 22, 17]],
    ),
    "workgroup memory of a launch": (
        function(
            f"%x: {F1}",
            "%c8 = arith.constant 8 : index\n%c7 = arith.constant 7 : index\n"
            f"%n = memref.dim %x, %c0 : {F1}\n%g = arith.divsi %n, %c8 : index\n"
            "gpu.launch blocks(%bx, %by, %bz) in (%gx = %g, %gy = %c1, %gz = %c1)\n"
            "threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1)\n"
            "workgroup(%tile : memref<8xf32, #gpu.address_space<workgroup>>) {\n"
            f"%i = gpu.global_id x\n%v = memref.load %x[%i] : {F1}\n"
            "memref.store %v, %tile[%tx] : memref<8xf32, #gpu.address_space<workgroup>>\n"
            "gpu.barrier\n%m = arith.subi %c7, %tx : index\n"
            "%w = memref.load %tile[%m] : memref<8xf32, #gpu.address_space<workgroup>>\n"
            f"memref.store %w, %x[%i] : {F1}\ngpu.terminator\n}}",
        ),
        [floats(24)],
        lambda x: [x.reshape(3, 8)[:, ::-1].ravel()],
    ),
}


def pascal(rows: int, columns: int) -> Any:
    found = np.ones((rows, columns), np.float32)
    for i in range(1, rows):
        for j in range(1, columns):
            found[i, j] = found[i - 1, j] + found[i, j - 1]
    return found


@pytest.mark.parametrize("device", ["cpu", "interp"])
@pytest.mark.parametrize("name", CASES)
def test_what_numpy_computes(name: str, device: str) -> None:
    text, arguments, expected = CASES[name]
    given = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    polycl.load(text, language="mlir").host("f")(*given, device=device)
    for got, wanted in zip(given, expected(*arguments), strict=False):
        np.testing.assert_allclose(got, wanted, rtol=1e-5)


def test_a_kernel_of_a_function_takes_the_arrays() -> None:
    program = polycl.load(CASES["fill and matmul"][0], language="mlir")
    assert list(program.kernels) == ["f_kernel", "f_kernel_0"]
    a, b, c = floats(6, 5), floats(5, 4), zeros(6, 4)
    program.kernel("f_kernel_0")(a, b, c, global_size=(4, 6))
    np.testing.assert_allclose(c, a @ b, rtol=1e-5)


def test_a_function_is_no_kernel() -> None:
    program = polycl.load(CASES["fill and matmul"][0], language="mlir")
    with pytest.raises(PolyclError, match=r"f_kernel, f_kernel_0; 'f' is .* host\('f'\) calls it"):
        program.kernel("f")


def test_the_opencl_c_of_a_function() -> None:
    """A work-item for each element, in an order in which neighbours read neighbours."""
    from io import StringIO

    from xdsl.context import Context

    from polycl.backends.opencl_c.target import OpenclCTarget

    stream = StringIO()
    module = polycl.load(CASES["fill and matmul"][0], language="mlir").module
    OpenclCTarget().emit(Context(), module, stream)
    assert "t = A[gid_y * A_size1 + i] * B[i * B_size1 + gid] + t;" in stream.getvalue()


def test_arrays_without_elements_in_a_dimension_are_not_launched() -> None:
    x, y = floats(2), zeros(2)
    polycl.load(CASES["affine.for"][0], language="mlir").host("f")(x, y)
    assert not y.any()


def test_sizes_that_do_not_fit_are_refused() -> None:
    program = polycl.load(CASES["fill and matmul"][0], language="mlir")
    with pytest.raises(PolyclError, match="dimension 1 of %A and dimension 0 of %B differ"):
        program.host("f")(floats(3, 4), floats(5, 6), zeros(3, 6))


def test_an_array_with_too_few_dimensions_is_refused() -> None:
    program = polycl.load(CASES["fill and matmul"][0], language="mlir")
    with pytest.raises(PolyclError, match="has no dimension 1"):
        program.host("f")(floats(12), floats(4, 6), zeros(3, 6))


def test_host_code_without_independent_loops_stays_host_code() -> None:
    text = function(
        f"%x: {F1}",
        f"%n = memref.dim %x, %c0 : {F1}\nscf.for %i = %c1 to %n step %c1 {{\n"
        f"%k = arith.subi %i, %c1 : index\n%a = memref.load %x[%k] : {F1}\n"
        f"memref.store %a, %x[%i] : {F1}\n}}",
    )
    program = polycl.load(text, language="mlir")
    assert not program.kernels
    x = floats(9)
    first = x[0]
    program.host("f")(x)
    assert (x == first).all()


T4 = "tensor<4xf32>"
M4 = "memref<4xf32>"
LAUNCH = (
    "gpu.launch {}blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %g = %c1) "
    "threads(%h, %i, %j) in (%k = %c1, %l = %c1, %m = %c1) {}{{\ngpu.terminator\n}}"
)

REFUSED = [
    (
        f"linalg.add ins(%x, %x : {M4}, {M4}) outs(%y : memref<5xf32>)",
        "4:1: .* dimension #0 to be 4, but found 5",
    ),
    (
        f"linalg.matvec ins(%x : {M4}) outs(%x : {M4})",
        "4:15: .*Operation linalg.matvec is not registered; write it as linalg.generic",
    ),
    (f"linalg.add ins(%x, %val : {M4}, f32) outs(%x : {M4})", "4:1: error: 'linalg.add': is malfo"),
    (
        f"linalg.transpose ins(%x : {M4}) outs(%x : {M4}) permutation = [5]",
        "4:1: error: 'linalg.transpose': is malformed",
    ),
    (
        generic(
            ["(d0) -> (d0)", "(d0) -> ()"],
            ["parallel"],
            f"ins(%x : {M4}) outs(%z: memref<f32>)",
            SUM,
        ),
        '4:1: .*loop d0 may write the same element of an output; expected .*"reduction"',
    ),
    (
        generic(
            ["(d0) -> (d0)", "(d0) -> (d0)"],
            ["parallel"],
            f"ins(%x : {M4}) outs(%x : {M4})",
            "^bb0(%a: f32, %b: f32):\n%i = linalg.index 3 : index\nlinalg.yield %a : f32",
        ),
        "6:1: error: 'linalg.index' 3: there are 1 loops",
    ),
    (
        generic(
            ["(d0)[s0] -> (d0 + s0)", "(d0) -> (d0)"],
            ["parallel"],
            f"ins(%x : {M4}) outs(%x : {M4})",
            SUM,
        ),
        "4:1: .*unexpected symbols in indexing_map #0",
    ),
    (
        f"%w = memref.load %x[%c0] : {M4}\n%k = arith.fptosi %w : f32 to i32\n"
        "%n = arith.index_cast %k : i32 to index\n"
        "scf.parallel (%i) = (%c0) to (%n) step (%c1) {\n"
        f"memref.store %val, %x[%i] : {M4}\n}}",
        "4:1: .*needs what this reads from memory, outside of a parallel loop; pass the value",
    ),
    (
        "scf.parallel (%i, %j) = (%c0) to (%c0) step (%c1) {\n}",
        "4:14: .*expected as many bounds and steps as counters, 2, got 1, 1 and 1",
    ),
    (
        f"scf.parallel (%i) = (%c0) to (%c1) step (%c1) {{\nmemref.store %val, %x[%i] : {M4}\n"
        "func.call @print(%val) : (f32) -> ()\n}",
        "6:1: .*'func.call' of @print, which has no body",
    ),
    (
        f"linalg.fill ins(%val : f32) outs(%x : {M4})\nfunc.call @print(%val) : (f32) -> ()",
        "5:1: .*'func.call' is not supported in a function that launches kernels",
    ),
    (
        f"%m = memref.alloc() : {M4}\nlinalg.fill ins(%val : f32) outs(%m : {M4})\n"
        f"func.call @use(%m) : ({M4}) -> ()",
        "6:1: .*'func.call' is not supported",
    ),
    (LAUNCH.format("async ", ""), "4:12: .*'async' of gpu.launch is not supported"),
    (
        LAUNCH.format("", "workgroup(%s : memref<?xf32, 3>) "),
        "4:.*expected a memref of known sizes",
    ),
    (
        "gpu.launch blocks(%a, %b) in (%d = %c1, %e = %c1, %g = %c1) threads(%h, %i, %j) in "
        "(%k = %c1, %l = %c1, %m = %c1) {\ngpu.terminator\n}",
        "4:18: .*expected three indices and three sizes",
    ),
    (
        f"gpu.launch_func @no::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) "
        f"args(%x : {M4})",
        "4:1: .*there is no kernel @no::@k in the module",
    ),
    (
        'affine.parallel (%i) = (0) to (4) reduce ("addf") -> f32 {\n}',
        "4:17: .*reductions of affine.parallel are not supported",
    ),
    (
        f"scf.parallel (%i) = (%c0) to (%c1) step (%c1) {{\n%m = memref.alloc() : {M4}\n"
        f"memref.store %val, %m[%i] : {M4}\n}}",
        "5:1: .*'memref.alloc' in global memory; a kernel allocates private memory",
    ),
    ('"foo.bar"(%val) : (f32) -> ()', "4:10: .*Operation foo.bar is not registered"),
]


@pytest.mark.parametrize(("body", "message"), REFUSED)
def test_what_is_refused(body: str, message: str) -> None:
    text = function(f"%x: {M4}, %y: memref<5xf32>, %z: memref<f32>, %val: f32", body)
    text += f"\nfunc.func private @print(f32)\nfunc.func private @use({M4})"
    with pytest.raises(SourceError, match=message):
        polycl.load(text, language="mlir")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            f"func.func @f(%t: {T4}) -> {T4} {{\n%s = linalg.add ins(%t, %t : {T4}, {T4}) "
            f"outs(%t : {T4}) -> {T4}\nfunc.return %s : {T4}\n}}",
            "2:1: error: 'linalg.add' on tensor<4xf32>: expected memrefs; run mlir-opt --one-shot",
        ),
        (
            f"func.func @f(%x: {M4}) -> {M4} {{\n%y = memref.alloc() : {M4}\n"
            f"linalg.copy ins(%x : {M4}) outs(%y : {M4})\nfunc.return %y : {M4}\n}}",
            "1:1: .*returns memref<4xf32>; expected results in arrays that are arguments",
        ),
        (
            "func.func @f(%x: memref<4xf32, strided<[2]>>, %v: f32) {\n"
            "linalg.fill ins(%v : f32) outs(%x : memref<4xf32, strided<[2]>>)\nfunc.return\n}",
            "1:1: .*argument 'x' .*expected no layout",
        ),
        (
            "func.func @f(%x: memref<4xbf16>, %v: bf16) {\n"
            "linalg.fill ins(%v : bf16) outs(%x : memref<4xbf16>)\nfunc.return\n}",
            "bf16",
        ),
        (
            "func.func @f(%x: memref<4xcomplex<f32>>) {\nlinalg.copy ins(%x : "
            "memref<4xcomplex<f32>>) outs(%x : memref<4xcomplex<f32>>)\nfunc.return\n}",
            "2:1: .*is malformed, or on types that xDSL does not take",
        ),
    ],
)
def test_which_functions_are_refused(text: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        polycl.load(text, language="mlir")


@pytest.mark.parametrize("block", ["^0", "^bb0", "^a.b", "^42", "^_1", "^$x"])
def test_names_of_blocks(block: str) -> None:
    text = (
        f'ocl.kernel @k(%x: !ocl.ptr<f32, global> {{ocl.name = "x"}}, %n: i32 '
        f'{{ocl.name = "n"}}) {{\n%c0 = arith.constant 0 : i32\n%v = arith.constant 2.0 : f32\n'
        f"%p = arith.cmpi eq, %n, %c0 : i32\ncf.cond_br %p, {block}, ^end\n{block}:\n"
        "ocl.store %v, %x : !ocl.ptr<f32, global>\ncf.br ^end\n^end:\nocl.return\n}"
    )
    x = np.zeros(1, np.float32)
    polycl.load(text, language="mlir").kernel("k")(x, 0, global_size=1, device="interp")
    assert x[0] == 2
