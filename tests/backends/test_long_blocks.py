"""LLVM's time for a block of many accesses to memory."""

from __future__ import annotations

from time import process_time

from polycl.backends.cpu import codegen


def _chain(count: int) -> str:
    """`count` loads, each of which may read what a store before it has written."""
    lines = ["%v0 = add i32 %k, 1"]
    for i in range(count):
        lines += [
            f"%p{i} = getelementptr i32, ptr %a, i32 %v{i}",
            f"%v{i + 1} = load i32, ptr %p{i}",
            f"%q{i} = getelementptr i32, ptr %b, i32 %v{i + 1}",
            f"store i32 %k, ptr %q{i}",
        ]
    return "\n".join(["define void @f(ptr %a, ptr %b, i32 %k) {", *lines, "ret void", "}"])


def _seconds(count: int) -> float:
    start = process_time()
    codegen.generate(codegen.OBJECT, _chain(count), 3, {})
    return process_time() - start


def test_time_does_not_grow_with_the_square_of_accesses() -> None:
    """Five times as many accesses take five times as long; thirty with all pairs compared."""
    codegen.set_options()
    _seconds(1)
    few = min(_seconds(200) for _ in range(2))
    assert min(_seconds(1000) for _ in range(2)) < 12 * few
