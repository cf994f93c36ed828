"""What a cut changes in a folder is kept as a tar archive of the files as they were, and put back from it.

The bytes behind the cut alone would not do: the preamble is written anew, and the mark of a finished recording goes.
Each file is as old in the archive as it was, to the nanosecond; the files that the cut left are as old, or a nanosecond
younger where it wrote them anew (`nhlog.files.cuts`).  So it is known file by file that nobody recorded since.
"""

import os
import tarfile
from collections.abc import Iterable, Iterator
from typing import Final

from nhlog.files import CHUNK, File, atomic, refusals
from nhlog.files.cuts import CutRefused, date
from nhlog.formats.hollowcube.reading.source import FINISHED, PREAMBLE, segment_number
from nhlog.formats.hollowcube.writing.lock import locked
from nhlog.operations import Record
from nhlog.values import dataclass

__all__ = ["archived", "put_back"]

_SECOND: Final = 10**9
_BLOCK: Final = 512
_END: Final = bytes(2 * _BLOCK)


@dataclass(frozen=True, slots=True)
class _Kept:
    """A file in the archive, and when it was `written`, in nanoseconds since 1970."""

    name: str
    written: int
    member: tarfile.TarInfo


def archived(folder: str, names: Iterable[str]) -> Iterator[bytes]:
    """The archive of these files of a folder, in pieces."""
    for name in names:
        with File(os.path.join(folder, name)) as file:
            stamp = file.stamp()
            seconds, rest = divmod(stamp.modified, _SECOND)
            member = tarfile.TarInfo(name)
            member.size, member.mtime = stamp.size, seconds
            member.pax_headers = {"mtime": f"{seconds}.{rest:09}"}
            yield member.tobuf(tarfile.PAX_FORMAT)
            for offset in range(0, stamp.size, CHUNK):
                yield file.pread(min(CHUNK, stamp.size - offset), offset)
            yield bytes(-stamp.size % _BLOCK)
    yield _END


def put_back(folder: str, kept: str, *, dry_run: bool) -> Record:
    """Make the files of a folder what they were; raises :class:`CutRefused` where somebody recorded since."""
    with locked(folder), _opened(kept) as archive:
        found = _files(archive, kept)
        _check_as_cut(folder, found, kept)
        if not dry_run:
            for file in sorted(found, key=_order):
                _restore(archive, file, folder)
    return {"size": sum(file.member.size for file in found)}


def _opened(kept: str) -> tarfile.TarFile:
    try:
        return tarfile.open(kept, "r:")
    except tarfile.TarError:
        told = "it has only the bytes behind the cut, and not the files that the cut changed"
        raise CutRefused(told, file=kept, expected="a tar archive") from None


def _files(archive: tarfile.TarFile, kept: str) -> list[_Kept]:
    found = []
    for member in archive:
        known = member.name in (PREAMBLE, FINISHED) or segment_number(member.name) is not None
        seconds, _, rest = member.pax_headers.get("mtime", "").partition(".")
        if not (member.isreg() and known and seconds.isdecimal() and rest.isdecimal() and len(rest) == 9):
            raise CutRefused(f"it has what no cut keeps: {member.name!r}", file=kept)
        found.append(_Kept(member.name, int(seconds) * _SECOND + int(rest), member))
    if PREAMBLE not in (file.name for file in found):
        raise CutRefused("it has no preamble", file=kept)
    return found


def _check_as_cut(folder: str, found: list[_Kept], kept: str) -> None:
    """Raise :class:`CutRefused` unless the folder is what the cut left, wherever it may have ended."""
    since = CutRefused("the recording was written to since then", file=kept)
    written = {file.name: file.written for file in found}
    cut = min((number for name in written if (number := segment_number(name)) is not None), default=None)
    for name, time in written.items():
        try:
            now = os.stat(os.path.join(folder, name)).st_mtime_ns
        except FileNotFoundError:
            if name == PREAMBLE or segment_number(name) == cut:
                raise since from None
            continue
        if now - time not in (0, 1):
            raise since
    for name in set(os.listdir(folder)) - set(written):
        number = segment_number(name)
        if name == FINISHED or (number is not None and cut is not None and number >= cut):
            raise since


def _order(file: _Kept) -> tuple[int, int]:
    """What is put back first: at every moment the folder is a beginning of the recording, and what ends it is last."""
    number = segment_number(file.name)
    return (0, number) if number is not None else ((PREAMBLE, FINISHED).index(file.name) + 1, 0)


def _restore(archive: tarfile.TarFile, file: _Kept, folder: str) -> None:
    path = os.path.join(folder, file.name)
    status = os.stat(os.path.join(folder, PREAMBLE))

    def finish(draft: str) -> None:
        atomic.keep_status(draft, status)
        date(draft, file.written)

    stored = archive.extractfile(file.member)
    assert stored is not None  # of a regular file
    with refusals(path), stored:
        atomic.replace(path, iter(lambda: stored.read(CHUNK), b""), finish)
