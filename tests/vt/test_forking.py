"""An emulator that is forked from its user, who has begun just now: what it has of that one, and who comes after it."""

import json
import signal
import subprocess
import sys

from nhlog.emulator.worker import MEMORY
from tests.corpus import ROOT, corpus

FATAL = corpus("emulator", "segv-80x24.bin")
USER = f"""
import json, os, re
from pathlib import Path
from nhlog.emulator.worker import prepare
from nhlog.vt import EmulatorFailed, Size, Terminal, fork_emulator
from nhlog.vt.process import shared

def fed(data):
    terminal = Terminal(Size(80, 24))
    terminal.feed(data)
    return terminal

prepare()
opened = os.open("/", os.O_RDONLY)
os.set_inheritable(opened, True)
fork_emulator()
first = shared().pid
place = Path(f"/proc/{{first}}")
kept = fed(b"kept")
told = {{"shows": kept.grid().text()[0], "files": os.listdir(place / "fd"), "leads": os.getpgid(first) == first}}
told["forked"] = (place / "cmdline").read_bytes() == Path("/proc/self/cmdline").read_bytes()
told["calls"] = re.search(r"Seccomp:\\s*(\\d)", (place / "status").read_text())[1]
told["memory"] = re.search(r"Max data size\\s+(\\d+)", (place / "limits").read_text())[1]
try:
    fed(Path({str(FATAL)!r}).read_bytes()).grid()
except EmulatorFailed as error:
    told["failed"] = str(error)
told["after"] = kept.grid().text()[0]
second = Path(f"/proc/{{shared().pid}}")
told["started"] = (second / "cmdline").read_bytes().split(b"\\0")[-2].decode()
print(json.dumps(told))
"""


def test_it_has_nothing_of_its_user_but_the_socket_and_in_its_place_one_is_started() -> None:
    done = subprocess.run([sys.executable, "-c", USER], cwd=ROOT, stdout=subprocess.PIPE, check=True)
    told = json.loads(done.stdout)
    assert (told["shows"], told["after"]) == ("kept", "kept")
    assert told["files"] == ["0"]
    assert told["forked"]
    assert told["leads"]  # what is sent to the group of its user is not for it
    assert (told["calls"], told["memory"]) == ("2", str(MEMORY))
    assert f"found signal {signal.SIGSEGV.value}" in told["failed"]
    assert told["started"] == "nhlog.emulator.worker"
