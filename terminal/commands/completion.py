"""`nhlog completion`: the script that lets a shell complete verbs, options and files."""

from pathlib import Path
from typing import Final

import click

from terminal import COMPLETE

__all__ = ["command"]

SHELLS: Final = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
@click.option("--install", is_flag=True, help="Write it where the shell looks for it, in your own folders.")
@click.pass_context
def command(context: click.Context, shell: str, install: bool) -> int:
    """Print the script that completes nhlog's verbs and options in a shell, or install it.

    \b
    bash: ~/.local/share/bash-completion/completions/nhlog, which the package bash-completion reads
    zsh:  ~/.local/share/zsh/site-functions/_nhlog, which has to be in fpath
    fish: ~/.config/fish/completions/nhlog.fish

    \b
    nhlog completion bash --install
    eval "$(nhlog completion bash)"
    nhlog completion fish | source
    """
    from terminal.output import print_lines, print_text

    script = _script(context.find_root(), shell)
    if not install:
        print_text(script)
        return 0
    path = _place(shell)
    _install(path, script)
    print_lines(f"{path}: new shells complete nhlog")
    if shell == "bash":
        print_lines("bash finds it with the package bash-completion: apt install bash-completion")
    if shell == "zsh":
        print_lines(f"zsh finds it with this line in ~/.zshrc, before compinit: fpath=({path.parent} $fpath)")
    return 0


def _script(root: click.Context, shell: str) -> str:
    """What click has for this shell, which need not be there."""
    from click.shell_completion import ShellComplete, get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None, f"click completes in {shell}"
    return ShellComplete.source(kind(root.command, {}, "nhlog", COMPLETE))


def _place(shell: str) -> Path:
    """Where a shell looks for what a user has installed."""
    from nhlog.config import own_folder

    data = own_folder().parent
    if shell == "bash":
        return data / "bash-completion" / "completions" / "nhlog"
    if shell == "zsh":
        return data / "zsh" / "site-functions" / "_nhlog"
    from nhlog.config import config_path

    return config_path().parents[1] / "fish" / "completions" / "nhlog.fish"


def _install(path: Path, script: str) -> None:
    import os

    from nhlog.files import atomic, refusals

    with refusals(os.fspath(path)):
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic.replace(os.path.realpath(path), [script.encode()])
