"""The examples of docs/scale.md, with folders, names and ports of the loopback."""

import os
import re
import subprocess
from pathlib import Path

__all__ = ["documented", "make_certificates"]

_DOCUMENT = Path(__file__).parents[2] / "docs" / "scale.md"
_NAMES = ("hub.example.org", "west.example.org")


def documented(first: str, folder: Path) -> str:
    """The example that begins with this line."""
    found = re.search(rf"^```\w+\n({re.escape(first)}\n.*?)^```$", _DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)
    assert found, f"docs/scale.md has no example that begins with {first!r}"
    text = found[1].replace("/etc/nats", str(folder)).replace("/var/lib/nats", str(folder))
    for name in _NAMES:
        text = text.replace(name, "localhost")
    return re.sub(r'listen: "0\.0\.0\.0:\d+"', 'listen: "127.0.0.1:-1"', text)


def make_certificates(folder: Path) -> None:
    """An authority, and the certificate of the server localhost."""
    subprocess.run(["sh", "-ec", documented("cd /etc/nats", folder)], check=True, capture_output=True, cwd=os.sep)
