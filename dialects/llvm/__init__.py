"""The operations of MLIR's LLVM dialect that xDSL's `llvm` dialect lacks.

An operation here can move upstream as it is, under the name `llvm.<the same>`. Each can go when
xDSL has it.
"""

from __future__ import annotations

from abc import ABC

from xdsl.dialects.builtin import (
    AnyFloatConstr,
    IntegerAttr,
    IntegerType,
    SignlessIntegerConstraint,
    StringAttr,
    VectorType,
    i1,
    i64,
)
from xdsl.dialects.llvm import LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    EqAttrConstraint,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.registry import dialect

_T: VarConstraint = VarConstraint("T", AnyAttr())
_F: VarConstraint = VarConstraint("F", AnyFloatConstr | VectorType.constr(AnyFloatConstr))
_FLOATS = AnyFloatConstr | VectorType.constr(AnyFloatConstr)
_INTEGERS = SignlessIntegerConstraint | VectorType.constr(SignlessIntegerConstraint)
_BOOLS = EqAttrConstraint(i1) | VectorType.constr(i1)

CALLING_CONVENTION = "llvm_ext.cconv"
"""Attribute (StringAttr) of an `llvm.func`: a calling convention that xDSL does not know, such as
`ptx_kernel`."""

INVARIANT = "llvm_ext.invariant"
"""Attribute (UnitAttr) of an `llvm.load`: nothing writes the memory while the kernel runs."""

FCMP_PREDICATES = tuple("oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno".split())
ATOMIC_OPERATIONS = tuple("xchg add sub and or xor max min umax umin fadd fmin fmax".split())
ORDERINGS = ("monotonic", "acquire", "release", "acq_rel", "seq_cst")


class _Cast(IRDLOperation, ABC):
    """A conversion between integers and floats, scalars or vectors."""

    traits = traits_def(Pure())

    assembly_format = "$arg attr-dict `:` type($arg) `to` type($res)"

    def __init__(self, arg: SSAValue, result_type: Attribute):
        super().__init__(operands=[arg], result_types=[result_type])


class _FloatToInt(_Cast, ABC):
    arg = operand_def(_FLOATS)
    res = result_def(_INTEGERS)


@irdl_op_definition
class FPToSIOp(_FloatToInt):
    """`%i = llvm_ext.fptosi %x : f32 to i32`; poison where the value does not fit."""

    name = "llvm_ext.fptosi"


@irdl_op_definition
class FPToUIOp(_FloatToInt):
    """`%i = llvm_ext.fptoui %x : f32 to i32`; poison where the value does not fit."""

    name = "llvm_ext.fptoui"


@irdl_op_definition
class UIToFPOp(_Cast):
    """`%x = llvm_ext.uitofp %i : i32 to f32`."""

    name = "llvm_ext.uitofp"

    arg = operand_def(_INTEGERS)
    res = result_def(_FLOATS)


@irdl_op_definition
class FCmpOp(IRDLOperation):
    """`%m = llvm_ext.fcmp "olt" %a, %b : vector<4xf32>`: xDSL's has no vectors."""

    name = "llvm_ext.fcmp"

    predicate = prop_def(StringAttr)
    lhs = operand_def(_F)
    rhs = operand_def(_F)
    res = result_def(_BOOLS)

    traits = traits_def(Pure())

    assembly_format = "$predicate $lhs `,` $rhs attr-dict `:` type($lhs) `->` type($res)"

    def __init__(self, predicate: str, lhs: SSAValue, rhs: SSAValue):
        result = VectorType(i1, lhs.type.shape) if isinstance(lhs.type, VectorType) else i1
        super().__init__(
            operands=[lhs, rhs],
            properties={"predicate": StringAttr(predicate)},
            result_types=[result],
        )

    def verify_(self) -> None:
        _verify_word("predicate", self.predicate, FCMP_PREDICATES)


@irdl_op_definition
class SelectOp(IRDLOperation):
    """`%r = llvm_ext.select %m, %a, %b : vector<4xi1>, vector<4xf32>`: element by element."""

    name = "llvm_ext.select"

    cond = operand_def(VectorType.constr(IntegerType(1)))
    lhs = operand_def(_T)
    rhs = operand_def(_T)
    res = result_def(_T)

    traits = traits_def(Pure())

    assembly_format = "$cond `,` $lhs `,` $rhs attr-dict `:` type($cond) `,` type($lhs)"

    def __init__(self, cond: SSAValue, lhs: SSAValue, rhs: SSAValue):
        super().__init__(operands=[cond, lhs, rhs], result_types=[lhs.type])


