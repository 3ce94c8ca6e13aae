"""Mutated files: whatever a file holds, its reader reads it or says what is wrong.

    python .ci/soak/mutated_files.py --out files.jsonl --count 100000

Every reader of the package is given files of its own kind, of another kind, and both
with bytes changed, cut, doubled, moved, numbers blown up and texts put in. Where a form
has a checksum, half of the files have it put right again, so that what comes after the
checksum is tried as well. What must hold:

- a reader raises nothing but the errors that its text promises, in one line;
- it takes no longer than SLOW seconds of processor time.
"""

import atexit
import encodings
import json
import pkgutil
import random
import re
import shutil
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from encodings.aliases import aliases
from functools import cache
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / ".ci")]

from gomoku_brain.eval.evaluate import evaluation_from
from gomoku_brain.eval.hand_weights import read_hand_values
from gomoku_brain.eval.weights import unpack_weights
from gomoku_brain.game.notation import parse_board, parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.gui.model import saved_game, settings
from gomoku_brain.lab.train import numbered
from gomoku_brain.lab.train.numbered import journal_of, missing, numbered_lines
from gomoku_brain.lab.train.selfplay import SelfplayRecipe
from gomoku_brain.match.tournament import MatchSettings, header_of
from gomoku_brain.plain.studies import Results
from gomoku_brain.proofs.book import BookError, ProofBook, make_book
from gomoku_brain.proofs.certificate import Certificate, decode
from gomoku_brain.proofs.grid import Grid
from gomoku_brain.prove import snapshot
from gomoku_brain.prove.full_check import Findings, JournalError
from gomoku_brain.prove.tree import Tree
from gomoku_brain.prove.tree_file import TreeError
from gomoku_brain.records.encodings import decoded
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_record import GameRecord, PlayedMove, from_json
from gomoku_brain.records.json_games import to_json
from gomoku_brain.records.openings import parse_opening, position, read_openings
from gomoku_brain.records.psq import from_psq, to_psq
from gomoku_brain.records.read import (
    parse_games,
    position_of_row,
    read_bytes,
    read_games,
    read_positions,
    read_text,
)
from gomoku_brain.records.read_options import ReadOptions
from gomoku_brain.records.sgf import to_sgf
from gomoku_brain.study.known_proofs import Proof
from gomoku_brain.study.service import Defaults, RequestError, ServiceRequest
from soak.chunks import Chunk, run

SIZE = 1000  # files of a chunk
PATIENCE = 300.0  # seconds for a chunk
SLOW = 5.0  # seconds of processor time for one file that are a fault
PLAIN = ReadOptions()
MOVES = parse_moves("h8 i9 h10 i7 i10 g10 h9 h11 g8")
TEXTS = (
    *("", "\0", "\ufeff", "(", ")", ";B[]", "[", "]]", "{", "}", '"', "\\", ",", "\r"),
    *(
        "NaN",
        "1e999",
        "-1",
        "0",
        "99999999999999999999",
        "null",
        "true",
        "é",
        "七",
        "\x1a",
    ),
    *(
        "B[zz]",
        "SZ[0]",
        "SZ[99]",
        "SZ[1:1]",
        "RU[]",
        "h8",
        "v22",
        "z99",
        "#",
        "Piskvorky",
    ),
    *("Piskvorky 0x0, 1:1, 0", "START 15", "BOARD", "DONE", "X O . #", "x" * 5000),
    *("[" * 3000, "(" * 3000, '{"a":' * 2000, "9" * 5000, "h8 " * 500, "(;B[aa])"),
)

# All codecs that Python knows, of text or not, by all their names.
ENCODING_NAMES = sorted(
    {*aliases, *aliases.values()}
    | {module.name for module in pkgutil.iter_modules(encodings.__path__)}
)
NAMED = re.compile(rb'(CA\[|encoding=")[^\]"]*')
ENCODED = {
    "gbk": "五子棋开局指南 白胜",
    "shift_jis": "第十期名人戦 表のテスト",
    "big5": "黑先勝 十表",
    "euc_kr": "오목 흑승",
    "cp1251": "Победа чёрных",
    "cp1250": "Dvořák Přibyl",
    "utf-16": "Müller",
}
PGN = """\
[Event "Friday"]
[Date "2019.05.05"]
[Black "one"]
[White "two"]
[Result "1-0"]

1. h8 i9 {a comment} 2. h9 i10
3. h10 1-0
"""
RIF = """\
<?xml version="1.0" encoding="UTF-8"?>
<database><players><player id="1" name="Ann" surname="Ant"/></players>
<rules><rule id="25" name="Taraguchi-10"/></rules>
<games><game id="4" rule="25" black="1" white="2" bresult="0.5" alt="51">
<move>h8 h9 i8</move><info>B=1245</info></game>
<game id="6" rule="3" black="2" white="1" bresult="0"><move>a1 o15</move></game>
</games></database>
"""
CONTEST = (
    "{[C5][甲 B][乙 W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];"
    "B(J,10);W(L,10)MARK[1];B(H,8)}"
)
PUZZLES = (
    b'{"defaultSettings": {"rule": 2}, "puzzles": [{"stones": "H8I9", "side": 1},'
    b' {"blackStones": "A15", "whiteStones": "C15", "side": 2, "size": 6}]}'
)


