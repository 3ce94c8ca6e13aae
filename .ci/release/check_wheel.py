"""What a wheel holds is exactly what it should: ``check_wheel.py WHEEL..``.

- of the package but ``lab``: every .py, every .pyi with py.typed, every file of
  data/, and each .pyx compiled, on x86-64 once for each variant
  (gomoku_brain/variants.py). No .pyx, .pxd or .c: there is no promise of a C
  interface to build against, and the sdist has them;
- the licence, the names of the two programs and pip's own records;
- nothing else: no tests, no caches, no libraries.
"""

import re
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "gomoku_brain"
X86_64 = re.compile("x86_64|amd64|universal2")  # in a wheel's platform
VARIANTS = ["avx2"]
NO_VARIANT = ("gomoku_brain/cpu", "gomoku_brain/windows_pipe")
COMPILED = re.compile(r"(?:\.[\w-]+)?\.(?:so|pyd)$")  # .cpython-313-darwin.so
RECORDS = (
    "METADATA RECORD WHEEL entry_points.txt licenses/LICENSE top_level.txt".split()
)
MAKERS = "lab"  # the folder that no wheel has


def expected(wheel: str, root: Path = ROOT) -> set[str]:
    """The package's files in the wheel of a name; modules without their suffix."""
    variants = VARIANTS if X86_64.search(wheel) else []
    names = {f"{PACKAGE.name}/py.typed"}
    for path in (root / PACKAGE.name).rglob("*"):
        name = path.relative_to(root)
        if "__pycache__" in name.parts or not path.is_file():
            continue
        if name.parts[1] == MAKERS:
            continue
        if path.suffix == ".pyx":
            module = name.with_suffix("").as_posix()
            names.add(module)
            if module not in NO_VARIANT:
                package, _, inside = module.partition("/")
                names.update(f"{package}/{variant}/{inside}" for variant in variants)
        elif path.suffix in {".py", ".pyi", ".typed"} or path.parent.name == "data":
            names.add(name.as_posix())
    return names


def differences(wheel: Path) -> list[str]:
    """A line for each thing that is missing or too much."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    distribution, version, *_ = wheel.name.split("-")
    records = {f"{distribution}-{version}.dist-info/{name}" for name in RECORDS}
    found = [COMPILED.sub("", name) for name in names]
    wanted = expected(wheel.name) | records
    said = [f"{wheel.name}: missing {name}" for name in sorted(wanted - set(found))]
    said += [f"{wheel.name}: too much {name}" for name in sorted(set(found) - wanted)]
    if len(found) != len(set(found)):
        said.append(f"{wheel.name}: a module is in it twice")
    return said


def main(wheels: list[str]) -> int:
    """Check the wheels; the exit status."""
    if not wheels:
        print("usage: check_wheel.py WHEEL..", file=sys.stderr)
        return 2
    said = [line for wheel in wheels for line in differences(Path(wheel))]
    print("\n".join(said) or f"{len(wheels)} wheels hold what they should")
    return int(bool(said))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
