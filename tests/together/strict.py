"""A writer at full speed that is stricter than ours: who was asked for the lock, and keeps it, has to answer.

``python -m tests.together.strict LOG`` says ``ready``, then writes until its input ends, and at last says how many
lines it wrote, and which were refused and why.  Ours would look after 1 ms whether who was asked still lives.
"""

import select
import sys

from nhlog.errors import LockNotObtained
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.locks import keeper
from nhlog.log.log import Log
from nhlog.log.wire.lines import Command

keeper._LOOK_AGAIN = keeper.PATIENCE = 30.0  # seconds: what is starved on a busy machine makes nothing fail


def main(path: str) -> None:
    written, refused = 0, list[str]()
    with LogFile(path, writable=True) as file:
        log = Log(file)
        writer = Writer(log)
        print("ready", flush=True)
        while not select.select([sys.stdin], [], [], 0.001)[0]:
            try:
                writer.append(Command("search"))
                written += 1
            except LockNotObtained as error:
                refused.append(str(error))
    print(f"{written} written, {len(refused)} refused: {refused[:3]}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
