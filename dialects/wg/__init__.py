"""The `wg` dialect: one whole work-group, with parallel regions between barriers."""

from xdsl.ir import Dialect

from polycl.dialects.wg.attributes import ContextType
from polycl.dialects.wg.operations import (
    AnyOp,
    ContextOp,
    FuncOp,
    GetOp,
    ParallelOp,
    PutOp,
    ReturnOp,
    SlotOp,
    YieldOp,
)

WG = Dialect(
    "wg",
    [FuncOp, ReturnOp, ParallelOp, YieldOp, ContextOp, PutOp, GetOp, SlotOp, AnyOp],
    [ContextType],
)

__all__ = [
    "WG",
    "AnyOp",
    "ContextOp",
    "ContextType",
    "FuncOp",
    "GetOp",
    "ParallelOp",
    "PutOp",
    "ReturnOp",
    "SlotOp",
    "YieldOp",
]
