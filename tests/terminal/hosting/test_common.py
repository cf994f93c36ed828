"""What a program leaves in its player's folder, and what others get of it; and games that broke off."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from nhlog.config import Around, GameProgram, Sandbox, Walls
from nhlog.errors import NhlogError
from nhlog.players import PlayerFolder
from nhlog.recorder.walls import own_folder
from nhlog.scores.xlogfile import read_entries
from terminal.hosting import common
from terminal.hosting.common import Common, common_bytes
from terminal.hosting.host import _take
from terminal.hosting.left import LARGEST
from terminal.hosting.repair import repaired

GAME = GameProgram(
    name="it",
    command=("it",),
    title="It",
    save_files=("var/save/*",),
    walls=Walls(sandbox=Sandbox.NONE),
    around=Around(
        repair=("sh", "-c", 'mkdir -p var/save; test -s "$1" && mv "$1" var/save/', "sh", "{file}"),
        broken_files=("var/*.0",),
        scores=("var/xlogfile",),
        bones=("var/bon[A-Z]*",),
        dumps=("var/dumps/*",),
    ),
)
LISTED = {name: getattr(GAME.around, name) for name in ("broken_files", "scores", "bones", "dumps")}
ENVIRONMENT = {"PATH": os.environ["PATH"]}


class Place:
    """A server's folders, and what Ann and Ben have of the game."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.finished, self.bones = folder, folder / "finished", folder / "bones"
        self.finished.mkdir()

    def of(self, name: str) -> Common:
        self.var(name).mkdir(parents=True, exist_ok=True)
        return Common(GAME, PlayerFolder(name, self.folder / name), self.finished, self.bones)

    def var(self, name: str) -> Path:
        return self.folder / name / "home" / "var"

    def lines(self) -> list[tuple[str, str]]:
        """The name and the death of each line of the common list."""
        if not (self.finished / "xlogfile").exists():
            return []
        found = [entry for entry in read_entries(str(self.finished / "xlogfile")) if isinstance(entry, dict)]
        return [(entry["name"], entry["death"]) for entry in found]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def line(name: str, death: str) -> str:
    return f"version=3.6.6\tpoints=7\tname={name}\tdeath={death}\n"


def test_new_lines_of_a_player_go_to_the_common_list_once(place: Place) -> None:
    ann = place.of("ann")
    listed = place.var("ann") / "xlogfile"
    listed.write_text(line("ann", "newt"))
    [entry] = ann.take()
    assert (entry["name"], entry["engine"], entry["points"]) == ("ann", "it", "7")
    assert (ann.take(), listed.read_text()) == ([], "")
    listed.write_text(line("ann", "newt") + line("ann", "jackal"))  # as if the list had not been emptied
    assert [entry["death"] for entry in ann.take()] == ["jackal"]
    assert place.lines() == [("ann", "newt"), ("ann", "jackal")]


def test_a_line_has_the_name_that_the_player_has_here_or_is_dropped(place: Place) -> None:
    wizard = place.of("ann-wiz")  # NetHack takes this for a wizard called ann
    (place.var("ann-wiz") / "xlogfile").write_text(
        line("ann", "newt") + line("ben", "forged") + "no line\n" + line("ann", "half").removesuffix("\n")
    )
    wizard.take()
    assert place.lines() == [("ann-wiz", "newt")]


def test_a_line_of_crawl_has_the_names_of_the_others(place: Place) -> None:
    (place.of("bob"), place.var("bob") / "xlogfile")[1].write_text(
        "v=0.28.0:name=bob:race=Minotaur:cls=Fighter:xl=3:place=D::2:absdepth=2:hp=-1:mhp=30:"
        "start=20261027173840S:dur=10:turn=99:sc=123:ktyp=mon:tmsg=slain by a rat:end=20261027173900S\n"
    )
    [entry] = place.of("bob").take()
    told = ("points", "role", "xplevel", "deathlev", "turns", "death", "place", "starttime", "endtime", "version")
    assert [entry[name] for name in told] == [
        *("123", "Fighter", "3", "2", "99", "slain by a rat", "D:2", "1795801120", "1795801140", "0.28.0")
    ]


