"""Checks of an engine by the scripts of the managers, and their effects in each
manager.

Each manager is imitated with its order of commands, its timeouts and its strictness in
reading answers (``docs/doctor.md`` names the sources). Piskvork is imitated by scripts,
data that ``script`` runs; the other managers are functions. Nothing here judges the
strength of an engine, except for the positions that the organisers of Gomocup use.
"""

import contextlib
import os
import re
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace

from gomoku_brain.client.brain import START_SECONDS, read_about, shorten
from gomoku_brain.doctor.manager_session import (
    SKIP_NOTHING,
    SKIP_PISKVORK,
    STRICT_MOVE,
    EngineProcess,
    ManagerSession,
    UnexpectedAnswer,
    Unusable,
    own_memory,
)
from gomoku_brain.doctor.program import Check
from gomoku_brain.doctor.script import (
    Script,
    ScriptStep,
    any_case,
    clean_errors,
    leaves,
    leaves_at_end_of_input,
    move,
    quiet,
    run_scripts,
    word,
)
from gomoku_brain.game.notation import parse_moves

_MB = 1 << 20
_UNLIMITED = 2147483647
_SKIP_REMARKS = re.compile(r"MESSAGE|DEBUG|UNKNOWN|ERROR|SUGGEST")
_SKIP_YIXIN = re.compile(
    r"MESSAGE|DEBUG|DETAIL|ERROR|UNKNOWN|FORBID|INFO", re.IGNORECASE
)
_NOT_A_MOVE = re.compile(r"(?!\s*-?\d+\s*,\s*-?\d+\s*$)")

# The organisers' own positions (GomocupJudge, test_zip_rules.py): league, rule, size,
# moves from the first one, right answers, wrong answers.
_FOUR = "h8 h9 i8 i9 j8 j9 k8 k9"
POSITIONS = (
    ("freestyle", 0, 20, _FOUR, "g8 l8", ""),
    ("freestyle 15", 0, 15, _FOUR, "g8 l8", ""),
    ("standard", 1, 15, _FOUR, "g8 l8", ""),
    ("standard", 1, 15, "h8 h9 i8 h10 g8 h11 j13 h12 g14 h14 i15", "f8 j8", ""),
    ("renju", 4, 15, _FOUR, "g8 l8", ""),
    ("renju", 4, 15, "h8 h9 i7 i9 h10 i6 i11 i12", "", "g9"),
    ("caro", 8, 15, _FOUR, "g8 l8", ""),
    ("caro", 8, 15, "h8 f8 g8 f9 i8 f7 j8 l8", "f5 f6 f10 f11", ""),
)
OPTIONAL_SECONDS = 5.0  # for the answers to optional commands
CLI_SECONDS = 3.0  # c-gomoku-cli's tolerance
GOMOCUP_MEMORY = 350 * _MB
_POSITION_SECONDS = 31.0  # the organisers' timeout, whatever time the engine was given


# Piskvork: START and wait, then INFO; standard error is in the same pipe.

