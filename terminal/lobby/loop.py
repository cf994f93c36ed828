"""The loop of the lobby: show the games, and play, watch or replay the one that is chosen.

What plays, watches and replays is loaded when it is asked for: who plays a program from the lobby needs none of it, and
has this process in memory for as long as the game lasts.
"""

import os
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final

from nhlog.config import Config, GameProgram
from nhlog.errors import LockNotObtained, NhlogError
from nhlog.files import File
from nhlog.players.maintenance import check_open
from nhlog.players.mutes import Author
from nhlog.players.notices import to_all
from terminal.followed import Followed
from terminal.input import followed
from terminal.lobby.contents import COUNT, REFRESH
from terminal.lobby.drawing import draw_lobby, picture_in_view, rows_in_view
from terminal.lobby.folders import Folders
from terminal.lobby.model import Lobby
from terminal.lobby.reading.reader import Reader
from terminal.lobby.rows import Row
from terminal.screen.display import Display
from terminal.settings.menu import OptionsMenu

__all__ = ["visit", "write_to_player"]

_AT_ONCE: Final = ("walk", "write", "edit", "code")  # what is done soon, and of the list


def visit(display: Display, lobby: Lobby, config: Config, clock: Callable[[], float] = time.monotonic) -> None:
    """Show the lobby, and the recordings chosen in it, until the user leaves; errors become messages of the lobby."""
    with Reader() as reader:
        _visit(display, lobby, config, reader, clock)


def _visit(display: Display, lobby: Lobby, config: Config, reader: Reader, clock: Callable[[], float]) -> None:
    """The same; the reader reads what takes long."""
    due = clock()
    while not lobby.done:
        more = lobby.look() or _put_away_one(lobby, config)  # so that keys are obeyed meanwhile
        for job, answer in reader.answers():
            lobby.contents.take(job, answer)
        lobby.contents.read_near(rows_in_view(lobby, display.size[1]))
        reader.want(lobby.wanted(rows_in_view(lobby, display.size[1]), picture_in_view(*display.size)))
        lobby.message = lobby.outbox.send_again(clock()) or lobby.message
        if clock() >= due:
            lobby.contents.count(rows_in_view(lobby, display.size[1]))
            for told in lobby.notices.news():
                lobby.notice, lobby.message = to_all(told), ""
            due = clock() + COUNT
        display.draw(draw_lobby(lobby, *display.size))
        for key in _keys(display, reader, 0 if more else REFRESH):
            lobby.press(key)
            if (options := lobby.opened.find(OptionsMenu)) is not None:
                display.dress(options.appearance)
            if lobby.wants or lobby.done:
                break  # the other keys are for what comes then
        if lobby.wants:
            wants, lobby.wants = lobby.wants, ""
            _go(display, lobby, config, reader, clock, wants)
            due = clock()
    lobby.contents.store()


def _keys(display: Display, reader: Reader, timeout: float) -> Iterable[str]:
    """The keys pressed; comes back early when something was read."""
    if reader.doing is None:
        return display.keys(timeout)
    display.listen(reader)
    try:
        return display.keys(timeout)
    finally:
        display.listen(None)


def _put_away_one(lobby: Lobby, config: Config) -> bool:
    """Put a game that is over away, if there is one in the folder of games; returns whether there was."""
    while lobby.contents.ended and config.finished is not None:
        file, _ = lobby.contents.ended.popitem()
        if os.path.dirname(file) != os.fspath(config.games) and lobby.contents.program_of(file) is None:
            continue
        from terminal.play.finished import file_away  # which reads games whole: most lobbies put nothing away

        try:
            lobby.message = file_away(file, config)
        except LockNotObtained as error:  # nor would any other be put away now
            lobby.message = str(error)
            lobby.contents.ended.clear()
        return True
    return False


