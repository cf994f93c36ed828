"""What NetHack asks of the system, and is always answered alike: a clock that stands, and one user.

NetHack asks on a stack of 64 KiB that nle made for it, where a function of Python has no room that anybody promises.
So these are a few instructions in a page of memory each, with what they give behind them, as data.
"""

import ctypes
import mmap
import struct
import sys
from collections.abc import Mapping
from typing import Final

from nhlog.errors import Unsupported

__all__ = ["OneUser", "StandingClock"]

_CLOCK: Final = {
    # mov rax, [rip+9]; test rdi, rdi; jz over; mov [rdi], rax; over: ret; the second
    "x86_64": bytes.fromhex("488b0509000000 4885ff 7403 488907 c3"),
    # ldr x1, second; cbz x0, over; str x1, [x0]; over: mov x0, x1; ret; nop; the second
    "aarch64": struct.pack("<6I", 0x580000C1, 0xB4000040, 0xF9000001, 0xAA0103E0, 0xD65F03C0, 0xD503201F),
}
_SECOND: Final = struct.Struct("<q")
_USER: Final = {
    # lea rax, [rip+1]; ret; the user
    "x86_64": bytes.fromhex("488d0501000000 c3"),
    # adr x0, user; ret; the user
    "aarch64": struct.pack("<2I", 0x10000040, 0xD65F03C0),
}
_ENTRY: Final = struct.Struct("<2Q2I3Q")  # struct passwd: name, password; numbers of user and group; three texts more
_NAME: Final = b"player\0"
_READ_AND_RUN: Final = mmap.PROT_READ | mmap.PROT_EXEC


class _Function:
    """A function as the C library has it: code for this kind of machine, and data behind; `address` is its place."""

    def __init__(self, kind: str, codes: Mapping[str, bytes]) -> None:
        code = codes.get(kind)
        if code is None or sys.byteorder != "little":
            raise Unsupported("the clock cannot be held on this kind of machine", expected=" ".join(codes), found=kind)
        self._page = mmap.mmap(-1, mmap.PAGESIZE)
        self._page[: len(code)] = code
        self._end = len(code)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._page))

    def _close(self, data: bytes) -> None:
        """Put this behind the code, and let it run."""
        self._page[self._end : self._end + len(data)] = data
        protect = ctypes.CDLL(None, use_errno=True).mprotect
        protect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        if protect(self.address, mmap.PAGESIZE, _READ_AND_RUN):
            raise Unsupported("the system does not let the clock be held: no page of memory may become code")


class StandingClock(_Function):
    """A clock like `time`, which stands at `second`, in seconds since 1970; `address` is that of the function."""

    def __init__(self, kind: str, second: int) -> None:
        """`kind` is that of the machine, as `os.uname` has it; raises :class:`Unsupported` for one unknown here."""
        super().__init__(kind, _CLOCK)
        self._close(_SECOND.pack(second))


class OneUser(_Function):
    """A function like `getpwuid`, to which all numbers are one user's; `address` is its place.

    NetHack lets nobody into wizard mode whom the system does not know, and its process cannot ask the system.
    """

    def __init__(self, kind: str) -> None:
        """`kind` is that of the machine, as `os.uname` has it; raises :class:`Unsupported` for one unknown here."""
        super().__init__(kind, _USER)
        name = self.address + self._end + _ENTRY.size
        self._close(_ENTRY.pack(name, name, 0, 0, name, name, name) + _NAME)
