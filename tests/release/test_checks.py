"""What a release must satisfy: tag, version, changelog; the contents of a wheel."""

import importlib.util
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import gomoku_brain
from gomoku_brain import variants

ROOT = Path(__file__).parents[2]
PACKAGE = Path(gomoku_brain.__file__).parent
pytestmark = pytest.mark.source


def script(name):
    path = ROOT / ".ci" / "release" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHANGELOG = """\
# Changelog

## [0.2.0] - 2027-01-31

### Added

- Something.

## [0.1.0] - 2026-11-21

## [0.0.9]

- Without a date.
"""


def test_the_notes_are_the_section_of_the_version():
    assert script("check_release").notes(CHANGELOG, "0.2.0") == (
        "### Added\n\n- Something.\n"
    )


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("0.3.0", "has no section"),
        ("0.2", "has no section"),
        ("0.1.0", "lists nothing"),
        ("0.0.9", "needs its date"),
    ],
)
def test_a_release_without_its_changelog_is_refused(version, words):
    with pytest.raises(ValueError, match=words):
        script("check_release").notes(CHANGELOG, version)


def test_the_version_is_read_as_python_reads_it():
    source = (PACKAGE / "version.py").read_text(encoding="utf-8")
    assert script("check_release").version_of(source) == gomoku_brain.__version__


def test_another_tag_than_the_version_is_refused(capsys):
    assert script("check_release").main(["refs/tags/v99.0.0"]) == 1
    assert "the tag is v99.0.0" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [[], ["--help"], ["v1", "notes", "more"], ["v1", "--files", "a", "b"]]
)
def test_wrong_words_are_answered_by_the_usage(words, capsys):
    assert script("check_release").main(words) == 2
    usage = "usage: check_release.py TAG [NOTES | --files FOLDER]\n"
    assert capsys.readouterr().err == usage


def test_a_release_without_a_file_of_a_system_is_refused(tmp_path, capsys):
    check = script("check_release")
    version = gomoku_brain.__version__
    for pattern in check.FILES:
        (tmp_path / pattern.format(version).replace("*", "cp313-")).touch()
    assert check.missing_files(tmp_path, version) == []
    for system in ("windows", "linux", "macos"):
        assert any(f"gomoku-board-{{0}}-{system}" in name for name in check.FILES)
    board = tmp_path / f"gomoku-board-{version}-windows-x86-64.zip"
    board.unlink()
    assert check.missing_files(tmp_path, version) == [board.name]
    assert check.main([f"v{version}", "--files", str(tmp_path)]) == 1
    assert capsys.readouterr().err == (
        f"check_release.py: {tmp_path} lacks:\n  {board.name}\n"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="for Linux with Wine")
def test_the_cross_build_states_what_it_is_called_with():
    words = ["bash", str(ROOT / ".ci" / "release" / "cross_build.sh")]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == "usage: cross_build.sh OUT_DIR [PYTHON_VERSION]\n"


