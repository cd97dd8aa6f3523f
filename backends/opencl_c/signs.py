"""Which integers are unsigned: OpenCL C has two kinds of them, the IR one.

Variables have the sign that the source declares: kernels say the types of their parameters
(`ocl.type`), functions and program-scope data the names of what is unsigned (`ocl.unsigned`), and
a value that has a name is a variable of the source. What has no name has the sign of the operation
that computes it: `arith.divui` gives an unsigned integer, a load what its pointer leads to, and a
sum, as in C, an unsigned one if an operand is. What nothing is known of is signed.

A sign never changes a result: an operation that depends on it gets a cast where its operand's
type is the other one. Signed sums, though, must not overflow in C. Where a kernel's parameters
have types of the source, a sum of signed integers is one of that source. All others, `wraps`, are
computed as unsigned ones, unless they have the flag `nsw`.
"""

from __future__ import annotations

import re

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
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.analysis.wg.sources import direct_sources
from polycl.dialects import ocl, vec
from polycl.dialects.comparisons import is_unsigned
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
_FREE = vec.both(
    *(arith.TruncIOp, arith.BitcastOp, ocl.BitcastOp, ocl.PtrToIntOp, ocl.ConcatOp),
    arith.ConstantOp,
)
"""The result has the sign that its users need."""

_NAME = re.compile(r"\s*(?:unsigned\b|size_t\b|uintptr_t\b|u(?:char|short|int|long)\d*\b)")
_NUMBER = re.compile(r"_\d+$")


def innermost(type: Attribute) -> Attribute:
    """What a pointer, an array or a vector is made of in the end."""
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
        self._names: dict[str, set[str]] = {}
        self._fields: set[tuple[Attribute, str]] = set()
        for op in module.ops:
            names = self._names[_symbol(op)] = unsigned_names(op)
            if isinstance(op, KernelLike):
                self._kernel(op, names)
            if isinstance(op, ocl.ConstantDataOp):
                self._add_fields(op.type, op.sym_name.data, names)
            for inner in op.walk():
                blocks = (block for region in inner.regions for block in region.blocks)
                for value in (*inner.results, *(a for block in blocks for a in block.args)):
                    self._add_fields(value.type, value.name_hint or "", names)
            # Passes that split structures join the names by "_".
            names |= {name.replace(".", "_") for name in names}

    def of(self, value: SSAValue) -> bool:
        """Whether an integer, or the integers that a pointer leads to, are unsigned."""
        found = self._known.get(value)
        if found is None:
            self._known[value] = False  # What a loop carries depends on itself.
            found = self._known[value] = self._find(value)
        return found

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
            for path in paths if isinstance(paths, ArrayAttr) else ():
                names.add(f"{name}.{path.data}")
            self._add_fields(argument.type, name, names)
            self._parameters[argument] = _NAME.match(spelling) is not None
            if self._parameters[argument]:
                names.add(name)

    def _add_fields(self, type: Attribute, path: str, unsigned: set[str]) -> None:
        """Take the signs of the fields of a structure from the variable `path`."""
        type = innermost(type)
        for name, field in type.fields if isinstance(type, ocl.RecordType) else ():
            self._add_fields(field, f"{path}.{name}", unsigned)
            if f"{path}.{name}" in unsigned:
                self._fields.add((type, name))

    def _declared(self, value: SSAValue) -> bool | None:
        """The sign that the source gives to the variable that `value` is."""
        if value in self._parameters:
            return self._parameters[value]
        name = value.name_hint
        if name is None or self.wraps or not isinstance(innermost(value.type), IntegerType):
            return None
        op = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
        while op is not None and not isinstance(op.parent_op(), ModuleOp):
            op = op.parent_op()
        names = self._names[_symbol(op)]
        return name in names or _NUMBER.sub("", name) in names

    def _find(self, value: SSAValue) -> bool:
        owner, type = value.owner, innermost(value.type)
        if isinstance(owner, scf.ForOp | scf.WhileOp):
            # The result is one variable with the argument of the body.
            return self.of(
                owner.regions[-1].block.args[-len(owner.results) :][owner.results.index(value)]
            )
        declared = None if isinstance(owner, ocl.MemberOp) else self._declared(value)
        if declared is not None:
            return declared
        needed = self._needed(value)
        if isinstance(owner, _FREE) and needed is not None:
            return needed
        match owner:
            case arith.ConstantOp(value=IntegerAttr() as number):
                # A literal that C takes for an unsigned one sets high bits, as masks do.
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
                # C promotes what is narrower than int to a signed one.
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
            case _ if isinstance(owner, _SIGNED + _UNSIGNED):
                return isinstance(owner, _UNSIGNED)
            case _ if isinstance(owner, _WRAPPING) and needed:
                return True
            case _:
                # As in C, one unsigned operand is enough; of a shift, the first one counts.
                count = 1 if isinstance(owner, arith.ShLIOp) else None
                operands = list(direct_sources(value))[:count]
                return any(self.of(v) for v in operands if innermost(v.type) == type)

    def _needed(self, value: SSAValue) -> bool | None:
        """Whether a user of a value without a name needs it unsigned; None where none cares."""
        if value not in self._needs:
            found = {self._needed_by(use.operation, use.index) for use in value.uses}
            self._needs[value] = True if True in found else False if False in found else None
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


def _symbol(op: Operation | None) -> str:
    name = None if op is None else op.get_attr_or_prop("sym_name")
    return name.data if isinstance(name, StringAttr) else ""
