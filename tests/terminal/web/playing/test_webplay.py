"""Players in browsers, by what browsers send: who comes in, who is kept out, and whose keys go where."""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from nhlog.players.asking import Register, ask, give_code
from nhlog.players.bans import Ban, Bans
from scripts.measures.processes import descendants
from tests.accounts.test_serving import DATA
from tests.accounts.test_serving import serving as accounts_served
from tests.terminal.web.playing.house import HERE, House, forged_for, open_house
from tests.terminal.web.site import Page


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("house")) as house:
        yield house


def type_keys(page: Page, *keys: str) -> None:
    for key in keys:
        page.send(key=key)


def flood(page: Page) -> None:
    while True:
        page.send(key="j")


def letter_of(game: str, rows: list[str]) -> str:
    """What picks a game in the menu."""
    return next(row for row in rows if game in row).rpartition(f" {game}")[0].split()[-2]


def begin(page: Page, game: str) -> None:
    """Begin a program, or come back to it."""
    page.shows("Enter open")
    page.send(key="n")
    page.shows("Which game?")
    page.shows(f" {game}")
    type_keys(page, letter_of(game, page.rows))


def closing(page: Page) -> tuple[dict[str, str], int | None]:
    """What the page was told last, and the code of the close."""
    told: list[dict[str, str]] = []
    with pytest.raises(ConnectionClosed) as closed:
        told.extend(iter(page.next, None))
    return told[-1] if told else {}, closed.value.rcvd and closed.value.rcvd.code


# who comes in


def test_a_link_is_exchanged_for_a_cookie_that_scripts_and_other_sites_do_not_get(house: House) -> None:
    link = house.link("ann")
    answer = house.post("/play/login", {"ticket": link})
    cookie, *attributes = answer.headers["Set-Cookie"].split("; ")
    assert {"HttpOnly", "Path=/play", "SameSite=strict", "Max-Age=2592000"} == set(attributes)
    assert json.loads(answer.body) == {"player": "ann"}
    told = house.served.get("/play/session", headers={"Host": house.host, "Cookie": cookie})
    assert json.loads(told.body) == {"player": "ann", "talk": True, "talks": True}
    assert house.post("/play/login", {"ticket": link}).status == 403


def test_a_code_of_an_account_leads_in_once_and_not_without_the_service(tmp_path: Path) -> None:
    store = tmp_path / "kept" / "accounts.db"
    store.parent.mkdir()
    with open_house(tmp_path, games=f'[accounts]\nstore = "{store}"\nregistration = "open"\n') as house:
        with accounts_served(tmp_path):
            ask(store, Register(name="ann", key=DATA))
            code, _ = give_code(store, "ann")
            other = code[:-1] + ("0" if code[-1] != "0" else "1")
            for wrong in (other, "", "ann", "../ann"):
                assert house.post("/play/login", {"ticket": wrong}).status == 403
            answer = house.post("/play/login", {"ticket": code})
            assert (answer.status, json.loads(answer.body)) == (200, {"player": "ann"})
            assert house.post("/play/login", {"ticket": code}).status == 403
        assert house.post("/play/login", {"ticket": code}).status == 503


def test_where_the_page_is_by_tls_the_cookie_goes_nowhere_without_it(tmp_path: Path) -> None:
    with open_house(tmp_path, address="https://localhost/play") as house:
        answer = house.post("/play/login", {"ticket": house.link("ann")})
        assert "Secure" in answer.headers["Set-Cookie"].split("; ")


def test_no_other_site_s_page_logs_in_or_out(house: House) -> None:
    link, cookie = house.link("ann"), house.log_in("ann")
    for origin in ("http://evil.example", "null", f"http://{house.host}.evil.example", "http://localhost"):
        assert house.post("/play/login", {"ticket": link}, Origin=origin).status == 403
        assert house.post("/play/logout", {}, Origin=origin, Cookie=cookie).status == 403
    without = house.served.get("/play/login", "POST", {"Host": house.host}, json.dumps({"ticket": link}))
    assert without.status == 403
    assert house.post("/play/login", {"ticket": link}, Host="evil.example", Origin="http://evil.example").status == 421
    assert house.post("/play/login", {"ticket": link}).status == 200


@forged_for("ann")
def test_no_other_page_and_nobody_without_a_session_gets_a_terminal(house: House, headers: dict[str, str]) -> None:
    cookie = house.log_in("ann")
    with pytest.raises(InvalidStatus) as refused, house.page(**{"cookie": cookie} | headers):
        pass
    assert refused.value.response.status_code in (401, 403)
    assert house.who("ann") == ([], [])


