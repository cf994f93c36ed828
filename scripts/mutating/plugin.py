"""What the pytest of a session is given: it tries changes in forked processes, after everything was imported once.

A change inside of functions is made by giving those functions, as they were imported, the code that their changed
source compiles to: that takes milliseconds, and only tests that ran a line of the changed statement have a chance to
notice.  What was computed at import is not computed again, and what runs in processes of its own reads the file: so
who survives here has to survive a new process with the changed file and all tests, too (`sessions`).
"""

import contextlib
import ctypes
import gc
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, Final

import pytest

__all__ = ["JOB", "swaps"]

JOB: Final = "NHLOG_MUTATING"
"""The variable of the environment that names the file with the session's job."""
_PLACES: Final = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
_INLINE: Final = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
_OPTIMIZED: Final = 1  # the flag of a function's code, which a module's or a class body's has not
_SET_PARENT_DEATH_SIGNAL: Final = 1  # prctl(2)
_PATIENCE: Final = 10.0  # seconds that a change may take besides thrice what all tests took


def swaps(old: CodeType, new: CodeType) -> list[tuple[CodeType, CodeType]] | None:
    """The functions that differ, before and after; None where more than functions differ."""
    if old == new:
        return []
    if old.co_flags & _OPTIMIZED:
        return None if old.co_name in _INLINE or old.co_freevars != new.co_freevars else [(old, new)]
    inner = [[one for one in code.co_consts if isinstance(one, CodeType)] for code in (old, new)]
    if _without(old) != _without(new) or len(inner[0]) != len(inner[1]):
        return None
    found = [swaps(*pair) for pair in zip(*inner, strict=True)]
    return None if None in found else [pair for pairs in found for pair in pairs or ()]


def _without(code: CodeType) -> tuple[object, ...]:
    consts = tuple(repr(one) for one in code.co_consts if not isinstance(one, CodeType))
    return code.co_code, code.co_names, code.co_varnames, code.co_cellvars, consts


class Session:
    """The tests of one process; `lines` tells for each which lines of the file it ran."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.file = job["file"]
        self.changed: list[tuple[int, int, str]] = job.get("changed", [])
        self.limit: float = job.get("limit", 0.0)
        self.first = {name: place for place, name in enumerate(job.get("first", ()))}
        self.without = {*job.get("without", ())}
        self.items: Sequence[pytest.Item] = ()

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Those that are most likely to notice begin."""
        items[:] = [item for item in items if item.nodeid not in self.without]
        items.sort(key=lambda item: self.first.get(item.nodeid, len(self.first)))

    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """In place of pytest's own loop where there are changes to try."""
        if not self.changed or session.testsfailed:
            return None
        self.items = session.items
        began = time.monotonic()
        learnt = _forked(self._learn, self.limit)
        took = time.monotonic() - began
        _tell({"failed": learnt["failed"] if learnt else None, "seconds": took})
        if learnt is None:
            return True
        source = Path(self.file).read_text()
        old = compile(source, self.file, "exec", dont_inherit=True)
        live = self._functions()
        for first, last, text in self.changed:
            tests = [name for name, lines in learnt["tests"] if not {*range(first, last + 1)}.isdisjoint(lines)]
            pairs = swaps(old, compile(text, self.file, "exec", dont_inherit=True))
            new = dict(pairs or ())
            found = [(one, new[one.__code__]) for one in live if one.__code__ in new]
            killer = None
            if tests and found:
                Path(self.file).write_text(text)
                tried = _forked(partial(self._try, {*tests}, found), 3 * took + _PATIENCE)
                killer = tried["by"] if tried else "no test: it died, or its time was up"
                Path(self.file).write_text(source)
            _tell({"by": killer, "tests": tests, "ran": bool(tests) or pairs is None})
        return True

    def _functions(self) -> list[FunctionType]:
        """The functions of the file, as they were imported."""
        gc.unfreeze()
        every = (one for one in gc.get_objects() if isinstance(one, FunctionType))
        return [one for one in every if one.__code__.co_filename == self.file]

    def _learn(self) -> dict[str, Any]:
        """Runs everything as it is; tells which lines of the file each test ran, and which tests fail."""
        lines: defaultdict[str, set[int]] = defaultdict(set)
        name = ""

        def trace(frame: FrameType, event: str, argument: object) -> Callable[..., Any] | None:
            return note if frame.f_code.co_filename == self.file else None

        def note(frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
            lines[name].add(frame.f_lineno)
            return note

        threading.settrace(trace)
        failed = []
        for item, following in _pairs(self.items):
            name = item.nodeid
            sys.settrace(trace)
            if not _passes(item, following):
                failed.append(name)
            sys.settrace(None)
        tests = [(name, sorted(found)) for name, found in lines.items() if name not in failed]
        return {"tests": tests, "failed": failed}

    def _try(self, wanted: set[str], found: list[tuple[FunctionType, CodeType]]) -> dict[str, Any]:
        """Gives the test that fails with the change, if one does."""
        for function, code in found:
            function.__code__ = code
        for item, following in _pairs([item for item in self.items if item.nodeid in wanted]):
            if not _passes(item, following):
                return {"by": item.nodeid}
        return {"by": None}


def _pairs(items: Sequence[pytest.Item]) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    return zip(items, [*items[1:], None], strict=True)


def _passes(item: pytest.Item, following: pytest.Item | None) -> bool:
    before = item.session.testsfailed
    item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
    return item.session.testsfailed == before


def _forked(act: Callable[[], dict[str, Any]], limit: float) -> dict[str, Any] | None:
    """What it gives in a process of its own, with nothing kept of other ones; None if that dies or takes too long."""
    folder = tempfile.mkdtemp()
    os.chmod(folder, 0o755)  # as other users some tests look into theirs
    reading, writing = os.pipe()
    # Ctrl-C waits until what is begun here would be ended, too
    heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    pid = os.fork()
    if not pid:
        try:
            ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)  # pytest may be killed
            signal.pthread_sigmask(signal.SIG_SETMASK, heard)
            os.close(reading)
            os.setsid()
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2))  # also of what it leaves behind
            for variable in _PLACES:
                os.environ[variable] = folder
            os.environ["TMPDIR"] = tempfile.tempdir = folder
            data = json.dumps(act()).encode() + b"\n"
            with open(writing, "wb") as pipe:
                pipe.write(data)
            os._exit(0)
        except BaseException:
            os._exit(1)
    os.close(writing)
    clock = threading.Timer(limit, _kill, [pid])
    try:
        clock.start()
        signal.pthread_sigmask(signal.SIG_SETMASK, heard)
        with open(reading, "rb") as pipe:  # processes it leaves behind may keep it open, until they are killed
            data = pipe.readline()
    finally:
        clock.cancel()
        _kill(pid)
        os.waitpid(pid, 0)
        shutil.rmtree(folder, ignore_errors=True)
    return json.loads(data) if data else None


def _kill(group: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def _tell(what: dict[str, Any]) -> None:
    with open(_JOB["reports"], "a") as file:
        file.write(json.dumps(what) + "\n")


_JOB: Final[dict[str, Any]] = json.loads(Path(os.environ[JOB]).read_text()) if JOB in os.environ else {}


def pytest_configure(config: pytest.Config) -> None:
    """Has the session take part."""
    if _JOB:
        config.pluginmanager.register(Session(_JOB))
