"""What runs in the process that draws games as they are now, one after the other, for the first page.

It keeps the latest of them open: to open a long recording takes much longer than to read what is new.
"""

from contextlib import suppress
from socket import socket
from typing import Final

import msgspec

from nhlog.decoding import json_decoder
from nhlog.errors import NhlogError
from terminal.replay.controls import Controls
from terminal.replay.drawing.frame import draw_view
from terminal.replay.player import Player
from terminal.views import view_of
from terminal.web.processes.pictures import Pictures
from terminal.web.processes.viewer import Order, opened
from terminal.web.processes.wire import ALL, RECEIVED, SIZES, Inbox, Kind, packed

__all__ = ["MOST", "Glance", "glancing"]

MOST: Final = 12
"""Games that have a picture: those played last."""


class Glance(msgspec.Struct, frozen=True):
    """A game of which a picture is wanted: the recording's ID and its file."""

    id: str
    file: str


def glancing(channel: socket, opening: dict[str, str]) -> None:
    """Draw what the server at the other end asks for, until it is gone; an empty picture is of what cannot be drawn."""
    channel.setblocking(True)
    players: dict[str, Player] = {}  # by their files, the latest at the end
    inbox = Inbox()
    while data := channel.recv(RECEIVED):
        for _, _, parts in inbox.feed(data):
            glance = json_decoder(Glance).decode(parts[0])
            picture = b""
            with suppress(NhlogError, OSError):
                picture = _drawn(players, Order(glance.file, opening))
            channel.sendall(packed(Kind.PICTURE, ALL, glance.id.encode(), picture))


def _drawn(players: dict[str, Player], order: Order) -> bytes:
    player = players.pop(order.file, None)
    try:
        if player is not None:
            player.refresh()
        if player is None or player.replaced:
            if player is not None:
                player.close()
            player = opened(order)
        controls = Controls(player, view_of(player.info.id), lambda table: table)
        controls.size = SIZES[0]
        pictures = Pictures()
        pictures.next(draw_view(controls, *SIZES[0]))
    except BaseException:
        if player is not None:
            player.close()
        raise
    players[order.file] = player
    while len(players) > MOST:
        players.pop(next(iter(players))).close()
    return pictures.whole()
