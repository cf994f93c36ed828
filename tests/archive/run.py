"""What `nhlog archive` does with some games, merging after each; as a program it waits for a line before it begins."""

import sys
from collections.abc import Sequence
from contextlib import suppress

from nhlog.archive.catalogue import write_catalogue
from nhlog.archive.writing import Archived, archive
from nhlog.remote.store import Store


def archive_all(address: str, paths: Sequence[str]) -> None:
    store = Store(address)
    for path in paths:
        with suppress(Archived):
            archive(path, store)
        write_catalogue(store)


if __name__ == "__main__":
    print("ready", flush=True)
    sys.stdin.readline()
    archive_all(sys.argv[1], sys.argv[2:])
