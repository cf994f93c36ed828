"""Encoding and decoding of the three diff formats by which NetHack 4.3 logs store a save relative to the previous one.

Imports nothing of nhlog but nhlog.errors and nhlog.kernels.
"""

from nhlog.mdiff.errors import MAX_SAVE, MdiffError
from nhlog.mdiff.rebuild import Rebuild, apply, head

__all__ = ["MAX_SAVE", "MdiffError", "Rebuild", "apply", "head"]
