"""Encodings, line ends, includes, macros, options and locations."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import FileLineColLoc, FloatAttr, IntegerAttr, ModuleOp
from xdsl.ir import Operation

from polycl.dialects import ocl
from polycl.errors import SourceError, location_of
from polycl.frontends.opencl_c import import_source

STORE = "kernel void k(global int *o) {\n  o[0] = %s;\n}\n"


def numbers(module: ModuleOp) -> list[int | float]:
    """The constants that a module stores."""
    found: list[int | float] = []
    for op in module.walk():
        if isinstance(op, ocl.StoreOp) and isinstance(op.value.owner, arith.ConstantOp):
            attribute = op.value.owner.value
            assert isinstance(attribute, IntegerAttr | FloatAttr)
            found.append(attribute.value.data)
    return found


def stored(source: bytes | str, *options: str, name: str = "<string>") -> int | float:
    module = import_source(source, name, options)
    module.verify()
    (number,) = numbers(module)
    return number


@pytest.mark.parametrize(
    "data",
    [
        (STORE % 7).encode(),
        (STORE % 7).replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + (STORE % 7).encode(),
        b"// caf\xe9\n" + (STORE % 7).encode(),
        "// caf\u00e9 \u2192\n".encode() + (STORE % 7).encode(),
        (STORE % 7).rstrip("\n").encode(),
    ],
    ids=["plain", "crlf", "mark", "latin-1", "utf-8", "no last line end"],
)
def test_bytes(data: bytes) -> None:
    assert stored(data) == 7


def test_lines_count_the_same_with_crlf() -> None:
    with pytest.raises(SourceError) as error:
        import_source(b"kernel void k() {\r\n  x;\r\n}\r\n", "f.cl")
    assert str(error.value).startswith("f.cl:2:3: error: use of undeclared identifier 'x'\n  x;\n")


def test_includes(tmp_path: Path) -> None:
    (tmp_path / "near.h").write_bytes(b"#define NEAR 3\r\n")
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "far.h").write_text("constant int FAR = 4;\n")
    source = '#include "near.h"\n#include <far.h>\n' + STORE % "NEAR"
    path = str(tmp_path / "kernel.cl")
    assert stored(source, "-I", str(tmp_path / "far"), name=path) == 3
    with pytest.raises(SourceError, match="'far.h' file not found; add its folder"):
        import_source(source, path)


def test_errors_in_includes_show_their_line(tmp_path: Path) -> None:
    (tmp_path / "bad.h").write_text("constant int x = ;\n")
    with pytest.raises(SourceError) as error:
        import_source('#include "bad.h"\n', str(tmp_path / "k.cl"))
    assert str(error.value).split("\n")[0].endswith("bad.h:1:18: error: expected expression")
    assert "constant int x = ;\n                 ^" in str(error.value)


@pytest.mark.parametrize(
    "options",
    [["-DN=5"], ["-D", "N=5"], ["-D N=5"], ["-w -DN=5 -cl-mad-enable"], ["-DM=5", "-DN=M"]],
)
def test_definitions(options: list[str]) -> None:
    assert stored(STORE % "N", *options) == 5


def test_definition_without_value_is_one() -> None:
    assert stored(STORE % "N", "-DN") == 1


def test_standards() -> None:
    for name, version in {"CL1.1": 110, "CL1.2": 120, "CL2.0": 200, "CL3.0": 300}.items():
        assert stored(STORE % "__OPENCL_C_VERSION__", f"-cl-std={name}") == version


def test_features_that_are_on_and_off() -> None:
    off = ["cl_khr_gl_sharing", "cl_khr_subgroups", "cl_khr_gl_msaa_sharing"]
    off.append("__opencl_c_device_enqueue")
    on = ["__opencl_c_pipes", "__opencl_c_images", "cl_khr_depth_images", "cl_khr_fp64"]
    source = "kernel void k(global int *o) {\n"
    for place, name in enumerate(off + on):
        source += f"#ifdef {name}\n  o[{place}] = 1;\n#else\n  o[{place}] = 0;\n#endif\n"
    module = import_source(source + "}\n", options=["-cl-std=CL3.0"])
    assert numbers(module) == [0] * 4 + [1] * 4


def test_single_precision_constants() -> None:
    source = "kernel void k(global float *f) { f[0] = f[1] * 0.1; }"
    wide = import_source(source)
    assert any(isinstance(op, arith.TruncFOp) for op in wide.walk())
    narrow = import_source(source, options=["-cl-single-precision-constant"])
    assert not any(isinstance(op, arith.TruncFOp) for op in narrow.walk())


def test_warnings_as_errors() -> None:
    source = "kernel void k(global int *o) { int x = 3.7; if (o[0] = 1) o[1] = x; }"
    import_source(source)
    with pytest.raises(SourceError):
        import_source(source, options=["-Werror"])


def all_operations(module: ModuleOp) -> list[Operation]:
    return [op for op in module.walk() if op is not module]


def test_every_operation_has_its_location() -> None:
    source = (
        "float f(float x) { return x + 1; }\n"
        "kernel void k(global float *o, int n) {\n"
        "  float a[2] = {1};\n"
        "  for (int i = 0; i < n; i++) {\n"
        "    if (o[i] > 2) break;\n"
        "    o[i] += f(a[i]);\n"
        "  }\n"
        "}\n"
    )
    module = import_source(source, "some.cl")
    for op in all_operations(module):
        assert isinstance(op.location, FileLineColLoc), op
        assert op.location.filename.data == "some.cl"
    (add,) = [op for op in module.walk() if isinstance(op, arith.AddfOp) and "result" in str(op)]
    assert location_of(add) == ("some.cl", 1, 27)


def test_locations_inside_macros_and_with_line_directives() -> None:
    source = (
        "#define TWICE(x) ((x) + (x))\n"
        "kernel void k(global int *o) {\n"
        "  o[0] = TWICE(o[1]);\n"
        '#line 100 "generated.cl"\n'
        "  o[1] = o[2] * 3;\n"
        "}\n"
    )
    module = import_source(source, "some.cl")
    (add,) = [op for op in module.walk() if isinstance(op, arith.AddiOp)]
    assert location_of(add) == ("some.cl", 3, 10)
    (mul,) = [op for op in module.walk() if isinstance(op, arith.MuliOp)]
    assert location_of(mul) == ("generated.cl", 100, 10)
