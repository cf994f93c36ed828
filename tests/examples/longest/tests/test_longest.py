import json
from pathlib import Path

import pytest

from terminal.cli import main

CAST = '{"version": 2, "width": 80, "height": 24, "timestamp": 1}\n[%s, "o", "x"]\n'


def test_the_longest_come_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for seconds in (1, 9, 5):
        (tmp_path / f"{seconds}.cast").write_text(CAST % seconds)
    (tmp_path / "broken.nhgame").write_text("NHGAME?")
    assert main(["longest", str(tmp_path), "--most", "2", "--json"]) == 3
    printed = capsys.readouterr()
    assert [json.loads(line)["duration"] for line in printed.out.splitlines()] == [9_000_000, 5_000_000]
    assert "broken.nhgame" in printed.err
