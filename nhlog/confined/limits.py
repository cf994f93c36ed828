"""The limits of a process of ours that reads what others wrote: it writes no file, and has so much memory."""

import resource
import signal

__all__ = ["limit"]


def limit(memory: int) -> None:
    """Let this process write to no file, leave none when it fails, and have so many bytes of memory of its own.

    What ends it is the end of its channel, not the key that ends the process which it works for.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who typed it ends the process that we work for, which ends us
