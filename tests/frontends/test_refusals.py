"""Every construct that the importer does not have is an error at its place, which names it."""

from __future__ import annotations

import pytest

from polycl.errors import ArgumentError, SourceError, UnsupportedError
from polycl.frontends.opencl_c import import_source

KERNEL = "kernel void k(global int *o, int n) {\n%s\n}\n"

IN_KERNEL = {
    "o[0] = n && ({ int x = 1; while (x < n) x *= 2; x; });": (2, 13, "statement expression"),
    "switch (n) { while (n) n--; case 1: o[1] = 2; }": (2, 14, "before the first case"),
    "int t[2] = {[0 ... 1] = n++};": (2, 25, "effect is not supported for several elements"),
    "o[0] = _Generic(n, __typeof__(n + 0): 1);": (2, 8, "cannot tell which expression of _Generic"),
    "o[0] = _Generic(int, int: 1);": (2, 8, "cannot tell which expression of _Generic"),
    '__asm__("nop");': (2, 1, "assembly"),
}


@pytest.mark.parametrize("statement", IN_KERNEL)
def test_statements_and_expressions(statement: str) -> None:
    line, column, name = IN_KERNEL[statement]
    with pytest.raises(UnsupportedError, match=name) as error:
        import_source(KERNEL % statement, "file.cl")
    assert (error.value.filename, error.value.line, error.value.col) == ("file.cl", line, column)
    assert str(error.value).startswith(f"file.cl:{line}:{column}: error: ")


WHOLE = {
    "int f(int n) { return n ? f(n - 1) : 0; }\nkernel void k(global int *o) { o[0] = f(3); }": (
        (1, 27),
        "recursion is not supported: 'f' calls itself",
    ),
    "int g(int n);\nint f(int n) { return g(n); }\nint g(int n) { return n ? f(n) : 1; }": (
        (3, 27),
        "recursion is not supported: 'f' calls itself",
    ),
    "int f(int);\nkernel void k(global int *o) { o[0] = f(3); }": (
        (2, 39),
        "'f' has no definition",
    ),
    "kernel void k(read_only image2d_msaa_t picture) {}": (
        (1, 40),
        "images of several samples .*image2d_msaa_t' of cl_khr_gl_msaa_sharing.* are not supported",
    ),
    "typedef union {} none_t;\nkernel void k(global none_t *o) { none_t x; }": (
        (2, 30),
        "without fields",
    ),
}


@pytest.mark.parametrize("source", WHOLE)
def test_declarations(source: str) -> None:
    (line, column), message = WHOLE[source]
    with pytest.raises(UnsupportedError, match=message) as error:
        import_source(source, "file.cl")
    assert (error.value.line, error.value.col) == (line, column)


def test_parts_of_temporaries() -> None:
    types = "typedef struct { int a[2]; union { int i; float f; } u; } s_t;\n"
    types += "s_t f(int x) { s_t s; s.a[0] = x; s.u.i = x; return s; }\n"
    import_source(types + "kernel void k(global float *o) { o[0] = f(1).u.f; }")
    import_source(types + "kernel void k(global int *o) { o[0] = f(1).a[1]; }")


def test_deep_nesting_is_no_traceback() -> None:
    chain = "else ".join(f"if (n == {i}) o[0] = {i};" for i in range(300))
    import_source(KERNEL % chain)


def test_program_scope_variables() -> None:
    source = "extern global int counter;\nkernel void k() { counter = 1; }"
    with pytest.raises(UnsupportedError, match="'counter' has no definition") as error:
        import_source(source, options=["-cl-std=CL2.0"])
    assert (error.value.line, error.value.col) == (2, 19)


