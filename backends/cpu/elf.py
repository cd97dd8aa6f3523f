"""ELF shared objects without a linker: from an object file of LLVM, or of data alone.

The result is what dlopen takes. It has two segments: one that is read and run (headers, symbols,
constants, code), and one that is written while it is loaded (addresses, variables). Only 64-bit
objects for x86-64 are linked, with the relocations that LLVM uses for position-independent code.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from polycl.dialects.ocl.layout import round_up
from polycl.errors import LaunchError

_PAGE = 4096
_NEEDED = ("libm.so.6", "libc.so.6")
"""The libraries that define what the code calls."""

_X86_64 = 62
_FILE_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION_HEADER = struct.Struct("<IIQQQQIIQQ")
_SEGMENT_HEADER = struct.Struct("<IIQQQQQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_DYNAMIC = struct.Struct("<QQ")

# Kinds and flags of sections, and special section numbers of symbols.
_SYMBOL_TABLE, _RELOCATIONS, _NO_BITS = 2, 4, 8
_WRITE, _ALLOCATED, _TLS = 1, 2, 0x400
_UNDEFINED, _FIRST_SPECIAL = 0, 0xFF00

_LOCAL, _GLOBAL, _WEAK = 0, 1, 2
_OBJECT = 1

# Relocations of objects for x86-64.
_R_64, _R_PC32, _R_PLT32 = 1, 2, 4
_R_GOT = (9, 41, 42)
"""The address of an entry of the table of addresses, relative to the place."""
# Relocations for the loader.
_R_ENTRY, _R_RELATIVE = 6, 8


@dataclass(eq=False)
class _Section:
    name: str
    flags: int
    alignment: int
    data: bytearray
    address: int = 0


@dataclass(frozen=True, eq=False)
class _Symbol:
    name: str
    section: _Section | None
    """None: it is defined in another library."""
    value: int
    size: int
    type: int
    binding: int

    @property
    def address(self) -> int:
        assert self.section is not None
        return self.section.address + self.value


@dataclass(frozen=True, eq=False)
class _Relocation:
    section: _Section
    offset: int
    kind: int
    symbol: _Symbol
    addend: int

    @property
    def place(self) -> int:
        return self.section.address + self.offset


@dataclass
class _Object:
    """What is linked: sections in the order of the file, the exported symbols, and relocations."""

    sections: list[_Section] = field(default_factory=list)
    exports: list[_Symbol] = field(default_factory=list)
    relocations: list[_Relocation] = field(default_factory=list)


def shared_object(
    data: Mapping[str, bytes], object_code: bytes = b"", functions: Mapping[str, str] | None = None
) -> bytes:
    """A shared object with the symbols `data`, and with code.

    `functions` are functions of `object_code`, an object file, and the names under which the result
    exports them; it exports no others.

    Raises:
        LaunchError: the object file is not for x86-64, or has a part that is not supported.
    """
    linked = _read(object_code, functions or {}) if object_code else _Object()
    for name, content in data.items():
        section = _Section(name, _ALLOCATED, 16, bytearray(content))
        linked.sections.append(section)
        linked.exports.append(_Symbol(name, section, 0, len(content), _OBJECT, _GLOBAL))
    return _write(linked)


def read_symbol(content: bytes, name: str) -> bytes:
    """The data of a symbol of a shared object that `shared_object` made.

    Raises:
        ValueError: there is no such symbol, or the object is damaged.
    """
    try:
        # The third segment says where the tables are.
        start, size = struct.unpack_from("<Q16xQ", content, 64 + 2 * _SEGMENT_HEADER.size + 8)
        tags = dict(_DYNAMIC.iter_unpack(content[start : start + size]))
        count = struct.unpack_from("<I", content, tags[4] + 4)[0]
        strings = content[tags[5] : tags[5] + tags[10]]
        for number in range(1, count):
            offset, *_, value, length = _SYMBOL.unpack_from(content, tags[6] + 24 * number)
            if _text(strings, offset) == name and value + length <= len(content):
                return content[value : value + length]
    except (struct.error, KeyError) as error:
        raise ValueError("the shared object is damaged") from error
    raise ValueError(f"the shared object has no symbol '{name}'")


def _read(code: bytes, functions: Mapping[str, str]) -> _Object:
    """The parts of an object file that are loaded."""
    if code[:6] != b"\x7fELF\2\1" or struct.unpack_from("<H", code, 18) != (_X86_64,):
        raise LaunchError("the generated object file is not one of ELF for x86-64")
    header = _FILE_HEADER.unpack_from(code)
    start, count, names = header[6], header[12], header[13]
    headers = [_SECTION_HEADER.unpack_from(code, start + 64 * i) for i in range(count)]

    def content(number: int) -> bytes:
        kind, offset, size = (headers[number][i] for i in (1, 4, 5))
        return bytes(size) if kind == _NO_BITS else code[offset : offset + size]

    section_names = content(names)
    sections: dict[int, _Section] = {}
    for number, (name, _, flags, *_, size, _, _, alignment, _) in enumerate(headers):
        text = _text(section_names, name)
        if not flags & _ALLOCATED or not size or text == ".eh_frame":
            continue
        if flags & _TLS or alignment > _PAGE:
            what = "thread-local data" if flags & _TLS else f"an alignment of {alignment} bytes"
            raise LaunchError(f"the generated code has {what} (section {text}), which cannot load")
        sections[number] = _Section(text, flags, max(alignment, 1), bytearray(content(number)))

    table = next(i for i, header in enumerate(headers) if header[1] == _SYMBOL_TABLE)
    symbol_names = content(headers[table][6])
    symbols: list[_Symbol] = []
    for name, info, _, number, value, size in _SYMBOL.iter_unpack(content(table)):
        text = _text(symbol_names, name)
        # A file's name is such a symbol; nothing refers to it.
        special = number >= _FIRST_SPECIAL
        section = None if special else sections.get(number)
        binding = _LOCAL if special else info >> 4
        symbols.append(_Symbol(text, section, value, size, info & 15, binding))

    linked = _Object(list(sections.values()))
    for symbol in symbols:
        if symbol.name in functions and symbol.section is not None:
            name = functions[symbol.name]
            linked.exports.append(
                _Symbol(name, symbol.section, symbol.value, symbol.size, symbol.type, _GLOBAL)
            )
    missing = set(functions.values()) - {symbol.name for symbol in linked.exports}
    if missing:
        raise LaunchError(f"the generated object file does not define {', '.join(missing)}")
    for number, header in enumerate(headers):
        if header[1] == _RELOCATIONS and header[7] in sections:
            section = sections[header[7]]
            for offset, info, addend in _RELOCATION.iter_unpack(content(number)):
                symbol = symbols[info >> 32]
                linked.relocations.append(
                    _Relocation(section, offset, info & 0xFFFFFFFF, symbol, addend)
                )
    for relocation in linked.relocations:
        _check(relocation)
    return linked


def _check(relocation: _Relocation) -> None:
    kind, symbol, section = relocation.kind, relocation.symbol, relocation.section
    where = f"relocation {kind} of '{symbol.name}' in section {section.name}"
    if symbol.section is None and symbol.binding == _LOCAL:
        raise LaunchError(f"{where}: the symbol is in no section that is loaded")
    if kind == _R_64 and not section.flags & _WRITE:
        raise LaunchError(f"{where}: the address would be written into memory that is only read")
    if kind == _R_PC32 and symbol.section is None:
        raise LaunchError(f"{where}: the symbol of another library is used without its address")
    if kind not in (_R_64, _R_PC32, _R_PLT32, *_R_GOT):
        raise LaunchError(f"{where} is not supported; expected one of position-independent code")


def _text(strings: bytes, offset: int) -> str:
    return strings[offset : strings.index(b"\0", offset)].decode()


class _Strings:
    """A table of names that end with a zero byte."""

    def __init__(self) -> None:
        self.data = bytearray(1)

    def add(self, text: str) -> int:
        """The offset of `text`."""
        offset = len(self.data)
        self.data += text.encode() + b"\0"
        return offset


def _write(linked: _Object) -> bytes:
    relocations = linked.relocations
    # Symbols of other libraries are called through stubs, which jump to an address of the table.
    stubs = _unique(
        r.symbol for r in relocations if r.kind == _R_PLT32 and r.symbol.section is None
    )
    entries = _unique([*stubs, *(r.symbol for r in relocations if r.kind in _R_GOT)])
    imports = _unique(r.symbol for r in relocations if r.symbol.section is None)
    symbols = [*imports, *linked.exports]
    number_of = {symbol: number for number, symbol in enumerate(imports, 1)}
    words = [r for r in relocations if r.kind == _R_64]

    strings = _Strings()
    libraries = [strings.add(name) for name in _NEEDED]
    names = [strings.add(symbol.name) for symbol in symbols]

    def section(name: str, size: int, alignment: int = 8) -> _Section:
        return _Section(name, _ALLOCATED, alignment, bytearray(size))

    symbol_table = section("symbols", _SYMBOL.size * (len(symbols) + 1))
    string_table = section("strings", len(strings.data), 1)
    hash_table = section("hash", 4 * (2 + 1 + len(symbols) + 1))
    fixups = section("relocations", _RELOCATION.size * (len(entries) + len(words)))
    stub_code = section("stubs", 8 * len(stubs))
    addresses = section("addresses", 8 * len(entries))
    dynamic = section("dynamic", _DYNAMIC.size * (len(libraries) + 9))

    writable = [s for s in linked.sections if s.flags & _WRITE]
    read_only = [s for s in linked.sections if not s.flags & _WRITE]
    first = [symbol_table, string_table, hash_table, fixups, *read_only, stub_code]
    second = [addresses, dynamic, *writable]
    first_end = _place(first, _FILE_HEADER.size + 4 * _SEGMENT_HEADER.size)
    second_start = round_up(first_end, _PAGE)
    end = _place(second, second_start)

    def entry(symbol: _Symbol) -> int:
        return addresses.address + 8 * entries[symbol]

    for symbol, number in stubs.items():
        address = stub_code.address + 8 * number
        # jmp *entry(%rip); nop
        code = b"\xff\x25" + struct.pack("<i", entry(symbol) - (address + 6)) + b"\x66\x90"
        stub_code.data[8 * number : 8 * number + 8] = code
    loader: list[tuple[int, int, int]] = []
    for symbol in entries:
        if symbol.section is None:
            loader.append((entry(symbol), number_of[symbol] << 32 | _R_ENTRY, 0))
        else:
            loader.append((entry(symbol), _R_RELATIVE, symbol.address))
    for relocation in words:
        symbol, place, addend = relocation.symbol, relocation.place, relocation.addend
        if symbol.section is None:
            loader.append((place, number_of[symbol] << 32 | _R_64, addend))
        else:
            loader.append((place, _R_RELATIVE, symbol.address + addend))
    for number, values in enumerate(loader):
        _RELOCATION.pack_into(fixups.data, _RELOCATION.size * number, *values)
    for relocation in relocations:
        symbol, place = relocation.symbol, relocation.place
        if relocation.kind in _R_GOT:
            target = entry(symbol)
        elif symbol in stubs and relocation.kind == _R_PLT32:
            target = stub_code.address + 8 * stubs[symbol]
        elif relocation.kind in (_R_PC32, _R_PLT32):
            target = symbol.address
        else:
            continue
        distance = target + relocation.addend - place
        struct.pack_into("<i", relocation.section.data, relocation.offset, distance)

    for number, (symbol, name) in enumerate(zip(symbols, names, strict=True), 1):
        defined = symbol.section is not None
        value = symbol.address if defined else 0
        info = symbol.binding << 4 | symbol.type
        # Any section number but zero says that the symbol is defined.
        fields = (name, info, 0, int(defined), value, symbol.size)
        _SYMBOL.pack_into(symbol_table.data, _SYMBOL.size * number, *fields)
    string_table.data[:] = strings.data
    hash_table.data[:] = _hash_table(len(symbols))
    tags = [
        *((1, library) for library in libraries),
        (4, hash_table.address),
        (5, string_table.address),
        (6, symbol_table.address),
        (7, fixups.address),
        (8, len(fixups.data)),
        (9, _RELOCATION.size),
        (10, len(string_table.data)),
        (11, _SYMBOL.size),
        (0, 0),
    ]
    dynamic.data[:] = b"".join(_DYNAMIC.pack(*tag) for tag in tags)

    file = bytearray(end)
    ident = b"\x7fELF\2\1\1" + bytes(9)
    # A shared object (3) with four segments and without section headers.
    _FILE_HEADER.pack_into(
        file, 0, ident, 3, _X86_64, 1, 0, _FILE_HEADER.size, 0, 0, 64, 56, 4, 64, 0, 0
    )
    # Kind, permissions (4 read, 2 write, 1 run), start, size, alignment. The last one says that
    # the stack needs no permission to run.
    segments = [
        (1, 5, 0, first_end, _PAGE),
        (1, 6, second_start, end - second_start, _PAGE),
        (2, 6, dynamic.address, len(dynamic.data), 8),
        (0x6474E551, 6, 0, 0, 16),
    ]
    for number, (kind, permissions, start, size, alignment) in enumerate(segments):
        _SEGMENT_HEADER.pack_into(
            file,
            _FILE_HEADER.size + _SEGMENT_HEADER.size * number,
            *(kind, permissions, start, start, start, size, size, alignment),
        )
    for placed in (*first, *second):
        file[placed.address : placed.address + len(placed.data)] = placed.data
    return bytes(file)


def _unique(symbols: Iterable[_Symbol]) -> dict[_Symbol, int]:
    """Each symbol once, with its position."""
    return {symbol: number for number, symbol in enumerate(dict.fromkeys(symbols))}


def _place(sections: Sequence[_Section], start: int) -> int:
    """Give the sections addresses from `start` on, which are their offsets in the file, too."""
    for section in sections:
        start = section.address = round_up(start, section.alignment)
        start += len(section.data)
    return start


def _hash_table(count: int) -> bytes:
    """One list of all symbols, which the loader searches: a kernel has few."""
    following = [0, *range(2, count + 1), 0] if count else [0]
    return struct.pack(f"<{3 + len(following)}I", 1, count + 1, int(count > 0), *following)
