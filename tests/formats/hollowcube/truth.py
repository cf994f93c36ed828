"""What the reference says of the corpus's recordings."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from nhlog.formats.hollowcube.state import RecordingState
from nhlog.formats.hollowcube.wire.events import item_record
from tests.corpus import CORPUS, WHOLE, corpus, packed_records

__all__ = ["corpus_files", "shape", "truth_of", "verdicts", "with_truth"]


def corpus_files(folder: str = "", pattern: str = "*.replay") -> list[Path]:
    """Recordings of the corpus."""
    root = CORPUS / "hollowcube" / folder
    return sorted(path for path in root.glob(pattern) if ".truth" not in path.name)


def with_truth(folder: str = "") -> list[Path]:
    """Those that the truth lies beside: in the larger corpus, all."""
    return [path for path in corpus_files(folder) if WHOLE or _truth(path).exists()]


@cache
def truth_of(path: Path) -> list[dict[str, Any]]:
    """The records beside a recording."""
    return packed_records(str(_truth(path)))


def _truth(path: Path) -> Path:
    return path.with_name(path.name.removesuffix(".replay") + ".truth.jsonl.gz")


def verdicts() -> list[dict[str, Any]]:
    """What the reference says of damaged recordings, of those that are there."""
    lines = corpus("hollowcube", "verdicts.jsonl").read_text().splitlines()
    found = []
    for record in map(json.loads, lines):
        path = CORPUS.joinpath("hollowcube", record.get("file") or record["dir"])
        if path.exists():
            found.append(record | {"path": path})
    return found


def shape(state: RecordingState) -> dict[str, Any]:
    """A state as the reference tells it."""
    entities = {
        str(number): {
            "type": entity.kind,
            "pos": list(entity.position),
            "pose": None if entity.pose is None else entity.pose.name,
            "flags": entity.flags,
            "items": {str(slot): item_record(item) for slot, item in entity.items.items()},
            "held": entity.held,
            "use": None if entity.using is None else entity.using.name,
        }
        for number, entity in state.entities.items()
    }
    blocks = {",".join(map(str, place)): block for place, block in state.blocks.items()}
    return {"entities": entities, "blocks": blocks}
