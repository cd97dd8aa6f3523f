"""Only the functions that kernels reach are read and built."""

from __future__ import annotations

from typing import Any

import pytest
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from polycl.analysis.ocl.module_parts import only_kernel
from polycl.errors import UnsupportedError
from polycl.frontends.opencl_c import import_programs, import_source, read_source
from polycl.frontends.opencl_c.options import parse_options


def _functions(module: ModuleOp) -> list[str]:
    return [op.sym_name.data for op in module.ops if isinstance(op, func.FuncOp)]


def test_a_function_that_no_kernel_reaches_is_not_read() -> None:
    unread = "int f(int n) { return n ? f(n - 1) : g(n); }"
    module = import_source(f"int g(int);\n{unread}\nkernel void k(global int *o) {{ o[0] = 1; }}")
    assert _functions(module) == []


def test_functions_are_reached_through_functions_in_source_order() -> None:
    source = """
        int c(int x) { return x + 3; }
        int a(int x) { return c(x) + 1; }
        int unread(int x) { return a(x); }
        kernel void k(global int *o) { o[0] = a(o[0]); }
    """
    assert _functions(import_source(source)) == ["c", "a"]


def test_a_call_in_a_macro_is_found() -> None:
    source = """
        #define CALL(name) name##ly
        int sadly(int x) { return x + 3; }
        kernel void k(global int *o) { o[0] = CALL(sad)(o[0]); }
    """
    assert _functions(import_source(source)) == ["sadly"]


def test_a_source_without_kernels_is_read_whole() -> None:
    source = "int c(int x) { return x + 3; }\nint a(int x) { return c(x); }"
    assert _functions(import_source(source)) == ["c", "a"]


def test_another_source_may_call_what_no_kernel_reaches() -> None:
    options: Any = parse_options([])
    library = "int c(int x) { return x; }\nkernel void a(global int *o) { o[0] = 1; }"
    user = "int c(int);\nkernel void b(global int *o) { o[0] = c(2); }"

    def read(whole: bool) -> ModuleOp:
        sources = (library, "one.cl"), (user, "two.cl")
        return import_programs([read_source(s, n, options, whole=whole) for s, n in sources])

    assert _functions(read(True)) == ["c"]
    with pytest.raises(UnsupportedError, match="'c' has no definition"):
        read(False)


def test_a_kernel_is_compiled_with_the_functions_that_it_calls() -> None:
    source = """
        int c(int x) { return x + 3; }
        int a(int x) { return c(x) + 1; }
        int d(int x) { return x; }
        kernel void k(global int *o) { o[0] = a(o[0]); }
        kernel void l(global int *o) { o[0] = d(o[0]); }
    """
    module = import_source(source)
    assert _functions(only_kernel(module, "k")) == ["c", "a"]
    assert _functions(only_kernel(module, "l")) == ["d"]
