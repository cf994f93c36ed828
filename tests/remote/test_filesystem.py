"""Files in file systems of fsspec: they may fail in any way, and what is given is what was asked for."""

import threading
from collections.abc import Iterator

import pytest

from nhlog.errors import RemoteUnreachable, Unsupported
from nhlog.remote import NotThere, address, open_address

fsspec = pytest.importorskip("fsspec")

ALPHABET = b"abcdefghij"


class Hostile(fsspec.AbstractFileSystem):
    """Has one file, and does what `moods` say: the first for the first question, all further ones as the last.

    A mood is an exception, bytes to give for a range, or a function of the range.
    """

    protocol = "hostile"
    cachable = False
    moods: tuple[object, ...] = ()
    length: object = len(ALPHABET)
    asked = 0

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **options: object) -> object:
        mood = self.moods[min(Hostile.asked, len(self.moods) - 1)]
        Hostile.asked += 1
        if isinstance(mood, BaseException):
            raise mood
        return mood(start, end) if callable(mood) else mood

    def size(self, path: str) -> object:
        return self.length


def good(start: int, end: int) -> bytes:
    return ALPHABET[start:end]


@pytest.fixture
def hostile(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Hostile]]:
    monkeypatch.setattr(address, "_PAUSE", 0)
    fsspec.register_implementation("hostile", Hostile, clobber=True)
    Hostile.moods, Hostile.length, Hostile.asked = (good,), len(ALPHABET), 0
    return Hostile


def test_what_a_file_system_remembers_is_not_what_is_there_now(hostile: type[Hostile]) -> None:
    class Remembering(hostile):  # type: ignore[misc, valid-type]
        protocol = "remembering"
        known: object = None

        def size(self, path: str) -> object:
            self.known = self.known or self.length
            return self.known

        def invalidate_cache(self, path: str | None = None) -> None:
            self.known = None

    fsspec.register_implementation("remembering", Remembering, clobber=True)
    file = open_address("remembering://a")
    assert file.size() == 10
    Remembering.length = 12
    assert file.size() == 12


def test_a_range_is_one_question(hostile: type[Hostile]) -> None:
    file = open_address("hostile://a")
    assert file.pread(4, 2) == b"cdef"
    assert hostile.asked == 1
    assert file.pread(0, 2) == b""
    assert file.pread(4, 1 << 50) == b""  # as a damaged table has it: no file reaches there
    assert hostile.asked == 1


def test_a_range_may_be_shorter_only_at_the_end(hostile: type[Hostile]) -> None:
    file = open_address("hostile://a")
    assert file.pread(4, 8) == b"ij"
    assert file.pread(4, 10) == b""
    assert file.pread(4, 1000) == b""


BROKEN: dict[str, object] = {
    "reset": ConnectionResetError("reset by peer"),
    "timeout": TimeoutError("timed out"),
    "bug": KeyError("x"),
    "nothing to say": Exception(),
    "too short": b"abc",
    "nothing": b"",
    "too long": ALPHABET,
    "no bytes": None,
    "text": "abcd",
}


@pytest.mark.parametrize("mood", BROKEN.values(), ids=BROKEN)
def test_what_is_broken_is_asked_for_again(hostile: type[Hostile], mood: object) -> None:
    hostile.moods = (mood, mood, good)
    assert open_address("hostile://a").pread(4, 0) == b"abcd"
    assert hostile.asked == 3
    hostile.moods = (mood,)
    hostile.asked = 0
    with pytest.raises(RemoteUnreachable, match=r"no proper answer: .") as error:
        open_address("hostile://a").pread(4, 0)
    assert (error.value.file, error.value.exit_code, hostile.asked) == ("hostile://a", 7, 3)


@pytest.mark.parametrize("length", [-1, 10**18, 10**5000, "long", [1], float("inf")], ids=type)
def test_a_length_that_no_file_has_is_refused(hostile: type[Hostile], length: object) -> None:
    hostile.length = length
    with pytest.raises(RemoteUnreachable):
        open_address("hostile://a").size()


def test_a_length_that_is_not_told_is_none(hostile: type[Hostile]) -> None:
    hostile.length = None
    assert open_address("hostile://a").size() == 0


def test_what_is_refused_or_not_there_is_told_at_once(hostile: type[Hostile]) -> None:
    for mood, kind in ((PermissionError("no"), RemoteUnreachable), (FileNotFoundError("no"), NotThere)):
        hostile.moods, hostile.asked = (mood,), 0
        with pytest.raises(kind):
            open_address("hostile://a").pread(4, 0)
        assert hostile.asked == 1


def test_a_file_system_that_never_answers_has_a_deadline(
    hostile: type[Hostile], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address, "_PATIENCE", 0.1)
    stop = threading.Event()
    hostile.moods = (lambda start, end: stop.wait(),)
    with pytest.raises(RemoteUnreachable, match=r"no answer within 0\.1 s"):
        open_address("hostile://a").pread(4, 0)
    stop.set()


@pytest.mark.parametrize("error", [RuntimeError("odd"), OSError("far")])
def test_a_file_system_that_cannot_be_made_is_unreachable(
    hostile: type[Hostile], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(self: object, *arguments: object, **options: object) -> None:
        raise error

    monkeypatch.setattr(hostile, "__init__", fail)
    with pytest.raises(RemoteUnreachable, match=str(error)):
        open_address("hostile://a")


@pytest.mark.parametrize("given", ["nowhere://a", "://", "\x1b[2J://a", "a b://c"])
def test_a_kind_of_address_that_nobody_knows_is_told(hostile: type[Hostile], given: str) -> None:
    with pytest.raises((Unsupported, NotThere)) as error:
        open_address(given).pread(1, 0)
    assert error.value.file == given
