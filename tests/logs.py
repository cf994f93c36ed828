"""The real logs that the tests hold the code against: the samples that ship, and the corpus."""

from pathlib import Path

from tests.corpus import CORPUS, SAMPLES

__all__ = ["CUTS", "KILLED", "NETHACK4_SAMPLES", "SAMPLE_LOGS", "TRUTHS", "body_lines", "every_log"]

_LOGS = CORPUS / "nethack4"

SAMPLE_LOGS = sorted(SAMPLES.glob("*.nhgame"))
NETHACK4_SAMPLES = [path for path in SAMPLE_LOGS if path.stem != "delve"]
CUTS = sorted(path.stem for path in _LOGS.glob("cuts/*.nhgame") if ".after-load" not in path.name)
KILLED = sorted(path.stem for path in _LOGS.glob("kill9/*.nhgame") if ".recovered" not in path.name)
TRUTHS = sorted(path.name.partition(".")[0] for path in _LOGS.glob("*.truth.jsonl.gz") if "fiqhack" not in path.name)


def every_log() -> list[Path]:
    """All of them, whole and damaged."""
    return [*SAMPLE_LOGS, *sorted(_LOGS.rglob("*.nhgame"))]


def body_lines(data: bytes) -> list[bytes]:
    """The complete lines behind the header."""
    return data.split(b"\n")[3:-1]
