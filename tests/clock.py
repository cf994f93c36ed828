"""A clock for what waits: no test does."""

__all__ = ["Clock"]


class Clock:
    """Goes when it is told to: `now` is in seconds."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now