@dataclass(frozen=True)
class Reader:
    """Something that reads files."""

    name: str
    read: Callable[[bytes], object]
    errors: tuple[type[Exception], ...] = (ValueError,)
    """What it may raise."""
    forge: Callable[[random.Random, bytes], bytes] | None = None
    """Spoils a good file and gives it the checksum of what it then holds."""


# ----- Files to begin with -----


def _record(**more: object) -> GameRecord:
    played = tuple(
        PlayedMove(
            move, seconds=0.25, score=10 * i, depth=i + 1, nodes=1000, comment="x"
        )
        for i, move in enumerate(MOVES)
    )
    return GameRecord(
        Rule.RENJU,
        15,
        15,
        "one",
        "two",
        played,
        "1-0",
        "five",
        "detail",
        "2026-11-22",
        "1-2.1a",
        {"opening": "book:1"},
        **more,  # type: ignore[arg-type]
    )


def _with_variations(record: GameRecord) -> Game:
    game = Game.from_record(record)
    game.node_at(3).add_line("a1 b1").comment = "other"
    return game


@cache
def samples() -> dict[str, list[bytes]]:
    """Good files of every kind."""
    record = _record()
    board = record.board()
    moves = " ".join(map(str, MOVES))
    rows = "".join(f"{m.x},{m.y},{1 + i % 2}\n" for i, m in enumerate(MOVES))
    data = ROOT / "gomoku_brain" / "data"
    found = {
        "psq": [to_psq(record).encode(), to_psq(record).encode() * 3],
        "sgf": [
            to_sgf(record).encode(),
            to_sgf(_with_variations(record)).encode(),
            b"(;GM[4]SZ[15]AB[hh][ii]AW[aa]PL[W];W[bb](;B[cc];W[dd])(;B[ee]))",
            b"A game:\n(GM[4]SZ[15]AB[]C[a][b];PB[x]RU[renju]RE[White wins on time]"
            b";B[hh]\n-----\n;W[ii](;B[jj])(;B[none];W[kk]))",
        ],
        "json": [
            to_json(record).encode() + b"\n",
            (to_json(record) + "\n").encode() * 3,
        ],
        "position": [
            json.dumps({"moves": moves, "rule": "caro", "size": 15}).encode(),
            b'[{"black": ["h8"], "white": ["i9"], "side_to_move": "black"}]',
        ],
        "moves": [
            moves.encode(),
            f"{moves}\n{moves}\n# comment".encode(),
            b"1. h8 i9\n2. h9 i10\n3. h10 1-0\n",
        ],
        "picture": [
            str(board).encode(),
            b"+-----+\n|.X.O.|\n|..X..|\n|.....|\n|.....|\n|...O.|\n+-----+\n",
        ],
        "protocol": [f"START 15\nINFO rule 4\nBOARD\n{rows}DONE\n".encode()],
        "foreign": [
            PGN.encode(),
            PGN.encode() * 3,
            RIF.encode(),
            CONTEST.encode("gbk"),
            CONTEST.encode(),
            b"15\n15\n3\n7 8\n6 8\n0 14\n",
            b"one.exe\ntwo.exe\n7,7,0\n8,7,12\n8,8,340\n0\n",
            b"https://x.example/#/h8i9j10",
            b"H8I9{A1B2}{C3}",
            b"H8I9&A1&B2&15&3",
            PUZZLES,
        ],
        "pos": [bytes([3, 112, 97, 127]), bytes([5, 112, 113, 111, 240, 114])],
        "encoded": [
            f"(;GM[1]CA[{name}]SZ[15]PB[{words}];B[hh]C[{words}];W[ii])".encode(name)
            for name, words in ENCODED.items()
        ],
        "openings": [
            b"h8h9j10\n0,0, 0,1, 2,2\n# no\n",
            (data / "openings_caro15.txt").read_bytes()[:2000],
        ],
        "lib": [_library(), _library() + _library()[22:]],
        "match": [_match_file(record)],
        "results": [b'{"key": {"study": "nodes", "level": 1}, "result": {"n": 1}}\n'],
        "selfplay": [b"0 15 1 h8,i9,h10 12,-3,W5\n1 15 0 h8,h9 1,2\n"],
        "weights": [(data / "weights-freestyle.bin").read_bytes()],
        "hand": [(data / "hand.txt").read_bytes()],
        "certificate": [(ROOT / "tests/prove/h8-f6.proof").read_bytes()],
        "snapshot": [_snapshot()],
        "findings": [_findings()],
        "request": [
            b'{"id": 1, "moves": "h8 i9", "report": ["lines", "threats"],'
            b' "limits": {"time": 1}, "lines": 3, "partial": 0.5, "rule": "renju"}'
        ],
        "saved game": [_saved_game()],
        "settings": [json.dumps({"language": "en", "programs": [{}]}).encode()],
    }
    certificate = decode(found["certificate"][0])
    plies = [5] * len(certificate.entries)
    found["book"] = [make_book(certificate, plies)]
    return found


