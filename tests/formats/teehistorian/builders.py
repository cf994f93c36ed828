"""Recordings made by hand: a server that writes what it is told."""

import json
from typing import Any

from nhlog.formats.teehistorian.wire import extra
from nhlog.formats.teehistorian.wire.header import MAGIC
from nhlog.formats.teehistorian.wire.messages import (
    ConsoleCommand,
    Drop,
    Input,
    Join,
    NetMessage,
    PlayerChange,
    PlayerGone,
    PlayerNew,
)
from nhlog.formats.teehistorian.wire.varint import pack
from nhlog.formats.teehistorian.writing.writer import Writer

__all__ = ["HEADER", "Server", "every_kind", "header", "played", "start_info"]


def header(**values: Any) -> bytes:
    """A header as DDNet writes it, with other values."""
    known = {
        "comment": "teehistorian@ddnet.tw",
        "version": "2",
        "version_minor": "23",
        "game_uuid": "4b8566d7-5c99-4cb3-baa7-0a5c635ac499",
        "server_version": "0.6, 20.1.1",
        "start_time": "2026-11-20T15:12:43+0000",
        "server_name": "a test",
        "server_port": "8303",
        "game_type": "DDraceNetwork",
        "map_name": "coverage",
        "map_size": "2148",
        "map_sha256": "831c1a51a85a92d1" * 4,
        "map_crc": "801ce63d",
        "config": {},
        "tuning": {},
        "uuids": [],
    }
    return MAGIC + json.dumps(known | values).encode() + b"\0"


HEADER = header()


def start_info(name: bytes, clan: bytes = b"", seven: bool = False) -> bytes:
    """The packet with which a player gives his name."""
    if seven:
        return pack(27 << 1) + name + b"\0" + clan + b"\0" + pack(-1) + b"standard\0" * 6 + pack(0) * 12
    return pack(20 << 1) + name + b"\0" + clan + b"\0" + pack(-1) + b"default\0" + pack(0) * 3


class Server:
    """A recording that is being written: `data` is all of it."""

    def __init__(self, head: bytes = HEADER) -> None:
        self.data = bytearray(head)
        self.tick = 0
        self.ends: list[tuple[int, int]] = []  # of every message: where it ends, and its tick
        self._writer = Writer()
        self._places: dict[int, tuple[int, int]] = {}

    def say(self, message: tuple[Any, ...]) -> None:
        """Write any message, in this tick."""
        self.data += self._writer.write(self.tick, message)
        self.ends.append((len(self.data), self.tick))

    def join(self, cid: int, name: str, seven: bool = False) -> None:
        """Connect and give a name."""
        self.say(extra.JoinVersion7(cid) if seven else extra.JoinVersion6(cid))
        self.say(Join(cid))
        self.say(NetMessage(cid, start_info(name.encode(), b"clan", seven)))
        self.say(extra.PlayerName(cid, name.encode()))
        self.say(extra.PlayerReady(cid))

    def place(self, cid: int, x: int, y: int) -> None:
        """A tee is here now."""
        old = self._places.get(cid)
        self._places[cid] = (x, y)
        self.say(PlayerNew(cid, x, y) if old is None else PlayerChange(cid, x, y, *old))

    def gone(self, cid: int) -> None:
        """A tee is gone."""
        self.say(PlayerGone(cid, *self._places.pop(cid)))

    def input(self, cid: int, *numbers: int, first: bool = False) -> None:
        """A whole input."""
        self.say(Input(cid, numbers, first))

    def command(self, cid: int, flags: int, *words: bytes) -> None:
        """A console command."""
        self.say(ConsoleCommand(cid, flags, words[0], words[1:]))

    def drop(self, cid: int, reason: bytes = b"") -> None:
        """Somebody leaves."""
        self.say(Drop(cid, reason))

    def finish(self) -> bytes:
        """The end; all of it."""
        self.data += self._writer.finish()
        return bytes(self.data)


def played(ticks: int = 40, players: int = 2, head: bytes = HEADER) -> Server:
    """So many ticks in which some players run about."""
    server = Server(head)
    for cid in range(players):
        server.join(cid, f"player {cid}", seven=cid % 2 == 1)
    for _ in range(ticks):
        server.tick += 1
        for cid in range(players):
            server.place(cid, 100 * cid + 3 * server.tick, 200 + server.tick % 7)
        for cid in range(players):
            server.input(cid, 1, 50 + server.tick, -3 * cid, server.tick % 2, server.tick, 1, 1, 2, 0, 0)
    return server


def every_kind() -> bytes:
    """A small recording with a bit of everything in it."""
    server = played(6, 2)
    say = server.say
    server.command(0, 128, b"team", b"7")
    server.command(-1, 4, b"say", b"hello all")
    say(extra.Test(b"!"))
    say(extra.AuthLogin(0, 3, b"default_admin"))
    say(extra.AuthLoginRole(1, b"moderator", b"me"))
    say(extra.PlayerTeam(0, 7))
    say(extra.PlayerTeam(1, 7))
    say(extra.TeamPractice(7, 1))
    server.tick += 10
    say(extra.SaveSuccess(7, bytes(range(16)), b"2\tH.\nll0"))
    say(extra.SaveFailure(7))
    say(extra.LoadSuccess(7, bytes(range(16)), None))
    say(extra.LoadFailure(7))
    say(extra.PlayerSwap(0, 1))
    server.place(0, -40, 1000)
    say(extra.PlayerFinish(0, 1234))
    say(extra.TeamFinish(7, 1250))
    server.tick += 1
    server.gone(0)
    say(NetMessage(1, pack(28 << 1)))
    say(NetMessage(0, pack(23 << 1) + pack(3)))
    say(NetMessage(0, pack(18 << 1) + pack(-1)))
    say(NetMessage(0, pack(21 << 1) + b"other\0clan\0" + pack(-1) + b"x\0" + pack(0) * 3))
    say(NetMessage(0, pack(99)))
    server.tick += 1
    server.place(0, 5, 5)
    server.gone(1)
    say(extra.AuthLogout(0))
    say(extra.AuthInit(0, 1, b"a"))
    say(extra.AuthInitRole(0, b"helper", b"a"))
    say(extra.DdnetVersionOld(0, 13010))
    say(extra.DdnetVersion(0, bytes(16), 16040, b"DDNet 16.4"))
    say(extra.RejoinVersion6(0))
    say(extra.Antibot(b"\1\2"))
    say(extra.Test())
    say(extra.UnknownExtra(bytes(16), b"?"))
    server.drop(1, b"Timeout")
    server.tick += 3
    server.place(100, 1, 1)
    server.input(100, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0)
    server.drop(100)
    return server.finish()
