"""One function of the `gpu` level -> an `ocl.kernel`, or a `func.func` that kernels call."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from xdsl.dialects import func, gpu
from xdsl.dialects.builtin import (
    FunctionType,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    UnrankedMemRefType,
    i1,
    i8,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.dialects import ocl
from polycl.dialects.gpu_ext import PRIVATE_ATTRIBUTIONS, WORKGROUP_ATTRIBUTIONS
from polycl.dialects.inside import operations_in
from polycl.dialects.ocl.attributes import is_scalar, is_vector
from polycl.dialects.ocl.kernel import PARAM_IMPLIED, PARAM_NAME
from polycl.errors import error_at
from polycl.lowering.ocl.convert_gpu_to_ocl.gpu_memory import Memory, Scope
from polycl.lowering.ocl.convert_gpu_to_ocl.gpu_operations import OPERATIONS
from polycl.lowering.ocl.convert_gpu_to_ocl.gpu_types import address_space, stored_type
from polycl.lowering.ocl.convert_gpu_to_ocl.memref_views import (
    Number,
    View,
    ViewBuild,
    make_view,
    number_of,
    open_numbers,
)
from polycl.lowering.ocl.convert_gpu_to_ocl.memrefs import VIEWS

_KEPT = ("arith", "math", "cf", "vector", "func", "ub", "ocl")
_KEPT_SCF = ("if", "for", "while", "yield", "condition", "index_switch", "execute_region")


@dataclass
class _Parameters:
    """The parameters of the converted function while they are made."""

    entry: Block
    names: list[str] = field(default_factory=list)
    implied: dict[str, str] = field(default_factory=dict)

    def add(self, type: Attribute, name: str, implied: str | None = None) -> SSAValue:
        while name in self.names:
            name += "_"
        self.names.append(name)
        if implied is not None:
            self.implied[name] = implied
        argument = self.entry.insert_arg(type, len(self.entry.args))
        argument.name_hint = name
        return argument

    def attributes(self) -> list[dict[str, Attribute]]:
        result: list[dict[str, Attribute]] = []
        for name in self.names:
            attrs: dict[str, Attribute] = {PARAM_NAME: StringAttr(name)}
            if name in self.implied:
                attrs[PARAM_IMPLIED] = StringAttr(self.implied[name])
            result.append(attrs)
        return result


def convert_kernel(
    op: func.FuncOp | gpu.FuncOp, scope: Scope, name: str, local_size: tuple[int, ...] | None
) -> ocl.KernelOp:
    """`op` as an `ocl.kernel`; the body of `op` is moved into it."""
    parameters = _convert_body(op, scope, is_kernel=True)
    kernel = ocl.KernelOp(
        name,
        FunctionType.from_lists(parameters.entry.arg_types, []),
        op.detach_region(op.body),
        parameters.attributes(),
        reqd_work_group_size=local_size,
    )
    kernel.location = op.location
    return kernel


def convert_helper(op: func.FuncOp | gpu.FuncOp, scope: Scope, name: str) -> func.FuncOp:
    """`op` as a private `func.func`; the body of `op` is moved into it."""
    _refuse_memrefs(op, op.function_type.outputs, f"function '{op.sym_name.data}' returns")
    parameters = _convert_body(op, scope, is_kernel=False)
    type = FunctionType.from_lists(parameters.entry.arg_types, op.function_type.outputs.data)
    helper = func.FuncOp(name, type, op.detach_region(op.body), "private")
    helper.location = op.location
    return helper


def _convert_body(op: func.FuncOp | gpu.FuncOp, scope: Scope, *, is_kernel: bool) -> _Parameters:
    entry = op.body.blocks[0]
    memory = Memory(entry, VIEWS, scope, is_kernel=is_kernel)
    for nested in op.body.walk():
        _check_supported(nested)
    old = tuple(entry.args)
    parameters = _convert_parameters(op, memory, is_kernel=is_kernel)
    for nested in operations_in(op.body):
        match nested:
            case func.CallOp():
                _convert_call(nested, memory, scope)
            case gpu.ReturnOp() | func.ReturnOp():
                _convert_return(nested, is_kernel=is_kernel)
            case _ if type(nested) in OPERATIONS:
                OPERATIONS[type(nested)](nested, memory)
            case _ if type(nested) in VIEWS:
                memory.view(nested.results[0], nested)
            case _:
                pass
    for replaced in reversed(memory.replaced):
        Rewriter.erase_op(replaced)
    for argument in old:
        entry.erase_arg(argument)
    _erase_unused(entry)
    return parameters


def _convert_parameters(
    op: func.FuncOp | gpu.FuncOp, memory: Memory, *, is_kernel: bool
) -> _Parameters:
    """Replace the arguments of the entry block, in which attributions are arguments, too."""
    entry = memory.entry
    old = tuple(entry.args)
    workgroup, private = _attributions(op) if isinstance(op, gpu.FuncOp) else (0, 0)
    count = len(old) - workgroup - private
    parameters = _Parameters(entry)
    emitter = ViewBuild(op, InsertPoint.at_start(entry))
    names = [arg.name_hint or f"arg{index}" for index, arg in enumerate(old)]
    new: list[SSAValue] = []
    for arg, name in zip(old[:count], names, strict=False):
        type, default = arg.type, ocl.AddressSpace.GLOBAL if is_kernel else ocl.AddressSpace.GENERIC
        if isinstance(type, MemRefType):
            space = address_space(op, type, default)
            if is_kernel and space is ocl.AddressSpace.PRIVATE:
                raise error_at(op, f"parameter '{name}' is {type}: nobody can pass private memory")
            pointee = stored_type(op, type.element_type)
            new.append(parameters.add(ocl.PtrType(pointee, space), name))
        else:
            new.append(_value_parameter(op, parameters, name, type, is_kernel=is_kernel))
    for arg, value, name in zip(old, new, names, strict=False):
        if isinstance(arg.type, MemRefType):
            numbers: dict[str, Number] = {}
            for key in open_numbers(op, arg.type):
                passed = i64 if is_kernel else IndexType()
                number = parameters.add(passed, f"{name}_{key}", f"{name}.{key}")
                numbers[key] = converted = _from_parameter(emitter, number, IndexType())
                converted.name_hint = converted.name_hint or f"{name}_{key}"
            memory.define(arg, make_view(op, arg.type, value, numbers, emitter))
        else:
            arg.replace_all_uses_with(_from_parameter(emitter, value, arg.type))
    # Each goes to the top: the last one first.
    for index in reversed(range(len(old) - count)):
        arg, name = old[count + index], names[count + index]
        if not isinstance(arg.type, MemRefType):
            raise error_at(op, f"attribution '{name}' is {arg.type}; expected a memref")
        default = ocl.AddressSpace.LOCAL if index < workgroup else ocl.AddressSpace.PRIVATE
        memory.define(arg, memory.allocate(op, arg.type, default, name))
    return parameters


def _attributions(op: gpu.FuncOp) -> tuple[int, int]:
    """The numbers of the last inputs that are workgroup and that are private memory."""
    names = (WORKGROUP_ATTRIBUTIONS, PRIVATE_ATTRIBUTIONS)
    counts = [op.attributes.get(name, IntegerAttr(0, i64)) for name in names]
    workgroup, private = (n.value.data if isinstance(n, IntegerAttr) else -1 for n in counts)
    if min(workgroup, private) < 0 or workgroup + private > len(op.function_type.inputs):
        raise error_at(op, f"{WORKGROUP_ATTRIBUTIONS} counts more than there are attributions")
    return workgroup, private


def _value_parameter(
    op: Operation,
    parameters: _Parameters,
    name: str,
    type: Attribute,
    *,
    is_kernel: bool,
) -> SSAValue:
    """A parameter for a value of `type`; a kernel takes `index` as i64 and `i1` as i8."""
    if type in (IndexType(), i1):
        passed = stored_type(op, type) if is_kernel else type
        return parameters.add(passed, name)
    if not (is_scalar(type) or is_vector(type)):
        raise error_at(
            op,
            f"parameter '{name}' cannot have type {type}; expected a scalar, a "
            "vector of OpenCL C, or a ranked memref",
        )
    return parameters.add(type, name)


def _from_parameter(emitter: ViewBuild, value: SSAValue, type: Attribute) -> SSAValue:
    """A parameter that was passed for a value of `type`, as that type."""
    if value.type == type:
        return value
    if type == i1:
        zero = emitter.constant(0, i8)
        return emitter.compare("ne", value, zero)
    assert value.type == i64
    return emitter.index_cast(value, type)


def _convert_return(op: gpu.ReturnOp | func.ReturnOp, *, is_kernel: bool) -> None:
    new = ocl.ReturnOp() if is_kernel else func.ReturnOp(*op.operands)
    new.location = op.location
    Rewriter.replace_op(op, new, [])


def _convert_call(op: func.CallOp, memory: Memory, scope: Scope) -> None:
    """Pass pointers first, as `_convert_parameters` orders the parameters."""
    callee = op.callee.string_value()
    helper = scope.functions.get(callee)
    if helper is None or callee not in scope.symbols:
        raise error_at(op, f"call of {op.callee}, which is not defined in this module")
    emitter = ViewBuild(op)
    values: list[SSAValue] = []
    numbers: list[SSAValue] = []
    for argument, type in zip(op.arguments, helper.function_type.inputs, strict=True):
        if not isinstance(type, MemRefType):
            values.append(argument)
            continue
        view = memory.view(argument, op)
        values.append(
            _as_space(op, view, address_space(op, type, ocl.AddressSpace.GENERIC), emitter)
        )
        numbers += (emitter.value(number_of(view, key)) for key in open_numbers(op, type))
    name = scope.symbols[callee]
    call = func.CallOp(name, [*values, *numbers], op.result_types)
    emitter.emit_void(call)
    Rewriter.replace_op(op, [], call.results)


def _as_space(op: Operation, view: View, space: ocl.AddressSpace, emitter: ViewBuild) -> SSAValue:
    have = ocl.space_of(view.pointer)
    if have is space:
        return view.pointer
    if space is not ocl.AddressSpace.GENERIC or have is ocl.AddressSpace.CONSTANT:
        raise error_at(op, f"cannot pass {have.value} memory as {space.value} memory")
    return emitter.emit(ocl.CastOp(view.pointer, ocl.PtrType(ocl.pointee_of(view.pointer), space)))


def _check_supported(op: Operation) -> None:
    """Refuse operations that no later pass would refuse."""
    dialect, _, name = op.name.partition(".")
    ends = isinstance(op, gpu.ReturnOp) or isinstance(op.parent_op(), gpu.AllReduceOp)
    known = type(op) in OPERATIONS or type(op) in VIEWS or ends
    if known:
        return
    if dialect not in _KEPT and not (dialect == "scf" and name in _KEPT_SCF):
        hint = "; run lower-affine before" if dialect == "affine" else ""
        raise error_at(op, f"'{op.name}' in a kernel is not supported by convert-gpu-to-ocl{hint}")
    if not isinstance(op, func.CallOp):
        _refuse_memrefs(op, op.operand_types, f"'{op.name}' takes")
    _refuse_memrefs(op, op.result_types, f"'{op.name}' gives")
    for region in op.regions:
        for block in region.blocks:
            _refuse_memrefs(op, block.arg_types, f"a region of '{op.name}' takes")


def _refuse_memrefs(op: Operation, types: Iterable[Attribute], what: str) -> None:
    for type in types:
        if isinstance(type, MemRefType | UnrankedMemRefType):
            raise error_at(
                op, f"{what} {type}; expected memrefs that are known where they are used"
            )


def _erase_unused(entry: Block) -> None:
    """Remove sizes and strides that no access uses."""
    region = entry.parent
    assert region is not None
    for op in reversed(operations_in(region)):
        if op.name.startswith("arith.") and not any(result.uses for result in op.results):
            Rewriter.erase_op(op)
