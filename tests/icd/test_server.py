"""The compiler's server: what the driver asks for, over its socket."""

from __future__ import annotations

import ast
import ctypes
import os
import shutil
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from compiler_client import Client, Reply, start_server

from polycl.backends.cache import Cache
from polycl.backends.cpu.elf import read_symbol
from polycl.lowering.wg.launch_abi import FIELDS

SAXPY = """kernel void saxpy(global float *y, global const float *x, float a) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}
"""
DOUBLE = "int twice(int x) { return 2 * x; }"
USE = "int twice(int x);\nkernel void k(global int *o) { o[get_global_id(0)] += twice(21); }"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("server", numbered=True)
    folder.chmod(0o700)
    path = folder / "s.sock"
    done = start_server(path, POLYCL_CACHE_DIR=str(folder / "cache"))
    assert (done.returncode, done.stderr) == (0, "")
    yield path
    assert "Traceback" not in (folder / "s.sock.log").read_text()


@pytest.fixture
def client(server: Path) -> Iterator[Client]:
    client = Client(server)
    yield client
    client.close()


def meta(artifact: bytes) -> list[list[str]]:
    """The description's lines after the first, as fields, without the digest of the sources."""
    text = read_symbol(artifact, "polycl_meta")
    assert text.endswith(b"\n\0")
    first, *lines = text[:-2].decode().split("\n")
    assert first == "polycl 1"
    found = [line.split("\t") for line in lines]
    return [line for line in found if line[0] != "sources"]


def artifact_of(reply: Reply) -> bytes:
    status, log, path, artifact = reply
    assert (status, log, path) == ("ok", "", "")
    return artifact


def launch(artifact: bytes, folder: Path, block: bytes, groups: int, size: int) -> None:
    """Run all work-groups of a variant; `block` has its arguments."""
    # A file that is loaded must not change.
    path = folder / f"variant_{len(list(folder.iterdir()))}.so"
    path.write_bytes(artifact)
    library = ctypes.CDLL(str(path))
    fields = dict.fromkeys(FIELDS, 0)
    for query in ("global_size", "local_size", "num_groups", "part_groups"):
        fields |= {f"{query}.{dimension}": 1 for dimension in range(3)}
    fields |= {"global_size.0": groups * size, "local_size.0": size, "num_groups.0": groups}
    fields["part_groups.0"] = groups
    data = block + struct.pack(f"<{len(FIELDS)}q", *fields.values())
    memory = ctypes.create_string_buffer(data, len(data))
    scratch = (int(line[1]) for line in meta(artifact) if line[0] == "scratch")
    library.polycl_kernel(
        memory,
        ctypes.create_string_buffer(next(scratch) + 128),
        ctypes.c_int64(0),
        ctypes.c_int64(groups),
    )


def run_on_ints(artifact: bytes, folder: Path, count: int = 64) -> list[int]:
    """What a kernel with one buffer of ints, zeros, leaves there."""
    values = np.zeros(count, np.int32)
    launch(artifact, folder, struct.pack("<Q", values.ctypes.data), 1, count)
    return values.tolist()


def test_ping(client: Client):
    assert client.ask("ping") == ("ok", "", "", b"")


def test_a_program_is_built_and_its_kernel_launched(client: Client, tmp_path: Path):
    artifact = artifact_of(client.build(SAXPY))
    assert meta(artifact) == [
        ["type", "executable"],
        ["kernel", "saxpy", "", "", "", "0", "0", "uniform", "7", "64 0 0", ""],
        ["argument", "g", "8", "8", "global", "none", "", "float*", "y"],
        ["argument", "g", "8", "8", "global", "none", "const", "float*", "x"],
        ["argument", "v", "4", "4", "private", "none", "", "float", "a"],
    ]
    y, x = np.arange(256, dtype=np.float32), np.ones(256, np.float32)
    block = struct.pack("<QQf4x", y.ctypes.data, x.ctypes.data, 3.0)
    launch(artifact_of(client.variant("saxpy", facts="distinct small")), tmp_path, block, 4, 64)
    assert y.tolist() == [i + 3 for i in range(256)]


