"""Make the board as a folder that needs no Python, and pack it.

``python .ci/release/build_board.py --out OUT``, with the modules built in place,
PyInstaller and the extra ``gui`` at hand. Leaves ``OUT/gomoku-board/`` (on macOS
``OUT/Gomoku Board.app``) and the archive beside it: on Windows a .zip, elsewhere a
.tar.xz, each with the folder at its top. Prints the sizes. The folder contains the
brain as a program of its own, which tournaments start.

PyInstaller collects more of Qt than the board uses. ``needed_binaries`` keeps the
plugins of the table ``PLUGINS`` and the libraries that what is left links.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

# Python's package for embedding, which builds under Wine, does not do this itself.
sys.path.insert(0, str(Path(__file__).resolve().parent))
from build_folder import (
    PACKAGE,
    ROOT,
    missing_variants,
    pack,
    run_pyinstaller,
    system_and_machine,
    tell,
    version,
)

NAME = "gomoku-board"
# The board, and the brain with what looks after it. The board reaches its other modules
# by imports.
FOLDERS = """
    game eval control tactics search levels engine proofs player protocol prove gui
""".split()
APP = "Gomoku Board.app"
PAGES = {"README.txt": "en", "README-zh.txt": "zh", "README-cs.txt": "cs"}
ICON_SIZES = (16, 24, 32, 48, 64, 128, 256)

# Plugins of Qt by their folder, without "lib" and suffix. Wood and stones are drawn by
# the processor, so no OpenGL; pictures are PNG, which needs no plugin, or SVG.
PLUGINS = {
    "iconengines": {"qsvgicon"},
    "imageformats": {"qsvg"},
    "platforminputcontexts": {
        "composeplatforminputcontextplugin",
        "ibusplatforminputcontextplugin",
    },
    "platforms": {
        *("qwindows", "qcocoa", "qxcb", "qoffscreen"),
        *("qwayland", "qwayland-generic"),  # from Qt 6.10 on it is one
    },
    "platformthemes": {"qxdgdesktopportal"},
    "wayland-decoration-client": {"adwaita", "bradient"},
    "wayland-shell-integration": {"xdg-shell"},
}
# Libraries of every Linux desktop. Those of the building machine may be older than
# what the desktop's drivers and settings need.
OF_THE_SYSTEM = re.compile(
    r"lib(dbus-1|expat|fontconfig|freetype|gcc_s|glib-2\.0|gthread-2\.0|stdc\+\+"
    r"|wayland-\w+|X11|X11-xcb|xkbcommon|z)\.so"
)
# Those of the C library, of the driver of the graphics card and of X, which PyInstaller
# leaves out by itself.
NEVER_PACKED = re.compile(r"ld-linux|lib(c|m|dl|pthread|rt|util|EGL|GL|xcb)\.so")
UNWANTED = re.compile(
    r"numpy|ssl|crypto|tcl\d|tk\d|Qt6?(Quick|Qml|Network|Pdf|OpenGL|Designer)"
    r"|opengl32sw|d3dcompiler|avif|libwebp|gtk"
)
# An entry of PyInstaller: the name in the folder, the file, the kind.
Entry = tuple[str, str, str]


def plugin_of(name: str) -> tuple[str, str] | None:
    """The folder and the name of a plugin of Qt by its path; None for other files."""
    path = PurePosixPath(name.replace("\\", "/"))
    if "plugins" not in path.parts or "PySide6" not in path.parts:
        return None
    return path.parent.name, path.name.removeprefix("lib").partition(".")[0]


def is_wanted_plugin(name: str) -> bool:
    """Whether the path is no plugin of Qt, or one that the board uses."""
    plugin = plugin_of(name)
    return plugin is None or plugin[1] in PLUGINS.get(plugin[0], ())


def library(name: str) -> str:
    """The name by which others link a library: without folders, on Windows lower."""
    base = re.split(r"[/\\]", name)[-1]
    return base.lower() if sys.platform == "win32" else base


def linked_by(file: str) -> list[str]:
    """The libraries that a library or module names, not those that they name."""
    if sys.platform == "linux":  # PyInstaller's ldd would follow them
        command = ["objdump", "-p", file]
        found = subprocess.run(command, capture_output=True, text=True, check=True)
        return re.findall(r"^\s*NEEDED\s+(\S+)", found.stdout, re.MULTILINE)
    from PyInstaller.depend.bindepend import get_imports

    return [name for name, _ in get_imports(file)]


def needed_binaries(entries: Iterable[Entry]) -> list[Entry]:
    """Those of PyInstaller's entries that the board uses, in their order."""
    entries = [entry for entry in entries if is_wanted_plugin(entry[0])]
    linux = sys.platform == "linux"
    libraries = {
        library(name): (name, file)
        for name, file, kind in entries
        if kind == "BINARY" and not (linux and OF_THE_SYSTEM.match(library(name)))
    }
    # A program begins with its compiled modules, Python and the plugins.
    waiting = [
        (name, file)
        for name, file, kind in entries
        if kind == "EXTENSION"
        or (kind == "BINARY" and (plugin_of(name) or name.startswith(PACKAGE.name)))
        or re.match(r"(lib)?python", library(name), re.IGNORECASE)
    ]
    used = set()
    while waiting:
        name, file = waiting.pop()
        if name not in used:
            used.add(name)
            linked = map(library, linked_by(file))
            waiting += [libraries[each] for each in linked if each in libraries]
    return [entry for entry in entries if entry[0] in used]


