"""Make ``pbrain-gomoku-brain`` as a folder that needs no Python, and pack it.

``python .ci/release/build_folder.py --out OUT``, with the modules built in place
and PyInstaller at hand. Leaves ``OUT/pbrain-gomoku-brain/`` and the archive beside it:
on Windows a .zip, elsewhere a .tar.gz, which keeps the permission to run, both with the
folder at the top. Windows has another .zip for Gomocup, which takes 8 MB: with the
program at its top, and without the books of proofs, for no game there begins on an
empty board. Prints the sizes. A folder with a library that the brain does not need,
with other data than the brain's, or without the modules of a variant
(gomoku_brain/variants.py) is an error; so is an archive for Gomocup of 8 MB or more.
"""

import argparse
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from string import Template

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "gomoku_brain"
NAME = "pbrain-gomoku-brain"
# Copies of the program, each for a level (gomoku_brain/protocol/start_settings.py).
# Gomocup's judge picks a program by its name and must find one alone.
LEVELS = ("easy", "medium", "hard")
LEVEL_NAME = "pbrain-gomoku-{}"
SETTINGS = f"{NAME}.ini"
GOMOCUP_BYTES = 8_000_000  # compressed, unless the organisers allow more
GZIP = {"mode": "w:gz", "compresslevel": 9}
PROOFS = "proof-*.bin"
NOT_FOR_GOMOCUP = (PROOFS, SETTINGS, *(f"{LEVEL_NAME.format(n)}*" for n in LEVELS))
# The files of gomoku_brain/data that the program of the folder reads. All others, those
# of the board, of reports and of the study commands, stay out.
BRAIN_DATA = (
    "bench.txt",
    "speed.txt",
    "hand.txt",
    "weights-*.bin",
    "openings_*.txt",  # for swap2
    PROOFS,
)
# Folders with the modules for a further instruction set (gomoku_brain/variants.py).
VARIANTS = ["avx2"]
IMPORT = re.compile(r"^\s*(?:from|import)\s+([\w.]+)(?=\s+import\b|\s*$)", re.MULTILINE)
UNWANTED = re.compile(r"numpy|ssl|crypto|sqlite|tcl|tk8|ffi|lzma|bz2")
SYSTEMS = {"win32": "windows", "darwin": "macos"}
MACHINES = {"amd64": "x86-64", "x86_64": "x86-64", "aarch64": "arm64"}
# What README.txt has about the programs for levels and the settings file.
LEVELS_TEXT = """\
The programs pbrain-gomoku-easy{0}, -medium and -hard play at these levels.
"""
SETTINGS_TEXT = """\
The file pbrain-gomoku-brain.ini is for all programs in this folder: remove the # before
a line. A level or threads in a name override it.
"""
# What may keep the program from its first start, for README.txt.
BLOCKED = {
    "win32": """
* Windows or a virus scanner holds it back: the archive came from the internet and has
  no signature. Right-click the archive, Properties, Unblock, then unpack it again.
""",
    "darwin": """
* macOS holds it back, for Apple has not signed it. In a terminal, beside this folder:
      xattr -dr com.apple.quarantine pbrain-gomoku-brain
""",
    "linux": """
* "Permission denied": the archive was unpacked by a program that drops permissions.
      chmod +x pbrain-gomoku-brain
* "GLIBC_2.28 not found": this Linux is older than 2018. Install the sources instead.
""",
}


def run_pyinstaller(name: str, out: Path) -> Path:
    """Build the folder of a spec; the folder."""
    spec = ROOT / ".ci" / "release" / f"{name}.spec"
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level=WARN"]
    with tempfile.TemporaryDirectory() as work:
        command += [f"--distpath={out}", f"--workpath={work}", str(spec)]
        subprocess.run(command, check=True)
    return out / name


def imports_of_compiled(folders: Iterable[str], unused: Iterable[str]) -> Iterator[str]:
    """What the Cython modules import, which PyInstaller cannot see in them."""
    for folder in folders:
        for source in (PACKAGE / folder).glob("*.pyx"):
            found = IMPORT.findall(source.read_text(encoding="utf-8"))
            yield from (name for name in found if name not in unused)


def modules_of_variants(folders: Iterable[str]) -> Iterator[tuple[str, str]]:
    """(file, its folder in the program) of each module."""
    folders = list(folders)
    for variant in VARIANTS:
        for folder in folders:
            for path in (PACKAGE / variant / folder).glob(f"*{EXTENSION_SUFFIXES[0]}"):
                yield str(path), path.parent.relative_to(ROOT).as_posix()


def build(out: Path) -> Path:
    """Run PyInstaller and add the texts; the folder."""
    folder = run_pyinstaller(NAME, out)
    shutil.copy(ROOT / "LICENSE", folder / "LICENSE.txt")
    write_text(folder / "README.txt", readme(version(), sys.platform))
    return folder


def write_text(path: Path, text: str) -> None:
    """Write a text with the line ends of the system, which Windows' editors need."""
    newline = "\r\n" if sys.platform == "win32" else "\n"
    path.write_text(text, encoding="ascii", newline=newline)


