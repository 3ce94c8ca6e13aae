"""``analyze``: evaluation of a position, of every candidate move, or of a game.

The folder ``study`` does the analysis. This module reads the options, prints the
results and handles Ctrl-C.
"""

import argparse
import io
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any, BinaryIO, Self

from gomoku_brain.commands._arguments import (
    add_engine,
    add_positions,
    new_engines,
    output_until_closed,
    read_positions,
    require_pictures,
)
from gomoku_brain.control.limits import Limits
from gomoku_brain.engine.engine import Engine
from gomoku_brain.records.encodings import decoded
from gomoku_brain.records.game import Game
from gomoku_brain.records.read_options import ReadOptions
from gomoku_brain.runs.json_rows import json_line
from gomoku_brain.runs.output_files import check_outputs, write_whole
from gomoku_brain.runs.program_end import INTERRUPTED
from gomoku_brain.runs.run_options import (
    OneLineParser,
    ProgressWriter,
    at_least,
    seconds,
)
from gomoku_brain.study.analysis_text import found_lines, head_lines, headline, title
from gomoku_brain.study.annotate import Review, ValueTable
from gomoku_brain.study.full_analysis import LINES, SECONDS, Found, Question, find
from gomoku_brain.study.judged_files import review_to_psq, review_to_sgf
from gomoku_brain.study.service import LONGEST, Ceilings, Defaults, Service

PROG = "gomoku-brain analyze"
EXAMPLES = """\
The source is moves ("h8 h9 j10" or "7,7 7,8"), a file, or - for standard input. Files
contain moves, pictures, PSQ, SGF, RenLib, JSON, or BOARD blocks of the protocol; the
content shows the form.

examples:
  gomoku-brain analyze h8 h9 j10
  gomoku-brain analyze --rule renju --threats --lines 5 position.txt
  gomoku-brain analyze --values --picture heat.png --time 10 h8 i9 g8
  gomoku-brain analyze --move 20 --json game.psq
  gomoku-brain analyze --game --curve curve.svg --nodes 50000 game.sgf
  gomoku-brain analyze --sgf judged.sgf --time 0.2 game.psq
  gomoku-brain analyze --stream --workers 4 < requests.jsonl

A limit is for each part of the analysis: for all lines together, for the table of all
candidates together, and for each search that judges a move of a game.
Scores are evaluation units of the side to move: on an empty board 100 are a chance of
60 %, 350 one of 80 %. The length of a win is the number of the winner's own moves: "W4"
on the board is a win in 4 moves, "L3" a loss in 3. Ctrl-C prints the results so far.
"""

STATUSES = {
    1: "--skip-errors skipped input",
    130: "stopped by Ctrl-C; the results so far are printed",
}


def main(argv: list[str]) -> int:
    """Run the command and return the exit status."""
    parser = make_parser()
    options = parser.parse_args(argv)
    words = options.source
    if options.stream:
        return stream(parser, options)
    for name in ("time", "nodes", "depth", "waiting"):
        if getattr(options, f"max_{name}") is not None:
            parser.error(f"--max-{name} is for --stream alone")
    if not words:
        if sys.stdin.isatty():
            parser.error("nothing to analyze: give moves, a file or - (see --help)")
        words = ["-"]
    pictures = options.picture, options.curve
    if any(pictures):
        require_pictures(path for path in pictures if path)
    check_outputs((*pictures, options.sgf, options.psq), options.source)
    games, unread = read_positions(PROG, words, options)
    check_games(games, options)
    engines = new_engines(options, len(games))
    status = Analysis(engines, options, len(games)).run(games)
    return status or int(bool(unread))


def stream(parser: OneLineParser, options: argparse.Namespace) -> int:
    """Answer requests from standard input until it ends. Return the exit status."""
    if options.source:
        parser.error("--stream reads standard input: name no file and no moves")
    for name in (
        *("side", "move", "number", "picture", "game", "curve", "sgf", "psq"),
        *("variations", "skip_errors", "rows", "encoding"),
    ):
        if getattr(options, name) not in (None, False):
            option = name.replace("_", "-")
            parser.error(f"--{option} is not for --stream: each request has its own")
    limits = Limits(
        time=None if options.nodes or options.depth else SECONDS,
        nodes=options.nodes,
        depth=options.depth,
    )
    if options.time is not None:
        limits = replace(limits, time=options.time)
    ceilings, limits = ceilings_of(parser, options, limits)
    lines = LINES if options.lines is None else options.lines
    report = ["lines"] if lines else []
    report += ["values"] if options.values else []
    report += ["threats"] if options.threats else []
    defaults = Defaults(
        limits, lines or LINES, tuple(report), ReadOptions(options.rule, options.size)
    )
    service = Service(
        lambda line: print(line, flush=True),
        defaults,
        workers=options.workers,
        threads=options.threads,
        hash_mb=options.hash,
        ceilings=ceilings,
    )
    try:
        for line in request_lines(sys.stdin.buffer):
            if line is None:
                service.refuse(f"a request has at most {LONGEST} bytes")
            else:
                service.take(line)
        service.close()
    except KeyboardInterrupt:
        service.close(cancel=True)
        return INTERRUPTED
    return 0


