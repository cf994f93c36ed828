# Sourced by the scripts beside it, with $root set: `setup` installs the project into a virtual environment, whose
# Python is $python. What was installed is remembered, so it is quick until pyproject.toml, the kernels, the Python, the
# C compiler or the place of the project changes.

python=$root/.venv/bin/python

say() {
    printf 'nhlog: %s\n' "$*" >&2
}

# The first Python there is that is new enough; PYTHON names another one.
find_python() {
    for candidate in ${PYTHON:+"$PYTHON"} python3 python3.13 python3.12 python3.11; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    say 'needs Python 3.11 or later (Debian: apt install python3 python3-venv python3-pip)'
    return 1
}

# What an installation depends on: the same text means the same installation.
describe() {
    "$python" --version 2>&1 || true
    printf '%s\n' "$root"
    command -v cc || true
    cat "$root/pyproject.toml" "$root/setup.py" "$root/nhlog/emulator/declared.py" "$root"/nhlog/kernels/*.py
}

# What `nhlog[EXTRAS]` needs. It is found by a path, not by a finder, which would look at each import (and start-up).
add() {
    NHLOG_KERNELS='' UV_COMPILE_BYTECODE=1 \
        "$root/scripts/pip" install --config-settings editable_mode=compat --editable "$root${1:+[$1]}"
}

# Makes the virtual environment, if there is none.
make_environment() {
    if ! "$python" -m pip --version >/dev/null 2>&1; then
        base=$(find_python)
        say "making a virtual environment in .venv, with $("$base" --version)"
        "$base" -m venv --clear "$root/.venv"
    fi
}

# setup         installs what the program needs
# setup dev     and what its developers need
setup() {
    extra=${1:-}
    stamp=$root/.venv/installed${extra:+-$extra}
    if [ -f "$stamp" ] && [ "$(describe)" = "$(cat "$stamp")" ]; then
        return
    fi
    make_environment
    say 'installing into .venv; the first time this takes a minute'
    add "terminal${extra:+,$extra}" || {
        say 'no terminal emulator for this machine: recorded terminals cannot be shown, all else can'
        add "$extra"
    }
    describe | tee "$stamp" >"$root/.venv/installed"
    if "$python" -c 'import sys; from nhlog.kernels import COMPILED; sys.exit(not COMPILED)'; then
        say 'installed, its kernels compiled'
    else
        say 'installed; its kernels run as plain Python, some work is slower (to compile them: apt install gcc python3-dev)'
    fi
}
