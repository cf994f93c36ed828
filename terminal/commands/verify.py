"""`nhlog verify`: check every rule of the format on every byte."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import click

from terminal.input import recordings_in
from terminal.options import json_option, pager_option, recordings_argument
from terminal.output import print_json, print_lines, tell_each
from terminal.text.words import counted

__all__ = ["command"]

DAMAGED, UNSUPPORTED = 3, 4

Record = Mapping[str, Any]


@click.command("verify")
@recordings_argument
@pager_option
@json_option
def command(files: tuple[str, ...], as_json: bool) -> int:
    """Check a recording for damage: for a log, every line, pointer, payload, checksum and save.

    Each fault is printed with its offset, what was expected and what was found. A note is unusual but harmless. The
    exit code is 3 if there is a fault. For several recordings or a folder, a table shows the first fault of each.

    \b
    nhlog verify game.nhgame
    nhlog verify /var/games/nhlog
    nhlog verify *.nhgame --json
    """
    several = recordings_in(files, "verify")
    if several is not None:
        return tell_each(several, _verify, _row, as_json=as_json)
    file = files[0]
    report, code = _verify(file, lambda record: None if as_json else print_lines(f"{file}: {_finding(record)}"))
    if as_json:
        print_json(report)
    else:
        print_lines(f"{file}: {_status(report)}; {_counts(report)} are sound")
        if report.get("unsupported"):
            print_lines(f"{file}: saves were not checked: {report['unsupported']}")
    return code


def _verify(file: str, tell: Callable[[Record], None] = lambda record: None) -> tuple[Record, int]:
    """The report on a recording, with its findings, each given to `tell` when it is made, and the exit code."""
    from nhlog.formats import operation, reading

    findings = []
    report: dict[str, Any] = {}
    with reading(file):
        for record in operation(file, "verify")(file):
            if "sound" in record:
                report = record
            else:
                findings.append(record)
                tell(record)
        for record in _archived(file):
            findings.append(record)
            tell(record)
        report["sound"] = report["sound"] and not any(record["fault"] for record in findings)
        code = 0 if report["sound"] else DAMAGED
        if report["sound"] and report.get("unsupported"):
            code = UNSUPPORTED
    return {"file": file, **report, "findings": findings}, code


def _archived(file: str) -> Iterator[Record]:
    """What is wrong with the copy in an archive, if it is one."""
    if "://" in file:
        from nhlog.archive.checking import check

        yield from check(file)


def _row(report: Record) -> dict[str, str]:
    """How the recording stands, and the first fault, or how much is sound."""
    fault = next(map(_finding, filter(lambda record: record["fault"], report["findings"])), "")
    unsupported = f"; saves were not checked: {report['unsupported']}" if report.get("unsupported") else ""
    return {"status": _status(report), "what": (fault or _counts(report)) + unsupported}


def _finding(record: Record) -> str:
    facts = [f"{name} {record[name]}" for name in ("expected", "found") if record.get(name) is not None]
    where = f"offset {record['offset']}: {'fault' if record['fault'] else 'note'}: {record['what']}"
    return ": ".join([where, ", ".join(facts)] if facts else [where])


def _status(report: Record) -> str:
    faults = sum(record["fault"] for record in report["findings"])
    return "sound" if report["sound"] else counted(faults, "fault")


def _counts(report: Record) -> str:
    """How many of each count are sound, for every count that has a sound part."""
    counts = [
        f"{report[f'sound_{name}']} of {counted(number, name.removesuffix('s'))}"
        for name, number in report.items()
        if f"sound_{name}" in report
    ]
    counts.append(f"the first {report['sound_bytes']} of {counted(report['size'], 'byte')}")
    return ", ".join(counts[:-1]) + (" and " if counts[1:] else "") + counts[-1]
