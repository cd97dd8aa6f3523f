"""One work-item on numbers: integers as numpy computes them, ways and accesses as written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import arith, scf, test
from xdsl.dialects.builtin import IntegerType, i1, i32
from xdsl.ir import Operation

import polycl
from polycl.analysis.poly.concrete import (
    CannotExecute,
    Launch,
    Place,
    Trace,
    execute,
    result_of,
)
from polycl.backends.interp import InterpDevice
from polycl.backends.pipeline import make_context, parse_passes, run_passes
from polycl.dialects.poly import KernelOp
from polycl.frontends.mlir.mlir_text import parse_mlir

I8 = IntegerType(8)
EDGES = [-128, -127, -100, -8, -3, -2, -1, 0, 1, 2, 3, 5, 7, 8, 31, 100, 126, 127]


def _signed(wide: Callable[[int, int], int]) -> Callable[[int, int], int]:
    return lambda a, b: int(np.array(wide(a, b)).astype(np.int8))


def _unsigned(wide: Callable[[int, int], int]) -> Callable[[int, int], int]:
    return _signed(lambda a, b: wide(a % 256, b % 256))


OPERATIONS: list[tuple[type[Operation], Callable[[int, int], int]]] = [
    (arith.AddiOp, _signed(lambda a, b: a + b)),
    (arith.SubiOp, _signed(lambda a, b: a - b)),
    (arith.MuliOp, _signed(lambda a, b: a * b)),
    (arith.AndIOp, _signed(lambda a, b: a & b)),
    (arith.OrIOp, _signed(lambda a, b: a | b)),
    (arith.XOrIOp, _signed(lambda a, b: a ^ b)),
    (arith.MaxSIOp, max),
    (arith.MinSIOp, min),
    (arith.MaxUIOp, _unsigned(max)),
    (arith.MinUIOp, _unsigned(min)),
    (arith.DivSIOp, _signed(lambda a, b: int(np.trunc(a / b)))),
    (arith.RemSIOp, lambda a, b: int(np.fmod(a, b))),
    (arith.FloorDivSIOp, _signed(lambda a, b: int(np.floor(a / b)))),
    (arith.CeilDivSIOp, _signed(lambda a, b: int(np.ceil(a / b)))),
    (arith.DivUIOp, _unsigned(lambda a, b: a // b)),
    (arith.RemUIOp, _unsigned(lambda a, b: a % b)),
    (arith.CeilDivUIOp, _unsigned(lambda a, b: int(np.ceil(a / b)))),
    (arith.ShLIOp, _signed(lambda a, b: a * 2**b)),
    (arith.ShRSIOp, lambda a, b: int(np.floor(a / 2**b))),
    (arith.ShRUIOp, _unsigned(lambda a, b: int(np.floor(a / 2**b)))),
]


@pytest.mark.parametrize(("kind", "expected"), OPERATIONS, ids=[k.name for k, _ in OPERATIONS])
def test_integers_are_those_of_numpy(kind: Any, expected: Callable[[int, int], int]):
    """All pairs of numbers of 8 bits at the edges, but for those that have no result."""
    a, b = test.TestOp(result_types=[I8, I8]).results
    op = kind(a, b)
    for x in EDGES:
        for y in EDGES:
            if "sh" in op.name and not 0 <= y < 8:
                assert result_of(op, [x, y]) is None
            elif y == 0 and ("div" in op.name or "rem" in op.name):
                assert result_of(op, [x, y]) is None
            else:
                assert result_of(op, [x, y]) == expected(x, y), (x, y)


@pytest.mark.parametrize("predicate", arith.CMPI_COMPARISON_OPERATIONS)
def test_comparisons(predicate: str):
    a, b = test.TestOp(result_types=[I8, I8]).results
    op = arith.CmpiOp(a, b, predicate)
    view = np.uint8 if predicate[0] == "u" else np.int8
    names = {"eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal"}
    names |= {"gt": "greater", "ge": "greater_equal"}
    compare = getattr(np, names[predicate.removeprefix("s").removeprefix("u")])
    for x in EDGES:
        for y in EDGES:
            one, other = (np.array(n, np.int8).view(view) for n in (x, y))
            assert result_of(op, [x, y]) == int(compare(one, other)), (x, y)


def test_a_true_bit_is_minus_one_where_it_has_a_sign():
    bit = test.TestOp(result_types=[i1]).results[0]
    assert result_of(arith.ExtSIOp(bit, i32), [1]) == -1
    assert result_of(arith.ExtUIOp(bit, i32), [1]) == 1


SOURCE = """
kernel void places(global int *out, int n) {
  int i = get_global_id(0);
  int k = i;
  for (int j = i; j < n; j += 3)
    k += j % 4 - (j - 7) / 2;
  if (k & 1) k = -k;
  uint u = (uint)k * 2654435761u;
  switch (i & 3) {
    case 1: u >>= 28; break;
    case 2: u = min(u / 3, (uint)M) + 2; break;
    default: u = u % M;
  }
  ulong far = u;
  while (far > 40) far = far * 3 / 4;
  out[far] = 1;
}
"""


@pytest.mark.parametrize(("n", "most"), [(0, 1), (9, 5), (40, 17)])
def test_places_are_those_of_the_interpreter(n: int, most: int):
    """Each work-item writes to a place that it computed: both find the same places."""
    count = 24
    out = np.zeros(41, np.int32)
    program = polycl.load(SOURCE, [f"-DM={most}"])
    program.kernels["places"](
        out, n, global_size=(count,), local_size=(count,), device=InterpDevice()
    )
    module = program.module.clone()
    before = f"promote-private-memory,ocl-set-local-size{{size={count},1,1}},ocl-to-wg"
    run_passes(module, parse_passes(f"{before},poly-normalize,poly-extract"))
    kernel = next(op for op in module.walk() if isinstance(op, KernelOp))
    launch = Launch(kernel, {"L0": count, "G0": 0, "n": n})
    places: set[int] = set()
    for i in range(count):
        trace = execute(launch, kernel.body, [i])
        places |= {access.place.offset // access.size for access in trace.accesses.values()}
    assert sorted(places) == np.flatnonzero(out).tolist()


def _traces(body: str, items: int = 4, parameters: dict[str, int] | None = None) -> list[Trace]:
    text = f"""
      func.func @f(%L0: index, %n: index, %p: !ocl.ptr<i32, global>, %q: !ocl.ptr<i32, global>) {{
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        poly.kernel @f(%L0, %n) params ["L0", "n"] work_items ["x"]
            context #poly.set<"[L0] -> {{ : L0 > 0 }}"> {{
        ^bb0(%x: index):
          {body}
        }}
        func.return
      }}
    """
    module = parse_mlir(make_context(), text.encode(), "f.mlir")
    kernel = next(op for op in module.walk() if isinstance(op, KernelOp))
    launch = Launch(kernel, parameters or {"L0": items, "n": 3})
    return [execute(launch, kernel.body, [x]) for x in range(items)]


def test_loops_and_branches_are_decisions():
    traces = _traces("""
      scf.for %k = %c0 to %x step %c1 {
        %odd = arith.cmpi eq, %k, %c1 : index
        scf.if %odd {
          %v = ocl.load %p[%k] : !ocl.ptr<i32, global>
        }
      }
    """)
    for x, trace in enumerate(traces):
        ways = {(op.name, rounds): way for (op, rounds), way in trace.decisions.items()}
        branches = {("scf.if", (k,)): int(k == 1) for k in range(x)}
        assert ways == {("scf.for", ()): x, **branches}
        offsets = {rounds: a.place.offset for (_, rounds), a in trace.accesses.items()}
        assert offsets == ({(1,): 4} if x > 1 else {})
        assert not trace.effects


def test_an_if_that_only_chooses_a_value_is_no_decision():
    (trace, *_) = _traces("""
      %on = arith.cmpi slt, %x, %n : index
      %i = scf.if %on -> (index) {
        scf.yield %x : index
      } else {
        scf.yield %n : index
      }
      %v = ocl.load %p[%i] : !ocl.ptr<i32, global>
    """)
    assert not trace.decisions


def test_memory_is_made_up_but_remembers():
    """Equal places have equal values, other arrays other ones; what is stored is what is read."""
    body = """
      %v = ocl.load %p[%n] : !ocl.ptr<i32, global>
      %w = ocl.load %q[%n] : !ocl.ptr<i32, global>
      %i = arith.index_cast %v : i32 to index
      %j = arith.index_cast %w : i32 to index
      %a = ocl.load %p[%i] : !ocl.ptr<i32, global>
      %b = ocl.load %p[%j] : !ocl.ptr<i32, global>
      %s = arith.index_cast %x : index to i32
      ocl.store %s, %q[%n] : !ocl.ptr<i32, global>
      %t = ocl.load %q[%n] : !ocl.ptr<i32, global>
      %k = arith.index_cast %t : i32 to index
      %c = ocl.load %p[%k] : !ocl.ptr<i32, global>
    """
    places = [
        [access.place for access in trace.accesses.values()] for trace in _traces(body, items=3)
    ]
    for x, (_, _, a, b, _, _, c) in enumerate(places):
        assert (a, b) == (places[0][2], places[0][3])
        assert a != b
        assert c == Place(a.array, 4 * x)


def test_an_atomic_gives_each_work_item_another_number():
    traces = _traces("""
      %one = arith.constant 1 : i32
      %old = ocl.atomic_rmw add %p, %one : !ocl.ptr<i32, global>
      %i = arith.index_cast %old : i32 to index
      %v = ocl.load %q[%i] : !ocl.ptr<i32, global>
    """)
    assert len({access.place for trace in traces for access in trace.accesses.values()}) > 1
    assert all(op.name == "ocl.atomic_rmw" for trace in traces for op in trace.effects)


def test_a_loop_whose_condition_is_made_up_ends():
    (trace, *_) = _traces("""
      scf.while () : () -> () {
        %v = ocl.load volatile %p[%n] : !ocl.ptr<i32, global>
        %one = arith.constant 100 : i32
        %go = arith.cmpi slt, %v, %one : i32
        scf.condition(%go)
      } do {
        scf.yield
      }
    """)
    ((op, rounds), way) = next(iter(trace.decisions.items()))
    assert isinstance(op, scf.WhileOp)
    assert (rounds, way) == ((), 64)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            "scf.for %k = %c0 to %n step %c0 {\n}",
            "the step of the loop is 0",
        ),
        (
            "%c9 = arith.constant 999999 : index\nscf.for %k = %c0 to %c9 step %c1 {\n}",
            "the work-item executes too many operations",
        ),
    ],
)
def test_what_cannot_be_executed_is_said(body: str, reason: str):
    with pytest.raises(CannotExecute, match=reason):
        _traces(body)
