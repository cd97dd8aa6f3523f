"""What the disk cache makes needless, and when it must not be used."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import polycl
from polycl import PolyclError
from polycl.backends.cache import cache_in
from polycl.backends.cpu import CpuDevice
from polycl.backends.device import NDRange
from polycl.frontends import opencl_c
from polycl.remarks import collect_remarks

TEXT = """
#include "value.h"
kernel void k(global int *x, int n) { x[get_global_id(0)] += VALUE * n; }
"""


class Counts:
    """How often something was really imported, and compiled."""

    imports = 0
    compilations = 0


@pytest.fixture
def counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Counts]:
    """In a folder with k.cl and include/value.h, and with a cache."""
    counts = Counts()
    import_source, compile = opencl_c.import_source, CpuDevice.compile

    def counted_import(*args, **given):
        counts.imports += 1
        return import_source(*args, **given)

    def counted_compile(*args, **given):
        counts.compilations += 1
        return compile(*args, **given)

    monkeypatch.setattr(opencl_c, "import_source", counted_import)
    monkeypatch.setattr(CpuDevice, "compile", counted_compile)
    monkeypatch.chdir(tmp_path)
    Path("include").mkdir()
    Path("include/value.h").write_text("#define VALUE 3\n")
    Path("k.cl").write_text(TEXT)
    with cache_in(tmp_path / "cache"):
        yield counts


def result(options=("-Iinclude",), source="k.cl", **given) -> int:
    """What the kernel adds to each element."""
    x = np.zeros(8, np.int32)
    polycl.load(source, options).kernel("k")(x, 2, global_size=8, **given)
    assert (x == x[0]).all()
    return int(x[0])


def test_a_second_time_nothing_is_imported_or_compiled(counts: Counts) -> None:
    assert result() == 6
    assert (counts.imports, counts.compilations) == (1, 1)
    assert result() == 6
    assert (counts.imports, counts.compilations) == (1, 1)


def test_a_second_process_loads_neither_clang_nor_passes(counts: Counts) -> None:
    assert result(local_size=8) == 6
    script = """
import sys
import numpy as np
import polycl
from polycl.backends.cache import cache_in
with cache_in("cache"):
    x = np.zeros(8, np.int32)
    polycl.load("k.cl", ["-Iinclude"]).kernel("k")(x, 2, global_size=8, local_size=8)
assert (x == 6).all()
print([name for name in sys.modules if name.startswith(("clang", "polycl.frontends"))])
print([name for name in sys.modules if name.startswith("polycl.lowering")])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "[]",
        "['polycl.lowering', 'polycl.lowering.wg', 'polycl.lowering.wg.launch_abi']",
    ]


def test_what_differs_is_made_anew(counts: Counts) -> None:
    assert result() == 6
    assert result(["-Iinclude", "-DUNUSED"]) == 6
    assert (counts.imports, counts.compilations) == (2, 2)
    assert result(local_size=4) == 6
    assert (counts.imports, counts.compilations) == (3, 3)
    assert result(device=CpuDevice(contract=False)) == 6
    assert (counts.imports, counts.compilations) == (4, 4)
    Path("k.cl").write_text(TEXT.replace("+=", "-="))
    assert result() == -6
    assert (counts.imports, counts.compilations) == (5, 5)


def test_the_number_of_threads_makes_no_difference(counts: Counts) -> None:
    assert result(device=CpuDevice(threads=1)) == 6
    assert result(device=CpuDevice(threads=2)) == 6
    assert counts.compilations == 1


def test_an_include_that_changed(counts: Counts) -> None:
    assert result() == 6
    Path("include/value.h").write_text("#define VALUE 5\n")
    assert result() == 10
    Path("include/value.h").write_text("#define VALUE 3\n")
    assert result() == 6
    # The object code of the first time is still there.
    assert (counts.imports, counts.compilations) == (3, 2)


def test_an_include_that_is_now_found_elsewhere(counts: Counts) -> None:
    """Next to the source comes first, and then one folder after the other."""
    options = ["-Imissing", "-Iinclude"]
    assert result(options) == 6
    Path("missing").mkdir()
    Path("missing/value.h").write_text("#define VALUE 7\n")
    assert result(options) == 14
    Path("value.h").write_text("#define VALUE 9\n")
    assert result(options) == 18
    Path("value.h").unlink()
    assert result(options) == 14


