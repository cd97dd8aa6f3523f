"""The part of libclang's C interface that its Python bindings do not wrap."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

from clang import cindex
from clang.cindex import Cursor, SourceLocation, Type

INCREMENTS = {1: (1, False), 2: (-1, False), 3: (1, True), 4: (-1, True)}
"""CXUnaryOperatorKind -> what an increment adds, and whether it is a prefix."""
UNARY_SPELLING = {5: "&", 6: "*", 7: "+", 8: "-", 9: "~", 10: "!"}
"""CXUnaryOperatorKind -> the spelling of every other unary operator."""

# The bindings make the members of these at run time, so that no type checker knows them.
CursorKind: Any = cindex.CursorKind
TypeKind: Any = cindex.TypeKind
EXTERN: Any = getattr(cindex.StorageClass, "EXTERN")
STATIC: Any = getattr(cindex.StorageClass, "STATIC")

if TypeKind._kinds[32] is None:
    TypeKind.FLOAT16 = TypeKind(32)
"""The type of `1.0f16`, which the bindings of libclang 18 lack."""

# The bindings' own functions check each result and each argument, which costs more than the call
# itself. These are plain, and keep Python's lock: none of them takes long.
_lib = ctypes.PyDLL(getattr(cindex.conf.lib, "_name"))


def _function(name: str, arguments: Sequence[Any], result: Any) -> Any:
    function = _lib[name]
    function.argtypes = list(arguments)
    function.restype = result
    return function


_KINDS: list[Any] = CursorKind._kinds
_Visitor = ctypes.CFUNCTYPE(ctypes.c_int, Cursor, Cursor, ctypes.py_object)
_SourceRange: Any = getattr(cindex, "SourceRange")
_CXString: Any = getattr(cindex, "_CXString")


class _Ranges(ctypes.Structure):
    _fields_ = [("count", ctypes.c_uint), ("ranges", ctypes.POINTER(_SourceRange))]


class _FileName(ctypes.Structure):
    """A string of libclang that its translation unit owns and disposes of."""

    _fields_ = [("address", ctypes.c_void_p), ("flags", ctypes.c_uint)]


_visit_children = _function(
    "clang_visitChildren", [Cursor, _Visitor, ctypes.py_object], ctypes.c_uint
)
_type = _function("clang_getCursorType", [Cursor], Type)
_extent = _function("clang_getCursorExtent", [Cursor], _SourceRange)
_referenced = _function("clang_getCursorReferenced", [Cursor], Cursor)
_canonical = _function("clang_getCanonicalCursor", [Cursor], Cursor)
_skipped = _function("clang_getSkippedRanges", [ctypes.c_void_p, ctypes.c_void_p], ctypes.c_void_p)
_skipped_dispose = _function("clang_disposeSourceRangeList", [ctypes.c_void_p], None)
_spelling = _function("clang_getCursorSpelling", [Cursor], _CXString)
_hash = _function("clang_hashCursor", [Cursor], ctypes.c_uint)
_binary_kind = _function("clang_getCursorBinaryOperatorKind", [Cursor], ctypes.c_int)
_binary_spelling = _function("clang_getBinaryOperatorKindSpelling", [ctypes.c_int], _CXString)
_canonical_type = _function("clang_getCanonicalType", [Type], Type)
_is_virtual_base = _function("clang_isVirtualBase", [Cursor], ctypes.c_uint)
_is_volatile = _function("clang_isVolatileQualifiedType", [Type], ctypes.c_uint)
_var_initializer = _function("clang_Cursor_getVarDeclInitializer", [Cursor], Cursor)
_is_null = _function("clang_Cursor_isNull", [Cursor], ctypes.c_int)
_presumed = _function(
    "clang_getPresumedLocation",
    [
        SourceLocation,
        ctypes.POINTER(_FileName),
        ctypes.POINTER(ctypes.c_uint),
        ctypes.POINTER(ctypes.c_uint),
    ],
    None,
)
_string = _function("clang_getCString", [_CXString], ctypes.c_char_p)
_value_type = _function("clang_Type_getValueType", [Type], Type)
_evaluate = _function("clang_Cursor_Evaluate", [Cursor], ctypes.c_void_p)
_result_kind = _function("clang_EvalResult_getKind", [ctypes.c_void_p], ctypes.c_int)
_result_is_unsigned = _function("clang_EvalResult_isUnsignedInt", [ctypes.c_void_p], ctypes.c_uint)
_result_signed = _function("clang_EvalResult_getAsLongLong", [ctypes.c_void_p], ctypes.c_longlong)
_result_unsigned = _function(
    "clang_EvalResult_getAsUnsigned", [ctypes.c_void_p], ctypes.c_ulonglong
)
_result_double = _function("clang_EvalResult_getAsDouble", [ctypes.c_void_p], ctypes.c_double)
_result_dispose = _function("clang_EvalResult_dispose", [ctypes.c_void_p], None)
_policy = _function("clang_getCursorPrintingPolicy", [Cursor], ctypes.c_void_p)
_policy_dispose = _function("clang_PrintingPolicy_dispose", [ctypes.c_void_p], None)
_pretty = _function("clang_getCursorPrettyPrinted", [Cursor, ctypes.c_void_p], _CXString)


location: Callable[[Cursor], SourceLocation] = _function(
    "clang_getCursorLocation", [Cursor], SourceLocation
)
unary_operator: Callable[[Cursor], int] = _function(
    "clang_getCursorUnaryOperatorKind", [Cursor], ctypes.c_int
)
"""A key of INCREMENTS or of UNARY_SPELLING."""
address_space: Callable[[Type], int] = _function("clang_getAddressSpace", [Type], ctypes.c_uint)
"""clang's language address space of a type: 0 none, 1 global, 2 local, 3 constant, 4 private,
5 generic. An expression whose type has one is an l-value."""

_Found = TypeVar("_Found", Cursor, Type)


def _in_unit_of(origin: Cursor | Type, found: _Found) -> _Found:
    """A result of ctypes, which the bindings use only if it has its translation unit."""
    setattr(found, "_tu", origin._tu)
    return found


def _text(string: Any) -> str:
    return (_string(string) or b"").decode()


@cache
def _operator(number: int) -> str:
    return _text(_binary_spelling(number))


def binary_operator(cursor: Cursor) -> str:
    """The spelling of a binary or compound assignment operator, as in `+` or `<<=`."""
    return _operator(_binary_kind(cursor))


def canonical_type(type: Type) -> Type:
    """`type.get_canonical()`, at less cost."""
    return _in_unit_of(type, _canonical_type(type))


def is_volatile(type: Type) -> bool:
    """Whether the type itself, not what it points to, is volatile."""
    return bool(_is_volatile(type))


def is_virtual(base: Cursor) -> bool:
    """Whether a base class is inherited virtually."""
    return bool(_is_virtual_base(base))


def atomic_value_type(type: Type) -> Type:
    """The T of `_Atomic(T)`."""
    return _in_unit_of(type, _value_type(type))


def initializer(declaration: Cursor) -> Cursor | None:
    """The initialiser of a variable. Its children hold it among array sizes."""
    cursor = _var_initializer(declaration)
    return None if _is_null(cursor) else _in_unit_of(declaration, cursor)


class Presumed:
    """Presumed locations in one translation unit."""

    def __init__(self) -> None:
        self._file, self._line, self._column = _FileName(), ctypes.c_uint(), ctypes.c_uint()
        self._results = [ctypes.byref(r) for r in (self._file, self._line, self._column)]
        self._names: dict[int, str] = {0: ""}

    def location(self, location: SourceLocation) -> tuple[str, int, int]:
        """(file, line, column), 1-based, with `#line` directives taken into account."""
        _presumed(location, *self._results)
        address: int = self._file.address or 0
        name = self._names.get(address)
        if name is None:
            name = self._names[address] = ctypes.string_at(address).decode()
        return name, self._line.value, self._column.value


def presumed_location(location: SourceLocation) -> tuple[str, int, int]:
    """(file, line, column), 1-based, with `#line` directives taken into account."""
    return Presumed().location(location)


def evaluate(cursor: Cursor) -> int | float | None:
    """The value of a constant expression, or None where clang does not know it."""
    result = _evaluate(cursor)
    if not result:
        return None
    try:
        kind = _result_kind(result)
        if kind == 1:
            unsigned = _result_is_unsigned(result)
            return _result_unsigned(result) if unsigned else _result_signed(result)
        return _result_double(result) if kind == 2 else None
    finally:
        _result_dispose(result)


def pretty_printed(declaration: Cursor) -> str:
    """The declaration as clang prints it from its tree, without comments and macros."""
    policy = _policy(declaration)
    try:
        return _text(_pretty(declaration, policy))
    finally:
        _policy_dispose(policy)


def skipped_lines(unit: cindex.TranslationUnit, file: str) -> list[tuple[int, int]]:
    """The first and last lines of the parts of a file that conditions leave out.

    The unit was parsed with PARSE_DETAILED_PROCESSING_RECORD.
    """
    address = _skipped(unit, cindex.File.from_name(unit, file))
    try:
        found = ctypes.cast(address, ctypes.POINTER(_Ranges)).contents
        extents = [found.ranges[number] for number in range(found.count)]
        return [(extent.start.line, extent.end.line) for extent in extents]
    finally:
        _skipped_dispose(address)


def begin_of(cursor: Cursor) -> int:
    """clang's number of the source location where the cursor's text begins."""
    return _extent(cursor).begin_int_data


def end_of(cursor: Cursor) -> int:
    """clang's number of the source location where the cursor's text ends; in the text of a macro,
    but not in its arguments, that where the macro's use ends."""
    return _extent(cursor).end_int_data


