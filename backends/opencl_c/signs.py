"""Which integers are unsigned: OpenCL C has signed and unsigned types, the IR signless ones.

A value with a name is a variable of the source and has its declared sign: kernels have the types
of their parameters (`ocl.type`), functions and program-scope data the names that are unsigned
(`ocl.unsigned`). A value without a name has the sign of its operation: `arith.divui` gives an
unsigned integer, a load what its pointer points to, and a sum, as in C, an unsigned integer if an
operand is unsigned. All other integers are signed.

A sign never changes a result: an operand whose type has the other sign is cast. But signed sums
must not overflow in C. Where the parameters of kernels have types of the source, a sum of signed
integers is one of the source. Otherwise (`wraps`), sums without the flag `nsw` are computed on
unsigned integers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from xdsl.dialects import arith, func, math, scf
from xdsl.dialects.builtin import (
    ArrayAttr,
    ContainerType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
    i32,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from polycl.analysis.wg.sources import direct_sources
from polycl.dialects import ocl, vec
from polycl.dialects.comparisons import is_unsigned
from polycl.dialects.ocl import CombineKind
from polycl.dialects.ocl.builtins import BUILTINS
from polycl.dialects.ocl.kernel import PARAM_UNSIGNED, UNSIGNED, KernelLike, unsigned_names

_SIGNED = vec.both(
    *(arith.DivSIOp, arith.RemSIOp, arith.FloorDivSIOp, arith.CeilDivSIOp, arith.MinSIOp),
    *(arith.MaxSIOp, arith.ShRSIOp, arith.SIToFPOp, arith.ExtSIOp, arith.IndexCastOp, math.FPowIOp),
)
_UNSIGNED = vec.both(
    *(arith.DivUIOp, arith.RemUIOp, arith.CeilDivUIOp, arith.MinUIOp, arith.MaxUIOp),
    *(arith.ShRUIOp, arith.UIToFPOp, arith.ExtUIOp, arith.FPToUIOp),
)
_WRAPPING = vec.both(
    *(arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.AndIOp, arith.OrIOp, arith.XOrIOp),
    *(arith.ShLIOp, arith.SelectOp),
)
_ORDERED = (CombineKind.MIN, CombineKind.MAX, CombineKind.UMIN, CombineKind.UMAX)
_FREE = vec.both(
    *(arith.TruncIOp, arith.BitcastOp, ocl.BitcastOp, ocl.PtrToIntOp, ocl.ConcatOp),
    arith.ConstantOp,
)
"""The result has the sign that its users need."""

_UNSIGNED_TYPE = re.compile(r"\s*(?:unsigned\b|size_t\b|uintptr_t\b|u(?:char|short|int|long)\d*\b)")
_NUMBER = re.compile(r"_\d+$")


def innermost(type: Attribute) -> Attribute:
    """The innermost type of a pointer, an array or a vector."""
    while True:
        match type:
            case ocl.PtrType():
                type = type.pointee
            case ocl.ArrayType():
                type = type.element
            case ContainerType():
                type = type.get_element_type()
            case _:
                return type


def defined_values(op: Operation) -> Iterator[SSAValue]:
    """The results of `op` and of the operations in it, and the arguments of their blocks."""
    for inner in op.walk():
        yield from inner.results
        yield from (a for region in inner.regions for block in region.blocks for a in block.args)


class Signs:
    """The signs of all integers of a module."""

    def __init__(self, module: ModuleOp):
        kernels = [op for op in module.ops if isinstance(op, KernelLike)]
        spelled = any(name for op in kernels for name in op.param_type_names)
        self.wraps = not spelled and not any(UNSIGNED in op.attributes for op in module.ops)
        """Whether sums, differences and products of signed integers may overflow."""
        self._known: dict[SSAValue, bool] = {}
        self._needs: dict[SSAValue, bool | None] = {}
        self._parameters: dict[SSAValue, bool] = {}
        self._names: dict[SSAValue | str, set[str]] = {}
        """The unsigned names of the function or data that a value or a symbol belongs to."""
        self._fields: set[tuple[Attribute, str]] = set()
        for op in module.ops:
            names = unsigned_names(op)
            symbol = op.get_attr_or_prop("sym_name")
            if isinstance(symbol, StringAttr):
                self._names[symbol.data] = names
            if isinstance(op, KernelLike):
                self._kernel(op, names)
            if isinstance(op, ocl.ConstantDataOp):
                self._add_fields(op.type, op.sym_name.data, names)
            for value in defined_values(op):
                self._names[value] = names
                self._add_fields(value.type, value.name_hint or "", names)
            # Passes that split structures join the names by "_".
            names |= {name.replace(".", "_") for name in names}

    def of(self, value: SSAValue) -> bool:
        """Whether an integer, or the integers that a pointer points to, are unsigned."""
        if value not in self._known:
            self._known[value] = False  # A value carried by a loop depends on itself.
            self._known[value] = self._find(value)
        return self._known[value]

    def of_field(self, record: Attribute, field: str) -> bool:
        return (record, field) in self._fields

    def of_symbol(self, name: str) -> bool:
        return name in self._names.get(name, ())

    def of_result(self, function: str) -> bool:
        return "result" in self._names.get(function, ())

    def _kernel(self, op: KernelLike, names: set[str]) -> None:
        for argument, attributes, name, spelling in zip(
            op.args, op.param_attrs, op.param_names, op.param_type_names, strict=True
        ):
            paths = attributes.get(PARAM_UNSIGNED)
            names |= {f"{name}.{p.data}" for p in (paths if isinstance(paths, ArrayAttr) else ())}
            self._add_fields(argument.type, name, names)
            self._parameters[argument] = _UNSIGNED_TYPE.match(spelling) is not None
            if self._parameters[argument]:
                names.add(name)

    def _add_fields(self, type: Attribute, path: str, unsigned: set[str]) -> None:
        """Take the signs of a structure's fields from the variable `path`."""
        type = innermost(type)
        for name, field in type.fields if isinstance(type, ocl.RecordType) else ():
            self._add_fields(field, f"{path}.{name}", unsigned)
            if f"{path}.{name}" in unsigned:
                self._fields.add((type, name))

    def _declared(self, value: SSAValue) -> bool | None:
        """The sign of the variable of the source that `value` is, or None."""
        if value in self._parameters:
            return self._parameters[value]
        name = value.name_hint
        if name is None or self.wraps or not isinstance(innermost(value.type), IntegerType):
            return None
        return not self._names[value].isdisjoint((name, _NUMBER.sub("", name)))

    def _find(self, value: SSAValue) -> bool:
        owner, type = value.owner, innermost(value.type)
        if isinstance(value, OpResult) and isinstance(owner, scf.ForOp | scf.WhileOp):
            # The result and the argument of the body are one variable.
            return self.of(owner.regions[-1].block.args[value.index - len(owner.results)])
        declared = None if isinstance(owner, ocl.MemberOp) else self._declared(value)
        if declared is not None:
            return declared
        needed = self._needed(value)
        if isinstance(owner, _FREE) and needed is not None:
            return needed
        match owner:
            case arith.ConstantOp(value=IntegerAttr() as number):
                # C reads these literals as unsigned; large negative ones are masks.
                return not -(1 << 20) <= number.value.data < 1 << 31
            case ocl.MemberOp(pointer=SSAValue(type=ocl.PtrType(pointee=record))):
                return self.of_field(record, owner.field.data)
            case ocl.ExtractOp():
                return self.of_field(owner.struct.type, owner.field.data)
            case ocl.CastOp() if innermost(owner.pointer.type) != type:
                return needed is True
            case ocl.AddressOfOp():
                return self.of_symbol(owner.symbol.string_value())
            case func.CallOp():
                return self.of_result(owner.callee.string_value())
            case arith.ExtUIOp() | vec.ExtUIOp():
                # C promotes integers that are narrower than int to int.
                return needed is True or type != i32
            case arith.BitcastOp() | ocl.BitcastOp() | ocl.PtrToIntOp():
                return True
            case arith.TruncIOp() | vec.TruncIOp():
                return self.of(owner.input)
            case ocl.ConvertOp():
                return owner.to_unsigned is not None
            case ocl.BuiltinOp() if owner.function.data[:2] in ("s_", "u_"):
                return owner.function.data[0] == "u" or "abs" in owner.function.data
            case ocl.BuiltinOp() if BUILTINS[owner.function.data].results != "T":
                return False
            case ocl.ImageReadOp():
                return UNSIGNED in owner.attributes
            case ocl.GroupReduceOp() | ocl.GroupScanOp() if owner.kind.data in _ORDERED:
                return owner.kind.data.value.startswith("u")
            case ocl.Collective():
                return self.of(owner.value)
            case _ if isinstance(owner, _SIGNED + _UNSIGNED):
                return isinstance(owner, _UNSIGNED)
            case _ if isinstance(owner, _WRAPPING) and needed:
                return True
            case _:
                # As in C, one unsigned operand is enough; of a shift, only the first one counts.
                count = 1 if isinstance(owner, arith.ShLIOp) else None
                operands = list(direct_sources(value))[:count]
                return any(self.of(v) for v in operands if innermost(v.type) == type)

    def _needed(self, value: SSAValue) -> bool | None:
        """Whether a user of a value without a name needs it unsigned; None if all accept both."""
        if value not in self._needs:
            needs = (self._needed_by(use.operation, use.index) for use in value.uses)
            self._needs[value] = max((need for need in needs if need is not None), default=None)
        return self._needs[value]

    def _needed_by(self, user: Operation, index: int) -> bool | None:
        is_amount = index == 1 and isinstance(user, arith.ShLIOp | arith.ShRSIOp | arith.ShRUIOp)
        match user:
            case arith.CmpiOp() | vec.CmpiOp():
                return is_unsigned(user)
            case ocl.StoreOp() | ocl.VStoreOp() | ocl.AtomicRMWOp() | ocl.AtomicCmpXchgOp():
                return None if user.operands[index] is user.pointer else self.of(user.pointer)
            case _ if is_amount:
                return None
            case _ if isinstance(user, (*_WRAPPING, ocl.LoadOp, ocl.OffsetOp, ocl.ConcatOp)):
                declared = self._declared(user.results[0])
                return self._needed(user.results[0]) if declared is None else declared
            case _ if isinstance(user, _SIGNED + _UNSIGNED):
                return isinstance(user, _UNSIGNED)
            case _:
                return None
