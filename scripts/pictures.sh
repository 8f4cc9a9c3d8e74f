#!/usr/bin/env bash
# Renews the pictures in docs/: the cumulus of the README, and contact sheets of every preset (clouds under
# three suns, fires at three moments). Needs ImageMagick for putting them together.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command -v montage >/dev/null || {
    echo "pictures.sh needs ImageMagick: install the package imagemagick." >&2
    exit 1
}
cargo build --release --locked
program="${CARGO_TARGET_DIR:-target}/release/pyrocumulus"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

shot() {
    "$program" shot --preset "$1" --out "$scratch/$2.png" "${@:3}" >/dev/null
}

# 96 colours keep a picture small enough for a repository.
sheet() {
    local out="$1"
    shift
    montage -label '%t' "$@" -tile 3x -geometry +2+2 -background '#18191c' -fill '#b8b8b8' miff:- |
        convert miff:- -resize 640x -colors 96 -define png:compression-level=9 "png8:$out"
}

clouds=() fires=()
for file in assets/presets/cloud/*.ron; do
    name="$(basename "$file" .ron)"
    for sun in "-60 40" "90 12" "165 25"; do
        read -r azimuth elevation <<<"$sun"
        picture="$name, sun at $azimuth°, $elevation°"
        shot "$name" "$picture" --size 240x150 --set "sun.azimuth=$azimuth" --set "sun.elevation=$elevation"
        clouds+=("$scratch/$picture.png")
    done
done
for file in assets/presets/fire/*.ron; do
    name="$(basename "$file" .ron)"
    for time in 0.8 2.1 3.7; do
        picture="$name, $time s"
        shot "$name" "$picture" --size 240x150 --time "$time"
        fires+=("$scratch/$picture.png")
    done
done
sheet docs/clouds.png "${clouds[@]}"
sheet docs/fires.png "${fires[@]}"
shot fair-weather-cumulus hero --size 800x450 --frames-accumulated 32
convert "$scratch/hero.png" -define png:compression-level=9 docs/cumulus.png
ls -l docs/*.png
