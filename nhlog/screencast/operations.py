"""The operations on recordings of terminals, which are the same for all formats once the events are found.

Each operation imports its modules when it is called, as they bring much with them.
"""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from nhlog.errors import Usage
from nhlog.files import read_pieces
from nhlog.operations import Agree, Listing, Operations, Record, fault_records
from nhlog.vt import Size, parse_size

if TYPE_CHECKING:
    from nhlog.screencast.events import Encoder, Events
    from nhlog.screencast.records import ScreencastInfo
    from nhlog.screencast.replay import Screencast
    from nhlog.timeline import Position

__all__ = ["OpenEvents", "operations"]

OpenEvents = Callable[[str, Size | None, str | None], "Events"]
"""Finds the events in a file: its path, and the size and the characters to be used in place of what it tells."""


def operations(form: str, find: OpenEvents, encoder: "Callable[..., Encoder] | None" = None) -> Operations:
    """The operations of the format with the name `form`, whose `encoder` is None if it is only read."""

    def events_in(path: str, size: str | None = None, charset: str | None = None) -> "Events":
        return find(path, parse_size(size) if size else None, charset)

    def open_replay(path: str, size: str | None = None, charset: str | None = None) -> "Screencast":
        from nhlog.screencast.replay import Screencast

        return Screencast(form, lambda: events_in(path, size, charset))

    def info(path: str, size: str | None = None, charset: str | None = None) -> "ScreencastInfo":
        from nhlog.screencast.records import describe

        with closing(events_in(path, size, charset)) as events:
            return describe(events, form)

    def listing(path: str) -> Listing:
        from nhlog.screencast.records import list_recording

        with closing(events_in(path, None, None)) as events:
            return list_recording(events, path, form)

    def dump(
        path: str,
        first: int = 0,
        last: int | None = None,
        charset: str | None = None,
        size: str | None = None,
        screens: bool = False,
        frames: str | None = None,
        every: str | None = None,
        styles: bool = False,
    ) -> Iterator[Record]:
        from nhlog.screencast.records import dump, dump_screens

        if not screens and (frames is not None or every is not None or styles):
            raise Usage("--frames, --every and --styles go with --screens")
        if screens:
            with closing(open_replay(path, size, charset)) as replay:
                yield from dump_screens(replay, first, last, frames, every, styles=styles)
            return
        with closing(events_in(path, size, charset)) as events:
            yield from dump(events, first, last)

    def state(replay: "Screencast") -> Record:
        from nhlog.screencast.records import state_record

        return state_record(replay)

    def verify(path: str) -> Iterator[Record]:
        from nhlog.screencast.records import verify

        if "://" in path:  # its events may be known without it; where a part of it is lost they are looked for
            deque(read_pieces(path), 0)
        with closing(events_in(path, None, None)) as events:
            yield from verify(events)

    def events(replay: "Screencast", first: int, last: int) -> Iterator[Record]:
        from nhlog.screencast.records import event_records

        return event_records(replay, first, last)

    def faults(replay: "Screencast") -> Iterator[Record]:
        return fault_records(replay.recorded.all_faults)

    def stats(path: str, size: str | None = None, charset: str | None = None) -> Iterator[Record]:
        from nhlog.screencast.records import stats

        with closing(open_replay(path, size, charset)) as replay:
            yield from stats(replay)

    def recover(path: str, *, dry_run: bool = False, keep: bool = True) -> Record:
        from nhlog.screencast.cut import recover
        from nhlog.unpacked import stamp_to_cut

        stamp = stamp_to_cut(path)
        with closing(events_in(path)) as events:
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
