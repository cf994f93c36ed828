"""An environment of NLE whose episodes are games in logs; one that stands where a log does; copies of a running one."""

import time
from bisect import bisect_right
from collections.abc import Callable
from copy import deepcopy
from typing import Any, Final

import gymnasium
from nle.env import base, tasks

from nhlog.engines.nethack.engine import ENGINE
from nhlog.engines.nethack.game import keys_of
from nhlog.engines.nethack.past import Past
from nhlog.engines.nethack.save import read_save
from nhlog.errors import Unsupported, Usage
from nhlog.formats.nhgame.open import open_log
from nhlog.formats.nhgame.writing.branch import save_at, write_branch
from nhlog.gym.core import Core, Place, new_path
from nhlog.log.log import Log
from nhlog.savehead import HEAD_SIZE
from nhlog.session.following import commands_before
from nhlog.session.replay import engine_of

__all__ = ["LoggedNetHack", "restore"]

EVERY: Final = 1000
"""How many keys are written together: a save takes two milliseconds, a step of NLE a twentieth of one."""
SECONDS: Final = 1.0
"""After how many seconds they are written even if they are fewer: spectators of a slow agent want to see it."""

Task = Callable[..., base.NLE]


class LoggedNetHack(gymnasium.Wrapper):  # type: ignore[misc]
    """An environment of NLE (`task`: ``NetHackScore``, ``NetHackChallenge``, any), with a log of each episode.

    It is used as NLE's own, and gives the same for the same seeds and actions.  `options` are those of the task.  Each
    episode is a new file in `folder`, named by the process and a number, which `log` tells; it is written after each
    `every` keys, and once a second.  `clock` tells the second at which a game begins; in the game it stands still
    then.

    Raises :class:`~nhlog.errors.Usage` for options of nle with which a game cannot be made again from its log.
    """

    def __init__(
        self,
        task: Task = tasks.NetHackScore,
        folder: str = "games",
        *,
        every: int = EVERY,
        clock: Callable[[], float] = time.time,
        **options: Any,
    ) -> None:
        for name, usual in (("spawn_monsters", True), ("fix_moon_phase", False), ("save_ttyrec_every", 0)):
            if options.get(name, usual) != usual:
                raise Usage("a game in a log is begun without this option of nle", found=name)
        if options.get("render_mode") == "pixel":
            raise Usage("a game in a log has no tiles", expected="another render_mode")
        super().__init__(task(**options))
        self._made: tuple[Any, ...] = (task, folder, every, clock, options)
        self._inner: Any = self.env.unwrapped
        self._core = Core(self._inner.nethack, Place(folder, every, SECONDS, clock))
        self._inner._close_nethack()
        self._inner.nethack = self._core

    @property
    def log(self) -> str:
        """The file of this episode's log."""
        if self._core.episode is None:
            raise Usage("no episode was begun", expected="`reset` first")
        return self._core.episode.path

    @property
    def keys(self) -> int:
        """How many keys NetHack was given in this episode: a step of some environments are several."""
        return self._core.count

    @property
    def observation(self) -> dict[str, Any]:
        """What is seen now, as `reset` and `step` return it."""
        found: dict[str, Any] = self._inner._get_observation(self._inner.last_observation)
        return found

    def flush(self) -> None:
        """Write what was done since the last time: the log then ends where the episode stands."""
        self._core.flush()

    def branch(self) -> "LoggedNetHack":
        """A copy of this environment, which stands where this one does, and goes on by itself in a log of its own."""
        self.flush()
        copy = type(self)(*self._made[:2], every=self._made[2], clock=self._made[3], **self._made[4])
        assert self._core.episode is not None
        log = self._core.episode.log
        copy._stand_at(log, len(log.columns.save_lines) - 1)
        inner = self.env.unwrapped
        for name, value in vars(inner).items():
            if value is None or isinstance(value, int | float):  # how many steps, and for how long without a turn
                setattr(copy.env.unwrapped, name, value)
        copy.env.unwrapped._np_random = deepcopy(inner._np_random)
        return copy

    def close(self) -> None:
        """Write what is left, and close the log: a game that is not over can be played on by anybody."""
        self._core.close()
        super().close()

    def _stand_at(self, log: Log, save: int, keys: bytes = b"") -> None:
        """Stand where the game of a log stands at a save, and some keys later."""
        path = new_path(self._made[1])
        write_branch(log, save, path)
        saved = read_save(log.save(save)[HEAD_SIZE:])
        past = Past(saved.start, _keys_of(log)[: saved.keys])
        seen = self._core.stand_at(path, past, saved.seen)
        for key in keys:
            seen, _ = self._core.step(key)
        inner = self._inner
        inner.last_observation, inner._steps = seen, 0
        inner._episode += 1
        inner._turns, inner._no_progress_count = None, 0  # as NetHackChallenge begins


def restore(
    log: str, step: int | str, task: Task = tasks.NetHackScore, folder: str = "games", **options: Any
) -> LoggedNetHack:
    """An environment of this task that stands where the game of `log` stands, whoever played it; `log` stays as it is.

    `step` is a number of keys (see `LoggedNetHack.keys`), or a position: ``turn:5000``, ``50%``.  The episode begins
    there, in a new log with the same past: its steps are counted from there on.  `options` are those of
    :class:`LoggedNetHack`; who is played is the log's.

    Raises :class:`~nhlog.errors.Usage` for a place that the game does not have, or where it is over,
    :class:`~nhlog.errors.Unsupported` for a game that NetHack makes otherwise here, and other
    :class:`~nhlog.errors.NhlogError` for what is no such log.
    """
    with open_log(log) as opened:
        save, keys = _place(opened, step)
        first, wanted = (opened.save(number)[HEAD_SIZE:] for number in (0, save))
        # in a process of its own: anybody may have written the log
        ENGINE.recall(first, commands_before(opened, len(opened)), wanted)
        made = LoggedNetHack(task, folder, **options)
        try:
            made._stand_at(opened, save, keys)
        except BaseException:
            made.close()
            raise
    return made


def _place(log: Log, step: int | str) -> tuple[int, bytes]:
    """The number of the latest save at or before a place of a log, and the keys from there to it."""
    if engine_of(log) != ENGINE.name:
        raise Unsupported("not a game of NetHack", file=log.source.name)
    if isinstance(step, str):
        return save_at(log, step), b""
    keys = _keys_of(log)
    if not 0 <= step <= len(keys):
        raise Usage("the game has not so many keys", file=log.source.name, expected=f"0 to {len(keys)}", found=step)

    def count(save: int) -> int:
        return read_save(log.save(save)[HEAD_SIZE:]).keys

    save = bisect_right(range(len(log.columns.save_lines)), step, key=count) - 1
    return save, keys[count(save) : step]


def _keys_of(log: Log) -> bytes:
    return keys_of(commands_before(log, len(log)), read_save(log.save(0)[HEAD_SIZE:]).start)
