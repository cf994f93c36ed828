"""asciicast 1, 2 and 3: what a program wrote to its terminal, as text with times, in JSON.

`wire` parses and writes headers and events, `reader` finds the events of a file.  Must not import other formats, nor
`session` or `terminal`.
"""

from typing import Final

__all__ = ["FORMAT"]

FORMAT: Final = "asciicast"
