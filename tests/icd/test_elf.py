"""Shared objects that are made without a linker."""

from __future__ import annotations

import ctypes
import io
import math
import subprocess
from pathlib import Path
from typing import Any

import pytest
from elftools.elf.elffile import ELFFile

from polycl.backends.cpu.elf import read_symbol, shared_object
from polycl.backends.cpu.jit import compile_object
from polycl.errors import LaunchError


def load(content: bytes, folder: Path) -> ctypes.CDLL:
    path = folder / "object.so"
    path.write_bytes(content)
    return ctypes.CDLL(str(path))


def run(text: str, folder: Path, result: type = ctypes.c_int64, *arguments: object):
    """Compile LLVM IR and call its function `f`."""
    library = load(shared_object({}, compile_object(text), {"f": "renamed"}), folder)
    function = library.renamed
    function.restype = result
    return function(*arguments)


def test_data_alone(tmp_path: Path):
    data = {"polycl_meta": b"polycl 1\n\0", "polycl_bundle": bytes(range(256)) * 100}
    made = shared_object(data)
    library = load(made, tmp_path)
    for name, content in data.items():
        assert read_symbol(made, name) == content
        assert bytes((ctypes.c_char * len(content)).in_dll(library, name)) == content


def test_no_symbols(tmp_path: Path):
    load(shared_object({}), tmp_path)


def test_code_with_data(tmp_path: Path):
    text = "define i64 @f(i64 %a) {\n  %b = mul i64 %a, 3\n  ret i64 %b\n}"
    content = shared_object(
        {"polycl_meta": b"text\0"}, compile_object(text), {"f": "polycl_kernel"}
    )
    library = load(content, tmp_path)
    assert library.polycl_kernel(14) == 42
    assert (
        ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(library, "polycl_meta"))) == b"text"
    )
    with pytest.raises(AttributeError):
        getattr(library, "f")  # noqa: B009


def test_calls_of_other_libraries(tmp_path: Path):
    text = """
    declare double @cos(double)
    declare double @pow(double, double)
    define double @f(double %a) {
      %b = call double @cos(double %a)
      %c = call double @pow(double %b, double 3.0e+00)
      %d = call double @cos(double %c)
      ret double %d
    }"""
    found = run(text, tmp_path, ctypes.c_double, ctypes.c_double(0.5))
    assert found == math.cos(math.cos(0.5) ** 3)


def test_the_address_of_a_function_of_another_library(tmp_path: Path):
    text = """
    declare double @cos(double)
    @table = internal global [1 x ptr] [ptr @cos]
    define double @f(double %a, i64 %i) {
      %p = getelementptr ptr, ptr @table, i64 %i
      store volatile ptr @cos, ptr %p
      %g = load volatile ptr, ptr %p
      %b = call double %g(double %a)
      ret double %b
    }"""
    found = run(text, tmp_path, ctypes.c_double, ctypes.c_double(0.5), ctypes.c_int64(0))
    assert found == math.cos(0.5)


def test_constants_variables_and_tables_of_addresses(tmp_path: Path):
    text = """
    @numbers = internal constant [4 x i64] [i64 10, i64 20, i64 30, i64 40], align 64
    @more = constant [2 x i64] [i64 7, i64 9]
    @table = internal constant [2 x ptr] [ptr @numbers, ptr getelementptr (i64, ptr @more, i64 1)]
    @counter = internal global i64 5
    @zeros = internal global [1000 x i64] zeroinitializer
    define i64 @f(i64 %i) {
      %p = getelementptr ptr, ptr @table, i64 %i
      %q = load ptr, ptr %p
      %a = load i64, ptr %q
      %c = load i64, ptr @counter
      %d = add i64 %c, 1
      store i64 %d, ptr @counter
      %z = getelementptr i64, ptr @zeros, i64 %d
      %b = load volatile i64, ptr %z
      store volatile i64 1, ptr %z
      %s = add i64 %a, %d
      %t = add i64 %s, %b
      %u = call i64 @g(i64 %t)
      ret i64 %u
    }
    define i64 @g(i64 %t) noinline {
      %u = mul i64 %t, 100
      ret i64 %u
    }"""
    assert run(text, tmp_path, ctypes.c_int64, ctypes.c_int64(0)) == 1600
    library = ctypes.CDLL(str(tmp_path / "object.so"))
    assert library.renamed(1) == 100 * (9 + 7)


def test_a_table_of_jumps(tmp_path: Path):
    cases = "\n".join(f"i64 {i}, label %l{i}" for i in range(8))
    blocks = "\n".join(
        f"l{i}: call void @g(i64 {i * i})\n  %r{i} = load volatile i64, ptr @v\n  ret i64 %r{i}"
        for i in range(8)
    )
    text = f"""
    @v = internal global i64 0
    define void @g(i64 %i) noinline {{
      store volatile i64 %i, ptr @v
      ret void
    }}
    define i64 @f(i64 %a) {{
      switch i64 %a, label %other [ {cases} ]
    {blocks}
    other: ret i64 -1
    }}"""
    assert run(text, tmp_path, ctypes.c_int64, ctypes.c_int64(5)) == 25


