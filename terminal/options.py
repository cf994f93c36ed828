"""The options and arguments that verbs share, each declared once."""

from typing import Final

import click

__all__ = [
    "FILE",
    "charset_option",
    "color_option",
    "explain_option",
    "files_argument",
    "force_cut_option",
    "force_option",
    "json_option",
    "output_option",
    "recordings_argument",
    "terminal_size_option",
]

FILE: Final = click.Path(allow_dash=True, readable=False)
"""A file's name, or ``-`` for standard input or output; whoever opens it says what is wrong with it."""

files_argument = click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE...")

recordings_argument = click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE|DIR...")

color_option = click.option(
    "--color", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, one object per line.")

output_option = click.option(
    "-o", "--output", type=FILE, default="-", metavar="FILE", help="Where to write; standard output by default."
)

force_option = click.option("--force", is_flag=True, help="Replace the output file if it exists.")

force_cut_option = click.option(
    "--force",
    is_flag=True,
    help="Even where more than 8/9 of a log would go; and, where the system names no administrators, even a game of "
    "yours that is no explore or wizard game.",
)

terminal_size_option = click.option(
    "--size", metavar="WxH", help="Of a recorded terminal: its size, where the file does not tell it."
)

charset_option = click.option(
    "--charset", metavar="NAME", help="Of a recorded terminal: what its bytes mean: utf-8, cp437 or cp1252."
)

explain_option = click.option(
    "--explain", is_flag=True, help="Print the diff's commands in words, with their bits; write only with -o."
)