@irdl_op_definition
class FreezeOp(IRDLOperation):
    """`%y = llvm_ext.freeze %x : vector<4xf32>`: the same, or any value in place of poison."""

    name = "llvm_ext.freeze"

    arg = operand_def(_T)
    res = result_def(_T)

    traits = traits_def(Pure())

    assembly_format = "$arg attr-dict `:` type($arg)"

    def __init__(self, arg: SSAValue):
        super().__init__(operands=[arg], result_types=[arg.type])


@irdl_op_definition
class ExtractElementOp(IRDLOperation):
    """`%x = llvm_ext.extractelement %v[%i : i64] : vector<4xf32> -> f32`."""

    name = "llvm_ext.extractelement"

    vector = operand_def(VectorType)
    position = operand_def(SignlessIntegerConstraint)
    res = result_def()

    traits = traits_def(Pure())

    assembly_format = (
        "$vector `[` $position `:` type($position) `]` attr-dict `:` type($vector) `->` type($res)"
    )

    def __init__(self, vector: SSAValue, position: SSAValue):
        assert isinstance(vector.type, VectorType)
        super().__init__(operands=[vector, position], result_types=[vector.type.element_type])

    def verify_(self) -> None:
        assert isinstance(self.vector.type, VectorType)
        if self.res.type != self.vector.type.element_type:
            raise VerifyException(
                f"an element of {self.vector.type} is not of type {self.res.type}"
            )


@irdl_op_definition
class PoisonOp(IRDLOperation):
    """`%x = llvm_ext.mlir.poison : vector<4xf32>`: a value that nothing may depend on."""

    name = "llvm_ext.mlir.poison"

    res = result_def()

    traits = traits_def(Pure())

    assembly_format = "attr-dict `:` type($res)"

    def __init__(self, result_type: Attribute):
        super().__init__(result_types=[result_type])


@irdl_op_definition
class LaneAddressesOp(IRDLOperation):
    """`llvm.getelementptr` with a vector of indices: one address for each, `stride` bytes apart.

    `%a = llvm_ext.lane_addresses %p[%i] stride 4 : vector<16xi64> -> vector<16x!llvm.ptr>`
    """

    name = "llvm_ext.lane_addresses"

    pointer = operand_def(LLVMPointerType())
    indices = operand_def(VectorType)
    stride = prop_def(IntegerAttr)
    res = result_def(VectorType)

    traits = traits_def(Pure())

    assembly_format = (
        "$pointer `[` $indices `]` `stride` $stride attr-dict `:` type($indices) `->` type($res)"
    )

    def __init__(self, pointer: SSAValue, indices: SSAValue, stride: int):
        assert isinstance(indices.type, VectorType)
        super().__init__(
            operands=[pointer, indices],
            properties={"stride": IntegerAttr(stride, i64)},
            result_types=[VectorType(LLVMPointerType(), indices.type.get_shape())],
        )


@irdl_op_definition
class LanePointersOp(IRDLOperation):
    """`llvm.inttoptr` on vectors: one pointer for each address.

    `%p = llvm_ext.lane_pointers %a : vector<4xi64> -> vector<4x!llvm.ptr>`
    """

    name = "llvm_ext.lane_pointers"

    addresses = operand_def(VectorType)
    res = result_def(VectorType)

    traits = traits_def(Pure())

    assembly_format = "$addresses attr-dict `:` type($addresses) `->` type($res)"

    def __init__(self, addresses: SSAValue):
        assert isinstance(addresses.type, VectorType)
        shape = addresses.type.get_shape()
        super().__init__(operands=[addresses], result_types=[VectorType(LLVMPointerType(), shape)])


@irdl_op_definition
class VolatileLoadOp(IRDLOperation):
    """A load that stays: `%x = llvm_ext.volatile_load %p {alignment = 4 : i64} : !llvm.ptr -> f32`.

    xDSL's load has no such flag.
    """

    name = "llvm_ext.volatile_load"

    ptr = operand_def(LLVMPointerType)
    alignment = prop_def(IntegerAttr)
    res = result_def()

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "$ptr attr-dict `:` type($ptr) `->` type($res)"

    irdl_options = (ParsePropInAttrDict(),)

    def __init__(self, ptr: SSAValue, result_type: Attribute, alignment: int):
        super().__init__(
            operands=[ptr],
            properties={"alignment": IntegerAttr(alignment, i64)},
            result_types=[result_type],
        )


