"""Host programs in C, imported and run, against numpy and against themselves compiled by cc."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from host_idioms import IDIOMS
from host_scripts import ROOT, Call, assert_as_expected, call_of, compile_c, run_calls
from xdsl.dialects.func import FuncOp

import polycl
from judge.runtime import Judge
from polycl.backends.host.host_c import host_c
from polycl.backends.host.host_python import host_python
from polycl.errors import PolyclError, SourceError, UnsupportedError
from polycl.frontends.host import import_host
from polycl.remarks import collect_remarks

# Benchmarks are no part of the package.
sys.path.append(str(ROOT))

from bench.programs.inputs import inputs  # noqa: E402

KERNELS = """
kernel void scale(global float *x, float a, int n) { int i = get_global_id(0); if (i < n) x[i] *= a; }
kernel void add(global float *x, global const float *y) { x[get_global_id(0)] += y[get_global_id(0)]; }
kernel void first(global const float *x, global float *s, local float *t) {
  t[get_local_id(0)] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) s[get_group_id(0)] = t[0] + t[get_local_size(0) - 1];
}
typedef struct { int w; float k; } Setting;
kernel void apply(global float4 *v, Setting s) { v[get_global_id(0)] *= s.k + s.w; }
"""  # noqa: E501

START = """
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

static cl_command_queue queue;
static cl_context context;

static cl_program start(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int error;
    FILE *file = fopen("kernels.cl", "rb");
    fseek(file, 0, SEEK_END);
    size_t length = ftell(file);
    rewind(file);
    char *text = (char *)malloc(length + 1);
    if (fread(text, 1, length, file) != length)
        exit(1);
    text[length] = 0;
    fclose(file);
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    queue = clCreateCommandQueue(context, device, 0, &error);
    cl_program program = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &error);
    clBuildProgram(program, 1, &device, "", NULL, NULL);
    free(text);
    return program;
}

static inline void launch(cl_kernel kernel, size_t global, size_t local)
{
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, local ? &local : NULL, 0, NULL, NULL);
}

static inline cl_mem filled(float *x, int n)
{
    return clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, n * sizeof(float), x, NULL);
}

static inline void fetch(cl_mem d, float *x, int n)
{
    clEnqueueReadBuffer(queue, d, CL_TRUE, 0, n * sizeof(float), x, 0, NULL, NULL);
}
"""
N = 64


def ramp(n: int = N) -> np.ndarray[Any, Any]:
    return np.arange(n, dtype=np.float32)


@dataclass(frozen=True)
class Case:
    """The text of `f`, its arguments, and what its arrays hold afterwards."""

    text: str
    arguments: Callable[[], list[Any]]
    expected: Callable[[], list[Any]]


def swapped(steps: int) -> list[Any]:
    a, b = ramp(), ramp() * 2
    for _ in range(steps):
        a = a + b
        a, b = b, a
    return [a, b]


CASES = {
    "swaps": Case(
        """
void f(float *x, float *y, int n, int steps)
{
    cl_kernel kernel = clCreateKernel(start(), "add", NULL);
    cl_mem buffers[2] = {filled(x, n), filled(y, n)};
    for (int t = 0; t < steps; t++) {
        clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffers[0]);
        clSetKernelArg(kernel, 1, sizeof(cl_mem), &buffers[1]);
        launch(kernel, n, 0);
        cl_mem last = buffers[0];
        buffers[0] = buffers[1];
        buffers[1] = last;
    }
    fetch(buffers[0], x, n);
    fetch(buffers[1], y, n);
}""",
        lambda: [ramp(), ramp() * 2, N, 3],
        lambda: swapped(3),
    ),
    "branches": Case(
        """
void f(float *x, int n, int which)
{
    cl_program program = start();
    cl_kernel scale = clCreateKernel(program, "scale", NULL);
    cl_mem d = filled(x, n);
    float two = 2.0f, three = 3.0f;
    clSetKernelArg(scale, 0, sizeof(cl_mem), &d);
    clSetKernelArg(scale, 2, sizeof(int), &n);
    switch (which) {
    case 1:
        clSetKernelArg(scale, 1, sizeof(float), &two);
        launch(scale, n, 0);
        break;
    case 2:
        clSetKernelArg(scale, 1, sizeof(float), &three);
        launch(scale, n, 0);
    default:
        clSetKernelArg(scale, 1, sizeof(float), &three);
        launch(scale, n, 0);
    }
    fetch(d, x, n);
}""",
        lambda: [ramp(), N, 2],
        lambda: [ramp() * 9],
    ),
    "leaves early": Case(
        """
