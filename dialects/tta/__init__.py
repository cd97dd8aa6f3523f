"""The `tta` dialect: programs of transport-triggered processors, move by move."""

from polycl.dialects.tta.adf import from_adf, to_adf
from polycl.dialects.tta.machine import (
    AddressSpace,
    Bus,
    ControlUnit,
    FunctionUnit,
    Guard,
    Machine,
    Port,
    RegisterFile,
    ShortImmediate,
    Socket,
    UnitOperation,
)
from polycl.dialects.tta.opset import OPSET, Kind, Operation
from polycl.dialects.tta.presets import PRESETS

__all__ = [
    "OPSET",
    "PRESETS",
    "AddressSpace",
    "Bus",
    "ControlUnit",
    "FunctionUnit",
    "Guard",
    "Kind",
    "Machine",
    "Operation",
    "Port",
    "RegisterFile",
    "ShortImmediate",
    "Socket",
    "UnitOperation",
    "from_adf",
    "to_adf",
]
