"""Recordings of other games."""

from collections.abc import Iterator

from scripts.measures import CORPUS, SAMPLES, Row, each, measurement, rate


@measurement
def maps() -> Iterator[Row]:
    """Opening a map, drawing all its layers, listing it."""
    from nhlog.formats.datafile import listing, open_replay
    from terminal.views import Eye
    from terminal.views.tilemap import VIEW

    tutorial = CORPUS / "teeworlds" / "maps" / "ddnet20_Tutorial.map"
    path = str(tutorial if tutorial.exists() else SAMPLES / "dm1.map")

    def drawn() -> None:
        replay = open_replay(path)
        for side in range(len(replay.sides)):
            VIEW.body(replay, 200, 60, Eye(side=side))
        replay.close()

    yield each("open a map and draw its layers", [drawn] * 3)
    replay = open_replay(path)
    yield each("a frame, 200x60", [lambda n=n: VIEW.body(replay, 200, 60, Eye(zoom=5, pan=(n, 0))) for n in range(30)])
    replay.close()
    yield rate("list maps", "maps", 50, lambda: [listing(path) for _ in range(50)])
