"""clang's own builtins (`__builtin_popcount`, ...) as expressions of OpenCL C.

A reader gets `Operands`, the call and its arguments, and returns an expression that means the same.
`MEMORY` are functions on bytes, which `builtins` emits as loops.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from polycl.errors import UnsupportedError
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.block_expressions import BlockExpressions
from polycl.frontends.opencl_c.constants import fold_cast
from polycl.frontends.opencl_c.source import Location
from polycl.frontends.opencl_c.tree import BuiltinCall, Const, Expr
from polycl.frontends.opencl_c.types import (
    INT,
    LONG,
    ULONG,
    VOID,
    CType,
    Kind,
    unsigned_of,
    vector_of,
)

UNEVALUATED = (
    "__builtin_assume",
    "__builtin_assume_separate_storage",
    "__builtin_constant_p",
    "__builtin_classify_type",
    "__builtin_object_size",
    "__builtin_dynamic_object_size",
)
"""clang evaluates no argument of these."""
MEMORY = ("__builtin_memcpy", "__builtin_memset", "__builtin_bzero", "__builtin_memmove")
_BYTES = {f"{name}_inline": name for name in MEMORY[:2]}
_REFUSED = {
    "__builtin_trap": "a kernel cannot end the program",
    "__builtin_debugtrap": "a kernel cannot end the program",
    "__builtin_abort": "a kernel cannot end the program",
    "__builtin_alloca": "the size of private memory is a constant",
    "__builtin_malloc": "kernels have no heap",
}


@dataclass
class Operands:
    """A call's type, place and arguments; `first` are assignments that precede its value."""

    where: Location
    type: CType
    name: str
    arguments: list[Expr]
    blocks: BlockExpressions
    first: list[Expr]

    def call(self, name: str, *arguments: Expr, type: CType | None = None) -> Expr:
        """A call of a function of OpenCL C; its result has the type of its first argument."""
        return BuiltinCall(self.where, type or arguments[0].type, name, list(arguments))

    def binary(self, op: str, left: Expr, right: Expr | int) -> Expr:
        """`left op right`, computed in the type of `left`; a comparison has the type int."""
        if isinstance(right, int):
            right = self.number(right, left.type)
        is_comparison = op in ("<", "==", "!=")
        type = INT if is_comparison else left.type
        return tree.Binary(self.where, type, op, left, right)

    def number(self, value: int, type: CType) -> Expr:
        """A constant; in each lane of a vector."""
        if type.kind is not Kind.VECTOR:
            return Const(self.where, type, value)
        lane = Const(self.where, type.element, value)
        return tree.VectorLiteral(self.where, type, [lane] * type.count)

    def cast(self, value: Expr, type: CType) -> Expr:
        if value.type.same_value(type):
            return value
        return fold_cast(value, type) or tree.Cast(self.where, type, value)

    def bits(self, value: Expr, type: CType) -> Expr:
        """The bits of a value as another type of its size."""
        same = value.type.same_value(type)
        return value if same else tree.Reinterpret(self.where, type, value)

    def kept(self, value: Expr) -> Expr:
        """A value that may be used more than once: it is assigned to a variable first."""
        if isinstance(value, Const):
            return value
        variable = self.blocks.temporary(value.type, self.where)
        self.first.append(tree.assignment(variable, value, self.where))
        return tree.read(variable, self.where)

    def either(self, condition: Expr, then: Expr, otherwise: Expr) -> Expr:
        return tree.Conditional(self.where, then.type, condition, then, otherwise)

    def pointee(self, pointer: Expr) -> Expr:
        return tree.Index(self.where, pointer.type.element, pointer)

    def refused(self, why: str) -> UnsupportedError:
        return UnsupportedError(f"{self.name} {why}", *self.where)


Reader = Callable[[Operands], Expr]


def read_builtin(
    name: str, type: CType, arguments: list[Expr], blocks: BlockExpressions, where: Location
) -> Expr:
    """The call of one of clang's builtins as an expression.

    Raises:
        UnsupportedError: a builtin that this compiler does not have.
    """
    read = READERS.get(name)
    if read is None:
        why = _REFUSED.get(name, "use a function of OpenCL C")
        raise UnsupportedError(f"builtin '{name}' is not supported: {why}", *where)
    operands = Operands(where, type, name, arguments, blocks, [])
    value = read(operands)
    for assignment in reversed(operands.first):
        value = tree.Comma(where, value.type, assignment, value)
    return value


def _nothing(o: Operands) -> Expr:
    return tree.Cast(o.where, VOID, Const(o.where, INT, 0))


def _first(o: Operands) -> Expr:
    return o.cast(o.arguments[0], o.type)


def _same(name: str) -> Reader:
    """The function of OpenCL C on the same arguments."""
    return lambda o: o.call(name, *o.arguments, type=o.type)


