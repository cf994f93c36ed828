"""How a cell looks: colours and attributes, as much of them as a terminal knows, and the sequences that set them."""

from functools import lru_cache

from nhlog.values import NamedTuple

__all__ = ["ALL_COLORS", "PLAIN", "Color", "Style", "rgb"]

Color = int | tuple[int, int, int]
"""An index into the 256-colour palette, or red, green and blue from 0 to 255."""

ALL_COLORS = 1 << 24
"""The colours of a terminal that shows every one, and every kind of underline."""


class Style(NamedTuple):
    """How a cell looks; a colour that is None is the terminal's default.

    `underline` is 0 for none, else the kind of ECMA-48's ``4:n``: single, double, curly, dotted, dashed.
    `role` is what the style is for; the user's theme may change its look.  `link` is the address to which the text
    leads, in printable ASCII, as a program said it: who shows it decides which ones may be followed.
    """

    fg: Color | None = None
    bg: Color | None = None
    bold: bool = False
    dim: bool = False
    underline: int = 0
    reverse: bool = False
    italic: bool = False
    blink: bool = False
    invisible: bool = False
    strikethrough: bool = False
    overline: bool = False
    underline_color: Color | None = None
    role: str = ""
    link: str = ""

    def reduced(self, colors: int) -> "Style":
        """The nearest style for a terminal with `ALL_COLORS`, 256, 16, 8 or 0 colours.

        Without colours, a background becomes reverse video.
        """
        special = self.underline > 1 or self.underline_color is not None  # few terminals know these
        if colors == ALL_COLORS or (colors >= 256 and not special and tuple not in (type(self.fg), type(self.bg))):
            return self
        line = min(self.underline, 1)
        if not colors:
            reverse = self.reverse or bool(self.bg)  # black is no colour
            return self._replace(fg=None, bg=None, reverse=reverse, underline=line, underline_color=None)
        fg = None if self.fg is None else _nearest(self.fg, colors)
        bg = None if self.bg is None else _nearest(self.bg, colors)
        if fg == 0 and bg is None and colors < 256:
            fg = None  # black text would vanish on most terminals
        if fg is not None and fg == bg and self.fg != self.bg and colors < 256:
            fg = 0 if bg else 7  # two shades of one colour
        return self._replace(fg=fg, bg=bg, underline=line, underline_color=None)

    def sgr(self, colors: int = 256) -> str:
        """The ECMA-48 sequence that sets this style and nothing else."""
        return _sgr(self.reduced(colors))


PLAIN = Style()

_ATTRIBUTES = (
    *(("bold", 1), ("dim", 2), ("italic", 3), ("underline", 4), ("blink", 5), ("reverse", 7), ("invisible", 8)),
    *(("strikethrough", 9), ("overline", 53)),
)


@lru_cache(maxsize=1024)
def _sgr(style: Style) -> str:
    codes = ["0", *(str(code) for name, code in _ATTRIBUTES if getattr(style, name))]
    if style.underline > 1:
        codes.append(f"4:{style.underline}")
    for base, color in ((30, style.fg), (40, style.bg), (50, style.underline_color)):
        if color is None:
            continue
        if isinstance(color, tuple):
            codes.append(f"{base + 8};2;{color[0]};{color[1]};{color[2]}")
        elif base == 50:
            codes.append(f"58;5;{color}")
        elif color < 8:
            codes.append(str(base + color))
        elif color < 16:
            codes.append(str(base + 60 + color - 8))
        else:
            codes.append(f"{base + 8};5;{color}")
    return f"\x1b[{';'.join(codes)}m"


# xterm's first sixteen colours; the rest of the 256 are a 6x6x6 cube and a grey ramp.
_ANSI_RGB = (
    *(
        (0, 0, 0),
        (205, 0, 0),
        (0, 205, 0),
        (205, 205, 0),
        (0, 0, 238),
        (205, 0, 205),
        (0, 205, 205),
        (229, 229, 229),
    ),
    *((127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255)),
    (255, 255, 255),
)
_CUBE = (0, 95, 135, 175, 215, 255)


def rgb(color: Color) -> tuple[int, int, int]:
    """Red, green and blue of a colour, as xterm has them, from 0 to 255."""
    if isinstance(color, tuple):
        return color
    if color < 16:
        return _ANSI_RGB[color]
    if color < 232:
        red, rest = divmod(color - 16, 36)
        return _CUBE[red], _CUBE[rest // 6], _CUBE[rest % 6]
    grey = 8 + 10 * (color - 232)
    return grey, grey, grey


@lru_cache(maxsize=1 << 16)
def _nearest(color: Color, colors: int) -> int:
    if isinstance(color, int) and color < colors:
        return color
    wanted = rgb(color)

    def distance(index: int) -> int:
        return sum((a - b) ** 2 for a, b in zip(rgb(index), wanted, strict=True))

    exact = range(16, colors) if colors > 16 else range(colors)  # the first sixteen look different everywhere
    return min(exact, key=distance)
