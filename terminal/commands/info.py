"""`nhlog info`: the description of a recording."""

import click

from terminal.options import OfFormats, files_argument, json_option, pager_option
from terminal.output import each_file, print_json, print_lines

__all__ = ["command"]

DAMAGED = 3


@click.command("info", cls=OfFormats, operations=("info",))
@files_argument
@pager_option
@json_option
def command(files: tuple[str, ...], as_json: bool, options: dict[str, str]) -> int:
    """Describe recordings: who, when, how long, what they hold, and whether they are damaged.

    \b
    nhlog info game.nhgame
    nhlog info *.nhgame --json
    """
    return each_file(files, lambda file: _tell(file, as_json, options))


def _divergence(file: str, engine: str) -> str | None:
    """Where the newest save of a game is not what its engine makes of the commands; None where no engine can tell."""
    from nhlog.engines import engines

    if file == "-" or engine not in engines():
        return None
    from nhlog.session.replay import GameReplay
    from terminal.replay.open import viewing

    with viewing(file) as replay:
        if not isinstance(replay, GameReplay):
            return None
        replay.to_end()
        return replay.session.following.frozen or replay.session.following.check()


def _tell(file: str, as_json: bool, options: dict[str, str]) -> int:
    from nhlog.formats import format_of, operation, reading
    from nhlog.operations import as_record
    from terminal.pager import width
    from terminal.text.records import text_output

    format_id = format_of(file).id  # before standard input is read
    record = {"file": file, **as_record(operation(file, "info", **options)(file))}
    if "engine" in record:
        record["divergence"] = _divergence(file, record["engine"])
    if as_json:
        print_json(record)
    else:
        with reading(file):
            print_lines(*text_output(format_id, "info", record, width()))
    return 0 if record["health"] == "sound" else DAMAGED
