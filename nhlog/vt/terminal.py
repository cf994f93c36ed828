"""One terminal: bytes in, a grid out, and a snapshot of all its state from which another one goes on alike.

It answers nothing and knows nothing outside itself: what programs ask of a terminal, the clipboard, images and
notifications are off.  To be used by one thread at a time.
"""

import re
import weakref
from typing import Any, Final, NamedTuple, Self

from nhlog.errors import NhlogError, Usage
from nhlog.vt.cells import CellReader, Worth
from nhlog.vt.grid import Grid
from nhlog.vt.joining import may_join
from nhlog.vt.library import library

__all__ = ["MOST_COLUMNS", "MOST_ROWS", "USUAL_SIZE", "Size", "Terminal", "parse_size"]

MOST_COLUMNS: Final = 1000
MOST_ROWS: Final = 500
_MOST_UNFINISHED: Final = 1 << 20  # bytes of an unfinished sequence that a snapshot keeps
_WRAPS, _HAS_SIDES = 7, 69  # private modes
_CELL: Final = (8, 16)  # pixels; nobody is told


class Size(NamedTuple):
    """Columns and rows of a terminal."""

    columns: int
    rows: int

    def clamped(self) -> "Size":
        """The nearest size that a terminal can have."""
        return Size(min(max(self.columns, 1), MOST_COLUMNS), min(max(self.rows, 1), MOST_ROWS))


def parse_size(text: str) -> Size:
    """A size as a person gives it, ``COLUMNSxROWS``; raises :class:`Usage`."""
    found = re.fullmatch(r"(\d{1,4})x(\d{1,4})", text)
    size = Size(int(found[1]), int(found[2])) if found else None
    if size is None or size != size.clamped():
        raise Usage("not a terminal size", expected=f"COLUMNSxROWS, 1x1 to {MOST_COLUMNS}x{MOST_ROWS}", found=text)
    return size


USUAL_SIZE: Final = Size(80, 24)
"""That of a terminal of which nothing else is known."""


