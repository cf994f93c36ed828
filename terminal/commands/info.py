"""`nhlog info`: what a log says of itself."""

from typing import Any

import click

from terminal.options import files_argument, json_option
from terminal.output import each_file, print_json
from terminal.words import clock, counted, local_time, printable, size, utc_time

__all__ = ["command"]

DAMAGED = 3
_LABEL = 14  # columns of the names at the left


@click.command("info")
@files_argument
@json_option
def command(files: tuple[str, ...], as_json: bool) -> int:
    """Tell what logs say of themselves: the game, its length, its lines and saves, and its health.

    \b
    nhlog info game.nhgame
    nhlog info *.nhgame --json
    """
    return each_file(files, lambda file: _tell(file, as_json))


def _tell(file: str, as_json: bool) -> int:
    record = _record(file)
    if as_json:
        print_json(record)
    else:
        print("\n".join(map(printable, _lines(record))))
    return 0 if record["health"] == "sound" else DAMAGED


def _record(file: str) -> dict[str, Any]:
    from nhlog.formats.nhgame import open_log
    from nhlog.formats.nhgame.records import info_record

    log = open_log(file)
    try:
        return {"file": file, **info_record(log)}
    finally:
        log.source.close()


def _lines(record: dict[str, Any]) -> list[str]:
    """The record in words, a line each."""
    rows = [
        (
            "game",
            f"{record['player']} the {record['race']} {record['role']} ({record['gender']}, {record['alignment']})",
        ),
        ("state", f"{record['status']}: {record['state']}"),
        ("mode", record["mode"]),
        ("engine", f"NetHack {record['version']}"),
        ("started", f"{utc_time(record['start'])} ({local_time(record['start'])})"),
        ("last line", f"{utc_time(record['end'])} ({local_time(record['end'])})"),
        (
            "played",
            f"{clock(record['duration'])}, {counted(record['turn'], 'turn')}, {counted(record['sessions'], 'session')}",
        ),
        ("size", f"{size(record['size'])}, {counted(sum(record['lines'].values()), 'line')}"),
        ("saves", _saves_told(**record["saves"])),
        ("recoveries", f"recovery count {record['recovery_count']}"),
        ("health", record["health"]),
    ]
    kinds = [
        f"  {kind:<12}{record['lines'][kind]:>8} lines {size(record['bytes'][kind]):>10}" for kind in record["lines"]
    ]
    return [record["file"], *(f"  {name:<{_LABEL - 2}}{value}" for name, value in rows), *kinds]


def _saves_told(backups: int, diffs: int, newest_size: int | None) -> str:
    newest = "the newest cannot be rebuilt" if newest_size is None else f"the newest {size(newest_size)}"
    return f"{counted(backups, 'backup')}, {counted(diffs, 'diff')}, {newest}"
