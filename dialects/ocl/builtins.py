"""The builtin functions of OpenCL C, one row each: the only table of their names.

A function is an operation of `arith` or `math` where one computes it, else `ocl.builtin`. A
signature has a letter for each argument and, after `>`, each result; the "gentype" of the
specification is the type itself:

    F  the type itself: a float scalar or vector      T  the type itself: an integer or vector
    A  the type itself: any scalar or vector          E  the element type of the type itself
    I  i32, as many as the type has elements          N  integers as wide as the type's elements
    W  integers twice as wide as the type's elements  B  i1, as many as the type has elements
    b  one i1
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import Flag, auto

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import FixedBitwidthType, IntegerType, i1, i32
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.ocl.attributes import is_scalar, is_vector
from polycl.dialects.vec import count_of, element_of, same_shape


class Fact(Flag):
    """A property of a function."""

    C = auto()
    """C99 has it by this name, for `float` (with an `f` at the end) and `double`."""

    LIBM = auto()
    """The devices call the C math library for it, which has it by this name."""

    CHEAP = auto()
    """The frontend may evaluate it speculatively: it costs as much as an addition."""

    FAST = auto()
    """`native_` and `half_` forms exist."""

    BY_SIGN = auto()
    """It is two builtins, `s_` for signed and `u_` for unsigned integers."""


@dataclass(frozen=True)
class Builtin:
    """A row: one function."""

    name: str
    signature: str
    operation: type[Operation] | None = None
    """The operation of `arith` or `math`; None: it is `ocl.builtin`."""
    facts: Fact = Fact(0)
    section: str = ""
    """The section of the OpenCL 1.2 specification that defines it, or the extension."""

    @property
    def arguments(self) -> str:
        return self.signature.partition(">")[0]

    @property
    def results(self) -> str:
        return self.signature.partition(">")[2]

    @property
    def is_unsigned(self) -> bool | None:
        """None: signed and unsigned integers have the same function."""
        return {"s_": False, "u_": True}.get(self.name[:2])

    @property
    def spelling(self) -> str:
        """The name in OpenCL C."""
        return self.name if self.is_unsigned is None else self.name[2:]

    @property
    def is_geometric(self) -> bool:
        """Whether an element of the result depends on all elements of a vector."""
        return self.section == "6.12.5"

    @property
    def is_dot_product(self) -> bool:
        """Whether it multiplies the bytes of integers of 32 bits."""
        return self.section == DOT_PRODUCTS

    @property
    def plain(self) -> str:
        """The name without `native_` or `half_`."""
        return self.name.removeprefix("native_").removeprefix("half_")

    def type_of(self, letter: str, gentype: Attribute) -> Attribute:
        """The type that `letter` means, given the type itself."""
        element = element_of(gentype)
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
        return same_shape(scalar, gentype)

    def result_types(self, argument_types: Sequence[Attribute]) -> list[Attribute]:
        """The result types for arguments of these types."""
        gentype = argument_types[self.gentype_index]
        return [self.type_of(letter, gentype) for letter in self.results]

    @property
    def gentype_index(self) -> int:
        """The first argument that has the type itself."""
        return next(i for i, letter in enumerate(self.arguments) if letter in "FTAN")


def _width(element: Attribute) -> int:
    if not isinstance(element, FixedBitwidthType):
        raise VerifyException(f"expected an integer or a float, got {element}")
    return element.bitwidth


def _section(number: str, *rows: Builtin) -> tuple[Builtin, ...]:
    """The rows of a section, and the forms that their facts imply."""
    rows = tuple(replace(row, section=number) for row in rows)
    one = [row for row in rows if Fact.BY_SIGN not in row.facts]
    two = [
        replace(row, name=f"{sign}_{row.name}") for row in rows if row not in one for sign in "su"
    ]
    fast = [
        Builtin(f"{kind}_{row.name}", row.signature, section=number)
        for kind in ("native", "half")
        for row in rows
        if Fact.FAST in row.facts
    ]
    return (*one, *two, *fast)


DOT_PRODUCTS = "cl_khr_integer_dot_product"

C, LIBM, CHEAP, FAST, BY_SIGN = Fact

FUNCTIONS: tuple[Builtin, ...] = (
    *_section(
        "6.12.2",
        Builtin("acos", "F>F", math.AcosOp, C | LIBM),
        Builtin("acosh", "F>F", math.AcoshOp, C | LIBM),
        Builtin("acospi", "F>F"),
        Builtin("asin", "F>F", math.AsinOp, C | LIBM),
        Builtin("asinh", "F>F", math.AsinhOp, C | LIBM),
        Builtin("asinpi", "F>F"),
        Builtin("atan", "F>F", math.AtanOp, C | LIBM),
        Builtin("atan2", "FF>F", math.Atan2Op, C | LIBM),
        Builtin("atan2pi", "FF>F"),
        Builtin("atanh", "F>F", math.AtanhOp, C | LIBM),
        Builtin("atanpi", "F>F"),
        Builtin("cbrt", "F>F", math.CbrtOp, C | LIBM),
        Builtin("ceil", "F>F", math.CeilOp, C | LIBM),
        Builtin("copysign", "FF>F", math.CopySignOp, C),
        Builtin("cos", "F>F", math.CosOp, C | LIBM | FAST),
        Builtin("cosh", "F>F", math.CoshOp, C | LIBM),
        Builtin("cospi", "F>F"),
        Builtin("erf", "F>F", math.ErfOp, C | LIBM),
        Builtin("erfc", "F>F", None, C | LIBM),
        Builtin("exp", "F>F", math.ExpOp, C | LIBM | FAST),
        Builtin("exp10", "F>F", None, LIBM | FAST),
        Builtin("exp2", "F>F", math.Exp2Op, C | LIBM | FAST),
        Builtin("expm1", "F>F", math.ExpM1Op, C | LIBM),
        Builtin("fabs", "F>F", math.AbsFOp, C | CHEAP),
        Builtin("fdim", "FF>F", None, C),
        Builtin("floor", "F>F", math.FloorOp, C | LIBM),
        Builtin("fma", "FFF>F", math.FmaOp, C),
        Builtin("fmax", "FF>F", arith.MaxnumfOp, C | CHEAP),
        Builtin("fmin", "FF>F", arith.MinnumfOp, C | CHEAP),
        Builtin("fmod", "FF>F", None, C | LIBM),
        Builtin("fract", "F>FF"),
        Builtin("frexp", "F>FI"),
        Builtin("half_divide", "FF>F"),
        Builtin("half_recip", "F>F"),
        Builtin("hypot", "FF>F", None, C | LIBM),
        Builtin("ilogb", "F>I"),
        Builtin("ldexp", "FI>F", None, C),
        Builtin("lgamma", "F>F", None, C | LIBM),
        Builtin("lgamma_r", "F>FI"),
        Builtin("log", "F>F", math.LogOp, C | LIBM | FAST),
        Builtin("log10", "F>F", math.Log10Op, C | LIBM | FAST),
        Builtin("log1p", "F>F", math.Log1pOp, C | LIBM),
        Builtin("log2", "F>F", math.Log2Op, C | LIBM | FAST),
        Builtin("logb", "F>F"),
        Builtin("mad", "FFF>F"),
        Builtin("maxmag", "FF>F"),
        Builtin("minmag", "FF>F"),
        Builtin("modf", "F>FF"),
        Builtin("nan", "N>F"),
        Builtin("native_divide", "FF>F"),
        Builtin("native_recip", "F>F"),
        Builtin("nextafter", "FF>F", None, C),
        Builtin("pow", "FF>F", math.PowFOp, C | LIBM),
        Builtin("pown", "FI>F"),
        Builtin("powr", "FF>F", None, FAST),
        Builtin("remainder", "FF>F", None, C | LIBM),
        Builtin("remquo", "FF>FI"),
        Builtin("rint", "F>F", math.RoundEvenOp, C | LIBM),
        Builtin("rootn", "FI>F"),
        Builtin("round", "F>F", math.RoundOp, C | LIBM),
        Builtin("rsqrt", "F>F", math.RsqrtOp, FAST),
        Builtin("sin", "F>F", math.SinOp, C | LIBM | FAST),
        Builtin("sincos", "F>FF"),
        Builtin("sinh", "F>F", math.SinhOp, C | LIBM),
        Builtin("sinpi", "F>F"),
        Builtin("sqrt", "F>F", math.SqrtOp, C | FAST),
        Builtin("tan", "F>F", math.TanOp, C | LIBM | FAST),
        Builtin("tanh", "F>F", math.TanhOp, C | LIBM),
        Builtin("tanpi", "F>F"),
        Builtin("tgamma", "F>F", None, C | LIBM),
        Builtin("trunc", "F>F", math.TruncOp, C | LIBM),
    ),
    *_section(
        "6.12.3",
        Builtin("s_abs", "T>T", None, CHEAP),
        Builtin("abs_diff", "TT>T", None, BY_SIGN),
        Builtin("add_sat", "TT>T", None, BY_SIGN),
        Builtin("clamp", "TTT>T", None, BY_SIGN),
        Builtin("clz", "T>T", math.CountLeadingZerosOp),
        Builtin("ctz", "T>T", math.CountTrailingZerosOp),
        Builtin("hadd", "TT>T", None, BY_SIGN),
        Builtin("mad24", "TTT>T", None, BY_SIGN | CHEAP),
        Builtin("mad_hi", "TTT>T", None, BY_SIGN),
        Builtin("mad_sat", "TTT>T", None, BY_SIGN),
        Builtin("mul24", "TT>T", None, BY_SIGN | CHEAP),
        Builtin("mul_hi", "TT>T", None, BY_SIGN),
        Builtin("popcount", "T>T", math.CtPopOp),
        Builtin("rhadd", "TT>T", None, BY_SIGN),
        Builtin("rotate", "TT>T"),
        Builtin("s_max", "TT>T", arith.MaxSIOp, CHEAP),
        Builtin("s_min", "TT>T", arith.MinSIOp, CHEAP),
        Builtin("sub_sat", "TT>T", None, BY_SIGN),
        Builtin("u_max", "TT>T", arith.MaxUIOp, CHEAP),
        Builtin("u_min", "TT>T", arith.MinUIOp, CHEAP),
        Builtin("upsample", "TT>W"),
    ),
    *_section(
        "6.12.4",
        Builtin("clamp", "FFF>F"),
        Builtin("degrees", "F>F"),
        Builtin("max", "FF>F", arith.MaxnumfOp, CHEAP),
        Builtin("min", "FF>F", arith.MinnumfOp, CHEAP),
        Builtin("mix", "FFF>F"),
        Builtin("radians", "F>F"),
        Builtin("sign", "F>F"),
        Builtin("smoothstep", "FFF>F"),
        Builtin("step", "FF>F"),
    ),
    *_section(
        "6.12.5",
        Builtin("cross", "FF>F"),
        Builtin("distance", "FF>E"),
        Builtin("dot", "FF>E"),
        Builtin("fast_distance", "FF>E"),
        Builtin("fast_length", "F>E"),
        Builtin("fast_normalize", "F>F"),
        Builtin("length", "F>E"),
        Builtin("normalize", "F>F"),
    ),
    *_section(
        "6.12.6",
        Builtin("all", "T>b"),
        Builtin("any", "T>b"),
        Builtin("bitselect", "AAA>A"),
        Builtin("isfinite", "F>B"),
        Builtin("isinf", "F>B", None, CHEAP),
        Builtin("isnormal", "F>B"),
        Builtin("signbit", "F>B"),
    ),
    *_section(
        "cl_khr_extended_bit_ops",
        Builtin("bit_reverse", "T>T"),
        Builtin("bitfield_extract_signed", "TII>T"),
        Builtin("bitfield_extract_unsigned", "TII>T"),
        Builtin("bitfield_insert", "TTII>T"),
    ),
    *_section(
        DOT_PRODUCTS,
        # Of the four bytes of two integers; the letters say which are signed.
        Builtin("dot_4x8packed_ss_int", "TT>T"),
        Builtin("dot_4x8packed_su_int", "TT>T"),
        Builtin("dot_4x8packed_us_int", "TT>T"),
        Builtin("dot_4x8packed_uu_uint", "TT>T"),
    ),
)
"""Every function, by section. Comparisons (`isless`) are predicates of `arith.cmpf`, not rows."""

BUILTINS: dict[str, Builtin] = {row.name: row for row in FUNCTIONS if row.operation is None}
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
    if not (is_scalar(gentype) or is_vector(gentype)):
        raise VerifyException(f"'{builtin.name}' works on OpenCL types, got {gentype}")
    _verify_width(builtin, gentype)
    is_integer = isinstance(element_of(gentype), IntegerType)
    if letter == ("F" if is_integer else "T"):
        kind = {"F": "floats", "T": "integers"}[letter]
        raise VerifyException(f"'{builtin.name}' works on {kind}, got {gentype}")
    return gentype


def _verify_width(builtin: Builtin, gentype: Attribute) -> None:
    """Geometric functions are defined for few numbers of elements, dot products for one width."""
    count = count_of(gentype)
    if builtin.name == "cross" and count not in (3, 4):
        raise VerifyException(f"'cross' works on 3 or 4 elements, got {gentype}")
    if builtin.is_dot_product and element_of(gentype) != i32:
        raise VerifyException(f"'{builtin.name}' works on i32, got {gentype}")
    if builtin.is_geometric and count > 4:
        raise VerifyException(f"'{builtin.name}' works on at most 4 elements, got {gentype}")