@irdl_op_definition
class AddrSpaceCastOp(IRDLOperation):
    """`%q = llvm_ext.addrspacecast %p : !llvm.ptr<1> to !llvm.ptr`."""

    name = "llvm_ext.addrspacecast"

    arg = operand_def(LLVMPointerType)
    res = result_def(LLVMPointerType)

    traits = traits_def(Pure())

    assembly_format = "$arg attr-dict `:` type($arg) `to` type($res)"


@irdl_op_definition
class AtomicRMWOp(IRDLOperation):
    """`%old = llvm_ext.atomicrmw "add" %p, %v "seq_cst" scope "device" : !llvm.ptr, i32`.

    Without a scope, all threads of the system see it as atomic.
    """

    name = "llvm_ext.atomicrmw"

    bin_op = prop_def(StringAttr)
    ordering = prop_def(StringAttr)
    scope = opt_prop_def(StringAttr)
    ptr = operand_def(LLVMPointerType)
    val = operand_def(_T)
    res = result_def(_T)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = (
        "$bin_op $ptr `,` $val $ordering (`scope` $scope^)? attr-dict `:` type($ptr) `,` type($val)"
    )

    def __init__(
        self, bin_op: str, ptr: SSAValue, val: SSAValue, ordering: str, scope: str | None = None
    ):
        super().__init__(
            operands=[ptr, val],
            properties={
                "bin_op": StringAttr(bin_op),
                "ordering": StringAttr(ordering),
                "scope": _optional(scope),
            },
            result_types=[val.type],
        )

    def verify_(self) -> None:
        _verify_word("operation", self.bin_op, ATOMIC_OPERATIONS)
        _verify_word("ordering", self.ordering, ORDERINGS)


@irdl_op_definition
class CmpXchgOp(IRDLOperation):
    """Compare and exchange; the result is the old value and whether it was exchanged.

    `%r = llvm_ext.cmpxchg %p, %expected, %new "seq_cst" "seq_cst" : !llvm.ptr, i32
    -> !llvm.struct<(i32, i1)>`
    """

    name = "llvm_ext.cmpxchg"

    success_ordering = prop_def(StringAttr)
    failure_ordering = prop_def(StringAttr)
    scope = opt_prop_def(StringAttr)
    ptr = operand_def(LLVMPointerType)
    cmp = operand_def(_T)
    val = operand_def(_T)
    res = result_def(LLVMStructType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = (
        "$ptr `,` $cmp `,` $val $success_ordering $failure_ordering "
        "(`scope` $scope^)? attr-dict "
        "`:` type($ptr) `,` type($val) `->` type($res)"
    )

    def __init__(
        self,
        ptr: SSAValue,
        cmp: SSAValue,
        val: SSAValue,
        ordering: str,
        scope: str | None = None,
    ):
        super().__init__(
            operands=[ptr, cmp, val],
            properties={
                "success_ordering": StringAttr(ordering),
                "failure_ordering": StringAttr(ordering),
                "scope": _optional(scope),
            },
            result_types=[LLVMStructType.from_type_list([val.type, i1])],
        )

    def verify_(self) -> None:
        _verify_word("ordering", self.success_ordering, ORDERINGS)
        _verify_word("ordering", self.failure_ordering, ORDERINGS)


@irdl_op_definition
class FenceOp(IRDLOperation):
    """`llvm_ext.fence "acq_rel" scope "device"`; without a scope, it is for all threads."""

    name = "llvm_ext.fence"

    ordering = prop_def(StringAttr)
    scope = opt_prop_def(StringAttr)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "$ordering (`scope` $scope^)? attr-dict"

    def __init__(self, ordering: str, scope: str | None = None):
        super().__init__(properties={"ordering": StringAttr(ordering), "scope": _optional(scope)})

    def verify_(self) -> None:
        _verify_word("ordering", self.ordering, ORDERINGS[1:])


def _optional(text: str | None) -> StringAttr | None:
    return None if text is None else StringAttr(text)


def _verify_word(what: str, word: StringAttr, known: tuple[str, ...]) -> None:
    if word.data not in known:
        raise VerifyException(f"unknown {what} '{word.data}'; expected one of {', '.join(known)}")


LLVM_EXT = dialect("llvm_ext", globals().values())
