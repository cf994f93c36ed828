"""Records for programs: RSS 2.0, and JSON with the keys of `nhlog scores --json`."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from terminal.text.words import printable_json
from terminal.web.recordings import Row
from terminal.web.results.pages import moment, text
from terminal.web.results.records import Record

__all__ = ["as_json", "game_record", "rss"]

_DATE: Final = "%a, %d %b %Y %H:%M:%S +0000"  # of RFC 822


def as_json(value: Any) -> bytes:
    """A value as JSON that may be printed anywhere."""
    return printable_json(msgspec.json.encode(value).decode()).encode() + b"\n"


def game_record(row: Row, watchers: int) -> Record:
    """A game that is being played, or a recording."""
    return {
        "recording": row.id,
        "player": row.player,
        "title": row.title,
        "game": row.game,
        "turn": row.turn,
        "place": row.place,
        "start": None if row.started is None else row.started * 1000,
        "changed": None if row.changed is None else row.changed * 1000,
        "watchers": watchers,
        "playing": row.playing,
        "status": row.status,
        "state": row.state,
    }


def rss(scores: Sequence[Record], site: str) -> bytes:
    """The latest games as RSS; `site` is the address of the first page, without a slash at its end."""
    items = "".join(_item(score, site) for score in scores)
    return f"""<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel>
<title>Games that ended</title><link>{text(site)}/recent</link>
<description>How the latest games ended</description>
{items}</channel></rss>
""".encode()


def _item(score: Record, site: str) -> str:
    points = "" if score["points"] is None else f", {score['points']} points"
    place = f"/r/{score['recording']}?at=end" if score["recording"] else "/recent"
    who, death = f"{score['player']}, {score['game']}", score["death"]
    guid = f"{who} {score['start']} {score['end']} {score['points']}"
    return (
        f"<item><title>{text(f'{who}: {death}')}</title><link>{text(site + place)}</link>"
        f'<guid isPermaLink="false">{text(guid)}</guid><pubDate>{moment(score["end"], _DATE)}</pubDate>'
        f"<description>{text(score['role'] + points)}, {text(score['turns'])} turns</description></item>\n"
    )
