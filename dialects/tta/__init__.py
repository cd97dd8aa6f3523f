"""The `tta` dialect: programs of transport-triggered processors, move by move."""

from xdsl.ir import Dialect

from polycl.dialects.tta.adf import from_adf
from polycl.dialects.tta.adf_writer import to_adf
from polycl.dialects.tta.attributes import EndAttr, GuardAttr
from polycl.dialects.tta.checks import Problem, problems
from polycl.dialects.tta.machine import (
    AddressSpace,
    Bus,
    ControlUnit,
    Encoding,
    FunctionUnit,
    Guard,
    ImmediateUnit,
    Machine,
    Port,
    RegisterFile,
    ShortImmediate,
    Socket,
    UnitOperation,
)
from polycl.dialects.tta.operations import (
    BlockOp,
    ImmediateOp,
    InstructionOp,
    MoveOp,
    ProgramOp,
    from_ir,
    to_ir,
)
from polycl.dialects.tta.opset import OPSET, Kind, Operation
from polycl.dialects.tta.presets import PRESETS, describe, parse_machine
from polycl.dialects.tta.program import (
    Block,
    Destination,
    Immediate,
    Instruction,
    Label,
    LongImmediate,
    Move,
    Program,
    Register,
    Source,
    UnitPort,
)
from polycl.dialects.tta.sequential import AliasAttr, ComputeOp, LoadOp, StoreOp
from polycl.dialects.tta.tceasm import parse_tceasm, print_tceasm

TTA = Dialect(
    "tta",
    [ProgramOp, BlockOp, InstructionOp, MoveOp, ImmediateOp, ComputeOp, LoadOp, StoreOp],
    [EndAttr, GuardAttr, AliasAttr],
)

__all__ = [
    "OPSET",
    "PRESETS",
    "TTA",
    "AddressSpace",
    "AliasAttr",
    "Block",
    "BlockOp",
    "Bus",
    "ComputeOp",
    "ControlUnit",
    "Destination",
    "Encoding",
    "EndAttr",
    "FunctionUnit",
    "Guard",
    "GuardAttr",
    "Immediate",
    "ImmediateOp",
    "ImmediateUnit",
    "Instruction",
    "InstructionOp",
    "Kind",
    "Label",
    "LoadOp",
    "LongImmediate",
    "Machine",
    "Move",
    "MoveOp",
    "Operation",
    "Port",
    "Problem",
    "Program",
    "ProgramOp",
    "Register",
    "RegisterFile",
    "ShortImmediate",
    "Socket",
    "Source",
    "StoreOp",
    "UnitOperation",
    "UnitPort",
    "describe",
    "from_adf",
    "from_ir",
    "parse_machine",
    "parse_tceasm",
    "print_tceasm",
    "problems",
    "to_adf",
    "to_ir",
]
