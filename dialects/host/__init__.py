"""The `host` dialect: the program around the kernels, its buffers, transfers and launches."""

from xdsl.ir import Dialect

from polycl.dialects.host.buffers import (
    BufferOp,
    BufferType,
    CopyOp,
    FillOp,
    ReadOp,
    ReleaseOp,
    TransposeOp,
    WriteOp,
)
from polycl.dialects.host.c_memory import OBJECTS, ExternOp, ObjectOp, TextOp, ViewOp
from polycl.dialects.host.images import ImageOp
from polycl.dialects.host.launches import (
    BytesOp,
    FinishOp,
    LaunchOp,
    LocalMemoryOp,
    LocalMemoryType,
    NullOp,
    OpaqueOp,
    WaitOp,
    is_host_operation,
)

HOST = Dialect(
    "host",
    [
        BufferOp,
        ImageOp,
        WriteOp,
        ReadOp,
        CopyOp,
        FillOp,
        ReleaseOp,
        TransposeOp,
        LaunchOp,
        BytesOp,
        LocalMemoryOp,
        NullOp,
        WaitOp,
        FinishOp,
        OpaqueOp,
        ExternOp,
        ObjectOp,
        TextOp,
        ViewOp,
    ],
    [BufferType, LocalMemoryType],
)

__all__ = [
    "HOST",
    "OBJECTS",
    "BufferOp",
    "BufferType",
    "BytesOp",
    "CopyOp",
    "ExternOp",
    "FillOp",
    "FinishOp",
    "ImageOp",
    "LaunchOp",
    "LocalMemoryOp",
    "LocalMemoryType",
    "NullOp",
    "ObjectOp",
    "OpaqueOp",
    "ReadOp",
    "ReleaseOp",
    "TextOp",
    "TransposeOp",
    "ViewOp",
    "WaitOp",
    "WriteOp",
    "is_host_operation",
]
