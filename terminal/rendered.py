"""A recording of any kind as what a terminal is sent that shows it: the client's own screens while it plays."""

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Final

from nhlog.formats.recast import write_events
from nhlog.operations import Record
from nhlog.operations.options import NO_OPTIONS
from nhlog.progress import report
from nhlog.replay import Status
from nhlog.screencast import MARKER, OUTPUT, Header, TimedEvent
from nhlog.timeline import MICROSECONDS, Timeline, parse_position
from nhlog.vt import USUAL_SIZE, Size
from terminal.replay.controls import Controls
from terminal.replay.drawing.frame import draw_frame
from terminal.replay.motion import Motion, parse_idle
from terminal.replay.open import viewing
from terminal.replay.player import Player
from terminal.screen.painter import Painter
from terminal.views import view_of

__all__ = ["PAINTER", "keyless", "render", "rendered"]

RATE: Final = 10  # screens a second
PAINTER: Final = Painter(
    enter=b"\x1b[?25l\x1b[?7l",
    leave=b"",
    clear=b"\x1b[0m\x1b[2J",
    move=lambda row, column: f"\x1b[{row + 1};{column + 1}H",
    colors=256,
    styled=True,
    utf8=True,
)


def keyless(player: Player) -> Controls:
    """The controls of a player for who only sees its screens, and is not told of keys."""
    return Controls(
        player, view_of(player.info.id), lambda table: table.without([key for row in table for key in row.keys])
    )


def render(
    source: str,
    target: str,
    *,
    size: Size = USUAL_SIZE,
    speed: float = 1.0,
    idle: str | None = None,
    first: str | None = None,
    last: str | None = None,
    compression: str | None = None,
    force: bool = False,
    opening: Mapping[str, object] = NO_OPTIONS,
    encoding: Mapping[str, object] = NO_OPTIONS,
) -> Record:
    """Write `target`: `source` as the client plays it on a terminal of that size; returns a record of the result.

    Its ``note`` says why the part begins or ends at an earlier turn than was wanted, its ``error`` what is wrong with a
    source that is damaged.  `first` and `last` are positions, `idle` is that of
    :func:`parse_idle`; `opening` are options of its format, the others are those of `write_events`.
    """
    with viewing(source, **opening) as replay:
        player = Player(replay, speed=speed, idle=parse_idle(idle) if idle else None)
        begin, end = _steps(player.timeline, first, last)
        note = player.timeline.skipped((first, begin), (last, end))
        header, events = rendered(player, size, begin, end)
        record = write_events(target, header, events, encoding=encoding, compression=compression, force=force)
        info = replay.info
        return {
            "source": source,
            **record,
            "note": note,
            "error": (info.note or "damaged") if info.status is Status.DAMAGED else None,
        }


def _steps(timeline: Timeline, first: str | None, last: str | None) -> tuple[int, int]:
    """The steps at two positions, or the recording's first and last one."""
    begin, end = (timeline.resolve(parse_position(text or other)) for text, other in ((first, "start"), (last, "end")))
    return begin, end


def rendered(player: Player, size: Size, begin: int = 0, end: int | None = None) -> tuple[Header, Iterator[TimedEvent]]:
    """What a terminal of that size is sent while the player plays, from one step to another one, or to the last.

    Markers that are passed become markers.
    """
    replay = player.replay
    player.seek(begin)
    player.toggle()
    header = Header(size=size, start=replay.info.start, title=replay.info.title or replay.info.format)
    return header, _events(player, size, player.timeline.last if end is None else end)


def _events(player: Player, size: Size, end: int) -> Iterator[TimedEvent]:
    controls = keyless(player)
    screen, begin = None, player.step
    yield TimedEvent(0, OUTPUT, PAINTER.enter)
    ahead = [marker for marker in player.markers if player.step <= marker.step <= end]
    for number in count():
        now = number / RATE
        player.advance(now)
        player.message = ""
        report("drawing", player.step - begin, end - begin)
        if player.step >= end:
            player.seek(end)
        time = number * MICROSECONDS // RATE
        while ahead and ahead[0].step <= player.step:
            yield TimedEvent(time, MARKER, ahead.pop(0).name.encode())
        drawn = draw_frame(controls, *size)
        if output := PAINTER.paint(drawn, screen):
            yield TimedEvent(time, OUTPUT, output)
        screen = drawn
        if player.step >= end or player.motion is Motion.PAUSED:
            return
