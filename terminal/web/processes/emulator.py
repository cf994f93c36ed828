"""The terminal emulator, used once where the processes are forked: what it looks up then, none of them has to."""

from contextlib import suppress

from nhlog.errors import Unsupported
from nhlog.vt import USUAL_SIZE, Tape

__all__: list[str] = []

with suppress(Unsupported):  # there is none
    tape = Tape(USUAL_SIZE, lambda first, last: [b"a"])
    tape.redraw(1)
    tape.close()
