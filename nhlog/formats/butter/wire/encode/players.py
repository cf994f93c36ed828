"""Encoding of the players of a frame, as differences to what a decoder has of them (spec 3 and 6).

Differences count from the decoded values, never from the recorded ones, so that errors do not add up.  A position is
left out only if its differences are zero now and were in the frame before, which both readings of "left out" decode
right (spec 9.2).  Raises :class:`NeedsKeyframe` for changes that differences cannot store.
"""

from collections.abc import Sequence
from operator import sub
from struct import Struct, error
from typing import Final

from nhlog.errors import Unsupported
from nhlog.formats.butter.wire.codes import HOLDINGS, LOADOUTS
from nhlog.formats.butter.wire.encode.differences import HalfDifferences, NeedsKeyframe
from nhlog.formats.butter.wire.primitives import nearest_half, single
from nhlog.formats.butter.wire.rotations import nearest_rotation
from nhlog.formats.butter.wire.values import Loadout, Player, Rotation, Stats, Team

__all__ = ["MOST_ROWS", "VELOCITY_TOLERANCE", "PlayersEncoder"]


VELOCITY_TOLERANCE: Final = 1 / 512
"""The largest error of a velocity, in metres per second; the reference drops changes up to 1/100."""

MOST_ROWS: Final = 255  # of the table of players
_VALUES: Final = 15  # floats of a player: four positions and the velocity
_UNMOVED: Final = bytes(6)
_PING: Final = Struct("<he")
_COUNTS: Final = Struct("<10B")
_TIME: Final = Struct("<eH")
_PARTS: Final = ((0, 1), (6, 4), (12, 16), (18, 64))  # where the position is, and its bit; the rotation's is the next

_HOLDINGS: Final = {holding: number for number, holding in enumerate(HOLDINGS)}
_LOADOUTS: Final[dict[Loadout | None, int]] = {
    None: 0,
    **{loadout: bits for bits, loadout in reversed([*enumerate(LOADOUTS)])},
}


class StatsEncoder:
    """Encodes the statistics of a player or a team, as differences to those that a decoder has."""

    __slots__ = ("_counts", "_source", "_stuns", "_time")

    def __init__(self) -> None:
        self._source: Stats | None = None
        self._counts = [0] * 10
        self._time = 0.0
        self._stuns = 0

    def update(self, stats: Stats, *, key: bool) -> bytes:
        """The bytes of the differences to `stats`, nothing if there are none; with `key` all values.

        Raises :class:`NeedsKeyframe` if a counter falls, as the reference would read that as a rise.
        """
        if stats == self._source and not key:
            return b""
        *counts, time, stuns = stats
        if max(counts) > 255 or min(counts) < 0:
            counts = [min(max(count, 0), 255) for count in counts]
        time, stuns = nearest_half(time), min(max(stuns, 0), 0xFFFF)
        if key:
            self._counts, self._time, self._stuns = [0] * 10, 0.0, 0
        elif time == self._time and stuns == self._stuns and counts == self._counts:
            return b""
        try:
            head = _COUNTS.pack(*map(sub, counts, self._counts))
            tail = _TIME.pack(time - self._time, stuns - self._stuns)
        except (error, OverflowError):
            raise NeedsKeyframe from None
        self._source, self._counts, self._stuns = stats, counts, stuns
        self._time = single(self._time + _TIME.unpack(tail)[0])
        return head + tail


class _Known:
    """What a decoder has of a player after a frame; `at` is the start of the player's row of numbers."""

    __slots__ = ("at", "holding", "loss", "moved", "ping", "recorded", "rotations", "row", "tally")

    def __init__(self, row: int) -> None:
        self.row = row
        self.at = -1
        self.moved = b""  # the differences that were stored or left out, nothing for a newcomer
        self.recorded: tuple[Rotation | None, ...] = (None,) * 4
        self.rotations: list[int | None] = [None] * 4
        self.tally = StatsEncoder()
        self.ping = 0
        self.loss = 0.0
        self.holding = b""


