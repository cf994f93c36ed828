"""Stores that count what they are asked: one in memory, and moto's S3, where it is installed."""

import importlib.util
import itertools
import logging
import re
from collections.abc import Iterator
from typing import Any, ClassVar

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from nhlog.files import losses

_numbers = itertools.count()
_MOTO = all(importlib.util.find_spec(name) for name in ("s3fs", "moto"))
_NO_MOTO = "s3fs or moto is not installed (pip install s3fs 'moto[s3]' flask flask-cors)"


class Asked:
    """A folder of a store, and what was asked for there: GET, HEAD, LIST, PUT or DELETE, and the name below it."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.seen: list[str] = []

    def note(self, what: str, place: str) -> None:
        folder = self.address.partition("://")[2].partition("/")[2]
        self.seen.append(f"{what} {place.strip('/').removeprefix(folder).strip('/')}")

    def take(self) -> list[str]:
        """What was asked since the last call."""
        seen, self.seen = self.seen, []
        return seen


class CountedFiles(MemoryFileSystem):  # type: ignore[misc]
    """Files in memory; each call that a store would be asked is noted."""

    protocol = "counted"
    store: ClassVar[dict[str, Any]] = {}
    pseudo_dirs: ClassVar[list[str]] = [""]
    asked = Asked("")

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return str(super()._strip_protocol(path.removeprefix("counted://museum")))

    def cat_file(self, path: str, **options: Any) -> bytes:
        self.asked.note("GET", self._strip_protocol(path))
        return bytes(super().cat_file(path, **options))

    def pipe_file(self, path: str, value: bytes, **options: Any) -> None:
        self.asked.note("PUT", self._strip_protocol(path))
        super().pipe_file(path, value, **options)

    def size(self, path: str) -> int:
        self.asked.note("HEAD", self._strip_protocol(path))
        return int(super().size(path))

    def ls(self, path: str, **options: Any) -> Any:
        self.asked.note("LIST", self._strip_protocol(path))
        return super().ls(path, **options)

    def rm_file(self, path: str) -> None:
        self.asked.note("DELETE", self._strip_protocol(path))
        super().rm_file(path)


fsspec.register_implementation("counted", CountedFiles)


class Heard(logging.Handler):
    """Notes the requests that the log of moto's server tells."""

    def __init__(self, asked: Asked) -> None:
        super().__init__()
        self._asked = asked

    def emit(self, record: logging.LogRecord) -> None:
        found = re.search(r"([A-Z]+) /museum/?([^\s?]*)(\?list-type=2&prefix=([^&\s]*))?", record.getMessage())
        if found:
            self._asked.note("LIST" if found[3] else found[1], found[4] or found[2])


@pytest.fixture(scope="session")
def bucket() -> Iterator[str]:
    """A bucket of moto's server, which takes seconds to be started, for all tests: each has a folder of its own."""
    if not _MOTO:
        pytest.skip(_NO_MOTO)
    import boto3
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(logging.getLogger("werkzeug"), "propagate", False)
        patch.setattr(logging.getLogger("werkzeug"), "level", logging.INFO)
        server.start()
        for name, value in {
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": "http://{}:{}".format(*server.get_host_and_port()),
        }.items():
            patch.setenv(name, value)
        boto3.client("s3").create_bucket(Bucket="museum")
        yield "s3://museum"
        server.stop()


@pytest.fixture(autouse=True)
def _no_losses() -> Iterator[None]:
    """What one test could not read is not told of in the next one."""
    yield
    losses.take()


@pytest.fixture
def counted() -> Asked:
    """A folder in memory."""
    CountedFiles.asked = Asked(f"counted://museum/{next(_numbers)}")
    return CountedFiles.asked


@pytest.fixture
def s3(bucket: str) -> Iterator[Asked]:
    """A folder in moto's S3."""
    asked = Asked(f"{bucket}/{next(_numbers)}")
    log, heard = logging.getLogger("werkzeug"), Heard(asked)
    log.addHandler(heard)
    yield asked
    log.removeHandler(heard)


@pytest.fixture(params=["counted", "s3"])
def museum(request: pytest.FixtureRequest) -> Asked:
    """A folder in either store."""
    found: Asked = request.getfixturevalue(request.param)
    return found