def test_the_artifact_is_in_the_cache(client: Client, server: Path):
    key = "ab" * 32
    status, log, path, artifact = client.build(SAXPY, place=f"{server.parent / 'cache'}/{key}")
    assert (status, log, artifact) == ("ok", "", b"")
    assert path == str(server.parent / "cache" / f"{key}.entry")
    content = Cache(server.parent / "cache").get(key)
    assert content is not None
    assert meta(content)[0] == ["type", "executable"]
    _, _, path, _ = client.variant("saxpy", place=f"{server.parent / 'cache'}/{'cd' * 32}")
    assert hasattr(ctypes.CDLL(path), "polycl_kernel"), "the entry is a shared object itself"


def test_what_depends_on_the_time_is_not_in_the_cache(client: Client, server: Path):
    reply = client.build(
        "constant char t[] = __TIME__;\n" + SAXPY, place=f"{server.parent / 'cache'}/{'ef' * 32}"
    )
    assert ["volatile"] in meta(artifact_of(reply))


def test_a_program_is_loaded_by_another_process(client: Client, server: Path, tmp_path: Path):
    folder = tmp_path / "sources"
    (folder / "include" / "deep").mkdir(parents=True)
    (folder / "include" / "one.h").write_text('#include "deep/two.h"\n#define ONE TWO / 2\n')
    (folder / "include" / "deep" / "two.h").write_text("#define TWO 2\n")
    (folder / "local.h").write_text("#define LOCAL 40\n")
    source = """#include "local.h"
    #include <one.h>
    #include "include/../include/one.h"
    kernel void k(global int *o) { o[get_global_id(0)] += LOCAL + ONE + N; }"""
    artifact = artifact_of(client.build(source, '-I include -D "N=(1 + 2)"', folder=folder))
    files = {line[2]: line[1] for line in meta(artifact) if line[0] == "file"}
    assert len(files[str(folder / "include" / "deep" / "two.h")]) == 64
    assert files[str(folder / "one.h")] == "-", "it would be found there first"
    assert ["folder", str(folder)] in meta(artifact)
    for path in folder.rglob("*.h"):
        path.write_text("#error this file is not a part of the program any more")
    other = Client(server)
    assert other.ask("load", artifact) == ("ok", "", "", b"")
    assert run_on_ints(artifact_of(other.variant("k")), tmp_path) == [44] * 64
    other.close()


def test_folders_of_the_environment(client: Client, tmp_path: Path):
    (tmp_path / "found.h").write_text("#define N 3\n")
    source = "#include <found.h>\nkernel void k(global int *o) { o[0] = N; }"
    assert client.build(source)[0] == "error"
    artifact = artifact_of(client.build(source, cpath=str(tmp_path)))
    assert [line[2] for line in meta(artifact) if line[0] == "file" and line[1] != "-"] == [
        str(tmp_path / "found.h")
    ]


def test_diagnostics(client: Client):
    status, log, *_ = client.build("kernel void k(global int *o) {\n  o[0] = x;\n  y = 1;\n}")
    assert status == "error"
    assert log.splitlines()[:3] == [
        "source.cl:2:10: error: use of undeclared identifier 'x'",
        "  o[0] = x;",
        "         ^",
    ]
    assert "source.cl:3:3: error: use of undeclared identifier 'y'" in log
    status, log, *_ = client.build("int f(int n) { return n ? f(n - 1) : 0; }")
    assert status == "error"
    assert log.splitlines() == [
        "source.cl:1:27: error: recursion is not supported: 'f' calls itself",
        "int f(int n) { return n ? f(n - 1) : 0; }",
        "                          ^",
    ]


@pytest.mark.parametrize("options", ["-nonsense", "-cl-std=CL9.9", "-D", '-DX="', "-I", "stray"])
def test_invalid_options(client: Client, options: str):
    for request in ("build", "compile"):
        status, log, path, artifact = client.build(SAXPY, options, request=request)
        assert (status, path, artifact) == ("options", "", b"")
        assert log.startswith("error: ")
        assert "Traceback" not in log


def test_options_of_the_code_generator_are_accepted(client: Client):
    options = (
        "-cl-fast-relaxed-math -cl-opt-disable -cl-denorms-are-zero -cl-mad-enable "
        "-cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info -cl-std=CL3.0 -w -Werror -g"
    )
    artifact_of(client.build(SAXPY, options))


def test_words_of_options(client: Client, tmp_path: Path):
    source = """constant char text[] = TEXT;
    kernel void k(global int *o) { o[get_global_id(0)] = sizeof(text) * A + B; }"""
    options = r'''-DTEXT="\"a b\"" -D A=10 -D "B=(1 + 1)"'''
    artifact_of(client.build(source, options))
    assert run_on_ints(artifact_of(client.variant("k")), tmp_path)[0] == 42


