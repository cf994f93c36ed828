"""What is found out by playing a recording: turns and markers, as far as needed, the same however one came there."""

import re
from contextlib import closing
from pathlib import Path

import pytest

from nhlog.formats import open_recording
from nhlog.formats.ttyrec.wire.frames import format_frame
from nhlog.screencast.games import Status
from nhlog.screencast.replay import Screencast
from nhlog.screencast.survey.journal import Journal
from nhlog.timeline import NoSuchPosition, parse_position
from tests.corpus import corpus
from tests.doses import dose, seeded
from tests.vt.truth import FILES, truth

START = 1_700_000_000_000_000
GAMES = [name for name in FILES if "nh366" in name or "nle/" in name or "crawl028-mibe" in name]


def status(turn: int | None, name: str = "Ann", **told: object) -> Status:
    known = {"hp": 20, "hp_max": 20, "level": 1, "place": "Dlvl:1", "depth": 1, **told}
    return Status(game="NetHack", name=name, turn=turn, **known)  # type: ignore[arg-type]


def noted(*statuses: Status) -> Journal:
    journal = Journal()
    for step, each in enumerate(statuses):
        journal.note(step, each)
    return journal


def happened(*statuses: Status) -> list[tuple[int, str]]:
    return [(marker.step, marker.name) for marker in noted(*statuses).markers]


def test_what_happens_is_noted_once() -> None:
    assert happened(
        status(1),
        status(2, place="Dlvl:2", depth=2),
        status(3, level=2),
        status(4, hp=5),
        status(5, hp=2),
        status(6),
        status(7, hp=2),
        status(8, place="Dlvl:1"),
        status(9, hp=0),
        status(9, hp=-2),
    ) == [(1, "Dlvl:2"), (2, "level 2"), (3, "low HP 1"), (6, "low HP 2"), (8, "death")]


def test_low_health_is_a_seventh_or_five_points() -> None:
    assert happened(status(1, hp=15, hp_max=100), status(2, hp=14, hp_max=100)) == [(1, "low HP 1")]
    assert happened(status(1, hp=6, hp_max=12), status(2, hp=5, hp_max=12), status(3, hp=5, hp_max=5)) == [
        (1, "low HP 1")
    ]


def test_another_game_is_told_when_it_is_sure() -> None:
    journal = noted(status(900), status(901), status(1), status(2), status(3, "Bob"), status(4, "Bob"))
    assert [(marker.step, marker.name) for marker in journal.markers] == [(2, "new game: Ann"), (4, "new game: Bob")]
    assert [(game.status.name, game.turns, game.first, game.last) for game in journal.games] == [
        ("Ann", 901, 0, 1),
        ("Ann", 2, 2, 3),
        ("Bob", 4, 4, 5),
    ]
    assert [game.first_turn for game in journal.games] == [900, 1, 3]
    assert [journal.turn_at(step) for step in range(6)] == [900, 901, 901, 901, 901, 901]


def test_what_the_first_status_of_another_game_tells_is_its_own() -> None:
    journal = noted(status(900), status(1, "Bob", hp=3, place="Dlvl:4"), status(2, "Bob"), status(3, "Bob", hp=2))
    assert [(marker.step, marker.name) for marker in journal.markers] == [
        (1, "new game: Bob"),
        (1, "low HP 1"),
        (2, "Dlvl:1"),
        (3, "low HP 2"),
    ]


def test_each_game_of_a_file_is_as_in_a_file_of_its_own(tmp_path: Path) -> None:
    names = [f"recorded/nh366-{name}.ttyrec" for name in ("ascii-val2", "sam-highlight", "ascii-val2")]
    whole = tmp_path / "several.ttyrec"
    whole.write_bytes(b"".join(truth(name).file.read_bytes() for name in names))
    begun, alone = 0, []
    for name in names:
        with closing(opened(name)) as replay:
            [game] = replay.games
            alone.append((game.first + begun, game.last + begun, game.first_turn, game.turns, game.status))
            begun += replay.timeline.last + 1
    with closing(open_recording(str(whole))) as replay:
        assert isinstance(replay, Screencast)
        assert [(game.first, game.last, game.first_turn, game.turns, game.status) for game in replay.games] == alone