def test_the_session_of_a_player_is_no_other_player_s(house: House) -> None:
    name, _, secret = house.log_in("ann").partition("=")[2].partition(".")
    assert name == "ann"
    with pytest.raises(InvalidStatus), house.page(f"nhlog-session=bob.{secret}"):
        pass


def test_who_guesses_tickets_is_not_heard_for_long(tmp_path: Path) -> None:
    with open_house(tmp_path) as house:
        link = house.link("ann")
        tried = [
            house.post("/play/login", {"ticket": f"ann.{number:022}"}).status for number in range(30)
        ]  # a case: each is another guess
        assert tried[:10] == [403] * 10
        assert 429 in tried
        assert house.post("/play/login", {"ticket": link}).status == 429
        assert house.served.get("/play").status == 200


@pytest.mark.parametrize("body", ["", "[]", "{}", '{"ticket": 7}', "[" * 900, "\xff"])
def test_what_is_no_login_is_refused_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, house: House, body: str
) -> None:
    answer = house.served.get("/play/login", "POST", {"Host": house.host, "Origin": house.origin}, body)
    assert answer.status in (400, 429)
    assert answer.body.count(b"\n") == 1


def test_a_body_without_an_end_is_not_read(house: House) -> None:
    assert house.post("/play/login", {"ticket": "x" * 5000}).status == 413


# the terminal


def test_a_page_is_the_lobby_of_ssh_and_both_have_the_game(house: House) -> None:
    cookie = house.log_in("bob")
    with house.page(cookie) as page:
        begin(page, "kept")
        page.shows("begun")
        house.waits("bob", [HERE], ["kept"])
        type_keys(page, *"here", "enter")
        page.shows("got here")
        with house.opens("bob") as ssh:
            ssh.wait_for("kept")
            ssh.send("\r")
            ssh.wait_for("got here")
            page.shows("it is now played in another terminal")
            ssh.send("there\r")
            ssh.wait_for("got there")
            type_keys(page, "enter")
            page.shows("got there")
            ssh.wait_for("it is now played in another terminal")
            type_keys(page, *"back", "enter")
            page.shows("got back")
            house.administer("players", "kick", "bob")
            ssh.end()
        told, code = closing(page)
        assert (told["t"], code) == ("gone", 4404)
    house.waits("bob", [], [])
    with pytest.raises(InvalidStatus), house.page(cookie):  # it was logged out
        pass


def test_a_second_page_of_a_session_takes_the_terminal_over_as_it_stands(house: House) -> None:
    cookie = house.log_in("cyn")
    with house.page(cookie) as first:
        begin(first, "kept")
        type_keys(first, *"one", "enter")
        first.shows("got one")
        with house.page(cookie, size="100x30") as second:
            second.shows("got one")
            told, code = closing(first)
            assert (told["text"], code) == ("You play in another window now.", 4404)
            type_keys(second, *"two", "enter")
            second.shows("got two")
            assert house.who("cyn") == ([HERE], ["kept"])
            house.administer("players", "kick", "cyn")


def test_what_is_typed_ahead_is_for_the_game_that_it_begins(house: House) -> None:
    house.folder("fay")
    with house.opens("fay") as ssh:
        ssh.wait_for("Enter open")
        ssh.send("n")
        ssh.wait_for(" - saved")
        letter = letter_of("kept", ssh.rows)
        ssh.send("\x1b")
        ssh.wait(lambda rows: not any("Which game?" in row for row in rows))
        ssh.send(f"n{letter}né\rq\r")  # the lobby has keys n and q, too
        ssh.wait_for("got né")
        ssh.wait_for("got q")
        house.administer("players", "kick", "fay")
        ssh.end()


def test_a_page_that_is_closed_hangs_up_and_games_save(house: House) -> None:
    cookie = house.log_in("dan")
    with house.page(cookie) as page:
        begin(page, "saved")
        page.shows("begun")
    with house.page(cookie) as page:  # soon enough
        page.shows("begun")
    house.waits("dan", [], [])
    assert (house.folder("dan").home / "save").read_text() == "saved\n"


def test_a_terminal_has_the_size_of_its_page(house: House) -> None:
    with house.page(house.log_in("eve"), size="100x30") as page:
        page.shows("Enter open")
        assert (len(page.rows), len(page.rows[0])) == (30, 100)
        page.send(size="9999x1")
        page.until("full")
        assert (len(page.rows), len(page.rows[0])) == (24, 200)


