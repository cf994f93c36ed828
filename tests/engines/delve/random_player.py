"""Games of a random player to their end: `python -m tests.engines.delve.random_player --games 200` tells the ends."""

import argparse
import time
from collections import Counter

from nhlog.engines import engine_named
from nhlog.testing.players import RandomPlayer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--engine", default="delve")
    parser.add_argument("--most", type=int, default=20_000, help="commands of a game")
    parser.add_argument("--first", type=int, default=0, help="the first game's number")
    given = parser.parse_args()
    engine = engine_named(given.engine)
    endings: Counter[str] = Counter()
    depths: Counter[str] = Counter()
    bones: list[bytes] = []
    commands = 0
    start = time.perf_counter()
    for number in range(given.first, given.first + given.games):
        player = RandomPlayer(engine, number)
        player.bones = bones
        game = engine.new(player.options(number % 3))
        for _ in range(given.most):
            player.perform(game, player.command(game))
            commands += 1
            if game.ending:
                break
            if not game.incomplete:
                save = game.save()
                game = engine.load(save)
                assert game.save() == save, number
        if game.bones:
            bones.append(game.bones[1])
        endings[game.ending or "(still alive)"] += 1
        depths[game.state.rpartition(" ")[2]] += 1
    took = time.perf_counter() - start
    print(f"{given.games} games, {commands} commands, {took:.1f} s, {1000 * took / max(commands, 1):.2f} ms each")
    for ending, count in endings.most_common():
        print(f"{count:5} {ending}")
    print(", ".join(f"{place} {count}" for place, count in sorted(depths.items())))


if __name__ == "__main__":
    main()
