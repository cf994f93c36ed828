"""What a program may do: bubblewrap's walls around it, and limits of memory, processes and time.

Within the walls a program reads the system's programs and settings, writes nowhere but in its player's home, and finds
no network, no process but its own and nothing of other players.  Walls that cannot be built are an error before the
program begins: none runs without those that were asked for.
"""

import os
import platform
import shutil
import stat
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from nhlog.config import Sandbox, Walls
from nhlog.confined.calls import call_filter
from nhlog.errors import NhlogError
from nhlog.files import atomic, reason
from nhlog.recorder.program import find_program
from nhlog.values import NamedTuple

__all__ = ["CannotConfine", "Confined", "confined", "own_folder", "run_within"]

_PLACES: Final = "/usr/bin:/bin:/usr/local/bin"  # not the environment's PATH: walls are the system's
_SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt")
_OURS: Final = ("/etc/nhlog", "/etc/xdg/nhlog")  # who has a key, and who is an administrator
_NAMES: Final = "/etc/resolv.conf"  # often a link to a file outside of the system's folders
_SCRATCH: Final = 16 << 20  # bytes of /tmp, which is memory
_AFTER_WARNING: Final = 5  # seconds of CPU between SIGXCPU and SIGKILL
_FEW: Final = ("--core=0", "--nofile=1024")  # no file of what a program had in memory; open files take memory, too
_RULES: Final = "9"  # the descriptor of the rules
_MINUTE: Final = 60
_PRIVATE: Final = 0o700
_PATIENCE: Final = 20.0  # seconds for walls to be tried


class CannotConfine(NhlogError):
    """The walls that were asked for cannot be built."""


class Confined(NamedTuple):
    """A command within its walls; `begin` gives it its terminal, in the new process, as :class:`Program` wants it."""

    command: tuple[str, ...]
    begin: Callable[[int], None]


def confined(
    command: Sequence[str],
    walls: Walls,
    home: Path,
    environment: Mapping[str, str],
    cwd: Path | None = None,
    logs: Path | None = None,
) -> Confined:
    """The command within `walls`, which were tried before; it begins in `cwd`, by default `home`.

    The folder `logs` stands in the place of that of the walls.  SIGKILL to the process that runs it ends all within.
    No program must be able to write what `home` lies in.  Raises :class:`CannotConfine`, and
    :class:`~nhlog.recorder.CannotRun` if there is no such program.
    """
    run = (find_program(command[0], environment), *command[1:])
    if walls.sandbox is Sandbox.NONE:
        if walls.processes is not None or walls.own_folders:  # the system counts the account's, which is all players'
            raise CannotConfine("processes and own_folders need a sandbox", expected='sandbox = "bwrap"')
        return Confined((*_around(walls, home, home), *run), os.login_tty)
    _check_unseen(home, walls)  # before a folder is copied for a player who is refused
    around = _around(walls, home, cwd or home, logs)
    _try(around, run[0])
    return Confined((*around, _tool("setsid"), "--ctty", *run), _without_control)


def run_within(command: Sequence[str], walls: Walls, home: Path, environment: Mapping[str, str]) -> None:
    """Run a program of the system's within walls that stand already, without a terminal, and wait until it ends.

    What it says is not read, and it is killed after a while.  Raises :class:`~nhlog.recorder.CannotRun`.
    """
    import subprocess

    run = (find_program(command[0], environment), *command[1:])
    null = subprocess.DEVNULL
    with suppress(subprocess.TimeoutExpired):
        subprocess.run(
            [*_around(walls, home, home), *run],
            stdin=null,
            stdout=null,
            stderr=null,
            cwd=home,
            env=dict(environment),
            timeout=_PATIENCE,
            check=False,
        )


def _around(walls: Walls, home: Path, cwd: Path, logs: Path | None = None) -> tuple[str, ...]:
    """What is written before a command that is to run within these walls, from `cwd` on."""
    if walls.sandbox is Sandbox.NONE:
        return _limited(walls)
    return (*_bubblewrap(walls, home, cwd, logs), *_limited(walls, *_FEW))


def _parent(rules: bytes) -> tuple[str, ...]:
    """A parent for bubblewrap, which ends with its parent and all within with it: not the recorder.

    When the program ends, nothing that it left behind goes on.  When the recorder is killed, the program is told that
    its terminal is gone, and can save.  bubblewrap reads the rules for system calls from a pipe, beside the terminal.
    """
    if not rules:
        return _tool("sh"), "-c", '"$@"; exit', "sh"
    told = "".join(f"\\{byte:03o}" for byte in rules)
    script = f'{{ printf "$0" | "$@" {_RULES}<&0 <&3 3<&-; }} 3<&0; exit'
    return _tool("sh"), "-c", script, told


def _without_control(terminal: int) -> None:
    """Give the process its terminal as no session's: within the walls the program takes it for its own.

    So the program is told when it is gone, and not what builds the walls, with which they would end before it has
    saved.
    """
    os.setsid()
    for fd in range(3):
        os.dup2(terminal, fd)


