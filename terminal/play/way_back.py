"""The way back for a game that cannot go on: to the last save that its engine can load."""

from typing import NamedTuple

from nhlog.errors import NhlogError
from nhlog.log.recovery import Truncation, plan_rewind, refuse
from nhlog.session import Session, last_loadable

__all__ = ["WayBack", "way_back"]


class WayBack(NamedTuple):
    """What is asked, and what is done then; if the log grows before the answer, nothing is."""

    question: str
    cut: Truncation


def way_back(session: Session) -> WayBack:
    """The way back of a game; raises :class:`NhlogError` if there is none, or if too much would be lost."""
    log = session.log
    found = last_loadable(log, session.engine, len(log.columns.save_lines))
    cut = None if found is None else plan_rewind(log, found.line)
    if found is None or cut is None:
        raise NhlogError("there is no save in this log that the game could go back to")
    refuse(cut, log.source.name)
    return WayBack(f"Go back to turn {found.turn}? {found.lost} turns are lost", cut)
