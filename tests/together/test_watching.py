"""Ann plays on a shared server; Ben, of her group, and Cyn, of no group, watch."""

import json
from contextlib import ExitStack

from tests.terminal.play.test_play import turn
from tests.terminal.pty import Pty
from tests.together.server import NEW, Server


def all_see(text: str, *seats: Pty) -> None:
    for seat in seats:
        seat.wait_for(text)


def nobody_sees(text: str, *seats: Pty) -> None:
    for seat in seats:
        seat.wait(lambda rows: not any(text in row for row in rows))


def test_all_see_what_the_player_is_asked_and_what_comes_of_the_answer(server: Server) -> None:
    ann, ben, cyn = server.users
    with ann.opens(*NEW) as player:
        player.wait(lambda rows: turn(rows) == 1)
        with ben.opens("watch", server.game) as bens, cyn.opens("watch", server.game) as cyns:
            player.send("p")
            all_see("Do you want to pray? [yn] (n)", player, bens, cyns)
            player.send("n")
            nobody_sees("pray", player, bens, cyns)
            player.send("Z")
            all_see("Cast which spell?", player, bens, cyns)
            all_see("a - force bolt (5 Pw)", player, bens, cyns)
            player.send("\x1b")
            nobody_sees("force bolt", player, bens, cyns)
            player.send("D")
            all_see("g - 2 uncursed apples", player, bens, cyns)
            player.send("g\r")
            nobody_sees("Drop what?", player, bens, cyns)
            all_see("You drop 2 uncursed apples", player, bens, cyns)
            assert {turn(seat.rows) for seat in (player, bens, cyns)} == {2}
            player.send("S")
            assert player.end() == 0
    [*given, menu] = server.typed()
    assert given == ["welcome", "pray", "Yn", "cast", "M!", "multidrop"]
    assert menu[0] == "O"


def test_the_number_of_people_is_the_same_for_everybody(server: Server) -> None:
    ann, ben, cyn = server.users
    with ann.opens(*NEW) as player, ExitStack() as stack:
        player.wait(lambda rows: turn(rows) == 1)
        watchers = {user.name: stack.enter_context(user.opens("watch", server.game)) for user in (ben, cyn)}
        for watcher in watchers.values():
            watcher.wait(lambda rows: turn(rows) == 1)
        people = {(player.pid, ann.name), *((watcher.pid, name) for name, watcher in watchers.items())}
        for user in server.users:
            listed = user.does("watchers", "--json", server.game).stdout
            told = map(json.loads, listed.splitlines())
            assert {(process["pid"], process["user"]) for process in told} == people
            with user.opens("lobby") as lobby:
                lobby.wait_for("played, 2 watching")
