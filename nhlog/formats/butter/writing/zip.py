"""A zip with one entry, made piece by piece: the form in which recorders leave an .echoreplay in the end."""

from collections.abc import Iterable, Iterator
from zipfile import ZIP_DEFLATED, ZipFile

__all__ = ["zipped"]


class _Sink:
    """A file object that collects what the zip writes until it is fetched."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, part: bytes) -> int:
        self._parts.append(bytes(part))
        return len(part)

    def flush(self) -> None:
        """Do nothing, as nothing is buffered."""

    def fetch(self) -> bytes:
        found = b"".join(self._parts)
        self._parts.clear()
        return found


def zipped(name: str, lines: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes of a zip whose only entry, `name`, has these lines, in pieces."""
    sink = _Sink()
    with ZipFile(sink, "w", ZIP_DEFLATED) as archive:  # type: ignore[call-overload]
        with archive.open(name, "w", force_zip64=True) as entry:
            for line in lines:
                entry.write(line)
                if part := sink.fetch():
                    yield part
        yield sink.fetch()
    yield sink.fetch()
