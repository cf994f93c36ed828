"""A NetHack 4 log keeps the contract of recordings."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from nhlog.errors import LockNotObtained
from nhlog.formats.nhgame.state import LogState
from nhlog.log.wire.blob import Blob
from nhlog.replay import Change
from nhlog.testing import ReplayContract, portrait, states
from tests.builders import Game, every_kind, played
from tests.changed import replaced
from tests.logs import SAMPLE_LOGS


class TestNhgame(ReplayContract):
    ending = ".nhgame"

    def complete(self) -> bytes:
        return bytes(every_kind().data)

    def growing(self) -> tuple[bytes, bytes]:
        game = played(8, backup_every=4)
        size = len(game.data)
        game.input(b"move D4", b"Yn", b"search")
        game.turn += 1
        game.diff()
        game.input(b"welcome")
        game.diff()
        return bytes(game.data[:size]), bytes(game.data[size:])

    def finished(self, data: bytes) -> bytes:
        return data[:7] + b"done" + data[11:] + b"Q\n"

    def rewound(self, data: bytes) -> bytes:
        game = played(8, backup_every=4)
        return data[:12] + b"00000002" + data[20 : game.save_offsets[4]]

    def damaged(self) -> Iterator[bytes]:
        game = played(12, backup_every=6, zone=3600)
        for offset in (game.length, game.save_offsets[3], game.save_offsets[-1], game.backups[1]):
            for byte in b"~*Q\0":
                if game.data[offset] != byte:
                    yield replaced(bytes(game.data), offset, byte)
            for at in range(offset + 12, offset + 20):
                yield replaced(bytes(game.data), at, ord("!"))
        for payload in (b"\x01\x43\xff", b"\0" * 40, bytes(1000)):
            game = played(3)
            game.line(b"~" + Blob.of(payload).text)
            yield bytes(game.play(2).data) if payload[:1] == b"\0" else bytes(game.data)
        game = Game(begin=False)
        game.input(b"search", b"search")
        yield bytes(game.data)
        yield bytes(Game(begin=False).data)

    def says_damage(self, state: LogState) -> bool:
        return bool(state.fault) or state.text == "unreadable line"

    def big(self) -> bytes:
        return bytes(played(700, size=40_000).data)

    # of the log itself

    @pytest.mark.parametrize("path_", SAMPLE_LOGS, ids=lambda path: path.stem)
    def test_real_games_backwards_are_those_forwards(self, opened, path_: Path) -> None:
        replay = opened(path_.read_bytes())
        forwards = states(replay)
        for step in reversed(range(len(forwards))):
            replay.seek(step)
            assert replay.state == forwards[step]

    def test_the_state_at_a_line_is_made_of_the_log_up_to_that_line(self, opened) -> None:
        """What comes later changes nothing: a spectator and a later viewer see the same."""
        game = played(8, backup_every=4, zone=3600)
        later = states(opened(bytes(game.data)))
        for line in range(len(game.lines)):
            end = game.offsets[line] + len(game.lines[line]) + 1
            replay = opened(bytes(game.data[:end]))
            replay.seek(line)
            assert replay.state == later[line]

    def test_a_state_has_the_save_the_turn_and_the_moment(self, opened) -> None:
        game = every_kind()
        replay = opened(bytes(game.data))
        for line, (offset, text) in enumerate(zip(game.offsets, game.lines, strict=True)):
            replay.seek(line)
            state = replay.state
            number = sum(save <= offset for save in game.save_offsets) - 1
            assert (state.step, state.offset, state.fault) == (line, offset, "")
            assert state.save == game.saves[number]
            assert state.save_offset == game.save_offsets[number]
            assert state.zone == 3600
            assert (state.kind == "time") == text.startswith(b"+")

    @pytest.mark.parametrize("refused", range(1, 7))
    @pytest.mark.parametrize("what", ["grown", "finished", "rewound"])
    def test_what_a_refusal_interrupts_the_next_look_finishes(
        self, opened, path: Path, monkeypatch: pytest.MonkeyPatch, what: str, refused: int
    ) -> None:
        """Each look has several steps, and any of them may be refused, as somebody writes without end."""
        monkeypatch.setattr("nhlog.log.log.CHUNK", 20)  # so that a look takes more than one chunk
        old, new = self.growing()
        after = {"grown": old + new, "finished": self.finished(old + new), "rewound": self.rewound(old + new)}[what]
        path.write_bytes(old if what != "rewound" else old + new)
        replay = opened(path)
        path.write_bytes(after)
        source, looks = replay.log.source, count(1)
        size = source.size

        def refuse_once() -> object:
            if next(looks) == refused:
                raise LockNotObtained("held")
            return size()

        monkeypatch.setattr(source, "size", refuse_once)
        changes = []
        for _ in range(3):
            with suppress(LockNotObtained):
                changes.append(replay.refresh())
        expected = {"grown": Change.GREW, "finished": Change.FINISHED, "rewound": Change.REWOUND}[what]
        assert [change for change in changes if change is not Change.NOTHING] == [expected]
        fresh = opened(after)
        assert portrait(replay) == portrait(fresh)
        assert states(replay) == states(fresh)
