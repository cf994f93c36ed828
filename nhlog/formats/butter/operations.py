"""What can be done with Echo VR recordings."""

from nhlog.formats import butter
from nhlog.operations import Operations

OPERATIONS = Operations(
    open=butter.open_replay,
    info=butter.info,
    listing=butter.listing,
    dump=butter.dump,
    state=butter.state,
    verify=butter.verify,
    events=butter.events,
    stats=butter.stats,
    convert=butter.convert,
    diff=butter.diff,
)
