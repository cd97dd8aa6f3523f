"""ELF shared objects without a linker: from an object file of LLVM, or of data alone.

The result is what dlopen takes. It has two segments: one that is read and run (headers, symbols,
constants, code), and one that is written while it is loaded (addresses, variables). Debug
information follows, which gdb and perf read from the file. Only 64-bit objects for x86-64 are
linked, with the relocations that LLVM uses for position-independent code.
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

_SHARED_OBJECT = 3

# Kinds and flags of sections, and special section numbers of symbols.
_SYMBOL_TABLE, _RELOCATIONS, _NO_BITS = 2, 4, 8
_WRITE, _ALLOCATED, _CODE, _TLS = 1, 2, 4, 0x400
_UNDEFINED, _FIRST_SPECIAL = 0, 0xFF00

_LOCAL, _GLOBAL, _WEAK = 0, 1, 2
_OBJECT, _FUNCTION = 1, 2

# The kinds of the segments, and their permissions.
_SEGMENTS = 4
_LOADED, _LOADER, _STACK = 1, 2, 0x6474E551
_RUN, _CHANGE, _READ = 1, 2, 4

# The tags of what the loader reads.
_NEEDS, _HASH, _STRINGS, _SYMBOLS, _FIXUPS, _FIXUPS_SIZE, _FIXUP_SIZE = 1, 4, 5, 6, 7, 8, 9
_STRINGS_SIZE, _SYMBOL_SIZE = 10, 11

# Relocations of objects for x86-64. Those of 32 bits are offsets in debug sections.
_R_64, _R_PC32, _R_PLT32, _R_32 = 1, 2, 4, 10
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
    debug: list[_Section] = field(default_factory=list)
    """Sections of the file that are not loaded. Their address is 0: they refer to each other by
    offsets."""
    debug_relocations: list[_Relocation] = field(default_factory=list)
    functions: list[_Symbol] = field(default_factory=list)
    """All functions, if there is debug information: profilers show their names."""


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
    return _Linker(linked).link()


def read_symbol(content: bytes, name: str) -> bytes:
    """The data of a symbol of a shared object that `shared_object` made.

    Raises:
        ValueError: there is no such symbol, or the object is damaged.
    """
    try:
        # The third segment says where the tables are.
        start, size = struct.unpack_from("<Q16xQ", content, 64 + 2 * _SEGMENT_HEADER.size + 8)
        tags = dict(_DYNAMIC.iter_unpack(content[start : start + size]))
        count = struct.unpack_from("<I", content, tags[_HASH] + 4)[0]
        strings = content[tags[_STRINGS] : tags[_STRINGS] + tags[_STRINGS_SIZE]]
        for number in range(1, count):
            offset, *_, value, length = _SYMBOL.unpack_from(
                content, tags[_SYMBOLS] + _SYMBOL.size * number
            )
            if _text(strings, offset) == name and value + length <= len(content):
                return content[value : value + length]
    except (struct.error, KeyError) as error:
        raise ValueError("the shared object is damaged") from error
    raise ValueError(f"the shared object has no symbol '{name}'")


def has_debug_info(code: bytes) -> bool:
    """Whether an object file has a table of source lines."""
    return b".debug_line\0" in code


def function_sizes(code: bytes) -> dict[str, int]:
    """The bytes of each function of a 64-bit object file."""
    header = _FILE_HEADER.unpack_from(code)
    headers = [_SECTION_HEADER.unpack_from(code, header[6] + 64 * i) for i in range(header[12])]
    sizes: dict[str, int] = {}
    for kind, offset, length, link in ((h[1], h[4], h[5], h[6]) for h in headers):
        if kind == _SYMBOL_TABLE:
            names = code[headers[link][4] : headers[link][4] + headers[link][5]]
            for name, info, _, _, _, size in _SYMBOL.iter_unpack(code[offset : offset + length]):
                if info & 15 == _FUNCTION:
                    sizes[_text(names, name)] = size
    return sizes


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
        if text.startswith(".debug_"):
            sections[number] = _Section(text, 0, 1, bytearray(content(number)))
            continue
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

    loaded = [section for section in sections.values() if section.flags & _ALLOCATED]
    linked = _Object(loaded, debug=[s for s in sections.values() if s not in loaded])
    if linked.debug:
        linked.functions = [s for s in symbols if s.section in loaded and s.type == _FUNCTION]
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
                relocation = _Relocation(section, offset, info & 0xFFFFFFFF, symbol, addend)
                if section.flags & _ALLOCATED:
                    linked.relocations.append(relocation)
                else:
                    linked.debug_relocations.append(relocation)
    for relocation in linked.relocations:
        _check(relocation)
    for relocation in linked.debug_relocations:
        _check_debug(relocation)
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


def _check_debug(relocation: _Relocation) -> None:
    if relocation.kind not in (_R_64, _R_32) or relocation.symbol.section is None:
        raise LaunchError(
            f"relocation {relocation.kind} of '{relocation.symbol.name}' in section "
            f"{relocation.section.name} is not supported; expected an address of this object"
        )


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


def _table(name: str, size: int, flags: int = 0) -> _Section:
    """A section of our own; its content comes when all addresses are known."""
    return _Section(name, _ALLOCATED | flags, 8, bytearray(size))


class _Linker:
    """Places the sections of an object, and makes the tables that the loader reads."""

    def __init__(self, linked: _Object):
        self.relocations = linked.relocations
        foreign = [r for r in self.relocations if r.symbol.section is None]
        self.imports = _numbered(r.symbol for r in foreign)
        self.symbols = [*self.imports, *linked.exports]
        self.stubs = _numbered(r.symbol for r in foreign if r.kind == _R_PLT32)
        """Symbols of other libraries are called through stubs, which jump to an entry."""
        in_table = (r.symbol for r in self.relocations if r.kind in _R_GOT)
        self.entries = _numbered([*self.stubs, *in_table])
        """The symbols in the table of addresses, which the loader fills."""
        self.words = [r for r in self.relocations if r.kind == _R_64]

        strings = _Strings()
        self.library_names = [strings.add(name) for name in _NEEDED]
        self.symbol_names = [strings.add(symbol.name) for symbol in self.symbols]

        fixups = len(self.entries) + len(self.words)
        self.dynsym = _table(".dynsym", _SYMBOL.size * (1 + len(self.symbols)))
        self.dynstr = _Section(".dynstr", _ALLOCATED, 1, strings.data)
        self.hash = _Section(".hash", _ALLOCATED, 8, bytearray(_hash_table(len(self.symbols))))
        self.rela = _table(".rela.dyn", _RELOCATION.size * fixups)
        self.plt = _table(".plt", 8 * len(self.stubs), _CODE)
        self.got = _table(".got", 8 * len(self.entries), _WRITE)
        self.dynamic = _table(".dynamic", _DYNAMIC.size * (len(_NEEDED) + 9), _WRITE)

        writable = [section for section in linked.sections if section.flags & _WRITE]
        read_only = [section for section in linked.sections if not section.flags & _WRITE]
        first = [self.dynsym, self.dynstr, self.hash, self.rela, *read_only, self.plt]
        second = [self.got, self.dynamic, *writable]
        self.sections = [*first, *second]
        self.first_end = _place(first, _FILE_HEADER.size + _SEGMENTS * _SEGMENT_HEADER.size)
        self.second_start = round_up(self.first_end, _PAGE)
        self.end = _place(second, self.second_start)
        self.debug_relocations = linked.debug_relocations
        self.not_loaded: dict[_Section, int] = {}
        """Their offsets in the file."""
        self.file_end = self.end
        for section in [*linked.debug, *self._names_of(linked.functions)]:
            self.not_loaded[section] = offset = round_up(self.file_end, section.alignment)
            self.file_end = offset + len(section.data)

    def link(self) -> bytes:
        """The shared object."""
        self._write_stubs()
        self._write_distances()
        self._write_loader_relocations()
        self._write_symbols()
        self._write_dynamic()
        self._write_debug()
        return self._file()

    def _entry(self, symbol: _Symbol) -> int:
        return self.got.address + 8 * self.entries[symbol]

    def _stub(self, symbol: _Symbol) -> int:
        return self.plt.address + 8 * self.stubs[symbol]

    def _write_stubs(self) -> None:
        for symbol, number in self.stubs.items():
            distance = self._entry(symbol) - (self._stub(symbol) + 6)
            # jmp *distance(%rip); nop
            code = b"\xff\x25" + struct.pack("<i", distance) + b"\x66\x90"
            self.plt.data[8 * number : 8 * number + 8] = code

    def _write_distances(self) -> None:
        """Relocations that are done here: the distance from the place to what it uses."""
        for relocation in self.relocations:
            symbol = relocation.symbol
            if relocation.kind == _R_64:
                continue
            if relocation.kind in _R_GOT:
                target = self._entry(symbol)
            elif symbol.section is None:
                target = self._stub(symbol)
            else:
                target = symbol.address
            distance = target + relocation.addend - relocation.place
            struct.pack_into("<i", relocation.section.data, relocation.offset, distance)

    def _write_loader_relocations(self) -> None:
        """Relocations that need the address at which the object is loaded, or another library."""
        places = [(self._entry(symbol), _R_ENTRY, symbol, 0) for symbol in self.entries]
        places += [(word.place, _R_64, word.symbol, word.addend) for word in self.words]
        for number, (place, kind, symbol, addend) in enumerate(places):
            if symbol.section is None:
                info = (1 + self.imports[symbol]) << 32 | kind
            else:
                info, addend = _R_RELATIVE, symbol.address + addend
            _RELOCATION.pack_into(self.rela.data, _RELOCATION.size * number, place, info, addend)

    def _write_symbols(self) -> None:
        for number, symbol in enumerate(self.symbols):
            section, address = _UNDEFINED, 0
            if symbol.section is not None:
                # The first header of a section is empty.
                section, address = 1 + self.sections.index(symbol.section), symbol.address
            info = symbol.binding << 4 | symbol.type
            fields = (self.symbol_names[number], info, 0, section, address, symbol.size)
            _SYMBOL.pack_into(self.dynsym.data, _SYMBOL.size * (1 + number), *fields)

    def _write_dynamic(self) -> None:
        tags = [
            *((_NEEDS, name) for name in self.library_names),
            (_HASH, self.hash.address),
            (_STRINGS, self.dynstr.address),
            (_SYMBOLS, self.dynsym.address),
            (_STRINGS_SIZE, len(self.dynstr.data)),
            (_SYMBOL_SIZE, _SYMBOL.size),
            (_FIXUPS, self.rela.address),
            (_FIXUPS_SIZE, len(self.rela.data)),
            (_FIXUP_SIZE, _RELOCATION.size),
            (0, 0),
        ]
        self.dynamic.data[:] = b"".join(_DYNAMIC.pack(*tag) for tag in tags)

    def _names_of(self, functions: Sequence[_Symbol]) -> list[_Section]:
        """The sections with the names of functions for tools; none if there are no functions."""
        if not functions:
            return []
        strings, table = _Strings(), bytearray(_SYMBOL.size)
        for symbol in functions:
            assert symbol.section is not None
            number = 1 + self.sections.index(symbol.section)
            name, info = strings.add(symbol.name), _GLOBAL << 4 | _FUNCTION
            table += _SYMBOL.pack(name, info, 0, number, symbol.address, symbol.size)
        return [_Section(".symtab", 0, 8, table), _Section(".strtab", 0, 1, strings.data)]

    def _write_debug(self) -> None:
        for relocation in self.debug_relocations:
            form = "<Q" if relocation.kind == _R_64 else "<I"
            value = relocation.symbol.address + relocation.addend
            struct.pack_into(form, relocation.section.data, relocation.offset, value)

    def _file(self) -> bytes:
        names, headers = self._section_headers()
        table = round_up(self.file_end + len(names), 8)
        file = bytearray(table) + headers
        count = len(headers) // _SECTION_HEADER.size
        ident = b"\x7fELF\2\1\1" + bytes(9)
        sizes = (_FILE_HEADER.size, _SEGMENT_HEADER.size, _SEGMENTS, _SECTION_HEADER.size)
        _FILE_HEADER.pack_into(
            file,
            0,
            *(ident, _SHARED_OBJECT, _X86_64, 1, 0, _FILE_HEADER.size, table, 0),
            *(*sizes, count, count - 1),
        )
        second_size = self.end - self.second_start
        segments = [
            (_LOADED, _READ | _RUN, 0, self.first_end, _PAGE),
            (_LOADED, _READ | _CHANGE, self.second_start, second_size, _PAGE),
            (_LOADER, _READ | _CHANGE, self.dynamic.address, len(self.dynamic.data), 8),
            # The stack needs no permission to run.
            (_STACK, _READ | _CHANGE, 0, 0, 16),
        ]
        assert len(segments) == _SEGMENTS
        for number, (kind, permissions, start, size, alignment) in enumerate(segments):
            _SEGMENT_HEADER.pack_into(
                file,
                _FILE_HEADER.size + _SEGMENT_HEADER.size * number,
                *(kind, permissions, start, start, start, size, size, alignment),
            )
        for section in self.sections:
            file[section.address : section.address + len(section.data)] = section.data
        for section, offset in self.not_loaded.items():
            file[offset : offset + len(section.data)] = section.data
        file[self.file_end : self.file_end + len(names)] = names
        return bytes(file)

    def _section_headers(self) -> tuple[bytes, bytes]:
        """The sections' names and headers, which only tools such as gdb and perf read."""
        sections = [*self.sections, *self.not_loaded]
        numbers = {section.name: number for number, section in enumerate(sections, 1)}
        symbols, strings = numbers[".dynsym"], numbers[".dynstr"]
        # The kind of a section, the other section that it refers to, and the size of an entry. The
        # field after the other section is the number of the first symbol that is not local.
        special = {
            ".dynsym": (11, strings, 1, _SYMBOL.size),
            ".dynstr": (3, 0, 0, 0),
            ".hash": (5, symbols, 0, 4),
            ".rela.dyn": (4, symbols, 0, _RELOCATION.size),
            ".dynamic": (6, strings, 0, _DYNAMIC.size),
            ".symtab": (_SYMBOL_TABLE, numbers.get(".strtab", 0), 1, _SYMBOL.size),
            ".strtab": (3, 0, 0, 0),
        }
        names = _Strings()
        headers = bytearray(_SECTION_HEADER.size)
        for section in sections:
            kind, link, info, entry = special.get(section.name, (1, 0, 0, 0))
            offset = self.not_loaded.get(section, section.address)
            place = (section.address, offset, len(section.data))
            headers += _SECTION_HEADER.pack(
                names.add(section.name),
                *(kind, section.flags & (_WRITE | _ALLOCATED | _CODE), *place),
                *(link, info, section.alignment, entry),
            )
        name = names.add(".shstrtab")
        size = len(names.data)
        headers += _SECTION_HEADER.pack(name, 3, 0, 0, self.file_end, size, 0, 0, 1, 0)
        return bytes(names.data), bytes(headers)


def _numbered(symbols: Iterable[_Symbol]) -> dict[_Symbol, int]:
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
