"""``doctor``: reasons why a manager does not load an engine, or would let it lose.

The command replays the lines of each manager to this brain or any engine. For each
answer that the manager expects, it prints whether it comes, what came instead, and the
consequence.
"""

import sys
import sysconfig
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import gomoku_brain
from gomoku_brain import variants
from gomoku_brain.client.brain import EngineSpec, split_command
from gomoku_brain.control.limits import PlayerLimits
from gomoku_brain.doctor.checkup import (
    GOMOCUP_MEMORY,
    MANAGERS,
    check_manager,
    check_start,
)
from gomoku_brain.doctor.manager_session import ManagerSession
from gomoku_brain.doctor.program import (
    NAME_CHECK,
    Check,
    DoctorLine,
    inspect_program,
)
from gomoku_brain.foreign_text import shown
from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.game.rules import Rule
from gomoku_brain.match.referee import GameTask, play_game
from gomoku_brain.program_name import program_name
from gomoku_brain.records.openings import Opening
from gomoku_brain.runs.end_signals import end_signals
from gomoku_brain.runs.json_rows import json_line
from gomoku_brain.runs.run_options import (
    OneLineParser,
    ProgressWriter,
    number_within,
    rule_named,
)

_EXAMPLES = """\
examples:
  {program} doctor                  this brain, as it is installed
  {program} doctor --engine ./pbrain-rapfi --rules freestyle,renju
  {program} doctor --engine "python3 my_engine.py" --manager piskvork
  {program} doctor --engine "wine pbrain-yixin.exe" --json
"""
_MARKS = {"pass": "ok  ", "note": "note", "fail": "FAIL"}
QUICK_TURN = 0.3  # largest time per move with --quick, in seconds
QUICK_STONES = 13  # of the game of --quick: five moves of each side
_GAME_TURNS = 5  # for all moves of a game against itself, in times of one
_GAME_MARGIN = 30.0  # seconds; other checks cover lateness
_GAME_STONES = 60
_GAME_OPENING = "b2 e2 e3"  # an opening of the organisers, rotated by 180 degrees


def own_command() -> tuple[str, ...]:
    """Return the command by which a manager starts this installation."""
    if getattr(sys, "frozen", False):  # the program that needs no Python
        return (sys.executable,)
    root = Path(gomoku_brain.__file__).parents[1]
    suffix = ".exe" if sys.platform == "win32" else ""
    script = Path(sysconfig.get_path("scripts")) / f"pbrain-gomoku-brain{suffix}"
    was_script = Path(sys.argv[0]).stem in ("gomoku-brain", "pbrain-gomoku-brain")
    if (root / "pbrain.py").exists() and not was_script:  # a source tree
        return sys.executable, str(root / "pbrain.py")
    if script.exists():
        return (str(script),)
    return sys.executable, "-m", "gomoku_brain"


def own_variant() -> Check:
    """Return a check of the compiled modules that this installation uses."""
    name = "its modules suit the processor"
    if not variants.note:
        return Check("program", name, "pass", f"variant {variants.name}")
    seen = variants.in_words()
    return Check("program", name, "note", seen, f"it plays with {variants.name}")


def examine(
    spec: EngineSpec,
    managers: Sequence[str],
    rules: tuple[int, ...],
    turn: float,
    *,
    quick: bool = False,
) -> Iterator[list[Check]]:
    """Yield the checks of the program, then those of each manager.

    A program that does not start gets no further checks. With ``quick`` the last
    manager's checks end with a short game of the engine against itself.
    """
    checks = inspect_program(spec)
    if any(c.status == "fail" and c.name != NAME_CHECK for c in checks):
        yield checks
        return
    started = check_start(ManagerSession("program", spec, turn, rules))
    yield checks + started
    if any(c.status == "fail" for c in started):
        return
    for manager in managers:
        found = check_manager(ManagerSession(manager, spec, turn, rules))
        if manager == "gomocup":
            found += [_own_game(spec, rule, turn) for rule in rules]
        elif quick and manager == managers[-1]:
            game = _own_game(spec, rules[0], turn, QUICK_STONES, manager)
            found.append(game)
        yield found


def _own_game(
    spec: EngineSpec,
    rule: int,
    turn: float,
    stones_played: int = _GAME_STONES,
    manager: str = "gomocup",
) -> Check:
    """Play a refereed game of the engine against itself, from a Gomocup opening."""
    name = f"a game against itself has no accident ({Rule(rule).name.lower()})"
    size = 15
    stones = [Move(size - 1 - x, size - 1 - y) for x, y in parse_moves(_GAME_OPENING)]
    clock = PlayerLimits(
        turn=turn, match=_GAME_TURNS * turn, margin=_GAME_MARGIN, memory=GOMOCUP_MEMORY
    )
    task = GameTask(
        id="doctor",
        rule=Rule(rule),
        size=size,
        black=spec,
        white=spec,
        black_limits=clock,
        white_limits=clock,
        opening=Opening(tuple(stones)),
        max_moves=stones_played,
    )
    record = play_game(task)
    if record.reason in ("five", "full board", "max moves"):
        seen = f"{record.reason} after {len(record.moves)} stones"
        return Check(manager, name, "pass", seen)
    effect = "the game is lost" + (" (foul)" if record.reason == "foul" else "")
    return Check(manager, name, "fail", f"{record.reason}: {record.detail}", effect)


