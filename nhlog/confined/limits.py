"""The limits of a process of ours that reads what others wrote: the files that it writes, and its memory."""

import resource
import signal

__all__ = ["limit"]


def limit(memory: int, file: int = 0) -> None:
    """Let this process have so many bytes of memory of its own, write files of so many, and leave none when it fails.

    What ends it is the end of its channel, not the key that ends the process which it works for.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (file, file))
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who typed it ends the process that we work for, which ends us
