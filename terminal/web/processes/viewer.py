"""What runs in a view process: one recording in one player, drawn for all its viewers.

It writes nothing, and nothing that it does keeps the server from the others: a recording that takes long, or breaks it,
is its own affair.
"""

import os
import select
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from socket import socket
from typing import Any, Final

import msgspec

from nhlog.beside.talk import Said
from nhlog.decoding import json_decoder
from nhlog.errors import Damaged, LockNotObtained, LogRecovered, NhlogError
from nhlog.files import as_ours
from nhlog.formats import reading
from nhlog.replay import Remarked, Status
from nhlog.screen import Screen
from nhlog.screencast.state import TerminalState
from terminal.replay.controls import Controls
from terminal.replay.drawing.bar import told_markers
from terminal.replay.drawing.frame import draw_view, message_of, note_of
from terminal.replay.live import following
from terminal.replay.loop import FRAME, REFRESH, work_on
from terminal.replay.motion import Motion
from terminal.replay.open import fitting, open_viewed
from terminal.replay.player import Player
from terminal.screen.keys import key_label
from terminal.views import Viewpoint, view_of
from terminal.web.processes.keys import LOOKING_KEYS, fitting_keys, told_keys
from terminal.web.processes.pictures import Pictures
from terminal.web.processes.wire import ALL, RECEIVED, SIZES, Inbox, Kind, packed, size_name

__all__ = ["Order", "opened", "view"]

_MARKERS: Final = 400  # that a page is told of: the newest
_LINES: Final = 100  # of talk, likewise
_TOLD_ABOVE: Final = ("NetHack", "NetHack 4", "Angband")  # games whose first row is the message line
_TOGETHER: Final = 0.006  # seconds in which all is written that one key does


class Order(msgspec.Struct, frozen=True):
    """What a view process has to show, and the options that open it.

    With `own` it is for one viewer alone, who begins at the position `at`.
    """

    file: str
    opening: dict[str, str] = {}
    own: bool = False
    at: str = ""


class Input(msgspec.Struct, frozen=True):
    """What a page sends; anything else in it is ignored."""

    key: str = ""
    seek: str = ""
    step: int | None = None
    click: tuple[int, int] | None = None
    search: str | None = None
    back: bool = False


def view(channel: socket, order: Order) -> None:
    """Show the recording to the server at the other end, as long as it has viewers."""
    showing = _Showing(channel, own=order.own)
    try:
        while not showing.left:  # where another file got the name, that is it
            with reading(order.file), closing(opened(order)) as player:
                showing.show(player)
    except (NhlogError, OSError) as error:
        told = as_ours(error).what
        kind = "error" if os.path.lexists(order.file) else "gone"
        channel.setblocking(True)
        channel.sendall(packed(Kind.ENDED, ALL, msgspec.json.encode({"t": kind, "text": told})))


class _Left(Exception):
    """Nobody looks any more."""


def opened(order: Order) -> Player:
    """The player, where it stands by itself, or at a position."""
    replay = open_viewed(order.file, **fitting(order.file, order.opening))
    try:
        player = following(replay, order.file)
    except BaseException:
        replay.close()
        raise
    if order.at:
        player.seeker.go(order.at)  # which tells what is wrong with it
    elif player.info.status is not Status.FINISHED:
        player.follow()
    return player