def test_clang_errors_show_line_caret_and_note() -> None:
    source = "void f(int);\nkernel void k(int n) {\n\tn = m;\n  f(1, 2);\n}\n"
    with pytest.raises(SourceError) as error:
        import_source(source, "dir/file.cl")
    assert str(error.value).split("\n") == [
        "dir/file.cl:3:6: error: use of undeclared identifier 'm'",
        "\tn = m;",
        "\t    ^",
        "dir/file.cl:4:8: error: too many arguments to function call, expected 1, have 2",
        "  f(1, 2);",
        "       ^",
        "dir/file.cl:1:6: note: 'f' declared here",
        "void f(int);",
        "     ^",
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-O3"], "unknown build option '-O3'"),
        (["-cl-std=CL9"], "unknown OpenCL C version 'CL9'"),
        (["-D"], "'-D' lacks its value"),
        (["-I"], "'-I' lacks its value"),
    ],
)
def test_options(options: list[str], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        import_source("kernel void k() {}", options=options)


def test_functions_that_no_kernel_reaches() -> None:
    """They may call what is defined nowhere, and OpenCL C's functions may be declared again."""
    source = """
    int helper(int x);
    int unused(int x) { return helper(x); }
    int min(int a, int b);
    kernel void k(global int *o) { o[0] = min(o[0], 3); }
    """
    assert "@unused" not in str(import_source(source, "file.cl"))


def test_names_of_newer_versions() -> None:
    """A source without a version may be of OpenCL C 3.0; one of OpenCL C 1.2 is not."""
    source = """kernel void k(global int *o, global float *f) {
      o[0] = work_group_reduce_add(1) + ctz(8u);
      atomic_fetch_add_explicit((global atomic_float *)f, 1.5f, memory_order_relaxed);
    }
    """
    module = str(import_source(source, "file.cl"))
    newer = ["-cl-std=CL3.0", "-cl-uniform-work-group-size"]
    assert module == str(import_source(source, "file.cl", newer))
    with pytest.raises(SourceError, match="build with -cl-std=CL2.0 or CL3.0"):
        import_source(source, "file.cl", ["-cl-std=CL1.2"])
    wrong = source.replace("ctz", "nothing")
    with pytest.raises(SourceError, match="build with -cl-std=CL2.0(.|\n)*identifier 'nothing'"):
        import_source(wrong, "file.cl")


UNDECLARED = {
    "o[0] = intel_sub_group_block_read_uc(0);": "it is of cl_intel_subgroups_char, which is not",
    "o[0] = intel_sub_group_avc_ime_initialize(n);": "cl_intel_device_side_avc_motion_estimation",
    "o[0] = intel_sub_group_i8_i8_matrix_mad_k32(n, n, n);": "_subgroup_matrix_multiply_accumulate",
    "o[0] = sub_group_clustered_scan(n, 4);": "sub-group functions here are those of cl_khr_subg",
    "o[0] = arm_dot(n, n);": "it is of cl_arm_integer_dot_product_int8.*: use dot",
    "o[0] = qcom_sub_group_shuffle_up(n, 1, 1, n);": "it is of cl_qcom_subgroup_shuffle",
    "o[0] = amd_bitalign(n, n, n);": "it is of cl_amd_media_ops, which",
    "o[0] = amd_bfe(n, n, n);": "it is of cl_amd_media_ops2, which",
    "o[0] = __builtin_amdgcn_workitem_id_x();": "it is a function of AMD's compilers",
    "o[0] = __nv_popc(n);": "it is a function of NVIDIA's compilers",
    "o[0] = work_group_reduce_add();": "it is of OpenCL C 2.0: build with -cl-std=CL2.0 or CL3.0",
    "o[0] = read_pipe(n, &n);": "it is of OpenCL C 2.0: build with -cl-std=CL2.0 or CL3.0",
    "o[0] = get_image_num_samples(n);": "cl_khr_gl_msaa_sharing",
    "o[0] = clock_read_device();": "it is of cl_khr_kernel_clock",
    'asm volatile ("nop");': "inline assembly is not supported",
    "queue_t q = get_default_queue();": "queues on the device .* are not supported",
    "int (^b)(int) = ^(int x) { return x; };": "queues on the device, whose kernels are blocks",
    "o[0] = unknown(n);": "use of undeclared identifier 'unknown'\n",
    "local int t[TILE];": "add -D NAME=VALUE to the options",
    "o[0] = threadIdx.x;": "it is CUDA's: write kernel, local",
}


@pytest.mark.parametrize("statement", UNDECLARED)
def test_undeclared_names(statement: str) -> None:
    with pytest.raises(SourceError, match=UNDECLARED[statement]) as error:
        import_source(KERNEL % statement, "file.cl")
    assert error.value.line == 2
