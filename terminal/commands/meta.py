"""`nhlog meta`: print and change the metadata of a recording."""

import json
from typing import Any

import click

from nhlog.errors import Usage
from terminal.input import read_files
from terminal.options import FILE, json_option
from terminal.output import print_json, print_lines
from terminal.text.words import printable_json

__all__ = ["command"]

MOST = 16 << 20  # bytes of JSON


@click.command("meta")
@click.argument("file", type=FILE)
@click.argument("action", type=click.Choice(["get", "set", "merge"]), default="get")
@click.argument("arguments", nargs=-1, metavar="[KEY] [VALUE]")
@json_option
def command(file: str, action: str, arguments: tuple[str, ...], as_json: bool) -> None:
    """Print metadata (get, the default), set KEY to a JSON value, or merge a JSON file into it.

    KEY is names joined by dots. The value null deletes what is there. A number keeps its type. The file is replaced as
    a whole; in a recording in segments, only the preamble is. With --json, get prints each value with its NBT type.

    \b
    nhlog meta run.replay
    nhlog meta run.replay get anticheat.score
    nhlog meta run.replay set anticheat '{"score": 0.5, "flags": ["speed"]}'
    nhlog meta run.replay set anticheat.score null
    nhlog meta run.replay merge flags.json
    """
    from nhlog.formats import operation

    if action == "get":
        _get(file, *_exactly(arguments, 0, 1), as_json=as_json)
        return
    if action == "set":
        key, text = _exactly(arguments, 2, 2)
        operation(file, "set_metadata")(file, key, _parsed(text, "VALUE"))
    else:
        (name,) = _exactly(arguments, 1, 1)
        key = ""
        operation(file, "merge_metadata")(file, _parsed(read_files((name,), MOST)[0], name))
    if as_json:
        print_json({"file": file, "action": action, "key": key})


def _get(file: str, key: str = "", *, as_json: bool) -> None:
    from nhlog.formats import operation

    found = operation(file, "get_metadata")(file, key)
    value = found.pop("value")
    if as_json:
        print_json({"file": file, "action": "get", "key": key, **found})
    else:
        print_lines(*map(printable_json, json.dumps(value, indent=2, ensure_ascii=False).split("\n")))


def _exactly(arguments: tuple[str, ...], least: int, most: int) -> tuple[str, ...]:
    if not least <= len(arguments) <= most:
        raise Usage("meta takes get [KEY], set KEY VALUE or merge FILE", found=" ".join(arguments) or "nothing")
    return arguments


def _parsed(text: str | bytes, name: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Usage(f"not JSON: {error}", file=name) from None
