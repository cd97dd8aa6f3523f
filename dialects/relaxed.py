"""What build options permit of each float operation: the flags `fastmath<...>` of `arith`.

`reassoc` (sums and products in another order), `nsz` (zeros of either sign), `arcp` (a reciprocal
for a division), `contract` (one rounding for a product and a sum) and `afn` (the last bits may
differ) are LLVM's. A pass keeps the flags of what it copies, or leaves them out; it never adds
any.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Operation

UNSAFE = (
    FastMathFlag.REASSOC,
    FastMathFlag.NO_SIGNED_ZEROS,
    FastMathFlag.ALLOW_RECIP,
    FastMathFlag.ALLOW_CONTRACT,
    FastMathFlag.APPROX_FUNC,
)
"""All flags but those that no NaN and no infinity occurs."""

FASTMATH = "fastmath"


def permits(op: Operation, flag: FastMathFlag) -> bool:
    """Whether a float operation has a flag."""
    flags = op.properties.get(FASTMATH)
    return isinstance(flags, arith.FastMathFlagsAttr) and flag in flags.data


def has_flags(op: Operation) -> bool:
    """Whether an operation has any flag."""
    flags = op.properties.get(FASTMATH)
    return isinstance(flags, arith.FastMathFlagsAttr) and len(flags.data) > 0


def is_relaxed(op: Operation) -> bool:
    """Whether an operation of a program has what -cl-unsafe-math-optimizations permits: it may be
    another one after passes, with a result of its own."""
    return permits(op, FastMathFlag.REASSOC) and permits(op, FastMathFlag.ALLOW_CONTRACT)
