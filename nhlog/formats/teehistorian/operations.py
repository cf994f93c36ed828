"""What can be done with teehistorian recordings."""

from nhlog.formats import teehistorian
from nhlog.operations import Operations

OPERATIONS = Operations(
    open=teehistorian.open_replay,
    info=teehistorian.info,
    listing=teehistorian.listing,
    dump=teehistorian.dump,
    state=teehistorian.state,
    verify=teehistorian.verify,
    events=teehistorian.events,
    stats=teehistorian.stats,
    convert=teehistorian.convert,
)