def ceilings_of(
    parser: OneLineParser, options: argparse.Namespace, limits: Limits
) -> tuple[Ceilings, Limits]:
    """Return the ceilings of the options, and the default limits below them."""
    ceilings = Ceilings(
        options.max_time, options.max_nodes, options.max_depth, options.max_waiting
    )
    if options.time is None and None not in (limits.time, ceilings.time):
        limits = replace(limits, time=min(SECONDS, options.max_time))
    try:
        return ceilings, ceilings.bound(limits)
    except ValueError as error:
        parser.error(f"the default limit of a request: {error}")


def request_lines(source: BinaryIO) -> Iterator[str | None]:
    """Yield each line of a stream as soon as it is complete, decoded as files are.

    Yield None for a line that is too long.
    """
    first = source.readline(LONGEST + 1)
    if first.startswith((b"\xff\xfe", b"\xfe\xff")):  # lines end differently in UTF-16
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
    """Stream of bytes that were already read, followed by the rest of their source."""

    def __init__(self, head: bytes, source: BinaryIO) -> None:
        self._head = head
        self._source = source

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401  a writable buffer
        """Fill the buffer with the available bytes, without waiting for more."""
        size = len(buffer)
        if self._head:
            data, self._head = self._head[:size], self._head[size:]
        else:
            read1 = getattr(self._source, "read1", self._source.read)
            data = read1(size)
        buffer[: len(data)] = data
        return len(data)


def make_parser() -> OneLineParser:
    """Create the parser of the command line."""
    parser = OneLineParser(
        PROG,
        description="Evaluate a position, its candidate moves, or a game.",
        epilog=EXAMPLES,
        statuses=STATUSES,
    )
    add = parser.add_argument
    add("source", nargs="*", metavar="FILE|MOVES|-", help="what to analyze")
    add_positions(parser)
    add("--move", type=at_least(0), metavar="N", help="the position after N moves")
    add("--lines", type=at_least(0), metavar="N", help=f"best lines ({LINES}); 0: none")
    add("--time", type=seconds, metavar="S", help=f"seconds for a part ({SECONDS:g})")
    add("--nodes", type=at_least(1), metavar="N", help="nodes for a part")
    add("--depth", type=at_least(1), metavar="D", help="depth of a part, in plies")
    add("--threats", action="store_true", help="the threats in words")
    add("--values", action="store_true", help="the value of every candidate")
    add("--picture", metavar="FILE", help="a heat map of the board, .png or .svg")
    add("--game", action="store_true", help="judge the game move by move")
    add("--curve", metavar="FILE", help="the game's score curve, .png or .svg")
    add("--sgf", metavar="FILE", help="the judged game with variations and marks")
    add("--psq", metavar="FILE", help="the judged game for Piskvork, with comments")
    add_engine(parser)
    add("--stream", action="store_true", help="answer JSON requests, one a line")
    group = parser.add_argument_group(
        "ceilings of --stream",
        "A request over a ceiling is answered by an error at once. A limit that is"
        " missing in a request is the ceiling.",
    )
    add = group.add_argument
    add("--max-time", type=seconds, metavar="S", help="seconds for each result")
    add("--max-nodes", type=at_least(1), metavar="N", help="nodes of each search")
    add("--max-depth", type=at_least(1), metavar="D", help="plies of each search")
    add("--max-waiting", type=at_least(0), metavar="N", help="requests that wait")
    return parser


def check_games(games: Sequence[Game], options: argparse.Namespace) -> None:
    """Check that the options suit the games. Raises ``ValueError``."""
    if len(games) > 1 and (options.picture or options.curve):
        raise ValueError(
            f"{len(games)} positions or games, but one picture: choose with --number"
        )
    for game in games:
        if options.move is not None and options.move > len(game.moves):
            raise ValueError(
                f"--move {options.move}, but {game.name or 'the game'} has"
                f" {len(game.moves)} moves"
            )
        if options.psq and game.is_set_up:
            raise ValueError(
                f"{game.name or 'the source'} begins with stones on the board, which"
                " PSQ cannot store: use --sgf"
            )
        if options.sgf and game.walls:
            raise ValueError(
                f"{game.name or 'the source'} has walls, which SGF cannot store"
            )
        if judges(options) and not (
            game.moves if options.move is None else options.move
        ):
            raise ValueError(f"{game.name or 'the source'} is a position, not a game")
        if judges(options) and game.board(0).winner is not None:
            raise ValueError(
                f"{game.name or 'the game'} was over before its first move"
            )


def judges(options: argparse.Namespace) -> bool:
    """Return whether games are judged, by ``--game`` or for an output file."""
    return bool(options.game or options.curve or options.sgf or options.psq)


