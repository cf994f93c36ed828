"""What is forked in tests of `nhlog.forked`: it answers with all that there is to say about its process, and waits."""

import json
import os
import resource
import signal
import sys

__all__ = ["main", "prepare"]

_ready = False


def prepare() -> None:
    """Note that it was done, which an interpreter of its own does not do, and block a signal as some modules do."""
    global _ready
    _ready = True
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGURG])


def main() -> None:
    """Answer, and go on until what was given is over: `wait` is a FIFO that nobody writes to for long."""
    given = json.loads(sys.stdin.buffer.read())
    answer = {
        "pid": os.getpid(),
        "session": os.getsid(0),
        "service": os.getppid() if _ready else None,
        "folder": os.getcwd(),
        "environment": {name: value for name, value in os.environ.items() if name.startswith("OF_")},
        "umask": os.umask(0),
        "files": resource.getrlimit(resource.RLIMIT_NOFILE)[0],
        "priority": os.getpriority(os.PRIO_PROCESS, 0),
        "ignored": signal.getsignal(signal.SIGUSR1) == signal.SIG_IGN,
        "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, []) & {signal.SIGUSR2, signal.SIGURG}),
        "descriptors": sorted(map(int, os.listdir("/proc/self/fd")))[:-1],  # the last one is that of this list
    }
    waited = open(given.get("wait", os.devnull), "rb")  # noqa: SIM115 - before anybody hears of us: it is soon nobody's
    os.write(1, json.dumps(answer).encode())
    null = os.open(os.devnull, os.O_RDWR)
    for channel in (0, 1):
        os.dup2(null, channel)
    waited.read()
