"""Messages of every kind, and whole recordings, made up by Hypothesis."""

from typing import Any

from hypothesis import strategies as st

from nhlog.formats.teehistorian.wire import extra
from nhlog.formats.teehistorian.wire import messages as wire
from nhlog.formats.teehistorian.wire.codec import MOST_CLIENTS
from nhlog.formats.teehistorian.writing.writer import Writer

__all__ = ["messages", "numbers", "recorded"]

numbers = st.integers(-(1 << 31), (1 << 31) - 1)
_cids = st.one_of(st.integers(0, 3), st.integers(0, MOST_CLIENTS - 1))
_text = st.binary(max_size=20).map(lambda text: text.replace(b"\0", b""))
_data = st.one_of(st.binary(max_size=8), st.binary(min_size=60, max_size=70), st.just(bytes(5000)))
_inputs = st.tuples(*[st.one_of(st.integers(-5, 5), numbers)] * wire.INPUTS)
_uuid = st.binary(min_size=16, max_size=16)
_extras = st.one_of(
    st.builds(extra.Test, st.binary(max_size=3)),
    st.builds(extra.AuthLogin, _cids, numbers, _text),
    st.builds(extra.AuthLoginRole, _cids, _text, _text),
    st.builds(extra.DdnetVersion, _cids, _uuid, numbers, _text),
    st.builds(extra.JoinVersion6, _cids),
    st.builds(extra.JoinVersion7, _cids),
    st.builds(extra.PlayerTeam, _cids, numbers),
    st.builds(extra.PlayerName, _cids, _text),
    st.builds(extra.PlayerReady, _cids),
    st.builds(extra.SaveSuccess, numbers, _uuid, st.one_of(st.none(), _text), rest=st.just(b"")),
    st.builds(extra.PlayerFinish, _cids, numbers),
    st.builds(extra.UnknownExtra, _uuid.filter(lambda raw: raw not in extra.EXTRA_NAMES), _data),
)
_others = st.one_of(
    st.builds(wire.NetMessage, _cids, _data),
    st.builds(wire.Join, _cids),
    st.builds(wire.Drop, _cids, _text),
    st.builds(wire.ConsoleCommand, numbers, numbers, _text, st.lists(_text, max_size=20).map(tuple)),
    _extras,
)
messages = st.one_of(
    st.builds(wire.PlayerDiff, _cids, numbers, numbers),
    st.builds(wire.Finish),
    st.builds(wire.TickSkip, st.integers(0, (1 << 31) - 1)),
    st.builds(wire.PlayerNew, _cids, numbers, numbers),
    st.builds(wire.PlayerOld, _cids),
    st.builds(wire.InputDiff, _cids, _inputs),
    st.builds(wire.InputNew, _cids, _inputs),
    _others,
)


@st.composite
def recorded(draw: Any) -> tuple[bytes, list[tuple[int, tuple[Any, ...]]]]:
    """The messages of a recording as bytes, and what they mean: (tick, message)."""
    writer, places = Writer(), dict[int, tuple[int, int]]()
    inputs = set[int]()
    told: list[tuple[int, tuple[Any, ...]]] = []
    tick = 0
    for _ in range(draw(st.integers(0, 8))):
        tick += draw(st.one_of(st.just(1), st.integers(0 if not told else 1, 5), st.integers(1, 1 << 20)))
        for message in draw(st.lists(_others, max_size=1)):
            told.append((tick, message))
        moving = draw(st.lists(_cids, max_size=4, unique=True)) if tick else []
        for cid in sorted(moving):
            place = draw(st.tuples(numbers, numbers))
            old = places.get(cid)
            if old and draw(st.booleans()):
                told.append((tick, wire.PlayerGone(cid, *places.pop(cid))))
                continue
            places[cid] = place
            told.append((tick, wire.PlayerChange(cid, *place, *old) if old else wire.PlayerNew(cid, *place)))
        for cid in draw(st.lists(_cids, max_size=3)):
            first = cid not in inputs or draw(st.booleans())
            inputs.add(cid)
            told.append((tick, wire.Input(cid, draw(_inputs), first)))
        for message in draw(st.lists(_others, max_size=2)):
            told.append((tick, message))
    data = b"".join(writer.write(at, message) for at, message in told)
    return data + writer.finish(), told
