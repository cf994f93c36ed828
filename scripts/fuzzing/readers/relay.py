"""What comes from a relay's server: anybody who may send can spoil a game, and nothing else.

The file that is made of the messages is at all times what was taken of them says; snapshots, announcements and subjects
are what they seem, or refused.
"""

import json
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, Final

from nhlog.beside.talk import Talk, renew
from nhlog.relay.copy import Copy, Shortened
from nhlog.relay.course import Course
from nhlog.relay.wire import (
    Announcement,
    BadMessage,
    Game,
    Kind,
    Message,
    decode,
    decode_announcement,
    decode_snapshot,
    decode_talk,
    encode,
    encode_announcement,
    encode_snapshot,
    parse_place,
)
from scripts.fuzzing.mutants.change import (
    SAMPLES,
    TEXTS,
    bend,
    bend_bytes,
    bend_json,
    bend_often,
    bend_text,
    json_bytes,
    rarely,
)
from scripts.fuzzing.rules import Begin, Broken, check_error, check_text, refused

__all__ = ["act", "mutant"]

_LOG, _CAST = ((SAMPLES / name).read_bytes() for name in ("died2.nhgame", "nethack.cast"))
_HEAD: Final = len(b"".join(_LOG.splitlines(keepends=True)[:3])) + 10  # of a log: with the pointer of its first backup
_SUBJECT: Final = Game("server", "ann", "a game.nhgame").subject
_BEGINNING: Final = Announcement(
    title="a title",
    format="nhgame",
    game="delve",
    place="Dlvl 3",
    turn=120,
    status="live",
    start=1,
    changed=2,
    size=3,
    told=4,
)

Sent = dict[str, Any]
"""A message: its `subject`, `headers`, and its `body` as text of Latin 1."""


def mutant(chance: Random) -> Mapping[str, bytes]:
    """The messages of a game, a line of JSON each, some of them bent, with a snapshot and announcements."""
    sent = _game(chance)
    sent = bend_often(chance, (0, 1, 1, 2, 4), sent, _bend)
    return {"case.messages": b"".join(json.dumps(one).encode() + b"\n" for one in sent)}


def _game(chance: Random) -> list[Sent]:
    data, head = chance.choice(((_LOG, _HEAD), (_CAST, 0)))
    course, sent = Course(), []
    while course.end < len(data) and len(sent) < 40:
        match chance.randrange(8) if course.begun else 7:
            case 0:
                message = course.head_message(Kind.HEAD, course.head)
            case 1 if len(course.places) > 1 and head:
                message = course.truncate_message(chance.choice(course.places), course.count + 1, course.head)
            case 2 if rarely(chance, 6):
                message = course.head_message(Kind.FINISHED, course.head)
            case _:
                end = course.end + max(chance.choice((1, 500, 20_000)), 0 if course.end else head)
                message = course.bytes_message(data[course.end : end], head)
        course.take(message)
        sent.append(_sent(encode(message), message.body))
    snapshot = Message(Kind.SNAPSHOT, course.count, course.end, head, course.digest, data[: course.end] or b"x")
    sent.insert(0, _sent(encode_snapshot(snapshot, len(sent)), snapshot.body))
    talk = b"".join(
        b'{"time": %d, "name": "ann", "text": "%d"}\n' % (time, time) for time in range(chance.randrange(9))
    )
    return [*sent, _sent({}, encode_announcement(_BEGINNING)), _sent({}, talk * chance.choice((1, 1, 1, 200)))]


def _sent(headers: Mapping[str, str], body: bytes) -> Sent:
    return {"subject": _SUBJECT, "headers": dict(headers), "body": body.decode("latin-1")}


def _bend(chance: Random, sent: Sent) -> Sent:
    headers, body = sent["headers"], sent["body"].encode("latin-1")
    match chance.randrange(6):
        case 0:
            return sent | {"subject": bend_text(chance, sent["subject"])}
        case 1 if not headers:
            try:
                return sent | {"body": json_bytes(chance, bend_json(chance, json.loads(body))).decode("latin-1")}
            except ValueError:
                return sent  # bent before
        case 2:
            body = bend_bytes(chance, body)
            headers = headers | ({"Nhlog-Length": str(len(body))} if headers and rarely(chance, 2) else {})
            return sent | {"headers": headers, "body": body.decode("latin-1")}
        case _ if headers:
            name = chance.choice(list(headers))
            value = headers[name]
            new = str(bend(chance, int(value))) if value.isdecimal() and len(value) < 19 else bend_text(chance, value)
            new = chance.choice((*TEXTS, *Kind)) if rarely(chance, 6) else new
            return sent | {"headers": headers | {name: new}}
    return sent | {"body": bend_bytes(chance, body).decode("latin-1")}


def act(case: Path, chance: Random, begin: Begin) -> None:
    """Take all messages, from the first on, and from the snapshot on."""
    sent = _read(case)
    for one in sent:
        begin("subject")
        with refused():
            game = Game.of(one["subject"])
            if any(Game.of(subject) != game for subject in (game.subject, game.snapshot, game.talk)):
                raise Broken("not the game of its own subject")
        with refused():
            parse_place(f"nats://localhost/{one['subject']}")
        begin("announcement")
        with refused():
            decode_announcement(_body(one))
        begin("talk")
        with refused():
            _hear(case, _body(one))
    ending = chance.choice((".nhgame", ".cast"))
    begin("copy")
    with refused(), closing(Copy(str(case.with_name(f"copy{ending}")))) as copy:
        _take(copy, sent, chance, begin)
        begin("caught up")
        copy.caught_up()
        if Path(copy.name).stat().st_size != copy.course.end:
            raise Broken("the file ends elsewhere than its messages")
    begin("snapshot")
    with refused():
        first = sent[0] if sent else {"headers": {}, "body": ""}
        message, behind = decode_snapshot(first["headers"], _body(first))
        with closing(Copy(str(case.with_name(f"late{ending}")))) as copy:
            _take(Shortened(copy, message, behind), sent, chance, begin)


def _hear(case: Path, body: bytes) -> None:
    """Take a talk as a receiver does it, and read it as a viewer."""
    copy = str(case.with_name("heard.cast"))
    renew(copy, decode_talk(body))
    talk = Talk(copy)
    talk.look()
    for said in talk.said:
        check_text(str(said))


def _take(copy: Copy | Shortened, sent: list[Sent], chance: Random, begin: Begin) -> None:
    """As a receiver does it: what does not continue the file is passed over."""
    for one in sent:
        begin("take")
        try:
            copy.take(decode(one["headers"], _body(one)))
        except BadMessage as error:
            check_error(error)
        if copy.course.begun and rarely(chance, 10):
            copy.caught_up()


def _body(sent: Sent) -> bytes:
    return bytes(sent["body"].encode("latin-1"))


def _read(case: Path) -> list[Sent]:
    """The messages; of a case that was made smaller, those that are left whole."""
    found = []
    for line in case.read_bytes().splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return [one for one in found if isinstance(one, dict) and one.keys() >= {"subject", "headers", "body"}]
