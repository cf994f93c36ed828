"""What a process has left that reads what others wrote."""

import errno
import os
import resource
import signal
from pathlib import Path

from nhlog.confined.limits import limit
from tests.processes import as_oneself


def test_who_is_limited_writes_to_no_file_leaves_none_and_has_so_much_memory(tmp_path: Path) -> None:
    def act() -> str:
        limit(1 << 30)
        os.kill(os.getpid(), signal.SIGINT)  # typed to the process that it works for
        told = [str(resource.getrlimit(resource.RLIMIT_CORE))]
        try:
            (tmp_path / "file").write_bytes(b".")
        except OSError as error:
            told.append(errno.errorcode[error.errno or 0])
        try:
            bytearray(1 << 31)
        except MemoryError:
            told.append("no memory")
        return " ".join(told)

    assert as_oneself(act) == "(0, 0) EFBIG no memory"
