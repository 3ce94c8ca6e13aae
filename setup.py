"""Build the Cython modules of ``gomoku_brain``; metadata is in pyproject.toml.

Environment variables:

``GOMOKU_MARCH``     processor to build for, e.g. ``native`` (default: any)
``GOMOKU_DEBUG``     checked indexing and C asserts, for hunting a crash
``GOMOKU_ANNOTATE``  write Cython's annotated HTML to ``build/cython*``
``GOMOKU_STRICT``    fail on Cython's warnings and performance hints
"""

import io
import os
import re
import sys
from contextlib import redirect_stderr
from pathlib import Path

import Cython
from Cython.Build import cythonize
from Cython.Compiler import Options
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent
PACKAGE = "gomoku_brain"


def is_on(variable):
    """Whether an environment variable is set to anything but 0."""
    return os.environ.get(variable, "") not in ("", "0")


MARCH = os.environ.get("GOMOKU_MARCH")
DEBUG = is_on("GOMOKU_DEBUG")
ANNOTATE = is_on("GOMOKU_ANNOTATE")
STRICT = is_on("GOMOKU_STRICT")

DIRECTIVES = {
    "language_level": "3",
    "boundscheck": DEBUG,
    "initializedcheck": DEBUG,
    "nonecheck": False,  # it would need the GIL
    "wraparound": False,
    "cdivision": True,
    "auto_pickle": False,
    "autotestdict": False,
}
# An assert in the core costs a node its speed, so only a debug build keeps them.
MACROS = [] if DEBUG else [("CYTHON_WITHOUT_ASSERTIONS", "1")]
# Generated C is kept apart for each compiler version and kind of build, because time
# stamps alone would take one for the other.
C_FOLDER = f"build/cython-{Cython.__version__}{'-debug' if DEBUG else ''}"


def compiler_flags(compiler_type):
    """Flags for the compiler at hand; portable unless GOMOKU_MARCH says otherwise."""
    if compiler_type == "msvc":
        if MARCH == "native":
            raise SystemExit("MSVC has no /arch:native: set GOMOKU_MARCH, e.g. to AVX2")
        return ["/O2", *([f"/arch:{MARCH}"] if MARCH else [])]
    return [
        "-O3",
        "-g0",  # Python's own flags ask for -g: five times the size of the module
        "-ffp-contract=off",  # so that the bench signature is the same everywhere
        "-Wno-unreachable-code",  # clang, of what Cython generates
        "-Wno-unused-function",  # clang, of inline helpers in a .pxd
        *([f"-march={MARCH}"] if MARCH else []),
    ]


def extensions():
    for source in sorted((ROOT / PACKAGE).rglob("*.pyx")):
        path = source.relative_to(ROOT)
        name = ".".join(path.with_suffix("").parts)
        yield Extension(name, [path.as_posix()], define_macros=MACROS)


def generate_c():
    """Run Cython; in a strict build a warning or performance hint ends it."""
    Options.warning_errors = STRICT
    said = io.StringIO()
    try:
        with redirect_stderr(said):
            modules = cythonize(
                list(extensions()),
                build_dir=C_FOLDER,
                compiler_directives=DIRECTIVES,
                annotate=ANNOTATE,
                force=STRICT or ANNOTATE or None,  # what is up to date says nothing
            )
    finally:
        sys.stderr.write(said.getvalue())
    hints = re.findall(r"^performance hint: .*", said.getvalue(), re.MULTILINE)
    if STRICT and hints:
        raise SystemExit("\n".join(["GOMOKU_STRICT refuses the build for:", *hints]))
    return modules


class BuildExt(build_ext):
    """Generate C only when it is to be built, with the flags of the compiler found."""

    def run(self):
        generated = {module.name: module for module in generate_c()}
        for extension in self.extensions:
            extension.sources = generated[extension.name].sources
            extension.depends = generated[extension.name].depends
        super().run()
        # ``python pbrain.py`` run here imports this folder, never site-packages,
        # so a plain ``pip install .`` must leave the modules here as well.
        if not self.inplace:
            self.copy_extensions_to_source()

    def build_extensions(self):
        flags = compiler_flags(self.compiler.compiler_type)
        for extension in self.extensions:
            extension.extra_compile_args = flags
        # Time stamps cannot tell that flags have changed since the last build.
        settings = f"{self.compiler.compiler_type} {flags} {MACROS} {C_FOLDER}"
        stamp = Path(self.build_temp, "settings.txt")
        if not stamp.exists() or stamp.read_text() != settings:
            self.force = True
        stamp.unlink(missing_ok=True)  # a build that fails half-way is not trusted
        super().build_extensions()
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.write_text(settings)


setup(
    ext_modules=list(extensions()),
    cmdclass={"build_ext": BuildExt},
    options={"build_ext": {"parallel": os.cpu_count()}},
)
