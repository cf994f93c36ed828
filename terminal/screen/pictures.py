"""A screen as a picture that a browser shows cell for cell, whatever fonts it has: HTML or SVG."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import accumulate
from typing import Final

from nhlog.screen import Color, Run, Screen, Style, rgb, width_of

__all__ = ["as_html", "as_moving_svg", "as_svg"]

Rgb = tuple[int, int, int]

_TEXT: Final[Rgb] = (229, 229, 229)
_GROUND: Final[Rgb] = (0, 0, 0)
_FONTS: Final = "'DejaVu Sans Mono','Noto Sans Mono','Cascadia Mono',Menlo,Consolas,monospace"
_BLOCK: Final = "█"
_WIDE, _HIGH, _BASE, _SIZE = 9, 18, 14, 15  # pixels: a cell's columns and rows, where letters stand, their size
_GAMMA: Final = 2.2  # of sRGB, nearly
_SHARES: Final = (0.2126, 0.7152, 0.0722)  # of red, green and blue in how light a colour is
_FLARE: Final = 0.05  # the light that every display adds, by WCAG 2
_LEAST: Final = 0.14  # light of a colour: a contrast of 5.5 to white
_FOLLOWED: Final = frozenset({"http", "https", "mailto", "ftp"})
"""Schemes of the addresses that are links in a page: others may run something, or are no business of a recording's."""
_SEEN: Final = ("hidden", "visible")
_LINES: Final = ("none", "solid", "double", "wavy", "dotted", "dashed")


def as_html(screen: Screen, title: str) -> str:
    """A page with the screen as text, which can be searched and copied, and whose links can be followed."""
    rows: list[str] = [""] * screen.height
    ends = [0] * screen.height
    for run in _pieces(screen):
        style, width = _css(run.style), width_of(run.text)
        gap = " " * (run.x - ends[run.y])
        tag = "a" if (address := _address(run.style)) else "span"
        rows[run.y] += f'{gap}<{tag}{address} style="width:{width}ch;{style}">{escape(run.text)}</{tag}>'
        ends[run.y] = run.x + width
    body = "\n".join(rows)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>\n<style>\n'
        f"body{{margin:0;background:{_hex(_GROUND)}}}\n"
        f"pre{{margin:0;width:{screen.width}ch;color:{_hex(_TEXT)};background:{_hex(_GROUND)};"
        f"font:{_SIZE}px/{_HIGH}px {_FONTS}}}\n"
        f"span,a{{display:inline-block;height:{_HIGH}px;overflow:hidden;vertical-align:top;white-space:pre}}\n"
        f"</style></head>\n<body><pre>{body}</pre></body></html>\n"
    )


def _address(style: Style) -> str:
    """The attributes of a link, if this is one that may be followed."""
    scheme, colon, _ = style.link.partition(":")
    return f' href="{escape(style.link)}" rel="noreferrer"' if colon and scheme.lower() in _FOLLOWED else ""


def as_svg(screen: Screen, title: str) -> str:
    """An image of the screen, dark or light as the browser is."""
    light: dict[Rgb, str] = {_GROUND: "g"}
    return _svg(screen, title, light, [part for row in _rows(screen, light) for part in row])


def as_moving_svg(frames: Sequence[tuple[Screen, float]], title: str) -> str:
    """An image that shows these screens in turn and begins again, each for so many seconds; it runs no script.

    All have the same size.  Where the reader wants no motion it shows the last one.  A row that stays the same, or
    comes again, is in it once: 24 screens of NetHack take 207 kB, each one alone 8 to 15.
    """
    light: dict[Rgb, str] = {_GROUND: "g"}
    shown: dict[tuple[int, tuple[str, ...]], list[int]] = {}
    for number, (screen, _) in enumerate(frames):
        for y, row in enumerate(_rows(screen, light)):
            if row:
                shown.setdefault((y, tuple(row)), []).append(number)
    ends = list(accumulate(seconds for _, seconds in frames))
    together: dict[tuple[int, ...], list[str]] = {}
    for (_, parts), numbers in shown.items():
        together.setdefault(tuple(numbers), []).extend(parts)
    groups = [f'<g class="{_when(numbers)}">{"".join(parts)}</g>' for numbers, parts in together.items()]
    return _svg(frames[-1][0], title, light, groups, "".join(_motion(together, ends)))


def _motion(groups: Iterable[tuple[int, ...]], ends: Sequence[float]) -> Iterator[str]:
    """The rules by which each group of rows is seen in its frames, which end at these seconds."""
    begins, last = [0.0, *ends], len(ends) - 1
    for numbers in groups:
        seen = [number in numbers for number in range(len(ends))]
        steps = "".join(
            f"{100 * begins[number] / ends[-1]:.4g}%{{visibility:{_SEEN[seen[number]]}}}"
            for number in range(len(ends))
            if not number or seen[number] != seen[number - 1]
        )
        name = _when(numbers)
        yield f".{name}{{visibility:{_SEEN[seen[last]]};animation:{name} {ends[-1]:g}s step-end infinite}}"
        yield f"@keyframes {name}{{{steps}}}"
    yield "@media (prefers-reduced-motion:reduce){g{animation:none!important}}"


def _when(numbers: Iterable[int]) -> str:
    """The name of what is seen in these frames."""
    return "f" + "-".join(map(str, numbers))


