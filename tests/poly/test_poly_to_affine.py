"""poly-to-affine: its text has the values, the points and the work-items that isl computes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

import islpy as isl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects import affine, arith, func, test
from xdsl.dialects.builtin import ArrayAttr, IndexType, IntegerAttr, ModuleOp, StringAttr, i1
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstraintKind, AffineMap

import polycl
from polycl.analysis.poly.points import contains
from polycl.analysis.poly.samples import sample
from polycl.backends.pipeline import make_context, parse_passes, run_passes
from polycl.dialects import ocl
from polycl.dialects.poly import AffAttr, ContainsOp, EvalOp, KernelOp, SetAttr, SubkernelOp
from polycl.dialects.poly.isl_context import isl_context
from polycl.dialects.poly.kernel import names_of
from polycl.lowering.poly.poly_to_affine import PolyToAffinePass

Values = dict[SSAValue, int]


class Affine:
    """Executes the operations that poly-to-affine makes; `visited` has what `test.op` saw."""

    def __init__(self, values: Values):
        self.values = values
        self.visited: list[tuple[int, ...]] = []

    def run(self, block: Block) -> Sequence[SSAValue]:
        for op in block.ops:
            if isinstance(op, affine.YieldOp | func.ReturnOp):
                return op.operands
            found = self.results(op)
            self.values.update(zip(op.results, found, strict=True))
        return ()

    def applied(self, map: AffineMap, operands: Sequence[SSAValue]) -> tuple[int, ...]:
        numbers = [self.values[operand] for operand in operands]
        return map.eval(numbers[: map.num_dims], numbers[map.num_dims :])

    def results(self, op: Operation) -> Sequence[int]:
        match op:
            case arith.ConstantOp(value=IntegerAttr() as number):
                return [abs(number.value.data)]
            case arith.OrIOp():
                return [self.values[op.lhs] | self.values[op.rhs]]
            case affine.ApplyOp():
                return self.applied(op.map.data, op.mapOperands)
            case affine.MinOp():
                return [min(self.applied(op.map.data, op.arguments))]
            case affine.IfOp():
                region = op.then_region if self.holds(op) else op.else_region
                return [self.values[v] for v in self.run(region.block)] if region.blocks else ()
            case affine.ForOp():
                first = max(self.applied(op.lowerBoundMap.data, op.lowerBoundOperands))
                end = min(self.applied(op.upperBoundMap.data, op.upperBoundOperands))
                for counter in range(first, end, op.step.value.data):
                    self.values[op.body.block.args[0]] = counter
                    self.run(op.body.block)
                return ()
            case test.TestOp():
                self.visited.append(tuple(self.values[operand] for operand in op.operands))
                return ()
            case _:
                raise AssertionError(f"an operation that is not affine: {op}")

    def holds(self, op: affine.IfOp) -> bool:
        condition = op.condition.data
        numbers = [self.values[operand] for operand in op.args]
        dims, symbols = numbers[: condition.num_dims], numbers[condition.num_dims :]
        for constraint in condition.constraints:
            assert constraint.kind in (AffineConstraintKind.eq, AffineConstraintKind.ge)
            value = constraint.lhs.eval(dims, symbols) - constraint.rhs.eval(dims, symbols)
            if not (value == 0 if constraint.kind == AffineConstraintKind.eq else value >= 0):
                return False
        return True


def _value(text: str, point: tuple[int, int, int]) -> int:
    """Of `poly.eval` or `poly.contains` of `[n] -> { R[y, x] ... }`, through poly-to-affine."""
    block = Block(arg_types=[IndexType()] * 3)
    y, x, n = block.args
    kind, attribute = (EvalOp, AffAttr(text)) if "[(" in text else (ContainsOp, SetAttr(text))
    key = "expression" if kind is EvalOp else "set"
    op = kind.build(
        operands=[[y, x], [n]],
        properties={key: attribute, "params": ArrayAttr([StringAttr("n")])},
        result_types=[IndexType() if kind is EvalOp else i1],
    )
    end = func.ReturnOp(op.results[0])
    block.add_ops([op, end])
    module = ModuleOp(
        [func.FuncOp("f", (tuple(block.arg_types), [op.results[0].type]), Region(block))]
    )
    PolyToAffinePass().apply(make_context(), module)
    module.verify()
    machine = Affine(dict(zip(block.args, point, strict=True)))
    (result,) = machine.run(block)
    return machine.values[result]


NUMBER = st.integers(-9, 9)
ATOM = st.sampled_from(["x", "y", "n", "3", "-2", "2x", "floor((x + n)/4)", "(y mod 3)"])


@st.composite
def expressions(draw: st.DrawFn, depth: int = 2) -> str:
    if depth == 0:
        return draw(ATOM)
    one, other = (draw(expressions(depth=depth - 1)) for _ in range(2))
    kind = draw(st.sampled_from(["{} + {}", "{} - ({})", "min({}, {})", "max({}, {})"]))
    return kind.format(one, other)


@settings(max_examples=60, deadline=None)
@given(expressions(), st.tuples(NUMBER, NUMBER, NUMBER))
def test_expressions_have_isls_values(text: str, point: tuple[int, int, int]):
    whole = f"[n] -> {{ R[y, x] -> [({text})] }}"
    y, x, n = point
    at = isl.Set.read_from_str(
        isl_context(), f"[n] -> {{ R[y, x] : y = {y} and x = {x} and n = {n} }}"
    )
    value = AffAttr(whole).isl.intersect_domain(at)
    assert _value(whole, point) == value.max_val().to_python()


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(expressions(depth=1), st.sampled_from("<>=")), min_size=1, max_size=3),
    st.sampled_from(["and", "or"]),
    st.tuples(NUMBER, NUMBER, NUMBER),
)
def test_sets_have_isls_points(
    parts: list[tuple[str, str]], word: str, point: tuple[int, int, int]
):
    text = f" {word} ".join(f"{expression} {kind} 1" for expression, kind in parts)
    whole = f"[n] -> {{ R[y, x] : {text} }}"
    y, x, n = point
    at = isl.Set.read_from_str(
        isl_context(), f"[n] -> {{ R[y, x] : y = {y} and x = {x} and n = {n} }}"
    )
    assert bool(_value(whole, point)) == at.is_subset(SetAttr(whole).isl)


PASSES = (
    "promote-private-memory,inline-functions,ocl-expand-builtins,ocl-to-wg,poly-normalize,"
    "poly-extract{annotate=false}"
)


@cache
def _kernel(name: str, split: str) -> ModuleOp:
    """A kernel whose work-items only tell their ids."""
    module = polycl.load(Path(__file__).with_name("poly_score.cl")).module.clone()
    for op in list(module.ops):
        assert isinstance(op, ocl.KernelOp)
        if op.sym_name.data != name:
            op.detach()
    run_passes(module, parse_passes(f"{PASSES}{split}"))
    return module


@pytest.mark.parametrize(
    "split", ["", ",poly-split{width=4 dims=0}", ",poly-split{width=4 dims=1}"]
)
@pytest.mark.parametrize("name", ["foo", "transpose", "fan2", "conv2d"])
def test_loops_go_through_each_work_item_once(name: str, split: str):
    module = _kernel(name, split).clone()
    kernel = next(op for op in module.walk() if isinstance(op, KernelOp))
    domain: isl.Set | None = None
    bodies = [kernel.body]
    for subkernel in kernel.body.block.ops:
        if isinstance(subkernel, SubkernelOp):
            bodies = [codelet.body for codelet in subkernel.codelets]
            domain = subkernel.domain.isl
            break
    for body in bodies:
        for op in reversed(list(body.block.ops)):
            op.detach()
        body.block.add_op(test.TestOp(operands=list(body.block.args)))
    names, items = names_of(kernel.params), names_of(kernel.work_items)
    known, block = kernel.known, kernel.parent
    arguments = list(kernel.arguments)
    assert block is not None
    PolyToAffinePass().apply(make_context(), module)
    module.verify()
    loops = [op for op in block.ops if op.name.startswith("affine.")]
    random = Random(0)
    for _ in range(12):
        values = sample(known, names, {}, (2, 5, 11), random)
        assert values is not None
        machine = Affine({a: values[n] for a, n in zip(arguments, names, strict=True)})
        for op in loops:
            machine.results(op)
        sizes = [range(values[f"L{len(items) - 1 - place}"]) for place in range(len(items))]
        expected = [
            (z, y, x)
            for z in sizes[0]
            for y in sizes[1]
            for x in sizes[2]
            if domain is None
            or contains(domain, {**values, **dict(zip(items, (z, y, x), strict=True))})
        ]
        assert sorted(machine.visited) == expected
