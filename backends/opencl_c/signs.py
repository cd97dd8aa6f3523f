"""Which integers are unsigned: OpenCL C has two kinds, the IR one.

What is certain is taken: the types that the source gives to parameters and fields. The rest
follows from use. `arith.divui` wants unsigned operands, `arith.cmpi slt` signed ones; C's sum of
an unsigned and a signed value is unsigned. Where nothing speaks for either, an integer is
unsigned, as the arithmetic of unsigned integers wraps like that of the IR.

A choice never changes a result by itself: an operation that depends on the sign gets a cast
where the type of its operand is the other one. Signed sums, though, must not overflow in C. Where
a kernel's parameters say their types in the source, what is computed from signed values and used
as signed is a signed sum of that source. All others, `wraps`, are computed as unsigned ones,
unless they have the flag `nsw`.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable

from xdsl.dialects import arith, func, math, scf, vector
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.dialects import host, ocl, vec
from polycl.dialects.ocl.builtins import BUILTINS
from polycl.dialects.ocl.kernel import PARAM_UNSIGNED, KernelLike

HOST = "ocl.host"
"""Attribute of the host's functions: their integers are signed where nothing speaks for either."""

_SIGNED = (arith.DivSIOp, arith.RemSIOp, arith.FloorDivSIOp, arith.CeilDivSIOp,
           arith.MinSIOp, arith.MaxSIOp, arith.ShRSIOp)  # fmt: skip
_UNSIGNED = (arith.DivUIOp, arith.RemUIOp, arith.CeilDivUIOp,
             arith.MinUIOp, arith.MaxUIOp, arith.ShRUIOp)  # fmt: skip
_WRAPPING = (arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.AndIOp, arith.OrIOp, arith.XOrIOp,
             arith.ShLIOp)  # fmt: skip
_SAME = (vector.ExtractOp, vector.InsertOp, vector.ShuffleOp, vector.BroadcastOp,
         ocl.ConcatOp, ocl.OffsetOp, ocl.ShuffleOp, ocl.Shuffle2Op)  # fmt: skip
"""Their operands with integers of the results' width are of the results' kind."""

_NAMES = re.compile(r"\s*(?:unsigned\b|size_t\b|uintptr_t\b|u(?:char|short|int|long)\d*\b)")
_SIGNED_NAMES = re.compile(r"\s*(?:signed\b|(?:char|short|int|long|ptrdiff_t|intptr_t)\d*\b)")


def innermost(type: Attribute) -> Attribute:
    """What a pointer, an array or a vector is made of in the end."""
    while True:
        match type:
            case ocl.PtrType():
                type = type.pointee
            case ocl.ArrayType():
                type = type.element
            case VectorType():
                type = type.element_type
            case host.BufferType():
                type = type.element
            case _:
                return type


def _width(type: Attribute) -> int:
    """Of the integers that a value or its memory holds; 0 where it holds none."""
    inner = innermost(type)
    return inner.width.data if isinstance(inner, IntegerType) and inner.width.data > 1 else 0