int f(float *x, int n, int steps)
{
    cl_kernel scale = clCreateKernel(start(), "scale", NULL);
    cl_mem d = filled(x, n);
    float two = 2.0f;
    clSetKernelArg(scale, 0, sizeof(cl_mem), &d);
    clSetKernelArg(scale, 1, sizeof(float), &two);
    clSetKernelArg(scale, 2, sizeof(int), &n);
    for (int t = 0; t < steps; t++) {
        if (t == 2)
            continue;
        if (t == 5)
            goto done;
        launch(scale, n, 0);
    }
    x[0] = -1.0f;
done:
    clEnqueueReadBuffer(queue, d, CL_TRUE, 4, (n - 1) * sizeof(float), x + 1, 0, NULL, NULL);
    return 0;
}""",
        lambda: [ramp(), N, 9],
        lambda: [ramp() * 16],
    ),
    "local memory": Case(
        """
void f(float *x, float *s, int n)
{
    cl_kernel kernel = clCreateKernel(start(), "first", NULL);
    size_t local = 16;
    cl_mem d = filled(x, n), e = clCreateBuffer(context, 0, n / 16 * sizeof(float), NULL, NULL);
    clSetKernelArg(kernel, 0, sizeof(cl_mem), &d);
    clSetKernelArg(kernel, 1, sizeof(cl_mem), &e);
    clSetKernelArg(kernel, 2, local * sizeof(float), NULL);
    launch(kernel, n, local);
    fetch(e, s, n / 16);
}""",
        lambda: [ramp(), np.zeros(4, np.float32), N],
        lambda: [ramp(), ramp()[::16] + ramp()[15::16]],
    ),
    "structs and vectors": Case(
        """
typedef struct { int w; float k; } HostSetting;

void f(cl_float4 *v, int n, float k)
{
    cl_kernel kernel = clCreateKernel(start(), "apply", NULL);
    size_t bytes = n * sizeof(cl_float4);
    cl_mem d = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
    HostSetting setting = {1, k};
    v[1].x = 7.0f;
    v[2].s[3] += v[1].x;
    clEnqueueWriteBuffer(queue, d, CL_FALSE, 0, bytes, v, 0, NULL, NULL);
    setting.w = 2;
    clSetKernelArg(kernel, 0, sizeof(cl_mem), &d);
    clSetKernelArg(kernel, 1, sizeof(setting), &setting);
    launch(kernel, n, 0);
    clEnqueueReadBuffer(queue, d, CL_TRUE, 16, bytes - 16, v + 1, 0, NULL, NULL);
}""",
        lambda: [np.ones((8, 4), np.float32), 8, 0.5],
        lambda: [
            np.array(
                [[1] * 4, [17.5, 2.5, 2.5, 2.5], [2.5, 2.5, 2.5, 20]] + [[2.5] * 4] * 5, np.float32
            )
        ],
    ),
    "parts of buffers": Case(
        """
void f(float *x, float *y, int n)
{
    cl_kernel kernel = clCreateKernel(start(), "add", NULL);
    cl_mem d = filled(x, n), e = clCreateBuffer(context, 0, n * sizeof(float), NULL, NULL);
    float half = 0.5f;
    cl_event written, copied, both[2];
    clEnqueueFillBuffer(queue, e, &half, sizeof(half), 0, n * sizeof(float), 0, NULL, NULL);
    clEnqueueWriteBuffer(queue, e, CL_FALSE, 16, 32, y + 4, 0, NULL, &written);
    clEnqueueCopyBuffer(queue, d, e, 0, 128, 64, 1, &written, &copied);
    both[0] = written;
    both[1] = copied;
    clWaitForEvents(2, both);
    clSetKernelArg(kernel, 0, sizeof(cl_mem), &d);
    clSetKernelArg(kernel, 1, sizeof(cl_mem), &e);
    launch(kernel, n, 0);
    float *p = (float *)clEnqueueMapBuffer(queue, d, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                           n * sizeof(float), 0, NULL, NULL, NULL);
    for (int i = 0; i < 4; i++)
        p[i] = -p[i];
    clEnqueueUnmapMemObject(queue, d, p, 0, NULL, NULL);
    fetch(d, x, n);
}""",
        lambda: [ramp(), ramp() * 10, N],
        lambda: [
            np.concatenate(
                [
                    -(ramp(4) + 0.5),
                    ramp()[4:12] * 11,
                    ramp()[12:32] + 0.5,
                    ramp()[32:48] + ramp(16),
                    ramp()[48:] + 0.5,
                ]
            ).astype(np.float32),
            ramp() * 10,
        ],
    ),  # fmt: skip
    "memory of the host": Case(
        """
