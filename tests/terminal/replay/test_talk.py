"""Talk beside a recording: who watches sees it beside the view or in the message row, and a replay at its moment."""

import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from nhlog.beside.file import NotTaken
from nhlog.beside.talk import Talk, open_talk, say, talk_file
from nhlog.config import Config
from nhlog.players.mutes import Author
from nhlog.replay import Status
from nhlog.testing.fakes import FakeDisplay, FakeRecording, Happening
from nhlog.timeline import MICROSECONDS
from terminal.followed import Followed
from terminal.replay.beside import Beside
from terminal.replay.controls import Controls
from terminal.replay.drawing.frame import draw_frame
from terminal.replay.layout.rows import details_fit, talk_fits
from terminal.replay.live import replayed, watch_file
from terminal.replay.open import open_viewed
from terminal.replay.player import Player
from terminal.views import view_of
from tests.corpus import SAMPLES

START = 1_711_713_590 * MICROSECONDS


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "game.fake")


@pytest.fixture
def controls(path: str) -> Controls:
    """A game that goes on since a minute, which somebody watches who may talk."""
    happenings = [Happening(f"event {n}", 10.0) for n in range(7)]
    player = Player(FakeRecording(happenings, start=START, status=Status.LIVE))
    open_talk(path, takes=True, watched=True)
    player.beside = Beside(path, say=lambda text: say(path, "ann", text))
    return Controls(player, view_of("fake"))


def write(path: str, *lines: tuple[int, str]) -> None:
    """What bob said, so many seconds after the beginning."""
    with open(talk_file(path), "a") as file:
        for second, text in lines:
            time = (START + second * MICROSECONDS) // 1000
            file.write(json.dumps({"time": time, "name": "bob", "text": text}) + "\n")


def pass_time(player: Player, *times: float) -> None:
    for now in times:
        player.refresh()
        player.advance(now)


def drawn(controls: Controls, width: int, height: int = 24) -> str:
    controls.size = width, height
    return "\n".join(draw_frame(controls, width, height).text())


def test_what_is_said_while_one_follows_is_in_the_message_row_for_some_seconds(controls: Controls, path: str) -> None:
    controls.player.follow()
    pass_time(controls.player, 1.0)
    say(path, "bob", "look behind you")
    pass_time(controls.player, 1.3)
    assert "bob: look behind you" in drawn(controls, 80).splitlines()[-1]
    pass_time(controls.player, 6.4)
    assert "look behind you" not in drawn(controls, 80)


def test_where_there_is_room_the_latest_lines_stand_beside_the_view(controls: Controls, path: str) -> None:
    write(path, *((n, f"line {n}") for n in range(50)))
    controls.player.follow()
    pass_time(controls.player, 1.0)
    for width in (100, 119, 120, 200):
        shown = drawn(controls, width)
        assert "talk" in shown, width
        assert "bob: line 49" in shown, width
        assert "bob: line 0" not in shown, width
    assert "bob: line 49" not in drawn(controls, 99)


@pytest.mark.parametrize("width", range(80, 240))
def test_the_pane_takes_no_column_of_what_was_recorded(width: int) -> None:
    details = details_fit((80, 24), width, 24)
    columns = talk_fits((80, 24), width, details)
    assert columns == 0 or width - columns - 1 >= 80
    assert (columns > 0) == (width >= 100 and not (details and details.columns))


def test_a_replay_shows_each_line_at_its_moment(controls: Controls, path: str) -> None:
    write(path, (15, "one"), (35, "two"), (999, "after the end"))
    player = controls.player
    pass_time(player, 1.0)
    assert "one" not in drawn(controls, 100)
    player.skip(20)
    assert "bob: one" in drawn(controls, 100)
    assert "two" not in drawn(controls, 100)
    player.skip(20)
    assert "bob: two" in drawn(controls, 100)
    player.seek(player.timeline.last)
    assert "bob: after the end" in drawn(controls, 100)
    player.start()
    assert "bob:" not in drawn(controls, 100)


def test_where_there_is_no_room_a_line_is_in_the_message_row_when_its_moment_comes(
    controls: Controls, path: str
) -> None:
    write(path, (1, "early"), (15, "one"))
    player = controls.player
    pass_time(player, 1.0)
    player.toggle()
    pass_time(player, 1.0, 1.8)
    assert "bob:" not in drawn(controls, 80)
    pass_time(player, 2.5)  # ten seconds in which nothing happened are shown in two
    assert "bob: one" in drawn(controls, 80)


def test_the_track_is_hidden_and_shown_by_a_key(controls: Controls, path: str) -> None:
    write(path, (1, "one"))
    controls.player.follow()
    pass_time(controls.player, 1.0)
    controls.press("H")
    assert "bob: one" not in drawn(controls, 120)
    assert controls.player.message == "talk is hidden"
    say(path, "bob", "two")
    pass_time(controls.player, 1.5)
    assert "bob: two" not in drawn(controls, 120)
    controls.press("H")
    assert "bob: two" in drawn(controls, 120)


