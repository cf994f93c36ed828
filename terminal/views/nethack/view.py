"""The view of a NetHack game: its own screen, as NetHack drew it; beside it, where there is room, the pack, and the
levels where the hero has been.

All of it comes from the save, so nobody needs NetHack to look at a game; where the save cannot be read, the ledger is
shown.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from nhlog.engines.nethack.machine.wire import MAP
from nhlog.engines.nethack.pictures import picture_words
from nhlog.engines.nethack.save import read_save
from nhlog.engines.nethack.seen import Seen
from nhlog.errors import NhlogError
from nhlog.formats.nhgame.state import LogState
from nhlog.replay import Replay
from nhlog.savehead import HEAD_SIZE
from nhlog.screen import PLAIN, Screen, Style, clip
from terminal.messages.rows import recent
from terminal.screen import theme
from terminal.views import Fact, SquareInfo, View, Viewpoint, ledger
from terminal.views.lines import Line, draw_lines

__all__ = ["VIEW", "seen_of"]

CLIENT: Final = (80, 24)  # columns and rows of NetHack's screen
BESIDE: Final = 19  # columns that the pack needs beside it
GAP: Final = 1
TOP: Final = 1  # rows above it, where the client says something now and then
FIRST: Final = "Dungeons:1"  # where each game begins
HERE: Final = Style(bold=True)
LEDGER: Final = (76, 22)
_GREY, _BLACK, _BRIGHT, _REVERSE = 7, 0, 8, 16  # of NetHack's colours: the usual one; one that nobody would see


def seen_of(state: LogState) -> Seen | NhlogError:
    """What NetHack shows; an error if there is no save."""
    return _read(state.save)


@lru_cache(maxsize=8)
def _read(save: bytes) -> Seen | NhlogError:
    if not save:
        return NhlogError("there is no save here")
    try:
        saved = read_save(save[HEAD_SIZE:])
        return Seen(saved.seen, saved.start.options)
    except NhlogError as error:
        return error


def body(replay: Replay[LogState], width: int, height: int, viewpoint: Viewpoint) -> Screen:
    """NetHack's screen, cropped around its cursor where it does not fit, or the ledger if the save cannot be read."""
    state = replay.state
    seen = seen_of(state)
    if not isinstance(seen, Seen):
        return ledger.VIEW.body(replay, width, height, viewpoint)
    screen = Screen(width, height)
    left, top = (_first(at + pan, room, size) for at, pan, room, size in _ways(seen, viewpoint, width, height))
    screen.paste(0, 0, draw(seen).crop(left, top, width, height))
    room = width - CLIENT[0] - GAP
    if room >= BESIDE:
        screen.paste(CLIENT[0] + GAP, TOP, draw_lines(_beside(replay, seen, room, height - TOP)))
    said = recent(replay, min(width, CLIENT[0]), height - CLIENT[1] - GAP)
    screen.paste(0, height - len(said), draw_lines(said))
    if state.fault:
        screen.put(0, 0, clip(state.fault, min(width, CLIENT[0])), theme.ALARM)
    return screen


def _ways(seen: Seen, viewpoint: Viewpoint, width: int, height: int) -> list[tuple[int, int, int, int]]:
    """Across and down: where the cursor is, how far one looks away from it, the room, and the size of the screen."""
    (x, y), (across, down) = seen.cursor, viewpoint.pan
    return [(x, across, width, CLIENT[0]), (y, down, height, CLIENT[1])]


