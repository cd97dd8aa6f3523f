"""The operations of dialects/tta/opset.py as LLVM IR, with bit-identical results."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from polycl.dialects.tta.opset import NAN, SHIFTS


class Code:
    """LLVM IR as text. A value is its text: a name or a constant."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._names = 0
        self._floats: dict[str, str] = {}
        """The bits of a float -> the float, which may have another NaN."""

    def let(self, expression: str) -> str:
        """The name of a new value."""
        name = self.name()
        self.lines.append(f"  {name} = {expression}")
        return name

    def name(self) -> str:
        self._names += 1
        return f"%t{self._names}"

    def to_float(self, bits: str) -> str:
        # The canonical NaN matters only if the bits are used.
        return self._floats.get(bits) or self.let(f"bitcast i32 {bits} to float")

    def from_float(self, value: str) -> str:
        bits = self.let(f"bitcast float {value} to i32")
        nan = self.let(f"fcmp uno float {value}, 0.0")
        bits = self.let(f"select i1 {nan}, i32 {NAN}, i32 {bits}")
        self._floats[bits] = value
        return bits

    def two(self, intrinsic: str, a: str, b: str) -> str:
        """`umin`, `smax` and the like."""
        return self.let(f"call i32 @llvm.{intrinsic}.i32(i32 {a}, i32 {b})")

    # Conditions: an i1, which may be "true" or "false".

    def negate(self, a: str) -> str:
        if a in ("true", "false"):
            return "false" if a == "true" else "true"
        return self.let(f"xor i1 {a}, true")

    def both(self, a: str, b: str) -> str:
        if "false" in (a, b):
            return "false"
        if "true" in (a, b):
            return b if a == "true" else a
        return self.let(f"and i1 {a}, {b}")

    def either(self, a: str, b: str) -> str:
        return self.negate(self.both(self.negate(a), self.negate(b)))


Compute = Callable[..., str]
"""Code and the bit patterns of the inputs (i32) -> the bit pattern of the output."""


def _instruction(opcode: str, code: Code, a: str, b: str) -> str:
    return code.let(f"{opcode} i32 {a}, {b}")


def _shift(opcode: str, code: Code, a: str, b: str) -> str:
    amount = code.let(f"and i32 {b}, 31")
    return code.let(f"{opcode} i32 {a}, {amount}")


def _intrinsic(name: str, code: Code, a: str, b: str) -> str:
    return code.two(name, a, b)


def _high_product(extend: str, code: Code, a: str, b: str) -> str:
    wide = [code.let(f"{extend} i32 {x} to i64") for x in (a, b)]
    product = code.let(f"mul i64 {wide[0]}, {wide[1]}")
    high = code.let(f"lshr i64 {product}, 32")
    return code.let(f"trunc i64 {high} to i32")


def _compare(predicate: str, code: Code, a: str, b: str) -> str:
    found = code.let(f"icmp {predicate} i32 {a}, {b}")
    return code.let(f"zext i1 {found} to i32")


def _compare_floats(predicate: str, code: Code, a: str, b: str) -> str:
    found = code.let(f"fcmp {predicate} float {code.to_float(a)}, {code.to_float(b)}")
    return code.let(f"zext i1 {found} to i32")


def _extend(bits: int, code: Code, a: str) -> str:
    low = code.let(f"trunc i32 {a} to i{bits}")
    return code.let(f"sext i{bits} {low} to i32")


def _float(opcode: str, code: Code, a: str, b: str) -> str:
    result = code.let(f"{opcode} float {code.to_float(a)}, {code.to_float(b)}")
    return code.from_float(result)


def _root(code: Code, a: str) -> str:
    return code.from_float(code.let(f"call float @llvm.sqrt.f32(float {code.to_float(a)})"))


def _to_float(opcode: str, code: Code, a: str) -> str:
    return code.from_float(code.let(f"{opcode} i32 {a} to float"))


def _to_integer(intrinsic: str, code: Code, a: str) -> str:
    return code.let(f"call i32 @llvm.{intrinsic}.sat.i32.f32(float {code.to_float(a)})")


def _bits(opcode: str, mask: int, code: Code, a: str) -> str:
    return code.let(f"{opcode} i32 {a}, {mask}")


def _table() -> dict[str, Compute]:
    table: dict[str, Compute] = {
        "shl": partial(_shift, "shl"),
        "shr": partial(_shift, "ashr"),
        "shru": partial(_shift, "lshr"),
        "mulhi": partial(_high_product, "sext"),
        "mulhiu": partial(_high_product, "zext"),
        "sxqw": partial(_extend, 8),
        "sxhw": partial(_extend, 16),
        "negf": partial(_bits, "xor", 0x80000000),
        "absf": partial(_bits, "and", 0x7FFFFFFF),
        "sqrtf": _root,
        "cif": partial(_to_float, "sitofp"),
        "cifu": partial(_to_float, "uitofp"),
        "cfi": partial(_to_integer, "fptosi"),
        "cfiu": partial(_to_integer, "fptoui"),
    }
    for name, opcode in {"shl": "shl", "shr": "ashr", "shru": "lshr"}.items():
        for count in SHIFTS:
            table[f"{name}{count}_32"] = partial(_bits, opcode, count)
    opcodes = {"add": "add", "sub": "sub", "mul": "mul", "and": "and", "ior": "or", "xor": "xor"}
    for name, opcode in opcodes.items():
        table[name] = partial(_instruction, opcode)
    for name, intrinsic in {"min": "smin", "max": "smax", "minu": "umin", "maxu": "umax"}.items():
        table[name] = partial(_intrinsic, intrinsic)
    for name in ("add", "sub", "mul", "div"):
        table[name + "f"] = partial(_float, "f" + name)
    for name in ("eq", "ne"):
        table[name] = partial(_compare, name)
    for name in ("lt", "le", "gt", "ge"):
        table[name] = partial(_compare, "s" + name)
        table[name + "u"] = partial(_compare, "u" + name)
    for name in ("eq", "lt", "le", "gt", "ge"):
        table[name + "f"] = partial(_compare_floats, "o" + name)
    table["nef"] = partial(_compare_floats, "une")
    return table


COMPUTE = _table()
"""Each pure operation of `OPSET`."""

DECLARATIONS = "\n".join(
    [f"declare i32 @llvm.{name}.i32(i32, i32)" for name in ("smin", "smax", "umin", "umax")]
    + [f"declare i32 @llvm.{name}.sat.i32.f32(float)" for name in ("fptosi", "fptoui")]
    + ["declare float @llvm.sqrt.f32(float)"]
)
