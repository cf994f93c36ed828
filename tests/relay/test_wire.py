"""Subjects, headers and announcements: there and back, and what is refused of what others send."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.errors import Usage
from nhlog.relay.wire import (
    MOST_FILE,
    MOST_HEAD,
    Announcement,
    BadMessage,
    Game,
    Kind,
    Limits,
    Message,
    StreamState,
    decode,
    decode_announcement,
    encode,
    encode_announcement,
    parse_place,
    parse_server,
    state_of,
)
from tests.relay.made import ANNOUNCED

NAMES = st.text(st.characters(blacklist_categories=(), blacklist_characters="/\0"), min_size=1, max_size=40)
SOUND = Message(Kind.BYTES, 3, 120, 110, "0" * 32, b"D4\n")


@given(NAMES, NAMES, NAMES)
def test_no_name_widens_a_subject_and_each_comes_back(server: str, player: str, name: str) -> None:
    game = Game(*(text.encode("utf-8", "replace").decode() for text in (server, player, name)))

    subject = game.subject

    assert subject.count(".") == 3
    assert not set(subject) & set("*> \t\r\n")
    assert Game.of(subject) == Game.of(game.announcement) == Game.of(game.snapshot) == Game.of(game.talk) == game


@pytest.mark.parametrize(
    "subject",
    [
        "nhlog.a.b",
        "nhlog.a.b.c.d",
        "other.a.b.c",
        "nhlog.a.*.c",
        "nhlog.a..c",
        "nhlog.a.%41.c",
        "nhlog.a.b.%2E%2E%2Fx",
        "nhlog.a.b.x%00",
        "nhlog.a.%4g.c",
        "nhlog",
    ],
)
def test_a_subject_that_no_game_has_is_refused(subject: str) -> None:
    with pytest.raises(BadMessage):
        Game.of(subject)


def test_an_address_names_a_game_on_any_server_or_on_one() -> None:
    assert parse_place("nats://hub:4222/ann/delve.nhgame").subject == "nhlog.*.ann.delve%2Enhgame"
    assert parse_place("tls://hub/north/ann/x").subject == "nhlog.north.ann.x"
    for wrong in ("nats://hub", "nats://hub/x", "nats:///a/b", "http://hub/a/b", "nats://hub/a//b"):
        with pytest.raises(Usage):
            parse_place(wrong)


def test_an_address_is_a_host_and_tells_no_secret() -> None:
    assert parse_server("tls://[::1]:4222") == "tls://[::1]:4222"
    for wrong in ("nats://ann:secret@hub", "nats://hub,other", "nats://hub?x", "nats://", "ws://hub", "nats://\x1b[2J"):
        with pytest.raises(Usage):
            parse_server(wrong)


@given(st.sampled_from(Kind), st.integers(0, 2**32 - 1), st.binary(min_size=1, max_size=300))
def test_a_message_comes_back(kind: Kind, count: int, body: bytes) -> None:
    message = Message(kind, count, 4000, {Kind.BYTES: 4, Kind.SNAPSHOT: 0}.get(kind, len(body)), "a" * 32, body)

    assert decode(encode(message), message.body) == message


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Nhlog-Kind", "purge"),
        ("Nhlog-Count", "-1"),
        ("Nhlog-Count", "99999999999"),
        ("Nhlog-Offset", "9" * 30),
        ("Nhlog-Offset", "١"),
        ("Nhlog-Offset", "17179869184"),
        ("Nhlog-Offset", "7"),
        ("Nhlog-Head", "99999"),
        ("Nhlog-Length", "4"),
        ("Nhlog-Digest", "x"),
    ],
)
def test_a_header_that_cannot_be_is_refused(name: str, value: str) -> None:
    with pytest.raises(BadMessage):
        decode({**encode(SOUND), name: value}, SOUND.body)
    with pytest.raises(BadMessage):
        decode({key: text for key, text in encode(SOUND).items() if key != name}, SOUND.body)


HEAD = b"h" * 110


@pytest.mark.parametrize(
    ("kind", "offset", "body", "sound"),
    [
        (Kind.BYTES, 0, HEAD, True),  # the head alone
        (Kind.BYTES, 0, HEAD[1:], False),
        (Kind.BYTES, 1, HEAD, False),
        (Kind.BYTES, 109, HEAD, False),
        (Kind.BYTES, 110, b"D", True),
        (Kind.BYTES, 110, b"", False),
        (Kind.BYTES, MOST_FILE - 1, b"D", True),
        (Kind.BYTES, MOST_FILE, b"D", False),
        (Kind.SNAPSHOT, 500, HEAD, False),
        (Kind.SNAPSHOT, 500, HEAD + b"D", True),
        (Kind.TRUNCATE, 0, b"", True),  # nothing is left, no head either
        (Kind.TRUNCATE, 0, HEAD, False),
        (Kind.TRUNCATE, 1, HEAD, False),
        (Kind.TRUNCATE, 109, HEAD, False),
        (Kind.TRUNCATE, 110, HEAD, True),
        (Kind.HEAD, 500, HEAD, True),
        (Kind.HEAD, 500, HEAD[1:], False),
        (Kind.FINISHED, MOST_FILE, HEAD, True),
    ],
)
def test_a_head_is_whole_and_the_file_no_longer_than_one_can_be(
    kind: Kind, offset: int, body: bytes, sound: bool
) -> None:
    message = Message(kind, 3, offset, len(HEAD), "0" * 32, body)
    if sound:
        assert decode(encode(message), body) == message
    else:
        with pytest.raises(BadMessage, match=r"inside the head|length of the head|too large"):
            decode(encode(message), body)


@pytest.mark.parametrize(("name", "most"), [("Nhlog-Count", 0xFFFF_FFFF), ("Nhlog-Head", MOST_HEAD)])
def test_a_number_is_as_large_as_the_maximum_and_no_larger(name: str, most: int) -> None:
    body = bytes(MOST_HEAD)
    sound = encode(Message(Kind.BYTES, 3, 0, 110, "0" * 32, body))
    assert decode({**sound, name: str(most)}, body).body == body
    with pytest.raises(BadMessage, match=name):
        decode({**sound, name: str(most + 1)}, body)


def test_a_message_without_headers_is_refused() -> None:
    with pytest.raises(BadMessage):
        decode(None, b"D4\n")


def with_values(**values: object) -> Announcement:
    return Announcement(**{name: getattr(ANNOUNCED, name) for name in Announcement.__slots__} | values)


def test_an_announcement_comes_back_and_its_texts_are_cut() -> None:
    assert decode_announcement(encode_announcement(ANNOUNCED)) == ANNOUNCED
    assert decode_announcement(encode_announcement(with_values(title="t" * 201))).title == "t" * 200


def test_an_announcement_may_lack_turn_and_beginning_and_nothing_else() -> None:
    lacking = with_values(turn=None, start=None)
    assert decode_announcement(encode_announcement(lacking)) == lacking
    for name in ("changed", "size", "told"):
        with pytest.raises(BadMessage, match=f"bad {name}"):
            decode_announcement(encode_announcement(with_values(**{name: None})))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"[" * 100_000,
        b"\xff",
        b'{"title": 3}',
        *(
            encode_announcement(ANNOUNCED).replace(b'"size":7', b'"size":' + size)
            for size in (b"-7", b"true", b"7.5", b'"7"', b"%d" % (1 << 53))
        ),
        encode_announcement(ANNOUNCED).replace(b'"place":"', b'"place":"' + b"x" * 200),
    ],
)
def test_what_is_no_announcement_is_refused(data: bytes) -> None:
    with pytest.raises(BadMessage):
        decode_announcement(data)


@pytest.mark.parametrize(
    ("limits", "settings"),
    [
        (Limits(None, None), {"max_age": 0, "max_bytes": -1}),
        (Limits(1, 1), {"max_age": 1000, "max_bytes": 1}),
        (Limits(86_400_000_000, 1 << 30), {"max_age": 86_400_000_000_000, "max_bytes": 1 << 30}),
    ],
)
def test_limits_of_a_stream_come_back_as_the_server_says_them(limits: Limits, settings: dict[str, int]) -> None:
    state = {"messages": 4, "bytes": 500, "first_seq": 7, "last_seq": 10}
    assert limits.settings == settings
    assert state_of({"config": settings, "state": state}) == StreamState(limits, 4, 500, 7, 10)
    assert state_of({"state": state}).limits == Limits(None, None), "a server that says none keeps all"
