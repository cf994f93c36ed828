"""What is answered to HTTP: the page of players, logging in and out, and nothing else."""

import asyncio
from typing import Final, TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from nhlog.beside.file import NotYet
from nhlog.decoding import json_decoder
from nhlog.errors import NhlogError
from nhlog.files import as_ours
from nhlog.players.tickets import SESSION
from terminal.web.admission import is_own_page
from terminal.web.playing.door import COOKIE, PlayersDoor
from terminal.web.routes import Statics, guarded

__all__ = ["application"]

_LONGEST: Final = 1024  # bytes of a body
_PATH: Final = "/play"
T = TypeVar("T")


class Login(msgspec.Struct, frozen=True):
    """What the page sends: the ticket of a link."""

    ticket: str


class Line(msgspec.Struct, frozen=True):
    """What the page of a recording sends: what its viewer says beside it."""

    recording: str
    text: str


def application(door: PlayersDoor) -> ASGIApp:
    """The pages for those who come through this door."""
    statics = Statics()

    async def start(request: Request) -> Response:
        return RedirectResponse(_PATH, 302)

    async def page(request: Request) -> Response:
        return statics.page("play.html")

    async def session(request: Request) -> Response:
        folder = door.player(request.cookies)
        talk = door.talking.talk
        talks = door.talking.guests if folder is None else talk
        return JSONResponse({"player": None if folder is None else folder.name, "talk": talk, "talks": talks})

    async def talk(request: Request) -> Response:
        line = _decoded(await _body(request), Line)
        folder, source = door.player(request.cookies), request.scope["source"]
        if not door.may_say(source):
            raise HTTPException(429, "too much was said just now: wait for some seconds", {"Retry-After": "5"})
        try:
            name = None if folder is None else folder.name
            await asyncio.to_thread(door.talking.say, line.recording, name, source, line.text)
        except NotYet as error:
            raise HTTPException(503, error.what, {"Retry-After": "1"}) from None
        except (OSError, NhlogError) as error:
            raise HTTPException(403, as_ours(error).what) from None
        return JSONResponse({})

    async def login(request: Request) -> Response:
        body = await _body(request)
        if not door.may_log_in(request.scope["source"]):
            raise HTTPException(429, "too many attempts", {"Retry-After": "10"})
        ticket = _decoded(body, Login).ticket
        try:
            found = await door.log_in(ticket, request.scope["source"])
        except (OSError, NhlogError) as error:
            raise HTTPException(503, f"nobody can log in just now: {as_ours(error).what}") from None
        if found is None:
            raise HTTPException(403, "the link was used already, or is too old")
        folder, session = found
        answer = JSONResponse({"player": folder.name})
        answer.set_cookie(
            COOKIE,
            session,
            max_age=SESSION.seconds,
            path=_PATH,
            secure=door.is_secure,
            httponly=True,
            samesite="strict",
        )
        return answer

    async def logout(request: Request) -> Response:
        await _body(request)
        door.log_out(request.cookies)
        answer = JSONResponse({"player": None})
        answer.delete_cookie(COOKIE, path=_PATH, secure=door.is_secure, httponly=True, samesite="strict")
        return answer

    routes = [
        Route("/", start),
        Route(_PATH, page),
        Route(f"{_PATH}/session", session),
        Route(f"{_PATH}/login", login, methods=["POST"]),
        Route(f"{_PATH}/logout", logout, methods=["POST"]),
        Route(f"{_PATH}/talk", talk, methods=["POST"]),
        Route("/static/{name}", statics.answer),
    ]
    return guarded(routes, door.admission)


def _decoded(body: bytes, kind: type[T]) -> T:
    try:
        return json_decoder(kind).decode(body)
    except (ValueError, RecursionError):
        raise HTTPException(400) from None


async def _body(request: Request) -> bytes:
    """The body of a request that changes something: from our own page, and short."""
    if not is_own_page(request.headers.getlist("origin"), request.headers.getlist("host")):
        raise HTTPException(403, "not from this page")
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > _LONGEST:
            raise HTTPException(413)
    return body