_LOST = "the game is lost at once"
_START = ScriptStep(
    "START is answered with OK",
    ("START 15",),
    any_case("OK", START_SECONDS),
    '"did not answer OK to the START command": it does not play at all',
    vital=True,
)
_CLOCKED = ("INFO timeout_turn {turn}", "INFO rule 0", "INFO time_left 180000")
_PISKVORK = (
    Script(
        (
            _START,
            ScriptStep(
                "INFO is not answered",
                (
                    f"INFO max_memory {1000 * _MB}",
                    "INFO timeout_match 180000",
                    "INFO timeout_turn {turn}",
                    "INFO game_type 1",
                    "INFO rule 0",
                    "INFO time_left 180000",
                ),
                quiet,
                'the line is taken for the next move: "has not returned coordinates", '
                + _LOST,
            ),
            ScriptStep(
                "BEGIN is answered with a move",
                ("INFO time_left 180000", "BEGIN"),
                move(),
                _LOST,
            ),
            ScriptStep(
                "TURN is answered with a move",
                ("INFO time_left 180000", "REPLY"),
                move(),
                _LOST,
            ),
            ScriptStep(
                "TAKEBACK is answered with OK",
                ("TAKEBACK",),
                word("OK", OPTIONAL_SECONDS),
                "after an undo Piskvork sends RESTART and BOARD instead; without any "
                "answer Piskvork waits for ever",
                optional=True,
                times=2,
            ),
            ScriptStep(
                "RESTART is answered with OK",
                ("RESTART",),
                word("OK", OPTIONAL_SECONDS),
                "a new process is started for each new game, if anything is answered",
                optional=True,
            ),
        )
    ),
    Script(
        (
            replace(_START, reported=False),
            ScriptStep(
                "BOARD is answered with a move",
                (*_CLOCKED, "BOARD h8 h9 j10"),
                move(),
                _LOST,
            ),
            ScriptStep(
                "INFO timeout_turn 0 ends its thinking",
                ("INFO timeout_turn 5000", "REPLY", "PAUSE", "INFO timeout_turn 0"),
                move(seconds=6, at_once=1),
                "nothing worse than the button Continue that does nothing",
                optional=True,
            ),
            ScriptStep(
                "it leaves within 0.7 s after END",
                (),
                leaves(0.7),
                "it is killed after 0.7 s; nothing is lost but what it wanted to save",
                optional=True,
            ),
            ScriptStep(
                "nothing comes on standard error",
                (),
                clean_errors,
                "standard error goes into the same pipe as the answers: the line is "
                "taken for a move, " + _LOST,
            ),
        )
    ),
    Script(
        (
            ScriptStep(
                "RECTSTART is answered with OK",
                ("RECTSTART 20,15",),
                any_case("OK", OPTIONAL_SECONDS),
                "boards with unequal sides cannot be played; without any answer "
                "Piskvork waits for ever",
                optional=True,
            ),
        )
    ),
)
_PISKVORK_AT_LAST = (
    Script(
        (
            ScriptStep(
                "it plays in a foreign working folder",
                (
                    "START 15",
                    "AWAIT OK",
                    "INFO timeout_turn {turn}",
                    "INFO time_left 180000",
                    "BEGIN",
                ),
                move(),
                "Piskvork starts it in a folder for temporary files: " + _LOST,
            ),
        ),
        foreign=True,
    ),
    Script(
        (
            ScriptStep(
                "it leaves when its input ends",
                ("START 15", "AWAIT OK"),
                leaves_at_end_of_input(2.0),
                "after a game of `piskvork -p` it stays behind as a process",
                optional=True,
            ),
        )
    ),
)


def _rule_script(rule: int) -> Script:
    """Return the script that sends one rule to the engine."""
    return Script(
        (
            ScriptStep(
                f"INFO rule {rule} is not answered",
                ("START 15", "AWAIT", f"INFO rule {rule}"),
                quiet,
                f"the line is taken for the first move: under rule {rule} " + _LOST,
            ),
        )
    )


def _piskvork(session: ManagerSession) -> None:
    rules = map(_rule_script, session.rules)
    run_scripts(session, (*_PISKVORK, *rules, *_PISKVORK_AT_LAST))


# The Gomocup judge: START and all INFO at once; the first move includes the start-up
# time.


def _gomocup(session: ManagerSession) -> None:
    lost = "the game is lost"
    with session.process() as engine:
        _judge_burst(session, engine, 0, 20)
        effect = (
            "the start-up is on the clock of the first move, with a tolerance of 1 s: "
            f"{lost} on time"
        )
        with session.step("the first move comes in time, start-up included", effect):
            engine.request("INFO time_left 180000", *engine.board())
            engine.read_move(session.turn + 1, _NOT_A_MOVE)
            used = time.perf_counter() - engine.brain.started
            if used > session.turn + 1:
                raise UnexpectedAnswer(
                    f"{used:.2f} s after the start, {session.turn:g} s a move"
                )
        with session.step("TURN is answered with a move in time", f"{lost} on time"):
            engine.request("INFO time_left 180000", engine.reply())
            engine.read_move(session.turn + 1, _NOT_A_MOVE)
        _judge_memory(session, engine)
        effect = "it is killed after 0.5 s; nothing is lost but what it wanted to save"
        with session.step("it leaves within 0.5 s after END", effect, optional=True):
            engine.end(0.5)
    for league, rule, size, moves, right, wrong in POSITIONS:
        if rule not in session.rules:
            continue
        name = f"the organisers' position {right or 'not ' + wrong} ({league})"
        with session.process() as engine:
            _judge_burst(session, engine, rule, size)
            engine.stones = parse_moves(moves)
            effect = f"it is not admitted to the league {league}"
            with session.step(name, effect):
                engine.request("INFO time_left 180000", *engine.board())
                move = engine.read_move(_POSITION_SECONDS, _NOT_A_MOVE)
                if (right and str(move) not in right.split()) or str(move) == wrong:
                    raise UnexpectedAnswer(f"it played {move}")
    with session.process() as engine:
        _judge_burst(session, engine, 1, 15)
        effect = "it cannot play in the events with swap2"
        with session.step(
            "SWAP2BOARD is answered with 3 stones", effect, optional=True
        ):
            engine.request("INFO time_left 180000", "SWAP2BOARD", "DONE")
            line = engine.read(OPTIONAL_SECONDS, re.compile(r"(?!\s*\d)"))
            found = [STRICT_MOVE.fullmatch(word) for word in line.split()]
            if len(found) != 3 or None in found:
                raise UnexpectedAnswer(f"it answered {shorten(line)}")


