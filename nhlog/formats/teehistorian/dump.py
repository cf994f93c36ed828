"""Messages as JSON records, in the form of libtw2's ``teehistorian_dump --json``.

`_FORMS` has their types and keys.  An EX message that libtw2 does not know is ``unknown_ex`` here, even if we know it;
all but DDNet's own test message.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from nhlog.errors import NhlogError
from nhlog.formats.teehistorian.reading.players import Player, decode_text, updated_player
from nhlog.formats.teehistorian.reading.reader import Incomplete, Reader, read_records
from nhlog.formats.teehistorian.wire import extra
from nhlog.formats.teehistorian.wire import messages as wire
from nhlog.formats.teehistorian.wire.extra import EXTRA_TYPES, encode_extra, uuid_text

__all__ = ["count_kinds", "dump", "error_record", "message_record"]

Record = dict[str, Any]
UNKNOWN: Final = "unknown_ex"


def dump(
    path: str,
    first: int = 0,
    last: int | None = None,
    player: str | None = None,
    kind: str | None = None,
) -> Iterator[Record]:
    """A record per message: all, or those in ticks `first` to `last`, of one `player` (name or id), of one `kind`.

    The last one has ``error`` if the recording is damaged or incomplete.  Raises :class:`NhlogError` if it has no
    header.
    """
    reader, players = Reader(path), dict[int, Player]()
    try:
        for tick, _, message in read_records(reader):
            known = updated_player(players, message) if player else None
            if known:
                players[known.cid] = known
            if tick < first:
                continue
            if last is not None and tick > last:
                return
            record = message_record(tick, message)
            if kind in (None, record["type"]) and (player is None or _concerns(players, record, player)):
                yield record
    except NhlogError as error:
        yield error_record(error, reader.world.tick)
    for flaw in reader.flaws():
        yield error_record(flaw, reader.world.tick)


def _concerns(players: Mapping[int, Player], record: Record, player: str) -> bool:
    cids = [record[key] for key in ("cid", "cid1", "cid2") if key in record]
    names = [players[cid].name for cid in cids if cid in players]
    return player in (*map(str, cids), *names)


def error_record(error: NhlogError, tick: int) -> Record:
    """The record of the error that ended the reading at `tick`."""
    offset = error.end if isinstance(error, Incomplete) else error.offset
    facts = [f"{name} {value}" for name in ("expected", "found") if (value := getattr(error, name)) is not None]
    return {"error": ", ".join([error.what, *facts]), "offset": offset, "tick": tick}


def message_record(tick: int, message: tuple[Any, ...]) -> Record:
    """The record of a message, as `_FORMS` defines it."""
    form = _FORMS.get(type(message))
    if form is None:
        uuid, data = encode_extra(message)
        return {"tick": tick, "type": UNKNOWN, "uuid": uuid_text(uuid), "data": list(data)}
    kind, keys = form
    return {"tick": tick, "type": kind, **keys(message)}


def _named(*names: str) -> Callable[[Any], Record]:
    """A function that gives the first fields of a message under these names, with bytes as text."""

    def keys(message: Any) -> Record:
        fields = zip(names, message, strict=False)
        return {name: decode_text(value) if isinstance(value, bytes) else value for name, value in fields}

    return keys


def _place(x: int, y: int) -> Record:
    return {"x": x, "y": y}


_FORMS: Final[dict[type, tuple[str, Callable[[Any], Record]]]] = {
    wire.PlayerNew: ("player_new", lambda it: {"cid": it.cid, "pos": _place(it.x, it.y)}),
    wire.PlayerGone: ("player_old", lambda it: {"cid": it.cid, "pos": _place(it.x, it.y)}),
    wire.PlayerChange: (
        "player_change",
        lambda it: {"cid": it.cid, "pos": _place(it.x, it.y), "old_pos": _place(it.old_x, it.old_y)},
    ),
    wire.Input: ("input", lambda it: {"cid": it.cid, "input": list(it.input)}),
    wire.NetMessage: ("message", lambda it: {"cid": it.cid, "msg": list(it.data)}),
    wire.Join: ("join", _named("cid")),
    wire.Drop: ("drop", _named("cid", "reason")),
    wire.ConsoleCommand: (
        "console_command",
        lambda it: {
            "cid": it.cid,
            "flag_mask": it.flags,
            "cmd": decode_text(it.command),
            "args": list(map(decode_text, it.args)),
        },
    ),
    extra.Test: ("test", lambda it: {"data": list(it.rest)}),
    extra.DdnetVersionOld: ("ddnetver_old", _named("cid", "ddnet_version")),
    extra.DdnetVersion: (
        "ddnetver",
        lambda it: {
            "cid": it.cid,
            "connection_id": uuid_text(it.connection),
            "ddnet_version": it.version,
            "ddnet_version_str": decode_text(it.text),
        },
    ),
    extra.AuthInit: ("auth_init", _named("cid", "level", "identity")),
    extra.AuthLogin: ("auth_login", _named("cid", "level", "identity")),
    extra.AuthLogout: ("auth_logout", _named("cid")),
    extra.JoinVersion6: ("joinver6", _named("cid")),
    extra.JoinVersion7: ("joinver7", _named("cid")),
    extra.RejoinVersion6: ("player_rejoin", _named("cid")),
    extra.SaveSuccess: ("team_save_success", lambda it: _save(it)),
    extra.SaveFailure: ("team_save_failure", _named("team")),
    extra.LoadSuccess: ("team_load_success", lambda it: _save(it)),
    extra.LoadFailure: ("team_load_failure", _named("team")),
    extra.PlayerTeam: ("player_team", _named("cid", "team")),
    extra.TeamPractice: ("team_practice", _named("team", "practice")),
    extra.PlayerReady: ("player_ready", _named("cid")),
    extra.PlayerSwap: ("player_swap", _named("cid1", "cid2")),
    extra.Antibot: ("antibot", lambda it: {"data": list(it.rest)}),
    extra.PlayerName: ("player_name", _named("cid", "name")),
    extra.PlayerFinish: ("player_finish", _named("cid", "time_ticks")),
    extra.TeamFinish: ("team_finish", _named("team", "time_ticks")),
}


_KINDS: Final = {"player_diff": "player_change", "input_diff": "input", "input_new": "input"}
_WITHOUT_RECORD: Final = ("ex", "tick_skip", "finish")


def count_kinds(counts: Counter[str], extras: Counter[str]) -> dict[str, int]:
    """The number of records by type; `counts` and `extras` are those of a `World`."""
    found: Counter[str] = Counter()
    for kind, count in counts.items():
        if kind not in _WITHOUT_RECORD:
            found[_KINDS.get(kind, kind)] += count
    for name, count in extras.items():
        form = _FORMS.get(EXTRA_TYPES[name]) if name else None
        found[form[0] if form else UNKNOWN] += count
    return dict(sorted(found.items()))


def _save(message: extra.SaveSuccess | extra.LoadSuccess) -> Record:
    text = None if message.save is None else decode_text(message.save)
    return {"team": message.team, "save_uuid": uuid_text(message.save_id), "save": text}
