"""The screen of a game that is over: a title, the page, and the keys that matter most."""

from typing import Final

from nhlog.scores.entry import log_of
from nhlog.scores.table import Score
from nhlog.screen import PLAIN, Screen, clip
from terminal.ending.ending import END, SCORE, Ending
from terminal.ending.pictures import picture
from terminal.screen import theme
from terminal.screen.hints import draw_hints, draw_keys, hint_width
from terminal.screen.page import draw_page, draw_title, too_small
from terminal.text.tables import table
from terminal.text.words import clock, counted, utc_time
from terminal.text.wrapping import wrapped
from terminal.views.lines import Line, draw_lines

__all__ = ["draw_ending"]

LEAST: Final = (30, 7)  # columns and rows below which nothing useful can be shown
CHROME: Final = 3  # rows: the title, an empty one, the hints
MARGIN: Final = 2
TOP: Final = 10  # games of the list that are shown at least
HINTS: Final = (  # actions and words for them; the last ones go first
    ("on", "go on"),
    ("quit", "leave"),
    ("help", "keys"),
    ("watch-again", "watch again"),
)
MORE: Final = ("page-on", "more")


def draw_ending(ending: Ending, width: int, height: int) -> Screen:
    """The page that is shown, `width` columns by `height` rows."""
    if width < LEAST[0] or height < LEAST[1]:
        return too_small(width, height)
    screen = Screen(width, height)
    _draw_title(screen, ending)
    page, room = _page(ending, width - 2 * MARGIN, height), height - CHROME
    first = max(min(ending.row, page.height - room), 0)
    left = (width - page.width) // 2 if ending.page == END else MARGIN
    screen.paste(max(left, 0), 2, page.crop(0, first, width, room))
    end = width
    if first + room < page.height:
        end -= MARGIN + hint_width(ending.keys, *MORE)
        draw_hints(screen, height - 1, ending.keys, (MORE,), end)
    draw_hints(screen, height - 1, ending.keys, HINTS, end=end)
    if ending.helped:
        draw_page(screen, draw_keys(ending.keys), 0)
    return screen


def _draw_title(screen: Screen, ending: Ending) -> None:
    header = log_of(ending.replay).log.header
    where = f"{ending.page}, page {ending.number + 1} of {len(ending.pages)}"
    draw_title(screen, f"{header.player}: {header.state}", where)


def _page(ending: Ending, width: int, height: int) -> Screen:
    if ending.page == END:
        return draw_lines(_stone(ending))
    if ending.page == SCORE:
        return draw_lines(_list(ending, width, height))
    return ending.view.panels[ending.page](ending.replay)


def _stone(ending: Ending) -> list[Line]:
    """The picture of the end, and what can be said of the game in a few words."""
    header = log_of(ending.replay).log.header
    own = ending.ranking.own if ending.ranking else None
    hero = f"{header.words['race']} {header.words['role']}"
    day = [] if own is None or own.end is None else [utc_time(own.end)[:10]]
    points = [] if own is None or own.points is None else [counted(own.points, "point")]
    rows = picture(header.state, [header.player, hero, "", header.state, "", *points, *day])
    return [*((row, PLAIN) for row in rows), ("", PLAIN), *((_centred(text), PLAIN) for text in _told(own))]


def _told(own: Score | None) -> list[str]:
    """How far the hero came, as far as it is known."""
    if own is None:
        return []
    depth = [] if own.depth is None else [f"on level {own.depth}"]
    deepest = [] if own.deepest in (None, own.depth) else [f"{own.deepest} the deepest"]
    level = [] if own.level is None else [f"experience level {own.level}"]
    turns = [] if own.turns is None else [counted(own.turns, "turn")]
    played = [] if own.play_time is None else [f"{clock(own.play_time)} of play"]
    return [", ".join([*depth, *deepest, *level]), ", ".join([*turns, *played])]


def _list(ending: Ending, width: int, rows: int) -> list[Line]:
    """The score, its place, the best games, and what there is to say about a dump file."""
    ranking = ending.ranking
    told = ending.told or f"{ending.keys.label('dump')} writes a dump file: all of this as a text"
    dump: list[Line] = [("", PLAIN), *((text, theme.NOTE) for text in wrapped(told, width))]
    if ranking is None:
        return [("reading the list of scores" if not ending.ranked else "this game has no score", PLAIN), *dump]
    own, listed = ranking.own, ranking.best[: max(rows - CHROME - len(dump) - 4, TOP)]
    ranked = list(enumerate(listed, 1))
    if own.is_contest and own not in listed:
        ranked = [*ranked[:-1], (ranking.place, own)]
    heading, *lines = table([_row(place, score) for place, score in ranked] or [_row(0, own)])
    styles = [theme.HERE if score is own else PLAIN for _, score in ranked]
    return [
        (_placed(ending), theme.GOOD),
        ("", PLAIN),
        (clip(heading, width), theme.HEAD),
        *((clip(line, width), style) for line, style in zip(lines, styles, strict=False)),
        *dump,
    ]


def _placed(ending: Ending) -> str:
    """The score and its place in the list, in words."""
    ranking = ending.ranking
    assert ranking is not None
    points = "points unknown" if ranking.own.points is None else counted(ranking.own.points, "point")
    if not ranking.own.is_contest:
        return f"{points}, which do not count: an {ranking.own.mode} game"
    so_far = "" if ending.ranked else " so far: the list is being read"
    return f"{points}: place {ranking.place} of {counted(ranking.games, 'game')}{so_far}"


def _row(place: int, score: Score) -> dict[str, object]:
    return {
        "rank": place,
        "points": score.points,
        "player": score.player,
        "role": f"{score.race} {score.role}",
        "deepest": score.deepest,
        "turns": score.turns,
        "death": score.death,
    }


def _centred(text: str) -> str:
    """The text under the middle of the picture."""
    return text.center(WIDE).rstrip()


WIDE: Final = 39  # columns of a picture
