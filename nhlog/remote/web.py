"""Files on web servers that answer requests for ranges; nothing that a server says is believed before it is checked."""

import re
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from socket import SHUT_RDWR, socket
from typing import Final, TypeVar
from urllib.parse import quote, urljoin, urlsplit
from urllib.request import HTTPHandler, HTTPSHandler, OpenerDirector, ProxyHandler, Request, UnknownHandler

from nhlog.errors import RemoteUnreachable, Unsupported, Usage
from nhlog.files import CHUNK
from nhlog.remote.address import MOST_DIGITS, Address, NotThere, ask, broken, is_empty, other_length, other_range, short

__all__ = ["WebAddress"]

_SILENCE: Final = 10.0  # seconds without a byte after which a connection counts as broken
_AT_ONCE: Final = 1.0  # seconds that an interface of this machine or the next may take
_REDIRECTS: Final = 5  # one after the other

_MOVED: Final = (301, 302, 303, 307, 308)
_GONE: Final = (404, 410)
_BUSY: Final = (408, 429)  # and all from 500 on: to be asked again
_BEHIND_THE_END: Final = 416

_RANGE: Final = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)", re.ASCII)
_END: Final = re.compile(r"bytes \*/(\d{1,18})", re.ASCII)
_HOST: Final = re.compile(r"[\w.:%~-]+", re.ASCII)
_ALLOWED: Final = "%/:?#[]@!$&'()*+,;=~"  # in an address: what is reserved, and escapes that are there already

T = TypeVar("T")


class WebAddress(Address):
    """On a web server that answers requests for ranges."""

    def __init__(self, address: str) -> None:
        self.name = address
        try:
            self._address = _ascii(address)
        except ValueError as error:
            raise Usage(f"no such address: {error}", file=address) from None

    def size(self, name: str = "") -> int:
        """What the server says of its length; 0 where it does not."""
        return self._get(name, {}, lambda answer: _length(_described(answer))) or 0

    def pread(self, size: int, offset: int, name: str = "") -> bytes:
        """One request for that range."""
        if is_empty(size, offset):
            return b""
        wanted = {"Range": f"bytes={offset}-{offset + size - 1}"}
        return self._get(name, wanted, lambda answer: _ranged(answer, size, offset), size)

    def now(self, most: int) -> bytes:
        """All that is there now, at most `most` bytes: of an interface that is asked again and again.

        It is asked once, and not waited for: raises :class:`NotThere`, and :class:`~nhlog.errors.RemoteUnreachable` if
        no proper answer comes at once.
        """
        lines = _Lines()

        def act() -> bytes:
            with lines.answer(self._address, {"Accept": "application/json"}) as answer:
                data = _described(answer).read(most + 1)
            if len(data) > most:
                raise RemoteUnreachable("the answer is too long", expected=f"at most {most} bytes")
            return data

        return ask(act, self.name, 0, lines.cut, patience=_AT_ONCE, attempts=1)

    def version(self, name: str = "") -> object:
        """What the server says of its version."""
        return self._get(name, {}, _version)

    def _get(self, name: str, headers: dict[str, str], take: Callable[[HTTPResponse], T], size: int = 0) -> T:
        """What `take` makes of the answer to a request for a range, or without one of what the server says of it."""
        lines = _Lines()

        def act() -> T:
            with lines.answer(self._address + name, headers) as answer:
                return take(answer)

        return ask(act, self.name + name, size, lines.cut)


class _Lines:
    """The connections of one request, which can be cut by another thread."""

    def __init__(self) -> None:
        self._open: list[socket] = []
        self._cut = False

    def note(self, line: socket) -> None:
        """There is one more."""
        self._open.append(line)
        if self._cut:
            self.cut()

    def cut(self) -> None:
        """Wake whoever waits for something from them: nothing comes."""
        self._cut = True
        for line in self._open:
            with suppress(OSError):  # it is closed already
                line.shutdown(SHUT_RDWR)

    def answer(self, address: str, headers: dict[str, str]) -> HTTPResponse:
        """The answer of the server, or of the one that it sends us on to."""
        web = OpenerDirector()
        for handler in (ProxyHandler(), _Plain(self), _Secure(self), UnknownHandler()):
            web.add_handler(handler)
        method = "GET" if headers else "HEAD"
        for _ in range(_REDIRECTS + 1):
            answer: HTTPResponse = web.open(Request(address, headers=headers, method=method), timeout=_SILENCE)
            place = answer.headers["Location"]
            if answer.status not in _MOVED or place is None:
                return answer
            answer.close()
            address = _moved(address, place)
        raise RemoteUnreachable("too many redirects", expected=f"at most {_REDIRECTS} redirects")


class _Plain(HTTPHandler):
    """Connections that are noted."""

    def __init__(self, lines: _Lines) -> None:
        super().__init__()
        self._lines = lines

    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(_noted(HTTPConnection, self._lines), req)


