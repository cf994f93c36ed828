"""`nhlog verify`: every rule of the format held against every byte."""

import click

from terminal.options import files_argument, json_option
from terminal.output import each_file, print_json
from terminal.words import counted, printable

__all__ = ["command"]

DAMAGED, UNSUPPORTED = 3, 4


@click.command("verify")
@files_argument
@json_option
def command(files: tuple[str, ...], as_json: bool) -> int:
    """Check every line, pointer, payload, checksum and save of logs.

    Each fault is named with its offset, what the rules expect and what was found. A note is unusual but harmless.
    Exit code 3 where there is a fault.

    \b
    nhlog verify game.nhgame
    nhlog verify *.nhgame --json
    """
    return each_file(files, lambda file: _verify(file, as_json))


def _verify(file: str, as_json: bool) -> int:
    from nhlog.formats.nhgame import open_log
    from nhlog.log.verify import Report, verify

    log = open_log(file)
    try:
        for found in verify(log):
            if isinstance(found, Report):
                report = found
            elif not as_json:
                facts = [
                    f"{name} {value}" for name in ("expected", "found") if (value := getattr(found, name)) is not None
                ]
                word = "fault" if found.fault else "note"
                where = f"{file}: offset {found.offset}: {word}: {found.what}"
                print(printable(": ".join([where, ", ".join(facts)] if facts else [where])))
    finally:
        log.source.close()
    faults = len(report.faults)
    if as_json:
        print_json(
            {
                "file": file,
                "sound": not faults,
                "size": report.size,
                "sound_bytes": report.sound_bytes,
                "lines": report.lines,
                "sound_lines": report.sound_lines,
                "saves": report.saves,
                "sound_saves": report.sound_saves,
                "unsupported": report.unsupported or None,
                "findings": report.findings,
            }
        )
    else:
        verdict = "sound" if not faults else counted(faults, "fault")
        print(
            f"{printable(file)}: {verdict}; {report.sound_lines} of {counted(report.lines, 'line')}, "
            f"{report.sound_saves} of {counted(report.saves, 'save')} "
            f"and the first {report.sound_bytes} of {counted(report.size, 'byte')} are sound"
        )
        if report.unsupported:
            print(f"{printable(file)}: saves were not checked: {report.unsupported}")
    return DAMAGED if faults else UNSUPPORTED if report.unsupported else 0
