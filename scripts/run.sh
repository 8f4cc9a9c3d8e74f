#!/usr/bin/env bash
# Installs what is missing, builds, and opens the viewer; arguments go to `pyrocumulus view`.
# Without a display server it renders the gallery of presets into out/ instead.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup.sh
cargo build --release --locked

program="${CARGO_TARGET_DIR:-target}/release/pyrocumulus"
if [[ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" || "$(uname -s)" != Linux ]]; then
    exec "$program" view "$@"
fi

echo "There is no display server: rendering every preset into out/ instead."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
# Software drivers keep their files here and complain without it.
XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-$scratch}" "$program" gallery --out out/