@pytest.mark.skipif(sys.platform == "win32", reason="for Linux with Wine")
def test_the_cross_build_names_all_that_is_missing_before_it_works(tmp_path):
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("realpath", "dirname"):
        (tools / name).symlink_to(shutil.which(name))
    bash, out = shutil.which("bash"), tmp_path / "out"
    done = subprocess.run(
        [bash, str(ROOT / ".ci" / "release" / "cross_build.sh"), str(out)],
        env={"PATH": str(tools), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    first, *missing, advice = done.stderr.splitlines()
    assert first == "cross_build.sh: missing:"
    assert {"wine", "x86_64-w64-mingw32-gcc", "unzip", "python3"} <= {
        line.strip() for line in missing
    }
    assert {"wine", "gcc-mingw-w64-x86-64", "unzip", "python3-venv"} <= set(
        advice.partition("apt install ")[2].split()
    )
    assert not out.exists()


@pytest.fixture
def wheel(tmp_path):
    """A wheel with the right names, then with those of a list added or taken away."""
    check = script("check_wheel")

    def make(add=(), drop=(), platform="win_amd64"):
        path = tmp_path / f"gomoku_brain-1.0-cp313-cp313-{platform}.whl"
        names = check.expected(path.name)
        names |= {f"gomoku_brain-1.0.dist-info/{name}" for name in check.RECORDS}
        with zipfile.ZipFile(path, "w") as archive:
            for name in sorted((names | set(add)) - set(drop)):
                source = ROOT / name.replace("/avx2/", "/")
                compiled = source.with_suffix(".pyx").exists() and "." not in name
                suffix = ".cp313-win_amd64.pyd" if compiled else ""
                archive.writestr(name + suffix, b"")
        return check.differences(path)

    return make


def test_a_wheel_with_all_files_passes(wheel):
    assert wheel() == []


@pytest.mark.parametrize(
    "name",
    [
        "gomoku_brain/game/board",
        "gomoku_brain/avx2/game/board",
        "gomoku_brain/cpu",
        "gomoku_brain/data/levels.txt",
    ],
)
def test_a_wheel_that_lacks_a_file_is_refused(wheel, name):
    assert [line.rsplit(" ", 2)[1:] for line in wheel(drop=[name])] == [
        ["missing", name]
    ]


def test_the_variants_looked_for_are_those_that_the_package_knows():
    assert list(variants.VARIANTS) == script("check_wheel").VARIANTS


def test_a_wheel_has_variants_only_where_setup_builds_them(wheel):
    for platform in ("manylinux_2_28_x86_64", "macosx_11_0_universal2", "win_amd64"):
        assert wheel(platform=platform, drop=["gomoku_brain/avx2/tactics/vct"])
    for platform in ("manylinux_2_28_aarch64", "macosx_11_0_arm64", "win_arm64"):
        assert wheel(platform=platform) == []
        assert wheel(platform=platform, add=["gomoku_brain/avx2/tactics/vct"])


@pytest.mark.parametrize(
    "name",
    ["gomoku_brain/game/board.pyx", "gomoku_brain/game/board.c", "tests/cases.py"],
)
def test_a_wheel_with_anything_else_is_refused(wheel, name):
    assert len(wheel(add=[name])) == 1


@pytest.fixture
def folder(tmp_path):
    """A folder as PyInstaller makes it, as far as variants go."""
    package = tmp_path / "_internal" / "gomoku_brain"
    for name in (
        *("cpu.so", "game/board.so", "tactics/vct.so"),
        *("avx2/game/board.so", "avx2/tactics/vct.so"),
    ):
        file = package / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    return tmp_path


def test_a_folder_has_every_module_of_every_variant(folder):
    missing = script("build_folder").missing_variants
    assert missing(folder, "x86-64") == []
    (folder / "_internal/gomoku_brain/avx2/tactics/vct.so").unlink()
    assert missing(folder, "x86-64") == ["avx2/tactics/vct.so"]
    assert missing(folder, "arm64") == []


KIND = re.compile(r"[a-z]+[-_.]")
DATA = sorted(path.name for path in (PACKAGE / "data").iterdir())


@pytest.mark.source
def test_the_folder_has_the_data_that_its_modules_read():
    """Those files whose name, up to its first separator, stands in such a module."""
    spec = (ROOT / ".ci" / "release" / "pbrain-gomoku-brain.spec").read_text(
        encoding="utf-8"
    )
    folders = re.search(r'^FOLDERS = """\n(.+)\n""', spec, re.MULTILINE)[1].split()
    sources = [
        path
        for folder in folders
        for path in (PACKAGE / folder).iterdir()
        if path.suffix in (".py", ".pyx")
    ]
    sources += [PACKAGE / "commands" / name for name in ("bench.py", "doctor.py")]
    text = "".join(path.read_text(encoding="utf-8") for path in sources)
    read = [name for name in DATA if re.search(rf"""["']{KIND.match(name)[0]}""", text)]
    assert script("build_folder").brain_data(DATA) == read


def test_no_data_of_the_board_gets_into_the_folder():
    build_folder = script("build_folder")
    kept = build_folder.brain_data(DATA)
    left_out = [name for name in DATA if name not in kept]
    assert {"gui_puzzles.txt", "gui_zh_CN.qm", "qt_zh_CN.qm"} <= set(left_out)
    assert {"match_report.html", "levels.txt"} <= set(left_out)
    assert build_folder.check_data(kept) == []
    assert build_folder.brain_data(["new.txt", "gui_new.qm", "my-weights-x.bin"]) == []
    for name in left_out:
        assert build_folder.check_data([*kept, name]) == [f"too much: {name}"]


def test_a_folder_without_some_data_of_the_brain_is_refused():
    build_folder = script("build_folder")
    kept = build_folder.brain_data(DATA)
    without = [name for name in kept if not name.startswith("proof-")]
    assert build_folder.check_data(without) == ["missing: proof-*.bin"]


@pytest.mark.parametrize("system", ["win32", "darwin", "linux"])
def test_the_readme_of_a_folder_is_plain_text_of_its_own(system):
    text = script("build_folder").readme("1.2.3", system)
    assert text.startswith("Gomoku Brain 1.2.3\n")
    assert "$" not in text
    assert max(map(len, text.splitlines())) <= 88
    # No Markdown, nothing that lies outside the folder.
    assert not re.search(r"\]\(|\.md\b|docs/|python -m|`", text)
    assert ("pbrain-gomoku-brain.exe" in text) == (system == "win32")
    assert ("xattr" in text) == (system == "darwin")
    assert ("GLIBC" in text) == (system == "linux")


def test_the_readme_for_gomocup_describes_what_its_archive_has():
    build_folder = script("build_folder")
    text = build_folder.readme("1.2.3", "win32", gomocup=True)
    assert "pbrain-gomoku-easy" not in text
    assert build_folder.SETTINGS not in text
    whole = build_folder.readme("1.2.3", "win32")
    assert "pbrain-gomoku-easy.exe" in whole
    assert build_folder.SETTINGS in whole


@pytest.mark.parametrize("system", ["win32", "linux"])
def test_texts_of_a_folder_have_the_line_ends_of_its_system(
    folder, monkeypatch, system
):
    build_folder = script("build_folder")
    monkeypatch.setattr(build_folder.sys, "platform", system)
    (folder / "pbrain-gomoku-brain").write_bytes(b"x")
    (folder / "pbrain-gomoku-brain.exe").write_bytes(b"x")
    build_folder.add_levels(folder)
    data = (folder / build_folder.SETTINGS).read_bytes()
    assert (b"\r\n" in data) == (system == "win32")


def test_an_archive_that_gomocup_does_not_take_is_an_error(capsys):
    check = script("build_folder").check_gomocup
    assert check(7_999_999) == 0
    assert capsys.readouterr().err == ""
    assert check(8_000_000) == 1
    assert "8,000,000 bytes for Gomocup" in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["zip", "tar.gz"])
def test_a_folder_is_packed_with_and_without_the_books(
    folder, tmp_path_factory, ending
):
    """The archive for Gomocup has all but them and the programs for levels."""
    archive = tmp_path_factory.mktemp("out") / f"out.{ending}"
    pack = script("build_folder").pack
    data = folder / "_internal/gomoku_brain/data"
    data.mkdir()
    for name in ("proof-freestyle15.bin", "weights-freestyle.bin"):
        (data / name).write_bytes(b"x")

    def names(without):
        pack(folder, archive, without)
        if ending == "zip":
            with zipfile.ZipFile(archive) as packed:
                found = packed.namelist()
        else:
            with tarfile.open(archive) as packed:
                found = packed.getnames()
        assert {Path(name).parts[0] for name in found} == {folder.name}
        return {Path(name).name for name in found}

    levels = {"pbrain-gomoku-easy", "pbrain-gomoku-hard.exe", "pbrain-gomoku-brain.ini"}
    for name in (*levels, "pbrain-gomoku-brain.exe"):
        (folder / name).write_bytes(b"x")
    left_out = script("build_folder").NOT_FOR_GOMOCUP
    assert names(()) - names(left_out) == {"proof-freestyle15.bin"} | levels
    kept = {"weights-freestyle.bin", "board.so", "pbrain-gomoku-brain.exe"}
    assert kept <= names(left_out)
