"""Recording from lines of text: what the game's interface says, as it comes.

A line is one of these; what the interface says while there is no session, and other records, are passed over:

- ``{"t": ms, "frame": {...}, "bones": {...}}``, as `nhlog dump --json` prints frames;
- a session as the game's HTTP API gives it: it is now;
- a line of an .echoreplay file.

A file has one session.  When another one begins, the file is finished, and the next has a number in its name.  The
first file is there before its first frame, so that others can watch it; if none comes, it goes.
"""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import count
from typing import Final

import msgspec

from nhlog.decoding import json_decoder
from nhlog.errors import Damaged, NhlogError, Unsupported, Usage
from nhlog.files import create_file, refusals, stamp_of
from nhlog.formats.butter.wire.echoreplay.lines import LEAST_SESSION, Line, Moment, split_line
from nhlog.formats.butter.wire.echoreplay.parse import Parser
from nhlog.formats.butter.wire.packing import DEFAULT_COMPRESSION
from nhlog.formats.butter.writing.file import INTERVAL, check_form
from nhlog.formats.butter.writing.recorder import Recorder
from nhlog.operations import Record, Tell

__all__ = ["EchoRecording"]

_ENDING: Final = ".butter"
_MS: Final = 1_000_000  # ns
_NOTHING: Final = msgspec.Raw(b"")


class _Record(msgspec.Struct, frozen=True, gc=False):
    """A line of JSON: a record of `dump`, or a session."""

    t: int | None = None
    frame: msgspec.Raw = _NOTHING
    bones: msgspec.Raw = _NOTHING
    teams: msgspec.Raw = _NOTHING


class _Session(msgspec.Struct, frozen=True, gc=False):
    """What tells one session from another."""

    sessionid: str = ""
    map_name: str = ""
    private_match: bool | float = False


class EchoRecording:
    """Records lines into the file `path` (see :class:`nhlog.operations.Recording`).

    `interval` and `compression` are those of the finished file, `unfinished` is whether it can be continued after the
    end, `force` replaces a recording that is finished.  `clock` gives the time in ns since 1970.
    """

    def __init__(
        self,
        path: str,
        tell: Tell,
        *,
        interval: int | None = None,
        compression: str | None = None,
        unfinished: bool = False,
        force: bool = False,
        clock: Callable[[], int] = time.time_ns,
    ) -> None:
        check_form(interval, compression)
        if not path.endswith(_ENDING):
            raise Unsupported("only .butter files can be recorded", file=path)
        self._path, self._tell, self._clock = path, tell, clock
        self._form = {"interval": interval or INTERVAL, "compression": compression or DEFAULT_COMPRESSION}
        self._unfinished, self._force = unfinished, force
        self._lines = json_decoder(_Record)
        self._sessions = json_decoder(_Session, strict=False)
        self._session: _Session | None = None
        self._recorder: Recorder | None = None
        self._parser = Parser()
        self._number = 0  # of the line
        self._ended: list[Record] = []
        self._made = _made(path)

    @property
    def duration(self) -> int:
        """The time recorded so far in the current file, in µs."""
        return self._recorder.duration if self._recorder else 0

    @property
    def size(self) -> int:
        """The size of the current file in bytes."""
        return self._recorder.size if self._recorder else 0

    def line(self, text: bytes) -> None:
        """Record a line; raises :class:`Usage` for one that is none, and what :class:`Recorder` raises."""
        self._number += 1
        try:
            moment = self._moment(text)
            if moment is not None:
                self._add(moment)
        except Damaged as fault:
            if fault.file is not None:
                raise
            what = fault.what.removeprefix(f"line {self._number}: ")
            raise Usage(f"line {self._number}: {what}", expected=fault.expected, found=fault.found) from None

    def poll(self) -> None:
        """Do nothing: what came is in the file already."""

    def save(self) -> None:
        """Do nothing, likewise."""

    def end(self) -> list[Record]:
        """Finish the file, or leave it unfinished; a record for each file that was made.

        Raises :class:`~nhlog.errors.NhlogError` if there is none, as no frame came.
        """
        self._finish(unfinished=self._unfinished)
        self._clear()
        if not self._ended:
            raise NhlogError("not written: there was no frame", file=self._path)
        return self._ended

    def leave(self) -> None:
        """Keep what was recorded, however it ended: it can be continued."""
        if self._recorder is not None:
            self._recorder.leave()
        self._clear()

    def _clear(self) -> None:
        """Remove the file that was made for a frame that did not come."""
        stamp = stamp_of(self._path) if self._made else None
        if stamp is not None and not stamp.size:
            with suppress(FileNotFoundError), refusals(self._path):
                os.unlink(self._path)

    def _moment(self, text: bytes) -> Moment | None:
        if not text.lstrip().startswith(b"{"):
            return split_line(Line(self._number, 0, text.rstrip(b"\r")))
        try:
            record = self._lines.decode(text)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise Damaged(f"not a frame: {error}", found=repr(text[:60])) from None
        if record.frame:
            bones = bytes(record.bones)
            return Moment(self._now() if record.t is None else record.t, bytes(record.frame), _given(bones))
        if record.teams and len(text) > LEAST_SESSION:
            return Moment(self._now(), text, None)
        return None

    def _now(self) -> int:
        return self._clock() // _MS

    def _add(self, moment: Moment) -> None:
        try:
            session = self._sessions.decode(moment.session)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise Damaged(f"not a session: {error}") from None
        if self._recorder is None or session != self._session:
            self._begin(moment)
            self._session = session
        assert self._recorder is not None
        self._recorder.add(self._parser.frame(*moment))

    def _begin(self, moment: Moment) -> None:
        """Begin a file, or continue one."""
        parser = Parser()
        header = replace(parser.header(moment.session), **self._form)  # type: ignore[arg-type]
        parser.frame(*moment)
        path = self._path
        if self._recorder is not None:
            self._finish(unfinished=False)
            path = _free(self._path)
            self._tell(f"{path}: another session begins: {header.sessionid}")
        self._recorder = Recorder(path, header, force=self._force)
        self._parser = Parser(self._recorder.roster)

    def _finish(self, *, unfinished: bool) -> None:
        recorder = self._recorder
        if recorder is None:
            return
        if unfinished:
            recorder.leave()
        else:
            recorder.finish()
        self._recorder = None
        self._ended.append(
            {
                "file": recorder.path,
                "frames": recorder.frames,
                "duration": recorder.duration,
                "size": recorder.size,
                "finished": not unfinished,
            }
        )


def _given(bones: bytes) -> bytes | None:
    return None if bones in (b"", b"null") else bones


def _made(path: str) -> bool:
    """Whether an empty file was made, as there was none."""
    with refusals(path):
        try:
            os.close(create_file(path))
        except FileExistsError:
            return False
    return True


def _free(path: str) -> str:
    """The path with the next number in its name that is free."""
    root, ending = os.path.splitext(path)
    names = (f"{root}-{number}{ending}" for number in count(2))
    return next(name for name in names if not os.path.lexists(name))
