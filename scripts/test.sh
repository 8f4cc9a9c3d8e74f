#!/usr/bin/env bash
# Everything a reviewer checks: format, lints, documentation, tests. Fails if anything fails, after
# having run all of it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup.sh --tests

scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
if [[ -z "${XDG_RUNTIME_DIR:-}" ]]; then
    # Software drivers and windows keep their sockets here.
    export XDG_RUNTIME_DIR="$scratch/runtime"
    mkdir -m 700 "$XDG_RUNTIME_DIR"
fi

failed=()
log="$scratch/log"
step() {
    local name="$1"
    shift
    echo "== $name: $*"
    "$@" </dev/null 2>&1 | tee "$log" || failed+=("$name")
}

step format cargo fmt --check
# One profile for everything: a debug build would compile Bevy a second time.
step lints cargo clippy --release --locked --all-targets -- -D warnings
RUSTDOCFLAGS="-D warnings" step documentation cargo doc --release --locked --no-deps --lib
# Runs the examples in the documentation, too.
step tests cargo test --release --locked --no-fail-fast

awk '/^test result:/ { passed += $4; broken += $6; ignored += $8 }
     END { printf "== tests: %d passed, %d failed, %d ignored\n", passed, broken, ignored }' "$log"

if [[ ${#failed[@]} -gt 0 ]]; then
    echo "FAILED: ${failed[*]}" >&2
    exit 1
fi
echo "All checks passed."
