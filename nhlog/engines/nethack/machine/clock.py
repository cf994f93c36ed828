"""A clock that stands: a function like `time` of the C library which always tells the same second.

NetHack asks for the time on a stack of 64 KiB that nle made for it, where a function of Python has no room that anybody
promises.  So it is a few instructions in a page of memory, with the second behind them, as data.
"""

import ctypes
import mmap
import struct
import sys
from typing import Final

from nhlog.errors import Unsupported

__all__ = ["StandingClock"]

_CODE: Final = {
    # mov rax, [rip+9]; test rdi, rdi; jz over; mov [rdi], rax; over: ret; the second
    "x86_64": bytes.fromhex("488b0509000000 4885ff 7403 488907 c3"),
    # ldr x1, second; cbz x0, over; str x1, [x0]; over: mov x0, x1; ret; nop; the second
    "aarch64": struct.pack("<6I", 0x580000C1, 0xB4000040, 0xF9000001, 0xAA0103E0, 0xD65F03C0, 0xD503201F),
}
_SECOND: Final = struct.Struct("<q")
_READ_AND_RUN: Final = mmap.PROT_READ | mmap.PROT_EXEC


class StandingClock:
    """A clock that stands at `second`, in seconds since 1970; `address` is that of the function."""

    def __init__(self, kind: str, second: int) -> None:
        """`kind` is that of the machine, as `os.uname` has it; raises :class:`Unsupported` for one unknown here."""
        code = _CODE.get(kind)
        if code is None or sys.byteorder != "little":
            raise Unsupported("the clock cannot be held on this kind of machine", expected=" ".join(_CODE), found=kind)
        self._page = mmap.mmap(-1, mmap.PAGESIZE)
        self._page[: len(code) + _SECOND.size] = code + _SECOND.pack(second)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._page))
        protect = ctypes.CDLL(None, use_errno=True).mprotect
        protect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        if protect(self.address, mmap.PAGESIZE, _READ_AND_RUN):
            raise Unsupported("the system does not let the clock be held: no page of memory may become code")
