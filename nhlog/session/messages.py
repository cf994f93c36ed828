"""The messages of a game to its player, read from its log backwards: what the engine says as the lines come.

The messages after a save depend only on that save and the lines after it, up to the next one.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from nhlog.errors import NhlogError
from nhlog.replay import Told
from nhlog.session.following import Following
from nhlog.session.session import Session

__all__ = ["messages_before", "told_since"]


def messages_before(game: Session) -> Iterator[Sequence[Told]]:
    """The messages up to where the game stands: after its latest save, then after the save before it, and so on.

    Each piece takes the time of a turn, as its lines are followed if they were not yet; it is kept in `game.told`.
    Ends early where the log is taken back meanwhile.  Raises :class:`~nhlog.errors.LockNotObtained` and
    :class:`~nhlog.errors.LogRecovered`.
    """
    told, at = game.told, game.at
    for save in range(game.log.columns.save_at(at - 1), -1, -1):
        if game.told is not told:
            return
        if save not in told:
            told[save] = _told_after(game, save)
        yield [message for message in told[save] if message.step < at]


def told_since(game: Session, line: int) -> list[Told]:
    """The messages of this line of the log and those after it, up to where the game stands."""
    found: list[Told] = []
    lines = game.log.columns.save_lines
    for save in range(game.log.columns.save_at(game.at - 1), -1, -1):
        found[:0] = [message for message in game.told.get(save, ()) if message.step >= line]
        if lines[save] < line:
            break
    return found


def _told_after(game: Session, save: int) -> list[Told]:
    """The messages after a save that is not the latest one, up to the save after it."""
    after = game.log.columns.save_lines[save + 1]
    other = Following(game.log, game.engine, {})
    other.load(save)
    other.follow(after + 1 if other.stands else after)
    if other.frozen or other.desync:  # then the save after it has the last of it
        with suppress(NhlogError):
            other.follow(after + 1)
            return [Told(after, other.game.turn, text) for text in other.game.messages]
    return other.told.get(save, [])
