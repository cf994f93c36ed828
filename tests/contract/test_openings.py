"""The options with which recordings are opened: those of the format's table, in every verb that opens them."""

from inspect import signature
from pathlib import Path
from typing import Any

import click
import pytest

from nhlog.formats import BUILT_IN
from nhlog.operations import Format
from terminal.cli import cli
from tests.corpus import SAMPLES

OPENING = {  # the verbs that open a recording, and the options that mean something else there
    "replay": (),
    "watch": (),
    "state": (),
    "search": (),
    "events": (),
    "show": ("size",),
    "convert": ("size",),
    "plot": ("size", "ghost"),
    "serve": ("ghost", "timing"),  # of all that it shows there is no one such file
}
KNOWN = {one.name for kind in BUILT_IN for one in kind.openings}


@pytest.mark.parametrize("kind", BUILT_IN, ids=lambda kind: kind.id)
def test_the_table_has_the_options_of_open(kind: Format) -> None:
    parameters = [*signature(kind.load().open).parameters]
    assert parameters[1:] == [one.name for one in kind.openings]


@pytest.mark.parametrize("verb", list(OPENING))
def test_every_verb_that_opens_a_recording_has_them_all(verb: str) -> None:
    command = cli.get_command(click.Context(cli), verb)
    assert command is not None
    offered = {name.removeprefix("--") for one in command.params for name in one.opts if name.startswith("--")}
    assert KNOWN - {*OPENING[verb]} <= offered


@pytest.mark.parametrize(
    "arguments", [("show", "--at", "0:10", "--bare"), ("state", "--json"), ("events",), ("search", "beta")]
)
def test_a_map_is_taken_wherever_a_teehistorian_is_opened(nhlog: Any, arguments: tuple[str, ...]) -> None:
    verb, *rest = arguments
    path, other = SAMPLES / "coverage.teehistorian", SAMPLES / "dm1.map"
    done = nhlog(verb, path, *rest, "--map", other)
    assert done.code == 0, done.err
    plain = nhlog(verb, path, *rest)
    assert (done.out == plain.out) is (verb != "show")


def test_a_teehistorian_is_converted_on_the_map_that_is_named(nhlog: Any, tmp_path: Path) -> None:
    for name, more in (("a.cast", ()), ("b.cast", ("--map", SAMPLES / "dm1.map"))):
        assert nhlog("convert", SAMPLES / "coverage.teehistorian", tmp_path / name, "--speed", "8", *more).code == 0
    assert (tmp_path / "a.cast").read_bytes() != (tmp_path / "b.cast").read_bytes()


def test_an_option_of_another_format_is_refused_everywhere(nhlog: Any) -> None:
    for verb in ("show", "state", "events"):
        done = nhlog(verb, SAMPLES / "died2.nhgame", "--map", SAMPLES / "dm1.map")
        assert (done.code, "--map does not apply to a NetHack 4 log" in done.err) == (2, True)