def test_an_include_of_an_include(counts: Counts) -> None:
    Path("include/value.h").write_text('#include "deep/deep.h"\n')
    Path("include/deep").mkdir()
    Path("include/deep/deep.h").write_text("#define VALUE 4\n")
    assert result() == 8
    assert result() == 8
    assert counts.imports == 1
    Path("include/deep/deep.h").write_text("#define VALUE 6\n")
    assert result() == 12


def test_an_include_that_is_gone_is_an_error_again(counts: Counts) -> None:
    assert result() == 6
    Path("include/value.h").unlink()
    with pytest.raises(PolyclError, match=r"'value\.h' file not found"):
        result()


def test_relative_paths_belong_to_a_folder(counts: Counts, monkeypatch, tmp_path: Path) -> None:
    assert result(source=TEXT) == 6
    other = tmp_path / "other"
    (other / "include").mkdir(parents=True)
    (other / "include" / "value.h").write_text("#define VALUE 8\n")
    monkeypatch.chdir(other)
    assert result(source=TEXT) == 16


def test_a_module_is_imported_when_it_is_wanted(counts: Counts) -> None:
    assert result() == 6
    program = polycl.load("k.cl", ["-Iinclude"])
    assert counts.imports == 1
    assert program.kernel("k").parameters[1].name == "n"
    assert "ocl.kernel @k" in str(program.module)
    assert counts.imports == 2


def test_a_module_that_its_owner_changed_is_not_taken_for_the_source(counts: Counts) -> None:
    assert result() == 6
    program = polycl.load("k.cl", ["-Iinclude"])
    for op in program.module.walk():
        if op.name == "arith.muli":
            op.results[0].replace_all_uses_with(op.operands[0])
    x = np.zeros(8, np.int32)
    program.kernel("k")(x, 2, global_size=8)
    assert x[0] != 6
    assert result() == 6


def test_a_program_does_not_mix_two_states_of_a_file(counts: Counts) -> None:
    assert result() == 6
    program = polycl.load("k.cl", ["-Iinclude"])
    Path("include/value.h").write_text("#define VALUE 5\n")
    x = np.zeros(8, np.int32)
    program.kernel("k")(x, 2, global_size=8)
    assert (x == 6).all()
    with pytest.raises(PolyclError, match="have changed since the program was loaded"):
        program.kernel("k")(x, 2, global_size=8, local_size=2)


def test_a_text_that_depends_on_the_clock_is_not_kept(counts: Counts) -> None:
    Path("k.cl").write_text(TEXT + "constant char when[] = __TIME__;\n")
    assert result() == result() == 6
    assert counts.imports == 2
    Path("k.cl").write_text(TEXT)
    Path("include/value.h").write_text("#define VALUE (3 + 0 * sizeof(__DATE__))\n")
    assert result() == result() == 6
    assert counts.imports == 4


def test_an_explicit_pipeline_is_not_kept(counts: Counts) -> None:
    passes = ",".join(
        str(step.spec()) for step in CpuDevice().own_passes(NDRange((8, 1, 1), (8, 1, 1)))
    )
    for _ in range(2):
        assert result(local_size=8, pipeline=passes) == 6
    assert counts.compilations == 2


def test_remarks_are_made_anew(counts: Counts) -> None:
    text = """
    kernel void k(global int *x, int n) {
      barrier(CLK_LOCAL_MEM_FENCE);
      x[get_global_id(0)] = 6;
    }"""
    found: list[list[str]] = []
    for _ in range(2):
        with collect_remarks() as remarks:
            assert result(source=text) == 6
        found.append([str(remark) for remark in remarks])
    assert found[0] == found[1] != []


def test_damaged_entries_are_made_anew(counts: Counts) -> None:
    assert result() == 6
    for path in Path("cache").iterdir():
        path.write_bytes(path.read_bytes()[:-1])
    assert result() == 6
    assert result() == 6
    assert (counts.imports, counts.compilations) == (2, 2)


def test_modules_are_known_by_their_text(counts: Counts) -> None:
    text = """
    ocl.kernel @k(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "int*"},
                  %n: i32 {ocl.name = "n", ocl.type = "int"}) {
      %i = ocl.global_id 0 : index
      ocl.store %n, %x[%i] : !ocl.ptr<i32, global>
      ocl.return
    }"""
    assert result(source=text, options=()) == result(source=text, options=()) == 2
    assert counts.compilations == 1
    text = text.replace("ocl.store %n", "%m = arith.addi %n, %n : i32\n ocl.store %m")
    assert result(source=text, options=()) == 4
    assert counts.compilations == 2