def type_of(cursor: Cursor) -> Type:
    """`cursor.type`, at less cost."""
    return _in_unit_of(cursor, _type(cursor))


def referenced(cursor: Cursor) -> Cursor:
    """`cursor.referenced`, at less cost; its kind is INVALID_FILE where there is none."""
    return _in_unit_of(cursor, _referenced(cursor))


def spelling(cursor: Cursor) -> str:
    """`cursor.spelling`, at less cost."""
    return _text(_spelling(cursor))


def key_of(cursor: Cursor) -> tuple[int, int]:
    """Identifies a declaration; the same for every reference to it."""
    declaration = _canonical(cursor)
    return _hash(declaration), begin_of(declaration)


def kind_of(cursor: Cursor) -> Any:
    """The cursor's kind, or None where the bindings have no name for it."""
    number = cursor._kind_id
    return _KINDS[number] if number < len(_KINDS) else None


@cache
def is_expression(kind: Any) -> bool:
    """Whether a cursor of this kind is an expression."""
    return kind is not None and kind.is_expression()


def children(cursor: Cursor) -> list[Cursor]:
    """The direct children. The bindings' own way checks each of them twice."""
    found: list[Cursor] = []
    _visit_children(cursor, _append, found)
    return [_in_unit_of(cursor, child) for child in found]


@_Visitor
def _append(child: Cursor, parent: Cursor, found: list[Cursor]) -> int:
    found.append(child)
    return 1  # CXChildVisit_Continue


def handle_of(type: Type) -> int:
    """Identifies a type with its qualifiers in its translation unit."""
    return type.data[0]
