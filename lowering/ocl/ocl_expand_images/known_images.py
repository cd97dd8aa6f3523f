"""The functions of image_functions.cl for an image whose format, or a sampler, is known.

What follows from them becomes constants, and most of a function goes away: to read a pixel of
eight bits is a load, a conversion and a division. Otherwise each read has the code of all formats.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects import arith, builtin
from xdsl.dialects.builtin import IntegerAttr, IntegerType, ModuleOp, StringAttr
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl.transforms.constant_fold_interp import ConstantFoldInterpPass

from polycl.dialects import ocl
from polycl.dialects.inside import operations_in
from polycl.dialects.ocl.image_header import FORMAT_FIELDS, ImageFormat
from polycl.lowering.ocl.function_library import Library, library
from polycl.lowering.ocl.inline_functions import InlineFunctionsPass
from polycl.lowering.ocl.uncalled_functions import erase_uncalled

PREFIX = "image."
"""The prefix of the functions of image_functions.mlir, which no function of C has."""

SamplerBits: TypeAlias = tuple[int]
"""The CLK_* constants of a sampler, combined."""


@dataclass(frozen=True)
class Known:
    """What is known where a function is called; None: nothing."""

    format: ImageFormat | None = None
    sampler: int | None = None


def functions() -> Library:
    """The functions for all formats and samplers."""
    return library(Path(__file__).with_name("image_functions.mlir"), PREFIX)


def specialised_name(name: str, known: Known) -> str:
    """The name of the function for what is known; it begins with the function's own."""
    if known.format is not None:
        name += "." + "_".join(f"{field:x}" for field in known.format)
    return name if known.sampler is None else f"{name}.s{known.sampler:x}"


@cache
def specialised(name: str, known: Known) -> FuncOp:
    """The function `name` (with its prefix) for what is known. It calls no other."""
    module = ModuleOp([])
    needed = [name, *_KNOWN.values()] if known.format is not None else [name]
    functions().add_to(module, needed)
    entry = name if known.format is None else _KNOWN.get(name, name)
    for function in list(module.ops):
        assert isinstance(function, FuncOp)
        if function.sym_name.data == entry:
            # The one that stays when the others have been inlined.
            function.sym_visibility = None
        if known.format is not None:
            _know_format(function, known.format)
    context = functions().context
    if known.format is not None:
        erase_uncalled(module)
        _fold(context, module)
    InlineFunctionsPass().apply(context, module)
    (function,) = module.ops
    assert isinstance(function, FuncOp)
    if known.sampler is not None:
        _, sampler, *_ = function.body.block.args
        _replace(sampler, known.sampler, function.body.block.first_op)
    _fold(context, module)
    function.detach()
    function.sym_name = StringAttr(specialised_name(name, known))
    function.sym_visibility = StringAttr("private")
    return function


_KNOWN = {
    PREFIX + name: PREFIX + "known_" + name
    for name in ("texel_f", "texel_i", "read_float", "write_float", "write_int")
}
"""The functions that are written otherwise if the format is known."""


def _fold(context: Context, module: ModuleOp) -> None:
    """Remove what constants decide; branches that are gone leave further constants."""
    for _ in range(2):
        ConstantFoldInterpPass().apply(context, module)
        CanonicalizePass().apply(context, module)


def _know_format(function: FuncOp, format: ImageFormat) -> None:
    """Replace loads of what follows from the format, and calls of functions for all formats."""
    fields = dict(zip(FORMAT_FIELDS, format, strict=True)) | {"packed": 0, "linear": 0}
    for op in operations_in(function):
        if isinstance(op, CallOp):
            callee = op.callee.string_value()
            op.callee = builtin.SymbolRefAttr(_KNOWN.get(callee, callee))
        if not isinstance(op, ocl.LoadOp):
            continue
        member = op.pointer.owner
        if isinstance(member, ocl.MemberOp) and member.field.data in fields:
            _replace(op.result, fields[member.field.data], op)
            Rewriter.erase_op(op)


def _replace(value: SSAValue, number: int, before: Operation | None) -> None:
    assert before is not None and isinstance(value.type, IntegerType)
    constant = arith.ConstantOp(IntegerAttr(number, value.type))
    Rewriter.insert_op(constant, InsertPoint.before(before))
    value.replace_all_uses_with(constant.result)
