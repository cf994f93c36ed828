"""The `nhlog` command: its verbs, and the one place where an exception becomes a message and an exit code.

A verb's module is imported only when that verb is called, so help and completion cost nothing more.
"""

import atexit
import gc
import importlib
import io
import os
import sys
from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Final, cast

import click

from nhlog.errors import NhlogError, Unsupported
from terminal import COMPLETE

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["VERBS", "cli", "main"]

VERBS: Final = {
    "play": "Play a game.",
    "lobby": "Choose a game to play, watch or replay.",
    "watch": "Watch a game or recording while it is written.",
    "serve": "Show games and recordings in browsers.",
    "webplay": "Let the players of a server play in browsers.",
    "relay": "Send games to a NATS server while they are played.",
    "mirror": "Write a relayed game into a file.",
    "replay": "Replay a recording in the terminal.",
    "ls": "List games and recordings in folders.",
    "info": "Describe a recording.",
    "show": "Print the screen at a position.",
    "state": "Print the state at a position, also as data.",
    "events": "List what happened.",
    "talk": "List what those who watch a game said.",
    "stats": "Count what players did.",
    "plot": "Plot a recording: hit points over turns, where players were.",
    "scores": "List the best finished games.",
    "tournament": "Print who leads in a tournament.",
    "bones": "List bones that nobody has found yet.",
    "search": "Search commands, typed text, and screens.",
    "dump": "Print all records of a recording.",
    "record": "Record a terminal program, JSON lines, or a running game.",
    "compact": "Make a Hollow Cube recording as small as possible.",
    "meta": "Print or change metadata.",
    "convert": "Convert a recording to another format, or copy a part of it.",
    "verify": "Check a recording for damage.",
    "recover": "Repair a recording after a crash.",
    "rewind": "Take a game or recording back to an earlier position.",
    "cuts": "List what rewind and recover cut off; put it back, or delete it.",
    "players": "List, add, ban and remove the players of a server.",
    "accounts": "Let strangers register, and players log in by passwords.",
    "migrate": "Take over the players of dgamelaunch.",
    "broadcast": "Tell something to all players of a server.",
    "maintenance": "Let no games begin on a server, and end those that run.",
    "who": "List who is on a server, and what they play.",
    "archive": "Store finished games in an archive on S3 or elsewhere.",
    "restore": "Write an archived game to a file again.",
    "tidy": "Compress old recordings of programs, delete older ones.",
    "watchers": "List who plays, watches or records a file.",
    "diff": "Compare two recordings, or make a diff of two saves.",
    "patch": "Apply a diff to a save.",
    "doctor": "Check what works on this machine.",
    "samples": "Copy the sample recordings into a folder.",
    "completion": "Print or install shell completion.",
}
"""What `nhlog --help` says of each verb; its command is in the module of this name in `terminal.commands`."""

BROKEN_PIPE: Final = 141  # what a shell reports of a program that SIGPIPE ended
INTERRUPTED: Final = 130  # likewise for SIGINT
_NEAR: Final = 0.75  # of two names that are likely to be the same one

EPILOG: Final = """\b
Exit codes:
  0    ok
  1    failure
  2    wrong usage
  3    input damaged; the readable part was used
  4    unsupported format
  5    could not get a lock
  6    the log was recovered or rewound in the meantime
  7    a remote machine cannot be reached
  130  interrupted

A file named - is standard input or output. `nhlog help VERB` has examples.
"""


class _Verbs(click.Group):
    """The verbs of the table, and those of other packages, each imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*VERBS, *_others()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if not _is_verb(cmd_name):
            return None
        command = copy(_command(cmd_name))
        command.params = [*command.params, *_journal_options()]
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not _is_verb(args[0]) and not ctx.resilient_parsing:
            ctx.fail(_meant(args[0]))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))
        if others := [(verb, _does(verb)) for verb in _others()]:
            with formatter.section("Verbs of other packages"):
                formatter.write_dl(others)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        from click.shell_completion import CompletionItem

        known = {**VERBS, **{verb: _does(verb) for verb in _others() if verb.startswith(incomplete)}}
        verbs = [CompletionItem(verb, help=text) for verb, text in known.items() if verb.startswith(incomplete)]
        return verbs + click.Command.shell_complete(self, ctx, incomplete)


def _is_verb(word: str) -> bool:
    """Whether there is such a verb; other packages are only asked where it is none of ours."""
    return word in VERBS or word in _others()


def _others() -> list[str]:
    """The verbs of other packages; one of ours is never another's."""
    from nhlog import plugins

    return sorted(plugins.plugins(plugins.VERBS).keys() - VERBS.keys())