def _limited(walls: Walls, *others: str) -> tuple[str, ...]:
    """What a command is put behind to have the limits, and `others`.

    Within walls, as the system counts the processes of each such user namespace by itself (since Linux 5.14).
    """
    limits = [*others]
    if walls.memory is not None:
        limits.append(f"--as={walls.memory}")
    if walls.processes is not None:
        limits.append(f"--nproc={walls.processes}")
    if walls.cpu_minutes is not None:
        seconds = max(1, round(walls.cpu_minutes * _MINUTE))
        limits.append(f"--cpu={seconds}:{seconds + _AFTER_WARNING}")
    return (_tool("prlimit"), *limits, "--") if limits else ()


def _bubblewrap(walls: Walls, home: Path, cwd: Path, logs: Path | None) -> tuple[str, ...]:
    """bubblewrap's command for these walls, up to the program's."""
    rules = call_filter(platform.machine())
    words = [*_parent(rules), _tool("bwrap"), "--die-with-parent"]
    words += ["--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"]
    if rules:
        words += ["--seccomp", _RULES]
    for place in _SYSTEM:
        words += _shown(place)
    for place in filter(os.path.isdir, _OURS):
        words += ["--tmpfs", place, "--remount-ro", place]
    if walls.network:
        words += ["--share-net", "--ro-bind-try", os.path.realpath(_NAMES), os.path.realpath(_NAMES)]
    words += ["--dev", "/dev", "--remount-ro", "/dev", "--proc", "/proc", "--remount-ro", "/proc"]
    words += ["--perms", "1777", "--size", str(_SCRATCH), "--tmpfs", "/tmp"]
    for path in walls.readable:
        words += ["--ro-bind", str(path), str(path)]
    for shared in walls.own_folders:
        words += ["--bind", str(_made_own_folder(shared, home)), str(shared)]
    if walls.logs is not None and logs is not None:
        _make_place(walls, home)
        words += ["--bind", str(logs), str(walls.logs)]
    words += ["--bind", os.path.realpath(home), os.path.abspath(home), "--remount-ro", "/"]
    words += ["--chdir", os.path.abspath(cwd), "--"]
    return tuple(words)


def own_folder(place: Path, home: Path) -> Path:
    """The folder that stands for `place` within walls: the player's own.

    It lies beside the home, not in it: a program could put a link to another player's folder in its place.
    """
    return Path(os.path.realpath(home)).with_name("folders") / str(place).strip("/").replace("/", "-")


def _made_own_folder(place: Path, home: Path) -> Path:
    """The same, at first a copy of it."""
    own = own_folder(place, home)
    if own.is_dir():
        return own
    draft = own.with_name(f"{atomic.DRAFT}{os.urandom(8).hex()}")
    try:
        own.parent.mkdir(mode=_PRIVATE, exist_ok=True)
        if place.is_dir():
            shutil.copytree(place, draft, symlinks=True, ignore=_unreadable)
        else:
            draft.mkdir()
        draft.chmod(_PRIVATE)
        draft.rename(own)
    except OSError as error:
        shutil.rmtree(draft, ignore_errors=True)
        raise CannotConfine(f"it cannot be copied for the player: {reason(error)}", file=str(place)) from None
    return own


def _make_place(walls: Walls, home: Path) -> None:
    """Make the folder on which that of the logs is put: bubblewrap would follow a link that a game left there."""
    assert walls.logs is not None
    shared = next(place for place in walls.own_folders if walls.logs.is_relative_to(place))
    place = own_folder(shared, home)
    for part in walls.logs.relative_to(shared).parts:
        place /= part
        with suppress(FileExistsError):
            place.mkdir()
        if not stat.S_ISDIR(place.lstat().st_mode):
            raise CannotConfine("not a folder", file=str(place))


def _unreadable(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if not os.access(os.path.join(folder, name), os.R_OK)]


def _shown(place: str) -> list[str]:
    """What shows a folder of the system as it is: some are links to others of them."""
    if os.path.islink(place):
        return ["--symlink", os.readlink(place), place]
    return ["--ro-bind-try", place, place]


def _check_unseen(home: Path, walls: Walls) -> None:
    """Refuse a home in what programs may read: there they would see those of others, too."""
    real = Path(os.path.realpath(home))
    for shown in (*map(Path, _SYSTEM), *walls.readable):
        if real.is_relative_to(os.path.realpath(shown)):
            raise CannotConfine(
                f"a player's home lies in {shown}, which all programs may read",
                file=str(home),
                expected="the folder of players somewhere else",
            )


def _tool(name: str) -> str:
    """The path of a program of the system's that builds walls."""
    found = shutil.which(name, path=_PLACES)
    if found is None:
        raise CannotConfine(
            f"{name} is not installed, and the game needs its sandbox",
            expected='bubblewrap and util-linux, or sandbox = "none" in config.toml',
        )
    return found


def _try(around: Sequence[str], program: str) -> None:
    """Build the walls for a moment, and look whether the program can be run within."""
    import subprocess

    try:
        tried = subprocess.run(
            [*around, _tool("test"), "-x", program],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={"LC_ALL": "C"},
            timeout=_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise CannotConfine(f"bubblewrap did not build the sandbox within {_PATIENCE:.0f} seconds") from None
    told = tried.stderr.decode(errors="replace").strip().splitlines()
    if told:
        raise CannotConfine(
            f"the game needs its sandbox: {told[0]}",
            expected='a system where bubblewrap works for this user, or sandbox = "none" in config.toml',
        )
    if tried.returncode:
        raise CannotConfine("the program cannot run in its sandbox", file=program, expected="its folder in `readable`")
