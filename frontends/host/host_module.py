"""A host program and its kernels -> one module."""

from __future__ import annotations

from collections.abc import Container, Sequence
from pathlib import Path

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import MemRefType, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import SymbolOpInterface

from polycl.dialects import host
from polycl.dialects.host.launches import IN_C
from polycl.dialects.ocl.kernel import KernelLike
from polycl.errors import PolyclError, SourceError
from polycl.frontends.host.emit_host import HostEmitter
from polycl.frontends.host.emit_program import ProgramEmitter
from polycl.frontends.host.host_launches import resolve_launches
from polycl.frontends.host.library import HARMLESS
from polycl.frontends.host.prepare import Prepared
from polycl.frontends.host.read import HostSource
from polycl.frontends.host.rewriting import NewVariable, assignments, expressions_in
from polycl.frontends.host.sources import KernelSources
from polycl.frontends.opencl_c import import_source, tree
from polycl.frontends.opencl_c.builder import file_location, remove_unused
from polycl.frontends.opencl_c.effects import walk_statements
from polycl.frontends.opencl_c.liveness import Liveness
from polycl.frontends.opencl_c.source import Location
from polycl.frontends.opencl_c.tree import Const, Stmt, Variable
from polycl.frontends.opencl_c.types import Kind
from polycl.remarks import emit_remark

_PASS = "import-host"
"""The name of this importer in remarks."""


def kernel_module(
    sources: KernelSources, filename: str, files: Sequence[str], options: Sequence[str]
) -> ModuleOp:
    """The kernels of a host program: from `files`, or from what it builds.

    Raises:
        PolyclError: there are none, or a file cannot be read.
        SourceError: two builds with different options.
    """
    is_one = len({text for text, _ in sources.options if text}) <= 1
    built = _build_options(sources) if is_one else []
    texts: list[tuple[str | bytes, str]] = []
    options_of: dict[str, str] = {}
    if files:
        built = _build_options(sources)
        texts = [(_read(name), name) for name in files]
    else:
        folder, missing = Path(filename).parent, list[tuple[str, Location]]()
        for name, where in sources.files:
            found = [path for path in (folder / name, folder / Path(name).name) if path.is_file()]
            if not found:
                # It may be a message that ends with the name of a file.
                missing.append((name, where))
                continue
            if str(found[0]) not in (known for _, known in texts):
                texts.append((_read(str(found[0])), str(found[0])))
            options_of[str(found[0])] = sources.built_with.get(name, "")
        for text, (file, line, _) in sources.texts:
            texts.append((text, f"{file}.{line}.cl"))
            options_of[f"{file}.{line}.cl"] = sources.built_with.get(text, "")
        if not is_one and len(set(options_of.values())) <= 1:
            # The same source is built twice.
            built = _build_options(sources)
        if not texts and missing:
            name, where = missing[0]
            raise SourceError(f"there is no file '{name}' next to this program", *where)
        if not texts:
            beside = sorted(folder.glob("*.cl"))
            if len(beside) != 1:
                remedy = "name the file with '-k kernels.cl'"
                if sources.unknown:
                    raise SourceError(
                        "the text of this program of kernels is no string literal that is known "
                        f"here; write the kernels in a file, and {remedy}",
                        *sources.unknown[0],
                    )
                raise PolyclError(f"{filename}: the source of its kernels is unknown; {remedy}")
            texts.append((_read(str(beside[0])), str(beside[0])))
    operations: dict[str, Operation] = {}
    for text, name in texts:
        own = [] if is_one else [o for o in [options_of.get(name, "")] if o]
        module = import_source(text, name, [*built, *own, *options])
        _make_distinct(module, operations)
        for op in list(module.body.block.ops):
            symbol = op.get_trait(SymbolOpInterface)
            attribute = None if symbol is None else symbol.get_sym_attr_name(op)
            key = f"{len(operations)}" if attribute is None else attribute.data
            if key in operations:
                raise PolyclError(f"{name}: '{key}' is in another kernel file, too; rename one")
            op.detach()
            operations[key] = op
    return ModuleOp(list(operations.values()))


def _make_distinct(module: ModuleOp, taken: Container[str]) -> None:
    """Rename what another file has, too: functions and constants are the file's own, and only
    kernels are known to the host by their names."""
    names: dict[str, str] = {}
    named = [op for op in module.body.block.ops if op.get_trait(SymbolOpInterface)]
    own = {op.properties["sym_name"] for op in named}
    for op in named:
        name = old = op.properties["sym_name"]
        assert isinstance(name, StringAttr) and isinstance(old, StringAttr)
        while not isinstance(op, KernelLike) and (name.data in taken or name in own - {old}):
            name = StringAttr(f"{name.data}_")
        if name != old:
            op.properties["sym_name"] = name
            own.add(name)
            names[old.data] = name.data

    for op in module.walk():
        for key, value in op.properties.items():
            if isinstance(value, SymbolRefAttr) and value.root_reference.data in names:
                op.properties[key] = SymbolRefAttr(names[value.root_reference.data])


