"""Choice of the instruction set: the compiled modules exist once for each variant.

The modules that share C (all that cimport a struct, such as the board) are a *set*:
the code that one of them inlines from another, and the size of a struct, may depend on
the instructions for which they were compiled. The same C is compiled once for each
variant. The set of the baseline, which every processor of its kind runs, is beside the
sources; that of the variant ``avx2`` has the same names in the folder ``avx2``. A set
is chosen as a whole when the package is imported, before any module of a set is, and a
set that lacks a module is not used at all. ``cpu.SET`` has the names of the modules, by
the build. A finder then provides them by their usual names, so that imports, cimports
and pickles do not depend on variants.

A build with ``GOMOKU_MARCH`` has one set, for the processor that it names.
"""

import os
import sys

TYPE_CHECKING = False  # typing takes milliseconds of the start to import
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from typing import Any

BASELINE = "baseline"
VARIANTS = ("avx2",)
"""Variants of a build beside the baseline, the best first."""

# All instructions that a compiler may use under x86-64-v3, which setup.py lists: (the
# place in the result of cpu.registers(), the bit). Source: cpu.pyx; x86-64 psABI, table
# 3.1.
_X86_64_V3 = {
    "SSE3": (0, 0),
    "SSSE3": (0, 9),
    "FMA": (0, 12),
    "CMPXCHG16B": (0, 13),
    "SSE4.1": (0, 19),
    "SSE4.2": (0, 20),
    "MOVBE": (0, 22),
    "POPCNT": (0, 23),
    "OSXSAVE": (0, 27),
    "AVX": (0, 28),
    "F16C": (0, 29),
    "BMI1": (1, 3),
    "AVX2": (1, 5),
    "BMI2": (1, 8),
    "LAHF": (2, 0),
    "LZCNT": (2, 5),
    "saved XMM registers": (3, 1),
    "saved YMM registers": (3, 2),
}
_NEEDS = {"avx2": _X86_64_V3}

name = BASELINE
"""Variant in use: "avx2", "baseline", or the ``GOMOKU_MARCH`` of the build."""
note = ""
"""Reason why it is not the requested variant or the best for the processor; or ""."""


def in_words() -> str:
    """Return the variant in use, and the note in brackets if there is one."""
    return f"{name} ({note})" if note else name


class Finder:
    """Finder of the modules of a set, for Python's import system."""

    def __init__(self, files: dict[str, str]) -> None:
        """Store the path of each module by its full name."""
        self.files = files

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> "ModuleSpec | None":
        """Return the module's file in the chosen set; None leaves others to other
        finders.
        """
        file = self.files.get(fullname)
        if file is None:
            return None
        from gomoku_brain import cpu

        like: Any = cpu.__spec__  # its classes: importlib.machinery would delay a start
        spec: ModuleSpec = type(like)(
            fullname, type(like.loader)(fullname, file), origin=file
        )
        spec.has_location = True  # the module's __file__
        return spec


def lacking(variant: str, registers: tuple[int, int, int, int]) -> list[str]:
    """Return the features that a variant needs and the processor or its system
    lacks.
    """
    return [
        feature
        for feature, (place, bit) in _NEEDS[variant].items()
        if not registers[place] >> bit & 1
    ]


def choose(
    root: str,
    suffix: str,
    modules: tuple[str, ...],
    wanted: str,
    registers: tuple[int, int, int, int],
) -> tuple[str, dict[str, str], str]:
    """Return the variant to use, its modules with their paths, and a note or "".

    ``root`` is the folder of the package, ``modules`` the names of a set and ``suffix``
    the end of their files. A module that the baseline lacks, as in the program without
    Python, may be missing. ``wanted`` is a variant's name, or "" for the best one that
    runs. A variant that cannot be used gives a note instead of an error, so that the
    engine plays in any case.
    """
    note = ""
    if wanted not in ("", BASELINE, *VARIANTS):
        known = ", ".join((BASELINE, *VARIANTS))
        note = f"GOMOKU_CPU={wanted} is not known; there are: {known}"
        wanted = ""
    for variant in VARIANTS:
        if wanted not in ("", variant):
            continue
        if missing := lacking(variant, registers):
            if wanted:
                detail = f"the processor or its system lacks {', '.join(missing)}"
                note = f"GOMOKU_CPU={wanted} cannot run here: {detail}"
            continue
        files = {}
        absent = []
        for module in modules:
            file = module.replace(".", os.sep) + suffix
            path = os.path.join(root, variant, file)
            if os.path.exists(path):
                files[module] = path
            elif os.path.exists(os.path.join(root, file)):
                absent.append(module)
        if absent:
            detail = ", ".join(absent[:3]) + (" and others" if len(absent) > 3 else "")
            note = f"the set {variant} is not used, for it lacks {detail}"
            continue
        return variant, files, note
    return BASELINE, {}, note


def use_best(wanted: str) -> None:
    """Choose the set for this process; ``wanted`` is the value of ``GOMOKU_CPU``.

    Before anything is compiled, nothing is chosen: the first import of a compiled
    module then reports the missing module.
    """
    global name, note
    try:
        from gomoku_brain import cpu
    except ImportError:
        return
    if cpu.MARCH:
        name = cpu.MARCH
        if wanted:
            note = f"GOMOKU_CPU={wanted}: this build is for {name} alone"
        return
    file = cpu.__file__
    root = os.path.dirname(file)
    suffix = os.path.basename(file).removeprefix("cpu")
    name, files, note = choose(root, suffix, cpu.SET, wanted, cpu.registers())
    if files:
        package = __name__.rpartition(".")[0]
        modules = {f"{package}.{module}": path for module, path in files.items()}
        sys.meta_path.insert(0, Finder(modules))
