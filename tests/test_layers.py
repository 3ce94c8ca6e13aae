"""The dependency direction of the package, kept by a test instead of by memory."""

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.source
PACKAGE = Path(__file__).parents[1] / "gomoku_brain"

# Lowest first, by module path inside the package ("tactics.vcf") or by folder
# ("commands"): a module may import only what stands before it, in its own row or in
# its own folder's row. Every source must be listed.
ORDER = """
    version program_name cpu variants windows_pipe game.bits game.memory
    game.package_data game.rules game.geometry game.patterns game.zobrist game.board
    game.forbidden game.notation game.diagram game.symmetry game.position eval.score
    eval.chance eval.weights eval.hand_weights eval.evaluator eval.linear
    eval.accumulator eval.lanes eval.points eval.evaluate control.strength
    control.params control.search_control control.task search.tt search.history
    tactics.threats control.limits search.movepick tactics.fours tactics.vcf
    tactics.proof_table tactics.threat_region tactics.vct prove.hints tactics.replay
    tactics.shortest engine.root_threats search.reduction search.alphabeta search.worker
    search.speed engine.time_manager engine.aspiration engine.growth engine.line_replay
    engine.smp engine.root_search levels.shapes levels.ladder levels.handicap
    engine.engine proofs.grid proofs.certificate proofs.boards proofs.book
    protocol.commands protocol.options proofs.proved engine.swap2 protocol.states
    protocol.lines_of_play protocol.thought protocol.thinker protocol.blocks
    protocol.dialogue protocol.session protocol.start_settings protocol.stdio
    client.brain doctor.program doctor.visit doctor.script doctor.checkup
    runs.output_files runs.run_options runs.worker_processes runs.journal
    records.encodings match.stats records.game_record records.psq records.sgf_tree
    records.sgf records.renlib records.game_formats records.openings match.referee
    match.tournament match.report match.html_report runs.cluster match.cluster_games
    prove.checker prove.tree_file prove.proof_numbers prove.tree_book prove.tree
    prove.snapshot prove.suggestions prove.expander prove.prover prove.full_check
    records.game records.setting records.record_reader records.json_reader
    records.protocol_reader records.reader study.known_proofs study.win_tree
    study.defence study.line_shapes study.quick_wins study.threat_words study.annotate
    study.rows study.judged_files study.full_analysis study.analysis_text study.service
    study.pictures lab.makers.balance study.puzzles study.puzzle_set
    lab.experiment.shape_counts lab.experiment.plain_position
    lab.experiment.plain_search lab.experiment.plan lab.experiment.results
    lab.experiment.players lab.experiment.first_moves lab.experiment.play_outs
    lab.experiment.games lab.experiment.studies lab.experiment.figures
    lab.experiment.tables lab.experiment.pages lab.experiment.plots
    lab.experiment.level_files lab.experiment.chapters lab.train.features
    lab.train.windows lab.train.losses lab.train.kind_weights lab.train.parts
    lab.train.numbered lab.train.samples lab.train.dataset lab.train.choices
    lab.train.vectors lab.train.region_sums lab.train.pooled lab.train.program_options
    lab.train.selfplay lab.train.sampling lab.train.evaluated lab.train.fit
    lab.train.inputs lab.train.quantize lab.train.trainer lab.train.policy
    lab.train.calibration lab.tune.curve lab.tune.duel lab.tune.spsa lab.tune.accuracy
    gui.model.game_tree gui.model.clock gui.model.seats gui.model.terms
    gui.base.background gui.game.play gui.model.progress gui.model.settings
    gui.model.saved_game gui.model.position_keys gui.model.archive_rescue
    gui.model.archive gui.game.autosave gui.base.languages gui.base.themes
    gui.board.board_painter gui.board.board_widget gui.base.icons gui.base.words
    gui.board.player_card gui.board.evaluation_bar gui.board.move_list
    gui.study.score_curve gui.study.review_list gui.model.lessons
    gui.model.program_analysis gui.study.analyst gui.study.analysis_panel
    gui.study.proof_panel gui.window.engine_log gui.base.forms gui.base.messages
    gui.archive.documents gui.archive.file_errors gui.study.study_desk
    gui.archive.file_desk gui.game.new_game_dialog gui.dialogs.programs_dialog
    gui.game.puzzles_dialog gui.dialogs.settings_dialog gui.archive.explorer
    gui.puzzles.coach gui.archive.archive_dialog gui.game.game_starter
    gui.study.proof_desk gui.puzzles.learning_desk gui.archive.archive_desk
    gui.game.status gui.game.notices gui.tournament.tournament_run
    gui.tournament.tournament_window gui.window.actions gui.window.main_view
    gui.window.presenter gui.window.switches __init__ gui.dialogs.help_pages
    gui.window.dialogs gui.window.main_window gui.window.app commands __main__
"""
LAYERS = ORDER.split()
IMPORT = re.compile(
    r"""^\s*(?:from\s+gomoku_brain(?:\.([\w.]+))?\s+c?import\s+(\([^)]*\)|[^\n]*)
        |c?import\s+(gomoku_brain\b[\w.]*))""",
    re.MULTILINE | re.VERBOSE,
)
RELATIVE = re.compile(r"^\s*from\s+\.", re.MULTILINE)
SUFFIXES = {".py", ".pyi", ".pyx", ".pxd"}
FOLDERS = sorted(p.parent for p in PACKAGE.rglob("*/__init__.py"))
SOURCES = sorted(
    p
    for p in PACKAGE.rglob("*")
    if p.suffix in SUFFIXES and not (p.name == "__init__.py" and p.parent in FOLDERS)
)


