"""Every file of the hostile corpus through every verb, and at random through the player, in a process that is measured.

Its README says what must hold: no exception but the project's own, one clear line and exit code 3 or 4 where the file
is damaged, little memory, and `verify` never says sound.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.corpus import ROOT, corpus
from tests.processes import Child

MEMORY = 256 << 20  # bytes
NAMES = (
    "E1b-deep.echoreplay",
    "E2-badutf8.echoreplay",
    "E3-big.echoreplay",
    "E3-nan.butter",
    "E4-pack.echoreplay",
    "E5-rules.echoreplay",
    "K1.teehistorian",
    "K2.butter",
    "K3.replay",
    "M1-257MB.butter",
    "SLOW-list.butter",
    "V1-count0.butter",
    "V2-dataindex.map",
    "V3-lastline.echoreplay",
    "gap4.replay",
    "surrogate-map-name.teehistorian",
)
TARGETS = {".echoreplay": "out.butter", ".butter": "out.echoreplay", ".teehistorian": "out.teehistorian.gz"}
TELLING = ("info", "events", "stats", "dump", "verify")  # verbs that read all of a file

PROGRAM = f"""
sys.path.insert(0, {str(ROOT)!r})
import contextlib, io, json, random
from nhlog.errors import NhlogError
from terminal.cli import main
from terminal.replay.controls import KEYS, Controls
from terminal.replay.drawing.frame import draw_frame
from terminal.replay.open import viewing
from terminal.replay.player import Player
from terminal.views import view_of
os.environ["NHLOG_DEBUG"] = "1"  # what is no error of ours is raised

def run(*words):
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(words)
    except Exception as error:
        code = repr(error)
    say(json.dumps([words[0], words[-1] == "--json", code, out.getvalue()[-2000:], err.getvalue()]))

def walk():
    chance = random.Random(path)
    names = [name for key in KEYS for name in key.keys if name != "q"] + ["5", "0", "%", "enter", "escape"]
    try:
        with viewing(path) as replay:
            controls = Controls(Player(replay), view_of(replay.info.id))
            for number in range(150):
                controls.press(chance.choice(names))
                controls.player.advance(number / 10)
                draw_frame(controls, *chance.choice([(80, 24), (120, 40), (31, 8)])).text()
                if number % 50 == 0:
                    controls.player.refresh()
        code = 0
    except NhlogError as error:
        code = error.exit_code
    except Exception as error:
        code = repr(error)
    say(json.dumps(["walk", False, code, "", ""]))

for verb in ("info", "events", "stats", "dump", "verify"):
    run(verb, path)
    run(verb, path, "--json")
for place in ("start", "50%", "end"):
    run("state", path, "--at", place)
    run("show", path, "--at", place)
run("search", path, "e")
run("recover", path, "--dry-run")
run("convert", path, arguments[0])
run("ls", os.path.dirname(path), "--json")
walk()
with open("/proc/self/status") as status:
    peak = next(line.split()[1] for line in status if line.startswith("VmHWM:"))
say(json.dumps(["memory", False, int(peak) << 10, "", ""]))
"""


@pytest.mark.parametrize("name", NAMES)
def test_a_hostile_file_is_told_and_harms_nothing(name: str, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    path = tmp_path / "games" / name
    path.write_bytes(corpus("hostile", name).read_bytes())
    target = tmp_path / TARGETS.get(path.suffix, f"out{path.suffix}")
    with Child(PROGRAM, str(path), str(target)) as child:
        *told, last = [json.loads(line) for line in child.stdout.read().splitlines()]
    assert last[0] == "memory", "it died"
    assert last[2] < MEMORY
    for verb, as_json, code, out, err in told:
        assert code in (0, 1, 3, 4) if verb == "search" else code in (0, 3, 4), (verb, code)
        assert err.count("\n") <= 1, (verb, err)
        assert all(char.isprintable() or char == "\n" for char in out + err), verb
        assert "this is a" not in err, (verb, err)
        if verb in TELLING:
            assert code in (3, 4), (verb, as_json, out)
            assert out or err, verb
        if verb == "verify":
            assert "sound;" not in out
            assert '"sound":true' not in out


def test_every_hostile_file_is_tested() -> None:
    assert sorted(NAMES) == sorted(path.name for path in corpus("hostile").iterdir() if path.name != "README.md")


def rows(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_a_folder_of_hostile_files_is_listed_whole(nhlog: Any) -> None:
    done = nhlog("ls", corpus("hostile"), "--json")
    assert sorted(Path(row["file"]).name for row in rows(done.out)) == sorted(NAMES)
    assert len(nhlog("ls", corpus("hostile")).out.splitlines()) == len(NAMES) + 1
