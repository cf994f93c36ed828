"""Files at addresses, read by ranges of bytes.

- What is given is what was asked for: an answer that breaks off, or is to another question, is asked for again.
- Every request ends, whatever the other side does: with an answer, at its deadline, or at once with Ctrl-C.
- No more is taken into memory than was asked for.
- A server may send us on to another address, but to no other scheme: never to a file of this machine.

``http`` and ``https`` need nothing but Python; everything else that fsspec knows (``s3``, ``memory``...) needs it, and
what it needs itself.  Sizes and offsets are bytes.  Must not import anything of ours but `files` and `errors`.
"""

from nhlog.remote.address import Address, NotThere

__all__ = ["Address", "NotThere", "open_address"]


def open_address(address: str) -> Address:
    """The file or folder at an address.

    Raises :class:`~nhlog.errors.Usage` for one that is malformed, :class:`~nhlog.errors.Unsupported` for one of a kind
    that nobody here knows.  Of the web nothing is asked yet.
    """
    if address.partition("://")[0].lower() in ("http", "https"):
        from nhlog.remote.web import WebAddress

        return WebAddress(address)
    from nhlog.remote.filesystem import FileSystemAddress

    return FileSystemAddress(address)
