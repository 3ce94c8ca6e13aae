"""What build_board.py takes of Qt, and the texts that lie in the board's folder."""

import re
import sys
from pathlib import Path, PurePosixPath

import pytest

pytestmark = pytest.mark.source
ROOT = Path(__file__).parents[2]
PAGES = ("en", "zh", "cs")

build_board = pytest.importorskip("build_board")
gomoku_board = pytest.importorskip("gomoku_board")


def page(language):
    return (ROOT / "docs" / f"board-{language}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        (r"PySide6\plugins\platforms\qwindows.dll", True),
        ("PySide6/Qt/plugins/platforms/libqcocoa.dylib", True),
        ("PySide6/Qt/plugins/platforms/libqvnc.so", False),
        (r"PySide6\plugins\tls\qopensslbackend.dll", False),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", False),
        ("PySide6/Qt/lib/libQt6Core.so.6", True),
        ("gomoku_brain/avx2/game/board.so", True),
    ],
)
def test_the_plugins_of_qt_are_those_of_the_table(name, wanted):
    assert build_board.is_wanted_plugin(name) == wanted


def test_libraries_that_nothing_links_are_left_out(monkeypatch):
    links = {
        "QtGui": ["libQt6Gui.so.6", "libc.so.6"],
        "libQt6Gui": ["libQt6Core.so.6", "libfreetype.so.6"],
        "libfreetype": ["libpng16.so.16"],
        "qxcb": ["libxcb-cursor.so.0"],
        "qvnc": ["libQt6Network.so.6"],
    }
    monkeypatch.setattr(build_board, "linked_by", lambda file: links.get(file, []))
    monkeypatch.setattr(sys, "platform", "linux")
    entries = [
        ("PySide6/QtGui.abi3.so", "QtGui", "EXTENSION"),
        ("PySide6/Qt/lib/libQt6Gui.so.6", "libQt6Gui", "BINARY"),
        ("PySide6/Qt/lib/libQt6Core.so.6", "libQt6Core", "BINARY"),
        ("PySide6/Qt/lib/libQt6Network.so.6", "libQt6Network", "BINARY"),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", "qxcb", "BINARY"),
        ("PySide6/Qt/plugins/platforms/libqvnc.so", "qvnc", "BINARY"),
        ("libxcb-cursor.so.0", "libxcb-cursor", "BINARY"),
        ("libfreetype.so.6", "libfreetype", "BINARY"),
        ("libpng16.so.16", "libpng16", "BINARY"),
        ("libpython3.13.so.1.0", "libpython", "BINARY"),
        ("gomoku_brain/avx2/game/board.so", "board", "BINARY"),
    ]
    kept = build_board.needed_binaries(entries)
    assert [Path(name).name for name, *_ in kept] == [
        *("QtGui.abi3.so", "libQt6Gui.so.6", "libQt6Core.so.6", "libqxcb.so"),
        *("libxcb-cursor.so.0", "libpython3.13.so.1.0", "board.so"),
    ]
    links_and_data = [
        ("libQt6Core.so.6", "PySide6/Qt/lib/libQt6Core.so.6", "SYMLINK"),
        ("libQt6Network.so.6", "PySide6/Qt/lib/libQt6Network.so.6", "SYMLINK"),
        ("PySide6/Qt/translations/qtbase_zh_CN.qm", "zh", "DATA"),
        ("PySide6/Qt/translations/qtbase_de.qm", "de", "DATA"),
        ("gomoku_brain/data/gui_zh_CN.qm", "gui", "DATA"),
    ]
    kept = build_board.needed_data(links_and_data, kept)
    assert [Path(name).name for name, *_ in kept] == [
        *("libQt6Core.so.6", "qtbase_zh_CN.qm", "gui_zh_CN.qm")
    ]


def test_frameworks_of_macos_are_kept_or_left_out_as_a_whole():
    lib = "PySide6/Qt/lib"
    binaries = [(f"{lib}/QtCore.framework/Versions/A/QtCore", "core", "BINARY")]
    data = [
        (f"{lib}/QtCore.framework/QtCore", "Versions/Current/QtCore", "SYMLINK"),
        (f"{lib}/QtQml.framework/QtQml", "Versions/Current/QtQml", "SYMLINK"),
        (f"{lib}/QtQml.framework/Versions/A/Resources/Info.plist", "plist", "DATA"),
    ]
    assert build_board.needed_data(data, binaries) == data[:1]


def test_a_module_of_the_board_that_the_folder_lacks_is_named():
    package = build_board.PACKAGE
    files = (path.relative_to(package) for path in package.rglob("*.py*"))
    found = build_board.module_names(map(PurePosixPath, files))
    assert build_board.missing_modules(found) == []
    late = {"gomoku_brain.gui.dialogs.results_dialog", "gomoku_brain.tactics.vcf"}
    assert late <= found
    assert build_board.missing_modules(found - late) == sorted(late)
    built = ("gui/dialogs/results_dialog.pyc", "tactics/vcf.cp313-win_amd64.pyd")
    assert build_board.module_names(map(PurePosixPath, built)) == late


