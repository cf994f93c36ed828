"""Viewers of a recording's page; each shares a process with the others, until they look back."""

import time
from collections.abc import Callable
from typing import Final, Protocol

import msgspec

from nhlog.decoding import json_decoder
from terminal.web.audience import Audience
from terminal.web.connection import Connection, framed
from terminal.web.processes.viewer import Order, view
from terminal.web.processes.wire import size_class

__all__ = ["BROKEN", "GONE", "Viewer"]

GONE: Final = 4404  # the code of a close with which a page is told that there is nothing to come again for
BROKEN: Final = 1011  # and that it may


class ForServer(msgspec.Struct, frozen=True):
    """The part of a page's message that is for the server itself."""

    size: str = ""


class Crowds(Protocol):
    """Where a viewer joins the others, or gets a separate process; `opening` are the options that open recordings."""

    opening: dict[str, str]

    def join(self, viewer: "Viewer") -> None:
        """Add a viewer to the shared process."""

    def join_own(self, viewer: "Viewer", at: str = "") -> bool:
        """Give a viewer a separate process to look back; returns whether one is free."""
        ...

    def is_own(self, viewer: "Viewer") -> bool:
        """Whether the viewer has a separate process."""
        ...

    def leave(self, viewer: "Viewer") -> None:
        """Remove a viewer."""


class Viewer:
    """Somebody at the page of a recording; `pressed` is when they last pressed a key."""

    audience: Audience | None = None

    def __init__(self, site: Crowds, connection: Connection, identity: str, size: int, at: str) -> None:
        self.connection = connection
        self.identity = identity
        self.size = size
        self.crowd = identity
        self.pressed = time.monotonic()
        self._site = site
        self._at = at

    def begin(self) -> None:
        """Let them look."""
        if not (self._at and self._site.join_own(self, self._at)):
            self._site.join(self)

    def shared(self, file: str, ended: Callable[[Audience, bytes], None]) -> Audience:
        """A group for viewers of the same recording; this one is its first."""
        return Audience(view, Order(file, self._site.opening), ended)

    def take(self, text: bytes) -> None:
        """Do what the page asks for; anything but a change of size needs the viewer's own process."""
        try:
            asked = json_decoder(ForServer).decode(text)
        except (ValueError, RecursionError):
            return
        self.pressed = time.monotonic()
        if asked.size:
            self.size = size_class(asked.size)
            if self.audience is not None:
                self.audience.join(self)
        elif self._site.is_own(self) or self._site.join_own(self):
            assert self.audience is not None
            self.audience.send(text)
        else:
            self.tell("busy", "too many look back just now: try again in a while")

    def drained(self) -> None:
        """They take pictures again."""
        if self.audience is not None:
            self.audience.catch_up(self)

    def gone(self) -> None:
        """They are gone."""
        self._site.leave(self)

    def tell(self, kind: str, text: str) -> None:
        """Tell them something."""
        self.connection.write(framed(msgspec.json.encode({"t": kind, "text": text})))

    def begin_with(self, frames: bytes) -> None:
        """Show them a whole picture."""
        self.connection.write(frames)

    def ended(self, said: bytes) -> None:
        """There is nothing more to see; `said` is the reason, empty if it is unknown."""
        if said:
            self.connection.write(said)
            self.connection.close(GONE)
        else:
            self.refuse("error", "its reader broke down", BROKEN)

    def refuse(self, kind: str, text: str, code: int) -> None:
        """Tell them why there is nothing to see."""
        self.tell(kind, text)
        self.connection.close(code)