def _go(display: Display, lobby: Lobby, config: Config, reader: Reader, clock: Callable[[], float], wants: str) -> None:
    """Do what was chosen; errors become messages of the lobby."""
    from terminal.lobby.new_game import edit, go_on

    row = lobby.chosen
    if wants not in _AT_ONCE:
        reader.rest()  # half of the memory of who plays a program would be its
        lobby.contents.rest()
    try:
        if wants == "new":
            _begin(display, lobby, config)
        elif wants == "edit":
            lobby.message = edit(display, lobby, config)
        elif wants == "code":
            lobby.message = _code(lobby, config)
        elif row is not None and wants == "play" and (program := lobby.contents.program_of(row.file)) is not None:
            lobby.message = go_on(display, lobby, config, program)
        elif row is not None and wants == "play":
            check_open(config.door)
            _play(display, row.file, config)
        elif row is not None and wants == "walk":
            with Folders([Path(row.file)]) as found:
                within = Lobby(found, lobby.contents.visitor, display.bound, row.file)
                within.notices, within.notice, within.outbox = lobby.notices, lobby.notice, lobby.outbox
                _visit(display, within, config, reader, clock)
                lobby.notice = within.notice
        elif row is not None and wants == "write":
            lobby.message = write_to_player(display, lobby, config, row)
        elif row is not None:
            _view(display, lobby, config, row, wants)
    except NhlogError as error:
        lobby.message = error.message if row is not None and row.is_relayed else str(error)  # its address is long
    except OSError as error:
        lobby.message = str(error)


def _play(display: Display, file: str, config: Config, says: str = "") -> None:
    from terminal.play.start import play_file

    play_file(display, file, config, says=says)


def _view(display: Display, lobby: Lobby, config: Config, row: Row, wants: str) -> None:
    """Watch it, or replay it from its start."""
    from terminal.replay.live import replayed, watch_file
    from terminal.replay.open import open_viewed
    from terminal.replay.waiting import show_file

    if row.is_relayed:
        with followed(row.file) as source:
            watch_file(display, source, config)
    elif wants == "watch":
        watch_file(display, Followed(row.file), config, author=_author(lobby, config))
    else:
        show_file(display, Followed(row.file), open_viewed, replayed)


def _begin(display: Display, lobby: Lobby, config: Config) -> None:
    """Play a new game, or go on with a program's."""
    from terminal.lobby.new_game import ask_hero, ask_which, begin_program

    game = ask_which(display, lobby, config.programs)
    if game is not None and not (isinstance(game, GameProgram) and game.name in lobby.contents.running.values()):
        check_open(config.door)
        _check_room(lobby, config)
    if isinstance(game, GameProgram):
        lobby.message = begin_program(display, lobby, config, game)
    elif game is not None and (asked := ask_hero(display, lobby, config, game)) is not None:
        from terminal.play.new_game import begin

        options, said = asked
        file = begin(game, options, config)
        lobby.look()
        lobby.choose(file)
        _play(display, file, config, said)


def _code(lobby: Lobby, config: Config) -> str:
    """Make a link by which the player logs in to the page, or a code that is good for another key, too.

    Raises :class:`NhlogError`.
    """
    from nhlog.players.asking import give_code
    from nhlog.players.tickets import LINK, issue

    folder, page = lobby.contents.visitor.folder, config.web.play
    if folder is None or lobby.contents.visitor.hero is None:
        return "there are no accounts here: a code is for another key, or a page, of a player"
    if config.accounts.store is not None:
        code, _ = give_code(config.accounts.store, folder.name)
        return f"{code} (once, within ten minutes)" + (f", or {page}#{code}" if page else "")
    if page is not None:
        return f"{page}#{issue(folder, LINK)} (once, within ten minutes)"
    return "there are no accounts and no page here: another key is for the administrator to add"


def _check_room(lobby: Lobby, config: Config) -> None:
    """Refuse another game to a player who has all that a player may have; raises :class:`OverQuota`."""
    from nhlog.players import Quota, check_quota

    if lobby.contents.visitor.folder is not None:
        check_quota(lobby.contents.visitor.folder, Quota(config.quota_games, config.quota_bytes))


def write_to_player(display: Display, lobby: Lobby, config: Config, row: Row) -> str:
    """Ask for a line and send it; returns what became of it.  Raises :class:`NhlogError` if the game is gone.

    Who writes is there as a watcher is, until the line is sent: then the player's client makes the file for mail.
    """
    from terminal.lobby.new_game import ask_text

    author = _author(lobby, config)
    if not config.mail or author is None:
        return "writing to players is turned off here"
    with ExitStack() as stack:
        stack.enter_context(File(row.file)).mark()
        text = ask_text(display, lobby, f"To {row.title}:")
        if text is None:
            return ""
        return lobby.outbox.send(partial(author.send, row.file), text, stack.pop_all().close)


def _author(lobby: Lobby, config: Config) -> Author | None:
    """As whom the visitor writes beside games; None for one without a name."""
    name = lobby.contents.visitor.writes_as
    return None if name is None else Author(name, config.door)
