"""Everything that can be done with one recording, and what must hold however hostile it is.

What must hold of any bytes (`rules`), and exit codes are those of a damaged or unknown input.

- A folder is listed, in `ls` and in the lobby, with the sound recording beside the hostile one.
- What `verify` calls sound is read by all other verbs without an error, and converts to what is sound.
"""

import os
import shutil
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Final

from nhlog.errors import NhlogError
from nhlog.formats import format_of
from scripts.fuzzing.rules import SIZE, Begin, Broken, Done, check_screen, run
from terminal.lobby.drawing import draw_lobby
from terminal.lobby.folders import Folders
from terminal.lobby.model import Lobby
from terminal.lobby.reading.jobs import answer
from terminal.lobby.visitors import User
from terminal.replay.controls import KEYS, Controls
from terminal.replay.drawing.frame import draw_frame
from terminal.replay.open import open_viewed
from terminal.replay.player import Player
from terminal.views import view_of

__all__ = ["look"]

_STEPS: Final = 10  # pictures of a walk
_NEIGHBOUR: Final = "sound.map"
_DAMAGED: Final = 3
_UNSUPPORTED: Final = 4
_PART: Final = "--first 25% --last 60%"
_FORMS: Final = {  # by format: endings of what it converts to, and options
    "asciicast": ((".cast", ".ttyrec"), ("", _PART)),
    "butter": ((".butter", ".echoreplay"), ("", _PART)),
    "datafile": ((".map",), ("--version 3", "--version 4")),
    "hollowcube": ((".replay",), ("--layout 1", "--layout 4", f"--layout 4 {_PART}")),
    "nhgame": ((".nhgame",), ("", _PART)),
    "nhrecorder": ((".cast", ".ttyrec"), ("", _PART)),
    "teehistorian": ((".teehistorian", ".teehistorian.gz"), ("", _PART, "--anonymise")),
    "ttyrec": ((".ttyrec", ".cast.gz"), ("", _PART)),
    "typescript": ((".cast", ".ttyrec"), ("", _PART)),
}
_PLACES: Final = ("start", "end", "50%", "0:02")
_KEYS: Final = tuple(name for key in KEYS for name in key.keys if name not in ("q", "#"))
_TYPED: Final = ("1", "5", "0", "%", ":", "enter", "escape", "backspace", "a", ".", "*", "(", "é")


def look(recording: Path, chance: Random, begin: Begin) -> None:
    """Do all that can be done with the only recording in a folder (see :data:`~scripts.fuzzing.rules.Act`)."""
    _Look(recording, chance, begin).all()


