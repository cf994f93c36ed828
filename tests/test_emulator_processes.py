"""Where the emulator runs: with players, a page and a relay at work, its library is in the processes for it alone.

They are killed there, too, and what is shown then is the same.
"""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from nhlog.files.processes import processes_with, user_name
from scripts.measures.processes import descendants
from terminal.lobby.reading.jobs import Job, answer
from terminal.lobby.reading.reader import Reader
from tests.corpus import DATA, SAMPLES
from tests.doses import dose
from tests.relay.server import nats_server, needs_nats_server
from tests.terminal.hosting.test_hosting import Playing, ended, recordings, table
from tests.terminal.pty import Pty
from tests.terminal.web.site import Served, serving
from tests.waiting import PATIENCE, eventually

FATAL = json.dumps([1, "o", (DATA / "emulator" / "segv-80x24.bin").read_bytes().decode()])
HEAD = '{"version": 2, "width": 80, "height": 24}'
GAME = table("echo begun; while read key; do echo got $key; done", on_disconnect="'keep'")


def below(pid: int) -> set[int]:
    """A process, and all that were begun by it and by those."""
    return {pid, *descendants(pid)}


def read(pid: int, what: str) -> bytes:
    """What the system tells of a process; nothing of one that has ended."""
    try:
        return Path("/proc", str(pid), what).read_bytes()
    except OSError:
        return b""


def emulating(pid: int) -> list[int]:
    """The processes below one that are for the emulator."""
    return [one for one in below(pid) if b"nhlog.emulator.worker" in read(one, "cmdline")]


def loaded(pid: int) -> dict[int, bool]:
    """Those that have its library, and whether they are for it; what has just been killed has no name any more."""
    found = {one: read(one, "cmdline") for one in below(pid) if b"libghostty" in read(one, "maps")}
    return {one: b"nhlog.emulator.worker" in command for one, command in found.items() if command}


def ended_below(pid: int) -> bool:
    """Whether a child of it has ended that took processor time, as the start of the emulator does."""
    return any(map(int, read(pid, "stat").rpartition(b")")[2].split()[13:15]))


def only_there(pid: int) -> None:
    """Wait until it has the library, and see that nobody else has."""
    assert eventually(lambda: bool(loaded(pid)))
    assert all(loaded(pid).values())


def kill_all(pid: int) -> int:
    """Kill all of them below a process; returns how many there were."""
    found = emulating(pid)
    for one in found:
        os.kill(one, signal.SIGKILL)
    return len(found)


# a player


def test_a_player_shows_the_same_whenever_it_is_killed(tmp_path: Path) -> None:
    file = shutil.copy(SAMPLES / "nethack.cast", tmp_path)
    with Pty(sys.executable, "-m", "terminal.cli", "replay", str(file), "--at", "end") as player:
        shown = player.wait(lambda rows: bool(loaded(player.pid)) and any("large kobold" in row for row in rows))
        only_there(player.pid)
        killed = 0
        while killed < dose("emulator.kills"):
            killed += kill_all(player.pid)
            player.send("g")
            player.wait_for("0:00")
            player.send("G")
            player.wait(lambda rows: rows[:20] == shown[:20])
        player.send("q")
        player.exit_code()


def test_a_live_recording_is_shown_as_it_grows_whenever_it_is_killed(tmp_path: Path) -> None:
    """Killed before something comes, or while it is shown; the one before it is where it was, too."""
    path = tmp_path / "live.cast"
    with path.open("w", buffering=1) as file:
        file.write(f"{HEAD}\n")
        with Pty(sys.executable, "-m", "terminal.cli", "watch", str(path)) as player:
            killed = 0
            number = 0
            while killed < dose("emulator.kills"):
                killed += kill_all(player.pid) if number % 2 else 0
                file.write(json.dumps([number, "o", f"\x1b[{number % 15 + 1};1H line {number}.\x1b[K"]) + "\n")
                killed += 0 if number % 2 else kill_all(player.pid)
                rows = player.wait_for(f" line {number}.")
                assert not number or any(f" line {number - 1}." in row for row in rows)
                number += 1
            player.send("q")
            player.exit_code()


# the lobby


