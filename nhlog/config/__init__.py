"""What a user or an administrator has settled once, in `config.toml` of their configuration folder.

`settings` is all of it, `accounts` what concerns who may play, `programs` the programs that are offered as games,
`presets` those that are known, `web` what concerns pages, `written` a file as it stands, `values` how its values are
read.  Must not import a format, nor `terminal`.
"""

from nhlog.config.accounts import Accounts, Registration
from nhlog.config.programs import Around, GameProgram, Hooks, OnDisconnect, Sandbox, Walls
from nhlog.config.relay import Relay
from nhlog.config.settings import (
    Config,
    config_path,
    own_folder,
    read_config,
    read_system_config,
    system_config_path,
)
from nhlog.config.web import Network, Web
from nhlog.config.written import Choice, Choices, Mistakes, together

__all__ = [
    "Accounts",
    "Around",
    "Choice",
    "Choices",
    "Config",
    "GameProgram",
    "Hooks",
    "Mistakes",
    "Network",
    "OnDisconnect",
    "Registration",
    "Relay",
    "Sandbox",
    "Walls",
    "Web",
    "config_path",
    "own_folder",
    "read_config",
    "read_system_config",
    "system_config_path",
    "together",
]
