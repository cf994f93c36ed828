"""The contract of engines (`nhlog.engines.protocol`) as tests; an engine's tests derive a class from `EngineContract`.

Games are played by a random player, who gives sensible and senseless answers.
"""

import random
import statistics
from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any, ClassVar

import pytest

from nhlog.engines.prompts import (
    AskDirection,
    AskKey,
    AskMenu,
    AskObjects,
    AskPosition,
    AskScreen,
    AskText,
    AskYesNo,
    LookForBones,
    Prompt,
)
from nhlog.engines.protocol import ClaimsKeys, Engine, Game, GivesHints, NewGame, TellsMessages, TellsWorlds, heroes
from nhlog.errors import Damaged, Usage
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.grammar import parse_line
from nhlog.log.wire.header import STATE_WIDTH, format_state
from nhlog.log.wire.lines import (
    Argument,
    Bones,
    Command,
    DirectionAnswer,
    KeyAnswer,
    Line,
    MenuAnswer,
    ObjectMenuAnswer,
    PositionAnswer,
    TextAnswer,
    YesNoAnswer,
)
from nhlog.mdiff import apply
from nhlog.mdiff.compact import encode
from nhlog.savehead import signature_of
from nhlog.testing.players import RandomPlayer

__all__ = ["EngineContract", "replayed"]

Turn = tuple[Command, list[Line]]

CLIENT_KEYS = {"i", "ctrl-f", "ctrl-t", "ctrl-x", "ctrl-o", "\\", ";", "?", "ctrl-p", "R", "S", "#", *"0123456789"}
"""Keys of the client, which no engine may use that does not claim its keys."""


def replayed(game: Game, turns: list[Turn]) -> None:
    """Repeat the commands of these turns on a game, with the same answers."""
    for command, answers in turns:
        waiting = iter(answers)
        run = game.run(command)
        try:
            prompt = next(run)
            while True:
                line = next(waiting)
                assert prompt.accepts(line)
                prompt = run.send(line)
        except StopIteration:
            pass
        assert next(waiting, None) is None, f"{command}: more answers than prompts"


