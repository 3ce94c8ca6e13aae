"""``analyze``: what the engine thinks of a position, of every candidate, of a game.

What is thought is the work of `study`; here it is asked for, shown and interrupted.
"""

import argparse
import json
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import NoReturn, TypeVar

from gomoku_brain.game.notation import Move, format_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.search.engine import Engine
from gomoku_brain.search.limits import Limits, SearchInfo, SearchResult
from gomoku_brain.study.annotate import (
    JudgedMove,
    Review,
    Value,
    ValueTable,
    chance,
    review,
    values,
)
from gomoku_brain.study.reader import Game, ReadError, Setting, parse_size, read
from gomoku_brain.study.threats import (
    PositionThreats,
    Shape,
    describe_move,
    describe_position,
)

T = TypeVar("T")

PROG = "gomoku-brain analyze"
EXAMPLES = """\
The source is moves ("h8 h9 j10" or "7,7 7,8"), a file, or - for standard input. Files
hold moves, pictures, PSQ, SGF, JSON, or BOARD blocks of the protocol; the form is told
by the content.

examples:
  gomoku-brain analyze h8 h9 j10
  gomoku-brain analyze --rule renju --threats --lines 5 position.txt
  gomoku-brain analyze --values --picture heat.png --time 10 h8 i9 g8
  gomoku-brain analyze --move 20 --json game.psq
  gomoku-brain analyze --game --curve curve.svg --nodes 50000 game.sgf

A limit is for each thing asked: for the lines together, for the table of all
candidates together, and for each of the searches that judge a move of a game.
Scores are evaluation units of the side to move, about 100 for a clear advantage; "win
in 7" counts single moves up to the five. Ctrl-C prints what is known so far.
"""
LINES = 3
SECONDS = 5.0
GAME_SECONDS = 0.5  # for each search of a game
HASH_MB = 64
VCF_NODES = 200_000  # for the win by fours, which several lines do not look for


class UserError(Exception):
    """What the user is told in one line."""


class Parser(argparse.ArgumentParser):
    """Tells an error in one line."""

    def error(self, message: str) -> NoReturn:
        """Exit with status 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def main(argv: list[str]) -> int:
    """Analyze; returns the exit status."""
    parser = make_parser()
    options = parser.parse_args(argv)
    words = options.source
    if not words:
        if sys.stdin.isatty():
            parser.error("nothing to analyze: give moves, a file or - (see --help)")
        words = ["-"]
    try:
        check_pictures(options)
        games = chosen(read(words, Setting(options.rule, options.size)), options)
        try:
            engine = Engine(hash_mb=options.hash)
        except (ValueError, MemoryError) as error:
            raise UserError(f"--hash {options.hash}: {error or 'no memory'}") from None
        with engine:
            return Analysis(engine, options).run(games)
    except (UserError, ReadError) as error:
        print(f"{PROG}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def make_parser() -> Parser:
    """The options."""
    parser = Parser(
        PROG,
        description="What the engine thinks of a position, a candidate move, a game.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("source", nargs="*", metavar="FILE|MOVES|-", help="what to analyze")
    add("--rule", type=rule_of, metavar="RULE", help=", ".join(rule_names()))
    add("--size", type=size_of, metavar="N|WxH", help="cells of the board (15)")
    add("--side", type=side_of, metavar="SIDE", help="black or white is to move")
    add("--move", type=at_least(0), metavar="N", help="the position after N moves")
    add("--number", type=at_least(1), metavar="K", help="only the K-th of a file")
    add("--lines", type=at_least(0), metavar="N", help=f"best lines ({LINES}); 0: none")
    add("--time", type=seconds, metavar="S", help=f"seconds ({SECONDS:g})")
    add("--nodes", type=at_least(1), metavar="N", help="nodes to search")
    add("--depth", type=at_least(1), metavar="D", help="plies to search")
    add("--threats", action="store_true", help="the threats in words")
    add("--values", action="store_true", help="the value of every candidate")
    add("--picture", metavar="FILE", help="a heat map of the board, .png or .svg")
    add("--game", action="store_true", help="judge the game move by move")
    add("--curve", metavar="FILE", help="the game's score curve, .png or .svg")
    add("--hash", type=at_least(1), default=HASH_MB, metavar="MB", help="table (64)")
    add("--json", action="store_true", help="one JSON object a line instead of text")
    return parser


def rule_names() -> list[str]:
    """The rules as an option takes them."""
    return [rule.name.lower().replace("_", "-") for rule in Rule]


def rule_of(text: str) -> Rule:
    """An option's rule."""
    if text.lower().replace("_", "-") not in rule_names():
        raise argparse.ArgumentTypeError(f"{text!r} is not one of {rule_names()}")
    return Rule[text.upper().replace("-", "_")]


