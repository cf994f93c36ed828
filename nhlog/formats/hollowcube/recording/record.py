"""Recording from lines of JSON: into a folder, or the last minutes in memory."""

import os
from itertools import chain, count
from typing import Final

from nhlog.errors import NhlogError
from nhlog.formats.hollowcube.recording.feed import Feed
from nhlog.formats.hollowcube.recording.recorder import Recorder, Triggers
from nhlog.formats.hollowcube.recording.ring import Ring
from nhlog.formats.hollowcube.wire.header import TICKS_PER_SECOND
from nhlog.formats.hollowcube.writing.facts import Facts
from nhlog.operations import Record, Tell

__all__ = ["FolderRecording", "RingRecording"]

_SECOND: Final = 1_000_000  # µs


class FolderRecording:
    """Records into a folder: begins a recording, or continues one that is not finished."""

    def __init__(self, path: str, facts: Facts, triggers: Triggers, *, unfinished: bool) -> None:
        self._path, self._triggers, self._unfinished = path, triggers, unfinished
        self._recorder: Recorder | None = None
        self._feed = Feed(self._begin, facts)

    def _begin(self, facts: Facts) -> Recorder:
        self._recorder = Recorder(self._path, facts, self._triggers)
        return self._recorder

    @property
    def duration(self) -> int:
        """The time recorded so far, in µs."""
        return _duration(self._recorder)

    @property
    def size(self) -> int:
        """The bytes recorded so far."""
        return self._recorder.size if self._recorder else 0

    def line(self, text: bytes) -> None:
        """Record the ticks of a line, or flush where the line asks for that."""
        if self._feed.line(text) is not None:
            self.save()

    def poll(self) -> None:
        """End the segment if it is time."""
        if self._recorder is not None:
            self._recorder.poll()

    def save(self) -> None:
        """Flush what was recorded so far to disk."""
        if self._recorder is not None:
            self._recorder.flush()

    def end(self) -> list[Record]:
        """Finish the recording, or leave it to be continued."""
        self._feed.end()
        assert self._recorder is not None, "a feed begins what it ends"
        if self._unfinished:
            self._recorder.flush()
        else:
            self._recorder.finish()
        told = {"file": self._path, "ticks": self._recorder.ticks, "duration": self.duration, "size": self.size}
        return [{**told, "finished": not self._unfinished}]

    def leave(self) -> None:
        """Keep what was recorded, however the input ended."""
        if self._recorder is not None:
            self._recorder.leave()


class RingRecording:
    """Records the last `seconds` in memory, and saves them when asked: to `path`, with a number if that exists."""

    def __init__(self, path: str, tell: Tell, facts: Facts, triggers: Triggers, seconds: int, *, force: bool) -> None:
        self._path, self._tell, self._force = path, tell, force
        self._triggers, self._span = triggers, seconds * TICKS_PER_SECOND
        self._ring: Ring | None = None
        self._saved: list[Record] = []
        self._feed = Feed(self._begin, facts)

    def _begin(self, facts: Facts) -> Ring:
        self._ring = Ring(self._span, facts, self._triggers)
        return self._ring

    @property
    def duration(self) -> int:
        """The time recorded so far, in µs."""
        return _duration(self._ring)

    @property
    def size(self) -> int:
        """The bytes kept."""
        return self._ring.size if self._ring else 0

    def line(self, text: bytes) -> None:
        """Record the ticks of a line, or save to the file that the line names."""
        wanted = self._feed.line(text)
        if wanted is not None:
            self._try_to_save(wanted)

    def poll(self) -> None:
        """Drop what is too old."""
        if self._ring is not None:
            self._ring.poll()

    def save(self) -> None:
        """Save what is kept; an error is told, and does not end the recording."""
        self._try_to_save("")

    def _try_to_save(self, name: str) -> None:
        try:
            self._save(name)
        except (NhlogError, OSError) as error:
            self._tell(str(error))

    def _save(self, name: str) -> None:
        if self._ring is not None:
            self._saved.append(self._ring.save(name or self._place(), force=self._force))

    def _place(self) -> str:
        root, ending = os.path.splitext(self._path)
        numbered = (f"{root}-{number}{ending}" for number in count(2))
        names = [self._path] if self._force else chain([self._path], numbered)
        return next(name for name in names if self._force or not os.path.exists(name))

    def end(self) -> list[Record]:
        """Save what is left."""
        self._feed.end()
        assert self._ring is not None, "a feed begins what it ends"
        self._save("")
        return [{"file": self._path, "ticks": self._ring.ticks, "duration": self.duration, "saved": self._saved}]

    def leave(self) -> None:
        """Do nothing: what was not saved is gone."""


def _duration(sink: Recorder | Ring | None) -> int:
    return sink.ticks * _SECOND // TICKS_PER_SECOND if sink else 0
