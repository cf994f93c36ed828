"""The transport, key by key: where it stands and how it moves after what was pressed."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.errors import LockNotObtained, Usage
from nhlog.replay import Change, Status
from nhlog.testing.fakes import FakeRecording, Happening
from nhlog.timeline import MICROSECONDS, Marker
from terminal.replay.controls import KEYS, Controls
from terminal.replay.motion import LOGARITHMIC, OFF, Motion, Pace, idle_cap, parse_idle
from terminal.replay.player import Player
from terminal.views import view_of

SECOND = MICROSECONDS


def recording(count: int = 101, **options: object) -> FakeRecording:
    """Step n is at n seconds (the first at 0) and in turn 10 * n; one in ten is a kick."""
    happenings = [
        Happening("kicks; direction: west" if n % 10 == 5 else f"moves {n}", wait=1.0 if n else 0.0, turn=10 * n)
        for n in range(count)
    ]
    return FakeRecording(happenings, **options)  # type: ignore[arg-type]


def playing(replay: FakeRecording, **options: object) -> Player:
    player = Player(replay, **options)  # type: ignore[arg-type]
    player.advance(0.0)
    player.toggle()
    return player


def after(keys: str, start: int = 50, **options: object) -> Player:
    """A player that stood at `start` and was given these keys, names of more than one character in <>."""
    player = Player(recording(**options))
    player.seek(start)
    controls = Controls(player, view_of("fake"))
    while keys:
        key = keys[1 : keys.index(">")] if keys[0] == "<" else keys[0]
        keys = keys[len(key) + 2 :] if keys[0] == "<" else keys[1:]
        controls.press(key)
    return player


@pytest.mark.parametrize(
    ("keys", "step"),
    [
        (".", 51),
        (",", 49),
        ("...,", 52),
        ("<right>", 55),
        ("<left>", 45),
        ("<up>", 100),
        ("<down>", 0),
        ("<page-down>", 55),
        ("<page-up>", 45),
        ("<shift-right>", 60),
        ("<shift-left>", 40),
        ("g", 0),
        ("<home>", 0),
        ("G", 100),
        ("<end>", 100),
        ("120G", 12),
        ("125G", 12),
        ("1:30G", 90),
        ("0:01:05G", 65),
        ("50%G", 50),
        ("7%G", 7),
        ("99999G", 100),
        ("12<backspace>0G", 1),
        ("12.G", 100),
        ("12<escape>G", 100),
        ("]", 60),
        ("[", 40),
        ("]]", 60),
        ("m..[", 50),
        ("m,,,,]", 50),
        ("/kick<enter>", 55),
        ("?kick<enter>", 45),
        ("/kick<enter>n", 65),
        ("90t", 9),
        ("/kick<enter>nN", 55),
        ("?kick<enter>n", 35),
        ("?kick<enter>nN", 45),
        ("/kick<enter>/<enter>", 65),
        ("/KICK<enter>", 50),
        ("/moves 4.$<enter>", 50),
        ("?moves 4.$<enter>", 49),
        ("/raw 57<enter>", 57),
        ("/nothing like it<enter>", 50),
        ("/(<enter>", 50),
        ("/kick<escape>", 50),
        ("/k<backspace><backspace>.", 51),
        ("/.<left><enter>", 51),
        ("h.", 50),
        ("h<down>q.", 51),
        ("x", 50),
        ("<tab>", 50),
    ],
)
def test_keys_that_move(keys: str, step: int) -> None:
    markers = [Marker(40, "backup", "backup 1"), Marker(60, "death", "death")]
    assert after(keys, markers=markers).step == step


@pytest.mark.parametrize(
    ("keys", "start", "message"),
    [
        (".", 100, "this is the end"),
        (".", 99, "this is the end"),
        (",", 0, "this is the start"),
        ("<right>", 99, "this is the end"),
        ("<page-up>", 3, "this is the start"),
        ("<shift-right>", 95, "this is the end"),
        ("G", 0, "this is the end"),
        ("<space>", 50, "no such key: h lists the keys"),
        (" ", 100, "this is the end: r turns around"),
        ("r ", 0, "this is the start: r turns around"),
        ("r", 50, "backwards"),
        ("rr", 50, "forwards"),
        ("}", 50, "speed 2x"),
        ("{", 50, "speed 0.5x"),
        ("}=", 50, "speed 1x"),
        ("l", 50, "idle gaps: log"),
        ("ll", 50, "idle gaps: as recorded"),
        ("t", 50, "one turn a second"),
        ("tt", 50, "by recorded time"),
        ("F", 50, "nothing to follow: the recording is finished"),
        ("]", 50, "no marker ahead"),
        ("[", 50, "no marker behind"),
        ("m", 50, "note 1 set: ] and [ find it"),
        ("mm.[", 50, "note 2"),
        ("/nothing<enter>", 50, "not found ahead: nothing"),
        ("?nothing<enter>", 50, "not found behind: nothing"),
        ("/kick<enter>", 50, "/kick"),
        ("/kick<enter>N", 50, "?kick"),
        ("n", 50, "search for what? / asks"),
        ("5:5:5:5G", 50, "not a position: '5:5:5:5'"),
        ("<tab>", 50, "this recording has only one view"),
        ("n<escape>", 50, ""),
    ],
)
def test_what_cannot_be_done_is_said(keys: str, start: int, message: str) -> None:
    assert after(keys, start).message == message


def test_a_bad_pattern_is_named() -> None:
    assert after("/(<enter>").message.startswith("not a regular expression")


def test_every_key_of_the_table_does_one_thing() -> None:
    names = [name for key in KEYS for name in key.keys]
    assert len(names) == len(set(names))
    assert all(key.label and key.does and key.group for key in KEYS)


def test_the_table_has_the_keys_of_the_design() -> None:
    design = {" ", ".", ",", "right", "left", "shift-right", "shift-left", "up", "down", "page-down", "page-up"}
    design |= set("][gG/?nN{}=rlFmohqt") | {"tab"}
    assert design <= {name for key in KEYS for name in key.keys}


def test_playing_passes_the_recorded_time() -> None:
    player = playing(recording())
    player.advance(0.9)
    assert (player.step, player.time) == (0, 900_000)
    player.advance(1.0)
    assert (player.step, player.time) == (1, SECOND)
    for quarter in range(5, 42):
        player.advance(quarter / 4)
    assert player.time == 10_250_000


@pytest.mark.parametrize(
    ("keys", "step"), [("}", 2), ("}}", 4), ("{", 0), ("}}}=", 1), ("{{{{{{{{", 0), ("}" * 30, 100)]
)
def test_speed_multiplies_time(keys: str, step: int) -> None:
    player = playing(recording())
    controls = Controls(player, view_of("fake"))
    for key in keys:
        controls.press(key)
    player.advance(1.0)
    assert player.step == step


def test_speed_has_bounds() -> None:
    assert after("}" * 30).tempo.speed == 4096
    assert after("{" * 30).tempo.speed == 1 / 64


def test_reverse_plays_back_to_the_start_and_stops_there() -> None:
    player = playing(recording())
    player.seek(2)
    player.tempo.reverse()
    player.advance(0.5)
    assert (player.step, player.time) == (1, 1_500_000)
    player.advance(1.5)
    assert (player.step, player.time) == (0, 500_000)
    player.advance(2.5)
    assert (player.step, player.time, player.motion) == (0, 0, Motion.PAUSED)
    assert player.message == "this is the start"


def test_playing_stops_at_the_end_of_what_is_finished() -> None:
    player = playing(recording())
    player.seek(99)
    player.advance(1.0)
    assert (player.step, player.motion, player.message) == (100, Motion.PAUSED, "this is the end")


def test_playing_waits_at_the_end_of_what_still_grows() -> None:
    replay = recording(3, status=Status.LIVE)
    player = playing(replay)
    for second in (1, 2, 3, 4):
        player.advance(second)
    assert (player.step, player.motion, player.message) == (2, Motion.PLAYING, "waiting for more")
    replay.grow(Happening("new", turn=30))
    player.refresh()
    player.advance(4.5)
    player.advance(5.0)
    assert (player.step, player.motion) == (3, Motion.PLAYING)


def test_time_away_is_not_played() -> None:
    player = playing(recording())
    player.advance(3600.0)
    assert player.time == SECOND


def test_steps_pause_and_seeks_do_not() -> None:
    player = playing(recording())
    player.skip(5)
    player.jump(1)
    player.seeker.go("50%")
    assert player.motion is Motion.PLAYING
    player.step_by(1)
    assert player.motion is Motion.PAUSED


def test_a_skip_into_a_gap_stands_within_it() -> None:
    replay = FakeRecording([Happening("a", 0), Happening("b", 100), Happening("c", 1)])
    player = Player(replay)
    for _ in range(3):
        player.skip(5)
    assert (player.step, player.time) == (0, 15 * SECOND)
    player.skip(60)
    player.skip(60)
    assert (player.step, player.time) == (2, 101 * SECOND)
    player.skip(-5)
    assert (player.step, player.time) == (0, 96 * SECOND)


def test_a_jump_over_many_turns_at_once_makes_one_step() -> None:
    replay = FakeRecording([Happening("sleeps", turn=turn) for turn in (1, 500, 1000)])
    player = Player(replay)
    player.jump(1)
    assert player.step == 1
    player.jump(-1)
    assert player.step == 0


def test_a_recording_without_turns_jumps_by_minutes_and_is_played_by_time() -> None:
    replay = FakeRecording([Happening("a", 60, turn=60 * n) for n in range(100)], unit="tick")
    player = Player(replay)
    player.jump(1)
    assert player.step == 10
    Controls(player, view_of("fake")).press("t")
    assert (player.tempo.pace, player.message) == (Pace.TIME, "fake has no turns to play by")


def test_playing_by_turns_waits_a_second_for_each() -> None:
    replay = FakeRecording([Happening("x", wait=9, turn=turn) for turn in (1, 1, 2, 4)])
    player = playing(replay, idle=OFF)
    player.tempo.next_pace()
    player.advance(0.5)
    assert player.step == 1
    player.advance(1.0)
    assert player.step == 2
    player.advance(2.0)
    player.advance(2.5)
    assert player.step == 2
    player.advance(3.0)
    assert player.step == 3


@pytest.mark.parametrize(
    ("idle", "gap", "shown"),
    [
        (OFF, 3600, 3600),
        (idle_cap(2), 1.5, 1.5),
        (idle_cap(2), 3600, 2),
        (LOGARITHMIC, 0.5, 0.5),
        (LOGARITHMIC, 1, 1),
        (LOGARITHMIC, math.e, 2),
        (LOGARITHMIC, 86_400, 1 + math.log(86_400)),
        (parse_idle("off"), 3600, 3600),
        (parse_idle("log"), math.e, 2),
        (parse_idle("0.5"), 3600, 0.5),
    ],
)
def test_idle_gaps_are_shortened(idle: object, gap: float, shown: float) -> None:
    assert idle.shown(gap) == pytest.approx(shown)  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["", "-1", "0", "nan", "inf", "two"])
def test_what_limits_no_gap_is_refused(text: str) -> None:
    with pytest.raises(Usage):
        parse_idle(text)


def test_a_capped_gap_passes_evenly() -> None:
    replay = FakeRecording([Happening("a", 0), Happening("b", 3600), Happening("c", 1)])
    player = playing(replay)
    player.advance(0.5)
    assert (player.step, player.time) == (0, 900 * SECOND)
    player.advance(1.0)
    player.advance(2.0)
    assert player.step == 1


def test_the_cap_that_was_asked_for_is_among_those_that_one_leafs_through() -> None:
    player = Player(recording(), idle=idle_cap(7))
    names = []
    for _ in range(4):
        names.append(player.tempo.idle.name)
        player.say(player.tempo.next_idle())
    assert names == ["7 s", "log", "off", "7 s"]


def test_following_stays_at_the_end_until_one_goes_elsewhere() -> None:
    replay = recording(3, status=Status.LIVE)
    player = Player(replay)
    player.follow()
    assert (player.step, player.motion) == (2, Motion.FOLLOWING)
    replay.grow(Happening("new", turn=30), Happening("newer", turn=31))
    player.refresh()
    assert (player.step, player.motion) == (4, Motion.FOLLOWING)
    player.skip(-1)
    assert player.motion is Motion.PAUSED
    replay.grow(Happening("newest", turn=32))
    player.refresh()
    assert player.step == 3
    player.follow()
    player.follow()
    assert (player.step, player.motion) == (5, Motion.PAUSED)


def test_what_is_finished_is_no_longer_followed_until_it_is_taken_back() -> None:
    replay = recording(3, status=Status.LIVE)
    player = Player(replay)
    player.follow()
    replay.finish()
    player.refresh()
    assert (player.motion, player.message) == (Motion.PAUSED, "the recording is finished")
    replay.take_back(1)
    player.refresh()
    assert player.motion is Motion.FOLLOWING


def test_a_recording_that_was_taken_back_takes_the_player_with_it() -> None:
    replay = recording(10, status=Status.LIVE)
    player = Player(replay)
    player.seek(8)
    player.add_marker()
    player.seek(9)
    replay.take_back(4)
    player.refresh()
    assert (player.step, player.markers, player.message) == (5, [], "recovered: 4 lines lost")
    assert player.time <= player.timeline.time(player.timeline.last)


def test_a_recording_that_cannot_be_read_just_now_says_so() -> None:
    class Locked(FakeRecording):
        def refresh(self) -> Change:
            raise LockNotObtained("locked", file="x")

    player = Player(Locked([Happening("a")]))
    player.refresh()
    assert player.news.trouble == "locked"


WAITS = [0.0, 0.25, 1.0, 64.0, 65_536.0]  # sums and fractions of these are exact
VERBS = ["toggle", "reverse", "next_idle", "next_pace", "follow", "start", "add_marker"]
acts = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(VERBS)),
        st.tuples(st.just("play_at"), st.sampled_from([1 / 128, 0.5, 2.0, 9999.0])),
        st.tuples(st.sampled_from(["step_by", "jump", "leap", "to_marker"]), st.sampled_from([1, -1])),
        st.tuples(st.just("skip"), st.sampled_from([5, -5, 60, -60])),
        st.tuples(st.just("go"), st.sampled_from(["", "10", "0:03", "50%", "7%", "99999"])),
        st.tuples(st.just("search"), st.sampled_from(["a", "b"]), st.sampled_from([1, -1])),
        st.tuples(st.just("advance"), st.floats(0, 3)),
    ),
    max_size=30,
)


def recordings(unit: str) -> st.SearchStrategy[FakeRecording]:
    return st.builds(
        FakeRecording,
        st.lists(
            st.builds(Happening, st.sampled_from("ab"), st.sampled_from(WAITS), st.just(0)),
            min_size=1,
            max_size=12,
        ).map(lambda found: [Happening(h.text, h.wait, 7 * n // 2) for n, h in enumerate(found)]),
        width=st.integers(1, 3),
        status=st.sampled_from([Status.LIVE, Status.FINISHED]),
        unit=st.just(unit),
    )


@given(recordings("turn"), acts)
def test_the_player_never_leaves_the_timeline(replay: FakeRecording, acts: list[tuple[object, ...]]) -> None:
    player = Player(replay)
    now = 0.0
    for verb, *arguments in acts:
        if verb == "advance":
            now += arguments[0]  # type: ignore[operator]
            arguments = [now]
        owner = next(owner for owner in (player, player.tempo, player.seeker) if hasattr(owner, str(verb)))
        getattr(owner, str(verb))(*arguments)
        timeline = player.timeline
        assert 0 <= player.step <= timeline.last
        assert timeline.time(player.step) <= player.time
        assert player.time <= timeline.time(min(player.step + 1, timeline.last))


@given(recordings("tick"), st.integers(0, 100), st.integers(1, 400))
def test_seeking_and_playing_on_equals_playing_through(replay: FakeRecording, seconds: int, quarters: int) -> None:
    through = playing(replay, idle=OFF)
    for quarter in range(1, 4 * seconds + quarters + 1):
        through.advance(quarter / 4)
    expected = (through.step, through.time)
    replay.seek(0)
    sought = playing(replay, idle=OFF)
    sought.skip(seconds)
    for quarter in range(1, quarters + 1):
        sought.advance(quarter / 4)
    assert (sought.step, sought.time) == expected


def test_a_game_that_a_machine_played_can_be_watched_turn_by_turn() -> None:
    replay = FakeRecording([Happening("moves", 0.001, turn) for turn in range(450)])
    player = playing(replay, idle=OFF)
    for tenth in range(1, 300):
        player.advance(tenth / 10)
    assert 290 <= player.step <= 299


def test_what_has_no_turns_is_as_fast_as_recorded() -> None:
    player = playing(FakeRecording([Happening("frame", 0.001, n) for n in range(450)], unit="frame"), idle=OFF)
    player.advance(0.5)
    assert player.step == 449