class Terminal:
    """A terminal of a size, which is clamped to what one can have; raises :class:`Unsupported` without an emulator."""

    def __init__(self, size: Size) -> None:
        ffi, lib = library()
        made = ffi.new("GhosttyTerminal*")
        _check(lib.ghostty_terminal_new(ffi.NULL, made, *size.clamped()))
        self._begin(made[0])

    def _begin(self, terminal: Any) -> None:
        ffi, lib = library()
        self._terminal = terminal
        self._free = weakref.finalize(self, lib.ghostty_terminal_free, terminal)
        self._reader = CellReader(library(), terminal)
        # Its scrollback keeps its own limit: with a small one version 0.1.3 ends the process on a screen of one row.
        for option, value in (
            (lib.GHOSTTY_TERMINAL_OPT_CONTINUATION_MAX_BYTES, ffi.new("size_t*", _MOST_UNFINISHED)),
            (lib.GHOSTTY_TERMINAL_OPT_KITTY_IMAGE_STORAGE_LIMIT, ffi.new("uint64_t*", 0)),
            (lib.GHOSTTY_TERMINAL_OPT_KITTY_IMAGE_MEDIUM_FILE, ffi.new("bool*", False)),
            (lib.GHOSTTY_TERMINAL_OPT_KITTY_IMAGE_MEDIUM_TEMP_FILE, ffi.NULL),  # no folder for them
            (lib.GHOSTTY_TERMINAL_OPT_KITTY_IMAGE_MEDIUM_SHARED_MEM, ffi.new("bool*", False)),
        ):
            _check(lib.ghostty_terminal_set(terminal, option, value))

    @classmethod
    def restored(cls, snapshot: bytes) -> Self:
        """The terminal of which this is a snapshot, made in this process."""
        ffi, lib = library()
        decoder, made = ffi.new("GhosttySnapshotDecoder*"), ffi.new("GhosttyTerminal*")
        held = ffi.from_buffer("uint8_t[]", snapshot)
        _check(lib.ghostty_snapshot_decoder_new_buf(ffi.NULL, decoder, held, len(held)))
        try:
            for option, kind, value in (
                (lib.GHOSTTY_SNAPSHOT_DECODER_OPT_MAX_CONTINUATION_BYTES, "size_t*", _MOST_UNFINISHED),
                (lib.GHOSTTY_SNAPSHOT_DECODER_OPT_RETAIN_CONTINUATION, "bool*", True),
            ):
                _check(lib.ghostty_snapshot_decoder_set(decoder[0], option, ffi.new(kind, value)))
            _check(lib.ghostty_snapshot_decoder_decode(decoder[0], made))
        finally:
            lib.ghostty_snapshot_decoder_free(decoder[0])
        terminal = cls.__new__(cls)
        terminal._begin(made[0])
        return terminal

    def snapshot(self) -> bytes | None:
        """All of its state; None in the middle of a sequence that is too long to be kept."""
        ffi, lib = library()
        size = ffi.new("size_t*")
        if lib.ghostty_snapshot_encode_buf(self._terminal, ffi.NULL, 0, size) == lib.GHOSTTY_INVALID_VALUE:
            return None
        buffer = ffi.new("uint8_t[]", size[0])
        _check(lib.ghostty_snapshot_encode_buf(self._terminal, buffer, size[0], size))
        return bytes(ffi.buffer(buffer, size[0]))

    def feed(self, output: bytes) -> None:
        """What a program wrote, which may begin and end anywhere, in sequences and characters too."""
        ffi, lib = library()
        lib.ghostty_terminal_vt_write(self._terminal, output, len(output))
        if may_join(output):  # all rows count as written to when the colour of text is set, to none, as it was
            _check(lib.ghostty_terminal_set(self._terminal, lib.GHOSTTY_TERMINAL_OPT_COLOR_FOREGROUND, ffi.NULL))

    def resize(self, size: Size) -> None:
        """Give it another size, clamped to what it can have; the lines of the main screen are wrapped anew."""
        _, lib = library()
        _check(lib.ghostty_terminal_resize(self._terminal, *size.clamped(), *_CELL))

    @property
    def size(self) -> Size:
        """Its size, which programs may change, too."""
        return Size(int(self._get("COLS", "uint16_t")), int(self._get("ROWS", "uint16_t")))

    def grid(self) -> Grid:
        """What it shows now."""
        ffi, _ = library()
        title = self._get("TITLE", "GhosttyString")
        return Grid(
            columns=self.size.columns,
            rows=self._reader.read(),
            cursor=(int(self._get("CURSOR_X", "uint16_t")), int(self._get("CURSOR_Y", "uint16_t"))),
            cursor_visible=bool(self._get("CURSOR_VISIBLE", "bool")),
            title=bytes(ffi.buffer(title.ptr, title.len)).decode(errors="replace") if title.len else "",
        )

    @property
    def texts(self) -> list[str]:
        """The rows as text without trailing spaces, as they were when `changed_texts` was asked."""
        return self._reader.texts

    def changed_texts(self, worth: Worth | None = None) -> list[int]:
        """Read what the rows say now, and return the numbers of those that say something else than the last time.

        Rows that are not `worth` it are taken to be empty; it is to be the same each time.
        """
        return self._reader.read_texts(worth)

    @property
    def prints_in_order(self) -> bool:
        """Whether what is printed stands in a row as it came: it goes on in the next one, and nothing is set apart."""
        return self._mode(_WRAPS) and not self._mode(_HAS_SIDES)

    def _mode(self, number: int) -> bool:
        ffi, lib = library()
        found = ffi.new("GhosttyTerminalModeConfig*")
        found.mode = number
        _check(lib.ghostty_terminal_get(self._terminal, lib.GHOSTTY_TERMINAL_DATA_MODE, found))
        return bool(found.value)

    @property
    def unfinished(self) -> bytes:
        """What was fed of a sequence or a character that has not ended."""
        ffi, lib = library()
        size = ffi.new("size_t*")
        lib.ghostty_terminal_continuation_buf(self._terminal, ffi.NULL, 0, size)
        buffer = ffi.new("uint8_t[]", size[0] or 1)
        _check(lib.ghostty_terminal_continuation_buf(self._terminal, buffer, size[0], size))
        return bytes(ffi.buffer(buffer, size[0]))

    def formatted(self, options: Any) -> bytes:
        """What it shows in another form; `options` is a ``GhosttyFormatterTerminalOptions*``."""
        ffi, lib = library()
        made, size = ffi.new("GhosttyFormatter*"), ffi.new("size_t*")
        _check(lib.ghostty_formatter_terminal_new(ffi.NULL, made, self._terminal, options[0]))
        try:
            lib.ghostty_formatter_format_buf(made[0], ffi.NULL, 0, size)
            buffer = ffi.new("uint8_t[]", size[0] or 1)
            _check(lib.ghostty_formatter_format_buf(made[0], buffer, size[0], size))
            return bytes(ffi.buffer(buffer, size[0]))
        finally:
            lib.ghostty_formatter_free(made[0])

    def _get(self, what: str, kind: str) -> Any:
        """A value, whose kind has to be the right one: the library writes as much as it likes."""
        ffi, lib = library()
        found = ffi.new(f"{kind}*")
        _check(lib.ghostty_terminal_get(self._terminal, getattr(lib, f"GHOSTTY_TERMINAL_DATA_{what}"), found))
        return found[0]

    def close(self) -> None:
        """Free it; may be called again."""
        self._free()


def _check(result: int) -> None:
    if result:
        raise NhlogError(f"the terminal emulator failed: {result}")