def test_a_library_that_no_linux_desktop_has_is_in_the_folder(tmp_path, monkeypatch):
    links = {
        "libqxcb.so": ["libxcb-cursor.so.0", "libxcb.so.1", "libc.so.6", "libX11.so.6"],
        "libxcb-cursor.so.0": ["libxcb-image.so.0"],
    }
    monkeypatch.setattr(build_board, "linked_by", lambda file: links[Path(file).name])
    (tmp_path / "libqxcb.so").touch()
    assert build_board.missing_libraries(tmp_path) == ["libxcb-cursor.so.0"]
    (tmp_path / "libxcb-cursor.so.0").touch()
    assert build_board.missing_libraries(tmp_path) == ["libxcb-image.so.0"]


def test_the_pages_for_beginners_have_the_same_parts():
    """Headings, steps, names of files and commands are those of the English page."""

    def parts(language):
        text = page(language)
        codes = re.findall(r"`([^`]+)`", text)
        return (
            re.findall(r"^#+|^\d\.|^ *- ", text, re.MULTILINE),
            sorted(code for code in codes if not re.search(r"(?i)sum|certutil", code)),
        )

    for language in PAGES[1:]:
        assert parts(language) == parts("en")


@pytest.mark.parametrize("language", PAGES)
def test_the_pages_for_beginners_are_short_and_link_to_each_other(language):
    text = page(language)
    assert len(text.splitlines()) < 80
    for other in set(PAGES) - {language}:
        assert f"(board-{other}.md)" in text
    for name in ("README.md", "docs/install.md", "docs/gui.md"):
        linking = (ROOT / name).read_text(encoding="utf-8")
        assert f"board-{language}.md)" in linking, name


@pytest.mark.parametrize("language", PAGES)
def test_the_texts_in_the_folder_are_plain(language):
    text = build_board.plain(page(language))
    assert not re.search(r"\]\(|\*\*|`|\.md\b|^#|^>|pip", text, re.MULTILINE)
    assert "gomoku-board" in text


def test_the_texts_of_the_folder_are_written(tmp_path):
    build_board.add_texts(tmp_path)
    names = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.txt")}
    assert names == {
        *("LICENSE.txt", "README.txt", "README-zh.txt", "README-cs.txt"),
        *(f"licenses/{name}.txt" for name in ("GPL-3", "LGPL-3", "NOTICE")),
    }
    assert (tmp_path / "README.txt").read_text("utf-8").startswith("Gomoku Brain ")


def test_the_variables_of_pyinstaller_are_not_passed_on(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    ours = {
        "LD_LIBRARY_PATH": "/opt/gomoku-board/_internal",
        "LD_LIBRARY_PATH_ORIG": "/usr/local/lib",
        "QT_PLUGIN_PATH": "/opt/gomoku-board/_internal/PySide6/Qt/plugins",
        "HOME": "/home/ann",
    }
    gomoku_board.restore(ours)
    assert ours == {"LD_LIBRARY_PATH": "/usr/local/lib", "HOME": "/home/ann"}
    ours = {"LD_LIBRARY_PATH": "/opt/gomoku-board/_internal"}
    gomoku_board.restore(ours)
    assert ours == {}


@pytest.mark.skipif(sys.platform != "linux", reason="menus of Linux desktops")
def test_the_menu_gets_and_loses_its_entry(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setattr(sys, "executable", "/home/ann/five in a row/gomoku-board")
    monkeypatch.setattr(gomoku_board, "restore", lambda variables: None)
    entry = tmp_path / "share" / "applications" / "gomoku-board.desktop"
    assert gomoku_board.main(["--add-to-menu"]) == 0
    text = entry.read_text(encoding="utf-8")
    assert 'Exec="/home/ann/five in a row/gomoku-board" %f\n' in text
    assert "Icon=/home/ann/five in a row/gomoku-board.png\n" in text
    assert gomoku_board.main(["--remove-from-menu"]) == 0
    assert not entry.exists()
    assert gomoku_board.main(["--remove-from-menu"]) == 0


def test_the_workflow_builds_tries_and_attaches_the_board_of_each_system():
    text = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    assert text.count(".ci/release/build_board.py --out out") == 2  # Linux, others
    assert text.count("tests/release/test_board_binary.py") == 2
    needs = re.search(r"needs: (\[sdist.*)", text)[1]
    assert {"board", "board-linux"} <= set(re.findall(r"[\w-]+", needs))
