"""The command line as the verbs' tests call it."""

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from terminal.cli import main


@dataclass(frozen=True)
class Done:
    """What came of a command."""

    code: int
    out: str
    err: str

    @property
    def records(self) -> list[dict]:
        """Its output as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def nhlog(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """Runs `nhlog` with these arguments, and with `stdin`; a bug is a traceback."""
    monkeypatch.setenv("NHLOG_DEBUG", "1")

    def run(*arguments: object, stdin: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Done(code, out, err)

    return run
