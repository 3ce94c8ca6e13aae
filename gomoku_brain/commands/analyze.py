"""``analyze``: what the engine thinks of a position, of every candidate, of a game.

What is thought is the work of `study`; here it is asked for, shown and interrupted.
"""

import argparse
import io
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from time import perf_counter
from typing import Any, BinaryIO, NoReturn, Self

from gomoku_brain.game.notation import Move, format_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.match.record import decoded
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
from gomoku_brain.study.reader import (
    Game,
    ReadError,
    Setting,
    parse_count,
    parse_size,
    read,
)
from gomoku_brain.study.rows import (
    json_line,
    lines_row,
    position_row,
    review_row,
    threats_row,
    values_row,
)
from gomoku_brain.study.service import LONGEST, Defaults, Service
from gomoku_brain.study.threats import (
    PositionThreats,
    describe_move,
    describe_position,
)

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
  gomoku-brain analyze --stream --workers 4 < requests.jsonl

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
    if options.stream:
        return stream(parser, options)
    if not words:
        if sys.stdin.isatty():
            parser.error("nothing to analyze: give moves, a file or - (see --help)")
        words = ["-"]
    try:
        check_pictures(options)
        unread: list[ReadError] = []

        def skip(error: ReadError) -> None:
            unread.append(error)
            print(f"{PROG}: {error}", file=sys.stderr)
            if options.json:
                print(json_line("error", {"message": str(error)}), flush=True)

        setting = Setting(
            options.rule,
            options.size,
            skip=skip if options.skip_errors else None,
            variations=options.variations,
        )
        games = chosen(read(words, setting), options)
        try:
            engines = [
                Engine(options.threads, options.hash)
                for _ in range(min(options.workers or 1, len(games)))
            ]
        except (ValueError, MemoryError) as error:
            raise UserError(f"--hash {options.hash}: {error or 'no memory'}") from None
        status = Analysis(engines, options, len(games)).run(games)
        return status or int(bool(unread))
    except (UserError, ReadError) as error:
        print(f"{PROG}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def stream(parser: Parser, options: argparse.Namespace) -> int:
    """Answer requests from standard input until it ends; returns the exit status."""
    if options.source:
        parser.error("--stream reads standard input: name no file and no moves")
    for name in ("side", "move", "number", "picture", "game", "curve"):
        if getattr(options, name) not in (None, False):
            parser.error(f"--{name} is not for --stream: each request says its own")
    limits = Limits(
        time=None if options.nodes or options.depth else SECONDS,
        nodes=options.nodes,
        depth=options.depth,
    )
    if options.time is not None:
        limits = replace(limits, time=options.time)
    lines = LINES if options.lines is None else options.lines
    report = ["lines"] if lines else []
    report += ["values"] if options.values else []
    report += ["threats"] if options.threats else []
    defaults = Defaults(
        limits, lines or LINES, tuple(report), Setting(options.rule, options.size)
    )
    try:
        service = Service(
            lambda line: print(line, flush=True),
            defaults,
            workers=options.workers or 1,
            threads=options.threads,
            hash_mb=options.hash,
        )
    except (ValueError, MemoryError) as error:
        print(f"{PROG}: {error or 'no memory for the tables'}", file=sys.stderr)
        return 2
    try:
        for line in request_lines(sys.stdin.buffer):
            if line is None:
                service.refuse(f"a request has at most {LONGEST} bytes")
            else:
                service.take(line)
        service.close()
    except KeyboardInterrupt:
        service.close(cancel=True)
        return 130
    return 0


def request_lines(source: BinaryIO) -> Iterator[str | None]:
    """The lines of a stream, each decoded as files are; None for one too long.

    A line is told as soon as it is there.
    """
    first = source.readline(LONGEST + 1)
    if first.startswith((b"\xff\xfe", b"\xfe\xff")):  # UTF-16: lines end otherwise
        rest = io.BufferedReader(_Chained(first, source))
        for text in io.TextIOWrapper(rest, encoding="utf-16", errors="replace"):
            yield text if len(text) <= LONGEST else None
        return
    line = first.removeprefix(b"\xef\xbb\xbf")
    while line:
        if len(line) > LONGEST and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = source.readline(LONGEST)
            yield None
        else:
            yield decoded(line)
        line = source.readline(LONGEST + 1)


class _Chained(io.RawIOBase):
    """Bytes that were read already, and then the source that they came from."""

    def __init__(self, head: bytes, source: BinaryIO) -> None:
        self._head = head
        self._source = source

    def readable(self) -> bool:
        """It is for reading."""
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401  a writable buffer
        """Fill what is there without waiting for more."""
        size = len(buffer)
        if self._head:
            data, self._head = self._head[:size], self._head[size:]
        else:
            read1 = getattr(self._source, "read1", self._source.read)
            data = read1(size)
        buffer[: len(data)] = data
        return len(data)


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
    add("--variations", action="store_true", help="every line, not only the main one")
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
    add("--threads", type=at_least(1), default=1, metavar="N", help="of a search (1)")
    add("--stream", action="store_true", help="answer JSON requests, one a line")
    add("--workers", type=at_least(1), metavar="N", help="positions at once (1)")
    add("--skip-errors", action="store_true", help="go on after what cannot be read")
    add("--json", action="store_true", help="one JSON object a line instead of text")
    return parser


def rule_names() -> list[str]:
    """The rules as an option takes them; a hyphen does as well."""
    return [rule.name.lower() for rule in Rule]


def rule_of(text: str) -> Rule:
    """An option's rule."""
    if text.lower().replace("-", "_") not in rule_names():
        known = ", ".join(rule_names())
        raise argparse.ArgumentTypeError(f"{text!r} is not one of {known}")
    return Rule(text)


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
    """The type of an option that is a whole number, "1000000" or "1e6"."""

    def number(text: str) -> int:
        try:
            return parse_count(text, least)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

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


@dataclass(slots=True)
class Found:
    """What was found out about one position or game; None: not asked, or no time."""

    game: Game
    board: Board
    threats: PositionThreats | None = None
    lines: SearchResult | None = None
    fours: tuple[Move, ...] | None = None
    """A win by fours."""
    table: ValueTable | None = None
    review: Review | None = None

    def row(self) -> dict[str, object]:
        """The same for machines."""
        row = position_row(self.game, self.board)
        if self.threats is not None:
            row["threats"] = threats_row(self.threats)
            row["last_move"] = last_words(self.game, self.board)
        if self.lines is not None:
            row |= lines_row(self.lines, self.fours)
        if self.table is not None:
            row["values"] = values_row(self.table)
        if self.review is not None:
            row["game"] = review_row(self.review)
        return row


class Analysis:
    """One run of the command: the engine, what was asked, and whether to go on."""

    def __init__(
        self, engines: Sequence[Engine], options: argparse.Namespace, games: int
    ) -> None:
        """Nothing is done yet; each engine works on one of the ``games`` at a time."""
        self.engines = engines
        self.free = SimpleQueue[Engine]()
        for engine in engines:
            self.free.put(engine)
        self.options = options
        self.several = len(engines) > 1 and games > 1
        self.stop = threading.Event()
        self.watched = threading.Event()  # by ``interruptible``, which hears Ctrl-C
        self.progress = Progress()

    def run(self, games: Sequence[Game]) -> int:
        """Analyze all and print in their order; returns the exit status."""
        coming = iter(games)
        waiting: deque[Future[Found]] = deque()
        shown = 0
        with ThreadPoolExecutor(len(self.engines)) as pool, self:
            while True:
                while len(waiting) < len(self.engines) and not self.stop.is_set():
                    game = next(coming, None)
                    if game is None:
                        break
                    if not self.several:
                        self.show_head(game, shown)
                    waiting.append(pool.submit(self.work, game))
                if not waiting:
                    return 130 if self.stop.is_set() else 0
                found = self.interruptible(waiting.popleft())
                if self.several:
                    self.show_head(found.game, shown)
                self.show(found)
                shown += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Let no thread go on, whatever has ended the run."""
        self.stop.set()
        self.watched.set()
        for engine in self.engines:
            engine.stop()

    def board(self, game: Game) -> Board:
        """The position that was asked for."""
        board = game.board(self.options.move)
        if self.options.side is not None:
            board.turn = self.options.side
        return board

    def work(self, game: Game) -> Found:
        """All that was asked about one position or game, in a thread."""
        self.watched.wait()
        options, board = self.options, self.board(game)
        found = Found(game, board)
        whole_game = options.game or options.curve
        table = options.values or options.picture
        lines = options.lines
        if lines is None:
            lines = 0 if whole_game and not table else LINES
        over = board.winner is not None or board.is_full
        if options.threats:
            found.threats = describe_position(board)
        engine = self.free.get()
        try:
            engine.new_game()
            if lines and not over:
                found.lines, found.fours = self.search(engine, board, lines)
            if table and not over and not self.stop.is_set():
                found.table = self.table(engine, board)
            if whole_game and not self.stop.is_set():
                found.review = self.review(engine, game)
        finally:
            self.free.put(engine)
        return found

    def show_head(self, game: Game, shown: int) -> None:
        """The position itself, as text."""
        if not self.options.json:
            if shown:
                print()
            board = self.board(game)
            print(headline(game, board))
            print(board, flush=True)

    def show(self, found: Found) -> None:
        """Print what was found, or write it as JSON, and make the pictures."""
        options, game, board = self.options, found.game, found.board
        if found.table is not None and options.picture and found.table.cells:
            self.draw_board(game, board, found.table)
        if found.review is not None and options.curve and found.review.moves:
            self.draw_curve(game, found.review)
        if options.json:
            print(json_line("analysis", found.row()), flush=True)
            return
        if found.threats is not None:
            print_threats(found.threats, last_words(game, board))
        if found.lines is not None:
            print_lines(board, found.lines, found.fours, options.threats)
        if found.table is not None and options.values:
            print_values(board, found.table)
        if found.review is not None:
            print_review(found.review, options.threats)
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
        self, engine: Engine, board: Board, lines: int
    ) -> tuple[SearchResult, tuple[Move, ...] | None]:
        """The best lines, and a win by fours if there is one."""
        fours = engine.solve(board, "vcf", Limits(time=1.0, nodes=VCF_NODES))

        def on_info(info: SearchInfo) -> None:
            self.progress.show(f"depth {info.depth}, {info.nodes} nodes")

        limits = self.limits(SECONDS, multipv=lines)
        if self.stop.is_set():
            limits = Limits(depth=1, multipv=lines)
        return engine.search(board, limits, on_info), fours

    def table(self, engine: Engine, board: Board) -> ValueTable:
        """The values of all candidates."""

        def on_progress(depth: int, done: int, count: int) -> None:
            self.progress.show(f"values: depth {depth}, cell {done} of {count}")

        return values(
            engine,
            board,
            self.limits(SECONDS),
            on_progress=on_progress,
            stop=self.stop.is_set,
        )

    def review(self, engine: Engine, game: Game) -> Review:
        """The game judged move by move."""

        def on_progress(done: int, count: int) -> None:
            self.progress.show(f"game: position {done} of {count}")

        return review(
            engine,
            game.cut(self.options.move),
            self.limits(GAME_SECONDS),
            on_progress=on_progress,
            stop=self.stop.is_set,
        )

    def interruptible(self, task: Future[Found]) -> Found:
        """What a task finds; Ctrl-C makes it, and the others, end with what they have.

        A search does not see the keyboard, so it runs in a thread and is told.
        """
        try:
            self.watched.set()
            while not task.done():
                wait([task], 0.05)
        except KeyboardInterrupt:  # a second one ends the program
            self.stop.set()
            while not task.done():
                for engine in self.engines:
                    engine.stop()
                wait([task], 0.05)
        self.watched.clear()
        self.progress.clear()
        return task.result()

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
    others = (
        f", {game.others} other line{'s' if game.others > 1 else ''}: --variations"
        if game.others
        else ""
    )
    return (
        f"{about + ': ' if about else ''}{board.rule.name.lower()}"
        f" {board.width}x{board.height}, {stones}, {state}{others}"
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