class _Look:
    """One recording being looked at; `sound` is what verify said."""

    def __init__(self, recording: Path, chance: Random, begin: Begin) -> None:
        self._path = str(recording)
        self._folder = recording.parent
        self._chance = chance
        self._begin = begin
        kind = format_of(self._path)
        self._format, self._operations = kind.id, kind.load()
        self._sound = False

    def all(self) -> None:
        """The list, verify, half of what else the format has, then a walk."""
        self._list()
        self._sound = self._verify(self._path)
        for arguments in self._verbs():
            if self._chance.randrange(2):
                self._read(*arguments)
        self._write()
        self._walk()

    # verbs

    def _verbs(self) -> list[list[str]]:
        """The verbs that read, each with its options."""
        chance, path = self._chance, self._path
        verbs = [
            ["info", path],
            ["dump", path],
            ["events", path],
            ["search", path, chance.choice(("a", "goal|join", "."))],
        ]
        verbs += [["state", path, "--at", chance.choice(_PLACES)]]
        if self._operations.stats:
            verbs += [["stats", path]]
        if self._operations.get_metadata:
            verbs += [["meta", path, "get"]]
        if self._format == "nhgame":
            verbs += [["dump", path, "--saves"]]
        if path.endswith(".butter"):
            verbs += [["dump", path, "--as-reference"]]
        return [[*verb, *chance.choice(([], ["--json"]))] for verb in verbs] + [["show", path, "--at", "50%"]]

    def _read(self, *arguments: str) -> None:
        done = self._run(*arguments)
        if "--json" in arguments:
            told = [record for record in done.records if isinstance(record, dict) and record.get("error")]
            if done.code == 0 and told and arguments[0] != "meta":
                raise Broken(f"{arguments[0]} tells of an error and exits with 0: {told[0]}")
        if arguments[0] == "state" and self._format == "nhgame":
            return  # verify holds a log to its rules, state is about what an engine wrote into the save
        if "--as-reference" in arguments:
            return  # the reference reads less than there is
        if self._sound and (done.code == _DAMAGED or (done.error and done.code != _UNSUPPORTED)):
            raise Broken(f"verify says sound, {arguments[0]} exits with {done.code}: {done.error or done.out[-200:]}")

    def _run(self, *arguments: str) -> Done:
        return run(self._folder, self._begin, *arguments)

    def _verify(self, path: str) -> bool:
        done = self._run("verify", path, *self._chance.choice(([], ["--json"])))
        return done.code == 0

    def _list(self) -> None:
        """`ls` and the lobby tell of the recording and of its sound neighbour."""
        name = os.path.basename(self._path)
        neighbour = self._folder / _NEIGHBOUR
        shutil.copyfile(Path(__file__).resolve().parents[2] / "samples" / "dm1.map", neighbour)
        done = self._run("ls", str(self._folder), *self._chance.choice(([], ["--json"])))
        if _NEIGHBOUR not in done.out:
            raise Broken(f"ls does not list the sound file: {done.error or done.err}")
        if name not in done.out + done.err:
            raise Broken("ls does not name the hostile file")
        self._begin("lobby")
        lobby = Lobby(Folders((self._folder,)), User(os.getuid()))
        while lobby.look():
            pass
        for job in lobby.wanted(lobby.contents.rows, SIZE):
            lobby.contents.take(job, answer(job))
        check_screen(draw_lobby(lobby, *SIZE))
        named = {os.path.basename(row.file) for row in lobby.contents.rows} | {
            os.path.basename(file) for file in lobby.contents.broken
        }
        if named != {name, _NEIGHBOUR}:
            raise Broken(f"the lobby knows of {sorted(named)}")
        neighbour.unlink()

    def _write(self) -> None:
        """The verbs that write; what is made of what is sound is sound."""
        chance, operations, path = self._chance, self._operations, self._path
        if operations.convert and chance.randrange(2):
            endings, choices = _FORMS[self._format]
            target = str(self._folder / f"made{chance.choice(endings)}")
            self._make(target, "convert", path, target, *chance.choice(choices).split())
        if operations.compact and chance.randrange(2):
            target = str(self._folder / "small.replay")
            self._make(target, "compact", path, "-o", target, "--force", *chance.choice(("", "--analysis")).split())
        if operations.recover and chance.randrange(2):
            self._run("recover", path, "--dry-run", *chance.choice(([], ["--json"])))

    def _make(self, target: str, *arguments: str) -> None:
        done = self._run(*arguments)
        if self._sound and done.code == _DAMAGED:
            raise Broken(f"verify says sound, {arguments[0]} says: {done.error or done.out[-200:]}")
        if not os.path.exists(target):
            if done.code == 0:
                raise Broken(f"{arguments[0]} exits with 0 and wrote nothing")
            return
        if done.code == 0 and self._sound and not self._verify(target):
            raise Broken(f"what {arguments[0]} made of a sound recording is not sound")

    # the player

    def _walk(self) -> None:
        """Keys of the player at random, and what is drawn after each."""
        self._begin("walk: open")
        try:
            replay = open_viewed(self._path)
        except NhlogError as error:
            if self._sound and error.exit_code != _UNSUPPORTED:
                raise Broken(f"verify says sound, the player cannot open it: {error}") from error
            return
        with closing(replay):
            player = Player(replay)
            controls = Controls(player, view_of(replay.info.id))
            now = 0.0
            check_screen(draw_frame(controls, *SIZE))
            for _ in range(_STEPS):
                for _ in range(self._chance.choice((1, 1, 1, 4))):
                    key = self._chance.choice(_KEYS if self._chance.randrange(3) else _TYPED)
                    self._begin(f"walk: {key}")
                    controls.press(key)
                now += self._chance.choice((0.0, 0.04, 0.9))
                player.advance(now)
                if self._chance.randrange(8) == 0:
                    player.refresh()
                check_screen(draw_frame(controls, *SIZE))
