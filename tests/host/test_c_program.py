"""Whole programs in C: read with all their files, written again, and run as the originals."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from host_scripts import HEADERS, LOADER
from xdsl.dialects.builtin import ModuleOp

import polycl
from judge.runtime import Judge
from polycl.backends.host.build_program import build_program
from polycl.backends.pipeline import run_pipeline
from polycl.errors import PolyclError, SourceError, UnsupportedError
from polycl.frontends.host import import_program

FOLDER = Path(__file__).parent / "c_program"
FILES = [str(FOLDER / name) for name in ("main.c", "device.c", "table.c")]
OPTIONS = ["-DBLOCK_SIZE=16"]
LIBRARIES = ["-L", LOADER, f"-Wl,-rpath,{LOADER}", "-l:libOpenCL.so.1"]

START = """
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
cl_context context;
cl_command_queue queue;
const char *text = "kernel void k(global float *x, int n) { x[get_global_id(0)] = n; }";
cl_kernel start(void)
{
    cl_device_id id;
    clGetDeviceIDs(NULL, CL_DEVICE_TYPE_ALL, 1, &id, NULL);
    context = clCreateContext(NULL, 1, &id, NULL, NULL, NULL);
    queue = clCreateCommandQueue(context, id, 0, NULL);
    const char *source = "kernel void k(global float *x, int n) { x[get_global_id(0)] = n; }";
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    clBuildProgram(program, 1, &id, "", NULL, NULL);
    return clCreateKernel(program, "k", NULL);
}
cl_mem buffer(void) { return clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, NULL); }
void launch(cl_kernel k, cl_mem d, int n)
{
    size_t size = 16;
    clSetKernelArg(k, 0, sizeof(cl_mem), &d);
    clSetKernelArg(k, 1, sizeof(int), &n);
    clEnqueueNDRangeKernel(queue, k, 1, NULL, &size, NULL, 0, NULL, NULL);
}
"""


@pytest.fixture(scope="module")
def module() -> ModuleOp:
    found = import_program(FILES, OPTIONS)
    found.verify()
    return found


def _built(module: ModuleOp, folder: Path) -> Path:
    program = folder / "again"
    build_program(module, folder / "c", program, {}, OPTIONS, (), LIBRARIES, str(HEADERS))
    return program


def _original(folder: Path) -> Path:
    program = folder / "original"
    flags = ["-std=gnu11", *OPTIONS, "-idirafter", str(HEADERS)]
    command = ["cc", "-w", *flags, *FILES, "-o", str(program), *LIBRARIES, "-lm"]
    subprocess.run(command, check=True)
    return program


def _run(program: Path, judge: Judge, folder: Path, *arguments: str) -> tuple[int, str, str]:
    """Its exit status, what it prints, and the file that it writes."""
    environment = judge.environment
    environment["OCL_ICD_VENDORS"] = str(Path(environment["OCL_ICD_VENDORS"]).parent)
    output = folder / "out.txt"
    output.unlink(missing_ok=True)
    done = subprocess.run(
        [str(program), *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )
    return done.returncode, done.stdout, output.read_text() if output.exists() else ""


def test_a_program_of_several_files_runs_as_the_original(
    module: ModuleOp, judge: Judge | None, tmp_path: Path
):
    (tmp_path / "kernels.cl").write_text((FOLDER / "kernels.cl").read_text())
    numbers = " ".join(str(i * 7 % 13) for i in range(128))
    (tmp_path / "in.txt").write_text(f"64 {numbers}\n")
    # The text of the module is all that the writer needs.
    again = _built(polycl.load(str(module), language="mlir").module, tmp_path)
    changed = module.clone()
    run_pipeline(changed, "ppopencl{platform=amd-cpu}")
    assert str(changed) != str(module)
    transformed = _built(changed, tmp_path / "transformed")
    if judge is None:
        return
    original = _original(tmp_path)
    for steps in ("1", "3"):
        arguments = ("-s", steps, "-o", "out.txt", "in.txt")
        wanted = _run(original, judge, tmp_path, *arguments)
        assert wanted[0] == 0
        assert "launches, out.txt, some calls: 1" in wanted[1]
        assert len(wanted[2].split()) == 65
        assert _run(again, judge, tmp_path, *arguments) == wanted
        assert _run(transformed, judge, tmp_path, *arguments) == wanted
    # The exit status of a function that stays in C, and of main itself.
    for arguments, status in ((("in.txt",), 2), (("-o", "out.txt", "nothing.txt"), 3)):
        assert _run(original, judge, tmp_path, *arguments)[0] == status
        assert _run(again, judge, tmp_path, *arguments)[0] == status


def test_what_uses_no_opencl_stays_in_its_file(module: ModuleOp):
    text = str(module)
    assert text.count("host.launch") == 2
    assert 'host.opaque "parse"' in text
    # A static function, a variable and the address of a function of a file.
    assert f'in_c, file = "{FILES[0]}"' in text
    assert 'host.extern "launches" : !ocl.ptr<i32, private>' in text
    assert f'host.extern "descending" in "{FILES[0]}"' in text
    assert "reqd_work_group_size = array<i64: 16, 1, 1>" in text


REFUSED = {
    "a buffer in memory": (
        """
        int main(int argc, char **argv) {
            cl_kernel k = start();
            cl_mem *d = malloc(argc * sizeof(cl_mem));
            d[argc - 1] = buffer();
            launch(k, d[0], 1);
        }""",
        "main.c:31:13: error: a cl_mem in memory is not followed: it is in an array with a "
        "computed index, in memory from malloc, or its address is kept",
    ),
    "no buffer": (
        """
        cl_mem d;
        int main(void) { launch(start(), d, 1); }""",
        "error: there is no buffer in this cl_mem yet",
    ),
    "a mapping that is not followed": (
        """
        int main(int argc, char **argv) {
            cl_mem d = buffer();
            float *x = NULL;
            launch(start(), d, 1);
            if (argc > 1)
                x = clEnqueueMapBuffer(queue, d, 1, CL_MAP_WRITE, 0, 64, 0, NULL, NULL, NULL);
            clEnqueueUnmapMemObject(queue, d, x, 0, NULL, NULL);
        }""",
        "error: it is not certain that this is the result of clEnqueueMapBuffer",
    ),
    "images": (
        """
        int main(void) {
            launch(start(), clCreateImage2D(context, 0, NULL, 4, 4, 0, NULL, NULL), 1);
        }""",
        "error: clCreateImage2D is not supported in host programs",
    ),
    "a callback that uses OpenCL": (
        """
        static int compare(const void *a, const void *b) { clFinish(queue); return 0; }
        int main(void) {
            int x[2] = {2, 1};
            launch(start(), buffer(), 1);
            qsort(x, 2, sizeof(int), compare);
        }""",
        "error: the address of 'compare', which uses OpenCL, is not supported",
    ),
    "user events": (
        "int main(void) { clCreateUserEvent(context, NULL); launch(start(), buffer(), 1); }",
        "error: clCreateUserEvent is not supported in host programs",
    ),
    "a sampler for C": (
        """
        void take(cl_sampler s);
        int main(void) {
            cl_sampler s;
            launch(start(), buffer(), 1);
            take(s);
        }""",
        "error: a cl_sampler is not passed to functions in C",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_have_their_place(name: str, tmp_path: Path):
    text, message = REFUSED[name]
    file = tmp_path / "main.c"
    file.write_text(START + text)
    with pytest.raises((UnsupportedError, SourceError)) as caught:
        import_program([str(file)])
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{file}:")


def test_two_functions_of_one_name(tmp_path: Path):
    for name in ("main.c", "other.c"):
        body = "int main(void) { launch(start(), buffer(), 1); }" if name == "main.c" else ""
        (tmp_path / name).write_text(
            START.replace("cl_kernel start", "static cl_kernel start") + body
        )
    with pytest.raises(UnsupportedError, match="two functions 'start' in the files; rename one"):
        import_program([str(tmp_path / "main.c"), str(tmp_path / "other.c")])


def test_two_static_functions_of_one_name_that_stay_in_c(tmp_path: Path):
    body = """
        static int twice(int x) { return 2 * x; }
        int main(void) { launch(start(), buffer(), twice(1)); }"""
    (tmp_path / "main.c").write_text(START + body)
    (tmp_path / "other.c").write_text(
        "#include <CL/cl.h>\nstatic int twice(int x) { return 3 * x; }\n"
        "void wait(cl_command_queue q) { if (twice(1)) clFinish(q); }"
    )
    with pytest.raises(UnsupportedError, match="main.c:.* two functions 'twice' in the files"):
        import_program([str(tmp_path / "main.c"), str(tmp_path / "other.c")])


def test_a_function_that_reads_an_object_is_a_part_of_the_program(tmp_path: Path):
    body = """
        int is_open(void) { return queue != NULL; }
        int main(void) { cl_kernel k = start(); if (is_open()) launch(k, buffer(), 1); }"""
    (tmp_path / "main.c").write_text(START + body)
    text = str(import_program([str(tmp_path / "main.c")]))
    assert "is_open" not in text
    assert text.count("host.launch") == 1


def test_a_program_without_opencl(tmp_path: Path):
    (tmp_path / "main.c").write_text("int main(void) { return 0; }")
    with pytest.raises(PolyclError, match="'main' does not use OpenCL"):
        import_program([str(tmp_path / "main.c")])


def test_a_function_of_a_header_is_one_by_any_path(tmp_path: Path):
    (tmp_path / "inner").mkdir()
    (tmp_path / "two.h").write_text("static int two(void) { return 2; }\n")
    body = "int main(void) { launch(start(), buffer(), two()); wait(queue); }"
    (tmp_path / "main.c").write_text(
        '#include "two.h"\n' + START + "void wait(cl_command_queue q);\n" + body
    )
    (tmp_path / "inner/other.c").write_text(
        '#include "../inner/../two.h"\n#include <CL/cl.h>\n'
        "void wait(cl_command_queue q) { if (two()) clFinish(q); }"
    )
    module = import_program([str(tmp_path / "main.c"), str(tmp_path / "inner/other.c")])
    assert str(module).count('host.opaque "two"') == 2


IDIOMS = r"""
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __x86_64__
#include <xmmintrin.h>
#endif
char *source = "kernel void k(global int *x, int n) {"
               "x[get_global_id(1) * get_global_size(0) + get_global_id(0)] = n; }";
