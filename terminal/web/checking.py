"""Whether the list of recordings can be made, for `nhlog doctor`: by what makes it for the server, in this process.

Prints a JSON object: how many recordings there are, and which of them cannot be listed.
"""

import json
import socket
import threading
from typing import Final

from nhlog.config import read_config
from terminal.web.places import places_of
from terminal.web.processes.lister import UNTOLD, listing
from terminal.web.processes.wire import RECEIVED, Inbox
from terminal.web.recordings import Recordings

__all__ = ["main"]

MOST: Final = 3  # that are named


def main() -> None:
    """List what the server would; ends with the error that ends it."""
    ours, theirs = socket.socketpair()
    lister = threading.Thread(target=_list, args=(theirs,))
    lister.start()
    inbox, recordings = Inbox(), Recordings()
    with ours:
        while not recordings.ready and (data := ours.recv(RECEIVED)):
            for message in inbox.feed(data):
                recordings.take(message.parts[0])
    lister.join()
    if recordings.ready:
        untold = [row.file for row in recordings.rows.values() if row.state.startswith(UNTOLD)]
        print(json.dumps({"recordings": len(recordings.rows), "untold": untold[:MOST], "more": untold[MOST:] != []}))


def _list(channel: socket.socket) -> None:
    with channel:
        listing(channel, places_of((), read_config()))


if __name__ == "__main__":
    main()
