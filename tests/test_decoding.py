"""Types of ours that several threads decode into, the first time too."""

import subprocess
import sys
import threading

import pytest

from nhlog.decoding import converted, json_decoder, msgpack_decoder
from tests.corpus import ROOT
from tests.waiting import PATIENCE

THREADS = """
import sys, threading, time
import msgspec
from nhlog import decoding

begun, tries, over = threading.Event(), threading.Event(), threading.Event()

def number():
    # The first thread learns this in the middle of the outer type, while the second one decodes, or waits to.
    begun.set()
    tries.wait()
    while not over.is_set() and sys._current_frames()[second.ident].f_code.co_filename != decoding.__file__:
        time.sleep(0)
    return int

Inner = msgspec.defstruct("Inner", [("number", "number()")])
Inner.__module__ = "__main__"
Outer = msgspec.defstruct("Outer", [("inner", Inner), ("name", str)])

def decode():
    begun.wait()
    tries.set()
    try:
        print(DECODER(Outer).decode(b'{"inner": {"number": 1}, "name": "a"}'), flush=True)
    finally:
        over.set()

first, second = threading.Thread(target=lambda: DECODER(Outer)), threading.Thread(target=decode)
second.start()
first.start()
first.join()
second.join()
"""


def decodes(decoder: str) -> tuple[int, str]:
    """How a process ends in which two threads decode into a type with what this makes of it, and what it printed."""
    code = THREADS.replace("DECODER", decoder)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, cwd=ROOT)
    return done.returncode, done.stdout


def test_a_type_that_one_thread_learns_is_decoded_by_another_when_it_is_known() -> None:
    assert decodes("decoding.json_decoder") == (0, "Outer(inner=Inner(number=1), name='a')\n")


def test_what_this_is_for_is_still_so() -> None:
    """If this fails, msgspec can do it alone."""
    assert decodes("msgspec.json.Decoder")[0] < 0


def test_a_decoder_is_made_once_for_each_type_and_strictness() -> None:
    assert json_decoder(list[int]) is json_decoder(list[int])
    assert msgpack_decoder(list[int]) is msgpack_decoder(list[int])
    assert json_decoder(list[int], strict=False).decode(b'["1"]') == [1]
    with pytest.raises(ValueError, match="Expected `int`"):
        json_decoder(list[int]).decode(b'["1"]')


def test_values_are_converted_by_several_threads_at_once() -> None:
    found: list[list[int]] = []
    threads = [threading.Thread(target=lambda: found.append(converted((1, 2), list[int]))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[1, 2]] * 4
