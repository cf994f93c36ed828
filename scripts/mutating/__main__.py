"""Change source files a little, one change at a time, and tell which changes no test notices.

mutate nhlog/timeline.py                    30 changes of a file, against its tests
mutate nhlog/log/*.py --count 200 --seed 7  others, of several files
mutate terminal/pager.py --tests tests/terminal/commands

A survivor is a question, not a mistake: does anybody rely on what was changed? If so, a test is missing. If not,
perhaps the code is too much. Some survivors mean the same as the original, only slower, or are seen by other tests than
those that ran. And what has no survivors is not right for that: tests may hold a mistake as well.
"""

import argparse
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from random import Random
from types import FrameType
from typing import Final, NoReturn

from scripts.mutating.changes import Change, changes, sound
from scripts.mutating.sessions import Unusable, Verdict, tried
from scripts.mutating.trees import copy, suite_of

ROOT: Final = Path(__file__).resolve().parents[2]


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(
        "mutate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="modules of nhlog/ or terminal/")
    parser.add_argument("--tests", nargs="+", metavar="PATH", help="run these (its package's, and what imports it)")
    parser.add_argument("--count", type=int, default=30, help="how many changes, of all files together (30)")
    parser.add_argument("--seed", type=int, default=1, help="another number, other changes (1)")
    options = parser.parse_args(arguments)
    names = [(Path.cwd() / file).resolve().relative_to(root).as_posix() for file in options.files]
    chosen = choose({name: (root / name).read_text() for name in names}, options.count, Random(options.seed))
    try:
        with leaving(), tempfile.TemporaryDirectory(prefix="nhlog-mutate-", ignore_cleanup_errors=True) as folder:
            tree = copy(root, Path(folder))
            verdicts = [one for name, some in chosen.items() for one in told(tree, name, some, options.tests)]
    except Unusable as error:
        print(error, file=sys.stderr)
        return 2
    survived = sum(verdict.by is None for verdict in verdicts)
    print(f"{len(verdicts)} mutants, {len(verdicts) - survived} killed, {survived} survived")
    return 1 if survived else 0


@contextmanager
def leaving() -> Iterator[None]:
    """A scope that whoever is told to end leaves as usual: what was begun in it is ended, and its files are removed."""
    heard = [number for number in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, leave) for number in heard}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def leave(number: int, frame: FrameType | None) -> NoReturn:
    sys.exit(128 + number)


def told(tree: Path, name: str, some: Sequence[Change], wanted: Sequence[str] | None) -> Iterator[Verdict]:
    """The verdicts of a file's changes; those that survive are printed at once."""
    source, own = (tree / name).read_text(), suite_of(tree, PurePosixPath(name))
    tests = sorted(wanted, key=lambda path: path not in own) if wanted else own
    if not tests:
        raise Unusable(f"{name} has no tests of its own; --tests names others")
    for verdict in tried(tree, name, tests, some):
        if verdict.by is None:
            unseen = "" if verdict.ran else "  (no test runs it)"
            print(f"{name}:{verdict.change.words(source)}{unseen}", flush=True)
        yield verdict


def choose(sources: dict[str, str], count: int, chance: Random) -> dict[str, list[Change]]:
    """So many changes, of all files together, each as likely as any other."""
    every = [(name, change) for name, source in sources.items() for change in changes(source)]
    chance.shuffle(every)
    some: list[tuple[str, Change]] = []
    for name, change in every:
        if len(some) < count and sound(sources[name], change):
            some.append((name, change))
    chosen = {name: sorted((c for n, c in some if n == name), key=lambda one: one.start) for name in sources}
    return {name: found for name, found in chosen.items() if found}


if __name__ == "__main__":
    sys.exit(main())
