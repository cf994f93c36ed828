"""Search in what was on the screen: every appearance is found, however it was printed."""

import random
import re
from collections.abc import Callable, Iterator
from itertools import islice

import pytest

from nhlog.replay import Event
from nhlog.screencast.search import needed, search
from nhlog.vt import Part, Size, Tape
from tests.doses import dose, seeded
from tests.vt.truth import FILES, truth

PATTERNS = (
    "the",
    "you",
    "d",
    "T:1",
    "HP:1",
    "dr",
    "the$",
    "b.*e",
    "kobold|jackal",
    "[a-c]d",
    "e ",
    r"i\s",
    "line",
    "x?",
)


Screens = list[list[str]]


def screens(size: Size, parts: list[Part]) -> Screens:
    """The rows of the screen after each event."""
    played = tape(size, parts)
    return [played.grid(number + 1).text() for number in range(len(parts))]


def appearances(screens: Screens, pattern: re.Pattern[str]) -> list[int]:
    """The events after which a match is shown that was not before: all screens are looked at."""
    shown, found = set[str](), []
    for number, rows in enumerate(screens):
        now = {match.group() for row in rows for match in pattern.finditer(row) if match.group()}
        if now - shown:
            found.append(number)
        shown = now
    return found


def tape(size: Size, parts: list[Part]) -> Tape:
    return Tape(size, lambda first, last: parts[first:last])


def steps(size: Size, parts: list[Part], pattern: re.Pattern[str], **where: int | bool) -> list[int]:
    options = {"first": 0, "last": len(parts) - 1, **where}
    found = search(tape(size, parts), pattern, **options)  # type: ignore[arg-type]
    return [one.step for one in found if isinstance(one, Event)]


SMALL = [name for name in FILES if truth(name).told["payload_bytes"] < 200_000]


@pytest.mark.parametrize("name", SMALL)
def test_every_appearance_is_found_both_ways(name: str) -> None:
    known = truth(name)
    chance = seeded(name)
    all_screens = screens(known.size, known.parts)
    for text in chance.sample(PATTERNS, dose("screencast.patterns")):
        pattern = re.compile(text, re.IGNORECASE)
        expected = appearances(all_screens, pattern)
        assert steps(known.size, known.parts, pattern) == expected, text
        assert steps(known.size, known.parts, pattern, backwards=True) == expected[::-1], text


def test_a_part_is_searched_as_the_whole_is() -> None:
    known = truth("recorded/nh366-ibmgfx-sam.ttyrec")
    pattern = re.compile("you", re.IGNORECASE)
    whole = steps(known.size, known.parts, pattern)
    assert len(whole) > 3
    for first, last in ((0, 40), (7, 90), (whole[1], whole[2]), (whole[1] + 1, whole[2] - 1)):
        inside = [step for step in whole if first <= step <= last]
        assert steps(known.size, known.parts, pattern, first=first, last=last) == inside
        assert steps(known.size, known.parts, pattern, first=first, last=last, backwards=True) == inside[::-1]


@pytest.mark.parametrize("text", PATTERNS)
def test_who_searches_from_match_to_match_finds_what_one_search_does(text: str) -> None:
    """Each begins where the one before stood, on the terminal that it had looked at, and which shows its match."""
    known = truth("recorded/nh366-ibmgfx-sam.ttyrec")
    pattern = re.compile(text, re.IGNORECASE)
    one, found = tape(known.size, known.parts), list[int]()
    while matches := _first(search(one, pattern, found[-1] + 1 if found else 0, len(known.parts) - 1)):
        found += matches
    assert found == steps(known.size, known.parts, pattern)


def _first(found: Iterator[Event | int]) -> list[int]:
    return [*islice((one.step for one in found if isinstance(one, Event)), 1)]


