"""Files that are written: seen to before the work, whole after it."""

import errno
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gomoku_brain.runs.output_files import check_output, make_folder, write_whole


def test_a_file_that_is_needed_is_not_written_over(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    check_output("new.sgf", ["games.jsonl", "h8"])
    for path in ("games.jsonl", tmp_path / "games.jsonl", "./games.jsonl"):
        with pytest.raises(ValueError, match="would be written over"):
            check_output(path, ["games.jsonl"])
    with pytest.raises(ValueError, match="is a folder"):
        check_output(tmp_path, [])
    with pytest.raises(ValueError, match=r"x\.sgf cannot .* there is no folder no$"):
        check_output(Path("no", "x.sgf"), [])
    assert list(tmp_path.iterdir()) == [], "nothing is left behind"


def test_a_file_that_may_not_be_written_is_reported(tmp_path, monkeypatch):
    path = tmp_path / "games.sgf"
    path.write_bytes(b"(;)")

    def refuse(self, mode):
        raise PermissionError(errno.EACCES, "Permission denied", str(self))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(ValueError, match=r"games.sgf cannot be written: Permission"):
        check_output(path, [])
    monkeypatch.undo()
    check_output(path, [])
    assert path.read_bytes() == b"(;)"


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes there")
@pytest.mark.timeout(20)
def test_a_pipe_is_not_opened(tmp_path):
    """Opening it would wait until somebody reads from it."""
    os.mkfifo(tmp_path / "pipe")
    check_output(tmp_path / "pipe", [])
    check_output(os.devnull, [])
    ends = os.pipe()
    check_output(f"/dev/fd/{ends[1]}", [])  # a shell's >(command), or /dev/stdout
    for end in ends:
        os.close(end)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_that_leads_nowhere_is_reported(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("here").symlink_to("there")
    Path("there").symlink_to("here")
    with pytest.raises(ValueError, match=r"^here cannot .* it is a link to it"):
        check_output("here", [])
    with pytest.raises(OSError, match=r"symbolic links: 'here'"):
        write_whole(Path("here"), "x")
    Path("far").symlink_to("no/target")
    with pytest.raises(ValueError, match=r"^far cannot .* there is no folder .*no$"):
        check_output("far", [])
    Path("new").symlink_to("target")
    check_output("new", [])
    assert not Path("target").exists()


def test_a_name_that_is_too_long_is_reported():
    with pytest.raises(ValueError, match=r"^x+ cannot be written: "):
        check_output("x" * 300, [])


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "new" / "file"
    with pytest.raises(FileNotFoundError, match=r"new.file"):
        write_whole(path, "š\n")
    path.parent.mkdir()
    write_whole(path, "š\n")
    assert path.read_bytes() == "š\n".encode()
    write_whole(path, b"\r\n")
    assert path.read_bytes() == b"\r\n"

    def fail(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, b"other")
    assert path.read_bytes() == b"\r\n"
    assert list(path.parent.iterdir()) == [path]


def test_a_long_name_and_permissions_stay(tmp_path):
    path = tmp_path / ("š" * 120)  # 240 bytes of 255
    check_output(path, [])
    write_whole(path, "one")
    path.chmod(0o640)
    mode = path.stat().st_mode  # (Windows knows less of it)
    write_whole(path, "two")
    assert path.read_text() == "two"
    assert path.stat().st_mode == mode


def test_a_folder_that_takes_no_new_files_keeps_those_it_has(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_text("one")
    real = Path.open

    def refuse(self, mode="r", *rest, **more):
        if mode == "xb":
            raise PermissionError(errno.EACCES, "Permission denied", str(self))
        return real(self, mode, *rest, **more)

    monkeypatch.setattr(Path, "open", refuse)
    write_whole(path, "two")
    assert path.read_text() == "two"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("shutil.copymode", errno.EPERM),  # a disk without modes
        ("pathlib.Path.replace", errno.EPERM),  # a sticky folder
        ("pathlib.Path.replace", errno.EACCES),  # on Windows, a file that is open
        ("pathlib.Path.replace", errno.EBUSY),  # a mount point
        ("pathlib.Path.replace", errno.EROFS),  # one in a folder that is read only
    ],
)
def test_a_file_that_may_be_changed_and_not_replaced_is_written(
    tmp_path, monkeypatch, name, code
):
    path = tmp_path / "file"
    path.write_text("one")

    def refuse(*_):
        raise OSError(code, os.strerror(code))

    synced = []
    monkeypatch.setattr(name, refuse)
    monkeypatch.setattr("os.fsync", synced.append)
    write_whole(path, "two")
    assert path.read_text() == "two"
    assert synced, "it is durable all the same"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_protected_is_not_replaced(tmp_path, monkeypatch):
    """Though its folder would allow that."""
    path = tmp_path / "file"
    path.write_text("one")
    monkeypatch.setattr("os.access", lambda file, mode: False)
    with pytest.raises(PermissionError, match=r"denied: '.*file'"):
        write_whole(path, "two")
    assert path.read_text() == "one"


@pytest.mark.skipif(sys.platform == "win32", reason="modes mean little there")
def test_a_draft_is_as_private_as_its_file(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_text("one")
    path.chmod(0o600)
    modes = []
    monkeypatch.setattr("os.fsync", lambda number: modes.append(os.fstat(number)))
    write_whole(path, "two")
    assert [each.st_mode & 0o777 for each in modes] == [0o600]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk here")
def test_an_error_names_the_file():
    with pytest.raises(OSError, match=r"No space left on device: '/dev/full'"):
        write_whole(Path("/dev/full"), b"x")


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="no such name there")
def test_standard_output_takes_one_output_and_errors_none():
    for other in ("/dev/stdout", "/dev/fd/1"):
        with pytest.raises(ValueError, match=r"^/dev/stdout takes one output only"):
            check_output("/dev/stdout", ["game.sgf", other])
    with pytest.raises(ValueError, match=r"^/dev/stderr is where messages go"):
        check_output("/dev/stderr", [])


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no such names there")
def test_only_what_is_open_for_writing_is_written(tmp_path):
    """Else the program's own files might come to stand behind the number."""
    with pytest.raises(ValueError, match=r"/dev/fd/987 cannot be written: Bad file"):
        check_output("/dev/fd/987", [])
    with open(os.devnull, "rb") as reading:
        with pytest.raises(ValueError, match="it is open for reading only"):
            check_output(f"/dev/fd/{reading.fileno()}", [])
        with pytest.raises(OSError, match="it is open for reading only"):
            write_whole(Path(f"/dev/fd/{reading.fileno()}"), b"x")


def test_ctrl_c_leaves_the_old_file_and_no_draft(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_text("one")

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, "two")
    assert path.read_text() == "one"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="no such name there")
