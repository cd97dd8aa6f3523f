"""What atomics compute, where nothing else sees the memory between their load and their store."""

from __future__ import annotations

from xdsl.dialects import arith

from polycl.dialects.ocl import AtomicKind

OPERATIONS = {
    AtomicKind.ADD: arith.AddiOp,
    AtomicKind.SUB: arith.SubiOp,
    AtomicKind.AND: arith.AndIOp,
    AtomicKind.OR: arith.OrIOp,
    AtomicKind.XOR: arith.XOrIOp,
    AtomicKind.SMIN: arith.MinSIOp,
    AtomicKind.SMAX: arith.MaxSIOp,
    AtomicKind.UMIN: arith.MinUIOp,
    AtomicKind.UMAX: arith.MaxUIOp,
    AtomicKind.FADD: arith.AddfOp,
    AtomicKind.FMIN: arith.MinnumfOp,
    AtomicKind.FMAX: arith.MaxnumfOp,
}
"""The operation on the old value and the operand; an exchange has none."""
