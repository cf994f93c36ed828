"""Whether NetHack plays here as its logs say."""

from nhlog.engines.nethack.engine import NetHack
from nhlog.engines.protocol import NewGame
from nhlog.errors import NhlogError
from terminal.doctor.finding import Finding, Health

__all__ = ["check_nethack"]

_HERO = NewGame("doctor", "Valkyrie", "human", "female", "neutral", 0, 1)


def check_nethack() -> Finding:
    """Whether a known game goes here as it went elsewhere; asked where nle is installed."""
    engine = NetHack()
    try:
        engine.new(_HERO)
    except NhlogError as error:
        why = f"NetHack cannot be played: {error.message}"
        return Finding(
            "NetHack", Health.BROKEN, why, "pip install --force-reinstall nle==1.3.0; play on another machine"
        )
    finally:
        engine.machines.end()
    return Finding("NetHack", Health.OK, "can be played, and a known game goes as it does elsewhere")
