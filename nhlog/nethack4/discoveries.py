"""What the hero has learned of kinds of objects, class by class, as the game lists its discoveries.

A kind is listed when its name is known or the player has named it, in the order of discovery.
"""

from collections.abc import Iterator

from nhlog.nethack4.naming import Naming
from nhlog.nethack4.save import Save
from nhlog.nethack4.tables import kinds, table

__all__ = ["discoveries_of"]


def discoveries_of(save: Save) -> Iterator[tuple[str, list[str]]]:
    """The headings of the classes and what is known in each; what every hero of that role knows has an asterisk."""
    naming = Naming(save)
    found: dict[int, list[str]] = {}
    for kind in save.state.discoveries:
        if not 0 < kind < len(save.classes):
            continue
        record = save.classes[kind]
        if (record.name_known and naming.look(kind)) or record.uname:
            mark = "* " if record.prediscovered else "  "
            found.setdefault(kinds()[kind].cls, []).append(mark + naming.of_kind(kind))
    for cls in save.flags.inv_order:
        if cls in found:
            yield table("class_headings")[cls], found[cls]
