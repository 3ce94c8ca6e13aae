"""Make ``pbrain-gomoku-brain`` as a folder that needs no Python, and pack it.

``python .ci/release/build_folder.py --out OUT``, with the modules built in place
and PyInstaller at hand. Leaves ``OUT/pbrain-gomoku-brain/`` and the archive beside it:
on Windows a .zip with the program at its top, and another one for Gomocup, which takes
8 MB: without the books of proofs, for no game there begins on an empty board; elsewhere
a .tar.gz, which keeps the permission to run, with the folder at its top. Prints the
sizes. A folder with a library that the brain does not need, or without the modules of a
variant (gomoku_brain/variants.py), is an error.
"""

import argparse
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAME = "pbrain-gomoku-brain"
GOMOCUP_BYTES = 8_000_000  # compressed, unless the organisers allow more
PROOFS = "proof-*.bin"
UNWANTED = re.compile(r"numpy|ssl|crypto|sqlite|tcl|tk8|ffi|lzma|bz2")
SYSTEMS = {"win32": "windows", "darwin": "macos"}
MACHINES = {"amd64": "x86-64", "x86_64": "x86-64", "aarch64": "arm64"}


def build(out: Path) -> Path:
    """Run PyInstaller; the folder."""
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level=WARN"]
    command += [f"--distpath={out}", f"--workpath={out / 'work'}"]
    subprocess.run(
        [*command, str(ROOT / ".ci" / "release" / f"{NAME}.spec")], check=True
    )
    folder = out / NAME
    shutil.copy(ROOT / "LICENSE", folder / "LICENSE.txt")
    shutil.copy(ROOT / "docs" / "install.md", folder / "README.txt")
    return folder


def missing_variants(folder: Path, machine: str) -> list[str]:
    """The modules that only the baseline has, though the machine has variants."""
    if machine != "x86-64":
        return []
    package = folder / "_internal" / "gomoku_brain"
    compiled = {
        path.relative_to(package)
        for path in package.rglob("*")
        if path.suffix in (".so", ".pyd") and path.parent != package
    }
    return [
        f"avx2/{path.as_posix()}"
        for path in sorted(compiled)
        if path.parts[0] != "avx2" and Path("avx2", path) not in compiled
    ]


def pack(folder: Path, archive: Path, without: str = "") -> Path:
    """Pack the files in the order of their names, but for those called ``without``."""
    files = sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and not (without and path.match(without))
    )
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:
            for path in files:
                z.write(path, path.relative_to(folder))
        return archive
    with tarfile.open(archive, "w:gz", compresslevel=9) as tar:
        for path in files:
            tar.add(path, path.relative_to(folder.parent))
    return archive


def main() -> int:
    """Build, check, pack and tell the sizes; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    out = parser.parse_args().out.resolve()
    folder = build(out)
    files = [path for path in folder.rglob("*") if path.is_file()]
    unwanted = [str(path) for path in files if UNWANTED.search(path.name)]
    if unwanted:
        print("not needed by the brain:", *unwanted, sep="\n  ", file=sys.stderr)
        return 1
    system = SYSTEMS.get(sys.platform, "linux")
    machine = platform.machine().lower()
    machine = MACHINES.get(machine, machine)
    if missing := missing_variants(folder, machine):
        print("not in the folder:", *missing, sep="\n  ", file=sys.stderr)
        return 1
    source = (ROOT / "gomoku_brain" / "version.py").read_text(encoding="utf-8")
    version = source.partition('__version__ = "')[2].partition('"')[0]
    name = f"{NAME}-{version}-{system}-{machine}"
    size = sum(path.stat().st_size for path in files)
    print(f"{folder}: {len(files)} files, {size / 1e6:.1f} MB")
    if system != "windows":
        tell(pack(folder, out / f"{name}.tar.gz"))
        return 0
    if not any(path.match(PROOFS) for path in files):
        print("no books of proofs in the folder", file=sys.stderr)
        return 1
    tell(pack(folder, out / f"{name}.zip"))
    packed = tell(pack(folder, out / f"{name}-gomocup.zip", without=PROOFS))
    if packed > GOMOCUP_BYTES:
        print("over the 8 MB that Gomocup takes", file=sys.stderr)
        return 1
    return 0


def tell(archive: Path) -> int:
    """Print the size of an archive; its bytes."""
    packed = archive.stat().st_size
    print(f"{archive}: {packed / 1e6:.2f} MB")
    return packed


if __name__ == "__main__":
    raise SystemExit(main())