def size_of(text: str) -> tuple[int, int]:
    """An option's size."""
    try:
        return parse_size(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def side_of(text: str) -> Side:
    """An option's side."""
    if text.upper() not in Side.__members__:
        raise argparse.ArgumentTypeError(f"{text!r} is not black or white")
    return Side[text.upper()]


def at_least(least: int) -> Callable[[str], int]:
    """The type of an option that is a whole number."""

    def number(text: str) -> int:
        if not (text.isascii() and text.isdigit() and int(text) >= least):
            raise argparse.ArgumentTypeError(
                f"{text!r} is not a number of {least} or more"
            )
        return int(text)

    return number


def seconds(text: str) -> float:
    """An option's positive seconds."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e9:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time in seconds")
    return value


def check_pictures(options: argparse.Namespace) -> None:
    """Whether the pictures asked for can be made; better told before the work."""
    for path in filter(None, (options.picture, options.curve)):
        try:
            from gomoku_brain.study.pictures import FORMATS
        except ImportError:
            raise UserError(
                'pictures need matplotlib: pip install "gomoku-brain[lab]"'
            ) from None
        if Path(path).suffix.lower() not in FORMATS:
            raise UserError(f"a picture is a file .png or .svg, not {path}")
        if not Path(path).parent.is_dir():
            raise UserError(f"there is no folder {Path(path).parent}")


def chosen(games: list[Game], options: argparse.Namespace) -> list[Game]:
    """The games that the options pick."""
    if options.number is not None:
        if options.number > len(games):
            raise UserError(f"--number {options.number}, but there are {len(games)}")
        games = [games[options.number - 1]]
    if len(games) > 1 and (options.picture or options.curve):
        raise UserError(
            f"{len(games)} positions or games, but one picture: choose with --number"
        )
    for game in games:
        if options.move is not None and options.move > len(game.moves):
            raise UserError(
                f"--move {options.move}, but {game.name or 'the game'} has"
                f" {len(game.moves)} moves"
            )
        if (options.game or options.curve) and not (
            game.moves if options.move is None else options.move
        ):
            raise UserError(f"{game.name or 'the source'} is a position, not a game")
    return games


class Analysis:
    """One run of the command: the engine, what was asked, and whether to go on."""

    def __init__(self, engine: Engine, options: argparse.Namespace) -> None:
        """Nothing is done yet."""
        self.engine = engine
        self.options = options
        self.stop = threading.Event()
        self.progress = Progress()

    def run(self, games: Sequence[Game]) -> int:
        """Analyze all; returns the exit status."""
        for number, game in enumerate(games):
            if self.stop.is_set():
                break
            self.engine.new_game()
            if number and not self.options.json:
                print()
            self.one(game)
        return 130 if self.stop.is_set() else 0

    def one(self, game: Game) -> None:
        """All that was asked about one position or game."""
        options = self.options
        board = game.board(options.move)
        if options.side is not None:
            board.turn = options.side
        told: dict[str, object] = position_row(game, board)
        if not options.json:
            print(headline(game, board))
            print(board)
        whole_game = options.game or options.curve
        table = options.values or options.picture
        lines = options.lines
        if lines is None:
            lines = 0 if whole_game and not table else LINES
        over = board.winner is not None or board.is_full

        if options.threats:
            threats = describe_position(board)
            told["threats"] = threats_row(threats)
            told["last_move"] = last_words(game, board)
            if not options.json:
                print_threats(threats, last_words(game, board))
        if lines and not over:
            result, fours = self.interruptible(lambda: self.search(board, lines))
            told |= lines_row(result, fours)
            if not options.json:
                print_lines(board, result, fours, options.threats)
        if table and not over and not self.stop.is_set():
            found = self.interruptible(lambda: self.table(board))
            told["values"] = values_row(found)
            if options.picture and found.cells:
                self.draw_board(game, board, found)
            if not options.json and options.values:
                print_values(board, found)
        if whole_game and not self.stop.is_set():
            judged = self.interruptible(lambda: self.review(game))
            told["game"] = review_row(judged)
            if options.curve and judged.moves:
                self.draw_curve(game, judged)
            if not options.json:
                print_review(judged, options.threats)
        if options.json:
            print(json.dumps(told, allow_nan=False))
        sys.stdout.flush()

    def limits(self, default: float, multipv: int = 1) -> Limits:
        """The limits asked for; some seconds when there is none."""
        options = self.options
        time = options.time
        if (time, options.nodes, options.depth) == (None, None, None):
            time = default
        return Limits(
            time=time, nodes=options.nodes, depth=options.depth, multipv=multipv
        )

    def search(
        self, board: Board, lines: int
    ) -> tuple[SearchResult, tuple[Move, ...] | None]:
        """The best lines, and a win by fours if there is one."""
        fours = self.engine.solve(board, "vcf", Limits(time=1.0, nodes=VCF_NODES))

        def on_info(info: SearchInfo) -> None:
            self.progress.show(f"depth {info.depth}, {info.nodes} nodes")

        limits = self.limits(SECONDS, multipv=lines)
        if self.stop.is_set():
            limits = Limits(depth=1, multipv=lines)
        return self.engine.search(board, limits, on_info), fours

    def table(self, board: Board) -> ValueTable:
        """The values of all candidates."""

        def on_progress(depth: int, done: int, count: int) -> None:
            self.progress.show(f"values: depth {depth}, cell {done} of {count}")

        return values(
            self.engine,
            board,
            self.limits(SECONDS),
            on_progress=on_progress,
            stop=self.stop.is_set,
        )

    def review(self, game: Game) -> Review:
        """The game judged move by move."""

        def on_progress(done: int, count: int) -> None:
            self.progress.show(f"game: position {done} of {count}")

        return review(
            self.engine,
            game.cut(self.options.move),
            self.limits(GAME_SECONDS),
            on_progress=on_progress,
            stop=self.stop.is_set,
        )

    def interruptible(self, task: Callable[[], T]) -> T:
        """What a task returns; Ctrl-C makes it return what it has so far.

        The search does not see the keyboard, so it runs in a thread and is told.
        """
        found: list[T] = []
        failed: list[BaseException] = []
        done = threading.Event()  # Thread.join takes an interrupt for the end

        def work() -> None:
            try:
                found.append(task())
            except BaseException as error:
                failed.append(error)
            finally:
                done.set()

        try:
            threading.Thread(target=work, daemon=True).start()
            while not done.wait(0.05):
                pass
        except KeyboardInterrupt:  # a second one ends the program
            self.stop.set()
            while not done.wait(0.05):
                self.engine.stop()
        self.progress.clear()
        if failed:
            raise failed[0]
        return found[0]

    def draw_board(self, game: Game, board: Board, table: ValueTable) -> None:
        """Write the heat map."""
        from gomoku_brain.study.pictures import board_picture

        offset = board.ply - len(game.cut(self.options.move).moves)
        numbers = {
            move: number for number, move in enumerate(board.moves[offset:], start=1)
        }
        best = table.cells[0]
        note = (
            f"depth {table.depth} after each of {len(table.cells)} candidates,"
            f" {table.nodes} nodes; best: {best.move}"
        )
        path = self.options.picture
        self.write(
            path,
            lambda: board_picture(
                path,
                board,
                {cell.move: cell.value for cell in table.cells},
                numbers=numbers,
                title=headline(game, board),
                note=note,
            ),
        )

    def draw_curve(self, game: Game, judged: Review) -> None:
        """Write the score curve."""
        from gomoku_brain.study.pictures import score_curve

        path = self.options.curve
        self.write(path, lambda: score_curve(path, judged, title=title(game)))

    def write(self, path: str, make: Callable[[], None]) -> None:
        """Make a picture and say so."""
        try:
            make()
        except OSError as error:
            raise UserError(f"{path}: {error.strerror}") from None
        if not self.options.json:
            print(f"picture written: {path}")


class Progress:
    """One line on the terminal that is written over; nothing where none looks."""

    INTERVAL = 0.2  # seconds

    def __init__(self) -> None:
        """Nothing is shown yet."""
        self.width = 0
        self.shown = 0.0
        self.live = sys.stderr.isatty()

    def show(self, text: str) -> None:
        """Say what is being done."""
        now = perf_counter()
        if self.live and now - self.shown >= self.INTERVAL:
            self.shown = now
            print(f"\r{text:{self.width}}", end="", file=sys.stderr, flush=True)
            self.width = len(text)

    def clear(self) -> None:
        """Leave an empty line."""
        if self.width:
            print(f"\r{'':{self.width}}\r", end="", file=sys.stderr, flush=True)
            self.width = 0


# In words


def title(game: Game) -> str:
    """Who played, or what the source calls it."""
    record = game.record
    if record is not None and (record.black or record.white):
        return f"{record.black or '?'} - {record.white or '?'}  {record.result}"
    return game.name


def headline(game: Game, board: Board) -> str:
    """The first line about a position."""
    about = title(game)
    stones = f"{board.ply} stone{'s' if board.ply != 1 else ''}"
    state = f"{board.turn.name.lower()} to move"
    if board.winner is not None:
        state = f"{board.winner.name.lower()} has won"
    elif board.is_full:
        state = "a draw"
    return (
        f"{about + ': ' if about else ''}{board.rule.name.lower().replace('_', '-')}"
        f" {board.width}x{board.height}, {stones}, {state}"
    )


def percent(value: float) -> str:
    """A winning chance."""
    return f"{100 * value:.0f} %"


def print_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Columns under their heads; the last is to the left, numbers to the right."""
    rows = [list(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in [head, *rows]:
        cells = [
            text.rjust(width) for text, width in zip(row[:-1], widths, strict=False)
        ]
        print("  ".join([*cells, row[-1]]).rstrip())


def print_threats(threats: PositionThreats, last: str) -> None:
    """The position's threats, and what the last move did."""
    print()
    for phrase in threats.phrases() or ["no threats"]:
        print(phrase)
    if last:
        print(f"the last move {last}")


def print_lines(
    board: Board,
    result: SearchResult,
    fours: tuple[Move, ...] | None,
    threats: bool,
) -> None:
    """The best lines."""
    print()
    if fours:
        print(f"win by fours in {len(fours)}: {format_moves(fours)}")
    print(f"depth {result.depth}, {result.nodes} nodes, {result.time:.2f} s")
    print_table(
        ("", "move", "score", "chance", "depth", "line"),
        (
            (
                f"{line.multipv}.",
                str(line.pv[0]),
                str(Value(line.score, line.win_in)),
                percent(chance(line.score, line.win_in)),
                str(line.depth),
                format_moves(line.pv),
            )
            for line in result.lines
        ),
    )
    if threats:
        for line in result.lines:
            print(f"{line.pv[0]}: {describe_move(board, line.pv[0])}")


def print_values(board: Board, table: ValueTable) -> None:
    """The values on the board, then one candidate a line."""
    known = {cell.move: cell.value for cell in table.cells}
    print()
    print(
        f"values of {len(known)} candidates (winning chance in percent),"
        f" depth {table.depth} after each,"
        f" {table.nodes} nodes, {table.seconds:.2f} s"
    )
    if board.width <= 26:
        print("   " + "".join(f"{chr(ord('a') + x):>4}" for x in range(board.width)))
    for y in range(board.height):
        cells = (cell_text(board, Move(x, y), known) for x in range(board.width))
        print(f"{y + 1:3}" + "".join(f"{text:>4}" for text in cells))
    print_table(
        ("cell", "score", "chance", "depth", "nodes", "line"),
        (
            (
                str(cell.move),
                str(cell.value),
                percent(cell.value.chance),
                str(cell.depth),
                str(cell.nodes),
                format_moves(cell.pv[:6]),
            )
            for cell in table.cells
        ),
    )


def cell_text(board: Board, move: Move, known: dict[Move, Value]) -> str:
    """What stands in the grid of values."""
    if board.is_wall(move):
        return "#"
    if not board.is_empty(move):
        return "X" if board.stone(move) == Side.BLACK else "O"
    value = known.get(move)
    if value is None:
        return "."
    return str(value) if value.win_in is not None else f"{100 * value.chance:.0f}"


def print_review(judged: Review, threats: bool) -> None:
    """The game's moves, and how often each side went wrong."""
    print()
    if judged.first:
        print(f"stopped: moves from {judged.first + 1} only")
    print_table(
        ("", "move", "value", "best", "value", "loss", "depth", "judgement"),
        (
            (
                f"{move.number}.",
                str(move.move),
                str(move.after),
                str(move.best) if move.best != move.move else "",
                str(move.before) if move.best != move.move else "",
                percent(move.loss),
                str(move.depth),
                move.label
                + (f": {move.why}" if move.why else "")
                + (f" ({'; '.join(move.threats)})" if threats and move.threats else ""),
            )
            for move in judged.moves
        ),
    )
    for side in Side:
        print(summary(side, [move for move in judged.moves if move.side == side]))


def summary(side: Side, moves: Sequence[JudgedMove]) -> str:
    """How a side played."""
    own = [move for move in moves if move.label != "opening"]
    if not own:
        return f"{side.name.lower()}: no moves to judge"
    loss = sum(move.loss for move in own) / len(own)
    parts = [f"{side.name.lower()}: {len(own)} moves, {percent(loss)} lost on average"]
    for one, many in (
        ("best", "best"),
        ("good", "good"),
        ("inaccuracy", "inaccuracies"),
        ("mistake", "mistakes"),
        ("blunder", "blunders"),
    ):
        count = sum(move.label == one for move in own)
        if count:
            parts.append(f"{count} {one if count == 1 else many}")
    return ", ".join(parts)


def last_words(game: Game, board: Board) -> str:
    """What the last move did, if the position came from a move; else empty."""
    if not game.moves or board.ply == game.board(0).ply:
        return ""
    before = board.copy()
    move = before.undo()
    return f"{move}: {describe_move(before, move)}"


# As JSON


def names(moves: Iterable[Move]) -> list[str]:
    """Moves as "h8"."""
    return [str(move) for move in moves]


def position_row(game: Game, board: Board) -> dict[str, object]:
    """The position itself."""
    cells = [Move(x, y) for y in range(board.height) for x in range(board.width)]
    start = game.board(0).ply
    return {
        "name": game.name,
        "rule": board.rule.name.lower(),
        "width": board.width,
        "height": board.height,
        "black": names(cell for cell in cells if board.stone(cell) == Side.BLACK),
        "white": names(cell for cell in cells if board.stone(cell) == Side.WHITE),
        "walls": names(cell for cell in cells if board.is_wall(cell)),
        "moves": names(board.moves[start:]),
        "side_to_move": board.turn.name.lower(),
        "winner": None if board.winner is None else board.winner.name.lower(),
    }


def lines_row(
    result: SearchResult, fours: tuple[Move, ...] | None
) -> dict[str, object]:
    """The best lines."""
    return {
        "depth": result.depth,
        "nodes": result.nodes,
        "seconds": round(result.time, 3),
        "win_by_fours": None if fours is None else names(fours),
        "lines": [
            {
                "move": str(line.pv[0]),
                "score": line.score,
                "win_in": line.win_in,
                "chance": round(chance(line.score, line.win_in), 4),
                "depth": line.depth,
                "seldepth": line.seldepth,
                "nodes": line.nodes,
                "line": names(line.pv),
            }
            for line in result.lines
        ],
    }


def values_row(table: ValueTable) -> dict[str, object]:
    """The values of all candidates."""
    return {
        "depth": table.depth,
        "nodes": table.nodes,
        "seconds": round(table.seconds, 3),
        "cells": [
            {
                "move": str(cell.move),
                **value_row(cell.value),
                "depth": cell.depth,
                "nodes": cell.nodes,
                "line": names(cell.pv),
            }
            for cell in table.cells
        ],
    }


def value_row(value: Value) -> dict[str, object]:
    """A value."""
    return {
        "score": value.score,
        "win_in": value.win_in,
        "chance": round(value.chance, 4),
    }


def threats_row(threats: PositionThreats) -> dict[str, object]:
    """What stands on the board."""
    return {
        "words": threats.phrases(),
        "shapes": [shape_row(shape) for shape in threats.shapes],
        "wins_in": threats.wins_in,
        "wins": names(threats.wins),
        "threatened_in": threats.threatened_in,
        "threats": names(threats.threats),
        "answers": names(threats.answers),
        "forbidden": names(threats.forbidden),
    }


def shape_row(shape: Shape) -> dict[str, object]:
    """A four, a three .."""
    return {
        "kind": shape.kind,
        "side": shape.side.name.lower(),
        "stones": names(shape.stones),
        "points": names(shape.points),
    }


def review_row(judged: Review) -> dict[str, object]:
    """The game's moves and its curve."""
    return {
        "first": judged.first,
        "curve": [round(value, 4) for value in judged.curve],
        "moves": [dict(review_fields(move)) for move in judged.moves],
    }


def review_fields(move: JudgedMove) -> Iterator[tuple[str, object]]:
    """One move of a game."""
    yield "number", move.number
    yield "side", move.side.name.lower()
    yield "move", str(move.move)
    yield "value", value_row(move.after)
    yield "best", str(move.best)
    yield "best_value", value_row(move.before)
    yield "line", names(move.line)
    yield "loss", round(move.loss, 4)
    yield "label", move.label
    yield "why", move.why
    yield "threats", list(move.threats)
    yield "depth", move.depth
    yield "nodes", move.nodes
