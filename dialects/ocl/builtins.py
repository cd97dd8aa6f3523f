"""The builtin functions of `ocl.builtin`: those of OpenCL C that `arith` and `math` lack.

Each is described by a signature in letters, after the "gentype" of the specification:

    F  the type itself: a float scalar or vector      T  the type itself: an integer or vector
    A  the type itself: any scalar or vector          E  the element type of the type itself
    I  i32, as many as the type has elements          N  integers as wide as the type's elements
    W  integers twice as wide as the type's elements  B  i1, as many as the type has elements
    b  one i1
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from xdsl.dialects.builtin import (
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    VectorType,
    i1,
    i32,
)
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.ocl.attributes import is_scalar, is_vector


@dataclass(frozen=True)
class Builtin:
    """The signature of one builtin: a letter for each argument and each result."""

    name: str
    arguments: str
    results: str
    section: str
    """The section of the OpenCL 1.2 specification that defines it."""

    def type_of(self, letter: str, gentype: Attribute) -> Attribute:
        """The type that `letter` stands for, given the type itself."""
        element = gentype.element_type if isinstance(gentype, VectorType) else gentype
        match letter:
            case "F" | "T" | "A":
                return gentype
            case "E":
                return element
            case "b":
                return i1
            case "I":
                scalar: Attribute = i32
            case "B":
                scalar = i1
            case "N":
                scalar = IntegerType(_width(element))
            case "W":
                scalar = IntegerType(2 * _width(element))
            case _:
                raise AssertionError(f"unknown signature letter {letter!r}")
        if isinstance(gentype, VectorType):
            return VectorType(scalar, gentype.get_shape())
        return scalar

    def result_types(self, argument_types: Sequence[Attribute]) -> list[Attribute]:
        """The result types for arguments of these types."""
        gentype = argument_types[self.gentype_index]
        return [self.type_of(letter, gentype) for letter in self.results]

    @property
    def gentype_index(self) -> int:
        """The first argument that has the type itself."""
        return next(i for i, letter in enumerate(self.arguments) if letter in "FTAN")


def _width(element: Attribute) -> int:
    match element:
        case IntegerType():
            return element.width.data
        case Float16Type():
            return 16
        case Float32Type():
            return 32
        case Float64Type():
            return 64
        case _:
            raise VerifyException(f"expected an integer or a float, got {element}")


def _table(section: str, signatures: dict[str, str]) -> dict[str, Builtin]:
    """Read `"FF>F": "fmod hypot"`: these names have this signature."""
    table: dict[str, Builtin] = {}
    for signature, names in signatures.items():
        arguments, results = signature.split(">")
        table |= {name: Builtin(name, arguments, results, section) for name in names.split()}
    return table


_NATIVE = "cos exp exp2 exp10 log log2 log10 recip rsqrt sin sqrt tan"

_MATH = _table(
    "6.12.2",
    {
        "F>F": "acospi asinpi atanpi cospi sinpi tanpi erfc exp10 lgamma logb tgamma "
        + " ".join(f"{kind}_{name}" for kind in ("native", "half") for name in _NATIVE.split()),
        "FF>F": "atan2pi fdim fmod hypot maxmag minmag nextafter powr remainder "
        "native_divide half_divide native_powr half_powr",
        "FFF>F": "mad",
        "FI>F": "ldexp pown rootn",
        "F>I": "ilogb",
        "F>FF": "fract modf sincos",
        "F>FI": "frexp lgamma_r",
        "FF>FI": "remquo",
        "N>F": "nan",
    },
)

_INTEGER = _table(
    "6.12.3",
    {
        "T>T": "s_abs",
        "TT>T": "s_abs_diff u_abs_diff s_add_sat u_add_sat s_sub_sat u_sub_sat s_hadd u_hadd "
        "s_rhadd u_rhadd s_mul_hi u_mul_hi s_mul24 u_mul24 rotate",
        "TTT>T": "s_clamp u_clamp s_mad_hi u_mad_hi s_mad_sat u_mad_sat s_mad24 u_mad24",
        "TT>W": "upsample",
    },
)

_COMMON = _table(
    "6.12.4",
    {"F>F": "degrees radians sign", "FF>F": "step", "FFF>F": "clamp mix smoothstep"},
)

_GEOMETRIC = _table(
    "6.12.5",
    {
        "FF>F": "cross",
        "FF>E": "dot distance fast_distance",
        "F>E": "length fast_length",
        "F>F": "normalize fast_normalize",
    },
)

_RELATIONAL = _table(
    "6.12.6",
    {"F>B": "isfinite isinf isnormal signbit", "T>b": "any all", "AAA>A": "bitselect"},
)

BUILTINS: dict[str, Builtin] = _MATH | _INTEGER | _COMMON | _GEOMETRIC | _RELATIONAL
"""Every function that `ocl.builtin` knows, by name."""


def verify_builtin(
    name: str, argument_types: Sequence[Attribute], result_types: Sequence[Attribute]
) -> None:
    """Check a call against the signature of `name`.

    Raises:
        VerifyException: unknown name, wrong number of arguments, or wrong types.
    """
    builtin = BUILTINS.get(name)
    if builtin is None:
        near = " or ".join(f"'{other}'" for other in get_close_matches(name, BUILTINS, n=2))
        hint = f"; did you mean {near}?" if near else ""
        raise VerifyException(f"unknown builtin function '{name}'{hint}")
    if len(argument_types) != len(builtin.arguments):
        raise VerifyException(
            f"'{name}' takes {len(builtin.arguments)} arguments, got {len(argument_types)}"
        )
    gentype = _gentype(builtin, argument_types, result_types)
    expected = [builtin.type_of(letter, gentype) for letter in builtin.arguments]
    for index, (want, got) in enumerate(zip(expected, argument_types, strict=True)):
        if want != got:
            raise VerifyException(f"argument {index} of '{name}' must be {want}, got {got}")
    wanted = [builtin.type_of(letter, gentype) for letter in builtin.results]
    if "W" in builtin.results and not (is_scalar(wanted[0]) or is_vector(wanted[0])):
        raise VerifyException(f"'{name}' works on integers of at most 32 bits, got {gentype}")
    if wanted != list(result_types):
        raise VerifyException(
            f"'{name}' returns {', '.join(map(str, wanted))}, "
            f"got {', '.join(map(str, result_types)) or 'nothing'}"
        )


def _gentype(
    builtin: Builtin, argument_types: Sequence[Attribute], result_types: Sequence[Attribute]
) -> Attribute:
    letter = builtin.arguments[builtin.gentype_index]
    # `nan` is the one function whose type itself is that of the result.
    if letter == "N":
        gentype, letter = (result_types[0] if result_types else argument_types[0]), "F"
    else:
        gentype = argument_types[builtin.gentype_index]
    element = gentype.element_type if isinstance(gentype, VectorType) else gentype
    if not (is_scalar(gentype) or is_vector(gentype)):
        raise VerifyException(f"'{builtin.name}' works on OpenCL types, got {gentype}")
    _verify_width(builtin, gentype)
    is_float = isinstance(element, Float16Type | Float32Type | Float64Type)
    is_int = isinstance(element, IntegerType)
    if not {"F": is_float, "T": is_int, "A": is_float or is_int}[letter]:
        kind = {"F": "floats", "T": "integers", "A": "integers or floats"}[letter]
        raise VerifyException(f"'{builtin.name}' works on {kind}, got {gentype}")
    return gentype


def _verify_width(builtin: Builtin, gentype: Attribute) -> None:
    """Geometric functions are defined for few numbers of elements."""
    count = gentype.element_count() if isinstance(gentype, VectorType) else 1
    if builtin.name == "cross" and count not in (3, 4):
        raise VerifyException(f"'cross' works on 3 or 4 elements, got {gentype}")
    if builtin.section == "6.12.5" and count > 4:
        raise VerifyException(f"'{builtin.name}' works on at most 4 elements, got {gentype}")
