"""Build the Cython modules of ``gomoku_brain``; metadata is in pyproject.toml.

The C that Cython makes of them is compiled once for each variant, that is, instruction
set: on x86-64 for the baseline and for AVX2, elsewhere for the baseline alone. Which
one runs is chosen when the package is imported (gomoku_brain/variants.py).

Environment variables:

``GOMOKU_MARCH``     the one processor to build for, e.g. ``native`` (default: variants)
``GOMOKU_DEBUG``     checked indexing, also of arrays of C, for hunting a crash
``GOMOKU_ANNOTATE``  write Cython's annotated HTML to ``build/cython*``
``GOMOKU_STRICT``    fail on Cython's warnings and performance hints
``CFLAGS``           flags for the C compiler, of which ``-O`` and ``-g`` replace ours;
                     with ``-O0`` the build is quick
"""

import io
import os
import re
import shutil
import sys
import sysconfig
from contextlib import redirect_stderr
from pathlib import Path
from zlib import crc32

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
# Generated C is kept apart for each version and all settings of the compiler, because
# time stamps alone would take one for the other.
KIND = f"{crc32(repr(DIRECTIVES).encode()):08x}{'-strict' if STRICT else ''}"
C_FOLDER = f"build/cython-{Cython.__version__}-{KIND}"
CFLAGS = os.environ.get("CFLAGS", "")

# A variant has a folder in the package for its modules; those of the baseline stand
# beside their sources.
BASELINE, AVX2 = "", "avx2"
PLATFORM = sysconfig.get_platform()
IS_X86_64 = re.search("x86_64|amd64|universal2", PLATFORM) is not None
VARIANTS = [BASELINE, AVX2] if IS_X86_64 and not MARCH else [BASELINE]
# Every module by its name in the package. Those in folders are in the set of each
# variant; the others, of which cpu chooses the variant, share no struct and exist once.
SOURCES = {
    ".".join(path.relative_to(ROOT / PACKAGE).with_suffix("").parts): path
    for path in sorted((ROOT / PACKAGE).rglob("*.pyx"))
}
SET = [module for module in SOURCES if "." in module]
# Modules with the loops of searches and of training. The others are compiled at -O1, in
# half the time, and the engine searches as fast.
HOT = {
    *("game.board", "game.forbidden", "game.patterns"),
    *("eval.linear", "eval.points"),
    *("tactics.proof_table", "tactics.threat_region", "tactics.threats"),
    *("tactics.vcf", "tactics.vct"),
    *("search.alphabeta", "search.movepick", "search.reduction", "search.tt"),
    *("lab.train.features", "lab.train.region_sums", "lab.train.sampling"),
}
# An index beyond an array of C, which ``boundscheck`` does not see, ends the process.
CHECKS = ["-fsanitize=bounds", "-fsanitize-undefined-trap-on-error"]
# x86-64-v3 feature by feature: compilers as old as gcc 8 do not know that name yet.
X86_64_V3 = (
    "-mcx16 -msahf -mpopcnt -msse4.2 -mavx2 -mbmi -mbmi2 -mf16c -mfma -mlzcnt -mmovbe"
    " -mxsave"
).split()


def processor_flags(compiler_type, variant):
    """What the compiler may use of the processor."""
    if compiler_type == "msvc":
        if MARCH == "native":
            raise SystemExit("MSVC has no /arch:native: set GOMOKU_MARCH, e.g. to AVX2")
        march = MARCH or variant.upper()
        return [f"/arch:{march}"] if march else []
    if MARCH:
        return [f"-march={MARCH}"]
    if variant == BASELINE:
        return []
    if "universal2" in PLATFORM:  # the other half of each file is for ARM
        return [word for flag in X86_64_V3 for word in ("-Xarch_x86_64", flag)]
    return X86_64_V3


def compiler_flags(compiler_type, variant, module):
    """Flags for the compiler at hand, for a module of one variant."""
    processor = processor_flags(compiler_type, variant)
    if compiler_type == "msvc":
        return ["/O2", *processor]
    own = {word[:2] for word in CFLAGS.split()}
    return [
        *(() if "-O" in own else ["-O3" if module in HOT else "-O1"]),
        # Python's own flags ask for -g: five times the size of the module.
        *(() if "-g" in own else ["-g0"]),
        "-ffp-contract=off",  # so that the bench signature is the same everywhere
        "-Wno-all",  # of what Cython generates; to look for them takes 5 % of the time
        "-Wno-unreachable-code",  # clang, which does not count it to all
        *(CHECKS if DEBUG else []),
        *processor,
    ]


def macros(module):
    """Macros for gomoku_brain/cpu.pyx, which contains how the package was built."""
    if module != "cpu":
        return []
    march = [("GOMOKU_MARCH", MARCH)] if MARCH else []
    return [("GOMOKU_SET", " ".join(SET)), *march]


def extensions(variant=BASELINE):
    """The modules of a variant; in the folder of one they are the package once more."""
    for module in SOURCES if variant == BASELINE else SET:
        name = ".".join(filter(None, [PACKAGE, variant, module]))
        source = SOURCES[module].relative_to(ROOT).as_posix()
        extension = Extension(name, [source], define_macros=macros(module))
        extension.module, extension.variant = module, variant
        extension.package = f"{PACKAGE}.{module}".rpartition(".")[0]
        yield extension


