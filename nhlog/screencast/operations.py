"""The operations on recordings of terminals, which are the same for all formats once the events are found.

Each operation imports its modules when it is called, as they bring much with them.
"""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

from nhlog.errors import Usage
from nhlog.files import read_pieces
from nhlog.operations import Agree, Listing, MakeEncoder, Operations, Record, fault_records
from nhlog.operations.options import flag, option, whole
from nhlog.values import dataclass

if TYPE_CHECKING:
    from nhlog.screencast.events import Events
    from nhlog.screencast.records import ScreencastInfo
    from nhlog.screencast.replay import Screencast
    from nhlog.timeline import Position
    from nhlog.vt import Size

__all__ = ["DumpOptions", "OpenEvents", "TerminalOptions", "operations", "parse_size"]


def parse_size(text: str) -> "Size":
    """Parse the size of a terminal, ``80x24``: with what emulates one, which is imported for none else."""
    from nhlog.vt import parse_size

    return parse_size(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class TerminalOptions:
    """What a file does not tell of the terminal that it was recorded of."""

    size: "Size | None" = option(
        None, "For recorded terminals: the size, if the file does not say it.", "WxH", parse_size
    )
    charset: str | None = option(None, "For recorded terminals: the encoding: utf-8, cp437 or cp1252.", "NAME")


@dataclass(frozen=True, slots=True, kw_only=True)
class DumpOptions(TerminalOptions):
    """Which events are dumped, and as what."""

    first: int = option(0, "The first event of a recorded terminal.", "N", whole(0))
    last: int | None = option(None, "The last event of a recorded terminal.", "N", whole(0))
    screens: bool = flag("For recorded terminals: print screens instead of output.")
    frames: str | None = option(None, "With --screens: those after these events.", "N,N...")
    every: str | None = option(None, "With --screens: one every 10s, 5m, 500ms.", "SPAN")
    styles: bool = flag("With --screens: colours and other styles, too.")


OpenEvents = Callable[[str, Any], "Events"]
"""Finds the events in a file: its path, and :class:`TerminalOptions` or what a format has in place of them."""

_PLAIN: Final = TerminalOptions()
_WHOLE: Final = DumpOptions()


def operations(
    form: str,
    find: OpenEvents,
    encoder: MakeEncoder | None = None,
    *,
    opening: TerminalOptions = _PLAIN,
    dumping: DumpOptions = _WHOLE,
) -> Operations:
    """The operations of the format with the name `form`, whose `encoder` is None if it is only read.

    A format that has more options says so by its own defaults for `opening` and `dumping`.
    """

    def events_in(path: str, options: TerminalOptions = opening) -> "Events":
        return find(path, options)

    def open_replay(path: str, options: TerminalOptions = opening) -> "Screencast":
        from nhlog.screencast.replay import Screencast

        return Screencast(form, lambda: find(path, options))

    def info(path: str, options: TerminalOptions = opening) -> "ScreencastInfo":
        from nhlog.screencast.records import describe

        with closing(find(path, options)) as events:
            return describe(events, form)

    def listing(path: str) -> Listing:
        from nhlog.screencast.records import list_recording

        with closing(find(path, opening)) as events:
            return list_recording(events, path, form)

    def dump(path: str, options: DumpOptions = dumping) -> Iterator[Record]:
        from nhlog.screencast.records import dump, dump_screens

        if not options.screens and (options.frames is not None or options.every is not None or options.styles):
            raise Usage("--frames, --every and --styles go with --screens")
        if options.screens:
            with closing(open_replay(path, options)) as replay:
                yield from dump_screens(
                    replay, options.first, options.last, options.frames, options.every, styles=options.styles
                )
            return
        with closing(find(path, options)) as events:
            yield from dump(events, options.first, options.last)

    def state(replay: "Screencast") -> Record:
        from nhlog.screencast.records import state_record

        return state_record(replay)

    def verify(path: str) -> Iterator[Record]:
        from nhlog.screencast.records import verify
        from nhlog.unpacked import unguarded

        if "://" in path:  # its events may be known without it; where a part of it is lost they are looked for
            deque(read_pieces(path), 0)
        with closing(find(path, opening)) as events:
            yield from verify(events, unguarded=unguarded(path))

    def events(replay: "Screencast", first: int, last: int) -> Iterator[Record]:
        from nhlog.screencast.records import event_records

        return event_records(replay, first, last)

    def faults(replay: "Screencast") -> Iterator[Record]:
        return fault_records(replay.recorded.all_faults)

    def stats(path: str, options: TerminalOptions = opening) -> Iterator[Record]:
        from nhlog.screencast.records import stats

        with closing(open_replay(path, options)) as replay:
            yield from stats(replay)

    def recover(path: str, *, dry_run: bool = False, keep: bool = True) -> Record:
        from nhlog.screencast.cut import recover
        from nhlog.unpacked import stamp_to_cut

        stamp = stamp_to_cut(path)
        with closing(find(path, opening)) as events:
            return recover(events, path, stamp, dry_run=dry_run, keep=keep)

    def rewind(path: str, position: "Position", agree: Agree, *, dry_run: bool = False, keep: bool = True) -> Record:
        from nhlog.screencast.cut import rewind
        from nhlog.unpacked import stamp_to_cut

        stamp = stamp_to_cut(path)
        with closing(open_replay(path)) as replay:
            return rewind(replay, path, stamp, position, agree, dry_run=dry_run, keep=keep)

    return Operations(
        open=open_replay,
        info=info,
        listing=listing,
        dump=dump,
        state=state,
        verify=verify,
        events=events,
        faults=faults,
        stats=stats,
        find=events_in,
        encoder=encoder,
        recover=recover if encoder else None,
        rewind=rewind if encoder else None,
        kept_whole=_is_packed if encoder else None,
    )


def _is_packed(path: str) -> bool:
    from nhlog.unpacked import is_packed

    return is_packed(path)
