"""The file of lines that a killed run goes on with."""

import pytest

from gomoku_brain.runs.journal import Journal

HEAD = '{"run": 1}'


def journal_of(path, **options):
    return Journal(path, "a file of the tests", '{"run": ', **options)


def write(path, *lines, **options):
    with journal_of(path, **options) as journal:
        journal.start(HEAD)
        for line in lines:
            journal.append(line)


@pytest.mark.parametrize("sync", [True, False])
def test_lines_are_there_again_whatever_a_kill_left(tmp_path, sync):
    path = tmp_path / "file"
    write(path, "one", "zwölf", sync=sync)
    whole = path.read_bytes()
    assert whole.decode() == f"{HEAD}\none\nzwölf\n"
    lines = [HEAD, "one", "zwölf"]
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        kept = whole[:length].count(b"\n")
        assert journal_of(path).lines == lines[:kept]
        assert path.read_bytes() == whole[:length], "reading writes nothing"
        write(path, *lines[max(kept, 1) :])
        assert path.read_bytes() == whole


def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "file"
    for text in ("hello", "hello\n", '{"ru', '{"run"\n', "\n"):
        path.write_text(text)
        if text == '{"ru':  # may be what a kill left of our own first line
            assert journal_of(path).lines == []
            continue
        with pytest.raises(ValueError, match="file is not a file of the tests"):
            journal_of(path)
        assert path.read_text() == text
    path.write_bytes(HEAD.encode() + b"\n\xff\n")
    with pytest.raises(ValueError, match="file, line 2: damaged"):
        journal_of(path)


def test_lines_of_windows_are_read(tmp_path):
    (tmp_path / "file").write_bytes(f"{HEAD}\r\none\r\ntw".encode())
    assert journal_of(tmp_path / "file").lines == [HEAD, "one"]


def test_another_run_is_noticed(tmp_path):
    path = tmp_path / "file"
    with journal_of(path) as first:
        first.start(HEAD)
        with journal_of(path) as late:
            first.append("one")
            with pytest.raises(OSError, match="another run writes to this file"):
                late.start(HEAD)
        write(path, "two")
        with pytest.raises(OSError, match="another run"):
            first.append("three")
    assert journal_of(path).lines == [HEAD, "one", "two"]


def test_a_text_of_several_lines_is_refused(tmp_path):
    with journal_of(tmp_path / "file") as journal:
        journal.start(HEAD)
        with pytest.raises(ValueError, match="must not contain"):
            journal.append("one\ntwo")
    assert journal_of(tmp_path / "file").lines == [HEAD]