def module_of(path):
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


def rank(module):
    """The place of a module: its own row, else that of the longest folder listed."""
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        name = ".".join(parts[:length])
        if name in LAYERS:
            return LAYERS.index(name)
    raise AssertionError(f"{module} is on no layer")


def imports_of(text):
    """The modules imported: ``from gomoku_brain.game import rules`` is game.rules.

    What ``from gomoku_brain import`` names is a module or folder, else of __init__,
    which ``import gomoku_brain`` takes whole.
    """
    folders = {module_of(folder) for folder in FOLDERS}
    top = folders | {path.stem for path in SOURCES if path.parent == PACKAGE}
    for module, names, whole in IMPORT.findall(text):
        if whole:
            yield whole.removeprefix("gomoku_brain").removeprefix(".") or "__init__"
            continue
        if module and module not in folders:
            yield module
            continue
        for name in filter(str.strip, names.strip("()").split(",")):
            word = name.split()[0]
            yield f"{module}.{word}" if module else word if word in top else "__init__"


@pytest.mark.parametrize(
    "source", SOURCES, ids=lambda path: path.relative_to(PACKAGE).as_posix()
)
def test_imports_point_down(source):
    module = module_of(source)
    text = source.read_text(encoding="utf-8")
    assert not RELATIVE.search(text), "imports are absolute"
    for imported in imports_of(text):
        if imported != module:
            assert rank(imported) <= rank(module), f"{module} imports {imported}"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_a_folder_imports_nothing_by_itself(folder):
    text = (folder / "__init__.py").read_text(encoding="utf-8")
    assert not list(imports_of(text))


def test_every_listed_layer_exists():
    modules = {module_of(source) for source in SOURCES}
    folders = {module_of(folder) for folder in FOLDERS}
    assert set(LAYERS) <= modules | folders


SEAM = {"eval.chance", "eval.evaluate", "eval.evaluator", "eval.score"}
BEHIND = (
    "game.",
    "eval.",
    "lab.train.",
    "lab.tune.",
)  # what is below or behind the seam, what fits it


def test_only_the_seam_of_the_evaluation_is_known():
    for source in SOURCES:
        if not module_of(source).startswith(BEHIND):
            imported = set(imports_of(source.read_text(encoding="utf-8")))
            beyond = {name for name in imported if name.startswith("eval.")} - SEAM
            assert not beyond, f"{source} imports {beyond}"


def test_the_import_pattern_sees_every_form():
    text = """
        from gomoku_brain import Board
        from gomoku_brain import variants
        from gomoku_brain.game.board cimport x
        from gomoku_brain.eval.score import (
            WIN,
        )
        from gomoku_brain.protocol import (
            commands as words,
            options,
        )
        from gomoku_brain.control import limits
        from gomoku_brain.tactics import vcf
        cimport gomoku_brain.game.rules as r
        import gomoku_brain
        import gomoku_brain as whole
    """
    assert " ".join(imports_of(text)) == (
        "__init__ variants game.board eval.score protocol.commands protocol.options "
        "control.limits tactics.vcf game.rules __init__ __init__"
    )


def test_the_map_names_every_file():
    words = set(re.findall(r"`(\w+)/?`", (PACKAGE / "README.md").read_text("utf-8")))
    files = {source.stem for source in SOURCES if source.parent.name != "commands"}
    assert not files - words