def _judge_burst(
    session: ManagerSession, engine: EngineProcess, rule: int, size: int
) -> None:
    engine.start(size)
    engine.infos(
        timeout_turn=round(session.turn * 1000),
        timeout_match=180_000,
        max_memory=GOMOCUP_MEMORY,
        game_type=1,
        rule=rule,
        folder=tempfile.gettempdir(),
    )


def _judge_memory(session: ManagerSession, engine: EngineProcess) -> None:
    used = own_memory(engine.brain.pid)
    name = "its memory stays below 350 MiB"
    if used is None:
        session.add(name, "note", "not measured here (pip install psutil)")
        return
    with session.step(name, "more memory than allowed loses the game"):
        if used > GOMOCUP_MEMORY:
            raise UnexpectedAnswer(f"{used / _MB:.0f} MiB")
    session.add_detail(f"{used / _MB:.0f} MiB after two moves")


# c-gomoku-cli: ABOUT, START and wait; LF; the same process for every game.


def _c_gomoku_cli(session: ManagerSession) -> None:
    skip = _SKIP_REMARKS
    with session.process(eol="\n") as engine:
        with session.step(
            "ABOUT is answered", "the whole run ends with an error", vital=True
        ):
            engine.request("ABOUT")
            line = engine.read(START_SECONDS, skip)
        effect = "the engine has no name in tables but its command"
        with session.step("ABOUT has a name", effect, optional=True):
            if "name" not in read_about(line):
                raise UnexpectedAnswer(f"it answered {shorten(line)}")
        effect = "the run waits, then ends with an error after the tolerance (3 s)"
        with session.step("START is answered with the line OK", effect, vital=True):
            _cli_start(engine)
        engine.infos(
            rule=0,
            timeout_turn=round(session.turn * 1000),
            timeout_match=0,
            max_memory=GOMOCUP_MEMORY,
            thread_num=1,
        )
        late = "lost on time (it is killed 3 s after its time)"
        for name in ("BEGIN", "TURN"):
            with session.step(f"{name} is answered with a move in time", late):
                question = name if name == "BEGIN" else engine.reply()
                engine.request(f"INFO time_left {_UNLIMITED}", question)
                engine.read_move(session.turn + 3, _NOT_A_MOVE)
                if engine.elapsed > session.turn + 1.5:
                    raise UnexpectedAnswer(f"it took {engine.elapsed:.2f} s")
        effect = "the next game never begins: the run ends with an error"
        with session.step("a new START right behind its move is answered", effect):
            _cli_start(engine)
        with session.step("START with another size is answered", effect):
            engine.start(20)
            _await_ok(engine)
    with session.process(eol="\n") as engine:
        effect = "games with fixed nodes (-each nodes=..) are decided by its clock"
        with session.step("INFO max_node limits its search", effect, optional=True):
            _cli_start(engine)
            engine.infos(rule=0, timeout_match=0, max_node=1000, max_memory=128 * _MB)
            for question in ("BEGIN", ""):
                engine.request(
                    f"INFO time_left {_UNLIMITED}", question or engine.reply()
                )
                engine.read_move(2, _NOT_A_MOVE)


