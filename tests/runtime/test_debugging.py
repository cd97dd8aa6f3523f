"""Debug builds (`-g`) and lines in code: what they contain, and what gdb shows of a kernel."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from elftools.elf.elffile import ELFFile

import polycl
from polycl.backends.cpu.launch import CpuExecutable

EXCHANGE = """\
typedef struct { float w; uchar4 c; ushort n[2]; } item;

kernel void exchange(global uint *x, local uint *tile, item it, int rounds) {
  local int shared[4];
  int l = get_local_id(0);
  uint mine = x[get_global_id(0)];
  float4 v = (float4)(mine, 2.0f, 3.0f, it.w);
  uint keep[3] = {mine, mine + 1, mine + 2};
  shared[l] = 10 * l;
  tile[l] = mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint other = tile[(l + 1) % 4];
  for (int r = 0; r < rounds; r++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] = other + r;
    barrier(CLK_LOCAL_MEM_FENCE);
    other = tile[(l + 1) % 4];
  }
  if (other > 0) {
    float l = 0.5f;
    other += (uint)(4 * l);
  }
  x[get_global_id(0)] = other + keep[1] + (uint)v.y;
}
"""
PROGRAM = """
import sys
import numpy as np
import polycl

x = np.arange(8, dtype=np.uint32)
it = np.zeros((), np.dtype([("w", "f4"), ("c", "u1", 4), ("n", "u2", 2)]))
it["w"], it["c"], it["n"] = 1.5, (1, 2, 3, 255), (7, 8)
kernel = polycl.load("exchange.cl", sys.argv[1:]).kernel("exchange")
kernel(x, polycl.Local(16), it, 2, global_size=8, local_size=4)
print(x)
"""


@pytest.fixture
def exchange(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("exchange.cl").write_text(EXCHANGE)
    Path("program.py").write_text(PROGRAM)
    return tmp_path


def gdb(*commands: str) -> str:
    """What gdb prints for these commands on program.py in a debug build."""
    if shutil.which("gdb") is None:
        pytest.skip("gdb is not installed")
    run = ["gdb", "-q", "-nx", "-batch", "-iex", "set breakpoint pending on"]
    for command in commands:
        run += ["-ex", command]
    run += ["--args", sys.executable, "program.py", "-g"]
    done = subprocess.run(
        run, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL
    )
    return done.stdout


def test_gdb_shows_the_variables_of_one_work_item_before_and_after_a_barrier(exchange: Path):
    shown = gdb(
        "break exchange.cl:10 if global_id[0] == 6",
        "break exchange.cl:17 if global_id[0] == 6",
        "break exchange.cl:21 if global_id[0] == 6",
        "run",
        *(f"print {what}" for what in ("mine", "v", "keep", "it", "shared[2]", "local_id", "x[6]")),
        "continue",
        *(f"print {what}" for what in ("mine", "v.xw", "keep", "r", "group_id", "tile[2]")),
        "delete 2",
        "continue",
        *(f"print {what}" for what in ("l", "other", "keep")),
        "delete",
        "continue",
    )
    values = re.findall(r"^\$\d+ = (.*)$", shown, re.M)
    assert values == [
        *("6", "{6, 2, 3, 1.5}", "{6, 7, 8}", "{w = 1.5, c = {1, 2, 3, 255}, n = {7, 8}}"),
        *("20", "{2, 0, 0}", "6"),
        *("6", "{6, 1.5}", "{6, 7, 8}", "0", "{1, 0, 0}", "7"),
        *("0.5", "6", "{6, 7, 8}"),
    ], shown
    assert "[ 9  7  9 11 17 15 17 19]" in shown


def test_gdb_stops_at_a_kernel_when_its_arguments_are_there(exchange: Path):
    shown = gdb("break exchange", "run", "info args", "backtrace 1", "continue")
    assert re.search(r"^rounds = 2$", shown, re.M), shown
    assert re.search(r"^#0 +exchange \(x=0x.*, rounds=2\) at exchange.cl:3$", shown, re.M), shown
    # Once, before all work-items.
    assert shown.count("hit Breakpoint 1") == 1, shown


def test_results_are_the_same(exchange: Path):
    found: list[str] = []
    for options in ([], ["-g"], ["-gline-tables-only"]):
        done = subprocess.run(
            [sys.executable, "program.py", *options], capture_output=True, text=True, check=True
        )
        found.append(done.stdout)
    assert found == ["[ 9  7  9 11 17 15 17 19]\n"] * 3


def compiled(source: str, options: list[str], **arguments: Any) -> CpuExecutable:
    kernel = polycl.load(source, options).kernel("k")
    bound = kernel.bind(**arguments, global_size=4, local_size=4, device=polycl.device("cpu"))
    assert isinstance(bound.compiled, CpuExecutable)
    return bound.compiled


def variables(code: bytes) -> dict[str, str]:
    """The variables in the debug information of an object file, and their types."""

    def name_of(die: Any) -> str:
        if "DW_AT_type" not in die.attributes:
            return "void"
        type = die.get_DIE_from_attribute("DW_AT_type")
        named = type.attributes.get("DW_AT_name")
        if named is not None:
            return named.value.decode()
        sign = {"DW_TAG_pointer_type": "*", "DW_TAG_array_type": "[]"}.get(type.tag, "?")
        return name_of(type) + sign

    info: Any = ELFFile(io.BytesIO(code)).get_dwarf_info()
    dies: Iterator[Any] = (die for unit in info.iter_CUs() for die in unit.iter_DIEs())
    return {
        die.attributes["DW_AT_name"].value.decode(): name_of(die)
        for die in dies
        if die.tag in ("DW_TAG_variable", "DW_TAG_formal_parameter")
    }


IDS = {name: "ulong[]" for name in ("global_id", "local_id", "group_id")}


def test_variables_have_the_types_of_the_source():
    source = """
    typedef struct { uint u; struct { short s; } in; } both;
    kernel void k(global uchar *x, both b, float f) {
      bool is = x[0]; char c = x[1]; ushort us = x[2]; long l = x[3]; ulong ul = x[4];
      half h = x[5]; double d = x[6]; uint3 v = x[7]; private int *p = 0; int a[2][3]; a[1][2] = is;
      size_t n = get_global_id(0); both copy = b; copy.u = n;
      x[n] = c + us + l + ul + h + d + v.x + a[1][2] + copy.u + f + (p == 0);
    }"""
    code = compiled(source, ["-g"], x=np.zeros(16, np.uint8), b=_both(), f=1.0)
    assert variables(code.compiled.object_code) == IDS | {
        **{"x": "uchar*", "b": "both", "f": "float", "is": "char", "c": "char", "us": "ushort"},
        **{"l": "long", "ul": "ulong", "h": "half", "d": "double", "v": "uint[]", "p": "int*"},
        **{"a": "int[][]", "n": "ulong", "copy": "both"},
    }
    assert code.threads == 1


def _both() -> Any:
    return np.zeros((), np.dtype([("u", "u4"), ("in", [("s", "i2")])], align=True))


def test_lines_alone_leave_the_code_as_it_is():
    source = "kernel void k(global int *x) {\n  int i = get_global_id(0);\n  x[i] = 3 * i;\n}"
    plain = compiled(source, [], x=np.zeros(4, np.int32))
    lines = compiled(source, ["-gline-tables-only"], x=np.zeros(4, np.int32))
    assert b".debug_line" not in plain.compiled.object_code
    assert variables(lines.compiled.object_code) == {}

    def text(executable: CpuExecutable) -> bytes:
        elf = ELFFile(io.BytesIO(executable.compiled.object_code))
        section: Any = elf.get_section_by_name(".text")
        return section.data()

    assert text(plain) == text(lines)
    assert lines.threads == plain.threads


@pytest.mark.parametrize("device", ["interp", "tta"])
def test_other_devices_run_a_debug_build(device: str):
    source = "kernel void k(global int *x) {\n  int i = get_global_id(0);\n  x[i] = 3 * i;\n}"
    x = np.zeros(4, np.int32)
    kernel = polycl.load(source, ["-g"]).kernel("k")
    kernel(x, global_size=4, local_size=4, device=polycl.device(device))
    assert x.tolist() == [0, 3, 6, 9]


def test_goto_inlining_and_cpp_have_variables():
    source = """
    int id(int add) { int found = get_global_id(0); return found + add; }
    kernel void k(global int *x) {
      int i = id(1), rest = i;
    again:
      rest -= 2;
      if (rest > 0) goto again;
      x[i - 1] = rest;
    }"""
    x = np.zeros(4, np.int32)
    code = compiled(source, ["-g", "-cl-std=CL1.2"], x=x)
    expected = {"x": "int*", "i": "int", "rest": "int", "found": "int", "add": "int"}
    assert variables(code.compiled.object_code) == IDS | expected
    source = """
    template <typename T> T twice(T value) { T doubled = value + value; return doubled; }
    kernel void k(global int *x) { int i = get_global_id(0); x[i] = twice(i); }"""
    code = compiled(source, ["-g", "-cl-std=CLC++"], x=x)
    expected = {"x": "int*", "i": "int", "value": "int", "doubled": "int"}
    assert variables(code.compiled.object_code) == IDS | expected