def _build_options(sources: KernelSources) -> list[str]:
    known = {text for text, _ in sources.options if text}
    if len(known) > 1:
        raise SourceError(
            f"kernels are built with different options: {', '.join(map(repr, sorted(known)))}; "
            "build them with the same",
            *sources.options[-1][1],
        )
    return sorted(known)


def _read(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise PolyclError(f"cannot open '{name}': {error.strerror}") from error


def host_function(
    name: str,
    where: Location,
    prepared: Prepared,
    module: ModuleOp,
    new_variable: NewVariable,
    program: HostSource | None = None,
) -> func.FuncOp:
    """The function of a prepared host function, whose kernels are in the module."""
    kernels = {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, KernelLike)}
    body = prepared.body
    launches = resolve_launches(body, prepared.kernels, kernels, new_variable)
    result = prepared.result
    if program is None and result is not None and _only_constant(body, result):
        result = None
    liveness = Liveness()
    liveness.before(body, set() if result is None else {result})
    emitter = (
        HostEmitter(liveness, launches)
        if program is None
        else ProgramEmitter(liveness, launches, program)
    )
    entry = emitter.block
    for parameter in prepared.parameters:
        emitter.location = parameter.location
        if parameter.type.kind is Kind.HANDLE:
            continue
        argument = entry.insert_arg(parameter.type.value, len(entry.args))
        argument.name_hint = parameter.hint
        argument.location = emitter.loc()
        if parameter.in_memory:
            emitter.allocate(parameter)
            emitter.store_to(argument, emitter.slots[parameter])
        else:
            emitter.values[parameter] = argument
    declared = [s.variable for s in walk_statements(body) if isinstance(s, tree.Declare)]
    outside = [] if program is None else _used(body, program.in_c)
    for variable in [*prepared.memory, *outside, *declared]:
        if variable.in_memory:
            emitter.allocate(variable)
    emitter.statements(body)
    emitter.location = where
    results = [] if result is None else [emitter.get(result)]
    emitter.new(func.ReturnOp, results)
    _remove_unread_arrays(entry)
    remove_unused(entry)
    _remove_unused_queries(entry)
    remove_unused(entry)
    if name == "main" and program is None:
        # A program that does not read its command line has no parameters.
        for argument in [a for a in entry.args if not a.uses]:
            entry.erase_arg(argument)
    while name in kernels:
        # In C a function may have the name of a kernel.
        name += "_host"
    function = func.FuncOp(
        name, ([a.type for a in entry.args], [r.type for r in results]), Region(entry)
    )
    function.location = file_location(*where)
    for text, place in prepared.sources.options:
        if text is None:
            emit_remark(_at(place), _PASS, "the build options are not a literal and are ignored")
    for op in function.walk():
        if isinstance(op, host.OpaqueOp):
            _tell(op)
    return function


def _used(body: list[Stmt], variables: set[Variable]) -> list[Variable]:
    """Those of the variables that the statements use."""
    found = [e.variable for e in expressions_in(body) if isinstance(e, tree.VarRef)]
    return [variable for variable in dict.fromkeys(found) if variable in variables]


def _at(where: Location) -> Operation:
    op = ModuleOp([])
    op.location = file_location(*where)
    return op


def _only_constant(body: list[Stmt], result: Variable) -> bool:
    """Whether the function's value is its status: one constant."""
    values = [value for variable, value in assignments(body) if variable is result]
    constants = {value.value for value in values if isinstance(value, Const)}
    return all(isinstance(value, Const) for value in values) and len(constants) <= 1


def _remove_unread_arrays(block: Block) -> None:
    """Remove the arrays that are never read, such as those for a kernel's text."""
    arrays = [op for op in block.walk() if isinstance(op, memref.AllocOp)]
    for array in arrays:
        users = [use.operation for use in array.memref.uses]
        if all(_only_writes(user, array.memref) for user in users):
            for user in dict.fromkeys(users):
                user.detach()
                user.erase()
            array.detach()
            array.erase()


def _only_writes(user: Operation, array: SSAValue) -> bool:
    if isinstance(user, memref.StoreOp):
        return user.value is not array
    return isinstance(user, memref.DeallocOp)


def _remove_unused_queries(block: Block) -> None:
    """Remove queries of the device whose results are unused."""
    for op in list(block.walk()):
        is_query = isinstance(op, host.OpaqueOp) and op.function.data.startswith("clGet")
        # One in C has its answer in memory.
        if is_query and IN_C not in op.attributes and not any(result.uses for result in op.results):
            op.detach()
            op.erase()


def _tell(op: host.OpaqueOp) -> None:
    name = op.function.data
    if name in HARMLESS or IN_C in op.attributes:
        return
    if any(isinstance(v.type, MemRefType | host.BufferType) for v in op.operands):
        what = "its arrays and buffers keep their layout"
    else:
        what = "it must be passed when the program runs"
    emit_remark(op, _PASS, f"'{name}' is unknown: {what}")