def test_tools_can_read_it(tmp_path: Path):
    text = """
    declare double @cos(double)
    @table = internal global [1 x ptr] [ptr @cos]
    define double @f(double %a) {
      %p = load volatile ptr, ptr @table
      %b = call double @cos(double %a)
      %c = call double %p(double %b)
      ret double %c
    }"""
    path = tmp_path / "object.so"
    content = shared_object({"a": b"content", "none": b""}, compile_object(text), {"f": "renamed"})
    path.write_bytes(content)
    command = ["readelf", "--wide", "--all", str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except FileNotFoundError:
        pytest.skip("there is no readelf")
    assert done.stderr == ""
    lines = [line.split() for line in done.stdout.splitlines()]
    symbols = {line[7]: line[2:7] for line in lines if len(line) == 8 and line[4] == "GLOBAL"}
    size, *kind, section = symbols["renamed"]
    assert int(size) > 0
    assert kind == ["FUNC", "GLOBAL", "DEFAULT"]
    (names,) = ([w for w in line if w.startswith(".")] for line in lines if f"{section}]" in line)
    assert names == [".text"]
    assert symbols["a"][:2] == ["7", "OBJECT"]
    assert symbols["none"][:2] == ["0", "OBJECT"]
    assert symbols["cos"][1:] == ["NOTYPE", "GLOBAL", "DEFAULT", "UND"]


def test_debug_information_has_the_addresses_of_the_library(tmp_path: Path):
    """As readelf, perf and gdb read it: lines at the functions' addresses, and all their names."""
    text = """
    define internal i64 @g(i64 %a) noinline !dbg !4 {
      %b = mul i64 %a, 3, !dbg !6
      ret i64 %b, !dbg !6
    }
    define i64 @f(i64 %a) !dbg !5 {
      %b = call i64 @g(i64 %a), !dbg !7
      %c = add i64 %b, 1, !dbg !7
      ret i64 %c, !dbg !7
    }
    !llvm.dbg.cu = !{ !0 }
    !llvm.module.flags = !{ !2, !8 }
    !0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, emissionKind: FullDebug)
    !1 = !DIFile(filename: "k.cl", directory: "/home/me")
    !2 = !{ i32 2, !"Debug Info Version", i32 3 }
    !3 = !DISubroutineType(types: !{null})
    !4 = distinct !DISubprogram(name: "g", file: !1, line: 1, scopeLine: 1, type: !3, unit: !0)
    !5 = distinct !DISubprogram(name: "f", file: !1, line: 5, scopeLine: 5, type: !3, unit: !0)
    !6 = !DILocation(line: 2, column: 3, scope: !4)
    !7 = !DILocation(line: 6, column: 3, scope: !5)
    !8 = !{ i32 2, !"Dwarf Version", i32 4 }"""
    code = compile_object(text)
    content = shared_object({"a": b"content"}, code, {"f": "renamed"})
    assert load(content, tmp_path).renamed(2) == 7
    assert read_symbol(content, "a") == b"content"
    elf = ELFFile(io.BytesIO(content))
    table: Any = elf.get_section_by_name(".symtab")
    addresses = {s.name: s["st_value"] for s in table.iter_symbols() if s.name}
    assert addresses.keys() == {"f", "g"}
    dynamic: Any = elf.get_section_by_name(".dynsym")
    assert addresses["f"] == dynamic.get_symbol_by_name("renamed")[0]["st_value"]
    info: Any = elf.get_dwarf_info()
    (unit,) = info.iter_CUs()
    subprograms = [die for die in unit.iter_DIEs() if die.tag == "DW_TAG_subprogram"]
    found = {d.attributes["DW_AT_name"].value.decode(): d for d in subprograms}
    assert {name: d.attributes["DW_AT_low_pc"].value for name, d in found.items()} == addresses
    states = [entry.state for entry in info.line_program_for_CU(unit).get_entries() if entry.state]
    lines = {state.address: state.line for state in states if not state.end_sequence}
    assert lines[addresses["g"]] == 2
    assert lines[addresses["f"]] == 5


def test_what_cannot_be_linked():
    with pytest.raises(LaunchError, match="is not one of ELF for x86-64"):
        shared_object({}, b"no object", {})
    text = "define i64 @g() {\n  ret i64 1\n}"
    with pytest.raises(LaunchError, match="does not define f"):
        shared_object({}, compile_object(text), {"f": "f"})
    text = """
    @v = thread_local global i64 1
    define ptr @f() {
      ret ptr @v
    }"""
    with pytest.raises(LaunchError, match="thread-local"):
        shared_object({}, compile_object(text), {"f": "f"})


def test_symbols_of_damaged_objects():
    made = shared_object({"a": b"content"})
    with pytest.raises(ValueError, match="no symbol 'b'"):
        read_symbol(made, "b")
    for size in range(0, len(made), 7):
        try:
            assert read_symbol(made[:size], "a") == b"content"
        except ValueError:
            continue
