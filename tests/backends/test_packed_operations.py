"""Neighbouring operations of one work-item become vectors, where this changes no result."""

from __future__ import annotations

import pytest

from polycl.backends.cpu import codegen

COUNT = 32


def _sums(add: str, type: str) -> str:
    """LLVM IR that adds neighbouring elements, without a loop."""
    lines: list[str] = []
    for i in range(COUNT):
        for name in "abc":
            lines.append(f"%{name}{i} = getelementptr {type}, ptr %{name}, i64 {i}")
        for name in "ab":
            lines.append(f"%{name}v{i} = load {type}, ptr %{name}{i}")
        lines.append(f"%s{i} = {add} {type} %av{i}, %bv{i}")
        lines.append(f"store {type} %s{i}, ptr %c{i}")
    arguments = "ptr noalias %a, ptr noalias %b, ptr noalias %c"
    return "\n".join([f"define void @f({arguments}) {{", *lines, "ret void", "}"])


@pytest.mark.parametrize(
    ("add", "type", "level", "packed", "single"),
    [
        ("add", "i32", 3, "paddd", "addl"),
        ("add", "i8", 3, "paddb", "\taddb"),
        # LLVM could fuse products with sums elsewhere than in the code of one work-item.
        ("fadd contract", "float", 3, "addps", "addss"),
        ("fadd", "float", 3, "addps", "addss"),
        ("add", "i32", codegen.WITHOUT_VECTORS, "paddd", "addl"),
    ],
)
def test_integers_are_packed(add: str, type: str, level: int, packed: str, single: str) -> None:
    codegen.set_options()
    code = codegen.generate(codegen.ASSEMBLY, _sums(add, type), level, {}).decode()
    found, other = (packed, single) if add == "add" and level == 3 else (single, packed)
    assert found in code
    assert other not in code