def test_bones_are_found_by_another_and_by_nobody_after_that(place: Place) -> None:
    ann, ben, cyn = map(place.of, ("ann", "ben", "cyn"))
    (place.var("ann") / "bonD0.4").write_bytes(b"ghost of ann")
    ann.take()
    assert not (place.var("ann") / "bonD0.4").exists()
    for player in (ben, cyn):
        player.lend()
    assert (place.var("ben") / "bonD0.4").read_bytes() == b"ghost of ann"
    (place.var("ben") / "bonD0.4").unlink()  # as the game does that found them
    cyn.take()
    assert [file.name for file in place.bones.iterdir()] == ["bonD0.4"]
    ben.take()
    assert [*place.bones.iterdir(), *place.var("cyn").iterdir(), *place.var("ben").iterdir()] == []


def test_who_dies_where_bones_were_found_leaves_others_there(place: Place) -> None:
    for name, ghost in (("ann", b"ann"), ("ben", b"ben")):
        player = place.of(name)
        player.lend()
        bones = place.var(name) / "bonD0.4"
        bones.unlink(missing_ok=True)
        bones.write_bytes(ghost)
        player.take()
    assert (place.bones / "bonD0.4").read_bytes() == b"ben"


def test_a_copy_that_a_killed_host_left_is_no_bones(place: Place) -> None:
    place.bones.mkdir()
    (place.bones / "bonD0.4").write_bytes(b"ghost")
    place.of("ann").lend()
    (place.bones / "bonD0.4").unlink()  # somebody found them meanwhile
    place.of("ann").take()
    assert [*place.bones.iterdir(), *place.var("ann").iterdir()] == []


def test_a_dump_is_kept_as_text_that_no_terminal_obeys_and_the_line_names_it(place: Place) -> None:
    ann = place.of("ann")
    dumps = place.var("ann") / "dumps"
    for text in ("first", "\x1b]0;x\x07second\n"):
        dumps.mkdir(exist_ok=True)
        (dumps / "a n\nn.1.log").write_text(text)
        (place.var("ann") / "xlogfile").write_text(line("ann", text[-5:].strip()))
        entry = ann.take()[-1]
    assert entry["dumplog"] == "ann.it.a_n_n_1-2.txt"
    assert (place.finished / "ann.it.a_n_n_1-2.txt").read_text() == "]0;xsecond\n"
    assert [*dumps.iterdir()] == []


def test_the_dumps_of_one_player_have_their_room_and_the_rest_stays_with_the_player(place: Place) -> None:
    ann = place.of("ann")
    dumps = place.var("ann") / "dumps"
    dumps.mkdir()
    with (place.finished / "ann.it.before.txt").open("w") as before:
        before.truncate(common._DUMPS_OF_ONE - 5)
    with (place.finished / "anna.it.before.txt").open("w") as others:
        others.truncate(common._DUMPS_OF_ONE)
    for name, text in (("a", "long enough"), ("b", "short"), ("c", "more")):
        (dumps / name).write_text(text)
    ann.take()
    assert sorted(path.name for path in place.finished.glob("ann.it.?.txt")) == ["ann.it.b.txt"]
    assert sorted(path.name for path in dumps.iterdir()) == ["a", "c"]


def links(path: Path, secret: Path) -> None:
    path.symlink_to(secret)


def names(path: Path, secret: Path) -> None:
    path.hardlink_to(secret)


def pipe(path: Path, secret: Path) -> None:
    os.mkfifo(path)


def folder(path: Path, secret: Path) -> None:
    path.mkdir()


def large(path: Path, secret: Path) -> None:
    path.touch()
    os.truncate(path, 10 << 30)


@pytest.mark.parametrize("make", [links, names, pipe, folder, large])
def test_what_is_no_plain_file_of_the_game_is_taken_nowhere(place: Place, make: Callable[[Path, Path], None]) -> None:
    secret = place.folder / "secret"
    secret.write_text(line("ann", "secret"))
    ann = place.of("ann")
    (place.var("ann") / "dumps").mkdir()
    for name in ("xlogfile", "bonD0.4", "dumps/it.log"):
        make(place.var("ann") / name, secret)
    assert ann.take() == []
    ann.lend()
    assert place.lines() == []
    assert [*place.bones.iterdir(), *place.finished.glob("*.txt")] == []
    assert secret.read_text() == line("ann", "secret")