static float mean(const float *p, int n)
{
    float sum = 0.0f;
    const float *end = p + n;
    if (n == 0)
        return 0.0f;
    while (p < end)
        sum += *p++;
    return sum / n;
}

float f(float *x, int n)
{
    cl_kernel scale = clCreateKernel(start(), "scale", NULL);
    float *copy = (float *)malloc(n * sizeof(float)), *zeros = (float *)calloc(n, sizeof(float));
    float table[3][4] = {{1, 2}, {3, 4, 5, 6}};
    float *row = copy + n / 2;
    memcpy(copy, x, n * sizeof(float));
    memset(copy, 0, 4 * sizeof(float));
    for (int i = 0; i < n / 2; i++)
        row[i] += table[i % 3][i % 4] + zeros[i];
    row[1] = sqrtf(fabsf(-16.0f));
    cl_mem d = filled(copy, n);
    float two = 2.0f;
    clSetKernelArg(scale, 0, sizeof(cl_mem), &d);
    clSetKernelArg(scale, 1, sizeof(float), &two);
    clSetKernelArg(scale, 2, sizeof(int), &n);
    launch(scale, n, 0);
    fetch(d, x, n);
    free(copy);
    free(zeros);
    return mean(x, 4);
}""",
        lambda: [ramp(), N],
        lambda: [_host_memory()],
    ),
    **{name: Case(*idiom) for name, idiom in IDIOMS.items()},
}


def _host_memory() -> np.ndarray[Any, Any]:
    x = ramp()
    x[:4] = 0
    table = np.zeros((3, 4), np.float32)
    table[0, :2], table[1] = (1, 2), (3, 4, 5, 6)
    for i in range(N // 2):
        x[N // 2 + i] += table[i % 3, i % 4]
    x[N // 2 + 1] = 4
    return x * 2


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "kernels.cl").write_text(KERNELS)
    return tmp_path


def load(case: Case, folder: Path) -> polycl.Program:
    (folder / "host.c").write_text(START + case.text)
    return polycl.load(folder / "host.c")


@pytest.mark.parametrize("name", CASES)
def test_programs_do_what_c_says(name: str, folder: Path) -> None:
    case = CASES[name]
    host = load(case, folder).host("f")
    for device in ("interp", "cpu"):
        args = case.arguments()
        host(*args, device=device)
        assert_as_expected(args, case.expected())


def test_the_programs_compiled_by_cc_give_the_same(judge: Judge | None, folder: Path) -> None:
    calls, expected = [], []
    for number, case in enumerate(CASES.values()):
        here = folder / str(number)
        library = compile_c(START + case.text, here)
        (here / "kernels.cl").write_text(KERNELS)
        host = load(case, folder).host("f")
        calls.append(call_of(library, host, case.arguments()))
        expected.append(case.expected())
    programs = ROOT / "examples" / "host"
    (folder / "opencl.h").write_text((programs / "opencl.h").read_text())
    for name in ("md", "sgemm", "kmeans"):
        source = programs / name
        library = compile_c((source / "host.c").read_text(), folder / name)
        (folder / name / "kernels.cl").write_text((source / "kernels.cl").read_text())
        host = polycl.load(source / "host.c").host(name)
        calls.append(call_of(library, host, list(inputs(name).values())))
        ours = list(inputs(name).values())
        host(*ours)
        expected.append([value for value in ours if isinstance(value, np.ndarray)])
    if judge is None:
        return
    for (args, _), wanted in zip(run_calls(calls, judge, folder), expected, strict=True):
        assert_as_expected(args, wanted)


def test_programs_written_as_c_give_the_same(judge: Judge | None, folder: Path) -> None:
    calls: list[Call] = []
    for name in IDIOMS:
        case = CASES[name]
        program = load(case, folder)
        library = compile_c(host_c(program.module), folder / name)
        calls.append(call_of(library, program.host("f"), case.arguments()))
        script = folder / name / "host.py"
        script.write_text(host_python(program.module))
        calls.append(Call(script, "f", case.arguments()))
    if judge is None:
        return
    for number, (args, _) in enumerate(run_calls(calls, judge, folder)):
        assert_as_expected(args, list(IDIOMS.values())[number // 2][2]())


PROGRAM = """
#include <CL/cl.h>
static void unused(void) { clFinish(0); }
%s
{
    const char *source = "kernel void k(global int *x) { x[0] += VALUE; }";
    cl_program program = clCreateProgramWithSource(0, 1, &source, NULL, NULL);
    clBuildProgram(program, 0, NULL, "-DVALUE=3", NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "k", NULL);
    cl_mem d = clCreateBuffer(0, 0, 4, NULL, NULL);
    size_t one = 1;
    clSetKernelArg(kernel, 0, sizeof(cl_mem), &d);
    clEnqueueNDRangeKernel(0, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
}
"""


@pytest.mark.parametrize(
    ("text", "signature"),
    [
        # Static functions that nobody calls are no programs.
        (PROGRAM % "int f(int argc)", "@f(%argc: i32)"),
        # The arguments of main that nobody reads are no arguments.
        (PROGRAM % "int main(int argc, char **argv)", "@main()"),
        # A function with an array is no program where main does the rest.
        (
            "#include <CL/cl.h>\nvoid setup(const char *file) { clFinish(0); }"
            + PROGRAM.replace("{\n", '{\n    setup("kernels");\n', 1) % "int main(void)",
            "@main()",
        ),
    ],
)
def test_which_functions_are_programs(text: str, signature: str) -> None:
    functions = [op for op in import_host(text, "host.c").ops if isinstance(op, FuncOp)]
    assert [str(op).partition("func.func ")[2].partition(" {")[0] for op in functions] == [
        signature
    ]


def test_a_program_that_cannot_be_read_is_not_left_out() -> None:
    refused = PROGRAM.replace("{\n", "{\n    float a[n][n];\n", 1) % "void f(int n)"
    text = f"{refused}\nvoid clean(void) {{ clFinish(0); }}"
    with pytest.raises(UnsupportedError, match="a variable-length array of more than one dim"):
        import_host(text, "host.c")
    with pytest.raises(UnsupportedError, match="a variable-length array of more than one dim"):
        import_host(text, "host.c", function="f")


def test_vectors_with_their_elements(judge: Judge | None, folder: Path) -> None:
    case = Case(
        """
typedef struct { int w; float k; } HostSetting;

void f(cl_float4 *v, int n, float k)
{
    cl_float4 own = {{1, 2, 3, k}}, zero = {{0}};
    HostSetting setting = {0, 2.0f};
    v[0] = own;
    v[1] = zero;
    v[2].s[1] = -2147483647 - 1 < n;
    cl_kernel kernel = clCreateKernel(start(), "apply", NULL);
    cl_mem d = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, n * sizeof(cl_float4), v, NULL);
    clSetKernelArg(kernel, 0, sizeof(cl_mem), &d);
    clSetKernelArg(kernel, 1, sizeof(setting), &setting);
    launch(kernel, n, 0);
    clEnqueueReadBuffer(queue, d, CL_TRUE, 0, n * sizeof(cl_float4), v, 0, NULL, NULL);
}""",
        lambda: [np.ones((3, 4), np.float32), 3, 0.5],
        lambda: [np.array([[2, 4, 6, 1], [0] * 4, [2] * 4], np.float32)],
    )
    program = load(case, folder)
    args = case.arguments()
    program.host("f")(*args)
    assert_as_expected(args, case.expected())
    library = compile_c(host_c(program.module), folder / "c")
    if judge is not None:
        ((args, _),) = run_calls(
            [call_of(library, program.host("f"), case.arguments())], judge, folder
        )
        assert_as_expected(args, case.expected())


def test_options_of_each_program_count(folder: Path) -> None:
    text = "#include <CL/cl.h>\nvoid clean(void) { clFinish(0); }" + PROGRAM % "void f(void)"
    assert "arith.constant 3" in str(import_host(text, "host.c"))


def test_what_programs_print(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = Case(
        """