def _of_argument(name: str) -> Reader:
    """A function of OpenCL C whose result has its argument's type, converted to the call's."""
    return lambda o: o.cast(o.call(name, *o.arguments), o.type)


def _by_kind(of_floats: str, of_integers: str) -> Reader:
    def read(o: Operands) -> Expr:
        type = o.arguments[0].type
        element = type.element if type.kind is Kind.VECTOR else type
        return o.call(of_floats if element.kind is Kind.FLOAT else of_integers, *o.arguments)

    return read


def _find_first_set(o: Operands) -> Expr:
    x = o.kept(o.arguments[0])
    place = o.binary("+", o.cast(o.call("ctz", x), INT), 1)
    return o.either(o.binary("!=", x, 0), place, Const(o.where, INT, 0))


def _parity(o: Operands) -> Expr:
    return o.binary("&", o.cast(o.call("popcount", o.arguments[0]), INT), 1)


def _redundant_signs(o: Operands) -> Expr:
    x = o.kept(o.arguments[0])
    changes = o.binary("^", x, o.binary(">>", x, x.type.width - 1))
    return o.binary("-", o.cast(o.call("clz", changes), INT), 1)


def _swapped_bytes(o: Operands) -> Expr:
    return _with_swapped_bytes(o, o.arguments[0])


def _with_swapped_bytes(o: Operands, value: Expr) -> Expr:
    count = value.type.width // 8
    if count == 1:
        return value
    bytes_ = vector_of(unsigned_of(value.type, 8), count)
    lanes = tuple(reversed(range(count)))
    return o.bits(tree.Lanes(o.where, bytes_, o.bits(value, bytes_), lanes), value.type)


def _reversed_bits(o: Operands) -> Expr:
    value = o.arguments[0]
    if value.type.kind is Kind.VECTOR:
        x = o.kept(value)
        lanes = [tree.Lanes(o.where, x.type.element, x, (n,)) for n in range(x.type.count)]
        return tree.VectorLiteral(o.where, x.type, [_with_reversed_bits(o, n) for n in lanes])
    return _with_reversed_bits(o, value)


