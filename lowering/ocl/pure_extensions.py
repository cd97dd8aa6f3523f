"""Makes `arith.extsi` visible to xDSL's transformations of operations without effects."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from xdsl.dialects import arith
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from polycl.dialects import vec
from polycl.dialects.inside import operations_of


@contextmanager
def pure_extensions(op: Operation) -> Generator[None]:
    """Inside of `with`, each `arith.extsi` in `op` is a `vec.extsi`, which has the trait `Pure`.

    xDSL 0.74 does not give that trait to `arith.extsi`; this can go when it does.
    """
    found = operations_of(op, arith.ExtSIOp)
    pure = [_replaced(inner, vec.ExtSIOp) for inner in found]
    yield
    for inner in pure:
        # It may have been erased.
        if inner.parent is not None:
            _replaced(inner, arith.ExtSIOp)


def _replaced(op: Operation, kind: type[Operation]) -> Operation:
    new = kind.create(
        operands=op.operands,
        result_types=op.result_types,
        attributes=op.attributes,
        location=op.location,
    )
    Rewriter.replace_op(op, new)
    return new