def up_to_date(modules):
    """Modules whose C is newer than their source and every declaration here.

    Cython also compares with its own files, which an isolated build has just installed:
    it would translate every module again.
    """
    declared = (ROOT / PACKAGE).rglob("*.pxd")
    newest = max((path.stat().st_mtime for path in declared), default=0)
    found = {}
    for module in modules:
        c = Path(C_FOLDER, SOURCES[module].relative_to(ROOT)).with_suffix(".c")
        changed = max(newest, SOURCES[module].stat().st_mtime)
        if c.exists() and c.stat().st_mtime > changed:
            found[module] = [c.as_posix()]
    return found


def generate_c(modules):
    """Run Cython, and return the C files of each module.

    In a strict build a warning or performance hint ends it.
    """
    Options.warning_errors = STRICT
    # Cython prints nothing about a module that is up to date, so after a strict build
    # that failed every module is translated again.
    passed = Path(C_FOLDER, "strict.txt")
    force = ANNOTATE or (STRICT and not passed.exists())
    ready = {} if force else up_to_date(modules)
    passed.unlink(missing_ok=True)
    said = io.StringIO()
    try:
        with redirect_stderr(said):
            generated = cythonize(
                [
                    each
                    for each in extensions()
                    if each.module in modules - ready.keys()
                ],
                build_dir=C_FOLDER,
                compiler_directives=DIRECTIVES,
                annotate=ANNOTATE,
                force=force or None,
            )
    finally:
        sys.stderr.write(said.getvalue())
    hints = re.findall(r"^performance hint: .*", said.getvalue(), re.MULTILINE)
    if STRICT and hints:
        raise SystemExit("\n".join(["GOMOKU_STRICT refuses the build for:", *hints]))
    if STRICT:
        passed.touch()
    return ready | {
        module.name.partition(".")[2]: module.sources for module in generated
    }


class BuildExt(build_ext):
    """Generate C only when it is to be built, with the flags of the compiler found."""

    def run(self):
        # pyproject.toml may leave packages out of the wheel.
        if not (self.inplace or self.editable_mode):
            packages = self.distribution.packages
            self.extensions = [e for e in self.extensions if e.package in packages]
        generated = generate_c({extension.module for extension in self.extensions})
        for extension in self.extensions:
            extension.sources = generated[extension.module]
        self.remove_strays()
        self.settings = {}
        super().run()
        # ``python pbrain.py`` run here imports this folder, never site-packages,
        # so a plain ``pip install .`` must leave the modules here as well.
        if not self.inplace:
            self.copy_extensions_to_source()
        for stamp, settings in self.settings.items():
            stamp.write_text(settings)

    def remove_strays(self):
        """Remove the modules of earlier builds that this one does not make."""
        names = {extension.name for extension in self.extensions}
        for folder in (ROOT, Path(self.build_lib)):
            for file in sorted((folder / PACKAGE).rglob("*")):
                package = file.relative_to(folder).parent
                module = ".".join([*package.parts, file.name.partition(".")[0]])
                if file.suffix in (".so", ".pyd") and module not in names:
                    file.unlink()

    def copy_extensions_to_source(self):
        for extension in self.extensions:
            file = ROOT.joinpath(*extension.name.split("."))
            file.parent.mkdir(parents=True, exist_ok=True)
        super().copy_extensions_to_source()

    def build_extensions(self):
        """Build the variants one after the other, each with all processors."""
        every, temp, force = self.extensions, self.build_temp, self.force
        for variant in VARIANTS:
            self.extensions = [each for each in every if each.variant == variant]
            self.build_temp = os.path.join(temp, variant or "baseline")
            self.build_variant(variant)
            self.force = force
        self.extensions, self.build_temp = every, temp

    def build_variant(self, variant):
        compiler = self.compiler.compiler_type
        flags = {name: compiler_flags(compiler, variant, name) for name in SOURCES}
        for extension in self.extensions:
            extension.extra_compile_args = flags[extension.module]
        # Every build leaves its modules in this folder, so the next one, of whichever
        # command, takes those that are up to date. Time stamps do not show that flags
        # have changed.
        suffix = sysconfig.get_config_var("EXT_SUFFIX")
        stamp = ROOT / "build" / f"{variant or 'baseline'}{suffix}.txt"
        settings = f"{compiler} {CFLAGS} {C_FOLDER} {macros('cpu')} {flags}"
        if stamp.exists() and stamp.read_text() == settings:
            self.take_modules()
        else:
            self.force = True
        stamp.unlink(missing_ok=True)  # a build that fails half-way is not trusted
        super().build_extensions()
        self.settings[stamp] = settings

    def take_modules(self):
        """Copy the modules of the last build to where this one builds them."""
        for extension in self.extensions:
            built = ROOT / self.get_ext_filename(self.get_ext_fullname(extension.name))
            target = Path(self.get_ext_fullpath(extension.name))
            target.unlink(missing_ok=True)
            if built.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(built, target)


setup(
    ext_modules=[each for variant in VARIANTS for each in extensions(variant)],
    cmdclass={"build_ext": BuildExt},
    options={"build_ext": {"parallel": os.cpu_count()}},
)
