"""Functions that were not inlined: a function for all lanes of a tile."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from xdsl.dialects import func, scf
from xdsl.dialects.builtin import FunctionType, IndexType, IntegerType, ModuleOp
from xdsl.ir import Attribute, Block, Region, SSAValue, Use
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.calls import callee_of
from polycl.analysis.ocl.lane_stride import VARYING
from polycl.analysis.ocl.lane_stride import Lanes as Strides
from polycl.analysis.ocl.speculation import is_speculatable
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl
from polycl.dialects.inside import operations_in
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.vec import count_of
from polycl.lowering.wg.wg_vectorize.forms import Form
from polycl.lowering.wg.wg_vectorize.lane_values import Lanes, NotVectorizable, Scalar, mask_type
from polycl.lowering.wg.wg_vectorize.masked_control import emit_ops
from polycl.lowering.wg.wg_vectorize.vector_emitter import Emitter

LARGE = 500
"""Operations of a function that is made once: integers are always passed to it as vectors."""


@dataclass(frozen=True)
class _Passed:
    """How an argument is passed: as a scalar, which grows by `stride`, or as vectors (None)."""

    stride: int | None
    interleaved: bool
    """It points to private memory whose elements lie next to those of the other lanes."""


@dataclass(frozen=True)
class _Variant:
    """What a function is made for."""

    callee: func.FuncOp
    lanes: int
    passed: tuple[_Passed, ...]
    masked: bool


class VectorFunctions:
    """The vector functions of a module, each made at its first call.

    A function of scalars becomes one of vectors, for the calls that pass their arguments in the
    same way. A pointer to a lane's own array is one pointer to the arrays of all lanes. Where only
    some lanes call it, the last parameter is the mask of those that do.
    """

    def __init__(
        self,
        module: ModuleOp,
        *,
        small_buffers: bool,
        masks: bool = True,
        distinct: bool = False,
    ):
        self.masks = masks
        """Whether the processor stores under masks at full speed."""
        self.distinct = distinct
        """Whether buffers of different parameters do not overlap."""
        self._small_buffers = small_buffers
        self._names = {op.sym_name.data for op in module.ops if isinstance(op, func.FuncOp)}
        self._made: dict[_Variant, func.FuncOp | NotVectorizable] = {}
        self._large: dict[func.FuncOp, bool] = {}
        self._speculatable: dict[func.FuncOp, bool] = {}

    def parameter(self, use: Use) -> SSAValue | None:
        """The parameter that an argument of a call becomes."""
        if not isinstance(use.operation, func.CallOp):
            return None
        return callee_of(use.operation).body.block.args[use.index]

    def call(self, e: Emitter, op: func.CallOp) -> None:
        """Call the function for all lanes that are on."""
        callee = callee_of(op)
        if op.results and all(e.is_uniform(result) for result in op.results):
            arguments = [e.lane(argument, 0) for argument in op.arguments]
            results = e.emit_copy(op, arguments, op.result_types).results
            e.values.update(zip(op.results, map(Scalar, results), strict=True))
            return
        passed: list[_Passed] = []
        arguments: list[SSAValue] = []
        always_vectors = self._is_large(callee)
        for old in op.arguments:
            value, interleaved = e.value(old), old in e.interleaved
            is_number = isinstance(old.type, IntegerType | IndexType)
            if isinstance(value, Scalar) and not (is_number and always_vectors):
                passed.append(_Passed(value.stride, interleaved))
                arguments.append(value.value)
            else:
                passed.append(_Passed(None, interleaved))
                arguments += e.vectors(old)
        variant = _Variant(callee, e.lanes, tuple(passed), masked=True)
        if variant not in self._made and (e.mask is None or self._runs_anywhere(callee)):
            variant = _Variant(callee, e.lanes, tuple(passed), masked=False)
        function = self._function(variant)
        if variant.masked:
            arguments.append(e.mask_vector())
        types = function.function_type.outputs.data
        call = func.CallOp(function.sym_name.data, arguments, types)
        e.emit_void(call)
        results = iter(call.results)
        for old in op.results:
            parts = tuple(islice(results, count_of(old.type)))
            for part in parts:
                part.name_hint = old.name_hint
            e.values[old] = Lanes(parts)

    def _is_large(self, callee: func.FuncOp) -> bool:
        if callee not in self._large:
            self._large[callee] = len(operations_in(callee.body)) > LARGE
        return self._large[callee]

    def _runs_anywhere(self, callee: func.FuncOp) -> bool:
        """Whether a lane that is off may run the function, too."""
        if callee not in self._speculatable:
            self._speculatable[callee] = all(
                isinstance(op, scf.IfOp | scf.YieldOp | func.ReturnOp) or is_speculatable(op)
                for op in callee.body.walk()
            )
        return self._speculatable[callee]

    def _function(self, variant: _Variant) -> func.FuncOp:
        if variant not in self._made:
            try:
                self._made[variant] = self._make(variant)
            except NotVectorizable as error:
                self._made[variant] = error
        made = self._made[variant]
        if isinstance(made, NotVectorizable):
            raise made
        return made

    def _make(self, variant: _Variant) -> func.FuncOp:
        callee, old = variant.callee, variant.callee.body.block
        pairs = list(zip(old.args, variant.passed, strict=True))
        facts = Uniformity(
            callee,
            small_buffers=self._small_buffers,
            parameters=[_strides(arg, passed) for arg, passed in pairs],
        )
        types: list[Attribute] = []
        forms = [Form(arg, passed.stride) for arg, passed in pairs]
        for form in forms:
            types += form.types(variant.lanes)
        block = Block(arg_types=types)
        e = Emitter(facts, 0, variant.lanes, block, self)
        e.source = callee
        at = 0
        for form, passed in zip(forms, variant.passed, strict=True):
            values = block.args[at : at + len(form.types(variant.lanes))]
            at += len(values)
            for value in values:
                value.name_hint = form.old.name_hint
            e.values[form.old] = form.value(values)
            if passed.interleaved:
                e.interleaved.add(form.old)
        if variant.masked:
            e.mask = block.insert_arg(mask_type(variant.lanes), len(block.args))
            e.mask.name_hint = "mask"
        emit_ops(e, old)
        end = terminator(old)
        e.source = end
        results = [part for value in end.operands for part in e.vectors(value)]
        e.emit_void(func.ReturnOp(*results))
        function = func.FuncOp(
            self._new_name(f"{callee.sym_name.data}.x{variant.lanes}"),
            FunctionType.from_lists(
                [arg.type for arg in block.args], [result.type for result in results]
            ),
            Region(block),
            visibility="private",
        )
        function.location = callee.location
        Rewriter.insert_op(function, InsertPoint.before(callee))
        return function

    def _new_name(self, wanted: str) -> str:
        name, number = wanted, 1
        while name in self._names:
            name, number = f"{wanted}.{number}", number + 1
        self._names.add(name)
        return name


def _strides(parameter: SSAValue, passed: _Passed) -> Strides:
    """What is known of a parameter along the lanes, which are the first dimension here."""
    stride = VARYING if passed.stride is None else passed.stride
    if isinstance(parameter.type, ocl.PtrType):
        if parameter.type.address_space in (AddressSpace.PRIVATE, AddressSpace.GENERIC):
            # As of a variable's address: the elements may lie otherwise than the type says.
            stride = VARYING
    return Strides(stride, VARYING, VARYING)