def _cli_start(engine: EngineProcess) -> None:
    engine.start(15)
    _await_ok(engine)


def _await_ok(engine: EngineProcess) -> None:
    """Read until the line OK; ERROR ends it, as in c-gomoku-cli."""
    line = engine.read(CLI_SECONDS, re.compile(r"(?!OK$|ERROR)"))
    if line != "OK":
        raise UnexpectedAnswer(f"it answered {shorten(line)}")


# qpiskvork: START, ABOUT and all INFO in one go; it decides by the first letter of a
# line.


def _qpiskvork(session: ManagerSession) -> None:
    with session.process() as engine:
        effect = "any other line is misread: the game is lost or stops"
        with session.step("START and ABOUT in one go are answered", effect, vital=True):
            engine.start(15)
            engine.send("ABOUT")
            engine.infos(
                timeout_match=180_000,
                timeout_turn=round(session.turn * 1000),
                max_memory=GOMOCUP_MEMORY,
                game_type=0,
                rule=0,
                time_left=180_000,
            )
            lines = [engine.read(START_SECONDS, SKIP_PISKVORK) for _ in range(2)]
            if lines[0] != "OK" or "=" not in lines[1]:
                raise UnexpectedAnswer(
                    f"it answered {shorten(lines[0])}, then {shorten(lines[1])}"
                )
            engine.silence()
        for name in ("BEGIN", "TURN"):
            with session.step(f"{name} is answered with a move", effect):
                question = name if name == "BEGIN" else engine.reply()
                engine.request("INFO time_left 180000", question)
                engine.read_move(session.turn + 3, SKIP_PISKVORK)
        effect = "a line that comes in two pieces is read as two lines"
        with session.step("each line comes in one piece", effect):
            if engine.brain.pieces:
                raise UnexpectedAnswer(f"{engine.brain.pieces} lines came in pieces")


# liskvork: the very first line is the answer; no rule, no time_left, no tolerance.


def _liskvork(session: ManagerSession) -> None:
    with session.process() as engine:
        effect = "the first line within 5 s is the answer: it is not started"
        with session.step("ABOUT is answered by the first line", effect, vital=True):
            engine.request("ABOUT")
            line = engine.read(5)
            if "=" not in line or _SKIP_REMARKS.match(line):
                raise UnexpectedAnswer(f"it answered {shorten(line)}")
        with session.step(
            "START is answered by OK and nothing else", effect, vital=True
        ):
            engine.start(15)
            engine.expect("OK", 5, SKIP_NOTHING)
        effect = "it reads LF only: OK and every move are unreadable"
        with session.step("its lines end with LF", effect):
            if engine.brain.line_ends != {b"\n"}:
                raise UnexpectedAnswer("they end with CR LF or CR")
        engine.infos(
            timeout_turn=round(session.turn * 1000),
            timeout_match=300_000,
            max_memory=GOMOCUP_MEMORY,
        )
        skip = re.compile(r"(?:MESSAGE|DEBUG) ")
        for name in ("BEGIN", "TURN"):
            effect = "there is no tolerance: a late or unreadable move loses"
            with session.step(f"{name} is answered with x,y in time", effect):
                engine.request(name if name == "BEGIN" else engine.reply())
                engine.read_move(session.turn + 2, skip, STRICT_MOVE)
                if engine.elapsed > session.turn:
                    raise UnexpectedAnswer(
                        f"it took {engine.elapsed:.3f} s of {session.turn:g} s"
                    )


# Yixin-Board: lower case, two numbers after start, board before every move.