void f(unsigned n, int m, char *name)
{
    start();
    printf("%s: %u %d of %s%%, %5.2f %-4s|\\n", "found", n, m, name, 0.5, "a%");
    int first = rand(), second = rand();
    srand(1);
    printf("%d %d\\n", first == second, first == rand());
    printf("%d %d\\n", strcmp(name, "text") == 0, strcmp("tex", name) == 0);
    if (m < -1)
        exit(3);
    clFinish(queue);
}""",
        lambda: [],
        lambda: [],
    )
    host = load(case, folder).host("f")
    name = np.frombuffer(b"text\0more", np.int8).copy()
    for device in ("cpu", "interp"):
        host(4000000000, -1, name, device=device)
        assert capsys.readouterr().out == "found: 4000000000 -1 of text%,  0.50 a%  |\n0 1\n1 0\n"
    with pytest.raises(PolyclError, match=r"the program ended itself: exit\(3\)"):
        host(1, -2, name)


def test_unknown_functions_are_called_and_told(folder: Path) -> None:
    case = Case(
        """
void change(float *x, int n);
void f(float *x, int n)
{
    cl_kernel scale = clCreateKernel(start(), "scale", NULL);
    change(x, n);
    cl_mem d = filled(x, n);
    float two = 2.0f;
    clSetKernelArg(scale, 0, sizeof(cl_mem), &d);
    clSetKernelArg(scale, 1, sizeof(float), &two);
    clSetKernelArg(scale, 2, sizeof(int), &n);
    launch(scale, n, 0);
    fetch(d, x, n);
}""",
        lambda: [],
        lambda: [],
    )
    with collect_remarks() as remarks:
        host = load(case, folder).host("f")
    assert [remark.message for remark in remarks] == [
        "'change' is unknown: its arrays and buffers keep their layout"
    ]

    def change(x: np.ndarray[Any, Any], n: int) -> None:
        x[:n] += 1

    x = ramp()
    host(x, N, functions={"change": change})
    np.testing.assert_array_equal(x, (ramp() + 1) * 2)


def test_where_kernels_come_from(folder: Path) -> None:
    text = """
