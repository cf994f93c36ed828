"""`nhlog archive`: finished games into a store of objects."""

import click

from terminal.options import FILE, json_option
from terminal.output import each_file, print_json, print_lines
from terminal.text.words import counted, size

__all__ = ["command"]


@click.command("archive")
@click.argument("sources", nargs=-1, required=True, type=FILE, metavar="FILE|DIR...")
@click.argument("address", metavar="ADDRESS")
@click.option("--remove-local", is_flag=True, help="Delete each file once its copy is read back and compared.")
@json_option
def command(sources: tuple[str, ...], address: str, remove_local: bool, as_json: bool) -> int:
    """Store finished games and recordings, compressed, in an archive on S3 or elsewhere.

    In a DIR, what is not finished and what the archive already has is left out, and told. `nhlog ls ADDRESS` lists the
    archive, ADDRESS/FILE works wherever a verb reads a file, and `nhlog restore` writes the exact file again. S3 needs
    `pip install 'nhlog[archive]'`, a folder `nhlog[remote]`; set S3's keys as for other programs: AWS_ACCESS_KEY_ID,
    AWS_ENDPOINT_URL...

    \b
    nhlog archive /var/games/nethack4/finished s3://museum/2026
    nhlog archive old.nhgame file:///mnt/museum --remove-local
    """
    from nhlog.archive.catalogue import CATALOGUE, write_catalogue
    from nhlog.archive.writing import Archived, archive_each
    from nhlog.errors import Usage
    from nhlog.formats import operation
    from nhlog.remote.store import Store
    from nhlog.replay import Status
    from terminal.input import recordings_in

    if "://" not in address:
        raise Usage("not an address of an archive", found=address, expected="s3://BUCKET/FOLDER or file:///FOLDER")
    store = Store(address)
    if not store.names(CATALOGUE) and store.bucket:  # so that one that cannot be reached is told once
        store.check()
    inside = recordings_in(sources, "listing")
    files = sources if inside is None else inside
    done = there = 0
    left: dict[str, Status] = {}  # why what is not finished is left out

    def is_finished(file: str) -> bool:
        if inside is None:
            return True
        left[file] = operation(file, "listing")(file).status
        return left[file] is Status.FINISHED

    outcomes = archive_each(files, store, remove=remove_local, wanted=is_finished)

    def tell(file: str) -> int:
        nonlocal done, there
        record = next(outcomes)
        if record is None:
            print_lines(f"{file}: left out: {left[file]}", err=True)
            return 0
        if inside is not None and isinstance(record, Archived):
            there += 1
            return 0
        if isinstance(record, Exception):
            raise record
        done += 1
        if as_json:
            print_json(record)
        else:
            removed = "; removed here" if record["removed"] else ""
            told = f"{size(record['size'])} in {counted(record['frames'], 'frame')}, {size(record['packed'])} packed"
            talk = "; what was said beside it was added" if record["talk"] else ""
            print_lines(f"{file}: {told}{removed}{talk}")
        return 0

    worst = each_file(files, tell)
    write_catalogue(store)
    if there:
        print_lines(f"{there} of them {'is' if there == 1 else 'are'} in the archive already", err=True)
    if not done and not worst:
        print_lines("nothing to archive", err=True)
    return worst