def _yixin_board(session: ManagerSession) -> None:
    with session.process(eol="\n") as engine:
        effect = "it never gets ready: Yixin-Board does not show a move of it"
        with session.step('"start 15 15" is answered with OK', effect, vital=True):
            engine.request("start 15 15")
            engine.expect("OK", START_SECONDS, _SKIP_YIXIN)
        effect = "the line is taken for a move"
        with session.step("its info lines and yx commands are not answered", effect):
            for line in (
                f"timeout_turn {round(session.turn * 1000)}",
                "timeout_match 100000000",
                "max_node -1",
                "max_depth 225",
                "rule 0",
                "thread_num 1",
                "hash_size 65536",
                "caution_factor 1",
                "pondering 0",
            ):
                engine.send(f"info {line}")
            engine.send("yxhashclear")
            engine.silence(_SKIP_YIXIN)
        for stones in ("", "h8 h9"):
            engine.stones = parse_moves(stones)
            name = f"board with {len(engine.stones)} stones is answered with a move"
            with session.step(name, "it does not move"):
                engine.send("info time_left 100000000", "start 15 15")
                engine.expect("OK", START_SECONDS, _SKIP_YIXIN)
                engine.request(*engine.board("board", "done"))
                engine.read_move(session.turn + 3, _SKIP_YIXIN)
        effect = "the button EndOfScript does nothing"
        with session.step("yxstop ends its thinking", effect, optional=True):
            engine.send("info timeout_turn 5000")
            engine.stones.pop()
            engine.request(*engine.board("board", "done"))
            time.sleep(0.3)
            engine.request("yxstop")
            engine.read(6, _SKIP_YIXIN)
            if engine.elapsed > 1:
                raise UnexpectedAnswer(f"it thought on for {engine.elapsed:.1f} s")


# gomocalc: the Yixin dialect with positions on one line.


def _gomocalc(session: ManagerSession) -> None:
    with session.process(eol="\n") as engine:
        effect = "it never gets ready"
        with session.step("START is answered with OK", effect, vital=True):
            engine.send("RELOADCONFIG", "INFO HASH_SIZE 65536", "INFO RULE 0")
            engine.send(f"INFO TIMEOUT_TURN {round(session.turn * 1000)}")
            engine.send("INFO THREAD_NUM 1")
            engine.start(15)
            engine.expect("OK", START_SECONDS, _SKIP_YIXIN)
        effect = "positions cannot be analysed"
        with session.step("YXBOARD on one line is not answered", effect):
            engine.stones = parse_moves("h8 i9")
            engine.send("INFO TIME_LEFT 100000000", " ".join(engine.board("YXBOARD")))
            engine.silence(_SKIP_YIXIN)
        with session.step("YXNBEST is answered with a move", effect):
            engine.request("YXNBEST 2")
            engine.read_move(session.turn + 3, _SKIP_YIXIN)


MANAGERS: dict[str, Callable[[ManagerSession], None]] = {
    "piskvork": _piskvork,
    "gomocup": _gomocup,
    "c-gomoku-cli": _c_gomoku_cli,
    "qpiskvork": _qpiskvork,
    "liskvork": _liskvork,
    "yixin-board": _yixin_board,
    "gomocalc": _gomocalc,
}
"""Function that runs the scripts of each manager, by the manager's name."""


def check_manager(session: ManagerSession) -> list[Check]:
    """Return the findings of one manager, whose name must be in ``MANAGERS``."""
    with contextlib.suppress(Unusable):
        MANAGERS[session.manager](session)
    return session.checks


def check_start(session: ManagerSession) -> list[Check]:
    """Check whether and how fast the program starts; after a "fail" other checks are
    void.
    """
    with contextlib.suppress(Unusable):
        _start(session)
    return session.checks


def _start(session: ManagerSession) -> None:
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    processors = os.cpu_count() or 1
    if load > processors:
        seen = f"load {load:.0f} on {processors} processors"
        effect = "late answers below may be the machine's fault: try again later"
        session.add("this machine has no other work", "note", seen, effect)
    with session.process() as engine:
        effect = "no manager can play with it"
        with session.step("it starts and answers START", effect, vital=True):
            engine.start(15)
            engine.read(START_SECONDS, SKIP_PISKVORK)
            seconds = time.perf_counter() - engine.brain.started
        effect = (
            "Gomocup charges the start to the first move, which has 1 s of tolerance"
        )
        with session.step("it starts within 1 s", effect, optional=True):
            if seconds > 1:
                raise UnexpectedAnswer(f"{seconds:.2f} s")
        session.add_detail(f"{seconds:.2f} s")
        effect = "managers show the name of its file instead"
        with session.step("ABOUT names it", effect, optional=True):
            engine.request("ABOUT")
            line = engine.read(3, SKIP_PISKVORK)
            about = read_about(line)
            if "name" not in about:
                raise UnexpectedAnswer(f"it answered {shorten(line)}")
            session.about = f"{about['name']} {about.get('version', '')}".strip()
        session.add_detail(session.about)