static const char *of_two = "kernel void two(global int *x) { x[0] = 2; }";
const char *name = "k";
void rename_it(const char *other) { name = other; }
void check(cl_int error, const char *what) { if (error) fprintf(stderr, "%s\n", what), exit(1); }
int main(int argc, char **argv)
{
    cl_platform_id platform;
    cl_device_id id;
    long long n = 5;
    size_t bytes = 12 * sizeof(int);
    const size_t global[] = {4, 2}, offset[] = {0, 1};
    int *x = malloc(bytes), found, last;
    for (size_t i = 0; i < bytes / sizeof(int); i++) x[i] = 0;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, NULL);
    cl_context context = clCreateContext(NULL, 1, &id, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, id, 0, NULL);
    cl_program program =
        clCreateProgramWithSource(context, 1, (const char **)&source, NULL, NULL);
    check(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), "cannot build kernels.cl");
    cl_program other = clCreateProgramWithSource(context, 1, &of_two, NULL, NULL);
    check(clBuildProgram(other, 0, NULL, NULL, NULL, NULL), "cannot build other.cl");
    cl_kernel kernel = clCreateKernel(program, "k", NULL), two = clCreateKernel(other, "two", NULL);
    cl_mem d = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes, x, NULL);
    clSetKernelArg(kernel, 0, sizeof d, &d);
    clSetKernelArg(kernel, 1, sizeof(int), &n);
    clSetKernelArg(two, 0, sizeof d, &d);
    clEnqueueNDRangeKernel(queue, kernel, 2, offset, (const size_t *)&global, NULL, 0, NULL, NULL);
    clEnqueueTask(queue, two, 0, NULL, NULL);
    clEnqueueReadBuffer(queue, d, CL_TRUE, 0, bytes, x, 0, NULL, NULL);
    if (argc < 2) last = 0;
    else if ((last = atoi(argv[1])) > 11) last = atoi(argv[2]);
    for (size_t i = 0; i < bytes / sizeof(int); i++) printf("%d ", x[i]);
    return 0;
}
"""


def test_what_people_write(tmp_path: Path, judge: Judge | None):
    """The text of kernels in a variable, names of files in messages, the address of an array of
    sizes, the first bytes of an argument, loops over size_t, and values that nobody reads."""
    file = tmp_path / "main.c"
    file.write_text(IDIOMS)
    binary = tmp_path / "again"
    module = import_program([str(file)])
    build_program(module, tmp_path / "c", binary, {}, (), (), LIBRARIES, str(HEADERS))
    if judge is None:
        return
    status, printed, _ = _run(binary, judge, tmp_path)
    assert (status, printed) == (0, "2 0 0 0 5 5 5 5 5 5 5 5 ")


@pytest.mark.parametrize("change", ["source = 0;", "rename_it(source = NULL);", "source++;"])
def test_a_text_that_changes_is_not_known(tmp_path: Path, change: str):
    file = tmp_path / "main.c"
    file.write_text(IDIOMS.replace("cl_program program =", f"{change}\n    cl_program program ="))
    with pytest.raises(SourceError, match="main.c:.* there is no kernel 'k'; its kernels: two"):
        import_program([str(file)])


def test_a_text_that_another_file_may_change_is_not_known(tmp_path: Path):
    (tmp_path / "main.c").write_text(IDIOMS + "void wait(cl_command_queue q) { clFinish(q); }")
    (tmp_path / "other.c").write_text("extern char *source; void clear(void) { source = 0; }")
    files = [str(tmp_path / name) for name in ("main.c", "other.c")]
    with pytest.raises(SourceError, match="there is no kernel 'k'; its kernels: two"):
        import_program(files)