def _match_file(record: GameRecord) -> bytes:
    from gomoku_brain.client.brain import EngineSpec
    from gomoku_brain.match.tournament import GameFile, MatchPlayer

    players = tuple(MatchPlayer(EngineSpec(name, (name,))) for name in ("one", "two"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "games.jsonl")
        with GameFile(
            path, MatchSettings(players), arguments=["--size", "15"]
        ) as games:
            games.start()
            games.append(record)
        return path.read_bytes()


def _library() -> bytes:
    """A library of RenLib with a fork, a comment, a mark and a text on the board."""
    head = b"\xffRenLib\xff\x03\x04" + b"\xff" * 10
    about = b"\x00\x08about it\x00\x00"
    fork = b"\x78\x80\x79\x48good\x08and more\x00"
    rest = b"\x7a\x10\x6a\x01\x00\x01A\x00\x8a\x60ol\xe4\x00"
    return head + about + fork + rest


def _new_tree() -> Tree:
    return Tree(":memory:", "freestyle", Grid(15, 15), "black", (0, 0))


def _snapshot() -> bytes:
    with _new_tree() as tree:
        return snapshot.save(tree)


@cache
def _certificate() -> Certificate:
    return decode((ROOT / "tests/prove/h8-f6.proof").read_bytes())


def _findings() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "check")
        with Findings(path, _certificate()):
            pass
        return path.read_bytes() + b'["0123456789abcdef", 1, 2, 3, 4, 5]\n'


def _saved_game() -> bytes:
    from gomoku_brain.gui.model.game_players import GameConfig
    from gomoku_brain.gui.model.game_tree import GameTree

    tree = GameTree(Game(rule=Rule.FREESTYLE))
    for move in MOVES:
        tree.play(PlayedMove(move, seconds=1.0))
    return saved_game.to_text(tree, GameConfig()).encode()


# ----- Readers -----


def _path_of(data: bytes) -> Path:
    path = _folder() / "file"
    path.write_bytes(data)
    return path


@cache
def _folder() -> Path:
    memory = Path("/dev/shm")
    base = memory if memory.is_dir() else None
    folder = tempfile.mkdtemp(prefix="mutated-files-", dir=base)
    atexit.register(shutil.rmtree, folder, True)
    return Path(folder)


def _text(data: bytes) -> str:
    return decoded(data)


def _read_snapshot(data: bytes) -> None:
    with _new_tree() as tree:
        snapshot.load(tree, data)


def _read_findings(data: bytes) -> None:
    Findings(_path_of(data), _certificate())


def _read_opening(data: bytes) -> None:
    for line in _text(data).splitlines()[:50]:
        if words := line.partition("#")[0].strip():
            position(parse_opening(words, 15), 15, Rule.RENJU)


def _value(data: bytes) -> object:
    """A JSON value, for who is given one; others have refused what is none."""
    try:
        return json.loads(_text(data))
    except (ValueError, RecursionError):
        raise RequestError("no JSON") from None


def _read_request(data: bytes) -> None:
    row = _value(data)
    if isinstance(row, dict):
        ServiceRequest(1, row, Defaults())


def _read_and_write_games(data: bytes) -> None:
    """Read games, and check that they come back as they were written."""
    for game in read_games(_path_of(data), errors="skip"):
        text = to_sgf(game)
        (again,) = parse_games(text)
        if to_sgf(again) != text:
            raise AssertionError(f"another text: {text[:200]!r}")
        facts = [(g.moves, g.size, g.rule, g.result, g.reason) for g in (game, again)]
        if facts[0] != facts[1]:
            raise AssertionError(f"another game: {text[:200]!r}")
        for node in game.nodes():
            _ = node.comment, node.figures, node.labels, node.marks, node.turn
        _ = game.head
        with suppress(ValueError):
            game.board()


