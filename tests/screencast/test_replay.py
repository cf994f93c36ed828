"""A recorded terminal as a replay: where it stands when its file becomes another one."""

from contextlib import closing
from pathlib import Path

from nhlog.change import Change
from nhlog.formats import open_recording

HEADER = '{"version": 2, "width": 20, "height": 5}\n'


def test_who_stood_behind_the_end_of_a_file_that_was_written_anew_stands_at_its_end(tmp_path: Path) -> None:
    path = tmp_path / "some.cast"
    path.write_text(HEADER + '[0, "o", "one "]\n[1, "o", "two "]\n[2, "o", "three"]\n')
    with closing(open_recording(str(path))) as replay:
        replay.seek(2)
        path.write_text(HEADER + '[0, "o", "new"]\n')
        assert replay.refresh() is Change.REWOUND
        assert (replay.step, replay.state.grid.text()[0]) == (0, "new")


def test_that_another_file_has_the_name_is_told_once(tmp_path: Path) -> None:
    path, new = tmp_path / "some.cast", tmp_path / "new.cast"
    for file in (path, new):
        file.write_text(HEADER + '[0, "o", "one"]\n[1, "x", "0"]\n')
    with closing(open_recording(str(path))) as replay:
        new.replace(path)
        assert [replay.refresh(), replay.refresh()] == [Change.REPLACED, Change.NOTHING]
        assert replay.info.note
