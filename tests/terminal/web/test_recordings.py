import msgspec

from terminal.web.recordings import Change, Recordings, Row


def told(recordings: Recordings, *put: Row, gone: tuple[str, ...] = (), ready: bool = False) -> None:
    recordings.take(msgspec.json.encode(Change([*put], [*gone], ready)))


def game(identity: str, inode: int, started: int = 1) -> Row:
    return Row(id=identity, file=f"/{identity}", inode=(1, inode), player="Ann", started=started)


def test_a_link_leads_to_a_game_that_was_moved_and_moved_back() -> None:
    recordings = Recordings()
    told(recordings, game("playing", 5))
    told(recordings, gone=("playing",))
    told(recordings, game("finished", 5))
    assert recordings.file("playing") == "/finished"
    told(recordings, game("playing", 5), gone=("finished",))
    assert (recordings.file("playing"), recordings.file("finished")) == ("/playing", "/playing")


def test_a_new_game_in_the_room_of_one_that_was_deleted_is_another_one() -> None:
    recordings = Recordings()
    told(recordings, game("first", 5))
    told(recordings, game("second", 5, started=2), gone=("first",))
    assert recordings.file("first") is None


def test_what_a_lister_does_not_tell_that_begins_anew_is_gone() -> None:
    recordings = Recordings()
    told(recordings, game("one", 5), game("two", 6), ready=True)
    recordings.begin()
    told(recordings, game("two", 6))
    assert recordings.file("one") == "/one"
    told(recordings, ready=True)
    assert (recordings.file("one"), recordings.file("two")) == (None, "/two")