SIZE = Size(16, 4)
PIECES: tuple[Callable[[random.Random], str], ...] = (
    lambda chance: "".join(chance.choices("dragon .", k=chance.randrange(1, 9))),
    lambda chance: chance.choice(("dragon", "dra", "gon", "rago", "on", "d", "DRAG")),
    lambda chance: f"\x1b[{chance.randrange(1, 5)};{chance.randrange(1, 17)}H",
    lambda chance: f"\x1b[{chance.randrange(1, 6)}{chance.choice('ABCDGdXPKJ@LMbhl')}",
    lambda chance: chance.choice(
        ("\x1b[1m", "\x1b[m", "\r\n", "\r", "\b", "\t", "\x1bM", "\x1b[K", "\x1b[4h", "\x1b[4l")
    ),
    lambda chance: chance.choice(
        ("\x1b[?7l", "\x1b[?7h", "\x1b[?69h\x1b[3;9s", "\x1b[?69l", "\x1b[?1049h", "\x1b[?1049l")
    ),
    lambda chance: chance.choice(
        ("\x1b]0;dragon\x07", "\x1b]0;dra\x18gon", "漢", "e\u0301", "\u200b", "\x1b(0", "\x1b(B")
    ),
)


@pytest.mark.parametrize("seed", range(dose("screencast.outputs")))
def test_words_come_up_in_pieces_and_by_every_sequence(seed: int) -> None:
    """Cut anywhere, too, in sequences and characters."""
    chance = seeded(seed)
    weights = (6, 6, 6, 2, 2, seed % 2, 1)
    output = "".join(chance.choices(PIECES, weights)[0](chance) for _ in range(dose("screencast.pieces"))).encode()
    parts: list[Part] = []
    while output:
        size = chance.randrange(1, 12)
        parts.append(output[:size])
        output = output[size:]
        if chance.random() < 0.01:
            parts.append(Size(chance.randrange(8, 20), chance.randrange(2, 6)))
    all_screens = screens(SIZE, parts)
    for text in ("dragon", "drag", "gon$", "o"):
        pattern = re.compile(text, re.IGNORECASE)
        assert steps(SIZE, parts, pattern) == appearances(all_screens, pattern), text


@pytest.mark.parametrize(
    ("pattern", "word"),
    [
        ("dragon", "dragon"),
        ("Red dragon", "dragon"),
        ("you (hit|miss)", "you"),
        ("(the )?((red|blue) )*dragon", "dragon"),
        (r"\((a)\)dragon", ""),
        ("(?x)red dragon # of any age", ""),
        ("([)]x)dragon", "dragon"),
        ("dragons?", "dragon"),
        ("dragons*x", "dragon"),
        ("a{0,3}bcd", "bcd"),
        ("bcde{2}", "bcd"),
        (r"\bnewt\b", "newt"),
        (r"\x41bcd", ""),
        (r"T:12\d", "t:12"),
        ("[dragon]x", ""),
        ("foo|bar", ""),
        ("a.b", ""),
        ("ab+cd", "ab"),
        ("漢字 one", "one"),
    ],
)
def test_what_a_match_needs(pattern: str, word: str) -> None:
    assert needed(re.compile(pattern)) == word


def test_one_hears_how_far_it_is_and_may_stop() -> None:
    parts: list[Part] = [b"%d\r\n" % number for number in range(5000)]
    heard = list(search(tape(SIZE, parts), re.compile("nothing"), 0, 4999))
    assert heard == sorted(heard)
    assert len(heard) > 5
    one = search(tape(SIZE, parts), re.compile("4321"), 0, 4999, backwards=True)
    assert next(found for found in one if isinstance(found, Event)).step == 4321


def test_what_comes_up_where_one_goes_on_from_is_found_once_backwards() -> None:
    long = bytes(1 << 16)  # after each such event one can go on at once
    parts: list[Part] = [b"\x1b[Hno. %d%b" % (number, long) for number in range(4)]
    assert steps(SIZE, parts, re.compile(r"no\. \d"), backwards=True) == [3, 2, 1, 0]