def question_of(options: argparse.Namespace) -> Question:
    """Return the query about each position or game."""
    limits = None
    if (options.time, options.nodes, options.depth) != (None, None, None):
        limits = Limits(time=options.time, nodes=options.nodes, depth=options.depth)
    return Question(
        threats=options.threats,
        lines=options.lines,
        values=options.values,
        picture=bool(options.picture),
        game=judges(options),
        limits=limits,
        ply=options.move,
        side=options.side,
    )


class Analysis:
    """Run of the command: the engines, the query and the state of Ctrl-C."""

    def __init__(
        self, engines: Sequence[Engine], options: argparse.Namespace, games: int
    ) -> None:
        """Prepare a run on ``games`` games. Each engine works on one at a time."""
        self.engines = engines
        self.question = question_of(options)
        self.sgf: list[str] = []  # judged games
        self.psq: list[str] = []
        self.free = SimpleQueue[Engine]()
        for engine in engines:
            self.free.put(engine)
        self.options = options
        self.several = len(engines) > 1 and games > 1
        self.stop = threading.Event()
        self.watched = threading.Event()  # set while ``interruptible`` handles Ctrl-C
        self.progress = ProgressWriter(in_files=False)

    def run(self, games: Sequence[Game]) -> int:
        """Analyze all games and print the results in order. Return the exit status."""
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
                    self.write_games()
                    return INTERRUPTED if self.stop.is_set() else 0
                found = self.interruptible(waiting.popleft())
                if self.several:
                    self.show_head(found.game, shown)
                self.show(found)
                self.store(found)
                shown += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Stop all threads, whatever ended the run."""
        self.stop.set()
        self.watched.set()
        for engine in self.engines:
            engine.stop()

    def work(self, game: Game) -> Found:
        """Analyze one position or game, in a thread."""
        self.watched.wait()
        engine = self.free.get()
        try:
            return find(
                engine,
                game,
                self.question,
                lambda text: self.progress.write(lambda: text),
                self.stop.is_set,
            )
        finally:
            self.free.put(engine)

    def show_head(self, game: Game, shown: int) -> None:
        """Print the position, unless the output is JSON."""
        if not self.options.json:
            with self.printing():
                if shown:
                    print()
                lines = head_lines(game, self.question.board(game))
                print(*lines, sep="\n", flush=True)

    def printing(self) -> AbstractContextManager[None]:
        """Return the context of all output: files are written even if nobody reads."""
        options = self.options
        files = options.sgf, options.psq, options.picture, options.curve
        return output_until_closed(any(files))

    def show(self, found: Found) -> None:
        """Print a result as text or JSON, and draw the pictures."""
        options = self.options
        if found.table is not None and options.picture and found.table.cells:
            self.draw_board(found, found.table)
        elif options.picture and not options.json and not self.stop.is_set():
            print("no picture: the game is over, so no move has a value")
        if found.review is not None and options.curve and found.review.moves:
            self.draw_curve(found.game, found.review)
        with self.printing():
            if options.json:
                print(json_line("analysis", found.row()), flush=True)
                return
            for line in found_lines(found, options.threats):
                print(line)
            sys.stdout.flush()

    def store(self, found: Found) -> None:
        """Store a judged game for the output files."""
        if found.review is None:
            return
        game, ply = found.game, self.options.move
        if ply is not None:  # variations before that move stay
            game = game.copy()
            game.node_at(ply).variations.clear()
        try:
            if self.options.sgf:
                self.sgf.append(review_to_sgf(game, found.review))
            if self.options.psq:
                self.psq.append(review_to_psq(game, found.review))
        except ValueError as error:
            raise ValueError(f"{game.name or 'the game'}: {error}") from None

    def write_games(self) -> None:
        """Write the judged games, also after Ctrl-C."""
        for path, texts in ((self.options.sgf, self.sgf), (self.options.psq, self.psq)):
            if path and texts:
                write_whole(Path(path), "\n".join(texts))
                if not self.options.json:
                    many = f"{len(texts)} games" if len(texts) > 1 else "game"
                    with self.printing():
                        print(f"{many} written: {path}", flush=True)

    def interruptible(self, task: Future[Found]) -> Found:
        """Return the result of a task. After Ctrl-C all tasks end with partial results.

        A search does not receive Ctrl-C, so it runs in a thread that this method stops.
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

    def draw_board(self, found: Found, table: ValueTable) -> None:
        """Draw the heat map."""
        from gomoku_brain.study.pictures import board_picture

        game, board = found.game, found.board
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
        """Draw the score curve."""
        from gomoku_brain.study.pictures import score_curve

        path = self.options.curve
        self.write(path, lambda: score_curve(path, judged, title=title(game)))

    def write(self, path: str, make: Callable[[], None]) -> None:
        """Draw a picture and report its path."""
        make()
        if not self.options.json:
            with self.printing():
                print(f"picture written: {path}", flush=True)
