"""The choice of the instruction set, and that the sets are never mixed."""

import json
import os
import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gomoku_brain
from gomoku_brain import Rule, cpu, variants
from tests.test_bench import SIGNATURE

PACKAGE = Path(gomoku_brain.__file__).parent
SUFFIX = Path(cpu.__file__).name.removeprefix("cpu")


def built(root):
    """The modules of the set that a folder contains; a wheel may leave some out."""
    paths = {module: root / module.replace(".", "/") for module in cpu.SET}
    return [
        module for module, path in paths.items() if path.with_suffix(SUFFIX).exists()
    ]


BUILT = built(PACKAGE)

# A Haswell, the first processor that has all of it; then what others lack.
HASWELL = (0x7FFAFBFF, 0x000027AB, 0x00000021, 0x7)
IVY_BRIDGE = (0x7FBAE3FF, 0x00000281, 0x00000001, 0x7)  # AVX, but no AVX2
NOT_X86 = (0, 0, 0, 0)
RUNNING = [
    name for name in variants.VARIANTS if not variants.lacking(name, cpu.registers())
]
FORCED = {
    name: pytest.param(
        name,
        marks=pytest.mark.skipif(
            bool(cpu.MARCH) or name not in RUNNING,
            reason="this processor or build does not have it",
        ),
    )
    for name in variants.VARIANTS
}
# ``test_bench`` searches with the one in use.
NOT_IN_USE = [
    variant
    for name, variant in {variants.BASELINE: variants.BASELINE, **FORCED}.items()
    if name != variants.name
]


def without(registers, place, bit):
    changed = list(registers)
    changed[place] &= ~(1 << bit)
    return tuple(changed)


@pytest.fixture
def tree(tmp_path):
    """A package that has two of three modules, in both sets; the files are empty."""
    for folder in ("", "avx2"):
        for module in ("game/board", "tactics/vct"):
            file = tmp_path / folder / f"{module}.so"
            file.parent.mkdir(parents=True)
            file.touch()
    return tmp_path


def choose(tree, wanted="", registers=HASWELL):
    modules = ("game.board", "prove.hints", "tactics.vct")
    return variants.choose(str(tree), ".so", modules, wanted, registers)


# What a processor can run


def test_a_processor_with_everything_lacks_nothing():
    assert variants.lacking("avx2", HASWELL) == []


def test_each_feature_that_the_compiler_may_use_is_checked():
    names = "SSE3 SSSE3 FMA CMPXCHG16B SSE4.1 SSE4.2 MOVBE POPCNT OSXSAVE AVX F16C"
    places = dict.fromkeys(names.split(), 0)
    places |= {"BMI1": 1, "AVX2": 1, "BMI2": 1, "LAHF": 2, "LZCNT": 2}
    bits = "0 9 12 13 19 20 22 23 27 28 29 3 5 8 0 5".split()
    for (name, place), bit in zip(places.items(), bits, strict=True):
        lacking = variants.lacking("avx2", without(HASWELL, place, int(bit)))
        assert lacking == [name]


def test_avx2_under_a_system_that_does_not_save_its_registers_is_not_used(tree):
    registers = without(HASWELL, 3, 2)
    assert variants.lacking("avx2", registers) == ["saved YMM registers"]
    assert choose(tree, registers=registers) == ("baseline", {}, "")


def test_avx2_under_a_system_without_xsave_is_not_used(tree):
    registers = (*without(HASWELL, 0, 27)[:3], 0)  # XCR0 cannot be read then
    assert "OSXSAVE" in variants.lacking("avx2", registers)
    assert choose(tree, registers=registers)[0] == "baseline"


def test_the_processor_agrees_with_the_system():
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    except OSError:
        pytest.skip("needs /proc/cpuinfo")
    if not any(cpu.registers()):
        pytest.skip("needs an x86")
    needed = {"avx2", "bmi1", "bmi2", "fma", "f16c", "movbe", "abm"}
    assert (not variants.lacking("avx2", cpu.registers())) == needed.issubset(flags)


# The sets


@pytest.mark.source
def test_a_module_outside_the_set_shares_no_struct():
    sources = {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts): path
        for path in PACKAGE.rglob("*.pyx")
    }
    assert sources.keys() > set(cpu.SET)
    for module in sources.keys() - set(cpu.SET):
        interface = sources[module].with_suffix(".pxd")
        declared = interface.read_text("utf-8") if interface.exists() else ""
        text = sources[module].read_text("utf-8") + declared
        assert "struct" not in declared, module
        used = re.findall(r"gomoku_brain\.([\w.]+) cimport", text)
        assert not set(used) & set(cpu.SET), module


