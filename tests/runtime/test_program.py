"""Loading: paths, texts, languages, and what is wrong with them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import polycl
from polycl import ArgumentError, PolyclError, SourceError

MLIR = "ocl.kernel @first() {\n  ocl.return\n}\nocl.kernel @second() {\n  ocl.return\n}\n"
GENERIC = '"builtin.module"() ({\n^bb0:\n}) : () -> ()\n'


def test_paths_and_texts(tmp_path: Path) -> None:
    path = tmp_path / "k.mlir"
    path.write_text(MLIR)
    for source in (path, str(path), MLIR, MLIR.encode()):
        program = polycl.load(source)
        assert list(program.kernels) == ["first", "second"]
        assert program.kernel("second") is program.kernels["second"]
    assert not polycl.load(GENERIC).kernels
    assert str(polycl.load(path).module).startswith("builtin.module")


def test_language_can_be_said(tmp_path: Path) -> None:
    path = tmp_path / "kernels.txt"
    path.write_text(MLIR)
    assert list(polycl.load(path, language="mlir").kernels) == ["first", "second"]
    with pytest.raises(ArgumentError, match="unknown language 'ada'; expected 'cl', 'mlir' or 'c'"):
        polycl.load(path, language="ada")


def test_unknown_kernels() -> None:
    with pytest.raises(ArgumentError) as error:
        polycl.load(MLIR).kernel("frist")
    assert str(error.value) == (
        "<source>.mlir: unknown kernel 'frist'; did you mean 'first'? (its kernels: first, second)"
    )
    with pytest.raises(ArgumentError, match=r"unknown kernel 'k' \(its kernels: none\)"):
        polycl.load(GENERIC).kernel("k")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.cl")
    with pytest.raises(PolyclError) as error:
        polycl.load(missing)
    assert str(error.value) == f"cannot open '{missing}': No such file or directory"
    with pytest.raises(ArgumentError) as error:
        polycl.load("saxpy")
    assert str(error.value) == (
        "'saxpy' is neither a path that ends in .cl, .clcpp, .mlir or .c nor a source text"
    )


def test_malformed_sources_are_located(tmp_path: Path) -> None:
    path = tmp_path / "k.mlir"
    path.write_text("ocl.kernel @k() {\n  ocl.global_id 3 : index\n  ocl.return\n}\n")
    with pytest.raises(SourceError, match=r"k\.mlir:2:\d+: error: "):
        polycl.load(path)
    with pytest.raises(SourceError, match=r"<source>\.mlir:1:14: error: "):
        polycl.load("nothing.here @k() {\n}")


def test_options() -> None:
    with pytest.raises(ArgumentError, match="options must be a list of strings"):
        polycl.load(MLIR, options="-DN=4")
    with pytest.raises(ArgumentError, match=r"build options \(-DN=4\) do not apply to MLIR"):
        polycl.load(MLIR, options=["-DN=4"])


def test_importing_polycl_is_cheap() -> None:
    code = (
        "import sys, polycl; heavy = {'clang', 'llvmlite', 'islpy', 'numpy', 'xdsl'};"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules);"
        "polycl.load; assert not {'clang', 'llvmlite', 'islpy'} & set(sys.modules);"
        "assert set(polycl.__all__) <= set(dir(polycl))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    with pytest.raises(AttributeError, match="module 'polycl' has no attribute 'run'"):
        getattr(polycl, "run")


def test_sources_are_read_as_bytes(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "size.h").write_bytes(b"#define SIZE 8 // gr\xf6\xdfe\r\n")
    path = tmp_path / "k.cl"
    path.write_bytes(
        b'#include "sub/size.h"\r\n// \xa9 M\xfcller\r\n'
        b"kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))\r\n"
        b"void k(global uint *x) {\r\n  x[0] = N;\r\n}\r\n"
    )
    kernel = polycl.load(path, ["-DN=3"]).kernel("k")
    assert kernel.required_local_size == (8, 1, 1)
    assert kernel.dtype("x") == "uint32"
    with pytest.raises(SourceError, match=r"k\.cl:5:10: error: use of undeclared identifier 'N'"):
        polycl.load(path)


def test_neither_path_nor_text() -> None:
    with pytest.raises(ArgumentError, match="expected a path or a source text to load, got int"):
        polycl.load(5)  # pyright: ignore[reportArgumentType]


def test_opencl_c_as_text() -> None:
    program = polycl.load("kernel void k(global int *x) { x[0] = N; }", options=["-D", "N=2"])
    assert program.name == "<source>.cl"
    assert list(program.kernels) == ["k"]
    with pytest.raises(SourceError, match=r"<source>\.cl:1:\d+: error: "):
        polycl.load("kernel void k() { wrong; }")


def test_structures_keep_the_signs_of_their_fields() -> None:
    source = """
    typedef struct { uchar low; char high; } pair;
    typedef struct { uint id; int left; pair pairs[2]; ulong4 wide; union { ushort u; int i; }; } s;
    kernel void k(global s *p, s by) { p[0].id += by.id; }"""
    kernel = polycl.load(source).kernel("k")
    for name in ("p", "by"):
        dtype = kernel.dtype(name)
        assert [dtype[n].base.name for n in ("id", "left", "wide")] == ["uint32", "int32", "uint64"]
        pair = dtype["pairs"].base
        assert (pair["low"].name, pair["high"].name) == ("uint8", "int8")
    values = np.zeros(1, kernel.dtype("p"))
    values["id"] = 3_000_000_000
    kernel(values, values[0], global_size=1)
    assert values["id"][0] == 6_000_000_000 % 2**32
