"""A zip with one entry, made part by part: what recorders make of an .echoreplay in the end."""

from collections.abc import Iterable, Iterator
from zipfile import ZIP_DEFLATED, ZipFile

__all__ = ["zipped"]


class _Sink:
    """Takes what a zip writes, until it is fetched."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, part: bytes) -> int:
        self._parts.append(bytes(part))
        return len(part)

    def flush(self) -> None:
        """Nothing waits here."""

    def fetch(self) -> bytes:
        found = b"".join(self._parts)
        self._parts.clear()
        return found


def zipped(name: str, lines: Iterable[bytes]) -> Iterator[bytes]:
    """A zip whose only entry has these lines, part by part."""
    sink = _Sink()
    with ZipFile(sink, "w", ZIP_DEFLATED) as archive:  # type: ignore[call-overload]
        with archive.open(name, "w", force_zip64=True) as entry:
            for line in lines:
                entry.write(line)
                if part := sink.fetch():
                    yield part
        yield sink.fetch()
    yield sink.fetch()