class Signs:
    """The signs of all integers of a module."""

    def __init__(self, module: ModuleOp):
        self._parent: dict[Hashable, Hashable] = {}
        self._votes: dict[Hashable, int] = {}
        self._links: list[tuple[Hashable, Hashable, int, int]] = []
        self._fixed: dict[Hashable, bool] = {}
        functions = [op for op in module.ops if isinstance(op, KernelLike | func.FuncOp)]
        kernels = [op for op in functions if isinstance(op, KernelLike)]
        self.wraps = not any(name for op in kernels for name in op.param_type_names)
        """Whether sums, differences and products of signed integers may overflow."""
        for op in functions:
            if isinstance(op, KernelLike):
                self._parameters(op)
        for op in functions:
            if isinstance(op, func.FuncOp):
                for index, argument in enumerate(op.body.blocks[0].args if op.body.blocks else ()):
                    self._unite(("argument", op.sym_name.data, index), argument)
                    if HOST in op.attributes:
                        self._vote(argument, False)
                for index in range(len(op.function_type.outputs) if HOST in op.attributes else 0):
                    self._vote(("result", op.sym_name.data, index), False)
        for op in module.walk():
            self._operation(op)
        self._unsigned = self._decide()

    def of(self, value: SSAValue) -> bool:
        """Whether an integer, or the integers that a pointer leads to, are unsigned."""
        return self._of(value)

    def of_field(self, record: ocl.RecordType, field: str) -> bool:
        return self._of(("field", record, field))

    def of_symbol(self, name: str) -> bool:
        return self._of(("symbol", name))

    def of_result(self, function: str, index: int = 0) -> bool:
        return self._of(("result", function, index))

    def _of(self, node: Hashable) -> bool:
        return self._unsigned.get(self._find(node), True)

    def _find(self, node: Hashable) -> Hashable:
        parent = self._parent.get(node, node)
        if parent != node:
            parent = self._parent[node] = self._find(parent)
        return parent

    def _unite(self, a: Hashable, b: Hashable) -> None:
        a, b = self._find(a), self._find(b)
        self._parent[a] = a
        self._parent[b] = b
        if a != b:
            self._parent[b] = a

    def _vote(self, node: Hashable, unsigned: bool, weight: int = 1) -> None:
        self._votes[node] = self._votes.get(node, 0) + (weight if unsigned else -weight)

    def _link(self, a: Hashable, b: Hashable, unsigned: int = 1, signed: int = 1) -> None:
        """The sign of `a` is a reason for the same sign of `b`."""
        self._links.append((a, b, unsigned, signed))

    def _fix(self, node: Hashable, unsigned: bool) -> None:
        self._parent.setdefault(node, node)
        self._fixed.setdefault(node, unsigned)

    def _parameters(self, kernel: KernelLike) -> None:
        for argument, attributes, spelling in zip(
            kernel.args, kernel.param_attrs, kernel.param_type_names, strict=True
        ):
            unsigned = attributes.get(PARAM_UNSIGNED)
            paths: set[str] = set()
            if isinstance(unsigned, ArrayAttr):
                paths = {path.data for path in unsigned if isinstance(path, StringAttr)}
            type = innermost(argument.type)
            if isinstance(type, ocl.RecordType) and spelling:
                self._fields(type, "", paths)
            elif _NAMES.match(spelling):
                self._fix(argument, True)
            elif _SIGNED_NAMES.match(spelling):
                self._fix(argument, False)

    def _fields(self, record: ocl.RecordType, path: str, unsigned: set[str]) -> None:
        for name, type in record.fields:
            inner, here = innermost(type), f"{path}.{name}" if path else name
            if isinstance(inner, ocl.RecordType):
                self._fields(inner, here, unsigned)
            else:
                self._fix(("field", record, name), here in unsigned)

    def _operation(self, op: Operation) -> None:
        match op:
            case arith.CmpiOp() | vec.CmpiOp():
                predicate = op.predicate.value.data
                if predicate >= 2:
                    self._vote(op.lhs, predicate >= 6)
                    self._vote(op.rhs, predicate >= 6)
                self._link(op.lhs, op.rhs)
                self._link(op.rhs, op.lhs)
            case arith.SIToFPOp() | vec.SIToFPOp() | arith.ExtSIOp() | vec.ExtSIOp():
                self._vote(op.operands[0], False)
                self._vote(op.results[0], False)
            case arith.UIToFPOp() | vec.UIToFPOp():
                self._vote(op.operands[0], True)
            case arith.ExtUIOp() | vec.ExtUIOp():
                self._vote(op.operands[0], True)
                if _width(op.results[0].type) < 64:
                    # C's promotion of what is narrower than int.
                    self._vote(op.results[0], False)
            case arith.FPToSIOp() | vec.FPToSIOp():
                self._vote(op.results[0], False)
            case arith.FPToUIOp() | vec.FPToUIOp():
                self._vote(op.results[0], True)
            case arith.IndexCastOp() | vec.IndexCastOp():
                self._vote(op.operands[0], False)
                self._vote(op.results[0], False)
            case _ if isinstance(op, _SIGNED + _UNSIGNED):
                unsigned = isinstance(op, _UNSIGNED)
                shift = isinstance(op, arith.ShRSIOp | arith.ShRUIOp)
                for value in (op.operands[0], op.results[0], *op.operands[1 : 1 + (not shift)]):
                    self._vote(value, unsigned, 2)
            case _ if isinstance(op, _WRAPPING):
                operands = op.operands[:1] if isinstance(op, arith.ShLIOp) else op.operands
                for operand in operands:
                    self._link(operand, op.results[0], unsigned=3)
                    self._link(op.results[0], operand)
                if any(_is_large(operand) for operand in op.operands):
                    self._vote(op.results[0], True)
            case math.AbsIOp():
                self._vote(op.operands[0], False)
            case arith.SelectOp() | vec.SelectOp():
                self._alike([op.lhs, op.rhs], op.result)
            case scf.ForOp():
                self._loop(op.iter_args, op.body.block.args[1:], op.res, op.body.block.last_op)
            case scf.WhileOp():
                before, after = op.before_region.block, op.after_region.block
                self._loop(op.arguments, before.args, (), after.last_op)
                condition = before.last_op
                assert isinstance(condition, scf.ConditionOp)
                for passed, argument, result in zip(
                    condition.args, after.args, op.res, strict=True
                ):
                    self._unite(argument, result)
                    self._alike([passed], result)
            case scf.IfOp() | scf.IndexSwitchOp() | scf.ExecuteRegionOp():
                for region in op.regions:
                    last = region.blocks[0].last_op if region.blocks else None
                    if isinstance(last, scf.YieldOp):
                        for value, result in zip(last.operands, op.results, strict=True):
                            self._alike([value], result)
            case func.CallOp():
                name = op.callee.root_reference.data
                for index, argument in enumerate(op.arguments):
                    self._copy(argument, ("argument", name, index), argument.type)
                for index, result in enumerate(op.res):
                    self._unite(("result", name, index), result)
            case func.ReturnOp():
                parent = op.parent_op()
                assert isinstance(parent, func.FuncOp)
                for index, value in enumerate(op.arguments):
                    self._copy(value, ("result", parent.sym_name.data, index), value.type)
            case _:
                self._memory(op)

    def _memory(self, op: Operation) -> None:
        match op:
            case ocl.LoadOp() | ocl.VLoadOp():
                self._copy(op.pointer, op.result, op.result.type)
            case ocl.StoreOp() | ocl.VStoreOp():
                self._copy(op.value, op.pointer, op.value.type)
            case ocl.AtomicRMWOp() | ocl.AtomicCmpXchgOp():
                self._copy(op.pointer, op.result, op.result.type)
                for value in op.operands[1:]:
                    self._copy(value, op.pointer, value.type)
            case ocl.CastOp():
                if innermost(op.pointer.type) == innermost(op.result.type):
                    self._unite(op.pointer, op.result)
            case ocl.MemberOp():
                assert isinstance(op.pointer.type, ocl.PtrType)
                self._unite(("field", op.pointer.type.pointee, op.field.data), op.result)
            case ocl.ExtractOp():
                self._unite(("field", op.struct.type, op.field.data), op.result)
            case ocl.InsertOp():
                self._copy(op.value, ("field", op.struct.type, op.field.data), op.value.type)
            case ocl.AddressOfOp():
                self._unite(("symbol", op.symbol.root_reference.data), op.result)
            case ocl.ConvertOp():
                self._vote(op.source, op.from_unsigned is not None, 2)
                self._vote(op.result, op.to_unsigned is not None, 2)
            case ocl.AsyncCopyOp():
                self._unite(op.target, op.source)
            case ocl.BuiltinOp():
                self._builtin(op)
            case host.LaunchOp():
                for argument, parameter in zip(op.arguments, op.callee().args, strict=True):
                    if isinstance(argument.type, host.BufferType):
                        self._unite(argument, parameter)
                    else:
                        self._copy(parameter, argument, argument.type)
            case host.OpaqueOp():
                for result in op.results:
                    self._vote(result, False)
            case host.WriteOp() | host.ReadOp() | host.CopyOp():
                if innermost(op.source.type) == innermost(op.target.type):
                    self._unite(op.source, op.target)
            case _:
                pass
        if isinstance(op, ocl.AtomicRMWOp) and op.kind.data.value.endswith(("min", "max")):
            self._vote(op.pointer, op.kind.data.value.startswith("u"), 2)
        if isinstance(op, _SAME):
            result = op.results[0]
            for operand in op.operands:
                if isinstance(operand.owner, arith.ConstantOp):
                    continue
                if innermost(operand.type) == innermost(result.type):
                    self._unite(operand, result)

    def _builtin(self, op: ocl.BuiltinOp) -> None:
        builtin = BUILTINS[op.function.data]
        unsigned = builtin.is_unsigned
        for letter, value in zip(builtin.arguments, op.arguments, strict=True):
            if letter == "T" and unsigned is not None:
                self._vote(value, unsigned, 2)
            elif letter in "IN":
                self._vote(value, letter == "N", 2)
        for letter, value in zip(builtin.results, op.res, strict=True):
            if letter == "T" and unsigned is not None:
                self._vote(value, unsigned or "abs" in builtin.name, 2)
            elif letter == "I":
                self._vote(value, False, 2)

    def _loop(
        self,
        starts: Iterable[SSAValue],
        arguments: Iterable[SSAValue],
        results: Iterable[SSAValue],
        end: Operation | None,
    ) -> None:
        arguments = list(arguments)
        assert isinstance(end, scf.YieldOp)
        for argument, start, value in zip(arguments, starts, end.operands, strict=True):
            self._alike([start, value], argument)
        for argument, result in zip(arguments, results, strict=False):
            self._unite(argument, result)

    def _alike(self, sources: Iterable[SSAValue], target: SSAValue) -> None:
        """`target` is a variable that gets the values of `sources`."""
        for source in sources:
            if isinstance(source.type, ocl.PtrType) or isinstance(source.owner, _WRAPPING):
                self._unite(source, target)
            else:
                self._copy(source, target, source.type)

    def _copy(self, source: SSAValue, target: Hashable, type: Attribute) -> None:
        if isinstance(type, ocl.PtrType):
            self._unite(source, target)
        else:
            self._link(source, target)
            self._link(target, source)

    def _decide(self) -> dict[Hashable, bool]:
        scores: dict[Hashable, int] = {}
        for node, vote in self._votes.items():
            root = self._find(node)
            scores[root] = scores.get(root, 0) + vote
        decided: dict[Hashable, bool] = {}
        for node, unsigned in self._fixed.items():
            decided.setdefault(self._find(node), unsigned)
        links = {
            (self._find(a), self._find(b), u, s): None
            for a, b, u, s in self._links
            if self._find(a) != self._find(b)
        }
        while True:
            round: dict[Hashable, int] = {r: v for r, v in scores.items() if r not in decided}
            for a, b, unsigned, signed in links:
                if a in decided and b not in decided:
                    round[b] = round.get(b, 0) + (unsigned if decided[a] else -signed)
            new = {root: vote > 0 for root, vote in round.items() if vote}
            if not new:
                return decided
            decided |= new


def _is_large(value: SSAValue) -> bool:
    """A constant that no one writes as a signed number: it sets high bits, as masks and the
    factors of hash functions do."""
    owner = value.owner
    if not isinstance(owner, arith.ConstantOp):
        return False
    match owner.value:
        case IntegerAttr() as attribute:
            number = attribute.value.data
        case DenseIntOrFPElementsAttr() as attribute:
            number = attribute.get_values()[0]
            assert isinstance(number, int)
        case _:
            return False
    return number < -(1 << 20) or number >= 1 << 30
