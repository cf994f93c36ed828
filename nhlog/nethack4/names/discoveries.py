"""The discoveries list: what the hero has learned of kinds of objects, by class, as in the game.

A kind is listed if its name is known or the player has named it, in the order of discovery; unique items and artifacts
come first, without further details, as a save has only their names.
"""

from collections.abc import Iterator
from typing import Final

from nhlog.nethack4.names.objects import Naming
from nhlog.nethack4.save.save import Save
from nhlog.nethack4.tables import KIND, artifacts, kinds, table

__all__ = ["discoveries_of"]

_UNIQUE: Final = ("Amulet of Yendor", "Book of the Dead", "Candelabrum of Invocation", "Bell of Opening")


def discoveries_of(save: Save) -> Iterator[tuple[str, list[str]]]:
    """Headings and the lines below each; kinds that every hero of the role knows have an asterisk."""
    unique = [f"  {name}" for name in _UNIQUE if save.classes[KIND[name]].name_known]
    known = artifacts()
    named = [f"  {known[number].name}" for number in save.state.artifacts_known if number in known]
    yield from ((heading, lines) for heading, lines in (("Unique Items", unique), ("Artifacts", named)) if lines)
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
