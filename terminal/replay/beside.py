"""What those who watch write beside the recording that a player shows: a line to who plays it, and their talk."""

from collections.abc import Callable, Sequence
from typing import Final

from nhlog.beside.talk import Said, Talk

__all__ = ["Beside"]

_NONE: Final = ""  # the file of what is no file


class Beside:
    """The talk beside a recording; `write` sends a line to who plays it, `say` one to all, None where the user cannot.

    It is looked at with the recording: what is said is shown within a fraction of a second without another watch on a
    file, of which the system has few.
    """

    def __init__(
        self,
        recording: str = _NONE,
        *,
        write: Callable[[str], None] | None = None,
        say: Callable[[str], None] | None = None,
    ) -> None:
        self.write = write
        self.say = say
        self._talk = None if recording == _NONE else Talk(recording)
        self._told: int | None = None  # lines that were there at the last look of `fresh`

        self.hidden = False
        """Whether the user does not want to see the talk."""

    def look(self) -> bool:
        """Read what was said meanwhile; returns whether anything was."""
        return self._talk is not None and self._talk.look()

    def said(self, moment: int | None) -> Sequence[Said]:
        """What was said until this moment, in UTC microseconds since 1970; all of it for None."""
        if self._talk is None or not self._talk.said:
            return ()
        return self._talk.said if moment is None else self._talk.until(moment)

    def fresh(self, moment: int | None) -> Said | None:
        """The latest line until this moment, if there are more of them than at the last call."""
        said = self.said(moment)
        before, self._told = self._told, len(said)
        return said[-1] if before is not None and len(said) > before else None
