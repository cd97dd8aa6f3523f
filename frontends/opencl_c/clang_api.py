"""The part of libclang's C interface that its Python bindings do not wrap."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from clang import cindex
from clang.cindex import Cursor, SourceLocation, Type

POST_INCREMENT, POST_DECREMENT, PRE_INCREMENT, PRE_DECREMENT = 1, 2, 3, 4
UNARY_SPELLING = {5: "&", 6: "*", 7: "+", 8: "-", 9: "~", 10: "!"}
"""CXUnaryOperatorKind -> spelling, without the four increments above."""

# The bindings make the members of these at run time, where no type checker sees them.
CursorKind: Any = cindex.CursorKind
TypeKind: Any = cindex.TypeKind
STATIC: Any = getattr(cindex.StorageClass, "STATIC")

_lib: Any = cindex.conf.lib


def _function(name: str, arguments: Sequence[Any], result: Any) -> Any:
    function = getattr(_lib, name)
    function.argtypes = list(arguments)
    function.restype = result
    return function


_KINDS: list[Any] = CursorKind._kinds
_visitor: Any = getattr(cindex, "callbacks")["cursor_visit"]
_CXString: Any = getattr(cindex, "_CXString")
_binary_kind = _function("clang_getCursorBinaryOperatorKind", [Cursor], ctypes.c_int)
_binary_spelling = _function("clang_getBinaryOperatorKindSpelling", [ctypes.c_int], _CXString)
_unary_kind = _function("clang_getCursorUnaryOperatorKind", [Cursor], ctypes.c_int)
_address_space = _function("clang_getAddressSpace", [Type], ctypes.c_uint)
_var_initializer = _function("clang_Cursor_getVarDeclInitializer", [Cursor], Cursor)
_is_null = _function("clang_Cursor_isNull", [Cursor], ctypes.c_int)
_presumed = _function(
    "clang_getPresumedLocation",
    [
        SourceLocation,
        ctypes.POINTER(_CXString),
        ctypes.POINTER(ctypes.c_uint),
        ctypes.POINTER(ctypes.c_uint),
    ],
    None,
)
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


def _text(string: Any) -> str:
    # The bindings may or may not have turned the result into a Python string already.
    return string if isinstance(string, str) else _CXString.from_result(string, None, None)


def binary_operator(cursor: Cursor) -> str:
    """The spelling of a binary or compound assignment operator, as in `+` or `<<=`."""
    return _text(_binary_spelling(_binary_kind(cursor)))


def unary_operator(cursor: Cursor) -> int:
    """libclang's number of a unary operator: an increment above or a key of UNARY_SPELLING."""
    return _unary_kind(cursor)


def address_space(type: Type) -> int:
    """clang's language address space of a type: 0 none, 1 global, 2 local, 3 constant,
    4 private, 5 generic. An expression whose type has one is an l-value."""
    return _address_space(type)


def atomic_value_type(type: Type) -> Type:
    """The T of `_Atomic(T)`."""
    value = _value_type(type)
    # As for cursors: a type that comes from ctypes itself lacks its translation unit.
    setattr(value, "_tu", type.translation_unit)
    return value


def initializer(declaration: Cursor) -> Cursor | None:
    """The initialiser of a variable, which is otherwise one child among array sizes."""
    cursor = _var_initializer(declaration)
    if _is_null(cursor):
        return None
    # Cursors that come from ctypes itself do not know their translation unit.
    setattr(cursor, "_tu", declaration.translation_unit)
    return cursor


def presumed_location(location: SourceLocation) -> tuple[str, int, int]:
    """(file, line, column), 1-based, with `#line` directives taken into account."""
    file, line, column = _CXString(), ctypes.c_uint(), ctypes.c_uint()
    _presumed(location, ctypes.byref(file), ctypes.byref(line), ctypes.byref(column))
    return _text(file), line.value, column.value


def evaluate(cursor: Cursor) -> int | float | None:
    """The value of a constant expression, or None where clang cannot tell."""
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
    """The declaration as clang prints it from its tree: no comment and no macro is left."""
    policy = _policy(declaration)
    try:
        return _text(_pretty(declaration, policy))
    finally:
        _policy_dispose(policy)


def key_of(cursor: Cursor) -> tuple[int, int]:
    """What tells one declaration from all others; the same for every reference to it."""
    declaration = cursor.canonical
    return declaration.hash, declaration.extent.begin_int_data


def kind_of(cursor: Cursor) -> Any:
    """The cursor's kind, or None where the bindings have no name for it."""
    number = cursor._kind_id
    return _KINDS[number] if number < len(_KINDS) else None


def children(cursor: Cursor) -> list[Cursor]:
    """The cursors directly below one. The bindings' own way asks about each of them twice."""
    found: list[Cursor] = []
    tu = cursor._tu

    def visit(child: Cursor, parent: Cursor, unused: object) -> int:
        setattr(child, "_tu", tu)
        found.append(child)
        return 1

    _lib.clang_visitChildren(cursor, _visitor(visit), None)
    return found


def handle_of(type: Type) -> int:
    """What tells a type with its qualifiers from all others of its translation unit."""
    return type.data[0]
