"""One terminal: bytes in, cells out, and a snapshot of all its state from which another one goes on alike.

It answers nothing and knows nothing outside itself: what programs ask of a terminal, the clipboard, images and
notifications are off.
"""

import weakref
from typing import Any, Final, Self

from nhlog.emulator.cells import CellReader, with_word
from nhlog.emulator.joining import may_join
from nhlog.emulator.library import library
from nhlog.emulator.wire import LOOK, ROW, TEXTS

__all__ = ["Emulated", "EmulatorFault"]

_MOST_UNFINISHED: Final = 1 << 20  # bytes of an unfinished sequence that a snapshot keeps
_WRAPS, _HAS_SIDES = 7, 69  # private modes
_CELL: Final = (8, 16)  # pixels; nobody is told
_MOST_TITLE: Final = 1 << 14  # bytes
_CODES: Final = {-1: "out of memory"}  # those of the library's failures that have a name


class EmulatorFault(Exception):
    """The emulator did not do what it was asked to."""


class Emulated:
    """A terminal of so many columns and rows; raises :class:`Unsupported` without an emulator."""

    def __init__(self, columns: int, rows: int) -> None:
        ffi, lib = library()
        made = ffi.new("GhosttyTerminal*")
        _check(lib.ghostty_terminal_new(ffi.NULL, made, columns, rows))
        self._begin(made[0])

    def _begin(self, terminal: Any) -> None:
        ffi, lib = library()
        self._terminal = terminal
        self._free = weakref.finalize(self, lib.ghostty_terminal_free, terminal)
        self._reader = CellReader(library(), terminal)
        self._looked = False  # whether somebody looked, since the rows all count as written to
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
        if self._looked and may_join(output):
            # all rows count as written to when the colour of text is set, to none, as it was
            _check(lib.ghostty_terminal_set(self._terminal, lib.GHOSTTY_TERMINAL_OPT_COLOR_FOREGROUND, ffi.NULL))
            self._looked = False

    def resize(self, columns: int, rows: int) -> None:
        """Give it another size; the lines of the main screen are wrapped anew."""
        _, lib = library()
        _check(lib.ghostty_terminal_resize(self._terminal, columns, rows, *_CELL))

    @property
    def size(self) -> tuple[int, int]:
        """Its columns and rows, which programs may change, too."""
        return int(self._get("COLS", "uint16_t")), int(self._get("ROWS", "uint16_t"))

    def look(self) -> bytes:
        """What it shows now, but for rows that did not change since the last look (`wire.LOOK`)."""
        ffi, _ = library()
        title = self._get("TITLE", "GhosttyString")
        told = bytes(ffi.buffer(title.ptr, title.len))[:_MOST_TITLE] if title.len else b""
        rows, self._looked = self._reader.read(), True
        place = (int(self._get("CURSOR_X", "uint16_t")), int(self._get("CURSOR_Y", "uint16_t")))
        head = LOOK.pack(*self.size, *place, bool(self._get("CURSOR_VISIBLE", "bool")), len(told), len(rows))
        return b"".join((head, told, *(ROW.pack(y, len(row)) + row for y, row in rows)))

    def texts(self, word: str, *, afresh: bool) -> bytes:
        """The rows whose text is another than the last time, or all, if one looks `afresh` (`wire.TEXTS`).

        Without the `word`, if there is one, a row is taken to be empty; it is to be the same until one looks afresh.
        """
        if afresh:
            self._reader.forget_texts()
        changed, self._looked = self._reader.read_texts(with_word(word) if word else None), True
        texts = self._reader.texts
        head = TEXTS.pack(self.prints_in_order, self._is_unfinished(), len(texts), len(changed))
        told = ((y, texts[y].encode(errors="replace")) for y in changed)
        return head + b"".join(ROW.pack(y, len(text)) + text for y, text in told)

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

    def _is_unfinished(self) -> bool:
        ffi, lib = library()
        size = ffi.new("size_t*")
        lib.ghostty_terminal_continuation_buf(self._terminal, ffi.NULL, 0, size)
        return bool(size[0])

    @property
    def unfinished(self) -> bytes:
        """What was fed of a sequence or a character that has not ended."""
        ffi, lib = library()
        size = ffi.new("size_t*")
        lib.ghostty_terminal_continuation_buf(self._terminal, ffi.NULL, 0, size)
        buffer = ffi.new("uint8_t[]", size[0] or 1)
        _check(lib.ghostty_terminal_continuation_buf(self._terminal, buffer, size[0], size))
        return bytes(ffi.buffer(buffer, size[0]))

    def state(self) -> bytes:
        """The sequences that make a terminal such a one, with what is on its screen and without titles."""
        ffi, lib = library()
        options = ffi.new("GhosttyFormatterTerminalOptions*")
        options.size = ffi.sizeof(options[0])
        options.emit = lib.GHOSTTY_FORMATTER_FORMAT_VT
        everything = options.extra
        everything.size = ffi.sizeof("GhosttyFormatterTerminalExtra")
        everything.modes = everything.scrolling_region = everything.tabstops = True
        everything.screen.size = ffi.sizeof("GhosttyFormatterScreenExtra")
        everything.screen.cursor = everything.screen.style = everything.screen.charsets = True
        everything.screen.hyperlink = True
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
        raise EmulatorFault(_CODES.get(result, f"code {result}"))