def needed_data(entries: Iterable[Entry], binaries: Iterable[Entry]) -> list[Entry]:
    """The data, without Qt's translations for other languages than ours.

    Of the links and the frameworks (on macOS), those of the binaries are kept.
    """
    ours = {path.stem.removeprefix("gui_") for path in PACKAGE.glob("data/gui_*.qm")}
    translations = {f"qtbase_{language}.qm" for language in ours}
    kept = {library(name) for name, *_ in binaries}
    frameworks = {part for name, *_ in binaries for part in framework_of(name)}

    def is_needed(name: str, kind: str) -> bool:
        if found := framework_of(name):
            return found[0] in frameworks
        if kind == "SYMLINK":
            return library(name) in kept
        folder, base = re.split(r"[/\\]", f"./{name}")[-2:]
        return folder != "translations" or base in translations

    return [entry for entry in entries if is_needed(entry[0], entry[2])]


def framework_of(name: str) -> list[str]:
    """The name of the framework that a path of macOS lies in, [] for others."""
    return re.findall(r"(\w+)\.framework/", name)[:1]


def write_icon(folder: Path) -> Path:
    """Draw the icon in the form that the system has; its file."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PIL import Image
    from PySide6.QtGui import QGuiApplication

    from gomoku_brain.gui.base.icons import app_icon

    application = QGuiApplication.instance() or QGuiApplication(["icon"])
    folder.mkdir(parents=True, exist_ok=True)
    png = folder / f"{NAME}.png"
    app_icon().pixmap(512 if sys.platform == "darwin" else 256).save(str(png))
    del application
    suffix = {"win32": ".ico", "darwin": ".icns"}.get(sys.platform)
    if suffix is None:
        return png
    with Image.open(png) as image:
        sizes = {"sizes": [(s, s) for s in ICON_SIZES]} if suffix == ".ico" else {}
        image.save(png.with_suffix(suffix), **sizes)
    return png.with_suffix(suffix)


def plain(page: str) -> str:
    """The text of a page of the documentation, as a text file has it."""
    page = re.sub(r"^\[.*\]\(board-\w+\.md\)$\n\n", "", page, flags=re.MULTILINE)
    page = re.sub(r"^(> .*\n)+\n", "", page, flags=re.MULTILINE)  # for who builds it
    text = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", page)
    text = text.replace("**", "").replace("`", "")
    return re.sub(r"^#+ ", "", text, flags=re.MULTILINE)


def add_texts(folder: Path) -> None:
    """Add the pages for beginners and the licences."""
    newline = "\r\n" if sys.platform == "win32" else "\n"
    for name, language in PAGES.items():
        page = ROOT / "docs" / f"board-{language}.md"
        text = f"Gomoku Brain {version()}\n\n" + plain(page.read_text(encoding="utf-8"))
        # With a mark, by which Windows' older editors know the encoding.
        encoding = "utf-8-sig" if sys.platform == "win32" else "utf-8"
        (folder / name).write_text(text, encoding=encoding, newline=newline)
    shutil.copy(ROOT / "LICENSE", folder / "LICENSE.txt")
    licenses = folder / "licenses"
    licenses.mkdir(exist_ok=True)
    for path in sorted((ROOT / ".ci" / "release" / "licenses").iterdir()):
        shutil.copy(path, licenses)


def module_names(files: Iterable[PurePosixPath]) -> set[str]:
    """The names of the package's modules by their files, below the package's folder."""
    return {
        ".".join((PACKAGE.name, *file.parent.parts, file.name.partition(".")[0]))
        for file in files
        if file.suffix in (".py", ".pyc", ".pyx", ".pyd", ".so")
    }


def modules_in(contents: Path) -> set[str]:
    """The modules of the package in the folder and in the archive of the program."""
    from PyInstaller.archive.readers import CArchiveReader

    package = contents / PACKAGE.name
    found = module_names(
        PurePosixPath(path.relative_to(package)) for path in package.rglob("*.*")
    )
    places = (contents.parent, contents.parent / "MacOS")
    programs = (place / name for place in places for name in (NAME, f"{NAME}.exe"))
    archive = CArchiveReader(str(next(path for path in programs if path.is_file())))
    for name, (*_, kind) in archive.toc.items():
        if kind == "z":  # of Python modules
            found |= set(archive.open_embedded_archive(name).toc)
    return found


def missing_modules(found: set[str]) -> list[str]:
    """The modules of ``FOLDERS`` that are not among those found."""
    files = (
        PurePosixPath(path.relative_to(PACKAGE))
        for folder in FOLDERS
        for path in (PACKAGE / folder).rglob("*.py*")
        if path.suffix in (".py", ".pyx") and path.name != "__init__.py"
    )
    return sorted(module_names(files) - found)


def missing_libraries(contents: Path) -> list[str]:
    """What the folder's files link on Linux, and neither it nor a desktop has.

    The machine that builds has those libraries, so a start there does not show it.
    """
    files = {path.name: path for path in contents.rglob("*.so*") if path.is_file()}
    linked = {name for path in files.values() for name in linked_by(str(path))}
    known = OF_THE_SYSTEM.match, NEVER_PACKED.match
    return sorted(n for n in linked - set(files) if not any(is_(n) for is_ in known))


def check(contents: Path) -> list[str]:
    """A line for each thing that is wrong in the folder with the libraries."""
    files = [path for path in contents.rglob("*") if path.is_file()]
    faults = [f"not needed: {path}" for path in files if UNWANTED.search(path.name)]
    data = {path.name for path in (contents / "gomoku_brain" / "data").iterdir()}
    ours = {path.name for path in (PACKAGE / "data").iterdir() if path.is_file()}
    faults += [f"missing: {name}" for name in sorted(ours - data)]
    faults += [f"too much: {name}" for name in sorted(data - ours)]
    faults += [f"missing: {name}" for name in missing_modules(modules_in(contents))]
    if sys.platform == "linux" and not any(contents.glob("*.dll")):
        faults += [f"missing: {name}" for name in missing_libraries(contents)]
    if sys.platform != "darwin":
        missing = missing_variants(contents.parent, system_and_machine()[1])
        faults += [f"missing: {name}" for name in missing]
    return faults


def main() -> int:
    """Build, check, pack and tell the sizes; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    out = parser.parse_args().out.resolve()
    folder = run_pyinstaller(NAME, out)
    contents = folder / "_internal"
    add_texts(folder)
    if sys.platform == "darwin":
        # PyInstaller makes the app of the folder, which it leaves behind.
        contents = out / APP / "Contents" / "Frameworks"
        texts = out / f"{NAME}-app"
        shutil.rmtree(texts, ignore_errors=True)
        texts.mkdir()
        for name in (*PAGES, "LICENSE.txt", "licenses"):
            (folder / name).rename(texts / name)
        shutil.move(out / APP, texts / APP)
        shutil.rmtree(folder)
        folder = texts.rename(folder)
        contents = folder / APP / "Contents" / "Frameworks"
    elif sys.platform == "linux":
        shutil.copy(write_icon(out), folder)
        (out / f"{NAME}.png").unlink()
    if wrong := check(contents):
        print("the folder:", *wrong, sep="\n  ", file=sys.stderr)
        return 1
    files = [p for p in folder.rglob("*") if p.is_file() and not p.is_symlink()]
    size = sum(path.stat().st_size for path in files)
    print(f"{folder}: {len(files)} files, {size / 1e6:.1f} MB")
    system, machine = system_and_machine()
    suffix = "zip" if system == "windows" else "tar.xz"
    archive = out / f"{NAME}-{version()}-{system}-{machine}.{suffix}"
    tell(pack(folder, archive, root=out))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