class EngineContract:
    """The contract of engines; a derived class sets `engine`."""

    engine: ClassVar[Engine]

    games: ClassVar[int] = 4
    """The number of random games that each test plays."""

    commands: ClassVar[int] = 250
    """The number of commands in each of them."""

    diff: ClassVar[int] = 200
    """The maximum of the median size of diffs between saves, in bytes."""

    def player(self, seed: int) -> RandomPlayer:
        """The player for a seed."""
        return RandomPlayer(self.engine, seed)

    def played(self, seed: int, commands: int = 0) -> Iterator[tuple[Game, Command, list[Line]]]:
        """Play a random game; yields the game, the command and its answers after each command."""
        player = self.player(seed)
        game = self.engine.new(player.options(seed % 3))
        for _ in range(commands or self.commands):
            command = player.command(game)
            yield game, command, player.perform(game, command)
            if game.ending:
                return

    def begun(self, seed: int = 1, mode: int = 0) -> Game:
        """A new game."""
        return self.engine.new(self.player(seed).options(mode))

    def saves(self, seed: int) -> Iterator[bytes]:
        """The saves of a random game, beginning with that of the new game."""
        yield self.begun(seed, seed % 3).save()
        for game, _, _ in self.played(seed):
            if not game.incomplete and not game.ending:
                yield game.save()

    # What an engine says of itself.

    def test_its_version_and_signature_fit_the_log(self) -> None:
        assert len(self.engine.version) == 9
        assert 0 < signature_of(self.engine.name) < 1 << 32

    def test_it_has_the_commands_of_every_engine(self) -> None:
        assert {"welcome", "repeat", "interrupt"} <= set(self.engine.commands)

    def test_a_log_can_hold_its_commands(self) -> None:
        for name, letters in self.engine.commands.items():
            assert parse_line(name.encode()) == Command(name)
            assert set(letters) <= set("DPITSLK")

    def test_its_keys_give_its_commands(self) -> None:
        for binding in self.engine.bindings:
            letters = self.engine.commands[binding.command.name]
            given = {argument.letter for argument in binding.command.arguments}
            assert given | set(binding.asks) <= set(letters), binding
            assert binding.group
            assert binding.does
        bound = {binding.command.name for binding in self.engine.bindings}
        assert not isinstance(self.engine, GivesHints) or {name for name, _ in self.engine.hints} <= bound

    def test_its_keys_are_free_and_have_one_meaning(self) -> None:
        keys = [binding.key for binding in self.engine.bindings]
        assert len(set(keys)) == len(keys)
        if isinstance(self.engine, ClaimsKeys):
            assert self.engine.prefix not in {"", *keys}
        else:
            assert set(keys) & CLIENT_KEYS == set()

    @pytest.mark.parametrize("wrong", ["role", "race", "gender", "alignment"])
    def test_an_option_that_it_does_not_know_is_refused(self, wrong: str) -> None:
        options = self.player(1).options()
        words: dict[str, Any] = {name: getattr(options, name) for name in ("role", "race", "gender", "alignment")}
        words[wrong] = "Nobody"
        with pytest.raises(Usage):
            self.engine.new(NewGame("N", mode=0, seed=1, **words))

    def test_everybody_whom_it_offers_can_be_played(self) -> None:
        for role in self.engine.roles:
            for hero in heroes(self.engine, role):
                game = self.engine.new(NewGame("N", role, *hero, 0, 5))
                assert self.engine.load(game.save()).save() == game.save()

    def test_nobody_else_can_be_played(self) -> None:
        for role, words in self.engine.roles.items():
            for hero in {*product(*words)} - {*heroes(self.engine, role)}:
                with pytest.raises(Usage):
                    self.engine.new(NewGame("N", role, *hero, 0, 5))

    # Worlds.

    def test_the_same_seed_gives_the_same_world(self) -> None:
        assert self.begun(3).save() == self.begun(3).save()

    def test_other_seeds_give_other_worlds(self) -> None:
        options = self.player(1).options()
        words = (options.name, options.role, options.race, options.gender, options.alignment, 0)
        saves = {self.engine.new(NewGame(*words, seed)).save() for seed in (0, 1, 2, 3, 1 << 64, 1 << 200)}
        assert len(saves) == 6

    def test_a_save_tells_from_which_seed_its_world_was_made(self) -> None:
        if not isinstance(self.engine, TellsWorlds):
            pytest.skip("an engine need not tell it")
        for seed in range(self.games):
            options = self.player(seed).options(seed % 3)
            saves = [self.engine.new(options).save(), *self.saves(seed)]
            assert {self.engine.world(save) for save in saves} == {self.engine.world_of(options.seed)}
        seeds = (0, 1, 2, 3, 1 << 64, 1 << 200)
        assert len({self.engine.world_of(seed) for seed in seeds}) == len(seeds)

    # Saves.

    def test_what_was_loaded_saves_the_same_bytes(self) -> None:
        for seed in range(self.games):
            for save in self.saves(seed):
                assert self.engine.load(save).save() == save

    def test_a_loaded_game_tells_the_same(self) -> None:
        for game, _, _ in self.played(1):
            loaded = self.engine.load(game.save())
            assert (loaded.turn, loaded.here, loaded.state, loaded.ending) == (
                game.turn,
                game.here,
                game.state,
                game.ending,
            )

    def test_from_any_save_the_same_commands_give_the_same_saves(self) -> None:
        for seed in range(self.games):
            begun = self.begun(seed, seed % 3).save()
            saves: list[bytes] = [begun]
            turns: list[list[Turn]] = [[]]
            for game, command, answers in self.played(seed):
                turns[-1].append((command, answers))
                if not game.incomplete:
                    saves.append(game.save())
                    turns.append([])
            for first in random.Random(seed).sample(range(len(saves) - 1), min(6, len(saves) - 1)):
                again = self.engine.load(saves[first])
                for number in range(first, min(first + 25, len(saves) - 1)):
                    replayed(again, turns[number])
                    assert again.save() == saves[number + 1], f"game {seed}, save {number + 1}, {turns[number]}"
                    again = self.engine.load(again.save())

    def test_from_save_to_save_little_changes(self) -> None:
        sizes = []
        saves = list(self.saves(5))
        for before, after in pairwise(saves):
            diff = encode(before, after)
            assert apply(diff, before) == after
            sizes.append(len(diff))
        assert statistics.median(sizes) < self.diff

    def test_a_save_that_was_cut_short_is_damaged(self) -> None:
        save = self.begun().save()
        for size in [*range(min(64, len(save))), *range(64, len(save), 37)]:
            with pytest.raises(Damaged):
                self.engine.load(save[:size])

    def test_damage_is_placed(self) -> None:
        with pytest.raises(Damaged) as caught:
            self.engine.load(self.begun().save()[:-1])
        assert caught.value.offset is not None

    def test_a_save_with_more_behind_it_is_damaged(self) -> None:
        with pytest.raises(Damaged):
            self.engine.load(self.begun().save() + b"\0")

    def test_a_spoiled_save_is_damaged_or_can_be_played(self) -> None:
        dice = random.Random(7)
        player = self.player(7)
        saves = [list(self.saves(seed))[-1] for seed in range(2)]
        for _ in range(150):
            spoiled = bytearray(dice.choice(saves))
            for _ in range(dice.choice((1, 1, 1, 4, 30))):
                spoiled[dice.randrange(len(spoiled))] ^= 1 << dice.randrange(8)
            try:
                game = self.engine.load(bytes(spoiled))
            except Damaged:
                continue
            for _ in range(15):
                player.perform(game, player.command(game))
                again = game.save()
                assert game.incomplete or self.engine.load(again).save() == again

    @pytest.mark.parametrize("data", [b"", b"\0" * 5000, b"\xff" * 5000, bytes(range(256)) * 40])
    def test_other_bytes_are_damaged(self, data: bytes) -> None:
        with pytest.raises(Damaged):
            self.engine.load(data)

    # Commands.

    def test_the_turn_never_falls_and_the_state_fits_its_line(self) -> None:
        turn = 0
        for game, _, _ in self.played(2):
            assert game.turn >= max(turn, 1)
            turn = game.turn
            assert game.state.isascii()
            assert len(game.state) <= STATE_WIDTH == len(format_state(game.state))
            name, x, y = game.here
            assert name in game.state
            assert 0 <= x < 79
            assert 0 <= y < 21

    def test_to_welcome_takes_no_time(self) -> None:
        game = self.begun()
        turn = game.turn
        replayed(game, [(Command("welcome"), [])])
        assert game.turn == turn
        assert not game.incomplete

    def test_what_was_interrupted_does_not_go_on(self) -> None:
        for game, _, _ in self.played(4):
            if game.incomplete:
                turn = game.turn
                replayed(game, [(Command("interrupt"), [])])
                assert not game.incomplete
                assert game.turn == turn
                return
        pytest.fail("no command took several turns")

    def test_a_game_that_has_ended_does_not_change(self) -> None:
        last = ([*self.played(seed, 3000)][-1][0] for seed in range(200))
        game = next((game for game in last if game.ending), None)
        assert game is not None, "of 200 games of 3000 commands none has ended"
        before = (game.save(), game.turn, game.ending)
        for name in self.engine.commands:
            replayed(game, [(Command(name), [])])
        assert (game.save(), game.turn, game.ending) == before
        assert game.ending.isascii()

    def test_what_is_told_at_once_takes_no_time_and_changes_nothing(self) -> None:
        player = self.player(5)
        told = 0
        for seed in range(3):
            for game, _, _ in self.played(seed):
                if game.ending or game.incomplete:
                    continue
                command, before = player.command(game), game.save()
                at_once = game.at_once(command)
                assert game.save() == before
                if at_once is not None:
                    told += 1
                    turn = game.turn
                    assert game.at_once(command) == at_once
                    replayed(game, [(command, [])])
                    assert game.turn == turn
        assert told or not self.engine.looks

    def test_its_looks_are_told_at_once_at_any_time(self) -> None:
        assert self.engine.looks <= set(self.engine.commands) - {"welcome", "repeat", "interrupt"}
        for game, _, _ in self.played(6):
            for name in self.engine.looks if not game.ending else ():
                assert game.at_once(Command(name)) is not None

    def test_messages_become_more_while_a_command_asks_and_are_saved(self) -> None:
        player = self.player(8)
        game = self.begun(8)
        for _ in range(self.commands if isinstance(game, TellsMessages) else 0):
            run, told = game.run(player.command(game)), list[str]()
            prompt = next(run, None)
            while prompt is not None:
                assert _messages(game)[: len(told)] == told
                told = _messages(game)
                prompt = _sent(run, player.answer(prompt))
            told = _messages(game)
            assert all(text.isprintable() for text in told)
            if game.ending:
                break
            kept = _messages(self.engine.load(game.save()))
            assert told[len(told) - len(kept) :] == kept

    def test_no_command_fails_whatever_its_arguments(self) -> None:
        player = self.player(11)
        begun = [self.begun(11, mode).save() for mode in (0, 2)]
        for name, letters in self.engine.commands.items():
            for argument in [*every_argument(letters), ()]:
                for save in begun:
                    game = self.engine.load(save)
                    player.perform(game, Command(name, argument))
                    assert self.engine.load(game.save()).save() == game.save()

    def test_no_answer_makes_a_command_fail(self) -> None:
        """Each prompt that a first turn can ask, answered in every way that it accepts."""
        begun = [self.begun(number, number % 3).save() for number in range(12)]
        for name in self.engine.commands:
            for number, save in enumerate(begun):
                game = self.engine.load(save)
                run = game.run(Command(name))
                prompt = next(run, None)
                while prompt is not None:
                    answers = every_answer(prompt)
                    prompt = _sent(run, answers[number % len(answers)])
                assert self.engine.load(game.save()).save() == game.save()


