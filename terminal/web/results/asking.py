"""Questions to the process that knows which games ended; the same one is asked once, until more games end.

The process begins with the first question, and again with the next one after it has failed.
"""

import asyncio
from typing import Final

import msgspec
from starlette.exceptions import HTTPException

from nhlog.decoding import json_decoder
from terminal.web.processes.history import Answer, Answered, Asked, Ended, Question, answering
from terminal.web.processes.process import Process
from terminal.web.processes.wire import ALL, Kind, Message, packed

__all__ = ["Asking"]

_WAITING: Final = 64  # questions that wait for their answers
_KEPT: Final = 256  # answers, of some 60 kB each at most
_PATIENCE: Final = 20.0  # seconds: at first all lists are read
_LATER: Final = {"Retry-After": "10"}


class Asking:
    """The questions that wait, and the answers that hold."""

    def __init__(self, ended: Ended) -> None:
        self._order = ended
        self._process: Process | None = None
        self._waiting: dict[int, asyncio.Future[Answer]] = {}
        self._answers: dict[Question, asyncio.Future[Answer]] = {}  # the latest at the end
        self._last = 0

    async def ask(self, question: Question) -> Answer:
        """The answer; raises :class:`HTTPException` if there is none now."""
        future = self._answers.get(question)
        if future is None:
            future = self._asked(question)
        try:
            return await asyncio.wait_for(asyncio.shield(future), _PATIENCE)
        except TimeoutError:
            raise HTTPException(503, "the scores are still being read; try again in a while", _LATER) from None

    def end(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.end()

    def _asked(self, question: Question) -> asyncio.Future[Answer]:
        if len(self._waiting) >= _WAITING:
            raise HTTPException(503, "too many ask at once; try again in a while", _LATER)
        if self._process is None:
            self._process = Process(answering, self._order, self._take, self._ended)
        self._last += 1
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[self._last] = future
        if question.kind != "dump":  # a megabyte, and few read the same
            self._answers[question] = future
            if len(self._answers) > _KEPT:
                del self._answers[next(iter(self._answers))]
        self._process.send(packed(Kind.QUESTION, ALL, msgspec.json.encode(Asked(self._last, question))))
        return future

    def _take(self, message: Message) -> None:
        told = json_decoder(Answered).decode(message.parts[0])
        if not told.number:
            self._answers.clear()
        future = self._waiting.pop(told.number, None)
        if future is not None and not future.done():
            future.set_result(told.answer)

    def _ended(self) -> None:
        """It has failed: so have all questions that wait."""
        self._process = None
        self._answers.clear()
        waiting, self._waiting = self._waiting, {}
        for future in waiting.values():
            future.set_exception(HTTPException(503, "the scores cannot be read now; try again in a while", _LATER))
            future.exception()  # nobody may wait for it any more
