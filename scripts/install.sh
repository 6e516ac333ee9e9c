#!/usr/bin/env bash
# Make the virtual environment named by the first argument and install everything, pinned. Says nothing unless it fails.
set -euo pipefail

venv="$1"
python="${PYTHON:-python3}"

if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "rulelang needs Python 3.11 or newer; '$python' is not. Try: make PYTHON=/path/to/python3.11" >&2
    exit 1
fi

log="$(mktemp)"
trap 'rm -f "$log"' EXIT

install() {
    "$venv/bin/python" -m pip install --disable-pip-version-check --quiet --constraint constraints.txt "$@"
}

everything() {
    [ -x "$venv/bin/python" ] || "$python" -m venv "$venv" || return
    install hatchling editables || return
    install --no-build-isolation --editable '.[native,testing,dev]'
}

if ! everything >"$log" 2>&1; then
    cat "$log" >&2
    echo "rulelang could not be installed into $venv (see above)." >&2
    exit 1
fi