#include <CL/cl.h>
void f(cl_context context, cl_command_queue queue, int n)
{
    const char *source = "kernel void k(global int *x) {" " x[0] = VALUE; }";
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    clBuildProgram(program, 0, NULL, "-DVALUE=3", NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "k", NULL);
    cl_mem d = clCreateBuffer(context, 0, n * sizeof(int), NULL, NULL);
    size_t one = 1;
    clSetKernelArg(kernel, 0, sizeof(cl_mem), &d);
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
}
"""
    module = import_host(text, "host.c")
    assert "arith.constant 3" in str(module) or "value = 3 : i32" in str(module)
    with pytest.raises(SourceError, match="no kernel 'k'; its kernels: scale, add"):
        import_host(text, "host.c", kernels=[str(folder / "kernels.cl")])
    build = 'clBuildProgram(program, 0, NULL, "-DVALUE=3", NULL, NULL);'
    printed = 'char options[40]; sprintf(options, "-DVALUE=%d%s", 2, "1");'
    other = text.replace(build, printed + build.replace('"-DVALUE=3"', "options"))
    assert "constant 21" in str(import_host(other, "host.c"))
    twice = text.replace(build, f"{build} {build.replace('3', '4')}")
    with pytest.raises(SourceError, match="host.c:7:64: error: kernels are built with different"):
        import_host(twice, "host.c")
    unknown = text.replace("const char *source = ", "extern const char *source; //")
    with pytest.raises(SourceError, match="nowhere.c:6:26: error: the text of this program of"):
        import_host(unknown, "nowhere/nowhere.c")
    with pytest.raises(PolyclError, match="the source of its kernels is unknown"):
        import_host("#include <CL/cl.h>\nvoid f(void) { clFinish(0); }", "nowhere/host.c")


def test_kernel_files_with_functions_and_constants_of_one_name(tmp_path: Path):
    """Each file has its own, as programs of OpenCL do."""
    files: list[str] = []
    for name, factor in (("twice", 2), ("thrice", 3)):
        files.append(str(tmp_path / f"{name}.cl"))
        Path(files[-1]).write_text(
            f"constant int T[2] = {{1, {factor}}};\n"
            "int times(int x) { return x * T[x & 1]; }\n"
            f"kernel void {name}(global int *x) {{ x[get_global_id(0)] = times(x[0] | 1); }}\n"
        )
    text = """#include <CL/cl.h>
        void run(cl_context context, cl_command_queue queue, cl_program p, cl_program q, int *x) {
            size_t size = 1;
            cl_kernel twice = clCreateKernel(p, "twice", NULL);
            cl_kernel thrice = clCreateKernel(q, "thrice", NULL);
            cl_mem d = clCreateBuffer(context, CL_MEM_READ_WRITE, 4, NULL, NULL);
            clEnqueueWriteBuffer(queue, d, CL_TRUE, 0, 4, x, 0, NULL, NULL);
            clSetKernelArg(twice, 0, sizeof(cl_mem), &d);
            clSetKernelArg(thrice, 0, sizeof(cl_mem), &d);
            clEnqueueNDRangeKernel(queue, twice, 1, NULL, &size, NULL, 0, NULL, NULL);
            clEnqueueNDRangeKernel(queue, thrice, 1, NULL, &size, NULL, 0, NULL, NULL);
            clEnqueueReadBuffer(queue, d, CL_TRUE, 0, 4, x, 0, NULL, NULL);
        }"""
    module = import_host(text, "host.c", kernels=files)
    module.verify()
    x = np.array([7], np.int32)
    polycl.Program(module, "host").host("run")(x)
    assert x[0] == (7 * 2 | 1) * 3
