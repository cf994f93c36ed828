"""Where a loaded library looks for the functions of others: the slots of its procedure linkage table (ELF).

A library calls a function of another one through a slot, which the loader fills; whoever fills it again after loading
decides what is called, and no file is changed.  The slots are read from the file: in memory the loader may have changed
the table's addresses or not, as each system does.  For 64-bit ELF, the lower byte first.
"""

import struct
from collections.abc import Collection
from typing import Final

from nhlog.errors import Damaged

__all__ = ["slots_of"]

_HEADER: Final = struct.Struct("<16s2xHI8xQ14xHH")  # magic; machine, version; table of segments, size, number of them
_SEGMENT: Final = struct.Struct("<I4xQQ8xQ16x")  # kind; offset in the file, address; bytes in the file
_ENTRY: Final = struct.Struct("<QQ")  # of the dynamic table: tag, value
_RELOCATION: Final = struct.Struct("<QQ8x")  # address of the slot; number of the symbol above its kind
_SYMBOL: Final = struct.Struct("<I20x")  # where its name is

_LOADED, _DYNAMIC = 1, 2  # kinds of segments
_SIZE, _STRINGS, _SYMBOLS, _BY_SLOT = 2, 5, 6, 23  # DT_PLTRELSZ, DT_STRTAB, DT_SYMTAB, DT_JMPREL
_JUMPS: Final = {62: 7, 183: 1026}  # R_X86_64_JUMP_SLOT, R_AARCH64_JUMP_SLOT, by the number of the machine
_MAGIC: Final = b"\x7fELF\x02\x01"
_LONGEST: Final = 256  # bytes of a symbol's name that matter


def slots_of(library: bytes, functions: Collection[str]) -> dict[str, int]:
    """The address of each function's slot, counted from where the library is loaded.

    Raises :class:`Damaged` for what is no such library, and for one that does not call all of them through slots.
    """
    try:
        found = _slots(library, {name.encode() for name in functions})
    except (struct.error, OverflowError):
        raise Damaged("the library ends too early", expected="a 64-bit ELF library") from None
    if missing := sorted(set(functions) - found.keys()):
        raise Damaged("the library does not call what has to be replaced", expected=" ".join(missing))
    return found


def _slots(library: bytes, functions: set[bytes]) -> dict[str, int]:
    magic, machine, _, table, size, count = _HEADER.unpack_from(library)
    if not magic.startswith(_MAGIC) or machine not in _JUMPS or size != _SEGMENT.size:
        raise Damaged("no library for a known machine", offset=0, expected="64-bit ELF for x86-64 or AArch64")
    segments = [_SEGMENT.unpack_from(library, table + number * size) for number in range(count)]
    loaded = [segment for segment in segments if segment[0] == _LOADED]

    def place(address: int) -> int:
        """Where in the file stands what is loaded to this address."""
        for _, offset, start, length in loaded:
            if start <= address < start + length:
                return int(offset + address - start)
        raise Damaged("an address outside of the library", found=hex(address))

    dynamic: dict[int, int] = {}
    for kind, offset, _, length in segments:
        if kind == _DYNAMIC:
            dynamic = dict(_ENTRY.iter_unpack(library[offset : offset + length]))
    if not {_SIZE, _STRINGS, _SYMBOLS, _BY_SLOT} <= dynamic.keys():
        raise Damaged("the library has no table of slots")
    strings, symbols, first = (place(dynamic[tag]) for tag in (_STRINGS, _SYMBOLS, _BY_SLOT))
    found = {}
    for address, info in _RELOCATION.iter_unpack(library[first : first + dynamic[_SIZE]]):
        if info & 0xFFFFFFFF != _JUMPS[machine]:
            continue
        (at,) = _SYMBOL.unpack_from(library, symbols + (info >> 32) * _SYMBOL.size)
        name = library[strings + at : strings + at + _LONGEST].partition(b"\0")[0]
        if name in functions:
            found[name.decode()] = address
    return found