@pytest.mark.parametrize("mode", ["ab", "wb"])
def test_standard_output_that_is_a_file_keeps_what_it_holds(tmp_path, mode):
    log = tmp_path / "log"
    log.write_text("old\n")
    code = (
        "from pathlib import Path\n"
        "from gomoku_brain.runs.output_files import check_output, write_whole\n"
        "print('before')\n"
        "check_output('/dev/stdout', [])\n"
        "write_whole(Path('/dev/stdout'), 'data\\n')\n"
        "print('after')\n"
    )
    with log.open(mode) as file:
        subprocess.run([sys.executable, "-c", code], stdout=file, check=True)
    kept = "old\n" if mode == "ab" else ""
    assert log.read_text() == f"{kept}before\ndata\nafter\n"


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_and_a_pipe_stay_what_they_are(tmp_path):
    link, file = tmp_path / "link", tmp_path / "file"
    link.symlink_to(file)
    write_whole(link, "one")
    assert link.is_symlink()
    assert file.read_text() == "one"
    ends = os.pipe()
    write_whole(Path(f"/dev/fd/{ends[1]}"), "two")
    assert os.read(ends[0], 9) == b"two"
    for end in ends:
        os.close(end)


def test_a_folder_that_cannot_be_is_an_error_that_names_it(tmp_path):
    made = make_folder(tmp_path / "a" / "b")
    assert make_folder(str(made)) == made
    assert list(made.iterdir()) == [], "nothing is left behind"
    file = tmp_path / "file"
    file.write_bytes(b"")
    for path, message in (
        (file, f"{file} is a file; name a folder"),
        (file / "b", f"{file / 'b'} cannot be a folder: {file} is a file; name a"),
        ("-", "'-' is no folder"),
        ("", "'' is no folder"),
        (tmp_path / ("x" * 300), "x cannot be written: "),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            make_folder(path)