def test_who_reads_for_the_lobby_keeps_none_while_nothing_is_to_be_read(tmp_path: Path) -> None:
    with Reader() as reader:
        job = Job(shutil.copy(SAMPLES / "nethack.cast", tmp_path), 0)  # of which nothing is in the cache
        reader.want([job])
        (jobs,) = [one for one in below(os.getpid()) if b"terminal.lobby.reading.jobs" in read(one, "cmdline")]
        assert eventually(lambda: ended_below(jobs) and not emulating(jobs))
        assert [found for found, _ in reader.answers()] == [job]
        for again in (Job(str(DATA / "emulator" / "segv.ttyrec"), 0), job):
            reader.want([again])
            while not (told := reader.answers()):
                select.select([reader], [], [])
            assert told == [(again, answer(again))]


# a host


def test_a_host_has_it_nowhere_else(tmp_path: Path) -> None:
    with Playing(tmp_path, GAME) as player:
        player.wait_for("begun")
        player.hang_up()
        player.exit_code()
    (file,) = recordings(tmp_path)
    with Playing(tmp_path, GAME) as again:
        again.wait_for("begun")
        again.send("north\n")
        again.wait_for("got north")
        (host,) = processes_with((file.stat().st_dev, file.stat().st_ino))
        assert all(loaded(host).values())
        assert not loaded(again.pid)
        again.send(b"\x04")
        again.read_end()
    ended(tmp_path)


# the page


def rows_of(served: Served) -> dict[str, str]:
    """How those stand that the lobby lists, by their IDs, once it has read them."""
    rows: dict[str, str] = {}
    with served.page("/ws/lobby") as page:
        while sorted(rows.values()) != ["damaged", "finished"]:
            told = json.loads(page.socket.recv())  # however long it takes: who reads gives way to all others
            rows |= {row["id"]: row["status"] for row in told.get("rows", told.get("put", ()))}
    return rows


def test_the_page_lists_what_it_falls_over_as_damaged_and_shows_a_recording_whenever_it_is_killed(
    tmp_path: Path,
) -> None:
    shutil.copy(SAMPLES / "nethack.cast", tmp_path)
    (tmp_path / "fatal.cast").write_text(f"{HEAD}\n{FATAL}\n")
    with serving(tmp_path) as served:
        (sound,) = [identity for identity, status in rows_of(served).items() if status == "finished"]
        with served.page(f"/ws/view/{sound}?at=end") as page:
            page.until("full")
            only_there(served.process.pid)
            shown, killed = page.rows[:], 0
            while killed < dose("emulator.kills"):
                killed += kill_all(served.process.pid)
                page.send(key="g")
                while page.rows == shown:
                    page.next()
                page.send(key="G")
                while page.rows[:20] != shown[:20]:
                    page.next()


# a relay


@needs_nats_server
def test_a_relay_with_what_it_falls_over_goes_on_whenever_it_is_killed(tmp_path: Path) -> None:
    folder, store = tmp_path / "games", tmp_path / "store"
    folder.mkdir()
    store.mkdir()
    lines = [json.dumps([0, "o", f"line {number} " + "x" * 1000 + "\r\n"]) for number in range(1500)]
    with nats_server(store) as nats, (folder / "long.cast").open("w") as file:
        command = [sys.executable, "-m", "terminal.cli", "relay", str(folder), "--to", nats.url, "--server", "here"]
        relay = subprocess.Popen(command)
        try:
            file.write("\n".join([HEAD, *lines, FATAL, *lines]) + "\n")
            for _ in range(dose("emulator.kills")):
                file.write("\n".join(lines) + "\n")
                file.flush()
                only_there(relay.pid)
                kill_all(relay.pid)
            assert relay.poll() is None
            copy = tmp_path / "copy.cast"
            address = f"{nats.url}/{user_name(os.getuid())}/long.cast"
            mirror = subprocess.Popen([sys.executable, "-m", "terminal.cli", "mirror", address, str(copy)])
            try:
                sent = (folder / "long.cast").read_bytes()
                assert eventually(lambda: mirror.poll() is not None or (copy.exists() and copy.read_bytes() == sent))
            finally:
                mirror.terminate()
                mirror.wait(PATIENCE)
            assert copy.read_bytes() == sent
        finally:
            relay.terminate()
            relay.wait(PATIENCE)
