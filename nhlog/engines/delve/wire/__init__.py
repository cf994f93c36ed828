"""The bytes of a save: fixed-size records at stable offsets, so that little changes from turn to turn.

Bytes in, values out, every field checked; must not import what plays the game, nor do I/O.
"""

from nhlog.engines.delve.wire.bones import Bones, read_bones, write_bones
from nhlog.engines.delve.wire.levels import read_level, write_level
from nhlog.engines.delve.wire.world import read_world, write_world

__all__ = ["Bones", "read_bones", "read_level", "read_world", "write_bones", "write_level", "write_world"]
