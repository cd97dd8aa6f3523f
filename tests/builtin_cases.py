"""Every builtin and conversion on every type: modules and inputs for differential tests."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    FunctionType,
    ModuleOp,
    StringAttr,
    VectorType,
    f16,
    f32,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.dialects.math import RsqrtOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from polycl.analysis.llvm import libm
from polycl.backends.device import Device, NDRange
from polycl.dialects import ocl
from polycl.dialects.ocl import PARAM_NAME, AddressSpace, PtrType, Rounding
from polycl.dialects.ocl.builtins import BUILTINS, Builtin
from polycl.dialects.vec import cast, element_of, same_shape

FLOATS: tuple[Attribute, ...] = (f16, f32, f64)
INTEGERS: tuple[Attribute, ...] = (i8, i16, i32, i64)
WIDTHS = (1, 2, 3, 4)

MATH_OPS: dict[str, type[Operation]] = {name: op for op, name in libm.MATH_OPS.items()}
"""The operations of the math dialect that are functions of libm, by their name there."""

_DTYPES = {f16: "f2", f32: "f4", f64: "f8", i1: "i1", i8: "i1", i16: "i2", i32: "i4", i64: "i8"}


def dtype_of(type: Attribute) -> np.dtype:
    """The numpy type of the elements of `type`; an i1 is a byte."""
    return np.dtype(_DTYPES[element_of(type)])


def shaped(type: Attribute, width: int) -> Attribute:
    """`type`, or a vector of `width` of it where that is more than 1."""
    return type if width == 1 else VectorType(type, [width])


def builtin_cases() -> Iterator[tuple[Builtin, Attribute]]:
    """Each builtin with each type itself that it is tested on."""
    for builtin in BUILTINS.values():
        letter = builtin.arguments[builtin.gentype_index]
        elements = {"F": FLOATS, "T": INTEGERS, "A": FLOATS + INTEGERS, "N": FLOATS}[letter]
        widths: Sequence[int] = (3, 4) if builtin.name == "cross" else WIDTHS
        for element, width in itertools.product(elements, widths):
            if "W" in builtin.results and element == i64:
                continue
            if builtin.is_dot_product and element != i32:
                continue
            yield builtin, shaped(element, width)


@dataclass(frozen=True)
class Case:
    """A module with one kernel `@f`, and the types that each work-item reads and writes.

    The kernel's parameters are a buffer for each argument and one for each result; work-item i
    uses their i-th values, the elements of vectors without gaps, an i1 as a byte.
    """

    name: str
    module: ModuleOp
    arguments: tuple[Attribute, ...]
    results: tuple[Attribute, ...]


def builtin_case(builtin: Builtin, gentype: Attribute) -> Case:
    """A kernel that calls the builtin."""
    arguments = tuple(builtin.type_of(letter, gentype) for letter in builtin.arguments)
    results = tuple(builtin.type_of(letter, gentype) for letter in builtin.results)

    def call(values: Sequence[SSAValue]) -> Operation:
        return ocl.BuiltinOp(builtin.name, values, results)

    return _case(f"{builtin.name} {gentype}", call, arguments, results)


def function_case(name: str, gentype: Attribute) -> Case:
    """A kernel that calls a math function by its OpenCL name: a builtin or an operation of math."""
    if name in BUILTINS:
        return builtin_case(BUILTINS[name], gentype)
    op = RsqrtOp if name == "rsqrt" else MATH_OPS[name]
    types = (gentype,) * (2 if name in ("atan2", "pow") else 1)
    return _case(
        f"{name} {gentype}",
        lambda values: op.create(operands=values, result_types=[gentype]),
        types,
        (gentype,),
    )


def _case(
    name: str,
    call: Callable[[Sequence[SSAValue]], Operation],
    arguments: tuple[Attribute, ...],
    results: tuple[Attribute, ...],
) -> Case:
    pointers = [
        PtrType(i8 if element_of(type) == i1 else element_of(type), AddressSpace.GLOBAL)
        for type in (*arguments, *results)
    ]
    block = Block(arg_types=pointers)
    item = ocl.GlobalIdOp(0)
    block.add_op(item)
    values: list[SSAValue] = []
    for parameter, type in zip(block.args, arguments, strict=False):
        load = _access_load(parameter, item.result, type)
        block.add_op(load)
        values.append(load.results[0])
    op = call(values)
    block.add_op(op)
    for parameter, result in zip(block.args[len(arguments) :], op.results, strict=True):
        value: SSAValue = result
        if element_of(value.type) == i1:
            extended = cast(arith.ExtUIOp, value, same_shape(i8, value.type))
            block.add_op(extended)
            value = extended.results[0]
        store = ocl.VStoreOp if isinstance(value.type, VectorType) else ocl.StoreOp
        block.add_op(store(value, parameter, item.result))
    block.add_op(ocl.ReturnOp())
    attrs = [{PARAM_NAME: StringAttr(f"p{index}")} for index in range(len(pointers))]
    function = FunctionType.from_lists(pointers, [])
    module = ModuleOp([ocl.KernelOp("f", function, Region(block), attrs)])
    module.verify()
    return Case(name, module, arguments, results)


def _access_load(pointer: SSAValue, index: SSAValue, type: Attribute) -> Operation:
    if isinstance(type, VectorType):
        return ocl.VLoadOp(pointer, index, type)
    return ocl.LoadOp(pointer, index)


def convert_cases() -> Iterator[tuple[Attribute, Attribute, Rounding | None, bool, bool, bool]]:
    """Source, target, rounding, saturation, and whether source and target are unsigned."""
    scalars = INTEGERS + FLOATS
    modes = (None, *Rounding)
    for source, target, mode in itertools.product(scalars, scalars, modes):
        signs_in = (False, True) if source in INTEGERS else (False,)
        signs_out = (False, True) if target in INTEGERS else (False,)
        saturations = (False, True) if target in INTEGERS else (False,)
        for sat, unsigned_in, unsigned_out in itertools.product(saturations, signs_in, signs_out):
            yield source, target, mode, sat, unsigned_in, unsigned_out


def convert_case(
    source: Attribute,
    target: Attribute,
    mode: Rounding | None,
    saturate: bool,
    unsigned_in: bool,
    unsigned_out: bool,
    width: int,
) -> Case:
    """A kernel that converts."""

    def call(values: Sequence[SSAValue]) -> Operation:
        return ocl.ConvertOp(
            values[0],
            shaped(target, width),
            rounding=mode,
            saturate=saturate,
            from_unsigned=unsigned_in,
            to_unsigned=unsigned_out,
        )

    signs = f"{'u' * unsigned_in}{source} to {'u' * unsigned_out}{target}"
    name = f"{signs} {mode.value if mode else ''} {'sat' * saturate} x{width}"
    return _case(name, call, (shaped(source, width),), (shaped(target, width),))


def shuffle_case(element: Attribute, source: int, mask: Attribute, count: int, two: bool) -> Case:
    """A kernel that shuffles one or two vectors of `source` elements into `count`."""
    vector = shaped(element, source)

    def call(values: Sequence[SSAValue]) -> Operation:
        if two:
            return ocl.Shuffle2Op(values[0], values[1], values[2])
        return ocl.ShuffleOp(values[0], values[1])

    arguments = (vector, vector, shaped(mask, count)) if two else (vector, shaped(mask, count))
    return _case(f"shuffle {vector} {mask}", call, arguments, (shaped(element, count),))


def concat_case(element: Attribute, widths: Sequence[int]) -> Case:
    """A kernel that lays parts of these widths one after the other."""
    result = shaped(element, sum(widths))
    assert isinstance(result, VectorType)
    arguments = tuple(shaped(element, width) for width in widths)
    return _case(f"concat {widths}", lambda v: ocl.ConcatOp(v, result), arguments, (result,))


_SPECIAL = (
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, 0.25, 0.1, 1e-3, 7.999, 100.0, 126.5,
    127.5, 128.0, -128.5, 255.5, 256.0, 32767.5, 65504.0, 65520.0, 2.0**31 - 0.5, 2.0**31, 2.0**32,
    -(2.0**31) - 1, 2.0**63, -(2.0**63), 2.0**64, 1e30, 3e38, 1e300, 1e-7, 1e-40, 1e-310,
    float("inf"), float("-inf"), float("nan"),
)  # fmt: skip


def special_values(type: Attribute) -> np.ndarray:
    """Numbers at which functions go wrong, of the elements of `type`."""
    dtype = dtype_of(type)
    if dtype.kind == "f":
        info = np.finfo(dtype)
        own = [info.max, -info.max, info.tiny, info.smallest_subnormal, info.eps, 1 - info.epsneg]
        with np.errstate(over="ignore"):
            return np.array([*_SPECIAL, *own, info.tiny - info.smallest_subnormal], dtype)
    info = np.iinfo(dtype)
    small = [0, 1, 2, 3, 5, 7, 8, 15, 31, 63, 100, -1, -2, -3, -7, -100]
    large = [info.max, info.min, info.max - 1, info.min + 1, info.max // 2, info.max // 3]
    return np.array([*small, *large], dtype)


def inputs(types: Sequence[Attribute], count: int, seed: int) -> list[np.ndarray]:
    """For each argument, `count` values (rows of elements for vectors): special and random ones."""
    random = np.random.default_rng(seed)
    arrays: list[np.ndarray] = []
    for type in types:
        elements = type.element_count() if isinstance(type, VectorType) else 1
        dtype = dtype_of(type)
        bits = random.integers(0, 256, (count, elements * dtype.itemsize), np.uint8).view(dtype)
        special = special_values(type)
        mild = random.normal(0, 3, bits.shape).astype(dtype)
        kind = random.integers(0, 4, bits.shape)
        chosen = np.where(kind == 0, bits, special[random.integers(0, len(special), bits.shape)])
        chosen = np.where(kind == 1, mild, chosen).astype(dtype)
        # No signalling NaNs: whether a copy of one makes it quiet is the device's matter.
        chosen[chosen != chosen] = np.nan if dtype.kind == "f" else 0
        arrays.append(chosen)
    return arrays


def bounded(name: str, arguments: list[np.ndarray]) -> list[np.ndarray]:
    """Inputs for which the builtin is defined: mul24 and mad24 take 24 bits, a bit field is within
    its number."""
    if name.startswith("bitfield_"):
        *numbers, offset, count = arguments
        width = 8 * arguments[0].itemsize
        offset = offset % (width + 1)
        return [*numbers, offset, count % (width - offset + 1)]
    if not name.endswith("24"):
        return arguments
    shift = max(0, 8 * arguments[0].itemsize - 24)
    signed = [argument >> shift for argument in arguments[:2]]
    factors = signed if name.startswith("s_") else [abs(factor >> 1) for factor in signed]
    return [*factors, *arguments[2:]]


def defined(case: Case, arguments: list[np.ndarray]) -> list[np.ndarray]:
    """Inputs for which the conversion is defined.

    Without saturation a float out of the integer's range is undefined: 0 instead.
    """
    target = dtype_of(case.results[0])
    if arguments[0].dtype.kind != "f" or target.kind == "f" or "sat" in case.name:
        return arguments
    bits = 8 * target.itemsize
    low, high = (
        (0.0, 2.0**bits) if " to u" in case.name else (-(2.0 ** (bits - 1)), 2.0 ** (bits - 1))
    )
    with np.errstate(invalid="ignore"):
        values = arguments[0].astype("f8")
        inside = (np.ceil(values) < high) & (np.floor(values) >= low)
    return [np.where(inside, arguments[0], 0).astype(arguments[0].dtype)]


def outputs(
    device: Device, case: Case, module: ModuleOp, arguments: Sequence[np.ndarray]
) -> list[np.ndarray]:
    """What `module`, which is that of the case or made from it, writes on a device."""
    count = len(arguments[0])
    results = [
        np.zeros((count, t.element_count() if isinstance(t, VectorType) else 1), dtype_of(t))
        for t in case.results
    ]
    size = NDRange((count, 1, 1), (1, 1, 1), (0, 0, 0), 1)
    device.compile(module, "f", size).run([*arguments, *results], size)
    return results


def difference(
    case: Case,
    arguments: Sequence[np.ndarray],
    expected: Sequence[np.ndarray],
    actual: Sequence[np.ndarray],
) -> str | None:
    """The first difference, in words. NaNs are equal whatever their bits."""
    for number, (want, got) in enumerate(zip(expected, actual, strict=True)):
        bits = f"u{want.itemsize}"
        equal = (want.view(bits) == got.view(bits)) | ((want != want) & (got != got))
        for row, column in np.argwhere(~equal)[:1]:
            of = [argument[row] for argument in arguments]
            return (
                f"{case.name}: result {number}[{column}] of {of}: "
                f"expected {want[row, column]!r}, got {got[row, column]!r}"
            )
    return None
