"""Typescripts keep the contract of recordings; a file of times lies beside each, with an output a line."""

from collections.abc import Iterator
from pathlib import Path

from nhlog.replay import Change
from nhlog.testing import portrait
from nhlog.testing.recordings import Opener
from tests.contract.recorded import RecordedTerminal, styled

FIRST = b'Script started on 2026-11-21 23:55:33+00:00 [COMMAND="game" TERM="xterm" COLUMNS="40" LINES="7"]\n'
BAD = FIRST.replace(b"23:55:33", b"00:00:00")  # of which the times are damaged
LAST = b'\nScript done on 2026-11-21 23:55:36+00:00 [COMMAND_EXIT_CODE="0"]\n'


def lines(count: int, first: int = 0, size: int = 1) -> bytes:
    return "".join(styled(count, first, size)).encode()


class TestTypescript(RecordedTerminal):
    ending = ".typescript"

    def complete(self) -> bytes:
        return FIRST + lines(12) + LAST

    def growing(self) -> tuple[bytes, bytes]:
        return FIRST + lines(5), lines(3, 5)

    def finished(self, data: bytes) -> bytes:
        return data + LAST

    def rewound(self, data: bytes) -> bytes:
        return FIRST.replace(b"55:33", b"55:35") + lines(3)

    def other(self) -> bytes:
        return FIRST.replace(b"55:33", b"55:34") + b"another one\n" + lines(9)

    def damaged(self) -> Iterator[bytes]:
        for count in (1, 9, 90):
            yield BAD + lines(count)

    def big(self) -> bytes:
        return FIRST + lines(300, size=60) + LAST

    def is_recorded(self, data: bytes) -> bool:
        return data.startswith(FIRST) and not data.endswith(LAST)

    def put(self, path: Path, data: bytes) -> None:
        """With the times of the lines that are whole."""
        super().put(path, data)
        self._put_times(path)

    def move(self, path: Path, other: Path) -> None:
        super().move(path, other)
        path.with_suffix(".timing").rename(other.with_suffix(".timing"))

    def append(self, path: Path, data: bytes) -> None:
        super().append(path, data)
        self._put_times(path)

    def _put_times(self, path: Path) -> None:
        written = path.read_bytes().removesuffix(LAST).splitlines(keepends=True)
        sizes = [len(line) for line in written[1:] if line.endswith(b"\n")]
        times = "".join(f"0.250000 {size}\n" for size in sizes) if written and written[0][:6] == b"Script" else ""
        path.with_suffix(".timing").write_text("no times\n" * (written[:1] == [BAD]) + times)

    def test_another_recording_under_its_name_is_told_once(self, opened: Opener, path: Path) -> None:
        """The times go with it."""
        old, new = self._grows()
        self.put(path, old + new)
        replay = opened(path)
        other = path.with_name("other.typescript")
        self.put(other, self.other())
        for name in (path.with_suffix(".timing"), path):
            name.rename(name.with_stem("former"))
            name.with_stem("other").rename(name)
        assert [replay.refresh() for _ in range(2)] == [Change.REPLACED, Change.NOTHING]
        assert portrait(opened(path)) == portrait(opened(self.other()))
