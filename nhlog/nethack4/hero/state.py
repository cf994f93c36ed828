"""The hero's condition in the words of the log's second line (log spec section 3)."""

from nhlog.nethack4.hero.form import form_of
from nhlog.nethack4.save.dungeon import DLevel
from nhlog.nethack4.save.head import walk_head
from nhlog.nethack4.save.wire import Cursor

__all__ = ["state_of"]


def state_of(save: bytes) -> str:
    """The state of the hero of a save: ``Exp:1, 4 turns, on Dungeons:1``, with ``HD`` while polymorphed.

    Raises :class:`~nhlog.errors.Unsupported` for another engine's save, :class:`~nhlog.nethack4.save.wire.BadSave` for
    damage.
    """
    head = walk_head(Cursor(save))
    you = head.you
    level = f"HD:{form_of(you).level}" if you.polymorphed else f"Exp:{you.ulevel}"
    return f"{level}, {head.moves} turns, on {head.dungeons.place(DLevel(you.dnum, you.dlevel))}"
