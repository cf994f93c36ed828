"""What is answered to HTTP: the pages and what they need, each from a table, and nothing else."""

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Final

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from terminal.web.admission import Admission
from terminal.web.casts import Casts
from terminal.web.processes.wire import size_class
from terminal.web.results.pages import navigation
from terminal.web.results.routes import results
from terminal.web.site import Site

__all__ = ["Statics", "application", "guarded"]

_HTML, _SCRIPT = "text/html; charset=utf-8", "text/javascript; charset=utf-8"
_STATIC: Final = {
    "lobby.html": _HTML,
    "recording.html": _HTML,
    "play.html": _HTML,
    "lobby.js": _SCRIPT,
    "recording.js": _SCRIPT,
    "play.js": _SCRIPT,
    "keypad.js": _SCRIPT,
    "connection.js": _SCRIPT,
    "grid.js": _SCRIPT,
    "colors.js": _SCRIPT,
    "keys.js": _SCRIPT,
    "page.js": _SCRIPT,
    "talk.js": _SCRIPT,
    "style.css": "text/css; charset=utf-8",
    "lobby.css": "text/css; charset=utf-8",
    "results.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
"""All files that there are, and their types."""
_LINKS: Final = {"lobby.html": b'<nav aria-label="Pages"></nav>', "recording.html": b'<a id="log-in" hidden></a>'}
"""Where a page has links to the others that depend on the site."""
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


class Statics:
    """The files of pages, which are read once."""

    def __init__(self) -> None:
        self._contents = {name: (files("terminal.web") / "static" / name).read_bytes() for name in _STATIC}

    def page(self, name: str, links: str = "") -> Response:
        """The file of this name, which is one of the table; with these links in their place, if there are any."""
        body = self._contents[name].replace(_LINKS[name], links.encode()) if links else self._contents[name]
        return Response(body, media_type=_STATIC[name])

    async def answer(self, request: Request) -> Response:
        """The file that a request asks for."""
        name = request.path_params["name"]
        if name not in _STATIC:
            raise HTTPException(404)
        return self.page(name)


def application(site: Site) -> ASGIApp:
    """The pages of a site."""
    casts = Casts(site.opening)
    statics = Statics()

    links = navigation("/", site.play)
    log_in = "" if site.play is None else f'<a id="log-in" href="{escape(site.play)}" hidden>Log in to talk</a>'

    async def lobby(request: Request) -> Response:
        return statics.page("lobby.html", links)

    async def recording(request: Request) -> Response:
        if await site.found(request.path_params["identity"]) is None:
            raise HTTPException(404)
        return statics.page("recording.html", log_in)

    async def cast(request: Request) -> Response:
        file = await site.found(request.path_params["identity"])
        if file is None:
            raise HTTPException(404)
        if request.method == "HEAD":
            return casts.head()
        size = size_class(request.query_params.get("size", ""))
        return await casts.of(request.scope["source"], file, size)

    routes = [
        Route("/", lobby),
        Route("/r/{identity}", recording),
        Route("/recordings/{identity}.cast", cast),
        Route("/static/{name}", statics.answer),
        *results(site),
    ]
    return guarded(routes, site.admission)


async def _failed(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return PlainTextResponse(f"{error.detail}\n", error.status_code, headers=error.headers)


def guarded(routes: Sequence[Route], admission: Admission) -> ASGIApp:
    """What answers by these routes, with a check of host name and rate, and the headers that every answer has."""
    inner = Starlette(routes=routes, exception_handlers={HTTPException: _failed})
    inner.router.redirect_slashes = False
    ours = [(name.lower().encode(), value.encode()) for name, value in _HEADERS.items()]

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *ours]
            await send(message)

        assert scope["type"] == "http"
        await _answering(scope, admission, inner)(scope, receive, told)

    return answer


def _answering(scope: Scope, admission: Admission, inner: ASGIApp) -> ASGIApp:
    """What answers a request."""
    headers = Headers(scope=scope)
    source = scope["source"] = admission.source_of(
        (scope.get("client") or ("",))[0], headers.getlist("x-forwarded-for")
    )
    if not admission.answers(headers.getlist("host")):
        return PlainTextResponse("this server has no pages for this host name\n", 421)
    if not admission.rates.allow(source):
        return PlainTextResponse("too many requests\n", 429, headers={"Retry-After": "5"})
    return inner
