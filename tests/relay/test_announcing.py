"""What a relay says of a game: at once what is known at once, then all, again where it changed, and now and then."""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from nhlog.files import stamp_of
from nhlog.formats import format_of, operation
from nhlog.operations import Listing
from nhlog.relay.said import announcing
from nhlog.relay.said.announcing import Announcer, announcement_of
from nhlog.relay.sources import Source, open_source
from nhlog.relay.wire import Announcement, Game, decode_announcement
from nhlog.replay import Status
from tests.corpus import SAMPLES
from tests.guests import needs
from tests.relay.made import append, copied
from tests.relay.server import NatsServer, needs_nats_server
from tests.relay.test_server import MOST, Scene, on, server

__all__ = ["server"]

NEVER = 1e9
LISTING = Listing(file="a", format="ttyrec", title="of Ann", start=7, duration=1, changed=8, size=9, status=Status.LIVE)


@pytest.fixture(autouse=True)
def always_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is new is said, and nothing again; what there is to say is waited for."""
    for name, seconds in (("EVERY", 0.0), ("_AGAIN", NEVER), ("_SOON", MOST)):
        monkeypatch.setattr(announcing, name, seconds)


class Said:
    """An announcer of a game, and what of it is stored."""

    def __init__(self, scene: Scene, path: str) -> None:
        self.scene, self.path, self.game = scene, path, Game("here", "ann", Path(path).name)
        self.announcer = Announcer(scene.connection, self.game)

    async def say(self, source: Source) -> tuple[int, Announcement]:
        """What is stored after it was to say something, with its number."""
        await self.announcer.say(source, stamp_of(self.path))
        return await self.stored()

    async def stored(self) -> tuple[int, Announcement]:
        found = await self.scene.connection.last(self.game.announcement)
        assert found is not None
        return found.sequence, decode_announcement(found.body)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, {}),
        ({"start": 0}, {"start": None}),
        ({"start": -1}, {"start": None}),
        ({"start": None}, {"start": None}),
        ({"status": Status.FINISHED}, {"status": "finished"}),
    ],
)
def test_a_listing_is_told_as_far_as_others_want_to_know(change: dict, expected: dict) -> None:
    told = announcement_of(replace(LISTING, **change))
    whole = Announcement(
        title="of Ann",
        format="ttyrec",
        game="ttyrec",
        place="",
        turn=None,
        status="live",
        start=7,
        changed=8,
        size=9,
        told=told.told,
    )
    assert told == replace(whole, **expected)


@pytest.mark.parametrize(
    ("name", "game", "turn", "place"),
    [
        pytest.param("delve.nhgame", "delve", 566, "", marks=needs("delve")),
        ("died2.nhgame", "NetHack 4.3", 449, "Dungeons:2"),
        ("nethack.cast", "NetHack", 67, "Dlvl:1"),
        pytest.param("run.replay", "Hollow Cube recording", None, "", marks=needs("Hollow Cube")),
    ],
)
def test_the_game_is_named_after_what_is_played(name: str, game: str, turn: int | None, place: str) -> None:
    path = str(SAMPLES / name)
    told = announcement_of(operation(path, "listing")(path))
    assert (told.game, told.turn, told.place, told.status) == (game, turn, place, "finished")


def test_of_what_changed_at_no_known_time_it_is_told_that_it_did_now() -> None:
    told = announcement_of(replace(LISTING, changed=None))
    assert told.changed == told.told


@needs_nats_server
def test_a_game_is_told_of_once_and_again_when_it_is_another(server: NatsServer, tmp_path: Path) -> None:
    async def play(scene: Scene) -> None:
        said = Said(scene, scene.path)
        with closing(open_source(scene.path)) as source:
            first, told = await said.say(source)
            assert (told.format, told.size) == (format_of(scene.path).name, os.path.getsize(scene.path))
            assert told.turn
            assert (await said.say(source))[0] == first
            append(scene.path, "search")
            while told.size != os.path.getsize(scene.path):
                second, told = await said.say(source)
            assert (await said.say(source))[0] == second > first

    on(server, tmp_path, play)


@needs_nats_server
def test_what_happens_in_between_waits_for_its_time(
    server: NatsServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(announcing, "EVERY", NEVER)

    async def play(scene: Scene) -> None:
        said = Said(scene, scene.path)
        with closing(open_source(scene.path)) as source:
            first, _ = await said.say(source)
            append(scene.path, "search")
            for _ in range(3):  # a case: it is found out, taken in, and would be said
                await asyncio.sleep(0)
                assert (await said.say(source))[0] == first

    on(server, tmp_path, play)


@needs_nats_server
def test_the_same_is_told_again_now_and_then(
    server: NatsServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(announcing, "_AGAIN", 0.0)

    async def play(scene: Scene) -> None:
        said = Said(scene, scene.path)
        with closing(open_source(scene.path)) as source:
            first, before = await said.say(source)
            second, after = await said.say(source)
        assert second > first
        assert after == replace(before, told=after.told)
        assert after.told > before.told

    on(server, tmp_path, play)


@needs_nats_server
def test_what_takes_long_to_find_out_is_told_later_and_that_there_is_a_game_at_once(
    server: NatsServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(announcing, "_SOON", 0.0)

    async def play(scene: Scene) -> None:
        free, path = Event(), copied(tmp_path, "nethack.cast")
        said = Said(scene, path)
        with ThreadPoolExecutor(1) as busy, closing(open_source(path)) as source:
            asyncio.get_running_loop().set_default_executor(busy)
            busy.submit(free.wait)
            try:
                first, told = await said.say(source)
                stamp = os.stat(path)
                name = format_of(path).name
                assert told == Announcement(
                    title="",
                    format=name,
                    game=name,
                    place="",
                    turn=None,
                    status="live",
                    start=None,
                    changed=stamp.st_mtime_ns // 1000,
                    size=stamp.st_size,
                    told=told.told,
                )
                assert (await said.say(source))[0] == first
            finally:
                free.set()
            while not told.title:
                await asyncio.sleep(0)
                _, told = await said.say(source)
            assert told.start

    on(server, tmp_path, play)


@needs_nats_server
def test_at_the_end_it_is_told_of_as_it_is_then(server: NatsServer, tmp_path: Path) -> None:
    async def play(scene: Scene) -> None:
        said = Said(scene, scene.path)
        with closing(open_source(scene.path)) as source:
            await said.say(source)
            append(scene.path, "search")
            await said.announcer.end(source)
            assert (await said.stored())[1].size == os.path.getsize(scene.path)

    on(server, tmp_path, play)
