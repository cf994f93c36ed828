"""What `nhlog --help` and `nhlog help VERB` say, as values."""

import re
from dataclasses import dataclass

import click

from terminal.cli import EPILOG, VERBS, cli

__all__ = ["EXIT_CODES", "Listing", "Manual", "manual_of", "verb_manuals"]

EXIT_CODES = tuple(re.findall(r"^  (\d+) +(.+)$", EPILOG, re.MULTILINE))
"""Each with its meaning."""

_AS_IT_IS = "\b\n"  # begins what click does not wrap


@dataclass(frozen=True, slots=True)
class Listing:
    """Lines that stay as they are."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Manual:
    """The help of a verb, or of `nhlog` itself.

    `name` is what one types, `summary` a sentence, `usage` the words after the name, `text` its paragraphs, `options`
    each with its meaning, and `examples` command lines.
    """

    name: str
    summary: str
    usage: str
    text: tuple[str | Listing, ...]
    options: tuple[tuple[str, str], ...]
    examples: tuple[str, ...]

    @property
    def placeholders(self) -> frozenset[str]:
        """Words of usage and options that stand for what one types: FILE, DIR."""
        return frozenset(re.findall(r"\b[A-Z]{3,}\b", " ".join([self.usage, *(option for option, _ in self.options)])))

    @property
    def mentioned(self) -> list[str]:
        """Other verbs that the text names, in the order of the help."""
        text = " ".join(block for block in self.text if isinstance(block, str))
        named = set(re.findall(r"`nhlog (\w+)", text)) - {self.name.removeprefix("nhlog ")}
        return [verb for verb in VERBS if verb in named]


def manual_of(verb: str | None) -> Manual:
    """The manual of a verb; without one, of `nhlog` itself."""
    context = click.Context(cli, info_name="nhlog", **cli.context_settings)
    command: click.Command = cli
    if verb is not None:
        command = cli.get_command(context, verb)
        context = click.Context(command, info_name=verb, parent=context)
    blocks = [_block(text) for text in re.split(r"\n\s*\n", (command.help or "").strip())]
    listings = [block for block in blocks if isinstance(block, Listing)]
    examples = listings[-1] if listings else None
    options = [parameter for parameter in command.get_params(context) if isinstance(parameter, click.Option)]
    records = [option.get_help_record(context) for option in options]
    return Manual(
        name=context.command_path,
        summary=VERBS[verb] if verb else " ".join((command.help or "").partition("\n\n")[0].split()),
        usage=" ".join(command.collect_usage_pieces(context)),
        text=tuple(block for block in blocks if block is not examples),
        options=tuple(record for record in records if record is not None),
        examples=examples.lines if examples else (),
    )


def verb_manuals() -> dict[str, Manual]:
    """The manual of each verb."""
    return {verb: manual_of(verb) for verb in VERBS}


def _block(text: str) -> str | Listing:
    text = "\n".join(line.strip(" ") for line in text.splitlines())
    if text.startswith(_AS_IT_IS):
        return Listing(tuple(text.removeprefix(_AS_IT_IS).split("\n")))
    return " ".join(text.split())
