"""A stranger before a real sshd: who registers with the key that ssh offers plays, and who may not is told."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from nhlog.accounts.store import Store
from nhlog.players.asking import give_code
from nhlog.players.keys import PublicKey, parse_key
from tests.terminal.pty import Pty
from tests.together.door import Door

PASSWORD = "correct horse battery"
OPEN = 'registration = "open"\nmost_a_day_of_network = 3\n'


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    with Door(tmp_path, accounts=OPEN) as door:
        yield door


def register(stranger: Pty, name: str) -> None:
    stranger.wait_for("Nobody here has your key yet:")
    stranger.wait_for("Your name or code")
    stranger.send(f"{name}\r")
    stranger.wait_for(f"Play as {name}?")
    stranger.send("y\r")


def key_of(path: Path) -> PublicKey:
    return parse_key(path.with_suffix(".pub").read_text())


def names(door: Door) -> list[str]:
    with Store(door.store) as store:
        return [account.name for account in store.accounts]


def test_a_stranger_registers_plays_and_comes_back_by_the_same_key(door: Door) -> None:
    door.make_key("key")
    with door.opens("key") as ann:
        register(ann, "ann")
        ann.wait_for("no games yet")
        ann.send("n")
        ann.pick_delve()
        ann.wait_for("Who are you?")
        ann.send("\r")
        ann.wait_for("Welcome to the Delve, ann the")
        ann.hang_up()
    with door.opens("key") as ann:
        rows = ann.wait_for("your games")
        assert not any("Nobody here has your key" in row for row in rows)
        ann.send("\r")
        ann.wait(lambda rows: any("T:1" in row for row in rows))
    told = [json.loads(line) for line in door.audit.read_text().splitlines()]
    assert [(act["action"], act["player"]) for act in told] == [("register", "ann")]
    assert told[0]["detail"].startswith("127.0.0.1 SHA256:")


def test_where_registration_is_closed_strangers_are_refused_by_sshd(door: Door) -> None:
    door.settle('registration = "closed"\n')
    door.make_key("stranger")
    assert "Permission denied" in door.tries("stranger").stderr
    door.let_in("ann")
    with door.opens("ann") as ann:
        ann.wait_for("no games yet")
    door.shut_out("ann")
    assert "Permission denied" in door.tries("ann").stderr


def test_only_who_is_invited_registers(door: Door, capsys: pytest.CaptureFixture[str]) -> None:
    door.settle('registration = "invited"\n')
    door.administer("players", "invite")
    code = capsys.readouterr().out.split()[0]
    door.make_key("key")
    for given, said in (("abcd-efgh-jkmn-pqrs", "This is no invitation"), (code, "no games yet")):
        with door.opens("key") as ann:
            ann.wait_for("Your name or code")
            ann.send("ann\r")
            ann.wait_for("Your invitation:")
            ann.send(f"{given}\r")
            ann.wait_for("Play as ann?")
            ann.send("y\r")
            ann.wait_for(said)
    assert names(door) == ["ann"]


def test_a_banned_key_and_a_banned_network_are_told_why(door: Door) -> None:
    banned = key_of(door.make_key("bob"))
    door.let_in("ann")
    door.administer("players", "ban", "--key", banned.fingerprint, "--reason", "no floods, please")
    with door.opens("bob") as bob:
        bob.wait_for("you may not play here: no floods, please")
        assert bob.end() == 1
    with door.opens("ann") as ann:
        ann.wait_for("no games yet")
        door.administer("players", "ban", "--network", "127.0.0.0/8", "--for", "7d")
        ann.end()
    door.make_key("cyn")
    for name in ("ann", "bob", "cyn"):
        with door.opens(name) as anybody:
            anybody.wait_for("may not play here")
            assert anybody.end() == 1
    assert names(door) == ["ann"]
    door.administer("players", "unban", "--network", "127.0.0.0/8")
    with door.opens("ann") as ann:
        ann.wait_for("no games yet")


def test_a_flood_of_strangers_ends_at_the_limit(door: Door) -> None:
    said = []
    for number in range(4):
        door.make_key(f"key{number}")
        with door.opens(f"key{number}") as stranger:
            register(stranger, f"flood{number}")
            rows = stranger.wait(lambda rows: any("no games yet" in row or "Too many" in row for row in rows))
            said.append(any("Too many have registered: try again tomorrow." in row for row in rows))
    assert said == [False, False, False, True]
    assert names(door) == ["flood0", "flood1", "flood2"]


def test_nobody_gets_a_name_that_is_somebody_elses_or_leads_elsewhere(door: Door) -> None:
    door.let_in("ann")
    door.make_key("key")
    with door.opens("key") as eve:
        eve.wait_for("Your name or code")
        for name, confirmed, why in (
            ("../../../etc", False, "A name is a letter"),
            ("-oProxyCommand=sh", False, "A name is a letter"),
            ("ANN", True, "ANN is too similar to ann."),
        ):
            eve.send(f"{name}\r")
            if confirmed:
                eve.wait_for(f"Play as {name}?")
                eve.send("y\r")
            eve.wait_for(why)
        eve.send("\r")
        assert eve.end() == 0
    assert (names(door), sorted(os.listdir(door.players))) == (["ann"], [])


def test_two_strangers_want_a_name_at_once_and_one_has_it(door: Door) -> None:
    keys = {name: key_of(door.make_key(name)) for name in ("one", "two")}
    with door.opens("one") as one, door.opens("two") as two:
        for stranger in (one, two):
            stranger.wait_for("Your name or code")
            stranger.send("ann\r")
        for stranger in (one, two):
            stranger.wait_for("Play as ann?")
        one.send("y\r")
        two.send("y\r")
        ends = [
            any("no games yet" in row for row in stranger.wait(lambda rows: decided(rows))) for stranger in (one, two)
        ]
    assert sorted(ends) == [False, True]
    with Store(door.store) as store:
        assert [line.key for line in store.keys] == [keys["one" if ends[0] else "two"]]


def decided(rows: list[str]) -> bool:
    return any("no games yet" in row or "Ann is taken." in row for row in rows)


def test_who_has_no_key_registers_and_logs_in_by_a_password_and_is_asked_for_nothing_else(tmp_path: Path) -> None:
    with Door(tmp_path, accounts=OPEN, passwords=True) as door:
        with door.asks() as ann:
            answers = (
                ("Name:", "new"),
                ("The name that you want:", "ann"),
                ("A password,", PASSWORD),
                ("Again:", PASSWORD),
            )
            for question, answer in (*answers, ("Play as ann?", "y")):
                ann.wait_for(question)
                ann.send(f"{answer}\r")
            ann.wait_for("no games yet")
            assert PASSWORD.encode() not in ann.written
        with door.asks() as ann:
            for question, answer in (
                ("Name:", "ann"),
                ("Password:", "another one"),
                ("Wrong name or password.", "ann"),
            ):
                ann.wait_for(question)
                ann.send(f"{answer}\r")
            ann.wait(lambda rows: sum("Password:" in row for row in rows) == 2)
            ann.send(f"{PASSWORD}\r")
            ann.wait_for("no games yet")
            ann.send("q")
            ann.end()
        (door.players / "Olaf").mkdir()  # as `nhlog migrate` leaves one
        with door.asks() as olaf:
            olaf.wait_for("Name:")
            olaf.send("$(touch /tmp/x)\r")
            olaf.wait_for("Password:")
            olaf.send("\x03")
            assert olaf.end() != 0


def test_a_code_brings_a_further_key_to_the_same_player(door: Door) -> None:
    door.let_in("ann")
    door.make_key("laptop")
    with door.opens("laptop") as ann:
        ann.wait_for("Your name or code")
        ann.send(f"{give_code(door.store, 'ann').code}\r")
        ann.wait_for("no games yet")
    with door.opens("laptop") as ann:
        ann.wait_for("no games yet")
    assert names(door) == ["ann"]


def test_what_a_stranger_asks_to_have_run_is_not_run(door: Door, tmp_path: Path) -> None:
    made = tmp_path / "made"
    door.make_key("key")
    done = door.tries("key", f"touch {made}; $(touch {made})")
    assert (done.returncode, done.stdout, made.exists()) == (2, "", False)
    assert "only questions can be answered here" in done.stderr
    assert door.tries("key", "sftp", options=("-s",)).returncode == 2
    assert names(door) == []
