"""The examples of the documents: they run, and their types hold."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.source
ROOT = Path(__file__).parents[1]
PAGES = ["README.md", "docs/python.md", "docs/games.md"]
TYPED = [
    *PAGES,
    *[f"docs/{name}.md" for name in ("analyze", "experiment", "openings", "solve")],
]
"""Pages whose examples mypy checks; tests/test_bot_page.py checks docs/bot.md."""
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def script_of(page):
    """All Python blocks of a page in their order, as one program."""
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = BLOCK.findall(text)
    assert blocks, f"{page} has no example"
    return "\n\n".join(blocks)


def test_every_page_with_examples_is_checked():
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    found = {page for page in pages if BLOCK.search(page.read_text("utf-8"))}
    assert found - {ROOT / "docs" / "bot.md"} == {ROOT / page for page in TYPED}


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=pytest.mark.slow("searches for seconds", ci=True))
        if page == "docs/python.md"
        else page
        for page in PAGES
    ],
)
def test_the_examples_of_a_page_run(page, tmp_path):
    pytest.importorskip("numpy")
    program = tmp_path / "examples.py"
    program.write_text(script_of(page), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", program],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert done.stdout


@pytest.mark.slow("needs a wheel and an environment for it", ci=True)
@pytest.mark.timeout(900)
def test_the_types_of_the_examples_hold_against_the_installed_wheel(archives, tmp_path):
    """mypy --strict sees the wheel as a user's does, without the source tree."""
    numpy = pytest.importorskip("numpy")
    pytest.importorskip("mypy")

    def run(*command):
        done = subprocess.run(
            list(map(str, command)), capture_output=True, text=True, cwd=tmp_path
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run(sys.executable, "-m", "venv", "--without-pip", "user")
    python = tmp_path / "user" / ("Scripts" if sys.platform == "win32" else "bin")
    python = python / "python"
    site = run(
        python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"
    ).strip()
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps"]
    run(*pip, "--target", site, archives.wheel)
    Path(site, "numpy.pth").write_text(str(Path(numpy.__file__).parents[1]))
    assert Path(site, "gomoku_brain", "py.typed").is_file()
    programs = []
    for page in TYPED:
        program = tmp_path / f"{Path(page).stem.lower()}_examples.py"
        program.write_text(
            f"{script_of(page)}\n\nimport gomoku_brain\n"
            "reveal_type(gomoku_brain.Board.from_moves('h8').undo())\n",
            encoding="utf-8",
        )
        programs.append(program)
    output = run(
        *(sys.executable, "-m", "mypy", "--strict", "--python-executable"),
        *(python, "--cache-dir", tmp_path / "cache", *programs),
    )
    revealed = [line for line in output.splitlines() if "Revealed type is" in line]
    assert len(revealed) == len(TYPED)
    assert all("gomoku_brain.game.notation.Move" in line for line in revealed), output
    assert "Success" in output


@pytest.mark.slow("starts a notebook's kernel", ci=True)
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("name", "svgs", "pngs", "texts"),
    [
        ("tour", 2, 0, ["win by fours", "\n   g4: h6\n      f4: k9\n"]),
        ("report", 2, 2, ["mine                    3 table", "winner: black", "k8"]),
    ],
)
def test_the_notebook_runs(name, svgs, pngs, texts, tmp_path):
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    book = nbformat.read(ROOT / "docs" / f"{name}.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in book.cells), "kept without outputs"
    nbclient.NotebookClient(book, timeout=120, resources={}).execute(cwd=str(tmp_path))
    outputs = [out for cell in book.cells for out in cell.get("outputs", [])]
    drawn = [out.data for out in outputs if "data" in out]
    assert sum("<svg" in data.get("image/svg+xml", "") for data in drawn) == svgs
    assert sum("image/png" in data for data in drawn) == pngs
    printed = "".join(out.text for out in outputs if out.output_type == "stream")
    for text in texts:
        assert text in printed


@pytest.mark.slow("builds the reference of the whole package", ci=True)
@pytest.mark.timeout(300)
def test_the_reference_is_built_and_needs_no_network(tmp_path):
    pytest.importorskip("pdoc")
    done = subprocess.run(
        [sys.executable, ROOT / ".ci" / "api_reference.py", "--out", tmp_path],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(tmp_path / "index.html")
    page = (tmp_path / "gomoku_brain.html").read_text(encoding="utf-8")
    for text in (
        "Place a stone of the side to move",
        "Hard limit in seconds of wall time",
        "Handle to stop a running search, or to move its deadline",
    ):
        assert text in page
    for path in tmp_path.rglob("*.html"):
        loaded = re.findall(
            r"<(?:script|img|link)[^>]*(?:src|href)=\"(https?:[^\"]*)",
            path.read_text(encoding="utf-8"),
        )
        assert not loaded, path