def _command(verb: str) -> click.Command:
    """The command of a verb.

    Raises :class:`~nhlog.errors.Unsupported` if it was taken away with the guest to whom it belongs, and
    :class:`~nhlog.plugins.PluginFailed` if another package does not give it.
    """
    if verb in VERBS:
        module = f"terminal.commands.{verb}"
        try:
            return cast(click.Command, importlib.import_module(module).command)
        except ModuleNotFoundError as error:
            if error.name != module:
                raise
            raise Unsupported(f"`nhlog {verb}` is not installed") from None
    from nhlog import plugins

    command = plugins.load(plugins.VERBS, verb)
    if not isinstance(command, click.Command):
        raise plugins.PluginFailed(
            f"the verb {verb} is of no use", expected="a click.Command", found=type(command).__name__
        )
    return command


def _does(verb: str) -> str:
    """What another package's verb does, or why it cannot be used."""
    try:
        return _command(verb).get_short_help_str(100)
    except NhlogError as error:
        return error.what


def _meant(word: str) -> str:
    """The message for a word that is no verb: which one it may have been meant to be."""
    from difflib import get_close_matches

    none = f"There is no verb {word!r}."
    if os.path.exists(word):
        return f"{none} Did you mean nhlog {'ls' if os.path.isdir(word) else 'replay'} {word}?"
    if "/" in word or "." in word:
        return f"There is neither a file nor a verb {word!r}."
    if near := get_close_matches(word.lower(), [*VERBS, *_others()], cutoff=0.6):
        return f"{none} Did you mean {' or '.join(near)}?"
    return f"{none} `nhlog --help` lists the verbs."


def _near(error: click.NoSuchOption) -> click.NoSuchOption:
    """The same with the options alone that somebody may have meant: nearly the same, not some letters of it."""
    from difflib import SequenceMatcher

    given = error.option_name
    near = [name for name in error.possibilities or () if SequenceMatcher(None, name, given).ratio() >= _NEAR]
    return click.NoSuchOption(given, possibilities=near, ctx=error.ctx)


def _keep_journal(context: click.Context, option: click.Parameter, value: str | int | None) -> None:
    """Begin the journal where it is asked for, before the verb or behind it; its file is read before its level."""
    if not value or context.resilient_parsing:
        return
    context.meta[f"nhlog.{option.name}"] = value
    from terminal.journal import begin

    begin(context, context.meta.get("nhlog.log_file"), context.meta.get("nhlog.verbose", 0))


def _journal_options() -> tuple[click.Option, click.Option]:
    """The options of all verbs."""
    told = "Log actions and errors to standard error; twice, or with --log-file, also each file that is opened."
    file = click.Path(dir_okay=False)
    return (
        click.Option(
            ["--log-file"],
            type=file,
            metavar="FILE",
            is_eager=True,
            expose_value=False,
            callback=_keep_journal,
            help="Append a log of actions and errors to FILE.",
        ),
        click.Option(["-v", "--verbose"], count=True, expose_value=False, callback=_keep_journal, help=told),
    )


