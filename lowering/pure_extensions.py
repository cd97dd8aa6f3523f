"""Makes `arith.extsi` visible to xDSL's transformations of operations without effects."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from xdsl.dialects import arith
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from polycl.dialects import vec


@contextmanager
def pure_extensions(op: Operation) -> Generator[None]:
    """Inside of `with`, each `arith.extsi` in `op` is a `vec.extsi`, which has the trait `Pure`.

    xDSL 0.74 does not give that trait to `arith.extsi`; this can go when it does.
    """
    for inner in list(op.walk()):
        if isinstance(inner, arith.ExtSIOp):
            _replace(inner, vec.ExtSIOp)
    yield
    for inner in list(op.walk()):
        if isinstance(inner, vec.ExtSIOp) and not isinstance(inner.input.type, VectorType):
            _replace(inner, arith.ExtSIOp)


def _replace(op: arith.ExtSIOp | vec.ExtSIOp, kind: type[Operation]) -> None:
    new = kind.create(
        operands=op.operands,
        result_types=op.result_types,
        attributes=op.attributes,
        location=op.location,
    )
    new.results[0].name_hint = op.result.name_hint
    Rewriter.replace_op(op, new)
