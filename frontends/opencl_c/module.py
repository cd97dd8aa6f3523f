"""A program's typed trees -> a module of the `ocl` dialect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    UnitAttr,
    UnknownLoc,
    i32,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue

from polycl.dialects import ocl
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.ocl.debug import DEBUG_BUILD, DEBUG_FOLDER
from polycl.dialects.ocl.kernel import (
    NON_UNIFORM,
    PARAM_UNSIGNED,
    VEC_TYPE_HINT,
    declare_unsigned,
)
from polycl.errors import UnsupportedError
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.builder import file_location, remove_unused
from polycl.frontends.opencl_c.constant_data import constant_value
from polycl.frontends.opencl_c.conversions import from_memory, to_memory
from polycl.frontends.opencl_c.debug_variables import DebugVariables
from polycl.frontends.opencl_c.effects import walk_statements
from polycl.frontends.opencl_c.emit_jumps import emit_jumps
from polycl.frontends.opencl_c.implicit_arguments import implicit_arguments
from polycl.frontends.opencl_c.jumps import has_jumps, to_blocks
from polycl.frontends.opencl_c.liveness import Liveness
from polycl.frontends.opencl_c.program_variables import ProgramVariables
from polycl.frontends.opencl_c.read_functions import Program
from polycl.frontends.opencl_c.relaxed_math import relax
from polycl.frontends.opencl_c.statements import StatementEmitter
from polycl.frontends.opencl_c.strings import Strings
from polycl.frontends.opencl_c.structure import result_variable, structure
from polycl.frontends.opencl_c.tree import Function, Variable
from polycl.frontends.opencl_c.types import (
    CType,
    Kind,
    bytes_of,
    passed_type,
    pointer_type,
    unsigned_parts,
)

_FIRST_NEW_NUMBER = 1_000_000
"""The numbers of this compiler's own variables follow the numbers of the source's variables."""


def build_module(program: Program, wide_ids: bool = False) -> ModuleOp:
    """The module: program-scope data, functions that kernels call, kernels, each in source order.

    Unless `wide_ids`, the ids and sizes of a launch fit an `int`.

    Raises:
        UnsupportedError: recursion, or a construct that has no IR.
    """
    called = _called_functions(program)
    program.functions = {
        name: function
        for name, function in program.functions.items()
        if name in called or function.is_kernel
    }
    ops: list[Operation] = []
    for variable, initial in program.constants:
        op = ocl.ConstantDataOp(
            variable.symbol, variable.type.memory, constant_value(variable.type, initial)
        )
        op.location = file_location(*variable.location)
        declare_unsigned(op, unsigned_parts(variable.type, variable.symbol))
        ops.append(op)
    names = {name: _function_symbol(program, name) for name in called}
    taken = [*_symbols(program), *names.values()]
    shared = _Shared(names, program, taken, wide_ids)
    bodies = {name: _Body(function, shared) for name, function in program.functions.items()}
    functions = [bodies[name].function(names[name]) for name in program.functions if name in called]
    kernels = [
        bodies[name].kernel() for name, function in program.functions.items() if function.is_kernel
    ]
    strings = shared.strings.operations
    module = ModuleOp([*ops, *shared.variables.data(), *strings, *functions, *kernels])
    if program.debug_folder:
        module.attributes[DEBUG_FOLDER] = StringAttr(program.debug_folder)
    if program.is_debug_build:
        module.attributes[DEBUG_BUILD] = UnitAttr()
    return module


def _symbols(program: Program) -> list[str]:
    return [*program.functions, *(variable.symbol for variable, _ in program.constants)]


def _function_symbol(program: Program, name: str) -> str:
    """The symbol of a function; a kernel that others call gets a second one for its copy."""
    taken = _symbols(program)
    if not program.functions[name].is_kernel:
        return name
    symbol = f"{name}_function"
    while symbol in taken:
        symbol += "_"
    return symbol


def _called_functions(program: Program) -> set[str]:
    """The functions that kernels call, directly or not; all those of a program without kernels."""
    calls = {name: function.calls for name, function in program.functions.items()}
    kernels = [name for name, function in program.functions.items() if function.is_kernel]
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> None:
        for call in calls[name]:
            target = call.function
            if target not in calls:
                raise UnsupportedError(
                    f"function '{target}' has no definition; define it in this source, or link it",
                    *call.location,
                )
            if target in [*path, name]:
                raise UnsupportedError(
                    f"recursion is not supported: '{target}' calls itself", *call.location
                )
            if target not in done:
                visit(target, [*path, name])
                done.add(target)

    # What no kernel reaches may call what is defined nowhere.
    for name in kernels or calls:
        visit(name, [])
    return done if kernels else set(calls)


class _Shared:
    """The state that all functions of a program share."""

    def __init__(self, symbols: dict[str, str], program: Program, taken: list[str], wide_ids: bool):
        self.wide_ids = wide_ids
        self.is_debug_build = program.is_debug_build
        self.may_wait = program.may_wait
        self.symbols = symbols
        """The names of functions in the source -> those in the module."""
        self.variables = ProgramVariables(program.variables, taken)
        self.strings = Strings([*taken, self.variables.symbol])
        structure = self.variables.structure if program.variables else None
        self.implicit = {
            symbols.get(name, name): variables
            for name, variables in implicit_arguments(program.functions, structure).items()
        }
        """The implicit arguments of functions, by their names in the module."""


class _Body:
    """The body of one function, of which there is a kernel, a function or both in the module."""

    def __init__(self, function: Function, shared: _Shared):
        self.source = function
        self.shared = shared
        self.implicit = shared.implicit[shared.symbols.get(function.name, function.name)]
        self.needs_variables = shared.variables.structure in self.implicit
        for call in function.calls:
            call.function = shared.symbols.get(call.function, call.function)
        self.liveness = Liveness()
        self.blocks = to_blocks(function) if has_jumps(function) else None
        """The graph of a function with goto; other functions are structured."""
        if self.blocks is None:
            self.result = structure(function, count(_FIRST_NEW_NUMBER))
            self.liveness.before(function.body, set() if self.result is None else {self.result})
        else:
            self.result = result_variable(function, _FIRST_NEW_NUMBER)

    @property
    def variables(self) -> list[Variable]:
        """The function's variables, without its parameters."""
        declared = [
            statement.variable
            for statement in walk_statements(self.source.body)
            if isinstance(statement, tree.Declare)
        ]
        return [*self.source.temporaries, *declared]

    def kernel(self) -> Operation:
        region = self._region(is_kernel=True)
        parameters = self.source.parameters
        inputs = [_kernel_type(parameter.type) for parameter in parameters]
        if self.needs_variables:
            inputs.append(_address_of(self.shared.variables.structure))
        op = ocl.KernelOp(
            self.source.name,
            FunctionType.from_lists(inputs, []),
            region,
            self._parameter_attributes(),
            reqd_work_group_size=self.source.sizes.get("reqd_work_group_size"),
            work_group_size_hint=self.source.sizes.get("work_group_size_hint"),
            assume=self.source.assumptions,
        )
        declare_unsigned(op, _unsigned_in(self.variables))
        if not self.source.is_uniform:
            op.attributes[NON_UNIFORM] = UnitAttr()
        if self.source.vec_type_hint:
            op.attributes[VEC_TYPE_HINT] = StringAttr(self.source.vec_type_hint)
        if self.source.sub_group_size is not None:
            op.attributes[ocl.REQUIRED_SUB_GROUP_SIZE] = IntegerAttr(
                self.source.sub_group_size, i32
            )
        op.location = file_location(*self.source.location)
        return op

    def function(self, symbol: str) -> Operation:
        region = self._region(is_kernel=False)
        inputs = [passed_type(parameter.type) for parameter in self.source.parameters]
        inputs += [_address_of(variable) for variable in self.implicit]
        outputs = [] if self.result is None else [passed_type(self.result.type)]
        op = func.FuncOp(symbol, (inputs, outputs), region, visibility="private")
        op.location = file_location(*self.source.location)
        variables = [*self.source.parameters, *self.variables]
        variables += [] if self.result is None else [self.result]
        declare_unsigned(op, _unsigned_in(variables))
        return op

    def _parameter_attributes(self) -> list[dict[str, Attribute]]:
        found: list[dict[str, Attribute]] = []
        for parameter, flags, typedef in zip(
            self.source.parameters,
            self.source.parameter_flags,
            self.source.parameter_typedefs,
            strict=True,
        ):
            attributes: dict[str, Attribute] = {
                ocl.PARAM_NAME: StringAttr(parameter.name),
                ocl.PARAM_TYPE: StringAttr(parameter.type.spelling),
            }
            if typedef:
                attributes[ocl.PARAM_TYPEDEF] = StringAttr(typedef)
            attributes |= {f"ocl.{flag}": UnitAttr() for flag in flags}
            unsigned = [path[1:] for path in unsigned_parts(parameter.type, "") if path]
            if unsigned:
                attributes[PARAM_UNSIGNED] = ArrayAttr(map(StringAttr, unsigned))
            found.append(attributes)
        if self.needs_variables:
            names = [parameter.name for parameter in self.source.parameters]
            found.append(self.shared.variables.parameter(names))
        return found

    def _region(self, *, is_kernel: bool) -> Region:
        region = self._written(is_kernel)
        relax(region, self.source.permitted)
        return region

    def _written(self, is_kernel: bool) -> Region:
        emitter = StatementEmitter(self.liveness)
        emitter.wide_ids = self.shared.wide_ids
        emitter.strings = self.shared.strings
        emitter.implicit_arguments = self.shared.implicit
        emitter.location = self.source.location
        entry = emitter.block
        for parameter in self.source.parameters:
            type = _kernel_type(parameter.type) if is_kernel else passed_type(parameter.type)
            argument = entry.insert_arg(type, len(entry.args))
            argument.name_hint = parameter.hint
            emitter.location = parameter.location
            argument.location = emitter.loc()
        arguments = list(entry.args)
        if is_kernel:
            emitter.arguments.update(arguments)
        for variable in self.implicit:
            emitter.location = variable.location
            if is_kernel and variable.space is AddressSpace.LOCAL:
                slot = emitter.value(ocl.LocalAllocOp(variable.type.memory))
            else:
                slot = entry.insert_arg(_address_of(variable), len(entry.args))
                slot.location = emitter.loc()
            emitter.set_slot(variable, slot)
            if variable is self.shared.variables.structure:
                self.shared.variables.enter(emitter, slot)
        self._allocate(emitter)
        for parameter, argument in zip(self.source.parameters, arguments, strict=True):
            emitter.location = parameter.location
            if parameter.in_memory:
                _store_parameter(emitter, parameter, argument)
            elif argument.type != parameter.type.value:
                emitter.values[parameter] = from_memory(emitter, argument, parameter.type)
            else:
                emitter.values[parameter] = argument
        if self.shared.is_debug_build:
            self._declare_for_debugger(emitter, is_kernel)
        if self.blocks is not None:
            return emit_jumps(emitter, self.blocks, is_kernel)
        emitter.statements(self.source.body)
        emitter.location = self.source.location
        if is_kernel:
            emitter.new(ocl.ReturnOp)
        else:
            results = [] if self.result is None else [emitter.get(self.result)]
            emitter.new(func.ReturnOp, results)
        remove_unused(entry)
        return Region(entry)

    def _declare_for_debugger(self, emitter: StatementEmitter, is_kernel: bool) -> None:
        parameters = self.source.parameters
        emitter.debug = debug = DebugVariables(emitter, self.shared.may_wait)
        debug.declare([*parameters, *self.variables], parameters)
        emitter.location = self.source.location
        scopes = [parameter.scope for parameter in parameters if parameter.scope is not None]
        if is_kernel and scopes:
            debug.declare_ids(scopes[0])
        before = emitter.block.last_op
        debug.keep_all()
        # A debugger stops at a function where its first line is: after this.
        while before is not None and (before := before.next_op) is not None:
            before.location = UnknownLoc()

    def _allocate(self, emitter: StatementEmitter) -> None:
        """Private memory for every variable that needs it, once, at the start of the function."""
        for variable in [*self.source.parameters, *self.variables]:
            if not variable.in_memory or variable in emitter.slots:
                continue
            emitter.location = variable.location
            emitter.set_slot(variable, emitter.value(ocl.AllocaOp(variable.type.memory)))


def _unsigned_in(variables: Iterable[Variable]) -> Iterator[str]:
    for variable in variables:
        if variable.hint is not None:
            yield from unsigned_parts(variable.type, variable.hint)


def _address_of(variable: Variable) -> ocl.PtrType:
    return pointer_type(variable.type.memory, variable.space)


def _kernel_type(type: CType) -> Attribute:
    return bytes_of(type) if type.kind is Kind.UNION else type.memory


def _store_parameter(emitter: StatementEmitter, parameter: Variable, argument: SSAValue) -> None:
    slot = emitter.slots[parameter]
    if parameter.type.kind is Kind.UNION:
        slot = emitter.op(ocl.CastOp, slot, type=pointer_type(argument.type, AddressSpace.PRIVATE))
    else:
        argument = to_memory(emitter, argument, parameter.type.memory)
    emitter.store_to(argument, slot)