def test_who_watches_talks_to_all(controls: Controls, path: str) -> None:
    controls.player.follow()
    pass_time(controls.player, 1.0)
    for key in ("T", *"well met", "enter"):
        controls.press(key)
    pass_time(controls.player, 1.3)
    talk = Talk(path)
    talk.look()
    assert [str(said) for said in talk.said] == ["ann: well met"]
    assert "ann: well met" in drawn(controls, 100)


def test_who_is_refused_is_told_why(controls: Controls) -> None:
    def refuse(text: str) -> None:
        raise NotTaken("the player does not accept talk", file="game")

    controls.player.beside.say = refuse
    for key in ("T", "a", "enter"):
        controls.press(key)
    assert controls.player.message == "the player does not accept talk"


class Listening(FakeDisplay):
    """A display at which one hears of changes of a file."""

    def listen(self, changes: object) -> None:
        pass


@pytest.mark.parametrize(
    ("config", "author", "mail", "talk"),
    [
        (Config(mail=False), Author("ann", None), "writing to players is turned off here", "To all: "),
        (Config(talk=False), Author("ann", None), "To the player: ", "talk is turned off here"),
        (Config(), None, *["one writes and talks under a name, where the game is played"] * 2),
    ],
)
def test_who_cannot_write_is_told_why(tmp_path: Path, config: Config, author: Author, mail: str, talk: str) -> None:
    game = str(shutil.copy(SAMPLES / "scripted1.nhgame", tmp_path))
    for key, told in (("M", mail), ("T", talk)):
        display = Listening((key, "", "escape", "q", "q"), (120, 30))
        watch_file(display, Followed(game), config, author=author)
        assert any(told.casefold() in "\n".join(screen.text()).casefold() for screen in display.screens), key


def test_beside_what_nobody_plays_one_cannot_talk_and_is_told_so() -> None:
    with closing(open_viewed(str(SAMPLES / "scripted1.nhgame"))) as replay:
        controls = Controls(replayed(str(SAMPLES / "scripted1.nhgame"), replay), view_of(replay.info.id))
        for key in ("M", "T"):
            controls.press(key)
            assert controls.opened.mode == ""
            assert controls.player.message == "nobody plays this: one writes and talks while one watches a game"


def a_line(controls: Controls, text: str) -> str:
    """Say it to all; returns what the message row has then."""
    for key in ("T", *text, "enter"):
        controls.press(key)
    return controls.player.message


def test_what_is_said_before_the_player_has_noticed_that_somebody_came_is_sent_as_soon_as_that_is_so(
    controls: Controls, path: str
) -> None:
    Path(talk_file(path)).unlink()
    player = controls.player
    player.follow()
    pass_time(player, 1.0)
    assert [a_line(controls, "hello"), a_line(controls, "there")] == ["sending: hello", "sending: there"]
    pass_time(player, 2.0, 3.0)
    assert player.message.startswith("sending: ")
    open_talk(path, takes=True, watched=True)
    pass_time(player, 4.0)
    assert player.message == "sent: hello"
    pass_time(player, 5.0)
    talk = Talk(path)
    talk.look()
    assert [str(said) for said in talk.said] == ["ann: hello", "ann: there"]
    assert a_line(controls, "well") == "sent: well"


def test_a_line_that_nobody_takes_is_given_up_and_one_who_turns_out_to_take_none_refuses_at_once(
    controls: Controls, path: str
) -> None:
    Path(talk_file(path)).unlink()
    player = controls.player
    a_line(controls, "hello")
    pass_time(player, *(float(second) for second in range(100)))
    assert player.message == ""  # it was told for some seconds
    told = list[str]()
    a_line(controls, "hello")
    for second in range(100, 130):
        pass_time(player, float(second))
        told.append(player.message)
    assert [*dict.fromkeys(told)] == ["sending: hello", "the player does not accept talk now", ""]
    assert a_line(controls, "hello") == "sending: hello"
    open_talk(path, takes=False, watched=True)
    pass_time(player, 200.0)
    assert player.message == "the player does not accept talk"


def test_the_talk_of_a_recording_in_a_file_is_found_beside_it(tmp_path: Path) -> None:
    game = shutil.copy(SAMPLES / "delve.nhgame", tmp_path / "delve.nhgame")
    replay = open_viewed(str(game))
    begun = replay.timeline.start
    assert begun is not None
    Path(talk_file(str(game))).write_text(
        json.dumps({"time": begun // 1000, "name": "eve", "text": "\u202e\x1b[2Jboo"})
        + "\n"
        + json.dumps({"time": begun // 1000, "name": "bob", "text": "it begins"})
        + "\n"
    )
    with closing(replayed(str(game), replay)) as player:
        pass_time(player, 1.0)
        shown = drawn(Controls(player, view_of(player.info.id)), 130, 30)
    assert "bob: it begins" in shown
    assert "eve:" not in shown


def test_who_hid_the_talk_does_not_see_it_where_another_version_of_the_recording_goes_on(
    tmp_path: Path,
) -> None:
    files = [str(shutil.copy(SAMPLES / "delve.nhgame", tmp_path / name)) for name in ("late.nhgame", "all.nhgame")]
    with closing(replayed(files[0], open_viewed(files[0]))) as one, closing(Player(open_viewed(files[1]))) as other:
        one.beside.hidden = True
        other.go_on_as(one)
        assert other.beside.hidden
