"""What counts as the format of a file that is no recording: every operation says what the file is instead.

A file without a byte may still become one: it is waited for, as of any format.
"""

from typing import Any, Final, NoReturn

from nhlog.errors import TooShort, Unsupported
from nhlog.files import STDIN, first_bytes
from nhlog.files.kinds import EMPTY, kind_of
from nhlog.operations import Operations

__all__ = ["OPERATIONS"]


def _refuse(path: str, *arguments: Any, **options: Any) -> NoReturn:
    """Raise :class:`Unsupported` with what is known of the file, or the error of one that cannot be opened."""
    from nhlog.formats import formats

    kind, file = kind_of(path), STDIN if path == "-" else path
    if kind is None and path != "-":
        first_bytes(path, 1)  # whose error says more
    if kind == EMPTY:
        raise TooShort(EMPTY, file=file, expected="a recording")
    names = ", ".join(one.name for one in formats())
    told = f"{kind or 'a file of unknown kind'}, none of the recordings that nhlog opens: {names}"
    raise Unsupported(told, file=file)


OPERATIONS: Final = Operations(
    open=_refuse,
    info=_refuse,
    listing=_refuse,
    dump=_refuse,
    state=_refuse,
    verify=_refuse,
    events=_refuse,
    stats=_refuse,
    diff=_refuse,
    convert=_refuse,
    compact=_refuse,
    recover=_refuse,
    rescue=_refuse,
    rewind=_refuse,
    get_metadata=_refuse,
    set_metadata=_refuse,
    merge_metadata=_refuse,
)
