"""`nhlog verify`: every rule of the format held against every byte."""

from collections.abc import Mapping
from typing import Any

import click

from terminal.options import files_argument, json_option
from terminal.output import each_file, print_json
from terminal.text.words import counted, printable

__all__ = ["command"]

DAMAGED, UNSUPPORTED = 3, 4


@click.command("verify")
@files_argument
@json_option
def command(files: tuple[str, ...], as_json: bool) -> int:
    """Check all that a recording holds: of a log every line, pointer, payload, checksum and save.

    Each fault is named with its offset, what the rules expect and what was found. A note is unusual but harmless.
    Exit code 3 where there is a fault.

    \b
    nhlog verify game.nhgame
    nhlog verify *.nhgame --json
    """
    return each_file(files, lambda file: _verify(file, as_json))


def _verify(file: str, as_json: bool) -> int:
    from nhlog.formats import operation, reading

    findings = []
    report: dict[str, Any] = {}
    with reading(file):
        for record in operation(file, "verify")(file):
            if "sound" in record:
                report = record
                continue
            findings.append(record)
            if not as_json:
                print(printable(_finding(file, record)))
        if as_json:
            print_json({"file": file, **report, "findings": findings})
        else:
            print(printable(f"{file}: {_verdict(report, sum(record['fault'] for record in findings))}"))
            if report.get("unsupported"):
                print(printable(f"{file}: saves were not checked: {report['unsupported']}"))
        if not report["sound"]:
            return DAMAGED
        return UNSUPPORTED if report.get("unsupported") else 0


def _finding(file: str, record: Mapping[str, Any]) -> str:
    facts = [f"{name} {record[name]}" for name in ("expected", "found") if record.get(name) is not None]
    where = f"{file}: offset {record['offset']}: {'fault' if record['fault'] else 'note'}: {record['what']}"
    return ": ".join([where, ", ".join(facts)] if facts else [where])


def _verdict(report: Mapping[str, Any], faults: int) -> str:
    """How much of what there is is sound: every count that has its sound part beside it."""
    counts = [
        f"{report[f'sound_{name}']} of {counted(number, name.removesuffix('s'))}"
        for name, number in report.items()
        if f"sound_{name}" in report
    ]
    counts.append(f"the first {report['sound_bytes']} of {counted(report['size'], 'byte')}")
    told = ", ".join(counts[:-1]) + (" and " if counts[1:] else "") + counts[-1]
    return f"{'sound' if report['sound'] else counted(faults, 'fault')}; {told} are sound"
