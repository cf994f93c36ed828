"""A player's key lets them into the lobby, whatever else stands in what they hand in."""

import base64
import re
import stat
from pathlib import Path

import pytest

from nhlog.errors import LockNotObtained, Usage
from nhlog.files import lock, open_folder
from nhlog.players import KeyFile
from nhlog.players.keys import KeyLine, key_line, parse_key, parse_line
from tests.players.some_keys import ECDSA, FINGERPRINT, KEY

NHLOG = "/usr/local/bin/nhlog"
DATA = KEY.split()[1]


def test_a_public_key_is_taken_without_its_comment() -> None:
    key = parse_key(f"# mine\n{KEY}\x1b[2J\n")
    assert (key.kind, key.data, key.fingerprint) == ("ssh-ed25519", DATA, FINGERPRINT)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ssh-ed25519",
        f"ssh-ed25519 {DATA[:-4]}####",
        f"ssh-rsa {DATA}",
        f"ssh-dss {DATA}",
        f'command="sh" {KEY}',
        f"no-pty,{KEY}",
        f"{KEY}\n{ECDSA}",
        f"-o {KEY}",
        "ssh-ed25519 " + "A" * 20_000,
        "-----BEGIN OPENSSH PRIVATE KEY-----",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(Usage, match="not a public key") as told:
        parse_key(text)
    assert str(told.value).isprintable()


def of(*values: bytes) -> str:
    """A key's line, of its kind and its values."""
    raw = b"".join(len(value).to_bytes(4, "big") + value for value in values)
    return f"{values[0].decode()} {base64.b64encode(raw).decode()}"


def values_of(key: str) -> list[bytes]:
    raw, found, at = base64.b64decode(key.split()[1]), [], 0
    while at < len(raw):
        size = int.from_bytes(raw[at : at + 4], "big")
        found.append(raw[at + 4 : at + 4 + size])
        at += 4 + size
    return found


MODULUS = b"\0" + (1 << 2047 | 12345).to_bytes(256, "big")
RSA = of(b"ssh-rsa", b"\1\0\1", MODULUS)
POINT = values_of(ECDSA)[2]
SK = of(b"sk-ssh-ed25519@openssh.com", values_of(KEY)[1], b"ssh:")
SK_ECDSA = of(b"sk-ecdsa-sha2-nistp256@openssh.com", b"nistp256", POINT, b"ssh:")


@pytest.mark.parametrize("key", [KEY, ECDSA, RSA, SK, SK_ECDSA], ids=lambda key: key.split()[0])
def test_a_key_is_read_wholly(key: str) -> None:
    kind, data, *_ = key.split()
    raw = base64.b64decode(data)
    assert parse_key(key).data == data
    for broken in (*(raw[:size] for size in range(len(raw))), raw + b"\0", raw + b"\0\0\0\0"):
        with pytest.raises(Usage, match="not a public key"):
            parse_key(f"{kind} {base64.b64encode(broken).decode()}")


@pytest.mark.parametrize(
    "key",
    [
        of(b"ssh-ed25519", b"\1" * 31),
        of(b"ssh-ed25519", b"\1" * 33),
        of(b"ssh-rsa", b"\1\0\1", b"\1" * 64),
        of(b"ssh-rsa", b"\1\0\1", b"\x80" + b"\1" * 255),
        of(b"ssh-rsa", b"\0", MODULUS),
        of(b"ssh-rsa", b"\1\0\1", b"\1" * 4096),
        of(b"ecdsa-sha2-nistp256", b"nistp384", POINT),
        of(b"ecdsa-sha2-nistp256", b"nistp256", POINT[:-1] + bytes([POINT[-1] ^ 1])),
        of(b"ecdsa-sha2-nistp256", b"nistp256", b"\2" + POINT[1:]),
        of(b"ecdsa-sha2-nistp256", b"nistp256", b""),
    ],
)
def test_one_with_which_nobody_could_log_in_is_none(key: str) -> None:
    with pytest.raises(Usage, match="not a public key"):
        parse_key(key)


def test_each_spelling_of_a_key_is_the_same_key(file: Path) -> None:
    spellings = {
        RSA: [of(b"ssh-rsa", b"\0\0\1\0\1", MODULUS), of(b"ssh-rsa", b"\1\0\1", b"\0\0" + MODULUS)],
        ECDSA: [ECDSA[:-2] + chr(ord(ECDSA[-2]) + 1) + "="],
    }
    keys = KeyFile(file)
    for player, (key, others) in zip(("ann", "bob"), spellings.items(), strict=True):
        keys.add(KeyLine(player, parse_key(key)), NHLOG)
        for other in others:
            assert other != key
            with pytest.raises(Usage, match=f"already belongs to {player}"):
                keys.add(KeyLine("eve", parse_key(other)), NHLOG)


