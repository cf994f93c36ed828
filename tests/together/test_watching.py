"""Ann plays on a shared server; Ben, of her group, and Cyn, of no group, watch."""

import json
import os
import re
import shutil
import signal
from contextlib import ExitStack

from tests.sharing.parties import holders
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
            all_see("a > force bolt (5 Pw)", player, bens, cyns)
            player.send("\x1b")
            nobody_sees("force bolt", player, bens, cyns)
            player.send("D")
            all_see("g - 2 uncursed apples", player, bens, cyns)
            player.send("g\r")
            nobody_sees("What do you want to drop?", player, bens, cyns)
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
        player.wait_for("2 watching")
        for watcher in watchers.values():
            watcher.wait(lambda rows: turn(rows) == 1)
        people = {(player.pid, ann.name), *((watcher.pid, name) for name, watcher in watchers.items())}
        for user in server.users:
            listed = user.does("watchers", "--json", server.game).stdout
            told = map(json.loads, listed.splitlines())
            assert {(process["pid"], process["user"]) for process in told} == people
            with user.opens("lobby") as lobby:
                lobby.wait(lambda rows: any(re.search(r"playing +\S.* 2 ", row) for row in rows))


def stop(watcher: Pty, path: str) -> None:
    """Stop a watcher between two looks at the game; in the moment of a look it would keep others from writing."""
    while True:
        watcher.signal(signal.SIGSTOP)
        os.waitid(os.P_PID, watcher.pid, os.WSTOPPED)
        if watcher.pid not in holders(path):
            return
        watcher.signal(signal.SIGCONT)


def test_a_player_goes_on_whatever_becomes_of_another_users_watchers(server: Server) -> None:
    ann, ben, _ = server.users
    with ann.opens(*NEW) as player, ExitStack() as stack:
        player.wait(lambda rows: turn(rows) == 1)
        watch = ("watch", "--notify", "monitor", server.game)  # nobody rests in a lock on another's game
        watchers = [stack.enter_context(ben.opens(*watch)) for _ in range(3)]
        for watcher in watchers:
            watcher.wait(lambda rows: turn(rows) == 1)
        stopped, killed, hung_up = watchers
        player.send("sss")
        stop(stopped, server.game)
        player.send("sss")
        killed.signal(signal.SIGKILL)
        assert killed.end() == -signal.SIGKILL
        player.send("sss")
        hung_up.hang_up()
        assert hung_up.exit_code() == 128 + signal.SIGHUP
        player.send("sss")
        player.wait(lambda rows: turn(rows) == 13)
        assert b"lock" not in player.written
        assert b"waiting" not in player.written
        stopped.signal(signal.SIGCONT)
        stopped.wait(lambda rows: turn(rows) == 13)
    assert server.typed() == ["welcome", *["search"] * 12]


_HOLDING = """
import fcntl, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, range(signal.SIGRTMIN, signal.SIGRTMIN + 5))
with open(sys.argv[1]) as file:
    fcntl.lockf(file, fcntl.LOCK_SH)
    print("held", flush=True)
    sys.stdin.read()
"""
"""A program that hears who asks for the lock, as a game does; but no signal goes from one user to another."""


def test_a_player_is_told_whose_program_keeps_the_game_and_goes_on_after_it(server: Server) -> None:
    ann, ben, _ = server.users
    with ann.opens(*NEW) as player:
        player.wait(lambda rows: turn(rows) == 1)
        with ben.runs(_HOLDING, server.game) as holder:
            assert holder.stdout.readline() == "held\n"
            player.send("s.s")
            player.wait_for(f", pid {holder.pid}, of {ben.name}")
            player.wait_for("3 keys kept")
        player.wait(lambda rows: turn(rows) == 4)
    assert server.typed() == ["welcome", "search", "rest", "search"]


def test_player_and_watcher_follow_an_administrator_past_the_heros_death(server: Server) -> None:
    ann, ben, _ = server.users
    server.configure("root")
    with ann.opens(*NEW) as player:
        player.send("ss")
        player.wait(lambda rows: turn(rows) == 3)
        with ben.opens("watch", server.game) as watcher:
            watcher.wait(lambda rows: turn(rows) == 3)
            while not any("The game is over" in row for row in player.rows):
                player.send("p")
                player.wait_for("pray?")
                player.send("y")
                nobody_sees("pray?", player)
            all_see("impatient prayer", player, watcher)
            assert server.state == "killed by an impatient prayer"
            done = server.root.does("rewind", "--to", "turn:3", "--yes", server.game)
            assert done.returncode == 0, done.stderr
            for seat in (player, watcher):
                seat.wait(lambda rows: turn(rows) == 3)
            assert server.state == "Exp:1, 3 turns, on Delve:1"
            player.wait_for("root took the game back from turn ")
            player.send("s")
            for seat in (player, watcher):
                seat.wait(lambda rows: turn(rows) == 4)
            player.send("S")
            assert player.end() == 0
    assert server.state == "Exp:1, 4 turns, on Delve:1"
    assert server.typed() == ["welcome", *["search"] * 3]


def test_player_and_watcher_are_told_what_became_of_the_games_name(server: Server) -> None:
    ann, ben, _ = server.users
    with ann.opens(*NEW) as player:
        player.wait(lambda rows: turn(rows) == 1)
        game = server.game
        with ben.opens("watch", game) as watcher:
            watcher.wait(lambda rows: turn(rows) == 1)
            os.rename(game, f"{game}.old")
            all_see("the file was moved to", player, watcher)
            os.rename(f"{game}.old", game)
            nobody_sees("moved", watcher)
            player.send("s")
            for seat in (player, watcher):
                seat.wait(lambda rows: turn(rows) == 2)
            shutil.copy(game, f"{game}.old")
            os.rename(f"{game}.old", game)
            all_see("another file has its name now", player, watcher)
            os.unlink(game)
            all_see("the file was deleted", player, watcher)
            player.send("s")
            player.wait_for("the file was deleted; nothing is saved from now on")
            assert turn(player.rows) == turn(watcher.rows) == 2
