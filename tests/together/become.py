"""Become another user, and run Python as they would: ``become.py USER CHECKOUT PACKAGES ARGUMENT...``, of root alone.

The interpreter, its packages and ours may lie where that user may not look, as in root's home.  So they are opened
first and passed on: the way through an open folder asks nobody for permission.
"""

import os
import pwd
import sys


def passed_on(folder: str) -> str:
    """The folder's name for whoever gets its descriptor."""
    descriptor = os.open(folder, os.O_PATH | os.O_DIRECTORY)
    os.set_inheritable(descriptor, True)
    return f"/proc/self/fd/{descriptor}"


def main(user: str, checkout: str, packages: str, *arguments: str) -> None:
    account = pwd.getpwnam(user)
    home = passed_on(sys.base_prefix)
    python = os.path.join(home, os.path.relpath(os.path.realpath(sys.executable), sys.base_prefix))
    paths = {"PYTHONHOME": home, "PYTHONPATH": f"{passed_on(checkout)}:{passed_on(packages)}"}
    if os.isatty(0):
        os.fchown(0, account.pw_uid, -1)  # as at a login
    os.initgroups(user, account.pw_gid)
    os.setresgid(account.pw_gid, account.pw_gid, account.pw_gid)
    os.setresuid(account.pw_uid, account.pw_uid, account.pw_uid)
    os.umask(0o022)
    os.chdir(os.environ["HOME"])
    os.execve(python, [python, *arguments], {**os.environ, **paths})


if __name__ == "__main__":
    main(*sys.argv[1:])