def _first(at: int, room: int, size: int) -> int:
    """The first column or row to show if not all of them fit."""
    return max(min(at - room // 2, size - room), 0)


def draw(seen: Seen) -> Screen:
    """NetHack's screen, with the cursor in reverse."""
    screen = Screen(*CLIENT)
    for y, (text, colors) in enumerate(seen.rows):
        screen.place(0, y, [(char, _STYLES[color & 0x1F]) for char, color in zip(text, colors, strict=True)])
    x, y = seen.cursor
    char, style = screen.cells()[y][x]
    screen.place(x, y, [(char, style._replace(reverse=not style.reverse))])
    return screen


def _style(color: int) -> Style:
    reverse, color = color >= _REVERSE, color % _REVERSE
    if color == _GREY:
        return Style(reverse=reverse)
    return Style(fg=color or _BRIGHT, bold=color > _BRIGHT, reverse=reverse)


_STYLES: Final = tuple(_style(color) for color in range(2 * _REVERSE))


def look(replay: Replay[LogState], viewpoint: Viewpoint, across: int, down: int) -> SquareInfo:
    """What is on a square so far from the hero, as far as its picture tells."""
    seen = seen_of(replay.state)
    if not isinstance(seen, Seen):
        return SquareInfo(str(seen), lambda width, height: (-1, -1))
    x, y = seen.square[0] + across, seen.square[1] + down
    is_there = 0 <= x < MAP[0] and 0 <= y < MAP[1]
    words = picture_words(seen.glyphs[y][x]) if is_there else ""

    def place(width: int, height: int) -> tuple[int, int]:
        left, top = (_first(at + pan, room, size) for at, pan, room, size in _ways(seen, viewpoint, width, height))
        return x - left, y + 1 - top

    return SquareInfo(words or "nothing is known of that", place)


def facts(replay: Replay[LogState]) -> list[Fact]:
    """The ledger's facts, and those of the hero, or the reason if there are none."""
    seen = seen_of(replay.state)
    found = list(ledger.VIEW.facts(replay))
    if not isinstance(seen, Seen):
        return [*found, ("no screen", str(seen))]
    status = seen.status
    words = ", ".join(filter(None, (seen.hunger, seen.burden, *seen.conditions)))
    return [
        *found,
        ("HP", f"{status[10]}({status[11]})"),
        ("level", f"{status[18]}/{status[19]}"),
        ("depth", f"{status[12]}, deepest {seen.deepest}"),
        *([("is", words)] if words else []),
    ]


def least(replay: Replay[LogState]) -> tuple[int, int]:
    """The size of NetHack's screen; no least size without one."""
    return CLIENT if isinstance(seen_of(replay.state), Seen) else (0, 0)


def _inventory(seen: Seen) -> list[Line]:
    """What the hero carries, by kinds."""
    lines: list[Line] = []
    kind = ""
    for item in seen.inventory:
        if item.kind != kind:
            kind = item.kind
            lines.append((kind, theme.HEAD))
        lines.append((f"{item.letter} - {item.caption}", PLAIN))
    return lines or [("nothing is carried", PLAIN)]


def _beside(replay: Replay[LogState], seen: Seen, width: int, height: int) -> list[Line]:
    """The pack, as much of it as fits, and below it the levels."""
    pack, levels = _inventory(seen), _levels(replay, seen)
    room = max(height - len(levels) - GAP, 0)
    if len(pack) > room:
        pack = [*pack[: max(room - 1, 0)], ("...", theme.QUIET)]
    lines = [*pack, *[("", PLAIN)] * (height - len(pack) - len(levels)), *levels]
    return [(clip(text, width), style) for text, style in lines]


def _levels(replay: Replay[LogState], seen: Seen) -> list[Line]:
    """The levels where the hero has been up to here, by dungeons; that of the hero is bold."""
    been: dict[str, set[int]] = {}
    markers = replay.timeline.markers
    places = [marker.name for marker in markers if marker.kind == "place" and marker.step <= replay.step]
    for place in (FIRST, *places, seen.place):
        dungeon, _, level = place.partition(":")
        been.setdefault(dungeon, set()).add(int(level))
    here, _, _ = seen.place.partition(":")
    rows = [(f"{dungeon} {_ranges(levels)}", HERE if dungeon == here else PLAIN) for dungeon, levels in been.items()]
    return [("levels", theme.HEAD), *rows]


def _ranges(numbers: set[int]) -> str:
    """Numbers in words: ``1-4 6``."""
    starts = [number for number in sorted(numbers) if number - 1 not in numbers]
    ends = [number for number in sorted(numbers) if number + 1 not in numbers]
    return " ".join(f"{start}" if start == end else f"{start}-{end}" for start, end in zip(starts, ends, strict=True))


def _attributes(seen: Seen) -> list[Line]:
    """The hero in numbers."""
    status = seen.status
    names = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
    rows = [(name, str(value)) for name, value in zip(names, (status[3], *status[4:9]), strict=True)]
    rows += [
        ("hit points", f"{status[10]} of {status[11]}"),
        ("energy", f"{status[14]} of {status[15]}"),
        ("armour class", str(status[16])),
        ("experience", f"level {status[18]}, {status[19]} points"),
        ("gold", str(status[13])),
        ("place", f"{seen.place}, depth {status[12]}, deepest {seen.deepest}"),
        ("turn", str(seen.turn)),
        ("hunger", seen.hunger or "not hungry"),
        ("burden", seen.burden or "unburdened"),
        *(("condition", word) for word in seen.conditions),
    ]
    return [(f"{name:14} {value}", PLAIN) for name, value in rows]


def _panel(replay: Replay[LogState], lines: Callable[[Seen], list[Line]]) -> Screen:
    seen = seen_of(replay.state)
    return draw_lines(lines(seen) if isinstance(seen, Seen) else [(str(seen), theme.ALARM)])


VIEW: Final = View(
    body,
    facts,
    least,
    look,
    panels={
        "ledger": lambda replay: ledger.VIEW.body(replay, *LEDGER, Viewpoint()),
        "inventory": lambda replay: _panel(replay, _inventory),
        "attributes": lambda replay: _panel(replay, _attributes),
    },
    zooms=(0, 0),
    speaks=True,
)
