"""Running the server of players' pages until a signal ends it."""

from collections.abc import Callable

from nhlog.config import Config
from nhlog.players import Players
from terminal.web.playing.door import PlayersDoor
from terminal.web.playing.routes import application
from terminal.web.playing.talking import Talking
from terminal.web.processes.process import OF_TERMINALS, prepare
from terminal.web.serving import is_loopback, listening, run

__all__ = ["serve_players"]


def serve_players(players: Players, host: str, port: int, config: Config, tell: Callable[[str], None]) -> None:
    """Serve the lobbies of these players until SIGINT or SIGTERM; `tell` gets the address when it does."""
    settled, store = config.web, config.accounts.store
    talking = Talking(players, config.door, talk=config.talk, guests=settled.guests_talk)
    with listening(host, port) as listener:
        prepare(OF_TERMINALS)
        door = PlayersDoor(players, settled, talking, loopback=is_loopback(listener), store=store)
        run(listener, door, application(door), tell)