class _Secure(HTTPSHandler):
    """The same over TLS."""

    def __init__(self, lines: _Lines) -> None:
        super().__init__()
        self._lines = lines

    def https_open(self, req: Request) -> HTTPResponse:
        return self.do_open(_noted(HTTPSConnection, self._lines), req)


def _noted(kind: type[HTTPConnection], lines: _Lines) -> type[HTTPConnection]:
    class Noted(kind):  # type: ignore[misc, valid-type]
        def connect(self) -> None:
            super().connect()
            lines.note(self.sock)

    return Noted


def _moved(address: str, place: str) -> str:
    """The address that a redirect leads to; headers are bytes that were read as Latin-1."""
    try:
        new = _ascii(urljoin(address, place.encode("latin-1").decode("utf-8", "surrogateescape")))
    except ValueError as error:
        raise RemoteUnreachable(f"redirected to an invalid address: {error}", found=short(place)) from None
    if urlsplit(new).scheme != urlsplit(address).scheme:
        raise RemoteUnreachable("redirected to another scheme; open that address instead", found=short(new))
    return new


def _ascii(address: str) -> str:
    """An address of the web as it is sent: in ASCII, and nothing in it that would end a line.

    Raises ValueError, which says what is wrong with it.
    """
    if any(char < " " or char == "\x7f" for char in address):
        raise ValueError("it contains a control character")
    parts = urlsplit(address)
    if parts.username is not None:
        raise ValueError("it contains a user name; nhlog does not send any")
    host, port = (parts.hostname or "").encode("idna").decode("ascii"), parts.port
    if parts.scheme not in ("http", "https"):
        return address  # not ours
    if not _HOST.fullmatch(host):
        raise ValueError("it has no host")
    place = f"[{host}]" if ":" in host else host
    rest = quote(parts.path or "/", _ALLOWED, "utf-8", "surrogateescape")
    if parts.query:
        rest += "?" + quote(parts.query, _ALLOWED, "utf-8", "surrogateescape")
    return f"{parts.scheme}://{place}{'' if port is None else f':{port}'}{rest}"


def _described(answer: HTTPResponse) -> HTTPResponse:
    """An answer that tells of the file; raises for one that does not."""
    if answer.status == 200:
        return answer
    if answer.status in _GONE:
        raise NotThere("there is no such file", found=answer.status)
    told = short(f"{answer.status} {answer.reason}".rstrip())
    if answer.status in _BUSY or answer.status >= 500:
        raise ConnectionError(told)
    raise RemoteUnreachable("the server refuses the request", found=told)


def _version(answer: HTTPResponse) -> object:
    headers = _described(answer).headers
    return tuple(headers[key] for key in ("ETag", "Last-Modified", "Content-Length"))


def _length(answer: HTTPResponse) -> int | None:
    """What it says of its length."""
    told = answer.headers["Content-Length"]
    if told is None:
        return None
    if not (told.isascii() and told.isdecimal() and len(told) <= MOST_DIGITS):
        raise other_length(told)
    return int(told)


def _ranged(answer: HTTPResponse, size: int, offset: int) -> bytes:
    """The bytes of an answer that were asked for, however many the server sends."""
    if answer.status == _BEHIND_THE_END:
        end = _END.fullmatch(answer.headers["Content-Range"] or "")
        if end and int(end[1]) > offset:
            raise other_range(size, offset, f"nothing; the file has {end[1]} bytes")
        return b""
    if answer.status == 206:
        expected = _part(answer, size, offset)
        if _length(answer) not in (None, expected):
            raise other_range(size, offset, f"{_length(answer)} bytes")
        return _body(answer, expected, expected)
    _described(answer)
    if offset:
        raise Unsupported("the server does not answer requests for ranges", found=answer.status)
    length = _length(answer)
    return _body(answer, size, 0 if length is None else min(size, length))


def _part(answer: HTTPResponse, size: int, offset: int) -> int:
    """How many bytes come with a Content-Range; raises unless they are those that were asked for."""
    told = answer.headers["Content-Range"]
    found = _RANGE.fullmatch(told or "")
    if found:
        first, last = int(found[1]), int(found[2])
        end = None if found[3] == "*" else int(found[3])
        whole = last == offset + size - 1 or end in (None, last + 1)
        if first == offset <= last < offset + size and whole and (end is None or last < end):
            return last - first + 1
    raise other_range(size, offset, told)


def _body(answer: HTTPResponse, most: int, least: int) -> bytes:
    """What comes, at most `most` bytes of it; raises where it breaks off before `least`.

    Never read by a length that the other side has said: not with `read`, which takes a negative chunk for all.
    """
    data = bytearray()
    room = memoryview(bytearray(min(most, CHUNK)))
    while len(data) < most and (got := answer.readinto(room[: most - len(data)])):
        data += room[:got]
    if len(data) < least:
        raise broken(len(data), least)
    return bytes(data)
