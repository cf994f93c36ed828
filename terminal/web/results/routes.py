"""The addresses of the pages about games that ended.

``/scores``, ``/recent`` (each with ``game``, ``role``, ``month``), ``/player/NAME``, ``/dumps/NAME``, ``/recent.rss``;
for programs ``/api/games``, ``/api/scores``, ``/api/recent``, ``/api/players/NAME``, which any page may ask.
"""

from typing import Final, Protocol

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from terminal.web.processes.history import Answer, Question
from terminal.web.recordings import Recordings, Row
from terminal.web.results.asking import Asking
from terminal.web.results.feeds import as_json, game_record, rss
from terminal.web.results.pages import player_page, recent_page, scores_page, tournament_page
from terminal.web.results.records import Record, linked, live, shown_of

__all__ = ["results"]

_LONGEST: Final = 200  # characters of what is asked for
_MOST: Final = 1000  # games in an answer
_ANYBODY: Final = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}
_HTML, _JSON, _RSS = "text/html; charset=utf-8", "application/json", "application/rss+xml; charset=utf-8"


class Site(Protocol):
    """What there is to be seen."""

    recordings: Recordings

    @property
    def play(self) -> str | None:
        """The address of the page where players play; None where there is none."""
        ...

    @property
    def asking(self) -> Asking:
        """Who answers questions about games that ended."""
        ...

    def address(self, scheme: str, host: str) -> str:
        """The address of the site, without a slash at its end."""
        ...

    def watchers(self, row: Row) -> int:
        """How many watch a recording."""
        ...


def results(site: Site) -> list[Route]:
    """The routes of a site."""

    async def best(request: Request) -> tuple[Question, Answer, list[Record]]:
        return await asked(_question(request, "scores"))

    async def latest(request: Request) -> tuple[Question, Answer, list[Record]]:
        return await asked(_question(request, "recent"))

    async def asked(question: Question) -> tuple[Question, Answer, list[Record]]:
        answer = await site.asking.ask(question)
        return question, answer, linked(answer.scores, site.recordings.rows.values())

    async def player(request: Request) -> tuple[str, Answer, list[Record], list[Row], list[Row]]:
        name = request.path_params["name"][:_LONGEST]
        _, answer, scores = await asked(Question(kind="player", player=name))
        rows = shown_of(name, site.recordings.rows.values())
        if not scores and not rows:
            raise HTTPException(404, "nobody of this name has played here")
        name = rows[0].player if rows else scores[0]["player"]
        return name, answer, scores, live(rows), [row for row in rows if not row.playing]

    def record(row: Row) -> Record:
        return game_record(row, site.watchers(row))

    async def scores_html(request: Request) -> Response:
        return Response(scores_page(*await best(request), site.play), media_type=_HTML)

    async def recent_html(request: Request) -> Response:
        return Response(recent_page(*await latest(request), site.play), media_type=_HTML)

    async def recent_rss(request: Request) -> Response:
        _, _, scores = await latest(request)
        address = site.address(request.url.scheme, request.headers.get("host", ""))
        return Response(rss(scores, address), media_type=_RSS, headers=_ANYBODY)

    async def player_html(request: Request) -> Response:
        return Response(player_page(*await player(request), site.play), media_type=_HTML)

    async def dump(request: Request) -> Response:
        answer = await site.asking.ask(Question(kind="dump", name=request.path_params["name"][:_LONGEST]))
        if not answer.found:
            raise HTTPException(404)
        return Response(answer.text, media_type="text/plain; charset=utf-8")

    async def tournament(request: Request) -> tuple[Answer, list[Record]]:
        _, answer, scores = await asked(Question(kind="tournament", name=request.path_params["name"][:_LONGEST]))
        if not answer.found:
            raise HTTPException(404)
        return answer, scores

    async def tournament_html(request: Request) -> Response:
        answer, scores = await tournament(request)
        return Response(tournament_page(answer, scores, site.play), media_type=_HTML)

    async def tournament_json(request: Request) -> Response:
        answer, scores = await tournament(request)
        return _json({"title": answer.text, "places": scores, "untold": answer.untold})

    async def games_json(request: Request) -> Response:
        return _json({"games": [*map(record, live(site.recordings.rows.values())[:_MOST])]})

    async def scores_json(request: Request) -> Response:
        _, answer, scores = await best(request)
        return _json({"total": answer.total, "scores": scores})

    async def recent_json(request: Request) -> Response:
        _, answer, scores = await latest(request)
        return _json({"total": answer.total, "deaths": answer.died, "wins": answer.won, "scores": scores})

    async def player_json(request: Request) -> Response:
        name, answer, scores, playing, others = await player(request)
        totals = {"total": answer.total, "deaths": answer.died, "wins": answer.won, "play_time": answer.played}
        games = {"games": [*map(record, playing)], "recordings": [*map(record, others)]}
        return _json({"player": name, **totals, "best": answer.best, "scores": scores, **games})

    return [
        Route("/scores", scores_html),
        Route("/recent", recent_html),
        Route("/recent.rss", recent_rss),
        Route("/player/{name:path}", player_html),
        Route("/dumps/{name}", dump),
        Route("/tournament/{name}", tournament_html),
        Route("/api/tournaments/{name}", tournament_json),
        Route("/api/games", games_json),
        Route("/api/scores", scores_json),
        Route("/api/recent", recent_json),
        Route("/api/players/{name:path}", player_json),
    ]


def _json(value: object) -> Response:
    return Response(as_json(value), media_type=_JSON, headers=_ANYBODY)


def _question(request: Request, kind: str) -> Question:
    given = request.query_params
    game, role, month = (given.get(name, "")[:_LONGEST] for name in ("game", "role", "month"))
    return Question(kind=kind, game=game, role=role, month=month)
