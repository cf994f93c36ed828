"""The talk beside a recording, to which anybody may write: what is no line is passed over, and what is one is shown."""

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random

from nhlog.beside.talk import MOST_TEXT, Talk, remove, say, talk_file
from scripts.fuzzing.mutants.change import TEXTS, bend, bend_bytes, bend_often, bend_text, rarely
from scripts.fuzzing.rules import Begin, Broken, check_text, refused
from terminal.replay.drawing.talk import draw_talk

__all__ = ["act", "mutant"]

_NOW = 1_700_000_000_000  # milliseconds since 1970
_WINDOWS = ((19, 24), (40, 60), (3, 2), (1, 1), (2, 0))  # columns and rows


def mutant(chance: Random) -> Mapping[str, bytes]:
    """Some lines, bent."""
    lines = [_line(chance) for _ in range(chance.choice((0, 1, 4, 30)))]
    lines = bend_often(chance, (0, 1, 3), lines, bend_bytes)
    return {"case.talk": (b"".join(lines) * chance.choice((1, 1, 1, 3000)))[: 1 << 20]}


def _line(chance: Random) -> bytes:
    time = bend(chance, _NOW) if rarely(chance, 3) else _NOW
    name, text = (bend_text(chance, chance.choice(("Ann", *TEXTS))) for _ in range(2))
    line: dict[str, object] = {"time": time, "name": name, "text": text}
    if rarely(chance, 4):
        line = {"time": time, "removes": chance.choice((0, 57, bend(chance, 57), None, "57", []))}
    return json.dumps(line, ensure_ascii=chance.random() < 1 / 2).encode("utf-8", "surrogatepass") + b"\n"


def act(case: Path, chance: Random, begin: Begin) -> None:
    """Read the talk, with more that comes and some that is removed, and draw it in panes of some sizes."""
    recording = str(case).removesuffix(".talk")
    if talk_file(recording) != str(case):
        raise Broken("another file")
    begin("talk")
    talk = Talk(recording)
    talk.look()
    begin("say")
    with refused():
        say(recording, chance.choice(TEXTS[:-1]) or "Ann", "a word")
    with refused():
        remove(recording, talk.said[-1].offset if talk.said else 0)
    talk.look()
    case.write_bytes(case.read_bytes()[: chance.choice((0, 7, 300))])
    talk.look()
    again = Talk(recording)
    again.look()
    if [*again.said] != [*talk.said]:
        raise Broken("who was there has read something else than who comes now")
    begin("draw")
    for said in talk.said:
        check_text(str(said))
        if not said.text or len(said.text) > MOST_TEXT or "\n" in str(said):
            raise Broken("a line without a text, or with too long a one")
    for size in _WINDOWS:
        draw_talk(talk.said, *size)
