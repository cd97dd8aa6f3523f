"""The `pattern` dialect: the patterns of [lift15], with later ones of Lift: transpose, slide, pad,
gather. They specify a computation, and how it is mapped to OpenCL.
"""

from xdsl.ir import Dialect

from polycl.dialects.pattern.access import AtOp, GenerateOp, GetOp, TupleOp
from polycl.dialects.pattern.hierarchy import hierarchy_errors, may_lower_to, why_not_lower_to
from polycl.dialects.pattern.iterate import IterateOp
from polycl.dialects.pattern.lambdas import YieldOp
from polycl.dialects.pattern.launch import AllocOp, LaunchOp
from polycl.dialects.pattern.maps import (
    MapBase,
    MapGlobalOp,
    MapLocalOp,
    MapOp,
    MapSeqOp,
    MapWorkgroupOp,
    ParallelMapBase,
)
from polycl.dialects.pattern.memory import ToGlobalOp, ToLocalOp, ToMemoryBase, ToPrivateOp
from polycl.dialects.pattern.mma import MmaOp
from polycl.dialects.pattern.nat import NatAttr, nat, parse_nat
from polycl.dialects.pattern.neutral import is_neutral
from polycl.dialects.pattern.pad import PadOp
from polycl.dialects.pattern.permutations import FilterOp, SortOp
from polycl.dialects.pattern.reductions import PartRedOp, ReduceBase, ReduceOp, ReduceSeqOp
from polycl.dialects.pattern.scan import ScanOp
from polycl.dialects.pattern.scatter import ScatterOp
from polycl.dialects.pattern.sizes import SIZES, SizeAttr, exact_div, sizes_of, solve_sizes
from polycl.dialects.pattern.types import ArrayType, array
from polycl.dialects.pattern.values import OneToOneOp, ValueOp
from polycl.dialects.pattern.vectors import AsScalarOp, AsVectorOp, VectOp
from polycl.dialects.pattern.views import (
    DropOp,
    GatherOp,
    JoinOp,
    ReorderOp,
    ReorderStrideOp,
    SlideOp,
    SplitOp,
    TakeOp,
    TransposeOp,
    UnzipOp,
    ZipOp,
)

PATTERN = Dialect(
    "pattern",
    [
        YieldOp,
        MapOp,
        MapWorkgroupOp,
        MapLocalOp,
        MapGlobalOp,
        MapSeqOp,
        ReduceOp,
        PartRedOp,
        ReduceSeqOp,
        ScanOp,
        ScatterOp,
        FilterOp,
        SortOp,
        MmaOp,
        ZipOp,
        UnzipOp,
        SplitOp,
        JoinOp,
        TakeOp,
        DropOp,
        IterateOp,
        ReorderOp,
        ReorderStrideOp,
        TransposeOp,
        SlideOp,
        PadOp,
        GatherOp,
        AtOp,
        GenerateOp,
        TupleOp,
        GetOp,
        ToLocalOp,
        ToGlobalOp,
        ToPrivateOp,
        AsVectorOp,
        AsScalarOp,
        VectOp,
        AllocOp,
        LaunchOp,
    ],
    [NatAttr, SizeAttr, ArrayType],
)

__all__ = [
    "PATTERN",
    "SIZES",
    "AllocOp",
    "ArrayType",
    "AsScalarOp",
    "AsVectorOp",
    "AtOp",
    "DropOp",
    "FilterOp",
    "GatherOp",
    "GenerateOp",
    "GetOp",
    "IterateOp",
    "JoinOp",
    "LaunchOp",
    "MapBase",
    "MapGlobalOp",
    "MapLocalOp",
    "MapOp",
    "MapSeqOp",
    "MapWorkgroupOp",
    "MmaOp",
    "NatAttr",
    "OneToOneOp",
    "PadOp",
    "ParallelMapBase",
    "PartRedOp",
    "ReduceBase",
    "ReduceOp",
    "ReduceSeqOp",
    "ReorderOp",
    "ReorderStrideOp",
    "ScanOp",
    "ScatterOp",
    "SizeAttr",
    "SlideOp",
    "SortOp",
    "SplitOp",
    "TakeOp",
    "ToGlobalOp",
    "ToLocalOp",
    "ToMemoryBase",
    "ToPrivateOp",
    "TransposeOp",
    "TupleOp",
    "UnzipOp",
    "ValueOp",
    "VectOp",
    "YieldOp",
    "ZipOp",
    "array",
    "exact_div",
    "hierarchy_errors",
    "is_neutral",
    "may_lower_to",
    "nat",
    "parse_nat",
    "sizes_of",
    "solve_sizes",
    "why_not_lower_to",
]
