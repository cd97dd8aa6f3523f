"""`tta-expand-arith`: operations that a simulated processor lacks become function calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects import arith, math, vector
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerType,
    ModuleOp,
    VectorType,
    f16,
    f32,
    f64,
    i16,
    i32,
    i64,
)
from xdsl.dialects.func import CallOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl, vec
from polycl.dialects.vec import element_of, width_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.function_library import library
from polycl.lowering.tta.tta_expand_arith.division import Division, Divisor, Done

PREFIX = "tta."
"""The prefix of the functions of tta_functions.mlir."""

_DIVISIONS: dict[type[Operation], tuple[str, bool]] = {
    arith.DivSIOp: ("div_s", True),
    arith.RemSIOp: ("rem_s", True),
    arith.DivUIOp: ("div_u", False),
    arith.RemUIOp: ("rem_u", False),
}

_COUNTS: dict[type[Operation], str] = {
    math.CountLeadingZerosOp: "clz_i",
    math.CountTrailingZerosOp: "ctz_i",
    math.CtPopOp: "popcount_i",
}

_FLOAT: dict[type[Operation], tuple[str, str | None]] = {
    arith.DivfOp: ("div_f32", "divf"),
    math.SqrtOp: ("sqrt_f32", "sqrtf"),
    math.FmaOp: ("fma_f32", None),
    vector.FMAOp: ("fma_f32", None),
    math.TruncOp: ("trunc_f32", None),
    math.FloorOp: ("floor_f32", None),
    math.CeilOp: ("ceil_f32", None),
    math.RoundOp: ("round_f32", None),
    math.RoundEvenOp: ("roundeven_f32", None),
}
"""The function of each, and the operation of the processor that replaces it."""

_SINGLE: dict[type[Operation], tuple[str, str]] = vec.with_vectors(
    {
        arith.AddfOp: ("add_f32", "addf"),
        arith.SubfOp: ("sub_f32", "subf"),
        arith.MulfOp: ("mul_f32", "mulf"),
        arith.SIToFPOp: ("to_f32_s32", "cif"),
        arith.UIToFPOp: ("to_f32_u32", "cifu"),
        arith.FPToSIOp: ("to_s32_f32", "cfi"),
        arith.FPToUIOp: ("to_u32_f32", "cfiu"),
    }
)
"""Operations of processors with units for floats: the function of each, and its operation."""

_DOUBLE: dict[type[Operation], str] = vec.with_vectors(
    {
        arith.AddfOp: "add",
        arith.SubfOp: "sub",
        arith.MulfOp: "mul",
        arith.DivfOp: "div",
        arith.NegfOp: "neg",
        arith.MinnumfOp: "minnum",
        arith.MaxnumfOp: "maxnum",
        arith.MinimumfOp: "minimum",
        arith.MaximumfOp: "maximum",
        math.AbsFOp: "abs",
        math.CopySignOp: "copysign",
        math.SqrtOp: "sqrt",
        math.RsqrtOp: "rsqrt",
        math.FmaOp: "fma",
        vector.FMAOp: "fma",
        math.TruncOp: "trunc",
        math.FloorOp: "floor",
        math.CeilOp: "ceil",
        math.RoundOp: "round",
        math.RoundEvenOp: "roundeven",
    }
)
"""The function of each operation in double precision."""

_PREDICATES = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("uno", "ueq", "ugt", "uge", "ult", "ule", "une", "true"),
)
"""Each at the sum of what it holds for: 1 for equal, 2 for greater, 4 for less, 8 for neither."""

_CONVERSIONS = (
    *vec.both(arith.ExtFOp, arith.TruncFOp, arith.SIToFPOp, arith.UIToFPOp),
    *vec.both(arith.FPToSIOp, arith.FPToUIOp),
)

_HALF = vec.both(
    *(arith.AddfOp, arith.SubfOp, arith.MulfOp, arith.NegfOp, arith.CmpfOp, math.AbsFOp),
    *(arith.MinnumfOp, arith.MaxnumfOp, arith.MinimumfOp, arith.MaximumfOp, math.CopySignOp),
    *(arith.SIToFPOp, arith.UIToFPOp, arith.FPToSIOp, arith.FPToUIOp),
    math.RsqrtOp,
    *_FLOAT,
)
"""Operations in half precision that are computed in single precision."""


@dataclass(frozen=True)
class TtaExpandArithPass(ModulePass):
    """Replace operations by calls of functions (tta_functions.cl), which are inlined afterwards.

    ```
    %q = arith.divui %a, %b : i32      ->      %q = func.call @tta.div_u32(%a, %b)
    ```

    The operations are products of integers that are not constant, divisions, square roots,
    `math.fma`, `fmod` and `remainder`, rounding to integers, bit counts, conversions between floats
    and 64-bit integers, half precision, which is computed in single precision, and double
    precision, which is computed by integers. Words are divided by products with a reciprocal
    (division.py), 64-bit integers bit by bit. Vectors are expanded element by element. `operations`
    are those of mul, mulhi, mulhiu, divf and sqrtf that the processor has; `lacks` are those of
    addf, subf, mulf, cif, cifu, cfi and cfiu that it does not have. Products of integers are
    made of products of words if there is a `mul`, of products of floats if there is a `mulf`, else
    of sums.
    """

    name = "tta-expand-arith"

    operations: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = library(Path(__file__).with_name("tta_functions.mlir"), PREFIX)
        done: set[Operation] = set()
        # What is added may need other functions.
        while new := [function for function in op.ops if function not in done]:
            needed: set[str] = set()
            for function in new:
                divided = Done()
                done.add(function)
                for inner in list(function.walk()):
                    _Expansion(inner, self, needed, divided).expand()
            if needed:
                functions.add_to(op, sorted(needed))


class _Expansion(Build):
    """Expands one operation: new operations are inserted before it."""

    def __init__(
        self,
        op: Operation,
        options: TtaExpandArithPass,
        needed: set[str],
        done: Done,
    ):
        super().__init__(op)
        self.op = op
        self.done = done
        self.options = options
        self.operations = frozenset(options.operations)
        self.needed = needed

    def expand(self) -> None:
        results = self._results()
        if results is not None:
            for old, new in zip(self.op.results, results, strict=True):
                new.name_hint = new.name_hint or old.name_hint
            Rewriter.replace_op(self.op, [], results)

    def _results(self) -> Sequence[SSAValue] | None:
        op = self.op
        if isinstance(op, CallOp):
            return self._library_call(op)
        if f64 in {element_of(value.type) for value in (*op.operands, *op.results)}:
            return self._double()
        if isinstance(op, vec.AnyExtF | vec.AnyTruncF):
            types = {element_of(value.type) for value in (op.input, op.result)}
            if types != {f16, f32}:
                return None
            return self._each(1, lambda x: [self._convert(x, element_of(op.result.type))])
        if not op.operands or not op.results:
            return None
        types = {element_of(value.type) for value in (*op.operands, *op.results)}
        if f16 in types and isinstance(op, _HALF):
            return self._in_single()
        return self._integer() or self._float()

    def _library_call(self, op: CallOp) -> Sequence[SSAValue] | None:
        called = op.callee.string_value()
        name = called.removeprefix(PREFIX)
        variant = self._variant(name)
        if variant == name or not called.startswith(PREFIX):
            return None
        return [self._call(variant, op.result_types[0], *op.operands)]

    # Integers

    def _integer(self) -> Sequence[SSAValue] | None:
        op = self.op
        element = element_of(op.results[0].type)
        width = element.width.data if isinstance(element, IntegerType) else 32
        wide = 64 if width == 64 else 32
        match op:
            case arith.MuliOp() if width > 1 and not self._multiplies(op, wide):
                return self._each(2, lambda a, b: [self._multiply(a, b, wide)])
            case arith.MulSIExtendedOp() | arith.MulUIExtendedOp():
                return self._extended(op, width)
            case _ if type(op) in _DIVISIONS:
                return self._each(2, lambda a, b: [self._divide(a, b, width)])
            case _ if type(op) in _COUNTS:
                name = f"{_COUNTS[type(op)]}{wide}"
                return self._each(1, lambda a: [self._count(name, width, wide, a)])
            case _:
                return None

    def _multiply(self, a: SSAValue, b: SSAValue, width: int) -> SSAValue:
        words = self._words_of(a, b) if width == 64 else None
        if words is not None:
            return self._call(self._product("wide_product"), i64, *words)
        return self._wide(self._product(f"mul_i{width}"), width, False, a, b)

    def _multiplies(self, op: arith.MuliOp, width: int) -> bool:
        if any(isinstance(value.owner, arith.ConstantOp) for value in op.operands):
            return True
        return self._multiplies_words or (width == 32 and "mul" in self.operations)

    def _divide(self, a: SSAValue, b: SSAValue, width: int) -> SSAValue:
        name, signed = _DIVISIONS[type(self.op)]
        words = self._words_of(a, b) if width == 64 else None
        if words is not None:
            # Neither is negative.
            quotient = self._divide_words(name, *words, 32, signed=False)
            return self._extend(quotient, i64, signed=False)
        if width == 64:
            return self._wide(f"{name}64", 64, signed, a, b)
        return self._shorten(self._divide_words(name, a, b, width, signed=signed), a.type)

    def _divide_words(
        self, name: str, a: SSAValue, b: SSAValue, width: int, *, signed: bool
    ) -> SSAValue:
        """Numbers of up to 32 bits; the result is a word."""
        key = self.block, a, b, signed
        if key not in self.done.results:
            division = Division(self, self._low_product, self._multiplies_words)
            divisor = division.known(b, signed=signed)
            has_floats = not {"cifu", "cfiu", "mulf"}.intersection(self.options.lacks)
            word = self._extend(a, i32, signed)
            if divisor is None and has_floats:
                divisor = self._divisor(b, signed)
            if divisor is None or not (has_floats or division.is_exact(divisor)):
                name = name[:4] + ("s32" if signed else "u32")
                return self._call(name, i32, word, self._extend(b, i32, signed))
            divide = division.signed if signed else division.unsigned
            self.done.results[key] = divide(word, divisor, width)
        quotient, rest = self.done.results[key]
        return quotient if name.startswith("div") else rest

    def _divisor(self, b: SSAValue, signed: bool) -> Divisor:
        """With a reciprocal that is computed once, where `b` is."""
        key = b, signed
        if key not in self.done.divisors:
            there = _Expansion(self.op, self.options, self.needed, self.done)
            there.point = Build.after(b).point
            word = there._extend(b, i32, signed)
            sign = there.shr(word, 31, signed=True) if signed else None
            size = word if sign is None else there.sub(there.xor(word, sign), sign)
            reciprocal = there._call("reciprocal_u32", f32, size)
            self.done.divisors[key] = Divisor(size, None, reciprocal, sign)
        return self.done.divisors[key]

    @property
    def _multiplies_words(self) -> bool:
        return {"mul", "mulhiu"} <= self.operations

    def _product(self, name: str) -> str:
        """The function of a product: by floats, or by integers."""
        if "mul" not in self.operations and "mulf" not in self.options.lacks:
            return name
        return name + ("_by_sums" if name == "mul_i32" else "_by_integers")

    def _variant(self, name: str) -> str:
        """A function that the library calls, or the one that suits the processor better."""
        if name == "long_product":
            return self._product(name)
        if name == "clz_i32" and "cifu" not in self.options.lacks:
            return "clz_i32_by_floats"
        return name

    def _extended(
        self, op: arith.MulSIExtendedOp | arith.MulUIExtendedOp, width: int
    ) -> Sequence[SSAValue] | None:
        signed = isinstance(op, arith.MulSIExtendedOp)
        sign = "s" if signed else "u"
        has = {"mul", "mulhi" if signed else "mulhiu"} <= self.operations
        if width == 32 and has:
            return None

        def multiply(a: SSAValue, b: SSAValue) -> list[SSAValue]:
            if width < 32:
                a, b = (self._extend(x, i32, signed) for x in (a, b))
                product = self._low_product(a, b)
                shift = self.constant(width, i32)
                upper = self.emit(arith.ShRUIOp(product, shift))
                low, high = (arith.TruncIOp(x, IntegerType(width)) for x in (product, upper))
                return [self.emit(low), self.emit(high)]
            word = IntegerType(width)
            low = self._low_product(a, b)
            high = self._call(self._product(f"mulhi_{sign}{width}"), word, a, b)
            return [low, high]

        return self._each(2, multiply)

    def _low_product(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """A product of i32 or i64."""
        width = width_of(a.type)
        if width == 32 and "mul" in self.operations:
            return self.mul(a, b)
        return self._call(self._product(f"mul_i{width}"), a.type, a, b)

    def _wide(self, name: str, width: int, signed: bool, *operands: SSAValue) -> SSAValue:
        """A call of a function on 32- or 64-bit integers, for operands that may be narrower."""
        result_type, word = operands[0].type, IntegerType(width)
        result = self._call(name, word, *(self._extend(x, word, signed) for x in operands))
        return self._shorten(result, result_type)

    def _count(self, name: str, width: int, wide: int, a: SSAValue) -> SSAValue:
        word = IntegerType(wide)
        x = self._extend(a, word, signed=False)
        if width < 32 and name.startswith("ctz"):
            # A one after the highest bit ends the trailing zeros.
            end = self.constant(1 << width, i32)
            x = self.or_(x, end)
        count = self._call(self._variant(name), word, x)
        if width < 32 and name.startswith("clz"):
            more = self.constant(32 - width, i32)
            count = self.sub(count, more)
        return self._shorten(count, a.type)

    def _words_of(self, a: SSAValue, b: SSAValue) -> tuple[SSAValue, SSAValue] | None:
        x, y = self._word_of(a), self._word_of(b)
        return None if x is None or y is None else (x, y)

    def _word_of(self, x: SSAValue) -> SSAValue | None:
        """The lower half of an i64 whose upper half is zero, or None."""
        match x.owner:
            case arith.ExtUIOp():
                return self._extend(x.owner.input, i32, signed=False)
            case arith.AndIOp() | arith.ConstantOp():
                number = constant_value(x.owner.operands[1] if x.owner.operands else x)
                is_word = number is not None and 0 <= number < 1 << 32
            case arith.ShRUIOp():
                number = constant_value(x.owner.rhs)
                is_word = number is not None and 32 <= number < 64
            case _:
                return None
        return self.resize(x, 32, signed=False) if is_word else None

    def _extend(self, x: SSAValue, type: IntegerType, signed: bool) -> SSAValue:
        if isinstance(x.type, IndexType):
            return self.index_cast(x, type)
        return self.resize(x, type.width.data, signed=signed)

    def _shorten(self, x: SSAValue, type: Attribute) -> SSAValue:
        if isinstance(type, IndexType):
            return self.as_index(x)
        return self.resize(x, width_of(type), signed=False)

    # Floats

    def _float(self) -> Sequence[SSAValue] | None:
        op = self.op
        source, result = element_of(op.operands[0].type), element_of(op.results[0].type)
        if isinstance(op, ocl.BuiltinOp):
            name = op.function.data
            if name not in ("fmod", "remainder") or result != f32:
                return None
            return self._each(2, lambda x, y: [self._call(f"{name}_f32", f32, x, y)])
        if isinstance(op, math.RsqrtOp) and result == f32:
            return self._each(1, lambda x: [self._reciprocal_root(x)])
        if type(op) in _FLOAT and result == f32:
            name, operation = _FLOAT[type(op)]
            if operation in self.operations:
                return None
            count = len(op.operands)
            return self._each(count, lambda *xs: [self._call(name, f32, *xs)])
        names: dict[type[Operation], str] = vec.with_vectors(
            {
                arith.SIToFPOp: "to_f32_s64",
                arith.UIToFPOp: "to_f32_u64",
                arith.FPToSIOp: "to_s64_f32",
                arith.FPToUIOp: "to_u64_f32",
            }
        )
        if type(op) in _SINGLE and _SINGLE[type(op)][1] in self.options.lacks:
            return self._single(*_SINGLE[type(op)])
        if type(op) in names and i64 in (source, result) and f32 in (source, result):
            return self._each(1, lambda x: [self._call(names[type(op)], result, x)])
        return None

    def _single(self, name: str, operation: str) -> Sequence[SSAValue] | None:
        """An operation in single precision, or its conversion from or to up to 32 bits."""
        op = self.op
        source, result = element_of(op.operands[0].type), element_of(op.results[0].type)
        if operation in ("addf", "subf", "mulf"):
            return self._each(2, lambda x, y: [self._call(name, f32, x, y)])
        integer = source if result == f32 else result
        if f32 not in (source, result) or integer == i64 or not isinstance(integer, IntegerType):
            return None
        signed = isinstance(op, vec.AnySIToFP | vec.AnyFPToSI)
        if result == f32:
            return self._each(1, lambda x: [self._call(name, f32, self._extend(x, i32, signed))])
        return self._each(1, lambda x: [self._shorten(self._call(name, i32, x), integer)])

    def _reciprocal_root(self, x: SSAValue) -> SSAValue:
        """1 / sqrt(x), rounded twice, as the reference does."""
        if "sqrtf" in self.operations:
            root = self.emit(math.SqrtOp(x))
        else:
            root = self._call("sqrt_f32", f32, x)
        one = self.constant(1.0, f32)
        if "divf" in self.operations:
            return self.divf(one, root)
        return self._call("div_f32", f32, one, root)

    def _convert(self, x: SSAValue, type: Attribute) -> SSAValue:
        """Between half and single precision."""
        return self._between_half(x, type, "f32")

    def _between_half(self, x: SSAValue, type: Attribute, wide: str) -> SSAValue:
        if type == f16:
            return self.emit(arith.BitcastOp(self._call(f"to_f16_{wide}", i16, x), f16))
        return self._call(f"to_{wide}_f16", type, self.emit(arith.BitcastOp(x, i16)))

    def _in_single(self) -> Sequence[SSAValue]:
        """An operation in half precision. The second rounding changes nothing, since single
        precision has more than twice as many bits."""

        def compute(*operands: SSAValue) -> list[SSAValue]:
            wide = [self._convert(x, f32) if x.type == f16 else x for x in operands]
            result = element_of(self.op.results[0].type)
            kind = type(self.op)
            new = vec.SCALAR_FORMS.get(kind, kind).create(
                operands=wide,
                result_types=[f32 if result == f16 else result],
                properties=self.op.properties,
                attributes=self.op.attributes,
            )
            value = self.emit(new)
            inner = _Expansion(new, self.options, self.needed, self.done)._results()
            if inner is not None:
                Rewriter.erase_op(new)
                (value,) = inner
            return [self._convert(value, f16) if result == f16 else value]

        return self._each(len(self.op.operands), compute)

    def _double(self) -> Sequence[SSAValue] | None:
        """An operation in double precision, or a conversion from or to it."""
        op = self.op
        if isinstance(op, ocl.BuiltinOp) and op.function.data in ("fmod", "remainder"):
            name = op.function.data
        elif isinstance(op, vec.AnyCmpf):
            return self._each(2, lambda x, y: [self._compare(op, x, y)])
        elif isinstance(op, _CONVERSIONS):
            return self._each(1, lambda x: [self._convert_double(x)])
        elif type(op) in _DOUBLE:
            name = _DOUBLE[type(op)]
        else:
            return None
        return self._each(len(op.operands), lambda *xs: [self._call(f"{name}_f64", f64, *xs)])

    def _compare(self, op: vec.AnyCmpf, x: SSAValue, y: SSAValue) -> SSAValue:
        predicate = arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]
        holds = self.constant(_PREDICATES.index(predicate), i32)
        relation = self._call("compare_f64", i32, x, y)
        return self.compare("ne", self.and_(relation, holds), self.constant(0, i32))

    def _convert_double(self, x: SSAValue) -> SSAValue:
        op = self.op
        source, result = x.type, element_of(op.results[0].type)
        if isinstance(op, vec.AnyExtF | vec.AnyTruncF):
            if f16 in (source, result):
                return self._between_half(x, result, "f64")
            return self._call(f"to_{result}_{source}", result, x)
        integer = source if result == f64 else result
        word = IntegerType(64 if width_of(integer) == 64 else 32)
        signed = isinstance(op, vec.AnySIToFP | vec.AnyFPToSI)
        name = f"{'s' if signed else 'u'}{word.width.data}"
        if result == f64:
            return self._call(f"to_f64_{name}", f64, self._extend(x, word, signed))
        return self._shorten(self._call(f"to_{name}_f64", word, x), result)

    # Building

    def _each(self, operands: int, compute: Callable[..., list[SSAValue]]) -> list[SSAValue]:
        """The results of `compute` on each element of vectors, or on scalars."""
        values = self.op.operands[:operands]
        shape = self.op.results[0].type
        if not isinstance(shape, VectorType):
            return compute(*values)
        found: list[list[SSAValue]] = []
        for i in range(shape.element_count()):
            found.append(compute(*(self._element(x, i) for x in values)))
        joined: list[SSAValue] = []
        for parts, result in zip(zip(*found, strict=True), self.op.results, strict=True):
            assert isinstance(result.type, VectorType)
            joined.append(self.emit(ocl.ConcatOp(parts, result.type)))
        return joined

    def _element(self, x: SSAValue, position: int) -> SSAValue:
        match x.owner:
            case arith.ConstantOp(value=DenseIntOrFPElementsAttr() as elements):
                numbers = elements.get_values()
                # A single number is that of all elements.
                number = numbers[position if len(numbers) > 1 else 0]
                assert isinstance(number, int | float)
                return self.constant(number, element_of(x.type))
            case _:
                return self.emit(vector.ExtractOp(x, [position], element_of(x.type)))

    def _call(self, name: str, result: Attribute, *operands: SSAValue) -> SSAValue:
        self.needed.add(PREFIX + name)
        return self.emit(CallOp(PREFIX + name, operands, [result]))
