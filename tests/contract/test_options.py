"""The options that formats declare: in every verb that calls the operation, and nowhere else."""

import shutil
from contextlib import closing
from dataclasses import fields
from inspect import signature
from pathlib import Path
from typing import Any

import click
import pytest

from nhlog.formats import formats, open_recording
from nhlog.operations import Format
from nhlog.operations.options import declared, options_of
from nhlog.vt import Size
from terminal.cli import cli
from tests.corpus import ROOT, SAMPLES

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
KNOWN = {name for kind in formats() for name in options_of(kind.load().open)}
CALLING = {"dump": ["dump"], "info": ["info"], "stats": ["stats"], "compact": ["compact"], "recover": ["recover"]}
CALLING |= {"rewind": ["rewind"], "record": ["record", "encoder"], "convert": ["convert", "encoder"]}


def offered(verb: str) -> dict[str, click.Option]:
    """The options in the help of a verb, by name."""
    command = cli.get_command(click.Context(cli), verb)
    assert command is not None
    options = [one for one in command.get_params(click.Context(command)) if isinstance(one, click.Option)]
    return {name.removeprefix("--"): one for one in options for name in one.opts if name.startswith("--")}


def operations_of(kind: Format) -> dict[str, Any]:
    operations = kind.load()
    return {field.name: call for field in fields(operations) if (call := getattr(operations, field.name)) is not None}


@pytest.mark.parametrize("kind", [*formats()], ids=lambda kind: kind.id)
def test_all_that_an_operation_can_be_asked_for_is_declared(kind: Format) -> None:
    """No field of its options without help, and nothing that a caller could only guess."""
    for name, operation in operations_of(kind).items():
        parameters = signature(operation).parameters
        if "options" in parameters:
            default = parameters["options"].default
            assert list(options_of(operation)) == [field.name for field in fields(default)], name
            assert all(one.help.endswith(".") for one in declared(default).values()), name
        known = {"dry_run", "keep", "force", "after", "exact", "options"}
        assert {one.name for one in parameters.values() if one.default is not one.empty} <= known | {"key"}, name


@pytest.mark.parametrize("verb", CALLING)
def test_every_option_of_its_operations_is_offered_by_a_verb(verb: str) -> None:
    told = offered(verb)
    for kind in formats():
        for name in CALLING[verb]:
            operation = getattr(kind.load(), name)
            for option, said in options_of(operation).items() if operation else ():
                shown = told[option.replace("_", "-")]
                assert (said.help in shown.help, shown.is_flag) == (True, not said.takes), (kind.id, option)


def test_no_verb_declares_an_option_of_a_format() -> None:
    """Only what means the same for all of them: where, how large, and what the verb does itself."""
    own = {"first", "last", "size", "force", "title", "append"}
    for verb in CALLING | OPENING:
        text = (ROOT / "terminal" / "commands" / f"{verb}.py").read_text()
        for kind in formats():
            for operation in operations_of(kind).values():
                for name in options_of(operation).keys() - own:
                    assert f'"--{name.replace("_", "-")}"' not in text, (verb, name)


@pytest.mark.parametrize("verb", list(OPENING))
def test_every_verb_that_opens_a_recording_has_them_all(verb: str) -> None:
    assert KNOWN - {*OPENING[verb]} <= offered(verb).keys()


def test_an_option_is_given_as_a_text_or_as_its_value() -> None:
    path = str(SAMPLES / "nethack.cast")
    for size in ("100x30", Size(100, 30)):
        with closing(open_recording(path, size=size)) as replay:
            assert replay.recorded.header.size == (100, 30)


@pytest.mark.parametrize(
    "arguments", [("show", "--at", "0:10", "--bare"), ("state", "--json"), ("events",), ("search", "beta")]
)
def test_a_map_is_taken_wherever_a_teehistorian_is_opened(
    nhlog: Any, arguments: tuple[str, ...], tmp_path: Path
) -> None:
    verb, *rest = arguments
    path = shutil.copy(SAMPLES / "coverage.teehistorian", tmp_path)  # away from its map
    done = nhlog(verb, path, *rest, "--map", SAMPLES / "coverage.map")
    assert done.code == 0, done.err
    plain = nhlog(verb, path, *rest)
    assert (done.out == plain.out) is (verb != "show")


def test_a_teehistorian_is_converted_on_the_map_that_is_named(nhlog: Any, tmp_path: Path) -> None:
    path = shutil.copy(SAMPLES / "coverage.teehistorian", tmp_path)  # away from its map
    for name, more in (("a.cast", ()), ("b.cast", ("--map", SAMPLES / "coverage.map"))):
        assert nhlog("convert", path, tmp_path / name, "--speed", "8", *more).code == 0
    assert (tmp_path / "a.cast").read_bytes() != (tmp_path / "b.cast").read_bytes()


def test_an_option_of_another_format_is_refused_everywhere(nhlog: Any) -> None:
    for verb in ("show", "state", "events"):
        done = nhlog(verb, SAMPLES / "died2.nhgame", "--map", SAMPLES / "dm1.map")
        assert (done.code, "--map does not apply to a NetHack 4 log" in done.err) == (2, True)
