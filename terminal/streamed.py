"""A recording of any kind for asciinema's player: as it grows, in ALiS, the same for all who watch; or all, as a cast.

Of a recorded terminal it is what the program wrote, with its own times; of others the client's screens as they change.
What was typed is left out, and what a header says of the machine: strangers watch.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Final

from nhlog.errors import NhlogError
from nhlog.files import is_being_written
from nhlog.formats.asciicast.wire.alis import AlisEncoder
from nhlog.formats.asciicast.wire.encode import AsciicastEncoder
from nhlog.formats.recast import timed_events
from nhlog.replay import Replay, Status
from nhlog.screencast import INPUT, OUTPUT, RESIZE, Events, Header, TimedEvent
from nhlog.screencast.replay import Screencast
from nhlog.timeline import MICROSECONDS
from nhlog.vt import Size
from terminal.rendered import PAINTER, keyless, rendered
from terminal.replay.drawing.frame import draw_frame
from terminal.replay.open import fitting, open_viewed, viewing
from terminal.replay.player import Player

__all__ = ["LiveStream", "cast_of", "open_stream"]

_MOST_BEHIND: Final = 1 << 18  # bytes; whoever has more of them to catch up with gets the screen instead


class LiveStream(ABC):
    """The newest of a recording as messages; `ended` is whether there is nothing to wait for."""

    def __init__(self, replay: Replay[Any], path: str) -> None:
        self._replay, self._path = replay, path
        self._begin = b""

    def _start(self, last: int, time: int, theme: Mapping[str, str]) -> None:
        """Begin anew, behind so many events, at that time."""
        size, screen = self._screen()
        self._encoder = AlisEncoder(last, time, screen, theme)
        self._begin = self._encoder.begin(size, screen)

    @abstractmethod
    def _screen(self) -> tuple[Size, bytes]:
        """The size, and what a new terminal is fed to show what there is."""

    @abstractmethod
    def _events(self, now: float) -> Iterable[TimedEvent] | None:
        """What came since the last time; None if it began anew."""

    def begin(self) -> bytes:
        """The message for whoever comes now: what follows are those of the next `look`."""
        self._begin = self._begin or self._encoder.begin(*self._screen())
        return self._begin

    def look(self, now: float) -> list[bytes]:
        """The messages of what came since the last look; `now` is in seconds of a clock that never goes back."""
        messages: list[bytes] = []
        with suppress(NhlogError):  # being written anew just now, or kept from us: what is known stays
            events = self._events(now)
            if events is None:
                return [self.begin()]
            messages += [message for event in events if (message := self._encoder.event(event))]
        self._begin = b"" if messages else self._begin
        return messages

    @property
    def ended(self) -> bool:
        """Whether it is finished; one that is damaged may be written all the same."""
        status = self._replay.info.status
        if status is Status.DAMAGED:
            with suppress(NhlogError):
                return not is_being_written(self._path)
        return status in (Status.FINISHED, Status.DAMAGED)

    def close(self) -> None:
        """Close the recording."""
        self._replay.close()


class _TerminalStream(LiveStream):
    """A recorded terminal's own output."""

    _replay: Screencast

    def __init__(self, replay: Screencast, path: str) -> None:
        super().__init__(replay, path)
        self._skip()

    def _skip(self) -> None:
        """Go on behind all there is."""
        events = self._replay.recorded
        self._sent = len(events)
        self._start(self._sent, events.times[-1], events.header.theme)

    def _screen(self) -> tuple[Size, bytes]:
        grid = self._replay.tape.grid(self._sent)
        return Size(grid.columns, len(grid.rows)), self._replay.tape.redraw(self._sent)

    def _events(self, now: float) -> list[TimedEvent] | None:
        tape = self._replay.tape
        self._replay.refresh()
        events = self._replay.recorded
        if self._replay.tape is not tape or self._is_better_drawn(events):
            self._skip()
            return None
        first, self._sent = self._sent, len(events)
        return [*_public(timed_events(events, first, self._sent))]

    def _is_better_drawn(self, events: Events) -> bool:
        """Whether what came is much, or has another size: each emulator has its own way to wrap lines anew."""
        if self._sent == len(events):
            return False
        resized = events.latest(RESIZE, len(events) - 1)
        behind = events.end - events.offset(self._sent)
        return behind > _MOST_BEHIND or (resized is not None and resized >= self._sent)


class _PictureStream(LiveStream):
    """The client's screens of any other recording, on a terminal of that size."""

    def __init__(self, player: Player, path: str, size: Size) -> None:
        super().__init__(player.replay, path)
        self._player, self._size = player, size
        self._controls = keyless(player)
        player.seek(player.timeline.last)
        if not self.ended:
            player.follow()
        player.message = ""
        self._shown = draw_frame(self._controls, *size)
        self._time = player.time
        self._now: float | None = None
        self._start(0, self._time, {})

    def _screen(self) -> tuple[Size, bytes]:
        return self._size, PAINTER.enter + PAINTER.paint(self._shown, None)

    def _events(self, now: float) -> Iterator[TimedEvent]:
        self._time += int((now - (self._now or now)) * MICROSECONDS)
        self._now = now
        self._player.refresh()
        self._player.advance(now)
        drawn = draw_frame(self._controls, *self._size)
        if output := PAINTER.paint(drawn, self._shown):
            self._shown = drawn
            yield TimedEvent(self._time, OUTPUT, output)


def open_stream(path: str, size: Size, opening: Mapping[str, str] = MappingProxyType({})) -> LiveStream:
    """The live stream of a recording; of those that are no terminal's it is as large as `size`.

    `opening` are options that open it, where they fit.

    Raises :class:`NhlogError` if it cannot be opened.
    """
    replay = open_viewed(path, **fitting(path, opening))
    try:
        return (
            _TerminalStream(replay, path)
            if isinstance(replay, Screencast)
            else _PictureStream(Player(replay), path, size)
        )
    except BaseException:
        replay.close()
        raise


def cast_of(path: str, size: Size, opening: Mapping[str, str] = MappingProxyType({})) -> Iterator[bytes]:
    """All of a recording as it is now, as an asciicast: the header, and a piece for each event.

    Raises :class:`NhlogError` if it cannot be opened.
    """
    with viewing(path, **fitting(path, opening)) as replay:
        if isinstance(replay, Screencast):
            events = replay.recorded
            header, timed = _public_header(events.header), timed_events(events, 0, len(events))
        else:
            header, timed = rendered(Player(replay), size)
        encoder = AsciicastEncoder(header)
        yield encoder.begin()
        yield from map(encoder.event, _public(timed))
        yield encoder.end()


def _public(events: Iterable[TimedEvent]) -> Iterator[TimedEvent]:
    return (event for event in events if event.code != INPUT)


def _public_header(header: Header) -> Header:
    return Header(
        size=header.size, start=header.start, title=header.title, idle_limit=header.idle_limit, theme=header.theme
    )