def _read_positions(data: bytes) -> None:
    for game in read_text(_text(data), "file", PLAIN):
        game.board()


# What a header is made to say of anything.
FORGED = ("", None, -1, 0, 3, 10**9, 1.5, [], ["h8", "h8"], ["z99"], {}, "caro")


def _forge_headed(
    rng: random.Random, header: dict[str, object], body: bytes
) -> tuple[bytes, bytes]:
    """Spoil the header or what follows it; the header's line without a checksum."""
    if rng.random() < 0.6:
        header[rng.choice(list(header))] = rng.choice(FORGED)
    else:
        body = _once(rng, body, [body])
    return _line(header), body


def _line(header: dict[str, object]) -> bytes:
    return json.dumps(header, sort_keys=True).encode("ascii") + b"\n"


def _forge_packed(rng: random.Random, data: bytes) -> bytes:
    """The checksum is in the first line, over that line without it and the rest."""
    line, _, packed = data.partition(b"\n")
    header = json.loads(line)
    del header["sha256"]
    told, body = _forge_headed(rng, header, zlib.decompress(packed))
    header["sha256"] = sha256(told + body).hexdigest()
    return _line(header) + zlib.compress(body, 1)


def _forge_weights(rng: random.Random, data: bytes) -> bytes:
    """The checksum ends the head, and is over what is before it and the rest."""
    head, _, body = data.partition(b"\n\n")
    described, numbers = head.rpartition(b"\n")[0], zlib.decompress(body)
    if rng.random() < 0.7:
        described = _once(rng, described, [described])
    else:
        numbers = _once(rng, numbers, [numbers])
    checksum = zlib.crc32(numbers, zlib.crc32(described + b"\n"))
    told = described + f"\ncrc32 {checksum:08x}\n\n".encode()
    return told + zlib.compress(numbers, 1)


def _forge_book(rng: random.Random, data: bytes) -> bytes:
    """As in a certificate, but a CRC-32, and what follows is not packed."""
    line, _, body = data.partition(b"\n")
    header = json.loads(line)
    del header["crc32"]
    told, body = _forge_headed(rng, header, body)
    header["crc32"] = zlib.crc32(body, zlib.crc32(told))
    return _line(header) + body


def _read_book(data: bytes) -> None:
    """What is accepted can be asked for any position."""
    proof = Proof(ProofBook(data))
    proof.lookup(Board.from_moves(MOVES[:4]))
    proof.start().board()


TASKS = [
    numbered.LineTask(SelfplayRecipe(Rule.FREESTYLE, (15,), 100, 1), n)
    for n in range(10)
]
READERS = (
    Reader("psq", lambda data: from_psq(_text(data))),
    Reader("sgf", lambda data: [g.record() for g in parse_games(_text(data))]),
    Reader("sgf", lambda data: read_bytes(data, "", ReadOptions(variations=True))),
    Reader("json", lambda data: from_json(_text(data))),
    Reader("match", lambda data: read_games(_path_of(data))),
    Reader("match", lambda data: header_of(_path_of(data))),
    Reader("psq", lambda data: read_games(_path_of(data))),
    Reader("lib", lambda data: read_games(_path_of(data))),
    Reader("lib", lambda data: read_bytes(data, "", ReadOptions(variations=True))),
    Reader("lib", lambda data: read_positions([str(_path_of(data))])),
    Reader("position", _read_positions),
    Reader("protocol", _read_positions),
    Reader("picture", _read_positions),
    Reader("moves", _read_positions),
    Reader("sgf", _read_positions),
    Reader("position", lambda data: position_of_row(_value(data), PLAIN)),
    Reader("picture", lambda data: parse_board(_text(data))),
    Reader("moves", lambda data: parse_moves(_text(data))),
    Reader("foreign", lambda data: read_positions([str(_path_of(data))])),
    Reader("foreign", lambda data: read_games(_path_of(data))),
    Reader("pos", lambda data: read_positions([str(_path_of(data))])),
    Reader("encoded", lambda data: read_positions([str(_path_of(data))])),
    Reader("encoded", _read_and_write_games),
    Reader("sgf", _read_and_write_games),
    Reader("lib", _read_and_write_games),
    Reader("openings", lambda data: read_openings(_path_of(data), 15)),
    Reader("openings", _read_opening),
    Reader("results", lambda data: Results(_path_of(data))),
    Reader("selfplay", lambda data: missing(journal_of(_path_of(data)), TASKS)),
    Reader("selfplay", lambda data: numbered_lines(_path_of(data))),
    Reader(
        "weights",
        lambda data: evaluation_from(unpack_weights(data)),
        forge=_forge_weights,
    ),
    Reader("hand", lambda data: read_hand_values(_text(data))),
    Reader("certificate", decode, forge=_forge_packed),
    Reader("snapshot", _read_snapshot, (TreeError,), forge=_forge_packed),
    Reader("findings", _read_findings, (JournalError,)),
    Reader("book", _read_book, (BookError,), forge=_forge_book),
    Reader("request", _read_request, (RequestError,)),
    Reader("saved game", lambda data: saved_game.from_text(_text(data))),
    Reader("settings", lambda data: settings.load(_path_of(data)), ()),
)


