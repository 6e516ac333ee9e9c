#!/usr/bin/env bash
# A small game and a whole game of 13 Animals played to the end, and a game played a thousand times.
set -euo pipefail

show() {
    echo "\$ $*"
    "$@"
    echo
}

show rulelang play tic-tac-toe --seats random,random --seed 7
show rulelang play 13-animals --seats advised,advised,advised --seed 7
show rulelang sim leduc-poker --games 1000 --seats random,random --seed 7
