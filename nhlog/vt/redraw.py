"""What a new terminal is fed to show what another one shows, and to go on alike.

It has the screen in use, the main one behind the alternate one, modes, margins, tab stops, character sets, the style
and the link to write with, cursor and title.  What cannot be told is which lines of the main screen belong together.
"""

import re
from collections.abc import Iterator
from typing import Final

from nhlog.screen import ALL_COLORS, PLAIN
from nhlog.vt.grid import Grid
from nhlog.vt.terminal import Terminal

__all__ = ["NEW", "redraw"]

NEW: Final = (
    b"\x18"  # whatever sequence was begun
    b"\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1006l\x1b[?2004l"  # no mouse, focus or marked pastes
    b"\x1b[?1049l\x1b[!p\x1b>\x1b(B\x0f\x1b[m"  # the main screen, and all else as it is at first
)
"""Makes a terminal like a new one that a program may have left in any state, but for what is on its screen."""

_CANCEL: Final = b"\x18"  # whatever sequence was begun
_BLANK: Final = b"\x1b7\x1b[?6l\x1b[0m\x1b[H\x1b[J\x1b[3J\x1b8"
_NO_WRAPPING: Final = b"\x1b[?7l"
_INSERTING: Final = b"\x1b[4h"
_PLAINLY: Final = b"\x1b7\x1b[?6l\x1b[4l" + _NO_WRAPPING + b"\x1b(B\x0f"  # written where it is said, as it is said
_BACK: Final = b"\x1b8"
_LINK: Final = "\x1b]8;;{}\x1b\\"
_NO_LINK: Final = _LINK.format("")
_OPEN_LINK: Final = re.compile(rb"\x1b\]8;[^\x1b\x07]+(?:\x07|\x1b\\)")
_ALTERNATE: Final = re.compile(rb"\x1b\[\?(47|1047|1049)h")  # modes that show the alternate screen


def redraw(terminal: Terminal) -> bytes:
    """The bytes for a new terminal of the same size; empty in the middle of a sequence too long to be kept."""
    snapshot = terminal.snapshot()
    if snapshot is None:
        return b""
    state = _state(snapshot)
    behind = _behind(snapshot, _ALTERNATE.findall(state))
    return behind + _drawn(terminal.grid(), state) + terminal.unfinished


def _behind(snapshot: bytes, modes: list[bytes]) -> bytes:
    """The main screen, where these modes show the alternate one."""
    if not modes:
        return b""
    main = Terminal.restored(snapshot)
    try:
        main.feed(_CANCEL + b"".join(b"\x1b[?%sl" % mode for mode in modes))
        found = main.snapshot()
        return _drawn(main.grid(), _state(found)) if found else b""
    finally:
        main.close()


def _drawn(grid: Grid, state: bytes) -> bytes:
    title = "".join(char if char.isprintable() else "\ufffd" for char in grid.title)
    modes = (b"" if _NO_WRAPPING in state else b"\x1b[?7h") + (_INSERTING if _INSERTING in state else b"")
    cells = (_NO_LINK + "".join(_rows(grid))).encode()
    link = b"".join(_OPEN_LINK.findall(state)[-1:])
    return b"\x1b]2;" + title.encode() + b"\x07" + state + _PLAINLY + cells + _BACK + modes + link


def _state(snapshot: bytes) -> bytes:
    """What makes a terminal such a one, but for what is on it."""
    blank = Terminal.restored(snapshot)
    try:
        blank.feed(_CANCEL + _BLANK)
        return blank.state.rstrip()
    finally:
        blank.close()


def _rows(grid: Grid) -> Iterator[str]:
    for y, row in enumerate(grid.rows):
        last = max((x for x, cell in enumerate(row) if cell != (" ", PLAIN)), default=-1)
        if last < 0:
            continue
        yield f"\x1b[{y + 1}H{PLAIN.sgr()}"
        before = PLAIN
        for text, style in row[: last + 1]:
            if text and style != before:
                yield style.sgr(ALL_COLORS)
                if style.link != before.link:
                    yield _LINK.format(style.link)
                before = style
            yield text
        if before.link:
            yield _NO_LINK
