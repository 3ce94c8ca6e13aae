"""The build never takes C that is out of date."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gomoku_brain

pytestmark = pytest.mark.source
ROOT = Path(gomoku_brain.__file__).parents[1]
GENERATE = """
import runpy, setuptools
setuptools.setup = lambda **_: None
print(*runpy.run_path("setup.py")["generate_c"]({"small"})["small"])
"""


def test_other_directives_and_declarations_make_other_c(tmp_path):
    pytest.importorskip("Cython")
    (tmp_path / "gomoku_brain").mkdir()
    source, declared, setup = (
        tmp_path / name
        for name in ("gomoku_brain/small.pyx", "gomoku_brain/small.pxd", "setup.py")
    )
    source.with_name("__init__.py").touch()
    source.write_text("print(number // 7)\n")
    declared.write_text("cdef int number\n")
    shutil.copy(ROOT / "setup.py", setup)

    def made():
        done = subprocess.run(
            [sys.executable, "-c", GENERATE],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        file = tmp_path / done.stdout.split()[-1]
        os.utime(file, (1e9, 1e9))  # older than what changes from here on
        for unchanged in (source, declared, setup):
            os.utime(unchanged, (9e8, 9e8))
        return file.read_bytes()

    first = made()
    text = setup.read_text()
    setup.write_text(text.replace('"cdivision": True', '"cdivision": False'))
    second = made()
    declared.write_text("cdef double number\n")
    assert len({first, second, made()}) == 3
