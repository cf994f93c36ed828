"""Tickets: what stands for a player in a browser, for how long, and how often."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from nhlog.players import PlayerFolder, Players
from nhlog.players.tickets import LINK, SESSION, TicketKind, holder, issue, redeem, revoke, revoke_all


@pytest.fixture
def players(tmp_path: Path) -> Players:
    players = Players(tmp_path)
    for name in ("ann", "bob"):
        players.folder(name).make()
    return players


@pytest.fixture
def ann(players: Players) -> PlayerFolder:
    return players.folder("ann")


def test_a_session_stands_for_its_player_until_it_expires(players: Players, ann: PlayerFolder) -> None:
    session = issue(ann, SESSION, now=1000)
    assert holder(players, SESSION, session, now=1000) == ann
    assert holder(players, SESSION, session, now=999 + SESSION.seconds) == ann
    assert holder(players, SESSION, session, now=1000 + SESSION.seconds) is None


def test_a_link_is_good_once_and_is_no_session(players: Players, ann: PlayerFolder) -> None:
    link = issue(ann, LINK)
    assert holder(players, SESSION, link) is None
    assert (redeem(players, LINK, link), redeem(players, LINK, link)) == (ann, None)


def test_of_many_who_redeem_a_link_at_once_one_succeeds(players: Players, ann: PlayerFolder) -> None:
    link, found = issue(ann, LINK), []
    together = threading.Barrier(8)

    def try_it() -> None:
        together.wait()
        found.append(redeem(players, LINK, link))

    threads = [threading.Thread(target=try_it) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found.count(ann) == 1
    assert found.count(None) == 7


@pytest.mark.parametrize(
    "forge",
    [
        lambda ticket: "",
        lambda ticket: "." + ticket,
        lambda ticket: ticket.replace("ann.", "bob."),
        lambda ticket: ticket.replace("ann.", "../ann."),
        lambda ticket: ticket.replace("ann.", "ann./"),
        lambda ticket: ticket[:-1] + ("A" if ticket[-1] != "A" else "B"),
        lambda ticket: ticket + "\n",
        lambda ticket: ticket + "\0",
        lambda ticket: ticket * 100,
    ],
)
def test_what_is_not_the_ticket_stands_for_nobody(
    players: Players, ann: PlayerFolder, forge: Callable[[str], str]
) -> None:
    assert holder(players, SESSION, forge(issue(ann, SESSION))) is None


def test_who_reads_the_folder_has_no_ticket(players: Players, ann: PlayerFolder) -> None:
    issue(ann, SESSION)
    [name] = os.listdir(ann.tickets)
    digest = name.partition("-")[2]
    assert holder(players, SESSION, f"ann.{digest}") is None
    assert (ann.tickets.stat().st_mode & 0o777, (ann.tickets / name).stat().st_mode & 0o777) == (0o700, 0o600)


@pytest.mark.parametrize("kind", [LINK, SESSION], ids=["link", "session"])
def test_one_more_than_there_may_be_takes_the_place_of_the_first(
    players: Players, ann: PlayerFolder, kind: TicketKind
) -> None:
    issued = [issue(ann, kind, now=1000 + number) for number in range(kind.most + 1)]
    held = [holder(players, kind, ticket, now=1100) for ticket in issued]
    assert held == [None, *[ann] * kind.most]


def test_what_has_expired_leaves_no_file(ann: PlayerFolder) -> None:
    issue(ann, LINK, now=1000)
    issue(ann, LINK, now=1000 + LINK.seconds)
    assert len(os.listdir(ann.tickets)) == 1


def test_one_session_is_revoked_or_all_tickets_are(players: Players, ann: PlayerFolder) -> None:
    here, there, link = issue(ann, SESSION), issue(ann, SESSION), issue(ann, LINK)
    bob = issue(players.folder("bob"), SESSION)
    assert revoke(ann, SESSION, here)
    assert [holder(players, SESSION, one) for one in (here, there)] == [None, ann]
    revoke_all(ann)
    assert (holder(players, SESSION, there), redeem(players, LINK, link)) == (None, None)
    assert holder(players, SESSION, bob) == players.folder("bob")


def test_a_file_that_is_no_ticket_s_stands_for_nobody(players: Players, ann: PlayerFolder) -> None:
    session = issue(ann, SESSION)
    [name] = os.listdir(ann.tickets)
    for content in (b"", b"never", b"9" * 1000, b"\xff"):
        (ann.tickets / name).write_bytes(content)
        assert holder(players, SESSION, session) is None
