"""What a process may do that reads what others wrote: limits, and which files and calls of the system it has.

For processes of ours, which confine themselves before they begin, and for what builds walls around other programs
(:mod:`nhlog.recorder.walls`).  `worker` is such a process of ours as its user sees it.  The rest imports little, as
such processes are small.
"""