@pytest.mark.source
def test_a_shared_struct_has_the_same_size_for_all_instructions():
    """Its members are numbers, pointers and other structs, never vectors of C."""
    texts = [path.read_text("utf-8") for path in PACKAGE.rglob("*.pxd")]
    known = {"bint", "int", "size_t", "void", "int16_t", "int32_t", "int64_t"}
    known |= {"uint8_t", "uint16_t", "uint32_t", "uint64_t"}
    known |= {
        name
        for text in texts
        for name in re.findall(r"^cdef (?:enum|struct) (\w+):", text, re.M)
    }
    members = [
        member
        for text in texts
        for struct in re.findall(
            r"^cdef struct \w+:.*\n((?: {4}.*\n|\n(?= ))+)", text, re.M
        )
        for member in re.findall(r"^ {4}(?:const |volatile )?(\w+)", struct, re.M)
    ]
    assert len(members) > 100
    assert not set(members) - known


@pytest.mark.parametrize("variant", variants.VARIANTS)
def test_every_module_of_the_set_is_built_for_each_variant_or_none_is(variant):
    assert {"game.board", "search.worker"} < set(BUILT)
    assert built(PACKAGE / variant) in ([], BUILT)


# The choice


def test_the_best_variant_that_runs_is_chosen_whole(tree):
    name, files, note = choose(tree)
    assert (name, note) == ("avx2", "")
    assert files == {
        "game.board": str(tree / "avx2" / "game" / "board.so"),
        "tactics.vct": str(tree / "avx2" / "tactics" / "vct.so"),
    }


@pytest.mark.parametrize("registers", [IVY_BRIDGE, NOT_X86])
def test_a_processor_without_avx2_plays_with_the_baseline(tree, registers):
    assert choose(tree, registers=registers) == ("baseline", {}, "")


def test_the_baseline_can_be_forced(tree):
    assert choose(tree, "baseline") == ("baseline", {}, "")


def test_a_variant_that_cannot_run_is_refused_with_what_is_lacking(tree):
    name, files, note = choose(tree, "avx2", IVY_BRIDGE)
    assert (name, files) == ("baseline", {})
    assert note.startswith("GOMOKU_CPU=avx2 cannot run here")
    assert "BMI2" in note
    assert "SSE3" not in note


def test_an_unknown_name_is_reported_and_the_best_is_chosen(tree):
    name, files, note = choose(tree, "avx9000")
    assert name == "avx2"
    assert files
    assert note == "GOMOKU_CPU=avx9000 is not known; there are: baseline, avx2"


@pytest.mark.parametrize("wanted", ["", "avx2"])
def test_a_set_that_lacks_a_module_is_not_used_at_all(tree, wanted):
    (tree / "avx2" / "game" / "board.so").unlink()
    name, files, note = choose(tree, wanted)
    assert (name, files) == ("baseline", {})
    assert note.endswith("lacks game.board")


def test_without_a_set_for_it_avx2_is_not_used(tree):
    shutil.rmtree(tree / "avx2")
    assert choose(tree)[:2] == ("baseline", {})


def test_modules_of_another_python_make_no_set(tree):
    file = tree / "avx2" / "tactics" / "vct.so"
    file.rename(file.with_name("vct.cpython-399.so"))
    assert choose(tree)[0] == "baseline"


def test_the_finder_leaves_other_modules_to_python():
    finder = variants.Finder({"gomoku_brain.game.board": "/folder/board.so"})
    assert finder.find_spec("gomoku_brain.game.notation") is None
    spec = finder.find_spec("gomoku_brain.game.board")
    assert (spec.name, spec.origin) == ("gomoku_brain.game.board", "/folder/board.so")


# A process


def python(code, variant="", folder=None, **environment):
    """What the code prints as JSON, run with a variant forced."""
    environment = {**os.environ, "GOMOKU_CPU": variant, **environment}
    if folder:
        environment["PYTHONPATH"] = str(folder)
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_process_without_a_request_uses_the_best_set():
    code = """
import json
from gomoku_brain import variants
print(json.dumps([variants.name, variants.note]))
"""
    assert python(code) == [cpu.MARCH or [*RUNNING, variants.BASELINE][0], ""]


