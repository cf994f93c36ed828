"""The tables, and the licence that comes with them."""

from nhlog.nethack4.tables import artifacts, fork, kinds, races, roles, species, table
from tests.corpus import ROOT


def test_tables_say_what_the_parser_relies_on() -> None:
    names = [kind.name for kind in kinds()]
    assert names.index("leash") == 211
    assert (len(table("bg")), len(table("terrain")), len(table("traps")), len(table("circle"))) == (43, 36, 23, 16)
    assert (len(roles()), len(races())) == (13, 5)
    assert species()[0].symbol == "a"
    assert artifacts()[1].name == "Excalibur"
    assert roles()[4].ranks[0] == ("Gallant", None)


def test_the_tables_come_with_their_licence_and_their_source() -> None:
    folder = ROOT / "nhlog" / "nethack4"
    assert "NETHACK GENERAL PUBLIC LICENSE" in (folder / "tables.LICENSE").read_text()
    assert table("source") in "NetHack 4.3.0 (git 825e72d5)"
    assert fork()["source"].startswith("FIQHack: branch 4.3.1 (git 73dbd56a)")
    for commit in ("825e72d5", "73dbd56a", "2a810aa6"):
        assert commit in (folder / "tables.NOTICE").read_text()