def _with_reversed_bits(o: Operands, value: Expr) -> Expr:
    """Neighbouring bits change places, then pairs, then halves of bytes, then the bytes."""
    type, unsigned = value.type, unsigned_of(value.type)
    x = o.bits(value, unsigned)
    for step, mask in ((1, 0x55), (2, 0x33), (4, 0x0F)):
        x = o.kept(x)
        ones = int.from_bytes(bytes([mask]) * (type.width // 8))
        low = o.binary("&", o.binary(">>", x, step), ones)
        high = o.binary("<<", o.binary("&", x, ones), step)
        x = o.binary("|", low, high)
    return o.bits(_with_swapped_bytes(o, x), type)


def _rotated_right(o: Operands) -> Expr:
    x, amount = o.arguments
    amount = o.cast(amount, x.type)
    return o.call("rotate", x, tree.Unary(o.where, x.type, "-", amount))


def _sign_of_infinity(o: Operands) -> Expr:
    x = o.kept(o.arguments[0])
    sign = o.either(o.call("signbit", x, type=INT), Const(o.where, INT, -1), Const(o.where, INT, 1))
    return o.either(o.call("isinf", x, type=INT), sign, Const(o.where, INT, 0))


def _is_zero(o: Operands) -> Expr:
    x = o.arguments[0]
    return o.binary("==", x, 0)


def _is_subnormal(o: Operands) -> Expr:
    x = o.kept(o.arguments[0])
    tests = [o.call(name, x, type=INT) for name in ("isfinite", "isnormal")]
    small = o.binary("&", tests[0], o.binary("^", tests[1], 1))
    return o.binary("&", small, o.binary("!=", x, 0))


def _class(o: Operands) -> Expr:
    """`__builtin_fpclassify(nan, infinite, normal, subnormal, zero, x)`."""
    *values, last = o.arguments
    x = o.kept(last)
    is_nan, is_infinite, is_normal = (
        o.call(name, x, type=INT) for name in ("isnan", "isinf", "isnormal")
    )
    found = o.either(o.binary("==", x, 0), values[4], values[3])
    for test, value in zip((is_normal, is_infinite, is_nan), reversed(values[:3]), strict=True):
        found = o.either(test, value, found)
    return found


def _to_integer(rounding: str) -> Reader:
    return lambda o: o.cast(o.call(rounding, o.arguments[0]), o.type)


def _power(o: Operands) -> Expr:
    return o.call("pown", *o.arguments)


def _reduction(op: str = "", name: str = "") -> Reader:
    """All lanes of a vector, combined from the first to the last."""

    def read(o: Operands) -> Expr:
        x = o.kept(o.arguments[0])
        element = x.type.element
        lanes = [tree.Lanes(o.where, element, x, (n,)) for n in range(x.type.count)]
        result: Expr = lanes[0]
        function = "f" + name if element.kind is Kind.FLOAT else name
        for lane in lanes[1:]:
            result = o.binary(op, result, lane) if op else o.call(function, result, lane)
        return result

    return read


_OPERATORS = {"add": "+", "sub": "-", "mul": "*"}


def _overflow(operation: str) -> Reader:
    """`__builtin_add_overflow(a, b, &result)`: whether the exact result is another one.

    Types of at most 32 bits are computed in 64; of wider ones all three must be the same.
    """
    op = _OPERATORS[operation]

    def read(o: Operands) -> Expr:
        a, b, pointer = o.arguments
        target = pointer.type.element
        types = (a.type, b.type, target)
        place = o.pointee(o.kept(pointer))
        if all(type.width <= 32 for type in types):
            is_unsigned = op == "*" and not (a.type.signed or b.type.signed)
            wide = ULONG if is_unsigned else LONG
            exact = o.kept(o.binary(op, o.cast(a, wide), o.cast(b, wide)))
            result = o.kept(tree.Cast(o.where, target, exact))
            o.first.append(tree.Assign(o.where, target, place, result))
            return o.cast(o.binary("!=", tree.Cast(o.where, wide, result), exact), o.type)
        if not (types[0].same_value(types[1]) and types[1].same_value(target)):
            raise o.refused(
                "with operands of 64 bits is supported for three equal types: cast the operands"
            )
        a, b = o.kept(o.bits(a, ULONG)), o.kept(o.bits(b, ULONG))
        result = o.kept(o.binary(op, a, b))
        o.first.append(tree.Assign(o.where, target, place, o.bits(result, target)))
        return o.cast(_overflows(o, op, a, b, result, target), o.type)

    return read


def _overflows(o: Operands, op: str, a: Expr, b: Expr, result: Expr, type: CType) -> Expr:
    """Whether a sum, difference or product of 64 bits, computed without sign, overflowed."""
    if op == "*":
        high = o.call("mul_hi", o.bits(a, type), o.bits(b, type))
        sign = o.binary(">>", o.bits(result, LONG), 63)
        return o.binary("!=", high, sign if type.signed else 0)
    if not type.signed:
        return o.binary("<", result, a) if op == "+" else o.binary("<", a, b)
    # The sign changes although both operands have one sign (of a difference: different ones).
    other = o.binary("^", b if op == "-" else result, a)
    changed = o.binary("&", other, o.binary("^", result, a if op == "-" else b))
    return o.binary("<", o.bits(changed, LONG), 0)


def _with_carry(op: str) -> Reader:
    """`__builtin_addc(a, b, carry, &carry_out)`."""

    def read(o: Operands) -> Expr:
        a, b, carry, pointer = o.arguments
        a, b, carry = o.kept(a), o.kept(b), o.kept(carry)
        place = o.pointee(o.kept(pointer))
        partial = o.kept(o.cast(o.binary(op, a, b), o.type))
        result = o.kept(o.cast(o.binary(op, partial, carry), o.type))
        pairs = ((partial, a), (result, partial)) if op == "+" else ((a, b), (partial, carry))
        first, second = (o.binary("<", *pair) for pair in pairs)
        out = o.cast(o.binary("|", first, second), place.type)
        o.first.append(tree.Assign(o.where, place.type, place, out))
        return result

    return read


def _aligned(up: bool) -> Reader:
    def read(o: Operands) -> Expr:
        x, alignment = o.arguments
        if x.type.kind is Kind.POINTER:
            raise o.refused("of a pointer is not supported: align an integer")
        mask = o.kept(o.binary("-", o.cast(alignment, x.type), 1))
        if up:
            x = o.binary("+", x, mask)
        return o.binary("&", x, tree.Unary(o.where, x.type, "~", mask))

    return read


def _is_aligned(o: Operands) -> Expr:
    x, alignment = o.arguments
    if x.type.kind is Kind.POINTER:
        x = tree.Cast(o.where, ULONG, x)
    mask = o.binary("-", o.cast(alignment, x.type), 1)
    return o.cast(o.binary("==", o.binary("&", x, mask), 0), o.type)


def _load(o: Operands) -> Expr:
    place = o.pointee(o.arguments[0])
    return o.cast(tree.Load(o.where, place.type, place), o.type)


def _store(o: Operands) -> Expr:
    value, pointer = o.arguments
    place = o.pointee(pointer)
    return tree.Assign(o.where, place.type, place, o.cast(value, place.type))


def _prefetched(o: Operands) -> Expr:
    return tree.Cast(o.where, VOID, o.arguments[0])


_SAME = """
    acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp10 exp2 expm1
    fabs fdim floor fma fmax fmin fmod frexp hypot ilogb ldexp lgamma log log10 log1p log2 logb modf
    nextafter pow remainder remquo rint round sin sinh sqrt tan tanh tgamma trunc
""".split()
"""The math functions of C that OpenCL C has by the same name."""
_ALIASES = {"nearbyint": "rint", "roundeven": "rint", "scalbn": "ldexp"}
_TESTS = """
    isnan isinf isfinite isnormal signbit isgreater isgreaterequal isless islessequal islessgreater
    isunordered
""".split()
_ELEMENTWISE = """
    add_sat ceil copysign cos exp exp2 floor fma log log10 log2 pow rint round sin sqrt sub_sat
    trunc
""".split()
_SUFFIXES = ("", "f", "f16")
_LENGTHS = ("", "l", "ll")

READERS: dict[str, Reader] = (
    {f"{name}{suffix}": _same(name) for name in _SAME for suffix in _SUFFIXES}
    | {f"{name}{suffix}": _same(other) for name, other in _ALIASES.items() for suffix in _SUFFIXES}
    | {f"powi{suffix}": _power for suffix in _SUFFIXES}
    | {
        f"{name}{suffix}": _to_integer(rounding)
        for name, rounding in (
            *(("lrint", "rint"), ("llrint", "rint")),
            *(("lround", "round"), ("llround", "round")),
        )
        for suffix in _SUFFIXES
    }
    | {name: _same(name) for name in _TESTS}
    | {"signbitf": _same("signbit"), "isinf_sign": _sign_of_infinity, "fpclassify": _class}
    | {"iszero": _is_zero, "issubnormal": _is_subnormal}
    | {f"canonicalize{suffix}": _first for suffix in _SUFFIXES}
    | {f"popcount{length}": _of_argument("popcount") for length in _LENGTHS}
    | {f"clz{length}": _of_argument("clz") for length in (*_LENGTHS, "s")}
    | {f"ctz{length}": _of_argument("ctz") for length in (*_LENGTHS, "s")}
    | {f"ffs{length}": _find_first_set for length in _LENGTHS}
    | {f"parity{length}": _parity for length in _LENGTHS}
    | {f"clrsb{length}": _redundant_signs for length in _LENGTHS}
    | {name: _same("abs") for name in ("abs", "labs", "llabs")}
    | {f"bswap{width}": _swapped_bytes for width in (16, 32, 64)}
    | {f"bitreverse{width}": _reversed_bits for width in (8, 16, 32, 64)}
    | {f"rotateleft{width}": _of_argument("rotate") for width in (8, 16, 32, 64)}
    | {f"rotateright{width}": _rotated_right for width in (8, 16, 32, 64)}
    | {f"{operation}_overflow": _overflow(operation) for operation in _OPERATORS}
    | {
        f"{sign}{operation}{length}_overflow": _overflow(operation)
        for sign in "su"
        for operation in _OPERATORS
        for length in _LENGTHS
    }
    | {f"addc{size}": _with_carry("+") for size in ("", "b", "s", "l", "ll")}
    | {f"subc{size}": _with_carry("-") for size in ("", "b", "s", "l", "ll")}
    | {f"elementwise_{name}": _of_argument(name) for name in _ELEMENTWISE}
    | {
        "elementwise_abs": _by_kind("fabs", "abs"),
        "elementwise_max": _by_kind("fmax", "max"),
        "elementwise_min": _by_kind("fmin", "min"),
        "elementwise_nearbyint": _of_argument("rint"),
        "elementwise_roundeven": _of_argument("rint"),
        "elementwise_canonicalize": _first,
        "elementwise_bitreverse": _reversed_bits,
        "reduce_add": _reduction("+"),
        "reduce_mul": _reduction("*"),
        "reduce_and": _reduction("&"),
        "reduce_or": _reduction("|"),
        "reduce_xor": _reduction("^"),
        "reduce_max": _reduction(name="max"),
        "reduce_min": _reduction(name="min"),
    }
    | dict.fromkeys(
        ["expect", "expect_with_probability", "unpredictable", "assume_aligned", "launder"], _first
    )
    | {"is_aligned": _is_aligned, "align_up": _aligned(True), "align_down": _aligned(False)}
    | {"nontemporal_load": _load, "nontemporal_store": _store, "prefetch": _prefetched}
    | dict.fromkeys(["load_half", "load_halff"], _load)
    | dict.fromkeys(["store_half", "store_halff"], _store)
    # Control never comes here.
    | {"unreachable": _nothing}
)
READERS = {f"__builtin_{name}": read for name, read in READERS.items()}
READERS |= {
    name: lambda o: BuiltinCall(o.where, o.type, _BYTES.get(o.name, o.name), o.arguments)
    for name in (*MEMORY, *_BYTES)
}
