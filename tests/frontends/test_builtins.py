"""Every function of the dialect's table can be called from OpenCL C."""

from __future__ import annotations

import pytest

from polycl.dialects import ocl
from polycl.dialects.ocl.builtins import FUNCTIONS, Builtin
from polycl.errors import SourceError, UnsupportedError
from polycl.frontends.opencl_c import import_source, source


def types_of(row: Builtin) -> tuple[list[str], list[str]]:
    """The types of the arguments and of the results in OpenCL C, for one type itself."""
    gentype = "float3" if row.name == "cross" else "float"
    types = dict.fromkeys("FAE", gentype) | dict.fromkeys("IBb", "int")
    types |= {"T": "uint" if row.is_unsigned else "int", "N": "uint", "W": "long"}
    arguments, results = ([types[x] for x in part] for part in (row.arguments, row.results))
    if row.name == "upsample":
        arguments[1] = "uint"
    return arguments, results


@pytest.mark.parametrize("row", FUNCTIONS, ids=lambda row: row.name)
def test_call(row: Builtin) -> None:
    arguments, results = types_of(row)
    parameters = [f"{spelled} p{index}" for index, spelled in enumerate(arguments)]
    parameters += [f"global {spelled} *r{index}" for index, spelled in enumerate(results)]
    inputs = [f"p{index}" for index in range(len(arguments))]
    inputs += [f"r{index}" for index in range(1, len(results))]
    body = f"*r0 = {row.spelling}({', '.join(inputs)});"
    try:
        kernel = f"kernel void k({', '.join(parameters)}) {{ {body} }}"
        module = import_source(kernel, options=["-cl-std=CL2.0"])
    except SourceError as error:
        pytest.fail(
            f"{error}\n\nlibclang declares what OpenCL C has. If '{row.spelling}' is not one "
            "of these, declare it for each type in frontends/opencl_c/opencl-c-base.h:\n"
            f"{results[0]} __attribute__((overloadable)) {row.spelling}({', '.join(arguments)});"
        )
    names = {op.function.data for op in module.walk() if isinstance(op, ocl.BuiltinOp)}
    kinds = {type(op) for op in module.walk()}
    assert row.operation in kinds if row.operation is not None else row.name in names


def test_a_function_that_a_macro_of_the_header_declares(monkeypatch: pytest.MonkeyPatch) -> None:
    header = source._header() + "#define D(T) T __attribute__((overloadable)) mine(T x);\nD(int)\n"
    monkeypatch.setattr(source, "_header", lambda: header)
    with pytest.raises(UnsupportedError, match="builtin 'mine' is not supported"):
        import_source("kernel void k(global int *p) { *p = mine(*p); }")


def test_a_group_function_that_only_a_build_option_names() -> None:
    kernel = "kernel void k(global int *p) { *p = REDUCE(*p); }"
    module = import_source(kernel, options=["-cl-std=CL3.0", "-DREDUCE=work_group_reduce_mul"])
    assert any(isinstance(op, ocl.GroupReduceOp) for op in module.walk())
