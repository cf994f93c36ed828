"""The keys and colours of the client as they are chosen in config.toml: what is said where they cannot be."""

import re
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from nhlog.config import Mistakes, read_config, system_config_path
from nhlog.errors import Usage
from nhlog.screen import Screen, Style
from terminal.client import TABLES, chosen_keys, chosen_theme, key_table, read_client_config
from terminal.doctor.checks import check_all
from terminal.doctor.finding import Health
from terminal.screen.console import known_terminal, painter
from terminal.screen.keys import KeyTable, key_label, key_named
from terminal.screen.preferences import Preferences
from terminal.screen.theme import KEY, ROLES, parse_style
from tests.keys import KEYS, fresh_keys

_TOML = re.compile(r"```toml\n(.*?)```", re.DOTALL)


def chosen(tmp_path: Path, text: str) -> dict[str, KeyTable[Any]]:
    path = tmp_path / "config.toml"
    path.write_text(text)
    return chosen_keys(read_config(path, tmp_path / "none.toml").keys)


def theme(tmp_path: Path, text: str) -> dict[str, Style]:
    path = tmp_path / "config.toml"
    path.write_text(text)
    return chosen_theme(read_config(path, tmp_path / "none.toml").theme)


def test_an_action_has_the_keys_of_its_list_and_no_others(tmp_path: Path) -> None:
    table = chosen(tmp_path, '[keys.replay]\nstep-on = ["Ctrl-n", "pgdn", "x"]\n50-turns-on = []\n')["replay"]
    assert [table.action(key) for key in ("ctrl-n", "page-down", "x", ".")] == ["step-on", "step-on", "step-on", ""]
    assert (table.label("step-on"), table.label("50-turns-on")) == ("Ctrl-N", "")
    assert [row.label for row in table if row.action in ("step-on", "step-back")] == ["Ctrl-N PgDn x", ","]


def test_the_help_says_the_key_that_was_chosen(tmp_path: Path) -> None:
    table = chosen(tmp_path, '[keys.replay]\nend = "z"\n')["replay"]
    assert [row.does for row in table if row.action == "end"] == ["end, or 120z 1:30z 50%z"]


def test_two_actions_may_change_their_keys(tmp_path: Path) -> None:
    table = chosen(tmp_path, '[keys.replay]\nsearch-again = "N"\nsearch-other-way = "n"\n')["replay"]
    assert [table.action(key) for key in "nN"] == ["search-other-way", "search-again"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[keys.reply]\nstep-on = 'x'", "line 2: no such keys: reply: expected replay or play or program"),
        ("[keys.replay]\nstop-on = 'x'", "line 2: no such action: stop-on: expected pause or reverse"),
        ("[keys.replay]\n\nstep-on = 'Strg-N'", "line 3: no such key: Strg-N: expected a character or a name like"),
        ("[keys.replay]\nstep-on = 'Ctrl-C'", "line 2: no such key: Ctrl-C"),
        ("[keys.replay]\nstep-on = '7'", "line 2: 7 begins a number here"),
        ("[keys.program]\ntalk = 'F5'", "line 2: F5 does not send a single ASCII character"),
        ("[keys.play]\nhelp = '0'", "line 2: 0 begins a number here"),
        (
            "[keys.replay]\nstep-on = 'n'",
            r"line 2: n is given to step-on and to search-again: expected .+ = \[\] is none",
        ),
        ("[keys.lobby]\nopen = 'o'\nwatch = 'O'\nreplay = 'o'", "line 2: o is given to open and to replay"),
        ("[keys.lobby]\nquit = []", "line 2: quit needs a key"),
        ("[keys.play]\nhelp = []", "line 2: help needs a key"),
    ],
)
def test_what_cannot_be_is_said_with_its_line(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(Usage, match=told) as error:
        chosen(tmp_path, text)
    assert error.value.file == str(tmp_path / "config.toml")


def test_each_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "nhlog").mkdir()
    own = tmp_path / "nhlog" / "config.toml"
    own.write_text("[keys.replay]\npause = 'x'\n[theme]\nkey = 'bold'\n")
    read: list[Path] = []
    real = Path.read_text

    def reading(path: Path, *arguments: Any, **options: Any) -> str:
        read.append(path)
        return real(path, *arguments, **options)

    monkeypatch.setattr(Path, "read_text", reading)
    read_client_config()
    assert read == [system_config_path(), own]


def test_every_mistake_of_a_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where they are of several kinds: settings, keys, styles."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path / "none"))
    (tmp_path / "nhlog").mkdir()
    text = (
        "mouse = 3\nnotfy = 'polling'\n[keys.replay]\nstop = 'x'\nstep-on = 'n'\npause = 3\n[keys.play]\nquit = true\n"
        "[theme]\nkey = 'mauve'\nhead = 4\n"
    )
    (tmp_path / "nhlog" / "config.toml").write_text(text)
    with pytest.raises(Mistakes) as error:
        read_client_config()
    told = [line.removeprefix(f"{tmp_path}/nhlog/config.toml: line ")[:22] for line in str(error.value).splitlines()]
    assert told == [
        "1: bad value for mouse",
        "2: no such setting: no",
        "6: bad value for pause",
        "8: bad value for quit:",
        "11: bad value for head",
        "4: no such action: sto",
        "10: bad value for key:",
    ]
    first = takewhile(lambda finding: finding.checked in ("version", "configuration"), check_all())
    findings = [finding for finding in first if finding.checked == "configuration"]
    assert {finding.health for finding in findings} == {Health.BROKEN}
    assert [finding.found for finding in findings] == str(error.value).splitlines()