def test_a_click_opens_what_is_there(house: House) -> None:
    with house.page(house.log_in("fay")) as page:
        page.shows("Enter open")
        y = len(page.rows) - 1
        page.send(click=[page.rows[y].index("new game"), y])
        page.shows("Which game?")
        page.send(key="escape")


def test_who_is_banned_is_told_so_by_the_lobby(house: House) -> None:
    cookie = house.log_in("gus")
    Bans(house.players.path.parent / "keys").put(Ban("gus", None, "floods"))
    with house.page(cookie) as page:
        page.shows("gus may not play here: floods")
        assert closing(page)[1] == 4404


def test_logging_out_ends_the_session_and_the_lobby(house: House) -> None:
    cookie = house.log_in("hal")
    with house.page(cookie) as page:
        page.shows("Enter open")
        assert house.post("/play/logout", {}, Cookie=cookie).status == 200
        assert closing(page) == ({"t": "gone", "text": "You have logged out."}, 4404)
    house.waits("hal", [], [])
    with pytest.raises(InvalidStatus), house.page(cookie):
        pass


def test_what_is_no_message_of_a_page_changes_nothing(house: House) -> None:
    with house.page(house.log_in("ida")) as page:
        page.shows("Enter open")
        for sent in ("", "[]", "{", '{"key": 7}', '{"key": "\\u001b"}', '{"click": [1]}', "[" * 1000, '{"size": "x"}'):
            page.socket.send(sent)
        page.socket.send(b"\x00\xff")
        page.send(key="n")
        page.shows("Which game?")
        page.send(key="escape")
        page.socket.send("x" * 2000)
        assert closing(page)[1] == 1009


def test_a_flood_of_keys_ends_the_connection_and_no_other(house: House) -> None:
    with house.page(house.log_in("kim")) as calm, house.page(house.log_in("jon")) as page:
        page.shows("Enter open")
        with pytest.raises(ConnectionClosed):
            flood(page)
        calm.shows("Enter open")
        calm.send(key="n")
        calm.shows("Which game?")


def test_a_terminal_process_that_is_killed_costs_its_own_page_a_moment(house: House) -> None:
    cookie = house.log_in("lea")
    with house.page(cookie) as page:
        begin(page, "kept")
        page.shows("begun")
        house.waits("lea", [HERE], ["kept"])
        os.kill(house.terminal_of("lea"), signal.SIGKILL)
        told, code = closing(page)
        assert (told["t"], code) == ("error", 1011)
    house.waits("lea", [], ["kept"])
    with house.page(cookie) as page:
        begin(page, "kept")
        page.shows("begun")
        house.administer("players", "kick", "lea")


def test_an_emulator_that_is_killed_costs_its_page_nothing(house: House) -> None:
    with house.page(house.log_in("noa")) as page:
        begin(page, "kept")
        page.shows("begun")
        [forked] = descendants(house.terminal_of("noa"))
        os.kill(forked, signal.SIGKILL)
        type_keys(page, "x", "enter")
        page.shows("got x")
        [started] = descendants(house.terminal_of("noa"))
        assert b"nhlog.emulator.worker" in Path(f"/proc/{started}/cmdline").read_bytes()
        house.administer("players", "kick", "noa")


def test_no_more_play_than_may(tmp_path: Path) -> None:
    with open_house(tmp_path, "playing = 1") as house, house.page(house.log_in("ann")) as page:
        page.shows("Enter open")
        with house.page(house.log_in("bob")) as other:
            assert closing(other) == ({"t": "error", "text": "Too many play in browsers just now."}, 1011)
        page.send(key="n")
        page.shows("Which game?")


def test_the_end_of_the_server_hangs_up_all(tmp_path: Path) -> None:
    with open_house(tmp_path) as house, house.page(house.log_in("ann")) as page:
        begin(page, "saved")
        page.shows("begun")
        house.waits("ann", [HERE], ["saved"])
        house.served.process.terminate()
        closing(page)
        house.waits("ann", [], [])
        assert (house.folder("ann").home / "save").exists()


def test_the_lobby_shows_its_player_a_link(house: House) -> None:
    with house.opens("max") as ssh:
        ssh.wait_for("Enter open")
        ssh.send("L")
        row = next(row for row in ssh.wait_for("#max.") if "#max." in row)
    assert house.post("/play/login", {"ticket": row.split()[0].partition("#")[2]}).status == 200
    assert "#max." in house.administer("players", "link", "max")