def add_levels(folder: Path) -> None:
    """Add the settings file, and the program once more for each of some levels."""
    settings = ROOT / ".ci" / "release" / SETTINGS
    write_text(folder / SETTINGS, settings.read_text(encoding="ascii"))
    suffix = ".exe" if sys.platform == "win32" else ""
    for level in LEVELS:
        program = folder / (LEVEL_NAME.format(level) + suffix)
        program.unlink(missing_ok=True)
        if suffix:
            shutil.copy(folder / (NAME + suffix), program)
        else:  # the archive packs it once
            program.hardlink_to(folder / NAME)


def version() -> str:
    """The version of the package, from its source."""
    source = (PACKAGE / "version.py").read_text(encoding="utf-8")
    return source.partition('__version__ = "')[2].partition('"')[0]


def readme(version: str, system: str, *, gomocup: bool = False) -> str:
    """README.txt of the folder, with the names that a system has for its files.

    The archive for Gomocup has no programs for levels and no settings file.
    """
    template = ROOT / ".ci" / "release" / "folder_readme.txt"
    windows = system == "win32"
    return Template(template.read_text(encoding="ascii")).substitute(
        version=version,
        program=f"{NAME}.exe" if windows else NAME,
        run=f"{NAME}.exe" if windows else f"./{NAME}",
        suffix=".exe" if windows else "",
        levels="" if gomocup else LEVELS_TEXT.format(".exe" if windows else ""),
        settings="" if gomocup else SETTINGS_TEXT,
        blocked=BLOCKED.get(system, BLOCKED["linux"]).strip(),
    )


def brain_data(names: Iterable[str]) -> list[str]:
    """Those of the files of the data folder that the brain needs, in order."""
    return sorted(
        name
        for name in names
        if any(fnmatchcase(name, pattern) for pattern in BRAIN_DATA)
    )


def check_data(names: Iterable[str]) -> list[str]:
    """A line for each file that a folder's data has too much and each kind it lacks."""
    names = set(names)
    lines = [f"too much: {name}" for name in sorted(names - set(brain_data(names)))]
    return lines + [
        f"missing: {pattern}"
        for pattern in BRAIN_DATA
        if not any(fnmatchcase(name, pattern) for name in names)
    ]


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


def pack(
    folder: Path, archive: Path, without: Iterable[str] = (), root: Path | None = None
) -> Path:
    """Pack the files in the order of their names, but for those called ``without``.

    Their names begin at ``root``; by default the archive has the folder at its top.
    """
    files = sorted(
        path
        for path in folder.rglob("*")
        if (path.is_file() or path.is_symlink())  # macOS has links to folders
        and not any(path.match(name) for name in without)
    )
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:
            for path in files:
                z.write(path, path.relative_to(root or folder.parent))
        return archive
    how = {"mode": "w:xz"} if archive.suffix == ".xz" else GZIP
    with tarfile.open(archive, **how) as tar:
        for path in files:
            tar.add(path, path.relative_to(root or folder.parent))
    return archive


def main() -> int:
    """Build, check, pack and tell the sizes; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    out = parser.parse_args().out.resolve()
    folder = build(out)
    add_levels(folder)
    files = [path for path in folder.rglob("*") if path.is_file()]
    unwanted = [str(path) for path in files if UNWANTED.search(path.name)]
    if unwanted:
        print("not needed by the brain:", *unwanted, sep="\n  ", file=sys.stderr)
        return 1
    data = folder / "_internal" / "gomoku_brain" / "data"
    if wrong := check_data(path.name for path in data.iterdir()):
        print("the data of the folder:", *wrong, sep="\n  ", file=sys.stderr)
        return 1
    system, machine = system_and_machine()
    if missing := missing_variants(folder, machine):
        print("not in the folder:", *missing, sep="\n  ", file=sys.stderr)
        return 1
    name = f"{NAME}-{version()}-{system}-{machine}"
    size = sum(path.stat().st_size for path in files)
    print(f"{folder}: {len(files)} files, {size / 1e6:.1f} MB")
    if system != "windows":
        tell(pack(folder, out / f"{name}.tar.gz"))
        return 0
    tell(pack(folder, out / f"{name}.zip"))
    write_text(folder / "README.txt", readme(version(), sys.platform, gomocup=True))
    archive = out / f"{name}-gomocup.zip"
    gomocup = pack(folder, archive, without=NOT_FOR_GOMOCUP, root=folder)
    write_text(folder / "README.txt", readme(version(), sys.platform))
    return check_gomocup(tell(gomocup))


def system_and_machine() -> tuple[str, str]:
    """The names of this system and its processor in names of archives."""
    machine = platform.machine().lower()
    return SYSTEMS.get(sys.platform, "linux"), MACHINES.get(machine, machine)


def check_gomocup(packed: int) -> int:
    """Whether Gomocup takes an archive of so many bytes; the exit status."""
    if packed < GOMOCUP_BYTES:
        return 0
    print(
        f"{packed:,} bytes for Gomocup, which takes less than {GOMOCUP_BYTES:,}",
        file=sys.stderr,
    )
    return 1


def tell(archive: Path) -> int:
    """Print the size of an archive; its bytes."""
    packed = archive.stat().st_size
    print(f"{archive}: {packed / 1e6:.2f} MB")
    return packed


if __name__ == "__main__":
    raise SystemExit(main())