class PlayersEncoder:
    """Encodes the players of a session, frame by frame."""

    def __init__(self, *, arena: bool, combat: bool) -> None:
        self._arena, self._combat = arena, combat
        self._known: dict[int, _Known] = {}  # by userid
        self._moves = HalfDifferences(_VALUES)
        self._teams = (StatsEncoder(), StatsEncoder(), StatsEncoder())

    def teams(self, teams: tuple[Team, Team, Team], *, key: bool) -> bytes:
        """The bytes of the teams and their players.

        Raises :class:`NeedsKeyframe` if differences cannot store them, :class:`Unsupported` for a player beyond the
        255th of the file.
        """
        players = [player for team in teams for player in team.players]
        known = self._meet(players, key)
        recorded: list[float] = []
        for player in players:
            recorded += player.places
            recorded += player.velocity
        moved = self._moves.step(recorded, [one.at for one in known], key=key)
        self._known = {player.who.userid: one for player, one in zip(players, known, strict=True)}
        if len(self._known) < len(players):  # decoders do not agree on which of two equals is which
            if not key:
                raise NeedsKeyframe
            self._known = {}
        parts = [b""]
        bits = at = 0
        for number, team in enumerate(teams):
            if team.possession and number < 2:
                bits |= 1 << number
            stats = self._teams[number].update(team.stats, key=key)
            if any(stats):  # readers take none in a keyframe for zeros
                bits |= 4 << number
                parts.append(stats)
            parts.append(bytes((len(team.players),)))
            for player in team.players:
                parts.append(self._player(player, known[at // _VALUES], moved[2 * at : 2 * at + 30], at))
                at += _VALUES
        parts[0] = bytes((bits,))
        return b"".join(parts)

    def _meet(self, players: Sequence[Player], key: bool) -> list[_Known]:
        """What a decoder has of each player, in order; of a new player, nothing."""
        known = []
        before = {} if key else self._known
        for player in players:
            who = player.who
            found = before.get(who.userid)
            if found is None:
                if who.row > MOST_ROWS:
                    raise Unsupported("too many players for one file", expected=f"at most {MOST_ROWS}", found=who.row)
                found = _Known(who.row)
            elif found.row != who.row:  # renamed: that is another player to some decoders
                raise NeedsKeyframe
            known.append(found)
        return known

    def _player(self, player: Player, known: _Known, moved: bytes, at: int) -> bytes:
        """The bytes of one player (spec 3)."""
        who, playerid, flags, stats, ping, loss, holding, _, _, rotations, loadout = player
        new = not known.moved
        parts, poses = self._poses(known, moved, rotations)
        known.at, known.moved = at, moved
        flags &= 31
        body = known.tally.update(stats, key=new)
        if body:
            flags |= 32
        connection = self._connection(known, ping, loss, holding, new)
        if connection:
            flags |= 64
            body += connection
        if self._moves.near(at + 12, VELOCITY_TOLERANCE):
            self._moves.hold(at + 12)
        else:
            flags |= 128
            body += moved[24:]
        head = bytes((who.row, playerid & 255, flags))
        if self._combat:
            poses += bytes((_LOADOUTS.get(loadout, 0),))
        return b"".join((head, body, parts, poses))

    def _poses(self, known: _Known, moved: bytes, rotations: tuple[Rotation, ...]) -> tuple[bytes, bytes]:
        """The bits of the positions and rotations that are stored, and their bytes."""
        last, recorded, stood = known.moved, known.recorded, known.rotations
        known.recorded = rotations
        bits, pieces = 0, []
        for part, (place, bit) in enumerate(_PARTS):
            piece = moved[place : place + 6]
            if piece != _UNMOVED or piece != last[place : place + 6]:
                bits |= bit
                pieces.append(piece)
            if rotations[part] != recorded[part]:
                stored = nearest_rotation(rotations[part])
                if stored != stood[part]:
                    bits |= 2 * bit
                    pieces.append(stored.to_bytes(4, "little"))
                    stood[part] = stored
        return bytes((bits,)), b"".join(pieces)

    def _connection(
        self, known: _Known, ping: int, loss: float, holding: tuple[str | None, str | None], new: bool
    ) -> bytes:
        """Ping, packet loss and, in the arena, what the hands hold; nothing if all are unchanged."""
        hands = bytes((_HOLDINGS.get(holding[0], 252), _HOLDINGS.get(holding[1], 252))) if self._arena else b""
        if ping == known.ping and loss == known.loss and hands == known.holding and not new:
            return b""
        ping = min(max(ping, -0x8000), 0x7FFF)
        loss = nearest_half(loss)
        if ping == known.ping and loss == known.loss and hands == known.holding and not new:
            return b""
        try:
            stored = _PING.pack(ping - known.ping, loss - known.loss)
        except (error, OverflowError):
            raise NeedsKeyframe from None
        known.ping, known.loss = ping, single(known.loss + _PING.unpack(stored)[1])
        known.holding = hands
        return stored + hands