# Every module of the set, whichever is imported first: where it came from, and the size
# of each class, some of which contain structs. An import fails if another module of the
# process was compiled with another size of a class that it uses.
LOADED = """
import importlib, json, sys
from gomoku_brain import cpu, variants
files, sizes = {{}}, {{}}
for module in {modules!r}:
    importlib.import_module(module)
for name, module in list(sys.modules.items()):
    short = name.removeprefix("gomoku_brain.")
    if short in cpu.SET:
        files[name] = module.__file__
        for label, held in vars(module).items():
            if isinstance(held, type) and held.__module__ == name:
                sizes[name + "." + label] = held.__basicsize__
print(json.dumps([variants.name, variants.note, files, sizes]))
"""


def loaded(first="gomoku_brain.game.board", **process):
    modules = [first, *(f"gomoku_brain.{module}" for module in BUILT)]
    return python(LOADED.format(modules=modules), **process)


def folders_of(files):
    """The folders that hold the sets of these modules."""
    return {
        Path(file).parents[len(name.split(".")) - 2] for name, file in files.items()
    }


@pytest.mark.parametrize(
    "first", ["gomoku_brain.game.board", "gomoku_brain.tactics.vct", "pbrain"]
)
@pytest.mark.parametrize("variant", [variants.BASELINE, *FORCED.values()])
def test_all_modules_come_from_one_set_whatever_is_imported_first(variant, first):
    root = PACKAGE if variant == variants.BASELINE else PACKAGE / variant
    if first == "pbrain":
        if not (PACKAGE.parent / "pbrain.py").exists():
            pytest.skip("needs the source folder")
        _, _, files, _ = loaded(first, variant=variant, folder=PACKAGE.parent)
    else:
        _, _, files, _ = loaded(first, variant=variant)
    assert len(files) == len(BUILT)
    assert folders_of(files) == {root}


@pytest.mark.parametrize("variant", NOT_IN_USE)
def test_every_variant_has_classes_of_the_same_size(variant):
    *_, sizes = loaded(variant=variant)
    assert len(sizes) > 5
    assert sizes == loaded()[-1]


@pytest.mark.parametrize("variant", NOT_IN_USE)
def test_every_variant_searches_alike(variant):
    code = """
import json
from gomoku_brain import variants
from gomoku_brain.commands import bench
print(json.dumps([variants.name, bench.run(verbose=False)[0]]))
"""
    name, nodes = python(code, variant)
    assert nodes == SIGNATURE
    assert name == (cpu.MARCH or variant)


@pytest.mark.parametrize("variant", [variants.BASELINE, *FORCED.values()])
def test_pickles_know_nothing_of_variants(variant):
    code = """
import json, pickle
from gomoku_brain import Board, Rule
data = pickle.dumps(Rule.RENJU)
print(json.dumps([data.hex(), Board.__module__]))
"""
    data, module = python(code, variant)
    assert module == "gomoku_brain.game.position"
    assert pickle.loads(bytes.fromhex(data)) is Rule.RENJU


@pytest.fixture
def damaged(tmp_path):
    """A copy of the installed package without one module of its AVX2 set."""
    copy = tmp_path / "copy"
    kinds = shutil.ignore_patterns("__pycache__", "*.pyx", "*.pxd")
    shutil.copytree(PACKAGE, copy / PACKAGE.name, ignore=kinds)
    (copy / PACKAGE.name / "avx2" / "tactics" / f"vct{SUFFIX}").unlink()
    return copy


@pytest.mark.parametrize("variant", FORCED.values())
def test_a_damaged_set_leads_to_the_baseline_and_no_mixture(variant, damaged):
    for wanted in ("", variant):
        name, note, files, _ = loaded(variant=wanted, folder=damaged)
        assert name == "baseline"
        assert note.endswith("lacks tactics.vct")
        assert folders_of(files) == {damaged / PACKAGE.name}


def test_a_brain_with_an_unknown_variant_plays_and_logs_it(tmp_path):
    log = tmp_path / "log"
    done = subprocess.run(
        [sys.executable, "-m", "gomoku_brain"],
        input=b"START 15\nINFO timeout_turn 100\nBEGIN\n",
        env={**os.environ, "GOMOKU_CPU": "Z80", "GOMOKU_LOG": str(log)},
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 0
    assert done.stderr == b""
    assert done.stdout.startswith(b"OK\n")
    first = log.read_text(encoding="utf-8").splitlines()[0]
    assert " variant " in first
    assert "GOMOKU_CPU=z80" in first
