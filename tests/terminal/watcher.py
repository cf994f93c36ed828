"""A player of live streams in ALiS, for tests."""

from collections.abc import Iterable

from nhlog.formats.asciicast.wire.alis import Begin, Event, decode_message
from nhlog.vt import Grid, Terminal

__all__ = ["Watcher"]


class Watcher:
    """One terminal, which is fed what each message says; `time` is that of the last one."""

    def __init__(self, *messages: bytes) -> None:
        self.time = self.begun = 0
        self.events: list[Event] = []
        self.take(messages)

    def take(self, messages: Iterable[bytes]) -> None:
        for message in messages:
            value = decode_message(message)
            if isinstance(value, Begin):
                self.begun += 1
                self.time, self.terminal = value.time, Terminal(value.size)
                self.terminal.feed(value.screen.decode().encode())
            elif value:
                self.time += value.elapsed
                self.events.append(value)
                if value.code == "o":
                    self.terminal.feed(value.data.decode().encode())

    @property
    def grid(self) -> Grid:
        return self.terminal.grid()