def main(argv: list[str]) -> int:
    """Run the checks and return the exit status."""
    with end_signals():
        return _run(argv)


def _run(argv: list[str]) -> int:
    program = program_name()
    parser = OneLineParser(
        f"{program} doctor",
        description=__doc__,
        epilog=_EXAMPLES.format(program=program),
        statuses={0: "no check fails", 1: "a check fails"},
    )
    parser.add_argument(
        "--engine", metavar="CMD", help="command of the engine (default: this brain)"
    )
    parser.add_argument(
        "--manager",
        action="append",
        choices=sorted(MANAGERS),
        metavar="NAME",
        help=f"only this one (may be repeated): {', '.join(MANAGERS)}",
    )
    parser.add_argument(
        "--rules",
        type=rules_of,
        default="freestyle,standard,renju,caro",
        metavar="NAMES",
        help="rules that the engine is to play, with commas between them: "
        f"{', '.join(rule.name.lower() for rule in Rule)} (default: %(default)s)",
    )
    parser.add_argument(
        "--turn",
        type=number_within(0.1, 100, "time in seconds"),
        default=1.0,
        metavar="SECONDS",
        help="time for a move (default 1; the organisers of Gomocup give 30)",
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="under ten seconds: the program, and Piskvork's view of one rule",
    )
    parser.add_argument("--json", action="store_true", help="the findings as JSON")
    options = parser.parse_args(argv)
    rules: tuple[int, ...] = options.rules
    own = options.engine is None
    command = own_command() if own else split_command(options.engine)
    if not command:
        raise ValueError("--engine is empty")
    spec = EngineSpec(Path(command[-1]).name, command)
    managers = options.manager or list(MANAGERS)
    if options.quick:
        managers, rules = options.manager or ["piskvork"], rules[:1]
        options.turn = min(options.turn, QUICK_TURN)
    checks: list[Check] = []
    progress = ProgressWriter(in_files=False)
    steps = ["the program", *managers, ""]
    try:
        progress.write(lambda: f"checking {steps[0]}", now=True)
        for done, found in enumerate(
            examine(spec, managers, rules, options.turn, quick=options.quick), start=1
        ):
            progress.clear()
            if own and not checks:
                found.append(own_variant())
            checks += found
            if options.json:
                print(f"{found[0].manager} done", file=sys.stderr)
            else:
                _print_checks(found)
            if steps[done]:
                progress.write(partial("checking {}".format, steps[done]), now=True)
    except KeyboardInterrupt:
        progress.clear()
        if options.json:
            _print_json(spec, checks)
        raise
    progress.clear()
    if options.json:
        _print_json(spec, checks)
    else:
        _print_verdict(checks, managers)
    return int(any(check.status == "fail" for check in checks))


def rules_of(text: str) -> tuple[int, ...]:
    """Parse the names of rules, or their numbers in the protocol: the type of
    ``--rules``.
    """
    codes = {str(int(rule)): rule for rule in Rule}
    named = rule_named()
    return tuple(
        int(codes[word] if word in codes else named(word)) for word in text.split(",")
    )


def _print_checks(checks: Sequence[Check]) -> None:
    if checks:
        print(checks[0].manager)
    for check in checks:
        seen = f": {check.seen}" if check.seen else ""
        print(shown(f"  {_MARKS[check.status]}  {check.name}{seen}"))
        if check.effect:
            print(f"        so: {check.effect}")
    sys.stdout.flush()


def _print_verdict(checks: Sequence[Check], managers: Sequence[str]) -> None:
    print("verdict")
    for manager in ("program", *managers):
        mine = [check.status for check in checks if check.manager == manager]
        if not mine:
            words = "not tried, for the program does not start"
        elif "fail" in mine:
            words = f"{mine.count('fail')} of {len(mine)} checks FAIL"
        else:
            words = f"all {len(mine)} checks pass"
        notes = mine.count("note")
        words += f", {notes} notes" if notes > 1 else ", 1 note" if notes else ""
        print(f"  {manager:13} {words}")


def _print_json(spec: EngineSpec, checks: Sequence[Check]) -> None:
    row: DoctorLine = {
        "command": list(spec.command),
        "ok": not any(check.status == "fail" for check in checks),
        "checks": [check.to_dict() for check in checks],
    }
    print(json_line("doctor", row))
