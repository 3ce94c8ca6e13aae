#!/usr/bin/env bash
# Is a commit stronger than another one? An SPRT between two builds of this repository.
#
#     bash docs/examples/sprt_of_commits.sh OLD NEW [options of match]
#     bash docs/examples/sprt_of_commits.sh main HEAD --nodes 20000 --workers 2
#
# Each commit is built for this processor in a worktree and an environment of its own
# under $BUILDS (default: ~/.cache/gomoku-builds), once. The match goes on where an
# earlier call with the same commits and options stopped.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '4,5p' "$0" >&2; exit 2; }
builds=${BUILDS:-$HOME/.cache/gomoku-builds}
mkdir -p "$builds"

build_of() { # the program of a commit, built if it is not there yet
    local folder
    folder=$builds/$(git rev-parse --verify "$1^{commit}")
    if [ ! -e "$folder/.venv/bin/pbrain-gomoku-brain" ]; then
        git worktree prune
        git worktree add --detach --force "$folder" "$1" >&2
        python3 -m venv "$folder/.venv" >&2
        GOMOKU_MARCH=native "$folder/.venv/bin/pip" install -q "$folder" >&2
    fi
    echo "$folder/.venv/bin/pbrain-gomoku-brain"
}

old=$(build_of "$1")
new=$(build_of "$2")
shift 2
[ $# -gt 0 ] || set -- --nodes 20000
exec "${new%/pbrain-*}/gomoku-brain" match --engine "new=$new" --engine "old=$old" \
    --sprt 0,5 --out "$builds/$(basename "${new%/.venv*}" | cut -c1-9)-$(
        basename "${old%/.venv*}" | cut -c1-9
    ).jsonl" "$@"