def test_a_kernel_that_does_not_exist(client: Client):
    status, log, *_ = client.variant("k")
    assert (status, log) == (
        "error",
        "error: the connection has no program; build or load one first",
    )
    client.build(SAXPY)
    status, log, *_ = client.variant("saxp")
    assert status == "error"
    assert "unknown kernel 'saxp'; did you mean 'saxpy'?" in log


def test_an_error_of_the_compiler_is_no_traceback(server: Path):
    client = Client(server)
    status, log, *_ = client.ask("variant", "only one field")
    assert status == "error"
    assert log.startswith("internal error: ValueError: ")
    assert log.endswith("please report it")
    assert client.ask("ping")[0] == "ok"
    log_file = server.parent / "s.sock.log"
    assert "Traceback" in log_file.read_text()
    log_file.write_text("")
    assert client.ask("nonsense")[:2] == (
        "error",
        "the compiler does not know the request 'nonsense'",
    )
    client.close()


def test_no_binary(client: Client):
    for data in (b"", b"nonsense", artifact_of(client.build(SAXPY))[:3000]):
        status, log, *_ = client.ask("load", data)
        assert status == "error"
        assert "no program binary of polycl" in log


def test_headers_of_a_request(client: Client, tmp_path: Path):
    headers = {"a.h": '#include "dir/b.h"\n#define A B\n', "dir/b.h": "#define B 42\n"}
    source = '#include <a.h>\n#include "dir/b.h"\n' + USE.replace("21", "A")
    artifact = artifact_of(client.build(source, request="compile", headers=headers))
    assert meta(artifact) == [["type", "compiled_object"]]
    more = artifact_of(client.build(DOUBLE, request="compile"))
    artifact_of(client.ask("link", "", "", artifact, more))
    assert run_on_ints(artifact_of(client.variant("k")), tmp_path)[0] == 84


def test_sources_are_linked(client: Client, server: Path, tmp_path: Path):
    """With equal names of what only one source can name, and variables of another source."""
    first = """
    static int helper(int x) { return x + 1; }
    constant int table[2] = {10, 20};
    global int counter = 5;
    int other(int x);
    kernel void k(global int *o) {
      constant int own[1] = {1000};
      o[get_global_id(0)] = helper(other(1)) + counter + own[0];
    }"""
    second = """
    static int helper(int x) { return x * 100; }
    extern constant int table[2];
    extern global int counter;
    int other(int x) { return helper(x) + table[1] + counter; }
    kernel void k2(global int *o) { constant int own[1] = {3}; *o = own[0] + counter; }
    """
    options = "-cl-std=CL3.0"
    parts = [
        artifact_of(client.build(source, options, request="compile")) for source in (first, second)
    ]
    expected = 1 + (100 + 20 + 5) + 5 + 1000
    for artifacts in (parts, parts[::-1]):
        linked = artifact_of(client.ask("link", "", "", *artifacts))
        variables = read_symbol(linked, "polycl_variables_0")
        assert variables == struct.pack("<i", 5)
        assert ["uses", "0"] in meta(linked)
        other = Client(server)
        assert other.ask("load", linked)[0] == "ok"
        values = np.zeros(4, np.int32)
        memory = np.frombuffer(variables, np.uint8).copy()
        block = struct.pack("<QQ", values.ctypes.data, memory.ctypes.data)
        launch(artifact_of(other.variant("k", "4 1 1")), tmp_path, block, 1, 4)
        assert values.tolist() == [expected] * 4
        other.close()


def test_a_declared_variable_of_an_unknown_structure(client: Client):
    source = "extern constant struct other o;\n" + DOUBLE
    assert meta(artifact_of(client.build(source, request="compile"))) == [
        ["type", "compiled_object"]
    ]


def test_a_library_is_linked(client: Client, tmp_path: Path):
    use = artifact_of(client.build(USE, request="compile"))
    double = artifact_of(client.build(DOUBLE, request="compile"))
    library = artifact_of(client.ask("link", "", "-create-library -enable-link-options", double))
    assert meta(library) == [["type", "library"]]
    linked = artifact_of(client.ask("link", "", "-cl-fast-relaxed-math", use, library))
    assert meta(linked)[1][:7] == ["kernel", "k", "", "", "", "0", "0"]
    assert run_on_ints(artifact_of(client.variant("k")), tmp_path)[0] == 42


