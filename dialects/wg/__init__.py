"""The `wg` dialect: one whole work-group, with parallel regions between barriers."""

from polycl.dialects.registry import dialect
from polycl.dialects.wg.attributes import ContextType
from polycl.dialects.wg.collectives import (
    Combination,
    PeekOp,
    ReduceOp,
    ReduceRowsOp,
    ScanOp,
)
from polycl.dialects.wg.lanes import (
    AnyLaneOp,
    GatherOp,
    LaneBitsOp,
    LoadOp,
    ScatterOp,
    StoreOp,
    UpdateOp,
    stride_in_bytes,
)
from polycl.dialects.wg.operations import (
    AnyOp,
    ChooseOp,
    ChosenOp,
    ContextOp,
    FuncOp,
    GetOp,
    ParallelOp,
    PutOp,
    ReturnOp,
    SlotOp,
    WorkItemRegion,
    YieldOp,
)

WG = dialect("wg", globals().values())

__all__ = [
    "WG",
    "AnyLaneOp",
    "AnyOp",
    "ChooseOp",
    "ChosenOp",
    "Combination",
    "ContextOp",
    "ContextType",
    "FuncOp",
    "GatherOp",
    "GetOp",
    "LaneBitsOp",
    "LoadOp",
    "ParallelOp",
    "PeekOp",
    "PutOp",
    "ReduceOp",
    "ReduceRowsOp",
    "ReturnOp",
    "ScanOp",
    "ScatterOp",
    "SlotOp",
    "StoreOp",
    "UpdateOp",
    "WorkItemRegion",
    "YieldOp",
    "stride_in_bytes",
]
