#!/usr/bin/env bash
# A teacher and its labels in one sitting on a lent accelerator (docs/WEIGHTS.md).
#
# Here:  bash .ci/lent_teacher.sh pack FOLDER PACKED.. [--test PACKED..]
#        packs folders of lab.train.pack into FOLDER, which git must ignore.
# There: bash .ci/lent_teacher.sh run FOLDER SECONDS [options of the teacher]
#        trains, judges and labels the folders evaluated*; the results go to $OUT.
#
# It needs Python of the same version there with numpy and torch, and the compiled
# modules: name gomoku_brain/cpu*.so and the folders of the others in carry. Copy the
# folder $OUT/run into FOLDER to continue a run that was too long for a sitting.
set -euo pipefail
shopt -s nullglob
limit=$((62 * 1024 * 1024)) # bytes that travel, the checkout included

case $1 in
pack)
    folder=$2 kind=data
    shift 2
    stage=$(mktemp -d)
    trap 'rm -rf "$stage"' EXIT
    mkdir -p "$folder" "$stage/data" "$stage/test"
    for packed in "$@"; do
        if [ "$packed" = --test ]; then
            kind=test
        else
            ln -s "$(realpath "$packed")" "$stage/$kind/"
        fi
    done
    tar -chC "$stage" data test | xz -T2 -6 >"$folder/packed.tar.xz"
    travels=$(($(du -sbc "$folder" | tail -n 1 | cut -f 1) +
        $(git ls-files -z | xargs -0 du -bc | tail -n 1 | cut -f 1)))
    echo "$((travels / 1024 / 1024)) MiB travel"
    [ "$travels" -le "$limit" ] || { echo "too much: $limit bytes may travel"; exit 1; }
    ;;
run)
    folder=$2 end=$((SECONDS + $3))
    shift 3
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    tar -xJf "$folder/packed.tar.xz" -C "$work"
    if [ -d "$folder/run" ]; then cp -r "$folder/run" "$OUT/run"; fi
    export PYTHONPATH=$PWD PYTHONUNBUFFERED=1
    tests=("$work"/test/*)
    timeout "$((end - SECONDS))" python3 -m gomoku_brain.lab.train.teacher "$OUT/run" \
        "$work"/data/* ${tests:+--test "${tests[@]}"} --checkpoint 60 "$@"
    for packed in "$work"/data/evaluated*; do
        timeout "$((end - SECONDS))" python3 -m gomoku_brain.lab.train.teacher_labels \
            "$OUT/$(basename "$packed")" "$packed" "$OUT/run/teacher.pt" --symmetries 8
    done
    ;;
*)
    echo "pack or run, not $1" >&2
    exit 2
    ;;
esac
