"""Recordings at an address: one request for each range; raises where nothing answers (exit code 7).

``http`` and ``https`` need nothing but Python; everything else that fsspec knows (``s3``, ``memory``...) needs it, and
what it needs itself.
"""

import time
from http.client import HTTPException
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from nhlog.errors import NhlogError, RemoteUnreachable, Unsupported
from nhlog.formats.hollowcube.reading.source import PREAMBLE, Missing, Source

__all__ = ["Address", "Web", "open_remote"]

_TIMEOUT: Final = 10.0  # seconds for an answer
_ATTEMPTS: Final = 3  # and a pause between them, as the game's own client does (spec 7)
_PAUSE: Final = 0.25  # seconds


def open_remote(path: str) -> Source:
    """The recording at an address: a file, or a folder by its preamble or with a slash at its end."""
    return Web(path) if path.startswith(("http://", "https://")) else Address(path)


class _Remote:
    """What both kinds of address have in common."""

    local = False

    def __init__(self, path: str) -> None:
        self.path = path
        self.folder = path.endswith(("/", f"/{PREAMBLE}"))
        self._root = path.removesuffix(PREAMBLE) if self.folder else path

    def names(self) -> tuple[str, ...]:
        """Folders there are not listed: what the index names is asked for."""
        return ()

    def reopen(self) -> None:
        """Nothing is open."""

    def close(self) -> None:
        """Nothing is open."""


class Web(_Remote):
    """A recording on a web server that answers requests for ranges."""

    def read(self, name: str, offset: int, length: int) -> bytes:
        """One request for that range."""
        if length <= 0:
            return b""
        data: bytes = self._ask(name, {"Range": f"bytes={offset}-{offset + length - 1}"}, offset, length)
        return data

    def size(self, name: str) -> int | None:
        """What the server says of its length."""
        try:
            length = self._ask(name, None)["Content-Length"]
        except Missing:
            return None
        return int(length) if length and length.isdecimal() else 0

    def stamp(self, name: str) -> object:
        """What the server says of its version; a lone file is complete, and never asked for."""
        if not self.folder:
            return None
        try:
            headers = self._ask(name, None)
        except Missing:
            return None
        return tuple(headers[key] for key in ("ETag", "Last-Modified", "Content-Length"))

    def _ask(self, name: str, headers: dict[str, str] | None, offset: int = 0, length: int = 0) -> Any:
        """The range that the headers ask for, or without any what a server says of the file."""
        request = Request(self._root + name, headers=headers or {}, method="GET" if headers else "HEAD")
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                with urlopen(request, timeout=_TIMEOUT) as answer:
                    if headers is None:
                        return answer.headers
                    return self._range(answer, offset, length)
            except HTTPError as error:
                error.close()
                if error.code == 416:  # the range begins behind the end
                    return b""
                if error.code in (404, 410):
                    raise Missing(f"{name or 'the file'} is not there: {error}", file=self.path) from None
                reason: object = error
                if error.code < 500:
                    break
            except (URLError, HTTPException, OSError) as error:
                reason = getattr(error, "reason", error)
            if attempt < _ATTEMPTS:
                time.sleep(_PAUSE)
        raise RemoteUnreachable(f"no answer: {reason}", file=self.path)

    def _range(self, answer: Any, offset: int, length: int) -> bytes:
        """The bytes of an answer, however much the server sends."""
        if answer.status != 206 and offset:
            raise Unsupported("the server does not answer requests for ranges", file=self.path, found=answer.status)
        data: bytes = answer.read(length)
        return data


class Address(_Remote):
    """A recording in a file system that fsspec knows."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        try:
            from fsspec.core import url_to_fs  # type: ignore[import-untyped]
        except ImportError:
            raise Unsupported(
                "recordings at such an address need fsspec", file=path, expected="pip install nhlog[remote]"
            ) from None
        try:
            self._files, self._place = url_to_fs(self._root)
        except (ImportError, ValueError) as error:
            raise Unsupported(f"no such address: {error}", file=path) from None
        if self.folder:
            self._place = self._place.rstrip("/") + "/"

    def read(self, name: str, offset: int, length: int) -> bytes:
        """One request for that range."""
        data: bytes = self._call(name, "cat_file", start=offset, end=offset + length) if length > 0 else b""
        return data[:length]

    def size(self, name: str) -> int | None:
        """Its length."""
        try:
            return int(self._call(name, "size") or 0)
        except Missing:
            return None

    def stamp(self, name: str) -> object:
        """What the file system says of it; a lone file is complete, and never asked for."""
        if not self.folder:
            return None
        try:
            return repr(self._call(name, "info"))
        except Missing:
            return None

    def _call(self, name: str, what: str, **values: int) -> Any:
        try:
            if self.folder:
                self._files.invalidate_cache()
            return getattr(self._files, what)(self._place + name, **values)
        except FileNotFoundError:
            raise Missing(f"{name or 'the file'} is not there", file=self.path) from None
        except NhlogError:
            raise
        except Exception as error:  # each file system has errors of its own
            raise RemoteUnreachable(f"no answer: {error}", file=self.path) from None