def _rows(screen: Screen, light: dict[Rgb, str]) -> list[list[str]]:
    """The elements of each row; `light` names the colours that are others on a light ground, and gets new ones."""
    rows: list[list[str]] = [[] for _ in range(screen.height)]
    for run in _pieces(screen):
        x, y, columns = run.x * _WIDE, run.y * _HIGH, width_of(run.text)
        fg, bg = _colors(run.style)
        fg_class = bg_class = ""
        if _GROUND in (fg, bg):  # else the colours belong together
            fg_class, bg_class = (f'class="{light.setdefault(color, f"c{len(light)}")}" ' for color in (fg, bg))
        if bg != _GROUND:
            size = f'width="{columns * _WIDE:g}" height="{_HIGH}"'
            rows[run.y].append(
                f'<rect {bg_class}x="{x:g}" y="{y}" {size} fill="{_hex(bg)}" shape-rendering="crispEdges"/>'
            )
        if run.text.strip() or _line(run.style):
            rows[run.y].append(
                f'<text {fg_class}x="{x:g}" y="{y + _BASE}" textLength="{columns * _WIDE:g}" '
                f'lengthAdjust="spacingAndGlyphs" xml:space="preserve" fill="{_hex(fg)}" '
                f'style="{_letters(run.style)}">{escape(run.text)}</text>'
            )
    return rows


def _svg(screen: Screen, title: str, light: dict[Rgb, str], parts: Iterable[str], motion: str = "") -> str:
    width, height = screen.width * _WIDE, screen.height * _HIGH
    rules = "".join(f".{name}{{fill:{_hex(_on_light(color))}}}" for color, name in light.items())
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height}" '
        f'viewBox="0 0 {width:g} {height}" font-family="{_FONTS}" font-size="{_SIZE}">',
        f"<title>{escape(title)}</title>",
        f"<style>{motion}@media (prefers-color-scheme:light){{{rules}}}</style>",
        f'<rect class="g" width="100%" height="100%" fill="{_hex(_GROUND)}"/>',
    )
    return "\n".join([*head, *parts, "</svg>\n"])


def _on_light(color: Rgb) -> Rgb:
    """The colour of the same hue that stands out from white as much as this one does from black, by WCAG 2.

    Only black and grey become as dark as that: other colours would no longer be told apart.
    """
    linear = [(part / 255) ** _GAMMA for part in color]
    light = sum(part * share for part, share in zip(linear, _SHARES, strict=True))
    wanted = _FLARE * (1 + _FLARE) / (light + _FLARE) - _FLARE
    if len(set(color)) > 1:
        wanted = max(wanted, _LEAST)
    if wanted < light:
        linear = [part * wanted / light for part in linear]
    else:
        linear = [part + (1 - part) * (wanted - light) / (1 - light) for part in linear]
    red, green, blue = (round(255 * max(part, 0) ** (1 / _GAMMA)) for part in linear)
    return red, green, blue


def _pieces(screen: Screen) -> Iterator[Run]:
    """What is on the screen: ASCII of one style together, and each other character alone, as fonts differ there."""
    for run in screen.changes(Screen(screen.width, screen.height)):
        if run.text.isascii():
            yield run
            continue
        x, plain = run.x, ""
        for cell in _characters(run.text):
            if cell.isascii():
                plain += cell
                continue
            if plain:
                yield Run(x, run.y, plain, run.style)
                x, plain = x + len(plain), ""
            yield Run(x, run.y, cell, _filled(run.style) if cell == _BLOCK else run.style)
            x += width_of(cell)
        if plain:
            yield Run(x, run.y, plain, run.style)


def _filled(style: Style) -> Style:
    """A cell of one colour, whatever its letter: the blocks of fonts leave gaps."""
    color, _ = _colors(style)
    return Style(fg=color, bg=color, link=style.link)


def _characters(text: str) -> Iterator[str]:
    """The characters, each with the marks that belong to it."""
    whole = ""
    for char in text:
        if whole and width_of(char):
            yield whole
            whole = ""
        whole += char
    yield whole


def _colors(style: Style) -> tuple[Rgb, Rgb]:
    """Of the letters, and of what is behind them."""
    fg = _TEXT if style.fg is None else rgb(style.fg)
    bg = _GROUND if style.bg is None else rgb(style.bg)
    if style.reverse:
        fg, bg = bg, fg
    if style.dim:
        red, green, blue = ((light * 3 + dark * 2) // 5 for light, dark in zip(fg, bg, strict=True))
        fg = red, green, blue
    return (bg if style.invisible else fg), bg


def _css(style: Style) -> str:
    fg, bg = _colors(style)
    ground = f"background:{_hex(bg)};" if bg != _GROUND else ""
    return f"color:{_hex(fg)};{ground}{_letters(style)}" if style != Style() else ""


def _letters(style: Style) -> str:
    """How the letters look besides their colour."""
    weight = "font-weight:bold;" if style.bold else ""
    slant = "font-style:italic;" if style.italic else ""
    return weight + slant + _line(style)


def _line(style: Style) -> str:
    lines = [
        name
        for name, drawn in (
            ("underline", style.underline),
            ("line-through", style.strikethrough),
            ("overline", style.overline),
        )
        if drawn
    ]
    if not lines:
        return ""
    kind = f" {_LINES[style.underline]}" if style.underline > 1 else ""
    color = f" {_hex(rgb(style.underline_color))}" if style.underline_color is not None else ""
    return f"text-decoration:{' '.join(lines)}{kind}{color};"


def _hex(color: Color) -> str:
    red, green, blue = rgb(color)
    return f"#{red:02x}{green:02x}{blue:02x}"