def _tell_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print it, and whether the kernels run as C or as Python: where something is slow, that is the first question."""
    if wanted and not context.resilient_parsing:
        from nhlog import __version__
        from nhlog.kernels import COMPILED

        click.echo(f"nhlog {__version__} (kernels: {'compiled' if COMPILED else 'plain Python'})")
        context.exit()


@click.group(
    cls=_Verbs,
    epilog=EPILOG,
    subcommand_metavar="VERB [ARGUMENTS]...",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option("--no-pager", is_flag=True, help="Do not use a pager.")
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_tell_version, help="Print the version."
)
@click.pass_context
def cli(context: click.Context, no_pager: bool) -> None:
    """Play, watch, replay and repair recorded games: NetHack 4.3 logs and others.

    Without VERB, in a terminal, it opens the lobby: a list of games to play, to watch or to replay.
    """
    if no_pager:
        from terminal.options import NO_PAGER

        context.meta[NO_PAGER] = True


cli.params += _journal_options()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `nhlog` with these arguments, the process's own by default, and return its exit code."""
    atexit.register(gc.freeze)  # nothing is looked through for garbage once more when the process ends
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name that the terminal cannot show ends nothing
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        code = _run(given)
        _flush()
    except click.ClickException as error:
        _show(_near(error) if isinstance(error, click.NoSuchOption) else error)
        return error.exit_code
    except click.Abort as abort:
        return INTERRUPTED if isinstance(abort.__context__, KeyboardInterrupt) else _fail("nothing done")
    except NhlogError as error:
        return _fail(*map(str, error.every), code=error.exit_code)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return BROKEN_PIPE
    except OSError as error:
        from nhlog.files import reason

        return _fail(reason(error) if error.filename is None else f"{os.fsdecode(error.filename)}: {reason(error)}")
    except Exception as error:
        from nhlog.guard import DEBUG  # help need not know it

        if os.environ.get(DEBUG):
            raise
        return _fail(f"{type(error).__name__}: {error}: this is a bug; {_reported(error, given)}")
    return code


def _run(arguments: list[str]) -> int:
    """The exit code of the verb that the arguments name, or of what the shell asks of us for completion."""
    if instruction := os.environ.get(COMPLETE):
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, "nhlog", COMPLETE, instruction)
    if not arguments and sys.stdin.isatty() and sys.stdout.isatty():
        arguments = ["lobby"]
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:2], "--help"]
    try:
        with cli.make_context("nhlog", arguments) as context:
            return _invoke(context)
    except click.exceptions.Exit as request:
        return request.exit_code


def _invoke(context: click.Context) -> int:
    """Run the verb; what takes long says on standard error how far it is."""
    from nhlog.progress import listening
    from terminal.output import Progress

    progress, told = Progress(), ""
    try:
        with listening(progress):
            code = cli.invoke(context) or 0
    except click.exceptions.Exit:
        raise
    except Exception as error:
        from terminal.journal import tell_error

        tell_error(error)
        told = str(error)
        raise
    finally:
        progress.clear()
        lost = _tell_losses(told)
    return code or lost


def _tell_losses(told: str) -> int:
    """Print what could not be read of files whose rest was used, unless it was printed; return the exit code for it."""
    if "nhlog.files.losses" not in sys.modules:
        return 0  # nothing that was read can have any
    from nhlog.files import losses
    from terminal.output import print_error

    lost = losses.take().values()
    for loss in lost:
        if loss.message != told:
            print_error(loss.message)
    return max((loss.exit_code for loss in lost), default=0)


def _reported(error: Exception, arguments: list[str]) -> str:
    """Where one reads more of a bug: in its report, if that can be written."""
    from nhlog.guard import DEBUG

    try:
        from terminal.crash import write_report

        return f"send its report, {write_report(error, arguments)}, to those who make nhlog"
    except Exception:  # whatever is broken, the bug itself is printed
        return f"{DEBUG}=1 shows where"


def _flush() -> None:
    """A reader that is gone and a disk that is full show here, not at exit."""
    try:
        print(end="", flush=True)
    except OSError as error:
        error.filename = "standard output"
        raise


def _show(error: click.ClickException) -> None:
    """click's own message, in which arguments stand as they were given."""
    from terminal.output import print_lines

    told = io.StringIO()
    error.show(told)
    print_lines(*told.getvalue().rstrip("\n").replace("\t", "    ").split("\n"), err=True)


def _fail(*messages: str, code: int = 1) -> int:
    from terminal.output import print_error

    for message in messages:
        print_error(message)
    try:
        print(end="", flush=True)
    except OSError:
        _discard_output()
    return code


def _discard_output() -> None:
    """Let the interpreter's last flush, of what nobody reads or nothing can hold, succeed."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
