"""What a process may do that reads what others wrote: limits, and which calls of the system it has.

For processes of ours, which confine themselves before they begin, and for what builds walls around other programs
(:mod:`nhlog.recorder.walls`).  It imports little, as such processes are small.
"""
