"""What can be done with maps."""

from nhlog.formats import datafile
from nhlog.operations import Operations

OPERATIONS = Operations(
    open=datafile.open_replay,
    info=datafile.info,
    listing=datafile.listing,
    dump=datafile.dump,
    state=datafile.state,
    verify=datafile.verify,
    convert=datafile.convert,
)
