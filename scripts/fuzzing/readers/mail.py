"""The file of letters, which anybody may write: what is no letter is passed over, and what is one can be shown."""

from collections.abc import Mapping
from pathlib import Path
from random import Random

from nhlog.beside.mail import MOST_TEXT, Mailbox, mail_file, send
from nhlog.vt import Size
from scripts.fuzzing.mutants.change import TEXTS, bend, bend_bytes, bend_often, bend_text, rarely
from scripts.fuzzing.rules import Begin, Broken, check_text, refused
from terminal.hosting.mail import drawn

__all__ = ["act", "mutant"]


def mutant(chance: Random) -> Mapping[str, bytes]:
    """Some letters, bent."""
    lines = [_line(chance) for _ in range(chance.choice((0, 1, 4, 30)))]
    lines = bend_often(chance, (0, 1, 3), lines, bend_bytes)
    data = b"".join(lines)
    return {"case.mail": (data * chance.choice((1, 1, 1, 3000)))[: 1 << 20]}


def _line(chance: Random) -> bytes:
    time = bend(chance, 1_700_000_000_000_000) if rarely(chance, 3) else 1_700_000_000_000_000
    moment = chance.choice(("²", "١٢", "", "-", "9" * 5000)) if rarely(chance, 8) else str(time)
    name, text = (bend_text(chance, chance.choice(("Ann", *TEXTS))) for _ in range(2))
    return f"{moment}\t{name}\t{text}\n".encode("utf-8", "surrogatepass")


def act(case: Path, chance: Random, begin: Begin) -> None:
    """Read the letters, with more that come, and show them in windows of some sizes."""
    recording = str(case).removesuffix(".mail")
    begin("letters")
    mailbox = Mailbox(recording, chance.choice((0, 0, 1_700_000_000_000_000)))
    letters = mailbox.letters()
    begin("send")
    with refused():
        send(recording, chance.choice(TEXTS[:-1]) or "Ann", "a word")
        letters += mailbox.letters()
    case.write_bytes(case.read_bytes()[: chance.choice((0, 7, 300))])
    letters += mailbox.letters()
    begin("draw")
    if mail_file(recording) != str(case):
        raise Broken("another file")
    for letter in letters:
        check_text(str(letter))
        if not letter.text or len(letter.text) > MOST_TEXT or "\n" in str(letter):
            raise Broken("a letter without a text, or with too long a one")
    for letter in letters[:20]:
        drawn(str(letter), chance.choice((None, Size(80, 24), Size(1, 1), Size(3, 2))))
