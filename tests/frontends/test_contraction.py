"""Products and sums are one operation within an expression only (OpenCL 3.0 C, section 6.12.13)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import polycl
from polycl.frontends.opencl_c import import_programs, read_source
from polycl.frontends.opencl_c.options import parse_options

OFF, ON = "\n#pragma OPENCL FP_CONTRACT OFF\n", "\n#pragma OPENCL FP_CONTRACT ON\n"


def errors(source: str, options: Sequence[str] = ()) -> bool:
    """Whether `o[i]`, the difference of x * x and its rounded value, is the error of rounding."""
    x = np.random.default_rng(3).uniform(1, 2, 64).astype(np.float32)
    exact = x.astype(np.float64) ** 2
    square = exact.astype(np.float32)
    kernel = polycl.load(source, list(options)).kernel("k")
    rounded, fused = np.zeros(64, np.float32), np.zeros(64, np.float32)
    kernel(x, square, rounded, global_size=64, local_size=16, device="interp")
    assert not rounded.any()
    kernel(x, square, fused, global_size=64, local_size=16, device="cpu")
    assert not fused.any() or np.array_equal(fused, (exact - square).astype(np.float32))
    return bool(fused.any())


def kernel(body: str) -> str:
    return f"""
    float square(float x) {{ return x * x; }}
    float difference(float x, float y) {{ return x - y; }}
    kernel void k(global const float *in, global const float *squares, global float *o) {{
      size_t i = get_global_id(0);
      float x = in[i], rounded = squares[i];
      {body}
    }}"""


@pytest.mark.parametrize(
    ("body", "fused"),
    [
        ("o[i] = x * x - rounded;", True),
        ("o[i] = (x * x) - rounded;", True),
        ("o[i] = -rounded - -(x * x);", True),
        ("o[i] = -rounded; o[i] += x * x;", True),
        ("o[i] = ((float2)(x, 1) * (float2)(x, 2) - (float2)(rounded, 0)).x;", True),
        ("float p = x * x; o[i] = p - rounded;", False),
        ("float p = x; p *= x; o[i] = p - rounded;", False),
        ("float p = -(x * x); o[i] = p + rounded;", False),
        ("float p; o[i] = (p = x * x) - rounded;", False),
        ("o[i] = (rounded > 0 ? x * x : x) - rounded;", False),
        ("o[i] = square(x) - rounded;", False),
        ("o[i] = difference(x * x, rounded);", False),
        ("o[i] = ((float2)(x, 1) * x).x - rounded;", False),
        ("float p[2]; p[0] = x * x; p[1] = 1; o[i] = p[0] - rounded;", False),
        ("struct { float a; } p = {x * x}; o[i] = p.a - rounded;", False),
        ("o[i] = x * x; o[i] = o[i] - rounded;", False),
        ("local float p[16]; p[i % 16] = x * x; o[i] = p[i % 16] - rounded;", False),
        ("float s = 0; for (int j = 0; j < 1; j++) { float p = x * x; s += p; } "
         "o[i] = s - rounded;", False),
    ],
)  # fmt: skip
def test_only_operands_of_a_sum_are_fused(body: str, fused: bool) -> None:
    assert errors(kernel(body)) == fused
    for option in ("-cl-mad-enable", "-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations"):
        assert "no_contract" not in str(polycl.load(kernel(body), [option]).module)
    assert not errors(OFF + kernel(body))


def test_everything_is_fused_where_an_option_allows_it() -> None:
    source = kernel("float p = x * x; o[i] = p - rounded;")
    assert errors(source, ["-cl-mad-enable"])
    assert not errors(OFF + source, ["-cl-mad-enable"])


def contracted(source: str, files: dict[str, str] | None = None) -> list[bool]:
    """Of each function with one product: whether it may be fused."""
    files = {f"/folder/{name}": text for name, text in (files or {}).items()}
    program = read_source(source, "/folder/main.cl", parse_options([]), files=files, whole=True)
    functions = import_programs([program]).body.block.ops
    return ["no_contract" not in str(function) for function in functions]


def function(name: str, before: str = "") -> str:
    return f"float {name}(float x) {{ {before} return x * x + 1.0f; }}\n"


def test_a_pragma_applies_to_its_block() -> None:
    inner = "y = x * x + 2.0f;"
    for block, fused in ((f"{{ {OFF} {inner} }}", 1), (f"{{ {OFF} {{ {ON} {inner} }} }}", 2)):
        text = f"float f(float x) {{ float y; {block} return x * x + y; }}"
        module = import_programs([read_source(text, "main.cl", parse_options([]), whole=True)])
        products = [line for line in str(module).splitlines() if "mulf" in line]
        assert sum("no_contract" not in line for line in products) == fused


def test_a_pragma_applies_until_the_next() -> None:
    text = function("a") + OFF + function("b") + ON + function("c") + function("d", OFF)
    assert contracted(text + function("e")) == [True, False, True, False, True]
    assert contracted(OFF + function("a") + "#pragma OPENCL FP_CONTRACT DEFAULT\n" + function("b"))


def test_a_pragma_in_an_included_file() -> None:
    off = {"off.h": OFF, "again.h": '#include "off.h"\n' + function("NAME")}
    include = '#include "off.h"\n'
    assert contracted(function("a") + include + function("b"), off) == [True, False]
    text = function("a") + '#define NAME b\n#include "again.h"\n#undef NAME\n' + ON + function("c")
    text += '#define NAME d\n#include "again.h"\n' + function("e")
    assert contracted(text, off) == [True, False, True, False, False]
    inside = {"f.h": function("g", OFF)}
    assert contracted('#include "f.h"\n' + function("h"), inside) == [False, True]


def test_a_pragma_on_disk(tmp_path: Path) -> None:
    (tmp_path / "off.h").write_text(OFF)
    source = '#include "off.h"\n' + kernel("o[i] = x * x - rounded;")
    assert not errors(source, [f"-I{tmp_path}"])


def test_a_pragma_that_a_condition_leaves_out() -> None:
    left_out = f"#if 0{OFF}#endif\n"
    assert contracted(left_out + function("a")) == [True]
    assert contracted(f"#if 1{OFF}#else{ON}#endif\n" + function("a")) == [False]
    assert contracted(function("a", f"\n{left_out}")) == [True]


def test_a_pragma_in_a_macro() -> None:
    macros = """
    #define OFF _Pragma("OPENCL FP_CONTRACT OFF")
    #define EXACT OFF
    #define ON _Pragma("OPENCL FP_CONTRACT ON")
    """
    text = macros + function("a") + "EXACT\n" + function("b") + "ON\n" + function("c", "\nOFF\n")
    assert contracted(text + function("d")) == [True, False, False, True]
    left_out = macros + "#if 0\nOFF\n#endif\n" + function("a")
    assert contracted(left_out) == [True]
    assert contracted("#undef OFF\n#define OFF\nOFF\n".join([macros, function("a")])) == [True]


def test_a_pragma_in_a_file_that_a_block_includes() -> None:
    off = {"off.h": OFF, "more.h": OFF + "float y = x * x + 3.0f;\n"}
    text = function("a", '\n#include "off.h"\n') + function("b")
    assert contracted(text, off) == [False, True]
    # The pragma of `b` is for its inner block, where nothing uses the product.
    text = function("a", '\n#include "more.h"\n') + function("b", '{\n#include "more.h"\n} ')
    files = {f"/folder/{name}": content for name, content in off.items()}
    program = read_source(text, "/folder/main.cl", parse_options([]), files=files, whole=True)
    products = [line for line in str(import_programs([program])).splitlines() if "mulf" in line]
    assert ["no_contract" in line for line in products] == [True, False]
