"""Output of ``prove --show``: the information of a proof about a position."""

import argparse
import re
from pathlib import Path
from typing import Annotated, TypedDict

from gomoku_brain.commands._arguments import only_board, require_pictures
from gomoku_brain.control.limits import moves_words
from gomoku_brain.eval.score import WIN
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.proofs.grid import RULES
from gomoku_brain.records.read_options import ReadOptions
from gomoku_brain.runs.json_rows import (
    Cell,
    Count,
    Positive,
    Schema,
    SideName,
    json_line,
)
from gomoku_brain.runs.output_files import check_output
from gomoku_brain.study.annotate import Value
from gomoku_brain.study.known_proofs import (
    KnownProofs,
    Proof,
    ProofError,
    Shown,
    read_proof,
)
from gomoku_brain.study.row_types import side_name


def proof_named(path: Path) -> Proof:
    """Read a proof from a file, or the package's proof of a game ("freestyle15").

    Raises:
        OSError: The file cannot be read.
        ValueError: The package has no such proof, or the file is invalid.
    """
    known = re.fullmatch(f"({'|'.join(RULES)})([0-9]+)", str(path))
    if known and not path.exists():
        board = Board(int(known[2]), Rule[known[1].upper()])
        proof = KnownProofs().find_for(board)
        if proof is None:
            raise ValueError(f"the package has no proof for {path}")
        return proof
    try:
        return read_proof(path)
    except ProofError as error:
        raise ValueError(f"{path}: {error}") from None


def run_show(options: argparse.Namespace) -> int:
    """Print the information of a proof about a position. Return the exit status."""
    proof = proof_named(options.show)
    board = proof.start().board()
    if options.position:
        reading = ReadOptions(proof.rule, (proof.width, proof.height))
        board = only_board(options.position, reading)
    if not proof.is_for(board):
        raise ValueError("the proof is for another rule or size")
    if options.picture:
        require_pictures([options.picture])
        check_output(options.picture, [options.show])
    shown = proof.lookup(board)
    if options.json:
        print(json_line("proof", proof_line(proof, board, shown)))
        if options.picture:
            draw(options.picture, proof, board, shown)
        return 0 if shown.kind else 1
    print(describe_position(proof, shown))
    for reply in shown.replies[: options.most]:
        length = f" in {moves_words(reply.plies)}" if proof.checked else ""
        print(f"  {reply.move}: {reply.answer} wins{length}")
    if len(shown.replies) > options.most:
        print(f"  and {len(shown.replies) - options.most} others")
    if options.picture:
        draw(options.picture, proof, board, shown)
    return 0 if shown.kind else 1


class ProofReplyRow(TypedDict):
    """A reply in a proof and the winner's answer."""

    move: Cell
    answer: Annotated[str, Schema(minLength=1)]
    plies: Count | None


class ProofLine(TypedDict):
    """prove --show --json: the information of a proof about a position."""

    rule: str
    width: Positive
    height: Positive
    moves: list[Cell]
    winner: SideName
    checked: bool
    kind: str | None
    move: Cell | None
    plies: Count | None
    replies: list[ProofReplyRow]
    text: Annotated[str, Schema(minLength=1)]


def proof_line(proof: Proof, board: Board, shown: Shown) -> ProofLine:
    """Return the result of a lookup; plies only of a proof that was checked."""
    return {
        "rule": proof.rule.name.lower(),
        "width": proof.width,
        "height": proof.height,
        "moves": [str(move) for move in board.moves],
        "winner": side_name(proof.winner),
        "checked": proof.checked,
        "kind": shown.kind or None,
        "move": None if shown.move is None else str(shown.move),
        "plies": shown.plies if shown.kind and proof.checked else None,
        "replies": [
            {
                "move": str(reply.move),
                "answer": str(reply.answer),
                "plies": reply.plies if proof.checked else None,
            }
            for reply in shown.replies
        ],
        "text": describe_position(proof, shown),
    }


def describe_position(proof: Proof, shown: Shown) -> str:
    """Describe the result of a lookup in one line."""
    winner = proof.winner.name.lower()
    if not shown.kind:
        return "this position is not in the proof"
    if shown.kind == "open":
        count = proof.book.open.bit_count()
        move = f"{winner} plays {shown.move}; " if shown.move else ""
        if not shown.move and not shown.replies:
            return "open: nothing is known of this reply"
        return f"{move}{count} of the replies are open, all others lose"
    if not proof.checked:
        move = f"it contains {shown.move};  " if shown.move else ""
        return f"{move}the certificate was not checked in full: nothing is proved"
    if shown.kind == "move":
        length = moves_words(shown.plies)
        return f"proved: {winner} wins in {length} with {shown.move}"
    if shown.kind == "replies":
        length = moves_words(shown.plies)
        return f"proved: {winner} wins in {length}, whatever the reply"
    return f"proved: {winner} wins by fours and threes from here"


def draw(path: Path, proof: Proof, board: Board, shown: Shown) -> None:
    """Draw the position with the distances to the win. Requires matplotlib."""
    from gomoku_brain.study.pictures import board_picture

    if board.turn is proof.winner and shown.move is not None:
        board = board.copy()
        board.play(shown.move)
    values = {
        reply.move: Value(-WIN + reply.plies + 1, -reply.plies - 1)
        for reply in shown.replies
    }
    moves = {move: number for number, move in enumerate(board.moves, 1)}
    board_picture(
        path,
        board,
        values,
        numbers=moves,
        title=f"{proof.rule.name.lower()} {proof.width}x{proof.height}: what is proved",
        note="L22: it loses in 22 moves of the winner at most; without a number: "
        + ("open" if shown.kind == "open" else "answered by threats"),
    )
