#!/usr/bin/env bash
# Two small games: one played to its end move by move, one played a thousand times.
set -euo pipefail

show() {
    echo "\$ $*"
    "$@"
    echo
}

show rulelang play tic-tac-toe --seats random,random --seed 7
show rulelang sim leduc-poker --games 1000 --seats random,random --seed 7