@pytest.mark.parametrize(("sources", "message"), [
    ([USE], "source.cl:2:55: error: function 'twice' has no definition"),
    ([DOUBLE, DOUBLE, USE], "source_2.cl:1:5: error: 'twice' is defined by two sources"),
    ([USE, "float twice(float x) { return x; }"],
     "source_1.cl:2:55: error: function 'twice' is declared with other types"),
    (["extern constant int x;\nkernel void k(global int *o) { *o = x; }", DOUBLE],
     "source_1.cl:2:37: error: variable 'x' has no definition"),
    (["extern constant int x;\nkernel void k(global int *o) { *o = x; }",
      "constant float x = 1.0f;"],
     "source_1.cl:2:37: error: variable 'x' is declared with another type"),
])  # fmt: skip
def test_sources_that_do_not_fit(client: Client, sources: list[str], message: str):
    parts = [artifact_of(client.build(source, request="compile")) for source in sources]
    status, log, *_ = client.ask("link", "", "", *parts)
    assert status == "error"
    assert log.startswith(message)


def test_invalid_options_of_the_linker(client: Client):
    status, log, *_ = client.ask("link", "", "-nonsense")
    assert (status, log.partition(";")[0]) == ("options", "error: unknown link option '-nonsense'")


def children_of(server: Path) -> list[int]:
    """The processes that the server has forked."""
    found: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if str(server).encode() in (folder / "cmdline").read_bytes().split(b"\0"):
                parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
                found[int(folder.name)] = int(parent)
    children = [process for process, parent in found.items() if parent in found]
    assert children
    return children


def test_a_program_ends_with_its_process(server: Path):
    client = Client(server)
    client.build(SAXPY)
    for child in children_of(server):
        os.kill(child, signal.SIGKILL)
    with pytest.raises(ConnectionError):
        client.ask("ping")
    client.close()
    # A process that was idle may get the connection before the server sees its end.
    for _ in range(3):
        other = Client(server)
        with suppress(ConnectionError):
            artifact_of(other.build(SAXPY))
            break
    else:
        pytest.fail("no new process")
    other.close()


def test_a_client_that_breaks_off(server: Path):
    client = Client(server)
    client.socket.sendall(struct.pack("<IQ", 3, 1000) + b"half a request")
    client.close()
    other = Client(server)
    assert other.ask("ping")[0] == "ok"
    other.close()


def test_a_second_server_leaves_the_place_to_the_first(server: Path):
    done = start_server(server)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    client = Client(server)
    assert client.ask("ping")[0] == "ok"
    client.close()


def test_a_server_whose_folder_was_removed_leaves_the_next_one_alone(tmp_path: Path) -> None:
    """As where a user logs out and in again."""
    folder = tmp_path / "runtime"
    path = folder / "s.sock"
    assert start_server(path, POLYCL_SERVER_IDLE="2").returncode == 0
    shutil.rmtree(folder)
    assert start_server(path).returncode == 0
    first = path.stat()
    time.sleep(4)
    assert os.path.samestat(path.stat(), first)
    client = Client(path)
    assert client.ask("ping")[0] == "ok"
    client.close()


def test_a_server_that_nobody_finds_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "s.sock"
    tmp_path.chmod(0o700)
    assert start_server(path).returncode == 0
    path.unlink()
    done = start_server(path)
    assert (done.returncode, done.stderr) == (0, "")
    client = Client(path)
    assert client.ask("ping")[0] == "ok"
    client.close()


def test_an_idle_server_ends(tmp_path: Path):
    tmp_path.chmod(0o700)
    path = tmp_path / "s.sock"
    path.write_text("a stale file")
    path.unlink()
    assert start_server(path, POLYCL_SERVER_IDLE="0.2").returncode == 0
    client = Client(path)
    assert client.ask("ping")[0] == "ok"
    end = time.monotonic() + 30
    while path.exists():
        assert time.monotonic() < end
        time.sleep(0.05)
    assert start_server(path, POLYCL_SERVER_IDLE="0.2").returncode == 0
    assert client.ask("ping")[0] == "ok", "a connection outlives the server"
    other = Client(path)
    assert other.ask("ping")[0] == "ok"
    other.close()
    client.close()


