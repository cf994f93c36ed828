"""What `nhlog state` says of a game of delve is what its document says."""

from tests.contract.json_contract import documented, seen
from tests.corpus import ROOT, SAMPLES

GAME = SAMPLES / "delve.nhgame"


def test_every_key_is_documented_and_seen(nhlog) -> None:
    _, title, table = (ROOT / "docs" / "delve.md").read_text().partition("## `nhlog state`")
    [keys] = documented(title + table)["nhlog state"].values()
    met = set()
    for place in ("start", "turn:565", "end"):
        [record] = nhlog("state", GAME, "--at", place, "--json").records
        met |= seen(record, keys)
    assert met == set(keys)


def test_it_is_told_in_words(nhlog) -> None:
    told = nhlog("state", GAME, "--at", "end").out
    assert "killed by a cinder mote" in told
    assert "Delve:4" in told


def test_between_saves_it_is_what_the_engine_makes_of_the_commands(nhlog) -> None:
    [end] = nhlog("state", GAME, "--at", "end", "--json").records
    [before] = nhlog("state", GAME, "--at", "turn:565", "--json").records
    assert (before["ending"], end["ending"]) == ("", "killed by a cinder mote")
    assert end["status"]["hp"] == 0 < before["status"]["hp"]