def test_a_link_in_the_place_of_a_folder_leads_nowhere(place: Place) -> None:
    ann, ben = place.of("ann"), place.of("ben")
    (place.var("ben") / "xlogfile").write_text(line("ann", "of ben"))
    place.var("ann").rmdir()
    place.var("ann").symlink_to(place.var("ben"))
    assert ann.take() == []
    assert (place.var("ben") / "xlogfile").read_text() == line("ann", "of ben")
    assert ben.take() == []  # it is not Ben's, either


def test_what_a_copy_of_the_systems_folder_has_of_others_is_removed_and_nothing_else(tmp_path: Path) -> None:
    system = Path("/var/games/it")
    inner = replace(
        GAME.around,
        **{
            name: tuple(str(system.parent / pattern.replace("var", "it")) for pattern in patterns)
            for name, patterns in LISTED.items()
        },
    )
    game = replace(GAME, around=inner, walls=Walls(own_folders=(system,)), save_files=("/var/games/it/save/*", "own/*"))
    folder = PlayerFolder("ann", tmp_path / "ann")
    folder.make()
    own = own_folder(system, folder.home)
    for place in (own / "dumps", own / "save", folder.home / "own"):
        place.mkdir(parents=True)
    for name in ("xlogfile", "bonD0.4", "dumps/it.log", "save/0bob", "alock.0", "perm"):
        (own / name).write_text("of the system")
    (folder.home / "own" / "save").write_text("of the player")
    common = Common(game, folder, None, None)
    common.forget([])
    assert (own / "xlogfile").read_text() == "of the system"
    common.forget([system])
    assert {str(path.relative_to(own)): path.read_text() for path in own.rglob("*") if path.is_file()} == {
        "xlogfile": "",
        "perm": "of the system",
    }
    assert (folder.home / "own" / "save").read_text() == "of the player"


def test_no_line_and_no_name_is_so_long_that_others_cannot_read_the_list(place: Place) -> None:
    ann = place.of("ann")
    listed = place.var("ann") / "xlogfile"
    listed.write_bytes(
        line("ann", "").removesuffix("\n").encode() + b"\xff" * 10000 + b"\n" + line("ann", "newt").encode()
    )
    (place.var("ann") / "dumps").mkdir()
    (place.var("ann") / "dumps" / ("d" * 255)).write_text("dump")
    [entry] = ann.take()
    assert (entry["death"], entry["dumplog"]) == ("newt", f"ann.it.{'d' * 80}.txt")
    assert [isinstance(found, dict) for found in read_entries(str(place.finished / "xlogfile"))] == [True]


@pytest.mark.parametrize("later", ["other", "xlogfile"])
def test_of_several_lists_that_line_names_the_dump_whose_game_ended_last(place: Place, later: str) -> None:
    several = replace(GAME, around=replace(GAME.around, scores=("var/xlogfile", "var/other")))
    place.of("ann")
    for name in ("xlogfile", "other"):
        ended = f"\tendtime={1_800_000_060 if name == later else 1_800_000_000}\n"
        (place.var("ann") / name).write_text(line("ann", name).removesuffix("\n") + ended)
    (place.var("ann") / "dumps").mkdir()
    (place.var("ann") / "dumps" / "it.txt").write_text("dump")
    entries = Common(several, PlayerFolder("ann", place.folder / "ann"), place.finished, place.bones).take()
    assert [(entry["death"], "dumplog" in entry) for entry in entries] == [
        ("xlogfile", later == "xlogfile"),
        ("other", later == "other"),
    ]
    assert place.lines() == [("ann", "xlogfile"), ("ann", "other")]
    assert [(place.var("ann") / name).read_text() for name in ("xlogfile", "other")] == ["", ""]


def test_a_game_does_not_say_where_its_dump_is_nor_that_it_is_another_game(place: Place) -> None:
    ann = place.of("ann")
    more = "\tdumplog=../../etc/passwd\tstarttimeus=1\tendtimeus=2\tengine=delve\n"
    (place.var("ann") / "xlogfile").write_text(line("ann", "newt").removesuffix("\n") + more)
    [entry] = ann.take()
    assert (entry["engine"], {"dumplog", "starttimeus", "endtimeus"} & entry.keys()) == ("it", set())