def test_every_mistake_has_a_line_of_its_own_however_long_what_stands_there_is(
    nhlog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path / "none"))
    (tmp_path / "nhlog").mkdir()
    text = f"{'x' * 5000} = 1\nmail = '{'y' * 5000}'\n[keys.play]\n{'z' * 5000} = 3\n[theme]\n{'u' * 5000} = 'red'\n"
    (tmp_path / "nhlog" / "config.toml").write_text(text)
    done = nhlog("lobby", tmp_path)
    assert done.code == 2
    lines = done.err.removesuffix("\n").split("\n")
    assert [line.partition(": line ")[2][:1] for line in lines] == ["1", "2", "4", "6"]
    assert max(map(len, lines)) < 1000


def test_two_keys_that_clash_are_named_with_all_others(tmp_path: Path) -> None:
    with pytest.raises(Mistakes, match=r"(?s)line 2: n is given.+line 3: , is given"):
        chosen(tmp_path, "[keys.replay]\nstep-on = 'n'\nreverse = ','\n")


@pytest.mark.parametrize("block", _TOML.findall(KEYS.read_text()))
def test_the_examples_of_the_document_are_accepted(tmp_path: Path, block: str) -> None:
    chosen(tmp_path, block)
    theme(tmp_path, block)


def test_the_examples_of_the_settings_are_accepted(tmp_path: Path) -> None:
    rows = re.findall(r"^\| `(keys|theme)` \|.*?`(\S+ = .+?)`", (KEYS.parent / "config.md").read_text(), re.MULTILINE)
    assert [name for name, _ in rows] == ["keys", "theme"]
    for name, example in rows:
        (chosen if name == "keys" else theme)(tmp_path, f"[{'keys.replay' if name == 'keys' else name}]\n{example}\n")


@pytest.mark.parametrize(
    ("words", "style"),
    [
        ("bold yellow on #202040", Style(fg=3, bg=(32, 32, 64), bold=True)),
        ("bright-red", Style(fg=9)),
        ("on 240 underline", Style(bg=240, underline=True)),
        ("plain", Style()),
    ],
)
def test_a_style_is_named_by_its_colours_and_attributes(tmp_path: Path, words: str, style: Style) -> None:
    assert theme(tmp_path, f"[theme]\nkey = '{words}'\n") == {"key": style}


@pytest.mark.parametrize("words", ["mauve", "256", "#12345g", "#1234567", "red on", "red blue", "on red on blue"])
def test_a_style_that_is_none_is_said_with_its_line(tmp_path: Path, words: str) -> None:
    with pytest.raises(Usage, match=f"line 3: bad value for key: expected colours .+, found '{words}'"):
        theme(tmp_path, f"\n[theme]\nkey = '{words}'\n")


def test_a_role_that_does_not_exist_is_said_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(Usage, match="line 2: unknown style: tilte: expected title or head"):
        theme(tmp_path, "[theme]\ntilte = 'red'\n")


def test_each_style_has_its_role_and_a_look_of_its_own() -> None:
    assert {name: style.role for name, (style, _) in ROLES.items()} == {name: name for name in ROLES}
    assert len({style._replace(role="") for style, _ in ROLES.values()}) == len(ROLES)


@pytest.mark.parametrize(
    ("color", "sent"), [("auto", "\x1b[0;1;32;41mq\x1b[0;33mz"), ("never", "\x1b[0;1;7mq\x1b[0mz")]
)
def test_a_role_is_painted_as_chosen_and_without_colour_where_none_is_wanted(color: str, sent: str) -> None:
    screen = Screen(2, 1)
    screen.put(0, 0, "q", KEY)
    screen.put(1, 0, "z", Style(fg=3))
    preferences = Preferences(theme={"key": parse_style("bold green on red")})
    paint = painter(known_terminal("xterm-256color"), color, utf8=True, preferences=preferences)
    assert sent.encode() in paint.paint(screen, Screen(2, 1))


@pytest.mark.parametrize("name", TABLES)
def test_no_key_has_two_actions_and_all_keys_have_names(name: str) -> None:
    table = key_table(name)
    keys = [key for row in table for key in row.keys]
    assert len(keys) == len(set(keys))
    assert [key_named(key_label(key)) for key in keys] == keys
    assert table.name == name


def test_the_document_lists_every_action() -> None:
    text = KEYS.read_text()
    assert text == fresh_keys(text), "python -m tests.keys brings it up to date"