def _messages(game: Game) -> list[str]:
    assert isinstance(game, TellsMessages)
    return list(game.messages)


def _sent(run: object, line: Line) -> Prompt | None:
    try:
        return run.send(line)  # type: ignore[attr-defined, no-any-return]
    except StopIteration:
        return None


def every_argument(letters: str) -> list[tuple[Argument, ...]]:
    """Arguments of these kinds (letters of :class:`~nhlog.log.wire.lines.Argument`), usual and odd ones."""
    values: dict[str, list[int | str | tuple[int, int] | Blob]] = {
        "D": [*range(-2, 12)],
        "L": [0, 1, 7, 10**12],
        "K": [27, ord("h"), -1, 10**9],
        "P": [(0, 0), (40, 10), (78, 20), (10**9, 10**9)],
        "I": [*"azAZ$-, \xff"],
        "S": [*"abz!"],
        "T": [Blob.of(b"AUD\0"), Blob.of(b""), Blob.of(b"\xff\xfe\0"), Blob(b"!!"), Blob.of(b"y" * 5000)],
    }
    alone = [(Argument(letter, value),) for letter in letters for value in values[letter]]
    together = [tuple(Argument(letter, values[letter][number]) for letter in letters) for number in range(4)]
    return alone + together


def every_answer(prompt: Prompt) -> list[Line]:
    """Answers that the prompt accepts, usual and odd ones."""
    match prompt:
        case AskDirection():
            return [DirectionAnswer(number) for number in range(-1, 11)]
        case AskYesNo():
            return [YesNoAnswer(char) for char in "yn\x1bq "]
        case AskKey():
            keys = (27, 0, 10**9, *map(ord, prompt.keys[:4]), ord("!"))
            return [KeyAnswer(key, 2 if prompt.counted else None) for key in keys]
        case AskScreen():
            return [KeyAnswer(key) for key in (27, 13, 0, 10**9, *map(ord, prompt.keys[:4]), ord("!"))]
        case AskPosition():
            return [PositionAnswer(place) for place in (None, (0, 0, "."), (40, 10, ","), (-5, 10**6, ";"))]
        case AskText():
            return [TextAnswer(Blob.of(text)) for text in (b"\x1b\0", b"\0", b"AUD\0", b"\xff" * 300, b"")]
        case AskMenu():
            return [MenuAnswer(ids) for ids in (None, (), (1,), (1, 2, 3), (-9, 1 << 31))]
        case AskObjects():
            return [ObjectMenuAnswer(items) for items in (None, (), ((1, -1),), ((1, 0), (2, 9)), ((-7, 3),))]
        case LookForBones():
            return [Bones(None), Bones(Blob.of(b"bones")), Bones(Blob(b"*"))]
