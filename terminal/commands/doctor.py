"""`nhlog doctor`: what works on this machine."""

from typing import TYPE_CHECKING, Final

import click

from terminal.options import json_option, pager_option
from terminal.output import print_json, print_lines

if TYPE_CHECKING:
    from terminal.doctor.finding import Finding

__all__ = ["command"]

LABEL: Final = 27  # columns before what was found
STYLES: Final = {"ok": "GOOD", "limited": "RARE", "broken": "ALARM"}


@click.command("doctor")
@click.option("--relay", "url", metavar="nats://HOST", help="Also look at what this NATS server stores of games.")
@pager_option
@json_option
def command(as_json: bool, url: str | None) -> int:
    """Check that nhlog works on this machine: folders, disk space, locks, signals, extras, the terminal and more.

    Each row is ok, limited (nhlog works, but something is missing) or broken, and says what to do about it. The exit
    code is 1 if something is broken. To test locks, nhlog makes a file in the folder of games and starts a second
    process; both are gone at the end. Nothing else is changed. Please send the output along with a bug report.

    \b
    nhlog doctor
    nhlog doctor --json
    nhlog doctor --relay nats://hub.example.org
    """
    from terminal.doctor.checks import check_all
    from terminal.doctor.finding import Health

    broken = False
    for finding in check_all(url):
        broken = broken or finding.health is Health.BROKEN
        if as_json:
            print_json(finding._asdict())
        else:
            _tell(finding)
    return 1 if broken else 0


def _tell(finding: "Finding") -> None:
    from terminal.text.wrapping import Line

    health = str(finding.health)
    print_lines(Line((f"{health:<9}", STYLES[health]), f"{finding.checked:<18}{finding.found}", hang=LABEL))
    if finding.remedy is not None:
        print_lines(Line(" " * LABEL, ("remedy: ", "NOTE"), finding.remedy, hang=LABEL + 2))
