"""What holds for every test: it never touches the user's own files, and its processes neither."""

import os
import tempfile

_HOME = tempfile.TemporaryDirectory(prefix="nhlog-tests-")

for variable in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
    os.environ[variable] = _HOME.name
for variable in ("NHLOG_DEBUG", "_NHLOG_COMPLETE"):
    os.environ.pop(variable, None)
os.environ["TZ"] = "UTC"
