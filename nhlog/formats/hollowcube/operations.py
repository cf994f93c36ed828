"""What can be done with Hollow Cube recordings."""

from nhlog.formats import hollowcube
from nhlog.operations import Operations

OPERATIONS = Operations(
    open=hollowcube.open_replay,
    info=hollowcube.info,
    listing=hollowcube.listing,
    dump=hollowcube.dump,
    state=hollowcube.state,
    verify=hollowcube.verify,
    events=hollowcube.events,
    stats=hollowcube.stats,
    convert=hollowcube.convert,
    compact=hollowcube.compact,
    recover=hollowcube.recover,
    get_metadata=hollowcube.get_metadata,
    set_metadata=hollowcube.set_metadata,
    merge_metadata=hollowcube.merge_metadata,
)