def test_a_key_that_an_administrator_spelled_otherwise_is_known(file: Path) -> None:
    file.write_text(
        key_line(KeyLine("ann", parse_key(RSA)), NHLOG).replace(RSA, of(b"ssh-rsa", b"\0\1\0\1", MODULUS)) + "\n"
    )
    with pytest.raises(Usage, match="already belongs to ann"):
        KeyFile(file).add(KeyLine("bob", parse_key(RSA)), NHLOG)


@pytest.mark.parametrize("name", ["bones", "BONES", "Bones"])
def test_nobody_is_called_as_what_lies_among_the_players(file: Path, name: str) -> None:
    with pytest.raises(Usage, match="bad player name"):
        KeyFile(file).add(KeyLine(name, parse_key(KEY)), NHLOG)


def test_a_key_runs_the_lobby_of_its_player_and_may_do_nothing_but_have_a_terminal() -> None:
    ann, guest = KeyLine("ann", parse_key(KEY)), KeyLine("guest", parse_key(ECDSA), spectator=True)
    lobby = f"{NHLOG} lobby --player ann --key {FINGERPRINT}"
    assert key_line(ann, NHLOG) == f'restrict,pty,command="{lobby}" ssh-ed25519 {DATA} ann'
    assert key_line(guest, NHLOG) == f'restrict,pty,command="{NHLOG} lobby --spectator" {ECDSA} guest'
    assert [parse_line(key_line(line, NHLOG)) for line in (ann, guest)] == [ann, guest]


def test_a_line_of_an_earlier_version_is_a_players_too() -> None:
    ann = KeyLine("ann", parse_key(KEY))
    line = key_line(ann, NHLOG)
    assert parse_line(line.replace(f" --key {FINGERPRINT}", "")) == ann
    assert parse_line(line.replace(FINGERPRINT, "SHA256:another")) is None


@pytest.mark.parametrize("program", ["/a b/nhlog", "/nhlog;sh", '/"/nhlog', "/nhlog\n", "/$HOME/nhlog"])
def test_a_program_whose_path_a_shell_would_change_is_refused(program: str) -> None:
    with pytest.raises(Usage, match="such a path"):
        key_line(KeyLine("ann", parse_key(KEY)), program)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "authorized_keys"
    path.write_text(f"# the administrator's\n\n{ECDSA} root\x0b@home\n")
    return path


def test_lines_of_others_stay_as_they_are(file: Path) -> None:
    before = file.read_bytes()
    keys = KeyFile(file)
    keys.add(KeyLine("ann", parse_key(KEY)), NHLOG)
    assert file.read_bytes().startswith(before)
    assert [key.name for key in keys.keys] == ["ann"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o644
    keys.remove("ann")
    assert file.read_bytes() == before


def test_a_line_like_ours_with_any_bytes_in_it_is_one_of_others(file: Path) -> None:
    keys = KeyFile(file)
    keys.add(KeyLine("ann", parse_key(KEY)), NHLOG)
    file.write_bytes(file.read_bytes().replace(b" ssh-", b" ss\xff\xfeh-"))
    before = file.read_bytes()
    assert keys.keys == []
    keys.add(KeyLine("bob", parse_key(KEY)), NHLOG)
    assert file.read_bytes().startswith(before)


def test_a_player_may_have_several_keys_and_loses_them_at_once(file: Path) -> None:
    keys = KeyFile(file)
    keys.add(KeyLine("ann", parse_key(KEY)), NHLOG)
    keys.add(KeyLine("ann", parse_key(ECDSA)), NHLOG)
    keys.remove("ann")
    assert keys.keys == []
    with pytest.raises(Usage, match="ann has no key"):
        keys.remove("ann")


@pytest.mark.parametrize(
    ("new", "told"),
    [
        (KeyLine("bob", parse_key(KEY)), "already belongs to ann"),
        (KeyLine("Ann", parse_key(ECDSA)), "Ann is too similar to ann"),
        (KeyLine("ann", parse_key(ECDSA), spectator=True), "ann plays"),
        (KeyLine("../ann", parse_key(ECDSA)), "bad player name"),
        (KeyLine("a\x1b[2J", parse_key(ECDSA)), "bad player name"),
        (KeyLine("-oProxyCommand=sh", parse_key(ECDSA)), "bad player name"),
    ],
)
def test_a_key_and_a_name_are_one_player_s(file: Path, new: KeyLine, told: str) -> None:
    keys = KeyFile(file)
    keys.add(KeyLine("ann", parse_key(KEY)), NHLOG)
    before = file.read_bytes()
    with pytest.raises(Usage, match=told) as refused:
        keys.add(new, NHLOG)
    assert str(refused.value).isprintable()
    assert file.read_bytes() == before


def test_one_changes_the_file_at_a_time(file: Path) -> None:
    folder = open_folder(str(file.parent))
    lock(folder, "")
    with pytest.raises(LockNotObtained, match=f"^{re.escape(str(file))}: somebody else is changing a file of"):
        KeyFile(file).add(KeyLine("ann", parse_key(KEY)), NHLOG)