def test_digits_that_are_drawn_one_by_one_begin_no_game() -> None:
    journal = noted(status(199), status(209), status(200), status(201), status(202), status(210))
    assert journal.markers == []
    assert [journal.turn_at(step) for step in (0, 1, 5)] == [199, 209, 210]
    assert noted(status(7), status(99_999), status(8)).turn == 8
    assert noted(status(7), status(99_998), status(99_999)).turn == 99_999  # he slept


def test_what_is_covered_stays_as_it_was() -> None:
    [game] = noted(status(7, title="Stripling"), status(None, "", place="", level=None)).games
    assert (game.status.name, game.status.title, game.status.turn, game.status.place) == (
        "Ann",
        "Stripling",
        7,
        "Dlvl:1",
    )


def opened(name: str) -> Screencast:
    replay = open_recording(str(truth(name).file))
    assert isinstance(replay, Screencast)
    return replay


@pytest.mark.parametrize("name", GAMES)
def test_turns_are_the_same_whichever_way_one_asks(name: str) -> None:
    with closing(opened(name)) as whole, closing(opened(name)) as some:
        turns, markers = list(whole.timeline.axes["turn"].values), list(whole.timeline.markers)
        assert turns == sorted(turns)
        chance = seeded(1)
        for _ in range(dose("screencast.turns")):
            step = chance.randrange(len(turns))
            assert some.timeline.at("turn", step) == turns[step]
            if chance.random() < 0.5:  # who searches moves the same tape
                next(some.search(re.compile("zq"), step, step), None)
        assert list(some.timeline.markers) == markers
        for turn in {*turns, 0, turns[-1] // 2}:
            there = whole.timeline.resolve(parse_position(f"turn:{turn}"))
            assert turns[there] <= turn or there == 0
            assert turns[there] != turn or turns.index(turn) == there


def test_the_first_turns_are_found_without_playing_all() -> None:
    with closing(
        opened("nle/2020-10-03.17_27_10.ttyrec.bz2")
        if "nle/2020-10-03.17_27_10.ttyrec.bz2" in FILES
        else opened(GAMES[0])
    ) as replay:
        first = replay.timeline.at("turn", 60)
        replay.timeline.resolve(parse_position(f"turn:{first}"))
        assert replay.explored < len(replay.recorded) or len(replay.recorded) < 600


def test_a_recording_that_grows_tells_what_one_read_at_once_does(tmp_path: Path) -> None:
    """Cut anywhere, in the middle of a status, too."""
    data = corpus("terminal", "recorded", "nh366-ibmgfx-sam.ttyrec").read_bytes()
    path = tmp_path / "growing.ttyrec"
    chance = seeded(5)
    cuts = sorted(chance.randrange(2000, len(data)) for _ in range(dose("screencast.cuts")))
    path.write_bytes(data[: cuts[0]])
    with closing(open_recording(str(path), charset="cp437")) as replay:
        for cut in [*cuts[1:], len(data)]:
            list(replay.timeline.markers)
            path.write_bytes(data[:cut])
            replay.refresh()
            with closing(open_recording(str(path), charset="cp437")) as fresh:
                assert list(replay.timeline.markers) == list(fresh.timeline.markers)
                assert list(replay.timeline.axes["turn"].values) == list(fresh.timeline.axes["turn"].values)


def test_positions_that_no_game_has_are_nowhere() -> None:
    with closing(opened("recorded/vim.ttyrec")) as replay:
        assert list(replay.timeline.markers) == []
        with pytest.raises(NoSuchPosition):
            replay.timeline.resolve(parse_position("turn:1"))
        assert replay.timeline.resolve(parse_position("turn:0")) == 0


def test_a_burst_is_looked_at_when_it_is_over(tmp_path: Path) -> None:
    """Rows that are drawn in pieces, one millisecond after the other."""

    def drawn(at: int, turn: str) -> bytes:
        pieces = ["\x1b[23;1HAnn the Lady St:18 Dx:9", "\x1b[24;1HDlvl:1 $:0 HP:9(9) Pw:1(1) AC:9 Xp:1 T:"]
        return b"".join(
            format_frame(START + at * 1000 + number * 1000, piece.encode())
            for number, piece in enumerate([*pieces, *turn, "\x1b[K"])
        )

    path = tmp_path / "burst.ttyrec"
    path.write_bytes(drawn(0, "1999") + drawn(500, "2000") + drawn(1000, "2001"))
    with closing(open_recording(str(path))) as replay:
        assert sorted(set(replay.timeline.axes["turn"].values)) == [0, 1999, 2000, 2001]
