"""Settings: defaults, choices, and clear words for what cannot be meant."""

from pathlib import Path

import pytest

from nhlog.config import Config, config_path, read_config
from nhlog.errors import Usage
from nhlog.log.append import Durability
from nhlog.log.notify import Way


def test_without_a_file_everything_is_as_usual(tmp_path: Path) -> None:
    assert read_config(tmp_path / "none.toml") == Config(Durability.NONE, None)


def test_settings_are_the_words_of_their_choices(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('durability = "saves"\nnotify = "file events"\n')
    assert read_config(path) == Config(Durability.SAVES, Way.EVENTS)


def test_it_is_looked_for_where_the_user_keeps_such_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert config_path() == tmp_path / "nhlog" / "config.toml"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("durabilty = 'saves'", "no such setting: durabilty: expected durability or notify"),
        ("durability = 'often'", "bad value for durability: expected 'none' or 'saves' or 'lines', found 'often'"),
        ("notify = []", "bad value for notify"),
        ("notify = ", "not TOML"),
    ],
)
def test_what_cannot_be_meant_is_said(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(Usage, match=reason) as error:
        read_config(path)
    assert error.value.file == str(path)
    assert error.value.exit_code == 2