# ----- Mutations -----


def mutated(rng: random.Random, data: bytes, others: list[bytes]) -> bytes:
    """The file with something wrong."""
    for _ in range(rng.choice((1, 1, 1, 1, 1, 2, 4, 16))):
        data = _once(rng, data, others)
    return data[: 1 << 20]


def _once(rng: random.Random, data: bytes, others: list[bytes]) -> bytes:
    at = rng.randrange(len(data) + 1)
    end = min(len(data), at + rng.choice((1, 1, 2, 5, 20, 1000)))
    kind = rng.randrange(12)
    if kind == 0:
        return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
    if kind == 1:
        return data[:at] + data[end:]
    if kind == 2:
        return data[:at]
    if kind == 3:
        return data[:end] + data[at:]
    if kind == 4:
        return data[:at] + rng.choice(TEXTS).encode() + data[at:]
    if kind == 5:
        return data[:at] + rng.choice(TEXTS).encode() + data[end:]
    if kind == 6:
        numbers = list(re.finditer(rb"-?\d+", data[:5000]))
        if not numbers:
            return data
        found = rng.choice(numbers)
        new = rng.choice((b"0", b"-1", b"99", b"1e9", b"4294967296", b"9" * 30, b"1.5"))
        return data[: found.start()] + new + data[found.end() :]
    if kind == 7:
        other = rng.choice(others)
        return data[:at] + other[rng.randrange(len(other) + 1) :]
    if kind == 8:
        lines = data.splitlines(keepends=True)
        rng.shuffle(lines)
        return b"".join(lines)
    if kind == 9:
        try:
            encoding = rng.choice(
                ("utf-16", "utf-8-sig", "utf-16-be", "cp1252", "gbk", "cp932", "big5")
            )
            return data.decode("utf-8").encode(encoding, "replace")
        except UnicodeDecodeError:
            return data[::-1]
    if kind == 10:
        name = rng.choice(ENCODING_NAMES).encode()
        text = b"GC[\xe9]"  # not UTF-8, so the name decides
        if not NAMED.search(data):
            text += b"CA[" + name + b"]"
        data = NAMED.sub(lambda found: found[1] + name, data)
        return data.replace(b"(;", b"(;" + text)
    return bytes(rng.randrange(256) for _ in range(rng.choice((0, 1, 50))))


def play(seed: str, number: int, verbose: bool) -> Chunk:
    """A chunk of files."""
    rng = random.Random(f"files/{seed}/{number}")
    chunk = Chunk()
    good = samples()
    everything = [data for files in good.values() for data in files]
    for _ in range(SIZE):
        reader = rng.choice(READERS)
        kind = reader.name if rng.random() < 0.9 else rng.choice(list(good))
        data = rng.choice(good[kind])
        if reader.forge is not None and kind == reader.name and rng.random() < 0.5:
            data = reader.forge(rng, data)
        else:
            data = mutated(rng, data, everything)
        label = f"{reader.name} file {chunk.counts['file']}"
        if verbose:
            print(label, repr(data[:300]), flush=True)
        started = time.process_time()
        try:
            reader.read(data)
            chunk.counts[f"{reader.name}: read"] += 1
        except reader.errors as error:
            chunk.counts[f"{reader.name}: refused"] += 1
            if "\n" in str(error) or not str(error):
                chunk.faults.append(f"{label}: not one line: {str(error)[:200]!r}")
        except Exception as error:
            chunk.faults.append(f"{label}: {error!r:.300}; {data[:200]!r}")
        seconds = time.process_time() - started
        chunk.counts["file"] += 1
        chunk.timed(seconds, label)
        if seconds > SLOW:
            chunk.faults.append(f"{label} took {seconds:.1f} s")
    return chunk


if __name__ == "__main__":
    raise SystemExit(run(__doc__ or "", "file", SIZE, play, PATIENCE))
