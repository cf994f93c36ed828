"""The one way to open files: only regular files, without blocking, and without following foreign links.

The public names here are for reading.  `atomic` writes files completely or not at all, and `cuts` cuts them and keeps
what was cut off.  Must not import anything else of nhlog but the errors.
"""

from nhlog.files.locking import is_being_written, lock, lock_whole, lock_within, mark
from nhlog.files.opening import (
    Identity,
    claim,
    create_file,
    open_folder,
    open_inner_folder,
    open_only_name,
    open_regular,
    open_subfolder,
    release,
    reopen_regular,
)
from nhlog.files.reading import (
    CHUNK,
    STDIN,
    STDOUT,
    File,
    Memory,
    Source,
    first_bytes,
    made_of,
    open_file,
    open_source,
    read_at,
    read_pieces,
    read_whole,
)
from nhlog.files.refusals import CannotOpen, CannotWrite, as_ours, naming, reason, refusals
from nhlog.files.stamps import Fate, Stamp, fate_of, fate_told, may_come, place_of, stamp_at, stamp_of

__all__ = [
    "CHUNK",
    "STDIN",
    "STDOUT",
    "CannotOpen",
    "CannotWrite",
    "Fate",
    "File",
    "Identity",
    "Memory",
    "Source",
    "Stamp",
    "as_ours",
    "claim",
    "create_file",
    "fate_of",
    "fate_told",
    "first_bytes",
    "is_being_written",
    "lock",
    "lock_whole",
    "lock_within",
    "made_of",
    "mark",
    "may_come",
    "naming",
    "open_file",
    "open_folder",
    "open_inner_folder",
    "open_only_name",
    "open_regular",
    "open_source",
    "open_subfolder",
    "place_of",
    "read_at",
    "read_pieces",
    "read_whole",
    "reason",
    "refusals",
    "release",
    "reopen_regular",
    "stamp_at",
    "stamp_of",
]
