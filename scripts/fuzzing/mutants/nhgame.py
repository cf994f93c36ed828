"""Logs of NetHack 4 and of delve: header fields, lines, blobs, and the saves and diffs inside them."""

import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Final

from nhlog.formats.nhgame.open import open_log
from nhlog.log.wire.blob import BadBlob, Blob
from nhlog.mdiff.reference import encode
from nhlog.mdiff.table import BETA3, FORMS, ORDER
from nhlog.mdiff.table import encode as encode_command
from scripts.fuzzing.mutants.change import (
    SAMPLES,
    around,
    bend,
    bend_bytes,
    bend_parts,
    bend_text,
    rarely,
)

__all__ = ["mutant"]

_HEADER: Final = 3  # lines
_BLOBS: Final = re.compile(rb"(\*[0-9a-f]{8} |~|L|B| T)(\$\d+\$)?([A-Za-z0-9+/=]+)$")
_NUMBERS: Final = re.compile(rb"-?\d+")
_KINDS: Final = b"+PDKYMOLBRQ*~azA"
_LINES: Final = 60  # of a log that we take, at most


@dataclass(frozen=True)
class _Seed:
    """A log's lines without their newlines, and the saves of its save lines in order."""

    lines: tuple[bytes, ...]
    saves: tuple[bytes, ...]


@cache
def _seed(name: str) -> _Seed:
    path = SAMPLES / f"{name}.nhgame"
    lines = path.read_bytes().split(b"\n")[:-1]
    log = open_log(str(path))
    with closing(log.source):
        saves = [log.save(number) for number in range(sum(map(_is_save, lines[_HEADER:])))]
    return _Seed(tuple(lines), tuple(saves))


def mutant(chance: Random) -> Mapping[str, bytes]:
    """A part of a game, from a backup on, bent in one to four places."""
    seed = _seed(chance.choice(("all-line-kinds", "delve", "died2", "scripted1")))
    header, body = list(seed.lines[:_HEADER]), _part(chance, seed)
    for _ in range(chance.choice((0, 1, 1, 2, 4))):
        if rarely(chance, 5):
            header = bend_parts(chance, header, _bend_header)
        else:
            body = bend_parts(chance, body, _bend_line)
    data = _joined(header, body, relinked=not rarely(chance, 6))
    if rarely(chance, 12):
        data = bend_bytes(chance, data)
    if rarely(chance, 20):
        data += chance.choice((b"mov", b"~", b"*0000", b"\0" * chance.choice((1, 64, 4096)), b"\n\n", b"x" * 70_000))
    return {"case.nhgame": data}


def _part(chance: Random, seed: _Seed) -> list[bytes]:
    """Some lines that follow each other, behind a backup of the save that was in force there; one save is bent."""
    every = seed.lines[_HEADER:]
    first = chance.choice((0, chance.randrange(len(every))))
    last = first + chance.randint(1, _LINES)
    number = sum(_is_save(line) for line in every[:first])
    lines = list(every[first:last])
    if number:
        lines[:0], number = [_backup(seed.saves[number - 1])], number - 1
    if not rarely(chance, 2):
        return lines
    places = [place for place, line in enumerate(lines) if _is_save(line)]
    at = chance.choice(places[:3])  # what follows a bent save is not reached where it cannot be read
    known = number + places.index(at)
    bent = _bend_save(chance, seed.saves[known])
    lines[at] = _save_line(chance, lines[at], seed.saves[known - 1], bent)
    if after := [place for place in places if place > at]:
        lines[after[0]] = _save_line(chance, lines[after[0]], bent, seed.saves[known + 1])
    return lines


def _is_save(line: bytes) -> bool:
    return line[:1] in (b"*", b"~")


def _save_line(chance: Random, line: bytes, old: bytes, new: bytes) -> bytes:
    """The line that has `new` in the place of what it had, and of its kind."""
    return _backup(new) if line[:1] == b"*" else b"~" + Blob.of(_diff(chance, old, new)).text


def _backup(save: bytes) -> bytes:
    return b"*00000000 " + Blob.of(save).text


def _diff(chance: Random, old: bytes, new: bytes) -> bytes:
    """A diff that is right, or one that is written as one but is not."""
    if not rarely(chance, 8):
        return encode(old, new)
    diff, order = bytearray(BETA3), ORDER
    for _ in range(chance.randrange(1, 8)):
        command = chance.randrange(len(FORMS))
        try:
            code, order = encode_command(order, command, around(bend(chance, 64), 32), chance.randrange(4))
        except (OverflowError, ValueError, KeyError, IndexError):
            continue  # no such command
        diff += code + chance.randbytes(chance.choice((0, 1, 2, 4)))
    return bytes(diff)


def _bend_save(chance: Random, save: bytes) -> bytes:
    for _ in range(chance.choice((1, 1, 3, 20))):
        save = bend_bytes(chance, save)
    return save


def _bend_header(chance: Random, line: bytes) -> bytes:
    """A header line with one of its words bent, its width kept most of the time."""
    words = line.split(b" ")
    at = chance.randrange(len(words))
    match chance.randrange(4):
        case 0:
            words[at] = bend_text(chance, words[at].decode("latin-1")).encode("utf-8", "surrogatepass")
        case 1:
            words[at] = b"%d" % bend(chance, 1)
        case 2:
            words[at] = Blob.of(bend_text(chance, "Ann").encode("utf-8", "surrogatepass")).text
        case _:
            return bend_bytes(chance, line)
    new = b" ".join(words)
    return new if rarely(chance, 4) else new[: len(line)].ljust(len(line))


def _bend_line(chance: Random, line: bytes) -> bytes:
    """A line whose blob, numbers, kind or bytes are bent."""
    blob = _BLOBS.search(line)
    if blob and not rarely(chance, 4):
        return line[: blob.start(2) if blob[2] else blob.start(3)] + _bend_blob(chance, (blob[2] or b"") + blob[3])
    numbers = list(_NUMBERS.finditer(line))
    match chance.randrange(4):
        case 0 | 1 if numbers:
            found = chance.choice(numbers)
            return line[: found.start()] + b"%d" % bend(chance, int(found[0][:18])) + line[found.end() :]
        case 2:
            return chance.choice(_KINDS).to_bytes() + line[1:]
        case _:
            return bend_bytes(chance, line)


def _bend_blob(chance: Random, text: bytes) -> bytes:
    """What is in it bent and packed again, or its length, or its text."""
    length, end = text.split(b"$")[1:2] or [b""], text.rfind(b"$") + 1
    match chance.randrange(6):
        case 0 if length[0]:
            return b"$%d$" % bend(chance, int(length[0])) + text[end:]
        case 1:
            return bend_bytes(chance, text)
        case _:
            try:
                data = Blob(text).decode()
            except BadBlob:
                return bend_bytes(chance, text)
            return Blob.of(_bend_save(chance, data)).text


def _joined(header: Sequence[bytes], body: Sequence[bytes], *, relinked: bool) -> bytes:
    """The log, the first backup's pointer that of the last and the others' those of the ones before, if relinked."""
    data = bytearray(b"".join(line + b"\n" for line in header))
    places = []
    for line in body:
        if line[:1] == b"*" and relinked:
            places.append(len(data))
            line = b"*%08x " % (places[-2] if places[1:] else 0) + line[10:]
        data += line + b"\n"
    if places:
        data[places[0] + 1 : places[0] + 9] = b"%08x" % places[-1]
    return bytes(data)