class _Showing:
    """The player, and what the server has been sent of it; `left` is whether all viewers have left."""

    _player: Player
    _controls: Controls

    def __init__(self, channel: socket, *, own: bool) -> None:
        self.left = False
        self._channel = channel
        self._own = own
        self._inbox = Inbox()
        self._pictures = {size: Pictures() for size in range(len(SIZES))}
        self._watched: list[int] = []
        self._wanted: set[int] = set()
        self._state: dict[str, Any] = {}
        self._hello = b""
        self._about: tuple[object, ...] = ()
        self._talk: tuple[Said, ...] = ()

    def show(self, player: Player) -> None:
        """Show it until all viewers have left, or another file has its name."""
        self._player = player
        self._controls = Controls(player, view_of(player.info.id), lambda table: table)
        self._controls.keys = LOOKING_KEYS
        player.beside.hidden = True  # the page has a place for it
        try:
            self._show()
        except _Left:
            self.left = True

    def _show(self) -> None:
        player, poll = self._player, select.poll()
        poll.register(self._channel, select.POLLIN)
        if player.changes:
            poll.register(player.changes.fileno(), select.POLLIN)
        due = drawn = time.monotonic()
        seen: object = None
        stirred = True
        while not player.replaced:
            now = time.monotonic()
            with self._reading():
                player.advance(now)
                if (player.changes and player.changes.take()) or now >= due:
                    player.refresh()
                    due = now + REFRESH
            worked, more = False, True
            with self._reading():
                worked, more = work_on(self._controls.work, time.monotonic)
            if worked or stirred or self._wanted or player.shown != seen:
                seen, drawn = player.shown, time.monotonic()
                self._tell()
            wait = 0.0 if more else FRAME if player.motion is Motion.PLAYING else max(due - time.monotonic(), 0.0)
            ready = dict(poll.poll(wait * 1000))
            stirred = self._channel.fileno() in ready and self._receive()
            if player.changes and player.changes.fileno() in ready:
                time.sleep(max(drawn + FRAME - time.monotonic(), _TOGETHER))  # what comes in a frame is one picture

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """A scope that reads the recording; it is left if others change the recording, or have it locked."""
        try:
            yield
        except LogRecovered:
            self._player.refresh()
        except (LockNotObtained, Damaged) as error:
            self._player.news.hinder(error)

    # what comes from the server

    def _receive(self) -> bool:
        """Do what the server sent; returns whether there may be something new to show."""
        data = self._channel.recv(RECEIVED)
        if not data:
            raise _Left
        stirred = False
        for kind, size, parts in self._inbox.feed(data):
            if kind is Kind.WATCHED:
                self._watched = [*b"".join(parts)]
                stirred = True
            elif kind is Kind.WANTED:
                self._wanted.add(size)
            elif kind is Kind.INPUT:
                self._obey(parts[0])
                stirred = True
        return stirred

    def _obey(self, body: bytes) -> None:
        try:
            asked = json_decoder(Input).decode(body)
        except (ValueError, RecursionError):
            return
        with self._reading():
            if asked.click is not None:
                self._press(self._target_at(*asked.click))
            elif asked.step is not None:
                self._press(f"go {min(max(asked.step, 0), self._player.timeline.last)}")
            elif asked.seek:
                self._player.seeker.go(asked.seek)
            elif asked.search is not None:
                self._player.seeker.search(asked.search, -1 if asked.back else 1)
            elif len(asked.key) == 1 or key_label(asked.key) != asked.key:  # clicks come from screens alone
                self._press(asked.key)

    def _press(self, key: str) -> None:
        if key:
            self._controls.press(key)
        if self._own and LOOKING_KEYS.action(key) == "follow" and self._stands_with_all():
            self._send(Kind.BACK)

    def _target_at(self, x: int, y: int) -> str:
        shown = self._pictures[self._watched[0]].shown if self._watched else None
        return shown.target_at(x, y) if shown is not None else ""

    def _stands_with_all(self) -> bool:
        """Whether this is what everybody sees at the live end."""
        controls = self._controls
        return (
            self._player.motion is Motion.FOLLOWING
            and controls.opened.top is None
            and controls.viewpoint == Viewpoint()
            and not controls.page
        )

    # what goes to it

    def _tell(self) -> None:
        """Send what is new, and everything to new viewers."""
        parts = []
        if self._is_new():
            parts.append(self._hello)
        state = self._told_state()
        changed = {name: value for name, value in state.items() if self._state.get(name) != value}
        self._state = state
        if changed:
            parts.append(msgspec.json.encode({"t": "state", **changed}))
        parts += self._new_talk()
        for size in self._watched:
            self._draw(size, parts)

    def _draw(self, size: int, parts: list[bytes]) -> None:
        """Draw it in this size, and send it behind these parts."""
        pictures = self._pictures[size]
        self._controls.size = SIZES[size]
        screen = pictures.shown or Screen(*SIZES[size])
        with self._reading():
            screen = draw_view(self._controls, *SIZES[size])
        told = pictures.next(screen)
        if told is None:
            self._send(Kind.RESET, size, *self._whole(size))
        elif told or parts:
            self._send(Kind.UPDATE, size, *parts, *([told] if told else []))
        if size in self._wanted and told is not None:
            self._send(Kind.WHOLE, size, *self._whole(size))
        self._wanted.discard(size)

    def _whole(self, size: int) -> tuple[bytes, ...]:
        state = msgspec.json.encode({"t": "state", **self._state})
        return self._hello, state, _told_talk(self._talk, more=False), self._pictures[size].whole()

    def _new_talk(self) -> list[bytes]:
        """What was said since the last call, or all of it, as far as it fits, where that is not what came behind it."""
        before, self._talk = self._talk, self._player.beside.said(self._player)
        if self._talk == before:
            return []
        more = self._talk[: len(before)] == before
        return [_told_talk(self._talk[len(before) if more else 0 :], more=more)]

    def _is_new(self) -> bool:
        """Whether the greeting is another one: what it says hardly ever changes, and it takes longer than a frame."""
        info, unit, keys = self._player.info, self._player.timeline.unit, fitting_keys(self._controls)
        fits = size_name(self._controls.view.least(self._player.replay))
        about, self._about = self._about, (info.title, info.format, info.people, unit, keys, fits)
        if self._about == about:
            return False
        told = {
            "t": "hello",
            "title": info.title,
            "format": info.format,
            "unit": unit,
            "people": info.people,
            "fits": fits,
        }
        self._hello = msgspec.json.encode(told | {"keys": told_keys(keys, self._controls)})
        return True

    def _told_state(self) -> dict[str, Any]:
        player, timeline = self._player, self._player.timeline
        controls = self._controls
        return {
            "step": player.step,
            "last": timeline.last,
            "at": timeline.named(player.step),
            "place": f"{timeline.unit} {timeline.at(timeline.unit, player.step)}",
            "times": [player.time, timeline.time(timeline.last)],
            "speed": player.tempo.speed,
            "motion": player.motion.name.lower(),
            "direction": player.tempo.direction,
            "live": player.info.status is Status.LIVE,
            "message": message_of(controls),
            "note": note_of(controls),
            "told": _told(player.replay.state),
            "typing": controls.opened.top is not None,
            "over": controls.has_open,
            "own": self._own,
            "markers": [[marker.step, marker.name] for marker in told_markers(player)[-_MARKERS:]],
        }

    def _send(self, kind: Kind, size: int = ALL, *parts: bytes) -> None:
        try:
            self._channel.sendall(packed(kind, size, *parts))
        except OSError:
            raise _Left from None


def _told_talk(said: Sequence[Said], *, more: bool) -> bytes:
    """The latest of these lines for a page, which they replace or, with `more`, come behind."""
    lines = [[line.name, line.text, line.time // 1000] for line in said[-_LINES:]]
    return msgspec.json.encode({"t": "talk", "more": more, "lines": lines})


def _told(state: object) -> str:
    """The game's messages there, for screen readers; empty if they are unknown."""
    if isinstance(state, Remarked):
        return " ".join(state.told)
    if isinstance(state, TerminalState) and state.status is not None and state.status.game in _TOLD_ABOVE:
        return state.grid.text()[0].strip()
    return ""
