"""Progress: whoever waits hears how far it is, from the beginning to the end, of every kind of recording."""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nhlog.formats import open_recording, operation
from nhlog.progress import each, in_words, listener, listening, report
from tests.corpus import SAMPLES

Heard = list[tuple[str, int, int]]


@contextmanager
def hearing() -> Iterator[Heard]:
    heard: Heard = []
    with listening(lambda *told: heard.append(told)):
        yield heard


def test_who_listens_hears_until_the_context_ends() -> None:
    with hearing() as heard:
        report("reading", 1, 3)
        with listening(None):
            report("reading", 2, 3)
    report("reading", 3, 3)
    assert heard == [("reading", 1, 3)]
    assert listener() is None


def test_what_a_listener_raises_ends_the_work() -> None:
    def give_up(doing: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), listening(give_up), open_log_of_some_size():
        pass
    assert listener() is None


@contextmanager
def open_log_of_some_size() -> Iterator[None]:
    open_recording(str(SAMPLES / "died2.nhgame")).close()
    yield


def test_what_is_one_of_several_says_which() -> None:
    with hearing() as heard:
        for name in each("file", "ab"):
            report(f"reading {name}", 1, 2)
    assert heard == [
        ("file 1 of 2", 0, 0),
        ("file 1 of 2: reading a", 1, 2),
        ("file 2 of 2", 0, 0),
        ("file 2 of 2: reading b", 1, 2),
    ]
    assert [*each("file", "ab")] == ["a", "b"]


@pytest.mark.parametrize(
    ("told", "words"),
    [(("reading", 1, 3), "reading 33%"), (("reading", 5, 3), "reading 100%"), (("waiting", 5, 0), "waiting")],
)
def test_what_is_told_is_a_percentage_where_the_whole_is_known(told: tuple[str, int, int], words: str) -> None:
    assert in_words(*told) == words


@pytest.mark.parametrize(
    "name",
    ["died2.nhgame", "nethack.cast", "arena.butter", "coverage.teehistorian", "run.replay", "packed.cast.gz"],
)
@pytest.mark.parametrize("act", ["open", "verify"])
def test_every_recording_tells_how_far_it_is_read(name: str, act: str, tmp_path: Path) -> None:
    path = SAMPLES / name
    if name.startswith("packed"):
        path = tmp_path / name
        path.write_bytes(gzip.compress((SAMPLES / "nethack.cast").read_bytes()))
    with hearing() as heard:
        if act == "open":
            open_recording(str(path)).close()
        else:
            assert [*operation(str(path), "verify")(str(path))][-1]["sound"]
    assert heard or (act, name) == ("open", "run.replay")  # whose preamble tells all that is needed
    for doing in {doing for doing, _, _ in heard}:
        done = [done for what, done, _ in heard if what == doing]
        assert done == sorted(done)
        assert all(done <= total for what, done, total in heard if what == doing)