def test_a_file_at_the_limit_is_taken_and_no_larger_one(place: Place) -> None:
    ann = place.of("ann")
    for name, size in (("bonA", LARGEST), ("bonB", LARGEST + 1), ("bonC\x1b[2J", 1)):
        (place.var("ann") / name).write_bytes(bytes(size))
    ann.take()
    assert [file.name for file in place.bones.iterdir()] == ["bonA"]


def test_nothing_is_lost_where_it_cannot_be_moved_and_it_is_moved_next_time(place: Place) -> None:
    ann = place.of("ann")
    (place.var("ann") / "xlogfile").write_text(line("ann", "newt"))
    place.finished.rename(place.folder / "away")
    with pytest.raises(NhlogError):
        ann.take()
    (place.folder / "away").rename(place.finished)
    assert len(ann.take()) == 1


def test_a_game_that_broke_off_is_saved_again_and_its_player_is_told(place: Place) -> None:
    place.of("ann")
    (place.var("ann") / "alock.0").write_text("game")
    (place.var("ann") / "alock.1").write_text("level")
    ann = PlayerFolder("ann", place.folder / "ann")
    assert "recovered" in repaired(GAME, ann, ENVIRONMENT)
    assert (place.var("ann") / "save" / "alock.0").read_text() == "game"
    assert repaired(GAME, ann, ENVIRONMENT) == ""


def test_what_cannot_be_repaired_is_put_aside_and_not_tried_again(place: Place) -> None:
    place.of("ann")
    for name in ("alock.0", "alock.1"):
        (place.var("ann") / name).touch()
    ann = PlayerFolder("ann", place.folder / "ann")
    assert "could not be recovered" in repaired(GAME, ann, ENVIRONMENT)
    assert repaired(GAME, ann, ENVIRONMENT) == ""
    assert sorted(os.listdir(place.var("ann")))[:2] == ["alock.0.broken", "alock.1.broken"]


def test_a_saved_game_is_never_written_over(place: Place) -> None:
    place.of("ann")
    (place.var("ann") / "save").mkdir()
    (place.var("ann") / "save" / "alock.0").write_text("newer")
    (place.var("ann") / "alock.0").write_text("older")
    assert repaired(GAME, PlayerFolder("ann", place.folder / "ann"), ENVIRONMENT) == ""
    assert (place.var("ann") / "save" / "alock.0").read_text() == "newer"


def test_a_repair_that_is_not_installed_is_an_error(place: Place) -> None:
    place.of("ann")
    (place.var("ann") / "alock.0").write_text("game")
    game = replace(GAME, around=replace(GAME.around, repair=("nosuch", "{file}")))
    with pytest.raises(NhlogError, match="nosuch: there is no such program"):
        repaired(game, PlayerFolder("ann", place.folder / "ann"), ENVIRONMENT)


def test_what_all_players_leave_has_a_limit_and_what_is_more_stays_with_its_player(place: Place) -> None:
    for name in ("ann", "ben"):
        place.of(name)
        (place.var(name) / "dumps").mkdir()
        (place.var(name) / "dumps" / "one").write_bytes(b"x" * 60)
        (place.var(name) / "bonD0.2").write_bytes(b"y" * 30)
        (place.var(name) / "xlogfile").write_text(line(name, "newt"))
    (place.bones / "another").mkdir(parents=True)
    (place.bones / "another" / "bon").write_bytes(b"z" * 10)
    ann, ben = (
        Common(GAME, PlayerFolder(name, place.folder / name), place.finished, place.bones / "it", most=110)
        for name in ("ann", "ben")
    )
    assert len(ann.take()) == 1
    assert not ann.is_full
    entries, told = _take(ben)
    assert len(entries) == 1
    assert told == "newt, with 7 points; no more room here for dumps and bones: they stay with you"
    assert sorted(path.name for path in place.finished.iterdir()) == ["ann.it.one.txt", "xlogfile"]
    assert sorted(path.name for path in place.var("ben").rglob("*") if path.is_file()) == ["bonD0.2", "one", "xlogfile"]
    assert common_bytes(place.finished, place.bones) == 100
    next(place.finished.glob("*.txt")).unlink()
    ben.take()
    assert not ben.is_full
    assert [path.name for path in place.finished.glob("*.txt")] == ["ben.it.one.txt"]
    assert not (place.var("ben") / "bonD0.2").exists()  # others' lie there
