"""The records of a log, for `--json`; their keys are a contract (docs/json.md).

A key means the same in every record.  Lengths and offsets are bytes, lines are counted in the file from 1, times are
UTC microseconds since 1970, durations microseconds.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from nhlog.errors import Damaged, NhlogError
from nhlog.formats.nhgame import FORMAT
from nhlog.formats.nhgame.engine import engine_name, head_of
from nhlog.formats.nhgame.words import plain_text
from nhlog.log.columns import Columns
from nhlog.log.log import Log
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.grammar import kind_of
from nhlog.log.wire.header import HEADER_LINES, STATE_OFFSET, SUMMARY_OFFSET, Header
from nhlog.log.wire.lines import (
    DIRECTIONS,
    Argument,
    Backup,
    Bones,
    Command,
    Diff,
    DirectionAnswer,
    GameOver,
    KeyAnswer,
    Line,
    MenuAnswer,
    ObjectMenuAnswer,
    PositionAnswer,
    ScoreLookup,
    TextAnswer,
    Time,
    YesNoAnswer,
)
from nhlog.operations import Record
from nhlog.replay import Status
from nhlog.values import dataclass

__all__ = ["LogInfo", "damage_words", "info_of", "line_records", "save_records", "status_of"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_ARGUMENTS = {
    "D": "direction",
    "P": "position",
    "I": "item",
    "T": "text",
    "S": "spell",
    "L": "limit",
    "K": "key",
}


def line_records(log: Log) -> Iterator[Record]:
    """One record per line of the file, beginning with the header; an unreadable line has ``error``."""
    yield from _header_records(log.header)
    columns = log.columns
    for number in range(len(log)):
        record: Record = {"line": number + HEADER_LINES + 1, "offset": columns.offsets[number]}
        try:
            line = log.line(number)
        except Damaged as error:
            record |= {
                "kind": "unreadable",
                "error": error.what,
                "raw": log.raw(number).data.decode("latin-1"),
            }
        else:
            record |= {"kind": kind_of(log.raw(number).data), **_fields(line)}
        yield record | {
            "turn": columns.turn(number),
            "utc": columns.utc(number),
            "date": _date(columns.utc(number)),
        }
    if log.partial:
        yield {
            "line": len(log) + HEADER_LINES + 1,
            "offset": log.end,
            "kind": "partial",
            "raw": log.partial.decode("latin-1"),
        }


def _header_records(header: Header) -> Iterator[Record]:
    first = header.identification
    yield {
        "line": 1,
        "offset": 0,
        "kind": "identification",
        "status": header.status,
        "recovery_count": first.recovery_count,
        "version": first.version,
    }
    yield {"line": 2, "offset": STATE_OFFSET, "kind": "state", "text": header.state}
    yield {"line": 3, "offset": SUMMARY_OFFSET, "kind": "summary"} | _summary_fields(header)


def _summary_fields(header: Header) -> Record:
    """The values of line 3, the summary."""
    return {"start": header.start, "mode": header.mode_word, "player": header.player, **header.words}


def _fields(line: Line) -> Record:
    match line:
        case Command(name, arguments, rest):
            ignored = {"ignored": rest.decode("latin-1")} if rest else {}
            return {"name": name, "arguments": [_argument(argument) for argument in arguments]} | ignored
        case Time(delta):
            return {"delta": delta}
        case PositionAnswer(None) | MenuAnswer(None) | ObjectMenuAnswer(None):
            return {"cancelled": True}
        case PositionAnswer((x, y, char)):
            return {"x": x, "y": y, "char": char}
        case DirectionAnswer(direction):
            return {"value": direction, "word": DIRECTIONS[direction]}
        case KeyAnswer(key, count):
            return {"key": key} | ({} if count is None else {"count": count})
        case YesNoAnswer(answer):
            return {"answer": answer}
        case MenuAnswer(ids):
            return {"ids": ids}
        case ObjectMenuAnswer(items):
            return {"items": [{"id": number, "count": count} for number, count in items or ()]}
        case TextAnswer(blob):
            return {"text": plain_text(blob)}
        case Bones(blob):
            return {"found": blob is not None} | ({} if blob is None else {"encoded_size": len(blob.text)})
        case ScoreLookup(text):
            return {"raw": text.decode("latin-1")}
        case Backup(pointer, blob):
            return {"pointer": pointer, "compressed": blob.compressed, "encoded_size": len(blob.text)}
        case Diff(blob):
            return {"compressed": blob.compressed, "encoded_size": len(blob.text)}
        case GameOver():
            pass
    return {}


def _argument(argument: Argument) -> Record:
    record: Record = {"kind": _ARGUMENTS[argument.letter]}
    match argument:
        case Argument("D", int(value)):
            return record | {"value": value, "word": DIRECTIONS.get(value, "")}
        case Argument("P", (x, y)):
            return record | {"x": x, "y": y}
        case Argument("T", Blob() as blob):
            return record | {"text": plain_text(blob)}
    return record | {"value": argument.value}


def save_records(log: Log) -> Iterator[Record]:
    """One record per save line, with the whole save's length and digest.

    A save that cannot be rebuilt has ``error`` instead.
    """
    columns = log.columns
    for number, line_number in enumerate(columns.save_lines):
        raw = log.raw(line_number)
        record: Record = {
            "line": line_number + HEADER_LINES + 1,
            "offset": raw.offset,
            "kind": raw.data[:1].decode(),
            "line_len": len(raw.data),
        }
        try:
            record |= _save_fields(log, number, log.line(line_number))
        except NhlogError as error:
            record["error"] = error.what
        yield record


def _save_fields(log: Log, number: int, line: Line) -> Record:
    import hashlib  # which brings all of OpenSSL with it

    assert isinstance(line, Backup | Diff)
    payload = log.payload(number)
    save = log.save(number)
    return {
        "compressed": line.blob.compressed,
        "payload_len": len(payload),
        "payload_sha256": hashlib.sha256(payload).hexdigest(),
        **({"prev_field": f"{line.pointer:08x}"} if isinstance(line, Backup) else {"diff_header": payload[:2].hex()}),
        "save_len": len(save),
        "save_sha256": hashlib.sha256(save).hexdigest(),
    }


def _counts(log: Log) -> tuple[Record, Record]:
    """The numbers of lines and bytes by kind, including the header and an incomplete last line."""
    lines: Counter[str] = Counter(header=HEADER_LINES)
    sizes: Counter[str] = Counter(header=log.header.length)
    for kind, (number, size) in enumerate(zip(log.columns.numbers, log.columns.sizes, strict=True)):
        if number:
            name = kind_of(bytes((kind,)))
            lines[name] += number
            sizes[name] += size
    if log.partial:
        lines["partial"] += 1
        sizes["partial"] += len(log.partial)
    return dict(lines), dict(sizes)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogInfo:
    """The description of a log: the values of its header, and counts from reading its lines once.

    `end` is the time of the last line; `lines` and `bytes` are by kind of line; `saves` has their numbers, how many are
    lost because of unreadable lines, and the size of the newest one (None if it cannot be rebuilt); `health` is
    "sound" if all lines and the newest save can be read.
    """

    format: str
    status: Status
    state: str
    engine: str
    version: str
    recovery_count: int
    start: int
    mode: str
    player: str
    role: str
    race: str
    gender: str
    alignment: str
    zone: int
    end: int
    duration: int
    turn: int
    sessions: int
    size: int
    lines: dict[str, int]
    bytes: dict[str, int]
    saves: dict[str, int | None]
    health: str


def info_of(log: Log) -> LogInfo:
    """Describe an open log."""
    header, columns = log.header, log.columns
    lines, sizes = _counts(log)
    last = len(log) - 1
    newest, lost = _newest(log), _lost(columns)
    return LogInfo(
        format=FORMAT,
        status=status_of(header),
        state=header.state,
        engine=engine_name(header.identification.version, head_of(log)),
        version=header.identification.version,
        recovery_count=header.identification.recovery_count,
        **_summary_fields(header),
        zone=columns.zone,
        end=columns.utc(last) if columns.offsets else header.start,
        duration=columns.elapsed[-1] if columns.elapsed else 0,
        turn=columns.last_turn,
        sessions=len(columns.sessions),
        size=log.size,
        lines=lines,
        bytes=sizes,
        saves={
            "backups": len(columns.backups),
            "diffs": len(columns.save_lines) - len(columns.backups),
            "lost": lost,
            "newest_size": len(newest) if isinstance(newest, bytes) else None,
        },
        health=_health(log, lost, newest),
    )


def status_of(header: Header) -> Status:
    """How a game stands, by its header."""
    return Status.FINISHED if header.finished else Status.LIVE


def _newest(log: Log) -> bytes | NhlogError | None:
    """The newest save, or the error if it cannot be rebuilt; None if there is none."""
    saves = len(log.columns.save_lines)
    try:
        return log.save(saves - 1) if saves else None
    except NhlogError as error:
        return error


def _health(log: Log, lost: int, newest: bytes | NhlogError | None) -> str:
    """The first fault and its consequences in words, or "sound"."""
    columns = log.columns
    if log.partial:
        return f"partial last line of {len(log.partial)} bytes at offset {log.end}"
    if not columns.broken:
        if isinstance(newest, Damaged):
            return f"the newest save cannot be rebuilt, for what stands at offset {newest.offset}"
        return "sound"
    told = damage_words(columns, columns.broken)
    if not lost:
        return told
    return f"{told}, {'the newest with them' if isinstance(newest, NhlogError) else 'the newest is sound'}"


def damage_words(columns: Columns, broken: Sequence[int]) -> str:
    """How many lines are broken, given their numbers, and how many saves they take with them."""
    first, more = columns.offsets[broken[0]], len(broken) - 1
    told = f"{more + 1} broken lines, the first at offset {first}" if more else f"1 broken line, at offset {first}"
    lost = _lost(columns)
    return f"{told}: {lost} of {len(columns.save_lines)} saves are lost" if lost else told


def _lost(columns: Columns) -> int:
    """How many saves are lost, as far as the lines tell."""
    return sum(after - first for first, after in columns.lost())


def _date(utc: int) -> str | None:
    """The time as ISO 8601; None if it is outside the calendar."""
    try:
        return (_EPOCH + timedelta(microseconds=utc)).isoformat()
    except OverflowError:
        return None
