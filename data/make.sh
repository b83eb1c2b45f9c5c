#!/bin/sh
# Makes the samples of this folder anew. Usage: data/make.sh PIPELINE
set -eu
pipeline=$1
here=$(dirname "$0")

"$pipeline" generate 2000 --seed 1 -o "$here/sample.csv.gz" --overwrite
{
    echo "# six puzzles each of the levels easy, medium, hard, unfair and extreme"
    for level in easy medium hard unfair extreme; do
        "$pipeline" generate 6 --seed 2 --level "$level" -o - --format lines
    done
} > "$here/levels.txt"
