"""Records as pages: HTML without scripts, so that every browser and every program can read them.

All texts are those of games and players, and pass through `text`, which leaves nothing in them that is markup, or that
may not be printed.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from typing import Any, Final
from urllib.parse import quote, urlencode

from terminal.text.words import clock, not_counted, printable
from terminal.web.processes.history import Answer, Question
from terminal.web.recordings import Row
from terminal.web.results.records import Record

__all__ = ["moment", "navigation", "player_page", "recent_page", "scores_page", "text", "tournament_page"]

_SECOND: Final = 1_000_000
_PARTS: Final = {"game": "games", "role": "roles", "month": "months"}
"""What one chooses by, and where an answer has the choices."""

_ANY: Final = {"game": "All games", "role": "All roles", "month": "All time"}


def text(value: object) -> str:
    """A value as text of a page."""
    return escape(printable(str(value)))


def moment(end: int | None, written: str = "%Y-%m-%d %H:%M") -> str:
    """A moment in UTC; empty for one that is unknown, or in no calendar."""
    try:
        return "" if end is None else datetime.fromtimestamp(end // _SECOND, UTC).strftime(written)
    except (OverflowError, ValueError, OSError):
        return ""


def scores_page(question: Question, answer: Answer, scores: Sequence[Record], play: str | None = None) -> str:
    """The best games."""
    rows = [(score["rank"], *_cells(score)) for score in scores]
    body = _choosing("/scores", question, answer) + _table(
        "Scores",
        f"{_counted(answer.total, 'game')}, the best {len(rows)}" if answer.total > len(rows) else "",
        ("Rank", *_HEADS),
        rows,
    )
    return _page("Scores", body, "/scores", play)


def recent_page(question: Question, answer: Answer, scores: Sequence[Record], play: str | None = None) -> str:
    """The latest games."""
    told = f"{_counted(answer.total, 'game')}: {_counted(answer.died, 'death')}, {_counted(answer.won, 'win')}"
    body = _choosing("/recent", question, answer) + _table(
        "Recent games", told, _HEADS, [_cells(score) for score in scores]
    )
    feed = '<link rel="alternate" type="application/rss+xml" title="Games that ended" href="/recent.rss">'
    return _page("Recent games", body + '<p><a href="/recent.rss">RSS</a></p>', "/recent", play, feed)


def player_page(
    player: str,
    answer: Answer,
    scores: Sequence[Record],
    live: Sequence[Row],
    rows: Sequence[Row],
    play: str | None = None,
) -> str:
    """What is known of a player: live games, numbers, games that ended, recordings."""
    facts = {
        "Games that ended": answer.total,
        "Deaths": answer.died,
        "Wins": answer.won,
        "Played": clock(answer.played) if answer.played else "",
        "Best": answer.best and f"{answer.best['points']} points, {answer.best['game']}: {answer.best['death']}",
    }
    told = "".join(f"<dt>{name}</dt><dd>{text(value)}</dd>" for name, value in facts.items() if value not in ("", None))
    parts = [f"<dl>{told}</dl>"]
    if live:
        parts.append(f"<h2>Playing now</h2>{_recordings('Playing now', '', live)}")
    if scores:
        caption = f"the latest {len(scores)}" if answer.total > len(scores) else ""
        cells = [_cells(score) for score in scores]
        parts.append(f"<h2>Games that ended</h2>{_table('Games that ended', caption, _HEADS, cells)}")
    if rows:
        parts.append(f"<h2>Recordings</h2>{_recordings('Recordings', 'the latest', rows)}")
    return _page(player, "".join(parts), "", play)


def tournament_page(answer: Answer, places: Sequence[Record], play: str | None = None) -> str:
    """The board of a tournament, a table for each trophy, and what is not counted."""
    boards: dict[str, list[Record]] = defaultdict(list)
    for place in places:
        boards[place["trophy"]].append(place)
    heads = ("Place", "Value", *_HEADS)
    parts = []
    for trophy, standings in boards.items():
        rows = [(one["place"], _measured(one), *_cells(one)) for one in standings]
        parts.append(f"<h2>{text(trophy)}</h2>{_table(trophy, '', heads, rows)}")
    if not boards:
        parts.append("<p>Nobody has a place yet.</p>")
    if answer.untold:
        parts.append(f"<p>Games {text(not_counted(answer.untold))}.</p>")
    return _page(answer.text, "".join(parts), "", play)


def _measured(place: Record) -> object:
    return _Markup(f"<time>{moment(place['value'])}</time>") if place["measure"] == "first" else place["value"]


# Parts of pages

_LINKS: Final = '<span class="unseen">Links</span>'
_HEADS: Final = ("Player", "Game", "Role", "Points", "Turns", "Depth", "Ended", "How", "")


class _Markup(str):
    """What is HTML already."""

    __slots__ = ()


def _cells(score: Record) -> tuple[object, ...]:
    links = []
    # A screen reader reads links alone, too.
    of = f' <span class="unseen">of {text(score["player"])}, ended {moment(score["end"])}</span>'
    if score["recording"]:
        links.append(f'<a href="/r/{quote(score["recording"])}?at=end">watch{of}</a>')
    if score["dumplog"]:
        links.append(f'<a href="/dumps/{quote(score["dumplog"], safe="")}">dump{of}</a>')
    return (
        _player(score["player"]),
        score["game"],
        score["role"],
        score["points"],
        score["turns"],
        score["deepest"] if score["deepest"] is not None else score["depth"],
        _Markup(f"<time>{moment(score['end'])}</time>"),
        _Markup(f'<span class="{"won" if score["won"] else "over"}">{text(score["death"])}</span>'),
        _Markup(" ".join(links)),
    )


def _player(name: str) -> _Markup:
    return _Markup(f'<a href="/player/{quote(name, safe="")}">{text(name)}</a>')


def _recordings(label: str, caption: str, rows: Sequence[Row]) -> str:
    cells = [
        (
            _Markup(f'<a href="/r/{quote(row.id)}">{text(row.title or row.player)}</a>'),
            row.game,
            row.place,
            row.state or row.status,
            _Markup(f"<time>{moment(None if row.changed is None else row.changed * 1000)}</time>"),
        )
        for row in rows
    ]
    return _table(label, caption, ("Recording", "Game", "Place", "State", "Last played"), cells)


def _table(label: str, caption: str, heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    if not rows:
        return "<p>No game has ended yet.</p>"
    told = f"<caption>{text(caption)}</caption>" if caption else ""
    head = "".join(f'<th scope="col">{name or _LINKS}</th>' for name in heads)
    body = "".join(f"<tr>{''.join(map(_cell, heads, row))}</tr>" for row in rows)
    table = f'<table class="cards">{told}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return f'<div class="wide-table" tabindex="0" role="region" aria-label="{text(label)}">{table}</div>'


def _cell(head: str, value: object) -> str:
    told = "" if value is None else value if isinstance(value, _Markup) else text(value)
    kind = ' class="number"' if isinstance(value, int) else ""
    return f'<td{kind} data-head="{head}">{told}</td>'


def _choosing(path: str, question: Question, answer: Answer) -> str:
    """Links that choose among the games, those of one part in a line."""
    chosen = {part: getattr(question, part) for part in _PARTS}
    return "".join(_line(path, part, chosen, getattr(answer, names)) for part, names in _PARTS.items())


def _line(path: str, part: str, chosen: Mapping[str, str], values: Iterable[str]) -> str:
    def link(value: str) -> str:
        query = urlencode({name: given for name, given in {**chosen, part: value}.items() if given})
        here = ' aria-current="true"' if chosen[part] == value else ""
        return f'<a href="{escape(path + (query and f"?{query}"))}"{here}>{text(value or _ANY[part])}</a>'

    links = " ".join(map(link, ("", *values)))
    return f'<nav class="choices" aria-label="By {part}">{links}</nav>'


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


_NAV: Final = {"/": "Games", "/scores": "Scores", "/recent": "Recent"}


def navigation(path: str, play: str | None) -> str:
    """Links to the pages of a site, of which the one at `path` is shown; `play` is where players play, if anywhere."""
    here = {path: ' aria-current="page"'}
    pages = {**_NAV, **({} if play is None else {play: "Play"})}
    links = (f'<a href="{escape(where)}"{here.get(where, "")}>{name}</a>' for where, name in pages.items())
    return f'<nav aria-label="Pages">{" ".join(links)}</nav>'


def _page(title: str, body: str, path: str, play: str | None, head: Any = "") -> str:
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{text(title)} – nhlog</title>
<link rel="icon" href="/static/icon.svg">
<link rel="stylesheet" href="/static/style.css">
<link rel="stylesheet" href="/static/results.css">{head}
</head>
<body class="results">
<header><h1>{text(title)}</h1>{navigation(path, play)}</header>
<main>{body}</main>
</body>
</html>
"""
