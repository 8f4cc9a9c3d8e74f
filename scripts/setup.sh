#!/usr/bin/env bash
# Installs what Pyrocumulus needs beside Rust, and does nothing when it is all there.
#
#   scripts/setup.sh           to build and run
#   scripts/setup.sh --tests   also to run the tests
#
# On Debian and Ubuntu by apt, as root or through sudo; elsewhere it names what to install.
set -euo pipefail

with_tests=no
case "${1:-}" in
    "") ;;
    --tests) with_tests=yes ;;
    *) echo "usage: $0 [--tests]" >&2; exit 2 ;;
esac

missing=()

has_command() { command -v "$1" >/dev/null 2>&1; }

# Reading the linker's cache once is what makes a second run instant. ldconfig may lie outside a user's PATH.
libraries="$(PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null || true)"
has_library() { [[ "$libraries" == *"$1 "* ]]; }

need_command() { has_command "$1" || missing+=("$2"); }
need_library() { has_library "$1" || missing+=("$2"); }

# A graphics driver announces itself to the Vulkan loader by a manifest.
has_vulkan_driver() {
    [[ -n "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ]] && return 0
    local folder
    for folder in /usr/share /usr/local/share /etc "${XDG_DATA_HOME:-${HOME:-/root}/.local/share}"; do
        compgen -G "$folder/vulkan/icd.d/*.json" >/dev/null && return 0
    done
    return 1
}

if ! has_command cargo; then
    if [[ -f "${CARGO_HOME:-${HOME:-/root}/.cargo}/bin/cargo" ]]; then
        echo "cargo is installed but not on PATH: run '. \"${CARGO_HOME:-$HOME/.cargo}/env\"' first." >&2
    else
        echo "Rust is missing: install it from https://rustup.rs, then run this again." >&2
    fi
    exit 1
fi

# Rust links through the C compiler.
need_command cc gcc
[[ -e /usr/include/stdio.h ]] || ! has_command apt-get || missing+=(libc6-dev)

if [[ "$(uname -s)" == Linux ]]; then
    need_library libvulkan.so.1 libvulkan1
    has_vulkan_driver || missing+=(mesa-vulkan-drivers)
    # The window opens these at run time.
    need_library libX11.so.6 libx11-6
    need_library libX11-xcb.so.1 libx11-xcb1
    need_library libXcursor.so.1 libxcursor1
    need_library libXi.so.6 libxi6
    need_library libXrandr.so.2 libxrandr2
    need_library libXrender.so.1 libxrender1
    need_library libXext.so.6 libxext6
    need_library libxkbcommon.so.0 libxkbcommon0
    need_library libxkbcommon-x11.so.0 libxkbcommon-x11-0
    need_library libwayland-client.so.0 libwayland-client0
    if [[ $with_tests == yes ]]; then
        # The picture comparison of the tests is C++; the window test needs a display and hands.
        need_command c++ g++
        need_command Xvfb xvfb
        need_command xdotool xdotool
    fi
fi

if [[ ${#missing[@]} -eq 0 ]]; then
    exit 0
fi

if ! has_command apt-get; then
    echo "These are missing; their names in Debian: ${missing[*]}." >&2
    echo "Install what your system calls them, then run this again." >&2
    exit 1
fi

as_root=()
if [[ "$(id -u)" != 0 ]]; then
    if ! has_command sudo; then
        echo "Run this as root, for it has to be installed and there is no sudo: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi

echo "Installing: ${missing[*]}"
"${as_root[@]}" apt-get update -qq </dev/null
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" </dev/null