def test_a_folder_of_others(tmp_path: Path):
    tmp_path.chmod(0o755)
    done = start_server(tmp_path / "s.sock")
    assert done.returncode == 1
    assert done.stderr == (
        f"polycl's compiler server cannot start: '{tmp_path}' must be a folder that only its "
        "owner, you, can use\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_time(tmp_path: Path):
    tmp_path.chmod(0o700)
    done = start_server(tmp_path / "s.sock", POLYCL_SERVER_IDLE="soon")
    assert (done.returncode, done.stderr) == (
        1,
        "polycl's compiler server cannot start: POLYCL_SERVER_IDLE is 'soon'; expected seconds, "
        "for example 600\n",
    )
    assert list(tmp_path.iterdir()) == []


def test_the_description_of_kernels(client: Client):
    source = """
    typedef struct { char a; int b; } pair_t;
    typedef float tasty_t;
    kernel __attribute__((reqd_work_group_size(4, 5, 6))) __attribute__((vec_type_hint(float4)))
    void k(read_only image2d_t i, write_only image3d_t o, sampler_t s, local int *l,
           constant float4 *c, global volatile uint *restrict v, pair_t p, const double3 d,
           global const tasty_t *t) {
      local int group[10];
      private int own[3];
      group[get_local_id(0)] = l[0];
      own[l[0]] = 1;
      v[0] = group[own[l[1]]];
    }
    kernel __attribute__((work_group_size_hint(7, 1, 1))) void k2() {}"""
    assert meta(artifact_of(client.build(source))) == [
        ["type", "executable"],
        [
            *("kernel", "k", "reqd_work_group_size(4,5,6) vec_type_hint(float4)"),
            *("4 5 6", "", "40", "12", "uniform", "17", "", ""),
        ],
        ["argument", "i", "8", "8", "global", "read_only", "", "image2d_t", "i"],
        ["argument", "i", "8", "8", "global", "write_only", "", "image3d_t", "o"],
        ["argument", "s", "4", "4", "private", "none", "", "sampler_t", "s"],
        ["argument", "l", "8", "8", "local", "none", "", "int*", "l"],
        ["argument", "g", "8", "8", "constant", "none", "const", "float4*", "c"],
        ["argument", "g", "8", "8", "global", "none", "restrict volatile", "uint*", "v"],
        ["argument", "v", "8", "4", "private", "none", "", "pair_t", "p"],
        ["argument", "v", "32", "32", "private", "none", "", "double3", "d"],
        ["argument", "g", "8", "8", "global", "none", "const", "tasty_t*", "t"],
        ["kernel", "k2", "work_group_size_hint(7,1,1)", "", "7 1 1"]
        + ["0", "0", "uniform", "1", "", ""],
    ]


def test_the_description_of_printf(client: Client):
    source = r"""kernel void k(global int *o, global float2 *f, global short *s, global double *d) {
      printf("a\tb\\ %v2f %hd\n", f[0], s[0]);
      printf("%f %p", d[0], o);
    }"""
    client.build(source)
    lines = meta(artifact_of(client.variant("k", "1 1 1")))
    assert lines[0] == ["type", "variant"]
    assert [line for line in lines if line[0] == "printf"] == [
        ["printf", r"a\tb\\ %v2f %hd\n", "f32x2", "i32"],
        ["printf", "%f %p", "f64", "p"],
    ]


def test_an_abort_of_llvm_is_a_diagnostic(tmp_path: Path):
    """In a process of its own, whose LLVM gets a text on which it aborts."""
    program = f"""
import tempfile
from polycl.backends.cpu import compile
from polycl.runtime.icd.requests import Connection
tempfile.tempdir = {str(tmp_path)!r}
abort = 'define void @f() {{ call void asm sideeffect "bogus", ""() ret void }}'
compile.llvm_ir = lambda *_: abort
connection = Connection()
connection.answer([b"build", b"", b"", b"/", b"", b"", {SAXPY.encode()!r}])
print(connection.answer([b"variant", b"", b"saxpy", b"64 1 1", b"", b"", b"careful"])[:2])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    status, log = ast.literal_eval(done.stdout)
    assert status == "error"
    assert log.startswith("source.cl:1:13: error: LLVM ended with SIGABRT on the code of this ker")
    assert log.endswith(f"\n{SAXPY.splitlines()[0]}\n            ^")
    assert [path.suffix for path in (tmp_path / "polycl-reproducers").iterdir()] == [".ll"]
