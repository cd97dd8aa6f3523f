"""Source lines in LLVM IR, and the variables of debug builds: what gdb and perf read."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from llvmlite import ir
from xdsl.dialects import llvm
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation

from polycl.backends.cpu.debug_types import DebugTypes
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl.debug import (
    DEBUG_FOLDER,
    VARIABLE_TYPE,
    SourceVariable,
    is_debug_build,
    source_variable,
)
from polycl.errors import location_of

_Scope = tuple[int, int, int, int]


class DebugInfo:
    """The debug metadata of one module of LLVM IR, made from the locations of operations.

    It has files, functions and lines. Variables are those of a debug build: after inlining and
    vectorisation few variables have one location.
    """

    def __init__(self, target: ir.Module, module: ModuleOp):
        self.add: Callable[..., Any] = target.add_debug_info
        self._target = target
        folder = module.attributes.get(DEBUG_FOLDER)
        self._folder = folder.data if isinstance(folder, StringAttr) else os.getcwd()
        self.is_debug_build = is_debug_build(module)
        self._unit: Any = None
        self.types = DebugTypes(target)

    def function(self, op: llvm.FuncOp) -> FunctionInfo | None:
        """The function `op`; None if its location is unknown."""
        location = location_of(op)
        if location is None:
            return None
        file = self.file(location[0])
        flags = "DISPFlagDefinition"
        subprogram = self.add(
            "DISubprogram",
            {
                "name": op.sym_name.data,
                "scope": file,
                "file": file,
                "line": location[1],
                "scopeLine": location[1],
                "type": self.add("DISubroutineType", {"types": self._target.add_metadata([None])}),
                "spFlags": ir.DIToken(
                    flags if self.is_debug_build else f"{flags} | DISPFlagOptimized"
                ),
                "unit": self._compile_unit(file),
            },
            is_distinct=True,
        )
        return FunctionInfo(self, subprogram, location[0], op)

    def file(self, name: str) -> Any:
        return self.add("DIFile", {"filename": name, "directory": self._folder})

    def _compile_unit(self, file: Any) -> Any:
        if self._unit is None:
            self._unit = self.add(
                "DICompileUnit",
                {
                    "language": ir.DIToken("DW_LANG_OpenCL"),
                    "file": file,
                    # Only in clang's code gdb uses LLVM's mark of the end of a function's start.
                    "producer": "clang and LLVM, by polycl",
                    "isOptimized": not self.is_debug_build,
                    "emissionKind": ir.DIToken("FullDebug"),
                },
                is_distinct=True,
            )
            self._target.add_named_metadata("llvm.dbg.cu", self._unit)
            number = ir.IntType(32)
            for flag, version in (("Debug Info Version", 3), ("Dwarf Version", 4)):
                self._target.add_named_metadata(
                    "llvm.module.flags", [number(2), flag, number(version)]
                )
        return self._unit


class FunctionInfo:
    """The lines and variables of one function."""

    def __init__(self, info: DebugInfo, subprogram: Any, filename: str, op: llvm.FuncOp):
        self.subprogram = subprogram
        self._info = info
        self._filename = filename
        # gdb stops at a function before its first line: when all arguments are in memory.
        self._not_shown = location_of(op) if info.is_debug_build else None
        self._shown: dict[llvm.AllocaOp, SourceVariable] = {}
        for alloca in operations_of(op.body, llvm.AllocaOp):
            shown = source_variable(alloca)
            if shown is not None:
                self._shown[alloca] = shown
        own = {shown.scope for shown in self._shown.values() if shown.argument}
        files = {
            ((location_of(alloca) or (filename,))[0], shown.scope)
            for alloca, shown in self._shown.items()
        }
        self._blocks = self._make_blocks({place: place[1] in own for place in files})

    def _make_blocks(
        self, places: Mapping[tuple[str, _Scope], bool]
    ) -> Sequence[tuple[str, _Scope, Any]]:
        """The blocks in which variables are declared, by file and extent, the outer ones first."""
        blocks: list[tuple[str, _Scope, Any]] = []
        # Of two blocks that start at the same place, the longer one is first.
        for file, scope in sorted(
            places, key=lambda place: (place[0], place[1][:2], -place[1][2], -place[1][3])
        ):
            if places[file, scope]:
                blocks.append((file, scope, self.subprogram))
                continue
            parent = self.subprogram
            for other, (a, b, c, d), block in blocks:
                if other == file and (a, b) <= scope[:2] and scope[2:] <= (c, d):
                    parent = block
            fields = {
                "scope": parent,
                "file": self._info.file(file),
                "line": scope[0],
                "column": scope[1],
            }
            block = self._info.add("DILexicalBlock", fields, is_distinct=True)
            blocks.append((file, scope, block))
        return blocks

    def line(self, op: Operation) -> Any:
        """The location of `op`.

        Operations that were inlined from another file keep their lines. Operations without a
        location are at line 0, which means that the compiler made them.
        """
        location = location_of(op)
        if location is None or location == self._not_shown:
            location = self._filename, 0, 0
        file, line, col = location
        scope = self._block(file, (line, col))
        if scope is self.subprogram and file != self._filename:
            fields = {"scope": scope, "file": self._info.file(file), "discriminator": 0}
            scope = self._info.add("DILexicalBlockFile", fields)
        return self._info.add("DILocation", {"line": line, "column": col, "scope": scope})

    def _block(self, file: str, place: tuple[int, int]) -> Any:
        found = self.subprogram
        for other, (a, b, c, d), block in self._blocks:
            if other == file and (a, b) <= place < (c, d):
                found = block
        return found

    def variable(self, op: Operation) -> tuple[Any, str] | None:
        """The variable for which `op` allocates memory, and how its address follows; else None."""
        shown = self._shown.get(op) if isinstance(op, llvm.AllocaOp) else None
        location = location_of(op)
        if shown is None or location is None:
            return None
        file, line, _ = location
        blocks = {(other, scope): block for other, scope, block in self._blocks}
        fields = {
            "name": shown.name,
            "scope": blocks[file, shown.scope],
            "file": self._info.file(file),
            "line": line,
            "type": self._info.types.of_variable(op.attributes[VARIABLE_TYPE], shown),
        }
        if shown.argument and fields["scope"] is self.subprogram:
            fields["arg"] = shown.argument
        address = "DW_OP_deref" if shown.is_address else ""
        return self._info.add("DILocalVariable", fields), f"!DIExpression({address})"
